//! What follows a configuration. Two ways to say it: by tables of local steps, where a step depends on nothing but one
//! process and what is sent to it; or by taking whole configurations, in models with rounds, clocks or faults.

use super::choices::EveryChoice;
use super::graph::{Label, Source};
use super::judge::Judge;
use super::local::{Local, Outcome};
use super::parts::Parts;
use super::store::{hash, share};
use super::table::Table;
use crate::instance::Instance;
use crate::semantics::event::{Cause, Event};
use crate::semantics::{Abort, Configuration, Environment, Machine, Metrics};
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
        let whole = (*started.environment() != Environment::default()).then(Table::new);
        Space { instance, started, parts: Parts::new(instance), whole }
    }

    /// Length of the vectors.
    pub fn components(&self) -> usize {
        if self.whole.is_some() { 1 } else { 2 * self.parts.n() }
    }

    pub fn encode(&self, configuration: &Configuration) -> Vec<u32> {
        match &self.whole {
            Some(whole) => vec![whole.number(configuration.clone())],
            None => self.parts.encode(self.instance, configuration),
        }
    }

    pub fn decode(&self, key: &[u32], into: &mut Configuration) {
        match &self.whole {
            Some(whole) => *into = (*whole.get(key[0])).clone(),
            None => {
                let n = self.parts.n();
                for (process, (local, inbox)) in (0u32..).zip(key[..n].iter().zip(&key[n..])) {
                    self.parts.restore_local(into, process, *local);
                    self.parts.restore_inbox(into, process, *inbox);
                }
            }
        }
    }

    pub fn is_local(&self) -> bool {
        self.whole.is_none()
    }
}

/// One successor.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub hash: u64,
    pub label: Label,
    pub action: u32,
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

/// Finds successors. One for each thread.
#[derive(Debug)]
pub(super) struct Worker<'a> {
    space: &'a Space<'a>,
    judge: &'a Judge<'a>,
    local: Local<'a>,
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
            machine,
            key: Vec::new(),
            configuration: space.started.clone(),
        }
    }

    /// Adds the successors of a configuration, in a fixed order. Those of one process only, if that is enough, where
    /// `reduce` is given: it is asked whether one of them is new. Commands that go wrong are given to `aborted`.
    pub fn expand(
        &mut self,
        key: &[u32],
        reduce: Option<&mut dyn FnMut(u64, &[u32]) -> bool>,
        to: &mut Successors,
        aborted: &mut dyn FnMut(Event, Box<Abort>),
    ) {
        if !self.space.is_local() {
            return self.expand_whole(key, to, aborted);
        }
        let n = key.len() / 2;
        let own_hash = hash(key);
        if let Some(is_new) = reduce
            && let Some(process) = self.enough(key, own_hash, is_new)
        {
            return self.expand_process(key, own_hash, process, to, aborted);
        }
        for process in 0..n as u32 {
            self.expand_process(key, own_hash, process, to, aborted);
        }
    }

    fn expand_process(
        &mut self,
        key: &[u32],
        own_hash: u64,
        process: u32,
        to: &mut Successors,
        aborted: &mut dyn FnMut(Event, Box<Abort>),
    ) {
        let n = key.len() / 2;
        let steps = self.local.steps(process, key[process as usize], key[n + process as usize]);
        for outcome in &steps.outcomes {
            if let Some(abort) = &outcome.abort {
                aborted(outcome.event.clone(), abort.clone());
                continue;
            }
            let hash = self.apply(key, own_hash, outcome);
            to.push(
                &self.key,
                Candidate {
                    hash,
                    label: Label { source: source(&outcome.event), cost: outcome.cost },
                    action: outcome.action,
                    touched: outcome.touched,
                },
            );
        }
    }

    /// Puts the vector after a local step into `self.key`, and gives its hash.
    fn apply(&mut self, key: &[u32], own_hash: u64, outcome: &Outcome) -> u64 {
        let Worker { local, key: next, space, .. } = self;
        let n = key.len() / 2;
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
        for (channel, message) in &outcome.sends {
            let receiver = space.instance.receiver(*channel);
            let at = n + receiver as usize;
            let inbox = local.append(receiver, next[at], *channel, *message);
            set(next, at, inbox);
        }
        hash
    }

    /// A process whose steps are enough: whatever the others do first, it could still do the same, with the same result,
    /// and nothing that is judged can tell the order (Valmari's and Godefroid's persistent sets; a process that waits
    /// at one channel is the usual case). One of its successors must be new, so that the others are not put off for ever.
    fn enough(
        &mut self,
        key: &[u32],
        own_hash: u64,
        is_new: &mut dyn FnMut(u64, &[u32]) -> bool,
    ) -> Option<u32> {
        let n = key.len() / 2;
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

    fn expand_whole(&mut self, key: &[u32], to: &mut Successors, aborted: &mut dyn FnMut(Event, Box<Abort>)) {
        let Worker { space, judge, machine, configuration, .. } = self;
        let instance = space.instance;
        space.decode(key, configuration);
        for event in machine.enabled(instance, configuration) {
            let mut choices = EveryChoice::default();
            loop {
                let mut next = configuration.clone();
                machine.metrics =
                    Metrics::new(instance.program.kinds.len(), instance.program.operations.len());
                match machine.perform(instance, &mut next, &event, &mut choices) {
                    Ok(false) => {}
                    Ok(true) => {
                        let key = space.encode(&next);
                        let candidate = Candidate {
                            hash: hash(&key),
                            label: Label {
                                source: source(&event),
                                cost: judge.costs.number(&machine.metrics),
                            },
                            action: machine.effects.action,
                            touched: judge.all(),
                        };
                        to.push(&key, candidate);
                    }
                    Err(abort) => {
                        aborted(Event { choices: machine.choices.clone(), ..event.clone() }, abort);
                    }
                }
                if !choices.next() {
                    break;
                }
            }
        }
    }

    /// Has this configuration no successor? Some: the configuration.
    pub fn decode(&mut self, key: &[u32]) -> &Configuration {
        self.space.decode(key, &mut self.configuration);
        &self.configuration
    }

    /// The event, with its choices, that leads from a configuration to one with this vector.
    pub fn event_to(&mut self, from: &Configuration, to: &[u32]) -> Option<(Event, Configuration)> {
        let Worker { space, machine, .. } = self;
        for event in machine.enabled(space.instance, from) {
            let mut choices = EveryChoice::default();
            loop {
                let mut next = from.clone();
                if matches!(machine.perform(space.instance, &mut next, &event, &mut choices), Ok(true))
                    && space.encode(&next) == to
                {
                    return Some((Event { choices: machine.choices.clone(), ..event }, next));
                }
                if !choices.next() {
                    break;
                }
            }
        }
        None
    }
}

/// What the fairness of a step is about.
fn source(event: &Event) -> Source {
    match event.cause {
        Cause::Deliver { channel, .. } => Source::Channel(channel),
        _ => Source::Process(event.process),
    }
}

/// Every configuration in which all have started, with the starts that lead there.
pub(super) fn starts(
    instance: &Instance,
) -> Result<Vec<(Vec<Event>, Configuration)>, (Vec<Event>, Box<Abort>)> {
    let mut machine = Machine::new(instance);
    let mut ready = Vec::new();
    let mut open = vec![(Vec::new(), Configuration::initial(instance))];
    while let Some((path, configuration)) = open.pop() {
        if configuration.next_to_start().is_none() {
            ready.push((path, configuration));
            continue;
        }
        let mut next = Vec::new();
        for event in machine.enabled(instance, &configuration) {
            let mut choices = EveryChoice::default();
            loop {
                let mut after = configuration.clone();
                let done = machine.perform(instance, &mut after, &event, &mut choices);
                let mut path: Vec<Event> = path.clone();
                path.push(Event { choices: machine.choices.clone(), ..event.clone() });
                match done {
                    Ok(true) => next.push((path, after)),
                    Ok(false) => {}
                    Err(abort) => return Err((path, abort)),
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

pub(super) type Started = Arc<[(Vec<Event>, Configuration)]>;
