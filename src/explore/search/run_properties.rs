//! Properties of whole runs, checked on the complete graph of configurations.

use crate::explore::graph::bounds::{CostModel, Extreme, Total, extreme};
use crate::explore::graph::fairness::Fairness;
use crate::explore::graph::lasso::Lasso;
use crate::explore::graph::liveness::{
    InfiniteRuns, RandomResolution, goes_on_by, may_not_settle, never_leaves, never_settles,
};
use crate::explore::graph::shifts::{Shifts, UNMOVED};
use crate::explore::graph::{Graph, Label};
use crate::explore::monitor::{Followed, is_live};
use crate::explore::reduction::view;
use crate::explore::search::Search;
use crate::explore::search::violations::{FoundViolation, ViolationPath};
use crate::explore::{Progress, StopReason, ViolationKind, initial_states};
use crate::ids::StateId;
use crate::ir::{Bound, Compare, PropertyKind};
use crate::property;
use crate::property::{Reason, is_fixed};
use crate::semantics::Abort;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::collections::BTreeMap;

/// A run, and the number of its start.
type Shown = (usize, Vec<StateId>);

/// The limit of a bound at some or all ends of runs.
struct Limit {
    common: i64,
    /// By end: what is added to the limit there. `None`: the limit applies at all ends.
    at: Option<FxHashMap<StateId, i64>>,
}

impl Limit {
    fn own(&self, end: StateId) -> i64 {
        self.at.as_ref().and_then(|at| at.get(&end)).copied().unwrap_or(0)
    }

    /// Return the least or the greatest addition at an end.
    fn extreme(&self, wanted: Extreme) -> i64 {
        let all = || self.at.iter().flat_map(|at| at.values().copied());
        let found = if wanted == Extreme::Most { all().max() } else { all().min() };
        found.unwrap_or(0)
    }

    /// Return whether ends have different limits.
    fn is_by_end(&self) -> bool {
        self.extreme(Extreme::Least) < self.extreme(Extreme::Most)
    }

    /// Return a limit of zero at the same ends.
    fn without(&self) -> Limit {
        let at = self.at.as_ref().map(|at| at.keys().map(|end| (*end, 0)).collect());
        Limit { common: 0, at }
    }
}

/// The least and the greatest cost of runs, with such runs, and the limit.
struct Extremes {
    /// `None`: infinite runs may cost less than all that end, and their fairness is unknown.
    least: Option<Total>,
    most: Total,
    cheap: Shown,
    dear: Shown,
    allowed: i64,
    /// Whether infinite runs count.
    upper: bool,
}

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

    /// Return the explanation of a bound that holds.
    fn judge_bound(
        &mut self,
        graph: &Graph,
        which: usize,
        property: usize,
    ) -> Result<Reason, Option<Box<FoundViolation>>> {
        let program = &self.monitor.instance.program;
        let Some(bound) = &program.properties[property].bound else { return Err(None) };
        let all = graph.in_search_order(&self.first_states());
        let ends: Vec<StateId> = all.into_iter().filter(|s| graph.is_end(*s)).collect();
        let (limits, failure) = self.limits(property, bound, &ends);
        let slopes = self.slopes(graph, property);
        let is_shifted = slopes.iter().any(|slope| *slope != 0) || self.monitor.costs.is_relative(which);
        let mut kept = Vec::new();
        for limit in &limits {
            let Some(found) = self.extremes(graph, (which, &slopes), bound, limit) else { continue };
            let Extremes { least, most, allowed, .. } = found;
            let cheapest = least.filter(|least| !fits(*least, bound.compare, allowed));
            let (worst, wanted, (start, run)) = match (cheapest, fits(most, bound.compare, allowed)) {
                (None, true) => {
                    kept.push((limit, found));
                    continue;
                }
                (_, false) => (most, Extreme::Most, found.dear),
                (Some(least), true) => (least, Extreme::Least, found.cheap),
            };
            // The extreme costs are known here, whichever run is shown.
            let is_measured = bound.per.is_none() && !is_shifted && !limit.is_by_end();
            if is_measured && !ends.is_empty() {
                self.extremes.push((property, least.and_then(finite), finite(most)));
            }
            let why = match worst {
                Total::Finite(worst) if is_shifted => distance(worst.saturating_sub(limit.common)),
                _ => {
                    let own = run.last().map_or(0, |end| limit.own(*end));
                    missed(worst.plus(own), bound, limit.common.saturating_add(own))
                }
            };
            let each = if bound.per.is_some() { limit.common } else { 0 };
            let way = ViolationPath::Run {
                without: None,
                run,
                repeats_from: None,
                priced: Some(Box::new(CostModel { start, which, each, slopes, wanted })),
            };
            let wrong = ViolationKind::Property(property);
            return Err(Some(Box::new(FoundViolation { wrong, path: way, why, span: None })));
        }
        // A violation at one end counts, whether or not the limit can be evaluated at the others.
        if let Some(abort) = failure {
            self.failed.push((property, abort.to_string()));
            return Err(None);
        }
        let (reason, measured) = match kept.as_slice() {
            [] => (Reason::NoRunEnds, None),
            [(limit, found)] if !is_shifted => self.costs_kept(graph, which, bound, limit, found),
            _ => (Reason::AtEveryEnd, None),
        };
        self.extremes.extend(measured.map(|(least, most)| (property, least.and_then(finite), finite(most))));
        Ok(reason)
    }

    /// Describe the costs within a limit. Return also the least and the greatest cost, unless it is per operation.
    fn costs_kept(
        &self,
        graph: &Graph,
        which: usize,
        bound: &Bound,
        limit: &Limit,
        found: &Extremes,
    ) -> (Reason, Option<(Option<Total>, Total)>) {
        if limit.is_by_end() {
            // The extremes found are relative to the limits.
            let Some(all) = self.extremes(graph, (which, &[]), bound, &limit.without()) else {
                return (Reason::AtEveryEnd, None);
            };
            let costs = range(all.least, all.most, bound, 0);
            let [lowest, highest] = [Extreme::Least, Extreme::Most].map(|which| limit.extreme(which));
            return (Reason::CostsWithinLimits(costs, lowest, highest), Some((all.least, all.most)));
        }
        let costs = range(found.least, found.most, bound, limit.common);
        // Infinite runs were not considered.
        let only_ends = found.least == Some(found.most) && !found.upper && self.may_go_on(graph);
        let costs = costs + if only_ends { " that ends" } else { "" };
        (Reason::Cost(costs), bound.per.is_none().then_some((found.least, found.most)))
    }

    /// Return the limits, and the first failure: there is no limit where evaluation fails.
    fn limits(&self, property: usize, bound: &Bound, ends: &[StateId]) -> (Vec<Limit>, Option<Box<Abort>>) {
        if is_fixed(bound, &self.monitor.instance.program) {
            return match self.monitor.limit(property, &self.space.started) {
                Ok(common) => (vec![Limit { common, at: None }], None),
                Err(abort) => (Vec::new(), Some(abort)),
            };
        }
        let mut failure = None;
        let mut limits: BTreeMap<i64, Vec<StateId>> = BTreeMap::new();
        let mut configuration = self.space.started.clone();
        for end in ends {
            self.space.decode(&self.key(*end), &mut configuration);
            match self.monitor.limit(property, &configuration) {
                Ok(limit) => limits.entry(limit).or_default().push(*end),
                Err(abort) => drop(failure.get_or_insert(abort)),
            }
        }
        let same = |(common, ends): (i64, Vec<StateId>)| {
            let at = ends.into_iter().map(|end| (end, 0)).collect();
            Limit { common, at: Some(at) }
        };
        if bound.per.is_some() || limits.len() < 2 {
            return (limits.into_iter().map(same).collect(), failure);
        }
        let own = limits.into_iter().flat_map(|(limit, ends)| ends.into_iter().map(move |end| (end, limit)));
        (vec![Limit { common: 0, at: Some(own.collect()) }], failure)
    }

    /// Return by view up to shift: the increase of the limit of a bound if all numbers of the view increase by 1.
    fn slopes(&self, graph: &Graph, property: usize) -> Vec<i64> {
        let instance = self.monitor.instance;
        let has_shifts = graph.shifts.is_some();
        if has_shifts { view::slopes(instance, &instance.program.properties[property]) } else { Vec::new() }
    }

    /// Return the extreme costs of runs. Under a view up to shift, they are relative to the limit: while the graph replaces a configuration
    /// by one with lesser numbers, the cost is reduced as much as the limit.
    fn extremes(
        &self,
        graph: &Graph,
        (which, slopes): (usize, &[i64]),
        bound: &Bound,
        limit: &Limit,
    ) -> Option<Extremes> {
        // With a limit for each operation, the measured cost minus these limits must be at most 0.
        let (each, allowed) = if bound.per.is_some() { (limit.common, 0) } else { (0, limit.common) };
        let costs = &self.monitor.costs;
        let rise = |shift: u32| graph.shifts.as_ref().map_or(0, |shifts| shifts.rise(shift, slopes));
        let weight =
            |label: &Label| costs.get(label.cost)[which].less(each).saturating_add(rise(label.shift));
        // The cost of the starts.
        let mut starts = initial_states::Replayer::new(self.space.instance, self.started);
        let from: Vec<(StateId, i64)> = self
            .initial
            .iter()
            .map(|(state, number)| {
                let start = starts.start(*number);
                let cost = costs.get(costs.number(&start.metrics()))[which].less(each);
                let own = || self.space.encode_start(self.monitor, start);
                let shift = |shifts: &Shifts| shifts.between(&own(), &self.key(*state));
                (*state, cost.saturating_add(rise(graph.shifts.as_ref().map_or(UNMOVED, shift))))
            })
            .collect();
        let at_ends = |state: StateId| match &limit.at {
            None => graph.is_end(state).then_some(0),
            Some(own) => own.get(&state).map(|own| -own),
        };
        // An exceeded limit remains exceeded, whether the run ends or not.
        let is_upper = matches!(bound.compare, Compare::Less | Compare::LessEqual);
        let upper = is_upper && bound.per.is_none() && limit.at.is_none();
        let between = self.between();
        let anywhere = |state: StateId| (!between(state)).then_some(0);
        let stops: &dyn Fn(StateId) -> Option<i64> = if upper { &anywhere } else { &at_ends };
        let begun = |(total, place, run): (Total, usize, Vec<StateId>)| (total, (self.initial[place].1, run));
        let best = |stops: &dyn Fn(StateId) -> Option<i64>, wanted| {
            let beyond = allowed.saturating_add(limit.extreme(wanted));
            extreme(graph, &from, &weight, (stops, beyond), wanted)
        };
        let most = best(stops, Extreme::Most);
        let most = match upper && !self.complete {
            // The greatest cost is unknown anyway: truncate the run that is shown where it exceeds the limit.
            true => self.until_exceeded(graph, which, &from, most?, (bound.compare, allowed)),
            false => most?,
        };
        let (most, dear) = begun(most);
        let least = |stops: &dyn Fn(StateId) -> Option<i64>| best(stops, Extreme::Least);
        let at_an_end = least(&at_ends);
        let idle = if upper { self.idle(graph, which) } else { FxHashSet::default() };
        let anyhow = if idle.is_empty() {
            None
        } else {
            least(&|s| at_ends(s).or_else(|| idle.contains(&s).then_some(0)))
        };
        let total = |least: &Option<(Total, usize, Vec<StateId>)>| least.as_ref().map(|(total, ..)| *total);
        let known = self.contains_all_runs() || total(&anyhow) == total(&at_an_end);
        let (least, cheap) = match anyhow.or(at_an_end).map(begun) {
            Some((total, cheap)) => ((known || idle.is_empty()).then_some(total), cheap),
            None => (None, dear.clone()),
        };
        Some(Extremes { least, most, cheap, dear, allowed, upper })
    }

    /// Return the shortest prefix of a run that exceeds the limit, and its cost. `from`: the starts, with their costs.
    fn until_exceeded(
        &self,
        graph: &Graph,
        which: usize,
        from: &[(StateId, i64)],
        (total, place, mut run): (Total, usize, Vec<StateId>),
        (compare, allowed): (Compare, i64),
    ) -> (Total, usize, Vec<StateId>) {
        let (costs, between) = (&self.monitor.costs, self.between());
        let mut sum = from[place].1;
        let is_enough = |at: StateId, sum: i64| !fits(Total::Finite(sum), compare, allowed) && !between(at);
        for number in 0..run.len() {
            if matches!(total, Total::Finite(_)) && is_enough(run[number], sum) {
                run.truncate(number + 1);
                return (Total::Finite(sum), place, run);
            }
            let Some(to) = run.get(number + 1) else { break };
            let edges = graph.edges(run[number]).iter().filter(|(next, _)| next == to);
            let cost = edges.map(|(_, label)| costs.get(graph.labels.get(*label).cost)[which].less(0)).max();
            sum = sum.saturating_add(cost.unwrap_or(0));
        }
        (total, place, run)
    }

    /// Return the configurations from which a fair run can continue forever at no cost; any run, if fairness is unknown.
    fn idle(&self, graph: &Graph, which: usize) -> FxHashSet<StateId> {
        let costs = &self.monitor.costs;
        let is_free = |label: u32| costs.get(graph.labels.get(label).cost)[which].measured == 0;
        let fairness = self.contains_all_runs().then(|| self.fairness());
        goes_on_by(graph, &self.first_states(), &is_free, &self.between(), fairness)
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

fn fits(total: Total, compare: Compare, allowed: i64) -> bool {
    match (total, compare) {
        (Total::Finite(total), Compare::Equal) => total == allowed,
        (Total::Finite(total), Compare::NotEqual) => total != allowed,
        (Total::Finite(total), Compare::Less) => total < allowed,
        (Total::Finite(total), Compare::LessEqual) => total <= allowed,
        (Total::Finite(total), Compare::Greater) => total > allowed,
        (Total::Finite(total), Compare::GreaterEqual) => total >= allowed,
        (Total::AboveAll, Compare::Greater | Compare::GreaterEqual) => true,
        (Total::BelowAll, Compare::Less | Compare::LessEqual) => true,
        _ => false,
    }
}

/// Describe the range of costs.
fn range(least: Option<Total>, most: Total, bound: &Bound, limit: i64) -> String {
    let show = |total| measured(total, bound, limit);
    match least {
        Some(least) if least == most => format!("{} in every run", show(most)),
        Some(least) => format!("from {} to {}", show(least), show(most)),
        None => format!("at most {}", show(most)),
    }
}

/// Describe how far the cost of a run is from its limit.
fn distance(from_limit: i64) -> String {
    match from_limit {
        0 => "just the limit".into(),
        more if more > 0 => format!("{more} more than the limit"),
        less => format!("{} less than the limit", less.unsigned_abs()),
    }
}

/// Describe the cost of a run.
fn measured(total: Total, bound: &Bound, limit: i64) -> String {
    match (total, bound.per) {
        (Total::Finite(total), None) => total.to_string(),
        (Total::Finite(total), Some(_)) if total > 0 => format!("{total} more than {limit} for each"),
        (Total::Finite(0), Some(_)) => format!("{limit} for each"),
        (Total::Finite(total), Some(_)) => format!("{} less than {limit} for each", -total),
        (Total::AboveAll, _) => "any number".into(),
        (Total::BelowAll, _) => "arbitrarily low".into(),
    }
}

/// Describe the cost of the run shown, and how it misses the limit: `3, more than 2`.
fn missed(total: Total, bound: &Bound, limit: i64) -> String {
    let measured = measured(total, bound, limit);
    match (total, bound.per) {
        (Total::AboveAll, _) => "it grows without bound".into(),
        (Total::BelowAll, _) => "it decreases without bound".into(),
        (Total::Finite(total), Some(_)) if total != 0 => measured,
        _ => format!("{measured}, {} {limit}", property::violation_words(bound.compare)),
    }
}

fn finite(total: Total) -> Option<i64> {
    match total {
        Total::Finite(total) => Some(total),
        _ => None,
    }
}
