//! Messages of the language server protocol: mutated sessions. Every request gets exactly one answer.

use crate::robustness::stir::{Dice, stirred};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex};
use synod::internals::{library, lsp};

const SESSIONS: usize = 40;
const MESSAGES: usize = 40;

const METHODS: &[&str] = &[
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/documentSymbol",
    "workspace/symbol",
    "textDocument/completion",
    "textDocument/signatureHelp",
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/range",
    "textDocument/inlayHint",
    "textDocument/foldingRange",
    "textDocument/selectionRange",
    "textDocument/codeAction",
    "textDocument/codeLens",
    "textDocument/prepareCallHierarchy",
    "textDocument/formatting",
    "textDocument/rangeFormatting",
    "initialize",
    "shutdown",
    "no/such/method",
];

const URIS: &[&str] = &[
    "file:///t.syn",
    "file:///u.syn",
    "file://.syn",
    "untitled:1",
    "file:///stdlib/election/lelann.syn",
    "",
    "%",
];

#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn framed(body: &str) -> Vec<u8> {
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// Return the answers of the server to these bytes.
fn answers(input: Vec<u8>) -> Vec<Value> {
    let written = Written::default();
    lsp::serve(Cursor::new(input), written.clone()).expect("threads can be started");
    let bytes = written.0.lock().unwrap().clone();
    let text = String::from_utf8(bytes).expect("the server writes UTF-8");
    let mut answers = Vec::new();
    let mut rest = text.as_str();
    while let Some((header, after)) = rest.split_once("\r\n\r\n") {
        let length: usize =
            header.strip_prefix("Content-Length: ").expect("a length").parse().expect("a number");
        answers.push(serde_json::from_str(&after[..length]).expect("the server writes JSON"));
        rest = &after[length..];
    }
    answers
}

/// Asserts that each of these requests is answered once.
fn all_are_answered(sent: &[Value], answers: &[Value]) {
    let mut open: BTreeMap<String, i64> = BTreeMap::new();
    for request in sent {
        *open.entry(request["id"].to_string()).or_default() += 1;
    }
    for answer in answers.iter().filter(|answer| answer.get("method").is_none() && !answer["id"].is_null()) {
        assert!(answer.get("result").is_some() != answer.get("error").is_some(), "{answer}");
        *open.entry(answer["id"].to_string()).or_default() -= 1;
    }
    let unanswered: Vec<&Value> =
        sent.iter().filter(|request| open[&request["id"].to_string()] != 0).collect();
    assert!(unanswered.is_empty(), "{unanswered:?}");
}

fn is_request(message: &Value) -> bool {
    message["method"].is_string() && (message["id"].is_string() || message["id"].is_number())
}

fn params(dice: &mut Dice, text: &str) -> Value {
    let number = |dice: &mut Dice| dice.one_of(&[0i64, 1, 2, 7, 40, 100_000, 4_294_967_295, -1]);
    let place = |dice: &mut Dice| json!({"line": number(dice), "character": number(dice)});
    let range = json!({"start": place(dice), "end": place(dice)});
    let changes = match dice.below(3) {
        0 => json!([{"text": stirred(text, dice)}]),
        1 => json!([{"range": range, "text": stirred("x := 1\n", dice)}]),
        _ => json!([{"range": {"start": place(dice), "end": place(dice)}, "text": ""}, {"text": text}]),
    };
    json!({
        "textDocument": {"uri": dice.one_of(URIS), "languageId": "synod", "version": number(dice), "text": stirred(text, dice)},
        "position": place(dice),
        "positions": [place(dice), place(dice)],
        "range": range,
        "newName": stirred("fresh", dice),
        "query": stirred("lead", dice),
        "context": {"includeDeclaration": true, "diagnostics": [], "only": null},
        "options": {"tabSize": number(dice), "insertSpaces": true},
        "contentChanges": changes,
        "capabilities": {},
        "id": dice.below(MESSAGES),
    })
}

#[test]
fn mutated_sessions() {
    let mut dice = Dice(5);
    let texts: Vec<&str> = library::entries().into_values().map(|entry| entry.text).collect();
    for _ in 0..SESSIONS {
        let mut input = Vec::new();
        let mut requests = Vec::new();
        let text = dice.one_of(&texts);
        let begun = dice.below(8) > 0;
        if begun {
            let first = json!({"jsonrpc": "2.0", "id": "first", "method": "initialize", "params": {"capabilities": {}}});
            input.extend(framed(&first.to_string()));
            requests.push(first);
        }
        let opened = json!({"textDocument": {"uri": "file:///t.syn", "languageId": "synod", "version": 1, "text": text}});
        input.extend(framed(
            &json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": opened}).to_string(),
        ));
        for id in 0..MESSAGES {
            let params = params(&mut dice, text);
            let message = match dice.below(10) {
                0 => json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": params}),
                1 | 2 => json!({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": params}),
                3 => json!({"jsonrpc": "2.0", "method": "textDocument/didClose", "params": params}),
                4 => json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": params}),
                5 => {
                    json!({"jsonrpc": "2.0", "id": id, "method": dice.one_of(METHODS), "params": dice.one_of(&[json!(null), json!([]), json!(7), json!({})])})
                }
                _ => json!({"jsonrpc": "2.0", "id": id, "method": dice.one_of(METHODS), "params": params}),
            };
            let body = match dice.below(12) {
                0 => stirred(&message.to_string(), &mut dice),
                _ => message.to_string(),
            };
            // A mutated message counts as what it has become.
            if let Ok(message) = serde_json::from_str::<Value>(&body)
                && is_request(&message)
            {
                requests.push(message);
            }
            input.extend(framed(&body));
        }
        all_are_answered(&requests, &answers(input));
    }
}

/// An invalid change after a valid one: the text was never checked again.
#[test]
fn an_invalid_change_leaves_no_request_unanswered() {
    let change = |version: i64, line: i64| {
        let range = json!({"start": {"line": line, "character": 0}, "end": {"line": line, "character": 0}});
        json!({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
            "textDocument": {"uri": "file:///t.syn", "version": version}, "contentChanges": [{"range": range, "text": " "}]}})
    };
    let text = "algorithm t\nassumes complete\nstate s\n  halt\n";
    let session = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}),
        json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {
            "textDocument": {"uri": "file:///t.syn", "languageId": "synod", "version": 1, "text": text}}}),
        change(2, 0),
        change(3, -1),
        json!({"jsonrpc": "2.0", "id": 2, "method": "textDocument/inlayHint", "params": {
            "textDocument": {"uri": "file:///t.syn"}, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 3, "character": 0}}}}),
    ];
    let input: Vec<u8> = session.iter().flat_map(|message| framed(&message.to_string())).collect();
    let requests: Vec<Value> = session.iter().filter(|message| is_request(message)).cloned().collect();
    all_are_answered(&requests, &answers(input));
}

#[test]
fn requests_before_the_beginning_and_after_the_end() {
    let request = |id: Value, method: &str| json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {"capabilities": {}}});
    let session = [
        request(json!(1), "textDocument/hover"),
        request(json!("two"), "shutdown"),
        request(json!(3), "initialize"),
        request(json!(4), "initialize"),
        request(json!(5), "shutdown"),
        request(json!(6), "shutdown"),
        request(json!(7), "textDocument/hover"),
    ];
    let input: Vec<u8> = session.iter().flat_map(|message| framed(&message.to_string())).collect();
    all_are_answered(&session, &answers(input));
}
