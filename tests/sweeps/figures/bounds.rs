//! Tight bounds: for each there is an instance that attains it.

use crate::common::*;
use std::collections::BTreeSet;
use synod::internals::ids::ProcessId;
use synod::internals::simulate::Schedule;

/// 7n + Σ 4 · 2^k ⌊n / (2^(k-1) + 1)⌋: a candidate in phase k has beaten 2^(k-1) on either side.
#[test]
fn hirschberg_sinclairs_phases_are_attained_for_2_3_4_5_and_8() {
    for (name, per_process) in [("hirschberg_sinclair", 7), ("hirschberg_sinclair_swallow", 6)] {
        let program = library(name);
        let bound = |n: u64| {
            let phases = u64::from(n.next_power_of_two().ilog2());
            let later: u64 = (1..phases).map(|k| 4 * (1 << k) * (n / ((1 << (k - 1)) + 1))).sum();
            per_process * n + later
        };
        let most = |n: i64| {
            let total = |ids: &Vec<i64>| run(&ring(&program, ids), Schedule::Fifo, 0).metrics.messages();
            arrangements(n).iter().map(total).max().unwrap()
        };
        let attained: BTreeSet<i64> = (2..=7).filter(|n| most(*n) == bound(*n as u64)).collect();
        assert!((2..=7).all(|n| most(n) <= bound(n as u64)), "{name}");
        match per_process {
            7 => {
                assert_eq!(attained, BTreeSet::from([2, 3, 4, 5]));
                assert_eq!([2, 3, 4, 5, 6, 7, 8, 9].map(bound), [14, 29, 44, 67, 98, 105, 120, 175]);
                assert_eq!(messages(&ring(&program, &[8, 5, 6, 4, 7, 2, 3, 1])), bound(8));
            }
            _ => assert!(attained.contains(&2), "{attained:?}"),
        }
    }
}

/// The number of phases is that of Fibonacci numbers 1, 2, 3, 5, … up to n.
#[test]
fn petersons_bound_is_attained_for_1_2_3_5_and_8() {
    let program = library("peterson");
    let fibonacci = [1i64, 2, 3, 5, 8, 13];
    for n in 1..=8i64 {
        let bound = n as u64 * fibonacci.iter().filter(|f| **f <= n).count() as u64;
        let total = |ids: &Vec<i64>| run(&ring(&program, ids), Schedule::Fifo, 0).metrics.messages();
        let most = arrangements(n).iter().map(total).max().unwrap();
        assert!(most <= bound, "n = {n}");
        if fibonacci.contains(&n) {
            assert_eq!(most, bound, "n = {n}");
        }
    }
    let attained = [1, 2, 3, 5, 8].map(|n| n * fibonacci.iter().filter(|f| **f <= n).count() as i64);
    assert_eq!(attained, [1, 4, 9, 20, 40]);
}

/// n - 1 requests, and at least one reply from each but k - 1: Raymond's 2n - k - 1. A process that owes several replies sends
/// one.
#[test]
fn k_places_come_down_to_raymonds_2n_minus_k_minus_1_for_some_entries() {
    let program = library("k_mutex");
    for (n, k) in [(2, 2), (3, 2), (3, 3)] {
        let entries = 6;
        let instance =
            on(&program, &format!("complete({n})")).param("k", k).param("entries", entries).build();
        let least = runs(&instance, 500).map(|run| run.metrics.messages() as i64).min().unwrap();
        assert!(least >= n * entries * (n - 1 + (n - k).max(0)), "{n}, {k}");
        assert!(least < n * entries * 2 * (n - 1), "some replies are joined: {least}");
    }
}

/// A graph with one source needs one iteration, and only such a graph does.
#[test]
fn yo_yo_costs_4m_if_and_only_if_there_is_one_source() {
    let program = library("yo_yo");
    for seed in 0..60 {
        let instance = on(&program, &format!("random(7, 10, seed: {seed})")).random_ids(seed).build();
        let network = &instance.network;
        let source =
            |p: &ProcessId| network.ports(*p).iter().all(|link| network.id(*p) < network.id(link.peer));
        let sources = instance.processes().filter(source).count();
        let total = messages(&instance);
        assert_eq!(total == 4 * u64::from(network.edges()), sources == 1, "{sources} sources, {total}");
    }
}
