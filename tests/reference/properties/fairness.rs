//! *Properties*: fairness of infinite runs.

use crate::specification::graph::{Action, Channel, Edge, Graph, Message, Part};
use std::collections::{BTreeMap, BTreeSet};

/// A weak-fairness constraint: an action that is continuously enabled from some time on occurs eventually.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Constraint<V> {
    /// «for each channel, whose first message is taken at some time if it can be taken all the while»
    Channel(Channel),
    /// «under `unordered` for each message of a channel, where of several that say the same it is enough that one is taken»
    Message(Channel, Message<V>),
    /// «for each process as a whole, which goes on by itself at some time if it can all the while»
    Process(usize),
    /// «for what each failure detector has to say of each process»
    Detector(usize, usize),
    /// «for oracles to be right again»
    Oracle(usize),
}

/// Return the constraints that a process satisfies in its part of a step.
fn of_part<V: Clone + Ord>(part: &Part<V>) -> BTreeSet<Constraint<V>> {
    let of_message = |(channel, message): &(Channel, Message<V>)| match channel.unordered {
        true => Constraint::Message(channel.clone(), message.clone()),
        false => Constraint::Channel(channel.clone()),
    };
    if part.omissible {
        return BTreeSet::new();
    }
    match &part.action {
        Action::Start => BTreeSet::new(),
        Action::Deliver(channel, message) => {
            BTreeSet::from([of_message(&(channel.clone(), message.clone()))])
        }
        // «A `receive … from each` takes a message from each of its channels.»
        Action::Gather(taken) if !taken.is_empty() => taken.iter().map(of_message).collect(),
        Action::Gather(_) | Action::Alone(_) | Action::Round => {
            BTreeSet::from([Constraint::Process(part.process)])
        }
        Action::Suspect(of) | Action::Trust(of) => BTreeSet::from([Constraint::Detector(part.process, *of)]),
        Action::SetRight => BTreeSet::from([Constraint::Oracle(part.process)]),
        // «Processes that act in pairs are judged under global fairness in its place.»
        Action::Interact(..) => BTreeSet::new(),
        // A fault need not happen.
        Action::SuspectWrongly(_) | Action::Mislead | Action::Crash | Action::Restart => BTreeSet::new(),
        Action::Lose(..) | Action::Duplicate(..) | Action::Cut(..) => BTreeSet::new(),
    }
}

pub fn constraints<V: Clone + Ord>(edge: &Edge<V>) -> BTreeSet<Constraint<V>> {
    edge.parts.iter().flat_map(of_part).collect()
}

/// A subgraph: configurations, and the selected steps of each, by position in `Graph::steps`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region(pub BTreeMap<usize, BTreeSet<usize>>);

impl Region {
    /// Return these configurations with all steps between them.
    pub fn of<C, V>(graph: &Graph<C, V>, members: &BTreeSet<usize>) -> Region {
        let inside = |edge: &Edge<V>| edge.to().is_some_and(|to| members.contains(&to));
        let steps = |at: usize| {
            let all = graph.steps[at].iter().enumerate();
            all.filter(|(_, edge)| inside(edge)).map(|(number, _)| number).collect()
        };
        Region(members.iter().map(|at| (*at, steps(*at))).collect())
    }

    pub fn members(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.keys().copied()
    }

    pub fn contains(&self, at: usize) -> bool {
        self.0.contains_key(&at)
    }

    pub fn edges<'g, C, V>(&self, graph: &'g Graph<C, V>, at: usize) -> impl Iterator<Item = &'g Edge<V>> {
        self.0.get(&at).into_iter().flatten().map(move |number| &graph.steps[at][*number])
    }

    fn next<C, V>(&self, graph: &Graph<C, V>, at: usize) -> Vec<usize> {
        let all = self.edges(graph, at).filter_map(Edge::to);
        all.filter(|to| self.contains(*to)).collect()
    }

    /// Return the strongly connected components with at least one step (Kosaraju).
    pub fn components<C, V>(&self, graph: &Graph<C, V>) -> Vec<Region> {
        let mut before: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for at in self.members() {
            self.next(graph, at).into_iter().for_each(|to| before.entry(to).or_default().push(at));
        }
        let forward = |at: usize| self.next(graph, at);
        let backward = |at: usize| before.get(&at).cloned().unwrap_or_default();
        let mut seen = BTreeSet::new();
        let mut finished = Vec::new();
        for at in self.members() {
            visit(at, &forward, &mut seen, &mut finished);
        }
        let mut found = Vec::new();
        let mut seen = BTreeSet::new();
        for at in finished.into_iter().rev() {
            let mut members = Vec::new();
            visit(at, &backward, &mut seen, &mut members);
            let members: BTreeSet<usize> = members.into_iter().collect();
            let stays = |at: usize, number: &usize| {
                graph.steps[at][*number].to().is_some_and(|to| members.contains(&to))
            };
            let steps = |at: usize| self.0[&at].iter().copied().filter(|number| stays(at, number)).collect();
            let region = Region(members.iter().map(|at| (*at, steps(*at))).collect());
            if region.0.values().any(|steps| !steps.is_empty()) {
                found.push(region);
            }
        }
        found
    }
}

/// Visit unvisited configurations depth first, and append each in postorder.
fn visit(
    from: usize,
    next: &dyn Fn(usize) -> Vec<usize>,
    seen: &mut BTreeSet<usize>,
    finished: &mut Vec<usize>,
) {
    if !seen.insert(from) {
        return;
    }
    let mut way = vec![(from, next(from))];
    while let Some((at, open)) = way.last_mut() {
        match open.pop() {
            None => {
                finished.push(*at);
                way.pop();
            }
            Some(to) if seen.insert(to) => way.push((to, next(to))),
            Some(_) => {}
        }
    }
}

/// Test whether a run is fair that repeats all configurations and steps of a strongly connected region infinitely often. If a run in a part
/// of the region is fair, so is this one: it has fewer continuously enabled actions, and performs more.
pub fn is_fair<C, V: Clone + Ord>(graph: &Graph<C, V>, region: &Region) -> bool {
    match graph.pairs {
        true => is_globally_fair(graph, region),
        false => is_weakly_fair(graph, region),
    }
}

fn is_weakly_fair<C, V: Clone + Ord>(graph: &Graph<C, V>, region: &Region) -> bool {
    let can =
        |at: usize| -> BTreeSet<Constraint<V>> { graph.steps[at].iter().flat_map(constraints).collect() };
    let mut without_interruption: Option<BTreeSet<Constraint<V>>> = None;
    for at in region.members() {
        without_interruption = Some(match without_interruption {
            None => can(at),
            Some(so_far) => so_far.intersection(&can(at)).cloned().collect(),
        });
    }
    let mut owed = without_interruption.unwrap_or_default();
    for at in region.members() {
        for edge in region.edges(graph, at) {
            let done = constraints(edge);
            owed.retain(|constraint| !done.contains(constraint));
        }
    }
    owed.is_empty()
}

/// *Pairwise interactions*: «a configuration that can follow infinitely often does. Such a run comes into a strongly connected component of
/// configurations that no interaction leaves, and goes through all of it». An interaction that aborts leaves the component.
fn is_globally_fair<C, V>(graph: &Graph<C, V>, region: &Region) -> bool {
    let stays = |edge: &Edge<V>| edge.to().is_some_and(|to| region.contains(to));
    region.members().all(|at| graph.steps[at].iter().all(|edge| edge.is_omissible() || stays(edge)))
}
