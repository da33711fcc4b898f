//! Coverage: which actions some run has seen.

use crate::ir::{Program, in_layer};
use std::collections::BTreeSet;

/// Which actions can be seen at all, and what they are called where their names alone mislead.
pub(in crate::cli) struct Actions {
    ignoring: BTreeSet<usize>,
    deferring: BTreeSet<usize>,
    count: usize,
}

impl Actions {
    pub(in crate::cli) fn of(program: &Program) -> Actions {
        let (mut ignoring, mut deferring) = (BTreeSet::new(), BTreeSet::new());
        for component in program.roles.iter().flat_map(|role| &role.components) {
            let states = component.states.iter().map(|state| &state.handlers);
            for handlers in states.chain([&component.always]) {
                ignoring.extend(handlers.ignore.iter().map(|a| a.action as usize));
                deferring.extend(handlers.defer.iter().map(|a| a.action as usize));
            }
        }
        Actions { ignoring, deferring, count: program.actions.len() }
    }

    /// Without the first, the start, which every process takes, and without what defers: that is no step.
    pub(in crate::cli) fn possible(&self) -> impl Iterator<Item = usize> + '_ {
        (1..self.count).filter(|action| !self.deferring.contains(action))
    }

    /// With its layer; `ignore Grant` for what is called `Grant`: that grants were never ignored is not that none came. Where several are written
    /// alike, with the place.
    pub(in crate::cli) fn name(&self, program: &Program, action: usize) -> String {
        let plain = |action: usize| {
            let of = &program.actions[action];
            match self.ignoring.contains(&action) && !of.name.starts_with("ignore") {
                true => in_layer(&of.layer, &format!("ignore {}", of.name)),
                false => of.to_string(),
            }
        };
        let name = plain(action);
        let span = program.actions[action].span;
        let is_alike = |other: usize| plain(other) == name && program.actions[other].span != span;
        match (1..self.count).any(is_alike) {
            true => format!("{name} at {}", program.sources.place(span)),
            false => name,
        }
    }
}
