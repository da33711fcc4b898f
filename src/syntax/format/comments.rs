//! Places of comments among the tokens, and the column of comments at the ends of lines.

use super::doc::{Comment, Doc, Row};
use crate::syntax::tokens::{Token, TokenKind};
use std::ops::Range;

/// A text with all its tokens, including comments.
pub struct Tokens<'t> {
    pub text: &'t str,
    all: &'t [Token],
}

impl<'t> Tokens<'t> {
    pub fn new(text: &'t str, all: &'t [Token]) -> Tokens<'t> {
        Tokens { text, all }
    }

    /// Return the index of the token that begins at `start`, or else of the next one.
    pub fn at(&self, start: usize) -> usize {
        self.all.partition_point(|token| token.start < start)
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn token(&self, index: usize) -> &Token {
        &self.all[index]
    }

    pub fn word(&self, index: usize) -> &'t str {
        self.all[index].text(self.text)
    }

    pub fn is_comment(&self, index: usize) -> bool {
        matches!(self.all[index].kind, TokenKind::Comment | TokenKind::Doc)
    }

    pub fn is_doc(&self, index: usize) -> bool {
        self.all[index].kind == TokenKind::Doc
    }

    /// Return whether the token is the first of its line.
    pub fn on_new_line(&self, index: usize) -> bool {
        self.all[index].first_of_line
    }

    /// Return whether an empty line precedes the token.
    pub fn after_blank(&self, index: usize) -> bool {
        let start = index.checked_sub(1).map_or(0, |before| self.all[before].end);
        index > 0 && self.text[start..self.all[index].start].bytes().filter(|byte| *byte == b'\n').count() > 1
    }

    /// Return the number of characters before the token on its line.
    pub fn column(&self, index: usize) -> usize {
        let before = &self.text[..self.all[index].start];
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        before[line..].trim_start_matches('\u{FEFF}').chars().count()
    }

    /// Return the number of blanks between a token and the one before it on the same line.
    pub fn gap(&self, index: usize) -> usize {
        let start = index.checked_sub(1).map_or(0, |before| self.all[before].end);
        if self.on_new_line(index) { 0 } else { self.all[index].start - start }
    }

    /// Return whether all tokens of a range are on one line, without comments between them.
    pub fn on_one_line(&self, range: Range<usize>) -> bool {
        range.clone().skip(1).all(|index| !self.on_new_line(index) && !self.is_comment(index))
    }

    /// Return the comments before a token that are on lines of their own.
    pub fn own_lines_before(&self, index: usize) -> Range<usize> {
        let mut start = index;
        while start > 0 && self.is_comment(start - 1) && self.on_new_line(start - 1) {
            start -= 1;
        }
        start..index
    }

    /// Return the comment after a token at the end of its line.
    pub fn trailing(&self, index: usize) -> Doc {
        let next = index + 1;
        if next < self.all.len() && self.is_comment(next) && !self.on_new_line(next) {
            return self.comment(next, false);
        }
        Doc::nil()
    }

    fn comment(&self, index: usize, own_line: bool) -> Doc {
        Doc::Comment(Comment {
            text: self.word(index).to_string(),
            own_line,
            blank: self.after_blank(index),
            column: self.column(index),
        })
    }

    /// Return comments on lines of their own.
    pub fn own(&self, range: Range<usize>) -> Vec<Doc> {
        range.map(|index| self.comment(index, true)).collect()
    }

    /// Split the comments before a word that closes or continues a construct (`fi`, `od`, `[]`): those indented more than the
    /// word belong to the preceding block.
    pub fn inside(&self, closing: usize) -> (Range<usize>, Range<usize>) {
        let all = self.own_lines_before(closing);
        let column = self.column(closing);
        let mut split = all.start;
        while split < all.end && self.on_new_line(closing) && self.column(split) > column {
            split += 1;
        }
        (all.start..split, split..all.end)
    }
}

/// Minimum distance between code and the comment after it, in columns, if the author has not chosen their column.
const MIN_GAP: usize = 2;

/// Columns beyond this one are not considered the author's choice.
const MAX_CHOSEN_COLUMN: usize = 100;

/// Align the comments of neighbouring lines in the column of most of them, if all lines leave room for it.
pub fn align(rows: Vec<Row>) -> Vec<String> {
    let mut lines = Vec::with_capacity(rows.len());
    let mut rows = rows.into_iter().peekable();
    while let Some(row) = rows.next() {
        if row.comment.is_none() {
            lines.push(row.code);
            continue;
        }
        let mut run = vec![row];
        run.extend(std::iter::from_fn(|| rows.next_if(|row| row.comment.is_some())));
        let column = column(&run);
        for row in run {
            let gap = column - width(&row);
            let comment = row.comment.map_or(String::new(), |(text, _)| text);
            lines.push(format!("{}{}{comment}", row.code, " ".repeat(gap)));
        }
    }
    lines
}

fn width(row: &Row) -> usize {
    row.code.chars().count()
}

fn column(run: &[Row]) -> usize {
    let widest = run.iter().map(width).max().unwrap_or(0);
    let columns = || run.iter().filter_map(|row| row.comment.as_ref()).map(|(_, column)| *column);
    let votes = |column: usize| columns().filter(|other| *other == column).count();
    let fitting = columns().filter(|column| *column > widest && *column <= MAX_CHOSEN_COLUMN);
    fitting.max_by_key(|column| (votes(*column), std::cmp::Reverse(*column))).unwrap_or(widest + MIN_GAP)
}
