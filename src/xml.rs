//! XML output: elements with attributes and contents, and the one function that escapes texts.

use std::fmt::{self, Display, Formatter, Write};

/// An element under construction: first attributes, then contents. [`Display`] writes it with its end.
pub struct Element {
    name: &'static str,
    /// The text so far, without the end of the element.
    text: String,
    is_empty: bool,
}

/// Start an element.
pub fn element(name: &'static str) -> Element {
    Element { name, text: format!("<{name}"), is_empty: true }
}

impl Element {
    /// Add an attribute.
    pub fn with(mut self, attribute: &str, value: impl Display) -> Element {
        // Writing to a String cannot fail.
        let _ = write!(self.text, " {attribute}=\"");
        let _ = write!(Escaping { out: &mut self.text, newline: "&#10;" }, "{value}");
        self.text.push('"');
        self
    }

    /// Add a text to the contents.
    pub fn text(self, text: &str) -> Element {
        self.markup(escaped(text))
    }

    /// Add contents that are XML: an element, or what has been written of several.
    pub fn markup(mut self, markup: impl Display) -> Element {
        if std::mem::take(&mut self.is_empty) {
            self.text.push('>');
        }
        // Writing to a String cannot fail.
        let _ = write!(self.text, "{markup}");
        self
    }
}

impl Display for Element {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self.is_empty {
            true => write!(f, "{}/>", self.text),
            false => write!(f, "{}</{}>", self.text, self.name),
        }
    }
}

/// Escape a text for the contents of an element. XML has no form for most control characters: they become `\u{1b}`.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // Writing to a String cannot fail.
    let _ = Escaping { out: &mut out, newline: "\n" }.write_str(text);
    out
}

/// Writes escaped text.
struct Escaping<'o> {
    out: &'o mut String,
    /// A line break as written: in an attribute, a plain one would be read as a space.
    newline: &'static str,
}

impl Write for Escaping<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            match c {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                '\n' => self.out.push_str(self.newline),
                c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                    write!(self.out, "\\u{{{:x}}}", u32::from(c))?;
                }
                c => self.out.push(c),
            }
        }
        Ok(())
    }
}
