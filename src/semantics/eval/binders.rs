//! Names that range over sets, and patterns that take values apart.

use super::{Abort, Env, Eval, NOBODY, collections, value, word};
use crate::ir::{Binder, ExprKind, Pattern, Slot, Value};

/// Does the value have this shape? If so its parts are bound; if not nothing is.
pub fn bind(pattern: &Pattern, value: &Value, words: &mut [i64], values: &mut [Value]) -> bool {
    if !fits(pattern, value) {
        return false;
    }
    store(pattern, value, words, values);
    true
}

/// The shape alone.
pub(in crate::semantics) fn fits(pattern: &Pattern, value: &Value) -> bool {
    match (pattern, value) {
        (Pattern::Wildcard | Pattern::Slot(_), _) => true,
        (Pattern::Tuple(parts), Value::Tuple(values) | Value::Record(_, values)) => fit_all(parts, values),
        (Pattern::Message(kind, parts), Value::Message(k, values)) => kind == k && fit_all(parts, values),
        _ => false,
    }
}

fn fit_all(patterns: &[Pattern], values: &[Value]) -> bool {
    patterns.len() == values.len() && patterns.iter().zip(values).all(|(p, v)| fits(p, v))
}

/// Binds a value whose shape fits.
pub(in crate::semantics) fn store(pattern: &Pattern, value: &Value, words: &mut [i64], values: &mut [Value]) {
    match (pattern, value) {
        (Pattern::Slot(Slot::Word(slot)), v) => words[*slot as usize] = v.word(),
        (Pattern::Slot(Slot::Value(slot)), v) => values[*slot as usize] = v.clone(),
        (
            Pattern::Tuple(patterns) | Pattern::Message(_, patterns),
            Value::Tuple(parts) | Value::Record(_, parts) | Value::Message(_, parts),
        ) => {
            for (pattern, part) in patterns.iter().zip(parts.iter()) {
                store(pattern, part, words, values);
            }
        }
        _ => {}
    }
}

/// Calls `f` for every combination, with the element of the last binder, while it says true. False: stopped early.
pub fn each(
    binders: &[Binder],
    env: &mut Env<'_>,
    f: &mut dyn FnMut(&mut Env<'_>, &Value) -> Eval<bool>,
) -> Eval<bool> {
    let Some((first, rest)) = binders.split_first() else {
        return f(env, &Value::None);
    };
    if let ExprKind::Range(lo, hi) = &first.set.kind {
        // Without making the set: ranges may be long.
        for i in word(lo, env)?..=word(hi, env)? {
            if !one(first, &Value::Int(i), rest, env, f)? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    let set = value(&first.set, env)?;
    for element in collections::elements_of(&set) {
        if !one(first, element, rest, env, f)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn one(
    binder: &Binder,
    element: &Value,
    rest: &[Binder],
    env: &mut Env<'_>,
    f: &mut dyn FnMut(&mut Env<'_>, &Value) -> Eval<bool>,
) -> Eval<bool> {
    env.look_at(1, binder.set.span)?;
    // Elements of another shape are passed over.
    if !bind(&binder.pattern, element, env.words, env.values) {
        return Ok(true);
    }
    let result = if rest.is_empty() { f(env, element) } else { each(rest, env, f) };
    result.map_err(|abort| for_whom(binder, element, abort, env))
}

/// What went wrong for this element: processes know who they are, but whoever reads of a property does not.
#[cold]
fn for_whom(binder: &Binder, element: &Value, mut abort: Box<Abort>, env: &Env<'_>) -> Box<Abort> {
    if env.process == NOBODY && !matches!(binder.pattern, Pattern::Wildcard) {
        abort.bindings.insert(0, (binder.name.clone(), env.show(element)));
    }
    abort
}
