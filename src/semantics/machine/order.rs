//! Unordered rounds: the schedule chooses the position of each message among the messages of its channel and round.
//!
//! The choice is part of the step that sends. The whole round is received at once, so this is indistinguishable from a choice in transit.
//! Whether a process continues at the end of a round then depends on no open choice.

use super::{Chooser, Configuration, Machine, NO_VALUE};
use crate::ids::{ChannelId, ProcessId};
use crate::instance::Instance;
use smallvec::SmallVec;

/// Slots of the messages of one channel and round, in order.
type Round = SmallVec<[u32; 8]>;

impl Machine {
    /// Choose the positions of the messages that the step has sent.
    pub(super) fn order_sent(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
        chooser: &mut dyn Chooser,
    ) {
        if instance.layout.fifo.iter().all(|fifo| *fifo) {
            return;
        }
        for i in 0..self.outbox.messages.len() {
            let (channel, slot) = self.outbox.messages[i];
            let mut behind = 0;
            if instance.layout.reorders_rounds(channel) {
                let mut round = messages_of_next_round(configuration, channel);
                for ((before, slot), behind) in self.outbox.messages[..i].iter().zip(&self.outbox.behind) {
                    if *before == channel {
                        round.insert(round.len() - *behind as usize, *slot);
                    }
                }
                behind = self.choose_place(configuration, process, &round, slot, chooser);
            }
            self.outbox.behind.push(behind);
        }
    }

    /// Choose the number of messages of the round that follow the new one. Positions next to a message of the same
    /// content are one choice.
    pub(super) fn choose_place(
        &mut self,
        configuration: &Configuration,
        process: ProcessId,
        round: &[u32],
        slot: u32,
        chooser: &mut dyn Chooser,
    ) -> u32 {
        let pool = &configuration.pool;
        let content = |slot: u32| (pool.kind(slot), pool.words(slot), pool.values(slot));
        let is_distinct = |place: &usize| *place == 0 || content(round[*place - 1]) != content(slot);
        // The first possibility is the order of sending.
        let places: SmallVec<[usize; 8]> = (0..=round.len()).rev().filter(is_distinct).collect();
        let chosen = places[self.choose(process, chooser, places.len(), NO_VALUE)];
        (round.len() - chosen) as u32
    }
}

/// The messages of a channel that belong to the same round as messages sent now.
pub(super) fn messages_of_next_round(configuration: &Configuration, channel: ChannelId) -> Round {
    let belongs = |slot: &u32| configuration.is_of_next_round(configuration.pool.id(*slot)) != Some(false);
    configuration.slots(channel).filter(belongs).collect()
}
