//! Choices of the schedule, all of which must be offered, and the state of a step, which ends with the step.

use crate::common::{on, run, source};
use crate::soundness::support::{Case, play_all, program};
use std::collections::BTreeSet;
use synod::internals::explore::{ExploreOptions, SearchOrder, ViolationKind, explore};
use synod::internals::ids::ProcessId;
use synod::internals::instance::Instance;
use synod::internals::ir::{Daemon, Fault};
use synod::internals::property::Judgement::{Holds, Violated};
use synod::internals::semantics::abort::Abort;
use synod::internals::semantics::event::{Effects, Event};
use synod::internals::semantics::{Configuration, Metrics, initial};
use synod::internals::simulate::{Observer, Schedule, Unobserved, replay, simulate};

const CRASH_AND_RESTART: &[(Fault, u32)] = &[(Fault::Crash, 1), (Fault::Restart, 1)];

/// A neighbour has sent 1 and 0, which may overtake each other: `from each` may take either, and the other is received afterwards.
#[test]
fn from_each_takes_any_message_that_fits() {
    for name in ["w10_from_each_unordered", "w10c_holds"] {
        Case::on(name, "complete(2)").says("never_x_0", Violated).says("never_x_1", Violated).check();
    }
    // z is never written, so that it is never 2.
    Case::on("p2_panic_from_each_unordered", "ring(2)").says("le", Violated).check();
}

/// Random runs also take either message.
#[test]
fn from_each_takes_any_message_in_runs() {
    let instance = on(&program("w10_from_each_unordered"), "complete(2)").build();
    let slot = instance.program.roles[0].vars.iter().find(|v| v.name == "x").map(|v| v.slot);
    let Some(synod::internals::ir::Slot::Word(slot)) = slot else { panic!("x is a word") };
    let last = |seed| run(&instance, Schedule::Random, seed).configuration.words(ProcessId(0))[slot as usize];
    let found: BTreeSet<i64> = (0..20).map(last).collect();
    assert_eq!(found, BTreeSet::from([0, 1]));
}

/// A process has received nothing after a restart, or on waking between two rounds.
#[test]
fn first_commands_have_received_nothing() {
    let with = |name, network| Case::with(name, network, CRASH_AND_RESTART, None);
    with("w6_rounds_restart_stale_received", "ring(2)").says("never", Holds).check();
    // y becomes 1 in the second life, never 2.
    with("w7_restart_in_rounds_holds", "complete(2)").says("i", Violated).check();
    with("w7b_panic", "complete(2)").says("k", Holds).check();
    // Only the process with id 2 sends, to its successor p2.
    with("w8_stale_received_scenario", "ring(3)").says("no_message_to_p0", Holds).check();
    Case::on("w9_wakeup_stale_received", "ring(3)").says("no_message_to_p0", Holds).check();
}

/// A process that addresses others by identifier receives in the order of identifiers, its own message among them.
#[test]
fn messages_of_a_round_come_in_the_order_of_ids() {
    play_all("received_in_the_order_of_ids");
}

/// A process whose link leads to itself reads what its command has assigned, also in a joint step: 1 and one element.
#[test]
fn a_loop_leads_to_the_variables_of_the_command() {
    for daemon in [Daemon::Central, Daemon::Synchronous, Daemon::Distributed] {
        let instance = on(&program("own_variables_through_a_loop"), "ring(1)").daemon(daemon).build();
        let found = explore(&instance, None, &ExploreOptions::default(), &mut |_| None);
        assert_eq!((found.verdicts[0].judgement, found.configurations), (Holds, 2), "{daemon:?}");
        let end = run(&instance, Schedule::Random, 1).configuration;
        let read = instance.program.roles[0].vars.iter().find(|v| v.name == "read").map(|v| v.slot);
        let Some(synod::internals::ir::Slot::Word(read)) = read else { panic!("read is a word") };
        assert_eq!(end.words(ProcessId(0))[read as usize], 2, "{daemon:?}");
    }
}

/// The number of configurations does not depend on the order of the search.
#[test]
fn counts_do_not_depend_on_the_order() {
    for (name, network) in [("c1_count_depends_on_order", "ring(2)"), ("p3b_panic_rounds_restart", "ring(2)")]
    {
        let instance = on(&program(name), network).faults(CRASH_AND_RESTART).build();
        let orders =
            [SearchOrder::Breadth, SearchOrder::Depth, SearchOrder::Chance(1), SearchOrder::Chance(2)];
        let counts = orders.map(|order| {
            let plain = ExploreOptions {
                reduce: false,
                dead_messages: false,
                forget_wakeups: false,
                symmetry: false,
                view: false,
                ..ExploreOptions::default()
            };
            let options = ExploreOptions { order, keep_going: true, ..plain };
            explore(&instance, None, &options, &mut |_| None).configurations
        });
        assert_eq!(counts, [counts[0]; 4], "{name}");
    }
}

/// Unordered messages of one sender in one round arrive in any order.
#[test]
fn unordered_messages_of_one_round_arrive_in_any_order() {
    Case::on("9_rounds_unordered_received_order", "complete(2)")
        .says("not1", Violated)
        .says("not2", Violated)
        .check();
}

/// A program that stores the list of messages of a round, under `unordered`.
const ORDERS: &str = "algorithm orders
assumes complete, synchronous, unordered, anonymous, duplicates messages
message M(k: Int)
var x : list of Int
state s
  send M(1) to neighbours
  send M(2) to neighbours
  round
  x := [k for M(k) in received]
  halt
";

/// Messages that a process has sent before it wakes belong to the same round as messages sent on waking.
const ON_WAKING: &str = "algorithm on_waking
assumes complete, synchronous, unordered, anonymous, spontaneous start
message M(k: Int)
var x : list of Int
state s
  round
  send M(1) to neighbours
  become asleep
state asleep
  on wakeup -> send M(2) to neighbours; become t
state t
  round
  x := [k for M(k) in received]
  halt
";

/// Return those of the lists that a process has received in some configuration of some run.
fn received(text: &str, faults: &[(Fault, u32)], lists: &[&'static str]) -> Vec<&'static str> {
    let properties =
        lists.iter().enumerate().map(|(i, list)| format!("invariant i{i}: forall p: p.x != {list}\n"));
    let program = source(&format!("{text}{}", properties.collect::<String>()));
    let instance = on(&program, "complete(2)").faults(faults).build();
    let options = ExploreOptions { keep_going: true, ..ExploreOptions::default() };
    let found = explore(&instance, None, &options, &mut |_| None);
    assert_eq!(found.stopped_by, None);
    let is_met = |i: &usize| {
        let verdict = found.verdicts.iter().find(|verdict| verdict.name == format!("i{i}")).unwrap();
        verdict.judgement == Violated
    };
    (0..lists.len()).filter(is_met).map(|i| lists[i]).collect()
}

/// The schedule chooses every order of the messages of one sender in a round, and no other list.
#[test]
fn the_schedule_orders_the_messages_of_one_sender_in_a_round() {
    let of_two = ["[1, 2]", "[2, 1]"];
    let of_three = ["[1, 1, 2]", "[1, 2, 1]", "[2, 1, 1]", "[1, 2, 2]", "[2, 1, 2]", "[2, 2, 1]"];
    let impossible = ["[1, 1]", "[2, 2]", "[1, 1, 1]", "[1, 1, 2, 2]"];
    let all = [&of_two[..], &of_three, &impossible].concat();
    assert_eq!(received(ORDERS, &[], &all), of_two);
    assert_eq!(received(ORDERS, &[(Fault::Duplication, 1)], &all), [&of_two[..], &of_three].concat());
    assert_eq!(received(&ORDERS.replace("unordered", "fifo"), &[], &all), ["[1, 2]"]);
    assert_eq!(received(ON_WAKING, &[], &all), of_two);
}

/// Scenarios use the same machine.
#[test]
fn scenarios_show_no_messages_of_other_processes() {
    for name in ["w8_stale_received_scenario", "w9_wakeup_stale_received"] {
        let program = program(name);
        assert!(!program.scenarios.is_empty());
        for scenario in &program.scenarios {
            let played = synod::internals::scenario::play(
                &program,
                scenario,
                &Default::default(),
                &mut |_, _, _, _, _| {},
            );
            let why: Vec<&str> = played.failures.iter().map(|f| f.message.as_str()).collect();
            assert!(why.is_empty(), "{name}, {}: {why:#?}", scenario.name);
        }
    }
}

/// The events of a run.
#[derive(Default)]
struct Events(Vec<Event>);

impl Observer for Events {
    fn after(&mut self, _: &Instance, event: &Event, _: &Effects, _: &Configuration, _: &Metrics) -> bool {
        self.0.push(event.clone());
        true
    }
}

/// A run gathers only messages that have arrived in it; its replay could gather others that may have arrived by then.
#[test]
fn choices_of_from_each_mean_the_same_in_a_replay() {
    let instance = on(&program("from_each_in_time"), "complete(3)").build();
    for seed in 0..200 {
        let mut events = Events::default();
        let options = synod::internals::simulate::SimulateOptions {
            schedule: Schedule::Random,
            seed,
            ..Default::default()
        };
        let run = simulate(&instance, &options, &mut events);
        let mut configuration = initial(&instance);
        let replayed = replay(&instance, &mut configuration, &events.0, &mut Unobserved);
        assert!(replayed.is_ok(), "seed {seed}: {:?}", replayed.err());
        for process in instance.processes() {
            assert_eq!(configuration.words(process), run.configuration.words(process), "seed {seed}");
            assert_eq!(configuration.values(process), run.configuration.values(process), "seed {seed}");
        }
    }
}

/// `after k` counts from the arrival of the thread: a handler that leaves the thread there does not begin the count again.
#[test]
fn waking_does_not_restart_a_wait_for_rounds() {
    Case::on("rounds_wait_while_waking", "ring(1)").says("two", Holds).says("both", Holds).check();
    play_all("rounds_wait_while_waking");
}

/// The responder of the command that aborts.
struct LastResponder(Option<ProcessId>);

impl Observer for LastResponder {
    fn after(&mut self, _: &Instance, _: &Event, _: &Effects, _: &Configuration, _: &Metrics) -> bool {
        true
    }

    fn aborted(&mut self, _: &Instance, _: &Event, effects: &Effects, _: &Abort, _: &Configuration) {
        self.0 = effects.responder;
    }
}

/// A guard that aborts for one responder leaves the other interactions of the process possible. The event names the responder.
#[test]
fn a_guard_that_aborts_for_one_responder() {
    let name = "a_guard_aborts_for_one_responder";
    Case::on(name, "star(2)").says("none_meets", Violated).aborts().check();
    let instance = on(&program(name), "star(2)").build();
    let options = ExploreOptions { keep_going: true, ..ExploreOptions::default() };
    let found = explore(&instance, None, &options, &mut |_| None);
    let aborted = found.counterexamples.iter().find(|c| matches!(c.kind, ViolationKind::Aborted(_)));
    let mut last = LastResponder(None);
    let events = &aborted.expect("a run aborts").events;
    assert!(replay(&instance, &mut initial(&instance), events, &mut last).is_err());
    assert_eq!(last.0, Some(ProcessId(1)));
}

/// A beep cancels the `on wakeup` of the process that hears it.
#[test]
fn a_transmission_that_is_noticed_cancels_a_wakeup() {
    Case::on("radio_cancels_wakeup", "star(1)").says("none_wakes_later", Holds).check();
}

/// On a unidirectional ring, transmissions that do not reach the same process do not collide.
#[test]
fn transmissions_follow_the_direction_of_links() {
    let name = "radio_follows_links";
    let says = |network, faults: &[(Fault, u32)]| Case::with(name, network, faults, None);
    says("ring(3)", &[]).says("none_is_heard", Violated).says("only_the_last", Holds).check();
    says("ring(3)", &[(Fault::Link, 1)]).says("only_the_last", Holds).check();
    play_all(name);
}

/// A restart is possible in the slot of the last transmission and after it.
#[test]
fn a_restart_after_the_slot_of_a_transmission() {
    Case::with("radio_restarts_later", "complete(1)", CRASH_AND_RESTART, None)
        .says("never_collides", Violated)
        .says("never_succeeds_later", Violated)
        .check();
}

#[test]
fn a_process_that_listens_does_not_transmit_in_the_same_slot() {
    Case::on("radio_decides_once", "complete(2)").aborts().check();
}

/// A note to a crashed process waits until it restarts.
#[test]
fn a_crashed_process_receives_no_note() {
    play_all("notes_and_crashes");
}

/// Two messages that a guard refuses are ignored in either order, with the same result.
#[test]
fn a_guard_that_fails_leaves_no_names_behind() {
    let instance = on(&program("names_of_a_failing_guard"), "ring(1)").build();
    for order in [SearchOrder::Breadth, SearchOrder::Depth] {
        let options = ExploreOptions {
            reduce: false,
            dead_messages: false,
            forget_wakeups: false,
            symmetry: false,
            order,
            ..ExploreOptions::default()
        };
        assert_eq!(explore(&instance, None, &options, &mut |_| None).configurations, 4);
    }
}
