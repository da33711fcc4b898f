//! Messages and calls that are wrong, too large or meaningless: each has its error, and the server goes on.

use super::client::{Client, text_of};
use serde_json::{Value, json};

#[test]
fn errors_of_the_protocol_have_their_codes() {
    let mut client = Client::new();
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let lines: [(&[u8], i64); 18] = [
        (b"{", -32700),
        (b"\"abc", -32700),
        (b"{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"", -32700),
        (b"\xff\xfe{}", -32700),
        (b"\0", -32700),
        (deep.as_bytes(), -32700),
        (b"3", -32600),
        (b"null", -32600),
        (b"\"ping\"", -32600),
        (b"[]", -32600),
        (b"[{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}]", -32600),
        (b"{}", -32600),
        (b"{\"id\": 1, \"method\": \"ping\"}", -32600),
        (b"{\"jsonrpc\": \"1.0\", \"id\": 1, \"method\": \"ping\"}", -32600),
        (b"{\"jsonrpc\": \"2.0\", \"id\": null, \"method\": \"ping\"}", -32600),
        (b"{\"jsonrpc\": \"2.0\", \"id\": [1], \"method\": \"ping\"}", -32600),
        (b"{\"jsonrpc\": \"2.0\", \"id\": 1}", -32600),
        (b"{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": 3}", -32600),
    ];
    for (line, code) in lines {
        client.raw(&[line, b"\n"].concat());
        let answer = client.next();
        assert_eq!(answer["error"]["code"], code, "{}: {answer}", String::from_utf8_lossy(line));
    }
    let long = "x".repeat(100_000);
    for (method, params, code) in [
        ("dance", json!({}), -32601),
        (&long, json!({}), -32601),
        ("prompts/list", json!({}), -32601),
        ("initialize", json!({}), -32602),
        ("initialize", json!({"protocolVersion": 1}), -32602),
        ("ping", json!([1]), -32602),
        ("tools/list", json!({"cursor": "2"}), -32602),
        ("tools/call", json!({}), -32602),
        ("tools/call", json!({"name": 3}), -32602),
        ("tools/call", json!({"name": "chek"}), -32602),
        ("tools/call", json!({"name": long}), -32602),
        ("tools/call", json!({"name": "check", "arguments": "text"}), -32602),
        ("resources/read", json!({}), -32602),
        ("resources/read", json!({"uri": "synod://library/no_such_file"}), -32002),
        ("resources/read", json!({"uri": "synod://library/../../Cargo.toml"}), -32002),
        ("resources/read", json!({"uri": "file:///etc/passwd"}), -32002),
        ("resources/read", json!({"uri": long}), -32002),
    ] {
        let (answered, message) = client.refused(method, params);
        assert_eq!(answered, code, "{method}: {message}");
        assert!(message.len() < 500, "{message}");
    }
    assert!(client.refused("tools/call", json!({"name": "chek"})).1.ends_with("did you mean check?"));
    assert_eq!(client.ended(), (0, vec![], String::new()));
}

/// An id is kept as it is, and blank lines, responses and unknown notifications have no answer.
#[test]
fn ids_are_kept() {
    let mut client = Client::silent();
    client.raw(b"\n  \r\n{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n{\"jsonrpc\":\"2.0\",\"id\":8,\"error\":{\"code\":1,\"message\":\"\"}}\n");
    client.line(&json!({"jsonrpc": "2.0", "method": "notifications/dance", "params": {"requestId": 1}}));
    client.line(
        &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "unknown"}}),
    );
    client.line(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled"}));
    for id in [json!(0), json!(-3), json!(i64::MAX), json!(""), json!("é\n\"🐌")] {
        client.line(&json!({"jsonrpc": "2.0", "id": id, "method": "ping"}));
        assert_eq!(client.next(), json!({"jsonrpc": "2.0", "id": id, "result": {}}));
    }
    assert_eq!(client.ended(), (0, vec![], String::new()));
}

#[test]
fn errors_of_tools_are_data() {
    let mut client = Client::new();
    let text = "algorithm a\nassumes ring\nvar x : Int\nstate s\n  x := y + 3\n  halt\n";
    let checked = client.good("check", json!({"text": text}));
    let place = &checked["diagnostics"][0]["place"];
    assert_eq!((&checked["errors"], &place["line"], &place["bytes"]), (&1.into(), &5.into(), &Value::Null));
    assert!(client.text("check", json!({"text": text})).contains("at line 5, column 8: "));
    for tool in ["run", "verify", "open", "measure"] {
        let error = client.failed(tool, json!({"text": text}));
        assert_eq!(error["diagnostics"][0]["place"]["line"], 5, "{error}");
    }
    let mut message = |tool: &str, arguments: Value| {
        let error = client.failed(tool, arguments);
        let [message, hint] = [&error["message"], &error["hint"]].map(|one| one.as_str().unwrap_or_default());
        format!("{message} | {hint}")
    };
    for (tool, arguments, expected) in [
        (
            "verify",
            json!({"configuration": 3}),
            "verify has no argument configuration | did you mean configurations?",
        ),
        ("state", json!({"request": "page"}), "state has no argument request | there are processes, at"),
        ("state", json!({}), "state: no run is open | `open` opens one"),
        ("run", json!({}), "run: no run is open | `open` opens one"),
        ("verify", json!({}), "verify: missing field `text` | without it, a run must be open"),
        ("open", json!({"on": "ring(3)"}), "open: missing field `text` | "),
        ("explain", json!({}), "explain: expected `code` or `word` | "),
        (
            "explain",
            json!({"word": "quiesent"}),
            "'quiesent' is no word of the glossary | did you mean 'quiescent'?",
        ),
        ("source", json!({"name": "lelan"}), "the library has no entry lelan | did you mean lelann?"),
        ("run", json!({"library": "lelan"}), "the library has no entry lelan | did you mean lelann?"),
        (
            "run",
            json!({"library": "lelann", "text": ""}),
            "text and library cannot be combined | `library` names a file of the library",
        ),
        (
            "run",
            json!({"library": "lelann", "seconds": 301}),
            "seconds: 301 is not valid | it is an integer from 0 to 300",
        ),
        (
            "run",
            json!({"library": "lelann", "events": -1}),
            "events: -1 is not valid | it is an integer from 0 to 1000",
        ),
        (
            "run",
            json!({"library": "lelann", "on": "ring(3)", "most": 50_001}),
            "most: 50001 is above the limit, 50000 | ",
        ),
        (
            "open",
            json!({"library": "lelann", "on": "ring(2001)"}),
            "processes: 2001 is above the limit, 2000 | ",
        ),
        ("open", json!({"library": "lelann", "ids": {}}), "open: `ids` is a list of numbers, or a text | "),
    ] {
        assert_eq!(message(tool, arguments), expected);
    }
    assert!(
        message("open", json!({"library": "lelann", "on": "/etc/passwd"})).starts_with("unknown topology")
    );
    assert_eq!(client.ended(), (0, vec![], String::new()));
}

#[test]
fn large_and_hostile_inputs_are_refused() {
    let mut client = Client::new();
    let large = "x".repeat(300_000);
    for (tool, arguments) in [
        ("check", json!({"text": large})),
        ("format", json!({"text": large})),
        ("run", json!({"text": format!("algorithm a\n{}", "// x\n".repeat(60_000))})),
        ("source", json!({"name": large})),
        ("explain", json!({"code": large})),
        ("explain", json!({"word": large})),
        ("library", json!({"words": large})),
        ("open", json!({"library": large})),
        ("open", json!({"library": "lelann", "schedule": large})),
        ("open", json!({"library": "lelann", "on": large})),
        ("check", json!({large.clone(): 1})),
    ] {
        client.failed(tool, arguments);
    }
    client.good("open", json!({"library": "lelann", "on": "ring(3)"}));
    for (tool, arguments) in [
        ("evaluate", json!({"expression": large})),
        ("evaluate", json!({"expression": "(".repeat(4_000)})),
        ("why", json!({"process": 9_007_199_254_740_991_u64, "variable": "x"})),
        ("fire", json!({"index": u64::MAX})),
        ("state", json!({"processes": [-1]})),
        ("state", json!({"at": 1e300})),
        ("whynot", json!({"action": "\u{0}"})),
    ] {
        client.failed(tool, arguments);
    }
    // A line of more than 16 MB is one error, however long it is.
    client.raw(&vec![b'x'; (16 << 20) + 1]);
    client.raw(&vec![b'y'; 16 << 20]);
    client.raw(b"\n");
    let refused = client.next();
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&Value::Null, &(-32600).into()));
    let result = client.call("evaluate", json!({"expression": "messages"}));
    assert_eq!(text_of(&result), "messages = 0  (Int)");
    assert_eq!(client.ended(), (0, vec![], String::new()));
}
