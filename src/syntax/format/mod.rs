//! One style for all programs: text to text, words and comments unchanged.
//!
//! A text is laid out clause by clause, from pest's pairs and all its tokens. Words keep their order and comments their places
//! among them; what changes is where lines begin and how many blanks stand between words. Breaks that the author has made between
//! statements, alternatives, elements and operands are kept, and more are made only where a line would get too long.

mod builder;
mod clause;
mod comments;
mod doc;
mod expr;
mod signs;
mod stmt;

pub use doc::WIDTH;
pub use signs::Signs;

use crate::diagnostic::Diagnostic;
use crate::syntax::clauses::{self, Piece};
use crate::syntax::parser::{Rule, pairs};
use crate::syntax::tokens::{self, Token};
use builder::Builder;
use clause::{Clause, Sections};
use comments::Tokens;
use doc::{Doc, Row, STEP};
use pest::iterators::Pair;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::ops::Range;
use stmt::Branch;

/// A text to be put in the place of a part of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Bytes of the text before.
    pub range: Range<usize>,
    pub text: String,
}

/// A program in the one style. What is in that style stays as it is.
///
/// # Errors
/// All that is wrong with its syntax: only what can be read can be laid out.
pub fn format(text: &str, signs: Signs) -> Result<String, Vec<Diagnostic>> {
    let mut lines = lay_out(text, signs)?.lines.join("\n");
    if !lines.is_empty() {
        lines.push('\n');
    }
    if signs == Signs::AsWritten {
        keeps_words(text, &lines);
    }
    Ok(lines)
}

/// The same for those clauses alone, with their comments, that a range of bytes touches; None if it touches none.
///
/// # Errors
/// All that is wrong with the syntax of the whole text.
pub fn format_range(text: &str, range: Range<usize>, signs: Signs) -> Result<Option<Edit>, Vec<Diagnostic>> {
    let page = lay_out(text, signs)?;
    let touched = |part: &&Part| part.source.start <= range.end && range.start <= part.source.end;
    let first = page.parts.iter().position(|part| touched(&part));
    let last = page.parts.iter().rposition(|part| touched(&part));
    let (Some(mut first), Some(mut last)) = (first, last) else { return Ok(None) };
    // Clauses that share a line go together.
    let shares = |at: usize| !text[page.parts[at - 1].source.end..page.parts[at].source.start].contains('\n');
    while first > 0 && shares(first) {
        first -= 1;
    }
    while last + 1 < page.parts.len() && shares(last + 1) {
        last += 1;
    }
    let (start, end) = (page.parts[first].source.start, page.parts[last].source.end);
    let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let lines = &page.lines[page.parts[first].lines.start..page.parts[last].lines.end];
    Ok(Some(Edit { range: line_start..end, text: lines.join("\n") }))
}

/// Two texts must have the same words and comments; only `;` between statements may come and go. Whoever asks for blanks to be put
/// in order gets nothing else, and nothing rather than something else.
fn keeps_words(before: &str, after: &str) {
    let words = |text: &str| -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        for token in tokens::tokens(text) {
            match (words.last_mut(), token.text(text)) {
                (_, ";") => {}
                // `[ ]` and `[]` are the same list.
                (Some(last), "]") if last == "[" => last.push(']'),
                (_, word) => words.push(word.to_string()),
            }
        }
        words
    };
    let (before, after) = (words(before), words(after));
    if before != after {
        let at = before.iter().zip(&after).take_while(|(before, after)| before == after).count();
        let shown = |words: &[String]| words.get(at).map_or("the end".into(), |word| format!("`{word}`"));
        panic!("formatting would have made {} of {} (word {at})", shown(&after), shown(&before));
    }
}

/// A text laid out.
struct Page {
    lines: Vec<String>,
    parts: Vec<Part>,
}

/// A clause with the comments that go with it, in the source and in the result.
struct Part {
    source: Range<usize>,
    lines: Range<usize>,
}

/// One clause on its way.
struct Unit<'t> {
    pair: Pair<'t, Rule>,
    offset: usize,
    /// Its first and its last token, among all.
    first: usize,
    last: usize,
    indent: usize,
}

fn lay_out(text: &str, signs: Signs) -> Result<Page, Vec<Diagnostic>> {
    let all = tokens::tokens(text);
    let cut = clauses::cut(0, text, &all);
    let read = pairs(0, text, &cut)?;
    let tokens = Tokens::new(text, &all);
    let mut sections = Sections::default();
    let units: Vec<Unit<'_>> = cut
        .pieces
        .iter()
        .zip(read)
        .map(|(piece, pair)| unit(&tokens, &cut.tokens, piece, pair, &mut sections))
        .collect();
    let docs = documents(&tokens, &units, signs);
    Ok(page(&tokens, &units, &docs))
}

fn unit<'t>(
    tokens: &Tokens<'_>,
    words: &[Token],
    piece: &Piece,
    read: Pair<'t, Rule>,
    sections: &mut Sections,
) -> Unit<'t> {
    let clause = read.into_inner().next().expect("a clause is something");
    let first = tokens.at(piece.start);
    let last = words[piece.tokens.clone()].last().map_or(first, |word| tokens.at(word.start));
    let indent = sections.place(&clause, tokens.column(first));
    Unit { pair: clause, offset: piece.start, first, last, indent }
}

/// What is written for each clause. Neighbours that go together are put into columns.
fn documents(tokens: &Tokens<'_>, units: &[Unit<'_>], signs: Signs) -> Vec<Doc> {
    let found = RefCell::new(FxHashMap::default());
    let builder = |unit: &Unit<'_>, reaches| Builder {
        tokens,
        signs,
        offset: unit.offset,
        first: unit.first,
        reaches,
        found: &found,
    };
    // First to find out how far blocks reach, then with what was found.
    for unit in units {
        let builder = builder(unit, None);
        if let Clause::Handler(branch) = builder.clause(&unit.pair, unit.indent) {
            let arrow = builder.arrows(std::slice::from_ref(&branch), unit.indent)[0];
            builder.whole_handler(branch, arrow, unit.indent);
        }
    }
    let reaches = found.take();
    let made: Vec<Clause<'_>> =
        units.iter().map(|unit| builder(unit, Some(&reaches)).clause(&unit.pair, unit.indent)).collect();
    let mut made = made.into_iter().enumerate().peekable();
    let mut docs = Vec::with_capacity(units.len());
    while let Some((at, clause)) = made.next() {
        let mut run = vec![clause];
        while let Some((next, clause)) = made.peek()
            && goes_with(tokens, &units[*next - 1], &units[*next])
            && alike(&run, clause)
        {
            run.extend(made.next().map(|(_, clause)| clause));
        }
        let units = &units[at..at + run.len()];
        docs.extend(columns(run, units, |unit| builder(unit, Some(&reaches))));
    }
    docs
}

/// Does a clause stand directly below the one before?
fn goes_with(tokens: &Tokens<'_>, before: &Unit<'_>, unit: &Unit<'_>) -> bool {
    before.indent == unit.indent
        && tokens.own_before(unit.first).is_empty()
        && !tokens.after_blank(unit.first)
}

/// Declarations whose names are that much longer than others' are not put into one column with them.
const FAR: usize = 12;

/// Does a clause go with those above?
fn alike(run: &[Clause<'_>], clause: &Clause<'_>) -> bool {
    let width = |clause: &Clause<'_>| match clause {
        Clause::Columns { head, .. } => head.width(),
        _ => None,
    };
    match (&run[0], clause) {
        (Clause::Handler(_), Clause::Handler(_)) => true,
        (Clause::Columns { key, .. }, Clause::Columns { key: other, .. }) => {
            let near = |width: usize, other: usize| width.abs_diff(other) <= FAR;
            let own = width(clause);
            key == other && own.is_some_and(|own| run.iter().all(|c| width(c).is_some_and(|w| near(w, own))))
        }
        _ => false,
    }
}

/// Puts neighbours into columns: handlers by their arrows, declarations if the author has begun to.
fn columns<'b, 't: 'b>(
    run: Vec<Clause<'_>>,
    units: &[Unit<'_>],
    builder: impl Fn(&Unit<'_>) -> Builder<'b, 't>,
) -> Vec<Doc> {
    let (mut heads, mut handlers, mut alone) = (Vec::new(), Vec::new(), Vec::new());
    for clause in run {
        match clause {
            Clause::Alone(doc) => alone.push(doc),
            Clause::Columns { head, tail, gap, .. } => heads.push((head, tail, gap)),
            Clause::Handler(branch) => handlers.push(branch),
        }
    }
    if !handlers.is_empty() {
        let arrows = arrows(&builder(&units[0]), &handlers, units[0].indent);
        let all = handlers.into_iter().zip(arrows).zip(units);
        return all
            .map(|((branch, arrow), unit)| builder(unit).whole_handler(branch, arrow, unit.indent))
            .collect();
    }
    let together = heads.iter().any(|(_, _, gap)| *gap > 1);
    let widest = heads.iter().filter_map(|(head, ..)| head.width()).max().unwrap_or(0);
    alone.extend(heads.into_iter().map(|(head, tail, _)| {
        let missing = head.width().filter(|_| together).map_or(0, |width| widest - width);
        Doc::Cat(vec![head, Doc::Blanks(missing), tail])
    }));
    alone
}

/// The columns of the arrows of handlers. One whose commands stand below parts those above it from those behind it.
fn arrows(builder: &Builder<'_, '_>, handlers: &[Branch<'_>], indent: usize) -> Vec<Option<usize>> {
    let mut columns = builder.arrows(handlers, indent);
    let mut start = 0;
    while start < columns.len() {
        let length = columns[start..].iter().take_while(|column| column.is_some()).count();
        let part = start..start + length;
        columns.splice(part.clone(), builder.arrows(&handlers[part], indent));
        start += length + 1;
    }
    columns
}

/// The clauses below one another, with the comments and empty lines between them.
fn page(tokens: &Tokens<'_>, units: &[Unit<'_>], docs: &[Doc]) -> Page {
    let mut rows: Vec<Row> = Vec::new();
    let mut parts: Vec<Part> = Vec::new();
    let mut before: Option<&Unit<'_>> = None;
    for (unit, doc) in units.iter().zip(docs) {
        let own = tokens.own_before(unit.first);
        let split =
            own.clone().find(|index| !continues(tokens, *index, before, Some(unit))).unwrap_or(own.end);
        inside(tokens, own.start..split, before, &mut rows, &mut parts);
        put_blank(&mut rows, split < own.end && tokens.after_blank(split));
        let start = rows.len();
        for index in split..own.end {
            put_blank(&mut rows, index > split && tokens.after_blank(index));
            rows.push(comment(tokens, index, unit.indent));
        }
        // A doc comment and its clause are one.
        let documented = unit.first > split && tokens.is_doc(unit.first - 1);
        put_blank(&mut rows, tokens.after_blank(unit.first) && !documented);
        let start = if split == own.end { rows.len() } else { start };
        rows.extend(doc::rows(doc, unit.indent));
        let last = tokens.token(unit.last + usize::from(ends_in_comment(tokens, unit.last)));
        let source = tokens.token(split).start..last.end;
        parts.push(Part { source, lines: start..rows.len() });
        before = Some(unit);
    }
    let rest = before.map_or(0, |unit| unit.last + 1 + usize::from(ends_in_comment(tokens, unit.last)))
        ..tokens.len();
    let split = rest.clone().find(|index| !continues(tokens, *index, before, None)).unwrap_or(rest.end);
    inside(tokens, rest.start..split, before, &mut rows, &mut parts);
    for index in split..rest.end {
        put_blank(&mut rows, tokens.after_blank(index));
        let indent = before.filter(|_| tokens.column(index) > 0).map_or(0, |unit| unit.indent);
        rows.push(comment(tokens, index, indent));
    }
    Page { lines: comments::align(&rows), parts }
}

fn ends_in_comment(tokens: &Tokens<'_>, last: usize) -> bool {
    last + 1 < tokens.len() && tokens.is_comment(last + 1) && !tokens.on_new_line(last + 1)
}

/// Does a comment between two clauses still belong to the first? It does if it is indented more than both.
fn continues(
    tokens: &Tokens<'_>,
    comment: usize,
    before: Option<&Unit<'_>>,
    after: Option<&Unit<'_>>,
) -> bool {
    let column = tokens.column(comment);
    let deeper = |unit: &Unit<'_>| column > tokens.column(unit.first);
    !tokens.is_doc(comment) && before.is_some_and(deeper) && after.is_none_or(deeper)
}

/// Comments at the end of a clause.
fn inside(
    tokens: &Tokens<'_>,
    comments: Range<usize>,
    unit: Option<&Unit<'_>>,
    rows: &mut Vec<Row>,
    parts: &mut [Part],
) {
    let (Some(unit), Some(part)) = (unit, parts.last_mut()) else { return };
    for index in comments {
        put_blank(rows, tokens.after_blank(index));
        rows.push(comment(tokens, index, unit.indent + STEP));
        part.source.end = tokens.token(index).end;
        part.lines.end = rows.len();
    }
}

fn put_blank(rows: &mut Vec<Row>, wanted: bool) {
    if wanted && !rows.is_empty() {
        rows.push(Row::default());
    }
}

fn comment(tokens: &Tokens<'_>, index: usize, indent: usize) -> Row {
    Row { code: format!("{}{}", " ".repeat(indent), tokens.word(index)), comment: None }
}
