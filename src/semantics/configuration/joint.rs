//! Joint steps and faults in a configuration.

use super::Configuration;
use crate::ids::{ChannelId, ProcessId};
use crate::instance::Instance;
use crate::ir::Value;
use crate::semantics::abort::Eval;
use crate::semantics::environment::{Joint, NEVER, PreState};
use crate::semantics::event::{Cause, Event};
use fixedbitset::FixedBitSet;

impl Configuration {
    /// Return whether a joint step is in progress. The configuration is then an intermediate one, not a configuration of the
    /// system.
    #[inline]
    pub fn in_joint_step(&self) -> bool {
        self.environment.joint.as_ref().is_some_and(|joint| joint.progress.is_some())
    }

    /// Return, in a joint step, the first position whose process may still participate.
    pub fn joint_position(&self) -> Option<ProcessId> {
        Some(self.joint()?.progress.as_ref()?.next)
    }

    /// Return the number of rounds that have ended; None if the model has no rounds.
    pub fn rounds(&self) -> Option<u64> {
        self.environment.joint.as_ref().map(|joint| joint.round)
    }

    /// In rounds: return the round in which the waiting point of a process times out; None: never.
    pub fn timeout_round(&self, process: ProcessId) -> Option<u64> {
        self.joint().map(|joint| joint.due(process)).filter(|due| *due != NEVER)
    }

    /// Return the processes that owe a move in the current round, in models where processes read their neighbours. Used for
    /// counting rounds; not part of the meaning of a configuration.
    pub fn owing(&self) -> FixedBitSet {
        self.joint().map_or_else(FixedBitSet::new, |joint| joint.owes_move.clone())
    }

    /// Return whether the process is enabled, in models where processes read their neighbours.
    pub fn enabled(&self, process: ProcessId) -> bool {
        self.joint().is_some_and(|joint| joint.enabled.contains(process.index()))
    }

    /// Return the enabled processes in ascending order, in models where processes read their neighbours.
    pub fn all_enabled(&self) -> impl Iterator<Item = ProcessId> + '_ {
        self.joint()
            .into_iter()
            .flat_map(|joint| joint.enabled.ones())
            .map(|process| ProcessId(process as u32))
    }

    /// Return the answers of the oracles, in models of pairs.
    pub fn answers(&self) -> &[Eval<bool>] {
        self.joint().map_or(&[], |joint| &joint.answers)
    }

    /// Set the answers of the oracles.
    pub fn restore_answers(&mut self, answers: &[Eval<bool>]) {
        if let Some(joint) = self.joint_mut() {
            joint.answers.clear();
            joint.answers.extend_from_slice(answers);
        }
    }

    pub(in crate::semantics) fn joint(&self) -> Option<&Joint> {
        self.environment.joint.as_deref()
    }

    pub(in crate::semantics) fn joint_mut(&mut self) -> Option<&mut Joint> {
        self.environment.joint.as_deref_mut()
    }

    /// Return whether the messages of a channel may be lost because their sender is down.
    #[inline]
    pub fn may_lose(&self, instance: &Instance, channel: ChannelId) -> bool {
        instance.active_faults().is_some_and(|hazards| hazards.crash_loses)
            && self.crashed(instance.sender(channel))
    }

    /// Return whether the messages of a channel need not arrive, because their sender is down. In a system with time, each of them
    /// arrives or is lost before its latest arrival.
    #[inline]
    pub fn may_never_arrive(&self, instance: &Instance, channel: ChannelId) -> bool {
        self.may_lose(instance, channel) && !instance.is_timed()
    }

    /// Return whether an event is a fault.
    pub fn is_fault(&self, event: &Event) -> bool {
        match event.cause {
            Cause::Crash
            | Cause::Restart
            | Cause::Lose { .. }
            | Cause::Duplicate { .. }
            | Cause::Cut { .. }
            | Cause::Mislead => true,
            Cause::Suspect { of } => !self.crashed(of),
            _ => false,
        }
    }
}

impl PreState {
    pub fn of(configuration: &Configuration, n: u32) -> PreState {
        let processes = || (0..n).map(ProcessId);
        PreState {
            words: processes().flat_map(|p| configuration.words(p)).copied().collect(),
            values: processes().flat_map(|p| configuration.values(p)).cloned().collect(),
        }
    }

    /// Return the words and values of a process. Each process has the same number of them as in `configuration`.
    pub fn variables(&self, process: ProcessId, configuration: &Configuration) -> (&[i64], &[Value]) {
        let (words, values) = (configuration.words(process).len(), configuration.values(process).len());
        let at = process.index();
        (&self.words[at * words..][..words], &self.values[at * values..][..values])
    }
}
