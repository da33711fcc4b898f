//! Shifts of numbers along the steps of a graph whose configurations stand for others, under views up to shift.
//!
//! A step leads to a configuration, and the one that was met first is kept in its place. The numbers of a view may be greater there by
//! some shift, those of the messages that stay in a channel among them. So a fairness constraint about a message ([`Source::Message`])
//! is another one after the step: the same with its numbers shifted. [`Label::shift`](super::Label) says by how much.

use crate::explore::space::parts::Message;
use crate::explore::space::table::Table;
use crate::explore::space::view::{Shift, View};
use crate::explore::steps::sources::Source;
use std::sync::Arc;

/// The number of the shift by nothing.
pub const UNMOVED: u32 = 0;

/// All shifts there are, by number.
#[derive(Debug)]
pub struct Shifts {
    view: Arc<View>,
    messages: Arc<Table<Message>>,
    all: Table<Shift>,
}

impl Shifts {
    pub fn new(view: Arc<View>, messages: Arc<Table<Message>>) -> Shifts {
        let shifts = Shifts { view, messages, all: Table::new() };
        shifts.all.number(shifts.view.unmoved());
        shifts
    }

    /// The shift from the vector that a step leads to, to the one that is kept in its place.
    pub fn between(&self, reached: &[u32], kept: &[u32]) -> u32 {
        self.all.number(self.view.shift_between(reached, kept))
    }

    /// One shift after the other.
    pub fn sum(&self, a: u32, b: u32) -> u32 {
        let sum = self.all.get(a).iter().zip(self.all.get(b)).map(|(a, b)| a.wrapping_add(*b));
        self.all.number(sum.collect::<Shift>())
    }

    pub fn negative(&self, shift: u32) -> u32 {
        self.all.number(self.all.get(shift).iter().map(|by| by.wrapping_neg()).collect::<Shift>())
    }

    /// The constraint that one is after a shift.
    pub fn moved(&self, source: Source, shift: u32) -> Source {
        match source {
            Source::Message(channel, content) if shift != UNMOVED => {
                let moved = self.view.shifted(self.messages.get(content), self.all.get(shift));
                Source::Message(channel, self.messages.number(moved))
            }
            same => same,
        }
    }
}
