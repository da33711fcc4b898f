//! The regular and random families.

use super::{check_laws, network, network_with, one_way, unoriented};
use synod::internals::ids::ProcessId;
use synod::internals::network::{
    Direction, FAMILIES, IdsSpec, Kind, Label, Labels, NONE, Network, NetworkOptions, Spec, build,
};

/// Return n, m, diameter, least and greatest degree.
fn figures(network: &Network) -> (u32, u32, Option<u32>, u32, u32) {
    let degrees = || network.processes().map(|p| network.degree(p));
    let (least, most) = (degrees().min().unwrap(), degrees().max().unwrap());
    (network.n(), network.edges(), network.diameter(), least, most)
}

/// Return the diameter by definition.
fn slow_diameter(network: &Network) -> Option<u32> {
    let farthest = network.processes().flat_map(|p| network.distances_from(p)).max()?;
    (farthest != NONE).then_some(farthest)
}

#[test]
fn both_ways() {
    for (text, n, m, diameter, least, most) in [
        ("ring(1)", 1, 1, 0, 2, 2),
        ("ring(2)", 2, 2, 1, 2, 2),
        ("ring(3)", 3, 3, 1, 2, 2),
        ("ring(8)", 8, 8, 4, 2, 2),
        ("line(1)", 1, 0, 0, 0, 0),
        ("line(2)", 2, 1, 1, 1, 1),
        ("line(5)", 5, 4, 4, 1, 2),
        ("star(0)", 1, 0, 0, 0, 0),
        ("star(1)", 2, 1, 1, 1, 1),
        ("star(4)", 5, 4, 2, 1, 4),
        ("complete(1)", 1, 0, 0, 0, 0),
        ("complete(2)", 2, 1, 1, 1, 1),
        ("complete(6)", 6, 15, 1, 5, 5),
        ("tree(1)", 1, 0, 0, 0, 0),
        ("tree(2)", 2, 1, 1, 1, 1),
        ("tree(7)", 7, 6, 4, 1, 3),
        ("tree(13, 3)", 13, 12, 4, 1, 4),
        ("tree(5, 1)", 5, 4, 4, 1, 2),
        ("mesh(1, 1)", 1, 0, 0, 0, 0),
        ("mesh(1, 2)", 2, 1, 1, 1, 1),
        ("mesh(2, 2)", 4, 4, 2, 2, 2),
        ("mesh(3, 4)", 12, 17, 5, 2, 4),
        ("torus(1, 1)", 1, 2, 0, 4, 4),
        ("torus(1, 2)", 2, 4, 1, 4, 4),
        ("torus(2, 2)", 4, 8, 2, 4, 4),
        ("torus(3, 4)", 12, 24, 3, 4, 4),
        ("hypercube(0)", 1, 0, 0, 0, 0),
        ("hypercube(1)", 2, 1, 1, 1, 1),
        ("hypercube(4)", 16, 32, 4, 4, 4),
        ("petersen", 10, 15, 2, 3, 3),
    ] {
        let network = network(text);
        assert_eq!(figures(&network), (n, m, Some(diameter), least, most), "{text}");
        assert_eq!(slow_diameter(&network), Some(diameter), "{text}");
        assert!(network.is_connected() && !network.directed(), "{text}");
        assert_eq!(network.links().len() as u32, 2 * m, "{text}");
        assert_eq!(network.topology(), text);
    }
}

#[test]
fn one_way_round() {
    for (text, diameter) in [
        ("ring(1)", Some(0)),
        ("ring(2)", Some(1)),
        ("ring(8)", Some(7)),
        ("torus(3, 4)", Some(5)),
        ("line(4)", None),
        ("line(1)", Some(0)),
        ("mesh(2, 3)", None),
        ("complete(4)", None),
        ("hypercube(2)", None),
        ("tree(7)", None),
        ("petersen", None),
    ] {
        let network = one_way(text);
        assert_eq!(network.diameter(), diameter, "{text}");
        assert_eq!(slow_diameter(&network), diameter, "{text}");
        assert_eq!(network.links().len() as u32, network.edges(), "{text}");
    }
    let ring = one_way("ring(3)");
    let [next, prev] = *ring.ports(ProcessId(2)) else { panic!() };
    assert_eq!((next.label, next.peer, next.incoming), (Some(Label::Next), ProcessId(0), NONE));
    assert_eq!((prev.label, prev.peer, prev.out), (Some(Label::Prev), ProcessId(1), NONE));
    assert_eq!(ring.opposite(ProcessId(2), 1), Some(0));
    assert!(ring.directed());
}

#[test]
fn small_rings_have_two_links_each_way() {
    let ring = network("ring(2)");
    let [left, right] = *ring.ports(ProcessId(0)) else { panic!() };
    assert_eq!((left.label, left.peer), (Some(Label::Left), ProcessId(1)));
    assert_eq!((right.label, right.peer), (Some(Label::Right), ProcessId(1)));
    assert_ne!(left.out, right.out);
    assert_eq!(ring.link(right.out).to_port, 0);

    let alone = network("ring(1)");
    let [left, right] = *alone.ports(ProcessId(0)) else { panic!() };
    assert_eq!((left.peer, right.peer), (ProcessId(0), ProcessId(0)));
    assert_eq!((left.incoming, right.incoming), (right.out, left.out));
}

#[test]
fn compass() {
    let mesh = network("mesh(3, 4)");
    let towards = |p: ProcessId, label| Some(mesh.ports(p)[mesh.port_with_label(p, label)? as usize].peer.0);
    assert_eq!(towards(ProcessId(5), Label::North), Some(1));
    assert_eq!(towards(ProcessId(5), Label::East), Some(6));
    assert_eq!(towards(ProcessId(5), Label::South), Some(9));
    assert_eq!(towards(ProcessId(5), Label::West), Some(4));
    assert_eq!(towards(ProcessId(0), Label::North), None);
    assert_eq!((mesh.rows(), mesh.columns()), (Some(3), Some(4)));
    let south = mesh.port_with_label(ProcessId(1), Label::South).unwrap();
    assert_eq!(mesh.opposite(ProcessId(1), south), None, "no north at the edge");

    let torus = network("torus(3, 4)");
    let north = torus.port_with_label(ProcessId(0), Label::North).unwrap();
    assert_eq!(torus.ports(ProcessId(0))[north as usize].peer, ProcessId(8));
}

#[test]
fn chords_dimensions_and_parents() {
    let complete = network("complete(5)");
    for p in complete.processes() {
        for k in 1..5 {
            let port = complete.port_with_label(p, Label::Chord(k)).unwrap();
            let q = ProcessId((p.0 + u32::from(k)) % 5);
            assert_eq!((port, complete.ports(p)[port as usize].peer), (u32::from(k) - 1, q));
            assert_eq!(complete.port_to(p, q), Some(port));
            let link = complete.link(complete.link_between(p, q).unwrap());
            assert_eq!((link.from, link.to), (p, q));
        }
    }
    assert_eq!(complete.link_between(ProcessId(0), ProcessId(0)), None);

    let cube = network("hypercube(3)");
    assert_eq!(cube.ports(ProcessId(5))[1].label, Some(Label::Dimension(1)));
    assert_eq!(cube.ports(ProcessId(5))[1].peer, ProcessId(7));
    assert_eq!(cube.dimension(), Some(3));

    let tree = network("tree(7)");
    assert_eq!(tree.ports(ProcessId(5))[0].label, Some(Label::Parent));
    assert_eq!(tree.ports(ProcessId(5))[0].peer, ProcessId(2));
    assert_eq!((tree.root(), tree.centre()), (Some(ProcessId(0)), None));
    assert_eq!(network("star(3)").centre(), Some(ProcessId(0)));
}

#[test]
fn unoriented_networks_have_no_labels_and_other_orders() {
    let ring = unoriented("ring(64)", 7);
    assert!(ring.processes().all(|p| ring.ports(p).iter().all(|port| port.label.is_none())));
    let rightwards = ring.processes().filter(|&p| ring.ports(p)[1].peer.0 == (p.0 + 1) % 64).count();
    assert!((10..54).contains(&rightwards), "{rightwards} of 64 kept their order");
    assert_eq!(ring.opposite(ProcessId(5), 0), Some(1));
    assert_eq!(unoriented("torus(3, 4)", 1).opposite(ProcessId(0), 0), None);
    let complete = unoriented("complete(9)", 3);
    for (p, q) in [(0, 8), (8, 0), (3, 4)].map(|(p, q)| (ProcessId(p), ProcessId(q))) {
        let port = complete.port_to(p, q).unwrap();
        assert_eq!(complete.ports(p)[port as usize].peer, q);
    }
    assert_eq!(unoriented("ring(9)", 1).describe(), unoriented("ring(9)", 1).describe());
    assert_ne!(unoriented("ring(9)", 1).describe(), unoriented("ring(9)", 2).describe());
}

#[test]
fn random_families_are_connected_and_repeatable() {
    for seed in 0..20 {
        for n in 1..12 {
            let tree = network(&format!("random_tree({n}, {seed})"));
            assert_eq!((tree.edges(), tree.kind()), (n - 1, Kind::RandomTree));
            assert_eq!(tree.diameter(), slow_diameter(&tree));
            for m in n - 1..=n * (n - 1) / 2 {
                let graph = network(&format!("random({n}, {m}, seed: {seed})"));
                assert_eq!((graph.n(), graph.edges()), (n, m));
                assert_eq!(graph.diameter(), slow_diameter(&graph));
                assert!(slow_diameter(&graph).is_some(), "connected");
                let pairs: std::collections::BTreeSet<_> =
                    graph.links().map(|link| (link.from, link.to)).collect();
                assert_eq!(pairs.len() as u32, 2 * m, "simple");
            }
        }
    }
    assert_eq!(network("random(20, 0.2, seed: 7)").edges(), 38);
    assert_eq!(network("random(20, 0.0)").edges(), 19);
    assert_eq!(network("random(20)").topology(), "random(20, 29, seed: 0)");
    let with_seed = |seed| {
        let options = NetworkOptions { seed, ..NetworkOptions::default() };
        network_with("random(20)", &options).to_dot()
    };
    assert_eq!(with_seed(3), with_seed(3));
    assert_ne!(with_seed(3), with_seed(4));
}

/// An oriented ring is computed; with self links it is listed, and its ports and links have the same numbers as before.
#[test]
fn computed_rings_are_the_listed_ones() {
    for direction in [Direction::Unidirectional, Direction::Bidirectional] {
        for n in 1..=9 {
            let options = NetworkOptions { direction, ..NetworkOptions::default() };
            let computed = network_with(&format!("ring({n})"), &options);
            let listed = network_with(&format!("ring({n})"), &NetworkOptions { self_links: true, ..options });
            assert!(!computed.is_listed() && listed.is_listed());
            assert_eq!(computed.stored_links() + n, listed.stored_links());
            for (number, link) in (0u32..).zip(computed.links()) {
                assert_eq!(link, listed.link(number), "link {number} of {n}");
            }
            for p in 0..n {
                assert_eq!(*computed.ports(ProcessId(p)), *listed.ports(ProcessId(p)), "p{p} of {n}");
                assert_eq!(computed.degree(ProcessId(p)), 2);
                assert_eq!(computed.only_out(ProcessId(p)), listed.only_out(ProcessId(p)));
            }
            assert_eq!(computed.to_dot(), listed.to_dot());
        }
    }
}

#[test]
fn repeated_ids_are_found_wherever_they_lie() {
    for (ids, repeated) in [
        (vec![4, 2, 3, 2, 4], Some((1, 3))),
        (vec![1, 2, 3, 4, 5], None),
        (vec![5, 1, 4, 2, 3], None),
        (vec![7, i64::MIN, 7, i64::MAX, i64::MIN], Some((0, 2))),
        (vec![900, i64::MIN, 7, i64::MAX, 0], None),
        (vec![-3; 5], Some((0, 1))),
    ] {
        let ring = network("ring(5)").with_ids(ids.clone()).unwrap();
        assert_eq!(ring.duplicate_id().map(|(p, q)| (p.0, q.0)), repeated, "{ids:?}");
        for id in ids.iter().copied() {
            let first = ids.iter().position(|other| *other == id).map(|p| ProcessId(p as u32));
            assert_eq!(ring.process_with_id(id), first, "{ids:?}");
        }
        assert_eq!(ring.process_with_id(6), None);
    }
}

/// These must never change: recorded runs identify a network by its seed only.
#[test]
fn seeds_are_stable() {
    let edges = |text: &str| {
        let network = network(text);
        let forth = network.links().step_by(2);
        forth.map(|link| format!("{}-{}", link.from.0, link.to.0)).collect::<Vec<_>>().join(" ")
    };
    insta::assert_snapshot!(edges("random_tree(8, 1)"), @"0-1 0-5 1-3 1-6 2-3 3-4 4-7");
    insta::assert_snapshot!(edges("random(8, 12, 1)"), @"0-1 0-2 0-5 1-3 1-4 1-6 2-3 2-5 3-4 3-5 4-7 5-7");
    insta::assert_snapshot!(format!("{:?}", IdsSpec::Random.resolve(8, 1)), @"[3, 5, 6, 7, 8, 1, 4, 2]");
    let ring = network("ring(8)");
    let weights: Vec<i64> = (0..8).map(|p| ring.weight(ProcessId(p), 1)).collect();
    insta::assert_snapshot!(format!("{weights:?}"), @"[5, 4, 3, 1, 2, 8, 7, 6]");
}

#[test]
fn default_weights_are_the_ranks() {
    let graph = network("random(30, 80, 5)");
    let mut weights: Vec<i64> = Vec::new();
    for link in graph.links().step_by(2) {
        let weight = graph.weight(link.from, link.from_port);
        assert_eq!(graph.weight(link.to, link.to_port), weight, "the same at both ends");
        weights.push(weight);
    }
    weights.sort_unstable();
    assert_eq!(weights, (1..=80).collect::<Vec<i64>>());
}

#[test]
fn self_links_and_addresses() {
    let options = NetworkOptions { self_links: true, addressable: true, ..NetworkOptions::default() };
    let ring = network_with("ring(5)", &options);
    assert_eq!(ring.links().len(), 15);
    assert_eq!(ring.edges(), 5);
    let own = ring.link(ring.link_to(ProcessId(3), ProcessId(3)).unwrap());
    assert_eq!((own.from, own.to), (ProcessId(3), ProcessId(3)));
    for from in ring.processes() {
        for to in ring.processes() {
            let number = ring.link_to(from, to).unwrap();
            let link = ring.link(number);
            assert_eq!((link.from, link.to), (from, to));
            assert!(number < ring.link_bound());
        }
    }
    assert_eq!(
        ring.link_to(ProcessId(0), ProcessId(1)),
        Some(ring.ports(ProcessId(0))[1].out),
        "an edge is used where there is one"
    );
    assert_eq!(network("ring(5)").link_to(ProcessId(0), ProcessId(2)), None);
    assert_eq!(network("ring(5)").link_to(ProcessId(0), ProcessId(0)), None);
    assert!(network("complete(4)").link_to(ProcessId(0), ProcessId(3)).is_some());
}

#[test]
fn ids() {
    let ring = network("ring(4)");
    assert_eq!(ring.ids(), [1, 2, 3, 4]);
    for ids in [
        vec![3, 1, 4, 2],
        vec![-7, i64::MAX, i64::MIN, 0],
        vec![10, 11, 12, 13],
        vec![i64::MAX - 3, i64::MAX - 2, i64::MAX - 1, i64::MAX],
    ] {
        let ring = ring.clone().with_ids(ids.clone()).unwrap();
        for (p, &id) in ring.processes().zip(&ids) {
            assert_eq!(ring.process_with_id(id), Some(p), "{ids:?}");
        }
        assert_eq!(ring.process_with_id(99), None);
        assert_eq!(ring.process_with_id(i64::MIN + 1), None);
        assert_eq!(ring.duplicate_id(), None);
    }
    for (ids, twice) in [(vec![5, 6, 6, 5], (1, 2)), (vec![900, 1, 5, 900], (0, 3))] {
        let ring = ring.clone().with_ids(ids).unwrap();
        assert_eq!(ring.duplicate_id().map(|(p, q)| (p.0, q.0)), Some(twice));
    }
    assert_eq!(IdsSpec::Descending.resolve(3, 0), [3, 2, 1]);
    assert_eq!(IdsSpec::parse(" [3, -1,4] "), Ok(IdsSpec::Explicit(vec![3, -1, 4])));
    let mut random = IdsSpec::parse("random").unwrap().resolve(100, 9);
    assert_ne!(random, IdsSpec::Ascending.resolve(100, 9));
    random.sort_unstable();
    assert_eq!(random, IdsSpec::Ascending.resolve(100, 9));
}

#[test]
fn a_million_processes() {
    let options = NetworkOptions {
        direction: synod::internals::network::Direction::Unidirectional,
        ..NetworkOptions::default()
    };
    let ring = build(&Spec::parse("ring(1_000_000)").unwrap(), &options).unwrap();
    assert_eq!((ring.n(), ring.edges(), ring.diameter()), (1_000_000, 1_000_000, Some(999_999)));
    let both = build(&Spec::parse("ring(10^6)").unwrap(), &NetworkOptions::default()).unwrap();
    check_laws(&both);
    let balanced = build(&Spec::parse("tree(1_000_000)").unwrap(), &NetworkOptions::default()).unwrap();
    assert_eq!(balanced.diameter(), Some(38));
    let tree = build(&Spec::parse("random_tree(1_000_000, 3)").unwrap(), &options).unwrap();
    assert_eq!(tree.edges(), 999_999);
    let graph = Spec::parse("random(10_000, 30_000, 3)").unwrap();
    let graph = build(&graph, &NetworkOptions::default()).unwrap();
    assert!(graph.diameter().is_some());
    let star = build(&Spec::parse("star(1_000_000)").unwrap(), &NetworkOptions::default()).unwrap();
    assert!(star.link_between(ProcessId(0), ProcessId(777_777)).is_some());
}

#[test]
fn documented_examples_work() {
    for family in FAMILIES {
        let example = network(family.example);
        assert!(example.is_connected(), "{}", family.example);
    }
    assert_eq!(network("random-tree(5)").kind(), Kind::RandomTree);
    assert_eq!(network(" Ring ( 8 ) ").topology(), "ring(8)");
}

#[test]
fn petgraph_sees_the_same_graph() {
    let graph = network("petersen").to_graph();
    assert_eq!((graph.node_count(), graph.edge_count()), (10, 30));
    assert_eq!(petgraph::algo::connected_components(&graph), 1);
}

#[test]
fn described() {
    insta::assert_snapshot!(network("mesh(2, 3)").describe(), @r#"
    topology   mesh(2, 3)
    processes  6
    edges      7
    diameter   3
    degree     2 to 3
    connected  yes

    process  id  ports
    p0        1  east ↔ p1, south ↔ p3
    p1        2  east ↔ p2, south ↔ p4, west ↔ p0
    p2        3  south ↔ p5, west ↔ p1
    p3        4  north ↔ p0, east ↔ p4
    p4        5  north ↔ p1, east ↔ p5, west ↔ p3
    p5        6  north ↔ p2, west ↔ p4
    "#);
    insta::assert_snapshot!(one_way("ring(3)").with_ids(vec![30, 10, 20]).unwrap().describe(), @r#"
    topology   ring(3)
    processes  3
    links      3
    diameter   2
    degree     2
    connected  yes

    process  id  ports
    p0       30  next → p1, prev ← p2
    p1       10  next → p2, prev ← p0
    p2       20  next → p0, prev ← p1
    "#);
    insta::assert_snapshot!(network("ring(100)").describe(), @r#"
    topology   ring(100)
    processes  100
    edges      100
    diameter   50
    degree     2
    connected  yes
    "#);
    insta::assert_snapshot!(network("edges(0-1, 2->3)").describe(), @r#"
    topology   edges(0-1, 2->3)
    processes  4
    links      3
    diameter   infinite
    degree     1
    connected  no

    process  id  ports
    p0        1  0 ↔ p1
    p1        2  0 ↔ p0
    p2        3  0 → p3
    p3        4  0 ← p2
    "#);
}

/// Each number is another numbering of the ports; 0 has the order of the edges, and the text of a topology contains its number.
#[test]
fn every_numbering_of_the_ports() {
    let mut seen = std::collections::BTreeSet::new();
    for number in 0..36 {
        let text = format!("numbered(edges(0-1, 0-2, 0-3, 2-1, 2-3), {number})");
        let spec = Spec::parse(&text).unwrap();
        assert_eq!(spec.to_string(), text);
        let network = unoriented(&text, 5);
        assert_eq!((network.topology(), network.port_numberings()), (text.as_str(), Some(144)));
        let ports = |p| network.neighbours(ProcessId(p)).map(|q| q.0).collect::<Vec<_>>();
        let all: Vec<Vec<u32>> = (0..4).map(ports).collect();
        if number == 0 {
            assert_eq!(all, [vec![1, 2, 3], vec![0, 2], vec![0, 1, 3], vec![0, 2]]);
        }
        assert!(seen.insert(all));
    }
    let wrong = |text: &str| {
        let options = NetworkOptions { labels: Labels::Unoriented { seed: 1 }, ..NetworkOptions::default() };
        Spec::parse(text).and_then(|spec| build(&spec, &options)).unwrap_err().to_string()
    };
    assert_eq!(
        wrong("numbered(ring(3), 8)"),
        "there is no numbering 8 of the ports: numberings range from 0 to 7"
    );
    assert!(wrong("numbered(ring(3), x)").starts_with("«x» is not the number of a numbering of ports"));
    // One process has more ports than a number can order; small numbers change its last ports only.
    let star = unoriented("numbered(star(30), 1)", 1);
    let order: Vec<u32> = star.neighbours(ProcessId(0)).map(|q| q.0).collect();
    assert_eq!((order[..28] == (1..=28).collect::<Vec<u32>>(), &order[28..]), (true, &[30, 29][..]));
    assert_eq!(star.port_numberings(), None);
}
