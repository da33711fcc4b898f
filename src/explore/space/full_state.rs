//! Encoding by whole configurations, for models in which a step depends on more than a footprint (`steps::footprint`): radio,
//! time, interactions, oracles, notes of the application. A *load* accompanies each configuration: further data of the run.

use crate::explore::initial_states::InitialState;
use crate::explore::monitor::Monitor;
use crate::explore::monitor::auxiliary::AuxiliaryCache;
use crate::explore::space::losses::Losses;
use crate::explore::store::interner::Interner;
use crate::ids::{ChannelId, MessageId, ProcessId};
use crate::instance::Instance;
use crate::semantics::event::{Cause, Event};
use crate::semantics::{Configuration, Machine};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Index of the configuration in a vector, and of its load. Auxiliary components follow.
const CONFIGURATION: usize = 0;
const LOAD: usize = 1;
/// Number of components before the auxiliary ones.
pub const OWN: usize = 2;

#[derive(Debug)]
pub struct FullState {
    configurations: Interner<Kept>,
    loads: Interner<Load>,
    /// Processes that may send notes.
    participants: Vec<ProcessId>,
    /// Channels whose order is unobservable: their messages are sorted by content.
    unordered: Vec<ChannelId>,
    losses: Losses,
    /// Whether the lines of a scenario state numbers of rounds.
    counts_rounds: bool,
}

/// A configuration. Processes that still owe a move in the current round are distinguished only if rounds are counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Kept {
    configuration: Configuration,
    owing: FixedBitSet,
}

/// The data that accompanies a configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Load {
    /// Causal pasts carried by the messages in transit, channel by channel, and then by the notes.
    messages: Vec<u32>,
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
    pasts: FxHashMap<MessageId, u32>,
}

impl FullState {
    pub fn new(instance: &Instance, losses: Losses) -> FullState {
        let role = |p: &ProcessId| &instance.program.roles[instance.role_of(*p)];
        let takes_part = |p: &ProcessId| role(p).operations.iter().any(Option::is_some);
        let mut participants: Vec<ProcessId> = instance.processes().filter(takes_part).collect();
        if participants.is_empty() {
            participants = instance.processes().collect();
        }
        let unordered = instance.channels().filter(|c| !instance.layout.keeps_order(*c)).collect();
        FullState {
            configurations: Interner::default(),
            loads: Interner::default(),
            participants,
            unordered,
            losses,
            counts_rounds: instance.script.as_ref().is_some_and(|script| script.states_moments_from(0)),
        }
    }

    /// Return the approximate number of bytes of all configurations.
    pub fn bytes(&self) -> usize {
        let of_load = |load: &Load| (load.messages.capacity() + load.notes.capacity()) * size_of::<u32>();
        self.configurations.bytes(|kept| kept.configuration.bytes() + size_of_val(kept.owing.as_slice()))
            + self.loads.bytes(of_load)
    }

    /// Return the bytes needed temporarily if `more` configurations are added.
    pub fn bytes_to_grow(&self, more: usize) -> usize {
        self.configurations.bytes_to_grow(more)
    }

    /// Return the position, in the channel of an equivalent configuration, of the message at this position of a sorted channel.
    pub fn place_in(
        &self,
        monitor: &Monitor<'_>,
        configuration: &Configuration,
        channel: ChannelId,
        position: u32,
    ) -> u32 {
        if monitor.auxiliary.needs.pasts() || !self.unordered.contains(&channel) {
            return position;
        }
        configuration.by_content(channel).get(position as usize).copied().unwrap_or(position)
    }

    pub fn get(&self, key: &[u32]) -> Configuration {
        self.configurations.get(key[CONFIGURATION]).configuration.clone()
    }

    /// Return whether the configuration is an intermediate state of a joint step.
    pub fn is_between(&self, key: &[u32]) -> bool {
        self.configurations.get(key[CONFIGURATION]).configuration.in_joint_step()
    }

    /// Return the truth vector before the joint step of an intermediate state.
    pub fn truth(&self, key: &[u32]) -> u32 {
        self.loads.get(key[LOAD]).truth
    }

    fn number(&self, monitor: &Monitor<'_>, configuration: &Configuration) -> u32 {
        let counts_rounds = self.counts_rounds || monitor.counts_rounds();
        let owing = if counts_rounds { configuration.owing() } else { FixedBitSet::new() };
        let mut configuration = configuration.clone();
        // Causal pasts are stored beside the messages, in their order.
        if !monitor.auxiliary.needs.pasts() {
            self.unordered.iter().for_each(|channel| configuration.sort_channel(*channel));
        }
        self.configurations.number(Kept { owing, configuration })
    }

    /// Encode an initial configuration.
    pub fn encode_start(&self, monitor: &Monitor<'_>, start: &InitialState, notes: u32) -> Vec<u32> {
        let auxiliary = monitor.auxiliary.after_starts(&start.steps);
        let mut load = Load { notes_left: notes, ..Load::default() };
        if monitor.auxiliary.needs.pasts() {
            let configuration = &start.configuration;
            for channel in configuration.busy_channels() {
                let sender = monitor.instance.sender(channel).index();
                let past = monitor.auxiliary.sent_from_start(auxiliary[sender]);
                load.messages.extend(configuration.channel(channel).map(|_| past));
            }
        }
        let mut key = vec![self.number(monitor, &start.configuration), self.loads.number(load)];
        key.extend(auxiliary);
        key
    }

    /// Prepare a configuration for trying steps.
    pub fn before<'k>(&'k self, monitor: &Monitor<'_>, key: &'k [u32]) -> Before<'k> {
        let configuration = self.get(key);
        let load = self.loads.get(key[LOAD]);
        let mut pasts = FxHashMap::default();
        if monitor.auxiliary.needs.pasts() {
            let channels = configuration.busy_channels();
            let messages = channels.flat_map(|c| configuration.channel(c).map(|m| m.id).collect::<Vec<_>>());
            pasts = messages.zip(load.messages.iter().copied()).collect();
        }
        Before { configuration, key, load, pasts }
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
        monitor: &Monitor<'_>,
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
        let auxiliary = &monitor.auxiliary;
        let mut load = Load { truth: 0, ..Load::clone(before.load) };
        if after.in_joint_step() {
            load.truth = if before.configuration.in_joint_step() { before.load.truth } else { truth };
        }
        let mut key = before.key.to_vec();
        if auxiliary.needs.any() {
            let mut taken: SmallVec<[u32; 1]> = machine
                .effects
                .received
                .iter()
                .filter_map(|r| before.pasts.get(&r.message))
                .copied()
                .collect();
            if let Cause::ReceiveNote { from } = event.cause {
                let notes = before.configuration.notes();
                let arrived = notes.iter().position(|n| n.from == from && n.to == event.process);
                if let Some(past) = arrived.filter(|at| *at < load.notes.len()) {
                    taken.push(load.notes.remove(past));
                }
            }
            let delta = auxiliary.delta(&machine.metrics, &machine.effects.observations);
            let copied = machine.effects.copied;
            let sends = !machine.effects.sent.is_empty() && copied.is_none();
            let advance = known.advance(auxiliary, &mut key[OWN..], event.process, &taken, delta, sends);
            if auxiliary.needs.pasts() {
                let mut renumbered = |past: u32| match advance.renumbering {
                    Some(renumbering) => known.renumbered(auxiliary, past, renumbering),
                    None => past,
                };
                // A copy made by the network carries the causal past of its original.
                let mut past = |id: MessageId| {
                    let known = before.pasts.get(&id).or_else(|| before.pasts.get(&copied?));
                    known.map_or(advance.sent, |past| renumbered(*past))
                };
                let channels = after.busy_channels();
                load.messages = channels
                    .flat_map(|c| after.channel(c).map(|m| past(m.id)).collect::<SmallVec<[u32; 8]>>())
                    .collect();
                load.notes.iter_mut().for_each(|past| *past = renumbered(*past));
                if matches!(event.cause, Cause::SendNote { .. }) {
                    // A note is no message: it does not lengthen the chain.
                    load.notes.push(key[OWN + event.process.index()]);
                }
            }
        }
        if matches!(event.cause, Cause::SendNote { .. }) {
            // A scenario sends its notes beside these.
            load.notes_left = load.notes_left.saturating_sub(1);
        }
        key[CONFIGURATION] = self.number(monitor, after);
        key[LOAD] = self.loads.number(load);
        key
    }
}
