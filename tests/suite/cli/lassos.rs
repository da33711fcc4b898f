//! Runs that repeat a cycle (lassos), kept and shown again.

use crate::cli::harness::{Ran, folder, synod_in};
use crate::cli::measure::ENDLESS;
use crate::cli::verify::RESTLESS;
use std::path::PathBuf;

/// Verify a program, keep the findings, and return the output of all subcommands that take traces.
fn kept(here: &PathBuf, words: &[&str]) -> Vec<Ran> {
    let verified = synod_in(here, &[&["verify"][..], words, &["--trace", "la.trace"]].concat());
    assert!(verified.code == 1 && verified.stdout.contains("repeats forever from event"), "{verified}");
    vec![
        synod_in(here, &["trace", "show", "la.trace"]),
        synod_in(here, &["draw", "la.trace"]),
        synod_in(here, &["trace", "replay", "la.trace", "--program", words[0]]),
        synod_in(here, &["run", words[0], "--replay", "la.trace"]),
    ]
}

#[test]
fn a_ring_with_too_few_states() {
    let here = folder("lasso_ring", &[("kring.syn", ENDLESS)]);
    let words =
        ["kring.syn", "--on", "ring(3)", "--set", "k=2", "--daemon", "synchronous", "--property", "one"];
    let all = kept(&here, &words);
    for ran in [&all[0], &all[1]] {
        assert!(ran.code == 0 && ran.stdout.contains("(lasso); this violates `one`"), "{ran}");
    }
    let run = &all[3];
    assert!(run.code == 1 && run.stdout.contains("violated  one"), "{run}");
    assert!(run.stdout.contains("the run repeats a cycle and never satisfies it: "), "{run}");
    assert!(
        all[1].stdout.contains("repeats from event ") && !all[1].stdout.contains("continues"),
        "{}",
        all[1]
    );
    // Rewritten, it is the same in either form, and for other tools.
    let text = std::fs::read_to_string(here.join("la.trace")).unwrap();
    let lines = synod_in(&here, &["trace", "convert", "la.trace", "--to", "jsonl"]);
    assert!(
        lines.stdout.contains("\"repeats_from\":") && lines.stdout.contains("\"violates\":\"one\""),
        "{lines}"
    );
    std::fs::write(here.join("la.jsonl"), &lines.stdout).unwrap();
    let back = synod_in(&here, &["trace", "convert", "la.jsonl", "--to", "text"]);
    assert_eq!(back.stdout, text);
    let itf = synod_in(&here, &["trace", "convert", "la.trace", "--to", "itf"]);
    assert!(itf.stdout.contains("\"loop\":"), "{itf}");
}

/// A trace that claims to repeat a cycle must be right.
#[test]
fn unfair_cycles_are_rejected() {
    let text = b"algorithm two_tokens
assumes bidirectional ring, unique ids

message Token, Other
var visits : 0..1

state s
  on wakeup -> send Token to right; send Other to left
  on Token  -> send Token to right
  on Other  -> send Other to left

eventually visited: some p: p.visits = 1
";
    let here = folder("lasso_unfair", &[("tokens.syn", text)]);
    let all = kept(&here, &["tokens.syn", "--on", "ring(3)", "--initiators", "1"]);
    assert_eq!(all[3].code, 1, "{}", all[3]);
    let refused = |name: &str, text: &str, why: &str| {
        std::fs::write(here.join(name), text).unwrap();
        let words: [&[&str]; 2] =
            [&["run", "tokens.syn", "--replay", name], &["trace", "replay", name, "--program", "tokens.syn"]];
        for words in words {
            let ran = synod_in(&here, words);
            assert!(
                ran.code == 2 && ran.stderr.contains(&format!("error: {name} claims that its run {why}\n")),
                "{ran}"
            );
        }
    };
    let text = std::fs::read_to_string(here.join("la.trace")).unwrap();
    refused(
        "open.trace",
        &text.replace("from event 4", "from event 5"),
        "repeats from event 5, but the last event does not lead back to the configuration before that event",
    );
    // One message circulates, and the other stays in its channel.
    let one_only = (1..200).find_map(|seed| {
        let seed = seed.to_string();
        let words = [
            "run",
            "tokens.syn",
            "--on",
            "ring(3)",
            "--initiators",
            "1",
            "--schedule",
            "random",
            "--seed",
            &seed,
        ];
        synod_in(&here, &[&words[..], &["--max-steps", "7", "--trace", "short.trace", "-q"]].concat());
        let text = std::fs::read_to_string(here.join("short.trace")).unwrap();
        (text.matches("on Token").count() == 3).then_some(text)
    });
    refused(
        "unfair.trace",
        &one_only.unwrap().replace("\ninitial     p0", "\nrepeats     from event 4\ninitial     p0"),
        "repeats from event 4, but this cycle is not weakly fair: a message from p0 to p2 can always be received, but never \
         is",
    );
}

#[test]
fn circulating_messages() {
    let here = folder("lasso_messages", &[("restless.syn", RESTLESS)]);
    let all = kept(&here, &["restless.syn", "--on", "ring(2)", "--initiators", "1"]);
    assert!(all[0].stdout.contains("this violates `visited`"), "{}", all[0]);
    assert!(
        all[3].code == 1 && all[3].stdout.contains("the run repeats a cycle and never satisfies it"),
        "{}",
        all[3]
    );
    let said = &all[3].stdout;
    assert!(said.contains("\nrepeats a cycle after 5 steps: from event 3 on, forever\n"), "{}", all[3]);
    assert!(!said.contains("stopped before its end") && !said.contains("limit"), "{}", all[3]);
}

/// A lasso decides every property: those true throughout the cycle, responses in each repetition, growing counts, and properties
/// of ends.
#[test]
fn a_lasso_decides_pending_properties() {
    let text = b"
algorithm endless
assumes unidirectional ring, unique ids, integer ids
message Token
var visits : 0..1
var begun, holds : Bool
state s
  if int(id) = 1 and not begun -> begun := true; send Token
  [] otherwise                 -> skip
  fi
  receive Token
  holds := true
  pause
  holds := false
  send Token
eventually visited: some p: p.visits = 1
settles never: some p: p.visits = 1
settles quiet: forall p: p.visits = 0
settles idle: forall p: not p.holds
leads back: (some p: p.holds) leads to (forall p: not p.holds)
leads lost: (some p: p.holds) leads to (some p: p.visits = 1)
finally over: forall p: p.halted
bound few: messages <= 100
exactly none_at_all: messages = 0
";
    let here = folder("lasso_decided", &[("endless.syn", text)]);
    let all = kept(&here, &["endless.syn", "--on", "ring(2)", "--property", "visited"]);
    let run = &all[3];
    assert_eq!(run.code, 1, "{run}");
    assert!(run.stdout.contains("\nrepeats a cycle after "), "{run}");
    assert!(!run.stdout.contains("stopped before") && !run.stdout.contains("pending"), "{run}");
    for said in [
        "violated  visited      eventually: the run repeats a cycle and never satisfies it",
        "violated  never        settles: the run repeats a cycle and never satisfies it: ",
        "holds     quiet        settles: throughout the cycle",
        "violated  idle         settles: the run repeats a cycle and loses it each time: ",
        "holds     back         leads to: the right side followed every time",
        "violated  lost         leads to: the run repeats a cycle and never satisfies the right side",
        "holds     over         finally: the run never ends",
        "violated  few          bound: it grows without bound, by 2 in each cycle",
        "holds     none_at_all  exactly: the run never ends",
    ] {
        assert!(run.stdout.contains(said), "{said}\n{run}");
    }
    let json = synod_in(&here, &["run", "endless.syn", "--replay", "la.trace", "--json"]);
    assert!(json.stdout.contains("\"outcome\":\"settled\",\"repeats_from\":"), "{json}");
    let quiet = synod_in(&here, &["run", "endless.syn", "--replay", "la.trace", "--property", "quiet"]);
    assert_eq!(quiet.code, 0, "{quiet}");
}

/// Values of variables before the processes have started do not count.
#[test]
fn initial_values_before_the_start_do_not_count() {
    let still = "algorithm still
assumes complete, synchronous, integer ids
var x : 0..2 := int(id) mod 3
state s
  round
eventually e: forall p: p.x != 1
";
    let here = folder("lasso_still", &[("still.syn", still.as_bytes())]);
    let all = kept(&here, &["still.syn", "--on", "complete(2)"]);
    assert!(all[3].code == 1 && all[3].stdout.contains("violated  e"), "{}", all[3]);
}
