//! The debugging of one run: the loop over requests, and their dispatch.

use super::SessionEnd;
use super::breakpoints::BreakpointTable;
use super::connection::{Answer, Refusal};
use super::launch::{Debuggee, LaunchArguments};
use super::protocol::Request;
use super::server::{After, Received, Server};
use super::sources::{Numbering, SourceFiles};
use super::state::{Motion, Moving, Stopped};
use super::variables::Handles;
use crate::ids::ProcessId;
use crate::prose;
use crate::semantics::event::Event;
use crate::session::timeline::Timeline;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The reply to a request, and what follows it.
pub enum Reply {
    Body(Value),
    /// An empty body; then the run moves.
    Move(Motion),
    /// An empty body; then the debugging of this run ends.
    Leave(After),
}

impl From<Value> for Reply {
    fn from(body: Value) -> Reply {
        Reply::Body(body)
    }
}

pub struct Debug<'s, 'd, W> {
    pub(super) server: &'s mut Server<W>,
    pub(super) arguments: &'s LaunchArguments,
    pub(super) debuggee: &'d Debuggee,
    pub(super) timeline: Timeline,
    pub(super) files: SourceFiles,
    pub(super) breakpoints: BreakpointTable,
    pub(super) handles: Handles,
    /// Whether the client has sent its breakpoints.
    pub(super) configured: bool,
    /// The current movement.
    pub(super) moving: Option<Moving>,
    pub(super) stopped: Stopped,
    /// The enabled steps and the positions that the client may choose, by target id - 1.
    pub(super) step_targets: Vec<Event>,
    pub(super) goto_targets: Vec<usize>,
}

impl<'s, 'd, W: Write> Debug<'s, 'd, W> {
    pub fn new(
        server: &'s mut Server<W>,
        arguments: &'s LaunchArguments,
        debuggee: &'d Debuggee,
        numbering: Numbering,
    ) -> Debug<'s, 'd, W> {
        Debug {
            server,
            arguments,
            debuggee,
            timeline: Timeline::new(debuggee.instance.clone(), debuggee.schedule, debuggee.seed),
            files: SourceFiles::new(&debuggee.program, &debuggee.text, numbering),
            breakpoints: BreakpointTable::default(),
            handles: Handles::default(),
            configured: false,
            moving: None,
            stopped: Stopped::default(),
            step_targets: Vec::new(),
            goto_targets: Vec::new(),
        }
    }

    /// Continue after a restart, with the breakpoints of the former run: the client does not send them again.
    pub fn resume_with(&mut self, former: BreakpointTable) {
        self.set_again(former);
        self.configured = true;
        self.begin();
    }

    /// Debug the run. Return what follows, and the breakpoints that are set.
    pub fn run(mut self) -> (After, BreakpointTable) {
        loop {
            let received = match &self.moving {
                None => Some(self.server.next()),
                Some(_) => self.server.try_next(),
            };
            match received {
                Some(Received::End) => return (After::End(SessionEnd::Gone), self.breakpoints),
                Some(Received::Request(request)) => {
                    if let Some(after) = self.handle(&request) {
                        return (after, self.breakpoints);
                    }
                }
                None => {}
            }
            if self.moving.is_some()
                && let Some(after) = self.advance_safely()
            {
                return (after, self.breakpoints);
            }
        }
    }

    /// Advance the movement; a panic, which has been logged, ends the run.
    fn advance_safely(&mut self) -> Option<After> {
        let advanced = catch_unwind(AssertUnwindSafe(|| self.advance()));
        advanced.unwrap_or_else(|_| {
            self.print("stderr", "a bug in Synod: the run cannot continue");
            self.server.terminated(Some(101));
            Some(After::Ended)
        })
    }

    fn handle(&mut self, request: &Request) -> Option<After> {
        let reply = catch_unwind(AssertUnwindSafe(|| self.reply(request)));
        let reply = reply.unwrap_or_else(|_| {
            Err(Refusal::user(format!("a bug in Synod: `{}` cannot be answered", request.command)))
        });
        let (answer, motion, after) = match reply {
            Ok(Reply::Body(body)) => (Ok(body), None, None),
            Ok(Reply::Move(motion)) => (Ok(Value::Null), Some(motion), None),
            Ok(Reply::Leave(after)) => (Ok(Value::Null), None, Some(after)),
            Err(refusal) => (Err(refusal), None, None),
        };
        let answer = match (&motion, request.command.as_str()) {
            (Some(_), "continue") => Ok(json!({"allThreadsContinued": true})),
            _ => answer,
        };
        let is_done = answer.is_ok();
        self.server.connection.respond(request, answer);
        if let Some(motion) = motion {
            self.start(motion);
        }
        match (request.command.as_str(), is_done) {
            ("configurationDone", true) => self.begin(),
            ("pause", true) => self.paused(),
            ("terminate", true) => self.server.terminated(None),
            _ => {}
        }
        after
    }

    fn reply(&mut self, request: &Request) -> Result<Reply, Refusal> {
        let answer: Answer = match request.command.as_str() {
            "configurationDone" => self.configuration_done(),
            "setBreakpoints" => self.set_breakpoints(request),
            "setFunctionBreakpoints" => self.set_function_breakpoints(request),
            "setExceptionBreakpoints" => self.set_exception_breakpoints(request),
            "setDataBreakpoints" => self.set_data_breakpoints(request),
            "dataBreakpointInfo" => self.data_breakpoint_info(request),
            "breakpointLocations" => self.breakpoint_locations(request),
            "threads" => Ok(self.threads()),
            "source" => self.source(request),
            "loadedSources" => Ok(json!({"sources": self.files.all().collect::<Vec<_>>()})),
            "stackTrace" => self.when_stopped().and_then(|()| self.stack_trace(request)),
            "scopes" => self.when_stopped().and_then(|()| self.scopes(request)),
            "variables" => self.when_stopped().and_then(|()| self.variables(request)),
            "evaluate" => self.when_stopped().and_then(|()| self.evaluate(request)),
            "exceptionInfo" => self.when_stopped().and_then(|()| self.exception_info()),
            "stepInTargets" => self.when_stopped().and_then(|()| self.step_in_targets(request)),
            "gotoTargets" => self.when_stopped().and_then(|()| self.goto_targets(request)),
            "pause" => Ok(Value::Null),
            "continue" | "next" | "stepIn" | "stepOut" | "stepBack" | "reverseContinue" | "restartFrame"
            | "goto" => {
                self.when_stopped()?;
                return self.motion(request);
            }
            "restart" => return self.restart(request),
            "terminate" => return Ok(Reply::Leave(After::Ended)),
            "disconnect" => return Ok(Reply::Leave(After::End(SessionEnd::Disconnect))),
            "initialize" | "launch" | "attach" => {
                Err(Refusal::protocol(format!("`{}` was sent before", request.command)))
            }
            other => Err(Refusal::protocol(format!("`{other}` is not supported"))),
        };
        answer.map(Reply::Body)
    }

    fn configuration_done(&mut self) -> Answer {
        match std::mem::replace(&mut self.configured, true) {
            false => Ok(Value::Null),
            true => Err(Refusal::protocol("`configurationDone` was sent before")),
        }
    }

    /// Check that the run is stopped.
    pub(super) fn when_stopped(&self) -> Result<(), Refusal> {
        match (&self.moving, self.configured) {
            (Some(_), _) => Err(Refusal::state("the run is moving: pause it first")),
            (None, false) => Err(Refusal::protocol("`configurationDone` must come first")),
            (None, true) => Ok(()),
        }
    }

    /// Restart the run, with the program as it is now.
    fn restart(&mut self, request: &Request) -> Result<Reply, Refusal> {
        // The client may have changed the arguments.
        let given = request.arguments.get("arguments").filter(|given| given.get("program").is_some());
        let next = match given {
            Some(given) => self.server.open(given)?,
            None => {
                let stop = self.server.stop();
                (self.arguments.clone(), Debuggee::open(self.arguments, &stop)?)
            }
        };
        Ok(Reply::Leave(After::Restart(Box::new(next))))
    }

    /// Print a line on the console of the client.
    pub(super) fn print(&mut self, category: &str, line: &str) {
        let named = prose::with_names(line, &self.debuggee.names).into_owned();
        self.server.connection.print(category, &named);
    }

    /// Return a text in which processes are called by their names.
    pub(super) fn named<'t>(&self, text: &'t str) -> Cow<'t, str> {
        prose::with_names(text, &self.debuggee.names)
    }

    /// Return the process that is the thread of this id.
    pub(super) fn process(&self, thread: i64) -> Result<ProcessId, Refusal> {
        let position = thread.checked_sub(1).and_then(|position| u32::try_from(position).ok());
        let known = position.filter(|position| *position < self.debuggee.instance.n());
        known.map(ProcessId).ok_or_else(|| Refusal::protocol(format!("there is no thread {thread}")))
    }
}

/// Return the id of the thread that a process is.
pub fn thread_id(process: ProcessId) -> i64 {
    i64::from(process.0) + 1
}
