//! Shortened counterexamples in every model; their explanations; exact limits; guards never taken.

use crate::common::*;
use std::collections::BTreeSet;
use synod::internals::explore::{
    Counterexample, Explanation, Exploration, ExploreOptions, NotShortened, SearchOrder, Shortened,
    StopReason, ViolationKind, explain, explore, shorten,
};
use synod::internals::ids::ProcessId;
use synod::internals::instance::Instance;
use synod::internals::ir::{Daemon, Fault};
use synod::internals::property::Judgement;
use synod::internals::semantics::event::{Cause, Event};
use synod::internals::semantics::{Configuration, Machine, enabled, initial};

fn searched(instance: &Instance, options: ExploreOptions) -> Exploration {
    explore(instance, None, &options, &mut |_| None)
}

/// Return the last counterexample of a depth-first search, shortened, with its original number of events.
fn shortened(instance: &Instance) -> (usize, Shortened, Explanation) {
    let options = ExploreOptions {
        order: SearchOrder::Depth,
        reduce: false,
        dead_messages: false,
        forget_wakeups: false,
        symmetry: false,
        ..ExploreOptions::default()
    };
    let found = searched(instance, options).counterexamples.remove(0);
    let long = found.events.len();
    let shortened = shorten(instance, found);
    is_a_run(instance, &shortened.counterexample);
    let explanation = explain(instance, &shortened.counterexample).expect("the run can be repeated");
    assert_eq!(explanation.flipped_by, Some(shortened.counterexample.events.len() - 1));
    (long, shortened, explanation)
}

fn is_a_run(instance: &Instance, counterexample: &Counterexample) {
    let mut configuration = Configuration::initial(instance);
    let mut machine = Machine::new(instance);
    for event in &counterexample.events {
        machine.replay(instance, &mut configuration, event).expect("it is a run");
    }
}

/// Heat is passed on in an interaction; three others count their interactions.
const HEAT: &str = "
algorithm heat
assumes complete, pairwise interactions, one Stove
var hot : Int
var met : 0..2
role Stove
  on interaction(v) when hot = 0 -> hot := 1
role Pot
  on interaction(v) when v.hot = 1 and hot = 0 -> hot := 1
  on interaction(v) when v.hot = 0 and met < 2  -> met := met + 1
invariant nobody_burns: forall p: p.met = 2 implies p.hot = 0
";

#[test]
fn irrelevant_interactions_are_removed() {
    let program = source(HEAT);
    let instance = on(&program, "complete(4)").build();
    let (long, Shortened { counterexample, left_out }, explanation) = shortened(&instance);
    // Starts, two interactions, the stove becomes hot, and the pot meets it.
    assert_eq!(counterexample.events.len(), 4 + 2 + 1 + 1, "{long}");
    assert_eq!(left_out, Ok(long - 8));
    // The stove's step is in the past of the process that meets it.
    let stove =
        counterexample.events.iter().position(|e| e.process == ProcessId(0) && e.cause != Cause::Start);
    assert!(explanation.past.contains(&stove.expect("a step of the stove")), "{explanation:?}");
}

/// A process climbs if its left neighbour is not higher; no process may reach the top.
const CLIMB: &str = "
algorithm climb
assumes bidirectional ring, reads neighbours, unique ids
var height : 0..3
state s
  when height < 3 and left.height >= height -> height := height + 1
invariant nobody_on_top: forall p: p.height < 2
";

#[test]
fn irrelevant_moves_are_removed_under_a_central_daemon() {
    let instance = on(&source(CLIMB), "ring(5)").build();
    let (long, Shortened { counterexample, left_out }, explanation) = shortened(&instance);
    // A process reaches the top when its neighbour and it have climbed once, and it climbs again.
    assert_eq!(counterexample.events.len(), 5 + 3, "{long}");
    assert_eq!(left_out, Ok(long - 8));
    let who: BTreeSet<ProcessId> =
        explanation.past.iter().map(|e| counterexample.events[*e].process).collect();
    assert!(who.len() >= 2, "what it has read led to it: {explanation:?}");
}

#[test]
fn irrelevant_moves_are_removed_under_a_distributed_daemon() {
    let mut setup = on(&source(CLIMB), "ring(4)");
    setup = setup.daemon(Daemon::Distributed);
    let (long, Shortened { counterexample, left_out }, explanation) = shortened(&setup.build());
    assert_eq!(counterexample.events.len(), 4 + 3, "{long}");
    assert_eq!(left_out, Ok(long - 7));
    assert_eq!(explanation.together, [6], "who moves at last moves alone");
}

#[test]
fn under_a_synchronous_daemon_all_move() {
    let setup = on(&source(CLIMB), "ring(4)").daemon(Daemon::Synchronous);
    let (long, Shortened { counterexample, left_out }, explanation) = shortened(&setup.build());
    assert_eq!((counterexample.events.len(), left_out), (long, Err(NotShortened::Everybody)));
    assert_eq!(explanation.together, [8, 9, 10, 11], "two joint moves of four behind four starts");
}

const ONE_ROUND: &str = "
algorithm one_round
assumes complete, synchronous, integer ids, crashes <= 2
var least_id := int(id)
var done : Bool
state s
  send least_id to neighbours
  round
  least_id := min({least_id} + received)
  done := true
  halt
invariant agreement: forall p, q with p.done and q.done: p.least_id = q.least_id
";

#[test]
fn in_rounds_all_step_together() {
    let instance = on(&source(ONE_ROUND), "complete(3)").faults(&[(Fault::Crash, 1)]).build();
    let (long, Shortened { counterexample, left_out }, explanation) = shortened(&instance);
    assert_eq!((counterexample.events.len(), left_out), (long, Err(NotShortened::Everybody)));
    assert_eq!(explanation.together.len(), 2, "the two that are left end the round: {explanation:?}");
}

/// A clock sends in its seventh round; a process that woke three rounds before receives it.
const LATE: &str = "
algorithm late
assumes complete, synchronous, spontaneous start, unique ids, one Clock
message Hello, Go
var met : Bool
role Clock
  state s
    if after 6 -> send Go to neighbours fi
    round
    halt
role Sleeper
  state t
    on wakeup -> become u
  state u
    if after 3 -> send Hello to neighbours fi
    become w
  state w
    round
    if arrived Go -> met := true [] otherwise -> skip fi
    halt
invariant never: forall p in Sleeper: not p.met
";

/// Two processes wake between quiet rounds, and one is irrelevant: all its events are removed, and the other waits for as
/// many rounds as before.
#[test]
fn an_irrelevant_wake_up_between_quiet_rounds_is_removed() {
    let instance = on(&source(LATE), "complete(3)").build();
    let mut machine = Machine::new(&instance);
    let mut configuration = initial(&instance);
    let mut events = Vec::new();
    let wakes =
        |process, wait| move |e: &Event| (e.process, e.wait, &e.cause) == (process, wait, &Cause::Wakeup);
    let (first, second) = (wakes(ProcessId(2), 1), wakes(ProcessId(1), 2));
    let any = |_: &Event| true;
    let begun: [&dyn Fn(&Event) -> bool; 5] = [&any, &any, &any, &first, &second];
    let round = |e: &Event| matches!(e.cause, Cause::Round { .. });
    for wanted in begun.into_iter().chain(std::iter::repeat(&round as &dyn Fn(&Event) -> bool)) {
        let Some(event) = enabled(&instance, &configuration).into_iter().find(|e| wanted(e)) else { break };
        machine.replay(&instance, &mut configuration, &event).unwrap();
        events.push(event);
    }
    let what = ViolationKind::Property(0);
    let found = Counterexample::new(what, events);
    let Shortened { counterexample, left_out } = shorten(&instance, found.clone());
    is_a_run(&instance, &counterexample);
    let events = &counterexample.events;
    let woken: Vec<(ProcessId, u64)> =
        events.iter().filter(|e| e.cause == Cause::Wakeup).map(|e| (e.process, e.wait)).collect();
    assert_eq!(woken, [(ProcessId(1), 3)], "three rounds pass, and only one wakes");
    assert!(events.iter().all(|e| e.process != ProcessId(2) || e.cause == Cause::Start), "{events:?}");
    let explanation = explain(&instance, &counterexample).unwrap();
    assert_eq!(explanation.flipped_by, Some(events.len() - 1));
    let after = explain(&instance, &found).unwrap().flipped_by.unwrap() + 1 - events.len();
    assert!(left_out.is_ok_and(|left_out| left_out >= after && after >= 3), "{left_out:?}");

    // Processes that can step must step: of the rest nothing can be removed.
    let Shortened { counterexample: again, left_out } = shorten(&instance, counterexample.clone());
    assert_eq!((again.events, left_out), (counterexample.events, Err(NotShortened::Everybody)));
}

// ---- Limits

const MARBLES: &str = "
algorithm marbles
assumes unidirectional ring, unique ids
message Marble
var got : 0..2
state s
  on wakeup -> send Marble; send Marble
  on Marble -> got := got + 1
";

/// Every limit on configurations is exact, and only what was omitted is reported as omitted.
#[test]
fn the_limit_of_configurations_is_exact() {
    let rounds = on(&source(ONE_ROUND), "complete(3)").faults(&[(Fault::Crash, 1)]).build();
    for instance in [on(&source(MARBLES), "ring(3)").build(), rounds] {
        let plain = ExploreOptions {
            reduce: false,
            dead_messages: false,
            forget_wakeups: false,
            symmetry: false,
            keep_going: true,
            ..ExploreOptions::default()
        };
        let all = searched(&instance, plain).configurations;
        assert!(all > 20, "{all}");
        for order in [SearchOrder::Breadth, SearchOrder::Depth] {
            for max_configurations in 1..=all + 1 {
                let mut found = Vec::new();
                for threads in [1, 3] {
                    let one =
                        searched(&instance, ExploreOptions { order, threads, max_configurations, ..plain });
                    assert_eq!(one.configurations, max_configurations.min(all));
                    let cut = (max_configurations < all).then_some(StopReason::Configurations);
                    assert_eq!(one.stopped_by, cut, "{max_configurations} of {all}");
                    found.push((one.steps, one.depth, one.ends.len()));
                }
                assert_eq!(found[0], found[1], "the same with any number of threads");
            }
        }
    }
}

/// Starts beyond the limit are counted, not enumerated: 10^12 of them would take days. The search explores some of them, unless an incomplete
/// exploration is of no use.
#[test]
fn many_starts_exceed_the_limit_at_once() {
    let program = source(
        "algorithm many
assumes connected
message M
var digit : 0..9 := any
state s
  on M -> skip
invariant small: forall p: p.digit < 10
",
    );
    let instance = on(&program, "complete(12)").build();
    for (whole_or_none, stopped) in [(true, StopReason::Configurations), (false, StopReason::Starts)] {
        let options = ExploreOptions { whole_or_none, ..ExploreOptions::default() };
        let found = searched(&instance, options);
        assert_eq!((found.stopped_by, found.verdicts[0].judgement), (Some(stopped), Judgement::Pending));
        assert_eq!(found.configurations > 0, !whole_or_none);
    }
    let line = on(&program, "line(2)").build();
    for (max_configurations, stopped) in [(100, None), (99, Some(StopReason::Configurations))] {
        let options = ExploreOptions { max_configurations, symmetry: false, ..ExploreOptions::default() };
        assert_eq!(searched(&line, options).stopped_by, stopped);
    }
}

/// Marbles on a ring of two, counted by hand: each process wakes once and takes two; the path to the end has six steps.
#[test]
fn the_limit_of_depth_is_exact() {
    let instance = on(&source(MARBLES), "ring(2)").build();
    let plain = ExploreOptions {
        reduce: false,
        dead_messages: false,
        forget_wakeups: false,
        symmetry: false,
        ..ExploreOptions::default()
    };
    let all = searched(&instance, plain);
    assert_eq!(all.depth, 6);
    let mut before = 0;
    for depth in 0..=7 {
        let one = searched(&instance, ExploreOptions { max_depth: Some(depth), ..plain });
        assert_eq!(one.depth, depth.min(6));
        assert!(one.configurations > before || depth == 7);
        assert_eq!(one.stopped_by, (depth < 6).then_some(StopReason::Depth), "at depth {depth}");
        before = one.configurations;
    }
    assert_eq!(before, all.configurations);
}

// ---- Coverage

const GUARDS: &str = "
algorithm guards
assumes unidirectional ring, unique ids, knows n
message Token(k: Int)
var a, b : Int
state s
  if n > 3     -> a := 1
  [] n = 3     -> a := 2
  [] otherwise -> a := 3
  fi
  do b < 2 and a = 2 -> b := b + 1
  [] b < 2 and a = 7 -> b := b + 2
  od
  receive Token(k)
state unused
  on Token(k) -> if k > 0 -> a := k [] k <= 0 -> skip fi
  on wakeup   -> become s
initial state first
  on wakeup   -> send Token(1); become s
  on Token(k) ->
    if k = 1 or a > 0 -> skip
    [] k = 1          -> if b = 0 -> skip [] otherwise -> skip fi
    [] otherwise      -> skip
    fi
    if a > 9 -> skip
    [] otherwise b > 9 -> skip
    [] otherwise -> become unused
    fi
";

#[test]
fn guards_that_no_run_takes_are_told() {
    let program = source(GUARDS);
    let instance = on(&program, "ring(3)").build();
    let seen = searched(&instance, ExploreOptions { keep_going: true, ..ExploreOptions::default() }).coverage;
    let never: Vec<String> = program
        .guards
        .iter()
        .zip(&seen.guards)
        .filter(|(_, taken)| !**taken)
        .map(|(guard, _)| format!("{} {}", program.sources.place(guard.span), guard.name))
        .collect();
    insta::assert_snapshot!(never.join("\n"));
}
