//! Text edits of clauses: extracting, reindenting, inserting.

use super::kinds::names;
use crate::syntax::ast::{Clause, ClauseKind as K};
use std::ops::Range;

/// Return the text of the clause, with its doc comment.
pub(super) fn source(text: &str, clause: &Clause) -> String {
    let doc = clause.doc.iter().flat_map(|doc| doc.lines());
    let doc: String = doc.map(|line| format!("{}\n", format!("/// {line}").trim_end())).collect();
    doc + &shifted(text, clause.span.range(), 0)
}

/// Return a part of a text, reindented so that its first line begins at this column.
pub(super) fn shifted(text: &str, range: Range<usize>, column: usize) -> String {
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

/// Return the number of blanks before a position on its line; 0 if there is other text.
pub(super) fn column_of(text: &str, at: usize) -> usize {
    let line = text[..at].rfind('\n').map_or(0, |i| i + 1);
    if text[line..at].trim().is_empty() { at - line } else { 0 }
}

/// Indent all lines after the first by `column` blanks.
pub(super) fn indented(text: &str, column: usize) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().to_string();
    lines.fold(first, |out, line| {
        let blanks = if line.is_empty() { String::new() } else { " ".repeat(column) };
        format!("{out}\n{blanks}{line}")
    })
}

/// Return the ranges to remove from a clause so that it no longer declares these names. Other names remain.
pub(super) fn without(text: &str, clause: &Clause, gone: &[String]) -> Vec<Range<usize>> {
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
            // The fields of a message are removed with it.
            (None, K::Message(_)) => clause.span.end as usize,
            (None, _) => name.span.end as usize,
        };
        if i > last_kept {
            // Remove the preceding comma, too.
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

pub(super) fn insert(text: &str, at: usize, new: &str) -> String {
    format!("{}{new}{}", &text[..at], &text[at..])
}

pub(super) fn apply(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut out = text.to_string();
    for (range, new) in edits.into_iter().rev() {
        out.replace_range(range, &new);
    }
    out
}
