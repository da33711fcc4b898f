//! The variables that observers read.

use crate::explore::monitor::needs::reads;
use crate::explore::monitor::{Monitor, ends};
use crate::ir::{Fault, PropertyKind, Role, Slot};
use crate::property::Reads;

/// The variables of a role that observers read.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// By properties, at any time.
    pub always: Vec<Slot>,
    /// In the description of ends only: all processes have received all messages that they can receive.
    pub at_ends: Vec<Slot>,
}

impl Monitor<'_> {
    /// Return the slots that observers read, by role: the properties that are checked, those that decide whether an end is accepted,
    /// and the description of ends.
    pub fn observed(&self) -> Vec<Observed> {
        let program = &self.instance.program;
        let is_checked = |at: usize| self.indices().any(|property| property == at);
        let properties = program.properties.iter().enumerate();
        let properties = properties.filter(|(at, p)| is_checked(*at) || p.kind == PropertyKind::Finally);
        let always = properties.flat_map(|(_, property)| {
            let limit = property.bound.iter().map(|bound| Reads::of(&bound.limit, program));
            limit.chain([reads(property, self.instance)])
        });
        let always: Vec<Reads> = always.collect();
        let at_ends: Vec<Reads> =
            ends::described_by(program).into_iter().map(|e| Reads::of(e, program)).collect();
        let slots = |all: &[Reads], role: usize| -> Vec<Slot> {
            let slot =
                |(is_word, at): &(bool, u16)| if *is_word { Slot::Word(*at) } else { Slot::Value(*at) };
            all.iter().flat_map(|reads| reads.slots[role].iter().map(slot)).collect()
        };
        let faults = self.instance.active_faults();
        let crashes = faults.is_some_and(|faults| faults.budget.of(Fault::Crash) > 0);
        let of_role = |(role, own): (usize, &Role)| {
            let variables = own.vars.iter().filter(|v| !v.local && ends::describes_variables(program));
            let shown = variables.map(|variable| variable.slot);
            let (mut always, mut at_ends) = (slots(&always, role), slots(&at_ends, role));
            at_ends.extend(shown);
            // A process that crashes may never receive a message, so its variables show when it has received others.
            if crashes {
                always.append(&mut at_ends);
            }
            Observed { always, at_ends }
        };
        program.roles.iter().enumerate().map(of_role).collect()
    }
}
