//! A run that is said to go round for ever: does it come back, and is it fair?
//!
//! What is asked of its round is what [`super::liveness`] asks of cycles: whatever can be done in all configurations of the round
//! is done somewhere in it. Where another step comes to the same configuration as the one taken, the rounds may take turns, so
//! both count as taken.

use super::liveness::Fairness;
use crate::explore::space::interner::Interner;
use crate::explore::space::view::Quotient;
use crate::explore::steps::choices::EveryChoice;
use crate::explore::steps::fairness::{Contents, FairnessConstraint, sources};
use crate::instance::Instance;
use crate::semantics::event::{Cause, Event};
use crate::semantics::{Configuration, Machine};
use std::collections::BTreeSet;

/// What a round that is not fair puts off for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owed {
    /// A message of a channel could be taken at any time.
    Message {
        /// Who sent it.
        from: u32,
        /// Who could take it.
        to: u32,
    },
    /// A process could go on by itself at any time.
    Process(u32),
    /// The failure detector of a process could say at any time what it has to say of another one.
    Detector { of: u32, at: u32 },
    /// The oracles of a process could be right again at any time.
    Oracle(u32),
}

impl Owed {
    /// What is put off, with these names of processes.
    pub fn told<N: std::fmt::Display>(&self, name: impl Fn(u32) -> N) -> String {
        match self {
            Owed::Message { from, to } => format!(
                "a message from {} to {} can be taken all the time, and none ever is",
                name(*from),
                name(*to)
            ),
            Owed::Process(process) => {
                format!("{} can go on by itself all the time, and never does", name(*process))
            }
            Owed::Detector { of, at } => format!(
                "the failure detector of {} can say all the time that {} has crashed, or that it is up again, and never does",
                name(*at),
                name(*of)
            ),
            Owed::Oracle(process) => {
                format!("the oracles of {} can be right again all the time, and never are", name(*process))
            }
        }
    }
}

/// Are two configurations the same? In channels without order messages may lie in any.
pub fn is_same(instance: &Instance, one: &Configuration, other: &Configuration) -> bool {
    if one == other {
        return true;
    }
    // Where time passes, each message has an age of its own.
    if instance.is_timed() {
        return false;
    }
    let (mut one, mut other) = (one.clone(), other.clone());
    let unordered: Vec<u32> = one.busy_channels().filter(|c| !instance.layout.keeps_order(*c)).collect();
    let contents = |configuration: &Configuration, channel: u32| {
        let messages = configuration.channel(channel);
        let mut all: Vec<_> = messages.map(|m| (m.kind, m.words.to_vec(), m.values.to_vec())).collect();
        all.sort();
        all
    };
    for channel in unordered {
        if contents(&one, channel) != contents(&other, channel) {
            return false;
        }
        one.empty(channel);
        other.empty(channel);
    }
    one == other
}

/// What a round owes to weak fairness: `begun` is the configuration in which it begins, and `events` lead back there. Nothing is
/// asked where fairness is global: then it is no single round that has to be fair.
pub fn owed(instance: &Instance, begun: &Configuration, events: &[Event]) -> Option<Owed> {
    owed_up_to(instance, begun, events, None)
}

/// As [`owed`], where the events lead back to a configuration that is equivalent under the `quotient`.
pub fn owed_up_to(
    instance: &Instance,
    begun: &Configuration,
    events: &[Event],
    quotient: Option<&Quotient<'_>>,
) -> Option<Owed> {
    if Fairness::of(instance) == Fairness::Global {
        return None;
    }
    let mut machine = Machine::new(instance);
    let mut configurations = vec![begun.clone()];
    let mut taken = BTreeSet::new();
    let messages = Interner::new();
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
        taken.extend(sources(instance, contents, before, event, &machine.taken_positions()));
        configurations.push(next);
    }
    // A joint step ends; in the middle of it most can do nothing for the moment.
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
            Owed::Message { from: instance.sender(channel), to: instance.receiver(channel) }
        }
        FairnessConstraint::Process(process) => Owed::Process(process),
        FairnessConstraint::Detector(at, of) => Owed::Detector { of, at },
        FairnessConstraint::Oracle(process) => Owed::Oracle(process),
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
        if is_known(&sources(instance, contents, before, &event, &[]), &found, taken) {
            continue;
        }
        let mut choices = EveryChoice::default();
        loop {
            let mut next = before.clone();
            if let Ok(true) = machine.perform(instance, &mut next, &event, &mut choices) {
                let about = sources(instance, contents, before, &event, &machine.taken_positions());
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
