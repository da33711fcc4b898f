//! Conversion between positions of the protocol, whose columns count bytes or UTF-16 units, and byte offsets.

use lsp_types::{Position, Range};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    Utf16,
}

/// The starts of the lines of a text: after `\n`, `\r\n` or a lone `\r`, as the protocol defines.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    pub fn new(text: &str) -> Lines {
        let bytes = text.as_bytes();
        let ends = (0..bytes.len()).filter(|i| match bytes[*i] {
            b'\n' => true,
            b'\r' => bytes.get(i + 1) != Some(&b'\n'),
            _ => false,
        });
        Lines { starts: std::iter::once(0).chain(ends.map(|i| i + 1)).collect() }
    }

    /// Return the text of a line, without its line break.
    fn line<'t>(&self, text: &'t str, line: usize) -> &'t str {
        &text[self.line_range(text, line)]
    }

    /// Return the range of a line, without its line break; beyond the last line, the end of the text.
    pub fn line_range(&self, text: &str, line: usize) -> std::ops::Range<usize> {
        let Some(start) = self.starts.get(line).copied() else { return text.len()..text.len() };
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        start..start + text[start..end].trim_end_matches(['\n', '\r']).len()
    }

    pub fn position(&self, text: &str, offset: usize, encoding: Encoding) -> Position {
        let offset = offset.min(text.len());
        let line = self.starts.partition_point(|s| *s <= offset) - 1;
        let before = text.get(self.starts[line]..offset).unwrap_or("");
        let column = match encoding {
            Encoding::Utf8 => before.len(),
            Encoding::Utf16 => before.chars().map(char::len_utf16).sum(),
        };
        Position { line: line as u32, character: column as u32 }
    }

    /// Return the offset of a position. A position beyond the end of its line or of the text is clamped to that end; one inside a
    /// character is moved to its start.
    pub fn offset(&self, text: &str, position: Position, encoding: Encoding) -> usize {
        let line = position.line as usize;
        if line >= self.starts.len() {
            return text.len();
        }
        let written = self.line(text, line);
        let mut column = 0;
        for (at, c) in written.char_indices() {
            column += match encoding {
                Encoding::Utf8 => c.len_utf8(),
                Encoding::Utf16 => c.len_utf16(),
            };
            if column > position.character as usize {
                return self.starts[line] + at;
            }
        }
        self.starts[line] + written.len()
    }

    pub fn range(&self, text: &str, range: std::ops::Range<usize>, encoding: Encoding) -> Range {
        Range {
            start: self.position(text, range.start, encoding),
            end: self.position(text, range.end, encoding),
        }
    }
}
