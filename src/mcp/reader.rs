//! The reader: messages of the client, answered at once or put into the queue of the worker.

use super::lines::{self, Line, MAX_BYTES};
use super::message::{Answer, Message, ProtocolError, Request, response};
use super::output::{Destination, Output};
use super::register::{CallRegister, Rejection};
use super::resources;
use super::tools::{TOOLS, Tool};
use super::worker::Job;
use serde_json::{Map, Value, json};
use std::io::BufRead;
use std::sync::Arc;
use std::sync::mpsc::Sender;

/// The supported versions of the protocol, the newest first.
const VERSIONS: [&str; 3] = ["2025-06-18", BATCHES, "2024-11-05"];

/// The only version with batches.
const BATCHES: &str = "2025-03-26";

/// Instructions for the assistant, sent with `initialize`.
const INSTRUCTIONS: &str = "\
Synod is a language of guarded commands for distributed algorithms: elections, mutual exclusion, consensus, self-stabilization and others. \
A text is run, model-checked on small networks, and measured. \
Read the resource synod://llms before you write a program (synod://reference has every construct), and look at a similar one: `library` finds it, `source` shows it. \
Then: `check` until there are no errors; `run` for one run; `verify` for all runs on a small network; `measure` for costs. \
After `run`, `open`, or a counterexample of `verify`, there is an open run: `state`, `step`, `back`, `enabled`, `fire`, `whatif`, `why`, `whynot` and \
`evaluate` are about it. Processes are numbered from 0 (p0), events too; position k lies after k events. \
No tool reads or writes files: pass the text of a program, or the name of a library file.";

/// The greatest length of a name that an error repeats.
const MAX_NAME: usize = 80;

pub struct Reader {
    output: Arc<Output>,
    register: Arc<CallRegister>,
    queue: Sender<Job>,
    version: Option<&'static str>,
}

impl Reader {
    pub fn new(output: Arc<Output>, register: Arc<CallRegister>, queue: Sender<Job>) -> Reader {
        Reader { output, register, queue, version: None }
    }

    /// Read messages until the input ends, or the client no longer reads.
    pub fn run(mut self, input: &mut impl BufRead) {
        while !self.output.is_gone() {
            match lines::read(input) {
                Line::Text(line) if line.iter().all(u8::is_ascii_whitespace) => {}
                Line::Text(line) => match serde_json::from_slice(&line) {
                    Ok(Value::Array(batch)) => self.batch(batch),
                    Ok(message) => self.message(message, line.len(), Destination::Line),
                    Err(error) => {
                        self.refuse(ProtocolError::invalid_json(format!(
                            "the message is not valid JSON: {error}"
                        )));
                    }
                },
                Line::TooLong => {
                    let message = format!("the message is longer than {MAX_BYTES} bytes");
                    self.refuse(ProtocolError::invalid_request(message));
                }
                Line::End => break,
            }
        }
        self.register.end();
    }

    /// Answer what has no id.
    fn refuse(&self, error: ProtocolError) {
        self.output.settle(&Destination::Line, Some(response(&Value::Null, Err(error))));
    }

    fn batch(&mut self, batch: Vec<Value>) {
        if self.version != Some(BATCHES) {
            let message = format!("only version {BATCHES} of the protocol has batches");
            return self.refuse(ProtocolError::invalid_request(message));
        }
        if batch.is_empty() {
            return self.refuse(ProtocolError::invalid_request("the batch is empty"));
        }
        let to = Destination::batch(batch.len());
        for message in batch {
            let bytes = message.to_string().len();
            self.message(message, bytes, to.clone());
        }
    }

    fn message(&mut self, message: Value, bytes: usize, to: Destination) {
        let answer = match Message::parse(message) {
            Message::Request(request) => match self.request(request, bytes, &to) {
                Some(answer) => answer,
                None => return,
            },
            Message::Notification { method, params } => {
                if let ("notifications/cancelled", Some(id)) = (method.as_str(), params.get("requestId")) {
                    self.register.cancel(id);
                }
                return self.output.settle(&to, None);
            }
            Message::Response => return self.output.settle(&to, None),
            Message::Invalid { id, error } => response(&id, Err(error)),
        };
        self.output.settle(&to, Some(answer));
    }

    /// Answer a request; `None`: the worker will.
    fn request(&mut self, request: Request, bytes: usize, to: &Destination) -> Option<Value> {
        let Request { id, method, params } = request;
        let answer = match method.as_str() {
            "initialize" => match to {
                Destination::Line => self.initialize(&params),
                Destination::Batch(_) => {
                    Err(ProtocolError::invalid_request("initialize cannot be part of a batch"))
                }
            },
            "ping" => Ok(json!({})),
            "tools/list" => listed(
                &params,
                || json!({"tools": TOOLS.iter().map(Tool::description).collect::<Vec<Value>>()}),
            ),
            "tools/call" => match self.call(&id, params, bytes, to) {
                Ok(()) => return None,
                Err(error) => Err(error),
            },
            "resources/list" => listed(&params, resources::list),
            "resources/templates/list" => listed(&params, resources::templates),
            "resources/read" => match params.get("uri").and_then(Value::as_str) {
                Some(uri) if uri.len() <= MAX_NAME => resources::read(uri),
                Some(uri) => Err(ProtocolError::unknown_resource(&shortened(uri))),
                None => Err(ProtocolError::invalid_params("resources/read: `uri` is not a text")),
            },
            other => Err(ProtocolError::unknown_method(&shortened(other))),
        };
        Some(response(&id, answer))
    }

    fn initialize(&mut self, params: &Map<String, Value>) -> Answer {
        let Some(asked) = params.get("protocolVersion").and_then(Value::as_str) else {
            return Err(ProtocolError::invalid_params("initialize: `protocolVersion` is not a text"));
        };
        let version = VERSIONS.into_iter().find(|version| *version == asked).unwrap_or(VERSIONS[0]);
        self.version = Some(version);
        Ok(json!({
            "protocolVersion": version,
            "capabilities": {"tools": {}, "resources": {}},
            "serverInfo": {"name": "synod", "title": "Synod", "version": env!("CARGO_PKG_VERSION")},
            "instructions": INSTRUCTIONS,
        }))
    }

    /// Put a call into the queue.
    fn call(
        &self,
        id: &Value,
        mut params: Map<String, Value>,
        bytes: usize,
        to: &Destination,
    ) -> Result<(), ProtocolError> {
        let Some(Value::String(name)) = params.remove("name") else {
            return Err(ProtocolError::invalid_params("tools/call: `name` is not a text"));
        };
        let tool = Tool::find(&name).ok_or_else(|| {
            let name = shortened(&name);
            ProtocolError::invalid_params(format!("there is no tool {name}: {}", Tool::hint(&name)))
        })?;
        let arguments = match params.remove("arguments") {
            None => Map::new(),
            Some(Value::Object(arguments)) => arguments,
            Some(_) => {
                return Err(ProtocolError::invalid_params("tools/call: `arguments` is not an object"));
            }
        };
        self.register.register(id, bytes).map_err(|rejection| match rejection {
            Rejection::Duplicate => {
                ProtocolError::invalid_request("a call with this id is waiting or being answered")
            }
            Rejection::Overload => ProtocolError::overload("too many calls are waiting"),
        })?;
        let job = Job { id: id.clone(), tool, arguments, to: to.clone() };
        // If the worker has ended, the client has gone.
        let _ = self.queue.send(job);
        Ok(())
    }
}

/// Answer a request for a list, which has one page.
fn listed(params: &Map<String, Value>, list: impl Fn() -> Value) -> Answer {
    match params.get("cursor") {
        None | Some(Value::Null) => Ok(list()),
        Some(_) => Err(ProtocolError::invalid_params("there is no such cursor: the list has one page")),
    }
}

fn shortened(name: &str) -> String {
    match name.char_indices().nth(MAX_NAME) {
        Some((at, _)) => format!("{}…", &name[..at]),
        None => name.into(),
    }
}
