//! Bounds, checked on the complete graph of configurations: the least and the greatest cost of runs.

use crate::explore::graph::bounds::{CostModel, Extreme, Total, extreme};
use crate::explore::graph::liveness::goes_on_by;
use crate::explore::graph::shifts::{Shifts, UNMOVED};
use crate::explore::graph::{Graph, Label};
use crate::explore::monitor::additive_bound::AdditiveBound;
use crate::explore::reduction::view;
use crate::explore::search::Search;
use crate::explore::search::violations::{FoundViolation, ViolationPath};
use crate::explore::{ViolationKind, initial_states};
use crate::ids::StateId;
use crate::ir::Compare;
use crate::property::{self, Reason, is_fixed};
use crate::semantics::Abort;
use rustc_hash::{FxHashMap, FxHashSet};
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
    /// Return the explanation of a bound that holds.
    pub fn judge_bound(
        &mut self,
        graph: &Graph,
        which: usize,
        property: usize,
    ) -> Result<Reason, Option<Box<FoundViolation>>> {
        let monitor = self.monitor;
        let bound = monitor.costs.bound(which);
        let all = graph.in_search_order(&self.first_states());
        let ends: Vec<StateId> = all.into_iter().filter(|s| graph.is_end(*s)).collect();
        let (limits, failure) = self.limits(property, bound, &ends);
        let slopes = self.slopes(graph, property);
        // The graph contains only the distance from the limit.
        let is_shifted = slopes.iter().any(|slope| *slope != 0) || monitor.costs.is_relative(which);
        let is_relative = is_shifted || !bound.is_as_written();
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
            let is_measured = bound.per.is_none() && !is_relative && !limit.is_by_end();
            if is_measured && !ends.is_empty() {
                self.extremes.push((property, least.and_then(finite), finite(most)));
            }
            let why = match worst {
                // A replay of the run yields the cost and the limit.
                Total::Finite(_) if is_relative => "it does not keep the limit".into(),
                _ => {
                    let own = run.last().map_or(0, |end| limit.own(*end));
                    missed(worst.plus(own), bound, limit.common.saturating_add(own))
                }
            };
            let each = if bound.per.is_some() { limit.common } else { 0 };
            let is_relative = is_relative && matches!(worst, Total::Finite(_));
            let way = ViolationPath::Run {
                without: None,
                run,
                repeats_from: None,
                priced: Some(Box::new(CostModel { start, which, each, slopes, wanted, is_relative })),
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
            [] if ends.is_empty() => (Reason::NoRunEnds, None),
            // The bound applies to no run.
            [] => (Reason::AtEveryEnd, None),
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
        bound: &AdditiveBound<'_>,
        limit: &Limit,
        found: &Extremes,
    ) -> (Reason, Option<(Option<Total>, Total)>) {
        // The cost to show: the bound's own, or that of the left side.
        let shown = match self.monitor.costs.left_side(which) {
            None if !bound.is_as_written() => return (Reason::AtEveryEnd, None),
            left => left.unwrap_or(which),
        };
        let (all, common);
        // The extremes found are relative to the limits.
        let found = if shown != which || limit.is_by_end() {
            all = self.extremes(graph, (shown, &[]), bound, &limit.without());
            common = 0;
            let Some(all) = &all else { return (Reason::AtEveryEnd, None) };
            all
        } else {
            common = limit.common;
            found
        };
        let costs = range(found.least, found.most, bound, common);
        if limit.is_by_end() && shown == which {
            let [lowest, highest] = [Extreme::Least, Extreme::Most].map(|which| limit.extreme(which));
            return (Reason::CostsWithinLimits(costs, lowest, highest), Some((found.least, found.most)));
        }
        // Infinite runs were not considered.
        let only_ends = found.least == Some(found.most) && !found.upper && self.may_go_on(graph);
        let costs = costs + if only_ends { " that ends" } else { "" };
        (Reason::Cost(costs), bound.per.is_none().then_some((found.least, found.most)))
    }

    /// Return the limits, and the first failure: there is no limit where the bound does not apply, and none where evaluation fails.
    fn limits(
        &self,
        property: usize,
        bound: &AdditiveBound<'_>,
        ends: &[StateId],
    ) -> (Vec<Limit>, Option<Box<Abort>>) {
        let program = &self.monitor.instance.program;
        if program.properties[property].bound.as_ref().is_some_and(|bound| is_fixed(bound, program)) {
            return match self.monitor.limit(&bound.limit, true, &self.space.started) {
                Ok(common) => (vec![Limit { common, at: None }], None),
                Err(abort) => (Vec::new(), Some(abort)),
            };
        }
        let mut failure = None;
        let mut limits: BTreeMap<i64, Vec<StateId>> = BTreeMap::new();
        let mut configuration = self.space.started.clone();
        for end in ends {
            self.space.decode(&self.key(*end), &mut configuration);
            match self.monitor.limit_at_end(property, bound, &configuration) {
                Ok(limit) => limit.into_iter().for_each(|limit| limits.entry(limit).or_default().push(*end)),
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
        bound: &AdditiveBound<'_>,
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
fn range(least: Option<Total>, most: Total, bound: &AdditiveBound<'_>, limit: i64) -> String {
    let show = |total| measured(total, bound, limit);
    let from_limit = |total| match total {
        Total::Finite(0) => "exactly".into(),
        Total::Finite(total) if total > 0 => format!("{total} above"),
        Total::Finite(total) => format!("{} below", total.unsigned_abs()),
        other => show(other),
    };
    match least {
        Some(least) if least == most => format!("{} in every run", show(most)),
        Some(least) if bound.per.is_some() => {
            format!("from {} to {} the limit of {limit} for each", from_limit(least), from_limit(most))
        }
        Some(least) => format!("from {} to {}", show(least), show(most)),
        None => format!("at most {}", show(most)),
    }
}

/// Describe the cost of a run.
fn measured(total: Total, bound: &AdditiveBound<'_>, limit: i64) -> String {
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
fn missed(total: Total, bound: &AdditiveBound<'_>, limit: i64) -> String {
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
