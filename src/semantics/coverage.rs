//! Coverage: actions and guards of the program that runs have taken.

use super::event::Effects;
use crate::ir::Program;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// By action of the program.
    pub actions: Vec<bool>,
    /// By guard of the program.
    pub guards: Vec<bool>,
}

impl Coverage {
    pub fn new(program: &Program) -> Coverage {
        Coverage { actions: vec![false; program.actions.len()], guards: vec![false; program.guards.len()] }
    }

    /// Record the effects of a step. A guard also counts as taken if the command aborts after it.
    pub fn see(&mut self, effects: &Effects, is_done: bool) {
        if is_done {
            std::iter::once(&effects.action)
                .chain(&effects.upcalls)
                .for_each(|a| mark(&mut self.actions, *a));
        }
        self.see_guards(&effects.guards);
    }

    pub fn see_guards(&mut self, guards: &[u32]) {
        guards.iter().for_each(|guard| mark(&mut self.guards, *guard));
    }

    pub fn add(&mut self, other: &Coverage) {
        self.actions.iter_mut().zip(&other.actions).for_each(|(all, one)| *all |= *one);
        self.guards.iter_mut().zip(&other.guards).for_each(|(all, one)| *all |= *one);
    }
}

/// Mark a number as seen; [`NO_ACTION`](super::event::NO_ACTION) is out of range and ignored.
fn mark(seen: &mut [bool], number: u32) {
    if let Some(seen) = seen.get_mut(number as usize) {
        *seen = true;
    }
}
