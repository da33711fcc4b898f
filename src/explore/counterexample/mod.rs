//! Counterexamples: the run that shows what is wrong, made shorter, and explained.

pub mod absent_messages;
pub mod choices;
pub mod confirm;
pub mod contributing;
pub mod dependencies;
mod exceeded;
pub mod path;
pub mod shorten;
