//! The checked program: typed, resolved, over numbered slots. If a [`Program`] exists it is well-formed;
//! `check` is its only constructor.

mod expr;
mod fault;
mod program;
mod property;
mod types;
mod value;

pub use expr::*;
pub use fault::{Budget, Fault};
pub use program::*;
pub use property::*;
pub use types::*;
pub use value::*;
