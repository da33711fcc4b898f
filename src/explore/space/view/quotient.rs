//! Whole configurations up to the views of a program: for recorded runs, which no search has put into vectors.

use super::View;
use crate::explore::graph::shifts::Shifts;
use crate::explore::space::Space;
use crate::explore::space::parts::Parts;
use crate::explore::space::table::Table;
use crate::explore::steps::sources::{Contents, Source};
use crate::instance::Instance;
use crate::semantics::Configuration;
use std::sync::Arc;

/// Which configurations count as one.
pub struct Quotient<'i> {
    instance: &'i Instance,
    parts: Parts,
    view: Arc<View>,
    shifts: Shifts,
}

impl<'i> Quotient<'i> {
    /// None: the program has no view, or none that can be used.
    pub fn of(instance: &'i Instance) -> Option<Quotient<'i>> {
        let (_, marks) = super::of(instance, &[], Space::may_go_by_tables(instance))?;
        let parts = Parts::new(instance, None, Arc::new(Table::new()));
        let view = Arc::new(View::new(instance, marks?, &parts, None));
        let shifts = Shifts::new(view.clone(), parts.messages.clone());
        Some(Quotient { instance, parts, view, shifts })
    }

    pub fn is_same(&self, one: &Configuration, other: &Configuration) -> bool {
        self.view.same(&self.key(one), &self.key(other))
    }

    /// Numbers of what messages say.
    pub fn contents(&self) -> Contents<'_> {
        Contents { messages: &self.parts.messages, view: Some(&self.view) }
    }

    /// Is a fairness constraint of one configuration the same in another, which counts as the same?
    pub fn keeps(&self, source: Source, one: &Configuration, other: &Configuration) -> bool {
        self.shifts.moved(source, self.shifts.between(&self.key(one), &self.key(other))) == source
    }

    fn key(&self, configuration: &Configuration) -> Vec<u32> {
        self.parts.encode(self.instance, configuration)
    }
}
