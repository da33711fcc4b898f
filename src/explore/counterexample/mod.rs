//! Counterexamples: recovery of the run, confirmation by replay, shortening, and explanation.

pub mod choices;
pub mod confirm;
pub mod contributing;
pub mod dependencies;
pub mod absent_messages;
mod exceeded;
pub mod path;
pub mod shorten;
