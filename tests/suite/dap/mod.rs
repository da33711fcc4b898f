//! The debugger as editors use it: the real binary, over its pipes. The client validates every message.

mod breakpoints;
mod client;
mod movement;
mod protocol;

use client::{Client, folder};
use serde_json::{Value, json};

/// A program with a violated invariant, and a scenario that fails.
pub const COUNTER: &str = "\
/// Счётчик 😀
algorithm counter
assumes complete, unique ids, crashes
message Hi(n: Id)
var x : Int := 0
var got : list of Id := []
state begin
  send Hi(id) to neighbours
  become listening
state listening
  on Hi(n) -> // 😀
    x := x + 1; got := got + [n]
    if x > 1 -> x := 2
    [] otherwise -> skip
    fi
invariant small: forall p: p.x < 2
scenario one on complete(3)
  expect p0.x = 1
";

/// A program that never ends.
const ENDLESS: &str = "\
algorithm endless
assumes unidirectional ring, unique ids
message Tick
var x : Int := 0
state begin
  send Tick
  become go
state go
  on Tick -> x := (x + 1) mod 1000; send Tick
";

fn file(test: &str, name: &str, text: &str) -> String {
    folder(test, &[(name, text)]).join(name).display().to_string()
}

#[test]
fn capabilities_are_truthful() {
    let (mut client, _) = Client::stopped_at(json!({"program": "lelann", "stopOnEntry": true}));
    // Requests that need a capability, and the capability.
    let optional = [
        ("configurationDone", "supportsConfigurationDoneRequest"),
        ("setFunctionBreakpoints", "supportsFunctionBreakpoints"),
        ("setDataBreakpoints", "supportsDataBreakpoints"),
        ("dataBreakpointInfo", "supportsDataBreakpoints"),
        ("breakpointLocations", "supportsBreakpointLocationsRequest"),
        ("stepBack", "supportsStepBack"),
        ("reverseContinue", "supportsStepBack"),
        ("restartFrame", "supportsRestartFrame"),
        ("restart", "supportsRestartRequest"),
        ("goto", "supportsGotoTargetsRequest"),
        ("gotoTargets", "supportsGotoTargetsRequest"),
        ("stepInTargets", "supportsStepInTargetsRequest"),
        ("exceptionInfo", "supportsExceptionInfoRequest"),
        ("loadedSources", "supportsLoadedSourcesRequest"),
        ("terminate", "supportsTerminateRequest"),
    ];
    let always = [
        "initialize",
        "launch",
        "attach",
        "disconnect",
        "setBreakpoints",
        "setExceptionBreakpoints",
        "continue",
        "next",
        "stepIn",
        "stepOut",
        "pause",
        "stackTrace",
        "scopes",
        "variables",
        "source",
        "threads",
        "evaluate",
    ];
    let mut fresh = Client::silent();
    let capabilities = fresh.request("initialize", json!({"adapterID": "synod"})).expect("capabilities");
    for command in protocol::commands() {
        // Those that an adapter sends, and those that would end this session.
        if ["runInTerminal", "startDebugging", "terminate", "disconnect", "restart"].contains(&command) {
            continue;
        }
        let capability = optional.iter().find(|(known, _)| *known == command).map(|(_, name)| *name);
        let is_claimed = capability.is_some_and(|name| capabilities[name] == true);
        let answer = client.wrong(command, json!({"threadId": 77}));
        let is_refused = answer == Err(format!("`{command}` is not supported"));
        assert_eq!(!is_refused, is_claimed || always.contains(&command), "{command}: {answer:?}");
    }
    assert_eq!(fresh.disconnect(), 0);
    assert_eq!(client.disconnect(), 0);
}

#[test]
fn processes_are_threads_with_frames_scopes_and_variables() {
    let program = file("threads", "counter.syn", COUNTER);
    let launch = json!({"program": program, "on": "complete(3)", "ids": [5, 7, 6], "stopOnEntry": true});
    let (mut client, entry) = Client::stopped_at(launch);
    assert_eq!((&entry["reason"], &entry["threadId"]), (&json!("entry"), &json!(1)));
    assert_eq!(client.threads()[1], "p1 (id 7) not started");
    for _ in 0..4 {
        client.moves("stepIn", 1);
    }
    assert_eq!(client.threads()[1], "p1 (id 7) listening");
    let frames = client.frames(2);
    let names: Vec<&str> = frames.iter().map(|frame| frame["name"].as_str().expect("a name")).collect();
    assert_eq!(names, ["on Hi(n), event 3", "in state listening"]);
    // The columns count UTF-16 units, and the first line and column are 1.
    let of = |frame: &Value| {
        [&frame["line"], &frame["column"], &frame["endColumn"]].map(|n| n.as_i64().expect("n"))
    };
    assert_eq!(of(&frames[0]), [11, 3, 20]);
    assert_eq!(frames[0]["source"]["path"], json!(program));
    let variables = client.scope(2, "Variables");
    assert_eq!(variables, ["state = listening", "up = true", "x = 1", "got = [5]"]);
    assert_eq!(client.scope(2, "Inbox"), ["m5 from p2 = Hi(6)"]);
    assert!(client.scope(2, "Process").contains(&"neighbours = 2".to_string()));
    assert!(client.scope(2, "Metrics").contains(&"messages in transit = 5".to_string()));
    assert_eq!(client.scope(2, "Properties"), ["small = holds"]);
    // A process that has not taken the last step has only the frame where it waits.
    assert_eq!(client.frames(1).len(), 1);
    assert_eq!(client.wrong("stackTrace", json!({"threadId": 4})), Err("there is no thread 4".into()));
    assert_eq!(client.wrong("scopes", json!({"frameId": 9999})), Err("there is no frame 9999".into()));
    assert_eq!(client.disconnect(), 0);
}

#[test]
fn large_values_come_in_pages() {
    let text = "algorithm big\nassumes complete, unique ids\nvar s : set of Int := {}\nvar m : map of Int to (Int, Bool) := {:}\n\
        state begin\n  s := 1..300\n  m := {k: (k, k > 1) for k in 1..3}\n  halt\n";
    let program = file("pages", "big.syn", text);
    let (mut client, _) = Client::stopped_at(json!({"program": program, "on": "complete(2)"}));
    let answer =
        client.request("evaluate", json!({"expression": "p0.s", "context": "watch"})).expect("a set");
    assert_eq!(answer["indexedVariables"], 300);
    let reference = &answer["variablesReference"];
    let page = json!({"variablesReference": reference, "filter": "indexed", "start": 298, "count": 5});
    let page = client.request("variables", page).expect("a page");
    let shown: Vec<String> =
        page["variables"].as_array().expect("a list").iter().map(client::shown).collect();
    assert_eq!(shown, ["298 = 299", "299 = 300"]);
    let named = json!({"variablesReference": reference, "filter": "named"});
    assert_eq!(client.request("variables", named).expect("a page")["variables"], json!([]));
    // A map has its keys as names, and its values have parts in turn.
    let answer = client.request("evaluate", json!({"expression": "p1.m"})).expect("a map");
    let given = json!({"variablesReference": answer["variablesReference"]});
    let entries = client.request("variables", given).expect("entries")["variables"].clone();
    assert_eq!(client::shown(&entries[1]), "2 = (2, true)");
    assert_eq!(client.variables(&entries[1]["variablesReference"]), ["0 = 2", "1 = true"]);
    // References are valid until the run moves.
    client.moves("stepBack", 1);
    let stale = client.wrong("variables", json!({"variablesReference": reference}));
    assert!(stale.is_err_and(|why| why.starts_with("there are no variables")));
    assert_eq!(client.disconnect(), 0);
}

#[test]
fn expressions_are_those_of_the_session() {
    let program = file("evaluate", "counter.syn", COUNTER);
    let launch = json!({"program": program, "on": "complete(3)", "stopOnViolation": false});
    let (mut client, _) = Client::stopped_at(launch);
    assert_eq!(client.evaluate("p2.x + 1"), Ok("3".into()));
    assert_eq!(client.evaluate("count p: p.x = 2"), Ok("3".into()));
    assert_eq!(client.evaluate("p1"), Ok("p1 listening".into()));
    assert_eq!(client.evaluate("nothing.x"), Err("nothing is called `nothing`".into()));
    assert!(client.evaluate("1 +").is_err());
    assert!(client.evaluate("why p0.x").is_ok_and(|text| text.starts_with("p0.x = 2\n")));
    assert!(client.evaluate(".whynot Hi at p0").is_ok_and(|text| text.contains("no ")));
    assert!(client.evaluate("why p0.y").is_err_and(|why| why.contains("p0 has no variable y")));
    // A hover names the variables of the process of the frame.
    let frame = client.frames(3)[0]["id"].clone();
    let hover = json!({"expression": "got", "frameId": frame, "context": "hover"});
    assert_eq!(client.request("evaluate", hover).expect("a list")["indexedVariables"], 2);
    let hover = json!({"expression": "begin", "frameId": frame, "context": "hover"});
    let seq = client.send("evaluate", hover);
    let refusal = client.wait(|m| m["request_seq"] == seq);
    assert_eq!(refusal["body"]["error"]["showUser"], false);
    assert_eq!(client.disconnect(), 0);
}

#[test]
fn launch_arguments_are_checked() {
    let wrong = [
        (json!({}), "launch needs a `program`"),
        (json!({"program": 5}), "`program` must be a text"),
        (json!({"program": "lelannn"}), "did you mean lelann"),
        (json!({"program": "lelann", "on": "blob(3)"}), "unknown topology"),
        (json!({"program": "lelann", "ids": [1, "a"]}), "`ids` must be a list"),
        (json!({"program": "lelann", "schedule": "fiffo"}), "there are fifo, random"),
        (json!({"program": "lelann", "seed": -1}), "`seed` must be a number"),
        (json!({"program": "lelann", "parameters": [1]}), "`parameters` must be an object"),
        (json!({"program": "lelann", "parameters": {"zz": 1}}), "no parameter `zz`"),
        (json!({"program": "lelann", "stopOnEntry": "yes"}), "must be true or false"),
        (json!({"program": "lelann", "scenario": "nope"}), "has no scenario nope"),
        (
            json!({"program": "lelann", "scenario": "three_of_five", "on": "ring(3)"}),
            "`scenario` fixes the instance",
        ),
        (json!({"trace": "x", "scenario": "y"}), "either `trace` or `scenario`"),
        (json!({"trace": "no.trace"}), "there is no file no.trace"),
        (json!({"program": "election"}), "is a problem"),
        (json!({"program": "-"}), "the standard input is for"),
    ];
    for (arguments, message) in wrong {
        let mut client = Client::new();
        let seq = client.send("launch", arguments.clone());
        let refusal = client.wait(|m| m["request_seq"] == seq);
        let text = refusal["message"].as_str().expect("a message");
        assert!(refusal["success"] == false && text.contains(message), "{arguments}: {text}");
        assert_eq!(refusal["body"]["error"]["showUser"], true, "{arguments}");
        // The client may try again.
        client.request("launch", json!({"program": "lelann", "stopOnEntri": true})).expect("it launches");
        client.event("initialized");
        assert!(client.console.contains("did you mean `stopOnEntry`?"));
        assert_eq!(client.disconnect(), 0);
    }
}

#[test]
fn errors_of_a_program_are_printed() {
    let program =
        file("errors", "wrong.syn", "algorithm wrong\nassumes complete\nstate s\n  x := nothing\n  halt\n");
    let mut client = Client::new();
    let refused = client.wrong("launch", json!({"program": program}));
    assert!(refused.is_err_and(|why| why.starts_with("the program has an error:")));
    assert!(client.console.contains("x := nothing"), "{}", client.console);
    assert_eq!(client.disconnect(), 0);
}

#[test]
fn requests_out_of_order_and_malformed_messages_are_refused() {
    let mut client = Client::silent();
    assert_eq!(client.wrong("launch", json!({})), Err("the first request must be `initialize`".into()));
    assert!(client.wrong("threads", json!({})).is_err());
    client.request("initialize", json!({"adapterID": "synod"})).expect("capabilities");
    assert_eq!(client.wrong("initialize", json!({})), Err("`initialize` was sent before".into()));
    assert_eq!(
        client.wrong("setBreakpoints", json!({})),
        Err("`setBreakpoints` must come after `launch`".into())
    );
    assert!(client.wrong("attach", json!({})).is_err_and(|why| why.contains("`launch`")));
    client.request("launch", json!({"program": "lelann", "stopOnEntry": true})).expect("it launches");
    client.event("initialized");
    assert_eq!(client.wrong("launch", json!({})), Err("`launch` was sent before".into()));
    assert_eq!(
        client.wrong("next", json!({"threadId": 1})),
        Err("`configurationDone` must come first".into())
    );
    client.request("configurationDone", json!({})).expect("an answer");
    client.event("stopped");
    assert!(client.wrong("configurationDone", json!({})).is_err());
    assert!(client.wrong("nosuch", json!(7)).is_err_and(|why| why == "`nosuch` is not supported"));
    assert!(client.wrong("next", json!({})).is_err_and(|why| why.contains("missing field `threadId`")));
    assert!(client.wrong("next", json!({"threadId": "a"})).is_err());
    assert!(client.wrong("next", json!({"threadId": i64::MIN})).is_err());
    assert!(
        client
            .wrong("stepIn", json!({"threadId": 1, "targetId": 5}))
            .is_err_and(|why| why.contains("target 5"))
    );
    assert!(client.wrong("goto", json!({"threadId": 1, "targetId": i64::MIN})).is_err());
    assert!(client.wrong("scopes", json!({"frameId": i64::MIN})).is_err());
    assert!(client.wrong("variables", json!({"variablesReference": i64::MIN})).is_err());
    assert!(client.wrong("source", json!({"sourceReference": i64::MIN})).is_err());
    assert!(client.wrong("stepBack", json!({"threadId": 1})).is_err_and(|why| why.contains("beginning")));
    assert!(client.wrong("exceptionInfo", json!({"threadId": 1})).is_err());
    client.raw(b"Content-Length: 3\r\n\r\n{x}Content-Length: nonsense\r\n\r\nContent-Length: 2\r\n\r\n{}");
    client.raw(b"Content-Length: 21\r\n\r\n{\"type\": \"response\"} ");
    assert_eq!(client.threads().len(), 4);
    assert_eq!(client.console.matches("malformed message").count(), 2);
    assert!(client.console.contains("no valid request"));
    client.close_input();
    assert_eq!(client.ended(), 1);
}

#[test]
fn a_client_that_counts_from_zero_gets_such_places() {
    let program = file("zero", "counter.syn", COUNTER);
    let mut client = Client::silent();
    let zero = json!({"adapterID": "synod", "linesStartAt1": false, "columnsStartAt1": false});
    client.request("initialize", zero).expect("capabilities");
    client.request("launch", json!({"program": program, "on": "complete(2)"})).expect("it launches");
    client.event("initialized");
    let given = json!({"source": {"path": program}, "breakpoints": [{"line": 10}]});
    let set = client.request("setBreakpoints", given).expect("breakpoints")["breakpoints"][0].clone();
    assert_eq!((&set["line"], &set["column"], &set["verified"]), (&json!(10), &json!(2), &json!(true)));
    client.request("configurationDone", json!({})).expect("an answer");
    let stopped = client.event("stopped");
    let thread = stopped["threadId"].as_i64().expect("a thread");
    assert_eq!(client.frames(thread)[0]["line"], 10);
    assert_eq!(client.disconnect(), 0);
}

#[test]
fn texts_of_the_library_are_sent_on_request() {
    let (mut client, _) = Client::stopped_at(json!({"program": "lelann", "stopOnEntry": true}));
    let sources = client.request("loadedSources", json!({})).expect("sources")["sources"].clone();
    assert_eq!(sources[0]["name"], "lelann.syn");
    let reference = &sources[0]["sourceReference"];
    let text = client.request("source", json!({"sourceReference": reference})).expect("a text");
    let (_, own) = synod::internals::library::source("lelann").expect("an algorithm of the library");
    assert_eq!(text["content"], json!(own));
    let given = json!({"source": sources[0], "breakpoints": [{"line": 23}]});
    let set = client.request("setBreakpoints", given).expect("breakpoints")["breakpoints"].clone();
    assert_eq!(set[0]["verified"], true);
    assert_eq!(client.moves("continue", 1)["reason"], "breakpoint");
    assert_eq!(client.disconnect(), 0);
}

#[test]
fn a_run_under_way_is_paused() {
    let program = file("pause", "endless.syn", ENDLESS);
    let mut client = Client::launched(json!({"program": program, "on": "ring(5)"}));
    client.request("configurationDone", json!({})).expect("an answer");
    client.request("pause", json!({"threadId": 1})).expect("an answer");
    let stopped = client.event("stopped");
    assert_eq!(stopped["reason"], "pause");
    // A run without an end stops by itself, so that it does not fill the memory.
    let stopped = client.moves("continue", 1);
    assert!(stopped["description"].as_str().is_some_and(|text| text.contains("steps; continue goes on")));
    // An interrupt reaches a movement backward, too.
    let backward = client.send("reverseContinue", json!({"threadId": 1}));
    client.request("pause", json!({"threadId": 1})).expect("an answer");
    client.answer(backward).expect("an answer");
    client.event("stopped");
    client.request("continue", json!({"threadId": 1})).expect("an answer");
    client.request("terminate", json!({})).expect("an answer");
    client.event("terminated");
    assert!(client.wrong("threads", json!({})).is_err_and(|why| why.contains("the run has ended")));
    assert_eq!(client.disconnect(), 0);
}

#[test]
fn a_run_without_debugging_ends_the_session() {
    let program = file("without", "counter.syn", COUNTER);
    for (program, code) in [(program.as_str(), 1), ("lelann", 0)] {
        let mut client = Client::launched(json!({"program": program, "noDebug": true, "stopOnEntry": true}));
        client.request("configurationDone", json!({})).expect("an answer");
        assert_eq!(client.event("exited")["exitCode"], code);
        client.event("terminated");
        assert_eq!(client.disconnect(), 0);
    }
}
