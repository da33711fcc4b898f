//! The texts of `synod explain`: short, with checked examples.

use crate::diagnostics::style::catalogue;
use synod::internals::check::{VOCABULARY, check};
use synod::internals::diagnostic::{Code, codes};
use synod::internals::library;
use synod::internals::syntax::{MAX_NESTING, MAX_SOURCE_BYTES};

/// These errors are due to the length of the program: an example would be too long to read.
const ENDLESS: &[Code] = &[codes::TOO_DEEP, codes::TEXT_TOO_LARGE];

/// Return the fenced examples of an explanation: `wrong` or `right`, and the text.
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
        let shows_wrong = kinds.contains(&"wrong") || ENDLESS.contains(&code);
        if !(shows_wrong && kinds.contains(&"right")) {
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
            let told: Vec<String> = found.iter().map(|d| format!("{} {}", d.code(), d.message())).collect();
            let fine = match kind {
                "wrong" => !found.is_empty() && found.iter().all(|d| d.code() == code),
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

#[test]
fn the_explanation_of_unknown_assumptions_lists_all() {
    let (_, _, text) = catalogue()
        .into_iter()
        .find(|(code, ..)| *code == codes::ASSUMPTION_UNKNOWN)
        .expect("its explanation");
    let listed: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
    // Some are followed by a name or a bound.
    let is_listed =
        |words: &&&str| listed.iter().any(|own| own == *words || own.starts_with(&format!("{words} ")));
    let missing: Vec<&&str> = VOCABULARY.iter().filter(|words| !is_listed(words)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn overlong_examples_are_explained() {
    let found = |text: &str| -> Vec<Code> {
        check("endless.syn", text, &library::source).diagnostics.iter().map(|d| d.code()).collect()
    };
    let deep = format!(
        "algorithm deep\nconst K = {}1{}\n",
        "(".repeat(MAX_NESTING + 1),
        ")".repeat(MAX_NESTING + 1)
    );
    assert_eq!(found(&deep), [codes::TOO_DEEP]);
    assert_eq!(found(&"// long\n".repeat(MAX_SOURCE_BYTES / 8 + 1))[0], codes::TEXT_TOO_LARGE);
}
