//! Constructs of other languages: types, declarations and statements of newcomers. Each diagnostic contains the correct form,
//! made from the user's text where possible.

use super::Stop;
use crate::diagnostic::{Diagnostic, Fix, Grammar, Hint};
use crate::prose::{foreign_assumption, foreign_equivalent, temporal_equivalent};
use crate::source::Span;
use crate::syntax::foreign_types::{self, collection};
use crate::syntax::rule::Rule;
use crate::syntax::tokens::{TokenKind, is_reserved};
use std::ops::Range;

/// The clauses that contain types.
const TYPED: &[&str] = &[
    "var",
    "output",
    "persistent",
    "stable",
    "record",
    "message",
    "function",
    "procedure",
    "operation",
    "param",
    "const",
];

/// The keywords of properties.
pub(super) const KINDS: &[&str] =
    &["invariant", "stable", "finally", "eventually", "settles", "leads", "bound", "exactly", "order"];

impl Stop<'_> {
    pub(super) fn habit(&self) -> Option<Diagnostic> {
        self.foreign_type()
            .or_else(|| self.whole_type())
            .or_else(|| self.foreign_declaration())
            .or_else(|| self.property_without_name())
            .or_else(|| self.temporal_operator())
            .or_else(|| self.best_without_set())
            .or_else(|| self.transmit_to())
            .or_else(|| self.timeout_as_guard())
            .or_else(|| self.typed_pattern())
            .or_else(|| self.assumption())
            .or_else(|| self.foreign_statement())
    }

    /// `transmit M to neighbours`
    fn transmit_to(&self) -> Option<Diagnostic> {
        let start = (0..self.index).rev().find(|at| self.begins_statement(*at))?;
        let transmits = self.found() == "to" && self.word(start) == "transmit" && start + 1 < self.index;
        let message = || self.slice(start + 1..self.index).to_string();
        transmits.then(|| self.says(Grammar::TransmitTo(message())))
    }

    /// `if timeout 5 -> …`
    fn timeout_as_guard(&self) -> Option<Diagnostic> {
        let is_time = self.before() == "timeout" && self.expects(Rule::arrow) && !self.found().is_empty();
        let guarded =
            matches!(self.index.checked_sub(2).map(|at| self.word(at)), Some("if" | "do" | "[]" | "□"));
        let place = self.place_of(self.index.checked_sub(1)?);
        let fix = guarded.then(|| Fix::replace(place, "after"));
        is_time.then(|| Grammar::TimeoutAsGuard(self.found().into()).at(place).fix(fix))
    }

    /// `on M(k: Int) -> …`
    fn typed_pattern(&self) -> Option<Diagnostic> {
        let mut depth = 0;
        let open = (0..self.index).rev().find(|at| {
            depth += i32::from(self.word(*at) == ")") - i32::from(self.word(*at) == "(");
            depth < 0
        })?;
        // The name of the message or upcall, with that of its layer.
        let mut start = open.checked_sub(1)?;
        while start > 1 && self.word(start - 1) == "." {
            start -= 2;
        }
        let receives = matches!(self.word(start.checked_sub(1)?), "on" | "receive" | "arrived");
        if self.found() != ":" || !receives || !self.is_name(self.index.checked_sub(1)?) {
            return None;
        }
        let ends = self.is_name(self.index + 1) && matches!(self.word(self.index + 2), "," | ")");
        let written = |end: Span| Span { end: end.end, ..self.span };
        let fix = ends.then(|| Fix::remove(written(self.place_of(self.index + 1))));
        Some(self.says(Grammar::TypeInPattern(self.before().into())).fix(fix))
    }

    /// `crash-stop`, `2 Servers`
    fn assumption(&self) -> Option<Diagnostic> {
        if self.word(0) != "assumes" || self.index == 0 {
            return None;
        }
        let found = self.found();
        let is_large = |at: usize| self.is_name(at) && self.word(at).starts_with(char::is_uppercase);
        if found.starts_with(|c: char| c.is_ascii_digit()) && is_large(self.index + 1) {
            let role = self.word(self.index + 1);
            return Some(self.says(Grammar::SizeOfRole(found.into(), role.into())));
        }
        if found != "-" || !self.is_name(self.index - 1) || !self.is_name(self.index + 1) {
            return None;
        }
        let start = (0..self.index).rev().find(|at| matches!(self.word(*at), "assumes" | ","))? + 1;
        let end = (self.index..self.tokens.len()).find(|at| self.word(*at) == ",");
        let written = self.slice(start..end.unwrap_or(self.tokens.len()));
        let equivalent = foreign_assumption(&written.replace('-', " "));
        Some(self.says(Grammar::HyphenInAssumption(written.into(), equivalent)))
    }

    /// `list<Int>`, `map[Id, Int]`, `array[3] of Int`, `Id -> Int`.
    fn foreign_type(&self) -> Option<Diagnostic> {
        if !TYPED.contains(&self.word(0)) {
            return None;
        }
        if matches!(self.found(), "->" | "→") && self.index > 1 && self.begins_type(self.index - 1) {
            let (from, to) = (self.before(), self.word(self.index + 1));
            let to = if self.is_name(self.index + 1) { to } else { "T" };
            return Some(self.says(Grammar::TypeWithArrow(from.into(), to.into())));
        }
        // The opening bracket after the name of the collection, before the place where pest stopped.
        let open = (self.index.saturating_sub(6)..=self.index).rev().find(|at| {
            *at > 1
                && matches!(self.word(*at), "<" | "[")
                && self.begins_type(at - 1)
                && collection(self.word(at - 1)).is_some()
        })?;
        let own = collection(self.word(open - 1))?;
        let closing = if self.word(open) == "<" { ">" } else { "]" };
        let close = (open + 1..self.tokens.len().min(open + 8)).find(|at| self.word(*at) == closing)?;
        // `array[3] of Int`, `array[0..2] of Int`
        if self.word(close + 1) == "of" && self.is_name(close + 2) {
            let (indices, element) = (self.slice(open + 1..close), self.word(close + 2));
            let indices = match indices.parse::<u32>() {
                Ok(size @ 1..) => format!("0..{}", size - 1),
                _ if indices.contains("..") => indices.to_string(),
                _ => "0..k".into(),
            };
            let finding = Grammar::ArrayType(self.word(open - 1).into(), indices, element.into());
            return Some(finding.at(self.place_of(open - 1)));
        }
        let commas: Vec<usize> = (open + 1..close).filter(|at| self.word(*at) == ",").collect();
        let nested = (open + 1..close).any(|at| matches!(self.word(at), "<" | "["));
        // The element type may be nested, and foreign itself.
        let mut depth = 0;
        let last = (open..self.tokens.len().min(open + 24)).find(|at| {
            for sign in self.word(*at).chars() {
                depth +=
                    i32::from(matches!(sign, '<' | '[' | '(')) - i32::from(matches!(sign, '>' | ']' | ')'));
            }
            depth == 0
        });
        let whole =
            last.and_then(|last| Some((foreign_types::equivalent(self.slice(open - 1..last + 1))?, last)));
        let (close, whole) = whole.map_or((close, None), |(whole, last)| (last, Some(whole)));
        let (written, end) = match commas.as_slice() {
            _ if whole.is_some() => (whole.unwrap_or_default(), close),
            [comma] if own == "map" && !nested => {
                let (key, value) = (self.slice(open + 1..*comma), self.slice(comma + 1..close));
                (format!("map of {key} to {value}"), close)
            }
            [] if own != "map" && !nested => (format!("{own} of {}", self.slice(open + 1..close)), close),
            _ if own == "map" => ("map of K to V".into(), open),
            _ => (format!("{own} of T"), open),
        };
        let whole = Span { end: self.place_of(end).end, ..self.place_of(open - 1) };
        let fix = (end == close).then(|| Fix::replace(whole, &written));
        let finding = Grammar::TypeInBrackets(self.word(open).into(), written);
        Some(finding.at(self.place_of(open)).fix(fix))
    }

    /// `Vec<Int>`, `seq of Int`, `Int[]`: everything at the place of a type, in a notation of another language.
    fn whole_type(&self) -> Option<Diagnostic> {
        let last = self.index.min(self.tokens.len().checked_sub(1)?);
        let begin = (last.saturating_sub(8)..=last).rev().find(|at| *at > 1 && self.word(at - 1) == ":")?;
        // `Set of Id` is correct but for the capital.
        let is_large = self.found() == "of"
            && ["set", "list", "queue", "map"].contains(&self.before().to_lowercase().as_str());
        if !TYPED.contains(&self.word(0)) || !self.is_name(begin) || is_large {
            return None;
        }
        let mut depth = 0i32;
        let end = (begin..self.tokens.len()).find(|at| {
            let word = self.word(*at);
            let closes = matches!(word, ")" | "]" | ">" | "}");
            let is_over = depth == 0 && (closes || matches!(word, "," | ":=" | "←" | "=" | ";"));
            depth += i32::from(matches!(word, "(" | "[" | "<" | "{")) - i32::from(closes);
            is_over || (*at > begin && self.tokens[*at].first_of_line)
        });
        let end = end.unwrap_or(self.tokens.len());
        if self.index > end {
            return None;
        }
        let text = self.slice(begin..end);
        let written = foreign_types::equivalent(text).filter(|written| written != text)?;
        let span = Span { end: self.place_of(end - 1).end, ..self.place_of(begin) };
        let fix = Fix::replace(span, &written);
        Some(Grammar::ForeignType(text.into(), written).at(span).fix(fix))
    }

    /// Return whether this token is the first of a type.
    fn begins_type(&self, at: usize) -> bool {
        self.is_name(at) && at > 0 && matches!(self.word(at - 1), ":" | "of" | "to")
    }

    /// `enum Color { red, green }`, `record P { x: Int }`, `function f(x: Int) : Int return x`.
    fn foreign_declaration(&self) -> Option<Diagnostic> {
        let (clause, name) = (self.word(0), self.word(1));
        let found = self.found();
        let defines = self.expects(Rule::equals) || found == "return" && self.before() == ":";
        if clause == "function" && matches!(found, "return" | "{") && defines {
            return Some(
                self.says(Grammar::FunctionBody(found.into(), name.into()))
                    .fix((found == "return" && self.before() != ":").then(|| Fix::replace(self.span, "="))),
            );
        }
        if self.index < 2 || !matches!(found, "{" | "(" | ":" | "=") {
            return None;
        }
        let inside = self.enclosed(self.index);

        match clause {
            "enum" if self.index == 2 && found != "=" || self.index == 3 && self.before() == "=" => {
                let end = inside.as_ref().map_or(self.span.end, |(_, end)| *end);
                let cases: Vec<usize> = inside
                    .map_or_else(Vec::new, |(range, _)| range.filter(|at| self.word(*at) != ",").collect());
                // Cases have names only, so skip numbers and the like.
                let names = cases.iter().filter(|at| self.is_name(**at)).map(|at| self.word(*at));
                let names: Vec<&str> = names.collect();
                let is_all = !names.is_empty() && names.len() == cases.len();
                let names = if names.is_empty() { "red | green".into() } else { names.join(" | ") };
                let right = format!("enum {name} = {names}");
                let whole = Span { end, ..self.place_of(0) };
                let fix = is_all.then(|| Fix::replace(whole, &right));
                Some(self.says(Grammar::EnumCases(found.into(), right)).fix(fix))
            }
            "record" | "message" if matches!(found, "{" | "=") && self.is_name(self.index - 1) => {
                let fields = self.enclosed(self.index + usize::from(found == "="));
                let fields = fields.map(|(range, end)| (self.slice(range), end));
                let fields =
                    fields.filter(|(text, _)| !text.is_empty() && !text.contains(['\n', ';', '/', '{']));
                let text = fields.map_or("x: Int, y: Bool", |(text, _)| text);
                let right = format!("{}({text})", self.before());
                let fix = fields.map(|(_, end)| {
                    let whole = Span { end, ..self.place_of(self.index - 1) };
                    Fix::replace(whole, &right)
                });
                Some(self.says(Grammar::FieldsInBraces(found.into(), clause.into(), right)).fix(fix))
            }
            _ => None,
        }
    }

    /// `invariant p.x < 3`: pest parsed the first name of the condition as the name of the property.
    fn property_without_name(&self) -> Option<Diagnostic> {
        let kind = self.word(0);
        let sign = self.tokens.get(self.index).is_some_and(|token| token.kind == TokenKind::Sign);
        let early = match self.index {
            // `bound messages <= n`; but not `bound messages: …`, where a keyword is a mistaken name.
            1 => sign || is_reserved(self.found()) && !matches!(self.word(2), ":" | "for"),
            2 => sign && self.found() != ":" && self.word(1) != "var",
            _ => false,
        };
        let quantified = matches!(self.found(), "forall" | "exists" | "some" | "∀" | "∃" | "for");
        if !KINDS.contains(&kind) || !early || quantified {
            return None;
        }
        let first = if self.index == 2 { self.word(1) } else { "" };
        let process = (self.found() == ".").then(|| first.to_string());
        Some(self.says(Grammar::UnnamedProperty(self.found().into(), kind.into(), process)))
    }

    /// `G (x = 0)`, `[] x = 0`, `a U b`: an operator of temporal logic in a property.
    fn temporal_operator(&self) -> Option<Diagnostic> {
        if !KINDS.contains(&self.word(0)) || self.index < 3 {
            return None;
        }
        let is_operator =
            |at: &usize| at < &self.tokens.len() && temporal_equivalent(self.word(*at)).is_some();
        let at = [self.index - 1, self.index].into_iter().find(is_operator)?;
        let equivalent = match self.word(0) {
            "leads" => "`leads NAME: e leads to f` says □ (e ⇒ ◇ f): write the two conditions only",
            _ => temporal_equivalent(self.word(at))?,
        };
        let name = if self.word(2) == ":" { self.word(1) } else { "NAME" };
        let equivalent = equivalent.replace("NAME", name);
        Some(Grammar::TemporalOperator(self.word(at).into(), equivalent).at(self.place_of(at)))
    }

    /// `least p with p.up`: unlike quantifiers, it has no default set.
    fn best_without_set(&self) -> Option<Diagnostic> {
        let best = self.index.checked_sub(2).map(|at| self.word(at))?;
        if !matches!(best, "least" | "greatest") || !matches!(self.found(), "with" | "by" | ":") {
            return None;
        }
        let (found, name) = (self.found().into(), self.before().into());
        Some(self.says(Grammar::BestWithoutSet(found, best.into(), name)))
    }

    /// `wait until …`, `send(M, to = p)`, `choose x in S with g`: statements that pest parsed as something else.
    fn foreign_statement(&self) -> Option<Diagnostic> {
        let last = self.index.min(self.tokens.len().checked_sub(1)?);
        let start = (0..=last).rev().find(|at| self.begins_statement(*at))?;
        let word = self.word(start);
        let found = self.found();
        if word == "choose" && found == "with" && start < self.index {
            let name = self.word(start + 1);
            let set = self.slice(start + 3..self.index);
            return Some(self.says(Grammar::ChooseWith(name.into(), set.into())));
        }
        if word == "send" && self.word(start + 1) == "(" && matches!(found, "to" | "," | "=") {
            return Some(self.says(Grammar::SendInParentheses(found.into())));
        }
        // Another word follows, so it is neither a call nor the target of an assignment.
        let goes_on = start + 1 < self.tokens.len()
            && matches!(self.tokens[start + 1].kind, TokenKind::Word | TokenKind::Int)
            && !self.tokens[start + 1].first_of_line;
        if self.word(0) == "scenario" || start == 0 || start == self.index || !self.is_name(start) || !goes_on
        {
            return None;
        }
        let receives = (start..=last).any(|at| matches!(self.word(at), "arrived" | "received" | "receive"));
        let hint = match word {
            "wait" if receives => Hint::ReceiveWaits,
            // Handled elsewhere.
            "elif" | "elsif" | "elseif" => return None,
            _ => Hint::Word(foreign_equivalent(word)?),
        };
        Some(Grammar::ForeignStatement(word.into()).at(self.place_of(start)).hint(hint))
    }

    /// Return the tokens between a bracket and its partner, and the end of the partner.
    pub(super) fn enclosed(&self, open: usize) -> Option<(Range<usize>, u32)> {
        let closing = match self.word(open) {
            "{" => "}",
            "(" => ")",
            _ => return None,
        };
        let close = (open + 1..self.tokens.len()).find(|at| self.word(*at) == closing)?;
        Some((open + 1..close, self.place_of(close).end))
    }

    /// Return the source text of some tokens.
    pub(super) fn slice(&self, range: Range<usize>) -> &str {
        match (self.tokens.get(range.start), range.end.checked_sub(1).and_then(|last| self.tokens.get(last)))
        {
            (Some(first), Some(last)) if first.start < last.end => &self.text[first.start..last.end],
            _ => "",
        }
    }

    fn is_name(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == TokenKind::Word) && !is_reserved(self.word(at))
    }

    fn place_of(&self, at: usize) -> Span {
        let token = &self.tokens[at];
        Span::new(self.span.file, token.start, token.end)
    }
}
