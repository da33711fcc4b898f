//! Semantics: the transition relation, that is, which steps are enabled and what a step does. No other module advances a
//! configuration.

pub mod metrics;
pub mod orders;
pub mod event;
pub mod abort;
pub mod choice;
pub mod enumeration;
pub mod environment;
pub mod history;
mod pool;
pub mod configuration;
pub mod eval;
pub mod machine;
mod coverage;
pub mod held;
pub mod ends;
mod script;
mod step;

pub use abort::{Abort, Eval, StepError};
pub use choice::Chooser;
pub use configuration::{Configuration, Note};
pub use coverage::Coverage;
pub use environment::Environment;
pub use eval::{Env, World};
pub use history::History;
pub use machine::{MAX_OPS_PER_COMMAND, MOST_WAITS, Machine, Offer, SOME_WAITS};
pub use metrics::Metrics;
pub use pool::MessageRef;
pub use step::{enabled, initial, is_end, step};
