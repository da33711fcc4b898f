//! The server for assistants as they use it: the real binary, over its pipes.

mod client;
mod limits;
mod refusals;

use client::{Client, text_of};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// An election with a mistake: a process that receives a smaller id elects itself.
const WRONG: &str = "\
algorithm greatest
assumes unidirectional ring, unique ids
message Candidate(of: Id)
var leader : Bool
state begin
  send Candidate(id)
  become listening
state listening
  on Candidate(of) ->
    if of > id -> send Candidate(of)
    [] otherwise -> leader := true
    fi
invariant safety: (count p: p.leader) <= 1
finally liveness: some p: p.leader
";

/// A program without end, with infinitely many configurations.
pub const ENDLESS: &str = "\
algorithm endless
assumes unidirectional ring, unique ids
message Tick
var x : Int := 0
state begin
  send Tick
  become go
state go
  on Tick -> x := x + 1; send Tick
invariant small: forall p: p.x >= 0
";

/// An assistant finds the mistake, follows the counterexample, and repairs the program.
#[test]
fn a_conversation_about_a_wrong_election() {
    let mut client = Client::new();
    let checked = client.good("check", json!({"text": WRONG}));
    assert_eq!((&checked["errors"], &checked["program"]["name"]), (&0.into(), &"greatest".into()));

    let found = client.good("verify", json!({"text": WRONG, "on": "ring(3)", "ids": "3,1,2"}));
    assert_eq!(found["verdict"], "violated");
    let violating = found["counterexamples"][0]["event"].as_u64().expect("an event");
    let events = found["opened"]["events"].as_array().expect("a list");
    assert_eq!(events.len() as u64, violating + 1);
    assert!(events.iter().all(|event| event["text"].is_string() && event["index"].is_u64()));
    // The cursor is before the violating event, which is one of the enabled steps.
    let state = client.good("state", json!({}));
    assert_eq!(state["position"]["at"], violating);
    let steps = client.good("enabled", json!({}));
    let steps = steps["steps"].as_array().expect("a list");
    let index = steps.iter().position(|step| step["event"]["text"] == events[events.len() - 1]["text"]);
    let index = index.expect("the violating event is enabled");
    let tried = client.good("whatif", json!({"index": index, "at": violating}));
    assert_eq!(tried["stop"]["reason"], "violated", "{tried}");
    assert_eq!(client.good("state", json!({})), state, "the run is as it was");
    let fired = client.good("fire", json!({"index": index}));
    assert_eq!(fired["stop"], tried["stop"]);
    let count = client.good("evaluate", json!({"expression": "count p: p.leader"}));
    assert_eq!((&count["value"], &count["type"]), (&"2".into(), &"Int".into()));
    // The cause: the message with the smaller id.
    let leader = events[events.len() - 1]["process"].clone();
    let causes = client.text("why", json!({"process": leader, "variable": "leader"}));
    assert!(causes.contains("leader = true") && causes.contains("on Candidate(of)"), "{causes}");
    let whynot = client.text("whynot", json!({"action": "on Candidate", "process": leader}));
    assert!(whynot.contains(&format!("p{leader}")), "{whynot}");
    let back = client.good("back", json!({}));
    assert_eq!(back["position"]["at"], violating);
    let again = client.text("step", json!({}));
    assert!(again.contains("violated  safety"), "{again}");

    let repaired = WRONG
        .replace("[] otherwise -> leader := true", "[] of < id -> skip\n    [] of = id -> leader := true");
    let verified = client.good("verify", json!({"text": repaired, "on": "ring(3)", "ids": "3,1,2"}));
    assert_eq!((&verified["verdict"], &verified["opened"]), (&"holds".into(), &Value::Null));
    let run = client.good("run", json!({"text": repaired, "on": "ring(3)", "events": 2}));
    assert_eq!((&run["outcome"], &run["cut"]), (&"quiescent".into(), &"the first 2 of 8".into()));
    assert_eq!(client.ended(), (0, vec![], String::new()));
}

/// Calls that succeed, in this order in one session. A text of a variable is for all of its processes.
fn calls() -> Vec<(&'static str, Value)> {
    vec![
        ("check", json!({"library": "chang_roberts"})),
        ("format", json!({"text": "algorithm a\n  assumes   ring\nstate s\n halt\n"})),
        ("explain", json!({"code": "SYN0042"})),
        ("explain", json!({"word": "leads to"})),
        ("library", json!({"words": "election ring"})),
        ("library", json!({})),
        ("source", json!({"name": "lelann"})),
        ("measure", json!({"library": "lelann", "sizes": [4, 8], "runs": 2, "on": "ring({n})"})),
        (
            "run",
            json!({"library": "chang_roberts", "on": "ring(4)", "ids": [3, 1, 4, 2], "schedule": "random", "seed": 7}),
        ),
        ("state", json!({})),
        ("state", json!({"processes": [0, 2], "at": 3})),
        ("back", json!({"count": 4})),
        ("enabled", json!({"most": 5})),
        ("whatif", json!({"index": 0, "count": 3})),
        ("fire", json!({"index": 0})),
        ("step", json!({"count": 2})),
        ("why", json!({"message": 1})),
        ("whynot", json!({"action": "on", "process": 1})),
        ("evaluate", json!({"expression": "messages"})),
        ("verify", json!({"library": "voting", "on": "complete(2)", "parameters": {"entries": 1}})),
        ("verify", json!({"library": "chang_roberts", "on": "ring(3)"})),
        (
            "open",
            json!({"library": "bully", "on": "complete(3)", "faults": "crash<=1", "schedule": "random"}),
        ),
        ("run", json!({})),
        ("open", json!({"library": "chang_roberts", "on": "ring(3)"})),
    ]
}

#[test]
fn every_tool_answers() {
    let mut client = Client::new();
    let listed = client.request("tools/list", json!({})).expect("a list");
    let tools = listed["tools"].as_array().expect("a list");
    let mut unused: BTreeSet<&str> =
        tools.iter().map(|tool| tool["name"].as_str().expect("a name")).collect();
    for (name, arguments) in calls() {
        let tool = tools.iter().find(|tool| tool["name"] == name).expect("a tool");
        assert!(jsonschema::is_valid(&tool["inputSchema"], &arguments), "{name}: {arguments}");
        let result = client.call(name, arguments);
        assert_eq!(result["isError"], false, "{name}: {}", text_of(&result));
        // No answer has what only a picture needs.
        let structured = result["structuredContent"].to_string();
        assert!(!structured.contains("\"layout\"") && !structured.contains("<svg"), "{name}");
        unused.remove(name);
    }
    assert!(unused.is_empty(), "{unused:?}");
    assert_eq!(client.ended(), (0, vec![], String::new()));
}

/// The same calls have the same answers, byte by byte.
#[test]
fn answers_do_not_depend_on_the_session() {
    let answers = || {
        let mut client = Client::new();
        let ids: Vec<Value> = calls()
            .into_iter()
            .map(|(name, arguments)| client.send("tools/call", json!({"name": name, "arguments": arguments})))
            .collect();
        ids.iter().map(|id| client.response(id).to_string()).collect::<Vec<String>>()
    };
    assert_eq!(answers(), answers());
}

/// The workbench knows every argument that the schema of a tool has.
#[test]
fn schemas_have_no_unknown_argument() {
    let mut client = Client::new();
    client.good("run", json!({"library": "lelann", "on": "ring(3)"}));
    let listed = client.request("tools/list", json!({})).expect("a list");
    let mut asked = 0;
    for tool in listed["tools"].as_array().expect("a list") {
        let schema = &tool["inputSchema"];
        for (name, argument) in schema["properties"].as_object().expect("an object") {
            let mut arguments: serde_json::Map<String, Value> = schema["required"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|name| name.as_str().expect("a name"))
                .map(|name| (name.to_string(), sample(&schema["properties"][name])))
                .collect();
            arguments.insert(name.clone(), sample(argument));
            let result = client.call(tool["name"].as_str().expect("a name"), arguments.into());
            let text = text_of(&result);
            assert!(!text.contains("unknown field") && !text.contains("has no argument"), "{tool}\n{text}");
            assert!(!text.contains("invalid type"), "{name}: {text}");
            asked += 1;
        }
    }
    assert!(asked > 60, "{asked}");
}

/// Return a value of a schema.
fn sample(schema: &Value) -> Value {
    let ty = schema["type"].as_str().or_else(|| schema["type"][0].as_str()).expect("a type");
    match ty {
        "integer" => schema.get("minimum").cloned().unwrap_or_else(|| 1.into()),
        "boolean" => true.into(),
        "array" => json!([sample(&schema["items"])]),
        "object" => json!({}),
        _ => schema["enum"].get(0).cloned().unwrap_or_else(|| "x".into()),
    }
}

#[test]
fn tools_are_described() {
    let mut client = Client::new();
    let listed = client.request("tools/list", json!({"cursor": null, "_meta": {}})).expect("a list");
    let tools = listed["tools"].as_array().expect("a list");
    let hints = |name: &str| {
        let tool = tools.iter().find(|tool| tool["name"] == name).expect("a tool");
        let hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
        hints.map(|hint| tool["annotations"][hint].as_bool().expect("a Boolean"))
    };
    assert_eq!(hints("check"), [true, false, true, false]);
    assert_eq!(hints("verify"), [false, false, true, false]);
    assert_eq!(hints("step"), [false, false, false, false]);
    for tool in tools {
        let arguments = tool["inputSchema"]["properties"].as_object().expect("an object");
        let described = arguments.values().chain([tool]).map(|one| one["description"].as_str());
        assert!(described.into_iter().all(|text| text.is_some_and(|text| text.ends_with('.'))), "{tool}");
    }
}

#[test]
fn resources_are_embedded() {
    let mut client = Client::new();
    let read = |client: &mut Client, uri: &str| {
        let result = client.request("resources/read", json!({"uri": uri})).expect("a resource");
        assert_eq!(result["contents"][0]["uri"], uri);
        result["contents"][0]["text"].as_str().expect("a text").to_string()
    };
    let listed = client.request("resources/list", json!({})).expect("a list");
    let mut uris = Vec::new();
    for resource in listed["resources"].as_array().expect("a list") {
        let uri = resource["uri"].as_str().expect("a text");
        assert_eq!(resource["size"], read(&mut client, uri).len(), "{uri}");
        uris.push(uri);
    }
    assert_eq!(uris, ["synod://llms", "synod://reference", "synod://tutorial", "synod://glossary"]);
    let templates = client.request("resources/templates/list", json!({})).expect("a list");
    let template = templates["resourceTemplates"][0]["uriTemplate"].as_str().expect("a text");
    let files = client.good("library", json!({}));
    let files = files["files"].as_array().expect("a list");
    assert!(files.len() > 50);
    for file in files {
        let name = file["name"].as_str().expect("a name");
        let text = read(&mut client, &template.replace("{name}", name));
        assert_eq!(text, crate::workbench::library(name), "{name}");
    }
}

#[test]
fn versions_are_negotiated() {
    for (asked, answered) in [
        ("2025-06-18", "2025-06-18"),
        ("2025-03-26", "2025-03-26"),
        ("2024-11-05", "2024-11-05"),
        ("2099-01-01", "2025-06-18"),
        ("", "2025-06-18"),
    ] {
        let (client, result) = Client::version(asked);
        assert_eq!(result["protocolVersion"], answered);
        assert_eq!(result["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(client.ended(), (0, vec![], String::new()));
    }
}

/// The answers to a batch come together.
#[test]
fn batches_are_those_of_their_version() {
    let batch = json!([
        {"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": {"name": "explain", "arguments": {"code": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": -7, "method": "ping"},
        {"jsonrpc": "2.0", "id": 2, "method": "initialize", "params": {"protocolVersion": "2025-03-26"}},
        {"jsonrpc": "2.0", "id": 3, "method": "dance"},
        3,
    ]);
    let (mut client, _) = Client::version("2025-03-26");
    client.line(&batch);
    let answer = client.next();
    let answers = answer.as_array().expect("a batch");
    let of = |id: Value| answers.iter().find(|answer| answer["id"] == id).expect("an answer");
    assert_eq!(answers.len(), 5);
    assert!(of("a".into())["result"]["content"].is_array() && of((-7).into())["result"].is_object());
    let codes = [of(2.into()), of(3.into()), of(Value::Null)].map(|answer| answer["error"]["code"].clone());
    assert_eq!(codes, [-32600, -32601, -32600]);
    client.line(&json!([]));
    assert_eq!(client.next()["error"]["code"], -32600);
    // Notifications have no answer.
    client.line(&json!([{"jsonrpc": "2.0", "method": "notifications/initialized"}]));
    client.request("ping", json!({})).expect("the next answer");
    assert_eq!(client.ended(), (0, vec![], String::new()));
    for version in ["2025-06-18", "2024-11-05"] {
        let (mut client, _) = Client::version(version);
        client.line(&batch);
        assert_eq!(client.next()["error"]["code"], -32600);
    }
}

/// The calls that were received are answered after the end of the input.
#[test]
fn the_end_of_the_input_ends_the_server() {
    let mut client = Client::silent();
    client.send("tools/call", json!({"name": "open", "arguments": {"library": "lelann", "on": "ring(3)"}}));
    client.send("tools/call", json!({"name": "step"}));
    client.raw(
        b"{\"jsonrpc\":\"2.0\",\"id\":\"last\",\"method\":\"tools/call\",\"params\":{\"name\":\"state\"}}",
    );
    let (code, answers, errors) = client.ended();
    let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    assert_eq!((code, ids, errors.as_str()), (0, vec![&1.into(), &2.into(), &"last".into()], ""));
    assert_eq!(answers[2]["result"]["structuredContent"]["position"]["at"], 1);
}
