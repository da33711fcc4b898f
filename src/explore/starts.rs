//! The configurations in which all have just started.

use super::choices::EveryChoice;
use super::table::to_grow;
use super::{Cut, Progress, Stop};
use crate::instance::Instance;
use crate::semantics::event::{Event, Observation};
use crate::semantics::{Abort, Configuration, Machine, Metrics, StepError};
use std::sync::Arc;

/// Limits are looked at each time so many starts have been found.
const STARTS_BETWEEN_LOOKS: usize = 1 << 12;

/// A configuration in which all have just started.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub events: Vec<Event>,
    pub configuration: Configuration,
    /// The guards that were taken.
    pub guards: Vec<u32>,
    /// What each start has counted and shown.
    pub steps: Vec<(u32, Metrics, Vec<Observation>)>,
}

impl Start {
    /// Bytes it takes, about.
    pub fn bytes(&self) -> usize {
        let steps = self.steps.iter().map(|(_, _, seen)| size_of_val(seen.as_slice()));
        let lists = |m: &Metrics| {
            m.sent.len() + m.to_self.len() + m.bits.len() + m.own_rounds.len() + m.returns.len()
        };
        let counts =
            self.steps.iter().map(|(_, metrics, _)| lists(metrics) * size_of::<u64>()).sum::<usize>()
                + self.steps.len() * size_of::<(u32, Metrics, Vec<Observation>)>();
        let events = self.events.len() * size_of::<Event>() + self.guards.len() * size_of::<u32>();
        size_of::<Start>() + self.configuration.bytes() + events + counts + steps.sum::<usize>()
    }

    /// What the starts have cost together.
    pub fn metrics(&self) -> Metrics {
        let mut sum = self.steps.first().map_or_else(Metrics::default, |(_, metrics, _)| metrics.clone());
        for (_, metrics, _) in self.steps.iter().skip(1) {
            sum.add(metrics);
        }
        sum
    }
}

/// Starts of which the last goes wrong, and how.
pub(super) type AbortedStart = (Vec<Event>, Box<Abort>);

/// Why there is no search from all starts.
pub(super) enum NoStart {
    Aborted(AbortedStart),
    /// `watch` wanted no more.
    Cut(Cut),
}

/// Every configuration in which all have started, with the starts that lead there, and the first start that goes wrong; that is the
/// end of it, unless `goes_on` and there are others. Where variables begin with any value these may be many: `watch` is told how many
/// there are, how many begun ones wait, and how many bytes they take.
pub(super) fn starts(
    instance: &Instance,
    (goes_on, stop): (bool, Option<Stop>),
    watch: &mut dyn FnMut(&Progress) -> Option<Cut>,
) -> Result<(Vec<Start>, Option<AbortedStart>), NoStart> {
    let mut machine = Machine::new(instance);
    machine.recording = true;
    let mut ready = Vec::new();
    let mut aborted: Option<AbortedStart> = None;
    let first = Start {
        events: Vec::new(),
        configuration: Configuration::initial(instance),
        guards: Vec::new(),
        steps: Vec::new(),
    };
    let mut open = vec![first];
    while let Some(start) = open.pop() {
        let stopped = stop.is_some_and(|stop| stop());
        let is_ready = start.configuration.next_to_start().is_none();
        if is_ready || stopped {
            ready.push(start);
            if stopped || ready.len().is_multiple_of(STARTS_BETWEEN_LOOKS) {
                let bytes = (ready.len() + open.len()) * ready.last().map_or(0, Start::bytes);
                let (configurations, waiting) = (ready.len() as u64, open.len() as u64);
                let bytes_to_come = to_grow(&ready, STARTS_BETWEEN_LOOKS);
                let progress = Progress { configurations, steps: 0, depth: 0, waiting, bytes, bytes_to_come };
                if let Some(cut) = watch(&progress).or(stopped.then_some(Cut::Time)) {
                    return Err(NoStart::Cut(cut));
                }
            }
            continue;
        }
        let mut next = Vec::new();
        for event in machine.enabled(instance, &start.configuration) {
            let mut choices = EveryChoice::default();
            loop {
                if stop.is_some_and(|stop| stop()) {
                    break;
                }
                let mut after = start.clone();
                machine.metrics =
                    Metrics::new(instance.program.kinds.len(), instance.program.operations.len());
                let done = machine.perform(instance, &mut after.configuration, &event, &mut choices);
                after.guards.extend(&machine.effects.guards);
                after.events.push(Event { choices: machine.choices.clone(), ..event.clone() });
                let observations = machine.effects.observations.clone();
                after.steps.push((event.process, machine.metrics.clone(), observations));
                match done {
                    Ok(true) => next.push(after),
                    Ok(false) | Err(StepError::Impossible(_)) => {}
                    Err(StepError::Aborted(abort)) if goes_on => {
                        aborted.get_or_insert((after.events, abort));
                    }
                    Err(StepError::Aborted(abort)) => return Err(NoStart::Aborted((after.events, abort))),
                }
                if !choices.next() {
                    break;
                }
            }
        }
        next.reverse();
        open.append(&mut next);
    }
    match aborted {
        Some(aborted) if ready.is_empty() => Err(NoStart::Aborted(aborted)),
        aborted => Ok((ready, aborted)),
    }
}

pub(super) type Started = Arc<[Start]>;
