//! The language server, `synod lsp`: the features of `ide` over the language server protocol.
//!
//! One thread reads, one checks programs, and one answers the requests in order: an answer is valid for the text at that point.
//! Parsing and name resolution are fast enough for that. Diagnostics of `check` are published when ready, for the newest version
//! only.

#![allow(
    clippy::disallowed_methods,
    reason = "a server reads the environment and files of its user, as the command line does"
)]

mod library_files;
pub mod places;
mod transport;
pub mod uri;
mod capabilities;
mod documents;
mod checker;
mod workspace;
mod server;
mod location;
mod features;
mod answers;
mod renaming;

use checker::CheckerHandle;
use server::Server;
use std::io::{BufReader, Read, Write};
use std::sync::mpsc::{Sender, channel};

/// The way in which a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    /// The client sent `shutdown`, then `exit`.
    Shutdown,
    /// The client disconnected, or sent `exit` without `shutdown`.
    Disconnected,
}

/// The events that the answering thread waits for.
pub enum Event {
    Message(serde_json::Value),
    /// Not a message of the protocol, with the reason.
    Malformed(String),
    Checked(Box<checker::CheckResult>),
    /// The end of the input.
    End,
}

/// The stack size of each thread, in bytes: a program of maximum nesting must fit, in a debug build too.
const STACK: usize = 64 << 20;

/// Serve until the client sends `exit` or disconnects. The reader must be one that may be abandoned with its thread.
///
/// # Errors
/// If threads cannot be started.
pub fn serve(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> std::io::Result<SessionEnd> {
    let (events, queue) = channel();
    let reader = events.clone();
    let thread = |name: &str| std::thread::Builder::new().name(name.into()).stack_size(STACK);
    thread("reader").spawn(move || read_all(input, &reader))?;
    let checking = CheckerHandle::start(thread("checker"), events)?;
    let server = thread("server").spawn(move || Server::new(output, checking).run(&queue))?;
    Ok(server.join().unwrap_or(SessionEnd::Disconnected))
}

fn read_all(input: impl Read, events: &Sender<Event>) {
    let mut input = BufReader::new(input);
    loop {
        let event = transport::read(&mut input);
        let is_end = matches!(event, Event::End);
        if events.send(event).is_err() || is_end {
            return;
        }
    }
}
