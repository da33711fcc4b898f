//! Options that may be `none` where they are used: as a value, which aborts, or in a comparison by order, which may be
//! unintended.
//!
//! A flow analysis follows the code of each role from every place at which a step can begin. Its facts come from guards,
//! assignments and earlier uses. At a waiting point it discards facts that another command may invalidate. It reports a use
//! unless a value is certain. The value may still exist for reasons that the text does not show: so this is a warning, and the
//! check at run time remains.

mod facts;
mod walk;
mod follow;

use crate::check::context::Class;
use crate::check::typed::{Role, Typed};
use crate::diagnostic::{Diagnostic, Hint, Label, Typing};
use crate::ir::{Binder, Expr, ExprKind as K};
use crate::source::Span;
use facts::Facts;
use std::collections::BTreeSet;
use walk::{Use, uses};

impl Typed {
    pub(super) fn options(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let mut told: BTreeSet<Span> = BTreeSet::new();
        for role in &self.roles {
            for (option, how) in follow::possibly_none(role, &self.kinds) {
                if told.insert(option.span) {
                    found.extend(self.may_be_none(&option, how, Some(role)));
                }
            }
        }
        for property in &self.properties {
            let limit = property.bound.as_ref().map(|bound| &bound.limit);
            for e in std::iter::once(&property.body).chain(&property.consequent).chain(limit) {
                for (option, how) in doubtful_in(e, &property.binders) {
                    if told.insert(option.span) {
                        found.extend(self.may_be_none(&option, how, None));
                    }
                }
            }
        }
        found
    }

    /// Return the finding about an option in the code of a role, or in a property.
    fn may_be_none(&self, option: &Expr, how: Use, role: Option<&Role>) -> Option<Diagnostic> {
        // Files of the library are checked on their own.
        if option.span.file != self.units[0].file {
            return None;
        }
        let text = self.sources.slice(option.span);
        let short = text.len() <= 40 && !text.contains('\n');
        let (name, place) = if short { (Some(text.into()), text.to_string()) } else { (None, "…".into()) };
        let variable = match (&option.kind, role) {
            (K::Slot(slot), Some(role)) => Some(role.local(*slot)).filter(|l| l.named && Role::is_state(l)),
            _ => None,
        };
        let (then, hint) = match (how, role) {
            (Use::Order, _) => (", which is less than every other value", Hint::CaseOfNone(place)),
            (Use::Value, None) => ("; then the property cannot be evaluated", Hint::CaseOrBinder(place)),
            (Use::Value, Some(_)) => (
                "; then the run aborts",
                match (&option.kind, variable) {
                    (_, Some(v)) if v.class == Class::State => Hint::TestOrDeclare(place),
                    (K::Slot(_) | K::Part(..) | K::NeighbourVariable(..), _) => Hint::TestOption(place),
                    _ => Hint::StoreAndTest,
                },
            ),
        };
        let mut d = Typing::MayBeNone(name, then).at(option.span).hint(hint);
        if let Some(variable) = variable.filter(|v| v.span != option.span) {
            d = d.related(variable.span, Label::DeclaredAs(self.type_words(&variable.ty)));
        }
        Some(d)
    }
}

fn doubtful_in(e: &Expr, each: &[Binder]) -> Vec<(Expr, Use)> {
    let mut found = Vec::new();
    let mut facts = Facts::default();
    each.iter().for_each(|binder| facts.bound(&binder.pattern));
    uses(e, &facts, &mut |option, how| found.push((option.clone(), how)));
    found
}
