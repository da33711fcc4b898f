//! *Choice*: what is decided in the course of a command, tried in all ways one after the other.

use crate::graph::Choice;

/// What has been decided so far, and is to be decided again until something new comes.
#[derive(Debug, Default)]
pub struct Choices {
    made: Vec<Choice>,
    next: usize,
}

impl Choices {
    /// One of so many possibilities. A choice of one is none.
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

    /// On to the next combination; false: that was the last.
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
