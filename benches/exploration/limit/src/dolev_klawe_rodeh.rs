//! Leader election on a unidirectional ring by Dolev, Klawe and Rodeh (1982).

use crate::bits::{BitReader, BitWriter};
use crate::search::System;
use std::collections::HashMap;

// The kinds of messages. A message has 7 bits: its kind in two, and an identifier.
const ONE: u8 = 0;
const TWO: u8 = 1;
const WIN: u8 = 2;

/// The variables of a process.
#[derive(Clone, Copy, PartialEq, Eq)]
struct DkrNode {
    /// The process is a candidate.
    cand: bool,
    /// The winner is known to it.
    known: bool,
    max: u8,
    /// The identifier received from the left in this phase, or 0.
    left: u8,
}

impl DkrNode {
    /// Receive the message (`kind`, `v`), and return the message sent, if any. Panics unless the announced winner has the greatest
    /// identifier `n`.
    #[inline(always)]
    fn recv(&mut self, kind: u8, v: u8, n: u8) -> Option<(u8, u8)> {
        match kind {
            ONE => {
                if !self.cand {
                    Some((ONE, v))
                } else if v != self.max {
                    self.left = v;
                    Some((TWO, v))
                } else {
                    assert!(v == n, "winner is not the greatest id");
                    self.known = true;
                    Some((WIN, v))
                }
            }
            TWO => {
                if !self.cand {
                    Some((TWO, v))
                } else if self.left > v && self.left > self.max {
                    self.max = self.left;
                    self.left = 0;
                    Some((ONE, self.max))
                } else {
                    self.cand = false;
                    self.left = 0;
                    None
                }
            }
            _ => {
                assert!(v == n);
                if self.known {
                    None
                } else {
                    self.known = true;
                    self.cand = false;
                    Some((WIN, v))
                }
            }
        }
    }
}

/// The greatest number of processes.
const MAXN: usize = 16;

/// An unpacked state.
#[derive(Clone, Copy)]
struct DkrFlat {
    node: [DkrNode; MAXN],
    /// The messages to each process, the first one in the lowest bits.
    q: [u128; MAXN],
    len: [u8; MAXN],
}

/// The model with states that are packed into bits, for processes with the identifiers `ids` in the order of the ring.
pub struct DkrPacked {
    ids: Vec<u8>,
}

impl DkrPacked {
    pub fn new(ids: Vec<u8>) -> Self {
        DkrPacked { ids }
    }

    #[inline(always)]
    fn pack<const W: usize>(&self, s: &DkrFlat) -> [u64; W] {
        let mut w = [0u64; W];
        let mut p = BitWriter::new(&mut w);
        for i in 0..self.ids.len() {
            let x = &s.node[i];
            p.put(x.cand as u64 | (x.known as u64) << 1 | (x.max as u64) << 2 | (x.left as u64) << 7, 12);
            let l = s.len[i] as usize;
            // The length, in unary.
            p.put((1u64 << l) - 1, l + 1);
            let mut b = l * 7;
            let mut q = s.q[i];
            while b > 0 {
                let k = b.min(56);
                p.put(q as u64 & ((1 << k) - 1), k);
                q >>= k;
                b -= k;
            }
        }
        w
    }

    #[inline(always)]
    fn unpack<const W: usize>(&self, w: &[u64; W]) -> DkrFlat {
        let z = DkrNode { cand: false, known: false, max: 0, left: 0 };
        let mut s = DkrFlat { node: [z; MAXN], q: [0; MAXN], len: [0; MAXN] };
        let mut g = BitReader::new(w);
        for i in 0..self.ids.len() {
            let x = g.get(12);
            s.node[i] = DkrNode {
                cand: x & 1 != 0,
                known: x & 2 != 0,
                max: (x >> 2 & 31) as u8,
                left: (x >> 7) as u8,
            };
            let mut l = 0usize;
            while g.get(1) == 1 {
                l += 1
            }
            s.len[i] = l as u8;
            let (mut b, mut o) = (l * 7, 0);
            while b > 0 {
                let k = b.min(56);
                s.q[i] |= (g.get(k) as u128) << o;
                o += k;
                b -= k;
            }
        }
        s
    }
}

impl<const W: usize> System<W> for DkrPacked {
    fn init(&mut self) -> [u64; W] {
        let n = self.ids.len();
        let z = DkrNode { cand: false, known: false, max: 0, left: 0 };
        let mut s = DkrFlat { node: [z; MAXN], q: [0; MAXN], len: [0; MAXN] };
        for i in 0..n {
            s.node[i] = DkrNode { cand: true, known: false, max: self.ids[i], left: 0 };
            s.q[i] = (self.ids[(i + n - 1) % n] as u128) << 2;
            s.len[i] = 1;
        }
        self.pack(&s)
    }

    #[inline(always)]
    fn next<F: FnMut([u64; W])>(&mut self, s: &[u64; W], mut f: F) {
        let n = self.ids.len();
        let flat = self.unpack(s);
        for i in 0..n {
            if flat.len[i] == 0 {
                continue;
            }
            let mut t = flat;
            let m = (t.q[i] & 127) as u8;
            t.q[i] >>= 7;
            t.len[i] -= 1;
            if let Some((k, v)) = t.node[i].recv(m & 3, m >> 2, n as u8) {
                let j = if i + 1 == n { 0 } else { i + 1 };
                t.q[j] |= ((k | v << 2) as u128) << (7 * t.len[j] as usize);
                t.len[j] += 1;
            }
            f(self.pack(&t));
        }
    }
}

/// The model with interned local states. A word is the number of a local state: the variables of a process and the contents of its
/// input channel. A state has a word of 16 bits for each process. A delivery looks up two tables, which are filled on first use.
pub struct DkrMemo {
    ids: Vec<u8>,
    words: Vec<(DkrNode, Vec<u8>)>,
    index: HashMap<(u32, Vec<u8>), u16>,
    /// For each word: the next word, the message sent << 16, and `DONE`. 0 if unknown, `EMPTY` if no message is in transit.
    recv: Vec<u32>,
    /// For each word and message: the next word + 1. 0 if unknown.
    append: Vec<u16>,
}

// Values and fields of `recv`.
const EMPTY: u32 = u32::MAX;
const DONE: u32 = 1 << 31;
const NOMSG: u32 = 127;

impl DkrMemo {
    pub fn new(ids: Vec<u8>) -> Self {
        DkrMemo { ids, words: vec![], index: Default::default(), recv: vec![], append: vec![] }
    }

    fn intern(&mut self, x: DkrNode, q: Vec<u8>) -> u16 {
        let key = x.cand as u32 | (x.known as u32) << 1 | (x.max as u32) << 8 | (x.left as u32) << 16;
        if let Some(&i) = self.index.get(&(key, q.clone())) {
            return i;
        }
        let i = u16::try_from(self.words.len()).expect("more than 65536 node words");
        self.index.insert((key, q.clone()), i);
        self.words.push((x, q));
        self.recv.push(0);
        self.append.resize(self.append.len() + 128, 0);
        i
    }

    #[cold]
    fn learn_recv(&mut self, w: u16) -> u32 {
        let (mut x, mut q) = self.words[w as usize].clone();
        let r = if q.is_empty() {
            EMPTY
        } else {
            let m = q.remove(0);
            let out = x.recv(m & 3, m >> 2, self.ids.len() as u8);
            let nw = self.intern(x, q);
            nw as u32 | out.map_or(NOMSG, |(k, v)| (k | v << 2) as u32) << 16 | DONE
        };
        self.recv[w as usize] = r;
        r
    }

    #[cold]
    fn learn_append(&mut self, w: u16, m: u32) -> u16 {
        let (x, mut q) = self.words[w as usize].clone();
        q.push(m as u8);
        let nw = self.intern(x, q);
        self.append[w as usize * 128 + m as usize] = nw + 1;
        nw + 1
    }
}

impl<const W: usize> System<W> for DkrMemo {
    fn init(&mut self) -> [u64; W] {
        let n = self.ids.len();
        let mut s = [0u64; W];
        for i in 0..n {
            let x = DkrNode { cand: true, known: false, max: self.ids[i], left: 0 };
            let w = self.intern(x, vec![self.ids[(i + n - 1) % n] << 2]);
            s[i >> 2] |= (w as u64) << (16 * (i & 3));
        }
        s
    }

    #[inline(always)]
    fn next<F: FnMut([u64; W])>(&mut self, s: &[u64; W], mut f: F) {
        let n = self.ids.len();
        for i in 0..n {
            let w = (s[i >> 2] >> (16 * (i & 3))) as u16;
            let mut r = self.recv[w as usize];
            if r == 0 {
                r = self.learn_recv(w);
            }
            if r == EMPTY {
                continue;
            }
            let mut t = *s;
            t[i >> 2] ^= ((w ^ r as u16) as u64) << (16 * (i & 3));
            let m = r >> 16 & 127;
            if m != NOMSG {
                let j = if i + 1 == n { 0 } else { i + 1 };
                let v = (t[j >> 2] >> (16 * (j & 3))) as u16;
                let mut a = self.append[v as usize * 128 + m as usize];
                if a == 0 {
                    a = self.learn_append(v, m);
                }
                t[j >> 2] ^= ((v ^ (a - 1)) as u64) << (16 * (j & 3));
            }
            f(t);
        }
    }
}
