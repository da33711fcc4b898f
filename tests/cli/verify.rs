//! `verify`.

use crate::harness::{folder, session, synod, synod_in};
use insta::assert_snapshot;

#[test]
fn what_holds() {
    assert_snapshot!(session([
        synod(&["verify", "dolev_klawe_rodeh"]),
        synod(&["verify", "chang_roberts", "--on", "ring(4)", "--ids", "descending", "--no-reduction"]),
        synod(&["verify", "dolev_klawe_rodeh", "--on", "ring(5)", "--property", "uniqueness", "-q"]),
    ]));
}

#[test]
fn a_deadlock() {
    assert_snapshot!(synod(&["verify", "voting", "--on", "complete(2)"]));
}

#[test]
fn orders() {
    assert_snapshot!(synod(&["verify", "suzuki_kasami", "--on", "complete(3)", "--property", "ME3"]));
}

const WRONG: &str = "
/// The first to hear of a greater one gives up, and nobody may be left.
algorithm hasty solves Election(winner: greatest, told: one)
assumes unidirectional ring, unique ids
state candidate
  send id
  receive q
  if q < id -> elected := id; halt
  [] q > id -> send q; become relay
  [] q = id -> elected := id; halt
  fi
state relay
  receive q
  send q
";

#[test]
fn a_violated_property_can_be_kept_and_replayed() {
    let here = folder("verify_violation", &[("hasty.syn", WRONG.as_bytes())]);
    let verify = synod_in(&here, &["verify", "hasty.syn", "--on", "ring(3)", "--trace", "wrong.trace"]);
    assert_eq!(verify.code, 1, "{verify}");
    let replay = synod_in(&here, &["trace", "replay", "wrong.trace"]);
    assert_eq!(replay.code, 0, "{replay}");
    assert_snapshot!(session([verify]));
}

#[test]
fn limits_are_said() {
    assert_snapshot!(session([
        synod(&[
            "verify",
            "hirschberg_sinclair",
            "--on",
            "ring(4)",
            "--max-configurations",
            "100",
            "--no-reduction"
        ]),
        synod(&[
            "verify",
            "dolev_klawe_rodeh",
            "--on",
            "ring(4)",
            "--max-depth",
            "3",
            "--property",
            "uniqueness"
        ]),
        synod(&["verify", "dolev_klawe_rodeh", "--timeout", "soon"]),
        synod(&["verify", "dolev_klawe_rodeh", "--max-memory", "much"]),
    ]));
}

/// Something that must happen, and does not where a token may go round for ever.
#[test]
fn a_run_that_goes_round_for_ever() {
    let text = "
algorithm restless
assumes unidirectional ring, unique ids
message Token
var visits : 0..1
state s
  on wakeup -> send Token
  on Token  -> send Token
eventually visited: some p: p.visits = 1
";
    let here = folder("verify_cycle", &[("restless.syn", text.as_bytes())]);
    assert_snapshot!(synod_in(&here, &["verify", "restless.syn", "--on", "ring(2)", "--initiators", "1"]));
}

#[test]
fn the_same_bytes_whatever_the_jobs() {
    let run = |jobs: &str| {
        let words = ["verify", "ricart_agrawala", "--on", "complete(3)", "--property", "ME1", "-j", jobs];
        synod(&words).stdout
    };
    assert_eq!(run("1"), run("3"));
}

/// The run that was found, as a scenario: pasted into the file it passes.
#[test]
fn a_counterexample_becomes_a_scenario() {
    let here = folder("verify_scenario", &[("hasty.syn", WRONG.as_bytes())]);
    let words = ["verify", "hasty.syn", "--on", "ring(3)", "-q", "--save-scenario", "-"];
    let verify = synod_in(&here, &words);
    assert_eq!(verify.code, 1, "{verify}");
    let scenario = &verify.stdout[verify.stdout.find("scenario ").expect("a scenario")..];
    let both = format!("{WRONG}\n{scenario}");
    let here = folder("verify_scenario_pasted", &[("hasty.syn", both.as_bytes())]);
    let test = synod_in(&here, &["test", "hasty.syn"]);
    assert_eq!(test.code, 0, "{test}");
    assert_snapshot!(session([verify, test]));
}

#[test]
fn every_arrangement_of_the_ids() {
    let too_many = ["verify", "chang_roberts", "--on", "ring(9)", "--ids", "all"];
    let no_ids = ["verify", "random_ids", "--on", "ring(2)", "--ids", "all"];
    assert_snapshot!(session([
        synod(&["verify", "chang_roberts", "--on", "ring(3)", "--ids", "all", "--property", "at_most"]),
        synod(&too_many),
        synod(&no_ids),
    ]));
}

/// The application tells somebody, and the server's order is not that of happened-before any more.
#[test]
fn notes_of_the_application() {
    let words = ["verify", "central_server", "--on", "star(2)", "--property", "ME3", "--notes", "1"];
    assert_snapshot!(synod(&words));
}

/// What is not promised is said, and does not end the search.
#[test]
fn what_is_not_promised() {
    assert_snapshot!(session([
        synod(&["verify", "random_ids", "--on", "ring(2)", "--set", "labels=2", "-q"]),
        synod(&["verify", "random_ids", "--on", "ring(2)", "--set", "labels=2", "-q", "--no-symmetry"]),
        synod(&[
            "verify",
            "random_ids",
            "--on",
            "ring(2)",
            "--set",
            "labels=2",
            "-q",
            "--max-configurations",
            "3"
        ]),
    ]));
}

const VIEWED: &str = "
algorithm tokens
assumes unidirectional ring, unique ids
message Token(who: Id, hops: Int)
var passed : Int
var home : Bool
view without passed, Token.hops
state s
  send Token(id, 1)
  do receive Token(w, h) when w != id -> passed := passed + h; send Token(w, h + 1)
  [] receive Token(w, h) when w = id  -> home := LAST
  od
finally all_home: forall p: p.home
";

#[test]
fn views_are_shown_claimed_or_not_used() {
    let few = VIEWED.replace("LAST", "true") + "bound few: bits <= 100\n";
    let files = [
        ("shown.syn", VIEWED.replace("LAST", "true")),
        ("claimed.syn", VIEWED.replace("LAST", "h < 100")),
        ("wrong.syn", VIEWED.replace("LAST", "h < 2")),
        ("unused.syn", few),
    ];
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    let here = folder("verify_views", &files);
    let verify = |file: &str, more: &[&str]| {
        let options: Vec<&str> =
            ["verify", file, "--on", "ring(2)"].into_iter().chain(more.iter().copied()).collect();
        synod_in(&here, &options)
    };
    assert_snapshot!(session([
        verify("shown.syn", &[]),
        verify("shown.syn", &["--no-view", "-q"]),
        verify("claimed.syn", &[]),
        verify("wrong.syn", &["-q"]),
        verify("unused.syn", &[]),
        verify("unused.syn", &["--property", "all_home", "-q"]),
    ]));
}
