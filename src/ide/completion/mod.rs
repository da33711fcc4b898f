//! Completions at an offset.
//!
//! The context is determined by the preceding tokens, not by the tree: text that is being typed has no tree yet.

mod header;
mod names;
mod place;
mod scenario;
mod words;

use super::{Analysis, hover, reference};
use crate::check::names::{Decl, Kind};
use crate::check::{FUNCTIONS, VOCABULARY};
use crate::library;
use crate::network::FAMILIES;
use crate::source::Span;
use crate::syntax::ast::ClauseKind;
use place::CompletionContext;
use std::collections::BTreeSet;
use words::*;

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
    /// A description in one line.
    pub detail: String,
    /// A Markdown text.
    pub doc: String,
    /// The inserted text, with `${1:…}` at places to fill in.
    pub insert: String,
    /// The span that is replaced.
    pub replace: Span,
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
        let file = self.user_file();
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
}

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

    fn fill(&mut self, place: &CompletionContext) {
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
            "become" => return self.names(&|d| d.kind == Kind::State),
            "send" | "transmit" => {
                self.messages(true);
                return self.expression(place);
            }
            "receive" | "arrived" => {
                self.messages(false);
                return self.names(&|d| d.kind.is_variable());
            }
            "on" | "ignore" | "defer" => return self.takable(place),
            "to" if place.has("send") => {
                self.destinations();
                return self.expression(place);
            }
            "timer" => return self.names(&|d| d.kind == Kind::Timer),
            "of" if matches!(second, "messages" | "bits") => return self.names(&|d| d.kind == Kind::Message),
            "to" if second == "messages" || place.back(3) == "of" && place.back(4) == "messages" => {
                return self.keywords(&["self"]);
            }
            "of" | "per" => return self.names(&|d| matches!(d.kind, Kind::Operation | Kind::Alias)),
            // The user declares a new name here.
            "state" | "role" | "message" | "var" | "const" | "param" | "enum" | "record" | "function"
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
                "taken if no other branch is enabled",
                "",
            );
        }
        self.expression(place);
    }

    // ------------------------------------------------------------------ headers

    fn statement_start(&mut self) {
        self.snippets(STATEMENTS);
        let layers: Vec<String> =
            self.analysis.user_file().layers.iter().map(|(name, _)| name.clone()).collect();
        layers.iter().for_each(|l| self.add(l, ItemKind::Name(Kind::Layer), &format!("{l}."), "layer", ""));
        self.names(&|d| d.kind.is_variable() || matches!(d.kind, Kind::Procedure | Kind::Operation));
    }

    fn clauses(&mut self) {
        let of_problem = self.analysis.user_file().module.clauses.first();
        if of_problem.is_some_and(|c| matches!(c.kind, ClauseKind::Problem { .. })) {
            self.snippets(PROBLEM_CLAUSES);
        }
        self.snippets(CLAUSES);
    }

    fn expression(&mut self, place: &CompletionContext) {
        self.names(&|d| {
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
