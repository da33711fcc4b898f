//! The initial configurations: all processes have just started.

use crate::explore::store::interner::to_grow;
use crate::explore::{ExploreOptions, Progress, SearchOrder, StopReason};
use crate::instance::{ExecutionModel, Instance};
use crate::ir::{Op, Role};
use crate::semantics::choice::Given;
use crate::semantics::enumeration::ChoiceEnumerator;
use crate::semantics::event::{Event, Observation};
use crate::semantics::{Abort, Chooser, Configuration, Machine, Metrics, StepError};
use crate::simulate::RunRng;
use crate::stop::StopSignal;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Number of initial configurations found between two checks of the limits.
const STARTS_BETWEEN_LOOKS: usize = 1 << 12;

/// If there are more initial configurations than this, random order draws some instead of enumerating all.
const MOST_STARTS: usize = 1 << 16;

/// Seed of the initial configurations that are drawn in a search that is not random.
const SEED_OF_STARTS: u64 = 1;

/// Number of initial configurations that random order draws then.
pub const DRAWN: usize = 4096;

/// An initial configuration, with the steps that lead to it.
#[derive(Clone, Debug)]
pub struct InitialState {
    pub steps: Vec<Arc<Step>>,
    pub configuration: Configuration,
}

/// The start of one process: the event, the guards taken, the counts and the observations.
#[derive(Debug)]
pub struct Step {
    pub event: Event,
    pub guards: Vec<u32>,
    pub metrics: Metrics,
    pub observations: Vec<Observation>,
}

impl InitialState {
    /// Return the state before any process has started.
    fn nothing(instance: &Instance) -> InitialState {
        InitialState { steps: Vec::new(), configuration: Configuration::initial(instance) }
    }

    /// Execute an event, and return its result.
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

    /// Return the total cost of the starts.
    pub fn metrics(&self) -> Metrics {
        let mut sum = self.steps.first().map_or_else(Metrics::default, |step| step.metrics.clone());
        self.steps.iter().skip(1).for_each(|step| sum.add(&step.metrics));
        sum
    }
}

/// All initial configurations, in order. There may be very many, so only the events that lead to each are stored; [`Again`]
/// recomputes the rest.
#[derive(Debug, Default)]
pub struct InitialStates {
    /// Each distinct event once.
    events: Vec<Event>,
    numbers: FxHashMap<Event, u32>,
    /// The id of an event, and the step before it. Initial configurations share prefixes of steps.
    steps: Vec<(u32, u32)>,
    /// The last step of each initial configuration.
    last: Vec<u32>,
    /// Whether these were drawn at random from more.
    are_drawn: bool,
}

/// The predecessor of a first step.
const NO_STEP: u32 = u32::MAX;

impl InitialStates {
    pub fn len(&self) -> usize {
        self.last.len()
    }

    /// Return whether these were drawn at random from more.
    pub fn are_drawn(&self) -> bool {
        self.are_drawn
    }

    /// Return the approximate number of bytes.
    pub fn bytes(&self) -> usize {
        let events =
            self.events.capacity() * 2 * size_of::<Event>() + self.numbers.capacity() * size_of::<u32>();
        events + self.steps.capacity() * size_of::<(u32, u32)>() + self.last.capacity() * size_of::<u32>()
    }

    /// Return the bytes needed temporarily if `more` initial configurations are added.
    fn bytes_to_grow(&self, more: usize) -> usize {
        to_grow(&self.steps, more) + to_grow(&self.last, more)
    }

    /// Add the step that executes `event` after `before`.
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

    /// Call `watch` with the progress of the enumeration.
    fn look(
        &self,
        (waiting, is_stopped): (u64, bool),
        watch: &mut dyn FnMut(&Progress) -> Option<StopReason>,
    ) -> Result<(), NoStart> {
        let (configurations, bytes) = (self.len() as u64, self.bytes());
        let bytes_to_come = self.bytes_to_grow(STARTS_BETWEEN_LOOKS);
        let progress = Progress { configurations, steps: 0, depth: 0, waiting, bytes, bytes_to_come };
        match watch(&progress).or(is_stopped.then_some(StopReason::Time)) {
            Some(cut) => Err(NoStart::Cut(cut)),
            None => Ok(()),
        }
    }

    /// By step: whether it has several successors.
    fn forks(&self) -> Vec<bool> {
        let (mut goes_on, mut forks) = (vec![false; self.steps.len()], vec![false; self.steps.len()]);
        for (_, before) in self.steps.iter().filter(|(_, before)| *before != NO_STEP) {
            forks[*before as usize] |= std::mem::replace(&mut goes_on[*before as usize], true);
        }
        forks
    }

    /// Return the steps to an initial configuration, first to last.
    fn way(&self, number: usize) -> Vec<u32> {
        let before = |step: &u32| Some(self.steps[*step as usize].1).filter(|before| *before != NO_STEP);
        let mut way: Vec<u32> = std::iter::successors(Some(self.last[number]), before).collect();
        way.reverse();
        way
    }

    fn event(&self, step: u32) -> &Event {
        &self.events[self.steps[step as usize].0 as usize]
    }

    /// Return the number of events that lead to an initial configuration.
    pub fn length(&self, number: usize) -> usize {
        self.way(number).len()
    }
}

/// Recomputes initial configurations in sequence, a prefix common to two only once.
#[derive(Debug)]
pub struct Replayer<'a> {
    instance: &'a Instance,
    started: &'a InitialStates,
    machine: Machine,
    /// By step: whether it has several successors.
    forks: Vec<bool>,
    /// The state before the first step, then the states at branching points on the path of the last one.
    stages: Vec<InitialState>,
    way: Vec<u32>,
    last: InitialState,
}

impl<'a> Replayer<'a> {
    pub fn new(instance: &'a Instance, started: &'a InitialStates) -> Replayer<'a> {
        let mut machine = Machine::new(instance);
        machine.recording = true;
        let (nothing, way) = (InitialState::nothing(instance), Vec::new());
        let (forks, stages) = (started.forks(), vec![nothing.clone()]);
        Replayer { instance, started, machine, forks, stages, way, last: nothing }
    }

    pub fn start(&mut self, number: usize) -> &InitialState {
        let Replayer { instance, started, machine, forks, stages, way, last } = self;
        let known = std::mem::replace(way, started.way(number));
        let common = known.iter().zip(&*way).take_while(|(known, step)| known == step).count();
        if common < known.len() {
            stages.retain(|stage| stage.steps.len() <= common);
            last.clone_from(&stages[stages.len() - 1]);
        }
        for step in &way[last.steps.len()..] {
            let event = started.event(*step);
            // The step succeeded before.
            let _ = last.go_on(instance, machine, event, &mut Given::new(&event.choices));
            if forks[*step as usize] {
                stages.push(last.clone());
            }
        }
        last
    }
}

/// The result of the enumeration.
type Found = Result<(InitialStates, InitialState, Option<AbortedStart>), NoStart>;

/// The events of a start, the last of which aborts, and the run-time error.
pub type AbortedStart = (Vec<Event>, Box<Abort>);

/// The reason why the search does not begin.
pub enum NoStart {
    Aborted(AbortedStart),
    /// `watch` ended the search.
    Cut(StopReason),
}

/// Return whether the choices of a process at its start are the same whatever other processes have chosen.
fn starts_are_independent(instance: &Instance) -> bool {
    let model = match instance.model.execution {
        ExecutionModel::Single | ExecutionModel::Rounds => {
            instance.program.shared.is_empty() && instance.program.oracles.is_empty()
        }
        ExecutionModel::Daemon(_) | ExecutionModel::Pairs => instance.program.roles.iter().all(starts_alone),
    };
    // A process that crashes as it sends leaves fewer faults to the others.
    let may_crash = instance.active_faults().is_some();
    model && !may_crash && instance.script.is_none()
}

/// Return whether nothing but initial values is computed at the start of a process, and no run determines them.
fn starts_alone(role: &Role) -> bool {
    let mut pc = role.start;
    // The code is followed without branches, so it ends or returns to an earlier place.
    for _ in 0..role.code.len() {
        pc = match role.code.get(pc as usize) {
            Some(Op::Jump(to)) => *to,
            Some(Op::Set(_, value)) if value.part_of_run().is_none() => pc + 1,
            Some(Op::SetArbitrary(_, domain)) if domain.is_constant() => pc + 1,
            Some(op) => return matches!(op, Op::Wait(_)),
            None => return false,
        };
    }
    false
}

/// Enumerate the initial configurations. Return them with the first one and the first start that aborts, if any. An abort ends
/// the enumeration, unless `goes_on` and there are other starts. Where variables have arbitrary initial values, there may be
/// many. `watch` receives the number found, the number in progress, and the bytes they take. Independent starts are executed once and then
/// combined. If there are more combinations than the limit, some are drawn at random, or the search ends if an incomplete exploration is
/// of no use. Random order draws some of very many.
pub fn enumerate_initial_states(
    instance: &Instance,
    (goes_on, stop): (bool, &StopSignal),
    options: &ExploreOptions,
    watch: &mut dyn FnMut(&Progress) -> Option<StopReason>,
) -> Found {
    let order = options.order;
    let mut machine = Machine::new(instance);
    machine.recording = true;
    let (mut ready, mut first) = (InitialStates::default(), None);
    let mut aborted: Option<AbortedStart> = None;
    let mut open = vec![(InitialState::nothing(instance), NO_STEP)];
    // By step on the path to the first initial configuration: the events in its place.
    let mut alternatives: Vec<Vec<Event>> = Vec::new();
    let is_predictable = starts_are_independent(instance) && !matches!(order, SearchOrder::Chance(_));
    while let Some((start, step)) = open.pop() {
        let stopped = stop.is_set();
        let is_ready = start.configuration.next_to_start().is_none();
        if is_ready && first.is_none() && is_predictable && alternatives.len() == start.steps.len() {
            let all = alternatives.iter().fold(1, |all: u64, own| all.saturating_mul(own.len() as u64));
            // Between two checks of the limits, some more are enumerated, and the search begins with as many as it may.
            if all - all % STARTS_BETWEEN_LOOKS as u64 > options.max_configurations {
                return match options.whole_or_none {
                    true => Err(NoStart::Cut(StopReason::Configurations)),
                    false => draw(instance, (goes_on, stop), SEED_OF_STARTS, watch),
                };
            }
            return Ok((combinations(&alternatives, (all, stop), watch)?, start, aborted));
        }
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
                ready.look((open.len() as u64, stopped), watch)?;
            }
            continue;
        }
        let mut next = Vec::new();
        for event in machine.enabled(instance, &start.configuration) {
            let mut choices = ChoiceEnumerator::default();
            loop {
                if stop.is_set() {
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
        if first.is_none() {
            let last = |(state, _): &(InitialState, u32)| state.steps.last().map(|step| step.event.clone());
            alternatives.push(next.iter().filter_map(last).collect());
        }
        next.reverse();
        open.append(&mut next);
    }
    found(ready, first, aborted)
}

/// Return the initial configurations that result if each process starts by any of its events, in the order of these.
fn combinations(
    alternatives: &[Vec<Event>],
    (all, stop): (u64, &StopSignal),
    watch: &mut dyn FnMut(&Progress) -> Option<StopReason>,
) -> Result<InitialStates, NoStart> {
    let mut ready = InitialStates::default();
    // The number of the event of each process, and the step that executes it.
    let (mut chosen, mut way) = (vec![0; alternatives.len()], Vec::new());
    loop {
        for (events, own) in alternatives.iter().zip(&chosen).skip(way.len()) {
            let before = way.last().copied().unwrap_or(NO_STEP);
            way.push(ready.step(&events[*own], before));
        }
        ready.last.push(way.last().copied().unwrap_or(NO_STEP));
        if stop.is_set() || ready.len().is_multiple_of(STARTS_BETWEEN_LOOKS) {
            ready.look((all - ready.len() as u64, stop.is_set()), watch)?;
        }
        let Some(next) = (0..chosen.len()).rev().find(|at| chosen[*at] + 1 < alternatives[*at].len()) else {
            return Ok(ready);
        };
        chosen[next] += 1;
        chosen[next + 1..].fill(0);
        way.truncate(next);
    }
}

/// Draw some of very many initial configurations, choosing each start at random. Duplicates are possible.
fn draw(
    instance: &Instance,
    (goes_on, stop): (bool, &StopSignal),
    seed: u64,
    watch: &mut dyn FnMut(&Progress) -> Option<StopReason>,
) -> Found {
    let mut machine = Machine::new(instance);
    machine.recording = true;
    let mut dice = Drawn(RunRng::for_exploration(seed));
    let (mut ready, mut first) = (InitialStates { are_drawn: true, ..InitialStates::default() }, None);
    let mut aborted: Option<AbortedStart> = None;
    for waiting in (0..DRAWN as u64).rev() {
        ready.look((waiting, false), watch)?;
        let (mut start, mut step) = (InitialState::nothing(instance), NO_STEP);
        while start.configuration.next_to_start().is_some() {
            if stop.is_set() {
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

/// Makes every choice at random.
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
