//! Requests that are malformed, too large, or meaningless here: each gets an error.

use super::{ask, good, library, open, refused};
use serde_json::{Value, json};
use synod::internals::workbench::Workbench;

#[test]
fn malformed_requests_are_refused() {
    let mut bench = Workbench::default();
    let deep = "[".repeat(10_000);
    let texts = [
        "",
        "{",
        "null",
        "[]",
        "3",
        "\"open\"",
        "{}",
        "{\"request\": 3}",
        "{\"request\": null}",
        "\u{0}",
        &deep,
    ];
    for text in texts {
        let answer: Value = serde_json::from_str(&bench.answer(text)).expect("an answer is JSON");
        assert!(answer["error"]["message"].is_string(), "{text}: {answer}");
    }
    for request in [
        json!({"request": "dance"}),
        json!({"request": "state"}),
        json!({"request": "open"}),
        json!({"request": "open", "text": 3}),
        json!({"request": "open", "text": "", "txet": ""}),
        json!({"request": "about", "more": true}),
        json!({"request": "verify"}),
        json!({"request": "measure"}),
        json!({"request": "counterexample", "index": 0}),
        json!({"request": "source", "name": ""}),
        json!({"request": "explain", "code": "SYN9999999999"}),
        json!({"request": "format", "text": "((((("}),
    ] {
        refused(&mut bench, &request);
    }
}

#[test]
fn texts_that_are_no_programs_are_refused() {
    let mut bench = Workbench::default();
    let nested = format!(
        "algorithm a\nassumes ring\nvar x : Int\nstate s\n  x := {}1{}\n",
        "(".repeat(10_000),
        ")".repeat(10_000)
    );
    let large = "algorithm a\n".repeat(30_000);
    let texts = [
        "",
        "\u{0}",
        "algorithm",
        "{\"synod_trace\":1}",
        "synod trace 1",
        &nested,
        &large,
        &library("election"),
    ];
    for text in texts {
        for request in ["open", "verify", "measure"] {
            let message = refused(&mut bench, &json!({"request": request, "text": text}));
            assert!(!message.is_empty());
        }
    }
    for text in ["", "\u{0}", "algorithm", &nested] {
        let checked = good(&mut bench, &json!({"request": "check", "text": text}));
        assert!(checked["errors"].as_u64() > Some(0) && checked["program"].is_null(), "{checked}");
        good(&mut bench, &json!({"request": "tokens", "text": text}));
        good(&mut bench, &json!({"request": "complete", "text": text, "offset": 3}));
        good(&mut bench, &json!({"request": "hover", "text": text, "offset": 99}));
    }
    refused(&mut bench, &json!({"request": "check", "text": large}));
}

/// A failed request leaves the run as it was.
#[test]
fn a_failed_request_changes_nothing() {
    let mut bench = open("chang_roberts", "ring(3)");
    good(&mut bench, &json!({"request": "step", "count": 5}));
    let state = good(&mut bench, &json!({"request": "state"}));
    let large = u64::MAX;
    let text = library("chang_roberts");
    for request in [
        json!({"request": "open", "text": text, "on": "ring(0)"}),
        json!({"request": "open", "text": text, "on": "ring(999999999)"}),
        json!({"request": "open", "text": text, "on": "complete(1999)"}),
        json!({"request": "open", "text": text, "on": "line(3)"}),
        json!({"request": "open", "text": text, "on": "/etc/passwd"}),
        json!({"request": "open", "text": text, "on": "nets/four.dot"}),
        json!({"request": "open", "text": text, "on": "-"}),
        json!({"request": "open", "text": text, "ids": [1, 1, 1]}),
        json!({"request": "open", "text": text, "ids": "1,2,x"}),
        json!({"request": "open", "text": text, "initiators": "p99"}),
        json!({"request": "open", "text": text, "parameters": {"nothing": 1}}),
        json!({"request": "open", "text": text, "daemon": "mighty"}),
        json!({"request": "open", "text": text, "schedule": "told"}),
        json!({"request": "open", "text": text, "faults": "crash<=1"}),
        json!({"request": "open", "text": text, "seed": -1}),
        json!({"request": "open", "text": text, "scenario": "nothing"}),
        json!({"request": "open", "text": text, "script": "0", "trace": "synod trace"}),
        json!({"request": "open", "text": text, "trace": "synod trace 1\n"}),
        json!({"request": "open", "text": text, "position": 1}),
        json!({"request": "fire", "index": large}),
        json!({"request": "fire", "index": 1999}),
        json!({"request": "fire", "index": 0, "at": 4}),
        json!({"request": "goto", "position": large}),
        json!({"request": "goto", "position": 6}),
        json!({"request": "step", "count": 10_001}),
        json!({"request": "step", "count": -1}),
        json!({"request": "run", "most": large}),
        json!({"request": "enabled", "most": large}),
        json!({"request": "state", "processes": [3]}),
        json!({"request": "state", "at": 99}),
        json!({"request": "events", "from": 4, "to": 2}),
        json!({"request": "events", "to": large}),
        json!({"request": "switch", "name": "nowhere"}),
        json!({"request": "switch"}),
        json!({"request": "fork", "name": "two words"}),
        json!({"request": "fork", "name": "main"}),
        json!({"request": "schedule", "schedule": "mighty"}),
        json!({"request": "break", "expression": "1"}),
        json!({"request": "break", "expression": "("}),
        json!({"request": "watch", "expression": ""}),
        json!({"request": "evaluate", "expression": "(".repeat(4_000)}),
        json!({"request": "evaluate", "expression": "x".repeat(5_000)}),
        json!({"request": "evaluate", "expression": "1 div 0"}),
        json!({"request": "delete", "number": 7}),
        json!({"request": "why"}),
        json!({"request": "why", "process": 0}),
        json!({"request": "why", "message": large}),
        json!({"request": "why", "message": 999}),
        json!({"request": "whynot", "action": ""}),
        json!({"request": "whynot", "action": "crash"}),
        json!({"request": "draw", "from": 3, "to": 1}),
        json!({"request": "picture", "at": 6}),
        json!({"request": "diagram", "width": large}),
        json!({"request": "trace", "form": "pictures"}),
        json!({"request": "verify", "properties": ["nothing"]}),
        json!({"request": "verify", "configurations": large}),
        json!({"request": "verify", "megabytes": large}),
        json!({"request": "verify", "order": "sideways"}),
        json!({"request": "measure", "sizes": [0]}),
        json!({"request": "measure", "sizes": [100_000]}),
        json!({"request": "measure", "runs": large}),
        json!({"request": "measure", "text": text, "on": "ring({n"}),
    ] {
        refused(&mut bench, &request);
        assert_eq!(ask(&mut bench, &json!({"request": "state"})), state, "{request}");
    }
}

#[test]
fn malformed_scripts_are_refused() {
    let mut bench = Workbench::default();
    let text = library("chang_roberts");
    for script in [
        "x",
        "0:",
        "-1",
        "99",
        "0*",
        "0*x",
        "0*99999999999",
        "@",
        "@0",
        "@9_start",
        "@0_dance",
        "@0_%",
        "@0_%zz",
        "0:1:2:3",
        "@0_deliver_99",
        "@0_call_7_%28",
    ] {
        let message =
            refused(&mut bench, &json!({"request": "open", "text": text, "on": "ring(3)", "script": script}));
        assert!(message.contains("script") || message.contains("events of a run"), "{script}: {message}");
    }
}

#[test]
fn one_process_and_unusual_names() {
    let mut bench = open("lelann", "ring(1)");
    good(&mut bench, &json!({"request": "run"}));
    for request in ["state", "draw", "picture", "page", "diagram", "enabled", "script", "verdicts", "data"] {
        good(&mut bench, &json!({"request": request}));
    }
    let text = "algorithm größe\nassumes ring\nvar x : Int\nstate s\n  x := 1\n  halt\n";
    let checked = good(&mut bench, &json!({"request": "check", "text": text, "name": "größe 🐌.syn"}));
    assert!(checked["errors"].is_u64());
}
