//! What a property computes again for every process, and need not: `max(ids(processes))` within
//! `forall p: p.d = max(ids(processes))` has one value for a whole configuration. It is computed when it is first
//! needed, and kept as long as the configuration is looked at; else judging would take n times n.

use crate::ir::{Binder, Expr, ExprKind as K, Slot};

/// Slots of the property at hand.
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

    /// Goes through an expression that is evaluated once for each thing that binders range over (`repeated`), or
    /// just once.
    pub fn expr(&mut self, e: &mut Expr, repeated: bool) {
        if repeated && e.is_computed() && !matches!(e.kind, K::Once { .. }) && e.is_closed(&|_| false) {
            self.once(e);
        }
        match &mut e.kind {
            // Whatever it holds, it is evaluated once.
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

    /// What the second binder ranges over is asked for again for everything in the first.
    pub fn binders(&mut self, binders: &mut [Binder], repeated: bool) {
        for (i, binder) in binders.iter_mut().enumerate() {
            self.expr(&mut binder.set, repeated || i > 0);
        }
    }

    /// Evaluates it once. Where the frame is full it stays as it is.
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
