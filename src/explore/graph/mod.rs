//! The graph of configurations, kept where a property is about whole runs: what runs cost, and what must happen.

pub mod bounds;
pub mod distances;
pub mod mdp;
pub mod joint_strategies;
pub mod shifts;
pub mod lasso;
pub mod liveness;
pub mod cycle;
pub mod infinite_run;

use crate::explore::space::interner::{Interner, to_grow};
use crate::explore::steps::fairness::{FairnessConstraint, FairnessConstraints};
use mdp::Throws;
use rustc_hash::{FxHashMap, FxHashSet};
use shifts::{Shifts, UNMOVED};
use std::collections::VecDeque;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// The label of an edge: the fairness constraints that it satisfies ([`FairnessConstraint`]), its cost (`monitor::costs::Costs`), its random
/// choices ([`mdp::Throws`]), and the shift of the numbers of a view along it ([`Shifts`]).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    pub sources: FairnessConstraints,
    pub cost: u32,
    pub throw: u32,
    pub shift: u32,
}

#[derive(Debug)]
pub struct Graph {
    pub labels: Arc<Interner<Label>>,
    /// Shifts along edges, if a view shifts numbers.
    pub shifts: Option<Shifts>,
    /// Target and label, those of one configuration behind one another.
    edges: Vec<(u32, u32)>,
    /// By number of the configuration: where its edges begin, and how many they are.
    first: Vec<(u64, u32)>,
    /// Where commands go wrong, and what they are about: steps that lead nowhere.
    wrong: FxHashMap<u32, Vec<FairnessConstraint>>,
    /// Where the search was ended by a limit: of these not all is known that can be done in them, and so none of it is there.
    open: FxHashSet<u32>,
}

/// A strongly connected component: runs can go round in it, or it is a single configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component<'c> {
    pub members: &'c [u32],
    pub cyclic: bool,
}

/// Strongly connected components, each after all that can be reached from it. Mostly there are as many as configurations: none takes
/// memory of its own.
#[derive(Debug)]
pub struct Components {
    /// Those of one component behind one another.
    members: Vec<u32>,
    /// By component: where its members end, and can runs go round in it?
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

/// Bytes for each configuration that judging whole runs takes for a while, mostly less: components while they are looked for, or the
/// components beside what runs cost from there on, or beside the greatest of them.
const JUDGING: usize = 48;

impl Graph {
    pub fn new(labels: Arc<Interner<Label>>) -> Graph {
        Graph {
            labels,
            shifts: None,
            edges: Vec::new(),
            first: Vec::new(),
            wrong: FxHashMap::default(),
            open: FxHashSet::default(),
        }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        size_of_val(self.edges.as_slice()) + size_of_val(self.first.as_slice())
    }

    /// Bytes more for a while if so many configurations come, with edges in proportion, and so tables have to be moved to where they
    /// have room.
    pub fn bytes_to_grow(&self, more: usize) -> usize {
        let edges = (self.edges.len() / self.first.len().max(1)).saturating_add(1).saturating_mul(more);
        to_grow(&self.edges, edges) + to_grow(&self.first, more)
    }

    /// Bytes more for a while when runs are judged.
    pub fn bytes_to_judge(&self) -> usize {
        self.first.len() * JUDGING
    }

    /// Adds an edge; those of one configuration are added one after the other.
    pub fn add(&mut self, from: u32, to: u32, label: u32) {
        let needed = from.max(to) as usize + 1;
        if self.first.len() < needed {
            self.first.resize(needed, (0, 0));
        }
        let (start, len) = &mut self.first[from as usize];
        if *len == 0 {
            *start = self.edges.len() as u64;
        }
        *len += 1;
        self.edges.push((to, label));
    }

    /// The label of a step that reaches one vector, where the graph keeps another one in its place.
    pub fn shifted(&self, label: u32, reached: &[u32], kept: &[u32]) -> u32 {
        match self.shifts.as_ref().map_or(UNMOVED, |shifts| shifts.between(reached, kept)) {
            UNMOVED => label,
            shift => self.labels.number(Label { shift, ..self.labels.get(label).clone() }),
        }
    }

    /// A fairness constraint after a shift.
    pub fn moved(&self, source: FairnessConstraint, shift: u32) -> FairnessConstraint {
        self.shifts.as_ref().map_or(source, |shifts| shifts.moved(source, shift))
    }

    /// The sum of two shifts.
    pub fn sum(&self, a: u32, b: u32) -> u32 {
        self.shifts.as_ref().map_or(UNMOVED, |shifts| shifts.sum(a, b))
    }

    /// The inverse of a shift.
    pub fn negative(&self, shift: u32) -> u32 {
        self.shifts.as_ref().map_or(UNMOVED, |shifts| shifts.negative(shift))
    }

    /// Takes note of a command that goes wrong, and is not one that need not be taken.
    pub fn add_wrong(&mut self, from: u32, source: FairnessConstraint) {
        let known = self.wrong.entry(from).or_default();
        if !known.contains(&source) {
            known.push(source);
        }
    }

    /// What the commands are about that go wrong in a configuration.
    pub fn wrong(&self, state: u32) -> &[FairnessConstraint] {
        self.wrong.get(&state).map_or(&[], Vec::as_slice)
    }

    /// Not all is known that can be done in a configuration: runs go on from it in ways that nobody has seen. What is there of them is
    /// forgotten, so that all that is left are real runs, and what is fair in them is so.
    pub fn leave_open(&mut self, state: u32) {
        if let Some(edges) = self.first.get_mut(state as usize) {
            *edges = (0, 0);
        }
        self.open.insert(state);
    }

    /// Does any command go wrong?
    pub fn goes_wrong(&self) -> bool {
        !self.wrong.is_empty()
    }

    /// All configurations in the order in which they were met, the initial ones first. Their numbers depend on how many threads put
    /// them into the set; this order does not.
    pub fn as_met(&self, initial: &[u32]) -> Vec<u32> {
        let mut known = vec![false; self.size(initial.iter().copied())];
        let all = initial.iter().copied().chain(self.edges.iter().map(|(to, _)| *to));
        all.filter(|state| !std::mem::replace(&mut known[*state as usize], true)).collect()
    }

    /// One more than the greatest number of a configuration, these included.
    pub fn size(&self, with: impl Iterator<Item = u32>) -> usize {
        self.first.len().max(with.map(|state| state as usize + 1).max().unwrap_or(0))
    }

    /// Does a run end here? What may happen only if somebody wishes does not count as going on; a command that
    /// goes wrong does.
    pub fn is_end(&self, state: u32) -> bool {
        self.wrong(state).is_empty()
            && !self.open.contains(&state)
            && self.edges(state).iter().all(|(_, label)| self.labels.get(*label).sources.is_empty())
    }

    /// What can be done in a configuration, what goes wrong included; each once.
    pub fn enabled(&self, state: u32) -> Vec<FairnessConstraint> {
        let mut found = Vec::new();
        let mut add = |source: &FairnessConstraint| {
            if !found.contains(source) {
                found.push(*source);
            }
        };
        for (_, label) in self.edges(state) {
            self.labels.get(*label).sources.iter().for_each(&mut add);
        }
        self.wrong(state).iter().for_each(add);
        found
    }

    /// Does a configuration enable all of these constraints?
    pub fn enables(&self, state: u32, all: impl Iterator<Item = FairnessConstraint>) -> bool {
        let mut missing: Vec<FairnessConstraint> = all.collect();
        missing.retain(|source| !self.wrong(state).contains(source));
        for (_, label) in self.edges(state) {
            if missing.is_empty() {
                break;
            }
            let label = self.labels.get(*label);
            missing.retain(|source| !label.sources.contains(source));
        }
        missing.is_empty()
    }

    pub fn edges(&self, from: u32) -> &[(u32, u32)] {
        let (start, len) = self.first.get(from as usize).copied().unwrap_or((0, 0));
        &self.edges[start as usize..start as usize + len as usize]
    }

    /// The strongly connected components that can be reached from these configurations through configurations that
    /// are `inside`, each after all that can be reached from it (Tarjan, without recursion).
    pub fn components(&self, from: &[u32], inside: &dyn Fn(u32) -> bool) -> Components {
        const NEW: u32 = u32::MAX;
        let size = self.size(from.iter().copied());
        let mut index = vec![NEW; size];
        let mut low = vec![0u32; size];
        let mut on_stack = vec![false; size];
        let mut stack: Vec<u32> = Vec::new();
        // Memory that is not touched costs nothing.
        let mut found = Components {
            members: Vec::with_capacity(size),
            ends: Vec::with_capacity(size),
            cyclic: Vec::with_capacity(size),
        };
        let mut count = 0;
        // Configuration, and how many of its edges have been followed.
        let mut calls: Vec<(u32, u32)> = Vec::new();
        for root in from {
            if index[*root as usize] != NEW || !inside(*root) {
                continue;
            }
            calls.push((*root, 0));
            while let Some((at, next)) = calls.pop() {
                let a = at as usize;
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
                    let t = *to as usize;
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
                    members.iter().for_each(|member| on_stack[*member as usize] = false);
                    let cyclic = members.len() > 1 || edges.iter().any(|(to, _)| *to == at);
                    found.members.extend_from_slice(members);
                    found.ends.push(found.members.len() as u32);
                    found.cyclic.push(cyclic);
                    stack.truncate(first);
                }
                if let Some((caller, _)) = calls.last() {
                    let caller = *caller as usize;
                    low[caller] = low[caller].min(low[a]);
                }
            }
        }
        found
    }

    /// Can a run go round in it?
    pub fn is_cyclic(&self, from: &[u32]) -> bool {
        #[derive(Clone, Copy, PartialEq)]
        enum Met {
            Never,
            OnTheWay,
            Before,
        }
        let mut met = vec![Met::Never; self.size(from.iter().copied())];
        // The way from the beginning, and how many of the edges have been followed.
        let mut way: Vec<(u32, u32)> = Vec::new();
        for root in from {
            if met[*root as usize] != Met::Never {
                continue;
            }
            met[*root as usize] = Met::OnTheWay;
            way.push((*root, 0));
            while let Some((at, followed)) = way.last_mut() {
                match self.edges(*at).get(*followed as usize) {
                    None => {
                        met[*at as usize] = Met::Before;
                        way.pop();
                    }
                    Some((to, _)) => {
                        *followed += 1;
                        match met[*to as usize] {
                            Met::Never => {
                                met[*to as usize] = Met::OnTheWay;
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

    /// Does chance decide anything?
    pub fn draws(&self, throws: &Throws) -> bool {
        (0..self.labels.len() as u32).any(|label| throws.is_tossed(self.labels.get(label).throw))
    }

    /// A shortest way through configurations that are `inside`, ends included, to one that is `wanted`.
    pub fn way(
        &self,
        from: &[u32],
        inside: &dyn Fn(u32) -> bool,
        wanted: &dyn Fn(u32) -> bool,
    ) -> Option<Vec<u32>> {
        let from = from.iter().copied().filter(|state| inside(*state));
        shortest(from, |at| self.edges(at).iter().map(|(to, _)| *to).filter(|to| inside(*to)), wanted)
    }
}

/// A shortest way by these steps, both ends included, to what is wanted.
pub fn shortest<S: Iterator<Item = u32>>(
    from: impl IntoIterator<Item = u32>,
    steps: impl Fn(u32) -> S,
    wanted: impl Fn(u32) -> bool,
) -> Option<Vec<u32>> {
    let mut before: FxHashMap<u32, u32> = FxHashMap::default();
    let mut open: VecDeque<u32> = VecDeque::new();
    for start in from {
        if before.insert(start, start).is_none() {
            open.push_back(start);
        }
    }
    while let Some(at) = open.pop_front() {
        if wanted(at) {
            let mut way = vec![at];
            let mut at = at;
            while before[&at] != at {
                at = before[&at];
                way.push(at);
            }
            way.reverse();
            return Some(way);
        }
        for to in steps(at) {
            if let Entry::Vacant(new) = before.entry(to) {
                new.insert(at);
                open.push_back(to);
            }
        }
    }
    None
}
