//! Built-in functions of the language.

use super::word::total;
use super::{Env, Eval, abort, chance, collections::elements_of, collections::len};
use crate::ids::ProcessId;
use crate::ir::{Builtin, Expr, Type, Value};
use std::sync::Arc;

/// Evaluate a call whose result fits a word.
pub(super) fn word(f: Builtin, args: &[Expr], e: &Expr, env: &mut Env<'_>) -> Eval<i64> {
    use super::word;
    match f {
        Builtin::Max | Builtin::Min => {
            let mut best = word(&args[0], env)?;
            for arg in &args[1..] {
                let w = word(arg, env)?;
                best = if f == Builtin::Max { best.max(w) } else { best.min(w) };
            }
            Ok(best)
        }
        Builtin::Abs => {
            let x = word(&args[0], env)?;
            match x.checked_abs() {
                Some(w) => Ok(w),
                None => abort(e.span, format!("abs({x}) is too large for an Int")),
            }
        }
        Builtin::Log2Floor | Builtin::Log2Ceil => {
            let x = word(&args[0], env)?;
            if x < 1 {
                return abort(e.span, format!("the logarithm of {x} is undefined"));
            }
            Ok(if f == Builtin::Log2Floor {
                i64::from(x.ilog2())
            } else {
                i64::from(crate::semantics::metrics::log2_ceil(x as u64))
            })
        }
        Builtin::Pow => {
            let (base, exponent) = (word(&args[0], env)?, word(&args[1], env)?);
            if exponent < 0 {
                return abort(e.span, format!("pow({base}, {exponent}) is not an Int"));
            }
            match power(base, exponent) {
                Some(w) => Ok(w),
                None => abort(e.span, format!("pow({base}, {exponent}) is too large for an Int")),
            }
        }
        Builtin::IdNumber | Builtin::IdOfNumber => word(&args[0], env),
        Builtin::Size => {
            let of = super::value(&args[0], env)?;
            Ok(match &of {
                Value::Text(text) => text.chars().count() as i64,
                Value::Map(items) => items.len() as i64,
                Value::Set(items) => items.len() as i64,
                Value::List(items) => items.len() as i64,
                _ => 0,
            })
        }
        Builtin::Sum => {
            let of = super::value(&args[0], env)?;
            env.count_visits(len(&of), e.span)?;
            total(elements_of(&of).map(|item| i128::from(item.word())).sum(), e.span)
        }
        Builtin::Coin => chance::coin(&args[0], &args[1], e.span, env),
        Builtin::WeightAt => super::builtins::weight_at(&args[0], &args[1], env),
        Builtin::Across => super::builtins::across(&args[0], &args[1], env),
        Builtin::Connects => {
            let edges = super::value(&args[0], env)?;
            Ok(i64::from(super::builtins::connects(&edges, env)))
        }
        Builtin::FarEnd => super::builtins::far_end(&args[0], &args[1], env),
        Builtin::PortTo => super::builtins::port_to(&args[0], &args[1], e.span, env),
        _ => value(f, args, e, env).map(|v| v.word()),
    }
}

/// Return `base` to the power of `exponent`. `None`: the result is not a 64-bit integer.
pub(in crate::semantics) fn power(base: i64, exponent: i64) -> Option<i64> {
    let fits = u32::try_from(exponent).ok().and_then(|x| base.checked_pow(x));
    match (fits, base) {
        (Some(w), _) => Some(w),
        (None, _) if exponent < 0 => None,
        (None, 0 | 1) => Some(base),
        (None, -1) => Some(if exponent % 2 == 0 { 1 } else { -1 }),
        _ => None,
    }
}

/// Evaluate a call whose result does not fit a word, or is an element of a collection.
pub(super) fn value(f: Builtin, args: &[Expr], e: &Expr, env: &mut Env<'_>) -> Eval<Value> {
    if matches!(f, Builtin::Max | Builtin::Min) {
        let mut best = super::value(&args[0], env)?;
        for arg in &args[1..] {
            let v = super::value(arg, env)?;
            best = if f == Builtin::Max { best.max(v) } else { best.min(v) };
        }
        return Ok(best);
    }
    if f == Builtin::Random {
        return chance::random(&args[0], e.span, env);
    }
    let Some(first) = args.first() else {
        return abort(e.span, "this function needs an argument");
    };
    let of = super::value(first, env)?;
    if !matches!(f, Builtin::Head | Builtin::Last) {
        env.count_visits(len(&of), e.span)?;
    }
    let found = match f {
        Builtin::MaxOf => elements_of(&of).max().cloned().ok_or("the maximum"),
        Builtin::MinOf => elements_of(&of).min().cloned().ok_or("the minimum"),
        Builtin::Head => elements_of(&of).next().cloned().ok_or("the head"),
        Builtin::Last => match &of {
            Value::List(items) => items.back().cloned(),
            _ => elements_of(&of).last().cloned(),
        }
        .ok_or("the last element"),
        Builtin::Tail => match of {
            Value::List(mut items) => {
                let left = Arc::make_mut(&mut items).pop_front();
                left.map(|_| Value::List(items)).ok_or("the tail")
            }
            other => Ok(other),
        },
        Builtin::Keys => Ok(Value::set(elements_of(&of).cloned())),
        Builtin::Values => match &of {
            Value::Map(items) if matches!(e.ty, Type::Set(_)) => Ok(Value::set(items.values().cloned())),
            Value::Map(items) => Ok(Value::list(items.values().cloned())),
            _ => Ok(of),
        },
        Builtin::Sort | Builtin::ToList => {
            let mut items: Vec<Value> = elements_of(&of).cloned().collect();
            if f == Builtin::Sort {
                items.sort();
            }
            Ok(Value::list(items))
        }
        Builtin::ToSet => Ok(Value::set(elements_of(&of).cloned())),
        Builtin::ToMap => {
            let pair = |v: &Value| match v {
                Value::Tuple(pair) if pair.len() == 2 => Some((pair[0].clone(), pair[1].clone())),
                _ => None,
            };
            Ok(Value::map(elements_of(&of).filter_map(pair)))
        }
        Builtin::IdsOf => {
            let network = &env.instance.network;
            let id = |v: &Value| match v {
                Value::Process(p) => Value::Id(network.id(ProcessId(*p as u32))),
                other => other.clone(),
            };
            Ok(Value::set(elements_of(&of).map(id)))
        }
        _ => word(f, args, e, env).map(|w| Ok(Value::from_word(&e.ty, w)))?,
    };
    match found {
        Ok(v) => Ok(v),
        Err(what) => abort(e.span, format!("{what} of an empty collection is undefined")),
    }
}
