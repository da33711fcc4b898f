//! State reading: processes that read their neighbours' variables, under a central, synchronous or distributed daemon. Processes
//! that move together read the state before the joint step.

use super::{Chooser, Configuration, Eval, JointStep, Machine};
use crate::ids::{MessageId, ProcessId};
use crate::instance::{ExecutionModel, Instance};
use crate::ir::Daemon;
use crate::network::NONE;
use crate::semantics::environment::{Joint, JointProgress, PreState};
use crate::semantics::eval::neighbourhood::Neighbour;
use crate::semantics::event::{Cause, Event};

impl Machine {
    /// Fill in the neighbourhood of a process, and clear what an earlier step has left in it.
    pub(super) fn load_neighbourhood(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
    ) {
        let JointStep { neighbourhood, considered, .. } = &mut self.joint;
        let Some(around) = neighbourhood.as_deref_mut() else { return };
        around.clear();
        if !instance.model.has_state_reading() {
            return;
        }
        if let Some(joint) = configuration.joint() {
            around.answers.clone_from(&joint.answers);
            if configuration.environment.faults.as_ref().is_some_and(|faults| faults.misleads(process)) {
                around.answers.iter_mut().flatten().for_each(|answer| *answer = !*answer);
            }
        }
        let before = configuration.joint().and_then(|j| j.progress.as_ref()).and_then(|u| u.before.as_ref());
        let variables = |process: ProcessId| {
            let (words, values) = match before {
                Some(before) => before.variables(process, configuration),
                None => (configuration.words(process), configuration.values(process)),
            };
            Neighbour { process, words, values }
        };
        let ports = instance.network.ports(process);
        if let Some(considered) = considered {
            for number in considered.iter() {
                let port = ports.get(*number as usize);
                if let Some(neighbour) = port.and_then(|port| other_end(instance, port.incoming, port.out)) {
                    around.neighbours.push_at(*number, variables(neighbour));
                }
            }
            return;
        }
        for port in ports {
            let neighbour = other_end(instance, port.incoming, port.out);
            around.neighbours.push(neighbour.map(variables));
        }
    }

    /// Return whether the process is enabled.
    pub fn is_enabled(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
    ) -> bool {
        let mut found = Vec::new();
        configuration.started(process) && {
            self.internal(instance, configuration, process, &mut found);
            found.iter().any(|(cause, _)| *cause != Cause::EndMislead)
        }
    }

    /// Return the enabled processes from the next position on, evaluated in the configuration before the joint step.
    pub fn enabled_processes(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
    ) -> Vec<ProcessId> {
        let from = configuration.joint().and_then(|j| j.progress.as_ref()).map_or(0, |u| u.next.0);
        (from..instance.n()).map(ProcessId).filter(|p| self.is_enabled(instance, configuration, *p)).collect()
    }

    /// Return the possible moves of a joint step.
    pub(in crate::semantics) fn enabled_moves(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        daemon: Daemon,
    ) -> Vec<Event> {
        let movers = self.enabled_processes(instance, configuration);
        let mut events = Vec::new();
        let mut found = Vec::new();
        if !configuration.in_joint_step() {
            events.append(&mut self.faults(instance, configuration));
        }
        for (i, process) in movers.iter().enumerate() {
            if daemon == Daemon::Synchronous && i > 0 {
                break;
            }
            let more = i + 1 < movers.len();
            self.internal(instance, configuration, *process, &mut found);
            for (_, alternative) in found.drain(..) {
                let event = |last| Event { alternative, ..Event::new(*process, Cause::Move { last }) };
                match daemon {
                    Daemon::Synchronous => events.push(event(!more)),
                    _ => {
                        events.push(event(true));
                        if more {
                            events.push(event(false));
                        }
                    }
                }
            }
        }
        events
    }

    /// Execute one move of a joint step. False: it is not possible.
    ///
    /// # Errors
    /// If a guard or the command aborts.
    pub fn move_together(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        last: bool,
        alternative: u32,
        chooser: &mut dyn Chooser,
    ) -> Eval<bool> {
        let ExecutionModel::Daemon(daemon) = instance.model.execution else { return Ok(false) };
        let next = configuration.joint().and_then(|j| j.progress.as_ref()).map_or(ProcessId(0), |u| u.next);
        if process < next || !self.is_enabled(instance, configuration, process) {
            return Ok(false);
        }
        let mut enabled = |from: u32, to: u32| {
            (from..to).map(ProcessId).any(|p| self.is_enabled(instance, configuration, p))
        };
        let mut more = || enabled(process.0 + 1, instance.n());
        let fits = match daemon {
            Daemon::Central => false,
            Daemon::Synchronous => last != more() && !enabled(next.0, process.0),
            Daemon::Distributed => last || more(),
        };
        if !fits {
            return Ok(false);
        }
        self.make_move(instance, configuration, process, last, alternative, chooser)
    }

    /// Execute one move of a joint step without checking that the daemon permits it: see [`Machine::move_together`]. `last`: the joint
    /// step ends with it. Return false if the alternative is not possible.
    ///
    /// # Errors
    /// If a guard or the command aborts.
    pub fn make_move(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        last: bool,
        alternative: u32,
        chooser: &mut dyn Chooser,
    ) -> Eval<bool> {
        let begins = !configuration.in_joint_step();
        let before = (begins && !last).then(|| PreState::of(configuration, instance.n()));
        if !self.fire_chosen(instance, configuration, process, &(Cause::Internal, alternative), chooser)? {
            return Ok(false);
        }
        let mut ended = None;
        if let Some(joint) = configuration.joint_mut() {
            match &mut joint.progress {
                _ if last => ended = joint.progress.take(),
                Some(under_way) => under_way.next = ProcessId(process.0 + 1),
                none => {
                    *none = Some(JointProgress {
                        next: ProcessId(process.0 + 1),
                        boundary: MessageId(0),
                        fresh: true,
                        air: Vec::new(),
                        before,
                    });
                }
            }
        }
        let changed = match ended.and_then(|ended| ended.before) {
            Some(before) => {
                let is_same = |p| {
                    before.variables(p, configuration) == (configuration.words(p), configuration.values(p))
                };
                instance.processes().filter(|p| !is_same(*p)).collect()
            }
            None => vec![process],
        };
        self.has_moved(instance, configuration, process, &changed);
        Ok(true)
    }

    /// Execute the move of one process in a joint step, independently of other moves. The configuration is the one before the
    /// joint step; only the process itself changes. False: the move is not possible.
    ///
    /// # Errors
    /// If a guard or the command aborts.
    pub fn move_apart(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        alternative: u32,
        chooser: &mut dyn Chooser,
    ) -> Eval<bool> {
        let possible = (Cause::Internal, alternative);
        let moved = self.fire_chosen(instance, configuration, process, &possible, chooser)?;
        self.metrics.moves += u64::from(moved);
        Ok(moved)
    }

    /// Count a move, and rounds: a round ends when every process that was enabled at its beginning has moved or been disabled.
    /// `changed`: the processes whose variables the step has changed, if it ends with this move.
    pub(super) fn has_moved(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        changed: &[ProcessId],
    ) {
        self.metrics.moves += 1;
        let together = configuration.in_joint_step();
        if let Some(joint) = configuration.joint_mut() {
            joint.owes_no_move(process);
        }
        self.joint.answers_changed = self.ask_oracles(instance, configuration);
        if !together {
            self.has_changed(instance, configuration, changed, false);
        }
    }

    /// Update the enabled processes, and the round, after a change of variables, a crash or a restart. `idle`: no process owed a
    /// move before, so that no round was in progress.
    fn has_changed(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        changed: &[ProcessId],
        idle: bool,
    ) {
        let mut affected: Vec<ProcessId> = match self.joint.answers_changed {
            true => instance.processes().collect(),
            false => {
                let own_and_readers =
                    |changed: &ProcessId| readers(instance, *changed).into_iter().chain([*changed]);
                changed.iter().flat_map(own_and_readers).collect()
            }
        };
        affected.sort_unstable();
        affected.dedup();
        for p in affected {
            let can_move = self.is_enabled_after(instance, configuration, p, changed);
            let Some(joint) = configuration.joint_mut() else { return };
            joint.enabled.set(p.index(), can_move);
            if !can_move {
                joint.owes_no_move(p);
            }
        }
        let Some(joint) = configuration.joint_mut() else { return };
        if joint.pending_moves == 0 {
            joint.round += u64::from(!idle);
            self.metrics.rounds = joint.round;
            joint.begin_round();
        }
    }

    /// Update after a crash or restart between two steps.
    pub(super) fn has_turned(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
    ) {
        let idle = configuration.joint().is_some_and(|joint| joint.pending_moves == 0);
        self.joint.answers_changed = self.ask_oracles(instance, configuration);
        self.has_changed(instance, configuration, &[process], idle);
    }

    /// Compute the enabled processes and begin the first round, after all have started or variables have been set from outside.
    pub fn begin_rounds(&mut self, instance: &Instance, configuration: &mut Configuration) {
        if !instance.model.has_state_reading() {
            return;
        }
        self.ask_oracles(instance, configuration);
        let is_enabled = |p: &ProcessId| self.is_enabled(instance, configuration, *p);
        let enabled: Vec<ProcessId> = instance.processes().filter(is_enabled).collect();
        if let Some(joint) = configuration.joint_mut() {
            joint.enabled.clear();
            joint.enabled.extend(enabled.into_iter().map(ProcessId::index));
            joint.begin_round();
        }
    }
}

impl Joint {
    /// Begin a round, in which every enabled process owes a move.
    fn begin_round(&mut self) {
        self.owes_move.clone_from(&self.enabled);
        self.pending_moves = self.owes_move.count_ones(..) as u32;
    }

    /// Record that a process has moved or been disabled.
    fn owes_no_move(&mut self, process: ProcessId) {
        if self.owes_move.contains(process.index()) {
            self.owes_move.remove(process.index());
            self.pending_moves -= 1;
        }
    }
}

/// Return the process at the other end of a port.
fn other_end(instance: &Instance, incoming: u32, out: u32) -> Option<ProcessId> {
    if incoming != NONE {
        return Some(instance.network.link(incoming).from);
    }
    (out != NONE).then(|| instance.network.link(out).to)
}

/// Return the processes that have this process as a neighbour: its moves may enable or disable them.
pub fn readers(instance: &Instance, process: ProcessId) -> Vec<ProcessId> {
    let ports = instance.network.ports(process).into_iter();
    let mut readers: Vec<ProcessId> = ports
        .flat_map(|port| {
            let from = (port.incoming != NONE).then(|| instance.network.link(port.incoming).from);
            let to = (port.out != NONE).then(|| instance.network.link(port.out).to);
            [from, to]
        })
        .flatten()
        .collect();
    readers.sort_unstable();
    readers.dedup();
    readers
}
