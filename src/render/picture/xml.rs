//! XML output: escaped text, and short numbers.

/// Escape a text as content or attribute. Characters that XML does not allow are replaced.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Format a coordinate: a tenth of a pixel is precise enough.
pub fn num(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    match (tenths % 10, tenths < 0) {
        (0, _) => (tenths / 10).to_string(),
        (rest, true) => format!("-{}.{}", tenths.abs() / 10, rest.abs()),
        (rest, false) => format!("{}.{rest}", tenths / 10),
    }
}

/// Format a component of a direction.
pub fn fine(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

/// Return the text, or its beginning with `…`.
pub fn truncated(text: &str, most: usize) -> String {
    crate::render::canvas::truncated(text, most, "…")
}

/// Return the width of a text at this font size, estimated from the wider common fonts.
pub fn text_width(text: &str, size: f64) -> f64 {
    let of = |c: char| match c {
        'i' | 'j' | 'l' | '.' | ',' | ';' | ':' | '|' | '\'' | ' ' => 0.32,
        'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '-' | '/' => 0.41,
        'm' | 'w' | 'M' | 'W' | '@' | '…' => 0.95,
        'A'..='Z' | '{' | '}' => 0.7,
        c if c.is_ascii() => 0.63,
        c => 0.64 * crate::render::canvas::width(c.encode_utf8(&mut [0; 4])) as f64,
    };
    text.chars().map(of).sum::<f64>() * size
}
