//! Snapshots, deadlocks, termination: messages, verdicts, and all possible results of small instances. Catalogue: C3.6, C8.1, C10
//! (S15), C12.

use crate::common::*;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use synod::internals::ids::ProcessId;
use synod::internals::ir::{Program, Value};
use synod::internals::semantics::Configuration;
use synod::internals::simulate::{AnyScheduler, Schedule, Simulation, Unobserved};

// ---- Snapshots

#[test]
fn a_snapshot_takes_one_message_through_each_channel() {
    for (name, kind) in [("chandy_lamport", "Marker"), ("lai_yang", "Count")] {
        markers(&library(name), kind);
    }
}

fn markers(program: &Arc<Program>, kind: &str) {
    let networks = [
        ("line(1)", 0),
        ("line(2)", 1),
        ("line(5)", 4),
        ("ring(6)", 6),
        ("complete(5)", 10),
        ("mesh(3, 3)", 12),
        ("random(7, 11, seed: 5)", 11),
    ];
    for (network, edges) in networks {
        for gifts in [0, 1, 4] {
            let instance = on(program, network).param("gifts", gifts).build();
            let mut begun = 0;
            for run in runs(&instance, 20) {
                assert!(finished(&run), "{network}: {:?}", run.outcome);
                let recorded = |p| variable(&instance, &run.configuration, p, "recorded") != Value::None;
                let anybody = instance.processes().any(recorded);
                let expected = if anybody { 2 * edges } else { 0 };
                assert_eq!(messages_of(&instance, &run.metrics, kind), expected, "{network}");
                begun += u32::from(anybody);
            }
            assert!(begun > 0, "{network}: nobody has begun");
        }
    }
}

/// S15: p1 records its state and orders; p2 ships something that it owes. Under all schedules there are three snapshots.
#[test]
fn the_snapshots_of_the_trade_in_widgets() {
    let program = library("chandy_lamport");
    let instance = on(&program, "line(2)").idle_clients().build();
    let is = |c: &Configuration, p, name: &str, value| variable(&instance, c, p, name) == value;
    let have = Value::Int(10);
    // A call is possible only after the return of the previous one: the thread is at its first waiting point.
    let idle: Cell<Option<[i64; 2]>> = Cell::new(None);
    let script = |c: &Configuration| {
        let threads = [c.words(ProcessId(0))[0], c.words(ProcessId(1))[0]];
        let at_first = idle.get().unwrap_or(threads);
        idle.set(Some(at_first));
        let give = |p, cash, wares| {
            call(&instance, p, "give", vec![Value::Int(cash), Value::Int(wares), Value::Port(0)])
        };
        let mut calls = Vec::new();
        if threads[0] == at_first[0] {
            if is(c, ProcessId(0), "recorded", Value::None) {
                calls.push(call(&instance, 0, "snapshot", Vec::new()));
            } else if is(c, ProcessId(0), "money", have.clone()) {
                calls.push(give(ProcessId(0), 4, 0));
            }
        }
        if threads[1] == at_first[1] && is(c, ProcessId(1), "goods", have.clone()) {
            calls.push(give(ProcessId(1), 0, 5));
        }
        calls
    };
    let found = endings(&instance, script, |end| {
        assert_eq!(end.metrics.messages(), 4, "two gifts and two markers");
        let recorded = |p| match end.variable(p, "recorded") {
            Value::Tuple(both) => (both[0].word(), both[1].word()),
            other => panic!("{other:?}"),
        };
        let on_the_way = match end.variable(0, "in_channel") {
            Value::Map(channels) => channels.len(),
            other => panic!("{other:?}"),
        };
        (recorded(ProcessId(0)), recorded(ProcessId(1)), on_the_way)
    });
    let shipped_before = ((10, 15), (10, 5), 0);
    let on_the_way = ((10, 10), (10, 5), 1);
    let not_shipped = ((10, 10), (10, 10), 0);
    assert_eq!(found, BTreeSet::from([shipped_before, on_the_way, not_shipped]));
}

// ---- Deadlocks

/// The wait-for graph.
type Graph = Vec<Vec<u32>>;

/// Return the loop-free graph on n processes with this number.
fn graph(n: u32, mut number: u64) -> Graph {
    let mut graph = vec![Vec::new(); n as usize];
    for p in 0..n {
        for q in (0..n).filter(|q| *q != p) {
            if number & 1 == 1 {
                graph[p as usize].push(q);
            }
            number >>= 1;
        }
    }
    graph
}

/// Return the processes reachable from p over one edge or more.
fn reachable(graph: &Graph, p: u32) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let mut open = graph[p as usize].clone();
    while let Some(q) = open.pop() {
        if found.insert(q) {
            open.extend(&graph[q as usize]);
        }
    }
    found
}

/// All processes begin to wait, and then p starts the detection. Return whether it finds a deadlock, and the number of messages
/// of each kind.
fn detection(
    program: &Arc<Program>,
    graph: &Graph,
    p: u32,
    schedule: Schedule,
    seed: u64,
) -> (bool, BTreeMap<String, u64>) {
    let instance = on(program, &format!("complete({})", graph.len())).idle_clients().build();
    let mut simulation = Simulation::new(&instance, AnyScheduler::new(&instance, schedule, seed));
    start(&instance, &mut simulation);
    for (q, whom) in (0u32..).zip(graph).filter(|(_, whom)| !whom.is_empty()) {
        let ids = whom.iter().map(|w| Value::Id(i64::from(*w) + 1)).collect();
        let wait = call(&instance, q, "wait_for", vec![Value::Set(Arc::new(ids))]);
        simulation.take(&instance, &wait, &mut Unobserved).unwrap();
    }
    simulation.take(&instance, &call(&instance, p, "detect", Vec::new()), &mut Unobserved).unwrap();
    let run = finish(&instance, simulation);
    let deadlocked: Vec<bool> = instance
        .processes()
        .map(|q| variable(&instance, &run.configuration, q, "deadlocked") == Value::Bool(true))
        .collect();
    assert!(instance.processes().all(|q| q.0 == p || !deadlocked[q.index()]), "only the initiator finds out");
    let kinds = instance.program.kinds.iter().map(|k| k.name.clone());
    let counts = kinds.map(|k| (k.clone(), messages_of(&instance, &run.metrics, &k))).collect();
    (deadlocked[p as usize], counts)
}

/// Every graph on up to three processes, and some on four and five.
fn graphs() -> impl Iterator<Item = Graph> {
    let all = |n: u32| (0..1u64 << (n * (n - 1))).map(move |number| graph(n, number));
    let some = |n: u32, step: u64| (0..150u64).map(move |k| graph(n, k.wrapping_mul(step) >> 7));
    all(1)
        .chain(all(2))
        .chain(all(3))
        .chain(some(4, 0x9e37_79b9_7f4a_7c15))
        .chain(some(5, 0xd1b5_4a32_d192_ed03))
}

/// Return the number of edges reachable from p, each of which carries a message: those of p, and of all processes that p reaches.
fn edges_from(graph: &Graph, p: u32) -> u64 {
    let mut from = reachable(graph, p);
    from.insert(p);
    from.iter().map(|q| graph[*q as usize].len() as u64).sum()
}

#[test]
fn probes_go_along_every_edge_and_come_back_round_a_cycle() {
    let program = library("chandy_misra_haas_and");
    for (turn, graph) in (0u64..).zip(graphs()) {
        for p in (0..graph.len() as u32).filter(|p| !graph[*p as usize].is_empty()) {
            for (schedule, seed) in [(Schedule::Fifo, 0), (Schedule::Adversary, 0), (Schedule::Random, turn)]
            {
                let (deadlocked, counts) = detection(&program, &graph, p, schedule, seed);
                assert_eq!(deadlocked, reachable(&graph, p).contains(&p), "p{p} in {graph:?}");
                assert_eq!(counts["Probe"], edges_from(&graph, p), "p{p} in {graph:?}");
            }
        }
    }
}

#[test]
fn queries_go_along_every_edge_and_are_all_answered_in_a_knot() {
    let program = library("chandy_misra_haas_or");
    for (turn, graph) in (0u64..).zip(graphs()) {
        for p in (0..graph.len() as u32).filter(|p| !graph[*p as usize].is_empty()) {
            let all_wait = reachable(&graph, p).iter().all(|q| !graph[*q as usize].is_empty());
            for (schedule, seed) in [(Schedule::Fifo, 0), (Schedule::Adversary, 0), (Schedule::Random, turn)]
            {
                let (deadlocked, counts) = detection(&program, &graph, p, schedule, seed);
                assert_eq!(deadlocked, all_wait, "p{p} in {graph:?}");
                assert_eq!(counts["Query"], edges_from(&graph, p), "p{p} in {graph:?}");
                assert_eq!(counts["Reply"] == counts["Query"], all_wait, "p{p} in {graph:?}");
            }
        }
    }
}

// ---- Termination

#[test]
fn dijkstra_scholten_answers_every_message_with_one_signal() {
    let program = library("dijkstra_scholten");
    for network in ["line(1)", "line(2)", "line(5)", "ring(4)", "complete(5)", "mesh(3, 3)"] {
        for tasks in [0, 1, 5] {
            let instance = on(&program, network).param("tasks", tasks).build();
            for run in runs(&instance, 20) {
                assert!(finished(&run), "{network}: {:?}", run.outcome);
                let of = |kind| messages_of(&instance, &run.metrics, kind);
                assert_eq!(of("Signal"), of("Task"), "{network}");
            }
        }
    }
}

#[test]
fn safra_takes_one_round_if_nobody_does_anything() {
    let program = library("safra");
    for n in 1..=7u64 {
        let instance = on(&program, &format!("complete({n})")).param("tasks", 0).build();
        for (schedule, seed) in schedules(20) {
            let run = run(&instance, schedule, seed);
            assert_eq!(run.metrics.messages(), if n == 1 { 0 } else { n }, "{schedule:?}");
            assert_eq!(all_messages(&run.metrics), n, "the ring of one is a message to oneself");
        }
    }
}

#[test]
fn safra_notices_the_end_within_the_round_under_way_and_two_more() {
    let program = library("safra");
    let mut most = BTreeMap::new();
    for n in 2..=5u32 {
        let instance = on(&program, &format!("complete({n})")).param("tasks", 2).build();
        for seed in 0..200 {
            let mut simulation =
                Simulation::new(&instance, AnyScheduler::new(&instance, Schedule::Random, seed));
            let int =
                |c: &Configuration, name| (0..n).map(|p| variable(&instance, c, p, name).word()).sum::<i64>();
            let ended = |c: &Configuration| int(c, "active") == 0 && int(c, "given") == int(c, "done");
            start(&instance, &mut simulation);
            while !ended(&simulation.configuration) {
                simulation.advance(&instance, &mut Unobserved).expect("it goes on");
            }
            let before = messages_of(&instance, simulation.metrics(), "Token");
            let run = finish(&instance, simulation);
            assert!(finished(&run));
            let after = messages_of(&instance, &run.metrics, "Token") - before;
            assert!(after < u64::from(3 * n), "{after} more with n = {n}, seed {seed}");
            let most = most.entry(n).or_insert(0);
            *most = after.max(*most);
        }
        assert!(most[&n] > u64::from(n), "sometimes a round finds black processes");
    }
}
