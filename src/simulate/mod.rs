//! Simulation of single runs: a [`Scheduler`] chooses the next event, an [`Observer`] is notified of each.

mod agenda;
mod rng;
mod fault_schedule;
mod random;
mod postponed;
mod simulation;
mod faults_and_time;
mod joint;
mod priorities;
mod schedulers;
mod repetition;

use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::{Budget, Fault};
use crate::semantics::event::{Effects, Event};
use crate::semantics::{Abort, Chooser, Configuration, Machine, Metrics, StepError};

pub use crate::semantics::ends::{Outcome, Stuck, blocked_by, classify, describe_down};
pub use crate::semantics::held::{Held, Hold};
pub use priorities::Priorities;
pub use random::Random;
pub use repetition::{Cycle, CycleSearch};
pub use rng::RunRng;
pub use schedulers::{Adversary, AnyScheduler, RoundRobin, SendOrder};
pub use simulation::{Progress, Simulation};

/// How a run chooses among possible steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[warn(missing_docs)]
pub enum Schedule {
    /// In the order in which steps became possible: starts, wake-ups in process order, then messages in the order of sending.
    #[default]
    Fifo,
    /// A candidate chosen uniformly at random: a channel with messages, or a process with an internal step.
    Random,
    /// Processes with possible steps in turn, each with its oldest.
    RoundRobin,
    /// The newest step first.
    Adversary,
    /// By random priorities of channels and processes, derived from the seed: some are starved as long as any other step is
    /// possible.
    Priorities,
}

#[warn(missing_docs)]
impl Schedule {
    /// All schedules.
    pub const ALL: [Schedule; 5] =
        [Schedule::Fifo, Schedule::Random, Schedule::RoundRobin, Schedule::Adversary, Schedule::Priorities];

    /// Return the argument of `--schedule` for this schedule.
    pub fn as_str(self) -> &'static str {
        match self {
            Schedule::Fifo => "fifo",
            Schedule::Random => "random",
            Schedule::RoundRobin => "round-robin",
            Schedule::Adversary => "adversary",
            Schedule::Priorities => "priorities",
        }
    }
}

/// A step that may be possible: a channel, a process with an internal step, a note.
pub type Token = u32;

/// Chooses the next step to try. A token is popped as often as it was pushed.
pub trait Scheduler: Chooser {
    /// Whether there is one token for each message, so that their order can be kept; otherwise one for each non-empty channel.
    const PER_MESSAGE: bool;
    /// Whether tokens come with the process of the step; otherwise with 0.
    const BY_PROCESS: bool = false;
    /// The same as `PER_MESSAGE`, if known only at run time.
    #[inline(always)]
    fn per_message(&self) -> bool {
        Self::PER_MESSAGE
    }
    /// Add a step that has become possible at this process.
    fn push(&mut self, token: Token, process: ProcessId);
    /// Add a process that may wake up spontaneously, from the start on.
    fn push_wakeup(&mut self, token: Token, process: ProcessId) {
        self.push(token, process);
    }
    /// Return tokens that could not be served before, in the order in which they were popped. Empties the list.
    fn release(&mut self, tokens: &mut Vec<Token>, process: ProcessId);
    /// Return the next token to try.
    fn pop(&mut self) -> Option<Token>;
    /// Return all tokens, if they are popped in the order in which they were pushed, and sent messages go to the end.
    fn in_order(&mut self) -> Option<&mut std::collections::VecDeque<Token>> {
        None
    }
    /// Return all tokens, if the next is chosen uniformly, and the random number generator.
    fn at_random(&mut self) -> Option<(&mut Vec<Token>, &mut RunRng)> {
        None
    }
    /// Add a timer, without a clock, that may expire now.
    fn push_timeout(&mut self, token: Token, process: ProcessId) {
        self.push(token, process);
    }
    /// Choose the delay of a message, between these bounds.
    fn delay(&mut self, _least: u64, most: u64) -> u64 {
        most
    }
    /// Choose the delay of a leisure step, given the maximum delay of messages.
    fn leisure_delay(&mut self, _delay: u64) -> u64 {
        0
    }
    /// Set the fault budget of this run.
    fn set_fault_budget(&mut self, _budget: &Budget) {}
    /// Return the fault that occurs before the next step, if any.
    fn next_fault(&mut self) -> Option<Fault> {
        None
    }
    /// Reschedule a fault that found no target.
    fn postpone_fault(&mut self, _fault: Fault) {}
    /// Return the fault that occurs in a quiescent system, if any.
    fn fault_when_quiescent(&mut self) -> Option<Fault> {
        None
    }
    /// Choose the position at which to begin in an unordered channel with this many messages.
    fn first_position(&mut self, _messages: usize) -> usize {
        0
    }
}

/// An observer is notified of every step. Unobserved runs have no overhead: `ACTIVE` is known at compile time.
pub trait Observer {
    const ACTIVE: bool = true;
    /// Whether counts and compound variables are restored after an abort. Each step then saves them.
    const RESTORES: bool = Self::ACTIVE;
    /// Called after a step. Return whether the run should continue.
    fn after(
        &mut self,
        instance: &Instance,
        event: &Event,
        effects: &Effects,
        configuration: &Configuration,
        metrics: &Metrics,
    ) -> bool;

    /// Called when a step aborts: nothing has changed, and the run ends.
    fn aborted(
        &mut self,
        _instance: &Instance,
        _event: &Event,
        _effects: &Effects,
        _abort: &Abort,
        _configuration: &Configuration,
    ) {
    }
}

/// The observer of unobserved runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {
    const ACTIVE: bool = false;
    fn after(&mut self, _: &Instance, _: &Event, _: &Effects, _: &Configuration, _: &Metrics) -> bool {
        true
    }
}

/// A completed run.
#[derive(Clone, Debug)]
pub struct Run {
    pub outcome: Outcome,
    pub steps: u64,
    pub configuration: Configuration,
    pub metrics: Metrics,
}

/// Options of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct SimulateOptions {
    pub schedule: Schedule,
    /// Seed of all random choices; the same seed always gives the same run.
    pub seed: u64,
    /// Step limit; None: [`default_max_steps`].
    pub max_steps: Option<u64>,
    /// Wake up all processes that may wake up spontaneously, in their order, before anything else happens.
    pub start_together: bool,
}

/// Return the default step limit: ten million, and at least two thousand for each process. Quadratic algorithms then terminate on
/// rings of a few thousand processes, n log n ones on a million.
pub fn default_max_steps(instance: &Instance) -> u64 {
    10_000_000.max(2_000 * u64::from(instance.n()))
}

/// Whether code is small rather than fast: WebAssembly is downloaded before it runs. It has one simulation for all schedulers, and no
/// fast code.
const IS_SMALL: bool = cfg!(target_family = "wasm");

/// An observer of the completed steps. It observes an abort in a second run.
struct Completed<'o, O>(&'o mut O);

impl<O: Observer> Observer for Completed<'_, O> {
    const ACTIVE: bool = O::ACTIVE;
    const RESTORES: bool = false;

    fn after(
        &mut self,
        instance: &Instance,
        event: &Event,
        effects: &Effects,
        configuration: &Configuration,
        metrics: &Metrics,
    ) -> bool {
        self.0.after(instance, event, effects, configuration, metrics)
    }
}

/// The handler of an aborted step: [`Observer::aborted`].
type AbortHandler<'o> = dyn FnMut(&Instance, &Event, &Effects, &Abort, &Configuration) + 'o;

/// An observer of the abort of a run whose other steps have been observed. It does not depend on the type of the observer, for which the
/// simulations would be compiled once more.
struct AbortOnly<'o>(&'o mut AbortHandler<'o>);

impl Observer for AbortOnly<'_> {
    fn after(&mut self, _: &Instance, _: &Event, _: &Effects, _: &Configuration, _: &Metrics) -> bool {
        true
    }

    fn aborted(
        &mut self,
        instance: &Instance,
        event: &Event,
        effects: &Effects,
        abort: &Abort,
        configuration: &Configuration,
    ) {
        (self.0)(instance, event, effects, abort, configuration);
    }
}

/// Run an instance from its initial configuration to an end.
pub fn simulate<O: Observer>(instance: &Instance, options: &SimulateOptions, observer: &mut O) -> Run {
    let run = by_schedule(instance, options, &mut Completed(observer));
    // To restore what an aborted step has changed, each step would have to save it. Most runs have no abort, so such a run is repeated.
    match run.outcome {
        Outcome::Aborted(_) => {
            let mut handler = |instance: &Instance,
                               event: &Event,
                               effects: &Effects,
                               abort: &Abort,
                               configuration: &Configuration| {
                observer.aborted(instance, event, effects, abort, configuration);
            };
            by_schedule(instance, options, &mut AbortOnly(&mut handler))
        }
        _ => run,
    }
}

fn by_schedule<O: Observer>(instance: &Instance, options: &SimulateOptions, observer: &mut O) -> Run {
    if IS_SMALL {
        let scheduler = AnyScheduler::new(instance, options.schedule, options.seed);
        return run(instance, scheduler, options, observer);
    }
    match options.schedule {
        Schedule::Fifo => run(instance, SendOrder::new(options.seed), options, observer),
        Schedule::Random => run(instance, Random::new(options.seed), options, observer),
        Schedule::RoundRobin => run(instance, RoundRobin::new(instance, options.seed), options, observer),
        Schedule::Adversary => run(instance, Adversary::new(options.seed), options, observer),
        Schedule::Priorities => run(instance, Priorities::new(options.seed), options, observer),
    }
}

fn run<S: Scheduler, O: Observer>(
    instance: &Instance,
    scheduler: S,
    options: &SimulateOptions,
    observer: &mut O,
) -> Run {
    let mut simulation = Simulation::new(instance, scheduler);
    let limit = options.max_steps.unwrap_or_else(|| default_max_steps(instance));
    let early = if options.start_together { simulation.wake_all(instance, observer) } else { None };
    let outcome = early.unwrap_or_else(|| simulation.run(instance, limit, observer));
    simulation.into_run(outcome)
}

/// Replay recorded steps from a configuration.
///
/// # Errors
/// At the first step that is not possible, or that aborts: its number from 0, and the error.
pub fn replay<O: Observer>(
    instance: &Instance,
    configuration: &mut Configuration,
    events: &[Event],
    observer: &mut O,
) -> Result<Metrics, StepError> {
    let mut machine = Machine::new(instance);
    machine.recording = O::ACTIVE;
    for (number, event) in events.iter().enumerate() {
        match machine.replay(instance, configuration, event) {
            Ok(()) => {}
            Err(StepError::Aborted(mut abort)) => {
                abort.step = Some(number as u64);
                if O::ACTIVE {
                    observer.aborted(instance, event, &machine.effects, &abort, configuration);
                }
                abort.event = Some(event.clone());
                return Err(StepError::Aborted(abort));
            }
            Err(error) => return Err(error),
        }
        if O::ACTIVE && !observer.after(instance, event, &machine.effects, configuration, &machine.metrics) {
            break;
        }
    }
    Ok(machine.metrics)
}
