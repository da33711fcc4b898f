//! Steps that depend on more than their process and its messages: on remaining faults, processes that are down, suspicions, armed
//! timers, and neighbours' states. Compared with the naive explorer, which has no tables.

use crate::common::*;
use crate::explore::naive;
use std::collections::BTreeSet;
use synod::internals::explore::{ExploreOptions, explore};
use synod::internals::ir::Fault::{Crash, Duplication, Link, Loss, Restart, Suspicion};
use synod::internals::ir::{Daemon, Fault};
use synod::internals::property::Judgement;

const EVERYTHING_FAILS: &str = include_str!("surroundings/everything_fails.syn");
const UNORDERED: &str = include_str!("surroundings/unordered.syn");
const READING: &str = include_str!("surroundings/reading.syn");
const TIMERS: &str = include_str!("surroundings/timers.syn");

/// Compare the numbers of configurations, steps and ends with the naive explorer, and the verdicts, for any number of threads.
fn is_as_naive(setup: &Setup, faults: &[(Fault, u32)]) {
    let instance = setup.clone().faults(faults).build();
    for threads in [1, 2] {
        let options = ExploreOptions {
            threads,
            keep_going: true,
            implicit_losses: false,
            symmetry: false,
            ..ExploreOptions::default()
        };
        let found = explore(&instance, None, &options, &mut |_| None);
        let verdicts: Vec<(String, Judgement)> =
            found.verdicts.iter().map(|v| (v.name.clone(), v.judgement)).collect();
        let naive = naive::explore(&instance, &verdicts);
        let what = format!("{faults:?}, {threads}");
        assert_eq!((found.configurations, found.steps), (naive.configurations, naive.steps), "{what}");
        let outcomes: BTreeSet<&str> = found.ends.iter().map(|end| end.outcome).collect();
        assert_eq!(outcomes, naive.ends, "{what}");
        assert_eq!(found.ends.iter().map(|end| end.configurations).sum::<u64>(), naive.ending, "{what}");
        let violated = verdicts.iter().filter(|(_, judgement)| *judgement == Judgement::Violated);
        assert_eq!(violated.map(|(name, _)| name.clone()).collect::<BTreeSet<_>>(), naive.violated, "{what}");
    }
}

#[test]
fn all_faults() {
    let setup = on(&source(EVERYTHING_FAILS), "complete(2)");
    let each: [&[(Fault, u32)]; 8] = [
        &[(Crash, 1)],
        &[(Crash, 2), (Restart, 1)],
        &[(Loss, 2)],
        &[(Duplication, 1), (Loss, 1)],
        &[(Link, 1)],
        &[(Link, 1), (Crash, 1)],
        &[(Suspicion, 1), (Crash, 1)],
        &[(Crash, 1), (Restart, 1), (Suspicion, 1), (Loss, 1)],
    ];
    each.iter().for_each(|faults| is_as_naive(&setup, faults));
}

#[test]
fn messages_without_order_are_lost_and_doubled() {
    let setup = on(&source(UNORDERED), "complete(2)");
    let each: [&[(Fault, u32)]; 3] =
        [&[(Crash, 1)], &[(Duplication, 1)], &[(Loss, 1), (Duplication, 1), (Crash, 1)]];
    each.iter().for_each(|faults| is_as_naive(&setup, faults));
}

/// They may expire at any time.
#[test]
fn timers_without_time() {
    let setup = on(&source(TIMERS), "complete(2)");
    let each: [&[(Fault, u32)]; 3] = [&[], &[(Loss, 1)], &[(Crash, 1)]];
    each.iter().for_each(|faults| is_as_naive(&setup, faults));
}

/// One process at a time, and several at once.
#[test]
fn states_of_neighbours() {
    for topology in ["line(3)", "ring(4)", "star(3)", "mesh(2,2)"] {
        let setup = on(&source(READING), topology);
        for faults in [&[][..], &[(Crash, 1)], &[(Crash, 2)]] {
            is_as_naive(&setup, faults);
        }
        is_as_naive(&setup.clone().daemon(Daemon::Distributed), &[(Crash, 1)]);
    }
}

/// A configuration takes the memory of its vector, regardless of its content.
#[test]
fn faults_and_reading_cost_little_memory() {
    let crashing =
        on(&source(EVERYTHING_FAILS), "complete(3)").faults(&[(Crash, 2), (Restart, 1), (Loss, 1)]).build();
    let found = explore(&crashing, None, &ExploreOptions::default(), &mut |_| None);
    let each = found.bytes as u64 / found.configurations;
    assert!(each < 400, "{each} bytes each of {} configurations", found.configurations);
}
