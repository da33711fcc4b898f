//! Classification of text typed at a prompt: the kind of input, and whether it is complete.

use super::nesting::Nesting;
use super::tokens::{TokenKind, tokens};
use crate::diagnostic::{Diagnostic, codes};

/// The kind of a text, by its first words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typed {
    /// Only white space and comments.
    Nothing,
    /// A clause; with a body it may continue on further lines.
    Clause { body: bool },
    /// A statement, which is allowed only in a clause.
    Statement,
    /// Anything else, tried as an expression.
    Expression,
}

/// Classify a text by its first words.
pub fn classify(text: &str) -> Typed {
    let all = tokens(text);
    let mut tokens = all.iter().filter(|t| !matches!(t.kind, TokenKind::Comment | TokenKind::Doc));
    let mut next = || tokens.next().map_or("", |token| token.text(text));
    let (first, second, third) = (next(), next(), next());
    match first {
        "" => Typed::Nothing,
        "algorithm" | "problem" | "assumes" | "uses" | "message" | "enum" | "record" | "const" | "param"
        | "var" | "output" | "function" | "defer" | "ignore" | "invariant" | "finally" | "eventually" => {
            Typed::Clause { body: false }
        }
        "stamps" if second == "notes" => Typed::Clause { body: false },
        "persistent" if second == "var" => Typed::Clause { body: false },
        "stable" if second == "var" || matches!(third, ":" | "for") => Typed::Clause { body: false },
        "bound" | "exactly" | "order" | "leads" | "settles" if matches!(third, ":" | "for") => {
            Typed::Clause { body: false }
        }
        "role" | "process" | "state" | "initial" | "always" | "procedure" | "operation" | "client"
        | "scenario" | "on" | "when" | "after" => Typed::Clause { body: true },
        "send" | "receive" | "await" | "do" | "for" | "become" | "halt" | "skip" | "pause" | "round"
        | "transmit" | "listen" | "choose" | "remove" => Typed::Statement,
        "if" if all.iter().all(|t| t.text(text) != "then") => Typed::Statement,
        _ if all.iter().any(|t| matches!(t.text(text), ":=" | "←")) => Typed::Statement,
        _ => Typed::Expression,
    }
}

/// Return whether the text is incomplete: a closing bracket, `fi`, `od`, or an operand must follow.
pub fn is_incomplete(text: &str) -> bool {
    let all = tokens(text);
    let mut nesting = Nesting::new(0, text);
    let mut last = "";
    for token in &all {
        if !matches!(token.kind, TokenKind::Comment | TokenKind::Doc) {
            // Errors are reported when the text is parsed.
            let _ = nesting.feed(token);
            last = token.text(text);
        }
    }
    let goes_on = matches!(
        last,
        "," | ":"
            | ":="
            | "←"
            | "="
            | "!="
            | "≠"
            | "<"
            | ">"
            | "<="
            | "≤"
            | ">="
            | "≥"
            | "+"
            | "-"
            | "and"
            | "∧"
            | "or"
            | "∨"
            | "not"
            | "¬"
            | "implies"
            | "⇒"
            | "iff"
            | "⇔"
            | "in"
            | "∈"
            | "∉"
            | "div"
            | "mod"
            | "then"
            | "else"
            | "with"
    );
    !nesting.is_flat() || goes_on
}

/// Report a bracket that is not closed.
pub fn unclosed(text: &str) -> Option<Diagnostic> {
    let mut nesting = Nesting::new(0, text);
    let all = tokens(text);
    let code = all.iter().filter(|t| !matches!(t.kind, TokenKind::Comment | TokenKind::Doc));
    let mut found: Vec<Diagnostic> = code.filter_map(|token| nesting.feed(token)).collect();
    found.extend(nesting.finish());
    found.into_iter().find(|finding| finding.code() == codes::BRACKET_NOT_CLOSED)
}

/// Return whether a clause with a body is complete on its line: `on M(x) -> skip` is, `state s` may continue.
pub fn is_complete_on_line(text: &str) -> bool {
    let all = tokens(text);
    let mut words = all.iter().map(|token| token.text(text));
    let handler = matches!(words.next(), Some("on" | "when" | "after"));
    let arrow = all.iter().position(|token| matches!(token.text(text), "->" | "→"));
    handler
        && !text.trim().contains('\n')
        && arrow.is_some_and(|at| at + 1 < all.len())
        && !is_incomplete(text)
}

/// Class of a part of a text, for highlighting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenClass {
    Keyword,
    Number,
    Text,
    Comment,
    /// Text that is not allowed in a program.
    Wrong,
    Other,
}

/// Return the parts of a text with their classes, in order, without the white space between them.
pub fn classes(text: &str) -> Vec<(std::ops::Range<usize>, TokenClass)> {
    let class = |token: &super::tokens::Token| match token.kind {
        TokenKind::Word if super::is_reserved(token.text(text)) => TokenClass::Keyword,
        TokenKind::Int => TokenClass::Number,
        TokenKind::Text | TokenKind::OpenText => TokenClass::Text,
        TokenKind::Comment | TokenKind::Doc => TokenClass::Comment,
        TokenKind::Foreign | TokenKind::Stray => TokenClass::Wrong,
        TokenKind::Word | TokenKind::Sign => TokenClass::Other,
    };
    tokens(text).iter().map(|token| (token.start..token.end, class(token))).collect()
}
