//! Messages that no event of a run delivers, and the crashes that lost them.

use super::{End, Message, Trace};
use crate::ids::{MessageId, ProcessId};
use crate::semantics::event::Cause;
use std::collections::BTreeMap;

/// A message that was sent, and that no event receives or loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undelivered<'t> {
    pub sender: ProcessId,
    pub message: &'t Message,
    /// The crash of the sender that lost the message, by its index in the list of events; `None`: the message is still in transit.
    pub lost_at: Option<usize>,
}

impl Undelivered<'_> {
    /// Return what became of the message, for its label.
    pub fn fate(&self) -> &'static str {
        if self.lost_at.is_some() { "lost by a crash" } else { "in transit" }
    }
}

impl Trace {
    /// Return the messages that no event receives or loses, by number. A crash may lose the messages in transit from the process: at an
    /// end at which no step is enabled, those that could be received otherwise are lost. In rounds, a round discards unread messages.
    pub fn undelivered(&self) -> Vec<Undelivered<'_>> {
        let mut sent: BTreeMap<MessageId, (ProcessId, &Message)> = BTreeMap::new();
        for event in &self.events {
            sent.extend(event.sent.iter().map(|message| (message.id, (event.process, message))));
            for message in event.received.iter().chain(&event.lost) {
                sent.remove(&message.id);
            }
        }
        let is_over = matches!(self.end, End::Terminated | End::Quiescent) && !self.has_rounds();
        let lost_at = |sender| if is_over { self.last_crash(sender) } else { None };
        let undelivered = sent.into_values();
        undelivered
            .map(|(sender, message)| Undelivered { sender, message, lost_at: lost_at(sender) })
            .collect()
    }

    /// Return the crash of a process that is down at the end, by its index in the list of events.
    fn last_crash(&self, process: ProcessId) -> Option<usize> {
        let ups = self.events.iter().enumerate().rev().filter(|(_, event)| event.process == process);
        let (last, up) = ups.filter_map(|(index, event)| Some((index, event.change("up")?))).next()?;
        (up == "false").then_some(last)
    }

    /// Return whether the run consists of rounds.
    pub fn has_rounds(&self) -> bool {
        self.events.iter().any(|event| matches!(event.choice.cause, Cause::Round { .. }))
    }
}
