//! Randomised elections and stabilization, in rounds or slots: exact expected costs, and invariants of every run. Catalogue: E10,
//! E15, E38, E39, E44.

use super::chain::{Chain, Cost, expected, near};
use super::coins::probability;
use crate::common::*;
use std::sync::Arc;
use synod::internals::ids::ProcessId;
use synod::internals::instance::Instance;
use synod::internals::ir::{Program, Value};
use synod::internals::semantics::Configuration;
use synod::internals::simulate::{Run, Schedule};

fn binomial(n: u32, k: u32) -> f64 {
    (0..k).map(|i| f64::from(n - i) / f64::from(i + 1)).product()
}

/// Check that the mean of the numbers of these runs is within four standard errors of the expectation.
#[track_caller]
fn mean_is(numbers: &[f64], expected: f64) {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let variance = numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let error = (variance / n).sqrt();
    assert!((mean - expected).abs() <= 4.0 * error, "{mean} instead of {expected}, standard error {error}");
}

/// Return messages and rounds of runs with the seeds 1, 2, …
fn costs(instance: &Instance, seeds: u64) -> (Vec<f64>, Vec<f64>) {
    let one = |seed| {
        let run = run(instance, Schedule::Fifo, seed);
        assert!(finished(&run), "{:?}", run.outcome);
        (run.metrics.messages() as f64, run.metrics.rounds as f64)
    };
    (1..=seeds).map(one).unzip()
}

fn holding(instance: &Instance, configuration: &Configuration, name: &str) -> usize {
    let holds = |p: &ProcessId| variable(instance, configuration, *p, name) == Value::Bool(true);
    instance.processes().filter(holds).count()
}

/// Check that there is one leader, and that all processes know that there is one.
fn elects_one(instance: &Instance, run: &Run) {
    assert!(finished(run));
    assert_eq!(holding(instance, &run.configuration, "leader"), 1);
    assert_eq!(holding(instance, &run.configuration, "decided"), instance.n() as usize);
}

fn complete(program: &Arc<Program>, n: u32) -> Instance {
    on(program, &format!("complete({n})")).build()
}

// ---- Itai and Rodeh

/// E(n): of a active processes, j become candidates with probability C(a, j) (1/a)^j (1 - 1/a)^(a - j).
fn phases_of_itai_rodeh(n: u32) -> f64 {
    let mut e = vec![0.0, 1.0];
    for a in 2..=n {
        let p = 1.0 / f64::from(a);
        let odds = |j: u32| binomial(a, j) * p.powi(j as i32) * (1.0 - p).powi((a - j) as i32);
        let sum: f64 = (2..a).map(|j| odds(j) * e[j as usize]).sum();
        e.push((1.0 + sum) / (1.0 - odds(0) - odds(a)));
    }
    e[n as usize]
}

#[test]
fn itai_rodeh_expects_as_many_phases_as_the_recurrence_says() {
    let table = [
        (1, 1.0),
        (2, 2.0),
        (3, 13.0 / 6.0),
        (4, 65.0 / 29.0),
        (5, 83_459.0 / 36_540.0),
        (6, 87_369_217.0 / 37_794_540.0),
    ];
    for (n, phases) in table {
        near(phases_of_itai_rodeh(n), phases);
    }
    for (n, rounded) in [(6, 2.3117), (8, 2.3454), (10, 2.3652), (100, 2.4343)] {
        assert!((phases_of_itai_rodeh(n) - rounded).abs() < 5e-5, "n = {n}");
    }
    // They grow with n, like a limit minus a term of order 1/n: 2.4417, as in the literature.
    let growing: Vec<f64> = (1..=40).map(phases_of_itai_rodeh).collect();
    assert!(growing.windows(2).all(|two| two[0] < two[1]));
    let limit = 2.0 * phases_of_itai_rodeh(400) - phases_of_itai_rodeh(200);
    assert!((limit - 2.4417).abs() < 5e-5, "{limit}");
    let program = library("itai_rodeh");
    for n in 1..=5u32 {
        let all = f64::from(n) * phases_of_itai_rodeh(n);
        let Cost { messages, rounds } = expected(&on(&program, &format!("ring({n})")).build());
        near(messages, all);
        near(rounds, all);
    }
    for n in [6u32, 10, 20] {
        let (messages, rounds) = costs(&on(&program, &format!("ring({n})")).build(), 2_000);
        let all = f64::from(n) * phases_of_itai_rodeh(n);
        mean_is(&messages, all);
        mean_is(&rounds, all);
    }
}

#[test]
fn pebbles_go_home_and_one_process_is_elected() {
    let program = library("itai_rodeh");
    for n in 1..=9 {
        let instance = on(&program, &format!("ring({n})")).build();
        for seed in 0..200 {
            let run = run(&instance, Schedule::Fifo, seed);
            elects_one(&instance, &run);
            assert!(run.metrics.messages().is_multiple_of(n) && run.metrics.rounds.is_multiple_of(n));
        }
    }
}

// ---- Herman

fn bits(instance: &Instance, configuration: &Configuration) -> Vec<bool> {
    let bit = |p| variable(instance, configuration, p, "x") == Value::Int(1);
    instance.processes().map(bit).collect()
}

/// A process with the same bit as its predecessor has a token.
fn tokens(bits: &[bool]) -> Vec<usize> {
    let n = bits.len();
    (0..n).filter(|p| bits[*p] == bits[(p + n - 1) % n]).collect()
}

fn herman(n: u32) -> (Instance, Chain) {
    let instance = on(&library("herman"), &format!("ring({n})")).build();
    let chain = Chain::new(&instance, |c| tokens(&bits(&instance, c)).len() == 1);
    (instance, chain)
}

/// From every configuration with three tokens 4abc / n rounds, and from equal bits the known value.
#[test]
fn hermans_ring_expects_4abc_over_n_rounds() {
    let table =
        [(3u32, 4.0 / 3.0, 4.0 / 3.0), (5, 44.0 / 15.0, 16.0 / 5.0), (7, 130_472.0 / 23_751.0, 48.0 / 7.0)];
    for (n, alike, worst_of_three) in table {
        let (instance, chain) = herman(n);
        let expected = chain.expected();
        let (mut all, mut with_three, mut worst) = (0, 0, 0.0f64);
        for (configuration, cost) in chain.configurations.iter().zip(&expected) {
            if configuration.next_to_start().is_some() || configuration.in_joint_step() {
                continue;
            }
            all += 1;
            let bits = bits(&instance, configuration);
            match tokens(&bits)[..] {
                [_] => near(cost.rounds, 0.0),
                [x, y, z] => {
                    with_three += 1;
                    let abc = (y - x) * (z - y) * (x + n as usize - z);
                    near(cost.rounds, 4.0 * abc as f64 / f64::from(n));
                    worst = worst.max(cost.rounds);
                }
                _ => {}
            }
            if bits.iter().all(|b| *b == bits[0]) {
                near(cost.rounds, alike);
            }
        }
        // Gaps as equal as possible: 4n² / 27 if three divides n.
        near(worst, worst_of_three);
        assert!(worst <= 4.0 * f64::from(n * n) / 27.0 + 1e-9);
        // Bits and their complements; three of n places for the tokens.
        assert_eq!((all, with_three), (1 << n, 2 * binomial(n, 3).round() as i32));
    }
}

/// From every configuration, for every outcome of the coins: an odd number of tokens, never increasing, and processes without a
/// token copy.
#[test]
fn hermans_tokens_vanish_in_pairs() {
    for n in [3, 5, 7] {
        let (instance, chain) = herman(n);
        let mut outcomes = 0;
        for (number, configuration) in chain.configurations.iter().enumerate() {
            if configuration.next_to_start().is_some() || configuration.in_joint_step() {
                continue;
            }
            let before = bits(&instance, configuration);
            let held = tokens(&before);
            assert_eq!(held.len() % 2, 1);
            let next = chain.after_a_round(number);
            if held.len() > 1 {
                assert_eq!(next.len(), 1 << held.len(), "one coin for each token");
            }
            for after in next {
                let after = bits(&instance, &chain.configurations[after]);
                assert!(tokens(&after).len() <= held.len());
                for p in (0..n as usize).filter(|p| !held.contains(p)) {
                    assert_eq!(after[p], before[(p + n as usize - 1) % n as usize]);
                }
                outcomes += 1;
            }
        }
        assert!(outcomes > 1 << n);
    }
}

// ---- Radio

/// 2/p + 2/q - 1 slots, where p and q are the probabilities that one of n, and one of n - 1, transmits alone.
#[test]
fn radio_by_lot_expects_two_over_p_and_two_over_q_minus_1_slots() {
    let slots = |n: f64| {
        let alone = |m: f64| if m < 2.0 { 1.0 } else { (1.0 - 1.0 / m).powf(m - 1.0) };
        2.0 / alone(n) + 2.0 / alone(n - 1.0) - 1.0
    };
    let table = [(2, 5.0), (3, 7.5), (4, 8.2407), (5, 8.6236), (8, 9.1363)];
    for (n, rounded) in table {
        assert!((slots(f64::from(n)) - rounded).abs() < 5e-5, "n = {n}");
    }
    let program = library("radio_random");
    assert_eq!(expected(&complete(&program, 1)), Cost::default());
    for n in 2..=5 {
        near(expected(&complete(&program, n)).rounds, slots(f64::from(n)));
    }
    let (_, rounds) = costs(&complete(&program, 8), 4_000);
    mean_is(&rounds, slots(8.0));
    for n in 2..=8 {
        let instance = complete(&program, n);
        for seed in 0..200 {
            let run = run(&instance, Schedule::Fifo, seed);
            elects_one(&instance, &run);
            assert!(run.metrics.rounds % 2 == 1 && run.metrics.rounds >= 3);
            assert_eq!(messages_of(&instance, &run.metrics, "Over"), 1);
        }
    }
}

/// (1 - 1/n)^-(n - 1) slots, and as many transmissions: one per slot on average (Wald).
#[test]
fn radio_with_collision_detection_expects_less_than_e_slots() {
    let slots = |n: f64| if n < 2.0 { 1.0 } else { (1.0 - 1.0 / n).powf(1.0 - n) };
    for (n, known) in [(1.0, 1.0), (2.0, 2.0), (3.0, 9.0 / 4.0), (4.0, 64.0 / 27.0)] {
        near(slots(n), known);
    }
    assert!((slots(8.0) - 2.5465).abs() < 5e-5);
    let program = library("radio_collision_detection");
    for n in 1..=6 {
        let Cost { messages, rounds } = expected(&complete(&program, n));
        near(rounds, slots(f64::from(n)));
        near(messages, slots(f64::from(n)));
        assert!(rounds < std::f64::consts::E);
    }
    let (messages, rounds) = costs(&complete(&program, 20), 4_000);
    mean_is(&rounds, slots(20.0));
    mean_is(&messages, slots(20.0));
}

/// S(k) (1 - 2 · 2^-k) = 1 + Σ C(k, j) 2^-k S(j), and one slot before; 2n transmissions.
#[test]
fn splitting_expects_1_plus_s_of_n_slots_and_2n_transmissions() {
    let slots = |n: u32| {
        let mut s = vec![0.0, 0.0];
        for k in 2..=n {
            let all = 0.5f64.powi(k as i32);
            let sum: f64 = (2..k).map(|j| binomial(k, j) * all * s[j as usize]).sum();
            s.push((1.0 + sum) / (1.0 - 2.0 * all));
        }
        1.0 + s[n as usize]
    };
    let table =
        [(1, 1.0), (2, 3.0), (3, 10.0 / 3.0), (4, 11.0 / 3.0), (5, 178.0 / 45.0), (8, 4337.0 / 945.0)];
    for (n, known) in table {
        near(slots(n), known);
    }
    assert!((slots(64) - 7.511).abs() < 5e-4);
    let program = library("radio_collision_detection_splitting");
    for n in 1..=6 {
        let Cost { messages, rounds } = expected(&complete(&program, n));
        near(rounds, slots(n));
        near(messages, if n == 1 { 1.0 } else { f64::from(2 * n) });
    }
    let (messages, rounds) = costs(&complete(&program, 64), 1_000);
    mean_is(&rounds, slots(64));
    mean_is(&messages, 128.0);
}

/// n Σ (1/R) ((j - 1) / R)^(n - 1), summed over j = 1 … R.
fn one_greatest(n: i32, labels: f64) -> f64 {
    let one = |j: f64| ((j - 1.0) / labels).powi(n - 1) / labels;
    f64::from(n) * (1..=labels as u64).map(|j| one(j as f64)).sum::<f64>()
}

#[test]
fn beeps_with_random_ids_fail_as_often_as_the_greatest_is_drawn_twice() {
    let program = library("beeping_random_ids");
    let leads_alone = |instance: &Instance, run: &Run| holding(instance, &run.configuration, "leader") == 1;
    for (n, labels, exact) in [(2, 8.0, (7, 8)), (3, 32.0, (1953, 2048))] {
        let instance = complete(&program, n);
        assert_eq!(probability(&instance, |run| leads_alone(&instance, run)), exact);
        near(one_greatest(n as i32, labels), exact.0 as f64 / exact.1 as f64);
    }
    assert!((one_greatest(4, 64.0) - 0.9690).abs() < 5e-5);
    let instance = complete(&program, 4);
    let alone: Vec<f64> = (1..=4_000)
        .map(|seed| f64::from(u8::from(leads_alone(&instance, &run(&instance, Schedule::Fifo, seed)))))
        .collect();
    mean_is(&alone, one_greatest(4, 64.0));
}

#[test]
fn beeps_with_random_ids_take_a_phase_of_d_slots_for_each_bit() {
    let program = library("beeping_random_ids");
    for graph in
        ["line(1)", "line(2)", "line(7)", "ring(6)", "complete(5)", "mesh(3, 4)", "random(9, 12, seed: 3)"]
    {
        let instance = on(&program, graph).build();
        let n = u64::from(instance.n());
        let bits = u64::from((n * n * n).next_power_of_two().ilog2());
        let diameter = u64::from(instance.network.diameter().unwrap()).max(1);
        for seed in 0..20 {
            let run = run(&instance, Schedule::Fifo, seed);
            assert_eq!(run.metrics.rounds, bits * diameter, "{graph}");
            let label = |p| match variable(&instance, &run.configuration, p, "label") {
                Value::Int(label) => label,
                other => panic!("{other:?}"),
            };
            let greatest = instance.processes().map(label).max().unwrap();
            let drawn = instance.processes().filter(|p| label(*p) == greatest).count();
            assert_eq!(holding(&instance, &run.configuration, "leader"), drawn, "{graph}");
        }
    }
}
