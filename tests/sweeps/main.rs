//! Long sweeps: many instances of many algorithms, explored and run.

#![allow(clippy::disallowed_methods, reason = "tests read files and the environment")]

#[path = "../common/mod.rs"]
mod common;
#[allow(dead_code, reason = "each test binary uses a part of this")]
#[path = "../common/random_programs.rs"]
mod random_programs;

mod explore;
mod fast;
mod figures;
mod laws;
mod models;
mod mutants;
mod told;
mod twins;
