//! Alternatives that may accept a message, in the order of the program.

use crate::ir::{Alternative, Slot};
use smallvec::SmallVec;

/// An alternative with precomputed attributes.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub level: Level,
    pub alternative: Alternative,
    /// Present if binding copies these words and cannot fail.
    pub copies: Option<Copies>,
    /// Whether the alternative accepts every message of its kind.
    pub always_taken: bool,
    /// Earlier Boolean alternatives of the same list, for `else`: indices into `RoleTable::candidates`.
    pub earlier: Vec<u32>,
    /// The timer that has to expire: index into `RoleTable::timers`.
    pub timer: Option<u16>,
    /// State slots that receive parts of a message before the guard is evaluated: names that outlive the next wait. If another
    /// alternative takes the message, they are cleared.
    pub bound_for_guard: Vec<Slot>,
}

/// Word copies that bind a message.
#[derive(Clone, Debug, Default)]
pub struct Copies {
    /// Position in the message, slot.
    pub words: SmallVec<[(u16, u16); 4]>,
    /// The slot of the sender.
    pub from: Option<u16>,
}

/// Precedence of alternatives, highest first. Within a level, the scheduler chooses among the acceptable alternatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// `on arrival`: fires before the first message is taken.
    Arrival,
    /// `receive` of the current body.
    Wait,
    /// `defer` of the control state, then its handlers.
    DeferState,
    State,
    /// `defer` of `always`, then its handlers.
    DeferAlways,
    Always,
    IgnoreState,
    IgnoreAlways,
}

impl Level {
    pub fn defers(self) -> bool {
        matches!(self, Level::DeferState | Level::DeferAlways)
    }

    pub fn ignores(self) -> bool {
        matches!(self, Level::IgnoreState | Level::IgnoreAlways)
    }
}
