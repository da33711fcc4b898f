//! A monitored run: checks properties, records the trace, and collects coverage.

use crate::instance::Instance;
use crate::property::{self, Ended, Prospect, RunMonitor, Verdict};
use crate::semantics::event::{Effects, Event};
use crate::semantics::{Abort, Configuration, Coverage, Metrics};
use crate::simulate::{Cycle, CycleSearch, Observer, Outcome, Run, SimulateOptions, simulate};
use crate::trace::{End, Header, Recorder, Trace};

/// Maximum length of a trace recorded by default, in events: a longer one would be cut when shown.
pub const MOST_UNASKED_EVENTS: usize = 20_000;
/// Number of events that are kept of a run that is too long to be recorded by default.
const FIRST_EVENTS: usize = 20;
/// Maximum number of processes for a trace recorded by default: their variables are compared one by one.
pub const MOST_UNASKED_PROCESSES: u32 = 4096;

/// Number of steps, plus a number for each process, after which a run is first tested for being settled. The test is
/// repeated each time the run has become twice as long.
const STEPS_TO_SETTLE: u64 = 10_000;
const STEPS_TO_SETTLE_FOR_EACH: u64 = 100;
/// A search for a cycle takes this part of the steps of the run, and as many as the first test at least.
const PART_SEARCHED_FOR_CYCLE: u64 = 32;
/// A run that is longer than this many times the length at the first test is assumed to have no end.
const LOOKS_FOR_AN_END: u64 = 64;

/// Return the number of steps after which a run on `n` processes without an end is stopped at the earliest: that of two tests.
pub fn steps_of_two_looks(n: u32) -> u64 {
    2 * steps_to_the_first_look(n)
}

/// Return the number of steps from which a run on `n` processes is assumed to have no end.
pub fn steps_without_an_end(n: u32) -> u64 {
    LOOKS_FOR_AN_END * steps_to_the_first_look(n)
}

fn steps_to_the_first_look(n: u32) -> u64 {
    STEPS_TO_SETTLE.max(STEPS_TO_SETTLE_FOR_EACH * u64::from(n))
}

/// Whether a trace is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    Never,
    /// Keep it for display while it is small.
    Small,
    Always,
}

/// A finished run, with what its monitors collected.
pub struct MonitoredRun {
    pub run: Run,
    pub verdicts: Vec<Verdict>,
    pub trace: Option<Trace>,
    /// The first events of a run that is too long to be recorded by default.
    pub beginning: Option<Trace>,
    /// Whether a trace was asked for.
    pub keep: Keep,
    /// The actions and guards that were executed.
    pub seen: Coverage,
    /// Whether the run was stopped without an end, since its continuation would decide nothing more.
    pub settled: bool,
    /// For a settled run, the number of events after which every claimed `eventually` and `settles` property was
    /// satisfied for good. `None` if one is not satisfied, or if there is none.
    pub settled_after: Option<u64>,
    /// The cycle that the run repeats forever, if it is known to. The run is then settled.
    pub repeats: Option<RepeatedCycle>,
}

impl MonitoredRun {
    /// Return the outcome, as traces and reports state it.
    pub fn end(&self) -> End {
        if self.settled { End::Settled } else { end(&self.run.outcome) }
    }
}

/// The cycle that a run repeats forever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepeatedCycle {
    /// Number of events before the cycle.
    pub from: u64,
    /// Why the cycle is not weakly fair, so that it decides no property.
    pub unfair: Option<String>,
}

impl RepeatedCycle {
    /// Explain why the run was stopped, one sentence each.
    pub fn explanation(&self) -> Vec<String> {
        let from = self.from;
        match &self.unfair {
            None => vec![format!("repeats forever from event {from} on (lasso)")],
            Some(unfair) => vec![
                format!("repeats forever from event {from} on, but this cycle is not weakly fair: {unfair}"),
                "liveness is checked on weakly fair runs, so the pending properties are left open".into(),
            ],
        }
    }
}

/// The monitors of a run.
pub struct Monitors<'i> {
    watch: RunMonitor,
    recorder: Option<Recorder<'i>>,
    /// The recorder with the first events, after the run has become too long to be recorded by default.
    beginning: Option<Recorder<'i>>,
    keep: Keep,
    pub seen: Coverage,
    /// Number of steps before the next test for being settled, or for repeating a cycle; `None`: never.
    next_look: Option<u64>,
    ends_when_settled: bool,
    /// The search for a cycle, and its result. `None`: a cycle does not end the run.
    cycles: Option<CycleSearch>,
    pub(super) cycle: Option<Cycle>,
    /// Number of steps from which the run is assumed to have no end.
    long: u64,
    /// Whether everything was decided at the last test.
    was_decided: bool,
    settled: bool,
    /// Whether the run ends once all `eventually` properties have come true.
    ends_when_fulfilled: bool,
    steps: u64,
}

impl<'i> Monitors<'i> {
    /// Create the monitors, before the first step. `properties` `None`: all.
    pub fn new(
        instance: &'i Instance,
        properties: Option<&[String]>,
        keep: Keep,
        schedule: &str,
        seed: u64,
        configuration: &Configuration,
    ) -> Monitors<'i> {
        let mut watch = RunMonitor::new(instance, properties).noting_premises();
        let program = &instance.program;
        watch.begin(instance, configuration, &Metrics::new(program.kinds.len(), program.operations.len()));
        let records = match keep {
            Keep::Never => false,
            Keep::Small => instance.n() <= MOST_UNASKED_PROCESSES,
            Keep::Always => true,
        };
        let recorder = || Recorder::new(instance, Header::of(instance, &[], schedule, seed), configuration);
        Monitors {
            watch,
            recorder: records.then(recorder),
            beginning: None,
            keep,
            seen: Coverage::new(program),
            next_look: None,
            ends_when_settled: false,
            cycles: None,
            cycle: None,
            long: u64::MAX,
            was_decided: false,
            settled: false,
            ends_when_fulfilled: false,
            steps: 0,
        }
    }

    /// Also end a run without an end when it is settled. Self-stabilizing programs, for instance, have no end of their
    /// own.
    pub(super) fn until_settled(mut self, n: u32) -> Self {
        self.next_look = Some(steps_to_the_first_look(n));
        self.long = steps_without_an_end(n);
        self.ends_when_settled = true;
        self
    }

    /// Also end the run, at the latest, when every claimed `eventually` has come true.
    pub(super) fn until_fulfilled(mut self) -> Self {
        self.ends_when_fulfilled = true;
        self
    }

    /// Also end the run when it is known to repeat a cycle, from which on it shows nothing new. No search is made for a property of every configuration
    /// that reads counts, which no cycle repeats.
    pub(super) fn until_repeated(mut self, instance: &Instance, options: &SimulateOptions) -> Self {
        if self.watch.may_be_decided_by_cycle(instance) {
            self.next_look = Some(steps_to_the_first_look(instance.n()));
            self.cycles = Some(CycleSearch::new(options));
        }
        self
    }

    /// Search for a cycle of the run, unless the run is about to be settled. Properties are checked between joint steps only.
    pub(super) fn search_cycle(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        metrics: &Metrics,
    ) -> Option<Cycle> {
        let search = self.cycles.as_mut()?;
        if self.ends_when_settled
            && self.watch.prospect(instance, configuration, metrics) == Prospect::Nothing
        {
            return None;
        }
        let most = steps_to_the_first_look(instance.n()).max(self.steps / PART_SEARCHED_FOR_CYCLE);
        // The search sees a cycle of a run that ends here after three times its length at the latest.
        let cycle = search.up_to(instance, most.min(3 * self.steps))?;
        let is_reached = cycle.from + cycle.length <= self.steps;
        (is_reached && !self.watch.is_history_growing(instance, cycle.from)).then_some(cycle)
    }

    /// Mark the run as settled: the run that is replayed was stopped as such.
    pub fn settled(mut self) -> Self {
        self.settled = true;
        self
    }

    /// Whether the run is settled: at two tests in a row, since `settles` may become false again. What only an end
    /// decides is disregarded once the run is long.
    fn test_settled(
        &mut self,
        instance: &Instance,
        configuration: &Configuration,
        metrics: &Metrics,
    ) -> bool {
        self.steps += 1;
        if self.ends_when_fulfilled
            && !configuration.in_joint_step()
            && self.watch.is_fulfilled(instance, configuration, metrics)
        {
            self.settled = true;
            return true;
        }
        if self.next_look.is_none_or(|next| self.steps < next) || configuration.in_joint_step() {
            return false;
        }
        self.next_look = Some(2 * self.steps);
        self.cycle = self.search_cycle(instance, configuration, metrics);
        if self.cycle.is_some() || !self.ends_when_settled {
            return self.cycle.is_some();
        }
        let prospect = self.watch.prospect(instance, configuration, metrics);
        let decided = prospect == Prospect::Nothing;
        self.settled =
            (decided && self.was_decided) || (prospect != Prospect::Open && self.steps >= self.long);
        self.was_decided = decided;
        self.settled
    }

    /// Return the recorder.
    pub fn into_recorder(self) -> Option<Recorder<'i>> {
        self.recorder
    }

    pub fn finish(mut self, instance: &Instance, mut run: Run) -> MonitoredRun {
        // An interrupt by Ctrl-C may have come first.
        self.settled &= matches!(run.outcome, Outcome::Stopped);
        if self.settled {
            run.outcome = Outcome::Limit;
        }
        let ended = if self.settled { Ended::Settled } else { ended(&run.outcome) };
        let verdicts = self.watch.verdicts(instance, ended, &run.configuration, &run.metrics);
        let settled_after = match self.settled {
            true => self.watch.settled_after(instance, &run.configuration, &run.metrics),
            false => None,
        };
        let mut watched = MonitoredRun {
            run,
            verdicts,
            trace: None,
            beginning: self.beginning.map(|recorder| recorder.finish(End::Limit)),
            keep: self.keep,
            seen: self.seen,
            settled: self.settled,
            settled_after,
            repeats: None,
        };
        watched.trace = self.recorder.map(|recorder| recorder.finish(watched.end()));
        watched.state_verdict();
        watched
    }
}

impl MonitoredRun {
    /// State the violation of a claimed property in the header of the trace, the earliest first.
    pub(super) fn state_verdict(&mut self) {
        let Some(trace) = &mut self.trace else { return };
        let claimed = self.verdicts.iter().filter(|verdict| verdict.promised);
        if let Some(verdict) = property::first_violation(claimed) {
            if let Outcome::Stuck(stuck) = &self.run.outcome {
                trace.state_deadlock(stuck);
            }
            trace.state_violation(&verdict.name, verdict.at_event, &verdict.why.to_string());
        }
    }
}

impl Observer for Monitors<'_> {
    fn after(
        &mut self,
        instance: &Instance,
        event: &Event,
        effects: &Effects,
        configuration: &Configuration,
        metrics: &Metrics,
    ) -> bool {
        if let Some(recorder) = &mut self.recorder {
            match self.keep {
                Keep::Small => recorder.postpone(event, effects, configuration),
                _ => recorder.record(event, effects, configuration),
            }
            if recorder.postponed() > MOST_UNASKED_EVENTS {
                recorder.keep_first(FIRST_EVENTS);
                self.beginning = self.recorder.take();
            }
        }
        self.watch.after(instance, event, effects, configuration, metrics);
        self.seen.see(effects, true);
        !self.test_settled(instance, configuration, metrics)
    }

    fn aborted(
        &mut self,
        _: &Instance,
        event: &Event,
        effects: &Effects,
        abort: &Abort,
        configuration: &Configuration,
    ) {
        if let Some(recorder) = &mut self.recorder {
            recorder.record_abort(event, effects.action, &abort.message, configuration);
        }
        self.seen.see(effects, true);
    }
}

/// Run an instance with monitors until it ends or reaches the limit; without a limit, until it is settled.
pub fn run_monitored(
    instance: &Instance,
    properties: Option<&[String]>,
    keep: Keep,
    schedule: &str,
    options: &SimulateOptions,
) -> MonitoredRun {
    let initial = Configuration::initial(instance);
    let mut watchers = Monitors::new(instance, properties, keep, schedule, options.seed, &initial);
    // An explicit limit excludes the test for being settled.
    if options.max_steps.is_none() {
        watchers = watchers.until_settled(instance.n());
    }
    let run = simulate(instance, options, &mut watchers);
    watchers.finish(instance, run)
}

fn ended(outcome: &Outcome) -> Ended {
    match outcome {
        Outcome::Terminated | Outcome::Quiescent | Outcome::Stuck(_) => Ended::Finished,
        Outcome::Limit | Outcome::Interrupted | Outcome::Stopped => Ended::CutOff,
        Outcome::Aborted(_) => Ended::Aborted,
    }
}

/// Return the outcome in traces and reports.
pub fn end(outcome: &Outcome) -> End {
    match outcome {
        Outcome::Terminated => End::Terminated,
        Outcome::Quiescent => End::Quiescent,
        Outcome::Stuck(_) => End::Stuck,
        Outcome::Limit | Outcome::Interrupted | Outcome::Stopped => End::Limit,
        Outcome::Aborted(_) => End::Aborted,
    }
}
