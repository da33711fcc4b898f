//! Configurations stored along a run, so that every position is reached by replaying few events.

use crate::semantics::{Configuration, Metrics};
use std::collections::BTreeMap;

/// Initial distance between checkpoints, in events: a few milliseconds of replaying.
const FIRST_DISTANCE: usize = 64;
/// Maximum number of checkpoints, and of bytes: beyond, every second one is dropped.
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
    /// Return the distance between checkpoints, in events.
    pub fn every(&self) -> usize {
        self.every
    }

    /// Store the configuration after `at` events if a checkpoint is due there.
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

    /// Return the last checkpoint at or before a position.
    pub fn before(&self, position: usize) -> Option<(usize, &(Configuration, Metrics))> {
        self.kept.range(..=position).next_back().map(|(at, kept)| (*at, kept))
    }

    /// Drop the checkpoints after a position.
    pub fn cut(&mut self, position: usize) {
        self.kept.retain(|at, _| *at <= position);
    }
}
