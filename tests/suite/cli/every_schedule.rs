//! `verify --scenario`.

use crate::cli::harness::{folder, session, synod, synod_in, synod_with};
use insta::assert_snapshot;

const RACE: &[u8] = b"algorithm race
assumes complete, reliable, unique ids, knows peers, crashes
message Mine(k: Int)
var got : list of Int
state s
  on wakeup  -> send Mine(1) to others
  on Mine(k) -> got := got + [k]
invariant few: forall p: size(p.got) < 3
finally both: forall p: p.got != []
scenario a_race on complete(3) with names [A, B, C]
  wake A, B
  expect set(C.got) = {1} and A.got != []
  expect few holds
scenario one_first on complete(3) with names [A, B, C]
  hold A -> C
  wake A
  expect B.got = [1] and C.got = []
  wake B
  release
  expect both holds
  expect outcome quiescent
scenario never on complete(3)
  expect few violated
scenario told on complete(2) with schedule told
  wake p0
scenario aborted on complete(2)
  wake p0
  expect outcome aborted
scenario an_option on complete(2) with schedule random
  choose option 1 at p0
scenario a_fault_of_the_budget on complete(2) with crash 1
  crash p0
scenario never_sent on complete(2)
  crash p1 before send Mine to p1
  wake p0
scenario at_random on complete(2) with schedule random
  wake p0
  crash p1 before send
";

#[test]
fn a_scenario_under_every_schedule() {
    assert_snapshot!(session([
        synod(&["verify", "ricart_agrawala", "--scenario", "tie"]),
        synod(&["verify", "central_server", "--scenario", "first_come_first_served"]),
        synod(&["verify", "central_server", "--scenario", "first_come_first_served", "--line-by-line", "-q"]),
        synod(&["verify", "ricart_agrawala", "--scenario", "alone", "-q"]),
    ]));
}

#[test]
fn expectations_and_refusals() {
    let folder = folder("every_schedule", &[("race.syn", RACE)]);
    let on = |words: &[&str]| synod_in(&folder, &[&["verify", "race.syn", "-q"], words].concat());
    assert_snapshot!(session([
        on(&["--scenario", "a_race"]),
        on(&["--scenario", "one_first"]),
        on(&["--scenario", "one_first", "--property", "both"]),
        on(&["--scenario", "never"]),
        on(&["--scenario", "told"]),
        on(&["--scenario", "aborted"]),
        on(&["--scenario", "an_option"]),
        on(&["--scenario", "a_fault_of_the_budget"]),
        on(&["--scenario", "never_sent"]),
        synod_in(&folder, &["verify", "race.syn", "--scenario", "at_random"]),
        on(&["--scenario", "one_frist"]),
        on(&["--scenario", "a_race", "--on", "ring(3)"]),
        on(&["--line-by-line"]),
        on(&["--scenario", "a_race", "--property", "fwe"]),
    ]));
}

/// A counterexample can be replayed, and becomes a scenario of its own if it shows a property of the program.
#[test]
fn its_counterexample_is_a_run_like_any_other() {
    let folder = folder("every_schedule_trace", &[]);
    let run = |words: &[&str]| synod_in(&folder, words);
    let of = ["verify", "central_server", "--scenario", "first_come_first_served", "-q"];
    assert_snapshot!(session([
        run(&[&of[..], &["--trace", "found.trace"]].concat()),
        run(&["run", "central_server", "--replay", "found.trace", "-q"]),
        run(&[&of[..], &["--save-scenario", "-"]].concat()),
    ]));
}

const SLOW: &[u8] = b"algorithm slow
assumes complete, reliable, unique ids, knows peers, delay <= 3
message Ping
var came : Bool
state s
  on wakeup -> send Ping to others
  on Ping   -> came := true
invariant early: forall p: not p.came
scenario by_two on complete(2)
  wake p0
  at 2
  expect not p1.came
  at 5
  expect outcome quiescent
";

const SKIPPED: &[u8] = b"algorithm skipped
assumes complete, synchronous, unique ids
message Hello
var came : Bool
state s
  on wakeup -> become waiting
  on arrival -> came := true
state waiting
  if arrived Hello -> skip
  [] after 9 -> send Hello to neighbours
  fi
  halt
invariant silent: forall p: not p.came
scenario nine on complete(2) with initiators [p0]
  at 8
  expect messages = 0 and rounds = 8
  at 11
  expect silent holds
";

/// An event that only ends an instant, so that the next line can happen, is no passing of time.
#[test]
fn an_instant_ends_in_its_counterexample() {
    let scenario =
        b"scenario at_once on complete(2)\n  wake p0\n  expect not p1.came\n  at 5\n  expect early holds\n";
    let folder = folder("every_schedule_instant", &[("slow.syn", &[SLOW, scenario].concat())]);
    let ran = synod_in(&folder, &["verify", "slow.syn", "--scenario", "at_once", "--no-diagram"]);
    assert!(ran.stdout.contains("3  t=0  p0  the instant ends\n"), "{ran}");
}

/// Time that passes is an event of the run, which can be replayed, and `at` in a scenario.
#[test]
fn time_passes_in_its_counterexample() {
    let folder = folder("every_schedule_time", &[("slow.syn", SLOW), ("skipped.syn", SKIPPED)]);
    let run = |words: &[&str]| synod_in(&folder, words);
    assert_snapshot!(session([
        run(&["test", "slow.syn"]),
        run(&["verify", "slow.syn", "--scenario", "by_two", "--trace", "slow.trace", "--save-scenario", "-"]),
        run(&["run", "slow.syn", "--replay", "slow.trace", "-q"]),
        run(&[
            "verify",
            "skipped.syn",
            "--scenario",
            "nine",
            "--trace",
            "nine.trace",
            "--save-scenario",
            "-"
        ]),
        run(&["run", "skipped.syn", "--replay", "nine.trace", "-q"]),
    ]));
}

/// A violation that the scenario expects is called expected.
#[test]
fn an_expected_violation_is_called_expected() {
    let program = b"algorithm torn
assumes complete, unique ids, knows peers, crashes
message Update(v: Int)
var a : Int
state s
  on wakeup    -> a := 1; send Update(1) to others
  on Update(v) -> a := v
invariant up: forall p: p.up
scenario half on complete(3)
  wake p0
  crash p0
  expect up violated
scenario never on complete(3)
  wake p0
  expect up violated
scenario dead on complete(3)
  crash p0
  wake p0
  expect up violated
";
    let here = folder("expected", &[("torn.syn", program)]);
    let verify = |words: &[&str]| synod_in(&here, &[&["verify", "torn.syn", "--scenario"], words].concat());
    let half = verify(&["half"]);
    assert_eq!(half.code, 0, "{half}");
    assert!(half.stdout.contains("; violated, as expected: up\n"), "{half}");
    assert!(half.stdout.contains("up            invariant   violated (expected)  for p = p0: "), "{half}");
    let asked = verify(&["half", "--property", "up", "-q"]);
    assert!(asked.stdout.starts_with("up violated (expected)\n"), "{asked}");
    let json = verify(&["half", "--json"]);
    assert!(json.stdout.contains("\"promised\":false,\"expected\":true,"), "{json}");
    let never = verify(&["never"]);
    assert!(never.code == 1 && never.stdout.contains("up violated"), "{never}");
    assert!(never.stdout.contains("the scenario expects a violation, but no run has one"), "{never}");
    // A process that has crashed does not wake up, as in `synod test`.
    let dead = verify(&["dead"]);
    assert!(dead.code == 1 && dead.stdout.contains("the line `wake p0` (line "), "{dead}");
    let dead = synod_in(&here, &["test", "torn.syn", "--scenario", "dead"]);
    assert!(dead.stdout.contains("p0 cannot wake up: it is down"), "{dead}");
}

/// A process that has restarted does not wake up: `on wakeup` applies at the beginning of the run only.
#[test]
fn a_restarted_process_does_not_wake_up() {
    let program = "\
algorithm again
assumes complete, anonymous, crashes <= 1, restarts
message M
var woke : Bool
persistent var r : Int
state s
  on wakeup -> woke := true; send M to neighbours
  on restart -> r := 1
  on M -> skip
invariant never: forall p: p.r = 1 implies not p.woke
scenario late on complete(2) with names [A, B]
  crash A
  restart A
  wake A
";
    let here = folder("again", &[("again.syn", program.as_bytes())]);
    let played = synod_in(&here, &["test", "again.syn"]);
    assert!(played.code == 1 && played.stdout.contains("cannot wake up: it has restarted"), "{played}");
    for line_by_line in [&[][..], &["--line-by-line"]] {
        let words = [&["verify", "again.syn", "--scenario", "late"], line_by_line].concat();
        let explored = synod_in(&here, &words);
        assert!(explored.stdout.contains("the line `wake A` (line "), "{explored}");
    }
}

const SHIFTED: &str = "\
algorithm shifted
assumes unidirectional ring, fifo
message Hi
var last : Port
var got : Int
state begin
  send Hi to next
  become idle
state idle
always
  on Hi from p -> got := got + 1; last := p
invariant few: forall p: p.got < 1
scenario names_that_are_positions_of_others on ring(3) with names [p1, p2, p3]
  expect few holds
";

/// Reports, saved scenarios and outcomes call a process by its name, although another process has this name as its position.
#[test]
fn names_that_are_positions_of_others() {
    let text = SHIFTED;
    let here = folder("shifted", &[("shifted.syn", text.as_bytes())]);
    let words = ["verify", "shifted.syn", "--scenario", "names_that_are_positions_of_others", "-q"];
    let ran = synod_in(&here, &[&words[..], &["--save-scenario", "-"]].concat());
    assert!(ran.stdout.contains("few: for p = p1: `p.got < 1`"), "{ran}");
    assert!(ran.stdout.contains("on ring(3) with names [p1, p2, p3]"), "{ran}");
    assert!(ran.stdout.contains("deliver p3 -> p1 Hi"), "{ran}");
    let ran = synod_in(&here, &words[..4]);
    assert!(ran.stdout.contains("violated at event 3 (p1: on Hi from p)"), "{ran}");
    let ran = synod_in(&here, &["test", "shifted.syn"]);
    assert!(ran.stdout.contains("for p = p2: `p.got < 1`"), "{ran}");
    let outcomes = ["--outcomes", "p3.got, (count p: p.got = 1)", "--keep-going"];
    let ran = synod_in(&here, &[&words[..4], &outcomes].concat());
    assert!(ran.stdout.contains("p3.got: 1, (count p: p.got = 1): 3"), "{ran}");
    let ran = synod_in(&here, &[&words[..4], &["--outcomes", "p0.got"]].concat());
    assert!(ran.code == 2 && ran.stderr.contains("its processes are `p1`, `p2` and `p3`"), "{ran}");
}

/// Verdicts, values, saved scenarios, traces and sessions use the names of a network file.
#[test]
fn names_of_a_file() {
    let program =
        SHIFTED.split("invariant").next().unwrap().replace("unidirectional ring", "connected graph");
    let program = program.replace("to next", "to neighbours") + "invariant few: forall p: p.got < 1\n";
    let graph = "graph { Anna -- Bert; Bert -- Cleo; Cleo -- Anna }";
    let files = [("named.syn", program.as_bytes()), ("net.dot", graph.as_bytes())];
    let here = folder("named", &files);
    let ran = synod_in(&here, &["verify", "named.syn", "--on", "net.dot", "--save-scenario", "-"]);
    assert!(ran.stdout.contains("few: for p = Bert: `p.got < 1`"), "{ran}");
    assert!(ran.stdout.contains("last=Anna"), "{ran}");
    assert!(ran.stdout.contains("scenario found_few on \"net.dot\""), "{ran}");
    assert!(ran.stdout.contains("deliver Anna -> Bert Hi"), "{ran}");
    let ran = synod_in(&here, &["run", "named.syn", "--on", "net.dot", "--trace", "named.trace"]);
    assert!(ran.stdout.contains("Bert     2   idle   Cleo  2"), "{ran}");
    let ran = synod_in(&here, &["trace", "show", "named.trace"]);
    assert!(ran.stdout.contains("few violated at event 3: for p = Cleo"), "{ran}");
    let input =
        b".run\n.state Cleo\n.why Cleo.last\nCleo.last\n.state Otto\n.whynot on Hi at Bert\n.fire Bert\n";
    let ran = synod_with(&here, &["repl", "named.syn", "--on", "net.dot"], input, &[]);
    for line in
        ["Cleo: id 3", "last       Anna", "incoming   m3 Hi from Bert", "Cleo.last = Anna", "\nAnna\n"]
    {
        assert!(ran.stdout.contains(line), "{line}: {ran}");
    }
    assert!(ran.stdout.contains("  Bert: "), "{ran}");
    assert!(ran.stderr.contains("there are Anna, Bert, Cleo"), "{ran}");
    assert!(ran.stderr.contains("Bert can take several steps: 3, 4"), "{ran}");
    let ran = synod_in(&here, &["run", "named.syn", "--on", "net.dot", "--replay", "named.trace", "-q"]);
    assert_eq!(ran.code, 1, "{ran}");
}

/// A second `wake` of a process is refused as in `synod test`, and a line that no run reaches is not called a premise.
#[test]
fn lines_that_cannot_happen() {
    let program = b"algorithm line
assumes unidirectional ring, fifo
message M
var got := 0
state s
  on wakeup -> send M to next; become t
  on M -> become t
state t
  on M -> got := 1
scenario twice on ring(2) with names [A, B]
  wake A
  expect B.got = 0
  wake A
scenario held on ring(3)
  hold channel p0 -> p1
  wake p0
  deliver p1 -> p2
  expect p2.got = 1
";
    let here = folder("cannot_happen", &[("line.syn", program)]);
    let played = synod_in(&here, &["test", "line.syn", "--scenario", "twice"]);
    let explored = synod_in(&here, &["verify", "line.syn", "--scenario", "twice"]);
    assert!(played.stdout.contains("line.syn:13:3: A has already woken up"), "{played}");
    assert!(explored.stderr.contains("line.syn:13:3: A has already woken up"), "{explored}");
    let held = synod_in(&here, &["verify", "line.syn", "--scenario", "held", "--keep-going"]);
    assert!(
        held.stdout
            .contains("no explored run reaches this line: in each run, an earlier line does not happen"),
        "{held}"
    );
    assert!(held.stdout.contains("the line `deliver p1 -> p2` (line 17) never happens"), "{held}");
}
