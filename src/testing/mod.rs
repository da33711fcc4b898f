//! Test algorithms in your own cargo project: run one, assert that its properties hold, keep its trace as a snapshot.
//!
//! ```
//! let run = synod::testing::library("chang_roberts").on("ring(4)").ids([3, 1, 4, 2]).run();
//! run.assert_holds();
//! assert_eq!(run.outcome(), "quiescent");
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
//! # macro_rules! assert_trace { ($run:expr) => { let _ = $run.trace(); } }
//! # mod synod_shown { pub use synod::testing; }
//! # use synod_shown as synod;
//! let run = synod::testing::library("chang_roberts").on("ring(4)").run();
//! # /*
//! synod::assert_trace!(run);
//! # */ assert_trace!(run);
//! ```
//!
//! [`assert_trace!`](crate::assert_trace) considers two runs the same if they differ only in the order of concurrent
//! events: no process can distinguish them. `insta::assert_snapshot!(run.trace())` demands the same order, too. Such a
//! trace contains neither the version of Synod nor the text of the program: an additional comment, or an update,
//! changes no snapshot. `cargo insta review` shows the changes. Synod itself does not depend on insta.
//!
//! [`Run::assert_like_file`] compares with a snapshot of `synod test`, without insta.
//!
//! # Programs of your own
//!
//! [`file`] reads a program; cargo runs tests in the folder of their package, so use `file("tests/election.syn")`.
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

pub use crate::ir::Daemon;
pub use crate::simulate::Schedule;
pub use explored::Explored;
pub use run::Run;

use crate::check::{Checked, check};
use crate::diagnostic::Diagnostic;
use crate::explore::{self, explore};
use crate::input::{self, InputError, InstanceTexts};
use crate::instance::Instance;
use crate::ir::{Budget, DEFAULT_SEED, Program};
use crate::library as stdlib;
use crate::property::Verdict;
use crate::render::Look;
use crate::render::diagnostics::diagnostics;
use crate::session::{Keep, record_scenario, run_monitored};
use crate::setup::{InstanceOptions, instantiate};
use crate::simulate::SimulateOptions;
use crate::stop::StopSignal;
use crate::trace::Trace;
use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

/// An algorithm and the options of its runs. The defaults are those of the command line: a small network of the family
/// that the algorithm assumes, ids 1, 2, …, every process is an initiator, messages are delivered in the order of
/// sending, seed 1.
#[derive(Clone, Debug)]
pub struct Setup {
    program: Arc<Program>,
    options: InstanceTexts,
    schedule: Option<Schedule>,
    seed: u64,
    max_steps: Option<u64>,
}

/// Load an algorithm of the library by its name: see `synod list`.
///
/// # Panics
/// If the library has no algorithm of that name.
#[track_caller]
pub fn library(name: &str) -> Setup {
    let Some((shown, text)) = stdlib::source(name) else {
        match stdlib::nearest(name, Some(false)) {
            Some(near) => panic!("the library has no algorithm {name}; did you mean {near}?"),
            None => panic!("the library has no algorithm {name}; `synod list` lists all"),
        }
    };
    Setup::new(check(&shown, &text, &stdlib::source))
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
    let checked = input::read_program(&path.display().to_string()).and_then(|text| text.check());
    Setup::new(checked.unwrap_or_else(|failure| panic!("{}", failure)))
}

/// Load a program from a text; the library resolves the names in it.
///
/// ```
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
/// assert_eq!((run.outcome(), run.messages()), ("terminated", 3));
/// ```
///
/// # Panics
/// If the text is not an algorithm without errors.
#[track_caller]
pub fn source(text: &str) -> Setup {
    Setup::new(check("source", text, &stdlib::source))
}

impl Setup {
    #[track_caller]
    fn new(checked: Checked) -> Setup {
        if checked.diagnostics.iter().any(Diagnostic::is_error) {
            panic!(
                "the program has errors\n{}",
                diagnostics(&checked.sources, &checked.diagnostics, Look::PLAIN)
            );
        }
        match (checked.program, checked.header) {
            (_, Some(header)) if header.is_problem => {
                panic!("{} is a problem and cannot be run", header.name)
            }
            (Some(program), _) => Setup {
                program: Arc::new(program),
                options: InstanceTexts::default(),
                schedule: None,
                seed: DEFAULT_SEED,
                max_steps: None,
            },
            (None, _) => panic!("the program contains no algorithm"),
        }
    }

    /// Set the topology, as `--on` takes it: `ring(4)`, or the path of a file of edges. It is checked only when
    /// something is run.
    #[must_use]
    pub fn on(mut self, topology: impl Display) -> Setup {
        self.options.on = Some(topology.to_string());
        self
    }

    /// Set the id of each process, by position: as many as there are processes.
    #[must_use]
    pub fn ids(self, ids: impl IntoIterator<Item = i64>) -> Setup {
        let ids: Vec<String> = ids.into_iter().map(|id| id.to_string()).collect();
        self.ids_by(&ids.join(","))
    }

    /// Set the assignment of ids: `ascending`, `descending`, `random` (by the seed), or `worst`.
    #[must_use]
    pub fn ids_by(mut self, way: &str) -> Setup {
        self.options.ids = Some(way.into());
        self
    }

    /// Set the positions of the initiators: the processes that may start spontaneously.
    #[must_use]
    pub fn initiators(mut self, positions: impl IntoIterator<Item = u32>) -> Setup {
        let all: Vec<String> = positions.into_iter().map(|p| format!("p{p}")).collect();
        self.options.initiators = Some(if all.is_empty() { "none".into() } else { all.join(",") });
        self
    }

    /// Set a parameter, in the syntax of the language: `set("entries", 2)`.
    #[must_use]
    pub fn set(mut self, parameter: &str, value: impl Display) -> Setup {
        self.options.set.push(format!("{parameter}={value}"));
        self
    }

    /// Set the daemon, which selects the processes that step together where processes read their neighbours' variables.
    #[must_use]
    pub fn daemon(mut self, daemon: Daemon) -> Setup {
        self.options.daemon = Some(daemon);
        self
    }

    /// Set the budget of random faults, as `--faults` takes it: `crash<=1, loss<=2`.
    #[must_use]
    #[track_caller]
    pub fn faults(mut self, bounds: &str) -> Setup {
        self.options.faults = Budget::parse(bounds).unwrap_or_else(|why| panic!("{why}"));
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
        self.seed = seed;
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
        let faulty = !self.options.faults.is_empty();
        let usual = if faulty { Schedule::Random } else { Schedule::Fifo };
        self.run_once(self.schedule.unwrap_or(usual), self.seed)
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
    /// assert_eq!(explored.verdict("at_most"), "holds");
    /// ```
    #[track_caller]
    pub fn verify(&self) -> Explored {
        self.verify_within(explore::DEFAULT_MAX_CONFIGURATIONS)
    }

    /// Explore at most this many configurations; beyond, the search is incomplete.
    #[track_caller]
    pub fn verify_within(&self, configurations: u64) -> Explored {
        let options = self.instance_options(self.seed);
        let instance = self.instance_of(&options);
        let search = explore::ExploreOptions {
            max_configurations: configurations,
            max_bytes: Some(explore::DEFAULT_MAX_BYTES),
            ..explore::ExploreOptions::default()
        };
        let exploration = explore(&instance, None, &search, &mut |_| None);
        Explored::new(instance, exploration, options, search)
    }

    /// Play all scenarios of the program and assert that they pass.
    ///
    /// ```
    /// synod::testing::library("chang_roberts").assert_scenarios_pass();
    /// ```
    #[track_caller]
    pub fn assert_scenarios_pass(&self) {
        let mut wrong = String::new();
        for scenario in &self.program.scenarios {
            let (played, _) = record_scenario(&self.program, scenario, &StopSignal::default());
            for failure in played.failures {
                let place = self.program.sources.place(failure.span);
                wrong += &format!("\n  {} ({place}): {}", played.name, failure.message);
            }
        }
        assert!(wrong.is_empty(), "scenarios of {} failed:{wrong}", self.program.name);
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
        let Some(scenario) = self.program.scenarios.iter().find(|scenario| scenario.name == name) else {
            let known: Vec<&str> = self.program.scenarios.iter().map(|s| s.name.as_str()).collect();
            panic!("{} has no scenario {name}; known: {}", self.program.name, known.join(", "));
        };
        match record_scenario(&self.program, scenario, &StopSignal::default()) {
            (played, Some(trace)) if played.passed() => trace,
            (played, _) => {
                let why = played.failures.iter().map(|failure| failure.message.as_str());
                panic!("{name} does not pass: {}", why.collect::<Vec<_>>().join("; "))
            }
        }
    }

    #[track_caller]
    fn run_once(&self, schedule: Schedule, seed: u64) -> Run {
        let instance = self.instance_of(&self.instance_options(seed));
        let options = SimulateOptions { schedule, seed, max_steps: self.max_steps };
        let watched = run_monitored(&instance, None, Keep::Always, schedule.as_str(), &options);
        Run::new(instance, watched, schedule, seed)
    }

    #[track_caller]
    fn instance_options(&self, seed: u64) -> InstanceOptions {
        let options = self.options.options(&self.program, seed);
        options.unwrap_or_else(|error| panic!("{} cannot run: {error}", self.program.name))
    }

    #[track_caller]
    fn instance_of(&self, options: &InstanceOptions) -> Instance {
        let made = instantiate(&self.program, options).map_err(InputError::from);
        made.unwrap_or_else(|error| panic!("{} cannot run: {error}", self.program.name))
    }
}

/// Return the verdict of a property as a word.
#[track_caller]
fn verdict_word(verdicts: &[Verdict], property: &str) -> &'static str {
    let Some(verdict) = verdicts.iter().find(|verdict| verdict.name == property) else {
        let known: Vec<&str> = verdicts.iter().map(|verdict| verdict.name.as_str()).collect();
        panic!("no property {property}; known: {}", known.join(", "));
    };
    verdict.judgement.as_str()
}

/// Whether two texts are traces of the same run, up to the order of concurrent events; false for texts that are no
/// traces. [`assert_trace!`](crate::assert_trace) compares so.
pub fn is_same_run(a: &str, b: &str) -> bool {
    match (Trace::read(a), Trace::read(b)) {
        (Ok(a), Ok(b)) => crate::trace::diff::diff(&a, &b).is_equal(false),
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
        ::insta::assert_snapshot!($run.trace());
    }};
    ($name:expr, $run:expr $(,)?) => {{
        let _same_runs = $crate::assert_trace!(@settings);
        ::insta::assert_snapshot!($name, $run.trace());
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
