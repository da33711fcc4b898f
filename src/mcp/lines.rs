//! The wire format: one message a line.

use std::io::{BufRead, Read};

/// The maximum length of a message in bytes; longer ones are not held in memory.
pub const MAX_BYTES: u64 = 16 << 20;

/// An input from the client.
pub enum Line {
    Text(Vec<u8>),
    TooLong,
    /// The end of the input.
    End,
}

/// Read the next line.
pub fn read(input: &mut impl BufRead) -> Line {
    let mut line = Vec::new();
    match input.by_ref().take(MAX_BYTES + 1).read_until(b'\n', &mut line) {
        Ok(0) | Err(_) => return Line::End,
        Ok(_) => {}
    }
    let is_complete = line.last() == Some(&b'\n');
    if is_complete || line.len() as u64 <= MAX_BYTES {
        return Line::Text(line);
    }
    match input.skip_until(b'\n') {
        Ok(_) => Line::TooLong,
        Err(_) => Line::End,
    }
}
