//! Counterexamples: the run that shows what is wrong, made shorter, and explained.

pub mod again;
pub mod beside;
pub mod chosen;
pub mod confirm;
mod exceeded;
pub mod path;
pub mod shorten;
pub mod silence;
