//! Evaluation of expressions over abstract values.

use crate::explore::reduction::future::frame::{Frame, slots};
use crate::explore::reduction::future::known::Known;
use crate::ir::{Arith, Builtin, Expr, ExprKind as K, Quantifier, Slot, SortedSet, Value};

/// More elements than any collection has.
const MANY: i64 = 1 << 32;

/// Numbers of a small range that are looked up one by one.
const FEW: i64 = 16;

impl Frame<'_> {
    /// Return the abstract value of an expression, and whether its evaluation may fail.
    pub fn evaluate(&mut self, e: &Expr) -> (Known, bool) {
        match &e.kind {
            K::Word(word) => (Known::Word(*word, *word), false),
            K::Slot(slot) => (self.known(*slot).clone(), false),
            K::Not(x) => {
                let (known, fails) = self.evaluate(x);
                (Known::truth_of(known.truth().map(|truth| !truth)), fails)
            }
            K::And(x, y) => self.connected(x, y, false, |truth| truth),
            K::Or(x, y) => self.connected(x, y, true, |truth| truth),
            K::Implies(x, y) => self.connected(x, y, true, |truth| !truth),
            K::Compare(how, x, y) => {
                let ((x, x_fails), (y, y_fails)) = (self.evaluate(x), self.evaluate(y));
                (Known::truth_of(x.compare(*how, &y)), x_fails || y_fails)
            }
            K::Negate(x) => {
                let (x, x_fails) = self.evaluate(x);
                let (known, fails) = x.negated();
                (known, x_fails || fails)
            }
            K::Arith(op @ (Arith::Add | Arith::Subtract | Arith::Multiply), x, y) => {
                let ((x, x_fails), (y, y_fails)) = (self.evaluate(x), self.evaluate(y));
                let (known, fails) = match op {
                    Arith::Multiply => x.times(&y),
                    Arith::Subtract => {
                        let (y, fails) = y.negated();
                        let (known, overflows) = x.plus(&y);
                        (known, fails || overflows)
                    }
                    _ => x.plus(&y),
                };
                (known, x_fails || y_fails || fails)
            }
            K::If(condition, x, y) => {
                let (condition, fails) = self.evaluate(condition);
                let (known, other_fails) = match condition.truth() {
                    Some(truth) => self.evaluate(if truth { x } else { y }),
                    None => {
                        let ((x, x_fails), (y, y_fails)) = (self.evaluate(x), self.evaluate(y));
                        (x.join(&y), x_fails || y_fails)
                    }
                };
                (known, fails || other_fails)
            }
            _ => self.constant(e).unwrap_or_else(|| self.bounds(e)),
        }
    }

    /// The same for an expression whose value is not exact even if those of its parts are.
    fn bounds(&mut self, e: &Expr) -> (Known, bool) {
        match &e.kind {
            K::Index(map, key) => {
                let ((map, map_fails), (key_known, key_fails)) = (self.evaluate(map), self.evaluate(key));
                let exists = map.keys().is_some_and(|keys| has_key(&keys, &key_known, key));
                (Known::of_type(&e.ty), map_fails || key_fails || !exists)
            }
            K::Range(from, to) => {
                let ((from, from_fails), (to, to_fails)) = (self.evaluate(from), self.evaluate(to));
                let known = match (from, to) {
                    (Known::Word(least, _), Known::Word(_, greatest)) => Known::Elements(least, greatest),
                    _ => Known::Any,
                };
                (known, from_fails || to_fails || e.fails_here())
            }
            K::Call(Builtin::Size, of) => {
                let fails = of.iter().any(|part| self.evaluate(part).1);
                (Known::Word(0, MANY), fails)
            }
            K::Quantified { quantifier: Quantifier::Count, .. } => (Known::Word(0, MANY), e.can_fail()),
            // Names that these bind are not followed.
            K::Let(..) | K::Once { .. } | K::Quantified { .. } | K::Comprehension { .. } | K::Best { .. } => {
                (Known::of_type(&e.ty), e.can_fail())
            }
            _ => {
                let mut fails = e.fails_here();
                e.parts(&mut |part| fails = fails || self.evaluate(part).1);
                (Known::of_type(&e.ty), fails || matches!(e.kind, K::ReceivedMessage(_)))
            }
        }
    }

    /// Evaluate `and`, `or`, `implies`. `decisive`: the result if the first operand, after `turn`, has this truth.
    fn connected(&mut self, x: &Expr, y: &Expr, decisive: bool, turn: fn(bool) -> bool) -> (Known, bool) {
        let (first, fails) = self.evaluate(x);
        let first = first.truth().map(turn);
        if first == Some(decisive) {
            return (Known::truth_of(first), fails);
        }
        let (second, second_fails) = self.evaluate(y);
        let second = second.truth();
        let known = if first.is_some() || second == Some(decisive) { second } else { None };
        (Known::truth_of(known), fails || second_fails)
    }

    /// Add the slots on which the value of an expression, or whether it fails, may depend at some moment of the future.
    pub fn reads(&mut self, e: &Expr, add: &mut dyn FnMut(Slot)) {
        let (known, fails) = self.evaluate(e);
        if known.is_exact() && !fails {
            return;
        }
        match &e.kind {
            K::Slot(slot) => add(*slot),
            K::And(x, y) | K::Or(x, y) | K::Implies(x, y) => {
                // If the first operand is known and does not decide, the second one is the value.
                self.reads(x, add);
                self.reads(y, add);
            }
            K::ReceivedMessage(_) => self.all_slots(add),
            _ => {
                let mut parts = Vec::new();
                e.parts(&mut |part| slots(part, &mut parts));
                if let K::Once { slot, done, .. } = &e.kind {
                    parts.extend([*slot, *done]);
                }
                parts.into_iter().filter(|slot| !self.known(*slot).is_exact()).for_each(add);
            }
        }
    }

    fn all_slots(&self, add: &mut dyn FnMut(Slot)) {
        (0..self.role.frame_words).map(Slot::Word).for_each(&mut *add);
        (0..self.role.frame_values).map(Slot::Value).for_each(add);
    }
}

/// Return whether every key with this abstract value is among the keys.
fn has_key(keys: &SortedSet<Value>, key: &Known, e: &Expr) -> bool {
    match key {
        Known::Value(value) => keys.contains(value),
        Known::Word(least, greatest) => {
            greatest.checked_sub(*least).is_some_and(|width| width < FEW)
                && (*least..=*greatest).all(|word| keys.contains(&Value::from_word(&e.ty, word)))
        }
        Known::Keys(_) | Known::Elements(..) | Known::Any => false,
    }
}
