//! What configurations lead to, before it is put into the set.

use crate::explore::space::state_arena::{StateArena, are_equal};

/// One successor.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub hash: u64,
    pub touched: u64,
    /// Number of the label in `space::Space::labels`.
    pub label: u32,
    /// May the step be left undone for ever?
    pub free: bool,
}

/// The successors of one configuration after the other. Configurations that were met one after the other have many in common: what is
/// there already need not be there twice, where nothing is to be known but what is new.
#[derive(Debug)]
pub struct Successors {
    pub candidates: Vec<Candidate>,
    pub keys: StateArena,
    /// Steps that lead to them.
    pub steps: u64,
    /// Is each kept only once?
    pub once: bool,
    /// Of the thread that finds them.
    pub last: LastPlaces,
    /// Has there been a step that may not be left undone, since it was asked last?
    obliged: bool,
}

/// By some bits of the hash: where one that has them was put last. Every thread has its own, which stays in its nearest cache.
#[derive(Debug, Default)]
pub struct LastPlaces(Box<[u32]>);

/// So many places are remembered: few twins are missed in a part.
const LAST: usize = 1 << 12;

impl LastPlaces {
    pub fn new() -> LastPlaces {
        LastPlaces(vec![0; LAST].into())
    }
}

impl Successors {
    /// `components`: length of the vectors.
    pub fn new(components: usize) -> Successors {
        Successors {
            candidates: Vec::new(),
            keys: StateArena::new(components),
            steps: 0,
            once: false,
            last: LastPlaces::default(),
            obliged: false,
        }
    }

    /// None; what they took is kept for the next.
    pub fn clear(&mut self) {
        self.candidates.clear();
        self.keys.clear();
        (self.steps, self.obliged) = (0, false);
    }

    pub fn push(&mut self, key: &[u32], candidate: Candidate) {
        self.keys.push(key);
        self.push_last(candidate);
    }

    /// Adds the candidate whose vector has just been added.
    #[inline]
    pub fn push_last(&mut self, candidate: Candidate) {
        self.steps += 1;
        self.obliged |= !candidate.free;
        if self.once {
            let place = self.candidates.len();
            let last = &mut self.last.0[candidate.hash as usize % LAST];
            // What stands there may be left from another part: hash and vector say whether it is meant.
            let twin = *last as usize;
            if self.candidates.get(twin).is_some_and(|twin| twin.hash == candidate.hash)
                && are_equal(self.keys.packed(twin), self.keys.packed(place))
            {
                self.keys.pop();
                return;
            }
            *last = place as u32;
        }
        self.candidates.push(candidate);
    }

    /// Has there been a step that may not be left undone, since this was asked last?
    pub fn takes_obliged(&mut self) -> bool {
        std::mem::take(&mut self.obliged)
    }

    /// Keeps of the candidates from this one on those that are wanted, by hash and vector. True: some are gone.
    pub fn keep(&mut self, from: usize, mut wanted: impl FnMut(u64, &[u32]) -> bool) -> bool {
        let mut kept = from;
        let mut key = Vec::new();
        for at in from..self.candidates.len() {
            self.keys.get(at, &mut key);
            if wanted(self.candidates[at].hash, &key) {
                self.keys.copy_within(at, kept);
                self.candidates.swap(kept, at);
                kept += 1;
            }
        }
        let gone = self.candidates.len() - kept;
        self.steps -= gone as u64;
        self.candidates.truncate(kept);
        self.keys.truncate(kept);
        gone > 0
    }
}

#[cfg(test)]
mod tests {
    use super::{Candidate, LAST, LastPlaces, Successors};

    fn step(hash: u64, free: bool) -> Candidate {
        Candidate { hash, touched: 0, label: 0, free }
    }

    fn empty(components: usize) -> Successors {
        Successors { once: true, last: LastPlaces::new(), ..Successors::new(components) }
    }

    #[test]
    fn what_is_there_is_not_added_again() {
        let mut all = empty(2);
        all.push(&[1, 2], step(7, true));
        // The same place is remembered for both of these, and the same hash for the third.
        all.push(&[3, 4], step(7 + LAST as u64, true));
        all.push(&[5, 6], step(7, true));
        assert_eq!(all.candidates.len(), 3);
        assert!(!all.takes_obliged());
        all.push(&[5, 6], step(7, false));
        assert_eq!((all.candidates.len(), all.steps), (3, 4));
        assert!(all.takes_obliged(), "it leads where another led, and has to be taken all the same");
        // Only the last is remembered.
        all.push(&[1, 2], step(7, true));
        assert_eq!(all.candidates.len(), 4);
        let mut key = Vec::new();
        all.keys.get(3, &mut key);
        assert_eq!(key, [1, 2]);
    }

    #[test]
    fn numbers_that_need_more_room_change_nothing() {
        let mut all = empty(2);
        all.push(&[1, 2], step(7, false));
        all.push(&[1, 70_000], step(8, false));
        all.push(&[1, 2], step(7, false));
        all.push(&[1, 70_000], step(8, false));
        assert_eq!((all.candidates.len(), all.steps), (2, 4));
    }

    #[test]
    fn nothing_is_left_of_an_earlier_part() {
        let mut all = empty(1);
        all.push(&[1], step(1, false));
        all.clear();
        all.push(&[2], step(1, true));
        assert_eq!((all.candidates.len(), all.steps), (1, 1));
        all.clear();
        all.once = false;
        all.push(&[2], step(1, true));
        all.push(&[2], step(1, true));
        assert_eq!((all.candidates.len(), all.steps), (2, 2));
        assert!(all.keep(0, |_, _| false));
        assert_eq!((all.candidates.len(), all.steps), (0, 0));
    }
}
