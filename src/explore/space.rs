//! What follows a configuration. Two ways to say it: by tables of local steps, where a step depends on nothing but one
//! process and what is sent to it; or by taking whole configurations, in models where it depends on more ([`super::whole`]).

use super::apply::Next;
use super::chance::Throws;
use super::choices::EveryChoice;
use super::graph::{Label, Source};
use super::judge::{Judge, Seen};
use super::local::{Done, Local, Outcome, Steps, source};
use super::parts::Parts;
use super::sameness::Sameness;
use super::store::hash;
use super::symmetry::Symmetry;
use super::table::Table;
use super::vectors::{Vectors, Width, number, unpack};
use super::view::{Marks, View};
use super::whole::{self, Whole};
use super::{Cut, Progress, Stop};
use crate::instance::{Instance, Pace};
use crate::semantics::event::{Cause, Event, Observation};
use crate::semantics::{
    Abort, Configuration, Coverage, Environment, Machine, MessageRef, Metrics, StepError,
};
use std::hint::black_box;
use std::sync::Arc;

/// All configurations of an instance, as vectors of numbers.
#[derive(Debug)]
pub(super) struct Space<'i> {
    pub instance: &'i Instance,
    /// Any configuration in which all have started.
    pub started: Configuration,
    parts: Parts,
    /// Where a step may depend on more than one process: the configurations themselves.
    whole: Option<Whole>,
    /// Notes that the application may send.
    notes: u32,
    /// Which vectors count as one.
    pub sameness: Sameness,
    /// What chance has to do with steps.
    pub throws: Throws,
    /// What steps mean in the graph.
    pub labels: Arc<Table<Label>>,
}

impl<'i> Space<'i> {
    /// `notes`: so many notes the application may send.
    pub fn new(
        instance: &'i Instance,
        started: Configuration,
        notes: u32,
        symmetry: Option<Symmetry>,
        marks: Option<Marks>,
    ) -> Space<'i> {
        let whole = (!Space::goes_by_tables(instance, &started, notes)).then(|| Whole::new(instance));
        let symmetry = symmetry.filter(|_| whole.is_none()).map(Arc::new);
        let common = symmetry.as_ref().map(|symmetry| symmetry.representatives());
        let parts = Parts::new(instance, common.as_deref());
        let view = marks.filter(|_| whole.is_none());
        let view = view.map(|marks| Arc::new(View::new(instance, marks, &parts, common.as_deref())));
        let sameness = Sameness { symmetry, view };
        let (throws, labels) = (Throws::new(), Arc::new(Table::new()));
        Space { instance, started, parts, whole, notes, sameness, throws, labels }
    }

    /// Can it be so that every step depends on one process and what is sent to it only?
    pub fn may_go_by_tables(instance: &Instance) -> bool {
        instance.model.pace == Pace::Single && !instance.is_special()
    }

    /// Does every step depend on one process and what is sent to it only?
    pub fn goes_by_tables(instance: &Instance, started: &Configuration, notes: u32) -> bool {
        instance.model.pace == Pace::Single && *started.environment() == Environment::default() && notes == 0
    }

    pub fn parts(&self) -> &Parts {
        &self.parts
    }

    /// Place of the first ghost in a vector.
    fn ghosts_at(&self) -> usize {
        if self.whole.is_some() { whole::OWN } else { 2 * self.parts.n() }
    }

    /// Length of the vectors.
    pub fn components(&self, judge: &Judge<'_>) -> usize {
        self.ghosts_at() + judge.ghosts.components()
    }

    /// The vector of a configuration in which all have just started.
    pub fn encode_start(&self, judge: &Judge<'_>, start: &Start) -> Vec<u32> {
        if let Some(whole) = &self.whole {
            return whole.encode_start(judge, start, self.notes);
        }
        let mut key = self.parts.encode(self.instance, &start.configuration);
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

    pub fn hash(&self, key: &[u32]) -> u64 {
        self.sameness.hash(key)
    }

    /// Do these vectors count as one?
    pub fn same(&self, a: &[u32], b: &[u32]) -> bool {
        self.sameness.same(a, b)
    }

    /// What becomes of a vector when `from` is renumbered to be `to`.
    pub fn renumbered(&self, from: &[u32], to: &[u32], key: &[u32]) -> Option<Vec<u32>> {
        match &self.sameness.symmetry {
            None => Some(key.to_vec()),
            Some(symmetry) => Some(symmetry.renumbered(key, &self.sameness.between(from, to)?)),
        }
    }

    /// The same for an event.
    pub fn renumbered_event(&self, from: &[u32], to: &[u32], event: Event) -> Option<Event> {
        if self.sameness.symmetry.is_none() {
            return Some(event);
        }
        let process = self.sameness.between(from, to)?[event.process as usize];
        let cause = match event.cause {
            Cause::Deliver { channel, position } => {
                // Channels of processes that are renumbered into one another stand in the same order.
                let at = self.parts.position[channel as usize];
                Cause::Deliver { channel: self.parts.incoming[process as usize][at as usize], position }
            }
            cause => cause,
        };
        Some(Event { process, cause, ..event })
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
            Some(whole) => *into = whole.get(key),
            None => {
                let n = self.parts.n();
                for (process, (local, inbox)) in (0u32..).zip(key[..n].iter().zip(&key[n..2 * n])) {
                    self.parts.restore_local(into, process, *local);
                    self.parts.restore_inbox(into, process, *inbox);
                }
            }
        }
    }

    /// In the middle of a joint step: the number of what was true before it.
    pub fn truth_before(&self, key: &[u32]) -> u32 {
        self.whole.as_ref().map_or(0, |whole| whole.truth(key))
    }

    /// Does a vector lie in the middle of a joint step?
    pub fn is_between(&self, key: &[u32]) -> bool {
        self.whole.as_ref().is_some_and(|whole| whole.is_between(key))
    }

    pub fn is_local(&self) -> bool {
        self.whole.is_none()
    }

    /// Bytes of configurations and of their parts, about.
    pub fn bytes(&self) -> usize {
        self.whole.as_ref().map_or(0, Whole::bytes) + self.parts.bytes()
    }
}

/// One successor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub hash: u64,
    pub touched: u64,
    /// Number of the label in [`Space::labels`].
    pub label: u32,
    /// May the step be left undone for ever?
    pub free: bool,
}

/// A configuration whose successors are sought.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin<'k> {
    /// Its vector as it is kept.
    pub packed: (Width, &'k [u8]),
    /// Its hash, where everything is told apart.
    pub hash: u64,
    /// The number of what is true there.
    pub truth: u32,
    /// Its place among those looked up last, see [`Worker::look_up`].
    pub place: usize,
}

/// The successors of one configuration after the other.
#[derive(Debug)]
pub(super) struct Successors {
    pub candidates: Vec<Candidate>,
    pub keys: Vectors,
}

impl Successors {
    pub fn new(components: usize) -> Successors {
        Successors { candidates: Vec::new(), keys: Vectors::new(components) }
    }

    fn push(&mut self, key: &[u32], candidate: Candidate) {
        self.keys.push(key);
        self.candidates.push(candidate);
    }

    /// Keeps of the candidates from this one on those that are wanted, by hash and vector. True: some are gone.
    pub fn keep(&mut self, from: usize, mut wanted: impl FnMut(u64, &[u32]) -> bool) -> bool {
        let mut kept = from;
        let mut key = Vec::new();
        for at in from..self.candidates.len() {
            self.keys.get(at, &mut key);
            if wanted(self.candidates[at].hash, &key) {
                self.keys.copy_within(at, kept);
                self.candidates.swap(kept, at);
                kept += 1;
            }
        }
        let gone = kept < self.candidates.len();
        self.candidates.truncate(kept);
        self.keys.truncate(kept);
        gone
    }
}

/// A step that has been tried, what its fairness is about, and what chance had to do with it.
type Step = (Event, Source, u32);

/// What has become of a step that was tried: the vector after it, or how it went wrong.
type Tried = Result<Vec<u32>, Box<Abort>>;

/// Asked of a hash and a vector: has this configuration not been met?
pub(super) type IsNew<'a> = &'a mut dyn FnMut(u64, &[u32]) -> bool;

/// Finds successors. One for each thread.
#[derive(Debug)]
pub(super) struct Worker<'a> {
    space: &'a Space<'a>,
    judge: &'a Judge<'a>,
    local: Local<'a>,
    machine: Machine,
    next: Next<'a>,
    /// Room for a vector.
    key: Vec<u32>,
    /// What has been looked up: the steps of all processes, one configuration after the other.
    steps: Vec<Steps>,
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
            local: Local::new(
                space.instance,
                &space.parts,
                &space.throws,
                &space.labels,
                judge,
                &space.started,
            ),
            machine,
            next: Next::new(space, judge),
            key: Vec::new(),
            steps: Vec::new(),
            configuration: space.started.clone(),
        }
    }

    /// Looks up what the processes can do in some configurations, which are then to be expanded. As it is done for several of them, what
    /// has to be fetched from memory is fetched together. `reduces`: not everything may be needed, and nothing is looked up.
    pub fn look_up<'k>(&mut self, vectors: impl Iterator<Item = (Width, &'k [u8])>, reduces: bool) {
        self.steps.clear();
        if !self.next.is_plain || reduces {
            return;
        }
        for (width, packed) in vectors {
            match width {
                Width::One => self.look_up_cells(packed.as_chunks::<1>().0),
                Width::Two => self.look_up_cells(packed.as_chunks::<2>().0),
                Width::Four => self.look_up_cells(packed.as_chunks::<4>().0),
            }
        }
        let local = &self.local;
        let first = |steps: &Steps| local.ways(*steps).outcomes.first().map_or(0, |outcome| outcome.local);
        black_box(self.steps.iter().fold(0, |sum, steps| sum ^ first(steps)));
    }

    #[inline]
    fn look_up_cells<const N: usize>(&mut self, cells: &[[u8; N]]) {
        let Worker { local, steps, .. } = self;
        let (locals, inboxes) = cells.split_at(cells.len() / 2);
        let of = (0u32..).zip(locals.iter().zip(inboxes));
        steps.extend(of.map(|(process, (own, inbox))| local.steps(process, number(*own), number(*inbox))));
    }

    /// Adds the successors of a configuration, in a fixed order. Those of one process only, if that is enough, where
    /// `reduce` is given: it is asked whether one of them is new. Commands that go wrong are given to `aborted`.
    pub fn expand(
        &mut self,
        from: Origin<'_>,
        reduce: Option<IsNew<'_>>,
        to: &mut Successors,
        aborted: &mut dyn FnMut(Event, Box<Abort>),
    ) {
        let (width, packed) = from.packed;
        if self.next.is_plain && reduce.is_none() && to.keys.width() == width {
            return match width {
                Width::One => self.expand_plain::<1>(from, to, aborted),
                Width::Two => self.expand_plain::<2>(from, to, aborted),
                Width::Four => self.expand_plain::<4>(from, to, aborted),
            };
        }
        let mut key = std::mem::take(&mut self.key);
        unpack(width, packed, &mut key);
        if !self.space.is_local() {
            self.expand_whole(&key, from.truth, to, aborted);
        } else {
            let n = self.space.parts.n() as u32;
            let enough = reduce.and_then(|is_new| self.enough(&key, from.hash, is_new));
            let processes = enough.map_or(0..n, |process| process..process + 1);
            processes.for_each(|process| self.expand_process(&key, from.hash, process, to, aborted));
        }
        self.key = key;
    }

    /// The same where there is nothing in a vector but local states and inboxes, all of them told apart: no vector is unpacked.
    fn expand_plain<const N: usize>(
        &mut self,
        from: Origin<'_>,
        to: &mut Successors,
        aborted: &mut dyn FnMut(Event, Box<Abort>),
    ) {
        let Worker { local, next, steps, .. } = self;
        let (width, packed) = from.packed;
        let cells = packed.as_chunks::<N>().0;
        let n = cells.len() / 2;
        for (process, steps) in steps[from.place * n..][..n].iter().enumerate() {
            let ways = local.ways(*steps);
            for outcome in ways.outcomes {
                if outcome.aborts
                    && let Done { abort: Some(abort), event, .. } = ways.done(outcome)
                {
                    aborted(event.clone(), abort.clone());
                    continue;
                }
                let step = (outcome, ways.sent(outcome));
                let hash = match to.keys.width() == width {
                    true => next.apply_plain(cells, from.hash, process, step, &mut to.keys),
                    false => None,
                };
                let hash = hash.unwrap_or_else(|| {
                    let mut key = Vec::new();
                    unpack(width, packed, &mut key);
                    let hash = next.apply(&key, from.hash, outcome, &ways);
                    to.keys.push(&next.key);
                    hash
                });
                let Outcome { label, free, touched, .. } = *outcome;
                to.candidates.push(Candidate { hash, touched, label, free });
            }
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
        let Worker { local, next, judge, space, .. } = self;
        let n = space.parts.n();
        let steps = local.steps(process, key[process as usize], key[n + process as usize]);
        let ways = local.ways(steps);
        for outcome in ways.outcomes {
            let done = ways.done(outcome);
            if let Some(abort) = &done.abort {
                aborted(done.event.clone(), abort.clone());
                continue;
            }
            let Outcome { label, free, touched, .. } = *outcome;
            let hash = next.apply(key, own_hash, outcome, &ways);
            let grew = judge.ghosts.needs.any() && key.last() != next.key.last();
            let touched = touched | if grew { judge.ghostly() } else { 0 };
            to.push(&next.key, Candidate { hash, touched, label, free });
        }
    }

    /// A process whose steps are enough: whatever the others do first, it could still do the same, with the same result,
    /// and nothing that is judged can tell the order (Valmari's and Godefroid's persistent sets; a process that waits
    /// at one channel is the usual case). One of its successors must be new, so that the others are not put off for ever.
    fn enough(&mut self, key: &[u32], own_hash: u64, is_new: IsNew<'_>) -> Option<u32> {
        let Worker { local, next, space, .. } = self;
        let n = space.parts.n();
        for process in 0..n {
            let steps = local.steps(process as u32, key[process], key[n + process]);
            let ways = local.ways(steps);
            if !steps.is_closed() || !steps.is_invisible() || ways.outcomes.is_empty() {
                continue;
            }
            for outcome in ways.outcomes {
                let hash = next.apply(key, own_hash, outcome, &ways);
                if is_new(hash, &next.key) {
                    return Some(process as u32);
                }
            }
        }
        None
    }

    fn expand_whole(
        &mut self,
        key: &[u32],
        truth: u32,
        to: &mut Successors,
        aborted: &mut dyn FnMut(Event, Box<Abort>),
    ) {
        let judge = self.judge;
        self.every_whole_step(key, truth, &mut |worker, (event, source, throw), next| match next {
            Ok(next) => {
                if !matches!(event.cause, Cause::SendNote { .. } | Cause::ReceiveNote { .. }) {
                    worker.local.seen.see(&worker.machine.effects, true);
                }
                let cost = judge.costs.number(&worker.machine.metrics);
                let candidate = Candidate {
                    hash: hash(&next),
                    touched: judge.all(),
                    label: worker.space.labels.number(Label { source, cost, throw }),
                    free: source == Source::Free,
                };
                to.push(&next, candidate);
                false
            }
            Err(abort) => {
                worker.local.seen.see(&worker.machine.effects, false);
                aborted(event, abort);
                false
            }
        });
    }

    /// Tries every step of a whole configuration, with every outcome of its choices, until `found` says that it is
    /// enough.
    fn every_whole_step(
        &mut self,
        key: &[u32],
        truth: u32,
        found: &mut dyn FnMut(&mut Self, Step, Tried) -> bool,
    ) {
        let (space, judge) = (self.space, self.judge);
        let Some(whole) = &space.whole else { return };
        let instance = space.instance;
        let before = whole.before(judge, key);
        for (number, event) in whole.events(instance, &mut self.machine, &before).into_iter().enumerate() {
            let source = match event.is_fault(&before.configuration) {
                true => Source::Free,
                false => source(&event),
            };
            let mut choices = EveryChoice::default();
            loop {
                if self.is_stopped() {
                    return;
                }
                let mut next = before.configuration.clone();
                self.machine.metrics =
                    Metrics::new(instance.program.kinds.len(), instance.program.operations.len());
                let done = self.machine.perform(instance, &mut next, &event, &mut choices);
                let event = Event { choices: self.machine.choices.clone(), ..event.clone() };
                let throw = space.throws.number(event.process, number, choices.made());
                let enough = match done {
                    Ok(false) | Err(StepError::Impossible(_)) => false,
                    Ok(true) => {
                        let Worker { machine, next: Next { known, .. }, .. } = self;
                        let key = whole.after(judge, known, machine, &event, (&before, truth), &next);
                        found(self, (event, source, throw), Ok(key))
                    }
                    Err(StepError::Aborted(abort)) => found(self, (event, source, throw), Err(abort)),
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

    /// From now on steps are tried until it is time to stop. What it finds after that is not all.
    pub fn until(&mut self, stop: Option<Stop>) {
        self.local.stop = stop;
    }

    pub fn is_stopped(&self) -> bool {
        self.local.is_stopped()
    }

    /// Bytes of what is remembered of steps, about.
    pub fn bytes(&self) -> usize {
        self.local.bytes()
    }

    /// What has been taken.
    pub fn seen(&self) -> &Coverage {
        &self.local.seen
    }

    /// The configuration, and what has been counted and observed on the way.
    pub fn decode(&mut self, key: &[u32]) -> (&Configuration, Seen) {
        self.space.decode(key, &mut self.configuration);
        (&self.configuration, self.judge.seen(self.space.ghost_of(self.judge, key)))
    }

    /// The step, with its choices, that leads from one vector to another, or to one that counts as the same: that one.
    /// Positions in channels whose order is not kept count from the message that comes first in order of content.
    pub fn step_between(&mut self, from: &[u32], to: &[u32], truth: u32) -> Option<(Event, Vec<u32>)> {
        if !self.space.is_local() {
            let mut step = None;
            self.every_whole_step(from, truth, &mut |_, (event, ..), next| {
                step = next.ok().filter(|next| next == to).map(|next| (event, next));
                step.is_some()
            });
            return step;
        }
        let Worker { local, next, space, .. } = self;
        let n = space.parts.n();
        let own_hash = hash(from);
        // A view may make one of what follows by two different steps: the one that was taken is preferred.
        let mut alike = None;
        for process in 0..n {
            let steps = local.steps(process as u32, from[process], from[n + process]);
            let ways = local.ways(steps);
            for outcome in ways.outcomes.iter().filter(|outcome| !outcome.aborts) {
                next.apply(from, own_hash, outcome, &ways);
                if next.key == to || (space.sameness.view.is_none() && space.same(&next.key, to)) {
                    return Some((ways.done(outcome).event.clone(), next.key.clone()));
                }
                if alike.is_none() && space.same(&next.key, to) {
                    alike = Some((ways.done(outcome).event.clone(), next.key.clone()));
                }
            }
        }
        alike
    }

    pub fn is_local(&self) -> bool {
        self.space.is_local()
    }

    /// Is this the message that the vector has at that position of a channel?
    pub fn place_of(&self, message: &MessageRef<'_>, key: &[u32], channel: u32, position: u32) -> bool {
        self.space.parts.is_message(self.space.instance, message, key, channel, position)
    }
}

/// Limits are looked at each time so many starts have been found.
const STARTS_BETWEEN_LOOKS: usize = 1 << 12;

/// A configuration in which all have just started.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub events: Vec<Event>,
    pub configuration: Configuration,
    /// The guards that were taken.
    pub guards: Vec<u32>,
    /// What each start has counted and shown.
    pub steps: Vec<(u32, Metrics, Vec<Observation>)>,
}

impl Start {
    /// Bytes it takes, about.
    pub fn bytes(&self) -> usize {
        let steps = self.steps.iter().map(|(_, _, seen)| size_of_val(seen.as_slice()));
        let lists = |m: &Metrics| {
            m.sent.len() + m.to_self.len() + m.bits.len() + m.own_rounds.len() + m.returns.len()
        };
        let counts =
            self.steps.iter().map(|(_, metrics, _)| lists(metrics) * size_of::<u64>()).sum::<usize>()
                + self.steps.len() * size_of::<(u32, Metrics, Vec<Observation>)>();
        let events = self.events.len() * size_of::<Event>() + self.guards.len() * size_of::<u32>();
        size_of::<Start>() + self.configuration.bytes() + events + counts + steps.sum::<usize>()
    }

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

/// Why there is no search from all starts.
pub(super) enum NoStart {
    Aborted(AbortedStart),
    /// `watch` wanted no more.
    Cut(Cut),
}

/// Every configuration in which all have started, with the starts that lead there. Where variables begin with any value these
/// may be many: `watch` is told how many there are, how many begun ones wait, and how many bytes they take.
pub(super) fn starts(
    instance: &Instance,
    stop: Option<Stop>,
    watch: &mut dyn FnMut(&Progress) -> Option<Cut>,
) -> Result<Vec<Start>, NoStart> {
    let mut machine = Machine::new(instance);
    machine.recording = true;
    let mut ready = Vec::new();
    let first = Start {
        events: Vec::new(),
        configuration: Configuration::initial(instance),
        guards: Vec::new(),
        steps: Vec::new(),
    };
    let mut open = vec![first];
    while let Some(start) = open.pop() {
        let stopped = stop.is_some_and(|stop| stop());
        let is_ready = start.configuration.next_to_start().is_none();
        if is_ready || stopped {
            ready.push(start);
            if stopped || ready.len().is_multiple_of(STARTS_BETWEEN_LOOKS) {
                let bytes = (ready.len() + open.len()) * ready.last().map_or(0, Start::bytes);
                let (configurations, waiting) = (ready.len() as u64, open.len() as u64);
                let progress = Progress { configurations, steps: 0, depth: 0, waiting, bytes };
                if let Some(cut) = watch(&progress).or(stopped.then_some(Cut::Time)) {
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
                machine.metrics =
                    Metrics::new(instance.program.kinds.len(), instance.program.operations.len());
                let done = machine.perform(instance, &mut after.configuration, &event, &mut choices);
                after.guards.extend(&machine.effects.guards);
                after.events.push(Event { choices: machine.choices.clone(), ..event.clone() });
                let observations = machine.effects.observations.clone();
                after.steps.push((event.process, machine.metrics.clone(), observations));
                match done {
                    Ok(true) => next.push(after),
                    Ok(false) | Err(StepError::Impossible(_)) => {}
                    Err(StepError::Aborted(abort)) => return Err(NoStart::Aborted((after.events, abort))),
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
