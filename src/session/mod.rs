//! Monitored runs and their reports, and interactive sessions that navigate a run.

pub mod clauses;
pub mod scenario_export;
pub mod timeline;
mod watched;
mod repeated;
pub mod run_report;
pub mod coverage;
mod exploration_trace;
pub mod search_report;
mod scenario_run;
pub mod whynot;
pub mod read_variables;
pub mod why;
pub mod questions;
pub mod asked;

pub use exploration_trace::{runtime_error, trace_of, trace_of_steps};
pub use repeated::{run_until_fulfilled, run_until_repeated};
pub use run_report::{
    RuntimeError, blocked, explanation, one_line_explanation, report, verdict_of, why_ended, why_stopped,
};
pub use scenario_run::{record_scenario, with_failure};
pub use watched::{
    Keep, MOST_UNASKED_EVENTS, MOST_UNASKED_PROCESSES, MonitoredRun, Monitors, end, run_monitored,
    steps_of_two_looks, steps_without_an_end,
};
