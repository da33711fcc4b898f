//! Compilation of whole programs: the commands of each role, and its entries.

use super::compile::{Compiler, MOST_OPS};
use super::names::Names;
use super::select::selector;
use super::{End, Entry, FastOp, FastRole, KindEntries, REGISTERS, Registers};
use crate::instance::{Instance, RoleTable};
use crate::ir::Role;

impl<'a> Compiler<'a> {
    /// Return code, registers, and the entry tables of each role. `None`: too large.
    pub fn compile(instance: &'a Instance) -> Option<(Vec<FastOp>, Box<Registers>, Vec<FastRole>)> {
        let mut names = Names::new(instance);
        loop {
            let mut compiler = Compiler::new(instance, names);
            let mut roles = Vec::new();
            for (role, table) in instance.program.roles.iter().zip(&instance.tables) {
                roles.push(compiler.role(role, table)?);
            }
            // A register name that is assigned later cannot alias a word of the message.
            if !compiler.names.keep_unchanged(&compiler.code) {
                let mut registers = Box::new([0; REGISTERS]);
                registers[..compiler.registers.len()].copy_from_slice(&compiler.registers);
                return Some((compiler.code, registers, roles));
            }
            names = compiler.names;
        }
    }

    /// Compile a role: its commands, then for each cell the selection of the candidate. `None`: too large.
    fn role(&mut self, role: &'a Role, table: &'a RoleTable) -> Option<FastRole> {
        self.at = role.code.iter().map(|_| self.label()).collect();
        let first = self.code.len();
        for (pc, op) in role.code.iter().enumerate() {
            self.place(self.at[pc]);
            self.or_leave(|compiler| compiler.op(role, op, pc));
        }
        // Unreachable: the last operation of a program never continues to a next one.
        self.code.push(FastOp::Leave);
        let commands = first..self.code.len();
        let mut labels = Vec::new();
        let mut kinds = Vec::new();
        for kind in 0..self.instance.program.kinds.len() as u32 {
            let (state_slot, states, cells) = table.cells_of(kind);
            let base = labels.len() as u32;
            kinds.push(KindEntries { state_slot, states: states.max(1), base });
            for (cell, place) in cells.zip(0u32..) {
                let label = self.label();
                self.place(label);
                self.or_leave(|compiler| selector(compiler, table, cell));
                labels.push((label, place / states.max(1)));
            }
        }
        if self.code.len() > MOST_OPS {
            return None;
        }
        let start = self.at.get(role.start as usize).copied()?;
        self.link(commands);
        let entries: Vec<Entry> = labels
            .into_iter()
            .map(|(label, wait)| {
                let code = self.follow(label);
                self.passing(code, wait)
            })
            .collect();
        if self.code.len() > MOST_OPS {
            return None;
        }
        let start = self.follow(start);
        let halted = role.waits.len() as u32;
        let (selectors, cells) = (Vec::new(), 0);
        Some(FastRole { entries, kinds, selectors, cells, halted, start, start_end: End::CODE })
    }
}
