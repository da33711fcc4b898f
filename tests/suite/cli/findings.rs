//! The findings of `verify`, as text and as JSON.

use crate::cli::harness::{folder, synod_in};
use crate::cli::json::valid;

/// Each choice fails in its own way.
const THREE: &[u8] = b"algorithm three
assumes complete, unique ids, knows peers
message Late
var x, y : Int
state s
  pause
  choose what in {0, 1, 2}
  x := 4 div what
  y := x
  if what = 1 -> send Late to others
  [] otherwise -> skip
  fi
  halt
invariant I: forall p: p.x != 2
invariant J: forall p: p.y != 2
";

#[test]
fn several_findings_are_enumerated() {
    let here = folder("three_findings", &[("three.syn", THREE)]);
    let verify = |more: &[&str]| {
        synod_in(
            &here,
            &[&["verify", "three.syn", "--on", "complete(2)", "-q", "--keep-going"], more].concat(),
        )
    };
    let ran = verify(&[]);
    let all = "I and J violated, some run deadlocks, and some run has a run-time error\n";
    assert!(ran.code == 1 && ran.stdout.starts_with(all), "{ran}");
    let ran = verify(&["--property", "I"]);
    let all = "I violated, some run deadlocks, and some run has a run-time error\n";
    assert!(ran.code == 1 && ran.stdout.starts_with(all), "{ran}");
}

/// Two instances of one layer, from which no process returns.
const ABOVE: &[u8] = b"algorithm above
assumes unidirectional ring, fifo, unique ids, crashes, restarts
uses below as Left, below as Right
always
  on Left.done  -> Right.go
  on Right.done -> skip
when_one_begins
";
const BELOW: &[u8] = b"algorithm below
assumes unidirectional ring, fifo, unique ids, restarts
message M, Never
var x : Int
operation go
  send M
state idle
  on M       -> x := x + 1; done
  on restart -> x := 7
  ignore Never
";

fn layered() -> std::path::PathBuf {
    let above = String::from_utf8_lossy(ABOVE)
        .replace("when_one_begins", "  on wakeup    -> if id = max({id}) -> Left.go [] otherwise -> skip fi");
    folder("layered_actions", &[("above.syn", above.as_bytes()), ("below.syn", BELOW)])
}

/// Actions of layer instances have the same text, and are distinguished by the names of the instances.
#[test]
fn actions_of_layers_are_named_with_the_layer() {
    let here = layered();
    let run = |words: &[&str]| synod_in(&here, &[words, &["--on", "ring(2)"]].concat());
    for ran in [run(&["verify", "above.syn"]), run(&["run", "above.syn", "--runs", "3"])] {
        for action in ["Left: on restart", "Right: on restart", "Left: ignore Never", "Right: ignore Never"] {
            assert!(ran.stdout.contains(action), "{ran}");
        }
    }
    let ran = run(&["verify", "above.syn", "--json"]);
    let never = valid(&ran, "verify")["never_seen"].to_string();
    assert!(never.contains("\"Left: on restart\"") && !never.contains("\"on restart\""), "{never}");
    let ran = run(&["run", "above.syn", "--no-diagram", "--trace", "a.trace"]);
    assert!(ran.stdout.contains("  Left: on M ") && ran.stdout.contains("  Right: on M "), "{ran}");
    let again = run(&["run", "above.syn", "--replay", "a.trace"]);
    assert_eq!(again.code, 0, "{again}");
    assert!(again.stderr.contains("all 8 events reproduced"), "{again}");
}

const ONCE: &[u8] = b"problem Once
var got : Int
operation ask
  algorithm.ask
on algorithm.got -> got := got + 1
on algorithm.lost -> skip
client
  ask
invariant one: forall p: p.got <= 1
";

const CLIENTS: &[u8] = b"algorithm clients solves Once
assumes star, reliable, unordered, one Server
message Ask, Give, Never
role Server
  on Ask from p -> send Give to p
  on Never -> lost
role Client
  operation ask
    send Ask
  on Give -> got
  on Never -> lost
";

/// Each role has its copy of a problem's clause. The server never delivers, but the clients do.
#[test]
fn a_clause_that_some_role_takes_is_taken() {
    let here = folder("clause_of_two_roles", &[("once.syn", ONCE), ("clients.syn", CLIENTS)]);
    let all: [&[&str]; 2] = [&["verify", "clients.syn"], &["run", "clients.syn", "--runs", "3"]];
    for words in all {
        let ran = synod_in(&here, &[words, &["--on", "star(2)"]].concat());
        assert!(!ran.stdout.contains("on algorithm.got"), "{ran}");
        assert_eq!(ran.stdout.matches("on algorithm.lost").count(), 1, "{ran}");
    }
}

/// The process that the second one finds inside has entered by itself.
const INSIDE: &[u8] = b"algorithm inside
assumes complete, unique ids, knows peers
message Ask
var inside, other : Bool
state s
  on wakeup -> send Ask to others
  on Ask    -> other := true; inside := true
invariant one: forall p, q with p.inside: q.inside implies p = q
";

/// The deciding event has its causal past; the state that it finds at other processes was caused by events outside that past.
#[test]
fn contributions_of_other_processes_are_reported() {
    let here = folder("beside", &[("inside.syn", INSIDE)]);
    let words = ["verify", "inside.syn", "--on", "complete(3)", "--initiators", "p0", "--no-diagram"];
    let ran = synod_in(&here, &words);
    let told = "\nviolated at event 5 (p2: on Ask); caused by events 0, 2, 3; \
                other variables that it reads were set by event 4 (p1)\n";
    assert!(ran.code == 1 && ran.stdout.contains(told), "{ran}");
    let found = valid(&synod_in(&here, &[&words[..], &["--json"]].concat()), "verify");
    let found = &found["counterexamples"][0];
    assert_eq!(found["beside"], serde_json::json!([4]), "{found}");
    assert_eq!(found["past"], serde_json::json!([0, 2, 3, 5]), "{found}");
}

/// One of three outcomes fails before the process has started.
const DRAWN: &[u8] = b"algorithm drawn
assumes unidirectional ring, anonymous, randomness
message M(k: Int)
var x, y : Int
state s
  x := random(0..2)
  y := 6 div x
  send M(y)
  receive M(k)
  y := k
  halt
invariant small: forall p: p.y < 6
finally all: forall p: p.halted
";

/// A search that continues after a finding sees the other outcomes, too.
#[test]
fn a_failing_outcome_hides_no_other() {
    let here = folder("drawn", &[("drawn.syn", DRAWN)]);
    let verify =
        |more: &[&str]| synod_in(&here, &[&["verify", "drawn.syn", "--on", "ring(2)", "-q"], more].concat());
    let ran = verify(&[]);
    assert!(
        ran.stdout.starts_with("some run has a run-time error (--keep-going decides the rest)\n"),
        "{ran}"
    );
    let ran = verify(&["--keep-going"]);
    assert!(ran.stdout.starts_with("small violated, and some run has a run-time error\n"), "{ran}");
    assert_eq!(ran.stdout.matches("aborted: ").count(), 1, "{ran}");
    let found = valid(&verify(&["--keep-going", "--json"]), "verify");
    assert_eq!(found["ends"][0]["outcome"], "terminated", "{found}");
    // If nothing else can happen, nothing remains to be decided, and nothing is said about ends that were not looked for.
    let all = String::from_utf8_lossy(DRAWN).replace("random(0..2)", "0");
    let here = folder("all_wrong", &[("drawn.syn", all.as_bytes())]);
    let ran = synod_in(&here, &["verify", "drawn.syn", "--on", "ring(2)", "-q", "--keep-going"]);
    assert!(ran.code == 1 && ran.stdout.starts_with("some run has a run-time error\n"), "{ran}");
}

/// Apart from measured values, the JSON is the same for any number of threads.
#[test]
fn json_does_not_depend_on_the_jobs_except_for_measurements() {
    let here = folder("json_jobs", &[("three.syn", THREE)]);
    for words in [
        &["verify", "three.syn", "--on", "complete(2)", "--keep-going", "--json"][..],
        &["verify", "ricart_agrawala", "--on", "complete(3)", "--json"],
    ] {
        let of = |jobs: &str| {
            let mut found = valid(&synod_in(&here, &[words, &["-j", jobs]].concat()), "verify");
            let fields = found.as_object_mut().unwrap();
            for measured in ["seconds", "bytes_per_configuration"] {
                assert!(fields.remove(measured).is_some_and(|value| value.is_number()));
            }
            found
        };
        assert_eq!(of("1"), of("3"));
    }
}

/// The second message finds too few elements to take apart.
const HASTY: &[u8] = b"algorithm hasty
assumes complete, unordered, unique ids, knows peers
message Item(k: Int)
var all : list of Int
state s
  on wakeup  -> send Item(7) to others
  on Item(k) ->
    all := all + [k]
    if size(all) = 2 -> all := [head(tail(tail(all)))]
    [] otherwise -> skip
    fi
";

#[test]
fn a_runtime_error_is_reported_with_place_and_state() {
    let here = folder("goes_wrong", &[("hasty.syn", HASTY)]);
    let ran = synod_in(&here, &["verify", "hasty.syn", "--on", "complete(3)"]);
    let all = ": the head of an empty collection is undefined  (hasty.syn:9:33)
  message: Item(7) from p";
    assert!(ran.code == 1 && ran.stdout.contains(all), "{ran}");
    assert!(ran.stdout.contains("\n  state: all = [7, 7]\n"), "{ran}");
    let ran = synod_in(&here, &["verify", "hasty.syn", "--on", "complete(3)", "--json"]);
    let body = valid(&ran, "verify");
    let shown = &body["counterexamples"][0];
    assert_eq!(shown["place"], "hasty.syn:9:33");
    assert_eq!(shown["variables"], serde_json::json!([{"name": "all", "value": "[7, 7]"}]));
    let message = shown["message"].as_str().unwrap();
    assert!(message.starts_with("Item(7) from p"), "{message}");
}

/// A process that waits for a message from each of several is reported with the missing senders only.
#[test]
fn a_wait_for_each_reports_the_missing_senders() {
    let text = b"algorithm quiet\nassumes complete, fifo, unique ids, knows peers, integer ids\nmessage M\nstate s\n\
        \x20 if int(id) != 3 -> send M to others [] otherwise -> skip fi\n  receive M from each p in others\n  halt\n";
    let here = folder("whose_is_missing", &[("quiet.syn", text.as_slice())]);
    let ran = synod_in(&here, &["verify", "quiet.syn", "--on", "complete(3)", "-q"]);
    let waits =
        |p: u32| format!("p{p} is waiting at «receive M from each p in others»: M from p2 is missing");
    assert!(ran.code == 1 && [0, 1].iter().all(|p| ran.stdout.contains(&waits(*p))), "{ran}");
    assert!(!ran.stdout.contains("cannot take"), "{ran}");
}

/// For all arrangements of the ids, the costs of runs are known, too, if all were explored.
#[test]
fn a_bound_violated_for_some_ids_is_reported_with_the_costs_for_all() {
    let text = b"algorithm told\nassumes line, unique ids, integer ids\nmessage M\nstate s\n\
        \x20 if int(id) = 1 -> send M to neighbours [] otherwise -> skip fi\n  become t\nstate t\n  ignore M\n\
        bound few: messages <= 1\n";
    let here = folder("all_ids", &[("told.syn", text.as_slice())]);
    let ran = synod_in(&here, &["verify", "told.syn", "--on", "line(3)", "--ids", "all", "--keep-going"]);
    assert!(ran.code == 1 && ran.stdout.contains("2, more than 1; from 1 to 2 over all runs"), "{ran}");
}

/// A property that holds for the explored arrangements may fail for another: `chang_roberts` costs 10 messages for some of them.
#[test]
fn a_property_of_some_arrangements_is_not_claimed_for_all() {
    let text = b"algorithm few variant of chang_roberts\nbound at_most_nine: messages <= 9\n";
    let here = folder("some_arrangements", &[("few.syn", text.as_slice())]);
    let verify = |more: &[&str]| {
        let words = ["verify", "few.syn", "--on", "ring(4)", "--ids", "all", "--property", "at_most_nine"];
        synod_in(&here, &[&words, more].concat())
    };
    let ran = verify(&[]);
    assert!(ran.code == 1 && ran.stdout.contains("VIOLATED  10, more than 9"), "{ran}");
    // A limit on all arrangements together ends the search after some.
    let ran = verify(&["--max-configurations", "500", "--json"]);
    let found = valid(&ran, "verify");
    assert_eq!((ran.code, &found["verdict"]), (3, &serde_json::json!("limit")), "{ran}");
    let (looked_at, most) = (&found["arrangements"], &found["configurations"]);
    assert!(looked_at.as_u64().is_some_and(|some| 0 < some && some < 24), "{looked_at}");
    assert_eq!(most, 500);
    let property = &found["properties"][0];
    assert_eq!((&property["verdict"], &property["most"]), (&"pending".into(), &serde_json::Value::Null));
    // A violation too deep in one arrangement is still searched for in the others.
    let ran = verify(&["--max-depth", "2", "--json"]);
    assert_eq!((ran.code, &valid(&ran, "verify")["arrangements"]), (3, &24.into()), "{ran}");
}

/// Within a limit of number or depth, runs are checked as well: their costs, the properties of their ends, and those of their
/// cycles.
#[test]
fn violations_are_found_within_limits() {
    let text = b"algorithm flood\nassumes unidirectional ring, fifo, unique ids\nmessage Ball(k: Int)\nvar last : Int\n\
        var idle : Bool\nstate s\n  on wakeup -> send Ball(1)\n  on Ball(k) -> last := k; send Ball(k + 1)\n\
        bound few: messages <= 3\ninvariant few_too: messages <= 3\neventually rests: some p: p.idle\n";
    let here = folder("flood", &[("flood.syn", text.as_slice())]);
    let verify = |more: &[&str]| {
        let words = ["verify", "flood.syn", "--on", "ring(2)", "--initiators", "p0", "--keep-going"];
        synod_in(&here, &[&words, more].concat())
    };
    for limit in [["--max-depth", "9"], ["--max-configurations", "9"]] {
        let ran = verify(&[&limit[..], &["--order", "depth"]].concat());
        let other = verify(&limit);
        for ran in [ran, other] {
            let lines = [
                "few      bound       VIOLATED  4, more than 3",
                "few_too  invariant   VIOLATED  `messages <= 3` is false",
            ];
            assert!(ran.code == 1 && lines.iter().all(|line| ran.stdout.contains(line)), "{ran}");
            assert!(ran.stdout.contains("rests    eventually  pending\n"), "{ran}");
        }
    }
    // An ended run decides what it never reaches.
    let crash = b"algorithm owes\nassumes complete, unique ids, crashes\nvar x : Int\nstate s\n  pause\n  x := x + 1\n\
        eventually one: forall p: p.x > 0\n";
    let here = folder("owes", &[("owes.syn", crash.as_slice())]);
    let words = ["verify", "owes.syn", "--on", "complete(1)", "--faults", "crash<=1", "--max-depth", "4"];
    let ran = synod_in(&here, &words);
    assert!(ran.code == 1 && ran.stdout.contains("VIOLATED  a run ends without it"), "{ran}");
}

/// A crash during a restart is reported as such.
#[test]
fn a_crash_during_a_restart_is_reported() {
    let text = b"algorithm twice\nassumes complete, unique ids, crashes, restarts\nmessage Hi\npersistent var lives : Int\n\
        state s\n  on restart -> lives := lives + 1; send Hi to neighbours\n  ignore Hi\n\
        invariant once: forall p: p.lives < 2\n";
    let here = folder("twice", &[("twice.syn", text.as_slice())]);
    let words =
        ["verify", "twice.syn", "--on", "complete(2)", "--faults", "crash<=2, restart<=2", "--no-symmetry"];
    let ran = synod_in(&here, &words);
    let crashes = ran.stdout.lines().filter(|line| line.contains("on restart") && line.contains("crashes"));
    assert_eq!((ran.code, crashes.count()), (1, 2), "in the list and in the diagram: {ran}");
}

/// A property may have the name of an outcome.
#[test]
fn properties_have_any_name() {
    let text = b"algorithm named\nassumes complete, unique ids\nvar x : Int\nstate s\n  pause\n  x := 1\n  halt\n\
        invariant stuck: forall p: p.x = 0\ninvariant aborted: forall p: p.x = 0\ninvariant blocked: forall p: p.x = 0\n";
    let here = folder("named", &[("named.syn", text.as_slice())]);
    let words = ["verify", "named.syn", "--on", "complete(2)", "--keep-going"];
    let ran = synod_in(&here, &[&words[..], &["-q"]].concat());
    assert!(ran.stdout.starts_with("stuck, aborted and blocked violated\n"), "{ran}");
    let ran = synod_in(&here, &[&words[..], &["--json"]].concat());
    let found = valid(&ran, "verify");
    assert!(found["counterexamples"].as_array().unwrap().iter().all(|c| c["what"] == "property"), "{ran}");
    let ran =
        synod_in(&here, &[&words[..4], &["--property", "stuck", "--save-scenario", "named.syn"]].concat());
    assert_eq!(ran.code, 1, "{ran}");
    assert_eq!(synod_in(&here, &["test", "named.syn"]).code, 0);
}

/// A run of maximum cost is shown without steps that cost nothing and have no effect on it.
#[test]
fn the_shortest_run_of_maximum_cost_is_shown() {
    let text = b"algorithm idle\nassumes complete, unique ids\nmessage Hi, Nothing\nstate s\n\
        \x20 on wakeup -> send Hi to neighbours; become t\n  ignore Hi\nstate t\n  ignore Hi\nbound few: messages <= 3\n";
    let here = folder("idle", &[("idle.syn", text.as_slice())]);
    let ran =
        synod_in(&here, &["verify", "idle.syn", "--on", "complete(3)", "--no-symmetry", "--no-reduction"]);
    assert!(ran.stdout.contains("6, more than 3; from 2 to 6 over all runs"), "{ran}");
    // Three starts, three wake-ups, six messages; none of them need be received.
    assert!(ran.stdout.contains("\n5  ") && !ran.stdout.contains("\n6  "), "{ran}");
}

/// If no problem defines the result, the variables do; and processes that are down are named.
#[test]
fn ends_are_distinguished_by_variables_and_crashed_processes() {
    let text = b"algorithm counts\nassumes complete, unique ids, crashes\nmessage M\nvar x : Int\nstate s\n\
        \x20 on wakeup -> send M to neighbours\n  on M -> x := x + 1\n";
    let here = folder("told_ends", &[("counts.syn", text.as_slice())]);
    let ran = synod_in(&here, &["verify", "counts.syn", "--on", "complete(2)", "--faults", "crash<=1"]);
    let ends = |line: &str| ran.stdout.lines().any(|l| l.trim_start().ends_with(line));
    assert!(ends("quiescent  x = 1, 1") && ends("quiescent  x = 0, 0; down: p0"), "{ran}");
    assert!(ends("quiescent  x = 0, 1; down: p1"), "{ran}");
}

/// `--keep-going` is said to decide the rest only if no limit of the command line may stop it.
#[test]
fn keep_going_is_promised_without_limits_only() {
    let program = b"algorithm passing
assumes unidirectional ring, fifo
message M
var got := 0
state s
  on wakeup -> send M
  on M      -> got := 1
invariant untouched: forall p: p.got = 0
eventually all: forall p: p.got = 1
";
    let here = folder("promised_without_limits", &[("passing.syn", program)]);
    let verify = |more: &[&str]| {
        synod_in(&here, &[&["verify", "passing.syn", "--on", "ring(3)", "-q"], more].concat())
    };
    let free = verify(&[]);
    assert!(free.stdout.contains("untouched violated (--keep-going decides the rest)"), "{free}");
    let limited = verify(&["--max-depth", "4"]);
    assert!(limited.stdout.contains("untouched violated (--keep-going continues the search)"), "{limited}");
}
