//! Requests to the workbench, good and bad. `editors/playground/wasm/test.sh` compares the answers of the WebAssembly module with these.

mod hostile;
mod stopped;

use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use synod::internals::workbench::Workbench;

/// Requests that are answered natively and in WebAssembly. A text `@lelann` stands for this file of the library.
const REQUESTS: &str = include_str!("requests.jsonl");

pub fn ask(bench: &mut Workbench, request: &Value) -> Value {
    serde_json::from_str(&bench.answer(&request.to_string())).expect("an answer is JSON")
}

/// Return the answer of a request that must not fail.
#[track_caller]
pub fn good(bench: &mut Workbench, request: &Value) -> Value {
    let answer = ask(bench, request);
    assert!(answer["error"].is_null(), "{request}\n{answer}");
    answer
}

/// Return the message of a request that must fail.
#[track_caller]
pub fn refused(bench: &mut Workbench, request: &Value) -> String {
    let answer = ask(bench, request);
    match &answer["error"]["message"] {
        Value::String(message) => message.clone(),
        _ => panic!("{request} is answered: {answer}"),
    }
}

pub fn library(name: &str) -> String {
    synod::internals::library::source(name).expect("a file of the library").1
}

/// Open an algorithm of the library.
#[track_caller]
pub fn open(name: &str, on: &str) -> Workbench {
    let mut bench = Workbench::default();
    good(
        &mut bench,
        &json!({"request": "open", "text": library(name), "on": on, "schedule": "random", "seed": 2}),
    );
    bench
}

/// Return the request with the texts of the library.
fn expanded(line: &str) -> String {
    let mut request: Value = serde_json::from_str(line).expect("a request");
    if let Some(name) = request["text"].as_str().and_then(|text| text.strip_prefix('@')) {
        request["text"] = library(name).into();
    }
    request.to_string()
}

/// The answers are the same in every session. They are written for the test of the WebAssembly module.
#[test]
fn answers_do_not_depend_on_the_session() {
    let answers = || {
        let mut bench = Workbench::default();
        let lines = REQUESTS.lines().map(|line| bench.answer(&expanded(line)) + "\n");
        lines.collect::<String>()
    };
    let first = answers();
    assert_eq!(first, answers());
    // At once: another process may read the file of an earlier run meanwhile.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let part = folder.join(format!("workbench_answers.{}", std::process::id()));
    std::fs::write(&part, first).expect("a writable folder");
    std::fs::rename(part, folder.join("workbench_answers.jsonl")).expect("a writable folder");
}

/// Every request occurs in the list that is compared with WebAssembly.
#[test]
fn every_request_is_compared() {
    let parsed = REQUESTS.lines().map(|line| serde_json::from_str::<Value>(line).expect("a request"));
    let asked: BTreeSet<String> =
        parsed.filter_map(|line| Some(line["request"].as_str()?.to_string())).collect();
    let hint = ask(&mut Workbench::default(), &json!({"request": "?"}))["error"]["hint"].to_string();
    let known: Vec<&str> = hint.split(|c: char| !c.is_ascii_lowercase()).collect();
    let missing: Vec<&&str> = known
        .iter()
        .filter(|word| !["", "there", "are", "page", "delete", "schedule", "whynot"].contains(word))
        .filter(|word| !asked.contains(**word))
        .collect();
    assert!(known.len() > 30 && missing.is_empty(), "{missing:?}\n{hint}");
}

#[test]
fn a_run_is_the_one_of_the_command_line() {
    let mut bench = open("chang_roberts", "ring(5)");
    let run = good(&mut bench, &json!({"request": "run"}));
    assert_eq!(run["stop"]["reason"], "end", "{run}");
    let trace = good(&mut bench, &json!({"request": "trace"}))["text"].as_str().expect("a text").to_string();
    let program = synod::Program::library("chang_roberts").expect("a program");
    let instance = program.on("ring(5)").seed(2).instantiate().expect("an instance");
    let options = synod::RunOptions { schedule: synod::Schedule::Random, seed: 2, ..Default::default() };
    let expected = instance.simulate(&options).trace().to_text();
    let events = |text: &str| {
        text.lines()
            .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()))
            .map(String::from)
            .collect::<Vec<_>>()
    };
    assert_eq!(events(&trace), events(&expected));
    // The trace opens again at the same configuration.
    let state = good(&mut bench, &json!({"request": "state"}));
    good(&mut bench, &json!({"request": "open", "text": library("chang_roberts"), "trace": trace}));
    let again = good(&mut bench, &json!({"request": "state"}));
    assert_eq!(state["processes"], again["processes"]);
    assert_eq!(state["metrics"], again["metrics"]);
}

/// A script leads to the same configuration, in every model.
#[test]
fn a_script_leads_to_the_same_configuration() {
    let cases = [
        ("chang_roberts", "ring(5)", ""),
        ("itai_rodeh", "ring(3)", ""),
        ("floodset", "complete(3)", "crash<=1"),
        ("bully", "complete(3)", "crash<=1"),
        ("k_state_ring", "ring(4)", ""),
        ("leader_oracle", "complete(3)", ""),
        ("maekawa", "complete(3)", ""),
        ("radio_random", "complete(3)", ""),
        ("two_phase_commit_recovery", "star(2)", "crash<=1, restart<=1"),
    ];
    for (name, on, faults) in cases {
        for seed in 1..5 {
            let mut bench = Workbench::default();
            let mut request = json!({"request": "open", "text": library(name), "on": on, "faults": faults,
                                     "schedule": "random", "seed": seed});
            good(&mut bench, &request);
            good(&mut bench, &json!({"request": "run", "most": 200}));
            let state = good(&mut bench, &json!({"request": "state"}));
            let script = good(&mut bench, &json!({"request": "script"}))["script"].clone();
            assert!(script.as_str().is_some_and(|script| !script.is_empty()), "{name}");
            request["script"] = script;
            good(&mut bench, &request);
            let again = good(&mut bench, &json!({"request": "state"}));
            assert_eq!(state, again, "{name} with seed {seed}");
        }
    }
}

#[test]
fn a_counterexample_becomes_the_run() {
    let mut bench = Workbench::default();
    let text = "algorithm two\nassumes unidirectional ring, unique ids\nmessage M\nvar x : Bool\nstate s\n  send M\n  receive M\n  x := true\n  halt\ninvariant few: (count p: p.x) <= 1\n";
    let found = good(&mut bench, &json!({"request": "verify", "text": text, "on": "ring(3)"}));
    assert_eq!(found["verdict"], "violated");
    assert!(found["summary"].as_str().is_some_and(|text| text.starts_with("few violated")), "{found}");
    assert_eq!(found["properties"][0]["text"], "VIOLATED");
    let event = found["counterexamples"][0]["event"].as_u64().expect("an event");
    assert_eq!(found["opened"]["violation"]["event"], event);
    assert_eq!(found["opened"]["position"]["at"], event, "the cursor is before the event");
    let holds = good(&mut bench, &json!({"request": "verdicts"}));
    assert_ne!(holds["properties"][0]["verdict"], "violated");
    let step = good(&mut bench, &json!({"request": "step"}));
    assert_eq!(step["stop"]["reason"], "violated", "{step}");
    let verdicts = good(&mut bench, &json!({"request": "verdicts"}));
    assert_eq!(verdicts["properties"][0]["at_event"], event);
    // The violation is part of a script and of a trace.
    let script = good(&mut bench, &json!({"request": "script"}))["script"].clone();
    good(&mut bench, &json!({"request": "open", "text": text, "on": "ring(3)", "script": script}));
    let again = good(&mut bench, &json!({"request": "verdicts"}));
    assert_eq!(verdicts["properties"][0]["verdict"], again["properties"][0]["verdict"]);
}

/// A default network that is too large is replaced, unless a limit is requested.
#[test]
fn verify_replaces_a_default_network_that_is_too_large() {
    let text = library("chandy_misra_haas_or");
    let request = json!({"request": "verify", "text": text, "properties": ["no_phantom"]});
    let mut bench = Workbench::default();
    let found = good(&mut bench, &request);
    assert_eq!(found["verdict"], "holds");
    assert_eq!(found["network"]["topology"], "complete(2)");
    assert_eq!(found["too_large"]["topology"], "complete(3)");
    let mut limited = request;
    limited["configurations"] = 1000.into();
    let found = good(&mut bench, &limited);
    assert_eq!(found["verdict"], "limit");
    assert_eq!(found["network"]["topology"], "complete(3)");
    assert_eq!(found["too_large"], Value::Null);
}

/// The sentences are those of the command line.
#[test]
fn verify_says_what_the_command_says() {
    for (name, on) in [("voting", "complete(2)"), ("chang_roberts", "ring(3)"), ("k_state_ring", "ring(3)")] {
        let mut bench = Workbench::default();
        let found = good(&mut bench, &json!({"request": "verify", "text": library(name), "on": on}));
        let words = ["verify", name, "--on", on, "--max-configurations", "200000", "-j", "1"];
        let ran = crate::cli::harness::synod(&words);
        let summary = found["summary"].as_str().expect("a summary");
        assert!(ran.stdout.contains(summary), "{summary}\n{}", ran.stdout);
        for property in found["properties"].as_array().expect("a list") {
            let (text, why) =
                (property["text"].as_str().expect("a text"), property["why"].as_str().expect("a text"));
            assert!(ran.stdout.contains(text) && ran.stdout.contains(why), "{property}\n{}", ran.stdout);
        }
        for part in found["counterexamples"]
            .as_array()
            .into_iter()
            .flatten()
            .flat_map(|c| c["explanation"].as_array())
            .flatten()
        {
            let part = part.as_str().expect("a text");
            assert!(ran.stdout.contains(part), "{part}\n{}", ran.stdout);
        }
    }
}

#[test]
fn steps_back_and_branches() {
    let mut bench = open("lelann", "ring(4)");
    let there = good(&mut bench, &json!({"request": "step", "count": 6}));
    assert_eq!((&there["position"]["at"], there["events"].as_array().map(Vec::len)), (&6.into(), Some(6)));
    let state = good(&mut bench, &json!({"request": "state"}));
    good(&mut bench, &json!({"request": "back", "count": 4}));
    let other = good(&mut bench, &json!({"request": "state"}));
    assert_ne!(state["processes"], other["processes"]);
    let named = good(&mut bench, &json!({"request": "fork", "name": "other"}));
    assert_eq!((&named["position"]["branch"], &named["position"]["length"]), (&"other".into(), &2.into()));
    let steps = good(&mut bench, &json!({"request": "enabled"}));
    let last = steps["steps"].as_array().map_or(0, Vec::len) - 1;
    let fired = good(&mut bench, &json!({"request": "fire", "index": last, "at": 2}));
    assert_eq!(fired["position"]["at"], 3);
    assert_eq!(fired["events"][0]["action"], steps["steps"][last]["event"]["action"]);
    let main = good(&mut bench, &json!({"request": "switch", "name": "main"}));
    assert_eq!((&main["position"]["at"], &main["position"]["length"]), (&2.into(), &6.into()));
    good(&mut bench, &json!({"request": "goto", "position": 6}));
    assert_eq!(good(&mut bench, &json!({"request": "state"})), state);
    // Another configuration is described without moving the cursor.
    let then = good(&mut bench, &json!({"request": "state", "at": 2}));
    assert_eq!(then["processes"], other["processes"]);
    assert_eq!(good(&mut bench, &json!({"request": "state"})), state);
}

/// A tried step has the effect of the same step taken, and changes nothing.
#[test]
fn what_if_is_what_fire_does() {
    let mut bench = open("lelann", "ring(4)");
    good(&mut bench, &json!({"request": "step", "count": 6}));
    good(&mut bench, &json!({"request": "back", "count": 3}));
    let everything = |bench: &mut Workbench| {
        ["state", "events", "branches", "verdicts"].map(|request| good(bench, &json!({"request": request})))
    };
    let before = everything(&mut bench);
    let steps = good(&mut bench, &json!({"request": "enabled"}));
    let last = steps["steps"].as_array().map_or(0, Vec::len) - 1;
    let tried = good(&mut bench, &json!({"request": "whatif", "index": last, "at": 3}));
    assert!(refused(&mut bench, &json!({"request": "whatif", "index": 0, "at": 2})).contains("position 2"));
    assert!(refused(&mut bench, &json!({"request": "whatif", "index": 99})).contains("no step 99"));
    let further = good(&mut bench, &json!({"request": "whatif", "index": last, "count": 4}));
    assert_eq!(further["position"]["at"], 8);
    assert_eq!(before, everything(&mut bench));
    let fired = good(&mut bench, &json!({"request": "fire", "index": last}));
    assert_eq!((&tried["events"], &tried["stop"]), (&fired["events"], &fired["stop"]));
    assert_eq!(further["events"][0], fired["events"][0]);
}

/// A step that violates a property says so, whichever request takes it.
#[test]
fn fire_reports_a_violation() {
    let text = "algorithm two\nassumes unidirectional ring, unique ids\nvar x : Bool\nstate s\n  x := true\n  halt\ninvariant few: (count p: p.x) <= 1\n";
    let mut bench = Workbench::default();
    good(&mut bench, &json!({"request": "open", "text": text, "on": "ring(3)"}));
    let reasons = [0, 0, 0].map(|index| {
        let tried = good(&mut bench, &json!({"request": "whatif", "index": index}));
        let fired = good(&mut bench, &json!({"request": "fire", "index": index}));
        assert_eq!(tried["stop"], fired["stop"]);
        fired["stop"]["reason"].clone()
    });
    // The invariant is checked from the first configuration in which every process has started.
    assert_eq!(reasons, ["done", "done", "violated"]);
}

#[test]
fn words_select_files_of_the_library() {
    let mut bench = Workbench::default();
    let mut names = |words: &str| {
        let found = good(&mut bench, &json!({"request": "library", "brief": true, "words": words}));
        let files = found["files"].as_array().expect("a list").clone();
        files.iter().map(|file| file["name"].as_str().expect("a name").to_string()).collect::<Vec<String>>()
    };
    let rings = names("ELECTION unidirectional ring");
    assert!(rings.contains(&"chang_roberts".into()) && rings.contains(&"lelann".into()), "{rings:?}");
    assert!(!rings.contains(&"maekawa".into()), "{rings:?}");
    assert_eq!(names("chang_roberts"), names("Chang-Roberts"));
    assert!(names("no_such_word").is_empty());
    assert!(names("").len() > 50);
}

#[test]
fn questions_have_the_answers_of_the_session() {
    let mut bench = open("chang_roberts", "ring(3)");
    let number =
        good(&mut bench, &json!({"request": "break", "expression": "messages >= 4"}))["number"].clone();
    let run = good(&mut bench, &json!({"request": "run"}));
    assert_eq!((&run["stop"]["reason"], &run["stop"]["number"]), (&"breakpoint".into(), &number));
    let count = good(&mut bench, &json!({"request": "evaluate", "expression": "messages"}));
    assert_eq!((&count["value"], &count["type"]), (&"4".into(), &"Int".into()));
    good(&mut bench, &json!({"request": "delete", "number": number}));
    let run = good(&mut bench, &json!({"request": "run"}));
    assert_eq!(run["stop"]["reason"], "end");
    let why = good(&mut bench, &json!({"request": "why", "message": 1}));
    assert!(why["events"].as_array().is_some_and(|events| !events.is_empty()), "{why}");
    let whynot = good(&mut bench, &json!({"request": "whynot", "action": "on", "process": 1}));
    assert_eq!(whynot["actions"][0]["reasons"][0]["processes"], json!([1]), "{whynot}");
    assert!(
        refused(&mut bench, &json!({"request": "evaluate", "expression": "messages +"})).contains("error")
    );
    assert!(
        refused(&mut bench, &json!({"request": "why", "process": 0, "variable": "nothing"}))
            .contains("nothing")
    );
    assert!(refused(&mut bench, &json!({"request": "whynot", "action": "dance"})).contains("dance"));
}

/// Offsets count UTF-16 code units; the same range in bytes selects the same text.
#[test]
fn offsets_in_both_units_name_the_same_text() {
    let text = "// 🐌 ä\nalgorithm añejo\nassumes ring\nvar größe : Int\nstate s\n  größe := other🐌\n";
    let units: Vec<u16> = text.encode_utf16().collect();
    let slice = |from: &Value, to: &Value| {
        let at = |value: &Value| value.as_u64().expect("a number") as usize;
        String::from_utf16(&units[at(from)..at(to)]).expect("whole characters")
    };
    let mut bench = Workbench::default();
    let checked = good(&mut bench, &json!({"request": "check", "text": text}));
    let found = checked["diagnostics"].as_array().expect("a list");
    assert!(!found.is_empty());
    for place in found.iter().map(|found| &found["place"]) {
        let bytes = [0, 1].map(|end| place["bytes"][end].as_u64().expect("a number") as usize);
        assert_eq!(&text[bytes[0]..bytes[1]], slice(&place["from"], &place["to"]), "{place}");
    }
    let tokens = good(&mut bench, &json!({"request": "tokens", "text": text}));
    let words: Vec<String> =
        tokens["tokens"].as_array().expect("a list").iter().map(|t| slice(&t[0], &t[1])).collect();
    assert_eq!(words[0], "// 🐌 ä");
    assert!(words.contains(&"algorithm".into()) && words.contains(&"assumes".into()), "{words:?}");
}

#[test]
fn scenarios_open_at_their_end() {
    let mut bench = Workbench::default();
    let text = library("chang_roberts");
    let checked = good(&mut bench, &json!({"request": "check", "text": text}));
    let scenarios = checked["program"]["scenarios"].as_array().expect("a list").clone();
    assert!(!scenarios.is_empty());
    for scenario in scenarios {
        let opened =
            good(&mut bench, &json!({"request": "open", "text": text, "scenario": scenario["name"]}));
        assert_eq!(opened["position"]["at"], opened["position"]["length"]);
        assert_eq!(opened["notes"], json!([]), "{opened}");
    }
    let begun =
        good(&mut bench, &json!({"request": "open", "text": text, "script": "0,0,0,0", "position": 2}));
    assert_eq!((&begun["position"]["at"], &begun["position"]["length"]), (&2.into(), &4.into()));
}

#[test]
fn every_library_algorithm_opens_and_runs() {
    let mut bench = Workbench::default();
    let all = good(&mut bench, &json!({"request": "library"}));
    let files = all["files"].as_array().expect("a list").clone();
    assert!(files.len() > 50);
    // The quick list says the same.
    let brief = good(&mut bench, &json!({"request": "library", "brief": true}));
    for (brief, file) in brief["files"].as_array().expect("a list").iter().zip(&files) {
        for field in ["name", "path", "kind", "family", "title"] {
            assert_eq!(brief[field], file[field], "{file}");
        }
        if !file["problem"].is_null() {
            assert_eq!(brief["problem"], file["problem"], "{file}");
        }
    }
    assert_eq!(brief["files"].as_array().map(Vec::len), Some(files.len()));
    for file in files.iter().filter(|file| file["kind"] == "algorithm") {
        let opened = good(
            &mut bench,
            &json!({"request": "open", "text": library(file["name"].as_str().expect("a name"))}),
        );
        assert!(opened["network"]["layout"]["places"].is_array(), "{file}");
        good(&mut bench, &json!({"request": "run", "most": 100}));
        for request in
            ["state", "verdicts", "enabled", "script", "draw", "picture", "page", "trace", "events"]
        {
            good(&mut bench, &json!({"request": request}));
        }
    }
}
