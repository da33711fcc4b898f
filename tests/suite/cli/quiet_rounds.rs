//! Rounds without steps, and a process that wakes in one of them.

use crate::cli::harness::{folder, synod_in, synod_with};

const MEETING: &str = "
algorithm meeting
assumes complete, synchronous, spontaneous start, unique ids, one Clock
message Hello, Go
var met : Bool
role Clock
  state s
    if after 6 -> send Go to neighbours fi
    round
    halt
role Sleeper
  state t
    on wakeup -> become u
  state u
    if after 3 -> send Hello to neighbours fi
    become w
  state w
    round
    if arrived Go -> met := true [] otherwise -> skip fi
    halt
invariant never: forall p in Sleeper: not p.met
scenario in_round_four on complete(2)
  at 3
  expect rounds = 3
  wake p1
  at 7
  expect p1.met
  expect never violated
";

/// A wake-up in a quiet round is found by verification and by random runs, explained, replayed, and exported as a scenario.
#[test]
fn a_wake_up_in_a_quiet_round_is_found_and_replayed() {
    let here = folder("quiet_rounds", &[("meeting.syn", MEETING.as_bytes())]);
    let words = [
        "verify",
        "meeting.syn",
        "--on",
        "complete(2)",
        "--trace",
        "met.trace",
        "--save-scenario",
        "found.txt",
    ];
    let verified = synod_in(&here, &words);
    assert_eq!(verified.code, 1, "{verified}");
    assert!(verified.stdout.contains("3 rounds pass"), "{verified}");
    let replayed = synod_in(&here, &["run", "meeting.syn", "--replay", "met.trace"]);
    assert!(replayed.stdout.contains("3 rounds pass"), "{replayed}");
    assert!(replayed.stdout.contains("met=true"), "{replayed}");
    // Its band in the picture is too narrow for the text.
    let drawn = synod_in(&here, &["draw", "met.trace", "--to", "svg"]);
    assert!(drawn.stdout.contains("<title>3 rounds pass</title>+3</text>"), "{drawn}");
    let page = synod_in(&here, &["draw", "met.trace", "--to", "html"]);
    assert!(page.stdout.contains("\"3 rounds pass\",\"+3\""), "{page}");
    // The scenario of the file, and the saved one.
    let saved = std::fs::read_to_string(here.join("found.txt")).unwrap();
    std::fs::write(here.join("meeting.syn"), format!("{MEETING}\n{saved}")).unwrap();
    let tested = synod_in(&here, &["test", "meeting.syn"]);
    assert!(tested.code == 0 && tested.stdout.contains("2 of 2 scenarios passed"), "{tested}");
    let words =
        ["run", "meeting.syn", "--on", "complete(2)", "--schedule", "random", "--runs", "100", "--json"];
    let many = synod_in(&here, &words);
    assert_eq!(many.code, 1, "{many}");
}

/// A process that may wake in any of a million quiet rounds wakes in some of them. Events just before a deadline are found, and
/// properties that were not decided are not reported to hold.
#[test]
fn a_million_quiet_rounds_are_not_enumerated() {
    let late = MEETING.replace("after 6", "after 1000000");
    let early = late.replace("p.met", "p.early");
    let early = early.replace("var met : Bool", "var met, early : Bool");
    let files = [("late.syn", late.as_bytes()), ("early.syn", early.as_bytes())];
    let here = folder("many_quiet_rounds", &files);
    let found = synod_in(&here, &["verify", "late.syn", "--on", "complete(3)", "--no-diagram"]);
    assert_eq!(found.code, 1, "{found}");
    assert!(found.stdout.contains("999997 rounds pass"), "{found}");
    let open = synod_in(&here, &["verify", "early.syn", "--on", "complete(3)"]);
    assert_eq!(open.code, 3, "{open}");
    let why = "search incomplete: more than 10000 delays or numbers of quiet rounds are possible before some step; only the 100 shortest and the 100 longest were explored";
    assert!(open.stdout.contains(why), "{open}");
    assert!(open.stdout.contains("never  invariant  pending"), "{open}");
    let listed = synod_with(&here, &["repl", "late.syn", "--on", "complete(2)"], b".step 2\n.enabled\n", &[]);
    assert!(listed.stdout.contains("some steps have more than 10000 possible delays"), "{listed}");
}

/// The same with time: a message may be delayed arbitrarily, within a bound too large to enumerate.
#[test]
fn long_delays_are_not_enumerated() {
    let text = "
algorithm slow
assumes complete, unique ids, one Asks, delay <= 1000000000
message M
var got, late : Bool
role Asks
  state s
    send M to neighbours
    halt
role Waits
  state t
    on M -> got := true
    after 999999999 -> late := true; become u
  state u
    on M -> got := true
invariant in_time: forall p: not (p.late and p.got)
invariant no_third: forall p: p.late or not p.late
";
    let here = folder("long_delays", &[("slow.syn", text.as_bytes())]);
    let found = synod_in(&here, &["verify", "slow.syn", "--on", "complete(2)", "--keep-going"]);
    assert_eq!(found.code, 1, "{found}");
    assert!(found.stdout.contains("in_time   invariant  VIOLATED"), "{found}");
    assert!(found.stdout.contains("no_third  invariant  pending"), "{found}");
}
