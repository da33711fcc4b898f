//! The graph of configurations, kept for properties of whole runs: costs and liveness.

pub mod distances;
pub mod mdp;
pub mod joint_strategies;
pub mod shifts;
pub mod bounds;
pub mod fairness;
pub mod quotient;
pub mod lasso;
pub mod liveness;
pub mod cycle;
pub mod infinite_run;

use crate::explore::fairness::{FairnessConstraint, FairnessConstraints};
use crate::explore::graph::mdp::RandomOutcomes;
use crate::explore::graph::shifts::{Shifts, UNMOVED};
use crate::explore::store::interner::{Interner, to_grow};
use crate::ids::StateId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::collections::VecDeque;
use std::sync::Arc;

/// The label of an edge: the fairness constraints that it satisfies ([`FairnessConstraint`]), its cost
/// (`monitor::costs::Costs`), its random choices ([`mdp::Throws`]), and the shift of the numbers of a view along it
/// ([`Shifts`]).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    pub constraints: FairnessConstraints,
    pub cost: u32,
    pub random_choice: u32,
    pub shift: u32,
}

#[derive(Debug)]
pub struct Graph {
    pub labels: Arc<Interner<Label>>,
    /// Shifts along edges, if a view shifts numbers.
    pub shifts: Option<Shifts>,
    /// Targets and labels, contiguous for each configuration.
    edges: Vec<(StateId, u32)>,
    /// By number of the configuration: index of its first edge, and the number of its edges.
    first: Vec<(u64, u32)>,
    /// Configurations in which commands abort, with the fairness constraints of these steps, which have no successor.
    aborts: FxHashMap<StateId, Vec<FairnessConstraint>>,
    /// Configurations not fully expanded before a limit ended the search; they have no edges here.
    open: FxHashSet<StateId>,
    /// The components of the complete graph, once they are needed.
    whole: OnceCell<Components>,
}

/// A strongly connected component: either it contains a cycle, or it is a single configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component<'c> {
    pub members: &'c [StateId],
    pub cyclic: bool,
}

/// Strongly connected components, each after all that can be reached from it. Mostly there are as many as configurations, so
/// none has an allocation of its own.
#[derive(Debug)]
pub struct Components {
    /// Contiguous for each component.
    members: Vec<StateId>,
    /// By component: the end of its members, and whether it contains a cycle.
    ends: Vec<u32>,
    cyclic: Vec<bool>,
}

impl Components {
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Component<'_>> {
        (0..self.ends.len()).map(|number| {
            let begin = number.checked_sub(1).map_or(0, |before| self.ends[before]);
            let members = &self.members[begin as usize..self.ends[number] as usize];
            Component { members, cyclic: self.cyclic[number] }
        })
    }
}

/// Upper estimate of the bytes per configuration needed temporarily to check whole runs: for the search for components, or for
/// the components with the costs of runs, or with the largest component.
const JUDGING: usize = 48;

impl Graph {
    pub fn new(labels: Arc<Interner<Label>>) -> Graph {
        Graph {
            labels,
            shifts: None,
            edges: Vec::new(),
            first: Vec::new(),
            aborts: FxHashMap::default(),
            open: FxHashSet::default(),
            whole: OnceCell::new(),
        }
    }

    /// Return the bytes in use.
    pub fn bytes(&self) -> usize {
        size_of_val(self.edges.as_slice()) + size_of_val(self.first.as_slice())
    }

    /// Return the bytes needed temporarily if `more` configurations are added, with edges in proportion.
    pub fn bytes_to_grow(&self, more: usize) -> usize {
        let edges = (self.edges.len() / self.first.len().max(1)).saturating_add(1).saturating_mul(more);
        to_grow(&self.edges, edges) + to_grow(&self.first, more)
    }

    /// Return the bytes needed temporarily to check whole runs.
    pub fn bytes_to_judge(&self) -> usize {
        self.first.len() * JUDGING
    }

    /// Add an edge. The edges of one configuration must be added consecutively.
    pub fn add(&mut self, from: StateId, to: StateId, label: u32) {
        let needed = from.max(to).index() + 1;
        if self.first.len() < needed {
            self.first.resize(needed, (0, 0));
        }
        let (start, len) = &mut self.first[from.index()];
        if *len == 0 {
            *start = self.edges.len() as u64;
        }
        *len += 1;
        self.edges.push((to, label));
    }

    /// Return the label of a step that reaches one vector if the graph contains an equivalent one instead.
    pub fn shifted(&self, label: u32, reached: &[u32], kept: &[u32]) -> u32 {
        match self.shifts.as_ref().map_or(UNMOVED, |shifts| shifts.between(reached, kept)) {
            UNMOVED => label,
            shift => self.labels.number(Label { shift, ..self.labels.get(label).clone() }),
        }
    }

    /// Return a fairness constraint after a shift.
    pub fn moved(&self, source: FairnessConstraint, shift: u32) -> FairnessConstraint {
        self.shifts.as_ref().map_or(source, |shifts| shifts.moved(source, shift))
    }

    /// Return the sum of two shifts.
    pub fn sum(&self, a: u32, b: u32) -> u32 {
        self.shifts.as_ref().map_or(UNMOVED, |shifts| shifts.sum(a, b))
    }

    /// Return the inverse of a shift.
    pub fn negative(&self, shift: u32) -> u32 {
        self.shifts.as_ref().map_or(UNMOVED, |shifts| shifts.negative(shift))
    }

    /// Record that a command aborts, unless fairness permits omitting it.
    pub fn add_wrong(&mut self, from: StateId, source: FairnessConstraint) {
        let known = self.aborts.entry(from).or_default();
        if !known.contains(&source) {
            known.push(source);
        }
    }

    /// Return the fairness constraints of the commands that abort in a configuration.
    pub fn wrong(&self, state: StateId) -> &[FairnessConstraint] {
        self.aborts.get(&state).map_or(&[], Vec::as_slice)
    }

    /// Mark a configuration as not fully expanded, and discard its edges. So all runs of the graph are real, and their fairness
    /// is known.
    pub fn leave_open(&mut self, state: StateId) {
        if let Some(edges) = self.first.get_mut(state.index()) {
            *edges = (0, 0);
        }
        self.open.insert(state);
    }

    /// Return whether any command aborts.
    pub fn has_aborts(&self) -> bool {
        !self.aborts.is_empty()
    }

    /// Return all configurations in the order in which they were found, the initial ones first. Their numbers depend on the
    /// threads; this order does not.
    pub fn in_search_order(&self, initial: &[StateId]) -> Vec<StateId> {
        let mut known = vec![false; self.size(initial.iter().copied())];
        let all = initial.iter().copied().chain(self.edges.iter().map(|(to, _)| *to));
        all.filter(|state| !std::mem::replace(&mut known[state.index()], true)).collect()
    }

    /// Return the greatest number of a configuration, these included, plus one.
    pub fn size(&self, with: impl Iterator<Item = StateId>) -> usize {
        self.first.len().max(with.map(|state| state.index() + 1).max().unwrap_or(0))
    }

    /// Return whether a run may end here: fairness requires no step. An aborting command counts as a step.
    pub fn is_end(&self, state: StateId) -> bool {
        self.wrong(state).is_empty()
            && !self.open.contains(&state)
            && self.edges(state).iter().all(|(_, label)| self.labels.get(*label).constraints.is_empty())
    }

    /// Return the fairness constraints enabled in a configuration, those of aborting commands included, each once.
    pub fn enabled(&self, state: StateId) -> Vec<FairnessConstraint> {
        let mut found = Vec::new();
        let mut add = |source: &FairnessConstraint| {
            if !found.contains(source) {
                found.push(*source);
            }
        };
        for (_, label) in self.edges(state) {
            self.labels.get(*label).constraints.iter().for_each(&mut add);
        }
        self.wrong(state).iter().for_each(add);
        found
    }

    /// Return whether a configuration enables all of these constraints.
    pub fn enables(&self, state: StateId, all: impl Iterator<Item = FairnessConstraint>) -> bool {
        let mut missing: Vec<FairnessConstraint> = all.collect();
        missing.retain(|source| !self.wrong(state).contains(source));
        for (_, label) in self.edges(state) {
            if missing.is_empty() {
                break;
            }
            let label = self.labels.get(*label);
            missing.retain(|source| !label.constraints.contains(source));
        }
        missing.is_empty()
    }

    pub fn edges(&self, from: StateId) -> &[(StateId, u32)] {
        let (start, len) = self.first.get(from.index()).copied().unwrap_or((0, 0));
        &self.edges[start as usize..start as usize + len as usize]
    }

    /// Return the strongly connected components of the complete graph. `initial`: returns all initial configurations.
    pub fn whole(&self, initial: impl FnOnce() -> Vec<StateId>) -> &Components {
        self.whole.get_or_init(|| self.components(&initial(), &|_| true))
    }

    /// Return the strongly connected components reachable from these configurations through configurations that are `inside`,
    /// each after all that can be reached from it (Tarjan, without recursion).
    pub fn components(&self, from: &[StateId], inside: &dyn Fn(StateId) -> bool) -> Components {
        const NEW: u32 = u32::MAX;
        let size = self.size(from.iter().copied());
        let mut index = vec![NEW; size];
        let mut low = vec![0u32; size];
        let mut on_stack = vec![false; size];
        let mut stack: Vec<StateId> = Vec::new();
        // Untouched memory costs nothing.
        let mut found = Components {
            members: Vec::with_capacity(size),
            ends: Vec::with_capacity(size),
            cyclic: Vec::with_capacity(size),
        };
        let mut count = 0;
        // Configuration, and the number of its edges followed so far.
        let mut calls: Vec<(StateId, u32)> = Vec::new();
        for root in from {
            if index[root.index()] != NEW || !inside(*root) {
                continue;
            }
            calls.push((*root, 0));
            while let Some((at, next)) = calls.pop() {
                let a = at.index();
                if next == 0 {
                    index[a] = count;
                    low[a] = count;
                    count += 1;
                    stack.push(at);
                    on_stack[a] = true;
                }
                let edges = self.edges(at);
                let mut i = next;
                let mut descended = false;
                while let Some((to, _)) = edges.get(i as usize) {
                    i += 1;
                    if !inside(*to) {
                        continue;
                    }
                    let t = to.index();
                    if index[t] == NEW {
                        calls.push((at, i));
                        calls.push((*to, 0));
                        descended = true;
                        break;
                    } else if on_stack[t] {
                        low[a] = low[a].min(index[t]);
                    }
                }
                if descended {
                    continue;
                }
                if low[a] == index[a] {
                    let first = stack.iter().rposition(|member| *member == at).unwrap_or(0);
                    let members = &stack[first..];
                    members.iter().for_each(|member| on_stack[member.index()] = false);
                    let cyclic = members.len() > 1 || edges.iter().any(|(to, _)| *to == at);
                    found.members.extend_from_slice(members);
                    found.ends.push(found.members.len() as u32);
                    found.cyclic.push(cyclic);
                    stack.truncate(first);
                }
                if let Some((caller, _)) = calls.last() {
                    let caller = caller.index();
                    low[caller] = low[caller].min(low[a]);
                }
            }
        }
        found
    }

    /// Return whether the graph contains a cycle.
    pub fn is_cyclic(&self, from: &[StateId]) -> bool {
        #[derive(Clone, Copy, PartialEq)]
        enum Met {
            Never,
            OnTheWay,
            Before,
        }
        let mut met = vec![Met::Never; self.size(from.iter().copied())];
        // The path from the beginning, with the number of edges followed so far.
        let mut way: Vec<(StateId, u32)> = Vec::new();
        for root in from {
            if met[root.index()] != Met::Never {
                continue;
            }
            met[root.index()] = Met::OnTheWay;
            way.push((*root, 0));
            while let Some((at, followed)) = way.last_mut() {
                match self.edges(*at).get(*followed as usize) {
                    None => {
                        met[at.index()] = Met::Before;
                        way.pop();
                    }
                    Some((to, _)) => {
                        *followed += 1;
                        match met[to.index()] {
                            Met::Never => {
                                met[to.index()] = Met::OnTheWay;
                                way.push((*to, 0));
                            }
                            Met::OnTheWay => return true,
                            Met::Before => {}
                        }
                    }
                }
            }
        }
        false
    }

    /// Return whether any step is random.
    pub fn draws(&self, throws: &RandomOutcomes) -> bool {
        (0..self.labels.len() as u32).any(|label| throws.is_tossed(self.labels.get(label).random_choice))
    }

    /// Return a shortest path through configurations that are `inside`, ends included, to a `wanted` one.
    pub fn shortest_path(
        &self,
        from: &[StateId],
        inside: &dyn Fn(StateId) -> bool,
        wanted: &dyn Fn(StateId) -> bool,
    ) -> Option<Vec<StateId>> {
        const NEW: u32 = u32::MAX;
        let mut before = vec![NEW; self.size(from.iter().copied())];
        let mut open: VecDeque<StateId> = VecDeque::new();
        for start in from.iter().filter(|state| inside(**state)) {
            if std::mem::replace(&mut before[start.index()], start.0) == NEW {
                open.push_back(*start);
            }
        }
        while let Some(at) = open.pop_front() {
            if wanted(at) {
                let mut way = vec![at];
                let mut at = at;
                while before[at.index()] != at.0 {
                    at = StateId(before[at.index()]);
                    way.push(at);
                }
                way.reverse();
                return Some(way);
            }
            for (to, _) in self.edges(at) {
                if before[to.index()] == NEW && inside(*to) {
                    before[to.index()] = at.0;
                    open.push_back(*to);
                }
            }
        }
        None
    }
}
