//! What must happen: `eventually`, `settles` and `leads to`, under weak fairness, or under global fairness where processes act in
//! pairs.
//!
//! **Weak fairness**: what can be done from some time on without interruption is done at some time; that is, the message at the head of a
//! channel is taken, or a process goes on by itself, unless that becomes impossible. A run violates `eventually e` if it
//! ends before e, or if it goes round fairly in configurations without e. It violates `settles e` if it ends without e, or
//! goes round fairly by way of one without e.
//!
//! **Coins** can be taken to fall as badly as they may; then what must happen does so in every run. Or chance decides: then a run that goes
//! round must do so whatever the coins show, in an end component ([`super::chance`]). A fair schedule that leads a run into a
//! fair end component without e, keeps it there and goes through all of it, violates `eventually e` with a probability that is not 0; where
//! there is none, e happens with probability 1. Of end components the greatest are enough: what is fair in a part of one is fair in all of it.
//!
//! **Global fairness** (Fischer and Jiang, 2006): a configuration that can follow infinitely often does follow infinitely often. Such a
//! run ends up in a strongly connected component that no step leaves, and goes through all of it. So what must happen is
//! decided by these components; coins are steps like others.

use super::chance::{Part, Throws, end_components};
use super::graph::{Component, Graph, Source};
use crate::instance::{Instance, Pace};
use rustc_hash::FxHashSet;

/// A run that never gets there: a way, and then a cycle for ever (empty: the run ends).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lasso {
    pub way: Vec<u32>,
    pub cycle: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fairness {
    Weak,
    Global,
}

impl Fairness {
    pub fn of(instance: &Instance) -> Fairness {
        match instance.model.pace {
            Pace::Pairs => Fairness::Global,
            _ => Fairness::Weak,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Fairness::Weak => "weakly fair",
            Fairness::Global => "globally fair",
        }
    }
}

/// How coins fall in runs that never come to an end.
#[derive(Clone, Copy, Debug)]
pub(super) enum Coins<'t> {
    /// Each as badly as it can.
    Badly,
    /// By chance.
    ByChance(&'t Throws),
}

impl Coins<'_> {
    /// What runs can go round in, among the members of a component.
    fn parts<'g>(self, graph: &'g Graph, component: &Component) -> Vec<Part<'g>> {
        match self {
            Coins::Badly => vec![Part::of(graph, component.members.clone())],
            Coins::ByChance(throws) => end_components(graph, throws, component),
        }
    }
}

/// What runs without end are: fair to whom, and with which coins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Endless<'t> {
    pub fairness: Fairness,
    pub coins: Coins<'t>,
}

/// A run from one of `from` to an end that is `bad`, or that comes by a bad configuration again and again.
///
/// `between`: the configuration is one in the middle of a joint step, where most can do nothing for the moment.
pub(super) fn never_settles(
    graph: &Graph,
    from: &[u32],
    bad: &dyn Fn(u32) -> bool,
    between: &dyn Fn(u32) -> bool,
    endless: Endless<'_>,
) -> Option<Lasso> {
    let anywhere = |_: u32| true;
    if let Some(way) = graph.way(from, &anywhere, &|state| bad(state) && graph.is_end(state)) {
        return Some(Lasso { way, cycle: Vec::new() });
    }
    for component in graph.components(from, &anywhere).iter().rev().filter(|c| c.cyclic) {
        if !component.members.iter().any(|member| bad(*member)) {
            continue;
        }
        for part in endless.coins.parts(graph, component) {
            let Some(member) = part.members.iter().find(|member| bad(**member)) else { continue };
            let Some(mut stops) = fair(graph, &part, between, endless.fairness) else { continue };
            stops.push(Stop::At(*member));
            let way = graph.way(from, &anywhere, &|state| part.contains(state))?;
            let cycle = round(graph, &part, *way.last()?, stops, between, endless.fairness)?;
            return Some(Lasso { way, cycle });
        }
    }
    None
}

/// A run from one of `from` that stays where `inside` holds, for ever or to an end.
pub(super) fn never_leaves(
    graph: &Graph,
    from: &[u32],
    inside: &dyn Fn(u32) -> bool,
    between: &dyn Fn(u32) -> bool,
    endless: Endless<'_>,
) -> Option<Lasso> {
    if let Some(way) = graph.way(from, inside, &|state| graph.is_end(state)) {
        return Some(Lasso { way, cycle: Vec::new() });
    }
    let components = graph.components(from, inside);
    // The last components found are nearest to the beginning; a fair cycle near it makes a short way.
    for component in components.iter().rev().filter(|c| c.cyclic) {
        for part in endless.coins.parts(graph, component) {
            let Some(stops) = fair(graph, &part, between, endless.fairness) else { continue };
            let way = graph.way(from, inside, &|state| part.contains(state))?;
            let cycle = round(graph, &part, *way.last()?, stops, between, endless.fairness)?;
            return Some(Lasso { way, cycle });
        }
    }
    None
}

/// A place that a fair cycle must visit: a configuration, or an edge from it.
enum Stop {
    At(u32),
    Over(u32, u32),
}

/// Is going round in the whole part fair? Then what a cycle has to visit for it. Under global fairness it has to visit
/// everything: one that is shown need not.
fn fair(graph: &Graph, part: &Part, between: &dyn Fn(u32) -> bool, fairness: Fairness) -> Option<Vec<Stop>> {
    if fairness == Fairness::Global {
        // What goes wrong need not go wrong, however often it could.
        let wrong = |label: u32| graph.labels.get(label).source == Source::Free;
        let mut targets = part.members.iter().flat_map(|member| graph.edges(*member));
        let leaves = |member: &u32| !graph.wrong(*member).is_empty();
        let stays = targets.all(|(to, label)| part.contains(*to) || wrong(*label));
        return (stays && !part.members.iter().any(leaves)).then(Vec::new);
    }
    let source = |label: u32| graph.labels.get(label).source;
    // A cycle that consists of configurations in between only there is not: joint steps end.
    let first = *part.members.iter().find(|member| !between(**member))?;
    let mut always = enabled(graph, first);
    let mut stops = Vec::new();
    for member in part.members.iter().filter(|member| !between(**member)) {
        let here = enabled(graph, *member);
        let before = always.len();
        always.retain(|s| here.contains(s));
        if always.len() < before {
            stops.push(Stop::At(*member));
        }
    }
    let mut always: Vec<Source> = always.into_iter().collect();
    always.sort_unstable();
    for wanted in always {
        let mut taken = part
            .members
            .iter()
            .flat_map(|member| part.steps(*member).map(move |(to, label)| (*member, to, label)));
        let (from, to, _) = taken.find(|(.., label)| source(*label) == wanted)?;
        stops.push(Stop::Over(from, to));
    }
    Some(stops)
}

/// What can be done in a configuration, what goes wrong included.
fn enabled(graph: &Graph, state: u32) -> FxHashSet<Source> {
    let mut enabled = sources(graph, graph.edges(state).iter().map(|(_, label)| *label));
    enabled.extend(graph.wrong(state));
    enabled
}

/// What these edges are about.
fn sources(graph: &Graph, labels: impl Iterator<Item = u32>) -> FxHashSet<Source> {
    labels.map(|label| graph.labels.get(label).source).filter(|source| *source != Source::Free).collect()
}

/// A cycle from `start` that is fair, where going round in the whole part is.
fn round(
    graph: &Graph,
    part: &Part<'_>,
    start: u32,
    mut stops: Vec<Stop>,
    between: &dyn Fn(u32) -> bool,
    fairness: Fairness,
) -> Option<Vec<u32>> {
    let cycle = tour(part, start, &stops)?;
    if fairness == Fairness::Global || is_weakly_fair(graph, &cycle, between) {
        return Some(cycle);
    }
    // Elsewhere there may be more to do than in the configuration that the stops were found from; then it has to be visited, too.
    stops.push(Stop::At(*part.members.iter().find(|member| !between(**member))?));
    tour(part, start, &stops)
}

/// Is all that can be done everywhere on a cycle done somewhere on it?
fn is_weakly_fair(graph: &Graph, cycle: &[u32], between: &dyn Fn(u32) -> bool) -> bool {
    let mut taken = FxHashSet::default();
    let mut always: Option<FxHashSet<Source>> = None;
    for (i, member) in cycle.iter().enumerate() {
        let next = cycle[(i + 1) % cycle.len()];
        let edges = graph.edges(*member).iter();
        taken.extend(sources(graph, edges.filter(|(to, _)| *to == next).map(|(_, label)| *label)));
        if !between(*member) {
            let mut here = enabled(graph, *member);
            if let Some(before) = &always {
                here.retain(|source| before.contains(source));
            }
            always = Some(here);
        }
    }
    always.unwrap_or_default().iter().all(|source| taken.contains(source))
}

/// A cycle from `start` back to it, by way of all the stops. Its first configuration is the one after `start`, its last is
/// `start`.
fn tour(part: &Part<'_>, start: u32, stops: &[Stop]) -> Option<Vec<u32>> {
    let mut cycle = Vec::new();
    let mut at = start;
    let go = |at: u32, to: u32, cycle: &mut Vec<u32>| -> Option<()> {
        cycle.extend(&part.way(at, to)?[1..]);
        Some(())
    };
    for stop in stops {
        match stop {
            Stop::At(state) => {
                go(at, *state, &mut cycle)?;
                at = *state;
            }
            Stop::Over(from, to) => {
                go(at, *from, &mut cycle)?;
                cycle.push(*to);
                at = *to;
            }
        }
    }
    if at == start && cycle.is_empty() {
        // Any step inside, then back.
        let (next, _) = part.steps(start).next()?;
        cycle.push(next);
        at = next;
    }
    go(at, start, &mut cycle)?;
    Some(cycle)
}

#[cfg(test)]
mod tests {
    use super::super::graph::Label;
    use super::super::table::Table;
    use super::*;
    use std::sync::Arc;

    /// In 1 nobody takes the message that could be taken in 2 and in 3: to go round between these two only is not fair.
    #[test]
    fn a_cycle_that_is_shown_is_fair_itself() {
        let labels = Arc::new(Table::new());
        let label = |source| labels.number(Label { source, cost: 0, throw: 0 });
        let [p0, p1] = [0, 1].map(|p| label(Source::Process(p)));
        let message = label(Source::Channel(9));
        let mut graph = Graph::new(labels.clone());
        let edges = [
            (0, 2, p0),
            (1, 2, p1),
            (2, 3, p0),
            (2, 1, p0),
            (2, 4, message),
            (3, 2, p0),
            (3, 4, message),
            (4, 4, p0),
        ];
        edges.into_iter().for_each(|(from, to, label)| graph.add(from, to, label));
        let endless = Endless { fairness: Fairness::Weak, coins: Coins::Badly };
        let lasso = never_leaves(&graph, &[0], &|state| state != 4, &|_| false, endless).unwrap();
        assert_eq!(lasso.way, [0, 2]);
        assert!(is_weakly_fair(&graph, &lasso.cycle, &|_| false), "{lasso:?}");
        assert!(!is_weakly_fair(&graph, &[3, 2], &|_| false));
    }
}
