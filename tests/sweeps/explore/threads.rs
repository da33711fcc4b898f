//! Searches with several threads give the same results as one, including all numbers.

use crate::common::*;
use synod::internals::explore::{Counterexample, Exploration, ExploreOptions, StopReason, explore};
use synod::internals::instance::Instance;
use synod::internals::property::Judgement;

const WALKERS: &str = include_str!("by_hand/walkers.syn");

/// Levels of some thousand configurations, so that each is divided into many batches.
fn walkers() -> Instance {
    on(&source(WALKERS), "ring(4)").build()
}

fn with(options: ExploreOptions) -> ExploreOptions {
    ExploreOptions { reduce: false, dead_messages: false, forget_wakeups: false, keep_going: true, ..options }
}

fn same(one: &Exploration, many: &Exploration, what: &str) {
    let counts = |e: &Exploration| (e.configurations, e.steps, e.depth, e.stopped_by);
    assert_eq!(counts(one), counts(many), "{what}");
    assert_eq!(one.ends, many.ends, "{what}");
    assert_eq!(one.verdicts, many.verdicts, "{what}");
    let runs = |e: &Exploration| {
        let shown = |c: &Counterexample| (c.kind.clone(), c.events.clone(), c.repeats_from);
        e.counterexamples.iter().map(shown).collect::<Vec<_>>()
    };
    assert_eq!(runs(one), runs(many), "{what}");
}

#[test]
fn all_levels_are_the_same_with_any_number_of_threads() {
    let instance = walkers();
    let one = explore(&instance, None, &with(ExploreOptions::default()), &mut |_| None);
    assert_eq!(one.configurations, 58_339);
    let small = one.verdicts.iter().find(|v| v.name == "small").expect("a property");
    assert_eq!(small.judgement, Judgement::Violated);
    for threads in [2, 3, 7] {
        let options = with(ExploreOptions { threads, ..ExploreOptions::default() });
        let many = explore(&instance, None, &options, &mut |_| None);
        same(&one, &many, &format!("{threads} threads"));
        assert_eq!(one.coverage, many.coverage);
    }
}

/// The same holds for lassos and runs of maximum cost, although threads discover configurations in varying order.
#[test]
fn whole_runs_are_the_same_with_any_number_of_threads() {
    let jobs = "algorithm jobs
assumes complete, integer ids
message B
var x : Int := int(id) mod 3
state s
  send B to neighbours
  become t
state t
  on B from p when x != 1 -> x := (x + 1) mod 3
  when x = 1 -> x := 0; send B to neighbours
leads l: (forall p: p.x != 2) leads to false
";
    let joining = "algorithm joining
assumes unidirectional ring, reads neighbours
var x : 0..1 := any
state s
  when x = prev.x -> x := 1 - x
bound r: rounds <= 0
eventually apart: false
";
    for (text, topology) in [(jobs, "complete(2)"), (joining, "ring(2)"), (joining, "ring(3)")] {
        let instance = on(&source(text), topology).build();
        let one = explore(&instance, None, &with(ExploreOptions::default()), &mut |_| None);
        assert!(!one.counterexamples.is_empty());
        for threads in 2..=7 {
            let options = with(ExploreOptions { threads, ..ExploreOptions::default() });
            let many = explore(&instance, None, &options, &mut |_| None);
            same(&one, &many, &format!("{threads} threads on {text}"));
        }
    }
}

/// Limits are exact, wherever in a level or batch they are reached, and the report is the same.
#[test]
fn limits_are_the_same_with_any_number_of_threads() {
    let instance = walkers();
    for max_configurations in [1, 513, 5_000, 20_001, 58_338, 58_339] {
        let limited = with(ExploreOptions { max_configurations, ..ExploreOptions::default() });
        let one = explore(&instance, None, &limited, &mut |_| None);
        assert_eq!(one.configurations, max_configurations);
        assert_eq!(one.stopped_by, (max_configurations < 58_339).then_some(StopReason::Configurations));
        for threads in [2, 3] {
            let many = explore(&instance, None, &ExploreOptions { threads, ..limited }, &mut |_| None);
            same(&one, &many, &format!("{threads} threads, at most {max_configurations}"));
        }
    }
    for max_depth in [0, 5, 9] {
        let limited = with(ExploreOptions { max_depth: Some(max_depth), ..ExploreOptions::default() });
        let one = explore(&instance, None, &limited, &mut |_| None);
        assert_eq!((one.depth, one.stopped_by), (max_depth, Some(StopReason::Depth)));
        let many = explore(&instance, None, &ExploreOptions { threads: 2, ..limited }, &mut |_| None);
        same(&one, &many, &format!("depth {max_depth}"));
    }
}

/// A search that ends at its first finding has the same one; and a search stopped from outside reports nothing that is undecided.
#[test]
fn searches_stop_alike_with_any_number_of_threads() {
    let instance = walkers();
    let first = ExploreOptions {
        reduce: false,
        dead_messages: false,
        forget_wakeups: false,
        ..ExploreOptions::default()
    };
    let one = explore(&instance, None, &first, &mut |_| None);
    assert_eq!(one.stopped_by, Some(StopReason::Found));
    let many = explore(&instance, None, &ExploreOptions { threads: 2, ..first }, &mut |_| None);
    same(&one, &many, "the first finding");
    let options = with(ExploreOptions { threads: 2, ..ExploreOptions::default() });
    let ended = explore(&instance, Some(&["all_met".into()]), &options, &mut |progress| {
        (progress.configurations > 10_000).then_some(StopReason::Interrupted)
    });
    assert_eq!(ended.stopped_by, Some(StopReason::Interrupted));
    assert_eq!(ended.verdicts[0].judgement, Judgement::Pending);
}
