//! The wire format of the language server protocol and the debug adapter protocol: a header with a length, a blank line, and JSON.
//!
//! The crate `lsp-server` is not used. A session must survive malformed messages, each answered with an error. `lsp-server` 0.10
//! stops inside a malformed header, allocates any length that a header gives, does not separate invalid JSON from invalid
//! requests, and reads a request whose id exceeds 32 bits as a notification, which gets no answer.

use serde_json::Value;
use std::io::{self, BufRead, Read, Write};

/// The maximum length of a message in bytes; longer ones are not held in memory.
const MAX_BYTES: u64 = 64 << 20;

/// The maximum length of a header line in bytes.
const MAX_HEADER_LINE: u64 = 8 << 10;

/// An input from the client.
pub enum Frame {
    Message(Value),
    /// Not a message of the protocol, with the reason.
    Malformed(String),
    /// The end of the input.
    End,
}

/// Read the next message. Malformed input is skipped up to the possible start of the next message.
pub fn read(input: &mut impl BufRead) -> Frame {
    let mut length: Option<u64> = None;
    let mut wrong: Option<String> = None;
    loop {
        let mut line = Vec::new();
        match input.by_ref().take(MAX_HEADER_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return Frame::End,
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if text.is_empty() {
            // Blank lines between messages are allowed.
            match (length, wrong.take()) {
                (Some(_), _) => break,
                (None, Some(why)) => return Frame::Malformed(why),
                (None, None) => continue,
            }
        }
        match text.split_once(':') {
            Some((key, value)) if key.eq_ignore_ascii_case("content-length") => match value.trim().parse() {
                Ok(bytes) => length = Some(bytes),
                Err(_) => wrong = Some(format!("`{}` is not a length", value.trim())),
            },
            Some(_) => {}
            None => wrong = Some("a header line without a colon".into()),
        }
        if length.is_none() && wrong.is_none() {
            wrong = Some("a header without Content-Length".into());
        }
    }
    let length = length.unwrap_or(0);
    if length > MAX_BYTES {
        let skipped = io::copy(&mut input.by_ref().take(length), &mut io::sink());
        return match skipped {
            Ok(n) if n == length => Frame::Malformed(format!("a message of {length} bytes is too long")),
            _ => Frame::End,
        };
    }
    let mut body = vec![0; length as usize];
    if input.read_exact(&mut body).is_err() {
        return Frame::End;
    }
    match serde_json::from_slice::<Value>(&body) {
        Ok(message) => Frame::Message(message),
        Err(error) => Frame::Malformed(error.to_string()),
    }
}

/// Write a message.
///
/// # Errors
/// If the client no longer reads.
pub fn write(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let body = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    output.flush()
}
