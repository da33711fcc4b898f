//! Virtual rings laid through other networks. Catalogue: E23, E30.

use crate::common::*;
use std::collections::BTreeSet;
use synod::internals::ids::ProcessId;
use synod::internals::instance::Instance;
use synod::internals::ir::Value;
use synod::internals::network::VirtualRing;
use synod::internals::semantics::event::Cause;
use synod::internals::simulate::Schedule;

/// Return the home positions in ring order, each with its process, and the length of the ring.
fn homes(instance: &Instance) -> (Vec<(ProcessId, usize)>, usize) {
    let ring = VirtualRing::around_spanning_tree(&instance.network).expect("a ring");
    let mut homes = Vec::new();
    let (mut p, mut port) = (ProcessId(0), ring.next(ProcessId(0)).expect("more than one process"));
    let mut place = 0;
    loop {
        if Some(port) == ring.next(p) {
            if place > 0 && p == ProcessId(0) {
                return (homes, place);
            }
            homes.push((p, place));
        }
        let link = instance.network.link(instance.network.ports(p)[port as usize].out);
        place += 1;
        p = link.to;
        port = ring.outgoing_port(p, link.to_port).expect("it goes on");
    }
}

const NETWORKS: [&str; 6] =
    ["line(2)", "line(5)", "ring(6)", "petersen", "random(9, 14, seed: 3)", "mesh(3, 3)"];

#[test]
fn the_walk_passes_every_tree_edge_once_each_way() {
    let program = library("embedded_ring_walk");
    for topology in NETWORKS {
        let instance = on(&program, topology).build();
        let (homes, length) = homes(&instance);
        let mut processes: Vec<ProcessId> = homes.iter().map(|(p, _)| *p).collect();
        processes.sort_unstable();
        assert_eq!(processes, instance.processes().collect::<Vec<_>>(), "{topology}");
        assert_eq!(length, 2 * (instance.n() as usize - 1), "{topology}");
    }
}

/// 2V + d for a single initiator, d positions before the greatest; with all of them the sum of the distances to the next greater
/// home position, V for the greatest, and V for the announcement.
#[test]
fn embedded_ring_walk_costs_what_the_distances_on_the_ring_say() {
    let program = library("embedded_ring_walk");
    for (topology, seed) in NETWORKS.iter().zip(0..) {
        let all = on(&program, topology).random_ids(seed);
        let instance = all.build();
        let (homes, length) = homes(&instance);
        let id = |p: ProcessId| instance.network.id(p);
        let way = |from: usize, to: usize| (to + length - from) % length;
        let greatest = *homes.iter().max_by_key(|(p, _)| id(*p)).unwrap();
        for (p, place) in &homes {
            let alone = all.clone().initiators(&[p.0]).build();
            let d = way(*place, greatest.1);
            assert_eq!(messages(&alone), (2 * length + d) as u64, "{topology} from {p}");
        }
        let to_next_greater = |(p, place): &(ProcessId, usize)| {
            let greater = homes.iter().filter(|(q, _)| id(*q) > id(*p));
            greater.map(|(_, there)| way(*place, *there)).min().unwrap_or(length)
        };
        let sum: usize = homes.iter().map(to_next_greater).sum();
        let together = run_after_all(&instance, Cause::Wakeup, Schedule::Random, seed);
        assert_eq!(together.metrics.messages(), (sum + length) as u64, "{topology}");
    }
}

/// n + 2 (k - 1) for k candidates, under every schedule; the greatest of them wins.
#[test]
fn complete_dummies_costs_n_and_two_for_each_further_candidate() {
    let program = library("complete_dummies");
    for n in 2..=5 {
        for ids in arrangements(n) {
            for candidates in subsets(n as u32) {
                let setup = on(&program, &format!("complete({n})")).ids(&ids).initiators(&candidates);
                let instance = setup.build();
                for schedule in [Schedule::Fifo, Schedule::Adversary, Schedule::Random] {
                    let run = run_after_all(&instance, Cause::Wakeup, schedule, 7);
                    assert!(finished(&run), "{ids:?} {candidates:?}: {:?}", run.outcome);
                    let cost = n as u64 + 2 * (candidates.len() as u64 - 1);
                    assert_eq!(run.metrics.messages(), cost, "{ids:?} {candidates:?}");
                    let best = *candidates.iter().max_by_key(|p| ids[**p as usize]).unwrap();
                    for p in 0..n as u32 {
                        let leads = variable(&instance, &run.configuration, p, "elected") != Value::None;
                        assert_eq!(leads, p == best, "{ids:?} {candidates:?}");
                    }
                }
            }
        }
    }
    for (n, cost) in [(4, 10), (8, 22), (16, 46)] {
        let instance = on(&program, &format!("complete({n})")).random_ids(n).build();
        let run = run_after_all(&instance, Cause::Wakeup, Schedule::Random, n);
        assert_eq!(run.metrics.messages(), cost);
    }
}

/// Without either repair some candidate waits forever: with two candidates if messages may overtake, with three otherwise. (Two
/// over FIFO channels are safe: a process that asks has sent its identifier before.)
#[test]
fn complete_dummies_as_published_deadlocks() {
    let name = "complete_dummies";
    let answers =
        "    [] otherwise asker != none -> send Answer(x) to asker; become dummy        // repair 1";
    let smaller_only = "    [] otherwise asker != none and x > id -> skip\n    [] otherwise asker != none -> send Answer(x) to asker; become dummy // repair 1";
    let stops = "-> become candidate                             // repair 2";
    let published = [(name, answers, smaller_only), (name, stops, "-> skip // repair 2")];
    let fifo = (name, "virtual ring, unordered", "virtual ring, fifo");
    let leaders = |edits: &[Edit<'_>], ids: &[i64], candidates: &[u32]| {
        let program = edited(name, edits);
        let instance =
            on(&program, &format!("complete({})", ids.len())).ids(ids).initiators(candidates).build();
        endings(
            &instance,
            |_| Vec::new(),
            |end| instance.processes().filter(|p| end.variable(*p, "elected") != Value::None).count(),
        )
    };
    let sometimes = BTreeSet::from([0, 1]);
    let over_fifo = [&published[..], &[fifo]].concat();
    assert_eq!(leaders(&published, &[1, 2], &[0, 1]), sometimes);
    assert_eq!(leaders(&over_fifo, &[1, 2], &[0, 1]), BTreeSet::from([1]));
    assert_eq!(leaders(&over_fifo, &[1, 2, 3], &[0, 1]), sometimes);
    // One repair is not enough; both are, over either kind of channels.
    assert_eq!(leaders(&published[..1], &[1, 2], &[0, 1]), sometimes);
    let arranged = [[1, 2, 3], [1, 3, 2]];
    let all = |edits: &[Edit<'_>]| -> BTreeSet<usize> {
        arranged.iter().flat_map(|ids| leaders(edits, ids, &[0, 1, 2])).collect()
    };
    assert_eq!(all(&published[1..]), sometimes);
    assert_eq!(all(&[fifo]), BTreeSet::from([1]));
}

/// All interleavings of three processes, for all sets of initiators.
#[test]
fn complete_dummies_never_deadlocks() {
    let program = library("complete_dummies");
    for ids in [[1, 2, 3], [1, 3, 2]] {
        for candidates in subsets(3) {
            let instance = on(&program, "complete(3)").ids(&ids).initiators(&candidates).build();
            let leaders = endings(
                &instance,
                |_| Vec::new(),
                |end| (0..3).filter(|p| end.variable(*p, "elected") != Value::None).count(),
            );
            assert_eq!(leaders.into_iter().collect::<Vec<_>>(), [1], "{ids:?} {candidates:?}");
        }
    }
}
