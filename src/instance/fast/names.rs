//! Aliases for the words of a message, and for its sender. A handler declares `on Probe(j, k, d) from p`: as long as j, k, d and
//! p keep their values, they need no registers of their own. What one guard has established about the message then holds for the
//! next.

use super::{FastOp, MESSAGE, SENDER};
use crate::instance::Instance;
use crate::ir::{Input, Pattern, Sender, Slot};

/// By slot of the frame: the register that holds it.
pub(super) struct Names {
    registers: Vec<u8>,
    /// Number of slots that are variables of processes, which have registers of their own.
    variables: usize,
}

impl Names {
    /// Find all names that always alias the same part of a message, of whatever kind.
    pub fn new(instance: &Instance) -> Names {
        let registers = (0..=u8::MAX).take(instance.layout.frame_words).collect();
        let mut names = Names { registers, variables: instance.layout.words };
        let mut bound: Vec<Option<u8>> = vec![None; names.registers.len()];
        for (slot, register) in bindings(instance) {
            let first = *bound[slot].get_or_insert(register);
            names.registers[slot] = if first == register { register } else { slot as u8 };
            if first != register {
                // Ambiguous: never an alias.
                bound[slot] = Some(slot as u8);
            }
        }
        for slot in 0..names.variables {
            names.registers[slot] = slot as u8;
        }
        names
    }

    /// Return the register of a variable or name.
    pub fn of(&self, slot: u16) -> u8 {
        self.registers[slot as usize]
    }

    /// Give registers of their own to names that the code assigns. Return whether there were any.
    pub fn keep_unchanged(&mut self, code: &[FastOp]) -> bool {
        let mut any = false;
        for op in code {
            let (FastOp::Move { to, .. }
            | FastOp::Arith { to, .. }
            | FastOp::Call { to, .. }
            | FastOp::PortFact { to, .. }
            | FastOp::Opposite { to, .. }) = op
            else {
                continue;
            };
            if let Some(register) = self.registers.get_mut(usize::from(*to))
                && register != to
            {
                *register = *to;
                any = true;
            }
        }
        any
    }
}

/// Return the register of a word of the message.
pub(super) fn word(place: u16) -> Option<u8> {
    u8::try_from(MESSAGE + usize::from(place)).ok().filter(|_| MESSAGE + usize::from(place) < SENDER)
}

/// Return the slots to which messages are bound, and the registers of the bound parts.
fn bindings(instance: &Instance) -> Vec<(usize, u8)> {
    let mut all = Vec::new();
    for candidate in instance.tables.iter().flat_map(|table| &table.candidates) {
        let Input::Message { kind, fields, from } = &candidate.alternative.input else { continue };
        let declared = &instance.program.kinds[*kind as usize].fields;
        for (field, pattern) in declared.iter().zip(fields) {
            if let (Pattern::Slot(Slot::Word(slot)), Slot::Word(place)) = (pattern, field.place)
                && let Some(register) = word(place)
            {
                all.push((usize::from(*slot), register));
            }
        }
        if let Sender::Bind(slot) = from {
            all.push((usize::from(*slot), SENDER as u8));
        }
    }
    all
}
