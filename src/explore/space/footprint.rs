//! Footprints: the data that a step depends on besides its process and the messages sent to it, if that is little. It comprises
//! the local states of neighbours that are read; the remaining fault budget, failed links and suspicions; and, for detectors
//! and messages that may be lost, the crashed processes. The rest of a configuration does not matter, so transition tables remain
//! applicable. In pairwise interactions, a step depends on the local states of initiator and responder, and on the answers of
//! oracles; each responder is a situation of its own. In systems with time, a step depends on how much time may pass before it,
//! which all processes limit. The time that passes ages all other timers and messages.

use crate::explore::monitor::Monitor;
use crate::explore::space::losses::Losses;
use crate::explore::space::transitions::Rank;
use crate::explore::space::{daemon_steps, rounds};
use crate::explore::store::components::Components;
use crate::explore::store::interner::Interner;
use crate::ids::{ChannelId, ProcessId};
use crate::instance::{Candidate, ExecutionModel, FaultBudget, Instance};
use crate::ir::{Daemon, Fault, Input};
use crate::property::Reads;
use crate::semantics::environment::Faults;
use crate::semantics::event::{Cause, Event};
use crate::semantics::machine::{TimeLimits, readers};
use crate::semantics::{Configuration, Machine};
use rustc_hash::FxHashMap;
use std::sync::{Mutex, PoisonError};

#[derive(Debug)]
pub struct Footprint {
    /// By process: the processes whose local states its steps depend on.
    read: Vec<Box<[ProcessId]>>,
    /// Whether detectors, or the fairness of messages, depend on which processes are down.
    asks_who_is_down: bool,
    losses: Losses,
    worlds: Interner<World>,
    /// Whether steps are interactions with one of the processes that are read.
    pub in_pairs: bool,
    /// Whether steps depend on the answers of oracles, which depend on all processes.
    pub asks_oracles: bool,
    /// Whether time passes before steps.
    pub is_timed: bool,
    pub together: Option<JointSteps>,
    /// Present if properties or outputs read which processes are enabled.
    movers: Option<Mutex<EnablednessCache>>,
}

/// The kind of joint steps, which determines the encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointSteps {
    /// [`super::daemon_steps`], under this daemon.
    Moves(Daemon),
    /// [`super::rounds`].
    Rounds,
}

/// The data outside all processes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct World {
    faults: Option<Faults>,
    /// The processes that are down, if steps depend on them.
    down: Box<[ProcessId]>,
}

/// Indices in a situation: the local state of the process, and the world. Next come the local states of the processes that it
/// reads or, in rounds, whether one is ending, or, with time, how much may pass (two numbers), and whether timers may expire then.
const LOCAL: usize = 0;
const WORLD: usize = 1;
const IS_ENDING: usize = 2;
const TIME: usize = 2;
/// In pairs: the responder, its local state, and the number of the oracles' answers.
const RESPONDER: usize = 2;
const LOCAL_OF_RESPONDER: usize = 3;
const ANSWERS: usize = 4;

/// Rank of timeouts, after all faults.
const TIMEOUT: u8 = 8;

impl Footprint {
    /// Return the footprint of an instance. `None`: steps depend on more, or components do not determine the configuration.
    pub fn of(instance: &Instance, monitor: &Monitor<'_>, losses: Losses) -> Option<Footprint> {
        let daemon = match instance.model.execution {
            ExecutionModel::Single | ExecutionModel::Rounds | ExecutionModel::Pairs => None,
            ExecutionModel::Daemon(daemon) => Some(daemon),
        };
        let in_pairs = instance.model.execution == ExecutionModel::Pairs;
        let is_alone = instance.model.execution == ExecutionModel::Single;
        let duplicates =
            instance.active_faults().is_some_and(|hazards| hazards.budget.of(Fault::Duplication) > 0);
        // A copy of a message has a time of its own.
        let is_told = !instance.is_timed() || (is_alone && !duplicates);
        if !is_told || monitor.auxiliary.needs.pasts() {
            return None;
        }
        // No component records which processes owe a move in a round.
        let reads = daemon.is_some();
        let asks_oracles = !instance.program.oracles.is_empty();
        if ((reads || in_pairs) && monitor.counts_rounds()) || (asks_oracles && !in_pairs) {
            return None;
        }
        let together = match daemon {
            _ if !instance.model.is_joint() => None,
            Some(daemon) => Some(JointSteps::Moves(daemon)),
            None => Some(JointSteps::Rounds),
        };
        let asks_who_can_move = reads && reads_enabledness(instance, monitor);
        let detects = instance.active_faults().is_some_and(|hazards| hazards.detector.is_some());
        // In those models, a change of a detector's output counts as a move.
        if detects && (asks_who_can_move || together.is_some()) {
            return None;
        }
        let told = match together {
            // Which processes are enabled in pairs depends on all neighbours at once.
            None => !in_pairs || (interacts_only(instance) && !reads_enabledness(instance, monitor)),
            Some(JointSteps::Moves(_)) => daemon_steps::tell_all(instance, monitor),
            Some(JointSteps::Rounds) => rounds::tell_all(instance),
        };
        if !told {
            return None;
        }
        let of = |process: ProcessId| match in_pairs {
            true => instance.network.neighbours(process).collect(),
            false if reads => readers(instance, process),
            false => Vec::new(),
        };
        let others = |process: ProcessId| of(process).into_iter().filter(|other| *other != process).collect();
        Some(Footprint {
            read: instance.processes().map(others).collect(),
            asks_who_is_down: detects || losses != Losses::None,
            losses,
            worlds: Interner::default(),
            in_pairs,
            asks_oracles,
            is_timed: instance.is_timed(),
            together,
            movers: asks_who_can_move.then(|| Mutex::new(EnablednessCache::new(instance))),
        })
    }

    /// Return the approximate number of bytes of all worlds.
    pub fn bytes(&self) -> usize {
        let heap = |world: &World| {
            world.faults.as_ref().map_or(0, Faults::bytes) + size_of_val::<[ProcessId]>(&world.down)
        };
        self.worlds.bytes(heap) + self.movers.as_ref().map_or(0, |movers| lock(movers).bytes())
    }

    /// Return whether a renumbering of processes turns steps into steps: the world is always the same, and steps are not parts
    /// of a joint step.
    pub fn is_symmetric(&self, instance: &Instance) -> bool {
        self.together.is_none()
            && !self.is_timed
            && instance.active_faults().is_none()
            && self.losses == Losses::None
    }

    /// Return whether a message that its receiver ignores for ever may be received before other steps: no process restarts, no fault
    /// but a crash concerns the message, and steps are not parts of a joint step.
    pub fn allows_early_receipt(&self, instance: &Instance) -> bool {
        let restarts =
            |faults: &FaultBudget| faults.budget.of(Fault::Restart) > 0 || faults.assumed_restarts > 0;
        self.together.is_none()
            && !self.in_pairs
            && !self.is_timed
            && self.movers.is_none()
            && !self.takes_any_message(instance)
            && !instance.active_faults().is_some_and(restarts)
    }

    /// Return whether a message that is lost implies the loss of those after it, and no step shows the loss. Then an end may depend on
    /// whether the message was received before its sender crashed.
    pub fn loses_suffixes(&self, instance: &Instance, channel: ChannelId) -> bool {
        self.losses == Losses::Implicit && instance.layout.keeps_order(channel)
    }

    /// In pairs: return the processes that a process may interact with as the initiator.
    pub fn responders(&self, process: ProcessId) -> &[ProcessId] {
        &self.read[process.index()]
    }

    /// Return the number of components in addition to two for each process.
    pub fn components(&self) -> usize {
        match self.together {
            None => 1,
            Some(JointSteps::Moves(_)) => daemon_steps::MORE,
            Some(JointSteps::Rounds) => rounds::components(self.read.len()),
        }
    }

    /// Return the id of the inbox of a process in a vector.
    pub fn inbox(&self, process: ProcessId, key: &[u32]) -> u32 {
        match self.together {
            Some(JointSteps::Moves(_)) => daemon_steps::NO_MESSAGES,
            _ => key[self.read.len() + process.index()],
        }
    }

    /// Return whether a vector is an intermediate state of a joint step.
    pub fn is_between(&self, key: &[u32]) -> bool {
        match self.together {
            None => false,
            Some(JointSteps::Moves(_)) => daemon_steps::position(key, self.read.len()).is_some(),
            Some(JointSteps::Rounds) => rounds::next(key, self.read.len()).is_some(),
        }
    }

    /// Return whether several processes step together, enabledness is read, or time passes.
    pub fn is_looked_at_often(&self) -> bool {
        self.together.is_some() || self.movers.is_some() || self.is_timed
    }

    /// Return whether an intermediate vector of a joint step records the truth before the step.
    pub fn tells_truth(&self) -> bool {
        self.together == Some(JointSteps::Rounds)
    }

    /// Return whether a step may receive any of the messages sent to its process, not only a first one.
    pub fn takes_any_message(&self, instance: &Instance) -> bool {
        self.together == Some(JointSteps::Rounds) || self.is_timed || self.strikes_messages(instance)
    }

    /// If enabledness is read, set it in the configuration with this vector, which is no intermediate state of a joint step.
    pub fn restore_movers(&self, instance: &Instance, key: &[u32], into: &mut Configuration) {
        let Some(movers) = &self.movers else { return };
        let movers = &mut *lock(movers);
        let mut situation = Vec::new();
        for process in instance.processes() {
            self.situation(process, key, &mut situation);
            let can_move = movers.can_move(instance, process, &situation, into);
            into.let_be_enabled(process, can_move);
        }
    }

    /// Return the id of the world of a configuration.
    pub fn world(&self, instance: &Instance, configuration: &Configuration) -> u32 {
        let faults = configuration.environment().faults.as_deref().cloned();
        let down = instance.processes().filter(|p| self.asks_who_is_down && configuration.crashed(*p));
        self.worlds.number(World { faults, down: down.collect() })
    }

    /// Set the world of a configuration. Local states determine which processes are down.
    pub fn restore_world(&self, world: u32, into: &mut Configuration) {
        into.set_faults(self.worlds.get(world).faults.as_ref());
    }

    /// Compute the situation of a process in a vector: everything that a step of the process depends on except its inbox.
    pub fn situation(&self, process: ProcessId, key: &[u32], situation: &mut Vec<u32>) {
        let n = self.read.len();
        situation.clear();
        situation.extend([key[process.index()], key[2 * n]]);
        situation.extend(self.read[process.index()].iter().map(|other| key[other.index()]));
        if self.together == Some(JointSteps::Rounds) {
            situation.push(rounds::next(key, n).is_some().into());
        }
    }

    /// With time: complete a situation by the time that may pass.
    pub fn add_time(situation: &mut Vec<u32>, limits: TimeLimits) {
        let most = limits.most();
        situation.extend([most as u32, (most >> 32) as u32, limits.lets_timers(most).into()]);
    }

    /// With time: return the time that may pass in a situation.
    pub fn time_in(&self, situation: &[u32]) -> Option<TimeLimits> {
        let [low, high, lets_timers] = *situation.get(TIME..)?.first_chunk()?;
        let most = u64::from(high) << 32 | u64::from(low);
        self.is_timed.then(|| TimeLimits::stated(most, lets_timers != 0))
    }

    /// In pairs: compute the situation of an initiator with one responder. `answers`: the number of the oracles' answers.
    pub fn situation_with(
        &self,
        (process, responder): (ProcessId, ProcessId),
        answers: u32,
        key: &[u32],
        situation: &mut Vec<u32>,
    ) {
        let world = key[2 * self.read.len()];
        situation.clear();
        situation.extend([key[process.index()], world, responder.0, key[responder.index()], answers]);
    }

    /// In pairs: return the number of the oracles' answers in a situation.
    pub fn answers_in(&self, situation: &[u32]) -> usize {
        situation[ANSWERS] as usize
    }

    /// In pairs: return the responder in a situation, and the id of its local state.
    pub fn responder_in(&self, situation: &[u32]) -> Option<(ProcessId, u32)> {
        self.in_pairs.then(|| (ProcessId(situation[RESPONDER]), situation[LOCAL_OF_RESPONDER]))
    }

    /// Restore a situation of a process. The rest of the configuration does not matter.
    pub fn restore(
        &self,
        parts: &Components,
        process: ProcessId,
        situation: &[u32],
        into: &mut Configuration,
    ) {
        let world = self.worlds.get(situation[WORLD]);
        into.set_faults(world.faults.as_ref());
        if self.is_timed {
            into.clear_messages();
            into.set_now(0);
        }
        if self.asks_who_is_down {
            (0..self.read.len() as u32)
                .map(ProcessId)
                .for_each(|other| into.let_be_down(other, world.down.contains(&other)));
        }
        match self.responder_in(situation) {
            Some((responder, local)) => {
                // A crashed process takes no part in interactions.
                self.read[process.index()]
                    .iter()
                    .for_each(|other| into.let_be_down(*other, *other != responder));
                parts.restore_local(into, responder, local);
            }
            None => {
                let others = self.read[process.index()].iter().zip(&situation[WORLD + 1..]);
                others.for_each(|(other, local)| parts.restore_local(into, *other, *local));
            }
        }
        parts.restore_local(into, process, situation[LOCAL]);
        if self.together == Some(JointSteps::Rounds) {
            rounds::restore_round(into, process, situation[IS_ENDING] != 0);
        }
    }

    /// Return all steps of a process in a situation, with their ranks.
    pub fn steps(
        &self,
        instance: &Instance,
        machine: &mut Machine,
        configuration: &Configuration,
        process: ProcessId,
    ) -> Vec<(Event, Rank)> {
        let others = self.other_steps(instance, machine, configuration, process);
        let first = |event| (event, (0, 0));
        match self.together {
            Some(JointSteps::Rounds) => rounds::steps(instance, machine, configuration, process, others),
            Some(JointSteps::Moves(_)) => {
                let moves = daemon_steps::of(instance, machine, configuration, process);
                moves.into_iter().map(first).chain(others).collect()
            }
            None => {
                let ordinary = machine.enabled_at(instance, configuration, process);
                let all = ordinary.into_iter().map(first).chain(others);
                if !self.is_timed {
                    return all.collect();
                }
                let mut timed = Vec::new();
                for (event, rank) in all {
                    let at_all_times = machine.at_all_times(instance, configuration, vec![event]);
                    timed.extend(at_all_times.into_iter().map(|event| (event, rank)));
                }
                let expiries = machine.stated_expiries(instance, configuration, process);
                timed.extend(expiries.into_iter().map(|event| (event, (TIMEOUT, process.0))));
                timed
            }
        }
    }

    /// Return the faults and timeouts of a process, with their ranks. The configuration contains the process in a situation,
    /// and no messages other than those sent to it.
    fn other_steps(
        &self,
        instance: &Instance,
        machine: &mut Machine,
        configuration: &Configuration,
        process: ProcessId,
    ) -> Vec<(Event, Rank)> {
        let ranked = |event: Event| {
            let rank = match event.cause {
                Cause::Crash => (1, event.process.0),
                Cause::Restart => (2, event.process.0),
                Cause::Lose { channel, .. } => (3, channel.0),
                Cause::Duplicate { channel, .. } => (4, channel.0),
                Cause::Cut { link } => (5, link),
                Cause::Mislead => (6, event.process.0),
                _ => (TIMEOUT - 1, event.process.0),
            };
            (event, rank)
        };
        // A duplication belongs to the receiver.
        let is_own = |event: &Event| match event.cause {
            Cause::Duplicate { channel, .. } => instance.receiver(channel) == process,
            _ => event.process == process,
        };
        let faults = machine.faults(instance, configuration).into_iter().filter(is_own);
        let faults = faults.filter(|event| self.losses.includes(instance, configuration, event));
        let mut steps: Vec<(Event, Rank)> = faults.map(ranked).collect();
        if self.together.is_some() || self.is_timed {
            return steps;
        }
        let mut timeouts = Vec::new();
        machine.timeouts(instance, configuration, process, 0, &mut timeouts);
        steps.extend(timeouts.into_iter().map(|(cause, alternative)| {
            (Event { alternative, ..Event::new(process, cause) }, (TIMEOUT, process.0))
        }));
        steps
    }

    /// Return whether messages may be lost or duplicated anywhere in their channels.
    fn strikes_messages(&self, instance: &Instance) -> bool {
        let budget = |fault| instance.active_faults().is_some_and(|hazards| hazards.budget.of(fault) > 0);
        budget(Fault::Loss) || budget(Fault::Duplication) || self.losses == Losses::Steps
    }
}

/// Return whether the processes take only steps of interactions, which depend on no more than two local states.
fn interacts_only(instance: &Instance) -> bool {
    let is_simple = |candidate: &Candidate| {
        matches!(candidate.alternative.input, Input::Interaction { .. }) && candidate.earlier.is_empty()
    };
    instance.network.is_simple()
        && instance.active_faults().is_none()
        && instance.tables.iter().all(|table| !table.wakes && table.candidates.iter().all(is_simple))
}

/// Return whether a property, an output, or an oracle reads which processes are enabled.
fn reads_enabledness(instance: &Instance, monitor: &Monitor<'_>) -> bool {
    let program = &instance.program;
    let asks = |e| Reads::of(e, program).other;
    let by_property = monitor.properties().into_iter().any(|property| {
        asks(&property.body)
            || property.consequent.as_ref().is_some_and(asks)
            || property.binders.iter().any(|binder| asks(&binder.set))
            || property.bound.as_ref().is_some_and(|bound| asks(&bound.limit))
    });
    by_property
        || program.outputs.iter().any(|output| asks(&output.value))
        || program.oracles.iter().any(|oracle| asks(&oracle.truth))
}

/// Cached enabledness of processes by situation.
#[derive(Debug)]
struct EnablednessCache {
    machine: Machine,
    /// By process.
    known: Vec<FxHashMap<Box<[u32]>, bool>>,
}

impl EnablednessCache {
    fn new(instance: &Instance) -> EnablednessCache {
        EnablednessCache {
            machine: Machine::new(instance),
            known: vec![FxHashMap::default(); instance.n() as usize],
        }
    }

    /// `configuration`: one in which the process is in that situation.
    fn can_move(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        situation: &[u32],
        configuration: &Configuration,
    ) -> bool {
        let EnablednessCache { machine, known } = self;
        let known = &mut known[process.index()];
        known.get(situation).copied().unwrap_or_else(|| {
            let can_move = machine.is_enabled(instance, configuration, process);
            known.insert(situation.into(), can_move);
            can_move
        })
    }

    /// Return the approximate number of bytes.
    fn bytes(&self) -> usize {
        let place = |key: &[u32]| size_of::<(Box<[u32]>, bool)>() + 1 + size_of_val(key);
        let each = |of: &FxHashMap<Box<[u32]>, bool>| {
            of.keys().next().map_or(0, |key| of.capacity() * 8 / 7 * place(key))
        };
        self.known.iter().map(each).sum()
    }
}

fn lock(movers: &Mutex<EnablednessCache>) -> std::sync::MutexGuard<'_, EnablednessCache> {
    movers.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The situations of one process found so far.
#[derive(Debug, Default)]
pub struct Situations {
    numbers: FxHashMap<Box<[u32]>, u32>,
    /// Contiguous, all of the same length.
    all: Vec<u32>,
}

impl Situations {
    pub fn number(&mut self, situation: &[u32]) -> u32 {
        if let Some(number) = self.numbers.get(situation) {
            return *number;
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert(situation.into(), number);
        self.all.extend_from_slice(situation);
        number
    }

    pub fn get(&self, number: u32) -> &[u32] {
        let length = self.all.len() / self.numbers.len().max(1);
        &self.all[number as usize * length..][..length]
    }

    /// Return the id of the local state of the process.
    pub fn local(&self, number: u32) -> u32 {
        self.get(number)[LOCAL]
    }

    pub fn bytes(&self) -> usize {
        let places = self.numbers.capacity() * 8 / 7 * (size_of::<(Box<[u32]>, u32)>() + 1);
        places + (self.all.len() + self.all.capacity()) * size_of::<u32>()
    }
}
