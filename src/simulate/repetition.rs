//! Search for a cycle that a run repeats forever: its configuration returns with the same state of the scheduler, and no number was
//! drawn from the seed meanwhile. Everything that the run does from there on, it has done before.
//!
//! Two more simulations repeat the run unobserved (R. Brent 1980): the slow one waits at a power of two of steps until the fast one
//! is in the same state, or has taken twice as many. States are compared, not hashed.

use super::agenda::Ahead;
use super::simulation::{Progress, Simulation};
use super::{AnyScheduler, SimulateOptions, Token, Unobserved};
use crate::instance::Instance;
use crate::stop::STEPS_BETWEEN_POLLS;

/// The cycle that a run repeats forever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// Number of events before the cycle.
    pub from: u64,
    /// Number of events of the cycle, at least 1.
    pub length: u64,
}

/// A search for the cycle of a run, which can be continued.
pub struct CycleSearch {
    options: SimulateOptions,
    /// The slow and the fast simulation. `None`: not begun.
    both: Option<Box<[Simulation<AnyScheduler>; 2]>>,
    /// Number of steps of the fast simulation at which the slow one catches up.
    next: u64,
}

impl CycleSearch {
    pub fn new(options: &SimulateOptions) -> CycleSearch {
        CycleSearch { options: *options, both: None, next: 1 }
    }

    /// Continue the search up to this number of steps. Return the first cycle, which the search sees after three times as many steps as
    /// lead to its end, or sooner. `None`: it sees none, or the run ends.
    pub fn up_to(&mut self, instance: &Instance, steps: u64) -> Option<Cycle> {
        let both = match self.both.take() {
            Some(both) => both,
            None => Box::new([begun(instance, &self.options)?, begun(instance, &self.options)?]),
        };
        let [slow, fast] = &mut **self.both.insert(both);
        while fast.steps < steps {
            step(instance, fast)?;
            if fast.steps.is_multiple_of(STEPS_BETWEEN_POLLS) && instance.stop.is_set() {
                return None;
            }
            if fast.is_in_state_of(slow) {
                let length = fast.steps - slow.steps;
                return first(instance, &self.options, length);
            }
            if fast.steps >= self.next && !fast.configuration.in_joint_step() {
                self.next = 2 * fast.steps;
                while slow.steps < fast.steps {
                    step(instance, slow)?;
                }
            }
        }
        None
    }
}

/// Return the cycle of this length that a run repeats, with its first event.
fn first(instance: &Instance, options: &SimulateOptions, length: u64) -> Option<Cycle> {
    let (mut behind, mut ahead) = (begun(instance, options)?, begun(instance, options)?);
    while ahead.steps < behind.steps + length || !ahead.is_in_state_of(&behind) {
        if ahead.steps == behind.steps + length {
            step(instance, &mut behind)?;
        }
        step(instance, &mut ahead)?;
    }
    Some(Cycle { from: behind.steps, length })
}

/// Return a simulation of the run in which all processes have started.
fn begun(instance: &Instance, options: &SimulateOptions) -> Option<Simulation<AnyScheduler>> {
    let scheduler = AnyScheduler::new(instance, options.schedule, options.seed);
    let mut simulation = Simulation::new(instance, scheduler);
    if options.start_together && simulation.wake_all(instance, &mut Unobserved).is_some() {
        return None;
    }
    while simulation.configuration.next_to_start().is_some() {
        step(instance, &mut simulation)?;
    }
    Some(simulation)
}

/// Take a step of the run. `None`: the run ends.
fn step(instance: &Instance, simulation: &mut Simulation<AnyScheduler>) -> Option<()> {
    (simulation.advance(instance, &mut Unobserved).ok()? == Progress::Stepped).then_some(())
}

impl Simulation<AnyScheduler> {
    /// Whether the run goes on as it did from an earlier state of it: all that determines its next steps is the same, up to the
    /// instant and the numbers of messages.
    fn is_in_state_of(&self, earlier: &Simulation<AnyScheduler>) -> bool {
        let special = || match (&self.special, &earlier.special) {
            (Some(now), Some(then)) => {
                let instants = (self.configuration.now(), earlier.configuration.now());
                now.is_in_state_of(then, instants) && self.agenda_ahead() == earlier.agenda_ahead()
            }
            (now, then) => now.is_none() && then.is_none(),
        };
        self.configuration.in_flight() == earlier.configuration.in_flight()
            && !self.configuration.in_joint_step()
            && !earlier.configuration.in_joint_step()
            && (self.turn, self.round_listed) == (earlier.turn, earlier.round_listed)
            && self.scheduler.is_in_state_of(&earlier.scheduler)
            && self.configuration == earlier.configuration
            && self.listed == earlier.listed
            && self.parked_tokens().eq(earlier.parked_tokens())
            && special()
    }

    /// Return the processes with parked tokens, and these tokens.
    fn parked_tokens(&self) -> impl Iterator<Item = (usize, &Vec<Token>)> {
        self.parked.iter().enumerate().filter(|(_, tokens)| !tokens.is_empty())
    }

    fn agenda_ahead(&self) -> Option<Ahead<Option<usize>>> {
        let agenda = self.special.as_ref()?.agenda.as_ref()?;
        let position = |channel, id| self.configuration.channel(channel).position(|message| message.id == id);
        Some(agenda.ahead(self.configuration.now(), position))
    }
}
