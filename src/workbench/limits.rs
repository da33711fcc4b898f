//! Limits of requests: every one has a maximum, and a request beyond it fails.

use super::failure::Failure;
use serde::Serialize;

/// A limit of a number in a request.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Limit {
    pub name: &'static str,
    pub default: u64,
    pub max: u64,
}

/// Return a limit; a default of 0 means that there is none.
pub const fn limit(name: &'static str, default: u64, max: u64) -> Limit {
    Limit { name, default, max }
}

pub const REQUEST_BYTES: Limit = limit("bytes of a request", 0, 16 << 20);
pub const PROGRAM_BYTES: Limit = limit("bytes of a program", 0, 256 << 10);
pub const EXPRESSION_BYTES: Limit = limit("bytes of an expression", 0, 4 << 10);
pub const PROCESSES: Limit = limit("processes", 0, 2_000);
pub const LINKS: Limit = limit("links", 0, 100_000);
pub const EVENTS: Limit = limit("events of a run", 0, 100_000);
pub const STEPS: Limit = limit("count", 1, 10_000);
pub const RUN: Limit = limit("most", 10_000, 50_000);
pub const LISTED_EVENTS: Limit = limit("listed events", 200, 5_000);
pub const ENABLED: Limit = limit("most", 60, 2_000);
pub const LISTED_MESSAGES: Limit = limit("listed messages", 2_000, 2_000);
pub const BRANCHES: Limit = limit("branches", 0, 50);
pub const BREAKPOINTS: Limit = limit("breakpoints", 0, 50);
pub const CONFIGURATIONS: Limit = limit("configurations", 200_000, 4_000_000);
pub const MEGABYTES: Limit = limit("megabytes", 512, 2_048);
pub const DEPTH: Limit = limit("depth", 0, 1_000_000);
pub const SIZES: Limit = limit("sizes", 4, 12);
pub const SIZE: Limit = limit("size", 0, 512);
pub const RUNS: Limit = limit("runs", 5, 50);
pub const RUN_STEPS: Limit = limit("steps", 100_000, 1_000_000);
pub const DRAWN_EVENTS: Limit = limit("events of a page", 0, 20_000);
pub const WIDTH: Limit = limit("width", 100, 500);

/// All limits, for clients.
pub const ALL: &[(&str, Limit)] = &[
    ("request_bytes", REQUEST_BYTES),
    ("program_bytes", PROGRAM_BYTES),
    ("expression_bytes", EXPRESSION_BYTES),
    ("processes", PROCESSES),
    ("links", LINKS),
    ("events", EVENTS),
    ("step_count", STEPS),
    ("run_most", RUN),
    ("listed_events", LISTED_EVENTS),
    ("enabled_most", ENABLED),
    ("listed_messages", LISTED_MESSAGES),
    ("branches", BRANCHES),
    ("breakpoints", BREAKPOINTS),
    ("verify_configurations", CONFIGURATIONS),
    ("verify_megabytes", MEGABYTES),
    ("verify_depth", DEPTH),
    ("measure_sizes", SIZES),
    ("measure_size", SIZE),
    ("measure_runs", RUNS),
    ("measure_steps", RUN_STEPS),
    ("page_events", DRAWN_EVENTS),
    ("diagram_width", WIDTH),
];

impl Limit {
    /// Return the number, or the default.
    ///
    /// # Errors
    /// If it is above the maximum.
    pub fn checked(self, number: Option<u64>) -> Result<u64, Failure> {
        let number = number.unwrap_or(self.default);
        self.check(number)?;
        Ok(number)
    }

    /// Check a number.
    ///
    /// # Errors
    /// If it is above the maximum.
    pub fn check(self, number: u64) -> Result<(), Failure> {
        match number <= self.max {
            true => Ok(()),
            false => Err(Failure::new(format!("{}: {number} is above the limit, {}", self.name, self.max))),
        }
    }
}

/// Return the words for a list that contains only a part.
pub fn cut(shown: usize, all: usize, which: &str) -> Option<String> {
    (shown < all).then(|| format!("the {which} {shown} of {all}"))
}
