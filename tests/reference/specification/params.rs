//! *Clauses*, *Problems*: the parameters of an instance, and the operations that a problem requires.

use crate::specification::configuration::Configuration;
use crate::specification::eval::{Scope, eval};
use crate::specification::module::Component;
use crate::specification::network::System;
use crate::specification::types::fit;
use crate::specification::value::{Failure, Name, abort};
use synod::internals::syntax::ast::{BinaryOp, Expr, ExprKind, Guard, Stmt, StmtKind};

/// Evaluate the parameters of a component, in textual order.
pub fn set_params(system: &mut System, component: usize) -> Result<(), Failure> {
    for (name, ty, init) in system.component(component).params.clone() {
        if system.params[component].contains_key(name) {
            continue;
        }
        let nothing = Configuration::default();
        let path = &system.component(component).path;
        let full = if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
        let set = system.settings.params.iter().rev().find(|(n, _)| *n == full).map(|(_, v)| v.clone());
        let given = system.component(component).given.iter().find(|(n, _)| *n == name).map(|(_, e)| *e);
        let scope = Scope::global(system, &nothing, component);
        let value = match (set, given, init) {
            (Some(value), _, _) => value,
            (None, Some(given), _) => eval(given, &scope.at(None, scope.here().above.unwrap_or(0)))?,
            (None, None, Some(init)) => eval(init, &scope)?,
            (None, None, None) => return abort(format!("the parameter {name} must be set")),
        };
        let value = ty.map_or(Ok(value.clone()), |ty| fit(value, ty, &scope))?;
        system.params[component].insert(name, value);
    }
    Ok(())
}

/// *What options rule out is not asked: an operation that is called only in branches whose guards, such as `ends = apart`, do not hold with
/// the options chosen may be missing.*
pub fn called_operations(problem: &Component) -> Vec<Name> {
    let mut called = Vec::new();
    let bodies = problem.routines.iter().filter(|r| r.operation).map(|r| r.body);
    for stmt in bodies.chain(problem.client.map(|c| c.as_slice())).flatten() {
        calls(stmt, problem, &mut called);
    }
    called
}

fn calls(stmt: &'static Stmt, problem: &Component, called: &mut Vec<Name>) {
    let mut block = |b: &'static [Stmt]| b.iter().for_each(|s| calls(s, problem, called));
    match &stmt.kind {
        StmtKind::Call { layer: Some(layer), name, .. } if layer.text == "algorithm" => {
            called.push(&name.text);
        }
        StmtKind::Call { layer: None, name, .. } => {
            if let Some(procedure) = problem.routine(None, &name.text).filter(|r| !r.operation) {
                block(procedure.body);
            }
        }
        StmtKind::If(branches) | StmtKind::Do(branches) => {
            for branch in branches {
                if !matches!(&branch.guard, Guard::Condition(g) if is_ruled_out(g, problem)) {
                    block(&branch.body);
                }
            }
        }
        StmtKind::For { body, .. } => block(body),
        _ => {}
    }
}

/// Test whether a guard is false in every configuration, for the chosen options.
fn is_ruled_out(guard: &'static Expr, problem: &Component) -> bool {
    match &guard.kind {
        ExprKind::Binary(BinaryOp::And, left, right) => {
            is_ruled_out(left, problem) || is_ruled_out(right, problem)
        }
        ExprKind::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), left, right) => {
            let (ExprKind::Name(option), ExprKind::Name(choice)) = (&left.kind, &right.kind) else {
                return false;
            };
            let known = problem.options.iter().find(|(o, _)| *o == option.text);
            known.is_some_and(|(_, chosen)| (*chosen == choice.text) != (*op == BinaryOp::Equal))
        }
        _ => false,
    }
}
