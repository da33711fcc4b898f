//! Messages in the order of sending, in as little room as they need.

/// Generations of messages: those to be taken, in the order in which they were sent, and behind them those sent meanwhile.
/// Most steps send as many messages as they take, or fewer: what they send lies where what they have taken lay.
#[derive(Debug)]
pub(super) struct Queue<T> {
    /// The generation at hand from `read` on, and at the beginning the first of the next.
    records: Vec<T>,
    read: usize,
    /// Where the next message goes, below `read`; FULL when one has had no room there.
    write: usize,
    /// How much of `records` belongs to the next generation, if `write` does not say it.
    written: usize,
    /// Messages of the next generation that had no room.
    behind: Vec<T>,
}

/// There is no room below this.
const FULL: usize = usize::MAX;

impl<T: Copy> Queue<T> {
    /// Room is made at once for so many messages: untouched room costs nothing, and growing means copying.
    pub fn new(room: usize) -> Queue<T> {
        Queue { records: Vec::new(), read: 0, write: 0, written: 0, behind: Vec::with_capacity(room) }
    }

    /// A message is sent.
    #[inline(always)]
    pub fn push(&mut self, record: T) {
        if self.write < self.read {
            self.records[self.write] = record;
            self.write += 1;
        } else {
            if self.write != FULL {
                self.written = std::mem::replace(&mut self.write, FULL);
            }
            self.behind.push(record);
        }
    }

    /// The message that was sent last, back again.
    pub fn pop(&mut self) -> Option<T> {
        if let Some(record) = self.behind.pop() {
            if self.behind.is_empty() {
                self.write = self.written;
            }
            return Some(record);
        }
        self.write = self.write.checked_sub(1)?;
        Some(self.records[self.write])
    }

    /// The next message of this generation, and what it takes to put it back.
    #[inline(always)]
    pub fn take(&mut self) -> Option<T> {
        let record = self.records.get(self.read).copied()?;
        self.read += 1;
        Some(record)
    }

    /// The message taken last was not taken; what was sent since has been popped.
    pub fn put_back(&mut self, record: T) {
        self.read -= 1;
        self.records[self.read] = record;
    }

    /// Messages sent in this generation.
    #[inline(always)]
    pub fn sent(&self) -> usize {
        if self.write == FULL { self.written + self.behind.len() } else { self.write }
    }

    /// Messages of this generation that are left.
    pub fn left(&self) -> usize {
        self.records.len() - self.read
    }

    /// Begins the next generation.
    pub fn turn(&mut self) {
        let (written, all_behind) =
            if self.write == FULL { (self.written, true) } else { (self.write, false) };
        (self.read, self.write) = (0, 0);
        self.records.truncate(written);
        if all_behind && written == 0 {
            std::mem::swap(&mut self.records, &mut self.behind);
            self.behind.clear();
        } else {
            self.records.append(&mut self.behind);
        }
    }

    /// All messages, in their order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        let written = self.sent() - self.behind.len();
        self.records[self.read..].iter().chain(&self.records[..written]).chain(&self.behind)
    }
}
