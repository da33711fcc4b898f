//! Timers that are never set or handled, and locals that are never read.

use crate::check::names::{Access, DeclId, Kind, Use};
use crate::check::{Checker, prose};
use crate::diagnostic::{Behaviour, Fix, Hint, Naming};

impl Checker<'_> {
    /// Report timers that are handled and never set, and warn of those that are set and not handled.
    pub(super) fn check_timers(&mut self) {
        let decls = self.names.decls.iter().enumerate().filter(|(_, decl)| decl.kind == Kind::Timer);
        let timers: Vec<(DeclId, usize, String)> =
            decls.map(|(id, d)| (id, d.unit, d.name.clone())).collect();
        for (timer, unit, name) in &timers {
            let set = self.names.accesses(*timer, Access::Write).next().map(|used| used.place);
            let handled = self.names.accesses(*timer, Access::Take).next().map(|used| used.place);
            match (set, handled) {
                (None, Some(place)) => {
                    let of_unit =
                        timers.iter().filter(|(id, of, _)| of == unit && self.names.has(*id, Access::Write));
                    let known: Vec<String> = of_unit.map(|(_, _, name)| name.clone()).collect();
                    let d = Naming::TimerNeverSet(name.clone()).at(place);
                    self.error(d.nearest(name, &known, Hint::SetTimer(name.clone())));
                }
                (Some(place), None) if place.file == 0 => {
                    let title = format!("Add a handler for the timer `{name}`");
                    let section = format!("always\n  on timeout({name}) -> skip");
                    let fix = self.fix_add_section(title, place, &section);
                    self.defer_finding(Behaviour::TimerNotHandled(name.clone()).at(place).fix(fix));
                }
                _ => {}
            }
        }
    }

    /// Report names that commands bind and never read. One that resembles a variable may explain an error, so it is not deferred.
    pub(super) fn check_never_read(&mut self) {
        let locals: Vec<DeclId> = self.names.own_decls(Kind::Local).collect();
        for id in locals {
            let decl = self.names.decl(id).clone();
            let reads = |used: &Use| !matches!(used.access, Access::Declare | Access::Write);
            if !decl.must_be_read || decl.name.starts_with('_') || self.names.uses_of(id).any(reads) {
                continue;
            }
            let mut roles = self.units[0].roles.iter();
            let is_its = |name: &crate::syntax::ast::Name| Some(&name.text) == decl.role.as_ref();
            let role = roles.position(|role| role.name.as_ref().is_some_and(is_its)).unwrap_or(0);
            let vars = self.elaborated_roles.get(role).into_iter().flat_map(|role| role.vars.keys());
            let known: Vec<String> = vars.map(|(_, name)| name.clone()).collect();
            let d = Behaviour::NeverRead(decl.name.clone()).at(decl.place);
            match prose::nearest(&decl.name, &known) {
                Some(near) => {
                    let fix = Fix::replace(decl.place, near);
                    self.error(d.hint(Hint::DidYouMeanVariable(near.into())).fix(fix));
                }
                None => self.defer_finding(d.hint(Hint::Underscore)),
            }
        }
    }
}
