//! The shape of a network, regardless of how it was written.

use super::{check_laws, network, one_way};
use std::fmt::Write;
use synod::internals::ids::ProcessId;
use synod::internals::network::{Kind, Label, Network, Requirement, Spec};

const ALL: [Requirement; 9] = [
    Requirement::Ring,
    Requirement::Line,
    Requirement::Star,
    Requirement::Tree,
    Requirement::Complete,
    Requirement::Mesh,
    Requirement::Torus,
    Requirement::Hypercube,
    Requirement::ConnectedGraph,
];

fn is(text: &str) -> String {
    let network = network(text);
    let forms = ALL.iter().filter(|form| network.satisfies(**form).is_ok());
    forms.map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

#[test]
fn structure_counts() {
    for (text, forms) in [
        ("ring(1)", "ring, connected graph"),
        ("ring(2)", "ring, connected graph"),
        ("ring(3)", "ring, complete network, connected graph"),
        ("ring(4)", "ring, mesh, hypercube, connected graph"),
        ("line(1)", "line, star, tree, complete network, mesh, hypercube, connected graph"),
        ("complete(2)", "line, star, tree, complete network, mesh, hypercube, connected graph"),
        ("edges(0-1)", "line, star, tree, complete network, mesh, hypercube, connected graph"),
        ("line(3)", "line, star, tree, mesh, connected graph"),
        ("line(4)", "line, tree, mesh, connected graph"),
        ("star(3)", "star, tree, connected graph"),
        ("tree(7)", "tree, connected graph"),
        ("complete(5)", "complete network, connected graph"),
        ("mesh(3, 3)", "mesh, connected graph"),
        ("torus(3, 3)", "torus, connected graph"),
        ("hypercube(3)", "hypercube, connected graph"),
        ("petersen", "connected graph"),
        ("edges(3-1, 1-0, 0-2, 2-3)", "ring, mesh, hypercube, connected graph"),
        ("edges(0-1, 1-0)", "ring, connected graph"),
        ("edges(0-0)", "ring, connected graph"),
        ("edges(0-1, 2-3)", ""),
        ("edges(0->1, 1->2, 2->0)", ""),
    ] {
        assert_eq!(is(text), forms, "{text}");
    }
    assert_eq!(one_way("edges(0->1, 1->2, 2->0)").satisfies(Requirement::Ring), Ok(()));
    assert!(one_way("edges(0->1, 1->2, 0->2)").satisfies(Requirement::Ring).is_err());
}

#[test]
fn reasons() {
    let mut text = String::new();
    for topology in [
        "line(4)",
        "ring(6)",
        "star(3)",
        "complete(4)",
        "mesh(2, 3)",
        "petersen",
        "edges(0-1, 1-2, 2-0, 3-4, 4-5, 5-3)",
        "edges(0-1, 0-1)",
        "edges(0-0, 0-1)",
        "edges(0->1, 1->2, 2->0)",
    ] {
        let network = network(topology);
        for form in ALL {
            if let Err(reason) = network.satisfies(form) {
                writeln!(text, "{reason}").unwrap();
            }
        }
    }
    let uneven = one_way("edges(0->1, 1->2, 0->2)");
    writeln!(text, "{}", uneven.satisfies(Requirement::Ring).unwrap_err()).unwrap();
    insta::assert_snapshot!(text);
}

fn oriented(text: &str, form: Requirement) -> Network {
    let network = network(text).with_orientation(form).unwrap();
    check_laws(&network);
    assert_eq!(network.topology(), text);
    network
}

/// Follow a label from process 0 until it ends or returns.
fn follow(network: &Network, start: u32, label: Label) -> Vec<u32> {
    let mut passed = vec![start];
    while let Some(port) = network.port_with_label(ProcessId(passed[passed.len() - 1]), label) {
        let peer = network.ports(ProcessId(passed[passed.len() - 1]))[port as usize].peer;
        if peer == ProcessId(start) {
            break;
        }
        passed.push(peer.0);
    }
    passed
}

#[test]
fn explicit_graphs_get_the_labels_of_their_shape() {
    let ring = oriented("edges(3-1:10, 1-0:20, 0-2:30, 2-3:40)", Requirement::Ring);
    assert_eq!(ring.kind(), Kind::Ring);
    assert_eq!(follow(&ring, 0, Label::Right), [0, 1, 3, 2]);
    let right = ring.port_with_label(ProcessId(0), Label::Right).unwrap();
    assert_eq!(ring.weight(ProcessId(0), right), 20, "edges keep their weights");

    let line = oriented("edges(2-0, 0-1)", Requirement::Line);
    assert_eq!(follow(&line, 1, Label::Right), [1, 0, 2]);
    let star = oriented("edges(2-0, 2-1, 3-2)", Requirement::Star);
    assert_eq!(star.centre(), Some(ProcessId(2)));
    let pair = oriented("edges(0-1, 0-1)", Requirement::Ring);
    assert_eq!(follow(&pair, 0, Label::Right), [0, 1]);
    let mesh = oriented("line(3)", Requirement::Mesh);
    assert_eq!((mesh.rows(), mesh.columns()), (Some(1), Some(3)));
}

#[test]
fn meshes_and_hypercubes_are_found_under_any_numbering() {
    for (text, form) in [
        ("mesh(2, 2)", Requirement::Mesh),
        ("mesh(2, 5)", Requirement::Mesh),
        ("mesh(3, 4)", Requirement::Mesh),
        ("mesh(5, 5)", Requirement::Mesh),
        ("mesh(1, 6)", Requirement::Mesh),
        ("hypercube(1)", Requirement::Hypercube),
        ("hypercube(2)", Requirement::Hypercube),
        ("hypercube(4)", Requirement::Hypercube),
    ] {
        let original = network(text);
        let n = original.n();
        for step in (1..n).filter(|step| gcd(*step, n) == 1) {
            let moved = |p: u32| (p * step + 1) % n;
            let edges = original.links().step_by(2);
            let edges = edges.map(|link| format!("{}-{}", moved(link.to.0), moved(link.from.0)));
            let listed = format!("edges({})", edges.collect::<Vec<_>>().join(", "));
            let found = oriented(&listed, form);
            assert_eq!(found.diameter(), original.diameter(), "{listed}");
            assert_ne!(found.kind(), Kind::Explicit);
        }
        // Moving one edge changes the shape; a line may become another line.
        let mut edges: Vec<_> = original.links().step_by(2).map(|l| (l.from.0, l.to.0)).collect();
        if n > 4 && text != "mesh(1, 6)" {
            let last = edges.len() - 1;
            edges[last] = (0, n - 1);
            let edges = edges.iter().map(|(a, b)| format!("{a}-{b}")).collect::<Vec<_>>();
            let changed = network(&format!("edges({})", edges.join(", ")));
            assert!(changed.satisfies(form).is_err(), "{text}");
        }
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[test]
fn one_way_rings_from_edges() {
    let ring = one_way("edges(0-2:5, 2-1:6, 1-0:7)");
    assert_eq!((ring.kind(), ring.diameter()), (Kind::Ring, Some(2)));
    assert_eq!(follow(&ring, 0, Label::Next), [0, 2, 1]);
    assert_eq!(ring.weight(ProcessId(0), 0), 5);
    let arcs = one_way("edges(0->2, 2->1, 1->0)");
    assert_eq!(follow(&arcs, 0, Label::Next), [0, 2, 1]);
    let path = one_way("edges(1-0, 1-2)");
    let from_to: Vec<_> = path.links().map(|link| (link.from.0, link.to.0)).collect();
    assert_eq!(from_to, [(1, 0), (1, 2)], "as written");
    let line = path.with_orientation(Requirement::Line).unwrap();
    check_laws(&line);
    let from_to: Vec<_> = line.links().map(|link| (link.from.0, link.to.0)).collect();
    assert_eq!(from_to, [(1, 0), (1, 2)], "labels do not turn links round");
}

#[test]
fn a_ring_in_a_dot_file() {
    let spec = Spec::from_file("ring.dot", "graph { A -- B -- C -- A }").unwrap();
    let network =
        synod::internals::network::build(&spec, &synod::internals::network::NetworkOptions::default())
            .unwrap();
    let network = network.with_ids(vec![5, 3, 9]).unwrap().with_ring_orientation().unwrap();
    assert_eq!(network.ids(), [5, 3, 9]);
    assert_eq!((network.name(ProcessId(2)), network.kind()), (Some("C"), Kind::Ring));
    let large: String = (0..200_000).map(|p| format!("{p} {}\n", (p + 1) % 200_000)).collect();
    let spec = Spec::from_file("large.txt", &large).unwrap();
    let network =
        synod::internals::network::build(&spec, &synod::internals::network::NetworkOptions::default())
            .unwrap();
    assert_eq!(network.diameter(), Some(100_000));
}
