//! *Types*: the values of a type, and its default.

use crate::specification::eval::{Scope, eval};
use crate::specification::module::Component;
use crate::specification::value::{Evaluated, Failure, Value, abort, unspecified};
use std::collections::{BTreeMap, BTreeSet};
use synod::internals::ids::ProcessId;
use synod::internals::syntax::ast::{Expr, TypeExpr, TypeExprKind};

/// The meaning of the name of a type.
enum Named<'a> {
    Enum(&'a [&'static str]),
    Record(&'static [synod::internals::syntax::ast::Param]),
    Predefined,
}

fn named<'a>(name: &str, scope: &Scope<'a>) -> Named<'a> {
    for component in scope.family() {
        let component: &'a Component = scope.system.component(component);
        if let Some((_, cases)) = component.enums.iter().find(|(n, _)| *n == name) {
            return Named::Enum(cases);
        }
        if let Some(fields) = component.records.get(name) {
            return Named::Record(fields);
        }
    }
    Named::Predefined
}

/// Convert a value to a type. *An option may stand where a `T` is needed: if it is `none` there, the run aborts. A range holds wherever its
/// type is written.*
pub fn fit(value: Value, ty: &'static TypeExpr, scope: &Scope<'_>) -> Evaluated {
    let all = |values: Vec<Value>, ty: &'static TypeExpr| {
        values.into_iter().map(|v| fit(v, ty, scope)).collect::<Result<Vec<_>, _>>()
    };
    if let TypeExprKind::Option(of) = &ty.kind {
        return if value == Value::None { Ok(value) } else { fit(value, of, scope) };
    }
    if matches!(&ty.kind, TypeExprKind::Name(name) if name.text == "Value") {
        return Ok(value);
    }
    Ok(match (&ty.kind, value.needed()?) {
        (TypeExprKind::Range(low, high), value) => {
            let number = value.number()?;
            if !(bound(low, scope)?..=bound(high, scope)?).contains(&number) {
                return abort("an Int that leaves its range");
            }
            Value::Int(number)
        }
        (TypeExprKind::Map(..), empty) if empty.is_empty_braces() => Value::Map(BTreeMap::new()),
        (TypeExprKind::Map(keys, values), Value::Map(map)) => {
            let mut fitted = BTreeMap::new();
            for (key, value) in map {
                fitted.insert(fit(key, keys, scope)?, fit(value, values, scope)?);
            }
            Value::Map(fitted)
        }
        (TypeExprKind::Set(of), Value::Set(elements)) => Value::set(all(elements.into_iter().collect(), of)?),
        (TypeExprKind::List(of) | TypeExprKind::Queue(of), Value::List(elements)) => {
            Value::List(all(elements, of)?)
        }
        (TypeExprKind::Tuple(types), Value::Tuple(parts)) if types.len() == parts.len() => {
            let parts = parts.into_iter().zip(types).map(|(part, ty)| fit(part, ty, scope));
            Value::Tuple(parts.collect::<Result<_, _>>()?)
        }
        (TypeExprKind::Name(name), value) => match (named(&name.text, scope), value) {
            (Named::Record(types), Value::Record(name, fields)) => {
                let mut fitted = Vec::new();
                for ((field, value), param) in fields.into_iter().zip(types) {
                    let value = param.ty.as_ref().map_or(Ok(value.clone()), |ty| fit(value, ty, scope))?;
                    fitted.push((field, value));
                }
                Value::Record(name, fitted)
            }
            (_, value) => value,
        },
        (kind, value) => return unspecified(format!("{value:?} as {kind:?}")),
    })
}

/// Evaluate a bound of a range, which is the same for all processes.
fn bound(end: &'static Expr, scope: &Scope<'_>) -> Result<i64, Failure> {
    eval(end, &scope.at(scope.process, scope.component))?.number()
}

/// Return the default of a type; `Unset` if it has none.
pub fn default(ty: &'static TypeExpr, scope: &Scope<'_>) -> Evaluated {
    Ok(match &ty.kind {
        TypeExprKind::Option(_) => Value::None,
        TypeExprKind::Set(_) => Value::Set(BTreeSet::new()),
        TypeExprKind::List(_) | TypeExprKind::Queue(_) => Value::List(Vec::new()),
        TypeExprKind::Map(..) => Value::Map(BTreeMap::new()),
        TypeExprKind::Tuple(types) => {
            let parts = types.iter().map(|ty| default(ty, scope)).collect::<Result<Vec<_>, _>>()?;
            if parts.contains(&Value::Unset) { Value::Unset } else { Value::Tuple(parts) }
        }
        TypeExprKind::Range(low, high) => {
            let (low, high) = (bound(low, scope)?, bound(high, scope)?);
            Value::Int(if (low..=high).contains(&0) { 0 } else { low })
        }
        TypeExprKind::Name(name) => match (name.text.as_str(), named(&name.text, scope)) {
            ("Int", _) => Value::Int(0),
            ("Bool", _) => Value::Bool(false),
            ("Value", _) => Value::None,
            (_, Named::Record(types)) => {
                let mut fields = Vec::new();
                for param in types {
                    let value = param.ty.as_ref().map_or(Ok(Value::Unset), |ty| default(ty, scope))?;
                    if value == Value::Unset {
                        return Ok(Value::Unset);
                    }
                    fields.push((param.name.text.as_str(), value));
                }
                Value::Record(&name.text, fields)
            }
            _ => Value::Unset,
        },
    })
}

/// *Any initial value*: return all values of a finite type.
pub fn all_of(ty: &'static TypeExpr, scope: &Scope<'_>) -> Result<Vec<Value>, Failure> {
    Ok(match &ty.kind {
        TypeExprKind::Option(of) => [Value::None].into_iter().chain(all_of(of, scope)?).collect(),
        TypeExprKind::Range(low, high) => {
            (bound(low, scope)?..=bound(high, scope)?).map(Value::Int).collect()
        }
        TypeExprKind::Set(of) => {
            let mut all = vec![BTreeSet::new()];
            for element in all_of(of, scope)? {
                for mut with in all.clone() {
                    with.insert(element.clone());
                    all.push(with);
                }
            }
            all.into_iter().map(Value::Set).collect()
        }
        TypeExprKind::Tuple(types) => {
            let parts = types.iter().map(|ty| all_of(ty, scope)).collect::<Result<Vec<_>, _>>()?;
            product(&parts).into_iter().map(Value::Tuple).collect()
        }
        TypeExprKind::Name(name) => match (name.text.as_str(), named(&name.text, scope)) {
            ("Bool", _) => vec![Value::Bool(false), Value::Bool(true)],
            ("Port", _) => {
                let p = scope.process.unwrap_or(0);
                (0..scope.system.network.degree(ProcessId(p as u32)) as usize).map(Value::Port).collect()
            }
            ("Id", _) => {
                let network = &scope.system.network;
                let ids: BTreeSet<i64> = network.processes().map(|p| network.id(p)).collect();
                ids.into_iter().map(Value::Id).collect()
            }
            (_, Named::Enum(cases)) => {
                cases.iter().enumerate().map(|(k, case)| Value::Case(k, case)).collect()
            }
            (_, Named::Record(fields)) => {
                let types = fields.iter().filter_map(|field| field.ty.as_ref());
                let parts = types.map(|ty| all_of(ty, scope)).collect::<Result<Vec<_>, _>>()?;
                let names = || fields.iter().map(|field| field.name.text.as_str());
                let record = |values: Vec<Value>| Value::Record(&name.text, names().zip(values).collect());
                product(&parts).into_iter().map(record).collect()
            }
            _ => return unspecified(format!("any {}", name.text)),
        },
        kind => return unspecified(format!("any of {kind:?}")),
    })
}

fn product(parts: &[Vec<Value>]) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    for values in parts {
        let longer = |begun: &Vec<Value>| {
            let begun = begun.clone();
            values.iter().map(move |v| begun.iter().cloned().chain([v.clone()]).collect()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
