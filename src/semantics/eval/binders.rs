//! Binders that range over sets, and patterns that destructure values.

use super::{Abort, Env, Eval, NO_PROCESS, collections, value, word};
use crate::ir::{Binder, ExprKind, Pattern, Slot, Value};

/// Match the value against a pattern. On success bind its parts, otherwise nothing.
pub fn bind(pattern: &Pattern, value: &Value, words: &mut [i64], values: &mut [Value]) -> bool {
    if !fits(pattern, value) {
        return false;
    }
    store(pattern, value, words, values);
    true
}

/// Return whether the value matches the pattern, without binding.
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

/// Bind a value that matches the pattern.
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

/// Call `f` for every combination, with the element of the last binder, while it returns true. False: stopped early. The first
/// failure ends the iteration.
pub fn each(
    binders: &[Binder],
    env: &mut Env<'_>,
    f: &mut dyn FnMut(&mut Env<'_>, &Value) -> Eval<bool>,
) -> Eval<bool> {
    every(binders, None, env, f, &mut Err)
}

/// The same, but a combination that fails does not end the iteration. Return also the first failure.
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

/// A binder with its element, and the enclosing binders.
struct Bound<'a> {
    binder: &'a Binder,
    element: &'a Value,
    outer: Option<&'a Bound<'a>>,
}

/// Call `f` for every combination; `failed` handles a combination that fails, and decides whether to continue.
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
        // The set is not constructed: ranges may be long.
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
    // The work limit ends the whole evaluation: it is not a failure of this element.
    env.count_visits(1, binder.set.span)?;
    // Elements that do not match the pattern are skipped.
    if !bind(&binder.pattern, element, env.words, env.values) {
        return Ok(true);
    }
    let bound = Bound { binder, element, outer };
    if !rest.is_empty() {
        return every(rest, Some(&bound), env, f, failed);
    }
    f(env, element).or_else(|abort| failed(for_whom(Some(&bound), abort, env)))
}

/// Add the values of the binders to a failure, outermost first. Only properties need them: a process shows its own variables.
#[cold]
fn for_whom(mut bound: Option<&Bound<'_>>, mut abort: Box<Abort>, env: &Env<'_>) -> Box<Abort> {
    while let Some(Bound { binder, element, outer }) = bound {
        if env.process == NO_PROCESS && !matches!(binder.pattern, Pattern::Wildcard) {
            abort.bindings.insert(0, (binder.name.clone(), env.show(element)));
        }
        bound = *outer;
    }
    abort
}
