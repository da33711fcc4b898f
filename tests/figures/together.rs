//! Joint steps: several events, and nothing in between that anybody judges.

use crate::common::*;
use std::sync::Arc;
use synod::check::check;
use synod::instance::Instance;
use synod::ir::Program;
use synod::property::Judgement;
use synod::semantics::event::{Cause, Event};
use synod::semantics::{Machine, initial};
use synod::simulate::{Options, Outcome, Schedule, simulate};
use synod::trace::{End, Header, Recorder, Trace};

fn program(text: &str) -> Arc<Program> {
    let checked = check("test.syn", text, &synod::library::source);
    let found: Vec<&str> = checked.diagnostics.iter().map(|d| d.message.as_str()).collect();
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
fn properties_are_judged_between_rounds_only() {
    let instance = on(&program(COUNTING), "ring(4)").build();
    let judged = judge(&instance, Schedule::Fifo, 0, 1000);
    assert_eq!(judged.run.outcome, Outcome::Terminated);
    let verdict = &judged.verdicts[0];
    assert_eq!((verdict.judgement, verdict.why.as_str()), (Judgement::Holds, "in all 6 configurations"));
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

/// Text and lines give the trace back, and it runs again.
fn goes_again(instance: &Instance, schedule: Schedule, steps: u64) {
    let header = Header::of(instance, &[], "fifo", 0);
    let mut recorder = Recorder::new(instance, header, &initial(instance));
    let options = Options { schedule, max_steps: Some(steps), ..Options::default() };
    let run = simulate(instance, &options, &mut recorder);
    let trace = recorder.finish(End::of(&run.outcome));
    assert_eq!(Trace::read(&trace.to_text()).unwrap(), trace);
    assert_eq!(Trace::read(&trace.to_lines()).unwrap(), trace);
    let replay = trace.replay(instance);
    assert!(replay.reproduced(), "{}", replay.summary());
}

#[test]
fn traces_of_rounds_slots_and_moves_go_again() {
    goes_again(&on(&library("flooding"), "ring(5)").build(), Schedule::Fifo, 1000);
    goes_again(&ring(&library("time_slice"), &[4, 3, 8]), Schedule::Random, 1000);
    goes_again(&on(&library("beeping"), "petersen").build(), Schedule::Fifo, 10_000);
    for schedule in FIXED {
        goes_again(&on(&library("k_state_ring"), "ring(4)").build(), schedule, 100);
    }
}

#[test]
fn what_comes_to_those_who_have_halted_is_gone() {
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
fn who_starts_at_once_wakes_in_the_first_round_and_who_starts_spontaneously_in_any() {
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
    assert!(abort.message.contains("transmits twice in one slot"), "{}", abort.message);
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
