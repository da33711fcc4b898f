//! Runs determined by random choices only, as Markov chains: expected costs, exact up to rounding.
//!
//! If all processes step together, one event is enabled at a time, and the only choices are draws with known probabilities. So
//! the reachable configurations and their transitions form a finite Markov chain.

use rustc_hash::FxHashMap;
use synod::internals::instance::Instance;
use synod::internals::semantics::choice::Odds;
use synod::internals::semantics::{Chooser, Configuration, Machine, Metrics, initial};

/// All draws of one event in turn, in odometer order, with the probability of each combination.
#[derive(Default)]
struct Draws {
    /// The chosen outcome, and its odds.
    drawn: Vec<(usize, Odds)>,
    next: usize,
}

impl Chooser for Draws {
    fn choose(&mut self, _: usize) -> usize {
        panic!("a choice that is not one of chance")
    }

    fn draw(&mut self, odds: Odds) -> usize {
        if self.next == self.drawn.len() {
            self.drawn.push((0, odds));
        }
        self.next += 1;
        self.drawn[self.next - 1].0
    }
}

impl Draws {
    fn probability(&self) -> f64 {
        let one = |(outcome, odds): &(usize, Odds)| match *odds {
            Odds::Uniform(outcomes) => 1.0 / f64::from(outcomes),
            Odds::Coin { numerator, denominator } => {
                let favours = if *outcome == 1 { numerator } else { denominator - numerator };
                favours as f64 / denominator as f64
            }
        };
        self.drawn.iter().map(one).product()
    }

    /// Advance to the next combination; return false after the last.
    fn advance(&mut self) -> bool {
        self.next = 0;
        while let Some((outcome, odds)) = self.drawn.pop() {
            if outcome + 1 < odds.outcomes() {
                self.drawn.push((outcome + 1, odds));
                return true;
            }
        }
        false
    }
}

/// The cost of a run, or its expectation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    pub messages: f64,
    pub rounds: f64,
}

struct Move {
    probability: f64,
    to: usize,
    cost: Cost,
}

pub struct Chain {
    pub configurations: Vec<Configuration>,
    /// Absorbing configurations have no successors.
    moves: Vec<Vec<Move>>,
}

impl Chain {
    /// Build the chain from the initial configuration to ends, or to configurations where `enough` is true.
    pub fn new(instance: &Instance, enough: impl Fn(&Configuration) -> bool) -> Chain {
        let mut machine = Machine::new(instance);
        let (kinds, operations) = (instance.program.kinds.len(), instance.program.operations.len());
        let mut numbers: FxHashMap<Configuration, usize> = FxHashMap::default();
        let mut chain = Chain { configurations: vec![initial(instance)], moves: Vec::new() };
        numbers.insert(initial(instance), 0);
        while chain.moves.len() < chain.configurations.len() {
            let from = chain.configurations[chain.moves.len()].clone();
            let mut moves = Vec::new();
            let judged = from.next_to_start().is_none() && !from.in_joint_step();
            let is_end = judged && enough(&from);
            let events = if is_end { Vec::new() } else { machine.enabled(instance, &from) };
            assert!(events.len() <= 1, "only chance may decide: {events:?}");
            for event in events {
                let mut draws = Draws::default();
                loop {
                    let mut after = from.clone();
                    machine.metrics = Metrics::new(kinds, operations);
                    let done = machine.perform(instance, &mut after, &event, &mut draws);
                    assert!(done.expect("no abort"), "{event:?} was enabled");
                    let rounds = |c: &Configuration| c.rounds().expect("a model of rounds");
                    let cost = Cost {
                        messages: machine.metrics.messages() as f64,
                        rounds: (rounds(&after) - rounds(&from)) as f64,
                    };
                    let fresh = chain.configurations.len();
                    let to = *numbers.entry(after.clone()).or_insert(fresh);
                    if to == fresh {
                        chain.configurations.push(after);
                    }
                    moves.push(Move { probability: draws.probability(), to, cost });
                    if !draws.advance() {
                        break;
                    }
                }
            }
            chain.moves.push(moves);
        }
        chain
    }

    /// Return the expected cost from each configuration: the solution of E(c) = Σ p (cost + E(c')), by iteration.
    pub fn expected(&self) -> Vec<Cost> {
        let mut expected = vec![Cost::default(); self.moves.len()];
        for _ in 0..100_000 {
            let mut change = 0.0f64;
            // Backwards: configurations found last are nearest to an end.
            for from in (0..self.moves.len()).rev() {
                let mut sum = Cost::default();
                for Move { probability, to, cost } in &self.moves[from] {
                    sum.messages += probability * (cost.messages + expected[*to].messages);
                    sum.rounds += probability * (cost.rounds + expected[*to].rounds);
                }
                change = change.max((sum.messages - expected[from].messages).abs());
                change = change.max((sum.rounds - expected[from].rounds).abs());
                expected[from] = sum;
            }
            if change < 1e-13 {
                return expected;
            }
        }
        panic!("the expectation does not converge")
    }

    /// Return the configurations to which a configuration between rounds may lead in one round.
    pub fn after_a_round(&self, from: usize) -> Vec<usize> {
        let mut open: Vec<usize> = self.moves[from].iter().map(|m| m.to).collect();
        let mut found = Vec::new();
        while let Some(c) = open.pop() {
            match self.configurations[c].in_joint_step() {
                true => open.extend(self.moves[c].iter().map(|m| m.to)),
                false => found.push(c),
            }
        }
        found
    }
}

/// Return the expected cost of a whole run.
pub fn expected(instance: &Instance) -> Cost {
    Chain::new(instance, |_| false).expected()[0]
}

#[track_caller]
pub fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9 * expected.max(1.0), "{found} instead of {expected}");
}
