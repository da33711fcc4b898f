//! The frame: variables, temporaries and registers of the process that steps.

use super::Configuration;
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::{Slot, Value};
use crate::semantics::abort::Abort;
use crate::semantics::pool::copy_words;

#[derive(Debug)]
pub(super) struct Frame {
    /// Variables of the process, temporaries, then the registers of its role's micro-code.
    pub words: Vec<i64>,
    pub values: Vec<Value>,
    /// Words of the other roles; those of `role` are swapped out.
    others: Vec<Vec<i64>>,
    role: usize,
}

impl Frame {
    pub fn new(instance: &Instance) -> Frame {
        let registers = instance.tables.iter().map(|table| table.micro.registers.clone());
        let mut others: Vec<Vec<i64>> = registers.collect();
        Frame {
            words: others.first_mut().map(std::mem::take).unwrap_or_default(),
            values: vec![Value::None; instance.layout.frame_values],
            others,
            role: 0,
        }
    }

    /// Switch to the words of the process's role.
    #[inline]
    pub fn enter(&mut self, instance: &Instance, process: ProcessId) {
        if self.others.len() > 1 {
            let role = instance.role_of(process);
            if role != self.role {
                let (old, new) = (self.role, role);
                std::mem::swap(&mut self.words, &mut self.others[old]);
                std::mem::swap(&mut self.words, &mut self.others[new]);
                self.role = role;
            }
        }
        if let Some(id) = instance.table(process).micro.id {
            self.words[id as usize] = instance.network.id(process);
        }
    }

    /// Take the variables of a process. Compound values are moved, so that the step can change them in place.
    #[inline]
    pub fn take(&mut self, instance: &Instance, configuration: &mut Configuration, process: ProcessId) {
        self.enter(instance, process);
        copy_words(&mut self.words, configuration.words(process));
        self.give_back(configuration, process);
    }

    /// Move the compound values back.
    #[inline]
    pub fn give_back(&mut self, configuration: &mut Configuration, process: ProcessId) {
        let values = configuration.values_mut(process);
        if !values.is_empty() {
            self.values[..values.len()].swap_with_slice(values);
        }
    }

    /// Copy the variables of a process, for evaluation only.
    pub fn copy(&mut self, instance: &Instance, configuration: &Configuration, process: ProcessId) {
        self.enter(instance, process);
        copy_words(&mut self.words, configuration.words(process));
        let values = configuration.values(process);
        self.values[..values.len()].clone_from_slice(values);
    }

    /// Add the process and its variables to an abort.
    pub fn explain(&self, instance: &Instance, process: ProcessId, mut abort: Box<Abort>) -> Box<Abort> {
        abort.process = Some(process);
        let role = &instance.program.roles[instance.role_of(process)];
        let shown = role.vars.iter().filter(|v| !v.local);
        abort.variables = shown
            .map(|v| {
                let value = match v.slot {
                    Slot::Word(slot) => Value::from_word(&v.ty, self.words[slot as usize]),
                    Slot::Value(slot) => self.values[slot as usize].clone(),
                };
                (role.shown_name(v), value)
            })
            .collect();
        abort
    }
}
