//! The practical limit: tight hand-written simulators, one event loop for each scheduler, the protocol dispatched
//! statically. Each sends the same messages, or makes the same moves, as the algorithm of the library.

#![allow(clippy::all, dead_code, reason = "the limit of speed, not an example of style")]

mod queues;

pub mod daemon;
pub mod graph;
pub mod radio;
pub mod ring;
pub mod rounds;
pub mod yo_yo;

/// Random numbers (wyrand).
pub struct Rng(pub u64);
impl Rng {
    #[inline(always)]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let t = (self.0 as u128).wrapping_mul((self.0 ^ 0xe703_7ed1_a0b4_28db) as u128);
        ((t >> 64) ^ t) as u64
    }
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        (((self.next() >> 32) * n as u64) >> 32) as u32
    }
}

/// Identifiers 1..=n in random order.
pub fn ids(n: u32, seed: u64) -> Vec<u32> {
    let mut rng = Rng(seed);
    let mut ids: Vec<u32> = (1..=n).collect();
    for i in (1..n).rev() {
        ids.swap(i as usize, rng.below(i + 1) as usize);
    }
    ids
}
