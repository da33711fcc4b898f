//! Shifts of numbers along the edges of a quotient graph, under views up to shift.
//!
//! If a step reaches a configuration that is equivalent to a visited one, the graph keeps the visited one in its place. There
//! the numbers of a view may differ by some shift, also in messages that stay in a channel. So a fairness constraint about a
//! message ([`FairnessConstraint::Message`]) changes along the step: its numbers are shifted. [`Label::shift`](super::Label) is
//! the number of that shift.

use crate::explore::fairness::FairnessConstraint;
use crate::explore::reduction::view::{Shift, View};
use crate::explore::store::components::Message;
use crate::explore::store::interner::Interner;
use std::sync::Arc;

/// The number of the zero shift.
pub const UNMOVED: u32 = 0;

/// All shifts that occur, by number.
#[derive(Debug)]
pub struct Shifts {
    view: Arc<View>,
    messages: Arc<Interner<Message>>,
    all: Interner<Shift>,
}

/// Return the increase along a shift of a number that increases by `slopes` if all numbers of a view increase by 1.
pub fn rise(shift: &[i64], slopes: &[i64]) -> i64 {
    let rises = shift.iter().zip(slopes).map(|(by, slope)| by.saturating_mul(*slope));
    rises.fold(0, i64::saturating_add)
}

impl Shifts {
    pub(in crate::explore) fn new(view: Arc<View>, messages: Arc<Interner<Message>>) -> Shifts {
        let shifts = Shifts { view, messages, all: Interner::default() };
        shifts.all.number(shifts.view.unmoved());
        shifts
    }

    /// Return the shift from the vector that a step reaches to the one stored in its place.
    pub fn between(&self, reached: &[u32], kept: &[u32]) -> u32 {
        self.all.number(self.view.shift_between(reached, kept))
    }

    /// Return the increase along a shift of a number that increases by `slopes` if all numbers of a view increase by 1.
    pub fn rise(&self, shift: u32, slopes: &[i64]) -> i64 {
        rise(self.all.get(shift), slopes)
    }

    /// Return the sum of two shifts.
    pub fn sum(&self, a: u32, b: u32) -> u32 {
        let sum = self.all.get(a).iter().zip(self.all.get(b)).map(|(a, b)| a.wrapping_add(*b));
        self.all.number(sum.collect::<Shift>())
    }

    /// Return the inverse of a shift.
    pub fn negative(&self, shift: u32) -> u32 {
        self.all.number(self.all.get(shift).iter().map(|by| by.wrapping_neg()).collect::<Shift>())
    }

    /// Return a constraint after a shift.
    pub fn moved(&self, source: FairnessConstraint, shift: u32) -> FairnessConstraint {
        match source {
            FairnessConstraint::Message(channel, content) if shift != UNMOVED => {
                let moved = self.view.shifted(self.messages.get(content), self.all.get(shift));
                FairnessConstraint::Message(channel, self.messages.number(moved))
            }
            same => same,
        }
    }
}
