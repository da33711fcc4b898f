//! Commitment and consensus: messages, message times, and every outcome of small instances. Catalogue: C12.

use crate::common::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use synod::internals::ids::ProcessId;
use synod::internals::instance::Instance;
use synod::internals::ir::{Fault, Value};
use synod::internals::semantics::Configuration;
use synod::internals::simulate::{AnyScheduler, Run, Schedule, Simulation, Unobserved};

#[test]
fn two_phase_commit_takes_three_messages_for_each_participant() {
    let program = library("two_phase_commit");
    for participants in 1..=6 {
        let instance = on(&program, &format!("star({participants})")).build();
        for run in runs(&instance, 20) {
            assert!(finished(&run));
            assert_eq!(run.metrics.messages(), 3 * participants);
            assert!(run.metrics.time <= 3);
        }
    }
}

#[test]
fn two_phase_commit_commits_if_and_only_if_all_vote_yes() {
    let program = library("two_phase_commit");
    for participants in 1..=3u32 {
        let instance = on(&program, &format!("star({participants})")).build();
        let found: BTreeSet<(Vec<Value>, BTreeSet<Value>)> = endings(
            &instance,
            |_| Vec::new(),
            |end| {
                let votes = (1..=participants).map(|p| end.variable(p, "ballot")).collect();
                (votes, (0..=participants).map(|p| end.variable(p, "decision")).collect())
            },
        );
        assert_eq!(found.len(), 1 << participants, "every way to vote, and one decision for each");
        for (votes, decisions) in found {
            let all = votes.iter().all(|v| *v == Value::Bool(true));
            assert_eq!(decisions.len(), 1);
            match decisions.first() {
                Some(Value::Case(_, decision)) => assert_eq!(*decision, u32::from(!all), "commit, or abort"),
                other => panic!("{other:?}"),
            }
        }
    }
}

fn text(t: &str) -> Value {
    Value::Text(Arc::from(t))
}

#[test]
fn an_undisturbed_ballot_of_paxos() {
    let program = library("paxos");
    for n in 1..=7u64 {
        let instance = on(&program, &format!("complete({n})")).idle_clients().build();
        for (schedule, seed) in schedules(20) {
            let mut simulation = Simulation::new(&instance, AnyScheduler::new(&instance, schedule, seed));
            start(&instance, &mut simulation);
            let proposal = call(&instance, n as u32 - 1, "propose", vec![text("v")]);
            simulation.take(&instance, &proposal, &mut Unobserved).unwrap();
            let run = finish(&instance, simulation);
            assert_eq!(run.metrics.messages(), 5 * (n - 1), "question and answer twice, and the result");
            if schedule == Schedule::Fifo && n > 1 {
                assert_eq!(run.metrics.time, 5);
            }
            for p in 0..n as u32 {
                assert_eq!(variable(&instance, &run.configuration, p, "decided"), text("v"));
            }
        }
    }
}

/// Return the final decisions under all schedules, for these proposers with a number of attempts each.
fn decisions(instance: &Instance, proposers: &[u32]) -> BTreeSet<Vec<Value>> {
    let script = |configuration: &Configuration| {
        let silent = |p: &&u32| variable(instance, configuration, **p, "proposed") == Value::None;
        let propose = |p: &u32| call(instance, *p, "propose", vec![text(&format!("by p{p}"))]);
        proposers.iter().filter(silent).map(propose).collect()
    };
    endings(instance, script, |end| instance.processes().map(|p| end.variable(p, "decided")).collect())
}

#[test]
fn paxos_agrees_under_all_schedules() {
    let program = library("paxos");
    let with = |n: u32, attempts| {
        on(&program, &format!("complete({n})")).param("attempts", attempts).idle_clients().build()
    };
    let all = |n: usize, v: &str| vec![text(v); n];
    assert_eq!(decisions(&with(1, 2), &[0]), BTreeSet::from([all(1, "by p0")]));
    assert_eq!(decisions(&with(2, 1), &[0]), BTreeSet::from([all(2, "by p0")]));
    assert_eq!(decisions(&with(3, 1), &[2]), BTreeSet::from([all(3, "by p2")]));
    // Two proposers: one of them wins. The highest ballot is never refused.
    let two = decisions(&with(2, 1), &[0, 1]);
    assert_eq!(two, BTreeSet::from([all(2, "by p0"), all(2, "by p1")]));
}

#[test]
fn paxos_decides_one_value_in_random_runs() {
    let program = library("paxos");
    for n in 2..=6u32 {
        let instance = on(&program, &format!("complete({n})")).build();
        for run in runs(&instance, 200) {
            let values: BTreeSet<Value> =
                (0..n).map(|p| variable(&instance, &run.configuration, p, "decided")).collect();
            assert!(values.len() == 1 && !values.contains(&Value::None), "all decide, and the same");
        }
    }
}

// ---- Ben-Or

fn number(instance: &Instance, configuration: &Configuration, p: ProcessId, name: &str) -> u64 {
    match variable(instance, configuration, p, name) {
        Value::Int(number) => number as u64,
        other => panic!("{other:?}"),
    }
}

/// All processes propose, one after the other, before any delivery.
fn ben_or(instance: &Instance, proposals: &[i64], schedule: Schedule, seed: u64) -> Run {
    let mut simulation = Simulation::new(instance, AnyScheduler::new(instance, schedule, seed));
    start(instance, &mut simulation);
    for (p, v) in (0..).zip(proposals) {
        let proposal = call(instance, p, "propose", vec![Value::Int(*v)]);
        simulation.take(instance, &proposal, &mut Unobserved).unwrap();
    }
    finish(instance, simulation)
}

#[test]
fn ben_or_of_one_mind_decides_in_the_first_round_with_4n_n_minus_1_messages() {
    let program = library("ben_or");
    for n in 1..=7u32 {
        let instance = on(&program, &format!("complete({n})")).idle_clients().build();
        for (schedule, seed) in schedules(20) {
            for v in [0, 1] {
                let run = ben_or(&instance, &vec![v; n as usize], schedule, seed);
                assert!(finished(&run), "{:?}", run.outcome);
                assert_eq!(run.metrics.messages(), u64::from(4 * n * (n - 1)));
                for p in 0..n {
                    assert_eq!(variable(&instance, &run.configuration, p, "decided"), Value::Int(v));
                    assert_eq!(number(&instance, &run.configuration, ProcessId(p), "turn"), 1);
                }
            }
        }
    }
}

/// Two messages to all others in each round, and as many on deciding; the others decide at most a round later.
#[test]
fn ben_or_costs_2_n_minus_1_messages_a_process_and_round() {
    let program = library("ben_or");
    for n in 1..=7u32 {
        let instance = on(&program, &format!("complete({n})")).build();
        for run in runs(&instance, 100) {
            assert!(finished(&run), "{:?}", run.outcome);
            let turns: Vec<u64> =
                (0..n).map(ProcessId).map(|p| number(&instance, &run.configuration, p, "turn")).collect();
            let rounds: u64 = turns.iter().map(|turn| turn + 1).sum();
            assert_eq!(run.metrics.messages(), 2 * u64::from(n - 1) * rounds);
            let (first, last) = (turns.iter().min().unwrap(), turns.iter().max().unwrap());
            assert!(last - first <= 1, "{turns:?}");
        }
    }
}

/// No process may crash and each waits for both: no proposal is made until the coins agree, with probability 1/2 in each round.
/// So the deciding round is 1 + G, where G is geometric: mean 3, variance 2.
#[test]
fn ben_or_with_different_values_decides_in_the_third_round_on_average() {
    let instance = on(&library("ben_or"), "complete(2)").idle_clients().build();
    let seeds = 4_000;
    let mut sum = 0;
    for seed in 0..seeds {
        let run = ben_or(&instance, &[0, 1], Schedule::Random, seed);
        let turns = [0, 1].map(ProcessId).map(|p| number(&instance, &run.configuration, p, "turn"));
        assert!(turns[0] == turns[1] && turns[0] > 1, "{turns:?}");
        sum += turns[0];
    }
    let average = sum as f64 / seeds as f64;
    assert!((average - 3.0).abs() <= 4.0 * (2.0 / seeds as f64).sqrt(), "{average}");
}

/// f + 1 rounds, and (f + 1) n (n - 1) messages without crashes; with crashes as many rounds, and no more messages.
#[test]
fn floodset_takes_f_plus_1_rounds() {
    let program = library("floodset");
    for n in 1..=6u64 {
        for f in 0..=3u64 {
            let setup = || on(&program, &format!("complete({n})")).param("f", f as i64).param("values", 3);
            let most = (f + 1) * n * (n - 1);
            for run in runs(&setup().build(), 5) {
                assert_eq!((run.metrics.rounds, run.metrics.messages()), (f + 1, most), "n = {n}, f = {f}");
            }
            let instance = setup().faults(&[(Fault::Crash, f as u32)]).build();
            for (schedule, seed) in schedules(20) {
                let judged = judge(&instance, schedule, seed, 100_000);
                assert!(judged.findings().is_empty(), "n = {n}, f = {f}: {}", judged.reasons());
                assert!(judged.run.metrics.messages() <= most);
            }
        }
    }
}

/// With restarts: all processes decide the same, however often a process crashes, if it restarts.
#[test]
fn two_phase_commit_with_a_log_ends() {
    let program = library("two_phase_commit_recovery");
    for participants in 1..=3 {
        let instance = on(&program, &format!("star({participants})")).build();
        for run in runs(&instance, 20) {
            assert!(finished(&run));
            assert_eq!(run.metrics.messages(), 3 * participants);
        }
        let faults = [(Fault::Crash, 2), (Fault::Restart, 2)];
        let instance = on(&program, &format!("star({participants})")).faults(&faults).build();
        for (schedule, seed) in schedules(200) {
            let judged = judge(&instance, schedule, seed, 100_000);
            let findings: Vec<String> = judged.findings().into_iter().filter(|f| f != "stuck").collect();
            assert!(findings.is_empty(), "{participants}, {schedule:?} {seed}: {}", judged.reasons());
            // A process that waits forever waits for one that has not restarted.
            let down = instance.processes().any(|p| judged.run.configuration.crashed(p));
            assert!(down || finished(&judged.run), "{participants}, {schedule:?} {seed}");
        }
    }
}
