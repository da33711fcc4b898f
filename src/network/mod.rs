//! Concrete networks: processes, links and ports of one topology, immutable once built.
//!
//! A [`Spec`] is what a person writes, such as `ring(8)` or a DOT file; [`build`] makes a [`Network`] of it.
//! Processes are numbered by their position in the topology, from 0; what they know of themselves are their
//! ids ([`Network::ids`]), which are 1, 2, … unless [`Network::with_ids`] says otherwise.
//!
//! This module does no input or output, and knows nothing of algorithms.

mod describe;
mod distance;
mod error;
mod options;
mod port;
mod rng;
mod ids;
mod satisfies;
mod spanning_tree;
mod virtual_ring;
mod wires;
mod assemble;
mod text;
mod edge_list;
mod dot;
mod graphml;
mod spec;
mod families;
mod shape;

use std::sync::OnceLock;

pub use error::TopologyError;
pub use families::build;
pub use ids::IdsSpec;
pub use options::{Direction, Labels, NetworkOptions};
pub use port::{Label, Link, NO_PORT, NONE, Port};
pub use satisfies::Requirement;
pub use spanning_tree::SpanningTree;
pub use spec::{FAMILIES, FamilyDoc, Spec};
pub use virtual_ring::VirtualRing;
pub use wires::{EachPort, Ports};

use assemble::Weights;
use ids::Ids;
use wires::Wires;

/// The most processes a network has: four times the million that must fit, still below 250 MB where a ring has to be listed.
pub const MAX_PROCESSES: u32 = 4_194_304;
/// The most links of a network: at 32 bytes a link (with its port) this is one gigabyte.
pub const MAX_LINKS: u32 = 32_000_000;
/// The most processes of an addressable network: its n² addressed links are numbered in 32 bits.
pub const MAX_ADDRESSABLE: u32 = 60_000;

/// The family a network belongs to, with the numbers that decide its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Ring,
    Line,
    /// Process 0 is the centre, unless the star was recognised in an explicit graph.
    Star {
        centre: u32,
    },
    Complete,
    /// Balanced, process 0 is the root, the children of `p` are `arity * p + 1` and those after it.
    Tree {
        arity: u32,
    },
    RandomTree,
    /// Process `row * columns + column`; row 0 is the northernmost, column 0 the westernmost.
    Mesh {
        rows: u32,
        columns: u32,
    },
    /// As a mesh, closed to a ring in both directions.
    Torus {
        rows: u32,
        columns: u32,
    },
    Hypercube {
        dimension: u32,
    },
    Random,
    Petersen,
    /// Listed edge by edge, in the source or in a file.
    Explicit,
}

/// A concrete network.
#[derive(Clone, Debug)]
pub struct Network {
    kind: Kind,
    topology: String,
    options: NetworkOptions,
    /// Ports by process and links by number.
    wires: Wires,
    /// How many of the links belong to edges.
    edge_links: u32,
    pairing: Pairing,
    weights: Weights,
    ids: Ids,
    /// The names a file gives its processes; empty otherwise.
    names: Vec<String>,
    diameter: OnceLock<Option<u32>>,
}

/// How links and edges correspond.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Pairing {
    /// Link `i` is edge `i`.
    Single,
    /// Links `2i` and `2i + 1` are the two directions of edge `i`.
    Paired,
    /// A directed graph some of whose arcs run both ways: the edge of each link.
    Mixed(Vec<u32>),
}

impl Network {
    /// The number of processes.
    pub fn n(&self) -> u32 {
        self.wires.n()
    }

    /// The topology in its canonical form, which [`Spec::parse`] reads back, such as `ring(8)`; for a graph
    /// from a file the name of the file.
    pub fn topology(&self) -> &str {
        &self.topology
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// What the network was built with.
    pub fn options(&self) -> NetworkOptions {
        self.options
    }

    /// All stored links by number: those of the edges, then the self links, if any. Addressed links are not among them.
    pub fn links(&self) -> impl ExactSizeIterator<Item = Link> + Clone + '_ {
        (0..self.stored_links() as usize).map(|number| self.link(number as u32))
    }

    /// How many links [`Network::links`] has.
    #[inline]
    pub fn stored_links(&self) -> u32 {
        self.wires.links()
    }

    /// The links of the edges, in the order of these, with their numbers.
    fn numbered_edge_links(&self) -> impl Iterator<Item = (u32, Link)> + '_ {
        (0..self.edge_links).map(|number| (number, self.link(number)))
    }

    /// The link with this number, which may be an addressed one.
    ///
    /// # Panics
    /// If the network has no such link, see [`Network::link_bound`].
    pub fn link(&self, i: u32) -> Link {
        if let Some(link) = self.wires.link(i) {
            return link;
        }
        assert!(i < self.link_bound(), "{} has no link {i}", self.topology);
        let (number, n) = (i - self.stored_links(), self.n());
        Link { from: number / n, to: number % n, from_port: NO_PORT, to_port: NO_PORT }
    }

    /// All link numbers lie below this. It is the number of stored links, plus n² in an addressable network.
    pub fn link_bound(&self) -> u32 {
        let addressed = if self.options.addressable {
            self.n() * self.n() // at most MAX_ADDRESSABLE², which fits
        } else {
            0
        };
        self.stored_links() + addressed
    }

    /// The ports of process `p`, numbered from 0 by their place in this slice.
    #[inline]
    pub fn ports(&self, p: u32) -> Ports<'_> {
        self.wires.ports(p)
    }

    /// How many ports process `p` has.
    pub fn degree(&self, p: u32) -> u32 {
        self.wires.degree(p)
    }

    /// The only link that leaves process `p` by a port, or [`NONE`] where none leaves or several do.
    #[inline]
    pub fn only_out(&self, p: u32) -> u32 {
        let mut out = self.ports(p).into_iter().map(|port| port.out).filter(|out| *out != NONE);
        match (out.next(), out.next()) {
            (Some(only), None) => only,
            _ => NONE,
        }
    }

    /// Are ports and links kept as a list? Otherwise they follow from their numbers, and looking them up costs no memory.
    pub fn is_listed(&self) -> bool {
        matches!(self.wires, Wires::Listed { .. })
    }

    /// The port of `p` with this label.
    pub fn port_with_label(&self, p: u32, label: Label) -> Option<u32> {
        let ports = self.ports(p);
        let here = |k: usize| ports.get(k).is_some_and(|port| port.label == Some(label));
        // Chord k of an oriented complete network is port k - 1: no search among thousands.
        let guess = match label {
            Label::Chord(k) => usize::from(k).wrapping_sub(1),
            Label::Dimension(k) => usize::from(k),
            _ => 0,
        };
        if here(guess) {
            return Some(guess as u32);
        }
        (0..ports.len()).find(|&k| here(k)).map(|k| k as u32)
    }

    /// The port on the other side of process `p`: what comes in at `port` and keeps its direction goes out there.
    ///
    /// On a ring or line the other port, whether or not the ports have labels; in an oriented mesh or torus the port of the
    /// opposite direction. `None` where there is none, as at the end of a line, and in all other networks.
    pub fn opposite(&self, p: u32, port: u32) -> Option<u32> {
        match self.kind {
            Kind::Ring | Kind::Line => (self.degree(p) == 2 && port < 2).then(|| 1 - port),
            Kind::Mesh { .. } | Kind::Torus { .. } => {
                let label = self.ports(p).get(port as usize)?.label?;
                self.port_with_label(p, label.mirrored(self.n())?)
            }
            _ => None,
        }
    }

    /// The weight of the edge at a port. Without given weights they are 1, …, m in an order drawn from the seed:
    /// distinct, as algorithms for minimum spanning trees assume.
    ///
    /// # Panics
    /// If `p` has no such port.
    pub fn weight(&self, p: u32, port: u32) -> i64 {
        let port = self.ports(p)[port as usize];
        self.edge_weight(self.edge_of(if port.out == NONE { port.incoming } else { port.out }))
    }

    /// The weights of all edges, in their order, as [`Network::with_weights`] takes them.
    pub fn edge_weights(&self) -> Vec<i64> {
        (0..self.edge_count()).map(|edge| self.edge_weight(edge)).collect()
    }

    fn edge_weight(&self, edge: u32) -> i64 {
        self.weights.get(edge, self.edge_count())
    }

    /// The edge a link belongs to.
    fn edge_of(&self, link: u32) -> u32 {
        match &self.pairing {
            Pairing::Single => link,
            Pairing::Paired => link / 2,
            Pairing::Mixed(edges) => edges[link as usize],
        }
    }

    /// The number of pairs of joined ports.
    fn edge_count(&self) -> u32 {
        match &self.pairing {
            Pairing::Single => self.edge_links,
            Pairing::Paired => self.edge_links / 2,
            Pairing::Mixed(edges) => edges.last().map_or(0, |last| last + 1),
        }
    }

    /// The number m of edges; of arcs when the network is directed. Self links do not count.
    pub fn edges(&self) -> u32 {
        if self.directed() { self.edge_links } else { self.edge_count() }
    }

    /// Whether some link lacks its reverse.
    pub fn directed(&self) -> bool {
        self.edge_links > 0 && self.pairing != Pairing::Paired
    }

    /// The processes at the other ends of the ports of `p`, in port order; one with several edges to `p` comes several times.
    pub fn neighbours(&self, p: u32) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.ports(p).into_iter().map(|port| port.peer)
    }

    /// The first port of `p` that leads to `q`.
    pub fn port_to(&self, p: u32, q: u32) -> Option<u32> {
        if self.kind == Kind::Complete
            && let Some(link) = self.link_between(p, q)
        {
            return Some(self.link(link).from_port);
        }
        self.neighbours(p).position(|peer| peer == q).map(|k| k as u32)
    }

    /// The first link of an edge from `from` to `to`.
    pub fn link_between(&self, from: u32, to: u32) -> Option<u32> {
        if self.kind == Kind::Complete && self.pairing == Pairing::Paired && from != to {
            // Edges are listed as 0-1, 0-2, …, 1-2, …: their numbers are a formula.
            let (n, low, high) = (u64::from(self.n()), from.min(to), from.max(to));
            if u64::from(high) >= n {
                return None;
            }
            let before = u64::from(low) * (2 * n - u64::from(low) - 1) / 2;
            let edge = before as u32 + (high - low - 1);
            return Some(2 * edge + u32::from(from > to));
        }
        // From the side with fewer ports: the centre of a large star has many.

        if self.degree(from) <= self.degree(to) {
            let mut out = self.ports(from).into_iter().filter(|port| port.peer == to);
            out.find(|port| port.out != NONE).map(|port| port.out)
        } else {
            let mut into = self.ports(to).into_iter().filter(|port| port.peer == from);
            into.find(|port| port.incoming != NONE).map(|port| port.incoming)
        }
    }

    /// The link for a message from one process to another, both named by what they are and not by a port:
    /// the first link of an edge between them; the self link; in an addressable network otherwise the
    /// addressed link, which exists by its number only and costs no memory.
    pub fn address(&self, from: u32, to: u32) -> Option<u32> {
        if from == to {
            return self.self_link(from);
        }
        self.link_between(from, to)
            .or_else(|| self.options.addressable.then(|| self.stored_links() + from * self.n() + to))
    }

    /// May messages go by the link with this number? Not by the address of somebody whom a link leads to anyway.
    pub fn is_used(&self, link: u32) -> bool {
        let Link { from, to, .. } = self.link(link);
        link < self.stored_links() || self.address(from, to) == Some(link)
    }

    /// The link of `p` to itself, when the network was built with self links.
    pub fn self_link(&self, p: u32) -> Option<u32> {
        (self.options.self_links && p < self.n()).then(|| self.edge_links + p)
    }

    /// The centre of a star.
    pub fn centre(&self) -> Option<u32> {
        match self.kind {
            Kind::Star { centre } => Some(centre),
            _ => None,
        }
    }

    /// The root of a balanced tree, or the centre of a star.
    pub fn root(&self) -> Option<u32> {
        match self.kind {
            Kind::Tree { .. } => Some(0),
            _ => self.centre(),
        }
    }

    /// The rows of a mesh or torus.
    pub fn rows(&self) -> Option<u32> {
        match self.kind {
            Kind::Mesh { rows, .. } | Kind::Torus { rows, .. } => Some(rows),
            _ => None,
        }
    }

    /// The columns of a mesh or torus.
    pub fn columns(&self) -> Option<u32> {
        match self.kind {
            Kind::Mesh { columns, .. } | Kind::Torus { columns, .. } => Some(columns),
            _ => None,
        }
    }

    /// The dimension of a hypercube.
    pub fn dimension(&self) -> Option<u32> {
        match self.kind {
            Kind::Hypercube { dimension } => Some(dimension),
            _ => None,
        }
    }

    /// The ids by position.
    pub fn ids(&self) -> &[i64] {
        &self.ids.by_process
    }

    /// The id of process `p`.
    pub fn id(&self, p: u32) -> i64 {
        self.ids.by_process[p as usize]
    }

    /// The process with this id: the first, should there be several.
    pub fn process_with_id(&self, id: i64) -> Option<u32> {
        self.ids.process(id)
    }

    /// Two processes that share an id: the first process that repeats one, and whose it repeats (that one comes first).
    pub fn duplicate_id(&self) -> Option<(u32, u32)> {
        self.ids.duplicate()
    }

    /// The same network with these ids, by position. Ids may repeat: whether they may is for the algorithm to say.
    ///
    /// # Errors
    /// When there are more or fewer ids than processes.
    pub fn with_ids(self, ids: Vec<i64>) -> Result<Network, TopologyError> {
        if ids.len() != self.n() as usize {
            return Err(TopologyError::new(format!(
                "{} has {}, but {} given",
                self.topology,
                describe::counted(self.n() as usize, "process", "processes"),
                if ids.len() == 1 { "1 id is".to_string() } else { format!("{} ids are", ids.len()) },
            ))
            .hint("give each process one, or write ascending, descending or random"));
        }
        Ok(Network { ids: Ids::new(ids), ..self })
    }

    /// The same network with these weights, in the order of the edges.
    ///
    /// # Errors
    /// When there are more or fewer weights than edges.
    pub fn with_weights(self, weights: Vec<i64>) -> Result<Network, TopologyError> {
        if weights.len() != self.edge_count() as usize {
            return Err(TopologyError::new(format!(
                "{} has {}, but {} given",
                self.topology,
                describe::counted(self.edge_count() as usize, "edge", "edges"),
                if weights.len() == 1 {
                    "1 weight is".to_string()
                } else {
                    format!("{} weights are", weights.len())
                },
            ))
            .hint("give each edge one"));
        }
        Ok(Network { weights: Weights::Given(weights), ..self })
    }

    /// Whether these edges alone, between any two processes and in whatever direction, join all of them.
    pub fn is_joined_by(&self, edges: impl Iterator<Item = (u32, u32)>) -> bool {
        let mut parts = petgraph::unionfind::UnionFind::new(self.n() as usize);
        let joins = edges.filter(|(a, b)| parts.union(*a, *b)).count();
        joins + 1 >= self.n() as usize
    }

    /// The name a DOT file or edge list gives process `p`.
    pub fn name(&self, p: u32) -> Option<&str> {
        self.names.get(p as usize).map(String::as_str)
    }

    /// The network as a petgraph graph: node `p` carries the id of process `p`, and each link of an edge is an
    /// arc that carries its weight. Self links are left out.
    pub fn to_graph(&self) -> petgraph::Graph<i64, i64> {
        let mut graph = petgraph::Graph::with_capacity(self.n() as usize, self.edge_links as usize);
        let nodes: Vec<_> = self.ids().iter().map(|&id| graph.add_node(id)).collect();
        for (i, link) in self.numbered_edge_links() {
            let weight = self.edge_weight(self.edge_of(i));
            graph.add_edge(nodes[link.from as usize], nodes[link.to as usize], weight);
        }
        graph
    }
}
