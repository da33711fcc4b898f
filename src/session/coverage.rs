//! Coverage: the actions that occur in some run, and the guards inside commands that no run takes.

use crate::ir::{Guard, Program, in_layer};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The actions of a program that can occur, with their names in reports.
pub struct Actions {
    ignoring: BTreeSet<usize>,
    deferring: BTreeSet<usize>,
    count: usize,
}

impl Actions {
    pub fn of(program: &Program) -> Actions {
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

    /// Return the actions that can occur, in groups: the copies of one clause of a problem or layer, one for each role, are a group.
    /// These are all but the start, which every process takes, and `defer`, which is not a step.
    pub fn possible(&self, program: &Program) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut known = BTreeMap::new();
        for action in (1..self.count).filter(|action| !self.deferring.contains(action)) {
            let of = &program.actions[action];
            let group = *known.entry((&of.layer, of.span, &of.name)).or_insert(groups.len());
            if group == groups.len() {
                groups.push(Vec::new());
            }
            groups[group].push(action);
        }
        groups
    }

    /// Return the names of the groups of which no action occurs.
    pub fn never_seen(&self, program: &Program, occurs: impl Fn(usize) -> bool) -> Vec<String> {
        let groups = self.possible(program);
        let never = groups.iter().filter(|group| !group.iter().any(|action| occurs(*action)));
        never.map(|group| self.name(program, group[0])).collect()
    }

    /// Return the name of an action, with its layer, and with its place if several actions have the same name. The action `Grant` of an
    /// `ignore` clause is called `ignore Grant`: if no grant was ignored, some may still have arrived.
    fn name(&self, program: &Program, action: usize) -> String {
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

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct GuardBody {
    /// The text of the guard, shortened.
    pub guard: String,
    /// Place of the guard: file, line and column.
    pub at: String,
}

impl GuardBody {
    /// Return the guards that were not taken, in the order of the text.
    pub fn never_taken(program: &Program, taken: &[bool]) -> Vec<GuardBody> {
        let mut left: Vec<_> =
            program.guards.iter().zip(taken).filter(|(_, taken)| !**taken).map(|(guard, _)| guard).collect();
        left.sort_by_key(|guard| (guard.span.file, guard.span.start));
        let body =
            |guard: &Guard| GuardBody { guard: guard.name.clone(), at: program.sources.place(guard.span) };
        left.into_iter().map(body).collect()
    }
}
