//! The checked program: typed, resolved, with numbered slots. Every [`Program`] is well-formed; `check` is its only constructor.

mod assumptions;
mod expr;
mod failure;
mod fault;
mod fit;
mod program;
mod property;
mod question;
mod ranges;
mod sorted;
mod types;
mod value;
mod view;
mod walk;
mod change;

pub mod show;

pub use assumptions::*;
pub use change::Change;
pub use expr::*;
pub use fault::{Budget, Fault, FaultTexts, MESSAGES_SURVIVE};
pub use fit::{Size, SizeBound, SizeRule, requirement};
pub use program::*;
pub use property::*;
pub use question::Question;
pub use ranges::Ranges;
pub use sorted::{SortedMap, SortedSet};
pub use types::*;
pub use value::*;
pub use view::*;
