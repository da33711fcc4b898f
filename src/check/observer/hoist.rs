//! Hoisting of subexpressions that a property would evaluate again for every process. In `forall p: p.d = max(ids(processes))`
//! the right side has one value per configuration. It is computed when first needed and kept while the configuration is checked;
//! otherwise checking would take time quadratic in n.

use crate::check::Checker;
use crate::check::context::*;
use crate::ir::{Binder, Expr, ExprKind as K, Type};

impl Checker<'_> {
    /// Traverse an expression that is evaluated for each element of binders (`repeated`), or once.
    pub(super) fn hoist(&mut self, e: &mut Expr, repeated: bool) {
        if repeated && e.is_computed() && !matches!(e.kind, K::Once { .. }) && e.is_closed(&|_| false) {
            self.once(e);
        }
        match &mut e.kind {
            // The value is evaluated only once, whatever it contains.
            K::Once { value, .. } => self.hoist(value, false),
            K::Quantified { binders, with, body, .. } => {
                self.hoist_binders(binders, repeated);
                with.iter_mut().for_each(|x| self.hoist(x, true));
                self.hoist(body, true);
            }
            K::Comprehension { binders, condition, element, .. } => {
                self.hoist_binders(binders, repeated);
                condition.iter_mut().for_each(|x| self.hoist(x, true));
                element.iter_mut().for_each(|x| self.hoist(x, true));
            }
            K::Best { binder, with, by, .. } => {
                self.hoist(&mut binder.set, repeated);
                with.iter_mut().for_each(|x| self.hoist(x, true));
                by.iter_mut().for_each(|x| self.hoist(x, true));
            }
            _ => e.parts_mut(&mut |x| self.hoist(x, repeated)),
        }
    }

    /// The set of the second binder is evaluated for each element of the first.
    pub(super) fn hoist_binders(&mut self, binders: &mut [Binder], repeated: bool) {
        for (i, binder) in binders.iter_mut().enumerate() {
            self.hoist(&mut binder.set, repeated || i > 0);
        }
    }

    /// Wrap an expression so that it is evaluated once.
    fn once(&mut self, e: &mut Expr) {
        let done = slot(self.cx.new_local("", Type::Bool, e.span, Class::Temp));
        let kept = slot(self.cx.new_local("", e.ty.clone(), e.span, Class::Temp));
        let value = std::mem::replace(&mut e.kind, K::Word(0));
        let value = Box::new(Expr { kind: value, ..e.clone() });
        e.kind = K::Once { slot: kept, done, value };
    }
}
