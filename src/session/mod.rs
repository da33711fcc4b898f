//! Runs with everybody watching, and what is said of them: for the command line, and for whoever steps through a run.

pub mod clauses;
mod exploration_trace;
pub mod read_variables;
mod run_report;
pub mod scenario_export;
mod scenario_run;
pub mod timeline;
mod watched;
pub mod why;
pub mod whynot;

pub use exploration_trace::{trace_of, trace_of_steps, went_wrong};
pub use run_report::{WentWrong, blocked, explanation, report, why_ended, why_in_a_line, why_stopped, word};
pub use scenario_run::recorded;
pub use watched::{Keep, Watched, Watchers, end, steps_without_an_end, watched};
