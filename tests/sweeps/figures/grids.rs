//! Elections on meshes and tori. Catalogue: E16 to E20.

use crate::common::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use synod::internals::ids::ProcessId;
use synod::internals::instance::Instance;
use synod::internals::ir::{Program, Value};
use synod::internals::semantics::event::Cause;
use synod::internals::simulate::{Run, Schedule};

fn sent(instance: &Instance, run: &Run, kinds: &[&str]) -> u64 {
    kinds.iter().map(|kind| messages_of(instance, &run.metrics, kind)).sum()
}

fn woken(instance: &Instance, run: &Run) -> u64 {
    instance.processes().filter(|p| run.configuration.has_woken(*p)).count() as u64
}

/// Meshes with random ids and ports, and any initiators.
fn meshes(program: &Arc<Program>, sizes: &[(u64, u64)], mut see: impl FnMut(&Instance, &Run, u64, u64)) {
    for (a, b) in sizes {
        for seed in 0..6u64 {
            let all = on(program, &format!("mesh({a}, {b})")).random_ids(seed);
            let some: Vec<u32> = (0..(a * b) as u32).filter(|p| (u64::from(*p) + seed) % 3 == 0).collect();
            let one = vec![(seed % (a * b)) as u32];
            for initiators in [some, one] {
                if initiators.is_empty() {
                    continue;
                }
                let instance = all.clone().initiators(&initiators).build();
                runs(&instance, 6).for_each(|run| see(&instance, &run, *a, *b));
            }
            let instance = all.build();
            let together = run_after_all(&instance, Cause::Wakeup, Schedule::Random, seed);
            assert_eq!(woken(&instance, &together), a * b);
            see(&instance, &together, *a, *b);
        }
    }
}

#[test]
fn an_unoriented_mesh_costs_5ab_plus_k_plus_5_a_plus_b_minus_20() {
    let program = library("mesh_unoriented");
    meshes(&program, &[(3, 3), (3, 4), (4, 4), (3, 6), (5, 6)], |instance, run, a, b| {
        let k = woken(instance, run);
        assert_eq!(sent(instance, run, &["Wake"]), 3 * a * b + k - 2 * (a + b));
        assert_eq!(sent(instance, run, &["Corner"]), 6 * (a + b) - 16);
        assert_eq!(sent(instance, run, &["Lap"]), 2 * (a + b) - 4);
        assert_eq!(sent(instance, run, &["Axis", "Inward"]), 2 * a * b - a - b);
        assert_eq!(run.metrics.messages(), 5 * a * b + k + 5 * (a + b) - 20);
        let corners = [0, b - 1, (a - 1) * b, a * b - 1].map(|p| instance.network.id(ProcessId(p as u32)));
        let elected = variable(instance, &run.configuration, 0, "elected");
        assert_eq!(elected, Value::Id(*corners.iter().min().unwrap()));
    });
}

#[test]
fn an_oriented_mesh_costs_the_waking_and_n_minus_1() {
    let program = library("mesh_oriented");
    let sizes = [(1, 1), (1, 2), (2, 1), (1, 5), (2, 2), (3, 4), (5, 2), (5, 6)];
    meshes(&program, &sizes, |instance, run, a, b| {
        let k = woken(instance, run);
        assert_eq!(sent(instance, run, &["Wake"]), 3 * a * b + k - 2 * (a + b));
        assert_eq!(sent(instance, run, &["Leader"]), a * b - 1);
        let elected = variable(instance, &run.configuration, 0, "elected");
        assert_eq!(elected, Value::Id(instance.network.id(ProcessId(b as u32 - 1))));
    });
}

#[test]
fn a_single_initiator_on_a_torus_walks_round_its_squares_undisturbed() {
    let program = library("torus_stages");
    for (a, b) in [(1, 1), (1, 4), (2, 2), (2, 5), (3, 3), (4, 4), (4, 7), (5, 6), (8, 8), (9, 8)] {
        let t = u64::min(a, b).next_power_of_two().ilog2();
        let expected = 4 * ((1 << t) - 1) + a + b + a * b - 1;
        for initiator in [0, (a * b / 2) as u32] {
            let setup = on(&program, &format!("torus({a}, {b})")).random_ids(u64::from(initiator));
            assert_eq!(messages(&setup.initiators(&[initiator]).build()), expected, "{a} by {b}");
        }
    }
}

/// The catalogue measured at most 12.4 n.
#[test]
fn stages_on_a_torus_cost_at_most_16_n() {
    let program = library("torus_stages");
    for (a, b) in [(2, 2), (3, 3), (4, 4), (5, 7), (8, 8), (8, 16), (16, 16)] {
        let n = a * b;
        let snake = |p: i64| if p / b % 2 == 0 { p } else { p / b * b + b - 1 - p % b };
        let orders: [Vec<i64>; 4] = [
            (0..n).collect(),
            (0..n).rev().collect(),
            (0..n).map(snake).collect(),
            (0..n).map(|p| p * 7919 % 104_729).collect(),
        ];
        for ids in orders {
            let instance = on(&program, &format!("torus({a}, {b})")).ids(&ids).build();
            for (schedule, seed) in schedules(2) {
                let run = run_after_all(&instance, Cause::Wakeup, schedule, seed);
                assert!(finished(&run), "{a} by {b}, {schedule:?}");
                assert!(run.metrics.messages() as i64 <= 16 * n, "{a} by {b}: {}", run.metrics.messages());
            }
        }
    }
}

/// Under every schedule of small tori one process is elected, and all know it.
#[test]
fn stages_on_small_tori_elect_one_under_every_schedule() {
    let program = library("torus_stages");
    for (topology, initiators) in [
        ("torus(1, 2)", vec![0, 1]),
        ("torus(2, 2)", vec![0, 3]),
        ("torus(2, 2)", vec![0, 1]),
        ("torus(1, 3)", vec![0, 1]),
    ] {
        let setup = on(&program, topology).initiators(&initiators);
        for ids in [[4, 3, 2, 1], [1, 2, 3, 4]] {
            let n = setup.build().n() as usize;
            let instance = setup.clone().ids(&ids[..n]).build();
            let ends = endings(
                &instance,
                |_| Vec::new(),
                |end| {
                    assert_eq!(end.configuration.in_flight(), 0);
                    (0..n as u32).map(|p| end.variable(p, "elected")).collect::<BTreeSet<Value>>()
                },
            );
            assert!(
                ends.iter().all(|elected| elected.len() == 1 && !elected.contains(&Value::None)),
                "{ends:?}"
            );
        }
    }
}

// ---- Dead links

/// Return an instance whose dead links are these pairs of ids; ids are 1, 2, … by position.
fn with_dead(program: &Arc<Program>, topology: &str, dead: &[(u32, u32)]) -> Setup {
    let pair =
        |(p, q): &(u32, u32)| Value::tuple(vec![Value::Id(i64::from(p + 1)), Value::Id(i64::from(q + 1))]);
    on(program, topology).value("dead", Value::set(dead.iter().map(pair)))
}

/// Return the links of a torus: east and south of each process.
fn links(a: u32, b: u32) -> Vec<(u32, u32)> {
    let at = |row: u32, column: u32| (row % a) * b + column % b;
    (0..a * b).flat_map(|p| [(p, at(p / b, p + 1)), (p, at(p / b + 1, p))]).collect()
}

#[test]
fn a_torus_with_one_dead_link_costs_0_2_4_or_6_more() {
    let program = library("torus_faulty_link");
    for (a, b, known) in [(3, 3, None), (4, 5, None), (4, 4, Some([(0, 12), (2, 4), (4, 13), (6, 3)]))] {
        let topology = format!("torus({a}, {b})");
        let undisturbed = u64::from(2 * a * b + 2 * b - 1);
        assert_eq!(messages(&with_dead(&program, &topology, &[]).build()), undisturbed);
        let mut found: BTreeMap<u64, u64> = BTreeMap::new();
        for (p, q) in links(a, b) {
            let total = messages(&with_dead(&program, &topology, &[(p, q)]).build());
            let same_row = p / b == q / b;
            // p0 detects it. The link from the west leads to it; that from the last row is north of its row.
            let expected = match (same_row, p / b, q % b, q / b) {
                (true, 0, 0, _) => 4,
                (true, 0, ..) => 6,
                (true, ..) => 0,
                (false, _, _, 0) => 2,
                (false, ..) => 4,
            };
            assert_eq!(total, undisturbed + expected, "{topology}, {p}-{q}");
            *found.entry(expected).or_default() += 1;
        }
        assert!(known.is_none_or(|table| found == BTreeMap::from(table)), "{found:?}");
    }
}

/// Random dead links: if the rest is connected, one leader; otherwise one in each component.
#[test]
fn a_torus_with_dead_links_elects_one_leader_in_each_part() {
    let program = library("torus_faulty_links");
    let mut torn = 0;
    for seed in 0..60usize {
        let all = links(3, 4);
        let chance = |i: usize| (i * 31 + seed * 17 + i * seed * 7) % 10 < 3 + seed % 4;
        let dead: Vec<(u32, u32)> = (0..all.len()).filter(|i| chance(*i)).map(|i| all[i]).collect();
        let mut part: Vec<u32> = (0..12).collect();
        for (p, q) in all.iter().filter(|link| !dead.contains(link)) {
            let (a, b) = (part[*p as usize], part[*q as usize]);
            part.iter_mut().filter(|x| **x == a).for_each(|x| *x = b);
        }
        let parts: BTreeSet<u32> = part.iter().copied().collect();
        torn += usize::from(parts.len() > 1);
        let instance = with_dead(&program, "torus(3, 4)", &dead).build();
        for (schedule, seed) in schedules(4) {
            let judged = judge(&instance, schedule, seed, 100_000);
            assert!(finished(&judged.run));
            let elected = (0..12).map(|p| variable(&instance, &judged.run.configuration, p, "elected"));
            let leaders: BTreeSet<(u32, Value)> = part.iter().copied().zip(elected).collect();
            assert_eq!(leaders.len(), parts.len(), "{dead:?}: {leaders:?}");
            if parts.len() == 1 {
                assert!(judged.findings().is_empty(), "{dead:?}: {}", judged.reasons());
            }
        }
    }
    assert!((10..50).contains(&torn), "{torn}");
}
