//! What configurations are here: vectors of numbers. Of local states and inboxes, where a step depends on nothing but one process
//! and what is sent to it; with one number more, where it depends on little besides (`steps::footprint`); otherwise the number of a
//! whole configuration ([`whole`]).

pub mod hash_index;
pub mod inbox;
pub mod interner;
pub mod components;
pub mod initial_states;
pub mod full_state;
pub mod state_arena;
pub mod equivalence;
mod flow;
pub mod symmetry;
pub mod view;
pub mod visited_set;
pub mod frontier;

use crate::explore::graph::mdp::Throws;
use crate::explore::graph::shifts::Shifts;
use crate::explore::graph::{Graph, Label};
use crate::explore::monitor::Monitor;
use crate::explore::steps::daemon_steps;
use crate::explore::steps::fairness::Contents;
use crate::explore::steps::footprint::{Footprint, Together};
use crate::explore::steps::rounds;
use crate::instance::{ExecutionModel, Instance};
use crate::semantics::event::{Cause, Event};
use crate::semantics::{Configuration, Environment};
use components::Components;
use equivalence::Equivalence;
use full_state::FullState;
use initial_states::InitialState;
use interner::Interner;
use state_arena::Width;
use std::sync::Arc;
use symmetry::{Alike, Interchangeable};
use view::{Marks, View};

/// All configurations of an instance, as vectors of numbers.
#[derive(Debug)]
pub struct Space<'i> {
    pub instance: &'i Instance,
    /// Any configuration in which all have started.
    pub started: Configuration,
    parts: Components,
    /// Where a step depends on a little more than one process and what is sent to it.
    pub surroundings: Option<Footprint>,
    /// Where it may depend on anything: the configurations themselves.
    pub whole: Option<FullState>,
    /// Notes that the application may send.
    notes: u32,
    /// Which vectors count as one.
    pub sameness: Equivalence,
    /// Processes that can be exchanged: of vectors that this turns into one another one is kept, whichever is met.
    pub twins: Option<Interchangeable>,
    /// What chance has to do with steps.
    pub throws: Throws,
    /// What steps mean in the graph.
    pub labels: Arc<Interner<Label>>,
}

impl<'i> Space<'i> {
    /// `notes`: so many notes the application may send.
    pub fn new(
        judge: &Monitor<'i>,
        started: Configuration,
        notes: u32,
        alike: Option<Alike>,
        marks: Option<Marks>,
    ) -> Space<'i> {
        let instance = judge.instance;
        let is_local = Space::goes_by_tables(instance, &started, notes);
        let surroundings = if is_local || notes > 0 { None } else { Footprint::of(instance, judge) };
        let whole = (!is_local && surroundings.is_none()).then(|| FullState::new(instance));
        let (symmetry, twins) = match alike.filter(|_| is_local) {
            Some(Alike::Renumbered(symmetry)) => (Some(Arc::new(symmetry)), None),
            Some(Alike::Exchanged(twins)) => (None, Some(twins)),
            None => (None, None),
        };
        let common = symmetry.as_ref().map(|symmetry| symmetry.representatives());
        let common = common.or_else(|| twins.as_ref().map(Interchangeable::representatives));
        let parts = Components::new(instance, common.as_deref(), judge.ghosts.pasts.clone());
        if surroundings.as_ref().is_some_and(|s| s.together == Some(Together::Rounds)) {
            rounds::number_empty_inboxes(&parts);
        }
        let view = marks.filter(|_| is_local);
        let view = view.map(|marks| Arc::new(View::new(instance, marks, &parts, common.as_deref())));
        let sameness = Equivalence { symmetry, view };
        let (throws, labels) = (Throws::new(instance.model.is_joint()), Arc::new(Interner::new()));
        Space { instance, started, parts, surroundings, whole, notes, sameness, twins, throws, labels }
    }

    /// Can it be so that every step depends on one process and what is sent to it only?
    pub fn may_go_by_tables(instance: &Instance) -> bool {
        instance.model.pace == ExecutionModel::Single && !instance.is_special()
    }

    /// Does every step depend on one process and what is sent to it only?
    pub fn goes_by_tables(instance: &Instance, started: &Configuration, notes: u32) -> bool {
        instance.model.pace == ExecutionModel::Single
            && *started.environment() == Environment::default()
            && notes == 0
    }

    pub fn parts(&self) -> &Components {
        &self.parts
    }

    /// The numbering of message contents.
    pub fn contents(&self) -> Contents<'_> {
        Contents { messages: &self.parts.messages, view: self.sameness.view.as_deref() }
    }

    /// An empty graph over these configurations.
    pub fn graph(&self) -> Graph {
        let view = self.sameness.view.clone().filter(|view| view.has_shifts());
        let shifts = view.map(|view| Shifts::new(view, self.parts.messages.clone()));
        let mut graph = Graph::new(self.labels.clone());
        graph.shifts = shifts;
        graph
    }

    /// Place of the first ghost in a vector.
    pub fn ghosts_at(&self) -> usize {
        match self.whole {
            Some(_) => full_state::OWN,
            None => 2 * self.parts.n() + self.surroundings.as_ref().map_or(0, Footprint::components),
        }
    }

    /// Length of the vectors.
    pub fn components(&self, judge: &Monitor<'_>) -> usize {
        self.ghosts_at() + judge.ghosts.components()
    }

    /// The vector of a configuration in which all have just started.
    pub fn encode_start(&self, judge: &Monitor<'_>, start: &InitialState) -> Vec<u32> {
        if let Some(whole) = &self.whole {
            return whole.encode_start(judge, start, self.notes);
        }
        let mut key = self.parts.encode(self.instance, &start.configuration);
        if let Some(surroundings) = &self.surroundings {
            let world = surroundings.world(&start.configuration, self.instance.n());
            let n = self.parts.n();
            match surroundings.together {
                None => key.push(world),
                Some(Together::Moves(_)) => {
                    key.truncate(n);
                    key.extend(daemon_steps::at_rest(n, world));
                }
                Some(Together::Rounds) => key.extend(rounds::at_rest(&self.parts, world)),
            }
        }
        key.extend(judge.ghosts.after_starts(&start.steps));
        if judge.ghosts.needs.pasts() {
            // What was sent at the start carries what its sender knew.
            let n = self.parts.n();
            for process in 0..n {
                key[n + process] = self.parts.with_pasts(process as u32, key[n + process], |channel| {
                    let sender = self.instance.sender(channel) as usize;
                    judge.ghosts.sent_from_start(key[self.ghosts_at() + sender])
                });
            }
        }
        key
    }

    /// May some vectors stand for others that differ in the numbering of processes?
    pub fn is_symmetric(&self) -> bool {
        self.sameness.symmetry.is_some() || self.twins.is_some()
    }

    /// Is what stands at this place of the truth of a configuration judged, or the same for another process that is?
    pub fn is_judged(&self, place: usize) -> bool {
        self.twins.as_ref().is_none_or(|twins| twins.is_judged(place))
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
    pub fn ghost_of(&self, judge: &Monitor<'_>, key: &[u32]) -> u32 {
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
                match self.together() {
                    Some(Together::Moves(_)) => daemon_steps::restore(&self.parts, key, into),
                    Some(Together::Rounds) => rounds::restore(&self.parts, key, into),
                    None => {
                        for (process, (local, inbox)) in (0u32..).zip(key[..n].iter().zip(&key[n..2 * n])) {
                            self.parts.restore_local(into, process, *local);
                            self.parts.restore_inbox(into, process, *inbox);
                        }
                    }
                }
                if let Some(surroundings) = &self.surroundings {
                    surroundings.restore_world(key[2 * n], into);
                    if !into.in_joint_step() {
                        surroundings.restore_movers(self.instance, key, into);
                    }
                }
            }
        }
    }

    /// How do several processes step at once, where that goes by tables?
    pub fn together(&self) -> Option<Together> {
        self.surroundings.as_ref().and_then(|surroundings| surroundings.together)
    }

    /// Are limits looked at rarely? Not where whole configurations are taken; nor where several step at once or somebody asks who can move,
    /// so that a search that ends early there has gone as far as with whole configurations.
    pub fn goes_in_large_chunks(&self) -> bool {
        self.is_by_parts() && !self.surroundings.as_ref().is_some_and(Footprint::is_looked_at_often)
    }

    /// Does a vector in the middle of a joint step say what was true before?
    pub fn tells_truth(&self) -> bool {
        self.surroundings.as_ref().is_some_and(Footprint::tells_truth)
    }

    /// In the middle of a joint step: the number of what was true before it.
    pub fn truth_before(&self, key: &[u32]) -> u32 {
        self.whole.as_ref().map_or(0, |whole| whole.truth(key))
    }

    /// Does a vector lie in the middle of a joint step?
    pub fn is_between(&self, key: &[u32]) -> bool {
        match (&self.whole, &self.surroundings) {
            (Some(whole), _) => whole.is_between(key),
            (None, Some(surroundings)) => surroundings.is_between(key),
            (None, None) => false,
        }
    }

    /// Does every step depend on one process and what is sent to it only?
    pub fn is_local(&self) -> bool {
        self.is_by_parts() && self.surroundings.is_none()
    }

    /// Are vectors made of local states and inboxes?
    pub fn is_by_parts(&self) -> bool {
        self.whole.is_none()
    }

    /// Bytes of configurations and of their parts, about.
    pub fn bytes(&self) -> usize {
        self.whole.as_ref().map_or(0, FullState::bytes)
            + self.surroundings.as_ref().map_or(0, Footprint::bytes)
            + self.parts.bytes()
    }
}

/// A configuration whose successors are sought.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'k> {
    /// Its vector as it is kept.
    pub packed: (Width, &'k [u8]),
    /// Its hash, where everything is told apart.
    pub hash: u64,
    /// The number of what is true there.
    pub truth: u32,
    /// Which of its group it is.
    pub place: usize,
}
