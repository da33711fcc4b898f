//! Message queue in the order of sending, in as little memory as possible.

/// Two generations of messages: those to be taken, in the order of sending, then those sent meanwhile. Most steps send at most as
/// many messages as they take, so that sent messages reuse the space of taken ones.
#[derive(Debug)]
pub(super) struct Queue<T> {
    /// The current generation from `read` on, and at the beginning the first messages of the next.
    records: Vec<T>,
    read: usize,
    /// Position of the next sent message, below `read`; FULL once a message had no room there.
    write: usize,
    /// Number of messages of the next generation in `records`, if `write` is FULL.
    written: usize,
    /// Messages of the next generation that had no room in `records`.
    behind: Vec<T>,
}

/// No room below `read`.
const FULL: usize = usize::MAX;

impl<T: Copy> Queue<T> {
    /// Create a queue with memory reserved for this many messages: unused memory costs nothing, whereas growing means copying.
    pub fn new(room: usize) -> Queue<T> {
        Queue { records: Vec::new(), read: 0, write: 0, written: 0, behind: Vec::with_capacity(room) }
    }

    /// Append a message to the next generation.
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

    /// Remove and return the message that was sent last.
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

    /// Take the next message of the current generation.
    #[inline(always)]
    pub fn take(&mut self) -> Option<T> {
        let record = self.records.get(self.read).copied()?;
        self.read += 1;
        Some(record)
    }

    /// Undo the last `take`; messages sent since must have been popped.
    pub fn put_back(&mut self, record: T) {
        self.read -= 1;
        self.records[self.read] = record;
    }

    /// Return the number of messages sent in this generation.
    #[inline(always)]
    pub fn sent(&self) -> usize {
        if self.write == FULL { self.written + self.behind.len() } else { self.write }
    }

    /// Return the number of messages left in this generation.
    pub fn left(&self) -> usize {
        self.records.len() - self.read
    }

    /// Begin the next generation.
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

    /// Iterate over all messages, in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        let written = self.sent() - self.behind.len();
        self.records[self.read..].iter().chain(&self.records[..written]).chain(&self.behind)
    }
}
