//! Algorithms on any network, by messages on unordered channels.

use super::queues::{Bag, Pending, Queue};

/// A network of bidirectional links. Ports are numbered throughout: those of process p are `first[p]..first[p + 1]`.
#[derive(Default)]
pub struct Graph {
    pub first: Vec<u32>,
    /// Process of each port.
    pub owner: Vec<u32>,
    /// Process at the other end of each port.
    pub peer: Vec<u32>,
    /// Port at the other end of each port.
    pub far: Vec<u32>,
}
impl Graph {
    pub fn n(&self) -> u32 {
        self.first.len() as u32 - 1
    }
    #[inline(always)]
    pub fn ports(&self, p: u32) -> std::ops::Range<u32> {
        self.first[p as usize]..self.first[p as usize + 1]
    }
    /// Number of directed links, which is that of all ports.
    pub fn links(&self) -> u32 {
        self.peer.len() as u32
    }
}

pub trait Protocol {
    type Msg: Copy;
    /// Maximum number of messages in transit on one directed link.
    const PER_LINK: usize;
    /// Start process p. out(port, msg) sends a message; out(links + p, msg) schedules a step of process p.
    fn start<F: FnMut(u32, Self::Msg)>(&mut self, g: &Graph, p: u32, out: F);
    /// Receive a message through this port.
    fn recv<F: FnMut(u32, Self::Msg)>(&mut self, g: &Graph, port: u32, m: Self::Msg, out: F);
    /// Take the scheduled step of process p.
    fn step<F: FnMut(u32, Self::Msg)>(&mut self, _g: &Graph, _p: u32, _out: F) {}
}

/// Return the number of messages of one run, with random choice among all messages and steps or in the order of sending.
pub fn run<P: Protocol>(protocol: &mut P, g: &Graph, random_seed: Option<u64>) -> u64 {
    let cap = P::PER_LINK * g.links() as usize + g.n() as usize + 1;
    match random_seed {
        None => by(Queue::new(cap), protocol, g),
        Some(seed) => by(Bag::new(cap, seed), protocol, g),
    }
}
fn by<P: Protocol, Q: Pending<(u32, P::Msg)>>(mut q: Q, protocol: &mut P, g: &Graph) -> u64 {
    let links = g.links();
    let mut sent = 0;
    for p in 0..g.n() {
        protocol.start(g, p, |port, m| post(g, links, &mut q, &mut sent, port, m));
    }
    while let Some((to, m)) = q.pop() {
        if to < links {
            protocol.recv(g, to, m, |port, m| post(g, links, &mut q, &mut sent, port, m))
        } else {
            protocol.step(g, to - links, |port, m| post(g, links, &mut q, &mut sent, port, m))
        }
    }
    sent
}
#[inline(always)]
fn post<M, Q: Pending<(u32, M)>>(g: &Graph, links: u32, q: &mut Q, sent: &mut u64, port: u32, m: M) {
    if port < links {
        *sent += 1;
        q.push((g.far[port as usize], m))
    } else {
        q.push((port, m))
    }
}

// ---------------------------------------------------------------- echo
/// Echo: one wave from process 0; the messages back count the processes.
pub struct Echo(Vec<EchoNode>);
#[derive(Clone)]
struct EchoNode {
    father: u32,
    missing: u32,
    counted: u32,
    reached: bool,
}
const NONE: u32 = u32::MAX;
impl Protocol for Echo {
    type Msg = u32;
    const PER_LINK: usize = 1;
    #[inline(always)]
    fn start<F: FnMut(u32, u32)>(&mut self, g: &Graph, p: u32, mut out: F) {
        if p == 0 {
            let ports = g.ports(0);
            self.0[0].reached = true;
            self.0[0].missing = ports.len() as u32;
            ports.for_each(|port| out(port, 0));
        }
    }
    #[inline(always)]
    fn recv<F: FnMut(u32, u32)>(&mut self, g: &Graph, port: u32, m: u32, mut out: F) {
        let p = g.owner[port as usize];
        let node = &mut self.0[p as usize];
        if node.reached {
            node.missing -= 1;
            node.counted += m;
        } else {
            let ports = g.ports(p);
            node.reached = true;
            node.father = port;
            node.missing = ports.len() as u32 - 1;
            ports.filter(|other| *other != port).for_each(|other| out(other, 0));
        }
        if node.missing == 0 && node.father != NONE {
            out(node.father, node.counted)
        }
    }
}
pub fn echo(g: &Graph, random_seed: Option<u64>) -> u64 {
    let node = EchoNode { father: NONE, missing: 0, counted: 1, reached: false };
    let mut echo = Echo(vec![node; g.n() as usize]);
    let sent = run(&mut echo, g, random_seed);
    assert!(echo.0[0].missing == 0 && echo.0[0].counted == g.n(), "the initiator counts all processes");
    sent
}

// ---------------------------------------------------------------- Ricart and Agrawala
/// Ricart–Agrawala on a complete network, with one entry of each process.
pub struct RicartAgrawala<'a> {
    ids: &'a [u32],
    nodes: Vec<RaNode>,
    inside: u32,
    entries: u32,
}
#[derive(Clone)]
struct RaNode {
    clock: u32,
    stamp: u32,
    replies: u32,
    state: RaState,
    deferred: Vec<u32>,
}
#[derive(Clone, Copy, PartialEq)]
enum RaState {
    Released,
    Wanted,
    Held,
}
#[derive(Clone, Copy)]
pub struct RaMsg {
    stamp: u32,
    reply: bool,
}
const STEP: RaMsg = RaMsg { stamp: 0, reply: false };
impl RicartAgrawala<'_> {
    #[inline(always)]
    fn enter<F: FnMut(u32, RaMsg)>(&mut self, g: &Graph, p: u32, mut out: F) {
        self.nodes[p as usize].state = RaState::Held;
        self.inside += 1;
        self.entries += 1;
        assert!(self.inside == 1, "mutual exclusion");
        out(g.links() + p, STEP)
    }
}
impl Protocol for RicartAgrawala<'_> {
    type Msg = RaMsg;
    const PER_LINK: usize = 2; // a reply, and the sender's own request
    #[inline(always)]
    fn start<F: FnMut(u32, RaMsg)>(&mut self, g: &Graph, p: u32, mut out: F) {
        out(g.links() + p, STEP)
    }
    #[inline(always)]
    fn step<F: FnMut(u32, RaMsg)>(&mut self, g: &Graph, p: u32, mut out: F) {
        let node = &mut self.nodes[p as usize];
        if node.state == RaState::Released {
            node.state = RaState::Wanted;
            node.clock += 1;
            node.stamp = node.clock;
            let request = RaMsg { stamp: node.stamp, reply: false };
            g.ports(p).for_each(|port| out(port, request));
            if g.n() == 1 {
                self.enter(g, p, out)
            }
        } else {
            node.state = RaState::Released;
            self.inside -= 1;
            let reply = RaMsg { stamp: node.clock, reply: true };
            node.deferred.drain(..).for_each(|port| out(port, reply));
        }
    }
    #[inline(always)]
    fn recv<F: FnMut(u32, RaMsg)>(&mut self, g: &Graph, port: u32, m: RaMsg, mut out: F) {
        let p = g.owner[port as usize];
        let node = &mut self.nodes[p as usize];
        node.clock = node.clock.max(m.stamp) + 1;
        if m.reply {
            node.replies += 1;
            if node.replies == g.n() - 1 {
                self.enter(g, p, out)
            }
        } else if node.state == RaState::Held
            || node.state == RaState::Wanted
                && (node.stamp, self.ids[p as usize]) < (m.stamp, self.ids[g.peer[port as usize] as usize])
        {
            node.deferred.push(port)
        } else {
            out(port, RaMsg { stamp: node.clock, reply: true })
        }
    }
}
pub fn ricart_agrawala(g: &Graph, ids: &[u32], random_seed: Option<u64>) -> u64 {
    let node = RaNode { clock: 0, stamp: 0, replies: 0, state: RaState::Released, deferred: Vec::new() };
    let nodes = vec![node; g.n() as usize];
    let mut protocol = RicartAgrawala { ids, nodes, inside: 0, entries: 0 };
    let sent = run(&mut protocol, g, random_seed);
    assert!(protocol.inside == 0 && protocol.entries == g.n(), "every process has entered and left");
    sent
}
