//! What will happen when, in systems with time: the run's own choice among the delays that are possible.

use super::Token;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// At one instant messages come first, then what processes do of their own accord, then timeouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Due {
    /// A message arrives: its number.
    Message(u32),
    /// A process may go on by itself.
    Leisure,
    /// A timer of the process runs out.
    Timer,
}

/// One entry: instant, what, the order in which it was put in, and the token for the scheduler.
type Entry = Reverse<(u64, u8, u64, Token, Due)>;

#[derive(Clone, Debug, Default)]
pub(super) struct Agenda {
    entries: BinaryHeap<Entry>,
    /// Messages under way that have not arrived yet.
    coming: FxHashMap<u32, u64>,
    /// When the last message arrives in each channel: in ordered channels no other comes before.
    last: FxHashMap<u32, u64>,
    count: u64,
    /// Time that has passed since the last event.
    pub passed: u64,
    /// Nothing later than this happens.
    pub horizon: Option<u64>,
}

impl Agenda {
    pub fn push(&mut self, at: u64, due: Due, token: Token) {
        let rank = match due {
            Due::Message(_) => 0,
            Due::Leisure => 1,
            Due::Timer => 2,
        };
        // Messages in the order of sending, whatever the order in which they are put in.
        let order = match due {
            Due::Message(id) => u64::from(id),
            _ => self.count,
        };
        self.count += 1;
        self.entries.push(Reverse((at, rank, order, token, due)));
    }

    /// A message has been sent, to arrive at this instant or, in an ordered channel, when those before it have.
    pub fn send(&mut self, channel: u32, ordered: bool, message: u32, at: u64) {
        let at = match self.last.get(&channel) {
            Some(last) if ordered => at.max(*last),
            _ => at,
        };
        if ordered {
            self.last.insert(channel, at);
        }
        self.coming.insert(message, at);
        self.push(at, Due::Message(message), channel);
    }

    /// A copy of a message, directly behind it in a channel that keeps the order: it comes when that one does, or now if it has.
    /// Later it need not come, as the next one in the channel may be due by then.
    pub fn copy(&mut self, channel: u32, original: u32, message: u32, now: u64) {
        let at = self.coming.get(&original).copied().unwrap_or(now);
        self.coming.insert(message, at);
        self.push(at, Due::Message(message), channel);
    }

    /// Has the message arrived?
    pub fn has_come(&self, message: u32) -> bool {
        !self.coming.contains_key(&message)
    }

    /// The next entry, its instant first; nothing beyond the horizon.
    pub fn next(&mut self) -> Option<(u64, Due, Token)> {
        let Reverse((at, _, _, token, due)) = *self.entries.peek()?;
        if self.horizon.is_some_and(|horizon| at > horizon) {
            return None;
        }
        self.entries.pop();
        Some((at, due, token))
    }

    /// All messages that arrive at the same instant, too.
    pub fn arrivals(&mut self, at: u64) -> Option<(Due, Token)> {
        let Reverse((instant, _, _, token, due)) = *self.entries.peek()?;
        if instant > at || !matches!(due, Due::Message(_)) {
            return None;
        }
        self.entries.pop();
        Some((due, token))
    }

    pub fn arrived(&mut self, message: u32) {
        self.coming.remove(&message);
    }
}
