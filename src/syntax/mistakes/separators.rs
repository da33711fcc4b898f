//! Parts that other languages separate by other signs: commas between assignments, declarations and settings, colons after headings.

use super::{LINE_WORDS, Stop};
use crate::diagnostic::{Diagnostic, Fix, Grammar, Hint};
use crate::prose::foreign_clause;
use crate::source::Span;
use crate::syntax::rule::Rule;
use crate::syntax::tokens::TokenKind;

impl Stop<'_> {
    pub(super) fn separator(&self) -> Option<Diagnostic> {
        self.comma_between_assignments()
            .or_else(|| self.comma_between_variables())
            .or_else(|| self.comma_before_settings())
            .or_else(|| self.word_before_message())
            .or_else(|| self.joined_leads_to())
            .or_else(|| self.heading_with_colon())
    }

    /// `x := 1, y := 2`: pest parses the comma as the beginning of another value.
    fn comma_between_assignments(&self) -> Option<Diagnostic> {
        let comma = self.index.checked_sub(2)?;
        let assigns = |at: usize| matches!(self.word(at), ":=" | "←");
        if !assigns(self.index) || self.word(comma) != "," || !self.is_word(comma + 1) {
            return None;
        }
        let first =
            (0..comma).rev().take_while(|at| !self.begins_statement(at + 1)).find(|at| assigns(*at))?;
        if !self.begins_statement(first.checked_sub(1)?) {
            return None;
        }
        let end = |at: usize| self.tokens.get(at).is_none_or(|token| token.first_of_line);
        let one = (self.word(first - 1), self.slice(first + 1..comma));
        let two = (self.word(comma + 1), self.word(self.index + 1));
        // A longer second value is not repeated in the hint.
        let two = (two.0, if end(self.index + 2) { two.1 } else { "…" });
        let place = self.token_span(comma);
        let pair = |(target, value): (&str, &str)| (target.to_string(), value.to_string());
        Some(Grammar::CommaBetweenAssignments(pair(one), pair(two)).at(place).fix(Fix::replace(place, ";")))
    }

    /// `var x : Int, y : Bool`.
    fn comma_between_variables(&self) -> Option<Diagnostic> {
        let clause = self.word(0);
        let next = self.index + 1;
        if self.found() != "," || !matches!(clause, "var" | "persistent" | "param" | "const" | "output") {
            return None;
        }
        if !self.is_word(next) || !matches!(self.word(next + 1), ":" | ":=" | "=") {
            return None;
        }
        // `persistent var x : Int`
        let keywords = 1 + usize::from(self.word(1) == "var");
        let written = self.slice(0..keywords);
        let (one, two) = (self.slice(keywords..self.index), self.word(next));
        let sign = self.word(next + 1);
        let right = format!("{written} {two} {sign} …");
        let fix = Fix::replace(self.span, &format!("\n{written}"));
        let one = format!("{written} {one}");
        let found = match self.word(0) {
            "const" | "param" => Grammar::CommaBetweenNames(one, right),
            _ => Grammar::CommaBetweenVariables(one, right),
        };
        Some(self.says(found).fix(fix))
    }

    /// `scenario x on ring(3), ids [1, 2, 3]`.
    fn comma_before_settings(&self) -> Option<Diagnostic> {
        let is_header =
            (1..self.index).all(|at| !LINE_WORDS.contains(&self.word(at)) && self.word(at) != "with");
        if self.found() != "," || self.word(0) != "scenario" || !is_header || self.index < 3 {
            return None;
        }
        let fix = Fix::replace(self.span, " with");
        Some(self.says(Grammar::SettingsWithoutWith(self.slice(0..self.index).into())).fix(fix))
    }

    /// `on deliver K(a) -> …`: a word before the name of the message.
    fn word_before_message(&self) -> Option<Diagnostic> {
        let is_message = self.is_word(self.index) && !self.tokens[self.index].first_of_line;
        if self.index != 2 || self.word(0) != "on" || !is_message || !self.expects(Rule::arrow) {
            return None;
        }
        if !self.is_word(1) || self.found() == "then" {
            return None;
        }
        let message = match self.word(3) {
            "(" => self.enclosed(3).map(|(inside, _)| format!("{}({})", self.found(), self.slice(inside))),
            _ => Some(self.found().to_string()),
        };
        let place = self.token_span(1);
        let finding = Grammar::WordBeforeMessage(self.word(1).into(), message?);
        Some(finding.at(place).fix(Fix::remove(place)))
    }

    /// `leads_to`, written as one word.
    fn joined_leads_to(&self) -> Option<Diagnostic> {
        let found = self.found();
        let is_joined = matches!(found.to_lowercase().as_str(), "leads_to" | "leadsto" | "leads2");
        (is_joined && self.word(0) == "leads")
            .then(|| self.says(Grammar::JoinedLeadsTo(found.into())).fix(Fix::replace(self.span, "leads to")))
    }

    /// `Init: x = 0`: a heading of another language, which pest parses as a call at the end of the clause before it.
    fn heading_with_colon(&self) -> Option<Diagnostic> {
        let heading = self.index.checked_sub(1)?;
        if self.found() != ":" || !self.tokens[heading].first_of_line || !self.expects(Rule::statement) {
            return None;
        }
        let hint = Hint::Word(foreign_clause(self.word(heading))?);
        Some(Grammar::ForeignClause(self.word(heading).into()).at(self.token_span(heading)).hint(hint))
    }

    fn is_word(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == TokenKind::Word)
    }

    fn token_span(&self, at: usize) -> Span {
        let token = &self.tokens[at];
        Span::new(self.span.file, token.start, token.end)
    }
}
