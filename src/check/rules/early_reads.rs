//! Variables without an initial value that the first steps of a process read before they assign them.
//!
//! Only certain errors are reported. The body of the initial state is followed along the part that all runs share, past branches
//! and loops that neither assign the variable nor leave the body. Variables that a handler or procedure assigns are skipped.

use crate::check::load::unit::{HandlerSection, RoleSection};
use crate::check::names::{DeclId, Use};
use crate::check::typed::Typed;
use crate::diagnostic::{Diagnostic, Label, Typing};
use crate::ir::Type;
use crate::source::Span;
use crate::syntax::ast::{self, Guard, StmtKind};

impl Typed {
    pub(super) fn early_reads(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for role in 0..self.roles.len() {
            let sections = self.units[0].role_sections(role);
            let states: Vec<_> = sections.iter().flat_map(|s| &s.states).collect();
            let initial = states.iter().find(|s| s.initial).or(states.first());
            let Some(body) = initial.map(|s| &s.body) else { continue };
            let variables =
                sections.iter().flat_map(|section| &section.vars).filter(|var| var.init.is_none());
            for name in variables.flat_map(|var| &var.names) {
                let role = &self.roles[role];
                let variable =
                    role.vars.get(&(0, name.text.clone())).map(|local| &role.locals[*local as usize].ty);
                let bare = variable.filter(|ty| matches!(ty, Type::Id | Type::Port | Type::Enum(_)));
                let (Some(ty), Some(decl)) = (bare, self.names.declaration_at(name.span)) else {
                    continue;
                };
                if sections.iter().any(|s| self.is_assigned_aside(decl, s)) {
                    continue;
                }
                if let Some(place) = self.first_read(decl, body) {
                    let ty = self.type_words(ty);
                    let d = Typing::NoInitialValue(name.text.clone(), ty.clone()).at(place);
                    found.push(d.related(name.span, Label::NoInitialValue(ty)));
                }
            }
        }
        found
    }

    /// Return whether the variable is assigned outside the bodies of states, where the order of the text is not the order of
    /// execution.
    fn is_assigned_aside(&self, decl: DeclId, section: &RoleSection) -> bool {
        let of_handlers = section.handlers().filter_map(|h| match h {
            HandlerSection::Handler(h) => Some(&h.body),
            _ => None,
        });
        let routines = section.procedures.iter().chain(&section.operations).map(|r| &r.body);
        of_handlers.chain(routines).flatten().any(|stmt| self.names.is_written(decl, stmt.span))
    }

    /// Return the first read in an expression that certainly happens: none, if the expression binds names.
    pub(super) fn read_in(&self, span: Span, wanted: impl Fn(&Use) -> bool) -> Option<Span> {
        if self.names.binds(span) {
            return None;
        }
        // Not the variable of another process.
        let is_own = |used: &&Use| !self.sources.slice(Span { end: used.place.start, ..span }).ends_with('.');
        let mut uses = self.names.uses_in(span).iter().filter(|used| wanted(used));
        uses.find(is_own).map(|used| used.place)
    }

    fn first_read(&self, decl: DeclId, block: &ast::Block) -> Option<Span> {
        let read = |e: &ast::Expr| self.read_in(e.span, |used| used.decl == decl);
        let written = |span: Span| self.names.is_written(decl, span);
        for stmt in block {
            let found = match &stmt.kind {
                StmtKind::Send { what, to } => read(what).or_else(|| to.as_ref().and_then(read)),
                StmtKind::Await(e) => read(e),
                StmtKind::Call { args, .. } => args.iter().find_map(read),
                StmtKind::Assign { targets, values } => {
                    let found = values.iter().find_map(read);
                    let whole = |t: &ast::Expr| matches!(t.kind, ast::ExprKind::Name(_)) && written(t.span);
                    if found.is_none() && targets.iter().flat_map(ast::Expr::places).any(whole) {
                        return None;
                    }
                    found
                }
                StmtKind::Receive(r) => {
                    let found = match &r.from {
                        Some(ast::Origin::Whom(e)) => read(e),
                        _ => None,
                    };
                    if found.is_none() && written(r.pattern.span()) {
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
                    if found.is_none() && (written(stmt.span) || leaves(branches)) {
                        return None;
                    }
                    found
                }
                StmtKind::For { set, body, .. } => {
                    let found = read(set);
                    if found.is_none() && (written(stmt.span) || body.iter().any(leaves_body)) {
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
