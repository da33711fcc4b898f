//! Warnings about programs that are well-formed but probably not intended.

mod names;
mod results;
mod options;

use super::{Checker, Typed};

impl Checker<'_> {
    pub fn lint(&mut self, typed: &Typed) {
        if !self.units[0].is_problem {
            self.warn_of_messages();
            self.warn_of_states();
            self.warn_of_unused();
        }
        self.warn_missing_results(&typed.roles, &typed.properties);
        self.options(&typed.roles, &typed.properties);
    }
}
