//! Comparison of the costs of a run with their limits.

use super::Reads;
use crate::ir::{Bound, Compare, Expr, ExprKind, Metric, Program, Property};
use crate::semantics::Eval;
use crate::semantics::eval::{self, Env};

/// The two sides of a `bound` or `exactly`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    pub measured: i128,
    /// Completed operations by which the limit is multiplied; `None` for a limit on the whole run.
    pub operations: Option<u64>,
    pub limit: i128,
    pub compare: Compare,
}

impl Cost {
    /// Evaluate a plain bound. Return `None` if there is nothing to measure: rounds in a run without rounds.
    pub(super) fn of_bound(bound: &Bound, env: &mut Env<'_>) -> Eval<Option<Cost>> {
        let Some(world) = env.world else { return Ok(None) };
        let metrics = world.metrics;
        let of = bound.of.as_deref();
        let measured = match bound.metric {
            Metric::Messages => metrics.messages_of(of),
            Metric::MessagesToSelf => metrics.messages_to_self_of(of),
            Metric::Bits => metrics.bits_of(of),
            Metric::Time => u64::from(metrics.time),
            Metric::Rounds if !env.instance.model.has_rounds() => return Ok(None),
            Metric::Rounds => metrics.rounds,
        };
        let operations = bound.per.map(|operation| metrics.returns[operation as usize]);
        let limit = i128::from(eval::word(&bound.limit, env)?) * i128::from(operations.unwrap_or(1));
        Ok(Some(Cost { measured: measured.into(), operations, limit, compare: bound.compare }))
    }

    /// Evaluate any `bound` or `exactly` that compares a measure with a number: also a comparison such as
    /// `messages - messages of M <= 2 * n`, and the right side of an `implies` whose left side is true.
    ///
    /// # Errors
    /// If a side cannot be evaluated.
    pub fn of(property: &Property, env: &mut Env<'_>) -> Eval<Option<Cost>> {
        if !property.binders.is_empty() {
            return Ok(None);
        }
        match &property.bound {
            Some(bound) => Cost::of_bound(bound, env),
            None => Cost::of_expr(&property.body, env),
        }
    }

    fn of_expr(body: &Expr, env: &mut Env<'_>) -> Eval<Option<Cost>> {
        match &body.kind {
            ExprKind::Implies(left, right) => match eval::truth(left, env)? {
                true => Cost::of_expr(right, env),
                false => Ok(None),
            },
            ExprKind::Compare(compare, left, right) if measures(left) || measures(right) => {
                let (a, b) = (i128::from(eval::word(left, env)?), i128::from(eval::word(right, env)?));
                let cost = |measured, limit, compare| Cost { measured, operations: None, limit, compare };
                Ok(Some(match measures(left) {
                    true => cost(a, b, *compare),
                    false => cost(b, a, compare.mirrored()),
                }))
            }
            _ => Ok(None),
        }
    }

    /// Return the comparison of [`Cost::of`]; `None` if the property does not compare a measure with a number.
    pub fn comparison(property: &Property) -> Option<Compare> {
        fn of(body: &Expr) -> Option<Compare> {
            match &body.kind {
                ExprKind::Implies(_, right) => of(right),
                ExprKind::Compare(compare, left, _) if measures(left) => Some(*compare),
                ExprKind::Compare(compare, _, right) if measures(right) => Some(compare.mirrored()),
                _ => None,
            }
        }
        match &property.bound {
            _ if !property.binders.is_empty() => None,
            Some(bound) => Some(bound.compare),
            None => of(&property.body),
        }
    }

    /// Whether each repetition of a cycle adds the same to the cost, and nothing to the limit. Causal chains may grow in some
    /// repetitions only.
    pub fn grows_evenly(property: &Property) -> bool {
        let is_count = |e: &Expr| matches!(e.kind, ExprKind::Metric { metric, .. } if metric != Metric::Time);
        match &property.bound {
            Some(bound) => bound.metric != Metric::Time && !measures(&bound.limit),
            None => match &property.body.kind {
                ExprKind::Compare(_, left, right) => {
                    is_count(left) && !measures(right) || is_count(right) && !measures(left)
                }
                _ => false,
            },
        }
    }

    /// Whether a run that has ended keeps the limit.
    pub fn is_kept(&self) -> bool {
        self.compare.holds(self.measured, self.limit)
    }
}

/// Whether the bound is a constant upper limit for the whole run. A run that exceeds it once exceeds it forever,
/// whether it ends or not. Other limits are checked at ends.
pub fn is_constant_upper_limit(bound: &Bound, program: &Program) -> bool {
    let is_upper = matches!(bound.compare, Compare::Less | Compare::LessEqual);
    is_upper && bound.per.is_none() && is_fixed(bound, program)
}

/// Whether the limit is the same in all configurations of all runs.
pub fn is_fixed(bound: &Bound, program: &Program) -> bool {
    let limit = Reads::of(&bound.limit, program);
    limit.slots.iter().all(|slots| slots.is_empty())
        && !limit.other
        && !limit.wakes
        && !limit.depends_on_run()
}

/// Whether a measure of the run occurs in the expression.
fn measures(e: &Expr) -> bool {
    let mut found = matches!(e.kind, ExprKind::Metric { .. });
    e.parts(&mut |part| found |= measures(part));
    found
}
