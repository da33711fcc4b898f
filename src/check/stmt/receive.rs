//! `receive`: the message, its sender, and the targets of its fields.

use super::super::Checker;
use super::*;
use crate::check::context::*;
use crate::check::vocabulary::PREDEFINED;
use crate::diagnostic::{Behaviour, Hint, Label, Typing};

impl Checker<'_> {
    /// Return the type of a message's sender, as processes see it.
    pub(in crate::check) fn sender_type(&self) -> Type {
        if self.assumptions.identifies_by_id() { Type::Id } else { Type::Port }
    }

    /// Elaborate an input, and bind its names in the innermost scope. With a guard, variables are assigned only when the
    /// alternative is taken, by the returned stores.
    pub fn receive(
        &mut self,
        r: &ast::Receive,
        when: Option<&ast::Expr>,
        each: Option<LocalId>,
    ) -> (Input, Option<ir::Expr>, Vec<(Target, ir::Expr)>) {
        let mut stores = Vec::new();
        let Some((kind, args)) = self.received_message(&r.pattern) else {
            return (Input::Pause, None, stores);
        };
        let span = r.span;
        let types = self.field_types(kind, args.len(), span);
        self.check_distinct_bindings(&args);
        self.reject_constants_in_patterns(&args);
        // `from each p in S`: p is in scope in the pattern, which may contain `v[p]`.
        if let (Some(ast::Origin::Each { name, .. }), Some(kept)) = (&r.from, each) {
            return self.receive_each(kind, &args, &types, name, kept, when);
        }
        let guarded = when.is_some() || args.iter().any(has_literal);
        let outside = self.in_this_scope();
        let mut fields: Vec<Pattern> =
            args.iter().zip(&types).map(|(p, t)| self.input_pattern(p, t, guarded, &mut stores)).collect();
        fields.resize(self.kinds[kind as usize].fields.len(), Pattern::Wildcard);
        let from = self.sender(r.from.as_ref());
        let guard = self.input_guard(when, "the condition of an input guard");
        self.forget_what_came(outside);
        (Input::Message { kind, fields, from }, guard, stores)
    }

    fn in_this_scope(&self) -> usize {
        self.cx.scopes.last().map_or(0, Vec::len)
    }

    /// From here on the names of variables denote the variables again, which now contain the received values. `outside`: the
    /// number of names in scope before the patterns.
    fn forget_what_came(&mut self, outside: usize) {
        let Cx { scopes, locals, .. } = &mut self.cx;
        if let Some(scope) = scopes.last_mut() {
            let inside = scope.split_off(outside);
            scope.extend(inside.into_iter().filter(|(_, local)| locals[*local as usize].named));
        }
    }

    /// Evaluate the set of `from each p in S` on arrival: store it just before the wait.
    pub(in crate::check) fn prepare_each(&mut self, r: &ast::Receive) -> Option<LocalId> {
        let Some(ast::Origin::Each { set, .. }) = &r.from else {
            return None;
        };
        let ty = Type::Set(of(self.sender_type()));
        let set = self.expr_as(set, &ty, "the set after `from each`");
        let kept = self.cx.new_local("", ty, r.span, Class::Thread);
        self.cx.scopes.last_mut().unwrap().push((String::new(), kept));
        self.emit(Op::Set(slot(kept), set));
        Some(kept)
    }

    pub(in crate::check) fn receive_each(
        &mut self,
        kind: u32,
        args: &[ast::Pattern],
        types: &[Type],
        name: &ast::Name,
        kept: LocalId,
        when: Option<&ast::Expr>,
    ) -> (Input, Option<ir::Expr>, Vec<(Target, ir::Expr)>) {
        let element = self.sender_type();
        let member = self.cx.bind(&name.text, element, name.span);
        let mut stores = Vec::new();
        let outside = self.in_this_scope();
        let mut fields: Vec<Pattern> =
            args.iter().zip(types).map(|(p, t)| self.input_pattern(p, t, true, &mut stores)).collect();
        self.forget_what_came(outside);
        fields.resize(self.kinds[kind as usize].fields.len(), Pattern::Wildcard);
        let literals = std::mem::take(&mut self.cx.literals);
        for span in literals.iter().map(|literal| literal.span).chain(when.map(|g| g.span)) {
            self.error(Behaviour::ConditionOnEach.at(span));
        }
        (Input::Each { kind, fields, set: kept, member, store: stores }, None, Vec::new())
    }

    pub fn sender(&mut self, from: Option<&ast::Origin>) -> Sender {
        match from {
            None => Sender::Any,
            Some(ast::Origin::Each { name, .. }) => {
                self.error(Behaviour::EachInHandler.at(name.span));
                Sender::Any
            }
            Some(ast::Origin::Whom(e)) if matches!(e.kind, ast::ExprKind::Any) => {
                self.error(Behaviour::SenderIsAny.at(e.span));
                Sender::Any
            }
            Some(ast::Origin::Whom(e)) => {
                if let ast::ExprKind::Name(n) = &e.kind
                    && self.assignable(&n.text).is_none()
                    && self.lookup(&n.text).is_none()
                    && !PREDEFINED.contains(&n.text.as_str())
                {
                    let ty = self.sender_type();
                    let local = self.cx.bind(&n.text, ty, n.span);
                    return Sender::Bind(local);
                }
                let written = e;
                let e = self.expr(e, None);
                let e = match self.infer.head(&e.ty) {
                    Type::Option(t) => {
                        let span = e.span;
                        self.make(K::Unwrap(Box::new(e)), (*t).clone(), span)
                    }
                    _ => self.elements_with_values(e),
                };
                let want = self.sender_type();
                match self.infer.head(&e.ty) {
                    Type::Set(t) | Type::List(t) if self.infer.unify(&t, &want) => Sender::Member(e),
                    t if self.infer.unify(&t, &want) => Sender::Is(e),
                    other => {
                        let hint = match (&other, &want) {
                            (Type::Int, Type::Id) => {
                                Some(Hint::IdentifierOf(self.sources.slice(e.span).into()))
                            }
                            (Type::Id, Type::Port) => Some(Hint::SendersByPort),
                            (Type::Int, Type::Port) => Some(Hint::PortOf(self.sources.slice(e.span).into())),
                            _ => None,
                        };
                        let (have, want) = (self.type_words(&other), self.type_words(&want));
                        let d = Behaviour::NotASender(want, have).at(e.span).hint(hint);
                        self.error(self.explain_hidden_port(written, d));
                        Sender::Any
                    }
                }
            }
        }
    }

    /// Return the kind of a received message and the patterns of its fields.
    pub fn received_message(&mut self, pattern: &ast::Pattern) -> Option<(u32, Vec<ast::Pattern>)> {
        match pattern {
            ast::Pattern::Message(name, args, _) => Some((self.message_kind(name)?, args.clone())),
            ast::Pattern::Name(name) if self.message_named(&name.text).is_some() => {
                Some((self.message_named(&name.text)?, Vec::new()))
            }
            ast::Pattern::Name(name)
                if name.text.starts_with(|c: char| c.is_ascii_uppercase())
                    && self.assignable(&name.text).is_none() =>
            {
                // A capitalised name without declaration is probably a message.
                self.message_kind(name);
                None
            }
            other => Some((self.bare_kind(other.span()), vec![other.clone()])),
        }
    }

    /// Elaborate a pattern of `receive`: assign variables, and bind new names.
    pub(in crate::check) fn input_pattern(
        &mut self,
        pattern: &ast::Pattern,
        ty: &Type,
        guarded: bool,
        stores: &mut Vec<(Target, ir::Expr)>,
    ) -> Pattern {
        let (target, ranges) = match pattern {
            ast::Pattern::Name(n) if n.text == "_" => return Pattern::Wildcard,
            ast::Pattern::Name(n) => match self.assignable(&n.text) {
                Some(local) => {
                    let l = self.cx.locals[local as usize].clone();
                    self.check_stored(ty, &l.ty, n.span);
                    if !guarded && l.range.is_none() && l.ranges.is_any() {
                        self.cx.assigned(local);
                        return Pattern::Slot(slot(local));
                    }
                    (Target { root: slot(local), path: Vec::new(), span: n.span, range: l.range }, l.ranges)
                }
                None => return self.binding_pattern(pattern, ty),
            },
            ast::Pattern::Place(e) => match self.place(e) {
                Some((place, t, ranges)) => {
                    self.check_stored(ty, &t, e.span);
                    (place, ranges)
                }
                None => return Pattern::Wildcard,
            },
            ast::Pattern::Tuple(parts, span) => {
                let types: Vec<Type> = parts.iter().map(|_| self.infer.fresh()).collect();
                if !self.infer.unify(&Type::Tuple(types.clone().into()), ty) {
                    self.report_tuple_pattern(parts.len(), ty, *span);
                }
                return Pattern::Tuple(
                    parts
                        .iter()
                        .zip(&types)
                        .map(|(p, t)| self.input_pattern(p, t, guarded, stores))
                        .collect(),
                );
            }
            _ => return self.binding_pattern(pattern, ty),
        };
        // Store it in a temporary first; in the guard the name denotes the received value.
        let temp = self.cx.new_local("", ty.clone(), target.span, Class::Temp);
        if let ast::Pattern::Name(n) = pattern {
            self.cx.scopes.last_mut().unwrap().push((n.text.clone(), temp));
        }
        let value = self.make(K::Slot(slot(temp)), ty.clone(), target.span);
        let text = self.sources.slice(target.span).to_string();
        let value = self.with_range_check(value, &ranges, || format!("`{text}`"));
        stores.push((target, value));
        Pattern::Slot(slot(temp))
    }

    /// A literal in a pattern: take the value into a temporary, and record the condition that it equals the literal.
    pub(in crate::check) fn literal_pattern(&mut self, e: &ast::Expr, ty: &Type) -> Pattern {
        let temp = self.cx.new_local("", ty.clone(), e.span, Class::Temp);
        let taken = self.make(K::Slot(slot(temp)), ty.clone(), e.span);
        let literal = self.expr(e, Some(ty));
        if self.infer.join(ty, &literal.ty).is_none() {
            self.report_different_types(&taken, &literal, Typing::LiteralPattern);
        }
        let kind = K::Compare(ir::Compare::Equal, Box::new(taken), Box::new(literal));
        let equal = self.make(kind, Type::Bool, e.span);
        self.cx.literals.push(equal);
        Pattern::Slot(slot(temp))
    }

    /// Elaborate the condition of an input, and join it to those of the literals in its pattern.
    pub(in crate::check) fn input_guard(
        &mut self,
        when: Option<&ast::Expr>,
        purpose: &str,
    ) -> Option<ir::Expr> {
        let literals = std::mem::take(&mut self.cx.literals);
        let guard = when.map(|when| self.expr_as(when, &Type::Bool, purpose));
        literals.into_iter().chain(guard).reduce(|all, next| {
            let span = all.span.to(next.span);
            self.make(K::And(Box::new(all), Box::new(next)), Type::Bool, span)
        })
    }

    pub(in crate::check) fn check_stored(&mut self, from: &Type, to: &Type, span: Span) {
        if !self.infer.fits(from, to) && !self.infer.is_error_type(from) && !self.infer.is_error_type(to) {
            let (a, b) = (self.type_words(from), self.type_words(to));
            let text = self.sources.slice(span).to_string();
            let mut d = Typing::Carried(a, text.clone(), b).at(span);
            if let Some(variable) = self.variable(&text) {
                d = d.related(self.cx.locals[variable as usize].span, Label::Declared);
            }
            self.error(d);
        }
    }

    pub fn store(&mut self, stores: Vec<(Target, ir::Expr)>) {
        for (place, value) in stores {
            if let (ir::Slot::Word(local), true) = (place.root, place.path.is_empty()) {
                self.cx.assigned(local);
            }
            let op = if place.path.is_empty() && place.range.is_none() {
                Op::Set(place.root, value)
            } else {
                Op::Assign(Box::new(place), value)
            };
            self.emit(op);
        }
    }
}

fn has_literal(pattern: &ast::Pattern) -> bool {
    match pattern {
        ast::Pattern::Literal(_) => true,
        ast::Pattern::Message(_, parts, _) | ast::Pattern::Tuple(parts, _) => parts.iter().any(has_literal),
        ast::Pattern::Name(_) | ast::Pattern::Wildcard(_) | ast::Pattern::Place(_) => false,
    }
}
