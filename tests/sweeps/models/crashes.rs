//! Crashes, also between two sends of one command, under all schedules. Catalogue: C7.1, C7.2.

use crate::common::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use synod::internals::explore::{Exploration, ExploreOptions, ViolationKind, explore};
use synod::internals::ids::ProcessId;
use synod::internals::instance::Instance;
use synod::internals::ir::{Fault, FaultTexts, Program, Value};
use synod::internals::property::Judgement;
use synod::internals::semantics::event::{Cause, Event};
use synod::internals::semantics::{Configuration, enabled, initial, step};

/// The deliveries of each process, and whether it is up.
type End = Vec<(usize, bool)>;

/// p0 multicasts once, and only p0 may crash, at any moment.
fn ends_of_one_multicast(program: &Arc<Program>, n: u32) -> BTreeSet<End> {
    let instance = on(program, &format!("complete({n})")).fault_texts(&surviving()).idle_clients().build();
    let delivered = |c: &Configuration, p: ProcessId| match variable(&instance, c, p, "delivered") {
        Value::List(items) => items.len(),
        other => panic!("{other:?}"),
    };
    let script = |c: &Configuration| match variable(&instance, c, 0, "sent") {
        Value::List(items) if items.is_empty() && !c.crashed(ProcessId(0)) => {
            vec![call(&instance, 0, "multicast", vec![Value::Text(Arc::from("m"))])]
        }
        _ => Vec::new(),
    };
    let ends = endings(&instance, script, |end| {
        (0..n)
            .map(ProcessId)
            .map(|p| (delivered(end.configuration, p), !end.configuration.crashed(p)))
            .collect::<End>()
    });
    // Only the multicaster may crash here.
    ends.into_iter().filter(|end| end[1..].iter().all(|(_, up)| *up)).collect()
}

/// Return whether all live processes have delivered the same.
fn agree(end: &End) -> bool {
    let up: BTreeSet<usize> = end.iter().filter(|(_, up)| *up).map(|(count, _)| *count).collect();
    up.len() <= 1
}

/// One crash, which loses no message.
fn surviving() -> FaultTexts {
    FaultTexts::parse("crash<=1, messages survive").expect("a fault budget")
}

fn crashing(name: &str) -> Arc<Program> {
    let assumed = "assumes complete, reliable, unordered, unique ids, knows peers, knows n";
    edited(name, &[(name, assumed, &format!("{assumed}, crashes"))])
}

/// p0 sends in process order, its own copy first, so the processes reached before a crash form a prefix: n prefixes of the
/// others, from none to all. p0 delivers its own copy only after sending all, and may crash after that, or not at all. All
/// prefixes but the proper non-empty ones are in agreement.
#[test]
fn a_basic_multicast_may_reach_some_only() {
    for n in 2..=5 {
        let ends = ends_of_one_multicast(&crashing("basic"), n);
        assert_eq!(ends.len() as u32, n + 2, "{ends:?}");
        assert_eq!(ends.iter().filter(|end| !agree(end)).count() as u32, n - 2, "{ends:?}");
    }
}

/// If the loop over the group is not one step, p0 may deliver its own copy in the middle of it. With crashes during the loop, or
/// none: 2n - 1 outcomes, 3 of them in agreement.
#[test]
fn a_multicast_in_a_loop_has_2n_minus_1_outcomes() {
    let once = "  send Copy(m) to group\n";
    let looping = "  for j in group do\n    pause\n    send Copy(m) to j\n  od\n";
    let program = edited("basic_crashing", &[("basic", once, looping)]);
    for n in 2..=4 {
        let instance =
            on(&program, &format!("complete({n})")).fault_texts(&surviving()).idle_clients().build();
        let script = |c: &Configuration| match variable(&instance, c, 0, "sent") {
            Value::List(items) if items.is_empty() && !c.crashed(ProcessId(0)) => {
                vec![call(&instance, 0, "multicast", vec![Value::Text(Arc::from("m"))])]
            }
            _ => Vec::new(),
        };
        let ends = endings(&instance, script, |end| {
            let has = |p| matches!(end.variable(p, "delivered"), Value::List(items) if !items.is_empty());
            let delivered: Vec<bool> = (0..n).map(has).collect();
            let up: Vec<bool> = (0..n).map(ProcessId).map(|p| !end.configuration.crashed(p)).collect();
            (delivered, up, all_messages(end.metrics))
        });
        let outcomes: BTreeSet<(Vec<bool>, bool)> = ends
            .into_iter()
            .filter(|(_, up, sent)| up[1..].iter().all(|up| *up) && (up[0] || *sent < u64::from(n)))
            .map(|(delivered, up, _)| (delivered, up[0]))
            .collect();
        assert_eq!(outcomes.len() as u32, 2 * n - 1, "{outcomes:?}");
        let agree = |(delivered, up): &&(Vec<bool>, bool)| {
            let correct = if *up { &delivered[..] } else { &delivered[1..] };
            correct.iter().all(|d| *d == correct[0])
        };
        assert_eq!(outcomes.iter().filter(agree).count(), 3, "{outcomes:?}");
    }
}

/// Reliable multicast: whichever process crashes and when, the live processes agree.
#[test]
fn a_reliable_multicast_reaches_all_or_none() {
    let ends = ends_of_one_multicast(&library("reliable"), 3);
    assert!(ends.iter().all(agree), "{ends:?}");
    assert!(ends.iter().any(|end| end.iter().all(|(count, _)| *count == 0)));
    assert!(ends.iter().any(|end| !end[0].1 && end[1].0 == 1 && end[2].0 == 1));
}

fn small() -> Instance {
    on(&crashing("basic"), "complete(3)").fault_texts(&surviving()).idle_clients().build()
}

#[test]
fn messages_to_a_crashed_process_vanish_and_the_budget_is_spent() {
    let instance = small();
    let mut configuration = initial(&instance);
    for p in 0..3 {
        step(&instance, &mut configuration, &event(p, Cause::Start)).unwrap();
    }
    let multicast = call(&instance, 0, "multicast", vec![Value::Text(Arc::from("m"))]);
    step(&instance, &mut configuration, &multicast).unwrap();
    step(&instance, &mut configuration, &event(1, Cause::Crash)).unwrap();
    assert!(configuration.crashed(ProcessId(1)) && configuration.in_flight() == 3);
    assert!(
        enabled(&instance, &configuration).iter().all(|e| e.cause != Cause::Crash),
        "the budget is spent"
    );
    assert!(step(&instance, &mut configuration, &event(2, Cause::Crash)).is_err());
    let arrival = enabled(&instance, &configuration).into_iter().find(|e| e.process == ProcessId(1)).unwrap();
    let effects = step(&instance, &mut configuration, &arrival).unwrap();
    assert_eq!((effects.received.len(), effects.lost.len(), configuration.in_flight()), (0, 1, 2));
}

#[test]
fn a_recorded_crash_within_a_command_is_replayed() {
    let instance = small();
    let mut configuration = initial(&instance);
    for p in 0..3 {
        step(&instance, &mut configuration, &event(p, Cause::Start)).unwrap();
    }
    let multicast = call(&instance, 0, "multicast", vec![Value::Text(Arc::from("m"))]);
    for sent in 0..3 {
        let mut after = configuration.clone();
        let choices = [synod::internals::semantics::event::CRASH + sent].into_iter().collect();
        let effects = step(&instance, &mut after, &Event { choices, ..multicast.clone() }).unwrap();
        assert!(after.crashed(ProcessId(0)));
        assert_eq!((effects.sent.len() as u32, after.in_flight()), (sent, u64::from(sent)));
    }
    // There is no fourth send.
    let choices = [synod::internals::semantics::event::CRASH + 3].into_iter().collect();
    assert!(step(&instance, &mut configuration, &Event { choices, ..multicast }).is_err());
}

#[test]
fn faults_that_are_not_assumed_are_rejected() {
    let program = library("basic");
    let mut wishes = synod::internals::setup::InstanceOptions::default();
    wishes.settings.faults = vec![(Fault::Crash, 1)];
    let error = synod::internals::setup::instantiate(&program, &wishes).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the fault `crash` was requested, but the algorithm does not assume `crashes`"
    );
}

/// Initial values apply to the first start only: constants, coins, or arbitrary values.
#[test]
fn stable_variables_survive_restarts() {
    let text = "
algorithm keeping assumes complete, unique ids, knows peers, crashes, restarts, randomness
persistent var x : 0..1000000 := any
persistent var y : Int := random(1..1000000)
persistent var z : Int := 5
persistent var list : list of Int := [1]
var forgotten : 0..1000000 := any
var lives : Int := 0
state s
  on restart -> lives := lives + 1; z := z + 1; list := list + [z]
scenario kept on complete(1) with seed 4
  initially p0.x := 77
  initially p0.y := 88
  initially p0.forgotten := 99
  crash p0
  restart p0
  expect p0.x = 77 and p0.y = 88 and p0.z = 6 and p0.list = [1, 6]
  expect p0.forgotten != 99 and p0.lives = 1
  crash p0
  restart p0
  expect p0.x = 77 and p0.y = 88 and p0.z = 7 and p0.list = [1, 6, 7] and p0.lives = 1
";
    let checked = synod::internals::check::check("keeping.syn", text, &|_| None);
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
    let program = Arc::new(checked.program.unwrap());
    let played = synod::internals::scenario::play(
        &program,
        &program.scenarios[0],
        &Default::default(),
        &mut |_, _, _, _, _| {},
    );
    assert!(played.passed(), "{:#?}", played.failures);
}

/// With addressable ids, there is an addressed link for every pair. It is unused if a link joins the pair: only the links, and
/// the other addressed links, can fail, each once.
#[test]
fn an_address_that_is_never_used_does_not_fail() {
    let program = source(
        "algorithm addressed\nassumes connected graph, unique ids, addressable ids, links fail\nmessage Hello(who: Id)\n\
         state s\n  on wakeup -> send Hello(id) to neighbours\n  on Hello(i) -> send Hello(id) to i\n",
    );
    for (topology, pairs) in [("line(3)", 3), ("complete(4)", 6), ("ring(5)", 10), ("star(4)", 10)] {
        let instance = on(&program, topology).faults(&[(Fault::Link, 1)]).build();
        let mut begun = initial(&instance);
        while let Some(p) = begun.next_to_start() {
            step(&instance, &mut begun, &event(p, Cause::Start)).unwrap();
        }
        let cuts: Vec<Event> = enabled(&instance, &begun)
            .into_iter()
            .filter(|event| matches!(event.cause, Cause::Cut { .. }))
            .collect();
        let ends = |event: &Event| match event.cause {
            Cause::Cut { link } => {
                let link = instance.network.link(link);
                (link.from, link.to)
            }
            _ => unreachable!(),
        };
        let different: BTreeSet<(ProcessId, ProcessId)> = cuts.iter().map(ends).collect();
        assert_eq!((cuts.len(), different.len()), (2 * pairs, 2 * pairs), "{topology}");
        for cut in &cuts {
            assert!(step(&instance, &mut begun.clone(), cut).is_ok(), "{topology}: {cut:?}");
        }
    }
}

/// A crashed process retains neither its position in operations, nor the possibility to wake up.
#[test]
fn nothing_is_left_of_the_thread_of_a_crashed_process() {
    let problem = "problem Twice\noperation ask(k: Int)\n  algorithm.ask(k)\nclient\n  ask(1); ask(2)\n";
    let text = "algorithm twice solves Twice assumes complete, crashes
                operation ask(k: Int)
                  for r in 1..k do pause od";
    let find =
        |name: &str| name.eq_ignore_ascii_case("twice").then(|| ("twice_problem.syn".into(), problem.into()));
    let checked = synod::internals::check::check("asks.syn", text, &find);
    let program = Arc::new(checked.program.unwrap_or_else(|| panic!("{:?}", checked.diagnostics)));
    let instance = on(&program, "complete(1)").faults(&[(Fault::Crash, 1)]).build();
    let mut configuration = initial(&instance);
    step(&instance, &mut configuration, &event(0, Cause::Start)).unwrap();
    let mut after = Vec::new();
    loop {
        let mut crashed = configuration.clone();
        step(&instance, &mut crashed, &event(0, Cause::Crash)).unwrap();
        after.push(crashed);
        let next = enabled(&instance, &configuration).into_iter().find(|e| e.cause != Cause::Crash);
        let Some(next) = next else { break };
        step(&instance, &mut configuration, &next).unwrap();
    }
    // In the first call, twice in the second, and after both.
    assert_eq!(after.len(), 4);
    assert!(after.iter().all(|crashed| *crashed == after[0]), "{after:#?}");

    let text = "algorithm sleepy assumes complete, crashes message M
                state s on wakeup -> send M to neighbours on M -> skip";
    let instance = on(&source(text), "complete(2)").faults(&[(Fault::Crash, 1)]).build();
    let mut configuration = initial(&instance);
    for p in 0..2 {
        step(&instance, &mut configuration, &event(p, Cause::Start)).unwrap();
    }
    step(&instance, &mut configuration, &event(0, Cause::Wakeup)).unwrap();
    let take = |configuration: &mut synod::internals::semantics::Configuration| {
        let found = enabled(&instance, configuration).into_iter();
        let arrival = found
            .filter(|e| !matches!(e.cause, Cause::Crash | Cause::Wakeup))
            .find(|e| e.process == ProcessId(1));
        step(&instance, configuration, &arrival.unwrap()).unwrap();
    };
    let (mut before, mut behind) = (configuration.clone(), configuration);
    assert!(before.may_wake(ProcessId(1)));
    step(&instance, &mut before, &event(1, Cause::Crash)).unwrap();
    take(&mut before);
    take(&mut behind);
    assert!(!behind.may_wake(ProcessId(1)));
    step(&instance, &mut behind, &event(1, Cause::Crash)).unwrap();
    assert!(before == behind, "{before:#?} {behind:#?}");
}

/// A process that waits for one that may restart is not stuck; a process that waits for nothing that can occur is.
#[test]
fn a_restart_that_is_left_may_end_a_wait() {
    let server = |when_it_comes_back: &str| {
        format!(
            "algorithm serving assumes complete, crashes, restarts, one Server
             message Ask, Reply
             role Server
             state s
               on Ask from p -> send Reply to p
               {when_it_comes_back}
             role Client
             var answered : Bool
             state waiting
               send Ask to neighbours
               await answered
               become served
             state served
             always
               on Reply -> answered := true"
        )
    };
    let stuck = |text: &str, faults: &[(Fault, u32)]| {
        let found = everything(&on(&source(text), "complete(2)").faults(faults).build());
        let first = found.counterexamples.first();
        first.map(|c| {
            match &c.kind {
                ViolationKind::Blocked(why) => {
                    assert!(why.contains("is down and does not restart; "), "{why}")
                }
                what => assert!(matches!(what, ViolationKind::Stuck(_)), "{what:?}"),
            }
            c.events.iter().filter(|e| e.cause == Cause::Restart).count()
        })
    };
    let told = server("on restart -> send Reply to neighbours");
    let (crash, restart) = ((Fault::Crash, 1), (Fault::Restart, 1));
    assert_eq!(stuck(&told, &[crash]), Some(0), "nobody comes back");
    assert_eq!(stuck(&told, &[crash, restart]), None);
    assert_eq!(stuck(&told, &[(Fault::Crash, 2), restart]), Some(1), "the second time for good");
    let silent = server("");
    assert_eq!(stuck(&silent, &[crash, restart]), Some(1), "it is back, and the question is lost");

    let program = library("two_phase_commit_recovery");
    let found = everything(&on(&program, "star(1)").faults(&[crash, restart]).build());
    assert!(
        !found
            .counterexamples
            .iter()
            .any(|c| matches!(c.kind, ViolationKind::Stuck(_) | ViolationKind::Blocked(_)))
    );
    // AC4 concerns runs without crashes, and cannot distinguish them from those in which all processes have restarted.
    let violated = found.verdicts.iter().filter(|v| v.judgement == Judgement::Violated);
    let violated: Vec<(&str, bool)> = violated.map(|v| (v.name.as_str(), v.promised)).collect();
    assert_eq!(violated, [("AC4", false), ("non_blocking", false)], "it may come back, and need not");
}

fn everything(instance: &Instance) -> Exploration {
    explore(instance, None, &ExploreOptions { keep_going: true, ..ExploreOptions::default() }, &mut |_| None)
}

/// A message for a halted process does not wait for any restart.
#[test]
fn a_message_to_a_halted_process_is_stuck() {
    let text = "
algorithm leftovers assumes complete, crashes, restarts, one Source
message Bye
role Source
state s
  send Bye to neighbours
  halt
role Sink
state t
  halt
scenario down on complete(3)
  crash p1
  expect outcome stuck
";
    let program = source(text);
    let played = synod::internals::scenario::play(
        &program,
        &program.scenarios[0],
        &Default::default(),
        &mut |_, _, _, _, _| {},
    );
    assert!(played.passed(), "{:#?}", played.failures);
    let instance = on(&program, "complete(3)").faults(&[(Fault::Crash, 1), (Fault::Restart, 1)]).build();
    let outcomes: BTreeSet<&str> = everything(&instance).ends.iter().map(|end| end.outcome).collect();
    assert!(outcomes.contains("stuck"), "{outcomes:?}");
}

/// Each link can fail, whether it leads to another process or back to the same one.
#[test]
fn a_link_that_leads_back_to_the_same_process_fails_like_any_other() {
    let program = source(
        "algorithm one_word
assumes unidirectional ring, fifo, anonymous, links fail
message A
var x : 0..1
state s
  on wakeup -> send A to next
  on A      -> x := 1
finally reached: forall p: p.x = 1
",
    );
    for topology in ["ring(1)", "ring(2)"] {
        let instance = on(&program, topology).faults(&[(Fault::Link, 1)]).build();
        let found = explore(&instance, None, &ExploreOptions::default(), &mut |_| None);
        assert_eq!(found.verdicts[0].judgement, Judgement::Violated, "{topology}");
    }
}
