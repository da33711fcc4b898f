//! Buffered successors, before their insertion into the visited set.

use crate::explore::store::state_arena::{StateArena, are_equal};

/// One successor.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub hash: u64,
    pub touched: u64,
    /// Id of the label in `space::Space::labels`.
    pub label: u32,
    /// Whether fairness permits omitting the step forever.
    pub free: bool,
}

/// The successors of a sequence of configurations. Nearby configurations share many successors; duplicates are dropped if only
/// new configurations matter.
#[derive(Debug)]
pub struct Successors {
    pub candidates: Vec<Candidate>,
    pub keys: StateArena,
    /// Number of steps, including those to dropped duplicates.
    pub steps: u64,
    /// Whether duplicates are dropped.
    pub once: bool,
    /// Owned by the thread that computes the successors.
    pub last: LastPlaces,
    /// Whether a step that fairness requires was added since the last query.
    obliged: bool,
}

/// The most recent index for some bits of the hash. Each thread has its own, which stays in its nearest cache.
#[derive(Debug, Default)]
pub struct LastPlaces(Box<[u32]>);

/// Number of indices: few duplicates are missed in a part.
pub const LAST: usize = 1 << 12;

impl LastPlaces {
    pub fn new() -> LastPlaces {
        LastPlaces(vec![0; LAST].into())
    }
}

impl Successors {
    /// Return an empty buffer. `components`: length of the vectors.
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

    /// Remove all successors; keep the memory.
    pub fn clear(&mut self) {
        self.candidates.clear();
        self.keys.clear();
        (self.steps, self.obliged) = (0, false);
    }

    pub fn push(&mut self, key: &[u32], candidate: Candidate) {
        self.keys.push(key);
        self.push_last(candidate);
    }

    /// Add the candidate whose vector has just been added.
    #[inline]
    pub fn push_last(&mut self, candidate: Candidate) {
        self.steps += 1;
        self.obliged |= !candidate.free;
        if self.once {
            let place = self.candidates.len();
            let last = &mut self.last.0[candidate.hash as usize % LAST];
            // The index may be left from another part: hash and vector decide.
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

    /// Return whether a step that fairness requires was added since the last query.
    pub fn takes_obliged(&mut self) -> bool {
        std::mem::take(&mut self.obliged)
    }

    /// Keep those candidates from this index on that are wanted, by hash and vector. Return whether some were removed.
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
