//! Where a value came from: back along who wrote it, what that was an answer to, who sent that, and so on to the source.

use super::timeline::Told;
use crate::semantics::event::Cause;
use rustc_hash::FxHashMap;

/// What somebody asks about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A variable of a process, by the name it is shown under.
    Variable { process: u32, name: String },
    /// A message, by its number.
    Message(u32),
}

/// The events that led to it, the last one first. Empty: nothing in this run did, it has been so from the beginning.
///
/// An event that takes messages, or in which one that arrives wakes the process, is an answer to the last of them that was sent; any other one goes on from what its process
/// did before. A start or a wake-up has no cause.
///
/// # Errors
/// When there is no such message in the run: one sentence without a full stop.
pub fn why(told: &[Told], asked: &Asked) -> Result<Vec<usize>, String> {
    let mut senders: FxHashMap<u32, usize> = FxHashMap::default();
    for (at, told) in told.iter().enumerate() {
        senders.extend(told.event.sent.iter().map(|m| (m.id, at)));
    }
    let first = match asked {
        Asked::Message(id) => Some(*senders.get(id).ok_or_else(|| match senders.keys().max() {
            Some(last) => format!("no message m{id} has been sent: the last one is m{last}"),
            None => "no message has been sent yet".into(),
        })?),
        Asked::Variable { process, name } => told.iter().rposition(|told| {
            let own = told.event.process == *process && told.event.change(name).is_some();
            let with = told.event.with.iter().filter(|with| with.process == *process);
            own || with.flat_map(|with| &with.changes).any(|change| change.name == *name)
        }),
    };
    let mut chain = Vec::new();
    let mut here = first;
    while let Some(at) = here {
        chain.push(at);
        here = cause(told, &senders, at);
    }
    Ok(chain)
}

/// The event that this one goes back to.
fn cause(told: &[Told], senders: &FxHashMap<u32, usize>, at: usize) -> Option<usize> {
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
            let sends =
                |told: &Told| told.event.process == from && told.event.choice.cause == Cause::SendNote { to };
            return told[..at].iter().rposition(sends);
        }
        _ => {}
    }
    let takes_part = |told: &Told| {
        let with = told.event.with.as_ref().is_some_and(|with| with.process == event.process);
        let did_something = !told.event.changes.is_empty() || !told.event.received.is_empty();
        with || (told.event.process == event.process && did_something)
    };
    told[..at].iter().rposition(takes_part)
}
