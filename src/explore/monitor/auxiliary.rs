//! What a run has counted and what has been observed of it: no part of the system, but of the configurations that are
//! told apart, where some property needs it. It makes more configurations of them, so it is kept only then.

use crate::explore::space::initial_states::Step;
use crate::explore::space::interner::Interner;
use crate::semantics::event::Observation;
use crate::semantics::history::Entry;
use crate::semantics::{History, Metrics};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Which parts are kept.
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
    /// Some property looks at the counts on the way, not only at the end.
    pub counts_on_the_way: bool,
}

impl Needs {
    pub fn any(&self) -> bool {
        self.counts || self.rounds || self.time || self.history
    }

    /// Must messages carry what their senders knew?
    pub fn pasts(&self) -> bool {
        self.time || self.history
    }
}

/// What somebody knows of the run: how many observations of each process, and the longest chain of messages. Number 0
/// is nothing. What a process knows only grows, and comes later in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CausalPast {
    known: Vec<u32>,
    pub chain: u32,
}

/// What the run has been so far. Number 0 is nothing.
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

/// What a step adds. Number 0 is nothing.
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

/// The number of a delta of a step that counts and shows nothing.
const NOTHING_ADDED: u32 = 0;

#[derive(Debug)]
pub struct AuxiliaryStates {
    pub needs: Needs,
    processes: usize,
    /// Does everybody count rounds of its own, because a synchronizer makes them?
    own_rounds: bool,
    empty: Metrics,
    pub pasts: Arc<Interner<CausalPast>>,
    ghosts: Interner<AuxiliaryState>,
    deltas: Interner<Delta>,
}

impl AuxiliaryStates {
    pub fn new(needs: Needs, processes: usize, own_rounds: bool, empty: Metrics) -> AuxiliaryStates {
        let ghosts = AuxiliaryStates {
            needs,
            processes,
            own_rounds,
            empty: empty.clone(),
            pasts: Arc::new(Interner::new()),
            ghosts: Interner::new(),
            deltas: Interner::new(),
        };
        ghosts.pasts.number(CausalPast { known: vec![0; processes], chain: 0 });
        ghosts.ghosts.number(AuxiliaryState { metrics: empty.clone(), entries: Vec::new() });
        ghosts.deltas.number(Delta { metrics: empty, observations: Vec::new() });
        ghosts
    }

    /// Components that this adds to a configuration: what each process knows, and what has been.
    pub fn components(&self) -> usize {
        usize::from(self.needs.any()) + if self.needs.pasts() { self.processes } else { 0 }
    }

    /// Do they say who has done what? Else they stay as they are when processes are renumbered, and what each process knows goes
    /// where the process goes.
    pub fn tell_processes_apart(&self) -> bool {
        self.needs.history || (self.needs.rounds && self.own_rounds)
    }

    /// The number of what a step adds, as far as it is needed.
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

    /// Can no property see on the way that a step has added this, and whether it has sent anything?
    pub fn is_hidden(&self, delta: u32, sends: bool) -> bool {
        // What is sent may make the longest chain longer, which is no part of what a step adds.
        if sends && self.needs.time && self.needs.counts_on_the_way {
            return false;
        }
        delta == NOTHING_ADDED || {
            let delta = self.deltas.get(delta);
            delta.observations.is_empty() && !self.needs.counts_on_the_way
        }
    }

    /// What the process knows after a step, and what those know whom it sends to, from what it knew and what came with the
    /// messages it took.
    fn know(&self, process: u32, own: u32, taken: &[u32], delta: u32) -> (u32, u32) {
        let mut past = (*self.pasts.get(own)).clone();
        for other in taken {
            let other = self.pasts.get(*other);
            past.chain = past.chain.max(other.chain);
            for (mine, theirs) in past.known.iter_mut().zip(&other.known) {
                *mine = (*mine).max(*theirs);
            }
        }
        past.known[process as usize] += self.deltas.get(delta).observations.len() as u32;
        let chain = past.chain;
        let sent = CausalPast { chain: if self.needs.time { chain + 1 } else { 0 }, ..past.clone() };
        let own = CausalPast { chain: if self.needs.time { chain } else { 0 }, ..past };
        (self.pasts.number(own), self.pasts.number(sent))
    }

    /// What has been after a step.
    fn extend(&self, ghost: u32, process: u32, delta: u32, past: u32, sent: Option<u32>) -> u32 {
        let mut ghost = (*self.ghosts.get(ghost)).clone();
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
        self.ghosts.number(ghost)
    }

    /// What properties look at.
    pub fn seen(&self, ghost: u32) -> (Metrics, History) {
        let ghost = self.ghosts.get(ghost);
        (ghost.metrics.clone(), History::of(ghost.entries.clone()))
    }

    /// What a message of its start carries, of somebody who knows this after it.
    pub fn sent_from_start(&self, past: u32) -> u32 {
        let past = self.pasts.get(past);
        let chain = if self.needs.time { past.chain + 1 } else { 0 };
        self.pasts.number(CausalPast { chain, ..(*past).clone() })
    }

    /// What the starts have counted and shown.
    pub fn after_starts(&self, starts: &[Arc<Step>]) -> Vec<u32> {
        let mut known = Known::default();
        let mut key = vec![0; self.components()];
        for Step { event, metrics, observations, .. } in starts.iter().map(|step| &**step) {
            let delta = self.delta(metrics, observations);
            known.advance(self, &mut key, event.process, &[], delta, metrics.time > 0);
        }
        key
    }
}

/// A process, what it knew, what its step added, and what came with the messages it took.
type Knowing = (u32, u32, u32, SmallVec<[u32; 1]>);

/// Steps looked up. One for each thread.
#[derive(Debug, Default)]
pub struct Known {
    pasts: FxHashMap<Knowing, (u32, u32)>,
    ghosts: FxHashMap<(u32, u32, u32, u32, Option<u32>), u32>,
}

impl Known {
    /// Brings these components up to date with a step of a process; gives what its messages carry.
    pub fn advance(
        &mut self,
        ghosts: &AuxiliaryStates,
        components: &mut [u32],
        process: u32,
        taken: &[u32],
        delta: u32,
        sends: bool,
    ) -> u32 {
        let (own, sent) = if ghosts.needs.pasts() {
            let before = components[process as usize];
            let key = (process, before, delta, SmallVec::from_slice(taken));
            *self.pasts.entry(key).or_insert_with(|| ghosts.know(process, before, taken, delta))
        } else {
            (0, 0)
        };
        if ghosts.needs.pasts() {
            components[process as usize] = own;
        }
        let longest = (sends && ghosts.needs.time).then_some(sent);
        if let Some(last) = components.last_mut()
            && (delta != 0 || longest.is_some())
        {
            let key = (*last, process, delta, own, longest);
            *last =
                *self.ghosts.entry(key).or_insert_with(|| ghosts.extend(key.0, process, delta, own, longest));
        }
        sent
    }
}
