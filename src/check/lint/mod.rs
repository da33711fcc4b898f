//! Warnings about programs that are well-formed but probably not intended.

mod names;
mod results;
mod options;

use super::{Checker, Typed};

impl Checker<'_> {
    /// Warn about a program without errors: an error makes other things look unused or unknown.
    pub fn lint(&mut self, typed: &Typed) {
        self.findings.append(&mut self.deferred_findings);
        if !self.units[0].is_problem {
            self.warn_of_messages();
            self.warn_of_states();
            self.warn_of_unused();
        }
        self.warn_missing_results(&typed.roles, &typed.properties);
        self.options(&typed.roles, &typed.properties);
    }
}
