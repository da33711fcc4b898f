//! `coin` and `random`: the only expressions whose value the configuration does not determine.

use super::{Env, Eval, abort, collections::elements_of, value, word};
use crate::ir::{Expr, ExprKind, Value};
use crate::semantics::choice::{Chooser, Odds};
use crate::semantics::orders::{ChoiceOrders, from_outside};
use crate::source::Span;
use smallvec::SmallVec;

/// Where the draws of a command come from, and where they are recorded.
pub struct Chance<'a> {
    pub chooser: &'a mut dyn Chooser,
    pub choices: &'a mut SmallVec<[u32; 2]>,
    pub told: &'a mut ChoiceOrders,
}

impl Env<'_> {
    /// Probabilities 0 and 1 leave nothing to choose, and do not come here.
    fn draw(&mut self, odds: Odds, span: Span, value: &dyn Fn(usize) -> Option<Value>) -> Eval<u32> {
        let Some(chance) = &mut self.chance else {
            // `check` lets draws stand in commands only.
            return abort(span, "nothing can be drawn here: this is no command");
        };
        let Chance { chooser, told, .. } = chance;
        let outcome = told.choose(self.process, odds.outcomes(), value, || chooser.draw(odds)) as u32;
        chance.choices.push(outcome);
        Ok(outcome)
    }
}

/// True with probability `numerator / denominator`.
pub(super) fn coin(numerator: &Expr, denominator: &Expr, span: Span, env: &mut Env<'_>) -> Eval<i64> {
    let (numerator, denominator) = (word(numerator, env)?, word(denominator, env)?);
    if denominator == 0 {
        return abort(span, format!("division by zero: the probability {numerator}/0"));
    }
    // Both signs turned: `-1 / -2` is one half.
    let (above, below) = (numerator.unsigned_abs(), denominator.unsigned_abs());
    let negative = numerator != 0 && (numerator < 0) != (denominator < 0);
    if negative || above > below {
        return abort(
            span,
            format!("a probability lies between 0 and 1, and {numerator}/{denominator} does not"),
        );
    }
    if above == 0 || above == below {
        return Ok(i64::from(above != 0));
    }
    let odds = Odds::Coin { numerator: above, denominator: below };
    env.draw(odds, span, &|outcome| Some(Value::Bool(outcome == 1))).map(i64::from)
}

/// An element of a set or list, each place equally likely.
pub(super) fn random(of: &Expr, span: Span, env: &mut Env<'_>) -> Eval<Value> {
    if let ExprKind::Range(lo, hi) = &of.kind {
        // Without making the set: labels are often drawn from large ranges.
        let (lo, hi) = (word(lo, env)?, word(hi, env)?);
        if lo > hi {
            return nothing(span);
        }
        let outcomes = hi.abs_diff(lo).saturating_add(1);
        let Ok(outcomes) = u32::try_from(outcomes) else {
            return abort(span, format!("{lo}..{hi} has more than {} elements to draw from", u32::MAX));
        };
        let of = |outcome: usize| Some(Value::Int(lo + outcome as i64));
        let chosen = if outcomes == 1 { 0 } else { env.draw(Odds::Even(outcomes), span, &of)? };
        return Ok(Value::Int(lo + i64::from(chosen)));
    }
    let set = value(of, env)?;
    let outcomes = elements_of(&set).count();
    let chosen = match u32::try_from(outcomes) {
        Ok(0) => return nothing(span),
        Ok(1) => 0,
        Ok(outcomes) => {
            let (instance, process) = (env.instance, env.process);
            env.draw(Odds::Even(outcomes), span, &|outcome| {
                elements_of(&set).nth(outcome).map(|element| from_outside(instance, process, element))
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
    abort(span, "there is nothing to draw from")
}
