//! Concrete networks: processes, links and ports of one topology, immutable once built.
//!
//! A [`Spec`] is the written form, such as `ring(8)` or a DOT file; [`build`] makes a [`Network`] of it. Processes are numbered
//! from 0 by their position in the topology. What a process knows of itself is its id ([`Network::ids`]): 1, 2, … unless
//! [`Network::with_ids`] assigns others.
//!
//! This module does no input or output, and does not depend on algorithms.

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
mod text;
mod notice;
mod assemble;
mod listed;
mod file;
mod spec;
mod families;
mod shape;

use crate::ids::ProcessId;
use std::sync::OnceLock;

pub use describe::dot_string;
pub use error::TopologyError;
pub use families::build;
pub use ids::IdsSpec;
pub use notice::Notice;
pub use options::{Direction, Labels, NetworkOptions};
pub use port::{Label, Link, NO_PORT, NONE, Port};
pub use satisfies::Requirement;
pub use spanning_tree::SpanningTree;
pub use spec::{FAMILIES, FamilyDoc, Spec};
pub use virtual_ring::VirtualRing;
pub use wires::{Ports, PortsIter};

use assemble::Weights;
use ids::Ids;
use wires::LinkTable;

/// The maximum number of processes: four times the million that must be supported; a listed ring of this size stays below 250 MB.
pub const MAX_PROCESSES: u32 = 4_194_304;
/// The maximum number of links: at 32 bytes a link (with its port), one gigabyte.
pub const MAX_LINKS: u32 = 32_000_000;
/// The maximum number of processes of an addressable network: its n² addressed links are numbered in 32 bits.
pub const MAX_ADDRESSABLE: u32 = 60_000;

/// The family of a network, with the parameters that determine its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Ring,
    Line,
    /// Process 0 is the centre, unless the star was recognised in an explicit graph.
    Star {
        centre: ProcessId,
    },
    Complete,
    /// A balanced tree: process 0 is the root, the children of `p` are `arity * p + 1` and those after it.
    Tree {
        arity: u32,
    },
    RandomTree,
    /// A grid: process `row * columns + column`; row 0 is the northernmost, column 0 the westernmost.
    Mesh {
        rows: u32,
        columns: u32,
    },
    /// A mesh closed to a ring in both directions.
    Torus {
        rows: u32,
        columns: u32,
    },
    Hypercube {
        dimension: u32,
    },
    Random,
    Petersen,
    /// A graph listed edge by edge, in the source or in a file.
    Explicit,
}

/// A concrete network.
#[derive(Clone, Debug)]
pub struct Network {
    kind: Kind,
    topology: String,
    options: NetworkOptions,
    /// Ports by process and links by number.
    wires: LinkTable,
    /// The number of links that belong to edges.
    edge_links: u32,
    pairing: Pairing,
    weights: Weights,
    ids: Ids,
    /// The names that a file gives to its processes; empty otherwise.
    names: Vec<String>,
    /// Remarks about the file.
    notices: Vec<Notice>,
    diameter: OnceLock<Option<u32>>,
}

/// The correspondence of links and edges.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Pairing {
    /// Link `i` is edge `i`.
    Single,
    /// Links `2i` and `2i + 1` are the two directions of edge `i`.
    Paired,
    /// The graph is directed, and some pairs of arcs are opposite: the edge of each link.
    Mixed(Vec<u32>),
}

impl Network {
    /// The number of processes.
    pub fn n(&self) -> u32 {
        self.wires.n()
    }

    /// Iterate over all processes.
    pub fn processes(
        &self,
    ) -> impl ExactSizeIterator<Item = ProcessId> + DoubleEndedIterator + Clone + use<> {
        (0..self.n()).map(ProcessId)
    }

    /// Return the topology in its canonical form, which [`Spec::parse`] reads back, such as `ring(8)`; for a graph from a file,
    /// the name of the file.
    pub fn topology(&self) -> &str {
        &self.topology
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Return the options that the network was built with.
    pub fn options(&self) -> NetworkOptions {
        self.options
    }

    /// Iterate over all stored links by number: those of the edges, then any self links. Addressed links are not included.
    pub fn links(&self) -> impl ExactSizeIterator<Item = Link> + Clone + '_ {
        (0..self.stored_links() as usize).map(|number| self.link(number as u32))
    }

    /// Return the number of stored links.
    #[inline]
    pub fn stored_links(&self) -> u32 {
        self.wires.links()
    }

    /// Iterate over the links of the edges, in edge order, with their numbers.
    fn numbered_edge_links(&self) -> impl Iterator<Item = (u32, Link)> + '_ {
        (0..self.edge_links).map(|number| (number, self.link(number)))
    }

    /// Return the link with this number, which may be an addressed one.
    ///
    /// # Panics
    /// If the network has no such link; see [`Network::link_bound`].
    pub fn link(&self, i: u32) -> Link {
        if let Some(link) = self.wires.link(i) {
            return link;
        }
        assert!(i < self.link_bound(), "{} has no link {i}", self.topology);
        let (number, n) = (i - self.stored_links(), self.n());
        Link { from: ProcessId(number / n), to: ProcessId(number % n), from_port: NO_PORT, to_port: NO_PORT }
    }

    /// Return an exclusive upper bound of all link numbers: the number of stored links, plus n² in an addressable network.
    pub fn link_bound(&self) -> u32 {
        let addressed = if self.options.addressable {
            self.n() * self.n() // at most MAX_ADDRESSABLE², which fits
        } else {
            0
        };
        self.stored_links() + addressed
    }

    /// Return the ports of process `p`, numbered from 0 by their index in this slice.
    #[inline]
    pub fn ports(&self, p: ProcessId) -> Ports<'_> {
        self.wires.ports(p)
    }

    /// Return the number of ways in which all processes can number their ports. `None`: it is not below 2^64.
    pub fn port_numberings(&self) -> Option<u64> {
        assemble::numberings((0..self.n()).map(|p| self.degree(ProcessId(p))))
    }

    /// Return the topology without the numbering of its ports: `net.dot` for `numbered(net.dot, 7)`.
    pub fn unnumbered_topology(&self) -> &str {
        spec::numbered(self.topology()).map_or(self.topology(), |(inner, _)| inner)
    }

    /// Return the seed from which the ports are numbered. `None`: the topology or a given numbering determines their order.
    pub fn port_seed(&self) -> Option<u64> {
        match self.options.labels {
            Labels::Unoriented { seed } if self.port_numberings() != Some(1) => Some(seed),
            _ => None,
        }
    }

    /// Return the number of ports of process `p`.
    pub fn degree(&self, p: ProcessId) -> u32 {
        self.wires.degree(p)
    }

    /// Return the only outgoing link of process `p`, or [`NONE`] if none or several leave.
    #[inline]
    pub fn only_out(&self, p: ProcessId) -> u32 {
        let mut out = self.ports(p).into_iter().map(|port| port.out).filter(|out| *out != NONE);
        match (out.next(), out.next()) {
            (Some(only), None) => only,
            _ => NONE,
        }
    }

    /// Return whether ports and links are stored as a list. Otherwise they are computed from their numbers and need no memory.
    pub fn is_listed(&self) -> bool {
        matches!(self.wires, LinkTable::Listed { .. })
    }

    /// Return the port of `p` with this label.
    pub fn port_with_label(&self, p: ProcessId, label: Label) -> Option<u32> {
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

    /// Return the port opposite to `port` at process `p`: a message that arrives at `port` and keeps its direction leaves there.
    ///
    /// On a ring or line it is the other port, labelled or not; in an oriented mesh or torus, the port of the opposite direction.
    /// `None` at the end of a line, and in all other networks.
    pub fn opposite(&self, p: ProcessId, port: u32) -> Option<u32> {
        match self.kind {
            Kind::Ring | Kind::Line => (self.degree(p) == 2 && port < 2).then(|| 1 - port),
            Kind::Mesh { .. } | Kind::Torus { .. } => {
                let label = self.ports(p).get(port as usize)?.label?;
                self.port_with_label(p, label.mirrored(self.n())?)
            }
            _ => None,
        }
    }

    /// Return the port by which the process at the other end sees the link at `port` of process `p`.
    ///
    /// # Panics
    /// If `p` has no such port.
    pub fn far_end(&self, p: ProcessId, port: u32) -> u32 {
        let port = self.ports(p)[port as usize];
        if port.out == NONE { self.link(port.incoming).from_port } else { self.link(port.out).to_port }
    }

    /// Return the weight of the edge at a port. Without given weights they are 1, …, m in an order drawn from the seed: distinct,
    /// as algorithms for minimum spanning trees assume.
    ///
    /// # Panics
    /// If `p` has no such port.
    pub fn weight(&self, p: ProcessId, port: u32) -> i64 {
        let port = self.ports(p)[port as usize];
        self.edge_weight(self.edge_of(if port.out == NONE { port.incoming } else { port.out }))
    }

    /// Return the weight of the edge at a port, if the weights are given and not drawn.
    pub fn given_weight(&self, p: ProcessId, port: u32) -> Option<i64> {
        matches!(self.weights, Weights::Given(_)).then(|| self.weight(p, port))
    }

    /// Return the weights of all edges, in edge order, as [`Network::with_weights`] takes them.
    pub fn edge_weights(&self) -> Vec<i64> {
        (0..self.edge_count()).map(|edge| self.edge_weight(edge)).collect()
    }

    fn edge_weight(&self, edge: u32) -> i64 {
        self.weights.get(edge, self.edge_count())
    }

    /// Return the edge that a link belongs to.
    fn edge_of(&self, link: u32) -> u32 {
        match &self.pairing {
            Pairing::Single => link,
            Pairing::Paired => link / 2,
            Pairing::Mixed(edges) => edges[link as usize],
        }
    }

    /// Return the number of pairs of connected ports.
    fn edge_count(&self) -> u32 {
        match &self.pairing {
            Pairing::Single => self.edge_links,
            Pairing::Paired => self.edge_links / 2,
            Pairing::Mixed(edges) => edges.last().map_or(0, |last| last + 1),
        }
    }

    /// Return the number m of edges; of arcs if the network is directed. Self links are not counted.
    pub fn edges(&self) -> u32 {
        if self.directed() { self.edge_links } else { self.edge_count() }
    }

    /// Return whether some link lacks its reverse.
    pub fn directed(&self) -> bool {
        self.edge_links > 0 && self.pairing != Pairing::Paired
    }

    /// Iterate over the processes at the other ends of the ports of `p`, in port order; a process with several edges to `p` is
    /// repeated.
    pub fn neighbours(&self, p: ProcessId) -> impl ExactSizeIterator<Item = ProcessId> + '_ {
        self.ports(p).into_iter().map(|port| port.peer)
    }

    /// Return the first port of `p` that leads to `q`.
    pub fn port_to(&self, p: ProcessId, q: ProcessId) -> Option<u32> {
        if self.kind == Kind::Complete
            && let Some(link) = self.link_between(p, q)
        {
            return Some(self.link(link).from_port);
        }
        self.neighbours(p).position(|peer| peer == q).map(|k| k as u32)
    }

    /// Return all ports of `p` that lead to `q`, in ascending order.
    pub fn ports_to(&self, p: ProcessId, q: ProcessId) -> impl Iterator<Item = u32> + '_ {
        let known = match self.kind {
            Kind::Complete => self.link_between(p, q).map(|link| self.link(link).from_port),
            _ => None,
        };
        let all = self.neighbours(p).zip(0u32..).filter(move |(peer, _)| *peer == q).map(|(_, port)| port);
        // In a complete network, each process has one port for each other process.
        let most = if known.is_some() { 0 } else { usize::MAX };
        known.into_iter().chain(all.take(most))
    }

    /// Return the first link of an edge from `from` to `to`.
    pub fn link_between(&self, from: ProcessId, to: ProcessId) -> Option<u32> {
        if self.kind == Kind::Complete && self.pairing == Pairing::Paired && from != to {
            // Edges are listed as 0-1, 0-2, …, 1-2, …: their numbers are a formula.
            let (n, low, high) = (u64::from(self.n()), from.min(to).0, from.max(to).0);
            if u64::from(high) >= n {
                return None;
            }
            let before = u64::from(low) * (2 * n - u64::from(low) - 1) / 2;
            let edge = before as u32 + (high - low - 1);
            return Some(2 * edge + u32::from(from > to));
        }
        // Search from the side with fewer ports: the centre of a large star has many.

        if self.degree(from) <= self.degree(to) {
            let mut out = self.ports(from).into_iter().filter(|port| port.peer == to);
            out.find(|port| port.out != NONE).map(|port| port.out)
        } else {
            let mut into = self.ports(to).into_iter().filter(|port| port.peer == from);
            into.find(|port| port.incoming != NONE).map(|port| port.incoming)
        }
    }

    /// Return the link for a message from one process to another, both given by number. It is the first link of an edge between
    /// them, or the self link. In an addressable network it is otherwise the addressed link, which exists by its number only and
    /// takes no memory.
    pub fn link_to(&self, from: ProcessId, to: ProcessId) -> Option<u32> {
        if from == to {
            return self.self_link(from);
        }
        self.link_between(from, to)
            .or_else(|| self.options.addressable.then(|| self.stored_links() + from.0 * self.n() + to.0))
    }

    /// Return whether messages may use the link with this number. Addressed links parallel to a stored link are unused.
    pub fn is_used(&self, link: u32) -> bool {
        let Link { from, to, .. } = self.link(link);
        link < self.stored_links() || self.link_to(from, to) == Some(link)
    }

    /// Return the link of `p` to itself, if the network was built with self links.
    pub fn self_link(&self, p: ProcessId) -> Option<u32> {
        (self.options.self_links && p.0 < self.n()).then(|| self.edge_links + p.0)
    }

    /// Return the centre of a star.
    pub fn centre(&self) -> Option<ProcessId> {
        match self.kind {
            Kind::Star { centre } => Some(centre),
            _ => None,
        }
    }

    /// Return the root of a balanced tree, or the centre of a star.
    pub fn root(&self) -> Option<ProcessId> {
        match self.kind {
            Kind::Tree { .. } => Some(ProcessId(0)),
            _ => self.centre(),
        }
    }

    /// Return the number of rows of a mesh or torus.
    pub fn rows(&self) -> Option<u32> {
        match self.kind {
            Kind::Mesh { rows, .. } | Kind::Torus { rows, .. } => Some(rows),
            _ => None,
        }
    }

    /// Return the number of columns of a mesh or torus.
    pub fn columns(&self) -> Option<u32> {
        match self.kind {
            Kind::Mesh { columns, .. } | Kind::Torus { columns, .. } => Some(columns),
            _ => None,
        }
    }

    /// Return the dimension of a hypercube.
    pub fn dimension(&self) -> Option<u32> {
        match self.kind {
            Kind::Hypercube { dimension } => Some(dimension),
            _ => None,
        }
    }

    /// Return the ids by position.
    pub fn ids(&self) -> &[i64] {
        &self.ids.by_process
    }

    /// Return the id of process `p`.
    pub fn id(&self, p: ProcessId) -> i64 {
        self.ids.by_process[p.index()]
    }

    /// Return the process with this id; the first, if several share it.
    pub fn process_with_id(&self, id: i64) -> Option<ProcessId> {
        self.ids.process(id)
    }

    /// Return two processes that share an id: the first process with that id, and the first one to repeat an earlier id.
    pub fn duplicate_id(&self) -> Option<(ProcessId, ProcessId)> {
        self.ids.duplicate()
    }

    /// Return the same network with these ids, by position. Ids may repeat; whether they may is up to the algorithm.
    ///
    /// # Errors
    /// If there are more or fewer ids than processes.
    pub fn with_ids(self, ids: Vec<i64>) -> Result<Network, TopologyError> {
        if ids.len() != self.n() as usize {
            return Err(TopologyError::new(format!(
                "{} has {}, but {} given",
                self.topology,
                describe::counted(self.n() as usize, "process", "processes"),
                if ids.len() == 1 { "1 id is".to_string() } else { format!("{} ids are", ids.len()) },
            ))
            .hint("give one id per process, or write ascending, descending or random"));
        }
        Ok(Network { ids: Ids::new(ids), ..self })
    }

    /// Return the same network with these weights, in edge order.
    ///
    /// # Errors
    /// If there are more or fewer weights than edges.
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
            .hint("give one weight per edge"));
        }
        Ok(Network { weights: Weights::Given(weights), ..self })
    }

    /// Return whether these edges alone, each between any two processes and in either direction, connect the network.
    pub fn is_connected_by(&self, edges: impl Iterator<Item = (ProcessId, ProcessId)>) -> bool {
        let mut parts = petgraph::unionfind::UnionFind::new(self.n() as usize);
        let joins = edges.filter(|(a, b)| parts.union(a.index(), b.index())).count();
        joins + 1 >= self.n() as usize
    }

    /// Return remarks about the file that the network was read from: edges joined, weights scaled, lines taken as headings.
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// Return the names that a file gives to the processes; otherwise none.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Return the names from the file as ids.
    ///
    /// # Errors
    /// If the network has no names, or one of them is not an integer.
    pub fn ids_by_name(&self) -> Result<Vec<i64>, TopologyError> {
        if self.names.is_empty() {
            return Err(TopologyError::new(format!("the processes of {} have no names", self.topology))
                .hint("only a file names processes"));
        }
        let id = |name: &String| {
            name.parse().map_err(|_| {
                TopologyError::new(format!(
                    "the name «{}» is not an integer, so it cannot be an id",
                    text::excerpt(name)
                ))
                .hint("ids are a list such as 3,1,4,2, or ascending, descending or random")
            })
        };
        self.names.iter().map(id).collect()
    }

    /// Return the process with this name from a file.
    pub fn process_named(&self, name: &str) -> Option<ProcessId> {
        self.names.iter().position(|own| own == name).map(|p| ProcessId(p as u32))
    }

    /// Return why the weights of the file are not used, if it has weights that are not integers even after scaling.
    pub fn unusable_weights(&self) -> Option<&str> {
        self.notices.iter().find_map(|notice| match notice {
            Notice::UnusableWeights(reason) => Some(reason.as_str()),
            _ => None,
        })
    }

    /// Return the name that a file gives to process `p`.
    pub fn name(&self, p: ProcessId) -> Option<&str> {
        self.names.get(p.index()).map(String::as_str)
    }

    /// Return the network as a petgraph graph: node `p` carries the id of process `p`, and each link of an edge is an arc that
    /// carries its weight. Self links are omitted.
    pub fn to_graph(&self) -> petgraph::Graph<i64, i64> {
        let mut graph = petgraph::Graph::with_capacity(self.n() as usize, self.edge_links as usize);
        let nodes: Vec<_> = self.ids().iter().map(|&id| graph.add_node(id)).collect();
        for (i, link) in self.numbered_edge_links() {
            let weight = self.edge_weight(self.edge_of(i));
            graph.add_edge(nodes[link.from.index()], nodes[link.to.index()], weight);
        }
        graph
    }
}
