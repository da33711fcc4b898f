//! *Expressions*: the value of an expression in a scope, or the reason for its absence.

use crate::specification::builtins;
use crate::specification::choices::Choices;
use crate::specification::configuration::Configuration;
use crate::specification::module::{Component, Function};
use crate::specification::network::System;
use crate::specification::patterns::{self, Incoming};
use crate::specification::types::{default, fit};
use crate::specification::value::{Content, Evaluated, Failure, Name, Value, abort, unspecified};
use std::cell::RefCell;
use std::collections::BTreeSet;
use synod::internals::ir::{HistoryKind, Metric, Quantifier};
use synod::internals::syntax::ast::{BinaryOp, Binder, Expr, ExprKind, Pattern, UnaryOp};

/// The greatest number of elements of a collection that are enumerated.
const MAX_ELEMENTS: i128 = 4_000_000;

/// The observations of the run so far that properties and scenarios can use.
pub trait Observed {
    fn metric(&self, metric: Metric, of: &[String], per: Option<&str>) -> Evaluated;
    /// Return a list of events.
    fn history(&self, what: HistoryKind, of: &str) -> Evaluated;
    fn before(&self, a: &Value, b: &Value) -> Evaluated;
    fn happened_before(&self, a: &Value, b: &Value) -> Evaluated;
    fn multicast_before(&self, a: &Value, b: &Value) -> Evaluated;
    /// Return `e.process`, `e.nth` or `e.value`.
    fn event(&self, event: usize, field: &str) -> Evaluated;
}

/// The context in which an expression is evaluated.
#[derive(Clone)]
pub struct Scope<'a> {
    pub system: &'a System,
    pub configuration: &'a Configuration,
    /// The configuration in which the process reads the variables of others: in a joint step, the one before it.
    pub others: &'a Configuration,
    /// The process that evaluates the expression; None in properties, scenarios and parameters.
    pub process: Option<usize>,
    pub component: usize,
    pub locals: Vec<(Name, Value)>,
    /// The choices of the command; None if no draw is possible.
    pub choices: Option<&'a RefCell<Choices>>,
    pub observed: Option<&'a dyn Observed>,
    /// *Rounds*: the input of the round.
    pub heard: Option<&'a Heard>,
}

/// *Rounds*, *Radio*: the input of a process in a round.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    /// The senders and their messages, in the order of the ports they came in at (or of the senders).
    pub received: Vec<(Value, Content)>,
    /// The sound of the slot.
    pub sound: Option<Value>,
}

impl<'a> Scope<'a> {
    /// Return the scope for properties and parameters of a component.
    pub fn global(system: &'a System, configuration: &'a Configuration, component: usize) -> Scope<'a> {
        let (others, process, locals) = (configuration, None, Vec::new());
        let (choices, observed, heard) = (None, None, None);
        Scope { system, configuration, others, process, component, locals, choices, observed, heard }
    }

    pub fn here(&self) -> &'a Component {
        self.system.component(self.component)
    }

    /// Return the component, and the problem that it solves or the algorithm that solves it. Names are looked up in both.
    pub fn family(&self) -> impl Iterator<Item = usize> + use<> {
        [self.component].into_iter().chain(self.here().partner)
    }

    pub fn local(&self, name: &str) -> Option<&Value> {
        self.locals.iter().rev().find(|(n, _)| *n == name).map(|(_, v)| v)
    }

    pub fn at(&self, process: Option<usize>, component: usize) -> Scope<'a> {
        Scope { process, component, locals: Vec::new(), ..self.clone() }
    }
}

pub fn eval(expr: &'static Expr, scope: &Scope<'_>) -> Evaluated {
    let all = |exprs: &'static [Expr]| exprs.iter().map(|e| eval(e, scope)).collect::<Result<Vec<_>, _>>();
    match &expr.kind {
        ExprKind::Int(number) => Ok(Value::Int(*number)),
        ExprKind::Bool(truth) => Ok(Value::Bool(*truth)),
        ExprKind::Text(text) => Ok(Value::Text(text.clone())),
        ExprKind::None => Ok(Value::None),
        ExprKind::Any => unspecified("`any` elsewhere than as an initial value"),
        ExprKind::Name(name) => builtins::name(&name.text, scope),
        ExprKind::Unary(UnaryOp::Not, of) => Ok(Value::Bool(!eval(of, scope)?.truth()?)),
        ExprKind::Unary(UnaryOp::Negate, of) => int(-i128::from(eval(of, scope)?.number()?)),
        ExprKind::Binary(op, left, right) => binary(*op, left, right, scope),
        ExprKind::If(condition, then, otherwise) => {
            eval(if eval(condition, scope)?.truth()? { then } else { otherwise }, scope)
        }
        ExprKind::Tuple(parts) => Ok(Value::Tuple(all(parts)?)),
        ExprKind::List(elements) => Ok(Value::List(all(elements)?)),
        ExprKind::Set(elements) => Ok(Value::set(all(elements)?)),
        ExprKind::Map(pairs) => {
            let pair = |(k, v): &'static (Expr, Expr)| Ok((eval(k, scope)?, eval(v, scope)?));
            Ok(Value::Map(pairs.iter().map(pair).collect::<Result<_, Failure>>()?))
        }
        ExprKind::Index(of, index) => indexed(eval(of, scope)?, eval(index, scope)?),
        ExprKind::Field(of, name) => builtins::field(of, &name.text, scope),
        ExprKind::Call { layer, name, args } => {
            builtins::call(layer.as_ref().map(|l| l.text.as_str()), &name.text, args, scope)
        }
        ExprKind::Filter { list, pattern, set, condition } => {
            let mut kept = Vec::new();
            for element in eval(set, scope)?.elements()? {
                let Some(inner) = bound(pattern, &element, scope)? else { continue };
                if eval(condition, &inner)?.truth()? {
                    kept.push(element);
                }
            }
            Ok(if *list { Value::List(kept) } else { Value::set(kept) })
        }
        ExprKind::Comprehension { list, element, binders, condition } => {
            let mut all = Vec::new();
            comprehend(binders, condition.as_deref(), scope, &mut |inner| {
                all.push(eval(element, inner)?);
                Ok(())
            })?;
            Ok(if *list { Value::List(all) } else { Value::set(all) })
        }
        // *Of several values for one key the last counts.*
        ExprKind::MapOf(pairs) => match eval(pairs, scope)? {
            Value::List(pairs) => Ok(Value::Map(
                pairs
                    .into_iter()
                    .filter_map(|pair| match pair {
                        Value::Tuple(mut pair) if pair.len() == 2 => {
                            let value = pair.pop()?;
                            Some((pair.pop()?, value))
                        }
                        _ => None,
                    })
                    .collect(),
            )),
            pairs => unspecified(format!("{pairs:?} as a map")),
        },
        ExprKind::Quantified { quantifier, binders, with, body } => {
            let with = with.as_deref();
            match quantifier {
                Quantifier::Forall => Ok(Value::Bool(decided(binders, with, body, false, scope)?)),
                Quantifier::Some => Ok(Value::Bool(decided(binders, with, body, true, scope)?)),
                Quantifier::Count => {
                    let mut count = 0i64;
                    comprehend(binders, with, scope, &mut |inner| {
                        count += i64::from(eval(body, inner)?.truth()?);
                        Ok(())
                    })?;
                    Ok(Value::Int(count))
                }
                // *The sum of Ints is computed exactly, and fails only if the result is no Int.*
                Quantifier::Sum => {
                    let mut total = 0i128;
                    comprehend(binders, with, scope, &mut |inner| {
                        total += i128::from(eval(body, inner)?.number()?);
                        Ok(())
                    })?;
                    int(total)
                }
            }
        }
        ExprKind::Best { greatest, pattern, set, with, by } => {
            let mut best: Option<(Value, Value)> = None;
            for element in eval(set, scope)?.elements()? {
                let Some(inner) = bound(pattern, &element, scope)? else { continue };
                if with.as_ref().map_or(Ok(true), |g| eval(g, &inner)?.truth())? {
                    let key = by.as_ref().map_or(Ok(element.clone()), |by| eval(by, &inner))?;
                    let better = |(_, k): &(Value, Value)| if *greatest { key > *k } else { key < *k };
                    if best.as_ref().is_none_or(better) {
                        best = Some((element, key));
                    }
                }
            }
            Ok(best.map_or(Value::None, |(element, _)| element))
        }
        ExprKind::Arrived { .. } => Ok(Value::Bool(condition(expr, &mut scope.clone())?)),
        ExprKind::Metric { metric, of, per } => {
            let of: Vec<String> = of.iter().map(|name| name.text.clone()).collect();
            observed(scope)?.metric(*metric, &of, per.as_ref().map(|name| name.text.as_str()))
        }
        ExprKind::History { what, of } => observed(scope)?.history(*what, &of.text),
    }
}

pub fn observed<'a>(scope: &Scope<'a>) -> Result<&'a dyn Observed, Failure> {
    scope.observed.map_or_else(|| unspecified("an observation of the run where none is recorded"), Ok)
}

/// Convert an exact result to an Int; abort if it exceeds 64 bits.
pub fn int(exact: i128) -> Evaluated {
    i64::try_from(exact).map_or_else(|_| abort("an Int beyond 64 bits"), |int| Ok(Value::Int(int)))
}

/// Evaluate a condition, and bind the names of its `arrived`. *In a guard, or a part of it that `and` joins, also in the command.*
pub fn condition(expr: &'static Expr, scope: &mut Scope<'_>) -> Result<bool, Failure> {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::And, left, right) => {
            Ok(condition(left, scope)? && condition(right, scope)?)
        }
        ExprKind::Arrived { pattern, from, when } => {
            if let (Pattern::Name(message), None, None) = (pattern, from, when)
                && let Some(arrived) = builtins::has_arrived(&message.text, scope)
            {
                return Ok(arrived);
            }
            let heard = scope.heard.map_or(&[][..], |heard| &heard.received);
            let mut first = None;
            for (sender, content) in heard {
                let incoming = Incoming { content, sender };
                match patterns::received(pattern, from.as_deref(), when.as_deref(), incoming, scope) {
                    Ok(None) => {}
                    Ok(Some(names)) => {
                        scope.locals.extend(names);
                        return Ok(true);
                    }
                    Err(failure) => {
                        first.get_or_insert(failure);
                    }
                }
            }
            first.map_or(Ok(false), Err)
        }
        _ => eval(expr, scope)?.truth(),
    }
}

// ---- Operators

fn binary(op: BinaryOp, left: &'static Expr, right: &'static Expr, scope: &Scope<'_>) -> Evaluated {
    use BinaryOp::*;
    let truth = |e: &'static Expr| eval(e, scope)?.truth();
    let boolean = |truth: bool| Ok(Value::Bool(truth));
    match op {
        // *The operands of `and`, `or`, `implies` and `if` do have an order, from left to right.* Names that `arrived` binds on the left
        // may be used on the right.
        And => {
            let mut inner = scope.clone();
            return boolean(condition(left, &mut inner)? && condition(right, &mut inner)?);
        }
        Or => return boolean(truth(left)? || truth(right)?),
        Implies => return boolean(!truth(left)? || truth(right)?),
        Iff => {
            let left = truth(left)?;
            return boolean(left == truth(right)?);
        }
        Equal | NotEqual => {
            if let Some(chosen) = option_is(left, right, scope).or_else(|| option_is(right, left, scope)) {
                return boolean(chosen == (op == Equal));
            }
        }
        In | NotIn => {
            let found = match builtins::is_in_place(left, right, scope)? {
                Some(found) => found,
                None => is_in(left, right, scope)?,
            };
            return boolean(found == (op == In));
        }
        _ => {}
    }
    let (left, right) = (eval(left, scope)?, eval(right, scope)?);
    match op {
        Equal => boolean(same(&left, &right, scope)?),
        NotEqual => boolean(!same(&left, &right, scope)?),
        Less => boolean(!same(&left, &right, scope)? && at_most(left, right, scope)?),
        LessEqual => boolean(at_most(left, right, scope)?),
        Greater => boolean(!same(&left, &right, scope)? && at_most(right, left, scope)?),
        GreaterEqual => boolean(at_most(right, left, scope)?),
        Before => observed(scope)?.before(&left, &right),
        HappenedBefore => observed(scope)?.happened_before(&left, &right),
        Range => range(left.number()?, right.number()?),
        Add => add(left.needed()?, right.needed()?),
        Subtract => match (left.needed()?, right.needed()?) {
            (Value::Set(left), Value::Set(right)) => Ok(Value::set(left.difference(&right).cloned())),
            (left, right) => int(i128::from(left.number()?) - i128::from(right.number()?)),
        },
        Except => unspecified("`except`"),
        Multiply => int(i128::from(left.number()?) * i128::from(right.number()?)),
        // *`div` rounds down, and `x = (x div y) * y + x mod y`.*
        Div | Mod => {
            let (x, y) = (i128::from(left.number()?), i128::from(right.number()?));
            if y == 0 {
                return abort("division by zero");
            }
            let quotient = x.div_euclid(y) - i128::from(y < 0 && x.rem_euclid(y) != 0);
            int(if op == Div { quotient } else { x - quotient * y })
        }
        Intersect => match (left.needed()?, right.needed()?) {
            (Value::Set(left), Value::Set(right)) => Ok(Value::set(left.intersection(&right).cloned())),
            (left, right) => unspecified(format!("{left:?} inter {right:?}")),
        },
        Iff | Implies | Or | And | In | NotIn => unspecified("an operator twice"),
    }
}

/// *Problems: inside the problem `option = choice` compares.*
fn option_is(left: &'static Expr, right: &'static Expr, scope: &Scope<'_>) -> Option<bool> {
    let ExprKind::Name(option) = &left.kind else { return None };
    let choice = match &right.kind {
        ExprKind::Name(choice) => choice.text.as_str(),
        ExprKind::Any => "any",
        ExprKind::None => "none",
        _ => return None,
    };
    if scope.local(&option.text).is_some() {
        return None;
    }
    let known = scope.here().options.iter().find(|(o, _)| *o == option.text)?;
    Some(known.1 == choice)
}

/// Normalize a value for comparison: properties and scenarios compare ids with numbers, and `{}` is both a map and a set.
fn plain(value: &Value, ids_are_numbers: bool) -> Value {
    let plain = |v: &Value| plain(v, ids_are_numbers);
    match value {
        Value::Id(id) if ids_are_numbers => Value::Int(*id),
        Value::Map(map) if map.is_empty() => Value::Set(BTreeSet::new()),
        Value::Tuple(parts) => Value::Tuple(parts.iter().map(plain).collect()),
        Value::List(parts) => Value::List(parts.iter().map(plain).collect()),
        Value::Set(parts) => Value::Set(parts.iter().map(plain).collect()),
        Value::Map(map) => Value::Map(map.iter().map(|(k, v)| (plain(k), plain(v))).collect()),
        Value::Record(name, fields) => {
            Value::Record(name, fields.iter().map(|(n, v)| (*n, plain(v))).collect())
        }
        Value::Message(content) => {
            let fields = content.fields.iter().map(plain).collect();
            Value::Message(Content { fields, ..content.clone() })
        }
        value => value.clone(),
    }
}

fn compared(value: &Value, scope: &Scope<'_>) -> Evaluated {
    match value {
        Value::Unset => value.clone().needed(),
        value => Ok(plain(value, scope.process.is_none())),
    }
}

pub fn same(left: &Value, right: &Value, scope: &Scope<'_>) -> Result<bool, Failure> {
    Ok(compared(left, scope)? == compared(right, scope)?)
}

/// *On sets `<=` is inclusion. In an order `none` comes before everything else.*
fn at_most(left: Value, right: Value, scope: &Scope<'_>) -> Result<bool, Failure> {
    Ok(is_at_most(&compared(&left, scope)?, &compared(&right, scope)?))
}

/// *A map is at most another one if that has every key of it, with at least its value.*
fn is_at_most(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Set(left), Value::Set(right)) => left.is_subset(right),
        (Value::Map(left), Value::Map(right)) => {
            left.iter().all(|(key, value)| right.get(key).is_some_and(|other| is_at_most(value, other)))
        }
        (left, right) => left <= right,
    }
}

/// *`in` on a map asks for a key. Both ends of `e in lo..hi` are evaluated.*
fn is_in(left: &'static Expr, right: &'static Expr, scope: &Scope<'_>) -> Result<bool, Failure> {
    let element = compared(&eval(left, scope)?, scope)?;
    if let ExprKind::Binary(BinaryOp::Range, low, high) = &right.kind {
        let (low, high) = (eval(low, scope)?.number()?, eval(high, scope)?.number()?);
        return Ok(matches!(element, Value::Int(k) if (low..=high).contains(&k)));
    }
    let all = eval(right, scope)?.elements()?;
    for other in all {
        if compared(&other, scope)? == element {
            return Ok(true);
        }
    }
    Ok(false)
}

fn range(low: i64, high: i64) -> Evaluated {
    if i128::from(high) - i128::from(low) >= MAX_ELEMENTS {
        return abort("too many elements");
    }
    Ok(Value::set((low..=high).map(Value::Int)))
}

fn add(left: Value, right: Value) -> Evaluated {
    match (left, right) {
        (Value::Set(left), Value::Set(right)) => Ok(Value::set(left.into_iter().chain(right))),
        (Value::List(left), Value::List(right)) => Ok(Value::List(left.into_iter().chain(right).collect())),
        (Value::Map(left), Value::Map(right)) => Ok(Value::Map(left.into_iter().chain(right).collect())),
        (map @ Value::Map(_), empty) | (empty, map @ Value::Map(_)) if empty.is_empty_braces() => Ok(map),
        (left, right) => int(i128::from(left.number()?) + i128::from(right.number()?)),
    }
}

fn indexed(of: Value, index: Value) -> Evaluated {
    match of.needed()? {
        Value::List(elements) => {
            let at = usize::try_from(index.number()?).ok();
            let element = at.and_then(|at| elements.into_iter().nth(at));
            element.map_or_else(|| abort("an index that is not there"), Ok)
        }
        Value::Map(mut map) => map.remove(&index).map_or_else(|| abort("a key that is not there"), Ok),
        value if value.is_empty_braces() => abort("a key that is not there"),
        value => unspecified(format!("an element of {value:?}")),
    }
}

// ---- Binders

/// Return the scope in which the names of a pattern are bound to the parts of a value; None if the value does not match.
pub fn bound<'a>(
    pattern: &'static Pattern,
    value: &Value,
    scope: &Scope<'a>,
) -> Result<Option<Scope<'a>>, Failure> {
    let mut inner = scope.clone();
    Ok(bind(pattern, value, &mut inner)?.then_some(inner))
}

/// Bind the names of a pattern, all of which are new in binders and loops.
fn bind(pattern: &'static Pattern, value: &Value, scope: &mut Scope<'_>) -> Result<bool, Failure> {
    match pattern {
        Pattern::Wildcard(_) => Ok(true),
        Pattern::Name(name) => {
            if let Some(component) = builtins::message_of(&name.text, scope) {
                return Ok(
                    matches!(value, Value::Message(m) if m.component == component && m.name == name.text),
                );
            }
            scope.locals.push((&name.text, value.clone()));
            Ok(true)
        }
        Pattern::Tuple(parts, _) => match value.clone().needed()? {
            Value::Tuple(values) if values.len() == parts.len() => bind_all(parts, &values, scope),
            value => unspecified(format!("{value:?} as a tuple of {}", parts.len())),
        },
        Pattern::Message(name, parts, _) => match (value, builtins::message_of(&name.text, scope)) {
            (Value::Message(content), Some(component)) => Ok(content.component == component
                && content.name == name.text
                && bind_all(parts, &content.fields, scope)?),
            _ => Ok(false),
        },
        Pattern::Place(_) | Pattern::Literal(_) => unspecified("a place or literal in a binder"),
    }
}

fn bind_all(parts: &'static [Pattern], values: &[Value], scope: &mut Scope<'_>) -> Result<bool, Failure> {
    for (part, value) in parts.iter().zip(values) {
        if !bind(part, value, scope)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// *In properties and scenarios a binder without a set ranges over the processes.*
fn range_of(binder: &'static Binder, scope: &Scope<'_>) -> Result<Vec<Value>, Failure> {
    match &binder.set {
        Some(set) => eval(set, scope)?.elements(),
        None => Ok((0..scope.system.n()).map(Value::Process).collect()),
    }
}

/// *Binders have no order. If the evaluation fails for some elements, `forall` is false if any other element makes it false, and `some`
/// is true if any other makes it true; only otherwise do they fail. An element fails if its body, its `with`, or the set of a later
/// binder fails.*
fn decided(
    binders: &'static [Binder],
    with: Option<&'static Expr>,
    body: &'static Expr,
    by: bool,
    scope: &Scope<'_>,
) -> Result<bool, Failure> {
    let Some((binder, rest)) = binders.split_first() else {
        if !with.map_or(Ok(true), |g| eval(g, scope)?.truth())? {
            return Ok(!by);
        }
        return eval(body, scope)?.truth();
    };
    let mut first = None;
    for element in range_of(binder, scope)? {
        let result = match bound(&binder.pattern, &element, scope) {
            Ok(Some(inner)) => decided(rest, with, body, by, &inner),
            Ok(None) => Ok(!by),
            Err(failure) => Err(failure),
        };
        match result {
            Ok(truth) if truth == by => return Ok(by),
            Ok(_) => {}
            Err(failure) => {
                first.get_or_insert(failure);
            }
        }
    }
    first.map_or(Ok(!by), Err)
}

/// *`count`, `sum`, `least`, `greatest`, `{ … }` and `[ … ]` need all elements: they fail if any does.*
fn comprehend<'a>(
    binders: &'static [Binder],
    with: Option<&'static Expr>,
    scope: &Scope<'a>,
    each: &mut dyn FnMut(&Scope<'a>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let Some((binder, rest)) = binders.split_first() else {
        if with.map_or(Ok(true), |g| eval(g, scope)?.truth())? {
            each(scope)?;
        }
        return Ok(());
    };
    for element in range_of(binder, scope)? {
        if let Some(inner) = bound(&binder.pattern, &element, scope)? {
            comprehend(rest, with, &inner, each)?;
        }
    }
    Ok(())
}

// ---- Functions and variables

/// *A function is an expression with parameters.*
pub fn applied(function: Function, component: usize, args: Vec<Value>, scope: &Scope<'_>) -> Evaluated {
    let mut inner = scope.at(scope.process, component);
    for (param, value) in function.params.iter().zip(args) {
        let value = match &param.ty {
            Some(ty) => fit(value, ty, &scope.at(scope.process, component))?,
            None => value,
        };
        inner.locals.push((&param.name.text, value));
    }
    let result = eval(function.body, &inner)?;
    match function.result {
        Some(ty) => fit(result, ty, &inner),
        None => Ok(result),
    }
}

/// Return the initial value of a variable without an initial expression.
pub fn initial(ty: Option<&'static synod::internals::syntax::ast::TypeExpr>, scope: &Scope<'_>) -> Evaluated {
    ty.map_or(Ok(Value::Unset), |ty| default(ty, scope))
}
