//! Weak fairness: each message of an unordered channel, messages that are taken together, reports of detectors.

use crate::common::*;
use synod::internals::explore::{ExploreOptions, UnfairStep, explore, is_same, owed};
use synod::internals::ids::ProcessId;
use synod::internals::ir::Fault;
use synod::internals::property::Judgement::{self, Holds, Violated};
use synod::internals::semantics::event::{Cause, Event};
use synod::internals::semantics::{Configuration, Machine, enabled, initial};

/// Return the judgements of all properties, in order. Cycles are checked to be fair when they are replayed.
fn judged(text: &str, topology: &str, faults: &[(Fault, u32)]) -> Vec<Judgement> {
    let instance = on(&source(text), topology).faults(faults).build();
    let found = explore(
        &instance,
        None,
        &ExploreOptions { keep_going: true, ..ExploreOptions::default() },
        &mut |_| None,
    );
    assert_eq!(found.stopped_by, None);
    for shown in found.counterexamples.iter().filter(|c| c.repeats_from.is_some()) {
        let (from, mut machine) = (shown.repeats_from.unwrap(), Machine::new(&instance));
        let mut begun = Configuration::initial(&instance);
        for event in &shown.events[..from] {
            machine.replay(&instance, &mut begun, event).unwrap();
        }
        assert_eq!(owed(&instance, &begun, &shown.events[from..]), None);
    }
    found.verdicts.iter().map(|v| v.judgement).collect()
}

/// A circulates; B is received as well, whether it may overtake or not.
#[test]
fn every_message_of_an_unordered_channel_is_received() {
    for (order, resent) in [("unordered", "A"), ("fifo", "A"), ("unordered", "A(k)"), ("fifo", "A(k)")] {
        let (field, took) = if resent == "A" { ("", "A") } else { ("(k: 0..2)", "A(k)") };
        let (first, next) = if field.is_empty() { ("A", "A") } else { ("A(0)", "A((k + 1) mod 3)") };
        let text = format!(
            "algorithm bounces
assumes complete, {order}, unique ids, knows peers, one Source
message A{field}, B
var done : Bool
role Source
  state s
    send {first} to others
    send B to others
    become t
  state t
    on {took} -> send {next} to Sink
role Sink
  state u
    on {took} from p -> send {resent} to p
    on B -> done := true
eventually b_comes: forall p in Sink: p.done"
        );
        assert_eq!(judged(&text, "complete(2)", &[]), [Holds], "{text}");
    }
}

/// Repeatedly take the first enabled `wanted` step, as given, and return the unfairness of this cycle. The first `before` steps
/// precede the cycle.
fn owed_by(
    text: &str,
    faults: &[(Fault, u32)],
    before: usize,
    wanted: &[&dyn Fn(&Event) -> bool],
) -> Option<UnfairStep> {
    let instance = on(&source(text), "complete(2)").faults(faults).build();
    let mut machine = Machine::new(&instance);
    let mut configuration = initial(&instance);
    let (mut begun, mut events) = (configuration.clone(), Vec::new());
    for (number, wanted) in wanted.iter().enumerate() {
        if number == before {
            begun = configuration.clone();
        }
        let event = enabled(&instance, &configuration).into_iter().find(|event| wanted(event)).unwrap();
        machine.replay(&instance, &mut configuration, &event).unwrap();
        events.push(event);
    }
    assert!(is_same(&instance, &begun, &configuration));
    owed(&instance, &begun, &events[before..])
}

/// The replay of an unfair cycle reports the neglected constraint.
#[test]
fn unfairness_of_a_cycle_is_reported() {
    let any = |_: &Event| true;
    let to = |process| move |event: &Event| event.process == process;
    let (to_0, to_1) = (to(ProcessId(0)), to(ProcessId(1)));
    let bounces = "algorithm bounces
assumes complete, unordered, unique ids, knows peers, one Source
message A, B
role Source
  state s
    send A to others
    send B to others
    become t
  state t
    on A -> send A to Sink
role Sink
  state u
    on A from p -> send A to p
    on B -> skip";
    let found = owed_by(bounces, &[], 2, &[&any, &any, &to_1, &to_0]);
    assert_eq!(found, Some(UnfairStep::Message { from: ProcessId(0), to: ProcessId(1) }));
    let restless = "algorithm restless
assumes complete, fifo, unique ids, knows peers, crashes, detector
var x : 0..1
state s
  when true -> x := 1 - x
  on suspect(p) -> halt";
    let crash = |event: &Event| event.process == ProcessId(1) && event.cause == Cause::Crash;
    let moves = |event: &Event| event.process == ProcessId(0) && event.cause == Cause::Internal;
    let found = owed_by(restless, &[(Fault::Crash, 1)], 3, &[&any, &any, &crash, &moves, &moves]);
    assert_eq!(found, Some(UnfairStep::Detector { of: ProcessId(1), at: ProcessId(0) }));
}

/// Equal messages are one constraint: when one of them is taken, the others may wait. And a message that is not continuously
/// enabled may never be taken.
#[test]
fn equal_messages_are_one_constraint() {
    let text = "algorithm now_and_then
assumes complete, unordered, unique ids, knows peers, one Source
message A, B
var done : Bool
role Source
  state s
    send A to others
    send B to others
    become t
  state t
    on A -> send A to Sink
role Sink
  state open
    on A from p -> send A to p; become closed
    on B -> done := true
  state closed
    on A from p -> send A to p; become open
eventually b_comes: forall p in Sink: p.done";
    assert_eq!(judged(text, "complete(2)", &[]), [Violated]);
}

/// A step that takes one message of each of several channels takes each of them.
#[test]
fn messages_taken_together_are_taken() {
    for (order, receive) in [
        ("fifo", "receive M from each p in others"),
        ("unordered", "receive M from each p in others"),
        ("fifo", "receive M"),
        ("unordered", "receive M"),
    ] {
        for n in if receive == "receive M" { 2..=2 } else { 2..=3 } {
            let text = format!(
                "algorithm gathers
assumes complete, {order}, unique ids, knows peers
message M
var x : 0..1
var done : Bool
state s
  send M to others
  {receive}
  done := true
  become t
  when true -> x := 1 - x
state t
eventually d for p: p.done"
            );
            assert_eq!(judged(&text, &format!("complete({n})"), &[]), [Holds], "{text}");
        }
    }
}

/// A detector reports even to a process that is never idle, unless its handler is disabled repeatedly.
#[test]
fn a_busy_process_hears_its_detector() {
    let text = |guard: &str| {
        format!(
            "algorithm hears
assumes complete, fifo, unique ids, knows peers, crashes, restarts, eventually perfect detector
var x : 0..1
var sus : 0..3
state s
  when sus = 0 -> x := 1 - x
  on suspect(p){guard} -> sus := 1
  on trust(p) -> sus := 2
leads told for p: (p.up and some q: not q.up) leads to p.sus = 1 or not p.up
leads taken_back for p: p.sus = 1 leads to p.sus = 2 or some q: not q.up"
        )
    };
    let faults = [(Fault::Crash, 1), (Fault::Suspicion, 1)];
    assert_eq!(judged(&text(""), "complete(2)", &faults), [Holds, Holds]);
    assert_eq!(judged(&text(" when x = 0"), "complete(2)", &faults)[0], Violated);
}

/// If a wrong oracle were never corrected, a process that believes it would wait forever: liveness holds since it is corrected.
/// Effects of a wrong answer need not occur, since no oracle must err.
#[test]
fn oracles_are_eventually_right() {
    let text = |waits: &str, acts: &str| {
        format!(
            "algorithm trusts_its_oracle
assumes complete, anonymous, pairwise interactions, oracle somebody, oracles err
var done : Bool
var turn : 0..1
function somebody() : Bool = some p: p.done
on interaction(v) when {waits} and not done -> turn := 1 - turn
on interaction(v) when {acts} and not done -> done := true
eventually acted: some p: p.done"
        )
    };
    let lies = [(Fault::OracleError, 2)];
    for n in ["complete(2)", "complete(3)"] {
        assert_eq!(judged(&text("somebody()", "not somebody()"), n, &[]), [Holds]);
        assert_eq!(judged(&text("somebody()", "not somebody()"), n, &lies), [Holds]);
        assert_eq!(judged(&text("not somebody()", "somebody()"), n, &lies), [Violated]);
    }
}
