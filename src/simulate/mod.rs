//! One run of an instance: who chooses the next event is a [`Scheduler`], who watches an [`Observer`].

mod agenda;
mod end;
mod held;
mod joint;
mod plan;
mod priorities;
mod random;
mod schedulers;
mod simulation;
mod special;

use crate::instance::Instance;
use crate::ir::{Budget, Fault};
use crate::semantics::event::{Effects, Event};
use crate::semantics::{Abort, Chooser, Configuration, Machine, Metrics, StepError};
use std::sync::atomic::AtomicBool;

pub use end::{Stuck, blocked_by, classify, told_down};
pub use held::{Held, Hold};
pub use priorities::Priorities;
pub use random::{Dice, Random};
pub use schedulers::{Adversary, Any, RoundRobin, SendOrder};
pub use simulation::{Progress, Simulation};

/// How a run chooses among what is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[warn(missing_docs)]
pub enum Schedule {
    /// Whatever became possible first: starts, wake-ups in process order, then messages in the order of sending.
    #[default]
    Fifo,
    /// Any candidate, each equally likely: a channel with messages, or a process that can go on by itself.
    Random,
    /// The processes that have something to do in turn, each the oldest.
    RoundRobin,
    /// The newest first.
    Adversary,
    /// By priorities of channels and processes that are drawn from the seed: some are starved as long as anything
    /// else is possible.
    Priorities,
}

#[warn(missing_docs)]
impl Schedule {
    /// All of them.
    pub const ALL: [Schedule; 5] =
        [Schedule::Fifo, Schedule::Random, Schedule::RoundRobin, Schedule::Adversary, Schedule::Priorities];

    /// As `--schedule` takes it.
    pub fn word(self) -> &'static str {
        match self {
            Schedule::Fifo => "fifo",
            Schedule::Random => "random",
            Schedule::RoundRobin => "round-robin",
            Schedule::Adversary => "adversary",
            Schedule::Priorities => "priorities",
        }
    }
}

/// Something that may be possible: a channel, a process that goes on by itself, a note.
pub type Token = u32;

/// Chooses what is tried next. A token is given out once for each time it was put in.
pub trait Scheduler: Chooser {
    /// One token for each message, so that their order can be kept; else one for each channel that is not empty.
    const PER_MESSAGE: bool;
    /// Does it want to know at which process something is possible? Else it is told 0.
    const BY_PROCESS: bool = false;
    /// The same where it is known only at run time.
    #[inline(always)]
    fn per_message(&self) -> bool {
        Self::PER_MESSAGE
    }
    /// Something has become possible at this process.
    fn push(&mut self, token: Token, process: u32);
    /// A process may wake by itself, from the start on.
    fn push_wakeup(&mut self, token: Token, process: u32) {
        self.push(token, process);
    }
    /// What could not be taken before may be possible now; in the order in which it was given out. Empties the list.
    fn release(&mut self, tokens: &mut Vec<Token>, process: u32);
    /// The next to try.
    fn pop(&mut self) -> Option<Token>;
    /// All tokens, where they are given out in the order in which they were put in, and what is sent would go to the
    /// end.
    fn in_order(&mut self) -> Option<&mut std::collections::VecDeque<Token>> {
        None
    }
    /// All tokens, where each is as likely to be given out as any other, and the dice that choose.
    fn at_random(&mut self) -> Option<(&mut Vec<Token>, &mut Dice)> {
        None
    }
    /// A timer that may run out at any time could do so now.
    fn push_timeout(&mut self, token: Token, process: u32) {
        self.push(token, process);
    }
    /// How long a message takes, between these bounds.
    fn delay(&mut self, _least: u64, most: u64) -> u64 {
        most
    }
    /// After what time a process does what it may do at any time, where messages take so long at the most.
    fn leisure(&mut self, _delay: u64) -> u64 {
        0
    }
    /// So much may go wrong in this run.
    fn plan(&mut self, _budget: &Budget) {}
    /// What goes wrong before the next step, if anything.
    fn strikes(&mut self) -> Option<Fault> {
        None
    }
    /// The fault found nobody to strike.
    fn strikes_later(&mut self, _fault: Fault) {}
    /// Nothing is possible any more: what goes wrong now, if anything.
    fn strikes_at_rest(&mut self) -> Option<Fault> {
        None
    }
    /// Where to begin in an unordered channel of so many messages.
    fn first_position(&mut self, _messages: usize) -> usize {
        0
    }
}

/// Sees every step. A run that nobody watches pays nothing: `ACTIVE` is known when it is compiled.
pub trait Observer {
    const ACTIVE: bool = true;
    /// After a step. Answers whether the run should go on.
    fn after(
        &mut self,
        instance: &Instance,
        event: &Event,
        effects: &Effects,
        configuration: &Configuration,
        metrics: &Metrics,
    ) -> bool;

    /// A step could not be completed: nothing has changed, and the run ends.
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

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {
    const ACTIVE: bool = false;
    fn after(&mut self, _: &Instance, _: &Event, _: &Effects, _: &Configuration, _: &Metrics) -> bool {
        true
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All processes have halted, and nothing is under way.
    Terminated,
    /// Nothing is under way, and every process has halted or waits for input.
    Quiescent,
    /// Nothing can go on, though something should.
    Stuck(Vec<Stuck>),
    /// The limit of steps was reached.
    Limit,
    /// The interrupt flag was set.
    Interrupted,
    /// The observer had seen enough.
    Stopped,
    /// The program went wrong; the abort knows the step.
    Aborted(Box<Abort>),
}

impl Outcome {
    /// The word of `--json` and of `expect` in scenarios.
    pub fn word(&self) -> &'static str {
        match self {
            Outcome::Terminated => "terminated",
            Outcome::Quiescent => "quiescent",
            Outcome::Stuck(_) => "stuck",
            Outcome::Limit => "limit",
            Outcome::Interrupted | Outcome::Stopped => "interrupted",
            Outcome::Aborted(_) => "aborted",
        }
    }
}

/// A run that has ended.
#[derive(Clone, Debug)]
pub struct Run {
    pub outcome: Outcome,
    pub steps: u64,
    pub configuration: Configuration,
    pub metrics: Metrics,
}

/// What a run may do.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    pub schedule: Schedule,
    /// Of all random choices; the same seed gives the same run for ever.
    pub seed: u64,
    /// None: [`default_max_steps`].
    pub max_steps: Option<u64>,
    /// Set from outside to end the run; looked at every few thousand steps.
    pub interrupt: Option<&'a AtomicBool>,
}

/// Ten million steps, and at least two thousand for each process: quadratic algorithms end on rings of a
/// few thousand, n log n ones on a million.
pub fn default_max_steps(instance: &Instance) -> u64 {
    10_000_000.max(2_000 * u64::from(instance.n()))
}

/// An observer that records nothing. While one is active, a command that aborts leaves nothing behind.
struct Attentive;

impl Observer for Attentive {
    fn after(&mut self, _: &Instance, _: &Event, _: &Effects, _: &Configuration, _: &Metrics) -> bool {
        true
    }
}

/// Runs an instance from its initial configuration to an end.
pub fn simulate<O: Observer>(instance: &Instance, options: &Options<'_>, observer: &mut O) -> Run {
    let run = by_schedule(instance, options, observer);
    // Without an observer, counts and compound variables are not restored after an abort. Such a run is repeated.
    match run.outcome {
        Outcome::Aborted(_) if !O::ACTIVE => by_schedule(instance, options, &mut Attentive),
        _ => run,
    }
}

fn by_schedule<O: Observer>(instance: &Instance, options: &Options<'_>, observer: &mut O) -> Run {
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
    options: &Options<'_>,
    observer: &mut O,
) -> Run {
    let mut simulation = Simulation::new(instance, scheduler);
    let limit = options.max_steps.unwrap_or_else(|| default_max_steps(instance));
    let outcome = simulation.run(instance, limit, options.interrupt, observer);
    simulation.into_run(outcome)
}

/// Takes recorded steps one after the other, from a configuration.
///
/// # Errors
/// At the first step that is not possible, or that aborts: then with its number, counted from 0.
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
