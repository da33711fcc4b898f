//! Costs of rounds in a network without a clock: the catalogue's table, under many schedules. Catalogue: coordination 8.2.
//!
//! The client sends over every link, both ways, in each round; the cost of the last round counts, too. If some processes are
//! silent or leave, there are fewer messages of the algorithm above, and fewer acknowledgements. The cost of the rounds is the
//! same as long as no process leaves.

use crate::common::*;
use synod::internals::instance::Instance;
use synod::internals::ir::Value;
use synod::internals::property::Judgement;
use synod::internals::simulate::Schedule;

/// Network, rounds; messages of the algorithm above, and on a tree each of Safe and Pulse.
const TABLE: [(&str, i64, u64, u64); 5] = [
    ("ring(4)", 2, 16, 6),
    ("ring(6)", 3, 36, 15),
    ("line(4)", 3, 18, 9),
    ("complete(4)", 1, 12, 3),
    ("mesh(3, 3)", 4, 96, 32),
];

/// In 203 runs, each delivers the messages of every round, at the same cost.
fn costs(instance: &Instance, kinds: &[(&str, u64)]) {
    for (schedule, seed) in schedules(200) {
        let judged = judge(instance, schedule, seed, 1_000_000);
        assert!(judged.findings().is_empty(), "{}", judged.reasons());
        for (kind, expected) in kinds {
            let count = messages_of(instance, &judged.run.metrics, kind);
            assert_eq!(count, *expected, "{kind}, {schedule:?} {seed}");
        }
        assert_eq!(judged.run.metrics.messages(), kinds.iter().map(|(_, count)| count).sum::<u64>());
    }
}

#[test]
fn round_alpha_and_beta_cost_what_the_table_says() {
    for (topology, pulses, app, tree) in TABLE {
        let instance = |name| {
            let setup = on(&library(name), topology).param("pulses", pulses);
            setup.value("full_load", Value::Bool(true)).build()
        };
        costs(&instance("round_synchronizer"), &[("Packet", app)]);
        costs(&instance("alpha"), &[("App", app), ("Ack", app), ("Safe", app)]);
        costs(&instance("beta"), &[("App", app), ("Ack", app), ("Safe", tree), ("Pulse", tree)]);
        // Every process is a cluster.
        costs(&instance("gamma"), &[("App", app), ("Ack", app), ("Our_cluster_safe", app)]);
    }
}

/// Four messages on each edge of the clusters' trees and two on each preferred link, for all clusters.
#[test]
fn gamma_costs_four_on_tree_edges_and_two_on_preferred_links() {
    type Links = &'static [(i64, i64)];
    let pairs =
        |list: Links| Value::set(list.iter().map(|(a, b)| Value::tuple(vec![Value::Id(*a), Value::Id(*b)])));
    let rows: Links = &[(1, 2), (3, 2), (4, 5), (6, 5), (7, 8), (9, 8)];
    let table: [(&str, i64, u64, Links, Links); 4] = [
        ("ring(6)", 3, 36, &[(1, 2), (3, 2), (4, 5), (6, 5)], &[(3, 4)]),
        ("mesh(3, 3)", 4, 96, rows, &[(2, 5), (5, 8)]),
        // A cluster of one beside one of three; and all in one.
        ("line(4)", 3, 18, &[(1, 2), (3, 2)], &[(3, 4)]),
        ("complete(4)", 2, 24, &[(1, 2), (3, 2), (4, 3)], &[]),
    ];
    let gamma = library("gamma");
    for (topology, pulses, app, trees, preferred) in table {
        let setup = on(&gamma, topology).param("pulses", pulses).value("full_load", Value::Bool(true));
        let instance = setup.value("trees", pairs(trees)).value("preferred", pairs(preferred)).build();
        let along = trees.len() as u64 * pulses as u64;
        let between = 2 * preferred.len() as u64 * pulses as u64;
        let kinds = [
            ("App", app),
            ("Ack", app),
            ("Safe", along),
            ("Cluster_safe", along),
            ("Ready", along),
            ("Pulse", along),
            ("Our_cluster_safe", between),
        ];
        costs(&instance, &kinds);
    }
}

/// Without acknowledgements α is wrong: some process continues before its messages have arrived.
#[test]
fn alpha_without_waiting_for_acknowledgements_mixes_rounds() {
    let hasty = edited("alpha", &[("alpha", "end_round\n  await unacknowledged = 0\n", "end_round\n")]);
    let instance = on(&hasty, "ring(4)").param("pulses", 3).build();
    let wrong = (0..50).filter(|seed| {
        let judged = judge(&instance, Schedule::Random, *seed, 100_000);
        let broken = judged.verdicts.iter().find(|v| v.name == "nothing_is_late");
        broken.is_some_and(|v| v.judgement == Judgement::Violated)
    });
    assert!(wrong.count() > 0);
}

/// β that does not wait for its children mixes rounds, too.
#[test]
fn beta_without_waiting_for_children_mixes_rounds() {
    let hasty = edited("beta", &[("beta", " and safe_children + size(gone_children) = size(children)", "")]);
    let instance = on(&hasty, "line(4)").param("pulses", 3).build();
    let wrong =
        (0..50).filter(|seed| !judge(&instance, Schedule::Random, *seed, 100_000).findings().is_empty());
    assert!(wrong.count() > 0);
}
