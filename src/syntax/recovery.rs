//! Further errors in one clause. pest stops at the first error of a clause. If its correction is known, the corrected text is parsed
//! again, which finds the next error.

use pest::Parser;

use super::mistakes;
use super::rule::{Rule, SynodParser};
use super::tokens::{self, TokenKind};
use crate::diagnostic::{Diagnostic, Edit, Finding, Grammar};
use crate::source::Span;

/// Maximum number of further diagnostics for one clause.
const MAX_FURTHER: usize = 5;

/// Return the errors that appear once the `known` ones are corrected. `clause` is the text of the clause, which starts at `offset`.
/// If a correction is not certain, return only errors of a recognised kind: the expectations of pest after a guess may be misleading.
pub fn further(file: u32, clause: &str, offset: usize, mut known: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let first = known.len();
    while known.len() < first + MAX_FURTHER {
        let Some(corrected) = Corrected::new(clause, offset, &known) else { break };
        let text = corrected.text.as_str();
        let Err(error) = SynodParser::parse(Rule::clause, text) else { break };
        let mut tokens = tokens::tokens(text);
        tokens.retain(|token| !matches!(token.kind, TokenKind::Comment | TokenKind::Doc));
        let found = mistakes::explain(file, text, 0, &tokens, &error);
        let found = found.moved(|span| corrected.original(span));
        let is_certain = known.iter().flat_map(|d| &d.fix).all(|fix| fix.is_certain);
        let is_general = matches!(found.finding, Finding::Grammar(Grammar::Expected(..)));
        let is_new = known.iter().all(|d| d.span.end <= found.span.start || found.span.end <= d.span.start);
        if !is_new || is_general && !is_certain {
            break;
        }
        known.push(found);
    }
    known.split_off(first)
}

/// The text of a clause with corrections, and the mapping back to the file.
struct Corrected {
    text: String,
    offset: usize,
    /// For each edit, in order: the start and end of its text here, and the place that it replaces in the file.
    edits: Vec<(usize, usize, Span)>,
}

impl Corrected {
    /// Apply the fixes; `None` if a diagnostic has none, or if two of them edit one place.
    fn new(clause: &str, offset: usize, diagnostics: &[Diagnostic]) -> Option<Corrected> {
        let fixes: Option<Vec<&[Edit]>> =
            diagnostics.iter().map(|d| d.fix.as_ref().map(|fix| fix.edits.as_slice())).collect();
        let mut edits = fixes?.concat();
        edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
        let (mut text, mut places, mut at) = (String::new(), Vec::new(), 0);
        for edit in &edits {
            let start = (edit.span.start as usize).checked_sub(offset)?;
            let end = (edit.span.end as usize).checked_sub(offset)?;
            text += clause.get(at..start)?;
            let begin = text.len();
            text += &edit.text;
            places.push((begin, text.len(), edit.span));
            at = end;
        }
        text += clause.get(at..)?;
        (!edits.is_empty()).then_some(Corrected { text, offset, edits: places })
    }

    /// Return the place in the file that corresponds to a place in the corrected text.
    fn original(&self, span: Span) -> Span {
        Span { start: self.place(span.start as usize), end: self.place(span.end as usize), ..span }
    }

    fn place(&self, at: usize) -> u32 {
        match self.edits.iter().rev().find(|(begin, ..)| *begin <= at) {
            Some((_, end, replaced)) if at < *end => replaced.start,
            Some((_, end, replaced)) => replaced.end + (at - end) as u32,
            None => (self.offset + at) as u32,
        }
    }
}
