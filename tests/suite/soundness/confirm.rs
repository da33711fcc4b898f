//! Confirmation refuses counterexamples that cannot be replayed, or do not show their violation.

use crate::common::{on, source};
use synod::internals::explore::{Counterexample, ExploreOptions, ViolationKind, confirm, explore};
use synod::internals::ids::{ChannelId, ProcessId};
use synod::internals::instance::Instance;
use synod::internals::semantics::event::{Cause, Event};

const TEXT: &str = "\
algorithm confirmed
assumes complete, unordered, unique ids, knows peers
message M
var seen, flag : Bool
state s
  send M to others
  become t
state t
  on M -> seen := true
  when not seen -> flag := not flag
invariant safe: forall p: not p.seen
eventually one: some p: p.seen
finally all: forall p: not p.seen
";

fn instance() -> Instance {
    on(&source(TEXT), "complete(2)").build()
}

fn started() -> Vec<Event> {
    (0..2).map(ProcessId).map(|process| Event::new(process, Cause::Start)).collect()
}

/// The first counterexample to `property` in an exploration of all properties.
fn found(instance: &Instance, property: usize) -> Counterexample {
    let options = ExploreOptions { keep_going: true, ..ExploreOptions::default() };
    let found = explore(instance, None, &options, &mut |_| None);
    let is_it = |c: &&Counterexample| c.kind == ViolationKind::Property(property);
    found.counterexamples.iter().find(is_it).expect("it is violated").clone()
}

#[track_caller]
fn refused(instance: &Instance, counterexample: Counterexample, replayed: usize, why: &str) {
    let events = counterexample.events.clone();
    let refusal = confirm(instance, counterexample).expect_err("it is not confirmed");
    assert_eq!((refusal.replayed, refusal.counterexample.events), (replayed, events));
    assert!(refusal.why.contains(why), "{}", refusal.why);
}

#[test]
fn an_event_that_is_not_possible() {
    let instance = instance();
    let mut events = started();
    events.push(Event::new(ProcessId(1), Cause::Deliver { channel: ChannelId(0), position: 7 }));
    refused(&instance, Counterexample::new(ViolationKind::Property(0), events), 2, "not possible here");
}

#[test]
fn a_property_that_is_not_violated() {
    let instance = instance();
    let run = || Counterexample::new(ViolationKind::Property(0), started());
    refused(&instance, run(), 2, "safe is not violated but holds");
    refused(&instance, Counterexample { kind: ViolationKind::Property(2), ..run() }, 2, "has not ended");
    refused(
        &instance,
        Counterexample { kind: ViolationKind::Stuck("it is".into()), ..run() },
        2,
        "has not ended",
    );
    let aborts = Counterexample { kind: ViolationKind::Aborted("it does".into()), ..run() };
    refused(&instance, aborts, 2, "does not abort");
}

#[test]
fn a_counterexample_without_its_last_event() {
    let instance = instance();
    for property in [0, 2] {
        let shown = found(&instance, property);
        assert!(confirm(&instance, shown.clone()).is_ok());
        let shorter = Counterexample { events: shown.events[..shown.events.len() - 1].to_vec(), ..shown };
        assert!(confirm(&instance, shorter).is_err());
    }
}

#[test]
fn a_cycle_that_does_not_return_or_is_not_fair() {
    let instance = instance();
    let repeating = |events: usize, from: usize| {
        let mut run = started();
        run.extend((0..events).map(|_| Event::new(ProcessId(0), Cause::Internal)));
        let what = ViolationKind::Property(1);
        Counterexample { repeats_from: Some(from), ..Counterexample::new(what, run) }
    };
    // Each step negates the flag: after two steps it is as before, while two messages wait.
    refused(&instance, repeating(1, 2), 3, "does not return");
    refused(&instance, repeating(2, 2), 4, "not fair");
    refused(&instance, repeating(2, 4), 4, "does not return");
}
