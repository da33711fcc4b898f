//! The report of a search: verdicts, and counterexamples with their explanations, as data and in words. `synod verify` prints it.

mod counterexample;
mod explanation;
mod simplified;
mod separate;
mod view;
mod remarks;
mod disagreement;
mod body;

pub use body::{PropertyBody, VerifyBody};
pub use counterexample::{CounterexampleBody, ExplainedCounterexample, ViolationName};
pub use disagreement::{DisagreementBody, ending};
pub use explanation::{NAMES, SMALLER, explained, with_ids, without_names};
pub use remarks::remark_on_notes;
pub use simplified::{Simplification, simplified};
