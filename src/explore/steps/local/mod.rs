//! Local steps of one process, by local state and inbox: interpreted once, then looked up.
//!
//! In models where a step depends on nothing else, exploration consists of table lookups: of the 19 million steps of an
//! election on a ring of 14, only some hundred are distinct local steps. With ordered channels, a step depends on still less:
//! on the local state and the message at the head of one channel.

mod common;
mod dead_receipts;
mod heads;

use crate::explore::fairness::{Contents, constraints_of};
use crate::explore::graph::Label;
use crate::explore::graph::mdp::RandomOutcomes;
use crate::explore::graph::shifts::UNMOVED;
use crate::explore::monitor::Monitor;
use crate::explore::reduction::future::DeadMessages;
use crate::explore::space::Space;
use crate::explore::space::footprint::{Footprint, Situations};
use crate::explore::space::transitions::{Effect, Rank, Sent, Transition, TransitionRange, Transitions};
use crate::explore::steps::local::common::CommonData;
use crate::explore::steps::transition_cache::{TransitionCache, pair};
use crate::explore::store::components::{Components, Message};
use crate::explore::store::hash_index::share;
use crate::explore::store::interner::Interner;
use crate::ids::{ChannelId, ProcessId};
use crate::instance::Instance;
use crate::semantics::enumeration::ChoiceEnumerator;
use crate::semantics::environment::OnAir;
use crate::semantics::event::{Cause, Event};
use crate::semantics::{Configuration, Coverage, Machine, Metrics, StepError};
use crate::stop::StopSignal;
use prefetch_index::prefetch_index;
use smallvec::SmallVec;

/// Limit of cached effects if steps depend on a footprint, which may distinguish very many.
const MOST_DONE: usize = 1 << 18;

/// Channels and positions of the messages that a step receives.
type Taken = Vec<(ChannelId, u32)>;

/// A range of effects tried together: the id of the first one and their number.
type Tried = (u32, u32);

/// A machine with a scratch configuration in which steps are tried, and their cached results. One for each thread.
#[derive(Debug)]
pub struct LocalSteps<'a> {
    instance: &'a Instance,
    parts: &'a Components,
    contents: Contents<'a>,
    throws: &'a RandomOutcomes,
    labels: &'a Interner<Label>,
    monitor: &'a Monitor<'a>,
    /// The footprint of steps, if they have one: then a local state is in fact the id of a situation.
    footprint: Option<&'a Footprint>,
    /// By process.
    situations: Vec<Situations>,
    /// Scratch space for a situation.
    situation: Vec<u32>,
    common: CommonData,
    machine: Machine,
    scratch: Configuration,
    /// Coverage: every step tried here occurs in some run.
    pub seen: Coverage,
    /// By process: its transitions, by local state and inbox.
    known: Vec<TransitionCache<TransitionRange>>,
    outcomes: Vec<Transition>,
    /// Masks of changed properties.
    touched: Vec<u64>,
    /// By id.
    done: Vec<Effect>,
    sent: Vec<Sent>,
    /// By process: whether a step depends only on the local state and the head of one channel.
    separable: Vec<bool>,
    /// For separable processes, by process and local state: steps without messages, and the channels listened to.
    alone: TransitionCache<Alone>,
    /// By incoming channel: whether it is listened to; contiguous for each process and local state.
    listens: Vec<bool>,
    /// By channel, then local state and message at its head: the effects of receiving it.
    taken: Vec<TransitionCache<Tried>>,
    /// By channel and inbox: the inbox without the head of that channel.
    shorter: TransitionCache<u32>,
    /// Present if dead messages are received first.
    dead: Option<DeadMessages<'a>>,
    /// Once set, no more steps are tried, and the caches are incomplete.
    pub stop: StopSignal,
}

/// A process, independently of its inbox.
#[derive(Clone, Copy, Debug, Default)]
struct Alone {
    tried: Tried,
    /// Index of its first channel in [`LocalSteps::listens`].
    listens: u32,
}

impl<'a> LocalSteps<'a> {
    pub fn new(space: &'a Space<'a>, monitor: &'a Monitor<'a>) -> LocalSteps<'a> {
        let Space { instance, random_choices: throws, labels, .. } = space;
        let (parts, footprint) = (space.parts(), space.footprint.as_ref());
        let mut machine = Machine::new(instance);
        machine.recording = true;
        let mut scratch = space.started.clone();
        instance.channels().for_each(|channel| scratch.clear_channel(channel));
        LocalSteps {
            instance,
            parts,
            contents: space.contents(),
            throws,
            labels,
            monitor,
            footprint,
            situations: instance.processes().map(|_| Situations::default()).collect(),
            situation: Vec::new(),
            common: CommonData::default(),
            machine,
            scratch,
            seen: Coverage::new(&instance.program),
            known: instance.processes().map(|_| TransitionCache::default()).collect(),
            outcomes: Vec::new(),
            touched: Vec::new(),
            done: Vec::new(),
            sent: Vec::new(),
            separable: instance
                .processes()
                .map(|process| is_separable(instance, parts, footprint, process))
                .collect(),
            alone: TransitionCache::default(),
            listens: Vec::new(),
            taken: instance.channels().map(|_| TransitionCache::default()).collect(),
            shorter: TransitionCache::default(),
            dead: space.dead_messages.clone().map(|observed| DeadMessages::new(instance, observed)),
            stop: StopSignal::default(),
        }
    }

    pub fn is_stopped(&self) -> bool {
        self.stop.is_set()
    }

    /// Return whether steps were omitted because too many delays are possible before them.
    pub fn left_out_waits(&self) -> bool {
        self.machine.delays_omitted
    }

    /// Return the approximate number of bytes of the caches.
    pub fn bytes(&self) -> usize {
        let known: usize = self.known.iter().map(TransitionCache::bytes).sum();
        let situations: usize = self.situations.iter().map(Situations::bytes).sum();
        known
            + situations
            + self.outcomes.capacity() * size_of::<Transition>()
            + self.done.capacity() * size_of::<Effect>()
            + self.sent.capacity() * size_of::<Sent>()
            + self.taken.iter().map(TransitionCache::bytes).sum::<usize>()
            + self.common.bytes()
            + self.alone.bytes()
            + self.listens.capacity()
            + self.shorter.bytes()
            + self.dead.as_ref().map_or(0, DeadMessages::bytes)
    }

    /// Prefetch the cache entry for the transitions of a process.
    #[inline]
    pub fn fetch(&self, process: ProcessId, local: u32, inbox: u32) {
        self.known[process.index()].fetch(pair(local, inbox));
    }

    /// Prefetch the first and the last of these transitions.
    #[inline]
    pub fn fetch_ways(&self, steps: TransitionRange) {
        let range = steps.range();
        prefetch_index(&self.outcomes, range.start);
        prefetch_index(&self.outcomes, range.end.saturating_sub(1));
    }

    /// Return all transitions of a process.
    #[inline]
    pub fn steps(&mut self, process: ProcessId, local: u32, inbox: u32) -> TransitionRange {
        match self.known[process.index()].get(pair(local, inbox)) {
            Some(steps) => steps,
            None => self.find(process, local, inbox),
        }
    }

    /// Return the transitions of a process in the configuration with this vector, if steps depend on a footprint.
    pub fn steps_in(&mut self, process: ProcessId, key: &[u32]) -> TransitionRange {
        let LocalSteps { footprint, situations, situation, common, parts, .. } = self;
        let (own, inbox) = match footprint {
            None => (key[process.index()], key[parts.n() + process.index()]),
            Some(footprint) => {
                common.situation(footprint, process, key, situation);
                (situations[process.index()].number(situation), footprint.inbox(process, key))
            }
        };
        self.steps(process, own, inbox)
    }

    /// Make the configuration with this vector the current one. The steps of all processes depend on how much time may pass, and on the
    /// answers of oracles.
    pub fn begin(&mut self, key: &[u32]) {
        let LocalSteps { footprint, common, parts, machine, scratch, instance, .. } = self;
        if let Some(footprint) = footprint {
            common.begin((instance, parts, footprint), (machine, scratch), key);
        }
    }

    /// In pairs: return the interactions of an initiator with one responder.
    pub fn interactions(&mut self, process: ProcessId, responder: ProcessId, key: &[u32]) -> TransitionRange {
        let LocalSteps { footprint: Some(footprint), situations, situation, common, .. } = self else {
            return TransitionRange::default();
        };
        common.situation_with(footprint, (process, responder), key, situation);
        let (number, inbox) = (situations[process.index()].number(situation), footprint.inbox(process, key));
        self.steps(process, number, inbox)
    }

    /// Clear the caches once they are large; their content can be recomputed.
    pub fn keep_small(&mut self) {
        if self.done.len() < MOST_DONE {
            return;
        }
        self.known.iter_mut().for_each(|memo| *memo = TransitionCache::default());
        self.taken.iter_mut().for_each(|memo| *memo = TransitionCache::default());
        self.situations.iter_mut().for_each(|situations| *situations = Situations::default());
        self.common.clear();
        self.alone = TransitionCache::default();
        self.outcomes = Vec::new();
        self.done = Vec::new();
        self.sent = Vec::new();
        self.listens = Vec::new();
        self.dead.iter_mut().for_each(DeadMessages::clear);
    }

    #[inline(always)]
    pub fn transitions(&self, steps: TransitionRange) -> Transitions<'_> {
        let LocalSteps { outcomes, touched, done, sent, .. } = self;
        Transitions { outcomes: &outcomes[steps.range()], done, sent, touched }
    }

    /// Return all known transitions of all processes.
    pub fn all(&self) -> Transitions<'_> {
        let LocalSteps { outcomes, touched, done, sent, .. } = self;
        Transitions { outcomes, done, sent, touched }
    }

    /// Compute all transitions of a process.
    #[cold]
    fn find(&mut self, process: ProcessId, local: u32, inbox: u32) -> TransitionRange {
        let first = self.outcomes.len();
        let closed = match self.separable[process.index()] {
            true => self.put_together(process, local, inbox),
            false => self.try_all(process, local, inbox),
        };
        let found = &self.outcomes[first..];
        let is_invisible = found.iter().all(|outcome| self.is_hidden(outcome));
        let mut steps = TransitionRange::new(first, found.len(), closed, is_invisible);
        if let Some(dead) = self.first_dead(process, local, inbox, first) {
            self.outcomes[dead].mark_as_dead();
            steps = steps.with_dead();
        }
        self.known[process.index()].insert(pair(local, inbox), steps);
        steps
    }

    /// Return whether no property observes the transition.
    fn is_hidden(&self, outcome: &Transition) -> bool {
        let done = &self.done[outcome.done as usize];
        done.touched == 0
            && !outcome.aborts()
            && self.monitor.auxiliary.is_hidden(done.delta, done.sends.1 > 0)
    }

    /// Add the transitions from a local state and inbox for effects already tried. `rest`: returns the inbox without what they
    /// receive.
    fn add_outcomes(
        &mut self,
        process: ProcessId,
        (local, inbox): (u32, u32),
        (first, count): Tried,
        rest: impl Fn(&mut Self) -> u32,
    ) {
        for done in first..first + count {
            let rest = if self.done[done as usize].receives { rest(self) } else { inbox };
            self.add_outcome(process, (local, inbox), done, rest);
        }
    }

    /// Try all steps with the whole inbox. Return whether the process is closed.
    fn try_all(&mut self, process: ProcessId, local: u32, inbox: u32) -> bool {
        let parts = self.parts;
        self.place(process, local, inbox);
        let events = self.events(process);
        let put = |scratch: &mut Configuration| parts.restore_inbox(scratch, process, inbox);
        // Step numbers that are unique within the configuration.
        let first = self.responder(process, local).map_or(0, |(responder, _)| responder.index() << 16);
        let ((first, _), all_taken) = self.try_each(process, local, &events, first, put);
        for (done, taken) in (first..).zip(all_taken) {
            let (mut rest, pasts) = parts.without(process, inbox, &taken);
            let found = &mut self.done[done as usize];
            found.pasts = pasts;
            if let Cause::Duplicate { channel, position } = found.event.cause {
                rest = parts.doubled(process, inbox, channel, position);
            }
            if found.event.wait > 0 {
                rest = parts.aged_inbox(self.instance, process, rest, found.event.wait);
            }
            if parts.have_decisions && !found.is_part() {
                rest = parts.with_decision(process, rest, found.on_air);
            }
            self.add_outcome(process, (local, inbox), done, rest);
        }
        self.place(process, local, inbox);
        let closed = self.is_closed(process, &events);
        self.clear(process);
        closed
    }

    /// Try steps with all outcomes of their choices. `put` puts the messages into the inbox; `first`: the number of the first
    /// step in the configuration. Return the range of effects, and the messages that each receives.
    fn try_each(
        &mut self,
        process: ProcessId,
        local: u32,
        events: &[(Event, Rank)],
        first: usize,
        put: impl Fn(&mut Configuration),
    ) -> (Tried, Vec<Taken>) {
        let before = self.done.len();
        let mut all_taken = Vec::new();
        'all: for (number, (event, rank)) in (first..).zip(events) {
            let mut choices = ChoiceEnumerator::default();
            loop {
                if self.is_stopped() {
                    break 'all;
                }
                self.stand(process, local);
                put(&mut self.scratch);
                let (instance, contents) = (self.instance, self.contents);
                let mut about = constraints_of(instance, contents, &self.scratch, event, &[]);
                let before = (event.cause == Cause::Gather).then(|| self.scratch.clone());
                if let Some((done, taken, cost)) = self.attempt(process, event, local, &mut choices) {
                    if let Some(before) = before {
                        let taken = self.machine.taken_positions();
                        about = constraints_of(instance, contents, &before, event, &taken);
                    }
                    let throw = self.throws.number(process, number, choices.made());
                    let (takes, free) = (!taken.is_empty(), about.is_empty());
                    let label = self.labels.number(Label {
                        constraints: about,
                        cost,
                        random_choice: throw,
                        shift: UNMOVED,
                    });
                    self.done.push(Effect { label, receives: takes, free, rank: *rank, ..done });
                    all_taken.push(taken);
                }
                if !choices.next() {
                    break;
                }
            }
        }
        ((before as u32, all_taken.len() as u32), all_taken)
    }

    fn place(&mut self, process: ProcessId, local: u32, inbox: u32) {
        self.stand(process, local);
        self.parts.restore_inbox(&mut self.scratch, process, inbox);
    }

    /// Restore a local state of the process, and its footprint.
    fn stand(&mut self, process: ProcessId, local: u32) {
        let LocalSteps { parts, scratch, situations, footprint, machine, common, .. } = self;
        match footprint {
            None => parts.restore_local(scratch, process, local),
            Some(footprint) => {
                let situation = situations[process.index()].get(local);
                footprint.restore(parts, process, situation, scratch);
                common.restore_answers(footprint, situation, scratch);
                machine.state_time(footprint.time_in(situation));
            }
        }
    }

    /// Return the id of the local state.
    fn local(&self, process: ProcessId, local: u32) -> u32 {
        match self.footprint {
            None => local,
            Some(_) => self.situations[process.index()].local(local),
        }
    }

    /// In pairs: return the responder in this situation, and the id of its local state.
    fn responder(&self, process: ProcessId, local: u32) -> Option<(ProcessId, u32)> {
        self.footprint?.responder_in(self.situations[process.index()].get(local))
    }

    /// Return the enabled steps of the process in the scratch configuration.
    fn events(&mut self, process: ProcessId) -> Vec<(Event, Rank)> {
        let LocalSteps { instance, machine, scratch, footprint, .. } = self;
        match footprint {
            Some(footprint) => footprint.steps(instance, machine, scratch, process),
            None => self.ordinary_events(process),
        }
    }

    /// Return the enabled steps without faults and timers.
    fn ordinary_events(&mut self, process: ProcessId) -> Vec<(Event, Rank)> {
        let events = self.machine.enabled_at(self.instance, &self.scratch, process);
        events.into_iter().map(|event| (event, (0, 0))).collect()
    }

    fn clear(&mut self, process: ProcessId) {
        for channel in &self.parts.incoming[process.index()] {
            self.scratch.clear_channel(*channel);
        }
    }

    /// Try one step with one combination of choices. Return its effect, the messages received, and the id of its cost.
    fn attempt(
        &mut self,
        at: ProcessId,
        event: &Event,
        local: u32,
        choices: &mut ChoiceEnumerator,
    ) -> Option<(Effect, Taken, u32)> {
        let responder = self.responder(at, local);
        let local = self.local(at, local);
        let LocalSteps { instance, parts, monitor, footprint, machine, scratch, seen, sent, .. } = self;
        let process = event.process;
        machine.metrics = Metrics::new(instance.program.kinds.len(), instance.program.operations.len());
        let together = footprint.and_then(|footprint| footprint.together);
        let result = match event.cause {
            Cause::Move { .. } if together.is_some() => {
                let moved = machine.move_apart(instance, scratch, process, event.alternative, choices);
                moved.map_err(StepError::Aborted)
            }
            _ => machine.perform(instance, scratch, event, choices),
        };
        let event = Event { choices: machine.choices.clone(), ..event.clone() };
        if matches!(result, Ok(true) | Err(StepError::Aborted(_))) {
            seen.see(&machine.effects, result.is_ok());
        }
        let nothing = Effect {
            event,
            at,
            rank: (0, 0),
            world: 0,
            receives: false,
            pasts: SmallVec::new(),
            sends: (0, 0),
            local,
            responder,
            on_air: OnAir::Undecided,
            label: 0,
            free: false,
            touched: 0,
            delta: 0,
            abort: None,
        };
        match result {
            Ok(false) | Err(StepError::Impossible(_)) => None,
            Ok(true) => {
                let first = sent.len();
                // A copy of a message directly follows it; the inbox handles it.
                let made =
                    if machine.effects.copied.is_some() { &[] } else { machine.effects.sent.as_slice() };
                let mut channels: SmallVec<[ChannelId; 4]> = made.iter().map(|s| s.channel).collect();
                channels.sort_unstable();
                for same in channels.chunk_by(|a, b| a == b) {
                    // New messages are at the end. A channel of the process to itself may already contain others.
                    let channel = same[0];
                    let before = scratch.channel(channel).count() - same.len();
                    for m in scratch.channel(channel).skip(before) {
                        let (words, values) = (m.words.into(), m.values.into());
                        let arrival = scratch.arrival(m.id);
                        let message = Message { kind: m.kind, words, values, arrival, ..Message::default() };
                        let (receiver, message) =
                            (instance.receiver(channel), parts.messages.number(message));
                        sent.push(Sent { receiver, channel, message });
                    }
                    scratch.clear_channel(channel);
                }
                let changed = |(at, before): (ProcessId, u32)| {
                    monitor.changed_properties(at, parts.locals[at.index()].get(before), scratch)
                };
                // With a footprint, a step may change what properties read besides variables.
                let beyond = if footprint.is_some() { monitor.beyond() } else { 0 };
                let done = Effect {
                    sends: (first as u32, (sent.len() - first) as u32),
                    local: parts.local(scratch, at),
                    responder: responder.map(|(responder, _)| (responder, parts.local(scratch, responder))),
                    on_air: scratch.on_air(at),
                    world: footprint.map_or(0, |all| all.world(instance, scratch)),
                    touched: match together {
                        None => changed((at, local)) | responder.map_or(0, changed) | beyond,
                        // All that happens in a joint step is checked together.
                        Some(_) => monitor.all(),
                    },
                    delta: monitor.auxiliary.delta(&machine.metrics, &machine.effects.observations),
                    ..nothing
                };
                Some((done, machine.taken_positions(), monitor.costs.number(&machine.metrics)))
            }
            Err(StepError::Aborted(abort)) => {
                for channel in instance.channels() {
                    if instance.receiver(channel) != process {
                        scratch.clear_channel(channel);
                    }
                }
                Some((Effect { abort: Some(abort), ..nothing }, Vec::new(), 0))
            }
        }
    }

    /// Add the transition from a local state and inbox for an effect.
    fn add_outcome(&mut self, process: ProcessId, from: (u32, u32), number: u32, inbox: u32) {
        let local = self.local(process, from.0);
        let done = &self.done[number as usize];
        let at = self.parts.n() as u32 + process.0;
        let gained = share(process.0, done.local).wrapping_add(share(at, inbox));
        let lost = share(process.0, local).wrapping_add(share(at, from.1));
        let other =
            done.responder.zip(self.responder(process, from.0)).map_or(0, |((other, after), (_, before))| {
                share(other.0, after).wrapping_sub(share(other.0, before))
            });
        let shift = gained.wrapping_sub(lost).wrapping_add(other);
        self.outcomes.push(Transition::new((number, done), shift, inbox, &mut self.touched));
    }

    /// Return whether the process is closed: see [`Steps::is_closed`]. The scratch configuration contains the process.
    fn is_closed(&mut self, process: ProcessId, events: &[(Event, Rank)]) -> bool {
        let LocalSteps { instance, scratch, machine, .. } = self;
        let table = instance.table(process);
        if table.defers {
            return false;
        }
        self.parts.incoming[process.index()].iter().all(|channel| {
            if !machine.listens_to(instance, scratch, *channel) {
                return true;
            }
            if !instance.layout.keeps_order(*channel) {
                return false;
            }
            // A head that is not received now remains until this process moves. But a message of a `from each` that waits for
            // the others may become receivable by their arrival.
            let taken = |(e, _): &(Event, Rank)| matches!(e.cause, Cause::Deliver { channel: c, .. } if c == *channel);
            !scratch.is_empty(*channel) && (events.iter().any(taken) || !table.gathers)
        })
    }
}

/// Return whether each step of the process depends only on its local state and the head of one channel.
fn is_separable(
    instance: &Instance,
    parts: &Components,
    footprint: Option<&Footprint>,
    process: ProcessId,
) -> bool {
    if footprint.is_some_and(|footprint| footprint.takes_any_message(instance)) {
        return false;
    }
    let table = instance.table(process);
    let ordered = |channel: &ChannelId| instance.layout.keeps_order(*channel);
    !table.defers && !table.gathers && parts.incoming[process.index()].iter().all(ordered)
}
