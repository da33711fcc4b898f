//! What `synod explain` says: short, and its examples are checked.

use crate::style::catalogue;
use synod::check::check;
use synod::library;

/// Fenced examples of an explanation: `wrong` or `right`, and the text.
fn examples(text: &str) -> Vec<(&str, String)> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(kind) = line.strip_prefix("```synod ") else { continue };
        let body: Vec<&str> = lines.by_ref().take_while(|l| *l != "```").collect();
        found.push((kind, body.join("\n") + "\n"));
    }
    found
}

#[test]
fn every_explanation_shows_a_wrong_and_a_right_program() {
    let mut missing = Vec::new();
    for (code, title, text) in catalogue() {
        let kinds: Vec<&str> = examples(text).into_iter().map(|(kind, _)| kind).collect();
        if !(kinds.contains(&"wrong") && kinds.contains(&"right")) {
            missing.push(format!("{code} {title}: {kinds:?}"));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn the_wrong_examples_are_wrong_as_they_say_and_the_right_ones_right() {
    let mut failed = Vec::new();
    for (code, _, text) in catalogue() {
        for (kind, example) in examples(text) {
            let found = check("example.syn", &example, &library::source).diagnostics;
            let told: Vec<String> = found.iter().map(|d| format!("{} {}", d.code, d.message)).collect();
            let fine = match kind {
                "wrong" => found.iter().all(|d| d.code == code) && !found.is_empty(),
                "right" => found.is_empty(),
                _ => false,
            };
            if !fine {
                failed.push(format!("{code}, {kind}:\n{example}{}\n", told.join("\n")));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
