//! Name resolution: local, variable, constant, state, role, or predefined name.

use crate::check::context::*;
use crate::check::model::ports::port_label;
use crate::check::types::written::of;
use crate::check::vocabulary::PREDEFINED;
use crate::check::{Checker, prose};
use crate::diagnostic::{Fix, Grammar, Hint, Label, Modelling, Naming, Need, Noun, Typing, codes};
use crate::ir::{self, Compare, ExprKind as K, Fact, PortLabel, ProcessFact, Type};
use crate::source::Span;
use crate::syntax::ast;

/// Maximum length of lists in hints; longer ones are not helpful.
pub(in crate::check) const MAX_LISTED: usize = 12;

impl Checker<'_> {
    /// Look up a declared name of the current component; the problem also sees the algorithm's messages and roles.
    pub fn lookup(&self, name: &str) -> Option<(Def, Span)> {
        let comp = &self.comps[self.cx.comp];
        if let Some(found) = comp.names.get(name) {
            return Some(found.clone());
        }
        if let Some(Role { index, span }) = self.role_named(name) {
            return Some((Def::Role(index), span));
        }
        let of_a_type = |def: &Def| matches!(def, Def::Case(..) | Def::Record(_));
        // A layer assigns its outputs values of its problem's types.
        let told = comp.problem.filter(|_| !comp.name.is_empty());
        if let Some(found) = told.and_then(|problem| self.comps[problem].names.get(name))
            && of_a_type(&found.0)
        {
            return Some(found.clone());
        }
        // Properties of the algorithm may mention the problem's parameters, and the reverse. The algorithm assigns its outputs
        // values of the problem's types.
        let everything = self.cx.is_global() || comp.is_problem;
        let others = self.comps.iter().filter(|other| other.is_problem || other.name.is_empty());
        let mut found =
            others.filter_map(|other| other.names.get(name).map(|found| (other.is_problem, found)));
        found
            .find(|(of_problem, (def, _))| everything || (*of_problem && of_a_type(def)))
            .map(|(_, f)| f.clone())
    }

    /// Look up a name that the problem declares and processes do not see.
    pub fn hidden_in_problem(&self, name: &str) -> Option<(Def, Span)> {
        self.comps[self.problem()?].names.get(name).cloned()
    }

    /// Return the component that declares a name there: that of the text at `place`, if it declares it.
    pub fn declaring_component(&self, name: &ast::Name, place: Span) -> usize {
        let declares = |c: &Comp| c.names.get(&name.text).is_some_and(|(_, p)| *p == place);
        if declares(&self.comps[self.cx.comp]) {
            return self.cx.comp;
        }
        self.comps.iter().position(declares).unwrap_or(self.cx.comp)
    }

    pub fn role_named(&self, name: &str) -> Option<Role> {
        self.units[0]
            .roles
            .iter()
            .position(|r| r.name.as_ref().is_some_and(|n| n.text == name))
            .map(|i| Role { index: i as u16, span: self.units[0].roles[i].span })
    }

    pub fn message_named(&self, name: &str) -> Option<u32> {
        match self.lookup(name) {
            Some((Def::Message(kind), _)) => Some(kind),
            _ => None,
        }
    }

    pub fn message_kind(&mut self, name: &ast::Name) -> Option<u32> {
        let found = self.message_named(&name.text);
        if found.is_none() {
            let known: Vec<String> = self.comps[self.cx.comp]
                .names
                .iter()
                .filter(|(_, (d, _))| matches!(d, Def::Message(_)))
                .map(|(n, _)| n.clone())
                .collect();
            let d = Naming::Unknown(Noun::Message, name.text.clone()).at(name.span);
            let text = name.text.clone();
            let is_small = text.starts_with(char::is_lowercase);
            let event = is_small.then(|| prose::foreign_event(&text)).flatten();
            self.error(match self.lookup(&name.text) {
                Some((Def::Record(_), _)) => d.hint(Hint::IsRecord(text)),
                // Messages of a program are written in capitals, events in small letters.
                _ if event.is_some() => d.nearest(&name.text, &known, event.map(Hint::Word)),
                _ => d.fix(self.fix_declare_message(name)).nearest(
                    &name.text,
                    &known,
                    Hint::DeclareMessageWithFields(text),
                ),
            });
        }
        found
    }

    /// Return a variable of the current process: of this component, or an output of its problem.
    pub fn variable(&self, name: &str) -> Option<LocalId> {
        let scopes = &self.cx.comps;
        let own = scopes.get(self.cx.comp)?.vars.get(name).copied();
        own.or_else(|| {
            let comp = &self.comps[self.cx.comp];
            let of = comp.defines_outputs_of.or(comp.is_problem.then_some(0))?;
            let local = *scopes[of].vars.get(name)?;
            self.cx.locals[local as usize].output.then_some(local)
        })
    }

    /// Return the local or the variable that a command may assign under this name.
    pub fn assignable(&self, name: &str) -> Option<LocalId> {
        self.cx.scoped(name).or_else(|| self.variable(name))
    }

    pub fn names_in_scope(&self) -> Vec<String> {
        let mut names: Vec<String> = self.cx.scopes.iter().flatten().map(|(n, _)| n.clone()).collect();
        if let Some(scope) = self.cx.comps.get(self.cx.comp) {
            names.extend(scope.vars.keys().cloned());
            names.extend(scope.states.keys().cloned());
            names.extend(scope.routines.keys().cloned());
        }
        let comp = &self.comps[self.cx.comp];
        names.extend(comp.names.keys().cloned());
        names.extend(comp.layers.iter().map(|(alias, _)| alias.clone()));
        names.extend(PREDEFINED.iter().map(|s| s.to_string()));
        names.extend(self.cx.processes.known());
        names
    }

    pub fn name(&mut self, name: &ast::Name, want: Option<&Type>) -> ir::Expr {
        let span = name.span;
        let text = name.text.as_str();
        if let Some(local) = self.cx.scoped(text) {
            return self.read(local, span);
        }
        if let Some(subject) = self.cx.subject.clone()
            && let Some(e) = self.of_subject(&subject, name)
        {
            return e;
        }
        if let Some(local) = self.variable(text) {
            return self.read(local, span);
        }
        if let Some(Type::Enum(e)) = want.map(|t| self.infer.head(t))
            && let Some(case) = self.enums[e as usize].cases.iter().position(|c| c == text)
        {
            return self.make(K::Word(case as i64), Type::Enum(e), span);
        }
        // A message is named only with its fields, or in the lines of a scenario that take one.
        let is_hidden =
            |def: &Def| matches!(def, Def::Message(_)) && self.cx.processes.named.contains_key(text);
        if let Some((def, place)) = self.lookup(text).filter(|(def, _)| !is_hidden(def)) {
            return self.defined(def, place, name);
        }
        if let Some(scope) = self.cx.comps.get(self.cx.comp)
            && let Some(state) = scope.states.get(text).copied()
            && !self.cx.is_global()
        {
            let ctl = scope.state_local;
            let left = self.make(K::Slot(slot(ctl)), Type::Int, span);
            let right = self.make(K::Word(state as i64), Type::Int, span);
            return self.make(K::Compare(Compare::Equal, Box::new(left), Box::new(right)), Type::Bool, span);
        }
        if let Some(p) = self.cx.processes.get(text) {
            return self.make(K::Word(p), Type::Process, span);
        }
        if let Some(e) = self.predefined(text, span) {
            return e;
        }
        if self.case_of_heard(text, span) {
            return self.poison(span);
        }
        let d = self.unknown_name(text, span);
        self.error(d);
        self.poison(span)
    }

    /// Read a local or variable. If it may not have been assigned yet, the read needs a value, as that of an option does.
    pub fn read(&mut self, local: LocalId, span: Span) -> ir::Expr {
        let l = &self.cx.locals[local as usize];
        let (ty, unset) = (l.ty.clone(), l.starts_unset);
        let read = self.make(K::Slot(slot(local)), ty.clone(), span);
        if unset && !self.cx.definitely_assigned.contains(&local) {
            return self.make(K::Unwrap(Box::new(read)), ty, span);
        }
        read
    }

    fn of_subject(&mut self, subject: &ir::Expr, name: &ast::Name) -> Option<ir::Expr> {
        match name.text.as_str() {
            "id" => Some(self.make(
                K::ProcessFact(ProcessFact::Id, Box::new(subject.clone())),
                Type::Id,
                name.span,
            )),
            "enabled" => Some(self.process_field(subject.clone(), name, name.span)),
            text if self.is_variable_anywhere(text) => {
                Some(self.process_field(subject.clone(), name, name.span))
            }
            text if self.is_state_anywhere(text) => Some(self.remote_state(subject.clone(), text, name.span)),
            _ => None,
        }
    }

    fn defined(&mut self, def: Def, place: Span, name: &ast::Name) -> ir::Expr {
        let span = name.span;
        match def {
            Def::Const(i) => {
                if self.unfolding.contains(&name.text) {
                    self.error(Naming::DependsOnItself(Noun::Constant, name.text.clone()).at(span));
                    return self.poison(span);
                }
                let unit = self.comps[self.declaring_component(name, place)].unit;
                self.constant(unit, i)
            }
            Def::Param(p) => match self.params.get(p as usize).map(|param| param.ty.clone()) {
                Some(ty) => self.make(K::Param(p), ty, span),
                // The name is in scope before its default is elaborated.
                None => {
                    self.error(Naming::DefaultDependsOnItself(name.text.clone()).at(span));
                    self.poison(span)
                }
            },
            Def::Case(e, case) => self.make(K::Word(case as i64), Type::Enum(e), span),
            Def::Message(kind) => {
                self.field_types(kind, 0, span);
                self.make(K::Message(kind, Vec::new()), Type::Value, span)
            }
            Def::Role(r) => {
                if self.cx.is_global() {
                    return self.make(K::Fact(Fact::RoleProcesses(r)), Type::Set(of(Type::Process)), span);
                }
                let element = if self.assumptions.identifies_by_id() { Type::Id } else { Type::Port };
                self.make(K::Fact(Fact::Role(r)), Type::Set(of(element)), span)
            }
            Def::Output(i) => self.output_definition(i, span),
            Def::Function(_) | Def::Record(_) => {
                self.error(
                    Typing::NeedsArguments(name.text.clone()).at(span).related(place, Label::Declared),
                );
                self.poison(span)
            }
        }
    }

    /// Elaborate the value of a constant of a unit.
    pub(in crate::check) fn constant(&mut self, unit: usize, index: usize) -> ir::Expr {
        let (name, ty, value) = self.units[unit].consts[index].clone();
        self.unfolding.push(name.text.clone());
        let comp = self.cx.comp;
        let e = self.apart(comp, Vec::new(), |this| match &ty {
            Some(t) => {
                let ranges = this.ranges(t);
                let t = this.type_expr(t);
                let what = format!("the constant `{}`", name.text);
                let value = this.expr_as(&value, &t, &what);
                this.with_static_range_check(value, &ranges, codes::CONSTANT, &what)
            }
            None => this.expr(&value, None),
        });
        self.unfolding.pop();
        e
    }

    fn predefined(&mut self, text: &str, span: Span) -> Option<ir::Expr> {
        let global = self.cx.is_global();
        let a = self.assumptions.clone();
        let fact = |this: &Self, f: Fact, t: Type| Some(this.make(K::Fact(f), t, span));
        if let Some((found, ty, need)) = fact_named(text, global) {
            if let Some(need) = need.filter(|_| self.cx.is_visible_to_process()) {
                // A network that is not a tree has a spanning tree.
                let need = match need {
                    Need::Parent(_) if a.topology.is_some() => Need::Parent("spanning tree"),
                    other => other,
                };
                self.require(need, span);
            }
            return fact(self, found, ty);
        }
        match text {
            "id" if !global => {
                if a.anonymous {
                    self.error(
                        Modelling::IdOfAnonymous.at(span).hint(Hint::AssumeIds).fix(self.fix_not_anonymous()),
                    );
                } else {
                    self.require(Need::Id, span);
                }
                fact(self, Fact::Id, Type::Id)
            }
            "initiator" if !global => {
                self.reads_initiator = true;
                fact(self, Fact::IsInitiator, Type::Bool)
            }
            "peers" if !global => {
                let fix = Fix::replace(span, "others").certain();
                self.error(Grammar::FormerWord("peers".into(), "others".into()).at(span).fix(fix));
                self.require(Need::Peers(text.into()), span);
                fact(self, Fact::Peers, Type::Set(of(Type::Id)))
            }
            "received" if !global => Some(self.received_all(span)),
            "heard" if !global => Some(self.heard(span)),
            "coin" => Some(self.coin(&[], span)),
            _ if !global => {
                let label = port_label(text)?;
                if a.virtual_ring && matches!(label, PortLabel::Next | PortLabel::Prev) {
                    let f = if label == PortLabel::Next { Fact::RingNext } else { Fact::RingPrev };
                    return fact(self, f, if a.ring_of_ids() { Type::Id } else { Type::Port });
                }
                self.require_label(label, text, span);
                fact(self, Fact::Port(label), Type::Port)
            }
            _ => None,
        }
    }
}

/// Return the fact that a predefined name denotes for observers or for processes, with its type and what a process needs.
fn fact_named(name: &str, observes: bool) -> Option<(Fact, Type, Option<Need>)> {
    let set = |ty: Type| Type::Set(of(ty));
    Some(match (name, observes) {
        ("n", _) => (Fact::N, Type::Int, Some(Need::N)),
        ("diameter", _) => (Fact::Diameter, Type::Int, Some(Need::Diameter)),
        ("edges", _) => (Fact::Edges, Type::Int, Some(Need::Edges)),
        ("rows", _) => (Fact::Rows, Type::Int, Some(Need::Side(name.into()))),
        ("columns", _) => (Fact::Columns, Type::Int, Some(Need::Side(name.into()))),
        ("processes", true) => (Fact::Processes, set(Type::Process), None),
        ("participants", true) => (Fact::Participants, set(Type::Process), None),
        ("initiators", true) => (Fact::Initiators, set(Type::Process), None),
        ("degree", false) => (Fact::Degree, Type::Int, None),
        ("neighbours", false) => (Fact::Neighbours, set(Type::Port), None),
        ("others", false) => (Fact::Peers, set(Type::Id), Some(Need::Peers(name.into()))),
        ("everybody", false) => (Fact::Everybody, set(Type::Id), Some(Need::Peers(name.into()))),
        ("children", false) => (Fact::TreeChildren, set(Type::Port), Some(Need::Children)),
        ("parent", false) => (Fact::TreeParent, Type::Option(of(Type::Port)), Some(Need::Parent("tree"))),
        _ => return None,
    })
}

pub struct Role {
    pub index: u16,
    pub span: Span,
}
