//! Time, memory, cancellation, and clients that have gone.

use super::ENDLESS;
use super::client::{Client, is_valid};
use crate::served::server;
use rust_mcp_schema::mcp_2025_06_18::CallToolResult;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write, pipe};
use std::sync::Mutex;
use std::sync::mpsc::channel;
use synod::internals::mcp::{MemoryLimit, serve};

/// Without time, a call reports what is known at its beginning.
#[test]
fn a_call_without_time_says_so() {
    let mut client = Client::new();
    let mut limited = |tool: &str, mut arguments: Value| {
        arguments["seconds"] = 0.into();
        let text = client.text(tool, arguments.clone());
        assert!(text.ends_with("time limit reached: 0 s"), "{text}");
        let answer = client.good(tool, arguments);
        assert_eq!(answer["limit"], "time limit reached: 0 s");
        answer
    };
    let run = limited("run", json!({"text": ENDLESS, "on": "ring(3)"}));
    assert_eq!((&run["stop"]["reason"], &run["position"]["at"]), (&"interrupted".into(), &0.into()));
    assert_eq!(run["processes"].as_array().map(Vec::len), Some(3));
    let found = limited("verify", json!({"text": ENDLESS, "on": "ring(3)"}));
    assert_eq!((&found["verdict"], &found["cut"]), (&"limit".into(), &"time limit reached".into()));
    let measured = limited("measure", json!({"text": ENDLESS, "sizes": [4, 8], "runs": 3}));
    assert_eq!((&measured["rows"], &measured["cut"]), (&json!([]), &"the first 0 of 6".into()));
    let step = limited("step", json!({"count": 100}));
    assert_eq!(step["stop"]["reason"], "interrupted");
    // The next call has its own time, also in the run that was opened without any.
    let run = client.good("run", json!({"most": 100}));
    assert_eq!(
        (&run["stop"]["reason"], &run["position"]["at"], &run["limit"]),
        (&"done".into(), &100.into(), &Value::Null)
    );
}

/// A session in this process: input, and output by lines.
struct Session {
    input: std::io::PipeWriter,
    output: BufReader<std::io::PipeReader>,
    server: std::thread::JoinHandle<()>,
}

impl Session {
    fn new(memory: MemoryLimit) -> Session {
        let (read_input, input) = pipe().expect("a pipe");
        let (output, write_output) = pipe().expect("a pipe");
        let server = std::thread::spawn(move || serve(read_input, write_output, memory).expect("threads"));
        Session { input, output: BufReader::new(output), server }
    }

    fn line(&mut self, message: &Value) {
        writeln!(self.input, "{message}").expect("the server reads");
    }

    fn call(&mut self, id: i64, tool: &str, arguments: Value) {
        let params = json!({"name": tool, "arguments": arguments});
        self.line(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}));
    }

    fn next(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line");
        serde_json::from_str(&line).expect("JSON")
    }

    /// Close the input; return what was still written.
    fn ended(mut self) -> String {
        drop(self.input);
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).expect("a text");
        self.server.join().expect("no panic");
        rest
    }
}

/// A call that is cancelled ends, and has no answer.
#[test]
fn a_running_call_is_cancelled() {
    // A running call asks for the memory.
    let (sender, running) = channel();
    let sender = Mutex::new(sender);
    let is_exceeded = move || {
        let _ = sender.lock().expect("no test panics here").send(());
        false
    };
    let mut session = Session::new(MemoryLimit::new(is_exceeded, || ()));
    let search = json!({"text": ENDLESS, "on": "ring(3)", "configurations": 4_000_000, "seconds": 300});
    session.call(1, "verify", search.clone());
    running.recv().expect("the search runs");
    // One that waits is cancelled, too. The id of a call is not free before its answer.
    session.call(2, "verify", search);
    session.call(1, "state", json!({}));
    let refused = session.next();
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&1.into(), &(-32600).into()));
    for id in [2, 1] {
        let params = json!({"requestId": id, "reason": "enough"});
        session.line(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}));
    }
    session.call(3, "check", json!({"text": ENDLESS}));
    let answer = session.next();
    assert_eq!((&answer["id"], &answer["result"]["isError"]), (&3.into(), &false.into()));
    assert_eq!(session.ended(), "");
}

/// A call that takes too much memory ends with what is known. The open run is closed, because it may be what takes the memory.
#[test]
fn a_call_without_memory_says_so() {
    let mut session = Session::new(MemoryLimit::new(|| true, || ()));
    session.call(1, "run", json!({"text": ENDLESS, "on": "ring(3)"}));
    let answer = session.next()["result"].clone();
    is_valid::<CallToolResult>(&answer);
    let structured = &answer["structuredContent"];
    assert_eq!((&answer["isError"], &structured["stop"]["reason"]), (&false.into(), &"interrupted".into()));
    assert_eq!(structured["limit"], "memory limit reached; the open run is closed");
    session.call(2, "state", json!({}));
    let answer = session.next()["result"].clone();
    assert_eq!(answer["structuredContent"]["error"]["message"], "state: no run is open");
    assert_eq!(session.ended(), "");
}

/// A client that no longer reads ends the server, without a message.
#[test]
fn a_closed_output_ends_the_server_quietly() {
    let mut process = server("mcp").spawn().expect("the binary has been built");
    drop(process.stdout.take());
    let mut input = process.stdin.take().expect("a pipe");
    input.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n").expect("the server reads");
    let output = process.wait_with_output().expect("a process");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    drop(input);
}
