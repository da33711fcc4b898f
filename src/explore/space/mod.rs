//! State encoding: a configuration is a vector of interned component ids.
//!
//! If each step depends on one process and the messages sent to it only, the components are local states and inboxes. If steps
//! depend on little more, there is one further component ([`footprint`]). Otherwise there are two, for everything else
//! ([`full_state`]).

pub mod transitions;
pub mod daemon_steps;
pub mod rounds;
pub mod losses;
pub mod footprint;
pub mod full_state;
pub mod visited_set;

use crate::explore::ExploreOptions;
use crate::explore::fairness::Contents;
use crate::explore::graph::mdp::RandomOutcomes;
use crate::explore::graph::shifts::Shifts;
use crate::explore::graph::{Graph, Label};
use crate::explore::initial_states::InitialState;
use crate::explore::monitor::Monitor;
use crate::explore::monitor::observed::Observed;
use crate::explore::reduction::equivalence::Equivalence;
use crate::explore::reduction::future;
use crate::explore::reduction::shape::Shapes;
use crate::explore::reduction::symmetry::{Alike, Canonicalizer, Interchangeable};
use crate::explore::reduction::view::View;
use crate::explore::space::footprint::{Footprint, JointSteps};
use crate::explore::space::full_state::FullState;
use crate::explore::space::losses::Losses;
use crate::explore::store::components::Components;
use crate::explore::store::interner::Interner;
use crate::explore::store::state_arena::Width;
use crate::ids::ProcessId;
use crate::instance::{ExecutionModel, Instance};
use crate::semantics::event::{Cause, Event};
use crate::semantics::{Configuration, Environment};
use std::sync::Arc;

/// The state space of an instance, with its encoding.
#[derive(Debug)]
pub struct Space<'i> {
    pub instance: &'i Instance,
    /// Some initial configuration: all processes have started.
    pub started: Configuration,
    parts: Components,
    /// The data that steps depend on besides one process and its inbox, if that is little.
    pub footprint: Option<Footprint>,
    /// The components of everything outside processes and inboxes, if steps may depend on anything.
    pub full_state: Option<FullState>,
    /// Number of notes that the application may send.
    notes: u32,
    pub losses: Losses,
    /// The equivalence of vectors.
    pub equivalence: Equivalence,
    /// Interchangeable processes: each vector is replaced by a canonical one, whichever of the equivalent vectors is found.
    pub interchangeable: Option<Interchangeable>,
    /// The variables that observers read, by role. Present if dead messages are received first.
    pub dead_messages: Option<Vec<Observed>>,
    /// The random choices of steps.
    pub random_choices: RandomOutcomes,
    /// The labels of steps in the graph.
    pub labels: Arc<Interner<Label>>,
}

impl<'i> Space<'i> {
    /// Return an empty state space.
    pub fn new(
        monitor: &Monitor<'i>,
        started: Configuration,
        options: &ExploreOptions,
        alike: Option<Alike>,
        marks: Option<Shapes>,
    ) -> Space<'i> {
        let (instance, notes) = (monitor.instance, options.notes);
        let losses = Losses::of(instance, options.implicit_losses);
        let is_local = Space::is_decomposed(instance, &started, notes);
        let is_whole = notes > 0 || instance.script.is_some();
        let footprint = if is_local || is_whole { None } else { Footprint::of(instance, monitor, losses) };
        let whole = (!is_local && footprint.is_none()).then(|| FullState::new(instance, monitor, losses));
        let may_renumber = is_local || footprint.as_ref().is_some_and(|all| all.is_symmetric(instance));
        let (symmetry, interchangeable) = match alike.filter(|_| may_renumber) {
            Some(Alike::Renumbered(symmetry)) => (Some(Arc::new(symmetry)), None),
            Some(Alike::Exchanged(interchangeable)) => (None, Some(interchangeable)),
            None => (None, None),
        };
        let common = symmetry.as_ref().map(|symmetry| symmetry.representatives());
        let common = common.or_else(|| interchangeable.as_ref().map(Interchangeable::representatives));
        let mut parts = Components::new(instance, common.as_deref(), monitor.auxiliary.pasts.clone());
        parts.forgets_wakeups = monitor.forgets_wakeups;
        if footprint.as_ref().is_some_and(|s| s.together == Some(JointSteps::Rounds)) {
            parts.have_decisions = instance.model.radio.is_some();
            rounds::number_empty_inboxes(&parts);
        }
        let view = marks.filter(|_| is_local);
        let view = view.map(|marks| Arc::new(View::new(instance, marks, &parts, common.as_deref())));
        let equivalence = Equivalence { symmetry, view };
        let receives_dead_first = options.dead_messages
            && options.max_depth.is_none()
            && !monitor.auxiliary.needs.pasts()
            && future::may_occur(instance)
            && (is_local || footprint.as_ref().is_some_and(|all| all.allows_early_receipt(instance)));
        let dead_messages = receives_dead_first.then(|| monitor.observed());
        let (throws, labels) =
            (RandomOutcomes::new(instance.model.is_joint()), Arc::new(Interner::default()));
        Space {
            instance,
            started,
            parts,
            footprint,
            full_state: whole,
            notes,
            losses,
            equivalence,
            interchangeable,
            dead_messages,
            random_choices: throws,
            labels,
        }
    }

    /// Return whether each step depends on one process and its inbox only.
    pub fn is_decomposed(instance: &Instance, started: &Configuration, notes: u32) -> bool {
        instance.model.execution == ExecutionModel::Single
            && *started.environment() == Environment::default()
            && notes == 0
    }

    /// Return a canonicalizer of vectors, if processes are interchangeable.
    pub fn canonicalizer<'s>(&'s self, monitor: &'s Monitor<'_>) -> Option<Canonicalizer<'s>> {
        let interchangeable = self.interchangeable.as_ref()?;
        let first = self.auxiliary_start();
        Some(Canonicalizer::new(interchangeable, self.instance, &self.parts, &monitor.auxiliary, first))
    }

    pub fn parts(&self) -> &Components {
        &self.parts
    }

    /// Return the numbering of message contents.
    pub fn contents(&self) -> Contents<'_> {
        Contents { messages: &self.parts.messages, view: self.equivalence.view.as_deref() }
    }

    /// Return an empty graph over these configurations.
    pub fn graph(&self) -> Graph {
        let view = self.equivalence.view.clone().filter(|view| view.has_shifts());
        let shifts = view.map(|view| Shifts::new(view, self.parts.messages.clone()));
        let mut graph = Graph::new(self.labels.clone());
        graph.shifts = shifts;
        graph
    }

    /// Return the index of the first auxiliary component of a vector.
    pub fn auxiliary_start(&self) -> usize {
        let whole = self.full_state.as_ref().map_or(0, |_| full_state::MORE);
        2 * self.parts.n() + whole + self.footprint.as_ref().map_or(0, Footprint::components)
    }

    /// Return the length of the vectors.
    pub fn components(&self, monitor: &Monitor<'_>) -> usize {
        self.auxiliary_start() + monitor.auxiliary.components()
    }

    /// Encode an initial configuration.
    pub fn encode_start(&self, monitor: &Monitor<'_>, start: &InitialState) -> Vec<u32> {
        let mut key = self.parts.encode(self.instance, &start.configuration);
        if let Some(whole) = &self.full_state {
            key.extend(whole.at_start(&start.configuration, self.notes));
        }
        if let Some(footprint) = &self.footprint {
            let world = footprint.world(self.instance, &start.configuration);
            let n = self.parts.n();
            match footprint.together {
                None => key.push(world),
                Some(JointSteps::Moves(_)) => {
                    key.truncate(n);
                    key.extend(daemon_steps::at_rest(n, world));
                }
                Some(JointSteps::Rounds) => key.extend(rounds::at_rest(&self.parts, world)),
            }
        }
        key.extend(monitor.auxiliary.after_starts(&start.steps));
        if monitor.auxiliary.needs.pasts() {
            // Messages sent at the start carry the causal past of their sender.
            let n = self.parts.n();
            for process in 0..n {
                key[n + process] =
                    self.parts.with_pasts(ProcessId(process as u32), key[n + process], |channel| {
                        let sender = self.instance.sender(channel).index();
                        monitor.auxiliary.sent_from_start(key[self.auxiliary_start() + sender])
                    });
            }
        }
        key
    }

    /// Return whether a vector may represent others that differ in the numbering of processes.
    pub fn is_symmetric(&self) -> bool {
        self.equivalence.symmetry.is_some() || self.interchangeable.is_some()
    }

    /// Return whether this index of the truth vector is checked; otherwise an interchangeable process is checked in its place.
    pub fn is_checked(&self, place: usize) -> bool {
        self.interchangeable.as_ref().is_none_or(|interchangeable| interchangeable.is_judged(place))
    }

    pub fn hash(&self, key: &[u32]) -> u64 {
        self.equivalence.hash(key)
    }

    /// Return whether the vectors are equivalent.
    pub fn same(&self, a: &[u32], b: &[u32]) -> bool {
        self.equivalence.same(a, b)
    }

    /// Apply the renumbering that takes `from` to `to` to a vector. `None`: there is no such renumbering.
    pub fn renumbered(&self, from: &[u32], to: &[u32], key: &[u32]) -> Option<Vec<u32>> {
        match &self.equivalence.symmetry {
            None => Some(key.to_vec()),
            Some(symmetry) => Some(symmetry.renumbered(key, &self.equivalence.between(from, to)?)),
        }
    }

    /// Apply the renumbering that takes `from` to `to` to an event.
    pub fn renumbered_event(&self, from: &[u32], to: &[u32], event: Event) -> Option<Event> {
        if self.equivalence.symmetry.is_none() {
            return Some(event);
        }
        let process = self.equivalence.between(from, to)?[event.process.index()];
        let cause = match event.cause {
            Cause::Deliver { channel, position } => {
                // Processes that are images of one another have their channels in the same order.
                let at = self.parts.position[channel.index()];
                Cause::Deliver { channel: self.parts.incoming[process.index()][at as usize], position }
            }
            cause => cause,
        };
        Some(Event { process, cause, ..event })
    }

    /// Return the id of the auxiliary state in a vector: counts and history so far.
    pub fn auxiliary_of(&self, monitor: &Monitor<'_>, key: &[u32]) -> u32 {
        match key.last() {
            Some(ghost) if monitor.auxiliary.needs.any() => *ghost,
            _ => 0,
        }
    }

    pub fn decode(&self, key: &[u32], into: &mut Configuration) {
        match &self.full_state {
            Some(whole) => drop(whole.restore(&self.parts, key, into)),
            None => {
                let n = self.parts.n();
                match self.joint_steps() {
                    Some(JointSteps::Moves(_)) => daemon_steps::restore(&self.parts, key, into),
                    Some(JointSteps::Rounds) => rounds::restore(&self.parts, key, into),
                    None if self.footprint.as_ref().is_some_and(|footprint| footprint.is_timed) => {
                        into.set_now(0);
                        for (process, local) in (0..).map(ProcessId).zip(&key[..n]) {
                            self.parts.restore_local(into, process, *local);
                        }
                        self.parts.restore_messages(into, &key[n..2 * n]);
                    }
                    None => {
                        for (process, (local, inbox)) in
                            (0..).map(ProcessId).zip(key[..n].iter().zip(&key[n..2 * n]))
                        {
                            self.parts.restore_local(into, process, *local);
                            self.parts.restore_inbox(into, process, *inbox);
                        }
                    }
                }
                if let Some(footprint) = &self.footprint {
                    footprint.restore_world(key[2 * n], into);
                    if !into.in_joint_step() {
                        footprint.restore_movers(self.instance, key, into);
                    }
                }
            }
        }
    }

    /// Return how several processes step together, if the encoding uses tables.
    pub fn joint_steps(&self) -> Option<JointSteps> {
        self.footprint.as_ref().and_then(|footprint| footprint.together)
    }

    /// Return whether limits are checked rarely. Not with whole configurations; nor where several processes step together, or
    /// enabledness is read: there, a search that stops early must have explored as much as one with whole configurations.
    pub fn uses_large_batches(&self) -> bool {
        self.uses_tables() && !self.footprint.as_ref().is_some_and(Footprint::is_looked_at_often)
    }

    /// Return whether an intermediate vector of a joint step records the truth before the step.
    pub fn records_truth(&self) -> bool {
        self.footprint.as_ref().map_or(self.instance.model.is_joint(), Footprint::tells_truth)
    }

    /// Return whether a vector is an intermediate state of a joint step.
    pub fn is_between(&self, key: &[u32]) -> bool {
        match (&self.full_state, &self.footprint) {
            (Some(whole), _) => whole.is_between(key),
            (None, Some(footprint)) => footprint.is_between(key),
            (None, None) => false,
        }
    }

    /// Return whether each step depends on one process and its inbox only.
    pub fn is_local(&self) -> bool {
        self.uses_tables() && self.footprint.is_none()
    }

    /// Return whether steps are looked up in tables, and not taken in whole configurations.
    pub fn uses_tables(&self) -> bool {
        self.full_state.is_none()
    }

    /// Return the approximate number of bytes of configurations and components.
    pub fn bytes(&self) -> usize {
        self.full_state.as_ref().map_or(0, FullState::bytes)
            + self.footprint.as_ref().map_or(0, Footprint::bytes)
            + self.parts.bytes()
    }
}

/// A configuration that is being expanded.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'k> {
    /// Its vector as stored.
    pub packed: (Width, &'k [u8]),
    /// Its hash; meaningful only under an exact equivalence.
    pub hash: u64,
    /// The id of its truth vector.
    pub truth: u32,
    /// Its index in its batch.
    pub place: usize,
}
