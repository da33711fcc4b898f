//! Patterns, binders and senders of messages.

use pest::iterators::Pair;

use super::{Builder, Built, fail, first, has, parts};
use crate::diagnostic::Grammar;
use crate::source::Span;
use crate::syntax::ast::{Binder, Expr, ExprKind, MessageGuard, Origin, Pattern, UnaryOp};
use crate::syntax::lexical::MIN_INT_MAGNITUDE;
use crate::syntax::rule::Rule;

impl Builder {
    pub(super) fn pattern(&mut self, pair: Pair<'_, Rule>) -> Built<Pattern> {
        let pair = first(pair);
        let span = self.span(&pair);
        Ok(match pair.as_rule() {
            Rule::tuple_pattern => self.tuple_of(pair, span)?,
            Rule::message_pattern => {
                let mut inner = pair.into_inner();
                let name = inner.next().map(|name| self.name(&name)).expect("a message pattern has a name");
                let args = inner.next().map_or(Ok(Vec::new()), |args| self.patterns(args))?;
                Pattern::Message(name, args, span)
            }
            Rule::place_pattern => Pattern::Place(Box::new(self.operand(pair)?)),
            Rule::literal_pattern => Pattern::Literal(Box::new(self.literal(pair)?)),
            _ if pair.as_str() == "_" => Pattern::Wildcard(span),
            _ => Pattern::Name(self.name(&pair)),
        })
    }

    /// `true`, `-3`
    fn literal(&mut self, pair: Pair<'_, Rule>) -> Built<Expr> {
        let span = self.span(&pair);
        let [sign @ .., value] = &pair.into_inner().collect::<Vec<_>>()[..] else {
            unreachable!("a literal has a value")
        };
        if !sign.is_empty() && value.as_str().parse() == Ok(MIN_INT_MAGNITUDE) {
            return self.make(ExprKind::Int(i64::MIN), span);
        }
        let value = self.primary(value.clone())?;
        if sign.is_empty() {
            return Ok(value);
        }
        self.make(ExprKind::Unary(UnaryOp::Negate, Box::new(value)), span)
    }

    fn patterns(&mut self, pair: Pair<'_, Rule>) -> Built<Vec<Pattern>> {
        parts(pair).into_iter().map(|part| self.pattern(part)).collect()
    }

    /// `(p)` is `p`.
    fn tuple_of(&mut self, pair: Pair<'_, Rule>, span: Span) -> Built<Pattern> {
        let mut all = self.patterns(pair)?;
        Ok(if all.len() == 1 { all.remove(0) } else { Pattern::Tuple(all, span) })
    }

    /// Build a pattern that only binds new names.
    pub(super) fn binding(&mut self, pair: Pair<'_, Rule>) -> Built<Pattern> {
        let pattern = self.pattern(pair)?;
        only_names(pattern)
    }

    /// `p, q in S`: both range over `S`. A variable without a set after it ranges over the processes.
    pub(super) fn binders(&mut self, pair: Pair<'_, Rule>) -> Built<Vec<Binder>> {
        let written: Vec<_> = parts(pair).into_iter().map(parts_without_in).collect();
        let mut binders = Vec::with_capacity(written.len());
        // Read from the right, so that a set is known before the names that it applies to.
        let mut set_after: Option<Pair<'_, Rule>> = None;
        for mut binder in written.into_iter().rev() {
            if binder.len() > 1 {
                set_after = binder.pop();
            }
            let pattern = self.binding(binder.remove(0))?;
            // Built once for each name: every expression of the tree has its own id.
            let set = set_after.clone().map(|set| self.expr(set)).transpose()?;
            binders.push(Binder { pattern, set });
        }
        binders.reverse();
        Ok(binders)
    }

    /// Interpret the expression `p in S` as the binder of a filter.
    pub(super) fn binder_of(&mut self, expr: Expr) -> Built<(Pattern, Expr)> {
        let span = expr.span;
        match expr.kind {
            ExprKind::Binary(crate::syntax::ast::BinaryOp::In, left, right) => Ok((shape(*left)?, *right)),
            _ => fail(span, Grammar::NotABinder),
        }
    }

    pub(super) fn origin(&mut self, pair: Pair<'_, Rule>) -> Built<Origin> {
        let pair = parts(pair).remove(0);
        Ok(match pair.as_rule() {
            Rule::each_of => {
                let parts = parts_without_in(pair);
                let [name, set] = two(parts);
                Origin::Each { name: self.name(&name), set: self.expr(set)? }
            }
            Rule::operand => Origin::Whom(self.operand(pair)?),
            _ => Origin::Whom(self.expr(pair)?),
        })
    }

    pub(super) fn message_guard(&mut self, pair: Pair<'_, Rule>) -> Built<MessageGuard> {
        let span = self.span(&pair);
        let mut guard =
            MessageGuard { layer: None, pattern: Pattern::Wildcard(span), from: None, when: None, span };
        for part in parts(pair) {
            match part.as_rule() {
                Rule::layer => guard.layer = Some(self.name(&first(part))),
                Rule::pattern => guard.pattern = self.pattern(part)?,
                Rule::origin => guard.from = Some(self.origin(part)?),
                _ => guard.when = Some(self.guarded(part)?),
            }
        }
        Ok(guard)
    }

    /// Build the expression after a keyword: `when g`, `with g`, `by e`, `to d`, `| g`.
    pub(super) fn guarded(&mut self, pair: Pair<'_, Rule>) -> Built<Expr> {
        debug_assert!(has(&pair, Rule::expr));
        let expr = parts(pair).remove(0);
        self.expr(expr)
    }
}

/// Convert an expression to a pattern: `{ (t, k) in Q | … }` parses its beginning as an expression.
fn shape(expr: Expr) -> Built<Pattern> {
    let span = expr.span;
    match expr.kind {
        ExprKind::Name(name) if name.text == "_" => Ok(Pattern::Wildcard(span)),
        ExprKind::Name(name) => Ok(Pattern::Name(name)),
        ExprKind::Tuple(all) => Ok(Pattern::Tuple(all.into_iter().map(shape).collect::<Built<_>>()?, span)),
        ExprKind::Call { layer: None, name, args } => {
            let args = args.into_iter().map(shape).collect::<Built<_>>()?;
            Ok(Pattern::Message(name, args, span))
        }
        _ => fail(span, Grammar::NotAPattern),
    }
}

fn only_names(pattern: Pattern) -> Built<Pattern> {
    match pattern {
        Pattern::Place(e) | Pattern::Literal(e) => fail(e.span, Grammar::NotAPattern),
        Pattern::Tuple(all, span) => {
            Ok(Pattern::Tuple(all.into_iter().map(only_names).collect::<Built<_>>()?, span))
        }
        Pattern::Message(name, all, span) => {
            Ok(Pattern::Message(name, all.into_iter().map(only_names).collect::<Built<_>>()?, span))
        }
        other => Ok(other),
    }
}

/// Return the parts of `x in S` without its `in`.
pub(super) fn parts_without_in(pair: Pair<'_, Rule>) -> Vec<Pair<'_, Rule>> {
    let mut all = parts(pair);
    all.retain(|part| part.as_rule() != Rule::op_in);
    all
}

/// Return the parts of a rule with exactly three.
pub(super) fn three<T>(all: Vec<T>) -> [T; 3] {
    all.try_into().unwrap_or_else(|_| unreachable!("the grammar gives this rule three parts"))
}

/// Return the parts of a rule with exactly two.
pub(super) fn two<T>(all: Vec<T>) -> [T; 2] {
    all.try_into().unwrap_or_else(|_| unreachable!("the grammar gives this rule two parts"))
}
