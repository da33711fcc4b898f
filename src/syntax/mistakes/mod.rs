//! Syntax errors: turn the place where pest stopped into a message in the user's terms.

mod expectation;
mod habits;
mod separators;

use pest::error::{Error, ErrorVariant, InputLocation};

use crate::diagnostic::{Diagnostic, Edit, Fix, Grammar, Hint};
use crate::prose::foreign_equivalent;
use crate::source::Span;
use crate::syntax::labels::{AN_OPERATOR, Label, label};
use crate::syntax::nearest::nearest;
use crate::syntax::nesting;
use crate::syntax::rule::Rule;
use crate::syntax::tokens::{Token, TokenKind, is_reserved};

/// Maximum number of alternatives in a message; longer lists are not helpful.
const MAX_EXPECTED: usize = 4;

const STATEMENT_WORDS: &[&str] = &[
    "skip", "send", "receive", "await", "become", "halt", "pause", "round", "transmit", "listen", "remove",
    "choose",
];

const LINE_WORDS: &[&str] = &[
    "initially",
    "hold",
    "release",
    "deliver",
    "wake",
    "crash",
    "restart",
    "suspect",
    "trust",
    "lose",
    "duplicate",
    "cut",
    "delay",
    "mislead",
    "at",
    "choose",
    "step",
    "expire",
    "cycle",
    "expect",
];

/// The number of tokens before the place where pest stopped among which a misspelt keyword is sought.
const TOKENS_OF_A_STATEMENT: usize = 16;

/// Keywords of loops in other languages.
const LOOPS: &[&str] = &["while", "repeat", "loop", "until"];

/// The result of pest, with the tokens around the place.
struct Stop<'t> {
    text: &'t str,
    tokens: &'t [Token],
    /// Index of the token that pest rejected; past the last one for the end of the clause.
    index: usize,
    span: Span,
    expected: Vec<Rule>,
}

/// Return the diagnostic for pest's error. `tokens` are those of the clause that starts at `offset`.
pub fn explain(file: u32, text: &str, offset: usize, tokens: &[Token], error: &Error<Rule>) -> Diagnostic {
    let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
    let at = at + offset;
    let index = tokens.partition_point(|token| token.end <= at);
    let span = match tokens.get(index) {
        Some(token) => Span::new(file, token.start, token.end),
        // The end of the last token, where something is missing.
        None => {
            let end = tokens.last().map_or(offset, |token| token.end);
            Span::new(file, end, end)
        }
    };
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else {
        // pest's own guard against stack overflow.
        return nesting::too_deep(span);
    };
    let stop = Stop { text, tokens, index, span, expected: positives.clone() };
    stop.foreign_loop()
        .or_else(|| stop.mixed_expectation())
        .or_else(|| stop.separator())
        .or_else(|| stop.habit())
        .or_else(|| stop.special())
        .unwrap_or_else(|| stop.general())
}

impl Stop<'_> {
    fn word(&self, index: usize) -> &str {
        self.tokens.get(index).map_or("", |token| token.text(self.text))
    }

    fn found(&self) -> &str {
        self.word(self.index)
    }

    fn before(&self) -> &str {
        if self.index == 0 { "" } else { self.word(self.index - 1) }
    }

    fn expects(&self, rule: Rule) -> bool {
        self.expected.contains(&rule)
    }

    /// Return the finding at the place where pest stopped.
    fn says(&self, finding: Grammar) -> Diagnostic {
        finding.at(self.span)
    }

    /// `while x < 3 do`: pest parses two calls, and then an unexpected token.
    fn foreign_loop(&self) -> Option<Diagnostic> {
        // As a name it could be called, indexed and assigned.
        let is_name = |index: usize| {
            let next = self.word(index + 1);
            matches!(next, ":=" | "←" | "," | "." | "[" | "" | ";")
                || next == "(" && self.tokens[index + 1].touches
        };
        let last = self.index.min(self.tokens.len().checked_sub(1)?);
        let index = (last.saturating_sub(8)..=last)
            .rev()
            .find(|i| LOOPS.contains(&self.word(*i)) && self.begins_statement(*i) && !is_name(*i))?;
        let (word, token) = (self.word(index), &self.tokens[index]);
        let place = Span::new(self.span.file, token.start, token.end);
        Some(Grammar::ForeignLoop(word.into()).at(place))
    }

    /// Report a frequent mistake, with its fix.
    #[allow(clippy::too_many_lines, reason = "a table: one row for each mistake")]
    fn special(&self) -> Option<Diagnostic> {
        let found = self.found();
        let (first, before) = (self.word(0), self.before());
        let here = |finding: Grammar| self.says(finding);
        Some(match found {
            "=" if self.expects(Rule::assign) => {
                here(Grammar::EqualsAssigns).fix(Fix::replace(self.span, ":=").certain())
            }
            ":" if self.expects(Rule::assign) && self.word(self.index + 1) == "=" => {
                let place = Span { end: self.tokens[self.index + 1].end as u32, ..self.span };
                Grammar::AssignmentInTwo.at(place).fix(Fix::replace(place, ":=").certain())
            }
            // In a declaration, the type would follow the colon.
            "=" if before == ":" && matches!(first, "var" | "persistent") => {
                let place = Span { start: self.earlier(1).1.start, ..self.span };
                Grammar::AssignmentInTwo.at(place).fix(Fix::replace(place, ":=").certain())
            }
            ":=" | "←" if before == "state" => here(Grammar::StateAssigned),
            _ if before == "each" && self.index > 1 && self.word(self.index - 2) == "for" => {
                let (_, place) = self.earlier(1);
                let hint = foreign_equivalent("foreach").map(Hint::Word);
                Grammar::ForeignStatement("for each".into()).at(place).hint(hint).fix(Fix::remove(place))
            }
            ":=" | "←" | "=" if self.index > 1 && self.word(self.index - 2) == "for" => {
                here(Grammar::LoopWithoutIn(found.into()))
            }
            "with" if self.expects(Rule::bar) => {
                here(Grammar::WithInDisplay).fix(Fix::replace(self.span, "|"))
            }
            "->" | "→" if self.expects(Rule::statement) && self.is_sent() => {
                here(Grammar::SendWithArrow(found.into())).fix(Fix::replace(self.span, "to"))
            }
            "-" if self.touches() && matches!(first, "algorithm" | "problem") && self.index > 1 => {
                here(Grammar::HyphenInName(before.into()))
            }
            ":=" | "←" if !self.expects(Rule::assign) => {
                here(Grammar::NoAssignment(found.into())).fix(Fix::replace(self.span, "="))
            }
            "initially" if self.expects(Rule::assign) && matches!(first, "var" | "persistent") => {
                here(Grammar::InitiallyOfVariable).fix(Fix::replace(self.span, ":=").certain())
            }
            "," if first == "enum" => here(Grammar::CommaInEnum).fix(Fix::replace(self.span, " |")),
            "of" if ["set", "list", "queue", "map"].contains(&before.to_lowercase().as_str()) => {
                let (written, place) = self.earlier(1);
                let small = written.to_lowercase();
                let fix = Fix::replace(place, &small);
                Grammar::CapitalType(written.into(), small).at(place).fix(fix)
            }
            "|" if self.expects(Rule::expr) || self.expects(Rule::guard) => {
                here(Grammar::BarBeginsExpression)
            }
            ":" if self.expects(Rule::statement) && matches!(first, "operation" | "procedure") => {
                here(Grammar::RoutineHasNoResult(first.into()))
            }
            "from" if self.word(self.index + 2) == "in" && self.word(self.index + 3) == "received" => {
                here(Grammar::SenderInReceived)
            }
            "," if first == "on" && self.expects(Rule::arrow) && self.is_condition(self.index + 1) => {
                here(Grammar::ConditionAfterComma).fix(Fix::replace(self.span, " when"))
            }
            "," if first == "on" && self.expects(Rule::arrow) => here(Grammar::CommaInHandler),
            "and" | "∧" | "&&" if first == "on" && self.expects(Rule::arrow) => {
                here(Grammar::ConditionOfHandler(found.into())).fix(Fix::replace(self.span, "when"))
            }
            "message" if matches!(before, "on" | "receive" | "send") => {
                here(Grammar::MessageInHandler(before.into())).fix(Fix::remove(self.span))
            }
            "(" if first == "assumes" => {
                let size = self.enclosed(self.index).map_or("4", |(range, _)| self.slice(range));
                here(Grammar::SizeInAssumption(before.into(), size.into()))
            }
            _ if first == "always" && self.index == 1 => here(Grammar::AlwaysIsSection(found.into())),
            "(" if self.touches() && matches!(before, "halt" | "pause" | "round" | "skip") => {
                let whole = self.enclosed(self.index).filter(|(inside, _)| inside.is_empty());
                let fix = whole.map(|(_, end)| Fix::remove(Span { end, ..self.span }));
                here(Grammar::NoArguments(before.into())).fix(fix)
            }
            _ if first == "initial" && self.index == 1 => here(Grammar::InitialBlock(found.into())),
            _ if before == "all" && self.word(self.index + 1) == ":" => {
                let (_, place) = self.earlier(1);
                Grammar::ForAllWord.at(place).fix(Fix::replace(place, "forall"))
            }
            ":" if self.expects(Rule::statement)
                && self.index == 2
                && matches!(first, "state" | "role" | "procedure" | "operation") =>
            {
                here(Grammar::ColonAfterName(format!("{first} {before}"))).fix(Fix::remove(self.span))
            }
            "to" if self.index > 1 && self.word(self.index - 2) == "timer" => {
                here(Grammar::TimerTo).fix(Fix::replace(self.span, "after"))
            }
            "-" if self.expects(Rule::statement) && self.word(self.index + 1) == "-" => {
                here(Grammar::DashComment)
            }
            "then"
                if matches!(self.guard_word(), Some("on" | "when" | "after"))
                    && self.expects(Rule::arrow) =>
            {
                here(Grammar::ThenInHandler(first.into())).fix(Fix::replace(self.span, "->"))
            }
            "," if self.expects(Rule::statement) && !self.expects(Rule::expr) => {
                here(Grammar::CommaAfterStatement)
            }
            "{" if matches!(before, "U" | "u" | "union" | "UNION") => {
                let (word, place) = self.earlier(1);
                Grammar::NotASetOperator(word.into()).at(place).fix(Fix::replace(place, "+"))
            }
            "?" if self.expects(Rule::statement) => here(Grammar::QuestionMark),
            "<" if self.expects(Rule::assign) && self.word(self.index + 1) == "-" => {
                here(Grammar::ArrowAssigns)
            }
            "from" if first == "on" && self.guard_has("when") => here(Grammar::SenderAfterCondition),
            ":" if self.expects(Rule::arrow) && matches!(first, "on" | "when" | "after") => {
                let found = match self.guard_word().unwrap_or(first) {
                    "when" if first == "on" => Grammar::ColonInHandler("on when".into()),
                    word @ ("on" | "when" | "after") => Grammar::ColonInHandler(word.into()),
                    "do" => Grammar::ColonAfterGuard("do".into()),
                    _ => Grammar::ColonAfterGuard("if".into()),
                };
                here(found).fix(Fix::replace(self.span, " ->"))
            }
            "receive" if first == "on" && self.index == 1 => {
                here(Grammar::ReceiveInHandler).fix(Fix::remove(self.span))
            }
            ":" if self.index > 1
                && ["property", "safety", "liveness", "theorem"].contains(&self.word(self.index - 2)) =>
            {
                let (word, place) = self.earlier(2);
                Grammar::no_property(word, place)
            }
            "forall" | "exists" | "some" | "∀" | "∃"
                if self.index == 1
                    && matches!(first, "invariant" | "finally" | "eventually" | "stable" | "settles") =>
            {
                here(Grammar::UnnamedQuantifier(first.into(), found.into()))
            }
            "for" if self.word(self.index + 1) == "all" => here(Grammar::ForAll),
            "(" if first == "scenario" && self.index == 4 && self.word(2) == "with" => {
                let (_, place) = self.earlier(2);
                Grammar::NetworkWithoutOn(before.into()).at(place).fix(Fix::replace(place, "on"))
            }
            _ if before == "assert" && first == "scenario" => {
                let (_, place) = self.earlier(1);
                Grammar::Assert.at(place).fix(Fix::replace(place, "expect"))
            }
            "in" if first != "scenario" && self.index > 2 && self.word(self.index - 3) == "from" => {
                here(Grammar::SenderExpected(self.word(self.index - 2).into(), before.into()))
            }
            "(" if self.touches() && self.names_only() && is_reserved(before) => {
                let (word, place) = self.earlier(1);
                Grammar::KeywordAsName(word.into()).at(place)
            }
            "else" if self.expects(Rule::statement) => here(Grammar::Else),
            "[]" | "□" if self.expects(Rule::statement) => here(Grammar::BoxOutsideBlock(found.into())),
            "/" => {
                let div = if self.touches() { " div " } else { "div" };
                here(Grammar::Slash).fix(Fix::replace(self.span, div))
            }
            "." if self.word(self.index + 1).starts_with(|c: char| c.is_ascii_digit()) => {
                here(Grammar::Fraction)
            }
            "{" if self.expects(Rule::arrow) => here(Grammar::BraceAfterGuard),
            "await" if self.expects(Rule::guard) || self.after_box() => here(Grammar::AwaitAsGuard),
            "pause" if self.expects(Rule::guard) || self.after_box() => here(Grammar::PauseAsGuard),
            "" if self.expects(Rule::arrow) && self.guard_word() == Some("after") => {
                here(Grammar::AfterWithoutArrow)
            }
            "then" if !self.names_only() => here(Grammar::Then).fix(Fix::replace(self.span, "->")),
            ":" if self.expects(Rule::k_do) => here(Grammar::ColonInLoop),
            ":" | "=" | ":=" if self.after_setting() => here(Grammar::SignInSetting(found.into()))
                .fix(Fix::new("Remove the sign", vec![Edit::new(self.span, "")])),
            "(" if self.expects(Rule::statement) && self.after_name() => {
                here(Grammar::GapBeforeCall(before.into()))
                    .fix(self.gap().map(|gap| Fix::new("Remove the gap", vec![Edit::new(gap, "")])))
            }
            "and" | "∧" | "&&" if self.expects(Rule::arrow) && self.guard_has("receive") => {
                here(Grammar::AndAfterReceive(found.into())).fix(Fix::replace(self.span, "when"))
            }
            _ if ["elif", "elsif", "elseif"].contains(&self.word(self.index.saturating_sub(2))) => {
                let (word, place) = self.earlier(2);
                Grammar::ElseIf(word.into()).at(place).fix(Fix::replace(place, "[] otherwise"))
            }
            _ if before == "return" && first == "function" => {
                let (_, place) = self.earlier(1);
                Grammar::Return.at(place).fix(Fix::remove(place))
            }
            _ if found.starts_with(|c: char| c.is_ascii_digit())
                && first == "scenario"
                && self.index > 1
                && self.word(self.index - 2) == "on" =>
            {
                here(Grammar::GapBeforeSize(before.into(), found.into()))
            }
            "receive" if ["and", "∧", "or", "∨", "not", "¬"].contains(&before) => {
                here(Grammar::ReceiveInCondition)
            }
            _ if before == "send" && self.expects(Rule::expr) => here(Grammar::SendNothing(found.into())),
            _ if STATEMENT_WORDS.contains(&found) && self.expects(Rule::expr) => {
                here(Grammar::StatementAsExpression(found.into())).hint(match first {
                    _ if before == "await" => Some(Hint::AwaitMessage),
                    "function" => Some(Hint::FunctionIsValue),
                    _ => None,
                })
            }
            "" if self.expects(Rule::arrow) && first == "when" => here(Grammar::WhenWithoutArrow),
            // The next clause begins in the middle of a line: the text before it is a statement.
            _ if self.expects(Rule::arrow)
                && !found.is_empty()
                && first == "when"
                && !self.tokens[0].first_of_line =>
            {
                here(Grammar::ConditionWithoutArrow(found.into()))
            }
            _ if first == "assumes" && found.starts_with(|c: char| c.is_ascii_digit()) => {
                here(Grammar::SizeExpected(found.into()))
            }
            _ if self.expects(Rule::arrow) && !found.is_empty() && self.after_guard() => {
                here(Grammar::GuardWithoutArrow(found.into()))
            }
            _ if self.names_only() && is_reserved(found) => here(Grammar::KeywordAsName(found.into())),
            _ => return None,
        })
    }

    /// Return whether there is a comparison between this token and the next arrow.
    fn is_condition(&self, at: usize) -> bool {
        let words =
            (at..self.tokens.len()).map(|at| self.word(at)).take_while(|word| !matches!(*word, "->" | "→"));
        words
            .into_iter()
            .any(|word| matches!(word, "=" | "!=" | "≠" | "<" | ">" | "<=" | "≤" | ">=" | "≥" | "not" | "in"))
    }

    /// Return whether the token directly follows the previous one.
    fn touches(&self) -> bool {
        self.tokens.get(self.index).is_some_and(|token| token.touches)
    }

    /// Return whether the previous token is the name of a setting: in the header of a scenario, after `with` or a comma.
    fn after_setting(&self) -> bool {
        let header =
            (0..self.index).rev().map(|i| self.word(i)).take_while(|word| !LINE_WORDS.contains(word));
        self.word(0) == "scenario"
            && self.index > 2
            && matches!(self.word(self.index - 2), "with" | ",")
            && header.into_iter().any(|word| word == "with")
    }

    /// Return the gap before the token.
    fn gap(&self) -> Option<Span> {
        let before = self.tokens.get(self.index.checked_sub(1)?)?;
        Some(Span { start: before.end as u32, end: self.span.start, ..self.span })
    }

    /// Return whether the preceding statement is a `send` without its destination.
    fn is_sent(&self) -> bool {
        let words = (0..self.index).rev().map(|i| self.word(i));
        let statement = words.take_while(|word| *word != "to" && !matches!(*word, "->" | "→" | ";"));
        statement.into_iter().find(|word| STATEMENT_WORDS.contains(word)) == Some("send")
    }

    /// Return whether a guard begins here: after `if`, `do` or a box.
    fn after_box(&self) -> bool {
        matches!(self.before(), "if" | "do" | "[]" | "□")
    }

    /// Return the word that begins the current guard or handler, if it is on the line of the place.
    fn guard_word(&self) -> Option<&str> {
        let openings = ["after", "when", "on", "if", "do", "[]", "□", "->", "→"];
        (0..self.index).rev().map(|i| self.word(i)).find(|word| openings.contains(word))
    }

    /// Return an earlier token, with its place.
    fn earlier(&self, back: usize) -> (&str, Span) {
        let index = self.index.saturating_sub(back);
        let token = &self.tokens[index];
        (self.word(index), Span::new(self.span.file, token.start, token.end))
    }

    /// Return whether the part of the guard before this place contains the word.
    fn guard_has(&self, word: &str) -> bool {
        let ends = ["if", "do", "[]", "□", "->", "→"];
        (0..self.index).rev().map(|i| self.word(i)).take_while(|w| !ends.contains(w)).any(|w| w == word)
    }

    fn names_only(&self) -> bool {
        let names = [Rule::name, Rule::pattern, Rule::binders, Rule::binder, Rule::message_decl, Rule::param];
        !self.expected.is_empty() && self.expected.iter().any(|rule| names.contains(rule))
    }

    /// Return whether this is a handler or branch, not a scenario, where `->` joins two processes.
    fn after_guard(&self) -> bool {
        self.word(0) != "scenario"
    }

    /// Return whether a statement may begin with this token: it starts a line, or follows the end of another statement.
    fn begins_statement(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.first_of_line)
            || at > 0 && matches!(self.word(at - 1), "->" | "→" | ";" | "do")
    }

    /// Return whether the previous token is a name and not a keyword.
    fn after_name(&self) -> bool {
        self.index > 0
            && self.tokens[self.index - 1].kind == TokenKind::Word
            && !is_reserved(self.before())
            && self.tokens.get(self.index).is_some_and(|t| !t.touches)
    }

    fn general(&self) -> Diagnostic {
        let finding = self.says(Grammar::Expected(self.expected_words(), self.found().into()));
        match self.hint() {
            Some((hint, fix)) => finding.hint(hint).fix(fix),
            None => finding,
        }
    }

    /// Return what was expected: without operators if something more specific was expected, and without repetitions.
    fn expected_words(&self) -> Vec<&'static str> {
        // The continuations of an expression are not helpful where a statement may begin.
        if self.expects(Rule::statement) {
            let assigns = self.expects(Rule::assign).then_some("`:=`");
            return assigns.into_iter().chain(["the next statement"]).collect();
        }
        let mut telling = Vec::new();
        let mut more = Vec::new();
        for rule in &self.expected {
            let (list, words) = match label(*rule) {
                Label::Part(words) | Label::Sign(words) => (&mut telling, words),
                Label::Continuation(words) => (&mut more, words),
                Label::Silent => continue,
            };
            if !list.contains(&words) {
                list.push(words);
            }
        }
        // Every value may be called or indexed, but that is never the missing part.
        if telling.len() > 1 {
            telling.retain(|words| !matches!(*words, "`(`" | "`[`"));
        }
        if telling.is_empty() && (more.len() > 2 || more.contains(&AN_OPERATOR)) {
            return vec![AN_OPERATOR];
        }
        let mut words = if telling.is_empty() { more } else { telling };
        // The most likely intention comes first.
        words.sort_by_key(|words| !words.starts_with("a"));
        words.truncate(MAX_EXPECTED);
        words
    }

    fn expected_keywords(&self) -> Vec<&'static str> {
        let words = self.expected.iter().filter_map(|rule| match label(*rule) {
            Label::Sign(words) => Some(words.trim_matches('`')),
            Label::Part("`solves`") => Some("solves"),
            _ => None,
        });
        words.collect()
    }

    fn hint(&self) -> Option<(Hint, Option<Fix>)> {
        let found = self.found();
        if found == "}" || found == "{" {
            return Some((Hint::NoBraces, None));
        }
        let near = nearest(found, &self.expected_keywords());
        if let Some(meant) = near.filter(|meant| *meant != found) {
            return Some((Hint::DidYouMean(meant.into()), Some(Fix::replace(self.span, meant))));
        }
        // `sned M`: the call `sned`, then a value, with which no statement begins. `snd M to p`: stops at `to`.
        let first = (self.index.saturating_sub(TOKENS_OF_A_STATEMENT)..=self.index)
            .rev()
            .filter(|index| self.tokens.get(*index).is_some_and(|t| t.kind == TokenKind::Word))
            .filter(|index| self.begins_statement(*index))
            .take(2)
            // Variables have names that resemble keywords, such as `sent`.
            .filter(|index| !matches!(self.word(index + 1), ":=" | "←" | "=" | "." | "[" | ","))
            .find_map(|index| {
                let word = self.word(index);
                let words = if self.word(0) == "scenario" { LINE_WORDS } else { STATEMENT_WORDS };
                let meant = nearest(word, words).filter(|meant| *meant != word && !is_reserved(word))?;
                let token = &self.tokens[index];
                let place = Span::new(self.span.file, token.start, token.end);
                let hint = Hint::DidYouMeanInstead(meant.into(), word.into());
                Some((hint, Some(Fix::replace(place, meant))))
            });
        first.or_else(|| match self.before() {
            _ if found == "to" && self.expects(Rule::statement) => Some((Hint::WriteSend, None)),
            _ if self.expected_words() == ["`:`"] => {
                let binder = ["count", "sum", "forall", "∀", "exists", "∃", "some"];
                let word = (0..self.index).rev().map(|i| self.word(i)).find(|word| binder.contains(word))?;
                Some((Hint::QuantifierBody(word.into()), None))
            }
            _ if self.word(0) == "var" && STATEMENT_WORDS.contains(&found) => {
                Some((Hint::LocalsInBodies, None))
            }
            ":=" if found.is_empty() => Some((Hint::ValueMissing, None)),
            _ if self.expects(Rule::statement) && matches!(found, "(" | "[" | "{" | "-") => {
                Some((Hint::BracketBeginsStatement, None))
            }
            _ => None,
        })
    }
}
