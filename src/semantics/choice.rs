//! Who makes the choices in the course of a command.

use super::event::CRASH;

/// Asked only where there is more than one possibility.
pub trait Chooser {
    /// A number below `options`, which is at least 2.
    fn choose(&mut self, options: usize) -> usize;

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
    /// A choice was missing or out of range: the event does not belong to this configuration.
    pub strayed: bool,
}

impl<'a> Given<'a> {
    pub fn new(choices: &'a [u32]) -> Given<'a> {
        Given { choices, next: 0, strayed: false }
    }

    /// Have all choices been used?
    pub fn used_up(&self) -> bool {
        self.next == self.choices.len()
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

    fn crashes_here(&mut self, sent: usize) -> bool {
        let here = self.choices.get(self.next) == Some(&(CRASH + sent as u32));
        self.next += usize::from(here);
        here
    }
}
