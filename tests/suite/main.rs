//! The tests of Synod, except for long sweeps (`tests/sweeps`) and the executable specification (`tests/reference`).

#![allow(clippy::disallowed_methods, reason = "tests read files and the environment")]

#[path = "../common/mod.rs"]
mod common;
#[allow(dead_code, reason = "each test binary uses a part of this")]
#[path = "../common/random_programs.rs"]
mod random_programs;
#[path = "../common/screen.rs"]
mod screen;

mod aborts;
mod catalogue;
mod cli;
mod cuts;
mod dap;
mod diagnostics;
mod draw;
mod editors;
mod every_schedule;
mod every_schedule_in_models;
mod examples;
mod explore;
mod format;
mod fuzz;
mod ide;
mod language;
mod library;
mod limits;
mod llms;
mod lsp;
mod mcp;
mod measure;
mod network;
mod options;
mod parser;
mod premises;
mod properties;
mod questions;
mod ranges;
mod readme;
mod received;
mod refusals;
mod repetition;
mod render;
mod repl;
mod robustness;
mod scenarios;
mod semantics;
mod serve;
mod served;
mod simplified;
mod sorted;
mod soundness;
mod tallies;
mod texts;
mod tidy;
mod timeline;
mod trace;
mod types;
mod variants;
mod workbench;
