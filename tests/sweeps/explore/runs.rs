//! Whole runs: with the costs of their beginnings, and without those that abort.

use crate::common::*;
use std::sync::Arc;
use synod::internals::check::check;
use synod::internals::explore::{Exploration, ExploreOptions, ViolationKind, explain, explore};
use synod::internals::instance::Instance;
use synod::internals::property::Judgement;
use synod::internals::semantics::Configuration;
use synod::internals::semantics::event::Cause;
use synod::internals::simulate::{Schedule, Unobserved, replay};

fn explored(instance: &Instance, options: ExploreOptions) -> Exploration {
    explore(instance, None, &ExploreOptions { keep_going: true, ..options }, &mut |_| None)
}

/// Return options with and without reductions, and with several threads.
fn ways() -> [ExploreOptions; 3] {
    let plain = ExploreOptions::default();
    [
        plain,
        ExploreOptions {
            reduce: false,
            dead_messages: false,
            forget_wakeups: false,
            symmetry: false,
            ..plain
        },
        ExploreOptions { threads: 2, ..plain },
    ]
}

/// Calls before the first waiting point are complete when all processes have started, in a configuration that does not show how
/// many there were.
#[test]
fn operations_before_all_have_started_count() {
    let counted = |client: &str, parameter: &str, choose: &str, bound: &str| {
        let called = if parameter.is_empty() { "" } else { "(k)" };
        let problem =
            format!("problem Going\noperation go{parameter}\n  algorithm.go{called}\nclient\n{client}");
        let goes = format!(
            "algorithm goes solves Going\nassumes complete\nmessage M\noperation go{parameter}\n{choose}\
             \x20 for i in 1..k do send M to neighbours od\nalways\n  ignore M\nbound c: messages per go {bound}\n"
        );
        let checked = check("test.syn", &goes, &|name| match name {
            "Going" => Some(("going.syn".into(), problem.clone())),
            _ => synod::internals::library::source(name),
        });
        checked.program.map(Arc::new).unwrap_or_else(|| panic!("{problem}{goes}"))
    };
    let any = "  choose times in 0..2\n  for i in 1..times do go od\n";
    let one_or_two =
        "  choose once in {false, true}\n  if once -> go(2)\n  [] not once -> go(1); go(1)\n  fi\n";
    let programs = [
        // Both have called twice, and no process has sent: 4 less than 1 for each; one or two without sending: 2 less than that.
        (counted(any, "", "  choose k in 0..1\n", ">= 1"), "4 less than 1 for each"),
        // The same after a pause: several steps lead to one configuration, and the reported run has that cost.
        (counted(&format!("  pause\n{any}"), "", "  choose k in 0..1\n", ">= 1"), "4 less than 1 for each"),
        // Each has sent two messages for one call.
        (counted(one_or_two, "(k: Int)", "", "<= 1"), "2 more than 1 for each"),
    ];
    for (program, why) in programs {
        let instance = on(&program, "complete(2)").build();
        let simulated = (1..40).any(|seed| {
            let judged = judge(&instance, Schedule::Random, seed, 1_000);
            judged.findings().iter().any(|finding| finding == "c")
        });
        assert!(simulated, "single runs violate it");
        for options in ways() {
            let found = explored(&instance, options);
            let verdict = &found.verdicts[0];
            assert_eq!((verdict.judgement, verdict.why.to_string().as_str()), (Judgement::Violated, why));
            // The reported run attains it.
            let [shown] = found.counterexamples.as_slice() else { panic!("{:?}", found.counterexamples) };
            let mut configuration = Configuration::initial(&instance);
            let metrics = replay(&instance, &mut configuration, &shown.events, &mut Unobserved).unwrap();
            let counted = (all_messages(&metrics), metrics.returns.iter().sum::<u64>());
            assert_eq!(counted, if why.contains("more") { (4, 2) } else { (0, 4) });
        }
    }
}

/// A run-time error ends no run: liveness is checked only for runs that continue, or end.
#[test]
fn a_runtime_error_ends_no_run() {
    let text = "algorithm wrong
assumes complete
var x : 0..1
state s
  pause
  x := x + 2
  become t
state t
eventually e: some p: p.x = 1
leads l: (forall p: p.x = 0) leads to (some p: p.x = 1)
settles t: some p: p.x = 1
bound b: messages >= 1
";
    // B repeats a cycle; then A aborts eventually, since it is always enabled.
    let beside = text
        .replace("complete\nvar x : 0..1\nstate s", "complete, one A\nvar x : 0..1\nrole A\n  state s")
        .replace(
            "  pause\n  x := x + 2\n  become t\nstate t\n",
            "    pause\n    x := x + 2\n    become t\n  state t\n",
        )
        .replace("eventually", "role B\n  var y : 0..1\n  state u\n    when true -> y := 1 - y\neventually");
    for (text, topology) in [(text, "complete(1)"), (text, "complete(2)"), (&beside, "complete(2)")] {
        let instance = on(&source(text), topology).build();
        for options in ways() {
            let found = explored(&instance, options);
            let [shown] = found.counterexamples.as_slice() else { panic!("{:?}", found.counterexamples) };
            assert!(matches!(shown.kind, ViolationKind::Aborted(_)), "{shown:?}");
            assert!(found.ends.is_empty(), "{:?}", found.ends);
            let holds = |name: &str| found.verdicts.iter().find(|v| v.name == name).unwrap();
            for name in ["e", "l", "t"] {
                let verdict = holds(name);
                let why = "in every weakly fair run, unless a command aborts";
                assert_eq!(
                    (verdict.judgement, verdict.why.to_string().as_str()),
                    (Judgement::Holds, why),
                    "{name}"
                );
            }
            assert_eq!(holds("b").judgement, Judgement::Holds);
        }
    }
}

/// One or three messages, and then possibly an infinite continuation. Its cost counts for an upper bound, which infinite runs can
/// violate, and for no other bound, which concerns only runs that end.
#[test]
fn costs_of_infinite_runs() {
    let text = |then: &str, turn: &str| {
        format!(
            "algorithm source_and_sink
assumes complete, one Source
message M
role Source
  var x : 0..1
  state s
    choose k in {{1, 3}}
    for i in 1..k do send M to neighbours od
    {then}
  state t
    {turn}
role Sink
  state u
    ignore M
bound few: messages <= 5
bound at_least: messages >= 1
exactly three: messages = 3
"
        )
    };
    let found = |then: &str, turn: &str, options: ExploreOptions| {
        let instance = on(&source(&text(then, turn)), "complete(2)").build();
        let found = explored(&instance, options);
        let known = |name: &str| {
            let number = instance.program.properties.iter().position(|p| p.name == name);
            let extremes = found.extremes.iter().find(|(property, ..)| Some(*property) == number);
            let verdict = found.verdicts.iter().find(|v| v.name == name).map(|v| v.why.to_string());
            (verdict.unwrap_or_default(), extremes.map(|(_, least, most)| (*least, *most)))
        };
        ["few", "at_least", "three"].map(known)
    };
    let one_to_three = || (String::from("from 1 to 3"), Some((Some(1), Some(3))));
    for options in ways() {
        // With partial-order reduction, the fairness of infinite runs cannot be determined.
        let either = |exactly: &str, least: i64| match options.reduce {
            true => (String::from("at most 3"), Some((None, Some(3)))),
            false => (exactly.into(), Some((Some(least), Some(3)))),
        };
        let [few, some, three] = found("become t", "pause", options);
        assert_eq!(few, either("from 1 to 3", 1));
        assert_eq!(
            [some, three],
            [
                ("no run ends, so properties of ends hold vacuously".into(), None),
                ("no run ends, so properties of ends hold vacuously".into(), None)
            ]
        );
        // Only a process that has sent three messages ends.
        let [few, some, three] = found("if k = 3 -> halt [] k = 1 -> become t fi", "pause", options);
        assert_eq!(few, either("from 1 to 3", 1));
        let every = (String::from("3 in every run that ends"), Some((Some(3), Some(3))));
        assert_eq!([some, three], [every.clone(), every]);
        // An end of the same cost exists in any case.
        let turn = "when true -> x := 1 - x\n    when true -> halt";
        let [few, some, _] = found("become t", turn, options);
        assert_eq!([few, some], [one_to_three(), one_to_three()]);
        // Repeating without ever taking the message is cheaper, but unfair.
        let waiting = "algorithm waiting
assumes complete, one Source
message M
role Source
  state s
    send M to neighbours
    become t
  state t
    ignore M
role Sink
  var x : 0..1
  state u
    when true -> x := 1 - x
    on M -> send M to neighbours
bound few: messages <= 5
";
        let why = explored(&on(&source(waiting), "complete(2)").build(), options).verdicts[0].why.to_string();
        assert_eq!(why, if options.reduce { "at most 2" } else { "2 in every run" });
    }
}

/// Each call costs two messages, and there may be any number of calls: growing cost in itself decides nothing.
#[test]
fn costs_of_infinitely_many_calls() {
    let problem = "problem Going\noperation go\n  algorithm.go\nclient\n  choose more in {false, true}\n\
        \x20 do more -> pause; go; choose again in {false, true}; more := again od\n";
    let goes = |bound: &str| {
        format!(
            "algorithm goes solves Going\nassumes complete, fifo, anonymous\nmessage Ask, Yes\n\
             operation go\n  send Ask to neighbours\n  receive Yes\n\
             always\n  on Ask from p -> send Yes to p\nbound c: messages per go {bound}\n"
        )
    };
    for (bound, why) in [
        ("<= 3", Ok("from arbitrarily low to exactly the limit of 3 for each")),
        ("<= 2", Ok("2 for each in every run that ends")),
        (">= 2", Ok("2 for each in every run that ends")),
        ("<= 1", Err("it grows without bound")),
        (">= 3", Err("it decreases without bound")),
    ] {
        let checked = check("test.syn", &goes(bound), &|name| match name {
            "Going" => Some(("going.syn".into(), problem.into())),
            _ => synod::internals::library::source(name),
        });
        let program = checked.program.map(Arc::new).unwrap_or_else(|| panic!("{problem}{}", goes(bound)));
        let instance = on(&program, "complete(2)").build();
        for options in ways() {
            let found = explored(&instance, options);
            let verdict = &found.verdicts[0];
            let said = verdict.why.to_string();
            let judged = match verdict.judgement {
                Judgement::Violated => Err(said.as_str()),
                _ => Ok(said.as_str()),
            };
            assert_eq!(judged, why, "{bound}");
            if let [shown] = found.counterexamples.as_slice() {
                let mut configuration = Configuration::initial(&instance);
                let metrics = replay(&instance, &mut configuration, &shown.events, &mut Unobserved).unwrap();
                assert_eq!(all_messages(&metrics), 2 * metrics.returns.iter().sum::<u64>(), "{bound}");
            }
        }
    }
}

/// Causal chains grow where messages are sent: the first sending determines the chains along the run, although nothing else
/// distinguishes the orders.
#[test]
fn chain_lengths_depend_on_the_order() {
    let text = "algorithm in_turn
assumes unidirectional ring, fifo, anonymous, one Root
message M
var x : Int
role Root
  state s
    send M
    receive M
    send M
    receive M
    halt
role Other
  state t
    send M
    receive M
    x := 1
    become u
  state u
    receive M
    send M
    halt
invariant late: (some p: p.x = 1) implies time >= 2
stable early: time < 2 or (some p: p.x = 1)
";
    let instance = on(&source(text), "ring(2)").build();
    for options in ways() {
        let found = explored(&instance, options);
        let verdicts: Vec<Judgement> = found.verdicts.iter().map(|v| v.judgement).collect();
        assert_eq!(verdicts, [Judgement::Violated, Judgement::Violated], "reduce: {}", options.reduce);
    }
}

/// Equal messages in an unordered channel, the later one with a longer causal past: the counterexample takes the message that
/// causes the violation.
#[test]
fn equal_messages_are_distinguished_in_counterexamples() {
    // The second A carries a longer chain.
    let chain = "algorithm chain
assumes complete, reliable, unordered, integer ids

message A, N, C
var begun : Bool
var done  : Bool

when int(id) = 2 and not begun -> begun := true; send N to neighbours
when int(id) = 1 and not begun -> begun := true; send A to neighbours

on N ->
  if int(id) = 1 -> send A to neighbours
  [] otherwise -> skip
  fi

on A ->
  if int(id) = 3 and not done -> done := true; send C to neighbours
  [] otherwise -> skip
  fi

on C -> skip

invariant short: forall p with int(p.id) = 1: p.begun implies time <= 2
";
    // The effect of the second A may be found before that of the first.
    let late = "algorithm late solves Multicast(order: none) without validity, agreement
assumes complete, reliable, unordered, integer ids

message A, N
var begun : Bool
var said  : Bool
var k     : Int
var sends : Int

operation multicast(m)
  skip

when int(id) = 2 and not begun -> begun := true; deliver(\"r\"); send N to neighbours
when int(id) = 1 and not said and k < 6 -> k := k + 1
when int(id) = 1 and not said and k = 6 -> said := true; deliver(\"p\"); say

procedure say
  sends := sends + 1
  send A to neighbours

on N ->
  if int(id) = 1 and not said -> said := true; deliver(\"p\"); say
  [] int(id) = 1              -> say
  [] otherwise                -> skip
  fi

on A ->
  if int(id) = 3 -> deliver(\"q\")
  [] otherwise -> skip
  fi

order heard:
  forall a in upcalls of deliver, b in upcalls of deliver
      with int(a.process.id) = 2 and int(b.process.id) = 3 and b.nth = 1 and (some p: p.sends = 2):
    a happened before b
";
    let shown = |instance: &Instance, property: &str, taken: u32| {
        for options in ways() {
            let found = explore(instance, Some(&[property.into()]), &options, &mut |_| None);
            let [counterexample] = found.counterexamples.as_slice() else { panic!("{property} holds") };
            assert!(explain(instance, counterexample).is_some(), "{property}: {options:?}");
            let last = counterexample.events.last().map(|event| event.cause.clone());
            assert!(matches!(last, Some(Cause::Deliver { position, .. }) if position == taken), "{last:?}");
        }
    };
    shown(&on(&source(chain), "complete(3)").build(), "short", 1);
    shown(&on(&source(late), "complete(3)").param("multicasts", 0).build(), "heard", 0);
}
