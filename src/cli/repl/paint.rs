//! Colours of programs, entries and violations.

use crate::render::Look;
use crate::syntax::typed::{TokenClass, classes};

pub fn red(text: &str, look: Look) -> String {
    painted("31", text, look.color)
}

fn painted(code: &str, text: &str, color: bool) -> String {
    if color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
}

/// Colour a text of the language. Only escape sequences are added.
pub fn program(text: &str, color: bool) -> String {
    if !color {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() * 2);
    let mut at = 0;
    for (range, class) in classes(text) {
        out += &text[at..range.start];
        let part = &text[range.clone()];
        at = range.end;
        let code = match class {
            TokenClass::Keyword => "1;34",
            TokenClass::Number => "35",
            TokenClass::Text => "32",
            TokenClass::Comment => "2",
            TokenClass::Wrong => "31",
            TokenClass::Other => {
                out += part;
                continue;
            }
        };
        out += &painted(code, part, true);
    }
    out + &text[at..]
}

/// Colour an entry: a command with its arguments, or a text of the language.
pub fn line(text: &str) -> String {
    let blanks = text.len() - text.trim_start().len();
    if !text[blanks..].starts_with(['.', ':']) {
        return program(text, true);
    }
    let end = text[blanks..].find(char::is_whitespace).map_or(text.len(), |i| blanks + i);
    format!("{}{}{}", &text[..blanks], painted("36", &text[blanks..end], true), program(&text[end..], true))
}
