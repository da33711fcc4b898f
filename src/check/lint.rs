//! Warnings about programs that are well-formed and yet hardly meant.

use super::{Checker, codes};
use crate::diagnostic::Diagnostic;

impl Checker<'_> {
    pub fn lint(&mut self) {
        if self.units[0].is_problem {
            return;
        }
        let file = self.units[0].file;
        let mut found = Vec::new();
        for (i, kind) in self.kinds.iter().enumerate() {
            if kind.span.file != file {
                continue;
            }
            let i = i as u32;
            let (sent, taken) = (self.sent_kinds.contains_key(&i), self.taken_kinds.contains_key(&i));
            let name =
                if kind.name.is_empty() { "a bare value".to_string() } else { format!("`{}`", kind.name) };
            let d = match (sent, taken) {
                (true, false) => Diagnostic::warning(
                    codes::MESSAGE_NOT_TAKEN,
                    kind.span,
                    format!("{name} is sent, but no state ever takes it"),
                )
                .hint("add a `receive`, a handler `on …`, or `ignore` it"),
                (false, true) => Diagnostic::warning(
                    codes::MESSAGE_NOT_SENT,
                    kind.span,
                    format!("{name} is waited for, but never sent"),
                ),
                (false, false) => Diagnostic::warning(
                    codes::MESSAGE_NOT_SENT,
                    kind.span,
                    format!("{name} is neither sent nor taken"),
                )
                .hint("remove the declaration"),
                _ => continue,
            };
            found.push(d);
        }
        self.found.extend(found);
    }
}
