//! Counterexamples: the run that shows what is wrong, made shorter, and explained.

pub mod choices;
pub mod confirm;
pub mod contributing;
pub mod dependencies;
pub mod absent_messages;
mod exceeded;
pub mod path;
pub mod shorten;
