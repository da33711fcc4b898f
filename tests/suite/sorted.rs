//! Sorted sets and maps against those of the standard library, with older versions kept.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use synod::internals::ir::{SortedMap, SortedSet};

#[derive(Clone, Debug)]
enum Change {
    Insert(u16, u8),
    Remove(u16),
    GetOrInsert(u16, u8),
    /// Keep the keys with this remainder modulo 3.
    Retain(u16),
    /// A run of keys, ascending or descending.
    Fill(u16, u8, bool),
    /// Remove a run of keys.
    Clear(u16, u8),
    /// Keep this version for comparison at the end.
    Keep,
}

fn change() -> impl Strategy<Value = Change> {
    let key = 0..600u16;
    prop_oneof![
        8 => (key.clone(), any::<u8>()).prop_map(|(key, value)| Change::Insert(key, value)),
        6 => key.clone().prop_map(Change::Remove),
        2 => (key.clone(), any::<u8>()).prop_map(|(key, value)| Change::GetOrInsert(key, value)),
        1 => (0..3u16).prop_map(Change::Retain),
        3 => (key.clone(), any::<u8>(), any::<bool>()).prop_map(|(key, count, up)| Change::Fill(key, count, up)),
        3 => (key, any::<u8>()).prop_map(|(key, count)| Change::Clear(key, count)),
        3 => Just(Change::Keep),
    ]
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn agree(sorted: &SortedMap<u16, u8>, expected: &BTreeMap<u16, u8>) {
    assert_eq!(sorted.len(), expected.len());
    assert_eq!(sorted.iter().len(), expected.len());
    assert!(sorted.iter().eq(expected), "{sorted:?} {expected:?}");
    assert!((0..620).all(|key| sorted.get(&key) == expected.get(&key)));
    // A map built at once is divided into chunks differently.
    let built: SortedMap<u16, u8> = expected.iter().map(|(key, value)| (*key, *value)).collect();
    assert_eq!(*sorted, built);
    assert_eq!(hash(sorted), hash(&built));
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(30), failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn maps_agree_with_those_of_the_standard_library(changes in prop::collection::vec(change(), 0..60)) {
        let mut sorted = SortedMap::new();
        let mut expected = BTreeMap::new();
        let mut kept = Vec::new();
        for change in changes {
            match change {
                Change::Insert(key, value) => assert_eq!(sorted.insert(key, value), expected.insert(key, value)),
                Change::Remove(key) => assert_eq!(sorted.remove(&key), expected.remove(&key)),
                Change::GetOrInsert(key, value) => {
                    *sorted.get_or_insert(key, value) ^= 1;
                    *expected.entry(key).or_insert(value) ^= 1;
                }
                Change::Retain(rest) => {
                    sorted.retain(|key, _| key % 3 == rest);
                    expected.retain(|key, _| key % 3 == rest);
                }
                Change::Fill(first, count, up) => {
                    let keys = first..first + u16::from(count);
                    let keys: Vec<u16> = if up { keys.collect() } else { keys.rev().collect() };
                    sorted.extend(keys.iter().map(|key| (*key, count)));
                    expected.extend(keys.iter().map(|key| (*key, count)));
                }
                Change::Clear(first, count) => {
                    for key in first..first + u16::from(count) {
                        assert_eq!(sorted.remove(&key), expected.remove(&key));
                    }
                }
                Change::Keep => kept.push((sorted.clone(), expected.clone())),
            }
            agree(&sorted, &expected);
        }
        kept.iter().for_each(|(sorted, expected)| agree(sorted, expected));
        for ((a, x), (b, y)) in kept.iter().zip(kept.iter().skip(1)) {
            assert_eq!(a.cmp(b), x.cmp(y));
            assert_eq!(a == b, x == y);
        }
    }

    #[test]
    fn sets_agree_with_those_of_the_standard_library(
        first in prop::collection::vec(0..300u16, 0..250),
        second in prop::collection::vec(0..300u16, 0..250),
    ) {
        let (mut a, b): (SortedSet<u16>, SortedSet<u16>) =
            (first.iter().copied().collect(), second.iter().copied().collect());
        let (mut x, y): (BTreeSet<u16>, BTreeSet<u16>) = (first.into_iter().collect(), second.into_iter().collect());
        assert!(a.iter().eq(&x) && b.iter().eq(&y));
        assert_eq!(a.is_subset(&b), x.is_subset(&y));
        let both: SortedSet<u16> = x.intersection(&y).copied().collect();
        assert!(both.is_subset(&a) && both.is_subset(&b));
        assert_eq!(a.cmp(&b), x.cmp(&y));
        for element in &b {
            assert_eq!(a.insert(*element), x.insert(*element));
        }
        for element in 0..150 {
            assert_eq!(a.contains(&element), x.contains(&element));
            assert_eq!(a.remove(&element), x.remove(&element));
        }
        assert!(a.iter().eq(&x));
    }
}

/// The last of several entries with one key counts, as in the standard library.
#[test]
fn the_last_entry_of_a_key_counts() {
    let entries = [(3, 'a'), (1, 'b'), (3, 'c'), (2, 'd'), (1, 'e')];
    let sorted: SortedMap<u16, char> = entries.into_iter().collect();
    assert!(sorted.iter().eq([(&1, &'e'), (&2, &'d'), (&3, &'c')]));
}
