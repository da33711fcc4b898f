//! The breadth-first search, and its set of visited states.

use std::time::Instant;

#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let t = (a as u128).wrapping_mul(b as u128);
    (t >> 64) as u64 ^ t as u64
}

#[inline(always)]
fn hash<const W: usize>(s: &[u64; W]) -> u64 {
    let mut h = 0x9e37_79b9_7f4a_7c15u64;
    for &w in s {
        h = fold(h ^ w, 0xd6e8_feb8_6659_fd93);
    }
    h
}

/// The visited set: an arena of packed states, which is also the queue of the search, and a hash table with open addressing.
struct VisitedSet<const W: usize> {
    arena: Vec<[u64; W]>,
    /// Entries: 32 bits of the hash, and the number of a state plus 1; 0 if free.
    table: Vec<u64>,
    mask: usize,
}

impl<const W: usize> VisitedSet<W> {
    fn new() -> Self {
        let n = 1 << 16;
        VisitedSet { arena: Vec::new(), table: vec![0; n], mask: n - 1 }
    }

    /// Fetch the entry of a hash into the cache.
    #[inline(always)]
    fn prefetch(&self, h: u64) {
        #[cfg(target_arch = "x86_64")]
        unsafe {
            use std::arch::x86_64::*;
            let p = self.table.as_ptr().add(h as usize & self.mask);
            _mm_prefetch(p as *const i8, _MM_HINT_T0);
        }
        let _ = h;
    }

    /// Insert a state with its hash, unless it is in the set.
    #[inline(always)]
    fn insert(&mut self, s: &[u64; W], h: u64) {
        let tag = h >> 32;
        let mut p = h as usize & self.mask;
        loop {
            let e = self.table[p];
            if e == 0 {
                self.arena.push(*s);
                self.table[p] = tag << 32 | self.arena.len() as u64;
                if self.arena.len() * 3 > self.table.len() * 2 {
                    self.grow();
                }
                return;
            }
            if e >> 32 == tag && self.arena[(e as u32 - 1) as usize] == *s {
                return;
            }
            p = (p + 1) & self.mask;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let n = self.table.len() * 2;
        let mut t = vec![0u64; n];
        self.mask = n - 1;
        for (i, s) in self.arena.iter().enumerate() {
            let h = hash(s);
            let mut p = h as usize & self.mask;
            while t[p] != 0 {
                p = (p + 1) & self.mask;
            }
            t[p] = h >> 32 << 32 | (i as u64 + 1);
        }
        self.table = t;
    }
}

/// A model whose states are packed into `W` words.
pub trait System<const W: usize> {
    fn init(&mut self) -> [u64; W];

    /// Call `f` with every successor. Panics if the property of the model is violated.
    fn next<F: FnMut([u64; W])>(&mut self, s: &[u64; W], f: F);
}

/// Explore all states and print a line of figures. A few states are expanded at a time, so that entries of the hash table are fetched
/// while further successors are computed.
pub fn search<const W: usize, S: System<W>>(name: &str, sys: &mut S) {
    let t0 = Instant::now();
    let mut seen = VisitedSet::<W>::new();
    let s0 = sys.init();
    seen.insert(&s0, hash(&s0));
    let (mut trans, mut terminal, mut cursor, mut depth, mut layer_end) = (0u64, 0u64, 0usize, 0u64, 1usize);
    let mut batch: Vec<([u64; W], u64)> = Vec::with_capacity(4096);
    while cursor < seen.arena.len() {
        if cursor == layer_end {
            depth += 1;
            layer_end = seen.arena.len();
        }
        let stop = (cursor + 16).min(layer_end);
        batch.clear();
        while cursor < stop {
            let s = seen.arena[cursor];
            cursor += 1;
            let before = batch.len();
            sys.next(&s, |t| {
                let h = hash(&t);
                seen.prefetch(h);
                batch.push((t, h));
            });
            if batch.len() == before {
                terminal += 1;
            }
        }
        trans += batch.len() as u64;
        for (t, h) in &batch {
            seen.insert(t, *h);
        }
    }
    let t = t0.elapsed().as_secs_f64();
    let n = seen.arena.len();
    let bytes = (n * W * 8 + seen.table.len() * 8) as f64 / n as f64;
    println!(
        "{name} {n} {trans} {depth} {t:.4} {:.0} {:.0} {bytes:.1} {terminal}",
        n as f64 / t,
        trans as f64 / t
    );
}
