//! All outcomes of the choices in the course of a command, one after the other.

use crate::semantics::Chooser;
use crate::semantics::choice::Odds;

/// A choice that was made in the course of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fork {
    pub taken: u32,
    /// Did chance decide? Otherwise the schedule was free.
    pub by_chance: bool,
}

/// Goes through the tree of choices from left to right: first always the first possibility, then the last choice that
/// has another one takes it, and so on.
#[derive(Debug, Default)]
pub(crate) struct EveryChoice {
    made: Vec<Fork>,
    /// How many possibilities each of them has.
    options: Vec<usize>,
    at: usize,
}

impl EveryChoice {
    /// Turns to the next combination. False: there is none.
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

    /// The choices of this combination, in order.
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

impl Chooser for EveryChoice {
    fn choose(&mut self, options: usize) -> usize {
        self.decide(options, false)
    }

    fn draw(&mut self, odds: Odds) -> usize {
        self.decide(odds.outcomes(), true)
    }

    /// Nothing is known of what was so from the beginning: it may be the worst.
    fn begin(&mut self, values: u32) -> usize {
        self.decide(values as usize, false)
    }

    fn crashes_here(&mut self, _: usize) -> bool {
        self.choose(2) == 1
    }
}
