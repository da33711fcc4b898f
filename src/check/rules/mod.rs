//! Errors of programs whose names and types may be right: constructs that the model of execution excludes, ports at the wrong
//! process, reads that come too early.

mod models;
mod draws;
mod locals;
mod early_reads;
mod constants;
mod binders;
mod call_order;
mod owners;
mod unused;

use super::{Checker, Typed};
use crate::diagnostic::Diagnostic;
use binders::changing_binder;
use draws::draws;

impl Checker<'_> {
    /// Return what is wrong with a program.
    pub fn rules(&self, typed: &Typed) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        found.extend(self.roles_not_assigned(typed.roles.len() as u16));
        found.extend(self.exclusions());
        found.extend(typed.roles.iter().flat_map(draws));
        found.extend(self.timers_never_set());
        found.extend(self.never_read(true));
        let crashes = self.assumptions.crashes;
        found.extend(typed.properties.iter().filter_map(|property| changing_binder(property, crashes)));
        found.extend(self.port_owners(typed));
        if !self.units[0].is_problem {
            found.extend(self.early_reads());
            found.extend(self.changing_constants());
        }
        found
    }
}
