//! The random scheduler, and a stable stream of random numbers.

use super::fault_schedule::FaultSchedule;
use super::{Scheduler, Token};
use crate::ir::{Budget, Fault};
use crate::semantics::Chooser;
use crate::semantics::choice::Odds;
use crate::semantics::machine::{Forecast, Lot};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// Separates the random numbers of runs from those of network construction, for the same seed.
const PURPOSE: u8 = 100;
/// Separates the draws of programs from the choices of schedulers.
const DRAWS: u8 = 101;
/// Separates the choices of searches among runs.
const SEARCH: u8 = 102;
/// Separates the choices of random exploration orders.
const EXPLORATION: u8 = 103;

/// Maximum delay of a leisure step, as a multiple of the maximum message delay.
const LONGEST_PAUSE: u64 = 10;

/// A stream of random numbers. Key derivation and bounded numbers are implemented here, so that no version of a package can
/// change runs.
#[derive(Clone, Debug)]
pub struct RunRng {
    /// The next words of the stream: those from `at` on.
    coming: [u32; COMING],
    at: usize,
    stream: ChaCha8Rng,
}

/// Number of words taken from the stream together: the size of its blocks.
const COMING: usize = 64;

/// Number of words in one forecast.
const FORETOLD: usize = 16;

impl RunRng {
    pub(super) fn new(seed: u64) -> RunRng {
        RunRng::for_purpose(seed, PURPOSE)
    }

    /// Create the stream for searches among runs, which draw from the same seed.
    pub fn for_search(seed: u64) -> RunRng {
        RunRng::for_purpose(seed, SEARCH)
    }

    /// Create the stream for random exploration orders.
    pub fn for_exploration(seed: u64) -> RunRng {
        RunRng::for_purpose(seed, EXPLORATION)
    }

    fn for_purpose(seed: u64, purpose: u8) -> RunRng {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8] = purpose;
        RunRng { coming: [0; COMING], at: COMING, stream: ChaCha8Rng::from_seed(key) }
    }

    #[inline(always)]
    fn word(&mut self) -> u32 {
        match self.coming.get(self.at) {
            Some(word) => {
                self.at += 1;
                *word
            }
            None => self.draw(),
        }
    }

    /// Take the next words from the stream, and return the first.
    #[cold]
    fn draw(&mut self) -> u32 {
        let mut bytes = [0; 4 * COMING];
        self.stream.fill_bytes(&mut bytes);
        for (word, bytes) in self.coming.iter_mut().zip(bytes.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        self.at = 1;
        self.coming[0]
    }

    /// Return a number below `bound`, which is at least 1, uniformly distributed: Lemire's multiplication, which divides only if
    /// it must draw again.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        loop {
            let product = u64::from(self.word()) * u64::from(bound);
            let low = product as u32;
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (product >> 32) as u32;
            }
        }
    }

    /// The same as `below`, for bounds of 64 bits.
    fn below_wide(&mut self, bound: u64) -> u64 {
        if let Ok(bound) = u32::try_from(bound) {
            return u64::from(self.below(bound));
        }
        loop {
            let word = u64::from(self.word()) | u64::from(self.word()) << 32;
            let product = u128::from(word) * u128::from(bound);
            let low = product as u64;
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (product >> 64) as u64;
            }
        }
    }
}

impl Lot for RunRng {
    #[inline]
    fn below(&mut self, bound: u32) -> u32 {
        RunRng::below(self, bound)
    }

    /// The forecast is wrong only if a number is drawn again.
    #[inline(always)]
    fn forecast(&self, bound: u32) -> Forecast<impl Iterator<Item = u32> + Clone> {
        let known = if self.at % FORETOLD == 1 { &self.coming[self.at..] } else { &[] };
        let (soon, later) = known.split_at(known.len().min(FORETOLD));
        Forecast { soon: foretold(soon, bound), later: foretold(later, bound) }
    }
}

/// Return the numbers that the first of these words yield.
#[inline(always)]
fn foretold(words: &[u32], bound: u32) -> impl Iterator<Item = u32> + Clone {
    let numbers = words.iter().take(FORETOLD);
    numbers.map(move |word| ((u64::from(*word) * u64::from(bound)) >> 32) as u32)
}

/// Random draws of programs, under every schedule: determined by the seed, in exact integer arithmetic.
#[derive(Clone, Debug, Default)]
pub(super) struct Draws {
    seed: u64,
    /// Created on first use: the generator's buffer is large.
    dice: Option<Box<RunRng>>,
}

impl Draws {
    pub fn new(seed: u64) -> Draws {
        Draws { seed, dice: None }
    }

    pub fn draw(&mut self, odds: Odds) -> usize {
        let dice = self.dice.get_or_insert_with(|| Box::new(RunRng::for_purpose(self.seed, DRAWS)));
        match odds {
            Odds::Coin { numerator, denominator } => usize::from(dice.below_wide(denominator) < numerator),
            Odds::Even(outcomes) => dice.below(outcomes) as usize,
        }
    }
}

/// A candidate chosen uniformly at random.
#[derive(Clone, Debug)]
pub struct Random {
    candidates: Vec<Token>,
    dice: RunRng,
    draws: Draws,
    /// Present if faults may occur.
    plan: Option<Box<FaultSchedule>>,
}

impl Random {
    pub fn new(seed: u64) -> Random {
        Random { candidates: Vec::new(), dice: RunRng::new(seed), draws: Draws::new(seed), plan: None }
    }
}

impl Chooser for Random {
    fn choose(&mut self, options: usize) -> usize {
        self.dice.below(options as u32) as usize
    }

    fn draw(&mut self, odds: Odds) -> usize {
        self.draws.draw(odds)
    }

    fn crashes_here(&mut self, _: usize) -> bool {
        self.plan.as_mut().is_some_and(|plan| plan.crashes())
    }
}

impl Scheduler for Random {
    const PER_MESSAGE: bool = false;

    #[inline]
    fn push(&mut self, token: Token, _: u32) {
        self.candidates.push(token);
    }

    fn release(&mut self, tokens: &mut Vec<Token>, _: u32) {
        self.candidates.append(tokens);
    }

    #[inline]
    fn pop(&mut self) -> Option<Token> {
        if self.candidates.is_empty() {
            return None;
        }
        let chosen = self.dice.below(self.candidates.len() as u32);
        Some(self.candidates.swap_remove(chosen as usize))
    }

    fn at_random(&mut self) -> Option<(&mut Vec<Token>, &mut RunRng)> {
        Some((&mut self.candidates, &mut self.dice))
    }

    fn first_position(&mut self, messages: usize) -> usize {
        self.dice.below(messages as u32) as usize
    }

    fn delay(&mut self, least: u64, most: u64) -> u64 {
        let choices = u32::try_from(most - least).unwrap_or(u32::MAX - 1) + 1;
        least + u64::from(self.dice.below(choices))
    }

    /// Soon, or long after other steps.
    fn leisure(&mut self, delay: u64) -> u64 {
        self.delay(0, delay.saturating_mul(LONGEST_PAUSE))
    }

    fn plan(&mut self, budget: &Budget) {
        if !budget.is_empty() {
            self.plan = Some(Box::new(FaultSchedule::new(budget, &mut self.dice)));
        }
    }

    fn strikes(&mut self) -> Option<Fault> {
        self.plan.as_mut()?.strikes()
    }

    fn strikes_later(&mut self, fault: Fault) {
        if let Some(plan) = &mut self.plan {
            plan.again(fault);
        }
    }

    fn strikes_at_rest(&mut self) -> Option<Fault> {
        self.plan.as_mut()?.at_rest()
    }
}
