//! Algorithms in rounds: messages are sent at the beginning of a round and arrive at its end.

use super::graph::Graph;

/// Return the number of messages of flooding: in each of `diameter` rounds every process sends the greatest known identifier over
/// all links.
pub fn flooding(g: &Graph, ids: &[u32], diameter: u32) -> u64 {
    let mut best = ids.to_vec();
    let mut inbox = vec![0; g.links() as usize];
    let mut sent = 0;
    for _ in 0..diameter {
        for p in 0..g.n() {
            for port in g.ports(p) {
                inbox[g.far[port as usize] as usize] = best[p as usize];
                sent += 1;
            }
        }
        for p in 0..g.n() {
            let ports = g.ports(p);
            for m in &inbox[ports.start as usize..ports.end as usize] {
                best[p as usize] = best[p as usize].max(*m);
            }
        }
    }
    let greatest = ids.iter().copied().max();
    assert!(best.iter().all(|b| Some(*b) == greatest), "all processes learn the greatest identifier");
    sent
}
