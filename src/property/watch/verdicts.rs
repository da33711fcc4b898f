//! Verdicts of properties, at the end of a run and before.

use super::combinations::{blame_with, combinations};
use super::{
    Ended, HISTORY_CHECKED_PER_STEP_MAX, MonitoredProperty, ORDER_PROCESSES_MAX, RunMonitor, Violation,
    is_checked_during_run, violation,
};
use crate::instance::Instance;
use crate::ir::{Bound, Property, PropertyKind};
use crate::property::cost::{Cost, is_constant_upper_limit};
use crate::property::{
    FailedConjunct, Judgement, Premises, Reason, Verdict, binding_prefix, false_premise, names,
};
use crate::semantics::eval::{self, Env, World};
use crate::semantics::{Abort, Configuration, Eval, Metrics};

impl RunMonitor {
    /// Return the number of properties violated so far.
    pub fn broken(&self) -> usize {
        self.items.iter().filter(|item| item.violation.is_some()).count()
    }

    /// Return the current verdicts; scenarios need them during a run.
    pub fn verdicts(
        &self,
        instance: &Instance,
        ended: Ended,
        configuration: &Configuration,
        metrics: &Metrics,
    ) -> Vec<Verdict> {
        let world = World { configuration, metrics, history: &self.history };
        self.items.iter().map(|item| self.verdict(instance, item, ended, world)).collect()
    }

    pub(super) fn verdict(
        &self,
        instance: &Instance,
        item: &MonitoredProperty,
        ended: Ended,
        world: World<'_>,
    ) -> Verdict {
        let property = &instance.program.properties[item.property];
        if !self.begun && ended == Ended::Aborted {
            return Verdict::new(property, Judgement::NotChecked, Reason::NotStarted);
        }
        if let Some(Violation { event, found, crashed_within }) = &item.violation {
            return Verdict {
                at_event: *event,
                crashed_within: *crashed_within,
                span: found.span,
                ..Verdict::new(property, Judgement::Violated, Reason::Failed(found.text()))
            };
        }
        let not_evaluated = |message: &str| {
            Verdict::new(property, Judgement::NotChecked, Reason::NotEvaluated(message.into()))
        };
        let verdict =
            eval::with_global_frame(instance, Some(world), |env| self.at_end(property, item, ended, env));
        let mut verdict = verdict.unwrap_or_else(|abort: Box<Abort>| not_evaluated(&abort.to_string()));
        match false_premise(property, instance) {
            Some(premise) => verdict.does_not_apply(premise),
            None => verdict.add_vacuity(property, self.premises_never_true(instance, item, ended, world)),
        }
        // A violation found anywhere is a violation.
        match &item.failed {
            Some(message) if verdict.judgement != Judgement::Violated => not_evaluated(message),
            _ => verdict,
        }
    }

    /// Return the premises of a property that did not come true in a run that has ended. A run that was cut off may still make them
    /// true.
    fn premises_never_true(
        &self,
        instance: &Instance,
        item: &MonitoredProperty,
        ended: Ended,
        world: World<'_>,
    ) -> Vec<String> {
        let property = &instance.program.properties[item.property];
        let noted = item.premises.as_ref().filter(|_| item.checked_until.is_none());
        let is_order = property.kind == PropertyKind::Order;
        match (noted, ended) {
            // The events after these were not checked one by one.
            (Some(_), _) if is_order && self.history.entries().len() > HISTORY_CHECKED_PER_STEP_MAX => {
                Vec::new()
            }
            (Some(noted), Ended::Finished | Ended::Settled)
                if is_order || is_checked_during_run(property.kind) =>
            {
                noted.never_true()
            }
            (Some(_), Ended::Finished) => {
                let premises = Premises::of(property, instance);
                eval::with_global_frame(instance, Some(world), |env| premises.look(property, None, env));
                premises.unmet()
            }
            _ => Vec::new(),
        }
    }

    fn at_end(
        &self,
        property: &Property,
        item: &MonitoredProperty,
        ended: Ended,
        env: &mut Env<'_>,
    ) -> Eval<Verdict> {
        let holds = |why: Reason| Ok(Verdict::new(property, Judgement::Holds, why));
        let violated = |found: FailedConjunct| Ok(violated(property, &found));
        let pending = |why: Reason| Ok(Verdict::new(property, Judgement::Pending, why));
        let not_checked = |why: Reason| Ok(Verdict::new(property, Judgement::NotChecked, why));
        match property.kind {
            PropertyKind::Invariant | PropertyKind::Stable => match item.checked_until {
                None => holds(Reason::InAllConfigurations(self.configurations)),
                Some(judged) => {
                    if property.kind == PropertyKind::Invariant
                        && let Some(found) = violation(property, env)?
                    {
                        return violated(found);
                    }
                    // `stable` compares successive configurations: it cannot be checked after a gap.
                    match property.kind {
                        PropertyKind::Invariant => holds(Reason::InFirstAndLast(judged)),
                        _ if judged == 0 => not_checked(Reason::OnlyFirst(judged)),
                        _ => holds(Reason::InFirst(judged)),
                    }
                }
            },
            PropertyKind::Finally => match ended {
                Ended::Finished => match violation(property, env)? {
                    Some(found) => violated(found),
                    None => holds(Reason::AtEnd),
                },
                Ended::CutOff | Ended::Settled => pending(Reason::CutOff),
                Ended::Aborted => not_checked(Reason::Aborted),
            },
            PropertyKind::Eventually => eventually(property, item, ended, env),
            PropertyKind::Settles => match (ended, violation(property, env)?) {
                (Ended::Finished, None) => holds(Reason::AtEndAndForever),
                (Ended::Finished, Some(found)) => violated(found),
                (Ended::Settled, None) if item.checked_until.is_some() => pending(Reason::TrueNow),
                (Ended::Settled, None) => pending(Reason::True(item.last_mark_change)),
                (Ended::Settled, Some(found)) => pending(Reason::NotYet(found.text(), item.touched)),
                _ => pending(Reason::CutOff),
            },
            PropertyKind::LeadsTo => leads_to(property, item, ended, env),
            PropertyKind::Order => {
                if !self.keeps_history {
                    return not_checked(Reason::TooManyProcesses(ORDER_PROCESSES_MAX));
                }
                match violation(property, env)? {
                    Some(found) => violated(found),
                    None => holds(Reason::InHistory(self.history.entries().len())),
                }
            }
            PropertyKind::Bound | PropertyKind::Exactly => match &property.bound {
                Some(bound) => cost(property, bound, ended, env),
                None => match (ended, violation(property, env)?) {
                    (Ended::Finished, None) => holds(Reason::AtEnd),
                    (Ended::Finished, Some(found)) => violated(found),
                    _ => pending(Reason::CutOff),
                },
            },
        }
    }
}

fn violated(property: &Property, found: &FailedConjunct) -> Verdict {
    let why = Reason::Failed(found.text());
    Verdict { span: found.span, ..Verdict::new(property, Judgement::Violated, why) }
}

/// Return the verdict on a property that may depend on a configuration that was not checked.
fn unchecked_rest(property: &Property, judged: u64) -> Eval<Verdict> {
    Ok(Verdict::new(property, Judgement::NotChecked, Reason::OnlyFirst(judged)))
}

/// Return the verdict on an `eventually` property at the end of a run.
fn eventually(
    property: &Property,
    item: &MonitoredProperty,
    ended: Ended,
    env: &mut Env<'_>,
) -> Eval<Verdict> {
    let (mut missing, mut failure) = (None, None);
    combinations(&property.binders, env, &mut |env| {
        let done = item.marks.get(&property.binders, env) == Some(true);
        // Properties are not checked inside a joint step.
        let between = env.world.is_some_and(|w| w.configuration.in_joint_step());
        if missing.is_some() || done {
            return Ok(());
        }
        match eval::truth(&property.body, env) {
            Ok(true) if !between => {}
            Ok(_) => missing = Some(blame_with(property, env)?),
            Err(abort) => drop(failure.get_or_insert(abort)),
        }
        Ok(())
    })?;
    if let (None, Some(abort)) = (&missing, failure) {
        return Err(abort);
    }
    let (judgement, why) = match (ended, missing, item.checked_until) {
        (_, None, _) => (Judgement::Holds, Reason::CameTrue),
        // It may have been true in a configuration that was not checked.
        (Ended::Finished, Some(_), Some(judged)) => return unchecked_rest(property, judged),
        (Ended::Finished, Some(found), None) => return Ok(violated(property, &found)),
        (Ended::Settled, Some(found), _) => (Judgement::Pending, Reason::NotYet(found.text(), item.touched)),
        _ => (Judgement::Pending, Reason::CutOff),
    };
    Ok(Verdict::new(property, judgement, why))
}

/// Return the verdict on a `leads to` property at the end of a run.
fn leads_to(property: &Property, item: &MonitoredProperty, ended: Ended, env: &mut Env<'_>) -> Eval<Verdict> {
    if let Some(judged) = item.checked_until {
        return unchecked_leads_to(property, judged, ended, env);
    }
    if !item.marks.any() {
        return Ok(Verdict::new(property, Judgement::Holds, Reason::RightFollowed));
    }
    let (from, whom) = longest_owed(property, item, env)?;
    let whom = binding_prefix(&whom);
    let (judgement, why) = match ended {
        Ended::Finished => (Judgement::Violated, Reason::RightMissing(whom)),
        Ended::Settled => (Judgement::Pending, Reason::RightAwaited(whom, from)),
        _ => (Judgement::Pending, Reason::RightCutOff(whom)),
    };
    Ok(Verdict::new(property, judgement, why))
}

/// Return the verdict on a `leads to` property of which only the first configurations were checked. A right side that is true now
/// answers every left side before.
fn unchecked_leads_to(property: &Property, judged: u64, ended: Ended, env: &mut Env<'_>) -> Eval<Verdict> {
    let (mut all_answered, mut missing) = (true, None);
    let right = property.consequent.as_ref().unwrap_or(&property.body);
    combinations(&property.binders, env, &mut |env| {
        if missing.is_none() && !eval::truth(right, env)? {
            all_answered = false;
            if eval::truth(&property.body, env)? {
                missing = Some(binding_prefix(&names(&property.binders, env)?));
            }
        }
        Ok(())
    })?;
    let between = env.world.is_some_and(|world| world.configuration.in_joint_step());
    Ok(match missing.filter(|_| ended == Ended::Finished) {
        _ if all_answered && !between => Verdict::new(property, Judgement::Holds, Reason::RightFollowed),
        Some(whom) => Verdict::new(property, Judgement::Violated, Reason::RightMissing(whom)),
        None => return unchecked_rest(property, judged),
    })
}

/// Return the binders for which a response has been pending longest, and since when.
fn longest_owed(
    property: &Property,
    item: &MonitoredProperty,
    env: &mut Env<'_>,
) -> Eval<(u64, Vec<(String, String)>)> {
    let mut longest: Option<(u64, Vec<(String, String)>)> = None;
    combinations(&property.binders, env, &mut |env| {
        let mark = item.marks.mark(&property.binders, env);
        if mark.value() == Some(true) && longest.as_ref().is_none_or(|(before, _)| mark.since() < *before) {
            longest = Some((mark.since(), names(&property.binders, env)?));
        }
        Ok(())
    })?;
    Ok(longest.unwrap_or_default())
}

/// Return the measured cost and the limit if a run that has ended violates a bound.
pub fn bound_violation(property: &Property, env: &mut Env<'_>) -> Eval<Option<String>> {
    let Some(bound) = &property.bound else { return Ok(None) };
    let verdict = cost(property, bound, Ended::Finished, env)?;
    Ok((verdict.judgement == Judgement::Violated).then(|| verdict.why.to_string()))
}

/// Check a bound. For `messages per entry <= e`, compare the total with e times the completed operations.
fn cost(property: &Property, bound: &Bound, ended: Ended, env: &mut Env<'_>) -> Eval<Verdict> {
    let Some(cost) = Cost::of_bound(bound, env)? else {
        let why = if env.world.is_some() { Reason::NoRounds } else { Reason::NoRun };
        return Ok(Verdict::new(property, Judgement::NotChecked, why));
    };
    let each = match bound.per.zip(cost.operations) {
        None => String::new(),
        Some((op, done)) => {
            let operation = &env.instance.program.operations[op as usize];
            let name = operation.alias.as_deref().unwrap_or(&operation.name);
            format!(", for {done} × {name}")
        }
    };
    let fits = cost.is_kept();
    let why = Reason::cost(cost.measured, bound.compare, cost.limit, fits, &each);
    // An exceeded constant limit stays exceeded; one that is not exceeded may still be.
    let stays = is_constant_upper_limit(bound, &env.instance.program);
    let judgement = match (ended, fits) {
        (Ended::Finished, true) => Judgement::Holds,
        (Ended::Finished, false) => Judgement::Violated,
        (Ended::CutOff | Ended::Settled | Ended::Aborted, false) if stays => Judgement::Violated,
        (Ended::CutOff | Ended::Settled, _) => Judgement::Pending,
        (Ended::Aborted, _) => Judgement::NotChecked,
    };
    Ok(Verdict::new(property, judgement, why))
}
