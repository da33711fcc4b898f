//! Breakpoints: on lines, messages, actions, processes, data and exceptions; in both directions.

use super::client::Client;
use super::{COUNTER, file};
use serde_json::{Value, json};

/// Launch the counter with these breakpoints on lines.
fn counter(test: &str, lines: Value, more: Value) -> (Client, Vec<Value>) {
    let program = file(test, "counter.syn", COUNTER);
    let mut launch = json!({"program": program, "on": "complete(3)"});
    launch.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    let mut client = Client::launched(launch);
    let given = json!({"source": {"path": program}, "breakpoints": lines});
    let set = client.request("setBreakpoints", given).expect("breakpoints");
    (client, set["breakpoints"].as_array().expect("a list").clone())
}

fn go(client: &mut Client) -> Value {
    client.request("configurationDone", json!({})).expect("an answer");
    client.event("stopped")
}

#[test]
fn a_line_stops_the_step_that_executes_it() {
    let lines = json!([
        {"line": 12},
        {"line": 1},
        {"line": 12, "condition": "p1.x = 1 and p2.x = 1"},
        {"line": 12, "hitCondition": ">= 3"},
        {"line": 12, "condition": "p1.y"},
        {"line": 12, "hitCondition": "often"},
        {"line": 99},
        {"line": 13, "condition": "x"},
    ]);
    let (mut client, set) = counter("lines", lines, json!({"stopOnViolation": false}));
    let verified: Vec<bool> = set.iter().map(|b| b["verified"].as_bool().expect("a flag")).collect();
    assert_eq!(verified, [true, true, true, true, false, false, false, false]);
    // A breakpoint on a line without a command is set on the next line with one.
    assert_eq!(set[1]["line"], 8);
    for (index, message) in [(4, "`y`"), (5, "no hit condition"), (6, "no step executes")] {
        let text = set[index]["message"].as_str().expect("a message");
        assert!(text.contains(message), "{text}");
    }
    let id = |index: usize| set[index]["id"].clone();
    for _ in 0..3 {
        let stopped = if client.console.is_empty() { go(&mut client) } else { client.moves("continue", 1) };
        assert_eq!(
            (&stopped["reason"], &stopped["hitBreakpointIds"]),
            (&json!("breakpoint"), &json!([id(1)]))
        );
    }
    let hits: Vec<Value> = (0..6).map(|_| client.moves("continue", 1)["hitBreakpointIds"].clone()).collect();
    assert_eq!(hits[0], json!([id(0)]));
    assert_eq!(hits[1], json!([id(0), id(2)]));
    assert_eq!(hits[2], json!([id(0), id(3)]));
    assert_eq!(client.moves("continue", 1)["reason"], "pause");
    // Backwards they stop at the same events, in reverse order. The last one is here.
    let back: Vec<Value> =
        (0..5).map(|_| client.moves("reverseContinue", 1)["hitBreakpointIds"].clone()).collect();
    assert_eq!(back, hits[..5].iter().rev().cloned().collect::<Vec<_>>());
    assert_eq!(client.disconnect(), 0);
}

#[test]
fn the_top_frame_is_the_line_that_was_hit() {
    let (mut client, _) = counter("frame", json!([{"line": 13}]), json!({}));
    let stopped = go(&mut client);
    let thread = stopped["threadId"].as_i64().expect("a thread");
    assert_eq!(client.frames(thread)[0]["line"], 13);
    let file = client.request("loadedSources", json!({})).expect("sources")["sources"][0].clone();
    let locations = json!({"source": file, "line": 8, "endLine": 14});
    let places = client.request("breakpointLocations", locations).expect("places")["breakpoints"].clone();
    let lines: Vec<i64> =
        places.as_array().expect("a list").iter().map(|p| p["line"].as_i64().expect("n")).collect();
    assert!(lines.contains(&8) && lines.contains(&12) && lines.contains(&13), "{lines:?}");
    assert_eq!(client.disconnect(), 0);
}

#[test]
fn a_log_point_prints_and_does_not_stop() {
    let log = json!([{"line": 13, "logMessage": "x is {x}, {p0.x + 1} and {1 +}"}]);
    let (mut client, _) = counter("log", log, json!({"stopOnViolation": false}));
    assert_eq!(go(&mut client)["reason"], "pause");
    let lines: Vec<&str> = client.console.lines().filter(|line| line.starts_with("x is ")).collect();
    assert_eq!(lines.len(), 6);
    assert!(lines[0].starts_with("x is 1, 1 and (expected"), "{}", lines[0]);
    assert_eq!(client.disconnect(), 0);
}

#[test]
fn messages_actions_and_processes_are_breakpoints() {
    let (mut client, _) = counter("functions", json!([]), json!({"stopOnViolation": false}));
    let wanted = json!({"breakpoints": [
        {"name": "Hi", "hitCondition": "4"},
        {"name": "on Hi(n)", "condition": "p2.x = 1"},
        {"name": "p1"},
        {"name": "Ho"},
    ]});
    let set = client.request("setFunctionBreakpoints", wanted).expect("breakpoints")["breakpoints"].clone();
    let verified: Vec<bool> =
        set.as_array().expect("a list").iter().map(|b| b["verified"].as_bool().expect("a flag")).collect();
    assert_eq!(verified, [true, true, true, false]);
    assert!(set[3]["message"].as_str().is_some_and(|text| text.contains("no message, action or process Ho")));
    let first = go(&mut client);
    assert_eq!(
        (&first["reason"], &first["hitBreakpointIds"]),
        (&json!("function breakpoint"), &json!([set[2]["id"]]))
    );
    // Sent three times, then taken by p1, which steps for the second time.
    let second = client.moves("continue", 1);
    assert_eq!(second["hitBreakpointIds"], json!([set[0]["id"], set[2]["id"]]));
    let third = client.moves("continue", 1);
    assert_eq!((&third["threadId"], &third["hitBreakpointIds"]), (&json!(3), &json!([set[1]["id"]])));
    client.request("setFunctionBreakpoints", json!({"breakpoints": []})).expect("none");
    assert_eq!(client.moves("continue", 1)["reason"], "pause");
    assert_eq!(client.disconnect(), 0);
}

#[test]
fn a_change_of_a_variable_is_a_breakpoint() {
    let (mut client, _) = counter("data", json!([]), json!({"stopOnEntry": true, "stopOnViolation": false}));
    go(&mut client);
    let frame = client.frames(2)[0]["id"].clone();
    let scopes = client.request("scopes", json!({"frameId": frame})).expect("scopes")["scopes"].clone();
    let reference = &scopes[0]["variablesReference"];
    let info = |client: &mut Client, name: &str| {
        let given = json!({"variablesReference": reference, "name": name});
        client.request("dataBreakpointInfo", given).expect("an answer")
    };
    let info_of_x = info(&mut client, "x");
    assert_eq!(info_of_x["dataId"], "p1.x");
    assert_eq!(info(&mut client, "nothing")["dataId"], Value::Null);
    let wanted = json!({"breakpoints": [{"dataId": "p1.x"}, {"dataId": "p9.x"}]});
    let set = client.request("setDataBreakpoints", wanted).expect("breakpoints")["breakpoints"].clone();
    assert_eq!((&set[0]["verified"], &set[1]["verified"]), (&json!(true), &json!(false)));
    for value in ["1", "2"] {
        let stopped = client.moves("continue", 1);
        assert_eq!((&stopped["reason"], &stopped["threadId"]), (&json!("data breakpoint"), &json!(2)));
        assert_eq!(client.evaluate("p1.x"), Ok(value.into()));
    }
    assert_eq!(client.disconnect(), 0);
}

#[test]
fn violations_crashes_and_errors_are_exceptions() {
    let filters = |client: &mut Client, filters: Value| {
        client.request("setExceptionBreakpoints", json!({"filters": filters})).expect("an answer")
    };
    // By default, the run stops where a property is violated.
    let (mut client, _) = counter("violated", json!([]), json!({}));
    let stopped = go(&mut client);
    assert_eq!(stopped["reason"], "exception");
    assert!(
        stopped["description"].as_str().is_some_and(|text| text.starts_with("small violated at event 5: "))
    );
    assert_eq!(client.moves("continue", 1)["reason"], "pause");
    assert_eq!(client.moves("reverseContinue", 1)["reason"], "exception");
    assert_eq!(client.disconnect(), 0);
    let faults = json!({"faults": "crash<=1", "seed": 3, "on": "complete(2)"});
    let (mut client, _) = counter("crash", json!([]), faults);
    let set = filters(&mut client, json!(["crash", "nonsense"]));
    assert_eq!(
        (&set["breakpoints"][0]["verified"], &set["breakpoints"][1]["verified"]),
        (&json!(true), &json!(false))
    );
    let stopped = go(&mut client);
    assert_eq!((&stopped["reason"], &stopped["description"]), (&json!("exception"), &json!("p0 crashes")));
    assert_eq!(client.threads()[0], "p0 (id 1) crashed");
    assert_eq!(client.disconnect(), 0);
    // A run-time error ends the run; its command is the top frame.
    let text = COUNTER.replace("x > 1 -> x := 2", "x > 1 -> x := 1 div (x - 2)");
    let program = file("error", "counter.syn", &text);
    let (mut client, stopped) = Client::stopped_at(json!({"program": program, "on": "complete(3)"}));
    assert!(
        stopped["description"]
            .as_str()
            .is_some_and(|text| text.starts_with("Run-time error: p2: division by zero"))
    );
    let frame = client.frames(stopped["threadId"].as_i64().expect("a thread"))[0].clone();
    assert_eq!((&frame["name"], &frame["line"]), (&json!("run-time error"), &json!(13)));
    assert_eq!(client.disconnect(), 0);
    let text = "algorithm stuck\nassumes complete, unique ids\nmessage Go\nmessage Come\nstate begin\n  send Come to neighbours\n  receive Go\n  send Go to neighbours\n  halt\n";
    let program = file("stuck", "stuck.syn", text);
    let mut client = Client::launched(json!({"program": program, "on": "complete(2)"}));
    let stopped = go(&mut client);
    assert!(stopped["description"].as_str().is_some_and(|text| text.starts_with("Deadlock: ")), "{stopped}");
    assert_eq!(client.frames(1).last().expect("a frame")["name"], "waits at «receive Go»");
    assert_eq!(client.disconnect(), 0);
}
