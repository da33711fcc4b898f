//! Synod: a guarded-command language for distributed algorithms, with a simulator and a model checker.
//!
//! The modules are listed in reading order; a module imports only from those above it. A program can do what the command line does, in
//! the same steps.
//!
//! # A program
//!
//! [`check::check`] takes a name for diagnostics, a text, and a function that finds other files: problems, layers, and the algorithms
//! that variants refer to.
//!
//! ```
//! let text = "
//! algorithm greetings
//! assumes unidirectional ring
//! message Hello
//! state greeting
//!   send Hello
//!   receive Helo
//!   halt
//! ";
//! let checked = synod::check::check("greetings.syn", text, &synod::library::source);
//! assert!(checked.program.is_none());
//! let first = &checked.diagnostics[0];
//! assert_eq!(first.span.start as usize, text.find("Helo").unwrap());
//! println!("{}: {}", first.code, first.message);
//! ```
//!
//! # An instance and a run
//!
//! [`setup::instantiate`] combines a program with a network, and checks that the network satisfies the program's assumptions. Then
//! [`simulate::simulate`] makes a run, which the instance, the schedule and the seed determine.
//!
//! ```
//! use std::sync::Arc;
//! use synod::network::{IdsSpec, Spec};
//! use synod::setup::{Ids, InstanceOptions, instantiate};
//! use synod::simulate::{Outcome, Schedule, SimulateOptions, Unobserved, simulate};
//!
//! let (name, text) = synod::library::source("dolev_klawe_rodeh").unwrap();
//! let checked = synod::check::check(&name, &text, &synod::library::source);
//! let program = Arc::new(checked.program.unwrap());
//!
//! let options = InstanceOptions {
//!     topology: Some(Spec::parse("ring(4)")?),
//!     ids: Ids::Spec(IdsSpec::Explicit(vec![3, 1, 4, 2])),
//!     ..InstanceOptions::default()
//! };
//! let instance = instantiate(&program, &options)?;
//! let options = SimulateOptions { schedule: Schedule::Random, seed: 7, ..SimulateOptions::default() };
//! let run = simulate(&instance, &options, &mut Unobserved);
//! assert_eq!(run.outcome, Outcome::Quiescent);
//! assert_eq!(run.metrics.messages(), 20);
//!
//! // The algorithm assumes a ring, and a star is not a ring.
//! let star = InstanceOptions { topology: Some(Spec::parse("star(3)")?), ..InstanceOptions::default() };
//! assert!(instantiate(&program, &star).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Verdicts and a trace
//!
//! A [`simulate::Observer`] observes each step of a run. [`session::run_monitored`] makes a run observed by property monitors and a recorder.
//!
//! ```
//! # use std::sync::Arc;
//! # use synod::setup::{InstanceOptions, instantiate};
//! use synod::property::Judgement;
//! use synod::session::{Keep, run_monitored};
//! use synod::simulate::SimulateOptions;
//! use synod::trace::Trace;
//!
//! # let (name, text) = synod::library::source("chang_roberts").unwrap();
//! # let program = Arc::new(synod::check::check(&name, &text, &synod::library::source).program.unwrap());
//! # let instance = instantiate(&program, &InstanceOptions::default())?;
//! let seen = run_monitored(&instance, None, Keep::Always, "fifo", &SimulateOptions::default());
//! for verdict in &seen.verdicts {
//!     assert_eq!(verdict.judgement, Judgement::Holds, "{}: {}", verdict.name, verdict.why);
//! }
//! let trace = seen.trace.unwrap();
//! // Writing a trace and reading it again gives the same trace.
//! let again = Trace::read(&trace.to_text()).unwrap();
//! assert_eq!(again, trace);
//! assert!(again.replay(&instance).reproduced());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A trace is a partial order
//!
//! [`trace::histories::Histories`] contains the local history of each process, and the events that happened before each event. Cuts and
//! linearizations follow from these.
//!
//! ```
//! # use std::sync::Arc;
//! # use synod::session::{Keep, run_monitored};
//! # use synod::setup::{InstanceOptions, instantiate};
//! # use synod::simulate::SimulateOptions;
//! use synod::network::Spec;
//! use synod::trace::histories::Histories;
//!
//! # let (name, text) = synod::library::source("chang_roberts").unwrap();
//! # let program = Arc::new(synod::check::check(&name, &text, &synod::library::source).program.unwrap());
//! let options = InstanceOptions { topology: Some(Spec::parse("ring(2)")?), ..InstanceOptions::default() };
//! let instance = instantiate(&program, &options)?;
//! let trace = run_monitored(&instance, None, Keep::Always, "fifo", &SimulateOptions::default()).trace.unwrap();
//! let histories = Histories::of(&trace)?;
//! let lattice = histories.lattice(histories.usual_limit()).unwrap();
//! assert!(lattice.cuts > lattice.width.into());
//! assert!(histories.all_cuts() >= lattice.cuts);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Model checking
//!
//! [`explore::explore`] explores the state space of an instance, and gives a verdict on each property for all runs.
//!
//! ```
//! # use std::sync::Arc;
//! # use synod::network::Spec;
//! # use synod::setup::{InstanceOptions, instantiate};
//! use synod::explore::{ExploreOptions, ViolationKind, explore};
//!
//! # let (name, text) = synod::library::source("voting").unwrap();
//! # let program = Arc::new(synod::check::check(&name, &text, &synod::library::source).program.unwrap());
//! let options = InstanceOptions { topology: Some(Spec::parse("complete(2)")?), ..InstanceOptions::default() };
//! let instance = instantiate(&program, &options)?;
//! let found = explore(&instance, None, &ExploreOptions::default(), &mut |_| None);
//! // Naive voting deadlocks: each process has its own vote, and waits for the vote of the other process.
//! let deadlock = found.counterexamples.iter().find(|c| matches!(c.kind, ViolationKind::Stuck(_))).unwrap();
//! assert!(deadlock.events.len() <= 12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`verification::shrink`] searches for a simpler counterexample. [`scenario::play`] plays the scenarios of a program, [`measure`] makes
//! many runs on networks of growing size, [`render`] draws runs, and [`cli`] is the command line.

#![forbid(unsafe_code)]

pub mod source;

pub mod ascii;
pub mod diagnostic;
pub mod prose;
pub mod stop;

pub mod network;

pub mod ir;

pub mod syntax;

pub mod library;

pub mod check;

pub mod instance;

pub mod semantics;

pub mod simulate;

pub mod property;

pub mod explore;

pub mod setup;

pub mod verification;

pub mod scenario;

pub mod trace;

pub mod report;

pub mod session;

pub mod measure;

pub mod catalogue;

pub mod render;

pub mod input;

pub mod ide;

#[cfg(feature = "cli")]
pub mod lsp;

#[cfg(feature = "cli")]
pub mod cli;

pub mod testing;
