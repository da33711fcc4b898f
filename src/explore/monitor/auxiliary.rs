//! Auxiliary variables: counts and history of a run. They are no part of the system, but distinguish configurations if a
//! property needs them. Tracking them multiplies the state space, so it is enabled only on demand.

use crate::explore::initial_states::Step;
use crate::explore::store::components::CausalPast;
use crate::explore::store::interner::Interner;
use crate::ids::ProcessId;
use crate::semantics::event::Observation;
use crate::semantics::history::Entry;
use crate::semantics::{History, Metrics};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The auxiliary data that is tracked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Counts of messages, bits and operations.
    pub counts: bool,
    /// Rounds that have ended.
    pub rounds: bool,
    /// The length of causal chains.
    pub time: bool,
    /// Calls, returns and upcalls, with their causal order.
    pub history: bool,
    /// Some property reads the counts during a run, not only at its end.
    pub counts_on_the_way: bool,
}

impl Needs {
    pub fn any(&self) -> bool {
        self.counts || self.rounds || self.time || self.history
    }

    /// Return whether messages carry the causal past of their senders.
    pub fn pasts(&self) -> bool {
        self.time || self.history
    }
}

/// The counts and history of a run so far. Id 0 is the initial state.
#[derive(Clone, Debug, Default, PartialEq)]
struct AuxiliaryState {
    metrics: Metrics,
    entries: Vec<Entry>,
}

impl Eq for AuxiliaryState {}

impl Hash for AuxiliaryState {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.metrics.sent.hash(state);
        self.metrics.bits.hash(state);
        self.metrics.time.hash(state);
        (&self.metrics.returns, self.metrics.rounds, &self.metrics.own_rounds).hash(state);
        for entry in &self.entries {
            (entry.process, entry.what as u8, entry.of, &entry.value).hash(state);
        }
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
        self.metrics.sent.hash(state);
        (&self.metrics.bits, self.metrics.rounds).hash(state);
        for o in &self.observations {
            (o.what as u8, o.of, &o.value).hash(state);
        }
    }
}

/// The id of the delta of a step that counts and shows nothing.
const NOTHING_ADDED: u32 = 0;

#[derive(Debug)]
pub struct AuxiliaryStates {
    pub needs: Needs,
    processes: usize,
    /// Whether each process counts rounds of its own, because a synchronizer simulates them.
    own_rounds: bool,
    empty: Metrics,
    pub pasts: Arc<Interner<CausalPast>>,
    states: Interner<AuxiliaryState>,
    deltas: Interner<Delta>,
}

impl AuxiliaryStates {
    pub fn new(needs: Needs, processes: usize, own_rounds: bool, empty: Metrics) -> AuxiliaryStates {
        let auxiliary = AuxiliaryStates {
            needs,
            processes,
            own_rounds,
            empty: empty.clone(),
            pasts: Arc::new(Interner::default()),
            states: Interner::default(),
            deltas: Interner::default(),
        };
        auxiliary.pasts.number(CausalPast { known: vec![0; processes], chain: 0 });
        auxiliary.states.number(AuxiliaryState { metrics: empty.clone(), entries: Vec::new() });
        auxiliary.deltas.number(Delta { metrics: empty, observations: Vec::new() });
        auxiliary
    }

    /// Return the number of components that this adds to a configuration: the causal pasts of the processes, and the auxiliary
    /// state.
    pub fn components(&self) -> usize {
        usize::from(self.needs.any()) + if self.needs.pasts() { self.processes } else { 0 }
    }

    /// Return whether the auxiliary state names processes. Otherwise it is invariant under renumbering, and causal pasts move
    /// with their processes.
    pub fn tell_processes_apart(&self) -> bool {
        self.needs.history || (self.needs.rounds && self.own_rounds)
    }

    /// Return the id of the increment of a step, restricted to what is needed.
    pub fn delta(&self, metrics: &Metrics, observations: &[Observation]) -> u32 {
        if !self.needs.any() {
            return NOTHING_ADDED;
        }
        let rounds = if self.needs.rounds { metrics.rounds } else { 0 };
        let metrics = if self.needs.counts { metrics.clone() } else { self.empty.clone() };
        let metrics = Metrics { time: 0, notes: 0, moves: 0, rounds, own_rounds: Vec::new(), ..metrics };
        let observations = if self.needs.history { observations.to_vec() } else { Vec::new() };
        self.deltas.number(Delta { metrics, observations })
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
        past.known[process.index()] += self.deltas.get(delta).observations.len() as u32;
        let chain = past.chain;
        let sent = CausalPast { chain: if self.needs.time { chain + 1 } else { 0 }, ..past.clone() };
        let own = CausalPast { chain: if self.needs.time { chain } else { 0 }, ..past };
        (self.pasts.number(own), self.pasts.number(sent))
    }

    /// Return the auxiliary state after a step.
    fn extend(&self, ghost: u32, process: ProcessId, delta: u32, past: u32, sent: Option<u32>) -> u32 {
        let mut ghost = (*self.states.get(ghost)).clone();
        let delta = self.deltas.get(delta);
        let metrics = &mut ghost.metrics;
        metrics.add(&delta.metrics);
        match (self.own_rounds, delta.metrics.rounds) {
            (_, 0) => {}
            (false, rounds) => metrics.rounds += rounds,
            (true, rounds) => metrics.end_rounds(process, rounds),
        }
        if let Some(sent) = sent {
            metrics.time = metrics.time.max(self.pasts.get(sent).chain);
        }
        if !delta.observations.is_empty() {
            let time: Arc<[u32]> = self.pasts.get(past).known.as_slice().into();
            for o in &delta.observations {
                let same = |e: &&Entry| e.process == process && e.what == o.what && e.of == o.of;
                let nth = ghost.entries.iter().filter(same).count() as u32 + 1;
                let entry = Entry::new(process, o.what, o.of, nth, o.value.clone(), time.clone());
                ghost.entries.push(entry);
            }
        }
        self.states.number(ghost)
    }

    /// Return the counts and the history.
    pub fn seen(&self, ghost: u32) -> (Metrics, History) {
        let ghost = self.states.get(ghost);
        (ghost.metrics.clone(), History::of(ghost.entries.clone()))
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

/// A process, its causal past, the delta of its step, and the pasts carried by the messages it received.
type Knowing = (ProcessId, u32, u32, SmallVec<[u32; 1]>);

/// Cached transitions of auxiliary components. One for each thread.
#[derive(Debug, Default)]
pub struct AuxiliaryCache {
    pasts: FxHashMap<Knowing, (u32, u32)>,
    states: FxHashMap<(u32, ProcessId, u32, u32, Option<u32>), u32>,
}

impl AuxiliaryCache {
    /// Update these components after a step of a process; return the past that its messages carry.
    pub fn advance(
        &mut self,
        auxiliary: &AuxiliaryStates,
        components: &mut [u32],
        process: ProcessId,
        taken: &[u32],
        delta: u32,
        sends: bool,
    ) -> u32 {
        let (own, sent) = if auxiliary.needs.pasts() {
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
        if let Some(last) = components.last_mut()
            && (delta != 0 || longest.is_some())
        {
            let key = (*last, process, delta, own, longest);
            *last = *self
                .states
                .entry(key)
                .or_insert_with(|| auxiliary.extend(key.0, process, delta, own, longest));
        }
        sent
    }
}
