//! Time, where there is any: bounds on delays, and the timers of each role.

use crate::ir::{Assumptions, Input};

/// No delay and no timer is longer: sums of instants stay far from the end of the numbers.
pub const LONGEST: u64 = 1 << 40;

/// Present where bounds on delays, or timers, are assumed.
#[derive(Clone, Debug)]
pub struct Timing {
    /// The least and the greatest time between sending and arrival. None: there is no clock, and a timer that
    /// is armed may run out at any moment.
    pub delay: Option<(u64, u64)>,
    /// The most timers that a process has.
    pub timers: usize,
}

impl Timing {
    /// The bounds on delays follow when parameters have their values.
    pub(super) fn new(assumes: &Assumptions, tables: &[super::RoleTable]) -> Option<Timing> {
        let timers = tables.iter().map(|table| table.timers.len()).max().unwrap_or(0);
        // A clock that says the same at all times, until the bounds are known.
        let delay = assumes.delay.is_some().then_some((0, 0));
        (assumes.delay.is_some() || assumes.timers).then_some(Timing { delay, timers })
    }

    /// Is there a clock?
    pub fn is_timed(&self) -> bool {
        self.delay.is_some()
    }
}

/// What arms a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimerPlace {
    /// Arrival at a waiting point.
    Wait(u32),
    /// Entry of a control state.
    State { component: u16, state: u32 },
    /// `set timer`: index into `Role::timers`.
    Named(u16),
}

/// The timer of an input, where it is one without name.
pub(super) fn runs_out(input: &Input) -> bool {
    matches!(input, Input::After(_))
}
