//! Completions in the header of an algorithm: problems, their options, assumptions.

use super::*;

impl List<'_> {
    pub(super) fn header(&mut self, place: &CompletionContext) {
        let (last, second) = (place.back(1), place.back(2));
        let problem = self.analysis.user_file().problem;
        match last {
            "solves" => self.library(true),
            "of" if second == "variant" => self.library(false),
            "algorithm" => {}
            "(" | "," if place.depth() == 1 => self.of_problem(problem, Kind::Option),
            ":" => {
                let option = place.back(2).to_string();
                self.choices(problem, &option);
            }
            "without" => self.properties(problem),
            "," if place.has("without") => self.properties(problem),
            _ => {
                if !place.has("variant") {
                    self.add(
                        "variant of",
                        ItemKind::Keyword,
                        "variant of ${1:base}",
                        "algorithm NAME variant of NAME",
                        "",
                    );
                }
                if !place.has("solves") {
                    self.add(
                        "solves",
                        ItemKind::Keyword,
                        "solves ${1:Problem}",
                        "the problem that it solves",
                        "",
                    );
                } else if !place.has("without") {
                    self.add(
                        "without",
                        ItemKind::Keyword,
                        "without ${1:property}",
                        "a property that it does not claim",
                        "",
                    );
                }
                self.add("assumes", ItemKind::Keyword, "assumes ${1:ring}", "", "");
            }
        }
    }

    pub(super) fn library(&mut self, problems: bool) {
        for entry in library::entries().into_values().filter(|e| e.is_problem() == problems) {
            let name = if problems { camel(entry.name) } else { entry.name.to_string() };
            let doc: Vec<&str> =
                entry.text.lines().map_while(|l| l.strip_prefix("///")).map(str::trim).collect();
            let paragraph = doc.split(|l| l.is_empty()).next().unwrap_or_default().join(" ");
            let kind = ItemKind::Name(if problems { Kind::Problem } else { Kind::Algorithm });
            self.add(&name, kind, &name, entry.folder(), &paragraph);
        }
    }

    pub(super) fn of_problem(&mut self, problem: Option<usize>, kind: Kind) {
        let analysis = self.analysis;
        let found =
            analysis.names.decls.iter().filter(|d| Some(d.place.file as usize) == problem && d.kind == kind);
        for decl in found {
            let insert = if kind == Kind::Option { format!("{}: ", decl.name) } else { decl.name.clone() };
            let heading = analysis.heading(decl);
            self.add(&decl.name, ItemKind::Name(kind), &insert, &heading.text, &heading.summary());
        }
    }

    pub(super) fn choices(&mut self, problem: Option<usize>, option: &str) {
        let names = &self.analysis.names;
        let of = names.decls.iter().position(|d| {
            d.kind == Kind::Option && d.name == option && Some(d.place.file as usize) == problem
        });
        let Some(of) = of else { return };
        let found: Vec<String> = names.parts_of(of).map(|(_, d)| d.name.clone()).collect();
        found.iter().for_each(|name| self.add(name, ItemKind::Name(Kind::Choice), name, "", ""));
    }

    pub(super) fn properties(&mut self, problem: Option<usize>) {
        self.of_problem(problem, Kind::Property);
    }

    /// Complete assumptions, which are several words: all words typed so far are replaced.
    pub(super) fn assumptions(&mut self, place: &CompletionContext) {
        let start = place
            .before
            .iter()
            .rev()
            .take_while(|t| !matches!(t.text(&place.file.text), "," | "assumes"))
            .last();
        if let Some(first) = start {
            self.replace = Span { start: first.start as u32, ..self.replace };
        }
        let typed = place.file.text[self.replace.range()].trim().to_string();
        let goes_on = VOCABULARY.iter().any(|words| words.starts_with(&typed));
        let assumed: Vec<String> = {
            let clauses = &self.analysis.user_file().module.clauses;
            let lists = clauses.iter().filter_map(|c| match &c.kind {
                ClauseKind::Assumes(list) => Some(list),
                _ => None,
            });
            lists.flatten().map(hover::assumption_words).collect()
        };
        for words in VOCABULARY.iter().filter(|w| !["one", "oracle"].contains(w)) {
            if assumed.iter().any(|a| a == words) || goes_on && !words.starts_with(&typed) {
                continue;
            }
            let insert = match *words {
                "delay" => "delay <= ${1:1}".to_string(),
                "crashes" => "crashes <= ${1:1}".to_string(),
                other => other.to_string(),
            };
            let doc = reference::assumption(words).unwrap_or_default();
            self.add(words, ItemKind::Assumption, &insert, "", doc);
        }
        let roles: Vec<String> = self
            .analysis
            .names
            .decls
            .iter()
            .filter(|d| d.kind == Kind::Role)
            .map(|d| d.name.clone())
            .collect();
        for role in roles {
            let words = format!("one {role}");
            let doc = reference::assumption(&words).unwrap_or_default();
            self.add(&words, ItemKind::Assumption, &words, "", doc);
        }
    }

    // ------------------------------------------------------------------ scenarios
}

/// Convert a file name to a problem name: `mutual_exclusion` → `MutualExclusion`.
fn camel(name: &str) -> String {
    let capital = |word: &str| match word.split_at_checked(1) {
        Some((first, rest)) => first.to_ascii_uppercase() + rest,
        None => String::new(),
    };
    name.split('_').map(capital).collect()
}
