//! What follows a configuration. Two ways to say it: by tables of local steps, where a step depends on nothing but one
//! process and what is sent to it; or by taking whole configurations, in models with rounds, clocks or faults.

use super::choices::EveryChoice;
use super::ghost::Known;
use super::graph::{Label, Source};
use super::judge::{Judge, Seen};
use super::local::{Local, Outcome};
use super::parts::Parts;
use super::store::{hash, share};
use super::table::Table;
use crate::instance::{Instance, Pace};
use crate::semantics::event::{Cause, Event, Observation};
use crate::semantics::{Abort, Configuration, Environment, Machine, MessageRef, Metrics, StepError};
use std::sync::Arc;

/// All configurations of an instance, as vectors of numbers.
#[derive(Debug)]
pub(super) struct Space<'i> {
    pub instance: &'i Instance,
    /// Any configuration in which all have started.
    pub started: Configuration,
    parts: Parts,
    /// Where a step may depend on more than one process: the configurations themselves.
    whole: Option<Table<Configuration>>,
}

impl<'i> Space<'i> {
    pub fn new(instance: &'i Instance, started: Configuration) -> Space<'i> {
        let single = instance.model.pace == Pace::Single && *started.environment() == Environment::default();
        let whole = (!single).then(Table::new);
        Space { instance, started, parts: Parts::new(instance), whole }
    }

    /// Length of the vectors.
    pub fn components(&self, judge: &Judge<'_>) -> usize {
        let system = if self.whole.is_some() { 1 } else { 2 * self.parts.n() };
        system + judge.ghosts.components()
    }

    /// The vector of a configuration in which all have just started.
    pub fn encode_start(&self, judge: &Judge<'_>, start: &Start) -> Vec<u32> {
        let mut key = self.encode(&start.configuration);
        key.extend(judge.ghosts.after_starts(&start.steps));
        if judge.ghosts.needs.pasts() {
            // What was sent at the start carries what its sender knew.
            let n = self.parts.n();
            for process in 0..n {
                key[n + process] = self.parts.with_pasts(process as u32, key[n + process], |channel| {
                    let sender = self.instance.sender(channel) as usize;
                    judge.ghosts.sent_from_start(key[2 * n + sender])
                });
            }
        }
        key
    }

    pub fn encode(&self, configuration: &Configuration) -> Vec<u32> {
        match &self.whole {
            Some(whole) => vec![whole.number(configuration.clone())],
            None => self.parts.encode(self.instance, configuration),
        }
    }

    /// The part of a vector that says what has been counted and observed.
    fn ghost_of(&self, judge: &Judge<'_>, key: &[u32]) -> u32 {
        match key.last() {
            Some(ghost) if judge.ghosts.needs.any() => *ghost,
            _ => 0,
        }
    }

    pub fn decode(&self, key: &[u32], into: &mut Configuration) {
        match &self.whole {
            Some(whole) => *into = (*whole.get(key[0])).clone(),
            None => {
                let n = self.parts.n();
                for (process, (local, inbox)) in (0u32..).zip(key[..n].iter().zip(&key[n..2 * n])) {
                    self.parts.restore_local(into, process, *local);
                    self.parts.restore_inbox(into, process, *inbox);
                }
            }
        }
    }

    pub fn is_local(&self) -> bool {
        self.whole.is_none()
    }

    /// Bytes of the configurations that are kept whole, by the size of the first.
    pub fn bytes(&self) -> usize {
        self.whole
            .as_ref()
            .map_or(0, |whole| whole.len() * (size_of::<Configuration>() + self.started.bytes()))
    }
}

/// One successor.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub hash: u64,
    pub label: Label,
    pub touched: u64,
}

/// The successors of one configuration after the other; keys lie behind one another.
#[derive(Debug, Default)]
pub(super) struct Successors {
    pub candidates: Vec<Candidate>,
    pub keys: Vec<u32>,
}

impl Successors {
    fn push(&mut self, key: &[u32], candidate: Candidate) {
        self.keys.extend_from_slice(key);
        self.candidates.push(candidate);
    }
}

/// Asked of a hash and a vector: has this configuration not been met?
pub(super) type IsNew<'a> = &'a mut dyn FnMut(u64, &[u32]) -> bool;

/// Finds successors. One for each thread.
#[derive(Debug)]
pub(super) struct Worker<'a> {
    space: &'a Space<'a>,
    judge: &'a Judge<'a>,
    local: Local<'a>,
    known: Known,
    machine: Machine,
    key: Vec<u32>,
    /// A configuration to take apart and look at.
    pub configuration: Configuration,
}

impl<'a> Worker<'a> {
    pub fn new(space: &'a Space<'a>, judge: &'a Judge<'a>) -> Worker<'a> {
        let mut machine = Machine::new(space.instance);
        machine.recording = true;
        Worker {
            space,
            judge,
            local: Local::new(space.instance, &space.parts, judge, &space.started),
            known: Known::default(),
            machine,
            key: Vec::new(),
            configuration: space.started.clone(),
        }
    }

    /// Adds the successors of a configuration, in a fixed order. Those of one process only, if that is enough, where
    /// `reduce` is given: it is asked whether one of them is new. Commands that go wrong are given to `aborted`.
    /// False: nothing can happen here, besides faults.
    pub fn expand(
        &mut self,
        key: &[u32],
        reduce: Option<IsNew<'_>>,
        to: &mut Successors,
        aborted: &mut dyn FnMut(Event, Box<Abort>),
    ) -> bool {
        if !self.space.is_local() {
            return self.expand_whole(key, to, aborted);
        }
        let n = self.space.parts.n();
        let own_hash = hash(key);
        if let Some(is_new) = reduce
            && let Some(process) = self.enough(key, own_hash, is_new)
        {
            return self.expand_process(key, own_hash, process, to, aborted);
        }
        let mut goes_on = false;
        for process in 0..n as u32 {
            goes_on |= self.expand_process(key, own_hash, process, to, aborted);
        }
        goes_on
    }

    fn expand_process(
        &mut self,
        key: &[u32],
        own_hash: u64,
        process: u32,
        to: &mut Successors,
        aborted: &mut dyn FnMut(Event, Box<Abort>),
    ) -> bool {
        let n = self.space.parts.n();
        let steps = self.local.steps(process, key[process as usize], key[n + process as usize]);
        for outcome in &steps.outcomes {
            if let Some(abort) = &outcome.abort {
                aborted(outcome.event.clone(), abort.clone());
                continue;
            }
            let hash = self.apply(key, own_hash, outcome);
            let grew = self.judge.ghosts.needs.any() && key.last() != self.key.last();
            to.push(
                &self.key,
                Candidate {
                    hash,
                    label: Label { source: source(&outcome.event), cost: outcome.cost },
                    touched: outcome.touched | if grew { self.judge.ghostly() } else { 0 },
                },
            );
        }
        !steps.outcomes.is_empty()
    }

    /// Puts the vector after a local step into `self.key`, and gives its hash.
    fn apply(&mut self, key: &[u32], own_hash: u64, outcome: &Outcome) -> u64 {
        let Worker { local, key: next, space, judge, known, .. } = self;
        let n = space.parts.n();
        next.clear();
        next.extend_from_slice(key);
        let mut hash = own_hash;
        let mut set = |next: &mut [u32], at: usize, number: u32| {
            hash = hash.wrapping_sub(share(at as u32, next[at])).wrapping_add(share(at as u32, number));
            next[at] = number;
        };
        let process = outcome.event.process as usize;
        set(next, process, outcome.local);
        set(next, n + process, outcome.inbox);
        let ghosts = &judge.ghosts;
        let mut past = None;
        if ghosts.needs.any() {
            let before = (next[2 * n..].get(process).copied(), next.last().copied());
            let sends = !outcome.sends.is_empty();
            let sent = known.advance(
                ghosts,
                &mut next[2 * n..],
                process as u32,
                &outcome.pasts,
                outcome.delta,
                sends,
            );
            past = ghosts.needs.pasts().then_some(sent);
            // The hash follows what has been changed.
            let last = next.len() - 1;
            let mut follow = |next: &mut [u32], at: usize, before: Option<u32>| {
                let now = next[at];
                next[at] = before.unwrap_or(now);
                set(next, at, now);
            };
            if ghosts.needs.pasts() {
                follow(next, 2 * n + process, before.0);
            }
            follow(next, last, before.1);
        }
        for (channel, message) in &outcome.sends {
            let receiver = space.instance.receiver(*channel);
            let at = n + receiver as usize;
            let message = match past {
                Some(past) => local.with_past(*message, past),
                None => *message,
            };
            let inbox = local.append(receiver, next[at], *channel, message);
            set(next, at, inbox);
        }
        hash
    }

    /// A process whose steps are enough: whatever the others do first, it could still do the same, with the same result,
    /// and nothing that is judged can tell the order (Valmari's and Godefroid's persistent sets; a process that waits
    /// at one channel is the usual case). One of its successors must be new, so that the others are not put off for ever.
    fn enough(&mut self, key: &[u32], own_hash: u64, is_new: IsNew<'_>) -> Option<u32> {
        let n = self.space.parts.n();
        for process in 0..n {
            let steps = self.local.steps(process as u32, key[process], key[n + process]);
            if !steps.closed || !steps.invisible || steps.outcomes.is_empty() {
                continue;
            }
            for outcome in &steps.outcomes {
                let hash = self.apply(key, own_hash, outcome);
                if is_new(hash, &self.key) {
                    return Some(process as u32);
                }
            }
        }
        None
    }

    fn expand_whole(
        &mut self,
        key: &[u32],
        to: &mut Successors,
        aborted: &mut dyn FnMut(Event, Box<Abort>),
    ) -> bool {
        let Worker { space, judge, machine, configuration, local, .. } = self;
        let instance = space.instance;
        space.decode(key, configuration);
        let mut goes_on = false;
        for event in machine.enabled(instance, configuration) {
            let is_fault = event.is_fault(configuration);
            let mut choices = EveryChoice::default();
            loop {
                let mut next = configuration.clone();
                machine.metrics =
                    Metrics::new(instance.program.kinds.len(), instance.program.operations.len());
                match machine.perform(instance, &mut next, &event, &mut choices) {
                    Ok(false) | Err(StepError::Impossible(_)) => {}
                    Ok(true) => {
                        goes_on |= !is_fault;
                        for action in std::iter::once(&machine.effects.action).chain(&machine.effects.upcalls)
                        {
                            if let Some(seen) = local.seen.get_mut(*action as usize) {
                                *seen = true;
                            }
                        }
                        let key = space.encode(&next);
                        debug_assert_eq!(judge.ghosts.components(), 0);
                        let candidate = Candidate {
                            hash: hash(&key),
                            label: Label {
                                source: source(&event),
                                cost: judge.costs.number(&machine.metrics),
                            },
                            touched: judge.all(),
                        };
                        to.push(&key, candidate);
                    }
                    Err(StepError::Aborted(abort)) => {
                        goes_on = true;
                        aborted(Event { choices: machine.choices.clone(), ..event.clone() }, abort);
                    }
                }
                if !choices.next() {
                    break;
                }
            }
        }
        goes_on
    }

    /// By action of the program: has it been taken?
    pub fn seen(&self) -> &[bool] {
        &self.local.seen
    }

    /// The configuration, and what has been counted and observed on the way.
    pub fn decode(&mut self, key: &[u32]) -> (&Configuration, Seen) {
        self.space.decode(key, &mut self.configuration);
        (&self.configuration, self.judge.seen(self.space.ghost_of(self.judge, key)))
    }

    /// The step, with its choices, that leads from one vector to another. Positions in channels whose order is not kept
    /// count from the message that comes first in order of content.
    pub fn step_between(&mut self, from: &[u32], to: &[u32]) -> Option<Event> {
        if !self.space.is_local() {
            self.space.decode(from, &mut self.configuration);
            let configuration = self.configuration.clone();
            return self.event_to(&configuration, to);
        }
        let n = self.space.parts.n();
        let own_hash = hash(from);
        for process in 0..n {
            let steps = self.local.steps(process as u32, from[process], from[n + process]);
            for outcome in steps.outcomes.iter().filter(|o| o.abort.is_none()) {
                self.apply(from, own_hash, outcome);
                if self.key == to {
                    return Some(outcome.event.clone());
                }
            }
        }
        None
    }

    /// The event that leads from a configuration to one with this vector.
    fn event_to(&mut self, from: &Configuration, to: &[u32]) -> Option<Event> {
        let Worker { space, machine, .. } = self;
        for event in machine.enabled(space.instance, from) {
            let mut choices = EveryChoice::default();
            loop {
                let mut next = from.clone();
                if matches!(machine.perform(space.instance, &mut next, &event, &mut choices), Ok(true))
                    && space.encode(&next) == to
                {
                    return Some(Event { choices: machine.choices.clone(), ..event });
                }
                if !choices.next() {
                    break;
                }
            }
        }
        None
    }

    pub fn is_local(&self) -> bool {
        self.space.is_local()
    }

    /// Is this the message that the vector has at that position of a channel?
    pub fn place_of(&self, message: &MessageRef<'_>, key: &[u32], channel: u32, position: u32) -> bool {
        self.space.parts.is_message(self.space.instance, message, key, channel, position)
    }
}

/// What the fairness of a step is about.
fn source(event: &Event) -> Source {
    match event.cause {
        Cause::Deliver { channel, .. } => Source::Channel(channel),
        _ => Source::Process(event.process),
    }
}

/// A configuration in which all have just started.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub events: Vec<Event>,
    pub configuration: Configuration,
    /// What each start has counted and shown.
    pub steps: Vec<(u32, Metrics, Vec<Observation>)>,
}

impl Start {
    /// What the starts have cost together.
    pub fn metrics(&self) -> Metrics {
        let mut sum = self.steps.first().map_or_else(Metrics::default, |(_, metrics, _)| metrics.clone());
        for (_, metrics, _) in self.steps.iter().skip(1) {
            sum.add(metrics);
        }
        sum
    }
}

/// The starts that go wrong, and how.
pub(super) type AbortedStart = (Vec<Event>, Box<Abort>);

/// Every configuration in which all have started, with the starts that lead there.
pub(super) fn starts(instance: &Instance) -> Result<Vec<Start>, AbortedStart> {
    let mut machine = Machine::new(instance);
    machine.recording = true;
    let mut ready = Vec::new();
    let first =
        Start { events: Vec::new(), configuration: Configuration::initial(instance), steps: Vec::new() };
    let mut open = vec![first];
    while let Some(start) = open.pop() {
        if start.configuration.next_to_start().is_none() {
            ready.push(start);
            continue;
        }
        let mut next = Vec::new();
        for event in machine.enabled(instance, &start.configuration) {
            let mut choices = EveryChoice::default();
            loop {
                let mut after = start.clone();
                machine.metrics =
                    Metrics::new(instance.program.kinds.len(), instance.program.operations.len());
                let done = machine.perform(instance, &mut after.configuration, &event, &mut choices);
                after.events.push(Event { choices: machine.choices.clone(), ..event.clone() });
                let observations = machine.effects.observations.clone();
                after.steps.push((event.process, machine.metrics.clone(), observations));
                match done {
                    Ok(true) => next.push(after),
                    Ok(false) | Err(StepError::Impossible(_)) => {}
                    Err(StepError::Aborted(abort)) => return Err((after.events, abort)),
                }
                if !choices.next() {
                    break;
                }
            }
        }
        next.reverse();
        open.append(&mut next);
    }
    Ok(ready)
}

pub(super) type Started = Arc<[Start]>;
