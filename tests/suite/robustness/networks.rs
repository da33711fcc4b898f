//! Networks: mutated descriptions and files of all forms.

use crate::robustness::stir::{Dice, stirred};
use synod::internals::network::{NetworkOptions, Spec, build};

const CASES: usize = 400;

/// The size of the largest network built: the test is about parsers.
const MOST: u32 = 2_000;

const DESCRIPTIONS: &[&str] = &[
    "ring(4)",
    "complete(3)",
    "star(5)",
    "mesh(3, 4)",
    "torus(3,3)",
    "hypercube(3)",
    "line(4)",
    "tree(7)",
    "random(8, 3)",
    "edges(0-1, 1-2, 2-0)",
    "edges(0->1, 1->2)",
    "bipartite(2,3)",
];

const DOT: &str = "graph g { node [shape=box]; a -- b [weight=3]; b -- c -- \"d e\"; subgraph s { x; y } c -- { x y } /* end */ }\n";
const DIRECTED: &str = "strict digraph { 1 -> 2 [label=<b>]; 2 -> 1; 2 -> 3; 3 -> 2 }\n";
const GRAPHML: &str = "<?xml version=\"1.0\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\
    <key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"int\"/><graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/>\
    <edge source=\"a\" target=\"b\"><data key=\"w\">4</data></edge></graph></graphml>\n";
const EDGES: &str = "# a triangle\na b 1\nb c 2\nc a 3\n";

const OTHERS: &[&str] = &[
    "Creator \"x\"\ngraph [ directed 1 node [ id 1 label \"a\" ] node [ id 2 ] edge [ source 1 target 2 weight 2.5 ] ]\n",
    "*Vertices 3\n1 \"a b\"\n*Edges\n1 2 5\n*Arcslist\n1 2 3\n",
    "%%MatrixMarket matrix coordinate real symmetric\n% c\n3 3 2\n2 1 0.5\n3 2 1e3\n",
    "Source;Target;Type;Weight\n\"a\";b;Directed;1,5\nb;c;Undirected;2\n",
    "0: 1 2\n1: 2 0\n2:\n",
    ">>graph6<<Cx\n",
    "&CYlG\n",
    "3 2\n0 1 {'weight': 3}\n1 2 {}\n",
];

fn take(spec: Result<Spec, synod::internals::network::TopologyError>) {
    if let Ok(spec) = spec
        && spec.n() <= MOST
        && let Ok(network) = build(&spec, &NetworkOptions::default())
    {
        network.describe();
    }
}

#[test]
fn mutated_networks() {
    let mut dice = Dice(4);
    for _ in 0..CASES {
        let description = stirred(dice.one_of(DESCRIPTIONS), &mut dice);
        take(Spec::parse(&description));
        let dot = stirred(dice.one_of(&[DOT, DIRECTED]), &mut dice);
        take(Spec::from_file("g.dot", &dot));
        take(Spec::from_file("g.graphml", &stirred(GRAPHML, &mut dice)));
        take(Spec::from_file("g.txt", &stirred(EDGES, &mut dice)));
        take(Spec::from_file("g", &stirred(dice.one_of(OTHERS), &mut dice)));
    }
}

#[test]
fn networks_of_extreme_size() {
    for text in [
        "ring(1)",
        "ring(2)",
        "complete(1)",
        "line(1)",
        "star(1)",
        "mesh(1,1)",
        "hypercube(0)",
        "hypercube(1)",
    ] {
        take(Spec::parse(text));
    }
    assert!(Spec::parse("ring(1000000)").is_ok());
    for text in [
        "ring(0)",
        "ring(-1)",
        "ring(99999999999999999999)",
        "complete(4000000000)",
        "mesh(4000000,4000000)",
        "hypercube(64)",
    ] {
        assert!(
            Spec::parse(text).and_then(|spec| build(&spec, &NetworkOptions::default())).is_err(),
            "{text}"
        );
    }
    // The parsers limit their recursion.
    for (open, close) in [("{", "}"), ("subgraph {", "}"), ("<", ">"), ("[", "]")] {
        let deep = format!("graph {{ {} {} }}", open.repeat(100_000), close.repeat(100_000));
        take(Spec::from_file("g.dot", &deep));
    }
    let deep = format!("<graphml>{}{}</graphml>", "<graph>".repeat(50_000), "</graph>".repeat(50_000));
    take(Spec::from_file("g.graphml", &deep));
}
