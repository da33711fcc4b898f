//! Options for building a network: direction, orientation, self links.

/// Whether an edge carries messages in one direction or in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Direction {
    /// One link for each edge, with this direction:
    /// * on a ring, from each process to the next;
    /// * on a line, rightwards;
    /// * in a tree or star, away from the root or centre;
    /// * in a mesh or torus, east and south;
    /// * in a hypercube, to the set bit;
    /// * otherwise from the end written or generated first (the lower index).
    ///
    /// An explicitly listed undirected graph that is a ring is oriented from process 0 over its first edge.
    Unidirectional,
    /// Two links for each edge. The arcs of a directed graph stay as they are.
    #[default]
    Bidirectional,
}

/// Whether the processes agree on the names of directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Labels {
    /// Regular families have labelled ports, in the order of the labels.
    #[default]
    Oriented,
    /// No port has a label, and each process numbers its ports in an order of its own, drawn from the seed.
    Unoriented { seed: u64 },
    /// No port has a label, and this numbering is used. Number 0 numbers the ports of each process in the order of its edges.
    Numbered { number: u64 },
}

/// Everything that a network depends on besides its topology.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct NetworkOptions {
    pub direction: Direction,
    pub labels: Labels,
    /// Whether each process also has a link to itself, without a port.
    pub self_links: bool,
    /// The seed for random topologies without a seed of their own, and for the default weights.
    pub seed: u64,
    /// Whether a process may send to any process whose id it knows, neighbour or not: see
    /// [`Network::address`](super::Network::address).
    pub addressable: bool,
}
