//! Timers that are handled and never set, and locals that are never read.

use crate::check::names::{Access, DeclId, Kind, Use};
use crate::check::prose;
use crate::check::typed::Typed;
use crate::diagnostic::{Behaviour, Diagnostic, Fix, Hint, Naming};
use crate::source::Span;

impl Typed {
    /// Return the timers with the first places at which they are set and handled.
    pub(in crate::check) fn timers(&self) -> impl Iterator<Item = (DeclId, Option<Span>, Option<Span>)> {
        let decls = self.names.decls.iter().enumerate().filter(|(_, decl)| decl.kind == Kind::Timer);
        let first = |id, access| self.names.accesses(id, access).next().map(|used| used.place);
        decls.map(move |(id, _)| (id, first(id, Access::Write), first(id, Access::Take)))
    }

    pub(super) fn timers_never_set(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for (timer, set, handled) in self.timers() {
            let (None, Some(place)) = (set, handled) else { continue };
            let decl = self.names.decl(timer);
            let of_unit =
                self.timers().filter(|(_, set, _)| set.is_some()).map(|(id, ..)| self.names.decl(id));
            let known: Vec<String> =
                of_unit.filter(|other| other.unit == decl.unit).map(|other| other.name.clone()).collect();
            let d = Naming::TimerNeverSet(decl.name.clone()).at(place);
            found.push(d.nearest(&decl.name, &known, Hint::SetTimer(decl.name.clone())));
        }
        found
    }

    /// Return findings about names that commands bind and never read: those that resemble a variable, which may explain an error,
    /// or the others.
    pub(in crate::check) fn never_read(&self, resembles: bool) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for id in self.names.own_decls(Kind::Local) {
            let decl = self.names.decl(id);
            let reads = |used: &Use| !matches!(used.access, Access::Declare | Access::Write);
            if !decl.must_be_read || decl.name.starts_with('_') || self.names.uses_of(id).any(reads) {
                continue;
            }
            let mut roles = self.units[0].roles.iter();
            let is_its = |name: &crate::syntax::ast::Name| Some(&name.text) == decl.role.as_ref();
            let role = roles.position(|role| role.name.as_ref().is_some_and(is_its)).unwrap_or(0);
            let vars = self.roles.get(role).into_iter().flat_map(|role| role.vars.keys());
            let known: Vec<String> = vars.map(|(_, name)| name.clone()).collect();
            let d = Behaviour::NeverRead(decl.name.clone()).at(decl.place);
            match prose::nearest(&decl.name, &known) {
                Some(near) if resembles => {
                    let fix = Fix::replace(decl.place, near);
                    found.push(d.hint(Hint::DidYouMeanVariable(near.into())).fix(fix));
                }
                None if !resembles => found.push(d.hint(Hint::Underscore)),
                _ => {}
            }
        }
        found
    }
}
