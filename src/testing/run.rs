//! Finished runs, for assertions in tests.

use super::Schedule;
use crate::input;
use crate::instance::Instance;
use crate::render::diff::Comparison;
use crate::render::{Look, space_time};
use crate::report::{Report, Verdict};
use crate::session::{self, MonitoredRun};
use crate::trace::Trace;
use crate::trace::snapshot::{Redactions, Snapshot};
use std::fmt;
use std::path::Path;

/// A finished run.
pub struct Run {
    instance: Instance,
    watched: MonitoredRun,
    schedule: Schedule,
    seed: u64,
}

impl Run {
    pub(super) fn new(instance: Instance, watched: MonitoredRun, schedule: Schedule, seed: u64) -> Run {
        Run { instance, watched, schedule, seed }
    }

    /// Return the report of `synod run`; serde serializes it as `synod run --json` prints it.
    pub fn report(&self) -> Report<'_> {
        session::report(&self.instance, &self.watched, self.schedule.as_str(), self.seed)
    }

    /// Return the seed, which reproduces the run.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Return the outcome: `terminated`, `quiescent`, `stuck`, `settled`, `limit` or `aborted`.
    pub fn outcome(&self) -> &'static str {
        self.watched.end().as_str()
    }

    /// Return the number of steps, that is, events: one for each message taken and each command executed.
    pub fn steps(&self) -> u64 {
        self.watched.run.steps
    }

    /// Return the number of messages sent, without those of a process to itself.
    pub fn messages(&self) -> u64 {
        self.watched.run.metrics.messages()
    }

    /// Return the number of messages of a type sent, including those of a process to itself; 0 for an unknown type.
    pub fn sent(&self, message: &str) -> u64 {
        let sent = self.report().messages.sent.0;
        sent.into_iter().find(|(name, _)| name == message).map_or(0, |(_, count)| count)
    }

    /// Return the number of rounds that have ended; `None` without rounds.
    pub fn rounds(&self) -> Option<u64> {
        self.report().rounds
    }

    /// Return the last value of a variable or output of the process at this position, in the syntax of the language;
    /// `state` is its control state. Return `None` if there is no such process or variable.
    pub fn value(&self, process: usize, name: &str) -> Option<String> {
        let report = self.report();
        let of = report.processes.iter().nth(process)?;
        if name == "state" {
            return of.state;
        }
        of.vars.text(name).or_else(|| of.outputs.text(name)).map(String::from)
    }

    /// Return the verdict of a property: `holds`, `violated`, `pending` or `not checked`.
    ///
    /// # Panics
    /// If neither the program nor its problem has a property of that name.
    #[track_caller]
    pub fn verdict(&self, property: &str) -> &'static str {
        super::verdict_word(&self.watched.verdicts, property)
    }

    /// Whether every property that the algorithm claims holds, and the run is neither stuck, aborted nor cut off.
    pub fn holds(&self) -> bool {
        self.findings().is_empty()
    }

    /// Assert that every property that the algorithm claims holds (none is pending), and that the run is neither stuck,
    /// aborted nor cut off.
    ///
    /// # Panics
    /// If not: with every failed property, and the reason.
    #[track_caller]
    pub fn assert_holds(&self) {
        let wrong = self.findings();
        assert!(wrong.is_empty(), "{self}:\n  {}", wrong.join("\n  "));
    }

    fn findings(&self) -> Vec<String> {
        let report = self.report();
        let outcome = self.outcome();
        let mut wrong = Vec::new();
        if matches!(outcome, "stuck" | "aborted" | "limit") {
            wrong.push(format!("the run is {outcome}"));
            wrong.extend(report.explanation);
        }
        let promised = report.properties.iter().filter(|p| p.promised && p.verdict != Verdict::Holds);
        wrong.extend(promised.map(|p| format!("{} is {}: {}", p.name, p.verdict.as_str(), p.why)));
        wrong
    }

    /// Return the trace as text for a snapshot: see the [module](super). All commands of `synod trace` accept it.
    pub fn trace(&self) -> String {
        self.trace_without("")
    }

    /// Return the trace without some variables and fields of messages: `p*.clock, Request(*)`.
    #[track_caller]
    pub fn trace_without(&self, left_out: &str) -> String {
        let redactions = Redactions::parse(left_out).unwrap_or_else(|why| panic!("{why}"));
        Snapshot::new(self.recorded().clone(), redactions).to_text()
    }

    /// Return the recorded trace.
    pub fn recorded(&self) -> &Trace {
        self.watched.trace.as_ref().expect("runs of tests are always recorded")
    }

    /// Return the space-time diagram, as `synod run` draws it.
    pub fn diagram(&self) -> String {
        space_time::space_time(self.recorded(), &space_time::SpaceTimeOptions::default())
    }

    /// Assert that the other run is the same, up to the order of concurrent events.
    ///
    /// ```
    /// use synod::testing::Schedule;
    /// let ring = synod::testing::library("chang_roberts").on("ring(4)");
    /// ring.run().assert_same_run(&ring.clone().schedule(Schedule::RoundRobin).run());
    /// ```
    #[track_caller]
    pub fn assert_same_run(&self, other: &Run) {
        self.compare("this run", "the other run", self.recorded(), other.recorded());
    }

    /// Assert that the run is the same as in a file, up to the order of concurrent events: a snapshot of `synod test`,
    /// or any trace. Redactions of the snapshot apply to the run, too.
    #[track_caller]
    pub fn assert_like_file(&self, path: impl AsRef<Path>) {
        let name = path.as_ref().display().to_string();
        let text = input::read_trace(&name).unwrap_or_else(|failure| panic!("{}", failure));
        let kept = Snapshot::read(&text).unwrap_or_else(|error| panic!("{name} is not a trace: {error}"));
        let now = Snapshot::new(self.recorded().clone(), kept.redactions.clone());
        self.compare(&name, "this run", kept.trace(), now.trace());
    }

    #[track_caller]
    fn compare(&self, a: &str, b: &str, left: &Trace, right: &Trace) {
        let diff = crate::trace::diff::diff(left, right);
        if !diff.is_equal(false) {
            let list_width = usize::MAX;
            let look = Look::PLAIN;
            panic!(
                "{}",
                Comparison { diff: &diff, a: (a, left), b: (b, right), look, list_width }.text(false)
            );
        }
    }
}

/// Description of the run: `chang_roberts on ring(4), schedule fifo, seed 1`.
impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (algorithm, network) = (&self.instance.program.name, self.instance.network.topology());
        write!(f, "{algorithm} on {network}, schedule {}, seed {}", self.schedule.as_str(), self.seed)
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Run({self}: {})", self.outcome())
    }
}
