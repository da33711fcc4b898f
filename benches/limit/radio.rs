//! Radio networks: in every slot each process transmits or listens.

use super::graph::Graph;

/// Return the number of beeps of an election by the bits of the identifiers, with a wave of `diameter` slots for each bit.
pub fn beeping(g: &Graph, ids: &[u32], diameter: u32) -> u64 {
    let n = g.n() as usize;
    let digits = ids.iter().copied().max().unwrap_or(1).max(1).ilog2() + 1;
    let (mut candidate, mut prefix) = (vec![true; n], vec![0u32; n]);
    let (mut one, mut passed_on, mut heard) = (vec![false; n], vec![false; n], vec![false; n]);
    let mut beeps = 0;
    for k in 1..=digits {
        let bit = |p: usize| ids[p] >> (digits - k) & 1 == 1;
        for p in 0..n {
            one[p] = candidate[p] && bit(p);
            passed_on[p] = false;
        }
        for _ in 0..diameter.max(1) {
            for p in 0..n {
                if one[p] && !passed_on[p] {
                    passed_on[p] = true;
                    beeps += 1;
                    for port in g.ports(p as u32) {
                        heard[g.peer[port as usize] as usize] = true;
                    }
                }
            }
            for p in 0..n {
                one[p] |= heard[p];
                heard[p] = false;
            }
        }
        for p in 0..n {
            prefix[p] = 2 * prefix[p] + u32::from(one[p]);
            candidate[p] &= bit(p) || !one[p];
        }
    }
    let greatest = ids.iter().copied().max();
    assert!(prefix.iter().all(|id| Some(*id) == greatest), "all processes learn the greatest identifier");
    beeps
}
