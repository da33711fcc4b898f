//! Claims of the library under faults: algorithms with fault budgets, many seeds each. Catalogue: C7, C12.

use crate::common::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use synod::internals::instance::Settings;
use synod::internals::ir::{Fault, Program};
use synod::internals::network::Spec;
use synod::internals::setup::{InstanceOptions, instantiate};
use synod::internals::simulate::Schedule;

type Budget = &'static [(Fault, u32)];

const SEEDS: u64 = 200;
const MOST_STEPS: u64 = 50_000;

const CRASH: Budget = &[(Fault::Crash, 1)];
const CRASHES: Budget = &[(Fault::Crash, 2)];
const MANY_CRASHES: Budget = &[(Fault::Crash, 9)];
const BACK: Budget = &[(Fault::Crash, 1), (Fault::Restart, 1)];
const BACK_AND_FORTH: Budget = &[(Fault::Crash, 4), (Fault::Restart, 4)];

/// Return the violations found by random runs with this budget, and in how many of them.
fn findings(
    program: &Arc<Program>,
    topology: &str,
    budget: &[(Fault, u32)],
    seeds: u64,
) -> BTreeMap<String, u64> {
    let mut found = BTreeMap::new();
    for seed in 0..seeds {
        let instance = on(program, topology).random_ids(seed).faults(budget).build();
        let judged = judge(&instance, Schedule::Random, seed, MOST_STEPS);
        for finding in judged.findings() {
            *found.entry(finding).or_insert(0) += 1;
        }
    }
    found
}

/// Check that only these are found.
#[track_caller]
fn only(program: &Arc<Program>, topology: &str, budget: Budget, excused: &[&str]) -> BTreeSet<String> {
    let found = findings(program, topology, budget, SEEDS);
    let wrong: Vec<&String> = found.keys().filter(|f| !excused.contains(&f.as_str())).collect();
    assert!(wrong.is_empty(), "{} on {topology} with {budget:?}: {wrong:?}", program.name);
    found.into_keys().collect()
}

/// Algorithm, networks, budgets; and whether crashes may block a process.
type Row = (&'static str, &'static [&'static str], &'static [Budget], &'static [&'static str]);

const COMPLETE: &[&str] = &["complete(1)", "complete(2)", "complete(3)", "complete(4)", "complete(5)"];
const BLOCKED: &[&str] = &["stuck"];

const TABLE: &[Row] = &[
    (
        "two_phase_commit",
        &["star(1)", "star(2)", "star(3)", "star(5)"],
        &[CRASH, CRASHES, MANY_CRASHES],
        BLOCKED,
    ),
    ("paxos", COMPLETE, &[CRASH, CRASHES, MANY_CRASHES, BACK, BACK_AND_FORTH], BLOCKED),
    ("ben_or", &["complete(3)", "complete(4)"], &[CRASH], &[]),
    ("ben_or", &["complete(5)", "complete(6)"], &[CRASH, CRASHES], &[]),
    ("ben_or", &["complete(7)"], &[&[(Fault::Crash, 3)]], &[]),
    ("reliable", COMPLETE, &[CRASH, CRASHES, MANY_CRASHES], &[]),
    ("basic_crashing", COMPLETE, &[CRASH, CRASHES], &[]),
];

#[test]
fn two_hundred_runs_with_each_budget_violate_nothing() {
    for (name, topologies, budgets, excused) in TABLE {
        let program = library(name);
        for topology in *topologies {
            for budget in *budgets {
                only(&program, topology, budget, excused);
            }
        }
    }
}

/// More crashes than Ben-Or assumes are rejected.
#[test]
fn ben_or_assumes_that_a_minority_crashes() {
    for (topology, most) in [("complete(1)", 0), ("complete(2)", 0), ("complete(3)", 1), ("complete(6)", 2)] {
        let with = |crashes: u32| InstanceOptions {
            topology: Some(Spec::parse(topology).expect("a topology")),
            settings: Settings { faults: vec![(Fault::Crash, crashes)], ..Settings::default() },
            ..InstanceOptions::default()
        };
        let program = library("ben_or");
        assert!(instantiate(&program, &with(most)).is_ok(), "{topology}");
        assert!(instantiate(&program, &with(most + 1)).is_err(), "{topology}");
    }
}

/// They may block Ben-Or's processes, but no process decides wrongly.
#[test]
fn ben_or_with_more_than_f_crashes_only_blocks() {
    let program = edited("ben_or", &[("ben_or", "crashes <= (n - 1) div 2", "crashes")]);
    let three: Budget = &[(Fault::Crash, 3)];
    for (topology, budget) in [
        ("complete(2)", CRASH),
        ("complete(3)", CRASHES),
        ("complete(4)", CRASHES),
        ("complete(5)", three),
        ("complete(6)", three),
    ] {
        let found = only(&program, topology, budget, &["stuck", "termination", "progress"]);
        assert!(found.contains("termination"), "{topology}: {found:?}");
    }
    only(&program, "complete(5)", MANY_CRASHES, &["stuck", "termination", "progress"]);
}

/// Crashes do block two-phase commit and Paxos in some runs: the excuse is used.
#[test]
fn crashes_block_some_processes() {
    assert!(only(&library("two_phase_commit"), "star(3)", CRASH, BLOCKED).contains("stuck"));
    assert!(only(&library("paxos"), "complete(3)", CRASHES, BLOCKED).contains("stuck"));
    // The property that basic multicast waives is violated indeed.
    let promised = edited(
        "basic_crashing",
        &[("basic_crashing", "\n  without agreement, uniform_agreement, progress", "")],
    );
    let waived = ["agreement", "uniform_agreement", "progress"];
    let lost = only(&promised, "complete(3)", CRASH, &waived);
    assert!(waived.iter().all(|property| lost.contains(*property)));
}

/// Paxos needs no reliable channels to be safe: messages may be lost and duplicated, too.
#[test]
fn paxos_is_safe_whatever_happens_to_messages() {
    let assumed = "complete, reliable, unordered, unique ids, knows peers, knows n, crashes, restarts";
    let faulty = format!("{}, loses messages, duplicates messages", assumed.replace("reliable, ", ""));
    let program = edited("paxos", &[("paxos", assumed, &faulty)]);
    let budget: Budget = &[(Fault::Crash, 2), (Fault::Restart, 2), (Fault::Loss, 3), (Fault::Duplication, 3)];
    for topology in ["complete(2)", "complete(3)", "complete(5)"] {
        // A copy may be answered twice; only the proposer waits in vain for a lost message.
        only(&program, topology, budget, &["stuck", "cost", "highest_succeeds"]);
    }
}

/// Everything that Paxos keeps in stable storage is necessary: otherwise runs with restarts violate a property.
#[test]
fn paxos_needs_its_stable_storage() {
    let volatile =
        |declared: &str| edited("paxos", &[("paxos", &format!("persistent {declared}"), declared)]);
    let safety = ["agreement", "chosen_stays", "decided_by_majority", "one_value_a_ballot", "integrity"];
    for declared in ["var promised ", "var last ", "var last_body ", "var learned "] {
        let found = findings(&volatile(declared), "complete(3)", BACK_AND_FORTH, 3_000);
        assert!(safety.iter().any(|name| found.contains_key(*name)), "{declared}: {found:?}");
    }
    // A ballot opened twice needs a longer run, given in the file: use it without the first lines.
    let program = edited(
        "paxos",
        &[
            ("paxos", "persistent var highest ", "var highest "),
            ("paxos", "  expect A.ballot = (2, 3) and A.promises != {:}\n", ""),
            ("paxos", "  expect size(A.promises) = 1\n", ""),
        ],
    );
    let told = program.scenarios.iter().find(|s| s.name == "old_promises_do_not_count").unwrap();
    let played =
        synod::internals::scenario::play(&program, told, &Default::default(), &mut |_, _, _, _, _| {});
    let failures: Vec<&str> = played.failures.iter().map(|f| f.message.as_str()).collect();
    assert!(failures.iter().any(|f| f.contains("one_value_a_ballot")), "{failures:?}");
}

/// Return a file of the library with crashes, which it does not assume.
fn with_crashes(name: &str) -> Arc<Program> {
    let (_, text) = synod::internals::library::source(name).expect("a file");
    let assumes = text.lines().find(|line| line.starts_with("assumes ")).expect("assumptions");
    edited(name, &[(name, assumes, &assumes.replacen("assumes ", "assumes crashes, ", 1))])
}

/// One crash may block mutual exclusion that waits for all processes, for the server, or for the token; it never admits two.
#[test]
fn a_crash_stops_mutual_exclusion_and_does_not_break_it() {
    for (name, topology) in [
        ("central_server", "star(3)"),
        ("token_ring", "ring(4)"),
        ("lamport", "complete(3)"),
        ("ricart_agrawala", "complete(3)"),
        ("maekawa", "complete(3)"),
        ("suzuki_kasami", "complete(3)"),
        ("raymond", "tree(4)"),
    ] {
        let found = findings(&with_crashes(name), topology, CRASH, SEEDS);
        assert!(!found.contains_key("ME1"), "{name}: {found:?}");
        assert!(found.contains_key("stuck") || found.contains_key("ME2"), "{name}: {found:?}");
    }
}
