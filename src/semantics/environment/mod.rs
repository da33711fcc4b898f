//! State of the environment in a configuration, in extended models: rounds, clocks, faults.

pub mod clock;
pub mod faults;

pub use clock::{Clock, Window};
pub use faults::Faults;

use super::abort::Eval;
use crate::ids::{MessageId, ProcessId};
use crate::instance::{ExecutionModel, Instance, Model, Script};
use crate::ir::Value;
use fixedbitset::FixedBitSet;
use std::hash::{Hash, Hasher};

/// One component for each model; None if the program does not assume the model, so that other programs have no overhead.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Environment {
    pub(super) joint: Option<Box<Joint>>,
    /// Time, delays, timers.
    pub clock: Option<Box<Clock>>,
    /// The remaining fault budget, failed links, and suspicions of detectors.
    pub faults: Option<Box<Faults>>,
    /// The lines of a scenario that have happened.
    pub script: Option<Box<ScriptPosition>>,
}

/// The position in the script of an instance. It is part of the configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ScriptPosition {
    /// The lines from this one up to `at`, excluded, happened in this configuration, without a step.
    pub from: u32,
    /// The next line.
    pub at: u32,
    /// The outcomes at those lines that expect one.
    pub outcomes: Vec<(u32, &'static str)>,
    /// The lines about a later step, a choice or a crash before a send, that have not taken effect.
    pub pending: Vec<u32>,
    /// The current instant, or the number of rounds that have ended, if a later line states a moment.
    pub moment: u64,
}

impl ScriptPosition {
    fn first(script: &Script) -> ScriptPosition {
        let (from, at) = (script.first, script.first);
        let pending = script.orders(0..at).collect();
        ScriptPosition { from, at, outcomes: Vec::new(), pending, moment: 0 }
    }
}

impl Environment {
    pub fn new(instance: &Instance) -> Environment {
        let model = &instance.model;
        let joint =
            (model.execution != ExecutionModel::Single).then(|| Box::new(Joint::new(instance, model)));
        Environment {
            joint,
            clock: instance.timing.as_ref().map(|timing| Box::new(Clock::new(timing, instance.n()))),
            faults: instance.active_faults().map(|hazards| Box::new(Faults::new(hazards))),
            script: instance.script.as_ref().map(|script| Box::new(ScriptPosition::first(script))),
        }
    }

    /// Whether several processes may step together.
    pub fn is_joint(&self) -> bool {
        self.joint.is_some()
    }

    /// Return the approximate number of heap bytes that the environment owns.
    pub fn bytes(&self) -> usize {
        self.joint.as_ref().map_or(0, |joint| size_of::<Joint>() + joint.bytes())
            + self.clock.as_ref().map_or(0, |clock| size_of::<Clock>() + clock.bytes())
            + self.faults.as_ref().map_or(0, |faults| size_of::<Faults>() + faults.bytes())
            + self.script.as_ref().map_or(0, |_| size_of::<ScriptPosition>())
    }
}

/// In place of a round: the waiting point has no timeout.
pub(super) const NEVER: u64 = u64::MAX;

/// State of models in which several processes step together.
///
/// A joint step consists of several events, one for each participating process, in the order of positions. Each event sees the
/// configuration before the joint step. Properties are not checked in intermediate configurations of a joint step.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    /// Number of rounds that have ended, including one that is ending. Where processes read their neighbours: asynchronous
    /// rounds.
    pub round: u64,
    pub progress: Option<JointProgress>,
    /// By process: the round of its timeout, or `NEVER`, and the alternative that the timeout takes. Empty if no waiting point
    /// has a timeout.
    pub timeouts: Vec<(u64, u32)>,
    /// By process: whether it cannot proceed until it receives a message. Cached by an earlier evaluation until the process's
    /// next step; not part of the meaning of the configuration.
    pub quiet: Vec<bool>,
    /// Radio: the action of each process in this slot.
    pub air: Vec<Air>,
    /// State reading: whether each process is enabled.
    pub enabled: FixedBitSet,
    /// State reading: the processes that were enabled when the round began and have neither moved nor been disabled since; and
    /// their number.
    pub owes_move: FixedBitSet,
    pub pending_moves: u32,
    /// The current answers of the oracles, a function of the variables.
    pub answers: Vec<Eval<bool>>,
}

/// The action of a process in a slot of a radio network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Air {
    pub does: OnAir,
    /// Whether the process transmitted in this slot before it crashed. The transmission is then in the air, whatever the process
    /// does now.
    pub sent_before_crash: bool,
}

/// Transmit, listen, or undecided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnAir {
    /// Undecided; counts as listening at the end of the slot.
    #[default]
    Undecided,
    Listens,
    Transmits,
}

/// A joint step in progress.
#[derive(Clone, Debug)]
pub(super) struct JointProgress {
    /// The process whose part comes next.
    pub next: ProcessId,
    /// Rounds: messages with this number or a later one belong to the next round.
    pub boundary: MessageId,
    /// Rounds: whether the messages in transit were sent in the ending round (and not in a much earlier one).
    pub fresh: bool,
    /// Radio: the action of each process in the ending slot.
    pub air: Vec<Air>,
    /// State reading: the variables of all processes before the joint step.
    pub before: Option<PreState>,
}

/// Message numbers do not count for equality, but the round to which a message belongs does.
impl PartialEq for JointProgress {
    fn eq(&self, other: &JointProgress) -> bool {
        let JointProgress { next, boundary: _, fresh, air, before } = self;
        (*next, *fresh) == (other.next, other.fresh) && *air == other.air && *before == other.before
    }
}

impl Eq for JointProgress {}

impl Hash for JointProgress {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let JointProgress { next, boundary: _, fresh, air, before } = self;
        (next, fresh, air, before).hash(state);
    }
}

impl JointProgress {
    /// Return whether a message was sent before the next round began. Numbers wrap around.
    pub fn was_before(&self, message: MessageId) -> bool {
        before(message, self.boundary)
    }

    fn bytes(&self) -> usize {
        let before = self.before.as_ref().map_or(0, |before| {
            before.words.capacity() * size_of::<i64>() + before.values.capacity() * size_of::<Value>()
        });
        self.air.capacity() * size_of::<Air>() + before
    }
}

/// Return whether a message number precedes another. Numbers wrap around.
pub(super) fn before(id: MessageId, boundary: MessageId) -> bool {
    (id.minus(boundary.0).0 as i32) < 0
}

/// The variables of all processes, one process after the other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct PreState {
    pub words: Vec<i64>,
    pub values: Vec<Value>,
}

impl Joint {
    fn new(instance: &Instance, model: &Model) -> Joint {
        let n = instance.n() as usize;
        let deadlines = model.deadlines.iter().flatten().any(|wait| !wait.is_empty());
        Joint {
            round: 0,
            progress: None,
            timeouts: vec![(NEVER, 0); if deadlines { n } else { 0 }],
            quiet: vec![false; if model.rounds() { n } else { 0 }],
            air: vec![Air::default(); if model.radio.is_some() { n } else { 0 }],
            enabled: FixedBitSet::with_capacity(if model.has_state_reading() { n } else { 0 }),
            owes_move: FixedBitSet::with_capacity(if model.has_state_reading() { n } else { 0 }),
            pending_moves: 0,
            answers: Vec::new(),
        }
    }

    fn bytes(&self) -> usize {
        let lists = self.timeouts.capacity() * size_of::<(u64, u32)>()
            + self.quiet.capacity()
            + (self.air.capacity() * size_of::<Air>())
            + size_of_val(self.enabled.as_slice())
            + size_of_val(self.owes_move.as_slice())
            + self.answers.capacity() * size_of::<Eval<bool>>();
        lists + self.progress.as_ref().map_or(0, JointProgress::bytes)
    }

    /// Return the number of rounds until each waiting point times out.
    pub(super) fn left(&self) -> impl Iterator<Item = Option<u64>> + '_ {
        self.timeouts.iter().map(|(due, _)| (*due != NEVER).then(|| due.saturating_sub(self.round)))
    }

    /// Return the round in which the waiting point of a process times out.
    pub fn due(&self, process: ProcessId) -> u64 {
        self.timeouts.get(process.index()).map_or(NEVER, |(due, _)| *due)
    }
}

/// The number of past rounds does not count for equality, nor do the processes that still owe a move in the round.
impl PartialEq for Joint {
    fn eq(&self, other: &Joint) -> bool {
        self.progress == other.progress && self.air == other.air && self.left().eq(other.left())
    }
}

impl Eq for Joint {}

impl Hash for Joint {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.progress.hash(state);
        self.air.hash(state);
        self.left().for_each(|left| left.hash(state));
    }
}
