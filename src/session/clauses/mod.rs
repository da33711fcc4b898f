//! Editing of programs clause by clause, as typed in a session. A clause replaces one of the same kind and name;
//! otherwise it is added next to clauses of its kind.

mod drop;
mod kinds;
mod edits;

pub use drop::{drop, full_names};

use crate::diagnostic::Diagnostic;
use crate::prose;
use crate::source::Span;
use crate::syntax::ast::{Clause, ClauseKind as K, Module, Name};
use crate::syntax::parse;
use edits::{apply, column_of, indented, insert, source, without};
use kinds::{SECTIONS, group, head, is_handler, names, rank, texts};
use std::ops::Range;

/// The text after an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entered {
    pub text: String,
    /// Descriptions of the changes: `state relay replaced`, `var x added`.
    pub done: Vec<String>,
}

/// Reasons why an entry is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// The entry itself has errors; spans point into it.
    Wrong(Vec<Diagnostic>),
    /// The entry is ambiguous or has no place: one sentence without a full stop, and a hint.
    Unclear(String, String),
}

/// The position of a clause in a program, or the position that an entry requests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct ClausePosition {
    role: Option<String>,
    /// Names of the state, empty for `always`; `None`: outside of states.
    section: Option<Vec<String>>,
}

/// Enter clauses into a program without errors.
///
/// Handlers belong to the state (or `always`) that precedes them in the entry. A state without statements, before
/// handlers, only names their place.
///
/// # Errors
/// If the entry has errors, or its place is ambiguous.
pub fn enter(text: &str, entry: &str) -> Result<Entered, Rejection> {
    let (module, wrong) = parse(0, entry);
    if wrong.iter().any(Diagnostic::is_error) {
        return Err(Rejection::Wrong(wrong));
    }
    let mut entered = Entered { text: text.into(), done: Vec::new() };
    let mut place = ClausePosition::default();
    for (number, clause) in module.clauses.iter().enumerate() {
        let more = module.clauses.get(number + 1).is_some_and(|next| is_handler(&next.kind));
        let new = New { text: source(entry, clause), clause, signpost: false };
        place = follow(place, &clause.kind);
        let signpost = more
            && match &clause.kind {
                K::State { body, .. } => body.is_empty(),
                K::Always => true,
                _ => false,
            };
        let taken = Program::read(&entered.text).take(&New { signpost, ..new }, &place)?;
        if let Some((text, done)) = taken {
            entered.text = text;
            entered.done.push(done);
        }
    }
    Ok(entered)
}

/// A clause of the entry.
struct New<'e> {
    text: String,
    clause: &'e Clause,
    /// Whether the clause only names the place of the handlers after it.
    signpost: bool,
}

/// Return the position that a clause opens, or its own position.
fn follow(before: ClausePosition, kind: &K) -> ClausePosition {
    match kind {
        K::Role { name } => ClausePosition { role: Some(name.text.clone()), section: None },
        K::State { names, .. } => ClausePosition { section: Some(texts(names)), ..before },
        K::Always => ClausePosition { section: Some(Vec::new()), ..before },
        kind if is_handler(kind) => before,
        _ => ClausePosition { section: None, ..before },
    }
}

/// A program with the position of each clause.
struct Program<'t> {
    text: &'t str,
    module: Module,
    places: Vec<ClausePosition>,
}

impl<'t> Program<'t> {
    fn read(text: &'t str) -> Program<'t> {
        let module = parse(0, text).0;
        let mut place = ClausePosition::default();
        let mut places = Vec::new();
        for clause in &module.clauses {
            place = follow(place, &clause.kind);
            places.push(place.clone());
        }
        Program { text, module, places }
    }

    fn clauses(&self) -> impl DoubleEndedIterator<Item = (&Clause, &ClausePosition)> {
        self.module.clauses.iter().zip(&self.places)
    }

    /// Return the text with the clause, and a description of the change; `None` if the clause only names a place.
    fn take(&self, new: &New, place: &ClausePosition) -> Result<Option<(String, String)>, Rejection> {
        if is_handler(&new.clause.kind) {
            self.handler(new, place)
        } else {
            match &new.clause.kind {
                K::Role { name } if self.has_role(&name.text) => return Ok(None),
                K::Always
                    if self.clauses().any(|(c, p)| matches!(c.kind, K::Always) && p.role == place.role) =>
                {
                    return Ok(None);
                }
                K::State { names, .. } if new.signpost && self.has_states(&texts(names), place) => {
                    return Ok(None);
                }
                _ => self.declaration(new, place),
            }
        }
        .map(Some)
    }

    fn has_role(&self, role: &str) -> bool {
        self.clauses().any(|(_, place)| place.role.as_deref() == Some(role))
    }

    fn has_states(&self, names: &[String], place: &ClausePosition) -> bool {
        let role = self.role(place);
        self.clauses().any(|(clause, at)| match &clause.kind {
            K::State { names: own, .. } => texts(own) == names && (role.is_none() || at.role == role),
            _ => false,
        })
    }

    /// Return the role of an entry: the one it names, or the only one.
    fn role(&self, place: &ClausePosition) -> Option<String> {
        let mut roles: Vec<&String> = self.places.iter().filter_map(|p| p.role.as_ref()).collect();
        roles.dedup();
        match (&place.role, roles.as_slice()) {
            (Some(role), _) => Some(role.clone()),
            (None, [only]) => Some((*only).clone()),
            _ => None,
        }
    }

    fn several_roles(&self) -> bool {
        let mut roles: Vec<&str> = self.places.iter().filter_map(|p| p.role.as_deref()).collect();
        roles.sort_unstable();
        roles.dedup();
        roles.len() > 1
    }

    /// Enter a declaration, which is identified by its kind and names.
    fn declaration(&self, new: &New, place: &ClausePosition) -> Result<(String, String), Rejection> {
        let kind = &new.clause.kind;
        let own = texts(&names(kind));
        let same = |(clause, at): &(&Clause, &ClausePosition)| {
            group(&clause.kind) == group(kind)
                && (place.role.is_none() || at.role == place.role)
                && (own.is_empty() || names(&clause.kind).iter().any(|name| own.contains(&name.text)))
        };
        let old: Vec<(&Clause, &ClausePosition)> = self.clauses().filter(same).collect();
        let what = match own.is_empty() {
            true => group(kind).to_string(),
            false => format!("{} {}", group(kind), own.join(", ")),
        };
        let in_roles = old.iter().map(|(_, at)| &at.role).collect::<std::collections::BTreeSet<_>>().len();
        if in_roles > 1 {
            return Err(self.which_role(&what));
        }
        if old.is_empty() {
            let needs_role = matches!(kind, K::State { .. } | K::Always) && place.role.is_none();
            if needs_role && self.several_roles() {
                return Err(self.which_role(&what));
            }
            return Ok((self.added(new, place), format!("{what} added")));
        }
        let mut edits: Vec<(Range<usize>, String)> = Vec::new();
        let mut placed = false;
        for (clause, _) in &old {
            let left: Vec<Name> =
                names(&clause.kind).into_iter().filter(|name| !own.contains(&name.text)).collect();
            let range = clause.span.range();
            let column = column_of(self.text, range.start);
            let fresh = || indented(&new.text, column);
            if left.is_empty() || own.is_empty() {
                let range = if new.clause.doc.is_some() { self.with_doc(clause) } else { range };
                match placed {
                    false => edits.push((range, fresh())),
                    true => edits.push((self.with_line(self.with_doc(clause)), String::new())),
                }
            } else {
                edits
                    .extend(without(self.text, clause, &own).into_iter().map(|range| (range, String::new())));
                if !placed {
                    let (after, handlers) = self.section_of(clause);
                    let gap = if handlers.is_empty() { "\n" } else { "\n\n" };
                    edits.push((after..after, format!("{gap}{}{}{handlers}", " ".repeat(column), fresh())));
                }
            }
            placed = true;
        }
        Ok((apply(self.text, edits), format!("{what} replaced")))
    }

    /// Return the end of the section of a state, and the text of its handlers, which another state may need as well.
    /// For any other clause, return its own end.
    fn section_of(&self, clause: &Clause) -> (usize, String) {
        let own = self.line_end(clause.span.end as usize);
        let behind = self.module.clauses.iter().skip_while(|c| c.span != clause.span).skip(1);
        let handlers = behind.take_while(|c| is_handler(&c.kind) && matches!(clause.kind, K::State { .. }));
        let end = handlers.last().map_or(own, |last| self.line_end(last.span.end as usize));
        (end, self.text[own..end].to_string())
    }

    fn which_role(&self, what: &str) -> Rejection {
        let mut roles: Vec<String> = self.places.iter().filter_map(|p| p.role.clone()).collect();
        roles.sort_unstable();
        roles.dedup();
        let first = roles.first().cloned().unwrap_or_default();
        Rejection::Unclear(
            format!("{what} could belong to several roles: {}", prose::list(&roles).replace(" and ", " or ")),
            format!("begin the entry with `process {first}`"),
        )
    }

    /// Enter a handler into its section.
    fn handler(&self, new: &New, place: &ClausePosition) -> Result<(String, String), Rejection> {
        let wanted = head(&new.text, &Clause { span: self.own_span(new), ..new.clause.clone() });
        let role = self.role(place);
        let fits = |at: &ClausePosition| {
            (role.is_none() || at.role.is_none() || at.role == role)
                && match &place.section {
                    Some(names) => section(at) == names.as_slice(),
                    None => true,
                }
        };
        let about: Vec<(&Clause, &ClausePosition)> = self
            .clauses()
            .filter(|(clause, at)| {
                is_handler(&clause.kind) && fits(at) && head(self.text, clause).about == wanted.about
            })
            .collect();
        let exact: Vec<&(&Clause, &ClausePosition)> =
            about.iter().filter(|(clause, _)| head(self.text, clause).written == wanted.written).collect();
        let many = matches!(wanted.about.as_str(), "when" | "after");
        let chosen = match (exact.as_slice(), about.as_slice()) {
            ([one], _) => Some(**one),
            ([], [one]) if !many => Some(*one),
            _ => None,
        };
        if let Some((clause, at)) = chosen {
            let range = clause.span.range();
            let column = column_of(self.text, range.start);
            let text = apply(self.text, vec![(range, indented(&new.text, column))]);
            return Ok((text, format!("{} {} replaced", wanted.about, in_section(at))));
        }
        let places: Vec<&ClausePosition> = about.iter().map(|(_, at)| *at).collect();
        if place.section.is_none() && places.windows(2).any(|pair| pair[0] != pair[1]) {
            let list: Vec<String> = places.iter().map(|at| in_section(at)).collect();
            return Err(Rejection::Unclear(
                format!("`{}` occurs in several places: {}", wanted.about, list.join(", ")),
                "begin the entry with `state NAME` or `always`, followed by the handler".into(),
            ));
        }
        let section_of = match (&place.section, places.first()) {
            (Some(_), _) => ClausePosition { role: role.clone(), ..place.clone() },
            (None, Some(at)) => (*at).clone(),
            (None, None) => self.only_section()?,
        };
        // Insert after the last handler of the section, else after its beginning.
        let within = |at: &ClausePosition| {
            section(at) == section(&section_of) && (at.role == section_of.role || section_of.role.is_none())
        };
        let last = self.clauses().rfind(|(clause, at)| {
            within(at) && (is_handler(&clause.kind) || matches!(clause.kind, K::State { .. } | K::Always))
        });
        let Some((last, at)) = last else {
            let (text, indent) = self.opened(&section_of, place)?;
            let end = text.trim_end().len();
            let added = format!("\n{}{}", " ".repeat(indent), indented(&new.text, indent));
            return Ok((
                insert(&text, end, &added),
                format!("{} {} added", wanted.about, in_section(&section_of)),
            ));
        };
        let indent = match is_handler(&last.kind) {
            true => column_of(self.text, last.span.start as usize),
            false => column_of(self.text, last.span.start as usize) + 2,
        };
        let end = self.line_end(last.span.end as usize);
        let added = format!("\n{}{}", " ".repeat(indent), indented(&new.text, indent));
        Ok((insert(self.text, end, &added), format!("{} {} added", wanted.about, in_section(at))))
    }

    /// Return the span of a new clause in its own text, without its doc comment.
    fn own_span(&self, new: &New) -> Span {
        let doc = new.clause.doc.as_ref().map_or(0, |doc| doc.lines().count());
        let start: usize = new.text.split_inclusive('\n').take(doc).map(str::len).sum();
        Span::new(0, start, new.text.len())
    }

    /// Return the only section that can contain handlers.
    fn only_section(&self) -> Result<ClausePosition, Rejection> {
        let mut sections: Vec<ClausePosition> = Vec::new();
        for (clause, at) in self.clauses() {
            if matches!(clause.kind, K::State { .. } | K::Always) && !sections.contains(at) {
                sections.push(at.clone());
            }
        }
        match sections.as_slice() {
            [] => {
                Ok(ClausePosition { role: self.role(&ClausePosition::default()), section: Some(Vec::new()) })
            }
            [only] => Ok(only.clone()),
            several => {
                let list: Vec<String> = several.iter().map(in_section).collect();
                Err(Rejection::Unclear(
                    format!("this handler could belong to several places: {}", list.join(", ")),
                    "begin the entry with `state NAME` or `always`, followed by the handler".into(),
                ))
            }
        }
    }

    /// Return the program with a new section at its place; its handlers follow at the returned end of the text.
    fn opened(
        &self,
        section_of: &ClausePosition,
        wanted: &ClausePosition,
    ) -> Result<(String, usize), Rejection> {
        match section(section_of) {
            [] => {
                // An explicit `always` may be omitted if the program has nothing else; it is clearer.
                let end = self.text.trim_end().len();
                Ok((format!("{}\n\nalways", &self.text[..end]), 2))
            }
            names => Err(Rejection::Unclear(
                format!("no state {}", names.join(", ")),
                match &wanted.role {
                    Some(role) => format!("enter the state of role {role} with its body first"),
                    None => "enter the state with its body first".into(),
                },
            )),
        }
    }

    /// Return the program with a new declaration at its usual place.
    fn added(&self, new: &New, place: &ClausePosition) -> String {
        let own = rank(&new.clause.kind);
        let role = self.role(place);
        let in_role = |at: &ClausePosition| at.role == role || role.is_none();
        let before_sections = self.module.clauses.iter().take_while(|c| rank(&c.kind) < SECTIONS);
        let last = match &new.clause.kind {
            K::State { .. } | K::Always => {
                let always = |(clause, at): &(&Clause, &ClausePosition)| {
                    matches!(clause.kind, K::Always) && in_role(at)
                };
                if let Some((always, _)) =
                    self.clauses().find(always).filter(|_| matches!(new.clause.kind, K::State { .. }))
                {
                    let start = self.with_doc(always).start;
                    let column = column_of(self.text, start);
                    let text = format!("{}\n\n{}", indented(&new.text, column), " ".repeat(column));
                    return insert(self.text, start, &text);
                }
                let section = |(clause, at): &(&Clause, &ClausePosition)| {
                    rank(&clause.kind) <= SECTIONS + 1 && in_role(at)
                };
                self.clauses().rfind(section).map(|(clause, _)| clause)
            }
            K::Role { .. } => self.module.clauses.iter().rfind(|clause| rank(&clause.kind) <= SECTIONS + 1),
            _ if own < SECTIONS && place.role.is_some() => {
                let own = |(clause, at): &(&Clause, &ClausePosition)| {
                    at.role == place.role
                        && (rank(&clause.kind) <= own || matches!(clause.kind, K::Role { .. }))
                };
                self.clauses().rfind(own).map(|(clause, _)| clause)
            }
            _ if own < SECTIONS => before_sections.filter(|clause| rank(&clause.kind) <= own).last(),
            _ => self.module.clauses.iter().rfind(|clause| rank(&clause.kind) <= own),
        };
        let Some(last) = last else { return format!("{}\n{}", new.text, self.text) };
        let alone = own > 5 || group(&last.kind) != group(&new.clause.kind);
        let gap = if alone { "\n\n" } else { "\n" };
        let end = self.line_end(last.span.end as usize);
        insert(self.text, end, &format!("{gap}{}", new.text))
    }

    /// Return the range of the clause with its doc comment.
    fn with_doc(&self, clause: &Clause) -> Range<usize> {
        let range = clause.span.range();
        let mut start = range.start;
        if clause.doc.is_some() {
            loop {
                let line = self.text[..start].rfind('\n').map_or(0, |i| i + 1);
                let before = self.text[..line.saturating_sub(1)].rfind('\n').map_or(0, |i| i + 1);
                if line == 0 || !self.text[before..line].trim_start().starts_with("///") {
                    break;
                }
                let blanks = self.text[before..].len() - self.text[before..].trim_start().len();
                start = before + blanks;
            }
        }
        start..range.end
    }

    /// Extend the range to whole lines if nothing else is on them.
    fn with_line(&self, range: Range<usize>) -> Range<usize> {
        let line = self.text[..range.start].rfind('\n').map_or(0, |i| i + 1);
        let end = self.line_end(range.end);
        match self.text[line..range.start].trim().is_empty() {
            true => line..(end + 1).min(self.text.len()),
            false => range,
        }
    }

    /// Return the end of the line, including a comment.
    fn line_end(&self, at: usize) -> usize {
        let end = self.text[at..].find('\n').map_or(self.text.len(), |i| at + i);
        match self.text[at..end].trim_start() {
            "" => at + self.text[at..end].trim_end().len(),
            rest if rest.starts_with("//") => end,
            _ => at,
        }
    }
}

/// Return the states of a section; empty: all.
fn section(place: &ClausePosition) -> &[String] {
    place.section.as_deref().unwrap_or_default()
}

fn in_section(place: &ClausePosition) -> String {
    let role = place.role.iter().map(|role| format!(" of {role}")).collect::<String>();
    match section(place) {
        [] => format!("in `always`{role}"),
        names => format!("in `state {}`{role}", names.join(", ")),
    }
}
