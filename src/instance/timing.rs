//! Timing of an instance: bounds on delays, and the timers of each role.

use crate::ir::{Assumptions, Input};

/// Maximum delay and timer duration: sums of instants stay far from overflow.
pub const LONGEST: u64 = 1 << 40;

/// Present if bounds on delays, or timers, are assumed.
#[derive(Clone, Debug)]
pub struct Timing {
    /// Minimum and maximum time between sending and arrival. `None`: there is no clock, and an armed timer may expire at any time.
    pub delay: Option<(u64, u64)>,
    /// Maximum number of timers of a process.
    pub timers: usize,
}

impl Timing {
    /// Create the timing; the bounds on delays are set when the parameters have values.
    pub(super) fn new(assumes: &Assumptions, tables: &[super::RoleTable]) -> Option<Timing> {
        let timers = tables.iter().map(|table| table.timers.len()).max().unwrap_or(0);
        // Placeholder bounds until the parameters have values.
        let delay = assumes.delay.is_some().then_some((0, 0));
        (assumes.delay.is_some() || assumes.timers).then_some(Timing { delay, timers })
    }

    /// Return whether there is a clock.
    pub fn is_timed(&self) -> bool {
        self.delay.is_some()
    }
}

/// The event that arms a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimerPlace {
    /// Arrival at a waiting point.
    Wait(u32),
    /// Entry to a control state.
    State { component: u16, state: u32 },
    /// `set timer`: index into `Role::timers`.
    Named(u16),
}

/// Return whether the input is an unnamed timer.
pub(super) fn runs_out(input: &Input) -> bool {
    matches!(input, Input::After(_))
}
