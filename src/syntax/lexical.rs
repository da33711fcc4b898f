//! Mistakes that one token shows.

use crate::diagnostic::{Diagnostic, Fix};
use crate::source::Span;
use crate::syntax::codes;
use crate::syntax::tokens::{Token, TokenKind};

pub fn check(file: u32, text: &str, token: &Token) -> Option<Diagnostic> {
    let span = Span::new(file, token.start, token.end);
    let written = token.text(text);
    match token.kind {
        TokenKind::Foreign => Some(foreign(span, written)),
        TokenKind::Stray => Some(stray(span, written)),
        TokenKind::OpenText => Some(
            Diagnostic::error(codes::TEXT_NOT_CLOSED, span, "this text is not closed")
                .hint("a text ends with `\"` on the line it began on"),
        ),
        TokenKind::Int if written.parse::<i64>().is_err() => Some(
            Diagnostic::error(codes::NUMBER_TOO_LARGE, span, "this number is too large")
                .hint(format!("the largest is {}", i64::MAX)),
        ),
        _ => None,
    }
}

fn foreign(span: Span, written: &str) -> Diagnostic {
    if written.starts_with(|c: char| c.is_ascii_digit()) {
        let message = format!("a name cannot begin with a digit: `{written}`");
        return Diagnostic::error(codes::STRAY_CHARACTER, span, message);
    }
    let hint = match written {
        "==" => "`=` compares, `:=` assigns",
        "=>" => "write `implies` or `⇒`; the arrow after a guard is `->`, greater or equal is `>=`",
        "<=>" => "write `iff` or `⇔`",
        "&&" => "write `and`",
        "||" => "write `or`",
        "!" => "write `not`",
        "%" => "write `mod`",
        "^" => "write `pow(b, e)`",
        "+=" | "-=" | "++" => "write `x := x + e`",
        "'" => "a text stands in double quotes, and a name has only letters, digits and `_`",
        _ => "a comment begins with `//` and ends with its line",
    };
    let own = match written {
        "==" => Some("="),
        "<=>" => Some("iff"),
        "&&" => Some("and"),
        "||" => Some("or"),
        "!" => Some("not "),
        "%" => Some("mod"),
        _ => None,
    };
    let message = format!("there is no `{written}` here");
    Diagnostic::error(codes::FOREIGN_SIGN, span, message)
        .hint(hint)
        .fix(own.map(|own| Fix::replace(span, own)))
}

fn stray(span: Span, written: &str) -> Diagnostic {
    let hint = match written.chars().next() {
        Some('“' | '”' | '„' | '«' | '»') => "a text stands in plain double quotes: `\"`",
        Some('–' | '—' | '−') => "minus is the plain hyphen: `-`",
        Some('…') => "a range is written `lo..hi`",
        Some('⟶' | '➔' | '➜' | '⇾' | '⟹' | '▷') => "the arrow after a guard is `->` or `→`",
        Some('≔' | '⇐') => "`:=` or `←` assigns",
        Some('⩽' | '≦') => "less or equal is `<=` or `≤`",
        Some('⩾' | '≧') => "greater or equal is `>=` or `≥`",
        Some('\\') => "the difference of sets is `S - T` or `S ∖ T`",
        Some('&') => "«and» is `and` or `∧`; the common part of sets is `inter` or `∩`",
        Some('~') => "«not» is `not` or `¬`",
        Some('⊆' | '⊂') => "`S <= T` asks whether S is a part of T",
        Some('∄') => "write `not some p in S: …`",
        Some('·' | '⋅' | '∗') => "the product is `*` or `×`",
        Some('÷') => "the quotient is `div`: numbers are whole",
        Some(c) if c.is_alphabetic() => "names consist of ASCII letters, digits and `_`",
        _ => "it has no meaning outside texts and comments",
    };
    let shown: String = written.chars().take(20).flat_map(shown_character).collect();
    let message = format!("`{shown}` cannot stand here");
    let own = match written {
        "“" | "”" | "„" | "«" | "»" => Some("\""),
        "–" | "—" | "−" => Some("-"),
        "…" => Some(".."),
        "⟶" | "➔" | "➜" | "⇾" | "⟹" | "▷" => Some("->"),
        "≔" => Some(":="),
        "⩽" | "≦" => Some("<="),
        "⩾" | "≧" => Some(">="),
        "~" => Some("not "),
        "·" | "⋅" | "∗" => Some("*"),
        "÷" => Some("div"),
        _ => None,
    };
    Diagnostic::error(codes::STRAY_CHARACTER, span, message)
        .hint(hint)
        .fix(own.map(|own| Fix::replace(span, own)))
}

/// Control characters as their number: the terminal must not obey them.
fn shown_character(c: char) -> Vec<char> {
    if c.is_control() {
        return format!("U+{:04X}", u32::from(c)).chars().collect();
    }
    vec![c]
}
