//! Runs of an instance.

use super::instance::Instance;
use super::verdict::PropertyVerdict;
use crate::ir::DEFAULT_SEED;
use crate::report::{Report, Verdict};
use crate::session::{self, Keep, MonitoredRun, run_until_repeated};
use crate::simulate::{Schedule, SimulateOptions};
use crate::trace::{End, Trace};
use std::fmt;

/// Options of a run. An instance and these options determine it, on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunOptions {
    /// The scheduler, which chooses the next step.
    pub schedule: Schedule,
    /// Seed of all random choices of the run.
    pub seed: u64,
    /// Maximum number of steps. `None`: a run without an end is stopped when its continuation would decide nothing more.
    /// A run that is known to repeat a cycle forever is stopped in any case, if the cycle decides pending properties.
    pub max_steps: Option<u64>,
}

impl Default for RunOptions {
    /// Messages are delivered in the order of sending; seed 1.
    fn default() -> RunOptions {
        RunOptions { schedule: Schedule::Fifo, seed: DEFAULT_SEED, max_steps: None }
    }
}

/// A finished run, with its costs, its verdicts and its trace.
///
/// ```
/// use synod::{Outcome, RunOptions, Schedule, Verdict};
///
/// let election = synod::Program::library("dolev_klawe_rodeh")?;
/// let instance = election.on("ring(4)").ids([3, 1, 4, 2]).instantiate()?;
/// let run = instance.simulate(&RunOptions { schedule: Schedule::Random, seed: 7, ..RunOptions::default() });
/// assert_eq!(run.outcome(), Outcome::Quiescent);
/// assert_eq!(run.messages(), 20);
/// assert_eq!(run.verdict("uniqueness"), Verdict::Holds);
/// assert!(run.holds());
/// # Ok::<(), synod::Error>(())
/// ```
#[derive(Clone)]
pub struct Run {
    instance: Instance,
    watched: std::sync::Arc<MonitoredRun>,
    options: RunOptions,
}

impl Instance {
    /// Make one run, with all properties monitored.
    pub fn simulate(&self, options: &RunOptions) -> Run {
        let RunOptions { schedule, seed, max_steps } = *options;
        let options = SimulateOptions { schedule, seed, max_steps, ..SimulateOptions::default() };
        let watched = run_until_repeated(&self.instance, None, Keep::Always, schedule.as_str(), &options);
        let options = RunOptions { schedule, seed, max_steps };
        Run { instance: self.clone(), watched: watched.into(), options }
    }
}

impl Run {
    pub(crate) fn report(&self) -> Report<'_> {
        let RunOptions { schedule, seed, .. } = self.options;
        session::report(&self.instance.instance, &self.watched, schedule.as_str(), seed)
    }

    /// Return the instance.
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// Return the options, which reproduce the run.
    pub fn options(&self) -> &RunOptions {
        &self.options
    }

    /// Return the outcome.
    pub fn outcome(&self) -> End {
        self.watched.end()
    }

    /// Return the reasons for the outcome, one sentence each: a deadlock, or a run-time error.
    pub fn explanation(&self) -> Vec<String> {
        self.report().explanation
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

    /// Return the number of bits of the messages sent to others.
    pub fn bits(&self) -> u64 {
        self.report().bits
    }

    /// Return the length of the longest causal chain of messages.
    pub fn time(&self) -> u64 {
        self.report().time
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

    /// Return the verdicts on all properties.
    pub fn verdicts(&self) -> Vec<PropertyVerdict> {
        PropertyVerdict::all(&self.watched.verdicts)
    }

    /// Return the verdict on a property.
    ///
    /// # Panics
    /// If neither the program nor its problem has a property of that name.
    #[track_caller]
    pub fn verdict(&self, property: &str) -> Verdict {
        PropertyVerdict::of(&self.watched.verdicts, property)
    }

    /// Whether every property that the algorithm claims holds, and the run is neither stuck, aborted nor cut off.
    pub fn holds(&self) -> bool {
        self.findings().is_empty()
    }

    /// Return every reason why the run does not [hold](Run::holds), one sentence each.
    pub fn findings(&self) -> Vec<String> {
        let mut findings = Vec::new();
        if matches!(self.outcome(), End::Stuck | End::Aborted | End::Limit) {
            findings.push(format!("the run is {}", self.outcome().as_str()));
            findings.extend(self.explanation());
        }
        findings.extend(PropertyVerdict::findings(&self.watched.verdicts));
        findings
    }

    /// Return the recorded trace.
    pub fn trace(&self) -> &Trace {
        self.watched.trace.as_ref().expect("runs of the API are always recorded")
    }

    /// Return one line of JSON, as `synod run --json` prints it.
    pub fn to_json(&self) -> String {
        self.report().to_json()
    }
}

/// Description of the run: `chang_roberts on ring(4), schedule fifo, seed 1`.
impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RunOptions { schedule, seed, .. } = self.options;
        write!(f, "{}, schedule {}, seed {seed}", self.instance, schedule.as_str())
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Run({self}: {})", self.outcome().as_str())
    }
}
