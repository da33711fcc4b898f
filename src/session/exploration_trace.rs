//! Traces of counterexamples.

use super::run_report::RuntimeError;
use super::watched::{Keep, Monitors, end};
use crate::explore::{Counterexample, ViolationKind};
use crate::instance::Instance;
use crate::ir::show::Show;
use crate::semantics::event::{Cause, Event};
use crate::semantics::{Configuration, Machine, StepError, is_end};
use crate::simulate::{Held, Outcome, Unobserved, classify, replay};
use crate::trace::{End, Header, Recorder, Trace};

/// Return the counterexample as a trace.
pub fn trace_of(instance: &Instance, counterexample: &Counterexample, seed: u64) -> Trace {
    let mut configuration = Configuration::initial(instance);
    let header = Header::of(instance, &[], "verify", seed);
    let (events, last) = match (&counterexample.kind, counterexample.events.split_last()) {
        // The last event aborts: it is no step.
        (ViolationKind::Aborted(_), Some((last, events))) => (events, Some(last)),
        _ => (counterexample.events.as_slice(), None),
    };
    let mut watchers = Monitors::new(instance, None, Keep::Always, "verify", seed, &configuration);
    let replayed = replay(instance, &mut configuration, events, &mut watchers);
    let mut recorder: Recorder<'_> = watchers
        .into_recorder()
        .unwrap_or_else(|| Recorder::new(instance, header, &Configuration::initial(instance)));
    let mut waits = Vec::new();
    let ended = match &counterexample.kind {
        ViolationKind::Stuck(_) | ViolationKind::Blocked(_) => End::Stuck,
        ViolationKind::Aborted(why) => {
            if let Some(last) = last {
                let mut machine = Machine::new(instance);
                let _ = machine.replay(instance, &mut configuration, last);
                recorder.record_abort(last, machine.effects.action, why, &configuration);
            }
            End::Aborted
        }
        // Properties of ends concern a run that has ended, although faults might still occur; other runs are cut off at
        // the violation.
        ViolationKind::Property(_) if is_end(instance, &configuration) => {
            let outcome = classify(instance, &configuration, &Held::default());
            let ended = end(&outcome);
            if let Outcome::Stuck(stuck) = outcome {
                waits = stuck;
            }
            ended
        }
        ViolationKind::Property(_) => End::Limit,
    };
    debug_assert!(replayed.is_ok(), "a counterexample is a run");
    let mut trace = recorder.finish(ended);
    if !waits.is_empty() {
        trace.state_deadlock(&waits);
    }
    trace.header.repeats_from = counterexample.repeats_from.map(|event| event as u64);
    trace.header.violates = match (&counterexample.kind, counterexample.repeats_from) {
        (ViolationKind::Property(property), Some(_)) => {
            Some(instance.program.properties[*property].name.clone())
        }
        _ => None,
    };
    trace
}

/// Record the run of these events. It stops after the last one, or before the first that cannot be replayed.
pub fn trace_of_steps(instance: &Instance, events: &[Event], seed: u64) -> Trace {
    let mut configuration = Configuration::initial(instance);
    let mut machine = Machine::new(instance);
    machine.recording = true;
    let mut recorder = Recorder::new(instance, Header::of(instance, &[], "verify", seed), &configuration);
    for event in events {
        if machine.replay(instance, &mut configuration, event).is_err() {
            break;
        }
        recorder.record(event, &machine.effects, &configuration);
    }
    recorder.finish(End::Limit)
}

/// Return the run-time error in which a counterexample ends; `None` if it shows something else.
pub fn runtime_error(instance: &Instance, counterexample: &Counterexample) -> Option<RuntimeError> {
    let (ViolationKind::Aborted(_), Some((last, events))) =
        (&counterexample.kind, counterexample.events.split_last())
    else {
        return None;
    };
    let mut configuration = Configuration::initial(instance);
    replay(instance, &mut configuration, events, &mut Unobserved).ok()?;
    let message = match last.cause {
        Cause::Deliver { channel, position } => {
            let taken = configuration.channel(channel).nth(position as usize);
            let show = Show::new(&instance.program);
            taken.map(|taken| {
                let told = show.message(taken.kind, taken.words, taken.values);
                format!("{told} from {}", instance.sender(channel))
            })
        }
        _ => None,
    };
    match Machine::new(instance).replay(instance, &mut configuration, last) {
        Err(StepError::Aborted(abort)) => {
            Some(RuntimeError { message, ..RuntimeError::of(instance, &abort) })
        }
        _ => None,
    }
}
