//! Warnings about programs that are well-formed and yet hardly meant.

use super::context::{Cx, Mode};
use super::early::occurrence;
use super::{Checker, codes};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::Name;

/// What each process has of its own.
const OWN: &[&str] = &["id", "degree", "neighbours", "peers", "others", "initiator"];

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
                .hint("add a `receive`, a handler `on …`, or `ignore` it")
                .fix(self.fix_add_handler(i)),
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
        self.doubts.extend(found);
        self.read_too_early();
        self.unused();
        self.not_constant();
    }

    /// What is declared and never used: functions, constants, parameters, procedures.
    fn unused(&mut self) {
        let unit = self.units[0].clone();
        let mut declared: Vec<(&str, &Name)> = Vec::new();
        declared.extend(unit.functions.iter().map(|f| ("function", &f.name)));
        declared.extend(unit.consts.iter().map(|c| ("constant", &c.0)));
        declared.extend(unit.params.iter().map(|p| ("parameter", &p.0)));
        let sections = std::iter::once(&unit.common).chain(&unit.roles);
        declared.extend(sections.flat_map(|s| s.procedures.iter().map(|p| ("procedure", &p.name))));
        for (what, name) in declared {
            // A variant inherits what it no longer needs; the tool itself asks for the worst identifiers.
            if name.span.file != unit.file || self.used.contains(&name.text) || name.text == "worst_id" {
                continue;
            }
            self.doubt(
                Diagnostic::warning(
                    codes::NEVER_READ,
                    name.span,
                    format!("the {what} `{}` is never used", name.text),
                )
                .hint("use it, or remove it"),
            );
        }
    }

    /// Constants are the same for all processes, and at all times.
    fn not_constant(&mut self) {
        let unit = self.units[0].clone();
        let sections = || std::iter::once(&unit.common).chain(&unit.roles);
        let variables: Vec<&str> =
            sections().flat_map(|s| &s.vars).flat_map(|v| &v.names).map(|n| n.text.as_str()).collect();
        for (name, ty, value) in &unit.consts {
            let place = |word: &str| occurrence(value.span, word, self.sources);
            let variable = variables.iter().find_map(|v| place(v).map(|p| (*v, p, "changes during a run")));
            let own = OWN.iter().find_map(|v| place(v).map(|p| (*v, p, "differs from process to process")));
            if let Some((what, place, why)) = variable.or(own) {
                self.error(
                    Diagnostic::error(
                        codes::CONSTANT,
                        place,
                        format!("`{what}` {why}: `{}` is not constant", name.text),
                    )
                    .hint(format!("make it a variable, or `function {}() = …`", name.text)),
                );
            } else if !self.used.contains(&name.text) {
                // Nobody has looked at it yet.
                self.cx = Cx::new(None, self.comps.len(), Mode::Global);
                match ty.as_ref().map(|t| self.type_expr(t)) {
                    Some(t) => self.expr_as(value, &t, &format!("the constant `{}`", name.text)),
                    None => self.expr(value, None),
                };
            }
        }
    }
}
