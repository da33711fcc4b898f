//! Evaluation of expressions whose results do not fit a word.

use super::binders::each;
use super::word::{once, store_all};
use super::{
    Env, Eval, MAX_ELEMENTS, abort, builtins, collections, functions, neighbourhood, no_value, ranges, size,
    word,
};
use crate::ir::{Binder, Expr, ExprKind, HistoryKind, NONE_WORD, ProcessFact, Slot, Type, Value};
use crate::source::Span;

/// Evaluate any expression.
///
/// # Errors
/// The same as for [`word`].
pub fn value(e: &Expr, env: &mut Env<'_>) -> Eval<Value> {
    match &e.kind {
        ExprKind::Slot(Slot::Value(slot)) => Ok(env.values[*slot as usize].clone()),
        ExprKind::Const(v) => Ok(v.clone()),
        ExprKind::Param(i) => Ok(env.instance.params[*i as usize].clone()),
        ExprKind::Tuple(parts) => Ok(Value::tuple(values(parts, env)?)),
        ExprKind::Record(of, parts) => Ok(Value::Record(*of, values(parts, env)?.into())),
        ExprKind::Message(kind, parts) => Ok(Value::Message(*kind, values(parts, env)?.into())),
        ExprKind::List(items) => Ok(Value::list(values(items, env)?)),
        ExprKind::Set(items) => Ok(Value::set(values(items, env)?)),
        ExprKind::Map(items) => {
            let mut pairs = Vec::with_capacity(items.len());
            for (key, item) in items {
                pairs.push((value(key, env)?, value(item, env)?));
            }
            Ok(Value::map(pairs))
        }
        ExprKind::Ranged { of, ranges, what } => {
            let v = value(of, env)?;
            ranges::check_ranges(ranges, &v, what, e, env)?;
            Ok(v)
        }
        ExprKind::Unwrap(x) if !x.ty.is_word() => match value(x, env)? {
            Value::None => no_value(x, e.span, env),
            v => Ok(v),
        },
        ExprKind::If(c, x, y) => {
            let taken = if word(c, env)? != 0 { x } else { y };
            value(taken, env)
        }
        ExprKind::Once { slot: Slot::Value(slot), done, value } => {
            once(Slot::Value(*slot), *done, value, env)?;
            Ok(env.values[*slot as usize].clone())
        }
        ExprKind::Let(stores, body) => {
            store_all(stores, env)?;
            value(body, env)
        }
        ExprKind::Part(of, i) => {
            let whole = value(of, env)?;
            match &whole {
                Value::Tuple(parts) | Value::Record(_, parts) | Value::Message(_, parts)
                    if *i < parts.len() =>
                {
                    Ok(parts[*i].clone())
                }
                _ => abort(e.span, format!("{} has no component {}", env.show(&whole), i + 1)),
            }
        }
        ExprKind::Index(of, at) => {
            let whole = value(of, env)?;
            let at = value(at, env)?;
            collections::index(&whole, &at, e.span, env)
        }
        ExprKind::Collection(op, x, y) => {
            let x = value(x, env)?;
            let y = value(y, env)?;
            env.count_visits(collections::effort(*op, &x, &y) + collections::copied(&x), e.span)?;
            let found = collections::combine(*op, x, y);
            size::limited(&found, e.span)?;
            Ok(found)
        }
        ExprKind::Range(lo, hi) => collections::range(lo, hi, e.span, env),
        ExprKind::Call(f, args) if !e.ty.is_word() => functions::value(*f, args, e, env),
        ExprKind::Comprehension { list, binders, condition, element } => {
            let found = elements(binders, condition.as_deref(), element.as_deref(), e.span, env)?;
            Ok(if *list { Value::list(found) } else { Value::set(found) })
        }
        ExprKind::Best { greatest, binder, with, by } => {
            best(*greatest, binder, with.as_deref(), by.as_deref(), env)
        }
        ExprKind::Fact(fact) if !e.ty.is_word() => builtins::value(fact, e.span, env),
        ExprKind::Remote(process, slots) => remote_variable(process, slots, e, env),
        ExprKind::ProcessFact(ProcessFact::Neighbours, process) => builtins::neighbours_of(process, env),
        ExprKind::EventFact(fact, event) => builtins::of_event(*fact, event, e.span, env),
        ExprKind::History(what, of) => {
            let what: HistoryKind = *what;
            let history = builtins::world(e.span, env)?.history;
            let fits = history.entries().iter().enumerate();
            Ok(Value::list(
                fits.filter(|(_, entry)| entry.what == what && entry.of == *of)
                    .map(|(i, _)| Value::Event(i as i64)),
            ))
        }
        ExprKind::Received => neighbourhood::received(e, env),
        ExprKind::NeighbourVariable(port, variable) if !e.ty.is_word() => {
            Ok(match neighbourhood::neighbour(port, *variable, e.span, env)? {
                neighbourhood::Read::Value(v) => v,
                neighbourhood::Read::Word(w) => Value::Int(w),
            })
        }
        // All other results fit a word.
        _ => Ok(Value::from_word(&e.ty, word(e, env)?)),
    }
}

/// Return the elements of a comprehension, in the order of its binders.
fn elements(
    binders: &[Binder],
    condition: Option<&Expr>,
    element: Option<&Expr>,
    span: Span,
    env: &mut Env<'_>,
) -> Eval<Vec<Value>> {
    let mut found = Vec::new();
    each(binders, env, &mut |env, own| {
        if let Some(condition) = condition
            && word(condition, env)? == 0
        {
            return Ok(true);
        }
        if found.len() >= MAX_ELEMENTS {
            return size::too_many(span);
        }
        found.push(match element {
            Some(element) => value(element, env)?,
            None => own.clone(),
        });
        Ok(true)
    })?;
    Ok(found)
}

/// Return the first element with the greatest or least key; none if there is no element.
fn best(
    greatest: bool,
    binder: &Binder,
    with: Option<&Expr>,
    by: Option<&Expr>,
    env: &mut Env<'_>,
) -> Eval<Value> {
    let mut best: Option<(Value, Value)> = None;
    each(std::slice::from_ref(binder), env, &mut |env, own| {
        if let Some(with) = with
            && word(with, env)? == 0
        {
            return Ok(true);
        }
        let key = match by {
            Some(by) => value(by, env)?,
            None => own.clone(),
        };
        let better = match &best {
            None => true,
            Some((old, _)) if greatest => key > *old,
            Some((old, _)) => key < *old,
        };
        if better {
            best = Some((key, own.clone()));
        }
        Ok(true)
    })?;
    Ok(best.map_or(Value::None, |(_, element)| element))
}

/// Return the value of a variable of another process.
fn remote_variable(process: &Expr, slots: &[Option<Slot>], e: &Expr, env: &mut Env<'_>) -> Eval<Value> {
    let (p, role) = builtins::process(process, env)?;
    let world = builtins::world(e.span, env)?;
    match slots[role] {
        Some(Slot::Word(slot)) => {
            let w = world.configuration.words(p)[slot as usize];
            if w == NONE_WORD && matches!(e.ty, Type::Id | Type::Port | Type::Enum(_)) {
                return no_value(e, e.span, env);
            }
            // The variable's own type counts: it may be an option although the expression's type is not, or vice versa.
            Ok(if e.ty.is_word() { Value::from_word(&e.ty, w) } else { Value::Int(w) })
        }
        Some(Slot::Value(slot)) => match &world.configuration.values(p)[slot as usize] {
            Value::None if matches!(e.ty, Type::Tuple(_) | Type::Record(_)) => no_value(e, e.span, env),
            v => Ok(v.clone()),
        },
        None => {
            let program = &env.instance.program;
            let (name, text) = (&program.roles[role].name, program.sources.slice(e.span));
            abort(e.span, format!("{p} has role {name}, which has no such variable: `{text}`"))
        }
    }
}

fn values(items: &[Expr], env: &mut Env<'_>) -> Eval<Vec<Value>> {
    items.iter().map(|item| value(item, env)).collect()
}
