//! The binary from the user's side: command lines, output, exit codes, streams.

mod ascii;
mod blocked;
mod by_chance;
mod cuts;
mod disagreement;
mod draw;
mod explained;
mod faults;
mod files;
mod findings;
mod format;
pub mod harness;
mod interrupt;
mod json;
mod lassos;
mod library;
mod measure;
mod quiet_rounds;
mod results;
mod runs;
mod scenario_export;
mod scenarios;
mod schemas;
mod streams;
mod unjudged;
mod usage;
mod verify;
