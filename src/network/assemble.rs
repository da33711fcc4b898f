//! Build a network from a list of edges: order the ports, number the links, and connect both ends of each edge.

use crate::ids::ProcessId;
use std::sync::OnceLock;

use super::ids::Ids;
use super::notice::Notice;
use super::rng::{NetworkRng, Purpose};
use super::wires::{LinkTable, Ring};
use super::{
    Direction, Kind, Label, Labels, Link, MAX_ADDRESSABLE, MAX_LINKS, NO_PORT, NONE, Network, NetworkOptions,
    Pairing, Port, TopologyError,
};

/// An edge between processes `a` and `b`, which may be the same process. It has a port at each end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) label_a: Option<Label>,
    pub(super) label_b: Option<Label>,
    /// Whether messages also go from `b` to `a`; they always go from `a` to `b`.
    pub(super) both: bool,
}

impl Edge {
    pub(super) fn plain(a: u32, b: u32) -> Edge {
        Edge { a, b, label_a: None, label_b: None, both: true }
    }

    pub(super) fn labelled(a: u32, label_a: Label, b: u32, label_b: Label) -> Edge {
        Edge { label_a: Some(label_a), label_b: Some(label_b), ..Edge::plain(a, b) }
    }
}

/// The weights of the edges, by edge number.
#[derive(Clone, Debug)]
pub(super) enum Weights {
    Given(Vec<i64>),
    /// 1, …, m shuffled; computed on first use, since few algorithms read weights.
    Drawn {
        seed: u64,
        ranks: OnceLock<Vec<i64>>,
    },
}

impl Weights {
    pub(super) fn drawn(seed: u64) -> Weights {
        Weights::Drawn { seed, ranks: OnceLock::new() }
    }

    pub(super) fn get(&self, edge: u32, edges: u32) -> i64 {
        match self {
            Weights::Given(weights) => weights[edge as usize],
            Weights::Drawn { seed, ranks } => {
                let ranks = ranks.get_or_init(|| {
                    let mut ranks: Vec<i64> = (1..=i64::from(edges)).collect();
                    NetworkRng::new(*seed, Purpose::Weights).shuffle(&mut ranks);
                    ranks
                });
                ranks[edge as usize]
            }
        }
    }
}

/// The parts of a network to be assembled.
pub(super) struct AssemblyPlan {
    pub(super) n: u32,
    pub(super) kind: Kind,
    pub(super) topology: String,
    pub(super) edges: Vec<Edge>,
    pub(super) weights: Weights,
    pub(super) names: Vec<String>,
    pub(super) notices: Vec<Notice>,
}

/// Build the network of a plan whose edges name processes below `n`.
pub(super) fn assemble(mut plan: AssemblyPlan, options: &NetworkOptions) -> Result<Network, TopologyError> {
    if options.direction == Direction::Unidirectional {
        plan.edges.iter_mut().for_each(|edge| edge.both = false);
    }
    check_size(&plan, options)?;
    let (first_port, ends) = order_ports(&plan, options)?;
    let (first_link, pairing) = number_links(&plan.edges);
    let oriented = options.labels == Labels::Oriented;

    let edge_links: u32 = plan.edges.iter().map(|e| 1 + u32::from(e.both)).sum();
    let self_links = if options.self_links { plan.n } else { 0 };
    let blank = Link { from: ProcessId(0), to: ProcessId(0), from_port: NO_PORT, to_port: NO_PORT };
    let mut links = Vec::with_capacity((edge_links + self_links) as usize);
    links.resize(edge_links as usize, blank);
    let mut ports = Vec::with_capacity(ends.len());
    for p in 0..plan.n as usize {
        let mine = &ends[first_port[p] as usize..first_port[p + 1] as usize];
        for (port, &end) in (0u32..).zip(mine) {
            let number = end / 2;
            let edge = plan.edges[number as usize];
            let forth = first_link(number);
            let back = if edge.both { forth + 1 } else { NONE };
            let (label, peer, out, incoming) = if end % 2 == 0 {
                (edge.label_a, ProcessId(edge.b), forth, back)
            } else {
                (edge.label_b, ProcessId(edge.a), back, forth)
            };
            if let Some(link) = links.get_mut(out as usize) {
                link.from = ProcessId(p as u32);
                link.from_port = port;
            }
            if let Some(link) = links.get_mut(incoming as usize) {
                link.to = ProcessId(p as u32);
                link.to_port = port;
            }
            ports.push(Port { label: label.filter(|_| oriented), peer, out, incoming });
        }
    }
    links.extend((0..self_links).map(ProcessId).map(|p| Link { from: p, to: p, ..blank }));
    Ok(Network {
        kind: plan.kind,
        topology: plan.topology,
        options: *options,
        ids: Ids::new((1..=i64::from(plan.n)).collect()),
        wires: LinkTable::Listed { first_port, ports, links },
        edge_links,
        pairing,
        weights: plan.weights,
        names: plan.names,
        notices: plan.notices,
        diameter: OnceLock::new(),
    })
}

/// Build the ring of `n` processes with labelled ports. The result equals that of [`assemble`], but no edges are listed.
pub(super) fn oriented_ring(
    n: u32,
    topology: String,
    weights: Weights,
    options: &NetworkOptions,
) -> Result<Network, TopologyError> {
    let ring = Ring::new(n, options.direction);
    check_links(&topology, ring.links().into())?;
    check_addressable(&topology, n, options)?;
    Ok(Network {
        kind: Kind::Ring,
        topology,
        options: *options,
        ids: Ids::new((1..=i64::from(n)).collect()),
        wires: LinkTable::Ring(ring),
        edge_links: ring.links(),
        pairing: match options.direction {
            Direction::Unidirectional => Pairing::Single,
            Direction::Bidirectional => Pairing::Paired,
        },
        weights,
        names: Vec::new(),
        notices: Vec::new(),
        diameter: OnceLock::new(),
    })
}

fn check_size(plan: &AssemblyPlan, options: &NetworkOptions) -> Result<(), TopologyError> {
    let topology = &plan.topology;
    let for_edges: u64 = plan.edges.iter().map(|e| 1 + u64::from(e.both)).sum();
    let for_selves = if options.self_links { plan.n } else { 0 };
    check_links(topology, for_edges + u64::from(for_selves))?;
    check_addressable(topology, plan.n, options)
}

fn check_links(topology: &str, links: u64) -> Result<(), TopologyError> {
    if links > u64::from(MAX_LINKS) {
        return Err(TopologyError::new(format!(
            "{topology} has {links} links, and a network has at most {MAX_LINKS}"
        )));
    }
    Ok(())
}

fn check_addressable(topology: &str, n: u32, options: &NetworkOptions) -> Result<(), TopologyError> {
    if options.addressable && n > MAX_ADDRESSABLE {
        return Err(TopologyError::new(format!(
            "{topology} has {n} processes, and an addressable network has at most {MAX_ADDRESSABLE}"
        )));
    }
    Ok(())
}

/// Return the offset of each process's ports, and for each port the end of an edge: `2e` is the `a` end of edge `e`, `2e + 1` its
/// `b` end.
fn order_ports(plan: &AssemblyPlan, options: &NetworkOptions) -> Result<(Vec<u32>, Vec<u32>), TopologyError> {
    let n = plan.n as usize;
    let mut first_port = vec![0u32; n + 1];
    for edge in &plan.edges {
        first_port[edge.a as usize + 1] += 1;
        first_port[edge.b as usize + 1] += 1;
    }
    for p in 0..n {
        first_port[p + 1] += first_port[p];
    }
    let mut free = first_port.clone();
    let mut ends = vec![0u32; 2 * plan.edges.len()];
    for (number, edge) in (0u32..).zip(&plan.edges) {
        for (p, end) in [(edge.a, 2 * number), (edge.b, 2 * number + 1)] {
            ends[free[p as usize] as usize] = end;
            free[p as usize] += 1;
        }
    }
    let label = |end: u32| {
        let edge = &plan.edges[end as usize / 2];
        let label = if end.is_multiple_of(2) { edge.label_a } else { edge.label_b };
        (label.is_none(), label)
    };
    let (mut dice, given) = match options.labels {
        Labels::Oriented => (None, 0),
        Labels::Unoriented { seed } => (Some(NetworkRng::new(seed, Purpose::Ports)), 0),
        Labels::Numbered { number } => (None, number),
    };
    let mut number = given;
    for p in 0..n {
        let mine = &mut ends[first_port[p] as usize..first_port[p + 1] as usize];
        // Label order, unlabelled ports last. The sort is stable, so unlabelled ports keep the order of the edges. Sort before a
        // shuffle too: the result must not depend on the order in which a family lists its edges.
        mine.sort_by_key(|&end| label(end));
        if let Some(dice) = &mut dice {
            dice.shuffle(mine);
        }
        number = arrange(mine, number);
    }
    if number > 0 {
        let count = numberings(first_port.windows(2).map(|ports| ports[1] - ports[0])).unwrap_or(u64::MAX);
        return Err(TopologyError::new(format!(
            "there is no numbering {given} of the ports: numberings range from 0 to {}",
            count - 1
        )));
    }
    Ok((first_port, ends))
}

/// Permute the ports of one process: the number selects the order, and 0 keeps the present one. Return the rest of the number, for
/// the other processes.
fn arrange(ports: &mut [u32], mut number: u64) -> u64 {
    if number == 0 {
        return 0;
    }
    // The digits of the number in the factorial system.
    let digits: Vec<u64> = (1..=ports.len() as u64)
        .map(|base| {
            let digit = number % base;
            number /= base;
            digit
        })
        .collect();
    let mut left = ports.to_vec();
    ports
        .iter_mut()
        .zip(digits.into_iter().rev())
        .for_each(|(port, digit)| *port = left.remove(digit as usize));
    number
}

/// Return the number of numberings of the ports of processes with these degrees. `None`: it is not below 2^64.
pub(super) fn numberings(degrees: impl Iterator<Item = u32>) -> Option<u64> {
    degrees.flat_map(|degree| 1..=u64::from(degree)).try_fold(1u64, u64::checked_mul)
}

/// Return the number of the first link of each edge, and how links and edges correspond.
fn number_links(edges: &[Edge]) -> (Box<dyn Fn(u32) -> u32>, Pairing) {
    if edges.iter().all(|edge| edge.both) {
        return (Box::new(|edge| 2 * edge), Pairing::Paired);
    }
    if edges.iter().all(|edge| !edge.both) {
        return (Box::new(|edge| edge), Pairing::Single);
    }
    let mut first = Vec::with_capacity(edges.len());
    let mut edge_of = Vec::new();
    for (number, edge) in (0u32..).zip(edges) {
        first.push(edge_of.len() as u32);
        edge_of.extend(std::iter::repeat_n(number, 1 + usize::from(edge.both)));
    }
    (Box::new(move |edge| first[edge as usize]), Pairing::Mixed(edge_of))
}
