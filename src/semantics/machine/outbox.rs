//! The messages that a step sends.

use super::Configuration;
use crate::ids::ChannelId;

#[derive(Debug, Default)]
pub(super) struct Outbox {
    /// Channel and slot of each message, in order.
    pub messages: Vec<(ChannelId, u32)>,
    /// In unordered rounds: for each message, the number of messages after it in its channel. Empty: all are appended.
    pub behind: Vec<u32>,
}

impl Outbox {
    #[inline]
    pub fn clear(&mut self) {
        self.messages.clear();
        if !self.behind.is_empty() {
            self.behind.clear();
        }
    }

    /// Put the messages into their channels.
    #[inline]
    pub fn deliver(&self, configuration: &mut Configuration) {
        match self.behind.is_empty() {
            true => self.messages.iter().for_each(|(channel, slot)| configuration.append(*channel, *slot)),
            false => self.insert(configuration),
        }
    }

    /// Put the messages into their channels, at the chosen positions.
    fn insert(&self, configuration: &mut Configuration) {
        for ((channel, slot), behind) in self.messages.iter().zip(&self.behind) {
            insert(configuration, *channel, *slot, *behind);
        }
    }

    /// Discard the messages, with their numbers and slots.
    pub fn discard(&mut self, configuration: &mut Configuration) {
        let first = configuration.next_message().minus(self.messages.len() as u32);
        configuration.forget_numbers(first);
        for (_, slot) in self.messages.drain(..) {
            configuration.pool.release(slot);
        }
    }
}

/// Insert a message into a channel, before its last `behind` messages.
pub(super) fn insert(configuration: &mut Configuration, channel: ChannelId, slot: u32, behind: u32) {
    if behind == 0 {
        return configuration.append(channel, slot);
    }
    match configuration.messages_in(channel) as u32 - behind {
        0 => configuration.insert_first(channel, slot),
        before => configuration.insert_behind(channel, before - 1, slot),
    }
}
