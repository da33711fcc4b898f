//! The declarations of a unit's clauses.

use super::resolve::Resolver;
use super::scope::Space;
use super::{Decl, DeclId, Kind};
use crate::syntax::ast::{
    Clause, ClauseKind, Handler, Name, Param, Pattern, ProblemParam, Trigger, TypeExpr,
};

impl Resolver<'_> {
    /// Declare the names of all units. The clauses of a base come after those of its variant, which replace them.
    pub fn declare_all(&mut self) {
        for file in self.files() {
            self.begin(file);
            for clause in &self.parsed.module.clauses {
                self.clause = clause.span;
                self.declare(clause);
            }
            self.declare_broken();
        }
    }

    /// Add a declaration to the current role; an existing declaration of that name is kept.
    fn in_role(&mut self, decl: Decl) -> DeclId {
        let (kind, name, role) = (decl.kind, decl.name.clone(), decl.role.clone());
        let id = self.add(decl);
        let table = self.scopes[self.unit].table(role.as_deref());
        table.add(Space::of(kind), &name, id);
        if kind == Kind::Record {
            table.add(Space::Types, &name, id);
        }
        id
    }

    /// Declare a name of the current role, with its written type.
    fn own(&mut self, kind: Kind, name: &Name, ty: Option<&TypeExpr>) -> DeclId {
        self.in_role(Decl { written: ty.map(|t| t.span), ..self.decl(kind, name) })
    }

    /// Declare a name that all roles see, with its written type.
    fn common(&mut self, kind: Kind, name: &Name, ty: Option<&TypeExpr>) -> DeclId {
        self.in_role(Decl { role: None, written: ty.map(|t| t.span), ..self.decl(kind, name) })
    }

    fn part(&mut self, kind: Kind, name: &Name, param: Option<&Param>, parent: DeclId) {
        let written = param.and_then(|p| p.ty.as_ref()).map(|t| t.span);
        let id = self.add(Decl { parent: Some(parent), written, ..self.decl(kind, name) });
        let scope = &mut self.scopes[self.unit];
        if kind == Kind::RecordField {
            scope.record_fields.entry(name.text.clone()).or_default().push(id);
        }
        if kind == Kind::Case {
            scope.common.add(Space::Values, &name.text, id);
        }
    }

    fn declare(&mut self, clause: &Clause) {
        match &clause.kind {
            ClauseKind::Algorithm { name, .. } => self.declare_header(Kind::Algorithm, name),
            ClauseKind::Problem { name, params, .. } => {
                self.declare_header(Kind::Problem, name);
                params.iter().for_each(|option| self.option(option));
            }
            ClauseKind::Uses(list) => {
                for used in list {
                    let alias = used.name();
                    let id = self.add(self.decl(Kind::Layer, alias));
                    self.scopes[self.unit].layers.entry(alias.text.clone()).or_insert(id);
                }
            }
            ClauseKind::Message(list) => {
                for message in list {
                    let id = self.common(Kind::Message, &message.name, None);
                    message.fields.iter().for_each(|f| self.part(Kind::Field, &f.name, Some(f), id));
                }
            }
            ClauseKind::Enum { name, cases } => {
                let id = self.common(Kind::Enum, name, None);
                cases.iter().for_each(|case| self.part(Kind::Case, case, None, id));
            }
            ClauseKind::Record { name, fields } => {
                let id = self.common(Kind::Record, name, None);
                fields.iter().for_each(|f| self.part(Kind::RecordField, &f.name, Some(f), id));
            }
            ClauseKind::Const { name, ty, .. } => {
                self.common(Kind::Const, name, ty.as_ref());
            }
            ClauseKind::Param { name, ty, .. } => {
                self.common(Kind::Param, name, ty.as_ref());
            }
            ClauseKind::Var { output: true, names, ty, .. } => {
                names.iter().for_each(|name| {
                    self.common(Kind::Output, name, ty.as_ref());
                });
            }
            ClauseKind::Var { names, ty, .. } => {
                names.iter().for_each(|name| {
                    self.own(Kind::Variable, name, ty.as_ref());
                });
            }
            ClauseKind::Function { name, result, .. } => {
                self.common(Kind::Function, name, result.as_ref());
            }
            ClauseKind::Procedure { name, .. } => {
                self.own(Kind::Procedure, name, None);
            }
            ClauseKind::Operation { name, alias, .. } => self.operation(name, alias.as_ref()),
            ClauseKind::Role { name } => {
                self.role = Some(name.text.clone());
                if self.scopes[self.unit].common.get(Space::Values, &name.text).is_none() {
                    self.common(Kind::Role, name, None);
                }
                self.scopes[self.unit].table(Some(&name.text));
            }
            ClauseKind::State { names, .. } => names.iter().for_each(|name| self.state(name)),
            ClauseKind::Handler(handler) => self.upcall(handler),
            ClauseKind::Property(property) => {
                let id = self.add(self.decl(Kind::Property, &property.name));
                self.scopes[self.unit].properties.entry(property.name.text.clone()).or_insert(id);
            }
            ClauseKind::Scenario(scenario) => {
                self.add(self.decl(Kind::Scenario, &scenario.name));
            }
            _ => {}
        }
    }

    fn declare_header(&mut self, kind: Kind, name: &Name) {
        let id = self.add(self.decl(kind, name));
        self.headers[self.file as usize].get_or_insert(id);
    }

    /// Declare an option of a problem and its choices.
    fn option(&mut self, option: &ProblemParam) {
        let id = self.common(Kind::Option, &option.name, None);
        option.options.iter().for_each(|choice| self.part(Kind::Choice, choice, None, id));
    }

    /// Declare an operation, and the alias under which it is called.
    fn operation(&mut self, name: &Name, alias: Option<&Name>) {
        let id = self.own(Kind::Operation, name, None);
        self.scopes[self.unit].operations.entry(name.text.clone()).or_insert(id);
        if let Some(alias) = alias {
            let id = self.add(Decl { parent: Some(id), ..self.decl(Kind::Alias, alias) });
            self.scopes[self.unit].operations.entry(alias.text.clone()).or_insert(id);
        }
    }

    /// Declare a state, unless an earlier section of it has done so.
    fn state(&mut self, name: &Name) {
        let role = self.role.clone();
        if self.scopes[self.unit].table(role.as_deref()).get(Space::States, &name.text).is_none() {
            self.own(Kind::State, name, None);
        }
    }

    /// Declare the upcall that a problem handles.
    fn upcall(&mut self, handler: &Handler) {
        if let Trigger::On(guard) = &handler.trigger
            && guard.layer.as_ref().is_some_and(|l| l.text == "algorithm")
            && let Pattern::Name(name) | Pattern::Message(name, ..) = &guard.pattern
            && !self.scopes[self.unit].upcalls.contains_key(&name.text)
        {
            let id = self.add(self.decl(Kind::Upcall, name));
            self.scopes[self.unit].upcalls.insert(name.text.clone(), id);
        }
    }

    /// Declare a name of a clause that cannot be parsed yet; only its name is known.
    pub fn declare_word(&mut self, kind: Kind, name: &Name) {
        match kind {
            Kind::Algorithm | Kind::Problem => self.declare_header(kind, name),
            Kind::Property | Kind::Scenario => {
                let id = self.add(Decl { role: None, ..self.decl(kind, name) });
                self.scopes[self.unit].properties.entry(name.text.clone()).or_insert(id);
            }
            Kind::Operation => self.operation(name, None),
            Kind::Variable | Kind::State | Kind::Procedure => {
                self.own(kind, name, None);
            }
            _ => {
                self.common(kind, name, None);
            }
        }
    }
}
