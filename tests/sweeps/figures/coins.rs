//! Randomised elections: properties for every outcome of the random choices, and averages. Catalogue: E11, E12, E13.
//!
//! Probabilities are exact if all draws can be enumerated; averages are over fixed seeds, so that the tests are deterministic.

use crate::common::*;
use std::collections::VecDeque;
use std::sync::Arc;
use synod::internals::ids::ProcessId;
use synod::internals::instance::Instance;
use synod::internals::ir::{Program, Value};
use synod::internals::semantics::Chooser;
use synod::internals::semantics::choice::Odds;
use synod::internals::simulate::{
    AnyScheduler, Run, Schedule, Scheduler, SendOrder, Simulation, Token, Unobserved,
};

/// A fraction, not reduced.
pub type Fraction = (u128, u128);

/// A FIFO schedule with draws that are tried one after the other, in odometer order.
struct AllDraws {
    order: SendOrder,
    /// The chosen outcome, and the number of outcomes.
    draws: Vec<(usize, Odds)>,
    next: usize,
}

impl Chooser for AllDraws {
    fn choose(&mut self, options: usize) -> usize {
        self.order.choose(options)
    }

    fn draw(&mut self, odds: Odds) -> usize {
        if self.next == self.draws.len() {
            self.draws.push((0, odds));
        }
        self.next += 1;
        self.draws[self.next - 1].0
    }
}

impl Scheduler for AllDraws {
    const PER_MESSAGE: bool = SendOrder::PER_MESSAGE;
    fn push(&mut self, token: Token, process: ProcessId) {
        self.order.push(token, process);
    }
    fn push_wakeup(&mut self, token: Token, process: ProcessId) {
        self.order.push_wakeup(token, process);
    }
    fn release(&mut self, tokens: &mut Vec<Token>, process: ProcessId) {
        self.order.release(tokens, process);
    }
    fn pop(&mut self) -> Option<Token> {
        self.order.pop()
    }
    fn in_order(&mut self) -> Option<&mut VecDeque<Token>> {
        self.order.in_order()
    }
}

/// Return the exact probability that a run ends like this. Every run must end.
pub fn probability(instance: &Instance, holds: impl Fn(&Run) -> bool) -> Fraction {
    let mut sum: Fraction = (0, 1);
    let mut draws: Vec<(usize, Odds)> = Vec::new();
    loop {
        let scheduler = AllDraws { order: SendOrder::new(0), draws, next: 0 };
        let mut simulation = Simulation::new(instance, scheduler);
        let outcome = simulation.run(instance, 100_000, &mut Unobserved);
        let made = std::mem::take(&mut simulation.scheduler.draws);
        let run = simulation.into_run(outcome);
        assert!(finished(&run), "{:?}", run.outcome);
        if holds(&run) {
            let one = made.iter().fold((1, 1), |(a, b), (outcome, odds)| match odds {
                Odds::Uniform(outcomes) => (a, b * u128::from(*outcomes)),
                Odds::Coin { numerator, denominator } => {
                    let favours = if *outcome == 1 { *numerator } else { denominator - numerator };
                    (a * u128::from(favours), b * u128::from(*denominator))
                }
            });
            sum = reduced((sum.0 * one.1 + one.0 * sum.1, sum.1 * one.1));
        }
        draws = made;
        loop {
            match draws.pop() {
                None => return sum,
                Some((outcome, odds)) if outcome + 1 < odds.outcomes() => {
                    draws.push((outcome + 1, odds));
                    break;
                }
                Some(_) => {}
            }
        }
    }
}

fn reduced((a, b): Fraction) -> Fraction {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    (a / x.max(1), b / x.max(1))
}

fn with_labels(program: &Arc<Program>, n: u32, labels: i64) -> Instance {
    on(program, &format!("ring({n})")).param("labels", labels).build()
}

fn leaders(instance: &Instance, run: &Run) -> usize {
    let leads = |p: &ProcessId| variable(instance, &run.configuration, *p, "leader") == Value::Bool(true);
    instance.processes().filter(leads).count()
}

/// n Σ (1/R) ((j - 1) / R)^(n - 1).
#[test]
fn random_ids_succeed_with_exactly_the_probability_of_a_unique_maximum() {
    let program = library("random_ids");
    let table = [(1, 3, (1, 1)), (2, 2, (1, 2)), (3, 3, (5, 9)), (3, 10, (171, 200)), (5, 5, (354, 625))];
    for (n, labels, expected) in table {
        let instance = with_labels(&program, n, labels);
        let exact = probability(&instance, |run| leaders(&instance, run) == 1);
        assert_eq!(exact, expected, "n = {n}, R = {labels}");
        let powers: u128 = (0..labels as u128).map(|j| j.pow(n - 1)).sum();
        assert_eq!(
            exact,
            reduced((u128::from(n) * powers, (labels as u128).pow(n))),
            "n = {n}, R = {labels}"
        );
    }
    for n in 1..=8 {
        assert_eq!(messages(&with_labels(&program, n, 5)), u64::from(n * n));
    }
}

/// R^-(n - gcd(n, 2)); for three processes the answer is right with probability 1 - R^-2.
#[test]
fn ring_size_remains_two_with_exactly_this_probability() {
    let program = library("ring_size");
    for (n, labels) in [(2u32, 2i64), (3, 2), (3, 3), (4, 2)] {
        let instance = with_labels(&program, n, labels);
        let estimate = |run: &Run| variable(&instance, &run.configuration, 0, "estimate") == Value::Int(2);
        let even = if n.is_multiple_of(2) { 2 } else { 1 };
        assert_eq!(
            probability(&instance, estimate),
            (1, (labels as u128).pow(n - even)),
            "n = {n}, R = {labels}"
        );
    }
    for labels in 1..=2i64 {
        let three = with_labels(&program, 3, labels);
        let right = |run: &Run| variable(&three, &run.configuration, 0, "estimate") == Value::Int(3);
        let squared = (labels * labels) as u128;
        assert_eq!(probability(&three, right), reduced((squared - 1, squared)), "R = {labels}");
    }
    for n in 2..=8u32 {
        assert_eq!(messages(&with_labels(&program, n, 1)), 2 * u64::from(n));
    }
}

/// Every run ends with one leader; `Ready` costs n, tokens about as many as in the catalogue's simulations.
#[test]
fn itai_rodeh_asynchronous_on_the_average() {
    let program = library("itai_rodeh_asynchronous");
    for (n, labels, expected) in [(4, 4, 14.1), (8, 8, 32.9)] {
        let instance = with_labels(&program, n, labels);
        let mut tokens = 0;
        for seed in 0..1000 {
            let run = run(&instance, Schedule::Random, seed);
            assert_eq!(leaders(&instance, &run), 1);
            assert_eq!(messages_of(&instance, &run.metrics, "Ready"), u64::from(n));
            tokens += messages_of(&instance, &run.metrics, "Token");
        }
        let average = tokens as f64 / 1000.0;
        // The catalogue's figures are averages of 400 runs themselves.
        assert!((average - expected).abs() < 0.05 * expected, "n = {n}: {average} instead of {expected}");
    }
}

/// Return whether, in Itai and Rodeh's election with unused levels, a candidate ever meets a token of another drawing.
fn goes_astray(order: &str, n: u32, seeds: u64) -> bool {
    let name = "itai_rodeh_fifo";
    let edits = [
        (name, "ring, fifo,", order),
        (
            name,
            "message Token(label: Int, hops: Int, unique: Bool), Ready",
            "message Token(label: Int, hops: Int, unique: Bool, level: Int), Ready\nvar level : Int\nvar astray : Bool",
        ),
        (name, "  send Token(label, 1, true)", "  level := level + 1\n  send Token(label, 1, true, level)"),
        (name, "on Token(_, h, u) when", "on Token(_, h, u, _) when"),
        (
            name,
            "on Token(x, h, u) when h < n ->",
            "on Token(x, h, u, l) when h < n ->\n    astray := astray or l != level",
        ),
        (name, "send Token(x, h + 1, u); become", "send Token(x, h + 1, u, l); become"),
        (name, "send Token(x, h + 1, false)", "send Token(x, h + 1, false, l)"),
        (
            name,
            "on Token(x, h, u) -> send Token(x, h + 1, u)",
            "on Token(x, h, u, l) -> send Token(x, h + 1, u, l)",
        ),
    ];
    let instance = on(&edited(name, &edits), &format!("ring({n})")).build();
    let astray =
        |run: &Run| (0..n).any(|p| variable(&instance, &run.configuration, p, "astray") == Value::Bool(true));
    schedules(seeds).any(|(schedule, seed)| astray(&run(&instance, schedule, seed)))
}

/// FIFO channels separate the drawings as well as levels do; unordered channels do not.
#[test]
fn where_no_token_overtakes_another_levels_are_not_needed() {
    for n in 2..=7 {
        assert!(!goes_astray("ring, fifo,", n, 300), "{n}");
    }
    assert!(goes_astray("ring, unordered,", 4, 300));
}

/// Labels cost 2n a round. Two processes with two labels: a round differs with probability 1/2, then one more.
#[test]
fn probabilistic_franklin_costs_2n_a_round() {
    let program = library("probabilistic_franklin");
    for n in 1..=6u32 {
        let instance = with_labels(&program, n, 2);
        for run in runs(&instance, 50) {
            assert_eq!(leaders(&instance, &run), 1);
            assert_eq!(messages_of(&instance, &run.metrics, "Label") % (2 * u64::from(n)), 0);
            assert_eq!(messages_of(&instance, &run.metrics, "Won"), u64::from(n));
        }
    }
    let two = with_labels(&program, 2, 2);
    let rounds: u64 =
        (0..2000).map(|seed| messages_of(&two, &run(&two, Schedule::Fifo, seed).metrics, "Label") / 4).sum();
    let average = rounds as f64 / 2000.0;
    // Standard error of the mean: sqrt(2 / 2000) = 0.032.
    assert!((average - 3.0).abs() < 0.1, "{average}");
}

/// Never two leaders, and at every end one, under all schedules and all coins. (It has finitely many states, while levels are
/// unbounded.)
#[test]
fn probabilistic_franklin_never_has_two_leaders() {
    let program = library("probabilistic_franklin");
    for n in 1..=2 {
        let instance = with_labels(&program, n, 2);
        let (mut all, mut ends) = (0, 0);
        configurations(&instance, |configuration, ended| {
            let is = |p: ProcessId, name| variable(&instance, configuration, p, name) == Value::Bool(true);
            let leaders = (0..n).map(ProcessId).filter(|p| is(*p, "leader")).count();
            assert!(leaders <= 1);
            if ended {
                assert_eq!(leaders, 1);
                assert!((0..n).map(ProcessId).all(|p| is(p, "decided")));
                ends += 1;
            }
            all += 1;
        });
        assert!(ends > 0 && all > ends, "{all} configurations, {ends} ends");
    }
}

/// The draws of a seed are fixed, and the same under every schedule.
#[test]
fn a_seed_draws_the_same_numbers_on_every_machine() {
    let odds = [
        Odds::Uniform(6),
        Odds::Coin { numerator: 1, denominator: 3 },
        Odds::Uniform(u32::MAX),
        Odds::Coin { numerator: 1 << 40, denominator: (1 << 41) + 1 },
    ];
    let draw = |schedule| -> Vec<usize> {
        let instance = with_labels(&library("ring_size"), 3, 2);
        let mut chooser = AnyScheduler::new(&instance, schedule, 7);
        (0..12).map(|k| chooser.draw(odds[k % 4])).collect()
    };
    let drawn = draw(Schedule::Fifo);
    assert_eq!(drawn, [2, 1, 691_230_975, 1, 1, 0, 1_307_225_958, 1, 5, 0, 745_356_663, 1]);
    for schedule in [Schedule::Random, Schedule::RoundRobin, Schedule::Adversary] {
        assert_eq!(draw(schedule), drawn, "{schedule:?}");
    }
}

/// Coins have their probability, for small and large denominators: three standard errors of 30 000 draws.
#[test]
fn coins_have_their_probability() {
    for (numerator, denominator) in [(1u64, 2u64), (1, 3), (99, 100), (1 << 33, 3 << 33), (5, u64::MAX >> 1)]
    {
        let mut chooser = SendOrder::new(11);
        let heads = (0..30_000).filter(|_| chooser.draw(Odds::Coin { numerator, denominator }) == 1).count();
        let p = numerator as f64 / denominator as f64;
        let error = 3.0 * (p * (1.0 - p) / 30_000.0).sqrt();
        assert!((heads as f64 / 30_000.0 - p).abs() <= error, "{numerator}/{denominator}: {heads}");
    }
    let mut chooser = SendOrder::new(12);
    let mut faces = [0; 6];
    (0..30_000).for_each(|_| faces[chooser.draw(Odds::Uniform(6))] += 1);
    assert!(faces.iter().all(|count| (4_800..5_200).contains(count)), "{faces:?}");
}
