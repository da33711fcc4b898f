//! Computation of successors: by lookup of the transitions of each process, or by interpreting the steps of a whole
//! configuration.

mod retrace;

use crate::explore::fairness::{FairnessConstraints, constraints_of};
use crate::explore::graph::Label;
use crate::explore::graph::shifts::UNMOVED;
use crate::explore::monitor::{AuxiliaryData, Monitor};
use crate::explore::space::footprint::JointSteps;
use crate::explore::space::rounds::RoundProgress;
use crate::explore::space::transitions::{Effect, Transition, TransitionRange, Transitions};
use crate::explore::space::{Origin, Space};
use crate::explore::steps::apply::Next;
use crate::explore::steps::joint;
use crate::explore::steps::local::LocalSteps;
use crate::explore::steps::successors::{Candidate, LastPlaces, Successors};
use crate::explore::store::frontier::Part;
use crate::explore::store::hash_index::hash;
use crate::explore::store::state_arena::{Width, number, unpack};
use crate::ids::ProcessId;
use crate::semantics::enumeration::ChoiceEnumerator;
use crate::semantics::event::{Cause, Event};
use crate::semantics::{Abort, Configuration, Coverage, Machine, Metrics, StepError};
use crate::stop::StopSignal;

/// A step that has been tried, with its fairness constraints and the id of its random choices.
type Step = (Event, FairnessConstraints, u32);

/// The result of a step: the vector after it, or the run-time error.
type Tried = Result<Vec<u32>, Box<Abort>>;

/// Predicate on a hash and a vector: whether the configuration is unvisited.
pub type IsNew<'a> = &'a mut dyn FnMut(u64, &[u32]) -> bool;

/// Callback for aborted commands: the event, its fairness constraints, and the run-time error.
pub type OnAbort<'a> = &'a mut dyn FnMut(Event, FairnessConstraints, Box<Abort>);

/// Number of processes looked up ahead, and processed between two checks whether to stop.
const AHEAD: usize = 64;

/// Computes successors. One for each thread.
#[derive(Debug)]
pub struct Worker<'a> {
    space: &'a Space<'a>,
    monitor: &'a Monitor<'a>,
    local: LocalSteps<'a>,
    machine: Machine,
    next: Next<'a>,
    /// Scratch space for a vector.
    key: Vec<u32>,
    /// The transitions of all processes in the configurations of the current group, and in those of the next one.
    ahead: Vec<TransitionRange>,
    coming: Vec<TransitionRange>,
    /// Scratch space for indices of transitions.
    found: Vec<u32>,
    /// Scratch configuration for decoding.
    pub configuration: Configuration,
    /// Recent indices of its successors.
    pub last: LastPlaces,
}

impl<'a> Worker<'a> {
    pub fn new(space: &'a Space<'a>, monitor: &'a Monitor<'a>) -> Worker<'a> {
        let mut machine = Machine::new(space.instance);
        machine.recording = true;
        Worker {
            space,
            monitor,
            local: LocalSteps::new(space, monitor),
            machine,
            next: Next::new(space, monitor),
            key: Vec::new(),
            ahead: Vec::new(),
            coming: Vec::new(),
            found: Vec::new(),
            configuration: space.started.clone(),
            last: LastPlaces::new(),
        }
    }

    /// Return the number of configurations whose transitions are looked up together.
    pub fn group(&self) -> usize {
        if self.next.is_plain { (AHEAD / self.space.parts().n().max(1)).max(1) } else { usize::MAX }
    }

    /// Prepare the expansion of the group that begins at `first`. Look up the transitions of the group after it, and prefetch
    /// the cache entries of the one after that, so that no lookup waits for memory.
    pub fn look_ahead(&mut self, part: Part<'_>, first: usize) {
        if !self.next.is_plain {
            return;
        }
        let size = self.group();
        let group = |number: usize| part.slice(first + number * size..first + (number + 1) * size);
        if first == 0 {
            self.fetch(group(0));
            self.look_up(group(0));
            self.fetch(group(1));
        }
        std::mem::swap(&mut self.ahead, &mut self.coming);
        self.look_up(group(1));
        self.fetch(group(2));
    }

    /// Look up the transitions of all processes in these configurations.
    fn look_up(&mut self, group: Part<'_>) {
        let Worker { local, coming, .. } = self;
        coming.clear();
        match group.width() {
            Width::One => look_up::<1>(local, group, coming),
            Width::Two => look_up::<2>(local, group, coming),
            Width::Four => look_up::<4>(local, group, coming),
        }
    }

    /// Prefetch the cache entries of all processes in these configurations.
    fn fetch(&self, group: Part<'_>) {
        match group.width() {
            Width::One => fetch::<1>(&self.local, group),
            Width::Two => fetch::<2>(&self.local, group),
            Width::Four => fetch::<4>(&self.local, group),
        }
    }

    /// Add the successors of a configuration, in a fixed order. With `reduce`, which tests whether a configuration is new, only
    /// the steps of one process if they form a persistent set. Report aborted commands to `aborted`. Return whether steps were
    /// omitted.
    pub fn expand(
        &mut self,
        from: Origin<'_>,
        reduce: Option<IsNew<'_>>,
        to: &mut Successors,
        aborted: OnAbort<'_>,
    ) -> bool {
        let (width, packed) = from.packed;
        let follows_all = reduce.is_none() && self.space.dead_messages.is_none();
        if self.next.is_plain && follows_all && to.keys.width() == width {
            match width {
                Width::One => self.expand_plain::<1>(from, to, aborted),
                Width::Two => self.expand_plain::<2>(from, to, aborted),
                Width::Four => self.expand_plain::<4>(from, to, aborted),
            }
            return false;
        }
        let mut left_out = false;
        let mut key = std::mem::take(&mut self.key);
        unpack(width, packed, &mut key);
        if !self.space.uses_tables() {
            self.expand_whole(&key, from.truth, to, aborted);
        } else if let Some(dead) = self.dead_receipt(&key) {
            left_out = self.has_others(&key, dead);
            self.follow_one(&key, from.hash, dead, to, aborted);
        } else if !self.space.is_local() {
            self.expand_surrounded(&key, (from.hash, from.truth), to, aborted);
        } else {
            let mut all = self.space.parts().processes();
            match reduce.and_then(|is_new| self.persistent_set(&key, from.hash, is_new)) {
                Some(enough) => {
                    left_out = all.any(|process| process != enough && self.has_steps(&key, process));
                    self.expand_process(&key, from.hash, enough, to, aborted);
                }
                None => all.for_each(|process| self.expand_process(&key, from.hash, process, to, aborted)),
            }
        }
        self.key = key;
        left_out
    }

    /// Return the transition that receives a dead message, if there is one. It commutes with all other steps, and no observer sees it.
    fn dead_receipt(&mut self, key: &[u32]) -> Option<u32> {
        self.space.dead_messages.as_ref()?;
        if !self.space.is_local() {
            self.local.keep_small();
        }
        self.space.parts().processes().find_map(|process| {
            let steps = self.local.steps_in(process, key);
            let all = self.local.all();
            let mut places = steps.places();
            if steps.has_dead() { places.find(|place| all.outcomes[*place as usize].is_dead()) } else { None }
        })
    }

    /// Return whether a configuration has other transitions than this one.
    fn has_others(&mut self, key: &[u32], place: u32) -> bool {
        let is_other = |own: u32| own != place;
        self.space.parts().processes().any(|process| self.local.steps_in(process, key).places().any(is_other))
    }

    /// Add the successor by this transition only.
    fn follow_one(
        &mut self,
        key: &[u32],
        own_hash: u64,
        place: u32,
        to: &mut Successors,
        aborted: OnAbort<'_>,
    ) {
        let Worker { local, next, space, .. } = self;
        let transitions = local.all();
        let outcome = &transitions.outcomes[place as usize];
        follow(space, next, key, own_hash, (outcome, &transitions), to, aborted);
    }

    fn has_steps(&mut self, key: &[u32], process: ProcessId) -> bool {
        let n = self.space.parts().n();
        let steps = self.local.steps(process, key[process.index()], key[n + process.index()]);
        !self.local.transitions(steps).outcomes.is_empty()
    }

    /// Add the successors if vectors consist of local states and inboxes only, under an exact equivalence. No vector is
    /// unpacked. The transitions have been looked up ahead.
    fn expand_plain<const N: usize>(&mut self, from: Origin<'_>, to: &mut Successors, aborted: OnAbort<'_>) {
        let Worker { local, next, ahead, space, .. } = self;
        let (width, packed) = from.packed;
        let cells = packed.as_chunks::<N>().0;
        let n = cells.len() / 2;
        for (process, steps) in ahead[from.place * n..][..n].iter().enumerate() {
            if process % AHEAD == AHEAD - 1 && local.is_stopped() {
                return;
            }
            let transitions = local.transitions(*steps);
            for outcome in transitions.outcomes {
                if outcome.aborts()
                    && let Effect { abort: Some(abort), event, .. } = transitions.done(outcome)
                {
                    let sources = space.labels.get(outcome.label).constraints.clone();
                    aborted(event.clone(), sources, abort.clone());
                    continue;
                }
                let step = (outcome, transitions.sent(outcome));
                let hash = match to.keys.width() == width {
                    true => next.apply_plain(cells, from.hash, process, step, &mut to.keys),
                    false => None,
                };
                let hash = hash.unwrap_or_else(|| {
                    let mut key = Vec::new();
                    unpack(width, packed, &mut key);
                    let hash = next.apply(&key, from.hash, outcome, &transitions);
                    to.keys.push(&next.key);
                    hash
                });
                let (label, free, touched) = (outcome.label, outcome.is_free(), transitions.touched(outcome));
                to.push_last(Candidate { hash, touched, label, free });
            }
        }
    }

    fn expand_process(
        &mut self,
        key: &[u32],
        own_hash: u64,
        process: ProcessId,
        to: &mut Successors,
        aborted: OnAbort<'_>,
    ) {
        let Worker { local, next, space, .. } = self;
        let n = space.parts().n();
        let steps = local.steps(process, key[process.index()], key[n + process.index()]);
        let transitions = local.transitions(steps);
        transitions.outcomes.iter().for_each(|outcome| {
            follow(space, next, key, own_hash, (outcome, &transitions), to, aborted);
        });
    }

    /// Add the successors if steps depend on a footprint, in the order of [`Machine::enabled`].
    fn expand_surrounded(
        &mut self,
        key: &[u32],
        (own_hash, truth): (u64, u32),
        to: &mut Successors,
        aborted: OnAbort<'_>,
    ) {
        let found = self.in_order(key, truth);
        let Worker { local, next, space, .. } = self;
        let (transitions, mut aborting) = (local.all(), Vec::new());
        for place in &found {
            let outcome = &transitions.outcomes[*place as usize];
            if outcome.aborts() && transitions.done(outcome).responder.is_some() {
                aborting.push(*place);
                continue;
            }
            follow(space, next, key, own_hash, (outcome, &transitions), to, aborted);
        }
        for place in aborting {
            let (event, Some(abort)) = self.step_at(key, place) else { continue };
            let outcome = self.local.all().outcomes[place as usize];
            let constraints = self.space.labels.get(outcome.label).constraints.clone();
            aborted(event, constraints, abort);
        }
        self.found = found;
    }

    /// Return the event of a transition in the configuration with this vector, and the run-time error if the command aborts.
    fn step_at(&mut self, key: &[u32], place: u32) -> (Event, Option<Box<Abort>>) {
        let Worker { local, space, machine, configuration, .. } = self;
        let transitions = local.all();
        let done = transitions.done(&transitions.outcomes[place as usize]);
        let mut event = done.event.clone();
        if let Some((responder, _)) = done.responder {
            space.decode(key, configuration);
            machine.ask_oracles(space.instance, configuration);
            let choice = machine.choice_of_responder(space.instance, configuration, &event, responder);
            event.choices.insert_many(0, choice);
        }
        (event, done.abort.clone())
    }

    /// Return the indices of the transitions of all processes, in the order of [`Machine::enabled`]. `truth`: the id of the
    /// truth vector of the configuration.
    fn in_order(&mut self, key: &[u32], truth: u32) -> Vec<u32> {
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        let n = self.space.parts().n();
        let Some(footprint) = &self.space.footprint else {
            for process in self.space.parts().processes() {
                found.extend(self.local.steps_in(process, key).places());
            }
            return found;
        };
        self.local.keep_small();
        self.local.begin(key);
        match self.space.joint_steps() {
            Some(JointSteps::Moves(daemon)) => {
                joint::possible_moves(daemon, &mut self.local, n, key, &mut found);
                return found;
            }
            Some(JointSteps::Rounds) => {
                let next = joint::possible_parts(&mut self.local, n, key, &mut found);
                self.next.coming = RoundProgress { next, truth };
                return found;
            }
            None => {}
        }
        for process in self.space.parts().processes() {
            let mut take = |places: TransitionRange| found.extend(places.places());
            match footprint.in_pairs {
                true => {
                    let all = footprint.responders(process).iter();
                    all.for_each(|responder| take(self.local.interactions(process, *responder, key)));
                }
                false => take(self.local.steps_in(process, key)),
            }
        }
        let transitions = self.local.all();
        let rank = |place: &u32| transitions.done(&transitions.outcomes[*place as usize]).rank;
        if !found.is_sorted_by_key(rank) {
            found.sort_by_key(rank);
        }
        found
    }

    /// Return a process whose steps form a persistent set (Valmari; Godefroid): whatever other processes do first, its steps
    /// remain enabled with the same effect, and no checked property observes the order. Usually that is a process waiting at
    /// one channel. One of its successors must be new, so that the steps of other processes are not postponed forever.
    fn persistent_set(&mut self, key: &[u32], own_hash: u64, is_new: IsNew<'_>) -> Option<ProcessId> {
        let space = self.space;
        let n = space.parts().n();
        for process in space.parts().processes() {
            let steps = self.local.steps(process, key[process.index()], key[n + process.index()]);
            let transitions = self.local.transitions(steps);
            if !steps.is_closed() || !steps.is_invisible() || transitions.outcomes.is_empty() {
                continue;
            }
            for at in steps.range() {
                if self.leads_to_new(key, own_hash, at, is_new) {
                    return Some(process);
                }
            }
        }
        None
    }

    /// Return whether a transition leads to a new configuration. If dead messages are received there first, the configuration after
    /// that counts: the others have one step only.
    fn leads_to_new(&mut self, key: &[u32], own_hash: u64, at: usize, is_new: IsNew<'_>) -> bool {
        let Worker { local, next, .. } = self;
        let transitions = local.all();
        let mut own_hash = next.apply_in_order(key, own_hash, &transitions.outcomes[at], &transitions);
        if self.space.dead_messages.is_none() {
            return is_new(own_hash, &self.next.key);
        }
        let mut key = self.next.key.clone();
        while let Some(dead) = self.dead_receipt(&key) {
            let Worker { local, next, .. } = self;
            let transitions = local.all();
            own_hash =
                next.apply_in_order(&key, own_hash, &transitions.outcomes[dead as usize], &transitions);
            key.clone_from(&next.key);
        }
        is_new(own_hash, &key)
    }

    fn expand_whole(&mut self, key: &[u32], truth: u32, to: &mut Successors, aborted: OnAbort<'_>) {
        let monitor = self.monitor;
        self.every_whole_step(key, truth, &mut |worker, (event, sources, throw), next| match next {
            Ok(next) => {
                if !matches!(event.cause, Cause::SendNote { .. } | Cause::ReceiveNote { .. }) {
                    worker.local.seen.see(&worker.machine.effects, true);
                }
                let cost = monitor.costs.number(&worker.machine.metrics);
                let candidate = Candidate {
                    hash: hash(&next),
                    // Intermediate states of a joint step are not checked.
                    touched: if worker.space.is_between(&next) { 0 } else { monitor.all() },
                    free: sources.is_empty(),
                    label: worker.space.labels.number(Label {
                        constraints: sources,
                        cost,
                        random_choice: throw,
                        shift: UNMOVED,
                    }),
                };
                to.push(&next, candidate);
                false
            }
            Err(abort) => {
                worker.local.seen.see(&worker.machine.effects, false);
                aborted(event, sources, abort);
                false
            }
        });
    }

    /// Try every step of a whole configuration, with every outcome of its choices, until `found` returns true.
    fn every_whole_step(
        &mut self,
        key: &[u32],
        truth: u32,
        found: &mut dyn FnMut(&mut Self, Step, Tried) -> bool,
    ) {
        let (space, monitor) = (self.space, self.monitor);
        let Some(whole) = &space.full_state else { return };
        let instance = space.instance;
        let before = whole.before(space.parts(), key, self.configuration.clone());
        for (number, event) in whole.events(instance, &mut self.machine, &before).into_iter().enumerate() {
            let contents = space.contents();
            let mut choices = ChoiceEnumerator::default();
            loop {
                if self.is_stopped() {
                    return;
                }
                let mut next = before.configuration.clone();
                self.machine.metrics =
                    Metrics::new(instance.program.kinds.len(), instance.program.operations.len());
                let done = self.machine.perform(instance, &mut next, &event, &mut choices);
                let event = Event { choices: self.machine.choices.clone(), ..event.clone() };
                let throw = space.random_choices.number(event.process, number, choices.made());
                let taken = self.machine.taken_positions();
                let about = constraints_of(instance, contents, &before.configuration, &event, &taken);
                let enough = match done {
                    Ok(false) | Err(StepError::Impossible(_)) => false,
                    Ok(true) => {
                        let Worker { machine, next: Next { known, .. }, .. } = self;
                        let with = (space.parts(), monitor);
                        let key = whole.after(with, known, machine, &event, (&before, truth), &next);
                        found(self, (event, about, throw), Ok(key))
                    }
                    Err(StepError::Aborted(abort)) => found(self, (event, about, throw), Err(abort)),
                };
                if enough {
                    return;
                }
                if !choices.next() {
                    break;
                }
            }
        }
    }

    /// Set the signal that stops the search. Results after it is set are incomplete.
    pub fn until(&mut self, stop: &StopSignal) {
        self.local.stop = stop.clone();
    }

    pub fn is_stopped(&self) -> bool {
        self.local.is_stopped()
    }

    /// Return whether steps were omitted because too many delays or numbers of quiet rounds are possible before them.
    pub fn left_out_waits(&self) -> bool {
        self.machine.delays_omitted || self.local.left_out_waits()
    }

    /// Return the approximate number of bytes of the caches.
    pub fn bytes(&self) -> usize {
        self.local.bytes() + self.next.bytes()
    }

    /// Return the coverage.
    pub fn seen(&self) -> &Coverage {
        &self.local.seen
    }

    /// Decode a vector: the configuration, and its counts and history.
    pub fn decode(&mut self, key: &[u32]) -> (&Configuration, AuxiliaryData) {
        self.space.decode(key, &mut self.configuration);
        (&self.configuration, self.monitor.seen(self.space.auxiliary_of(self.monitor, key)))
    }
}

/// Add the successor by a transition.
fn follow(
    space: &Space<'_>,
    next: &mut Next<'_>,
    key: &[u32],
    own_hash: u64,
    (outcome, transitions): (&Transition, &Transitions<'_>),
    to: &mut Successors,
    aborted: OnAbort<'_>,
) {
    let done = transitions.done(outcome);
    if let Some(abort) = &done.abort {
        let sources = space.labels.get(outcome.label).constraints.clone();
        return aborted(done.event.clone(), sources, abort.clone());
    }
    let (label, free) = (outcome.label, outcome.is_free());
    let hash = next.apply_in_order(key, own_hash, outcome, transitions);
    let touched = transitions.touched(outcome) | next.observed;
    // Intermediate states of a joint step are not checked.
    let touched = if space.is_between(&next.key) { 0 } else { touched };
    to.push(&next.key, Candidate { hash, touched, label, free });
}

/// Look up the transitions of all processes in these configurations.
#[inline]
fn look_up<const N: usize>(local: &mut LocalSteps<'_>, group: Part<'_>, to: &mut Vec<TransitionRange>) {
    for place in 0..group.len() {
        for (process, own, inbox) in cells::<N>(group.packed(place)) {
            let steps = local.steps(process, own, inbox);
            local.fetch_ways(steps);
            to.push(steps);
        }
    }
}

/// Prefetch the cache entries of all processes in these configurations.
#[inline]
fn fetch<const N: usize>(local: &LocalSteps<'_>, group: Part<'_>) {
    for place in 0..group.len() {
        cells::<N>(group.packed(place)).for_each(|(process, own, inbox)| local.fetch(process, own, inbox));
    }
}

/// Return the processes of a vector, with the ids of their local states and inboxes.
#[inline]
fn cells<const N: usize>(packed: &[u8]) -> impl Iterator<Item = (ProcessId, u32, u32)> {
    let cells: &[[u8; N]] = packed.as_chunks().0;
    let (locals, inboxes) = cells.split_at(cells.len() / 2);
    (0..)
        .map(ProcessId)
        .zip(locals.iter().zip(inboxes))
        .map(|(process, (own, inbox))| (process, number(*own), number(*inbox)))
}
