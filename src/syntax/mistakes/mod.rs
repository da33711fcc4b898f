//! Syntax errors: turn the place where pest stopped into a message in the user's terms.

mod expectation;
mod habits;

use pest::error::{Error, ErrorVariant, InputLocation};

use crate::diagnostic::codes;
use crate::diagnostic::{Diagnostic, Edit, Fix};
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

    fn error(&self, code: crate::diagnostic::Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(code, self.span, message)
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
        Some(
            Diagnostic::error(codes::UNEXPECTED, place, format!("expected a statement, found `{word}`"))
                .note("loops are `do g -> … od`, and `for x in S do … od` over a set"),
        )
    }

    /// Report a frequent mistake, with its fix.
    fn special(&self) -> Option<Diagnostic> {
        let found = self.found();
        match found {
            "=" if self.expects(Rule::assign) => Some(
                self.error(codes::EQUALS_ASSIGNS, "expected `:=`, found `=`")
                    .note("`:=` assigns, `=` compares")
                    .fix(Fix::replace(self.span, ":=")),
            ),
            ":=" | "←" if self.before() == "state" => Some(
                self.error(codes::ASSIGN_COMPARES, "a state cannot be assigned")
                    .note("`become s` enters the state `s`"),
            ),
            ":=" | "←" | "=" if self.index > 1 && self.word(self.index - 2) == "for" => Some(
                self.error(codes::UNEXPECTED, format!("expected `in`, found `{found}`"))
                    .note("loop over a set or list: `for i in 1..3 do … od`"),
            ),
            "->" | "→" if self.expects(Rule::statement) && self.is_sent() => Some(
                self.error(codes::UNEXPECTED, format!("expected `to`, found `{found}`"))
                    .note("write `send M to p`")
                    .fix(Fix::replace(self.span, "to")),
            ),
            "-" if self.touches() && matches!(self.word(0), "algorithm" | "problem") && self.index > 1 => Some(
                self.error(codes::UNEXPECTED, "names cannot contain hyphens")
                    .note(format!("write `{}_…`", self.before())),
            ),
            ":=" | "←" if !self.expects(Rule::assign) => Some(
                self.error(
                    codes::ASSIGN_COMPARES,
                    format!("`{found}` assigns, but no assignment is allowed here"),
                )
                .note("`=` compares and defines")
                .fix(Fix::replace(self.span, "=")),
            ),
            "," if self.word(0) == "enum" => Some(
                self.error(codes::UNEXPECTED, "expected `|`, found `,`")
                    .note("the cases of an enumeration are separated by `|`: `enum Colour = red | green`")
                    .fix(Fix::replace(self.span, " |")),
            ),
            "of" if ["set", "list", "queue", "map"].contains(&self.before().to_lowercase().as_str()) => {
                let (written, place) = self.earlier(1);
                let small = written.to_lowercase();
                Some(
                    Diagnostic::error(codes::UNEXPECTED, place, format!("no type is called `{written}`"))
                        .note(format!("write it in lower case: `{small} of`"))
                        .fix(Fix::replace(place, &small)),
                )
            }
            "|" if self.expects(Rule::expr) || self.expects(Rule::guard) => Some(
                self.error(codes::UNEXPECTED, "an expression does not begin with `|`")
                    .note("the number of elements of S is `size(S)`, the absolute value of x is `abs(x)`"),
            ),
            ":" if self.expects(Rule::statement) && matches!(self.word(0), "operation" | "procedure") => Some(
                self.error(codes::UNEXPECTED, format!("an `{}` has no result type", self.word(0)).replace("an `p", "a `p"))
                    .note("store the result in a variable, or write a `function`"),
            ),
            "from" if self.word(self.index + 2) == "in" && self.word(self.index + 3) == "received" => Some(
                self.error(codes::UNEXPECTED, "`M in received` cannot name the sender")
                    .note("`received M(x) from p` tests for a message from p, in a guard or after `await`"),
            ),
            "," if self.word(0) == "on" && self.expects(Rule::arrow) => Some(
                self.error(codes::NO_ARROW, "expected `->`, found `,`")
                    .note("a handler takes one message: move common statements into a `procedure`"),
            ),
            "," if self.expects(Rule::statement) && !self.expects(Rule::expr) => Some(
                self.error(codes::UNEXPECTED, "expected the next statement, found `,`")
                    .note("statements are separated by `;` or a new line"),
            ),
            "{" if matches!(self.before(), "U" | "u" | "union" | "UNION") => {
                let (word, place) = self.earlier(1);
                Some(
                    Diagnostic::error(codes::UNEXPECTED, place, format!("`{word}` is not an operator of sets"))
                        .note("the union is `S + T`, or `S ∪ T`")
                        .fix(Fix::replace(place, "+")),
                )
            }
            "?" if self.expects(Rule::statement) => Some(
                self.error(codes::UNEXPECTED, "expected the next statement, found `?`")
                    .note("a conditional expression is `if c then a else b`"),
            ),
            "<" if self.expects(Rule::assign) && self.word(self.index + 1) == "-" => Some(
                self.error(codes::EQUALS_ASSIGNS, "expected `:=`, found `<-`")
                    .note("assign with `:=` or `←`"),
            ),
            "from" if self.word(0) == "on" && self.guard_has("when") => Some(
                self.error(codes::NO_ARROW, "expected `->` after the guard, found `from`")
                    .note("the sender precedes the condition: `on M(x) from p when g -> …`"),
            ),
            ":" if self.expects(Rule::arrow) && matches!(self.word(0), "on" | "when" | "after") => Some(
                self.error(codes::NO_ARROW, "expected `->`, found `:`")
                    .note("write the handler `on M(x) -> …`")
                    .fix(Fix::replace(self.span, " ->")),
            ),
            "receive" if self.word(0) == "on" && self.index == 1 => Some(
                self.error(codes::UNEXPECTED, "expected a message, found `receive`")
                    .note("write the handler without `receive`: `on M(x) -> …`")
                    .fix(Fix::new("Remove it", vec![Edit::new(self.span, "")])),
            ),
            ":" if self.index > 1 && ["property", "safety", "liveness", "theorem"].contains(&self.word(self.index - 2)) => {
                let (word, place) = self.earlier(2);
                let kind = if word == "liveness" { "eventually" } else { "invariant" };
                Some(
                    Diagnostic::error(codes::UNEXPECTED, place, format!("no clause begins with `{word}`"))
                        .note("a property begins with its kind: `invariant NAME: e`, `finally NAME: e`, `eventually NAME: e`")
                        .fix(Fix::replace(place, kind)),
                )
            }
            "forall" | "exists" | "some" | "∀" | "∃"
                if self.index == 1
                    && matches!(self.word(0), "invariant" | "finally" | "eventually" | "stable" | "settles") =>
            {
                Some(
                    self.error(codes::UNEXPECTED, format!("expected a name, found `{found}`"))
                        .note(format!("a property begins with a name: `{} safe: {found} p: …`", self.word(0))),
                )
            }
            "for" if self.word(self.index + 1) == "all" => Some(
                self.error(codes::UNEXPECTED, "expected an expression, found `for all`")
                    .note("it is one word: `forall p: …`"),
            ),
            "(" if self.word(0) == "scenario" && self.index == 4 && self.word(2) == "with" => {
                let (_, place) = self.earlier(2);
                Some(
                    Diagnostic::error(codes::UNEXPECTED, place, "expected `on`, found `with`")
                        .note(format!("the network follows `on`: `on {}(…)`", self.before()))
                        .fix(Fix::replace(place, "on")),
                )
            }
            _ if self.before() == "assert" && self.word(0) == "scenario" => {
                let (_, place) = self.earlier(1);
                Some(
                    Diagnostic::error(codes::UNEXPECTED, place, "no line of a scenario begins with `assert`")
                        .note("write `expect` for a condition that must be true")
                        .fix(Fix::replace(place, "expect")),
                )
            }
            "in" if self.word(0) != "scenario" && self.index > 2 && self.word(self.index - 3) == "from" => Some(
                self.error(codes::UNEXPECTED, format!("expected the sender, found `{} {}`", self.word(self.index - 2), self.before()))
                    .note("to receive one message from every member of S write `receive M(v[p]) from each p in S`"),
            ),
            "(" if self.touches() && self.names_only() && is_reserved(self.before()) => {
                let (word, place) = self.earlier(1);
                Some(
                    Diagnostic::error(
                        codes::KEYWORD_AS_NAME,
                        place,
                        format!("`{word}` is a keyword and cannot be a name"),
                    )
                    .note("choose another name"),
                )
            }
            "else" if self.expects(Rule::statement) => Some(
                self.error(codes::ELSE_WITHOUT_BOX, "expected `[]`, found `else`")
                    .note("alternatives are separated by `[]`: `[] otherwise -> …`, or `[] else g -> …`"),
            ),
            "[]" | "□" if self.expects(Rule::statement) => Some(
                self.error(codes::UNEXPECTED, format!("`{found}` outside `if … fi` and `do … od`"))
                    .note("it separates guarded commands: `if g -> … [] g -> … fi`"),
            ),
            "/" => Some(
                self.error(codes::FRACTION, "`/` is not an operator")
                    .note("write `a div b` for integers; a probability is `coin(1/2)`")
                    .fix(Fix::replace(self.span, if self.touches() { " div " } else { "div" })),
            ),
            "." if self.word(self.index + 1).starts_with(|c: char| c.is_ascii_digit()) => Some(
                self.error(codes::FRACTION, "numbers are integers")
                    .note("a probability is written as a fraction: `coin(1/2)`"),
            ),
            "{" if self.expects(Rule::arrow) => Some(
                self.error(codes::NO_ARROW, "expected `->`, found `{`")
                    .note("blocks are written without braces: `if g -> … fi`, `do g -> … od`, `for x in S do … od`"),
            ),
            "await" | "pause" if self.expects(Rule::guard) || self.after_box() => Some(
                self.error(codes::UNEXPECTED, format!("expected a guard, found `{found}`")).note(match found {
                    "await" => "beside `receive` or `after` write the condition alone: `[] x > 0 -> …`",
                    _ => "for a guard that always holds write `true`",
                }),
            ),
            "" if self.expects(Rule::arrow) && self.guard_word() == Some("after") => Some(
                self.error(codes::NO_ARROW, "expected `->` after the time, found the end of the clause")
                    .note("`after e -> …` is a guard or a handler; to wait in a body write `if after e -> skip fi`"),
            ),
            "then" if !self.names_only() => Some(
                self.error(codes::NO_ARROW, "expected `->` after the guard, found `then`")
                    .note("the statement is `if g -> … fi`; `if c then a else b` is an expression")
                    .fix(Fix::replace(self.span, "->")),
            ),
            ":" if self.expects(Rule::k_do) => Some(
                self.error(codes::UNEXPECTED, "expected `do`, found `:`")
                    .note("the loop is `for x in S do … od`, whatever the indentation"),
            ),
            ":" | "=" | ":=" if self.after_setting() => Some(
                self.error(codes::UNEXPECTED, format!("a setting has no `{found}` after its name"))
                    .note("the value follows: `with seed 7, schedule random`")
                    .fix(Fix::new("Remove the sign", vec![Edit::new(self.span, "")])),
            ),
            "(" if self.expects(Rule::statement) && self.after_name() => Some(
                self.error(codes::UNEXPECTED, format!("white space between `{}` and `(`", self.before()))
                    .note("the parenthesis of a call directly follows the name: `f(x)`, not `f (x)`")
                    .fix(self.gap().map(|gap| Fix::new("Remove the gap", vec![Edit::new(gap, "")]))),
            ),
            "and" | "∧" | "&&" if self.expects(Rule::arrow) && self.guard_has("receive") => Some(
                self.error(codes::NO_ARROW, format!("expected `->` or `when`, found `{found}`"))
                    .note("the condition of an input guard follows `when`: `receive M(x) when g -> …`")
                    .fix(Fix::replace(self.span, "when")),
            ),
            _ if ["elif", "elsif", "elseif"].contains(&self.word(self.index.saturating_sub(2))) => {
                let (word, place) = self.earlier(2);
                Some(
                    Diagnostic::error(
                        codes::ELSE_WITHOUT_BOX,
                        place,
                        format!("expected `[]`, found `{word}`"),
                    )
                    .note("alternatives are separated by `[]`: `[] else g -> …`")
                    .fix(Fix::replace(place, "[] else")),
                )
            }
            _ if self.before() == "return" && self.word(0) == "function" => {
                let (_, place) = self.earlier(1);
                Some(
                    Diagnostic::error(codes::UNEXPECTED, place, "`return` does not exist in this language")
                        .note("a function is an expression: `function f(x) = e`")
                        .fix(Fix::new("Remove it", vec![Edit::new(place, "")])),
                )
            }
            _ if found.starts_with(|c: char| c.is_ascii_digit())
                && self.word(0) == "scenario"
                && self.index > 1
                && self.word(self.index - 2) == "on" =>
            {
                Some(
                    self.error(codes::UNEXPECTED, format!("white space between `{}` and `{found}`", self.before()))
                        .note(format!("enclose sizes in parentheses: `{}({found})`", self.before())),
                )
            }
            "receive" if ["and", "∧", "or", "∨", "not", "¬"].contains(&self.before()) => Some(
                self.error(codes::UNEXPECTED, "`receive` is not allowed in a condition")
                    .note("the condition of an input guard follows `when`: `receive M(x) when g -> …`"),
            ),
            _ if self.before() == "send" && self.expects(Rule::expr) => Some(
                self.error(codes::UNEXPECTED, format!("expected a message or value, found {}", self.shown()))
                    .note("write `send M` or `send M(x) to p`"),
            ),
            _ if STATEMENT_WORDS.contains(&found) && self.expects(Rule::expr) => Some(
                self.error(codes::UNEXPECTED, format!("expected an expression, found the statement `{found}`"))
                    .note(match self.word(0) {
                        _ if self.before() == "await" => "to wait for a message write only `receive M(x)`",
                        "function" => "a function has only a value: for statements write a `procedure`",
                        _ => "statements are allowed only after `->` or in a body",
                    }),
            ),
            "" if self.expects(Rule::arrow) && self.word(0) == "when" => Some(
                self.error(codes::NO_ARROW, "expected `->` after the condition, found the end of the clause")
                    .note("`when` begins a handler; a `receive` with a condition is a guard: `if receive M(x) when g -> … fi`"),
            ),
            // The next clause begins in the middle of a line: the text before it is a statement.
            _ if self.expects(Rule::arrow)
                && !found.is_empty()
                && self.word(0) == "when"
                && !self.tokens[0].first_of_line =>
            {
                Some(
                    self.error(codes::NO_ARROW, format!("expected `->` after the condition, found {}", self.shown()))
                        .note("only a `receive` in a guard has a condition: `if receive M(x) when g -> … fi`"),
                )
            }
            _ if self.word(0) == "assumes" && found.starts_with(|c: char| c.is_ascii_digit()) => Some(
                self.error(codes::UNEXPECTED, format!("expected an assumption, found {}", self.shown()))
                    .note("only the size precedes the comparison sign: `n >= 3`, `n in 3..9`"),
            ),
            _ if self.expects(Rule::arrow) && !found.is_empty() && self.after_guard() => Some(
                self.error(codes::NO_ARROW, format!("expected `->` after the guard, found {}", self.shown()))
                    .note("a guarded command is `guard -> statements`"),
            ),
            _ if self.names_only() && is_reserved(found) => Some(
                self.error(codes::KEYWORD_AS_NAME, format!("`{found}` is a keyword and cannot be a name"))
                    .note("choose another name"),
            ),
            _ => None,
        }
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

    fn shown(&self) -> String {
        let found = self.found();
        if found.is_empty() {
            return "the end of the clause".into();
        }
        let short: String = found.chars().take(40).collect();
        format!("`{short}`")
    }

    fn general(&self) -> Diagnostic {
        let found = self.shown();
        let expected = self.expected_words();
        let message = match expected.split_last() {
            None => format!("{found} is not allowed here"),
            Some((last, [])) => format!("expected {last}, found {found}"),
            Some((last, others)) => format!("expected {} or {last}, found {found}", others.join(", ")),
        };
        let finding = self.error(codes::UNEXPECTED, message);
        match self.hint() {
            Some((hint, fix)) => finding.note(hint).fix(fix),
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

    fn hint(&self) -> Option<(String, Option<Fix>)> {
        let found = self.found();
        if found == "}" || found == "{" {
            let blocks =
                "blocks are written without braces: `if g -> … fi`, `do g -> … od`, `for x in S do … od`";
            return Some((blocks.into(), None));
        }
        let near = nearest(found, &self.expected_keywords());
        if let Some(meant) = near.filter(|meant| *meant != found) {
            return Some((format!("did you mean `{meant}`?"), Some(Fix::replace(self.span, meant))));
        }
        // `sned M`: the call `sned`, then a value, with which no statement begins. `snd M to p`: stops at `to`.
        let first = (self.index.saturating_sub(4)..=self.index)
            .rev()
            .filter(|index| self.tokens.get(*index).is_some_and(|t| t.kind == TokenKind::Word))
            .filter(|index| self.begins_statement(*index))
            .find_map(|index| {
                let word = self.word(index);
                let words = if self.word(0) == "scenario" { LINE_WORDS } else { STATEMENT_WORDS };
                let meant = nearest(word, words).filter(|meant| *meant != word && !is_reserved(word))?;
                let token = &self.tokens[index];
                let place = Span::new(self.span.file, token.start, token.end);
                let hint = format!("did you mean `{meant}` instead of `{word}`?");
                Some((hint, Some(Fix::replace(place, meant))))
            });
        first.or_else(|| match self.before() {
            _ if found == "to" && self.expects(Rule::statement) => {
                Some(("to send a message write `send M(x) to p`".into(), None))
            }
            _ if self.expected_words() == ["`:`"] => {
                let binder = ["count", "sum", "forall", "∀", "exists", "∃", "some"];
                let word = (0..self.index).rev().map(|i| self.word(i)).find(|word| binder.contains(word))?;
                Some((format!("the body of a quantifier follows a colon: `{word} x in S with g: e`"), None))
            }
            _ if self.word(0) == "var" && STATEMENT_WORDS.contains(&found) => Some((
                "variables are declared outside bodies; inside a body `x := e` declares a local".into(),
                None,
            )),
            ":=" if found.is_empty() => Some(("the value is missing".into(), None)),
            _ if self.expects(Rule::statement) && matches!(found, "(" | "[" | "{" | "-") => Some((
                "no statement begins with a bracket or a sign; `f (x)` is not a call, `f(x)` is".into(),
                None,
            )),
            _ => None,
        })
    }
}
