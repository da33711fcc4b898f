//! Equivalence of complete configurations under the views of a program: for recorded runs, which no search has encoded.

use crate::explore::fairness::{Contents, FairnessConstraint};
use crate::explore::graph::shifts::Shifts;
use crate::explore::reduction::may_be_decomposed;
use crate::explore::reduction::view::View;
use crate::explore::store::components::Components;
use crate::explore::store::interner::Interner;
use crate::instance::Instance;
use crate::semantics::Configuration;
use std::sync::Arc;

/// The equivalence of configurations under a view.
pub struct Quotient<'i> {
    instance: &'i Instance,
    parts: Components,
    view: Arc<View>,
    shifts: Shifts,
}

impl<'i> Quotient<'i> {
    /// Return the equivalence of the instance; `None` if the program has no applicable view.
    pub fn of(instance: &'i Instance) -> Option<Quotient<'i>> {
        let (_, marks) = crate::explore::reduction::view::of(instance, &[], may_be_decomposed(instance))?;
        let parts = Components::new(instance, None, Arc::new(Interner::default()));
        let view = Arc::new(View::new(instance, marks?, &parts, None));
        let shifts = Shifts::new(view.clone(), parts.messages.clone());
        Some(Quotient { instance, parts, view, shifts })
    }

    pub fn is_same(&self, one: &Configuration, other: &Configuration) -> bool {
        self.view.same(&self.key(one), &self.key(other))
    }

    /// The numbering of message contents.
    pub fn contents(&self) -> Contents<'_> {
        Contents { messages: &self.parts.messages, view: Some(&self.view) }
    }

    /// Return whether a fairness constraint has the same name in two equivalent configurations.
    pub fn keeps(&self, source: FairnessConstraint, one: &Configuration, other: &Configuration) -> bool {
        self.shifts.moved(source, self.shifts.between(&self.key(one), &self.key(other))) == source
    }

    fn key(&self, configuration: &Configuration) -> Vec<u32> {
        self.parts.encode(self.instance, configuration)
    }
}
