//! `synod measure`, and traces for other tools.

use crate::cli::harness::{Ran, folder, session, synod, synod_in, synod_with};
use insta::assert_snapshot;
use serde_json::Value;
use std::fs;

#[test]
fn costs_over_sizes() {
    assert_snapshot!(session([
        synod(&["measure", "dolev_klawe_rodeh", "--n", "1..16", "--runs", "4"]),
        synod(&["measure", "flooding", "--n", "4,8", "--runs", "2", "-v"]),
        synod(&[
            "measure",
            "chang_roberts",
            "--n",
            "4..32",
            "--ids",
            "random,worst",
            "--runs",
            "3",
            "--ascii"
        ]),
        synod(&["measure", "echo", "--on", "petersen", "--runs", "3", "-q"]),
    ]));
}

#[test]
fn what_is_asked_for_must_make_sense() {
    assert_snapshot!(session([
        synod(&["measure", "lelann", "--n", "8..4"]),
        synod(&["measure", "lelann", "--on", "ring(8)", "--n", "4..8"]),
        synod(&["measure", "lelann", "--on", "ring({n}"]),
        synod(&["measure", "lelann", "--on", "torus({n}, {n})", "--n", "3"]),
        synod(&["measure", "lelann", "--ids", "best"]),
        synod(&["measure", "lelann", "--ids", "3,1", "--n", "3"]),
        synod(&["measure", "dolev_klawe_rodeh", "--ids", "worst", "--n", "3"]),
        synod(&["measure", "lelann", "--shard", "0/2"]),
        synod(&["measure", "lelann", "--property", "E11"]),
        synod(&["measure", "lelann", "--csv", "/dev/null/x.csv"]),
        synod(&["measure", "--merge", "nothing.jsonl"]),
        synod(&["measure", "Election"]),
    ]));
}

#[test]
fn findings_and_limits_have_their_exit_codes() {
    let stuck = synod(&["measure", "maekawa_1985", "--n", "5", "--runs", "20"]);
    assert_eq!(stuck.code, 1, "{stuck}");
    let again = stuck.stdout.lines().find_map(|line| line.trim().strip_prefix("again: synod "));
    let again = again.expect("a finding comes with its command").replace('\'', "");
    let words: Vec<&str> = again.split(' ').collect();
    let shown = synod(&words);
    assert!(shown.code == 1 && shown.stdout.contains("stuck"), "{shown}");
    let limited = synod(&["measure", "lelann", "--n", "4..16", "--max-steps", "80"]);
    assert_eq!(limited.code, 3, "{limited}");
    assert!(
        limited.stdout.contains("stopped at the step limit") && limited.stdout.contains("0 of 10"),
        "{limited}"
    );
    let nothing = synod(&["measure", "lelann", "--n", "8,16", "--max-steps", "9"]);
    assert_eq!(nothing.code, 3, "{nothing}");
    assert_eq!(
        nothing.stdout.lines().skip(1).collect::<Vec<_>>(),
        [
            "no violation in 20 runs, 20 stopped at the step limit: no complete runs to measure (--max-steps N allows longer ones)"
        ],
        "{nothing}"
    );
}

/// A bound that does not hold, and an invariant that is only checked with --property.
const WRONG: &[u8] = b"algorithm wrong
assumes unidirectional ring, unique ids

message M
var x : Int

state s
  send M
  x := 1
  receive M
  x := 2
  halt

bound cost: messages <= n - 1
invariant low: forall p: p.x < 2
";

#[test]
fn violations_come_with_their_command() {
    let here = folder("measure_wrong", &[("wrong.syn", WRONG)]);
    let ran = synod_in(&here, &["measure", "wrong.syn", "--n", "3,5", "--runs", "2"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stdout.contains("cost VIOLATED in 4 runs, first with n = 3: 3, more than 2"), "{ran}");
    assert!(ran.stdout.contains("3 of 2 = 1.500  VIOLATED"), "{ran}");
    assert!(!ran.stdout.contains("low VIOLATED"), "{ran}");
    let watched = synod_in(&here, &["measure", "wrong.syn", "--n", "3", "--runs", "2", "--property", "low"]);
    assert!(watched.code == 1 && watched.stdout.contains("low VIOLATED"), "{watched}");
    let searched = synod_in(&here, &["measure", "wrong.syn", "--n", "3", "--adversary", "--budget", "8"]);
    assert!(searched.code == 1 && searched.stdout.contains("VIOLATED cost: 3, more than 2"), "{searched}");
}

#[test]
fn the_same_bytes_whatever_the_jobs() {
    for more in [&["--runs", "6"][..], &["--adversary", "--budget", "60"]] {
        let run = |jobs: &str| {
            synod(
                &[&["measure", "hirschberg_sinclair", "--n", "2..8", "--json", "-j", jobs][..], more]
                    .concat(),
            )
            .stdout
        };
        assert_eq!(run("1"), run("5"));
    }
}

/// Dijkstra's ring: its runs are infinite, and must converge to one privilege.
pub const ENDLESS: &[u8] = b"algorithm kring
assumes unidirectional ring, reads neighbours, distributed daemon, one Root

param k : Int = 3
var x : 0..k - 1 := any

role Root
  when x = prev.x -> x := (x + 1) mod k

role Other
  when x != prev.x -> x := prev.x

settles one: (count p: p.enabled) = 1
";

#[test]
fn runs_without_an_end_are_measured_until_they_have_settled() {
    let here = folder("measure_endless", &[("kring.syn", ENDLESS)]);
    let set = ["--set", "k=9", "--runs", "2"];
    let measure = |more: &[&str]| synod_in(&here, &[&["measure", "kring.syn"][..], &set, more].concat());
    let ran = measure(&["--n", "3", "--json"]);
    assert_eq!(ran.code, 0, "{ran}");
    let body: Value = serde_json::from_str(&ran.stdout).unwrap();
    for row in body["rows"].as_array().unwrap() {
        assert_eq!((&row["settled"], &row["cut_off"]), (&Value::from(2), &Value::from(0)), "{ran}");
        // So few processes converge in a few moves; the run itself would take thousands.
        assert!(row["moves"]["greatest"].as_u64().unwrap() < 50, "{ran}");
    }
    let worst = synod_in(
        &here,
        &[
            "measure",
            "kring.syn",
            "--set",
            "k=9",
            "--n",
            "3",
            "--adversary",
            "--budget",
            "1",
            "--of",
            "moves",
        ],
    );
    assert!(worst.code == 0 && !worst.stdout.contains("no run ended"), "{worst}");
    // The table shows it, too.
    let csv = measure(&["--n", "3", "--csv", "-"]);
    let rows: Vec<Vec<&str>> = csv.stdout.lines().map(|line| line.split(',').collect()).collect();
    let place = rows[0].iter().position(|name| *name == "settled").unwrap_or_else(|| panic!("{csv}"));
    assert_eq!((rows[0][place - 1], rows[1][place - 1], rows[1][place]), ("runs", "2", "2"), "{csv}");
}

/// If only `eventually` is awaited, a run ends when it comes true, and not while processes start.
#[test]
fn runs_without_an_end_end_when_everything_has_come_true() {
    let alone = b"algorithm alone_at_last
assumes unidirectional ring, reads neighbours, synchronous daemon, one Root
var x : Int := 3
var turns : Int
role Root
  when true -> skip
role Other
  when turns < 2 -> turns := turns + 1
  when turns = 2 and x = 3 -> x := 0
  when x = 0 -> skip
eventually alone: (count p: p.x = 3) = 1
";
    let here = folder("measure_fulfilled", &[("alone.syn", alone)]);
    let ran = synod_in(&here, &["measure", "alone.syn", "--n", "1,2,40", "--runs", "2", "--json"]);
    let body: Value = serde_json::from_str(&ran.stdout).unwrap();
    let rows = body["rows"].as_array().unwrap().iter();
    let found: Vec<_> = rows.map(|row| (row["settled"].as_u64(), row["rounds"]["least"].as_u64())).collect();
    assert_eq!(found, [(Some(2), Some(0)), (Some(2), Some(3)), (Some(2), Some(3))], "{ran}");
}

#[test]
fn a_search_that_finds_nothing_says_how_many_runs_it_made() {
    let text = b"algorithm restless
assumes unidirectional ring, unique ids
message Token
state s
  on wakeup -> send Token
  on Token  -> send Token
";
    let here = folder("measure_restless", &[("restless.syn", text)]);
    let words =
        ["measure", "restless.syn", "--n", "2", "--initiators", "1", "--adversary", "--budget", "400"];
    let ran = synod_in(&here, &[&words[..], &["--max-steps", "50", "--csv", "-"]].concat());
    assert!(ran.code == 3 && ran.stdout.ends_with("\r\nrestless,2,,,,,400,400,0\r\n"), "{ran}");
    assert!(ran.stderr.contains("(400 runs did not end and do not count)"), "{ran}");
}

#[test]
fn runs_that_neither_end_nor_settle_are_not_all_made() {
    let text = b"algorithm restless
assumes unidirectional ring, unique ids

message Token

state s
  on wakeup -> send Token
  on Token  -> send Token
";
    let here = folder("measure_for_ever", &[("restless.syn", text)]);
    let ran = synod_in(&here, &["measure", "restless.syn", "--n", "3,4", "--runs", "5"]);
    assert_eq!(ran.code, 3, "{ran}");
    assert!(ran.stderr.contains("the first run, with n = 3 and seed 1, has not ended after"), "{ran}");
    assert!(
        ran.stdout.contains("no violation in 1 run, of 10 planned, 1 stopped at the step limit"),
        "{ran}"
    );
}

/// Sort the lines in the order of the runs: threads finish them in any order.
fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn parts_make_the_whole() {
    let here = folder("measure_parts", &[]);
    let measure = |more: &[&str]| {
        synod_in(&here, &[&["measure", "lelann", "--n", "3..12", "--runs", "3"][..], more].concat())
    };
    for part in ["1/3", "2/3", "3/3"] {
        assert_eq!(measure(&["--shard", part]).code, 0);
    }
    let files = ["lelann-1-of-3.jsonl", "lelann-2-of-3.jsonl", "lelann-3-of-3.jsonl"];
    let merged = synod_in(&here, &["measure", "--merge", files[2], files[0], files[1], "--csv", "a.csv"]);
    let whole = measure(&["--csv", "b.csv"]);
    assert_eq!((merged.code, &merged.stdout), (0, &whole.stdout));
    let read = |file: &str| fs::read_to_string(here.join(file)).unwrap();
    assert_eq!(read("a.csv"), read("b.csv"));
    assert_eq!(measure(&["--shard", "1/2", "--seed", "5"]).code, 0);
    // One run missing, and the last line truncated.
    let cut = read(files[0]);
    fs::write(here.join("cut.jsonl"), &cut[..cut.len() - 30]).unwrap();
    fs::write(here.join("torn.jsonl"), cut.replacen("\"run\":3", "\"run\":0", 1)).unwrap();
    fs::write(here.join("old.jsonl"), cut.replacen("\"synod_measure\":1", "\"synod_measure\":9", 1)).unwrap();
    fs::write(here.join("none.jsonl"), "{}\n").unwrap();
    fs::write(here.join("latin.jsonl"), b"\xff\xfe\xe9").unwrap();
    let merge = |files: &[&str]| synod_in(&here, &[&["measure", "--merge"][..], files].concat());
    let runs = [
        merge(&files[..2]),
        merge(&[files[0], files[1], files[1]]),
        merge(&[files[0], "lelann-1-of-2.jsonl"]),
        merge(&["cut.jsonl", files[1], files[2]]),
        merge(&["torn.jsonl"]),
        merge(&["old.jsonl"]),
        merge(&["none.jsonl"]),
        merge(&["latin.jsonl"]),
    ];
    assert!(runs.iter().all(|ran| ran.code == 2));
    assert_snapshot!(session(runs));
}

#[test]
fn an_interrupted_measurement_goes_on() {
    let here = folder("measure_resume", &[]);
    let words = ["measure", "lelann", "--n", "3..12", "--runs", "4", "--resume", "all.jsonl"];
    let first = synod_in(&here, &words);
    let all = fs::read_to_string(here.join("all.jsonl")).unwrap();
    assert_eq!(all.lines().count(), 13);
    for keep in [0, 20, all.len() / 3, all.len() / 2, all.len() - 1, all.len()] {
        // Truncated anywhere, as by a power failure.
        let cut = all.char_indices().map(|(at, _)| at).take_while(|at| *at <= keep).last().unwrap_or(0);
        let header = all.find('\n').unwrap();
        fs::write(here.join("all.jsonl"), &all[..cut]).unwrap();
        let again = synod_in(&here, &words);
        if 0 < cut && cut <= header {
            // Without its first line the file is unusable.
            assert_eq!(again.code, 2, "{again}");
            continue;
        }
        assert_eq!((again.code, &again.stdout), (0, &first.stdout), "{again}");
        let now = fs::read_to_string(here.join("all.jsonl")).unwrap();
        assert_eq!(sorted(&now), sorted(&all));
    }
    let other =
        synod_in(&here, &["measure", "lelann", "--n", "3..12", "--runs", "5", "--resume", "all.jsonl"]);
    assert!(other.code == 2 && other.stderr.contains("their numbers of runs differ: 5 and 4"), "{other}");
}

#[test]
fn the_worst_is_found_where_it_is_known() {
    let worst = |algorithm: &str, n: &str, budget: &str| -> u64 {
        let ran = synod(&["measure", algorithm, "-n", n, "--adversary", "--budget", budget, "--json"]);
        let body: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}\n{ran}"));
        body["rows"][0]["worst"]["cost"].as_u64().unwrap()
    };
    // n (n + 1) / 2 with ids descending along the ring, and no process is told.
    assert_eq!(worst("chang_roberts", "9", "200"), 45);
    // 2 n ⌊log2 n⌋ + n, which powers of two attain.
    assert_eq!(worst("dolev_klawe_rodeh", "4", "200"), 20);
    assert_eq!(worst("dolev_klawe_rodeh", "8", "2000"), 56);
    // Its bound is attained: figures of the catalogue.
    assert_eq!(worst("hirschberg_sinclair", "8", "600"), 120);
}

#[test]
fn the_worst_can_be_seen_again() {
    let here = folder("measure_worst", &[]);
    let words = [
        "measure",
        "chang_roberts",
        "-n",
        "2,6",
        "--adversary",
        "--budget",
        "120",
        "--trace",
        "w.trace",
        "--csv",
        "w.csv",
    ];
    let ran = synod_in(&here, &words);
    assert_eq!(ran.code, 0, "{ran}");
    assert_snapshot!(ran);
    let replayed = synod_in(&here, &["trace", "replay", "w.trace"]);
    assert_eq!(replayed.code, 0, "{replayed}");
    let command = ran.stdout.lines().rfind(|line| line.contains("synod run")).unwrap().replace('\'', "");
    let again: Vec<&str> = command.split_whitespace().skip(1).collect();
    let shown = synod_in(&here, &[&again[..], &["--json"]].concat());
    let body: Value = serde_json::from_str(&shown.stdout).unwrap();
    assert_eq!(body["messages"]["total"], 21);
}

#[test]
fn drawings_are_xml() {
    let here = folder("measure_svg", &[]);
    for (file, words) in [
        ("a.svg", &["chang_roberts", "--n", "2..64", "--ids", "random,worst"][..]),
        ("b.svg", &["flooding", "--n", "1", "--runs", "1"]),
        ("c.svg", &["lelann", "--n", "4", "--max-steps", "1"]),
        ("d.svg", &["chang_roberts", "--n", "2..16", "--adversary", "--budget", "40"]),
        ("e.svg", &["lelann", "--n", "4", "--adversary", "--budget", "2", "--max-steps", "1"]),
    ] {
        let ran = synod_in(&here, &[&["measure"][..], words, &["--svg", file]].concat());
        assert!(ran.code == 0 || ran.code == 3, "{ran}");
        let text = fs::read_to_string(here.join(file)).unwrap();
        let document = roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let numbers = document.descendants().flat_map(|node| node.attributes().collect::<Vec<_>>());
        let wrong: Vec<&str> =
            numbers.map(|a| a.value()).filter(|v| v.contains("NaN") || v.contains("inf")).collect();
        assert!(wrong.is_empty(), "{wrong:?}\n{text}");
    }
}

#[test]
fn measures_over_another_topology() {
    let ran =
        synod(&["measure", "echo", "--on", "torus({n}, {2 * n})", "--n", "3,4", "--runs", "2", "--json"]);
    let body: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&body["rows"][0]["n"], &body["rows"][1]["n"]), (&18.into(), &32.into()));
    assert_eq!(body["rows"][0]["messages"]["least"], 2 * 36);
}

#[test]
fn a_program_may_come_from_the_standard_input() {
    let ran =
        synod_with(&folder("measure_stdin", &[]), &["measure", "-", "-n", "3", "--runs", "2"], WRONG, &[]);
    assert_eq!(ran.code, 1, "{ran}");
}

#[test]
fn traces_in_the_forms_of_other_tools() {
    let here = folder("exports", &[]);
    assert_eq!(synod_in(&here, &["run", "ricart_agrawala", "-q", "--trace", "t.trace"]).code, 0);
    let export = |form: &str| -> Ran { synod_in(&here, &["trace", "export", "t.trace", "--to", form]) };
    for form in ["itf", "perfetto"] {
        let ran = export(form);
        assert!(serde_json::from_str::<Value>(&ran.stdout).is_ok_and(|v| v.is_object()), "{ran}");
    }
    for form in ["shiviz", "mermaid", "plantuml", "dot", "tikz", "csv"] {
        let ran = export(form);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran}");
        assert_eq!(ran.stdout, synod_in(&here, &["trace", "convert", "t.trace", "--to", form]).stdout);
    }
    assert_eq!(synod_in(&here, &["trace", "convert", "t.trace", "--to", "word"]).code, 2);
    assert_snapshot!(export("mermaid"));
}

/// The braces must be typed literally: clap would interpret them.
#[test]
fn the_help_shows_where_the_size_stands() {
    for flag in ["-h", "--help"] {
        let ran = synod(&["measure", flag]);
        assert!(ran.stdout.contains("'torus({n}, {n})'") && !ran.stdout.contains('\x1b'), "{ran}");
    }
    let ran = synod(&["man", "measure"]);
    assert!(!ran.stdout.contains('\x1b'), "{ran}");
}

/// Costs are also divided by the completed operations of a run: messages, and time where the model has it.
#[test]
fn costs_for_each_completed_operation() {
    let measure = |words: &[&str]| synod(&[&["measure"], words].concat());
    let text = measure(&["ricart_agrawala", "-n", "3,6", "--runs", "2"]);
    let table = "
costs of a run, divided by its completed operations
     messages for each entry, exit
  n                     mean  most
  3                        4     4
  6                       10    10
";
    assert!(text.stdout.contains(table), "{text}");
    let json = measure(&["ricart_agrawala", "-n", "3", "--runs", "2", "--json"]);
    let object: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(object["operations"], serde_json::json!(["entry", "exit"]));
    let entry = &object["rows"][0]["operations"][0];
    assert_eq!(entry["messages"], serde_json::json!({ "mean": 4.0, "greatest": 4.0 }), "{object}");
    assert_eq!((&entry["completed"]["mean"], &entry["elapsed"]), (&Value::from(3.0), &Value::Null));
    let csv = measure(&["ricart_agrawala", "-n", "3", "--runs", "2", "--csv", "-", "-q"]);
    let rows: Vec<Vec<&str>> = csv.stdout.lines().map(|line| line.split(',').collect()).collect();
    let cell = |name: &str| rows[1][rows[0].iter().position(|of| *of == name).expect("a column")];
    assert_eq!((cell("entry_completed_mean"), cell("entry_messages_greatest")), ("3", "4"));
    assert_eq!(cell("entry_elapsed_mean"), "");
    let (_, server) = synod::internals::library::source("central_server").expect("it is in the library");
    let timed = server.replace("algorithm central_server", "algorithm timed");
    let timed = timed.replace("\nassumes ", "\nassumes delay <= 2, ");
    let here = folder("measure_operations", &[("timed.syn", timed.as_bytes())]);
    let words = ["measure", "timed.syn", "-n", "3", "--runs", "2"];
    let text = synod_in(&here, &words);
    assert!(text.stdout.contains("elapsed time for each entry, exit"), "{text}");
    let json = synod_in(&here, &[&words[..], &["--json"]].concat());
    let object: Value = serde_json::from_str(&json.stdout).expect("JSON");
    let elapsed = &object["rows"][0]["operations"][0]["elapsed"];
    assert!(elapsed["mean"].as_f64() <= elapsed["greatest"].as_f64() && elapsed["mean"].is_f64(), "{object}");
    // Elections have no operations.
    assert!(!measure(&["lelann", "-n", "4"]).stdout.contains("completed operations"));
}

/// A cycle decides a claimed `eventually`: no run is made up to the limit.
#[test]
fn a_cycle_violates_a_liveness_property() {
    let program = b"algorithm passing
assumes unidirectional ring, fifo
message M
var done := false
state s
  on wakeup -> send M
  on M      -> send M
eventually ends: forall p: p.done
";
    let here = folder("measured_cycle", &[("passing.syn", program)]);
    let words = ["measure", "passing.syn", "--n", "2,4", "--runs", "3", "--schedule", "fifo"];
    let named = [&words[..], &["--property", "ends", "-q"]].concat();
    assert_snapshot!(session([synod_in(&here, &words), synod_in(&here, &named)]));
}
