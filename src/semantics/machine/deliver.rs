//! Fast path for delivery from the head of a channel by register code: most steps of most runs take it.

use super::receive::Offered;
use super::run::End;
use super::{Chooser, Configuration, Eval, Machine, Offer, Taken};
use crate::ids::{ChannelId, ProcessId};
use crate::instance::{Instance, NO_SELECTOR};
use crate::semantics::configuration::Head;

impl Machine {
    /// Deliver the head of a channel, as [`Machine::offer`] does. `None`: the message needs the general path.
    ///
    /// # Errors
    /// If a guard or the command aborts.
    #[inline(always)]
    pub fn deliver(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        channel: ChannelId,
        process: ProcessId,
        chooser: &mut dyn Chooser,
    ) -> Eval<Option<Offer>> {
        let Some(head) = configuration.head(channel) else {
            return Ok(Some(Offer::Nobody));
        };
        let table = instance.table(process);
        let number = table.cell_number(head.kind, configuration.block(process));
        let selector = table.selector(number);
        if selector == NO_SELECTOR {
            return Ok(None);
        }
        self.begin(instance, configuration, process);
        let offered = Offered { channel, slot: head.slot, depth: head.depth };
        match self.execute(instance, configuration, process, selector, offered, chooser) {
            Ok(End::Done) => {}
            Ok(End::Nobody) => {
                self.frame.give_back(configuration, process);
                return Ok(Some(Offer::Nobody));
            }
            Err(abort) => return Err(self.roll_back(instance, configuration, process, abort)),
        }
        if !self.thread.upcalls.is_empty()
            && let Err(abort) = self.run_upcalls(instance, configuration, process, chooser)
        {
            return Err(self.roll_back(instance, configuration, process, abort));
        }
        self.finish(instance, configuration, channel, process, &head);
        Ok(Some(Offer::Taken(self.receipt.position)))
    }

    /// The same as `commit`, for one message from the head of a channel.
    #[inline(always)]
    fn finish(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        channel: ChannelId,
        process: ProcessId,
        head: &Head,
    ) {
        configuration.store_reached(process, &self.frame.words, self.thread.depth);
        self.frame.give_back(configuration, process);
        self.receipt.taken.push(Taken { channel, position: 0, id: head.id });
        configuration.remove_head(channel, head);
        for (channel, slot) in &self.outbox.messages {
            configuration.append(*channel, *slot);
        }
        if self.recording {
            self.record(instance, configuration, process);
        }
    }
}
