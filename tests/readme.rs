//! The README, executed: its programs are checked and their scenarios played, its commands are run, and what it
//! shows of their output is what they print.

use std::process::Command;
use std::sync::Arc;

const README: &str = include_str!("../README.md");

/// Info string and text of every fenced block.
fn blocks() -> Vec<(&'static str, String)> {
    let mut blocks = Vec::new();
    let mut lines = README.lines();
    while let Some(line) = lines.next() {
        if let Some(info) = line.strip_prefix("```") {
            let text: Vec<&str> = lines.by_ref().take_while(|l| *l != "```").collect();
            blocks.push((info, text.join("\n") + "\n"));
        }
    }
    blocks
}

#[test]
fn programs_check_and_scenarios_pass() {
    let mut programs = 0;
    for (info, text) in blocks() {
        let mut words = info.split_whitespace();
        if words.next() != Some("synod") {
            continue;
        }
        let header = match (words.next(), words.next()) {
            (Some("fragment"), Some(base)) => format!("algorithm readme variant of {base}\n"),
            _ => String::new(),
        };
        let text = header + &text;
        let checked = synod::check::check("README", &text, &synod::library::source);
        assert!(checked.diagnostics.is_empty(), "{:?}\n{text}", checked.diagnostics);
        let program = Arc::new(checked.program.unwrap());
        for scenario in &program.scenarios {
            let played = synod::scenario::play(&program, scenario, None, &mut |_, _, _, _, _| {});
            assert!(played.passed(), "{played:?}");
        }
        programs += 1;
    }
    assert!(programs >= 2);
}

/// The words of a command line, single quotes respected.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in line.split('\'').enumerate() {
        if i % 2 == 1 {
            words.push(part.to_string());
        } else {
            words.extend(part.split_whitespace().map(String::from));
        }
    }
    words
}

#[test]
fn commands_print_what_is_shown() {
    let mut commands = 0;
    for (info, text) in blocks() {
        if info != "console" {
            continue;
        }
        let mut output: Option<String> = None;
        let mut from = 0;
        for line in text.lines() {
            if let Some(command) = line.strip_prefix("$ synod ") {
                let run = Command::new(env!("CARGO_BIN_EXE_synod")).args(words(command)).output().unwrap();
                output = Some(String::from_utf8(run.stdout).unwrap());
                from = 0;
                commands += 1;
            } else if let Some(output) = &output {
                // A line of dots stands for anything.
                if line.trim() == "…" || line.trim().is_empty() {
                    continue;
                }
                let found = output[from..].find(line.trim_end());
                assert!(found.is_some(), "not printed, or not in this order: {line}\n{output}");
                from += found.unwrap();
            }
        }
    }
    assert!(commands >= 2);
}
