//! Why an alternative is not open: for whoever asks, never for a run.

use super::receive::Found;
use super::{Configuration, Env, Eval, Machine};
use crate::instance::{Candidate, Instance};
use crate::ir::{ActionId, Mirror};
use crate::network::NONE;

/// Who would take a message, if it were offered now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Takers {
    Nobody,
    Deferred,
    /// One of these actions.
    Actions(Vec<ActionId>),
}

impl Machine {
    /// Evaluates something at a process as it is now, with a message bound as a candidate would bind it: the message
    /// of this channel and position. None: there is no such message.
    pub fn probe<T>(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: u32,
        message: Option<(u32, u32, &Candidate)>,
        f: impl FnOnce(&mut Env<'_>) -> T,
    ) -> Option<T> {
        self.look(instance, configuration, process);
        if let Some((channel, position, candidate)) = message {
            let slot = configuration.slots(channel).nth(position as usize)?;
            self.bind(instance, configuration, channel, slot, process, candidate);
        }
        Some(f(&mut self.env(instance, process)))
    }

    /// Evaluates something at a process at the end of the next round, with what has been sent to it so far.
    pub fn probe_round<T>(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: u32,
        f: impl FnOnce(&mut Env<'_>) -> T,
    ) -> Option<T> {
        self.hear_round(instance, configuration, process)?;
        Some(f(&mut self.env(instance, process)))
    }

    /// Evaluates something of each process that this one can meet in an interaction, with the frame ready for it.
    pub fn probe_pairs<T>(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: u32,
        (responder, mirrors): (u16, &[Mirror]),
        mut f: impl FnMut(&mut Env<'_>) -> T,
    ) -> Vec<(u32, Eval<T>)> {
        self.look(instance, configuration, process);
        let mut met = Vec::new();
        for (number, port) in (0u32..).zip(instance.network.ports(process)) {
            let to = if port.out == NONE { process } else { instance.network.link(port.out).to };
            if to == process {
                continue;
            }
            match self.meet(instance, process, responder, mirrors, number) {
                Ok(None) => {}
                Ok(Some(partner)) => met.push((partner, Ok(f(&mut self.env(instance, process))))),
                Err(abort) => met.push((to, Err(abort))),
            }
        }
        met
    }

    /// Does the message at a position have the shape and the sender that a candidate asks for? Guards are not looked at.
    ///
    /// # Errors
    /// When the sender that is asked for cannot be evaluated.
    pub fn shape_fits(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        (channel, position): (u32, u32),
        candidate: &Candidate,
    ) -> Eval<bool> {
        let process = instance.receiver(channel);
        self.look(instance, configuration, process);
        let Some(slot) = configuration.slots(channel).nth(position as usize) else {
            return Ok(false);
        };
        self.fits(instance, configuration, channel, slot, process, candidate)
    }

    /// Is it the turn of the message at this position of its channel?
    pub fn is_next(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        channel: u32,
        position: u32,
    ) -> bool {
        self.offered(instance, configuration, channel, position)
    }

    /// The `defer` that lets others pass the message at a position, if one does.
    pub fn deferred_by(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        channel: u32,
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

    /// Who would take the message at a position, were it its turn?
    ///
    /// # Errors
    /// When a guard cannot be evaluated.
    pub fn who_takes(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        channel: u32,
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
                Takers::Actions(self.acceptable.iter().map(action).collect())
            }
        })
    }
}
