//! Choosers: the source of the choices within a command.

use super::event::CRASH;

/// A random choice: the outcomes, numbered from 0, and their exact probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Odds {
    /// Two outcomes: 1 with this probability, which is strictly between 0 and 1, and 0 otherwise.
    Coin { numerator: u64, denominator: u64 },
    /// At least two outcomes, uniformly distributed.
    Uniform(u32),
}

impl Odds {
    /// Return the number of outcomes.
    pub fn outcomes(&self) -> usize {
        match self {
            Odds::Coin { .. } => 2,
            Odds::Uniform(outcomes) => *outcomes as usize,
        }
    }
}

/// Makes choices; called only if there are several possibilities.
///
/// There are three kinds of choices, which differ when several runs are considered: nondeterministic choices of the environment,
/// random choices with known probabilities, and initial values. Exhaustive exploration treats them alike.
pub trait Chooser {
    /// Make a nondeterministic choice: a number below `options`, which is at least 2.
    fn choose(&mut self, options: usize) -> usize;

    /// Return whether the completed command is valid. Given choices must all have matched.
    fn agrees(&mut self) -> bool {
        true
    }

    /// Return an outcome of `coin` or `random`.
    fn draw(&mut self, odds: Odds) -> usize {
        self.choose(odds.outcomes())
    }

    /// Choose the initial value of a variable declared `:= any`; the number of values is at least 2.
    fn choose_initial(&mut self, values: u32) -> usize {
        self.draw(Odds::Uniform(values))
    }

    /// Return whether the process crashes here, within its command, after this many messages. Called before each send if crashes
    /// may occur.
    fn crashes_here(&mut self, _sent: usize) -> bool {
        false
    }
}

/// Always chooses the first possibility.
#[derive(Clone, Copy, Debug, Default)]
pub struct First;

impl Chooser for First {
    fn choose(&mut self, _: usize) -> usize {
        0
    }
}

/// Choices given in advance, as in a recorded event. If they are exhausted, the first possibility is chosen, and `strayed` is
/// set.
#[derive(Clone, Debug)]
pub struct Given<'a> {
    choices: &'a [u32],
    next: usize,
    /// A choice was missing, out of range, or superfluous: the event does not belong to this configuration.
    pub mismatched: bool,
}

impl<'a> Given<'a> {
    pub fn new(choices: &'a [u32]) -> Given<'a> {
        Given { choices, next: 0, mismatched: false }
    }
}

impl Chooser for Given<'_> {
    fn choose(&mut self, options: usize) -> usize {
        let choice = self.choices.get(self.next).map(|c| *c as usize);
        self.next += 1;
        match choice {
            Some(choice) if choice < options => choice,
            _ => {
                self.mismatched = true;
                0
            }
        }
    }

    fn agrees(&mut self) -> bool {
        self.mismatched |= self.next != self.choices.len();
        !self.mismatched
    }

    fn crashes_here(&mut self, sent: usize) -> bool {
        let here = self.choices.get(self.next) == Some(&(CRASH + sent as u32));
        self.next += usize::from(here);
        here
    }
}
