//! Recorded infinite runs: check whether the cycle returns, and whether it is fair.
//!
//! The condition is that of [`super::liveness`]: what is enabled in all configurations of the cycle is executed in some of
//! them. If another step leads to the same configuration as the one taken, repetitions of the cycle may alternate, so both
//! count as executed.

use crate::explore::fairness::{Contents, FairnessConstraint, constraints_of};
use crate::explore::graph::fairness::Fairness;
use crate::explore::graph::quotient::Quotient;
use crate::explore::store::interner::Interner;
use crate::ids::{ChannelId, ProcessId};
use crate::instance::Instance;
use crate::semantics::enumeration::ChoiceEnumerator;
use crate::semantics::event::{Cause, Event};
use crate::semantics::{Configuration, Machine};
use std::collections::BTreeSet;

/// The step that an unfair cycle postpones forever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnfairStep {
    /// A message of a channel can always be received.
    Message {
        /// Its sender.
        from: ProcessId,
        /// Its receiver.
        to: ProcessId,
    },
    /// A process always has an enabled step without a message.
    Process(ProcessId),
    /// The failure detector of a process can always change its output about another process.
    Detector { of: ProcessId, at: ProcessId },
    /// The oracles of a process can always be corrected.
    Oracle(ProcessId),
    /// The next line of the scenario is always possible.
    Script,
}

impl UnfairStep {
    /// Describe the postponed step, with these names of processes.
    pub fn describe<N: std::fmt::Display>(&self, name: impl Fn(ProcessId) -> N) -> String {
        match self {
            UnfairStep::Message { from, to } => format!(
                "a message from {} to {} can always be received, but never is",
                name(*from),
                name(*to)
            ),
            UnfairStep::Process(process) => {
                format!("{} always has an enabled step, but never takes it", name(*process))
            }
            UnfairStep::Detector { of, at } => format!(
                "the failure detector of {} can always report that {} has crashed, or is up again, but never does",
                name(*at),
                name(*of)
            ),
            UnfairStep::Oracle(process) => {
                format!("the oracles of {} can always be corrected, but never are", name(*process))
            }
            UnfairStep::Script => {
                "the next line of the scenario is always possible, but never happens".into()
            }
        }
    }
}

/// Return whether two configurations are equal, up to the order of messages in unordered channels.
pub fn is_same(instance: &Instance, one: &Configuration, other: &Configuration) -> bool {
    if one == other {
        return true;
    }
    // Where time passes, each message has an age of its own.
    if instance.is_timed() {
        return false;
    }
    let (mut one, mut other) = (one.clone(), other.clone());
    let unordered: Vec<ChannelId> =
        one.busy_channels().filter(|c| !instance.layout.keeps_order(*c)).collect();
    let contents = |configuration: &Configuration, channel: ChannelId| {
        let messages = configuration.channel(channel);
        let mut all: Vec<_> = messages.map(|m| (m.kind, m.words.to_vec(), m.values.to_vec())).collect();
        all.sort();
        all
    };
    for channel in unordered {
        if contents(&one, channel) != contents(&other, channel) {
            return false;
        }
        one.clear_channel(channel);
        other.clear_channel(channel);
    }
    one == other
}

/// Return a fairness constraint that a cycle violates, if any. `begun` is the configuration in which the cycle begins, and
/// `events` lead back to it. Under global fairness, a single cycle need not be fair.
pub fn owed(instance: &Instance, begun: &Configuration, events: &[Event]) -> Option<UnfairStep> {
    owed_up_to(instance, begun, events, None)
}

/// Check a cycle as [`owed`] does, if it leads back to a configuration that is equivalent under the `quotient`.
pub fn owed_up_to(
    instance: &Instance,
    begun: &Configuration,
    events: &[Event],
    quotient: Option<&Quotient<'_>>,
) -> Option<UnfairStep> {
    if Fairness::of(instance) == Fairness::Global {
        return None;
    }
    let mut machine = Machine::new(instance);
    let mut configurations = vec![begun.clone()];
    let mut taken = BTreeSet::new();
    let messages = Interner::default();
    let exact = Contents { messages: &messages, view: None };
    let contents = quotient.map_or(exact, Quotient::contents);
    let same = |one: &Configuration, other: &Configuration| {
        quotient.map_or_else(|| one == other, |quotient| quotient.is_same(one, other))
    };
    for event in events {
        let before = configurations.last()?;
        let mut next = before.clone();
        // The run has been replayed before.
        machine.replay(instance, &mut next, event).ok()?;
        taken.extend(constraints_of(instance, contents, before, event, &machine.taken_positions()));
        configurations.push(next);
    }
    // Joint steps end; their intermediate states enable few steps.
    let mut always: Option<BTreeSet<FairnessConstraint>> = None;
    for pair in configurations.windows(2).filter(|pair| !pair[0].in_joint_step()) {
        let here = possible(instance, (&mut machine, contents), (&pair[0], &pair[1]), &same, &mut taken);
        let left = match always.take() {
            Some(before) => before.intersection(&here).copied().collect(),
            None => here,
        };
        if left.is_subset(&taken) {
            return None;
        }
        always = Some(left);
    }
    // A constraint that the shift of the cycle changes is another one in each repetition, and is eventually met.
    let comes_back = |source: &FairnessConstraint| match (quotient, configurations.last()) {
        (Some(quotient), Some(last)) => quotient.keeps(*source, begun, last),
        _ => true,
    };
    let owed = always.into_iter().flatten().find(|source| !taken.contains(source) && comes_back(source))?;
    Some(match owed {
        FairnessConstraint::Channel(channel) | FairnessConstraint::Message(channel, _) => {
            UnfairStep::Message { from: instance.sender(channel), to: instance.receiver(channel) }
        }
        FairnessConstraint::Process(process) => UnfairStep::Process(process),
        FairnessConstraint::Detector(at, of) => UnfairStep::Detector { of, at },
        FairnessConstraint::Oracle(process) => UnfairStep::Oracle(process),
        FairnessConstraint::Script => UnfairStep::Script,
    })
}

/// The constraints that a configuration enables. Those of steps to its successor in the run are added to `taken`.
fn possible(
    instance: &Instance,
    (machine, contents): (&mut Machine, Contents<'_>),
    (before, after): (&Configuration, &Configuration),
    same: &dyn Fn(&Configuration, &Configuration) -> bool,
    taken: &mut BTreeSet<FairnessConstraint>,
) -> BTreeSet<FairnessConstraint> {
    let mut found = BTreeSet::new();
    for event in machine.enabled(instance, before) {
        // The messages of a `from each` are a choice; the constraints of all other steps are known before the step.
        let is_known = |about: &[FairnessConstraint],
                        found: &BTreeSet<FairnessConstraint>,
                        taken: &BTreeSet<FairnessConstraint>| {
            event.cause != Cause::Gather && about.iter().all(|s| found.contains(s) && taken.contains(s))
        };
        if is_known(&constraints_of(instance, contents, before, &event, &[]), &found, taken) {
            continue;
        }
        let mut choices = ChoiceEnumerator::default();
        loop {
            let mut next = before.clone();
            if let Ok(true) = machine.perform(instance, &mut next, &event, &mut choices) {
                let about = constraints_of(instance, contents, before, &event, &machine.taken_positions());
                found.extend(about.iter().copied());
                if same(&next, after) {
                    taken.extend(about.iter().copied());
                }
                if is_known(&about, &found, taken) {
                    break;
                }
            }
            if !choices.next() {
                break;
            }
        }
    }
    found
}
