//! Monitored runs and their reports, and interactive sessions that navigate a run.

pub mod clauses;
pub mod scenario_export;
pub mod timeline;
mod watched;
mod run_report;
mod exploration_trace;
mod scenario_run;
pub mod whynot;
pub mod read_variables;
pub mod why;

pub use exploration_trace::{trace_of, trace_of_steps, went_wrong};
pub use run_report::{WentWrong, blocked, explanation, report, why_ended, why_in_a_line, why_stopped, word};
pub use scenario_run::recorded;
pub use watched::{Keep, Watched, Watchers, end, steps_without_an_end, watched};
