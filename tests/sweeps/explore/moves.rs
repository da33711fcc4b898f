//! Joint steps of processes that read their neighbours, under a daemon that selects several of them: the tabulated search,
//! compared with the naive explorer, which steps whole configurations.

use crate::common::*;
use crate::explore::chance::{Dice, list};
use crate::explore::naive;
use std::collections::BTreeSet;
use synod::internals::explore::{ExploreOptions, ViolationKind, explore};
use synod::internals::instance::Instance;
use synod::internals::ir::Fault::{Crash, Restart};
use synod::internals::ir::{Daemon, Fault, PropertyKind};
use synod::internals::property::Judgement;

const DAEMONS: [Daemon; 3] = [Daemon::Central, Daemon::Distributed, Daemon::Synchronous];

/// Compare the numbers of configurations, steps and ends with the naive explorer, before, after and within joint steps, and the
/// verdicts that it has, for any number of threads.
pub fn is_as_naive(instance: &Instance, what: &str) {
    let options = ExploreOptions { keep_going: true, symmetry: false, ..ExploreOptions::default() };
    let found = explore(instance, None, &options, &mut |_| None);
    let verdicts: Vec<(String, Judgement)> =
        found.verdicts.iter().map(|v| (v.name.clone(), v.judgement)).collect();
    let naive = naive::explore(instance, &verdicts);
    assert_eq!(found.stopped_by, None, "{what}");
    assert_eq!((found.configurations, found.steps), (naive.configurations, naive.steps), "{what}");
    assert_eq!(found.configurations - found.intermediate, naive.at_rest, "{what}");
    let outcomes: BTreeSet<&str> = found.ends.iter().map(|end| end.outcome).collect();
    assert_eq!(outcomes, naive.ends, "{what}");
    assert_eq!(found.ends.iter().map(|end| end.configurations).sum::<u64>(), naive.ending, "{what}");
    let kind = |name: &str| instance.program.properties.iter().find(|p| p.name == name).map(|p| p.kind);
    let judged = |name: &str| matches!(kind(name), Some(PropertyKind::Invariant | PropertyKind::Finally));
    let violated = verdicts.iter().filter(|(name, j)| *j == Judgement::Violated && judged(name));
    assert_eq!(violated.map(|(name, _)| name.clone()).collect::<BTreeSet<_>>(), naive.violated, "{what}");
    let aborts = found.counterexamples.iter().any(|c| matches!(c.kind, ViolationKind::Aborted(_)));
    assert_eq!(aborts, naive.aborts, "{what}");
    let many = explore(instance, None, &ExploreOptions { threads: 2, ..options }, &mut |_| None);
    assert_eq!((many.configurations, many.steps), (found.configurations, found.steps), "{what}");
    let told = |e: &synod::internals::explore::Exploration| {
        let shown = e.counterexamples.iter().map(|c| (c.kind.clone(), c.events.clone(), c.repeats_from));
        let verdicts = e.verdicts.iter().map(|v| (v.name.clone(), v.judgement, v.why.to_string()));
        (shown.collect::<Vec<_>>(), verdicts.collect::<Vec<_>>(), e.ends.clone(), e.depth)
    };
    assert_eq!(told(&many), told(&found), "{what}");
    assert_eq!(many.coverage, found.coverage, "{what}");
}

/// Choices of the schedule and random choices in one command, several guards, numbers that leave their range, and the `enabled`
/// fact.
const EVERYTHING: &str = "algorithm everything
assumes unidirectional ring, integer ids, unique ids, reads neighbours, randomness, crashes, restarts
param most : Int
var x : 0..most := any
var lit : Bool
when x != prev.x and not lit ->
  choose y in {0, prev.x}
  lit := coin
  if lit -> x := y [] otherwise -> x := random({y, prev.x}) fi
when x = prev.x and int(id) = 1 -> x := x + 1
when lit and prev.lit -> lit := false
invariant somebody: (count p: p.enabled) >= 1
invariant not_all: some p: not p.lit
stable few: (count p: p.enabled) <= 1
eventually one: (count p: p.enabled) = 1
finally alike: forall p, q: p.x = q.x
";

#[test]
fn choices_coins_and_runtime_errors() {
    for (n, most) in [(1, 2), (2, 1), (2, 2), (3, 1)] {
        for daemon in DAEMONS {
            let faults: [&[(Fault, u32)]; 3] = [&[], &[(Crash, 1)], &[(Crash, 1), (Restart, 1)]];
            for faults in faults.into_iter().filter(|faults| n < 3 || faults.len() < 2) {
                let setup = on(&source(EVERYTHING), &format!("ring({n})")).param("most", most);
                let instance = setup.daemon(daemon).faults(faults).build();
                is_as_naive(&instance, &format!("ring({n}), at most {most}, {daemon:?}, {faults:?}"));
            }
        }
    }
}

/// A choice among neighbours, and roles with different variables.
const NEIGHBOURS: &str = "algorithm neighbourly
assumes connected graph, reads neighbours, one Root, crashes
var d : 0..2 := any
role Root
  var turns : Int
  when some p in neighbours with p.d = d and turns < 2 -> d := 2 - p.d; turns := turns + 1
role Other
  when some p in neighbours with p.d < d -> d := p.d
  when d = 0 -> choose k in {1, 2}; d := k
invariant low: forall p: p.d < 2 or p.up
finally level: forall p, q: p.d = q.d
";

#[test]
fn elements_and_roles() {
    for topology in ["line(1)", "line(2)", "line(3)", "star(2)", "complete(3)"] {
        for daemon in DAEMONS {
            for faults in [&[][..], &[(Crash, 1)]] {
                let setup = on(&source(NEIGHBOURS), topology).daemon(daemon);
                let instance = setup.faults(faults).build();
                is_as_naive(&instance, &format!("{topology}, {daemon:?}, {faults:?}"));
            }
        }
    }
}

#[test]
fn the_library_of_self_stabilization() {
    for daemon in DAEMONS {
        for n in 1..=4 {
            for values in [2, n + 1] {
                let setup = on(&library("k_state_ring"), &format!("ring({n})")).daemon(daemon);
                let instance = setup.param("values", values).build();
                is_as_naive(&instance, &format!("k_state_ring, {values} values, n = {n}, {daemon:?}"));
            }
        }
    }
    for (name, sizes) in
        [("herman", 1..=5), ("three_state_ring", 2..=5), ("four_state_line", 2..=5), ("burns_pachl", 3..=3)]
    {
        for n in sizes {
            is_as_naive(&on(&library(name), &format!("ring({n})")).build(), &format!("{name}, n = {n}"));
        }
    }
}

/// Return random rules of a process, which depend on its state and its neighbours' states.
fn random_program(dice: &mut Dice, daemon: &str) -> String {
    let mut text = format!(
        "algorithm any_three\nassumes unidirectional ring, integer ids, reads neighbours, randomness, {daemon} daemon\nvar x : 0..2 := any\n"
    );
    for _ in 0..2 + dice.below(4) {
        let command = match dice.below(6) {
            0 => format!("x := {}", dice.below(3)),
            1 => "x := prev.x".into(),
            2 => "x := x + 1".into(),
            3 => format!("x := random({{{}}})", list(&dice.some(3))),
            4 => format!("choose y in {{{}}}; x := y", list(&dice.some(3))),
            _ => format!(
                "choose y in {{0, 1}}; if y = 0 -> x := random({{{}}}) [] otherwise -> x := prev.x fi",
                list(&dice.some(3))
            ),
        };
        let (own, seen) = (list(&dice.some(3)), list(&dice.some(3)));
        let who =
            if dice.below(2) == 0 { format!("int(id) = {} and ", 1 + dice.below(3)) } else { String::new() };
        text += &format!("when {who}x in {{{own}}} and prev.x in {{{seen}}} -> {command}\n");
    }
    text += "invariant a: (count p: p.enabled) != 1\ninvariant b: some p: p.x != 1\nfinally c: forall p: p.x = 0\n";
    text
}

#[test]
fn random_programs() {
    let mut dice = Dice(7);
    for _ in 0..60 {
        for daemon in ["central", "distributed", "synchronous"] {
            let text = random_program(&mut dice, daemon);
            let program = source(&text);
            for n in 1..=3 {
                is_as_naive(&on(&program, &format!("ring({n})")).build(), &format!("ring({n}): {text}"));
            }
        }
    }
}

/// A configuration takes the memory of its vector, within joint steps as well.
#[test]
fn a_configuration_takes_little_memory() {
    let instance = on(&library("k_state_ring"), "ring(5)").daemon(Daemon::Distributed).build();
    let found = explore(&instance, Some(&["no_deadlock".into()]), &ExploreOptions::default(), &mut |_| None);
    assert!(found.configurations > 20_000, "{}", found.configurations);
    let each = found.bytes as u64 / found.configurations;
    assert!(each < 150, "{each} bytes each of {} configurations", found.configurations);
}
