//! The variables that observers read.

use crate::explore::monitor::{Monitor, ends, reads};
use crate::ir::{PropertyKind, Role, Slot};
use crate::property::Reads;

/// The variables of a role that observers read.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// By properties, at any time.
    pub always: Vec<Slot>,
    /// In the description of ends.
    pub at_ends: Vec<Slot>,
}

impl Monitor<'_> {
    /// Return the slots that observers read, by role: the properties that are checked, those that decide whether an end is accepted,
    /// and the description of ends.
    pub fn observed(&self) -> Vec<Observed> {
        let program = &self.instance.program;
        let is_checked = |at: usize| self.indices().any(|property| property == at);
        let mut always = Reads::none(program);
        for (at, property) in program.properties.iter().enumerate() {
            if is_checked(at) || property.kind == PropertyKind::Finally {
                always.add_all(&reads(property, self.instance));
                property.bound.iter().for_each(|bound| always.add_all(&Reads::of(&bound.limit, program)));
            }
        }
        let mut at_ends = Reads::none(program);
        for e in ends::described_by(program) {
            at_ends.add_all(&Reads::of(e, program));
        }
        let slots = |reads: &Reads, role: usize| -> Vec<Slot> {
            let slot =
                |(is_word, at): &(bool, u16)| if *is_word { Slot::Word(*at) } else { Slot::Value(*at) };
            reads.slots[role].iter().map(slot).collect()
        };
        let of_role = |(role, own): (usize, &Role)| {
            let variables = own.vars.iter().filter(|v| !v.local && ends::describes_variables(program));
            let shown = variables.map(|variable| variable.slot);
            Observed {
                always: slots(&always, role),
                at_ends: slots(&at_ends, role).into_iter().chain(shown).collect(),
            }
        };
        program.roles.iter().enumerate().map(of_role).collect()
    }
}
