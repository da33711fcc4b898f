//! A client of the debugger: it speaks the protocol over the pipes of the real binary, and checks every message: see
//! `protocol`.

use super::protocol;
use crate::served::{messages, read, server};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, ChildStdin};
use std::sync::mpsc::Receiver;
use std::time::Duration;

/// The machine may be busy; a server that hangs is still detected.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Client {
    process: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Messages that arrived while waiting for another one.
    aside: Vec<Value>,
    last_seq: i64,
    seen: i64,
    /// The console: the outputs in order.
    pub console: String,
}

/// Create a separate folder for a test, with these files.
pub fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("dap").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder for tests can be written");
    for (file, text) in files {
        std::fs::write(folder.join(file), text).expect("the folder for tests can be written");
    }
    folder
}

impl Client {
    /// Start a debugger without sending anything.
    pub fn silent() -> Client {
        let mut process = server("dap").spawn().expect("the binary has been built");
        let messages = messages(&mut process, read);
        let stdin = process.stdin.take();
        let console = String::new();
        Client { process, stdin, messages, aside: Vec::new(), last_seq: 0, seen: 0, console }
    }

    /// Start a debugger and initialize it.
    pub fn new() -> Client {
        let mut client = Client::silent();
        client.request("initialize", json!({"adapterID": "synod"})).expect("capabilities");
        client
    }

    /// Launch a run, up to the point at which breakpoints are set.
    pub fn launched(arguments: Value) -> Client {
        let mut client = Client::new();
        client.request("launch", arguments).expect("it can be launched");
        client.event("initialized");
        client
    }

    /// Launch a run without breakpoints, and wait until it stops.
    pub fn stopped_at(arguments: Value) -> (Client, Value) {
        let mut client = Client::launched(arguments);
        client.request("configurationDone", json!({})).expect("an answer");
        let stopped = client.event("stopped");
        (client, stopped)
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("still open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the server reads");
    }

    /// Send a request that need not be valid, without waiting for the answer.
    pub fn send(&mut self, command: &str, arguments: Value) -> i64 {
        self.last_seq += 1;
        let message = json!({
            "seq": self.last_seq, "type": "request", "command": command, "arguments": arguments,
        });
        let body = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
        self.last_seq
    }

    /// Return the body of a response, or its message.
    pub fn answer(&mut self, seq: i64) -> Result<Value, String> {
        let message = self.wait(|m| m["type"] == "response" && m["request_seq"] == seq);
        match message["success"].as_bool() {
            Some(true) => Ok(message["body"].clone()),
            _ => Err(message["message"].as_str().expect("a message").to_string()),
        }
    }

    /// Send a valid request.
    pub fn request(&mut self, command: &str, arguments: Value) -> Result<Value, String> {
        protocol::check_arguments(command, &arguments);
        self.wrong(command, arguments)
    }

    /// Send a request that need not be valid.
    pub fn wrong(&mut self, command: &str, arguments: Value) -> Result<Value, String> {
        let seq = self.send(command, arguments);
        self.answer(seq)
    }

    /// Wait for an event, and return its body.
    pub fn event(&mut self, event: &str) -> Value {
        self.wait(|m| m["event"] == event)["body"].clone()
    }

    /// Let a thread move, and return how it stopped.
    pub fn moves(&mut self, command: &str, thread: i64) -> Value {
        self.request(command, json!({"threadId": thread})).expect("it moves");
        self.event("stopped")
    }

    /// Return the first wanted message, of those received and those to come.
    pub fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.aside.iter().position(&wanted) {
            return self.aside.remove(at);
        }
        loop {
            let message = self.messages.recv_timeout(PATIENCE).expect("the server answers");
            self.check(&message);
            if message["event"] == "output" {
                self.console += message["body"]["output"].as_str().expect("a text");
            }
            if wanted(&message) {
                return message;
            }
            self.aside.push(message);
        }
    }

    /// Check that a message is valid, and numbered consecutively.
    fn check(&mut self, message: &Value) {
        self.seen += 1;
        assert_eq!(message["seq"], self.seen);
        protocol::check(message);
    }

    /// Return the name of each thread.
    pub fn threads(&mut self) -> Vec<String> {
        let threads = self.request("threads", json!({})).expect("threads");
        let names = threads["threads"].as_array().expect("a list").iter();
        names.map(|thread| thread["name"].as_str().expect("a name").to_string()).collect()
    }

    pub fn frames(&mut self, thread: i64) -> Vec<Value> {
        let trace = self.request("stackTrace", json!({"threadId": thread})).expect("frames");
        trace["stackFrames"].as_array().expect("a list").clone()
    }

    /// Return the variables of a reference as `name = value`.
    pub fn variables(&mut self, reference: &Value) -> Vec<String> {
        let given = json!({"variablesReference": reference});
        let variables = self.request("variables", given).expect("variables");
        variables["variables"].as_array().expect("a list").iter().map(shown).collect()
    }

    /// Return a scope of the top frame of a thread, as `name = value`.
    pub fn scope(&mut self, thread: i64, name: &str) -> Vec<String> {
        let frame = self.frames(thread)[0]["id"].clone();
        let scopes = self.request("scopes", json!({"frameId": frame})).expect("scopes");
        let scopes = scopes["scopes"].as_array().expect("a list").clone();
        let scope = scopes.iter().find(|scope| scope["name"] == name).expect("the scope");
        self.variables(&scope["variablesReference"])
    }

    /// Evaluate an expression on the console.
    pub fn evaluate(&mut self, text: &str) -> Result<String, String> {
        let answer = self.request("evaluate", json!({"expression": text, "context": "repl"}))?;
        Ok(answer["result"].as_str().expect("a text").to_string())
    }

    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Return the exit code.
    pub fn ended(mut self) -> i32 {
        self.process.wait().expect("a process").code().unwrap_or(-1)
    }

    /// Disconnect, and return the exit code.
    pub fn disconnect(mut self) -> i32 {
        self.request("disconnect", json!({})).expect("it can be disconnected");
        self.ended()
    }
}

/// Return a variable as `name = value`.
pub fn shown(variable: &Value) -> String {
    let text = |key: &str| variable[key].as_str().expect("a text").to_string();
    format!("{} = {}", text("name"), text("value"))
}
