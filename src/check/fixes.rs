//! The edits that hints propose: where to add an assumption, a declaration or a handler.
//!
//! Only the user's own file is edited, never the library's: an error that needs a change there has no fix.

use super::Checker;
use crate::check::load::unit::Unit;
use crate::check::typed::Typed;
use crate::check::vocabulary::PREDEFINED;
use crate::diagnostic::{Edit, Fix};
use crate::source::{Sources, Span};
use crate::syntax::ast::{self, ClauseKind as K};
use crate::syntax::is_reserved;

impl Checker<'_> {
    fn own(&self) -> &Unit {
        &self.units[0]
    }

    /// Return the fix that writes `S - {p}` or `S - T` for `S except p`, whose operands are given.
    pub(super) fn fix_except(&self, set: Span, removed: Span, is_element: bool) -> Option<Fix> {
        let gap = Span { start: set.end, end: removed.start, ..set };
        let at = gap.start + self.sources.slice(gap).rfind("except")? as u32;
        let word = Span { start: at, end: at + "except".len() as u32, ..gap };
        let mut edits = vec![Edit::new(word, "-")];
        if is_element {
            edits.push(Edit::insert(set.file, removed.start, "{"));
            edits.push(Edit::insert(set.file, removed.end, "}"));
        }
        Some(Fix::new("Write it with `-`", edits).certain())
    }

    /// Return the fix that adds an assumption to the algorithm.
    pub(super) fn fix_assume(&self, assumption: &str) -> Option<Fix> {
        let title = format!("Assume `{assumption}`");
        let own = self.own();
        let edit = match own.assumes_span {
            Some(clause) if clause.file == own.file => {
                Edit::insert(own.file, clause.end, format!(", {assumption}"))
            }
            // A variant with its own `assumes` clause does not inherit the base's.
            Some(_) => return None,
            None => {
                let header = own.own_clauses().first()?.span;
                insert_clause(self.sources, header, &format!("assumes {assumption}"), 1)
            }
        };
        Some(Fix::new(title, vec![edit]))
    }

    /// Return the fix that replaces an assumption by another one.
    pub(super) fn fix_assume_instead(&self, assumption: &str, other: Span) -> Option<Fix> {
        let title = format!("Assume `{assumption}` instead of `{}`", self.sources.slice(other));
        (other.file == self.own().file).then(|| Fix::new(title, vec![Edit::new(other, assumption)]))
    }

    /// Return the fix that replaces `anonymous` by `unique ids`.
    pub(super) fn fix_not_anonymous(&self) -> Option<Fix> {
        let word = self.assumptions.written.iter().find(|(words, _)| words == "anonymous")?.1;
        (word.file == self.own().file).then(|| {
            Fix::new("Assume `unique ids` instead of `anonymous`", vec![Edit::new(word, "unique ids")])
        })
    }

    /// Return the fix that declares a message, with as many fields as its use has arguments.
    pub(super) fn fix_declare_message(&self, name: &ast::Name) -> Option<Fix> {
        let own = self.own();
        if name.span.file != own.file {
            return None;
        }
        let text = &self.sources.get(own.file).text;
        let fields = fields_at(&text[name.span.end as usize..]);
        let fields = if fields.is_empty() { String::new() } else { format!("({})", fields.join(", ")) };
        let declaration = format!("message {}{fields}", name.text);
        let last = |is_it: fn(&K) -> bool| own.own_clauses().iter().rev().find(|c| is_it(&c.kind));
        let (after, gap) = match last(|kind| matches!(kind, K::Message(_))) {
            Some(message) => (message.span, 1),
            None => {
                let is_head = |kind: &K| {
                    matches!(kind, K::Uses(_) | K::Assumes(_) | K::Algorithm { .. } | K::Problem { .. })
                };
                (last(is_head)?.span, 2)
            }
        };
        Some(Fix::new(
            format!("Declare `message {}`", name.text),
            vec![insert_clause(self.sources, after, &declaration, gap)],
        ))
    }

    /// Return the fix that adds a section to the role whose text contains `at`.
    pub(super) fn fix_add_section(&self, title: String, at: Span, section: &str) -> Option<Fix> {
        fix_add_section(self.sources, self.own(), title, at, section)
    }

    /// Return the fix that adds `[] otherwise -> skip` before the `fi` of a statement.
    pub(super) fn fix_otherwise(&self, statement: Span) -> Option<Fix> {
        if statement.file != self.own().file {
            return None;
        }
        let written = self.sources.slice(statement);
        let before = written.strip_suffix("fi")?;
        let end = statement.start + before.trim_end().len() as u32;
        // If `fi` has its own line, so has the new branch: comments of the last branch stay with it.
        let edit = match before.rsplit_once('\n') {
            Some((_, indent)) if indent.trim().is_empty() => {
                let at = statement.end - "fi".len() as u32;
                Edit::insert(statement.file, at, format!("[] otherwise -> skip\n{indent}"))
            }
            _ => Edit::insert(statement.file, end, " [] otherwise -> skip"),
        };
        Some(Fix::new("Add `[] otherwise -> skip`", vec![edit]))
    }
}

/// Return the fix that adds a section to the role whose text contains `at`: a state, an operation, or a handler for every
/// state.
pub fn fix_add_section(sources: &Sources, own: &Unit, title: String, at: Span, section: &str) -> Option<Fix> {
    if at.file != own.file {
        return None;
    }
    // Properties and scenarios are at the end.
    let is_late = |kind: &K| matches!(kind, K::Property(_) | K::Scenario(_));
    let clauses = own.own_clauses();
    let here = clauses.iter().rposition(|clause| clause.span.start <= at.start)?;
    // A section required by a property or header is added to the first role.
    let rest = &clauses[if is_late(&clauses[here].kind) { 0 } else { here }..];
    let ends = |clause: &ast::Clause| is_late(&clause.kind) || matches!(clause.kind, K::Role { .. });
    let last = rest.iter().skip(1).position(ends).unwrap_or(rest.len() - 1);
    Some(Fix::new(title, vec![insert_clause(sources, rest[last].span, section, 2)]))
}

/// Return the fix that adds a handler which takes a message in every state and does nothing.
pub fn fix_add_handler(typed: &Typed, kind: u32) -> Option<Fix> {
    let kind = &typed.kinds[kind as usize];
    if kind.name.is_empty() || typed.in_rounds() || typed.has_assumption("radio") {
        return None;
    }
    let fields: Vec<String> = kind
        .fields
        .iter()
        .map(|f| if is_taken(typed, &f.name) { "_".into() } else { f.name.clone() })
        .collect();
    let fields = if fields.is_empty() { String::new() } else { format!("({})", fields.join(", ")) };
    let section = format!("always\n  on {}{fields} -> skip", kind.name);
    fix_add_section(
        &typed.sources,
        &typed.units[0],
        format!("Add a handler for `{}`", kind.name),
        kind.span,
        &section,
    )
}

/// Return whether a name is already declared, so that a pattern may not bind it.
fn is_taken(typed: &Typed, name: &str) -> bool {
    let sections = typed.units[0].sections();
    let mut variables = sections.flat_map(|s| &s.vars).flat_map(|v| &v.names);
    PREDEFINED.contains(&name)
        || variables.any(|v| v.text == name)
        || typed.comps.first().is_some_and(|c| c.names.contains_key(name))
}

/// Return an edit that inserts a clause on its own line after another one, whose end-of-line comment stays with it.
fn insert_clause(sources: &Sources, after: Span, clause: &str, gap: usize) -> Edit {
    let text = &sources.get(after.file).text;
    let rest = &text[after.end as usize..];
    let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
    let gap = "\n".repeat(gap);
    match line.trim() {
        comment if comment.is_empty() || comment.starts_with("//") => {
            let at = after.end + line.trim_end().len() as u32;
            Edit::insert(after.file, at, format!("{gap}{clause}"))
        }
        _ => Edit::insert(after.file, after.end, format!("{gap}{clause}\n")),
    }
}

/// Return names for the fields of a message, from the text after its name: `(id, k + 1)` gives `a`, `k`.
fn fields_at(rest: &str) -> Vec<String> {
    let Some(rest) = rest.strip_prefix('(') else { return Vec::new() };
    let mut depth = 0;
    let mut arguments = vec![String::new()];
    for c in rest.chars().take(1000) {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth > 0 => depth -= 1,
            ')' => break,
            ',' if depth == 0 => {
                arguments.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = arguments.last_mut() {
            last.push(c);
        }
    }
    let letters = |i: usize| char::from(b'a' + (i % 26) as u8).to_string();
    let mut fields: Vec<String> = Vec::new();
    for (i, argument) in arguments.iter().enumerate() {
        let word = argument.trim();
        let is_name = word.starts_with(|c: char| c.is_ascii_alphabetic())
            && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let usable =
            is_name && !is_reserved(word) && !PREDEFINED.contains(&word) && !fields.iter().any(|f| f == word);
        let mut field = if usable { word.to_string() } else { letters(i) };
        while fields.contains(&field) {
            field.push('_');
        }
        fields.push(field);
    }
    if arguments.len() == 1 && arguments[0].trim().is_empty() { Vec::new() } else { fields }
}
