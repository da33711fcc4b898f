//! Traces of runs with time and faults: both file forms, and replay.

use crate::common::*;
use std::sync::Arc;
use synod::internals::ids::ProcessId;
use synod::internals::ir::{Fault, Program};
use synod::internals::render::space_time::{SpaceTimeOptions as Drawing, space_time};
use synod::internals::semantics::initial;
use synod::internals::simulate::{Schedule, SimulateOptions, simulate};
use synod::internals::trace::{End, Header, Recorder, Trace};

#[test]
fn traces_are_written_read_and_replayed() {
    let mut crashes_in_commands = 0;
    for (name, faults) in [
        ("bully", &[(Fault::Crash, 2), (Fault::Restart, 1)][..]),
        ("reliable", &[(Fault::Crash, 1)][..]),
        ("lelann_regeneration", &[(Fault::Loss, 3)][..]),
    ] {
        let program = library(name);
        let topology = if name == "lelann_regeneration" { "ring(3)" } else { "complete(4)" };
        for seed in 0..60 {
            let instance = on(&program, topology).faults(faults).build();
            let header = Header::of(&instance, &[], "random", seed);
            let mut recorder = Recorder::new(&instance, header, &initial(&instance));
            let options = SimulateOptions {
                schedule: Schedule::Random,
                seed,
                max_steps: Some(400),
                ..SimulateOptions::default()
            };
            let run = simulate(&instance, &options, &mut recorder);
            let trace = recorder.finish(End::of(&run.outcome));
            let text = trace.to_text();
            let read = Trace::read(&text).unwrap_or_else(|e| panic!("{name}, seed {seed}: {e}\n{text}"));
            assert_eq!(read, trace);
            assert_eq!(read.to_text(), text);
            assert_eq!(Trace::read(&trace.to_lines()).unwrap(), trace);
            let replay = trace.replay(&instance);
            assert!(replay.reproduced(), "{name}, seed {seed}: {}", replay.summary());
            crashes_in_commands += usize::from(text.contains("crash-after"));
        }
    }
    assert!(crashes_in_commands > 3, "{crashes_in_commands}");
}

/// All features of time and faults in one program: lower bounds, timers of both kinds, messages to the sender itself, stable
/// variables.
const EVERYTHING: &str = "
algorithm everything
assumes complete, unique ids, knows peers, DELAYS, crashes, restarts, loses messages, duplicates messages, links fail,
        eventually perfect detector
message M(k: Int), Ack
var got : list of Int
var down : set of Id
var acks, ticks : Int
persistent var lives : Int := 1
state s
  on wakeup  -> send M(lives) to others; set timer t after 3
  on restart -> lives := lives + 1; send M(lives) to everybody; set timer t after 0
  after 4    -> become u
state u
  do receive Ack -> acks := acks + 1
  [] after 7     -> become v
  od
state v
  await acks >= 0
  pause
  send M(99) to everybody
  halt
always
  on M(k) from j -> got := got + [k]; send Ack to j
  on Ack         -> acks := acks + 1
  on timeout(t)  -> ticks := ticks + 1; if ticks < 5 -> set timer t after 2 [] otherwise -> skip fi
  on suspect(p)  -> down := down + {p}
  on trust(p)    -> down := down - {p}
";

fn everything(delays: &str) -> Arc<Program> {
    let checked =
        synod::internals::check::check("everything.syn", &EVERYTHING.replace("DELAYS", delays), &|_| None);
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
    Arc::new(checked.program.unwrap())
}

/// Return all faults, this many times each; there are no oracles in models with messages.
fn everything_wrong(often: u32) -> Vec<(Fault, u32)> {
    Fault::ALL.into_iter().filter(|fault| *fault != Fault::OracleError).map(|fault| (fault, often)).collect()
}

/// Whatever happens, the trace can be written, read, replayed and drawn, wide and narrow.
#[test]
fn runs_with_faults_can_be_drawn_and_replayed() {
    let faults = everything_wrong(3);
    let (mut lost_to_oneself, mut copied) = (0, 0);
    for delays in ["delay <= 1", "delay in 2..5", "delay = 3", "timers"] {
        let program = everything(delays);
        for n in 1..=4 {
            let instance = on(&program, &format!("complete({n})")).faults(&faults).build();
            for (schedule, seed) in schedules(40) {
                let header = Header::of(&instance, &[], "random", seed);
                let mut recorder = Recorder::new(&instance, header, &initial(&instance));
                let options =
                    SimulateOptions { schedule, seed, max_steps: Some(300), ..SimulateOptions::default() };
                let run = simulate(&instance, &options, &mut recorder);
                let trace = recorder.finish(End::of(&run.outcome));
                assert_eq!(
                    Trace::read(&trace.to_text()).unwrap(),
                    trace,
                    "{delays}, {n}, {schedule:?} {seed}"
                );
                let replay = trace.replay(&instance);
                assert!(replay.reproduced(), "{delays}, {n}, {schedule:?} {seed}: {}", replay.summary());
                for (width, processes) in
                    [(100, None), (30, None), (1, None), (80, Some(vec![ProcessId(n - 1), ProcessId(0)]))]
                {
                    let drawing = Drawing { width, processes, max_events: 1_000, ..Drawing::default() };
                    assert!(!space_time(&trace, &drawing).is_empty());
                }
                let own =
                    |e: &&synod::internals::trace::TraceEvent| e.lost.iter().any(|m| m.peer == e.process);
                lost_to_oneself += trace.events.iter().filter(own).count();
                copied += trace.events.iter().filter(|e| e.copied.is_some()).count();
            }
        }
    }
    assert!(lost_to_oneself > 10 && copied > 10, "{lost_to_oneself}, {copied}");
}

/// Lines at the wrong moment are answered with a message, wherever they are.
#[test]
fn lines_in_wrong_order_are_reported() {
    let text = EVERYTHING.replace("DELAYS", "delay in 1..2");
    for (n, lines, expected) in [
        (2, "restart p0", Some("p0 is not down")),
        (2, "crash p0\n  crash p0", Some("p0 is already down")),
        (2, "crash p0\n  crash p0 before send M", Some("p0 is already down")),
        (2, "at 5\n  at 3", Some("it is already 5")),
        (2, "delay p0 -> p1 := -4", Some("a delay cannot be -4")),
        (2, "at 9223372036854775807", Some("a time cannot be 9223372036854775807")),
        (2, "lose p0 -> p1 Ack", Some("no such message is in transit from p0 to p1")),
        (2, "duplicate p0 -> p1 Ack", Some("no such message is in transit from p0 to p1")),
        (2, "cut p0 -> p1\n  cut p0 -> p1", Some("the link from p0 to p1 has already failed")),
        (2, "suspect p0 at p0", Some("the detector of p0 cannot suspect p0 now")),
        (2, "trust p1 at p0", Some("the detector of p0 cannot trust p1 now")),
        // On restarting it sends to all processes, itself included: half way it is down again.
        (1, "crash p0\n  crash p0 before send M to p0", Some("p0 is already down")),
        (1, "crash p0 before send M to p0\n  at 60\n  expect not p0.up\n  restart p0", None),
        (1, "crash p0\n  at 0\n  at 0\n  restart p0\n  at 0\n  expect p0.lives = 2", None),
        (
            2,
            "at 0\n  hold p0 -> p1\n  wake p0\n  crash p1\n  restart p1\n  release\n  at 2\n  expect 1 in set(p1.got)",
            None,
        ),
    ] {
        let text = format!("{text}scenario odd on complete({n})\n  {lines}\n");
        let checked = synod::internals::check::check("odd.syn", &text, &|_| None);
        let said: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
        let program = Arc::new(checked.program.unwrap_or_else(|| panic!("{lines}: {said:?}")));
        let played = synod::internals::scenario::play(
            &program,
            &program.scenarios[0],
            &Default::default(),
            &mut |_, _, _, _, _| {},
        );
        match expected {
            None => assert!(played.passed(), "{lines}: {:#?}", played.failures),
            Some(expected) => {
                let found = played.failures.iter().any(|f| f.message.contains(expected));
                assert!(found, "{lines}: {:#?}", played.failures);
            }
        }
    }
}

/// A message that a halted process cannot receive blocks the end of a run, until its link fails.
#[test]
fn a_waiting_message_vanishes_with_its_link() {
    let text = "
algorithm late assumes complete, unique ids, knows peers, links fail
message M
state s
  on wakeup -> send M to others; halt
scenario cut_in_time on complete(2)
  wake p1
  expect outcome stuck
scenario cut_afterwards on complete(2) with initiators [p0, p1]
  hold p0 -> p1
  wake p0, p1
  release
  cut p0 -> p1
  cut p1 -> p0
  expect outcome terminated
";
    let checked = synod::internals::check::check("late.syn", text, &|_| None);
    let program = Arc::new(checked.program.expect("a program"));
    let played = synod::internals::scenario::play(
        &program,
        &program.scenarios[1],
        &Default::default(),
        &mut |_, _, _, _, _| {},
    );
    assert!(played.passed(), "{:#?}", played.failures);
}

#[test]
fn budgets_are_read_as_they_are_shown() {
    use synod::internals::ir::FaultTexts;
    let parse = |text| FaultTexts::parse(text).map(|faults| (faults.bounds, faults.messages_survive));
    assert_eq!(parse("crash<=1, loss <= 2"), Ok((vec![(Fault::Crash, 1), (Fault::Loss, 2)], false)));
    assert_eq!(parse("link=4294967295"), Ok((vec![(Fault::Link, u32::MAX)], false)));
    assert_eq!(parse("crash<=1, messages-survive"), Ok((vec![(Fault::Crash, 1)], true)));
    for (text, expected) in [
        ("crash", "`crash` is not a bound on a fault; write, for example, crash<=1"),
        ("crash<=", "`` is not a number of faults"),
        ("crash<=-1", "`-1` is not a number of faults"),
        ("crash<=4294967296", "`4294967296` faults are too many: the maximum is 4294967295"),
        ("crash<=1, loss<=1, crash<=2", "the bound on `crash` is given twice"),
    ] {
        assert_eq!(parse(text), Err(expected.to_string()), "{text}");
    }
}

/// Modified traces are rejected, or diverge, with a message.
#[test]
fn modified_traces_are_rejected_with_a_message() {
    let instance = on(&everything("delay in 2..5"), "complete(2)").faults(&everything_wrong(2)).build();
    let mut refused = 0;
    for seed in 0..30 {
        let header = Header::of(&instance, &[], "random", seed);
        let mut recorder = Recorder::new(&instance, header, &initial(&instance));
        let options = SimulateOptions {
            schedule: Schedule::Random,
            seed,
            max_steps: Some(200),
            ..SimulateOptions::default()
        };
        let run = simulate(&instance, &options, &mut recorder);
        let trace = recorder.finish(End::of(&run.outcome));
        for i in 0..trace.events.len() {
            for wait in [1, 1 << 20, u64::MAX / 2, u64::MAX] {
                let mut changed = trace.clone();
                changed.events[i].choice.wait = changed.events[i].choice.wait.saturating_add(wait);
                let replay = changed.replay(&instance);
                assert!(!replay.reproduced(), "seed {seed}, event {i}, {wait}");
                assert!(!replay.summary().contains("Some("), "{}", replay.summary());
                refused += usize::from(replay.summary().contains("is no longer enabled"));
            }
            if let Some(original) = trace.events[i].copied {
                let mut changed = trace.clone();
                changed.events[i].copied = Some(original.plus(1));
                let said = changed.replay(&instance).summary();
                assert!(said.contains(&format!("copies «{}»", original.plus(1))), "{said}");
            }
        }
    }
    assert!(refused > 100, "{refused}");
}
