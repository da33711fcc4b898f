//! A run that goes round for ever, taken again: what has to happen, and whether it does.

use super::cycle::owed_up_to;
use crate::explore::space::view::Quotient;
use crate::explore::{Owed, is_same, owed};
use crate::instance::Instance;
use crate::ir::{Compare, Expr, Property};
use crate::property::{
    Cost, Judgement, Reads, Sides, Verdict, combinations, for_whom, names, truths, violation,
};
use crate::prose;
use crate::semantics::eval::{self, World};
use crate::semantics::event::{Effects, Event};
use crate::semantics::{Abort, Configuration, Eval, History, Metrics};
use crate::simulate::{Observer, replay};
use crate::syntax::ast::PropertyKind;

/// Does a recorded run go round as it says?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lasso {
    /// It comes back, and goes on fairly.
    Fair,
    /// The cycle returns to a configuration that is equivalent under the program's view, and is fair up to the view.
    UpToView,
    /// It comes back, and going on so for ever is not fair.
    Unfair(Owed),
    /// It does not come back to the configuration in which its round is said to begin.
    Open,
}

/// Judges what is pending at the end of a recorded run that is said to go on, after its last event, with event `from` (counted from 0)
/// again and again.
pub fn goes_round(instance: &Instance, events: &[Event], from: usize, verdicts: &mut [Verdict]) -> Lasso {
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

/// Lets a recorded run begin its way round after so many events.
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

/// A run that is to go round for ever, as it is taken: what has to happen, and whether it does.
pub struct InfiniteRun<'p> {
    /// The configuration in which the way round begins, and what the run had cost by then.
    begun: Option<(Configuration, Metrics)>,
    followed: Vec<Followed<'p>>,
}

impl<'p> InfiniteRun<'p> {
    /// Before the first step.
    pub fn new(instance: &'p Instance) -> InfiniteRun<'p> {
        // What has been observed is not taken along here.
        let observes = |e: &Expr| Reads::of(e, &instance.program).history;
        let followed = |p: &&Property| {
            matches!(p.kind, PropertyKind::Eventually | PropertyKind::Settles | PropertyKind::LeadsTo)
                && !observes(&p.body)
                && !p.then.as_ref().is_some_and(observes)
        };
        let followed = instance.program.properties.iter().filter(followed).map(Followed::new).collect();
        InfiniteRun { begun: None, followed }
    }

    /// The way round begins here, where it has been looked.
    pub fn begin(&mut self, configuration: &Configuration, metrics: &Metrics) {
        self.begun = Some((configuration.clone(), metrics.clone()));
    }

    /// In the beginning, and after each step.
    pub fn look(&mut self, instance: &Instance, configuration: &Configuration, metrics: &Metrics) {
        // Before all have started nothing is judged.
        if configuration.next_to_start().is_none() && !configuration.in_joint_step() {
            let (seen, goes_round) = ((configuration, metrics), self.begun.is_some());
            self.followed.iter_mut().for_each(|followed| followed.look(instance, seen, goes_round));
        }
    }

    /// Judges what is pending where the way round, these steps, has come back to where it began: what has not come true by then never
    /// does, and what is true all the way round is so for ever. Nothing is decided by a run that does not come back, or whose round is
    /// not fair.
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
                PropertyKind::Finally => Some((Judgement::Holds, prose::RUN_NEVER_ENDS.into())),
                PropertyKind::Bound | PropertyKind::Exactly => {
                    let grows = |p| grows(instance, p, (begun, before), (configuration, metrics));
                    Some(match property.and_then(grows) {
                        Some(more) => {
                            (Judgement::Violated, format!("it grows without end, by {more} in each round"))
                        }
                        None => (Judgement::Holds, prose::RUN_NEVER_ENDS.into()),
                    })
                }
                _ => None,
            };
            if let Some((judgement, why)) = judged {
                (verdict.judgement, verdict.why) = (judgement, why);
            }
        }
        lasso
    }
}

/// By how much more each round exceeds what a run may cost at the most. None: it does not, or is no such bound.
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

/// An `eventually`, `settles` or `leads to`, by the combinations of its binders.
struct Followed<'p> {
    property: &'p Property,
    /// The values of the binders.
    bindings: Vec<Vec<(String, String)>>,
    /// Of `settles` the property, of `leads to` the right side: is it true somewhere on the way round? Of `eventually`: somewhere at
    /// all?
    had: Vec<bool>,
    /// The first combination of `settles` that is false on the way round, and why.
    lost: Option<(usize, String)>,
    /// Of `leads to`: is the right side owed?
    owed: Vec<bool>,
    /// It cannot be evaluated somewhere; for `settles`, somewhere on the way round.
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

    /// Takes a configuration into account, before the way round begins or on it.
    fn look(&mut self, instance: &Instance, seen: (&Configuration, &Metrics), goes_round: bool) {
        if self.bindings.is_empty() {
            self.bindings = there(instance, seen, |env| bindings(self.property, env)).unwrap_or_default();
        }
        let looked_at = there(instance, seen, |env| truths(self.property, env));
        let (truth, failure) = looked_at.unwrap_or_else(|abort| (Vec::new(), Some(abort)));
        self.had.resize(truth.len().max(self.had.len()), false);
        self.owed.resize(truth.len().max(self.owed.len()), false);
        for (i, Sides { left, right }) in truth.iter().enumerate() {
            // What cannot be evaluated violates nothing.
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

    /// For whom, by the number of a combination.
    fn whom(&self, which: usize) -> String {
        self.bindings.get(which).map_or_else(String::new, |bindings| for_whom(bindings))
    }

    /// None: it has come true, as far as could be seen.
    fn eventually(&self) -> Option<(Judgement, String)> {
        match (self.had.iter().position(|had| !had), &self.failed) {
            (Some(never), _) => {
                let whom = self.whom(never);
                Some((Judgement::Violated, format!("{whom}the run goes round for ever without it")))
            }
            (None, Some(abort)) => Some(could_not_be_evaluated(abort)),
            (None, None) => None,
        }
    }

    fn settles(&self) -> (Judgement, String) {
        match (&self.lost, &self.failed) {
            (Some((which, why)), _) => {
                let lost = match self.had.get(*which) {
                    Some(true) => "and loses it again and again",
                    _ => "without it",
                };
                (Judgement::Violated, format!("the run goes round for ever {lost}: {why}"))
            }
            (None, Some(abort)) => could_not_be_evaluated(abort),
            (None, None) => (Judgement::Holds, "all the way round, and so for ever".into()),
        }
    }

    fn leads_to(&self) -> (Judgement, String) {
        let never = self.owed.iter().zip(&self.had).position(|(owed, had)| *owed && !had);
        match (never, &self.failed) {
            (None, Some(abort)) => could_not_be_evaluated(abort),
            (Some(which), _) => {
                let whom = self.whom(which);
                (Judgement::Violated, format!("{whom}the run goes round for ever without the right side"))
            }
            (None, None) => (Judgement::Holds, "every time, and so for ever".into()),
        }
    }
}

/// The values of the binders of a property, for each combination.
fn bindings(property: &Property, env: &mut eval::Env<'_>) -> Eval<Vec<Vec<(String, String)>>> {
    let mut all = Vec::new();
    combinations(&property.each, env, &mut |env| {
        all.push(names(&property.each, env)?);
        Ok(())
    })?;
    Ok(all)
}

fn could_not_be_evaluated(abort: &Abort) -> (Judgement, String) {
    (Judgement::NotChecked, format!("it could not be evaluated: {}", abort))
}

/// Why a property is false in a configuration.
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
    eval::globally(instance, Some(World { configuration, metrics, history: &history }), look)
}
