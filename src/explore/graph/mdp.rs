//! Random and nondeterministic choices: the graph of configurations as a Markov decision process, without its probabilities,
//! since «with probability 1» does not depend on them.
//!
//! A schedule can keep a run forever in an **end component** (de Alfaro, Formal Verification of Probabilistic Systems, 1997): a
//! set of configurations strongly connected by steps all of whose random outcomes lead back into it. Under every schedule, a
//! run almost surely ends up in an end component. So an event happens almost surely if it happens in every reachable end
//! component.

use crate::explore::graph::{Component, Graph};
use crate::explore::store::interner::Interner;
use crate::ids::{ProcessId, StateId};
use crate::semantics::enumeration::Fork;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::VecDeque;

/// One outcome of a step that made choices.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RandomOutcome {
    /// The step of the configuration: process, and a number of its own.
    pub step: (ProcessId, u32),
    /// The choices within the command, in order. The outcomes of one step form a tree.
    pub forks: SmallVec<[Fork; 2]>,
}

impl RandomOutcome {
    /// Return whether any choice is random.
    fn is_tossed(&self) -> bool {
        self.forks.iter().any(|fork| fork.by_chance)
    }
}

/// Interned outcomes. [`CERTAIN`] is the outcome of all steps without random choices. Parts of joint steps have outcomes of
/// their own: the schedule must not use random outcomes of one part in another ([`super::joint_strategies`]).
#[derive(Debug)]
pub struct RandomOutcomes {
    table: Interner<RandomOutcome>,
    /// Whether every step has an outcome of its own.
    joint: bool,
}

pub const CERTAIN: u32 = 0;

impl RandomOutcomes {
    pub fn new(joint: bool) -> RandomOutcomes {
        let table = Interner::default();
        table.number(RandomOutcome { step: (ProcessId(0), 0), forks: SmallVec::new() });
        RandomOutcomes { table, joint }
    }

    /// Return the id of an outcome of the `number`-th step of a process.
    pub fn number(&self, process: ProcessId, number: usize, made: &[Fork]) -> u32 {
        let throw = || RandomOutcome { step: (process, number as u32), forks: made.into() };
        match self.joint || made.iter().any(|fork| fork.by_chance) {
            true => self.table.number(throw()),
            false => CERTAIN,
        }
    }

    /// Return whether steps are joint, so that the knowledge of the schedule within them matters.
    pub fn is_joint(&self) -> bool {
        self.joint
    }

    pub fn insert(&self, throw: RandomOutcome) -> u32 {
        self.table.number(throw)
    }

    pub fn get(&self, number: u32) -> &RandomOutcome {
        self.table.get(number)
    }

    /// Return whether the outcome contains a random choice.
    pub fn is_tossed(&self, number: u32) -> bool {
        number != CERTAIN && self.get(number).is_tossed()
    }
}

/// A strongly connected part of the graph of configurations, and its steps.
#[derive(Debug)]
pub struct MdpComponent<'g> {
    graph: &'g Graph,
    pub members: Vec<StateId>,
    place: FxHashMap<StateId, u32>,
    /// The steps; `None`: all steps between members.
    kept: Option<Kept>,
}

/// Steps as targets and labels, contiguous for each member.
#[derive(Debug)]
struct Kept {
    steps: Vec<(StateId, u32)>,
    /// By member: the index of its first step; then the end of all.
    begins: Vec<usize>,
}

impl<'g> MdpComponent<'g> {
    /// Return these configurations with all steps between them.
    pub fn of(graph: &'g Graph, members: Vec<StateId>) -> MdpComponent<'g> {
        let place = members.iter().copied().zip(0u32..).collect();
        MdpComponent { graph, members, place, kept: None }
    }

    /// Return the greatest subset of these configurations that a schedule need not leave whatever the random outcomes, with the
    /// steps that stay.
    fn closed(graph: &'g Graph, throws: &RandomOutcomes, members: &[StateId]) -> MdpComponent<'g> {
        let mut alive: FxHashMap<StateId, bool> = members.iter().map(|member| (*member, true)).collect();
        let mut before: FxHashMap<StateId, Vec<StateId>> = FxHashMap::default();
        for member in members {
            for (to, _) in graph.edges(*member).iter().filter(|(to, _)| alive.contains_key(to)) {
                before.entry(*to).or_default().push(*member);
            }
        }
        let mut doubtful: VecDeque<StateId> = members.iter().copied().collect();
        while let Some(at) = doubtful.pop_front() {
            if alive[&at] && !staying(graph, throws, at, &alive).contains(&true) {
                alive.insert(at, false);
                doubtful.extend(before.get(&at).into_iter().flatten());
            }
        }
        let members = members.iter().copied().filter(|member| alive[member]).collect();
        MdpComponent::keeping(graph, members, |member| {
            let stay = staying(graph, throws, member, &alive);
            graph.edges(member).iter().zip(stay).filter_map(|(edge, stays)| stays.then_some(*edge)).collect()
        })
    }

    /// Return these configurations with the steps between them whose labels satisfy `is_one`.
    pub fn by(graph: &'g Graph, members: Vec<StateId>, is_one: &dyn Fn(u32) -> bool) -> MdpComponent<'g> {
        MdpComponent::keeping(graph, members, |member| {
            graph.edges(member).iter().filter(|(_, label)| is_one(*label)).copied().collect()
        })
    }

    /// Return these configurations, each with these of its steps.
    fn keeping(
        graph: &'g Graph,
        members: Vec<StateId>,
        kept: impl Fn(StateId) -> SmallVec<[(StateId, u32); 4]>,
    ) -> MdpComponent<'g> {
        let mut part = MdpComponent::of(graph, members);
        let (mut steps, mut begins) = (Vec::new(), Vec::new());
        for member in &part.members {
            begins.push(steps.len());
            steps.extend(kept(*member));
        }
        begins.push(steps.len());
        part.kept = Some(Kept { steps, begins });
        part
    }

    pub fn contains(&self, state: StateId) -> bool {
        self.place.contains_key(&state)
    }

    /// Return its steps from one of its members, as targets and labels.
    pub fn steps(&self, from: StateId) -> impl Iterator<Item = (StateId, u32)> + '_ {
        let edges = match (&self.kept, self.place.get(&from)) {
            (_, None) => &[],
            (None, _) => self.graph.edges(from),
            (Some(Kept { steps, begins }), Some(place)) => {
                &steps[begins[*place as usize]..begins[*place as usize + 1]]
            }
        };
        edges.iter().copied().filter(|(to, _)| self.contains(*to))
    }

    /// Return its strongly connected components that contain a cycle.
    pub fn rounds(&self) -> Vec<Vec<StateId>> {
        let mut graph = Graph::new(self.graph.labels.clone());
        for (from, member) in (0u32..).map(StateId).zip(&self.members) {
            self.steps(*member).for_each(|(to, label)| graph.add(from, StateId(self.place[&to]), label));
        }
        let all: Vec<StateId> = (0..self.members.len() as u32).map(StateId).collect();
        let components = graph.components(&all, &|_| true);
        let found = components.iter().filter(|component| component.cyclic);
        let member = |place: &StateId| self.members[place.index()];
        found.map(|component| component.members.iter().map(member).collect()).collect()
    }
}

/// Return the maximal end components among the members of a component of the graph.
pub fn end_components<'g>(
    graph: &'g Graph,
    throws: &RandomOutcomes,
    component: Component<'_>,
) -> Vec<MdpComponent<'g>> {
    let mut found = Vec::new();
    let mut open = vec![component.members.to_vec()];
    while let Some(members) = open.pop() {
        let part = MdpComponent::closed(graph, throws, &members);
        let rounds = part.rounds();
        match rounds.as_slice() {
            [all] if all.len() == part.members.len() => found.push(part),
            // After the split, steps may have lost random outcomes that they need.
            _ => open.extend(rounds),
        }
    }
    found
}

/// Return for each step of a configuration whether it stays among those alive under all random outcomes.
fn staying(
    graph: &Graph,
    throws: &RandomOutcomes,
    from: StateId,
    alive: &FxHashMap<StateId, bool>,
) -> Vec<bool> {
    let edges = graph.edges(from);
    let mut stay: Vec<bool> = edges.iter().map(|(to, _)| alive.get(to) == Some(&true)).collect();
    let throw = |(_, label): &(StateId, u32)| match graph.labels.get(*label).random_choice {
        CERTAIN => None,
        number => Some(throws.get(number)),
    };
    let all: Vec<Option<&RandomOutcome>> = edges.iter().map(throw).collect();
    let mut at = 0;
    for same in all.chunk_by(|a, b| a.map(|a| a.step) == b.map(|b| b.step)) {
        let outcomes: Vec<&[Fork]> = same.iter().flatten().map(|throw| throw.forks.as_slice()).collect();
        if !outcomes.is_empty() {
            settle(&outcomes, 0, &mut stay[at..at + same.len()]);
        }
        at += same.len();
    }
    stay
}

/// Process the outcomes that share their first choices. If the next choice is random, all of them must stay, or none does;
/// otherwise some suffice. An outcome without an edge changed nothing, so it stays.
fn settle(outcomes: &[&[Fork]], depth: usize, stay: &mut [bool]) -> bool {
    let fork = |outcome: &&[Fork]| outcome.get(depth).copied();
    let Some(Fork { by_chance, .. }) = outcomes.first().and_then(fork) else {
        return stay.contains(&true);
    };
    let (mut some, mut all, mut at) = (false, true, 0);
    for same in outcomes.chunk_by(|a, b| fork(a) == fork(b)) {
        let stays = settle(same, depth + 1, &mut stay[at..at + same.len()]);
        (some, all) = (some || stays, all && stays);
        at += same.len();
    }
    let stays = if by_chance { all } else { some };
    if !stays {
        stay.fill(false);
    }
    stays
}
