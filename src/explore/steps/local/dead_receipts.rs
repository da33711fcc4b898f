//! Receipts of dead messages among the steps of a process.

use crate::explore::space::transitions::Transition;
use crate::explore::steps::local::LocalSteps;
use crate::explore::store::inbox::Inbox;
use crate::ids::ProcessId;
use crate::ir::{CRASHED, PC};
use crate::semantics::event::Cause;

impl LocalSteps<'_> {
    /// Return the index of a transition, from `first` on, that receives a dead message and has to happen.
    pub(super) fn first_dead(
        &mut self,
        process: ProcessId,
        local: u32,
        inbox: u32,
        first: usize,
    ) -> Option<usize> {
        let mut dead = self.dead.take()?;
        let own = self.local(process, local);
        let parts = self.parts;
        let contents = Inbox::new(parts.inboxes[process.index()].get(inbox));
        let all = &self.outcomes[first..];
        let is_dead = |outcome: &Transition| {
            let done = &self.done[outcome.done as usize];
            let Cause::Deliver { channel, position } = done.event.cause else { return false };
            let is_alone = || {
                let same =
                    |other: &&Transition| self.done[other.done as usize].event.cause == done.event.cause;
                all.iter().filter(same).count() == 1
            };
            let is_quiet =
                done.receives && done.sends.1 == 0 && !outcome.is_free() && self.is_hidden(outcome);
            let content = contents.channel(parts.position[channel.index()].into());
            let Some(number) = content.get(position as usize).filter(|_| is_quiet && is_alone()) else {
                return false;
            };
            let locals = &parts.locals[process.index()];
            let message = (channel, *number, parts.messages.get(*number));
            let (before, after) = (locals.get(own), locals.get(done.local));
            // At a crashed process, every message vanishes.
            if before.words[usize::from(PC)] == CRASHED {
                return before == after;
            }
            let loses_more = self.footprint.is_some_and(|all| all.loses_suffixes(self.instance, channel));
            !loses_more && dead.is_dead(message, (own, before), after)
        };
        let found = all.iter().position(is_dead).map(|at| first + at);
        self.dead = Some(dead);
        found
    }
}
