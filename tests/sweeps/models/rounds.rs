//! Faults in rounds: crashes that cut off any part of the messages of a round, messages lost and duplicated, link failures,
//! restarts.

use crate::common::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use synod::internals::check::check;
use synod::internals::explore::{Exploration, ExploreOptions as Search, ViolationKind, explore};
use synod::internals::ids::ProcessId;
use synod::internals::instance::Instance;
use synod::internals::ir::{Fault, Program, Value};
use synod::internals::property::Judgement;
use synod::internals::semantics::event::{CRASH, Cause, Event};
use synod::internals::semantics::{enabled, initial, step};
use synod::internals::simulate::{Schedule, SimulateOptions, simulate};
use synod::internals::trace::{End, Header, Recorder, Trace};

fn program(text: &str) -> Arc<Program> {
    let checked = check("rounds.syn", text, &|_| None);
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
    Arc::new(checked.program.unwrap())
}

/// Every process sends in each round, in two ways, and counts the processes that it hears.
fn listening(faults: &str) -> Arc<Program> {
    program(&format!(
        "algorithm listening assumes complete, synchronous, unique ids, knows peers, {faults}
         message A, B
         var news : list of (set of Id, set of Id)
         var sent : Int
         state s
           for r in 1..2 do
             send A to others
             sent := sent + 1
             for q in others do send B to q od
             round
             news := news + [({{ q in others | arrived A from q }}, {{ q in others | arrived B from q }})]
           od
           halt"
    ))
}

fn ids(value: &Value) -> BTreeSet<i64> {
    match value {
        Value::Set(ids) => ids.iter().map(Value::word).collect(),
        other => panic!("{other:?}"),
    }
}

/// Only p0 may crash, in the first round: any part of its 2 (n - 1) messages has been sent. Assignments before the first missing
/// message have been executed, and none after it.
#[test]
fn a_crash_cuts_off_any_part_of_a_round() {
    let program = listening("crashes");
    for n in 2..=4u32 {
        let instance = on(&program, &format!("complete({n})")).faults(&[(Fault::Crash, 1)]).build();
        let mut parts = BTreeSet::new();
        // All ways in which p0 can start.
        let first = initial(&instance);
        let mut machine = synod::internals::semantics::Machine::new(&instance);
        let mut odometer = Odometer::default();
        loop {
            let mut after = first.clone();
            assert!(machine.perform(&instance, &mut after, &event(0, Cause::Start), &mut odometer).unwrap());
            if after.crashed(ProcessId(0)) {
                let on_their_way: Vec<(u32, u32)> = (0..n)
                    .flat_map(|q| instance.incoming(ProcessId(q)).map(move |channel| (q, channel)))
                    .flat_map(|(q, channel)| after.channel(channel).map(|m| (q, m.kind)).collect::<Vec<_>>())
                    .collect();
                // One kind is sent first, to all processes.
                let missing_a = (1..n).any(|q| !on_their_way.contains(&(q, 0)));
                let sent = variable(&instance, &after, 0, "sent");
                assert_eq!(sent, Value::Int(i64::from(!missing_a)), "{on_their_way:?}");
                assert!(parts.insert(on_their_way), "each part once");
            }
            // The recorded run can be replayed.
            let choices = machine.choices.clone();
            let mut again = first.clone();
            step(&instance, &mut again, &Event { choices, ..event(0, Cause::Start) }).unwrap();
            assert_eq!(again, after);
            if !odometer.advance() {
                break;
            }
        }
        // All parts but the whole: a crash after the last message is a crash between rounds.
        assert_eq!(parts.len(), (1 << (2 * (n - 1))) - 1);
    }
}

#[test]
fn choices_that_do_not_fit_are_refused() {
    let instance = on(&listening("crashes"), "complete(3)").faults(&[(Fault::Crash, 1)]).build();
    for (choices, fits) in [
        (&[CRASH, 0, 1, 0][..], true),
        (&[CRASH + 3][..], true),
        (&[CRASH + 4][..], false),
        (&[CRASH, 0, 1][..], false),
        (&[CRASH, 0, 1, 2][..], false),
        (&[CRASH, 0, 1, 0, 0][..], false),
    ] {
        let mut configuration = initial(&instance);
        let event = Event { choices: choices.iter().copied().collect(), ..event(0, Cause::Start) };
        assert_eq!(step(&instance, &mut configuration, &event).is_ok(), fits, "{choices:?}");
        assert_eq!(configuration.crashed(ProcessId(0)), fits);
    }
}

/// The processes that p1 and p2 have heard in the two rounds, over all runs with one crash of any process.
#[test]
fn a_crashed_process_stays_silent() {
    let instance = on(&listening("crashes"), "complete(3)").faults(&[(Fault::Crash, 1)]).build();
    let mut ends = 0;
    let found = endings(
        &instance,
        |_| Vec::new(),
        |end| {
            let rounds = |p| match end.variable(p, "news") {
                Value::List(rounds) => rounds.iter().cloned().collect::<Vec<_>>(),
                other => panic!("{other:?}"),
            };
            let up: Vec<bool> = (0..3).map(ProcessId).map(|p| !end.configuration.crashed(p)).collect();
            (up, (0..3).map(rounds).collect::<Vec<_>>())
        },
    );
    for (up, heard) in &found {
        ends += 1;
        assert!(up.iter().filter(|up| !**up).count() <= 1);
        for p in 0..3 {
            let parts = |round: &Value| match round {
                Value::Tuple(parts) => (ids(&parts[0]), ids(&parts[1])),
                other => panic!("{other:?}"),
            };
            let rounds: Vec<_> = heard[p].iter().map(parts).collect();
            assert!(!up[p] || rounds.len() == 2, "those that are up go through both rounds");
            for q in (0..3).filter(|q| *q != p && rounds.len() == 2) {
                let id = q as i64 + 1;
                let (first, second) = (&rounds[0], &rounds[1]);
                // Heard in part, or not at all: it is down, and not heard again.
                if !first.0.contains(&id) || !first.1.contains(&id) {
                    assert!(!up[q] && !second.0.contains(&id) && !second.1.contains(&id), "{heard:?}");
                }
                assert!(!up[q] || second.0.contains(&id) && second.1.contains(&id));
            }
        }
    }
    assert!(ends > 30, "{ends}");
}

fn search(instance: &Instance) -> Exploration {
    explore(instance, None, &Search { keep_going: true, ..Search::default() }, &mut |_| None)
}

fn holds(found: &Exploration, what: &str) {
    assert_eq!(found.stopped_by, None, "{what}");
    let wrong: Vec<_> = found.verdicts.iter().filter(|v| v.judgement != Judgement::Holds).collect();
    assert!(wrong.is_empty() && found.counterexamples.is_empty(), "{what}: {wrong:?}");
}

#[test]
fn floodset_agrees_whoever_crashes_and_when() {
    let floodset = library("floodset");
    for (n, f) in [(1, 1), (2, 1), (2, 2), (3, 0), (3, 1)] {
        let setup = on(&floodset, &format!("complete({n})")).param("f", f);
        let instance = setup.faults(&[(Fault::Crash, f as u32)]).build();
        holds(&search(&instance), &format!("n = {n}, f = {f}"));
    }
}

#[test]
#[ignore = "a minute without optimisation"]
fn floodset_agrees_among_four() {
    let instance = on(&library("floodset"), "complete(4)").faults(&[(Fault::Crash, 1)]).build();
    holds(&search(&instance), "n = 4, f = 1");
}

/// f rounds are too few: with f = 1, a process that crashes in the only round reaches some and not others.
#[test]
fn one_round_less_is_not_enough() {
    let hasty = edited("floodset", &[("floodset", "1..f + 1 do", "1..f do")]);
    let instance = on(&hasty, "complete(3)").faults(&[(Fault::Crash, 1)]).build();
    let found = search(&instance);
    let agreement = |what: &ViolationKind| match what {
        ViolationKind::Property(p) => instance.program.properties[*p].name == "agreement",
        _ => false,
    };
    let shown = found.counterexamples.iter().find(|c| agreement(&c.kind)).expect("a counterexample");
    // It can be replayed.
    let mut configuration = initial(&instance);
    for event in &shown.events {
        step(&instance, &mut configuration, event).unwrap();
    }
    assert_eq!((0..3).map(ProcessId).filter(|p| configuration.crashed(*p)).count(), 1);
    // More crashes than f do not violate the algorithm's claims, but show the purpose of the bound.
    let more = on(&library("floodset"), "complete(3)").param("f", 0).faults(&[(Fault::Crash, 0)]).build();
    holds(&search(&more), "nobody crashes");
}

/// More crashes than assumed cannot be requested.
#[test]
fn no_more_crashes_than_assumed() {
    let mut wishes = synod::internals::setup::InstanceOptions::default();
    wishes.settings.faults = vec![(Fault::Crash, 2)];
    let error = synod::internals::setup::instantiate(&library("floodset"), &wishes).unwrap_err();
    assert!(error.to_string().contains("crash"), "{error}");
}

#[test]
fn messages_are_lost_and_doubled_and_links_fail_in_a_round() {
    let text = "
algorithm counting assumes complete, synchronous, unique ids, knows peers, loses messages, duplicates messages, links fail
message M
var got : list of Int
state s
  for r in 1..3 do
    send M to others
    round
    got := got + [size(received)]
  od
  halt
scenario one_of_each on complete(3)
  lose p0 -> p1
  duplicate p2 -> p0
  at 1
  expect p0.got = [3] and p1.got = [1] and p2.got = [2]
  cut p2 -> p1
  at 3
  expect p0.got = [3, 2, 2] and p1.got = [1, 1, 1] and p2.got = [2, 2, 2]
  expect messages = 18
  expect outcome terminated
scenario nothing_to_lose on complete(2)
  at 3
  expect outcome terminated
";
    let program = program(text);
    for scenario in &program.scenarios {
        let played = synod::internals::scenario::play(
            &program,
            scenario,
            &Default::default(),
            &mut |_, _, _, _, _| {},
        );
        assert!(played.passed(), "{:#?}", played.failures);
    }
    // At most one message less, in one round, of one receiver.
    let instance = on(&program, "complete(2)").faults(&[(Fault::Loss, 1)]).build();
    let got = |end: &Ending<'_>, p| match end.variable(p, "got") {
        Value::List(got) => got.iter().map(Value::word).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    let found = endings(&instance, |_| Vec::new(), |end| (got(&end, ProcessId(0)), got(&end, ProcessId(1))));
    let whole = vec![1, 1, 1];
    let mut expected = BTreeSet::from([(whole.clone(), whole.clone())]);
    for round in 0..3 {
        let mut less = whole.clone();
        less[round] = 0;
        expected.insert((less.clone(), whole.clone()));
        expected.insert((whole.clone(), less));
    }
    assert_eq!(found, expected);
}

#[test]
fn a_restarted_process_joins_the_current_round() {
    let text = "
algorithm coming_back assumes complete, synchronous, unique ids, knows peers, crashes, restarts
message M(life: Int)
persistent var lives : Int := 1
var got : list of Int
state s
  on restart -> lives := lives + 1; send M(lives) to others; become on_the_way
  on wakeup  -> send M(lives) to others; become on_the_way
state on_the_way
  round
  got := got + [ k for M(k) in received ]
  send M(lives) to others
scenario back on complete(2)
  at 1
  crash p0
  at 2
  expect p1.got = [1, 1]
  at 3
  expect p1.got = [1, 1] and p0.got = [1]
  restart p0
  at 4
  expect p1.got = [1, 1, 2] and p0.got = [1] and p0.lives = 2
";
    let program = program(text);
    let played = synod::internals::scenario::play(
        &program,
        &program.scenarios[0],
        &Default::default(),
        &mut |_, _, _, _, _| {},
    );
    assert!(played.passed(), "{:#?}", played.failures);
}

/// Processes that read their neighbours, and those that act in pairs: a process that is down makes no moves.
#[test]
fn a_crashed_process_makes_no_moves() {
    let text = "
algorithm copying assumes line, reads neighbours, crashes, restarts
var x : Int := 1
when has(left) and x != left.x      -> x := left.x
when not has(left) and x < 5        -> x := x + 1
scenario in_the_middle on line(3) with daemon synchronous
  at 2
  expect p0.x = 3 and p1.x = 2 and p2.x = 1
  crash p1
  expect not p1.enabled and not p1.up
  at 9
  expect p0.x = 5 and p1.x = 2 and p2.x = 2
  restart p1
  at 20
  expect p1.x = 5 and p2.x = 5
  expect outcome quiescent
scenario nobody_owes_anything on line(1) with daemon central
  expect p0.x = 5 and rounds = 4
  crash p0
  expect rounds = 4
  restart p0
  expect rounds = 8
scenario one_by_one on line(2) with daemon central
  at 0
  crash p0
  expect p0.x = 1 and rounds = 1            // who is down owes no move any more
  expect not p0.enabled and not p1.enabled
";
    let program = program(text);
    for scenario in &program.scenarios {
        let played = synod::internals::scenario::play(
            &program,
            scenario,
            &Default::default(),
            &mut |_, _, _, _, _| {},
        );
        assert!(played.passed(), "{}: {:#?}", scenario.name, played.failures);
    }
    for daemon in synod::internals::ir::Daemon::ALL {
        let mut wishes = synod::internals::setup::InstanceOptions::default();
        wishes.settings.daemon = Some(daemon);
        wishes.settings.faults = vec![(Fault::Crash, 1)];
        wishes.topology = Some(synod::internals::network::Spec::parse("line(3)").unwrap());
        let instance = synod::internals::setup::instantiate(&program, &wishes).unwrap();
        let found = endings(
            &instance,
            |_| Vec::new(),
            |end| {
                (0..3)
                    .map(|p| (end.variable(p, "x").word(), end.configuration.crashed(ProcessId(p))))
                    .collect::<Vec<_>>()
            },
        );
        assert!(found.contains(&vec![(5, false), (5, false), (5, false)]), "{daemon:?}");
        assert!(found.contains(&vec![(5, false), (1, true), (1, false)]), "{daemon:?}: {found:?}");
        assert!(found.iter().all(|end| end[0].1 || end[0].0 == 5));
    }
    let text = "
algorithm duels assumes complete, anonymous, pairwise interactions, crashes
var leader : Bool := true
on interaction(v) when leader and v.leader -> v.leader := false
settles one: (count p: p.leader and p.up) <= 1
";
    let program = self::program(text);
    let instance = on(&program, "complete(3)").faults(&[(Fault::Crash, 2)]).build();
    holds(&search(&instance), "duels");
    let end = |end: Ending<'_>| {
        (0..3u32)
            .map(|p| (end.variable(p, "leader").word() != 0, end.configuration.crashed(ProcessId(p))))
            .collect::<Vec<_>>()
    };
    let found = endings(&instance, |_| Vec::new(), end);
    // No process interacts with one that is down: its state is unchanged.
    assert!(found.iter().any(|end| end.iter().all(|(leads, _)| *leads)), "{found:?}");
}

/// With any faults in rounds, the trace can be written, read and replayed.
#[test]
fn traces_of_rounds_with_faults_are_replayed() {
    let faults = "crashes, restarts, loses messages, duplicates messages, links fail";
    let program = listening(faults);
    let budget = [Fault::Crash, Fault::Restart, Fault::Loss, Fault::Duplication, Fault::Link].map(|f| (f, 2));
    let (mut parts, mut struck) = (0, BTreeSet::new());
    for n in 1..=4 {
        let instance = on(&program, &format!("complete({n})")).faults(&budget).build();
        for (schedule, seed) in schedules(60) {
            let header = Header::of(&instance, &[], "random", seed);
            let mut recorder = Recorder::new(&instance, header, &initial(&instance));
            let options =
                SimulateOptions { schedule, seed, max_steps: Some(400), ..SimulateOptions::default() };
            let run = simulate(&instance, &options, &mut recorder);
            let trace = recorder.finish(End::of(&run.outcome));
            let text = trace.to_text();
            assert_eq!(Trace::read(&text).unwrap(), trace, "{n}, {schedule:?} {seed}");
            let replay = trace.replay(&instance);
            assert!(replay.reproduced(), "{n}, {schedule:?} {seed}: {}", replay.summary());
            let of =
                |e: &synod::internals::trace::TraceEvent| e.choice.choices.iter().position(|c| *c >= CRASH);
            parts += trace
                .events
                .iter()
                .filter(|e| of(e).is_some_and(|at| e.choice.choices.len() > at + 1))
                .count();
            struck.extend(trace.events.iter().map(|e| e.action.clone()));
        }
    }
    assert!(parts > 10, "{parts}");
    for fault in ["crash", "restart", "lost", "doubled"] {
        assert!(struck.iter().any(|action| action.contains(fault)), "{fault}: {struck:?}");
    }
}

/// Enabled events list the possible faults between rounds, and none within one.
#[test]
fn no_faults_within_a_joint_step() {
    let instance = on(&listening("crashes, loses messages"), "complete(2)")
        .faults(&[(Fault::Crash, 1), (Fault::Loss, 1)])
        .build();
    let (mut between, mut inside) = (0, 0);
    configurations(&instance, |configuration, _| {
        let events = enabled(&instance, configuration);
        let faults = events.iter().filter(|event| configuration.is_fault(event)).count();
        match configuration.in_joint_step() {
            true => {
                assert_eq!((faults, events.len()), (0, 1));
                inside += 1;
            }
            false => between += faults,
        }
    });
    assert!(between > 10 && inside > 10, "{between}, {inside}");
}

/// Constructs that cannot be combined with rounds are rejected, with the reason.
#[test]
fn constructs_incompatible_with_rounds_are_rejected() {
    for (assumes, expected) in [
        ("connected graph, synchronous, delay <= 1", "`synchronous` and `delay <= 1` exclude each other"),
        ("connected graph, synchronous, timers", "`synchronous` and `timers` exclude each other"),
        (
            "connected graph, synchronous, crashes, detector",
            "`synchronous` and `detector` exclude each other",
        ),
        (
            "connected graph, radio, duplicates messages",
            "`radio` and `duplicates messages` exclude each other",
        ),
        (
            "connected graph, reads neighbours, loses messages",
            "`reads neighbours` and `loses messages` exclude each other",
        ),
        (
            "complete, pairwise interactions, links fail",
            "`pairwise interactions` and `links fail` exclude each other",
        ),
    ] {
        let checked = check("a.syn", &format!("algorithm a assumes {assumes}\nvar x : Int\n"), &|_| None);
        let found: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
        assert!(found.iter().any(|said| said == expected), "{assumes}: {found:?}");
    }
}

/// A clock that sends Go at the end of the sixth round, whether it waits at once or round by round; and a process that sends
/// Hello some rounds after its start and expects Go in the round after that.
fn meeting(assumes: &str, clock: &str, begins: &str, after: u32) -> Arc<Program> {
    program(&format!(
        "algorithm meeting\nassumes complete, synchronous, unique ids, one Clock{assumes}\nmessage Hello, Go\nvar met : Bool\n\
         role Clock\nstate s\n  {clock}\n  round\n  if arrived Hello -> met := true [] otherwise -> skip fi\n  halt\n\
         role Sleeper\nstate t\n  {begins}\nstate u\n  if after {after} -> send Hello to neighbours fi\n  become w\n\
         state w\n  round\n  if arrived Go -> met := true [] otherwise -> skip fi\n  halt\n"
    ))
}

/// Quiet rounds are skipped, but not if a process wakes or restarts between two of them.
#[test]
fn a_wake_up_or_restart_in_a_quiet_round_is_in_time() {
    let at_once = "if after 6 -> send Go to neighbours fi";
    let one_by_one = "for k in 1..6 do round od\n  send Go to neighbours";
    let met = |assumes: &str, clock: &str, begins: &str, after: u32, faults: &[(Fault, u32)]| {
        let program = meeting(assumes, clock, begins, after);
        let instance = on(&program, "complete(2)").faults(faults).build();
        endings(&instance, |_| Vec::new(), |end| end.variable(1, "met"))
    };
    let faults = [(Fault::Crash, 1), (Fault::Restart, 1)];
    for after in 1..=8 {
        let wakes = |clock| met(", spontaneous start", clock, "on wakeup -> become u", after, &[]);
        let back = |clock| met(", crashes, restarts", clock, "become u", after, &faults);
        // Six rounds after the first is too late, whenever it starts.
        let expected: BTreeSet<Value> =
            (0..=1).filter(|met| *met == 0 || after <= 6).map(|met| Value::Bool(met == 1)).collect();
        assert_eq!(wakes(at_once), expected, "{after}");
        assert_eq!(wakes(at_once), wakes(one_by_one), "{after}");
        assert_eq!(back(at_once), back(one_by_one), "{after}");
        // Here the clock may restart, too, so that no time is too long.
        assert!(back(at_once).contains(&Value::Bool(true)), "{after}");
    }
}

/// Received messages are gone in the next round: a process that waits for silence continues then, even if no process stepped when
/// they arrived.
#[test]
fn silence_is_waited_for() {
    let waits = |assumed: &str, send: &str, silence: &str, other: &str| {
        program(&format!(
            "algorithm waits assumes complete, {assumed}, integer ids
             message M
             var done : Bool
             state s
               if int(id) = 1 -> {send}; halt
               [] int(id) = 2 -> {other}
               [] otherwise   -> await {silence}
               fi
               done := true
               halt"
        ))
    };
    let in_rounds = ("synchronous", "send M to neighbours", "not arrived M", "arrived M");
    let by_radio = ("radio, collision detection", "transmit M", "heard = silence", "heard != silence");
    for (assumed, send, silence, something) in [in_rounds, by_radio] {
        let late = format!("if {something} and id = id and done -> skip [] after 10 -> skip fi");
        // The other waits for silence, too; for something that arrives at once; until long after.
        for (other, rounds) in
            [(format!("await {silence}"), 2), (format!("await {something}"), 2), (late, 10)]
        {
            let told = format!("{assumed}: {other}");
            let instance = on(&waits(assumed, send, silence, &other), "complete(3)").build();
            let run = run(&instance, Schedule::Fifo, 1);
            assert_eq!((run.outcome.as_str(), run.metrics.rounds), ("terminated", rounds), "{told}");
            let all = Search { keep_going: true, ..Search::default() };
            let found = explore(&instance, None, &all, &mut |_| None);
            let ends: Vec<_> = found.ends.iter().map(|end| (end.outcome, end.outputs.as_str())).collect();
            assert_eq!(ends, [("terminated", "done = false, true, true")], "{told}");
        }
    }
}
