//! A client of the server: it speaks the protocol over the pipes of the real binary, and reads every message with types that are
//! generated from the schema of the protocol.

use crate::served::{messages, read_line, server};
use rust_mcp_schema::mcp_2025_06_18 as protocol;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::process::{Child, ChildStdin};
use std::sync::mpsc::Receiver;
use std::time::Duration;

/// The machine may be busy; a server that hangs is still detected.
const PATIENCE: Duration = Duration::from_secs(120);

/// Check that a value is one of this type of the protocol, with no other fields.
#[track_caller]
pub fn is_valid<T: DeserializeOwned + Serialize>(value: &Value) {
    let read: T = serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{error}\n{value}"));
    let written = serde_json::to_value(read).expect("it can be written");
    assert_eq!(written, *value);
}

/// Check a result of this method.
#[track_caller]
fn is_result(method: &str, result: &Value) {
    match method {
        "initialize" => is_valid::<protocol::InitializeResult>(result),
        "ping" => is_valid::<protocol::Result>(result),
        "tools/list" => {
            // The type of a schema has only some of its fields: `jsonschema` checks the rest.
            let mut tools = result.clone();
            for tool in tools["tools"].as_array_mut().expect("a list") {
                let schema = tool["inputSchema"].take();
                jsonschema::meta::validate(&schema).expect("a schema is a schema");
                assert_eq!(
                    (&schema["type"], &schema["additionalProperties"]),
                    (&"object".into(), &false.into())
                );
                tool["inputSchema"] = json!({"type": "object"});
            }
            is_valid::<protocol::ListToolsResult>(&tools);
        }
        "tools/call" => is_valid::<protocol::CallToolResult>(result),
        "resources/list" => is_valid::<protocol::ListResourcesResult>(result),
        "resources/templates/list" => is_valid::<protocol::ListResourceTemplatesResult>(result),
        "resources/read" => is_valid::<protocol::ReadResourceResult>(result),
        other => panic!("{other} has a result: {result}"),
    }
}

/// Check the envelope of a response.
fn is_response(message: &Value) {
    let mut message = message.clone();
    if message["error"].is_object() {
        // JSON-RPC requires null where a message has no readable id; the schema does not know that case.
        if message["id"].is_null() {
            message["id"] = 0.into();
        }
        is_valid::<protocol::JsonrpcError>(&message);
    } else {
        assert!(message["result"].is_object(), "{message}");
        message["result"] = json!({});
        is_valid::<protocol::JsonrpcResponse>(&message);
    }
}

pub struct Client {
    process: Child,
    stdin: Option<ChildStdin>,
    messages: Option<Receiver<Value>>,
    /// Messages that arrived while waiting for another one.
    aside: Vec<Value>,
    last_id: i64,
}

impl Client {
    /// Start a server without sending anything.
    pub fn silent() -> Client {
        let mut process = server("mcp").spawn().expect("the binary has been built");
        let messages = messages(&mut process, read_line);
        let stdin = process.stdin.take();
        Client { process, stdin, messages: Some(messages), aside: Vec::new(), last_id: 0 }
    }

    /// Start a server and initialize it with this version.
    pub fn version(version: &str) -> (Client, Value) {
        let mut client = Client::silent();
        let params = json!({
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        });
        let result = client.request("initialize", params).expect("a result");
        client.line(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        (client, result)
    }

    pub fn new() -> Client {
        Client::version("2025-06-18").0
    }

    /// Send bytes. The server may have gone.
    pub fn raw(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("still open");
        let _ = stdin.write_all(bytes).and_then(|()| stdin.flush());
    }

    pub fn line(&mut self, message: &Value) {
        self.raw(format!("{message}\n").as_bytes());
    }

    /// Send a request without waiting for the answer; return its id.
    pub fn send(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        self.line(&json!({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}));
        self.last_id.into()
    }

    /// Return the next message, whatever it is.
    pub fn next(&mut self) -> Value {
        match self.aside.is_empty() {
            true => self.receive(),
            false => self.aside.remove(0),
        }
    }

    fn receive(&mut self) -> Value {
        let messages = self.messages.as_ref().expect("still open");
        let message = messages.recv_timeout(PATIENCE).expect("the server answers");
        match message.as_array() {
            Some(batch) => batch.iter().for_each(is_response),
            None => is_response(&message),
        }
        message
    }

    /// Return the response to a request.
    pub fn response(&mut self, id: &Value) -> Value {
        if let Some(at) = self.aside.iter().position(|message| message["id"] == *id) {
            return self.aside.remove(at);
        }
        loop {
            let message = self.receive();
            if message["id"] == *id {
                return message;
            }
            self.aside.push(message);
        }
    }

    /// Send a request; return its result, or its error.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.send(method, params);
        let mut message = self.response(&id);
        match message.get_mut("error") {
            Some(error) => Err(error.take()),
            None => {
                is_result(method, &message["result"]);
                Ok(message["result"].take())
            }
        }
    }

    /// Return code and message of the error of a request.
    pub fn refused(&mut self, method: &str, params: Value) -> (i64, String) {
        let error = self.request(method, params).expect_err("an error");
        (error["code"].as_i64().expect("a code"), error["message"].as_str().expect("a message").into())
    }

    /// Call a tool; return the result.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let result =
            self.request("tools/call", json!({"name": tool, "arguments": arguments})).expect("a result");
        assert!(!text_of(&result).is_empty(), "{result}");
        result
    }

    /// Call a tool that must succeed; return the structured result.
    #[track_caller]
    pub fn good(&mut self, tool: &str, arguments: Value) -> Value {
        let mut result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{tool}: {}", text_of(&result));
        result["structuredContent"].take()
    }

    /// Call a tool that must succeed; return the text.
    #[track_caller]
    pub fn text(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{tool}: {}", text_of(&result));
        text_of(&result)
    }

    /// Call a tool that must fail; return the error.
    #[track_caller]
    pub fn failed(&mut self, tool: &str, arguments: Value) -> Value {
        let mut result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{tool}: {}", text_of(&result));
        let text = text_of(&result);
        let error = result["structuredContent"]["error"].take();
        assert!(
            text.starts_with(&format!("error: {}", error["message"].as_str().expect("a message"))),
            "{text}"
        );
        error
    }

    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Close the input, and return exit code, the other messages, and what was written to standard error.
    pub fn ended(mut self) -> (i32, Vec<Value>, String) {
        self.close_input();
        let mut rest = std::mem::take(&mut self.aside);
        rest.extend(self.messages.take().into_iter().flatten());
        let mut errors = String::new();
        self.process.stderr.take().expect("a pipe").read_to_string(&mut errors).expect("a text");
        (self.process.wait().expect("a process").code().unwrap_or(-1), rest, errors)
    }
}

/// Return the text of a result.
pub fn text_of(result: &Value) -> String {
    result["content"][0]["text"].as_str().expect("a text").into()
}
