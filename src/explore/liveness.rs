//! What must happen: `eventually`, `settles` and `leads to`, under weak fairness, or under global fairness where processes act in
//! pairs.
//!
//! **Weak fairness**: what can be done from some time on without interruption is done at some time; that is, the message at the head of a
//! channel is taken, or any one of a channel without order, or a process goes on by itself ([`Source`]), unless that becomes impossible. A run violates `eventually e` if it
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
use super::graph::Graph;
use super::plans::Plans;
use super::sources::Source;
use crate::instance::{Instance, Pace};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;

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
    /// By chance. What the schedule decides in a joint step it decides before all coins of it; where that can be done in too many ways,
    /// or it is time to stop, it is noted that not all has been looked at.
    ByChance(&'t Throws, &'t Cell<bool>),
}

/// What runs without end are: fair to whom, and with which coins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Endless<'t> {
    pub fairness: Fairness,
    pub coins: Coins<'t>,
    /// When not to look at more ways to decide joint steps.
    pub stop: Option<super::Stop>,
}

/// Which runs are looked for.
struct Sought<'s> {
    graph: &'s Graph,
    /// Where they begin, and through what they go.
    from: &'s [u32],
    inside: &'s dyn Fn(u32) -> bool,
    /// They come by one of these again and again, if that is asked.
    by: Option<&'s dyn Fn(u32) -> bool>,
    between: &'s dyn Fn(u32) -> bool,
    endless: Endless<'s>,
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
    let inside = &|_: u32| true;
    if let Some(way) = graph.way(from, inside, &|state| bad(state) && graph.is_end(state)) {
        return Some(Lasso { way, cycle: Vec::new() });
    }
    Sought { graph, from, inside, by: Some(bad), between, endless }.lasso()
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
    Sought { graph, from, inside, by: None, between, endless }.lasso()
}

/// Where runs can go on for ever by these steps only; with a fairness, those that are fair.
pub(super) fn goes_on_by(
    graph: &Graph,
    from: &[u32],
    is_one: &dyn Fn(u32) -> bool,
    between: &dyn Fn(u32) -> bool,
    fairness: Option<Fairness>,
) -> FxHashSet<u32> {
    let components = graph.components(from, &|_| true);
    let rounds = components
        .iter()
        .filter(|component| component.cyclic)
        .flat_map(|component| Part::by(graph, component.members.to_vec(), is_one).rounds());
    // What is fair in a part of a round is fair in all of it.
    let lasts = |members: &Vec<u32>| {
        let part = Part::by(graph, members.clone(), is_one);
        // Who meets again and again does all that can be done again and again.
        let all = || members.iter().flat_map(|m| graph.edges(*m)).all(|(_, label)| is_one(*label));
        fairness.is_none_or(|fairness| {
            fair(graph, &part, between, fairness).is_some() && (fairness == Fairness::Weak || all())
        })
    };
    rounds.filter(lasts).flatten().collect()
}

impl Sought<'_> {
    /// A run that never comes to an end. The last components found are nearest to the beginning; a fair cycle near it makes a short way.
    fn lasso(&self) -> Option<Lasso> {
        let components = self.graph.components(self.from, self.inside);
        components.iter().rev().filter(|component| component.cyclic).find_map(|component| {
            match self.endless.coins {
                Coins::Badly => self.in_part(&Part::of(self.graph, component.members.to_vec()), None),
                Coins::ByChance(throws, too_many) => end_components(self.graph, throws, component)
                    .iter()
                    .find_map(|part| self.by_chance(part, throws, too_many)),
            }
        })
    }

    /// In an end component, whose schedule may yet know of a joint step what it cannot.
    fn by_chance(&self, part: &Part<'_>, throws: &Throws, too_many: &Cell<bool>) -> Option<Lasso> {
        // Without any such run there is none with less knowledge.
        let shown = self.in_part(part, None)?;
        let Some(plans) = Plans::of(self.graph, throws, part, self.between, self.endless.stop) else {
            return Some(shown);
        };
        let all: Vec<u32> = plans.at_rest().collect();
        let components = plans.graph.components(&all, &|_| true);
        let cyclic = components.iter().rev().filter(|component| component.cyclic);
        let mut parts = cyclic.flat_map(|c| end_components(&plans.graph, &plans.throws, c));
        let found = parts.find_map(|part| self.in_part(&part, Some(&plans)));
        if found.is_none() && !plans.complete {
            too_many.set(true);
        }
        found
    }

    /// A way to a part of the graph, or of one that was made of it, and a fair cycle in it.
    fn in_part(&self, part: &Part<'_>, plans: Option<&Plans>) -> Option<Lasso> {
        let fairness = self.endless.fairness;
        let graph = plans.map_or(self.graph, |plans| &plans.graph);
        let origin = |state: u32| plans.map_or(state, |plans| plans.origin(state));
        let between = |state: u32| match plans {
            Some(plans) => plans.is_between(state),
            None => (self.between)(state),
        };
        let by = self.by.map(|by| part.members.iter().find(|member| by(origin(**member))));
        let mut stops = fair(graph, part, &between, fairness).filter(|_| by != Some(None))?;
        stops.extend(by.flatten().map(|by| Stop::At(*by)));
        // To where plans begin, if there are any.
        let begins = |member: &&u32| plans.is_none() || !between(**member);
        let begins: FxHashMap<u32, u32> =
            part.members.iter().filter(begins).map(|member| (origin(*member), *member)).collect();
        let way = self.graph.way(self.from, self.inside, &|state| begins.contains_key(&state))?;
        let cycle = round(graph, part, begins[way.last()?], stops, &between, fairness)?;
        Some(Lasso { way, cycle: cycle.into_iter().map(origin).collect() })
    }
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
        let wrong = |label: u32| graph.labels.get(label).sources.is_empty();
        let mut targets = part.members.iter().flat_map(|member| graph.edges(*member));
        let leaves = |member: &u32| !graph.wrong(*member).is_empty();
        let stays = targets.all(|(to, label)| part.contains(*to) || wrong(*label));
        return (stays && !part.members.iter().any(leaves)).then(Vec::new);
    }
    // A cycle that consists of configurations in between only there is not: joint steps end.
    let first = *part.members.iter().find(|member| !between(**member))?;
    let mut always = enabled(graph, first);
    always.sort_by_key(|source| source.rank());
    let mut stops = Vec::new();
    for member in part.members.iter().filter(|member| !between(**member)) {
        let here = enabled(graph, *member);
        let before = always.len();
        always.retain(|s| here.contains(s));
        if always.len() < before {
            stops.push(Stop::At(*member));
        }
    }
    for wanted in always {
        let mut taken = part
            .members
            .iter()
            .flat_map(|member| part.steps(*member).map(move |(to, label)| (*member, to, label)));
        let (from, to, _) = taken.find(|(.., label)| graph.labels.get(*label).sources.contains(&wanted))?;
        stops.push(Stop::Over(from, to));
    }
    Some(stops)
}

/// What can be done in a configuration, what goes wrong included; each once.
fn enabled(graph: &Graph, state: u32) -> Vec<Source> {
    let done = about(graph, graph.edges(state).iter().map(|(_, label)| *label));
    let mut known = FxHashSet::default();
    done.chain(graph.wrong(state).iter().copied()).filter(|source| known.insert(*source)).collect()
}

/// What these edges are about.
fn about(graph: &Graph, labels: impl Iterator<Item = u32>) -> impl Iterator<Item = Source> {
    labels.flat_map(|label| graph.labels.get(label).sources.clone())
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
    let mut always: Option<Vec<Source>> = None;
    for (i, member) in cycle.iter().enumerate() {
        let next = cycle[(i + 1) % cycle.len()];
        let edges = graph.edges(*member).iter();
        taken.extend(about(graph, edges.filter(|(to, _)| *to == next).map(|(_, label)| *label)));
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
    use smallvec::smallvec;
    use std::sync::Arc;

    /// In 1 nobody takes the message that could be taken in 2 and in 3: to go round between these two only is not fair.
    #[test]
    fn a_cycle_that_is_shown_is_fair_itself() {
        let labels = Arc::new(Table::new());
        let label = |source| labels.number(Label { sources: smallvec![source], cost: 0, throw: 0 });
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
        let endless = Endless { fairness: Fairness::Weak, coins: Coins::Badly, stop: None };
        let lasso = never_leaves(&graph, &[0], &|state| state != 4, &|_| false, endless).unwrap();
        assert_eq!(lasso.way, [0, 2]);
        assert!(is_weakly_fair(&graph, &lasso.cycle, &|_| false), "{lasso:?}");
        assert!(!is_weakly_fair(&graph, &[3, 2], &|_| false));
    }
}
