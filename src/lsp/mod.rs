//! The language server, `synod lsp`: what `ide` knows, told to editors over the language server protocol.
//!
//! One thread reads, one checks programs, and the one that answers does everything else, in the order in which it is
//! asked: whatever it answers holds for the text as it was then. Parsing and names are quick enough for that; what
//! `check` finds comes when it is done, for the newest version only.

// A server looks at the environment and the files of its user, as the command line does.
#![allow(clippy::disallowed_methods)]

mod library_files;
mod places;
mod transport;
mod uri;
mod capabilities;
mod documents;
mod checker;
mod workspace;
mod server;
mod location;
mod features;
mod answers;
mod renaming;

use checker::Checking;
use server::Server;
use std::io::{BufReader, Read, Write};
use std::sync::mpsc::{Sender, channel};

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// `shutdown` was asked for, then `exit`.
    Asked,
    /// The client is gone, or said `exit` without `shutdown`.
    Abandoned,
}

/// What the answering thread waits for.
pub enum Event {
    Message(serde_json::Value),
    /// No message of the protocol, and why.
    Malformed(String),
    Checked(Box<checker::Found>),
    /// The input has ended.
    End,
}

/// Stacks of our threads: a program that is nested as deeply as is allowed must fit, in a debug build, too.
const STACK: usize = 64 << 20;

/// Serves until the client says `exit` or is gone. The reader must be one that may be left alone with its thread.
///
/// # Errors
/// When threads cannot be started.
pub fn serve(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> std::io::Result<Ended> {
    let (events, queue) = channel();
    let reader = events.clone();
    let thread = |name: &str| std::thread::Builder::new().name(name.into()).stack_size(STACK);
    thread("reader").spawn(move || read_all(input, &reader))?;
    let checking = Checking::start(thread("checker"), events)?;
    let server = thread("server").spawn(move || Server::new(output, checking).run(&queue))?;
    Ok(server.join().unwrap_or(Ended::Abandoned))
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
