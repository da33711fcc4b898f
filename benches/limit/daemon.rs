//! Processes that read their neighbours, under the central daemon: one enabled process moves at a time.

use super::Rng;
use super::queues::{Bag, Pending, Queue};

/// Dijkstra's ring with n + 1 values; process 0 is the root.
pub struct KStateRing {
    pub x: Vec<u32>,
}
impl KStateRing {
    #[inline(always)]
    fn previous(&self, p: u32) -> u32 {
        if p == 0 { self.x.len() as u32 - 1 } else { p - 1 }
    }
    #[inline(always)]
    fn next(&self, p: u32) -> u32 {
        if p as usize + 1 == self.x.len() { 0 } else { p + 1 }
    }
    #[inline(always)]
    pub fn enabled(&self, p: u32) -> bool {
        (self.x[p as usize] == self.x[self.previous(p) as usize]) == (p == 0)
    }
    #[inline(always)]
    pub fn make_move(&mut self, p: u32) {
        let before = self.x[self.previous(p) as usize];
        let values = self.x.len() as u32 + 1;
        self.x[p as usize] = match p {
            0 if before + 1 == values => 0,
            0 => before + 1,
            _ => before,
        };
    }
    pub fn privileges(&self) -> usize {
        (0..self.x.len() as u32).filter(|p| self.enabled(*p)).count()
    }

    /// Make this many moves, of a random enabled process or of the one that was listed first. Return their number.
    pub fn run(&mut self, moves: u64, random_seed: Option<u64>) -> u64 {
        let n = self.x.len();
        match random_seed {
            None => self.by(Queue::new(n), moves),
            Some(seed) => self.by(Bag::new(n, seed), moves),
        }
    }

    fn by<Q: Pending<u32>>(&mut self, mut q: Q, moves: u64) -> u64 {
        let n = self.x.len() as u32;
        // A process that its predecessor has disabled since is dropped when it is popped.
        let mut listed: Vec<bool> = (0..n).map(|p| self.enabled(p)).collect();
        (0..n).filter(|p| listed[*p as usize]).for_each(|p| q.push(p));
        let mut made = 0;
        while made < moves {
            let Some(p) = q.pop() else { break };
            listed[p as usize] = false;
            if !self.enabled(p) {
                continue;
            }
            self.make_move(p);
            made += 1;
            for reader in [p, self.next(p)] {
                if !listed[reader as usize] && self.enabled(reader) {
                    listed[reader as usize] = true;
                    q.push(reader)
                }
            }
        }
        made
    }
}

/// Make this many moves from random values. Return their number.
pub fn k_state_ring(n: u32, moves: u64, random_seed: Option<u64>) -> u64 {
    let mut rng = Rng(random_seed.unwrap_or(1) ^ 0x5eed);
    let x = (0..n).map(|_| rng.below(n + 1)).collect();
    KStateRing { x }.run(moves, random_seed)
}
