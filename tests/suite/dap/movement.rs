//! Movement in the run: steps, back, choices, recorded runs.

use super::client::{Client, folder};
use super::{COUNTER, file};
use serde_json::{Value, json};
use std::process::Command;

/// Return the number of events of the run before the cursor.
fn at(client: &mut Client) -> String {
    let metrics = client.scope(1, "Metrics");
    metrics[0].trim_start_matches("events = ").to_string()
}

fn counter(test: &str, more: Value) -> (Client, Value) {
    let mut launch =
        json!({"program": file(test, "counter.syn", COUNTER), "on": "complete(3)", "stopOnEntry": true});
    launch.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    Client::stopped_at(launch)
}

#[test]
fn a_step_of_a_thread_is_the_next_step_of_its_process() {
    let (mut client, _) = counter("steps", json!({}));
    // Any process takes the next step of the run.
    let stopped = client.moves("stepIn", 3);
    assert_eq!((&stopped["reason"], &stopped["threadId"]), (&json!("step"), &json!(1)));
    // The others step in between.
    let stopped = client.moves("next", 3);
    assert_eq!((&stopped["reason"], &stopped["threadId"]), (&json!("step"), &json!(3)));
    assert_eq!(at(&mut client), "3 of 3");
    let lines: Vec<&str> = client.console.lines().filter(|line| line.contains("start")).collect();
    assert_eq!(lines.len(), 3);
    // One step back, and forward again over the recorded event.
    assert_eq!(client.moves("stepBack", 3)["threadId"], 2);
    assert_eq!(at(&mut client), "2 of 3");
    client.moves("stepIn", 1);
    assert_eq!(at(&mut client), "3 of 3");
    let console = client.console.clone();
    assert!(console.contains("counter on complete(3) · schedule fifo · seed 1"), "{console}");
    assert_eq!(client.disconnect(), 0);
}

#[test]
fn step_out_leaves_the_waiting_point() {
    let (mut client, _) =
        Client::stopped_at(json!({"program": "lelann", "on": "ring(4)", "stopOnEntry": true}));
    client.moves("next", 2);
    assert_eq!(client.threads()[1], "p1 (id 2) asleep");
    client.moves("stepOut", 2);
    assert_eq!(client.threads()[1], "p1 (id 2) candidate");
    client.moves("stepOut", 2);
    assert_eq!(client.threads()[1], "p1 (id 2) halted");
    // A process that has halted does not step again: the run does.
    let before = at(&mut client);
    client.moves("next", 2);
    assert_ne!(at(&mut client), before);
    assert_eq!(client.disconnect(), 0);
}

#[test]
fn the_end_of_a_run_is_a_stop() {
    let (mut client, _) =
        Client::stopped_at(json!({"program": "lelann", "on": "ring(3)", "stopOnEntry": true}));
    let stopped = client.moves("continue", 1);
    assert_eq!(stopped["reason"], "pause");
    assert!(client.console.contains("terminated after"), "{}", client.console);
    assert!(client.console.contains("holds  uniqueness"));
    assert!(client.wrong("next", json!({"threadId": 1})).is_err_and(|why| why.contains("the run has ended")));
    // The past is still there.
    let stopped = client.moves("reverseContinue", 1);
    assert_eq!((&stopped["reason"], &stopped["text"]), (&json!("entry"), &json!("at the beginning")));
    client.moves("continue", 1);
    // Once more ends the session.
    client.request("continue", json!({"threadId": 1})).expect("an answer");
    assert_eq!(client.event("exited")["exitCode"], 0);
    client.event("terminated");
    assert_eq!(client.disconnect(), 0);
}

#[test]
fn an_enabled_step_is_chosen() {
    let (mut client, _) = counter("chosen", json!({}));
    for _ in 0..3 {
        client.moves("stepIn", 1);
    }
    let frame = client.frames(2)[0]["id"].clone();
    let targets =
        client.request("stepInTargets", json!({"frameId": frame})).expect("targets")["targets"].clone();
    let labels: Vec<&str> =
        targets.as_array().expect("a list").iter().map(|t| t["label"].as_str().expect("a text")).collect();
    // The steps of the selected process come first.
    assert!(labels[0].starts_with("p1 on Hi(n) ← m") && labels[1].starts_with("p1 "), "{labels:?}");
    assert!(!labels[2].starts_with("p1 "), "{labels:?}");
    assert_eq!(targets[0]["line"], 11);
    let chosen = json!({"threadId": 2, "targetId": targets[1]["id"]});
    client.request("stepIn", chosen).expect("it is enabled");
    let stopped = client.event("stopped");
    assert_eq!((&stopped["reason"], &stopped["threadId"]), (&json!("step"), &json!(2)));
    assert!(client.console.contains("x=1"));
    // Another choice discards what was recorded after it.
    client.moves("stepIn", 1);
    client.moves("stepBack", 1);
    client.moves("stepBack", 1);
    let targets = client.request("stepInTargets", json!({"frameId": 1})).expect("targets")["targets"].clone();
    client.request("stepIn", json!({"threadId": 1, "targetId": targets[0]["id"]})).expect("it is enabled");
    client.event("stopped");
    assert!(client.console.contains("2 events ahead discarded"), "{}", client.console);
    assert_eq!(client.disconnect(), 0);
}

#[test]
fn lines_lead_to_their_events() {
    let (mut client, _) = counter("goto", json!({"stopOnViolation": false}));
    let program = client.request("loadedSources", json!({})).expect("sources")["sources"][0].clone();
    client.moves("continue", 1);
    let given = json!({"source": program, "line": 13});
    let targets = client.request("gotoTargets", given).expect("targets")["targets"].clone();
    assert_eq!(targets.as_array().expect("a list").len(), 6);
    assert!(targets[0]["label"].as_str().is_some_and(|label| label.starts_with("event 3: p1 on Hi(n)")));
    client.request("goto", json!({"threadId": 2, "targetId": targets[1]["id"]})).expect("a target");
    let stopped = client.event("stopped");
    assert_eq!((&stopped["reason"], &stopped["text"]), (&json!("goto"), &json!("after event 4")));
    // A frame is executed again from before the step.
    let frame = client.frames(3)[0]["id"].clone();
    client.request("restartFrame", json!({"frameId": frame})).expect("a step");
    assert_eq!(client.event("stopped")["text"], "after event 3");
    assert_eq!(client.disconnect(), 0);
}

#[test]
fn a_counterexample_opens_at_its_violation() {
    let folder = folder("trace", &[("counter.syn", COUNTER)]);
    let (program, trace) = (folder.join("counter.syn"), folder.join("found.trace"));
    let mut verify = Command::new(env!("CARGO_BIN_EXE_synod"));
    verify.arg("verify").arg(&program).args(["--on", "complete(3)", "--quiet", "--save"]).arg(&trace);
    assert_eq!(verify.output().expect("the binary runs").status.code(), Some(1));
    // The program is beside the trace.
    let (mut client, stopped) = Client::stopped_at(json!({"trace": trace.display().to_string()}));
    assert_eq!(stopped["reason"], "exception");
    assert!(stopped["description"].as_str().is_some_and(|text| text.starts_with("small violated at event")));
    let info = client.request("exceptionInfo", json!({"threadId": 1})).expect("an exception");
    assert_eq!((&info["exceptionId"], &info["breakMode"]), (&json!("violation"), &json!("always")));
    client.moves("stepBack", 1);
    let again = client.moves("stepIn", 1);
    assert_eq!(again["reason"], "exception");
    assert_eq!(client.disconnect(), 0);
}

#[test]
fn a_scenario_is_played() {
    let program = file("scenario", "counter.syn", COUNTER);
    let launch =
        json!({"program": program, "scenario": "one", "stopOnEntry": true, "stopOnViolation": false});
    let (mut client, _) = Client::stopped_at(launch);
    assert!(client.console.contains("scenario one fails:"), "{}", client.console);
    let stopped = client.moves("continue", 1);
    assert_eq!(stopped["reason"], "pause");
    assert_eq!(client.evaluate("p0.x"), Ok("2".into()));
    assert_eq!(client.disconnect(), 0);
}

#[test]
fn a_restart_reads_the_program_again() {
    let path = file("restart", "counter.syn", COUNTER);
    let launch = json!({"program": path, "on": "complete(3)", "stopOnEntry": true});
    let (mut client, _) = Client::stopped_at(launch);
    let given = json!({"source": {"path": path}, "breakpoints": [{"line": 13}, {"line": 90}]});
    let set = client.request("setBreakpoints", given).expect("breakpoints")["breakpoints"].clone();
    assert_eq!((&set[0]["verified"], &set[1]["verified"]), (&json!(true), &json!(false)));
    assert_eq!(client.moves("continue", 1)["hitBreakpointIds"], json!([set[0]["id"]]));
    std::fs::write(&path, COUNTER.replace("x := 2", "x := 1")).expect("it can be written");
    client.request("restart", json!({})).expect("it restarts");
    let changed = client.event("breakpoint");
    assert_eq!((&changed["reason"], &changed["breakpoint"]["id"]), (&json!("changed"), &set[0]["id"]));
    assert_eq!(client.event("stopped")["reason"], "entry");
    assert_eq!(client.moves("continue", 1)["hitBreakpointIds"], json!([set[0]["id"]]));
    // With an error in it, the run goes on as it was.
    std::fs::write(&path, "algorithm counter\nassumes nonsense\n").expect("it can be written");
    assert!(client.wrong("restart", json!({})).is_err());
    assert_eq!(client.moves("continue", 1)["reason"], "breakpoint");
    assert_eq!(client.disconnect(), 0);
}

#[test]
fn processes_that_step_together_have_a_frame_each() {
    let (mut client, _) =
        Client::stopped_at(json!({"program": "flooding", "on": "line(3)", "stopOnEntry": true}));
    client.moves("stepIn", 1);
    client.moves("stepIn", 1);
    let entry = at(&mut client);
    client.moves("stepBack", 1);
    client.moves("stepIn", 1);
    assert_eq!(at(&mut client), entry);
    assert_eq!(client.disconnect(), 0);
}
