//! Configurations taken apart and put together again: exploration keeps the parts of very many of them.

use super::{ASLEEP, Configuration, NIL, WOKE};
use crate::ir::Value;

impl Configuration {
    /// Whether a process still may wake by itself, and whether it has: opaque, for [`Configuration::restore`].
    pub fn wake_state(&self, process: u32) -> i64 {
        self.own(process) & (ASLEEP | WOKE)
    }

    /// Puts a process into a state it has had. Lengths of causal chains, which do not belong to it, begin at 0.
    pub fn restore(&mut self, process: u32, words: &[i64], values: &[Value], wake_state: i64) {
        self.words_mut(process).copy_from_slice(words);
        self.values_mut(process).clone_from_slice(values);
        *self.own_mut(process) = wake_state;
    }

    /// Puts a message at the end of a channel, without a sender's step. Its number is 0.
    pub fn insert(&mut self, channel: u32, kind: u32, words: &[i64], values: &[Value]) {
        let slot = self.pool.take(kind, 0, 0);
        self.pool.words_mut(slot).copy_from_slice(words);
        self.pool.values_mut(slot).clone_from_slice(values);
        self.append(channel, slot);
    }

    /// Takes everything out of a channel.
    pub fn empty(&mut self, channel: u32) {
        while self.last[channel as usize] != NIL {
            self.remove(channel, 0);
        }
    }
}
