//! The input of the formatter: the clauses of a text, their sections, and the comments between them.

use super::clause::Sections;
use super::comments::Tokens;
use crate::syntax::Parsed;
use crate::syntax::shape::Pair;
use std::ops::Range;

/// One clause to be formatted.
pub struct Unit<'t> {
    pub clause: Pair<'t>,
    /// Its beginning, in bytes.
    pub offset: usize,
    /// Indices of its first and last tokens.
    pub first: usize,
    pub last: usize,
    pub indent: usize,
}

/// The clauses of a text. *Gap* i is the space before clause i; the last gap is after all clauses.
pub struct Sheet<'t> {
    pub tokens: Tokens<'t>,
    pub units: Vec<Unit<'t>>,
}

impl<'t> Sheet<'t> {
    /// From a text that was parsed without findings.
    pub fn new(read: &'t Parsed) -> Sheet<'t> {
        let tokens = Tokens::new(&read.text, &read.tokens);
        let mut sections = Sections::default();
        let clauses = read.module.clauses.iter().zip(&read.shapes);
        let units = clauses.map(|(clause, shape)| {
            let (offset, end) = (clause.span.start as usize, clause.span.end as usize);
            let clause = shape.whole(&read.text[offset..end]);
            let first = tokens.at(offset);
            let last = tokens.at(end).saturating_sub(1).max(first);
            let indent = sections.place(&clause, tokens.column(first));
            Unit { clause, offset, first, last, indent }
        });
        let units = units.collect();
        Sheet { tokens, units }
    }

    /// Return the comments of a gap.
    pub fn comments(&self, gap: usize) -> Range<usize> {
        match (self.units.get(gap), self.before(gap)) {
            (Some(unit), _) => self.tokens.own_lines_before(unit.first),
            (None, Some(unit)) => self.end(unit)..self.tokens.len(),
            (None, None) => 0..self.tokens.len(),
        }
    }

    fn before(&self, gap: usize) -> Option<&Unit<'t>> {
        gap.checked_sub(1).map(|before| &self.units[before])
    }

    /// Return the token after a clause and the comment that ends its last line.
    pub fn end(&self, unit: &Unit<'_>) -> usize {
        let next = unit.last + 1;
        let ends_in_comment =
            next < self.tokens.len() && self.tokens.is_comment(next) && !self.tokens.on_new_line(next);
        next + usize::from(ends_in_comment)
    }

    /// Return the first comment of a gap that does not belong to the clause before it.
    pub fn split(&self, gap: usize) -> usize {
        let own = self.comments(gap);
        own.clone().find(|index| !self.continues(*index, gap)).unwrap_or(own.end)
    }

    /// Return whether a comment between two clauses belongs to the first, being indented more than both.
    fn continues(&self, comment: usize, gap: usize) -> bool {
        let column = self.tokens.column(comment);
        let deeper = |unit: &Unit<'_>| column > self.tokens.column(unit.first);
        let (before, after) = (self.before(gap), self.units.get(gap));
        !self.tokens.is_doc(comment) && before.is_some_and(deeper) && after.is_none_or(deeper)
    }

    /// Return the bytes of a clause with its comments.
    pub fn source(&self, unit: usize) -> Range<usize> {
        let (start, end) = (self.split(unit), self.split(unit + 1).max(self.end(&self.units[unit])));
        self.tokens.token(start).start..self.tokens.token(end - 1).end
    }

    /// Return whether a gap contains nothing, not even an empty line.
    pub fn is_closed(&self, gap: usize) -> bool {
        let first = self.units[gap].first;
        self.tokens.own_lines_before(first).is_empty() && !self.tokens.after_blank(first)
    }

    /// Return whether the clause after a gap is in the same stretch as the one before it.
    pub fn continues_stretch(&self, gap: usize) -> bool {
        self.before(gap).is_some_and(|before| before.indent == self.units[gap].indent) && self.is_closed(gap)
    }

    /// Return whether the clause after a gap begins on the line where the one before it ends.
    pub fn shares_line(&self, gap: usize) -> bool {
        gap > 0 && !self.tokens.text[self.source(gap - 1).end..self.source(gap).start].contains('\n')
    }

    /// Return the clauses around this one between which all gaps are `joined`.
    pub fn around(&self, unit: usize, joined: impl Fn(usize) -> bool) -> Range<usize> {
        let (mut start, mut end) = (unit, unit + 1);
        while start > 0 && joined(start) {
            start -= 1;
        }
        while end < self.units.len() && joined(end) {
            end += 1;
        }
        start..end
    }
}
