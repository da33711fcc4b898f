//! Input of any kind and size: Synod answers, and neither panics, nor hangs, nor runs out of memory or stack.
//!
//! The random inputs have fixed seeds. All output goes to a folder for tests: no line of a session refers to another one.

mod large;
mod memory;
mod messages;
mod networks;
mod programs;
mod sessions;
mod stir;
mod traces;
