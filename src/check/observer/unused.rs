//! Unused functions and constants are checked, too.
//!
//! Types are inferred from uses, and functions are elaborated where they are called. For an unused function it is not known
//! whether it belongs to processes or to observers, nor what the types of its parameters are: it is wrong if it is wrong in every
//! context, for all arguments.

use crate::check::Checker;
use crate::check::context::{Class, Cx, Mode, Written};
use crate::check::load::unit::Function;
use crate::diagnostic::{Diagnostic, codes};
use crate::syntax::ast::{ExprKind, Name};
use std::collections::BTreeSet;

impl Checker<'_> {
    /// Check declarations that no use has elaborated.
    pub fn check_unused(&mut self) {
        let unit = self.units[0].clone();
        self.observe(0);
        let used = self.names.used();
        let declared = |name: &Name| self.names.declaration_at(name.span);
        let is_used = |name: &Name| declared(name).is_some_and(|decl| used.contains(&decl));
        let consts: Vec<usize> = (0..unit.consts.len()).filter(|i| !is_used(&unit.consts[*i].0)).collect();
        // Inherited declarations are checked in the other file, and those of a problem with the problem.
        let is_own = |name: &Name| name.text != "worst_id" && name.span.file == unit.file;
        let functions = unit.functions.iter().filter(|f| is_own(&f.name) && !is_used(&f.name));
        let functions: Vec<_> = functions.filter_map(|f| Some((declared(&f.name)?, f))).collect();
        consts.into_iter().for_each(|index| drop(self.constant(0, index)));
        let fields: Vec<Written> = self.written_types.range(..Written::Param(0)).map(|(of, _)| *of).collect();
        fields.into_iter().for_each(|field| drop(self.ranges_written(field)));
        // Report a cycle of functions only once.
        let mut told = BTreeSet::new();
        for (decl, function) in functions {
            if told.contains(&decl) {
                continue;
            }
            let found = self.errors_in_every_context(function);
            if found.iter().any(|d| d.code() == codes::CYCLE) {
                let clause = self.names.decl(decl).clause;
                told.extend(self.names.reached(|used| used.clause == clause));
            }
            self.findings.extend(found);
        }
    }

    /// Return the errors of a function in every context: none, if there is a context in which it is correct.
    fn errors_in_every_context(&mut self, function: &Function) -> Vec<Diagnostic> {
        let mut places: Vec<Cx> = Vec::new();
        for (number, role) in (0..).zip(&self.roles) {
            let (locals, comps) = (role.locals.clone(), role.comps.clone());
            places.push(Cx { locals, comps, ..Cx::new(Some(number), self.comps.len(), Mode::Handler) });
        }
        places.push(self.observer_context());
        let mut wrong: Option<Vec<Diagnostic>> = None;
        for place in places {
            let found = self.wrong_at(function, place);
            if wrong.as_ref().is_none_or(|least| found.len() < least.len()) {
                wrong = Some(found);
            }
        }
        wrong.unwrap_or_default()
    }

    /// Return a context that sees all processes. Scenarios, which see most, also know their names.
    fn observer_context(&self) -> Cx {
        let mut cx = Cx::new(None, self.comps.len(), Mode::Global);
        cx.processes.n = i64::MAX;
        let settings = self.units[0].scenarios.iter().flat_map(|(scenario, ..)| &scenario.with);
        let lists = settings.filter(|(key, _)| key.text == "names").filter_map(|(_, value)| value.as_ref());
        for list in lists {
            if let ExprKind::List(items) | ExprKind::Set(items) = &list.kind {
                let names = items.iter().filter_map(|item| match &item.kind {
                    ExprKind::Name(name) => Some((name.text.clone(), 0)),
                    _ => None,
                });
                cx.processes.named.extend(names);
            }
        }
        cx
    }

    fn wrong_at(&mut self, function: &Function, place: Cx) -> Vec<Diagnostic> {
        // Discard all findings, counts and uses of this trial if the context is the wrong one.
        let said = std::mem::take(&mut self.findings);
        let (types, nodes) = (self.types.take(), self.nodes);
        let shared = self.shared.clone();
        let hoisted = std::mem::take(&mut self.hoisted);

        self.cx = place;
        self.infer.is_generic = function.params.iter().any(|p| p.ty.is_none());
        let mut parameters = Vec::new();
        for param in &function.params {
            let ty = self.type_or_open(param.ty.as_ref());
            self.ranges_of(param.ty.as_ref());
            let local = self.cx.new_local(&param.name.text, ty, param.name.span, Class::Temp);
            parameters.push((param.name.text.clone(), local));
        }
        self.function_body(0, function, parameters, None);
        self.check_additive_types();
        self.infer.is_generic = false;

        (self.types, self.nodes) = (types, nodes);
        self.shared = shared;
        self.hoisted = hoisted;
        std::mem::replace(&mut self.findings, said)
    }
}
