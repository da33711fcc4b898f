//! Elections on any connected graph, and spanning trees. Catalogue: E24 to E27, E30, E31.

use crate::common::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use synod::internals::ids::ProcessId;
use synod::internals::instance::Instance;
use synod::internals::ir::{Program, Value};
use synod::internals::semantics::event::Cause;
use synod::internals::simulate::{Run, Schedule};

/// Graphs of all kinds: sparse, dense, with and without cycles.
const GRAPHS: [&str; 9] = [
    "line(1)",
    "line(2)",
    "ring(5)",
    "star(4)",
    "random_tree(9, 2)",
    "complete(5)",
    "petersen",
    "mesh(3, 4)",
    "random(14, 30, seed: 3)",
];

/// Return each graph with several ids, port orders and weights.
pub fn instances(program: &Arc<Program>, seeds: u64) -> impl Iterator<Item = Instance> + '_ {
    GRAPHS
        .iter()
        .flat_map(move |graph| (0..seeds).map(move |seed| on(program, graph).random_ids(seed).build()))
}

pub fn sizes(instance: &Instance) -> (u64, u64) {
    (u64::from(instance.n()), u64::from(instance.network.edges()))
}

pub fn sent(instance: &Instance, run: &Run, kind: &str) -> u64 {
    messages_of(instance, &run.metrics, kind)
}

fn initiators(instance: &Instance, run: &Run) -> u64 {
    instance.processes().filter(|p| run.configuration.has_woken(*p)).count() as u64
}

pub fn leader(instance: &Instance, run: &Run) -> i64 {
    let ids = instance.network.ids();
    let own =
        |p: &ProcessId| variable(instance, &run.configuration, *p, "elected") == Value::Id(ids[p.index()]);
    let leaders: Vec<ProcessId> = instance.processes().filter(own).collect();
    assert_eq!(leaders.len(), 1, "{leaders:?}");
    ids[leaders[0].index()]
}

// ---- Trees

/// Return the links that the processes regard as tree edges, as pairs of processes; both ends must agree.
fn tree(instance: &Instance, run: &Run) -> BTreeSet<(ProcessId, ProcessId)> {
    let mut links = BTreeSet::new();
    for p in instance.processes() {
        let Value::Set(ports) = variable(instance, &run.configuration, p, "tree") else { panic!("a set") };
        for port in ports.iter() {
            let peer = instance.network.ports(p)[port.word() as usize].peer;
            links.insert((p, peer));
        }
    }
    assert!(links.iter().all(|(p, q)| links.contains(&(*q, *p))), "{links:?}");
    links.into_iter().filter(|(p, q)| p < q).collect()
}

/// Kruskal's algorithm; ties are broken by the ids of the ends, as the distributed algorithms do.
fn kruskal(instance: &Instance) -> BTreeSet<(ProcessId, ProcessId)> {
    let network = &instance.network;
    let mut edges = Vec::new();
    for p in instance.processes() {
        for (port, link) in (0u32..).zip(network.ports(p)) {
            let (a, b) = (network.id(p), network.id(link.peer));
            if p < link.peer {
                edges.push(((network.weight(p, port), a.min(b), a.max(b)), p, link.peer));
            }
        }
    }
    edges.sort();
    let mut part: Vec<ProcessId> = instance.processes().collect();
    let mut chosen = BTreeSet::new();
    for (_, p, q) in edges {
        let (a, b) = (part[p.index()], part[q.index()]);
        if a != b {
            part.iter_mut().filter(|x| **x == a).for_each(|x| *x = b);
            chosen.insert((p, q));
        }
    }
    chosen
}

#[test]
fn shout_costs_4m_minus_2n_plus_2_and_shout_plus_2m() {
    let (shout, plus) = (library("shout"), library("shout_plus"));
    for instance in instances(&shout, 4) {
        let (n, m) = sizes(&instance);
        for run in runs(&instance, 6) {
            assert_eq!(run.metrics.messages(), 4 * m + 2 - 2 * n);
            assert_eq!(sent(&instance, &run, "Question"), 2 * m + 1 - n);
            assert_eq!(sent(&instance, &run, "Yes"), n - 1);
            assert_eq!(sent(&instance, &run, "No"), 2 * m + 2 - 2 * n);
            assert_eq!(tree(&instance, &run).len() as u64, n - 1);
        }
    }
    for instance in instances(&plus, 4) {
        let (n, m) = sizes(&instance);
        for run in runs(&instance, 6) {
            assert_eq!(run.metrics.messages(), 2 * m);
            assert_eq!(sent(&instance, &run, "Question"), 2 * m + 1 - n);
            assert_eq!(tree(&instance, &run).len() as u64, n - 1);
        }
    }
    for (program, total) in [(&shout, 18), (&plus, 12)] {
        assert_eq!(messages(&on(program, "complete(4)").build()), total);
    }
}

#[test]
fn shout_with_extinction_costs_2m_to_2mk_and_a_flood() {
    let program = library("shout_extinction");
    for instance in instances(&program, 4) {
        let (n, m) = sizes(&instance);
        for run in runs(&instance, 12) {
            let tokens = sent(&instance, &run, "Token");
            let k = initiators(&instance, &run);
            assert!((2 * m..=2 * m * k).contains(&tokens), "{tokens}, {k} initiators");
            assert!(k > 1 || tokens == 2 * m);
            assert_eq!(sent(&instance, &run, "Leader"), 2 * m + 1 - n);
            let woke = instance.processes().filter(|p| run.configuration.has_woken(*p));
            let least = woke.map(|p| instance.network.id(p)).min();
            assert_eq!(Some(leader(&instance, &run)), least);
        }
    }
}

#[test]
fn saturation_costs_n_and_n_minus_2_on_any_tree() {
    let program = library("tree_saturation");
    for n in 1..=12u64 {
        for seed in 0..6 {
            let instance = on(&program, &format!("random_tree({n}, {seed})")).random_ids(seed).build();
            for run in runs(&instance, 8) {
                assert_eq!(sent(&instance, &run, "Least"), if n == 1 { 0 } else { n });
                assert_eq!(sent(&instance, &run, "Leader"), n.saturating_sub(2));
                assert!(finished(&run));
            }
        }
    }
}

// ---- Minimum spanning trees

#[test]
fn mega_merger_and_ghs_build_the_minimum_spanning_tree_for_5n_log_n_plus_2m() {
    // Santoro adds n + 1 to the bound of Gallager, Humblet and Spira.
    for (name, announcement, told, and) in [("mega_merger", "Done", 1, 1), ("ghs", "Leader", 2, 0)] {
        let program = library(name);
        for instance in instances(&program, 6) {
            let (n, m) = sizes(&instance);
            let expected = kruskal(&instance);
            for run in runs(&instance, 8) {
                assert_eq!(tree(&instance, &run), expected, "{name}");
                let told_later = sent(&instance, &run, announcement);
                assert_eq!(told_later, n.saturating_sub(told), "{name}");
                let n_log_n = n as f64 * (n as f64).log2();
                let limit = 5.0 * n_log_n + (2 * m + and * (n + 1)) as f64;
                assert!((run.metrics.messages() - told_later) as f64 <= limit, "{name}");
                leader(&instance, &run);
            }
        }
    }
}

/// Under every schedule, small instances have one final configuration, at one cost.
#[test]
fn mega_merger_and_ghs_on_a_triangle_and_a_path() {
    let triangle = "edges(0-1:1, 1-2:2, 0-2:3)";
    let path = "edges(0-1:1, 1-2:2, 2-3:3)";
    for (name, topology, ids, expected, total) in [
        ("mega_merger", triangle, vec![1, 2, 3], 1, 13),
        ("mega_merger", path, vec![4, 2, 3, 1], 2, 17),
        ("ghs", triangle, vec![1, 2, 3], 2, 14),
        ("ghs", path, vec![4, 2, 3, 1], 4, 18),
    ] {
        let instance = on(&library(name), topology).ids(&ids).build();
        let ends = endings(
            &instance,
            |_| Vec::new(),
            |end| {
                let elected: BTreeSet<Value> =
                    instance.processes().map(|p| end.variable(p, "elected")).collect();
                (elected, end.metrics.messages())
            },
        );
        assert_eq!(ends, BTreeSet::from([(BTreeSet::from([Value::Id(expected)]), total)]), "{name}");
    }
}

#[test]
fn ghs_on_four_processes_costs_38_messages_when_the_last_merger_is_friendly() {
    let complete = "edges(0-1:1, 2-3:2, 0-2:3, 1-3:4, 0-3:5, 1-2:6)";
    let instance = on(&library("ghs"), complete).build();
    for run in runs(&instance, 200) {
        assert_eq!(run.metrics.messages(), 38);
        assert_eq!(
            tree(&instance, &run),
            BTreeSet::from([(0, 1), (0, 2), (2, 3)].map(|(p, q)| (ProcessId(p), ProcessId(q))))
        );
    }
}

// ---- Korach, Kutten and Moran

/// Each with its networks, and the cost of a traversal of n processes and m links.
type Traversal = (&'static str, &'static [&'static str], fn(u64, u64) -> u64);

#[test]
fn korach_kutten_moran_costs_one_traversal_or_1_plus_log_k_times_it_and_n() {
    let traversals: [Traversal; 3] = [
        ("korach_kutten_moran", &GRAPHS, |_, m| 2 * m),
        ("korach_kutten_moran_ring", &["ring(1)", "ring(2)", "ring(3)", "ring(8)", "ring(13)"], |n, _| n),
        (
            "korach_kutten_moran_complete",
            &["complete(1)", "complete(2)", "complete(3)", "complete(8)", "complete(13)"],
            |n, _| 2 * (n - 1),
        ),
    ];
    let mut outsiders = 0;
    for (name, networks, cost) in traversals {
        let program = library(name);
        for network in networks {
            for seed in 0..5 {
                let all = on(&program, network).random_ids(seed);
                let instance = all.build();
                let (n, m) = sizes(&instance);
                let f = cost(n, m);
                for run in runs(&instance, 20) {
                    let k = initiators(&instance, &run);
                    let levels = 1 + u64::from(k.ilog2());
                    assert!(run.metrics.messages() <= levels * (f + n), "{name} on {network}");
                    let winner = leader(&instance, &run);
                    let position = instance.network.ids().iter().position(|id| *id == winner).unwrap();
                    outsiders += u32::from(!run.configuration.has_woken(ProcessId(position as u32)));
                }
                let one = all.initiators(&[seed as u32 % instance.n()]).build();
                assert_eq!(messages(&one), f, "{name} on {network}");
            }
        }
    }
    // The process where two tokens met owns the next one, initiator or not.
    assert!(outsiders > 0);
}

#[test]
fn korach_kutten_moran_on_a_ring_of_three_costs_3_7_or_8() {
    let program = library("korach_kutten_moran_ring");
    for ids in arrangements(3) {
        assert_eq!(totals(&ring(&program, &ids)), BTreeSet::from([3, 7, 8]), "{ids:?}");
    }
}

/// All schedules, all sets of initiators: one leader, and no messages left over.
#[test]
fn under_every_schedule_small_networks_elect_one_leader() {
    let cases: [(&str, &[&str]); 6] = [
        ("mega_merger", &["line(1)", "line(2)", "line(3)", "ring(3)"]),
        ("ghs", &["line(1)", "line(2)", "line(3)", "ring(3)"]),
        ("shout_extinction", &["line(1)", "line(2)", "line(3)", "ring(3)"]),
        ("korach_kutten_moran", &["line(1)", "line(2)", "line(3)", "ring(3)"]),
        ("korach_kutten_moran_complete", &["complete(1)", "complete(2)", "complete(3)"]),
        ("korach_kutten_moran_ring", &["ring(1)", "ring(2)", "ring(3)", "ring(4)"]),
    ];
    for (name, networks) in cases {
        let program = library(name);
        for network in networks {
            for seed in 0..3 {
                let all = on(&program, network).random_ids(seed);
                for chosen in subsets(all.build().n()) {
                    let instance = all.clone().initiators(&chosen).build();
                    let ids = instance.network.ids().to_vec();
                    let mut leaders = BTreeMap::new();
                    endings(
                        &instance,
                        |_| Vec::new(),
                        |end| {
                            let own =
                                |p: &ProcessId| end.variable(*p, "elected") == Value::Id(ids[p.index()]);
                            assert!(
                                end.configuration.in_flight() == 0,
                                "{name} on {network}: a message is left"
                            );
                            instance.processes().filter(own).count()
                        },
                    )
                    .into_iter()
                    .for_each(|count| *leaders.entry(count).or_insert(0) += 1);
                    assert_eq!(leaders.keys().copied().collect::<Vec<_>>(), [1], "{name} on {network}");
                }
            }
        }
    }
}

// ---- A ring in a tree

/// Return the ids of the processes in the order of their home positions on the tour, each with its position.
fn homes(instance: &Instance) -> Vec<(u64, ProcessId)> {
    let network = &instance.network;
    let back = |p: ProcessId, peer: ProcessId| {
        network.ports(peer).iter().position(|link| link.peer == p).unwrap() as u32
    };
    let (mut p, mut out) = (ProcessId(0), 0);
    let mut homes = vec![(0, p)];
    for place in 1..=2 * (u64::from(instance.n()) - 1) {
        let peer = network.ports(p)[out as usize].peer;
        let arrived = back(p, peer);
        (p, out) = (peer, (arrived + 1) % network.degree(peer));
        if out == 0 && p != ProcessId(0) {
            homes.push((place, p));
        }
    }
    assert_eq!((p, out), (ProcessId(0), 0));
    homes
}

#[test]
fn an_embedded_ring_costs_two_rounds_and_the_way_to_the_greatest() {
    let program = library("embedded_ring");
    for n in 2..=8u64 {
        for seed in 0..4 {
            let all = on(&program, &format!("random_tree({n}, {seed})")).random_ids(seed);
            let instance = all.build();
            let around = 2 * (n - 1);
            let homes = homes(&instance);
            assert_eq!(homes.len() as u64, n);
            let id = |p: ProcessId| instance.network.id(p);
            let (place_of_greatest, _) = *homes.iter().max_by_key(|(_, p)| id(*p)).unwrap();
            for (place, p) in &homes {
                let distance = (place_of_greatest + around - place) % around;
                let one = all.clone().initiators(&[p.0]).build();
                assert_eq!(messages(&one), 2 * around + distance, "{n} {seed}: from {p}");
            }
            let to_next_greater = |(place, p): &(u64, ProcessId)| {
                let greater = homes.iter().filter(|(_, q)| id(*q) > id(*p));
                greater.map(|(other, _)| (other + around - place) % around).min().unwrap_or(around)
            };
            let expected = homes.iter().map(to_next_greater).sum::<u64>() + around;
            let together = run_after_all(&instance, Cause::Wakeup, Schedule::Random, seed);
            assert_eq!(together.metrics.messages(), expected, "{n} {seed}");
        }
    }
}
