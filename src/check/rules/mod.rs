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

use super::typed::Typed;
use crate::diagnostic::Diagnostic;
use binders::changing_binder;
use draws::draws;

/// Return what is wrong with a program.
pub fn check(typed: &Typed) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    found.extend(typed.roles_not_assigned());
    found.extend(typed.exclusions());
    found.extend(typed.roles.iter().flat_map(|role| draws(role)));
    found.extend(typed.timers_never_set());
    found.extend(typed.never_read(true));
    let crashes = typed.assumptions.crashes;
    found.extend(typed.properties.iter().filter_map(|property| changing_binder(property, crashes)));
    found.extend(typed.port_owners());
    found.extend(typed.call_order());
    if !typed.units[0].is_problem {
        found.extend(typed.early_reads());
        found.extend(typed.changing_constants());
    }
    found
}
