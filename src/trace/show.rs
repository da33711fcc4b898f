//! Values in a trace: each on one line, in the syntax of the language, and parsing of quoted texts.

pub use crate::ir::show::{Show, quoted};

/// Parse the quoted text at the beginning; return it and the rest.
pub fn unquoted(input: &str) -> Result<(String, &str), String> {
    let open = || format!("unclosed text {input}");
    let body = input.strip_prefix('"').ok_or("expected a text in quotes")?;
    let mut text = String::new();
    let mut chars = body.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok((text, &body[at + 1..])),
            '\\' => match chars.next().ok_or_else(open)?.1 {
                'n' => text.push('\n'),
                's' => text.push(' '),
                'u' => {
                    let digits = body[at + 2..].strip_prefix('{').and_then(|d| d.split_once('}'));
                    let code = digits.and_then(|(d, _)| u32::from_str_radix(d, 16).ok());
                    let c = code.and_then(char::from_u32);
                    text.push(c.ok_or("expected `\\u{…}` with a code point")?);
                    chars.find(|(_, c)| *c == '}');
                }
                c @ ('"' | '\\') => text.push(c),
                c => return Err(format!("unknown escape `\\{c}` in a text")),
            },
            c => text.push(c),
        }
    }
    Err(open())
}

/// Convert any text to one column of a trace: on one line, with single spaces, trimmed.
pub fn column(text: &str) -> String {
    // Most texts are a column already: printable, without two spaces in a row or at an end.
    let mut before = b' ';
    let is_plain = text.bytes().all(|byte| {
        let is_single = byte != b' ' || before != b' ';
        before = byte;
        is_single && (b' '..=b'~').contains(&byte)
    });
    if is_plain && before != b' ' {
        return text.into();
    }
    let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || c.is_control()).collect();
    let words: Vec<&str> = words.into_iter().filter(|w| !w.is_empty()).collect();
    match words.is_empty() {
        true => "-".into(),
        false => words.join(" "),
    }
}
