//! What a configuration holds besides processes and channels, in models that have more: rounds, clocks, faults.

pub mod clock;
pub mod faults;

pub use clock::{Clock, Window};
pub use faults::Faults;

use super::abort::Eval;
use crate::instance::{ExecutionModel, Instance, Model};
use crate::ir::Value;
use std::hash::{Hash, Hasher};

/// One part for each model; None where the program does not assume it, so that others pay nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Environment {
    pub(super) joint: Option<Box<Joint>>,
    /// Time, delays, timers.
    pub clock: Option<Box<Clock>>,
    /// What may still go wrong, and what the detectors have said.
    pub faults: Option<Box<Faults>>,
}

impl Environment {
    pub fn new(instance: &Instance) -> Environment {
        let model = &instance.model;
        let joint = (model.pace != ExecutionModel::Single).then(|| Box::new(Joint::new(instance, model)));
        Environment {
            joint,
            clock: instance.timing.as_ref().map(|timing| Box::new(Clock::new(timing, instance.n()))),
            faults: instance.hazards().map(|hazards| Box::new(Faults::new(hazards))),
        }
    }

    /// Bytes it holds outside of itself, about.
    pub fn bytes(&self) -> usize {
        self.joint.as_ref().map_or(0, |joint| size_of::<Joint>() + joint.bytes())
            + self.clock.as_ref().map_or(0, |clock| size_of::<Clock>() + clock.bytes())
            + self.faults.as_ref().map_or(0, |faults| size_of::<Faults>() + faults.bytes())
    }
}

/// In place of a round: a waiting point that does not end by itself.
pub(super) const NEVER: u64 = u64::MAX;

/// Models in which several processes step together.
///
/// A joint step is several events, one for each process that takes part, in the order of positions. Each sees the
/// configuration before the joint step. While it is under way the configuration is not one that anybody judges.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    /// Rounds that have ended, the one that is ending included. Where processes read their neighbours: rounds in the asynchronous sense.
    pub round: u64,
    pub under_way: Option<UnderWay>,
    /// By process: the round in which its waiting point ends by itself, or `NEVER`, and the alternative that it ends
    /// with. Empty where no waiting point does.
    pub due: Vec<(u64, u32)>,
    /// By process: it cannot go on while it hears nothing. Known by having looked, until its next step; no part of
    /// what the configuration means.
    pub quiet: Vec<bool>,
    /// Radio: what each process has to do with this slot.
    pub air: Vec<Air>,
    /// State reading: who can move now.
    pub enabled: Vec<bool>,
    /// State reading: the processes that were enabled when the round began, and have neither moved nor been
    /// disabled since; and how many.
    pub owing: Vec<bool>,
    pub owed: u32,
    /// What the oracles answer now; follows from the variables.
    pub answers: Vec<Eval<bool>>,
}

/// What a process has to do with a slot of a radio network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Air {
    pub does: OnAir,
    /// Has it transmitted in this slot before it crashed? Then that is on the air, whatever it does now.
    pub outlived: bool,
}

/// What a process does in a slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum OnAir {
    /// Nothing yet: at the end of the slot that was listening.
    #[default]
    Undecided,
    Listens,
    Transmits,
}

/// A joint step that has begun.
#[derive(Clone, Debug)]
pub(super) struct UnderWay {
    /// The process whose part comes next.
    pub next: u32,
    /// Rounds: messages with this number or a later one belong to the next round.
    pub boundary: u32,
    /// Rounds: has what is under way been sent in the round that ends (and not in one long past)?
    pub fresh: bool,
    /// Radio: what everybody did in the slot that ends.
    pub air: Vec<Air>,
    /// State reading: what everybody held before.
    pub before: Option<Before>,
}

/// Numbers of messages are counted alongside: to which round a message belongs is part of the configuration it is in.
impl PartialEq for UnderWay {
    fn eq(&self, other: &UnderWay) -> bool {
        let UnderWay { next, boundary: _, fresh, air, before } = self;
        (*next, *fresh) == (other.next, other.fresh) && *air == other.air && *before == other.before
    }
}

impl Eq for UnderWay {}

impl Hash for UnderWay {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let UnderWay { next, boundary: _, fresh, air, before } = self;
        (next, fresh, air, before).hash(state);
    }
}

impl UnderWay {
    /// Was a message sent before the next round began? Numbers wrap.
    pub fn was_before(&self, message: u32) -> bool {
        before(message, self.boundary)
    }

    fn bytes(&self) -> usize {
        let of_words = |words: &Vec<i64>| size_of_val(words) + words.capacity() * size_of::<i64>();
        let of_values = |values: &Vec<Value>| size_of_val(values) + values.capacity() * size_of::<Value>();
        let before = self.before.as_ref().map_or(0, |before| {
            before.words.iter().map(of_words).sum::<usize>()
                + before.values.iter().map(of_values).sum::<usize>()
        });
        self.air.capacity() * size_of::<Air>() + before
    }
}

/// Was a message numbered before another? Numbers wrap.
pub(super) fn before(id: u32, boundary: u32) -> bool {
    (id.wrapping_sub(boundary) as i32) < 0
}

/// The variables of all processes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Before {
    pub words: Vec<Vec<i64>>,
    pub values: Vec<Vec<Value>>,
}

impl Joint {
    fn new(instance: &Instance, model: &Model) -> Joint {
        let n = instance.n() as usize;
        let deadlines = model.deadlines.iter().flatten().any(|wait| !wait.is_empty());
        Joint {
            round: 0,
            under_way: None,
            due: vec![(NEVER, 0); if deadlines { n } else { 0 }],
            quiet: vec![false; if model.rounds() { n } else { 0 }],
            air: vec![Air::default(); if model.radio.is_some() { n } else { 0 }],
            enabled: vec![false; if model.reads() { n } else { 0 }],
            owing: vec![false; if model.reads() { n } else { 0 }],
            owed: 0,
            answers: Vec::new(),
        }
    }

    fn bytes(&self) -> usize {
        let lists = self.due.capacity() * size_of::<(u64, u32)>()
            + self.quiet.capacity()
            + (self.air.capacity() * size_of::<Air>())
            + self.enabled.capacity()
            + self.owing.capacity()
            + self.answers.capacity() * size_of::<Eval<bool>>();
        lists + self.under_way.as_ref().map_or(0, UnderWay::bytes)
    }

    /// How many rounds from now the waiting points end by themselves.
    fn left(&self) -> impl Iterator<Item = Option<u64>> + '_ {
        self.due.iter().map(|(due, _)| (*due != NEVER).then(|| due.saturating_sub(self.round)))
    }

    /// The round in which the waiting point of a process ends by itself.
    pub fn due(&self, process: u32) -> u64 {
        self.due.get(process as usize).map_or(NEVER, |(due, _)| *due)
    }
}

/// Configurations are equal when they mean the same: how many rounds have passed is counted alongside, as messages
/// are, and so is who owes a move in the round.
impl PartialEq for Joint {
    fn eq(&self, other: &Joint) -> bool {
        self.under_way == other.under_way && self.air == other.air && self.left().eq(other.left())
    }
}

impl Eq for Joint {}

impl Hash for Joint {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.under_way.hash(state);
        self.air.hash(state);
        self.left().for_each(|left| left.hash(state));
    }
}
