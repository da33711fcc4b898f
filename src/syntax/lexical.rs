//! Errors in single tokens.

use crate::diagnostic::{Diagnostic, Fix, Grammar, Hint};
use crate::source::Span;
use crate::syntax::tokens::{Token, TokenKind};

/// Absolute value of the least Int: a number this large may follow a minus, where the tree is built.
pub const MIN_INT_MAGNITUDE: u64 = i64::MIN.unsigned_abs();

pub fn check(file: u32, text: &str, token: &Token) -> Option<Diagnostic> {
    let span = Span::new(file, token.start, token.end);
    let written = token.text(text);
    match token.kind {
        // The end of a comment whose `(*` or `/*` has been reported.
        TokenKind::Foreign if matches!(written, "*)" | "*/") => None,
        TokenKind::Foreign => Some(foreign(span, written, &text[token.end..], token.first_of_line)),
        TokenKind::Stray if written == "\\" => Some(backslash(span, &text[token.end..])),
        TokenKind::Stray => Some(stray(span, written)),
        TokenKind::OpenText => Some(Grammar::TextNotClosed.at(span)),
        TokenKind::Int if written.parse::<u64>().map_or(true, |number| number > MIN_INT_MAGNITUDE) => {
            Some(Grammar::NumberTooLarge.at(span))
        }
        _ => None,
    }
}

/// Report `\in` and other words of TLA⁺ and LaTeX.
fn backslash(span: Span, after: &str) -> Diagnostic {
    let word = &after[..after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len())];
    let own = match word {
        "in" => "in",
        "notin" => "not in",
        "A" | "forall" => "forall",
        "E" | "exists" => "some",
        "cup" | "union" => "+",
        "cap" | "intersect" => "inter",
        "setminus" => "-",
        "subseteq" | "leq" | "le" => "<=",
        "geq" | "ge" => ">=",
        "land" => "and",
        "lor" => "or",
        "lnot" | "neg" => "not",
        "div" => "div",
        "to" | "rightarrow" => "->",
        "gets" | "leftarrow" => ":=",
        "neq" | "ne" => "!=",
        _ => return stray(span, "\\"),
    };
    let whole = Span { end: span.end + word.len() as u32, ..span };
    Grammar::ForeignSign(format!("\\{word}"))
        .at(whole)
        .hint(Hint::WriteInstead(own))
        .fix(Fix::replace(whole, own))
}

/// Report a sign of another language; `after` is the text that follows it.
fn foreign(span: Span, written: &str, after: &str, first_of_line: bool) -> Diagnostic {
    if written.starts_with(|c: char| c.is_ascii_digit()) {
        return Grammar::DigitInName(written.into()).at(span);
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
        "++" => "`+` joins lists: `l := l + [x]`; to increment write `x := x + 1`",
        "+=" => "write `x := x + e`",
        "-=" => "write `x := x - e`",
        "/\\" => "write `and` or `∧`; statements are separated by `;` or a new line",
        "\\/" => "write `or` or `∨`; alternatives are `if g -> … [] g -> … fi`",
        "::" => {
            "alternatives are separated by `[]`: `if g -> … [] g -> … fi`; a single guarded command is a handler, `when g -> …`"
        }
        "<>" => "not equal is `!=`; «at some time» is a property, `eventually NAME: e`",
        "#" if after.trim_start().starts_with('{') => {
            "the number of elements is `size(S)`, that of processes with a property `count p: g`; not equal is `!=`"
        }
        "#" if !first_of_line => {
            "a comment begins with `//`; not equal is `!=`, the number of elements `size(S)`"
        }
        "'" => "a text is enclosed in double quotes; a name consists of letters, digits and `_`",
        _ => "a comment begins with `//` and extends to the end of the line",
    };
    let own = match written {
        "==" => Some("="),
        "<=>" => Some("iff"),
        "&&" | "/\\" => Some("and"),
        "||" | "\\/" => Some("or"),
        "!" => Some("not "),
        "%" => Some("mod"),
        _ => None,
    };
    Grammar::ForeignSign(written.into())
        .at(span)
        .hint(Hint::Word(hint))
        // Between statements, `/\` is not an operator.
        .fix(own.map(|own| Fix { is_certain: !written.contains('\\'), ..Fix::replace(span, own) }))
}

fn stray(span: Span, written: &str) -> Diagnostic {
    let alike: Option<String> =
        written.chars().map(|c| if c.is_ascii() { Some(c) } else { ascii_of(c) }).collect();
    let alike = alike.filter(|_| !written.is_ascii());
    let hint = match written.chars().next() {
        Some('“' | '”' | '„' | '«' | '»') => "a text is enclosed in plain double quotes: `\"`",
        Some('–' | '—' | '−') => "minus is the plain hyphen: `-`",
        Some('…') => "a range is written `lo..hi`",
        Some('⟶' | '➔' | '➜' | '⇾' | '⟹' | '▷') => "the arrow after a guard is `->` or `→`",
        Some('≔' | '⇐') => "`:=` or `←` assigns",
        Some('⩽' | '≦') => "less or equal is `<=` or `≤`",
        Some('⩾' | '≧') => "greater or equal is `>=` or `≥`",
        Some('\\') => "the difference of sets is `S - T` or `S ∖ T`",
        Some('&') => "«and» is `and` or `∧`; the intersection of sets is `inter` or `∩`",
        Some('~') => "«not» is `not` or `¬`; «leads to» is the property `leads NAME: a leads to b`",
        Some('⊆' | '⊂') => "`S <= T` tests whether S is a subset of T",
        Some('∄') => "write `not some p in S: …`",
        Some('·' | '⋅' | '∗') => "the product is `*` or `×`",
        Some('÷') => "the quotient of integers is `div`",
        Some(_) if alike.is_some() => "it looks like an ASCII character but is not: type it again in ASCII",
        Some(c) if is_unseen(c) => "this character is invisible, and allowed only in texts and comments",
        Some(c) if c.is_alphabetic() => "names consist of ASCII letters, digits and `_`",
        _ => "this character is allowed only in texts and comments",
    };
    let shown: String = written.chars().take(20).flat_map(shown_character).collect();

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
        (None, None) if written.chars().all(is_unseen) => Some(Fix::remove(span)),
        (None, None) => None,
    };
    Grammar::StrayCharacter(shown).at(span).hint(Hint::Word(hint)).fix(fix)
}

/// Return the ASCII character that one of another script resembles: Cyrillic and Greek letters, and the full-width signs of
/// keyboards for Chinese and Japanese.
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

/// Return whether a character is invisible.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{202a}'..='\u{202e}' | '\u{feff}' | '\u{ad}')
}

/// Return a control character as its number: the terminal must not interpret it.
fn shown_character(c: char) -> Vec<char> {
    if c.is_control() || is_unseen(c) {
        return format!("U+{:04X}", u32::from(c)).chars().collect();
    }
    vec![c]
}
