//! Test algorithms in your own cargo project: run one, assert that its properties hold, keep its trace as a snapshot.
//!
//! ```
//! let run = synod::testing::library("chang_roberts").on("ring(4)").ids([3, 1, 4, 2]).run();
//! run.assert_holds();
//! assert_eq!(run.outcome(), synod::testing::Outcome::Quiescent);
//! assert_eq!(run.messages(), 8);
//! assert_eq!(run.value(2, "elected").as_deref(), Some("4"));
//! ```
//!
//! # Snapshots
//!
//! With [insta](https://insta.rs) among the `dev-dependencies` of your project (1.49 or later), one line compares a run
//! with a snapshot:
//!
//! ```
//! # macro_rules! assert_trace { ($run:expr) => { let _ = $run.snapshot(); } }
//! # mod synod_shown { pub use synod::testing; }
//! # use synod_shown as synod;
//! let run = synod::testing::library("chang_roberts").on("ring(4)").run();
//! # /*
//! synod::assert_trace!(run);
//! # */ assert_trace!(run);
//! ```
//!
//! [`assert_trace!`](crate::assert_trace) considers two runs the same if they differ only in the order of concurrent
//! events: no process can distinguish them. `insta::assert_snapshot!(run.snapshot())` demands the same order, too. Such a
//! trace contains neither the version of Synod nor the text of the program: an additional comment, or an update,
//! changes no snapshot. `cargo insta review` shows the changes. Synod itself does not depend on insta.
//!
//! [`Run::assert_like_file`] compares with a snapshot of `synod test`, without insta.
//!
//! # Programs of your own
//!
//! [`file()`] reads a program; cargo runs tests in the folder of their package, so use `file("tests/election.syn")`.
//! [`source`] takes a text.
//!
//! # Panics
//!
//! All functions are for tests. Every problem (a missing file, a program with errors, a network that the algorithm does
//! not assume, a property that does not hold) fails the test, with the message of the command line and the line of the
//! test. The documentation of a function names its own reasons to panic.

#![warn(missing_docs)]

mod explored;
mod run;

pub use crate::api::{Exploration, Run};
pub use crate::ir::Daemon;
pub use crate::report::Verdict;
pub use crate::simulate::Schedule;
pub use crate::trace::{End as Outcome, Trace};

use crate::api::{self, Instance, Program, RunOptions, ScenarioRun, SearchOptions};
use std::fmt::Display;
use std::path::Path;

/// An algorithm and the options of its runs. The defaults are those of the command line: a small network of the family
/// that the algorithm assumes, ids 1, 2, …, every process is an initiator, messages are delivered in the order of
/// sending, seed 1.
#[derive(Clone, Debug)]
pub struct Setup {
    setup: api::Setup,
    schedule: Option<Schedule>,
    max_steps: Option<u64>,
}

/// Load an algorithm of the library by its name: see `synod list`.
///
/// # Panics
/// If the library has no algorithm of that name.
#[track_caller]
pub fn library(name: &str) -> Setup {
    Setup::new(Program::library(name))
}

/// Load a program from a file. Files beside it that it names (problems, layers, networks) are found.
///
/// # Panics
/// If there is no such file, or it does not contain an algorithm without errors.
#[track_caller]
pub fn file(path: impl AsRef<Path>) -> Setup {
    let path = path.as_ref();
    if !path.is_file() {
        panic!("no file {} (tests run in the folder of their package)", path.display());
    }
    Setup::new(Program::read(path))
}

/// Load a program from a text; the library resolves the names in it.
///
/// ```
/// use synod::testing::Outcome;
/// let hello = synod::testing::source("
/// algorithm hello
/// assumes unidirectional ring, fifo
/// message Hello
/// state greeting
///   send Hello
///   receive Hello
///   halt
/// ");
/// let run = hello.on("ring(3)").run();
/// assert_eq!((run.outcome(), run.messages()), (Outcome::Terminated, 3));
/// ```
///
/// # Panics
/// If the text is not an algorithm without errors.
#[track_caller]
pub fn source(text: &str) -> Setup {
    Setup::new(Program::check("source", text))
}

impl Setup {
    #[track_caller]
    fn new(program: Result<Program, api::Error>) -> Setup {
        match program {
            Ok(program) => Setup { setup: program.setup(), schedule: None, max_steps: None },
            Err(error) if error.diagnostics().is_empty() => panic!("{error}"),
            Err(error) => panic!("the program has errors\n{error}"),
        }
    }

    /// Set the topology, as `--on` takes it: `ring(4)`, or the path of a file of edges. It is checked only when
    /// something is run.
    #[must_use]
    pub fn on(mut self, topology: impl Display) -> Setup {
        self.setup = self.setup.on(topology);
        self
    }

    /// Set the id of each process, by position: as many as there are processes.
    #[must_use]
    pub fn ids(mut self, ids: impl IntoIterator<Item = i64>) -> Setup {
        self.setup = self.setup.ids(ids);
        self
    }

    /// Set the assignment of ids: `ascending`, `descending`, `random` (by the seed), or `worst`.
    #[must_use]
    pub fn ids_by(mut self, arrangement: &str) -> Setup {
        self.setup = self.setup.ids_by(arrangement);
        self
    }

    /// Set the positions of the initiators: the processes that may start spontaneously.
    #[must_use]
    pub fn initiators(mut self, positions: impl IntoIterator<Item = u32>) -> Setup {
        self.setup = self.setup.initiators(positions);
        self
    }

    /// Set a parameter, in the syntax of the language: `set("entries", 2)`.
    #[must_use]
    pub fn set(mut self, parameter: &str, value: impl Display) -> Setup {
        self.setup = self.setup.set(parameter, value);
        self
    }

    /// Set the daemon, which selects the processes that step together where processes read their neighbours' variables.
    #[must_use]
    pub fn daemon(mut self, daemon: Daemon) -> Setup {
        self.setup = self.setup.daemon(daemon);
        self
    }

    /// Set the budget of random faults, as `--faults` takes it: `crash<=1, loss<=2`.
    #[must_use]
    pub fn faults(mut self, bounds: &str) -> Setup {
        self.setup = self.setup.faults(bounds);
        self
    }

    /// Set the schedule. The default is `fifo`, with faults `random`.
    #[must_use]
    pub fn schedule(mut self, schedule: Schedule) -> Setup {
        self.schedule = Some(schedule);
        self
    }

    /// Set the seed of all random choices. A seed determines the same run on every machine, forever.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Setup {
        self.setup = self.setup.seed(seed);
        self
    }

    /// End the run after this many steps, as `limit`. A step is one event: a message taken, or a command executed.
    #[must_use]
    pub fn max_steps(mut self, steps: u64) -> Setup {
        self.max_steps = Some(steps);
        self
    }

    /// Run the algorithm once.
    ///
    /// # Panics
    /// If the algorithm does not assume this network, or a parameter, an id or a topology is invalid.
    #[track_caller]
    pub fn run(&self) -> Run {
        let usual = if self.setup.texts.faults.is_some() { Schedule::Random } else { Schedule::Fifo };
        self.run_once(self.schedule.unwrap_or(usual), self.setup.seed)
    }

    /// Run once for each seed; the default schedule is `random`.
    ///
    /// ```
    /// let election = synod::testing::library("chang_roberts").on("ring(5)").ids_by("random");
    /// election.runs(0..20).for_each(|run| run.assert_holds());
    /// ```
    pub fn runs(&self, seeds: impl IntoIterator<Item = u64>) -> impl Iterator<Item = Run> {
        let schedule = self.schedule.unwrap_or(Schedule::Random);
        seeds.into_iter().map(move |seed| self.run_once(schedule, seed))
    }

    /// Explore all interleavings and choices, like `synod verify`. This may take long: networks of three to five
    /// processes are usual.
    ///
    /// ```
    /// let explored = synod::testing::library("chang_roberts").on("ring(3)").verify();
    /// explored.assert_holds();
    /// assert_eq!(explored.verdict("at_most"), synod::testing::Verdict::Holds);
    /// ```
    #[track_caller]
    pub fn verify(&self) -> Exploration {
        self.verify_within(SearchOptions::default().max_configurations)
    }

    /// Explore at most this many configurations; beyond, the search is incomplete.
    #[track_caller]
    pub fn verify_within(&self, configurations: u64) -> Exploration {
        let options = SearchOptions { max_configurations: configurations, ..SearchOptions::default() };
        self.instance(self.setup.seed).explore(&options)
    }

    /// Play all scenarios of the program and assert that they pass.
    ///
    /// ```
    /// synod::testing::library("chang_roberts").assert_scenarios_pass();
    /// ```
    #[track_caller]
    pub fn assert_scenarios_pass(&self) {
        let failed = self.setup.program.play_all().into_iter().filter(|played| !played.passed());
        let all: Vec<String> = failed
            .flat_map(|played| {
                played.failures.into_iter().map(move |why| format!("\n  {}: {why}", played.name))
            })
            .collect();
        if !all.is_empty() {
            panic!("scenarios of {} failed:{}", self.setup.program.name(), all.concat());
        }
    }

    /// Play a scenario of the program, assert that it passes, and return its trace.
    ///
    /// ```
    /// let trace = synod::testing::library("chang_roberts").scenario("ascending");
    /// assert!(trace.to_text().starts_with("synod trace"));
    /// ```
    ///
    /// # Panics
    /// If the program has no scenario of that name, or it does not pass.
    #[track_caller]
    pub fn scenario(&self, name: &str) -> Trace {
        match self.setup.program.play(name) {
            Ok(ScenarioRun { failures, trace: Some(trace), .. }) if failures.is_empty() => trace,
            Ok(played) => panic!("{name} does not pass: {}", played.failures.join("; ")),
            Err(error) => panic!("{error}"),
        }
    }

    #[track_caller]
    fn run_once(&self, schedule: Schedule, seed: u64) -> Run {
        self.instance(seed).simulate(&RunOptions { schedule, seed, max_steps: self.max_steps })
    }

    #[track_caller]
    fn instance(&self, seed: u64) -> Instance {
        let setup = self.setup.clone().seed(seed);
        setup.instantiate().unwrap_or_else(|error| panic!("{} cannot run: {error}", setup.program.name()))
    }
}

/// Whether two texts are traces of the same run, up to the order of concurrent events; false for texts that are no
/// traces. [`assert_trace!`](crate::assert_trace) compares so.
pub fn is_same_run(a: &str, b: &str) -> bool {
    match (Trace::read(a), Trace::read(b)) {
        (Ok(a), Ok(b)) => a.is_same_run(&b),
        _ => false,
    }
}

/// Compare a run with its snapshot, which insta keeps, up to the order of concurrent events.
///
/// `assert_trace!(run)`, or `assert_trace!("name", run)` for a snapshot of that name; `run` is a
/// [`Run`](crate::testing::Run). insta, 1.49 or later, must be among the `dev-dependencies` of your project.
#[macro_export]
macro_rules! assert_trace {
    ($run:expr $(,)?) => {{
        let _same_runs = $crate::assert_trace!(@settings);
        ::insta::assert_snapshot!($run.snapshot());
    }};
    ($name:expr, $run:expr $(,)?) => {{
        let _same_runs = $crate::assert_trace!(@settings);
        ::insta::assert_snapshot!($name, $run.snapshot());
    }};
    (@settings) => {{
        #[derive(Clone, Copy)]
        struct SameRun;
        impl ::insta::Comparator for SameRun {
            fn matches(&self, reference: &::insta::Snapshot, test: &::insta::Snapshot) -> bool {
                match (reference.as_text(), test.as_text()) {
                    (Some(a), Some(b)) => $crate::testing::is_same_run(&a.to_string(), &b.to_string()),
                    _ => false,
                }
            }
            fn dyn_clone(&self) -> ::std::boxed::Box<dyn ::insta::Comparator> {
                ::std::boxed::Box::new(*self)
            }
        }
        let mut settings = ::insta::Settings::clone_current();
        settings.set_comparator(::std::boxed::Box::new(SameRun));
        settings.bind_to_scope()
    }};
}
