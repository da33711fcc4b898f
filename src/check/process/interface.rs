//! Type errors at the interface between an algorithm and its problem.
//!
//! Each is checked against the other as a caller against its callee, so an error appears where the problem uses the value. But
//! the reader is the author of the algorithm: the error is reported in the algorithm, with the problem's text as a related place.

use crate::check::Checker;
use crate::check::context::LocalId;
use crate::diagnostic::{Diagnostic, Hint, Label, Typing};
use crate::ir::{self, Type};
use crate::syntax::ast::{self, Pattern, Trigger};

impl Checker<'_> {
    /// Return the name of the problem whose text is being elaborated, if it is there for an algorithm.
    pub(in crate::check) fn current_problem(&self) -> Option<String> {
        let comp = &self.comps[self.cx.comp];
        (comp.is_problem && !self.units[0].is_problem).then(|| self.units[comp.unit].name.text.clone())
    }

    /// Check the arguments that a problem passes to an operation of its algorithm.
    pub(in crate::check) fn check_problem_arguments(
        &mut self,
        problem: &str,
        value: &ast::Expr,
        operation: &ast::Name,
        param: LocalId,
    ) -> ir::Expr {
        let (ty, place) = {
            let local = &self.cx.locals[param as usize];
            (local.ty.clone(), (local.name.clone(), local.span))
        };
        let before = self.findings.len();
        let given = self.expr_as(value, &ty, "this argument");
        let told = self.findings.split_off(before);
        if told.is_empty() {
            return given;
        }
        let alone = self.expr(value, None);
        if self.findings.len() > before {
            // The error does not depend on the algorithm.
            self.findings.truncate(before);
            self.findings.extend(told);
            return given;
        }
        let (passed, wanted) = (self.type_words(&alone.ty), self.type_words(&ty));
        let (name, span) = place;
        self.error(
            Typing::OperationTakes(problem.into(), operation.text.clone(), name, passed.clone(), wanted)
                .at(span)
                .related(value.span, Label::Passed(passed)),
        );
        given
    }

    /// Decide whether errors in the problem's handlers for an upcall are caused by the values that the algorithm passes. If so,
    /// report them at the algorithm's call.
    pub(in crate::check) fn report_upcall_mismatch(
        &mut self,
        h: &ast::Handler,
        state: Option<u32>,
        before: usize,
    ) {
        let (Some(problem), Trigger::On(g)) = (self.current_problem(), &h.trigger) else { return };
        let (Some(layer), Pattern::Message(name, parts, _)) = (&g.layer, &g.pattern) else { return };
        let Some(component) = self.layer_by_alias(&layer.text) else { return };
        let Some(calls) = self.upcall_sites.get(&(component, name.text.clone())).cloned() else { return };
        let told = self.findings.split_off(before);
        let lost = parts.iter().map(|_| self.infer.error_type()).collect();
        if !self.elaborate_again(h, state, lost).is_empty() {
            // The error does not depend on the arguments.
            self.findings.extend(told);
            return;
        }
        let open: Vec<Type> = parts.iter().map(|_| self.infer.fresh()).collect();
        let known = self.elaborate_again(h, state, open.clone()).is_empty();
        let wanted: Vec<Type> = open.iter().map(|ty| self.infer.full(ty)).collect();
        let all = || parts.iter().zip(&wanted).enumerate();
        for call in calls.iter().filter(|_| known) {
            for ((place, (part, wanted)), (span, have)) in all().zip(&call.values) {
                // Compare without binding type variables. If a type is known only in part, the problem's own finding is more
                // precise.
                if !self.infer.is_known(wanted) || self.infer.clone().fits(have, wanted) {
                    continue;
                }
                let (have, wanted) = (self.type_words(have), self.type_words(wanted));
                let position = (parts.len() > 1).then_some(place + 1);
                let written = self.sources.slice(g.pattern.span()).to_string();
                self.error(
                    Typing::UpcallPasses(name.text.clone(), have, position, problem, wanted.clone())
                        .at(*span)
                        .related(part.span(), Label::Needed(wanted))
                        .hint(Hint::PassedType(written)),
                );
                return;
            }
        }
        let (Some(call), Some(first)) = (calls.first(), told.first()) else { return };
        let carried: Vec<String> = call.values.iter().map(|(_, ty)| self.type_words(ty)).collect();
        self.error(
            Typing::UpcallNotAccepted(name.text.clone(), carried, problem, first.message())
                .at(call.span)
                .related(first.span, Label::Here),
        );
    }

    /// Elaborate a handler again, with other types of its arguments. Return its errors.
    fn elaborate_again(&mut self, h: &ast::Handler, state: Option<u32>, types: Vec<Type>) -> Vec<Diagnostic> {
        let before = self.findings.len();
        if let Some(scope) = self.cx.scopes.last_mut() {
            scope.clear();
        }
        self.trial_argument_types = Some(types);
        self.handler(h, state);
        self.trial_argument_types = None;
        self.findings.split_off(before)
    }
}
