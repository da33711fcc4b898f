//! Joint steps: several events, with unobservable configurations between them.

use crate::common::*;
use std::sync::Arc;
use synod::internals::check::check;
use synod::internals::instance::Instance;
use synod::internals::ir::Program;
use synod::internals::property::Judgement;
use synod::internals::semantics::event::{Cause, Event};
use synod::internals::semantics::{Machine, initial};
use synod::internals::simulate::{Outcome, Schedule, SimulateOptions, simulate};
use synod::internals::trace::{End, Header, Recorder, Trace};

fn program(text: &str) -> Arc<Program> {
    let checked = check("test.syn", text, &synod::internals::library::source);
    let found: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
    Arc::new(checked.program.unwrap_or_else(|| panic!("{found:#?}")))
}

const COUNTING: &str = "
algorithm counting assumes bidirectional ring, synchronous
var x : Int
state s
  do x < 5 -> send x to neighbours
              round
              x := x + 1
  od
  halt
invariant in_step: forall p, q: p.x = q.x
eventually five: forall p: p.x = 5
";

#[test]
fn properties_are_checked_between_rounds_only() {
    let instance = on(&program(COUNTING), "ring(4)").build();
    let judged = judge(&instance, Schedule::Fifo, 0, 1000);
    assert_eq!(judged.run.outcome, Outcome::Terminated);
    let verdict = &judged.verdicts[0];
    assert_eq!(
        (verdict.judgement, verdict.why.to_string().as_str()),
        (Judgement::Holds, "in all 6 configurations")
    );
}

#[test]
fn a_run_may_be_cut_in_the_middle_of_a_round() {
    let instance = on(&program(COUNTING), "ring(4)").build();
    for steps in 0..24 {
        let judged = judge(&instance, Schedule::Fifo, 0, steps);
        assert_eq!(judged.run.outcome, Outcome::Limit);
        assert_eq!(judged.run.configuration.in_joint_step(), steps > 4 && !steps.is_multiple_of(4));
        assert_eq!(judged.verdicts[0].judgement, Judgement::Holds);
        assert_eq!(judged.verdicts[1].judgement, Judgement::Pending, "after {steps}");
    }
}

#[test]
fn in_the_middle_of_a_round_only_the_next_part_is_possible() {
    let instance = on(&program(COUNTING), "ring(4)").build();
    let mut configuration = initial(&instance);
    let mut machine = Machine::new(&instance);
    (0..4).for_each(|p| machine.replay(&instance, &mut configuration, &event(p, Cause::Start)).unwrap());
    let round = |p| event(p, Cause::Round { round: 1 });
    for p in 0..4 {
        assert_eq!(machine.enabled(&instance, &configuration), [round(p)]);
        for other in (0..4).filter(|q| *q != p).map(round) {
            assert!(machine.replay(&instance, &mut configuration.clone(), &other).is_err());
        }
        let wrong = event(p, Cause::Round { round: 2 });
        assert!(machine.replay(&instance, &mut configuration.clone(), &wrong).is_err());
        machine.replay(&instance, &mut configuration, &round(p)).unwrap();
    }
    assert!(!configuration.in_joint_step());
}

/// Both forms of the trace can be read back, and replayed.
fn goes_again(instance: &Instance, schedule: Schedule, steps: u64) {
    let header = Header::of(instance, &[], "fifo", 0);
    let mut recorder = Recorder::new(instance, header, &initial(instance));
    let options = SimulateOptions { schedule, max_steps: Some(steps), ..SimulateOptions::default() };
    let run = simulate(instance, &options, &mut recorder);
    let trace = recorder.finish(End::of(&run.outcome));
    assert_eq!(Trace::read(&trace.to_text()).unwrap(), trace);
    assert_eq!(Trace::read(&trace.to_lines()).unwrap(), trace);
    let replay = trace.replay(instance);
    assert!(replay.reproduced(), "{}", replay.summary());
}

#[test]
fn traces_of_rounds_slots_and_moves_are_replayed() {
    goes_again(&on(&library("flooding"), "ring(5)").build(), Schedule::Fifo, 1000);
    goes_again(&ring(&library("time_slice"), &[4, 3, 8]), Schedule::Random, 1000);
    goes_again(&on(&library("beeping"), "petersen").build(), Schedule::Fifo, 10_000);
    for schedule in FIXED {
        goes_again(&on(&library("k_state_ring"), "ring(4)").build(), schedule, 100);
    }
}

#[test]
fn messages_to_halted_processes_are_gone() {
    let text = "
algorithm early assumes line, synchronous, integer ids
state s
  for r in 1..int(id) do
    send r to neighbours
    round
  od
  if received = {} -> skip [] otherwise -> skip fi
  halt
";
    let instance = on(&program(text), "line(3)").build();
    let judged = judge(&instance, Schedule::Fifo, 0, 1000);
    assert_eq!(judged.run.outcome, Outcome::Terminated);
    assert_eq!((judged.run.metrics.rounds, judged.run.metrics.messages()), (3, 1 + 4 + 3));
}

const WAKING: &str = "
algorithm waking assumes bidirectional ring, synchronous, START
message Wave
var by_itself : Bool
state asleep
  on wakeup  -> by_itself := true
                send Wave to neighbours
                become awake
  on arrival -> send Wave to neighbours
                become awake
state awake
  halt
";

#[test]
fn initiators_wake_in_the_first_round_and_spontaneous_starts_in_any() {
    let at_once = program(&WAKING.replace("START", "simultaneous start"));
    let instance = on(&at_once, "ring(6)").initiators(&[0, 3]).build();
    for run in runs(&instance, 20) {
        assert_eq!((run.outcome, run.metrics.rounds), (Outcome::Terminated, 1));
    }
    let any = program(&WAKING.replace("START", "spontaneous start"));
    let instance = on(&any, "ring(6)").initiators(&[0, 3]).build();
    let rounds: std::collections::BTreeSet<u64> = runs(&instance, 50)
        .map(|run| {
            assert_eq!(run.outcome, Outcome::Terminated);
            run.metrics.rounds
        })
        .collect();
    assert_eq!(rounds, [1, 2, 3].into());
}

#[test]
fn two_transmissions_in_one_slot_abort_and_leave_nothing_behind() {
    let text = "
algorithm twice assumes complete, radio
var x : Int
state s
  round
  transmit x
  transmit x
  round
";
    let instance = on(&program(text), "complete(2)").build();
    let mut configuration = initial(&instance);
    let mut machine = Machine::new(&instance);
    (0..2).for_each(|p| machine.replay(&instance, &mut configuration, &event(p, Cause::Start)).unwrap());
    let before = configuration.clone();
    let part: Event = event(0, Cause::Round { round: 1 });
    let abort = machine.replay(&instance, &mut configuration, &part).unwrap_err();
    assert!(abort.to_string().contains("transmits twice in one slot"), "{abort}");
    assert!(configuration == before && configuration.rounds() == Some(0));
}

#[test]
fn a_loop_without_end_in_a_round_aborts() {
    let text = "
algorithm looping assumes ring, synchronous
var x : Int
state s
  round
  do x < 7 -> x := (x + 1) mod 7 od
";
    let run = run(&on(&program(text), "ring(2)").build(), Schedule::Fifo, 0);
    let Outcome::Aborted(abort) = run.outcome else { panic!("{:?}", run.outcome) };
    assert!(abort.message.contains("without reaching a waiting point"), "{}", abort.message);
}

/// Play the scenarios of a program, which must pass.
fn plays(text: &str) {
    let program = program(text);
    assert!(!program.scenarios.is_empty());
    for scenario in &program.scenarios {
        let played = synod::internals::scenario::play(
            &program,
            scenario,
            &Default::default(),
            &mut |_, _, _, _, _| {},
        );
        assert!(played.passed(), "{played:#?}");
    }
}

#[test]
fn a_transmitter_learns_the_outcome_only_with_feedback() {
    let text = "
algorithm feedback assumes complete, radio, collision detectionMORE, integer ids
var first_slot, second_slot : Heard
state s
  if int(id) <= 2 -> transmit id [] otherwise -> listen fi
  round
  first_slot := heard
  if int(id) = 1 -> transmit id [] otherwise -> listen fi
  round
  second_slot := heard
  halt
scenario three on complete(3)
  expect p2.first_slot = collision and p2.second_slot = success
  expect p1.second_slot = success
  expect (p0.first_slot, p1.first_slot, p0.second_slot) = OWN
scenario alone on complete(1)
  expect p0.first_slot = LAST
";
    let with = text.replace("MORE", ", transmitter feedback");
    plays(&with.replace("OWN", "(collision, collision, success)").replace("LAST", "success"));
    let without = text.replace("MORE", "");
    plays(&without.replace("OWN", "(silence, silence, silence)").replace("LAST", "silence"));
}

#[test]
fn messages_come_before_the_end_of_a_time_and_no_time_is_no_wait() {
    plays(
        "
algorithm times assumes line, synchronous, integer ids
message Ping(k: Int), Pong
var got, waited, late : Int
var all : list of Value
state s
  if arrived Ping(_) -> got := -1
  [] after 1 - int(id) -> waited := 1            // at once at p0, after no round, and at the others, too
  fi
  send Ping(int(id)) to neighbours
  send Pong to neighbours
  if arrived Ping(k) -> got := k; all := received
  [] after 1          -> late := 1
  fi
  await arrived Ping(k) from left when k > 5
  halt
scenario two on line(2)
  expect p0.got = 2 and p1.got = 1 and p0.waited = 1 and p0.late = 0
  expect size(p0.all) = 2
  expect rounds = 1
  expect outcome quiescent
",
    );
}

#[test]
fn a_sender_that_is_known_filters_and_one_that_is_not_is_bound() {
    plays(
        "
algorithm senders assumes bidirectional ring, synchronous, integer ids
message M(k: Int)
var from_left, first : Int
var second : Bool
state s
  send M(int(id)) to neighbours
  round
  if arrived M(k) from left -> from_left := k
  [] otherwise               -> skip
  fi
  if arrived M(k) from p when k > 2 and p = right -> first := k
  [] otherwise                                     -> skip
  fi
  second := not arrived M(k) when k = int(id)
  halt
scenario ring on ring(4)
  expect p0.from_left = 4 and p1.from_left = 1 and p2.from_left = 2
  expect p0.first = 0 and p1.first = 3 and p2.first = 4
  expect forall p: p.second
",
    );
}

/// A wait that no round can end is stuck; a wait for messages is only quiescent.
#[test]
fn endless_waits() {
    let text = "
algorithm waiting assumes line, synchronous
var x : Int
state s
  if x > 0       -> send x to neighbours
  [] otherwise   -> skip
  fi
  await WHAT
  halt
";
    let ends = |what: &str| {
        let instance = on(&program(&text.replace("WHAT", what)), "line(2)").build();
        run(&instance, Schedule::Fifo, 0).outcome
    };
    assert_eq!(ends("arrived y"), Outcome::Quiescent);
    let Outcome::Stuck(why) = ends("x > 0") else { panic!("it is not stuck") };
    assert!(why[0].why.contains("is blocked forever at"), "{}", why[0].why);
    assert_eq!(ends("received = {}"), Outcome::Terminated);
}

/// Two neighbours that copy each other: one at a time they agree, together they never do.
#[test]
fn joint_steps_read_the_previous_state() {
    let text = "
algorithm copying assumes unidirectional ring, reads neighbours
var x : Int
when x != prev.x -> x := prev.x
scenario one_at_a_time on ring(2) with daemon central
  initially p1.x := 1
  expect p0.x = p1.x
  expect outcome quiescent
scenario together on ring(2) with daemon synchronous
  initially p1.x := 1
  at 99
  expect p0.x = 1 and p1.x = 0
  at 100
  expect p0.x = 0 and p1.x = 1
";
    plays(text);
}
