//! `verify`.

use crate::cli::harness::{folder, session, synod, synod_in};
use insta::assert_snapshot;

/// A token may circulate forever, so that the other process never reaches the required state.
pub const RESTLESS: &[u8] = b"
algorithm restless
assumes unidirectional ring, unique ids
message Token
var visits : 0..1
state s
  on wakeup -> send Token
  on Token  -> send Token
eventually visited: some p: p.visits = 1
";

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

/// The history makes the configurations too many; the others are decided, and a smaller network that decides the order is named.
#[test]
fn an_order_beyond_the_limit() {
    let limited = ["--on", "complete(3)", "--max-configurations", "34500"];
    let report = synod(&[&["verify", "ricart_agrawala"][..], &limited].concat());
    assert_eq!(report.code, 3, "{report}");
    assert_snapshot!(report);
}

pub const WRONG: &str = "
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

/// A liveness property that a circulating token can violate.
#[test]
fn a_run_that_goes_round_for_ever() {
    let here = folder("verify_cycle", &[("restless.syn", RESTLESS)]);
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

/// A mesh is unnecessary, since a line of two suffices; a ring is not a line.
#[test]
fn the_same_on_the_smallest_and_simplest_network() {
    let text = "
algorithm first_come
assumes connected graph, unique ids
message Mine
var leader : Bool
state s
  on wakeup -> send Mine to neighbours
  on Mine   -> leader := true
invariant one: (count p: p.leader) <= 1
";
    let here = folder("verify_simpler", &[("first_come.syn", text.as_bytes())]);
    let words = |on| ["verify", "first_come.syn", "--on", on, "--no-diagram", "--no-events"];
    let mesh = synod_in(&here, &words("mesh(2, 3)"));
    let edges = synod_in(&here, &words("edges(0-1, 1-2, 0-3, 1-3)"));
    let listed = [&words("ring(4)")[..], &["--ids", "5,2,9,1"]].concat();
    assert_snapshot!(session([mesh, edges, synod_in(&here, &listed)]));
}

/// A ring of one shows the same with fewer processes: there a process is its own neighbour; and in a ring of two, it is the
/// other's neighbour twice.
#[test]
fn the_same_where_nobody_is_his_own_neighbour() {
    let text = "algorithm talking\nassumes unidirectional ring, anonymous\nmessage Word\nvar x : 0..1\n\
        state s\n  on wakeup -> send Word to next\n  on Word -> x := 1\ninvariant silence: forall p: p.x = 0\n";
    let here = folder("talking", &[("talking.syn", text.as_bytes())]);
    for (from, to) in [("ring(4)", "ring(3)"), ("ring(2)", "ring(1)")] {
        let ran = synod_in(&here, &["verify", "talking.syn", "--on", from]);
        let said = ran.stdout.lines().find_map(|line| line.strip_prefix("smaller counterexample: "));
        assert_eq!(said.map_or("", |said| said.split_once(',').unwrap().0), to, "{ran}");
    }
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

/// The application sends notes, so that the server's order no longer agrees with happened-before.
#[test]
fn notes_of_the_application() {
    let words = ["verify", "central_server", "--on", "star(2)", "--property", "ME3", "--notes", "1"];
    assert_snapshot!(synod(&words));
    // Properties of happened-before report that no notes were sent.
    let none = "the application sends no messages (see --notes)";
    let ran = synod(&words[..words.len() - 2]);
    assert!(ran.code == 0 && ran.stdout.contains(none), "{ran}");
    for other in [&["ME1"][..], &["ME3", "--notes", "1"]] {
        let ran =
            synod(&[&["verify", "ricart_agrawala", "--on", "complete(2)", "--property"], other].concat());
        assert!(ran.code == 0 && !ran.stdout.contains(none), "{ran}");
    }
}

/// Violated properties that are not claimed are reported, and do not end the search.
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
  do receive Token(w, h) when w != id -> passed := passed + 1; send Token(w, h + 1)
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

/// Each process waits to hear from all but one, or from ENOUGH others. `crash<=3` is more than necessary for a violation.
const QUORUM: &str = "
algorithm quorum
assumes complete, reliable, fifo, unique ids, knows peers, knows n, crashes
message Here
var present : Int
state waiting
  send Here to others
  await present >= ENOUGH
  become over
state over
always
  on Here -> present := present + 1
finally done: forall p with p.up: p in over
";

/// A run with more crashes may be shorter; the reported one has the fewest possible.
#[test]
fn as_few_faults_as_it_takes() {
    let all = QUORUM.replace("ENOUGH", "n - 1");
    let most = QUORUM.replace("ENOUGH", "n - 2");
    let here = folder("verify_faults", &[("all.syn", all.as_bytes()), ("most.syn", most.as_bytes())]);
    let verify = |file: &str, on: &str, faults: &str, more: &[&str]| {
        let words = ["verify", file, "--on", on, "--faults", faults, "--property", "done"];
        let words: Vec<&str> = words.into_iter().chain(more.iter().copied()).collect();
        synod_in(&here, &words)
    };
    let shown = [
        verify("all.syn", "complete(3)", "crash<=3", &[]),
        verify("most.syn", "complete(3)", "crash<=2", &[]),
    ];
    assert!(shown.iter().all(|ran| ran.code == 1));
    assert_snapshot!(shown.map(|ran| ran.stdout).join("\n"));
    let ran = verify("most.syn", "complete(3)", "crash<=2", &["--json"]);
    let body: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        body["counterexamples"][0]["faults"],
        serde_json::json!({"used": {"crash": 2}, "needed": true})
    );
    // One crash is tolerated.
    assert_eq!(verify("most.syn", "complete(3)", "crash<=1", &["-q"]).code, 0);
}

/// Almost surely, in every run, and neither: three verdicts on programs with coins.
#[test]
fn what_coins_may_do() {
    let tossed = |command: &str| {
        format!(
            "algorithm tossed\nassumes unidirectional ring, anonymous, reads neighbours, randomness\nvar heads, tossed, lit : Bool\n{command}\neventually happy: some p: p.heads\n"
        )
    };
    let files = [
        ("again.syn", tossed("when not heads -> heads := coin(1/100)")),
        (
            "once.syn",
            tossed("when not tossed -> heads := coin(1/2); tossed := true\nwhen tossed -> lit := not lit"),
        ),
    ];
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    let here = folder("verify_coins", &files);
    assert_snapshot!(session([
        synod_in(&here, &["verify", "again.syn", "--on", "ring(1)"]),
        synod_in(&here, &["verify", "again.syn", "--on", "ring(1)", "--surely"]),
        synod_in(&here, &["verify", "once.syn", "--on", "ring(1)"]),
    ]));
}

/// Limits apply from the first initial configuration on: arbitrary initialization has many.
#[test]
fn too_many_beginnings() {
    let words = ["verify", "k_state_ring", "--on", "ring(9)", "--max-memory", "80M", "-q"];
    let ran = synod(&words);
    assert_eq!(ran.code, 3, "{ran}");
    assert!(ran.stdout.contains("memory limit reached"), "{ran}");
    let words = ["verify", "k_state_ring", "--on", "ring(9)", "--max-configurations", "5000", "-q"];
    let ran = synod(&words);
    assert_eq!(ran.code, 3, "{ran}");
    assert!(ran.stdout.contains("configuration limit reached"), "{ran}");
}

/// The limit applies to the whole process, also in the middle of a batch, and when tables grow.
#[test]
#[cfg(target_os = "linux")]
fn no_more_memory_than_allowed() {
    for (threads, limit) in [("1", 60), ("2", 60), ("1", 120)] {
        let most = format!("{limit}M");
        let words = ["verify", "dolev_klawe_rodeh", "--on", "ring(14)", "--no-reduction", "-j", threads];
        let ran = synod(&[&words[..], &["--max-memory", &most]].concat());
        assert_eq!(ran.code, 3, "{ran}");
        assert!(ran.stdout.contains("memory limit reached"), "{ran}");
        // `3.21 s, 97531 configurations/s, 58 MB`, if it took long enough to be shown.
        let told = ran.stderr.lines().find_map(|line| line.strip_suffix(" MB")?.rsplit(' ').next());
        let taken: Option<u64> = told.and_then(|told| told.parse().ok());
        assert!(taken.is_none_or(|taken| taken <= limit + limit / 10), "{ran}");
    }
}

/// The minimum and maximum length of the longest chain are reported, and the parts of a joint step are counted separately.
#[test]
fn bounds_and_joint_steps() {
    let files: [(&str, &[u8]); 2] = [
        (
            "asks.syn",
            b"algorithm asks
assumes star, reliable, unordered, one Boss
message Ask(k: Int), Answer(k: Int)
role Boss
  var total : Int
  state s
    on wakeup                            -> send Ask(1) to Worker
    on Answer(k) from p when k mod 2 = 1 -> total := total + k; send Ask(k + 1) to p
    on Answer(k) from p when k mod 2 = 0 -> total := total + k
role Worker
  state w
    on Ask(k) -> send Answer(k) to Boss
exactly eight: messages = 8
bound chain: time <= 6
bound answers: messages of Answer <= messages of Ask
",
        ),
        (
            "colours.syn",
            b"algorithm colours
assumes line, reads neighbours
var c : 0..2 := any
state s
  when (some k in neighbours: k.c = c) -> c := min((0..2) - { k.c for k in neighbours })
stable proper: forall p: forall q in p.neighbours: p.c != q.c
invariant in_range: forall p: p.c in 0..2
",
        ),
    ];
    let here = folder("verify_between", &files);
    assert_snapshot!(session([
        synod_in(&here, &["verify", "asks.syn", "--on", "star(2)"]),
        synod_in(&here, &["verify", "colours.syn", "--on", "line(3)", "--daemon", "synchronous", "-q"]),
        synod_in(&here, &["verify", "colours.syn", "--on", "line(3)", "--daemon", "distributed"]),
    ]));
}

/// The cost of a run that violates a bound is reported for that run, and not for all.
#[test]
fn a_bound_that_is_violated_is_told_by_the_run_that_is_shown() {
    let text = "
algorithm choosing
assumes complete, one Source
message M
role Source
  state s
    choose k in 1..3
    for i in 1..k do send M to neighbours od
    halt
role Sink
  var x : Int
  state s
    on M -> x := x + 1
bound cost: messages <= (sum p in Sink: p.x) - 1
bound few: messages <= 2
exactly two: messages = 2
";
    let here = folder("verify_bounds", &[("choosing.syn", text.as_bytes())]);
    let ran = synod_in(&here, &["verify", "choosing.syn", "--on", "complete(2)", "--keep-going"]);
    let said = |name: &str, why: &str| {
        let line = ran.stdout.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or_default();
        assert!(line.contains("VIOLATED") && line.ends_with(&format!("  {why}")), "{name}: {ran}");
    };
    said("cost ", "1, more than 0");
    // With one limit and a complete search, the cost of all runs is reported, too.
    said("few ", "3, more than 2; from 1 to 3 over all runs");
    said("two ", "3, not 2; from 1 to 3 over all runs");
    assert!(!ran.stdout.contains("in every run"), "{ran}");
    let told: serde_json::Value = serde_json::from_str(
        &synod_in(&here, &["verify", "choosing.syn", "--on", "complete(2)", "--keep-going", "--json"]).stdout,
    )
    .expect("JSON");
    let few = told["properties"].as_array().unwrap().iter().find(|p| p["name"] == "few").unwrap();
    assert!(few["least"] == 1 && few["most"] == 3 && few["verdict"] == "violated", "{few}");
    // The first violation may be one of many: the cost of other runs is not known then.
    let first = synod_in(&here, &["verify", "choosing.syn", "--on", "complete(2)", "--max-depth", "2"]);
    assert!(!first.stdout.contains("over all runs"), "{first}");
}

/// A run and a scenario know which premises of an order came true; a search knows whether the events that they need occurred.
#[test]
fn orders_hold_vacuously() {
    let unmet = ", but `multicast_before(a, b)` never came true";
    let run = synod(&["run", "causal", "--on", "complete(2)"]);
    assert!(run.stdout.contains(&format!("in a history of 8 events{unmet}")), "{run}");
    let several = synod(&["run", "causal", "--on", "complete(2)", "--set", "multicasts=2"]);
    assert!(several.code == 0 && !several.stdout.contains(unmet), "{several}");
    let none = ["verify", "causal", "--on", "complete(2)", "--set", "multicasts=0"];
    let found = synod(&none);
    assert!(found.stdout.contains(&format!("in the only configuration{unmet}")), "{found}");
    let json = synod(&[&none[..], &["--json"]].concat());
    assert!(json.stdout.contains("\"never_true\":[\"multicast_before(a, b)\"]"), "{json}");
    // That the events occurred, but never together, is unknown to a search.
    let found = synod(&["verify", "causal", "--on", "complete(2)"]);
    assert!(found.code == 0 && !found.stdout.contains(unmet), "{found}");
    let program = b"algorithm quiet solves Multicast(order: fifo)
assumes complete, reliable, fifo, unique ids, knows peers
message M(x: Value)
operation multicast(x: Value)
  send M(x) to others
on M(x) -> deliver(x)
order told: forall u in upcalls of deliver: some a in calls of multicast: a.value = u.value
scenario nothing on complete(2) with multicasts 0
  expect told holds
";
    let here = folder("vacuous_order", &[("quiet.syn", program)]);
    let played = synod_in(&here, &["test", "quiet.syn"]);
    assert!(
        played.stdout.contains("`told` holds: in a history of 0 events, but `u in upcalls of deliver`"),
        "{played}"
    );
}

/// `--outcomes` projects the ends to expressions, and counts them.
#[test]
fn outcomes_are_listed() {
    let program = b"algorithm log
assumes complete, unordered, unique ids, integer ids, knows peers
message M(k: Int)
var log : list of Int
state s
  send M(int(id)) to others
  log := log + [int(id)]
  become t
state t
on M(k) -> log := log + [k]
";
    let here = folder("outcomes", &[("log.syn", program)]);
    assert_snapshot!(session([
        synod_in(
            &here,
            &["verify", "log.syn", "--on", "complete(3)", "--outcomes", "p0.log, size(p1.log + p2.log)"]
        ),
        synod_in(&here, &["verify", "log.syn", "--on", "complete(2)", "--outcomes", "p0.log = p1.log"]),
        synod_in(
            &here,
            &["verify", "log.syn", "--on", "complete(2)", "--ids", "all", "--outcomes", "p0.log"]
        ),
        synod_in(&here, &["verify", "log.syn", "--outcomes", "p0.lo"]),
        synod_in(&here, &["verify", "log.syn", "--outcomes", "log"]),
        synod_in(&here, &["verify", "log.syn", "--outcomes", "p0.log; p1.log"]),
        synod_in(&here, &["verify", "log.syn", "--outcomes", ","]),
        // Configurations contain neither counts nor the history.
        synod_in(&here, &["verify", "log.syn", "--on", "complete(2)", "--outcomes", "p0.log, messages"]),
    ]));
}

/// An outcome counts the initiators, although no property does.
#[test]
fn an_outcome_counts_the_initiators() {
    let flood = b"algorithm flood
assumes connected
message M
state asleep
  on wakeup -> send M to neighbours; become awake
  on M -> become awake
state awake
  on M -> skip
";
    let here = folder("initiators", &[("flood.syn", flood)]);
    let seen =
        synod_in(&here, &["verify", "flood.syn", "--on", "line(2)", "--outcomes", "size(initiators)"]).stdout;
    assert!(seen.contains("2  quiescent  size(initiators): 1"), "{seen}");
    assert!(seen.contains("1  quiescent  size(initiators): 2"), "{seen}");
}

/// A trace keeps the verdict that it shows.
#[test]
fn a_counterexample_keeps_its_verdict() {
    let here = folder("kept_verdict", &[("restless.syn", RESTLESS)]);
    let files = ["--trace", "found.trace", "--no-events", "--no-diagram", "-q"];
    assert_snapshot!(session([
        synod_in(&here, &[&["verify", "voting", "--on", "complete(2)"], &files[..]].concat()),
        synod_in(&here, &["trace", "show", "found.trace", "--no-diagram"]),
        synod_in(&here, &[&["verify", "restless.syn", "--on", "ring(2)"], &files[..]].concat()),
        synod_in(&here, &["trace", "show", "found.trace", "--no-diagram"]),
        synod_in(&here, &["trace", "replay", "found.trace", "--program", "restless.syn"]),
    ]));
}

/// Messages to port 0 reach every process only in some numberings of the ports.
#[test]
fn every_numbering_of_the_ports_is_explored() {
    let program = b"algorithm first
assumes connected graph, fifo
message M
var got := false
state s
  send M to port(0)
  become done
state done
on M -> got := true
finally all: forall p: p.got
";
    let here = folder("numberings", &[("first.syn", program)]);
    let verify = |ports: &[&str]| {
        synod_in(&here, &[&["verify", "first.syn", "--on", "ring(3)", "--no-diagram"], ports].concat())
    };
    let drawn = verify(&[]);
    assert!(
        drawn
            .stdout
            .contains("(ports are numbered at random, from seed 1; --ports all explores every numbering)"),
        "{drawn}"
    );
    let all = verify(&["--ports", "all"]);
    assert_eq!(all.code, 1, "{all}");
    assert!(all.stdout.contains("of 8 numberings of the ports"), "{all}");
    let holds: Vec<usize> =
        (0..8).filter(|number| verify(&["--ports", &number.to_string()]).code == 0).collect();
    // All processes send in the same direction round the ring.
    assert_eq!(holds.len(), 2, "{holds:?}");
    let shown = |on: &str, ports: &[&str]| {
        let words = ["topology", "show", on, "--for", "first.syn", "--json"];
        let shown = synod_in(&here, &[&words, ports].concat());
        let report: serde_json::Value = serde_json::from_str(&shown.stdout).expect("JSON");
        assert_eq!(report["port_seed"], serde_json::Value::Null);
        (0..3).map(|p| report["processes"][p]["ports"][0]["peer"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    for number in 0..8 {
        let peers = shown(&format!("numbered(ring(3), {number})"), &[]);
        assert_eq!(peers, shown("ring(3)", &["--ports", &number.to_string()]));
        let distinct: std::collections::BTreeSet<_> = peers.iter().collect();
        assert_eq!(distinct.len() == 3, holds.contains(&number), "{number}: {peers:?}");
    }
    let wrong = verify(&["--ports", "8"]);
    assert!(wrong.stderr.contains("there is no numbering 8"), "{wrong}");
    let labelled = synod(&["verify", "chang_roberts", "--ports", "all"]);
    assert!(labelled.stderr.contains("the assumed topology determines the order of the ports"), "{labelled}");
    let both = verify(&["--ports", "all", "--ids", "all"]);
    assert_eq!(both.code, 2, "{both}");
}

/// Configurations are stored by component in every model, also where steps are taken in whole configurations, as with oracles that err.
/// Stored as a whole, each took about a kilobyte.
#[test]
fn configurations_are_small_in_every_model() {
    for (name, network, limit, more) in [
        ("bully", "complete(4)", "20000", &[][..]),
        ("beeping_random_ids", "mesh(1, 3)", "80000", &[]),
        ("leader_oracle_ring", "ring(4)", "20000", &[]),
        ("leader_oracle_ring", "ring(3)", "20000", &["--faults", "lie<=1"]),
    ] {
        let arguments = ["verify", name, "--on", network, "--max-configurations", limit, "--json"];
        let ran = synod(&[&arguments[..], more].concat());
        let found: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
        let bytes = found["bytes_per_configuration"].as_f64().expect("a number");
        assert!(found["configurations"].as_u64() >= Some(10_000), "{name}: {ran}");
        assert!((1.0..400.0).contains(&bytes), "{name}: {bytes} bytes");
    }
}
