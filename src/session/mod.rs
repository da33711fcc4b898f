//! Runs with everybody watching, and what is said of them: for the command line, and for whoever steps through a run.

mod account;
pub mod retold;
mod watched;

pub use account::{explanation, report, word};
pub use watched::{Keep, Watched, Watchers, end, watched};
