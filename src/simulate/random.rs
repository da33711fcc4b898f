//! The random scheduler, and random numbers that never change.

use super::{Scheduler, Token};
use crate::semantics::Chooser;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// Keeps the random numbers of runs apart from those that networks are made with, for the same seed.
const PURPOSE: u8 = 100;

/// A stream of random numbers. Key and bounded numbers are our own, so that no version of a package can change runs.
#[derive(Clone, Debug)]
pub(super) struct Dice(ChaCha8Rng);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8] = PURPOSE;
        Dice(ChaCha8Rng::from_seed(key))
    }

    /// A number below `bound`, which is at least 1, each equally likely: Lemire's multiplication, which divides
    /// only when it must draw again.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        loop {
            let product = u64::from(self.0.next_u32()) * u64::from(bound);
            let low = product as u32;
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (product >> 32) as u32;
            }
        }
    }
}

/// Any of the candidates, each equally likely.
#[derive(Clone, Debug)]
pub struct Random {
    candidates: Vec<Token>,
    dice: Dice,
}

impl Random {
    pub fn new(seed: u64) -> Random {
        Random { candidates: Vec::new(), dice: Dice::new(seed) }
    }
}

impl Chooser for Random {
    fn choose(&mut self, options: usize) -> usize {
        self.dice.below(options as u32) as usize
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

    fn first_position(&mut self, messages: usize) -> usize {
        self.dice.below(messages as u32) as usize
    }
}
