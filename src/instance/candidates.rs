//! Alternatives that may accept a message, in the order of the program.

use crate::ir::Alternative;
use smallvec::SmallVec;

/// An alternative with what can be known of it in advance.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub level: Level,
    pub alternative: Alternative,
    /// Binding is copying these words, and cannot fail.
    pub copies: Option<Copies>,
    /// Nothing to look at but the kind.
    pub always_taken: bool,
    /// The Boolean alternatives before it in its list, for `else`: indices into `RoleTable::candidates`.
    pub earlier: Vec<u32>,
    /// The timer that has to run out: index into `RoleTable::timers`.
    pub timer: Option<u16>,
}

/// How a message that only binds words is bound.
#[derive(Clone, Debug, Default)]
pub struct Copies {
    /// Place in the message, slot.
    pub words: SmallVec<[(u16, u16); 4]>,
    /// The slot of the sender.
    pub from: Option<u16>,
}

/// What comes first, from first to last. Inside one level every acceptable alternative is a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// `on arrival`: in place of the first message.
    Arrival,
    /// The body's own `receive`.
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
