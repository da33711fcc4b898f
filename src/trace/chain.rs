//! The hash of a run: a chain over canonical lines.

use super::Header;
use super::hash::{BASIS, feed};
use super::header::header_lines;

/// A hash chain over canonical lines: equal ends mean equal runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain(u64);

impl Chain {
    /// Start the chain with the instance: algorithm, network, ids, parameters, initial values. Seed, schedule,
    /// versions, source and a cycle are omitted. So runs with the same events have the same hash, distinct runs among
    /// many can be counted, and snapshots outlive a new comment or version.
    pub fn new(header: &Header) -> Chain {
        let chain = Chain(BASIS);
        let lines = header_lines(header);
        let counted = |key: &str| {
            !matches!(
                key,
                "source" | "synod" | "schedule" | "seed" | "repeats" | "violates" | "verdict" | "violated"
            )
        };
        lines
            .iter()
            .filter(|(key, _)| counted(key))
            .fold(chain, |chain, (key, value)| chain.then(key).then(value))
    }

    /// Extend the chain: h′ = hash(h, line).
    pub fn then(self, line: &str) -> Chain {
        Chain(feed(feed(feed(BASIS, &self.0.to_le_bytes()), line.as_bytes()), b"\n"))
    }

    pub fn value(self) -> u64 {
        self.0
    }
}
