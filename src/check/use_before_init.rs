//! Variables without an initial value that the first steps of a process read before they assign them.
//!
//! Only certain errors are reported. The body of the initial state is followed along the part that all runs share, past branches
//! and loops that neither assign the variable nor leave the body. Variables that a handler or procedure assigns are skipped.

use super::Checker;
use super::link::assigns;
use super::load::unit::{HandlerSection, RoleSection};
use crate::check::patterns::pattern_names;
use crate::diagnostic::{Label, Typing};
use crate::ir::Type;
use crate::source::{Sources, Span};
use crate::syntax::ast::{self, Guard, StmtKind};

impl Checker<'_> {
    pub fn read_too_early(&mut self) {
        for role in 0..self.elaborated_roles.len() {
            let sections = self.units[0].role_sections(role);
            let states: Vec<_> = sections.iter().flat_map(|s| &s.states).collect();
            let initial = states.iter().find(|s| s.initial).or(states.first());
            let Some(body) = initial.map(|s| &s.body) else { continue };
            for section in &sections {
                for var in section.vars.iter().filter(|v| v.init.is_none()) {
                    for name in &var.names {
                        let ty = self.elaborated_roles[role]
                            .vars
                            .get(&(0, name.text.clone()))
                            .map(|(_, t)| t.clone());
                        let bare = matches!(ty, Some(Type::Id | Type::Port | Type::Enum(_)));
                        if !bare || sections.iter().any(|s| assigned_aside(s, &name.text)) {
                            continue;
                        }
                        if let Some(place) = first_read(body, &name.text, self.sources) {
                            let ty = self.type_words(&ty.unwrap_or(Type::Id));

                            self.error(
                                Typing::NoInitialValue(name.text.clone(), ty.clone())
                                    .at(place)
                                    .related(name.span, Label::NoInitialValue(ty)),
                            );
                        }
                    }
                }
            }
        }
    }
}

/// Return whether the variable is assigned outside the bodies of states, where the order of the text is not the order of
/// execution.
fn assigned_aside(section: &RoleSection, name: &str) -> bool {
    let handlers = section.always.iter().chain(section.states.iter().flat_map(|s| &s.handlers));
    let routines = section.procedures.iter().chain(&section.operations);
    handlers.into_iter().any(|h| matches!(h, HandlerSection::Handler(h) if assigns(&h.body, name)))
        || routines.into_iter().any(|r| assigns(&r.body, name))
}

fn first_read(block: &ast::Block, name: &str, sources: &Sources) -> Option<Span> {
    let read = |e: &ast::Expr| occurrence(e.span, name, sources);
    for stmt in block {
        let found = match &stmt.kind {
            StmtKind::Send { what, to } => read(what).or_else(|| to.as_ref().and_then(read)),
            StmtKind::Await(e) => read(e),
            StmtKind::Call { args, .. } => args.iter().find_map(read),
            StmtKind::Assign { targets, values } => {
                let found = values.iter().find_map(read);
                let whole = |t: &ast::Expr| matches!(&t.kind, ast::ExprKind::Name(n) if n.text == name);
                if found.is_none() && targets.iter().any(whole) {
                    return None;
                }
                found
            }
            StmtKind::Receive(r) => {
                let found = match &r.from {
                    Some(ast::Origin::Whom(e)) => read(e),
                    _ => None,
                };
                if found.is_none() && pattern_names(&r.pattern, name) {
                    return None;
                }
                found
            }
            StmtKind::If(branches) | StmtKind::Do(branches) => {
                let found = branches.iter().find_map(|b| match &b.guard {
                    Guard::Condition(e) => read(e),
                    _ => None,
                });
                // A branch may belong to a later time, when the variable has a value.
                if found.is_none() && (assigns(std::slice::from_ref(stmt), name) || leaves(branches)) {
                    return None;
                }
                found
            }
            StmtKind::For { set, body, .. } => {
                let found = read(set);
                if found.is_none() && (assigns(body, name) || body.iter().any(leaves_body)) {
                    return None;
                }
                found
            }
            StmtKind::Skip | StmtKind::Pause | StmtKind::Round => None,
            _ => return None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

fn leaves(branches: &[ast::Branch]) -> bool {
    branches.iter().any(|branch| branch.body.iter().any(leaves_body))
}

/// Return whether the statement may leave the body, so that the rest is skipped the first time.
fn leaves_body(stmt: &ast::Stmt) -> bool {
    match &stmt.kind {
        StmtKind::If(branches) | StmtKind::Do(branches) => leaves(branches),
        StmtKind::For { body, .. } => body.iter().any(leaves_body),
        // A procedure may end with `become`.
        StmtKind::Become(_) | StmtKind::Halt | StmtKind::Call { .. } => true,
        _ => false,
    }
}

/// Return the first place in an expression where a variable of that name is read. None if the expression binds names.
pub fn occurrence(span: Span, name: &str, sources: &Sources) -> Option<Span> {
    let text = sources.slice(span);
    if text.contains(['{', '"']) || text.contains("//") {
        return None;
    }
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut at = 0;
    let mut found = None;
    for part in text.split_inclusive(|c: char| !is_word(c)) {
        let word = part.trim_end_matches(|c: char| !is_word(c));
        if ["forall", "some", "exists", "count", "sum", "least", "greatest"].contains(&word) {
            return None;
        }
        if word == name && found.is_none() && !text[..at].ends_with('.') {
            let start = span.start as usize + at;
            found = Some(Span::new(span.file, start, start + word.len()));
        }
        at += part.len();
    }
    found
}
