//! Input of any kind and size: Synod answers, and neither panics, nor hangs, nor runs out of memory or stack.
//!
//! The random inputs have fixed seeds. Whatever is written goes to a folder for tests: no line of a session names another one.

#![allow(clippy::disallowed_methods)]

#[path = "common/mod.rs"]
mod common;
#[path = "cli/harness.rs"]
mod harness;
#[path = "robustness/large.rs"]
mod large;
#[path = "robustness/memory.rs"]
mod memory;
#[path = "robustness/messages.rs"]
mod messages;
#[path = "robustness/networks.rs"]
mod networks;
#[path = "robustness/programs.rs"]
mod programs;
#[path = "robustness/sessions.rs"]
mod sessions;
#[path = "robustness/stir.rs"]
mod stir;
#[path = "robustness/traces.rs"]
mod traces;
