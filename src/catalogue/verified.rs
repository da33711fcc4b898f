//! Exhaustive verification results, from a data file of the library: `stdlib/verified.tsv`.

use crate::library;

/// A network for which all interleavings were explored and no promised property is violated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    pub algorithm: String,
    pub network: String,
    pub configurations: u64,
}

/// Return the largest networks recorded for an algorithm, in file order; empty if there are none.
pub fn verified(algorithm: &str) -> Vec<Verified> {
    let all = library::verified().lines().filter_map(parse);
    all.filter(|v| v.algorithm == algorithm).collect()
}

/// Parse a line: `algorithm`, `network` and `configurations`, separated by tabs; `#` begins a comment.
fn parse(line: &str) -> Option<Verified> {
    let mut parts = line.split('\t');
    let (algorithm, network, configurations) = (parts.next()?, parts.next()?, parts.next()?);
    if algorithm.starts_with('#') {
        return None;
    }
    let configurations = configurations.trim().parse().ok()?;
    Some(Verified { algorithm: algorithm.into(), network: network.into(), configurations })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_file() {
        let read = parse("lelann\tring(5)\t1234").unwrap();
        assert_eq!((read.algorithm.as_str(), read.network.as_str()), ("lelann", "ring(5)"));
        assert_eq!(read.configurations, 1234);
        assert_eq!(parse("# algorithm\tnetwork\tconfigurations"), None);
        assert_eq!(parse("lelann\tring(5)"), None);
        assert_eq!(parse(""), None);
    }
}
