//! Names that are declared and never used, or used in one way only.

use crate::check::names::{Access, DeclId, Kind, Use};
use crate::check::{Checker, prose};
use crate::diagnostic::{Behaviour, Fix, Hint, Naming, Noun};
use std::collections::BTreeSet;

impl Checker<'_> {
    /// Return the accesses to a declaration, without the declaration itself.
    fn accesses(&self, decl: DeclId, access: Access) -> impl Iterator<Item = &Use> {
        self.names.uses_of(decl).filter(move |used| used.access == access)
    }

    fn has(&self, decl: DeclId, access: Access) -> bool {
        self.accesses(decl, access).next().is_some()
    }

    /// Return the declarations of a kind in the user's file.
    fn own_decls(&self, kind: Kind) -> impl Iterator<Item = DeclId> {
        let decls = self.names.decls.iter().enumerate();
        decls.filter(move |(_, decl)| decl.place.file == 0 && decl.kind == kind).map(|(id, _)| id)
    }

    // ------------------------------------------------------------------ functions, constants, parameters, procedures

    /// Return the declarations that a chain of uses leads to, from a clause other than those of functions and constants.
    pub(in crate::check) fn used(&self) -> BTreeSet<DeclId> {
        let unfolded = self.names.unfolded();
        self.names.reached(|used| !unfolded.contains_key(&used.clause))
    }

    /// Warn about unused functions, constants, parameters and procedures. A variant may inherit declarations that it does not
    /// use; `worst_id` is called by the tool.
    pub(super) fn warn_of_unused(&mut self) {
        let used = self.used();
        let kinds = [
            (Kind::Function, Noun::Function),
            (Kind::Const, Noun::Constant),
            (Kind::Param, Noun::Parameter),
            (Kind::Procedure, Noun::Procedure),
        ];
        for (kind, noun) in kinds {
            let unused: Vec<DeclId> = self.own_decls(kind).filter(|id| !used.contains(id)).collect();
            let names = self.names.clone();
            for decl in unused.into_iter().map(|id| names.decl(id)) {
                if decl.name != "worst_id" {
                    self.defer_finding(Behaviour::NeverUsed(noun, decl.name.clone()).at(decl.place));
                }
            }
        }
    }

    // ------------------------------------------------------------------ messages, states, timers, locals

    /// Warn about messages, and bare values, that are never sent or never received.
    pub(super) fn warn_of_messages(&mut self) {
        let bare = self.names.bare_values[0];
        let radio = self.has_assumption("radio");
        let mut found = Vec::new();
        for (number, kind) in (0..).zip(&self.kinds) {
            if kind.span.file != 0 {
                continue;
            }
            let decl = self.names.declaration_at(kind.span).filter(|_| !kind.name.is_empty());
            let (sent, taken) = match decl {
                Some(decl) => (self.has(decl, Access::Send), self.has(decl, Access::Take)),
                None => (bare.sent, bare.taken),
            };
            let name = kind.name.clone();
            // Every listener of a radio network receives what is transmitted, at least through `heard`.
            found.push(match (sent, taken || bare.all_taken || sent && radio) {
                (true, true) => continue,
                (true, false) => {
                    Behaviour::NeverReceived(name).at(kind.span).fix(self.fix_add_handler(number))
                }
                (false, true) => Behaviour::NeverSent(name).at(kind.span),
                (false, false) => Behaviour::NeitherSentNorReceived(name).at(kind.span),
            });
        }
        self.deferred_findings.extend(found);
    }

    /// Warn about states of the algorithm that no role enters.
    pub(super) fn warn_of_states(&mut self) {
        let roles = 0..self.units[0].roles.len().max(1);
        let states = |role: usize| {
            let sections = self.units[0].role_sections(role);
            sections
                .iter()
                .flat_map(|s| s.states.iter().map(|s| (s.name.clone(), s.initial)))
                .collect::<Vec<_>>()
        };
        let mut found = Vec::new();
        for states in roles.map(states) {
            let initial = states.iter().position(|(_, initial)| *initial).unwrap_or(0);
            for (number, (name, _)) in states.into_iter().enumerate() {
                let decl = self.names.uses_at(name.span).first().map(|used| used.decl);
                let entered = number == initial || decl.is_some_and(|decl| self.has(decl, Access::Call));
                if !entered {
                    found.push(Behaviour::StateNeverEntered(name.text).at(name.span));
                }
            }
        }
        self.deferred_findings.extend(found);
    }

    /// Report timers that are handled and never set, and warn of those that are set and not handled.
    pub(in crate::check) fn check_timers(&mut self) {
        let decls = self.names.decls.iter().enumerate().filter(|(_, decl)| decl.kind == Kind::Timer);
        let timers: Vec<(DeclId, usize, String)> =
            decls.map(|(id, d)| (id, d.unit, d.name.clone())).collect();
        for (timer, unit, name) in &timers {
            let set = self.accesses(*timer, Access::Write).next().map(|used| used.place);
            let handled = self.accesses(*timer, Access::Take).next().map(|used| used.place);
            match (set, handled) {
                (None, Some(place)) => {
                    let of_unit =
                        timers.iter().filter(|(id, of, _)| of == unit && self.has(*id, Access::Write));
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
    pub(in crate::check) fn check_never_read(&mut self) {
        let locals: Vec<DeclId> = self.own_decls(Kind::Local).collect();
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
