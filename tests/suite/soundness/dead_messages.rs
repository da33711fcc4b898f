//! Dead messages: a message that its receiver ignores for ever is received before other steps.

use crate::common::on;
use crate::soundness::support::{Case, program};
use synod::internals::explore::{Exploration, ExploreOptions, explore};
use synod::internals::ir::Fault;
use synod::internals::property::Judgement::{self, Holds, Violated};

const PAIR: &str = "complete(2)";

/// The next control state takes the message.
#[test]
fn a_message_that_comes_to_matter() {
    Case::on("dead_comes_to_matter", PAIR).says("never", Violated).check();
}

/// A guard becomes true.
#[test]
fn a_guard_that_is_set_later() {
    Case::on("dead_guard_is_set_later", PAIR).says("never", Violated).check();
}

/// A message is stale only if the number that it is compared with never falls.
#[test]
fn a_number_that_falls() {
    Case::on("dead_number_falls", PAIR).says("never", Violated).says("not_both", Violated).check();
}

/// Only the guard of an `ignore` reads what other messages set.
#[test]
fn a_message_that_decides_what_is_ignored() {
    Case::on("dead_decides_what_is_ignored", PAIR).deadlocks().check();
}

/// A property of ends reads what the message sets.
#[test]
fn a_variable_that_is_compared_at_the_end() {
    Case::on("dead_is_compared_at_the_end", PAIR).says("one", Violated).says("two", Violated).check();
}

/// The next control state takes no such message, or defers it.
#[test]
fn a_message_that_waits_later() {
    Case::on("dead_waits_later", PAIR).deadlocks().check();
    Case::on("dead_is_deferred_later", PAIR).deadlocks().check();
}

/// The command of the message aborts later.
#[test]
fn a_command_that_aborts_later() {
    Case::on("dead_aborts_later", PAIR).aborts().check();
    Case::on("dead_key_is_absent_later", PAIR).aborts().check();
}

/// The sender that a clause names is evaluated before its guard.
#[test]
fn a_sender_that_is_unknown() {
    Case::on("dead_sender_is_unknown", PAIR).aborts().check();
}

/// A variable reaches a property through others.
#[test]
fn a_variable_that_reaches_another() {
    Case::on("dead_reaches_another", PAIR).says("zero", Violated).says("one", Violated).check();
}

/// After a restart, the receiver does not ignore the message.
#[test]
fn a_receiver_that_restarts() {
    let faults = [(Fault::Crash, 1), (Fault::Restart, 1)];
    Case::with("dead_receiver_restarts", PAIR, &faults, None).says("once", Violated).check();
    Case::on("dead_receiver_restarts", PAIR).says("once", Holds).check();
}

/// Explore a program, with p0 as the initiator.
fn explored(name: &str, network: &str, options: ExploreOptions) -> Exploration {
    explored_with(name, network, &[], options)
}

/// The same with faults.
fn explored_with(name: &str, network: &str, faults: &[(Fault, u32)], options: ExploreOptions) -> Exploration {
    let instance = on(&program(name), network).initiators(&[0]).faults(faults).build();
    explore(&instance, None, &ExploreOptions { keep_going: true, ..options }, &mut |_| None)
}

fn judged(found: &Exploration) -> Vec<Judgement> {
    found.verdicts.iter().map(|verdict| verdict.judgement).collect()
}

/// Two processes send dead messages to a third one for ever. The receipts make the state space finite, and do not postpone its own
/// step for ever.
#[test]
fn messages_that_are_sent_for_ever() {
    let found = explored("dead_is_sent_for_ever", "ring(3)", ExploreOptions::default());
    assert_eq!((found.stopped_by, judged(&found)), (None, vec![Violated]));
}

/// Compare an exploration with one without early receipts.
#[track_caller]
fn same(name: &str, network: &str, faults: &[(Fault, u32)]) -> [Exploration; 2] {
    let [with, without] = [true, false].map(|dead_messages| {
        let options = ExploreOptions { dead_messages, ..ExploreOptions::default() };
        explored_with(name, network, faults, options)
    });
    assert_eq!((with.stopped_by, without.stopped_by), (None, None));
    assert_eq!(judged(&with), judged(&without), "{name}");
    let ends = |found: &Exploration| {
        let mut ends: Vec<_> = found.ends.iter().map(|end| (end.outcome, end.outputs.clone())).collect();
        ends.sort();
        ends
    };
    assert_eq!(ends(&with), ends(&without), "{name}");
    assert!(with.coverage == without.coverage, "{name}");
    [with, without]
}

/// The list of ends and the coverage are the same, whatever the order of receipts.
#[test]
fn ends_and_coverage() {
    for name in ["dead_order_at_the_end", "dead_another_action", "dead_another_guard"] {
        same(name, PAIR, &[]);
    }
}

/// A receiver that crashes shows which messages it has received; the loss of a message implies that of those after it.
#[test]
fn ends_after_a_crash() {
    for name in ["dead_and_crashed", "dead_before_another"] {
        same(name, PAIR, &[(Fault::Crash, 1)]);
    }
}

/// Stale acknowledgements of a replicated register, and echoes of a reliable broadcast that has ended.
#[test]
fn acknowledgements_and_echoes() {
    for (name, at_least) in [("dead_acknowledgements", 1.5), ("dead_echoes", 3.0)] {
        let [with, without] = same(name, "complete(3)", &[]);
        assert!(
            with.configurations as f64 * at_least <= without.configurations as f64,
            "{name}: {} {}",
            with.configurations,
            without.configurations
        );
    }
}

/// With a limit of depth, receipts that are not needed would use it up.
#[test]
fn a_limit_of_depth() {
    let options = ExploreOptions { max_depth: Some(1), ..ExploreOptions::default() };
    assert_eq!(judged(&explored("dead_uses_up_depth", PAIR, options)), [Violated]);
    Case::on("dead_uses_up_depth", PAIR).says("never", Violated).check();
}
