//! The parts of expressions and statements.

use synod::internals::syntax::ast::{Expr, ExprKind, Guard, Origin, Receive, Stmt, StmtKind};

/// Return the expressions that an expression consists of.
fn parts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Name(_)
        | ExprKind::Int(_)
        | ExprKind::Bool(_)
        | ExprKind::Text(_)
        | ExprKind::None
        | ExprKind::Any
        | ExprKind::Metric { .. }
        | ExprKind::History { .. } => Vec::new(),
        ExprKind::Unary(_, of) | ExprKind::Field(of, _) | ExprKind::MapOf(of) => vec![&**of],
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => vec![&**a, &**b],
        ExprKind::If(a, b, c) => vec![&**a, &**b, &**c],
        ExprKind::Tuple(all) | ExprKind::List(all) | ExprKind::Set(all) => all.iter().collect(),
        ExprKind::Map(pairs) => pairs.iter().flat_map(|(key, value)| [key, value]).collect(),
        ExprKind::Call { args, .. } => args.iter().collect(),
        ExprKind::Filter { set, condition, .. } => vec![&**set, &**condition],
        ExprKind::Comprehension { element, binders, condition, .. } => {
            let sets = binders.iter().filter_map(|binder| binder.set.as_ref());
            [&**element].into_iter().chain(sets).chain(condition.as_deref()).collect()
        }
        ExprKind::Quantified { binders, with, body, .. } => {
            let sets = binders.iter().filter_map(|binder| binder.set.as_ref());
            sets.chain(with.as_deref()).chain([&**body]).collect()
        }
        ExprKind::Best { set, with, by, .. } => {
            [&**set].into_iter().chain(with.as_deref()).chain(by.as_deref()).collect()
        }
        ExprKind::Arrived { when, .. } => when.as_deref().into_iter().collect(),
    }
}

/// Test whether an expression, or some part of it, is such.
pub fn some_part(expr: &Expr, is: &dyn Fn(&Expr) -> bool) -> bool {
    is(expr) || parts(expr).into_iter().any(|part| some_part(part, is))
}

/// Test whether an expression mentions one of these names.
pub fn mentions(expr: &Expr, names: &[&str]) -> bool {
    some_part(expr, &|part| match &part.kind {
        ExprKind::Name(name) => names.contains(&name.text.as_str()),
        ExprKind::Arrived { .. } => names.contains(&"received"),
        _ => false,
    })
}

/// Test whether a block contains such a statement.
pub fn some_statement(block: &[Stmt], is: &dyn Fn(&Stmt) -> bool) -> bool {
    let inner = |stmt: &Stmt| match &stmt.kind {
        StmtKind::If(branches) | StmtKind::Do(branches) => {
            branches.iter().any(|branch| some_statement(&branch.body, is))
        }
        StmtKind::For { body, .. } => some_statement(body, is),
        _ => false,
    };
    block.iter().any(|stmt| is(stmt) || inner(stmt))
}

/// Return the inputs of a statement, without those of the statements in it.
pub fn inputs(stmt: &Stmt) -> Vec<&Receive> {
    match &stmt.kind {
        StmtKind::Receive(receive) => vec![receive],
        StmtKind::If(branches) | StmtKind::Do(branches) => {
            let guards = branches.iter().map(|branch| &branch.guard);
            let receives = guards.filter_map(|guard| match guard {
                Guard::Receive(receive, _) => Some(receive),
                _ => None,
            });
            receives.collect()
        }
        _ => Vec::new(),
    }
}

/// Return the expressions of a statement, without those of the statements in it.
pub fn expressions(stmt: &Stmt) -> Vec<&Expr> {
    let mut all: Vec<&Expr> = match &stmt.kind {
        StmtKind::Assign { targets, values } => targets.iter().chain(values).collect(),
        StmtKind::Send { what, to } => [what].into_iter().chain(to).collect(),
        StmtKind::If(branches) | StmtKind::Do(branches) => {
            let guards = branches.iter().map(|branch| &branch.guard);
            let all = guards.filter_map(|guard| match guard {
                Guard::Condition(e) | Guard::After(e) | Guard::Receive(_, Some(e)) => Some(e),
                _ => None,
            });
            all.collect()
        }
        StmtKind::Await(e) | StmtKind::Transmit(e) => vec![e],
        StmtKind::For { set, .. } | StmtKind::Choose { set, .. } => vec![set],
        StmtKind::Call { args, .. } => args.iter().collect(),
        StmtKind::Remove { what, from } => vec![what, from],
        StmtKind::SetTimer { after, .. } => vec![after],
        _ => Vec::new(),
    };
    all.extend(inputs(stmt).into_iter().filter_map(|receive| match &receive.from {
        Some(Origin::Whom(set) | Origin::Each { set, .. }) => Some(set),
        None => None,
    }));
    all
}
