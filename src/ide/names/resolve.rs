//! The walk over all files, and the lookup of names.

use super::scope::Scope;
use super::{Access, Decl, DeclId, Kind, Names, Use};
use crate::ide::File;
use crate::source::Span;
use crate::syntax::ast::{Clause, ClauseKind, Name};

pub struct Resolver<'f> {
    pub files: &'f [File],
    pub names: Names,
    pub scopes: Vec<Scope>,
    /// The file of the walk's current position.
    pub file: usize,
    pub role: Option<String>,
    pub clause: Span,
    /// Whether names of all roles are visible, as in properties and scenarios.
    pub global: bool,
    /// Local names, from the outermost block to the innermost.
    pub locals: Vec<Vec<(String, DeclId)>>,
    /// The ends of these blocks.
    pub ends: Vec<u32>,
    /// The command triggered by the message that is being received.
    pub extent: Option<Span>,
}

impl<'f> Resolver<'f> {
    pub fn new(files: &'f [File]) -> Resolver<'f> {
        Resolver {
            files,
            names: Names::default(),
            scopes: vec![Scope::default(); files.len()],
            file: 0,
            role: None,
            clause: Span::default(),
            global: false,
            locals: Vec::new(),
            ends: Vec::new(),
            extent: None,
        }
    }

    /// Resolve all files, layers and problems first: their calls and handlers must be known when their users are resolved.
    pub fn resolve_all(&mut self) {
        for file in (0..self.files.len()).rev() {
            self.file = file;
            self.role = None;
            let clauses = &self.files[file].module.clauses;
            for (i, clause) in clauses.iter().enumerate() {
                if let ClauseKind::Role { name } = &clause.kind {
                    self.role = Some(name.text.clone());
                }
                // Text typed after the last word of a clause still belongs to it.
                let end =
                    clauses.get(i + 1).map_or(self.files[file].text.len() as u32, |next| next.span.start);
                self.enter(clause, end);
                self.clause_kind(clause);
            }
            self.resolve_broken();
        }
    }

    fn enter(&mut self, clause: &Clause, end: u32) {
        self.clause = clause.span;
        self.global = false;
        self.locals = vec![Vec::new()];
        self.ends = vec![end];
        self.extent = None;
    }

    // ------------------------------------------------------------------ declarations

    pub fn add(&mut self, decl: Decl) -> DeclId {
        let (place, clause) = (decl.place, decl.clause);
        self.names.decls.push(decl);
        let id = self.names.decls.len() - 1;
        self.names.uses.push(Use { place, decl: id, access: Access::Declare, clause, extent: clause });
        id
    }

    /// Bind a name that is visible in the rest of the innermost block.
    pub fn bind(&mut self, name: &Name, kind: Kind) -> Option<DeclId> {
        if name.text == "_" {
            return None;
        }
        let end = self.ends.last().copied().unwrap_or(self.clause.end);
        let decl = Decl {
            kind,
            name: name.text.clone(),
            place: name.span,
            head: name.text.clone(),
            doc: None,
            parent: None,
            role: self.role.clone(),
            clause: self.clause,
            visible: Some(Span { start: name.span.end, end: end.max(name.span.end), ..name.span }),
            ty: None,
            params: Vec::new(),
        };
        let id = self.add(decl);
        if let Some(block) = self.locals.last_mut() {
            block.push((name.text.clone(), id));
        }
        Some(id)
    }

    /// Walk a part with a block of its own, at whose end the bound names go out of scope.
    pub fn block_to(&mut self, end: u32, walk: impl FnOnce(&mut Self)) {
        self.locals.push(Vec::new());
        self.ends.push(end);
        walk(self);
        self.locals.pop();
        self.ends.pop();
    }

    // ------------------------------------------------------------------ finding

    pub fn local(&self, name: &str) -> Option<DeclId> {
        let inner_first = self.locals.iter().rev().flat_map(|block| block.iter().rev());
        inner_first.filter(|(n, _)| n == name).map(|(_, id)| *id).next()
    }

    /// Return the declarations that a name may refer to; several variables or states if all roles are visible.
    pub fn find(&self, name: &str) -> Vec<DeclId> {
        match self.local(name) {
            Some(local) => vec![local],
            None => self.declared(self.file, name, 0),
        }
    }

    fn declared(&self, file: usize, name: &str, depth: usize) -> Vec<DeclId> {
        let scope = &self.scopes[file];
        let role = self.role.as_deref().and_then(|role| scope.role(role));
        if let Some(found) = role.and_then(|table| table.get(name)) {
            return vec![*found];
        }
        if let Some(found) = scope.common.get(name) {
            return vec![*found];
        }
        if self.global || self.role.is_none() {
            let all: Vec<DeclId> = scope.roles.iter().filter_map(|(_, t)| t.get(name).copied()).collect();
            if !all.is_empty() {
                return all;
            }
        }
        if depth > 8 {
            return Vec::new();
        }
        let of_base =
            self.files[file].base.map(|base| self.declared(base, name, depth + 1)).unwrap_or_default();
        if !of_base.is_empty() {
            return of_base;
        }
        let of_problem = self.files[file].problem.and_then(|p| self.scopes[p].common.get(name).copied());
        let seen = |id: &DeclId| {
            let kind = self.names.decl(*id).kind;
            self.global || matches!(kind, Kind::Output | Kind::Case | Kind::Record | Kind::Enum)
        };
        of_problem.filter(seen).into_iter().collect()
    }

    /// Return the file itself, the base of its variant, and the problem that it solves: the origins of properties and operations.
    pub fn family(&self, file: usize) -> Vec<usize> {
        let mut family = vec![file];
        let mut at = 0;
        while at < family.len() && family.len() < 16 {
            let here = &self.files[family[at]];
            // A variant without a problem of its own solves that of its base.
            for other in here.base.into_iter().chain(here.problem) {
                if !family.contains(&other) {
                    family.push(other);
                }
            }
            at += 1;
        }
        family
    }

    /// Look up a name in the tables that `table` selects, over the whole family.
    pub fn find_in(
        &self,
        file: usize,
        name: &str,
        table: impl Fn(&Scope) -> &super::scope::Table,
    ) -> Option<DeclId> {
        self.family(file).into_iter().find_map(|f| table(&self.scopes[f]).get(name).copied())
    }

    /// Return all variables of that name in any role: the candidates for `p.x`.
    pub fn variables(&self, name: &str) -> Vec<DeclId> {
        self.variables_in(self.file, name)
    }

    /// Return all variables of that name in another file, such as that of a layer.
    pub fn variables_in(&self, file: usize, name: &str) -> Vec<DeclId> {
        let mut found = Vec::new();
        for file in self.family(file) {
            let scope = &self.scopes[file];
            let tables = std::iter::once(&scope.common).chain(scope.roles.iter().map(|(_, t)| t));
            let here = tables.filter_map(|t| t.get(name).copied());
            found
                .extend(here.filter(|id| matches!(self.names.decl(*id).kind, Kind::Variable | Kind::Output)));
            // A redeclaration in a variant replaces the original.
            if !found.is_empty() {
                break;
            }
        }
        found
    }

    // ------------------------------------------------------------------ uses

    pub fn add_use(&mut self, place: Span, decl: DeclId, access: Access) {
        let clause = self.clause;
        let extent = self.extent.unwrap_or(clause);
        self.names.uses.push(Use { place, decl, access, clause, extent });
    }

    pub fn add_uses(&mut self, place: Span, decls: &[DeclId], access: Access) {
        decls.iter().for_each(|decl| self.add_use(place, *decl, access));
    }

    /// Resolve a name in an expression. A message there is about to be sent.
    pub fn reference(&mut self, name: &Name, access: Access) -> Vec<DeclId> {
        let found = self.find(&name.text);
        for id in &found {
            let is_message = self.names.decl(*id).kind == Kind::Message;
            let access =
                if is_message && access == Access::Read && !self.global { Access::Send } else { access };
            self.add_use(name.span, *id, access);
        }
        found
    }

    pub fn message(&mut self, name: &Name, access: Access) -> bool {
        let found = self.find(&name.text);
        let is_message = found.first().is_some_and(|id| self.names.decl(*id).kind == Kind::Message);
        if is_message {
            self.add_uses(name.span, &found, access);
        }
        is_message
    }
}
