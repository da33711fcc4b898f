//! A rooted spanning tree of a network: the breadth-first tree from process 0. So each process is as near to the root in the tree
//! as in the network.

use crate::ids::ProcessId;

use super::{NONE, Network};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpanningTree {
    /// The port to the parent, by process; [`NONE`] at the root.
    parent: Vec<u32>,
    /// The ports to the children, by process, ascending.
    children: Vec<Box<[u32]>>,
}

impl SpanningTree {
    /// Build the tree; `None` if the network is not connected by edges that carry messages both ways.
    pub fn of(network: &Network) -> Option<SpanningTree> {
        let n = network.n() as usize;
        let mut parent = vec![NONE; n];
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); n];
        let mut reached = vec![ProcessId(0)];
        let mut seen = vec![false; n];
        *seen.first_mut()? = true;
        let mut next = 0;
        while let Some(&p) = reached.get(next) {
            next += 1;
            for (k, port) in (0u32..).zip(network.ports(p)) {
                let both_ways = port.out != NONE && port.incoming != NONE;
                if both_ways && !std::mem::replace(&mut seen[port.peer.index()], true) {
                    parent[port.peer.index()] = network.link(port.out).to_port;
                    children[p.index()].push(k);
                    reached.push(port.peer);
                }
            }
        }
        let children = children.into_iter().map(Vec::into_boxed_slice).collect();
        (reached.len() == n).then_some(SpanningTree { parent, children })
    }

    pub fn parent(&self, p: ProcessId) -> Option<u32> {
        Some(self.parent[p.index()]).filter(|port| *port != NONE)
    }

    pub fn children(&self, p: ProcessId) -> &[u32] {
        &self.children[p.index()]
    }
}
