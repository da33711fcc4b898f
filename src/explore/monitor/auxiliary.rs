//! Auxiliary variables: counts and history of a run. They are no part of the system, but distinguish configurations if a
//! property needs them. Tracking them multiplies the state space, so it is enabled only on demand.

use crate::explore::initial_states::Step;
use crate::explore::monitor::history::{self, Kept, Packed, RelevantHistory, Renumbering};
use crate::explore::monitor::needs::Needs;
use crate::explore::monitor::relevant_counts::RelevantCounts;
use crate::explore::store::components::CausalPast;
use crate::explore::store::interner::Interner;
use crate::ids::ProcessId;
use crate::ir::HistoryKind;
use crate::semantics::event::Observation;
use crate::semantics::history::Entry;
use crate::semantics::{History, Metrics};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The counts and history of a run so far. Id 0 is the initial state.
#[derive(Clone, Debug, Default)]
struct AuxiliaryState {
    /// Shared by all states if nothing is counted.
    metrics: Arc<Metrics>,
    history: Packed,
}

impl PartialEq for AuxiliaryState {
    fn eq(&self, other: &Self) -> bool {
        (Arc::ptr_eq(&self.metrics, &other.metrics) || self.metrics == other.metrics)
            && self.history == other.history
    }
}

impl Eq for AuxiliaryState {}

impl Hash for AuxiliaryState {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.metrics.sent, &self.metrics.to_self, &self.metrics.bits).hash(state);
        self.metrics.time.hash(state);
        (&self.metrics.returns, self.metrics.rounds, &self.metrics.own_rounds).hash(state);
        self.history.hash(state);
    }
}

/// The increment of a step. Id 0 is the empty one.
#[derive(Clone, Debug, Default, PartialEq)]
struct Delta {
    metrics: Metrics,
    observations: Vec<Observation>,
}

impl Eq for Delta {}

impl Hash for Delta {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.metrics.sent, &self.metrics.to_self, &self.metrics.bits, self.metrics.rounds).hash(state);
        for o in &self.observations {
            (o.what as u8, o.of, &o.value).hash(state);
        }
    }
}

/// The id of the delta of a step that counts and shows nothing.
const NOTHING_ADDED: u32 = 0;

#[derive(Debug)]
pub struct AuxiliaryStates<'i> {
    pub needs: Needs,
    /// Present if a part of the history suffices for the properties.
    relevant: Option<RelevantHistory<'i>>,
    /// Present if only relevant counts are kept.
    relevant_counts: Option<RelevantCounts>,
    processes: usize,
    /// Whether each process counts rounds of its own, because a synchronizer simulates them.
    own_rounds: bool,
    empty: Metrics,
    pub pasts: Arc<Interner<CausalPast>>,
    states: Interner<AuxiliaryState>,
    deltas: Interner<Delta>,
    renumberings: Interner<Renumbering>,
}

impl<'i> AuxiliaryStates<'i> {
    /// The id of the empty causal past.
    pub const NO_PAST: u32 = 0;

    pub fn new(
        needs: Needs,
        relevant: Option<RelevantHistory<'i>>,
        relevant_counts: Option<RelevantCounts>,
        processes: usize,
        own_rounds: bool,
        empty: Metrics,
    ) -> AuxiliaryStates<'i> {
        let history = relevant.as_ref().map_or(Kept::default(), RelevantHistory::empty);
        let history = Packed::new(&history);
        let auxiliary = AuxiliaryStates {
            needs,
            relevant,
            relevant_counts,
            processes,
            own_rounds,
            empty: empty.clone(),
            pasts: Arc::new(Interner::default()),
            states: Interner::default(),
            deltas: Interner::default(),
            renumberings: Interner::default(),
        };
        auxiliary.pasts.number(CausalPast { known: vec![0; processes], chain: 0 });
        auxiliary.states.number(AuxiliaryState { metrics: Arc::new(empty.clone()), history });
        auxiliary.deltas.number(Delta { metrics: empty, observations: Vec::new() });
        auxiliary
    }

    /// Return whether counts are reduced, and may be smaller than those of the run.
    pub fn keeps_relevant_counts_only(&self) -> bool {
        self.relevant_counts.is_some()
    }

    /// Return whether the history lacks events that cannot matter any more.
    pub fn keeps_relevant_history(&self) -> bool {
        self.relevant.is_some()
    }

    /// Return whether counts are reduced, or the history lacks events that cannot matter any more and numbers that no property reads.
    pub fn keeps_relevant_only(&self) -> bool {
        self.keeps_relevant_history() || self.keeps_relevant_counts_only()
    }

    /// Return the number of components that this adds to a configuration: the causal pasts of the processes, and the auxiliary
    /// state.
    pub fn components(&self) -> usize {
        usize::from(self.needs.any()) + if self.needs.pasts() { self.processes } else { 0 }
    }

    /// Return whether the auxiliary state or the causal pasts name processes. Otherwise a renumbering of processes only moves the causal
    /// pasts with their processes.
    pub fn names_processes(&self) -> bool {
        self.needs.history || !self.can_be_exchanged()
    }

    /// Return whether [`AuxiliaryStates::exchanged`] covers everything that is tracked.
    pub fn can_be_exchanged(&self) -> bool {
        !(self.needs.rounds && self.own_rounds)
    }

    /// Return the auxiliary state after a renumbering of processes.
    pub fn exchanged(&self, state: u32, to: &[ProcessId]) -> u32 {
        let history = self.history(state);
        let history = match &self.relevant {
            Some(relevant) => relevant.exchanged(&history, to),
            None => history.exchanged(to),
        };
        let metrics = self.states.get(state).metrics.clone();
        self.states.number(AuxiliaryState { metrics, history: Packed::new(&history) })
    }

    /// Return a causal past after a renumbering of processes.
    pub fn exchanged_past(&self, past: u32, to: &[ProcessId]) -> u32 {
        let CausalPast { known, chain } = self.pasts.get(past);
        self.pasts.number(CausalPast { known: history::exchanged(known, to), chain: *chain })
    }

    /// Return the history in an auxiliary state.
    pub fn history(&self, state: u32) -> Kept {
        self.states.get(state).history.unpack()
    }

    /// Return the number of processes.
    pub fn processes(&self) -> usize {
        self.processes
    }

    /// Return the id of the increment of a step, restricted to what is needed.
    pub fn delta(&self, metrics: &Metrics, observations: &[Observation]) -> u32 {
        if !self.needs.any() {
            return NOTHING_ADDED;
        }
        let rounds = if self.needs.rounds { metrics.rounds } else { 0 };
        let metrics = if self.needs.counts { metrics.clone() } else { self.empty.clone() };
        let metrics = Metrics { time: 0, notes: 0, moves: 0, rounds, own_rounds: Vec::new(), ..metrics };
        let is_relevant =
            |o: &&Observation| self.relevant.as_ref().is_none_or(|relevant| relevant.is_relevant(o));
        let observations = match self.needs.history {
            true => observations.iter().filter(is_relevant).cloned().collect(),
            false => Vec::new(),
        };
        self.deltas.number(Delta { metrics, observations })
    }

    /// Return whether an event of this kind, about which some property asks, occurred in some step.
    pub fn has_occurred(&self, what: HistoryKind, of: u16) -> bool {
        let is_such = |o: &Observation| (o.what, o.of) == (what, of);
        (0..self.deltas.len() as u32).any(|delta| self.deltas.get(delta).observations.iter().any(is_such))
    }

    /// Return whether no property can observe, during a run, the delta of a step and whether it `sends` a message.
    pub fn is_hidden(&self, delta: u32, sends: bool) -> bool {
        // A message may lengthen the longest chain, which is no part of the delta.
        if sends && self.needs.time && self.needs.counts_on_the_way {
            return false;
        }
        delta == NOTHING_ADDED || {
            let delta = self.deltas.get(delta);
            delta.observations.is_empty() && !self.needs.counts_on_the_way
        }
    }

    /// Return the causal past of the process after a step, and that carried by the messages it sends. `taken`: the pasts
    /// carried by the messages it received.
    fn know(&self, process: ProcessId, own: u32, taken: &[u32], delta: u32) -> (u32, u32) {
        let mut past = (*self.pasts.get(own)).clone();
        for other in taken {
            let other = self.pasts.get(*other);
            past.chain = past.chain.max(other.chain);
            for (mine, theirs) in past.known.iter_mut().zip(&other.known) {
                *mine = (*mine).max(*theirs);
            }
        }
        let delta = self.deltas.get(delta);
        let is_cause = |o: &&Observation| self.relevant.as_ref().is_none_or(|relevant| relevant.is_cause(o));
        past.known[process.index()] += delta.observations.iter().filter(is_cause).count() as u32;
        let chain = past.chain;
        let sent = CausalPast { chain: if self.needs.time { chain + 1 } else { 0 }, ..past.clone() };
        let own = CausalPast { chain: if self.needs.time { chain } else { 0 }, ..past };
        (self.pasts.number(own), self.pasts.number(sent))
    }

    /// Return whether the auxiliary state after a step depends on the causal past of the process.
    fn reads_past(&self, delta: u32) -> bool {
        let reads = |o| self.relevant.as_ref().is_none_or(|relevant| relevant.reads_past(o));
        self.deltas.get(delta).observations.iter().any(reads)
    }

    /// Extend an auxiliary state by a step. `past`: the causal past of the process.
    fn extend(
        &self,
        ghost: u32,
        process: ProcessId,
        delta: u32,
        past: u32,
        sent: Option<u32>,
    ) -> ExtendedState {
        let mut ghost = (*self.states.get(ghost)).clone();
        let delta = self.deltas.get(delta);
        if self.needs.counts || self.needs.rounds || self.needs.time {
            let metrics = Arc::make_mut(&mut ghost.metrics);
            metrics.add(&delta.metrics);
            match (self.own_rounds, delta.metrics.rounds) {
                (_, 0) => {}
                (false, rounds) => metrics.rounds += rounds,
                (true, rounds) => metrics.end_rounds(process, rounds),
            }
            if let Some(sent) = sent {
                metrics.time = metrics.time.max(self.pasts.get(sent).chain);
            }
            if let Some(relevant) = &self.relevant_counts {
                relevant.reduce(metrics);
            }
        }
        let (mut renumbering, mut orders_hold) = (None, true);
        if !delta.observations.is_empty() {
            let clock = &self.pasts.get(past).known;
            let mut history = ghost.history.unpack();
            match &self.relevant {
                Some(relevant) => {
                    let next = relevant.extend(history, process, &delta.observations, clock);
                    (history, orders_hold) = (next.history, next.holds);
                    renumbering = next.renumbering.map(|own| self.renumberings.number(own));
                }
                None => {
                    append(&mut history.entries, process, &delta.observations, clock);
                    orders_hold = false;
                }
            }
            ghost.history = Packed::new(&history);
        }
        ExtendedState { state: self.states.number(ghost), renumbering, orders_hold }
    }

    /// Return a causal past, renumbered.
    pub fn renumbered(&self, past: u32, renumbering: u32) -> u32 {
        let mut past = (*self.pasts.get(past)).clone();
        self.renumberings.get(renumbering).apply(&mut past.known);
        self.pasts.number(past)
    }

    /// Return the counts and the history.
    pub fn seen(&self, ghost: u32) -> (Metrics, History) {
        let ghost = self.states.get(ghost);
        ((*ghost.metrics).clone(), History::of(ghost.history.unpack().entries))
    }

    /// Return the past carried by messages that a process with this past sends at its start.
    pub fn sent_from_start(&self, past: u32) -> u32 {
        let past = self.pasts.get(past);
        let chain = if self.needs.time { past.chain + 1 } else { 0 };
        self.pasts.number(CausalPast { chain, ..(*past).clone() })
    }

    /// Return the auxiliary components after all processes have started.
    pub fn after_starts(&self, starts: &[Arc<Step>]) -> Vec<u32> {
        let mut known = AuxiliaryCache::default();
        let mut key = vec![0; self.components()];
        for Step { event, metrics, observations, .. } in starts.iter().map(|step| &**step) {
            let delta = self.delta(metrics, observations);
            known.advance(self, &mut key, event.process, &[], delta, metrics.time > 0);
        }
        key
    }
}

/// Append the events of a step to a complete history.
fn append(entries: &mut Vec<Entry>, process: ProcessId, observations: &[Observation], clock: &[u32]) {
    let time: Arc<[u32]> = clock.into();
    for o in observations {
        let same = |e: &&Entry| e.process == process && e.what == o.what && e.of == o.of;
        let nth = entries.iter().filter(same).count() as u32 + 1;
        entries.push(Entry::new(process, o.what, o.of, nth, o.value.clone(), time.clone()));
    }
}

/// A process, its causal past, the delta of its step, and the pasts carried by the messages it received.
type Knowing = (ProcessId, u32, u32, SmallVec<[u32; 1]>);

/// An auxiliary state, a process, the delta of its step, its causal past if it matters, and the past that its messages carry if chains
/// count.
type Extending = (u32, ProcessId, u32, u32, Option<u32>);

/// An auxiliary state after a step.
#[derive(Clone, Copy, Debug)]
struct ExtendedState {
    state: u32,
    /// The renumbering of causal pasts that the step requires.
    renumbering: Option<u32>,
    /// See [`Advance::orders_hold`].
    orders_hold: bool,
}

/// Cached transitions of auxiliary components. One for each thread.
#[derive(Debug, Default)]
pub struct AuxiliaryCache {
    pasts: FxHashMap<Knowing, (u32, u32)>,
    states: FxHashMap<Extending, ExtendedState>,
    renumbered: FxHashMap<(u32, u32), u32>,
}

/// The effect of a step on the causal pasts that accompany a configuration, and on properties.
#[derive(Clone, Copy, Debug)]
pub struct Advance {
    /// The past that the messages of the step carry.
    pub sent: u32,
    /// A renumbering of the pasts that all messages in transit carry.
    pub renumbering: Option<u32>,
    /// Whether all properties that read nothing but the history hold if they held before the step.
    pub orders_hold: bool,
}

impl AuxiliaryCache {
    /// Update these components after a step of a process.
    pub fn advance(
        &mut self,
        auxiliary: &AuxiliaryStates<'_>,
        components: &mut [u32],
        process: ProcessId,
        taken: &[u32],
        delta: u32,
        sends: bool,
    ) -> Advance {
        let (own, mut sent) = if auxiliary.needs.pasts() {
            let before = components[process.index()];
            let key = (process, before, delta, SmallVec::from_slice(taken));
            *self.pasts.entry(key).or_insert_with(|| auxiliary.know(process, before, taken, delta))
        } else {
            (0, 0)
        };
        if auxiliary.needs.pasts() {
            components[process.index()] = own;
        }
        let longest = (sends && auxiliary.needs.time).then_some(sent);
        let (mut renumbering, mut orders_hold) = (None, true);
        if let Some(last) = components.last_mut()
            && (delta != 0 || longest.is_some())
        {
            let past = if auxiliary.reads_past(delta) { own } else { AuxiliaryStates::NO_PAST };
            let key = (*last, process, delta, past, longest);
            let next = self
                .states
                .entry(key)
                .or_insert_with(|| auxiliary.extend(key.0, process, delta, past, longest));
            *last = next.state;
            (renumbering, orders_hold) = (next.renumbering, next.orders_hold);
        }
        if let Some(renumbering) = renumbering {
            let (_, pasts) = components.split_last_mut().unwrap_or((&mut 0, &mut []));
            for past in pasts.iter_mut().chain([&mut sent]) {
                *past = self.renumbered(auxiliary, *past, renumbering);
            }
        }
        Advance { sent, renumbering, orders_hold }
    }

    /// Return a causal past, renumbered.
    pub fn renumbered(&mut self, auxiliary: &AuxiliaryStates<'_>, past: u32, renumbering: u32) -> u32 {
        *self.renumbered.entry((past, renumbering)).or_insert_with(|| auxiliary.renumbered(past, renumbering))
    }
}
