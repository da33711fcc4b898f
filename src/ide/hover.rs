//! Hover: an explanation of the word under the cursor.

use super::{Analysis, File, reference};
use crate::check::names::{Access, DeclId, Kind};
use crate::source::Span;
use crate::syntax::ast::{Assumption, ClauseKind};
use std::collections::BTreeSet;

/// Markdown, and the span that it explains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    pub markdown: String,
    pub place: Span,
}

impl Analysis {
    pub fn hover(&self, offset: usize) -> Option<Hover> {
        let file = self.user_file();
        if file.is_prose(offset) {
            return None;
        }
        if let Some(found) = self.assumption_at(offset) {
            return Some(found);
        }
        let uses = self.names.at(0, offset);
        if let Some(first) = uses.first() {
            let mut told: Vec<String> = Vec::new();
            for used in uses.iter().take(3) {
                let text = self.declaration(used.decl);
                if !told.contains(&text) {
                    told.push(text);
                }
            }
            return Some(Hover { markdown: told.join("\n\n---\n\n"), place: first.place });
        }
        let (word, range) = file.word_at(offset)?;
        let place = Span::new(0, range.start, range.end);
        let markdown = predefined(file, word, range.start, self.type_at(place))?;
        Some(Hover { markdown, place })
    }

    /// Return the explanation of an assumption.
    fn assumption_at(&self, offset: usize) -> Option<Hover> {
        let offset = offset as u32;
        let inside = |s: Span| s.start <= offset && offset <= s.end;
        let clauses = self.user_file().module.clauses.iter().filter(|c| inside(c.span));
        let assumed = clauses.flat_map(|c| match &c.kind {
            ClauseKind::Assumes(list) => list.as_slice(),
            _ => &[],
        });
        let assumption = assumed.rev().find(|a| inside(a.span))?;
        let place = words_span(assumption);
        // Bounds are expressions, and roles are names.
        let named = !self.names.at(0, offset as usize).is_empty();
        if !inside(place) || named {
            return None;
        }
        let words = assumption_words(assumption);
        let says = reference::assumption(&words)?;
        let written = self.user_file().slice(assumption.span);
        Some(Hover { markdown: format!("{}\n\n{says}", code(&format!("assumes {written}"))), place })
    }

    /// Return a declaration with everything known about it.
    pub fn declaration(&self, id: DeclId) -> String {
        let decl = self.names.decl(id);
        let mut parts = vec![code(&self.head(id))];
        if let Some(parent) = decl.parent.map(|p| self.names.decl(p)) {
            parts.push(format!(
                "{} of {} `{}`",
                capital(decl.kind.as_str()),
                parent.kind.as_str(),
                parent.name
            ));
        }
        if let Some(role) = decl.role.as_ref().filter(|_| decl.visible.is_none()) {
            parts.push(format!("{} of the role `{role}`", capital(decl.kind.as_str())));
        }
        parts.extend(self.heading(decl).doc.as_deref().map(prose));
        if decl.kind == Kind::Message {
            parts.extend(self.traffic(id));
        }
        let file = &self.files[decl.place.file as usize];
        if decl.place.file != 0 {
            let of = if file.is_library() { "From the library" } else { "From" };
            parts.push(format!("{of}: `{}`", file.name));
        }
        parts.join("\n\n")
    }

    /// Return a declaration in one line, with its type if it is inferred.
    pub fn head(&self, id: DeclId) -> String {
        let decl = self.names.decl(id);
        let head = self.heading(decl).text;
        let inferred = || self.inferred(id).map(|ty| format!(" : {ty}")).unwrap_or_default();
        match decl.kind {
            Kind::Local | Kind::Parameter | Kind::Field | Kind::RecordField => {
                let ty = self.written_type(decl).or_else(|| self.inferred(id)).map(|ty| format!(": {ty}"));
                format!("({}) {}{}", decl.kind.as_str(), decl.name, ty.unwrap_or_default())
            }
            Kind::Variable | Kind::Output | Kind::Param if decl.written.is_none() => {
                // The type precedes the value.
                let sign = if decl.kind == Kind::Param { " = " } else { " := " };
                match head.split_once(sign) {
                    Some((name, value)) => format!("{name}{}{sign}{value}", inferred()),
                    None => format!("{head}{}", inferred()),
                }
            }
            _ => head,
        }
    }

    /// Return the type that `check` inferred for a declaration, at its name or at a use.
    pub fn inferred(&self, id: DeclId) -> Option<String> {
        let decl = self.names.decl(id);
        if let Some(ty) = self.type_at(decl.place) {
            return Some(ty.to_string());
        }
        let reads = self.names.uses_of(id).filter(|u| u.place.file == 0);
        reads.filter_map(|u| self.type_at(u.place)).next().map(String::from)
    }

    /// Return the clauses that send a message, and those that receive it.
    fn traffic(&self, id: DeclId) -> Option<String> {
        let places = |access: Access| -> Vec<String> {
            let mut seen = BTreeSet::new();
            let uses = self.names.uses_of(id).filter(|u| u.access == access);
            uses.filter(|u| seen.insert(u.clause)).filter_map(|u| self.label(u.clause)).collect()
        };
        let (sent, taken) = (places(Access::Send), places(Access::Take));
        let list = |places: &[String]| {
            let quoted: Vec<String> = places.iter().map(|p| format!("`{p}`")).collect();
            quoted.join(", ")
        };
        let lines: Vec<String> = [("Sent by", sent), ("Taken by", taken)]
            .iter()
            .filter(|(_, places)| !places.is_empty())
            .map(|(what, places)| format!("{what} {}", list(places)))
            .collect();
        (!lines.is_empty()).then(|| lines.join("  \n"))
    }

    /// Return the label of a clause, with its role.
    pub fn label(&self, clause: Span) -> Option<String> {
        let file = self.files.get(clause.file as usize)?;
        let found = file.module.clauses.iter().find(|c| c.span == clause)?;
        let before = file.module.clauses.iter().take_while(|c| c.span.start < clause.start);
        let role = before.filter_map(|c| match &c.kind {
            ClauseKind::Role { name } => Some(name.text.as_str()),
            _ => None,
        });
        let label = super::symbols::clause_label(&found.kind);
        Some(match role.last() {
            Some(role) => format!("{role}: {label}"),
            None => label,
        })
    }
}

/// Convert a doc comment to Markdown; indented lines stay as written.
fn prose(doc: &str) -> String {
    let mut out: Vec<&str> = Vec::new();
    let mut verbatim = false;
    for line in doc.lines() {
        let indented = line.starts_with("  ");
        if indented != verbatim && !(verbatim && line.is_empty()) {
            out.push("```");
            verbatim = indented;
        }
        out.push(line);
    }
    if verbatim {
        out.push("```");
    }
    out.join("\n")
}

pub fn code(text: &str) -> String {
    format!("```synod\n{text}\n```")
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

pub fn assumption_words(assumption: &Assumption) -> String {
    assumption.words.iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join(" ")
}

fn words_span(assumption: &Assumption) -> Span {
    assumption.words.iter().map(|w| w.span).reduce(Span::to).unwrap_or(assumption.span)
}

/// Explain a word of the language: a function, a fact, a predefined name, a keyword.
fn predefined(file: &File, word: &str, start: usize, ty: Option<&str>) -> Option<String> {
    let before = file.text[..start].trim_end_matches([' ', '\t']);
    let after = &file.text[start + word.len()..];
    if before.ends_with('.') && !before.ends_with("..") {
        return reference::fact(word).map(|says| format!("{}\n\n{says}", code(&format!("p.{word}"))));
    }
    let with_type = |form: String| ty.map_or(form.clone(), |ty| format!("{form} : {ty}"));
    if let Some((form, says)) = reference::function(word).filter(|_| after.starts_with('(') || word == "coin")
    {
        return Some(format!("{}\n\n{says}", code(&form)));
    }
    if let Some(says) = reference::predefined(word) {
        return Some(format!("{}\n\n{says}", code(&with_type(word.into()))));
    }
    if let Some((_, meaning)) = TYPES.iter().find(|(name, _)| *name == word) {
        return Some(format!("{}\n\n{meaning}", code(word)));
    }
    // Closing words such as `fi` have the explanation of their opening word.
    let head = match word {
        "fi" => "if",
        "od" => "do",
        "otherwise" | "then" | "else" => "if",
        other => other,
    };
    let (form, says) = reference::keyword(head)?;
    Some(format!("{}\n\n{says}", code(&form)))
}

/// The simple types.
pub const TYPES: &[(&str, &str)] = &[
    ("Int", "A 64-bit integer; overflow aborts the run. The default value is 0."),
    ("Bool", "`true` or `false`. The default value is false."),
    ("Id", "A process identifier: it can be compared and sent, but has no arithmetic."),
    ("Port", "A port of the process: an endpoint of a link."),
    ("Value", "Any value: payloads, messages, texts. The default value is `none`."),
];
