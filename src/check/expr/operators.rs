//! Operators, comparisons and membership.

use super::super::Checker;
use super::*;
use crate::check::context::*;
use crate::check::model::comparison_of;
use crate::check::types::written::of;
use crate::diagnostic::{Behaviour, Fix, Grammar, Hint, Typing};

impl Checker<'_> {
    pub(in crate::check) fn binary(
        &mut self,
        op: BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
        want: Option<&Type>,
    ) -> ir::Expr {
        use BinaryOp as B;
        match op {
            B::And | B::Or | B::Implies | B::Iff => {
                let word = match op {
                    B::And => "and",
                    B::Or => "or",
                    B::Implies => "implies",
                    _ => "iff",
                };
                let purpose = format!("each side of `{word}`");
                let x = Box::new(self.expr_as(a, &Type::Bool, &purpose));
                let y = Box::new(self.expr_as(b, &Type::Bool, &purpose));
                let kind = match op {
                    B::And => K::And(x, y),
                    B::Or => K::Or(x, y),
                    B::Implies => K::Implies(x, y),
                    _ => K::Compare(Compare::Equal, x, y),
                };
                self.make(kind, Type::Bool, span)
            }
            B::Equal | B::NotEqual | B::Less | B::LessEqual | B::Greater | B::GreaterEqual => {
                self.comparison(op, a, b, span)
            }
            B::In | B::NotIn => {
                let inner = self.membership(a, b, span);
                if op == B::NotIn { self.make(K::Not(Box::new(inner)), Type::Bool, span) } else { inner }
            }
            B::HappenedBefore | B::Before => {
                if !self.cx.is_global() {
                    return self.not_here(span, Behaviour::OrderOfEvents);
                }
                let x = Box::new(self.expr_as(a, &Type::Event, "the earlier event"));
                let y = Box::new(self.expr_as(b, &Type::Event, "the later event"));
                let kind = if op == B::Before { K::Before(x, y) } else { K::HappenedBefore(x, y) };
                self.make(kind, Type::Bool, span)
            }
            B::Range => {
                let x = self.expr_as(a, &Type::Int, "the lower bound of a range");
                let y = self.expr_as(b, &Type::Int, "the upper bound of a range");
                self.make(K::Range(Box::new(x), Box::new(y)), Type::Set(of(Type::Int)), span)
            }
            B::Multiply | B::Div | B::Mod => {
                let (arith, word) = match op {
                    B::Multiply => (ir::Arith::Multiply, "*"),
                    B::Div => (ir::Arith::Div, "div"),
                    _ => (ir::Arith::Mod, "mod"),
                };
                let purpose = format!("each side of `{word}`");
                let x = self.expr_as(a, &Type::Int, &purpose);
                let y = self.expr_as(b, &Type::Int, &purpose);
                self.make(K::Arith(arith, Box::new(x), Box::new(y)), Type::Int, span)
            }
            B::Add | B::Subtract => self.sum(op, a, b, span, want),
            B::Except => {
                let x = self.expr(a, want);
                let element = self.infer.fresh();
                if !self.infer.unify(&x.ty, &Type::Set(of(element.clone()))) {
                    let have = self.type_words(&x.ty);
                    self.error(Typing::NoExcept(have).at(x.span));
                    return self.poison(span);
                }
                let y = self.expr(b, Some(&element));
                let is_set = matches!(self.infer.head(&y.ty), Type::Set(_));
                let fix = self.fix_except(a.span, b.span, !is_set);
                let present = if is_set { "S - T" } else { "S - {p}" };
                self.error(Grammar::FormerWord("except".into(), present.into()).at(span).fix(fix));
                self.poison(span)
            }
            B::Intersect => {
                let x = self.expr(a, want);
                let y = self.expr(b, Some(&x.ty));
                let mut is_set = |ty: &Type| {
                    let element = self.infer.fresh();
                    self.infer.unify(ty, &Type::Set(of(element)))
                };
                if !is_set(&x.ty) || !is_set(&y.ty) || self.infer.join(&x.ty, &y.ty).is_none() {
                    self.report_different_types(&x, &y, Typing::NotTwoSets);
                }
                let ty = x.ty.clone();
                self.make(K::Collection(CollectionOp::Intersect, Box::new(x), Box::new(y)), ty, span)
            }
        }
    }

    /// `a + b`, `a - b`: of numbers, sets, lists, maps.
    fn sum(
        &mut self,
        op: BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
        want: Option<&Type>,
    ) -> ir::Expr {
        use BinaryOp as B;
        let x = self.expr(a, want);
        let x = self.unwrap_option(x);
        if op == B::Subtract
            && let Some(removed) = only_element(b)
            && let Type::Set(element) = self.infer.head(&x.ty)
        {
            return self.without_element(x, removed, &element, span);
        }
        // Optional parts on the left do not make those on the right optional: the operands could stand in either order.
        let beside = self.with_all_values(&x.ty);
        let y = self.expr(b, Some(&beside));
        let y = self.unwrap_option(y);
        let arith = if op == B::Add { ir::Arith::Add } else { ir::Arith::Subtract };
        let word = if op == B::Add { "+" } else { "-" };
        let (hx, hy) = (self.infer.head(&x.ty), self.infer.head(&y.ty));
        let (x, y) = match op {
            // Elements added to a collection must have its element type.
            B::Add => {
                let y = self.with_values(&y, &x.ty).unwrap_or(y);
                (self.with_values(&x, &y.ty).unwrap_or(x), y)
            }
            _ => (x, y),
        };
        let joined = self.infer.join(&x.ty, &y.ty);
        if joined.is_none() {
            let hint = match (&hx, &hy) {
                (Type::Set(t), other) if self.infer.clone().fits(other, t) => Some(Hint::OneElement(word)),
                (Type::List(t), other) if self.infer.clone().fits(other, t) => Some(Hint::Append),
                (Type::Id, Type::Int) | (Type::Int, Type::Id) => Some(Hint::AddIds),
                _ => None,
            };
            let (p, q) = (self.type_words(&x.ty), self.type_words(&y.ty));
            self.error(Typing::Incompatible(word, p, q).at(span).hint(hint));
        }
        let ty = match (&hx, joined) {
            (Type::Unknown(_), _) => y.ty.clone(),
            // A subtraction keeps only components of its left side.
            (Type::Set(_) | Type::List(_) | Type::Map(..), Some(both)) if op == B::Add => both,
            _ => x.ty.clone(),
        };
        self.additive_types.push((ty.clone(), span, op == B::Add));
        self.make(K::Arith(arith, Box::new(x), Box::new(y)), ty, span)
    }

    pub(in crate::check) fn comparison(
        &mut self,
        op: BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
    ) -> ir::Expr {
        // A literal on the left takes its type from the right.
        let literal = |e: &ast::Expr| {
            matches!(e.kind, ExprKind::Int(_) | ExprKind::None | ExprKind::Set(_) | ExprKind::List(_))
        };
        let (x, y) = if literal(a) && !literal(b) {
            let y = self.expr(b, None);
            let x = self.expr(a, Some(&y.ty));
            (x, y)
        } else {
            let x = self.expr(a, None);
            let y = self.expr(b, Some(&x.ty));
            (x, y)
        };
        let Some(compare) = comparison_of(op) else { return self.poison(span) };
        let mut fit = self.infer.join(&x.ty, &y.ty).is_some();
        if !fit && self.cx.is_global() {
            // Observers may treat identifiers as numbers.
            let number = |t: Type| match t {
                Type::Int | Type::Id => true,
                Type::Option(t) => matches!(*t, Type::Id | Type::Int),
                _ => false,
            };
            fit = number(self.infer.head(&x.ty)) && number(self.infer.head(&y.ty));
        }
        if !fit && !self.infer.is_error_type(&x.ty) && !self.infer.is_error_type(&y.ty) {
            let (p, q) = (self.type_words(&x.ty), self.type_words(&y.ty));
            let d = Typing::NotComparable(p.clone(), q.clone()).at(span);
            let d = match (p.as_str(), q.as_str()) {
                ("Id", "Int") | ("Int", "Id") => d.hint(Hint::CompareIds),
                ("Bool", _) if matches!(y.kind, K::Word(0 | 1)) && !self.cx.is_global() => {
                    d.hint(Hint::BoolValues)
                }
                ("Bool", "Int") => d.hint(Hint::QuantifierExtends),
                ("Id", "Port") | ("Port", "Id") => d.hint(Hint::SendersByPort),
                ("Port", _) => self.explain_hidden_port(b, d),
                (_, "Port") => self.explain_hidden_port(a, d),
                _ => d,
            };
            self.error(d);
        }
        if !matches!(compare, Compare::Equal | Compare::NotEqual) {
            self.orderings.push((span, x.ty.clone()));
        }
        // Compared as words if both fit into one; `finish` decides.
        self.make(K::Compare(compare, Box::new(x), Box::new(y)), Type::Bool, span)
    }

    pub(in crate::check) fn membership(&mut self, a: &ast::Expr, b: &ast::Expr, span: Span) -> ir::Expr {
        if let ExprKind::Name(name) = &b.kind {
            if name.text == "received"
                && let ExprKind::Name(m) = &a.kind
                && self.assignable(&m.text).is_none()
                && self.message_named(&m.text).is_some()
            {
                let (written, present) = (self.sources.slice(span), format!("arrived {}", m.text));
                let negated = if written.contains("not") || written.contains('∉') { "not " } else { "" };
                let fix = Fix::replace(span, &format!("{negated}{present}")).certain();
                self.error(Grammar::FormerWord(format!("{} in received", m.text), present).at(span).fix(fix));
                return self.poison(span);
            }
            if self.cx.is_global()
                && self.cx.scoped(&name.text).is_none()
                && self.is_state_anywhere(&name.text)
            {
                let process = self.expr_as(a, &Type::Process, "the left side of `in`");
                return self.remote_state(process, &name.text, span);
            }
            if self.cx.is_global()
                && let Some((Def::Role(r), _)) = self.lookup(&name.text)
            {
                let process = self.expr_as(a, &Type::Process, "the left side of `in`");
                let set = self.make(K::Fact(Fact::RoleProcesses(r)), Type::Set(of(Type::Process)), b.span);
                return self.make(K::In(Box::new(process), Box::new(set)), Type::Bool, span);
            }
        }
        let set = self.expr(b, None);
        let set = self.unwrap_option(set);
        let Some(element) = self.infer.element_of_set(&set.ty) else {
            let have = self.type_words(&set.ty);
            self.error(Typing::NoMembers(have).at(set.span));
            return self.poison(span);
        };
        let x = self.expr(a, Some(&element));
        // `none in S` is simply false: an option may be tested as it is.
        let x = self.compared_with(a, x, &element, "the element before `in`");
        self.make(K::In(Box::new(x), Box::new(set)), Type::Bool, span)
    }

    /// `S - {e}`
    fn without_element(&mut self, set: ir::Expr, e: &ast::Expr, element: &Type, span: Span) -> ir::Expr {
        let removed = self.expr(e, Some(element));
        // Removing `none` has no effect.
        let removed = self.compared_with(e, removed, element, "the removed element");
        let ty = set.ty.clone();
        self.make(K::Collection(CollectionOp::RemoveElement, Box::new(set), Box::new(removed)), ty, span)
    }

    /// Check an expression that is compared with elements: its parts may be `none`, and then it equals no element.
    fn compared_with(
        &mut self,
        written: &ast::Expr,
        found: ir::Expr,
        element: &Type,
        purpose: &str,
    ) -> ir::Expr {
        let anything = matches!(self.infer.head(&found.ty), Type::Value);
        if !anything && self.infer.join(element, &found.ty).is_some() {
            return found;
        }
        self.coerce_written(Some(written), found, element, purpose)
    }
}

/// `{e}`
pub(in crate::check) fn only_element(e: &ast::Expr) -> Option<&ast::Expr> {
    match &e.kind {
        ExprKind::Set(all) if all.len() == 1 => all.first(),
        _ => None,
    }
}
