//! Code actions: fixes for diagnostics.

use super::Analysis;
use crate::diagnostic::{Diagnostic, Edit, Fix, Hint};
use crate::source::Span;

/// A diagnostic with its fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action<'d> {
    pub finding: &'d Diagnostic,
    pub fix: Fix,
}

impl Analysis {
    /// Return the fixes of the diagnostics that touch a range. `findings` belong to this version of the text.
    pub fn actions<'d>(&self, findings: &'d [Diagnostic], range: Span) -> Vec<Action<'d>> {
        let touched =
            |d: &&Diagnostic| d.span.file == 0 && d.span.start <= range.end && range.start <= d.span.end;
        let mut actions: Vec<Action> = Vec::new();
        for finding in findings.iter().filter(touched) {
            // Files of the library are not changed.
            let own = finding.fix.clone().filter(|fix| fix.edits.iter().all(|e| e.span.file == 0));
            let fix = own.or_else(|| self.underscore_fix(finding));
            actions.extend(fix.map(|fix| Action { finding, fix }));
        }
        actions
    }

    /// Return the fix that prefixes a never-read name with `_` at all its uses.
    fn underscore_fix(&self, finding: &Diagnostic) -> Option<Fix> {
        let name = self.user_file().slice(finding.span);
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if finding.hint != Some(Hint::Underscore) || !is_name {
            return None;
        }
        let new = format!("_{name}");
        let edits: Vec<Edit> = self.rename(finding.span.start as usize, &new).ok()?;
        (!edits.is_empty()).then(|| Fix::new(format!("Rename to `{new}`"), edits))
    }
}
