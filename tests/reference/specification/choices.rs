//! *Choice*: enumeration of all combinations of the choices in a command.

use crate::specification::graph::Choice;

/// The sequence of choices that a command replays before it makes new ones.
#[derive(Debug, Default)]
pub struct Choices {
    made: Vec<Choice>,
    next: usize,
}

impl Choices {
    /// Choose one of the given number of options. A single option is no choice.
    pub fn choose(&mut self, options: usize, chance: bool) -> usize {
        if options <= 1 {
            return 0;
        }
        if self.next == self.made.len() {
            self.made.push(Choice { chance, options, taken: 0 });
        }
        self.next += 1;
        self.made[self.next - 1].taken
    }

    pub fn made(&self) -> Vec<Choice> {
        self.made.clone()
    }

    /// Advance to the next combination; return false if there is none.
    pub fn advance(&mut self) -> bool {
        self.next = 0;
        while let Some(mut last) = self.made.pop() {
            last.taken += 1;
            if last.taken < last.options {
                self.made.push(last);
                return true;
            }
        }
        false
    }
}
