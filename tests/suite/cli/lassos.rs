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

/// A token circulates for ever, and each holder keeps it for a step.
const CIRCULATING: &[u8] = b"
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

/// The verdicts on its properties, which the cycle decides.
const DECIDED: &[&str] = &[
    "violated  visited      eventually: the run repeats a cycle and never satisfies it",
    "violated  never        settles: the run repeats a cycle and never satisfies it: ",
    "holds     quiet        settles: throughout the cycle",
    "violated  idle         settles: the run repeats a cycle and loses it each time: ",
    "holds     back         leads to: the right side followed every time",
    "violated  lost         leads to: the run repeats a cycle and never satisfies the right side",
    "holds     over         finally: the run never ends",
    "violated  few          bound: it grows without bound, by 2 in each cycle",
    "holds     none_at_all  exactly: the run never ends",
];

/// A lasso decides every property: those true throughout the cycle, responses in each repetition, growing counts, and properties
/// of ends.
#[test]
fn a_lasso_decides_pending_properties() {
    let here = folder("lasso_decided", &[("endless.syn", CIRCULATING)]);
    let all = kept(&here, &["endless.syn", "--on", "ring(2)", "--property", "visited"]);
    let run = &all[3];
    assert_eq!(run.code, 1, "{run}");
    assert!(run.stdout.contains("\nrepeats a cycle after "), "{run}");
    assert!(!run.stdout.contains("stopped before") && !run.stdout.contains("pending"), "{run}");
    for said in DECIDED {
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

/// A run that returns to a configuration with the same state of its scheduler is a lasso, under every schedule without draws.
/// Its trace says so, and its replay decides the same.
#[test]
fn a_run_stops_when_it_repeats_a_cycle() {
    let here = folder("lasso_run", &[("endless.syn", CIRCULATING)]);
    let run = |words: &[&str]| synod_in(&here, &[&["run", "endless.syn"], words].concat());
    for schedule in ["fifo", "round-robin", "adversary", "priorities"] {
        let ran = run(&["--on", "ring(2)", "--schedule", schedule, "--trace", "r.trace"]);
        let said = &ran.stdout;
        assert_eq!(ran.code, 1, "{ran}");
        assert!(said.contains("\nrepeats a cycle after 6 steps: from event 2 on, forever\n"), "{ran}");
        assert!(said.contains("the cycle begins here") && !said.contains("pending"), "{ran}");
        for verdict in DECIDED {
            assert!(said.contains(verdict), "{verdict}\n{ran}");
        }
        let again = run(&["--replay", "r.trace"]);
        let said = said.replace("(a small network of the assumed topology; --on chooses another)\n", "");
        assert_eq!((again.code, &again.stdout), (1, &said), "{again}");
        let shown = synod_in(&here, &["trace", "show", "r.trace"]);
        let cycle = "repeats forever from event 2 on (lasso); this violates `visited`";
        assert!(shown.stdout.contains(cycle), "{shown}");
        // A limit that comes later changes nothing, nor does one shortly after the cycle.
        for limit in ["6", "1000000"] {
            let limited = run(&["--on", "ring(2)", "--schedule", schedule, "--max-steps", limit]);
            assert_eq!((limited.code, &limited.stdout), (1, &ran.stdout), "{limited}");
        }
        let shorter = run(&["--on", "ring(2)", "--schedule", schedule, "--max-steps", "5", "-q"]);
        assert!(shorter.code == 3 && shorter.stdout.contains("limit after 5 steps"), "{shorter}");
    }
    // No step of the cycle has an alternative, so a random schedule repeats it, too.
    let random = run(&["--on", "ring(2)", "--schedule", "random", "--max-steps", "1000", "-q"]);
    assert!(random.stdout.contains("repeats a cycle after 6 steps"), "{random}");
    let json = run(&["--on", "ring(2)", "--json"]);
    assert!(json.stdout.contains("\"outcome\":\"settled\",\"repeats_from\":2,"), "{json}");
    let many = run(&["--on", "ring(2)", "--schedule", "fifo", "--runs", "2"]);
    let why = "settled   2 runs  first with seed 1: repeats forever from event 2 on (lasso)";
    assert!(many.code == 1 && many.stdout.contains(why), "{many}");
}

/// Liveness is checked on weakly fair runs: another cycle ends the run, but decides nothing, and its trace claims nothing.
#[test]
fn a_run_that_repeats_an_unfair_cycle_decides_nothing() {
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
    let here = folder("lasso_run_unfair", &[("tokens.syn", text)]);
    let words = ["run", "tokens.syn", "--on", "ring(3)", "--initiators", "1"];
    let fair = synod_in(&here, &words);
    assert!(fair.code == 1 && fair.stdout.contains("repeats a cycle after "), "{fair}");
    let unfair = synod_in(&here, &[&words[..], &["--schedule", "adversary", "--trace", "u.trace"]].concat());
    assert!(unfair.code == 3 && unfair.stdout.contains("pending  visited"), "{unfair}");
    let why = "settled after 7 steps: the run was stopped, since a longer one is unlikely to change a verdict
  repeats forever from event 4 on, but this cycle is not weakly fair: a message from p0 to p1 can always be received, but \
        never is
  liveness is checked on weakly fair runs, so the pending properties are left open
";
    assert!(unfair.stdout.contains(why), "{unfair}");
    let again = synod_in(&here, &["run", "tokens.syn", "--replay", "u.trace", "-q"]);
    assert!(again.code == 3 && again.stdout.contains("pending  visited"), "{again}");
}

/// Numbers drawn from the seed, and counts that a property reads, may differ in each cycle: they are no part of a configuration.
#[test]
fn runs_that_need_not_repeat_a_cycle_go_on() {
    let program = |wakeup: &str, command: &str, more: &str| {
        format!(
            "algorithm rolling\nassumes unidirectional ring, unique ids, randomness\nmessage Token\n\
             var met : 0..3\nstate s\n  on wakeup -> met := {wakeup}; send Token\n  \
             on Token -> met := {command}; send Token\neventually marked: some p: p.met = 3\n{more}"
        )
    };
    let before = program("random(0..2)", "1", "");
    let within = program("1", "random(0..2)", "");
    let counted = program("1", "2", "invariant few: messages <= 12000\n");
    let bounded = program("1", "2", "bound long: time <= 100000000\nbound few: messages <= 9\n");
    let files = [("before.syn", &before), ("within.syn", &within), ("counted.syn", &counted)];
    let files = files.into_iter().chain([("bounded.syn", &bounded)]);
    let files: Vec<(&str, &[u8])> = files.map(|(name, text)| (name, text.as_bytes())).collect();
    let here = folder("lasso_run_draws", &files);
    let run = |file: &str| {
        synod_in(&here, &["run", file, "--on", "ring(3)", "--initiators", "1", "--max-steps", "20000", "-q"])
    };
    let before = run("before.syn");
    assert!(before.code == 1 && before.stdout.contains("repeats a cycle after 9 steps"), "{before}");
    let within = run("within.syn");
    assert!(within.code == 3 && within.stdout.contains("limit after 20000 steps"), "{within}");
    // The invariant is violated in a later repetition.
    let counted = run("counted.syn");
    assert!(counted.code == 1 && counted.stdout.contains("violated  few"), "{counted}");
    assert!(counted.stdout.contains("limit after 20000 steps"), "{counted}");
    // Messages are counted in each repetition alike; causal chains need not grow in each.
    let bounded = run("bounded.syn");
    assert!(bounded.stdout.contains("it grows without bound, by 3 in each cycle"), "{bounded}");
    assert!(bounded.code == 1 && bounded.stdout.contains("pending  long  bound: "), "{bounded}");
}
