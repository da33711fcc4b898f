//! Elections on rings where every process reads one message per round and side: Dolev, Klawe and Rodeh; Peterson; Franklin. They
//! are deterministic: one count and one result for all schedules. Catalogue: E08, E12.

use crate::common::*;
use std::collections::BTreeMap;
use synod::internals::ids::ProcessId;
use synod::internals::instance::Instance;
use synod::internals::ir::Value;
use synod::internals::semantics::event::{Effects, Event};
use synod::internals::semantics::{Configuration, Metrics};
use synod::internals::simulate::{Observer, Schedule, SimulateOptions, simulate};

/// Return the numbers that are greater than both neighbours; of one or two the greater.
fn local_maxima(numbers: &[i64]) -> Vec<i64> {
    let n = numbers.len();
    let beats = |i: usize| numbers[i] > numbers[(i + 1) % n] && numbers[i] > numbers[(i + n - 1) % n];
    (0..n).filter(|i| beats(*i)).map(|i| numbers[i]).collect()
}

/// Return the number of rounds that two or more processes begin.
fn rounds(ids: &[i64]) -> u64 {
    let mut active = ids.to_vec();
    let mut rounds = 0;
    while active.len() > 1 {
        active = local_maxima(&active);
        rounds += 1;
    }
    rounds
}

/// Return Peterson's phases: in odd ones those survive that beat the previous number, in even ones the next number.
fn phases(ids: &[i64]) -> u64 {
    let mut active = ids.to_vec();
    let mut phases = 0;
    while active.len() > 1 {
        let n = active.len();
        let other = |i: usize| if phases % 2 == 0 { (i + n - 1) % n } else { (i + 1) % n };
        active = (0..n).filter(|i| active[*i] > active[other(*i)]).map(|i| active[i]).collect();
        phases += 1;
    }
    phases + 1
}

#[test]
fn dolev_klawe_rodeh_costs_n_times_2r_plus_1_under_every_schedule() {
    let program = library("dolev_klawe_rodeh");
    let announced = library("dolev_klawe_rodeh_announced");
    for n in 1..=5 {
        for ids in arrangements(n) {
            let expected = n as u64 * (2 * rounds(&ids) + 1);
            assert_eq!(messages(&ring(&program, &ids)), expected, "{ids:?}");
            assert_eq!(messages(&ring(&announced, &ids)), expected + n as u64, "{ids:?}");
        }
    }
    for seed in 0..20 {
        let instance = on(&program, "ring(40)").random_ids(seed).build();
        let ids: Vec<i64> = (0..40).map(ProcessId).map(|p| instance.network.id(p)).collect();
        assert_eq!(messages(&instance), 40 * (2 * rounds(&ids) + 1));
    }
}

#[test]
fn dolev_klawe_rodeh_distribution_over_all_arrangements() {
    let program = library("dolev_klawe_rodeh");
    let table: [(i64, &[(u64, u64)]); 8] = [
        (1, &[(1, 1)]),
        (2, &[(6, 1)]),
        (3, &[(9, 2)]),
        (4, &[(12, 4), (20, 2)]),
        (5, &[(15, 8), (25, 16)]),
        (6, &[(18, 16), (30, 104)]),
        (7, &[(21, 32), (35, 688)]),
        (8, &[(24, 64), (40, 4_896), (56, 80)]),
    ];
    for (n, expected) in table {
        let mut found: BTreeMap<u64, u64> = BTreeMap::new();
        for ids in arrangements(n) {
            *found.entry(run(&ring(&program, &ids), Schedule::Random, 5).metrics.messages()).or_default() +=
                1;
        }
        assert_eq!(found, expected.iter().copied().collect(), "n = {n}");
    }
}

/// Figure 3.2 of the book, whose order of processes is not stated.
#[test]
fn dolev_klawe_rodeh_in_the_six_orders_of_the_figure() {
    let program = library("dolev_klawe_rodeh");
    // Order on the ring; then, for P1 to P4, e and f at the last comparison; the detector; messages.
    type Row = ([i64; 4], [(i64, i64); 4], i64, u64);
    let table: [Row; 6] = [
        ([1, 2, 3, 4], [(4, 3), (1, 4), (2, 1), (3, 2)], 1, 12),
        ([1, 2, 4, 3], [(3, 4), (1, 3), (4, 2), (2, 1)], 3, 12),
        ([1, 3, 4, 2], [(2, 4), (4, 3), (1, 2), (3, 1)], 2, 12),
        ([1, 4, 3, 2], [(2, 3), (3, 4), (4, 1), (1, 2)], 3, 12),
        ([1, 3, 2, 4], [(3, 4), (4, 3), (1, 4), (2, 3)], 2, 20),
        ([1, 4, 2, 3], [(4, 3), (3, 4), (2, 4), (1, 3)], 1, 20),
    ];
    for (ids, judged, detector, total) in table {
        let instance = ring(&program, &ids);
        assert_eq!(messages(&instance), total, "{ids:?}");
        for run in runs(&instance, 10) {
            for (position, own) in (0u32..).zip(ids) {
                let number = |name| match variable(&instance, &run.configuration, position, name) {
                    Value::Id(id) => id,
                    other => panic!("{other:?}"),
                };
                assert_eq!(number("d"), 4, "{ids:?}, P{own}");
                assert_eq!(run.configuration.halted(ProcessId(position)), own == detector, "{ids:?}, P{own}");
                let (e, f) = judged[own as usize - 1];
                // The detector has received its own number as e since; its f is that of its last comparison.
                let e = if own == detector { 4 } else { e };
                assert_eq!((number("e"), number("f")), (e, f), "{ids:?}, P{own}");
            }
        }
    }
}

/// e and f of each process at its first comparison, with its second message.
#[derive(Default)]
struct FirstComparisons {
    received: BTreeMap<ProcessId, usize>,
    compared: BTreeMap<ProcessId, (Value, Value)>,
}

impl Observer for FirstComparisons {
    fn after(&mut self, i: &Instance, e: &Event, f: &Effects, c: &Configuration, _: &Metrics) -> bool {
        let received = self.received.entry(e.process).or_insert(0);
        *received += f.received.len();
        if *received == 2 && !f.received.is_empty() {
            let number = |name| variable(i, c, e.process, name);
            self.compared.insert(e.process, (number("e"), number("f")));
        }
        true
    }
}

/// The triples of the figure: d is still the process's own number.
#[test]
fn dolev_klawe_rodeh_compares_the_two_next_upstream_first() {
    let program = library("dolev_klawe_rodeh");
    for ids in arrangements(4).into_iter().chain(arrangements(5)) {
        let n = ids.len();
        let instance = ring(&program, &ids);
        let mut seen = FirstComparisons::default();
        let run = simulate(&instance, &SimulateOptions::default(), &mut seen);
        assert!(run.metrics.messages() >= 3 * n as u64);
        for p in 0..n {
            let upstream = |by: usize| Value::Id(ids[(p + n - by) % n]);
            assert_eq!(seen.compared[&ProcessId(p as u32)], (upstream(1), upstream(2)), "{ids:?}, p{p}");
        }
    }
}

/// The listing has `>=`: e is neither d nor f as long as two are active.
#[test]
fn dolev_klawe_rodeh_is_the_same_with_greater_or_equal() {
    let name = "dolev_klawe_rodeh";
    let listed = edited(name, &[(name, "if e > d and e > f", "if e >= d and e >= f")]);
    for n in 1..=6 {
        for ids in arrangements(n) {
            let [one, other] = [&library(name), &listed].map(|program| {
                let instance = ring(program, &ids);
                let run = run(&instance, Schedule::Random, 2);
                let halted: Vec<bool> =
                    (0..n as u32).map(ProcessId).map(|p| run.configuration.halted(p)).collect();
                (run.metrics.messages(), halted)
            });
            assert_eq!(one, other, "{ids:?}");
        }
    }
}

#[test]
fn dolev_klawe_rodeh_can_end_in_one_way_only() {
    let program = library("dolev_klawe_rodeh");
    for n in 1..=4 {
        for ids in arrangements(n) {
            let instance = ring(&program, &ids);
            let ends = endings(
                &instance,
                |_| Vec::new(),
                |end| {
                    let halted: Vec<bool> =
                        (0..n as u32).map(ProcessId).map(|p| end.configuration.halted(p)).collect();
                    let numbers: Vec<Value> = (0..n as u32).map(|p| end.variable(p, "d")).collect();
                    assert!(numbers.iter().all(|d| *d == Value::Id(n)), "{ids:?}: {numbers:?}");
                    (halted, end.metrics.messages())
                },
            );
            assert_eq!(ends.len(), 1, "{ids:?}: {ends:?}");
        }
    }
}

#[test]
fn peterson_costs_n_a_phase() {
    let program = library("peterson");
    for n in 1..=6 {
        for ids in arrangements(n) {
            let instance = ring(&program, &ids);
            assert_eq!(messages(&instance), n as u64 * phases(&ids), "{ids:?}");
        }
    }
    for n in 2..=12 {
        let descending: Vec<i64> = (1..=n).rev().collect();
        assert_eq!(messages(&ring(&program, &descending)) as i64, 2 * n);
    }
}

#[test]
fn franklin_costs_2n_a_round() {
    let program = library("franklin");
    for n in 1..=5 {
        for ids in arrangements(n) {
            assert_eq!(messages(&ring(&program, &ids)), 2 * n as u64 * (rounds(&ids) + 1), "{ids:?}");
        }
    }
    // Each round halves exactly: log n + 1 rounds.
    for (ids, rounds) in [(vec![2, 1], 2), (vec![4, 2, 3, 1], 3), (vec![8, 5, 6, 4, 7, 2, 3, 1], 4)] {
        assert_eq!(messages(&ring(&program, &ids)), 2 * ids.len() as u64 * rounds);
    }
}
