//! `synod trace history`, `before`, `cut`, `cuts`, `reach`, `order`, `possibly`, `definitely`, `diff`.

use crate::cli::harness::{Ran, folder, session, synod_in};
use insta::assert_snapshot;
use std::path::PathBuf;

/// Return a folder with a run of the example whose history is that of the figure with *possibly* and *definitely*.
fn two_counters(name: &str) -> PathBuf {
    let path = format!("{}/examples/histories/two_counters.syn", env!("CARGO_MANIFEST_DIR"));
    let here = folder(name, &[("two_counters.syn", &std::fs::read(path).expect("the example is there"))]);
    assert_eq!(record(&here, "two_counters.syn", "star(1)", "t.trace", &[]).code, 0);
    here
}

fn record(here: &PathBuf, program: &str, on: &str, trace: &str, more: &[&str]) -> Ran {
    synod_in(here, &[&["run", program, "--on", on, "-q", "--trace", trace], more].concat())
}

fn trace(here: &PathBuf, words: &[&str]) -> Ran {
    synod_in(here, &[&["trace"], words].concat())
}

#[test]
fn histories_and_happened_before() {
    let here = two_counters("histories");
    assert_snapshot!(session([
        trace(&here, &["history", "t.trace"]),
        trace(&here, &["before", "t.trace", "p0:1", "p1:3"]),
        trace(&here, &["before", "t.trace", "8", "p1:1", "--ascii"]),
        trace(&here, &["before", "t.trace", "e5", "6"]),
        trace(&here, &["before", "t.trace", "5", "p0:3"]),
    ]));
}

#[test]
fn cuts_and_their_states() {
    let here = two_counters("cuts");
    assert_snapshot!(session([
        trace(&here, &["cut", "t.trace", "3,1"]),
        trace(&here, &["cut", "t.trace", "e2,e7"]),
        trace(&here, &["cut", "t.trace", "p1:2", "--ascii", "--no-diagram"]),
        trace(&here, &["cut", "t.trace", "none", "--no-diagram"]),
        trace(&here, &["cuts", "t.trace", "--list"]),
        trace(&here, &["cuts", "t.trace", "--list", "5"]),
        trace(&here, &["reach", "t.trace", "2,0", "3,2"]),
        trace(&here, &["reach", "t.trace", "2,1", "3,0"]),
        trace(&here, &["reach", "t.trace", "2,0", "4,0"]),
        trace(&here, &["order", "t.trace", "2,3,4,6,5,7,8"]),
        trace(&here, &["order", "t.trace", "2 4 3 6 5 7 8"]),
        trace(&here, &["order", "t.trace", "3,2,4,6,5,7,8"]),
    ]));
}

#[test]
fn conditions_on_all_observations() {
    let here = two_counters("observations");
    assert_snapshot!(session([
        trace(&here, &["possibly", "t.trace", "p0.x = 105 and p1.x = 90"]),
        trace(&here, &["possibly", "t.trace", "p0.x = 105 and p1.x = 90", "--lattice", "--no-diagram"]),
        trace(&here, &["possibly", "t.trace", "forall p: p.x > 95", "--no-diagram"]),
        trace(&here, &["possibly", "t.trace", "p0.x > 105"]),
        trace(&here, &["definitely", "t.trace", "abs(p0.x - p1.x) > 50"]),
        trace(&here, &["definitely", "t.trace", "p0.x = 100 and p1.x = 90"]),
        trace(&here, &["definitely", "t.trace", "p0.x = 105 and p1.x = 90"]),
        trace(&here, &["definitely", "t.trace", "p0.x = p1.x", "--max-cuts", "0"]),
    ]));
}

/// A recorded run that avoids a condition is detected under any limit; another run is searched for only if its cuts fit the
/// limit.
#[test]
fn no_search_beyond_the_limit() {
    let here = two_counters("avoiding");
    let asked = |condition: &str, limit: &str| {
        trace(&here, &["definitely", "t.trace", condition, "--max-cuts", limit, "--no-diagram"])
    };
    let recorded = asked("p0.x = 100 and p1.x = 90", "3");
    assert!(recorded.stdout.contains("this one, for example"), "{recorded}");
    let other = "p0.x = 105 and p1.x = 95";
    let found = asked(other, "10");
    assert!(found.stdout.contains("10 consistent cuts examined"), "{found}");
    let none = asked(other, "3");
    assert_eq!(none.code, 0, "{none}");
    assert!(none.stdout.contains("none is shown, the search would take too long"), "{none}");
}

#[test]
fn what_cannot_be_asked() {
    let here = two_counters("unasked");
    record(&here, "flooding", "ring(3)", "rounds.trace", &[]);
    record(&here, "k_state_ring", "ring(3)", "reading.trace", &["--max-steps", "20"]);
    record(&here, "lelann_regeneration", "ring(3)", "time.trace", &["--max-steps", "20"]);
    assert_snapshot!(session([
        trace(&here, &["cuts", "rounds.trace"]),
        trace(&here, &["cut", "reading.trace", "1,1,1"]),
        trace(&here, &["possibly", "time.trace", "p0.halted"]),
        trace(&here, &["before", "reading.trace", "3", "4"]),
        trace(&here, &["history", "rounds.trace", "p1"]),
        trace(&here, &["before", "t.trace", "0", "5"]),
        trace(&here, &["before", "t.trace", "99", "p0:9"]),
        trace(&here, &["before", "t.trace", "first", "p0:1"]),
        trace(&here, &["cut", "t.trace", "1,2,3"]),
        trace(&here, &["cut", "t.trace", "5,0"]),
        trace(&here, &["cut", "t.trace", "p7:1"]),
        trace(&here, &["history", "t.trace", "p2"]),
        trace(&here, &["possibly", "t.trace", "p0.y = 1"]),
        trace(&here, &["possibly", "t.trace", "p0.x"]),
        trace(&here, &["possibly", "t.trace", "rounds = 1"]),
        trace(&here, &["possibly", "t.trace", "p0.x div (p1.x - p1.x) = 1"]),
    ]));
}

#[test]
fn runs_compared() {
    let here = folder("compared", &[]);
    let mutex = |seed: &str, name: &str| {
        let more = ["--schedule", "random", "--seed", seed];
        assert_eq!(record(&here, "ricart_agrawala", "complete(3)", name, &more).code, 0);
    };
    mutex("1", "one.trace");
    mutex("2", "two.trace");
    record(&here, "dolev_klawe_rodeh", "ring(3)", "fifo.trace", &[]);
    record(&here, "dolev_klawe_rodeh", "ring(3)", "random.trace", &["--schedule", "random"]);
    record(&here, "dolev_klawe_rodeh", "ring(3)", "ids.trace", &["--ids", "2,1,3"]);
    record(&here, "dolev_klawe_rodeh", "ring(3)", "short.trace", &["--max-steps", "9"]);
    assert_snapshot!(session([
        trace(&here, &["diff", "fifo.trace", "fifo.trace"]),
        trace(&here, &["diff", "fifo.trace", "random.trace"]),
        trace(&here, &["diff", "fifo.trace", "random.trace", "--exact"]),
        trace(&here, &["diff", "one.trace", "two.trace"]),
        trace(&here, &["diff", "fifo.trace", "ids.trace", "--ascii"]),
        trace(&here, &["diff", "fifo.trace", "short.trace"]),
        trace(&here, &["diff", "one.trace", "fifo.trace"]),
        trace(&here, &["diff", "one.trace", "nowhere.trace"]),
    ]));
}
