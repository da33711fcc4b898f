//! Completions in a scenario.

use super::*;

impl List<'_> {
    pub(super) fn scenario(&mut self, place: &CompletionContext) {
        let (last, before) = (place.back(1), place.before.len());
        if place.begins_line && last != "," && last != "with" {
            self.snippets(LINES);
            self.processes();
            if place.depth() == 0 {
                self.clauses();
            }
            return;
        }
        let in_header = place
            .last_of(&[
                "expect",
                "hold",
                "deliver",
                "wake",
                "initially",
                "crash",
                "at",
                "lose",
                "step",
                "choose",
            ])
            .is_none();
        match last {
            "scenario" => {}
            "on" if before == 3 => {
                for family in FAMILIES {
                    let insert = if family.example.contains('(') { family.example } else { family.name };
                    self.add(family.name, ItemKind::Topology, insert, family.usage, family.meaning);
                }
            }
            "with" if in_header => self.settings(),
            "," if in_header && place.depth() == 0 => self.settings(),
            "schedule" => {
                self.keywords(&["fifo", "random", "round-robin", "adversary", "priorities", "told"])
            }
            "daemon" => self.keywords(&["central", "synchronous", "distributed"]),
            "ids" => self.keywords(&["ascending", "descending", "random", "worst"]),
            "outcome" => {
                OUTCOMES.iter().for_each(|(name, doc)| self.add(name, ItemKind::Keyword, name, "", doc))
            }
            "wake" | "step" | "expire" | "crash" | "restart" | "suspect" | "trust" | "hold" | "deliver"
            | "release" | "lose" | "cut" | "duplicate" | "->" | "→" | "at" => self.processes(),
            "for" => self.names(&|d| d.kind == Kind::Message),
            ":" => self.names(&|d| d.kind == Kind::Operation),
            "expect" => {
                let analysis = self.analysis;
                for decl in analysis.names.decls.iter().filter(|d| d.kind == Kind::Property) {
                    let insert = format!("{} ${{1|holds,violated|}}", decl.name);
                    let heading = analysis.heading(decl);
                    let kind = ItemKind::Name(Kind::Property);
                    self.add(&decl.name, kind, &insert, &heading.text, &heading.summary());
                }
                self.add("again", ItemKind::Keyword, "again", "the configuration equals that at `cycle`", "");
                self.add(
                    "outcome",
                    ItemKind::Snippet,
                    "outcome ${1|terminated,quiescent,stuck,aborted,limit|}",
                    "how the run ends",
                    "",
                );
                self.expression(place);
            }
            _ if in_header && before == 2 => {
                self.add("on", ItemKind::Keyword, "on ${1:ring(3)}", "the network", "");
                self.add("with", ItemKind::Keyword, "with ${1:ids [1, 2, 3]}", "settings", "");
            }
            _ if in_header && place.depth() == 0 && !place.has("with") => {
                self.add("with", ItemKind::Keyword, "with ${1:ids [1, 2, 3]}", "settings", "");
            }
            _ => self.expression(place),
        }
    }

    pub(super) fn settings(&mut self) {
        self.snippets(SETTINGS);
        let analysis = self.analysis;
        for decl in analysis.names.decls.iter().filter(|d| d.kind == Kind::Param) {
            let insert = format!("{} ${{1:1}}", decl.name);
            let heading = analysis.heading(decl);
            self.add(&decl.name, ItemKind::Name(Kind::Param), &insert, &heading.text, &heading.summary());
        }
    }

    pub(super) fn processes(&mut self) {
        self.names(&|d| d.kind == Kind::Process);
        (0..3).for_each(|i| {
            let name = format!("p{i}");
            self.add(&name, ItemKind::Name(Kind::Process), &name, "by position", "");
        });
    }

    // ------------------------------------------------------------------ names
}
