//! Counterexamples exported as scenarios by `verify --save-scenario`.

use super::harness::{folder, session, synod_in};
use super::verify::WRONG;
use insta::assert_snapshot;

/// Export the finding as a scenario: pasted into the file, it passes.
#[track_caller]
fn exported(name: &str, text: &str, words: &[&str]) -> String {
    let file = format!("{name}.syn");
    let here = folder(&format!("verify_{name}"), &[(&file, text.as_bytes())]);
    let mut all = vec!["verify", file.as_str(), "-q", "--save-scenario", "-"];
    all.extend(words);
    let verify = synod_in(&here, &all);
    assert_eq!(verify.code, 1, "{verify}");
    let from = verify.stdout.find("scenario ");
    let both = format!("{text}\n{}", &verify.stdout[from.expect("a scenario")..]);
    let here = folder(&format!("verify_{name}_pasted"), &[(&file, both.as_bytes())]);
    let test = synod_in(&here, &["test", &file]);
    assert_eq!(test.code, 0, "{test}");
    session([verify, test])
}

#[test]
fn a_counterexample_becomes_a_scenario() {
    assert_snapshot!(exported("hasty", WRONG, &["--on", "ring(3)"]));
}

/// A process that has crashed while sending has reached only some of the others.
const ONE_ROUND: &str = "
algorithm one_round
assumes complete, synchronous, integer ids, crashes <= 2
var least_id := int(id)
var done : Bool
state s
  round
  send least_id to neighbours
  round
  least_id := min({least_id} + received)
  done := true
  halt
invariant agreement: forall p, q with p.done and q.done: p.least_id = q.least_id
";

#[test]
fn in_rounds() {
    assert_snapshot!(exported("one_round", ONE_ROUND, &["--on", "complete(4)", "--faults", "crash<=2"]));
}

/// A coordinator that tells every process, with no process to inform those that it has not reached.
const ONE_PHASE: &str = "
algorithm one_phase
assumes star, one Coordinator, unique ids, crashes <= 1, loses messages
message Go, Wait
var going, told : Bool
role Coordinator
  state s
    on wakeup -> told := true; send Wait to neighbours; send Go to neighbours; going := true
role Other
  state s
    on Wait -> told := true
    on Go   -> going := true
invariant told_first: forall p with p.going: p.told
finally all_or_none: forall p, q with p.up and q.up: p.going iff q.going
";

#[test]
fn with_a_crash_between_two_messages_and_with_a_loss() {
    let crash = ["--on", "star(2)", "--faults", "crash<=1", "--property", "all_or_none"];
    let loss = ["--on", "star(2)", "--faults", "loss<=1", "--property", "told_first"];
    assert_snapshot!([exported("crash", ONE_PHASE, &crash), exported("loss", ONE_PHASE, &loss)].join("\n"));
}

/// The partner of an interaction is given by number.
const SPARKS: &str = "
algorithm sparks
assumes complete, pairwise interactions
var lit : Bool
state s
  on interaction(v) when not lit -> lit := true
invariant dark: (count p: p.lit) < 2
";

/// The last process is lit only if another one stays dark.
const LAST: &str = "
algorithm last_one
assumes complete, pairwise interactions
var lit : Bool
state s
  on interaction(v) when not lit and not v.lit -> lit := true
invariant dark: forall p: p.lit implies p.index < 2
";

#[test]
fn of_pairwise_interactions() {
    let sparks = exported("sparks", SPARKS, &["--on", "complete(4)"]);
    let last = exported("last", LAST, &["--on", "complete(3)"]);
    assert_snapshot!([sparks, last].join("\n"));
}

/// A server lends for some time, and takes back after a longer time; a message may be late.
const LEASE: &str = "algorithm lease
assumes star, reliable, one Server, delay <= D
param D : Int = 2
param T : Int = 5
param L : Int = 6
message Want, Have
var holds : Bool
role Server
  var free : Bool := true
  var line : queue of Port
  state s
    on Want from p              -> line := line + [p]
    when free and line != []    -> free := false; send Have to head(line); line := tail(line); set timer lease after L
    on timeout(lease)           -> free := true
role Client
  state c
    on wakeup        -> send Want to Server
    on Have          -> holds := true; set timer mine after T
    on timeout(mine) -> holds := false
invariant one: (count p: p.holds) <= 1
";

/// A process with enough neighbours of the same opinion takes itself for the leader.
const ANYONE: &str = "algorithm anyone
assumes connected graph, fifo, unique ids
message Vote(k: Id)
var wish : Bool := any
var leader : Bool
var votes : Int
state s
  on wakeup  -> if wish -> send Vote(id) to neighbours [] otherwise -> skip fi
  on Vote(k) ->
    if k < id and not wish -> votes := votes + 1 [] otherwise -> skip fi
    if votes > 0 and 2 * votes >= degree -> leader := true [] otherwise -> skip fi
invariant one: (count p: p.leader) <= 1
bound chain: time <= n
";

/// The head of the line is read, although the release may have overtaken the request.
const OVERTAKEN: &str = "algorithm overtaken
assumes star, reliable, unordered, one Server
message Request, Release
role Server
  var line : queue of Port
  on Request from p -> line := line + [p]
  on Release from p -> if head(line) = p -> line := tail(line) [] otherwise -> skip fi
role Client
  state s
    on wakeup -> send Request to Server; send Release to Server
";

const BY_LAYER: &str = "algorithm by_layer solves Multicast(order: causal)
assumes complete, reliable, unordered, unique ids, knows peers, knows n
uses basic as Data
operation multicast(m: Value, group: set of Id := everybody)
  Data.multicast(m, group)
on Data.deliver(m, j) -> deliver(m, j)
";

/// A message must arrive before a timer that expires at the same instant; arbitrary initial values are fixed; a message whose
/// command aborts arrives; messages of a layer are named as in scenarios. Each scenario shows the finding of the search, on a
/// smaller or simpler network with its ids.
#[test]
fn in_other_models() {
    let files = [
        ("lease.syn", LEASE.as_bytes()),
        ("anyone.syn", ANYONE.as_bytes()),
        ("overtaken.syn", OVERTAKEN.as_bytes()),
        ("by_layer.syn", BY_LAYER.as_bytes()),
    ];
    let here = folder("verify_retold", &files);
    let plain = ["--no-diagram", "--no-events", "--save-scenario", "-"];
    let verify = |file: &str, more: &[&str]| synod_in(&here, &[&["verify", file], more, &plain].concat());
    let found = [
        verify("lease.syn", &["--on", "star(2)"]),
        verify("anyone.syn", &["--on", "complete(4)", "--ids", "4,2,3,1"]),
        verify("overtaken.syn", &["--on", "star(3)", "--initiators", "p1,p2"]),
        verify("by_layer.syn", &["--on", "complete(2)"]),
    ];
    for (ran, (file, text)) in found.iter().zip(&files) {
        let (_, scenario) = ran.stdout.split_once("\nscenario ").expect("a scenario");
        let mut text = text.to_vec();
        text.extend(format!("\nscenario {scenario}").bytes());
        std::fs::write(here.join(file), text).unwrap();
        let played = synod_in(&here, &["test", file]);
        assert_eq!(played.code, 0, "{played}");
    }
    assert_snapshot!(session(found));
}

/// A scenario states that other properties are violated as well; a run that never settles is scripted step by step.
#[test]
fn with_a_scripted_schedule() {
    let two = "algorithm two_bad\nassumes complete, anonymous\nvar x, y : Int\nstate a\n  pause\n  x := 1\n  become b\n\
        state b\n  pause\n  x := 2; y := 1\n  halt\ninvariant I: forall p: p.x != 1\ninvariant J: forall p: p.y != 1\n";
    let spin = "algorithm spin\nassumes complete\nvar y : Int\nstate s\n  when true -> y := (y + 1) mod 3\n\
        invariant small: forall p: p.y < 2\n";
    let here = folder("hard_to_retell", &[("two_bad.syn", two.as_bytes()), ("spin.syn", spin.as_bytes())]);
    let saved = |file: &str| {
        synod_in(&here, &["verify", file, "--on", "complete(1)", "-q", "--save-scenario", "found.syn"])
    };
    let told =
        synod_in(&here, &["verify", "two_bad.syn", "--on", "complete(1)", "-q", "--save-scenario", "-"]);
    assert_snapshot!(session([told, saved("spin.syn")]));
    let written = saved("two_bad.syn");
    assert_eq!(written.code, 1, "{written}");
    let scenario = std::fs::read_to_string(here.join("found.syn")).expect("the scenario");
    std::fs::write(here.join("two_bad.syn"), format!("{two}\n{scenario}")).expect("the program");
    let played = synod_in(&here, &["test", "two_bad.syn"]);
    assert_eq!(played.code, 0, "{played}");
}

/// A process that sends forever never settles: this is no reason to wait, and every step can be scripted.
#[test]
fn of_a_process_that_sends_forever() {
    let stubborn = "algorithm stubborn\nassumes line, fifo, unique ids, timers, one Source\nmessage M(k: Int)\n\
        role Source\n  var k : 0..3\n  state s\n    after 1 -> k := (k + 1) mod 4; send M(k) to right; become s\n\
        role Sink\n  var last : Int := 0\n  state t\n    on M(k) -> last := k\n\
        invariant few: forall p in Sink: p.last < 2\n";
    let here = folder("stubborn", &[("stubborn.syn", stubborn.as_bytes())]);
    let ran = synod_in(&here, &["verify", "stubborn.syn", "--on", "line(2)", "-q", "--save-scenario", "-"]);
    assert!(ran.code == 1 && ran.stdout.contains("schedule told"), "{ran}");
    assert_snapshot!(ran.stdout);
}

/// The scenario states which `on wakeup` runs if several are enabled.
#[test]
fn with_several_wakeups() {
    let two = "
algorithm two
assumes ring
var a : Int
on wakeup -> a := 1
on wakeup -> a := 2
invariant small: forall p: p.a < 2
";
    assert_snapshot!(exported("two_wakeups", two, &["--on", "ring(3)"]));
}

/// A process reads `initiator`, so that the scenario states the initiators, and not only the processes that wake up.
#[test]
fn of_processes_that_read_whether_they_are_initiators() {
    let asks = "
algorithm asks
assumes ring, unique ids
var a : Int
message M
on wakeup -> send M to neighbours
on M      -> if initiator -> a := 1 [] otherwise -> skip fi
invariant small: forall p: p.a < 1
";
    assert_snapshot!(exported("asks_initiator", asks, &["--on", "ring(3)", "--initiators", "p0,p1"]));
}

/// Initial ports without labels.
const FATHERS: &str = "
algorithm fathers
assumes connected graph
var father : Port? := any
var rays : set of Port := any
state s
  pause
  father := none
  halt
invariant no_father: forall p: p.father = none or p.rays = {}
";

#[test]
fn with_ports_as_initial_values() {
    let text = exported("fathers", FATHERS, &["--on", "line(3)"]).to_string();
    assert!(text.contains(".father := port(p"), "{text}");
    assert!(text.contains(".rays := {port(p"), "{text}");
    // A label has a meaning only beside a process.
    let ring = FATHERS.replace("connected graph", "bidirectional ring");
    let text = exported("fathers_on_a_ring", &ring, &["--on", "ring(3)"]).to_string();
    assert!(text.contains(".father := port(p"), "{text}");
}
