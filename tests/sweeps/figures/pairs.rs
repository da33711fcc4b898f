//! Population protocols with the leader oracle, from every configuration. Catalogue: E14.
//!
//! Globally fair runs end in a bottom strongly connected component and visit all of it. This test proves without computing
//! components that each has one constant leader. It finds the configurations from which, in every run, the same process is the
//! single leader forever, by eliminating others; and every configuration can reach one of them.

use crate::common::*;
use rustc_hash::FxHashMap;
use synod::internals::ids::ProcessId;
use synod::internals::instance::Instance;
use synod::internals::ir::Value;
use synod::internals::semantics::{Configuration, Machine, initial};

struct Space {
    /// The single leader of each configuration.
    leader: Vec<Option<u32>>,
    successors: Vec<Vec<usize>>,
}

fn single_leader(instance: &Instance, configuration: &Configuration) -> Option<u32> {
    let leads = |p: &ProcessId| variable(instance, configuration, *p, "leader") == Value::Bool(true);
    let leaders: Vec<ProcessId> = instance.processes().filter(leads).collect();
    if let [leader] = leaders[..] { Some(leader.0) } else { None }
}

/// Return all configurations: the initial ones are all that exist.
fn explore(instance: &Instance) -> Space {
    let mut machine = Machine::new(instance);
    let mut number: FxHashMap<Configuration, usize> = FxHashMap::default();
    let mut open = vec![initial(instance)];
    let mut space = Space { leader: Vec::new(), successors: Vec::new() };
    let mut follow = |from: &Configuration| {
        let mut found = Vec::new();
        for event in machine.enabled(instance, from) {
            let mut odometer = Odometer::default();
            loop {
                let mut to = from.clone();
                assert!(machine.perform(instance, &mut to, &event, &mut odometer).expect("no abort"));
                found.push(to);
                if !odometer.advance() {
                    break;
                }
            }
        }
        found
    };
    let mut all = Vec::new();
    while let Some(from) = open.pop() {
        match from.next_to_start() {
            Some(_) => open.append(&mut follow(&from)),
            None => {
                number.insert(from.clone(), all.len());
                all.push(from);
            }
        }
    }
    for configuration in &all {
        space.leader.push(single_leader(instance, configuration));
        space.successors.push(follow(configuration).iter().map(|to| number[to]).collect());
    }
    space
}

impl Space {
    /// Return the configurations from which on there is one constant leader.
    fn settled(&self) -> Vec<bool> {
        let mut settled: Vec<bool> = self.leader.iter().map(Option::is_some).collect();
        loop {
            let stays = |i: usize, to: usize| settled[to] && self.leader[to] == self.leader[i];
            let leaves = |i: &usize| settled[*i] && !self.successors[*i].iter().all(|to| stays(*i, *to));
            let out: Vec<usize> = (0..settled.len()).filter(leaves).collect();
            if out.is_empty() {
                return settled;
            }
            out.into_iter().for_each(|i| settled[i] = false);
        }
    }

    /// Return the number of configurations that can reach one of these.
    fn reaching(&self, mut wanted: Vec<bool>) -> usize {
        loop {
            let gets_there = |i: &usize| !wanted[*i] && self.successors[*i].iter().any(|to| wanted[*to]);
            let new: Vec<usize> = (0..wanted.len()).filter(gets_there).collect();
            if new.is_empty() {
                return wanted.iter().filter(|there| **there).count();
            }
            new.into_iter().for_each(|i| wanted[i] = true);
        }
    }

    /// Return the numbers of configurations, of settled ones, and of those that can settle.
    fn counts(&self) -> (usize, usize, usize) {
        let settled = self.settled();
        let count = settled.iter().filter(|s| **s).count();
        (settled.len(), count, self.reaching(settled))
    }
}

#[test]
fn all_pairs_interact() {
    for n in 2..=5usize {
        let space = explore(&on(&library("leader_oracle"), &format!("complete({n})")).build());
        // All configurations with a single leader are settled.
        assert_eq!(space.counts(), (1 << n, n, 1 << n), "n = {n}");
    }
}

#[test]
fn on_a_directed_ring() {
    for (n, all) in [(2, 576), (3, 13_824)] {
        let space = explore(&on(&library("leader_oracle_ring"), &format!("ring({n})")).build());
        let (configurations, settled, settling) = space.counts();
        assert_eq!((configurations, settling), (all, all), "n = {n}");
        // A single leader may still be removed.
        let single = space.leader.iter().filter(|leader| leader.is_some()).count();
        assert!(0 < settled && settled < single, "n = {n}: {settled} of {single}");
    }
}

#[test]
#[ignore = "ten seconds"]
fn on_a_directed_ring_of_four_from_all_331776_configurations() {
    let space = explore(&on(&library("leader_oracle_ring"), "ring(4)").build());
    let (configurations, _, settling) = space.counts();
    assert_eq!((configurations, settling), (331_776, 331_776));
}

/// Without the oracle's «no», no process becomes a leader if there is none.
#[test]
fn without_the_oracle_it_does_not_stabilize() {
    let program = source(
        "algorithm duels assumes complete, anonymous, pairwise interactions
         var leader : Bool := any
         on interaction(v) when leader and v.leader -> v.leader := false",
    );
    let space = explore(&on(&program, "complete(3)").build());
    assert_eq!(space.counts(), (8, 3, 7));
}
