//! The whole library: no diagnostics, passing scenarios, and no findings in many runs of every algorithm.

use crate::common::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use synod::internals::instance::Instance;
use synod::internals::ir::{Program, Shape};
use synod::internals::library::entries;
use synod::internals::network::Spec;
use synod::internals::property::Judgement;
use synod::internals::scenario::play;
use synod::internals::setup::{InstanceOptions, instantiate};
use synod::internals::simulate::Schedule;

/// Negative examples: the network, the seed (see [`instance`]), and the failure. All other algorithms satisfy their claims.
const NEGATIVE: &[(&str, &str, u64, &str)] = &[
    ("fifo_off_by_one", "complete(1)", 0, "validity"),
    ("fifo_off_by_one", "complete(1)", 1, "fifo_order"),
    ("lamport_unordered", "complete(2)", 3, "ME1"),
    ("lamport_unordered", "complete(2)", 11, "stamp_order"),
    ("lamport_unordered", "complete(2)", 17, "ME3"),
    ("lamport_unordered", "complete(2)", 37, "entry_cost"),
    ("lamport_unordered", "complete(2)", 37, "ME2"),
    ("lamport_unordered", "complete(2)", 37, "stuck"),
    ("maekawa_1985", "complete(3)", 5, "ME3"),
    ("maekawa_1985", "complete(4)", 34, "ME2"),
    ("maekawa_1985", "complete(4)", 34, "stuck"),
    ("voting", "complete(2)", 5, "ME2"),
    ("voting", "complete(2)", 5, "stuck"),
    ("voting", "complete(3)", 43, "ME3"),
];

/// Waived properties that no run here violates.
const UNSEEN: &[(&str, &str)] = &[
    // Two proposers that outbid each other forever: none of these schedules does that.
    ("paxos", "termination"),
    ("paxos", "progress"),
];

/// Algorithms that need fairness to terminate: the adversary only lets the token circulate.
const ENDLESS_UNDER_ADVERSARY: &[&str] = &["token_ring"];

/// Algorithms with infinite runs: their number of steps; reaching the limit is not a finding.
const ENDLESS: &[(&str, u64)] = &[
    ("k_state_ring", 300),
    ("burns_pachl", 300),
    ("herman", 300),
    ("four_state_line", 300),
    ("three_state_ring", 300),
    ("leader_oracle_ring", 300),
    ("lelann_regeneration", 2_000),
];

/// A run of this many steps is taken not to terminate.
const MOST_STEPS: u64 = 100_000;

/// Return all algorithms of the library that this version runs.
fn algorithms() -> BTreeMap<&'static str, Arc<Program>> {
    let algorithms = entries().into_values().filter(|e| !e.is_problem());
    let programs = algorithms.map(|e| (e.name, library(e.name)));
    programs.collect()
}

#[test]
fn every_file_checks_without_errors_and_without_warnings() {
    for name in entries().keys() {
        let found: Vec<String> = check_edited(name, &[])
            .diagnostics
            .iter()
            .map(|d| format!("{}: {}", d.code(), d.message()))
            .collect();
        assert!(found.is_empty(), "{name}: {found:#?}");
    }
}

#[test]
fn every_scenario_passes() {
    for (name, program) in entries().values().filter(|e| !e.is_problem()).map(|e| (e.name, library(e.name))) {
        assert!(!program.scenarios.is_empty(), "{name} has no scenario");
        for scenario in &program.scenarios {
            let played = play(&program, scenario, &Default::default(), &mut |_, _, _, _, _| {});
            let why: Vec<&str> = played.failures.iter().map(|f| f.message.as_str()).collect();
            assert!(why.is_empty(), "{name}, {}: {why:#?}", scenario.name);
        }
    }
}

/// Return networks of the topology that the algorithm assumes, smallest first; each seed draws another connected graph.
fn topologies(program: &Program) -> &'static [&'static str] {
    // Orders of multicasts are checked on all pairs of deliveries: with six processes, each run takes seconds.
    let multicast = program.problem.as_ref().is_some_and(|problem| problem.starts_with("Multicast"));
    match program.assumptions.topology {
        Some(Shape::Ring) => &["ring(1)", "ring(2)", "ring(3)", "ring(4)", "ring(5)", "ring(8)", "ring(12)"],
        Some(Shape::Star) => &["star(0)", "star(1)", "star(2)", "star(3)", "star(5)", "star(9)"],
        Some(Shape::Line) => &["line(1)", "line(2)", "line(3)", "line(6)", "line(12)"],
        Some(Shape::Mesh) => {
            &["mesh(1, 1)", "mesh(1, 2)", "mesh(2, 2)", "mesh(2, 3)", "mesh(3, 3)", "mesh(4, 3)"]
        }
        Some(Shape::Torus) => {
            &["torus(1, 1)", "torus(1, 2)", "torus(2, 2)", "torus(3, 3)", "torus(3, 4)", "torus(4, 2)"]
        }
        Some(Shape::Hypercube) => {
            &["hypercube(0)", "hypercube(1)", "hypercube(2)", "hypercube(3)", "hypercube(4)"]
        }
        Some(Shape::Connected) => {
            &["line(1)", "line(2)", "ring(3)", "complete(4)", "random(6, 8)", "random(12, 0.3)"]
        }
        Some(Shape::Tree) => {
            &["tree(1)", "tree(2)", "tree(3)", "random_tree(5)", "random_tree(9)", "tree(12)"]
        }
        _ if multicast => &["complete(1)", "complete(2)", "complete(3)", "complete(4)"],
        Some(Shape::Complete) | None => {
            &["complete(1)", "complete(2)", "complete(3)", "complete(4)", "complete(6)"]
        }
    }
}

/// Networks that have the assumed shape, but are too small for the algorithm or have the wrong size, as the files say. The test
/// confirms it.
const UNSUITABLE: &[(&str, &[&str])] = &[
    // n is prime and at least 3.
    ("burns_pachl", &["ring(1)", "ring(2)", "ring(4)", "ring(8)", "ring(12)"]),
    // Bottom and top are two processes.
    ("four_state_line", &["ring(1)"]),
    ("three_state_ring", &["ring(1)"]),
    // An interaction needs two processes: a single process never changes.
    ("leader_oracle", &["complete(1)"]),
    ("leader_oracle_ring", &["ring(1)"]),
    // Corners, border and inner processes are distinguishable from three rows and columns on.
    ("mesh_unoriented", &["mesh(1, 1)", "mesh(1, 2)", "mesh(2, 2)", "mesh(2, 3)"]),
];

fn suits(name: &str, topology: &str) -> bool {
    !UNSUITABLE.iter().any(|(unsuited, where_not)| *unsuited == name && where_not.contains(&topology))
}

/// Return instances with random ids: each repetition parameter is 1 or 2, and some or all processes start.
fn instance(program: &Arc<Program>, topology: &str, seed: u64) -> Instance {
    let mut setup = on(program, topology).random_ids(seed);
    for param in ["entries", "multicasts", "gifts", "tasks"] {
        if program.params.iter().any(|p| p.name == param) {
            setup = setup.param(param, 1 + (seed % 2) as i64);
        }
    }
    let all = setup.build();
    if !seed.is_multiple_of(3) || !program.roles.iter().any(|r| r.has_wakeup) {
        return all;
    }
    let some: Vec<u32> = (0..all.n()).filter(|p| seed >> (p % 8) & 1 == 1).collect();
    let some = if some.is_empty() { vec![seed as u32 % all.n()] } else { some };
    setup.initiators(&some).build()
}

/// Return the number of random runs of every algorithm on a network of this size; three more runs have deterministic schedules.
/// It is 200 for few processes, and lower for many, so that the test ends within a minute without optimisation. With
/// SYNOD_ALL_SEEDS in the environment it is 200 everywhere.
fn seeds(processes: u32) -> u64 {
    #![allow(clippy::disallowed_methods, reason = "an environment variable selects the long test")]
    match processes {
        _ if std::env::var_os("SYNOD_ALL_SEEDS").is_some() => 200,
        0..=4 => 200,
        5..=6 => 50,
        _ => 20,
    }
}

/// The findings of one run; of claimed properties or, in the second list, of properties waived with `without`.
struct Shown {
    topology: &'static str,
    turn: u64,
    findings: Vec<String>,
    given_up: Vec<String>,
    reasons: String,
}

/// Run an algorithm on one network under every deterministic schedule and some random ones.
fn runs_on(name: &str, program: &Arc<Program>, topology: &'static str) -> Vec<Shown> {
    let endless = ENDLESS.iter().find(|(endless, _)| *endless == name);
    let all = seeds(instance(program, topology, 1).n());
    let runs = (0u64..).zip(schedules(all)).filter(|(_, (schedule, _))| {
        *schedule != Schedule::Adversary || !ENDLESS_UNDER_ADVERSARY.contains(&name)
    });
    let run = |(turn, (schedule, seed))| {
        let instance = instance(program, topology, turn);
        let judged = judge(&instance, schedule, seed, endless.map_or(MOST_STEPS, |(_, steps)| *steps));
        let unjudged = judged.verdicts.iter().find(|v| v.judgement == Judgement::NotChecked);
        assert!(
            unjudged.is_none() || !finished(&judged.run),
            "{name} on {topology}: {unjudged:?} is not checked"
        );
        let mut findings = judged.findings();
        if endless.is_some() {
            findings.retain(|finding| finding != "limit");
        }
        let broken = judged.verdicts.iter().filter(|v| !v.promised && v.judgement == Judgement::Violated);
        let given_up = broken.map(|v| v.name.clone()).collect();
        let reasons = if findings.is_empty() { String::new() } else { judged.reasons() };
        Shown { topology, turn, findings, given_up, reasons }
    };
    runs.map(run).collect()
}

/// Run all algorithms, shared among threads by network; results are in order.
fn all_runs() -> BTreeMap<&'static str, Vec<Shown>> {
    let algorithms = algorithms();
    let work: Vec<(&str, &Arc<Program>, &str)> = algorithms
        .iter()
        .flat_map(|(name, program)| {
            topologies(program).iter().map(move |topology| (*name, program, *topology))
        })
        .filter(|(name, _, topology)| suits(name, topology))
        .collect();
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        while let Some((name, program, topology)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
            done.push((*name, runs_on(name, program, topology)));
        }
        done
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut all: BTreeMap<&str, Vec<Shown>> = BTreeMap::new();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        for (name, runs) in workers.into_iter().flat_map(|worker| worker.join().expect("no panic")) {
            all.entry(name).or_default().extend(runs);
        }
    });
    all
}

#[test]
fn random_runs_of_every_size_have_no_findings() {
    let mut wrong = Vec::new();
    for (name, runs) in all_runs() {
        let known =
            |how: &String| NEGATIVE.iter().any(|(negative, _, _, known)| *negative == name && known == how);
        for run in runs.iter().filter(|run| !run.findings.iter().all(known)).take(3) {
            wrong.push(format!(
                "{name} on {}, {}: {:?}: {}",
                run.topology, run.turn, run.findings, run.reasons
            ));
        }
        for (_, topology, turn, how) in NEGATIVE.iter().filter(|(negative, ..)| *negative == name) {
            let shows = runs.iter().any(|run| {
                run.topology == *topology
                    && run.turn == *turn
                    && run.findings.iter().chain(&run.given_up).any(|f| f == how)
            });
            if !shows {
                wrong.push(format!("{name} on {topology}, {turn} does not show `{how}`"));
            }
        }
        wrong.extend(given_up_for_nothing(name, &runs));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Every property that an algorithm waives (`without`) must fail: in a run, or in a scenario that expects it.
fn given_up_for_nothing(name: &str, runs: &[Shown]) -> Vec<String> {
    let program = library(name);
    let left = program.properties.iter().filter(|p| !p.is_claimed).map(|p| p.name.as_str());
    let text = synod::internals::library::find(name).expect("a file").text;
    let kept = left.filter(|left| {
        let shown = runs.iter().any(|run| run.given_up.iter().any(|g| g == left));
        !shown && !text.contains(&format!("expect {left} violated"))
    });
    let kept = kept.filter(|left| !UNSEEN.contains(&(name, *left)));
    kept.map(|left| format!("{name} is `without {left}`, but nothing shows that it fails")).collect()
}

#[test]
fn unsuitable_networks_are_rejected_or_fail() {
    for (name, networks) in UNSUITABLE {
        let program = library(name);
        for topology in *networks {
            assert!(topologies(&program).contains(topology), "{name} is not tried on {topology} anyway");
            let wishes = InstanceOptions {
                topology: Some(Spec::parse(topology).unwrap()),
                ..InstanceOptions::default()
            };
            // The run aborts, ends although it must not, or is infinite although it must end.
            let fails = |(turn, (schedule, seed))| {
                let judged = judge(&instance(&program, topology, turn), schedule, seed, 2_000);
                let endless = ENDLESS.iter().any(|(endless, _)| endless == name);
                judged.findings().iter().any(|finding| !endless || finding != "limit")
            };
            let refused = instantiate(&program, &wishes).is_err();
            assert!(refused || (0..).zip(schedules(200)).any(fails), "{name} does suit {topology}");
        }
    }
}
