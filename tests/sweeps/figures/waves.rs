//! Echo: messages, message times, and all possible trees. Catalogue: C12.

use crate::common::*;
use std::collections::BTreeSet;
use synod::internals::ir::Value;
use synod::internals::simulate::Schedule;

#[test]
fn echo_takes_two_messages_a_link() {
    let echo = library("echo");
    let networks = [
        ("line(1)", 0),
        ("line(2)", 1),
        ("line(7)", 6),
        ("ring(3)", 3),
        ("ring(8)", 8),
        ("complete(2)", 1),
        ("complete(6)", 15),
        ("mesh(3, 4)", 17),
        ("hypercube(3)", 12),
        ("random(9, 14, seed: 3)", 14),
    ];
    for (network, edges) in networks {
        let instance = on(&echo, network).build();
        for run in runs(&instance, 50) {
            assert!(finished(&run), "{network}: {:?}", run.outcome);
            assert_eq!(run.metrics.messages(), 2 * edges, "{network}");
            assert_eq!(variable(&instance, &run.configuration, 0, "decided"), Value::Bool(true));
            let n = Value::Int(i64::from(instance.n()));
            assert_eq!(variable(&instance, &run.configuration, 0, "counted"), n);
        }
    }
}

#[test]
fn echo_is_there_and_back() {
    // With equal message delays.
    let echo = library("echo");
    let time = |network: &str| run(&on(&echo, network).build(), Schedule::Fifo, 0).metrics.time;
    for n in 3..=9u32 {
        assert_eq!(time(&format!("line({n})")), 2 * (n - 1), "to the other end and back");
        assert_eq!(time(&format!("ring({n})")), n, "two half ways, and back");
        assert_eq!(time(&format!("complete({n})")), 3, "out, across, and back");
    }
    assert_eq!(time("star(5)"), 2);
}

#[test]
fn echo_may_build_any_spanning_tree() {
    let echo = library("echo");
    // Cayley: n^(n - 2) trees on n processes of a complete network. A ring omits one of its links.
    let networks = [
        ("line(1)", 1),
        ("line(2)", 1),
        ("line(4)", 1),
        ("ring(3)", 3),
        ("ring(4)", 4),
        ("ring(5)", 5),
        ("complete(3)", 3),
        ("complete(4)", 16),
    ];
    for (network, trees) in networks {
        let instance = on(&echo, network).build();
        let found: BTreeSet<Vec<Value>> = endings(
            &instance,
            |_| Vec::new(),
            |end| instance.processes().map(|p| end.variable(p, "father")).collect(),
        );
        assert_eq!(found.len(), trees, "{network}");
    }
}
