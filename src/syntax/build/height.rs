//! Height of a tree. Its limit allows all other code to traverse the tree recursively.

use crate::syntax::ast::{Binder, Expr, ExprKind, Origin, Pattern};

/// Return one more than the height of the tallest part. The heights of the parts are known by their ids.
pub fn above(kind: &ExprKind, heights: &[u16]) -> u16 {
    let mut parts = Parts { heights, tallest: 0 };
    parts.of(kind);
    parts.tallest.saturating_add(1)
}

struct Parts<'h> {
    heights: &'h [u16],
    tallest: u16,
}

impl Parts<'_> {
    fn of(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::Text(_)
            | ExprKind::None
            | ExprKind::Any
            | ExprKind::Name(_)
            | ExprKind::Metric { .. }
            | ExprKind::History { .. } => {}
            ExprKind::Unary(_, a) | ExprKind::Field(a, _) => self.expr(a),
            ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::If(a, b, c) => {
                self.expr(a);
                self.expr(b);
                self.expr(c);
            }
            ExprKind::Tuple(all)
            | ExprKind::List(all)
            | ExprKind::Set(all)
            | ExprKind::Call { args: all, .. } => {
                all.iter().for_each(|e| self.expr(e));
            }
            ExprKind::Map(entries) => entries.iter().for_each(|(key, value)| {
                self.expr(key);
                self.expr(value);
            }),
            ExprKind::Filter { pattern, set, condition, .. } => {
                self.pattern(pattern);
                self.expr(set);
                self.expr(condition);
            }
            ExprKind::MapOf(pairs) => self.expr(pairs),
            ExprKind::Comprehension { element, binders, condition, .. } => {
                self.expr(element);
                self.binders(binders);
                self.maybe(condition);
            }
            ExprKind::Quantified { binders, with, body, .. } => {
                self.binders(binders);
                self.maybe(with);
                self.expr(body);
            }
            ExprKind::Best { pattern, set, with, by, .. } => {
                self.pattern(pattern);
                self.expr(set);
                self.maybe(with);
                self.maybe(by);
            }
            ExprKind::Arrived { pattern, from, when } => {
                self.pattern(pattern);
                match from.as_deref() {
                    Some(Origin::Whom(e) | Origin::Each { set: e, .. }) => self.expr(e),
                    None => {}
                }
                self.maybe(when);
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        self.tallest = self.tallest.max(self.heights[expr.id as usize]);
    }

    fn maybe(&mut self, expr: &Option<Box<Expr>>) {
        if let Some(expr) = expr {
            self.expr(expr);
        }
    }

    fn binders(&mut self, binders: &[Binder]) {
        for binder in binders {
            self.pattern(&binder.pattern);
            if let Some(set) = &binder.set {
                self.expr(set);
            }
        }
    }

    /// Patterns nest no deeper than brackets, which are counted before pest sees the text.
    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Name(_) | Pattern::Wildcard(_) => {}
            Pattern::Message(_, parts, _) | Pattern::Tuple(parts, _) => {
                parts.iter().for_each(|part| self.pattern(part));
            }
            Pattern::Place(expr) | Pattern::Literal(expr) => self.expr(expr),
        }
    }
}
