//! The hash of a run: a chain over canonical lines.

use super::Header;
use super::hash::{BASIS, feed};
use super::header::header_lines;

/// A chain over canonical lines: equal ends mean equal runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain(u64);

impl Chain {
    /// Begins with the instance: algorithm, network, ids, parameters, initial values. Not with seed, schedule,
    /// versions and source, nor with how the run goes on after it: runs that do the same have the same hash, whoever chose them, so that the distinct
    /// runs among many can be counted, and snapshots outlive a comment and the next version.
    pub fn new(header: &Header) -> Chain {
        let chain = Chain(BASIS);
        let lines = header_lines(header);
        let counted =
            |key: &str| !matches!(key, "source" | "synod" | "schedule" | "seed" | "repeats" | "violates");
        lines
            .iter()
            .filter(|(key, _)| counted(key))
            .fold(chain, |chain, (key, value)| chain.then(key).then(value))
    }

    /// h′ = hash(h, line)
    pub fn then(self, line: &str) -> Chain {
        Chain(feed(feed(feed(BASIS, &self.0.to_le_bytes()), line.as_bytes()), b"\n"))
    }

    pub fn value(self) -> u64 {
        self.0
    }
}
