//! The configurations in which all have just started.

use super::interner::to_grow;
use crate::explore::steps::choices::EveryChoice;
use crate::explore::{Progress, SearchOrder, Stop, StopReason};
use crate::instance::Instance;
use crate::semantics::choice::Given;
use crate::semantics::event::{Event, Observation};
use crate::semantics::{Abort, Chooser, Configuration, Machine, Metrics, StepError};
use crate::simulate::RunRng;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Limits are looked at each time so many starts have been found.
const STARTS_BETWEEN_LOOKS: usize = 1 << 12;

/// Of more starts than these, an order by chance does not look at all.
const MOST_STARTS: usize = 1 << 16;

/// It draws so many by chance, then.
pub const DRAWN: usize = 4096;

/// A configuration in which all have just started.
#[derive(Clone, Debug)]
pub struct InitialState {
    pub steps: Vec<Arc<Step>>,
    pub configuration: Configuration,
}

/// How one process has started: the event, the guards that were taken, and what has been counted and shown.
#[derive(Debug)]
pub struct Step {
    pub event: Event,
    pub guards: Vec<u32>,
    pub metrics: Metrics,
    pub observations: Vec<Observation>,
}

impl InitialState {
    /// Nobody has started.
    fn nothing(instance: &Instance) -> InitialState {
        InitialState { steps: Vec::new(), configuration: Configuration::initial(instance) }
    }

    /// Takes an event, and tells how that went.
    fn go_on(
        &mut self,
        instance: &Instance,
        machine: &mut Machine,
        event: &Event,
        chooser: &mut dyn Chooser,
    ) -> Result<bool, StepError> {
        machine.metrics = Metrics::new(instance.program.kinds.len(), instance.program.operations.len());
        let done = machine.perform(instance, &mut self.configuration, event, chooser);
        self.steps.push(Arc::new(Step {
            event: Event { choices: machine.choices.clone(), ..event.clone() },
            guards: machine.effects.guards.to_vec(),
            metrics: machine.metrics.clone(),
            observations: machine.effects.observations.clone(),
        }));
        done
    }

    pub fn events(&self) -> Vec<Event> {
        self.steps.iter().map(|step| step.event.clone()).collect()
    }

    /// What the starts have cost together.
    pub fn metrics(&self) -> Metrics {
        let mut sum = self.steps.first().map_or_else(Metrics::default, |step| step.metrics.clone());
        self.steps.iter().skip(1).for_each(|step| sum.add(&step.metrics));
        sum
    }
}

/// All starts, in order. There may be very many, so of each nothing is kept but by which events it comes about; whoever wants more takes
/// them again.
#[derive(Debug, Default)]
pub struct InitialStates {
    /// Each event once.
    events: Vec<Event>,
    numbers: FxHashMap<Event, u32>,
    /// The number of an event, and the step before it. Starts have their first steps in common.
    steps: Vec<(u32, u32)>,
    /// The last steps.
    last: Vec<u32>,
    /// There are others.
    are_drawn: bool,
}

/// The step before the first.
const NO_STEP: u32 = u32::MAX;

impl InitialStates {
    pub fn len(&self) -> usize {
        self.last.len()
    }

    /// Have these been drawn by chance from more?
    pub fn are_drawn(&self) -> bool {
        self.are_drawn
    }

    /// Bytes of all of them, about.
    pub fn bytes(&self) -> usize {
        let events =
            self.events.capacity() * 2 * size_of::<Event>() + self.numbers.capacity() * size_of::<u32>();
        events + self.steps.capacity() * size_of::<(u32, u32)>() + self.last.capacity() * size_of::<u32>()
    }

    /// Bytes more for a while if so many come.
    fn bytes_to_grow(&self, more: usize) -> usize {
        to_grow(&self.steps, more) + to_grow(&self.last, more)
    }

    /// The step that this event is behind another one.
    fn step(&mut self, event: &Event, before: u32) -> u32 {
        let number = self.numbers.get(event).copied().unwrap_or_else(|| {
            let number = self.events.len() as u32;
            self.events.push(event.clone());
            self.numbers.insert(event.clone(), number);
            number
        });
        self.steps.push((number, before));
        self.steps.len() as u32 - 1
    }

    /// By step: do starts go on from it in several ways?
    fn forks(&self) -> Vec<bool> {
        let (mut goes_on, mut forks) = (vec![false; self.steps.len()], vec![false; self.steps.len()]);
        for (_, before) in self.steps.iter().filter(|(_, before)| *before != NO_STEP) {
            forks[*before as usize] |= std::mem::replace(&mut goes_on[*before as usize], true);
        }
        forks
    }

    /// The steps of a start, first to last.
    fn way(&self, number: usize) -> Vec<u32> {
        let before = |step: &u32| Some(self.steps[*step as usize].1).filter(|before| *before != NO_STEP);
        let mut way: Vec<u32> = std::iter::successors(Some(self.last[number]), before).collect();
        way.reverse();
        way
    }

    fn event(&self, step: u32) -> &Event {
        &self.events[self.steps[step as usize].0 as usize]
    }

    /// Of how many events a start consists.
    pub fn length(&self, number: usize) -> usize {
        self.way(number).len()
    }
}

/// Takes starts again, one after the other: what two of them have in common only once.
#[derive(Debug)]
pub struct Again<'a> {
    instance: &'a Instance,
    started: &'a InitialStates,
    machine: Machine,
    /// By step: do starts go on from it in several ways?
    forks: Vec<bool>,
    /// Behind the beginning of all: where others turn off the way of the last, what has become by then.
    stages: Vec<InitialState>,
    way: Vec<u32>,
    last: InitialState,
}

impl<'a> Again<'a> {
    pub fn new(instance: &'a Instance, started: &'a InitialStates) -> Again<'a> {
        let mut machine = Machine::new(instance);
        machine.recording = true;
        let (nothing, way) = (InitialState::nothing(instance), Vec::new());
        let (forks, stages) = (started.forks(), vec![nothing.clone()]);
        Again { instance, started, machine, forks, stages, way, last: nothing }
    }

    pub fn start(&mut self, number: usize) -> &InitialState {
        let Again { instance, started, machine, forks, stages, way, last } = self;
        let known = std::mem::replace(way, started.way(number));
        let common = known.iter().zip(&*way).take_while(|(known, step)| known == step).count();
        if common < known.len() {
            stages.retain(|stage| stage.steps.len() <= common);
            last.clone_from(&stages[stages.len() - 1]);
        }
        for step in &way[last.steps.len()..] {
            let event = started.event(*step);
            // It went well before.
            let _ = last.go_on(instance, machine, event, &mut Given::new(&event.choices));
            if forks[*step as usize] {
                stages.push(last.clone());
            }
        }
        last
    }
}

/// What starts are found to be.
type Found = Result<(InitialStates, InitialState, Option<AbortedStart>), NoStart>;

/// Starts of which the last goes wrong, and how.
pub type AbortedStart = (Vec<Event>, Box<Abort>);

/// Why there is no search from all starts.
pub enum NoStart {
    Aborted(AbortedStart),
    /// `watch` wanted no more.
    Cut(StopReason),
}

/// Every start, the first with the configuration that it leads to, and the first start that goes wrong; that is the end of it, unless `goes_on` and there are others. Where variables begin with any value these may be many: `watch` is told how many
/// there are, how many begun ones wait, and how many bytes they take. An order by chance draws some of them, then.
pub fn starts(
    instance: &Instance,
    (goes_on, stop): (bool, Option<Stop>),
    order: SearchOrder,
    watch: &mut dyn FnMut(&Progress) -> Option<StopReason>,
) -> Found {
    let mut machine = Machine::new(instance);
    machine.recording = true;
    let (mut ready, mut first) = (InitialStates::default(), None);
    let mut aborted: Option<AbortedStart> = None;
    let mut open = vec![(InitialState::nothing(instance), NO_STEP)];
    while let Some((start, step)) = open.pop() {
        let stopped = stop.is_some_and(|stop| stop());
        let is_ready = start.configuration.next_to_start().is_none();
        if is_ready || stopped {
            if let SearchOrder::Chance(seed) = order
                && ready.len() == MOST_STARTS
                && !stopped
            {
                return draw(instance, (goes_on, stop), seed, watch);
            }
            ready.last.push(step);
            first.get_or_insert(start);
            if stopped || ready.len().is_multiple_of(STARTS_BETWEEN_LOOKS) {
                let bytes = ready.bytes();
                let (configurations, waiting) = (ready.len() as u64, open.len() as u64);
                let bytes_to_come = ready.bytes_to_grow(STARTS_BETWEEN_LOOKS);
                let progress = Progress { configurations, steps: 0, depth: 0, waiting, bytes, bytes_to_come };
                if let Some(cut) = watch(&progress).or(stopped.then_some(StopReason::Time)) {
                    return Err(NoStart::Cut(cut));
                }
            }
            continue;
        }
        let mut next = Vec::new();
        for event in machine.enabled(instance, &start.configuration) {
            let mut choices = EveryChoice::default();
            loop {
                if stop.is_some_and(|stop| stop()) {
                    break;
                }
                let mut after = start.clone();
                match after.go_on(instance, &mut machine, &event, &mut choices) {
                    Ok(true) => {
                        let own = after.steps.last().map_or(NO_STEP, |last| ready.step(&last.event, step));
                        next.push((after, own));
                    }
                    Ok(false) | Err(StepError::Impossible(_)) => {}
                    Err(StepError::Aborted(abort)) if goes_on => {
                        aborted.get_or_insert((after.events(), abort));
                    }
                    Err(StepError::Aborted(abort)) => return Err(NoStart::Aborted((after.events(), abort))),
                }
                if !choices.next() {
                    break;
                }
            }
        }
        next.reverse();
        open.append(&mut next);
    }
    found(ready, first, aborted)
}

/// Some of very many, each process as it may start by chance. Two of them may be the same.
fn draw(
    instance: &Instance,
    (goes_on, stop): (bool, Option<Stop>),
    seed: u64,
    watch: &mut dyn FnMut(&Progress) -> Option<StopReason>,
) -> Found {
    let mut machine = Machine::new(instance);
    machine.recording = true;
    let mut dice = Drawn(RunRng::for_exploration(seed));
    let (mut ready, mut first) = (InitialStates { are_drawn: true, ..InitialStates::default() }, None);
    let mut aborted: Option<AbortedStart> = None;
    for waiting in (0..DRAWN as u64).rev() {
        let (configurations, bytes) = (ready.len() as u64, ready.bytes());
        let bytes_to_come = ready.bytes_to_grow(instance.n() as usize);
        let progress = Progress { configurations, steps: 0, depth: 0, waiting, bytes, bytes_to_come };
        if let Some(cut) = watch(&progress) {
            return Err(NoStart::Cut(cut));
        }
        let (mut start, mut step) = (InitialState::nothing(instance), NO_STEP);
        while start.configuration.next_to_start().is_some() {
            if stop.is_some_and(|stop| stop()) {
                return Err(NoStart::Cut(StopReason::Time));
            }
            let events = machine.enabled(instance, &start.configuration);
            let event = &events[dice.choose(events.len())];
            match start.go_on(instance, &mut machine, event, &mut dice) {
                Ok(true) => step = start.steps.last().map_or(step, |last| ready.step(&last.event, step)),
                Ok(false) | Err(StepError::Impossible(_)) => break,
                Err(StepError::Aborted(abort)) if goes_on => {
                    aborted.get_or_insert((start.events(), abort));
                    break;
                }
                Err(StepError::Aborted(abort)) => return Err(NoStart::Aborted((start.events(), abort))),
            }
        }
        if start.configuration.next_to_start().is_none() {
            ready.last.push(step);
            first.get_or_insert(start);
        }
    }
    found(ready, first, aborted)
}

/// Whatever there is to choose, by chance.
struct Drawn(RunRng);

impl Chooser for Drawn {
    fn choose(&mut self, options: usize) -> usize {
        let below = u32::try_from(options).unwrap_or(u32::MAX);
        if below > 1 { self.0.below(below) as usize } else { 0 }
    }
}

fn found(ready: InitialStates, first: Option<InitialState>, aborted: Option<AbortedStart>) -> Found {
    match (first, aborted) {
        (Some(first), aborted) => Ok((ready, first, aborted)),
        (None, Some(aborted)) => Err(NoStart::Aborted(aborted)),
        (None, None) => unreachable!("processes start in at least one way"),
    }
}
