//! Convert texts to ASCII, for terminals and files that accept nothing else.
//!
//! Prose is transliterated: signs of the language get their ASCII spelling, mathematical signs become words, and letters lose
//! their accents. Machine-readable text (JSON, SVG, HTML) keeps its meaning: a sign becomes an escape.

use std::borrow::Cow;
use std::fmt::Write;

/// The kind of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFormat {
    /// Prose for people.
    Prose,
    /// JSON: one value, or one per line.
    Json,
    /// SVG, HTML or other XML.
    Page,
}

/// Return the text in ASCII.
pub fn to_ascii(text: &str, form: TextFormat) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    match form {
        TextFormat::Prose => spelled(text, &mut out),
        TextFormat::Json => text.chars().for_each(|c| escaped(c, &mut out)),
        TextFormat::Page => page(text, &mut out),
    }
    Cow::Owned(out)
}

/// Return prose in ASCII; see [`written`].
pub fn prose_to_ascii(text: &str) -> Cow<'_, str> {
    to_ascii(text, TextFormat::Prose)
}

fn spelled(text: &str, out: &mut String) {
    let mut signs = text.chars().peekable();
    while let Some(c) = signs.next() {
        match SPELLINGS.iter().find(|(sign, _)| *sign == c) {
            // `∀p` becomes `forall p`, as does `∀ p`.
            Some((_, spelling)) if signs.peek() == Some(&' ') => out.push_str(spelling.trim_end()),
            Some((_, spelling)) => out.push_str(spelling),
            None => letter(c, out),
        }
    }
}

fn letter(c: char, out: &mut String) {
    if c.is_ascii() {
        out.push(c);
    } else if let Some((_, letter)) = LETTERS.iter().find(|(letters, _)| letters.contains(c)) {
        out.push_str(letter);
    } else {
        match c as u32 {
            // Non-breaking spaces; combining and zero-width marks.
            0xA0 | 0x2009 | 0x202F => out.push(' '),
            0x300..=0x36F | 0x200B..=0x200F | 0xFE00..=0xFE0F | 0xFEFF => {}
            0x2500..=0x257F => out.push(line(c)),
            _ => out.push('?'),
        }
    }
}

/// Return the ASCII counterpart of a box-drawing character.
fn line(c: char) -> char {
    match c {
        '─' | '━' | '┄' | '┅' | '┈' | '┉' | '╌' | '╍' | '╴' | '╶' | '╸' | '╺' => '-',
        '═' => '=',
        '│' | '┃' | '┆' | '┇' | '┊' | '┋' | '╎' | '╏' | '║' | '╵' | '╷' | '╹' | '╻' => {
            '|'
        }
        _ => '+',
    }
}

/// Append a character as an escape of JSON and JavaScript.
fn escaped(c: char, out: &mut String) {
    if c.is_ascii() {
        out.push(c);
        return;
    }
    for unit in c.encode_utf16(&mut [0; 2]) {
        // Writing to a `String` cannot fail.
        let _ = write!(out, "\\u{unit:04x}");
    }
}

/// Convert a page: text between tags gets character references; scripts and styles have escapes of their own.
fn page(text: &str, out: &mut String) {
    let mut rest = text;
    while !rest.is_empty() {
        let next = ["script", "style"].into_iter().filter_map(|tag| {
            let start = rest.find(&format!("<{tag}"))?;
            Some((start, tag))
        });
        let Some((start, tag)) = next.min() else {
            rest.chars().for_each(|c| reference(c, out));
            return;
        };
        // The tag itself is markup of the page.
        let inner = rest[start..].find('>').map_or(rest.len(), |end| start + end + 1);
        let end = rest[inner..].find(&format!("</{tag}")).map_or(rest.len(), |end| inner + end);
        rest[..inner].chars().for_each(|c| reference(c, out));
        for c in rest[inner..end].chars() {
            match tag {
                "script" => escaped(c, out),
                _ if c.is_ascii() => out.push(c),
                _ => _ = write!(out, "\\{:x} ", c as u32),
            }
        }
        rest = &rest[end..];
    }
}

fn reference(c: char, out: &mut String) {
    match c.is_ascii() {
        true => out.push(c),
        false => _ = write!(out, "&#{};", c as u32),
    }
}

/// Signs of the language, spelled as the language allows.
pub const SPELLINGS: &[(char, &str)] = &[
    ('…', "..."),
    ('·', "|"),
    ('–', "-"),
    ('−', "-"),
    ('‐', "-"),
    ('‑', "-"),
    ('—', "--"),
    ('«', "\""),
    ('»', "\""),
    ('“', "\""),
    ('”', "\""),
    ('„', "\""),
    ('‘', "'"),
    ('’', "'"),
    ('‚', "'"),
    ('‹', "'"),
    ('›', "'"),
    ('′', "'"),
    ('•', "*"),
    ('§', "section "),
    ('°', " degrees"),
    ('←', ":="),
    ('→', "->"),
    ('↔', "<->"),
    ('↑', "^"),
    ('↓', "v"),
    ('□', "[]"),
    ('≠', "!="),
    ('≤', "<="),
    ('≥', ">="),
    ('⊥', "none"),
    ('¬', "not "),
    ('∧', "and"),
    ('∨', "or"),
    ('⇒', "implies"),
    ('⇔', "iff"),
    ('↝', "leads to"),
    ('∀', "forall "),
    ('∃', "some "),
    ('∈', "in"),
    ('∉', "not in"),
    ('∪', "+"),
    ('∖', "-"),
    ('∩', "inter"),
    ('∅', "{}"),
    ('×', "*"),
    ('⋅', "*"),
    ('∗', "*"),
    ('÷', "/"),
    ('±', "+-"),
    ('≈', "~"),
    ('∞', "infinity"),
    ('√', "sqrt "),
    ('∑', "sum "),
    ('∏', "product "),
    ('⌈', "ceil("),
    ('⌉', ")"),
    ('⌊', "floor("),
    ('⌋', ")"),
    ('⊆', "<="),
    ('⊂', "<"),
    ('⁰', "^0"),
    ('¹', "^1"),
    ('²', "^2"),
    ('³', "^3"),
    ('⁴', "^4"),
    ('⁵', "^5"),
    ('⁶', "^6"),
    ('⁷', "^7"),
    ('⁸', "^8"),
    ('⁹', "^9"),
    ('ⁿ', "^n"),
    ('₀', "_0"),
    ('₁', "_1"),
    ('₂', "_2"),
    ('₃', "_3"),
    ('ₙ', "_n"),
    ('½', "1/2"),
    ('¼', "1/4"),
    ('¾', "3/4"),
    ('▶', ">"),
    ('◀', "<"),
    ('▲', "^"),
    ('▼', "v"),
    ('●', "*"),
    ('○', "o"),
    ('■', "#"),
    ('◆', "!"),
    ('✓', "v"),
    ('✗', "x"),
    ('⋮', ":"),
    ('α', "alpha"),
    ('β', "beta"),
    ('γ', "gamma"),
    ('δ', "delta"),
    ('ε', "epsilon"),
    ('ζ', "zeta"),
    ('η', "eta"),
    ('θ', "theta"),
    ('ι', "iota"),
    ('κ', "kappa"),
    ('λ', "lambda"),
    ('μ', "mu"),
    ('ν', "nu"),
    ('ξ', "xi"),
    ('ο', "omicron"),
    ('π', "pi"),
    ('ρ', "rho"),
    ('σ', "sigma"),
    ('ς', "sigma"),
    ('τ', "tau"),
    ('υ', "upsilon"),
    ('φ', "phi"),
    ('χ', "chi"),
    ('ψ', "psi"),
    ('ω', "omega"),
    ('Γ', "Gamma"),
    ('Δ', "Delta"),
    ('Θ', "Theta"),
    ('Λ', "Lambda"),
    ('Ξ', "Xi"),
    ('Π', "Pi"),
    ('Σ', "Sigma"),
    ('Φ', "Phi"),
    ('Ψ', "Psi"),
    ('Ω', "Omega"),
];

/// Letters, with their base letters.
pub const LETTERS: &[(&str, &str)] = &[
    ("ÀÁÂÃÄÅĀĂĄǍ", "A"),
    ("àáâãäåāăąǎ", "a"),
    ("ÇĆĈĊČ", "C"),
    ("çćĉċč", "c"),
    ("ĎĐÐ", "D"),
    ("ďđð", "d"),
    ("ÈÉÊËĒĔĖĘĚ", "E"),
    ("èéêëēĕėęě", "e"),
    ("ĜĞĠĢ", "G"),
    ("ĝğġģ", "g"),
    ("ĤĦ", "H"),
    ("ĥħ", "h"),
    ("ÌÍÎÏĨĪĬĮİǏ", "I"),
    ("ìíîïĩīĭįıǐ", "i"),
    ("Ĵ", "J"),
    ("ĵ", "j"),
    ("Ķ", "K"),
    ("ķ", "k"),
    ("ĹĻĽĿŁ", "L"),
    ("ĺļľŀł", "l"),
    ("ÑŃŅŇ", "N"),
    ("ñńņň", "n"),
    ("ÒÓÔÕÖØŌŎŐǑ", "O"),
    ("òóôõöøōŏőǒ", "o"),
    ("ŔŖŘ", "R"),
    ("ŕŗř", "r"),
    ("ŚŜŞŠȘ", "S"),
    ("śŝşšș", "s"),
    ("ŢŤŦȚ", "T"),
    ("ţťŧț", "t"),
    ("ÙÚÛÜŨŪŬŮŰŲǓ", "U"),
    ("ùúûüũūŭůűųǔ", "u"),
    ("Ŵ", "W"),
    ("ŵ", "w"),
    ("ÝŶŸ", "Y"),
    ("ýÿŷ", "y"),
    ("ŹŻŽ", "Z"),
    ("źżž", "z"),
    ("Æ", "AE"),
    ("æ", "ae"),
    ("Œ", "OE"),
    ("œ", "oe"),
    ("ß", "ss"),
    ("Þ", "Th"),
    ("þ", "th"),
];
