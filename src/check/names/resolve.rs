//! The walk over all units, and the lookup of names.

use super::scope::{Scope, Space, Table};
use super::{Access, Decl, DeclId, Kind, Names, Use};
use crate::check::load::Loaded;
use crate::check::vocabulary::PREDEFINED;
use crate::source::Span;
use crate::syntax::Parsed;
use crate::syntax::ast::{Clause, ClauseKind, Name};

pub struct Resolver<'l> {
    pub loaded: &'l Loaded,
    pub names: Names,
    /// The names of each unit.
    pub scopes: Vec<Scope>,
    /// The algorithm or problem that each file declares.
    pub headers: Vec<Option<DeclId>>,
    /// The unit and the file of the walk's current position.
    pub unit: usize,
    pub file: u32,
    pub parsed: &'l Parsed,
    pub role: Option<String>,
    pub clause: Span,
    /// Whether names of all roles are visible, as in properties and scenarios.
    pub global: bool,
    /// Local names, from the outermost block to the innermost.
    pub locals: Vec<Vec<(String, DeclId)>>,
    /// The ends of these blocks.
    pub ends: Vec<u32>,
    /// Whether names that are bound must be read: see [`Decl::must_be_read`].
    pub must_be_read: bool,
    /// The command triggered by the message that is being received.
    pub extent: Option<Span>,
}

impl<'l> Resolver<'l> {
    pub fn new(loaded: &'l Loaded) -> Resolver<'l> {
        Resolver {
            loaded,
            names: Names {
                bare_values: vec![super::BareValues::default(); loaded.units.len()],
                units: units_of_files(loaded),
                ..Names::default()
            },
            scopes: vec![Scope::default(); loaded.units.len()],
            headers: vec![None; loaded.sources.iter().count()],
            unit: 0,
            file: 0,
            parsed: &loaded.units[0].parsed[0].1,
            role: None,
            clause: Span::default(),
            global: false,
            locals: Vec::new(),
            ends: Vec::new(),
            extent: None,
            must_be_read: false,
        }
    }

    /// Visit the files of all units, in order: a variant before its base.
    pub fn files(&self) -> impl DoubleEndedIterator<Item = (usize, u32, &'l Parsed)> + use<'l> {
        let units = self.loaded.units.iter().enumerate();
        units.flat_map(|(unit, u)| u.parsed.iter().map(move |(file, parsed)| (unit, *file, &**parsed)))
    }

    pub fn begin(&mut self, (unit, file, parsed): (usize, u32, &'l Parsed)) {
        (self.unit, self.file, self.parsed, self.role) = (unit, file, parsed, None);
    }

    /// Resolve all files, layers and problems first: their calls and handlers must be known when their users are resolved.
    pub fn resolve_all(&mut self) {
        for file in self.files().rev() {
            self.begin(file);
            let clauses = &self.parsed.module.clauses;
            let mut role = None;
            for (i, clause) in clauses.iter().enumerate() {
                if let ClauseKind::Role { name } = &clause.kind {
                    role = Some(name.text.clone());
                }
                self.role = role.clone().filter(|_| is_of_role(&clause.kind));
                // Text typed after the last word of a clause still belongs to it.
                let end = clauses.get(i + 1).map_or(self.parsed.text.len() as u32, |next| next.span.start);
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

    /// Return a declaration of the current clause and role.
    pub fn decl(&self, kind: Kind, name: &Name) -> Decl {
        Decl {
            kind,
            name: name.text.clone(),
            place: name.span,
            unit: self.unit,
            parent: None,
            role: self.role.clone(),
            clause: self.clause,
            visible: None,
            written: None,
            must_be_read: false,
        }
    }

    /// Bind a name that is visible in the rest of the innermost block.
    pub fn bind(&mut self, name: &Name, kind: Kind) -> Option<DeclId> {
        if name.text == "_" {
            return None;
        }
        let must_be_read = self.must_be_read;
        let end = self.ends.last().copied().unwrap_or(self.clause.end);
        let decl = Decl {
            visible: Some(Span { start: name.span.end, end: end.max(name.span.end), ..name.span }),
            must_be_read,
            ..self.decl(kind, name)
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
        if let Some(local) = self.local(name) {
            return vec![local];
        }
        let spaces = [Space::Values, Space::States, Space::Routines];
        spaces
            .into_iter()
            .map(|space| self.declared(space, name))
            .find(|found| !found.is_empty())
            .unwrap_or_default()
    }

    /// Return the declarations of a namespace that a name may refer to.
    pub fn declared(&self, space: Space, name: &str) -> Vec<DeclId> {
        let scope = &self.scopes[self.unit];
        let role = self.role.as_deref().and_then(|role| scope.role(role));
        if let Some(found) = role.and_then(|table| table.get(space, name)) {
            return vec![found];
        }
        if let Some(found) = scope.common.get(space, name) {
            return vec![found];
        }
        if self.global || self.role.is_none() {
            let all: Vec<DeclId> = scope.roles.iter().filter_map(|(_, t)| t.get(space, name)).collect();
            if !all.is_empty() {
                return all;
            }
        }
        match space {
            Space::Values => self.of_another_unit(name).into_iter().collect(),
            Space::Types => self
                .search_order()
                .find_map(|unit| self.scopes[unit].common.get(space, name))
                .into_iter()
                .collect(),
            // `p in relay`: all processes are visible, with all their states.
            Space::States if self.global => self.in_all_roles(self.unit, space, name),
            Space::States | Space::Routines => Vec::new(),
        }
    }

    /// Return the declaration of another unit that a name refers to: a role of the algorithm, what the unit's own problem or,
    /// in the text of a problem, the algorithm declares, and types of the algorithm's problem.
    fn of_another_unit(&self, name: &str) -> Option<DeclId> {
        let units = &self.loaded.units;
        let of = |unit: usize, seen: fn(Kind) -> bool| {
            let found = self.scopes[unit].common.get(Space::Values, name);
            found.filter(|id| seen(self.names.decl(*id).kind))
        };
        let role = of(0, |kind| kind == Kind::Role);
        let own = units[self.unit].problem.and_then(|problem| match self.global {
            true => of(problem, |_| true),
            false => of(problem, |kind| kind == Kind::Output || kind.is_of_types()),
        });
        let is_solved = units[0].problem == Some(self.unit);
        let solved =
            is_solved.then(|| of(0, |kind| !matches!(kind, Kind::Variable | Kind::Output))).flatten();
        let types = units[0].problem.and_then(|problem| of(problem, Kind::is_of_types));
        role.or(own).or(solved).or(types)
    }

    /// Return the units in which names of processes and types are looked up: the own one and its problem, the algorithm and its
    /// problem, the layers.
    fn search_order(&self) -> impl Iterator<Item = usize> + use<> {
        self.family(self.unit).chain(self.family(0)).chain(0..self.loaded.units.len())
    }

    /// Return the declarations of a name in every role of the first unit that has one, beginning with the given unit.
    pub fn in_all_roles(&self, unit: usize, space: Space, name: &str) -> Vec<DeclId> {
        let of_processes =
            |id: &DeclId| space != Space::Values || self.names.decl(*id).kind.is_of_processes();
        let here = |unit: usize| -> Vec<DeclId> {
            self.scopes[unit].tables().filter_map(|t| t.get(space, name)).filter(of_processes).collect()
        };
        let mut all = self.family(unit).chain(self.search_order()).map(here);
        all.find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// Return the unit itself and the problem that it solves: the origins of properties and operations.
    pub fn family(&self, unit: usize) -> impl Iterator<Item = usize> + use<> {
        std::iter::once(unit).chain(self.loaded.units[unit].problem)
    }

    /// Look up a name in the tables that `table` selects, over the whole family.
    pub fn find_in(&self, unit: usize, name: &str, table: impl Fn(&Scope) -> &Table) -> Option<DeclId> {
        self.family(unit).find_map(|unit| table(&self.scopes[unit]).get(name).copied())
    }

    /// Return all variables of that name in any role of a unit, or else of another one: the candidates for `p.x`.
    pub fn variables(&self, unit: usize, name: &str) -> Vec<DeclId> {
        self.in_all_roles(unit, Space::Values, name)
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

    /// Add uses of what a name denotes in a namespace.
    pub fn use_declared(&mut self, space: Space, name: &Name, access: Access) {
        let found = self.declared(space, &name.text);
        self.add_uses(name.span, &found, access);
    }

    /// Add reads of what a name denotes in any namespace.
    pub fn use_found(&mut self, name: &Name) {
        let found = self.find(&name.text);
        self.add_uses(name.span, &found, Access::Read);
    }

    /// Resolve a name in an expression. A message there is about to be sent.
    pub fn reference(&mut self, name: &Name, access: Access) -> Vec<DeclId> {
        let found = self.find(&name.text);
        if found.is_empty() && PREDEFINED.contains(&name.text.as_str()) {
            self.names.predefined.push(name.span);
        }
        for id in &found {
            let is_message = self.names.decl(*id).kind == Kind::Message;
            let access =
                if is_message && access == Access::Read && !self.global { Access::Send } else { access };
            self.add_use(name.span, *id, access);
        }
        found
    }

    pub fn message(&mut self, name: &Name, access: Access) -> bool {
        let found = self.declared(Space::Values, &name.text);
        let is_message = found.first().is_some_and(|id| self.names.decl(*id).kind == Kind::Message);
        if is_message {
            self.add_uses(name.span, &found, access);
        }
        is_message
    }

    /// Return whether a name denotes a local or a variable.
    pub fn is_variable(&self, name: &str) -> bool {
        self.find(name).first().is_some_and(|id| self.names.decl(*id).kind.is_variable())
    }
}

fn units_of_files(loaded: &Loaded) -> Vec<usize> {
    let mut units = vec![0; loaded.sources.iter().count()];
    for (number, unit) in loaded.units.iter().enumerate() {
        unit.parsed.iter().for_each(|(file, _)| units[*file as usize] = number);
    }
    units
}

/// Return whether a clause belongs to the role of the last `process` before it.
pub fn is_of_role(clause: &ClauseKind) -> bool {
    use ClauseKind as C;
    match clause {
        C::Var { output, .. } => !output,
        C::Procedure { .. } | C::Operation { .. } | C::Client { .. } | C::Role { .. } | C::State { .. } => {
            true
        }
        C::Always | C::Handler(_) | C::Defer(_) | C::Ignore(_) => true,
        _ => false,
    }
}
