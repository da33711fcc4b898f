//! Results in files, pipes and the standard output: whether they can be written is checked before the work begins.

use crate::cli::harness::{folder, synod_in, synod_with};
use std::fs;

const CENSUS: &[u8] = b"algorithm one\nassumes unidirectional ring\nmessage M\nstate s\n  send M\n  receive M\n  halt\n\n\
    scenario three on ring(3)\n  expect outcome terminated\n\nscenario four on ring(4)\n  expect messages = 4\n";

#[test]
fn unwritable_results_are_reported_before_the_work() {
    let here = folder("unwritable", &[("file", b"no folder".as_slice())]);
    for words in [
        vec!["verify", "voting", "--on", "complete(2)", "--trace", "file/x.trace"],
        vec!["verify", "voting", "--on", "complete(2)", "--save-scenario", "file/x.syn"],
        vec!["run", "franklin", "--trace", "file/x.trace"],
        vec!["measure", "franklin", "--n", "4", "--csv", "file/x.csv"],
        vec!["draw", "franklin", "-o", "file/x.svg"],
        vec!["test", "franklin", "--junit", "file/x.xml"],
    ] {
        let ran = synod_in(&here, &words);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran}");
        assert!(ran.stderr.starts_with("error: cannot write file/x."), "{ran}");
    }
    assert_eq!(fs::read_dir(&here).unwrap().count(), 1, "nothing else has been written");
}

/// Every process waits for a vote before it votes.
const VOTES: &str = "algorithm votes
assumes unidirectional ring, unique ids
message Vote
var done : Bool
state s
  receive Vote
  send Vote to next
  done := true
  halt
finally all: forall p: p.done
";

#[test]
fn inputs_are_not_overwritten() {
    let other = b"// Another one.\nalgorithm other\nassumes complete, unique ids\nstate s\n  halt\n";
    let here = folder("overwritten", &[("votes.syn", VOTES.as_bytes()), ("other.syn", other.as_slice())]);
    let own = "votes.syn is an input, and would be overwritten";
    let twice = "two results would be written to x";
    for (words, why) in [
        (vec!["verify", "votes.syn", "--trace", "votes.syn"], own),
        (
            vec!["verify", "votes", "--trace", "./votes.syn"],
            "./votes.syn is an input, and would be overwritten",
        ),
        (vec!["verify", "votes.syn", "--trace", "x", "--save-scenario", "x"], twice),
        (vec!["run", "votes.syn", "--trace", "votes.syn"], own),
        (vec!["draw", "votes.syn", "-o", "votes.syn", "--to", "svg"], own),
        (vec!["measure", "votes.syn", "--n", "2", "--csv", "votes.syn"], own),
        (vec!["test", "votes.syn", "--junit", "votes.syn"], own),
        (vec!["verify", "votes.syn", "--trace", ""], "the file name of a result is empty"),
        (
            vec!["verify", "votes.syn", "--save-scenario", "other.syn"],
            "other.syn is a program, and would be overwritten",
        ),
    ] {
        let ran = synod_in(&here, &words);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran}");
        assert!(ran.stderr.starts_with(&format!("error: {why}")), "{ran}");
        assert_eq!(fs::read_to_string(here.join("votes.syn")).unwrap(), VOTES, "{ran}");
        assert_eq!(fs::read(here.join("other.syn")).unwrap(), other, "{ran}");
    }
    // A file that a command has written may be overwritten.
    for _ in 0..2 {
        let ran = synod_in(
            &here,
            &["verify", "votes.syn", "--on", "ring(2)", "-q", "--save-scenario", "found.syn"],
        );
        assert_eq!(ran.code, 1, "{ran}");
    }
    assert!(here.join("found.syn").exists());
}

/// The help says that the scenario is for the source file: so it may be appended there.
#[test]
fn a_scenario_for_the_program_is_added_to_it() {
    let here = folder("added", &[("votes.syn", VOTES.as_bytes())]);
    let ran = synod_in(&here, &["verify", "votes", "--on", "ring(2)", "--save-scenario", "votes.syn"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stderr.contains("appended the scenario to votes.syn"), "{ran}");
    let text = fs::read_to_string(here.join("votes.syn")).unwrap();
    assert!(text.starts_with(VOTES) && text.contains("\nscenario found_all on ring(2)"), "{text}");
    assert_eq!(synod_in(&here, &["test", "votes.syn"]).code, 0);
    // A second one is added after it.
    synod_in(&here, &["verify", "votes.syn", "--on", "ring(2)", "--save-scenario", "votes.syn"]);
    let text = fs::read_to_string(here.join("votes.syn")).unwrap();
    assert!(text.contains("\nscenario found_all_2 on ring(2)"), "{text}");
    assert_eq!(synod_in(&here, &["test", "votes.syn"]).code, 0);
}

#[test]
fn a_result_not_written_for_lack_of_findings_is_reported() {
    let here = folder("no_counterexample", &[("x.trace", b"synod trace 1\nof before".as_slice())]);
    let ran = synod_in(&here, &["verify", "chang_roberts", "--on", "ring(2)", "--trace", "x.trace"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert!(ran.stderr.contains("there is no counterexample: x.trace was not written"), "{ran}");
    assert_eq!(fs::read_to_string(here.join("x.trace")).unwrap(), "synod trace 1\nof before");
}

#[test]
fn no_partial_results_are_left() {
    let here = folder("nothing_left", &[]);
    for words in [
        vec!["measure", "nothere", "--csv", "x.csv"],
        vec!["measure", "franklin", "--n", "4", "--on", "ring(", "--svg", "x.svg"],
        vec!["run", "nothere", "--trace", "x.trace"],
        vec!["verify", "franklin", "--trace", "x.trace"],
    ] {
        synod_in(&here, &words);
    }
    assert_eq!(fs::read_dir(&here).unwrap().count(), 0);
}

/// Return the commands that write a result to the file `x`, with or without a folder.
fn writers(file: &str) -> Vec<Vec<&str>> {
    vec![
        vec!["run", "franklin", "-q", "--trace", file],
        vec!["verify", "voting", "-q", "--on", "complete(2)", "--trace", file],
        vec!["verify", "voting", "-q", "--on", "complete(2)", "--save-scenario", file],
        vec!["measure", "franklin", "-q", "--n", "4", "--csv", file],
        vec!["measure", "franklin", "-q", "--n", "4,8", "--svg", file],
        vec!["draw", "franklin", "-q", "--to", "svg", "-o", file],
        vec!["draw", "franklin", "-q", "--to", "text", "-o", file],
        vec!["draw", "franklin", "-q", "--to", "html", "-o", file],
        vec!["test", "franklin", "-q", "--junit", file],
    ]
}

/// A missing folder is more often a typing error than intended.
#[test]
fn folders_of_results_are_not_created() {
    let here = folder("no_folders", &[]);
    for words in writers("a/b/x") {
        let ran = synod_in(&here, &words);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran}");
        let why = "error: cannot write a/b/x: there is no folder a/b\n  hint: create the folder first\n";
        assert_eq!(ran.stderr, why, "{ran}");
    }
    assert_eq!(fs::read_dir(&here).unwrap().count(), 0, "nothing has been written");
}

/// Results replace results only.
#[test]
fn foreign_files_are_not_overwritten() {
    let text = "Remember the milk.\n";
    let here = folder("not_ours", &[("x", text.as_bytes())]);
    for words in writers("x") {
        let ran = synod_in(&here, &words);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran}");
        assert!(
            ran.stderr.starts_with("error: x was not written by synod, and would be overwritten"),
            "{ran}"
        );
        assert_eq!(fs::read_to_string(here.join("x")).unwrap(), text, "{ran}");
    }
    let frames = ["draw", "franklin", "-q", "--frames", "frames", "--until", "1"];
    assert_eq!(synod_in(&here, &frames).code, 0);
    assert_eq!(synod_in(&here, &frames).code, 0);
    fs::write(here.join("frames/frame-001.svg"), text).unwrap();
    assert_eq!(synod_in(&here, &frames).code, 2);
    assert_eq!(fs::read_to_string(here.join("frames/frame-001.svg")).unwrap(), text);
    assert_eq!(synod_in(&here, &["man", "pages"]).code, 0);
    assert_eq!(synod_in(&here, &["man", "pages"]).code, 0);
    fs::write(here.join("pages/synod-run.1"), text).unwrap();
    assert_eq!(synod_in(&here, &["man", "pages"]).code, 2);
    assert_eq!(fs::read_to_string(here.join("pages/synod-run.1")).unwrap(), text);
    // Everything that Synod has written is recognised.
    for (number, words) in writers("FILE").iter().enumerate() {
        let name = format!("own{number}{}", if words.contains(&"--save-scenario") { ".syn" } else { "" });
        let words: Vec<&str> =
            words.iter().map(|word| if *word == "FILE" { name.as_str() } else { *word }).collect();
        for _ in 0..2 {
            let ran = synod_in(&here, &words);
            assert!(ran.code < 2, "{ran}");
            assert!(fs::metadata(here.join(&name)).unwrap().len() > 0, "{ran}");
        }
    }
}

#[test]
fn one_result_may_go_to_the_standard_output() {
    let here = folder("standard_output", &[]);
    for (words, begins) in [
        (vec!["verify", "voting", "--on", "complete(2)", "--trace", "-"], "synod trace 1\n"),
        (vec!["run", "franklin", "--trace", "-"], "synod trace 1\n"),
        (vec!["measure", "franklin", "--n", "4", "--csv", "-"], "algorithm,"),
        (vec!["measure", "franklin", "--n", "4,8", "--svg", "-"], "<svg "),
        (
            vec!["measure", "franklin", "--n", "4", "--adversary", "--budget", "4", "--trace", "-"],
            "synod trace 1\n",
        ),
        (vec!["draw", "franklin", "--to", "svg", "-o", "-"], "<svg "),
        (vec!["test", "franklin", "--junit", "-"], "<?xml "),
    ] {
        let ran = synod_in(&here, &words);
        assert!(ran.code < 2 && ran.stdout.starts_with(begins), "{ran}");
    }
    for words in [
        vec!["verify", "voting", "--json", "--trace", "-"],
        vec!["verify", "voting", "--save-scenario", "-", "--trace", "-"],
        vec!["measure", "franklin", "--json", "--csv", "-"],
        vec!["measure", "franklin", "--csv", "-", "--svg", "-"],
    ] {
        let ran = synod_in(&here, &words);
        assert_eq!(ran.code, 2, "{ran}");
        assert!(format!("{}{}", ran.stdout, ran.stderr).contains("both use the standard output"), "{ran}");
    }
    assert_eq!(fs::read_dir(&here).unwrap().count(), 0, "no file is called -");
}

/// A pipe is written to. It used to be replaced by a file, as `/dev/null` would have been.
#[cfg(unix)]
#[test]
fn a_pipe_stays_a_pipe() {
    use std::os::unix::fs::FileTypeExt;
    let here = folder("a_pipe", &[]);
    let pipe = here.join("pipe");
    if !std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()) {
        return;
    }
    for (words, begins) in [
        (vec!["test", "franklin", "-q", "--junit", "pipe"], "<?xml "),
        (vec!["run", "franklin", "-q", "--trace", "pipe"], "synod trace 1\n"),
        (vec!["measure", "franklin", "-q", "--n", "4", "--csv", "pipe"], "algorithm,"),
        (vec!["draw", "franklin", "-q", "--to", "svg", "-o", "pipe"], "<svg "),
    ] {
        let reader = {
            let pipe = pipe.clone();
            std::thread::spawn(move || fs::read_to_string(pipe).unwrap())
        };
        let ran = synod_in(&here, &words);
        assert_eq!(ran.code, 0, "{ran}");
        assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo(), "{ran}");
        assert!(reader.join().unwrap().starts_with(begins), "{ran}");
    }
}

#[test]
fn an_unknown_scenario_is_an_error() {
    let here = folder("no_scenario", &[("one.syn", CENSUS)]);
    for (text, hint) in [("tree", "did you mean three?"), ("x*", "there are three, four")] {
        for env in [&[][..], &[("CI", "1")]] {
            let ran = synod_with(&here, &["test", "one.syn", "--scenario", text], b"", env);
            assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran}");
            let said = format!("error: no scenario matches '{text}'\n  hint: {hint}\n");
            assert_eq!(ran.stderr, said);
        }
    }
    // Files without it are not reported if other files have it.
    let ran = synod_in(&here, &["test", "one.syn", "franklin", "--scenario", "halving"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert!(ran.stdout.starts_with("franklin\n  halving  passed"), "{ran}");
}

/// `election.syn` may be an algorithm, although there is a problem `Election`.
#[test]
fn an_algorithm_may_be_called_like_a_problem() {
    let here = folder("called_like_a_problem", &[]);
    assert_eq!(synod_in(&here, &["new", "election"]).code, 0);
    fs::write(here.join("other.syn"), "algorithm other variant of franklin\n").unwrap();
    let ran = synod_in(&here, &["check", "election.syn", "other.syn"]);
    assert_eq!(ran.code, 0, "{ran}");
    let ran = synod_in(&here, &["test", "election.syn"]);
    assert!(ran.code == 0 && ran.stdout.contains("1 of 1 scenario passed"), "{ran}");
    let ran = synod_in(&here, &["run", "election.syn", "--no-events", "--no-diagram"]);
    assert!(ran.code == 0 && ran.stdout.contains("holds  uniqueness"), "{ran}");
    // A user's own problem still overrides that of the library.
    fs::write(here.join("election.syn"), "problem Election\nvar mine : Bool\n").unwrap();
    fs::write(
        here.join("third.syn"),
        "algorithm third solves Election\nassumes unidirectional ring\nstate s\n  halt\n",
    )
    .unwrap();
    let ran = synod_in(&here, &["run", "third.syn", "--no-events", "--no-diagram"]);
    assert!(ran.code == 0 && ran.stdout.contains("mine"), "{ran}");
}

#[test]
fn a_trace_of_another_algorithm_is_not_replayed() {
    let here = folder("of_another", &[]);
    synod_in(&here, &["run", "franklin", "-q", "--trace", "t.trace"]);
    let ran = synod_in(&here, &["run", "lelann", "--replay", "t.trace"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran}");
    assert!(ran.stderr.starts_with("error: t.trace is a trace of franklin, not of lelann\n"), "{ran}");
    let ran = synod_in(&here, &["trace", "show", "franklin"]);
    assert!(ran.stderr.contains("`synod run franklin --trace franklin.trace` records a run"), "{ran}");
}

/// A trace knows its network: on another one, the run would be different or impossible.
#[test]
fn a_trace_is_not_replayed_on_another_network() {
    let here = folder("elsewhere", &[("pair.dot", b"graph { a -- b }")]);
    synod_in(&here, &["run", "lamport", "--on", "complete(2)", "-q", "--trace", "t.trace"]);
    let replayed = |on: &str| synod_in(&here, &["run", "lamport", "-q", "--replay", "t.trace", "--on", on]);
    for (on, named) in
        [("complete(3)", "complete(3)"), ("edges(0-1)", "edges(0-1)"), ("pair.dot", "pair.dot")]
    {
        let ran = replayed(on);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran}");
        let said = format!("error: the trace was recorded on complete(2), but --on names {named}\n");
        assert!(ran.stderr.starts_with(&said), "{ran}");
    }
    assert_eq!(replayed("complete(2)").code, 0);
}

/// Processes with names in a network file have them in every form of a trace, also in values and messages.
#[test]
fn names_of_a_network_file_are_shown_everywhere() {
    let program = b"algorithm names\nassumes connected graph\nmessage Seen(by : Port?)\nvar father : Port?\n\
        state s\n  on wakeup -> send Seen(none) to neighbours; become t\n  \
        on Seen(_) from p -> father := p; send Seen(p) to p; become t\n\
        state t\n  ignore Seen\n";
    let net = b"graph { Hub -- Ann; Hub -- Bob }".as_slice();
    let here = folder("names_everywhere", &[("names.syn", program.as_slice()), ("net.dot", net)]);
    let run = ["run", "names.syn", "--on", "net.dot", "--initiators", "Hub", "--json", "--trace", "t.trace"];
    let ran = synod_in(&here, &run);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["processes"][1]["name"], "Ann", "{ran}");
    for form in ["tikz", "perfetto", "csv", "itf", "shiviz", "dot", "svg", "html"] {
        let words = match form {
            "svg" | "html" => vec!["draw", "t.trace", "--on", "net.dot", "--to", form],
            _ => vec!["trace", "convert", "t.trace", "--to", form],
        };
        let ran = synod_in(&here, &words);
        assert!(ran.stdout.contains("Seen(Hub)") && !ran.stdout.contains("Seen(p0)"), "{form}: {ran}");
        assert!(!ran.stdout.contains("father=p0") && !ran.stdout.contains("\"p0\""), "{form}: {ran}");
    }
    let words = ["trace", "cut", "t.trace", "1,0,1"];
    let ran = synod_in(&here, &words);
    assert!(ran.stdout.contains("father=Hub") && ran.stdout.contains("Bob → Hub  m2 Seen(Hub)"), "{ran}");
    let words = ["trace", "possibly", "t.trace", "some p: p.father != none", "--on", "net.dot"];
    let ran = synod_in(&here, &words);
    assert!(ran.stdout.contains("father=Hub") && ran.stdout.contains("m2 Seen(Hub)"), "{ran}");
    let words = ["repl", "names.syn", "--on", "net.dot", "--initiators", "Ann"];
    let ran = synod_with(&here, &words, b".initiators\n.seed 2\n", &[]);
    assert!(ran.stdout.contains("Ann\nnames on net.dot · initiators Ann"), "{ran}");
    // Names that look like positions are put in place of positions once.
    fs::write(here.join("net.dot"), "graph { p1 -- p0; p1 -- p2 }").unwrap();
    let ran = synod_in(&here, &["draw", "names.syn", "--on", "net.dot", "--initiators", "p1"]);
    assert_eq!(ran.stdout.matches("father=p1").count(), 2, "{ran}");
    assert!(ran.stdout.contains("m3 Seen(p1)"), "{ran}");
}

/// `draw --cut` and `trace cut` accept the same notation of a cut.
#[test]
fn a_cut_is_written_in_one_way() {
    let here = folder("one_cut", &[]);
    synod_in(&here, &["run", "lamport", "--on", "complete(3)", "-q", "--trace", "t.trace"]);
    let json = |words: &[&str]| -> serde_json::Value {
        let ran = synod_in(&here, words);
        assert_eq!(ran.code, 0, "{ran}");
        serde_json::from_str(&ran.stdout).unwrap()
    };
    for cut in ["0,0,0", "1,0,2", "2,5,1", "p1:3", "p0:2,p2:4", "none", "all", "e7,e9"] {
        let drawn = json(&["draw", "t.trace", "--to", "svg", "--json", "--cut", cut]);
        let told = json(&["trace", "cut", "t.trace", cut, "--json"]);
        assert_eq!(drawn["cut"]["counts"], told["cut"], "{cut}");
        assert_eq!(drawn["cut"]["consistent"], told["consistent"], "{cut}");
    }
}

/// An added variable is shown in a row of its own, and not among the unchanged ones.
#[test]
fn an_added_variable_is_a_difference_of_that_variable() {
    let here = folder("a_variable_more", &[("one.syn", CENSUS)]);
    synod_in(&here, &["test", "one.syn", "--scenario", "three", "--snapshot"]);
    synod_in(&here, &["test", "accept"]);
    let more = String::from_utf8_lossy(CENSUS).replace("message M\n", "message M\nvar seen : Int\n");
    fs::write(here.join("one.syn"), more).unwrap();
    let ran = synod_in(&here, &["test", "one.syn", "-q"]);
    assert_eq!(ran.code, 1, "{ran}");
    let rows: Vec<Vec<&str>> = ran
        .stdout
        .lines()
        .filter(|l| l.contains("initial"))
        .map(|l| l.split_whitespace().collect())
        .collect();
    let expected = |p: &'static str| vec!["initial", p, "nothing", "0"];
    assert_eq!(rows, [expected("p0.seen"), expected("p1.seen"), expected("p2.seen")], "{ran}");
}

/// The trace of a failed scenario states the first failure, and the waits of a deadlock, also after a violation.
#[test]
fn traces_of_failed_scenarios_have_a_verdict() {
    let program = b"algorithm waits
assumes unidirectional ring, fifo
message M, N
var got := 0
state s
  send M to next
  receive M
  got := 1
  send N to next
  receive M
finally few: (sum p: p.got) < 2
scenario quiet on ring(2)
  expect outcome quiescent
scenario three on ring(2)
  expect messages = 3
  expect few violated
";
    let here = folder("failed_verdicts", &[("waits.syn", program)]);
    let verdict = |words: &[&str]| {
        synod_in(&here, &[words, &["--trace", "t.trace"]].concat());
        let text = fs::read_to_string(here.join("t.trace")).unwrap();
        text.lines().find_map(|line| Some(line.strip_prefix("verdict ")?.trim().to_string()))
    };
    let waits = "p1 cannot take N from p0: it is waiting at «receive M»; p0 cannot take N from p1: it is ";
    for words in
        [&["run", "waits.syn", "--on", "ring(2)", "-q"][..], &["test", "waits.syn", "--scenario", "three"]]
    {
        let found = verdict(words).unwrap_or_default();
        let (property, deadlock) = found.split_once("; deadlock: ").unwrap_or((&found, ""));
        assert!(property.starts_with("few violated: `(sum p: p.got) < 2` is false"), "{found}");
        assert!(deadlock.starts_with(waits), "{found}");
    }
    let found = verdict(&["test", "waits.syn", "--scenario", "quiet"]).unwrap_or_default();
    let failed = "scenario quiet failed: the outcome is `stuck`, not `quiescent`: p1 cannot take N from p0";
    assert!(found.starts_with(failed) && found.matches("p1 cannot take").count() == 1, "{found}");
}
