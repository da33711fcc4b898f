//! Whether the algorithm produces the results that its problem requires.
//!
//! A problem requires the outputs that its properties read, and the upcalls that it handles. An algorithm that never assigns such
//! an output, or never makes the call, does not solve the problem. Often it does not violate it either: properties of results
//! that are never produced hold vacuously.

use crate::check::load::unit::{HandlerSection, Unit};
use crate::check::prose;
use crate::check::typed::{Role, Typed, variable_of};
use crate::diagnostic::{Diagnostic, Hint, Label, Requirement};
use crate::ir::{self, Compare, Expr, ExprKind as K, Input, Slot};
use crate::source::Span;
use crate::syntax::ast::{self, Pattern, Trigger};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Typed {
    /// Warn about outputs that nothing assigns and upcalls that nothing makes, if a property depends on them.
    pub(super) fn missing_results(&self) -> Vec<Diagnostic> {
        let Some(problem) = self.problem().filter(|c| *c != 0) else { return Vec::new() };
        let (unit, own) = (&self.units[self.comps[problem].unit], &self.units[0]);
        // A variant inherits its header: then report at the name of the variant.
        let solves = own.solves.as_ref().map(|s| s.name.span).filter(|span| span.file == own.file);
        let place = solves.unwrap_or(own.name.span);
        let mut found = self.missing_outputs(unit, place);
        found.extend(self.missing_upcalls(unit, problem, place));
        found
    }

    fn missing_outputs(&self, problem: &Unit, place: Span) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for (name, _, init) in &problem.outputs {
            // An output may keep its initial value; one with a definition is computed.
            let begins = problem.initial_outputs.iter().any(|(output, _)| *output == name.text);
            let Some(decl) = self.names.declaration_at(name.span).filter(|_| !begins && init.is_none())
            else {
                continue;
            };
            if self.names.is_assigned(decl, 0) || self.names.is_assigned(decl, self.names.decl(decl).unit) {
                continue;
            }
            let computed: Vec<&str> = problem
                .outputs
                .iter()
                .filter(|(_, _, init)| init.as_ref().is_some_and(|e| self.names.is_mentioned(decl, e.span)))
                .map(|(n, _, _)| n.text.as_str())
                .collect();
            // An algorithm that assigns all outputs computed from this one has another way to produce the result.
            if !computed.is_empty()
                && computed.iter().all(|n| !self.derived.contains_key(&(0, n.to_string())))
            {
                continue;
            }
            let slots = variable_of(&self.roles, 0, &name.text).map_or_else(Vec::new, |(slots, _)| slots);
            let asking = |p: &&ir::Property| p.from_problem && p.is_claimed && reads(p, &slots);
            let asking: Vec<String> = self.properties.iter().filter(asking).map(|p| p.name.clone()).collect();
            if asking.is_empty() {
                continue;
            }

            let open: Vec<String> = computed
                .iter()
                .filter(|n| self.derived.contains_key(&(0, n.to_string())))
                .map(|n| n.to_string())
                .collect();

            found.push(
                Requirement::OutputNotAssigned(problem.name.text.clone(), name.text.clone())
                    .at(place)
                    .related(name.span, Label::Output(told(&asking)))
                    .hint(Hint::Assign(name.text.clone(), open)),
            );
        }
        found
    }

    fn missing_upcalls(&self, problem: &Unit, above: usize, place: Span) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let mut looked_at = BTreeSet::new();
        for handler in &problem.common.always {
            let HandlerSection::Handler(ast::Handler { trigger: Trigger::On(g), .. }) = handler else {
                continue;
            };
            let (Some(layer), Pattern::Name(name) | Pattern::Message(name, _, _)) = (&g.layer, &g.pattern)
            else {
                continue;
            };
            let made = self.made_upcalls.contains(&(0, name.text.clone()));
            if made || !looked_at.insert(&name.text) || !is_taken(&self.roles, above, &name.text) {
                continue;
            }
            // `deliver(m)`, as the problem handles it.
            let call = self.sources.slice(g.pattern.span()).trim_start_matches(&layer.text);
            let call = call.trim_start_matches('.').to_string();
            found.push(
                Requirement::UpcallNotMade(problem.name.text.clone(), name.text.clone(), call)
                    .at(place)
                    .related(name.span, Label::ProblemHandles),
            );
        }
        found
    }
}

/// Return the subject and verb for these properties: `` `E1` and `agreement` read ``, `` `E1`, `E2`, `E3` and 2 more properties
/// read ``.
fn told(properties: &[String]) -> String {
    match properties {
        [one] => format!("`{one}` reads"),
        [first, second, third, rest @ ..] if rest.len() > 1 => {
            format!("`{first}`, `{second}`, `{third}` and {} more properties read", rest.len())
        }
        all => format!("{} read", prose::list(all)),
    }
}

/// Return whether the problem, under its chosen options, handles this upcall.
fn is_taken(roles: &[Arc<Role>], above: usize, upcall: &str) -> bool {
    let mut handlers = roles
        .iter()
        .filter_map(|role| role.components.get(above))
        .flat_map(|component| &component.always.alternatives)
        .filter(|a| matches!(&a.input, Input::Upcall { name, .. } if name == upcall));
    handlers.any(|a| a.guard.as_ref().is_none_or(|g| truth(g) != Some(false)))
}

/// Return whether the property reads one of these variables, in parts that its options do not make constant.
fn reads(property: &ir::Property, slots: &[Option<Slot>]) -> bool {
    let parts = [Some(&property.body), property.consequent.as_ref()].into_iter().flatten();
    let limits = property.bound.iter().map(|b| &b.limit);
    let sets = property.binders.iter().map(|b| &b.set);
    parts.chain(limits).chain(sets).any(|e| reads_in(e, slots))
}

fn reads_in(e: &Expr, slots: &[Option<Slot>]) -> bool {
    match &e.kind {
        K::Remote(_, read) if read.iter().zip(slots).any(|(read, slot)| read.is_some() && read == slot) => {
            return true;
        }
        // The truth value does not depend on the outputs.
        K::And(..) | K::Or(..) | K::Implies(..) if truth(e).is_some() => return false,
        K::If(c, x, y) => {
            if let Some(c) = truth(c) {
                return reads_in(if c { x } else { y }, slots);
            }
        }
        _ => {}
    }
    let mut found = false;
    e.parts(&mut |part| found = found || reads_in(part, slots));
    found
}

/// Return the truth value of a condition that depends only on the options of the problem.
fn truth(e: &Expr) -> Option<bool> {
    match &e.kind {
        K::Word(w) if e.ty == ir::Type::Bool => Some(*w != 0),
        K::Not(x) => truth(x).map(|x| !x),
        K::And(x, y) => match (truth(x), truth(y)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        K::Or(x, y) => match (truth(x), truth(y)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
        K::Implies(x, y) => match (truth(x), truth(y)) {
            (Some(false), _) | (_, Some(true)) => Some(true),
            (Some(true), Some(false)) => Some(false),
            _ => None,
        },
        K::Compare(compare, x, y) => match (&x.kind, &y.kind, compare) {
            (K::Word(x), K::Word(y), Compare::Equal) => Some(x == y),
            (K::Word(x), K::Word(y), Compare::NotEqual) => Some(x != y),
            _ => None,
        },
        _ => None,
    }
}
