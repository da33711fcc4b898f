//! Re-execution of a recorded infinite run (a lasso), and the liveness verdicts on it.

use crate::explore::graph::cycle::owed_up_to;
use crate::explore::graph::quotient::Quotient;
use crate::explore::{UnfairStep, is_same, owed};
use crate::instance::Instance;
use crate::ir::{Compare, Expr, Property, PropertyKind};
use crate::property::{
    Cost, Judgement, Reads, Reason, Sides, Verdict, binding_prefix, combinations, names, truths, violation,
};

use crate::semantics::eval::{self, World};
use crate::semantics::event::{Effects, Event};
use crate::semantics::{Abort, Configuration, Eval, History, Metrics};
use crate::simulate::{Observer, replay};

/// Whether a recorded run repeats a cycle as claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lasso {
    /// The cycle returns to its first configuration, and is fair.
    Fair,
    /// The cycle returns to a configuration that is equivalent under the program's view, and is fair up to the view.
    UpToView,
    /// The cycle returns to its first configuration, but is not fair.
    Unfair(UnfairStep),
    /// The cycle does not return to the configuration in which it begins.
    Open,
}

/// Decide pending verdicts on a recorded run that is claimed to repeat the events from index `from` on (counted from 0) after
/// its last event.
pub fn check_lasso(instance: &Instance, events: &[Event], from: usize, verdicts: &mut [Verdict]) -> Lasso {
    let mut configuration = Configuration::initial(instance);
    let mut taken = Taken { from, number: 0, endless: InfiniteRun::new(instance) };
    let nothing = Metrics::new(instance.program.kinds.len(), instance.program.operations.len());
    taken.look(instance, &configuration, &nothing);
    let replayed = replay(instance, &mut configuration, events, &mut taken);
    match (replayed, events.get(from..)) {
        (Ok(metrics), Some(round)) => {
            taken.endless.close(instance, (&configuration, &metrics), round, verdicts)
        }
        _ => Lasso::Open,
    }
}

/// Observes a run, and begins its cycle after `from` events.
struct Taken<'p> {
    from: usize,
    number: usize,
    endless: InfiniteRun<'p>,
}

impl Taken<'_> {
    fn look(&mut self, instance: &Instance, configuration: &Configuration, metrics: &Metrics) {
        self.endless.look(instance, configuration, metrics);
        if self.number == self.from {
            self.endless.begin(configuration, metrics);
        }
    }
}

impl Observer for Taken<'_> {
    fn after(
        &mut self,
        instance: &Instance,
        _: &Event,
        _: &Effects,
        configuration: &Configuration,
        metrics: &Metrics,
    ) -> bool {
        self.number += 1;
        self.look(instance, configuration, metrics);
        true
    }
}

/// The liveness properties on an infinite run, while it is executed.
pub struct InfiniteRun<'p> {
    /// The first configuration of the cycle, and the cost of the run up to it.
    begun: Option<(Configuration, Metrics)>,
    followed: Vec<Followed<'p>>,
}

impl<'p> InfiniteRun<'p> {
    /// Return the state before the first step.
    pub fn new(instance: &'p Instance) -> InfiniteRun<'p> {
        // The history is not tracked here.
        let observes = |e: &Expr| Reads::of(e, &instance.program).history;
        let followed = |p: &&Property| {
            matches!(p.kind, PropertyKind::Eventually | PropertyKind::Settles | PropertyKind::LeadsTo)
                && !observes(&p.body)
                && !p.consequent.as_ref().is_some_and(observes)
        };
        let followed = instance.program.properties.iter().filter(followed).map(Followed::new).collect();
        InfiniteRun { begun: None, followed }
    }

    /// Begin the cycle at the current configuration.
    pub fn begin(&mut self, configuration: &Configuration, metrics: &Metrics) {
        self.begun = Some((configuration.clone(), metrics.clone()));
    }

    /// Process the initial configuration, or the one after a step.
    pub fn look(&mut self, instance: &Instance, configuration: &Configuration, metrics: &Metrics) {
        // Properties are first checked when all processes have started.
        if configuration.next_to_start().is_none() && !configuration.in_joint_step() {
            let (seen, goes_round) = ((configuration, metrics), self.begun.is_some());
            self.followed.iter_mut().for_each(|followed| followed.look(instance, seen, goes_round));
        }
    }

    /// Decide pending verdicts after the cycle, consisting of the events `round`, has returned to its first configuration. What
    /// is not satisfied by then never is, and what is true throughout the cycle remains so. A cycle that does not return, or is
    /// not fair, decides nothing.
    pub fn close(
        &self,
        instance: &Instance,
        (configuration, metrics): (&Configuration, &Metrics),
        round: &[Event],
        verdicts: &mut [Verdict],
    ) -> Lasso {
        let Some((begun, before)) = self.begun.as_ref().filter(|_| !round.is_empty()) else {
            return Lasso::Open;
        };
        let (owed, lasso) = match is_same(instance, begun, configuration) {
            true => (owed(instance, begun, round), Lasso::Fair),
            false => {
                let quotient = Quotient::of(instance).filter(|q| q.is_same(begun, configuration));
                let Some(quotient) = quotient else { return Lasso::Open };
                (owed_up_to(instance, begun, round, Some(&quotient)), Lasso::UpToView)
            }
        };
        if let Some(owed) = owed {
            return Lasso::Unfair(owed);
        }
        for verdict in verdicts.iter_mut().filter(|v| v.judgement == Judgement::Pending) {
            let property = instance.program.properties.iter().find(|p| p.name == verdict.name);
            let followed = self.followed.iter().find(|followed| followed.property.name == verdict.name);
            let judged = match verdict.kind {
                PropertyKind::Eventually => followed.and_then(Followed::eventually),
                PropertyKind::Settles => followed.map(Followed::settles),
                PropertyKind::LeadsTo => followed.map(Followed::leads_to),
                PropertyKind::Finally => Some((Judgement::Holds, Reason::RunNeverEnds)),
                PropertyKind::Exactly => Some((Judgement::Holds, Reason::RunNeverEnds)),
                PropertyKind::Bound => property.filter(|p| Cost::grows_evenly(p)).map(|p| {
                    match grows(instance, p, (begun, before), (configuration, metrics)) {
                        Some(more) => (Judgement::Violated, Reason::CycleCosts(more)),
                        None => (Judgement::Holds, Reason::RunNeverEnds),
                    }
                }),
                _ => None,
            };
            if let Some((judgement, why)) = judged {
                (verdict.judgement, verdict.why) = (judgement, why);
            }
        }
        lasso
    }
}

/// Return the cost of each cycle, if it makes the run exceed an upper bound eventually. `None`: it does not, or the property is
/// no such bound.
fn grows(
    instance: &Instance,
    property: &Property,
    before: (&Configuration, &Metrics),
    after: (&Configuration, &Metrics),
) -> Option<i128> {
    let cost = |seen| there(instance, seen, |env| Cost::of(property, env)).ok().flatten();
    let (before, after) = (cost(before)?, cost(after)?);
    let is_upper = matches!(after.compare, Compare::Less | Compare::LessEqual) && after.operations.is_none();
    let more = (after.measured - after.limit) - (before.measured - before.limit);
    (is_upper && more > 0).then_some(after.measured - before.measured)
}

/// An `eventually`, `settles` or `leads to`, by combinations of its binders.
struct Followed<'p> {
    property: &'p Property,
    /// The values of the binders.
    bindings: Vec<Vec<(String, String)>>,
    /// By combination: whether `settles`, or the right side of `leads to`, is true somewhere in the cycle, or `eventually`
    /// somewhere in the run.
    had: Vec<bool>,
    /// The first combination of `settles` that is false in the cycle, and why.
    lost: Option<(usize, String)>,
    /// By combination of `leads to`: whether a response is pending.
    owed: Vec<bool>,
    /// A failure to evaluate it somewhere; for `settles`, somewhere in the cycle.
    failed: Option<Box<Abort>>,
}

impl<'p> Followed<'p> {
    fn new(property: &'p Property) -> Followed<'p> {
        Followed {
            property,
            bindings: Vec::new(),
            had: Vec::new(),
            lost: None,
            owed: Vec::new(),
            failed: None,
        }
    }

    /// Process a configuration, before the cycle or in it.
    fn look(&mut self, instance: &Instance, seen: (&Configuration, &Metrics), goes_round: bool) {
        if self.bindings.is_empty() {
            self.bindings = there(instance, seen, |env| bindings(self.property, env)).unwrap_or_default();
        }
        let looked_at = there(instance, seen, |env| truths(self.property, env));
        let (truth, failure) = looked_at.unwrap_or_else(|abort| (Vec::new(), Some(abort)));
        self.had.resize(truth.len().max(self.had.len()), false);
        self.owed.resize(truth.len().max(self.owed.len()), false);
        for (i, Sides { left, right }) in truth.iter().enumerate() {
            // A property that cannot be evaluated is not violated.
            let (left, right) = (*left == Some(true), *right != Some(false));
            self.had[i] |= (goes_round || self.property.kind == PropertyKind::Eventually) && right;
            self.owed[i] = !right && (self.owed[i] || left);
        }
        let lost = truth.iter().position(|sides| sides.right == Some(false));
        if let Some(lost) = lost.filter(|_| goes_round && self.lost.is_none()) {
            self.lost = Some((lost, wrong(instance, self.property, seen)));
        }
        if let Some(abort) = failure.filter(|_| goes_round || self.property.kind != PropertyKind::Settles) {
            self.failed.get_or_insert(abort);
        }
    }

    /// Return the values of the binders, by the number of a combination.
    fn whom(&self, which: usize) -> String {
        self.bindings.get(which).map_or_else(String::new, |bindings| binding_prefix(bindings))
    }

    /// Return `None` if it was true in every combination.
    fn eventually(&self) -> Option<(Judgement, Reason)> {
        match (self.had.iter().position(|had| !had), &self.failed) {
            (Some(never), _) => Some((Judgement::Violated, Reason::CycleNever(self.whom(never)))),
            (None, Some(abort)) => Some(could_not_be_evaluated(abort)),
            (None, None) => None,
        }
    }

    fn settles(&self) -> (Judgement, Reason) {
        match (&self.lost, &self.failed) {
            (Some((which, why)), _) => (
                Judgement::Violated,
                match self.had.get(*which) {
                    Some(true) => Reason::CycleLoses(why.clone()),
                    _ => Reason::CycleFails(why.clone()),
                },
            ),
            (None, Some(abort)) => could_not_be_evaluated(abort),
            (None, None) => (Judgement::Holds, Reason::ThroughoutCycle),
        }
    }

    fn leads_to(&self) -> (Judgement, Reason) {
        let never = self.owed.iter().zip(&self.had).position(|(owed, had)| *owed && !had);
        match (never, &self.failed) {
            (None, Some(abort)) => could_not_be_evaluated(abort),
            (Some(which), _) => (Judgement::Violated, Reason::CycleNeverRight(self.whom(which))),
            (None, None) => (Judgement::Holds, Reason::InEveryRepetition),
        }
    }
}

/// Return the values of the binders of a property, for each combination.
fn bindings(property: &Property, env: &mut eval::Env<'_>) -> Eval<Vec<Vec<(String, String)>>> {
    let mut all = Vec::new();
    combinations(&property.binders, env, &mut |env| {
        all.push(names(&property.binders, env)?);
        Ok(())
    })?;
    Ok(all)
}

fn could_not_be_evaluated(abort: &Abort) -> (Judgement, Reason) {
    (Judgement::NotChecked, Reason::NotEvaluated(abort.to_string()))
}

/// Return why a property is false in a configuration.
fn wrong(instance: &Instance, property: &Property, seen: (&Configuration, &Metrics)) -> String {
    let found = there(instance, seen, |env| violation(property, env));
    found.ok().flatten().map_or_else(String::new, |blame| blame.text())
}

fn there<T>(
    instance: &Instance,
    (configuration, metrics): (&Configuration, &Metrics),
    look: impl FnOnce(&mut eval::Env<'_>) -> T,
) -> T {
    let history = History::default();
    eval::with_global_frame(instance, Some(World { configuration, metrics, history: &history }), look)
}
