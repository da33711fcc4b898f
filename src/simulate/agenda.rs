//! Future events in systems with time: the run chooses the delays among the possible ones.

use super::Token;
use crate::ids::{ChannelId, MessageId};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Kinds of entries. At one instant, messages precede leisure steps, and these precede timeouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Due {
    /// A message arrives: its number.
    Message(MessageId),
    /// A process may take a leisure step.
    Leisure,
    /// A timer of the process expires.
    Timer,
}

/// An entry: instant, kind, insertion order, token for the scheduler, and the event.
type Entry = Reverse<(u64, u8, u64, Token, Due)>;

#[derive(Clone, Debug, Default)]
pub(super) struct Agenda {
    entries: BinaryHeap<Entry>,
    /// By message in transit: its arrival instant.
    coming: FxHashMap<MessageId, u64>,
    /// By channel: the last arrival; in FIFO channels no later message arrives before.
    last: FxHashMap<ChannelId, u64>,
    count: u64,
    /// Time that has passed since the last event.
    pub passed: u64,
    /// No event occurs after this instant.
    pub horizon: Option<u64>,
}

impl Agenda {
    pub fn push(&mut self, at: u64, due: Due, token: Token) {
        let rank = match due {
            Due::Message(_) => 0,
            Due::Leisure => 1,
            Due::Timer => 2,
        };
        // Messages in the order of sending, independent of insertion.
        let order = match due {
            Due::Message(id) => u64::from(id.0),
            _ => self.count,
        };
        self.count += 1;
        self.entries.push(Reverse((at, rank, order, token, due)));
    }

    /// Schedule a sent message for this instant or, in a FIFO channel, not before earlier messages.
    pub fn send(&mut self, channel: ChannelId, ordered: bool, message: MessageId, at: u64) {
        let at = match self.last.get(&channel) {
            Some(last) if ordered => at.max(*last),
            _ => at,
        };
        if ordered {
            self.last.insert(channel, at);
        }
        self.coming.insert(message, at);
        self.push(at, Due::Message(message), channel.0);
    }

    /// Schedule a copy directly after its original in a FIFO channel: it arrives with the original, or now if that has arrived. A
    /// later arrival could violate the deadline of the next message in the channel.
    pub fn copy(&mut self, channel: ChannelId, original: MessageId, message: MessageId, now: u64) {
        let at = self.coming.get(&original).copied().unwrap_or(now);
        self.coming.insert(message, at);
        self.push(at, Due::Message(message), channel.0);
    }

    /// Return whether the message has arrived.
    pub fn has_arrived(&self, message: MessageId) -> bool {
        !self.coming.contains_key(&message)
    }

    /// Return the next entry, with its instant; None beyond the horizon.
    pub fn next(&mut self) -> Option<(u64, Due, Token)> {
        let Reverse((at, _, _, token, due)) = *self.entries.peek()?;
        if self.horizon.is_some_and(|horizon| at > horizon) {
            return None;
        }
        self.entries.pop();
        Some((at, due, token))
    }

    /// Return the next message that arrives at this instant, if any.
    pub fn arrivals(&mut self, at: u64) -> Option<(Due, Token)> {
        let Reverse((instant, _, _, token, due)) = *self.entries.peek()?;
        if instant > at || !matches!(due, Due::Message(_)) {
            return None;
        }
        self.entries.pop();
        Some((due, token))
    }

    pub fn arrived(&mut self, message: MessageId) {
        self.coming.remove(&message);
    }

    /// Return the entries after the instant `now`, relative to it: entries in their order, and the channels whose order delays later
    /// messages. A message is given by its position in its channel, which `position` finds.
    pub fn ahead<P: Ord>(&self, now: u64, position: impl Fn(ChannelId, MessageId) -> P) -> Ahead<P> {
        let mut entries: Vec<&Entry> = self.entries.iter().collect();
        entries.sort_unstable_by(|a, b| b.cmp(a));
        let relative = |Reverse((at, rank, _, token, due)): &Entry| {
            let message = match due {
                Due::Message(id) => Some(position(ChannelId(*token), *id)),
                Due::Leisure | Due::Timer => None,
            };
            (at.wrapping_sub(now), *rank, *token, message)
        };
        let last = self.last.iter().filter(|(_, at)| **at > now).map(|(channel, at)| (*channel, at - now));
        let mut last: Vec<(ChannelId, u64)> = last.collect();
        last.sort_unstable();
        Ahead { entries: entries.into_iter().map(relative).collect(), last }
    }
}

/// The entries after an instant: see [`Agenda::ahead`].
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ahead<P> {
    entries: Vec<(u64, u8, Token, Option<P>)>,
    last: Vec<(ChannelId, u64)>,
}
