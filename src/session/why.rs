//! Where a value came from: back along who wrote it, what that was an answer to, who sent that, and so on to the source.

use super::read_variables::Reading;
use super::timeline::NarratedStep;
use crate::semantics::event::Cause;
use crate::trace::TraceEvent;
use rustc_hash::FxHashMap;

/// What somebody asks about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Variables of a process, by the names they are shown under: whichever of them was given a value last.
    Variables { process: u32, names: Vec<String> },
    /// A message, by its number.
    Message(u32),
}

/// The events that led to it, the last one first. Empty: nothing in this run did, it has been so from the beginning.
///
/// An event that takes messages, or in which one that arrives wakes the process, is an answer to the last of them that was sent. One in which a process reads the variables of
/// its neighbours goes back to whichever was given a value last, of those and its own; a meeting, to what either of the two did last; any other one goes on from what its
/// process did before. A start or a wake-up has no cause.
///
/// # Errors
/// When there is no such message in the run: one sentence without a full stop.
pub fn why(told: &[NarratedStep], asked: &Asked, reading: &mut Reading) -> Result<Vec<usize>, String> {
    let mut senders: FxHashMap<u32, usize> = FxHashMap::default();
    for (at, told) in told.iter().enumerate() {
        senders.extend(told.event.sent.iter().map(|m| (m.id, at)));
    }
    let first = match asked {
        Asked::Message(id) => Some(*senders.get(id).ok_or_else(|| match senders.keys().max() {
            Some(last) => format!("no message m{id} has been sent: the last one is m{last}"),
            None => "no message has been sent yet".into(),
        })?),
        Asked::Variables { process, names } => {
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

/// Does the event give a variable of the process a value?
fn sets(event: &TraceEvent, process: u32, name: &str) -> bool {
    let own = event.process == process && event.change(name).is_some();
    let with = event.with.iter().filter(|with| with.process == process);
    own || with.flat_map(|with| &with.changes).any(|change| change.name == name)
}

/// The event that this one goes back to.
fn cause(
    told: &[NarratedStep],
    senders: &FxHashMap<u32, usize>,
    at: usize,
    reading: &mut Reading,
) -> Option<usize> {
    let event = &told[at].event;
    // A copy goes back to the message that was doubled.
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
        let changes = |p: u32| match told.event.process == p {
            true => !told.event.changes.is_empty() || !told.event.received.is_empty(),
            false => told.event.with.as_ref().is_some_and(|with| with.process == p),
        };
        changes(event.process) || partner.is_some_and(changes)
    };
    let before = told[..at].iter().rposition(does_something);
    // Those who move together read what was there before.
    let together = |told: &NarratedStep| told.event.choice.cause == Cause::Move { last: false };
    let begin = told[..at].iter().rposition(|told| !together(told)).map_or(0, |last| last + 1);
    let read = reading.of(event.process, told[at].action);
    let reads = |told: &NarratedStep| read.iter().any(|(q, name)| sets(&told.event, *q, name));
    before.max(told[..begin].iter().rposition(reads))
}
