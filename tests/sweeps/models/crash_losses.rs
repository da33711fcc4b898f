//! Messages in transit that a crash loses. Literature: Cachin, Guerraoui and Rodrigues (2011), chapter 3.

use crate::common::*;
use std::sync::Arc;
use synod::internals::explore::{Exploration, ExploreOptions, explore};
use synod::internals::ids::ProcessId;
use synod::internals::ir::{FaultTexts, Program, Value};
use synod::internals::property::Judgement;

fn explored(program: &Arc<Program>, network: &str, faults: &str) -> Exploration {
    let faults = FaultTexts::parse(faults).expect("a fault budget");
    let instance = on(program, network).fault_texts(&faults).build();
    let options =
        |implicit_losses| ExploreOptions { implicit_losses, keep_going: true, ..ExploreOptions::default() };
    let [implicit, steps] =
        [true, false].map(|implicit| explore(&instance, None, &options(implicit), &mut |_| None));
    let verdicts = |found: &Exploration| {
        found.verdicts.iter().map(|v| (v.name.clone(), v.judgement)).collect::<Vec<_>>()
    };
    assert_eq!(verdicts(&implicit), verdicts(&steps));
    assert!(implicit.configurations <= steps.configurations);
    implicit
}

fn judgement(found: &Exploration, name: &str) -> Judgement {
    found.verdicts.iter().find(|verdict| verdict.name == name).expect("the property").judgement
}

/// Check that a property is violated exactly because the crash loses messages in transit.
#[track_caller]
fn only_losses_violate(program: &Arc<Program>, network: &str, faults: &str, name: &str) {
    assert_eq!(judgement(&explored(program, network, faults), name), Judgement::Violated);
    let kept = explored(program, network, &format!("{faults}, messages survive"));
    assert_eq!(judgement(&kept, name), Judgement::Holds);
}

/// The broadcasts below deliver one message of the process with the least id.
const HEADER: &str = "
assumes complete, unordered, unique ids, knows peers, knows n, crashes <= f
param f : Int = 1
message Data
";

/// «Eager reliable broadcast» (algorithm 3.3): each process relays a message before it delivers it.
fn eager() -> Arc<Program> {
    source(&format!(
        "algorithm eager{HEADER}
var delivered : Bool
state s
  if id = min(everybody) -> send Data to others; delivered := true [] otherwise -> skip fi
  become t
state t
on Data -> if not delivered -> send Data to others; delivered := true [] otherwise -> skip fi
finally agreement: (some p with p.up: p.delivered) implies forall q with q.up: q.delivered
finally uniform_agreement: (some p: p.delivered) implies forall q with q.up: q.delivered
leads uniform: (some p: p.delivered) leads to forall q with q.up: q.delivered
"
    ))
}

/// «Majority-ack uniform reliable broadcast» (algorithm 3.5), which delivers after this many acknowledgements.
fn majority(enough: &str) -> Arc<Program> {
    source(&format!(
        "algorithm majority{HEADER}
var pending, delivered : Bool
var acks : set of Id
state s
  if id = min(everybody) -> pending := true; send Data to everybody [] otherwise -> skip fi
  become t
state t
on Data from p ->
  acks := acks + {{p}}
  if pending -> skip
  [] otherwise -> pending := true
                  send Data to everybody
  fi
when pending and {enough} and not delivered -> delivered := true
finally uniform_agreement: (some p: p.delivered) implies forall q with q.up: q.delivered
finally validity: forall p with p.id = 1 and p.up: p.delivered
"
    ))
}

#[test]
fn eager_reliable_broadcast_is_not_uniform() {
    let found = explored(&eager(), "complete(3)", "crash<=1");
    assert_eq!(judgement(&found, "agreement"), Judgement::Holds);
    assert_eq!(judgement(&found, "uniform_agreement"), Judgement::Violated);
    assert_eq!(judgement(&found, "uniform"), Judgement::Violated);
    let found = explored(&eager(), "complete(3)", "crash<=1, messages survive");
    for name in ["agreement", "uniform_agreement", "uniform"] {
        assert_eq!(judgement(&found, name), Judgement::Holds, "{name}");
    }
}

#[test]
fn a_majority_makes_the_broadcast_uniform() {
    let right = explored(&majority("2 * size(acks) > n"), "complete(3)", "crash<=1");
    assert_eq!(judgement(&right, "uniform_agreement"), Judgement::Holds);
    assert_eq!(judgement(&right, "validity"), Judgement::Holds);
    let wrong = explored(&majority("size(acks) >= 1"), "complete(3)", "crash<=1");
    assert_eq!(judgement(&wrong, "uniform_agreement"), Judgement::Violated);
    let kept = explored(&majority("size(acks) >= 1"), "complete(3)", "crash<=1, messages survive");
    assert_eq!(judgement(&kept, "uniform_agreement"), Judgement::Holds);
}

/// p0 sends 1, 2 and 3 to p1. `got`: what has arrived; `sent`: p0 has sent all.
fn sequence(assumed: &str, properties: &str) -> Arc<Program> {
    source(&format!(
        "algorithm sequence
assumes complete, unique ids, integer ids, knows peers, crashes{assumed}
message M(k: Int)
var got : list of Int
var sent : Bool
state s
  if int(id) = 1 -> for k in 1..3 do send M(k) to others od; sent := true [] otherwise -> skip fi
  become t
state t
on M(k) -> got := got + [k]
{properties}"
    ))
}

/// A FIFO channel loses its last messages, so that a prefix arrives.
#[test]
fn fifo_channels_lose_a_suffix() {
    let program = sequence(
        "",
        "
invariant prefix: forall p: p.got in {[], [1], [1, 2], [1, 2, 3]}
finally complete: (some p: p.sent) implies forall p with p.id = 2 and p.up: size(p.got) = 3
",
    );
    only_losses_violate(&program, "complete(2)", "crash<=1", "complete");
    assert_eq!(judgement(&explored(&program, "complete(2)", "crash<=1"), "prefix"), Judgement::Holds);
}

/// Without an order any subset arrives, also the last message alone.
#[test]
fn channels_without_order_lose_any_message() {
    let program =
        sequence(", unordered", "finally others: (some p: p.sent) implies forall p with p.up: p.got != [3]");
    only_losses_violate(&program, "complete(2)", "crash<=1", "others");
}

/// All prefixes arrive at some end at which p0 has sent all.
#[test]
fn every_prefix_arrives() {
    let found = explored(&sequence("", ""), "complete(2)", "crash<=1");
    let seen = |got: &str| {
        let is_meant = |outputs: &str| {
            outputs.contains(&format!("got = [], {got}; sent = true")) && outputs.contains("down: p0")
        };
        found.ends.iter().any(|end| is_meant(&end.outputs))
    };
    for got in ["[]", "[1]", "[1, 2]", "[1, 2, 3]"] {
        assert!(seen(got), "{got}: {:#?}", found.ends);
    }
    assert!(!seen("[2]") && !seen("[3]") && !seen("[2, 3]") && !seen("[1, 3]"));
}

/// Messages that a crash has not lost arrive before those that the process sends after its restart.
#[test]
fn a_restarted_process_sends_after_its_gaps() {
    let program = source(
        "algorithm lives
assumes complete, unique ids, integer ids, knows peers, crashes, restarts
message M(life: Int, k: Int)
persistent var lives, sent : Int := 0
var got : list of Int
state s
  if int(id) = 1 -> lives := lives + 1
                    for k in 1..2 do send M(lives, k) to others od
                    sent := sent + 2
  [] otherwise   -> skip
  fi
  become t
state t
on M(life, k) -> got := got + [10 * life + k]
finally no_gap: (some p: p.sent = 4) implies forall p with p.up: p.got != [11, 21, 22]
finally gap_in_front: (some p: p.sent = 4) implies forall p with p.up: p.got != [12, 21, 22]
finally late: (some p: p.sent = 4) implies forall p with p.up: p.got != [11, 21, 12, 22]
",
    );
    only_losses_violate(&program, "complete(2)", "crash<=1, restart<=1", "no_gap");
    let found = explored(&program, "complete(2)", "crash<=1, restart<=1");
    assert_eq!(judgement(&found, "gap_in_front"), Judgement::Holds);
    assert_eq!(judgement(&found, "late"), Judgement::Holds);
}

/// In a system with time, a lost message delays nothing.
#[test]
fn a_lost_message_does_not_hold_up_time() {
    let program = source(
        "algorithm timely
assumes complete, unique ids, integer ids, knows peers, crashes, delay <= 2
message M
var late, got, sent : Bool
state s
  if int(id) = 1 -> send M to others; sent := true; halt
  [] otherwise ->
    if receive M -> got := true; halt
    [] after 9   -> late := true; halt
    fi
  fi
finally got_or_late: forall p with p.id = 2 and p.up: p.got or p.late
finally got_it: (some p: p.sent) implies forall p with p.id = 2 and p.up: p.got
",
    );
    let found = explored(&program, "complete(2)", "crash<=1");
    assert_eq!(judgement(&found, "got_or_late"), Judgement::Holds);
    only_losses_violate(&program, "complete(2)", "crash<=1", "got_it");
}

/// A `receive … from each` that needs a message of a process that is down need not happen.
#[test]
fn a_gathering_may_wait_for_a_lost_message() {
    let program = source(
        "algorithm gather
assumes complete, unique ids, integer ids, knows peers, crashes
message M
var sent, done : Bool
state s
  send M to others
  sent := true
  receive M from each p in others
  done := true
  halt
eventually all_done: (forall p: p.sent) implies forall p with p.up: p.done
",
    );
    only_losses_violate(&program, "complete(3)", "crash<=1", "all_done");
}

/// The same if several messages of the crashed process are there to choose from.
#[test]
fn a_gathering_with_choices_may_wait_for_a_lost_message() {
    let program = source(
        "algorithm choices
assumes complete, unordered, unique ids, integer ids, knows peers, crashes
message M(k: Int)
var sent, done : Bool
state s
  send M(1) to others
  send M(2) to others
  sent := true
  receive M(_) from each p in others
  done := true
  halt
ignore M
finally all_done: (forall p: p.sent) implies forall p with p.up: p.done
",
    );
    only_losses_violate(&program, "complete(2)", "crash<=1", "all_done");
    // Each counterexample has been replayed.
    assert!(explored(&program, "complete(2)", "crash<=1").disagreements.is_empty());
}

/// Lines of a scenario lose messages of a process that is down, the last one first; a crash line alone loses none.
#[test]
fn scenarios_lose_messages_of_a_crashed_process() {
    let program = sequence(
        "",
        "
scenario kept on complete(2)
  hold p0 -> p1
  crash p0
  release
  expect p1.got = [1, 2, 3]
scenario lost on complete(2) with schedule told
  crash p0
  lose p0 -> p1
  deliver p0 -> p1 M
  deliver p0 -> p1 M
  expect p1.got = [1, 2]
  expect outcome quiescent
",
    );
    for scenario in &program.scenarios {
        let played = synod::internals::scenario::play(
            &program,
            scenario,
            &Default::default(),
            &mut |_, _, _, _, _| {},
        );
        assert!(played.passed(), "{}: {:#?}", scenario.name, played.failures);
    }
}

/// Random runs lose messages, too, but not if messages survive.
#[test]
fn random_runs_lose_messages() {
    let program = sequence("", "");
    let gaps = |faults: &str| {
        let faults = FaultTexts::parse(faults).expect("a fault budget");
        let instance = on(&program, "complete(2)").fault_texts(&faults).build();
        let has_gap = |seed: &u64| {
            let run = run(&instance, synod::internals::simulate::Schedule::Random, *seed);
            let value = |process: u32, name| variable(&instance, &run.configuration, process, name);
            let up = !run.configuration.crashed(ProcessId(1));
            let got = value(1, "got");
            value(0, "sent") == Value::Bool(true) && up && got != Value::list((1..=3).map(Value::Int))
        };
        (0..300).filter(has_gap).count()
    };
    assert!(gaps("crash<=1") > 0);
    assert_eq!(gaps("crash<=1, messages survive"), 0);
}
