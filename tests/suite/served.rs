//! The binary as a server: its process, and its messages as a client reads them.

use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

/// Return the command `synod VERB` with pipes, not yet started.
pub fn server(verb: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_synod"));
    command.arg(verb).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Receive the messages of a server, which a thread reads.
pub fn messages(
    process: &mut Child,
    read: impl Fn(&mut BufReader<ChildStdout>) -> Option<Value> + Send + 'static,
) -> Receiver<Value> {
    let mut output = BufReader::new(process.stdout.take().expect("a pipe"));
    let (sender, messages) = channel();
    std::thread::spawn(move || {
        while let Some(message) = read(&mut output) {
            if sender.send(message).is_err() {
                return;
            }
        }
    });
    messages
}

/// Read a message of one line; `None`: the end of the output.
pub fn read_line(output: &mut impl BufRead) -> Option<Value> {
    let mut line = String::new();
    let length = output.read_line(&mut line).expect("the server writes UTF-8");
    (length > 0).then(|| serde_json::from_str(&line).expect("the server writes JSON, one message a line"))
}

/// Read a message of the language server protocol or the debug adapter protocol; `None`: the end of the output.
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
