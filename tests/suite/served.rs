//! Messages of the language server protocol and the debug adapter protocol, as a client reads them.

use serde_json::Value;
use std::io::BufRead;

/// Read a message of the server; `None`: the end of its output.
pub fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(": ") {
            Some(("Content-Length", bytes)) => length = bytes.parse().expect("a length"),
            _ if line.trim().is_empty() => break,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).expect("the server writes JSON"))
}
