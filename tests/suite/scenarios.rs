//! Scenarios and runs of one program.

use std::sync::Arc;
use synod::internals::scenario::{instance, play};
use synod::internals::semantics::event::{Effects, Event};
use synod::internals::semantics::{Configuration, Metrics};
use synod::internals::simulate::{Observer, Schedule, SimulateOptions, simulate};

struct Events(Vec<Event>);

impl Observer for Events {
    fn after(
        &mut self,
        _: &synod::internals::instance::Instance,
        event: &Event,
        _: &Effects,
        _: &Configuration,
        _: &Metrics,
    ) -> bool {
        self.0.push(event.clone());
        true
    }
}

/// Channels with several messages, choices in commands, processes with internal steps.
const BUSY: &str = "algorithm busy
assumes complete, unordered
message M(k: Int)
var got, rest : Int
state s
  on wakeup -> send M(1) to neighbours; send M(2) to neighbours; send M(3) to neighbours; rest := 2
  on M(k) when k > 1 -> choose got in {1, 2, 3}; send M(k - 1) to neighbours
  on M(k) when k = 1 -> skip
  when rest > 0 -> rest := rest - 1
scenario with_a_seed on complete(4) with seed 5, schedule SCHEDULE
scenario without_seed on complete(4) with schedule SCHEDULE
";

#[test]
fn a_scenario_goes_as_a_run_with_the_same_seed_and_schedule() {
    for (word, schedule) in [
        ("fifo", Schedule::Fifo),
        ("random", Schedule::Random),
        ("round_robin", Schedule::RoundRobin),
        ("round-robin", Schedule::RoundRobin),
        ("adversary", Schedule::Adversary),
        ("priorities", Schedule::Priorities),
    ] {
        let text = BUSY.replace("SCHEDULE", word);
        let checked = synod::internals::check::check("busy.syn", &text, &|_| None);
        let found: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
        let program = Arc::new(checked.program.unwrap_or_else(|| panic!("{found:?}")));
        for (scenario, seed) in program.scenarios.iter().zip([5, 1]) {
            let mut played = Events(Vec::new());
            let outcome = play(&program, scenario, &Default::default(), &mut |i, e, f, c, m| {
                played.after(i, e, f, c, m);
            });
            assert!(outcome.passed(), "{outcome:?}");
            let mut run = Events(Vec::new());
            let instance = instance(&program, scenario, &Default::default()).unwrap();
            let options = SimulateOptions { schedule, seed, ..SimulateOptions::default() };
            simulate(&instance, &options, &mut run);
            assert!(run.0.len() > 50);
            assert_eq!(played.0, run.0, "{word} {seed}");
        }
    }
}

/// Play all scenarios of a program.
fn all_pass(text: &str) {
    let checked = synod::internals::check::check("own.syn", text, &synod::internals::library::source);
    let found: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
    let program = Arc::new(checked.program.unwrap_or_else(|| panic!("{found:?}")));
    assert!(!program.scenarios.is_empty());
    for scenario in &program.scenarios {
        let played = play(&program, scenario, &Default::default(), &mut |_, _, _, _, _| {});
        assert!(played.passed(), "{}: {:?}", scenario.name, played.failures);
    }
}

const SETS: &str = "scenario sets on complete(3)
  initially p0.value := 4
  initially p1.value := 2
  initially p2.value := 9
";

#[test]
fn what_a_scenario_sets_is_there_for_the_first_commands() {
    all_pass(&format!(
        "algorithm smallest
assumes complete, synchronous, unique ids, knows peers
var value : Int := 7
var twice : Int := 2 * value
state s
  send value to others
  round
  value := min({{value}} + received)
  halt
{SETS}  expect forall p: p.value = 2
  // Set is what is named; what another declaration made of the declared value stays.
  expect forall p: p.twice = 14
"
    ));
    all_pass(&format!(
        "algorithm asynchronous
assumes complete, unique ids, knows peers
message V(x: Int)
var value, taken : Int
state s
  send V(value) to others
  receive V(taken) from each p in {{max(others)}}
  halt
always
  ignore V
{SETS}  expect p0.taken = 9 and p1.taken = 9 and p2.taken = 2
"
    ));
    // With a client above, a layer below, and in the variables of both.
    all_pass(
        "algorithm layered solves Multicast(order: none) without agreement, validity, integrity
assumes complete, reliable, unordered, unique ids, knows peers, knows n
uses basic as Data
var tag : Int := 1
operation multicast(m: Value)
  Data.multicast((tag, m))
on Data.deliver(m) -> deliver(m)
scenario tagged on complete(2) with names [A, B]
  initially A.tag := 5
  A: multicast(\"a\")
  B: multicast(\"b\")
  expect A.delivered = [(5, \"a\"), (1, \"b\")]
",
    );
}

#[test]
fn what_a_scenario_sets_is_for_the_beginning_only() {
    all_pass(
        "algorithm comes_back
assumes complete, unique ids, knows peers, crashes, restarts
persistent var kept : Int := 1
var lost        : Int := 2
var seen        : list of Int
state s
  seen := seen + [kept, lost]
  become t
state t
scenario again on complete(2)
  initially p0.kept := 10
  initially p0.lost := 20
  expect p0.seen = [10, 20] and p1.seen = [1, 2]
  crash p0
  restart p0
  expect p0.seen = [10, 2]
",
    );
}

#[test]
fn values_drawn_at_the_beginning_give_way_to_those_set() {
    all_pass(
        "algorithm drawn
assumes unidirectional ring, reads neighbours, one Root
var x : 0..4 := any
role Root
  when x = prev.x -> x := (x + 1) mod 5
role Other
  when x != prev.x -> x := prev.x
scenario from_there on ring(3) with seed 3
  initially p0.x := 1
  initially p1.x := 3
  initially p2.x := 1
  at 0
  expect p0.enabled and p1.enabled and p2.enabled
  expect p0.x = 1 and p1.x = 3 and p2.x = 1
",
    );
}

#[test]
fn a_radio_neighbour_is_heard_once_however_many_links_lead_to_it() {
    all_pass(
        "algorithm heard_once
assumes connected graph, radio, collision detection, transmitter feedback, integer ids
message Hi
var how : Heard
var got : Int
state s
  if int(id) = 1 -> transmit Hi
  [] otherwise   -> listen
  fi
  round
  how := heard
  got := size([ 1 for Hi in received ])
  halt
scenario two_links on ring(2)
  expect p0.how = success and p1.how = success and p1.got = 1
scenario a_loop on ring(1)
  expect p0.how = success and p0.got = 0
scenario one_link on line(2)
  expect p0.how = success and p1.how = success and p1.got = 1
",
    );
}

/// The processes of `wake` lines are the initiators, unless the header states which processes are.
#[test]
fn wake_lines_name_the_initiators_if_the_header_does_not() {
    let text = |settings: &str, of_the_other: bool| {
        format!(
            "algorithm roles
assumes complete, one Source
message M
var starts : Bool
role Source
  on wakeup -> starts := initiator
role Other
  state s
    starts := initiator
    halt
scenario wakes on complete(2){settings}
  wake p0
  expect p0.starts and p1.starts = {of_the_other}
"
        )
    };
    all_pass(&text("", false));
    all_pass(&text(" with initiators [p0]", false));
    all_pass(&text(" with initiators all", true));
}

/// Maps are compared key by key, like vector clocks, and sets by inclusion.
#[test]
fn maps_are_ordered_pointwise() {
    all_pass(
        "algorithm clocks
assumes complete, unique ids, knows peers
var a : map of Id to Int := { p: 0 for p in everybody }
state s
  halt
scenario pointwise on complete(2)
  expect not ({1: 1, 2: 0} <= {1: 0, 2: 1}) and not ({1: 0, 2: 1} <= {1: 1, 2: 0})
  expect {1: 1, 2: 0} <= {1: 1, 2: 3} and {1: 1, 2: 0} < {1: 1, 2: 3} and {1: 1, 2: 3} >= {1: 1, 2: 0}
  expect p0.a <= p1.a and not (p0.a < p1.a)
  expect {1: 1} <= {1: 1, 2: 0} and not ({1: 1, 2: 0} <= {1: 1})
  expect not ({1, 2} <= {2, 3}) and {2} < {2, 3}
",
    );
}

/// In the trace, a call of a scenario has the name of its operation, and a return has the value `none`.
#[test]
fn a_call_is_named_by_its_operation() {
    let text = "algorithm calls solves MutualExclusion without ME1, ME2, ME3, no_starvation
assumes complete
operation enter
  skip
operation exit
  skip
order no_values: forall e in returns of enter: e.value = none
scenario one on complete(2)
  p0: enter
  expect no_values holds
";
    all_pass(text);
    let checked = synod::internals::check::check("calls.syn", text, &synod::internals::library::source);
    let program = std::sync::Arc::new(checked.program.expect("a program"));
    let scenario = &program.scenarios[0];
    let (_, trace) = synod::internals::session::record_scenario(&program, scenario, &Default::default());
    let trace = trace.expect("a trace");
    let actions: Vec<&str> = trace.events.iter().map(|event| event.action.as_str()).collect();
    assert_eq!(actions, ["start", "start", "enter"]);
}

/// `finally` and costs are checked at the end of a scripted schedule, as with held messages. Liveness is not.
#[test]
fn the_end_of_a_script_is_an_end() {
    let lines = "  deliver a -> b Hi
  expect got_one holds
  expect all_got violated
  expect cost holds
";
    let text = format!(
        "algorithm greets
assumes complete
message Hi
var got : Bool
state s
  send Hi to neighbours
  become t
state t
  on Hi -> got := true
finally got_one: some p: p.got
finally all_got: forall p: p.got
exactly cost: messages = n
eventually later: forall p: p.got
scenario held on complete(2) with names [a, b]
  hold * -> *
{lines}scenario told on complete(2) with names [a, b], schedule told
{lines}"
    );
    all_pass(&text);
    let open = text.replace("  expect cost holds\n", "  expect later violated\n");
    let checked = synod::internals::check::check("open.syn", &open, &|_| None);
    let program = Arc::new(checked.program.expect("it has no errors"));
    let failures = |number: usize| {
        let scenario = &program.scenarios[number];
        play(&program, scenario, &Default::default(), &mut |_, _, _, _, _| {}).failures
    };
    assert!(failures(1)[0].message.contains("`later` is pending"), "{:?}", failures(1));
}
