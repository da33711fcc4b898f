//! Tokens of messages in transit and internal steps: with the scheduler, or parked at a process until its next step.

use super::{NOTE, PROCESS, Simulation};
use crate::ids::{ChannelId, MessageId, ProcessId};
use crate::instance::Instance;
use crate::semantics::event::Cause;
use crate::simulate::{Scheduler, Token};

impl<S: Scheduler> Simulation<S> {
    /// Push tokens for all messages in transit.
    pub(super) fn collect(&mut self, instance: &Instance) {
        let configuration = &self.configuration;
        let mut messages: Vec<(MessageId, ChannelId)> = Vec::new();
        for channel in configuration.busy_channels() {
            let ids = configuration.channel(channel).map(|m| m.id);
            messages.extend(ids.map(|id| (id, channel)));
        }
        messages.sort_unstable();
        if instance.is_timed() {
            for (id, channel) in std::mem::take(&mut messages) {
                self.schedule_message(instance, channel, id, None);
            }
        }
        let mut last = None;
        if !self.per_message(instance, ChannelId(0)) {
            messages.sort_by_key(|(_, channel)| *channel);
        }
        for (_, channel) in messages {
            if self.per_message(instance, channel) || last != Some(channel) {
                self.scheduler.push(channel.0, instance.receiver(channel));
            }
            last = Some(channel);
        }
        for note in self.configuration.notes() {
            self.scheduler.push(NOTE | note.to.0, note.to);
        }
        if self.configuration.next_to_start().is_none() {
            for process in instance.processes() {
                if self.special.is_some() {
                    self.reconsider_special(instance, process);
                    self.look_at_timers(instance, process);
                } else if !self.listed.is_empty() {
                    self.reconsider(instance, process, false);
                }
            }
        }
    }

    /// Return whether every message of this channel has a token of its own.
    #[inline]
    pub(super) fn per_message(&self, instance: &Instance, channel: ChannelId) -> bool {
        self.scheduler.per_message() || self.deferring || !instance.layout.keeps_order(channel)
    }

    pub(in crate::simulate) fn park(&mut self, instance: &Instance, process: ProcessId, token: Token) {
        if self.parked.is_empty() {
            self.parked = vec![Vec::new(); instance.n() as usize];
        }
        self.parked[process.index()].push(token);
    }

    /// Push tokens for the sent messages.
    #[inline(always)]
    pub(in crate::simulate) fn push_sent(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        served: Option<ChannelId>,
    ) {
        if self.scheduler.per_message() {
            for channel in self.machine.sent() {
                self.scheduler.push(channel.0, receiver_for::<S>(instance, channel));
            }
            if let Some(channel) = served
                && !self.machine.took_something()
            {
                // It fired `on arrival` and remains: it is still the oldest.
                self.park(instance, process, channel.0);
            }
        } else {
            self.push_channels(instance, process, served);
        }
    }

    #[inline(always)]
    fn push_channels(&mut self, instance: &Instance, process: ProcessId, served: Option<ChannelId>) {
        if self.deferring || !instance.layout.all_fifo {
            for channel in self.machine.sent() {
                let token = if self.per_message(instance, channel) {
                    true
                } else {
                    Some(channel) != served
                        && self.machine.newly_busy(&self.configuration).any(|c| c == channel)
                };
                if token {
                    self.scheduler.push(channel.0, instance.receiver(channel));
                }
            }
            let left = !self.machine.took_something();
            if let Some(channel) = served
                && (left || !self.per_message(instance, channel))
                && !self.configuration.is_empty(channel)
            {
                self.scheduler.push(channel.0, process);
            }
            return;
        }
        for channel in self.machine.newly_busy(&self.configuration) {
            if Some(channel) != served {
                self.scheduler.push(channel.0, receiver_for::<S>(instance, channel));
            }
        }
        if let Some(channel) = served
            && !self.configuration.is_empty(channel)
        {
            self.scheduler.push(channel.0, process);
        }
    }

    /// List the process if it has an internal step now.
    #[cold]
    pub(in crate::simulate) fn reconsider(&mut self, instance: &Instance, process: ProcessId, started: bool) {
        if self.listed[process.index()] {
            return;
        }
        let mut possible = std::mem::take(&mut self.possible);
        possible.clear();
        self.machine.internal(instance, &self.configuration, process, &mut possible);
        if let Some((cause, _)) = possible.first() {
            self.listed[process.index()] = true;
            let token = PROCESS | process.0;
            if started && *cause == Cause::Wakeup {
                self.scheduler.push_wakeup(token, process);
            } else {
                self.scheduler.push(token, process);
            }
        }
        self.possible = possible;
    }
}

/// Return the receiver, if the scheduler needs it: finding it costs an access to the link.
#[inline(always)]
fn receiver_for<S: Scheduler>(instance: &Instance, channel: ChannelId) -> ProcessId {
    if S::BY_PROCESS { instance.receiver(channel) } else { ProcessId(0) }
}
