//! Liveness with probability 1: programs of the library, philosophers, and random programs compared with the definition.

use crate::common::*;
use crate::explore::by_definition::{Process, Set, contents};
use std::collections::{BTreeMap, BTreeSet};
use synod::internals::explore::{Exploration, ExploreOptions, ViolationKind, explore};
use synod::internals::ids::ProcessId;
use synod::internals::instance::Instance;
use synod::internals::ir::Slot;
use synod::internals::property::Judgement;
use synod::internals::semantics::{Configuration, Machine};

pub const ALWAYS: &str = "in every weakly fair run, for every outcome of the random choices";
pub const NEARLY: &str = "with probability 1 under every weakly fair schedule";

pub fn everything(instance: &Instance, surely: bool) -> Exploration {
    explore(
        instance,
        None,
        &ExploreOptions { every_outcome: surely, keep_going: true, ..ExploreOptions::default() },
        &mut |_| None,
    )
}

/// Explore for one property, without the counters that others need.
fn judged(instance: &Instance, property: &str, surely: bool) -> Exploration {
    let names = [property.to_string()];
    explore(
        instance,
        Some(&names),
        &ExploreOptions { every_outcome: surely, ..ExploreOptions::default() },
        &mut |_| None,
    )
}

pub fn verdict(found: &Exploration, property: &str) -> (Judgement, String) {
    let verdict = found.verdicts.iter().find(|v| v.name == property).unwrap();
    (verdict.judgement, verdict.why.to_string())
}

pub fn nearly() -> (Judgement, String) {
    (Judgement::Holds, NEARLY.into())
}

/// Check that a counterexample is a run whose second part leads back to its beginning.
pub fn goes_round(instance: &Instance, found: &Exploration, property: &str) {
    let at = instance.program.properties.iter().position(|p| p.name == property).unwrap();
    let shown = found.counterexamples.iter().find(|c| c.kind == ViolationKind::Property(at)).unwrap();
    let from = shown.repeats_from.unwrap();
    let mut machine = Machine::new(instance);
    let mut configuration = Configuration::initial(instance);
    let mut begun = None;
    for (number, event) in shown.events.iter().enumerate() {
        if number == from {
            begun = Some(contents(instance, &configuration));
        }
        machine.replay(instance, &mut configuration, event).expect("it is a run");
    }
    assert_eq!(begun.unwrap(), contents(instance, &configuration), "{property}");
}

/// Itai and Rodeh 1990, Herman 1990, Metcalfe and Boggs 1976 in one slot: almost surely, but not for every outcome of the random
/// choices.
#[test]
fn the_library_with_probability_1() {
    for (name, topology, property) in [
        ("itai_rodeh", "ring(2)", "progress"),
        ("itai_rodeh", "ring(3)", "progress"),
        ("itai_rodeh", "ring(4)", "progress"),
        ("herman", "ring(3)", "convergence"),
        ("herman", "ring(5)", "convergence"),
        ("radio_random", "complete(2)", "progress"),
        ("radio_random", "complete(3)", "progress"),
        ("radio_collision_detection_splitting", "complete(3)", "progress"),
        ("probabilistic_franklin", "ring(2)", "progress"),
        ("probabilistic_franklin", "ring(3)", "progress"),
    ] {
        let instance = on(&library(name), topology).build();
        let found = judged(&instance, property, false);
        assert_eq!(found.stopped_by, None, "{name} on {topology}");
        assert_eq!(verdict(&found, property), nearly(), "{name} on {topology}");
        assert_eq!(found.almost_surely.len(), 1, "{name} on {topology}");
        // If every run is required, the counterexample is a run with unfavourable outcomes forever.
        let strict = judged(&instance, property, true);
        let (judgement, why) = verdict(&strict, property);
        assert_eq!(judgement, Judgement::Violated, "{name} on {topology}: {why}");
        assert!(why.contains(", for some outcomes of the random choices: "), "{why}");
        goes_round(&instance, &strict, property);
    }
    // A single process has no ties to break.
    let alone = judged(&on(&library("itai_rodeh"), "ring(1)").build(), "progress", false);
    assert_eq!(verdict(&alone, "progress").0, Judgement::Holds);
    assert!(alone.almost_surely.is_empty());
}

/// Attempts are numbered without bound, and only their differences matter: up to shift there are finitely many configurations.
#[test]
fn with_probability_1_up_to_shift() {
    let instance = on(&library("itai_rodeh_asynchronous"), "ring(2)").build();
    let found = judged(&instance, "progress", false);
    assert_eq!((found.stopped_by, verdict(&found, "progress")), (None, nearly()));
    // Without its view the numbers grow.
    let edit = [("itai_rodeh_asynchronous", "view level, Token.level up to shift\n", "")];
    let numbered = on(&edited("itai_rodeh_asynchronous", &edit), "ring(2)").build();
    let names = ["progress".to_string()];
    let few = ExploreOptions { max_configurations: 1000, ..ExploreOptions::default() };
    let found = explore(&numbered, Some(&names), &few, &mut |_| None);
    assert_eq!(verdict(&found, "progress").0, Judgement::Pending);
}

/// Without levels no shift is needed: Fokkink and Pang's variant has finitely many configurations.
#[test]
fn with_probability_1_without_levels() {
    for n in 1..=4 {
        let instance = on(&library("itai_rodeh_fifo"), &format!("ring({n})")).build();
        let found = judged(&instance, "progress", false);
        assert_eq!(found.stopped_by, None);
        if n > 1 {
            assert_eq!(verdict(&found, "progress"), nearly(), "{n}");
        }
    }
}

/// Mistakes that only violate almost-sure properties.
#[test]
fn mistakes_with_coins() {
    let spoils = "for every outcome of the random choices in the cycle";
    for (name, topology, property, old, new, shown) in [
        // Every active process becomes a candidate: two remain two.
        ("itai_rodeh", "ring(2)", "progress", "active and coin(1/actives)", "active", ""),
        // A phase without pebbles prevents success, and is reached with positive probability.
        (
            "itai_rodeh",
            "ring(2)",
            "progress",
            "if pebbles = 0 -> skip",
            "if pebbles = 0 -> active := false",
            spoils,
        ),
        (
            "itai_rodeh",
            "ring(3)",
            "progress",
            "if pebbles = 0 -> skip",
            "if pebbles = 0 -> active := false",
            spoils,
        ),
        // If all tokens move on, they never meet.
        ("herman", "ring(3)", "convergence", "x := random({0, 1})", "x := 1 - x", ""),
    ] {
        let instance = on(&edited(name, &[(name, old, new)]), topology).build();
        let found = judged(&instance, property, false);
        let (judgement, why) = verdict(&found, property);
        assert_eq!(judgement, Judgement::Violated, "{name}: {why}");
        assert!(
            why.contains("repeats a cycle and never satisfies it") && why.contains(&format!("{shown}: ")),
            "{name}: {why}"
        );
        goes_round(&instance, &found, property);
    }
}

/// Lehmann and Rabin, POPL 1981: a philosopher draws the fork that he waits for first. `first` is the way it is chosen.
fn philosophers(first: &str) -> String {
    format!(
        "algorithm philosophers
assumes bidirectional ring, anonymous, reads neighbours, randomness
enum Side = to_left | to_right
enum Stage = thinks | waits | tries | eats
var stage : Stage := thinks
var side : Side := to_left
var has_left, has_right : Bool
when stage = thinks -> side := {first}; stage := waits
when stage = waits and side = to_left and not left.has_right -> has_left := true; stage := tries
when stage = waits and side = to_right and not right.has_left -> has_right := true; stage := tries
when stage = tries and side = to_left ->
  if right.has_left -> has_left := false; stage := thinks
  [] otherwise      -> has_right := true; stage := eats
  fi
when stage = tries and side = to_right ->
  if left.has_right -> has_right := false; stage := thinks
  [] otherwise      -> has_left := true; stage := eats
  fi
when stage = eats -> has_left := false; has_right := false; stage := thinks
invariant forks: forall p, q with p.index = (q.index + 1) mod n: not (p.stage = eats and q.stage = eats)
eventually somebody: some p: p.stage = eats
leads progress: (some p: p.stage = waits) leads to (some p: p.stage = eats)
leads everybody for p: p.stage = waits leads to p.stage = eats"
    )
}

#[test]
fn dining_philosophers() {
    for n in [2, 3] {
        let free = on(&source(&philosophers("random({to_left, to_right})")), &format!("ring({n})")).build();
        let found = everything(&free, false);
        assert_eq!(found.stopped_by, None);
        assert_eq!(verdict(&found, "forks").0, Judgement::Holds);
        assert_eq!(verdict(&found, "somebody"), nearly(), "{n}");
        assert_eq!(verdict(&found, "progress"), nearly(), "{n}");
        // Some philosopher eats, but a neighbour may starve.
        let (judgement, why) = verdict(&found, "everybody");
        assert_eq!(judgement, Judgement::Violated, "{n}: {why}");
        assert!(
            why.contains("for every outcome of the random choices in the cycle: `p.stage = eats` is false"),
            "{why}"
        );
        goes_round(&free, &found, "everybody");

        // All reach for the same side: all have one fork, see that the other is taken, and put theirs down.
        let alike = on(&source(&philosophers("to_left")), &format!("ring({n})")).build();
        let found = everything(&alike, false);
        for property in ["somebody", "progress"] {
            let (judgement, why) = verdict(&found, property);
            assert_eq!(judgement, Judgement::Violated, "{n}: {why}");
            assert!(why.starts_with("a weakly fair run repeats a cycle"), "{why}");
            goes_round(&alike, &found, property);
        }
    }
}

pub fn said(text: &str, topology: &str) -> Vec<(Judgement, String)> {
    let found = everything(&on(&source(text), topology).build(), false);
    found.verdicts.iter().map(|v| (v.judgement, v.why.to_string())).collect()
}

/// A coin is tossed once and kept: with probability 1/2 it is never heads.
#[test]
fn a_single_coin() {
    let once = "algorithm once assumes unidirectional ring, anonymous, reads neighbours, randomness\nvar tossed, heads, lit : Bool
        when not tossed -> heads := coin(1/100); tossed := true
        when tossed -> lit := not lit
        eventually happy: some p: p.heads";
    let why = "under a weakly fair schedule, a run repeats a cycle and never satisfies it, for every outcome of the random choices in the cycle: no such p: `some p: p.heads`";
    assert_eq!(said(once, "ring(1)"), [(Judgement::Violated, why.into())]);

    // Tossed repeatedly, heads comes almost surely, though some runs are without.
    let again = "algorithm again assumes unidirectional ring, anonymous, reads neighbours, randomness\nvar heads : Bool
        when not heads -> heads := coin(1/100)
        eventually happy: some p: p.heads
        settles content: some p: p.heads";
    assert_eq!(said(again, "ring(1)"), [nearly(), nearly()]);

    // The schedule sees the coin and then chooses: randomness decides nothing.
    let seen = "algorithm seen assumes unidirectional ring, anonymous, reads neighbours, randomness\nvar heads : Bool
        when not heads ->
          toss := random({0, 1})
          choose kept in {0, 1}
          heads := toss = kept
        eventually happy: some p: p.heads";
    assert_eq!(said(seen, "ring(1)"), [(Judgement::Violated, why.into())]);

    // The schedule chooses first, without knowing the coin: then the guess is right almost surely.
    let blind = "algorithm blind assumes unidirectional ring, anonymous, reads neighbours, randomness\nvar heads : Bool
        when not heads ->
          choose kept in {0, 1}
          toss := random({0, 1})
          heads := toss = kept
        eventually happy: some p: p.heads";
    assert_eq!(said(blind, "ring(1)"), [nearly()]);

    // For heads or tails, the state is reached.
    let both = "algorithm both assumes unidirectional ring, anonymous, reads neighbours, randomness\nvar heads, done : Bool
        when not done -> heads := coin; done := true
        eventually over: forall p: p.done";
    assert_eq!(said(both, "ring(2)"), [(Judgement::Holds, ALWAYS.into())]);
}

/// Messages: the asked process tosses until heads, and the other process tosses only while it is asked.
#[test]
fn coins_in_messages() {
    let text = "algorithm pingpong assumes unidirectional ring, fifo, integer ids, randomness
message Ball(heads: Bool)
var got : Bool
state s
  if int(id) = 1 -> send Ball(false) to next
  [] otherwise -> skip
  fi
  do not got -> receive Ball(h)
       if h -> got := true
       [] otherwise -> send Ball(coin(1/6)) to next
       fi
  od
  become over
state over
eventually one: some p: p.got
eventually both: forall p: p.got";
    let found = said(text, "ring(2)");
    assert_eq!(found[0], nearly());
    assert_eq!(found[1], (Judgement::Violated, "a run ends without it: for p = p1: `p.got` is false".into()));
}

// ---- Random programs against the definition

/// A small random number generator.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    pub fn some(&mut self, of: u64) -> Vec<u64> {
        let all: Vec<u64> = (0..of).filter(|_| self.below(2) == 0).collect();
        if all.is_empty() { vec![self.below(of)] } else { all }
    }
}

pub fn list(items: &[u64]) -> String {
    items.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}

/// Return a program of two processes with three values each, which read each other, toss, and choose.
fn random_program(dice: &mut Dice) -> String {
    let mut text = String::from(
        "algorithm any_process assumes unidirectional ring, integer ids, reads neighbours, randomness\nvar x : 0..2\n",
    );
    for process in 1..=2 {
        for own in 0..3 {
            if dice.below(5) == 0 {
                continue;
            }
            let seen = list(&dice.some(3));
            let command = match dice.below(5) {
                0 => format!("x := {}", dice.below(3)),
                1 => format!("x := random({{{}}})", list(&dice.some(3))),
                2 => format!("choose y in {{{}}}; x := y", list(&dice.some(3))),
                3 => format!(
                    "choose y in {{0, 1}}; if y = 0 -> x := random({{{}}}) [] y = 1 -> x := random({{{}}}) fi",
                    list(&dice.some(3)),
                    list(&dice.some(3))
                ),
                _ => format!(
                    "y := random({{0, 1}}); if y = 0 -> choose z in {{{}}}; x := z [] y = 1 -> x := {} fi",
                    list(&dice.some(3)),
                    dice.below(3)
                ),
            };
            text +=
                &format!("when int(id) = {process} and x = {own} and prev.x in {{{seen}}} -> {command}\n");
        }
    }
    let place = "3 * p.x + q.x in";
    let both = "some p, q with p.index = 0 and q.index = 1:";
    text += &format!("eventually comes: {both} {place} {{{}}}\n", list(&dice.some(9)));
    text += &format!("settles stays: {both} {place} {{{}}}\n", list(&dice.some(9)));
    let (left, right) = (list(&dice.some(9)), list(&dice.some(9)));
    text += &format!("leads answers: ({both} {place} {{{left}}}) leads to ({both} {place} {{{right}}})\n");
    text
}

/// Return the sets in the properties of such a program.
fn sets(text: &str) -> Vec<BTreeSet<i64>> {
    let parts = text.split("p.x + q.x in {").skip(1);
    parts
        .map(|part| part.split('}').next().unwrap().split(", ").map(|k| k.parse().unwrap()).collect())
        .collect()
}

#[test]
fn random_programs_against_the_definition() {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..250 {
        let text = random_program(&mut Dice(seed * 977 + 1));
        let instance = on(&source(&text), "ring(2)").build();
        let (found, strict) = (everything(&instance, false), everything(&instance, true));
        let process = Process::of(&instance);
        let x = instance.program.roles[0].vars.iter().find(|v| v.name == "x").unwrap();
        let Slot::Word(x) = x.slot else { panic!("numbers are words") };
        let place = |state: &Configuration| {
            3 * state.words(ProcessId(0))[x as usize] + state.words(ProcessId(1))[x as usize]
        };
        let places: Vec<i64> = process.states.iter().map(place).collect();
        let set = |wanted: &BTreeSet<i64>| -> Set {
            (0..places.len()).filter(|s| wanted.contains(&places[*s])).map(|s| 1 << s).sum()
        };
        let sets: Vec<Set> = sets(&text).iter().map(set).collect();
        let all: Set = (1 << places.len()) - 1;
        for (coins, explored) in [(&process, &found), (&process.with_bad_coins(), &strict)] {
            for (name, violated) in coins.violates(&sets, all) {
                let (judgement, why) = verdict(explored, name);
                let expected = if violated { Judgement::Violated } else { Judgement::Holds };
                assert_eq!(judgement, expected, "{name}: {why}\n{text}");
                *seen.entry(why).or_default() += 1;
                let at = instance.program.properties.iter().position(|p| p.name == name).unwrap();
                let shown = explored.counterexamples.iter().find(|c| c.kind == ViolationKind::Property(at));
                if shown.is_some_and(|c| c.repeats_from.is_some()) {
                    goes_round(&instance, explored, name);
                }
            }
        }
        for property in &found.almost_surely {
            // If a property holds almost surely only, the strict search finds a counterexample.
            let name = &instance.program.properties[*property].name;
            assert_eq!(verdict(&strict, name).0, Judgement::Violated, "{name}\n{text}");
        }
    }
    // None of these cases is rare.
    let times =
        |part: &str| seen.iter().filter(|(why, _)| why.contains(part)).map(|(_, times)| times).sum::<u32>();
    for part in [
        ALWAYS,
        NEARLY,
        "a run ends without it",
        "for every outcome of the random choices in the cycle",
        "for some outcomes of the random choices",
    ] {
        assert!(times(part) > 20, "{part}: {seen:?}");
    }
}
