//! The data that the steps of all processes depend on, and that all processes determine: the time that may pass before a step, and the
//! answers of oracles.

use crate::explore::space::footprint::Footprint;
use crate::explore::store::components::Components;
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::semantics::machine::TimeLimits;
use crate::semantics::{Configuration, Eval, Machine};
use rustc_hash::FxHashMap;

#[derive(Debug, Default)]
pub struct CommonData {
    /// With time: the limits that a process sets, by process, local state, inbox and world.
    limits_set: FxHashMap<[u32; 4], TimeLimits>,
    /// With time: the limits in the current configuration.
    limits: Option<TimeLimits>,
    /// The distinct answers of the oracles so far.
    answers: Vec<Box<[Eval<bool>]>>,
    /// The index of the answers in the current configuration.
    answer: usize,
}

impl CommonData {
    /// Find the data in the configuration with this vector. The machine and the configuration serve as scratch space.
    pub fn begin(
        &mut self,
        (instance, parts, footprint): (&Instance, &Components, &Footprint),
        (machine, scratch): (&mut Machine, &mut Configuration),
        key: &[u32],
    ) {
        if footprint.asks_oracles {
            for process in parts.processes() {
                parts.restore_local(scratch, process, key[process.index()]);
            }
            machine.ask_oracles(instance, scratch);
            self.answer = self.number(scratch.answers());
        }
        if footprint.is_timed {
            let limits = parts.processes().map(|process| {
                let n = parts.n();
                let (local, inbox, world) = (key[process.index()], key[n + process.index()], key[2 * n]);
                *self.limits_set.entry([process.0, local, inbox, world]).or_insert_with(|| {
                    footprint.restore(parts, process, &[local, world], scratch);
                    parts.restore_inbox(scratch, process, inbox);
                    machine.state_time(None);
                    let own = machine.limits_by(instance, scratch, process);
                    scratch.clear_messages();
                    own
                })
            });
            self.limits = Some(limits.fold(TimeLimits::default(), TimeLimits::and));
        }
    }

    fn number(&mut self, answers: &[Eval<bool>]) -> usize {
        let known = self.answers.iter().position(|known| **known == *answers);
        known.unwrap_or_else(|| {
            self.answers.push(answers.into());
            self.answers.len() - 1
        })
    }

    /// Compute the situation of a process in the current configuration: see [`Footprint::situation`].
    pub fn situation(
        &self,
        footprint: &Footprint,
        process: ProcessId,
        key: &[u32],
        situation: &mut Vec<u32>,
    ) {
        footprint.situation(process, key, situation);
        self.limits.iter().for_each(|limits| Footprint::add_time(situation, *limits));
    }

    /// In pairs: compute the situation of an initiator with one responder.
    pub fn situation_with(
        &self,
        footprint: &Footprint,
        pair: (ProcessId, ProcessId),
        key: &[u32],
        situation: &mut Vec<u32>,
    ) {
        footprint.situation_with(pair, self.answer as u32, key, situation);
    }

    /// If steps depend on the answers of oracles, set those of a situation.
    pub fn restore_answers(&self, footprint: &Footprint, situation: &[u32], into: &mut Configuration) {
        if footprint.asks_oracles {
            into.restore_answers(&self.answers[footprint.answers_in(situation)]);
        }
    }

    pub fn bytes(&self) -> usize {
        self.limits_set.capacity() * size_of::<([u32; 4], TimeLimits)>()
    }

    /// Clear the cached limits, which can be recomputed. Situations refer to the answers.
    pub fn clear(&mut self) {
        self.limits_set = FxHashMap::default();
    }
}
