//! Runs that go round for ever, kept and shown again.

use crate::harness::{Ran, folder, synod_in};
use crate::measure::ENDLESS;
use crate::verify::RESTLESS;
use std::path::PathBuf;

/// Verifies a program, keeps what was found, and answers what all that take traces make of it.
fn kept(here: &PathBuf, words: &[&str]) -> Vec<Ran> {
    let verified = synod_in(here, &[&["verify"][..], words, &["--trace", "la.trace"]].concat());
    assert!(verified.code == 1 && verified.stdout.contains("and so on for ever, from event"), "{verified}");
    vec![
        synod_in(here, &["trace", "show", "la.trace"]),
        synod_in(here, &["draw", "la.trace"]),
        synod_in(here, &["trace", "replay", "la.trace", "--program", words[0]]),
        synod_in(here, &["run", words[0], "--replay", "la.trace"]),
    ]
}

#[test]
fn a_ring_with_too_few_states() {
    let here = folder("lasso_ring", &[("kring.syn", ENDLESS)]);
    let words =
        ["kring.syn", "--on", "ring(3)", "--set", "k=2", "--daemon", "synchronous", "--property", "one"];
    let all = kept(&here, &words);
    for ran in [&all[0], &all[1]] {
        assert!(ran.code == 0 && ran.stdout.contains("again and again; that violates `one`"), "{ran}");
    }
    let run = &all[3];
    assert!(run.code == 1 && run.stdout.contains("violated  one"), "{run}");
    assert!(run.stdout.contains("the run goes round for ever and loses it again and again"), "{run}");
    // Written again it is the same, in either form, and for other tools.
    let text = std::fs::read_to_string(here.join("la.trace")).unwrap();
    let lines = synod_in(&here, &["trace", "convert", "la.trace", "--to", "jsonl"]);
    assert!(
        lines.stdout.contains("\"repeats_from\":") && lines.stdout.contains("\"violates\":\"one\""),
        "{lines}"
    );
    std::fs::write(here.join("la.jsonl"), &lines.stdout).unwrap();
    let back = synod_in(&here, &["trace", "convert", "la.jsonl", "--to", "text"]);
    assert_eq!(back.stdout, text);
    let itf = synod_in(&here, &["trace", "convert", "la.trace", "--to", "itf"]);
    assert!(itf.stdout.contains("\"loop\":"), "{itf}");
}

#[test]
fn messages_that_go_round() {
    let here = folder("lasso_messages", &[("restless.syn", RESTLESS)]);
    let all = kept(&here, &["restless.syn", "--on", "ring(2)", "--initiators", "1"]);
    assert!(all[0].stdout.contains("that violates `visited`"), "{}", all[0]);
    assert!(
        all[3].code == 1 && all[3].stdout.contains("the run goes round for ever without it"),
        "{}",
        all[3]
    );
}
