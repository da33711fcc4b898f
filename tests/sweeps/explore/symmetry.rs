//! Symmetry reduction: the same verdicts, and the minimum number of configurations.

use crate::common::*;
use std::collections::BTreeSet;
use synod::internals::explore::{Exploration, ExploreOptions, explore};
use synod::internals::instance::Instance;
use synod::internals::property::Judgement;

fn search(instance: &Instance, symmetry: bool, reduce: bool) -> Exploration {
    let options = ExploreOptions {
        symmetry,
        reduce,
        dead_messages: false,
        forget_wakeups: false,
        keep_going: true,
        ..ExploreOptions::default()
    };
    explore(instance, None, &options, &mut |_| None)
}

fn verdicts(found: &Exploration) -> Vec<(String, Judgement)> {
    found.verdicts.iter().map(|v| (v.name.clone(), v.judgement)).collect()
}

fn instances() -> Vec<(&'static str, Instance)> {
    let with =
        |name: &str, topology: &str, labels| on(&library(name), topology).param("labels", labels).build();
    let mut all: Vec<(&'static str, Instance)> = vec![
        ("random_ids, two", with("random_ids", "ring(2)", 3)),
        ("random_ids, three", with("random_ids", "ring(3)", 2)),
        ("random_ids, one starts", with("random_ids", "ring(4)", 1)),
        ("ring_size, two", with("ring_size", "ring(2)", 2)),
        ("ring_size, three", with("ring_size", "ring(3)", 1)),
    ];
    // A wrong election, whose counterexamples must be renumbered, with a property of each process.
    let hasty = "algorithm hasty solves Election(winner: any, told: one)
assumes unidirectional ring, anonymous, knows n, randomness
message T(k: Int)
var label : Int
state s
  label := random(1..3)
  send T(label)
  receive T(x)
  if x < label -> leader := true; decided := true
  [] otherwise -> skip
  fi
  send T(0)
  receive T(y)
  leader := leader and y = 0 and label > 2
  halt
invariant few: messages <= 5
invariant quick: time <= 1
bound late: time <= 2
exactly of_labels: time = (if some p: p.label = 1 then 2 else 1)
";
    let program = source(hasty);
    all.push(("hasty, three", on(&program, "ring(3)").build()));
    all.push(("hasty, two", on(&program, "ring(2)").build()));
    all
}

#[test]
fn nothing_is_lost() {
    let mut used = 0;
    for (name, instance) in instances() {
        for reduce in [false, true] {
            let (all, fewer) = (search(&instance, false, reduce), search(&instance, true, reduce));
            assert_eq!(verdicts(&all), verdicts(&fewer), "{name}");
            assert_eq!(all.coverage, fewer.coverage, "{name}");
            let ends = |e: &Exploration| e.ends.iter().map(|e| e.outcome).collect::<BTreeSet<_>>();
            assert_eq!(ends(&all), ends(&fewer), "{name}");
            assert!(!all.symmetric);
            if fewer.symmetric {
                used += 1;
                let n = u64::from(instance.n());
                // Partial-order reduction may already select the symmetric order.
                let less = fewer.configurations < all.configurations;
                assert!(less || reduce && fewer.configurations == all.configurations, "{name}");
                // An orbit has at most as many members as there are rotations.
                assert!(reduce || fewer.configurations * n >= all.configurations, "{name}");
            }
            for counterexample in &fewer.counterexamples {
                assert!(synod::internals::explore::explain(&instance, counterexample).is_some(), "{name}");
            }
        }
    }
    assert!(used >= 8, "{used}");
}

/// Orbits counted by hand: two processes that each throw a die of k sides and send the result. Each has 2 k states, including its
/// message in transit, and the two form an unordered pair: 2 k (2 k + 1) / 2.
#[test]
fn as_few_as_there_are_orbits() {
    let text = "algorithm dice assumes unidirectional ring, anonymous, knows n, randomness
message T(k: Int)
param k : Int = 4
var x : Int
state s
  x := random(1..k)
  send T(x)
  halt
always
  ignore T
invariant thrown: forall p: p.x >= 1
";
    for k in 1..=5u64 {
        let instance = on(&source(text), "ring(2)").param("k", k as i64).build();
        let found = search(&instance, true, false);
        assert!(found.symmetric);
        let all = search(&instance, false, false);
        assert_eq!((found.configurations, all.configurations), (k * (2 * k + 1), 4 * k * k), "{k}");
    }
}

/// If a property names processes by their order, symmetry reduction is off.
#[test]
fn off_if_a_property_distinguishes_processes() {
    let text = "algorithm dice assumes unidirectional ring, anonymous, knows n, randomness
var x : Int
state s
  x := random(1..2)
  halt
invariant first: forall p with p.index = 0: p.x < 3
";
    assert!(!search(&on(&source(text), "ring(2)").build(), true, true).symmetric);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for (name, instance) in instances() {
        let run = |threads| {
            let options = ExploreOptions { threads, keep_going: true, ..ExploreOptions::default() };
            let found = explore(&instance, None, &options, &mut |_| None);
            let events: Vec<_> = found.counterexamples.iter().map(|c| c.events.clone()).collect();
            (found.configurations, found.steps, found.verdicts, events)
        };
        assert_eq!(run(1), run(3), "{name}");
    }
}
