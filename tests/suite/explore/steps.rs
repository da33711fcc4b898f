//! Tables of steps: compact transitions, their cache, and the successors of a part.

use smallvec::SmallVec;
use synod::internals::explore::successors::{Candidate, LAST, LastPlaces, Successors};
use synod::internals::explore::transition_cache::{TransitionCache, pair};
use synod::internals::explore::transitions::{Effect, Sent, Transition, Transitions};
use synod::internals::ids::{ChannelId, ProcessId};
use synod::internals::semantics::environment::OnAir;
use synod::internals::semantics::event::{Cause, Event};

fn done(sends: (u32, u32), touched: u64) -> Effect {
    Effect {
        event: Event::new(ProcessId(0), Cause::Start),
        at: ProcessId(0),
        rank: (0, 0),
        world: 0,
        receives: false,
        pasts: SmallVec::new(),
        sends,
        local: 0,
        responder: None,
        on_air: OnAir::Undecided,
        label: 0,
        free: touched % 2 == 1,
        touched,
        delta: 0,
        abort: None,
    }
}

/// More distinct masks, and more messages of one step, than the compact form can hold.
#[test]
fn large_numbers_are_looked_up() {
    let counts = [0, 1, 65_534, 65_535, 65_536, 70_000];
    let sent: Vec<Sent> =
        (0..70_001).map(|message| Sent { receiver: ProcessId(0), channel: ChannelId(0), message }).collect();
    let done: Vec<Effect> = (0..300).map(|i| done((1, counts[i % counts.len()]), i as u64 * 3)).collect();
    let mut touched = Vec::new();
    let outcomes: Vec<Transition> = (0u32..)
        .zip(&done)
        .chain((0u32..).zip(&done))
        .map(|own| Transition::new(own, 7, 5, &mut touched))
        .collect();
    let transitions = Transitions { outcomes: &outcomes, done: &done, sent: &sent, touched: &touched };
    for (outcome, done) in outcomes.iter().zip(done.iter().chain(&done)) {
        assert_eq!(transitions.touched(outcome), done.touched);
        assert_eq!(transitions.sent(outcome).len() as u32, done.sends.1);
        assert!(transitions.sent(outcome).first().is_none_or(|sent| sent.message == 1));
        assert_eq!((outcome.is_free(), outcome.aborts()), (done.free, false));
    }
    assert!(outcomes.len() > 2 * touched.len(), "some have no number");
}

fn step(hash: u64, free: bool) -> Candidate {
    Candidate { hash, touched: 0, label: 0, free }
}

fn empty(components: usize) -> Successors {
    let mut empty = Successors::new(components);
    (empty.once, empty.last) = (true, LastPlaces::new());
    empty
}

#[test]
fn duplicates_are_not_added() {
    let mut all = empty(2);
    all.push(&[1, 2], step(7, true));
    // The first two share a slot, and the third has the hash of the first.
    all.push(&[3, 4], step(7 + LAST as u64, true));
    all.push(&[5, 6], step(7, true));
    assert_eq!(all.candidates.len(), 3);
    assert!(!all.takes_obliged());
    all.push(&[5, 6], step(7, false));
    assert_eq!((all.candidates.len(), all.steps), (3, 4));
    assert!(all.takes_obliged(), "a duplicate may still be required by fairness");
    // Only the last one is known.
    all.push(&[1, 2], step(7, true));
    assert_eq!(all.candidates.len(), 4);
    let mut key = Vec::new();
    all.keys.get(3, &mut key);
    assert_eq!(key, [1, 2]);
}

#[test]
fn wider_numbers_change_nothing() {
    let mut all = empty(2);
    all.push(&[1, 2], step(7, false));
    all.push(&[1, 70_000], step(8, false));
    all.push(&[1, 2], step(7, false));
    all.push(&[1, 70_000], step(8, false));
    assert_eq!((all.candidates.len(), all.steps), (2, 4));
}

#[test]
fn clearing_leaves_nothing_of_an_earlier_part() {
    let mut all = empty(1);
    all.push(&[1], step(1, false));
    all.clear();
    all.push(&[2], step(1, true));
    assert_eq!((all.candidates.len(), all.steps), (1, 1));
    all.clear();
    all.once = false;
    all.push(&[2], step(1, true));
    all.push(&[2], step(1, true));
    assert_eq!((all.candidates.len(), all.steps), (2, 2));
    assert!(all.keep(0, |_, _| false));
    assert_eq!((all.candidates.len(), all.steps), (0, 0));
}

#[test]
fn every_entry_is_found_again() {
    let mut memo = TransitionCache::default();
    // Rows, columns, and large numbers.
    let keys = (0..200).flat_map(|a| [pair(a, 7), pair(7, a + 300), pair(a, u32::MAX), pair(u32::MAX, a)]);
    let keys: std::collections::BTreeSet<u64> = keys.collect();
    for (value, key) in (0u32..).zip(&keys) {
        assert_eq!(memo.get(*key), None);
        memo.insert(*key, value);
    }
    for (value, key) in (0u32..).zip(&keys) {
        assert_eq!(memo.get(*key), Some(value));
    }
    assert_eq!(memo.get(pair(300, 300)), None);
}
