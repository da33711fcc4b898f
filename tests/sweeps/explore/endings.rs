//! Termination of all runs, and configurations that differ only in an unobservable order.

use crate::common::*;
use synod::internals::explore::{Exploration, ExploreOptions, SearchOrder, explore};
use synod::internals::instance::Instance;
use synod::internals::ir::Fault;

fn explored(text: &str, topology: &str, options: &ExploreOptions) -> Exploration {
    let instance = on(&source(text), topology).build();
    explore(&instance, None, options, &mut |_| None)
}

/// Check that the answer is the same under all options.
fn every_run_ends(text: &str, topology: &str) -> Option<bool> {
    let plain = ExploreOptions::default();
    let deep = ExploreOptions { order: SearchOrder::Depth, ..plain };
    let whole = ExploreOptions {
        reduce: false,
        dead_messages: false,
        forget_wakeups: false,
        symmetry: false,
        ..plain
    };
    let many = ExploreOptions { threads: 2, ..plain };
    let answers = [plain, deep, whole, many].map(|options| explored(text, topology, &options).every_run_ends);
    assert_eq!(answers, [answers[0]; 4], "{text}");
    answers[0]
}

#[test]
fn ways_of_different_lengths_that_join() {
    let text = "algorithm joins
assumes complete, unique ids
state s
  if true -> pause
  [] true -> skip
  fi
  halt
finally over: forall p: p.halted
";
    for n in 1..=3 {
        assert_eq!(every_run_ends(text, &format!("complete({n})")), Some(true), "{n}");
    }
}

#[test]
fn a_token_that_may_circulate_forever() {
    let text = "algorithm restless
assumes unidirectional ring, unique ids
message Token
state s
  on wakeup -> send Token
  on Token ->
    if true -> send Token
    [] true -> become tired
    fi
state tired
  on Token -> skip
finally over: some p: p in tired
";
    assert_eq!(every_run_ends(text, "ring(1)"), Some(false));
    assert_eq!(every_run_ends(text, "ring(2)"), Some(false));
}

/// The waiting process may loop as long as the message is not delivered: this is unfair.
const PATIENT: &str = "algorithm patient
assumes complete, one A
message M
role A
  var served : Bool
  var turn : 0..1
  state s
    on M -> served := true
    when not served -> turn := 1 - turn
role B
  state s
    send M to neighbours
    halt
finally done: forall p in A: p.served
";

#[test]
fn unfair_cycles_do_not_count() {
    assert_eq!(every_run_ends(PATIENT, "complete(2)"), Some(true));
    let never = PATIENT.replace("    send M to neighbours\n", "");
    // No run ends: properties of ends hold vacuously.
    assert_eq!(explored(&never, "complete(2)", &ExploreOptions::default()).ends.len(), 0);
}

#[test]
fn unfavourable_coins_forever() {
    let text = "algorithm tosses
assumes complete, unique ids, randomness
var done : Bool
state s
  when not done -> done := random({false, true})
finally all_done: forall p: p.done
";
    assert_eq!(every_run_ends(text, "complete(2)"), Some(true));
    let surely = ExploreOptions { every_outcome: true, ..ExploreOptions::default() };
    assert_eq!(explored(text, "complete(2)", &surely).every_run_ends, Some(false));
}

/// If no property concerns ends, the graph is not searched a second time.
#[test]
fn no_property_of_ends() {
    let text = PATIENT.replace("finally done: forall p in A: p.served", "invariant few: messages <= 1");
    assert_eq!(explored(&text, "complete(2)", &ExploreOptions::default()).every_run_ends, None);
}

/// A violation ends the search.
#[test]
fn an_incomplete_search() {
    let text = PATIENT.replace("p.served\n", "not p.served\n");
    assert_eq!(explored(&text, "complete(2)", &ExploreOptions::default()).every_run_ends, None);
    let on_and_on = ExploreOptions { keep_going: true, ..ExploreOptions::default() };
    assert_eq!(explored(&text, "complete(2)", &on_and_on).every_run_ends, Some(true));
}

/// Two messages of one kind and one of another in an unordered channel form five multisets: the empty one, those of one and of
/// two, and all three. Counted by hand, without faults: the source has started, and each of {A1, A2, A1}, {A1, A2}, {A1, A1},
/// {A1}, {A2}, {} is one configuration.
#[test]
fn an_unobservable_order() {
    let text = "algorithm bags
assumes complete, unordered, one Source, crashes
message A(h: Int)
role Source
  state s
    send A(1) to neighbours
    send A(2) to neighbours
    send A(1) to neighbours
    become t
  state t
role Sink
  state u
    on A(h) -> skip
";
    let all = ExploreOptions {
        reduce: false,
        dead_messages: false,
        forget_wakeups: false,
        symmetry: false,
        ..ExploreOptions::default()
    };
    let count = |instance: &Instance| explore(instance, None, &all, &mut |_| None).configurations;
    let setup = on(&source(text), "complete(2)");
    assert_eq!(count(&setup.build()), 6);
    let crashing = on(&source(text), "complete(2)").faults(&[(Fault::Crash, 1)]).build();
    assert_eq!(count(&crashing), 22);
}
