//! Enumeration of all outcomes of the choices within a command.

use crate::semantics::choice::Odds;
use crate::semantics::{Chooser, StepError};

/// A choice made within a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fork {
    pub taken: u32,
    /// Whether it is random. Otherwise the schedule decides.
    pub by_chance: bool,
}

/// Traverses the tree of choices from left to right: first always the first option; then the last choice with a further option
/// takes it, and so on.
#[derive(Debug, Default)]
pub(crate) struct ChoiceEnumerator {
    made: Vec<Fork>,
    /// The number of options of each choice.
    options: Vec<usize>,
    at: usize,
}

impl ChoiceEnumerator {
    /// Advance to the next combination. Return false if there is none.
    pub fn next(&mut self) -> bool {
        self.at = 0;
        while let (Some(fork), Some(options)) = (self.made.last_mut(), self.options.last()) {
            if (fork.taken as usize) + 1 < *options {
                fork.taken += 1;
                return true;
            }
            self.made.pop();
            self.options.pop();
        }
        false
    }

    /// Return the choices of this combination, in order.
    pub fn made(&self) -> &[Fork] {
        &self.made
    }

    fn decide(&mut self, options: usize, by_chance: bool) -> usize {
        if self.at == self.made.len() {
            self.made.push(Fork { taken: 0, by_chance });
            self.options.push(options);
        }
        self.at += 1;
        self.made[self.at - 1].taken as usize
    }
}

impl Chooser for ChoiceEnumerator {
    fn choose(&mut self, options: usize) -> usize {
        self.decide(options, false)
    }

    fn draw(&mut self, odds: Odds) -> usize {
        self.decide(odds.outcomes(), true)
    }

    /// Arbitrary initial values are choices of an adversary.
    fn choose_initial(&mut self, values: u32) -> usize {
        self.decide(values as usize, false)
    }

    fn crashes_here(&mut self, _: usize) -> bool {
        self.choose(2) == 1
    }
}

/// Return whether an attempt at a step succeeds or aborts for some choices.
pub(crate) fn is_possible(mut attempt: impl FnMut(&mut ChoiceEnumerator) -> Result<bool, StepError>) -> bool {
    let mut choices = ChoiceEnumerator::default();
    loop {
        match attempt(&mut choices) {
            Ok(true) | Err(StepError::Aborted(_)) => return true,
            Ok(false) | Err(StepError::Impossible(_)) if !choices.next() => return false,
            Ok(false) | Err(StepError::Impossible(_)) => {}
        }
    }
}
