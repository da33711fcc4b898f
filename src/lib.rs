//! Synod: a guarded-command language for distributed algorithms, with a simulator and a model checker.
//!
//! This is the library behind the `synod` command. A complete example: check a program, run it, and model-check it.
//!
//! ```
//! use synod::{Outcome, Program, RunOptions, Schedule, SearchOptions};
//!
//! let greatest = Program::check("greatest.syn", "
//! /// Each process sends its id around the ring; a process swallows ids smaller than its own.
//! algorithm greatest
//! assumes unidirectional ring, unique ids
//! message Candidate(of: Id)
//! var leader : Bool
//!
//! state begin
//!   send Candidate(id)
//!   become listening
//!
//! state listening
//!   on Candidate(of) ->
//!     if of > id -> send Candidate(of)
//!     [] of < id -> skip
//!     [] of = id -> leader := true
//!     fi
//!
//! invariant safety: size({ p in processes | p.leader }) <= 1
//! finally liveness: some p: p.leader
//! bound cost: messages <= n * (n + 1) div 2
//!
//! scenario three on ring(3) with ids [3, 1, 2]
//!   expect messages = 5
//! ")?;
//!
//! // One run: the instance, the schedule and the seed determine it.
//! let instance = greatest.on("ring(3)").ids([3, 1, 2]).instantiate()?;
//! let run = instance.simulate(&RunOptions { schedule: Schedule::Random, seed: 7, ..RunOptions::default() });
//! assert_eq!((run.outcome(), run.messages()), (Outcome::Quiescent, 5));
//! assert_eq!(run.value(0, "leader").as_deref(), Some("true"));
//! println!("{}", run.trace().diagram());
//!
//! // All runs: every interleaving of the instance.
//! let explored = instance.explore(&SearchOptions::default());
//! assert!(explored.is_complete() && explored.holds());
//! # Ok::<(), synod::Error>(())
//! ```
//!
//! # Terms
//!
//! * A [`Program`] is an algorithm: processes that exchange messages, or read the variables of their neighbours, together with
//!   the properties that it claims. It says nothing about the number of processes. [`library_files`] lists the algorithms of the
//!   standard library.
//! * A [`Setup`] adds the network, the identifiers, the parameters and the faults. [`Setup::instantiate`] checks that the network
//!   satisfies the assumptions of the algorithm.
//! * An [`Instance`] is a closed transition system: configurations, and steps between them. A step is one event: a message
//!   taken, or a command executed.
//! * A [`Run`] is one sequence of steps. A [`Schedule`] chooses among the enabled steps, and each property gets a [`Verdict`]
//!   on this run.
//! * A [`Trace`] is a recorded run. It can be written, read, replayed, compared, exported and drawn. Its events are partially
//!   ordered by happened-before ([`Causality`], Lamport 1978), and it has consistent cuts.
//! * An [`Exploration`] is the result of explicit-state model checking: all reachable configurations of an instance, under
//!   partial-order and symmetry reduction. Its verdicts concern all runs. A violated property comes with a counterexample,
//!   which is again a [`Trace`].
//! * A [`ScenarioRun`] is a scripted run with expectations, from the text of the program.
//! * A [`Measurement`] is a table of costs over growing networks, with the best-fitting growth.
//! * [`testing`] has the same steps as assertions, for the tests of your own project.
//!
//! # Features
//!
//! The feature `cli`, enabled by default, contains the command line and the language server. The library needs neither: with
//! `default-features = false` it builds for `wasm32-unknown-unknown`, and reads no clock, no environment, and only the files that
//! you name.

#![forbid(unsafe_code)]
#![cfg_attr(doc, deny(missing_docs))]
#![warn(clippy::excessive_nesting, clippy::too_many_lines)]

mod source;

mod ids;

mod ascii;
mod prose;
#[macro_use]
mod diagnostic;
mod glossary;
mod stop;
mod xml;

mod network;

mod ir;

mod syntax;

mod library;

mod check;

mod instance;

mod semantics;

mod simulate;

mod property;

mod explore;

mod setup;

mod verification;

mod scenario;

mod trace;

mod report;

mod session;

mod measure;

mod catalogue;

mod render;

mod input;

mod api;

mod ide;

mod workbench;

#[cfg(feature = "cli")]
mod framing;

#[cfg(feature = "cli")]
mod lsp;

#[cfg(feature = "cli")]
mod dap;

#[cfg(feature = "cli")]
mod mcp;

#[cfg(feature = "cli")]
mod serve;

#[cfg(feature = "cli")]
mod cli;

pub mod testing;

pub use api::*;
pub use explore::SearchOrder;
pub use ids::ProcessId;
pub use ir::Daemon;
pub use measure::table::AtBound;
pub use measure::{Row as MeasurementRow, Statistics};
pub use report::Verdict;
pub use simulate::Schedule;
pub use trace::causality::Causality;
pub use trace::export::Form as ExportFormat;
pub use trace::{Change, End as Outcome, Header as TraceHeader, Message, Responder};
pub use trace::{Trace, TraceError, TraceEvent};

/// The modules behind the API, for Synod's own command line, tests and benchmarks. They are no API: they change without notice.
///
/// A hidden module, and not a feature: with a feature, the library would be compiled twice, once for the command and once for the
/// tests. The documentation is built without it, so that `missing_docs` asks for the documentation of the API alone.
#[cfg(not(doc))]
#[doc(hidden)]
pub mod internals {
    macro_rules! open {
        ($($module:ident)*) => { $(pub mod $module { pub use crate::$module::*; })* };
    }
    open! { source ids ascii diagnostic prose stop xml network ir syntax library check instance semantics simulate property explore setup verification scenario trace report session measure catalogue render input ide workbench }
    #[cfg(feature = "cli")]
    open! { lsp dap mcp serve cli }
}
