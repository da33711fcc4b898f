//! Yo-Yo, iteration by iteration: the number of sources left, and the messages of each iteration. Catalogue: E28.

use super::graphs::{instances, leader, sent, sizes};
use crate::common::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use synod::internals::ids::ProcessId;
use synod::internals::instance::Instance;
use synod::internals::ir::{Program, Value};
use synod::internals::simulate::{Outcome, Run, Schedule, SimulateOptions, Unobserved, simulate};

/// A log of each iteration: whether the process was a source, and the numbers of links over which it sent and received values.
const LOG: [Edit<'_>; 2] = [
    (
        "yo_yo",
        "var source : Bool := true ",
        "var won : list of Bool\nvar sent, got : list of Int\nvar source : Bool := true ",
    ),
    (
        "yo_yo",
        "  source := incoming = {}\n",
        "  source := incoming = {}\n  won := won + [source]\n  sent := sent + [size(outgoing)]\n  got := got + [size(incoming)]\n",
    ),
];

const USELESS: &str = "size(set(values(value))) = 1 and (outgoing = {} or (staying = {} and all_yes))";
const WANTED: &str = "{ p in incoming | not useless and p = (least q in incoming with value[q] = value[p]) }";

fn with_pruning() -> Arc<Program> {
    edited("yo_yo", &LOG)
}

fn without_pruning() -> Arc<Program> {
    let edits = [("yo_yo", USELESS, "false"), ("yo_yo", WANTED, "incoming")];
    edited("yo_yo", &[&LOG[..], &edits].concat())
}

/// Return all logs of that name, which hold numbers or truth values.
fn logs(instance: &Instance, run: &Run, name: &str) -> Vec<Vec<i64>> {
    let log = |p| match variable(instance, &run.configuration, p, name) {
        Value::List(items) => items.iter().map(Value::word).collect(),
        other => panic!("{other:?}"),
    };
    instance.processes().map(log).collect()
}

/// Return the sum of all logs for each iteration.
fn sums(logs: &[Vec<i64>]) -> Vec<i64> {
    let iterations = logs.iter().map(Vec::len).max().unwrap_or(0);
    (0..iterations).map(|i| logs.iter().filter_map(|log| log.get(i)).sum()).collect()
}

/// Return the number of local minima: the sources of the first iteration.
fn minima(instance: &Instance) -> i64 {
    let network = &instance.network;
    let least = |p: &ProcessId| network.ports(*p).iter().all(|link| network.id(*p) < network.id(link.peer));
    instance.processes().filter(least).count() as i64
}

/// Return how many of 1, 2, 3, 5, 8, … are at most this number.
fn fibonacci_up_to(number: i64) -> usize {
    let (mut a, mut b, mut count) = (1, 2, 0);
    while a <= number {
        (a, b) = (b, a + b);
        count += 1;
    }
    count
}

#[test]
fn yo_yo_elects_the_least_and_costs_4m_with_one_source() {
    let program = library("yo_yo");
    let mut with_one_source = 0;
    for instance in instances(&program, 12) {
        let (_, m) = sizes(&instance);
        for run in runs(&instance, 3) {
            assert_eq!(sent(&instance, &run, "Name"), 2 * m);
            assert_eq!(sent(&instance, &run, "Up"), sent(&instance, &run, "Down"));
            if minima(&instance) == 1 {
                assert_eq!(run.metrics.messages(), 4 * m);
                with_one_source += 1;
            }
            assert_eq!(Some(leader(&instance, &run)), instance.network.ids().iter().min().copied());
        }
        // For a fixed order of ports the total does not depend on the schedule.
        messages(&instance);
    }
    assert!(with_one_source > 20);
}

#[test]
fn yo_yo_ends_in_one_way_on_a_small_ring() {
    let instance = on(&library("yo_yo"), "ring(4)").ids(&[1, 3, 2, 4]).build();
    assert_eq!(totals(&instance), BTreeSet::from([24]));
}

#[test]
fn iterations_and_messages_of_the_examples() {
    let program = with_pruning();
    type Row = (&'static str, &'static [i64], usize, [u64; 3]);
    let table: [Row; 8] = [
        ("line(4)", &[1, 2, 3, 4], 1, [6, 3, 3]),
        ("line(4)", &[4, 1, 3, 2], 2, [6, 5, 5]),
        ("ring(6)", &[1, 2, 3, 4, 5, 6], 1, [12, 6, 6]),
        ("ring(6)", &[1, 4, 2, 5, 3, 6], 2, [12, 12, 12]),
        ("ring(4)", &[1, 3, 2, 4], 2, [8, 8, 8]),
        ("complete(5)", &[1, 2, 3, 4, 5], 1, [20, 10, 10]),
        ("star(5)", &[9, 1, 2, 3, 4, 5], 2, [10, 10, 10]),
        ("mesh(3, 3)", &[5, 9, 1, 7, 3, 8, 2, 6, 4], 3, [24, 34, 34]),
    ];
    for (network, ids, iterations, messages) in table {
        let instance = on(&program, network).ids(ids).build();
        for run in runs(&instance, 10) {
            let kinds = ["Name", "Down", "Up"].map(|kind| messages_of(&instance, &run.metrics, kind));
            assert_eq!(kinds, messages, "{network} {ids:?}");
            assert_eq!(sums(&logs(&instance, &run, "won")).len(), iterations, "{network} {ids:?}");
        }
    }
}

/// A pruned leaf prunes its parent at once: without this cascade, a path loses one process per iteration from its end.
#[test]
fn a_path_without_the_cascade_takes_an_iteration_for_each_process() {
    let alone = "size(set(values(value))) = 1 and outgoing = {}";
    let program = edited("yo_yo", &[&LOG[..], &[("yo_yo", USELESS, alone)]].concat());
    for n in 2..=8u32 {
        let ids: Vec<i64> = (1..=i64::from(n)).collect();
        for (program, iterations) in [(&program, n as usize - 1), (&with_pruning(), 1)] {
            let instance = on(program, &format!("line({n})")).ids(&ids).build();
            let run = run(&instance, Schedule::Random, 1);
            assert_eq!(sums(&logs(&instance, &run, "won")).len(), iterations, "{n}");
        }
    }
}

#[test]
fn iterations_of_random_graphs() {
    let program = with_pruning();
    let mut with_new_sources = 0;
    for seed in 0..150 {
        let (n, m) = (5 + seed % 10, 4 + seed % 10 + seed % 5);
        let instance = on(&program, &format!("random({n}, {m}, seed: {seed})")).random_ids(seed).build();
        let run = run(&instance, Schedule::Random, seed);
        let sources = sums(&logs(&instance, &run, "won"));
        let s = minima(&instance);
        assert_eq!(sources[0], s);
        assert_eq!(sources.len() == 1, s == 1, "{sources:?}");
        // At most one more than without pruning; the last process learns that it is the last.
        assert!(sources.len() <= fibonacci_up_to(s) + 1, "seed {seed}: {sources:?}");
        let again = |log: &Vec<i64>| log.windows(2).any(|two| two == [0, 1]);
        with_new_sources += usize::from(logs(&instance, &run, "won").iter().any(again));
    }
    // A process whose links below have all been reversed and pruned may have nothing above it any more.
    assert!(with_new_sources > 0);
}

/// Return some steps of Yo-Yo without pruning, which never ends: no process learns that it is alone.
fn endless(instance: &Instance, schedule: Schedule, seed: u64) -> Run {
    let options = SimulateOptions {
        schedule,
        seed,
        max_steps: Some(40 * u64::from(instance.n())),
        ..SimulateOptions::default()
    };
    let run = simulate(instance, &options, &mut Unobserved);
    assert_eq!(run.outcome, Outcome::Limit);
    assert!(
        instance.processes().all(|p| variable(instance, &run.configuration, p, "elected") == Value::None)
    );
    run
}

/// Return the log sums of the iterations that all processes have completed.
fn complete_sums(logs: &[Vec<i64>]) -> Vec<i64> {
    let complete = logs.iter().map(Vec::len).min().unwrap_or(0);
    let mut all = sums(logs);
    all.truncate(complete);
    all
}

/// Over every link a value and a vote in each iteration. A source left after two iterations has reached one that fell in the
/// first, and no two the same one; no source is new; and one is left after as many iterations as Fibonacci's numbers give.
#[test]
fn without_pruning_sources_fall_like_fibonaccis_numbers() {
    let program = without_pruning();
    for seed in 0..150 {
        let (n, m) = (5 + seed % 10, 4 + seed % 10 + seed % 5);
        let instance = on(&program, &format!("random({n}, {m}, seed: {seed})")).random_ids(seed).build();
        let run = endless(&instance, Schedule::Random, seed);
        let links = i64::from(instance.network.edges());
        for name in ["sent", "got"] {
            let each = complete_sums(&logs(&instance, &run, name));
            assert!(each.iter().all(|sum| *sum == links), "seed {seed}: {each:?}");
        }
        let won = logs(&instance, &run, "won");
        assert!(won.iter().all(|log| log.windows(2).all(|two| two[0] >= two[1])), "seed {seed}");
        let sources = complete_sums(&won);
        assert!(sources.len() > 5, "{sources:?}");
        for three in sources.windows(3).filter(|three| three[1] > 1) {
            assert!(three[2] <= three[0] - three[1], "seed {seed}: {sources:?}");
        }
        let many = sources.iter().filter(|s| **s > 1).count();
        assert!(many < fibonacci_up_to(minima(&instance)), "seed {seed}: {sources:?}");
    }
    let mesh = on(&program, "mesh(3, 3)").ids(&[5, 9, 1, 7, 3, 8, 2, 6, 4]).build();
    let sources = complete_sums(&logs(&mesh, &endless(&mesh, Schedule::Fifo, 0), "won"));
    assert_eq!(sources[..4], [5, 2, 1, 1]);
}

/// Each below all that share a value, sources first: `sources` of them, and the meetings.
struct Rivals {
    sources: usize,
    meetings: Vec<Vec<usize>>,
}

/// Two rivals; or, for more iterations, all rivals of the next iteration, and for each of their meetings one greater source that
/// falls, beaten by all of these. Each survivor meets those that it beats at one process.
fn rivals(iterations: usize) -> Rivals {
    if iterations == 1 {
        return Rivals { sources: 2, meetings: vec![vec![0, 1]] };
    }
    let Rivals { sources, meetings } = rivals(iterations - 1);
    let beaten_by = |p: usize| {
        let those = (0..meetings.len()).filter(|m| meetings[*m].contains(&p)).map(|m| sources + m);
        std::iter::once(p).chain(those).collect()
    };
    Rivals { sources: sources + meetings.len(), meetings: (0..sources).map(beaten_by).collect() }
}

/// The number of sources need not halve: 8, 5, 3, 2, 1.
#[test]
fn there_are_networks_in_which_sources_fall_no_faster() {
    let (plain, pruned) = (without_pruning(), with_pruning());
    for iterations in 1..=7usize {
        let Rivals { sources, meetings } = rivals(iterations);
        let meet = |(m, who): (usize, &Vec<usize>)| {
            who.iter().map(|p| format!("{p}-{}", sources + m)).collect::<Vec<String>>()
        };
        let links: Vec<String> = meetings.iter().enumerate().flat_map(meet).collect();
        let network = format!("edges({})", links.join(", "));
        let mut expected = vec![1, 2];
        while expected.len() <= iterations {
            expected.push(expected[expected.len() - 1] + expected[expected.len() - 2]);
        }
        expected.reverse();
        assert_eq!(expected[0], sources as i64);
        let instance = on(&plain, &network).build();
        let found = complete_sums(&logs(&instance, &endless(&instance, Schedule::Random, 1), "won"));
        assert_eq!(found[..expected.len()], expected);
        let instance = on(&pruned, &network).build();
        let found = sums(&logs(&instance, &run(&instance, Schedule::Random, 1), "won"));
        assert_eq!(found, expected);
        assert_eq!(fibonacci_up_to(sources as i64), found.len());
    }
}

/// Return all connected graphs of processes 0 … n-1 as lists of links: so every graph with every arrangement of the ids.
fn connected_graphs(n: u32) -> impl Iterator<Item = Vec<(u32, u32)>> {
    let pairs: Vec<(u32, u32)> = (0..n).flat_map(|p| (p + 1..n).map(move |q| (p, q))).collect();
    (0..1u32 << pairs.len()).filter_map(move |bits| {
        let links: Vec<_> =
            pairs.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, l)| *l).collect();
        let mut reached = 1u32;
        for _ in 1..n {
            for (p, q) in &links {
                if (reached >> p | reached >> q) & 1 == 1 {
                    reached |= 1 << p | 1 << q;
                }
            }
        }
        (reached == (1 << n) - 1).then_some(links)
    })
}

/// Run Yo-Yo with pruning on all connected graphs of this size with all arrangements of the ids. Return the number of graphs, and
/// the maximum number of iterations for each initial number of sources, from one source on.
fn most_iterations(n: u32) -> (usize, Vec<usize>) {
    let program = with_pruning();
    let (mut graphs, mut most) = (0, Vec::new());
    for links in connected_graphs(n) {
        let edges: Vec<String> = links.iter().map(|(p, q)| format!("{p}-{q}")).collect();
        let ids: Vec<i64> = (1..=i64::from(n)).collect();
        let instance = on(&program, &format!("edges({})", edges.join(", "))).ids(&ids).build();
        let run = run(&instance, Schedule::Fifo, 0);
        assert_eq!(leader(&instance, &run), 1, "{links:?}");
        let sources = sums(&logs(&instance, &run, "won"));
        let s = minima(&instance);
        assert_eq!((sources[0], sources.last()), (s, Some(&1)), "{links:?}: {sources:?}");
        if most.len() < s as usize {
            most.resize(s as usize, 0);
        }
        let most = &mut most[s as usize - 1];
        *most = sources.len().max(*most);
        graphs += 1;
    }
    for (s, most) in (1..).zip(&most) {
        // At most one more than without pruning; a single process is alone from the beginning.
        assert!(*most <= if s == 1 { 1 } else { fibonacci_up_to(s) + 1 }, "{s} sources: {most}");
    }
    (graphs, most)
}

/// The number of graphs: Harary and Palmer, Graphical Enumeration, 1973 (labelled connected graphs; OEIS A001187).
#[test]
fn iterations_of_all_graphs_of_up_to_five_processes() {
    assert_eq!(most_iterations(2), (1, vec![1]));
    assert_eq!(most_iterations(3), (4, vec![1, 2]));
    assert_eq!(most_iterations(4), (38, vec![1, 2, 2]));
    assert_eq!(most_iterations(5), (728, vec![1, 3, 3, 2]));
}

/// Two and three sources attain the bound: pruning may cost an iteration. With more sources six processes do not attain it.
#[test]
#[ignore = "26704 networks"]
fn iterations_of_all_graphs_of_six_processes() {
    assert_eq!(most_iterations(6), (26704, vec![1, 3, 4, 3, 2]));
}
