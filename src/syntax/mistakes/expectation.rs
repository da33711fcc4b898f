//! `expect` lines of a scenario that mix a verdict and a condition.

use super::{LINE_WORDS, Stop};

use crate::diagnostic::{Diagnostic, Edit, Fix, Grammar, Hint};
use crate::source::Span;
use crate::syntax::tokens::{TokenKind, is_reserved};

/// The last words of a verdict.
const VERDICTS: &[&str] = &["holds", "violated", "hold"];

/// Words that join two conditions which must both be true.
const BOTH: &[&str] = &["and", "∧", "&&", ","];

impl Stop<'_> {
    /// `expect messages = 3 and safe holds`: the verdict of a property is not part of a condition.
    pub(super) fn mixed_expectation(&self) -> Option<Diagnostic> {
        let (start, end) = self.expect_line()?;
        let verdict = (start + 2..end).find(|at| self.is_mixed_verdict(start, *at, end))?;
        let property = self.word(verdict - 1);
        let word = if self.word(verdict) == "violated" { "violated" } else { "holds" };
        let place = Span { end: self.place(verdict).end, ..self.place(verdict - 1) };
        let d = Grammar::VerdictInCondition(property.into(), self.word(verdict).into()).at(place);
        if verdict == start + 3 && matches!(self.word(start + 1), "not" | "¬" | "!") {
            let opposite = if word == "violated" { "holds" } else { "violated" };
            let whole = Span { end: place.end, ..self.place(start + 1) };
            return Some(
                d.hint(Hint::OppositeVerdict(property.into(), opposite))
                    .fix(Fix::replace(whole, &format!("{property} {opposite}"))),
            );
        }
        let d = d.hint(Hint::OwnExpectation(property.into(), word));
        let all: Vec<usize> = (start + 2..end).filter(|at| self.is_verdict(start, *at, end)).collect();
        let mut joints: Vec<usize> = all.iter().flat_map(|at| [at - 2, at + 1]).collect();
        joints.retain(|at| (start + 1..end).contains(at));
        joints.dedup();
        let whole = |at: &usize| BOTH.contains(&self.word(*at));
        let either = (start..end).any(|at| matches!(self.word(at), "or" | "∨" | "||"));
        let apart = !either && joints.iter().all(whole) && all.iter().all(|at| self.word(*at) != "hold");
        let fix = apart.then(|| {
            let edit = |at: &usize| Edit::new(self.with_gap(*at), "\n  expect");
            Fix::new("Split into separate `expect` lines", joints.iter().map(edit).collect())
        });
        Some(d.fix(fix))
    }

    /// Return the `expect` line in which pest stopped, or after which: its first token, and the one after its last.
    fn expect_line(&self) -> Option<(usize, usize)> {
        let starts = |at: usize| self.tokens[at].first_of_line && LINE_WORDS.contains(&self.word(at));
        if self.word(0) != "scenario" {
            return None;
        }
        let behind = self.index.min(self.tokens.len());
        let lines = [Some(behind), behind.checked_sub(1)];
        let lines = lines.into_iter().flatten().filter(|at| *at < self.tokens.len());
        let line = |at: usize| {
            let start = (0..=at).rev().find(|at| starts(*at))?;
            let end = (start + 1..self.tokens.len()).find(|at| starts(*at)).unwrap_or(self.tokens.len());
            (self.word(start) == "expect").then_some((start, end))
        };
        let mixed = |(start, end): &(usize, usize)| {
            (start + 2..*end).any(|at| self.is_mixed_verdict(*start, at, *end))
        };
        lines.filter_map(line).find(mixed)
    }

    /// Return whether `NAME holds` is here, followed by the end or another part.
    fn is_verdict(&self, start: usize, at: usize, end: usize) -> bool {
        let name = &self.tokens[at - 1];
        let joined = |at: usize| BOTH.contains(&self.word(at)) || matches!(self.word(at), "or" | "∨" | "||");
        VERDICTS.contains(&self.word(at))
            && name.kind == TokenKind::Word
            && !is_reserved(self.word(at - 1))
            && at > start + 1
            && (at + 1 == end || joined(at + 1))
    }

    /// Return whether a verdict is here that is not the whole line.
    fn is_mixed_verdict(&self, start: usize, at: usize, end: usize) -> bool {
        self.is_verdict(start, at, end) && (at > start + 2 || at + 1 < end)
    }

    /// Return the span of a token with the gap before it.
    fn with_gap(&self, at: usize) -> Span {
        let before = at.checked_sub(1).map_or(self.place(at).start, |before| self.place(before).end);
        Span { start: before, ..self.place(at) }
    }

    fn place(&self, at: usize) -> Span {
        let token = &self.tokens[at];
        Span::new(self.span.file, token.start, token.end)
    }
}
