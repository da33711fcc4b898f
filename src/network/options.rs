//! How a topology is turned into a network: direction, orientation, self links.

/// Whether an edge carries messages both ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Direction {
    /// One link for each edge: round the ring from each process to the next; rightwards on a line;
    /// from the root of a tree or the centre of a star outwards; east and south in a mesh or torus; to the set
    /// bit of a hypercube; otherwise from the end that is written first, or generated first (the lower index).
    ///
    /// An explicitly listed undirected graph that is a ring gets the orientation that leads from process 0
    /// over its first edge.
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
}

/// Everything a network depends on besides its topology.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct NetworkOptions {
    pub direction: Direction,
    pub labels: Labels,
    /// Each process has a link to itself as well, without a port.
    pub self_links: bool,
    /// For random topologies that name no seed of their own, and for the default weights.
    pub seed: u64,
    /// A process may send to any other whose id it knows, neighbour or not: see
    /// [`Network::address`](super::Network::address).
    pub addressable: bool,
}
