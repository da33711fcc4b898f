//! A run that has ended, for a test to look at.

use super::{Schedule, said};
use crate::cli::input;
use crate::instance::Instance;
use crate::render::diff::Compared;
use crate::render::{Look, space_time};
use crate::report::{Report, Verdict};
use crate::session::{self, Watched};
use crate::trace::Trace;
use crate::trace::snapshot::{Redactions, Snapshot};
use std::fmt;
use std::path::Path;

/// A run that has ended.
pub struct Run {
    instance: Instance,
    watched: Watched,
    schedule: Schedule,
    seed: u64,
}

impl Run {
    pub(super) fn new(instance: Instance, watched: Watched, schedule: Schedule, seed: u64) -> Run {
        Run { instance, watched, schedule, seed }
    }

    /// Everything that `synod run` says; as JSON by serde, as `synod run --json` prints it.
    pub fn report(&self) -> Report<'_> {
        session::report(&self.instance, &self.watched, self.schedule.as_str(), self.seed)
    }

    /// Its seed: the one to run again where it shows something.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// How it ended: `terminated`, `quiescent`, `stuck`, `settled`, `limit` or `aborted`.
    pub fn outcome(&self) -> &'static str {
        self.watched.end().as_str()
    }

    /// Steps that were taken: events, one for each message taken and each command done.
    pub fn steps(&self) -> u64 {
        self.watched.run.steps
    }

    /// Messages sent, without those of a process to itself.
    pub fn messages(&self) -> u64 {
        self.watched.run.metrics.messages()
    }

    /// Messages of a type sent, those of a process to itself included; 0 for a type that the program does not have.
    pub fn sent(&self, message: &str) -> u64 {
        let sent = self.report().messages.sent.0;
        sent.into_iter().find(|(name, _)| name == message).map_or(0, |(_, count)| count)
    }

    /// Rounds that have ended; None where there are none.
    pub fn rounds(&self) -> Option<u64> {
        self.report().rounds
    }

    /// The last value of a variable or output of the process at this position, as the language writes it; `state` is its control state.
    /// None: there is no such process, or it has no such variable.
    pub fn value(&self, process: usize, name: &str) -> Option<String> {
        let report = self.report();
        let of = report.processes.iter().nth(process)?;
        if name == "state" {
            return of.state;
        }
        of.vars.text(name).or_else(|| of.outputs.text(name)).map(String::from)
    }

    /// What a property came to: `holds`, `violated`, `pending` or `not checked`.
    ///
    /// # Panics
    /// When neither the program nor its problem has a property of that name.
    #[track_caller]
    pub fn verdict(&self, property: &str) -> &'static str {
        super::judged(&self.watched.verdicts, property)
    }

    /// Did all that the algorithm promises hold, and did it end well?
    pub fn holds(&self) -> bool {
        self.wrong().is_empty()
    }

    /// All that the algorithm promises holds, and has been decided; nobody is stuck, nothing went wrong, no limit was reached.
    ///
    /// # Panics
    /// When it does not: with every property that fails, and why.
    #[track_caller]
    pub fn assert_holds(&self) {
        let wrong = self.wrong();
        assert!(wrong.is_empty(), "{self}:\n  {}", wrong.join("\n  "));
    }

    fn wrong(&self) -> Vec<String> {
        let report = self.report();
        let outcome = self.outcome();
        let mut wrong = Vec::new();
        if matches!(outcome, "stuck" | "aborted" | "limit") {
            wrong.push(format!("it is {outcome}"));
            wrong.extend(report.explanation);
        }
        let promised = report.properties.iter().filter(|p| p.promised && p.verdict != Verdict::Holds);
        wrong.extend(promised.map(|p| format!("{} is {}: {}", p.name, p.verdict.as_str(), p.why)));
        wrong
    }

    /// What happened, as a text for a snapshot: see the [module](super). It is a trace that all of `synod trace` takes.
    pub fn trace(&self) -> String {
        self.trace_without("")
    }

    /// The same without some variables and what stands in some messages: `p*.clock, Request(*)`.
    #[track_caller]
    pub fn trace_without(&self, left_out: &str) -> String {
        let redactions = Redactions::parse(left_out).unwrap_or_else(|why| panic!("{why}"));
        Snapshot::new(self.recorded().clone(), redactions).to_text()
    }

    /// What happened, as data.
    pub fn recorded(&self) -> &Trace {
        self.watched.trace.as_ref().expect("runs of tests are recorded, however long they are")
    }

    /// The space-time diagram, as `synod run` draws it.
    pub fn diagram(&self) -> String {
        space_time::space_time(self.recorded(), &space_time::SpaceTimeOptions::default())
    }

    /// The other run is the same, up to the order of concurrent events.
    ///
    /// ```
    /// use synod::testing::Schedule;
    /// let ring = synod::testing::library("chang_roberts").on("ring(4)");
    /// ring.run().assert_same_run(&ring.clone().schedule(Schedule::RoundRobin).run());
    /// ```
    #[track_caller]
    pub fn assert_same_run(&self, other: &Run) {
        self.compare("this run", "the other one", self.recorded(), other.recorded());
    }

    /// The run is the same as in a file, up to the order of concurrent events: a snapshot of `synod test`, or any trace. What a snapshot
    /// leaves out is left out here, too.
    #[track_caller]
    pub fn assert_like_file(&self, path: impl AsRef<Path>) {
        let name = path.as_ref().display().to_string();
        let text = input::trace(&name).unwrap_or_else(|failure| panic!("{}", said(&failure)));
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
            panic!("{}", Compared { diff: &diff, a: (a, left), b: (b, right), look, list_width }.text(false));
        }
    }
}

/// What was run: `chang_roberts on ring(4), schedule fifo, seed 1`.
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
