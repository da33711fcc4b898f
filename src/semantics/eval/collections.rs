//! Sets, lists and maps.

use super::word::holds;
use super::{Env, Eval, MAX_ELEMENTS, abort, value, word};
use crate::ir::{CollectionOp, Compare, Expr, ExprKind, Slot, SortedMap, Value};
use crate::source::Span;
use std::sync::Arc;

/// Return the elements of a set (ascending) or list, or the keys of a map; `none` has none.
pub fn elements_of(collection: &Value) -> Box<dyn Iterator<Item = &Value> + '_> {
    match collection {
        Value::Set(items) => Box::new(items.iter()),
        Value::List(items) => Box::new(items.iter()),
        Value::Map(items) => Box::new(items.keys()),
        _ => Box::new(std::iter::empty()),
    }
}

/// Compare two values: sets by inclusion, maps pointwise, everything else by order.
pub(super) fn compare(how: Compare, x: &Value, y: &Value) -> bool {
    match (how, x, y) {
        (Compare::Equal, ..) => x == y,
        (Compare::NotEqual, ..) => x != y,
        (_, Value::Set(_), Value::Set(_)) | (_, Value::Map(_), Value::Map(_)) => match how {
            Compare::LessEqual => is_at_most(x, y),
            Compare::Less => x != y && is_at_most(x, y),
            Compare::GreaterEqual => is_at_most(y, x),
            _ => x != y && is_at_most(y, x),
        },
        _ => holds(how, x.cmp(y)),
    }
}

/// Return whether a set is included in another one, or a map is at most another one: that has every key of it, with at least its value.
fn is_at_most(x: &Value, y: &Value) -> bool {
    match (x, y) {
        (Value::Set(x), Value::Set(y)) => x.is_subset(y),
        (Value::Map(x), Value::Map(y)) => x
            .iter()
            .all(|(key, value)| y.get(key).is_some_and(|other| compare(Compare::LessEqual, value, other))),
        _ => x <= y,
    }
}

fn is_in(x: &Value, collection: &Value) -> bool {
    match collection {
        Value::Set(items) => items.contains(x),
        Value::Map(items) => items.contains_key(x),
        Value::List(items) => items.contains(x),
        _ => false,
    }
}

pub(super) fn contains(x: &Expr, set: &Expr, env: &mut Env<'_>) -> Eval<bool> {
    if let ExprKind::Range(lo, hi) = &set.kind {
        // Both ends are evaluated, as in the construction of the range.
        let (x, lo, hi) = (word(x, env)?, word(lo, env)?, word(hi, env)?);
        return Ok((lo..=hi).contains(&x));
    }
    let x = value(x, env)?;
    // Only lists are searched linearly.
    let looked_at = |set: &Value| match set {
        Value::List(items) => items.len(),
        _ => 0,
    };
    if let ExprKind::Slot(Slot::Value(slot)) = &set.kind {
        env.count_visits(looked_at(&env.values[*slot as usize]), set.span)?;
        return Ok(is_in(&x, &env.values[*slot as usize]));
    }
    let of = value(set, env)?;
    env.count_visits(looked_at(&of), set.span)?;
    Ok(is_in(&x, &of))
}

pub(super) fn index(whole: &Value, at: &Value, span: Span, env: &Env<'_>) -> Eval<Value> {
    match whole {
        Value::Map(items) => match items.get(at) {
            Some(item) => Ok(item.clone()),
            None => {
                let (at, whole) = (env.show(at), env.show(whole));
                abort(span, format!("key {at} is not in {whole}"))
            }
        },
        Value::List(items) => Ok(items[position_in(items.len(), at, span)?].clone()),
        _ => abort(span, format!("{} cannot be indexed", env.show(whole))),
    }
}

/// Return the index into a list of this length.
pub(in crate::semantics) fn position_in(len: usize, at: &Value, span: Span) -> Eval<usize> {
    let i = at.word();
    match usize::try_from(i) {
        Ok(i) if i < len => Ok(i),
        _ => abort(span, format!("index {i} is outside a list of length {len}")),
    }
}

/// Insert an entry for an absent key.
pub(in crate::semantics) fn insert_key<'a>(
    map: &'a mut SortedMap<Value, Value>,
    key: &Value,
) -> &'a mut Value {
    map.get_or_insert(key.clone(), Value::None)
}

pub(super) fn range(lo: &Expr, hi: &Expr, span: Span, env: &mut Env<'_>) -> Eval<Value> {
    let (lo, hi) = (word(lo, env)?, word(hi, env)?);
    // In 128 bits: the ends may be as far apart as numbers can be.
    let size = (i128::from(hi) - i128::from(lo) + 1).max(0);
    if size > MAX_ELEMENTS as i128 {
        return abort(span, format!("{lo}..{hi} has more than {MAX_ELEMENTS} elements"));
    }
    env.count_visits(size as usize, span)?;
    Ok(Value::set((lo..=hi).map(Value::Int)))
}

pub(super) fn len(of: &Value) -> usize {
    match of {
        Value::Set(items) => items.len(),
        Value::List(items) => items.len(),
        Value::Map(items) => items.len(),
        _ => 0,
    }
}

/// Return the number of elements that must be visited to combine these two.
pub(in crate::semantics) fn effort(op: CollectionOp, x: &Value, y: &Value) -> usize {
    match (op, x) {
        (CollectionOp::Difference | CollectionOp::Intersect, Value::List(x))
            if matches!(y, Value::List(_)) =>
        {
            x.len().saturating_mul(len(y))
        }
        (
            CollectionOp::Difference | CollectionOp::Intersect | CollectionOp::RemoveElement,
            Value::List(x),
        ) => x.len(),
        (CollectionOp::Union, Value::Set(x)) => x.len().min(len(y)),
        (CollectionOp::Intersect, Value::Set(x)) => x.len(),
        _ => len(y),
    }
}

/// Return the number of elements that a change copies: none if the value is not shared.
pub(super) fn copied(x: &Value) -> usize {
    let shared = match x {
        Value::Set(items) => Arc::strong_count(items) > 1,
        Value::List(items) => Arc::strong_count(items) > 1,
        Value::Map(items) => Arc::strong_count(items) > 1,
        _ => false,
    };
    if shared { len(x) } else { 0 }
}

/// Combine two collections, in place if the left side is not shared.
pub(in crate::semantics) fn combine(op: CollectionOp, x: Value, y: Value) -> Value {
    match (op, x, y) {
        (CollectionOp::Union, Value::Set(mut x), Value::Set(y)) => {
            if x.len() < y.len() {
                let mut y = y;
                Arc::make_mut(&mut y).extend(x.iter().cloned());
                return Value::Set(y);
            }
            Arc::make_mut(&mut x).extend(y.iter().cloned());
            Value::Set(x)
        }
        (CollectionOp::Union, Value::List(mut x), Value::List(y)) => {
            Arc::make_mut(&mut x).extend(y.iter().cloned());
            Value::List(x)
        }
        (CollectionOp::Union, Value::Map(mut x), Value::Map(y)) => {
            let pairs = y.iter().map(|(k, v)| (k.clone(), v.clone()));
            Arc::make_mut(&mut x).extend(pairs);
            Value::Map(x)
        }
        (CollectionOp::Difference, Value::Set(mut x), y) => {
            let items = Arc::make_mut(&mut x);
            for item in elements_of(&y) {
                items.remove(item);
            }
            Value::Set(x)
        }
        (CollectionOp::Difference, Value::List(mut x), y) => {
            Arc::make_mut(&mut x).retain(|item| !is_in(item, &y));
            Value::List(x)
        }
        (CollectionOp::Difference, Value::Map(mut x), y) => {
            let items = Arc::make_mut(&mut x);
            for key in elements_of(&y) {
                items.remove(key);
            }
            Value::Map(x)
        }
        (CollectionOp::Intersect, Value::Set(mut x), Value::Set(y)) => {
            Arc::make_mut(&mut x).retain(|item| y.contains(item));
            Value::Set(x)
        }
        (CollectionOp::Intersect, Value::List(mut x), y) => {
            Arc::make_mut(&mut x).retain(|item| is_in(item, &y));
            Value::List(x)
        }
        (CollectionOp::RemoveElement, Value::Set(mut x), y) => {
            Arc::make_mut(&mut x).remove(&y);
            Value::Set(x)
        }
        (CollectionOp::RemoveElement, Value::List(mut x), y) => {
            Arc::make_mut(&mut x).retain(|item| *item != y);
            Value::List(x)
        }
        (CollectionOp::RemoveElement, Value::Map(mut x), y) => {
            Arc::make_mut(&mut x).remove(&y);
            Value::Map(x)
        }
        // `check` rules out all other combinations.
        (_, x, _) => x,
    }
}
