//! Options where they may be `none`: used as values, which aborts, or compared by order, which says more than is meant.
//!
//! The code of each role is followed from every place at which a step can begin, with what is known to have a value: what
//! guards have asked, what has been assigned, what has been used before. At a waiting point everything is forgotten that
//! somebody may take away meanwhile. Nothing is said where a value is certain; where none is, there may be one all the
//! same, for reasons that do not stand in the text: so it is a warning, and the check at run time remains.

mod facts;
mod walk;
mod follow;

use super::{Checker, codes, prose};
use crate::diagnostic::Diagnostic;
use crate::ir::{Binder, Expr, ExprKind as K, Property, Role};
use crate::source::Span;
use facts::Facts;
use std::collections::BTreeSet;
use walk::{Use, uses};

impl Checker<'_> {
    pub fn options(&mut self, roles: &[Role], properties: &[Property]) {
        let mut told: BTreeSet<Span> = BTreeSet::new();
        for (number, role) in roles.iter().enumerate() {
            let implied = self.done.get(number).map_or(&[][..], |done| &done.implied);
            for (option, how) in follow::doubtful(role, &self.kinds, implied) {
                if told.insert(option.span) {
                    self.may_be_none(&option, how, Some(role));
                }
            }
        }
        for property in properties {
            let limit = property.bound.as_ref().map(|bound| &bound.limit);
            for e in std::iter::once(&property.body).chain(&property.then).chain(limit) {
                for (option, how) in doubtful_in(e, &property.each) {
                    if told.insert(option.span) {
                        self.may_be_none(&option, how, None);
                    }
                }
            }
        }
    }

    /// In the code of a role, or in a property.
    fn may_be_none(&mut self, option: &Expr, how: Use, role: Option<&Role>) {
        // Files of the library are checked on their own.
        if option.span.file != self.units[0].file {
            return;
        }
        let text = self.sources.slice(option.span);
        let short = text.len() <= 40 && !text.contains('\n');
        let (name, place) = if short { (format!("`{text}`"), text) } else { ("this".into(), "…") };
        let variable = match (&option.kind, role) {
            (K::Slot(slot), Some(role)) => role.vars.iter().find(|v| v.slot == *slot),
            _ => None,
        };
        let (then, hint) = match (how, role) {
            (Use::Order, _) => (
                ", which is less than everything",
                format!("say what holds then: `{place} = none or …`, or `{place} != none and …`"),
            ),
            (Use::Value, None) => (
                ", and then nothing can be judged",
                format!(
                    "say what holds then: `{place} = none or …`; or leave these out, behind `with`: `forall p with {place} != none: …`"
                ),
            ),
            (Use::Value, Some(_)) => (
                ", and then the run aborts",
                match (&option.kind, variable) {
                    (_, Some(v)) if !v.local => format!(
                        "ask first: `if {place} != none -> … [] otherwise -> … fi`; if it always has a value where it is read, declare it without `?`"
                    ),
                    (K::Slot(_) | K::Part(..) | K::NeighbourVariable(..), _) => {
                        format!("ask first: `if {place} != none -> … [] otherwise -> … fi`")
                    }
                    _ => "give it a name and ask: `x := …`, then `if x != none -> … [] otherwise -> … fi`"
                        .into(),
                },
            ),
        };
        let mut d =
            Diagnostic::warning(codes::MAY_BE_NONE, option.span, format!("{name} may be `none` here{then}"))
                .hint(hint);
        if let Some(variable) = variable.filter(|v| v.span != option.span) {
            d = d.related(variable.span, prose::a(&self.type_words(&variable.ty)));
        }
        self.doubt(d);
    }
}

fn doubtful_in(e: &Expr, each: &[Binder]) -> Vec<(Expr, Use)> {
    let mut found = Vec::new();
    let mut facts = Facts::default();
    each.iter().for_each(|binder| facts.bound(&binder.pattern));
    uses(e, &facts, &mut |option, how| found.push((option.clone(), how)));
    found
}
