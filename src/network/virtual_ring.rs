//! A virtual ring laid through a network that is not a ring.
//!
//! In a complete network it leads from each process to the one at the next position. In any other connected network it follows a
//! spanning tree, found by depth-first search from process 0. A message that arrives at a tree port leaves by the following one,
//! in the order of the neighbours' positions, cyclically. It so traverses each tree edge once in each direction before it
//! returns: 2 (n - 1) hops. A process is passed once for each of its tree ports. Its home position is the one between its last
//! port (in) and its first (out).

use crate::ids::ProcessId;

use super::{NONE, Network};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VirtualRing {
    /// The port to the next position on the ring, by process; [`NONE`] for a process that is alone.
    next: Vec<u32>,
    /// The port at which the ring returns to the home position, by process.
    prev: Vec<u32>,
    /// The outgoing port for each incoming port, by process; empty if every position is a home position.
    onward: Vec<Box<[u32]>>,
}

impl VirtualRing {
    /// Lay the ring through a complete network, from position to position.
    pub fn over_positions(network: &Network) -> VirtualRing {
        positions(network)
    }

    /// Lay the ring along a spanning tree; `None` if the network is not connected by edges that carry messages both ways.
    pub fn around_spanning_tree(network: &Network) -> Option<VirtualRing> {
        tour(network)
    }

    pub fn next(&self, p: ProcessId) -> Option<u32> {
        Some(self.next[p.index()]).filter(|port| *port != NONE)
    }

    pub fn prev(&self, p: ProcessId) -> Option<u32> {
        Some(self.prev[p.index()]).filter(|port| *port != NONE)
    }

    /// Return the outgoing port of the ring for an incoming port; `None` if the ring does not pass there.
    pub fn outgoing_port(&self, p: ProcessId, port: u32) -> Option<u32> {
        let onward = self.onward.get(p.index())?;
        onward.get(port as usize).copied().filter(|port| *port != NONE)
    }
}

fn positions(network: &Network) -> VirtualRing {
    let n = network.n();
    let port = |from, to| network.port_to(from, ProcessId(to % n)).unwrap_or(NONE);
    VirtualRing {
        next: network.processes().map(|p| port(p, p.0 + 1)).collect(),
        prev: network.processes().map(|p| port(p, p.0 + n - 1)).collect(),
        onward: Vec::new(),
    }
}

fn tour(network: &Network) -> Option<VirtualRing> {
    let n = network.n() as usize;
    let ordered = |p: ProcessId| {
        let both_ways =
            |(_, port): &(u32, super::Port)| port.out != NONE && port.incoming != NONE && port.peer != p;
        let mut ports: Vec<(ProcessId, u32)> =
            (0u32..).zip(network.ports(p)).filter(both_ways).map(|(k, port)| (port.peer, k)).collect();
        ports.sort_unstable();
        ports
    };
    // The tree ports of each process, with the neighbour's position.
    let mut tree: Vec<Vec<(ProcessId, u32)>> = vec![Vec::new(); n];
    let mut seen = vec![false; n];
    seen[0] = true;
    // The stack of the search: processes with the ports not tried yet, the next one last.
    let reversed = |p: ProcessId| ordered(p).into_iter().rev().collect::<Vec<_>>();
    let mut path = vec![(ProcessId(0), reversed(ProcessId(0)))];
    let mut reached = 1;
    while let Some((p, untried)) = path.last_mut() {
        let p = *p;
        let Some((q, port)) = untried.pop() else {
            path.pop();
            continue;
        };
        if std::mem::replace(&mut seen[q.index()], true) {
            continue;
        }
        reached += 1;
        let there = network.link(network.ports(p)[port as usize].out).to_port;
        tree[p.index()].push((q, port));
        tree[q.index()].push((p, there));
        path.push((q, reversed(q)));
    }
    if reached < n {
        return None;
    }
    let mut ring = VirtualRing { next: vec![NONE; n], prev: vec![NONE; n], onward: Vec::with_capacity(n) };
    for (p, ports) in network.processes().zip(&mut tree) {
        ports.sort_unstable();
        let mut onward = vec![NONE; network.degree(p) as usize].into_boxed_slice();
        let following = ports.iter().cycle().skip(1);
        for ((_, port), (_, then)) in ports.iter().zip(following) {
            onward[*port as usize] = *then;
        }
        ring.onward.push(onward);
        if let (Some((_, first)), Some((_, last))) = (ports.first(), ports.last()) {
            ring.next[p.index()] = *first;
            ring.prev[p.index()] = *last;
        }
    }
    Some(ring)
}
