//! Playing a scenario with its trace.

use super::watched::end;
use crate::instance::Instance;
use crate::ir::{DEFAULT_SEED, Program, Scenario};
use crate::scenario::{ScenarioObserver, ScenarioResult, instance, play_on};
use crate::semantics::event::{Effects, Event};
use crate::semantics::{Abort, Configuration, Metrics};
use crate::simulate::Outcome;
use crate::stop::StopSignal;
use crate::trace::{End, Header, Recorder, Trace};
use std::sync::Arc;

/// Play a scenario and record its trace; no trace if the scenario could not be set up.
pub fn record_scenario(
    program: &Arc<Program>,
    scenario: &Scenario,
    stop: &StopSignal,
) -> (ScenarioResult, Option<Trace>) {
    let instance = match instance(program, scenario, stop) {
        Ok(instance) => instance,
        Err(message) => return (ScenarioResult::without_instance(scenario, message), None),
    };
    let mut clerk = ScenarioRecorder { instance: &instance, scenario, recorder: None };
    let played = play_on(&instance, scenario, &mut clerk);
    let end = played.outcome.as_ref().map_or(End::Limit, end);
    let mut trace = clerk.recorder.map(|recorder| recorder.finish(end));
    if let Some(trace) = &mut trace {
        trace.header.repeats_from = played.repeats_from;
        if let Some(verdict) = &played.violation {
            trace.state_violation(&verdict.name, verdict.at_event, &verdict.why.to_string());
        }
    }
    (played, trace)
}

/// Return the trace with a verdict of a scenario that failed: its violation, or the first failure, and the waits of a deadlock.
pub fn with_failure(mut trace: Trace, scenario: &Scenario, played: &ScenarioResult) -> Trace {
    let Some(failure) = played.failures.first() else { return trace };
    let violation = trace.header.verdict.take();
    let is_told = |why: &str| played.failures.iter().any(|failure| failure.message.contains(why));
    if let Some(Outcome::Stuck(stuck)) = &played.outcome
        && !stuck.iter().any(|stuck| is_told(&stuck.why))
    {
        trace.state_deadlock(stuck);
    }
    let failed = || format!("scenario {} failed: {}", scenario.name, failure.message);
    trace.header.state(&violation.unwrap_or_else(failed));
    trace
}

/// Recorder that begins when the variables of the scenario have been set.
struct ScenarioRecorder<'i> {
    instance: &'i Instance,
    scenario: &'i Scenario,
    recorder: Option<Recorder<'i>>,
}

impl ScenarioObserver for ScenarioRecorder<'_> {
    fn begins(&mut self, configuration: &Configuration) {
        let schedule = match self.scenario.is_scripted {
            true => "told",
            false => self.scenario.schedule.as_deref().unwrap_or("fifo"),
        };
        let seed = self.scenario.seed.unwrap_or(DEFAULT_SEED);
        // A scenario may name only the first processes.
        let mut names = self.scenario.names.clone();
        if !names.is_empty() {
            names.extend((names.len()..self.instance.n() as usize).map(|p| format!("p{p}")));
        }
        let header = Header::of(self.instance, &names, schedule, seed);
        self.recorder = Some(Recorder::new(self.instance, header, configuration));
    }

    fn after(&mut self, _: &Instance, event: &Event, effects: &Effects, c: &Configuration, _: &Metrics) {
        if let Some(recorder) = &mut self.recorder {
            recorder.record(event, effects, c);
        }
    }

    fn aborted(&mut self, event: &Event, effects: &Effects, abort: &Abort, configuration: &Configuration) {
        if let Some(recorder) = &mut self.recorder {
            recorder.record_abort(event, effects.action, &abort.message, configuration);
        }
    }
}
