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

/// Calls `f` for every combination, with the element of the last binder, while it says true. False: stopped early. The first failure
/// ends it.
pub fn each(
    binders: &[Binder],
    env: &mut Env<'_>,
    f: &mut dyn FnMut(&mut Env<'_>, &Value) -> Eval<bool>,
) -> Eval<bool> {
    every(binders, None, env, f, &mut Err)
}

/// The same, but a combination that fails does not end the iteration. Returns also the first failure.
pub fn each_in_spite_of_failures(
    binders: &[Binder],
    env: &mut Env<'_>,
    f: &mut dyn FnMut(&mut Env<'_>, &Value) -> Eval<bool>,
) -> Eval<(bool, Option<Box<Abort>>)> {
    let mut first = None;
    let all = every(binders, None, env, f, &mut |abort| {
        first.get_or_insert(abort);
        Ok(true)
    })?;
    Ok((all, first))
}

/// A name with its element, and the names around it.
struct Bound<'a> {
    binder: &'a Binder,
    element: &'a Value,
    outer: Option<&'a Bound<'a>>,
}

/// Call `f` for every combination; `failed` handles a combination that fails, and decides whether to go on.
fn every(
    binders: &[Binder],
    outer: Option<&Bound<'_>>,
    env: &mut Env<'_>,
    f: &mut dyn FnMut(&mut Env<'_>, &Value) -> Eval<bool>,
    failed: &mut dyn FnMut(Box<Abort>) -> Eval<bool>,
) -> Eval<bool> {
    let Some((first, rest)) = binders.split_first() else {
        return f(env, &Value::None).or_else(|abort| failed(for_whom(outer, abort, env)));
    };
    if let ExprKind::Range(lo, hi) = &first.set.kind {
        // Without making the set: ranges may be long.
        let (lo, hi) = match word(lo, env).and_then(|lo| Ok((lo, word(hi, env)?))) {
            Ok(ends) => ends,
            Err(abort) => return failed(for_whom(outer, abort, env)),
        };
        for i in lo..=hi {
            if !one(first, &Value::Int(i), rest, outer, env, f, failed)? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    let set = match value(&first.set, env) {
        Ok(set) => set,
        Err(abort) => return failed(for_whom(outer, abort, env)),
    };
    for element in collections::elements_of(&set) {
        if !one(first, element, rest, outer, env, f, failed)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn one(
    binder: &Binder,
    element: &Value,
    rest: &[Binder],
    outer: Option<&Bound<'_>>,
    env: &mut Env<'_>,
    f: &mut dyn FnMut(&mut Env<'_>, &Value) -> Eval<bool>,
    failed: &mut dyn FnMut(Box<Abort>) -> Eval<bool>,
) -> Eval<bool> {
    // The limit of work ends the whole: it is no failure of this element.
    env.look_at(1, binder.set.span)?;
    // Elements of another shape are passed over.
    if !bind(&binder.pattern, element, env.words, env.values) {
        return Ok(true);
    }
    let bound = Bound { binder, element, outer };
    if !rest.is_empty() {
        return every(rest, Some(&bound), env, f, failed);
    }
    f(env, element).or_else(|abort| failed(for_whom(Some(&bound), abort, env)))
}

/// Add the values of the names to a failure, the outermost first. Only a property needs them: a process knows its own variables.
#[cold]
fn for_whom(mut bound: Option<&Bound<'_>>, mut abort: Box<Abort>, env: &Env<'_>) -> Box<Abort> {
    while let Some(Bound { binder, element, outer }) = bound {
        if env.process == NOBODY && !matches!(binder.pattern, Pattern::Wildcard) {
            abort.bindings.insert(0, (binder.name.clone(), env.show(element)));
        }
        bound = *outer;
    }
    abort
}
