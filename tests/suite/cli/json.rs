//! `--json` is a contract: one object that conforms to the published schema.

use crate::cli::harness::{Ran, folder, synod, synod_in, synod_with};
use serde_json::Value;

/// Return the object on stdout, validated against the schema of its subcommand.
pub fn valid(ran: &Ran, schema: &str) -> Value {
    // The report of one run has a schema of its own.
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
        (&["explain", "quiescent", "--json"], "explain"),
        (&["check", "lelann", "Election", "--json"], "check"),
        (&["run", "dolev_klawe_rodeh", "--json"], "run"),
        (&["run", "ricart_agrawala", "--json", "--on", "complete(4)", "--seed", "0x2a"], "run"),
        (&["run", "dolev_klawe_rodeh", "--runs", "5", "--json"], "runs"),
        (&["verify", "dolev_klawe_rodeh", "--on", "ring(3)", "--json"], "verify"),
        (&["measure", "dolev_klawe_rodeh", "--n", "2..16", "--runs", "2", "--json"], "measure"),
        (&["measure", "flooding", "--n", "1,4", "--runs", "1", "--json"], "measure"),
        (&["measure", "lelann", "-n", "3", "--adversary", "--budget", "20", "--json"], "measure-adversary"),
        (&["test", "lelann", "--json"], "test"),
        (&["draw", "lelann", "--on", "ring(3)", "--json"], "draw"),
        (&["draw", "lamport", "--on", "complete(2)", "--to", "svg", "--cut", "2,1", "--json"], "draw"),
        (&["draw", "lelann", "--on", "ring(3)", "--to", "html", "--json"], "draw"),
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
fn a_view_is_reported() {
    let text = |last: &str, more: &str| {
        format!(
            "algorithm tokens\nassumes unidirectional ring, unique ids\nmessage Token\nvar passed : Int\nvar home : Bool
view without passed\nstate s\n  send Token\n  receive Token\n  passed := passed + 1\n  home := {last}\n  halt\n{more}\n"
        )
    };
    let bits = "bound few: bits <= 100";
    let files = [
        ("shown.syn", text("true", "")),
        ("claimed.syn", text("passed > 0", "")),
        ("unused.syn", text("true", bits)),
    ];
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    let here = folder("json_views", &files);
    for (file, kind, sound) in
        [("shown.syn", "shown", true), ("claimed.syn", "claimed", false), ("unused.syn", "unused", true)]
    {
        let ran = synod_in(&here, &["verify", file, "--on", "ring(2)", "--json"]);
        let view = &valid(&ran, "verify")["view"];
        assert_eq!(view["clauses"], serde_json::json!(["without passed"]), "{ran}");
        assert_eq!((&view["kind"], &view["sound"]), (&kind.into(), &sound.into()), "{ran}");
        assert_eq!(view["why"].is_null(), kind == "shown", "{ran}");
        let ran = synod_in(&here, &["verify", file, "--on", "ring(2)", "--json", "--no-view"]);
        assert!(valid(&ran, "verify")["view"].is_null(), "{ran}");
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
        &["draw", "lelann", "--from", "9999", "--json"],
        &["lst", "--json"],
        &["run", "--json"],
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

/// A run of the example whose history is that of the figure, in a separate folder.
fn two_counters(name: &str) -> std::path::PathBuf {
    let path = format!("{}/examples/histories/two_counters.syn", env!("CARGO_MANIFEST_DIR"));
    let here = folder(name, &[("two_counters.syn", &std::fs::read(path).expect("the example is there"))]);
    let words = ["run", "two_counters.syn", "--on", "star(1)", "-q", "--trace", "t.trace"];
    assert_eq!(synod_in(&here, &words).code, 0);
    here
}

#[test]
fn cuts() {
    let here = two_counters("json_cuts");
    let results: [(&[&str], &str, &str); 13] = [
        (&["history", "t.trace"], "history", "/processes/1/events/2/vector/0=2"),
        (&["before", "t.trace", "p0:1", "p1:3"], "before", "/relation=\"before\""),
        (&["before", "t.trace", "p1:2", "5"], "before", "/relation=\"concurrent\""),
        (&["cut", "t.trace", "2,1"], "cut", "/state/processes/1/variables/0/value=\"100\""),
        (&["cut", "t.trace", "p1:3"], "cut", "/crossings/0/message=0"),
        (&["cuts", "t.trace", "--list", "5"], "cuts", "/linearizations=\"4\""),
        (&["reach", "t.trace", "none", "p0:3,p1:2"], "reach", "/ways=\"3\""),
        (&["reach", "t.trace", "2,1", "1,0"], "reach", "/obstacle=\"backwards\""),
        (&["order", "t.trace", "2", "3", "5", "4", "6", "7", "8"], "order", "/order=\"linearization\""),
        (&["possibly", "t.trace", "p0.x = p1.x"], "possibly", "/cut/0=0"),
        (&["definitely", "t.trace", "p0.x - p1.x > 50"], "definitely", "/met/0=[2,0]"),
        (&["definitely", "t.trace", "p0.x = 105 and p1.x = 90"], "definitely", "/method=\"conjunctive\""),
        (&["diff", "t.trace", "t.trace"], "diff", "/equal=true"),
    ];
    for (words, schema, expected) in results {
        let ran = synod_in(&here, &[&["trace"], words, &["--json"]].concat());
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran}");
        let object = valid(&ran, &format!("trace-{schema}"));
        let (place, value) = expected.split_once('=').expect("a place and its value");
        assert_eq!(object.pointer(place).map(ToString::to_string).as_deref(), Some(value), "{place} {ran}");
    }
    // Reaching a limit is a verdict, too.
    for (words, schema) in [
        (&["cuts", "t.trace", "--max-cuts", "3"][..], "cuts"),
        (&["definitely", "t.trace", "p0.x > p1.x + 200", "--max-cuts", "3"], "definitely"),
    ] {
        let ran = synod_in(&here, &[&["trace"], words, &["--json"]].concat());
        assert_eq!((ran.code, ran.stderr.as_str()), (3, ""), "{ran}");
        valid(&ran, &format!("trace-{schema}"));
    }
    let ran = synod_in(&here, &["trace", "possibly", "t.trace", "p0.y = 1", "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (2, ""), "{ran}");
    valid(&ran, "error");
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
