//! The dearest and the cheapest run: longest and shortest ways in the graph of configurations.

use super::Graph;
use crate::explore::monitor::costs::{Cost, Costs};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::cmp::Reverse;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Total {
    /// Runs can go round and cost less each time.
    BelowAll,
    Finite(i64),
    AboveAll,
}

/// What is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extreme {
    Least,
    Most,
}

impl Extreme {
    /// With it, the greatest is wanted.
    pub fn sign(self) -> i64 {
        if self == Extreme::Most { 1 } else { -1 }
    }
}

/// What a run costs that is a dearest or a cheapest one: of several steps between the same configurations it takes that one.
pub struct Priced {
    /// Which of the starts that lead to its first configuration.
    pub start: usize,
    /// Which of the bounds.
    pub which: usize,
    /// What each operation that has returned takes off.
    pub each: i64,
    pub wanted: Extreme,
}

impl Priced {
    /// How good a step is that costs this; the best is the greatest.
    pub fn weigh(&self, costs: &Costs, cost: u32) -> i64 {
        let cost = costs.get(cost)[self.which];
        self.wanted.sign().saturating_mul(cost.less(self.each))
    }
}

/// How runs go on from a configuration at best, and the next configuration of such a run.
#[derive(Clone, Copy)]
struct Best {
    total: Total,
    /// Of runs that cost the same, the shortest.
    steps: u32,
    next: u32,
}

impl Best {
    fn is_better(&self, than: &Best) -> bool {
        (self.total, Reverse(self.steps)) > (than.total, Reverse(than.steps))
    }
}

/// The least or the most that runs cost that begin in `from`, each with what it has cost to get there, and stop where `stops`
/// holds; with the place in `from` where such a run begins, and the run. Where they can cost any number, it costs more than `allowed`, or less. `weight` makes a number of what a
/// step costs. None: there is no such run.
pub fn extreme(
    graph: &Graph,
    (costs, which): (&Costs, usize),
    from: &[(u32, i64)],
    weight: &dyn Fn(Cost) -> i64,
    (stops, allowed): (&dyn Fn(u32) -> bool, i64),
    wanted: Extreme,
) -> Option<(Total, usize, Vec<u32>)> {
    let sign = wanted.sign();
    let mut weights: FxHashMap<u32, i64> = FxHashMap::default();
    let mut of = |label: u32| {
        *weights.entry(label).or_insert_with(|| {
            let cost = costs.get(graph.labels.get(label).cost);
            weight(cost[which]).saturating_mul(sign)
        })
    };
    let mut best: Vec<Option<Best>> = vec![None; graph.size(from.iter().map(|(state, _)| *state))];
    // In which component that pays, by configuration; and by component the round that pays, where not every round by way of a step that does
    // is one.
    let mut gaining: FxHashMap<u32, u32> = FxHashMap::default();
    let mut rounds: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    // Every component comes after those it leads to. Totals are as if the greatest were wanted.
    let first: Vec<u32> = from.iter().map(|(state, _)| *state).collect();
    let components = graph.components(&first, &|_| true);
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
        // Where going round never pays, this ends.
        loop {
            let mut changed = false;
            for member in component.members {
                let mut own = best[*member as usize];
                if own.is_none() && stops(*member) {
                    own = Some(Best { total: Total::Finite(0), steps: 0, next: *member });
                }
                for (to, label) in graph.edges(*member).iter().filter(|(to, _)| to != member) {
                    let Some(after) = best[*to as usize] else { continue };
                    let total = match after.total {
                        Total::Finite(total) => Total::Finite(total.saturating_add(of(*label))),
                        other => other,
                    };
                    let this = Best { total, steps: after.steps.saturating_add(1), next: *to };
                    if own.is_none_or(|own| this.is_better(&own)) {
                        own = Some(this);
                    }
                }
                if let Some(own) = own
                    && best[*member as usize].is_none_or(|before| own.is_better(&before))
                {
                    best[*member as usize] = Some(own);
                    changed = true;
                }
            }
            if gains && component.members.iter().any(|m| best[*m as usize].is_some()) {
                gaining.extend(component.members.iter().map(|member| (*member, component.members[0])));
                for member in component.members {
                    best[*member as usize] = Some(Best { total: Total::AboveAll, steps: 0, next: *member });
                }
                break;
            }
            if !changed || !component.cyclic {
                break;
            }
        }
    }
    let whole = |(state, cost): &(u32, i64)| {
        let Best { total, steps, .. } = best[*state as usize]?;
        let total = match total {
            Total::Finite(total) => Total::Finite(total.saturating_add(cost.saturating_mul(sign))),
            other => other,
        };
        Some((total, Reverse(steps)))
    };
    // Of several the first: numbers of configurations depend on the number of threads.
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
            while let Some(Best { next, .. }) = best[at as usize].filter(|b| b.next != at) {
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

/// What the steps inside a component come to, each for itself.
enum GoingOn {
    /// None gains anything: going round never pays.
    Loses,
    /// Some do, and none loses: every round by way of such a step pays.
    Gains,
    /// It depends on the round.
    Both,
}

fn going_on(graph: &Graph, members: &[u32], of: &mut dyn FnMut(u32) -> i64) -> GoingOn {
    let inside: FxHashSet<u32> = members.iter().copied().collect();
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

/// A round in a component that gains more than it loses, the place last where it begins and ends. None: there is none.
fn paying_round(graph: &Graph, members: &[u32], of: &mut dyn FnMut(u32) -> i64) -> Option<Vec<u32>> {
    let place: FxHashMap<u32, usize> = members.iter().copied().zip(0..).collect();
    // What a way from each comes to that is as good as any found yet, and its next step (Bellman and Ford). These steps go round as soon as
    // a round pays, and only then.
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

/// Where these steps go round, if they do anywhere: all places of it, in order.
fn round_of(next: &[Option<usize>]) -> Option<Vec<usize>> {
    // In whose walk each place was come by first.
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

/// No run is made longer than this to show what going round comes to.
const LONGEST: usize = 5_000;

/// A run from a configuration that stops where it may, and goes round before where that pays, until it has come to more than `wanted`.
fn going_round(
    graph: &Graph,
    of: &mut dyn FnMut(u32) -> i64,
    start: u32,
    (gaining, rounds): (&FxHashMap<u32, u32>, &FxHashMap<u32, Vec<u32>>),
    (stops, wanted): (&dyn Fn(u32) -> bool, i128),
) -> Option<Vec<u32>> {
    let mut run = graph.way(&[start], &|_| true, &|state| gaining.contains_key(&state))?;
    let component = gaining.get(run.last()?)?;
    let inside = |state: u32| gaining.get(&state) == Some(component);
    // A step that pays, as near as can be, and the way back to where it is taken.
    let of = RefCell::new(of);
    let pays = |at: u32| {
        let paying = |(to, label): &&(u32, u32)| inside(*to) && (of.borrow_mut())(*label) > 0;
        graph.edges(at).iter().find(paying).map(|(to, _)| *to)
    };
    let known = rounds.get(component);
    let begins = |state: u32| match known {
        Some(round) => round.last() == Some(&state),
        None => pays(state).is_some(),
    };
    run.extend(graph.way(&run[run.len() - 1..], &inside, &begins)?.into_iter().skip(1));
    let from = *run.last()?;
    let round = match known {
        Some(round) => round.clone(),
        None => graph.way(&[pays(from)?], &inside, &|state| state == from)?,
    };
    let gain = |from: u32, to: u32| {
        let edges = graph.edges(from).iter().filter(|(next, _)| *next == to);
        i128::from(edges.map(|(_, label)| (of.borrow_mut())(*label)).max().unwrap_or(0))
    };
    let mut total: i128 = run.windows(2).map(|pair| gain(pair[0], pair[1])).sum();
    let turns = |at: u32| std::iter::once(at).chain(round.iter().copied());
    let each: i128 = turns(from).zip(&round).map(|(from, to)| gain(from, *to)).sum();
    while each > 0 && total <= wanted && run.len() < LONGEST {
        run.extend(&round);
        total += each;
    }
    if !run.last().is_some_and(|state| stops(*state)) {
        run.extend(graph.way(&run[run.len() - 1..], &|_| true, stops)?.into_iter().skip(1));
    }
    Some(run)
}
