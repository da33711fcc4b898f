//! Evaluation of expressions whose results fit a word.

use super::binders::{each, each_in_spite_of_failures};
use super::{
    Abort, Env, Eval, builtins, collections, functions, neighbourhood, no_value, ranges, truth, value,
};
use crate::ir::{
    Arith, Binder, Compare, Expr, ExprKind, Fact, NONE_WORD, Quantifier, Ranges, Slot, Type, Value,
};
use crate::source::Span;
use std::cmp::Ordering;

/// Evaluate an expression whose type fits a word.
///
/// # Errors
/// If the result does not exist: overflow, an absent key, the maximum of an empty collection.
#[inline]
pub fn word(e: &Expr, env: &mut Env<'_>) -> Eval<i64> {
    match &e.kind {
        ExprKind::Slot(Slot::Word(slot)) => Ok(env.words[*slot as usize]),
        ExprKind::Word(w) => Ok(*w),
        ExprKind::Fact(Fact::Id) => Ok(env.instance.network.id(env.process)),
        ExprKind::Compare(compare, x, y) => {
            let x = operand(x, env)?;
            let y = operand(y, env)?;
            Ok(i64::from(holds(*compare, x.cmp(&y))))
        }
        _ => other(e, env),
    }
}

/// The same without the recursive cases: most operands are slots, constants and the id.
#[inline(always)]
fn operand(e: &Expr, env: &mut Env<'_>) -> Eval<i64> {
    match &e.kind {
        ExprKind::Slot(Slot::Word(slot)) => Ok(env.words[*slot as usize]),
        ExprKind::Fact(Fact::Id) => Ok(env.instance.network.id(env.process)),
        ExprKind::Word(w) => Ok(*w),
        _ => other(e, env),
    }
}

#[inline]
pub(super) fn holds(compare: Compare, order: Ordering) -> bool {
    match compare {
        Compare::Equal => order.is_eq(),
        Compare::NotEqual => order.is_ne(),
        Compare::Less => order.is_lt(),
        Compare::LessEqual => order.is_le(),
        Compare::Greater => order.is_gt(),
        Compare::GreaterEqual => order.is_ge(),
    }
}

fn other(e: &Expr, env: &mut Env<'_>) -> Eval<i64> {
    match &e.kind {
        ExprKind::Slot(Slot::Word(_))
        | ExprKind::Word(_)
        | ExprKind::Fact(Fact::Id)
        | ExprKind::Compare(..) => word(e, env),
        ExprKind::Param(i) => Ok(env.instance.param_words[*i as usize]),
        ExprKind::Not(x) => Ok(i64::from(word(x, env)? == 0)),
        ExprKind::And(x, y) => Ok(if word(x, env)? != 0 { word(y, env)? } else { 0 }),
        ExprKind::Or(x, y) => Ok(if word(x, env)? != 0 { 1 } else { word(y, env)? }),
        ExprKind::Implies(x, y) => Ok(if word(x, env)? != 0 { word(y, env)? } else { 1 }),
        ExprKind::Negate(x) => {
            let x = word(x, env)?;
            let overflow = || Abort::new(e.span, format!("- {x} is too large for an Int"));
            x.checked_neg().ok_or_else(overflow)
        }
        ExprKind::Arith(op, x, y) => {
            let x = operand(x, env)?;
            let y = operand(y, env)?;
            checked(*op, x, y, e.span)
        }
        ExprKind::CompareValues(compare, x, y) => {
            let x = value(x, env)?;
            let y = value(y, env)?;
            Ok(i64::from(collections::compare(*compare, &x, &y)))
        }
        ExprKind::If(c, x, y) => {
            let taken = if word(c, env)? != 0 { x } else { y };
            word(taken, env)
        }
        ExprKind::Once { slot, done, value } if e.ty.is_word() => {
            once(*slot, *done, value, env)?;
            match slot {
                Slot::Word(s) => Ok(env.words[*s as usize]),
                Slot::Value(s) => Ok(env.values[*s as usize].word()),
            }
        }
        ExprKind::Let(stores, body) => {
            store_all(stores, env)?;
            word(body, env)
        }
        ExprKind::Ranged { of, ranges, what } if of.ty.is_word() => {
            let w = word(of, env)?;
            if let Ranges::Int(least, greatest) = &**ranges {
                ranges::number_within(least, greatest, w, what, e, env)?;
            }
            Ok(w)
        }
        ExprKind::Unwrap(x) if x.ty.is_word() => match word(x, env)? {
            NONE_WORD => no_value(x, e.span, env),
            w => Ok(w),
        },
        ExprKind::In(x, set) => collections::contains(x, set, env).map(i64::from),
        ExprKind::Call(f, args) if e.ty.is_word() => functions::word(*f, args, e, env),
        ExprKind::Quantified { quantifier, binders, with, body } => {
            quantified(*quantifier, binders, with.as_deref(), body, env)
        }
        ExprKind::Fact(fact) if e.ty.is_word() => builtins::word(fact, e.span, env),
        ExprKind::PortFact(fact, of) => builtins::port(*fact, of, e.span, env),
        ExprKind::RemoteState(process, states) => {
            let (p, role) = builtins::process(process, env)?;
            let world = builtins::world(e.span, env)?;
            Ok(i64::from(states[role].as_ref().is_some_and(|(slot, states)| {
                states.contains(&world.configuration.words(p)[*slot as usize])
            })))
        }
        ExprKind::ProcessFact(fact, process) => builtins::of_process(*fact, process, e.span, env),
        ExprKind::HappenedBefore(a, b) | ExprKind::Before(a, b) | ExprKind::MulticastBefore(a, b) => {
            let (a, b) = (word(a, env)?, word(b, env)?);
            let history = builtins::world(e.span, env)?.history;
            Ok(i64::from(match &e.kind {
                ExprKind::Before(..) => a < b,
                ExprKind::HappenedBefore(..) => history.happened_before(a as usize, b as usize),
                _ => history.multicast_before(a as usize, b as usize),
            }))
        }
        ExprKind::ReceivedKind(kind) => neighbourhood::received_kind(*kind, e.span, env).map(i64::from),
        ExprKind::ReceivedMessage(wanted) => {
            neighbourhood::received_message(wanted, e.span, env).map(i64::from)
        }
        ExprKind::NeighbourVariable(port, variable) if e.ty.is_word() => {
            Ok(match neighbourhood::neighbour(port, *variable, e.span, env)? {
                neighbourhood::Read::Word(w) => w,
                neighbourhood::Read::Value(v) => v.word(),
            })
        }
        ExprKind::Metric { metric, of, per } => builtins::metric(*metric, of.as_deref(), *per, e.span, env),
        // An Int in place of an optional one is a value; its `none` is not a word.
        _ => match value(e, env)? {
            Value::None if e.ty == Type::Int => no_value(e, e.span, env),
            v => Ok(v.word()),
        },
    }
}

/// Evaluate a quantifier, independent of the order of elements. `forall` is false if any element is false, else it fails if any
/// fails; `some` likewise. `count` and `sum` need all elements, so they fail if any does.
fn quantified(
    quantifier: Quantifier,
    binders: &[Binder],
    with: Option<&Expr>,
    body: &Expr,
    env: &mut Env<'_>,
) -> Eval<i64> {
    let asked = |env: &mut Env<'_>| with.map_or(Ok(true), |with| truth(with, env));
    match quantifier {
        Quantifier::Forall | Quantifier::Some => {
            let decides = quantifier == Quantifier::Some;
            let (undecided, failure) = each_in_spite_of_failures(binders, env, &mut |env, _| {
                Ok(!asked(env)? || truth(body, env)? != decides)
            })?;
            match failure {
                Some(abort) if undecided => Err(abort),
                _ => Ok(i64::from(undecided != decides)),
            }
        }
        Quantifier::Count => {
            let mut count = 0;
            each(binders, env, &mut |env, _| {
                count += i64::from(asked(env)? && truth(body, env)?);
                Ok(true)
            })?;
            Ok(count)
        }
        Quantifier::Sum => {
            let mut sum = 0;
            each(binders, env, &mut |env, _| {
                if asked(env)? {
                    sum += i128::from(word(body, env)?);
                }
                Ok(true)
            })?;
            total(sum, body.span)
        }
    }
}

/// Return a sum, computed in 128 bits so that the order of its terms does not matter.
pub(super) fn total(sum: i128, span: Span) -> Eval<i64> {
    let too_large = |_| Abort::new(span, format!("the sum {sum} is too large for an Int (64 bits)"));
    i64::try_from(sum).map_err(too_large)
}

/// Evaluate all, then store: the right sides are evaluated in the old frame.
pub fn store_all(stores: &[(Slot, Expr)], env: &mut Env<'_>) -> Eval<()> {
    if let [(slot, e)] = stores {
        return store(*slot, e, env);
    }
    let mut results = Vec::with_capacity(stores.len());
    for (slot, e) in stores {
        results.push(match slot {
            Slot::Word(_) => (word(e, env)?, None),
            Slot::Value(_) => (0, Some(value(e, env)?)),
        });
    }
    for ((slot, _), (w, v)) in stores.iter().zip(results) {
        match slot {
            Slot::Word(slot) => env.words[*slot as usize] = w,
            Slot::Value(slot) => env.values[*slot as usize] = v.unwrap_or(Value::None),
        }
    }
    Ok(())
}

/// Evaluate an expression into a slot.
#[inline]
pub(super) fn store(slot: Slot, e: &Expr, env: &mut Env<'_>) -> Eval<()> {
    match slot {
        Slot::Word(slot) => env.words[slot as usize] = word(e, env)?,
        Slot::Value(slot) => env.values[slot as usize] = value(e, env)?,
    }
    Ok(())
}

/// Checked arithmetic: None if the result does not fit 64 bits or does not exist. `div` rounds down, and `x = (x div y) * y + x
/// mod y`.
#[inline]
pub(in crate::semantics) fn arithmetic(op: Arith, x: i64, y: i64) -> Option<i64> {
    match op {
        Arith::Add => x.checked_add(y),
        Arith::Subtract => x.checked_sub(y),
        Arith::Multiply => x.checked_mul(y),
        Arith::Div => {
            let down = |q: i64| if x % y != 0 && (x < 0) != (y < 0) { q - 1 } else { q };
            x.checked_div(y).map(down)
        }
        Arith::Mod if y == -1 => Some(0),
        Arith::Mod => {
            let up = |r: i64| if r != 0 && (r < 0) != (y < 0) { r + y } else { r };
            x.checked_rem(y).map(up)
        }
    }
}

/// Compute the value of `Once` unless it is cached.
pub(super) fn once(slot: Slot, done: Slot, inner: &Expr, env: &mut Env<'_>) -> Eval<()> {
    let Slot::Word(done) = done else { return Ok(()) };
    if env.words[done as usize] == 0 {
        match slot {
            Slot::Word(s) => env.words[s as usize] = word(inner, env)?,
            Slot::Value(s) => env.values[s as usize] = value(inner, env)?,
        }
        env.words[done as usize] = 1;
    }
    Ok(())
}

/// Return the error for which `arithmetic` returned None.
#[cold]
pub(in crate::semantics) fn overflow(op: Arith, x: i64, y: i64, span: Span) -> Box<Abort> {
    let sign = match op {
        Arith::Add => "+",
        Arith::Subtract => "-",
        Arith::Multiply => "*",
        Arith::Div => "div",
        Arith::Mod => "mod",
    };
    Abort::new(
        span,
        if matches!(op, Arith::Div | Arith::Mod) && y == 0 {
            format!("division by zero: {x} {sign} 0")
        } else {
            format!("{x} {sign} {y} is too large for an Int (64 bits)")
        },
    )
}

pub(super) fn checked(op: Arith, x: i64, y: i64, span: Span) -> Eval<i64> {
    arithmetic(op, x, y).ok_or_else(|| overflow(op, x, y, span))
}
