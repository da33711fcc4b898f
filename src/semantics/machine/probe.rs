//! Diagnostics: explain why an alternative is not enabled. Never used by steps.

use super::receive::Found;
use super::{Configuration, Env, Eval, Machine};
use crate::ids::{ChannelId, ProcessId};
use crate::instance::{Candidate, Instance};
use crate::ir::{ActionId, Mirror};
use crate::network::NONE;

/// The alternatives that would take a message, if it were offered now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Takers {
    Nobody,
    Deferred,
    /// One of these actions.
    Actions(Vec<ActionId>),
}

impl Machine {
    /// Evaluate `f` at a process in its current state, with the message at this channel and position bound as a candidate would
    /// bind it. `None`: there is no such message.
    pub fn probe<T>(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
        message: Option<(ChannelId, u32, &Candidate)>,
        f: impl FnOnce(&mut Env<'_>) -> T,
    ) -> Option<T> {
        self.look(instance, configuration, process);
        if let Some((channel, position, candidate)) = message {
            let slot = configuration.slots(channel).nth(position as usize)?;
            self.bind(instance, configuration, channel, slot, process, candidate);
        }
        Some(f(&mut self.env(instance, process)))
    }

    /// Evaluate `f` at a process at the end of the next round, with the messages sent to it so far.
    pub fn probe_round<T>(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
        f: impl FnOnce(&mut Env<'_>) -> T,
    ) -> Option<T> {
        self.hear_round(instance, configuration, process)?;
        Some(f(&mut self.env(instance, process)))
    }

    /// Evaluate `f` for each possible responder of this process, with the frame prepared for the interaction.
    pub fn probe_pairs<T>(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
        (responder, mirrors): (u16, &[Mirror]),
        mut f: impl FnMut(&mut Env<'_>) -> T,
    ) -> Vec<(ProcessId, Eval<T>)> {
        self.look(instance, configuration, process);
        let mut met = Vec::new();
        for (number, port) in (0u32..).zip(instance.network.ports(process)) {
            let to = if port.out == NONE { process } else { instance.network.link(port.out).to };
            if to == process {
                continue;
            }
            match self.begin_interaction(instance, process, responder, mirrors, number) {
                Ok(None) => {}
                Ok(Some(partner)) => met.push((partner, Ok(f(&mut self.env(instance, process))))),
                Err(abort) => met.push((to, Err(abort))),
            }
        }
        met
    }

    /// Return whether the message at a position matches the patterns and the sender of a candidate. Guards are not evaluated.
    ///
    /// # Errors
    /// If the expression for the sender cannot be evaluated.
    pub fn shape_fits(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        (channel, position): (ChannelId, u32),
        candidate: &Candidate,
    ) -> Eval<bool> {
        let process = instance.receiver(channel);
        self.look(instance, configuration, process);
        let Some(slot) = configuration.slots(channel).nth(position as usize) else {
            return Ok(false);
        };
        self.fits(instance, configuration, channel, slot, process, candidate)
    }

    /// Return whether the message at this position of its channel may be offered.
    pub fn is_next(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        channel: ChannelId,
        position: u32,
    ) -> bool {
        self.offered(instance, configuration, channel, position)
    }

    /// Return the `defer` that lets other messages pass the one at a position, if any.
    pub fn deferred_by(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        channel: ChannelId,
        position: u32,
    ) -> Option<ActionId> {
        if !matches!(self.who_takes(instance, configuration, channel, position), Ok(Takers::Deferred)) {
            return None;
        }
        let process = instance.receiver(channel);
        let slot = configuration.slots(channel).nth(position as usize)?;
        let table = instance.table(process);
        let kind = configuration.pool.kind(slot);
        let list = table.list(table.cell(table.cell_number(kind, configuration.words(process))));
        let deferring = list.iter().map(|number| &table.candidates[*number as usize]).find(|candidate| {
            candidate.level.defers()
                && matches!(
                    self.accepts(instance, configuration, channel, slot, process, table, candidate),
                    Ok(true)
                )
        });
        deferring.map(|candidate| candidate.alternative.action)
    }

    /// Return the alternatives that would take the message at a position, if it were offered.
    ///
    /// # Errors
    /// If a guard cannot be evaluated.
    pub fn who_takes(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        channel: ChannelId,
        position: u32,
    ) -> Eval<Takers> {
        let process = instance.receiver(channel);
        self.look(instance, configuration, process);
        let Some(slot) = configuration.slots(channel).nth(position as usize) else {
            return Ok(Takers::Nobody);
        };
        let found = self.could_take(instance, configuration, channel, slot, process)?;
        let table = instance.table(process);
        let kind = configuration.pool.kind(slot);
        let list = table.list(table.cell(table.cell_number(kind, configuration.words(process))));
        Ok(match found {
            Found::Nobody => Takers::Nobody,
            Found::Deferred => Takers::Deferred,
            Found::Acceptable => {
                let action = |i: &u32| table.candidates[list[*i as usize] as usize].alternative.action;
                Takers::Actions(self.receipt.acceptable.iter().map(action).collect())
            }
        })
    }
}
