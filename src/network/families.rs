//! The edges of each family.

use crate::ids::ProcessId;
use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashSet;

use super::assemble::{AssemblyPlan, Edge, Weights, assemble, oriented_ring};
use super::describe::counted;
use super::rng::{NetworkRng, Purpose};
use super::spec::Family;
use super::{Direction, Kind, Label, Labels, Network, NetworkOptions, Requirement, Spec, TopologyError};

/// Build the network of a topology. The same spec and options always give the same network.
///
/// # Errors
/// If there is not one weight for each edge, if self links bring the network beyond [`MAX_LINKS`](super::MAX_LINKS), or if an
/// addressable network has more than [`MAX_ADDRESSABLE`](super::MAX_ADDRESSABLE) processes.
pub fn build(spec: &Spec, options: &NetworkOptions) -> Result<Network, TopologyError> {
    let labels = match (spec.numbering, options.labels) {
        (Some(number), Labels::Unoriented { .. }) => Labels::Numbered { number },
        (_, labels) => labels,
    };
    let options = &NetworkOptions { labels, ..*options };
    let weights = spec.weights.clone().map_or_else(|| Weights::drawn(options.seed), Weights::Given);
    if let Family::Ring { n } = spec.family
        && options.labels == Labels::Oriented
        && !options.self_links
    {
        check_weights(spec, n as usize)?;
        return oriented_ring(n, topology(spec, options), weights, options);
    }
    let (kind, edges) = form(spec, options);
    check_weights(spec, edges.len())?;
    let topology = topology(spec, options);
    let (names, notices) = (Vec::new(), Vec::new());
    let mut plan = AssemblyPlan { n: spec.n(), kind, topology, edges, weights, names, notices };
    let Family::Listed(listed) = &spec.family else {
        return assemble(plan, options);
    };
    plan.names.clone_from(&listed.names);
    if !listed.names.is_empty() {
        plan.notices = listed.remarks();
        // Weights that are given otherwise replace those of the file.
        plan.notices.retain(|notice| spec.weights.is_none() || !notice.is_about_weights());
    }
    if let (Some(weights), None) = (&listed.weights, &spec.weights) {
        plan.weights = Weights::Given(weights.clone());
    }
    if options.direction == Direction::Unidirectional && plan.edges.iter().all(|edge| edge.both) {
        // A ring listed edge by edge has no direction yet: build it bidirectional, then orient it.
        let both_ways = NetworkOptions { direction: Direction::Bidirectional, ..*options };
        let network = assemble(plan, &both_ways)?;
        return network.made_unidirectional();
    }
    let one_way = plan.edges.iter().any(|edge| !edge.both);
    if options.direction == Direction::Unidirectional && one_way {
        // The arcs give the direction; pairs of opposite arcs stay bidirectional.
        return assemble_arcs(plan, options);
    }
    assemble(plan, options)
}

/// Check that there are as many weights as edges, if any are given.
fn check_weights(spec: &Spec, edges: usize) -> Result<(), TopologyError> {
    let Some(weights) = spec.weights.as_ref().filter(|weights| weights.len() != edges) else {
        return Ok(());
    };
    let given =
        if weights.len() == 1 { "1 weight is".into() } else { format!("{} weights are", weights.len()) };
    let edges = counted(edges, "edge", "edges");
    Err(TopologyError::new(format!("{spec} has {edges}, but {given} given"))
        .hint("give one weight per edge, in order"))
}

/// Assemble a directed graph under [`Direction::Unidirectional`]: a directed ring gets the labels of a ring.
fn assemble_arcs(plan: AssemblyPlan, options: &NetworkOptions) -> Result<Network, TopologyError> {
    let as_listed = NetworkOptions { direction: Direction::Bidirectional, ..*options };
    let mut network = assemble(plan, &as_listed)?;
    network.options.direction = Direction::Unidirectional;
    if network.satisfies(Requirement::Ring).is_ok() {
        return network.with_ring_orientation().map_err(TopologyError::new);
    }
    Ok(network)
}

/// Return the canonical text of the topology, with the seed if the topology depends on one.
fn topology(spec: &Spec, options: &NetworkOptions) -> String {
    let mut spec = spec.clone();
    if let Family::RandomTree { seed, .. } | Family::Random { seed, .. } = &mut spec.family {
        seed.get_or_insert(options.seed);
    }
    spec.to_string()
}

fn form(spec: &Spec, options: &NetworkOptions) -> (Kind, Vec<Edge>) {
    match spec.family {
        Family::Ring { n } => {
            let order: Vec<u32> = (0..n).collect();
            (Kind::Ring, ring(&order, options.direction))
        }
        Family::Line { n } => {
            let order: Vec<u32> = (0..n).collect();
            (Kind::Line, line(&order))
        }
        Family::Star { leaves } => {
            let edges = (1..=leaves).map(|leaf| Edge::plain(0, leaf)).collect();
            (Kind::Star { centre: ProcessId(0) }, edges)
        }
        Family::Complete { n } => (Kind::Complete, complete(n)),
        Family::Tree { n, arity } => {
            let to_parent = |p: u32| Edge { label_b: Some(Label::Parent), ..Edge::plain((p - 1) / arity, p) };
            (Kind::Tree { arity }, (1..n).map(to_parent).collect())
        }
        Family::RandomTree { n, seed } => {
            let mut dice = NetworkRng::new(seed.unwrap_or(options.seed), Purpose::Graph);
            (Kind::RandomTree, plain_edges(random_tree(n, &mut dice)))
        }
        Family::Mesh { rows, columns } => {
            let kind = Kind::Mesh { rows, columns };
            (kind, grid(rows, columns, false, |p| p))
        }
        Family::Torus { rows, columns } => {
            let kind = Kind::Torus { rows, columns };
            (kind, grid(rows, columns, true, |p| p))
        }
        Family::Hypercube { dimension } => (Kind::Hypercube { dimension }, hypercube(dimension, |p| p)),
        Family::Random { n, m, seed } => {
            let mut dice = NetworkRng::new(seed.unwrap_or(options.seed), Purpose::Graph);
            (Kind::Random, plain_edges(random_graph(n, m, &mut dice)))
        }
        Family::Petersen => {
            let outer = (0..5).map(|p| (p, (p + 1) % 5));
            let spokes = (0..5).map(|p| (p, p + 5));
            let inner = (0..5).map(|p| (p + 5, (p + 2) % 5 + 5));
            let pairs = outer.chain(spokes).chain(inner);
            let edges = pairs.map(|(a, b)| Edge::plain(a.min(b), a.max(b)));
            (Kind::Petersen, edges.collect())
        }
        Family::Listed(ref listed) => (Kind::Explicit, listed.edges.clone()),
    }
}

/// Return the ring through these processes in this order. Rings of one and two processes have a self loop and two parallel edges.
pub(super) fn ring(order: &[u32], direction: Direction) -> Vec<Edge> {
    let (forth, back) = match direction {
        Direction::Unidirectional => (Label::Next, Label::Prev),
        Direction::Bidirectional => (Label::Right, Label::Left),
    };
    let following = order.iter().cycle().skip(1);
    let pairs = order.iter().zip(following);
    pairs.map(|(&a, &b)| Edge::labelled(a, forth, b, back)).collect()
}

/// Return the line through these processes in this order, from left to right.
pub(super) fn line(order: &[u32]) -> Vec<Edge> {
    order.windows(2).map(|pair| Edge::labelled(pair[0], Label::Right, pair[1], Label::Left)).collect()
}

fn complete(n: u32) -> Vec<Edge> {
    let chord = |k: u32| Label::Chord(k as u16); // n is at most 5657: see MAX_LINKS
    (0..n)
        .flat_map(|a| (a + 1..n).map(move |b| (a, b)))
        .map(|(a, b)| Edge::labelled(a, chord(b - a), b, chord(n - (b - a))))
        .collect()
}

/// Return a mesh, or a torus if `closed`; `place` maps `row * columns + column` to the process there.
pub(super) fn grid(rows: u32, columns: u32, closed: bool, place: impl Fn(u32) -> u32) -> Vec<Edge> {
    let at = |row: u32, column: u32| place((row % rows) * columns + column % columns);
    let mut edges = Vec::with_capacity(2 * (rows * columns) as usize);
    for row in 0..rows {
        for column in 0..columns {
            let here = at(row, column);
            if closed || column + 1 < columns {
                let there = at(row, column + 1);
                edges.push(Edge::labelled(here, Label::East, there, Label::West));
            }
            if closed || row + 1 < rows {
                let there = at(row + 1, column);
                edges.push(Edge::labelled(here, Label::South, there, Label::North));
            }
        }
    }
    edges
}

/// Return a hypercube; `place` maps each corner to the process there.
pub(super) fn hypercube(dimension: u32, place: impl Fn(u32) -> u32) -> Vec<Edge> {
    let mut edges = Vec::new();
    for corner in 0..1u32 << dimension {
        for k in (0..dimension).filter(|k| corner & (1 << k) == 0) {
            let label = Label::Dimension(k as u8);
            let (here, there) = (place(corner), place(corner | 1 << k));
            edges.push(Edge::labelled(here, label, there, label));
        }
    }
    edges
}

fn plain_edges(mut pairs: Vec<(u32, u32)>) -> Vec<Edge> {
    for pair in &mut pairs {
        *pair = (pair.0.min(pair.1), pair.0.max(pair.1));
    }
    pairs.sort_unstable();
    pairs.into_iter().map(|(a, b)| Edge::plain(a, b)).collect()
}

/// Draw a tree by a random Prüfer sequence: each of the n^(n-2) labelled trees is equally likely.
fn random_tree(n: u32, dice: &mut NetworkRng) -> Vec<(u32, u32)> {
    if n < 2 {
        return Vec::new();
    }
    let sequence: Vec<u32> = (2..n).map(|_| dice.below(u64::from(n)) as u32).collect();
    // The number of leaves that each process is still to be joined to.
    let mut pending = vec![0u32; n as usize];
    for &p in &sequence {
        pending[p as usize] += 1;
    }
    // Join the least leaf first. `scan` passes over all processes once; a process that becomes a leaf at a position already
    // scanned is then the least leaf.
    let is_leaf = |pending: &[u32], p: u32| pending[p as usize] == 0;
    let mut scan = (0..n).find(|&p| is_leaf(&pending, p)).unwrap_or(0);
    let mut leaf = scan;
    let mut edges = Vec::with_capacity(n as usize - 1);
    for &p in &sequence {
        edges.push((leaf, p));
        pending[p as usize] -= 1;
        if p < scan && is_leaf(&pending, p) {
            leaf = p;
        } else {
            scan += 1;
            while !is_leaf(&pending, scan) {
                scan += 1;
            }
            leaf = scan;
        }
    }
    edges.push((leaf, n - 1));
    debug_assert!(is_tree(n, &edges));
    edges
}

fn is_tree(n: u32, edges: &[(u32, u32)]) -> bool {
    let mut parts = UnionFind::<u32>::new(n as usize);
    edges.len() + 1 == n as usize && edges.iter().all(|&(a, b)| parts.union(a, b))
}

/// Draw a random tree and, among all other pairs, `m - (n - 1)` more edges. The graph is connected by construction, so an edge is
/// a bridge more often than in a uniformly drawn connected graph. Drawing graphs until one is connected would not end for small
/// `m`.
fn random_graph(n: u32, m: u32, dice: &mut NetworkRng) -> Vec<(u32, u32)> {
    let mut edges = random_tree(n, dice);
    let missing = m as usize - edges.len();
    let mut taken: FxHashSet<(u32, u32)> = edges.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
    let possible = u64::from(n) * u64::from(n - 1) / 2;
    if u64::from(m) > possible / 2 {
        // Dense: most draws would hit a pair already taken, so choose among the free ones.
        let mut free: Vec<(u32, u32)> = (0..n)
            .flat_map(|a| (a + 1..n).map(move |b| (a, b)))
            .filter(|pair| !taken.contains(pair))
            .collect();
        dice.shuffle(&mut free);
        edges.extend_from_slice(&free[..missing]);
        return edges;
    }
    while edges.len() < m as usize {
        let (a, b) = (dice.below(u64::from(n)) as u32, dice.below(u64::from(n)) as u32);
        if a != b && taken.insert((a.min(b), a.max(b))) {
            edges.push((a, b));
        }
    }
    edges
}
