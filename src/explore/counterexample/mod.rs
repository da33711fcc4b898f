//! Counterexamples: the run that shows what is wrong, made shorter, and explained.

pub mod dependencies;
pub mod contributing;
pub mod choices;
pub mod confirm;
mod exceeded;
pub mod path;
pub mod shorten;
pub mod absent_messages;
