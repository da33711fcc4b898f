//! Mutual exclusion by a token that travels around a ring.

use crate::search::System;

/// The model: each process may become hungry, and enters its critical section when it receives the token.
pub struct TokenRing {
    n: usize,
}

impl TokenRing {
    pub fn new(n: usize) -> Self {
        TokenRing { n }
    }
}

/// A state has two bits for each process (0 idle, 1 hungry, 2 critical). From bit 56 on it has the next receiver of the token + 1, or
/// 0 while a process holds the token.
impl System<1> for TokenRing {
    fn init(&mut self) -> [u64; 1] {
        [1 << 56]
    }

    #[inline(always)]
    fn next<F: FnMut([u64; 1])>(&mut self, s: &[u64; 1], mut f: F) {
        let (s, n) = (s[0], self.n);
        for i in 0..n {
            match s >> (2 * i) & 3 {
                0 => f([s | 1 << (2 * i)]),
                2 => f([(s & !(3 << (2 * i))) | ((i as u64 + 1) % n as u64 + 1) << 56]),
                _ => {}
            }
        }
        let tok = s >> 56;
        if tok != 0 {
            let i = tok as usize - 1;
            let rest = s & ((1 << 56) - 1);
            if s >> (2 * i) & 3 == 1 {
                assert!(rest & 0xaaaa_aaaa_aaaa_aaaa == 0, "mutual exclusion");
                f([rest ^ 3 << (2 * i)])
            } else {
                f([rest | (tok % n as u64 + 1) << 56])
            }
        }
    }
}
