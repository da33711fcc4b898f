//! Slots of locals, and what is computed once for a configuration.

pub mod finish;
pub mod hoist;
mod observers;
