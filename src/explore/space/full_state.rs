//! Models in which a step depends on more than a footprint ([`super::footprint`]): notes of the application, lines of a scenario, copies
//! of messages with time, radio with restarts, oracles that err. Their steps are taken in whole configurations. A vector contains local
//! states and inboxes as in other models, then the surroundings, and a *load*: further data of the run.

use crate::explore::monitor::Monitor;
use crate::explore::monitor::auxiliary::AuxiliaryCache;
use crate::explore::space::losses::Losses;
use crate::explore::store::components::Components;
use crate::explore::store::interner::Interner;
use crate::ids::{ChannelId, MessageId, ProcessId};
use crate::instance::Instance;
use crate::semantics::configuration::surroundings::Surroundings;
use crate::semantics::event::{Cause, Event};
use crate::semantics::{Configuration, Machine};
use smallvec::SmallVec;

/// Number of components besides two for each process: surroundings, and load.
pub const MORE: usize = 2;

#[derive(Debug)]
pub struct FullState {
    /// Number of processes.
    n: usize,
    surroundings: Interner<Surroundings>,
    loads: Interner<Load>,
    /// Processes that may send notes.
    participants: Vec<ProcessId>,
    losses: Losses,
    /// Whether the processes that owe a move in the current round distinguish configurations.
    counts_rounds: bool,
}

/// The data that accompanies a configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Load {
    /// Causal pasts carried by the notes in transit.
    notes: Vec<u32>,
    /// Number of notes that may still be sent.
    notes_left: u32,
    /// In an intermediate state of a joint step: the id of the truth vector before it.
    truth: u32,
}

/// A configuration in which a step is tried.
#[derive(Debug)]
pub struct Before<'k> {
    pub configuration: Configuration,
    key: &'k [u32],
    load: &'k Load,
    /// Causal past carried by each message in transit, by its number.
    pasts: Vec<u32>,
}

impl FullState {
    pub fn new(instance: &Instance, monitor: &Monitor<'_>, losses: Losses) -> FullState {
        let role = |p: &ProcessId| &instance.program.roles[instance.role_of(*p)];
        let takes_part = |p: &ProcessId| role(p).operations.iter().any(Option::is_some);
        let mut participants: Vec<ProcessId> = instance.processes().filter(takes_part).collect();
        if participants.is_empty() {
            participants = instance.processes().collect();
        }
        let states_rounds = instance.script.as_ref().is_some_and(|script| script.states_moments_from(0));
        FullState {
            n: instance.n() as usize,
            surroundings: Interner::default(),
            loads: Interner::default(),
            participants,
            losses,
            counts_rounds: states_rounds || monitor.counts_rounds(),
        }
    }

    /// Return the approximate number of bytes of all surroundings and loads.
    pub fn bytes(&self) -> usize {
        self.surroundings.bytes(Surroundings::bytes)
            + self.loads.bytes(|load| load.notes.capacity() * size_of::<u32>())
    }

    /// Return whether a vector is an intermediate state of a joint step.
    pub fn is_between(&self, key: &[u32]) -> bool {
        self.surroundings(key).in_joint_step()
    }

    /// Return the number of rounds that have ended in a decoded configuration.
    pub fn rounds(&self, key: &[u32]) -> Option<u64> {
        self.surroundings(key).rounds()
    }

    fn surroundings(&self, key: &[u32]) -> &Surroundings {
        self.surroundings.get(key[2 * self.n])
    }

    fn load(&self, key: &[u32]) -> &Load {
        self.loads.get(key[2 * self.n + 1])
    }

    /// Return the components after local states and inboxes for an initial configuration.
    pub fn at_start(&self, configuration: &Configuration, notes: u32) -> [u32; MORE] {
        let load = Load { notes_left: notes, ..Load::default() };
        let surroundings = configuration.surroundings(self.counts_rounds);
        [self.surroundings.number(surroundings), self.loads.number(load)]
    }

    /// Decode a vector. Return the causal pasts that the messages carry, by number.
    pub fn restore(&self, parts: &Components, key: &[u32], into: &mut Configuration) -> Vec<u32> {
        into.restore_surroundings(self.surroundings(key));
        for (process, local) in (0..).map(ProcessId).zip(&key[..self.n]) {
            parts.restore_local(into, process, *local);
        }
        parts.restore_messages(into, &key[self.n..2 * self.n])
    }

    /// Prepare a configuration for trying steps. `configuration`: any configuration of the instance.
    pub fn before<'k>(
        &'k self,
        parts: &Components,
        key: &'k [u32],
        mut configuration: Configuration,
    ) -> Before<'k> {
        let pasts = self.restore(parts, key, &mut configuration);
        Before { configuration, key, load: self.load(key), pasts }
    }

    /// Return all possible events: steps, and sending of notes.
    pub fn events(&self, instance: &Instance, machine: &mut Machine, before: &Before<'_>) -> Vec<Event> {
        let mut events = machine.enabled(instance, &before.configuration);
        events.retain(|event| self.losses.includes(instance, &before.configuration, event));
        if before.load.notes_left > 0 && !before.configuration.in_joint_step() {
            let up = self.participants.iter().filter(|from| !before.configuration.crashed(**from));
            for from in up {
                for to in self.participants.iter().filter(|to| *to != from) {
                    events.push(Event::new(*from, Cause::SendNote { to: *to }));
                }
            }
        }
        events
    }

    /// Encode the configuration after the step that the machine has just executed; set the machine's counts to those of the
    /// step. `truth`: the id of the truth vector of the configuration before.
    pub fn after(
        &self,
        (parts, monitor): (&Components, &Monitor<'_>),
        known: &mut AuxiliaryCache,
        machine: &mut Machine,
        event: &Event,
        (before, truth): (&Before<'_>, u32),
        after: &Configuration,
    ) -> Vec<u32> {
        // The environment records total rounds, but a step is charged for their increase.
        if let (Some(before), Some(after)) = (before.configuration.rounds(), after.rounds()) {
            machine.metrics.rounds = after.saturating_sub(before);
        }
        let (instance, auxiliary) = (monitor.instance, &monitor.auxiliary);
        let own = 2 * self.n + MORE;
        let mut load = Load { truth: 0, ..Load::clone(before.load) };
        if after.in_joint_step() {
            load.truth = if before.configuration.in_joint_step() { before.load.truth } else { truth };
        }
        let mut key = before.key.to_vec();
        for process in parts.processes() {
            if !after.is_same_state(&before.configuration, process) {
                key[process.index()] = parts.local(after, process);
            }
        }
        let carried = |id: MessageId| before.pasts.get(id.0 as usize).copied();
        let copied = machine.effects.copied;
        let mut advance = None;
        if auxiliary.needs.any() {
            let received = machine.effects.received.iter();
            let mut taken: SmallVec<[u32; 1]> = received.filter_map(|r| carried(r.message)).collect();
            if let Cause::ReceiveNote { from } = event.cause {
                let notes = before.configuration.notes();
                let arrived = notes.iter().position(|n| n.from == from && n.to == event.process);
                if let Some(past) = arrived.filter(|at| *at < load.notes.len()) {
                    taken.push(load.notes.remove(past));
                }
            }
            let delta = auxiliary.delta(&machine.metrics, &machine.effects.observations);
            // A transmission that no process can hear is sent, too.
            let sends = copied.is_none() && (!machine.effects.sent.is_empty() || machine.metrics.time > 0);
            advance = Some(known.advance(auxiliary, &mut key[own..], event.process, &taken, delta, sends));
        }
        let advance = advance.filter(|_| auxiliary.needs.pasts());
        let mut renumbered = |past: u32| match advance.as_ref().and_then(|advance| advance.renumbering) {
            Some(renumbering) => known.renumbered(auxiliary, past, renumbering),
            None => past,
        };
        load.notes.iter_mut().for_each(|past| *past = renumbered(*past));
        if matches!(event.cause, Cause::SendNote { .. }) && advance.is_some() {
            // A note is no message: it does not lengthen the chain.
            load.notes.push(key[own + event.process.index()]);
        }
        // A copy made by the network carries the causal past of its original.
        let mut past = |id| match (carried(id).or_else(|| carried(copied?)), &advance) {
            (Some(past), _) => renumbered(past),
            (None, Some(advance)) => advance.sent,
            (None, None) => 0,
        };
        for process in parts.processes() {
            let is_same = |channel: &ChannelId| after.is_same_channel(&before.configuration, *channel);
            let channels = &parts.incoming[process.index()];
            if advance.is_some() || !channels.iter().all(is_same) {
                key[self.n + process.index()] = parts.inbox(instance, after, process, &mut past);
            }
        }
        if matches!(event.cause, Cause::SendNote { .. }) {
            // A scenario sends its notes beside these.
            load.notes_left = load.notes_left.saturating_sub(1);
        }
        key[2 * self.n] = self.surroundings.number(after.surroundings(self.counts_rounds));
        key[2 * self.n + 1] = self.loads.number(load);
        key
    }
}
