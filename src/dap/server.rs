//! The server: requests from the queue, answers to the connection, the signal of an interrupt.

use super::SessionEnd;
use super::connection::{Connection, Refusal};
use super::launch::{Debuggee, LaunchArguments};
use super::protocol::Request;
use super::sources::Numbering;
use crate::framing::Frame;
use crate::stop::StopSignal;
use serde_json::{Value, json};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError};

/// An input of the server.
pub enum Received {
    Request(Box<Request>),
    /// The client has gone.
    End,
}

/// The continuation after a run was debugged.
pub enum After {
    /// Debug a new run.
    Restart(Box<(LaunchArguments, Debuggee)>),
    /// The run has ended; the client will disconnect.
    Ended,
    End(SessionEnd),
}

pub struct Server<W> {
    pub connection: Connection<W>,
    queue: Receiver<Frame>,
    interrupt: Arc<AtomicBool>,
    /// The client's numbering; `None` before `initialize`.
    pub numbering: Option<Numbering>,
    pub launched: bool,
}

impl<W: Write> Server<W> {
    pub fn new(output: W, queue: Receiver<Frame>, interrupt: Arc<AtomicBool>) -> Server<W> {
        let connection = Connection::new(output);
        Server { connection, queue, interrupt, numbering: None, launched: false }
    }

    /// Return the signal that a request interrupts the run.
    pub fn stop(&self) -> StopSignal {
        let interrupt = self.interrupt.clone();
        StopSignal::when(move || interrupt.load(Ordering::Acquire))
    }

    /// Wait for the next request.
    pub fn next(&mut self) -> Received {
        while !self.connection.gone {
            let Ok(frame) = self.queue.recv() else { break };
            if let Some(received) = self.received(frame) {
                return received;
            }
        }
        Received::End
    }

    /// Return the next request, if there is one already.
    pub fn try_next(&mut self) -> Option<Received> {
        loop {
            if self.connection.gone {
                return Some(Received::End);
            }
            match self.queue.try_recv() {
                Ok(frame) => match self.received(frame) {
                    Some(received) => return Some(received),
                    None => continue,
                },
                Err(TryRecvError::Empty) => return None,
                Err(TryRecvError::Disconnected) => return Some(Received::End),
            }
        }
    }

    fn received(&mut self, frame: Frame) -> Option<Received> {
        let message = match frame {
            Frame::Message(message) => message,
            Frame::Malformed(why) => {
                self.connection.print("stderr", &format!("malformed message: {why}"));
                return None;
            }
            Frame::End => return Some(Received::End),
        };
        if message["type"] == "response" {
            return None;
        }
        let request = match message["type"] == "request" {
            true => serde_json::from_value::<Request>(message).map_err(|error| error.to_string()),
            false => Err("its type is not `request`".into()),
        };
        match request {
            Ok(request) => {
                if super::INTERRUPTS.contains(&request.command.as_str()) {
                    self.interrupt.store(false, Ordering::Release);
                }
                Some(Received::Request(Box::new(request)))
            }
            Err(why) => {
                self.connection.print("stderr", &format!("the message is no valid request: {why}"));
                None
            }
        }
    }

    /// Open what the arguments of a launch select.
    pub fn open(&mut self, given: &Value) -> Result<(LaunchArguments, Debuggee), Refusal> {
        let arguments = LaunchArguments::parse(given)?;
        let stop = self.stop();
        let opened = catch_unwind(AssertUnwindSafe(|| Debuggee::open(&arguments, &stop)));
        // The panic has been logged.
        let debuggee =
            opened.unwrap_or_else(|_| Err(Refusal::user("a bug in Synod: the run cannot be opened")))?;
        for doubt in &arguments.doubts {
            self.connection.print("important", doubt);
        }
        Ok((arguments, debuggee))
    }

    /// End the run, and tell the client.
    pub fn terminated(&mut self, exit_code: Option<u8>) {
        if let Some(code) = exit_code {
            self.connection.event("exited", json!({"exitCode": code}));
        }
        self.connection.event("terminated", Value::Null);
    }
}
