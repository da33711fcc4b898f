//! Pairwise interactions (population protocols): one command sets the variables of an initiator and a responder. Also the
//! oracles, which the environment answers.

use super::{Configuration, Eval, Machine};
use crate::ids::ProcessId;
use crate::instance::{ExecutionModel, Instance};
use crate::ir::{CRASHED, Expr, Input, Mirror, PC, Slot, Value};
use crate::network::NONE;
use crate::semantics::abort::Abort;
use crate::semantics::eval::{self, World, word};
use crate::semantics::history::History;
use smallvec::SmallVec;

/// A neighbour with which an interaction can be scheduled.
pub(super) struct Responder {
    pub process: ProcessId,
    pub port: u32,
    /// The run-time error of the guard for this neighbour. The interaction then aborts; those with other neighbours do not.
    pub abort: Option<Box<Abort>>,
}

impl Machine {
    /// Return the neighbours for which the guard holds or aborts, in the order of ports, up to a maximum number.
    pub(super) fn responders(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        responder: u16,
        mirrors: &[Mirror],
        guard: Option<&Expr>,
        most: usize,
    ) -> Vec<Responder> {
        let mut open = Vec::new();
        let ports = instance.network.ports(process);
        let considered: SmallVec<[u32; 2]> = match &self.joint.considered {
            None => (0..ports.len() as u32).collect(),
            Some(considered) => considered.clone(),
        };
        for number in considered {
            let Some(port) = ports.get(number as usize).filter(|port| port.out != NONE) else { continue };
            let met = port.peer;
            if met == process {
                continue;
            }
            let holds = match self.begin_interaction(instance, process, responder, mirrors, number) {
                Ok(None) => continue,
                Ok(Some(_)) => guard.map_or(Ok(1), |guard| word(guard, &mut self.env(instance, process))),
                Err(abort) => Err(abort),
            };
            match holds {
                Ok(0) => {}
                Ok(_) => open.push(Responder { process: met, port: number, abort: None }),
                Err(abort) => open.push(Responder { process: met, port: number, abort: Some(abort) }),
            }
            if open.len() == most {
                break;
            }
        }
        if let Some(first) = open.first() {
            self.joint.latest.resize(instance.n() as usize, 0);
            self.joint.latest[process.index()] = first.port;
        }
        open
    }

    /// Prepare the frame for an interaction with the process at a port, and return that process.
    pub(super) fn begin_interaction(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        responder: u16,
        mirrors: &[Mirror],
        port: u32,
    ) -> Eval<Option<ProcessId>> {
        self.frame.words[responder as usize] = port.into();
        let around = self.joint.neighbourhood.as_deref();
        let met = around.and_then(|around| around.neighbours.at(port as usize));
        // A crashed process takes no part in interactions.
        let Some(met) = met.filter(|met| met.words[PC as usize] != CRASHED) else { return Ok(None) };
        let role = instance.role_of(met.process);
        for mirror in mirrors {
            let shared = &instance.program.shared[mirror.shared as usize];
            match (mirror.slot, shared.slots[role]) {
                (Slot::Word(to), Some(Slot::Word(from))) => {
                    self.frame.words[to as usize] = met.words[from as usize];
                }
                (Slot::Value(to), Some(Slot::Value(from))) => {
                    self.frame.values[to as usize] = met.values[from as usize].clone();
                }
                _ => {
                    let (q, role) = (met.process, &instance.program.roles[role].name);
                    let span = instance.program.assumptions.span;
                    let message = format!(
                        "{process} interacts with {q}, whose role {role} has no variable {}",
                        shared.name
                    );
                    return Err(Abort::new(span, message));
                }
            }
        }
        Ok(Some(met.process))
    }

    /// End an interaction: write the responder's variables back.
    pub(super) fn leave_responder(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
    ) {
        let Some(met) = self.effects.responder else { return };
        let candidate = &instance.table(process).candidates[self.joint.interaction as usize];
        let Input::Interaction { mirrors, .. } = &candidate.alternative.input else { return };
        let role = instance.role_of(met);
        for mirror in mirrors {
            match (mirror.slot, instance.program.shared[mirror.shared as usize].slots[role]) {
                (Slot::Word(from), Some(Slot::Word(to))) => {
                    configuration.words_mut(met)[to as usize] = self.frame.words[from as usize];
                }
                (Slot::Value(from), Some(Slot::Value(to))) => {
                    let value = std::mem::replace(&mut self.frame.values[from as usize], Value::None);
                    configuration.values_mut(met)[to as usize] = value;
                }
                _ => {}
            }
        }
    }

    /// Return the name `p3.x` if the slot is a variable of the responder.
    pub(super) fn responders_name(
        &self,
        instance: &Instance,
        process: ProcessId,
        slot: Slot,
    ) -> Option<String> {
        let met = self.effects.responder?;
        let candidate = &instance.table(process).candidates[self.joint.interaction as usize];
        let Input::Interaction { mirrors, .. } = &candidate.alternative.input else { return None };
        let mirror = mirrors.iter().find(|mirror| mirror.slot == slot)?;
        Some(format!("{met}.{}", instance.program.shared[mirror.shared as usize].name))
    }

    /// Return whether a process is enabled after the variables of others have changed. Under pairwise interactions, a process that was
    /// disabled and has not changed can be enabled only by an interaction with one of `changed`: only these are evaluated. For any other process,
    /// the evaluation begins with the neighbour with which an interaction was found last, and continues with more and more others.
    pub(super) fn is_enabled_after(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
        changed: &[ProcessId],
    ) -> bool {
        if instance.model.execution != ExecutionModel::Pairs {
            return self.is_enabled(instance, configuration, process);
        }
        let is_unchanged = !self.joint.answers_changed
            && !configuration.enabled(process)
            && !changed.contains(&process)
            && instance.table(process).candidates.iter().all(|candidate| candidate.earlier.is_empty());
        if is_unchanged {
            let ports = changed.iter().flat_map(|met| instance.network.ports_to(process, *met));
            return self.is_enabled_at(instance, configuration, process, ports.collect());
        }
        let all = instance.network.ports(process).len() as u32;
        if all == 0 {
            return self.is_enabled(instance, configuration, process);
        }
        let first = self.joint.latest.get(process.index()).copied().unwrap_or(0);
        let (mut done, mut most) = (0, 1);
        while done < all {
            let ports = (done..all.min(done + most)).map(|port| (first + port) % all);
            if self.is_enabled_at(instance, configuration, process, ports.collect()) {
                return true;
            }
            done += most;
            most *= 4;
        }
        false
    }

    /// Return whether a process can begin an interaction with another one.
    pub(crate) fn may_interact(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
        met: ProcessId,
    ) -> bool {
        let ports = instance.network.ports_to(process, met).collect();
        self.is_enabled_at(instance, configuration, process, ports)
    }

    /// Return whether an interaction at one of these ports is possible.
    fn is_enabled_at(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        process: ProcessId,
        mut ports: SmallVec<[u32; 2]>,
    ) -> bool {
        ports.sort_unstable();
        ports.dedup();
        self.joint.considered = Some(ports);
        let is_enabled = self.is_enabled(instance, configuration, process);
        self.joint.considered = None;
        is_enabled
    }

    /// Return the processes whose variables the last step of this one may have changed.
    pub(crate) fn changed(&self, process: ProcessId) -> impl Iterator<Item = ProcessId> + use<> {
        [process].into_iter().chain(self.effects.responder)
    }

    /// Evaluate all oracles in the current configuration. Return whether an answer has changed.
    pub fn ask_oracles(&mut self, instance: &Instance, configuration: &mut Configuration) -> bool {
        let oracles = &instance.program.oracles;
        if oracles.is_empty() {
            return false;
        }
        let history = History::new(0);
        let world = World { configuration, metrics: &self.metrics, history: &history };
        let ask =
            |truth: &Expr| eval::with_global_frame(instance, Some(world), |env| eval::truth(truth, env));
        let answers: Vec<Eval<bool>> = oracles.iter().map(|oracle| ask(&oracle.truth)).collect();
        let Some(joint) = configuration.joint_mut() else { return false };
        let said = |answers: &[Eval<bool>]| -> Vec<Option<bool>> {
            answers.iter().map(|answer| answer.as_ref().ok().copied()).collect()
        };
        let changed = said(&joint.answers) != said(&answers);
        joint.answers = answers;
        changed
    }
}
