//! Processes that wait for a process that is down.

use crate::cli::harness::{folder, synod, synod_in};

const WAITING: &str = "
algorithm waiting
assumes complete, crashes, one Server
message Ask, Reply
role Server
  var asked : Int
  state s
    on Ask from p -> asked := asked + 1; send Reply to p
role Client
  var answered : Bool
  state waiting
    send Ask to neighbours
    await answered
    become served
  state served
always
  on Reply -> answered := true
  ignore Ask
invariant once: forall p in Server: p.asked <= 1
";

/// A process that waits for one that is down is blocked. The search continues, and an algorithm that waives the property has no
/// finding.
#[test]
fn blocked_by_a_crash() {
    let asking =
        "problem Asking\noutput answered : Bool\nfinally all_answered: forall p with p.up: p.answered\n";
    let solves = ("algorithm waiting", "algorithm waiting solves Asking without all_answered");
    let lenient = WAITING.replace(solves.0, solves.1).replace("  var answered : Bool\n", "");
    let wrong = WAITING.replace("p.asked <= 1", "p.asked <= 0");
    let files =
        [("strict.syn", WAITING), ("lenient.syn", &lenient), ("wrong.syn", &wrong), ("asking.syn", asking)];
    let files = files.map(|(name, text)| (name, text.as_bytes()));
    let here = folder("verify_blocked", &files);
    let verify = |file: &str, more: &[&str]| {
        let words = ["verify", file, "--on", "complete(2)", "--faults", "crash<=1"];
        synod_in(&here, &[&words[..], more].concat())
    };
    let ran = verify("strict.syn", &["--no-diagram", "--trace", "blocked.trace"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stdout.contains("\nsome run is blocked by a crash; all properties hold"), "{ran}");
    let why = "p0 is down and does not restart; p1 is blocked forever at «await answered»\n";
    assert!(ran.stdout.contains(&format!("\nblocked: {why}")), "{ran}");
    let ran = verify("wrong.syn", &["--no-diagram"]);
    assert!(ran.code == 1 && ran.stdout.contains("\nonce violated"), "the search goes on behind it: {ran}");

    let ran = verify("lenient.syn", &[]);
    assert_eq!(ran.code, 0, "{ran}");
    assert!(
        ran.stdout.contains("; violated, but not claimed: all_answered; some runs are blocked by a crash"),
        "{ran}"
    );
    let ran = verify("lenient.syn", &["--property", "once"]);
    assert!(ran.code == 0 && ran.stdout.contains("; some runs are blocked by a crash"), "{ran}");
    let ran = verify("lenient.syn", &["--json"]);
    assert!(
        ran.stdout.contains("\"given_up\":true") && ran.stdout.contains("\"verdict\":\"holds\""),
        "{ran}"
    );

    // Single runs report the same.
    let ran = synod_in(&here, &["run", "strict.syn", "--replay", "blocked.trace"]);
    assert!(ran.code == 1 && ran.stdout.contains("\n  p0 is down and does not restart\n"), "{ran}");
    let blocked = (1..50).find_map(|seed| {
        let seed = seed.to_string();
        let words =
            ["run", "lenient.syn", "--on", "complete(2)", "--faults", "crash<=1", "--seed", &seed, "--json"];
        let ran = synod_in(&here, &words);
        ran.stdout.contains("\"outcome\":\"stuck\"").then_some(ran)
    });
    let blocked = blocked.expect("some run is blocked");
    assert!(
        blocked.code == 0 && blocked.stdout.contains("\"blocked\":{\"down\":[0],\"given_up\":true}"),
        "{blocked}"
    );
    let words = ["run", "lenient.syn", "--on", "complete(2)", "--faults", "crash<=1", "--runs", "50"];
    let many = synod_in(&here, &words);
    assert!(many.code == 0 && many.stdout.contains(" waived  "), "{many}");
    assert!(!many.stdout.contains("stuck or aborted"), "{many}");
    let many = synod_in(&here, &[&["run", "strict.syn"], &words[2..]].concat());
    assert!(many.code == 1 && many.stdout.contains("stuck or aborted"), "{many}");
}

/// Two-phase commit blocks: this is known, waived, and not a finding; all claimed properties are also checked with crashes.
#[test]
fn two_phase_commit_with_a_crash() {
    let ran = synod(&["verify", "two_phase_commit", "--on", "star(2)", "--faults", "crash<=1"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert!(ran.stdout.contains("all claimed properties hold under every schedule"), "{ran}");
    assert!(ran.stdout.contains("; violated, but not claimed: non_blocking; some runs are blocked"), "{ran}");
}
