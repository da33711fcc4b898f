//! Binders, which range over sets, and patterns.

use super::super::Checker;
use super::*;
use crate::check::context::*;
use crate::check::types::written::of;
use crate::diagnostic::{Behaviour, Diagnostic, Finding, Hint, Label, Naming, Typing};

impl Checker<'_> {
    pub fn binders(&mut self, binders: &[ast::Binder], span: Span) -> Vec<ir::Binder> {
        // `forall p, q in S` gives S to both.
        let mut sets: Vec<Option<&ast::Expr>> = Vec::new();
        let mut last = None;
        for b in binders.iter().rev() {
            if b.set.is_some() {
                last = b.set.as_ref();
            }
            sets.push(last);
        }
        sets.reverse();
        let before = self.findings.len();
        let all = binders.iter().zip(sets).map(|(b, set)| self.binder(&b.pattern, set, span)).collect();
        // `forall p, q in p.neighbours`: the set of p mentions p itself.
        let own = |name: &String| binders.iter().any(|b| b.pattern.names().iter().any(|n| n.text == *name));
        let is_own =
            |d: &Diagnostic| matches!(&d.finding, Finding::Naming(Naming::UnknownToAll(n)) if own(n));
        if let Some(at) = self.findings[before..].iter().position(is_own) {
            let set_of = |at: usize| binders.get(at).and_then(|b| b.set.as_ref()).map(|set| set.span);
            let written = |(at, b): (usize, &ast::Binder)| {
                let own = set_of(at).filter(|set| set_of(at + 1) != Some(*set));
                let set = own.map_or("processes", |set| self.sources.slice(set));
                format!("{} in {set}", pattern_text(&b.pattern))
            };
            let written: Vec<String> = binders.iter().enumerate().map(written).collect();
            self.findings[before + at].hint = Some(Hint::NestBinders(written.join(", ")));
        }
        all
    }

    pub fn binder(&mut self, pattern: &ast::Pattern, set: Option<&ast::Expr>, span: Span) -> ir::Binder {
        let set = match set {
            Some(e) => {
                let set = self.expr(e, None);
                self.unwrap_option(set)
            }
            None if self.cx.is_global() => {
                self.make(K::Fact(Fact::Processes), Type::Set(of(Type::Process)), span)
            }
            None => {
                self.error(Behaviour::RangesOverAllProcesses.at(span));
                self.poison(span)
            }
        };
        let is_lost =
            matches!(self.infer.head(&set.ty), Type::Unknown(_)) && self.infer.is_error_type(&set.ty);
        let element = self.infer.element_of_set(&set.ty).unwrap_or_else(|| {
            let have = self.type_words(&set.ty);
            self.error(Typing::NotIterable(have).at(set.span));
            self.infer.fresh()
        });
        if is_lost {
            let lost = self.infer.error_type();
            self.infer.unify(&element, &lost);
        }
        let name = pattern_text(pattern);
        let pattern = self.binding_pattern(pattern, &element);
        ir::Binder { name, pattern, set }
    }

    /// Elaborate a pattern whose names are bound anew.
    pub fn binding_pattern(&mut self, pattern: &ast::Pattern, ty: &Type) -> ir::Pattern {
        match pattern {
            ast::Pattern::Wildcard(_) => ir::Pattern::Wildcard,
            ast::Pattern::Name(n) if n.text == "_" => ir::Pattern::Wildcard,
            ast::Pattern::Name(n) => {
                if matches!(self.infer.head(ty), Type::Value)
                    && let Some(kind) = self.message_named(&n.text)
                {
                    return ir::Pattern::Message(kind, Vec::new());
                }
                let local = self.cx.bind(&n.text, ty.clone(), n.span);
                ir::Pattern::Slot(slot(local))
            }
            ast::Pattern::Tuple(parts, span) => {
                let types: Vec<Type> = parts.iter().map(|_| self.infer.fresh()).collect();
                let tuple = Type::Tuple(types.clone().into());
                if !self.infer.unify(&tuple, ty) {
                    self.report_tuple_pattern(parts.len(), ty, *span);
                }
                ir::Pattern::Tuple(
                    parts.iter().zip(&types).map(|(p, t)| self.binding_pattern(p, t)).collect(),
                )
            }
            ast::Pattern::Message(name, args, span) => {
                let Some(kind) = self.message_kind(name) else {
                    // Bind its names with unknown types: otherwise each use would be reported.
                    for part in args {
                        let lost = self.infer.error_type();
                        self.binding_pattern(part, &lost);
                    }
                    return ir::Pattern::Wildcard;
                };
                if !self.infer.unify(ty, &Type::Value) {
                    let have = self.type_words(ty);
                    self.error(Typing::MessagePattern(name.text.clone(), have).at(*span));
                }
                let types = self.field_types(kind, args.len(), *span);
                ir::Pattern::Message(
                    kind,
                    args.iter().zip(&types).map(|(p, t)| self.binding_pattern(p, t)).collect(),
                )
            }
            ast::Pattern::Literal(e) => self.literal_pattern(e, ty),
            ast::Pattern::Place(e) => {
                self.error(Typing::NotANewName.at(e.span));
                ir::Pattern::Wildcard
            }
        }
    }

    /// Report a tuple pattern for a value of another type.
    pub(in crate::check) fn report_tuple_pattern(&mut self, components: usize, ty: &Type, span: Span) {
        let tuple = match self.infer.head(ty) {
            Type::Option(of) => matches!(self.infer.head(&of), Type::Tuple(_)),
            _ => false,
        };
        let d = Typing::TuplePattern(components, self.type_words(ty)).at(span);
        self.error(d.hint(tuple.then_some(Hint::ComponentsOfOption)));
    }

    /// Elaborate the patterns of a message's fields; those without a pattern match anything.
    pub fn field_patterns(&mut self, kind: u32, args: &[ast::Pattern], types: &[Type]) -> Vec<ir::Pattern> {
        let mut fields: Vec<ir::Pattern> =
            args.iter().zip(types).map(|(p, t)| self.binding_pattern(p, t)).collect();
        fields.resize(self.kinds[kind as usize].fields.len(), ir::Pattern::Wildcard);
        fields
    }

    /// Return the field types of a message, as many as there are arguments. Report a wrong number of arguments.
    pub fn field_types(&mut self, kind: u32, given: usize, span: Span) -> Vec<Type> {
        let k = &self.kinds[kind as usize];
        let mut types: Vec<Type> = k.fields.iter().map(|f| f.ty.clone()).collect();
        if types.len() != given {
            let (name, place, fields) = (k.name.clone(), k.span, types.len());
            self.error(Typing::Fields(name, fields, given).at(span).related(place, Label::Declared));
            while types.len() < given {
                types.push(self.infer.fresh());
            }
        }
        types
    }
}
