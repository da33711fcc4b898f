//! Equality of configurations by meaning: message numbers, causal depths and the number of past rounds do not distinguish
//! configurations.

use super::{ASLEEP, Configuration, WOKE};
use crate::ids::{ChannelId, MessageId, ProcessId};
use crate::semantics::pool::MessageRef;
use std::hash::{Hash, Hasher};

impl Configuration {
    /// Return the positions of a channel, sorted by message content. Messages that count as equal are equal in this order.
    pub fn by_content(&self, channel: ChannelId) -> Vec<u32> {
        let messages: Vec<MessageRef<'_>> = self.channel(channel).collect();
        let mut positions: Vec<u32> = (0u32..).take(messages.len()).collect();
        let content = |position: &u32| {
            let MessageRef { id, kind, words, values, .. } = messages[*position as usize];
            (self.is_of_next_round(id), kind, words, values, self.distance(id))
        };
        positions.sort_by(|a, b| content(a).cmp(&content(b)));
        positions
    }

    /// Return the remaining times until a message may and must arrive: part of the configuration, in systems with time.
    pub(super) fn distance(&self, message: MessageId) -> Option<(u64, u64)> {
        self.environment.clock.as_ref().map(|clock| clock.distance(message))
    }

    /// While a round is ending: return whether this message belongs to the next round. This is part of the configuration, unlike
    /// the message number at which the next round begins.
    pub fn is_of_next_round(&self, message: MessageId) -> Option<bool> {
        let under_way = self.environment.joint.as_ref()?.progress.as_ref()?;
        Some(!under_way.was_before(message))
    }

    fn meaning_of_own(&self, process: usize) -> i64 {
        self.own(ProcessId(process as u32)) & (ASLEEP | WOKE)
    }
}

impl PartialEq for Configuration {
    fn eq(&self, other: &Configuration) -> bool {
        let stride = self.word_stride as usize;
        self.words.len() == other.words.len()
            && self.last.len() == other.last.len()
            && self.in_flight == other.in_flight
            && (self.words.chunks_exact(stride).zip(other.words.chunks_exact(stride))).enumerate().all(
                |(p, (mine, theirs))| {
                    mine[..stride - 1] == theirs[..stride - 1]
                        && self.meaning_of_own(p) == other.meaning_of_own(p)
                },
            )
            && self.values == other.values
            && self.notes == other.notes
            && self.environment == other.environment
            && (0..self.last.len() as u32).map(ChannelId).all(|c| {
                let content = |m: MessageRef<'_>| m.kind;
                self.is_empty(c) == other.is_empty(c)
                    && self.channel(c).map(content).eq(other.channel(c).map(content))
                    && self.channel(c).zip(other.channel(c)).all(|(mine, theirs)| {
                        mine.words == theirs.words
                            && mine.values == theirs.values
                            && self.distance(mine.id) == other.distance(theirs.id)
                            && self.is_of_next_round(mine.id) == other.is_of_next_round(theirs.id)
                    })
            })
    }
}

impl Eq for Configuration {}

impl Hash for Configuration {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let stride = self.word_stride as usize;
        for (p, words) in self.words.chunks_exact(stride).enumerate() {
            words[..stride - 1].hash(state);
            self.meaning_of_own(p).hash(state);
        }
        self.values.hash(state);
        for channel in self.busy_channels() {
            channel.hash(state);
            for message in self.channel(channel) {
                message.kind.hash(state);
                message.words.hash(state);
                message.values.hash(state);
                if let Some(distance) = self.distance(message.id) {
                    distance.hash(state);
                }
                self.is_of_next_round(message.id).hash(state);
            }
        }
        self.notes.hash(state);
        self.environment.hash(state);
    }
}
