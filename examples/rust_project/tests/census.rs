//! An algorithm, `census.syn`, tested like the rest of the project: `cargo test`.

use synod::testing::{Schedule, Setup, file, library};

fn census() -> Setup {
    file("tests/census.syn")
}

/// One line, and what happens is pinned: `snapshots/census__a_run_of_four.snap`.
#[test]
fn a_run_of_four() {
    synod::assert_trace!(census().on("ring(4)").run());
}

/// Events that are concurrent may change places: one snapshot for all schedules.
#[test]
fn a_run_of_four_in_any_order() {
    for schedule in Schedule::ALL {
        synod::assert_trace!("a_run_of_four", census().on("ring(4)").schedule(schedule).run());
    }
}

/// Here the order counts, too.
#[test]
fn a_run_of_one() {
    insta::assert_snapshot!(census().on("ring(1)").run().trace());
}

#[test]
fn whatever_the_size() {
    for n in 1..=20 {
        let run = census().on(format!("ring({n})")).run();
        run.assert_holds();
        assert_eq!((run.outcome(), run.messages()), ("terminated", n * n));
        assert_eq!(run.value(0, "total"), Some(n.to_string()));
    }
}

/// A hundred schedules by lot, and one that wants to do harm. Nobody can tell them apart: they differ in the order of
/// concurrent events only.
#[test]
fn whatever_the_schedule() {
    let ring = census().on("ring(7)");
    let usual = ring.run();
    for run in ring.runs(0..100) {
        run.assert_holds();
        run.assert_same_run(&usual);
    }
    ring.schedule(Schedule::Adversary).run().assert_same_run(&usual);
}

/// All schedules there are.
#[test]
fn every_schedule() {
    let explored = census().on("ring(5)").verify();
    explored.assert_holds();
    assert_eq!(explored.verdict("cost"), "holds");
}

#[test]
fn scenarios() {
    census().assert_scenarios_pass();
}

/// An algorithm of the library can be tested in the same way.
#[test]
fn an_election() {
    let run = library("chang_roberts").on("ring(4)").ids([3, 1, 4, 2]).run();
    run.assert_holds();
    assert_eq!(run.value(2, "leader").as_deref(), Some("true"));
    synod::assert_trace!("an_election", run);
}
