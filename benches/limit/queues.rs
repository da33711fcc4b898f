//! Messages in transit: in the order of sending, or by channel with a random choice among the channels.

use super::Rng;

/// Events that wait: messages in transit, or processes that can move.
pub trait Pending<T> {
    fn push(&mut self, t: T);
    fn pop(&mut self) -> Option<T>;
}

/// All events in the order of their insertion.
pub struct Queue<T> {
    buf: Vec<T>,
    head: usize,
    len: usize,
}
impl<T: Copy> Queue<T> {
    pub fn new(cap: usize) -> Self {
        Queue { buf: Vec::with_capacity(cap.next_power_of_two()), head: 0, len: 0 }
    }
}
impl<T: Copy> Pending<T> for Queue<T> {
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

/// Per-channel FIFOs as linked lists in one slab; `ready` lists the non-empty channels.
pub struct Channels<M> {
    head: Vec<u32>,
    tail: Vec<u32>,
    slab: Vec<(M, u32)>,
    free: u32,
    ready: Vec<u32>,
}
const NIL: u32 = u32::MAX;
impl<M: Copy> Channels<M> {
    pub fn new(c: usize) -> Self {
        Channels {
            head: vec![NIL; c],
            tail: vec![NIL; c],
            slab: Vec::with_capacity(c),
            free: NIL,
            ready: Vec::with_capacity(c),
        }
    }
    #[inline(always)]
    pub fn push(&mut self, c: u32, m: M) {
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
    pub fn pop_random(&mut self, rng: &mut Rng) -> Option<(u32, M)> {
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
}

/// Events of which a random one is next: messages on unordered channels, or processes.
pub struct Bag<T> {
    events: Vec<T>,
    rng: Rng,
}
impl<T: Copy> Bag<T> {
    pub fn new(cap: usize, seed: u64) -> Self {
        Bag { events: Vec::with_capacity(cap), rng: Rng(seed) }
    }
}
impl<T: Copy> Pending<T> for Bag<T> {
    #[inline(always)]
    fn push(&mut self, t: T) {
        self.events.push(t)
    }
    #[inline(always)]
    fn pop(&mut self) -> Option<T> {
        match self.events.len() {
            0 => None,
            k => Some(self.events.swap_remove(self.rng.below(k as u32) as usize)),
        }
    }
}
