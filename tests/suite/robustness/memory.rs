//! Runs that take any amount of memory end with a message and the exit code of a limit.
#![cfg(target_os = "linux")]

use crate::cli::harness::folder;
use std::process::{Command, Output};
use synod::internals::cli::memory::of_status;

/// Each process doubles every list that it receives, and the number of lists.
const DOUBLING: &str = "algorithm doubling
assumes unidirectional ring, anonymous
message M(l: list of Int)
state s
  on wakeup -> send M([1]) to next
  on M(l) -> send M(l + l) to next; send M(l + l) to next

scenario both on ring(2)
  expect outcome terminated
";

/// Runs a command in an address space of 1.6 GB, so that the limit is half of that.
fn confined(name: &str, words: &str, input: &str) -> Output {
    let here = folder(name, &[("doubling.syn", DOUBLING.as_bytes()), ("input", input.as_bytes())]);
    let command = format!("ulimit -v 1600000; exec {} {words} < input", env!("CARGO_BIN_EXE_synod"));
    Command::new("sh").args(["-c", &command]).current_dir(here).output().expect("there is a shell")
}

#[test]
fn the_memory_of_a_run_has_a_limit() {
    for (name, words, input) in [
        ("memory_run", "run doubling --on 'ring(2)'", ""),
        ("memory_test", "test doubling.syn", ""),
        ("memory_measure", "measure doubling --n 2 -j 1", ""),
        ("memory_draw", "draw doubling --on 'ring(2)'", ""),
        ("memory_repl", "repl doubling --on 'ring(2)'", ".run\n"),
    ] {
        let ran = confined(name, words, input);
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.status.code(), Some(3), "{words}: {said}");
        assert!(
            said.contains("error: memory limit reached: 819 MB\n  hint: messages in transit or values grow"),
            "{words}: {said}"
        );
    }
}

#[test]
fn lines_of_the_status_are_parsed() {
    let status = "VmPeak:\t  300 kB\nVmHWM:\t   21000 kB\nVmRSS:\t   19000 kB\nThreads:\t1\n";
    assert_eq!(of_status(status, "VmRSS:"), Some(19_456_000));
    assert_eq!(of_status(status, "VmHWM:"), Some(21_504_000));
    assert_eq!(of_status("Threads:\t1\n", "VmRSS:"), None);
}
