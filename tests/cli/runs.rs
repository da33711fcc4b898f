//! `run`, `test` and `trace`.

use crate::harness::{folder, session, synod, synod_in};
use insta::assert_snapshot;

#[test]
fn one_run() {
    assert_snapshot!(synod(&["run", "dolev_klawe_rodeh"]));
}

#[test]
fn one_run_in_ascii_with_flags() {
    assert_snapshot!(synod(&[
        "run",
        "lelann",
        "--on",
        "ring(3)",
        "--ids",
        "3,1,2",
        "--initiators",
        "3,p1",
        "--schedule",
        "adversary",
        "--seed",
        "0x10",
        "--property",
        "E1",
        "--ascii",
    ]));
}

#[test]
fn many_runs() {
    assert_snapshot!(session([
        synod(&["run", "dolev_klawe_rodeh", "--on", "ring(5)", "--ids", "3,9,1,4,7", "--runs", "50"]),
        synod(&["run", "maekawa_1985", "--on", "complete(5)", "--runs", "40"]),
    ]));
}

#[test]
fn the_named_command_shows_the_violation_again() {
    let ran = synod(&["run", "maekawa_1985", "--on", "complete(5)", "--runs", "40"]);
    assert_eq!(ran.code, 1);
    let again = ran.stdout.lines().find_map(|line| line.trim().strip_prefix("again: synod "));
    let again = again.expect("a violation is named with its command").replace('\'', "");
    let words: Vec<&str> = again.split(' ').collect();
    let ran = synod(&words);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stdout.contains("violated"), "{ran}");
}

#[test]
fn the_same_seed_gives_the_same_bytes_whatever_the_jobs() {
    let run = |jobs: &str| {
        synod(&["run", "ricart_agrawala", "--runs", "30", "--seed", "7", "-j", jobs, "--json"]).stdout
    };
    assert_eq!(run("1"), run("4"));
    let once = || synod(&["run", "lamport", "--schedule", "random", "--seed", "5"]).stdout;
    assert_eq!(once(), once());
}

#[test]
fn runs_that_cannot_be() {
    assert_snapshot!(session([
        synod(&["run", "lelann", "--on", "star(3)"]),
        synod(&["run", "lelann", "--on", "ring(3)", "--ids", "1,2,2"]),
        synod(&["run", "lelann", "--ids", "1,2"]),
        synod(&["run", "lelann", "--initiators", "7"]),
        synod(&["run", "lelann", "--property", "E11"]),
        synod(&["run", "lelann", "--set", "entries=2"]),
        synod(&["run", "ricart_agrawala", "--set", "entires=2"]),
        synod(&["run", "ricart_agrawala", "--set", "entries=two"]),
        synod(&["run", "lelann", "--schedule", "fair"]),
        synod(&["run", "lelann", "--runs", "0"]),
        synod(&["run", "lelann", "--json", "--trace", "-"]),
        synod(&["run", "Election"]),
    ]));
}

#[test]
fn exit_codes() {
    let code = |words: &[&str]| synod(words).code;
    assert_eq!(code(&["run", "lelann", "-q"]), 0);
    assert_eq!(code(&["run", "maekawa_1985", "--on", "complete(5)", "--runs", "40", "-q"]), 1);
    assert_eq!(code(&["run", "lelann", "--on", "star(3)"]), 2);
    assert_eq!(code(&["run", "lelann", "--max-steps", "5", "-q"]), 3);
    assert_eq!(code(&["run", "lelann", "--runs", "3", "--max-steps", "5", "-q"]), 3);
}

#[test]
fn traces_are_written_shown_converted_and_replayed() {
    let here = folder("traces", &[]);
    let run = |words: &[&str]| synod_in(&here, words);
    let first = run(&["run", "token_ring", "--schedule", "random", "--trace", "t.trace"]);
    let again = run(&["run", "token_ring", "--replay", "t.trace"]);
    // The same report, but for the line that says that nobody chose the network.
    let report =
        first.stdout.replace("(a small network of the kind that is assumed; --on chooses another)\n", "");
    assert_eq!((again.code, again.stdout), (first.code, report));
    let text = std::fs::read_to_string(here.join("t.trace")).expect("the trace has been written");
    let lines = run(&["trace", "convert", "t.trace", "--to", "jsonl"]).stdout;
    std::fs::write(here.join("t.jsonl"), lines).expect("the folder can be written");
    assert_eq!(run(&["trace", "convert", "t.jsonl", "--to", "text"]).stdout, text);
    let replayed = run(&["trace", "replay", "t.jsonl"]);
    assert_eq!(replayed.code, 0, "{replayed}");
    assert_eq!(run(&["run", "token_ring", "--schedule", "random", "--trace", "-", "-q"]).stdout, text);
    assert_snapshot!(session([
        run(&["trace", "show", "t.trace", "--no-diagram"]),
        run(&["trace", "replay", "t.trace", "--program", "lelann"]),
        run(&["trace", "show", "nowhere.trace"]),
    ]));
}

#[test]
fn scenarios() {
    let failing = "\
/// Everybody claims to be elected.
algorithm mine solves Election(winner: greatest, told: all)
assumes unidirectional ring, unique ids

state claiming
  elected := id
  halt

scenario two on ring(2) with ids [1, 2]
  expect p0.elected = 2
  expect E1 violated

scenario alone on ring(1)
  expect p0.elected = 1
";
    let here = folder("scenarios", &[("mine.syn", failing.as_bytes())]);
    assert_snapshot!(session([
        synod_in(&here, &["test", "mine.syn"]),
        synod_in(&here, &["test", "mine.syn", "--scenario", "alone"]),
        synod_in(&here, &["test", "dolev_klawe_rodeh"]),
        synod_in(&here, &["test"]),
    ]));
}
