//! Consecutive clauses, with the comments and empty lines between them.

use super::comments::{self, Tokens};
use super::doc::{INDENT, Row};
use super::sheet::Sheet;
use std::ops::Range;

/// Clauses of a text, laid out.
pub struct Page {
    pub lines: Vec<String>,
    /// For each clause, the lines of it and of its comments.
    pub parts: Vec<Range<usize>>,
}

impl Page {
    /// `rows`: the lines of each of these clauses.
    pub fn new<'r>(sheet: &Sheet<'_>, units: Range<usize>, rows: impl Iterator<Item = &'r [Row]>) -> Page {
        let tokens = &sheet.tokens;
        let mut page: Vec<Row> = Vec::new();
        let mut parts = Vec::with_capacity(units.len());
        for (at, own) in units.clone().zip(rows) {
            let unit = &sheet.units[at];
            let (split, end) = (sheet.split(at), sheet.comments(at).end);
            put_blank(&mut page, split < end && tokens.after_blank(split));
            let comments_start = page.len();
            for index in split..end {
                put_blank(&mut page, index > split && tokens.after_blank(index));
                page.push(comment(tokens, index, unit.indent));
            }
            // A doc comment belongs to its clause.
            let documented = unit.first > split && tokens.is_doc(unit.first - 1);
            put_blank(&mut page, tokens.after_blank(unit.first) && !documented);
            let start = if split == end { page.len() } else { comments_start };
            page.extend_from_slice(own);
            // Comments at the end of the text.
            for index in sheet.comments(at + 1).start..sheet.split(at + 1) {
                put_blank(&mut page, tokens.after_blank(index));
                page.push(comment(tokens, index, unit.indent + INDENT));
            }
            parts.push(start..page.len());
        }
        if units.end == sheet.units.len() {
            for index in sheet.split(units.end)..sheet.comments(units.end).end {
                put_blank(&mut page, tokens.after_blank(index));
                let last = sheet.units.last().filter(|_| tokens.column(index) > 0);
                page.push(comment(tokens, index, last.map_or(0, |unit| unit.indent)));
            }
        }
        Page { lines: comments::align(page), parts }
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
