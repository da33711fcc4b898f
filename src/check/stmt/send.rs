//! `send`: the message and its destination.

use super::super::Checker;
use super::*;
use crate::check::expr::only_element;
use crate::check::vocabulary::FUNCTIONS;
use crate::check::vocabulary::PREDEFINED;
use crate::diagnostic::{Behaviour, Fix, Hint, Label, Modelling, Naming, Need, Noun, Typing};
use crate::ir::PortLabel;

impl Checker<'_> {
    pub(in crate::check) fn send(&mut self, what: &ast::Expr, to: Option<&ast::Expr>, span: Span) {
        let (kind, fields) = self.message_to_send(what);
        let Some(kind) = kind else { return };
        self.no_messages_by_state_reading(span);
        self.reject_send_in_radio(span);
        if self.synchronizer.is_some() && self.cx.comp == 0 {
            return self.pass_to_synchronizer(kind, fields, to, span);
        }
        let to = match to {
            None => {
                if !(self.assumptions.unidirectional || self.assumptions.topology == Some(ir::Shape::Star)) {
                    self.error(Behaviour::NoDestination(self.destinations()).at(span));
                }
                ir::Destination::Only
            }
            Some(e) => self.destination(e),
        };
        self.emit(Op::Send(Box::new(ir::Send { kind, fields, to, span })));
    }

    pub(in crate::check) fn no_messages_by_state_reading(&mut self, span: Span) {
        if self.communicates_by_state() {
            let model = if self.has_assumption(ir::PAIRS) { ir::PAIRS } else { "reads neighbours" };
            self.error(Modelling::NoMessages(model).at(span));
        }
    }

    pub(in crate::check) fn message_to_send(&mut self, what: &ast::Expr) -> (Option<u32>, Vec<ir::Expr>) {
        if let ast::ExprKind::Tuple(parts) = &what.kind
            && let Some(written) = self.as_statement(parts)
        {
            let fix = Fix::replace(what.span, &written["send".len()..]);
            self.error(Typing::SendOfArguments(written).at(what.span).fix(fix));
            return (None, Vec::new());
        }
        let (name, args): (&ast::Name, &[ast::Expr]) = match &what.kind {
            ast::ExprKind::Name(n) if self.assignable(&n.text).is_none() => (n, &[]),
            ast::ExprKind::Call { layer: None, name, args } => (name, args),
            _ => return self.bare_to_send(what),
        };
        match self.message_named(&name.text) {
            Some(kind) => {
                let types = self.field_types(kind, args.len(), what.span);
                let fields = self.fields(kind, args, &types);
                (Some(kind), fields)
            }
            None => {
                let known = FUNCTIONS.contains(&name.text.as_str())
                    || PREDEFINED.contains(&name.text.as_str())
                    || self.lookup(&name.text).is_some();
                if !known {
                    self.nothing_to_send(name, args, what);
                    return (None, Vec::new());
                }
                self.bare_to_send(what)
            }
        }
    }

    /// Report an expression after `send` that is neither a message nor a value.
    fn nothing_to_send(&mut self, name: &ast::Name, args: &[ast::Expr], what: &ast::Expr) {
        let called = matches!(what.kind, ast::ExprKind::Call { .. });
        args.iter().for_each(|a| self.elaborate_for_errors(a));
        // Capitalised names are for messages.
        if name.text.starts_with(|c: char| c.is_ascii_uppercase()) && name.text.len() > 2 {
            self.message_kind(name);
            return;
        }
        let mut known = self.names_in_scope();
        let noun = if called { Noun::MessageOrFunction } else { Noun::MessageOrVariable };
        if called {
            known.extend(FUNCTIONS.iter().map(|s| s.to_string()));
        }
        let d = Naming::Unknown(noun, name.text.clone()).at(name.span);
        let declare = Hint::DeclareMessage(name.text.clone());
        self.error(d.fix(self.fix_declare_message(name)).nearest(&name.text, &known, declare));
        // Bare values are sent here, of any type.
        if !called {
            self.bare_kind(name.span);
        }
    }

    /// Return the statement that `send(M, x, p)`, `send(M(x), next)` or `send(next, M(x))` stands for. `None`: the tuple may be a value that
    /// is sent.
    fn as_statement(&self, parts: &[ast::Expr]) -> Option<String> {
        let text = |e: &ast::Expr| self.sources.slice(e.span).to_string();
        let kind = |e: &ast::Expr| match &e.kind {
            ast::ExprKind::Name(name) if self.assignable(&name.text).is_none() => {
                self.message_named(&name.text)
            }
            ast::ExprKind::Call { layer: None, name, .. } => self.message_named(&name.text),
            _ => None,
        };
        let is_destination = |e: &ast::Expr| {
            let ast::ExprKind::Name(name) = &e.kind else { return false };
            let words = ["neighbours", "others", "everybody", "next", "prev", "left", "right"];
            words.contains(&name.text.as_str()) && self.cx.scoped(&name.text).is_none()
        };
        match parts {
            [message, to] | [to, message] if kind(message).is_some() && is_destination(to) => {
                Some(format!("send {} to {}", text(message), text(to)))
            }
            [message, values @ ..] if matches!(message.kind, ast::ExprKind::Name(_)) => {
                let fields = self.kinds[kind(message)? as usize].fields.len();
                let list = |values: &[ast::Expr]| values.iter().map(text).collect::<Vec<_>>().join(", ");
                match values.split_last() {
                    _ if fields == 0 => None,
                    _ if values.len() == fields => Some(format!("send {}({})", text(message), list(values))),
                    Some((to, values)) if values.len() == fields => {
                        Some(format!("send {}({}) to {}", text(message), list(values), text(to)))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    pub(in crate::check) fn bare_to_send(&mut self, what: &ast::Expr) -> (Option<u32>, Vec<ir::Expr>) {
        let kind = self.bare_kind(what.span);
        let ty = self.kinds[kind as usize].fields[0].ty.clone();
        let value = self.expr(what, Some(&ty));
        if !self.infer.fits(&value.ty, &ty) && !self.infer.is_error_type(&ty) {
            let (have, first) = (self.type_words(&value.ty), self.type_words(&ty));
            let place = self.kinds[kind as usize].span;
            self.error(Typing::BareValues(have).at(value.span).related(place, Label::Type(first)));
        }
        (Some(kind), vec![value])
    }

    /// Return destinations that the assumptions allow, as examples.
    fn destinations(&self) -> String {
        let mut all = vec!["`to neighbours`", "`to p`"];
        if self.has_label(PortLabel::Left) {
            all.insert(0, "`to left`");
        }
        if self.assumptions.knows_peers {
            all.insert(all.len() - 1, "`to others`");
        }
        all.join(", ")
    }

    pub(in crate::check) fn destination(&mut self, e: &ast::Expr) -> ir::Destination {
        use ir::Destination as D;
        if let ast::ExprKind::Name(n) = &e.kind
            && self.cx.scoped(&n.text).is_none()
        {
            match n.text.as_str() {
                "neighbours" => return D::Neighbours,
                "others" if self.assumptions.knows_peers => return D::Others,
                "prev" if self.assumptions.unidirectional => {
                    self.error(Modelling::NothingSentBack.at(e.span).hint(Hint::AssumeBidirectional));
                    return D::Only;
                }
                _ => {}
            }
        }
        if let ast::ExprKind::Binary(ast::BinaryOp::Subtract, a, b) = &e.kind
            && let ast::ExprKind::Name(n) = &a.kind
            && n.text == "neighbours"
            && let Some(removed) = only_element(b)
        {
            let q = self.expr(removed, Some(&Type::Port));
            if matches!(self.infer.head(&q.ty), Type::Port) {
                return D::NeighboursExcept(q);
            }
        }
        // `send M to p in S` parses as the condition that p is in S.
        if let ast::ExprKind::Binary(ast::BinaryOp::In, member, _) = &e.kind
            && let ast::ExprKind::Name(_) = &member.kind
        {
            self.error(Behaviour::DestinationIsCondition.at(e.span));
            return D::Only;
        }
        if matches!(e.kind, ast::ExprKind::Any) {
            self.error(Behaviour::DestinationIsAny.at(e.span));
            return D::Only;
        }
        let written = e;
        let e = self.expr(e, None);
        let ty = self.infer.head(&e.ty);
        let (e, ty) = match ty {
            Type::Option(inner) => {
                let span = e.span;
                let t = (*inner).clone();
                (self.make(K::Unwrap(Box::new(e)), t.clone(), span), t)
            }
            _ => {
                let e = self.elements_with_values(e);
                let ty = self.infer.head(&e.ty);
                (e, ty)
            }
        };
        match &ty {
            Type::Port => D::Port(e),
            Type::Id => {
                self.require(Need::IdDestination, e.span);
                D::Id(e)
            }
            Type::Set(t) | Type::List(t) => match self.infer.head(t) {
                Type::Port => D::Ports(e),
                Type::Id => {
                    self.require(Need::IdDestination, e.span);
                    D::Ids(e)
                }
                // `{}`: no message is sent.
                Type::Unknown(_) => {
                    let by = if self.assumptions.identifies_by_id() { Type::Id } else { Type::Port };
                    self.infer.unify(t, &by);
                    if self.assumptions.identifies_by_id() { D::Ids(e) } else { D::Ports(e) }
                }
                _ => self.no_destination(written, &e),
            },
            Type::Unknown(_) => {
                let by = if self.assumptions.identifies_by_id() { Type::Id } else { Type::Port };
                self.infer.unify(&ty, &by);
                if self.assumptions.identifies_by_id() { D::Id(e) } else { D::Port(e) }
            }
            _ => self.no_destination(written, &e),
        }
    }

    pub(in crate::check) fn no_destination(&mut self, written: &ast::Expr, e: &ir::Expr) -> ir::Destination {
        if self.infer.is_error_type(&e.ty) {
            return ir::Destination::Only;
        }
        let have = self.type_words(&e.ty);

        let d = Behaviour::NotADestination(self.assumptions.identifies_by_id(), have).at(e.span);
        self.error(self.explain_hidden_port(written, d));
        ir::Destination::Only
    }
}
