//! Strategies for joint steps with random choices: the schedule decides a joint step before all its random outcomes.
//!
//! A joint step is executed part by part, in the order of positions, but its parts are simultaneous: a later part does not
//! observe random outcomes of earlier ones. To decide part by part would reveal them to the schedule. So all **strategies** of
//! each configuration in which joint steps begin are enumerated. A strategy fixes the step in every part; a choice that a
//! process makes after its own random outcomes may depend on them, and on no others. Each strategy is then one step of the
//! decision process, all of whose outcomes are random.
//!
//! Faults within a joint step use up the budget, so they do not occur in cyclic components: crashes need not be considered
//! here.

use crate::explore::graph::mdp::{CERTAIN, MdpComponent, RandomOutcome, RandomOutcomes};
use crate::explore::graph::{Graph, Label};
use crate::explore::store::interner::Interner;
use crate::ids::{ProcessId, StateId};
use crate::semantics::enumeration::Fork;
use crate::stop::StopSignal;
use rustc_hash::FxHashMap;
use smallvec::smallvec;
use std::sync::Arc;

/// A component of the graph with one step for each strategy. Intermediate states of joint steps are duplicated for each
/// strategy that visits them.
#[derive(Debug)]
pub struct JointStrategies {
    pub graph: Graph,
    pub throws: RandomOutcomes,
    /// By number: the original configuration; the last one represents all outside the component.
    origin: Vec<StateId>,
    /// Number of configurations between joint steps: they come first.
    at_rest: u32,
    /// Whether all strategies were enumerated. Otherwise there are too many, or the search was stopped: a violation found is
    /// valid, but others may exist.
    pub complete: bool,
}

/// A step of a configuration: process, and a number of its own.
type StrategyStep = (ProcessId, u32);

/// The data that a decision may depend on: the previous steps of the joint step; the previous choices within this one, random
/// outcomes of the process included; and the options.
type Known = (Vec<StrategyStep>, Vec<Fork>, Vec<StrategyStep>);

/// Steps of a strategy, as the places they lead from and to, and their labels. Targets between joint steps are given by their
/// own numbers.
type Steps = Vec<(usize, Target, u32)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Rest(StateId),
    /// A place of the strategy.
    Between(usize),
}

/// Limit of decisions tried for the strategies of a component, with a minimum for each configuration.
const MOST: usize = 1_000_000;
const LEAST: usize = 1_000;

/// An incomplete strategy.
#[derive(Clone, Debug, Default)]
struct Draft {
    decided: FxHashMap<Known, usize>,
    steps: Steps,
    /// Intermediate states of the joint step, with the steps that have led there.
    places: Vec<(StateId, Vec<StrategyStep>)>,
    open: Vec<Open>,
}

/// An open decision of a strategy.
#[derive(Clone, Debug)]
enum Open {
    /// The step to be taken at a place.
    Step(usize),
    /// The outcome of a step at a place: a range of edges, half-open, that agree in the first `depth` choices.
    Outcome { place: usize, step: StrategyStep, edges: (usize, usize), depth: usize },
}

impl JointStrategies {
    /// Return `None` if no decision is made within a joint step, so that the knowledge of the schedule does not matter.
    pub fn of(
        graph: &Graph,
        throws: &RandomOutcomes,
        part: &MdpComponent<'_>,
        between: &dyn Fn(StateId) -> bool,
        stop: &StopSignal,
    ) -> Option<JointStrategies> {
        let (inside, rest): (Vec<StateId>, Vec<StateId>) =
            part.members.iter().partition(|member| between(**member));
        let is_tossed = |label: &u32| throws.is_tossed(graph.labels.get(*label).random_choice);
        let tosses = |member: &StateId| part.steps(*member).any(|(_, label)| is_tossed(&label));
        let most = (MOST / rest.len().max(1)).max(LEAST);
        let mut search = Search { graph, throws, part, between, most, stop, complete: true };
        if !inside.iter().any(|member| search.decides(*member)) || !part.members.iter().any(tosses) {
            return None;
        }
        let number: FxHashMap<StateId, StateId> = rest.iter().copied().zip((0u32..).map(StateId)).collect();
        let mut origin = rest.clone();
        let labels = Arc::new(Interner::default());
        let own = RandomOutcomes::new(true);
        let mut edges: Vec<Vec<(StateId, u32)>> = vec![Vec::new(); rest.len()];
        for (from, state) in rest.iter().enumerate() {
            for (plan, draft) in (0u32..).zip(search.plans(*state)) {
                let places = draft.places.iter().skip(1).map(|(state, _)| *state);
                let base = origin.len();
                origin.extend(places);
                edges.resize(origin.len(), Vec::new());
                let at = |place: usize| if place == 0 { from } else { base + place - 1 };
                for (place, target, label) in draft.steps {
                    let old = graph.labels.get(label);
                    let to = match target {
                        Target::Rest(state) => number[&state],
                        Target::Between(place) => StateId(at(place) as u32),
                    };
                    let known = edges[at(place)].len() as u32;
                    let step = (ProcessId(if place == 0 { plan } else { 0 }), 1);
                    let forks = smallvec![Fork { taken: known, by_chance: true }];
                    let throw = own.insert(RandomOutcome { step, forks });
                    edges[at(place)]
                        .push((to, labels.number(Label { random_choice: throw, ..Label::clone(old) })));
                }
            }
        }
        // Fairness depends on all enabled steps, wherever they lead.
        let outside = StateId(origin.len() as u32);
        for (from, state) in rest.iter().enumerate() {
            for (_, label) in graph.edges(*state) {
                let old = graph.labels.get(*label);
                edges[from]
                    .push((outside, labels.number(Label { random_choice: CERTAIN, ..Label::clone(old) })));
            }
        }
        let mut copied = Graph::new(labels);
        for (from, edges) in (0u32..).map(StateId).zip(edges) {
            edges.into_iter().for_each(|(to, label)| copied.add(from, to, label));
        }
        for (from, state) in (0u32..).map(StateId).zip(&rest) {
            graph.wrong(*state).iter().for_each(|source| copied.add_wrong(from, *source));
        }
        origin.push(StateId(u32::MAX));
        let (at_rest, complete) = (rest.len() as u32, search.complete);
        Some(JointStrategies { graph: copied, throws: own, origin, at_rest, complete })
    }

    /// Return the configurations between joint steps.
    pub fn at_rest(&self) -> impl Iterator<Item = StateId> {
        (0..self.at_rest).map(StateId)
    }

    /// Return whether this is an intermediate state of a joint step.
    pub fn is_between(&self, state: StateId) -> bool {
        state.0 >= self.at_rest
    }

    /// Return the configuration of the original graph.
    pub fn origin(&self, state: StateId) -> StateId {
        self.origin[state.index()]
    }
}

struct Search<'s, 'g> {
    graph: &'s Graph,
    throws: &'s RandomOutcomes,
    part: &'s MdpComponent<'g>,
    between: &'s dyn Fn(StateId) -> bool,
    /// Limit of decisions tried for the strategies of a configuration.
    most: usize,
    stop: &'s StopSignal,
    complete: bool,
}

impl Search<'_, '_> {
    fn throw(&self, edge: &(StateId, u32)) -> &RandomOutcome {
        self.throws.get(self.graph.labels.get(edge.1).random_choice)
    }

    fn stays(&self, from: StateId, edge: &(StateId, u32)) -> bool {
        self.part.steps(from).any(|step| step == *edge)
    }

    /// Return whether the schedule has a choice here.
    fn decides(&self, state: StateId) -> bool {
        let all: Vec<&RandomOutcome> = self.graph.edges(state).iter().map(|edge| self.throw(edge)).collect();
        let free = |throw: &&RandomOutcome| throw.forks.iter().any(|fork| !fork.by_chance);
        all.iter().any(|throw| throw.step != all[0].step || free(throw))
    }

    /// Return all strategies from a configuration that stay in the component whatever the random outcomes, or some if there are
    /// too many.
    fn plans(&mut self, state: StateId) -> Vec<Draft> {
        let begun =
            Draft { places: vec![(state, Vec::new())], open: vec![Open::Step(0)], ..Draft::default() };
        let (mut drafts, mut complete) = (vec![begun], Vec::new());
        let mut left = self.most;
        while let Some(mut draft) = drafts.pop() {
            if left == 0 || self.stop.is_set() {
                self.complete = false;
                break;
            }
            left -= 1;
            match draft.open.pop() {
                None => complete.push(draft),
                Some(Open::Step(place)) => self.decide_step(draft, place, &mut drafts),
                Some(Open::Outcome { place, step, edges, depth }) => {
                    self.decide_outcome(draft, (place, step), edges, depth, &mut drafts)
                }
            }
        }
        complete
    }

    fn decide_step(&self, draft: Draft, place: usize, drafts: &mut Vec<Draft>) {
        let (state, before) = draft.places[place].clone();
        let throws: Vec<StrategyStep> =
            self.graph.edges(state).iter().map(|edge| self.throw(edge).step).collect();
        let mut groups = Vec::new();
        let mut at = 0;
        for same in throws.chunk_by(|a, b| a == b) {
            groups.push((same[0], (at, at + same.len())));
            at += same.len();
        }
        let options = groups.iter().map(|(step, _)| *step).collect();
        decide(draft, (before, Vec::new(), options), drafts, |draft, option| {
            let (step, edges) = groups[option];
            draft.open.push(Open::Outcome { place, step, edges, depth: 0 });
        });
    }

    fn decide_outcome(
        &self,
        mut draft: Draft,
        (place, step): (usize, StrategyStep),
        (first, end): (usize, usize),
        depth: usize,
        drafts: &mut Vec<Draft>,
    ) {
        let (state, before) = draft.places[place].clone();
        let edges = &self.graph.edges(state)[first..end];
        let outcomes: Vec<&RandomOutcome> = edges.iter().map(|edge| self.throw(edge)).collect();
        let fork = |throw: &&RandomOutcome| throw.forks.get(depth).copied();
        let Some(Fork { by_chance, .. }) = outcomes.first().and_then(fork) else {
            for edge in edges {
                if !self.stays(state, edge) {
                    return;
                }
                draft.follow(place, step, *edge, (self.between)(edge.0));
            }
            drafts.push(draft);
            return;
        };
        let mut groups = Vec::new();
        let mut at = first;
        for same in outcomes.chunk_by(|a, b| fork(a) == fork(b)) {
            groups.push((fork(&same[0]).map_or(0, |fork| fork.taken), (at, at + same.len())));
            at += same.len();
        }
        let open = |group: usize| Open::Outcome { place, step, edges: groups[group].1, depth: depth + 1 };
        if by_chance {
            draft.open.extend((0..groups.len()).rev().map(open));
            drafts.push(draft);
            return;
        }
        let mut steps = before;
        steps.push(step);
        let own = outcomes[0].forks[..depth].to_vec();
        let options = groups.iter().map(|(taken, _)| (ProcessId(0), *taken)).collect();
        decide(draft, (steps, own, options), drafts, |draft, option| draft.open.push(open(option)));
    }
}

impl Draft {
    /// Follow an edge from a place.
    fn follow(&mut self, from: usize, step: StrategyStep, (to, label): (StateId, u32), between: bool) {
        if !between {
            self.steps.push((from, Target::Rest(to), label));
            return;
        }
        let mut steps = self.places[from].1.clone();
        steps.push(step);
        let new = (to, steps);
        let place = self.places.iter().position(|place| *place == new).unwrap_or_else(|| {
            self.places.push(new);
            self.open.insert(0, Open::Step(self.places.len() - 1));
            self.places.len() - 1
        });
        self.steps.push((from, Target::Between(place), label));
    }
}

/// Take the option decided before, or each option in a draft of its own.
fn decide(mut draft: Draft, known: Known, drafts: &mut Vec<Draft>, take: impl Fn(&mut Draft, usize)) {
    if let Some(option) = draft.decided.get(&known).copied() {
        take(&mut draft, option);
        drafts.push(draft);
        return;
    }
    for option in (0..known.2.len()).rev() {
        let mut draft = draft.clone();
        draft.decided.insert(known.clone(), option);
        take(&mut draft, option);
        drafts.push(draft);
    }
}
