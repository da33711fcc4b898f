//! Typical mistakes in these algorithms, each a small change of a library file. Random runs and an exhaustive search, or the
//! file's scenarios, must detect every one. Catalogue: C11 and the notes on errors of the entries.

mod detection;
mod each;
mod elections;
mod graphs;
mod multicast;
mod mutex;
mod options;
mod rules;

use crate::common::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use synod::internals::explore::{ExploreOptions, SearchOrder, ViolationKind, explore};
use synod::internals::ir::{Fault, Program};
use synod::internals::property::Judgement;
use synod::internals::scenario::play;

const SEEDS: u64 = 300;

/// Return the findings of runs of the changed algorithm, under deterministic schedules and random ones.
fn findings(edits: &[Edit<'_>], topology: &str, params: &[(&str, i64)]) -> BTreeSet<String> {
    let name = edits[0].0;
    let program = edited(name, edits);
    let mut found = BTreeSet::new();
    for (turn, (schedule, seed)) in (0u64..).zip(schedules(SEEDS)) {
        let mut setup = on(&program, topology).random_ids(turn);
        for (param, value) in params {
            setup = setup.param(param, *value);
        }
        found.extend(judge(&setup.build(), schedule, seed, 20_000).findings());
    }
    found
}

#[track_caller]
fn caught(edits: &[Edit<'_>], topology: &str, params: &[(&str, i64)], expected: &str) {
    let found = findings(edits, topology, params);
    assert!(found.contains(expected), "{edits:?}: found {found:?}, not {expected}");
    killed(edits, topology, params, expected);
}

/// The maximum number of configurations of one search, and of all searches together.
const MOST_CONFIGURATIONS: u64 = 40_000;
const MOST_IN_ALL: u64 = 2_000_000;
const ARRANGEMENTS: u64 = 40;

/// Return rings and complete networks of at least two, up to this one; of other families this one alone.
fn smaller(topology: &str) -> Vec<String> {
    for family in ["ring", "complete"] {
        let inner = topology.strip_prefix(family).and_then(|t| t.strip_prefix('(')?.strip_suffix(')'));
        if let Some(n) = inner.and_then(|n| n.parse::<u32>().ok()) {
            return (2..=n).map(|k| format!("{family}({k})")).collect();
        }
    }
    vec![topology.into()]
}

/// Check by an exhaustive search: some arrangement of the ids has a counterexample, nearest first, deepest first, or in a random
/// order.
#[track_caller]
fn killed(edits: &[Edit<'_>], topology: &str, params: &[(&str, i64)], expected: &str) {
    let program = edited(edits[0].0, edits);
    let wanted = match expected {
        "stuck" | "aborted" => Vec::new(),
        property => vec![property.to_string()],
    };
    let shows = |what: &ViolationKind| match what {
        ViolationKind::Property(p) => program.properties[*p].name == expected,
        ViolationKind::Stuck(_) | ViolationKind::Blocked(_) => expected == "stuck",
        ViolationKind::Aborted(_) => expected == "aborted",
    };
    let (mut in_all, mut cut) = (0, false);
    let all = (0..ARRANGEMENTS).flat_map(|turn| smaller(topology).into_iter().map(move |t| (turn, t)));
    'search: for (turn, topology) in all {
        let mut setup = on(&program, &topology).random_ids(turn);
        for (param, value) in params {
            setup = setup.param(param, *value);
        }
        let instance = setup.build();
        for order in [SearchOrder::Breadth, SearchOrder::Depth, SearchOrder::Chance(turn)] {
            if in_all >= MOST_IN_ALL {
                break 'search;
            }
            let max_configurations = MOST_CONFIGURATIONS;
            let options =
                ExploreOptions { max_configurations, order, keep_going: true, ..ExploreOptions::default() };
            let found = explore(&instance, Some(&wanted), &options, &mut |_| None);
            in_all += found.configurations;
            if found.counterexamples.iter().any(|c| shows(&c.kind)) {
                return;
            }
            cut |= found.stopped_by.is_some();
            // A completed search need not be repeated in another order.
            if found.stopped_by.is_none() {
                break;
            }
        }
    }
    panic!("{edits:?}: no schedule on {topology} shows {expected} (all seen: {})", !cut);
}

/// Explore all schedules. Return whether ME1 holds, and the numbers of ends with and without a stuck process.
fn entered(program: &Arc<Program>, topology: &str) -> (bool, u64, u64) {
    let instance = on(program, topology).build();
    let options = ExploreOptions { keep_going: true, ..ExploreOptions::default() };
    let found = explore(&instance, Some(&["ME1".to_string()]), &options, &mut |_| None);
    assert_eq!(found.stopped_by, None, "{} on {topology}", program.name);
    let holds = found.verdicts.iter().all(|verdict| verdict.judgement == Judgement::Holds);
    let ends = |outcome: &str| {
        let such = found.ends.iter().filter(|end| end.outcome == outcome);
        such.map(|end| end.configurations).sum()
    };
    (holds, ends("stuck"), ends("quiescent"))
}

/// Return the scenarios of a changed file that fail.
fn failing_scenarios(edits: &[Edit<'_>]) -> Vec<String> {
    let program = edited(edits[0].0, edits);
    let played =
        program.scenarios.iter().map(|s| play(&program, s, &Default::default(), &mut |_, _, _, _, _| {}));
    played.filter(|p| !p.failures.is_empty()).map(|p| p.name).collect()
}

const TWICE: &[(&str, i64)] = &[("entries", 2)];
const TWO_MULTICASTS: &[(&str, i64)] = &[("multicasts", 2)];

// ---- Crashes

/// Check the same with this many crashes: random runs find it, and every schedule of the same instance.
#[track_caller]
fn caught_with_crashes(edits: &[Edit<'_>], topology: &str, crashes: u32, expected: &str) {
    let program = edited(edits[0].0, edits);
    let instance =
        on(&program, topology).param("f", i64::from(crashes)).faults(&[(Fault::Crash, crashes)]).build();
    let random =
        schedules(SEEDS).flat_map(|(schedule, seed)| judge(&instance, schedule, seed, 20_000).findings());
    let found: BTreeSet<String> = random.collect();
    assert!(found.contains(expected), "{edits:?}: found {found:?}, not {expected}");
    let wanted: Vec<String> = (expected != "aborted").then(|| expected.to_string()).into_iter().collect();
    let options =
        ExploreOptions { max_configurations: MOST_IN_ALL, keep_going: true, ..ExploreOptions::default() };
    let found = explore(&instance, Some(&wanted), &options, &mut |_| None);
    let shows = |what: &ViolationKind| match what {
        ViolationKind::Property(p) => program.properties[*p].name == expected,
        ViolationKind::Aborted(_) => expected == "aborted",
        ViolationKind::Stuck(_) | ViolationKind::Blocked(_) => false,
    };
    assert!(found.counterexamples.iter().any(|c| shows(&c.kind)), "{edits:?}: no schedule shows {expected}");
}

#[test]
fn floodset_with_one_round_less() {
    let hasty = [("floodset", "1..f + 1 do", "1..f do")];
    caught_with_crashes(&hasty, "complete(3)", 1, "agreement");
}

#[test]
fn floodset_that_tells_only_its_own_proposal() {
    caught_with_crashes(&[("floodset", "send known", "send {proposed}")], "complete(3)", 1, "agreement");
}

#[test]
fn floodset_that_forgets() {
    let forgets = [("floodset", "known := known + {", "known := {")];
    caught_with_crashes(&forgets, "complete(3)", 1, "agreement");
    // A process that is left alone has received nothing.
    caught_with_crashes(&forgets, "complete(2)", 1, "aborted");
}

// ---- Waves, commitment, consensus

#[test]
fn echo_that_answers_before_it_has_heard_from_all() {
    let edit = ("echo", "    receive Token(counts[p]) from each p in neighbours - {first_of_all}\n", "");
    let leftovers = (
        "echo",
        "    send Token(counted) to father\n    halt",
        "    send Token(counted) to father\n    become done\n  state done\n    on Token(_) -> skip",
    );
    caught(&[edit, leftovers], "line(3)", &[], "everybody_counts");
    caught(&[edit, leftovers], "line(3)", &[], "dependence");
}

#[test]
fn two_phase_commit_that_does_not_look_at_the_votes() {
    let edit = (
        "two_phase_commit",
        "if false in set(values(votes)) then abort else commit",
        "if true in set(values(votes)) then commit else abort",
    );
    caught(&[edit], "star(2)", &[], "AC1");
    caught(&[edit], "star(2)", &[], "AC3");
}

#[test]
fn paxos_that_proposes_its_own_whatever_was_accepted() {
    let edit = (
        "paxos",
        "if max(reports).1.1 = 0 then own else max(reports).2",
        "if max(reports).1.1 >= 0 then own else max(reports).2",
    );
    caught(&[edit], "complete(3)", &[], "agreement");
    caught(&[edit], "complete(3)", &[], "chosen_stays");
}

#[test]
fn paxos_whose_acceptors_forget_their_promises() {
    let edit = (
        "paxos",
        "  if b >= promised -> promised := b             // equal",
        "  if b >= promised -> skip             // equal",
    );
    caught(&[edit], "complete(3)", &[], "agreement");
}

#[test]
fn paxos_with_halves_in_place_of_majorities() {
    let edits = [
        ("paxos", "       if size(promises) > n div 2 ->", "       if size(promises) >= n div 2 ->"),
        ("paxos", "       await size(promises) > n div 2", "       await size(promises) >= n div 2"),
        ("paxos", "            if size(accepted) > n div 2", "            if size(accepted) >= n div 2"),
        (
            "paxos",
            "            await size(accepted) > n div 2",
            "            await size(accepted) >= n div 2",
        ),
    ];
    caught(&edits, "complete(2)", &[], "agreement");
}
