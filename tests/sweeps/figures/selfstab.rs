//! Self-stabilizing rings, from every configuration. Catalogue: E15.

use crate::common::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use synod::internals::ids::ProcessId;
use synod::internals::instance::{Instance, Settings};
use synod::internals::ir::{Daemon, Program, Slot, Value};
use synod::internals::network::Spec;
use synod::internals::semantics::event::{Cause, Event};
use synod::internals::semantics::{Configuration, Machine, initial};
use synod::internals::setup::{InstanceOptions, instantiate};
use synod::internals::simulate::{AnyScheduler, Schedule, Simulation, Unobserved};

/// All configurations of a ring, as numbers, with their successors.
struct Space {
    /// The processes that can move, by configuration.
    enabled: Vec<u32>,
    successors: Vec<Vec<u32>>,
}

fn on_ring(program: &Arc<Program>, n: u32, daemon: Daemon) -> Instance {
    let settings = Settings { daemon: Some(daemon), ..Settings::default() };
    let topology = Some(Spec::parse(&format!("ring({n})")).unwrap());
    instantiate(program, &InstanceOptions { topology, settings, ..InstanceOptions::default() }).unwrap()
}

/// The slot of each variable in each process's role, and the values that it takes.
type Variables<'a> = &'a [(&'a str, Vec<i64>)];

fn slot_of(instance: &Instance, process: ProcessId, name: &str) -> usize {
    let role = &instance.program.roles[instance.role_of(process)];
    match role.vars.iter().find(|v| v.name == name).unwrap().slot {
        Slot::Word(slot) => slot as usize,
        Slot::Value(_) => panic!("{name} is no number"),
    }
}

fn set(instance: &Instance, variables: Variables<'_>, configuration: &mut Configuration, mut code: usize) {
    for p in instance.processes() {
        for (name, values) in variables {
            configuration.words_mut(p)[slot_of(instance, p, name)] = values[code % values.len()];
            code /= values.len();
        }
    }
}

fn code(instance: &Instance, variables: Variables<'_>, configuration: &Configuration) -> u32 {
    let mut code = 0;
    for p in instance.processes().rev() {
        for (name, values) in variables.iter().rev() {
            let value = configuration.words(p)[slot_of(instance, p, name)];
            code =
                code * values.len() + values.iter().position(|v| *v == value).expect("a value of the space");
        }
    }
    code as u32
}

fn explore(instance: &Instance, variables: Variables<'_>) -> Space {
    let each: usize = variables.iter().map(|(_, values)| values.len()).product();
    let mut base = initial(instance);
    let mut machine = Machine::new(instance);
    for p in instance.processes() {
        // The initial values are irrelevant: variables are set afterwards.
        let mut first = Odometer::default();
        assert!(machine.perform(instance, &mut base, &event(p, Cause::Start), &mut first).unwrap());
    }
    let mut space = Space { enabled: Vec::new(), successors: Vec::new() };
    for number in 0..each.pow(instance.n()) {
        let mut configuration = base.clone();
        set(instance, variables, &mut configuration, number);
        let movers: BTreeSet<ProcessId> =
            instance.processes().filter(|p| machine.is_enabled(instance, &configuration, *p)).collect();
        space.enabled.push(movers.len() as u32);
        let mut successors = BTreeSet::new();
        // Joint moves are chains of events: follow all of them.
        let mut open = vec![configuration];
        while let Some(from) = open.pop() {
            for event in machine.enabled(instance, &from) {
                let mut to = from.clone();
                machine.replay(instance, &mut to, &event).unwrap();
                match to.in_joint_step() {
                    true => open.push(to),
                    false => drop(successors.insert(code(instance, variables, &to))),
                }
            }
        }
        space.successors.push(successors.into_iter().collect());
    }
    space
}

impl Space {
    fn deadlocks(&self) -> usize {
        self.enabled.iter().filter(|count| **count == 0).count()
    }

    /// Return the configurations with one privilege from which only such are reached.
    fn legitimate(&self) -> Vec<bool> {
        let mut legitimate: Vec<bool> = self.enabled.iter().map(|count| *count == 1).collect();
        loop {
            let leaves =
                |i: &usize| legitimate[*i] && self.successors[*i].iter().any(|s| !legitimate[*s as usize]);
            let out: Vec<usize> = (0..legitimate.len()).filter(leaves).collect();
            if out.is_empty() {
                return legitimate;
            }
            out.into_iter().for_each(|i| legitimate[i] = false);
        }
    }

    /// Return the longest path to a legitimate configuration; `None` if some run never gets there.
    fn longest(&self, legitimate: &[bool]) -> Option<u32> {
        // Remove, layer by layer, the configurations that lead to legitimate ones only.
        let mut length: Vec<Option<u32>> = legitimate.iter().map(|l| l.then_some(0)).collect();
        loop {
            let mut changed = false;
            for i in 0..length.len() {
                if length[i].is_none() && !self.successors[i].is_empty() {
                    let next: Option<Vec<u32>> =
                        self.successors[i].iter().map(|s| length[*s as usize]).collect();
                    if let Some(next) = next {
                        length[i] = next.into_iter().max().map(|l| l + 1);
                        changed = true;
                    }
                }
            }
            if !changed {
                return length.into_iter().collect::<Option<Vec<u32>>>()?.into_iter().max();
            }
        }
    }
}

fn burns_pachl(program: &Arc<Program>, n: u32) -> Space {
    let n_ = i64::from(n);
    let labels = (0..n_ - 1).collect();
    let tags = std::iter::once(0).chain(2..=n_ - 2).collect();
    explore(&on_ring(program, n, Daemon::Central), &[("label", labels), ("tag", tags)])
}

#[test]
fn burns_and_pachl_stabilizes_on_prime_rings() {
    let three = burns_pachl(&library("burns_pachl"), 3);
    let legitimate = three.legitimate();
    assert_eq!((legitimate.len(), legitimate.iter().filter(|l| **l).count()), (8, 6));
    assert_eq!(three.deadlocks(), 0);
    assert!(three.longest(&legitimate).is_some());
}

#[test]
fn burns_and_pachl_on_five_from_all_248832_configurations() {
    let five = burns_pachl(&library("burns_pachl"), 5);
    let legitimate = five.legitimate();
    assert_eq!((legitimate.len(), legitimate.iter().filter(|l| **l).count()), (248_832, 90));
    assert_eq!(five.deadlocks(), 0);
    assert_eq!(five.longest(&legitimate), Some(60));
}

/// Four is not prime: two gaps of the same size stand still.
#[test]
fn burns_and_pachl_deadlocks_on_four() {
    let program = edited("burns_pachl", &[("burns_pachl", " and prime(n)", "")]);
    let four = burns_pachl(&program, 4);
    assert_eq!(four.deadlocks(), 2);
}

#[test]
fn the_k_state_ring_stabilizes_under_every_daemon() {
    let program = library("k_state_ring");
    for daemon in Daemon::ALL {
        for n in 1..=4 {
            let space = explore(&on_ring(&program, n, daemon), &[("x", (0..=i64::from(n)).collect())]);
            let legitimate = space.legitimate();
            assert_eq!(space.deadlocks(), 0);
            // One privilege remains one.
            let single = space.enabled.iter().filter(|count| **count == 1).count();
            assert_eq!(legitimate.iter().filter(|l| **l).count(), single);
            // All equal; or one value up to some position, and another one after it.
            let k = n + 1;
            assert_eq!(single, (k + k * (k - 1) * (n - 1)) as usize, "{daemon:?}, {n}");
            assert!(space.longest(&legitimate).is_some(), "{daemon:?}, {n}");
        }
    }
}

/// The longest path to one privilege, over all configurations and all choices of the daemon: in moves under the central daemon,
/// where it is 3n(n - 1)/2 - n - 1 from n = 4 on, and in joint moves under the others.
#[test]
fn the_k_state_ring_converges_within_so_many_moves() {
    let program = library("k_state_ring");
    for (daemon, expected) in [
        (Daemon::Central, [0, 0, 2, 13]),
        (Daemon::Synchronous, [0, 0, 3, 5]),
        (Daemon::Distributed, [0, 0, 3, 13]),
    ] {
        for (n, longest) in (1..).zip(expected) {
            let space = explore(&on_ring(&program, n, daemon), &[("x", (0..=i64::from(n)).collect())]);
            assert_eq!(space.longest(&space.legitimate()), Some(longest), "{daemon:?}, {n}");
        }
    }
    let five = explore(&on_ring(&program, 5, Daemon::Central), &[("x", (0..=5).collect())]);
    assert_eq!(five.longest(&five.legitimate()), Some(24));
}

/// Dijkstra's third solution: every path ends, and the longest has this length.
#[test]
fn three_states_converge_within_so_many_moves() {
    let program = library("three_state_ring");
    for (n, longest) in (3..).zip([1, 10, 22, 39, 57]) {
        let space = explore(&on_ring(&program, n, Daemon::Central), &[("x", vec![0, 1, 2])]);
        let legitimate = space.legitimate();
        assert_eq!(space.deadlocks(), 0);
        assert_eq!(legitimate.iter().filter(|l| **l).count() as u32, 12 * (n - 1), "{n}");
        assert_eq!(space.longest(&legitimate), Some(longest), "{n}");
    }
}

/// Dijkstra's second solution: (n - 1)(n - 2) moves.
#[test]
fn four_states_converge_within_so_many_moves() {
    let program = library("four_state_line");
    for n in 2..=6 {
        let instance = on_ring(&program, n, Daemon::Central);
        let variables = [("x", vec![0, 1]), ("upward", vec![0, 1])];
        let space = explore(&instance, &variables);
        // The bottom is always up, and the top always down: all else is not a configuration.
        let up = |number: usize, p: u32| number >> (2 * p + 1) & 1 == 1;
        let outside: Vec<usize> = (0..space.enabled.len()).filter(|i| !up(*i, 0) || up(*i, 1)).collect();
        let mut legitimate = space.legitimate();
        outside.iter().for_each(|i| legitimate[*i] = false);
        assert_eq!(legitimate.iter().filter(|l| **l).count() as u32, 6 * n - 8, "{n}");
        outside.iter().for_each(|i| legitimate[*i] = true);
        assert!((0..space.enabled.len()).all(|i| legitimate[i] || space.enabled[i] > 0), "{n}");
        assert_eq!(space.longest(&legitimate), Some((n - 1) * (n - 2)), "{n}");
    }
}

/// With one privilege, every move is a round; it returns after n of them.
#[test]
fn rounds_of_moves_are_counted() {
    let program = Arc::new(library("k_state_ring").with_initial_overrides());
    for daemon in Daemon::ALL {
        let mut instance = on_ring(&program, 5, daemon);
        let zero =
            |p| (ProcessId(p), Slot::Word(slot_of(&instance, ProcessId(p), "x") as u16), Value::Int(0));
        instance.initially = (0..5).map(zero).collect();
        let mut simulation = Simulation::new(&instance, AnyScheduler::new(&instance, Schedule::Random, 1));
        simulation.run(&instance, 5 + 20, &mut Unobserved);
        assert_eq!((simulation.metrics().moves, simulation.metrics().rounds), (20, 20), "{daemon:?}");
        let all: Vec<Event> = Machine::new(&instance).enabled(&instance, &simulation.configuration);
        assert_eq!(all.len(), 1);
    }
}
