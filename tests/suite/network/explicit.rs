//! Graphs listed edge by edge: in the source, as DOT, as edge lists.

use super::{check_laws, network, one_way};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use synod::internals::ids::ProcessId;
use synod::internals::network::{Network, NetworkOptions, Spec, build};

fn dot(text: &str) -> Network {
    let spec = Spec::from_file("g.dot", text).unwrap_or_else(|error| panic!("{error}"));
    let network = build(&spec, &NetworkOptions::default()).unwrap();
    check_laws(&network);
    network
}

fn edge_list(text: &str) -> Network {
    let spec = Spec::from_file("g.txt", text).unwrap_or_else(|error| panic!("{error}"));
    let network = build(&spec, &NetworkOptions::default()).unwrap();
    check_laws(&network);
    network
}

/// Return source, target and weight of each link of an edge, in order.
fn arcs(network: &Network) -> Vec<(u32, u32, i64)> {
    let weight = |link: &synod::internals::network::Link| network.weight(link.from, link.from_port);
    let links = network.links();
    links.map(|link| (link.from.0, link.to.0, weight(&link))).collect()
}

#[test]
fn listed_in_the_source() {
    let graph = network("edges(0-1, 1 -- 2:5, 2-0:-3)");
    assert_eq!(graph.topology(), "edges(0-1, 1-2:5, 2-0:-3)");
    assert_eq!(arcs(&graph), [(0, 1, 1), (1, 0, 1), (1, 2, 5), (2, 1, 5), (2, 0, -3), (0, 2, -3)]);
    let apart = network("edges(0-1, 3-4)");
    assert_eq!((apart.n(), apart.diameter(), apart.is_connected()), (5, None, false));
    let arcs_only = network("edges(0->1, 1→2)");
    assert!(arcs_only.directed());
    assert_eq!((arcs_only.edges(), arcs_only.diameter()), (2, None));
    let mixed = network("edges(0->1:4, 1-2:6, 2->0:8, 0-0:2)");
    assert_eq!((mixed.edges(), mixed.diameter()), (6, Some(2)));
    assert_eq!(mixed.weight(ProcessId(2), 0), 6);
}

#[test]
fn arcs_both_ways_are_an_edge() {
    let graph = dot("digraph { a -> b; b -> a; b -> c; c -> b }");
    assert!(!graph.directed());
    assert_eq!((graph.edges(), graph.degree(ProcessId(1))), (2, 2));
    let weighted = dot("digraph { a -> b [weight=1]; b -> a [weight=2] }");
    assert!(weighted.directed(), "two weights, two edges");
    assert_eq!(weighted.degree(ProcessId(0)), 2);
}

#[test]
fn dot_as_people_write_it() {
    let graph = dot(r#"
        // a comment
        # another
        strict graph "my graph" {
            rankdir=LR; node [shape=circle, style="filled"]
            edge [weight=3]
            zoë [label=<<b>x</b>>]; "two words" /* here */
            zoë -- "two words" -- 3.5 [color=red; weight="7"] [bold]
            3.5:n -- { p; q } ; subgraph cluster_0 { p -- q; graph [label="in"] }
            p -- q
            "a" + "b" -- p
        }"#);
    let names: Vec<_> = (0..graph.n()).map(|p| graph.name(ProcessId(p)).unwrap()).collect();
    assert_eq!(names, ["zoë", "two words", "3.5", "p", "q", "ab"]);
    let forth: Vec<_> = arcs(&graph).into_iter().step_by(2).collect();
    assert_eq!(forth, [(0, 1, 7), (1, 2, 7), (2, 3, 3), (2, 4, 3), (3, 4, 3), (5, 3, 3)]);
    assert_eq!(graph.topology(), "g.dot");
}

#[test]
fn edge_lists() {
    let graph = edge_list("# weights\n10 2 5\n\n2 7 # seven\n");
    assert_eq!(arcs(&graph), [(2, 0, 5), (0, 2, 5), (0, 1, 1), (1, 0, 1)]);
    assert_eq!(graph.name(ProcessId(2)), Some("10"));
    let words = edge_list("A B\nserver A");
    assert_eq!((words.name(ProcessId(0)), words.name(ProcessId(2))), (Some("A"), Some("server")));
}

#[test]
fn dot_round_trip() {
    for text in [
        "ring(1)",
        "ring(2)",
        "torus(2, 3)",
        "petersen",
        "random(12, 20, 3)",
        "hypercube(3)",
        "line(1)",
        "edges(0-1, 3-4)",
        "edges(0->1:4, 1-2:6, 2->0:8)",
    ] {
        for network in [network(text), one_way(text)] {
            let again = dot(&network.to_dot());
            assert_eq!(again.n(), network.n(), "{text}");
            if text == "ring(2)" && network.directed() {
                // Without weights, 0 -> 1 and 1 -> 0 are one edge.
                assert_eq!(again.edges(), 1);
            }
            assert_eq!(arcs_sorted(&again), arcs_sorted(&network), "{text}");
            assert_eq!(arcs_sorted(&dot(&again.to_dot())), arcs_sorted(&again), "{text}");
        }
    }
    insta::assert_snapshot!(network("edges(0-1:4, 1-2:6)").with_ids(vec![7, 8, 9]).unwrap().to_dot(), @r#"
    graph "edges(0-1:4, 1-2:6)" {
      p0 [label="7"];
      p1 [label="8"];
      p2 [label="9"];
      p0 -- p1 [weight=4];
      p1 -- p2 [weight=6];
    }
    "#);
}

/// The arcs of a network, with their weights if these are given.
fn arcs_sorted(network: &Network) -> Vec<(u32, u32, Option<i64>)> {
    let has_weight = |p| network.degree(p) > 0 && network.given_weight(p, 0).is_some();
    let is_weighted = network.processes().any(has_weight);
    let with_weight = |(from, to, weight)| (from, to, is_weighted.then_some(weight));
    let mut arcs: Vec<_> = arcs(network).into_iter().map(with_weight).collect();
    arcs.sort_unstable();
    arcs
}

#[test]
fn names_that_need_quotes_survive() {
    let graph = dot(r#"graph { "a \"b\"" -- node1; "graph" -- "ä\\" -- "" }"#);
    let again = dot(&graph.to_dot());
    for p in 0..graph.n() {
        assert_eq!(graph.name(ProcessId(p)), again.name(ProcessId(p)));
    }
    assert_eq!(again.n(), 5);
}

#[test]
fn deep_nesting_is_refused() {
    let text = format!("graph {{ {} a {} }}", "{".repeat(100_000), "}".repeat(100_000));
    let error = Spec::from_file("deep.dot", &text).unwrap_err();
    assert!(error.message.contains("nested more than 64 deep"), "{error}");
}

#[test]
fn weights_given_afterwards_are_those_of_the_edges_in_their_order() {
    let square = || network("edges(0-1, 2-3, 0-2, 1-3)");
    let weighed = square().with_weights(vec![7, 5, 3, 1]).unwrap();
    assert_eq!(
        (
            weighed.weight(ProcessId(0), 0),
            weighed.weight(ProcessId(2), 0),
            weighed.weight(ProcessId(0), 1),
            weighed.weight(ProcessId(3), 1)
        ),
        (7, 5, 3, 1)
    );
    let error = square().with_weights(vec![7]).unwrap_err().to_string();
    assert!(error.contains("has 4 edges, but 1 weight is given"), "{error}");
}

#[test]
fn edges_join_all_processes_or_do_not() {
    let line = network("line(4)");
    let edges = |edges: [(u32, u32); 3]| edges.into_iter().map(|(p, q)| (ProcessId(p), ProcessId(q)));
    assert!(line.is_connected_by(edges([(0, 1), (3, 2), (1, 2)])));
    assert!(!line.is_connected_by(edges([(0, 1), (2, 3), (3, 2)])));
    assert!(network("line(1)").is_connected_by(std::iter::empty()));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_the_readers_panic(text in "\\PC{0,60}") {
        let _ = Spec::from_file("x.dot", &text);
        let _ = Spec::from_file("x.txt", &text);
        let _ = Spec::parse(&text);
        let _ = synod::internals::network::IdsSpec::parse(&text);
    }

    #[test]
    fn nor_anything_that_looks_like_dot(
        parts in prop::collection::vec(prop::sample::select(vec![
            "graph", "digraph", "strict", "subgraph", "node", "edge", "a", "b", "\"c\"", "\"", "\\", "{", "}", "[", "]",
            "--", "->", "-", "=", ":", ";", ",", "+", "<", ">", "weight", "5", "-1.5", "\n", "#", "//", "/*", "*/", "é",
        ]), 0..30),
        start in prop::sample::select(vec!["", "graph {", "digraph g {", "strict graph {"]),
    ) {
        let text = format!("{start} {}", parts.join(" "));
        if let Ok(spec) = Spec::from_file("x.dot", &text) {
            check_laws(&build(&spec, &NetworkOptions::default()).unwrap());
        }
    }

    #[test]
    fn nor_anything_that_looks_like_a_topology(
        name in prop::sample::select(vec!["ring", "tree", "mesh", "torus", "hypercube", "random", "random_tree", "edges", "star", "petersen"]),
        arguments in prop::collection::vec(prop::sample::select(vec![
            "0", "1", "2", "3", "-1", "0.5", "10^9", "2^200", "99999999999999999999999999999999999999999999", "seed: 3",
            "0-1", "1-2:5", "1->0", "0-", "-", "", "1_0",
        ]), 0..4),
    ) {
        let text = format!("{name}({})", arguments.join(", "));
        if let Ok(spec) = Spec::parse(&text) {
            prop_assert!(spec.n() >= 1);
            if spec.n() < 1000 {
                check_laws(&build(&spec, &NetworkOptions::default()).unwrap());
                check_laws(&one_way(&text));
            }
        }
    }
}

fn graphml(text: &str) -> Result<Spec, synod::internals::network::TopologyError> {
    Spec::from_file("g.graphml", text)
}

#[test]
fn graphml_as_editors_write_it() {
    let text = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="edge" attr.name="weight" attr.type="double"/>
  <key id="d1" for="node" attr.name="weight" attr.type="int"/>
  <graph id="G" edgedefault="undirected">
    <node id="b"><data key="d1">9</data></node><node id="a &amp; c"/><node id="z"/>
    <edge source="b" target="a &amp; c"><data key="d0">5.0</data></edge>
    <edge source="z" target="b"/>
    <edge source="a &amp; c" target="z" directed="true"><data key="d1">7</data></edge>
  </graph>
</graphml>"#;
    let network = build(&graphml(text).unwrap(), &NetworkOptions::default()).unwrap();
    // Two edges, each of which is two arcs in a directed graph, and the single arc.
    assert_eq!((network.n(), network.edges(), network.directed()), (3, 5, true));
    assert_eq!(
        (network.name(ProcessId(0)), network.name(ProcessId(1)), network.name(ProcessId(2))),
        (Some("b"), Some("a & c"), Some("z"))
    );
    // The same graph as undirected DOT.
    let plain = text.replace(" directed=\"true\"", "");
    let dot = Spec::from_file(
        "g.graphml",
        "graph { b; \"a & c\"; z; b -- \"a & c\" [weight=5]; z -- b; \"a & c\" -- z }",
    );
    assert_eq!(graphml(&plain), dot);
}

#[test]
fn invalid_graphml() {
    let whole = |inner: &str| format!("<graphml><graph edgedefault=\"directed\">{inner}</graph></graphml>");
    for (text, wanted) in [
        ("<graphml><graph>".into(), "is not well-formed XML"),
        ("<!-- c --><graph/>".into(), "a format that Synod does not read: XML"),
        ("<graphml/>".into(), "the file has no graph"),
        (whole(""), "has no nodes"),
        (whole("<node/>"), "has no id"),
        (whole("<node id='a'/><node id='a'/>"), "two nodes «a»"),
        (whole("<node id='a'/>\n<edge source='a' target='b'/>"), "line 2 of g.graphml: there is no node «b»"),
        (whole("<node id='a'/><edge source='a'/>"), "no target"),
        (whole("<node id='a'/><hyperedge/>"), "hyperedge"),
        (whole("<node id='a'><graph/></node>"), "nested graphs are not supported"),
        (whole("<node id='a'/><edge source='a' target='a' directed='maybe'/>"), "true or false"),
        ("<!DOCTYPE a [<!ENTITY x 'y'>]><graphml/>".into(), "is not well-formed XML"),
        ("<graphml>".repeat(200_000), "is not well-formed XML"),
    ] {
        let error = graphml(&text).unwrap_err();
        assert!(error.message.contains(wanted), "{text:.200}: {}", error.message);
    }
}

/// A backslash before a quotation mark, or at the end, would escape it.
#[test]
fn names_that_end_with_a_backslash() {
    let network = dot(r#"graph { <a\> -- <b\"c>; "d\\" -- "e\f" }"#);
    let names = |network: &Network| network.processes().map(|p| network.process_name(p)).collect::<Vec<_>>();
    assert_eq!(names(&network), [r"a\", r#"b\"c"#, r"d\\", r"e\f"]);
    assert_eq!(names(&dot(&network.to_dot())), names(&network));
}
