//! A long verification: its progress at a terminal, and its report after an interrupt.

use crate::cli::harness::{folder, synod_in};
use crate::screen::Screen;
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// A number that grows forever: there are infinitely many configurations.
const ENDLESS: &str = "\
algorithm endless
assumes unidirectional ring, unordered

message Number(k: Int)

var seen : Int

state s
  send Number(0) to next
  do receive Number(k) -> seen := k; send Number(k + 1) to next od

invariant small: forall p: p.seen >= 0
eventually far: some p: p.seen > 2
";

/// A violation after some time, so that there is a finding when the interrupt comes.
const SPOILT: &str = "invariant modest: forall p: p.seen < 3\n";

fn start(name: &str, text: &str, words: &[&str]) -> Child {
    let here = folder(name, &[("endless.syn", text.as_bytes())]);
    Command::new(env!("CARGO_BIN_EXE_synod"))
        .args(["verify", "endless.syn", "--on", "ring(3)"])
        .args(words)
        .current_dir(here)
        .env_remove("CI")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary has been built")
}

/// Interrupt a command once it handles interrupts. `None`: this cannot be determined here.
fn interrupted(child: Child) -> Option<Output> {
    signalled("-INT", child, Duration::from_millis(500))
}

/// Send a signal to a command, some time after it begins to handle interrupts.
fn signalled(signal: &str, child: Child, after: Duration) -> Option<Output> {
    let status = format!("/proc/{}/status", child.id());
    if !Path::new(&status).exists() {
        eprintln!("skipped: there is no /proc here to look at signals");
        return None;
    }
    let listens = || {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0").trim();
        u64::from_str_radix(caught, 16).is_ok_and(|set| set & (1 << (2 - 1)) != 0)
    };
    for _ in 0..600 {
        if listens() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    std::thread::sleep(after);
    let killed = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(killed.expect("there is kill").success());
    Some(child.wait_with_output().expect("the command ends"))
}

#[test]
fn an_interrupt_ends_the_search_with_a_report() {
    let Some(output) = interrupted(start("interrupt_json", ENDLESS, &["--json"])) else { return };
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let body: Value = serde_json::from_slice(&output.stdout).expect("all of the JSON is there");
    assert_eq!(body["verdict"], "limit");
    assert_eq!(body["cut"], "interrupted");
    assert!(body["configurations"].as_u64() > Some(100), "{body}");
    for property in body["properties"].as_array().unwrap() {
        assert_eq!(property["verdict"], "pending", "{property}");
    }

    let Some(output) = interrupted(start("interrupt_text", ENDLESS, &[])) else { return };
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("no violation so far, search incomplete: interrupted"), "{text}");
    // The output is not a terminal: there is no progress display.
    assert!(!String::from_utf8(output.stderr).unwrap().contains("frontier"));
}

/// `timeout` and other programs that terminate processes from outside.
#[test]
fn termination_from_outside_is_an_interrupt() {
    let Some(output) =
        signalled("-TERM", start("terminated", ENDLESS, &["--json"]), Duration::from_millis(500))
    else {
        return;
    };
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let body: Value = serde_json::from_slice(&output.stdout).expect("all of the JSON is there");
    assert_eq!(body["cut"], "interrupted");
}

/// An interrupt while the default network is sought: a smaller network is not reported as if it were the default.
#[test]
fn an_interrupt_ends_the_search_for_a_default_network() {
    let text =
        ENDLESS.replace("unidirectional ring, unordered", "unidirectional ring, unordered, knows n").replace(
            "send Number(k + 1) to next",
            "if n > 2 or k < 100 -> send Number(k + 1) to next [] otherwise -> skip fi",
        );
    let mut last = None;
    // The first search, of the default network alone, takes a second or two; that of the smaller ones much longer.
    for seconds in [2, 4, 8, 16, 32] {
        let here = folder("interrupt_default", &[("endless.syn", text.as_bytes())]);
        let child = Command::new(env!("CARGO_BIN_EXE_synod"))
            .args(["verify", "endless.syn", "--property", "small"])
            .current_dir(here)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary has been built");
        let Some(output) = signalled("-INT", child, Duration::from_secs(seconds)) else { return };
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        if text.contains("(interrupted before the largest network up to ring(") {
            assert!(text.contains("search for the default network interrupted"), "{text}");
            return;
        }
        last = Some(text);
    }
    panic!("no interrupt met the search for a network: {last:?}");
}

#[test]
fn an_interrupt_keeps_violations() {
    let text = format!("{ENDLESS}{SPOILT}");
    let Some(output) = interrupted(start("interrupt_violated", &text, &["--keep-going"])) else { return };
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("modest violated; search incomplete: interrupted"), "{text}");
}

/// While messages are held, timers send more and more, so that each step of the scenario takes longer.
const SENDING: &str = "\
algorithm sending
assumes complete, unique ids, knows peers, unordered, timers
message B
var x : Int
state s
  send B to everybody
  if receive B -> skip
  [] after 3   -> x := x + 1
  fi
always
  ignore B
invariant i: not (some p: p.x = 1)
";

/// Playing a scenario has a work limit: the scenario that holds messages exceeds it, and the next one is saved.
#[test]
fn a_scenario_that_exceeds_the_work_limit_is_abandoned() {
    let here = folder("scenario_work", &[("sending.syn", SENDING.as_bytes())]);
    let words = ["verify", "sending.syn", "--on", "complete(2)", "--save-scenario", "found.syn", "-q"];
    let begun = std::time::Instant::now();
    let ran = synod_in(&here, &words);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(begun.elapsed() < Duration::from_secs(300), "{ran}");
    let text = std::fs::read_to_string(here.join("found.syn")).unwrap_or_else(|_| panic!("{ran}"));
    assert!(text.contains("with schedule told") && text.contains("expire p0"), "{text}");
}

/// SIGTERM also ends the search for a scenario.
#[test]
fn sigterm_ends_the_search_for_a_scenario() {
    let words = ["--save-scenario", "-", "--keep-going", "--max-configurations", "20"];
    let text = SENDING.replace("sending", "endless");
    let Some(output) = signalled("-TERM", start("scenario_ended", &text, &words), Duration::from_millis(500))
    else {
        return;
    };
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[test]
fn progress_at_a_terminal() {
    let Some(screen) = Screen::open("verify-progress", &[("endless.syn", ENDLESS)]) else {
        eprintln!("skipped: there is no tmux here to lend a terminal");
        return;
    };
    screen.typed(&format!("'{}' verify endless.syn --on 'ring(3)'", env!("CARGO_BIN_EXE_synod")));
    let is_progress = |line: &str| {
        ["configurations", "depth", "frontier", "/s", " MB"].iter().all(|part| line.contains(part))
    };
    let line = |shown: &str| shown.lines().last().unwrap_or_default().to_string();
    let first = line(&screen.until("progress", |shown| is_progress(&line(shown))));
    // It continues in the foreground.
    let shown = screen.until("more of it", |shown| is_progress(&line(shown)) && line(shown) != first);
    assert_eq!(shown.lines().filter(|line| is_progress(line)).count(), 1, "{shown}");
    screen.keys(&["C-c"]);
    let shown = screen.until("the shell", |shown| shown.ends_with('$'));
    assert!(shown.contains("search incomplete: interrupted"), "{shown}");
    assert!(!shown.contains("frontier"), "the progress is gone: {shown}");
    screen.typed("echo code $?");
    screen.has("code 3");

    // In a window too narrow for it, the line is truncated, and leaves nothing behind.
    screen.typed("clear; stty cols 40");
    screen.typed(&format!(
        "COLUMNS= '{}' verify endless.syn --on 'ring(3)' --timeout 3s",
        env!("CARGO_BIN_EXE_synod")
    ));
    let shown = screen.until("the end", |shown| shown.contains("time limit reached"));
    assert!(!shown.contains("frontier"), "{shown}");
}
