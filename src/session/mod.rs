//! Runs with everybody watching, and what is said of them: for the command line, and for whoever steps through a run.

mod account;
pub mod clauses;
pub mod retold;
pub mod timeline;
mod watched;
pub mod why;
pub mod whynot;

pub use account::{explanation, report, word};
pub use watched::{Keep, Watched, Watchers, end, watched};
