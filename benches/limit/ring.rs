//! Elections on rings of n processes, which compute their neighbours.

use super::Rng;
use super::queues::{Channels, Pending, Queue};

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
    /// Whether all processes learn the leader; otherwise only the leader does.
    const TOLD: bool = true;
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

/// Chang–Roberts without the announcement.
pub struct PlainChangRoberts;
impl Proto for PlainChangRoberts {
    const BIDI: bool = false;
    const TOLD: bool = false;
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
        if m > n.id {
            out(true, m)
        } else if m == n.id {
            n.lead = m
        }
    }
    fn leader(n: &CrNode) -> u32 {
        n.lead
    }
}

/// LeLann: every identifier makes a tour. Of the identifiers that have passed, a process keeps only the greatest.
pub struct LeLann;
#[derive(Clone)]
pub struct LeLannNode {
    id: u32,
    max: u32,
    lead: u32,
}
impl Proto for LeLann {
    const BIDI: bool = false;
    type Node = LeLannNode;
    type Msg = u32;
    fn make(id: u32) -> LeLannNode {
        LeLannNode { id, max: id, lead: 0 }
    }
    #[inline(always)]
    fn start<F: FnMut(bool, u32)>(n: &mut LeLannNode, mut out: F) {
        out(true, n.id)
    }
    #[inline(always)]
    fn recv<F: FnMut(bool, u32)>(n: &mut LeLannNode, _r: bool, m: u32, mut out: F) {
        if m != n.id {
            n.max = n.max.max(m);
            out(true, m)
        } else {
            n.lead = n.max
        }
    }
    fn leader(n: &LeLannNode) -> u32 {
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

pub fn fifo<P: Proto>(nodes: &mut [P::Node]) -> u64 {
    let n = nodes.len() as u32;
    let mut q: Queue<(u32, P::Msg)> = Queue::new(nodes.len() * if P::BIDI { 2 } else { 1 } + 2);
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
    sent
}

pub fn random<P: Proto>(nodes: &mut [P::Node], seed: u64) -> u64 {
    let n = nodes.len() as u32;
    let mut rng = Rng(seed);
    let mut q: Channels<P::Msg> = Channels::new(nodes.len() * if P::BIDI { 2 } else { 1 });
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
    sent
}

/// Return the number of messages of one run, with random choice of the channel or in the order of sending.
pub fn run<P: Proto>(ids: &[u32], random_seed: Option<u64>) -> u64 {
    let mut nodes: Vec<P::Node> = ids.iter().map(|i| P::make(*i)).collect();
    let sent = match random_seed {
        None => fifo::<P>(&mut nodes),
        Some(seed) => random::<P>(&mut nodes, seed),
    };
    let greatest = ids.iter().copied().max().unwrap_or(0);
    let right = |id: u32, lead: u32| lead == if P::TOLD || id == greatest { greatest } else { 0 };
    assert!(
        nodes.iter().zip(ids).all(|(n, id)| right(*id, P::leader(n))),
        "the process with the greatest identifier is elected"
    );
    sent
}
