//! The binary as its users meet it: what they type, what they read, exit codes, streams.

#![allow(clippy::disallowed_methods)]

#[path = "cli/ascii.rs"]
mod ascii;
#[path = "cli/blocked.rs"]
mod blocked;
#[path = "cli/by_chance.rs"]
mod by_chance;
#[path = "cli/cuts.rs"]
mod cuts;
#[path = "cli/draw.rs"]
mod draw;
#[path = "cli/explained.rs"]
mod explained;
#[path = "cli/faults.rs"]
mod faults;
#[path = "cli/files.rs"]
mod files;
#[path = "cli/findings.rs"]
mod findings;
#[path = "cli/format.rs"]
mod format;
#[path = "cli/harness.rs"]
mod harness;
#[path = "cli/interrupt.rs"]
mod interrupt;
#[path = "cli/json.rs"]
mod json;
#[path = "cli/lassos.rs"]
mod lassos;
#[path = "cli/library.rs"]
mod library;
#[path = "cli/measure.rs"]
mod measure;
#[path = "cli/quiet_rounds.rs"]
mod quiet_rounds;
#[path = "cli/results.rs"]
mod results;
#[path = "cli/runs.rs"]
mod runs;
#[path = "cli/scenarios.rs"]
mod scenarios;
#[path = "common/screen.rs"]
mod screen;
#[path = "cli/streams.rs"]
mod streams;
#[path = "cli/unjudged.rs"]
mod unjudged;
#[path = "cli/usage.rs"]
mod usage;
#[path = "cli/verify.rs"]
mod verify;
