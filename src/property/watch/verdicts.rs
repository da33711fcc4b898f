//! Verdicts of properties, at the end of a run and before.

use super::{Ended, MonitoredProperty, ORDER_PROCESSES_MAX, RunMonitor, blame_with, combinations, violation};
use crate::ir::{Bound, Compare, Property, PropertyKind};
use crate::property::cost::{Cost, is_constant_upper_limit};
use crate::property::{FailedConjunct, Judgement, Verdict, binding_prefix, names};
use crate::prose;
use crate::semantics::eval::{self, Env, World};
use crate::semantics::{Abort, Configuration, Eval, Metrics};

/// Properties are first checked when all processes have started.
pub const NOT_STARTED: &str = "a process aborts before all processes have started";

impl RunMonitor<'_> {
    /// Return the number of properties violated so far.
    pub fn broken(&self) -> usize {
        self.items.iter().filter(|item| item.violation.is_some()).count()
    }

    /// Return the current verdicts; scenarios need them during a run.
    pub fn verdicts(&self, ended: Ended, configuration: &Configuration, metrics: &Metrics) -> Vec<Verdict> {
        let world = World { configuration, metrics, history: &self.history };
        self.items.iter().map(|item| self.verdict(item, ended, world)).collect()
    }

    pub(super) fn verdict(&self, item: &MonitoredProperty, ended: Ended, world: World<'_>) -> Verdict {
        let property = &self.instance.program.properties[item.property];
        if !self.begun && ended == Ended::Aborted {
            return Verdict::new(property, Judgement::NotChecked, NOT_STARTED);
        }
        if let Some((at_event, found)) = &item.violation {
            return Verdict {
                at_event: *at_event,
                span: found.span,
                ..Verdict::new(property, Judgement::Violated, found.text())
            };
        }
        let not_evaluated = |message: &str| {
            Verdict::new(property, Judgement::NotChecked, format!("it could not be evaluated: {message}"))
        };
        let verdict = eval::with_global_frame(self.instance, Some(world), |env| {
            self.at_end(property, item, ended, env)
        });
        let verdict = verdict.unwrap_or_else(|abort: Box<Abort>| not_evaluated(&abort.to_string()));
        // A violation found anywhere is a violation.
        match &item.failed {
            Some(message) if verdict.judgement != Judgement::Violated => not_evaluated(message),
            _ => verdict,
        }
    }

    fn at_end(
        &self,
        property: &Property,
        item: &MonitoredProperty,
        ended: Ended,
        env: &mut Env<'_>,
    ) -> Eval<Verdict> {
        let holds = |why: String| Ok(Verdict::new(property, Judgement::Holds, why));
        let violated = |found: FailedConjunct| Ok(violated(property, &found));
        let pending = |why: &str| Ok(Verdict::new(property, Judgement::Pending, why));
        match property.kind {
            PropertyKind::Invariant | PropertyKind::Stable => match item.checked_until {
                None => holds(prose::in_all_configurations(self.configurations)),
                Some(judged) => {
                    if property.kind == PropertyKind::Invariant
                        && let Some(found) = violation(property, env)?
                    {
                        return violated(found);
                    }
                    // `stable` compares successive configurations: it cannot be checked after a gap.
                    let last = if property.kind == PropertyKind::Invariant { " and in the last" } else { "" };
                    holds(format!("in the first {judged} configurations{last}; the others were not checked"))
                }
            },
            PropertyKind::Finally => match ended {
                Ended::Finished => match violation(property, env)? {
                    Some(found) => violated(found),
                    None => holds("at the end".into()),
                },
                Ended::CutOff | Ended::Settled => pending("the run was cut off before its end"),
                Ended::Aborted => Ok(Verdict::new(property, Judgement::NotChecked, "the run was aborted")),
            },
            PropertyKind::Eventually => eventually(property, item, ended, env),
            PropertyKind::Settles => match (ended, violation(property, env)?) {
                (Ended::Finished, None) => holds("at the end, and so forever".into()),
                (Ended::Finished, Some(found)) => violated(found),
                (Ended::Settled, None) => {
                    let since = if item.checked_until.is_some() {
                        "now".into()
                    } else {
                        since(item.last_mark_change)
                    };
                    pending(&format!("true {since}; `synod verify` checks whether it stays true"))
                }
                (Ended::Settled, Some(found)) => pending(&pending_reason(item, &found)),
                _ => pending("the run was cut off before its end"),
            },
            PropertyKind::LeadsTo => leads_to(property, item, ended, env),
            PropertyKind::Order => {
                if !self.keeps_history {
                    return Ok(Verdict::new(
                        property,
                        Judgement::NotChecked,
                        format!("`order` is checked for at most {ORDER_PROCESSES_MAX} processes"),
                    ));
                }
                match violation(property, env)? {
                    Some(found) => violated(found),
                    None => holds(format!("in a history of {} events", self.history.entries().len())),
                }
            }
            PropertyKind::Bound | PropertyKind::Exactly => match &property.bound {
                Some(bound) => cost(property, bound, ended, env),
                None => match (ended, violation(property, env)?) {
                    (Ended::Finished, None) => holds("at the end".into()),
                    (Ended::Finished, Some(found)) => violated(found),
                    _ => pending("the run was cut off before its end"),
                },
            },
        }
    }
}

fn violated(property: &Property, found: &FailedConjunct) -> Verdict {
    Verdict { span: found.span, ..Verdict::new(property, Judgement::Violated, found.text()) }
}

/// Return the verdict on a property that may depend on a configuration that was not checked.
fn unchecked_rest(property: &Property, judged: u64) -> Eval<Verdict> {
    let why = format!("only the first {judged} configurations were checked");
    Ok(Verdict::new(property, Judgement::NotChecked, why))
}

/// Return the verdict on an `eventually` property at the end of a run.
fn eventually(
    property: &Property,
    item: &MonitoredProperty,
    ended: Ended,
    env: &mut Env<'_>,
) -> Eval<Verdict> {
    let holds = |why: &str| Ok(Verdict::new(property, Judgement::Holds, why));
    let pending = |why: &str| Ok(Verdict::new(property, Judgement::Pending, why));
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
    match (ended, missing, item.checked_until) {
        (_, None, _) => holds("it came true"),
        // It may have been true in a configuration that was not checked.
        (Ended::Finished, Some(_), Some(judged)) => unchecked_rest(property, judged),
        (Ended::Finished, Some(found), None) => Ok(violated(property, &found)),
        (Ended::Settled, Some(found), _) => pending(&pending_reason(item, &found)),
        _ => pending("the run was cut off before its end"),
    }
}

/// Return the verdict on a `leads to` property at the end of a run.
fn leads_to(property: &Property, item: &MonitoredProperty, ended: Ended, env: &mut Env<'_>) -> Eval<Verdict> {
    let holds = |why: &str| Ok(Verdict::new(property, Judgement::Holds, why));
    let pending = |why: &str| Ok(Verdict::new(property, Judgement::Pending, why));
    let owed = item.marks.any();
    match (owed, ended, item.checked_until) {
        (_, _, Some(judged)) => unchecked_rest(property, judged),
        (false, ..) => holds("the right side followed every time"),
        (true, Ended::Finished, None) => {
            let whom = binding_prefix(&longest_owed(property, item, env)?.1);
            let why = "the left side came true, but the run ended before the right side did";
            Ok(Verdict::new(property, Judgement::Violated, format!("{whom}{why}")))
        }
        (true, Ended::Settled, None) => {
            let (from, whom) = longest_owed(property, item, env)?;
            let (whom, since) = (binding_prefix(&whom), since(from));
            pending(&format!(
                "{whom}waiting {since} for the right side; `synod verify` checks whether it always follows"
            ))
        }
        _ => {
            let whom = binding_prefix(&longest_owed(property, item, env)?.1);
            pending(&format!("{whom}the run was cut off before the right side came true"))
        }
    }
}

/// Describe an eventuality that is still pending in a run without an end.
fn pending_reason(item: &MonitoredProperty, found: &FailedConjunct) -> String {
    let since = since(item.touched);
    format!(
        "not yet: {}; no variable that it reads has changed {since}; `synod verify` decides it",
        found.text()
    )
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

/// Return `since event 7` for a value established after `events` events.
fn since(events: u64) -> String {
    match events.checked_sub(1) {
        Some(event) => format!("since event {event}"),
        None => "from the beginning".into(),
    }
}

/// Return the words between a measured value and the limit that it violates: `more than`.
pub fn violation_words(compare: Compare) -> &'static str {
    match compare {
        Compare::Equal => "not",
        Compare::NotEqual => "just",
        Compare::LessEqual => "more than",
        Compare::Less => "not less than",
        Compare::GreaterEqual => "less than",
        Compare::Greater => "not more than",
    }
}

/// Return the measured cost and the limit if a run that has ended violates a bound.
pub fn bound_violation(property: &Property, env: &mut Env<'_>) -> Eval<Option<String>> {
    let Some(bound) = &property.bound else { return Ok(None) };
    let verdict = cost(property, bound, Ended::Finished, env)?;
    Ok((verdict.judgement == Judgement::Violated).then_some(verdict.why))
}

/// Check a bound. For `messages per entry <= e`, compare the total with e times the completed operations.
fn cost(property: &Property, bound: &Bound, ended: Ended, env: &mut Env<'_>) -> Eval<Verdict> {
    let Some(cost) = Cost::of_bound(bound, env)? else {
        let why = if env.world.is_some() { "this run has no rounds" } else { "no run to measure" };
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
    let (total, allowed, fits) = (cost.measured, cost.limit, cost.is_kept());
    let why = match bound.compare {
        compare if !fits => format!("{total}, {} {allowed}{each}", violation_words(compare)),
        Compare::Equal => format!("{total}{each}"),
        Compare::LessEqual => format!("{total} of at most {allowed}{each}"),
        Compare::Less => format!("{total} of less than {allowed}{each}"),
        Compare::GreaterEqual => format!("{total}, against at least {allowed}{each}"),
        Compare::Greater => format!("{total}, against more than {allowed}{each}"),
        Compare::NotEqual => format!("{total}, and not {allowed}{each}"),
    };
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
