//! Origin of a value: the chain of causes from the event that wrote it back to its source.

use super::read_variables::Reading;
use super::timeline::NarratedStep;
use crate::ids::{MessageId, ProcessId};
use crate::semantics::event::Cause;
use crate::trace::TraceEvent;
use rustc_hash::FxHashMap;

/// The subject of the explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhySubject {
    /// Variables of a process, by the names displayed: the one assigned last counts.
    Variables { process: ProcessId, names: Vec<String> },
    /// A message, by its number.
    Message(MessageId),
}

/// Return the events that led to the subject, the last one first; empty if no event of this run did, and the value is
/// initial.
///
/// The cause of an event depends on its kind. An event that takes messages, or in which an arriving message wakes the
/// process, is caused by the last of them that was sent. An event that reads variables of neighbours is caused by the
/// last assignment to any of these or its own. A pairwise interaction is caused by the last event of either process,
/// any other event by the previous event of its process. A start or a wake-up has no cause.
///
/// # Errors
/// If the run has no such message: one sentence without a full stop.
pub fn why(told: &[NarratedStep], asked: &WhySubject, reading: &mut Reading) -> Result<Vec<usize>, String> {
    let mut senders: FxHashMap<MessageId, usize> = FxHashMap::default();
    for (at, told) in told.iter().enumerate() {
        senders.extend(told.event.sent.iter().map(|m| (m.id, at)));
    }
    let first = match asked {
        WhySubject::Message(id) => Some(*senders.get(id).ok_or_else(|| match senders.keys().max() {
            Some(last) => format!("no message {id}: the last one sent is {last}"),
            None => "no message has been sent yet".into(),
        })?),
        WhySubject::Variables { process, names } => {
            told.iter().rposition(|told| names.iter().any(|name| sets(&told.event, *process, name)))
        }
    };
    let mut chain = Vec::new();
    let mut here = first;
    while let Some(at) = here {
        chain.push(at);
        here = cause(told, &senders, at, reading);
    }
    Ok(chain)
}

/// Whether the event assigns the variable of the process.
fn sets(event: &TraceEvent, process: ProcessId, name: &str) -> bool {
    let own = event.process == process && event.change(name).is_some();
    let with = event.with.iter().filter(|with| with.process == process);
    own || with.flat_map(|with| &with.changes).any(|change| change.name == name)
}

/// Return the cause of an event.
fn cause(
    told: &[NarratedStep],
    senders: &FxHashMap<MessageId, usize>,
    at: usize,
    reading: &mut Reading,
) -> Option<usize> {
    let event = &told[at].event;
    // A duplicate is caused by the message that was duplicated.
    let messages = event.received.iter().chain(&event.arrived).map(|m| m.id).chain(event.copied);
    let sent = messages.filter_map(|id| senders.get(&id).copied()).filter(|sender| *sender < at).max();
    if sent.is_some() {
        return sent;
    }
    match event.choice.cause {
        Cause::Start | Cause::Wakeup => return None,
        Cause::ReceiveNote { from } => {
            let to = event.process;
            let sends = |told: &NarratedStep| {
                told.event.process == from && told.event.choice.cause == Cause::SendNote { to }
            };
            return told[..at].iter().rposition(sends);
        }
        _ => {}
    }
    let partner = event.with.as_ref().map(|with| with.process);
    let does_something = |told: &NarratedStep| {
        let changes = |p: ProcessId| match told.event.process == p {
            true => !told.event.changes.is_empty() || !told.event.received.is_empty(),
            false => told.event.with.as_ref().is_some_and(|with| with.process == p),
        };
        changes(event.process) || partner.is_some_and(changes)
    };
    let before = told[..at].iter().rposition(does_something);
    // Processes that step together read the state before the joint step.
    let together = |told: &NarratedStep| told.event.choice.cause == Cause::Move { last: false };
    let begin = told[..at].iter().rposition(|told| !together(told)).map_or(0, |last| last + 1);
    let read = reading.of(event.process, told[at].action);
    let reads = |told: &NarratedStep| read.iter().any(|(q, name)| sets(&told.event, *q, name));
    before.max(told[..begin].iter().rposition(reads))
}
