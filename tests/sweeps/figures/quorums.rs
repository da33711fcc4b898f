//! Votes: when naive voting deadlocks, and the cost and safety of Maekawa's algorithm, under every schedule. Catalogue: C5.6,
//! C5.7.

use super::mutexes::entering;
use crate::common::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use synod::internals::instance::Instance;
use synod::internals::ir::{Program, Value};
use synod::internals::semantics::Configuration;
use synod::internals::semantics::event::Event;

/// Each of these processes enters once, and leaves.
fn once(instance: &Instance, who: &[u32], never_asked: (&str, Value), c: &Configuration) -> Vec<Event> {
    let is = |p: u32, what: &str| variable(instance, c, p, what);
    who.iter()
        .filter_map(|p| match () {
            () if is(*p, "critical") == Value::Bool(true) => Some(call(instance, *p, "exit", Vec::new())),
            () if is(*p, never_asked.0) == never_asked.1 => Some(call(instance, *p, "enter", Vec::new())),
            () => None,
        })
        .collect()
}

#[test]
fn voting_deadlocks_two_and_three_but_not_two_of_three() {
    let program = library("voting");
    let stuck = |n: u32, who: &'static [u32]| {
        let instance = on(&program, &format!("complete({n})")).idle_clients().build();
        endings(
            &instance,
            |c| once(&instance, who, ("number", Value::Int(0)), c),
            |end| who.iter().any(|p| end.variable(*p, "waiting") == Value::Bool(true)),
        )
    };
    let sometimes = BTreeSet::from([false, true]);
    assert_eq!(stuck(1, &[0]), BTreeSet::from([false]));
    assert_eq!(stuck(2, &[0, 1]), sometimes);
    assert_eq!(stuck(3, &[0, 1]), BTreeSet::from([false]));
    let three = entering(&program, "complete(3)", 1);
    assert_eq!(runs(&three, 200).map(|run| finished(&run)).collect::<BTreeSet<bool>>(), sometimes);
}

#[test]
fn maekawa_takes_18_to_23_messages_for_three_entries_among_three() {
    let program = library("maekawa");
    let instance = entering(&program, "complete(3)", 1);
    let all: BTreeSet<u64> = runs(&instance, 3000).map(|run| all_messages(&run.metrics)).collect();
    assert_eq!(all, (18..=23).collect());
}

/// Two of three, once each: no conflict, or one more message to resolve it.
#[test]
fn maekawa_takes_12_or_13_messages_for_two_entries_among_three() {
    let instance = on(&library("maekawa"), "complete(3)").idle_clients().build();
    for who in [[0, 1], [0, 2], [1, 2]] {
        let found = endings(
            &instance,
            |c| once(&instance, &who, ("stamp", Value::Int(0)), c),
            |end| {
                assert!(who.iter().all(|p| end.variable(*p, "waiting") == Value::Bool(false)));
                all_messages(end.metrics)
            },
        );
        assert_eq!(found, BTreeSet::from([12, 13]), "{who:?}");
    }
}

/// Three processes request from the same two voters. Return whether a process waits forever, over all runs.
fn three_at_two_voters(name: &str, order: &str) -> BTreeSet<bool> {
    let own = ":= { p in everybody | in_quorum(place(p, everybody), place(id, everybody), n) }";
    let two = ":= { p in everybody | place(p, everybody) >= 3 }";
    let assumed = "complete, reliable, unordered";
    let channels = format!("complete, reliable, {order}");
    let program: Arc<Program> = edited(name, &[("maekawa", own, two), ("maekawa", assumed, &channels)]);
    let instance = on(&program, "complete(5)").idle_clients().build();
    let who = [0, 1, 2];
    endings(
        &instance,
        |c| once(&instance, &who, ("stamp", Value::Int(0)), c),
        |end| who.iter().any(|p| end.variable(*p, "waiting") == Value::Bool(true)),
    )
}

/// Requests have the same stamp, so that the ids decide the order: their values make no difference.
#[test]
fn three_at_two_voters_deadlock_without_the_correction_of_sanders_only() {
    assert_eq!(three_at_two_voters("maekawa_1985", "fifo"), BTreeSet::from([false, true]));
    for order in ["fifo", "unordered"] {
        assert_eq!(three_at_two_voters("maekawa", order), BTreeSet::from([false]), "{order}");
    }
}
