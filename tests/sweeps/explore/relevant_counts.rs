//! Properties of counts are decided with counts as far as they can tell as with exact counts.

use crate::common::*;
use crate::explore::Numbers;
use std::sync::Arc;
use synod::internals::explore::{Exploration, ExploreOptions, ViolationKind, explore};
use synod::internals::instance::Instance;
use synod::internals::ir::Program;
use synod::internals::property::Judgement;

/// Return a sum of counts.
fn sum(numbers: &mut Numbers) -> String {
    let measures = [
        "messages",
        "messages",
        "messages of A",
        "messages of B",
        "messages of C",
        "bits",
        "bits of B",
        "2 * messages of B",
        "n * messages of C",
        "turns",
        "(sum p: p.x)",
    ];
    let mut text = numbers.one_of(&measures[..10]).to_string();
    for _ in 0..numbers.below(3) {
        text += &format!(" {} {}", numbers.one_of(&["+", "-", "-"]), numbers.one_of(&measures));
    }
    text
}

/// Return a condition on counts.
fn condition(numbers: &mut Numbers) -> String {
    let sign = numbers.one_of(&["=", "!=", "<", "<=", ">", ">="]);
    match numbers.below(8) {
        0 => format!("({}) mod {} = {}", sum(numbers), 2 + numbers.below(3), numbers.below(3)),
        1 => format!(
            "({} + {}) mod 3 {sign} 1",
            numbers.one_of(&["messages", "messages of B"]),
            numbers.below(3)
        ),
        2 => format!("{} {sign} {}", sum(numbers), numbers.below(12)),
        3 => format!("max(messages of A, {}) {sign} {}", 1 + numbers.below(3), numbers.below(6)),
        4 => format!("{} in {{1, 2, 5}}", numbers.one_of(&["messages", "messages of C"])),
        5 => format!("(forall p: {} {sign} p.k + p.x)", numbers.one_of(&["messages of A", "messages of C"])),
        _ => format!("{} {sign} {}", sum(numbers), sum(numbers)),
    }
}

fn property(at: usize, numbers: &mut Numbers) -> String {
    let text = match numbers.below(4) {
        0 => format!("{} implies {}", condition(numbers), condition(numbers)),
        1 => format!("{} or {}", condition(numbers), condition(numbers)),
        _ => condition(numbers),
    };
    match numbers.below(6) {
        0 => format!(
            "bound r{at}: {} <= {}\n",
            numbers.one_of(&["messages of A", "bits", "messages"]),
            sum(numbers)
        ),
        1 => format!("exactly r{at}: messages of {} = {}\n", numbers.one_of(&["A", "B", "C"]), sum(numbers)),
        2 => format!("finally r{at}: {text}\n"),
        _ => format!("invariant r{at}: {text}\n"),
    }
}

/// One process asks the others for some turns, or for ever if `next` keeps `k` small.
fn program(condition: &str, next: &str, properties: &str) -> Arc<Program> {
    let text = format!(
        "algorithm counted
assumes complete, fifo, one Asker
param turns : Int = 2
message A
message B(v: Int)
message C
var k := 0
var x := 0
role Asker
  state asks
    send A to neighbours
    become waits
  state waits
    on B(v) ->
      if {condition} -> k := {next}; send A to neighbours
      [] {condition} and x < 1 -> k := {next}; x := x + 1; send A to neighbours
      [] otherwise -> halt
      fi
    on C -> skip
role Teller
  state tells
    on A from p ->
      if true -> send B(3) to p
      [] true -> send C to p; send C to p; send B(1) to p
      fi
{properties}"
    );
    let checked =
        synod::internals::check::check("counted.syn", &text, &|name| synod::internals::library::source(name));
    let found: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
    checked.program.map(Arc::new).unwrap_or_else(|| panic!("{text}: {found:#?}"))
}

fn explored(instance: &Instance, options: &ExploreOptions) -> Exploration {
    let names: Vec<String> = instance.program.properties.iter().map(|p| p.name.clone()).collect();
    explore(instance, Some(&names), options, &mut |_| None)
}

#[derive(Debug, Default)]
struct Tally {
    violated: usize,
    hold: usize,
    smaller: usize,
}

fn compare(instance: &Instance, tally: &mut Tally) {
    let exact = ExploreOptions { keep_going: true, max_configurations: 20_000, ..ExploreOptions::default() };
    let expected = explored(instance, &exact);
    assert_eq!(expected.stopped_by, None);
    let relevant = ExploreOptions { relevant_counts: true, ..exact };
    for options in [
        relevant,
        ExploreOptions {
            reduce: false,
            dead_messages: false,
            forget_wakeups: false,
            symmetry: false,
            ..relevant
        },
        ExploreOptions { threads: 2, ..relevant },
    ] {
        let found = explored(instance, &options);
        assert!(found.disagreements.is_empty(), "{:?}", found.disagreements);
        for (a, b) in expected.verdicts.iter().zip(&found.verdicts) {
            let property = instance.program.properties.iter().find(|p| p.name == a.name);
            let text = property.map(|p| instance.program.sources.slice(p.span));
            assert_eq!(a.judgement, b.judgement, "{text:?}: {options:?}: {} / {}", a.why, b.why);
            if a.judgement == Judgement::Violated {
                // The reason is that of the run, with its exact counts, unless another shortest run was found.
                let kind = ViolationKind::Property(
                    instance.program.properties.iter().position(|p| p.name == a.name).unwrap(),
                );
                let length = |found: &Exploration| {
                    found.counterexamples.iter().find(|c| c.kind == kind).map(|c| c.events.len())
                };
                assert_eq!(length(&expected), length(&found), "{text:?}");
            }
            tally.violated += usize::from(a.judgement == Judgement::Violated);
            tally.hold += usize::from(a.judgement == Judgement::Holds);
        }
        tally.smaller += usize::from(found.configurations < expected.configurations);
    }
}

#[test]
fn random_properties_of_counts() {
    let mut tally = Tally::default();
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    for round in 0..240 {
        let properties: String = (0..=round % 3).map(|at| property(at, &mut numbers)).collect();
        let program = program("k < turns", "k + 1", &properties);
        compare(&on(&program, "complete(2)").build(), &mut tally);
    }
    assert!(tally.violated > 100 && tally.hold > 100 && tally.smaller > 50, "{tally:?}");
}

/// Counts grow for ever, but properties tell finitely many of them apart.
#[test]
fn counts_that_grow_for_ever() {
    let properties =
        "invariant answers: messages of B <= messages of A and messages of A <= messages of B + 1
invariant few: messages of A < 4
invariant thirds: messages of C mod 3 < 2
invariant halves: messages of C mod 4 < 4
invariant asked: messages >= 0
invariant short: bits of C <= 10
";
    let program = program("true", "1 - k", properties);
    let found = explored(
        &on(&program, "complete(2)").build(),
        &ExploreOptions { keep_going: true, max_configurations: 2_000_000, ..ExploreOptions::default() },
    );
    let verdicts: Vec<(&str, Judgement)> =
        found.verdicts.iter().map(|verdict| (verdict.name.as_str(), verdict.judgement)).collect();
    let (holds, violated) = (Judgement::Holds, Judgement::Violated);
    let expected = [
        ("answers", holds),
        ("few", violated),
        ("thirds", violated),
        ("halves", holds),
        ("asked", holds),
        ("short", violated),
    ];
    assert_eq!(verdicts, expected);
    assert!(found.disagreements.is_empty() && found.stopped_by.is_none());
}

/// Elections whose runs have no bound on their length satisfy conditions on their counts.
#[test]
fn counts_of_library_algorithms() {
    for (name, network) in
        [("itai_rodeh", "ring(4)"), ("radio_random", "complete(3)"), ("probabilistic_franklin", "ring(2)")]
    {
        let found =
            explore(&on(&library(name), network).build(), None, &ExploreOptions::default(), &mut |_| None);
        assert!(
            found.verdicts.iter().all(|verdict| verdict.judgement == Judgement::Holds),
            "{name}: {found:#?}"
        );
    }
}
