//! Stable random numbers: the same seed gives the same network on every machine and in every version.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// The purpose of the numbers. Each purpose has its own stream, so that drawing random ids does not change the random graph of
/// the same seed.
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    Graph = 1,
    Ports = 2,
    Weights = 3,
    Ids = 4,
}

/// A stream of random numbers. The key layout and the bounded draw are our own, because the convenience functions of the rand
/// family may change between versions; ChaCha does not.
pub(super) struct NetworkRng(ChaCha8Rng);

impl NetworkRng {
    pub(super) fn new(seed: u64, purpose: Purpose) -> NetworkRng {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8] = purpose as u8;
        NetworkRng(ChaCha8Rng::from_seed(key))
    }

    /// Draw a number in `0..bound` uniformly; `bound` is at least 1.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        // Values from the incomplete last interval would favour small results: draw again.
        let whole = u64::MAX - u64::MAX % bound;
        loop {
            let drawn = self.0.next_u64();
            if drawn < whole {
                return drawn % bound;
            }
        }
    }

    /// Shuffle by Fisher and Yates: every order is equally likely.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let chosen = self.below(last as u64 + 1) as usize;
            items.swap(last, chosen);
        }
    }
}
