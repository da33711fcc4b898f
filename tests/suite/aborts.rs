//! Programs with run-time errors: an aborted step has no effect, and the trace names it.

use std::sync::Arc;
use synod::internals::ids::ProcessId;
use synod::internals::instance::Instance;
use synod::internals::ir::Value;
use synod::internals::semantics::event::{Cause, Event};
use synod::internals::semantics::{Configuration, Machine, StepError, enabled, initial, step};
use synod::internals::setup::{InstanceOptions, instantiate};
use synod::internals::simulate::{Outcome, Schedule, SimulateOptions, simulate};
use synod::internals::trace::{End, Header, Recorder, Trace};

fn instance(text: &str) -> Instance {
    let checked = synod::internals::check::check("test.syn", text, &synod::internals::library::source);
    let found: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
    let program = checked.program.unwrap_or_else(|| panic!("{found:?}"));
    instantiate(&Arc::new(program), &InstanceOptions::default()).expect("an instance")
}

/// The receiver changes everything that can be changed, sends, and then aborts.
const EVERYTHING: &str = "algorithm small
assumes unidirectional ring, one First
message Go, Note(s: set of Int)
role First
  state s
    send Go
    halt
role Other
  var got : set of Int := {1, 2}
  var at : map of Int to Int := {1: 10}
  var row : list of Int := [1, 2, 3]
  var count : Int
  state s
    on Go ->
      got := got + {3}
      remove 1 from got
      at[1] := 11
      at[2] := 12
      remove 2 from row
      row[1] := 7
      for x in got do count := count + x od
      send Note(got)
      count := count div 0
    on Note(s) -> skip
";

/// Return the configuration before the step that aborts, and the event of that step.
fn before_it_fails(instance: &Instance) -> (Configuration, Event) {
    let mut configuration = initial(instance);
    loop {
        let event = enabled(instance, &configuration).remove(0);
        let before = configuration.clone();
        match step(instance, &mut configuration, &event) {
            Ok(_) => {}
            Err(StepError::Aborted(_)) => return (before, event),
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn an_aborted_step_changes_nothing() {
    let instance = instance(EVERYTHING);
    let (before, event) = before_it_fails(&instance);
    let mut machine = Machine::new(&instance);
    let mut configuration = before.clone();
    let counts = machine.metrics.clone();
    for _ in 0..2 {
        let error = machine.replay(&instance, &mut configuration, &event).unwrap_err();
        let StepError::Aborted(abort) = error else { panic!("{error}") };
        assert_eq!(abort.message, "division by zero: 5 div 0");
        // The message describes the state at the abort.
        let shown = |name: &str| abort.variables.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone());
        assert_eq!(shown("got"), Some(Value::set([Value::Int(2), Value::Int(3)])));
        assert_eq!(shown("count"), Some(Value::Int(5)));
        assert!(configuration == before);
        assert_eq!(configuration.values(event.process), before.values(event.process));
        assert_eq!(configuration.next_message(), before.next_message());
        assert_eq!(machine.metrics, counts);
    }
}

#[test]
fn an_observed_run_ends_before_the_aborted_step() {
    let instance = instance(EVERYTHING);
    let (before, event) = before_it_fails(&instance);
    for schedule in [Schedule::Fifo, Schedule::Random, Schedule::RoundRobin, Schedule::Adversary] {
        let start = Configuration::initial(&instance);
        let mut recorder = Recorder::new(&instance, Header::of(&instance, &[], "fifo", 0), &start);
        let options = SimulateOptions { schedule, ..SimulateOptions::default() };
        let run = simulate(&instance, &options, &mut recorder);
        let Outcome::Aborted(abort) = &run.outcome else { panic!("{:?}", run.outcome) };
        assert_eq!((abort.step, abort.event.as_ref()), (Some(run.steps), Some(&event)));
        assert!(run.configuration == before);
        assert_eq!((run.metrics.messages(), run.metrics.time), (1, 1));
        // The trace has the abort as its last event, and can be replayed.
        let trace = recorder.finish(End::of(&run.outcome));
        assert_eq!(trace.events.len() as u64, run.steps + 1);
        let last = trace.events.last().unwrap();
        assert_eq!((last.event(), last.action.as_str()), (event.clone(), "on Go"));
        assert_eq!((last.sent.len(), last.changes.len()), (0, 0));
        assert_eq!(last.observations, ["abort division by zero: 5 div 0"]);
        let again = Trace::read(&trace.to_text()).unwrap();
        assert!(again.replay(&instance).reproduced(), "{}", again.replay(&instance).summary());
    }
}

#[test]
fn an_impossible_step_is_not_an_abort() {
    let instance = instance(EVERYTHING);
    let mut configuration = initial(&instance);
    let start = enabled(&instance, &configuration).remove(0);
    let refused = |configuration: &mut Configuration, event: Event| {
        let before = configuration.clone();
        let error = step(&instance, configuration, &event).unwrap_err();
        assert!(*configuration == before);
        match error {
            StepError::Impossible(why) => why,
            StepError::Aborted(abort) => panic!("{abort}"),
        }
    };
    let of_unknown_process = Event { process: ProcessId(99), ..start.clone() };
    assert_eq!(
        refused(&mut configuration, of_unknown_process),
        "this step of p99 is not possible here: it is not enabled"
    );
    // The step itself is possible, but not with a choice that no command makes: it is rejected.
    let too_many = Event { choices: [1].into_iter().collect(), ..start.clone() };
    assert_eq!(
        refused(&mut configuration, too_many),
        "this step of p0 is not possible here: its choices do not match"
    );
    step(&instance, &mut configuration, &start).unwrap();
    let call = |operation| Event { cause: Cause::Call { operation, args: Vec::new() }, ..start.clone() };
    while let Some(process) = configuration.next_to_start() {
        step(&instance, &mut configuration, &Event { process, ..start.clone() }).unwrap();
    }
    assert_eq!(refused(&mut configuration, call(7)), "operation number 7 does not exist");
}

/// If a guard aborts, no command receives the message. The event is a receipt all the same, and no failure of a link.
#[test]
fn a_guard_that_aborts_is_a_receipt() {
    let instance = instance(
        "algorithm small
assumes unidirectional ring
message M(k: Int)
state s
  send M(0)
  become waits
state waits
  on M(k) when 1 div k = 1 -> skip
",
    );
    let start = Configuration::initial(&instance);
    let mut recorder = Recorder::new(&instance, Header::of(&instance, &[], "fifo", 0), &start);
    let run = simulate(&instance, &SimulateOptions::default(), &mut recorder);
    let trace = recorder.finish(End::of(&run.outcome));
    let last = trace.events.last().unwrap();
    assert_eq!((last.action.as_str(), last.received.len()), ("receive", 0));
    assert_eq!(last.observations, ["abort division by zero: 1 div 0"]);
    assert!(trace.replay(&instance).reproduced());
}
