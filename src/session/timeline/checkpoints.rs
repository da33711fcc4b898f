//! Configurations kept here and there along a run, so that no place is far.

use crate::semantics::{Configuration, Metrics};
use std::collections::BTreeMap;

/// The first distance between two of them, in events: a few milliseconds of work.
const FIRST_DISTANCE: usize = 64;
/// With more, or more bytes, every second one is given up.
const MOST: usize = 256;
const MOST_BYTES: usize = 256 << 20;

pub(super) struct Checkpoints {
    every: usize,
    kept: BTreeMap<usize, (Configuration, Metrics)>,
}

impl Default for Checkpoints {
    fn default() -> Checkpoints {
        Checkpoints { every: FIRST_DISTANCE, kept: BTreeMap::new() }
    }
}

impl Checkpoints {
    /// Their distance.
    pub fn every(&self) -> usize {
        self.every
    }

    /// Keeps the configuration after so many events, if it is one of those to be kept.
    pub fn offer(&mut self, at: usize, configuration: &Configuration, metrics: &Metrics) {
        if !at.is_multiple_of(self.every) || self.kept.contains_key(&at) {
            return;
        }
        self.kept.insert(at, (configuration.clone(), metrics.clone()));
        let bytes = configuration.bytes().saturating_mul(self.kept.len());
        if self.kept.len() > MOST || bytes > MOST_BYTES {
            self.every = self.every.saturating_mul(2);
            let every = self.every;
            self.kept.retain(|at, _| at.is_multiple_of(every));
        }
    }

    /// The last one at or before a position.
    pub fn before(&self, position: usize) -> Option<(usize, &(Configuration, Metrics))> {
        self.kept.range(..=position).next_back().map(|(at, kept)| (*at, kept))
    }

    /// Forgets those behind a position.
    pub fn cut(&mut self, position: usize) {
        self.kept.retain(|at, _| *at <= position);
    }
}
