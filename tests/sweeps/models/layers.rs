//! Three levels of layers: an algorithm on two layers.

use crate::common::*;
use std::sync::Arc;
use synod::internals::check::check;
use synod::internals::explore::{ExploreOptions, explore};
use synod::internals::ir::{Program, Value};
use synod::internals::property::Judgement;
use synod::internals::scenario::play;
use synod::internals::session::{Keep, run_monitored};
use synod::internals::simulate::{self, Outcome, Schedule};
use synod::internals::trace::Trace;

/// Numbers the messages that it sends.
const POST: &str = "algorithm post
assumes complete, reliable, unordered, unique ids, knows peers, knows n
message Packet(k: Int, body: Value)
var count : Int
operation post(m: Value, whom: set of Id)
  count := count + 1
  send Packet(count, m) to whom
on Packet(k, m) from j -> arrived(k, m, j)
";

/// Delivers in the order of the numbers.
const ORDERED: &str = "algorithm ordered
assumes complete, reliable, unordered, unique ids, knows peers, knows n
uses post as Post
message Wrapped(body: Value)
var expected : map of Id to Int
var early    : set of (Id, Int, Value)
operation spread(m: Value)
  Post.post(Wrapped(m), everybody)
on Post.arrived(k, Wrapped(m), j) -> early := early + {(j, k, m)}
when some (j, k, m) in early with k = (if j in expected then expected[j] else 0) + 1 ->
  expected[j] := k
  early := early - {(j, k, m)}
  deliver(m, j)
";

const TOP: &str = "algorithm top solves Multicast(order: fifo)
assumes complete, reliable, unordered, unique ids, knows peers, knows n
uses ordered as Order
message Note(body: Value)
var seen : Int
operation multicast(m: Value)
  Order.spread(Note(m))
on Order.deliver(Note(m)) -> seen := seen + 1; deliver(m)
exactly cost: messages per multicast = n - 1
finally all_counted: forall p: p.seen = n * multicasts and p.count = multicasts
scenario overtaken on complete(2) with names [A, B], ids [1, 2]
  hold A -> B for Packet
  A: multicast(\"a\")
  A: multicast(\"b\")
  expect A.delivered = [\"a\", \"b\"] and B.delivered = []
  deliver A -> B
  expect B.delivered = [\"a\"] and B.seen = 1
  release
  expect B.delivered = [\"a\", \"b\"] and A.count = 2
  expect messages = 2
scenario begun_in_the_middle_below on complete(2) with names [A, B], ids [1, 2]
  initially A.count := 5
  A: multicast(\"a\")
  expect B.delivered = [] and size(B.early) = 1
  expect validity violated
";

/// A permission requested by messages: the waiting operation is the middle one.
const TURN: &str = "algorithm turn
assumes complete, reliable, unordered, unique ids, knows peers, knows n
uses post as Post
message Ask, Grant, Back
var holder : Id?
var line   : queue of Id
var mine   : Bool
operation get
  mine := false
  Post.post(Ask, {min(everybody)})
  await mine
operation give
  Post.post(Back, {min(everybody)})
on Post.arrived(_, Ask, j) ->
  if holder = none -> holder := j
                      Post.post(Grant, {j})
  [] otherwise     -> line := line + [j]
  fi
on Post.arrived(_, Back) ->
  if line = []  -> holder := none
  [] line != [] -> j := head(line)
                   line := tail(line)
                   holder := j
                   Post.post(Grant, {j})
  fi
on Post.arrived(_, Grant) -> mine := true
";

const LOCK: &str = "algorithm lock solves MutualExclusion without ME3
assumes complete, reliable, unordered, unique ids, knows peers, knows n
uses turn as Turn
operation enter
  Turn.get
operation exit
  Turn.give
scenario in_turn on complete(3) with names [A, B, C], ids [1, 2, 3]
  B: enter
  C: enter
  expect B.critical and C.waiting and A.line = [3]
  B: exit
  expect C.critical and A.holder = 3
  C: exit
  expect A.holder = none
";

fn program(text: &str) -> Arc<Program> {
    let find = |name: &str| {
        let own = [("post", POST), ("ordered", ORDERED), ("turn", TURN)];
        let own = own.into_iter().find(|(own, _)| *own == name);
        own.map(|(name, text)| (format!("{name}.syn"), text.to_string()))
            .or_else(|| synod::internals::library::source(name))
    };
    let checked = check("test.syn", text, &find);
    let found: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
    assert!(found.is_empty(), "{found:#?}");
    Arc::new(checked.program.expect("without findings there is a program"))
}

#[test]
fn scenarios_reach_down_to_the_lowest_layer() {
    for program in [program(TOP), program(LOCK)] {
        assert!(!program.scenarios.is_empty());
        for scenario in &program.scenarios {
            let played = play(&program, scenario, &Default::default(), &mut |_, _, _, _, _| {});
            assert!(played.passed(), "{}: {:?}", scenario.name, played.failures);
        }
    }
}

#[test]
fn every_schedule_of_three_layers() {
    for (program, limit) in [(program(TOP), 2000), (program(LOCK), 5000)] {
        let instance = on(&program, "complete(2)").build();
        let explored = explore(&instance, None, &ExploreOptions::default(), &mut |_| None);
        assert!(
            explored.configurations > 40 && explored.configurations < limit,
            "{}",
            explored.configurations
        );
        for verdict in explored.verdicts.iter().filter(|verdict| verdict.promised) {
            assert_eq!(verdict.judgement, Judgement::Holds, "{}: {}", verdict.name, verdict.why);
        }
    }
}

/// Runs, their traces, the lanes and variables in the traces, and the same again from the file.
#[test]
fn runs_of_three_layers_are_recorded_and_replayed() {
    for (program, params) in [(program(TOP), ("multicasts", 3)), (program(LOCK), ("entries", 2))] {
        let instance = on(&program, "complete(3)").param(params.0, params.1).build();
        for seed in 1..=20 {
            let options =
                simulate::SimulateOptions { schedule: Schedule::Random, seed, ..Default::default() };
            let seen = run_monitored(&instance, None, Keep::Always, "random", &options);
            assert_eq!(seen.run.outcome, Outcome::Quiescent);
            for verdict in seen.verdicts.iter().filter(|verdict| verdict.promised) {
                assert_eq!(verdict.judgement, Judgement::Holds, "{}: {}", verdict.name, verdict.why);
            }
            let trace = seen.trace.expect("it was asked for");
            let text = trace.to_text();
            assert!(text.contains(".Post.Packet(1, ") && text.contains(".Post.count=1"), "{text}");
            let read = Trace::read(&text).expect("what was written can be read");
            let compared = read.replay(&instance);
            assert!(compared.reproduced(), "{}", compared.summary());
            assert_eq!(compared.same, trace.events.len() as u64);
        }
    }
}

/// Two copies of one stack have separate variables and channels, all the way down.
#[test]
fn two_stacks_of_layers_are_separate() {
    let program = program(
        "algorithm twice solves Multicast(order: none)
assumes complete, reliable, unordered, unique ids, knows peers, knows n
uses ordered as Odd, ordered as Even
var sent_so_far : Int
operation multicast(m: Value)
  sent_so_far := sent_so_far + 1
  if sent_so_far mod 2 = 1 -> Odd.spread(m)
  [] otherwise             -> Even.spread(m)
  fi
on Odd.deliver(m) -> deliver(m)
on Even.deliver(m) -> deliver(m)
scenario one_stack_passes_the_other on complete(2) with names [A, B], ids [1, 2]
  hold A -> B
  A: multicast(\"a\")
  A: multicast(\"b\")
  A: multicast(\"c\")
  release
  // Each stack keeps its order; between the two there is none.
  expect B.delivered = [\"a\", \"c\", \"b\"]
  expect validity holds
",
    );
    let lanes: Vec<&str> = program.lanes.iter().map(|lane| lane.name.as_str()).collect();
    assert_eq!(lanes, ["", "Odd", "Odd.Post", "Even", "Even.Post"]);
    let played = play(&program, &program.scenarios[0], &Default::default(), &mut |_, _, _, _, _| {});
    assert!(played.passed(), "{:?}", played.failures);
    let instance = on(&program, "complete(2)").value("multicasts", Value::Int(3)).build();
    let run = run(&instance, Schedule::Random, 7);
    let sent: Vec<(&str, u64)> = program
        .kinds
        .iter()
        .zip(&run.metrics.sent)
        .filter(|(kind, _)| kind.name == "Packet")
        .map(|(kind, sent)| (lanes[kind.lane as usize], *sent))
        .collect();
    // Each of the two sends three, the first and third by one stack; those to itself are not counted.
    assert_eq!(sent, [("Odd.Post", 4), ("Even.Post", 2)]);
}

/// Pings another process, and waits for twice the maximum delay.
const PINGER: &str = "algorithm pinger
assumes complete, unordered, unique ids, knows peers, delay <= d, crashes <= f, n > 2 * f
param d : Int = 1
param f : Int = 1
message Ping, Pong
operation ask(whom: Id)
  send Ping to whom
  set timer patience after 2 * d
on Ping from p -> send Pong to p
on Pong -> cancel timer patience; answered
on timeout(patience) -> too_late
";

fn asking(assumes: &str, uses: &str) -> Arc<Program> {
    let text = format!(
        "algorithm asker
         assumes complete, unordered, unique ids, knows peers, {assumes}
         param longest : Int = 3
         param most    : Int = 1
         uses {uses} as Pings
         var wrong : Bool
         state s
           Pings.ask(least p in others)
           become t
         state t
         always
           on Pings.answered -> skip
           on Pings.too_late -> wrong := true
         invariant nobody_is_late: forall p: not p.wrong"
    );
    let find = |name: &str| (name == "pinger").then(|| ("pinger.syn".to_string(), PINGER.to_string()));
    let checked = check("asker.syn", &text, &find);
    let told: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
    checked.program.map(Arc::new).unwrap_or_else(|| panic!("{told:#?}"))
}

/// A layer assumes bounds on its own parameters: those given by its user, or its defaults. An instance that violates them is
/// rejected; otherwise it works.
#[test]
fn the_bounds_of_a_layer_are_those_that_it_is_given() {
    let wrong = |program: &Arc<Program>, topology: &str, crashes: u32, params: &[(&str, i64)]| {
        let mut wishes = synod::internals::setup::InstanceOptions {
            topology: Some(synod::internals::network::Spec::parse(topology).unwrap()),
            ..synod::internals::setup::InstanceOptions::default()
        };
        wishes.settings.faults = vec![(synod::internals::ir::Fault::Crash, crashes)];
        wishes.settings.params =
            params.iter().map(|(name, value)| (name.to_string(), Value::Int(*value))).collect();
        synod::internals::setup::instantiate(program, &wishes).map_err(|e| e.to_string())
    };
    let holds = |instance: &synod::internals::instance::Instance| {
        let found = explore(instance, None, &ExploreOptions::default(), &mut |_| None);
        found.verdicts.iter().all(|v| v.judgement == Judgement::Holds)
    };
    let given = asking("delay <= longest, crashes <= most", "pinger(d: longest, f: most)");
    for longest in 1..=2 {
        let params = [("longest", longest), ("most", 0)];
        assert!(holds(&wrong(&given, "complete(2)", 0, &params).unwrap()), "{longest}");
    }
    // In numbers of its own.
    let numbers = asking("delay <= 2, crashes <= most", "pinger(d: 2, f: 0)");
    assert!(holds(&wrong(&numbers, "complete(2)", 0, &[]).unwrap()));
    let own = asking("delay <= longest, crashes <= most", "pinger");
    assert_eq!(
        wrong(&own, "complete(3)", 0, &[]).unwrap_err(),
        "the assumption `delay <= d` of the layer `Pings`: the maximum delay is 3, but the layer assumes at most 1"
    );
    assert!(wrong(&own, "complete(3)", 1, &[("longest", 1)]).is_ok());
    assert_eq!(
        wrong(&own, "complete(5)", 2, &[("longest", 1), ("most", 2)]).unwrap_err(),
        "the assumption `crashes <= f` of the layer `Pings`: the budget permits 2 crashes, but the layer assumes at most 1"
    );
    assert_eq!(
        wrong(&own, "complete(2)", 0, &[("longest", 1)]).unwrap_err(),
        "complete(2) has 2 processes, but the algorithm assumes n > 2 * f, for its layer Pings"
    );
}
