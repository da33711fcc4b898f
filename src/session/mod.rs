//! Runs with everybody watching, and what is said of them: for the command line, and for whoever steps through a run.

mod account;
pub mod clauses;
mod played;
pub mod reading;
pub mod retold;
mod shown;
pub mod timeline;
mod watched;
pub mod why;
pub mod whynot;

pub use account::{WentWrong, blocked, explanation, report, why_ended, why_in_a_line, why_stopped, word};
pub use played::recorded;
pub use shown::{trace_of, trace_of_steps, went_wrong};
pub use watched::{Keep, Watched, Watchers, end, steps_without_an_end, watched};
