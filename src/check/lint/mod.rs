//! Warnings about programs that are well-formed but probably not intended.

mod names;
mod results;
mod options;

use super::{Checker, Typed};
use crate::diagnostic::Diagnostic;

impl Checker<'_> {
    /// Warn about a program without errors: an error makes other things look unused or unknown.
    pub fn lint(&self, typed: &Typed) -> Vec<Diagnostic> {
        let mut found = self.timers_not_handled();
        found.extend(self.never_read(false));
        if !self.units[0].is_problem {
            found.extend(self.idle_variables());
            found.extend(self.one_sided_messages());
            found.extend(self.states_never_entered());
            found.extend(self.cases_never_produced());
            found.extend(self.unused());
        }
        found.extend(self.missing_results(typed));
        found.extend(self.options(typed));
        found
    }
}
