//! The public API: the steps from a text to a model checker, each with one type.
//!
//! These types wrap those of the modules above, which are not public. Each file also adds, to a type of an earlier step, the
//! method that leads to its own: `run` adds `Instance::simulate`.

#![deny(missing_docs)]

mod error;
mod program;
mod setup;
mod instance;
mod verdict;
mod run;
mod exploration;
pub(crate) mod trace;
mod scenario;
mod measurement;

pub use error::{Diagnostic, Error};
pub use exploration::{Exploration, SearchOptions};
pub use instance::Instance;
pub use measurement::{MeasureOptions, Measurement};
pub use program::{LibraryFile, Program, library_files};
pub use run::{Run, RunOptions};
pub use scenario::ScenarioRun;
pub use setup::Setup;
pub use verdict::PropertyVerdict;
