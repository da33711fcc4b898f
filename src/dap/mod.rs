//! The debugger, `synod dap`: navigation in a run (`session::timeline`) over the debug adapter protocol.
//!
//! One thread reads, one serves. Requests that interrupt a run (`pause`, `disconnect`, `terminate`, `restart`) set the stop signal
//! of the instance as soon as they are read. See `docs/design/debugger.md`.

#![allow(
    clippy::disallowed_methods,
    reason = "an adapter reads the environment and files of its user, as the command line does"
)]

mod protocol;
mod connection;
mod capabilities;
mod launch;
mod sources;
mod breakpoints;
mod variables;
mod server;
mod state;
mod debug;
mod frames;
mod inspect;
mod evaluate;
mod targets;
mod setting;
mod stops;
mod motion;
mod session;

use crate::framing::{self, Frame};
use server::Server;
use std::io::{BufReader, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;

/// The way in which a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    /// The client sent `disconnect`.
    Disconnect,
    /// The client has gone.
    Gone,
}

/// The stack size of each thread, in bytes: a program of maximum nesting must fit, in a debug build too.
const STACK: usize = 64 << 20;

/// Requests that interrupt a run.
const INTERRUPTS: &[&str] = &["pause", "disconnect", "terminate", "restart"];

/// Serve until the client disconnects. The reader must be one that may be abandoned with its thread.
///
/// # Errors
/// If threads cannot be started.
pub fn serve(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> std::io::Result<SessionEnd> {
    let (sender, queue) = channel();
    let interrupt = Arc::new(AtomicBool::new(false));
    let thread = |name: &str| std::thread::Builder::new().name(name.into()).stack_size(STACK);
    let flag = interrupt.clone();
    thread("reader").spawn(move || {
        let mut input = BufReader::new(input);
        loop {
            let frame = framing::read(&mut input);
            let is_end = matches!(frame, Frame::End);
            // The flag comes first: an interrupted run then waits for the message that has interrupted it.
            if is_end || interrupts(&frame) {
                flag.store(true, Ordering::Release);
            }
            if sender.send(frame).is_err() || is_end {
                return;
            }
        }
    })?;
    let server = thread("server").spawn(move || Server::new(output, queue, interrupt).run())?;
    Ok(server.join().unwrap_or(SessionEnd::Gone))
}

fn interrupts(frame: &Frame) -> bool {
    let Frame::Message(message) = frame else { return false };
    message["type"] == "request"
        && message["command"].as_str().is_some_and(|command| INTERRUPTS.contains(&command))
}
