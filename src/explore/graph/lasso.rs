//! A run that goes round for ever, as short as it can be had: a way, and a fair cycle at its end.
//!
//! Whether there is one is told by the parts of the graph that runs can go round in ([`super::liveness`]). Going round in the whole of such a part is fair, and
//! a short cycle in it that is fair is looked for: from the nearest configuration always on to what is nearest of what is still owed, and
//! without the detours of this. Then, for as long as that does not take too much **work**, for every place where the cycle may begin, nearest
//! first, and for cycles of one step, two, four and so on: a shortest walk back there that owes nothing, breadth first over pairs of a configuration and
//! what is still owed. Unless work ends it, nothing shorter is left. Cycles begin where no joint step is under way.

use super::Graph;
use super::distances::Distances;
use super::liveness::Fairness;
use super::mdp::MdpComponent;
use super::shifts::UNMOVED;
use crate::explore::steps::fairness::FairnessConstraint;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::collections::hash_map::Entry;

/// A run that never gets there: a way, and then a cycle for ever (empty: the run ends).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    pub way: Vec<u32>,
    pub cycle: Vec<u32>,
}

impl Lasso {
    /// With its cycle once, and its cycle alone.
    pub fn length(&self) -> (usize, usize) {
        (self.way.len() + self.cycle.len(), self.cycle.len())
    }
}

/// A part of the graph in which runs can go round fairly.
#[derive(Clone, Copy)]
pub struct Rounds<'r, 'g> {
    pub graph: &'r Graph,
    pub part: &'r MdpComponent<'g>,
    pub between: &'r dyn Fn(u32) -> bool,
    /// They come by one of these each time, if that is asked.
    pub by: Option<&'r dyn Fn(u32) -> bool>,
    pub fairness: Fairness,
    /// Which configuration this is in the graph that ways go through, and which member of the part that one is.
    pub origin: &'r dyn Fn(u32) -> u32,
    pub member: &'r dyn Fn(u32) -> Option<u32>,
}

/// So many steps are looked at for the sake of a shorter run: it takes fractions of a second.
const WORK: u64 = 1 << 21;

/// Cycles longer than this keep their detours: each try goes through all of the cycle.
const LONGEST: usize = 300;

/// A shortest run through one of these parts, the first of which is one that can be reached: `reach` finds ways, through configurations of this
/// graph that are `inside`.
pub fn shortest(
    reach: &mut Distances,
    (graph, inside): (&Graph, &dyn Fn(u32) -> bool),
    all: &[Rounds<'_, '_>],
) -> Option<Lasso> {
    let first = all.first()?;
    let start = |state: u32| (first.member)(state).filter(|member| !(first.between)(*member));
    let wanted = |state: u32| start(state).is_some();
    let met = reach.met().iter().copied().find(|state| wanted(*state));
    let nearest = met.or_else(|| reach.find(graph, inside, &wanted, u32::MAX))?;
    let cycle = first.without_detours(first.by_what_is_nearest(start(nearest)?)?);
    let mut best = Best { far: reach.far(nearest)?, place: 0, cycle };
    // Farther away there is nothing shorter.
    reach.find(graph, inside, &|_| false, best.total().saturating_sub(1));
    best.turn(reach, first);
    let mut whose: FxHashMap<u32, usize> = FxHashMap::default();
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
    let cycle: Vec<u32> = cycle.into_iter().map(all[place].origin).collect();
    Some(Lasso { way: reach.way(*cycle.last()?), cycle })
}

/// The shortest found so far.
struct Best {
    /// How long the way is.
    far: u32,
    /// In which of the parts.
    place: usize,
    /// Without the configuration it begins in at its beginning, and with it at its end.
    cycle: Vec<u32>,
}

impl Best {
    fn total(&self) -> u32 {
        self.far + self.cycle.len() as u32
    }

    /// Begins the cycle where that is nearest.
    fn turn(&mut self, reach: &Distances, rounds: &Rounds<'_, '_>) {
        let far = |state: u32| reach.far((rounds.origin)(state)).filter(|_| !(rounds.between)(state));
        let all = self.cycle.iter().enumerate();
        let nearest = all.filter_map(|(at, state)| Some((far(*state)?, at))).min();
        if let Some((far, at)) = nearest.filter(|(far, _)| *far < self.far) {
            self.far = far;
            self.cycle.rotate_left(at + 1);
        }
    }

    /// So long a cycle may be, from so far away, to be better: with it the run is shorter, or it is as long and the cycle shorter.
    fn room(&self, far: u32) -> u32 {
        let room = self.total().saturating_sub(far);
        if room < self.cycle.len() as u32 { room } else { room.saturating_sub(1) }
    }

    /// `starts`: how far away, in which of the parts, and where there; nearest first.
    fn shorten(&mut self, all: &[Rounds<'_, '_>], starts: &[(u32, usize, u32)]) {
        let mut walks: Vec<Walks<'_, '_, '_>> = all.iter().map(Walks::new).collect();
        let (mut work, mut looked, mut most) = (WORK, 0, 1);
        // Where the run begins there is most room.
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
    /// Does the walk still have to visit a configuration of `by`?
    comes_by: bool,
}

impl Obligations {
    fn is_empty(&self) -> bool {
        self.sources.is_empty() && !self.comes_by
    }

    /// Are all obligations met if the walk is back at its start? A constraint that has changed by then changes with each repetition, and
    /// is eventually met: a configuration enables finitely many constraints.
    fn is_empty_after_cycle(&self) -> bool {
        !self.comes_by && self.sources.iter().all(|(begun, now)| begun != now)
    }
}

impl Rounds<'_, '_> {
    /// The obligations of a cycle from `start`.
    fn owed(&self, start: u32) -> Obligations {
        let owed = match self.fairness {
            Fairness::Weak => self.graph.enabled(start),
            Fairness::Global => Vec::new(),
        };
        let sources = owed.into_iter().map(|source| (source, source)).collect();
        Obligations { sources, comes_by: self.by.is_some_and(|by| !by(start)) }
    }

    /// Update the obligations after a step. All steps between the two configurations count as taken, since repetitions may alternate.
    fn pay(&self, (from, to): (u32, u32), owed: &mut Obligations) {
        let steps = self.part.steps(from).filter(|(next, _)| *next == to);
        let mut shift = None;
        for (_, label) in steps {
            let label = self.graph.labels.get(label);
            owed.sources.retain(|(_, source)| !label.sources.contains(source));
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

    /// Does a step meet an obligation, after numbers have been shifted by `shift`?
    fn pays(&self, (to, label): (u32, u32), owed: &Obligations, shift: u32, is_new: bool) -> bool {
        let label = self.graph.labels.get(label);
        let here = |source: &(FairnessConstraint, FairnessConstraint)| self.graph.moved(source.1, shift);
        if owed.sources.iter().any(|source| label.sources.contains(&here(source))) {
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

    /// A fair cycle from `start`: always on to what is nearest of what is owed, and back in the end.
    fn by_what_is_nearest(&self, start: u32) -> Option<Vec<u32>> {
        let mut owed = self.owed(start);
        let mut cycle: Vec<u32> = Vec::new();
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

    /// Find a shortest path that ends with a `wanted` step, without its first configuration. The arguments of `wanted` are the step,
    /// the shift of numbers before it (tracked only if `is_shifted`), and whether the search has not yet reached its target.
    fn way(
        &self,
        from: u32,
        is_shifted: bool,
        wanted: impl Fn((u32, u32), u32, bool) -> bool,
    ) -> Option<Vec<u32>> {
        let from = (from, UNMOVED);
        let mut before: FxHashMap<(u32, u32), (u32, u32)> = FxHashMap::default();
        let mut open: VecDeque<(u32, u32)> = [from].into();
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

    /// Is nothing owed after going round once?
    pub fn is_fair(&self, cycle: &[u32]) -> bool {
        let Some(mut at) = cycle.last().copied() else { return false };
        let mut owed = self.owed(at);
        for to in cycle {
            self.pay((at, *to), &mut owed);
            at = *to;
        }
        owed.is_empty_after_cycle()
    }

    /// Goes straight on wherever the cycle stays fair without what lies between.
    fn without_detours(&self, mut cycle: Vec<u32>) -> Vec<u32> {
        let mut from = 0;
        while from < cycle.len() && cycle.len() <= LONGEST {
            // At 0 stands what the cycle begins in, which is its end.
            let at = if from == 0 { cycle[cycle.len() - 1] } else { cycle[from - 1] };
            let next: FxHashSet<u32> = self.part.steps(at).map(|(to, _)| to).collect();
            let shorter = (from + 1..=cycle.len()).rev().find_map(|to| {
                // Here again, or there in one step.
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

/// It takes too much work.
struct TooMuch;

/// A configuration with what is asked of it again and again.
struct LassoNode {
    state: u32,
    /// The shift of numbers on the path to it.
    shift: u32,
    is_between: bool,
    /// Do cycles have to come by here or another one like it?
    is_by: bool,
    /// Enabled constraints, by number, each as it is where the walk begins.
    enabled: SmallVec<[u32; 8]>,
    /// Where its steps lead, and what they are about. None: nobody has asked.
    steps: Option<Vec<(u32, SmallVec<[u32; 2]>)>>,
}

/// Walks in one part, and what is known of the part by now.
struct Walks<'w, 'r, 'g> {
    rounds: &'w Rounds<'r, 'g>,
    places: Vec<LassoNode>,
    place: FxHashMap<(u32, u32), u32>,
    sources: FxHashMap<FairnessConstraint, u32>,
    /// The constraints, by number.
    numbered: Vec<FairnessConstraint>,
}

impl<'w, 'r, 'g> Walks<'w, 'r, 'g> {
    fn new(rounds: &'w Rounds<'r, 'g>) -> Walks<'w, 'r, 'g> {
        let (place, sources) = (FxHashMap::default(), FxHashMap::default());
        Walks { rounds, places: Vec::new(), place, sources, numbered: Vec::new() }
    }

    fn place(&mut self, state: u32, shift: u32) -> u32 {
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

    /// The number of a constraint that has been shifted since the walk began.
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

    /// Find the steps from a place, and merge those that lead to the same place.
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
            let about = label.sources.iter().map(|source| self.source(*source, shift));
            match steps.iter_mut().find(|(known, _)| *known == to) {
                Some((_, known)) => known.extend(about),
                None => steps.push((to, about.collect())),
            }
        }
        self.places[place as usize].steps = Some(steps);
    }

    /// A shortest fair cycle from `start` and back, of at most so many steps. What cannot be decided bit by bit, since there is too much that can be
    /// done in `start`, is not looked for.
    fn back(&mut self, start: u32, most: u32, work: &mut u64) -> Result<Option<Vec<u32>>, TooMuch> {
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
        // What is paid by being somewhere.
        let paid = |place: &LassoNode| {
            let by = if place.is_by || rounds.by.is_none() { 1 << comes_by } else { 0 };
            let off = if place.is_between { 0 } else { !bits(&place.enabled) & ((1 << comes_by) - 1) };
            by | off
        };
        // Where one is, what has been paid, and from where one came.
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
                        let mut cycle = vec![self.places[start as usize].state];
                        let mut number = number;
                        while number != 0 {
                            cycle.push(self.places[walk[number].0 as usize].state);
                            number = walk[number].2;
                        }
                        cycle.reverse();
                        return Ok(Some(cycle));
                    }
                    // Who has been there as soon and owes no more gets back as soon.
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
