//! Claims of papers and textbooks, as verdicts under every schedule.

use crate::common::*;
use std::sync::Arc;
use synod::internals::explore::{Exploration, ExploreOptions, ViolationKind, explore};
use synod::internals::instance::Instance;
use synod::internals::ir::Program;
use synod::internals::property::Judgement;
use synod::internals::scenario::play;

fn verdict(instance: &Instance, property: &str, notes: u32) -> Judgement {
    let options = ExploreOptions { notes, ..ExploreOptions::default() };
    let found = explore(instance, Some(&[property.to_string()]), &options, &mut |_| None);
    found.verdicts[0].judgement
}

fn everything(instance: &Instance) -> Exploration {
    explore(instance, None, &ExploreOptions { keep_going: true, ..ExploreOptions::default() }, &mut |_| None)
}

/// Coulouris et al., chapter 15: the server grants in the order of arrival, the ring in the order of the ring. A process that
/// tells a friend of its request may see the friend enter first.
#[test]
fn me3_fails_for_the_server_and_the_ring() {
    for (name, topology) in [("central_server", "star(2)"), ("token_ring", "ring(2)")] {
        let instance = on(&library(name), topology).build();
        assert_eq!(verdict(&instance, "ME3", 1), Judgement::Violated, "{name}");
    }
}

/// Without notes of the application, requests of different clients of a server are concurrent until one of the clients has
/// entered.
#[test]
fn me3_at_the_server_needs_notes_of_the_application() {
    let instance = on(&library("central_server"), "star(2)").build();
    assert_eq!(verdict(&instance, "ME3", 0), Judgement::Holds);
}

/// With stamped notes the order of requests is that of happened-before.
#[test]
fn me3_holds_for_lamport_and_for_ricart_and_agrawala() {
    for name in ["lamport", "ricart_agrawala"] {
        let instance = on(&library(name), "complete(2)").build();
        for notes in 0..=2 {
            assert_eq!(verdict(&instance, "ME3", notes), Judgement::Holds, "{name}, {notes} notes");
        }
    }
}

/// Notes without a clock carry information that the clocks miss.
#[test]
fn me3_fails_where_notes_are_not_stamped() {
    for (name, topology) in [("ricart_agrawala", "complete(3)"), ("lamport", "complete(2)")] {
        let unstamped: Arc<Program> = edited(name, &[(name, "stamps notes with clock\n", "")]);
        let instance = on(&unstamped, topology).build();
        assert_eq!(verdict(&instance, "ME3", 1), Judgement::Violated, "{name}");
    }
}

/// Lamport's algorithm with an application whose unstamped notes use the channels of its messages.
fn with_notes_in_the_same_channels(when_to_tell: &str, on_note: &str) -> String {
    let (_, text) = synod::internals::library::source("lamport").expect("a file");
    let algorithm = text.split("/// The figure with 34").next().expect("what comes before the scenarios");
    let message = "Release(stamp: Int)\n";
    assert!(algorithm.contains(message));
    let note = "Release(stamp: Int), Note(passed_on: Bool)\nvar told : Bool\n";
    algorithm.replace("stamps notes with clock\n", "").replace(message, note)
        + &format!("when {when_to_tell} and not told -> told := true; send Note(false) to others\n")
        + &format!("on Note(passed_on) -> {on_note}\n")
}

/// A note cannot overtake the request sent before it, which advances the clock. So with two processes notes need no stamps; with
/// three, one may pass the note on.
#[test]
fn unstamped_notes_behind_the_requests_are_as_good_as_stamped_ones_between_two() {
    let between_two = with_notes_in_the_same_channels("true", "skip");
    let instance = on(&source(&between_two), "complete(2)").build();
    assert_eq!(verdict(&instance, "ME3", 0), Judgement::Holds);
    // On channels of their own, the same notes cause a violation.
    let unordered = between_two.replace("reliable, fifo", "reliable, unordered");
    let instance = on(&source(&unordered), "complete(2)").build();
    assert_eq!(verdict(&instance, "ME3", 0), Judgement::Violated);
    let passed_on = "if passed_on -> skip [] otherwise -> send Note(true) to others fi";
    let scenario = "scenario by_way_of_a_third on complete(3) with names [A, B, C], ids [2, 3, 1]
  initially A.clock := 5
  hold A -> C
  A: enter
  C: enter
  expect A.waiting and C.waiting
  release
  expect C.critical and A.waiting
  expect ME3 violated
";
    let program = source(&(with_notes_in_the_same_channels("stamp > 0", passed_on) + scenario));
    let played = play(&program, &program.scenarios[0], &Default::default(), &mut |_, _, _, _, _| {});
    assert!(played.failures.is_empty(), "{:?}", played.failures);
}

/// Tokens, quorums and spare places: stamps on the notes, if any, do not help.
#[test]
fn me3_fails_if_not_all_processes_receive_requests() {
    for (name, topology) in [
        ("suzuki_kasami", "complete(2)"),
        ("raymond", "tree(2)"),
        ("maekawa", "complete(2)"),
        ("k_mutex", "complete(2)"),
    ] {
        let instance = on(&library(name), topology).build();
        assert_eq!(verdict(&instance, "ME3", 1), Judgement::Violated, "{name}");
    }
}

/// Maekawa's idea in its naive form: each process has one of two votes, and waits for the other.
#[test]
fn naive_voting_deadlocks() {
    let found = everything(&on(&library("voting"), "complete(2)").build());
    assert!(found.counterexamples.iter().any(|c| matches!(c.kind, ViolationKind::Stuck(_))));
    assert!(found.ends.iter().any(|end| end.outcome == "stuck"));
    // Of the two ways to begin, each alone is harmless: other runs end well.
    assert!(found.ends.iter().any(|end| end.outcome != "stuck"));
}

/// Angluin 1980: anonymous processes in lock step remain identical. The lemma holds, so no process is elected alone on a ring of
/// more than one.
#[test]
fn no_deterministic_anonymous_election() {
    for n in 2..=5 {
        let found = everything(&on(&library("anonymous_symmetry"), &format!("ring({n})")).build());
        let of = |name: &str| found.verdicts.iter().find(|v| v.name == name).unwrap().judgement;
        assert_eq!(of("alike"), Judgement::Holds, "{n}");
        assert_eq!(of("uniqueness"), Judgement::Violated, "{n}");
    }
}

/// Chang and Roberts, over all arrangements of the ids and all schedules, with all or some starting: from n messages (only the
/// greatest starts) to n (n + 1) / 2 (all start, in the worst order).
#[test]
fn chang_roberts_at_best_and_at_worst() {
    for n in 2..=4 {
        let (mut least, mut most) = (i64::MAX, 0);
        for ids in arrangements(n) {
            let found = everything(&ring(&library("chang_roberts"), &ids));
            let property = found.verdicts.iter().position(|v| v.name == "at_most").unwrap();
            let (_, a, b) = found.extremes.iter().find(|(p, ..)| *p == property).unwrap();
            least = least.min(a.unwrap());
            most = most.max(b.unwrap());
        }
        assert_eq!((least, most), (n, n * (n + 1) / 2), "{n}");
    }
}
