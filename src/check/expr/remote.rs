//! Variables and states of processes, seen from outside: `p.x`, `p in relay`.

use crate::check::Checker;
use crate::check::expr::reference::MAX_LISTED;
use crate::check::typed::variable_of;
use crate::check::types::written::of;
use crate::diagnostic::{Hint, Naming, Need};
use crate::ir::{self, ExprKind as K, ProcessFact, Slot, Type};
use crate::source::Span;
use crate::syntax::ast;
use std::collections::BTreeSet;

impl Checker<'_> {
    pub fn is_variable_anywhere(&self, name: &str) -> bool {
        self.roles.iter().any(|r| r.vars.keys().any(|(_, n)| n == name))
            || self.derived.keys().any(|(_, n)| n == name)
    }

    pub fn is_state_anywhere(&self, name: &str) -> bool {
        self.roles.iter().any(|r| r.states.keys().any(|(_, n)| n == name))
    }

    pub(in crate::check) fn variable_of(&self, comp: usize, name: &str) -> Option<(Vec<Option<Slot>>, Type)> {
        variable_of(&self.roles, comp, name)
    }

    /// Return the names of variables of these components, in alphabetical order.
    pub(in crate::check) fn variables_of(&self, is_meant: impl Fn(usize) -> bool) -> Vec<String> {
        let all = self.roles.iter().flat_map(|role| role.vars.keys());
        let names: BTreeSet<&String> =
            all.filter(|(comp, _)| is_meant(*comp)).map(|(_, name)| name).collect();
        names.into_iter().cloned().collect()
    }

    /// Return the components in which a property looks up a name of a process: its own first, then the algorithm, the problem,
    /// the layers.
    pub(in crate::check) fn search_order(&self) -> Vec<usize> {
        let mut order = vec![self.cx.comp];
        order.extend(self.comps[self.cx.comp].defines_outputs_of);
        order.push(0);
        order.extend(self.problem());
        order.extend(0..self.component_count());
        order
    }

    /// `p.x`
    pub fn process_field(&mut self, process: ir::Expr, field: &ast::Name, span: Span) -> ir::Expr {
        let process = self.coerce(process, &Type::Process, "the expression before the dot");
        // A reserved name whose declaration has been rejected.
        let declared = self.is_variable_anywhere(&field.text);
        let fact = match field.text.as_str() {
            "id" => Some((ProcessFact::Id, Type::Id)),
            "index" if !declared => Some((ProcessFact::Index, Type::Int)),
            "halted" if !declared => Some((ProcessFact::Halted, Type::Bool)),
            "up" if !declared => Some((ProcessFact::Up, Type::Bool)),
            "degree" => Some((ProcessFact::Degree, Type::Int)),
            "neighbours" => Some((ProcessFact::Neighbours, Type::Set(of(Type::Process)))),
            "initiator" => Some((ProcessFact::IsInitiator, Type::Bool)),
            "enabled" if !declared => {
                self.require(Need::Enabled, span);
                Some((ProcessFact::Enabled, Type::Bool))
            }
            _ => None,
        };
        if let Some((fact, ty)) = fact {
            return self.make(K::ProcessFact(fact, Box::new(process)), ty, span);
        }
        for comp in self.search_order() {
            if let Some(value) = self.remote_variable(&process, comp, &field.text, span) {
                self.check_unambiguous_layer(comp, field);
                return value;
            }
        }
        if self.is_state_anywhere(&field.text) {
            return self.remote_state(process, &field.text, span);
        }
        let mut known = self.variables_of(|_| true);
        known.extend(["id", "index", "halted", "up", "initiator"].map(String::from));
        known.sort();
        known.dedup();
        let d = Naming::NoVariableOfProcesses(field.text.clone()).at(field.span);
        let hint = (known.len() <= MAX_LISTED).then(|| Hint::Are("their variables", known.clone()));
        self.error(d.nearest(&field.text, &known, hint));
        self.poison(span)
    }

    /// Read the variable or output of one component, of a process seen from outside.
    pub(in crate::check) fn remote_variable(
        &mut self,
        process: &ir::Expr,
        comp: usize,
        name: &str,
        span: Span,
    ) -> Option<ir::Expr> {
        if let Some((slots, ty)) = self.variable_of(comp, name) {
            return Some(self.make(K::Remote(Box::new(process.clone()), slots), ty, span));
        }
        let index = self.derived.get(&(comp, name.to_string())).copied()?;
        let subject = self.cx.subject.replace(process.clone());
        let value = self.in_component(comp, |this| this.output_definition(index, span));
        self.cx.subject = subject;
        Some(value)
    }

    /// Report a name that two layers have, unless a component above them also has it.
    fn check_unambiguous_layer(&mut self, comp: usize, field: &ast::Name) {
        let is_layer = |comp: usize| comp != 0 && !self.comps[comp].is_problem;
        if !is_layer(comp)
            || comp == self.cx.comp
            || self.comps[self.cx.comp].defines_outputs_of == Some(comp)
        {
            return;
        }
        let has = |comp: &usize| {
            self.variable_of(*comp, &field.text).is_some()
                || self.derived.contains_key(&(*comp, field.text.clone()))
        };
        let layers: Vec<String> = (0..self.component_count())
            .filter(|c| is_layer(*c) && has(c))
            .map(|c| self.comps[c].name.clone())
            .collect();
        if layers.len() > 1 {
            self.error(Naming::InSeveralLayers(field.text.clone(), layers).at(field.span));
        }
    }

    /// `p in relay`
    pub fn remote_state(&mut self, process: ir::Expr, state: &str, span: Span) -> ir::Expr {
        for comp in self.search_order() {
            let key = (comp, state.to_string());
            if self.roles.iter().any(|r| r.states.contains_key(&key)) {
                let by_role = self
                    .roles
                    .iter()
                    .map(|r| r.states.get(&key).map(|(slot, s)| (*slot, vec![*s])))
                    .collect();
                return self.make(K::RemoteState(Box::new(process), by_role), Type::Bool, span);
            }
        }
        self.poison(span)
    }
}
