//! Mutual exclusion: messages per entry, waiting times, and all possible totals of a few entries. Catalogue: C5, C9. «Net» omits
//! messages of a process to itself; «all» counts them.

use crate::common::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use synod::internals::ids::{MessageId, ProcessId};
use synod::internals::instance::Instance;
use synod::internals::ir::{Program, Value};
use synod::internals::semantics::event::{Cause, Effects, Event};
use synod::internals::semantics::{Configuration, Metrics};
use synod::internals::simulate::{AnyScheduler, Observer, Run, Schedule, Simulation, Unobserved};

/// Return an instance in which every process enters this many times.
pub fn entering(program: &Arc<Program>, topology: &str, entries: i64) -> Instance {
    on(program, topology).param("entries", entries).build()
}

/// One process enters without competition, with equal message delays: the messages until it is in, and the causal chain to that
/// point; then the whole run.
struct Undisturbed {
    messages_to_enter: u64,
    time_to_enter: u32,
    run: Run,
}

fn undisturbed(program: &Arc<Program>, topology: &str, process: u32) -> Undisturbed {
    let instance = on(program, topology).idle_clients().build();
    let mut simulation = Simulation::new(&instance, AnyScheduler::new(&instance, Schedule::Fifo, 0));
    start(&instance, &mut simulation);
    let mut act = |operation| {
        simulation
            .take(&instance, &call(&instance, process, operation, Vec::new()), &mut Unobserved)
            .unwrap();
        simulation.run(&instance, 1_000_000, &mut Unobserved);
        simulation.metrics().clone()
    };
    let entered = act("enter");
    assert_eq!(entered.returns.iter().sum::<u64>(), 1, "{} is in", program.name);
    act("exit");
    Undisturbed {
        messages_to_enter: entered.messages(),
        time_to_enter: entered.time,
        run: finish(&instance, simulation),
    }
}

/// All processes request before any message arrives.
pub fn all_at_once(program: &Arc<Program>, topology: &str, schedule: Schedule) -> Run {
    let instance = entering(program, topology, 1);
    let run = run_after_all(&instance, Cause::Internal, schedule, 1);
    assert!(finished(&run), "{}: {:?}", program.name, run.outcome);
    run
}

/// Return the totals of random runs.
fn random_totals(instance: &Instance, seeds: u64) -> BTreeSet<u64> {
    runs(instance, seeds).map(|run| run.metrics.messages()).collect()
}

#[test]
fn the_central_server_takes_three_messages_an_entry() {
    let program = library("central_server");
    for clients in 1..=5 {
        for entries in 1..=3 {
            let instance = entering(&program, &format!("star({clients})"), entries);
            assert_eq!(messages(&instance) as i64, 3 * clients * entries);
        }
    }
    let alone = undisturbed(&program, "star(3)", 2);
    assert_eq!((alone.messages_to_enter, alone.time_to_enter, alone.run.metrics.messages()), (2, 2, 3));
    assert_eq!(totals(&entering(&program, "star(2)", 2)), BTreeSet::from([12]));
}

#[test]
fn lamport_takes_3_n_minus_1_messages_an_entry() {
    let program = library("lamport");
    for n in 1..=6 {
        for entries in 1..=2 {
            let instance = entering(&program, &format!("complete({n})"), entries);
            assert_eq!(messages(&instance) as i64, 3 * (n - 1) * n * entries);
        }
    }
    let alone = undisturbed(&program, "complete(4)", 1);
    assert_eq!((alone.messages_to_enter, alone.time_to_enter, alone.run.metrics.messages()), (6, 2, 9));
    for (n, expected) in [(2, 3), (3, 6), (4, 9), (5, 12), (7, 18), (9, 24), (13, 36)] {
        assert_eq!(undisturbed(&program, &format!("complete({n})"), n - 1).run.metrics.messages(), expected);
    }
    assert_eq!(totals(&entering(&program, "complete(2)", 1)), BTreeSet::from([6]));
}

/// As in the notes, with messages to the sender itself: three more, not carried by any network.
#[test]
fn lamport_with_messages_to_oneself_takes_3_n_of_them_an_entry() {
    let program = library("lamport_self_addressed");
    for n in 1..=13 {
        let alone = undisturbed(&program, &format!("complete({n})"), n - 1);
        assert_eq!(alone.run.metrics.messages(), u64::from(3 * (n - 1)));
        assert_eq!(all_messages(&alone.run.metrics), u64::from(3 * n));
        assert_eq!(alone.time_to_enter, 2);
    }
    for n in 1..=5 {
        for run in runs(&entering(&program, &format!("complete({n})"), 2), 5) {
            assert_eq!(all_messages(&run.metrics) as i64, 3 * n * n * 2);
        }
    }
    let instance = entering(&program, "complete(2)", 1);
    let all = endings(&instance, |_| Vec::new(), |end| all_messages(end.metrics));
    assert_eq!(all, BTreeSet::from([12]));
}

/// The reply is omitted if the request itself implies it: one message less for each pair of crossing requests.
#[test]
fn lamport_with_omitted_replies_saves_one_message_for_each_pair_that_crosses() {
    let program = library("lamport_omitted_replies");
    assert_eq!(totals(&entering(&program, "complete(1)", 2)), BTreeSet::from([0]));
    assert_eq!(totals(&entering(&program, "complete(2)", 1)), BTreeSet::from([5, 6]));
    let three = random_totals(&entering(&program, "complete(3)", 1), 2_000);
    assert_eq!(three, BTreeSet::from([15, 16, 17, 18]));
    for (n, total) in [(1u64, 0), (2, 5), (3, 15), (4, 30), (5, 50)] {
        for schedule in [Schedule::Fifo, Schedule::RoundRobin] {
            let run = all_at_once(&program, &format!("complete({n})"), schedule);
            assert_eq!(run.metrics.messages(), total, "n = {n}");
            assert_eq!(total, 3 * n * (n - 1) - n * (n - 1) / 2);
        }
    }
    for n in 1..=6 {
        let alone = undisturbed(&program, &format!("complete({n})"), 0);
        assert_eq!(alone.run.metrics.messages(), 3 * (n - 1));
    }
}

#[test]
fn ricart_agrawala_takes_2_n_minus_1_messages_an_entry() {
    let program = library("ricart_agrawala");
    for n in 1..=6 {
        for entries in 1..=2 {
            let instance = entering(&program, &format!("complete({n})"), entries);
            assert_eq!(messages(&instance) as i64, 2 * (n - 1) * n * entries);
        }
    }
    let alone = undisturbed(&program, "complete(4)", 1);
    assert_eq!((alone.messages_to_enter, alone.time_to_enter, alone.run.metrics.messages()), (6, 2, 6));
    for (n, expected) in [(2, 2), (3, 4), (4, 6), (5, 8), (7, 12), (9, 16), (13, 24)] {
        assert_eq!(undisturbed(&program, &format!("complete({n})"), n - 1).run.metrics.messages(), expected);
    }
    assert_eq!(totals(&entering(&program, "complete(2)", 2)), BTreeSet::from([8]));
}

#[test]
fn ricart_agrawala_with_denials_takes_one_message_more_for_each_deferral() {
    let program = library("ricart_agrawala_deny");
    assert_eq!(totals(&entering(&program, "complete(2)", 1)), BTreeSet::from([4, 5]));
    let three = random_totals(&entering(&program, "complete(3)", 1), 500);
    assert_eq!(three, BTreeSet::from([12, 13, 14, 15]));
    // All at once, and no process leaves before the requests of all others have arrived: of each pair, one defers the other.
    for (n, total) in [(1u64, 0), (2, 5), (3, 15), (4, 30), (5, 50)] {
        let run = all_at_once(&program, &format!("complete({n})"), Schedule::Fifo);
        assert_eq!(run.metrics.messages(), total, "n = {n}");
    }
}

#[test]
fn voting_takes_3_n_minus_1_messages_if_it_takes_any() {
    let program = library("voting");
    for n in 1..=13 {
        let alone = undisturbed(&program, &format!("complete({n})"), 0);
        assert_eq!(alone.run.metrics.messages(), 3 * (n - 1));
        assert_eq!(all_messages(&alone.run.metrics), 3 * n);
        assert_eq!(alone.time_to_enter, 2);
    }
}

#[test]
fn maekawa_takes_three_messages_for_each_other_member_of_the_quorum() {
    let program = library("maekawa");
    // n, and the size of a quorum: alone, lines of projective planes, row and column of a grid.
    for (n, k) in [(1, 1), (3, 2), (7, 3), (13, 4), (21, 5), (4, 3), (9, 5), (16, 7)] {
        for process in [0, n - 1] {
            let alone = undisturbed(&program, &format!("complete({n})"), process);
            assert_eq!(alone.run.metrics.messages(), 3 * (k - 1), "n = {n}");
            assert_eq!(all_messages(&alone.run.metrics), 3 * k, "n = {n}");
            assert_eq!(alone.time_to_enter, 2, "n = {n}");
        }
    }
}

#[test]
fn suzuki_kasami_takes_nothing_or_n_messages_an_entry() {
    let program = library("suzuki_kasami");
    assert_eq!(totals(&entering(&program, "complete(1)", 3)), BTreeSet::from([0]));
    assert_eq!(totals(&entering(&program, "complete(2)", 1)), BTreeSet::from([2, 4]));
    assert_eq!(totals(&entering(&program, "complete(2)", 2)), BTreeSet::from([2, 4, 6, 8]));
    assert_eq!(totals(&entering(&program, "complete(3)", 1)), BTreeSet::from([6, 9]));
    let twice = random_totals(&entering(&program, "complete(3)", 2), 3000);
    assert_eq!(twice, BTreeSet::from([6, 9, 12, 15, 18]));
    for n in 2..=6u32 {
        let near = undisturbed(&program, &format!("complete({n})"), 0);
        assert_eq!((near.run.metrics.messages(), near.time_to_enter), (0, 0), "the token is here");
        let far = undisturbed(&program, &format!("complete({n})"), n - 1);
        assert_eq!((far.run.metrics.messages(), far.time_to_enter), (u64::from(n), 2));
    }
}

#[test]
fn raymond_takes_two_messages_for_each_hop_to_the_token() {
    let program = library("raymond");
    let on_a_line = |n: u32| format!("tree({n}, 1)");
    for n in 1..=6u32 {
        for process in 0..n {
            let alone = undisturbed(&program, &on_a_line(n), process);
            assert_eq!(alone.messages_to_enter, 2 * u64::from(process));
            assert_eq!(alone.time_to_enter, 2 * process);
            assert_eq!(alone.run.metrics.messages(), 2 * u64::from(process));
        }
    }
    let even = |from: u64, to: u64| (from..=to).step_by(2).collect::<BTreeSet<u64>>();
    assert_eq!(totals(&entering(&program, &on_a_line(2), 1)), even(2, 4));
    assert_eq!(totals(&entering(&program, &on_a_line(3), 1)), even(4, 10));
    assert_eq!(totals(&entering(&program, &on_a_line(4), 1)), even(6, 18));
    // The token in the middle, of three and of four.
    assert_eq!(totals(&entering(&program, "tree(3, 2)", 1)), even(6, 8));
    assert_eq!(totals(&entering(&program, "tree(4, 3)", 1)), even(10, 12));
}

/// The longest chain of messages at each process, started during observation.
#[derive(Default)]
pub struct Chains {
    pub at: BTreeMap<ProcessId, u32>,
    of_message: BTreeMap<MessageId, u32>,
}

impl Observer for Chains {
    fn after(&mut self, _: &Instance, e: &Event, f: &Effects, _: &Configuration, _: &Metrics) -> bool {
        let arrived = f.received.iter().filter_map(|r| self.of_message.get(&r.message)).max().copied();
        let here = self.at.entry(e.process).or_insert(0);
        *here = (*here).max(arrived.unwrap_or(0));
        let next = *here + 1;
        self.of_message.extend(f.sent.iter().map(|s| (s.message, next)));
        true
    }
}

/// One process leaves while another waits, with no messages in transit: return the message times until that one is in.
fn synchronization_delay(program: &Arc<Program>, topology: &str, leaves: u32, enters: u32) -> u32 {
    let instance = on(program, topology).idle_clients().build();
    let mut simulation = Simulation::new(&instance, AnyScheduler::new(&instance, Schedule::Fifo, 0));
    start(&instance, &mut simulation);
    for process in [leaves, enters] {
        let enter = call(&instance, process, "enter", Vec::new());
        simulation.take(&instance, &enter, &mut Unobserved).unwrap();
        simulation.run(&instance, 100_000, &mut Unobserved);
    }
    let is_in = |s: &Simulation<AnyScheduler>| {
        variable(&instance, &s.configuration, enters, "critical") == Value::Bool(true)
    };
    assert!(!is_in(&simulation), "{} on {topology}: p{enters} waits for p{leaves}", program.name);
    let mut chains = Chains::default();
    simulation.take(&instance, &call(&instance, leaves, "exit", Vec::new()), &mut chains).unwrap();
    while !is_in(&simulation) {
        simulation.advance(&instance, &mut chains).expect("it goes on");
    }
    chains.at[&ProcessId(enters)]
}

#[test]
fn message_times_from_an_exit_to_the_next_entry() {
    let table = [
        ("lamport", 1),
        ("ricart_agrawala", 1),
        ("ricart_agrawala_deny", 1),
        ("suzuki_kasami", 1),
        ("carvalho_roucairol", 1),
        ("voting", 2),
        ("maekawa", 2),
    ];
    for (name, delay) in table {
        let program = library(name);
        for n in [3, 4, 7] {
            for (leaves, enters) in [(0, 1), (1, 0), (n - 1, 1)] {
                let found = synchronization_delay(&program, &format!("complete({n})"), leaves, enters);
                assert_eq!(found, delay, "{name}, n = {n}, p{leaves} to p{enters}");
            }
        }
    }
    let central = library("central_server");
    assert_eq!(synchronization_delay(&central, "star(4)", 1, 3), 2);
    // The token of the tree goes directly to the requester.
    let raymond = library("raymond");
    for (leaves, enters) in [(0, 4), (4, 0), (1, 3), (3, 2)] {
        let hops = u32::abs_diff(leaves, enters);
        assert_eq!(synchronization_delay(&raymond, "tree(5, 1)", leaves, enters), hops);
    }
}

#[test]
fn carvalho_roucairol_takes_nothing_for_a_repeated_entry() {
    let program = library("carvalho_roucairol");
    for n in 1..=6u32 {
        let first = undisturbed(&program, &format!("complete({n})"), n - 1);
        assert_eq!(first.run.metrics.messages(), 2 * u64::from(n - 1), "as Ricart and Agrawala's");
        let instance = on(&program, &format!("complete({n})")).idle_clients().build();
        let mut simulation = Simulation::new(&instance, AnyScheduler::new(&instance, Schedule::Fifo, 0));
        start(&instance, &mut simulation);
        for _ in 0..3 {
            for operation in ["enter", "exit"] {
                let act = call(&instance, n - 1, operation, Vec::new());
                simulation.take(&instance, &act, &mut Unobserved).unwrap();
                simulation.run(&instance, 100_000, &mut Unobserved);
            }
        }
        assert_eq!(
            simulation.metrics().messages(),
            2 * u64::from(n - 1),
            "three entries for the price of one"
        );
    }
    // With two processes, each requests at least once, and again only if the other has entered in between.
    assert_eq!(totals(&entering(&program, "complete(2)", 1)), BTreeSet::from([4]));
    assert_eq!(totals(&entering(&program, "complete(2)", 2)), BTreeSet::from([4, 6, 8]));
    assert_eq!(totals(&entering(&program, "complete(2)", 3)), BTreeSet::from([4, 6, 8, 10, 12]));
}

#[test]
fn with_k_places_the_messages_are_those_of_ricart_agrawala_at_most() {
    let program = library("k_mutex");
    for n in 1..=5i64 {
        for k in 1..=3i64 {
            let instance = on(&program, &format!("complete({n})")).param("k", k).param("entries", 2).build();
            for run in runs(&instance, 50) {
                assert!(finished(&run));
                let (requests, replies) = (
                    messages_of(&instance, &run.metrics, "Request") as i64,
                    messages_of(&instance, &run.metrics, "Reply") as i64,
                );
                assert_eq!(requests, 2 * n * (n - 1));
                assert!(replies <= requests);
                assert!(k > 1 || replies == requests, "with one place nobody can owe two replies");
            }
        }
    }
    // Three processes with two places, two at a time but never three: all possible sets inside.
    let instance = on(&program, "complete(3)").idle_clients().build();
    let is =
        |c: &Configuration, p: ProcessId, what: &str| variable(&instance, c, p, what) == Value::Bool(true);
    let most = std::cell::Cell::new(0);
    endings(
        &instance,
        |c| {
            let inside = (0..3).map(ProcessId).filter(|p| is(c, *p, "critical")).count();
            most.set(most.get().max(inside));
            let asks =
                |p: &ProcessId| variable(&instance, c, *p, "stamp") == Value::Int(0) && !is(c, *p, "waiting");
            (0..3).map(ProcessId).filter(asks).map(|p| call(&instance, p, "enter", Vec::new())).collect()
        },
        |end| (0..3).map(ProcessId).filter(|p| is(end.configuration, *p, "critical")).count(),
    );
    assert_eq!(most.get(), 2);
}
