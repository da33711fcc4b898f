//! Confirmation of counterexamples: every counterexample is replayed step by step before it is reported.
//!
//! The search finds a run in tables, vectors and graphs. The machine, the watch that checks recorded runs, and the rules of
//! cycles use none of these. If they do not confirm the violation, one of them has a bug, and nothing is decided.

use crate::explore::graph::infinite_run::{Lasso, check_lasso};
use crate::explore::{Counterexample, ViolationKind};
use crate::instance::Instance;
use crate::ir::{Property, PropertyKind};
use crate::property::{Ended, Judgement, Reads, Reason, RunMonitor, Verdict};
use crate::semantics::enumeration::is_possible;
use crate::semantics::event::{Cause, Event};
use crate::semantics::{Configuration, Machine, Metrics, StepError};
use crate::simulate::{Held, Outcome, classify};

/// A counterexample that cannot be replayed, or does not show its violation: a bug in Synod.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The counterexample that the search found.
    pub counterexample: Counterexample,
    /// The number of events that were replayed.
    pub replayed: usize,
    /// The reason why it is not confirmed: one sentence without a full stop.
    pub why: String,
}

/// Return the counterexample if every event can be replayed, the violation holds at its end, and its cycle returns and is fair.
///
/// # Errors
/// Otherwise the counterexample and the reason.
pub fn confirm(
    instance: &Instance,
    counterexample: Counterexample,
) -> Result<Counterexample, Box<Disagreement>> {
    let mut replay = Replay::new(instance, &counterexample.kind);
    let shown = replay.run(&counterexample).and_then(|()| replay.shows(&counterexample));
    match shown {
        Ok(()) => Ok(counterexample),
        Err(why) => Err(Box::new(Disagreement { counterexample, replayed: replay.replayed, why })),
    }
}

/// The replay of a run, up to the first event that is not possible.
struct Replay<'i> {
    instance: &'i Instance,
    machine: Machine,
    configuration: Configuration,
    watch: RunMonitor,
    replayed: usize,
}

impl<'i> Replay<'i> {
    fn new(instance: &'i Instance, what: &ViolationKind) -> Replay<'i> {
        let program = &instance.program;
        let names: Vec<String> = match what {
            ViolationKind::Property(property) => vec![program.properties[*property].name.clone()],
            _ => Vec::new(),
        };
        let (configuration, mut machine) = (Configuration::initial(instance), Machine::new(instance));
        machine.recording = true;
        let mut watch = RunMonitor::new(instance, Some(&names));
        watch.begin(instance, &configuration, &Metrics::new(program.kinds.len(), program.operations.len()));
        Replay { instance, machine, configuration, watch, replayed: 0 }
    }

    /// Replay all events. The last command of an aborted run must abort.
    fn run(&mut self, counterexample: &Counterexample) -> Result<(), String> {
        let Counterexample { kind: what, events, .. } = counterexample;
        let (events, last) = match (what, events.split_last()) {
            (ViolationKind::Aborted(_), Some((last, before))) => (before, Some(last)),
            _ => (events.as_slice(), None),
        };
        for event in events {
            match self.step(event) {
                Ok(()) => {}
                Err(StepError::Impossible(why)) => return Err(why),
                Err(StepError::Aborted(abort)) => {
                    return Err(format!("this step of {} aborts: {}", event.process, abort.message));
                }
            }
        }
        match last {
            None => Ok(()),
            // The message may name another process if the search exchanged processes.
            Some(event) => match self.step(event) {
                Err(StepError::Aborted(_)) => Ok(()),
                Err(StepError::Impossible(why)) => Err(why),
                Ok(()) => Err(format!("this step of {} does not abort", event.process)),
            },
        }
    }

    fn step(&mut self, event: &Event) -> Result<(), StepError> {
        self.machine.replay(self.instance, &mut self.configuration, event)?;
        self.watch.after(
            self.instance,
            event,
            &self.machine.effects,
            &self.configuration,
            &self.machine.metrics,
        );
        self.replayed += 1;
        Ok(())
    }

    /// Check that the run ends in its violation.
    fn shows(&self, counterexample: &Counterexample) -> Result<(), String> {
        match &counterexample.kind {
            ViolationKind::Aborted(_) => Ok(()),
            ViolationKind::Stuck(_) | ViolationKind::Blocked(_) => self.is_stuck(&counterexample.kind),
            ViolationKind::Property(property) => {
                let property = &self.instance.program.properties[*property];
                match counterexample.repeats_from {
                    Some(from) => self.violates_for_ever(property, &counterexample.events, from),
                    None => self.violates(property, counterexample.has_positive_cycle),
                }
            }
        }
    }

    fn is_stuck(&self, what: &ViolationKind) -> Result<(), String> {
        if !self.is_at_end() {
            return Err("the run has not ended: a step is still enabled".into());
        }
        match classify(self.instance, &self.configuration, &Held::default()) {
            Outcome::Stuck(stuck)
                if ViolationKind::stuck(self.instance, &self.configuration, &stuck).0.is_same_kind(what) =>
            {
                Ok(())
            }
            other => Err(format!("the run ends differently: {}", other.as_str())),
        }
    }

    fn violates(&self, property: &Property, outgrows: bool) -> Result<(), String> {
        let is_of_ends = !matches!(
            property.kind,
            PropertyKind::Invariant | PropertyKind::Stable | PropertyKind::Order | PropertyKind::Bound
        );
        let is_at_end = self.is_at_end();
        if is_of_ends && !is_at_end {
            return Err("the run has not ended: a step is still enabled".into());
        }
        let ended = if is_at_end { Ended::Finished } else { Ended::CutOff };
        let verdicts = self.watch.verdicts(self.instance, ended, &self.configuration, &self.machine.metrics);
        match outgrows {
            // A longer run exceeds the bound.
            true => Ok(()),
            false => is_violated(property, &verdicts),
        }
    }

    fn violates_for_ever(&self, property: &Property, events: &[Event], from: usize) -> Result<(), String> {
        let mut verdicts = vec![Verdict::new(property, Judgement::Pending, Reason::Unstated)];
        match check_lasso(self.instance, events, from, &mut verdicts) {
            Lasso::Open => Err(format!("the run does not return to the configuration before event {from}")),
            Lasso::Unfair(owed) => {
                Err(format!("the cycle is not fair: {}", owed.describe(|process| process.to_string())))
            }
            // Properties of the history are not checked on cycles.
            Lasso::Fair | Lasso::UpToView if observes(self.instance, property) => Ok(()),
            Lasso::Fair | Lasso::UpToView => is_violated(property, &verdicts),
        }
    }

    /// Return whether the run has ended. Steps that need not happen, such as faults, are ignored.
    fn is_at_end(&self) -> bool {
        let Replay { instance, configuration, .. } = self;
        // A separate machine, since the other one counts the costs of the run.
        let mut machine = Machine::new(instance);
        machine.enabled(instance, configuration).into_iter().all(|event| {
            machine.may_be_omitted(instance, configuration, &event)
                || matches!(event.cause, Cause::SendNote { .. })
                || !is_possible(|choices| {
                    machine.perform(instance, &mut configuration.clone(), &event, choices)
                })
        })
    }
}

fn observes(instance: &Instance, property: &Property) -> bool {
    let history = |e| Reads::of(e, &instance.program).history;
    history(&property.body) || property.consequent.as_ref().is_some_and(history)
}

fn is_violated(property: &Property, verdicts: &[Verdict]) -> Result<(), String> {
    let verdict = verdicts.iter().find(|verdict| verdict.name == property.name);
    match verdict {
        Some(verdict) if verdict.judgement == Judgement::Violated => Ok(()),
        Some(verdict) => Err(format!(
            "{} is not violated but {}: {}",
            property.name,
            verdict.judgement.as_str(),
            verdict.why
        )),
        None => Err(format!("{} has no verdict", property.name)),
    }
}
