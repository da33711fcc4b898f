//! Help, and commands that make no sense.

use crate::harness::{session, synod};
use insta::assert_snapshot;

#[test]
fn help_of_every_verb() {
    let verbs = [
        "check",
        "fmt",
        "run",
        "measure",
        "test",
        "draw",
        "trace",
        "list",
        "show",
        "new",
        "topology",
        "explain",
        "completions",
        "man",
    ];
    let helps = verbs.iter().map(|verb| synod(&[verb, "-h"]));
    assert_snapshot!(session([synod(&["-h"])].into_iter().chain(helps)));
}

#[test]
fn commands_that_make_no_sense() {
    assert_snapshot!(session([
        synod(&["lst"]),
        synod(&["check"]),
        synod(&["check", "lelann", "--clor", "never"]),
        synod(&["list", "-q", "-v"]),
        synod(&["topology", "show"]),
        synod(&["completions", "tcsh"]),
    ]));
}

#[test]
fn nothing_at_all_shows_the_help_and_is_an_error() {
    let ran = synod(&[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("Usage: synod"));
}

#[test]
fn version() {
    assert_snapshot!(synod(&["--version"]));
}

#[test]
fn explanations() {
    assert_snapshot!(session([
        synod(&["explain", "SYN0030"]),
        synod(&["explain", "syn0042"]),
        synod(&["explain", "73"]),
        synod(&["explain", "9999"]),
        synod(&["explain", "seven"]),
    ]));
}

#[test]
fn every_code_is_listed_and_explained() {
    let list = synod(&["explain"]);
    assert_eq!(list.code, 0);
    for line in list.stdout.lines() {
        let code = line.split(' ').next().unwrap_or_default();
        let ran = synod(&["explain", code]);
        assert_eq!(ran.code, 0, "{line}");
        assert!(ran.stdout.starts_with(&format!("{code}: ")), "{line}");
        assert!(ran.stdout.lines().all(|line| line.chars().count() <= 100), "{}", ran.stdout);
    }
}

#[test]
fn completions_name_the_verbs() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = synod(&["completions", shell]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{shell}");
        assert!(ran.stdout.contains("topology"), "{shell}");
    }
}

#[test]
fn topologies() {
    assert_snapshot!(session([
        synod(&["topology", "list"]),
        synod(&["topology", "show", "ring(4)", "--ids", "3,1,4,2"]),
        synod(&["topology", "show", "ring(4)", "--unidirectional", "--ids", "descending", "--ascii"]),
        synod(&["topology", "show", "star(2)", "--dot"]),
        synod(&["topology", "show", "rng(4)"]),
        synod(&["topology", "show", "ring(4)", "--ids", "1,2"]),
        synod(&["topology", "show", "nowhere.dot"]),
        synod(&["topology", "show", "ring(4)", "--seed", "x"]),
    ]));
}

#[test]
fn words_in_the_wrong_place_are_answered_with_what_to_type() {
    assert_snapshot!(session([
        synod(&["list", "election"]),
        synod(&["list", "MutualExclusion"]),
        synod(&["list", "lelann"]),
        synod(&["list", "ring"]),
        synod(&["list", "lellan"]),
        synod(&["topology", "ring(4)"]),
        synod(&["topology", "shwo"]),
        synod(&["topology", "nonsense"]),
        synod(&["new", "mine", "--problem", "Synchronizer"]),
        synod(&["new", "mine", "--problem", "Electoin"]),
        synod(&["show", "Electoin"]),
        synod(&["run", "ricart_agrawla"]),
    ]));
}
