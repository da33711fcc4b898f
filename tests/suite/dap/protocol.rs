//! The messages of the debug adapter protocol, as the crate `dapts` has them: its types are generated from the schema of the protocol.
//!
//! A message is valid if its type reads it and writes the same message: no field is missing, unknown, or of another type.

use dapts::{IEvent, IRequest, Message, event, request};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Check a value of a message; Err says what is wrong.
type Check = fn(&Value) -> Result<(), String>;

struct Request {
    command: &'static str,
    arguments: Check,
    response: Check,
}

macro_rules! requests {
    ($($name:ident),* $(,)?) => {
        &[$(Request {
            command: request::$name::COMMAND,
            arguments: exactly::<<request::$name as IRequest>::Arguments>,
            response: exactly::<<request::$name as IRequest>::Response>,
        }),*]
    };
}

macro_rules! events {
    ($($name:ident),* $(,)?) => {
        &[$((event::$name::EVENT, exactly::<<event::$name as IEvent>::Body>)),*]
    };
}

const REQUESTS: &[Request] = requests![
    Attach,
    BreakpointLocations,
    Cancel,
    Completions,
    ConfigurationDone,
    Continue,
    DataBreakpointInfo,
    Disassemble,
    Disconnect,
    Evaluate,
    ExceptionInfo,
    Goto,
    GotoTargets,
    Initialize,
    Launch,
    LoadedSources,
    Locations,
    Modules,
    Next,
    Pause,
    ReadMemory,
    RestartFrame,
    Restart,
    ReverseContinue,
    RunInTerminal,
    Scopes,
    SetBreakpoints,
    SetDataBreakpoints,
    SetExceptionBreakpoints,
    SetExpression,
    SetFunctionBreakpoints,
    SetInstructionBreakpoints,
    SetVariable,
    Source,
    StackTrace,
    StartDebugging,
    StepBack,
    StepIn,
    StepInTargets,
    StepOut,
    Terminate,
    TerminateThreads,
    Threads,
    Variables,
    WriteMemory,
];

const EVENTS: &[(&str, Check)] = events![
    Breakpoint,
    Capabilities,
    Continued,
    Exited,
    Initialized,
    Invalidated,
    LoadedSource,
    Memory,
    Module,
    Output,
    Process,
    ProgressEnd,
    ProgressStart,
    ProgressUpdate,
    Stopped,
    Terminated,
    Thread,
];

/// Return the names of all requests of the protocol.
pub fn commands() -> impl Iterator<Item = &'static str> {
    REQUESTS.iter().map(|request| request.command)
}

/// Check the arguments of a request.
pub fn check_arguments(command: &str, arguments: &Value) {
    valid((request(command).arguments)(arguments), command, arguments);
}

/// Check a message of the adapter, with its envelope.
pub fn check(message: &Value) {
    let body = &message["body"];
    match message["type"].as_str() {
        Some("event") => {
            has_only(message, &["seq", "type", "event", "body"]);
            let name = message["event"].as_str().expect("a name");
            let (_, check) =
                EVENTS.iter().find(|(event, _)| *event == name).expect("an event of the protocol");
            valid(check(body), name, message);
        }
        Some("response") => {
            has_only(message, &["seq", "type", "request_seq", "success", "command", "message", "body"]);
            assert!(message["request_seq"].is_i64(), "{message}");
            let command = message["command"].as_str().expect("a command");
            match message["success"].as_bool().expect("a Boolean") {
                true => valid((request(command).response)(body), command, message),
                false => {
                    assert!(message["message"].is_string() && body.is_object(), "{message}");
                    let error = body.get("error");
                    valid(error.map_or(Ok(()), exactly::<Message>), command, message);
                }
            }
        }
        _ => panic!("neither event nor response: {message}"),
    }
}

fn request(command: &str) -> &'static Request {
    REQUESTS.iter().find(|request| request.command == command).expect("a request of the protocol")
}

fn exactly<T: DeserializeOwned + Serialize>(value: &Value) -> Result<(), String> {
    let is_empty = |value: &Value| value.is_null() || *value == json!({});
    // Nothing is written as no value or as an object without fields.
    let read: T = match serde_json::from_value(value.clone()) {
        Err(_) if value.is_null() => serde_json::from_value(json!({})),
        Err(_) if is_empty(value) => serde_json::from_value(Value::Null),
        read => read,
    }
    .map_err(|error| error.to_string())?;
    let written = serde_json::to_value(read).map_err(|error| error.to_string())?;
    match written == *value || is_empty(&written) && is_empty(value) {
        true => Ok(()),
        false => Err(format!("the protocol has only {written}")),
    }
}

fn has_only(message: &Value, fields: &[&str]) {
    let unknown = message.as_object().expect("an object").keys().find(|key| !fields.contains(&key.as_str()));
    assert_eq!(unknown, None, "{message}");
}

fn valid(checked: Result<(), String>, what: &str, message: &Value) {
    if let Err(why) = checked {
        panic!("{what}: {why}\n{message}");
    }
}
