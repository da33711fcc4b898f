//! `coin`, `random` and `:= any`.

use crate::check::Checker;
use crate::check::context::*;
use crate::diagnostic::{Behaviour, Need, Typing};
use crate::ir::{self, Builtin, Domain, DomainKind, ExprKind as K, Type};
use crate::source::Span;
use crate::syntax::ast;

impl Checker<'_> {
    /// `coin`, `coin(a/b)`; the grammar passes a fraction as two arguments.
    pub(in crate::check) fn coin(&mut self, args: &[ast::Expr], span: Span) -> ir::Expr {
        self.may_draw("coin", span);
        let number = |this: &Self, n: i64| this.make(K::Word(n), Type::Int, span);
        let parts = match args {
            [] => vec![number(self, 1), number(self, 2)],
            [whole] => vec![self.expr_as(whole, &Type::Int, "a probability"), number(self, 1)],
            [above, below, ..] => vec![
                self.expr_as(above, &Type::Int, "the numerator of a probability"),
                self.expr_as(below, &Type::Int, "the denominator of a probability"),
            ],
        };
        if let [K::Word(above), K::Word(below)] = [&parts[0].kind, &parts[1].kind] {
            let (above, below) = (*above, *below);
            let fine = below != 0
                && above.unsigned_abs() <= below.unsigned_abs()
                && (above == 0 || (above < 0) == (below < 0));
            if !fine {
                self.error(Typing::NotAProbability(above, below).at(span));
            }
        }
        self.make(K::Call(Builtin::Coin, parts), Type::Bool, span)
    }

    /// `random(S)`: an element of a set or list.
    pub(in crate::check) fn random(&mut self, of: &ast::Expr, span: Span) -> ir::Expr {
        self.may_draw("random", span);
        let (collection, element) = self.collection(of);
        self.make(K::Call(Builtin::Random, vec![collection]), element, span)
    }

    /// Random draws belong to commands. Other expressions must have the same value at each evaluation.
    fn may_draw(&mut self, word: &'static str, span: Span) {
        let finding = if !self.unfolding.is_empty() {
            Behaviour::DrawInDefinition(word)
        } else if self.cx.is_global() {
            Behaviour::DrawByObserver(word)
        } else {
            return self.require(Need::Randomness(word), span);
        };
        self.error(finding.at(span));
    }

    /// Return whether the type has a case named `any`; then `any` means this case.
    pub(in crate::check) fn has_case_any(&self, ty: &Type) -> bool {
        let Type::Enum(e) = self.infer.head(ty) else { return false };
        self.enums[e as usize].cases.iter().any(|c| c == "any")
    }

    /// `var x : T := any`.
    pub(in crate::check) fn any_value(&mut self, local: LocalId, ty: Option<&ast::TypeExpr>, span: Span) {
        let Some(ty) = ty else {
            self.error(Typing::AnyNotInferred.at(span));
            let (lost, ty) = (self.infer.error_type(), self.cx.locals[local as usize].ty.clone());
            self.infer.unify(&ty, &lost);
            return;
        };
        if let Some(domain) = self.domain(ty) {
            self.emit(ir::Op::SetArbitrary(slot(local), Box::new(domain)));
        }
    }

    /// Return the values of a type as written. The bounds of a range are not part of its inferred type.
    fn domain(&mut self, t: &ast::TypeExpr) -> Option<Domain> {
        use ast::TypeExprKind as T;
        let kind = match &t.kind {
            T::Range(lo, hi) => {
                let [lo, hi] = self.bounds([lo, hi]);
                DomainKind::Range(lo, hi)
            }
            T::Option(inner) => DomainKind::Option(Box::new(self.domain(inner)?)),
            T::Tuple(parts) => {
                DomainKind::Tuple(parts.iter().map(|p| self.domain(p)).collect::<Option<_>>()?)
            }
            T::Set(of) => DomainKind::Set(Box::new(self.domain(of)?)),
            T::Name(_) => {
                let ty = self.type_expr(t);
                return self.domain_of(&ty, t.span);
            }
            T::List(_) | T::Queue(_) | T::Map(..) => return self.endless(t.span),
        };
        Some(Domain { kind, span: t.span })
    }

    /// Return the values of a named type.
    fn domain_of(&mut self, ty: &Type, span: Span) -> Option<Domain> {
        let kind = match self.infer.head(ty) {
            Type::Bool => DomainKind::Bool,
            Type::Port => DomainKind::Port,
            Type::Id => {
                self.require(Need::Id, span);
                DomainKind::Id
            }
            Type::Enum(e) => DomainKind::Enum(e),
            Type::Record(r) => {
                let fields = self.records[r as usize].fields.clone();
                let parts = fields.iter().map(|(_, t)| self.domain_of(t, span)).collect::<Option<_>>()?;
                DomainKind::Record(r, parts)
            }
            Type::Option(inner) => DomainKind::Option(Box::new(self.domain_of(&inner, span)?)),
            Type::Set(of) => DomainKind::Set(Box::new(self.domain_of(&of, span)?)),
            Type::Tuple(parts) => {
                DomainKind::Tuple(parts.iter().map(|p| self.domain_of(p, span)).collect::<Option<_>>()?)
            }
            Type::Unknown(_) => return None,
            _ => return self.endless(span),
        };
        Some(Domain { kind, span })
    }

    fn endless(&mut self, span: Span) -> Option<Domain> {
        self.error(Typing::AnyIsUnbounded.at(span));
        None
    }
}
