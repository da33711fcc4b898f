//! `coin` and `random`: the only expressions whose value the configuration does not determine.

use super::{Env, Eval, abort, collections::elements_of, value, word};
use crate::ir::{Expr, ExprKind, Value};
use crate::semantics::choice::{Chooser, Odds};
use crate::semantics::orders::{ChoiceOrders, to_outside_view};
use crate::source::Span;
use smallvec::SmallVec;

/// Source and record of the random draws of a command.
pub struct Chance<'a> {
    pub chooser: &'a mut dyn Chooser,
    pub choices: &'a mut SmallVec<[u32; 2]>,
    pub told: &'a mut ChoiceOrders,
}

impl Env<'_> {
    /// Draw an outcome. Probabilities 0 and 1 leave no choice and do not reach this function.
    fn draw(&mut self, odds: Odds, span: Span, value: &dyn Fn(usize) -> Option<Value>) -> Eval<u32> {
        let Some(chance) = &mut self.chance else {
            // `check` permits draws in commands only.
            return abort(span, "random draws are possible only in commands");
        };
        let Chance { chooser, told, .. } = chance;
        let outcome = told.choose(self.process, odds.outcomes(), value, || chooser.draw(odds)) as u32;
        chance.choices.push(outcome);
        Ok(outcome)
    }
}

/// Return true with probability `numerator / denominator`.
pub(super) fn coin(numerator: &Expr, denominator: &Expr, span: Span, env: &mut Env<'_>) -> Eval<i64> {
    let (numerator, denominator) = (word(numerator, env)?, word(denominator, env)?);
    if denominator == 0 {
        return abort(span, format!("division by zero: the probability {numerator}/0"));
    }
    // Normalize the signs: `-1 / -2` is one half.
    let (above, below) = (numerator.unsigned_abs(), denominator.unsigned_abs());
    let negative = numerator != 0 && (numerator < 0) != (denominator < 0);
    if negative || above > below {
        return abort(span, format!("the probability {numerator}/{denominator} is not between 0 and 1"));
    }
    if above == 0 || above == below {
        return Ok(i64::from(above != 0));
    }
    let odds = Odds::Coin { numerator: above, denominator: below };
    env.draw(odds, span, &|outcome| Some(Value::Bool(outcome == 1))).map(i64::from)
}

/// Return an element of a set or list, uniformly distributed over positions.
pub(super) fn random(of: &Expr, span: Span, env: &mut Env<'_>) -> Eval<Value> {
    if let ExprKind::Range(lo, hi) = &of.kind {
        // The set is not constructed, since labels are often drawn from large ranges.
        let (lo, hi) = (word(lo, env)?, word(hi, env)?);
        if lo > hi {
            return nothing(span);
        }
        let outcomes = hi.abs_diff(lo).saturating_add(1);
        let Ok(outcomes) = u32::try_from(outcomes) else {
            return abort(span, format!("{lo}..{hi} has more than {} elements to draw from", u32::MAX));
        };
        let of = |outcome: usize| Some(Value::Int(lo + outcome as i64));
        let chosen = if outcomes == 1 { 0 } else { env.draw(Odds::Uniform(outcomes), span, &of)? };
        return Ok(Value::Int(lo + i64::from(chosen)));
    }
    let set = value(of, env)?;
    let outcomes = elements_of(&set).count();
    let chosen = match u32::try_from(outcomes) {
        Ok(0) => return nothing(span),
        Ok(1) => 0,
        Ok(outcomes) => {
            let (instance, process) = (env.instance, env.process);
            env.draw(Odds::Uniform(outcomes), span, &|outcome| {
                elements_of(&set).nth(outcome).map(|element| to_outside_view(instance, process, element))
            })?
        }
        Err(_) => return abort(span, format!("{outcomes} elements are too many to draw from")),
    };
    match elements_of(&set).nth(chosen as usize) {
        Some(element) => Ok(element.clone()),
        None => nothing(span),
    }
}

#[cold]
fn nothing<T>(span: Span) -> Eval<T> {
    abort(span, "the collection to draw from is empty")
}
