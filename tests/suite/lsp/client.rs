//! An editor, as far as the server can see: it speaks the protocol over the pipes of the real binary.

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
    /// Messages that arrived while waiting for an answer.
    aside: Vec<Value>,
    last_id: i64,
}

/// Create a separate folder for a test, with these files.
pub fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lsp").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder for tests can be written");
    for (file, text) in files {
        std::fs::write(folder.join(file), text).expect("the folder for tests can be written");
    }
    folder
}

pub fn uri(path: &std::path::Path) -> String {
    format!("file://{}", path.display())
}

impl Client {
    /// Start a server without sending anything.
    pub fn silent() -> Client {
        let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lsp-cache");
        let mut process =
            server("lsp").env("XDG_CACHE_HOME", cache).spawn().expect("the binary has been built");
        let messages = messages(&mut process, read);
        let stdin = process.stdin.take();
        Client { process, stdin, messages, aside: Vec::new(), last_id: 0 }
    }

    /// Start a session with these capabilities of the client.
    pub fn with(capabilities: Value) -> Client {
        let mut client = Client::silent();
        client
            .request("initialize", json!({"processId": null, "rootUri": null, "capabilities": capabilities}))
            .expect("an answer");
        client.notify("initialized", json!({}));
        client
    }

    pub fn new() -> Client {
        Client::with(json!({"textDocument": {
            "completion": {"completionItem": {"snippetSupport": true}},
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
        }}))
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("still open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the server reads");
    }

    pub fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Send a request without waiting for the answer.
    pub fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.last_id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}));
        self.last_id
    }

    /// Return the result of a request, or the error code.
    pub fn answer(&mut self, id: i64) -> Result<Value, i64> {
        let message = self.wait(|m| m.get("id") == Some(&json!(id)) && m.get("method").is_none());
        match message.get("error") {
            Some(error) => Err(error["code"].as_i64().expect("a code")),
            None => Ok(message["result"].clone()),
        }
    }

    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, i64> {
        let id = self.ask(method, params);
        self.answer(id)
    }

    /// Return the first wanted message, of those received and those to come.
    pub fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.aside.iter().position(&wanted) {
            return self.aside.remove(at);
        }
        loop {
            let message = self.messages.recv_timeout(PATIENCE).expect("the server answers");
            if wanted(&message) {
                return message;
            }
            self.aside.push(message);
        }
    }

    pub fn open(&mut self, uri: &str, text: &str) {
        let document = json!({"uri": uri, "languageId": "synod", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    pub fn change(&mut self, uri: &str, version: i32, changes: Value) {
        let document = json!({"uri": uri, "version": version});
        self.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
    }

    /// Return the diagnostics of this version of a text.
    pub fn findings(&mut self, uri: &str, version: i32) -> Vec<Value> {
        let published = self.wait(|m| {
            m["method"] == "textDocument/publishDiagnostics"
                && m["params"]["uri"] == uri
                && m["params"]["version"] == version
        });
        published["params"]["diagnostics"].as_array().expect("a list").clone()
    }

    /// Send a request about a position in a text.
    pub fn at(&mut self, method: &str, uri: &str, (line, character): (u32, u32)) -> Result<Value, i64> {
        self.request(method, place(uri, (line, character)))
    }

    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Return the exit code.
    pub fn ended(mut self) -> i32 {
        for _ in 0..1200 {
            if let Some(status) = self.process.try_wait().expect("a process") {
                return status.code().unwrap_or(-1);
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        let _ = self.process.kill();
        panic!("the server does not end");
    }

    pub fn stop(mut self) -> i32 {
        self.request("shutdown", Value::Null).expect("it can be shut down");
        self.notify("exit", Value::Null);
        self.ended()
    }
}

pub fn place(uri: &str, (line, character): (u32, u32)) -> Value {
    json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}})
}

/// Return line and column, in UTF-16 units, of the text after `before`.
pub fn behind(text: &str, before: &str) -> (u32, u32) {
    let at = text.find(before).unwrap_or_else(|| panic!("{before}")) + before.len();
    let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    let column: usize = text[start..at].chars().map(char::len_utf16).sum();
    (text[..at].matches('\n').count() as u32, column as u32)
}

/// Apply edits of the protocol, in UTF-16 units, to a text.
pub fn edited(text: &str, edits: &Value) -> String {
    let offset = |position: &Value| {
        let line = position["line"].as_u64().expect("a line") as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let mut units = position["character"].as_u64().expect("a column") as usize;
        let mut at = start;
        for c in text[start..].chars() {
            if units == 0 {
                break;
            }
            units -= c.len_utf16();
            at += c.len_utf8();
        }
        at
    };
    let mut all: Vec<(usize, usize, String)> = edits
        .as_array()
        .expect("a list of edits")
        .iter()
        .map(|e| {
            (
                offset(&e["range"]["start"]),
                offset(&e["range"]["end"]),
                e["newText"].as_str().expect("text").to_string(),
            )
        })
        .collect();
    all.sort();
    let mut text = text.to_string();
    for (start, end, new) in all.into_iter().rev() {
        text.replace_range(start..end, &new);
    }
    text
}
