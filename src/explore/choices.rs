//! All outcomes of the choices in the course of a command, one after the other.

use crate::semantics::Chooser;

/// Goes through the tree of choices from left to right: first always the first possibility, then the last choice that
/// has another one takes it, and so on.
#[derive(Debug, Default)]
pub(crate) struct EveryChoice {
    taken: Vec<usize>,
    options: Vec<usize>,
    at: usize,
}

impl EveryChoice {
    /// Turns to the next combination. False: there is none.
    pub fn next(&mut self) -> bool {
        self.at = 0;
        while let (Some(taken), Some(options)) = (self.taken.last_mut(), self.options.last()) {
            if *taken + 1 < *options {
                *taken += 1;
                return true;
            }
            self.taken.pop();
            self.options.pop();
        }
        false
    }
}

impl Chooser for EveryChoice {
    fn choose(&mut self, options: usize) -> usize {
        if self.at == self.taken.len() {
            self.taken.push(0);
            self.options.push(options);
        }
        self.at += 1;
        self.taken[self.at - 1]
    }

    fn crashes_here(&mut self, _: usize) -> bool {
        self.choose(2) == 1
    }
}
