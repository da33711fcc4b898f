//! What may be written at a place.
//!
//! The place is told by the words before it, not by the tree: what is being typed has no tree yet.

use super::names::{Decl, Kind};
use super::{Analysis, File, hover, reference};
use crate::check::{FUNCTIONS, VOCABULARY};
use crate::library;
use crate::network::FAMILIES;
use crate::source::Span;
use crate::syntax::ast::ClauseKind;
use crate::syntax::{CLAUSE_WORDS, Token, TokenKind};
use std::collections::BTreeSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    Keyword,
    Snippet,
    Name(Kind),
    Function,
    Fact,
    Type,
    Assumption,
    Topology,
    Setting,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub label: String,
    pub kind: ItemKind,
    /// In one line.
    pub detail: String,
    /// Markdown.
    pub doc: String,
    /// With `${1:…}` where the user goes on typing.
    pub insert: String,
    /// What it takes the place of.
    pub replace: Span,
}

/// The words before a place.
struct Place<'a> {
    file: &'a File,
    /// Tokens of the clause up to the word that is being typed, without comments.
    before: Vec<&'a Token>,
    replace: Span,
    /// Nothing but blanks stands before the word on its line.
    begins_line: bool,
}

impl Place<'_> {
    fn back(&self, n: usize) -> &str {
        let at = self.before.len().checked_sub(n);
        at.and_then(|i| self.before.get(i)).map_or("", |t| t.text(&self.file.text))
    }

    fn head(&self) -> &str {
        match (self.word(0), self.word(1)) {
            ("stable", "var") => "var",
            ("initial", _) => "state",
            (head, _) => head,
        }
    }

    fn word(&self, i: usize) -> &str {
        self.before.get(i).map_or("", |t| t.text(&self.file.text))
    }

    fn has(&self, word: &str) -> bool {
        self.before.iter().any(|t| t.text(&self.file.text) == word)
    }

    /// How many brackets are open.
    fn depth(&self) -> usize {
        self.before.iter().fold(0usize, |depth, t| match t.text(&self.file.text) {
            "(" | "[" | "{" => depth + 1,
            ")" | "]" | "}" => depth.saturating_sub(1),
            _ => depth,
        })
    }

    /// The last of these words, and how many words stand after it.
    fn last_of(&self, words: &[&str]) -> Option<(&str, usize)> {
        let mut all = self.before.iter().rev().enumerate();
        all.find_map(|(i, t)| Some(t.text(&self.file.text)).filter(|w| words.contains(w)).map(|w| (w, i)))
    }
}

struct List<'a> {
    analysis: &'a Analysis,
    replace: Span,
    offset: u32,
    role: Option<String>,
    items: Vec<Item>,
    seen: BTreeSet<String>,
}

impl Analysis {
    pub fn completions(&self, offset: usize) -> Vec<Item> {
        let file = self.own();
        if file.is_prose(offset) {
            return Vec::new();
        }
        let place = self.place(offset);
        let mut list = List {
            analysis: self,
            replace: place.replace,
            offset: offset as u32,
            role: self.role_at(offset),
            items: Vec::new(),
            seen: BTreeSet::new(),
        };
        list.fill(&place);
        list.items
    }

    fn place(&self, offset: usize) -> Place<'_> {
        let file = self.own();
        let typed = file
            .tokens
            .iter()
            .find(|t| matches!(t.kind, TokenKind::Word) && t.start < offset && offset <= t.end);
        let start = typed.map_or(offset, |t| t.start);
        let before: Vec<&Token> = file
            .tokens
            .iter()
            .take_while(|t| t.end <= start)
            .filter(|t| !matches!(t.kind, TokenKind::Comment | TokenKind::Doc))
            .collect();
        let begins_clause = |t: &&Token| t.first_of_line && CLAUSE_WORDS.contains(&t.text(&file.text));
        // `assumes` and `message` often stand on the header's line.
        let inline = |t: &&Token| matches!(t.text(&file.text), "assumes" | "uses" | "message");
        let first = before.iter().rposition(|t| begins_clause(t) || inline(t)).unwrap_or(0);
        let line_start = file.text[..start].rfind('\n').map_or(0, |i| i + 1);
        Place {
            file,
            before: before[first..].to_vec(),
            replace: Span::new(0, start, offset),
            begins_line: file.text[line_start..start].trim().is_empty(),
        }
    }

    fn role_at(&self, offset: usize) -> Option<String> {
        let before = self.own().module.clauses.iter().take_while(|c| (c.span.start as usize) < offset);
        let named = before.filter_map(|c| match &c.kind {
            ClauseKind::Process { name } => Some(name.text.clone()),
            _ => None,
        });
        named.last()
    }
}

/// `if`, `do`, … with places to fill in.
const STATEMENTS: &[(&str, &str)] = &[
    ("if", "if ${1:guard} -> ${2:skip}\n[] ${3:otherwise} -> ${4:skip}\nfi"),
    ("do", "do ${1:guard} -> ${2:skip}\nod"),
    ("for", "for ${1:x} in ${2:set} do\n  ${3:skip}\nod"),
    ("send", "send ${1:message} to ${2:destination}"),
    ("receive", "receive ${1:Message}"),
    ("await", "await ${1:condition}"),
    ("become", "become ${1:state}"),
    ("halt", "halt"),
    ("skip", "skip"),
    ("pause", "pause"),
    ("choose", "choose ${1:x} in ${2:set}"),
    ("remove", "remove ${1:x} from ${2:set}"),
    ("set timer", "set timer ${1:name} after ${2:1}"),
    ("cancel timer", "cancel timer ${1:name}"),
    ("round", "round"),
    ("transmit", "transmit ${1:message}"),
    ("listen", "listen"),
];

const CLAUSES: &[(&str, &str)] = &[
    ("assumes", "assumes ${1:unidirectional ring}, ${2:unique ids}"),
    ("uses", "uses ${1:layer} as ${2:Name}"),
    ("message", "message ${1:Name}(${2:field}: ${3:Int})"),
    ("enum", "enum ${1:Colour} = ${2:red} | ${3:green}"),
    ("record", "record ${1:Entry}(${2:key}: ${3:Int})"),
    ("const", "const ${1:k} : Int = ${2:1}"),
    ("param", "param ${1:k} : Int = ${2:1}"),
    ("var", "var ${1:x} : ${2:Int}"),
    ("stable var", "stable var ${1:x} : ${2:Int}"),
    ("function", "function ${1:f}(${2:x}: ${3:Int}) : ${4:Int} = ${5:x}"),
    ("procedure", "procedure ${1:name}\n  ${2:skip}"),
    ("operation", "operation ${1:name}\n  ${2:skip}"),
    ("process", "process ${1:Role}"),
    ("state", "state ${1:name}\n  ${2:skip}"),
    ("initial state", "initial state ${1:name}\n  ${2:skip}"),
    ("always", "always"),
    ("on", "on ${1:Message} -> ${2:skip}"),
    ("when", "when ${1:condition} -> ${2:skip}"),
    ("after", "after ${1:1} -> ${2:skip}"),
    ("ignore", "ignore ${1:Message}"),
    ("defer", "defer ${1:Message}"),
    ("invariant", "invariant ${1:name}: ${2:forall p: true}"),
    ("finally", "finally ${1:name}: ${2:forall p: true}"),
    ("eventually", "eventually ${1:name}: ${2:some p: true}"),
    ("stable", "stable ${1:name} for p: ${2:p.halted}"),
    ("settles", "settles ${1:name}: ${2:true}"),
    ("leads", "leads ${1:name}: ${2:true} leads to ${3:true}"),
    ("bound", "bound ${1:name}: messages <= ${2:n * n}"),
    ("exactly", "exactly ${1:name}: messages = ${2:n}"),
    ("order", "order ${1:name}: ${2:true}"),
    ("scenario", "scenario ${1:name} on ${2:ring(3)}\n  expect ${3:true}"),
];

const HEADERS: &[(&str, &str)] = &[
    (
        "algorithm",
        "algorithm ${1:name} solves ${2:Election}\nassumes ${3:unidirectional ring}, ${4:unique ids}",
    ),
    ("problem", "problem ${1:Name}"),
];

const PROBLEM_CLAUSES: &[(&str, &str)] =
    &[("output", "output ${1:x} : ${2:Int}"), ("client", "client\n  ${1:skip}")];

const LINES: &[(&str, &str)] = &[
    ("initially", "initially ${1:p0}.${2:x} := ${3:0}"),
    ("hold", "hold ${1:p0} -> ${2:p1}"),
    ("release", "release"),
    ("deliver", "deliver ${1:p0} -> ${2:p1}"),
    ("wake", "wake ${1:p0}"),
    ("crash", "crash ${1:p0}"),
    ("restart", "restart ${1:p0}"),
    ("suspect", "suspect ${1:p0} at ${2:p1}"),
    ("trust", "trust ${1:p0} at ${2:p1}"),
    ("lose", "lose ${1:p0} -> ${2:p1}"),
    ("duplicate", "duplicate ${1:p0} -> ${2:p1}"),
    ("cut", "cut ${1:p0} -> ${2:p1}"),
    ("delay", "delay ${1:p0} -> ${2:p1} := ${3:9}"),
    ("at", "at ${1:3}"),
    ("expect", "expect ${1:messages = 0}"),
    ("expect outcome", "expect outcome ${1|terminated,quiescent,stuck,aborted,limit|}"),
];

const SETTINGS: &[(&str, &str)] = &[
    ("ids", "ids [${1:1, 2, 3}]"),
    ("names", "names [${1:A, B}]"),
    ("initiators", "initiators [${1:p0}]"),
    ("schedule", "schedule ${1|fifo,random,round-robin,adversary|}"),
    ("daemon", "daemon ${1|central,synchronous,distributed|}"),
    ("seed", "seed ${1:7}"),
    ("weights", "weights [${1:3, 1}]"),
    ("unstamped notes", "unstamped notes"),
    ("crash", "crash ${1:1}"),
    ("restart", "restart ${1:1}"),
    ("loss", "loss ${1:1}"),
    ("duplication", "duplication ${1:1}"),
    ("link", "link ${1:1}"),
    ("suspicion", "suspicion ${1:1}"),
];

const EXPRESSIONS: &[(&str, &str)] = &[
    ("forall", "forall ${1:p}: ${2:true}"),
    ("some", "some ${1:p}: ${2:true}"),
    ("count", "count ${1:p}: ${2:true}"),
    ("sum", "sum ${1:k} in ${2:set}: ${3:k}"),
    ("least", "least ${1:p} in ${2:set}"),
    ("greatest", "greatest ${1:p} in ${2:set}"),
    ("if", "if ${1:condition} then ${2:a} else ${3:b}"),
];

const OPERATORS: &[&str] =
    &["and", "or", "not", "implies", "iff", "in", "div", "mod", "inter", "except", "true", "false", "none"];

const OUTCOMES: &[(&str, &str)] = &[
    ("terminated", "all that are up have halted and nothing is under way"),
    ("quiescent", "nothing is under way, everyone has halted or waits for input"),
    ("stuck", "a message that nobody takes, or a wait that cannot end"),
    ("aborted", "a command went wrong"),
    ("limit", "cut off"),
];

const PROPERTY_WORDS: &[&str] =
    &["invariant", "stable", "finally", "eventually", "settles", "leads", "bound", "exactly", "order"];

impl List<'_> {
    fn add(&mut self, label: &str, kind: ItemKind, insert: &str, detail: &str, doc: &str) {
        if self.seen.insert(label.to_string()) {
            self.items.push(Item {
                label: label.into(),
                kind,
                detail: detail.into(),
                doc: doc.into(),
                insert: insert.into(),
                replace: self.replace,
            });
        }
    }

    fn snippets(&mut self, table: &[(&str, &str)]) {
        for (label, insert) in table {
            let says = reference::keyword(label.split(' ').next_back().unwrap_or(label));
            let says = says.or_else(|| reference::keyword(label.split(' ').next().unwrap_or(label)));
            let (form, doc) = says.unwrap_or_default();
            self.add(label, ItemKind::Snippet, insert, &form, doc);
        }
    }

    fn keywords(&mut self, words: &[&str]) {
        words.iter().for_each(|word| self.add(word, ItemKind::Keyword, word, "", ""));
    }

    fn fill(&mut self, place: &Place) {
        let (last, second) = (place.back(1), place.back(2));
        if last == "." {
            return self.parts(place);
        }
        if place.before.is_empty() {
            return self.snippets(HEADERS);
        }
        match place.head() {
            "algorithm" if !place.begins_line => return self.header(place),
            "assumes" if !place.begins_line || last == "," => return self.assumptions(place),
            "uses" if matches!(last, "uses" | ",") => return self.library(false),
            "scenario" => return self.scenario(place),
            _ => {}
        }
        let of_type = matches!(last, ":") && place.depth() <= 1
            || matches!((second, last), ("set" | "list" | "queue" | "map", "of"));
        let declares = matches!(
            place.head(),
            "var"
                | "output"
                | "const"
                | "param"
                | "message"
                | "record"
                | "function"
                | "procedure"
                | "operation"
        );
        if of_type && declares && !place.has(":=") && !(place.has("=") && place.head() != "message") {
            return self.types();
        }
        match last {
            "become" => return self.names(|d| d.kind == Kind::State),
            "send" | "transmit" => {
                self.messages(true);
                return self.expression(place);
            }
            "receive" | "received" => {
                self.messages(false);
                return self.names(|d| d.kind.is_variable());
            }
            "on" | "ignore" | "defer" => return self.takable(place),
            "to" if place.has("send") => {
                self.destinations();
                return self.expression(place);
            }
            "timer" => return self.names(|d| d.kind == Kind::Timer),
            "of" if matches!(second, "messages" | "bits") => return self.names(|d| d.kind == Kind::Message),
            "of" | "per" => return self.names(|d| matches!(d.kind, Kind::Operation | Kind::Alias)),
            // A name of the user's own is declared here.
            "state" | "process" | "message" | "var" | "const" | "param" | "enum" | "record" | "function"
            | "procedure" | "operation" | "output" => return,
            _ if PROPERTY_WORDS.contains(&last) => return,
            _ => {}
        }
        let is_property = PROPERTY_WORDS.contains(&place.head());
        let acts =
            matches!(place.head(), "state" | "on" | "when" | "after" | "operation" | "procedure" | "client");
        if place.begins_line && place.depth() == 0 {
            if acts {
                self.statement_start();
            }
            let inside = |open: &str, close: &str| {
                let count =
                    |word: &str| place.before.iter().filter(|t| t.text(&place.file.text) == word).count();
                count(open) > count(close)
            };
            if !inside("if", "fi") && !inside("do", "od") {
                self.clauses();
            }
            if is_property {
                self.expression(place);
            }
            return;
        }
        if acts && matches!(last, "->" | "→" | ";" | "do") && place.depth() == 0 {
            return self.statement_start();
        }
        if acts && matches!(last, "[]" | "□" | "if" | "do") {
            self.add(
                "receive",
                ItemKind::Snippet,
                "receive ${1:Message} -> ${2:skip}",
                "a guard that waits",
                "",
            );
            self.add(
                "otherwise",
                ItemKind::Snippet,
                "otherwise -> ${1:skip}",
                "taken when no other branch can be",
                "",
            );
        }
        self.expression(place);
    }

    // ------------------------------------------------------------------ headers

    fn header(&mut self, place: &Place) {
        let (last, second) = (place.back(1), place.back(2));
        let problem = self.analysis.own().problem;
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
                        "a property that it does not promise",
                        "",
                    );
                }
                self.add("assumes", ItemKind::Keyword, "assumes ${1:ring}", "", "");
            }
        }
    }

    fn library(&mut self, problems: bool) {
        for entry in library::entries().into_values().filter(|e| e.is_problem() == problems) {
            let name = if problems { camel(entry.name) } else { entry.name.to_string() };
            let doc: Vec<&str> =
                entry.text.lines().map_while(|l| l.strip_prefix("///")).map(str::trim).collect();
            let paragraph = doc.split(|l| l.is_empty()).next().unwrap_or_default().join(" ");
            let kind = ItemKind::Name(if problems { Kind::Problem } else { Kind::Algorithm });
            self.add(&name, kind, &name, entry.folder(), &paragraph);
        }
    }

    fn of_problem(&mut self, problem: Option<usize>, kind: Kind) {
        let analysis = self.analysis;
        let found =
            analysis.names.decls.iter().filter(|d| Some(d.place.file as usize) == problem && d.kind == kind);
        for decl in found {
            let insert = if kind == Kind::Option { format!("{}: ", decl.name) } else { decl.name.clone() };
            self.add(&decl.name, ItemKind::Name(kind), &insert, &decl.head, &hover::summary(decl));
        }
    }

    fn choices(&mut self, problem: Option<usize>, option: &str) {
        let names = &self.analysis.names;
        let of = names.decls.iter().position(|d| {
            d.kind == Kind::Option && d.name == option && Some(d.place.file as usize) == problem
        });
        let Some(of) = of else { return };
        let found: Vec<String> = names.parts_of(of).map(|(_, d)| d.name.clone()).collect();
        found.iter().for_each(|name| self.add(name, ItemKind::Name(Kind::Choice), name, "", ""));
    }

    fn properties(&mut self, problem: Option<usize>) {
        self.of_problem(problem, Kind::Property);
    }

    /// Assumptions are several words: all of what has been typed is replaced.
    fn assumptions(&mut self, place: &Place) {
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
            let clauses = &self.analysis.own().module.clauses;
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

    fn scenario(&mut self, place: &Place) {
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
            .last_of(&["expect", "hold", "deliver", "wake", "initially", "crash", "at", "lose"])
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
            "schedule" => self.keywords(&["fifo", "random", "round-robin", "adversary"]),
            "daemon" => self.keywords(&["central", "synchronous", "distributed"]),
            "ids" => self.keywords(&["ascending", "descending", "random", "worst"]),
            "outcome" => {
                OUTCOMES.iter().for_each(|(name, doc)| self.add(name, ItemKind::Keyword, name, "", doc))
            }
            "wake" | "crash" | "restart" | "suspect" | "trust" | "hold" | "deliver" | "release" | "lose"
            | "cut" | "duplicate" | "->" | "→" | "at" => self.processes(),
            "for" => self.names(|d| d.kind == Kind::Message),
            ":" => self.names(|d| d.kind == Kind::Operation),
            "expect" => {
                let analysis = self.analysis;
                for decl in analysis.names.decls.iter().filter(|d| d.kind == Kind::Property) {
                    let insert = format!("{} ${{1|holds,violated|}}", decl.name);
                    self.add(
                        &decl.name,
                        ItemKind::Name(Kind::Property),
                        &insert,
                        &decl.head,
                        &hover::summary(decl),
                    );
                }
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

    fn settings(&mut self) {
        self.snippets(SETTINGS);
        let analysis = self.analysis;
        for decl in analysis.names.decls.iter().filter(|d| d.kind == Kind::Param) {
            let insert = format!("{} ${{1:1}}", decl.name);
            self.add(&decl.name, ItemKind::Name(Kind::Param), &insert, &decl.head, &hover::summary(decl));
        }
    }

    fn processes(&mut self) {
        self.names(|d| d.kind == Kind::Process);
        (0..3).for_each(|i| {
            let name = format!("p{i}");
            self.add(&name, ItemKind::Name(Kind::Process), &name, "by position", "");
        });
    }

    // ------------------------------------------------------------------ names

    /// Names that can be seen here.
    fn names(&mut self, wanted: impl Fn(&Decl) -> bool) {
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
                // Not what is being typed.
                seen && wanted(decl) && decl.place.start != self.replace.start
            })
            .collect();
        // The nearest first, messages last.
        found.sort_by_key(|id| {
            let decl = analysis.names.decl(*id);
            (decl.visible.is_none(), decl.kind == Kind::Message, !decl.kind.is_variable(), decl.place.file)
        });
        for id in found {
            let decl = analysis.names.decl(id);
            self.add(
                &decl.name,
                ItemKind::Name(decl.kind),
                &decl.name,
                &analysis.head(id),
                &hover::summary(decl),
            );
        }
    }

    /// Of other files one sees what the base of a variant and the problem offer.
    fn is_seen(&self, decl: &Decl) -> bool {
        let (file, own) = (decl.place.file as usize, self.analysis.own());
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

    fn messages(&mut self, sent: bool) {
        let analysis = self.analysis;
        let own = analysis.own();
        let here = |d: &&Decl| {
            d.kind == Kind::Message && (d.place.file == 0 || own.base == Some(d.place.file as usize))
        };
        for decl in analysis.names.decls.iter().filter(here) {
            let fields: Vec<String> = decl
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
            self.add(&decl.name, ItemKind::Name(Kind::Message), &insert, &decl.head, &hover::summary(decl));
        }
    }

    /// What `on`, `ignore` and `defer` are about.
    fn takable(&mut self, place: &Place) {
        self.messages(false);
        if place.back(1) != "on" {
            return;
        }
        let events = [
            ("wakeup", "wakeup -> ${1:skip}", "the process wakes up by itself"),
            ("timeout", "timeout(${1:timer}) -> ${2:skip}", "a timer runs out"),
            ("suspect", "suspect(${1:p}) -> ${2:skip}", "the detector suspects a process"),
            ("trust", "trust(${1:p}) -> ${2:skip}", "the detector no longer suspects it"),
            ("restart", "restart -> ${1:skip}", "the process comes back after a crash"),
            ("arrival", "arrival -> ${1:skip}", "something has arrived"),
            ("interaction", "interaction(${1:v}) when ${2:true} -> ${3:skip}", "two processes meet"),
        ];
        events.iter().for_each(|(name, insert, doc)| self.add(name, ItemKind::Snippet, insert, doc, ""));
        self.names(|d| d.kind == Kind::Layer);
    }

    fn destinations(&mut self) {
        for name in [
            "next",
            "left",
            "right",
            "neighbours",
            "others",
            "peers",
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
        self.names(|d| d.kind == Kind::Role);
    }

    fn predefined(&mut self, name: &str) {
        let doc = reference::predefined(name).unwrap_or_default();
        self.add(name, ItemKind::Fact, name, "", doc);
    }

    fn types(&mut self) {
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
        self.names(|d| matches!(d.kind, Kind::Enum | Kind::Record));
    }

    /// After a point: parts of what stands before it.
    fn parts(&mut self, place: &Place) {
        let analysis = self.analysis;
        let base = place.back(2).to_string();
        let layer = analysis.own().layers.iter().find(|(name, _)| *name == base).map(|(_, file)| *file);
        if let Some(file) = layer {
            let wanted = if place.head() == "on" { Kind::Upcall } else { Kind::Operation };
            // Upcalls are what the layer's problem takes, or what the layer itself calls.
            let problem = analysis.files[file].problem.filter(|_| wanted == Kind::Upcall);
            let from = [Some(file), problem];
            let offered = |d: &&Decl| d.kind == wanted && from.contains(&Some(d.place.file as usize));
            for decl in analysis.names.decls.iter().filter(offered) {
                self.add(&decl.name, ItemKind::Name(wanted), &decl.name, &decl.head, &hover::summary(decl));
            }
            return;
        }
        let token = place.before.len().checked_sub(2).map(|i| place.before[i]);
        let meant = token.and_then(|t| analysis.names.at(0, t.end).first().map(|u| u.decl));
        let declared =
            meant.and_then(|id| analysis.names.decl(id).ty.clone().or_else(|| analysis.inferred(id)));
        let record = declared
            .as_deref()
            .map(|ty| ty.trim_end_matches('?'))
            .and_then(|ty| analysis.names.decls.iter().position(|d| d.kind == Kind::Record && d.name == ty));
        if let Some(record) = record {
            let fields: Vec<Decl> = analysis.names.parts_of(record).map(|(_, d)| d.clone()).collect();
            for field in fields {
                self.add(&field.name, ItemKind::Name(Kind::RecordField), &field.name, &field.head, "");
            }
            return;
        }
        let role = self.role.take();
        self.names(|d| matches!(d.kind, Kind::Variable | Kind::Output));
        self.role = role;
        if place.head() == "scenario" || PROPERTY_WORDS.contains(&place.head()) || place.head() == "function"
        {
            let events: &[&str] = if place.head() == "order" { &["process", "nth", "value"] } else { &[] };
            for fact in ["id", "index", "degree", "initiator", "halted", "up", "enabled"].iter().chain(events)
            {
                self.add(fact, ItemKind::Fact, fact, "", reference::fact(fact).unwrap_or_default());
            }
        } else {
            self.names(|d| d.kind == Kind::RecordField);
        }
    }

    fn statement_start(&mut self) {
        self.snippets(STATEMENTS);
        let layers: Vec<String> = self.analysis.own().layers.iter().map(|(name, _)| name.clone()).collect();
        layers.iter().for_each(|l| self.add(l, ItemKind::Name(Kind::Layer), &format!("{l}."), "layer", ""));
        self.names(|d| d.kind.is_variable() || matches!(d.kind, Kind::Procedure | Kind::Operation));
    }

    fn clauses(&mut self) {
        let of_problem = self.analysis.own().module.clauses.first();
        if of_problem.is_some_and(|c| matches!(c.kind, ClauseKind::Problem { .. })) {
            self.snippets(PROBLEM_CLAUSES);
        }
        self.snippets(CLAUSES);
    }

    fn expression(&mut self, place: &Place) {
        self.names(|d| {
            d.kind.is_variable()
                || matches!(
                    d.kind,
                    Kind::Const
                        | Kind::Param
                        | Kind::Function
                        | Kind::Case
                        | Kind::Record
                        | Kind::Role
                        | Kind::State
                        | Kind::Process
                        | Kind::Message
                        | Kind::Option
                )
        });
        let looks_on = place.head() == "scenario" || PROPERTY_WORDS.contains(&place.head());
        let heading = if looks_on { "in properties and scenarios" } else { "in a process" };
        let known = reference::table(heading).iter().flat_map(|row| &row.forms);
        let words: BTreeSet<&str> = known
            .map(String::as_str)
            .filter(|f| f.chars().all(|c| c.is_ascii_alphabetic()) && *f != "relay" && *f != "Member")
            .collect();
        words.into_iter().for_each(|word| self.predefined(word));
        for name in FUNCTIONS {
            if let Some((form, doc)) = reference::function(name) {
                let insert = if form == *name { name.to_string() } else { format!("{name}(${{1}})") };
                self.add(name, ItemKind::Function, &insert, &form, doc);
            }
        }
        self.snippets(EXPRESSIONS);
        self.keywords(OPERATORS);
    }
}

/// `mutual_exclusion` as problems are called: `MutualExclusion`.
fn camel(name: &str) -> String {
    let capital = |word: &str| match word.split_at_checked(1) {
        Some((first, rest)) => first.to_ascii_uppercase() + rest,
        None => String::new(),
    };
    name.split('_').map(capital).collect()
}
