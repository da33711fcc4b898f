//! Completions of declared names, and of their parts.

use super::*;

impl List<'_> {
    /// Add the names visible here.
    pub(super) fn names(&mut self, wanted: &dyn Fn(&Decl) -> bool) {
        let analysis = self.analysis;
        let mut found: Vec<usize> = (0..analysis.names.decls.len())
            .filter(|id| {
                let decl = analysis.names.decl(*id);
                let seen = match decl.visible {
                    Some(visible) => {
                        visible.file == 0 && visible.start <= self.offset && self.offset <= visible.end
                    }
                    None => {
                        let other_role = decl.role.is_some() && self.role.is_some() && decl.role != self.role;
                        !other_role && self.is_seen(decl)
                    }
                };
                // Exclude the name that is being typed.
                seen && wanted(decl) && decl.place.start != self.replace.start
            })
            .collect();
        // Nearest declaration first, messages last.
        found.sort_by_key(|id| {
            let decl = analysis.names.decl(*id);
            (decl.visible.is_none(), decl.kind == Kind::Message, !decl.kind.is_variable(), decl.place.file)
        });
        for id in found {
            let decl = analysis.names.decl(id);
            let summary = analysis.heading(decl).summary();
            self.add(&decl.name, ItemKind::Name(decl.kind), &decl.name, &analysis.head(id), &summary);
        }
    }

    /// Return whether a declaration of another file is visible: only the base of a variant and the problem export names.
    pub(super) fn is_seen(&self, decl: &Decl) -> bool {
        let (file, own) = (decl.place.file as usize, self.analysis.user_file());
        let from_problem = matches!(
            decl.kind,
            Kind::Output
                | Kind::Case
                | Kind::Record
                | Kind::Operation
                | Kind::Alias
                | Kind::Variable
                | Kind::Param
                | Kind::Property
        );
        file == 0 || own.base == Some(file) || own.problem == Some(file) && from_problem
    }

    pub(super) fn messages(&mut self, sent: bool) {
        let analysis = self.analysis;
        let own = analysis.user_file();
        let here = |d: &&Decl| {
            d.kind == Kind::Message && (d.place.file == 0 || own.base == Some(d.place.file as usize))
        };
        for decl in analysis.names.decls.iter().filter(here) {
            let heading = analysis.heading(decl);
            let fields: Vec<String> = heading
                .params
                .iter()
                .enumerate()
                .map(|(i, field)| {
                    format!("${{{}:{}}}", i + 1, field.split([':', ' ']).next().unwrap_or_default())
                })
                .collect();
            let mut insert = decl.name.clone();
            if !fields.is_empty() {
                insert.push_str(&format!("({})", fields.join(", ")));
            }
            if sent {
                insert.push_str(&format!(" to ${{{}:destination}}", fields.len() + 1));
            }
            self.add(&decl.name, ItemKind::Name(Kind::Message), &insert, &heading.text, &heading.summary());
        }
    }

    /// Add the arguments of `on`, `ignore` and `defer`.
    pub(super) fn takable(&mut self, place: &CompletionContext) {
        self.messages(false);
        if place.back(1) != "on" {
            return;
        }
        let events = [
            ("wakeup", "wakeup -> ${1:skip}", "the process wakes up spontaneously"),
            ("timeout", "timeout(${1:timer}) -> ${2:skip}", "a timer expires"),
            ("suspect", "suspect(${1:p}) -> ${2:skip}", "the detector suspects a process"),
            ("trust", "trust(${1:p}) -> ${2:skip}", "the detector no longer suspects the process"),
            ("restart", "restart -> ${1:skip}", "the process restarts after a crash"),
            ("arrival", "arrival -> ${1:skip}", "a message has arrived"),
            ("interaction", "interaction(${1:v}) when ${2:true} -> ${3:skip}", "two processes meet"),
        ];
        events.iter().for_each(|(name, insert, doc)| self.add(name, ItemKind::Snippet, insert, doc, ""));
        self.names(&|d| d.kind == Kind::Layer);
    }

    pub(super) fn destinations(&mut self) {
        for name in [
            "next",
            "left",
            "right",
            "neighbours",
            "others",
            "everybody",
            "north",
            "east",
            "south",
            "west",
            "parent",
            "children",
        ] {
            self.predefined(name);
        }
        self.names(&|d| d.kind == Kind::Role);
    }

    pub(super) fn predefined(&mut self, name: &str) {
        let doc = reference::predefined(name).unwrap_or_default();
        self.add(name, ItemKind::Fact, name, "", doc);
    }

    pub(super) fn types(&mut self) {
        for (name, doc) in hover::TYPES {
            self.add(name, ItemKind::Type, name, "", doc);
        }
        for (label, insert) in [
            ("set of", "set of ${1:Id}"),
            ("list of", "list of ${1:Int}"),
            ("queue of", "queue of ${1:Int}"),
            ("map of", "map of ${1:Id} to ${2:Int}"),
        ] {
            self.add(label, ItemKind::Type, insert, "", "");
        }
        self.names(&|d| matches!(d.kind, Kind::Enum | Kind::Record));
    }

    /// Add the parts of the name before the dot.
    pub(super) fn parts(&mut self, place: &CompletionContext) {
        let analysis = self.analysis;
        let base = place.back(2).to_string();
        let layer = analysis.user_file().layers.iter().find(|(name, _)| *name == base).map(|(_, file)| *file);
        if let Some(file) = layer {
            // Properties see all variables of a layer; a user of the layer calls its operations and reads its outputs.
            let wanted: &[Kind] = match (place.back(3), PROPERTY_WORDS.contains(&place.head())) {
                ("on", _) => &[Kind::Upcall],
                (_, true) => &[Kind::Variable, Kind::Output],
                _ => &[Kind::Operation, Kind::Output],
            };
            // The upcalls of a layer are those that its problem handles or the layer calls; its outputs are those that the
            // problem requires.
            let from = [Some(file), analysis.files[file].problem];
            let offered = |d: &&Decl| {
                wanted.contains(&d.kind)
                    && from.contains(&Some(d.place.file as usize))
                    && (d.kind != Kind::Operation || d.place.file as usize == file)
            };
            for decl in analysis.names.decls.iter().filter(offered) {
                let heading = analysis.heading(decl);
                let kind = ItemKind::Name(decl.kind);
                self.add(&decl.name, kind, &decl.name, &heading.text, &heading.summary());
            }
            return;
        }
        let token = place.before.len().checked_sub(2).map(|i| place.before[i]);
        let meant = token.and_then(|t| analysis.names.at(0, t.end).first().map(|u| u.decl));
        let declared = meant
            .and_then(|id| analysis.written_type(analysis.names.decl(id)).or_else(|| analysis.inferred(id)));
        let record = declared
            .as_deref()
            .map(|ty| ty.trim_end_matches('?'))
            .and_then(|ty| analysis.names.decls.iter().position(|d| d.kind == Kind::Record && d.name == ty));
        if let Some(record) = record {
            let fields: Vec<Decl> = analysis.names.parts_of(record).map(|(_, d)| d.clone()).collect();
            for field in fields {
                let head = analysis.heading(&field).text;
                self.add(&field.name, ItemKind::Name(Kind::RecordField), &field.name, &head, "");
            }
            return;
        }
        let role = self.role.take();
        self.names(&|d| matches!(d.kind, Kind::Variable | Kind::Output));
        self.role = role;
        if place.head() == "scenario" || PROPERTY_WORDS.contains(&place.head()) || place.head() == "function"
        {
            let events: &[&str] = if place.head() == "order" { &["process", "nth", "value"] } else { &[] };
            for fact in ["id", "index", "degree", "neighbours", "initiator", "halted", "up", "enabled"]
                .iter()
                .chain(events)
            {
                self.add(fact, ItemKind::Fact, fact, "", reference::fact(fact).unwrap_or_default());
            }
        } else {
            self.names(&|d| d.kind == Kind::RecordField);
        }
    }
}
