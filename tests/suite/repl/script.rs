//! Sessions as transcripts: the commands of `tests/repl/sessions/*.txt`, and the complete output.
//!
//! The first line of a file gives the command line: `// repl lelann --on 'ring(3)'`.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Create a separate folder with the programs of the sessions.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("repl").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder for tests can be written");
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/repl/sessions");
    for entry in std::fs::read_dir(cases).expect("the sessions").map(|e| e.expect("a file").path()) {
        if entry.extension().is_some_and(|ending| ending == "syn") {
            let to = folder.join(entry.file_name().expect("a file has a name"));
            std::fs::copy(&entry, to).expect("the folder for tests can be written");
        }
    }
    folder
}

/// Run a session with both streams in one, as at a terminal; return text and exit code.
fn session(folder: &Path, words: &[&str], commands: &[u8]) -> (String, i32) {
    let (mut reader, writer) = std::io::pipe().expect("a pipe");
    let mut command = Command::new(env!("CARGO_BIN_EXE_synod"));
    command
        .args(words)
        .current_dir(folder)
        .env_remove("NO_COLOR")
        .env_remove("CI")
        .env_remove("HOME")
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .stdout(writer.try_clone().expect("a pipe"))
        .stderr(writer);
    let mut child = command.spawn().expect("the binary has been built");
    drop(command);
    let mut stdin = child.stdin.take().expect("a pipe");
    let commands = commands.to_vec();
    // A session that ends early does not read all of its input.
    let feeding = std::thread::spawn(move || drop(stdin.write_all(&commands)));
    let mut text = Vec::new();
    reader.read_to_end(&mut text).expect("the output can be read");
    feeding.join().expect("the commands are written");
    let code = child.wait().expect("it ends").code().unwrap_or(-1);
    (String::from_utf8(text).expect("the output is UTF-8"), code)
}

/// Split a command line into words, with single quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in line.split('\'').enumerate() {
        match i % 2 {
            1 => words.push(part.to_string()),
            _ => words.extend(part.split_whitespace().map(String::from)),
        }
    }
    words
}

fn play(name: &str) {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/repl/sessions").join(format!("{name}.txt"));
    let text = std::fs::read_to_string(file).expect("the session");
    let first = text.lines().next().and_then(|line| line.strip_prefix("// ")).expect("how it is called");
    let mut words = words(first);
    words.push("--echo".into());
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (shown, code) = session(&folder(name), &words, text.as_bytes());
    insta::with_settings!({ prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, format!("$ synod {first}\n{shown}-- exit {code} --\n"));
    });
}

macro_rules! sessions {
    ($($name:ident)*) => { $(#[test] fn $name() { play(stringify!($name)); })* };
}

sessions! { election clauses settings questions observations branches files rounds faults alone mistakes strict drops models causes orders }

#[test]
fn every_session_is_played() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/repl/sessions");
    let mut names: Vec<String> = std::fs::read_dir(cases)
        .expect("the sessions")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "txt"))
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    names.sort();
    let played = "alone branches causes clauses drops election faults files mistakes models observations orders questions rounds settings strict";
    assert_eq!(names.join(" "), played);
}

#[test]
fn what_is_saved_as_a_scenario_is_a_test() {
    let here = folder("saved");
    let commands = b".step 3\n.run\nvar more : Int := 3\n\n.save kept.syn\n.scenario other.syn\n";
    let (shown, code) = session(&here, &["repl", "two.syn", "--on", "complete(2)"], commands);
    assert_eq!(code, 0, "{shown}");
    for file in ["kept.syn", "other.syn"] {
        let (shown, code) = session(&here, &["test", file], b"");
        assert_eq!(code, 0, "{shown}");
        assert!(shown.contains("1 of 1 scenarios passed") || shown.contains("1 scenario passed"), "{shown}");
    }
}

#[test]
fn every_command_has_its_help_and_does_something() {
    let here = folder("help");
    let (list, code) = session(&here, &["repl", "lelann", "--on", "ring(3)"], b".help\n");
    assert_eq!(code, 0);
    let commands: Vec<&str> =
        list.lines().filter_map(|line| line.trim().strip_prefix('.')?.split_whitespace().next()).collect();
    assert!(commands.len() > 30, "{list}");
    for command in commands {
        let (help, code) = session(&here, &["repl"], format!(".help {command}\n").as_bytes());
        assert_eq!(code, 0, "{help}");
        let example =
            help.lines().find_map(|line| line.trim().strip_prefix("Example: ")).expect("an example");
        assert!(example.starts_with(&format!(".{command}")), "{help}");
        // An example is at least a valid command: its object may not exist.
        let run = format!(".run 4\n{example}\n");
        let (shown, code) = session(&here, &["repl", "lelann", "--on", "ring(3)"], run.as_bytes());
        assert!(matches!(code, 0 | 2), "{example}: {code}\n{shown}");
        assert!(!shown.contains("there is no command"), "{example}\n{shown}");
    }
}

#[test]
fn strange_input_is_answered_and_the_session_goes_on() {
    let here = folder("strange");
    let cases: [&[u8]; 9] = [
        b"\xff\xfe\n1 + 1\n",
        b"p0.\x00\n1 + 1\n",
        b"\n\n\n1 + 1\n",
        b".fire 18446744073709551616\n.goto 99999999999999999999\n.back 5\n1 + 1\n",
        b"((((((\n\n1 + 1\n",
        b"state\n1 + 1\n",
        b".step -1\n.step x\n.trace 9..3\n.why\n.whynot\n.before\n.break\n.watch\n1 + 1\n",
        "∀ p: p.leader ⇒ ⊥\n.why ❄\n1 + 1\n".as_bytes(),
        b"\r\n1 + 1\r\n",
    ];
    for commands in cases {
        let (shown, code) = session(&here, &["repl", "lelann", "--on", "ring(2)"], commands);
        assert!(matches!(code, 0 | 2), "{code}\n{shown}");
        assert!(shown.lines().any(|line| line == "2"), "{}\n{shown}", String::from_utf8_lossy(commands));
        assert!(!shown.contains("bug"), "{shown}");
    }
    // Without an end, and without a line break.
    let long = [vec![b'('; 3 << 20], b"\n1 + 1".to_vec()].concat();
    let (shown, _) = session(&here, &["repl"], &long);
    assert!(shown.ends_with("2\n"), "{shown}");
}

#[test]
fn commands_without_their_dot() {
    let here = folder("without_dot");
    let commands = "\u{feff}?\r\nhelp step\r\nrun 3\r\nquit\r\n1 + 1\r\n";
    let (shown, code) = session(&here, &["repl", "lelann", "--on", "ring(2)"], commands.as_bytes());
    assert_eq!(code, 2, "{shown}");
    assert_eq!(shown.matches(".step [N]").count(), 2, "{shown}");
    assert!(shown.contains("begin with a dot, `run` does not\n  hint: .run 3\n"), "{shown}");
    assert!(!shown.contains('\u{feff}') && !shown.ends_with("2\n"), "{shown}");
}

/// A session keeps the line ends of the file that it replaces.
#[test]
fn programs_keep_their_line_ends() {
    let here = folder("line_ends");
    let program = "algorithm ends\r\nassumes unidirectional ring\r\nvar x := 0\r\nstate s\r\n  halt\r\n";
    std::fs::write(here.join("ends.syn"), program).unwrap();
    let commands = b"var y := 1\ninvariant low: forall p: p.y < 9\n\n.write\n";
    let (shown, code) = session(&here, &["repl", "ends.syn"], commands);
    assert_eq!(code, 0, "{shown}");
    let written = std::fs::read_to_string(here.join("ends.syn")).unwrap();
    assert!(written.contains("var y := 1\r\n") && written.ends_with("\r\n"), "{written:?}");
    assert_eq!(written.matches('\n').count(), written.matches("\r\n").count(), "{written:?}");
}

#[test]
fn a_reader_who_has_seen_enough_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_synod"))
        .args(["repl", "lelann", "--on", "ring(3)"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary has been built");
    drop(child.stdout.take());
    let _ = child.stdin.take().map(|mut pipe| pipe.write_all(b".run\n.state\n"));
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}
