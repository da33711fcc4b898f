//! Mutual exclusion by Ricart and Agrawala (1981), for up to four processes that enter a given number of times.

use crate::bits::{BitReader, BitWriter};
use crate::search::System;
use std::collections::HashMap;

const IDLE: u8 = 0;
const WANT: u8 = 1;
const CRIT: u8 = 2;

/// The variables of a process.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct RaNode {
    /// The logical clock: the greatest timestamp seen.
    clk: u8,
    /// The timestamp of its own request, or 0.
    ts: u8,
    /// The number of entries left.
    left: u8,
    /// The number of missing replies.
    need: u8,
    /// The processes whose requests are deferred, one bit each.
    def: u8,
    /// `IDLE`, `WANT` or `CRIT`.
    st: u8,
}

/// An unpacked state.
#[derive(Clone, Copy, Default)]
struct RaFlat {
    node: [RaNode; 4],
    /// Channel 4 * from + to. A message has 6 bits: the timestamp of a request, or 0 for a reply.
    q: [u32; 16],
    len: [u8; 16],
}

impl RaFlat {
    #[inline(always)]
    fn send(&mut self, a: usize, b: usize, m: u8) {
        let c = a * 4 + b;
        self.q[c] |= (m as u32) << (6 * self.len[c]);
        self.len[c] += 1;
        debug_assert!(self.len[c] <= 3);
    }
}

/// The model with states that are packed into bits.
pub struct RaPacked {
    n: usize,
    rounds: u8,
}

impl RaPacked {
    pub fn new(n: usize, rounds: u8) -> Self {
        RaPacked { n, rounds }
    }

    #[inline(always)]
    fn pack<const W: usize>(&self, s: &RaFlat) -> [u64; W] {
        let mut w = [0u64; W];
        let mut p = BitWriter::new(&mut w);
        for i in 0..self.n {
            let x = &s.node[i];
            p.put(
                x.clk as u64
                    | (x.ts as u64) << 5
                    | (x.left as u64) << 10
                    | (x.need as u64) << 13
                    | (x.def as u64) << 15
                    | (x.st as u64) << 19,
                21,
            );
            for j in 0..self.n {
                if j != i {
                    p.put(s.len[i * 4 + j] as u64 | (s.q[i * 4 + j] as u64) << 2, 20);
                }
            }
        }
        w
    }

    #[inline(always)]
    fn unpack<const W: usize>(&self, w: &[u64; W]) -> RaFlat {
        let mut s = RaFlat::default();
        let mut g = BitReader::new(w);
        for i in 0..self.n {
            let x = g.get(21);
            s.node[i] = RaNode {
                clk: (x & 31) as u8,
                ts: (x >> 5 & 31) as u8,
                left: (x >> 10 & 7) as u8,
                need: (x >> 13 & 3) as u8,
                def: (x >> 15 & 15) as u8,
                st: (x >> 19) as u8,
            };
            for j in 0..self.n {
                if j != i {
                    let c = g.get(20);
                    s.len[i * 4 + j] = (c & 3) as u8;
                    s.q[i * 4 + j] = (c >> 2) as u32;
                }
            }
        }
        s
    }
}

impl<const W: usize> System<W> for RaPacked {
    fn init(&mut self) -> [u64; W] {
        let mut s = RaFlat::default();
        for i in 0..self.n {
            s.node[i].left = self.rounds;
        }
        self.pack(&s)
    }

    #[inline(always)]
    fn next<F: FnMut([u64; W])>(&mut self, w: &[u64; W], mut f: F) {
        let s = self.unpack(w);
        let n = self.n;
        for i in 0..n {
            let x = s.node[i];
            if x.st == IDLE && x.left > 0 {
                let mut t = s;
                let y = &mut t.node[i];
                y.st = WANT;
                y.clk += 1;
                y.ts = y.clk;
                y.need = n as u8 - 1;
                let ts = y.ts;
                for j in 0..n {
                    if j != i {
                        t.send(i, j, ts)
                    }
                }
                f(self.pack(&t));
            }
            if x.st == CRIT {
                let mut t = s;
                let y = &mut t.node[i];
                y.st = IDLE;
                y.left -= 1;
                y.ts = 0;
                let d = y.def;
                y.def = 0;
                for j in 0..n {
                    if d >> j & 1 == 1 {
                        t.send(i, j, 0)
                    }
                }
                f(self.pack(&t));
            }
            for j in 0..n {
                let c = j * 4 + i;
                if j == i || s.len[c] == 0 {
                    continue;
                }
                let mut t = s;
                let m = (t.q[c] & 63) as u8;
                t.q[c] >>= 6;
                t.len[c] -= 1;
                let y = &mut t.node[i];
                if m != 0 {
                    y.clk = y.clk.max(m);
                    if y.st == CRIT || (y.st == WANT && (y.ts, i) < (m, j)) {
                        y.def |= 1 << j
                    } else {
                        t.send(i, j, 0)
                    }
                } else {
                    y.need -= 1;
                    if y.need == 0 {
                        y.st = CRIT;
                        for k in 0..n {
                            assert!(k == i || s.node[k].st != CRIT, "mutual exclusion");
                        }
                    }
                }
                f(self.pack(&t));
            }
        }
    }
}

/// The model with interned local states: a word is the number of the variables of a process, or of the contents of a channel. The
/// actions of process i are 0 to request, 1 to exit, and 2 + j to receive the first message from process j.
pub struct RaMemo {
    n: usize,
    rounds: u8,
    nodes: Vec<RaNode>,
    node_ix: HashMap<RaNode, u16>,
    chans: Vec<Vec<u8>>,
    chan_ix: HashMap<Vec<u8>, u8>,
    /// For each word of a process, process, action and message received: the next word + 1, and the messages sent << 20. 0 if unknown.
    step: Vec<u64>,
    /// For each word of a channel and message: the next word + 1. 0 if unknown.
    push: Vec<u8>,
    /// For each word of a channel: the word without its first message + 1, and that message.
    pop: Vec<(u8, u8)>,
}

impl RaMemo {
    pub fn new(n: usize, rounds: u8) -> Self {
        RaMemo {
            n,
            rounds,
            nodes: vec![],
            node_ix: HashMap::new(),
            chans: vec![],
            chan_ix: HashMap::new(),
            step: vec![],
            push: vec![],
            pop: vec![],
        }
    }

    fn node(&mut self, x: RaNode) -> u16 {
        if let Some(&i) = self.node_ix.get(&x) {
            return i;
        }
        let i = u16::try_from(self.nodes.len()).unwrap();
        self.node_ix.insert(x, i);
        self.nodes.push(x);
        self.step.resize(self.step.len() + 4 * (2 + 4 * 32), 0);
        i
    }

    fn chan(&mut self, q: Vec<u8>) -> u8 {
        if let Some(&i) = self.chan_ix.get(&q) {
            return i;
        }
        let i = u8::try_from(self.chans.len()).unwrap();
        assert!(i < 255);
        self.chan_ix.insert(q.clone(), i);
        self.chans.push(q.clone());
        self.push.resize(self.push.len() + 32, 0);
        self.pop.push((0, 0));
        if !q.is_empty() {
            let rest = self.chan(q[1..].to_vec());
            self.pop[i as usize] = (rest + 1, q[0]);
        }
        i
    }

    /// Compute an entry of `step`. It has 6 bits for each receiver j, from bit 20 + 6 * j: 0, or the message + 1.
    #[cold]
    fn learn(&mut self, i: usize, w: u16, act: usize, m: u8) -> u64 {
        let mut x = self.nodes[w as usize];
        let n = self.n;
        let mut sends = 0u64;
        let send = |sends: &mut u64, j: usize, m: u8| *sends |= (1 + m as u64) << (20 + 6 * j);
        match act {
            0 => {
                x.st = WANT;
                x.clk += 1;
                x.ts = x.clk;
                x.need = n as u8 - 1;
                for j in 0..n {
                    if j != i {
                        send(&mut sends, j, x.ts)
                    }
                }
            }
            1 => {
                x.st = IDLE;
                x.left -= 1;
                x.ts = 0;
                for j in 0..n {
                    if x.def >> j & 1 == 1 {
                        send(&mut sends, j, 0)
                    }
                }
                x.def = 0;
            }
            _ => {
                let j = act - 2;
                if m != 0 {
                    x.clk = x.clk.max(m);
                    if x.st == CRIT || (x.st == WANT && (x.ts, i) < (m, j)) {
                        x.def |= 1 << j
                    } else {
                        send(&mut sends, j, 0)
                    }
                } else {
                    x.need -= 1;
                    if x.need == 0 {
                        x.st = CRIT
                    }
                }
            }
        }
        (self.node(x) as u64 + 1) | sends
    }

    #[inline(always)]
    fn slot(&self, i: usize, w: u16, act: usize, m: u8) -> usize {
        (w as usize * 4 + i) * (2 + 4 * 32) + if act < 2 { act } else { 2 + (act - 2) * 32 + m as usize }
    }
}

/// A state has the words of all processes, 16 bits each, and then those of all channels, a byte each.
impl<const W: usize> System<W> for RaMemo {
    fn init(&mut self) -> [u64; W] {
        let w = self.node(RaNode { left: self.rounds, ..Default::default() });
        let e = self.chan(vec![]);
        assert!(w == 0 && e == 0);
        [0; W]
    }

    #[inline(always)]
    fn next<F: FnMut([u64; W])>(&mut self, s: &[u64; W], mut f: F) {
        let n = self.n;
        for i in 0..n {
            let w = (s[0] >> (16 * i)) as u16;
            let st = self.nodes[w as usize];
            for act in 0..2 + n {
                let mut t = *s;
                let mut m = 0u8;
                match act {
                    0 => {
                        if st.st != IDLE || st.left == 0 {
                            continue;
                        }
                    }
                    1 => {
                        if st.st != CRIT {
                            continue;
                        }
                    }
                    _ => {
                        let c = (act - 2) * 4 + i;
                        let cw = (s[1 + (c >> 3)] >> (8 * (c & 7))) as u8;
                        if cw == 0 {
                            continue;
                        }
                        let (rest, head) = self.pop[cw as usize];
                        m = head;
                        t[1 + (c >> 3)] ^= ((cw ^ (rest - 1)) as u64) << (8 * (c & 7));
                    }
                }
                let slot = self.slot(i, w, act, m);
                let mut e = self.step[slot];
                if e == 0 {
                    e = self.learn(i, w, act, m);
                    self.step[slot] = e;
                }
                let nw = (e as u32 & 0xfffff) as u16 - 1;
                t[0] ^= ((w ^ nw) as u64) << (16 * i);
                let mut sends = e >> 20;
                let mut j = 0;
                while sends != 0 {
                    let x = (sends & 63) as u8;
                    if x != 0 {
                        let c = i * 4 + j;
                        let cw = (t[1 + (c >> 3)] >> (8 * (c & 7))) as u8;
                        let mut a = self.push[cw as usize * 32 + x as usize - 1];
                        if a == 0 {
                            let mut q = self.chans[cw as usize].clone();
                            q.push(x - 1);
                            a = self.chan(q) + 1;
                            self.push[cw as usize * 32 + x as usize - 1] = a;
                        }
                        t[1 + (c >> 3)] ^= ((cw ^ (a - 1)) as u64) << (8 * (c & 7));
                    }
                    sends >>= 6;
                    j += 1;
                }
                if self.nodes[nw as usize].st == CRIT && st.st != CRIT {
                    for k in 0..n {
                        assert!(
                            k == i || self.nodes[(s[0] >> (16 * k)) as u16 as usize].st != CRIT,
                            "mutual exclusion"
                        );
                    }
                }
                f(t);
            }
        }
    }
}
