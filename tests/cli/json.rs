//! `--json` is a contract: one object, and it matches the published schema.

use crate::harness::{Ran, folder, synod, synod_in, synod_with};
use serde_json::Value;

/// The object on stdout, checked against the schema of its verb.
fn valid(ran: &Ran, schema: &str) -> Value {
    // The report of one run has its schema beside it.
    let file =
        if schema == "run" { "synod-1.schema.json".into() } else { format!("schema/{schema}.schema.json") };
    let path = format!("{}/docs/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let schema: Value = serde_json::from_str(&text).expect("a schema is JSON");
    let object: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}\n{ran}"));
    let validator = jsonschema::validator_for(&schema).expect("a schema is a schema");
    let wrong: Vec<String> =
        validator.iter_errors(&object).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(wrong.is_empty(), "{wrong:#?}\n{ran}");
    object
}

#[test]
fn results() {
    for (words, schema) in [
        (&["list", "--json"][..], "list"),
        (&["list", "--problem", "Election", "--json"], "list"),
        (&["list", "--model", "radio", "--json"], "list"),
        (&["show", "lelann", "--json"], "show"),
        (&["show", "voting", "--json"], "show"),
        (&["show", "Multicast", "--json"], "show"),
        (&["explain", "--json"], "explain"),
        (&["explain", "30", "--json"], "explain"),
        (&["check", "lelann", "Election", "--json"], "check"),
        (&["run", "dolev_klawe_rodeh", "--json"], "run"),
        (&["run", "ricart_agrawala", "--json", "--on", "complete(4)", "--seed", "0x2a"], "run"),
        (&["run", "dolev_klawe_rodeh", "--runs", "5", "--json"], "runs"),
        (&["verify", "dolev_klawe_rodeh", "--on", "ring(3)", "--json"], "verify"),
        (&["test", "lelann", "--json"], "test"),
        (&["topology", "list", "--json"], "topology-list"),
        (&["topology", "show", "mesh(2, 3)", "--json"], "topology-show"),
        (&["topology", "--json", "show", "ring(3)", "--unidirectional", "--dot"], "topology-show"),
    ] {
        let ran = synod(words);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran}");
        valid(&ran, schema);
    }
}

#[test]
fn errors() {
    for words in [
        &["show", "nothing", "--json"][..],
        &["explain", "9999", "--json"],
        &["topology", "show", "rng(3)", "--json"],
        &["list", "--problem", "Nothing", "--json"],
        &["run", "nothing", "--json"],
        &["run", "lelann", "--on", "star(3)", "--json"],
        &["run", "lelann", "--property", "E7", "--json"],
        &["run", "Election", "--json"],
        &["trace", "show", "nowhere", "--json"],
        &["lst", "--json"],
        &["check", "--json"],
    ] {
        let ran = synod(words);
        assert_eq!((ran.code, ran.stderr.as_str()), (2, ""), "{ran}");
        valid(&ran, "error");
    }
}

#[test]
fn formatting() {
    let files: &[(&str, &[u8])] = &[
        ("a.syn", b"algorithm a\n"),
        ("b.syn", b"algorithm  b\n"),
        ("c.syn", b"algorithm\n"),
        ("d.syn", b"\xff"),
    ];
    let here = folder("json_fmt", files);
    let ran = synod_in(&here, &["fmt", "--check", "--json", "a.syn", "b.syn"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""), "{ran}");
    let object = valid(&ran, "fmt");
    assert_eq!((&object["changed"], &object["errors"]), (&1.into(), &0.into()));
    let diff = object["files"][1]["diff"].as_str().unwrap_or("");
    assert!(diff.contains("-algorithm  b\n+algorithm b\n"), "{diff}");
    let ran = synod_in(&here, &["fmt", "--check", "--json", "."]);
    assert_eq!((ran.code, ran.stderr.as_str()), (2, ""), "{ran}");
    let object = valid(&ran, "fmt");
    assert_eq!((&object["changed"], &object["errors"]), (&1.into(), &2.into()));
    assert_eq!(object["files"][2]["diagnostics"][0]["severity"], "error");
    let ran = synod_with(&here, &["fmt", "-", "--json"], b"algorithm   x", &[]);
    assert_eq!((ran.code, &valid(&ran, "fmt")["files"][0]["text"]), (0, &"algorithm x\n".into()), "{ran}");
}

#[test]
fn counterexamples() {
    let ran = synod(&["verify", "voting", "--on", "complete(2)", "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""), "{ran}");
    let object = valid(&ran, "verify");
    assert_eq!(object["verdict"], "violated");
    assert_eq!(object["counterexamples"][0]["shows"], "stuck");
}

#[test]
fn traces() {
    let here = folder("json_traces", &[]);
    assert_eq!(synod_in(&here, &["run", "dolev_klawe_rodeh", "-q", "--trace", "t.jsonl"]).code, 0);
    valid(&synod_in(&here, &["trace", "show", "t.jsonl", "--json"]), "trace-show");
    valid(&synod_in(&here, &["trace", "replay", "t.jsonl", "--json"]), "trace-replay");
}

#[test]
fn errors_of_a_source_come_with_its_diagnostics() {
    let here = folder("json_source", &[("wrong.syn", b"algorithm wrong\nassumes rings\n".as_slice())]);
    let ran = synod_in(&here, &["run", "wrong.syn", "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (2, ""), "{ran}");
    assert_eq!(valid(&ran, "error")["diagnostics"][0]["severity"], "error");
}

#[test]
fn diagnostics() {
    let here = folder("json", &[("wrong.syn", b"algorithm wrong\nassumes rings\nstaet s\n".as_slice())]);
    let ran = synod_in(&here, &["check", "wrong.syn", "nowhere.syn", "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (2, ""), "{ran}");
    let object = valid(&ran, "check");
    assert_eq!(object["files"][0]["diagnostics"][0]["place"]["file"], "wrong.syn");
    assert_eq!(object["files"][1]["error"]["message"], "there is no file nowhere.syn");
}
