//! Warnings about programs that are well-formed but probably not intended.

mod names;
mod results;
mod options;

use super::typed::Typed;
use crate::diagnostic::Diagnostic;

/// Warn about a program without errors: an error makes other things look unused or unknown.
pub fn lint(typed: &Typed) -> Vec<Diagnostic> {
    let mut found = typed.timers_not_handled();
    found.extend(typed.never_read(false));
    if !typed.units[0].is_problem {
        found.extend(typed.idle_variables());
        found.extend(typed.one_sided_messages());
        found.extend(typed.states_never_entered());
        found.extend(typed.cases_never_produced());
        found.extend(typed.unused());
    }
    found.extend(typed.missing_results());
    found.extend(typed.options());
    found
}
