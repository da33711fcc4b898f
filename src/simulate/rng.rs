//! Pseudo-random numbers that are the same on every platform and in every version.

use crate::semantics::machine::{Forecast, RandomSource};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// Separates the random numbers of runs from those of network construction, for the same seed.
const PURPOSE: u8 = 100;

/// Separates the draws of programs from the choices of schedulers.
pub(super) const DRAWS: u8 = 101;

/// Separates the choices of searches among runs.
const SEARCH: u8 = 102;

/// Separates the choices of random exploration orders.
const EXPLORATION: u8 = 103;

/// Number of words taken from the stream together: the size of its blocks.
const COMING: usize = 64;

/// Number of words in one forecast.
const FORETOLD: usize = 16;

/// Return the numbers that the first of these words yield.
#[inline(always)]
fn foretold(words: &[u32], bound: u32) -> impl Iterator<Item = u32> + Clone {
    let numbers = words.iter().take(FORETOLD);
    numbers.map(move |word| ((u64::from(*word) * u64::from(bound)) >> 32) as u32)
}

/// A stream of random numbers. Key derivation and bounded numbers are implemented here, so that no version of a package can
/// change runs.
#[derive(Clone, Debug)]
pub struct RunRng {
    /// The next words of the stream: those from `at` on.
    coming: [u32; COMING],
    at: usize,
    stream: ChaCha8Rng,
}

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

    pub(super) fn for_purpose(seed: u64, purpose: u8) -> RunRng {
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
    pub(super) fn below_wide(&mut self, bound: u64) -> u64 {
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

impl RandomSource for RunRng {
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
