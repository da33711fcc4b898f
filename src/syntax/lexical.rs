//! Mistakes that one token shows.

use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::source::Span;
use crate::syntax::codes;
use crate::syntax::tokens::{Token, TokenKind};

/// The least Int, without its sign: so large a number may stand behind a minus, where the tree is made.
pub const LEAST: u64 = i64::MIN.unsigned_abs();

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
        TokenKind::Int if written.parse::<u64>().map_or(true, |number| number > LEAST) => Some(
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
        "++" => "lists are joined by `+`, `l := l + [x]`, and a number is counted up by `x := x + 1`",
        "+=" => "write `x := x + e`",
        "-=" => "write `x := x - e`",
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
    let alike: Option<String> =
        written.chars().map(|c| if c.is_ascii() { Some(c) } else { ascii_of(c) }).collect();
    let alike = alike.filter(|_| !written.is_ascii());
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
        Some(_) if alike.is_some() => {
            "it looks like ASCII and is not: write it anew, with ASCII letters and signs"
        }
        Some(c) if is_unseen(c) => "it takes no room, and has no meaning outside texts and comments",
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
    let fix = match (own, alike) {
        (Some(own), _) => Some(Fix::replace(span, own)),
        (None, Some(ascii)) => Some(Fix::replace(span, &ascii)),
        (None, None) if written.chars().all(is_unseen) => {
            Some(Fix::new("Remove it", vec![Edit::new(span, "")]))
        }
        (None, None) => None,
    };
    Diagnostic::error(codes::STRAY_CHARACTER, span, message).hint(hint).fix(fix)
}

/// The ASCII character that one of another script looks like: Cyrillic and Greek letters, and the wide signs that keyboards
/// for Chinese and Japanese give.
fn ascii_of(c: char) -> Option<char> {
    const ALIKE: &[(char, char)] = &[
        ('а', 'a'),
        ('е', 'e'),
        ('о', 'o'),
        ('р', 'p'),
        ('с', 'c'),
        ('у', 'y'),
        ('х', 'x'),
        ('і', 'i'),
        ('ј', 'j'),
        ('ѕ', 's'),
        ('А', 'A'),
        ('В', 'B'),
        ('Е', 'E'),
        ('К', 'K'),
        ('М', 'M'),
        ('Н', 'H'),
        ('О', 'O'),
        ('Р', 'P'),
        ('С', 'C'),
        ('Т', 'T'),
        ('Х', 'X'),
        ('І', 'I'),
        ('Ј', 'J'),
        ('Ѕ', 'S'),
        ('Α', 'A'),
        ('Β', 'B'),
        ('Ε', 'E'),
        ('Ζ', 'Z'),
        ('Η', 'H'),
        ('Ι', 'I'),
        ('Κ', 'K'),
        ('Μ', 'M'),
        ('Ν', 'N'),
        ('Ο', 'O'),
        ('Ρ', 'P'),
        ('Τ', 'T'),
        ('Υ', 'Y'),
        ('Χ', 'X'),
        ('ο', 'o'),
        ('ν', 'v'),
    ];
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xff01 + 0x21),
        '、' => Some(','),
        '【' => Some('['),
        '】' => Some(']'),
        _ => ALIKE.iter().find(|(other, _)| *other == c).map(|(_, ascii)| *ascii),
    }
}

/// Characters that are there and cannot be seen.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{202a}'..='\u{202e}' | '\u{feff}' | '\u{ad}')
}

/// Control characters as their number: the terminal must not obey them.
fn shown_character(c: char) -> Vec<char> {
    if c.is_control() || is_unseen(c) {
        return format!("U+{:04X}", u32::from(c)).chars().collect();
    }
    vec![c]
}
