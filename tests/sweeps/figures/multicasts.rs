//! Multicast: messages and message times, and the number of delivery orders of a few multicasts. Catalogue: C7, C9.

use crate::common::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use synod::internals::ids::ProcessId;
use synod::internals::instance::Instance;
use synod::internals::ir::{Program, Value};
use synod::internals::semantics::Configuration;
use synod::internals::simulate::{AnyScheduler, Schedule, Simulation, Unobserved};

/// The multicasts of each process, in this order, each after the delivery of the message that it answers.
type Plan<'a> = &'a [(u32, &'a str, &'a [&'a str])];

fn texts(list: &Value) -> Vec<String> {
    match list {
        Value::List(items) => items
            .iter()
            .map(|item| match item {
                Value::Text(text) => text.to_string(),
                other => panic!("{other:?}"),
            })
            .collect(),
        other => panic!("{other:?}"),
    }
}

/// Return the possible deliveries of the plan: the delivery orders at all members, under all schedules.
fn outcomes(instance: &Instance, plan: Plan<'_>) -> BTreeSet<Vec<Vec<String>>> {
    let members: Vec<ProcessId> = instance
        .processes()
        .filter(|p| instance.program.roles[instance.role_of(*p)].vars.iter().any(|v| v.name == "delivered"))
        .collect();
    let list = |c: &Configuration, p: ProcessId, name: &str| texts(&variable(instance, c, p, name));
    let script = |configuration: &Configuration| {
        let possible = |(index, (sender, text, answers)): (usize, &(u32, &str, &[&str]))| {
            let before = plan[..index].iter().filter(|(p, ..)| p == sender).count();
            let delivered = list(configuration, ProcessId(*sender), "delivered");
            let due = list(configuration, ProcessId(*sender), "sent").len() == before
                && answers.iter().all(|a| delivered.iter().any(|d| d == a));
            due.then(|| call(instance, *sender, "multicast", vec![Value::Text(Arc::from(*text))]))
        };
        plan.iter().enumerate().filter_map(possible).collect()
    };
    endings(instance, script, |end| {
        members.iter().map(|p| list(end.configuration, *p, "delivered")).collect::<Vec<_>>()
    })
}

fn group(program: &Arc<Program>, n: u32) -> Instance {
    on(program, &format!("complete({n})")).idle_clients().build()
}

/// The same over FIFO channels.
fn over_fifo(name: &str) -> Arc<Program> {
    let unordered = "assumes complete, reliable, unordered";
    let fifo = "assumes complete, reliable, fifo";
    edited(name, &[(name, unordered, fifo), ("basic", unordered, fifo)])
}

#[test]
fn messages_of_a_multicast_net_and_all() {
    // In a group of n: messages to other processes, and including those to the sender itself.
    type Cost = fn(u64) -> u64;
    let table: [(&str, Cost, Cost); 7] = [
        ("basic", |n| n - 1, |n| n),
        ("reliable", |n| n * (n - 1), |n| n * n),
        ("fifo", |n| n - 1, |n| n),
        ("causal", |n| n - 1, |n| n - 1),
        ("sequencer_member", |n| 2 * (n - 1), |n| 2 * n),
        ("isis", |n| 3 * (n - 1), |n| 3 * n),
        ("lamport_total", |n| n * (n - 1), |n| n * (n - 1)),
    ];
    for (name, net, all) in table {
        let program = library(name);
        for n in 1..=6u64 {
            for multicasts in 1..=2 {
                let setup = on(&program, &format!("complete({n})")).param("multicasts", multicasts as i64);
                let instance = setup.build();
                for run in runs(&instance, 3) {
                    assert!(finished(&run), "{name}");
                    assert_eq!(run.metrics.messages(), multicasts * n * net(n), "{name}, n = {n}");
                    assert_eq!(all_messages(&run.metrics), multicasts * n * all(n), "{name}, n = {n}");
                }
            }
        }
    }
}

#[test]
fn a_sequencer_outside_takes_2m_plus_1_messages_for_a_group_of_m() {
    let program = library("sequencer");
    for members in 1..=6u64 {
        let instance = on(&program, &format!("complete({})", members + 1)).build();
        for run in runs(&instance, 3) {
            // Every member multicasts once.
            assert_eq!(all_messages(&run.metrics), members * (2 * members + 1));
            assert_eq!(run.metrics.messages(), members * 2 * members);
        }
    }
}

#[test]
fn message_times_of_one_multicast() {
    // With equal message delays. A reliable multicast delivers after one message time, but copies of copies are still in transit.
    let table = [
        ("basic", 1),
        ("fifo", 1),
        ("causal", 1),
        ("reliable", 2),
        ("sequencer", 2),
        ("sequencer_member", 2),
        ("isis", 3),
        ("lamport_total", 2),
    ];
    for (name, time) in table {
        let instance = group(&library(name), 4);
        let one = call(&instance, 1, "multicast", vec![Value::Text(Arc::from("a"))]);
        let mut simulation = Simulation::new(&instance, AnyScheduler::new(&instance, Schedule::Fifo, 0));
        start(&instance, &mut simulation);
        simulation.take(&instance, &one, &mut Unobserved).unwrap();
        assert_eq!(finish(&instance, simulation).metrics.time, time, "{name}");
    }
}

#[test]
fn a_basic_multicast_has_no_order() {
    let basic = library("basic");
    let free: Plan = &[(0, "a", &[]), (1, "b", &[])];
    assert_eq!(outcomes(&group(&basic, 1), &[(0, "a", &[])]).len(), 1);
    assert_eq!(outcomes(&group(&basic, 2), free).len(), 4);
    assert_eq!(outcomes(&group(&basic, 3), free).len(), 8, "each of three chooses one of two orders");
    // An answer after its question, or before it, at every process but the one that answers.
    assert_eq!(outcomes(&group(&basic, 3), &[(0, "a", &[]), (1, "b", &["a"])]).len(), 4);
}

#[test]
fn a_reliable_multicast_has_no_order() {
    let free: Plan = &[(0, "a", &[]), (1, "b", &[])];
    assert_eq!(outcomes(&group(&library("reliable"), 2), free).len(), 4);
}

#[test]
fn a_fifo_multicast_keeps_the_order_of_each_sender_only() {
    let fifo = library("fifo");
    let plan: Plan = &[(0, "a", &[]), (0, "b", &[]), (1, "c", &[])];
    assert_eq!(outcomes(&group(&fifo, 2), plan).len(), 9);
    assert_eq!(outcomes(&group(&fifo, 3), plan).len(), 27, "each of three puts c in one of three places");
    let answered = outcomes(&group(&fifo, 3), &[(0, "a", &[]), (1, "b", &["a"])]);
    assert_eq!(answered.len(), 4, "it is not causal");
    assert!(answered.iter().any(|lists| lists[0] == ["b", "a"]), "not even at who asked");
}

#[test]
fn a_causal_multicast_keeps_answers_behind_questions() {
    for causal in [library("causal"), over_fifo("causal")] {
        let of_three = |plan| outcomes(&group(&causal, 3), plan).len();
        assert_eq!(of_three(&[(0, "a", &[]), (1, "b", &[])]), 4, "one's own comes at once");
        assert_eq!(of_three(&[(0, "a", &[]), (1, "b", &["a"])]), 1);
        assert_eq!(of_three(&[(0, "a", &[]), (1, "b", &["a"]), (2, "c", &["b"])]), 1);
        assert_eq!(of_three(&[(0, "a", &[]), (0, "c", &[]), (1, "b", &["a"])]), 4);
        assert_eq!(of_three(&[(0, "a", &[]), (1, "b", &[]), (2, "c", &[])]), 38);
    }
}

#[test]
fn a_total_order_of_two_multicasts_is_one_of_two() {
    let free: Plan = &[(0, "a", &[]), (1, "b", &[])];
    for name in ["sequencer_member", "isis"] {
        for program in [library(name), over_fifo(name)] {
            let found = outcomes(&group(&program, 2), free);
            let both = [["a", "b"], ["b", "a"]].map(|order| vec![order.map(String::from).to_vec(); 2]);
            assert_eq!(found, BTreeSet::from(both), "{name}");
        }
    }
    assert_eq!(outcomes(&group(&library("lamport_total"), 2), free).len(), 2);
    let outside: Plan = &[(1, "a", &[]), (2, "b", &[])];
    assert_eq!(outcomes(&group(&library("sequencer"), 3), outside).len(), 2);
}

#[test]
fn a_total_order_keeps_that_of_each_sender_only_over_fifo_channels() {
    let plan: Plan = &[(0, "a", &[]), (0, "b", &[]), (1, "c", &[])];
    let shifted: Plan = &[(1, "a", &[]), (1, "b", &[]), (2, "c", &[])];
    assert_eq!(outcomes(&group(&library("sequencer_member"), 2), plan).len(), 6);
    assert_eq!(outcomes(&group(&over_fifo("sequencer_member"), 2), plan).len(), 3);
    assert_eq!(outcomes(&group(&library("sequencer"), 3), shifted).len(), 6);
    assert_eq!(outcomes(&group(&over_fifo("sequencer"), 3), shifted).len(), 3);
    let one_sender: Plan = &[(0, "a", &[]), (0, "b", &[])];
    assert_eq!(outcomes(&group(&library("isis"), 2), one_sender).len(), 2);
    assert_eq!(outcomes(&group(&over_fifo("isis"), 2), one_sender).len(), 1);
}

/// Over FIFO channels the orders of a sequencer and of an agreement are causal, and so FIFO; over others an answer still follows
/// its question.
#[test]
fn a_total_order_is_causal_over_fifo_channels() {
    let answered: Plan = &[(0, "a", &[]), (1, "b", &["a"])];
    for name in ["sequencer_member", "isis"] {
        for program in [library(name), over_fifo(name)] {
            assert_eq!(outcomes(&group(&program, 2), answered).len(), 1, "{name}");
        }
    }
    let unordered = "assumes complete, reliable, unordered";
    let fifo = "assumes complete, reliable, fifo";
    for name in ["sequencer", "sequencer_member", "isis"] {
        let violated = |order: &str, channels: &str| {
            let promise = format!("order: {order}");
            let edits = [
                (name, unordered, channels),
                ("basic", unordered, channels),
                (name, "order: total", &promise),
            ];
            let program = edited(name, &edits);
            let instance = on(&program, "complete(4)").param("multicasts", 2).build();
            let runs =
                schedules(50).map(|(schedule, seed)| judge(&instance, schedule, seed, 100_000).findings());
            runs.flatten().collect::<BTreeSet<String>>()
        };
        assert_eq!(violated("causal", fifo), BTreeSet::new(), "{name}");
        assert!(violated("fifo", unordered).contains("fifo_order"), "{name}");
    }
}

/// Two groups of the same two members, each with its sequencer: the order of each is total, that of both together is not.
#[test]
fn two_total_orders_are_not_one() {
    let program = source(
        "algorithm two_groups assumes complete, reliable, unordered, unique ids, knows peers, knows n
         uses sequencer_member as One, sequencer_member as Other
         var seen : list of Value
         state start
           if id = min(everybody) -> One.multicast(\"a\")
           [] otherwise           -> Other.multicast(\"b\")
           fi
           become listening
         state listening
         always
           on One.deliver(m)   -> seen := seen + [m]
           on Other.deliver(m) -> seen := seen + [m]",
    );
    let instance = on(&program, "complete(2)").build();
    let found = endings(&instance, |_| Vec::new(), |end| [0, 1].map(|p| texts(&end.variable(p, "seen"))));
    assert_eq!(found.len(), 4);
    assert_eq!(found.iter().filter(|[p, q]| p != q).count(), 2);
    assert!(found.iter().flatten().all(|seen| seen.len() == 2));
}

/// Three groups of two, each of which shares a member with each other; one message to each. Orders are sent in order.
const OVERLAPPING: &str = "algorithm three_groups
assumes complete, reliable, fifo, unique ids, knows peers, knows n, n = 3
message Item(group: Int), Order(group: Int)
var items  : set of Int       // have come, and wait for their turn
var orders : list of Int
var seen   : list of Int
function place(p: Id, all: set of Id) : Int = size({ q in all | q < p })
function members(g: Int, all: set of Id) : set of Id = { p in all | place(p, all) = g or place(p, all) = (g + 1) mod 3 }
function numbers_it(p: Id, g: Int, all: set of Id) : Bool = place(p, all) = SEQUENCER
state start
  g := place(id, everybody)
  send Item(g) to members(g, everybody) + { p in everybody | numbers_it(p, g, everybody) }
  become listening
state listening
always
  on Item(g) ->
    if numbers_it(id, g, everybody) -> send Order(g) to members(g, everybody) [] otherwise -> skip fi
    if id in members(g, everybody) -> items := items + {g} [] otherwise -> skip fi
  on Order(g) -> orders := orders + [g]
  when orders != [] and head(orders) in items ->
    seen := seen + [head(orders)]
    items := items - {head(orders)}
    orders := tail(orders)
";

/// Two groups share one process only, whose order is therefore unconstrained: the orders of all three may form a cycle, in either
/// direction. With one sequencer for all groups they do not.
#[test]
fn total_orders_of_three_overlapping_groups_may_form_a_cycle() {
    for (sequencer, outcomes, circles) in [("g", 8, 2), ("0", 6, 0)] {
        let program = source(&OVERLAPPING.replace("SEQUENCER", sequencer));
        let instance = on(&program, "complete(3)").build();
        let seen = |end: Ending<'_>| {
            [0, 1, 2].map(|p| match end.variable(p, "seen") {
                Value::List(items) => items.iter().map(Value::word).collect::<Vec<i64>>(),
                other => panic!("{other:?}"),
            })
        };
        let found = endings(&instance, |_| Vec::new(), seen);
        assert_eq!(found.len(), outcomes, "sequencer {sequencer}");
        // Process p is in group p and in the previous one.
        let in_circle = found.iter().filter(|seen| {
            let own_first = |p: i64| seen[p as usize] == [p, (p + 2) % 3];
            assert!((0..3).all(|p| own_first(p) || seen[p as usize] == [(p + 2) % 3, p]), "{seen:?}");
            (0..3).all(own_first) || !(0..3).any(own_first)
        });
        assert_eq!(in_circle.count(), circles, "sequencer {sequencer}");
    }
}

#[test]
fn a_total_order_holds_among_three_members_in_random_runs() {
    for name in ["sequencer_member", "isis"] {
        let instance = on(&library(name), "complete(3)").build();
        for seed in 0..100 {
            let run = run(&instance, Schedule::Random, seed);
            let delivered: BTreeSet<Value> =
                (0..3).map(|p| variable(&instance, &run.configuration, p, "delivered")).collect();
            assert_eq!(delivered.len(), 1, "{name}");
        }
    }
}

#[test]
fn an_order_by_stamps_is_fifo_and_causal() {
    let by_stamps = library("lamport_total");
    let of_two = |plan| outcomes(&group(&by_stamps, 2), plan).len();
    assert_eq!(of_two(&[(0, "a", &[]), (0, "b", &[])]), 1);
    assert_eq!(of_two(&[(0, "a", &[]), (1, "b", &["a"])]), 1);
    // c before, between or after the two of the other sender.
    assert_eq!(of_two(&[(0, "a", &[]), (0, "b", &[]), (1, "c", &[])]), 3);
    for order in ["fifo", "causal"] {
        let promise = format!("order: {order}");
        let program = edited("lamport_total", &[("lamport_total", "order: total", &promise)]);
        for n in 2..=4 {
            let instance = on(&program, &format!("complete({n})")).param("multicasts", 2).build();
            for (schedule, seed) in schedules(50) {
                let judged = judge(&instance, schedule, seed, 100_000);
                assert_eq!(judged.findings(), Vec::<String>::new(), "{}", judged.reasons());
            }
        }
    }
}
