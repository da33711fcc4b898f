//! A ring laid through a network that is none.
//!
//! Through a complete network it leads from each process to the one at the next position. Through any other connected network it
//! leads along a spanning tree, found by depth-first search from process 0: what arrives by a tree port leaves
//! by the following one (in the order of the neighbours' positions, the first after the last), and so passes over every tree
//! edge once each way before it is back: 2 (n - 1) hops. A process is passed as often as it has tree ports; of these
//! places the one between its last port (in) and its first (out) is its home.

use super::{NONE, Network};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VirtualRing {
    /// By process: the port to the next place on the ring, [`NONE`] for a process that is alone.
    next: Vec<u32>,
    /// By process: the port at which the ring comes home.
    prev: Vec<u32>,
    /// By process and port: where what arrives by it goes on; empty where every place is a home.
    onward: Vec<Box<[u32]>>,
}

impl VirtualRing {
    /// Through a complete network: from position to position.
    pub fn over_positions(network: &Network) -> VirtualRing {
        positions(network)
    }

    /// Along a spanning tree. None where the network is not connected by edges that carry messages both ways.
    pub fn round_a_tree(network: &Network) -> Option<VirtualRing> {
        tour(network)
    }

    pub fn next(&self, p: u32) -> Option<u32> {
        Some(self.next[p as usize]).filter(|port| *port != NONE)
    }

    pub fn prev(&self, p: u32) -> Option<u32> {
        Some(self.prev[p as usize]).filter(|port| *port != NONE)
    }

    /// Where the ring goes on that comes in at this port; none where it does not pass.
    pub fn onward(&self, p: u32, port: u32) -> Option<u32> {
        let onward = self.onward.get(p as usize)?;
        onward.get(port as usize).copied().filter(|port| *port != NONE)
    }
}

fn positions(network: &Network) -> VirtualRing {
    let n = network.n();
    let port = |from: u32, to: u32| network.port_to(from, to).unwrap_or(NONE);
    VirtualRing {
        next: (0..n).map(|p| port(p, (p + 1) % n)).collect(),
        prev: (0..n).map(|p| port(p, (p + n - 1) % n)).collect(),
        onward: Vec::new(),
    }
}

fn tour(network: &Network) -> Option<VirtualRing> {
    let n = network.n() as usize;
    let ordered = |p: u32| {
        let both_ways =
            |(_, port): &(u32, super::Port)| port.out != NONE && port.incoming != NONE && port.peer != p;
        let mut ports: Vec<(u32, u32)> =
            (0u32..).zip(network.ports(p)).filter(both_ways).map(|(k, port)| (port.peer, k)).collect();
        ports.sort_unstable();
        ports
    };
    // Tree ports of each process, with the position of the neighbour.
    let mut tree: Vec<Vec<(u32, u32)>> = vec![Vec::new(); n];
    let mut seen = vec![false; n];
    seen[0] = true;
    // Processes on the way down, with the ports they have not tried yet, the next one last.
    let reversed = |p: u32| ordered(p).into_iter().rev().collect::<Vec<_>>();
    let mut path = vec![(0u32, reversed(0))];
    let mut reached = 1;
    while let Some((p, untried)) = path.last_mut() {
        let p = *p;
        let Some((q, port)) = untried.pop() else {
            path.pop();
            continue;
        };
        if std::mem::replace(&mut seen[q as usize], true) {
            continue;
        }
        reached += 1;
        let there = network.link(network.ports(p)[port as usize].out).to_port;
        tree[p as usize].push((q, port));
        tree[q as usize].push((p, there));
        path.push((q, reversed(q)));
    }
    if reached < n {
        return None;
    }
    let mut ring = VirtualRing { next: vec![NONE; n], prev: vec![NONE; n], onward: Vec::with_capacity(n) };
    for (p, ports) in (0u32..).zip(&mut tree) {
        ports.sort_unstable();
        let mut onward = vec![NONE; network.degree(p) as usize].into_boxed_slice();
        let following = ports.iter().cycle().skip(1);
        for ((_, port), (_, then)) in ports.iter().zip(following) {
            onward[*port as usize] = *then;
        }
        ring.onward.push(onward);
        if let (Some((_, first)), Some((_, last))) = (ports.first(), ports.last()) {
            ring.next[p as usize] = *first;
            ring.prev[p as usize] = *last;
        }
    }
    Some(ring)
}
