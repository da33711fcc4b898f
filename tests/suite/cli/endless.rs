//! Programs whose runs have no end: where `run` stops, and what `verify` says of ends.

use crate::cli::harness::{folder, synod_in};

/// Return a program in which one message goes to and fro forever, with a property.
fn endless(property: &str) -> String {
    format!(
        "algorithm ping
assumes complete, n = 2, one Server
message Ping, Pong
role Server
  state serving
    receive Ping from p
    send Pong to p
role Client
  state calling
    send Ping to Server
    receive Pong
{property}
"
    )
}

/// An endless run ends with its first cycle, whatever its properties are, except where a later configuration may violate one.
#[test]
fn a_cycle_ends_every_run() {
    let last = |property: &str| {
        let text = endless(property);
        let at = folder("endless", &[("ping.syn", text.as_bytes())]);
        let ran = synod_in(&at, &["run", "ping.syn"]);
        ran.stdout.lines().rfind(|line| !line.is_empty()).unwrap_or_default().to_string()
    };
    assert_eq!(last("invariant up: forall p: p.up"), "holds  up  invariant: in all 3 configurations");
    assert!(last("bound few: messages <= 2").starts_with("violated  few  bound: 3, more than 2"));
    assert!(last("finally ended: messages = 7").starts_with("holds  ended  finally: the run never ends"));
    assert!(
        last("invariant few: messages <= 30000").starts_with("violated  few  invariant, at event 30001:")
    );
}

/// An order that the algorithm does not claim does not hide that the run never ends; a requested one is checked on.
#[test]
fn an_order_that_is_not_claimed_does_not_hide_a_cycle() {
    let text = "algorithm circulating solves MutualExclusion without ME3
assumes unidirectional ring, reliable, fifo, one Starter
message Token
var busy, token : Bool
operation enter
  busy := true
  await token
operation exit
  busy := false
on Token -> token := true
when token and not busy -> token := false; send Token
role Starter
  on wakeup -> send Token
role Other
";
    let at = folder("circulating", &[("token.syn", text.as_bytes())]);
    let ran = synod_in(&at, &["run", "token.syn"]);
    assert!(ran.stdout.contains("repeats a cycle after 32 steps: from event 24 on, forever"), "{ran}");
    assert!(ran.stdout.contains("ME2            finally: the run never ends"), "{ran}");
    // The history no longer grows in the cycle.
    let ran = synod_in(&at, &["run", "token.syn", "--property", "ME3"]);
    assert!(ran.stdout.contains("repeats a cycle after 32 steps"), "{ran}");
}

/// A long run without an end is stopped if nothing is pending, also where no cycle is known.
#[test]
fn a_long_run_with_nothing_pending_is_stopped() {
    let text = "algorithm flip
assumes unidirectional ring, anonymous, randomness
message Token
var x : Bool
on wakeup -> send Token
on Token -> x := coin; send Token
invariant up: forall p: p.up
";
    let at = folder("flip", &[("flip.syn", text.as_bytes())]);
    let ran = synod_in(&at, &["run", "flip.syn", "--on", "ring(2)", "-q"]);
    assert!(ran.stdout.contains("settled after 640000 steps"), "{ran}");
}

/// The time of ends is a question of ends: where there are none, the search needs no time, which grows forever.
#[test]
fn the_time_of_ends_without_ends() {
    let properties =
        ["exactly b: time = 7", "finally b: time = 7", "bound b: time >= 7", "bound b: time <= 7 * messages"];
    for property in properties {
        let at = folder("endless_time", &[("ping.syn", endless(property).as_bytes())]);
        for words in [&["verify", "ping.syn"][..], &["verify", "ping.syn", "--property", "b"]] {
            let ran = synod_in(&at, words);
            assert_eq!(ran.code, 0, "{ran}");
            assert!(ran.stdout.contains("holds  no run ends, so properties of ends hold vacuously"), "{ran}");
        }
    }
    // A constant upper limit holds during a run, too.
    let at = folder("endless_time", &[("ping.syn", endless("bound b: time <= 7").as_bytes())]);
    let ran = synod_in(&at, &["verify", "ping.syn"]);
    assert_eq!(ran.code, 1, "{ran}");
}

/// If every start aborts, no property of ends holds vacuously.
#[test]
fn the_time_of_ends_where_every_start_aborts() {
    let text = "algorithm broken
assumes complete, n = 2, anonymous
var x : Int
state s
  x := 1 div x
  halt
exactly b: time = 7
";
    let at = folder("endless_abort", &[("broken.syn", text.as_bytes())]);
    let ran = synod_in(&at, &["verify", "broken.syn", "--keep-going"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stdout.contains("division by zero") && !ran.stdout.contains("vacuously"), "{ran}");
}
