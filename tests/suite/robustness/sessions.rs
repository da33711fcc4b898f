//! Mutated lines of a REPL session, and the files that its commands must not overwrite.

use crate::cli::harness::{folder, synod_with};
use crate::robustness::stir::{Dice, stirred};
use std::fs;

const SESSIONS: usize = 6;
const LINES: usize = 60;

/// Every command once, and clauses and expressions.
const LINES_OF_USE: &[&str] = &[
    ".step 3",
    ".run 20",
    ".enabled all",
    ".fire 1",
    ".back 2",
    ".goto 4",
    ".break when (count p: p.leader) > 1",
    ".watch messages",
    ".breaks",
    ".delete 1",
    ".state p1",
    ".channels",
    ".diff",
    ".draw",
    ".draw 0..3 drawn.svg",
    ".props",
    ".why p0.leader",
    ".set seed 7",
    ".set schedule random",
    ".undo",
    ".fork other",
    ".branches",
    ".source leader",
    ".drop state done",
    ".write mine.syn",
    ".save run.trace",
    ".save run.syn",
    ".scenario",
    ".scenario told.syn",
    ".export mermaid run.mmd",
    ".export csv",
    ".replay run.trace",
    ".load chang_roberts",
    ".reload",
    ".help why",
    ".cuts",
    ".possibly (count p: p.leader) = 1",
    "p1.leader",
    "count p: p.leader",
    "messages",
    "var extra : Int := 3",
    "invariant two: messages < 100",
    "on Nothing -> skip",
    "1 div 0",
    "1 + + 2",
    "(((",
    "p9.leader",
];

#[test]
fn mutated_lines() {
    let here = folder("mutated_lines", &[]);
    let mut dice = Dice(6);
    for _ in 0..SESSIONS {
        let mut input = String::new();
        for _ in 0..LINES {
            let line = dice.one_of(LINES_OF_USE);
            let line = if dice.below(2) == 0 { stirred(line, &mut dice) } else { line.to_string() };
            // No line refers to a file outside the folder.
            input += &line.replace(['/', '\\', '~'], "");
            input += "\n\n";
        }
        let ran = synod_with(&here, &["repl", "lelann", "--on", "ring(3)"], input.as_bytes(), &[]);
        assert!((0..=3).contains(&ran.code), "{ran}\n{input}");
    }
}

#[test]
fn a_session_overwrites_results_only() {
    let text = "Remember the milk.\n";
    let program = "algorithm own\nassumes complete\nstate s\n  halt\n";
    let here = folder("session_files", &[("notes.txt", text.as_bytes()), ("own.syn", program.as_bytes())]);
    let input = ".run\n.save notes.txt\n.export mermaid notes.txt\n.draw notes.txt\n.write notes.txt\n.scenario notes.txt\n\
        .save own.syn\n.write own.syn\n.save a b/run.trace\n.export csv a b/run.csv\n.draw x y.svg\n.save new/run.trace\n\
        .save \"a run.trace\"\n.save \"a run.trace\"\n.export mermaid run.mmd\n.export mermaid run.mmd\n";
    let ran = synod_with(&here, &["repl", "lelann", "--on", "ring(2)"], input.as_bytes(), &[]);
    assert_eq!(fs::read_to_string(here.join("notes.txt")).unwrap(), text, "{ran}");
    assert_eq!(fs::read_to_string(here.join("own.syn")).unwrap(), program, "{ran}");
    let mut names: Vec<String> =
        fs::read_dir(&here).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["a run.trace", "notes.txt", "own.syn", "run.mmd"], "{ran}");
    let said = format!("{}{}", ran.stdout, ran.stderr);
    for (what, times) in [
        (": notes.txt was not written by synod, and would be overwritten", 5),
        (": own.syn is a program, and would be overwritten", 2),
        (": `a b/run.trace` is not one path", 1),
        (": `a b/run.csv` is not one path", 1),
        (": `x y.svg` is not one path", 1),
        ("hint: a path with blanks is written in quotes: \"my run.trace\"", 3),
        (": cannot write new/run.trace: there is no folder new", 1),
        ("wrote a run.trace", 2),
        ("wrote run.mmd", 2),
    ] {
        assert_eq!(said.matches(what).count(), times, "{what}\n{ran}");
    }
}
