//! The response times of an editor on a long file: each request of the language server, asked after a keystroke and once more.
//!
//!     cargo bench --bench editor [-- 5000 1000] [--server PATH]
//!
//! Numbers are lengths in lines. The server is the binary of this build, or another one, to compare with it.

#![allow(clippy::disallowed_methods)]

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

/// How often each request is made; medians and maxima are told.
const ROUNDS: usize = 9;

const URI: &str = "file:///nowhere/long_program.syn";

/// One part of the text: messages, variables, a function, a procedure, two states with handlers, properties, a scenario. `#` is its number,
/// `$` that of the next.
const PART: &str = "
/// Phase #: candidates probe their neighbours, and those that have been answered go on.
message Probe#(candidate: Id, phase: Int, hops: Int)      // hops: number made so far, this one included
message Ack#(candidate: Id), Nak#(candidate: Id)

var phase#, replies# : Int
var refused# : Bool
var heard# : set of Id

/// How far a probe of this phase goes.
function reach#(p: Int) : Int = pow(2, p) + #

/// Takes down that somebody has been heard of.
procedure hear#(j)
  if j in heard# -> skip
  [] otherwise   -> heard# := heard# + {j}
  fi

state candidate#
  replies# := 0
  refused# := false
  send Probe#(id, phase#, 1) to neighbours
  await replies# = 2
  if refused#  -> become relay#
  [] otherwise -> phase# := phase# + 1
                  become relay#
  fi

  on Ack#(j) from p ->
    if j = id  -> replies# := replies# + 1
    [] j != id -> send Ack#(j) to opposite(p)
    fi

  on Nak#(j) from p ->
    if j = id  -> replies# := replies# + 1; refused# := true
    [] j != id -> send Nak#(j) to opposite(p)
    fi

  on Probe#(j, h, d) from p ->
    hear#(j)
    if j = id                    -> skip                                   // the probe has gone all the way round
    [] j < id                    -> send Nak#(j) to p
    [] j > id and d < reach#(h)  -> send Probe#(j, h, d + 1) to opposite(p)
    [] j > id and d >= reach#(h) -> send Ack#(j) to p                      // the last process that the probe had to reach
    fi

state relay#
  on Probe#(j, h, d) from p ->
    if d < reach#(h) -> send Probe#(j, h, d + 1) to opposite(p)
    [] otherwise     -> send Ack#(j) to p
    fi

  on Ack#(j) from p ->
    if j = id  -> become candidate$
    [] j != id -> send Ack#(j) to opposite(p)
    fi

  on Nak#(j) from p ->
    if j = id  -> skip
    [] j != id -> send Nak#(j) to opposite(p)
    fi

/// Nobody hears of more than there are.
invariant known#: forall p: size(p.heard#) <= n and p.phase# >= 0
finally settled#: forall p: not p in relay# or p.replies# <= 2

scenario sorted# on ring(4) with ids [1, 2, 3, 4]
  expect messages of Probe# <= 20
  expect messages of Ack# <= 8
";

/// A program of at least so many lines, without mistakes.
fn program(lines: usize) -> String {
    let parts = lines.div_ceil(PART.lines().count());
    let mut text = String::from(
        "algorithm long_program solves Election(winner: greatest, told: one)\nassumes bidirectional ring, unordered, unique ids, knows n\n",
    );
    for part in 0..parts {
        text += &PART.replace('#', &part.to_string()).replace('$', &(part + 1).to_string());
    }
    text + &format!("\nstate candidate{parts}\n  elected := id\n  halt\n")
}

struct Client {
    server: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last: i64,
    version: i64,
}

impl Client {
    fn new(server: &str) -> Client {
        let mut server = Command::new(server)
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let (input, output) = (server.stdin.take().expect("piped"), server.stdout.take().expect("piped"));
        let mut client = Client { server, input, output: BufReader::new(output), last: 0, version: 1 };
        let capabilities = json!({"textDocument": {
            "completion": {"completionItem": {"snippetSupport": true}},
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
        }});
        client.request("initialize", json!({"capabilities": capabilities}));
        client.notify("initialized", json!({}));
        client
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("the server reads");
        self.input.flush().expect("the server reads");
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// The next message, as it stands, and when it was there.
    fn message(&mut self) -> (Vec<u8>, Instant) {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).expect("the server writes");
            match line.trim().strip_prefix("Content-Length: ") {
                Some(bytes) => length = bytes.parse().expect("a length"),
                None if line.trim().is_empty() => break,
                None => {}
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).expect("the server writes");
        (body, Instant::now())
    }

    /// Milliseconds until the message that has this in it, and how long that is.
    fn until(&mut self, begun: Instant, wanted: &str) -> (f64, usize) {
        loop {
            let (body, at) = self.message();
            // Every message says first what it is.
            let text = String::from_utf8_lossy(&body);
            if text.contains(wanted) {
                assert!(!text.contains("\"error\""), "{text}");
                return ((at - begun).as_secs_f64() * 1e3, body.len());
            }
        }
    }

    fn request(&mut self, method: &str, params: Value) -> (f64, usize) {
        self.last += 1;
        let id = self.last;
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let begun = Instant::now();
        self.send(&message);
        self.until(begun, &format!("\"id\":{id},"))
    }

    /// Types a word, or takes it out again; milliseconds until it has been checked.
    fn key(&mut self, (line, column): (usize, usize), typed: bool) -> (f64, usize) {
        self.version += 1;
        let (end, text) = if typed { (column, "x") } else { (column + 1, "") };
        let range =
            json!({"start": {"line": line, "character": column}, "end": {"line": line, "character": end}});
        let params = json!({
            "textDocument": {"uri": URI, "version": self.version},
            "contentChanges": [{"range": range, "text": text}],
        });
        let begun = Instant::now();
        self.notify("textDocument/didChange", params);
        self.until(begun, "textDocument/publishDiagnostics")
    }
}

fn told(mut times: Vec<f64>) -> String {
    times.sort_by(f64::total_cmp);
    format!("{:.1} ({:.1})", times[times.len() / 2], times[times.len() - 1])
}

fn measure(server: &str, lines: usize) {
    let text = program(lines);
    let count = text.lines().count();
    let mut client = Client::new(server);
    let opened = json!({"uri": URI, "languageId": "synod", "version": 1, "text": text});
    let begun = Instant::now();
    client.notify("textDocument/didOpen", json!({"textDocument": opened}));
    let (open, _) = client.until(begun, "textDocument/publishDiagnostics");
    println!("\n{count} lines, {} bytes; the first findings after {open:.1} ms\n", text.len());
    println!("| After a change | ms, median (most) | once more | bytes |");
    println!("|---|---|---|---|");
    // In the middle of the text: a name behind `send Probe`, and a comment's end.
    let middle = text.lines().enumerate().skip(count / 2);
    let (line, at) =
        middle.clone().find_map(|(i, l)| Some((i, l.find("send Probe")? + 7))).expect("there is one");
    let (comment, end) =
        middle.clone().find_map(|(i, l)| Some((i, l.find("made so far")? + 4))).expect("there is one");
    let edits = [("findings, in a comment", (comment, end)), ("findings, in a name", (line, at))];
    for (what, place) in edits {
        let times = (0..2 * ROUNDS).map(|round| client.key(place, round % 2 == 0).0).collect();
        println!("| {what} | {} | | |", told(times));
    }
    let document = json!({"textDocument": {"uri": URI}});
    let place = json!({"textDocument": {"uri": URI}, "position": {"line": line, "character": at}});
    let with = |value: &Value, key: &str, part: Value| {
        let mut value = value.clone();
        value[key] = part;
        value
    };
    let whole = json!({"start": {"line": 0, "character": 0}, "end": {"line": count, "character": 0}});
    let seen =
        json!({"start": {"line": line - 20, "character": 0}, "end": {"line": line + 40, "character": 0}});
    let options = json!({"tabSize": 2, "insertSpaces": true});
    let context = json!({"includeDeclaration": true});
    let requests: Vec<(&str, Value)> = vec![
        ("textDocument/hover", place.clone()),
        ("textDocument/completion", place.clone()),
        ("textDocument/signatureHelp", with(&place, "position", json!({"line": line, "character": at + 8}))),
        ("textDocument/definition", place.clone()),
        ("textDocument/references", with(&place, "context", context)),
        ("textDocument/documentHighlight", place.clone()),
        ("textDocument/rename", with(&place, "newName", json!("Question"))),
        ("textDocument/documentSymbol", document.clone()),
        ("textDocument/semanticTokens/full", document.clone()),
        ("textDocument/semanticTokens/range", with(&document, "range", seen.clone())),
        ("textDocument/foldingRange", document.clone()),
        ("textDocument/selectionRange", with(&document, "positions", json!([place["position"].clone()]))),
        ("textDocument/inlayHint", with(&document, "range", seen)),
        ("textDocument/inlayHint", with(&document, "range", whole.clone())),
        ("textDocument/codeLens", document.clone()),
        (
            "textDocument/codeAction",
            with(&with(&document, "range", whole.clone()), "context", json!({"diagnostics": []})),
        ),
        ("textDocument/prepareCallHierarchy", place.clone()),
        ("textDocument/rangeFormatting", with(&with(&document, "options", options.clone()), "range", whole)),
        ("textDocument/formatting", with(&document, "options", options)),
    ];
    for (method, params) in requests {
        let (mut first, mut again, mut bytes) = (Vec::new(), Vec::new(), 0);
        for round in 0..2 * ROUNDS {
            client.key((comment, end), round % 2 == 0);
            first.push(client.request(method, params.clone()).0);
            let (time, length) = client.request(method, params.clone());
            again.push(time);
            bytes = length;
        }
        println!(
            "| {} | {} | {} | {bytes} |",
            method.trim_start_matches("textDocument/"),
            told(first),
            told(again)
        );
    }
    let _ = client.server.kill();
    let _ = client.server.wait();
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let given = arguments.iter().position(|a| a == "--server").and_then(|at| arguments.get(at + 1));
    let server = given.map_or(env!("CARGO_BIN_EXE_synod"), String::as_str);
    let mut sizes: Vec<usize> = arguments.iter().filter_map(|a| a.parse().ok()).collect();
    if sizes.is_empty() {
        sizes = vec![5_000];
    }
    sizes.into_iter().for_each(|lines| measure(server, lines));
}
