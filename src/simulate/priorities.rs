//! A scheduler with priorities: tokens of the highest priority are served first, as long as there are any.

use super::random::Draws;
use super::{Scheduler, Token};
use crate::ids::ProcessId;
use crate::semantics::Chooser;
use crate::semantics::choice::Odds;
use std::collections::BinaryHeap;

/// Chooses by priorities of channels and of processes with internal steps, hashes of the seed. A channel of low priority waits as
/// long as possible: this finds runs where one part of the network is far ahead of another, which uniform random choice almost
/// never does. (After Burckhardt, Kothari, Musuvathi and Nagarakatte, «A randomized scheduler with probabilistic guarantees of
/// finding bugs», ASPLOS 2010, without their priority change points.)
#[derive(Clone, Debug, Default)]
pub struct Priorities {
    seed: u64,
    /// Priorities with their tokens; duplicates occur if one token was pushed twice.
    waiting: BinaryHeap<(u64, Token)>,
    choices: u64,
    draws: Draws,
}

impl Priorities {
    pub fn new(seed: u64) -> Priorities {
        Priorities { seed, draws: Draws::new(seed), ..Priorities::default() }
    }

    /// See [`super::AnyScheduler::is_in_state_of`].
    pub(super) fn is_in_state_of(&self, earlier: &Priorities) -> bool {
        let sorted = |heap: &BinaryHeap<(u64, Token)>| heap.clone().into_sorted_vec();
        self.choices == earlier.choices
            && self.draws.drawn == earlier.draws.drawn
            && self.waiting.len() == earlier.waiting.len()
            && self.waiting.peek() == earlier.waiting.peek()
            && sorted(&self.waiting) == sorted(&earlier.waiting)
    }

    fn of(&self, token: Token) -> (u64, Token) {
        (mixed(self.seed ^ mixed(u64::from(token))), token)
    }
}

/// The finalizer of SplitMix64 (Steele, Lea and Flood, 2014), which decorrelates consecutive numbers.
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Chooser for Priorities {
    fn choose(&mut self, options: usize) -> usize {
        self.choices += 1;
        (mixed(self.seed ^ self.choices) % options as u64) as usize
    }

    fn draw(&mut self, odds: Odds) -> usize {
        self.draws.draw(odds)
    }
}

impl Scheduler for Priorities {
    const PER_MESSAGE: bool = false;

    fn push(&mut self, token: Token, _: ProcessId) {
        self.waiting.push(self.of(token));
    }

    fn release(&mut self, tokens: &mut Vec<Token>, _: ProcessId) {
        for token in tokens.drain(..) {
            self.waiting.push(self.of(token));
        }
    }

    fn pop(&mut self) -> Option<Token> {
        self.waiting.pop().map(|(_, token)| token)
    }
}
