//! Properties of whole runs, checked on the complete graph of configurations: liveness, and which bounds are checked.

use crate::explore::graph::Graph;
use crate::explore::graph::fairness::Fairness;
use crate::explore::graph::lasso::Lasso;
use crate::explore::graph::liveness::{
    InfiniteRuns, RandomResolution, may_not_settle, never_leaves, never_settles,
};
use crate::explore::monitor::{Followed, is_live};
use crate::explore::search::Search;
use crate::explore::search::violations::{FoundViolation, ViolationPath};
use crate::explore::{Progress, StopReason, ViolationKind};
use crate::ids::StateId;
use crate::ir::PropertyKind;
use crate::property::Reason;
use std::cell::Cell;

impl Search<'_> {
    /// Check bounds and liveness. Return explanations of those that hold. Call `watch` before each, to stop in time.
    pub fn check_runs(
        &mut self,
        watch: &mut dyn FnMut(&Progress) -> Option<StopReason>,
    ) -> Vec<(usize, Reason)> {
        self.measure();
        let Some(graph) = self.graph.take() else {
            return Vec::new();
        };
        let mut hold = Vec::new();
        let bytes_to_come = graph.bytes_to_judge();
        let mut is_over = |search: &mut Search<'_>| {
            let progress = Progress { bytes_to_come, ..search.progress(0) };
            let is_too_much = progress.is_too_much(search.options.max_bytes);
            search.cut =
                search.cut.or_else(|| watch(&progress)).or(is_too_much.then_some(StopReason::Memory));
            search.cut.is_some()
        };
        let bounds = self.monitor.costs.bounds.iter().copied().enumerate();
        for (which, property) in bounds {
            if is_over(self) {
                break;
            }
            match self.judge_bound(&graph, which, property) {
                Ok(why) => hold.push((property, why)),
                Err(Some(violation)) => self.found(*violation),
                Err(None) => {}
            }
        }
        for number in 0..self.monitor.followed.len() {
            let property = self.monitor.followed[number].property;
            let kind = self.monitor.instance.program.properties[property].kind;
            if self.cut.is_some() || (is_live(kind) && is_over(self)) {
                break;
            }
            let Some(found) = self.judge_live(&graph, kind, number, RandomResolution::Adversarial) else {
                continue;
            };
            let draws = self.fairness() == Fairness::Weak && graph.draws(&self.space.random_choices);
            let depends_on_outcomes = |violation: &FoundViolation| draws && violation.path.is_endless();
            let found = match found {
                Some(violation) if !self.complete || !depends_on_outcomes(&violation) => Some(violation),
                Some(violation) if self.options.every_outcome => {
                    let why = format!("{}, for some outcomes of the random choices", violation.why);
                    Some(FoundViolation { why, ..violation })
                }
                // The adversarial outcomes have probability 0: search for a schedule that violates it for all outcomes.
                Some(_) => {
                    self.by_chance.push(property);
                    let too_many = Cell::new(false);
                    let coins = RandomResolution::Probabilistic(&self.space.random_choices, &too_many);
                    let found = self.judge_live(&graph, kind, number, coins).flatten();
                    if found.is_none() && too_many.get() {
                        if is_over(self) {
                            break;
                        }
                        self.open.push(property);
                        continue;
                    }
                    found
                }
                None => None,
            };
            let found = found.filter(|violation| self.is_known(&graph, violation));
            let fair = self.fairness().as_str();
            let unless = if graph.has_aborts() { ", unless a command aborts" } else { "" };
            match found {
                Some(violation) => self.found(violation),
                None if self.is_unclear(&graph, kind, number) => {
                    let why = self.unclear.iter().find(|(unclear, _)| *unclear == property);
                    self.failed.extend(why.cloned());
                }
                None if self.by_chance.contains(&property) => {
                    hold.push((property, Reason::AlmostSurely(fair, unless)));
                }
                None if draws => hold.push((property, Reason::ForEveryOutcome(fair, unless))),
                None => hold.push((property, Reason::InEveryRun(fair, unless))),
            }
        }
        self.graph = Some(graph);
        hold
    }

    /// Search for violating runs in the known part of the graph, after a limit of configurations or depth has ended the search.
    /// Violations found are valid; their absence decides nothing.
    pub fn judge_known_runs(&mut self, watch: &mut dyn FnMut(&Progress) -> Option<StopReason>) {
        let cut = self.cut.take();
        for state in std::mem::take(&mut self.unfinished) {
            if let Some(graph) = &mut self.graph {
                graph.leave_open(state);
            }
        }
        self.check_runs(watch);
        (self.by_chance, self.open) = (Vec::new(), Vec::new());
        self.cut = cut;
    }

    /// Return whether a run found in a part of the graph is certain to be a violation. With omitted or random steps, only a
    /// finite run is.
    fn is_known(&self, graph: &Graph, violation: &FoundViolation) -> bool {
        let shows_all = || self.contains_all_runs() && !graph.draws(&self.space.random_choices);
        self.complete || !violation.path.is_endless() || shows_all()
    }

    /// Find a run that violates a liveness property. `None`: it is no liveness property.
    fn judge_live(
        &self,
        graph: &Graph,
        kind: PropertyKind,
        number: usize,
        coins: RandomResolution<'_>,
    ) -> Option<Option<FoundViolation>> {
        let endless = self.endless(coins);
        match kind {
            PropertyKind::Eventually => Some(self.judge_eventually(graph, number, endless)),
            PropertyKind::Settles => Some(self.judge_settles(graph, number, endless)),
            PropertyKind::LeadsTo => Some(self.judge_leads_to(graph, number, endless)),
            _ => None,
        }
    }

    fn judge_eventually(
        &self,
        graph: &Graph,
        number: usize,
        endless: InfiniteRuns<'_>,
    ) -> Option<FoundViolation> {
        let followed = &self.monitor.followed[number];
        self.places(followed, 1).find_map(|place| {
            let missing = |state: StateId| !self.is_true(state, place);
            let lasso =
                never_leaves(graph, (&self.first_states(), None), &missing, &self.between(), endless)?;
            let why = never(&lasso, "it", endless);
            Some(self.way_of(number, place, lasso, &why))
        })
    }

    fn judge_settles(
        &self,
        graph: &Graph,
        number: usize,
        endless: InfiniteRuns<'_>,
    ) -> Option<FoundViolation> {
        let followed = &self.monitor.followed[number];
        self.places(followed, 1).find_map(|place| {
            let between = self.between();
            let missing = |state: StateId| !self.is_true(state, place) && !between(state);
            let lasso = never_settles(graph, &self.first_states(), &missing, &between, endless)?;
            let had = || lasso.cycle.iter().any(|state| !between(*state) && !missing(*state));
            // In other models the run shown is an example, and others may satisfy it repeatedly.
            let is_this_one = matches!(
                endless,
                InfiniteRuns { fairness: Fairness::Weak, coins: RandomResolution::Adversarial, .. }
            );
            let why = match lasso.cycle.is_empty() {
                true => never(&lasso, "it", endless),
                false if had() => goes_round("repeatedly loses it", endless),
                false if is_this_one => never(&lasso, "it", endless),
                false => goes_round("violates it infinitely often", endless),
            };
            Some(self.way_of(number, place, lasso, &why))
        })
    }

    /// Return the indices of a property in the truth vector, the first of each combination that is checked (each has `each`
    /// indices).
    fn places(&self, followed: &Followed, each: usize) -> impl Iterator<Item = usize> + '_ {
        followed.truth.clone().step_by(each).filter(|place| self.space.is_checked(*place))
    }

    /// Return whether the property cannot be evaluated where it matters: before it becomes true, or infinitely often.
    fn is_unclear(&self, graph: &Graph, kind: PropertyKind, number: usize) -> bool {
        let followed = &self.monitor.followed[number];
        let Some(flag) = followed.undefined else { return false };
        let unclear = |state: StateId| self.is_true(state, flag);
        if kind == PropertyKind::Settles {
            let between = self.between();
            let endless = self.endless(RandomResolution::Adversarial);
            let bad = |state: StateId| unclear(state) && !between(state);
            return may_not_settle(graph, &self.first_states(), &bad, &between, endless);
        }
        self.places(followed, 1).any(|place| {
            let open = |state: StateId| unclear(state) || !self.is_true(state, place);
            graph.shortest_path(&self.first_states(), &open, &unclear).is_some()
        })
    }

    pub fn fairness(&self) -> Fairness {
        Fairness::of(self.monitor.instance)
    }

    pub fn endless<'t>(&'t self, coins: RandomResolution<'t>) -> InfiniteRuns<'t> {
        InfiniteRuns { fairness: self.fairness(), coins, stop: &self.monitor.instance.stop }
    }

    fn judge_leads_to(
        &self,
        graph: &Graph,
        number: usize,
        endless: InfiniteRuns<'_>,
    ) -> Option<FoundViolation> {
        let followed = &self.monitor.followed[number];
        let all = graph.in_search_order(&self.first_states());
        self.places(followed, 2).find_map(|left| {
            let missing = |state: StateId| !self.is_true(state, left + 1);
            let owing = all.iter().copied().filter(|s| self.is_true(*s, left) && missing(*s));
            let owing: Vec<StateId> = owing.collect();
            let runs = (self.first_states(), Some(owing.as_slice()));
            let lasso = never_leaves(graph, (&runs.0, runs.1), &missing, &self.between(), endless)?;
            let why = never(&lasso, "the right side", endless);
            Some(self.way_of(number, left, lasso, &why))
        })
    }

    /// Return the violation that a lasso shows for this index of the truth vector.
    fn way_of(&self, number: usize, place: usize, lasso: Lasso, why: &str) -> FoundViolation {
        let Followed { property, truth, .. } = &self.monitor.followed[number];
        let kind = self.monitor.instance.program.properties[*property].kind;
        let places = if kind == PropertyKind::LeadsTo { 2 } else { 1 };
        let combination = (place - truth.start) / places;
        let why = self.monitor.for_which(*property, combination, &self.space.started) + why;
        let repeats_from = (!lasso.cycle.is_empty()).then_some(lasso.way.len().saturating_sub(1));
        let run = lasso.way.into_iter().chain(lasso.cycle).collect();
        let way = ViolationPath::Run { run, repeats_from, without: Some(combination), priced: None };
        FoundViolation { wrong: ViolationKind::Property(*property), path: way, why, span: None }
    }

    /// Return a predicate for intermediate states of joint steps.
    pub fn between(&self) -> impl Fn(StateId) -> bool + '_ {
        let joint = self.monitor.instance.model.is_joint();
        move |state| joint && self.space.is_between(&self.key(state))
    }

    pub fn first_states(&self) -> Vec<StateId> {
        self.initial.iter().map(|(state, _)| *state).collect()
    }

    pub fn is_true(&self, state: StateId, place: usize) -> bool {
        self.truths.get(self.truth[state.index()]).get(place) == Some(&true)
    }
}

/// Describe a run that never satisfies something.
fn never(lasso: &Lasso, what: &str, endless: InfiniteRuns<'_>) -> String {
    match lasso.cycle.is_empty() {
        true => format!("a run ends without {what}"),
        false => goes_round(&format!("repeats a cycle and never satisfies {what}"), endless),
    }
}

/// Describe an infinite run.
fn goes_round(does: &str, endless: InfiniteRuns<'_>) -> String {
    let fair = endless.fairness.as_str();
    match endless.coins {
        RandomResolution::Probabilistic(..) => {
            format!(
                "under a {fair} schedule, a run {does}, for every outcome of the random choices in the cycle"
            )
        }
        RandomResolution::Adversarial => format!("a {fair} run {does}"),
    }
}
