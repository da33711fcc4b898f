//! Liveness: `eventually`, `settles` and `leads to`, under weak fairness, or under global fairness for pairwise interactions.
//!
//! **Weak fairness**: what is continuously enabled is eventually executed ([`FairnessConstraint`]). This applies to the message
//! at the head of an ordered channel, to any message of an unordered channel, and to the steps of a process without a message.
//! A run violates `eventually e` if it ends before e, or repeats a fair cycle of configurations without e. It violates `settles
//! e` if it ends without e, or repeats a fair cycle through a configuration without e.
//!
//! **Random choices** may be resolved by an adversary; then liveness is required of every run. Or they are probabilistic; then
//! a cycle must persist for every random outcome, in an end component ([`super::mdp`]). A fair schedule that leads a run into a
//! fair end component without e, and visits all of it forever, violates `eventually e` with positive probability. Without such
//! a component, e happens almost surely. Maximal end components suffice: what is fair in a part of one is fair in all of it.
//!
//! **Global fairness** (Fischer and Jiang, 2006): a configuration that can follow infinitely often does follow infinitely
//! often. Such a run ends up in a strongly connected component that no step leaves, and visits all of it. So these components
//! decide liveness; random choices are steps like others.

use crate::explore::fairness::FairnessConstraint;
use crate::explore::graph::distances::Distances;
use crate::explore::graph::fairness::Fairness;
use crate::explore::graph::joint_strategies::JointStrategies;
use crate::explore::graph::lasso::{FairPart, Lasso, shortest};
use crate::explore::graph::mdp::{MdpComponent, RandomOutcomes, end_components};
use crate::explore::graph::shifts::UNMOVED;
use crate::explore::graph::{Component, Graph};
use crate::ids::StateId;
use crate::stop::StopSignal;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;

/// The resolution of random choices in infinite runs.
#[derive(Clone, Copy, Debug)]
pub enum RandomResolution<'t> {
    /// By an adversary.
    Adversarial,
    /// Probabilistic. The schedule decides a joint step before its random outcomes. The flag is set if there were too many
    /// strategies to try, or the search was stopped, so that the result is incomplete.
    Probabilistic(&'t RandomOutcomes, &'t Cell<bool>),
}

/// The infinite runs considered: their fairness and their random choices.
#[derive(Clone, Copy, Debug)]
pub struct InfiniteRuns<'t> {
    pub fairness: Fairness,
    pub coins: RandomResolution<'t>,
    /// Stops the enumeration of strategies for joint steps.
    pub stop: &'t StopSignal,
}

/// Limit on the total size of further components that are searched for shorter runs after the first one was found.
const MOST_ELSEWHERE: usize = 1 << 17;

/// The runs that are searched for.
struct Sought<'s> {
    graph: &'s Graph,
    /// The initial configurations, and those from which the runs must stay inside.
    initial: &'s [StateId],
    from: &'s [StateId],
    inside: &'s dyn Fn(StateId) -> bool,
    /// If given, the runs must visit such a configuration infinitely often.
    by: Option<&'s dyn Fn(StateId) -> bool>,
    between: &'s dyn Fn(StateId) -> bool,
    endless: InfiniteRuns<'s>,
}

/// Find a run to an end that is `bad`, or one that visits a bad configuration infinitely often.
///
/// `between`: whether the configuration is an intermediate state of a joint step, where few steps are enabled.
pub fn never_settles(
    graph: &Graph,
    initial: &[StateId],
    bad: &dyn Fn(StateId) -> bool,
    between: &dyn Fn(StateId) -> bool,
    endless: InfiniteRuns<'_>,
) -> Option<Lasso> {
    let inside = &|_: StateId| true;
    let sought = Sought { graph, initial, from: initial, inside, by: Some(bad), between, endless };
    sought.end(&|state| bad(state) && graph.is_end(state)).or_else(|| sought.lasso())
}

/// Find a run that, from one of `from` on (`None`: from its beginning), stays where `inside` holds, forever or to an end.
pub fn never_leaves(
    graph: &Graph,
    (initial, from): (&[StateId], Option<&[StateId]>),
    inside: &dyn Fn(StateId) -> bool,
    between: &dyn Fn(StateId) -> bool,
    endless: InfiniteRuns<'_>,
) -> Option<Lasso> {
    let from = from.unwrap_or(initial);
    let sought = Sought { graph, initial, from, inside, by: None, between, endless };
    sought.end(&|state| graph.is_end(state)).or_else(|| sought.lasso())
}

/// Return whether a run visits such a configuration infinitely often, or ends in one.
pub fn may_not_settle(
    graph: &Graph,
    initial: &[StateId],
    bad: &dyn Fn(StateId) -> bool,
    between: &dyn Fn(StateId) -> bool,
    endless: InfiniteRuns<'_>,
) -> bool {
    let inside = &|_: StateId| true;
    let sought = Sought { graph, initial, from: initial, inside, by: Some(bad), between, endless };
    sought.end(&|state| bad(state) && graph.is_end(state)).is_some() || sought.is_endless()
}

/// Return whether some run is infinite.
pub fn may_go_on(
    graph: &Graph,
    initial: &[StateId],
    between: &dyn Fn(StateId) -> bool,
    endless: InfiniteRuns<'_>,
) -> bool {
    let inside = &|state: StateId| !graph.is_end(state);
    Sought { graph, initial, from: initial, inside, by: None, between, endless }.is_endless()
}

/// Return the configurations from which runs can continue forever by these steps only; with a fairness, by fair runs. `initial`: all
/// initial configurations.
pub fn goes_on_by(
    graph: &Graph,
    initial: &[StateId],
    is_one: &dyn Fn(u32) -> bool,
    between: &dyn Fn(StateId) -> bool,
    fairness: Option<Fairness>,
) -> FxHashSet<StateId> {
    let rounds = graph
        .whole(|| initial.to_vec())
        .iter()
        .filter(|component| component.cyclic)
        .flat_map(|component| MdpComponent::by(graph, component.members.to_vec(), is_one).rounds());
    // What is fair in a part of a component is fair in all of it.
    let lasts = |members: &Vec<StateId>| {
        let part = MdpComponent::by(graph, members.clone(), is_one);
        // Under global fairness, everything enabled infinitely often is executed.
        let all = || members.iter().flat_map(|m| graph.edges(*m)).all(|(_, label)| is_one(*label));
        fairness.is_none_or(|fairness| {
            is_fair(graph, &part, between, fairness) && (fairness == Fairness::Weak || all())
        })
    };
    rounds.filter(lasts).flatten().collect()
}

impl Sought<'_> {
    /// Find a shortest run to an end.
    fn end(&self, is_end: &dyn Fn(StateId) -> bool) -> Option<Lasso> {
        let shortest = self.graph.shortest_path(self.from, self.inside, is_end)?;
        let way = match self.is_from_the_beginning() {
            true => shortest,
            false => {
                let (mut begun, mut reach) = self.reach();
                let end = reach.find(self.graph, self.inside, is_end, u32::MAX)?;
                joined(&mut begun, reach.way(end))
            }
        };
        Some(Lasso { way, cycle: Vec::new() })
    }

    fn is_from_the_beginning(&self) -> bool {
        self.from == self.initial
    }

    /// Search from the initial configurations, and from there on.
    fn reach(&self) -> (Option<Distances>, Distances) {
        let from_initial = || Distances::new(self.graph, self.initial.iter().map(|state| (*state, 0)));
        if self.is_from_the_beginning() {
            return (None, from_initial());
        }
        let mut begun = from_initial();
        begun.find(self.graph, &|_| true, &|_| false, u32::MAX);
        let from = self.from.iter().filter_map(|state| Some((*state, begun.far(*state)?)));
        let reach = Distances::new(self.graph, from);
        (Some(begun), reach)
    }

    /// Return whether some run is infinite.
    fn is_endless(&self) -> bool {
        let components = self.graph.components(self.from, self.inside);
        let mut cyclic = components.iter().rev().filter(|component| component.cyclic);
        if let RandomResolution::Probabilistic(throws, too_many) = self.endless.coins
            && throws.is_joint()
        {
            return cyclic.any(|component| self.by_chance(component, throws, too_many).is_some());
        }
        cyclic.flat_map(|component| self.parts(component)).any(|part| self.goes_round(&part))
    }

    /// Find an infinite run. The last components found are mostly nearest to the beginning.
    fn lasso(&self) -> Option<Lasso> {
        let components = self.graph.components(self.from, self.inside);
        let mut cyclic = components.iter().rev().filter(|component| component.cyclic);
        if let RandomResolution::Probabilistic(throws, too_many) = self.endless.coins
            && throws.is_joint()
        {
            return cyclic.find_map(|component| self.by_chance(component, throws, too_many));
        }
        let mut parts = cyclic.flat_map(|component| self.parts(component));
        let first = parts.find(|part| self.goes_round(part))?;
        // Other components may contain shorter runs; search a limited number of them.
        let mut left = MOST_ELSEWHERE;
        let more = parts.take_while(|part| {
            left = left.saturating_sub(part.members.len());
            left > 0
        });
        let more = more.filter(|part| self.goes_round(part));
        let all: Vec<MdpComponent<'_>> = std::iter::once(first).chain(more).collect();
        self.shortest(&all)
    }

    /// Return the parts of a component in which a schedule can keep a run forever.
    fn parts(&self, component: Component<'_>) -> Vec<MdpComponent<'_>> {
        match self.endless.coins {
            RandomResolution::Adversarial => vec![MdpComponent::of(self.graph, component.members.to_vec())],
            RandomResolution::Probabilistic(throws, _) => end_components(self.graph, throws, component),
        }
    }

    /// Search the end components of joint steps, in which the schedule may still use knowledge that it cannot have.
    fn by_chance(
        &self,
        component: Component<'_>,
        throws: &RandomOutcomes,
        too_many: &Cell<bool>,
    ) -> Option<Lasso> {
        end_components(self.graph, throws, component).into_iter().find_map(|part| {
            // Without such a run, there is none with less knowledge.
            if !self.goes_round(&part) {
                return None;
            }
            let Some(plans) = JointStrategies::of(self.graph, throws, &part, self.between, self.endless.stop)
            else {
                return self.shortest(&[part]);
            };
            let all: Vec<StateId> = plans.at_rest().collect();
            let components = plans.graph.components(&all, &|_| true);
            let cyclic = components.iter().rev().filter(|component| component.cyclic);
            let mut parts = cyclic.flat_map(|c| end_components(&plans.graph, &plans.throws, c));
            let found = parts.find_map(|part| self.by_plans(&plans, &part));
            if found.is_none() && !plans.complete {
                too_many.set(true);
            }
            found
        })
    }

    /// Return whether the part contains a fair cycle.
    fn goes_round(&self, part: &MdpComponent<'_>) -> bool {
        let comes_by = self.by.is_none_or(|by| part.members.iter().any(|member| by(*member)));
        comes_by && is_fair(self.graph, part, self.between, self.endless.fairness)
    }

    /// Find a fair cycle in the graph of strategies made from a part.
    fn by_plans(&self, plans: &JointStrategies, part: &MdpComponent<'_>) -> Option<Lasso> {
        let between = |state: StateId| plans.is_between(state);
        let origin = |state: StateId| plans.origin(state);
        let by = self.by.map(|by| move |state: StateId| by(origin(state)));
        let by = by.as_ref().map(|by| by as &dyn Fn(StateId) -> bool);
        let comes_by = by.is_none_or(|by| part.members.iter().any(|member| by(*member)));
        let fairness = self.endless.fairness;
        if !comes_by || !is_fair(&plans.graph, part, &between, fairness) {
            return None;
        }
        let at_rest = part.members.iter().filter(|member| !between(**member));
        let members: FxHashMap<StateId, StateId> = at_rest.map(|member| (origin(*member), *member)).collect();
        let member = |state: StateId| members.get(&state).copied();
        let rounds = FairPart {
            graph: &plans.graph,
            part,
            between: &between,
            by,
            fairness,
            origin: &origin,
            member: &member,
        };
        self.shortest_of(&[rounds])
    }

    /// Find a shortest run to a cycle in one of these parts.
    fn shortest(&self, parts: &[MdpComponent<'_>]) -> Option<Lasso> {
        let member = |part| move |state| MdpComponent::contains(part, state).then_some(state);
        let members: Vec<_> = parts.iter().map(member).collect();
        let rounds = parts.iter().zip(&members).map(|(part, member)| FairPart {
            graph: self.graph,
            part,
            between: self.between,
            by: self.by,
            fairness: self.endless.fairness,
            origin: &|state| state,
            member,
        });
        self.shortest_of(&rounds.collect::<Vec<_>>())
    }

    fn shortest_of(&self, rounds: &[FairPart<'_, '_>]) -> Option<Lasso> {
        let (mut begun, mut reach) = self.reach();
        let Lasso { way, cycle } = shortest(&mut reach, (self.graph, self.inside), rounds)?;
        let found = Lasso { way: joined(&mut begun, way), cycle };
        if self.is_from_the_beginning() {
            return Some(found);
        }
        // Alternatively, the cycle visits a configuration of `from` in each repetition; then it may begin before the first
        // visit.
        let from: FxHashSet<StateId> = self.from.iter().copied().collect();
        let comes_by = |rounds: &&FairPart<'_, '_>| {
            rounds.part.members.iter().any(|member| from.contains(&(rounds.origin)(*member)))
        };
        let rounds: Vec<&FairPart<'_, '_>> = rounds.iter().filter(comes_by).collect();
        let by: Vec<_> =
            rounds.iter().map(|rounds| |member: StateId| from.contains(&(rounds.origin)(member))).collect();
        let rounds = rounds.into_iter().zip(&by).map(|(rounds, by)| FairPart { by: Some(by), ..*rounds });
        let mut reach = Distances::new(self.graph, self.initial.iter().map(|state| (*state, 0)));
        let other = shortest(&mut reach, (self.graph, &|_| true), &rounds.collect::<Vec<_>>());
        [Some(found), other].into_iter().flatten().min_by_key(Lasso::length)
    }
}

/// Join the path from an initial configuration with a path from where it ends.
fn joined(begun: &mut Option<Distances>, way: Vec<StateId>) -> Vec<StateId> {
    match begun {
        None => way,
        Some(begun) => begun.way(way[0]).into_iter().chain(way.into_iter().skip(1)).collect(),
    }
}

/// Return whether visiting the whole part repeatedly is fair.
fn is_fair(
    graph: &Graph,
    part: &MdpComponent<'_>,
    between: &dyn Fn(StateId) -> bool,
    fairness: Fairness,
) -> bool {
    if fairness == Fairness::Global {
        // Faults need not occur, however often they could.
        let wrong = |label: u32| graph.labels.get(label).constraints.is_empty();
        let mut targets = part.members.iter().flat_map(|member| graph.edges(*member));
        let leaves = |member: &StateId| !graph.wrong(*member).is_empty();
        let stays = targets.all(|(to, label)| part.contains(*to) || wrong(*label));
        return stays && !part.members.iter().any(leaves);
    }
    // Joint steps end, so a cycle of intermediate states only does not exist.
    let mut at_rest = part.members.iter().filter(|member| !between(**member));
    let Some(first) = at_rest.next() else { return false };
    let shifts = Shifted::of(graph, part, *first);
    let mut owed = graph.enabled(*first);
    for member in at_rest {
        if owed.is_empty() {
            return true;
        }
        if !graph.enables(*member, owed.iter().map(|source| shifts.there(*source, *member))) {
            let here = graph.enabled(*member);
            owed.retain(|source| here.contains(&shifts.there(*source, *member)));
        }
    }
    for member in &part.members {
        for (to, label) in part.steps(*member) {
            if owed.is_empty() {
                return true;
            }
            let label = graph.labels.get(label);
            owed.retain(|source| {
                let here = shifts.there(*source, *member);
                // A constraint that each repetition changes is eventually met: a configuration enables finitely many.
                let is_kept = graph.moved(here, label.shift) == shifts.there(*source, to);
                is_kept && !label.constraints.contains(&here)
            });
        }
    }
    owed.is_empty()
}

/// The shift of the numbers of a view in each member of a part, along some path from the first one.
struct Shifted<'g> {
    graph: &'g Graph,
    /// Shifts by member, if a view shifts numbers.
    by: Option<FxHashMap<StateId, u32>>,
}

impl<'g> Shifted<'g> {
    fn of(graph: &'g Graph, part: &MdpComponent<'_>, first: StateId) -> Shifted<'g> {
        if graph.shifts.is_none() {
            return Shifted { graph, by: None };
        }
        let mut by = FxHashMap::default();
        by.insert(first, UNMOVED);
        let mut open = vec![first];
        while let Some(at) = open.pop() {
            for (to, label) in part.steps(at) {
                if !by.contains_key(&to) {
                    by.insert(to, graph.sum(by[&at], graph.labels.get(label).shift));
                    open.push(to);
                }
            }
        }
        Shifted { graph, by: Some(by) }
    }

    /// The constraint that corresponds in `member` to one of the first member.
    fn there(&self, source: FairnessConstraint, member: StateId) -> FairnessConstraint {
        let shift = self.by.as_ref().and_then(|by| by.get(&member)).copied();
        self.graph.moved(source, shift.unwrap_or(UNMOVED))
    }
}
