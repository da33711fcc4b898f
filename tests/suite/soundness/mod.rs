//! Programs that once got a wrong verdict, under every option: each stands for a kind of fault.
//!
//! `programs/` holds the programs. A test names the expected judgement of each property and the reason for it;
//! [`support::Case`] explores the program under every combination of options and compares.

mod support;

mod bounds;
mod choices;
mod confirm;
mod dead_messages;
mod failures;
mod fairness;
mod mutants;
mod order;
mod runs;
mod symmetry;
mod types;
mod views;
mod wakeups;
