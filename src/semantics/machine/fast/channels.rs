//! Delivery from any channel, chosen by the caller: messages are in the channels of the configuration.

use super::{FastResult, Outgoing, Setting, bits, execute, tell};
use crate::ids::{ChannelId, MessageId, ProcessId};
use crate::instance::{FastCode, Instance, LinkTable, Registers};
use crate::semantics::Metrics;
use crate::semantics::configuration::{Configuration, reached};
use crate::semantics::machine::Machine;
use crate::semantics::pool::copy_words;

/// Messages sent in this step: appended to their channels when the step ends.
struct Outbox<'a> {
    instance: &'a Instance,
    fast: &'a FastCode,
    configuration: &'a mut Configuration,
    messages: &'a mut Vec<(ChannelId, u32)>,
    metrics: &'a mut Metrics,
    depth: u32,
}

impl<const K: usize> Outgoing<K> for Outbox<'_> {
    #[inline(always)]
    fn send(&mut self, arrival: u32, kind: u8, words: [i64; K]) {
        let channel = ChannelId(arrival);
        let id = self.configuration.number_message();
        let slot = self.configuration.pool.take(u32::from(kind), id, self.depth);
        copy_words(self.configuration.pool.words_mut(slot), &words);
        self.messages.push((channel, slot));
        self.metrics.time = self.metrics.time.max(self.depth);
        if self.instance.is_self_link(self.instance.layout.link_of(channel)) {
            self.metrics.to_self[kind as usize] += 1;
        } else {
            self.metrics.sent[kind as usize] += 1;
            self.metrics.bits[kind as usize] += bits(&self.fast.kinds[kind as usize], &words);
        }
    }
}

impl Machine {
    /// Offer the message at a position of a channel, which must exist; if an alternative accepts it, take it, as a complete step.
    /// After `Taken`, sent messages must be posted ([`Machine::post_fast`]).
    #[inline(always)]
    #[allow(clippy::too_many_arguments, reason = "the hot path passes values in registers")]
    pub fn deliver_fast(
        &mut self,
        instance: &Instance,
        fast: &FastCode,
        registers: &mut Registers,
        configuration: &mut Configuration,
        channel: ChannelId,
        position: u32,
        process: ProcessId,
    ) -> FastResult {
        match instance.layout.message_words {
            0 | 1 => self.fast::<1>(instance, fast, registers, configuration, channel, position, process),
            2 => self.fast::<2>(instance, fast, registers, configuration, channel, position, process),
            3 => self.fast::<3>(instance, fast, registers, configuration, channel, position, process),
            4 => self.fast::<4>(instance, fast, registers, configuration, channel, position, process),
            _ => self.fast::<8>(instance, fast, registers, configuration, channel, position, process),
        }
    }

    /// Append the messages of the last step to their channels; `sent` is called with each channel, and whether it was empty.
    #[inline(always)]
    pub fn post_fast(&mut self, configuration: &mut Configuration, mut sent: impl FnMut(ChannelId, bool)) {
        for (channel, slot) in &self.outbox.messages {
            let was_empty = configuration.is_empty(*channel);
            configuration.append(*channel, *slot);
            sent(*channel, was_empty);
        }
    }

    #[inline(never)]
    #[allow(clippy::too_many_arguments, reason = "the hot path passes values in registers")]
    fn fast<const K: usize>(
        &mut self,
        instance: &Instance,
        fast: &FastCode,
        registers: &mut Registers,
        configuration: &mut Configuration,
        channel: ChannelId,
        position: u32,
        process: ProcessId,
    ) -> FastResult {
        self.outbox.messages.clear();
        self.receipt.taken.clear();
        let Some(head) = configuration.at(channel, position) else {
            return FastResult::Nobody;
        };
        let Some((own, state)) = configuration.block(process).split_last() else {
            return FastResult::Left;
        };
        let depth = head.depth.max(*own as u32);
        let role = fast.role(instance, process);
        let entry = role.entry(head.kind, role.cell(state));
        let mut words = [0; K];
        copy_words(&mut words, configuration.pool.words(head.slot));
        let setting = Setting { instance, fast, wiring: LinkTable { instance, fast } };
        // Sending writes to the configuration: variables must have been loaded before.
        if !entry.loads {
            copy_words(registers, state);
        }
        tell(registers, instance.network.id(process), words);
        setting.fetch(registers, entry, state, channel.0);
        let first = configuration.next_message();
        let mail = &mut Outbox {
            instance,
            fast,
            configuration,
            messages: &mut self.outbox.messages,
            metrics: &mut self.metrics,
            depth: depth.saturating_add(1),
        };
        let end = execute::<K, _>(setting, registers, entry.code, process, &[], mail);
        if matches!(end, FastResult::Nobody | FastResult::Left) {
            self.unsend::<K>(instance, fast, configuration, first);
            return end;
        }
        let (words, stride) = configuration.blocks();
        if let Some((own, state)) = words[process.index() * stride..][..stride].split_last_mut() {
            copy_words(state, registers.as_slice());
            *own = reached(*own, depth);
        }
        configuration.remove_at(channel, position, &head);
        FastResult::Taken
    }

    /// Remove the constructed messages without sending them.
    #[cold]
    fn unsend<const K: usize>(
        &mut self,
        instance: &Instance,
        fast: &FastCode,
        configuration: &mut Configuration,
        first: MessageId,
    ) {
        for (channel, slot) in self.outbox.messages.drain(..) {
            let kind = configuration.pool.kind(slot) as usize;
            if instance.is_self_link(instance.layout.link_of(channel)) {
                self.metrics.to_self[kind] -= 1;
            } else {
                let mut words = [0; K];
                copy_words(&mut words, configuration.pool.words(slot));
                self.metrics.sent[kind] -= 1;
                self.metrics.bits[kind] -= bits(&fast.kinds[kind], &words);
            }
            configuration.pool.release(slot);
        }
        configuration.forget_numbers(first);
    }
}
