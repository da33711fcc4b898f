//! The lattice of consistent cuts: their number, by level, and the number of linearizations.
//!
//! Ordered by inclusion, the consistent cuts form a distributive lattice, with componentwise maximum and minimum
//! (Mattern 1989). Its paths from bottom to top are the linearizations of the history: the *consistent runs*. Both are
//! counted without being listed. The history is split at every cut through which all runs pass; between two such cuts,
//! groups of processes that exchange nothing are counted separately; the rest is counted level by level.

use super::cut::Cut;
use super::histories::Histories;
use crate::ids::ProcessId;
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::BTreeSet;
use std::fmt;

/// Default limit on the number of cuts visited: some seconds of work. With many processes it is lower, so that the cuts
/// fit half a gigabyte.
const MOST_CUTS: u64 = 1_000_000;
const MOST_COUNTS: u64 = 100_000_000;

/// Maximum product of the numbers of levels for which level sizes are combined.
const MOST_LEVEL_PAIRS: usize = 4_000_000;

/// Size of a lattice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lattice {
    /// Number of consistent cuts.
    pub cuts: BigUint,
    /// Number of consistent cuts by number of events, from 0; `None` if the parts have too many levels.
    pub levels: Option<Vec<BigUint>>,
    pub linearizations: BigUint,
    /// Maximum number of pairwise concurrent events.
    pub width: usize,
    /// Number of cuts visited.
    pub visited: u64,
    events: usize,
}

/// The limit on the number of cuts was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    pub limit: u64,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the lattice of consistent cuts is too large: {} cuts visited", self.limit)
    }
}

impl Histories {
    /// Return the default limit on the number of cuts visited.
    pub fn usual_limit(&self) -> u64 {
        MOST_CUTS.min(MOST_COUNTS / (self.n() as u64).max(1))
    }

    /// Count the lattice, visiting at most `limit` cuts.
    ///
    /// # Errors
    /// If more would be needed.
    pub fn lattice(&self, limit: u64) -> Result<Lattice, TooLarge> {
        self.lattice_between(&self.bottom(), &self.top(), limit)
    }

    /// Count the lattice between two consistent cuts, the first inside the second.
    ///
    /// # Errors
    /// As for [`Histories::lattice`].
    pub fn lattice_between(&self, low: &Cut, high: &Cut, limit: u64) -> Result<Lattice, TooLarge> {
        let mut count = Count { of: self, limit, left: limit };
        let processes = (0..self.n()).filter(|p| low.0[*p] < high.0[*p]).collect();
        let mut lattice = count.part(Part { low: low.0.clone(), high: high.0.clone(), processes })?;
        lattice.visited = limit - count.left;
        Ok(lattice)
    }

    /// Return the number of all cuts, consistent or not: ∏ (|h_p| + 1).
    pub fn all_cuts(&self) -> BigUint {
        self.top().0.iter().map(|events| BigUint::from(*events) + 1u32).product()
    }

    /// Return the number of all runs, consistent or not: the interleavings of the local histories. Return `None` if an
    /// event belongs to two of them.
    pub fn runs(&self) -> Option<BigUint> {
        if self.has_interactions() {
            return None;
        }
        let mut runs = BigUint::from(1u32);
        let mut events = 0;
        for process in 0..self.n() {
            let own = self.of_process(process).len();
            events += own;
            runs *= choose(events, own);
        }
        Some(runs)
    }

    /// Iterate over the consistent cuts level by level, each level in lexicographic order.
    pub fn levels(&self) -> Levels<'_> {
        self.levels_within(u64::MAX)
    }

    /// Iterate over the levels up to the first one with more than `most` cuts.
    pub fn levels_within(&self, most: u64) -> Levels<'_> {
        Levels { of: self, level: BTreeSet::from([self.bottom()]), most, is_too_large: false }
    }
}

/// An iterator over levels, with memory for two of them.
pub struct Levels<'h> {
    of: &'h Histories,
    level: BTreeSet<Cut>,
    most: u64,
    /// Whether the iteration ended before a level with too many cuts.
    pub is_too_large: bool,
}

impl Iterator for Levels<'_> {
    type Item = BTreeSet<Cut>;

    fn next(&mut self) -> Option<BTreeSet<Cut>> {
        if self.level.is_empty() {
            return None;
        }
        let mut next = BTreeSet::new();
        for cut in &self.level {
            next.extend(self.of.enabled(cut).map(|event| self.of.with(cut, event)));
            if next.len() as u64 > self.most {
                self.is_too_large = true;
                next.clear();
                break;
            }
        }
        Some(std::mem::replace(&mut self.level, next))
    }
}

impl Lattice {
    /// Return the lattice of no events: one cut, and one path of length zero.
    fn trivial() -> Lattice {
        let one = || BigUint::from(1u32);
        let levels = Some(vec![one()]);
        Lattice { cuts: one(), levels, linearizations: one(), width: 0, visited: 0, events: 0 }
    }

    /// Compose sequentially: the bottom of the other is the top of this one.
    fn in_sequence(self, other: Lattice) -> Lattice {
        let levels = match (self.levels, other.levels) {
            (Some(mut mine), Some(theirs)) => {
                mine.extend(theirs.into_iter().skip(1));
                Some(mine)
            }
            _ => None,
        };
        Lattice {
            cuts: self.cuts + other.cuts - 1u32,
            levels,
            linearizations: self.linearizations * other.linearizations,
            width: self.width.max(other.width),
            visited: 0,
            events: self.events + other.events,
        }
    }

    /// Compose in parallel: no dependency exists between the two.
    fn in_parallel(self, other: Lattice) -> Lattice {
        let events = self.events + other.events;
        let small =
            |mine: &Vec<BigUint>, theirs: &Vec<BigUint>| mine.len() * theirs.len() <= MOST_LEVEL_PAIRS;
        let levels = match (self.levels, other.levels) {
            (Some(mine), Some(theirs)) if small(&mine, &theirs) => {
                let mut levels = vec![BigUint::ZERO; mine.len() + theirs.len() - 1];
                for (i, a) in mine.iter().enumerate() {
                    for (j, b) in theirs.iter().enumerate() {
                        levels[i + j] += a * b;
                    }
                }
                Some(levels)
            }
            _ => None,
        };
        Lattice {
            cuts: self.cuts * other.cuts,
            levels,
            linearizations: self.linearizations * other.linearizations * choose(events, self.events),
            width: self.width + other.width,
            visited: 0,
            events,
        }
    }
}

/// Return the binomial coefficient n over k.
fn choose(n: usize, k: usize) -> BigUint {
    let k = k.min(n - k);
    let mut ways = BigUint::from(1u32);
    for i in 1..=k {
        // Exact at every step: the product of i consecutive numbers is divisible by i!.
        ways = ways * (n - k + i) / i;
    }
    ways
}

/// The events of some processes between two consistent cuts.
struct Part {
    low: Vec<u32>,
    high: Vec<u32>,
    /// Processes with events in between; between these cuts, they exchange nothing with other processes.
    processes: Vec<usize>,
}

struct Count<'h> {
    of: &'h Histories,
    limit: u64,
    /// Number of cuts that may still be visited.
    left: u64,
}

impl Count<'_> {
    fn part(&mut self, part: Part) -> Result<Lattice, TooLarge> {
        let groups = self.groups(&part);
        if groups.len() != 1 {
            let mut all = Lattice::trivial();
            for processes in groups {
                let own = Part { low: part.low.clone(), high: part.high.clone(), processes };
                all = all.in_parallel(self.part(own)?);
            }
            return Ok(all);
        }
        let (order, gates) = self.mandatory_cuts(&part);
        if gates.is_empty() {
            return self.level_by_level(&part);
        }
        let mut all = Lattice::trivial();
        let (mut low, mut from) = (part.low, 0);
        for to in gates.into_iter().chain([order.len()]) {
            let mut high = low.clone();
            for event in &order[from..to] {
                self.of.places(*event).iter().for_each(|(p, nth)| high[p.index()] = *nth);
            }
            let between = |p: &usize| low[*p] < high[*p];
            let processes = part.processes.iter().copied().filter(between).collect();
            all = all.in_sequence(self.part(Part { low, high: high.clone(), processes })?);
            (low, from) = (high, to);
        }
        Ok(all)
    }

    /// Return the events between the two cuts, by process.
    fn events<'p>(&'p self, part: &'p Part) -> impl Iterator<Item = usize> + 'p {
        let own = |p: &usize| &self.of.of_process(*p)[part.low[*p] as usize..part.high[*p] as usize];
        part.processes.iter().flat_map(own).copied()
    }

    /// Return the groups of processes between which nothing is exchanged.
    fn groups(&self, part: &Part) -> Vec<Vec<usize>> {
        let mut group: FxHashMap<usize, usize> = part.processes.iter().map(|p| (*p, *p)).collect();
        fn root(group: &FxHashMap<usize, usize>, mut p: usize) -> usize {
            while group[&p] != p {
                p = group[&p];
            }
            p
        }
        for event in self.events(part) {
            let Some((own, _)) = self.of.places(event).first() else { continue };
            // An interaction joins its two processes, even if it is the first event of one of them.
            let both = self.of.places(event).iter().copied();
            for p in self.direct_causes(part, event).into_iter().chain(both).map(|(p, _)| p.index()) {
                let (a, b) = (root(&group, own.index()), root(&group, p));
                group.insert(a.max(b), a.min(b));
            }
        }
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut place: FxHashMap<usize, usize> = FxHashMap::default();
        for p in &part.processes {
            let at = *place.entry(root(&group, *p)).or_insert(groups.len());
            if at == groups.len() {
                groups.push(Vec::new());
            }
            groups[at].push(*p);
        }
        groups
    }

    /// Return the direct causes of an event within a part.
    fn direct_causes(&self, part: &Part, event: usize) -> SmallVec<[(ProcessId, u32); 4]> {
        let own = self.of.places(event).iter().map(|(p, nth)| (*p, nth - 1));
        let all = own.chain(self.of.causes(event).iter().copied());
        all.filter(|(p, nth)| *nth > part.low[p.index()]).collect()
    }

    /// Return the events of a part in the order of the run, and the sizes of the cuts strictly in between through which
    /// every path passes, in ascending order. Since the run is such a path, there are no others.
    ///
    /// A cut is of this kind if every event that comes right after it depends directly on every last event before it.
    fn mandatory_cuts(&self, part: &Part) -> (Vec<usize>, Vec<usize>) {
        let mut order: Vec<usize> = self.events(part).collect();
        order.sort_unstable();
        order.dedup();
        let mut gates = Vec::new();
        let mut cut = part.low.clone();
        // Events inside without a successor inside: their places, each once.
        let mut latest: FxHashSet<(ProcessId, u32)> = FxHashSet::default();
        let place = |event: usize| self.of.places(event).first().copied();
        let first = |(p, nth): (ProcessId, u32)| place(self.of.of_process(p.index())[nth as usize - 1]);
        for (at, event) in order.iter().enumerate() {
            let needs = self.direct_causes(part, *event);
            let depends = |needs: &[(ProcessId, u32)]| {
                let direct: FxHashSet<(ProcessId, u32)> =
                    needs.iter().filter_map(|need| first(*need)).collect();
                latest.iter().all(|last| direct.contains(last))
            };
            if at > 0 && latest.len() <= needs.len() && depends(&needs) {
                let next = |p: &usize| {
                    let rest = cut[*p] < part.high[*p];
                    rest.then(|| self.of.of_process(*p)[cut[*p] as usize])
                };
                let follows = |next: usize| {
                    let needs = self.direct_causes(part, next);
                    needs.iter().any(|(p, nth)| *nth > cut[p.index()]) || depends(&needs)
                };
                if part.processes.iter().filter_map(next).all(follows) {
                    gates.push(at);
                }
            }
            needs.iter().filter_map(|need| first(*need)).for_each(|before| {
                latest.remove(&before);
            });
            latest.extend(place(*event));
            self.of.places(*event).iter().for_each(|(p, nth)| cut[p.index()] = *nth);
        }
        (order, gates)
    }

    fn level_by_level(&mut self, part: &Part) -> Result<Lattice, TooLarge> {
        let key = |cut: &[u32]| part.processes.iter().map(|p| cut[*p]).collect::<Box<[u32]>>();
        let (low, high) = (key(&part.low), key(&part.high));
        // Processes of the part do not depend on others in between.
        let mut place: Vec<Option<usize>> = vec![None; self.of.n()];
        part.processes.iter().enumerate().for_each(|(at, p)| place[*p] = Some(at));
        let mut level: FxHashMap<Box<[u32]>, BigUint> = FxHashMap::default();
        level.insert(low, BigUint::from(1u32));
        let mut all = Lattice { cuts: BigUint::ZERO, levels: None, ..Lattice::trivial() };
        let mut sizes: Vec<BigUint> = Vec::new();
        loop {
            let size = level.len() as u64;
            self.left = self.left.checked_sub(size).ok_or(TooLarge { limit: self.limit })?;
            all.cuts += size;
            sizes.push(size.into());
            let mut next: FxHashMap<Box<[u32]>, BigUint> = FxHashMap::default();
            for (cut, ways) in &level {
                let mut enabled = 0;
                for (at, p) in part.processes.iter().enumerate() {
                    if cut[at] == high[at] {
                        continue;
                    }
                    let event = self.of.of_process(*p)[cut[at] as usize];
                    let has_come = |p: ProcessId| place[p.index()].map_or(part.low[p.index()], |at| cut[at]);
                    let places = self.of.places(event);
                    // An interaction is counted for its initiator.
                    if places[0].0.index() != *p || !self.of.may_follow(event, has_come) {
                        continue;
                    }
                    enabled += 1;
                    let mut more = cut.clone();
                    for (at, nth) in places.iter().filter_map(|(p, nth)| Some((place[p.index()]?, nth))) {
                        more[at] = *nth;
                    }
                    *next.entry(more).or_default() += ways;
                }
                // A level may be too large for the remaining time and memory.
                if next.len() as u64 > self.left {
                    return Err(TooLarge { limit: self.limit });
                }
                all.width = all.width.max(enabled);
                if *cut == high {
                    all.linearizations = ways.clone();
                }
            }
            if next.is_empty() {
                all.events = sizes.len() - 1;
                all.levels = Some(sizes);
                return Ok(all);
            }
            level = next;
        }
    }
}
