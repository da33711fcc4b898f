//! `synod test` and the snapshots of scenarios: made, accepted, compared, reviewed, and when each is written.

use crate::cli::harness::{folder, session, synod_in, synod_with};
use crate::cli::json::valid;
use insta::assert_snapshot;
use std::fs;
use std::path::{Path, PathBuf};
use synod::internals::cli::review::{Answer, answer};

const RACE: &str = "\
/// Two ask; who is asked says yes.
algorithm race
assumes complete, unordered, unique ids
message Ask(n: Int)
message Yes
var clock : Int
var won : Bool
state s
  on wakeup -> clock := clock + 1; send Ask(clock) to neighbours
  on Ask(n) from p -> clock := clock + n; send Yes to p
  on Yes -> won := true
scenario two on complete(2)
  wake p0, p1
  expect p0.won and p1.won
scenario three on complete(3) with schedule fifo
  initially p2.clock := 7
  wake p0, p1
scenario alone on complete(1)
  wake p0
";

/// Under every schedule, the same partial order of events.
const CENSUS: &str = "\
algorithm census
assumes unidirectional ring, fifo, unique ids
message Token(owner: Id, seen: Int)
var total : Int?
state counting
  send Token(id, 1)
  do receive Token(p, k) when p != id -> send Token(p, k + 1)
  [] receive Token(p, k) when p = id  -> total := k
                                         halt
  od
scenario three on ring(3) with schedule SCHEDULE
  expect outcome terminated
";

/// Return the files of a folder, recursively, with their contents.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push((path.clone(), fs::read(&path).unwrap())),
        }
    }
    found.sort();
    found
}

/// Create programs with accepted snapshots of all scenarios.
fn accepted(name: &str) -> PathBuf {
    let here = folder(name, &[("race.syn", RACE.as_bytes())]);
    assert_eq!(synod_in(&here, &["test", "race.syn", "--snapshot"]).code, 1);
    assert_eq!(synod_in(&here, &["test", "accept"]).code, 0);
    here
}

fn change(here: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(here.join("race.syn")).unwrap();
    assert!(text.contains(from));
    fs::write(here.join("race.syn"), text.replace(from, to)).unwrap();
}

#[test]
fn the_life_of_a_snapshot() {
    let here = folder("snap_life", &[("race.syn", RACE.as_bytes())]);
    let mut seen = vec![
        synod_in(&here, &["test", "race.syn"]),
        synod_in(&here, &["test", "race.syn", "--snapshot", "--scenario", "t?o"]),
        synod_in(&here, &["test", "race.syn"]),
        synod_in(&here, &["test", "review"]),
        synod_in(&here, &["test", "accept"]),
        synod_in(&here, &["test", "race.syn"]),
    ];
    assert_eq!(files(&here).len(), 2);
    change(&here, "clock + n", "clock + 2 * n");
    seen.extend([
        synod_in(&here, &["test", "race.syn"]),
        synod_in(&here, &["test", "review", "race.syn"]),
        synod_in(&here, &["test", "reject", "snapshots/race/two.trace.new"]),
        synod_in(&here, &["test", "reject"]),
    ]);
    assert_snapshot!(session(seen));
    // A difference is pending again, and disappears when the run is as before.
    assert_eq!(synod_in(&here, &["test", "race.syn", "-q"]).code, 1);
    assert_eq!(files(&here).len(), 3);
    change(&here, "clock + 2 * n", "clock + n");
    let ran = synod_in(&here, &["test", "race.syn", "-q"]);
    assert_eq!((ran.code, files(&here).len()), (0, 2), "{ran}");
    // A snapshot is a trace, and does not depend on comments.
    let ran = synod_in(&here, &["trace", "replay", "snapshots/race/two.trace", "--program", "race.syn"]);
    assert_eq!(ran.code, 0, "{ran}");
    let before = fs::read(here.join("snapshots/race/two.trace")).unwrap();
    assert!(!String::from_utf8(before.clone()).unwrap().contains(env!("CARGO_PKG_VERSION")));
    change(&here, "/// Two ask", "/// A remark. Two ask");
    let ran = synod_in(&here, &["test", "race.syn", "--exact"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(fs::read(here.join("snapshots/race/two.trace")).unwrap(), before);
}

#[test]
fn nothing_is_written_where_nobody_reviews() {
    let here = accepted("snap_ci");
    change(&here, "clock + n", "clock + 2 * n");
    fs::remove_file(here.join("snapshots/race/two.trace")).unwrap();
    let before = files(&here);
    let ci = |words: &[&str]| synod_with(&here, words, b"", &[("CI", "true")]);
    for (ran, code) in [
        (ci(&["test", "race.syn", "--snapshot"]), 1),
        (ci(&["test", "race.syn", "--unreferenced", "delete"]), 1),
        (synod_in(&here, &["test", "race.syn", "--snapshot", "--check"]), 1),
        (ci(&["test", "accept"]), 2),
        (ci(&["test", "reject"]), 2),
        (ci(&["test", "review"]), 0),
    ] {
        assert_eq!(ran.code, code, "{ran}");
        assert_eq!(files(&here), before, "{ran}");
    }
    assert_snapshot!(ci(&["test", "race.syn", "--scenario", "two", "--snapshot"]));
    // As in insta, these values mean that it is not set.
    for nothing in ["", "0", "false"] {
        let ran = synod_with(&here, &["test", "race.syn", "--snapshot"], b"", &[("CI", nothing)]);
        assert_eq!((ran.code, files(&here).len()), (1, before.len() + 2), "{ran}");
        assert_eq!(synod_in(&here, &["test", "reject"]).code, 0);
    }
}

#[test]
fn concurrent_events_in_another_order_are_the_same_run() {
    let by = |schedule: &str| CENSUS.replace("SCHEDULE", schedule);
    let here = folder("snap_order", &[("census.syn", by("fifo").as_bytes())]);
    assert_eq!(synod_in(&here, &["test", "census.syn", "--snapshot"]).code, 1);
    assert_eq!(synod_in(&here, &["test", "accept"]).code, 0);
    fs::write(here.join("census.syn"), by("adversary")).unwrap();
    let ran = synod_in(&here, &["test", "census.syn"]);
    assert_eq!(ran.code, 0, "{ran}");
    let ran = synod_in(&here, &["test", "census.syn", "--exact"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stdout.contains("the same partial order of 12 events, in another order from event"), "{ran}");
}

#[test]
fn what_is_left_out_stays_left_out() {
    let here = accepted("snap_redactions");
    let redact = ["test", "race.syn", "--redact", "*.clock, Ask(*)"];
    assert_snapshot!(session([synod_in(&here, &[&redact[..], &["--scenario", "two"]].concat())]));
    assert_eq!(synod_in(&here, &redact).code, 1);
    assert_eq!(synod_in(&here, &["test", "accept"]).code, 0);
    let text = fs::read_to_string(here.join("snapshots/race/two.trace")).unwrap();
    assert!(text.contains("\n# left out: *.clock, Ask(*)\n") && !text.contains("clock="), "{text}");
    change(&here, "clock + n", "clock + 2 * n");
    for words in [&["test", "race.syn"][..], &redact] {
        let ran = synod_in(&here, words);
        assert_eq!(ran.code, 0, "{ran}");
    }
    assert_eq!(synod_in(&here, &["test", "race.syn", "--redact", "", "--check"]).code, 1);
    for wrong in ["clock", ".clock", "p0.", "p0.clock Ask(*)"] {
        let ran = synod_in(&here, &["test", "race.syn", "--redact", wrong]);
        assert_eq!(ran.code, 2, "{ran}");
    }
}

#[test]
fn snapshots_whose_scenario_is_gone() {
    let here = accepted("snap_unreferenced");
    fs::write(here.join("snapshots/race/notes.txt"), "mine").unwrap();
    change(&here, "scenario three", "scenario trio");
    let all = files(&here).len();
    let test = |what: &str| synod_in(&here, &["test", "race.syn", "-q", "--unreferenced", what]);
    for (what, code, left) in
        [("warn", 0, all), ("ignore", 0, all), ("reject", 1, all), ("delete", 0, all - 1)]
    {
        let ran = test(what);
        assert_eq!((ran.code, files(&here).len()), (code, left), "{ran}");
    }
    assert!(here.join("snapshots/race/notes.txt").exists());
    change(&here, "scenario alone", "scenario single");
    assert_snapshot!(session([
        synod_in(&here, &["test", "race.syn"]),
        synod_in(&here, &["test", "race.syn", "--unreferenced", "delete"]),
    ]));
}

#[test]
fn snapshots_that_cannot_be_read_keep_no_other_from_being_compared() {
    let here = accepted("snap_broken");
    let file = |name: &str| here.join("snapshots/race").join(name);
    let text = fs::read_to_string(file("two.trace")).unwrap();
    fs::write(file("two.trace"), &text[..text.len() / 2]).unwrap();
    fs::write(file("three.trace"), b"synod trace 1\nalgorithm \xff\n").unwrap();
    let ran = synod_in(&here, &["test", "race.syn", "--check"]);
    assert_snapshot!(ran);
    // A new one can replace it.
    assert_eq!(synod_in(&here, &["test", "race.syn"]).code, 2);
    fs::write(file("three.trace.new"), b"").unwrap();
    let ran = synod_in(&here, &["test", "accept", "race.syn"]);
    assert_eq!(ran.code, 2, "{ran}");
    assert_eq!(fs::read_to_string(file("two.trace")).unwrap(), text);
    assert_eq!(synod_in(&here, &["test", "reject", "race.syn"]).code, 0);
    assert!(!file("three.trace.new").exists());
}

#[test]
fn what_a_failed_scenario_did_is_compared_and_does_not_wait() {
    let here = accepted("snap_failed");
    change(&here, "won := true", "won := false");
    let ran = synod_in(&here, &["test", "race.syn"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stdout.contains("differs from snapshots/race/two.trace"), "{ran}");
    assert!(!here.join("snapshots/race/two.trace.new").exists());
    assert!(here.join("snapshots/race/three.trace.new").exists());
}

#[test]
fn results_for_servers() {
    let here = accepted("snap_junit");
    change(&here, "clock + n", "clock + 2 * n");
    change(&here, "expect p0.won and p1.won", "expect p0.won and p1.clock < 0");
    fs::write(here.join("wrong.syn"), "algorithm wrong\nassumes rings\n").unwrap();
    fs::create_dir(here.join("out")).unwrap();
    let words =
        ["test", "race.syn", "wrong.syn", "nowhere<&\">\u{1b}.syn", "--junit", "out/results.xml", "--check"];
    let ran = synod_in(&here, &words);
    assert_eq!(ran.code, 2, "{ran}");
    let xml = fs::read_to_string(here.join("out/results.xml")).unwrap();
    let document = roxmltree::Document::parse(&xml).unwrap();
    let cases = |of: roxmltree::Node<'_, '_>| of.descendants().filter(|n| n.has_tag_name("testcase")).count();
    let having =
        |of: roxmltree::Node<'_, '_>, what: &str| of.descendants().filter(|n| n.has_tag_name(what)).count();
    let number =
        |of: roxmltree::Node<'_, '_>, what: &str| of.attribute(what).unwrap().parse::<usize>().unwrap();
    for node in document.descendants().filter(|n| n.has_tag_name("testsuite") || n.has_tag_name("testsuites"))
    {
        assert_eq!(number(node, "tests"), cases(node));
        assert_eq!(number(node, "failures"), having(node, "failure"));
        assert_eq!(number(node, "errors"), having(node, "error"));
    }
    assert_eq!(cases(document.root()), 6 + 2);
    assert_snapshot!(xml);
    // The same results give the same bytes, on the standard output, too.
    let words: Vec<&str> =
        words.iter().map(|word| if *word == "out/results.xml" { "-" } else { word }).collect();
    assert_eq!(synod_in(&here, &words).stdout, xml);
    assert_eq!(synod_in(&here, &[&words[..], &["--json"]].concat()).code, 2);
}

#[test]
fn results_as_json() {
    let here = accepted("snap_json");
    let ran = synod_in(&here, &["test", "race.syn", "--json"]);
    let object = valid(&ran, "test");
    assert_eq!((ran.code, &object["snapshots"]["same"]), (0, &3.into()), "{ran}");
    change(&here, "clock + n", "clock + 2 * n");
    change(&here, "scenario alone", "scenario single");
    let ran = synod_in(&here, &["test", "race.syn", "--json", "--snapshot"]);
    let object = valid(&ran, "test");
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""), "{ran}");
    assert_eq!(
        object["snapshots"].to_string(),
        r#"{"different":2,"new":1,"same":0,"unreadable":0,"unreferenced":1}"#
    );
    let ran = synod_in(&here, &["test", "review", "--json"]);
    let object = valid(&ran, "test-review");
    assert_eq!((ran.code, ran.stderr.as_str(), &object["waiting"]), (1, "", &3.into()), "{ran}");
    let two = object["snapshots"].as_array().unwrap().iter().find(|s| s["scenario"] == "two").unwrap();
    assert!(
        two["diff"]
            .as_str()
            .unwrap()
            .starts_with("--- snapshots/race/two.trace\n+++ snapshots/race/two.trace.new\n")
    );
    let ran = synod_in(&here, &["test", "accept", "--json", "--scenario", "t*"]);
    assert_eq!((ran.code, &valid(&ran, "test-review")["accepted"]), (0, &2.into()), "{ran}");
    let ran = synod_in(&here, &["test", "reject", "--json"]);
    assert_eq!((ran.code, &valid(&ran, "test-review")["rejected"]), (0, &1.into()), "{ran}");
}

#[test]
fn where_snapshots_are_looked_for() {
    let here = accepted("snap_where");
    change(&here, "clock + n", "clock + 2 * n");
    fs::create_dir_all(here.join("deep/er")).unwrap();
    fs::copy(here.join("race.syn"), here.join("deep/er/race.syn")).unwrap();
    fs::copy(here.join("race.syn"), here.join("deep/er/race")).unwrap();
    // A foreign file with the name of a snapshot.
    fs::write(here.join("deep/two.trace.new"), "mine").unwrap();
    let ran = synod_in(&here, &["test", "race.syn", "deep/er/race.syn", "--snapshot", "--scenario", "two"]);
    assert_eq!(ran.code, 1, "{ran}");
    let count = |folder: &Path, word: &str| {
        let ran = synod_in(&folder.to_path_buf(), &["test", "review", "--json", word]);
        valid(&ran, "test-review")["waiting"].as_u64()
    };
    for (folder, word, expected) in [
        ("", ".", 2),
        ("", "deep", 1),
        ("", "race.syn", 1),
        ("", "deep/er/race.syn", 1),
        ("deep/er", ".", 1),
        ("deep/er/snapshots", ".", 1),
        ("deep/er/snapshots/race", ".", 1),
        ("deep/er/snapshots/race", "two.trace.new", 1),
    ] {
        assert_eq!(count(&here.join(folder), word), Some(expected), "{folder} {word}");
    }
    for words in [
        &["test", "lelann", "--snapshot"][..],
        &["test", "-", "--snapshot"],
        &["test", "deep/er/race", "--snapshot"],
        &["test", "accept", "nowhere.syn"],
        &["test", "review", "race.syn", "--snapshot"],
    ] {
        let ran = synod_with(&here, words, RACE.as_bytes(), &[]);
        assert_eq!(ran.code, 2, "{ran}");
    }
}

/// All kinds of recorded data: rounds, time, faults, interactions, names of some processes only.
#[test]
fn every_scenario_of_the_library_can_have_a_snapshot() {
    let here = folder("snap_library", &[]);
    let mut programs = Vec::new();
    for (name, entry) in synod::internals::library::entries() {
        if !entry.is_problem() {
            let (_, text) = synod::internals::library::source(name).unwrap();
            fs::write(here.join(format!("{name}.syn")), text).unwrap();
            programs.push(format!("{name}.syn"));
        }
    }
    let test = |more: &[&str]| {
        let files = programs.iter().map(String::as_str);
        synod_in(
            &here,
            &["test", "--json"].into_iter().chain(files).chain(more.iter().copied()).collect::<Vec<_>>(),
        )
    };
    let counts = |ran: &crate::cli::harness::Ran| {
        let object: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        let count = |what: &str| object["snapshots"][what].as_u64().unwrap();
        (
            count("same"),
            count("different"),
            count("new"),
            count("unreadable"),
            object["passed"].as_u64().unwrap(),
        )
    };
    let ran = test(&["--snapshot"]);
    let (same, different, new, unreadable, passed) = counts(&ran);
    assert_eq!((same, different, new, unreadable, ran.code), (0, 0, passed, 0, 1));
    let ran = synod_in(&here, &["test", "accept", "-q"]);
    assert_eq!(ran.code, 0, "{ran}");
    let ran = test(&["--exact"]);
    assert_eq!((counts(&ran), ran.code), ((passed, 0, 0, 0, passed), 0));
}

#[test]
fn a_folder_stands_for_the_programs_in_it() {
    let two = RACE.replace("algorithm race", "algorithm other").replace("expect p0.won", "expect not p0.won");
    let greeting = "problem Greeting\noutput done : Bool\n";
    let programs = [
        ("all/race.syn", RACE.as_bytes()),
        ("all/deep/other.syn", two.as_bytes()),
        ("all/deep/greeting.syn", greeting.as_bytes()),
        ("all/notes.txt", b"no program"),
        ("empty/notes.txt", b"no program"),
    ];
    let here = folder("snap_folders", &programs);
    let ran = synod_in(&here, &["test", "all", "--junit", "results.xml"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert_snapshot!(ran.to_string());
    let xml = fs::read_to_string(here.join("results.xml")).unwrap();
    let document = roxmltree::Document::parse(&xml).unwrap();
    let suites = document.descendants().filter(|node| node.has_tag_name("testsuite"));
    let names: Vec<&str> = suites.filter_map(|node| node.attribute("name")).collect();
    assert_eq!(names, ["Greeting", "other", "race"]);
    // A file that is named twice is tested once.
    let once: serde_json::Value =
        serde_json::from_str(&synod_in(&here, &["test", "all/race.syn", "all", "--json"]).stdout).unwrap();
    let files: Vec<&str> =
        once["files"].as_array().unwrap().iter().filter_map(|f| f["file"].as_str()).collect();
    assert_eq!(files, ["all/race.syn", "all/deep/greeting.syn", "all/deep/other.syn"]);
    let nothing = synod_in(&here, &["test", "empty"]);
    assert_eq!(nothing.code, 2);
    assert!(nothing.stderr.contains("there are no programs (*.syn) in the folder empty"), "{nothing}");
    // The snapshots of a folder's programs are beside them.
    assert_eq!(synod_in(&here, &["test", "all", "--snapshot", "--scenario", "two"]).code, 1);
    assert!(here.join("all/snapshots/race/two.trace.new").is_file());
}

#[test]
fn the_ending_of_a_file_need_not_be_written() {
    let here = folder("snap_endings", &[("race.syn", RACE.as_bytes()), ("bully.syn", RACE.as_bytes())]);
    assert_eq!(synod_in(&here, &["test", "race"]).code, 0);
    assert_eq!(synod_in(&here, &["run", "race"]).stdout, synod_in(&here, &["run", "race.syn"]).stdout);
    assert_eq!(synod_in(&here, &["test", "race", "--snapshot"]).code, 1);
    assert_eq!(synod_in(&here, &["test", "accept", "race"]).code, 0);
    assert!(here.join("snapshots/race/two.trace").is_file());
    // A library name refers to the library.
    let checked: serde_json::Value =
        serde_json::from_str(&synod_in(&here, &["check", "bully", "--json"]).stdout).unwrap();
    assert_eq!(checked["files"][0]["name"], "bully");
}

#[test]
fn what_a_failed_scenario_did_can_be_looked_at() {
    let here = folder("test_runs", &[]);
    fs::write(here.join("race.syn"), RACE.replace("expect p0.won and p1.won", "expect p0.clock = 3"))
        .unwrap();
    let ran = synod_in(&here, &["test", "race.syn", "-v"]);
    assert_eq!(ran.code, 1, "{ran}");
    // Only the failed one.
    assert_snapshot!("the_run_of_a_failed_scenario", ran.stdout);
    let chosen = ["test", "race.syn", "--scenario", "three", "--trace", "three.trace"];
    let ran = synod_in(&here, &chosen);
    assert_eq!(ran.code, 0, "{ran}");
    let shown = synod_in(&here, &["trace", "show", "three.trace"]);
    assert_eq!(shown.code, 0, "{shown}");
    assert!(shown.stdout.contains("on Ask(n)"), "{shown}");
    // A trace belongs to one scenario, and is not a result.
    for (words, message) in [
        (["test", "race.syn", "--trace", "all.trace"], "`two` and `three` are selected"),
        (["test", "race.syn", "--trace", "-"], "--trace needs a file"),
    ] {
        let ran = synod_in(&here, &words);
        assert_eq!(ran.code, 2, "{ran}");
        assert!(ran.stderr.contains(message), "{ran}");
    }
}

#[test]
fn answers_are_words_or_their_beginnings() {
    for (line, expected) in [
        ("a\n", Some(Answer::Accept)),
        ("Accept", Some(Answer::Accept)),
        (" r ", Some(Answer::Reject)),
        ("s", Some(Answer::Skip)),
        ("q\r\n", Some(Answer::Quit)),
        ("\n", None),
        ("yes", None),
        ("accepted", None),
    ] {
        assert_eq!(answer(line), expected, "{line:?}");
    }
}

/// A line `expect P holds` may pass because a premise of P never comes true: a note says so, in every form of the result.
#[test]
fn a_vacuous_expectation_is_noted() {
    let text =
        format!("{RACE}  expect losers holds\ninvariant losers: forall p with p.clock > 9: not p.won\n");
    let here = folder("vacuous", &[("race.syn", text.as_bytes())]);
    let ran = synod_in(&here, &["test", "race.syn"]);
    assert_eq!(ran.code, 0, "{ran}");
    let note = "  alone  passed  2 steps, 0 messages\n    note: race.syn:20:3: `losers` holds: in all 2 configurations, but \
                `p.clock > 9` never came true\n";
    assert!(ran.stdout.contains(note), "{ran}");
    let ran = synod_in(&here, &["test", "race.syn", "--json"]);
    let notes = &valid(&ran, "test")["files"][0]["scenarios"][2]["notes"];
    assert_eq!(
        notes[0]["message"],
        "`losers` holds: in all 2 configurations, but `p.clock > 9` never came true"
    );
    let ran = synod_in(&here, &["test", "race.syn", "--junit", "-"]);
    assert!(ran.stdout.contains("<system-out>race.syn:20:3: `losers` holds: "), "{ran}");
}

const GIVEN: &str = "\
algorithm given
assumes unidirectional ring, fifo
message Most(x: Int)
record Pair(a: Int, b: Int)
enum Choice = first | second
var x : Int := 5
var back : Port
var pairs : list of Pair
var log : map of Int to set of Int
var choice : Choice
state begin
  send Most(x) to next
  become idle
state idle
always
  on Most(v) when v > x  -> x := v; send Most(v) to next
  on Most(v) when v <= x -> skip
scenario values on ring(3) with names [A, B, C]
  initially B.x := 0
  initially A.x := 9
  initially C.log := {3: {1, 2}}
  initially B.log := {:}
  initially B.back := port(B, A)
  initially A.pairs := [Pair(1, 2), Pair(3, 4)]
  initially C.choice := second
  expect forall p: p.x = 9
";

/// A trace contains the initial values that a scenario gives, of every type, so that it can be replayed.
#[test]
fn traces_contain_given_initial_values() {
    let here = folder("given", &[("given.syn", GIVEN.as_bytes())]);
    let ran = synod_in(&here, &["test", "given.syn", "--trace", "given.trace"]);
    assert_eq!(ran.code, 0, "{ran}");
    let ran = synod_in(&here, &["run", "given.syn", "--replay", "given.trace", "-q"]);
    assert_eq!(ran.code, 0, "{ran}");
    let always = ["trace", "definitely", "given.trace", "forall p: p.x = 9"];
    let ran = synod_in(&here, &always);
    assert_eq!(ran.code, 0, "{ran}");
    let trace = fs::read_to_string(here.join("given.trace")).unwrap();
    // Without one of them, or with another, the run is a different one.
    for (line, other) in [("p0.x = 9\n", "p0.x = 8\n"), ("p2.choice = second", "p2.choice = third")] {
        assert!(trace.contains(line), "{trace}");
        let body = trace.replace(line, other);
        let body = &body[..body.rfind("hash").unwrap()];
        fs::write(here.join("other.trace"), body).unwrap();
        let ran = synod_in(&here, &["run", "given.syn", "--replay", "other.trace", "-q"]);
        assert_ne!(ran.code, 0, "{ran}");
    }
}

const LOW: &str = "\
algorithm low
assumes unidirectional ring, fifo
message M
var best := 0
state s
  send M
  receive M
  best := 1
  halt
invariant low: forall p: p.best < 1
scenario fails on ring(2) with names [Ann, Bob]
  expect Ann.best = 0
scenario expected on ring(2)
  expect low violated
scenario named_like_a_message on ring(2) with names [M, B]
  expect M.best = 1 and messages of M = 2
  expect low violated
";

/// A process may have the name of a message.
#[test]
fn a_process_named_like_a_message() {
    let here = folder("named_like_a_message", &[("low.syn", LOW.as_bytes())]);
    let ran = synod_in(&here, &["test", "low.syn", "--scenario", "named_like_a_message"]);
    assert_eq!(ran.code, 0, "{ran}");
}

/// List, diagram and header name the property that an event violates, whether a scenario expects it or not.
#[test]
fn traces_of_scenarios_name_the_violation() {
    let here = folder("violated", &[("low.syn", LOW.as_bytes())]);
    let trace = |scenario| ["test", "low.syn", "--scenario", scenario, "--trace", "low.trace"];
    assert_snapshot!(session([
        synod_in(&here, &["test", "low.syn", "--scenario", "fails", "-v"]),
        synod_in(&here, &["test", "low.syn", "--scenario", "fails", "-v", "--ascii"]),
        synod_in(&here, &trace("expected")),
        synod_in(&here, &["trace", "show", "low.trace", "--no-diagram"]),
    ]));
}
