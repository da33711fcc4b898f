//! Files of every kind, valid and invalid.

use crate::cli::harness::{folder, session, synod, synod_in, synod_with};
use insta::assert_snapshot;

#[test]
fn files_that_are_no_programs() {
    let large = vec![b' '; (8 << 20) + 1];
    let here = folder(
        "no_programs",
        &[
            ("latin1.syn", b"algorithm caf\xe9\n".as_slice()),
            ("utf16.syn", b"\xff\xfea\0l\0"),
            ("binary.syn", b"\x7fELF\0\0\0"),
            ("empty.syn", b""),
            ("blank.syn", b" \n\t\n"),
            ("large.syn", &large),
            ("folder.txt", b"no folder at all"),
        ],
    );
    let names = ["latin1.syn", "utf16.syn", "binary.syn", "empty.syn", "blank.syn", "large.syn", "."];
    assert_snapshot!(session(names.iter().map(|name| synod_in(&here, &["check", name]))));
}

/// A recorded run given as a program is one error, and not one for each line.
#[test]
fn a_trace_is_not_a_program() {
    let here = folder("recorded_runs", &[("report.json", b"{\"schema\": \"synod/1\"}\n".as_slice())]);
    let run = synod_in(&here, &["run", "chang_roberts", "--on", "ring(2)", "-q", "--trace", "one.trace"]);
    assert_eq!(run.code, 0, "{run}");
    for (form, file) in [("jsonl", "one.jsonl"), ("itf", "one.itf.json")] {
        let converted = synod_in(&here, &["trace", "convert", "one.trace", "--to", form]);
        std::fs::write(here.join(file), converted.stdout).expect("the folder for tests can be written");
    }
    for verb in ["run", "verify", "check", "repl", "measure", "test", "fmt"] {
        for (file, what) in [
            ("one.trace", "one.trace is a trace, not a program"),
            ("one.jsonl", "one.jsonl is a trace, not a program"),
            ("one.itf.json", "one.itf.json is a trace in ITF, not a program"),
            ("report.json", "report.json is JSON, not a program"),
        ] {
            let ran = synod_in(&here, &[verb, file]);
            assert!(ran.code == 2 && ran.stderr.contains(&format!("error: {what}\n")), "{ran}");
            assert_eq!(ran.stderr.matches("error:").count(), 1, "{ran}");
            if what.contains("recorded") {
                assert!(ran.stderr.contains(&format!("`synod run FILE --replay {file}`")), "{ran}");
            }
        }
    }
}

#[test]
fn files_that_are_not_there() {
    let here = folder("not_there", &[("mine.syn", b"algorithm mine\n".as_slice())]);
    let names = ["mine", "mien.syn", "lelan", "lelann.syn", "zzzzzz", "a/b/c.syn"];
    assert_snapshot!(session(names.iter().map(|name| synod_in(&here, &["check", name]))));
}

/// Every subcommand rejects an unusable file with the same words.
#[test]
fn files_that_no_verb_can_use() {
    let here = folder(
        "no_use",
        &[
            ("binary.syn", b"\x7fELF\0\0\0".as_slice()),
            ("latin1.syn", b"algorithm caf\xe9\n"),
            ("full/latin1.syn", b"algorithm caf\xe9\n"),
            ("mine.syn", b"algorithm mine\n"),
        ],
    );
    std::fs::create_dir_all(here.join("nothing")).expect("the folder for tests can be written");
    let verbs: [&[&str]; 8] =
        [&["check"], &["run"], &["test"], &["verify"], &["measure"], &["repl"], &["fmt"], &["trace", "show"]];
    let files = ["missing.syn", "binary.syn", "latin1.syn", "full", "nothing"];
    for verb in verbs {
        for file in files {
            let ran = synod_in(&here, &[verb, &[file]].concat());
            assert_eq!(ran.code, 2, "{ran}");
            let why = match file {
                "missing.syn" => "error: there is no file missing.syn",
                "binary.syn" => "error: binary.syn is not a text: zero byte at offset 4",
                "latin1.syn" => "error: latin1.syn is not UTF-8: invalid byte 0xe9 at offset 13",
                "full" if ["check", "test", "fmt"].contains(&verb[0]) => {
                    "error: full/latin1.syn is not UTF-8"
                }
                "nothing" if ["check", "test", "fmt"].contains(&verb[0]) => {
                    "error: there are no programs (*.syn) in the folder nothing"
                }
                folder => &format!("error: {folder} is a folder, not a file"),
            };
            assert!(ran.stderr.starts_with(why), "{ran}");
        }
    }
    assert_snapshot!(session([
        synod_in(&here, &["test", "missing.syn"]),
        synod_in(&here, &["test", "."]),
        synod_in(&here, &["show", "mine.syn"]),
        synod_in(&here, &["lsp", "mine.syn"]),
        synod_in(&here, &["topology", "show", "full"]),
    ]));
}

#[test]
fn one_bad_file_does_not_hide_the_others() {
    let ran = synod(&["check", "nowhere.syn", "lelann"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stdout.starts_with("2 files checked: 1 error"), "{}", ran.stdout);
}

#[test]
fn the_standard_input_is_a_file() {
    let here = folder("stdin", &[]);
    let ran =
        synod_with(&here, &["check", "-"], synod(&["show", "lelann", "--source"]).stdout.as_bytes(), &[]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stderr);
    let ran = synod_with(&here, &["check", "-"], b"", &[]);
    assert_snapshot!(ran);
}

#[test]
fn networks_in_files_stand_beside_the_scenario() {
    let program = "algorithm flood\nassumes connected graph\nmessage M\nstate s\n  \
        on wakeup -> send M to neighbours\n  on M -> skip\n\n\
        scenario a_graph on \"nets/path.dot\"\n  expect messages = 4\n\n\
        scenario a_list on \"edges.txt\"\n  expect messages = 6\n";
    let at = folder("networks", &[("edges.txt", b"a b\nb c\nc a\n")]);
    std::fs::create_dir_all(at.join("sub/nets")).unwrap();
    std::fs::write(at.join("sub/flood.syn"), program).unwrap();
    std::fs::write(at.join("sub/nets/path.dot"), "graph { a -- b; b -- c }").unwrap();
    std::fs::copy(at.join("edges.txt"), at.join("sub/edges.txt")).unwrap();
    // Paths are relative to the program, wherever the command is run.
    let ran = synod_in(&at, &["test", "sub/flood.syn"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert!(ran.stdout.contains("2 of 2 scenarios passed"), "{ran}");

    std::fs::write(at.join("sub/nets/path.dot"), "graph { a -- }").unwrap();
    std::fs::remove_file(at.join("sub/edges.txt")).unwrap();
    insta::assert_snapshot!(synod_in(&at, &["check", "sub/flood.syn"]));
}

#[test]
fn a_folder_stands_for_the_programs_in_it() {
    let program = |name: &str| format!("algorithm {name}\nassumes complete\nstate s\n  halt\n").into_bytes();
    let folder = folder(
        "folder_of_programs",
        &[("b.syn", &program("b")), ("a.syn", &program("a")), ("notes.txt", b"x")],
    );
    assert_eq!(synod_in(&folder, &["check", "."]).stdout, "2 files checked: no errors, no warnings\n");
    assert_eq!(
        synod_in(&folder, &["check", ".", "a.syn"]).stdout,
        "2 files checked: no errors, no warnings\n"
    );
    let files = synod_in(&folder, &["check", ".", "--json"]).stdout;
    let (a, b) = (files.find("a.syn").expect("it is there"), files.find("b.syn").expect("it is there"));
    assert!(a < b, "{files}");
    let empty = folder.join("empty");
    std::fs::create_dir_all(&empty).expect("the folder for tests can be written");
    let ran = synod_in(&folder, &["check", "empty"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("there are no programs (*.syn) in the folder empty"), "{}", ran.stderr);
}

/// An unreadable folder is reported, and does not prevent other files from being checked.
#[cfg(unix)]
#[test]
fn an_unreadable_folder() {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;
    let program =
        b"algorithm mine\nassumes unidirectional ring, unique ids\n\nstate active\n  halt\n".as_slice();
    let here =
        folder("closed", &[("open/mine.syn", program), ("shut/mine.syn", program), ("mine.syn", program)]);
    let shut = here.join("shut");
    fs::set_permissions(&shut, Permissions::from_mode(0o000)).unwrap();
    let ran = ["check", "fmt", "test"].map(|verb| synod_in(&here, &[verb, "."]));
    // The root user can read every folder.
    let (code, told) = match fs::read_dir(&shut) {
        Ok(_) => (0, false),
        Err(_) => (2, true),
    };
    fs::set_permissions(&shut, Permissions::from_mode(0o755)).unwrap();
    for (ran, files) in ran.iter().zip(["3 files checked", "files already formatted", "mine"]) {
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert_eq!(ran.code, code, "{ran}");
        assert_eq!(said.contains("cannot read shut: permission denied"), told, "{ran}");
        assert!(said.contains(files), "{ran}");
    }
}

/// A problem is checked with each of its solvers and on its own. Its error is reported once, and stays with its file.
#[test]
fn an_error_of_a_problem_is_reported_once() {
    let problem = b"problem Work\noutput out0 : Int\nfinally told: forall p: p.out0 > y\n";
    let solver = b"algorithm solver solves Work\nassumes unidirectional ring\nstate s\n  out0 := 1\n  halt\n";
    let here = folder("said_once", &[("one.syn", solver), ("two.syn", solver), ("work.syn", problem)]);
    let ran = synod_in(&here, &["check", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(report["errors"], 1, "{ran}");
    assert_eq!(report["files"][2]["diagnostics"][0]["place"]["file"], "work.syn", "{ran}");
    let ran = synod_in(&here, &["check", "one.syn", "two.syn", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(report["errors"], 1, "{ran}");
    assert_eq!(report["files"][0]["diagnostics"][0]["place"]["file"], "work.syn", "{ran}");
}

/// Weights that a file gives are shown; drawn ones depend on the seed of a run.
#[test]
fn given_weights_are_shown() {
    let here = folder("weights", &[("net.txt", b"a b 3\nb c 5\nc a 2\n"), ("plain.txt", b"a b\nb c\n")]);
    let ran = synod_in(&here, &["topology", "show", "net.txt"]);
    assert!(ran.stdout.contains("\na         1  0 \u{2194} b weight 3, 1 \u{2194} c weight 2\n"), "{ran}");
    let ran = synod_in(&here, &["topology", "show", "plain.txt", "--json"]);
    assert!(!ran.stdout.contains("weight"), "{ran}");
}
