//! Names for the words of a message, and for its sender. A handler says `on Probe(j, k, d) from p`: where j, k, d and p
//! keep their values, they need no registers of their own, and what has been found out of the message by one guard
//! holds for the next.

use super::{FastOp, MESSAGE, SENDER};
use crate::instance::Instance;
use crate::ir::{Input, Pattern, Sender, Slot};

/// By slot of the frame: the register that holds it.
pub(super) struct Names {
    registers: Vec<u8>,
    /// Slots that are variables of processes: they have their own registers.
    variables: usize,
}

impl Names {
    /// Every name that always stands for the same part of a message, whichever message.
    pub fn new(instance: &Instance) -> Names {
        let registers = (0..=u8::MAX).take(instance.layout.frame_words).collect();
        let mut names = Names { registers, variables: instance.layout.words };
        let mut bound: Vec<Option<u8>> = vec![None; names.registers.len()];
        for (slot, register) in bindings(instance) {
            let first = *bound[slot].get_or_insert(register);
            names.registers[slot] = if first == register { register } else { slot as u8 };
            if first != register {
                // Never again.
                bound[slot] = Some(slot as u8);
            }
        }
        for slot in 0..names.variables {
            names.registers[slot] = slot as u8;
        }
        names
    }

    /// The register of a variable or name.
    pub fn of(&self, slot: u16) -> u8 {
        self.registers[slot as usize]
    }

    /// Gives registers of their own to names that this code gives values to. Were there any?
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

/// The register of a word of the message.
pub(super) fn word(place: u16) -> Option<u8> {
    u8::try_from(MESSAGE + usize::from(place)).ok().filter(|_| MESSAGE + usize::from(place) < SENDER)
}

/// The slots that messages are bound to, and the registers of what they are bound to.
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
