//! Programs changed clause by clause, as one types them: a clause of the same kind and name is replaced, any other added
//! where its like stand.

mod drop;

pub use drop::{called, drop};

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{Clause, ClauseKind as K, MessageGuard, Module, Name, Pattern, Trigger};
use crate::syntax::parse;
use crate::words;
use std::ops::Range;

/// The text after an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entered {
    pub text: String,
    /// What was done, in words: `state relay replaced`, `var x added`.
    pub done: Vec<String>,
}

/// Why an entry cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The entry itself is wrong; spans point into it.
    Wrong(Vec<Diagnostic>),
    /// One sentence without a full stop, and what to do.
    Unclear(String, String),
}

/// Where in a program a clause stands, or where an entry wants it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Place {
    role: Option<String>,
    /// Names of the state, empty for `always`; None: outside.
    section: Option<Vec<String>>,
}

/// Puts the clauses of an entry into a program that has no mistakes.
///
/// Handlers go to the state (or `always`) that stands before them in the entry; a state without statements, before handlers,
/// only says where they belong.
///
/// # Errors
/// When the entry is wrong, or its place is not clear.
pub fn enter(text: &str, entry: &str) -> Result<Entered, Refused> {
    let (module, wrong) = parse(0, entry);
    if wrong.iter().any(Diagnostic::is_error) {
        return Err(Refused::Wrong(wrong));
    }
    let mut entered = Entered { text: text.into(), done: Vec::new() };
    let mut place = Place::default();
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

/// A clause to be entered.
struct New<'e> {
    text: String,
    clause: &'e Clause,
    /// It stands there to say where the handlers behind it belong.
    signpost: bool,
}

/// The clause as written, its doc comment in front.
fn source(text: &str, clause: &Clause) -> String {
    let doc = clause.doc.iter().flat_map(|doc| doc.lines());
    let doc: String = doc.map(|line| format!("{}\n", format!("/// {line}").trim_end())).collect();
    doc + &shifted(text, clause.span.range(), 0)
}

/// A part of a text, its lines moved so that the first begins at this column.
fn shifted(text: &str, range: Range<usize>, column: usize) -> String {
    let from = column_of(text, range.start);
    let mut lines = text[range].lines();
    let mut out = lines.next().unwrap_or_default().to_string();
    for line in lines {
        let blanks = line.len() - line.trim_start().len();
        let wanted = (blanks + column).saturating_sub(from);
        out.push('\n');
        out += format!("{}{}", " ".repeat(wanted), line.trim_start()).trim_end();
    }
    out
}

/// Blanks before a place, on its line; 0 when something stands there.
fn column_of(text: &str, at: usize) -> usize {
    let line = text[..at].rfind('\n').map_or(0, |i| i + 1);
    if text[line..at].trim().is_empty() { at - line } else { 0 }
}

fn is_handler(kind: &K) -> bool {
    matches!(kind, K::Handler(_) | K::Defer(_) | K::Ignore(_))
}

/// The place that a clause opens, or stands in.
fn follow(before: Place, kind: &K) -> Place {
    match kind {
        K::Process { name } => Place { role: Some(name.text.clone()), section: None },
        K::State { names, .. } => Place { section: Some(texts(names)), ..before },
        K::Always => Place { section: Some(Vec::new()), ..before },
        kind if is_handler(kind) => before,
        _ => Place { section: None, ..before },
    }
}

fn texts(names: &[Name]) -> Vec<String> {
    names.iter().map(|name| name.text.clone()).collect()
}

/// The word for a kind of clause, the same for all that exclude one another.
fn group(kind: &K) -> &'static str {
    match kind {
        K::Algorithm { .. } => "algorithm",
        K::Problem { .. } => "problem",
        K::Assumes(_) => "assumes",
        K::Uses(_) => "uses",
        K::Message(_) => "message",
        K::Enum { .. } => "enum",
        K::Record { .. } => "record",
        K::Const { .. } => "const",
        K::Param { .. } => "param",
        K::Var { .. } => "var",
        K::Function { .. } => "function",
        K::Procedure { .. } => "procedure",
        K::Operation { .. } => "operation",
        K::Client { .. } => "client",
        K::Process { .. } => "process",
        K::State { .. } => "state",
        K::Always => "always",
        K::Handler(_) => "handler",
        K::Defer(_) => "defer",
        K::Ignore(_) => "ignore",
        K::Stamps { .. } => "stamps notes",
        K::View(_) => "view",
        K::Property(_) => "property",
        K::Scenario(_) => "scenario",
    }
}

/// The usual order of clauses.
fn rank(kind: &K) -> u8 {
    match kind {
        K::Algorithm { .. } | K::Problem { .. } => 0,
        K::Assumes(_) => 1,
        K::Uses(_) | K::Stamps { .. } => 2,
        K::Const { .. } | K::Param { .. } | K::Enum { .. } | K::Record { .. } => 3,
        K::Message(_) => 4,
        K::Var { .. } => 5,
        K::Function { .. } => 6,
        K::Procedure { .. } | K::Operation { .. } | K::Client { .. } => 7,
        K::Process { .. } => SECTIONS,
        K::State { .. } | K::Always | K::Handler(_) | K::Defer(_) | K::Ignore(_) => SECTIONS + 1,
        K::Property(_) | K::View(_) => SECTIONS + 2,
        K::Scenario(_) => SECTIONS + 3,
    }
}

const SECTIONS: u8 = 8;

/// The names that a clause declares, with their places.
fn names(kind: &K) -> Vec<Name> {
    match kind {
        K::Message(decls) => decls.iter().map(|decl| decl.name.clone()).collect(),
        K::Var { names, .. } | K::State { names, .. } => names.clone(),
        K::Uses(uses) => uses.iter().map(|u| u.alias.as_ref().unwrap_or(&u.algorithm).clone()).collect(),
        K::Enum { name, .. }
        | K::Record { name, .. }
        | K::Const { name, .. }
        | K::Param { name, .. }
        | K::Function { name, .. }
        | K::Procedure { name, .. }
        | K::Operation { name, .. }
        | K::Process { name } => vec![name.clone()],
        K::Property(property) => vec![property.name.clone()],
        K::Scenario(scenario) => vec![scenario.name.clone()],
        // There is one of these, whatever it is called.
        _ => Vec::new(),
    }
}

/// What a handler answers to: handlers of one place with the same head are one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Head {
    /// `on Ack`, `when`, `after`, `ignore Ack`
    about: String,
    /// As written up to its `->`, blanks aside.
    written: String,
}

fn head(text: &str, clause: &Clause) -> Head {
    let name = |guard: &MessageGuard| {
        let layer = guard.layer.iter().map(|layer| format!("{}.", layer.text)).collect::<String>();
        match &guard.pattern {
            Pattern::Name(name) | Pattern::Message(name, ..) => format!("{layer}{}", name.text),
            _ => layer,
        }
    };
    let about = match &clause.kind {
        K::Handler(handler) => match &handler.trigger {
            Trigger::On(guard) => format!("on {}", name(guard)),
            Trigger::When(_) | Trigger::WhenSome { .. } => "when".into(),
            Trigger::After(_) => "after".into(),
        },
        K::Defer(guard) => format!("defer {}", name(guard)),
        K::Ignore(guards) => format!("ignore {}", guards.iter().map(name).collect::<Vec<_>>().join(", ")),
        _ => String::new(),
    };
    let written = &text[clause.span.range()];
    let written = written.split("->").next().unwrap_or(written).split('→').next().unwrap_or(written);
    Head { about, written: written.split_whitespace().collect::<Vec<_>>().join(" ") }
}

/// A program with the place of each clause.
struct Program<'t> {
    text: &'t str,
    module: Module,
    places: Vec<Place>,
}

impl<'t> Program<'t> {
    fn read(text: &'t str) -> Program<'t> {
        let module = parse(0, text).0;
        let mut place = Place::default();
        let mut places = Vec::new();
        for clause in &module.clauses {
            place = follow(place, &clause.kind);
            places.push(place.clone());
        }
        Program { text, module, places }
    }

    fn clauses(&self) -> impl DoubleEndedIterator<Item = (&Clause, &Place)> {
        self.module.clauses.iter().zip(&self.places)
    }

    /// The text with the clause, and what was done; None: it only says where others belong.
    fn take(&self, new: &New, place: &Place) -> Result<Option<(String, String)>, Refused> {
        if is_handler(&new.clause.kind) {
            self.handler(new, place)
        } else {
            match &new.clause.kind {
                K::Process { name } if self.has_role(&name.text) => return Ok(None),
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

    fn has_states(&self, names: &[String], place: &Place) -> bool {
        let role = self.role(place);
        self.clauses().any(|(clause, at)| match &clause.kind {
            K::State { names: own, .. } => texts(own) == names && (role.is_none() || at.role == role),
            _ => false,
        })
    }

    /// The role an entry means: the one it names, or the only one there is.
    fn role(&self, place: &Place) -> Option<String> {
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

    /// A clause that is known by its kind and names.
    fn declaration(&self, new: &New, place: &Place) -> Result<(String, String), Refused> {
        let kind = &new.clause.kind;
        let own = texts(&names(kind));
        let same = |(clause, at): &(&Clause, &Place)| {
            group(&clause.kind) == group(kind)
                && (place.role.is_none() || at.role == place.role)
                && (own.is_empty() || names(&clause.kind).iter().any(|name| own.contains(&name.text)))
        };
        let old: Vec<(&Clause, &Place)> = self.clauses().filter(same).collect();
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

    /// Where the section of a state ends, and its handlers, which another state may need as well. Of any other clause, where
    /// it ends itself.
    fn section_of(&self, clause: &Clause) -> (usize, String) {
        let own = self.line_end(clause.span.end as usize);
        let behind = self.module.clauses.iter().skip_while(|c| c.span != clause.span).skip(1);
        let handlers = behind.take_while(|c| is_handler(&c.kind) && matches!(clause.kind, K::State { .. }));
        let end = handlers.last().map_or(own, |last| self.line_end(last.span.end as usize));
        (end, self.text[own..end].to_string())
    }

    fn which_role(&self, what: &str) -> Refused {
        let mut roles: Vec<String> = self.places.iter().filter_map(|p| p.role.clone()).collect();
        roles.sort_unstable();
        roles.dedup();
        let first = roles.first().cloned().unwrap_or_default();
        Refused::Unclear(
            format!("of which role is {what}: {}?", words::list(&roles).replace(" and ", " or ")),
            format!("begin the entry with `process {first}`"),
        )
    }

    /// A handler, into its section.
    fn handler(&self, new: &New, place: &Place) -> Result<(String, String), Refused> {
        let wanted = head(&new.text, &Clause { span: self.own_span(new), ..new.clause.clone() });
        let role = self.role(place);
        let fits = |at: &Place| {
            (role.is_none() || at.role.is_none() || at.role == role)
                && match &place.section {
                    Some(names) => section(at) == names.as_slice(),
                    None => true,
                }
        };
        let about: Vec<(&Clause, &Place)> = self
            .clauses()
            .filter(|(clause, at)| {
                is_handler(&clause.kind) && fits(at) && head(self.text, clause).about == wanted.about
            })
            .collect();
        let exact: Vec<&(&Clause, &Place)> =
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
        let places: Vec<&Place> = about.iter().map(|(_, at)| *at).collect();
        if place.section.is_none() && places.windows(2).any(|pair| pair[0] != pair[1]) {
            let list: Vec<String> = places.iter().map(|at| in_section(at)).collect();
            return Err(Refused::Unclear(
                format!("`{}` stands in several places: {}", wanted.about, list.join(", ")),
                "begin the entry with `state NAME` or `always`, and put the handler under it".into(),
            ));
        }
        let section_of = match (&place.section, places.first()) {
            (Some(_), _) => Place { role: role.clone(), ..place.clone() },
            (None, Some(at)) => (*at).clone(),
            (None, None) => self.only_section()?,
        };
        // Behind the last handler of the section, else behind its beginning.
        let within = |at: &Place| {
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

    /// The span of a new clause in its own text: behind its doc comment.
    fn own_span(&self, new: &New) -> Span {
        let doc = new.clause.doc.as_ref().map_or(0, |doc| doc.lines().count());
        let start: usize = new.text.split_inclusive('\n').take(doc).map(str::len).sum();
        Span::new(0, start, new.text.len())
    }

    /// The one section that handlers can go to.
    fn only_section(&self) -> Result<Place, Refused> {
        let mut sections: Vec<Place> = Vec::new();
        for (clause, at) in self.clauses() {
            if matches!(clause.kind, K::State { .. } | K::Always) && !sections.contains(at) {
                sections.push(at.clone());
            }
        }
        match sections.as_slice() {
            [] => Ok(Place { role: self.role(&Place::default()), section: Some(Vec::new()) }),
            [only] => Ok(only.clone()),
            several => {
                let list: Vec<String> = several.iter().map(in_section).collect();
                Err(Refused::Unclear(
                    format!("where does this handler belong: {}?", list.join(", ")),
                    "begin the entry with `state NAME` or `always`, and put the handler under it".into(),
                ))
            }
        }
    }

    /// The program with a new section at its place; handlers are to follow at the end of the text given back.
    fn opened(&self, section_of: &Place, wanted: &Place) -> Result<(String, usize), Refused> {
        match section(section_of) {
            [] => {
                // `always` may be left out where nothing else is there; written it is clearer.
                let end = self.text.trim_end().len();
                Ok((format!("{}\n\nalways", &self.text[..end]), 2))
            }
            names => Err(Refused::Unclear(
                format!("there is no state {}", names.join(", ")),
                match &wanted.role {
                    Some(role) => format!("in role {role}: enter the state with its body first"),
                    None => "enter the state with its body first".into(),
                },
            )),
        }
    }

    /// A new declaration at its usual place.
    fn added(&self, new: &New, place: &Place) -> String {
        let own = rank(&new.clause.kind);
        let role = self.role(place);
        let in_role = |at: &Place| at.role == role || role.is_none();
        let before_sections = self.module.clauses.iter().take_while(|c| rank(&c.kind) < SECTIONS);
        let last = match &new.clause.kind {
            K::State { .. } | K::Always => {
                let always =
                    |(clause, at): &(&Clause, &Place)| matches!(clause.kind, K::Always) && in_role(at);
                if let Some((always, _)) =
                    self.clauses().find(always).filter(|_| matches!(new.clause.kind, K::State { .. }))
                {
                    let start = self.with_doc(always).start;
                    let column = column_of(self.text, start);
                    let text = format!("{}\n\n{}", indented(&new.text, column), " ".repeat(column));
                    return insert(self.text, start, &text);
                }
                let section =
                    |(clause, at): &(&Clause, &Place)| rank(&clause.kind) <= SECTIONS + 1 && in_role(at);
                self.clauses().rfind(section).map(|(clause, _)| clause)
            }
            K::Process { .. } => {
                self.module.clauses.iter().rfind(|clause| rank(&clause.kind) <= SECTIONS + 1)
            }
            _ if own < SECTIONS && place.role.is_some() => {
                let own = |(clause, at): &(&Clause, &Place)| {
                    at.role == place.role
                        && (rank(&clause.kind) <= own || matches!(clause.kind, K::Process { .. }))
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

    /// The clause with its doc comment.
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

    /// With the whole line, where nothing else stands on it.
    fn with_line(&self, range: Range<usize>) -> Range<usize> {
        let line = self.text[..range.start].rfind('\n').map_or(0, |i| i + 1);
        let end = self.line_end(range.end);
        match self.text[line..range.start].trim().is_empty() {
            true => line..(end + 1).min(self.text.len()),
            false => range,
        }
    }

    /// The end of the line, with the comment that may stand on it.
    fn line_end(&self, at: usize) -> usize {
        let end = self.text[at..].find('\n').map_or(self.text.len(), |i| at + i);
        match self.text[at..end].trim_start() {
            "" => at + self.text[at..end].trim_end().len(),
            rest if rest.starts_with("//") => end,
            _ => at,
        }
    }
}

/// The state that handlers of a place belong to; empty: all.
fn section(place: &Place) -> &[String] {
    place.section.as_deref().unwrap_or_default()
}

fn in_section(place: &Place) -> String {
    let role = place.role.iter().map(|role| format!(" of {role}")).collect::<String>();
    match section(place) {
        [] => format!("in `always`{role}"),
        names => format!("in `state {}`{role}", names.join(", ")),
    }
}

/// The lines behind the first moved to a column.
fn indented(text: &str, column: usize) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().to_string();
    lines.fold(first, |out, line| {
        let blanks = if line.is_empty() { String::new() } else { " ".repeat(column) };
        format!("{out}\n{blanks}{line}")
    })
}

/// What to take out of a clause so that it declares these names no longer. Some others are left.
fn without(text: &str, clause: &Clause, gone: &[String]) -> Vec<Range<usize>> {
    let names = names(&clause.kind);
    let mut ranges = Vec::new();
    let last_kept = names.iter().rposition(|name| !gone.contains(&name.text)).unwrap_or(0);
    for (i, name) in names.iter().enumerate() {
        if !gone.contains(&name.text) {
            continue;
        }
        let start = name.span.start as usize;
        let end = match (names.get(i + 1), &clause.kind) {
            (Some(next), _) => next.span.start as usize,
            // What a message carries goes with it.
            (None, K::Message(_)) => clause.span.end as usize,
            (None, _) => name.span.end as usize,
        };
        if i > last_kept {
            // Together with the comma before it.
            let comma = text[..start].rfind(',').unwrap_or(start);
            let end = match names.get(i + 1) {
                Some(next) => text[..next.span.start as usize].rfind(',').unwrap_or(end),
                None => end,
            };
            ranges.push(comma..end);
        } else {
            ranges.push(start..end);
        }
    }
    ranges
}

fn insert(text: &str, at: usize, new: &str) -> String {
    format!("{}{new}{}", &text[..at], &text[at..])
}

fn apply(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut out = text.to_string();
    for (range, new) in edits.into_iter().rev() {
        out.replace_range(range, &new);
    }
    out
}
