//! One property in one configuration: its truth for each combination of values of its binders, and why it is false.

use crate::ids::ProcessId;
use crate::ir::{Binder, Expr, Property, PropertyKind};
use crate::property::failed_conjunct::{FailedConjunct, explain_failure, names};
use crate::property::incremental::{IncrementalCounts, Prepared};
use crate::property::monitor_state::MonitorState;
use crate::semantics::eval::{self, Env};
use crate::semantics::{Abort, Eval};

/// Monitor state of a property, updated from one configuration to the next.
pub(super) struct MonitorUpdate<'n> {
    pub marks: &'n mut MonitorState,
    pub turned: &'n mut u64,
    /// Number of events so far.
    pub now: u64,
}

impl MonitorUpdate<'_> {
    fn set(&mut self, each: &[Binder], env: &Env<'_>, mark: bool) {
        if self.marks.set(each, env, mark, self.now) {
            *self.turned = self.now;
        }
    }

    /// The current combination cannot be evaluated here, and so violates nothing. For `stable`, it neither is nor was
    /// true; for `eventually`, it may have come true. The sides of `leads to` are evaluated each on its own.
    fn fail(&mut self, kind: PropertyKind, each: &[Binder], env: &Env<'_>) {
        match kind {
            PropertyKind::Stable => self.set(each, env, false),
            PropertyKind::Eventually => self.set(each, env, true),
            _ => {}
        }
    }
}

/// Result for one configuration: the first combination of the binders that violates the property, and the first
/// evaluation failure.
pub(super) type CheckResult = (Option<FailedConjunct>, Option<Box<Abort>>);

/// Check a property in one configuration.
pub(super) fn check_as_a_whole(
    property: &Property,
    noted: &mut MonitorUpdate<'_>,
    env: &mut Env<'_>,
) -> CheckResult {
    let mut shown = (None, None);
    let result = combinations(&property.binders, env, &mut |env| {
        if shown.0.is_none() || property.kind != PropertyKind::Invariant {
            add(
                check_combination(property, &property.body, property.consequent.as_ref(), noted, env),
                &mut shown,
            );
        }
        Ok(())
    });
    if let Err(abort) = result {
        shown.1.get_or_insert(abort);
    }
    shown
}

fn add(one: Eval<Option<FailedConjunct>>, shown: &mut CheckResult) {
    match one {
        Ok(found) => shown.0 = shown.0.take().or(found),
        Err(abort) => drop(shown.1.get_or_insert(abort)),
    }
}

/// Check a property incrementally, after the variables of `moved` have changed; `None`: for all processes.
pub(super) fn check_incrementally(
    property: &Property,
    prepared: &Prepared,
    counts: &IncrementalCounts,
    moved: Option<&[ProcessId]>,
    noted: &mut MonitorUpdate<'_>,
    env: &mut Env<'_>,
) -> CheckResult {
    let (body, then) = (&prepared.body, prepared.then.as_ref());
    let mut shown = (None, None);
    let Some(binder) = &prepared.each else {
        add(check_combination(property, body, then, noted, env), &mut shown);
        return shown;
    };
    for process in counts.affected(prepared, moved, env.instance) {
        if !binder.contains(process) {
            continue;
        }
        env.words[binder.slot as usize] = i64::from(process.0);
        counts.load_rows(prepared, process, env);
        let checked = match property.binders.len() {
            1 => check_combination(property, body, then, noted, env),
            // The body quantifies over the other binders: the property in its original form names the combination.
            _ => eval::truth(body, env)
                .and_then(|is_true| if is_true { Ok(None) } else { violation(property, env) }),
        };
        add(checked.and_then(|found| env.count_visits(1, body.span).map(|()| found)), &mut shown);
    }
    shown
}

/// Check a property for the current combination of its binders. The body may be a prepared one; the explanation always
/// refers to the original property.
fn check_combination(
    property: &Property,
    body: &Expr,
    then: Option<&Expr>,
    noted: &mut MonitorUpdate<'_>,
    env: &mut Env<'_>,
) -> Eval<Option<FailedConjunct>> {
    check_sides(property, body, then, noted, env)
        .inspect_err(|_| noted.fail(property.kind, &property.binders, env))
}

fn check_sides(
    property: &Property,
    body: &Expr,
    then: Option<&Expr>,
    noted: &mut MonitorUpdate<'_>,
    env: &mut Env<'_>,
) -> Eval<Option<FailedConjunct>> {
    let each = &property.binders;
    match property.kind {
        PropertyKind::Invariant | PropertyKind::Order => {
            if eval::truth(body, env)? {
                return Ok(None);
            }
            blame_with(property, env).map(Some)
        }
        PropertyKind::Stable => {
            let now = eval::truth(body, env)?;
            let before = noted.marks.get(each, env);
            noted.set(each, env, now);
            if before != Some(true) || now {
                return Ok(None);
            }
            lost_with(property, env).map(Some)
        }
        PropertyKind::Eventually => {
            if noted.marks.get(each, env) != Some(true) {
                let now = eval::truth(body, env)?;
                noted.set(each, env, now);
            }
            Ok(None)
        }
        PropertyKind::Settles => {
            let now = eval::truth(body, env)?;
            noted.set(each, env, now);
            Ok(None)
        }
        PropertyKind::LeadsTo => {
            let left = eval::truth(body, env);
            let right = then.map_or(Ok(true), |then| eval::truth(then, env));
            let owed = noted.marks.get(each, env) == Some(true) || matches!(left, Ok(true));
            // A left side that fails owes nothing new. Where the right side fails, the response may have come.
            noted.set(each, env, owed && matches!(right, Ok(false)));
            left.and(right).map(|_| None)
        }
        _ => Ok(None),
    }
}

/// Explain why the property is false now, for some combination of its binders; `None` if it is true.
///
/// # Errors
/// If it cannot be evaluated for some combination, and is false for none.
pub fn violation(property: &Property, env: &mut Env<'_>) -> Eval<Option<FailedConjunct>> {
    let mut shown = (None, None);
    combinations(&property.binders, env, &mut |env| {
        if shown.0.is_none() {
            let one = eval::truth(&property.body, env)
                .and_then(|is_true| if is_true { Ok(None) } else { blame_with(property, env).map(Some) });
            add(one, &mut shown);
        }
        Ok(())
    })?;
    match shown {
        (None, Some(abort)) => Err(abort),
        (found, _) => Ok(found),
    }
}

/// Explain why the combination with this index, which was true before, is false now.
pub fn explain_stable_violation(
    property: &Property,
    combination: usize,
    env: &mut Env<'_>,
) -> Eval<Option<FailedConjunct>> {
    for_one(property, combination, env, lost_with)
}

/// Explain why what has to come true is false now, for the combination with this index: the body, or the right side of
/// `leads to`. The explanation does not name the binders. Return `None` if it is true.
pub fn explain_missing_goal(
    property: &Property,
    combination: usize,
    env: &mut Env<'_>,
) -> Eval<Option<FailedConjunct>> {
    let owed = property.consequent.as_ref().unwrap_or(&property.body);
    let found = for_one(property, combination, env, |_, env| {
        Ok(if eval::truth(owed, env)? { None } else { Some(explain_failure(owed, true, env)?) })
    });
    Ok(found?.flatten())
}

/// Apply a function to the combination of this index.
fn for_one<T>(
    property: &Property,
    combination: usize,
    env: &mut Env<'_>,
    said: impl Fn(&Property, &mut Env<'_>) -> Eval<T>,
) -> Eval<Option<T>> {
    let (mut number, mut found) = (0, None);
    combinations(&property.binders, env, &mut |env| {
        if number == combination {
            found = Some(said(property, env)?);
        }
        number += 1;
        Ok(())
    })?;
    Ok(found)
}

fn lost_with(property: &Property, env: &mut Env<'_>) -> Eval<FailedConjunct> {
    let why = blame_with(property, env)?;
    Ok(FailedConjunct { what: format!("it was true, but now {}", why.what), ..why })
}

/// Explain why the body is false for the current values of the property's own binders.
pub(super) fn blame_with(property: &Property, env: &mut Env<'_>) -> Eval<FailedConjunct> {
    let mut bindings = names(&property.binders, env)?;
    let mut found = explain_failure(&property.body, true, env)?;
    bindings.append(&mut found.bindings);
    found.bindings = bindings;
    Ok(found)
}

/// Call `f` for each combination of values of the binders.
pub fn combinations(
    binders: &[Binder],
    env: &mut Env<'_>,
    f: &mut dyn FnMut(&mut Env<'_>) -> Eval<()>,
) -> Eval<()> {
    eval::each(binders, env, &mut |env, _| {
        f(env)?;
        Ok(true)
    })?;
    Ok(())
}
