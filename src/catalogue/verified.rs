//! What has been verified exhaustively, from a data file of the library: `stdlib/verified.tsv`.

use crate::library;

/// On this network all schedules were looked at, and no promised property is violated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    pub algorithm: String,
    pub network: String,
    pub configurations: u64,
}

/// The largest networks first recorded for an algorithm, in the order of the file; empty if there are none.
pub fn verified(algorithm: &str) -> Vec<Verified> {
    let all = library::verified().lines().filter_map(parse);
    all.filter(|v| v.algorithm == algorithm).collect()
}

/// `algorithm`, `network` and `configurations` between tabs; `#` begins a comment.
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
