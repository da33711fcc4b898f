//! A line of character cells, each with its colour.

/// An SGR code: 0 plain, 1 bold, 2 dim, 31 … colours.
pub type SgrCode = u8;

pub const PLAIN: SgrCode = 0;
pub const BOLD: SgrCode = 1;
pub const DIM: SgrCode = 2;

/// The second cell of a character that is two columns wide.
const CONTINUED: char = '\0';

#[derive(Clone, Debug)]
pub struct Line {
    cells: Vec<(char, SgrCode)>,
}

impl Line {
    pub fn new(width: usize) -> Line {
        Line { cells: vec![(' ', PLAIN); width] }
    }

    pub fn put(&mut self, at: usize, c: char, paint: SgrCode) {
        if let Some(cell) = self.cells.get_mut(at) {
            *cell = (c, paint);
        }
    }

    /// Write a text from a column on; the part that does not fit is dropped.
    pub fn write(&mut self, at: usize, text: &str, paint: SgrCode) {
        let mut at = at;
        for c in text.chars() {
            match columns(c) {
                0 => continue,
                1 => self.put(at, c, paint),
                _ if at + 1 < self.cells.len() => {
                    self.put(at, c, paint);
                    self.put(at + 1, CONTINUED, paint);
                }
                _ => self.put(at, ' ', paint),
            }
            at += columns(c);
        }
    }

    /// Write a text centred on a column.
    pub fn write_around(&mut self, centre: usize, text: &str, paint: SgrCode) {
        self.write(centre.saturating_sub(width(text) / 2), text, paint);
    }

    /// Append the line without trailing blanks, with a newline.
    pub fn finish(&self, color: bool, out: &mut String) {
        let end = self.cells.iter().rposition(|(c, _)| *c != ' ').map_or(0, |at| at + 1);
        let mut paint = PLAIN;
        for (c, wanted) in &self.cells[..end] {
            if color && *wanted != paint && (*c != ' ' || *wanted == PLAIN) {
                out.push_str(if *wanted == PLAIN || paint != PLAIN { "\x1b[0m" } else { "" });
                if *wanted != PLAIN {
                    out.push_str(&format!("\x1b[{wanted}m"));
                }
                paint = *wanted;
            }
            if *c != CONTINUED {
                out.push(*c);
            }
        }
        if paint != PLAIN {
            out.push_str("\x1b[0m");
        }
        out.push('\n');
    }
}

/// Return the width of a text, in terminal columns.
pub fn width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

/// Return the text, truncated to at most this many columns; an ellipsis marks the truncation.
pub fn truncated(text: &str, columns_at_most: usize, ellipsis: &str) -> String {
    if width(text) <= columns_at_most {
        return text.into();
    }
    let room = columns_at_most.saturating_sub(width(ellipsis));
    let mut taken = 0;
    let fits = |c: &char| {
        taken += columns(*c);
        taken <= room
    };
    let kept: String = text.chars().take_while(fits).collect();
    match columns_at_most {
        0 => String::new(),
        _ => kept.trim_end().to_string() + ellipsis,
    }
}

/// Return the width of a character in columns: East Asian wide blocks and combining marks, as far as names and texts need.
fn columns(c: char) -> usize {
    match c as u32 {
        0x300..=0x36F | 0x200B..=0x200F | 0xFE00..=0xFE0F => 0,
        0x1100..=0x115F
        | 0x2E80..=0xA4CF
        | 0xAC00..=0xD7A3
        | 0xF900..=0xFAFF
        | 0xFE30..=0xFE6F
        | 0xFF00..=0xFF60
        | 0xFFE0..=0xFFE6
        | 0x1F300..=0x1FAFF
        | 0x20000..=0x3FFFD => 2,
        _ => 1,
    }
}
