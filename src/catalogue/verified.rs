//! Exhaustive verification results, from a data file of the library: `stdlib/verified.tsv`.

use crate::library;

/// A network for which all interleavings were explored and no promised property is violated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    pub algorithm: String,
    pub network: String,
    pub configurations: u64,
}

impl Verified {
    /// Parse a line: `algorithm`, `network` and `configurations`, separated by tabs; `#` begins a comment.
    pub fn parse(line: &str) -> Option<Verified> {
        let mut parts = line.split('\t');
        let (algorithm, network, configurations) = (parts.next()?, parts.next()?, parts.next()?);
        if algorithm.starts_with('#') {
            return None;
        }
        let configurations = configurations.trim().parse().ok()?;
        Some(Verified { algorithm: algorithm.into(), network: network.into(), configurations })
    }
}

/// Return the largest networks recorded for an algorithm, in file order; empty if there are none.
pub fn verified(algorithm: &str) -> Vec<Verified> {
    let all = library::verified().lines().filter_map(Verified::parse);
    all.filter(|v| v.algorithm == algorithm).collect()
}
