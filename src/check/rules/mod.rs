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

impl Checker<'_> {
    pub fn rules(&mut self, typed: &Typed) {
        self.check_roles(typed.roles.len() as u16);
        self.check_exclusions();
        typed.roles.iter().for_each(|role| self.check_draws(role));
        self.check_timers();
        self.check_never_read();
        typed.properties.iter().for_each(|property| self.check_binders(property));
        self.check_port_owners(typed);
        if !self.units[0].is_problem {
            self.read_too_early();
            self.check_constants();
        }
    }
}
