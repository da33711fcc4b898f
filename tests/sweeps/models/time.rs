//! Time: bounds on delays, timers, and configurations that are equal up to a shift of time.

use crate::common::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use synod::internals::check::check;
use synod::internals::ids::ProcessId;
use synod::internals::instance::Instance;
use synod::internals::ir::{Program, Value};
use synod::internals::semantics::event::{Cause, Event};
use synod::internals::semantics::{Configuration, enabled, initial, step};
use synod::internals::simulate::Schedule;

fn program(text: &str) -> Arc<Program> {
    let checked = check("timed.syn", text, &|_| None);
    let found: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
    assert!(checked.program.is_some(), "{found:?}");
    Arc::new(checked.program.unwrap())
}

fn started(instance: &Instance) -> Configuration {
    let mut configuration = initial(instance);
    while let Some(p) = configuration.next_to_start() {
        step(instance, &mut configuration, &event(p, Cause::Start)).unwrap();
    }
    configuration
}

/// p0 asks, p1 answers; p0 waits for `patience` units of time.
fn asking(bounds: &str, patience: i64) -> Instance {
    let text = format!(
        "algorithm asking\nassumes complete, reliable, unique ids, knows peers, {bounds}, one Asker\n\
         message Ask, Answer\nvar got : Int\n\
         role Asker\nstate s\n  send Ask to others\n  if receive Answer -> got := 1\n  [] after {patience} -> got := 2\n  fi\n  halt\nalways\n  ignore Answer\n\
         role Server\nstate t\n  on Ask from j -> send Answer to j\n"
    );
    on(&program(&text), "complete(2)").build()
}

/// Return the final values of p0, under all schedules and delays.
fn answers(bounds: &str, patience: i64) -> BTreeSet<Value> {
    endings(&asking(bounds, patience), |_| Vec::new(), |end| end.variable(0, "got"))
}

#[test]
fn an_answer_is_there_after_twice_the_greatest_delay_and_comes_before_the_timeout() {
    let (answer, timeout) = (Value::Int(1), Value::Int(2));
    let both = BTreeSet::from([answer.clone(), timeout.clone()]);
    let always = BTreeSet::from([answer.clone()]);
    assert_eq!(answers("delay <= 1", 2), always);
    assert_eq!(answers("delay <= 3", 6), always);
    assert_eq!(answers("delay <= 3", 5), both);
    assert_eq!(answers("delay = 3", 5), BTreeSet::from([timeout]));
    assert_eq!(answers("delay in 2..4", 3), BTreeSet::from([Value::Int(2)]));
    assert_eq!(answers("delay in 2..4", 4), both);
    assert_eq!(answers("delay in 2..4", 8), always);
    assert_eq!(answers("timers", 1_000_000), both);
}

#[test]
fn steps_at_the_wrong_time_are_refused() {
    let instance = asking("delay in 2..4", 5);
    let configuration = started(&instance);
    let possible = enabled(&instance, &configuration);
    let waits: Vec<u64> = possible.iter().map(|e| e.wait).collect();
    assert_eq!(waits, [2, 3, 4], "{possible:?}");
    for wait in [0, 1, 5] {
        let early_or_late = Event { wait, ..possible[0].clone() };
        assert!(step(&instance, &mut configuration.clone(), &early_or_late).is_err(), "{wait}");
    }
    // The timer expires at 5, after the message has arrived.
    let timeout = Event { wait: 5, ..Event::new(ProcessId(0), Cause::Timeout) };
    assert!(step(&instance, &mut configuration.clone(), &timeout).is_err());
    let mut after = configuration.clone();
    step(&instance, &mut after, &possible[0]).unwrap();
    assert_eq!(after.now(), 2);
}

#[test]
fn configurations_are_compared_by_ages() {
    let text = "algorithm ticking\nassumes complete, unique ids, knows peers, delay <= 1\n\
                state s\n  after 3 -> become s\n";
    let instance = on(&program(text), "complete(1)").build();
    let first = started(&instance);
    let mut later = first.clone();
    let tick = Event { wait: 3, ..Event::new(ProcessId(0), Cause::Timeout) };
    step(&instance, &mut later, &tick).unwrap();
    assert_eq!((first.now(), later.now()), (0, 3));
    assert!(first == later);
    assert_eq!(enabled(&instance, &later), [tick]);
}

#[test]
fn a_run_with_an_armed_timer_is_not_at_its_end() {
    let text = "algorithm ticking\nassumes complete, unique ids, knows peers, delay <= 1\n\
                var ticks : 0..100\nstate s\n  after 3 -> ticks := ticks + 1; become s\n";
    let instance = on(&program(text), "complete(1)").build();
    let run = synod::internals::simulate::simulate(
        &instance,
        &synod::internals::simulate::SimulateOptions { max_steps: Some(51), ..Default::default() },
        &mut synod::internals::simulate::Unobserved,
    );
    assert_eq!(run.outcome.as_str(), "limit");
    assert_eq!(variable(&instance, &run.configuration, 0, "ticks"), Value::Int(50));
    assert_eq!(run.configuration.now(), 150);
}

/// LeLann's ring never has two tokens, and creates a new one after any loss.
#[test]
fn a_lost_token_is_replaced() {
    use synod::internals::ir::Fault;
    let program = library("lelann_regeneration");
    for seed in 0..200 {
        let n = 1 + seed % 5;
        let instance = on(&program, &format!("ring({n})"))
            .random_ids(seed)
            .param("D", 1 + seed as i64 % 3)
            .faults(&[(Fault::Loss, 2)])
            .build();
        let judged = judge(&instance, Schedule::Random, seed, 1_500);
        assert_eq!(judged.findings(), ["limit"], "n = {n}, seed {seed}: {}", judged.reasons());
        let tokens = messages_of(&instance, &judged.run.metrics, "Token");
        assert!(tokens > 20, "n = {n}, seed {seed}: {tokens} tokens sent");
    }
}

/// Every event of a run.
#[derive(Default)]
struct Events(Vec<Event>);

impl synod::internals::simulate::Observer for Events {
    fn after(
        &mut self,
        _: &Instance,
        event: &Event,
        _: &synod::internals::semantics::event::Effects,
        _: &Configuration,
        _: &synod::internals::semantics::Metrics,
    ) -> bool {
        self.0.push(event.clone());
        true
    }
}

/// A message waits for a halted process, and is lost when that process crashes: at once, so before a timer that expires at the
/// same instant. Random runs with crashes at all moments are valid: their recorded events are accepted, step by step.
#[test]
fn effects_of_a_crash_precede_a_timer_of_the_same_instant() {
    let text = "algorithm late\nassumes complete, unique ids, knows peers, delay in 1..2, crashes, one Gone\n\
                message Hi\nvar expired : Int\n\
                role Gone\nstate g\n  halt\n\
                role Waiter\nstate s\n  send Hi to Gone\n\
                \x20 if receive Hi -> skip [] after 3 -> expired := 1 fi\n\
                \x20 if receive Hi -> skip [] after 1 -> expired := 2 fi\n  halt\n";
    let program = program(text);
    let mut between = 0;
    for seed in 0..3_000 {
        let n = 2 + seed % 3;
        let instance = on(&program, &format!("complete({n})"))
            .faults(&[(synod::internals::ir::Fault::Crash, 1 + seed as u32 % 2)])
            .build();
        let schedule = [Schedule::Random, Schedule::Fifo, Schedule::Adversary][seed as usize % 3];
        let options = synod::internals::simulate::SimulateOptions { schedule, seed, ..Default::default() };
        let mut events = Events::default();
        let run = synod::internals::simulate::simulate(&instance, &options, &mut events);
        let mut again = initial(&instance);
        for (number, event) in events.0.iter().enumerate() {
            let told = step(&instance, &mut again, event);
            assert!(told.is_ok(), "seed {seed}, event {number}, {event:?}: {told:?}");
        }
        // Time may have passed after the last of them.
        for p in instance.processes() {
            assert_eq!(again.words(p), run.configuration.words(p), "seed {seed}");
        }
        // The timer had been delivered: time had passed for it when the crash occurred.
        between += u32::from(events.0.iter().any(|e| e.cause == Cause::Crash && e.wait > 0));
    }
    assert!(between > 20, "only in {between} runs a crash comes between");
}

/// A process that sleeps for an arbitrary time finds messages in any state: early, due, or overdue.
#[test]
fn sleepers_wake_at_any_time() {
    let text = "algorithm late\nassumes complete, fifo, unique ids, knows peers, delay in 1..3, one Source\n\
        message M\nvar order : list of Int\n\
        role Source\nstate r\n  send M to others\n  become q\nstate q\n\
        role Sink\nstate s\n  pause\n  become t\nstate t\n  on M -> order := order + [1]\n  after 1 -> order := order + [2]\n";
    let instance = on(&program(text), "complete(2)").build();
    let order = |of: &[i64]| Value::List(Arc::new(of.iter().map(|n| Value::Int(*n)).collect()));
    // Early, the time elapses before the message arrives; late, the message arrives first.
    let both = BTreeSet::from([order(&[1, 2]), order(&[2, 1])]);
    assert_eq!(endings(&instance, |_| Vec::new(), |end| end.variable(1, "order")), both);

    // The same with a timer that no process waits for yet.
    let text = "algorithm late\nassumes complete, unique ids, delay <= 1\nvar order : list of Int\n\
        state s\n  set timer t after 5\n  pause\n  become u\n\
        state u\n  on timeout(t) -> order := order + [1]\n  after 2 -> order := order + [2]\n";
    let instance = on(&program(text), "complete(1)").build();
    assert_eq!(endings(&instance, |_| Vec::new(), |end| end.variable(0, "order")), both);
}
