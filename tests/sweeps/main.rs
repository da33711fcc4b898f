//! Long sweeps: many instances of many algorithms, explored and run.

#![allow(clippy::disallowed_methods)]

#[path = "../common/mod.rs"]
mod common;
#[allow(dead_code)]
#[path = "../common/random_programs.rs"]
mod random_programs;

mod explore;
mod fast;
mod figures;
mod laws;
mod models;
mod mutants;
mod told;
