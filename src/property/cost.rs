//! What a run has cost against what it was bound to.

use super::Reads;
use crate::ir::{Bound, Compare, Expr, ExprKind, Program, Property};
use crate::semantics::Eval;
use crate::semantics::eval::{self, Env};
use crate::syntax::ast::Metric;

/// The two sides of a `bound` or `exactly`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    pub measured: i128,
    /// Operations that the limit is allowed for each of; None: for the run.
    pub operations: Option<u64>,
    pub limit: i128,
    pub compare: Compare,
}

impl Cost {
    /// What a plain bound compares. None where there is nothing to measure: rounds in a run without.
    pub(super) fn of_bound(bound: &Bound, env: &mut Env<'_>) -> Eval<Option<Cost>> {
        let Some(world) = env.world else { return Ok(None) };
        let metrics = world.metrics;
        let of = bound.of.as_deref();
        let measured = match bound.metric {
            Metric::Messages => metrics.messages_of(of),
            Metric::Bits => metrics.bits_of(of),
            Metric::Time => u64::from(metrics.time),
            Metric::Rounds if !env.instance.model.has_rounds() => return Ok(None),
            Metric::Rounds => metrics.rounds,
        };
        let operations = bound.per.map(|operation| metrics.returns[operation as usize]);
        let limit = i128::from(eval::word(&bound.limit, env)?) * i128::from(operations.unwrap_or(1));
        Ok(Some(Cost { measured: measured.into(), operations, limit, compare: bound.compare }))
    }

    /// The same for any `bound` or `exactly` that says how a measure compares with a number: of a whole comparison such as
    /// `messages - messages of M <= 2 * n`, and of what an `implies` leads to, where its left side is true.
    ///
    /// # Errors
    /// When a side cannot be evaluated.
    pub fn of(property: &Property, env: &mut Env<'_>) -> Eval<Option<Cost>> {
        if !property.each.is_empty() {
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
                    false => cost(b, a, turned(*compare)),
                }))
            }
            _ => Ok(None),
        }
    }

    /// How [`Cost::of`] compares. None: it is no comparison of a measure with a number.
    pub fn comparison(property: &Property) -> Option<Compare> {
        fn of(body: &Expr) -> Option<Compare> {
            match &body.kind {
                ExprKind::Implies(_, right) => of(right),
                ExprKind::Compare(compare, left, _) if measures(left) => Some(*compare),
                ExprKind::Compare(compare, _, right) if measures(right) => Some(turned(*compare)),
                _ => None,
            }
        }
        match &property.bound {
            _ if !property.each.is_empty() => None,
            Some(bound) => Some(bound.compare),
            None => of(&property.body),
        }
    }

    /// Is it kept, by a run that has ended?
    pub fn is_kept(&self) -> bool {
        let (a, b) = (self.measured, self.limit);
        match self.compare {
            Compare::Equal => a == b,
            Compare::NotEqual => a != b,
            Compare::Less => a < b,
            Compare::LessEqual => a <= b,
            Compare::Greater => a > b,
            Compare::GreaterEqual => a >= b,
        }
    }
}

/// Is it an upper limit on what is measured, for the whole run, that is the same throughout? What has exceeded it once exceeds it for ever,
/// whether the run comes to an end or not. Other limits are compared with at ends.
pub fn is_limit_throughout(bound: &Bound, program: &Program) -> bool {
    let is_upper = matches!(bound.compare, Compare::Less | Compare::LessEqual);
    is_upper && bound.per.is_none() && is_fixed(bound, program)
}

/// Is the limit the same in all configurations of all runs?
pub fn is_fixed(bound: &Bound, program: &Program) -> bool {
    let limit = Reads::of(&bound.limit, program);
    limit.slots.iter().all(|slots| slots.is_empty()) && !limit.other && !limit.wakes && !limit.of_the_run()
}

/// Does a measure of the run occur in it?
fn measures(e: &Expr) -> bool {
    let mut found = matches!(e.kind, ExprKind::Metric { .. });
    e.parts(&mut |part| found |= measures(part));
    found
}

/// `a < b` is `b > a`.
fn turned(compare: Compare) -> Compare {
    match compare {
        Compare::Equal => Compare::Equal,
        Compare::NotEqual => Compare::NotEqual,
        Compare::Less => Compare::Greater,
        Compare::LessEqual => Compare::GreaterEqual,
        Compare::Greater => Compare::Less,
        Compare::GreaterEqual => Compare::LessEqual,
    }
}
