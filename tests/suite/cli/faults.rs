//! `verify` with faults: how counterexamples show their effects.

use crate::cli::harness::{folder, session, synod_in, synod_with};
use crate::cli::json::valid;
use insta::assert_snapshot;

/// A sends twice, and not again after a restart; B takes the second message only.
const ONCE: &[u8] = b"
algorithm once
assumes complete, unordered, crashes, restarts, one A
message First, Second
role A
  persistent var lives : Int
  state s
    lives := lives + 1
    if lives = 1 -> send First to neighbours; pause; send Second to neighbours
    [] otherwise -> skip
    fi
    become t
  state t
role B
  state u
    on Second -> become v
  state v
    on First -> skip
";

/// A halted process is sent a message by a restarted process or, later in the run, by one that learns of a crash.
const LATE: &[u8] = b"
algorithm late
assumes complete, unique ids, knows peers, crashes, restarts, detector
message Tell
var k : Int
state s
  if id = max(everybody) -> halt
  [] otherwise           -> become up
  fi
state up
  on restart     -> send Tell to max(everybody)
  on suspect(p)  -> k := 1
  when k in 1..3 -> k := k + 1
  when k = 4     -> k := 5; send Tell to max(everybody)
";

/// A halted process takes nothing, whichever process restarts: a run is stuck with a restart left, and the nearest such run does
/// not have the fewest faults.
#[test]
fn a_halted_process_receives_nothing_while_a_restart_is_left() {
    let here = folder("stuck_halted", &[("late.syn", LATE)]);
    let asked = ["--on", "complete(3)", "--faults", "crash<=1, restart<=1"];
    let ran = synod_in(&here, &[&["verify", "late.syn", "--trace", "late.trace"], &asked[..]].concat());
    assert!(ran.code == 1 && ran.stdout.contains("some run deadlocks"), "{ran}");
    let needed = "\nrequires 1 crash: no violation without it, unless other faults occur\n";
    assert!(ran.stdout.contains(needed), "{ran}");
    assert!(!ran.stdout.contains("on restart"), "{ran}");
    let again = synod_in(&here, &["run", "late.syn", "--replay", "late.trace"]);
    assert!(again.stdout.contains("stuck after") && again.stdout.contains("it has halted"), "{again}");
}

/// With fewer restarts more runs are stuck. The reported run is stuck with the requested number: no process that could restart is
/// down.
#[test]
fn a_stuck_run_uses_the_requested_restarts() {
    let here = folder("stuck_restarts", &[("once.syn", ONCE)]);
    let asked = ["--on", "complete(2)", "--faults", "crash<=1, restart<=1"];
    let ran = synod_in(&here, &[&["verify", "once.syn", "--trace", "st.trace"], &asked[..]].concat());
    assert!(ran.code == 1 && ran.stdout.contains("some run deadlocks"), "{ran}");
    let needed =
        "requires 1 crash and 1 restart: no violation with fewer of one kind and no more of the others";
    assert!(ran.stdout.contains(needed), "{ran}");
    let again = synod_in(&here, &["run", "once.syn", "--replay", "st.trace"]);
    assert!(again.stdout.contains("stuck after"), "{again}");
}

/// One crash blocks a process forever only if no process can restart; with a restart left, it takes the restart, and another
/// crash.
#[test]
fn a_deadlock_that_a_restart_could_prevent_needs_it() {
    let text = "algorithm waiting\nassumes complete, unique ids, knows peers, crashes, restarts\nvar x : Int\n\
        state s\n  pause\n  await x > 0\n";
    let here = folder("may_come_back", &[("waiting.syn", text.as_bytes())]);
    let told = |faults: &str| {
        let words = ["verify", "waiting.syn", "--on", "complete(2)", "--keep-going", "--faults", faults];
        let ran = synod_in(&here, &words);
        let is_blocked = ran.stdout.split("\nblocked: ").nth(1).unwrap_or_else(|| panic!("{ran}"));
        is_blocked.lines().find(|line| line.starts_with("requires")).map(String::from)
    };
    let both = "requires 2 crashes and 1 restart: no violation with fewer of one kind and no more of the others, as long as crashed processes can restart";
    assert_eq!(told("crash<=2, restart<=1").as_deref(), Some(both));
    assert_eq!(told("crash<=1").as_deref(), Some("requires 1 crash: no violation without it"));
}

/// Two losses need four events, one loss needs six, since the other message causes work. `verify` reports the longer run.
#[test]
fn fewer_faults_come_before_fewer_events() {
    let text = "\
algorithm losing
assumes complete, unordered, loses messages, one A
message First, Second
role A
  state s
    send First to neighbours
    send Second to neighbours
    become t
  state t
role B
  var seen, work : Int
  state u
    on First      -> seen := seen + 1; work := work + 2
    on Second     -> seen := seen + 1; work := work + 2
    when work > 0 -> work := work - 1
finally both: forall p in B: p.seen = 2
";
    let here = folder("fewer_faults", &[("losing.syn", text.as_bytes())]);
    let shown = |faults: &str, depth: &[&str]| {
        let words = ["verify", "losing.syn", "--on", "complete(2)", "--faults", faults, "--json"];
        let ran = synod_in(&here, &[&words, depth].concat());
        let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran}"));
        let found = json["counterexamples"][0].clone();
        (found["events"].as_u64(), found["faults"]["used"]["loss"].as_u64())
    };
    let one = (Some(6), Some(1));
    assert_eq!(shown("loss<=1", &[]), one);
    assert_eq!(shown("loss<=2", &[]), one);
    // At this depth no run with one loss violates the property, so two are reported.
    assert_eq!(shown("loss<=2", &["--max-depth", "2"]), (Some(4), Some(2)));
}

/// A message is sent between two assignments that belong together.
const TORN: &[u8] = b"
algorithm torn
assumes complete, unique ids, knows peers, crashes
message Update(v: Int)
var a, b : Int
state s
  on wakeup ->
    a := 1
    send Update(1) to others
    b := 1
  on Update(v) -> a := v; b := v
invariant same: forall p: p.a = p.b
invariant up: forall p: p.up
scenario half on complete(3)
  crash p0 before send Update to p2
  wake p0
  expect up violated
";

/// A property may be false only in the state that a crash within a command leaves: every report says so.
#[test]
fn a_violation_by_a_crash_within_a_command_is_explained() {
    let here = folder("torn", &[("torn.syn", TORN)]);
    let remark = |process: &str, when: &str| {
        format!(
            "{process} crashed within the command at torn.syn:7:3, {when}; the property is checked in the state after the crash"
        )
    };
    let asked = ["verify", "torn.syn", "--on", "complete(2)", "--faults", "crash<=1", "--property", "same"];
    let ran = synod_in(&here, &asked);
    assert!(ran.code == 1 && ran.stdout.contains(&remark("p0", "before its first message")), "{ran}");
    let found = valid(&synod_in(&here, &[&asked[..], &["--json"]].concat()), "verify");
    let within = serde_json::json!({ "process": 0, "place": "torn.syn:7:3", "sent": 0 });
    assert_eq!(found["counterexamples"][0]["crashed_within"], within, "{found}");

    let ran = synod_in(&here, &["test", "torn.syn"]);
    let failure = format!(
        "`same` is violated: for p = p0: `p.a = p.b` is false, with 1 = 0; {}",
        remark("p0", "after 1 message")
    );
    assert!(ran.code == 1 && ran.stdout.contains(&failure), "{ran}");

    // A run, and one in which a process crashes between two commands.
    let (mut torn, mut whole) = (0, 0);
    for seed in 1..=20 {
        let seed = seed.to_string();
        let asked = ["run", "torn.syn", "--on", "complete(3)", "--faults", "crash<=1", "--seed", &seed];
        let object = valid(&synod_in(&here, &[&asked[..], &["--json"]].concat()), "run");
        let of =
            |name: &str| object["properties"].as_array().unwrap().iter().find(|p| p["name"] == name).unwrap();
        let (same, up) = (of("same"), of("up"));
        if up["verdict"] == "violated" && up["crashed_within"].is_null() {
            assert_eq!(same["verdict"], "holds", "{object}");
            whole += 1;
        }
        if same["verdict"] == "violated" {
            assert_eq!(same["crashed_within"]["place"], "torn.syn:7:3", "{object}");
            let text = synod_in(&here, &asked).stdout;
            assert!(text.contains(" crashed within the command at torn.syn:7:3, "), "{text}");
            torn += 1;
        }
    }
    assert!(torn > 0 && whole > 0, "{torn} {whole}");
}

/// Many runs and sessions say so too, and a process may crash within its first command, before any configuration is checked.
#[test]
fn a_crash_within_a_command_is_said_in_many_runs_and_sessions() {
    let torn = String::from_utf8_lossy(TORN);
    let starting = torn
        .replace("algorithm torn", "algorithm starting")
        .replace("  on wakeup ->\n    a := 1", "  a := 1");
    let starting = starting.replace(
        "    send Update(1) to others\n    b := 1\n  on Update(v) -> a := v; b := v",
        "  send Update(1) to others\n  b := 1\n  receive Update(v)\n  a := v",
    );
    let starting = starting.split("scenario").next().unwrap();
    let here = folder("torn_many", &[("torn.syn", TORN), ("starting.syn", starting.as_bytes())]);
    for (file, place) in [("torn.syn", "the command at torn.syn:7:3"), ("starting.syn", "its first command")]
    {
        let on = ["--on", "complete(2)", "--faults", "crash<=1"];
        let remark = format!(" crashed within {place}, ");
        let verify = synod_in(&here, &[&["verify", file, "--property", "same"], &on[..]].concat());
        assert!(verify.code == 1 && verify.stdout.contains(&remark), "{verify}");
        let words = [&["run", file, "--runs", "40", "--property", "same"], &on[..]].concat();
        let many = synod_in(&here, &words);
        let lines: Vec<&str> = many.stdout.lines().skip_while(|line| !line.contains("VIOLATED")).collect();
        assert!(
            lines.get(2).is_some_and(|line| line.starts_with("    p") && line.contains(&remark)),
            "{many}"
        );
        let found = valid(&synod_in(&here, &[&words[..], &["--json"]].concat()), "runs");
        let property = &found["properties"][0];
        assert!(property["crashed_within"]["sent"].is_u64(), "{found}");
        let seed = property["violating_seed"].to_string();
        let session = [&["repl", file, "--schedule", "random", "--seed", &seed], &on[..]].concat();
        let session = synod_with(&here, &session, b".run\n", &[]);
        assert!(session.stdout.contains(&remark), "{session}");
    }
}

/// The list of events names the messages that a crash loses without an event of their own; so does the note below the diagram.
#[test]
fn messages_lost_by_a_crash_are_named_at_the_crash() {
    let program = b"algorithm cut_off
assumes complete, unique ids, crashes
message M, N
var got := false
state s
  on wakeup -> send M to neighbours; send N to neighbours
  on M      -> skip
  on N      -> got := true
finally all: forall p with p.up: p.got or p.id = 1
";
    let here = folder("lost_in_a_crash", &[("cut_off.syn", program)]);
    let asked =
        ["--on", "complete(2)", "--faults", "crash<=1", "--initiators", "p0", "--trace", "lost.trace"];
    let ran = synod_in(&here, &[&["verify", "cut_off.syn"], &asked[..]].concat());
    assert_eq!(ran.code, 1, "{ran}");
    assert_snapshot!(session([
        synod_in(&here, &["trace", "show", "lost.trace"]),
        synod_in(&here, &["trace", "show", "lost.trace", "--no-diagram", "--ascii"]),
    ]));
    // Pictures end the arrow in a cross at the crash, and name it in the legend.
    let svg = synod_in(&here, &["draw", "lost.trace", "--to", "svg"]).stdout;
    assert!(svg.contains(", lost by the crash of its sender</title>"), "{svg}");
    assert_eq!(
        (svg.matches("class=\"bad\"").count() > 1, svg.contains(">lost message<")),
        (true, true),
        "{svg}"
    );
    let html = synod_in(&here, &["draw", "lost.trace", "--to", "html"]).stdout;
    assert!(html.contains("\"lost\":[0]"), "{html}");
}
