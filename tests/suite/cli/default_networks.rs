//! The networks that `verify` explores without `--on`.

use crate::cli::harness::{folder, synod, synod_in};

/// Without `--on`, an algorithm for arbitrary graphs is explored on a graph with two cycles that share an edge.
#[test]
fn arbitrary_graphs_are_small_by_default() {
    let report = synod(&["verify", "flooding", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&report.stdout).expect("JSON");
    assert_eq!(report["network"]["topology"], "mesh(2, 3)");
    assert_eq!(report["cut"], serde_json::Value::Null);
}

/// A default network that is too large is replaced by the largest smaller one that is not, unless a network or a limit is requested.
#[test]
fn a_smaller_network_replaces_a_default_that_is_too_large() {
    let report = |arguments: &[&str]| {
        let all =
            [&["verify", "chandy_misra_haas_or", "--property", "no_phantom", "--json"], arguments].concat();
        let report = synod(&all);
        serde_json::from_str::<serde_json::Value>(&report.stdout).expect("JSON")
    };
    let smaller = report(&[]);
    assert_eq!(smaller["network"]["topology"], "complete(2)");
    assert_eq!(smaller["too_large"]["topology"], "complete(3)");
    assert_eq!(smaller["verdict"], "holds");
    let limited = report(&["--max-configurations", "1000"]);
    assert_eq!(limited["network"]["topology"], "complete(3)");
    assert_eq!(limited["too_large"], serde_json::Value::Null);
    assert_eq!(limited["verdict"], "limit");
}

/// A few configurations do not make the search with counts small: it has the limit of a default network, too.
#[test]
fn a_separate_search_on_a_small_default_network() {
    let program = b"
algorithm counting
assumes unidirectional ring, unique ids
message M
var x : 0..15 := 0
ignore M
state s
  do x < 15 ->
    x := x + 1
    if true -> skip
    [] x mod 3 = 1 -> send M
    fi
    pause
  od
  halt
invariant low: forall p: p.x <= 15
invariant few: messages <= 3 or messages <= 900 or messages of M mod 5 = 1
";
    let here = folder("counting", &[("counting.syn", program)]);
    let found = synod_in(&here, &["verify", "counting.syn", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&found.stdout).expect("JSON");
    assert_eq!(report["verdict"], "holds", "{found}");
    assert_eq!(report["network"]["topology"], "ring(4)");
    assert_eq!(report["too_large"], serde_json::Value::Null);
}
