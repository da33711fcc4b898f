//! Storage of configurations: the frontier, the index by hash, the contents of inboxes.

use synod::internals::explore::frontier::{Frontier, Waiting};
use synod::internals::explore::hash_index::HashIndex;
use synod::internals::explore::inbox::{Inbox, list};
use synod::internals::ids::StateId;

#[test]
fn any_configuration_can_be_taken() {
    let (mut frontier, mut one) = (Frontier::new(1), Frontier::new(1));
    // The last component needs a larger width.
    for state in [0, 1, 2, 70_000] {
        frontier.push_key(Waiting { state: StateId(state), depth: 0, hash: 0 }, &[state]);
    }
    let mut take = |place| {
        frontier.take_into(place, &mut one);
        let mut key = Vec::new();
        one.all().key(0, &mut key);
        assert_eq!((one.len(), vec![one.all().waiting()[0].state.0]), (1, key.clone()));
        key[0]
    };
    assert_eq!([take(1), take(1), take(0), take(0)], [1, 70_000, 0, 2]);
    assert!(frontier.is_empty());
}

#[test]
fn shares_become_smaller_towards_the_end() {
    let mut frontier = Frontier::new(1);
    let waiting = |state| Waiting { state: StateId(state), depth: 0, hash: 0 };
    (0..1000).for_each(|state| frontier.push_key(waiting(state), &[state]));
    let of = |takers| -> Vec<usize> {
        let shares: Vec<_> = frontier.all().shares(takers, 10..=100).collect();
        let states = shares.iter().flat_map(|part| part.waiting()).map(|waiting| waiting.state.0);
        assert!(states.eq(0..1000), "all of them, in their order");
        shares.iter().map(|part| part.len()).collect()
    };
    let shares = of(2);
    assert_eq!(shares[..3], [100, 100, 100]);
    assert!(shares.is_sorted_by(|a, b| a >= b), "{shares:?}");
    assert!(shares.iter().rev().skip(1).all(|share| *share >= 10), "{shares:?}");
    assert_eq!(of(1)[..7], [100, 100, 100, 100, 100, 100, 100]);
    assert_eq!(Frontier::new(1).all().shares(2, 10..=100).count(), 0);
}

/// Few distinct upper halves, zero among them, so that buckets overflow and tags collide.
#[test]
fn every_entry_is_found_again() {
    let hashes: Vec<u64> = (0..5_000).map(|i: u64| (i * i % 97) << 32 | i).collect();
    let mut places = HashIndex::default();
    for (index, hash) in (0u32..).zip(&hashes) {
        let is_it = |other: u32| hashes[other as usize] == *hash;
        let Err(bucket) = places.find(*hash, is_it) else { panic!("{hash:x} is not there yet") };
        places.put(bucket, *hash, index);
        assert_eq!(places.find(*hash, is_it), Ok(index));
    }
    for (index, hash) in (0u32..).zip(&hashes) {
        assert_eq!(places.find(*hash, |other| hashes[other as usize] == *hash), Ok(index));
        assert!(places.find(*hash, |_| false).is_err());
    }
    // A tag and an index take eight bytes; at most three quarters of them are in use.
    assert!(hashes.len() * 8 * 4 <= places.bytes() * 3);
}

fn contents(list: &[u32]) -> Vec<Vec<u32>> {
    Inbox::new(list).channels().map(<[u32]>::to_vec).collect()
}

#[test]
fn insertion_and_removal_change_one_channel_only() {
    let before = list(&[vec![7, 8], vec![], vec![9]]);
    assert_eq!(contents(&before), [vec![7, 8], vec![], vec![9]]);
    let inbox = Inbox::new(&before);
    assert_eq!(inbox.channel(0), [7, 8]);
    assert_eq!(contents(&inbox.with(1, 0, 5)), [vec![7, 8], vec![5], vec![9]]);
    assert_eq!(contents(&inbox.with(0, 1, 5)), [vec![7, 5, 8], vec![], vec![9]]);
    assert_eq!(contents(&inbox.with(2, 1, 5)), [vec![7, 8], vec![], vec![9, 5]]);
    let (after, gone) = inbox.without(0, 1);
    assert_eq!((contents(&after), gone), (vec![vec![7], vec![], vec![9]], 8));
    let (after, gone) = inbox.without(2, 0);
    assert_eq!((contents(&after), gone), (vec![vec![7, 8], vec![], vec![]], 9));
    // The list does not depend on the order of changes.
    assert_eq!(Inbox::new(&inbox.with(1, 0, 5)).without(1, 0), (before, 5));
}

#[test]
fn a_process_without_channels_has_an_inbox_too() {
    let empty: [Vec<u32>; 0] = [];
    assert_eq!(contents(&list(&empty)), empty);
    assert_ne!(list(&empty), list(&[vec![]]));
}
