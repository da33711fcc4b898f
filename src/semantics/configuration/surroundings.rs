//! The rest of a configuration: everything except local states, messages, and the ages of both.

use super::{Configuration, Note};
use crate::semantics::abort::Eval;
use crate::semantics::environment::{Environment, Joint, NEVER};
use fixedbitset::FixedBitSet;
use std::hash::{Hash, Hasher};

/// The surroundings of all processes and messages: joint step, faults, position in a script, notes. What follows from the variables, such
/// as the answers of oracles, is contained, and distinguishes surroundings. Moments count from the current one.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// Without the clock, whose timers and messages belong to processes.
    environment: Environment,
    notes: Vec<Note>,
}

/// The parts of a joint step that its meaning omits because the whole configuration determines them. Surroundings are compared without
/// the configuration, so these parts distinguish them.
#[derive(PartialEq)]
struct Derived<'s> {
    enabled: &'s FixedBitSet,
    owes_move: &'s FixedBitSet,
    /// The alternatives that timeouts take, among others.
    timeouts: &'s [(u64, u32)],
    answers: &'s [Eval<bool>],
}

impl Configuration {
    /// Return the surroundings. `owing`: whether they contain the processes that owe a move in the current round. If they do not, every
    /// enabled process owes one.
    pub fn surroundings(&self, owing: bool) -> Surroundings {
        let Environment { joint, clock: _, faults, script } = &self.environment;
        Surroundings {
            environment: Environment {
                joint: joint.as_ref().map(|joint| Box::new(joint.since_now(owing))),
                clock: None,
                faults: faults.clone(),
                script: script.clone(),
            },
            notes: self.notes.clone(),
        }
    }

    /// Restore earlier surroundings. The moment becomes that of the script, or 0.
    pub fn restore_surroundings(&mut self, from: &Surroundings) {
        let Environment { joint, clock: _, faults, script } = &from.environment;
        self.environment.joint.clone_from(joint);
        self.environment.faults.clone_from(faults);
        self.environment.script.clone_from(script);
        self.notes.clone_from(&from.notes);
        let moment = from.moment();
        self.set_now(moment);
        if let Some(joint) = self.joint_mut().filter(|_| moment > 0) {
            joint.begin_at(moment);
        }
    }
}

impl Surroundings {
    /// Return whether a joint step is in progress.
    pub fn in_joint_step(&self) -> bool {
        self.environment.joint.as_ref().is_some_and(|joint| joint.progress.is_some())
    }

    /// Return the number of rounds that have ended in a configuration restored from here; None if the model has no rounds.
    pub fn rounds(&self) -> Option<u64> {
        self.environment.joint.as_ref().map(|_| self.moment())
    }

    /// Return the current instant, or the number of rounds that have ended, if a line of the script states a later one; otherwise 0.
    fn moment(&self) -> u64 {
        self.environment.script.as_ref().map_or(0, |script| script.moment)
    }

    fn derived(&self) -> Option<Derived<'_>> {
        let Joint { enabled, owes_move, timeouts, answers, .. } = &**self.environment.joint.as_ref()?;
        Some(Derived { enabled, owes_move, timeouts, answers })
    }

    /// Return the approximate number of heap bytes.
    pub fn bytes(&self) -> usize {
        self.environment.bytes() + size_of_val(self.notes.as_slice())
    }
}

impl PartialEq for Surroundings {
    fn eq(&self, other: &Surroundings) -> bool {
        self.environment == other.environment
            && self.notes == other.notes
            && self.derived() == other.derived()
    }
}

impl Eq for Surroundings {}

impl Hash for Surroundings {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.environment.hash(state);
        self.notes.hash(state);
        if let Some(Derived { enabled, owes_move, timeouts, answers }) = self.derived() {
            (enabled, owes_move, timeouts).hash(state);
            answers.iter().for_each(|answer| answer.as_ref().ok().hash(state));
        }
    }
}

impl Joint {
    /// Return the state as if no round had ended. Nothing is known about which processes cannot proceed.
    fn since_now(&self, owing: bool) -> Joint {
        let timeouts =
            self.timeouts.iter().zip(self.left()).map(|((_, alternative), left)| (left, *alternative));
        let owes_move = if owing { self.owes_move.clone() } else { self.enabled.clone() };
        Joint {
            round: 0,
            progress: self.progress.clone(),
            timeouts: timeouts
                .map(|(left, alternative)| left.map_or((NEVER, 0), |left| (left, alternative)))
                .collect(),
            quiet: vec![false; self.quiet.len()],
            air: self.air.clone(),
            enabled: self.enabled.clone(),
            pending_moves: owes_move.count_ones(..) as u32,
            owes_move,
            answers: self.answers.clone(),
        }
    }

    /// Let this number of rounds have ended, in a state as if none had.
    fn begin_at(&mut self, round: u64) {
        self.round = round;
        for (due, _) in self.timeouts.iter_mut().filter(|(due, _)| *due != NEVER) {
            *due = due.saturating_add(round);
        }
    }
}
