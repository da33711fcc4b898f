//! One run with everybody watching: properties, the trace, which actions have been seen.

use crate::instance::Instance;
use crate::property::{Ended, Prospect, Verdict, Watch};
use crate::semantics::event::{Effects, Event};
use crate::semantics::{Abort, Configuration, Coverage, Metrics};
use crate::simulate::{Observer, Outcome, Run, SimulateOptions, simulate};
use crate::trace::{End, Header, Recorder, Trace};

/// A trace that nobody asked for is given up beyond this many events: it would only be cut when shown.
const MOST_UNASKED_EVENTS: usize = 100_000;
/// Nor is one begun on more processes than this: their variables are looked at one by one.
const MOST_UNASKED_PROCESSES: u32 = 4096;

/// After so many steps, and as many for each process, it is asked for the first time whether a run that goes on has anything
/// left to show; then each time it has become twice as long.
const STEPS_TO_SETTLE: u64 = 10_000;
const STEPS_TO_SETTLE_FOR_EACH: u64 = 100;
/// A run so many times as long as up to the first look is not taken to come to an end of its own.
const LOOKS_FOR_AN_END: u64 = 64;

/// From so many steps on, a run on so many processes is not taken to come to an end of its own.
pub fn steps_without_an_end(n: u32) -> u64 {
    LOOKS_FOR_AN_END * steps_to_the_first_look(n)
}

fn steps_to_the_first_look(n: u32) -> u64 {
    STEPS_TO_SETTLE.max(STEPS_TO_SETTLE_FOR_EACH * u64::from(n))
}

/// Is a trace kept?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    Never,
    /// As long as it stays small.
    Small,
    Always,
}

/// A run, and what was seen of it.
pub struct Watched {
    pub run: Run,
    pub verdicts: Vec<Verdict>,
    pub trace: Option<Trace>,
    /// Which actions and guards have been taken.
    pub seen: Coverage,
    /// It goes on, and was stopped where running on would show nothing more.
    pub settled: bool,
    /// Of a run that has settled: after how many events all that has to happen for good had happened. None where something has not, or
    /// nothing is such.
    pub settled_after: Option<u64>,
}

impl Watched {
    /// How it ended, as traces and reports say it.
    pub fn end(&self) -> End {
        if self.settled { End::Settled } else { end(&self.run.outcome) }
    }
}

/// Those who watch a run.
pub struct Watchers<'i> {
    watch: Watch<'i>,
    recorder: Option<Recorder<'i>>,
    keep: Keep,
    pub seen: Coverage,
    /// When it is asked next whether anything is left to be seen; None: never.
    next_look: Option<u64>,
    /// From here on the run is not taken to come to an end.
    long: u64,
    /// At the last look all was decided.
    was_decided: bool,
    settled: bool,
    steps: u64,
}

impl<'i> Watchers<'i> {
    /// Before the first step. `properties` None: all.
    pub fn new(
        instance: &'i Instance,
        properties: Option<&[String]>,
        keep: Keep,
        schedule: &str,
        seed: u64,
        configuration: &Configuration,
    ) -> Watchers<'i> {
        let mut watch = Watch::new(instance, properties);
        let program = &instance.program;
        watch.begin(configuration, &Metrics::new(program.kinds.len(), program.operations.len()));
        let records = match keep {
            Keep::Never => false,
            Keep::Small => instance.n() <= MOST_UNASKED_PROCESSES,
            Keep::Always => true,
        };
        let recorder = || Recorder::new(instance, Header::of(instance, &[], schedule, seed), configuration);
        Watchers {
            watch,
            recorder: records.then(recorder),
            keep,
            seen: Coverage::new(program),
            next_look: None,
            long: u64::MAX,
            was_decided: false,
            settled: false,
            steps: 0,
        }
    }

    /// The run ends, too, where it would go on for ever and has nothing more to show. Self-stabilizing programs, for
    /// instance, have no end of their own.
    fn until_settled(mut self, n: u32) -> Self {
        self.next_look = Some(steps_to_the_first_look(n));
        self.long = steps_without_an_end(n);
        self
    }

    /// The run that is taken again was stopped as it had nothing more to show.
    pub fn settled(mut self) -> Self {
        self.settled = true;
        self
    }

    /// Has the run nothing more to show? At two looks in a row, since what `settles` may still come and go. What only an end
    /// could decide is given up where the run has become long without one.
    fn looks(&mut self, configuration: &Configuration, metrics: &Metrics) -> bool {
        self.steps += 1;
        if self.next_look.is_none_or(|next| self.steps < next) || configuration.in_joint_step() {
            return false;
        }
        self.next_look = Some(2 * self.steps);
        let prospect = self.watch.prospect(configuration, metrics);
        let decided = prospect == Prospect::Nothing;
        self.settled =
            (decided && self.was_decided) || (prospect != Prospect::Open && self.steps >= self.long);
        self.was_decided = decided;
        self.settled
    }

    /// What has been recorded.
    pub fn into_recorder(self) -> Option<Recorder<'i>> {
        self.recorder
    }

    pub fn finish(mut self, mut run: Run) -> Watched {
        // A Ctrl-C may have come first.
        self.settled &= matches!(run.outcome, Outcome::Stopped);
        if self.settled {
            run.outcome = Outcome::Limit;
        }
        let ended = if self.settled { Ended::Settled } else { ended(&run.outcome) };
        let verdicts = self.watch.verdicts(ended, &run.configuration, &run.metrics);
        let settled_after = match self.settled {
            true => self.watch.settled_after(&run.configuration, &run.metrics),
            false => None,
        };
        let mut watched =
            Watched { run, verdicts, trace: None, seen: self.seen, settled: self.settled, settled_after };
        watched.trace = self.recorder.map(|recorder| recorder.finish(watched.end()));
        watched
    }
}

impl Observer for Watchers<'_> {
    fn after(
        &mut self,
        _: &Instance,
        event: &Event,
        effects: &Effects,
        configuration: &Configuration,
        metrics: &Metrics,
    ) -> bool {
        if let Some(recorder) = &mut self.recorder {
            recorder.record(event, effects, configuration);
            if self.keep == Keep::Small && recorder.events().len() > MOST_UNASKED_EVENTS {
                self.recorder = None;
            }
        }
        self.watch.after(event, effects, configuration, metrics);
        self.seen.see(effects, true);
        !self.looks(configuration, metrics)
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

/// Runs an instance under the eyes of its properties: to its end, to the limit, or, without one, until nothing more is to be seen.
pub fn watched(
    instance: &Instance,
    properties: Option<&[String]>,
    keep: Keep,
    schedule: &str,
    options: &SimulateOptions<'_>,
) -> Watched {
    let initial = Configuration::initial(instance);
    let mut watchers = Watchers::new(instance, properties, keep, schedule, options.seed, &initial);
    // Who says how long it may be has it so long.
    if options.max_steps.is_none() {
        watchers = watchers.until_settled(instance.n());
    }
    let run = simulate(instance, options, &mut watchers);
    watchers.finish(run)
}

fn ended(outcome: &Outcome) -> Ended {
    match outcome {
        Outcome::Terminated | Outcome::Quiescent | Outcome::Stuck(_) => Ended::Finished,
        Outcome::Limit | Outcome::Interrupted | Outcome::Stopped => Ended::CutOff,
        Outcome::Aborted(_) => Ended::Aborted,
    }
}

/// The word for it in traces and reports.
pub fn end(outcome: &Outcome) -> End {
    match outcome {
        Outcome::Terminated => End::Terminated,
        Outcome::Quiescent => End::Quiescent,
        Outcome::Stuck(_) => End::Stuck,
        Outcome::Limit | Outcome::Interrupted | Outcome::Stopped => End::Limit,
        Outcome::Aborted(_) => End::Aborted,
    }
}
