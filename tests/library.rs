//! The whole library: it checks without a word, its scenarios pass, and many runs of every algorithm find nothing.

mod common;

use common::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use synod::instance::Instance;
use synod::ir::{Program, Shape};
use synod::library::entries;
use synod::property::Judgement;
use synod::scenario::play;
use synod::simulate::Schedule;

/// Algorithms that are there to fail, and how: everything else keeps its promises.
const NEGATIVE: &[(&str, &[&str])] = &[
    ("lamport_unordered", &["entry_cost", "stamp_order", "stuck"]),
    ("maekawa_1985", &["stuck"]),
    ("voting", &["stuck"]),
];

/// Algorithms that need fairness to end: the adversary lets the token go round and nobody else do anything.
const ENDLESS_UNDER_ADVERSARY: &[&str] = &["token_ring"];

/// These run for ever: so many steps are looked at, and that they are cut off is no finding.
const ENDLESS: &[(&str, u64)] =
    &[("k_state_ring", 300), ("burns_pachl", 300), ("herman", 300), ("lelann_regeneration", 2_000)];

/// Long runs mean that something does not end.
const MOST_STEPS: u64 = 100_000;

/// All algorithms of the library that this version runs.
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
            .map(|d| format!("{}: {}", d.code, d.message))
            .collect();
        assert!(found.is_empty(), "{name}: {found:#?}");
    }
}

#[test]
fn every_scenario_passes() {
    for (name, program) in entries().values().filter(|e| !e.is_problem()).map(|e| (e.name, library(e.name))) {
        assert!(!program.scenarios.is_empty(), "{name} has no scenario");
        for scenario in &program.scenarios {
            let played = play(&program, scenario, None, &mut |_, _, _, _, _| {});
            let why: Vec<&str> = played.failures.iter().map(|f| f.message.as_str()).collect();
            assert!(why.is_empty(), "{name}, {}: {why:#?}", scenario.name);
        }
    }
}

/// Small networks of the kind that the algorithm assumes, the smallest first.
fn topologies(program: &Program) -> &'static [&'static str] {
    match program.name.as_str() {
        // Border and inner processes can be told apart from three rows and columns on.
        "mesh_unoriented" => return &["mesh(3, 3)", "mesh(3, 4)", "mesh(4, 4)"],
        "torus_stages" => {
            return &["torus(1, 1)", "torus(1, 3)", "torus(2, 2)", "torus(2, 4)", "torus(3, 4)"];
        }
        _ => {}
    }
    match program.assumptions.topology {
        Some(Shape::Ring) => &["ring(1)", "ring(2)", "ring(3)", "ring(5)", "ring(8)"],
        Some(Shape::Star) => &["star(1)", "star(2)", "star(3)", "star(5)"],
        Some(Shape::Line) => &["line(1)", "line(2)", "line(3)", "line(6)"],
        Some(Shape::Mesh) => &["mesh(1, 1)", "mesh(1, 2)", "mesh(2, 2)", "mesh(2, 3)", "mesh(3, 3)"],
        Some(Shape::Torus) => &["torus(3, 3)", "torus(3, 4)"],
        Some(Shape::Hypercube) => &["hypercube(0)", "hypercube(1)", "hypercube(2)", "hypercube(3)"],
        Some(Shape::Connected) => &["line(1)", "line(2)", "ring(3)", "complete(4)", "random(6, 8, seed: 1)"],
        Some(Shape::Tree) => &["tree(1)", "tree(2)", "tree(4, 1)", "tree(4, 3)", "tree(7)"],
        _ => &["complete(1)", "complete(2)", "complete(3)", "complete(4)"],
    }
}

/// Burns and Pachl's ring wants a prime number of processes, and more than two.
fn suits(name: &str, topology: &str) -> bool {
    name != "burns_pachl" || ["ring(3)", "ring(5)"].contains(&topology)
}

/// Instances with ids at random: each parameter that says how often is 1 or 2, and some or all start.
fn instance(program: &Arc<Program>, topology: &str, seed: u64) -> Instance {
    let mut setup = on(program, topology).random_ids(seed);
    for param in ["entries", "multicasts", "gifts", "tasks"] {
        if program.params.iter().any(|p| p.name == param) {
            setup = setup.param(param, 1 + (seed % 2) as i64);
        }
    }
    let all = setup.build();
    if !seed.is_multiple_of(3) || !program.roles.iter().any(|r| r.wakes) {
        return all;
    }
    let some: Vec<u32> = (0..all.n()).filter(|p| seed >> (p % 8) & 1 == 1).collect();
    let some = if some.is_empty() { vec![seed as u32 % all.n()] } else { some };
    setup.initiators(&some).build()
}

/// Runs an algorithm under every fixed schedule and so many random ones, on every topology.
fn findings(name: &str, program: &Arc<Program>, seeds: u64) -> Vec<String> {
    let mut found = Vec::new();
    let endless = ENDLESS.iter().find(|(endless, _)| *endless == name);
    for topology in topologies(program).iter().filter(|topology| suits(name, topology)) {
        for (turn, (schedule, seed)) in (0u64..).zip(schedules(seeds)) {
            if schedule == Schedule::Adversary && ENDLESS_UNDER_ADVERSARY.contains(&name) {
                continue;
            }
            let instance = instance(program, topology, turn);
            let judged = judge(&instance, schedule, seed, endless.map_or(MOST_STEPS, |(_, steps)| *steps));
            let unjudged = judged.verdicts.iter().find(|v| v.judgement == Judgement::NotChecked);
            assert!(
                unjudged.is_none() || !finished(&judged.run),
                "{name} on {topology}: {unjudged:?} is not checked"
            );
            let mut here = judged.findings();
            if endless.is_some() {
                here.retain(|finding| finding != "limit");
            }
            let expected = NEGATIVE.iter().any(|(negative, _)| *negative == name);
            if !here.is_empty() && !expected && found.is_empty() {
                eprintln!("{name} on {topology}, {schedule:?} {seed}, {turn}: {}", judged.reasons());
            }
            found.extend(here);
        }
    }
    found.sort();
    found.dedup();
    found
}

#[test]
fn two_hundred_random_runs_on_every_size_find_nothing() {
    for (name, program) in algorithms() {
        let found = findings(name, &program, 200);
        match NEGATIVE.iter().find(|(negative, _)| *negative == name) {
            None => assert!(found.is_empty(), "{name}: {found:?}"),
            Some((_, expected)) => assert_eq!(found, *expected, "{name}"),
        }
    }
}
