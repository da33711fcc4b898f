//! Runs of models in which several processes step together: rounds, and daemons.

use super::simulation::{NOTE, PROCESS, Simulation};
use super::{Observer, Outcome, Progress, Scheduler, Token, classify};
use crate::ids::ProcessId;
use crate::instance::{ExecutionModel, Instance};
use crate::ir::Daemon;
use crate::semantics::Eval;
use crate::semantics::event::{Cause, Event};
use crate::semantics::machine::readers;

/// Token of the end of the round, among those of processes that may wake up.
const ROUND: Token = PROCESS | ((1 << 30) - 1);

/// Maximum number of quiet rounds from which one number is drawn.
const MOST_QUIET: usize = 1 << 31;

impl<S: Scheduler> Simulation<S> {
    /// Run until this many rounds have ended, but no further. Skipped rounds count as ended.
    pub fn run_rounds<O: Observer>(
        &mut self,
        instance: &Instance,
        rounds: u64,
        max_steps: u64,
        observer: &mut O,
    ) -> Outcome {
        self.machine.recording = O::ACTIVE;
        loop {
            if !self.configuration.in_joint_step() && self.rounds_over(instance, rounds) {
                let ended = self.configuration.rounds().unwrap_or(0);
                self.pass_rounds(instance, rounds.saturating_sub(ended));
                return Outcome::Stopped;
            }
            if self.steps >= max_steps {
                return Outcome::Limit;
            }
            match self.advance(instance, observer) {
                Ok(Progress::Stepped) => {}
                Ok(Progress::Quiet) => return classify(instance, &self.configuration, &self.held),
                Ok(Progress::Stopped) => return Outcome::Stopped,
                Err(abort) => return Outcome::Aborted(abort),
            }
        }
    }

    /// Let quiet rounds end before a wake-up or restart, if the scheduler chooses at random.
    pub(super) fn wait_for_rounds(&mut self, instance: &Instance, cause: &Cause) {
        if !instance.model.rounds() || !matches!(cause, Cause::Wakeup | Cause::Restart) {
            return;
        }
        let quiet = self.machine.quiet_rounds(instance, &self.configuration);
        if quiet > 0 {
            let choices = usize::try_from(quiet).unwrap_or(usize::MAX - 1) + 1;
            let rounds = self.scheduler.choose(choices.min(MOST_QUIET)) as u64;
            self.pass_rounds(instance, rounds);
        }
    }

    /// End quiet rounds.
    fn pass_rounds(&mut self, instance: &Instance, rounds: u64) {
        if rounds > 0 && instance.model.rounds() {
            self.configuration.pass_rounds(rounds);
            self.machine.metrics.rounds = self.configuration.rounds().unwrap_or(0);
            self.quiet_rounds += rounds;
        }
    }

    /// Return whether this many rounds have ended, and no process wakes up before the next one ends.
    fn rounds_over(&mut self, instance: &Instance, rounds: u64) -> bool {
        if self.configuration.next_to_start().is_some() {
            return false;
        }
        let ended = self.configuration.rounds().unwrap_or(0);
        if !instance.model.rounds() {
            return ended >= rounds;
        }
        match self.machine.next_part(instance, &self.configuration) {
            Some((round, _)) => round > rounds,
            None => false,
        }
    }

    /// Execute the next event of a joint step, or the first of a new one.
    pub(super) fn next_joint<O: Observer>(
        &mut self,
        instance: &Instance,
        observer: &mut O,
    ) -> Eval<Progress> {
        if self.special.is_some()
            && let Some(fault) = self.scheduler.next_fault()
        {
            // While a joint step is in progress, no fault occurs.
            let struck = match self.configuration.in_joint_step() {
                true => None,
                false => self.inject_fault(instance, fault, observer)?,
            };
            match struck {
                Some(progress) => return Ok(progress),
                None => self.scheduler.postpone_fault(fault),
            }
        }
        let progress = match instance.model.execution {
            ExecutionModel::Daemon(daemon) => self.next_move(instance, daemon, observer)?,
            _ => self.next_round(instance, observer)?,
        };
        if progress == Progress::Quiet && self.special.is_some() {
            // Faults may still occur in a quiescent system.
            while let Some(fault) = self.scheduler.fault_when_quiescent() {
                if let Some(progress) = self.inject_fault(instance, fault, observer)? {
                    return Ok(progress);
                }
            }
        }
        Ok(progress)
    }

    fn next_round<O: Observer>(&mut self, instance: &Instance, observer: &mut O) -> Eval<Progress> {
        if self.configuration.in_joint_step() {
            return self.take_part(instance, observer);
        }
        if !self.round_listed {
            self.round_listed = true;
            self.scheduler.push(ROUND, ProcessId(0));
        }
        // The end of a round that cannot end is not listed again until some process has woken up, or until the next call.
        loop {
            let Some(token) = self.scheduler.pop() else {
                return Ok(Progress::Quiet);
            };
            if token == ROUND {
                self.round_listed = false;
                let progress = self.take_part(instance, observer)?;
                if progress != Progress::Quiet {
                    return Ok(progress);
                }
                continue;
            }
            let progress = match token {
                // Rounds deliver messages.
                ..PROCESS => None,
                PROCESS..NOTE => self.serve_process(instance, ProcessId(token & !PROCESS), observer)?,
                NOTE.. => self.serve_note(instance, ProcessId(token & !NOTE), observer)?,
            };
            if let Some(progress) = progress {
                return Ok(progress);
            }
        }
    }

    fn take_part<O: Observer>(&mut self, instance: &Instance, observer: &mut O) -> Eval<Progress> {
        let Simulation { machine, configuration, scheduler, .. } = self;
        let Some((round, process)) = machine.next_part(instance, configuration) else {
            return Ok(Progress::Quiet);
        };
        match machine.execute_part(instance, configuration, round, process, None, scheduler)? {
            Some(alternative) => {
                let choices = std::mem::take(&mut self.machine.choices);
                // The event of a round contains the number of its round.
                self.quiet_rounds = 0;
                let event = Event { alternative, choices, ..Event::new(process, Cause::Round { round }) };
                Ok(self.seen(instance, event, observer))
            }
            None => Ok(Progress::Quiet),
        }
    }

    fn next_move<O: Observer>(
        &mut self,
        instance: &Instance,
        daemon: Daemon,
        observer: &mut O,
    ) -> Eval<Progress> {
        if !self.configuration.in_joint_step() {
            self.pending_movers = self.chosen(daemon);
        } else if self.pending_movers.front().is_none_or(|p| self.configuration.joint_position() > Some(*p)) {
            // Resumed while a joint step is in progress: all processes that can still join do.
            self.pending_movers = self.machine.enabled_processes(instance, &self.configuration).into();
        }
        let Some(process) = self.pending_movers.pop_front() else {
            return Ok(Progress::Quiet);
        };
        let last = self.pending_movers.is_empty();
        let mut possible = Vec::new();
        self.machine.internal(instance, &self.configuration, process, &mut possible);
        let alternative = match possible.len() {
            0 => return Ok(Progress::Quiet),
            1 => possible[0].1,
            options => possible[self.scheduler.choose(options)].1,
        };
        let Simulation { machine, configuration, scheduler, .. } = self;
        if !machine.make_move(instance, configuration, process, last, alternative, scheduler)? {
            return Ok(Progress::Quiet);
        }
        let choices = std::mem::take(&mut self.machine.choices);
        let event = Event { alternative, choices, ..Event::new(process, Cause::Move { last }) };
        Ok(self.seen(instance, event, observer))
    }

    /// Return the processes that move in the next joint step.
    fn chosen(&mut self, daemon: Daemon) -> std::collections::VecDeque<ProcessId> {
        let movers: Vec<ProcessId> = self.configuration.all_enabled().collect();
        if daemon == Daemon::Synchronous || movers.is_empty() {
            return movers.into();
        }
        let mut chosen: Vec<ProcessId> = Vec::new();
        for process in &movers {
            if self.scheduler.choose(2) == 1 {
                chosen.push(*process);
            }
        }
        if chosen.is_empty() {
            // With a deterministic scheduler, processes move in turn.
            let from = movers.iter().position(|p| *p >= self.turn).unwrap_or(0);
            let place = (from + self.scheduler.choose(movers.len())) % movers.len();
            chosen.push(movers[place]);
            self.turn = ProcessId(movers[place].0 + 1);
        }
        chosen.into()
    }

    fn seen<O: Observer>(&mut self, instance: &Instance, event: Event, observer: &mut O) -> Progress {
        self.steps += 1;
        if O::ACTIVE {
            let Simulation { machine, configuration, .. } = self;
            if !observer.after(instance, &event, &machine.effects, configuration, &machine.metrics) {
                return Progress::Stopped;
            }
        }
        Progress::Stepped
    }

    /// List the readers of a process that has moved, which may be enabled now.
    pub(super) fn reconsider_readers(&mut self, instance: &Instance, process: ProcessId, started: bool) {
        let affected: Vec<ProcessId> = match self.machine.answers_changed() {
            true => instance.processes().collect(),
            false => self
                .machine
                .changed(process)
                .flat_map(|changed| readers(instance, changed).into_iter().chain([changed]))
                .collect(),
        };
        // A process that has started before and is not listed can interact with none of the others that have.
        let is_meeting = started
            && instance.model.execution == ExecutionModel::Pairs
            && self.special.is_none()
            && !self.machine.answers_changed();
        for reader in affected {
            if is_meeting
                && !self.listed[reader.index()]
                && self.configuration.started(reader)
                && !self.machine.may_interact(instance, &self.configuration, reader, process)
            {
                continue;
            }
            // After an interaction, the configuration records which processes are enabled. Without faults and time, no other process has
            // an internal step.
            let may_step = started
                || self.special.is_some()
                || self.machine.effects.responder.is_none()
                || self.configuration.enabled(reader);
            if reader != process && may_step && self.configuration.started(reader) {
                self.reconsider(instance, reader, started);
            }
        }
    }
}
