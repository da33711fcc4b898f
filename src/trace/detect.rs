//! Detection of conditions on all observations of one run: whether some consistent run passes through a global state
//! where φ holds (*possibly φ*), and whether every one does (*definitely φ*).
//!
//! Cooper and Marzullo, «Consistent detection of global predicates», 1991: in the lattice of consistent cuts,
//! *possibly* searches for a cut with φ, *definitely* checks whether every path from bottom to top meets one. For
//! conjunctive φ there are polynomial algorithms: Garg and Waldecker, «Detection of weak unstable predicates in
//! distributed programs», 1994, and «Detection of strong unstable predicates in distributed programs», 1996.

use super::cut::Cut;
use super::histories::Histories;
use super::lattice::TooLarge;
use super::vector_clocks::VectorClocks;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Reason for the lack of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undetected<E> {
    TooLarge(TooLarge),
    /// The condition has no value in this cut.
    Undefined(Cut, E),
}

/// Result of the lattice search for *possibly*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Possible {
    /// A cut with φ with the fewest events, the first in lexicographic order.
    pub cut: Option<Cut>,
    /// Number of consistent cuts visited.
    pub looked_at: u64,
}

/// Result of the lattice search for *definitely*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definite {
    /// A linearization that avoids φ, if there is one.
    pub avoiding: Option<Vec<usize>>,
    /// The cuts where runs met φ: if no linearization avoids φ, every run passes through one of them.
    pub met: BTreeSet<Cut>,
    pub looked_at: u64,
}

/// A maximal interval of local states in which a process satisfies its part of φ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    pub process: usize,
    /// Number of events after which it begins; 0: initially.
    pub from: u32,
    /// Number, at the process, of the event that ends it; `None`: it extends to the end.
    pub until: Option<u32>,
}

/// Result of comparing intervals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// One interval for each process with a part in φ; `None`: no intervals overlap.
    pub intervals: Option<Vec<Interval>>,
    /// Number of pairs of intervals compared.
    pub compared: u64,
}

/// For each process: whether it satisfies its part of φ after 0, 1, 2, … events; `None`: it has no part.
pub type LocalTruth = [Option<Vec<bool>>];

/// Decide *possibly φ* by the lattice, level by level.
///
/// # Errors
/// If more than `limit` cuts would have to be visited, or φ has no value in one.
pub fn possibly<E>(
    histories: &Histories,
    limit: u64,
    holds: &mut dyn FnMut(&Cut) -> Result<bool, E>,
) -> Result<Possible, Undetected<E>> {
    let mut looked_at = 0;
    let mut levels = histories.levels_within(limit);
    for cut in levels.by_ref().flatten() {
        if looked_at == limit {
            return Err(Undetected::TooLarge(TooLarge { limit }));
        }
        looked_at += 1;
        if holds(&cut).map_err(|error| Undetected::Undefined(cut.clone(), error))? {
            return Ok(Possible { cut: Some(cut), looked_at });
        }
    }
    if levels.is_too_large {
        return Err(Undetected::TooLarge(TooLarge { limit }));
    }
    Ok(Possible { cut: None, looked_at })
}

/// Decide *definitely φ* by the lattice: search for a path from bottom to top that avoids φ, first along the recorded
/// run.
///
/// # Errors
/// As for [`possibly`].
pub fn definitely<E>(
    histories: &Histories,
    limit: u64,
    holds: &mut dyn FnMut(&Cut) -> Result<bool, E>,
) -> Result<Definite, Undetected<E>> {
    let (bottom, top) = (histories.bottom(), histories.top());
    let mut seen: FxHashSet<Cut> = FxHashSet::default();
    let mut met = BTreeSet::new();
    // The path so far: each cut with the events still to be tried there, and the event by which it was left.
    let mut way: Vec<(Cut, Vec<usize>)> = Vec::new();
    let mut events: Vec<usize> = Vec::new();
    let mut next = Some(bottom);
    loop {
        if let Some(cut) = next.take() {
            if seen.len() as u64 == limit {
                return Err(Undetected::TooLarge(TooLarge { limit }));
            }
            seen.insert(cut.clone());
            if holds(&cut).map_err(|error| Undetected::Undefined(cut.clone(), error))? {
                met.insert(cut);
                events.pop();
            } else if cut == top {
                return Ok(Definite { avoiding: Some(events), met, looked_at: seen.len() as u64 });
            } else {
                let mut open: Vec<usize> = histories.enabled(&cut).collect();
                open.sort_unstable_by(|a, b| b.cmp(a));
                way.push((cut, open));
            }
        }
        let Some((here, open)) = way.last_mut() else {
            return Ok(Definite { avoiding: None, met, looked_at: seen.len() as u64 });
        };
        match open.pop() {
            Some(event) => {
                let cut = histories.with(here, event);
                if !seen.contains(&cut) {
                    events.push(event);
                    next = Some(cut);
                }
            }
            None => {
                way.pop();
                events.pop();
            }
        }
    }
}

/// Decide *possibly φ* for a conjunctive φ: find intervals of which none ends before another begins. They have a common
/// cut; see [`meeting`].
pub fn possibly_conjunctive(histories: &Histories, truth: &LocalTruth) -> Overlap {
    let mut pasts = VectorClocks::new(histories);
    // If an interval ends before another begins, it overlaps no later one either.
    overlap(truth, &mut |a, b| {
        let apart = end(histories, a).zip(begin(histories, b));
        !apart.is_some_and(|(end, begin)| pasts.precedes(end, begin))
    })
}

/// Decide *definitely φ* for a conjunctive φ: find intervals each of which must have begun before any other may end.
pub fn definitely_conjunctive(histories: &Histories, truth: &LocalTruth) -> Overlap {
    let mut pasts = VectorClocks::new(histories);
    // An interval that may end before another begins may end before all later ones of that process.
    overlap(truth, &mut |a, b| match (begin(histories, b), end(histories, a)) {
        (None, _) | (_, None) => true,
        (Some(begin), Some(end)) => pasts.precedes(begin, end),
    })
}

/// Return the least cut in which all these intervals hold; they must overlap.
pub fn common_cut(histories: &Histories, intervals: &[Interval]) -> Cut {
    let mut cut = histories.bottom();
    for interval in intervals {
        cut.0[interval.process] = cut.0[interval.process].max(interval.from);
    }
    histories.least_around(&cut)
}

/// Choose from each process the earliest interval such that `fits(a, b)` for all pairs. If a does not fit b, it must
/// fit no later interval of the process of b.
fn overlap(truth: &LocalTruth, fits: &mut dyn FnMut(&Interval, &Interval) -> bool) -> Overlap {
    let mut queues: Vec<std::iter::Peekable<std::vec::IntoIter<Interval>>> = Vec::new();
    for (process, states) in truth.iter().enumerate() {
        if let Some(states) = states {
            queues.push(intervals(process, states).into_iter().peekable());
        }
    }
    let mut compared = 0;
    let mut changed: Vec<usize> = (0..queues.len()).collect();
    while let Some(a) = changed.pop() {
        for b in (0..queues.len()).filter(|b| *b != a) {
            let heads = (queues[a].peek().copied(), queues[b].peek().copied());
            let (Some(mine), Some(theirs)) = heads else { return Overlap { intervals: None, compared } };
            compared += 1;
            if !fits(&theirs, &mine) {
                queues[b].next();
                if !changed.contains(&b) {
                    changed.push(b);
                }
            } else if !fits(&mine, &theirs) {
                queues[a].next();
                changed.push(a);
                break;
            }
        }
    }
    Overlap { intervals: queues.iter_mut().map(|queue| queue.peek().copied()).collect(), compared }
}

fn intervals(process: usize, states: &[bool]) -> Vec<Interval> {
    let mut all: Vec<Interval> = Vec::new();
    for (count, holds) in (0u32..).zip(states) {
        match (holds, all.last_mut().filter(|interval| interval.until.is_none())) {
            (true, None) => all.push(Interval { process, from: count, until: None }),
            (false, Some(open)) => open.until = Some(count),
            _ => {}
        }
    }
    all
}

/// Return the event with which an interval begins.
fn begin(histories: &Histories, interval: &Interval) -> Option<usize> {
    let at = interval.from.checked_sub(1)?;
    histories.of_process(interval.process).get(at as usize).copied()
}

/// Return the event that ends it.
fn end(histories: &Histories, interval: &Interval) -> Option<usize> {
    let at = interval.until?.checked_sub(1)?;
    histories.of_process(interval.process).get(at as usize).copied()
}
