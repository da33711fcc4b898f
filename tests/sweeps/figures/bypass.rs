//! Mutual exclusion: how often other processes overtake a waiting one at worst, under every schedule. Catalogue: C4, bounded
//! bypass.

use super::mutexes::entering;
use crate::common::*;
use rustc_hash::FxHashSet;
use synod::internals::ids::ProcessId;
use synod::internals::instance::Instance;
use synod::internals::ir::Value;
use synod::internals::semantics::{Configuration, Machine, initial};
use synod::internals::simulate::{AnyScheduler, Progress, Schedule, Simulation, Unobserved};

/// The entries of other processes that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum While {
    /// All entries from the call of `enter` on: the request may be slow.
    Waiting,
    /// Entries while no request of the waiting process is in transit: it is known wherever it was sent.
    Known,
    /// Entries while no request of any process is in transit, if others forward it.
    PassedOn,
}

/// The number of times that each process has overtaken each waiting one; [`NOBODY_COUNTS`] if it does not wait.
type Counts = Vec<i8>;
const NOBODY_COUNTS: i8 = -1;

fn is(instance: &Instance, configuration: &Configuration, process: ProcessId, what: &str) -> bool {
    // A server neither waits nor enters.
    let role = &instance.program.roles[instance.role_of(process)];
    role.vars.iter().any(|v| v.name == what)
        && variable(instance, configuration, process, what) == Value::Bool(true)
}

fn request_under_way(instance: &Instance, configuration: &Configuration, from: Option<ProcessId>) -> bool {
    let channels = instance.channels().filter(|c| from.is_none_or(|p| instance.sender(*c) == p));
    let mut messages = channels.flat_map(|channel| configuration.channel(channel));
    messages.any(|m| instance.program.kinds[m.kind as usize].name == "Request")
}

impl While {
    fn counts(self, instance: &Instance, configuration: &Configuration, process: ProcessId) -> bool {
        is(instance, configuration, process, "waiting")
            && match self {
                While::Waiting => true,
                While::Known => !request_under_way(instance, configuration, Some(process)),
                While::PassedOn => !request_under_way(instance, configuration, None),
            }
    }

    /// Update the counts by one step.
    fn on(self, instance: &Instance, before: &Configuration, after: &Configuration, counts: &mut Counts) {
        let n = instance.n();
        let is_in = |configuration, q| is(instance, configuration, q, "critical");
        let entered: Vec<ProcessId> =
            instance.processes().filter(|q| is_in(after, *q) && !is_in(before, *q)).collect();
        for (p, row) in instance.processes().zip(counts.chunks_mut(n as usize)) {
            if !self.counts(instance, after, p) {
                row.fill(NOBODY_COUNTS);
            } else if row[0] == NOBODY_COUNTS {
                row.fill(0);
            } else {
                entered.iter().for_each(|q| row[q.index()] += 1);
            }
        }
    }
}

/// The maximum number of entries of others while one process waits: of one other process, and of all others together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Worst {
    by_one: i8,
    by_all: i8,
}

impl Worst {
    fn see(&mut self, instance: &Instance, counts: &Counts) {
        for row in counts.chunks(instance.n() as usize).filter(|row| row[0] != NOBODY_COUNTS) {
            self.by_one = self.by_one.max(*row.iter().max().expect("a process"));
            self.by_all = self.by_all.max(row.iter().sum());
        }
    }
}

/// Search all configurations under every schedule, each with its overtaking counts.
fn overtaken(instance: &Instance, entries: While) -> Worst {
    let mut machine = Machine::new(instance);
    let mut worst = Worst::default();
    let nobody = vec![NOBODY_COUNTS; (instance.n() * instance.n()) as usize];
    let mut open = vec![(initial(instance), nobody)];
    let mut seen = FxHashSet::default();
    while let Some((before, counts)) = open.pop() {
        for event in machine.enabled(instance, &before) {
            let mut odometer = Odometer::default();
            loop {
                let (mut after, mut counts) = (before.clone(), counts.clone());
                let done = machine.perform(instance, &mut after, &event, &mut odometer);
                assert!(done.expect("no abort"), "{event:?} was enabled");
                entries.on(instance, &before, &after, &mut counts);
                worst.see(instance, &counts);
                let next = (after, counts);
                if !seen.contains(&next) {
                    seen.insert(next.clone());
                    open.push(next);
                }
                if !odometer.advance() {
                    break;
                }
            }
        }
        assert!(seen.len() <= 500_000, "{} is too large to search", instance.program.name);
    }
    worst
}

/// Search random runs.
fn overtaken_at_random(instance: &Instance, entries: While, seeds: u64) -> Worst {
    let mut worst = Worst::default();
    for seed in 0..seeds {
        let mut simulation = Simulation::new(instance, AnyScheduler::new(instance, Schedule::Random, seed));
        let mut counts = vec![NOBODY_COUNTS; (instance.n() * instance.n()) as usize];
        loop {
            let before = simulation.configuration.clone();
            if simulation.advance(instance, &mut Unobserved).expect("no abort") != Progress::Stepped {
                break;
            }
            entries.on(instance, &before, &simulation.configuration, &mut counts);
            worst.see(instance, &counts);
        }
    }
    worst
}

/// Return the maxima with this many entries each.
fn worst(name: &str, topology: &str, entries: i64, counting: While) -> (i8, i8) {
    let worst = overtaken(&entering(&library(name), topology, entries), counting);
    (worst.by_one, worst.by_all)
}

/// Once a request is known, each other process enters before it at most once: its next request has a later stamp, or a later
/// place in a queue or on the ring. So at most n - 1 entries of others, which is attained if all processes request.
#[test]
fn a_known_request_is_overtaken_once_by_each_other() {
    let table: [(&str, &str, i64, i8); 15] = [
        ("lamport", "complete(2)", 2, 1),
        ("lamport_omitted_replies", "complete(2)", 3, 1),
        ("ricart_agrawala", "complete(2)", 4, 1),
        ("ricart_agrawala", "complete(3)", 1, 2),
        ("ricart_agrawala_deny", "complete(2)", 2, 1),
        ("carvalho_roucairol", "complete(2)", 4, 1),
        ("carvalho_roucairol", "complete(3)", 1, 2),
        ("suzuki_kasami", "complete(2)", 4, 1),
        ("suzuki_kasami", "complete(3)", 1, 2),
        ("maekawa", "complete(2)", 1, 1),
        ("central_server", "star(2)", 4, 1),
        ("central_server", "star(3)", 3, 2),
        ("token_ring", "ring(2)", 4, 1),
        ("token_ring", "ring(3)", 3, 2),
        ("token_ring", "ring(4)", 2, 3),
    ];
    for (name, topology, entries, others) in table {
        assert_eq!(worst(name, topology, entries, While::Known), (1, others), "{name} on {topology}");
    }
    // If a neighbour requests on behalf of a process, none of its requests may be in transit either.
    for (topology, others) in [("tree(3, 1)", 2), ("tree(3, 2)", 2)] {
        for entries in 1..=3 {
            assert_eq!(worst("raymond", topology, entries, While::PassedOn), (1, others), "{topology}");
        }
    }
}

#[test]
fn once_by_each_of_many_in_random_runs() {
    for (name, topology, others) in [
        ("lamport", "complete(4)", 3),
        ("lamport_omitted_replies", "complete(4)", 3),
        ("ricart_agrawala", "complete(5)", 4),
        ("ricart_agrawala_deny", "complete(4)", 3),
        ("carvalho_roucairol", "complete(4)", 3),
        ("suzuki_kasami", "complete(4)", 3),
        ("central_server", "star(5)", 4),
        ("token_ring", "ring(5)", 4),
    ] {
        let instance = entering(&library(name), topology, 5);
        let found = overtaken_at_random(&instance, While::Known, 20);
        assert_eq!(found, Worst { by_one: 1, by_all: others }, "{name} on {topology}");
    }
}

/// While the request is slow, a process that needs no permission to enter again does so any number of times: one that holds the
/// token or the permissions, or is nearer to the server. With clocks it is once, or twice: a reply may have been given before,
/// and one is due to a request with an earlier stamp by chance. On the ring no request needs to be known.
#[test]
fn an_unknown_request_may_be_overtaken_forever() {
    for entries in 1..=4 {
        let all_of_them = entries as i8;
        for (name, topology) in [
            ("carvalho_roucairol", "complete(2)"),
            ("suzuki_kasami", "complete(2)"),
            ("raymond", "tree(2, 1)"),
            ("central_server", "star(2)"),
        ] {
            let found = worst(name, topology, entries, While::Waiting);
            assert_eq!(found, (all_of_them, all_of_them), "{name}, {entries} entries");
        }
        assert_eq!(worst("token_ring", "ring(3)", entries, While::Waiting), (1, 2));
        assert_eq!(worst("ricart_agrawala", "complete(2)", entries, While::Waiting), (1, 1));
    }
    for (entries, twice) in [(1, 1), (2, 1), (3, 2), (4, 2)] {
        // Replies advance the clock more slowly than requests: a second request may still be the earlier one.
        let found = worst("lamport", "complete(2)", entries, While::Waiting);
        assert_eq!(found, (twice, twice), "{entries} entries");
    }
    // In a tree, even a process whose request is known is overtaken forever: its neighbour must request anew after each of its
    // own entries.
    for entries in 1..=3 {
        let (by_one, _) = worst("raymond", "tree(3, 1)", entries, While::Known);
        assert_eq!(by_one, entries as i8);
    }
}

/// Clocks advanced only by voters lag behind: a process that conflicts only with its own voters may have the earlier stamp twice.
#[test]
fn in_maekawas_quorums_one_may_be_overtaken_twice_by_the_same() {
    let instance = entering(&library("maekawa"), "complete(3)", 5);
    assert!(overtaken_at_random(&instance, While::Known, 40).by_one >= 2);
}
