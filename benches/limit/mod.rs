//! The practical limit: tight hand-written simulators, one event loop for each scheduler, the protocol dispatched
//! statically. Rings of n processes with random identifiers.

#![allow(clippy::all, dead_code, reason = "the limit of speed, not an example of style")]

// ---------------------------------------------------------------- random numbers (wyrand)
pub struct Rng(pub u64);
impl Rng {
    #[inline(always)]
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let t = (self.0 as u128).wrapping_mul((self.0 ^ 0xe703_7ed1_a0b4_28db) as u128);
        ((t >> 64) ^ t) as u64
    }
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        (((self.next() >> 32) * n as u64) >> 32) as u32
    }
}

// ---------------------------------------------------------------- protocols
/// A node of a ring. Channel 2*i+0 enters node i from its left, 2*i+1 from its right
/// (bidirectional), or channel i enters node i from its left (unidirectional).
pub trait Proto {
    const BIDI: bool;
    type Node: Clone;
    type Msg: Copy;
    fn make(id: u32) -> Self::Node;
    fn start<F: FnMut(bool, Self::Msg)>(n: &mut Self::Node, out: F);
    /// `right`: the message came in from the right neighbour. out(to_right, msg).
    fn recv<F: FnMut(bool, Self::Msg)>(n: &mut Self::Node, right: bool, m: Self::Msg, out: F);
    fn leader(n: &Self::Node) -> u32;
}

pub struct ChangRoberts;
#[derive(Clone)]
pub struct CrNode {
    id: u32,
    lead: u32,
}
const ELECTED: u32 = 1 << 31;
impl Proto for ChangRoberts {
    const BIDI: bool = false;
    type Node = CrNode;
    type Msg = u32;
    fn make(id: u32) -> CrNode {
        CrNode { id, lead: 0 }
    }
    #[inline(always)]
    fn start<F: FnMut(bool, u32)>(n: &mut CrNode, mut out: F) {
        out(true, n.id)
    }
    #[inline(always)]
    fn recv<F: FnMut(bool, u32)>(n: &mut CrNode, _r: bool, m: u32, mut out: F) {
        if m & ELECTED == 0 {
            if m > n.id {
                out(true, m)
            } else if m == n.id {
                n.lead = m;
                out(true, m | ELECTED)
            }
        } else {
            let v = m & !ELECTED;
            if v != n.id {
                n.lead = v;
                out(true, m)
            }
        }
    }
    fn leader(n: &CrNode) -> u32 {
        n.lead
    }
}

pub struct Dkr;
#[derive(Clone)]
pub struct DkrNode {
    max: u32,
    left: u32,
    lead: u32,
    cand: bool,
}
const TWO: u32 = 1 << 30;
const WIN: u32 = 1 << 31;
const VAL: u32 = TWO - 1;
impl Proto for Dkr {
    const BIDI: bool = false;
    type Node = DkrNode;
    type Msg = u32;
    fn make(id: u32) -> DkrNode {
        DkrNode { max: id, left: 0, lead: 0, cand: true }
    }
    #[inline(always)]
    fn start<F: FnMut(bool, u32)>(n: &mut DkrNode, mut out: F) {
        out(true, n.max)
    }
    #[inline(always)]
    fn recv<F: FnMut(bool, u32)>(n: &mut DkrNode, _r: bool, m: u32, mut out: F) {
        let v = m & VAL;
        if m & WIN != 0 {
            if n.lead == 0 {
                n.lead = v;
                n.cand = false;
                out(true, m)
            }
        } else if !n.cand {
            out(true, m)
        } else if m & TWO == 0 {
            if v != n.max {
                n.left = v;
                out(true, v | TWO)
            } else {
                n.lead = v;
                out(true, v | WIN)
            }
        } else if n.left > v && n.left > n.max {
            n.max = n.left;
            out(true, n.max)
        } else {
            n.cand = false
        }
    }
    fn leader(n: &DkrNode) -> u32 {
        n.lead
    }
}

/// Hirschberg-Sinclair: probes 2^k hops both ways, replies, then an announcement.
pub struct Hs;
#[derive(Clone)]
pub struct HsNode {
    id: u32,
    lead: u32,
    phase: u8,
    back: u8,
}
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "the algorithm as published carries the phase")]
pub struct HsMsg {
    id: u32,
    hops: u32,
    phase: u8,
    kind: u8, // 0 probe, 1 reply, 2 elected
}
impl Proto for Hs {
    const BIDI: bool = true;
    type Node = HsNode;
    type Msg = HsMsg;
    fn make(id: u32) -> HsNode {
        HsNode { id, lead: 0, phase: 0, back: 0 }
    }
    #[inline(always)]
    fn start<F: FnMut(bool, HsMsg)>(n: &mut HsNode, mut out: F) {
        let m = HsMsg { id: n.id, hops: 1, phase: 0, kind: 0 };
        out(true, m);
        out(false, m)
    }
    #[inline(always)]
    fn recv<F: FnMut(bool, HsMsg)>(n: &mut HsNode, right: bool, m: HsMsg, mut out: F) {
        let on = !right; // keep travelling in the same direction
        match m.kind {
            0 => {
                if m.id > n.id {
                    if m.hops > 1 {
                        out(on, HsMsg { hops: m.hops - 1, ..m })
                    } else {
                        out(right, HsMsg { kind: 1, hops: 0, ..m })
                    }
                } else if m.id == n.id && n.lead == 0 {
                    n.lead = n.id;
                    out(true, HsMsg { kind: 2, id: n.id, hops: 0, phase: 0 })
                }
            }
            1 => {
                if m.id != n.id {
                    out(on, m)
                } else {
                    n.back += 1;
                    if n.back == 2 {
                        n.back = 0;
                        n.phase += 1;
                        let p = HsMsg { id: n.id, hops: 1 << n.phase, phase: n.phase, kind: 0 };
                        out(true, p);
                        out(false, p)
                    }
                }
            }
            _ => {
                if m.id != n.id {
                    n.lead = m.id;
                    out(on, m)
                }
            }
        }
    }
    fn leader(n: &HsNode) -> u32 {
        n.lead
    }
}

// ---------------------------------------------------------------- ring arithmetic
/// Destination channel of a message leaving node i.
#[inline(always)]
fn dest<P: Proto>(i: u32, n: u32, to_right: bool) -> u32 {
    if !P::BIDI {
        return if i + 1 == n { 0 } else { i + 1 };
    }
    if to_right {
        (if i + 1 == n { 0 } else { i + 1 }) * 2 // enters the right neighbour from its left
    } else {
        (if i == 0 { n - 1 } else { i - 1 }) * 2 + 1
    }
}
#[inline(always)]
fn node_of<P: Proto>(c: u32) -> (usize, bool) {
    if P::BIDI { ((c >> 1) as usize, c & 1 == 1) } else { (c as usize, false) }
}

// ---------------------------------------------------------------- (i) one global FIFO of events
struct Ring<T> {
    buf: Vec<T>,
    head: usize,
    len: usize,
}
impl<T: Copy> Ring<T> {
    fn new(cap: usize) -> Self {
        Ring { buf: Vec::with_capacity(cap.next_power_of_two()), head: 0, len: 0 }
    }
    #[inline(always)]
    fn push(&mut self, t: T) {
        let cap = self.buf.capacity();
        if self.buf.len() < cap {
            self.buf.push(t); // still filling for the first time: head is 0 or behind
            self.len += 1;
            return;
        }
        assert!(self.len < cap, "event queue full");
        let p = (self.head + self.len) & (cap - 1);
        self.buf[p] = t;
        self.len += 1;
    }
    #[inline(always)]
    fn pop(&mut self) -> Option<T> {
        if self.len == 0 {
            return None;
        }
        let t = self.buf[self.head];
        self.head = (self.head + 1) & (self.buf.capacity() - 1);
        self.len -= 1;
        Some(t)
    }
}

pub fn fifo<P: Proto>(nodes: &mut [P::Node]) -> (u64, usize) {
    let n = nodes.len() as u32;
    let mut q: Ring<(u32, P::Msg)> = Ring::new(nodes.len() * if P::BIDI { 2 } else { 1 } + 2);
    let mut sent = 0u64;
    for i in 0..n {
        P::start(&mut nodes[i as usize], |r, m| {
            sent += 1;
            q.push((dest::<P>(i, n, r), m))
        });
    }
    while let Some((c, m)) = q.pop() {
        let (i, right) = node_of::<P>(c);
        P::recv(&mut nodes[i], right, m, |r, m| {
            sent += 1;
            q.push((dest::<P>(i as u32, n, r), m))
        });
    }
    (sent, q.buf.capacity() * std::mem::size_of::<(u32, P::Msg)>())
}

// ---------------------------------------------------------------- (ii) random enabled channel
/// Per-channel FIFOs as linked lists in one slab; `ready` lists the non-empty channels.
struct Chans<M> {
    head: Vec<u32>,
    tail: Vec<u32>,
    slab: Vec<(M, u32)>,
    free: u32,
    ready: Vec<u32>,
}
const NIL: u32 = u32::MAX;
impl<M: Copy> Chans<M> {
    fn new(c: usize) -> Self {
        Chans {
            head: vec![NIL; c],
            tail: vec![NIL; c],
            slab: Vec::with_capacity(c),
            free: NIL,
            ready: Vec::with_capacity(c),
        }
    }
    #[inline(always)]
    fn push(&mut self, c: u32, m: M) {
        let s = if self.free != NIL {
            let s = self.free;
            self.free = self.slab[s as usize].1;
            self.slab[s as usize] = (m, NIL);
            s
        } else {
            self.slab.push((m, NIL));
            self.slab.len() as u32 - 1
        };
        let c = c as usize;
        if self.head[c] == NIL {
            self.head[c] = s;
            self.ready.push(c as u32);
        } else {
            let t = self.tail[c] as usize;
            self.slab[t].1 = s;
        }
        self.tail[c] = s;
    }
    #[inline(always)]
    fn pop_random(&mut self, rng: &mut Rng) -> Option<(u32, M)> {
        let k = self.ready.len();
        if k == 0 {
            return None;
        }
        let r = rng.below(k as u32) as usize;
        let c = self.ready[r];
        let s = self.head[c as usize];
        let (m, next) = self.slab[s as usize];
        self.head[c as usize] = next;
        if next == NIL {
            self.ready.swap_remove(r);
        }
        self.slab[s as usize].1 = self.free;
        self.free = s;
        Some((c, m))
    }
    fn bytes(&self) -> usize {
        4 * (self.head.capacity() + self.tail.capacity() + self.ready.capacity())
            + self.slab.capacity() * std::mem::size_of::<(M, u32)>()
    }
}

pub fn random<P: Proto>(nodes: &mut [P::Node], seed: u64) -> (u64, usize) {
    let n = nodes.len() as u32;
    let mut rng = Rng(seed);
    let mut q: Chans<P::Msg> = Chans::new(nodes.len() * if P::BIDI { 2 } else { 1 });
    let mut sent = 0u64;
    for i in 0..n {
        P::start(&mut nodes[i as usize], |r, m| {
            sent += 1;
            q.push(dest::<P>(i, n, r), m)
        });
    }
    while let Some((c, m)) = q.pop_random(&mut rng) {
        let (i, right) = node_of::<P>(c);
        P::recv(&mut nodes[i], right, m, |r, m| {
            sent += 1;
            q.push(dest::<P>(i as u32, n, r), m)
        });
    }
    (sent, q.bytes())
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

/// Messages sent in one run; random: by random choice of the channel, else in the order of sending.
pub fn run<P: Proto>(ids: &[u32], random_seed: Option<u64>) -> u64 {
    let mut nodes: Vec<P::Node> = ids.iter().map(|i| P::make(*i)).collect();
    let (sent, _) = match random_seed {
        None => fifo::<P>(&mut nodes),
        Some(seed) => random::<P>(&mut nodes, seed),
    };
    assert!(nodes.iter().all(|n| P::leader(n) == ids.len() as u32), "everybody learns the greatest");
    sent
}
