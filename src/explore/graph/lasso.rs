//! Short lassos: a path and a fair cycle.
//!
//! [`super::liveness`] decides whether there is one, by strongly connected parts of the graph. Visiting the whole of such a
//! part is fair; a short fair cycle is constructed in it. A greedy cycle starts at the nearest configuration, always continues
//! to the nearest pending obligation, and then loses its detours. Afterwards, within a limit of **work**, shorter cycles are
//! searched for at every possible start, nearest first, with at most one step, two, four and so on. This is a breadth-first
//! search over pairs of a configuration and its pending obligations. Unless the limit ends it, the result is shortest. Cycles
//! begin between joint steps.

use crate::explore::fairness::FairnessConstraint;
use crate::explore::graph::Graph;
use crate::explore::graph::distances::Distances;
use crate::explore::graph::fairness::Fairness;
use crate::explore::graph::mdp::MdpComponent;
use crate::explore::graph::shifts::UNMOVED;
use crate::ids::StateId;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::collections::hash_map::Entry;

/// A path, and then a cycle repeated forever (empty: the run ends).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    pub way: Vec<StateId>,
    pub cycle: Vec<StateId>,
}

impl Lasso {
    /// Return the length with the cycle once, and that of the cycle alone.
    pub fn length(&self) -> (usize, usize) {
        (self.way.len() + self.cycle.len(), self.cycle.len())
    }
}

/// A part of the graph that contains fair cycles.
#[derive(Clone, Copy)]
pub struct FairPart<'r, 'g> {
    pub graph: &'r Graph,
    pub part: &'r MdpComponent<'g>,
    pub between: &'r dyn Fn(StateId) -> bool,
    /// If given, a cycle must visit such a configuration.
    pub by: Option<&'r dyn Fn(StateId) -> bool>,
    pub fairness: Fairness,
    /// The configuration in the graph of paths, and the member of the part that corresponds to such a configuration.
    pub origin: &'r dyn Fn(StateId) -> StateId,
    pub member: &'r dyn Fn(StateId) -> Option<StateId>,
}

/// Limit of steps examined to shorten a run: it takes fractions of a second.
const WORK: u64 = 1 << 21;

/// Longer cycles keep their detours, since each attempt traverses the whole cycle.
const LONGEST: usize = 300;

/// Find a shortest run to a cycle in one of these parts, the first of which must be reachable. `reach` finds paths, through
/// configurations of this graph that are `inside`.
pub fn shortest(
    reach: &mut Distances,
    (graph, inside): (&Graph, &dyn Fn(StateId) -> bool),
    all: &[FairPart<'_, '_>],
) -> Option<Lasso> {
    let first = all.first()?;
    let start = |state: StateId| (first.member)(state).filter(|member| !(first.between)(*member));
    let wanted = |state: StateId| start(state).is_some();
    let met = reach.met().iter().copied().find(|state| wanted(*state));
    let nearest = met.or_else(|| reach.find(graph, inside, &wanted, u32::MAX))?;
    let cycle = first.without_detours(first.by_what_is_nearest(start(nearest)?)?);
    let mut best = Best { far: reach.far(nearest)?, place: 0, cycle };
    // Configurations farther away cannot improve the run.
    reach.find(graph, inside, &|_| false, best.total().saturating_sub(1));
    best.turn(reach, first);
    let mut whose: FxHashMap<StateId, usize> = FxHashMap::default();
    for (place, rounds) in all.iter().enumerate().skip(1) {
        whose.extend(rounds.part.members.iter().map(|member| ((rounds.origin)(*member), place)));
    }
    let mut starts = Vec::new();
    for state in reach.met() {
        let place = whose.get(state).copied().unwrap_or(0);
        starts.extend(reach.far(*state).zip((all[place].member)(*state)).map(|(far, own)| (far, place, own)));
    }
    best.shorten(all, &starts);
    let Best { place, cycle, .. } = best;
    let cycle: Vec<StateId> = cycle.into_iter().map(all[place].origin).collect();
    Some(Lasso { way: reach.way(*cycle.last()?), cycle })
}

/// The shortest lasso found so far.
struct Best {
    /// The length of the path.
    far: u32,
    /// The index of its part.
    place: usize,
    /// The cycle, with its first configuration only at the end.
    cycle: Vec<StateId>,
}

impl Best {
    fn total(&self) -> u32 {
        self.far + self.cycle.len() as u32
    }

    /// Rotate the cycle to begin at its nearest configuration.
    fn turn(&mut self, reach: &Distances, rounds: &FairPart<'_, '_>) {
        let far = |state: StateId| reach.far((rounds.origin)(state)).filter(|_| !(rounds.between)(state));
        let all = self.cycle.iter().enumerate();
        let nearest = all.filter_map(|(at, state)| Some((far(*state)?, at))).min();
        if let Some((far, at)) = nearest.filter(|(far, _)| *far < self.far) {
            self.far = far;
            self.cycle.rotate_left(at + 1);
        }
    }

    /// Return the maximum length of a better cycle at this distance: the run is shorter, or equally long with a shorter cycle.
    fn room(&self, far: u32) -> u32 {
        let room = self.total().saturating_sub(far);
        if room < self.cycle.len() as u32 { room } else { room.saturating_sub(1) }
    }

    /// `starts`: distance, index of the part, and member of the part; nearest first.
    fn shorten(&mut self, all: &[FairPart<'_, '_>], starts: &[(u32, usize, StateId)]) {
        let mut walks: Vec<Walks<'_, '_, '_>> = all.iter().map(Walks::new).collect();
        let (mut work, mut looked, mut most) = (WORK, 0, 1);
        // The beginning of the run leaves most room.
        while starts.first().is_some_and(|(far, ..)| looked < self.room(*far)) {
            for (far, place, start) in starts {
                let room = self.room(*far).min(most);
                if room <= looked {
                    continue;
                }
                match walks[*place].back(*start, room, &mut work) {
                    Ok(Some(cycle)) => *self = Best { far: *far, place: *place, cycle },
                    Ok(None) => {}
                    Err(TooMuch) => return,
                }
            }
            (looked, most) = (most, most * 2);
        }
    }
}

/// Obligations that a walk has to meet before it is a fair cycle.
struct Obligations {
    /// Fairness constraints: each as it was where the walk began, and as it is now, after shifts of numbers.
    sources: Vec<(FairnessConstraint, FairnessConstraint)>,
    /// Whether the walk still has to visit a configuration of `by`.
    comes_by: bool,
}

impl Obligations {
    fn is_empty(&self) -> bool {
        self.sources.is_empty() && !self.comes_by
    }

    /// Return whether all obligations are met once the walk is back at its start. A constraint that has changed by then changes
    /// with each repetition, and is eventually met: a configuration enables finitely many constraints.
    fn is_empty_after_cycle(&self) -> bool {
        !self.comes_by && self.sources.iter().all(|(begun, now)| begun != now)
    }
}

impl FairPart<'_, '_> {
    /// The obligations of a cycle from `start`.
    fn owed(&self, start: StateId) -> Obligations {
        let owed = match self.fairness {
            Fairness::Weak => self.graph.enabled(start),
            Fairness::Global => Vec::new(),
        };
        let sources = owed.into_iter().map(|source| (source, source)).collect();
        Obligations { sources, comes_by: self.by.is_some_and(|by| !by(start)) }
    }

    /// Update the obligations after a step. All steps between the two configurations count as taken, since repetitions may
    /// alternate.
    fn pay(&self, (from, to): (StateId, StateId), owed: &mut Obligations) {
        let steps = self.part.steps(from).filter(|(next, _)| *next == to);
        let mut shift = None;
        for (_, label) in steps {
            let label = self.graph.labels.get(label);
            owed.sources.retain(|(_, source)| !label.constraints.contains(source));
            let first = *shift.get_or_insert(label.shift);
            // A constraint that these steps shift differently is met: see `is_empty_after_cycle`.
            owed.sources.retain(|(_, now)| {
                first == label.shift || self.graph.moved(*now, first) == self.graph.moved(*now, label.shift)
            });
        }
        if let Some(shift) = shift.filter(|shift| *shift != UNMOVED) {
            owed.sources.iter_mut().for_each(|(_, now)| *now = self.graph.moved(*now, shift));
        }
        if !owed.sources.is_empty() && !(self.between)(to) {
            let here = self.graph.enabled(to);
            owed.sources.retain(|(_, source)| here.contains(source));
        }
        owed.comes_by = owed.comes_by && self.by.is_some_and(|by| !by(to));
    }

    /// Return whether a step meets an obligation, after numbers have been shifted by `shift`.
    fn pays(&self, (to, label): (StateId, u32), owed: &Obligations, shift: u32, is_new: bool) -> bool {
        let label = self.graph.labels.get(label);
        let here = |source: &(FairnessConstraint, FairnessConstraint)| self.graph.moved(source.1, shift);
        if owed.sources.iter().any(|source| label.constraints.contains(&here(source))) {
            return true;
        }
        let there =
            |source: &(FairnessConstraint, FairnessConstraint)| self.graph.moved(here(source), label.shift);
        is_new
            && ((owed.comes_by && self.by.is_some_and(|by| by(to)))
                || (!owed.sources.is_empty()
                    && !self.graph.enables(to, owed.sources.iter().map(there))
                    && !(self.between)(to)))
    }

    /// Construct a fair cycle from `start`: always continue to the nearest pending obligation, and finally return.
    fn by_what_is_nearest(&self, start: StateId) -> Option<Vec<StateId>> {
        let mut owed = self.owed(start);
        let mut cycle: Vec<StateId> = Vec::new();
        loop {
            let at = cycle.last().copied().unwrap_or(start);
            let is_paid = owed.is_empty();
            if is_paid && at == start && !cycle.is_empty() {
                return Some(cycle);
            }
            let is_shifted =
                owed.sources.iter().any(|(_, source)| matches!(source, FairnessConstraint::Message(..)));
            let way = match is_paid {
                true => self.way(at, false, |step, _, _| step.0 == start)?,
                false => {
                    self.way(at, is_shifted, |step, shift, is_new| self.pays(step, &owed, shift, is_new))?
                }
            };
            for to in way {
                self.pay((cycle.last().copied().unwrap_or(start), to), &mut owed);
                cycle.push(to);
            }
        }
    }

    /// Find a shortest path that ends with a `wanted` step, without its first configuration. The arguments of `wanted` are the
    /// step, the shift of numbers before it (tracked only if `is_shifted`), and whether the search has not yet reached its
    /// target.
    fn way(
        &self,
        from: StateId,
        is_shifted: bool,
        wanted: impl Fn((StateId, u32), u32, bool) -> bool,
    ) -> Option<Vec<StateId>> {
        let from = (from, UNMOVED);
        let mut before: FxHashMap<(StateId, u32), (StateId, u32)> = FxHashMap::default();
        let mut open: VecDeque<(StateId, u32)> = [from].into();
        before.insert(from, from);
        while let Some(at) = open.pop_front() {
            let (state, shift) = at;
            for step in self.part.steps(state) {
                let shifted = || self.graph.sum(shift, self.graph.labels.get(step.1).shift);
                let next = (step.0, if is_shifted { shifted() } else { UNMOVED });
                let new = before.entry(next);
                if wanted(step, shift, matches!(new, Entry::Vacant(_))) {
                    let mut way = vec![step.0];
                    let mut at = at;
                    while at != from {
                        way.push(at.0);
                        at = before[&at];
                    }
                    way.reverse();
                    return Some(way);
                }
                if let Entry::Vacant(new) = new {
                    new.insert(at);
                    open.push_back(next);
                }
            }
        }
        None
    }

    /// Return whether a cycle meets all its obligations.
    pub fn is_fair(&self, cycle: &[StateId]) -> bool {
        let Some(mut at) = cycle.last().copied() else { return false };
        let mut owed = self.owed(at);
        for to in cycle {
            self.pay((at, *to), &mut owed);
            at = *to;
        }
        owed.is_empty_after_cycle()
    }

    /// Remove each detour without which the cycle remains fair.
    fn without_detours(&self, mut cycle: Vec<StateId>) -> Vec<StateId> {
        let mut from = 0;
        while from < cycle.len() && cycle.len() <= LONGEST {
            // The predecessor of index 0 is the last configuration.
            let at = if from == 0 { cycle[cycle.len() - 1] } else { cycle[from - 1] };
            let next: FxHashSet<StateId> = self.part.steps(at).map(|(to, _)| to).collect();
            let shorter = (from + 1..=cycle.len()).rev().find_map(|to| {
                // Returns to the same configuration, or skips to the next one in one step.
                let goes_on = match cycle.get(to) {
                    _ if cycle[to - 1] == at => to,
                    Some(then) if next.contains(then) => to,
                    _ => return None,
                };
                let shorter = [&cycle[..from], &cycle[goes_on..]].concat();
                self.is_fair(&shorter).then_some(shorter)
            });
            match shorter {
                Some(shorter) => cycle = shorter,
                None => from += 1,
            }
        }
        cycle
    }
}

/// The limit of work was reached.
struct TooMuch;

/// A configuration with the obligations that it affects.
struct LassoNode {
    state: StateId,
    /// The shift of numbers on the path to it.
    shift: u32,
    is_between: bool,
    /// Whether it satisfies the condition on visits.
    is_by: bool,
    /// Enabled constraints, by id, each as it is where the walk begins.
    enabled: SmallVec<[u32; 8]>,
    /// Successors, with the constraints that the steps satisfy. `None`: not computed yet.
    steps: Option<Vec<(u32, SmallVec<[u32; 2]>)>>,
}

/// Walks in one part, and cached data of the part.
struct Walks<'w, 'r, 'g> {
    rounds: &'w FairPart<'r, 'g>,
    places: Vec<LassoNode>,
    place: FxHashMap<(StateId, u32), u32>,
    sources: FxHashMap<FairnessConstraint, u32>,
    /// The constraints, by number.
    numbered: Vec<FairnessConstraint>,
}

impl<'w, 'r, 'g> Walks<'w, 'r, 'g> {
    fn new(rounds: &'w FairPart<'r, 'g>) -> Walks<'w, 'r, 'g> {
        let (place, sources) = (FxHashMap::default(), FxHashMap::default());
        Walks { rounds, places: Vec::new(), place, sources, numbered: Vec::new() }
    }

    fn place(&mut self, state: StateId, shift: u32) -> u32 {
        if let Some(place) = self.place.get(&(state, shift)) {
            return *place;
        }
        let number = self.places.len() as u32;
        self.place.insert((state, shift), number);
        let rounds = self.rounds;
        let is_between = (rounds.between)(state);
        let enabled = match rounds.fairness {
            Fairness::Weak if !is_between => rounds.graph.enabled(state),
            _ => Vec::new(),
        };
        let enabled = enabled.into_iter().map(|source| self.source(source, shift)).collect();
        let is_by = rounds.by.is_some_and(|by| by(state));
        self.places.push(LassoNode { state, shift, is_between, is_by, enabled, steps: None });
        number
    }

    /// Return the id of a constraint that has been shifted since the walk began.
    fn source(&mut self, source: FairnessConstraint, shift: u32) -> u32 {
        let graph = self.rounds.graph;
        let begun = if shift == UNMOVED { source } else { graph.moved(source, graph.negative(shift)) };
        let Walks { sources, numbered, .. } = self;
        *sources.entry(begun).or_insert_with(|| {
            numbered.push(begun);
            numbered.len() as u32 - 1
        })
    }

    /// The constraints, as bits, that the shift changes.
    fn changed(&self, owed: &[u32], shift: u32) -> u64 {
        let graph = self.rounds.graph;
        let source = |number: &u32| self.numbered[*number as usize];
        let is_changed =
            |number: &u32| shift != UNMOVED && graph.moved(source(number), shift) != source(number);
        let bits = owed.iter().enumerate().filter(|(_, number)| is_changed(number));
        bits.fold(0, |bits, (bit, _)| bits | 1 << bit)
    }

    /// Compute the steps from a place, and merge those that lead to the same place.
    fn look_up(&mut self, place: u32) {
        let here = &self.places[place as usize];
        if here.steps.is_some() {
            return;
        }
        let (rounds, state, shift) = (self.rounds, here.state, here.shift);
        let mut steps: Vec<(u32, SmallVec<[u32; 2]>)> = Vec::new();
        for (to, label) in rounds.part.steps(state) {
            let label = rounds.graph.labels.get(label);
            let to = self.place(to, rounds.graph.sum(shift, label.shift));
            let about = label.constraints.iter().map(|source| self.source(*source, shift));
            match steps.iter_mut().find(|(known, _)| *known == to) {
                Some((_, known)) => known.extend(about),
                None => steps.push((to, about.collect())),
            }
        }
        self.places[place as usize].steps = Some(steps);
    }

    /// Find a shortest fair cycle through `start` of at most `most` steps. Not attempted if `start` enables more constraints
    /// than a bit set can hold.
    fn back(&mut self, start: StateId, most: u32, work: &mut u64) -> Result<Option<Vec<StateId>>, TooMuch> {
        let start = self.place(start, UNMOVED);
        let rounds = self.rounds;
        let begin = &self.places[start as usize];
        let comes_by = begin.enabled.len() as u32;
        if begin.is_between || comes_by >= u64::BITS - 1 {
            return Ok(None);
        }
        let all = (1 << (comes_by + 1)) - 1;
        let owed = begin.enabled.clone();
        let bit = |source: &u32| owed.iter().position(|owed| owed == source).map_or(0, |bit| 1u64 << bit);
        let bits = |sources: &[u32]| sources.iter().map(bit).fold(0, std::ops::BitOr::bitor);
        // The obligations met by visiting a place.
        let paid = |place: &LassoNode| {
            let by = if place.is_by || rounds.by.is_none() { 1 << comes_by } else { 0 };
            let off = if place.is_between { 0 } else { !bits(&place.enabled) & ((1 << comes_by) - 1) };
            by | off
        };
        // Place, obligations met so far, and index of the predecessor.
        let first = paid(begin);
        let mut walk: Vec<(u32, u64, usize)> = vec![(start, first, 0)];
        let mut known: FxHashMap<u32, SmallVec<[u64; 2]>> = FxHashMap::default();
        known.entry(start).or_default().push(first);
        let (mut at, mut length) = (0, 0);
        while length < most && at < walk.len() {
            length += 1;
            let level = at..walk.len();
            at = level.end;
            for number in level {
                let (place, before, _) = walk[number];
                self.look_up(place);
                let Some(steps) = &self.places[place as usize].steps else { continue };
                *work = work.checked_sub(1 + steps.len() as u64).ok_or(TooMuch)?;
                for (to, about) in steps {
                    let there = &self.places[*to as usize];
                    let now = before | bits(about) | paid(there);
                    let comes_back = there.state == self.places[start as usize].state;
                    if comes_back && now | self.changed(&owed, there.shift) == all {
                        let back = std::iter::successors(Some(number), |number| Some(walk[*number].2));
                        let visited = back.take_while(|number| *number != 0).map(|number| walk[number].0);
                        let all = std::iter::once(start).chain(visited);
                        let mut cycle: Vec<_> = all.map(|place| self.places[place as usize].state).collect();
                        cycle.reverse();
                        return Ok(Some(cycle));
                    }
                    // A walk that reached the place no later with no more obligations dominates this one.
                    let known = known.entry(*to).or_default();
                    if !known.iter().any(|known| known & now == now) {
                        known.retain(|known| *known & now != *known);
                        known.push(now);
                        walk.push((*to, now, number));
                    }
                }
            }
        }
        Ok(None)
    }
}
