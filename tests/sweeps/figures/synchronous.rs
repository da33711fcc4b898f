//! Elections in rounds and in radio networks. They are deterministic: one result and one cost for all schedules.
//! Catalogue: E03, E09, E29, E37, E40–E43.

use crate::common::*;
use std::collections::{BTreeMap, BTreeSet};
use synod::internals::ids::ProcessId;
use synod::internals::instance::Instance;
use synod::internals::ir::Value;
use synod::internals::semantics::event::{Effects, Event};
use synod::internals::semantics::{Configuration, Metrics};
use synod::internals::simulate::{
    AnyScheduler, Observer, Run, Schedule, SimulateOptions, Simulation, Unobserved, simulate,
};

/// Return the run, which is the same under every schedule.
fn the_run(instance: &Instance) -> Run {
    let all: Vec<Run> = runs(instance, 3).collect();
    let same = |run: &Run| run.configuration == all[0].configuration && run.metrics == all[0].metrics;
    assert!(all.iter().all(same), "{} depends on the schedule", instance.program.name);
    all.into_iter().next().unwrap()
}

fn elected(instance: &Instance, run: &Run) -> BTreeSet<Value> {
    instance.processes().map(|p| variable(instance, &run.configuration, p, "elected")).collect()
}

/// Return the distance from a process to each other one, by breadth-first search.
fn distances(instance: &Instance, from: ProcessId) -> Vec<u64> {
    let mut distance = vec![u64::MAX; instance.n() as usize];
    distance[from.index()] = 0;
    let mut border = vec![from];
    while !border.is_empty() {
        let links = instance.network.links();
        let next: BTreeSet<ProcessId> = links
            .filter(|l| border.contains(&l.from) && distance[l.to.index()] == u64::MAX)
            .map(|l| l.to)
            .collect();
        let reached = distance[border[0].index()] + 1;
        next.iter().for_each(|p| distance[p.index()] = reached);
        border = next.into_iter().collect();
    }
    distance
}

fn graphs() -> Vec<String> {
    let fixed =
        ["line(1)", "line(2)", "line(5)", "ring(6)", "star(5)", "complete(4)", "mesh(3, 3)", "petersen"];
    let random = (0..8).map(|seed| format!("random(9, 12, seed: {seed})"));
    fixed.into_iter().map(String::from).chain(random).collect()
}

#[test]
fn flooding_costs_two_m_d_messages_and_d_rounds() {
    let (program, changes) = (library("flooding"), library("flooding_changes"));
    for graph in graphs() {
        for seed in 0..3 {
            let instance = on(&program, &graph).random_ids(seed).build();
            let run = the_run(&instance);
            let d = u64::from(instance.network.diameter().unwrap());
            let m = u64::from(instance.network.edges());
            assert_eq!((run.metrics.rounds, run.metrics.messages()), (d, 2 * m * d), "{graph}");
            assert_eq!(elected(&instance, &run), BTreeSet::from([Value::Id(i64::from(instance.n()))]));

            let cheaper = on(&changes, &graph).random_ids(seed).build();
            let cheaper_run = the_run(&cheaper);
            assert_eq!(elected(&cheaper, &cheaper_run), elected(&instance, &run));
            assert!(cheaper_run.metrics.messages() <= run.metrics.messages());
        }
    }
}

#[test]
fn after_r_rounds_of_flooding_the_greatest_within_distance_r_is_known() {
    let program = library("flooding");
    for graph in graphs() {
        let instance = on(&program, &graph).random_ids(7).build();
        let mut simulation = Simulation::new(&instance, AnyScheduler::new(&instance, Schedule::Fifo, 0));
        for r in 0..u64::from(instance.network.diameter().unwrap()) {
            simulation.run_rounds(&instance, r, 100_000, &mut Unobserved);
            assert!(!simulation.configuration.in_joint_step());
            assert_eq!(simulation.configuration.rounds(), Some(r));
            for p in instance.processes() {
                let near = distances(&instance, p);
                let ids =
                    instance.processes().filter(|q| near[q.index()] <= r).map(|q| instance.network.id(q));
                let best = variable(&instance, &simulation.configuration, p, "best");
                assert_eq!(best, Value::Id(ids.max().unwrap()), "{graph}: {p} after {r}");
            }
        }
    }
}

/// Return all sequences of this length of numbers below a bound.
fn rows(length: usize, below: i64) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for _ in 0..length {
        let extend = |row: &Vec<i64>| {
            let free = (0..below).filter(|i| !row.contains(i)).collect::<Vec<_>>();
            free.into_iter().map(|i| [row.as_slice(), &[i]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(extend).collect();
    }
    all
}

#[test]
fn time_slice_costs_n_messages_and_n_times_min_plus_1_rounds() {
    let program = library("time_slice");
    for n in 1..=4 {
        for ids in rows(n, 6) {
            let run = run(&ring(&program, &ids), Schedule::Fifo, 0);
            let least = *ids.iter().min().unwrap() as u64;
            assert_eq!(run.metrics.messages(), n as u64, "{ids:?}");
            assert_eq!(run.metrics.rounds, n as u64 * (least + 1), "{ids:?}");
        }
    }
    // Idling is cheap, however long it lasts.
    let instance = ring(&program, &[9_000_000_000, 8_000_000_000, 10_000_000_000]);
    let run = the_run(&instance);
    assert_eq!((run.metrics.rounds, run.steps), (24_000_000_003, 7));
}

/// Whenever all processes have had the same number of events, their states are equal.
#[derive(Default)]
struct InStep {
    done: BTreeMap<ProcessId, u32>,
    times: u32,
}

impl Observer for InStep {
    fn after(&mut self, i: &Instance, e: &Event, _: &Effects, c: &Configuration, _: &Metrics) -> bool {
        *self.done.entry(e.process).or_insert(0) += 1;
        let first = self.done.get(&ProcessId(0)).copied().unwrap_or(0);
        if i.processes().all(|p| self.done.get(&p) == Some(&first)) {
            self.times += 1;
            let alike =
                |p: ProcessId| c.words(p) == c.words(ProcessId(0)) && c.values(p) == c.values(ProcessId(0));
            assert!(i.processes().all(alike), "after {first} events each");
        }
        true
    }
}

#[test]
fn equal_processes_stay_alike_and_all_lead() {
    let program = library("anonymous_symmetry");
    for n in [1, 2, 3, 5] {
        let instance = on(&program, &format!("ring({n})")).build();
        let run = the_run(&instance);
        let leads =
            |p: &ProcessId| variable(&instance, &run.configuration, *p, "leader") == Value::Bool(true);
        assert_eq!((0..n).map(ProcessId).filter(leads).count(), n as usize);
    }
    // The same for programs that compare identifiers, if all are equal.
    for (name, order) in [
        ("chang_roberts", "unordered"),
        ("chang_roberts_announced", "fifo"),
        ("chang_roberts_participants", "fifo"),
        ("hirschberg_sinclair", "unordered"),
        ("dolev_klawe_rodeh", "fifo"),
    ] {
        let equal = edited(
            name,
            &[(name, &format!("ring, {order}, unique ids"), &format!("ring, {order}, integer ids"))],
        );
        for n in [1, 2, 3, 5] {
            let instance = ring(&equal, &vec![5; n as usize]);
            // In the order of sending they are in lock step: other schedules may distinguish them.
            let mut in_step = InStep::default();
            let options = SimulateOptions { schedule: Schedule::Fifo, ..SimulateOptions::default() };
            let run = simulate(&instance, &options, &mut in_step);
            assert!(in_step.times > 1, "{name}, {n}: {}", in_step.times);
            let leads =
                |p: &ProcessId| variable(&instance, &run.configuration, *p, "elected") == Value::Id(5);
            assert_eq!((0..n).map(ProcessId).filter(leads).count(), n as usize, "{name}, {n}");
        }
    }
}

#[test]
fn time_division_takes_min_plus_1_slots_and_one_transmission() {
    let program = library("radio_time_division");
    for n in 1..=3 {
        for ids in rows(n, 7) {
            let instance = on(&program, &format!("complete({n})")).ids(&ids).build();
            let run = the_run(&instance);
            let least = *ids.iter().min().unwrap();
            assert_eq!((run.metrics.rounds, run.metrics.messages()), (least as u64 + 1, 1), "{ids:?}");
            assert_eq!(elected(&instance, &run), BTreeSet::from([Value::Id(least)]));
        }
    }
}

/// Return the transmitters of each slot, computed without a network.
fn bitwise(ids: &[i64], digits: u32) -> Vec<u64> {
    let mut candidates = ids.to_vec();
    let slot = |k: u32| {
        let ones: Vec<i64> =
            candidates.iter().copied().filter(|id| id >> (digits - 1 - k) & 1 == 1).collect();
        let transmitters = ones.len() as u64;
        if transmitters > 0 {
            candidates = ones;
        }
        transmitters
    };
    (0..digits).map(slot).collect()
}

#[test]
fn bitwise_takes_a_slot_for_each_bit() {
    assert_eq!(bitwise(&[5, 9, 12, 10], 4), [3, 1, 0, 0]);
    assert_eq!(bitwise(&[3, 17, 22, 29, 8], 5), [3, 1, 1, 0, 1]);
    let program = library("radio_bitwise");
    for n in 1..=3 {
        for ids in rows(n, 8) {
            let instance = on(&program, &format!("complete({n})")).ids(&ids).param("digits", 3).build();
            let run = the_run(&instance);
            let transmissions = bitwise(&ids, 3).iter().sum();
            assert_eq!((run.metrics.rounds, run.metrics.messages()), (3, transmissions), "{ids:?}");
            assert_eq!(elected(&instance, &run), BTreeSet::from([Value::Id(*ids.iter().max().unwrap())]));
        }
    }
}

#[test]
fn beeping_and_collision_detection_take_b_times_d_slots() {
    for name in ["beeping", "radio_multihop_cd"] {
        let program = library(name);
        for graph in graphs() {
            for seed in 0..4 {
                let instance = on(&program, &graph).random_ids(seed).param("digits", 4).build();
                let run = the_run(&instance);
                let d = u64::from(instance.network.diameter().unwrap());
                assert_eq!(run.metrics.rounds, 4 * d.max(1), "{name} on {graph}");
                let greatest = Value::Id(i64::from(instance.n()));
                assert_eq!(elected(&instance, &run), BTreeSet::from([greatest]), "{name} on {graph}");
            }
        }
    }
}

#[test]
fn frames_take_d_times_u_slots_and_n_times_d_transmissions() {
    let program = library("radio_multihop");
    for graph in graphs() {
        let instance = on(&program, &graph).random_ids(3).param("slots", 16).build();
        let run = the_run(&instance);
        let (n, d) = (u64::from(instance.n()), u64::from(instance.network.diameter().unwrap()));
        assert_eq!((run.metrics.rounds, run.metrics.messages()), (16 * d, n * d), "{graph}");
        assert_eq!(elected(&instance, &run), BTreeSet::from([Value::Id(n as i64)]));
    }
}
