//! What a step depends on besides the process and what is sent to it, where that is little: what its neighbours hold, if it reads them;
//! what may still go wrong, which links have failed and whom detectors suspect; and for detectors, who is down. The rest of a
//! configuration makes no difference to it, so such steps come from tables like any others.

use super::daemon_steps;
use super::rounds;
use crate::explore::monitor::Monitor;
use crate::explore::space::components::Components;
use crate::explore::space::interner::Interner;
use crate::instance::{ExecutionModel, Instance};
use crate::ir::{Daemon, Fault};
use crate::property::Reads;
use crate::semantics::environment::Faults;
use crate::semantics::event::{Cause, Event};
use crate::semantics::machine::readers;
use crate::semantics::{Configuration, Machine};
use rustc_hash::FxHashMap;
use std::sync::{Mutex, PoisonError};

#[derive(Debug)]
pub struct Footprint {
    /// By process: those whose local states its steps depend on.
    read: Vec<Box<[u32]>>,
    /// Do detectors ask who is down?
    asks_who_is_down: bool,
    worlds: Interner<World>,
    pub together: Option<Together>,
    /// Where properties or outputs ask who can move.
    movers: Option<Mutex<Movers>>,
}

/// Where several processes step at once: how, and so what vectors are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Together {
    /// [`super::daemon_steps`], as this daemon lets them.
    Moves(Daemon),
    /// [`super::rounds`].
    Rounds,
}

/// What is not with any process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct World {
    faults: Option<Faults>,
    /// Where somebody asks.
    down: Box<[u32]>,
}

/// Place of what a step depends on in a situation: the local state of the process, and the world. The local states of those it reads
/// follow, or, in rounds, whether one is ending.
const LOCAL: usize = 0;
const WORLD: usize = 1;
const IS_ENDING: usize = 2;

impl Footprint {
    /// None: more than this matters, or configurations are told apart by more than their parts tell.
    pub fn of(instance: &Instance, judge: &Monitor<'_>) -> Option<Footprint> {
        let daemon = match instance.model.pace {
            ExecutionModel::Single => None,
            ExecutionModel::Rounds => None,
            ExecutionModel::Daemon(daemon) => Some(daemon),
            ExecutionModel::Pairs => return None,
        };
        let is_alone = instance.model.pace == ExecutionModel::Single;
        if instance.is_timed() || judge.ghosts.needs.pasts() {
            return None;
        }
        // What oracles answer depends on everybody; who owes a move in a round is told by no part.
        let reads = daemon.is_some();
        if (reads && judge.counts_rounds()) || (!is_alone && !instance.program.oracles.is_empty()) {
            return None;
        }
        let together = match daemon {
            _ if !instance.model.is_joint() => None,
            Some(daemon) => Some(Together::Moves(daemon)),
            None => Some(Together::Rounds),
        };
        let asks_who_can_move = reads && tells_who_can_move(instance, judge);
        let detects = instance.hazards().is_some_and(|hazards| hazards.detector.is_some());
        // What detectors say counts as a move there.
        if detects && (asks_who_can_move || together.is_some()) {
            return None;
        }
        let told = match together {
            None => true,
            Some(Together::Moves(_)) => daemon_steps::tell_all(instance, judge),
            Some(Together::Rounds) => rounds::tell_all(instance),
        };
        if !told {
            return None;
        }
        let of = |process: u32| if reads { readers(instance, process) } else { Vec::new() };
        let others = |process: u32| of(process).into_iter().filter(|other| *other != process).collect();
        Some(Footprint {
            read: (0..instance.n()).map(others).collect(),
            asks_who_is_down: detects,
            worlds: Interner::new(),
            together,
            movers: asks_who_can_move.then(|| Mutex::new(Movers::new(instance))),
        })
    }

    /// Bytes of all worlds, about.
    pub fn bytes(&self) -> usize {
        let heap = |world: &World| {
            world.faults.as_ref().map_or(0, Faults::bytes) + size_of_val::<[u32]>(&world.down)
        };
        self.worlds.bytes(heap) + self.movers.as_ref().map_or(0, |movers| lock(movers).bytes())
    }

    /// How many components of a vector they take, behind two for each process.
    pub fn components(&self) -> usize {
        match self.together {
            None => 1,
            Some(Together::Moves(_)) => daemon_steps::MORE,
            Some(Together::Rounds) => rounds::components(self.read.len()),
        }
    }

    /// The number of the inbox of a process in the configuration with this vector.
    pub fn inbox(&self, process: u32, key: &[u32]) -> u32 {
        match self.together {
            Some(Together::Moves(_)) => daemon_steps::NO_MESSAGES,
            _ => key[self.read.len() + process as usize],
        }
    }

    /// Does a vector lie in the middle of a joint step?
    pub fn is_between(&self, key: &[u32]) -> bool {
        match self.together {
            None => false,
            Some(Together::Moves(_)) => daemon_steps::position(key, self.read.len()).is_some(),
            Some(Together::Rounds) => rounds::next(key, self.read.len()).is_some(),
        }
    }

    /// Do several step at once, or does somebody ask who can move?
    pub fn is_looked_at_often(&self) -> bool {
        self.together.is_some() || self.movers.is_some()
    }

    /// Does a vector in the middle of a joint step say what was true before?
    pub fn tells_truth(&self) -> bool {
        self.together == Some(Together::Rounds)
    }

    /// Can a step take any of the messages that have been sent to its process?
    pub fn takes_any_message(&self, instance: &Instance) -> bool {
        self.together == Some(Together::Rounds) || Footprint::strikes_messages(instance)
    }

    /// Says in a configuration who can move, where somebody asks; it is the one with this vector, and no joint step is under way.
    pub fn restore_movers(&self, instance: &Instance, key: &[u32], into: &mut Configuration) {
        let Some(movers) = &self.movers else { return };
        let movers = &mut *lock(movers);
        let mut situation = Vec::new();
        for process in 0..instance.n() {
            self.situation(process, key, &mut situation);
            let can_move = movers.can_move(instance, process, &situation, into);
            into.let_be_enabled(process, can_move);
        }
    }

    /// The number of what is not with any process.
    pub fn world(&self, configuration: &Configuration, processes: u32) -> u32 {
        let faults = configuration.environment().faults.as_deref().cloned();
        let down = (0..processes).filter(|process| self.asks_who_is_down && configuration.crashed(*process));
        self.worlds.number(World { faults, down: down.collect() })
    }

    /// Puts it into a configuration. Processes are down by their local states.
    pub fn restore_world(&self, world: u32, into: &mut Configuration) {
        into.set_faults(self.worlds.get(world).faults.as_ref());
    }

    /// Everything that a step of a process depends on but its inbox, in the configuration with this vector.
    pub fn situation(&self, process: u32, key: &[u32], situation: &mut Vec<u32>) {
        let n = self.read.len();
        situation.clear();
        situation.extend([key[process as usize], key[2 * n]]);
        situation.extend(self.read[process as usize].iter().map(|other| key[*other as usize]));
        if self.together == Some(Together::Rounds) {
            situation.push(rounds::next(key, n).is_some().into());
        }
    }

    /// Puts a process into a situation. What else there is in the configuration makes no difference to it.
    pub fn restore(&self, parts: &Components, process: u32, situation: &[u32], into: &mut Configuration) {
        let world = self.worlds.get(situation[WORLD]);
        into.set_faults(world.faults.as_ref());
        if self.asks_who_is_down {
            (0..self.read.len() as u32)
                .for_each(|other| into.let_be_down(other, world.down.contains(&other)));
        }
        let others = self.read[process as usize].iter().zip(&situation[WORLD + 1..]);
        others.for_each(|(other, local)| parts.restore_local(into, *other, *local));
        parts.restore_local(into, process, situation[LOCAL]);
        if self.together == Some(Together::Rounds) {
            rounds::restore_round(into, process, situation[IS_ENDING] != 0);
        }
    }

    /// Everything that a process can do in a situation that a configuration holds it in, with what it comes behind where all steps of a
    /// configuration are put in order.
    pub fn steps(
        &self,
        instance: &Instance,
        machine: &mut Machine,
        configuration: &Configuration,
        process: u32,
    ) -> Vec<(Event, Rank)> {
        let others = self.other_steps(instance, machine, configuration, process);
        let first = |event| (event, (0, 0));
        match self.together {
            Some(Together::Rounds) => rounds::steps(instance, machine, configuration, process, others),
            Some(Together::Moves(_)) => {
                let moves = daemon_steps::of(instance, machine, configuration, process);
                moves.into_iter().map(first).chain(others).collect()
            }
            None => {
                let ordinary = machine.enabled_at(instance, configuration, process);
                ordinary.into_iter().map(first).chain(others).collect()
            }
        }
    }

    /// The steps of a process that go wrong, or that a timer takes, with what they come behind where all steps of a configuration are put
    /// in order. The configuration holds the process in a situation, and no messages but those sent to it.
    fn other_steps(
        &self,
        instance: &Instance,
        machine: &mut Machine,
        configuration: &Configuration,
        process: u32,
    ) -> Vec<(Event, Rank)> {
        let ranked = |event: Event| {
            let rank = match event.cause {
                Cause::Crash => (1, event.process),
                Cause::Restart => (2, event.process),
                Cause::Lose { channel, .. } => (3, channel),
                Cause::Duplicate { channel, .. } => (4, channel),
                Cause::Cut { link } => (5, link),
                Cause::Mislead => (6, event.process),
                _ => (7, event.process),
            };
            (event, rank)
        };
        // What is doubled lies with the one it is sent to.
        let is_own = |event: &Event| match event.cause {
            Cause::Duplicate { channel, .. } => instance.receiver(channel) == process,
            _ => event.process == process,
        };
        let faults = machine.faults(instance, configuration).into_iter().filter(is_own);
        let mut steps: Vec<(Event, Rank)> = faults.map(ranked).collect();
        if self.together.is_some() {
            return steps;
        }
        let mut timeouts = Vec::new();
        machine.timeouts(instance, configuration, process, 0, &mut timeouts);
        steps.extend(
            timeouts.into_iter().map(|(cause, alternative)| {
                (Event { alternative, ..Event::new(process, cause) }, (8, process))
            }),
        );
        steps
    }

    /// May messages be lost or doubled, wherever they stand in their channels?
    fn strikes_messages(instance: &Instance) -> bool {
        let budget = |fault| instance.hazards().is_some_and(|hazards| hazards.budget.of(fault) > 0);
        budget(Fault::Loss) || budget(Fault::Duplication)
    }
}

/// What steps of a configuration are put in order by: processes one after the other, then by kind what goes wrong, then timers.
pub type Rank = (u8, u32);

/// Does a property, or an output, ask who can move?
fn tells_who_can_move(instance: &Instance, judge: &Monitor<'_>) -> bool {
    let program = &instance.program;
    let asks = |e| Reads::of(e, program).other;
    let by_property = judge.properties().into_iter().any(|property| {
        asks(&property.body)
            || property.then.as_ref().is_some_and(asks)
            || property.each.iter().any(|binder| asks(&binder.set))
            || property.bound.as_ref().is_some_and(|bound| asks(&bound.limit))
    });
    by_property || program.outputs.iter().any(|output| asks(&output.value))
}

/// Who can move in which situation, as far as somebody has asked.
#[derive(Debug)]
struct Movers {
    machine: Machine,
    /// By process.
    known: Vec<FxHashMap<Box<[u32]>, bool>>,
}

impl Movers {
    fn new(instance: &Instance) -> Movers {
        Movers { machine: Machine::new(instance), known: vec![FxHashMap::default(); instance.n() as usize] }
    }

    /// `configuration`: one in which the process is in that situation.
    fn can_move(
        &mut self,
        instance: &Instance,
        process: u32,
        situation: &[u32],
        configuration: &Configuration,
    ) -> bool {
        let Movers { machine, known } = self;
        let known = &mut known[process as usize];
        known.get(situation).copied().unwrap_or_else(|| {
            let can_move = machine.can_move(instance, configuration, process);
            known.insert(situation.into(), can_move);
            can_move
        })
    }

    /// About.
    fn bytes(&self) -> usize {
        let place = |key: &[u32]| size_of::<(Box<[u32]>, bool)>() + 1 + size_of_val(key);
        let each = |of: &FxHashMap<Box<[u32]>, bool>| {
            of.keys().next().map_or(0, |key| of.capacity() * 8 / 7 * place(key))
        };
        self.known.iter().map(each).sum()
    }
}

fn lock(movers: &Mutex<Movers>) -> std::sync::MutexGuard<'_, Movers> {
    movers.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The situations that a process has been met in.
#[derive(Debug, Default)]
pub struct Situations {
    numbers: FxHashMap<Box<[u32]>, u32>,
    /// One behind the other, all equally long.
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

    /// The local state of the process.
    pub fn local(&self, number: u32) -> u32 {
        self.get(number)[LOCAL]
    }

    pub fn bytes(&self) -> usize {
        let places = self.numbers.capacity() * 8 / 7 * (size_of::<(Box<[u32]>, u32)>() + 1);
        places + (self.all.len() + self.all.capacity()) * size_of::<u32>()
    }
}
