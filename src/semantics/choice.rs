//! Who makes the choices in the course of a command.

use super::event::CRASH;

/// What chance decides: the outcomes, numbered from 0, and their exact probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Odds {
    /// Two outcomes: 1 with this probability, which lies strictly between 0 and 1, and 0 otherwise.
    Coin { numerator: u64, denominator: u64 },
    /// At least two outcomes, each equally likely.
    Even(u32),
}

impl Odds {
    /// How many outcomes there are.
    pub fn outcomes(&self) -> usize {
        match self {
            Odds::Coin { .. } => 2,
            Odds::Even(outcomes) => *outcomes as usize,
        }
    }
}

/// Asked only where there is more than one possibility.
///
/// Three kinds of choices are told apart, for they mean different things to whoever judges more than one run: what
/// the environment is free to do, what chance decides with known probabilities, and what was so from the beginning.
/// Who tries all possibilities treats them alike.
pub trait Chooser {
    /// A number below `options`, which is at least 2: the environment is free.
    fn choose(&mut self, options: usize) -> usize;

    /// Asked when a command has come to its end: may it count? Given choices must all have fitted.
    fn agrees(&mut self) -> bool {
        true
    }

    /// An outcome of `coin` or `random`.
    fn draw(&mut self, odds: Odds) -> usize {
        self.choose(odds.outcomes())
    }

    /// Which of so many values, at least 2, a variable declared `:= any` begins with.
    fn begin(&mut self, values: u32) -> usize {
        self.draw(Odds::Even(values))
    }

    /// Does the process crash here, in the course of its command, after so many messages? Asked before each send
    /// where crashes may happen.
    fn crashes_here(&mut self, _sent: usize) -> bool {
        false
    }
}

/// Always the first possibility.
#[derive(Clone, Copy, Debug, Default)]
pub struct First;

impl Chooser for First {
    fn choose(&mut self, _: usize) -> usize {
        0
    }
}

/// Choices given beforehand, as a recorded event has them. Where there are no more it takes the first, and says so.
#[derive(Clone, Debug)]
pub struct Given<'a> {
    choices: &'a [u32],
    next: usize,
    /// A choice was missing, out of range, or one too many: the event does not belong to this configuration.
    pub strayed: bool,
}

impl<'a> Given<'a> {
    pub fn new(choices: &'a [u32]) -> Given<'a> {
        Given { choices, next: 0, strayed: false }
    }
}

impl Chooser for Given<'_> {
    fn choose(&mut self, options: usize) -> usize {
        let choice = self.choices.get(self.next).map(|c| *c as usize);
        self.next += 1;
        match choice {
            Some(choice) if choice < options => choice,
            _ => {
                self.strayed = true;
                0
            }
        }
    }

    fn agrees(&mut self) -> bool {
        self.strayed |= self.next != self.choices.len();
        !self.strayed
    }

    fn crashes_here(&mut self, sent: usize) -> bool {
        let here = self.choices.get(self.next) == Some(&(CRASH + sent as u32));
        self.next += usize::from(here);
        here
    }
}
