//! Extreme costs of runs: longest and shortest weighted paths in the graph of configurations.

use crate::explore::graph::shifts::rise;
use crate::explore::graph::{Graph, Label};
use crate::explore::monitor::costs::Costs;
use crate::ids::StateId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::cmp::Reverse;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Total {
    /// Some cycle has negative cost.
    BelowAll,
    Finite(i64),
    AboveAll,
}

impl Total {
    pub fn plus(self, more: i64) -> Total {
        match self {
            Total::Finite(total) => Total::Finite(total.saturating_add(more)),
            other => other,
        }
    }
}

/// Whether the least or the greatest cost is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extreme {
    Least,
    Most,
}

impl Extreme {
    /// Return the sign with which the optimum is a maximum.
    pub fn sign(self) -> i64 {
        if self == Extreme::Most { 1 } else { -1 }
    }
}

/// The costs along an extreme run; it selects among several steps between the same configurations.
pub struct CostModel {
    /// The number of the start that leads to the first configuration.
    pub start: usize,
    /// The index of the bound.
    pub which: usize,
    /// Deduction for each operation that has returned.
    pub each: i64,
    /// By view up to shift: the increase of the limit if all numbers of the view increase by 1.
    pub slopes: Vec<i64>,
    pub wanted: Extreme,
    /// Whether the extreme cost is only known relative to the limit.
    pub is_relative: bool,
}

impl CostModel {
    /// Return the value of a step with this cost to a configuration that the graph replaces by another, after a shift; greater is
    /// better.
    pub fn weigh(&self, costs: &Costs<'_>, cost: u32, shift: &[i64]) -> i64 {
        let cost = costs.get(cost)[self.which].less(self.each);
        self.wanted.sign().saturating_mul(cost.saturating_add(rise(shift, &self.slopes)))
    }
}

/// The best continuation from a configuration, and the next configuration on it.
#[derive(Clone, Copy)]
struct Best {
    total: Total,
    /// The least number of steps among continuations with this total.
    steps: u32,
    next: StateId,
}

impl Best {
    fn is_better(&self, than: &Best) -> bool {
        (self.total, Reverse(self.steps)) > (than.total, Reverse(than.steps))
    }
}

/// Compute the least or greatest cost of runs that begin in `from` (each with its cost so far) and stop where `stops` returns a cost, which
/// is added. `weight` converts the label of a step to its cost. Return the total, the index in `from` of an extreme run, and the run. If
/// the cost is unbounded, the run costs more, or less, than `allowed`. `None`: there is no such run.
pub fn extreme(
    graph: &Graph,
    from: &[(StateId, i64)],
    weight: &dyn Fn(&Label) -> i64,
    (stops, allowed): (&dyn Fn(StateId) -> Option<i64>, i64),
    wanted: Extreme,
) -> Option<(Total, usize, Vec<StateId>)> {
    let sign = wanted.sign();
    let mut weights: Vec<Option<i64>> = vec![None; graph.labels.len()];
    let mut of = |label: u32| {
        *weights[label as usize].get_or_insert_with(|| weight(graph.labels.get(label)).saturating_mul(sign))
    };
    let mut best: Vec<Option<Best>> = vec![None; graph.size(from.iter().map(|(state, _)| *state))];
    // By configuration in a component with a profitable cycle: the id of that component. By component: that cycle, unless every
    // cycle through a profitable step is profitable.
    let mut gaining: FxHashMap<StateId, StateId> = FxHashMap::default();
    let mut rounds: FxHashMap<StateId, Vec<StateId>> = FxHashMap::default();
    // Every component comes after those it leads to. Totals are computed as if for a maximum.
    let components = graph.whole(|| from.iter().map(|(state, _)| *state).collect());
    for component in components.iter() {
        let gains = component.cyclic
            && match going_on(graph, component.members, &mut of) {
                GoingOn::Loses => false,
                GoingOn::Gains => true,
                GoingOn::Both => {
                    let round = paying_round(graph, component.members, &mut of);
                    let pays = round.is_some();
                    rounds.extend(round.map(|round| (component.members[0], round)));
                    pays
                }
            };
        // Terminates, since no cycle improves a total.
        loop {
            let mut changed = false;
            for member in component.members {
                let mut own = best[member.index()];
                if own.is_none() {
                    let best = |last: i64| Total::Finite(last.saturating_mul(sign));
                    own = stops(*member).map(|last| Best { total: best(last), steps: 0, next: *member });
                }
                for (to, label) in graph.edges(*member).iter().filter(|(to, _)| to != member) {
                    let Some(after) = best[to.index()] else { continue };
                    let total = after.total.plus(of(*label));
                    let this = Best { total, steps: after.steps.saturating_add(1), next: *to };
                    if own.is_none_or(|own| this.is_better(&own)) {
                        own = Some(this);
                    }
                }
                if let Some(own) = own
                    && best[member.index()].is_none_or(|before| own.is_better(&before))
                {
                    best[member.index()] = Some(own);
                    changed = true;
                }
            }
            if gains && component.members.iter().any(|m| best[m.index()].is_some()) {
                gaining.extend(component.members.iter().map(|member| (*member, component.members[0])));
                for member in component.members {
                    best[member.index()] = Some(Best { total: Total::AboveAll, steps: 0, next: *member });
                }
                break;
            }
            if !changed || !component.cyclic {
                break;
            }
        }
    }
    let whole = |(state, cost): &(StateId, i64)| {
        let Best { total, steps, .. } = best[state.index()]?;
        Some((total.plus(cost.saturating_mul(sign)), Reverse(steps)))
    };
    // Ties go to the first start, since numbers of configurations depend on the threads.
    let (total, place) = from
        .iter()
        .enumerate()
        .filter_map(|(place, start)| Some((whole(start)?, Reverse(place))))
        .max()
        .map(|((total, _), Reverse(place))| (total, place))?;
    let (start, begun) = &from[place];
    let total = match total {
        Total::Finite(total) => Total::Finite(total.saturating_mul(sign)),
        _ if sign < 0 => Total::BelowAll,
        _ => Total::AboveAll,
    };
    let run = match total {
        Total::Finite(_) => {
            let mut run = vec![*start];
            let mut at = *start;
            while let Some(Best { next, .. }) = best[at.index()].filter(|b| b.next != at) {
                at = next;
                run.push(at);
            }
            run
        }
        _ => {
            let wanted = i128::from(allowed.saturating_sub(*begun).saturating_mul(sign));
            going_round(graph, &mut of, *start, (&gaining, &rounds), (stops, wanted))?
        }
    };
    Some((total, place, run))
}

/// The signs of the steps inside a component.
enum GoingOn {
    /// No step is profitable: no cycle is.
    Loses,
    /// Some are, and none is unprofitable: every cycle through such a step is profitable.
    Gains,
    /// It depends on the cycle.
    Both,
}

fn going_on(graph: &Graph, members: &[StateId], of: &mut dyn FnMut(u32) -> i64) -> GoingOn {
    let inside: FxHashSet<StateId> = members.iter().copied().collect();
    let (mut gains, mut loses) = (false, false);
    for (_, label) in members.iter().flat_map(|m| graph.edges(*m)).filter(|(to, _)| inside.contains(to)) {
        let weight = of(*label);
        gains |= weight > 0;
        loses |= weight < 0;
    }
    match (gains, loses) {
        (false, _) => GoingOn::Loses,
        (true, false) => GoingOn::Gains,
        (true, true) => GoingOn::Both,
    }
}

/// Return a profitable cycle in a component, with its first configuration last. `None`: there is none.
fn paying_round(graph: &Graph, members: &[StateId], of: &mut dyn FnMut(u32) -> i64) -> Option<Vec<StateId>> {
    let place: FxHashMap<StateId, usize> = members.iter().copied().zip(0..).collect();
    // Best known total of a path from each member, and its next step (Bellman and Ford). These steps form a cycle as soon as
    // some cycle is profitable, and only then.
    let mut best = vec![0i64; members.len()];
    let mut next: Vec<Option<usize>> = vec![None; members.len()];
    loop {
        let mut changed = false;
        for (at, member) in members.iter().enumerate() {
            for (to, label) in graph.edges(*member) {
                let Some(to) = place.get(to).copied() else { continue };
                let total = best[to].saturating_add(of(*label));
                if total > best[at] {
                    (best[at], next[at]) = (total, Some(to));
                    changed = true;
                }
            }
        }
        if !changed {
            return None;
        }
        if let Some(round) = round_of(&next) {
            return Some(round.into_iter().map(|place| members[place]).collect());
        }
    }
}

/// Return a cycle of these steps, if there is any, in order.
fn round_of(next: &[Option<usize>]) -> Option<Vec<usize>> {
    // The first walk that visited each member.
    let mut seen = vec![usize::MAX; next.len()];
    for first in 0..next.len() {
        let mut at = first;
        while seen[at] == usize::MAX {
            seen[at] = first;
            let Some(to) = next[at] else { break };
            at = to;
            if seen[at] == first {
                let step = |at: &usize| next[*at];
                let whole = std::iter::successors(step(&at), step).take_while(|to| *to != at);
                return Some(whole.chain([at]).collect());
            }
        }
    }
    None
}

/// Limit on the length of a run that shows an unbounded cost.
const LONGEST: usize = 5_000;

/// Return a run that repeats a profitable cycle until its total exceeds `wanted`, and then stops.
fn going_round(
    graph: &Graph,
    of: &mut dyn FnMut(u32) -> i64,
    start: StateId,
    (gaining, rounds): (&FxHashMap<StateId, StateId>, &FxHashMap<StateId, Vec<StateId>>),
    (stops, wanted): (&dyn Fn(StateId) -> Option<i64>, i128),
) -> Option<Vec<StateId>> {
    let mut run = graph.shortest_path(&[start], &|_| true, &|state| gaining.contains_key(&state))?;
    let component = gaining.get(run.last()?)?;
    let inside = |state: StateId| gaining.get(&state) == Some(component);
    // Find the nearest profitable step, and a path back to it.
    let of = RefCell::new(of);
    let pays = |at: StateId| {
        let paying = |(to, label): &&(StateId, u32)| inside(*to) && (of.borrow_mut())(*label) > 0;
        graph.edges(at).iter().find(paying).map(|(to, _)| *to)
    };
    let known = rounds.get(component);
    let begins = |state: StateId| match known {
        Some(round) => round.last() == Some(&state),
        None => pays(state).is_some(),
    };
    run.extend(graph.shortest_path(&run[run.len() - 1..], &inside, &begins)?.into_iter().skip(1));
    let from = *run.last()?;
    let round = match known {
        Some(round) => round.clone(),
        None => graph.shortest_path(&[pays(from)?], &inside, &|state| state == from)?,
    };
    let gain = |from: StateId, to: StateId| {
        let edges = graph.edges(from).iter().filter(|(next, _)| *next == to);
        i128::from(edges.map(|(_, label)| (of.borrow_mut())(*label)).max().unwrap_or(0))
    };
    let mut total: i128 = run.windows(2).map(|pair| gain(pair[0], pair[1])).sum();
    let turns = |at: StateId| std::iter::once(at).chain(round.iter().copied());
    let each: i128 = turns(from).zip(&round).map(|(from, to)| gain(from, *to)).sum();
    while each > 0 && total <= wanted && run.len() < LONGEST {
        run.extend(&round);
        total += each;
    }
    let stops = |state: StateId| stops(state).is_some();
    if !run.last().is_some_and(|state| stops(*state)) {
        run.extend(graph.shortest_path(&run[run.len() - 1..], &|_| true, &stops)?.into_iter().skip(1));
    }
    Some(run)
}
