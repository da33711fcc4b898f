//! The operations that a problem requires of the algorithm: those that its client and its own operations call, except in branches
//! that the chosen options exclude. So an option can make an operation unnecessary.

use crate::check::Checker;
use crate::check::load::unit::{RoleSection, Unit};
use crate::syntax::ast::{
    BinaryOp, Block, Branch, Expr, ExprKind as E, Guard, Name, ProblemUse, StmtKind, UnaryOp,
};

/// Options of a problem, each with its choice.
type Chosen<'a> = Vec<(&'a str, &'a str)>;

/// Return the choices of the algorithm, or else the defaults of the problem.
fn chosen<'a>(problem: &'a Unit, solves: Option<&'a ProblemUse>) -> Chosen<'a> {
    let choice = |option: &'a crate::syntax::ast::ProblemParam| {
        let given = solves.and_then(|s| s.args.iter().find(|(key, _)| key.text == option.name.text));
        let known =
            given.map(|(_, choice)| choice).filter(|c| option.options.iter().any(|o| o.text == c.text));
        let choice = known.or(option.default.as_ref()).or(option.options.first())?;
        Some((option.name.text.as_str(), choice.text.as_str()))
    };
    problem.options.iter().filter_map(choice).collect()
}

/// Return the operations of the algorithm that a section of a problem calls under these options.
fn called(section: &RoleSection, options: &Chosen<'_>) -> Vec<Name> {
    let mut calls = Vec::new();
    for operation in &section.operations {
        called_in(&operation.body, options, &mut calls);
    }
    if let Some((body, _)) = &section.client {
        called_in(body, options, &mut calls);
    }
    calls
}

fn called_in(block: &Block, options: &Chosen<'_>, calls: &mut Vec<Name>) {
    for stmt in block {
        match &stmt.kind {
            StmtKind::Call { layer: Some(layer), name, .. } if layer.text == "algorithm" => {
                calls.push(name.clone());
            }
            StmtKind::If(branches) | StmtKind::Do(branches) => {
                let mut earlier = false;
                for Branch { after_earlier, guard, body, .. } in branches {
                    let holds = match guard {
                        Guard::Condition(e) => decided_by_options(e, options),
                        _ => None,
                    };
                    let comes_late = *after_earlier || matches!(guard, Guard::Otherwise(_));
                    if holds != Some(false) && !(comes_late && earlier) {
                        called_in(body, options, calls);
                    }
                    earlier |= holds == Some(true);
                }
            }
            StmtKind::For { body, .. } => called_in(body, options, calls),
            _ => {}
        }
    }
}

/// Return the truth value of a condition that options alone determine.
fn decided_by_options(e: &Expr, options: &Chosen<'_>) -> Option<bool> {
    let choice = |e: &Expr| match &e.kind {
        E::Name(name) => options.iter().find(|(option, _)| *option == name.text).map(|(_, choice)| *choice),
        _ => None,
    };
    match &e.kind {
        E::Unary(UnaryOp::Not, inner) => decided_by_options(inner, options).map(|holds| !holds),
        E::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), left, right) => {
            let (chosen, E::Name(wanted)) = (choice(left)?, &right.kind) else { return None };
            Some((chosen == wanted.text) == matches!(op, BinaryOp::Equal))
        }
        E::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
            let decides = matches!(op, BinaryOp::Or);
            match (decided_by_options(left, options), decided_by_options(right, options)) {
                (Some(a), Some(b)) => Some(if decides { a || b } else { a && b }),
                (a, b) => a.or(b).filter(|holds| *holds == decides),
            }
        }
        _ => None,
    }
}

impl Checker<'_> {
    /// Return the operations that the problem requires of the algorithm.
    pub(in crate::check) fn operations_required(&self) -> Vec<Name> {
        let Some(problem) = self.problem() else { return Vec::new() };
        let unit = &self.units[self.comps[problem].unit];
        called(&unit.common, &chosen(unit, self.units[0].solves.as_ref()))
    }

    /// Return a choice under which the problem does not require the operation: the option, and its choice.
    pub(in crate::check) fn choice_without(&self, operation: &str) -> Option<(String, String)> {
        let unit = &self.units[self.comps[self.problem()?].unit];
        let now = chosen(unit, self.units[0].solves.as_ref());
        let others = unit.options.iter().flat_map(|o| o.options.iter().map(move |c| (&o.name.text, &c.text)));
        let spares = |(option, choice): &(&String, &String)| {
            let with =
                now.iter().map(|(o, c)| (*o, if o == option { choice.as_str() } else { *c })).collect();
            called(&unit.common, &with).iter().all(|name| name.text != operation)
        };
        others.into_iter().find(spares).map(|(option, choice)| (option.clone(), choice.clone()))
    }
}
