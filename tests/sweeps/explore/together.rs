//! Random and other choices in one joint step: a later participant has not seen the outcomes of earlier ones, so verdicts do not
//! depend on the order of positions.

use crate::common::*;
use crate::explore::by_definition::{Process, Set, Tree, bits};
use crate::explore::chance::{Dice, NEARLY, everything, goes_round, list, nearly, said, verdict};
use std::collections::BTreeMap;
use synod::internals::explore::ViolationKind;
use synod::internals::property::Judgement;

/// The reason of a violation by a schedule that continues for every random outcome.
const SPOILED: &str = "under a weakly fair schedule, a run repeats a cycle and never satisfies it, for every outcome of the random choices in the cycle";

/// Return the verdict; `missing` is false throughout the cycle.
fn spoiled(missing: &str) -> (Judgement, String) {
    (Judgement::Violated, format!("{SPOILED}: {missing}"))
}

const TOSSER: &str = "role Tosser\n  state s\n    x := random(0..1)\n";
const GUESSER: &str = "role Guesser\n  state g\n    choose k in 0..1\n    x := k\n";
const COMPARES: &str = "    send X(x) to neighbours\n    round\n    if arrived X(y) and y = x -> same := true; halt\n    [] otherwise -> skip\n    fi\n";

/// One process tosses and the other guesses, in the same round: they agree almost surely, whichever is first.
#[test]
fn a_guess_in_the_round_of_the_toss() {
    for (one, first, second) in [("Tosser", TOSSER, GUESSER), ("Guesser", GUESSER, TOSSER)] {
        let text = format!(
            "algorithm guesses\nassumes complete, synchronous, randomness, unique ids, one {one}\nmessage X(b: 0..1)\n\
             var x : 0..1\nvar same : Bool\n{first}{COMPARES}{second}{COMPARES}eventually meet: forall p: p.same\n"
        );
        assert_eq!(said(&text, "complete(2)"), [nearly()], "{text}");
    }
}

/// A process that guesses after receiving the toss of the previous round can always be wrong.
#[test]
fn a_guess_in_the_round_after_the_toss() {
    let tosser = "role Tosser\n  state s\n    x := random(0..1)\n    send X(x) to neighbours\n    round\n    round\n    if arrived X(y) and y = x -> same := true; halt\n    [] otherwise -> skip\n    fi\n";
    let guesser = "role Guesser\n  state g\n    round\n    if arrived X(y) ->\n         choose k in 0..1\n         send X(k) to neighbours\n         round\n         if k = y -> same := true; halt\n         [] otherwise -> skip\n         fi\n    [] otherwise -> skip\n    fi\n";
    for (one, first, second) in [("Tosser", tosser, guesser), ("Guesser", guesser, tosser)] {
        let text = format!(
            "algorithm guesses_late\nassumes complete, synchronous, randomness, unique ids, one {one}\nmessage X(b: 0..1)\n\
             var x : 0..1\nvar same : Bool\n{first}{second}eventually meet: forall p: p.same\n"
        );
        assert_eq!(said(&text, "complete(2)"), [spoiled("for p = p0: `p.same` is false")], "{text}");
    }
}

/// Ten possible guesses after each of six tosses give a million joint strategies: too many. Results found so far are reported,
/// and no more; with four of four all are tried.
#[test]
fn too_many_joint_strategies() {
    for (values, expected) in [
        ("0..3", nearly()),
        ("0..9", (Judgement::NotChecked, "some outcomes of the random choices violate it; whether it holds with probability 1 is undecided: joint steps have too many schedules to try them all".into())),
    ] {
        let tosses = if values == "0..9" { "0..5" } else { "0..3" };
        let guesser = format!(
            "role Guesser\n  var toss : {tosses}\n  state g\n    toss := random({tosses})\n    choose k in {values}\n    x := k mod 2; toss := 0\n"
        );
        let text = format!(
            "algorithm guesses\nassumes complete, synchronous, randomness, unique ids, one Tosser\nmessage X(b: 0..1)\n\
             var x : 0..1\nvar same : Bool\n{TOSSER}{COMPARES}{guesser}{COMPARES}eventually meet: forall p: p.same\n"
        );
        let found = everything(&on(&source(&text), "complete(2)").build(), false);
        assert_eq!(verdict(&found, "meet"), expected, "{text}");
        assert_eq!(found.stopped_by, None);
        assert!(found.counterexamples.is_empty());
    }
}

/// One process tosses, and the other has two enabled guards, at the same time. A process may act on its own coin.
#[test]
fn moves_at_the_same_time() {
    let tosser = "role Tosser\n  when x != prev.x -> x := random(0..1)\n";
    let turner = "role Turner\n  when x != prev.x -> x := 1 - x\n  when x != prev.x -> z := 1 - z\n";
    let cheat = "role Cheat\n  when x != prev.x ->\n    toss := random(0..1)\n    choose k in 0..1\n    if toss = k -> x := prev.x [] otherwise -> skip fi\n";
    for daemon in ["synchronous", "distributed"] {
        for (one, first, second, expected) in [
            ("Tosser", tosser, turner, nearly()),
            ("Turner", turner, tosser, nearly()),
            (
                "Cheat",
                cheat,
                "role Idle\n  when false -> skip\n",
                spoiled("for p = p0, q = p1: `p.x = q.x` is false, with 1 = 0"),
            ),
        ] {
            let text = format!(
                "algorithm moves\nassumes unidirectional ring, reads neighbours, randomness, {daemon} daemon, one {one}\n\
                 var x : 0..1 := any\nvar z : 0..1\n{first}{second}eventually meet: forall p, q: p.x = q.x\n"
            );
            let found = everything(&on(&source(&text), "ring(2)").build(), false);
            assert_eq!(verdict(&found, "meet"), expected, "{text}");
        }
    }
}

/// Return the possible actions of a process with a given value, as text and as a tree of the resulting values (as bits).
fn command(dice: &mut Dice) -> (String, Tree) {
    let to = |value: &u64| Tree::To(*value as usize);
    let trees = |values: &[u64]| values.iter().map(to).collect::<Vec<_>>();
    match dice.below(5) {
        0 => {
            let value = dice.below(3);
            (format!("x := {value}"), to(&value))
        }
        1 => {
            let all = dice.some(3);
            (format!("x := random({{{}}})", list(&all)), Tree::Chance(trees(&all)))
        }
        2 => {
            let all = dice.some(3);
            (format!("choose y in {{{}}}; x := y", list(&all)), Tree::Choice(trees(&all)))
        }
        3 => {
            let (one, other) = (dice.some(3), dice.some(3));
            let text = format!(
                "choose y in {{0, 1}}; if y = 0 -> x := random({{{}}}) [] y = 1 -> x := random({{{}}}) fi",
                list(&one),
                list(&other)
            );
            (text, Tree::Choice(vec![Tree::Chance(trees(&one)), Tree::Chance(trees(&other))]))
        }
        _ => {
            let (all, value) = (dice.some(3), dice.below(3));
            let text = format!(
                "y := random({{0, 1}}); if y = 0 -> choose z in {{{}}}; x := z [] y = 1 -> x := {value} fi",
                list(&all)
            );
            (text, Tree::Chance(vec![Tree::Choice(trees(&all)), to(&value)]))
        }
    }
}

/// Two processes with three values each that read each other, toss and choose. Return the program, and by configuration, 3 x + y,
/// the choices: for each process the sets of random outcomes.
fn random_program(dice: &mut Dice, daemon: &str) -> (String, Vec<[Vec<Set>; 2]>) {
    let mut text = format!(
        "algorithm any_two assumes unidirectional ring, integer ids, reads neighbours, randomness, {daemon} daemon\nvar x : 0..2\n"
    );
    let mut ways = vec![[Vec::new(), Vec::new()]; 9];
    for process in [0, 1] {
        for own in (0..3).flat_map(|own| [own, own]) {
            if dice.below(3) == 0 {
                continue;
            }
            let (seen, (command, tree)) = (dice.some(3), command(dice));
            for other in &seen {
                let place = if process == 0 { 3 * own + other } else { 3 * other + own };
                ways[place as usize][process].extend(tree.outcomes());
            }
            text += &format!(
                "when int(id) = {} and x = {own} and prev.x in {{{}}} -> {command}\n",
                process + 1,
                list(&seen)
            );
        }
    }
    (text, ways)
}

/// Return the actions in a configuration: each selected process takes its choice, independent of the other's toss.
fn actions(daemon: &str, place: usize, ways: &[Vec<Set>; 2]) -> Vec<(u32, Set)> {
    let stays = [1 << (place / 3), 1 << (place % 3)];
    let to = |one: Set, other: Set| -> Set {
        bits(one).flat_map(|x| bits(other).map(move |y| 1 << (3 * x + y))).sum()
    };
    let together = ways[0].iter().flat_map(|one| ways[1].iter().map(move |other| to(*one, *other)));
    let first = ways[0].iter().map(|one| (0, to(*one, stays[1])));
    let second = ways[1].iter().map(|other| (1, to(stays[0], *other)));
    match (daemon, ways[0].is_empty() || ways[1].is_empty()) {
        (_, true) => first.chain(second).collect(),
        ("synchronous", false) => together.flat_map(|to| [(0, to), (1, to)]).collect(),
        _ => together.flat_map(|to| [(0, to), (1, to)]).chain(first).chain(second).collect(),
    }
}

#[test]
fn random_programs_against_the_definition() {
    let mut seen: BTreeMap<(String, bool), u32> = BTreeMap::new();
    for seed in 0..300 {
        let daemon = if seed % 3 == 2 { "distributed" } else { "synchronous" };
        let mut dice = Dice(seed * 1013 + 7);
        let (mut text, ways) = random_program(&mut dice, daemon);
        let mut sets = Vec::new();
        let mut some = || {
            let set = dice.some(9);
            sets.push(set.iter().map(|place| 1 << place).sum::<Set>());
            format!("some p, q with p.index = 0 and q.index = 1: 3 * p.x + q.x in {{{}}}", list(&set))
        };
        text += &format!("eventually comes: {}\n", some());
        text += &format!("settles stays: {}\n", some());
        text += &format!("leads answers: ({}) leads to ({})\n", some(), some());
        let instance = on(&source(&text), "ring(2)").build();
        let (found, strict) = (everything(&instance, false), everything(&instance, true));
        let all: Set = (1 << 9) - 1;
        let acts = ways.iter().enumerate().map(|(place, ways)| actions(daemon, place, ways));
        let process = Process::new(acts.collect());
        for (coins, explored) in [(&process, &found), (&process.with_bad_coins(), &strict)] {
            for (name, violated) in coins.violates(&sets, all) {
                let (judgement, why) = verdict(explored, name);
                let expected = if violated { Judgement::Violated } else { Judgement::Holds };
                assert_eq!(judgement, expected, "{seed} {name}: {why}\n{text}");
                *seen.entry((why, daemon == "synchronous")).or_default() += 1;
                let at = instance.program.properties.iter().position(|p| p.name == name).unwrap();
                let shown = explored.counterexamples.iter().find(|c| c.kind == ViolationKind::Property(at));
                if shown.is_some_and(|c| c.repeats_from.is_some()) {
                    goes_round(&instance, explored, name);
                }
            }
        }
    }
    // None of these cases is rare.
    let times = |part: &str, synchronous: bool| {
        let told = seen.iter().filter(|((why, own), _)| why.contains(part) && *own == synchronous);
        told.map(|(_, times)| times).sum::<u32>()
    };
    for part in [NEARLY, "for every outcome of the random choices in the cycle"] {
        assert!(times(part, true) > 20 && times(part, false) > 5, "{part}: {seen:?}");
    }
}
