//! Hoisting of subexpressions that a property would evaluate again for every process. In `forall p: p.d = max(ids(processes))`
//! the right side has one value per configuration. It is computed when first needed and kept while the configuration is checked;
//! otherwise checking would take time quadratic in n.

use crate::ir::{Binder, Expr, ExprKind as K, Slot};

/// Slots of the current property.
pub struct Hoist {
    /// The first free word and the first free value of its frame.
    pub free: (u16, u16),
}

impl Hoist {
    pub fn new(taken: &[Slot]) -> Hoist {
        let mut free = (0, 0);
        for slot in taken {
            match slot {
                Slot::Word(s) => free.0 = free.0.max(s + 1),
                Slot::Value(s) => free.1 = free.1.max(s + 1),
            }
        }
        Hoist { free }
    }

    /// Traverse an expression that is evaluated for each element of binders (`repeated`), or once.
    pub fn expr(&mut self, e: &mut Expr, repeated: bool) {
        if repeated && e.is_computed() && !matches!(e.kind, K::Once { .. }) && e.is_closed(&|_| false) {
            self.once(e);
        }
        match &mut e.kind {
            // The value is evaluated only once, whatever it contains.
            K::Once { value, .. } => self.expr(value, false),
            K::Quantified { binders, with, body, .. } => {
                self.binders(binders, repeated);
                with.iter_mut().for_each(|x| self.expr(x, true));
                self.expr(body, true);
            }
            K::Comprehension { binders, condition, element, .. } => {
                self.binders(binders, repeated);
                condition.iter_mut().for_each(|x| self.expr(x, true));
                element.iter_mut().for_each(|x| self.expr(x, true));
            }
            K::Best { binder, with, by, .. } => {
                self.expr(&mut binder.set, repeated);
                with.iter_mut().for_each(|x| self.expr(x, true));
                by.iter_mut().for_each(|x| self.expr(x, true));
            }
            _ => e.parts_mut(&mut |x| self.expr(x, repeated)),
        }
    }

    /// The set of the second binder is evaluated for each element of the first.
    pub fn binders(&mut self, binders: &mut [Binder], repeated: bool) {
        for (i, binder) in binders.iter_mut().enumerate() {
            self.expr(&mut binder.set, repeated || i > 0);
        }
    }

    /// Wrap an expression so that it is evaluated once. If the frame is full, leave it unchanged.
    fn once(&mut self, e: &mut Expr) {
        let is_word = e.ty.is_word();
        let (words, values) = if is_word { (2, 0) } else { (1, 1) };
        let (Some(next_word), Some(next_value)) =
            (self.free.0.checked_add(words), self.free.1.checked_add(values))
        else {
            return;
        };
        let done = Slot::Word(self.free.0);
        let slot = if is_word { Slot::Word(self.free.0 + 1) } else { Slot::Value(self.free.1) };
        self.free = (next_word, next_value);
        let value = std::mem::replace(&mut e.kind, K::Word(0));
        let value = Box::new(Expr { kind: value, ..e.clone() });
        e.kind = K::Once { slot, done, value };
    }
}
