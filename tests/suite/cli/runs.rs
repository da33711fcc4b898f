//! `run`, `test` and `trace`.

use crate::cli::harness::{folder, session, synod, synod_in, synod_with};
use insta::assert_snapshot;
use std::fs;

#[test]
fn one_run() {
    assert_snapshot!(synod(&["run", "dolev_klawe_rodeh"]));
}

#[test]
fn one_run_in_ascii_with_flags() {
    assert_snapshot!(synod(&[
        "run",
        "lelann",
        "--on",
        "ring(3)",
        "--ids",
        "3,1,2",
        "--initiators",
        "3,p1",
        "--schedule",
        "adversary",
        "--seed",
        "0x10",
        "--property",
        "E1",
        "--ascii",
    ]));
}

/// A run of 22,800 events: `--trace` records them, the report shows the first, and says so.
#[test]
fn the_first_events_of_long_runs_are_shown() {
    let note = "(only runs of at most 20000 events and 4096 processes are recorded by default; --trace FILE records any run)";
    let run = |options: &[&str]| {
        let ran = synod(&[&["run", "lelann", "--on", "ring(150)"], options].concat());
        assert_eq!(ran.code, 0);
        ran.stdout.lines().nth(1).map(str::to_string)
    };
    assert_eq!(run(&[]).as_deref(), Some(note));
    let shown = synod(&["run", "lelann", "--on", "ring(150)"]).stdout;
    assert!(shown.contains("\n19  p19  start\n… 22780 events omitted\n"), "{shown}");
    assert_eq!(run(&["--no-events", "--no-diagram"]).as_deref(), Some(""));
    let file = folder("long_run", &[]).join("long.trace");
    assert_ne!(run(&["--trace", &file.display().to_string()]).as_deref(), Some(note));
    let events = fs::read_to_string(file).unwrap().lines().filter(|line| line.contains("on Token")).count();
    assert_eq!(events, 150 * 150);
}

#[test]
fn many_runs() {
    assert_snapshot!(session([
        synod(&["run", "dolev_klawe_rodeh", "--on", "ring(5)", "--ids", "3,9,1,4,7", "--runs", "50"]),
        synod(&["run", "maekawa_1985", "--on", "complete(5)", "--runs", "40"]),
    ]));
}

#[test]
fn what_goes_wrong_is_asked_for_and_said() {
    let bully = ["run", "bully", "--on", "complete(3)"];
    assert_snapshot!(session([
        synod(&[&bully[..], &["--faults", "crash<=1", "--seed", "4"]].concat()),
        synod(&[&bully[..], &["--no-events", "--no-diagram"]].concat()),
        synod(&[&bully[..], &["--faults", "fire<=1"]].concat()),
        synod(&[&bully[..], &["--faults", "crashes<=1"]].concat()),
        synod(&[&bully[..], &["--faults", "lost<=2"]].concat()),
        synod(&[&bully[..], &["--crashes", "1"]].concat()),
        synod(&["run", "lelann", "--faults", "crash<=1"]),
        synod(&["run", "reliable", "--on", "complete(3)", "--runs", "20", "--faults", "crash<=1"]),
    ]));
}

#[test]
fn the_named_command_shows_the_violation_again() {
    let ran = synod(&["run", "maekawa_1985", "--on", "complete(5)", "--runs", "40"]);
    assert_eq!(ran.code, 1);
    let again = ran.stdout.lines().find_map(|line| line.trim().strip_prefix("replay: synod "));
    let again = again.expect("a violation is named with its command").replace('\'', "");
    let words: Vec<&str> = again.split(' ').collect();
    let ran = synod(&words);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stdout.contains("violated"), "{ran}");
}

#[test]
fn the_same_seed_gives_the_same_bytes_whatever_the_jobs() {
    let run = |jobs: &str| {
        synod(&["run", "ricart_agrawala", "--runs", "30", "--seed", "7", "-j", jobs, "--json"]).stdout
    };
    assert_eq!(run("1"), run("4"));
    let once = || synod(&["run", "lamport", "--schedule", "random", "--seed", "5"]).stdout;
    assert_eq!(once(), once());
}

#[test]
fn runs_that_cannot_be() {
    assert_snapshot!(session([
        synod(&["run", "lelann", "--on", "star(3)"]),
        synod(&["run", "lelann", "--on", "ring(3)", "--ids", "1,2,2"]),
        synod(&["run", "lelann", "--ids", "1,2"]),
        synod(&["run", "lelann", "--initiators", "7"]),
        synod(&["run", "lelann", "--property", "E11"]),
        synod(&["run", "lelann", "--set", "entries=2"]),
        synod(&["run", "ricart_agrawala", "--set", "entires=2"]),
        synod(&["run", "ricart_agrawala", "--set", "entries=two"]),
        synod(&["run", "lelann", "--schedule", "fair"]),
        synod(&["run", "lelann", "--runs", "0"]),
        synod(&["run", "lelann", "--json", "--trace", "-"]),
        synod(&["run", "Election"]),
    ]));
}

#[test]
fn exit_codes() {
    let code = |words: &[&str]| synod(words).code;
    assert_eq!(code(&["run", "dolev_klawe_rodeh", "-q"]), 0);
    assert_eq!(code(&["run", "maekawa_1985", "--on", "complete(5)", "--runs", "40", "-q"]), 1);
    assert_eq!(code(&["run", "lelann", "--on", "star(3)"]), 2);
    assert_eq!(code(&["run", "lelann", "--max-steps", "5", "-q"]), 3);
    assert_eq!(code(&["run", "lelann", "--runs", "3", "--max-steps", "5", "-q"]), 3);
}

#[test]
fn traces_are_written_shown_converted_and_replayed() {
    let here = folder("traces", &[]);
    let run = |words: &[&str]| synod_in(&here, words);
    let first = run(&["run", "token_ring", "--schedule", "random", "--trace", "t.trace"]);
    let again = run(&["run", "token_ring", "--replay", "t.trace"]);
    // The same report, but for the line about the default network.
    let report =
        first.stdout.replace("(a small network of the assumed topology; --on chooses another)\n", "");
    assert_eq!((again.code, again.stdout), (first.code, report));
    let text = std::fs::read_to_string(here.join("t.trace")).expect("the trace has been written");
    let lines = run(&["trace", "convert", "t.trace", "--to", "jsonl"]).stdout;
    std::fs::write(here.join("t.jsonl"), lines).expect("the folder can be written");
    assert_eq!(run(&["trace", "convert", "t.jsonl", "--to", "text"]).stdout, text);
    let replayed = run(&["trace", "replay", "t.jsonl"]);
    assert_eq!(replayed.code, 0, "{replayed}");
    assert_eq!(run(&["run", "token_ring", "--schedule", "random", "--trace", "-", "-q"]).stdout, text);
    assert_snapshot!(session([
        run(&["trace", "show", "t.trace", "--no-diagram"]),
        run(&["trace", "replay", "t.trace", "--program", "lelann"]),
        run(&["trace", "show", "nowhere.trace"]),
    ]));
}

#[test]
fn scenarios() {
    let failing = "\
/// Everybody claims to be elected.
algorithm mine solves Election(winner: greatest, told: all)
assumes unidirectional ring, unique ids

state claiming
  elected := id
  halt

scenario two on ring(2) with ids [1, 2]
  expect p0.elected = 2
  expect E1 violated

scenario alone on ring(1)
  expect p0.elected = 1
";
    let here = folder("scenarios", &[("mine.syn", failing.as_bytes())]);
    assert_snapshot!(session([
        synod_in(&here, &["test", "mine.syn"]),
        synod_in(&here, &["test", "mine.syn", "--scenario", "alone"]),
        synod_in(&here, &["test", "dolev_klawe_rodeh"]),
        synod_in(&here, &["test"]),
    ]));
}

/// An invariant on the maximum of an empty set cannot be evaluated.
const UNJUDGED: &[u8] = b"algorithm unjudged
assumes unidirectional ring, unique ids

var d : Int

state working
  d := d + 1
  halt

invariant odd: max({ p.d for p in processes | p.d > 1 }) = 1
";

#[test]
fn what_could_not_be_judged_is_not_called_fine() {
    let here = folder("unjudged", &[("unjudged.syn", UNJUDGED)]);
    let one = synod_in(&here, &["run", "unjudged.syn", "--no-events", "--no-diagram"]);
    let many = synod_in(&here, &["run", "unjudged.syn", "--runs", "5"]);
    assert_eq!((one.code, many.code), (3, 3), "{one}{many}");
    assert!(many.stdout.contains("but odd not decided in all"), "{many}");
}

#[test]
fn schedules_do_not_change_how_a_kahn_network_ends() {
    let ran = synod(&["run", "dolev_klawe_rodeh", "--on", "ring(5)", "--ids", "3,9,1,4,7", "--runs", "50"]);
    assert!(ran.stdout.contains("no violation in 50 runs (seeds 1 to 50), 1 distinct end, "), "{ran}");
}

/// Long enough that it never ends during the test.
#[cfg(unix)]
#[test]
fn an_interrupt_shows_what_there_is() {
    use std::process::{Command, Stdio};
    let child = Command::new(env!("CARGO_BIN_EXE_synod"))
        .args(["run", "lelann", "--on", "ring(20000)", "--no-events", "--no-diagram"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary has been built");
    std::thread::sleep(std::time::Duration::from_secs(2));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("there is kill").success());
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stdout).contains("the run was interrupted"));
}

#[test]
fn quiet_runs_say_how_it_ended_and_what_is_violated() {
    let wrong = "algorithm wrong\nassumes unidirectional ring\nvar x : Int\nstate s\n  x := 1\n  halt\n\
        invariant zero: forall p: p.x = 0\n";
    let at = folder("quiet", &[("wrong.syn", wrong.as_bytes())]);
    assert_snapshot!(session([
        synod(&["run", "lelann", "-q"]),
        synod_in(&at, &["run", "wrong.syn", "-q"]),
        synod_in(&at, &["run", "wrong.syn", "-q", "--runs", "3"]),
        synod(&["run", "lelann", "-q", "--runs", "3"]),
        synod(&["run", "lelann", "-q", "--initiators", "none", "--schedule", "round_robin"]),
    ]));
}

#[test]
fn lists_are_cut_only_where_somebody_counts_the_columns() {
    let at = folder("columns", &[]);
    let longest = |env: &[(&str, &str)], words: &[&str]| {
        let ran = synod_with(&at, words, b"", env);
        ran.stdout.lines().map(|line| line.chars().count()).max().unwrap_or(0)
    };
    let list = ["list"];
    assert!(longest(&[], &list) > 120);
    assert_eq!(longest(&[("COLUMNS", "100")], &list), 100);
    assert!(longest(&[("COLUMNS", "100")], &["list", "-v"]) > 120);
    let run = ["run", "ricart_agrawala", "--no-diagram"];
    assert!(longest(&[("COLUMNS", "50")], &run) > 50, "tables are not cut");
    let events = |env: &[(&str, &str)], more: &[&str]| {
        let ran = synod_with(&at, &[&run, more].concat(), b"", env);
        let events = ran.stdout.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
        events.map(|line| line.chars().count()).max().unwrap_or(0)
    };
    assert!(events(&[], &[]) > 50);
    assert_eq!(events(&[("COLUMNS", "50")], &[]), 50);
    assert!(events(&[("COLUMNS", "50")], &["-v"]) > 50);
}

#[test]
fn ports_have_one_name_in_events_and_table() {
    let program = "algorithm both\nassumes bidirectional ring\nmessage M\nvar seen : set of Port\nvar last : Port?\n\
        state s\n  on wakeup -> send M to left\n  on M from p -> seen := seen + {p}; last := p\n";
    let at = folder("ports", &[("both.syn", program.as_bytes())]);
    let ran = synod_in(&at, &["run", "both.syn", "--on", "ring(3)", "--no-diagram"]);
    assert!(ran.stdout.contains("seen={right}") && ran.stdout.contains("last=right"), "{ran}");
    let rows: Vec<&str> = ran.stdout.lines().filter(|line| line.starts_with('p')).collect();
    assert!(rows.iter().skip(1).all(|row| row.contains("{right}")), "{ran}");
    assert!(!ran.stdout.contains("port 1"), "{ran}");
}

#[test]
fn handlers_of_upcalls_count_as_seen() {
    let ran = synod(&["run", "causal", "--on", "complete(3)", "--runs", "20"]);
    let verdict = ran.stdout.lines().find(|line| line.contains("actions covered")).unwrap_or_default();
    assert!(!ran.stdout.contains("never occurs  on Data.deliver"), "{ran}");
    assert!(!verdict.is_empty(), "{ran}");
}

#[test]
fn a_file_that_does_not_parse_has_not_been_tested() {
    let at = folder("broken", &[("broken.syn", b"algorithm broken\nstate\n")]);
    let ran = synod_in(&at, &["test", "broken.syn"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stdout.contains("not tested: it has errors") && !ran.stdout.contains("no scenarios"),
        "{ran}"
    );
}

#[test]
fn an_aborted_run_ends_with_the_event_that_failed() {
    let program = "algorithm divides\nassumes unidirectional ring\nmessage M\nvar got : set of Int\nstate s\n  \
        on wakeup -> send M\n  on M -> got := got + {1}; got := got + {1 div 0}\n";
    let at = folder("aborts", &[("divides.syn", program.as_bytes())]);
    assert_snapshot!(session([
        synod_in(&at, &["run", "divides.syn", "--on", "ring(2)", "--trace", "t.trace"]),
        synod_in(&at, &["trace", "replay", "t.trace", "--program", "divides.syn"]),
        synod_in(&at, &["run", "divides.syn", "--replay", "t.trace", "--no-diagram"]),
    ]));
}

/// The report names the deferring process and the clause, and the message that could pass but is not taken.
#[test]
fn a_run_that_is_stuck_by_a_deferral_says_so() {
    let two = "algorithm two\nassumes unidirectional ring, unique ids\nmessage Early(k: Int), Late, Go\nvar open : Bool\n\
               state closed\n  on wakeup -> send Early(7); send Late; send Go\n  on Early(_) -> skip\n  \
               on Go -> open := true\n  defer Early(k) when k > 5 and not open, Late\n";
    let behind = two.replace("not open, Late", "not open").replace("on Go -> open := true", "ignore Go");
    let folder = folder("deferrals", &[("two.syn", two.as_bytes()), ("behind.syn", behind.as_bytes())]);
    let run = |file: &str| synod_in(&folder, &["run", file, "--on", "ring(2)", "--initiators", "1"]);
    assert_snapshot!(session([run("two.syn"), run("behind.syn")]));
}

/// A program may have another file name than the algorithm, and may have been changed since.
#[test]
fn a_trace_whose_program_is_elsewhere_or_another_by_now() {
    let program = |step: &str| {
        format!(
            "algorithm relay\nassumes unidirectional ring, unique ids\nmessage Token(k: Int)\nstate s\n  \
             on wakeup   -> send Token(1)\n  on Token(k) -> if k < 3 -> send Token(k + {step}) [] otherwise -> skip fi\n"
        )
    };
    let folder = folder(
        "elsewhere",
        &[("mine.syn", program("1").as_bytes()), ("changed.syn", program("2").as_bytes())],
    );
    let recorded = synod_in(
        &folder,
        &["run", "mine.syn", "--on", "ring(3)", "--initiators", "1", "--trace", "relay.trace", "-q"],
    );
    assert_eq!(recorded.code, 0, "{recorded}");
    assert_snapshot!(session([
        synod_in(&folder, &["trace", "replay", "relay.trace"]),
        synod_in(&folder, &["trace", "replay", "relay.trace", "--program", "mine.syn"]),
        synod_in(&folder, &["trace", "possibly", "relay.trace", "p0.halted"]),
        synod_in(&folder, &["run", "changed.syn", "--replay", "relay.trace", "--no-diagram", "--no-events"]),
    ]));
}

/// A self-stabilizing program never ends; its run is stopped once it has settled, unless a length is given.
#[test]
fn a_run_that_would_go_on_for_ever_ends_when_it_has_settled() {
    let herman = |more: &[&str]| {
        synod(&[&["run", "herman", "--on", "ring(5)", "--no-diagram", "--no-events"], more].concat())
    };
    assert_snapshot!(session([herman(&[]), herman(&["--runs", "3"]), herman(&["-q"])]));
    let longer = herman(&["--max-steps", "50000", "-q"]);
    assert_eq!(longer.code, 3, "{longer}");
    assert!(longer.stdout.contains("after 50000 steps"), "{longer}");
    // The run continues while a property is pending.
    let program = "algorithm late\nassumes unidirectional ring, reads neighbours, synchronous daemon\nvar x := 0\n\
        when true -> x := x + 1\neventually high: some p: p.x > 15000\n";
    let at = folder("late", &[("late.syn", program.as_bytes())]);
    let late = synod_in(&at, &["run", "late.syn", "--on", "ring(3)", "-q"]);
    assert_eq!(late.code, 0, "{late}");
    assert!(late.stdout.contains("after 160032 steps"), "{late}");
    // The trace of a run stopped at a limit states its length, and no more.
    assert_eq!(
        synod_in(&at, &["run", "late.syn", "--on", "ring(3)", "--max-steps", "9", "--trace", "9.trace"]).code,
        3
    );
    let again = synod_in(&at, &["run", "late.syn", "--replay", "9.trace", "-q"]);
    assert!(again.stdout.contains("the recorded run ends here"), "{again}");
}

/// A property that no infinite run decides is reported as undecided, with the event since when, and the run still ends.
#[test]
fn what_a_run_without_an_end_cannot_decide() {
    let program = "algorithm going_on\nassumes unidirectional ring, reads neighbours, central daemon\n\
        var x, y : 0..2\n\
        when true -> x := 1 - x\n\
        leads answered for p: p.x = 0 leads to p.x = 1\n\
        leads starved for p: p.x = 1 leads to p.x = 2\n\
        eventually raised: some p: p.y = 1\n\
        settles level: forall p: p.y = 0\n\
        settles high: forall p: p.y = 2\n";
    let at = folder("going_on", &[("going_on.syn", program.as_bytes())]);
    let run = |more: &[&str]| {
        let words = ["run", "going_on.syn", "--schedule", "random", "--no-diagram", "--no-events"];
        synod_in(&at, &[&words[..], more].concat())
    };
    assert_snapshot!(session([
        run(&["--on", "ring(3)"]),
        run(&["--on", "ring(3)", "-q", "--property", "raised"]),
        synod(&["run", "leader_oracle_ring", "--on", "ring(4)", "--no-diagram", "--no-events"]),
        synod(&["run", "lelann_regeneration", "--on", "ring(3)", "--schedule", "random", "-q"]),
    ]));
    let longer = run(&["--on", "ring(3)", "--max-steps", "700000", "-q"]);
    assert_eq!(longer.code, 3, "{longer}");
    assert!(longer.stdout.contains("limit after 700000 steps"), "{longer}");
    // The run continues, up to the limit, while a verdict may still change.
    let open = "algorithm open\nassumes unidirectional ring, reads neighbours, central daemon\nvar x := 0\n\
        when true -> x := x + 1\nsettles high: forall p: p.x > 180000\n";
    let at = folder("open", &[("open.syn", open.as_bytes())]);
    let waited = synod_in(&at, &["run", "open.syn", "--on", "ring(3)", "-q"]);
    assert!(waited.stdout.contains("settled after 1280000 steps"), "{waited}");
}

/// A trace states that its run was stopped as settled: its replay ends likewise, with the same verdicts.
#[test]
fn the_replay_of_a_settled_run_ends_as_it_did() {
    let at = folder("settled", &[]);
    for (program, code) in [("herman", 0), ("leader_oracle_ring", 3)] {
        let run = |more: &[&str]| synod_in(&at, &[&["run", program], more].concat());
        let made = run(&["--on", "ring(4)", "--schedule", "random", "-q", "--trace", "a.trace"]);
        assert_eq!(made.code, code, "{made}");
        assert!(made.stdout.contains("settled after"), "{made}");
        let again = run(&["--replay", "a.trace", "-q", "--trace", "b.jsonl"]);
        assert_eq!((again.code, &again.stdout), (code, &made.stdout), "{again}");
        let third = run(&["--replay", "b.jsonl", "-q", "--trace", "c.trace"]);
        assert_eq!((third.code, &third.stdout), (code, &made.stdout), "{third}");
        let [first, last] = ["a.trace", "c.trace"].map(|name| fs::read_to_string(at.join(name)).unwrap());
        assert!(first.contains("\nend         settled\n"), "{first}");
        assert!(first == last, "the same bytes");
        // Traces recorded without that word are still read, and only claim that the run went so far.
        let lines = fs::read_to_string(at.join("b.jsonl")).unwrap();
        assert!(lines.ends_with("\"}\n") && lines.contains("{\"end\":\"settled\","), "{lines}");
    }
}

/// Without `--on`, the network has as many processes as there are single roles.
#[test]
fn the_default_network_fits_the_single_roles() {
    let two = "algorithm two\nassumes star, one First, one Second\nmessage M\nrole First\n  state s\n    send M to Second\n    halt\n\
        role Second\n  state s\n    receive M\n    halt\n";
    let at = folder("single_roles", &[("two.syn", two.as_bytes())]);
    let ran = synod_in(&at, &["run", "two.syn", "-q"]);
    assert!(ran.code == 0 && ran.stdout.contains("two on star(1)"), "{ran}");
}

/// With `--start together`, all initiators wake up before the first message arrives, whatever the schedule.
#[test]
fn initiators_start_together() {
    let program = b"algorithm wakes
assumes ring, unordered
message Hello
var woke : Bool
state asleep
  on wakeup -> woke := true; send Hello to neighbours; become awake
  on Hello -> become awake
state awake
  on Hello -> skip
";
    let here = folder("together", &[("wakes.syn", program)]);
    let run = |schedule: &str, more: &[&str]| {
        let words = ["run", "wakes.syn", "--on", "ring(6)", "--schedule", schedule, "--json"];
        let report = synod_in(&here, &[&words[..], more].concat());
        serde_json::from_str::<serde_json::Value>(&report.stdout).expect("JSON")
    };
    for schedule in ["fifo", "random", "round-robin", "adversary", "priorities"] {
        let together = run(schedule, &["--start", "together"]);
        assert_eq!(together["messages"]["total"], 12, "{schedule}: {together}");
        let some = run(schedule, &["--start", "together", "--initiators", "p1,p4"]);
        assert_eq!(some["messages"]["total"], 4, "{schedule}: {some}");
    }
    let scheduled = |seed: &str| run("random", &["--seed", seed])["messages"]["total"].as_u64().unwrap();
    assert!(["1", "2", "3", "4"].iter().any(|seed| scheduled(seed) < 12));
    let measure = ["measure", "wakes.syn", "--on", "ring({n})", "--n", "6", "--runs", "4", "--csv", "-"];
    let measured = synod_in(&here, &[&measure[..], &["--start", "together"]].concat());
    // The least, the median, the greatest and the mean number of messages.
    assert!(measured.stdout.contains(",12,12,12,12,0,"), "{measured}");
}

/// Messages to the sender's own id are a measure of their own, in runs and in searches; `self` remains a name.
#[test]
fn messages_to_self_are_counted_apart() {
    let program = b"algorithm talks
assumes complete, unique ids, knows peers
message Note(k: Int), Other
var self : Int
state s
  on wakeup ->
    self := 1
    send Note(self) to id
    send Other to others
  on Note(k) when k < 3  -> send Note(k + 1) to id
  on Note(k) when k >= 3 -> skip
  on Other               -> skip
bound kept: messages to self <= 3 * n
bound exceeded: messages of Note to self <= 2 * n
exactly others: messages of Other to self = 0
invariant never_more: messages to self <= 3 * n and forall p: p.self <= 1
invariant too_few: messages of Note to self < 3 * n
finally even: messages to self mod 3 = 0
";
    let here = folder("to_self", &[("talks.syn", program)]);
    let shown = ["--on", "complete(2)", "--no-events", "--no-diagram"];
    let run = synod_in(&here, &[&["run", "talks.syn"], &shown[..]].concat());
    assert!(run.code == 1 && run.stdout.contains("2 messages (2 Other, and 6 to themselves)"), "{run}");
    for verdict in [
        "holds     kept        bound: 6 of at most 6",
        "violated  exceeded    bound: 6, more than 4",
        "holds     others      exactly: 0",
        "holds     never_more  invariant",
        "violated  too_few     invariant, at event ",
        "holds     even        finally",
    ] {
        assert!(run.stdout.contains(verdict), "{verdict}\n{run}");
    }
    let words = ["verify", "talks.syn", "--keep-going"];
    let verify = synod_in(&here, &[&words[..], &shown[..]].concat());
    for verdict in [
        "kept        bound      holds     from 3 to 6",
        "exceeded    bound      VIOLATED  6, more than 4",
        "others      exactly    holds     0 in every run",
        "never_more  invariant  holds",
        "too_few     invariant  VIOLATED",
    ] {
        assert!(verify.stdout.contains(verdict), "{verdict}\n{verify}");
    }
    std::fs::write(
        here.join("wrong.syn"),
        String::from_utf8_lossy(program).replace("Note to self", "Note to me"),
    )
    .unwrap();
    let wrong = synod_in(&here, &["check", "wrong.syn"]);
    assert!(wrong.code == 2 && wrong.stderr.contains("expected `self`, found `me`"), "{wrong}");
}

/// Wherever ports are numbered at random, and this can matter, the output names the seed.
#[test]
fn several_runs_say_how_ports_are_numbered() {
    let program = b"algorithm first
assumes connected graph, fifo
message M
var got := false
state s
  send M to port(0)
  become done
state done
on M -> got := true
finally some_got: some p: p.got
scenario all_got on ring(3)
  expect forall p: p.got
";
    let here = folder("port_seeds", &[("first.syn", program)]);
    let ran = |words: &[&str]| synod_in(&here, words);
    let json = |words: &[&str]| -> serde_json::Value {
        serde_json::from_str(&ran(&[words, &["--json"]].concat()).stdout).expect("JSON")
    };
    let note = "(ports are numbered at random, from the seed of each run; --ports selects a numbering)";
    let runs = ["run", "first.syn", "--on", "ring(3)", "--runs", "3", "--seed", "5"];
    let measure = ["measure", "first.syn", "--on", "ring({n})", "--n", "3,4", "--runs", "2"];
    for words in [&runs[..], &measure] {
        assert!(ran(words).stdout.contains(note), "{}", ran(words));
        let given = [words, &["--ports", "as-listed"]].concat();
        assert!(!ran(&given).stdout.contains("ports are numbered"), "{}", ran(&given));
    }
    assert_eq!(json(&runs)["network"]["port_seed"], 5);
    assert_eq!(json(&measure)["draws_ports"], true);
    assert_eq!(json(&["run", "first.syn", "--on", "ring(3)"])["network"]["port_seed"], 1);
    assert_eq!(json(&["verify", "first.syn", "--on", "ring(3)", "--seed", "4"])["network"]["port_seed"], 4);
    let all = ["verify", "first.syn", "--on", "ring(3)", "--ports", "all"];
    assert!(
        ran(&all).stdout.starts_with("first on ring(3) · all 8 port numberings · every "),
        "{}",
        ran(&all)
    );
    assert_eq!(json(&all)["network"]["topology"], "ring(3)");
    let failed = ran(&["test", "first.syn"]);
    assert!(failed.stdout.contains("(ports are numbered at random, from seed 1; `on numbered("), "{failed}");
    assert_eq!(json(&["test", "first.syn"])["files"][0]["scenarios"][0]["port_seed"], 1);
    let repl = synod_with(&here, &["repl", "first.syn", "--on", "ring(3)"], b".seed 2\n", &[]);
    assert!(repl.stdout.contains("seed 2 · ports numbered from seed 2"), "{repl}");
}
