//! Warnings about programs that are well-formed but probably not intended.

use super::Checker;
use super::use_before_init::occurrence;
use crate::diagnostic::{Behaviour, Typing};

/// Names whose values differ between processes.
const OWN: &[&str] = &["id", "degree", "neighbours", "others", "initiator"];

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
            let (sent, taken) = (self.sent_kinds.contains_key(&i), self.received_kinds.contains_key(&i));
            let name = kind.name.clone();
            let d = match (sent, taken) {
                (true, false) => Behaviour::NeverReceived(name).at(kind.span).fix(self.fix_add_handler(i)),
                (false, true) => Behaviour::NeverSent(name).at(kind.span),
                (false, false) => Behaviour::NeitherSentNorReceived(name).at(kind.span),
                _ => continue,
            };
            found.push(d);
        }
        self.deferred_findings.extend(found);
        self.read_too_early();
        self.warn_of_unused();
        self.not_constant();
    }

    /// Constants have the same value in all processes and at all times.
    fn not_constant(&mut self) {
        let unit = self.units[0].clone();
        let sections = || std::iter::once(&unit.common).chain(&unit.roles);
        let variables: Vec<&str> =
            sections().flat_map(|s| &s.vars).flat_map(|v| &v.names).map(|n| n.text.as_str()).collect();
        for (name, _, value) in &unit.consts {
            let place = |word: &str| occurrence(value.span, word, self.sources);
            let variable = variables.iter().find_map(|v| place(v).map(|p| (*v, p, "changes during a run")));
            let own = OWN.iter().find_map(|v| place(v).map(|p| (*v, p, "differs from process to process")));
            if let Some((what, place, why)) = variable.or(own) {
                self.error(Typing::NotConstant(what.into(), why, name.text.clone()).at(place));
            }
        }
    }
}
