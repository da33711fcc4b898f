//! The transition relation and the simulator, on programs made by hand.

mod build;
mod elections;
mod from_each;
mod rules;
