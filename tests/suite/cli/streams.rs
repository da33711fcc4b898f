//! Output streams, colour, and readers that close early.

use crate::cli::harness::{folder, session, synod, synod_in, synod_with};
use insta::assert_snapshot;
use std::process::{Command, Stdio};

/// A program with an error: the word `staet` begins no clause.
const WRONG: &[u8] = b"algorithm wrong\nassumes ring\n\nstaet s\n";

#[test]
fn results_on_stdout_and_diagnostics_on_stderr() {
    let here = folder("wrong", &[("wrong.syn", WRONG)]);
    let ran = synod_with(&here, &["check", "wrong.syn"], b"", &[]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("SYN00"), "{ran}");
    assert!(ran.stdout.starts_with("1 file checked: "), "{ran}");
}

#[test]
fn no_colour_but_where_it_is_wanted() {
    let here = folder("colour", &[("wrong.syn", WRONG)]);
    let check = |color: &str, env: &[(&str, &str)]| {
        let ran = synod_with(&here, &["check", "wrong.syn", "--color", color], b"", env);
        ran.stderr.contains('\x1b')
    };
    assert!(!check("auto", &[]), "a pipe is no terminal");
    assert!(!check("never", &[]));
    assert!(check("always", &[]));
    assert!(check("always", &[("NO_COLOR", "1")]), "a flag is stronger than the environment");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    // The reading end of the pipe is closed before the command writes its first word.
    for words in [
        &["list"][..],
        &["completions", "bash"],
        &["show", "lelann"],
        &["list", "--json"],
        &["--help"],
        &["--version"],
        &["run", "--help"],
        &["man"],
    ] {
        let (reader, writer) = std::io::pipe().expect("there are pipes");
        drop(reader);
        let output = Command::new(env!("CARGO_BIN_EXE_synod"))
            .args(words)
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .expect("the binary has been built");
        assert_eq!(output.status.code(), Some(0), "{words:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{words:?}");
    }
}

/// A reader of the first lines only, as in `synod verify … | head -1`, still learns of a finding by the exit code.
#[test]
fn findings_set_the_exit_code_even_if_unread() {
    let voting = ["--on", "complete(2)"];
    for words in [
        [&["verify", "voting"][..], &voting].concat(),
        [&["verify", "voting", "--json"][..], &voting].concat(),
        [&["run", "voting", "--schedule", "random"][..], &voting].concat(),
        [&["run", "voting", "--runs", "3"][..], &voting].concat(),
        [&["measure", "voting", "--n", "2"][..]].concat(),
    ] {
        let code = |stdout: Stdio| {
            let status = Command::new(env!("CARGO_BIN_EXE_synod"))
                .args(&words)
                .stdout(stdout)
                .stderr(Stdio::null())
                .status();
            status.expect("the binary has been built").code()
        };
        let (reader, writer) = std::io::pipe().expect("there are pipes");
        drop(reader);
        assert_eq!((code(Stdio::null()), code(writer.into())), (Some(1), Some(1)), "{words:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    for words in [
        &["list"][..],
        &["--help"],
        &["help", "verify"],
        &["verify", "-h"],
        &["--version"],
        &["completions", "zsh"],
        &["man"],
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has /dev/full");
        let output = Command::new(env!("CARGO_BIN_EXE_synod"))
            .args(words)
            .stdout(full)
            .output()
            .expect("the binary has been built");
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        let told = "error: cannot write to the standard output: no space left on device\n";
        assert_eq!(stderr, told, "{words:?}");
    }
}

#[test]
fn quiet_says_nothing_when_all_is_fine() {
    let ran = synod(&["check", "lelann", "-q"]);
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""));
}

/// Errors are all that `-q` leaves.
#[test]
fn quiet_says_why_something_is_wrong() {
    let relay = |k: &str, then: &str| {
        format!(
            "algorithm relay\nassumes unidirectional ring, unique ids\nmessage Token(k: Int)\nstate s\n  \
             on wakeup -> send Token({k})\n  on Token(k) when k < 3 -> {then}\n"
        )
    };
    let (fine, changed) = (relay("1", "skip"), relay("2", "skip"));
    let (stuck, aborts) = (relay("3", "skip"), relay("1", "send Token(1 div 0)"));
    let here = folder(
        "quiet",
        &[
            ("relay.syn", fine.as_bytes()),
            ("changed.syn", changed.as_bytes()),
            ("stuck.syn", stuck.as_bytes()),
            ("aborts.syn", aborts.as_bytes()),
        ],
    );
    let quiet = |words: &[&str]| synod_in(&here, &[&["-q", "run"], words].concat());
    assert_snapshot!(session([
        quiet(&["relay.syn", "--on", "ring(2)", "--initiators", "1", "--trace", "relay.trace"]),
        quiet(&["changed.syn", "--replay", "relay.trace"]),
        quiet(&["stuck.syn", "--on", "ring(2)", "--initiators", "1"]),
        quiet(&["stuck.syn", "--on", "ring(2)", "--initiators", "1", "--runs", "3"]),
        quiet(&["aborts.syn", "--on", "ring(2)", "--initiators", "1"]),
        synod_in(&here, &["-q", "verify", "stuck.syn", "--on", "ring(2)", "--initiators", "1"]),
        synod_in(&here, &["-q", "verify", "aborts.syn", "--on", "ring(2)", "--initiators", "1"]),
    ]));
}
