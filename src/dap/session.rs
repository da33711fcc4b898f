//! A session before and after a run is debugged: handshake and launch.

use super::SessionEnd;
use super::capabilities::capabilities;
use super::connection::{Answer, Refusal, arguments};
use super::debug::Debug;
use super::protocol::{InitializeArguments, Request};
use super::server::{After, Received, Server};
use super::sources::Numbering;
use serde_json::Value;
use std::io::Write;

impl<W: Write> Server<W> {
    pub fn run(mut self) -> SessionEnd {
        loop {
            let Received::Request(request) = self.next() else { return SessionEnd::Gone };
            let after = match request.command.as_str() {
                "launch" => self.launch(&request),
                _ => self.idle(&request),
            };
            if let Some(end) = after {
                return end;
            }
        }
    }

    /// Handle a request while no run is debugged.
    fn idle(&mut self, request: &Request) -> Option<SessionEnd> {
        let answer = match request.command.as_str() {
            "initialize" => self.initialize(request),
            "disconnect" => {
                self.connection.respond(request, Ok(Value::Null));
                return Some(SessionEnd::Disconnect);
            }
            "attach" => Err(Refusal::user("there is no run to attach to: use the request `launch`")),
            "terminate" if self.launched => Ok(Value::Null),
            _ if self.numbering.is_none() => Err(not_initialized()),
            other if self.launched => {
                Err(Refusal::state(format!("the run has ended: `{other}` needs a new session")))
            }
            other => Err(Refusal::protocol(format!("`{other}` must come after `launch`"))),
        };
        self.connection.respond(request, answer);
        None
    }

    fn initialize(&mut self, request: &Request) -> Answer {
        if self.numbering.is_some() {
            return Err(Refusal::protocol("`initialize` was sent before"));
        }
        let given: InitializeArguments = arguments(request)?;
        if given.path_format.is_some_and(|format| format != "path") {
            return Err(Refusal::protocol("only the path format `path` is supported"));
        }
        self.numbering = Some(Numbering {
            line: given.lines_start_at1.unwrap_or(true).into(),
            column: given.columns_start_at1.unwrap_or(true).into(),
        });
        Ok(capabilities())
    }

    /// Launch a run and debug it. Return the end of the session if it has ended.
    fn launch(&mut self, request: &Request) -> Option<SessionEnd> {
        let opened = match (self.numbering, self.launched) {
            (None, _) => Err(not_initialized()),
            (_, true) => Err(Refusal::protocol("`launch` was sent before")),
            (Some(numbering), false) => {
                self.open(&request.arguments).map(|(arguments, debuggee)| (numbering, arguments, debuggee))
            }
        };
        let (numbering, mut arguments, mut debuggee) = match opened {
            Ok(opened) => opened,
            Err(refusal) => {
                self.connection.respond(request, Err(refusal));
                return None;
            }
        };
        self.launched = true;
        self.connection.respond(request, Ok(Value::Null));
        self.connection.event("initialized", Value::Null);
        let mut kept = None;
        loop {
            let mut debug = Debug::new(self, &arguments, &debuggee, numbering);
            if let Some(kept) = kept.take() {
                debug.resume_with(kept);
            }
            let (after, breakpoints) = debug.run();
            match after {
                After::Restart(next) => (arguments, debuggee) = *next,
                After::Ended => return None,
                After::End(end) => return Some(end),
            }
            kept = Some(breakpoints);
        }
    }
}

fn not_initialized() -> Refusal {
    Refusal::protocol("the first request must be `initialize`")
}
