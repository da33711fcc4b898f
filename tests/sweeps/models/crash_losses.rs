//! Messages in transit that a crash loses. Literature: Cachin, Guerraoui and Rodrigues (2011), chapter 3.

use crate::common::*;
use std::sync::Arc;
use synod::internals::explore::{Exploration, ExploreOptions, explore};
use synod::internals::ir::{Fault, FaultTexts, Program};
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

/// p0 sends 1, 2 and 3 to p1. `got` lists the numbers that have arrived.
fn sequence(assumed: &str, properties: &str) -> Arc<Program> {
    source(&format!(
        "algorithm sequence
assumes complete, unique ids, integer ids, knows peers, crashes{assumed}
message M(k: Int)
var got : list of Int
state s
  if int(id) = 1 -> for k in 1..3 do send M(k) to others; pause od [] otherwise -> skip fi
  become t
state t
on M(k) -> got := got + [k]
{properties}"
    ))
}

/// A FIFO channel loses its last messages, so a prefix arrives. Without an order, any subset arrives.
#[test]
fn fifo_channels_lose_a_suffix() {
    let properties = "
invariant prefix: forall p: p.got in {[], [1], [1, 2], [1, 2, 3]}
finally complete: forall p with p.up: p.got = [] or size(p.got) = 3
";
    let found = explored(&sequence("", properties), "complete(2)", "crash<=1");
    assert_eq!(judgement(&found, "prefix"), Judgement::Holds);
    assert_eq!(judgement(&found, "complete"), Judgement::Violated);
    let found = explored(&sequence(", unordered", properties), "complete(2)", "crash<=1");
    assert_eq!(judgement(&found, "prefix"), Judgement::Violated);
}

/// All prefixes arrive at some end, whichever process crashes.
#[test]
fn every_prefix_arrives() {
    let found = explored(&sequence("", ""), "complete(2)", "crash<=1");
    let seen = |text: &str| {
        found.ends.iter().any(|end| end.outputs.contains(text) && end.outputs.contains("down: p0"))
    };
    for got in ["got = [], []", "got = [], [1]", "got = [], [1, 2]", "got = [], [1, 2, 3]"] {
        assert!(seen(got), "{got}: {:#?}", found.ends);
    }
    assert!(!seen("got = [], [2"));
}

/// Messages that a crash has not lost arrive before those that the process sends after its restart.
#[test]
fn a_restarted_process_sends_after_its_gaps() {
    let program = source(
        "algorithm lives
assumes complete, unique ids, integer ids, knows peers, crashes, restarts
message M(life: Int, k: Int)
persistent var lives : Int := 0
var got : list of Int
state s
  if int(id) = 1 -> lives := lives + 1; for k in 1..2 do send M(lives, k) to others; pause od
  [] otherwise -> skip
  fi
  become t
state t
on M(life, k) -> got := got + [10 * life + k]
finally nothing_missing: forall p with p.id = 2 and p.up: p.got != [11, 21, 22]
finally all: forall p with p.id = 2 and p.up: p.got != [11, 12, 21, 22]
finally never: forall p with p.id = 2 and p.up: p.got != [12, 21, 22]
",
    );
    let found = explored(&program, "complete(2)", "crash<=1, restart<=1");
    assert_eq!(judgement(&found, "nothing_missing"), Judgement::Violated);
    assert_eq!(judgement(&found, "all"), Judgement::Violated);
    assert_eq!(judgement(&found, "never"), Judgement::Holds);
}

/// In a system with time, a lost message delays nothing.
#[test]
fn a_lost_message_does_not_hold_up_time() {
    let program = source(
        "algorithm timely
assumes complete, unique ids, integer ids, knows peers, crashes, delay <= 2
message M
var late, got : Bool
state s
  if int(id) = 1 -> send M to others; halt
  [] otherwise ->
    if receive M -> got := true; halt
    [] after 9   -> late := true; halt
    fi
  fi
finally got_or_late: forall p with p.id = 2 and p.up: p.got or p.late
finally got_it: forall p with p.id = 2 and p.up: p.got
",
    );
    let found = explored(&program, "complete(2)", "crash<=1");
    assert_eq!(judgement(&found, "got_or_late"), Judgement::Holds);
    assert_eq!(judgement(&found, "got_it"), Judgement::Violated);
}

/// A `receive … from each` that needs a message of a process that is down need not happen.
#[test]
fn a_gathering_may_wait_for_a_lost_message() {
    let program = source(
        "algorithm gather
assumes complete, unique ids, integer ids, knows peers, crashes
message M
var done : Bool
state s
  send M to others
  receive M from each p in others
  done := true
  halt
eventually all_done: forall p with p.up: p.done
",
    );
    let found = explored(&program, "complete(3)", "crash<=1");
    assert_eq!(judgement(&found, "all_done"), Judgement::Violated);
    let found = explored(&program, "complete(3)", "");
    assert_eq!(judgement(&found, "all_done"), Judgement::Holds);
}

/// The same if several messages of the crashed process are there to choose from.
#[test]
fn a_gathering_with_choices_may_wait_for_a_lost_message() {
    let program = source(
        "algorithm choices
assumes complete, unordered, unique ids, integer ids, knows peers, crashes
message M(k: Int)
var done : Bool
state s
  send M(1) to others
  send M(2) to others
  receive M(_) from each p in others
  done := true
  halt
ignore M
finally all_done: forall p with p.up: p.done
",
    );
    let found = explored(&program, "complete(2)", "crash<=1");
    assert_eq!(judgement(&found, "all_done"), Judgement::Violated);
    assert!(found.disagreements.is_empty());
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
  expect p1.got = [1, 2, 3] or p1.got = [1, 2] or p1.got = [1]
scenario lost on complete(2) with schedule told
  step p0
  step p0
  crash p0
  lose p0 -> p1
  deliver p0 -> p1 M
  expect p1.got = [1]
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

/// Random runs lose messages, too, and every run is one of the explored ones.
#[test]
fn random_runs_lose_messages() {
    let program = sequence("", "");
    let instance = on(&program, "complete(2)").faults(&[(Fault::Crash, 1)]).build();
    let got = |seed| {
        let run = run(&instance, synod::internals::simulate::Schedule::Random, seed);
        format!("{:?}", variable(&instance, &run.configuration, 1, "got"))
    };
    let all: std::collections::BTreeSet<String> = (0..300).map(got).collect();
    assert!(all.len() >= 4, "{all:?}");
}
