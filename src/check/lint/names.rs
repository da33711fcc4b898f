//! Names that are declared and never used, or used in one way only.

use crate::check::fixes::{fix_add_handler, fix_add_section};
use crate::check::names::{Access, Decl, DeclId, Kind, Use};
use crate::check::typed::Typed;
use crate::diagnostic::{Behaviour, Diagnostic, Hint, Label, Noun};
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind, ScenarioLineKind};
use std::collections::BTreeSet;

impl Typed {
    // ------------------------------------------------------------------ functions, constants, parameters, procedures

    /// Warn about unused functions, constants, parameters and procedures. A variant may inherit declarations that it does not
    /// use; `worst_id` is called by the tool.
    pub(super) fn unused(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let used = self.names.used();
        let kinds = [
            (Kind::Function, Noun::Function),
            (Kind::Const, Noun::Constant),
            (Kind::Param, Noun::Parameter),
            (Kind::Procedure, Noun::Procedure),
        ];
        for (kind, noun) in kinds {
            let unused = self.names.own_decls(kind).filter(|id| !used.contains(id));
            let unused = unused.map(|id| self.names.decl(id)).filter(|decl| decl.name != "worst_id");
            found.extend(unused.map(|decl| Behaviour::NeverUsed(noun, decl.name.clone()).at(decl.place)));
        }
        found
    }

    // ------------------------------------------------------------------ variables

    /// Warn about variables that nothing reads, and about variables without an initial value that nothing assigns. Without any
    /// property, a program is a sketch: its traces show all variables.
    pub(super) fn idle_variables(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        if self.units.iter().all(|unit| unit.properties.is_empty()) {
            return found;
        }
        let sections = || self.units[0].sections().flat_map(|section| &section.vars);
        let has_initial = |place| {
            sections().any(|vars| vars.init.is_some() && vars.names.iter().any(|name| name.span == place))
        };
        for id in self.names.own_decls(Kind::Variable) {
            let decl = self.names.decl(id);
            let is_written = self.names.has(id, Access::Write) || self.is_set_by_scenarios(id);
            let is_read =
                self.names.uses_of(id).any(|used| !matches!(used.access, Access::Declare | Access::Write));
            let name = decl.name.clone();
            found.push(match (is_read, is_written) {
                _ if name.starts_with('_') => continue,
                (false, false) => Behaviour::NeverUsed(Noun::Variable, name).at(decl.place),
                (true, false) if !has_initial(decl.place) => Behaviour::NeverAssigned(name).at(decl.place),
                (false, true) => Behaviour::NeverRead(name).at(decl.place).hint(Hint::Underscore),
                _ => continue,
            });
        }
        found
    }

    /// Return whether a scenario sets the initial value of a variable.
    fn is_set_by_scenarios(&self, variable: DeclId) -> bool {
        let lines = self.units[0].scenarios.iter().flat_map(|(scenario, ..)| &scenario.lines);
        let mut targets = lines.filter_map(|line| match &line.kind {
            ScenarioLineKind::Initially { target, .. } => Some(target.span),
            _ => None,
        });
        targets.any(|target| self.names.is_mentioned(variable, target))
    }

    // ------------------------------------------------------------------ messages, states

    /// Warn about messages, and bare values, that are never sent or never received.
    pub(super) fn one_sided_messages(&self) -> Vec<Diagnostic> {
        let bare = self.names.bare_values[0];
        let radio = self.has_assumption("radio");
        let mut found = Vec::new();
        for (number, kind) in (0..).zip(&self.kinds) {
            if kind.span.file != 0 {
                continue;
            }
            let decl = self.names.declaration_at(kind.span).filter(|_| !kind.name.is_empty());
            let (sent, taken) = match decl {
                Some(decl) => (self.names.has(decl, Access::Send), self.names.has(decl, Access::Take)),
                None => (bare.sent, bare.taken),
            };
            let name = kind.name.clone();
            // Every listener of a radio network receives what is transmitted, at least through `heard`.
            found.push(match (sent, taken || bare.all_taken || sent && radio) {
                (true, true) => continue,
                (true, false) => {
                    Behaviour::NeverReceived(name).at(kind.span).fix(fix_add_handler(self, number))
                }
                (false, true) => Behaviour::NeverSent(name).at(kind.span),
                (false, false) => Behaviour::NeitherSentNorReceived(name).at(kind.span),
            });
        }
        found
    }

    /// Warn about states of the algorithm that no role enters.
    pub(super) fn states_never_entered(&self) -> Vec<Diagnostic> {
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
                let entered =
                    number == initial || decl.is_some_and(|decl| self.names.has(decl, Access::Call));
                if !entered {
                    found.push(Behaviour::StateNeverEntered(name.text).at(name.span));
                }
            }
        }
        found
    }

    /// Warn about cases of enumerations that occur only in comparisons: no variable, message or argument can have this value.
    pub(super) fn cases_never_produced(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for id in self.names.own_decls(Kind::Case) {
            let decl = self.names.decl(id);
            let compares = |used: &&Use| used.access == Access::Compare;
            let mut uses = self.names.uses_of(id).filter(|used| used.access != Access::Declare);
            let Some(first) = uses.next().filter(compares).filter(|_| uses.all(|used| compares(&used)))
            else {
                continue;
            };
            if decl.parent.is_none_or(|of| !self.takes_any_value(of)) {
                let finding = Behaviour::CaseNeverProduced(decl.name.clone()).at(decl.place);
                found.push(finding.related(first.place, Label::Compared));
            }
        }
        found
    }

    /// Return whether values of an enumeration come from outside the text: parameters, arguments of operations, and arbitrary initial
    /// values.
    fn takes_any_value(&self, enumeration: DeclId) -> bool {
        let operations: BTreeSet<Span> =
            self.names.own_decls(Kind::Operation).map(|id| self.names.decl(id).clause).collect();
        let is_given = |decl: &&Decl| match decl.kind {
            Kind::Param => true,
            Kind::Parameter => operations.contains(&decl.clause),
            _ => false,
        };
        let given = self.names.decls.iter().filter(is_given).filter_map(|decl| decl.written);
        let vars = self.units[0].sections().flat_map(|section| &section.vars);
        let arbitrary = vars.filter(|vars| vars.init.as_ref().is_some_and(is_arbitrary));
        let arbitrary = arbitrary.filter_map(|vars| vars.ty.as_ref().map(|ty| ty.span));
        given.chain(arbitrary).any(|ty| self.contains(ty, enumeration))
    }

    /// Return whether a written type, or a record in it, contains values of an enumeration.
    fn contains(&self, ty: Span, enumeration: DeclId) -> bool {
        let of_record = |id| self.names.parts_of(id).filter_map(|(_, field)| field.written);
        let mentioned = self.names.uses_in(ty).iter().map(|used| used.decl);
        let mut records = mentioned.filter(|id| self.names.decl(*id).kind == Kind::Record);
        self.names.is_mentioned(enumeration, ty)
            || records.any(|id| of_record(id).any(|field| self.contains(field, enumeration)))
    }

    /// Warn about timers that are set and not handled.
    pub(super) fn timers_not_handled(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for (timer, set, handled) in self.timers() {
            let (Some(place), None) = (set, handled) else { continue };
            if place.file == 0 {
                let name = self.names.decl(timer).name.clone();
                let title = format!("Add a handler for the timer `{name}`");
                let fix = fix_add_section(
                    &self.sources,
                    &self.units[0],
                    title,
                    place,
                    &format!("always\n  on timeout({name}) -> skip"),
                );
                found.push(Behaviour::TimerNotHandled(name).at(place).fix(fix));
            }
        }
        found
    }
}

/// Return whether an initial value contains `any`.
fn is_arbitrary(e: &Expr) -> bool {
    let mut found = matches!(e.kind, ExprKind::Any);
    e.kind.parts(&mut |part| found = found || is_arbitrary(part));
    found
}
