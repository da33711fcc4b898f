//! Explanations: what `verify` says about a counterexample, and whether it is true.

use crate::cli::harness::{Ran, folder, session, synod_in};
use crate::cli::json::valid;
use insta::assert_snapshot;
use serde_json::{Value, json};
use std::fs;

/// The timeout of the watcher is too short: an answer with maximum delays arrives too late.
const HASTY: &str = "algorithm hasty
assumes complete, delay <= 3, one Watcher
message Ask, Yes
role Watcher
  var gone : Bool
  state s
    send Ask to neighbours
    if receive Yes -> skip
    [] after 5 -> gone := true
    fi
    become t
  state t
    ignore Yes
role Watched
  state u
    on Ask from c -> send Yes to c
invariant nobody_gone: forall p in Watcher: not p.gone
";

/// A fault prevents the greeting from reaching all processes.
const GREETINGS: &str = "algorithm greetings
assumes complete, unique ids, knows peers, crashes, loses messages, links fail
message Hi, Done
var greeted : Int
state s
  send Hi to others
  await greeted = n - 1
  become one
state one
  pause
  become two
state two
  pause
  send Done to others
  become three
state three
always
  on Hi   -> greeted := greeted + 1
  ignore Done
finally all_greeted: forall p with p.up: p.greeted = n - 1
";

/// A process that receives nothing in the first round takes itself for the only one.
const ALONE: &str = "algorithm alone
assumes complete, synchronous, crashes, unique ids
message Here
var only : Bool
state s
  send Here to neighbours
  round
  only := size(received) = 0
  become t
state t
  halt
invariant in_company: forall p: not p.only
";

fn json_of(ran: &Ran) -> Value {
    valid(ran, "verify")
}

/// A held message may be delayed arbitrarily. A scenario that shows a violation still respects the bounds on delays, and fails
/// when the program has been repaired.
#[test]
fn scenarios_keep_the_bounds_on_delays() {
    let here = folder("hasty", &[("hasty.syn", HASTY.as_bytes())]);
    let ran = synod_in(&here, &["verify", "hasty.syn", "--on", "complete(2)", "-q", "--save-scenario", "-"]);
    let from = ran.stdout.find("scenario ").expect("a scenario");
    let scenario = &ran.stdout[from..];
    let with = |text: &str| format!("{text}\n{scenario}");
    let repaired = HASTY.replace("after 5", "after 7");
    let files = [("hasty.syn", with(HASTY)), ("patient.syn", with(&repaired))];
    let files = files.each_ref().map(|(name, text)| (*name, text.as_bytes()));
    let here = folder("hasty_retold", &files);
    let played = synod_in(&here, &["test", "hasty.syn"]);
    assert_eq!(played.code, 0, "{scenario}{played}");
    let played = synod_in(&here, &["test", "patient.syn"]);
    assert!(played.code == 1 && played.stdout.contains("`nobody_gone` holds"), "{scenario}{played}");
}

/// The wait is no longer than an answer may take, except for a slow process; the timer reveals it, and no message does.
#[test]
fn absent_messages_are_causes() {
    let here = folder("silence", &[("hasty.syn", HASTY.as_bytes()), ("alone.syn", ALONE.as_bytes())]);
    let ran = synod_in(&here, &["verify", "hasty.syn", "--on", "complete(2)"]);
    assert!(
        ran.stdout.contains("); caused by event 0, and by messages that had not arrived by then\n"),
        "{ran}"
    );
    let words = ["verify", "alone.syn", "--on", "complete(2)", "--faults", "crash<=1"];
    let ran = synod_in(&here, &words);
    let said = "; caused by event 0, and by messages that did not arrive because of event 1 (p1)\n";
    assert!(ran.stdout.contains(said), "{ran}");
    let body = json_of(&synod_in(&here, &[&words[..], &["--json"]].concat()));
    assert_eq!(body["counterexamples"][0]["silence"], json!([1]));
    // If messages explain everything, nothing is added.
    let ran = synod_in(&here, &["verify", "chang_roberts", "--on", "ring(2)", "--property", "E1", "--json"]);
    assert_eq!(json_of(&ran)["counterexamples"], json!([]));
}

/// Among the fault kinds that can be reduced by one, the report uses the one with the shortest run, and no run is longer than
/// allowed.
#[test]
fn the_shortest_of_those_with_fewer_faults() {
    let here = folder("greetings", &[("greetings.syn", GREETINGS.as_bytes())]);
    let events = |faults: &str, more: &[&str]| {
        let words = ["verify", "greetings.syn", "--on", "complete(2)", "--property", "all_greeted", "--json"];
        let ran = synod_in(&here, &[&words[..], &["--faults", faults, "--keep-going"], more].concat());
        let body = json_of(&ran);
        let found = &body["counterexamples"].as_array().expect("a list")[0];
        (found["events"].as_u64().expect("a number"), body["depth"].as_u64().expect("a depth"))
    };
    let (loss, link) = (events("loss<=1", &[]).0, events("link<=1", &[]).0);
    assert!(loss < link, "{loss} {link}");
    assert_eq!(events("loss<=1, link<=1", &[]).0, loss);
    for depth in 1..=6 {
        let words = ["verify", "greetings.syn", "--on", "complete(2)", "--property", "all_greeted", "--json"];
        let most = depth.to_string();
        let faults = ["--faults", "loss<=1, link<=1", "--keep-going", "--max-depth", &most];
        let body = json_of(&synod_in(&here, &[&words[..], &faults].concat()));
        for found in body["counterexamples"].as_array().expect("a list") {
            let events = found["events"].as_u64().expect("a number");
            assert!(events <= 2 + depth, "two starts, and {depth} steps: {events}");
        }
    }
}

/// A message on a failed link is lost, even if its receiver is up.
#[test]
fn on_a_link_that_has_failed() {
    let here = folder("failed_link", &[("greetings.syn", GREETINGS.as_bytes())]);
    let ran = synod_in(&here, &["verify", "greetings.syn", "--on", "complete(2)", "--faults", "link<=1"]);
    assert!(
        ran.stdout.contains("the link has failed  ") && !ran.stdout.contains("receiver crashed"),
        "{ran}"
    );
    let ran = synod_in(&here, &["verify", "greetings.syn", "--on", "complete(3)", "--faults", "crash<=1"]);
    assert!(!ran.stdout.contains("the link has failed"), "{ran}");
}

/// On a smaller network the error may occur without faults.
#[test]
fn other_faults_on_a_smaller_network() {
    let text = "algorithm someone
assumes complete, anonymous, crashes, knows n
var last : Bool
state s
  if n = 1 -> last := true
  [] otherwise -> skip
  fi
  become t
state t
finally company: (count p with p.up: not p.last) >= 2
";
    let here = folder("someone", &[("someone.syn", text.as_bytes())]);
    let words = ["verify", "someone.syn", "--on", "complete(2)", "--faults", "crash<=1"];
    let ran = synod_in(&here, &words);
    let said = "smaller counterexample: complete(1), 1 event, without faults\n";
    assert!(
        ran.stdout.contains("requires 1 crash: no violation without it") && ran.stdout.contains(said),
        "{ran}"
    );
    let body = json_of(&synod_in(&here, &[&words[..], &["--json"]].concat()));
    assert_eq!(body["counterexamples"][0]["smaller"]["faults"], json!({}));
    assert_eq!(body["counterexamples"][0]["faults"]["used"], json!({ "crash": 1 }));
}

/// The run on the smaller network replaces the other: it is shown, kept, exported as a scenario, and in the JSON.
#[test]
fn the_smallest_network_instead() {
    let (_, voting) = synod::internals::library::source("voting").expect("a file");
    let here = folder("smallest", &[("votes.syn", voting.as_bytes())]);
    let words = ["verify", "votes.syn", "--on", "complete(3)", "--ids", "5,9,7"];
    let plain = synod_in(&here, &words);
    assert!(
        plain.stdout.contains("\nsmaller counterexample: complete(2) with ids 5,9, 10 events\n"),
        "{plain}"
    );
    assert!(plain.stdout.contains("; --smallest shows the smaller one instead\n"), "{plain}");
    let results = ["--smallest", "--trace", "small.trace", "--save-scenario", "votes.syn"];
    let smallest = synod_in(&here, &[&words[..], &results].concat());
    assert_snapshot!(session([smallest]));
    let text = fs::read_to_string(here.join("votes.syn")).unwrap();
    assert!(text.contains("scenario found_stuck on complete(2) with ids [5, 9]"), "{text}");
    assert_eq!(synod_in(&here, &["test", "votes.syn", "--scenario", "found_stuck"]).code, 0);
    let replayed = synod_in(&here, &["trace", "replay", "small.trace"]);
    assert!(replayed.stdout.contains("all 10 events reproduced"), "{replayed}");
    let body = json_of(&synod_in(&here, &[&words[..], &["--smallest", "--json"]].concat()));
    let shown = &body["counterexamples"][0];
    assert_eq!(body["network"]["topology"], json!("complete(3)"));
    assert_eq!((&shown["topology"], &shown["ids"]), (&json!("complete(2)"), &json!([5, 9])));
    assert_eq!((&shown["events"], &shown["smaller"]), (&json!(10), &json!(null)));
    assert!(shown["instead"].as_u64().is_some_and(|events| events > 10), "{shown}");
}

/// Choices invisible in variables and messages are reported: coins that decide a command, and the choice between two enabled
/// guards.
#[test]
fn invisible_choices_are_reported() {
    let text = "algorithm chooses
assumes complete, unique ids, randomness
message M(k: Int)
var y : Int
state s
  pause
  if coin(1/2) -> skip [] otherwise -> y := 1 fi
  send M(random(1..3)) to neighbours
  become t
state t
  on M(k) -> if k = 0 -> skip [] true -> skip [] true -> y := k + y fi
invariant small: forall p: p.y < 4
";
    let here = folder("chooses", &[("chooses.syn", text.as_bytes())]);
    let words = ["verify", "chooses.syn", "--on", "complete(2)"];
    let ran = synod_in(&here, &words);
    // The receiver's coin must be false and the sender must draw a 3; the sender's own coin is irrelevant, and the first outcome
    // is tried first.
    assert!(
        ran.stdout.contains(
            "\nchoices in event 2 (p0): false, 1; event 3 (p1): false, 3; event 4 (p0): option 2\n"
        ),
        "{ran}"
    );
    let body = json_of(&synod_in(&here, &[&words[..], &["--json"]].concat()));
    let last = json!({ "event": 4, "process": 0, "chosen": ["option 2"] });
    assert_eq!(body["counterexamples"][0]["chosen"][2], last);
}

/// A constant limit is exceeded at some event; the run continues.
#[test]
fn the_event_that_exceeds_a_bound() {
    let text = "algorithm laps
assumes unidirectional ring, unique ids
message M(n: Int)
state s
  send M(3)
  become t
state t
  on M(k) -> if k > 0 -> send M(k - 1) [] otherwise -> skip fi
bound few: messages <= 5
bound by_all: messages <= 2 * (count p: p in t)
";
    let here = folder("laps", &[("laps.syn", text.as_bytes())]);
    let words = ["verify", "laps.syn", "--on", "ring(2)", "--keep-going"];
    let ran = synod_in(&here, &words);
    // The sixth message is sent with event 5.
    assert!(ran.stdout.contains("few: 8, more than 5"), "{ran}");
    assert_eq!(ran.stdout.matches("first exceeded at").count(), 1, "{ran}");
    assert!(ran.stdout.contains("first exceeded at event 5 (p1)\n"), "{ran}");
    let body = json_of(&synod_in(&here, &[&words[..], &["--json"]].concat()));
    let all = body["counterexamples"].as_array().unwrap();
    let by: Vec<(&str, Option<u64>)> =
        all.iter().map(|c| (c["shows"].as_str().unwrap(), c["exceeded_by"].as_u64())).collect();
    // The limit changes along the run: only ends decide.
    assert_eq!(by, [("few", Some(5)), ("by_all", None)]);
}

/// Names in reasons, also of destructured values, and the reason why a run ends without the required state.
#[test]
fn reasons_are_named() {
    let text = "algorithm pairs
assumes complete, unique ids
var seen : set of (Int, Int)
state s
  pause
  seen := {(1, 2), (3, 3)}
  become t
state t
invariant rising: forall p: forall (a, b) in p.seen: a < b
settles some_greater: some p: forall (a, _) in p.seen: a > 1
eventually three: forall p: size(p.seen) = 3
";
    let here = folder("reasons", &[("pairs.syn", text.as_bytes())]);
    let ran = synod_in(&here, &["verify", "pairs.syn", "--on", "complete(1)", "--keep-going"]);
    let all = [
        "rising: for p = p0, (a, b) = (3, 3): `a < b` is false, with 3 < 3",
        "some_greater: a run ends without it: no such p: `some p: forall (a, _) in p.seen: a > 1`",
        "three: a run ends without it: for p = p0: `size(p.seen) = 3` is false, with 2 = 3",
    ];
    assert!(ran.code == 1 && all.iter().all(|said| ran.stdout.contains(said)), "{ran}");
}

/// One event may decide several properties, and one infinite run may violate several: each is reported once.
#[test]
fn equal_reasons_are_reported_once() {
    let text = "algorithm busy
assumes complete, anonymous
var x : 0..2
state s
  when true -> x := (x + 1) mod 2
invariant a: forall p: p.x = 0
invariant b: forall p: p.x < 1
eventually c: some p: p.x = 2
settles d: some p: p.x = 2
";
    let here = folder("said_once", &[("busy.syn", text.as_bytes())]);
    let ran = synod_in(&here, &["verify", "busy.syn", "--on", "complete(1)", "--keep-going"]);
    assert!(
        ran.stdout.contains("a and b violated at event 1 (p0: when true); caused by all events before"),
        "{ran}"
    );
    assert_eq!(ran.stdout.matches("repeats forever").count(), 1, "{ran}");
    let body =
        json_of(&synod_in(&here, &["verify", "busy.syn", "--on", "complete(1)", "--keep-going", "--json"]));
    assert_eq!(body["every_run_ends"], json!(false), "no run ends");
}

/// A property that is not claimed is still checked if the user names it.
#[test]
fn a_property_named_by_the_user_is_checked() {
    let here = folder("asked", &[]);
    let words = ["verify", "central_server", "--on", "star(2)", "--notes", "1"];
    let asked = synod_in(&here, &[&words[..], &["--property", "ME3", "--json"]].concat());
    assert_eq!((asked.code, &json_of(&asked)["verdict"]), (1, &json!("violated")));
    let all = synod_in(&here, &[&words[..], &["--json"]].concat());
    assert_eq!((all.code, &json_of(&all)["verdict"]), (0, &json!("holds")));
    let few = [&words[..], &["--property", "ME3", "--max-configurations", "20", "--json"]].concat();
    assert_eq!(synod_in(&here, &few).code, 3, "nobody knows");
}

/// The extent of the search before a finding.
#[test]
fn some_arrangements_of_all() {
    let text = "algorithm centre
assumes star, unique ids
var top : Bool
state s
  top := size(neighbours) = 2
  become t
state t
invariant least: forall p with p.top: p.id = 1
";
    let here = folder("arranged", &[("centre.syn", text.as_bytes())]);
    let words = ["verify", "centre.syn", "--on", "star(2)", "--ids", "all", "-q"];
    let ran = synod_in(&here, &words);
    assert!(ran.code == 1 && ran.stdout.contains(" in 3 of 6 arrangements of the ids, "), "{ran}");
    let sound = text.replace("p.id = 1", "p.id <= 3");
    let here = folder("arranged_soundly", &[("centre.syn", sound.as_bytes())]);
    let ran = synod_in(&here, &words);
    assert!(
        ran.code == 0 && ran.stdout.contains("under every schedule for all 6 arrangements of the ids"),
        "{ran}"
    );
    assert_eq!(ran.stdout.matches("arrangements").count(), 1, "{ran}");
}

/// A process that wakes halts, or runs forever and has sent something; a process that receives something runs forever, too, and
/// has sent more.
const LENGTHS: &str = "algorithm lengths
assumes unidirectional ring, anonymous
message Go, Further
var stop : Bool
state s
  await stop
  halt
  on wakeup ->
    if true -> stop := true
    [] true -> send Go; become loop
    fi
  on Go -> send Further; become loop
state loop
  pause
always
  ignore Go, Further
bound chain: time <= 1
bound enough: time <= 2
bound woken: messages <= 2 * size(initiators)
bound counted: messages <= 2 * messages of Go
";

/// A bound exceeded along a run is violated in infinite runs, too, even if the count is kept along the runs; limits compared only
/// at ends say so.
#[test]
fn infinite_runs_exceed_bounds() {
    let here = folder("lengths", &[("lengths.syn", LENGTHS.as_bytes())]);
    let words = ["verify", "lengths.syn", "--on", "ring(2)", "--keep-going"];
    for more in [&[][..], &["--no-reduction", "--no-symmetry"], &["-j", "1", "--order", "depth"]] {
        let ran = synod_in(&here, &[&words[..], more].concat());
        assert!(ran.code == 1 && ran.stdout.contains("chain: 2, more than 1"), "{ran}");
        assert!(ran.stdout.contains("enough   bound  holds     0 in every run that ends"), "{ran}");
        assert!(ran.stdout.contains("counted  bound  holds     0 in every run that ends"), "{ran}");
        // Where wake-ups are forgotten, only the distance from the limit is known.
        let costs =
            if more.contains(&"--no-reduction") { "0 in every run that ends" } else { "at every end" };
        assert!(ran.stdout.contains(&format!("woken    bound  holds     {costs}")), "{ran}");
    }
    // If no run ends, a constant limit is checked everywhere.
    let text = LENGTHS.replace(
        "    if true -> stop := true\n    [] true -> send Go; become loop\n    fi\n",
        "    send Go; become loop\n",
    );
    let text = text.replace("var stop : Bool\n", "").replace("  await stop\n  halt\n", "");
    let here = folder("lengths_endless", &[("lengths.syn", text.as_bytes())]);
    let body = json_of(&synod_in(&here, &[&words[..], &["--json"]].concat()));
    let verdict = |name: &str| {
        let all = body["properties"].as_array().expect("a list");
        all.iter().find(|p| p["name"] == name).map(|p| p["verdict"].clone())
    };
    assert_eq!((verdict("chain"), verdict("enough")), (Some(json!("violated")), Some(json!("holds"))));
    // It is found although the count grows without bound.
    let text = "algorithm steps
assumes unidirectional ring, anonymous, synchronous
message M
state s
  do true -> send M; round
  od
bound chain: time <= 1
";
    let here = folder("lengths_rounds", &[("steps.syn", text.as_bytes())]);
    let ran = synod_in(&here, &["verify", "steps.syn", "--on", "ring(2)", "--max-configurations", "1000"]);
    assert!(ran.code == 1 && ran.stdout.contains("chain: 2, more than 1"), "{ran}");
}
