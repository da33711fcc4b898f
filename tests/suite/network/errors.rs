//! Error messages for invalid topologies and ids.

use super::network;
use std::fmt::Write;
use synod::internals::ids::ProcessId;
use synod::internals::network::{IdsSpec, NetworkOptions, Spec, build};

#[test]
fn topologies() {
    let mut text = String::new();
    for topology in [
        "ring(0)",
        "ring(-3)",
        "hypercube(-1)",
        "hypercube(64)",
        "hypercube(99999999999999999999999999999999999999999)",
        "mesh(1000000000,1000000000)",
        "mesh(10^9,10^9)",
        "mesh(0, 4)",
        "torus(3, -1)",
        "torus(10^90, 2)",
        "ring(99999999999999999999)",
        "ring(99999999999999999999999999999999999999999999)",
        "ring(4194305)",
        "complete(100000)",
        "ring()",
        "ring",
        "ring(3,4)",
        "ring(x)",
        "ring(3.5)",
        "ring(,)",
        "foo(3)",
        "rign(3)",
        "grid(3,4)",
        "clique(3)",
        "",
        "(3)",
        "ring(8",
        "ring 8)",
        "ring(8) x",
        "ring(8)(9)",
        "star(-1)",
        "tree(7, 0)",
        "random(5, 3)",
        "random(5, 11)",
        "random(2, 0)",
        "random(5, 1.5)",
        "random(4000000, 99999999)",
        "random(100000, 0.9)",
        "random(5, 6, seed: x)",
        "random(5, 6, 7, 8)",
        "random_tree(5, -2)",
        "petersen(10)",
        "edges()",
        "edges(0)",
        "edges(0-a)",
        "edges(0-1:x)",
        "edges(0-4000000000)",
        "edges(0-1,)",
    ] {
        match Spec::parse(topology) {
            Ok(spec) => panic!("{topology} is understood as {spec}"),
            Err(error) => writeln!(text, "{topology}\n    {error}").unwrap(),
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn files() {
    let mut text = String::new();
    for dot in [
        "",
        "graph",
        "graph {",
        "graph { }",
        "tree { a }",
        "graph { a -> b }",
        "digraph { a -- b }",
        "graph {\n\n a -- }",
        "graph { a -- \"b }",
        "graph { /* a }",
        "graph { a [x=<b] }",
        "graph { a [x y= }",
        "graph { a } graph { b }",
        "graph { a ! b }",
    ] {
        let error = Spec::from_file("g.dot", dot).unwrap_err();
        writeln!(text, "{dot:?}\n    {error}").unwrap();
    }
    for list in ["", "# nothing", "a", "a b\na b c", "a b 1 2"] {
        let error = Spec::from_file("g.txt", list).unwrap_err();
        writeln!(text, "{list:?}\n    {error}").unwrap();
    }
    insta::assert_snapshot!(text);
}

#[test]
fn ids() {
    let mut text = String::new();
    for ids in ["", "worst", "1,,2", "1,x", "99999999999999999999", "[1,2"] {
        let error = IdsSpec::parse(ids).unwrap_err();
        writeln!(text, "{ids:?}\n    {error}").unwrap();
    }
    for (topology, ids) in [("ring(4)", vec![1, 2, 3]), ("line(1)", vec![1, 2]), ("ring(2)", vec![1])] {
        let error = network(topology).with_ids(ids).unwrap_err();
        writeln!(text, "{topology}\n    {error}").unwrap();
    }
    insta::assert_snapshot!(text);
}

#[test]
fn options_beyond_the_limits() {
    let options = NetworkOptions { addressable: true, ..NetworkOptions::default() };
    let error = build(&Spec::parse("ring(60_001)").unwrap(), &options).unwrap_err();
    insta::assert_snapshot!(error, @"ring(60001) has 60001 processes, and an addressable network has at most 60000");
    let largest = build(&Spec::parse("ring(60_000)").unwrap(), &options).unwrap();
    let last = largest.link(largest.link_bound() - 1);
    assert_eq!((last.from, last.to), (ProcessId(59_999), ProcessId(59_999)));
}
