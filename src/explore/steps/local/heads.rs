//! With ordered channels, a step depends on the local state and the message at the head of one channel: steps of a process are put
//! together from those without messages and those for each head.

use crate::explore::steps::local::{Alone, LocalSteps, Tried};
use crate::explore::steps::transition_cache::pair;
use crate::explore::store::inbox::Inbox;
use crate::ids::{ChannelId, ProcessId};
use crate::semantics::Configuration;
use crate::semantics::event::Cause;

impl LocalSteps<'_> {
    /// Combine the steps without messages with those for the head of each channel. Return whether the process is closed.
    pub(super) fn put_together(&mut self, process: ProcessId, local: u32, inbox: u32) -> bool {
        let parts = self.parts;
        let alone = self.alone(process, local);
        self.add_outcomes(process, (local, inbox), alone.tried, |_| inbox);
        let mut closed = true;
        let contents = parts.inboxes[process.index()].get(inbox);
        let channels = parts.incoming[process.index()].iter().zip(Inbox::new(contents).channels());
        for ((channel, content), listens) in channels.zip(alone.listens as usize..) {
            match content.first() {
                Some(head) => {
                    let tried = self.with_head(process, local, *channel, *head);
                    self.add_outcomes(process, (local, inbox), tried, |own| {
                        own.without_head(process, inbox, *channel)
                    });
                }
                // The awaited message may yet be sent.
                None => closed &= !self.listens[listens],
            }
        }
        closed
    }

    /// Return the steps of a process that receive no message.
    fn alone(&mut self, process: ProcessId, local: u32) -> Alone {
        let key = pair(process.0, local);
        if let Some(alone) = self.alone.get(key) {
            return alone;
        }
        self.stand(process, local);
        let events = self.events(process);
        let (tried, _) = self.try_each(process, local, &events, 0, |_| {});
        self.stand(process, local);
        let LocalSteps { instance, parts, machine, scratch, listens, .. } = self;
        let alone = Alone { tried, listens: listens.len() as u32 };
        let incoming = parts.incoming[process.index()].iter();
        listens.extend(incoming.map(|channel| machine.listens_to(instance, scratch, *channel)));
        self.alone.insert(key, alone);
        alone
    }

    /// Return the steps of a process that receive this message, if it comes first.
    fn with_head(&mut self, process: ProcessId, local: u32, channel: ChannelId, head: u32) -> Tried {
        let key = pair(local, head);
        if let Some(tried) = self.taken[channel.index()].get(key) {
            return tried;
        }
        let message = self.parts.messages.get(head);
        let put = |scratch: &mut Configuration| {
            scratch.clear_channel(channel);
            scratch.insert(channel, message.kind, &message.words, &message.values);
        };
        self.stand(process, local);
        put(&mut self.scratch);
        let mut events = self.ordinary_events(process);
        events.retain(|(event, _)| matches!(event.cause, Cause::Deliver { .. }));
        // Step numbers that are unique within the configuration.
        let first = (usize::from(self.parts.position[channel.index()]) + 1) << 16;
        let (tried, _) = self.try_each(process, local, &events, first, put);
        self.scratch.clear_channel(channel);
        let (first, count) = (tried.0 as usize, tried.1 as usize);
        for done in self.done[first..first + count].iter_mut().filter(|done| done.receives) {
            done.pasts.push(message.past);
        }
        self.taken[channel.index()].insert(key, tried);
        tried
    }

    fn without_head(&mut self, process: ProcessId, inbox: u32, channel: ChannelId) -> u32 {
        let key = pair(channel.0, inbox);
        self.shorter.get(key).unwrap_or_else(|| {
            let rest = self.parts.without(process, inbox, &[(channel, 0)]).0;
            self.shorter.insert(key, rest);
            rest
        })
    }
}
