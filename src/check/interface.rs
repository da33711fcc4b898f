//! What passes between an algorithm and its problem, and is not what the other side takes.
//!
//! Either is checked against the other as a caller against what it calls, so a mistake shows where the problem uses what it has been
//! given. But who reads of it has written the algorithm: it is told there, and the problem's text stands beside it.

use super::context::LocalId;
use super::solution::pattern_span;
use super::{Checker, codes, prose};
use crate::diagnostic::Diagnostic;
use crate::ir::{self, Type};
use crate::source::Span;
use crate::syntax::ast::{self, Pattern, Trigger};

/// A call of something above: its place, and those of the values with their types.
#[derive(Clone, Debug)]
pub struct Upcall {
    pub span: Span,
    pub values: Vec<(Span, Type)>,
}

impl Checker<'_> {
    /// The name of the problem whose text is at hand, where it is there for an algorithm.
    pub(in crate::check) fn problem_at_hand(&self) -> Option<String> {
        let comp = &self.comps[self.cx.comp];
        (comp.is_problem && !self.units[0].is_problem).then(|| self.units[comp.unit].name.text.clone())
    }

    /// What a problem gives to an operation of its algorithm.
    pub(in crate::check) fn given_by_the_problem(
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
        let before = self.found.len();
        let given = self.expr_as(value, &ty, "this argument");
        let told = self.found.split_off(before);
        if told.is_empty() {
            return given;
        }
        let alone = self.expr(value, None);
        if self.found.len() > before {
            // It is wrong whoever takes it.
            self.found.truncate(before);
            self.found.extend(told);
            return given;
        }
        let (have, wanted) = (prose::a(&self.type_words(&alone.ty)), prose::a(&self.type_words(&ty)));
        let (name, span) = place;
        self.error(
            Diagnostic::error(
                codes::TYPE_MISMATCH,
                span,
                format!(
                    "the problem `{problem}` gives `{}` {have} as `{name}`, but this is {wanted}",
                    operation.text
                ),
            )
            .label(format!("{wanted} here"))
            .related(value.span, format!("{have} is given here"))
            .hint(format!("declare it as what the problem gives: `{name}: {}`", self.type_words(&alone.ty))),
        );
        given
    }

    /// Handlers of the problem for an upcall have been elaborated, and what was found since is wrong. Is it because of what the
    /// algorithm passes? Then that is told where it passes it.
    pub(in crate::check) fn unfit_upcall(&mut self, h: &ast::Handler, state: Option<u32>, before: usize) {
        let (Some(problem), Trigger::On(g)) = (self.problem_at_hand(), &h.trigger) else { return };
        let (Some(layer), Pattern::Message(name, parts, _)) = (&g.layer, &g.pattern) else { return };
        let Some(component) = self.layer_called(&layer.text) else { return };
        let Some(calls) = self.upcall_places.get(&(component, name.text.clone())).cloned() else { return };
        let told = self.found.split_off(before);
        let lost = parts.iter().map(|_| self.infer.lost()).collect();
        if !self.once_more(h, state, lost).is_empty() {
            // That is wrong whatever is passed.
            self.found.extend(told);
            return;
        }
        let open: Vec<Type> = parts.iter().map(|_| self.infer.fresh()).collect();
        let known = self.once_more(h, state, open.clone()).is_empty();
        let wanted: Vec<Type> = open.iter().map(|ty| self.infer.full(ty)).collect();
        let all = || parts.iter().zip(&wanted).enumerate();
        for call in calls.iter().filter(|_| known) {
            for ((place, (part, wanted)), (span, have)) in all().zip(&call.values) {
                // Without learning from it. Of what is known in part only, the problem's own finding says more.
                if !self.infer.is_known(wanted) || self.infer.clone().fits(have, wanted) {
                    continue;
                }
                let (have, wanted) = (prose::a(&self.type_words(have)), prose::a(&self.type_words(wanted)));
                let which = if parts.len() == 1 { String::new() } else { format!(" as value {}", place + 1) };
                let d = Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    *span,
                    format!(
                        "`{}` passes {have}{which}, but the problem `{problem}` takes {wanted}",
                        name.text
                    ),
                );
                let written = self.sources.slice(pattern_span(&g.pattern)).to_string();
                self.error(
                    d.label(format!("{have} here"))
                        .related(pattern_span(part), format!("taken as {wanted}"))
                        .hint(format!("the problem waits for `{written}`")),
                );
                return;
            }
        }
        let (Some(call), Some(first)) = (calls.first(), told.first()) else { return };
        let carried: Vec<String> = call.values.iter().map(|(_, ty)| self.type_words(ty)).collect();
        self.error(
            Diagnostic::error(
                codes::TYPE_MISMATCH,
                call.span,
                format!(
                    "`{}` passes ({}), which the problem `{problem}` cannot take: {}",
                    name.text,
                    carried.join(", "),
                    first.message
                ),
            )
            .related(first.span, "here"),
        );
    }

    /// Elaborates a handler again, with other types of what it takes; what is wrong then.
    fn once_more(&mut self, h: &ast::Handler, state: Option<u32>, types: Vec<Type>) -> Vec<Diagnostic> {
        let before = self.found.len();
        if let Some(scope) = self.cx.scopes.last_mut() {
            scope.clear();
        }
        self.upcall_trial = Some(types);
        self.handler(h, state);
        self.upcall_trial = None;
        self.found.split_off(before)
    }
}
