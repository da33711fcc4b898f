//! Synod: a guarded-command language for distributed algorithms, and the tool around it.
//!
//! The modules stand in reading order; a module imports only from those above it. What the command line does can be done from
//! a program in the same steps.
//!
//! # A program
//!
//! [`check::check`] takes a name for diagnostics, a text, and a function that finds other files: problems, layers, what is varied.
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
//! # An instance, and a run
//!
//! [`setup::instantiate`] puts a program on a network and checks that the network is what the program assumes. Then [`simulate::simulate`] makes a
//! run: the instance, the schedule and the seed determine it.
//!
//! ```
//! use std::sync::Arc;
//! use synod::network::{IdsSpec, Spec};
//! use synod::setup::{Ids, Wishes, instantiate};
//! use synod::simulate::{Options, Outcome, Schedule, Unobserved, simulate};
//!
//! let (name, text) = synod::library::source("dolev_klawe_rodeh").unwrap();
//! let checked = synod::check::check(&name, &text, &synod::library::source);
//! let program = Arc::new(checked.program.unwrap());
//!
//! let wishes = Wishes {
//!     topology: Some(Spec::parse("ring(4)")?),
//!     ids: Ids::Spec(IdsSpec::Explicit(vec![3, 1, 4, 2])),
//!     ..Wishes::default()
//! };
//! let instance = instantiate(&program, &wishes)?;
//! let options = Options { schedule: Schedule::Random, seed: 7, ..Options::default() };
//! let run = simulate(&instance, &options, &mut Unobserved);
//! assert_eq!(run.outcome, Outcome::Quiescent);
//! assert_eq!(run.metrics.messages(), 20);
//!
//! // It assumes a ring, and a star is none.
//! let star = Wishes { topology: Some(Spec::parse("star(3)")?), ..Wishes::default() };
//! assert!(instantiate(&program, &star).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Verdicts and a trace
//!
//! Whoever wants to know more watches the run: [`simulate::Observer`]. [`session::watched`] lets the properties and a recorder watch.
//!
//! ```
//! # use std::sync::Arc;
//! # use synod::setup::{Wishes, instantiate};
//! use synod::property::Judgement;
//! use synod::session::{Keep, watched};
//! use synod::simulate::Options;
//! use synod::trace::Trace;
//!
//! # let (name, text) = synod::library::source("chang_roberts").unwrap();
//! # let program = Arc::new(synod::check::check(&name, &text, &synod::library::source).program.unwrap());
//! # let instance = instantiate(&program, &Wishes::default())?;
//! let seen = watched(&instance, None, Keep::Always, "fifo", &Options::default());
//! for verdict in &seen.verdicts {
//!     assert_eq!(verdict.judgement, Judgement::Holds, "{}: {}", verdict.name, verdict.why);
//! }
//! let trace = seen.trace.unwrap();
//! // A trace is a text, and the text is the trace.
//! let again = Trace::read(&trace.to_text()).unwrap();
//! assert_eq!(again, trace);
//! assert!(again.replay(&instance).reproduced());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A trace is a partial order
//!
//! [`trace::histories::Histories`] has the events of each process, and for each event what happened before it; from these follow cuts and linearizations.
//!
//! ```
//! # use std::sync::Arc;
//! # use synod::session::{Keep, watched};
//! # use synod::setup::{Wishes, instantiate};
//! # use synod::simulate::Options;
//! use synod::network::Spec;
//! use synod::trace::histories::Histories;
//!
//! # let (name, text) = synod::library::source("chang_roberts").unwrap();
//! # let program = Arc::new(synod::check::check(&name, &text, &synod::library::source).program.unwrap());
//! let wishes = Wishes { topology: Some(Spec::parse("ring(2)")?), ..Wishes::default() };
//! let instance = instantiate(&program, &wishes)?;
//! let trace = watched(&instance, None, Keep::Always, "fifo", &Options::default()).trace.unwrap();
//! let histories = Histories::of(&trace)?;
//! let lattice = histories.lattice(histories.usual_limit()).unwrap();
//! assert!(lattice.cuts > lattice.width.into());
//! assert!(histories.all_cuts() >= lattice.cuts);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Every run
//!
//! [`explore::explore`] goes through all configurations that an instance can come to, and gives verdicts on all runs at once.
//!
//! ```
//! # use std::sync::Arc;
//! # use synod::network::Spec;
//! # use synod::setup::{Wishes, instantiate};
//! use synod::explore::{Options, Wrong, explore};
//!
//! # let (name, text) = synod::library::source("voting").unwrap();
//! # let program = Arc::new(synod::check::check(&name, &text, &synod::library::source).program.unwrap());
//! let wishes = Wishes { topology: Some(Spec::parse("complete(2)")?), ..Wishes::default() };
//! let instance = instantiate(&program, &wishes)?;
//! let found = explore(&instance, None, &Options::default(), &mut |_| None);
//! // The naive way to vote: each has its own vote, and waits for the other's.
//! let deadlock = found.counterexamples.iter().find(|c| matches!(c.what, Wrong::Stuck(_))).unwrap();
//! assert!(deadlock.events.len() <= 12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`scenario::play`] plays the scenarios of a program, [`measure`] makes many runs over sizes, [`render`] draws, and [`cli`] is the shell around all this.

#![forbid(unsafe_code)]

pub mod source;

pub mod ascii;
pub mod diagnostic;
pub mod prose;

pub mod syntax;

pub mod network;

pub mod ir;

pub mod library;

pub mod check;

pub mod instance;

pub mod semantics;

pub mod simulate;

pub mod property;

pub mod explore;

pub mod setup;

pub mod scenario;

pub mod trace;

pub mod report;

pub mod session;

pub mod measure;

pub mod catalogue;

pub mod render;

pub mod ide;

pub mod lsp;

pub mod cli;

pub mod testing;
