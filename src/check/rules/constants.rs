//! Constants, which have the same value in all processes and at all times.

use crate::check::names::{Kind, Use};
use crate::check::typed::Typed;
use crate::diagnostic::{Diagnostic, Typing};

/// Names whose values differ between processes.
const OWN: &[&str] = &["id", "degree", "neighbours", "others", "initiator"];

impl Typed {
    pub(super) fn changing_constants(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for (name, _, value) in &self.units[0].consts {
            let is_variable = |used: &Use| self.names.decl(used.decl).kind == Kind::Variable;
            let variable = self.read_in(value.span, is_variable).map(|place| (place, "changes during a run"));
            let mut predefined = self.names.predefined.iter().filter(|place| value.span.contains(**place));
            let own = predefined.find(|place| OWN.contains(&self.sources.slice(**place)));
            let own = own.filter(|_| !self.names.binds(value.span));
            let own = own.map(|place| (*place, "differs from process to process"));
            if let Some((place, why)) = variable.or(own) {
                let what = self.sources.slice(place).to_string();
                found.push(Typing::NotConstant(what, why, name.text.clone()).at(place));
            }
        }
        found
    }
}
