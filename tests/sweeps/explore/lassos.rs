//! Lassos are as short as possible: compared with all walks, one after the other.

use crate::common::*;
use crate::explore::naive::{fails, meaning, successors};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use synod::internals::explore::{Counterexample, ExploreOptions, ViolationKind, explore, owed};
use synod::internals::instance::Instance;
use synod::internals::ir::PropertyKind;
use synod::internals::semantics::event::{Cause, Event};
use synod::internals::semantics::{Configuration, Machine, initial};

/// The fairness constraint of a step: the channel that it takes from, or its process.
type About = (bool, u32);

fn about(event: &Event) -> About {
    match event.cause {
        Cause::Deliver { channel, .. } => (true, channel.0),
        _ => (false, event.process.0),
    }
}

/// The graph of configurations, numbered in the order of discovery.
#[derive(Default)]
struct Walked {
    between: Vec<bool>,
    /// By configuration: its steps, and their targets.
    steps: Vec<Vec<(About, usize)>>,
    /// By configuration: the truth of each invariant, by index.
    truths: Vec<Vec<bool>>,
}

impl Walked {
    fn of(instance: &Instance) -> Walked {
        let mut numbers = FxHashMap::default();
        let mut begun = initial(instance);
        while begun.next_to_start().is_some() {
            (_, begun) = successors(instance, &begun, &mut false).remove(0);
        }
        let mut open = vec![begun];
        numbers.insert(meaning(instance, &open[0]), 0);
        let mut walked = Walked::default();
        let invariants: Vec<usize> = (0..instance.program.properties.len())
            .filter(|p| instance.program.properties[*p].kind == PropertyKind::Invariant)
            .collect();
        let mut at = 0;
        while at < open.len() {
            let here: Configuration = open[at].clone();
            let mut steps = Vec::new();
            for (event, next) in successors(instance, &here, &mut false) {
                let new = numbers.len();
                let to = *numbers.entry(meaning(instance, &next)).or_insert(new);
                if to == new {
                    open.push(next);
                }
                steps.push((about(&event), to));
            }
            walked.between.push(here.in_joint_step());
            walked.steps.push(steps);
            walked.truths.push(invariants.iter().map(|p| !fails(instance, *p, &here)).collect());
            at += 1;
        }
        walked
    }

    fn about_all(&self, state: usize) -> BTreeSet<About> {
        self.steps[state].iter().map(|(about, _)| *about).collect()
    }

    /// Return whether a cycle is fair. Its first configuration is the last.
    fn is_fair(&self, round: &[usize]) -> bool {
        let mut owed: Option<BTreeSet<About>> = None;
        let mut taken = BTreeSet::new();
        for pair in round.windows(2) {
            let steps = self.steps[pair[0]].iter().filter(|(_, to)| *to == pair[1]);
            taken.extend(steps.map(|(about, _)| *about));
            if !self.between[pair[0]] {
                let here = self.about_all(pair[0]);
                owed = Some(owed.map_or(here.clone(), |owed| owed.intersection(&here).copied().collect()));
            }
        }
        owed.is_some_and(|owed| owed.is_subset(&taken))
    }

    /// Return the length of the shortest run for which `wrong` is true, and of its cycle, up to a step limit: `wrong` gets the
    /// walk and the start of the cycle.
    /// begins.
    fn shortest(
        &self,
        most: usize,
        wrong: &dyn Fn(&[usize], Option<usize>) -> bool,
        ends: bool,
    ) -> Option<(usize, usize)> {
        (0..=most).find_map(|length| {
            let mut round = None;
            self.walk(&mut vec![0], length, &mut |walk| {
                let (last, end) = (walk.len() - 1, walk[walk.len() - 1]);
                if ends && self.steps[end].is_empty() && wrong(walk, None) {
                    round = Some(0);
                }
                for begin in (0..last).filter(|begin| !ends && walk[*begin] == end && !self.between[end]) {
                    if round.is_none_or(|round| last - begin < round)
                        && self.is_fair(&walk[begin..])
                        && wrong(walk, Some(begin))
                    {
                        round = Some(last - begin);
                    }
                }
            });
            round.map(|round| (length, round))
        })
    }

    fn walk(&self, walk: &mut Vec<usize>, left: usize, see: &mut dyn FnMut(&[usize])) {
        if left == 0 {
            return see(walk);
        }
        let mut known = BTreeSet::new();
        for (_, to) in &self.steps[walk[walk.len() - 1]] {
            if known.insert(*to) {
                walk.push(*to);
                self.walk(walk, left - 1, see);
                walk.pop();
            }
        }
    }
}

/// Return the length of a counterexample, and of its cycle.
fn lengths(shown: &Counterexample) -> (usize, usize) {
    let starts = shown.events.iter().filter(|event| event.cause == Cause::Start).count();
    (shown.events.len() - starts, shown.repeats_from.map_or(0, |from| shown.events.len() - from))
}

/// Check the counterexamples of an algorithm whose other properties use the invariants `a` and `b`: `eventually e: a`, `settles
/// s: a` and `leads l: a leads to b`. Return their lengths.
fn check(text: &str, topology: &str) -> Vec<(String, (usize, usize))> {
    let instance = on(&source(text), topology).build();
    let options = ExploreOptions { keep_going: true, symmetry: false, ..ExploreOptions::default() };
    let found = explore(&instance, None, &options, &mut |_| None);
    assert_eq!(found.stopped_by, None);
    let threads = explore(&instance, None, &ExploreOptions { threads: 2, ..options }, &mut |_| None);
    let graph = Walked::of(&instance);
    let mut all = Vec::new();
    for (number, property) in instance.program.properties.iter().enumerate() {
        let shown = found.counterexamples.iter().find(|c| c.kind == ViolationKind::Property(number));
        let again = threads.counterexamples.iter().find(|c| c.kind == ViolationKind::Property(number));
        let events = |shown: Option<&Counterexample>| shown.map(|c| (c.events.clone(), c.repeats_from));
        assert_eq!(events(shown), events(again), "{text}");
        let (Some(shown), true) = (shown, property.kind != PropertyKind::Invariant) else { continue };
        let mine = lengths(shown);
        let truth = |state: &usize, which: usize| graph.truths[*state][which];
        let rest = |state: &&usize| !graph.between[**state];
        let wrong = |walk: &[usize], round: Option<usize>| match property.kind {
            PropertyKind::Eventually => walk.iter().filter(rest).all(|state| !truth(state, 0)),
            PropertyKind::Settles => {
                let again = &walk[round.unwrap_or(walk.len() - 1)..];
                again.iter().filter(rest).any(|state| !truth(state, 0))
            }
            _ => {
                let missing = walk.iter().filter(rest).rev().take_while(|state| !truth(state, 1));
                let missing: Vec<&usize> = missing.collect();
                // It is never true throughout the cycle.
                let begin = round.unwrap_or(walk.len() - 1);
                missing.iter().any(|state| truth(state, 0))
                    && walk[begin..].iter().filter(rest).all(|state| !truth(state, 1))
            }
        };
        let shortest = graph.shortest(mine.0, &wrong, mine.1 == 0);
        assert_eq!(shortest, Some(mine), "{} on {topology}\n{text}\n{shown:?}", property.name);
        if let Some(from) = shown.repeats_from {
            let (mut machine, mut begun) = (Machine::new(&instance), Configuration::initial(&instance));
            for event in &shown.events[..from] {
                machine.replay(&instance, &mut begun, event).unwrap();
            }
            assert!(!begun.in_joint_step());
            assert_eq!(owed(&instance, &begun, &shown.events[from..]), None);
        }
        all.push((property.name.clone(), mine));
    }
    all
}

const MIS: &str = "algorithm mis
assumes connected, reads neighbours, distributed daemon
var s : Bool
when not s and forall q in neighbours: not q.s -> s := true
when s and some q in neighbours: q.s -> s := false
invariant a: forall p: p.s iff forall q in p.neighbours: not q.s
settles s: forall p: p.s iff forall q in p.neighbours: not q.s
";

/// Two neighbours do and undo together, while all others are disabled or undecided.
#[test]
fn an_independent_set_that_is_never_found() {
    for (topology, steps) in
        [("line(2)", 4), ("ring(3)", 4), ("ring(4)", 4), ("complete(4)", 4), ("line(4)", 4)]
    {
        assert_eq!(check(MIS, topology), [("s".to_string(), (steps, steps))], "{topology}");
    }
}

/// Two messages circulate, of which the second may have to wait, or stops.
#[test]
fn circulating_messages() {
    let mut seen = 0;
    for on_b in ["-> send B to left", "when x = 1 -> send B to left", "when x = 0 -> skip"] {
        for wakes in ["int(p.id) = 1", "true"] {
            let text = format!(
                "algorithm to_and_fro
assumes bidirectional ring, fifo, unique ids, integer ids
message A, B
var x : 0..1
state s
  on wakeup when {wakes_here} -> send A to right; send B to left
  on A -> send A to right; x := 1 - x
  on B {on_b}
invariant a: forall p: p.x = 1
invariant b: some p: {wakes} and p.x = 1
eventually e: forall p: p.x = 1
settles s: forall p: p.x = 1
leads l: (forall p: p.x = 1) leads to (some p: {wakes} and p.x = 1)
",
                wakes_here = wakes.replace("p.", ""),
            );
            seen += check(&text, "ring(2)").len();
        }
    }
    assert!(seen > 4, "{seen}");
}

/// A random number generator, sufficient for small choices.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    /// Return some of 0 to n - 1, at least one and not all.
    fn some(&mut self, n: u64) -> String {
        let mask = 1 + self.below((1 << n) - 2);
        let all: Vec<String> = (0..n).filter(|x| mask >> x & 1 == 1).map(|x| x.to_string()).collect();
        format!("{{{}}}", all.join(", "))
    }
}

#[test]
fn random_programs_that_read_their_neighbours() {
    let mut rounds: Vec<usize> = Vec::new();
    for seed in 0..200 {
        let mut dice = Dice(seed * 7_919 + 3);
        let daemon = ["central", "distributed", "synchronous"][dice.below(3) as usize];
        let mut text = format!(
            "algorithm turning\nassumes unidirectional ring, reads neighbours, {daemon} daemon\nvar x : 0..2\n"
        );
        for _ in 0..2 + dice.below(2) {
            let (own, before, next) = (dice.some(3), dice.some(3), dice.below(3));
            text += &format!("when x in {own} and prev.x in {before} and x != {next} -> x := {next}\n");
        }
        let mut some =
            || format!("some p, q with p.index = 0 and q.index = 1: p.x + 3 * q.x in {}", dice.some(9));
        let (a, b) = (some(), some());
        text += &format!("invariant a: {a}\ninvariant b: {b}\neventually e: {a}\nsettles s: {a}\n");
        text += &format!("leads l: ({a}) leads to ({b})\n");
        for topology in ["ring(2)", "ring(3)"] {
            rounds.extend(check(&text, topology).iter().map(|(_, (_, round))| *round));
        }
    }
    // Cycles of several steps are not rare.
    let long = rounds.iter().filter(|round| **round > 3).count();
    assert!(rounds.len() > 300 && long > 30, "{} {long}", rounds.len());
}
