//! Rounds in which nobody goes on, where somebody wakes in one of them.

use crate::harness::{folder, synod_in};

const MEETING: &str = "
algorithm meeting
assumes complete, synchronous, spontaneous start, unique ids, one Clock
message Hello, Go
var met : Bool
process Clock
  state s
    if after 6 -> send Go to neighbours fi
    round
    halt
process Sleeper
  state t
    on wakeup -> become u
  state u
    if after 3 -> send Hello to neighbours fi
    become w
  state w
    round
    if Go in received -> met := true [] otherwise -> skip fi
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

/// Found by verifying and by random runs, told, replayed, and told as a scenario.
#[test]
fn a_wake_up_in_a_quiet_round_is_found_told_and_replayed() {
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
    // The one of the file, and the one saved.
    let saved = std::fs::read_to_string(here.join("found.txt")).unwrap();
    std::fs::write(here.join("meeting.syn"), format!("{MEETING}\n{saved}")).unwrap();
    let tested = synod_in(&here, &["test", "meeting.syn"]);
    assert!(tested.code == 0 && tested.stdout.contains("2 of 2 scenarios passed"), "{tested}");
    let words =
        ["run", "meeting.syn", "--on", "complete(2)", "--schedule", "random", "--runs", "100", "--json"];
    let many = synod_in(&here, &words);
    assert_eq!(many.code, 1, "{many}");
}
