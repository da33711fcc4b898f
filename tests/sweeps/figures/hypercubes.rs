//! Elections on hypercubes. Catalogue: E21, E22.

use crate::common::*;
use std::collections::{BTreeMap, BTreeSet};
use synod::internals::ir::Value;

/// Return all permutations of 1 … n, not only those with n first.
fn orders(n: i64) -> Vec<Vec<i64>> {
    let circular = arrangements(n);
    let turned = |ids: &Vec<i64>| {
        (0..ids.len())
            .map(|by| {
                let mut ids = ids.clone();
                ids.rotate_left(by);
                ids
            })
            .collect::<Vec<_>>()
    };
    circular.iter().flat_map(turned).collect()
}

fn cube(
    program: &std::sync::Arc<synod::internals::ir::Program>,
    dimension: u32,
    ids: &[i64],
) -> synod::internals::instance::Instance {
    on(program, &format!("hypercube({dimension})")).ids(ids).build()
}

#[test]
fn duels_cost_3_on_an_edge_and_9_or_11_on_a_square() {
    let program = library("hypercube_duels");
    for ids in orders(2) {
        assert_eq!(messages(&cube(&program, 1, &ids)), 3);
    }
    let mut found: BTreeMap<u64, u64> = BTreeMap::new();
    for ids in orders(4) {
        *found.entry(messages(&cube(&program, 2, &ids))).or_default() += 1;
    }
    assert_eq!(found, BTreeMap::from([(9, 12), (11, 12)]));
    assert_eq!(messages(&cube(&program, 2, &[3, 1, 0, 2])), 11);
}

/// The catalogue counts the 5040 orders with the least identifier at 000: 21 to 31 messages, 25.5 on average.
#[test]
fn duels_on_a_cube_cost_21_to_31_in_known_proportions() {
    let program = library("hypercube_duels");
    let mut found: BTreeMap<u64, u64> = BTreeMap::new();
    for ids in arrangements(8) {
        // The greatest first becomes the least first.
        let ids: Vec<i64> = ids.iter().map(|id| 8 - id).collect();
        let run = run(&cube(&program, 3, &ids), synod::internals::simulate::Schedule::Random, 1);
        *found.entry(run.metrics.messages()).or_default() += 1;
    }
    let table = [(21, 315), (23, 1260), (25, 1260), (27, 1575), (29, 315), (31, 315)];
    assert_eq!(found, BTreeMap::from(table));
}

#[test]
fn duels_cost_the_same_whatever_the_schedule_and_stay_within_their_bounds() {
    let program = library("hypercube_duels");
    for dimension in 0..=6u64 {
        for seed in 0..12 {
            let instance = on(&program, &format!("hypercube({dimension})")).random_ids(seed).build();
            let n = u64::from(instance.n());
            let total = messages(&instance);
            assert!(total >= 3 * (n - 1), "{dimension}: {total}");
            // Stage i has 2^(k - i + 1) duellists, and a challenge takes at most 1 + i (i - 1) / 2 hops.
            let stage = |i: u64| (1u64 << (dimension - i + 1)) * (1 + i * (i - 1) / 2);
            let most = n - 1 + (1..=dimension).map(stage).sum::<u64>();
            assert_eq!(most + dimension * dimension + 3 * dimension + 7, 7 * n);
            assert!(total <= most, "{dimension}: {total}");
            for run in runs(&instance, 2) {
                assert_eq!(messages_of(&instance, &run.metrics, "Notify"), n - 1);
            }
        }
    }
}

/// 3 (n - 1) if identifiers are in the order of the addresses: every challenge meets its rival at once.
#[test]
fn duels_in_the_order_of_the_addresses_cost_least() {
    let program = library("hypercube_duels");
    for dimension in 0..=8 {
        let ids: Vec<i64> = (0..1 << dimension).collect();
        assert_eq!(messages(&cube(&program, dimension, &ids)), 3 * ((1 << dimension) - 1));
    }
}

/// The announcement may overtake a challenge. If processes stop forwarding challenges when they know the leader, the cost depends
/// on the schedule.
#[test]
fn duels_that_end_with_the_announcement_cost_less_sometimes() {
    let name = "hypercube_duels";
    let tell = "    send Notify(l) to { q in neighbours | q < p }          // the ports are in the order of their dimensions\n";
    let deaf = format!("{tell}    become deaf\n");
    let edits = [
        (name, tell, deaf.as_str()),
        (name, "state defeated\n", "state deaf\n  ignore Match\n\nstate defeated\n"),
    ];
    let ids = [5, 2, 7, 0, 3, 6, 1, 4];
    assert_eq!(messages(&cube(&library(name), 3, &ids)), 23);
    let instance = cube(&edited(name, &edits), 3, &ids);
    let found: BTreeSet<u64> = runs(&instance, 200).map(|run| run.metrics.messages()).collect();
    assert_eq!(found, BTreeSet::from([22, 23]));
}

#[test]
fn duels_end_in_one_way_only() {
    let program = library("hypercube_duels");
    for ids in orders(4) {
        let instance = cube(&program, 2, &ids);
        let ends = endings(
            &instance,
            |_| Vec::new(),
            |end| {
                let elected: BTreeSet<Value> = (0..4).map(|p| end.variable(p, "elected")).collect();
                assert_eq!(end.configuration.in_flight(), 0);
                (elected, end.metrics.messages())
            },
        );
        assert_eq!(ends.len(), 1, "{ids:?}: {ends:?}");
    }
}

#[test]
fn without_labels_a_square_costs_19() {
    let program = library("hypercube_unoriented");
    let all_awake = |dimension: u32, seed: u64| {
        let instance = on(&program, &format!("hypercube({dimension})")).random_ids(seed).build();
        let first = synod::internals::semantics::event::Cause::Wakeup;
        run_after_all(&instance, first, synod::internals::simulate::Schedule::Random, seed).metrics.messages()
    };
    for seed in 0..40 {
        assert_eq!(all_awake(2, seed), 19);
        let (n, m) = (8.0_f64, 12.0);
        assert!(all_awake(3, seed) as f64 <= 5.0 * n * n.log2() + 2.0 * m + 2.0 * n);
    }
}
