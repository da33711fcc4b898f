//! Pairwise interactions (population protocols): a process, the initiator, meets another one, the responder, and one
//! command sets the variables of both. And oracles, which the environment answers.

use super::{Configuration, Eval, Machine};
use crate::instance::Instance;
use crate::ir::{CRASHED, Expr, Input, Mirror, PC, Slot, Value};
use crate::network::NONE;
use crate::semantics::abort::Abort;
use crate::semantics::eval::{self, World, word};
use crate::semantics::history::History;

impl Machine {
    /// The ports with a process that this one may meet so that the guard holds, in order; not more than so many.
    pub(super) fn responders(
        &mut self,
        instance: &Instance,
        process: u32,
        responder: u16,
        mirrors: &[Mirror],
        guard: Option<&Expr>,
        most: usize,
    ) -> Eval<Vec<u32>> {
        let mut open = Vec::new();
        for (number, port) in (0u32..).zip(instance.network.ports(process)) {
            if port.out == NONE || instance.network.link(port.out).to == process {
                continue;
            }
            if self.meet(instance, process, responder, mirrors, number)?.is_none() {
                continue;
            }
            if guard.map_or(Ok(1), |guard| word(guard, &mut self.env(instance, process)))? != 0 {
                open.push(number);
                if open.len() == most {
                    break;
                }
            }
        }
        Ok(open)
    }

    /// Readies the frame for an interaction with the process at a port, and tells which process it is.
    pub(super) fn meet(
        &mut self,
        instance: &Instance,
        process: u32,
        responder: u16,
        mirrors: &[Mirror],
        port: u32,
    ) -> Eval<Option<u32>> {
        self.words[responder as usize] = port.into();
        let around = self.around.as_deref();
        let met = around.and_then(|around| around.neighbours.get(port as usize)?.as_ref());
        // Who is down meets nobody.
        let Some(met) = met.filter(|met| met.words[PC as usize] != CRASHED) else { return Ok(None) };
        let role = instance.role_of(met.process);
        for mirror in mirrors {
            let shared = &instance.program.shared[mirror.shared as usize];
            match (mirror.slot, shared.slots[role]) {
                (Slot::Word(to), Some(Slot::Word(from))) => {
                    self.words[to as usize] = met.words[from as usize];
                }
                (Slot::Value(to), Some(Slot::Value(from))) => {
                    self.values[to as usize] = met.values[from as usize].clone();
                }
                _ => {
                    let (q, role) = (met.process, &instance.program.roles[role].name);
                    let span = instance.program.assumptions.span;
                    let message = format!(
                        "p{process} meets p{q}, which is a {role} and has no variable {}",
                        shared.name
                    );
                    return Err(Abort::new(span, message));
                }
            }
        }
        Ok(Some(met.process))
    }

    /// The end of an interaction: the responder takes what the command has made of its variables.
    pub(super) fn leave_responder(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: u32,
    ) {
        let Some(met) = self.effects.responder else { return };
        let candidate = &instance.table(process).candidates[self.interaction as usize];
        let Input::Interaction { mirrors, .. } = &candidate.alternative.input else { return };
        let role = instance.role_of(met);
        for mirror in mirrors {
            match (mirror.slot, instance.program.shared[mirror.shared as usize].slots[role]) {
                (Slot::Word(from), Some(Slot::Word(to))) => {
                    configuration.words_mut(met)[to as usize] = self.words[from as usize];
                }
                (Slot::Value(from), Some(Slot::Value(to))) => {
                    let value = std::mem::replace(&mut self.values[from as usize], Value::None);
                    configuration.values_mut(met)[to as usize] = value;
                }
                _ => {}
            }
        }
    }

    /// `p3.x`, where the slot stands for a variable of the responder.
    pub(super) fn responders_name(&self, instance: &Instance, process: u32, slot: Slot) -> Option<String> {
        let met = self.effects.responder?;
        let candidate = &instance.table(process).candidates[self.interaction as usize];
        let Input::Interaction { mirrors, .. } = &candidate.alternative.input else { return None };
        let mirror = mirrors.iter().find(|mirror| mirror.slot == slot)?;
        Some(format!("p{met}.{}", instance.program.shared[mirror.shared as usize].name))
    }

    /// The processes whose variables the last step of this one may have changed.
    pub(crate) fn changed(&self, process: u32) -> impl Iterator<Item = u32> + use<> {
        [process].into_iter().chain(self.effects.responder)
    }

    /// Asks all oracles anew, as the configuration is now. True: one of them says something else than before.
    pub(super) fn ask_oracles(&mut self, instance: &Instance, configuration: &mut Configuration) -> bool {
        let oracles = &instance.program.oracles;
        if oracles.is_empty() {
            return false;
        }
        let history = History::new(0);
        let world = World { configuration, metrics: &self.metrics, history: &history };
        let ask = |truth: &Expr| eval::globally(instance, Some(world), |env| eval::truth(truth, env));
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
