//! Recognise the shape of a graph that was listed edge by edge, and label its ports accordingly.

use crate::ids::ProcessId;

use super::assemble::{AssemblyPlan, Edge, Weights, assemble};
use super::describe::counted;
use super::distance::{LinkDirections, Search};
use super::families::{grid, hypercube, line, ring};
use super::{Direction, Kind, NONE, Network, NetworkOptions, Requirement, TopologyError};

/// A graph as a member of a regular family: its edges, now labelled, and the original edge of each.
pub(super) struct Shape {
    kind: Kind,
    edges: Vec<Edge>,
    origin: Vec<u32>,
}

impl Network {
    /// Return the same network with the kind and port labels of a shape that it has: a ring listed by its edges gets the ports
    /// `left` and `right` of a ring. Processes keep their numbers, ids and names, and edges their weights; links and ports are
    /// renumbered. A ring is oriented from process 0 over its first port. A line starts at its end with the lower number. In a
    /// mesh the corner with the lowest number is in the north-west, and the lower of its neighbour corners in the north-east.
    ///
    /// # Errors
    /// The reason of [`Network::satisfies`] if the network does not have the shape.
    pub fn with_orientation(self, requirement: Requirement) -> Result<Network, String> {
        self.satisfies(requirement)?;
        if self.is_built_as(requirement) {
            return Ok(self);
        }
        match requirement {
            Requirement::Ring
            | Requirement::Line
            | Requirement::Star
            | Requirement::Mesh
            | Requirement::Hypercube => {
                let shape = self.recognise(requirement)?;
                let options = self.options;
                self.reassembled(shape, options).map_err(|error| error.to_string())
            }
            // These shapes have no labels to find.
            Requirement::Tree | Requirement::Complete | Requirement::Torus | Requirement::ConnectedGraph => {
                Ok(self)
            }
        }
    }

    /// [`Network::with_orientation`] for rings.
    ///
    /// # Errors
    /// If the network is not a ring.
    pub fn with_ring_orientation(self) -> Result<Network, String> {
        self.with_orientation(Requirement::Ring)
    }

    /// Orient an explicit undirected graph with one link for each edge: see [`Direction::Unidirectional`].
    pub(super) fn made_unidirectional(self) -> Result<Network, TopologyError> {
        let mut shape = match self.recognise(Requirement::Ring) {
            Ok(mut shape) => {
                let order: Vec<u32> = shape.edges.iter().map(|edge| edge.a).collect();
                shape.edges = ring(&order, Direction::Unidirectional);
                shape
            }
            Err(_) => {
                Shape { kind: self.kind, edges: self.edge_list(), origin: (0..self.edge_count()).collect() }
            }
        };
        shape.edges.iter_mut().for_each(|edge| edge.both = false);
        let options = NetworkOptions { direction: Direction::Unidirectional, ..self.options };
        self.reassembled(shape, options)
    }

    /// Return the network with the edges of a shape, each in the directions that the shape gives.
    fn reassembled(self, shape: Shape, options: NetworkOptions) -> Result<Network, TopologyError> {
        let weights = match &self.weights {
            drawn @ Weights::Drawn { .. } => drawn.clone(),
            Weights::Given(given) => {
                let moved = shape.origin.iter().map(|&edge| given[edge as usize]);
                Weights::Given(moved.collect())
            }
        };
        let plan = AssemblyPlan {
            n: self.n(),
            kind: shape.kind,
            topology: self.topology,
            edges: shape.edges,
            weights,
            names: self.names,
            notices: self.notices,
        };
        let as_listed = NetworkOptions { direction: Direction::Bidirectional, ..options };
        let mut network = assemble(plan, &as_listed)?;
        network.options = options;
        network.ids = self.ids;
        Ok(network)
    }

    /// Return the unlabelled edges, in order.
    fn edge_list(&self) -> Vec<Edge> {
        let mut edges: Vec<Edge> = Vec::with_capacity(self.edge_count() as usize);
        for (i, link) in self.numbered_edge_links() {
            if (self.edge_of(i) as usize) < edges.len() {
                edges[self.edge_of(i) as usize].both = true;
            } else {
                edges.push(Edge { both: false, ..Edge::plain(link.from.0, link.to.0) });
            }
        }
        edges
    }

    /// Return the network as a member of a family, or the reason why it is not one.
    pub(super) fn recognise(&self, requirement: Requirement) -> Result<Shape, String> {
        match requirement {
            Requirement::Ring => self.as_ring(),
            Requirement::Line => self.as_line(),
            Requirement::Star => self.as_star(),
            Requirement::Mesh => self.as_mesh(),
            Requirement::Hypercube => self.as_hypercube(),
            _ => Err("this shape is recognised only by its family".into()),
        }
    }

    fn as_ring(&self) -> Result<Shape, String> {
        let one_way = self.directed();
        for p in self.processes() {
            match self.degree(p) {
                2 => {}
                1 => return Err(format!("{} has one neighbour, not two", self.process_name(p))),
                k => return Err(format!("{} has {k} neighbours, not two", self.process_name(p))),
            }
            let leaves = self.ports(p).iter().filter(|port| port.out != NONE).count();
            if one_way && leaves != 1 {
                let p = self.process_name(p);
                return Err(format!("{p} can send to {leaves} of its two neighbours, not to one"));
            }
        }
        // Start at process 0 over its first port that sends; leave each process by the port opposite to the one of arrival.
        let first = self.ports(ProcessId(0)).iter().position(|port| port.out != NONE);
        let mut port = first.unwrap_or(0) as u32;
        let (mut p, mut order, mut origin) = (ProcessId(0), Vec::new(), Vec::new());
        loop {
            let link = self.link(self.ports(p)[port as usize].out);
            order.push(p.0);
            origin.push(self.edge_of(self.ports(p)[port as usize].out));
            (p, port) = (link.to, 1 - link.to_port);
            if p == ProcessId(0) {
                break;
            }
        }
        if order.len() < self.n() as usize {
            let rest = order.len();
            return Err(format!(
                "it is not connected: only {rest} of its {} processes are on the ring through {}",
                self.n(),
                self.process_name(ProcessId(0))
            ));
        }
        let direction = if one_way { Direction::Unidirectional } else { Direction::Bidirectional };
        let mut edges = ring(&order, direction);
        edges.iter_mut().for_each(|edge| edge.both = !one_way);
        Ok(Shape { kind: Kind::Ring, edges, origin })
    }

    fn as_line(&self) -> Result<Shape, String> {
        let order = self.line_order()?;
        self.shape(Kind::Line, line(&order))
    }

    /// Return the processes of a line, from the end with the lower number.
    fn line_order(&self) -> Result<Vec<u32>, String> {
        if let Some(p) = self.processes().find(|&p| self.degree(p) > 2) {
            let k = self.degree(p);
            return Err(format!(
                "{} has {k} neighbours, and a process of a line has at most two",
                self.process_name(p)
            ));
        }
        self.must_be_a_tree("a line")?;
        let start = self.processes().find(|&p| self.degree(p) < 2).unwrap_or_default();
        let mut search = Search::default();
        search.run(self, start, LinkDirections::Any);
        Ok(search.reached.iter().map(|p| p.0).collect())
    }

    fn as_star(&self) -> Result<Shape, String> {
        self.must_be_a_tree("a star")?;
        let Some(centre) = self.processes().find(|&p| self.degree(p) == self.n() - 1) else {
            return Err("no process is a neighbour of all others".into());
        };
        let edges = self.processes().filter(|&p| p != centre).map(|p| Edge::plain(centre.0, p.0));
        self.shape(Kind::Star { centre }, edges.collect())
    }

    fn as_mesh(&self) -> Result<Shape, String> {
        if let Ok(order) = self.line_order() {
            let columns = self.n();
            let kind = Kind::Mesh { rows: 1, columns };
            return self.shape(kind, grid(1, columns, false, |at| order[at as usize]));
        }
        self.must_be_simple()?;
        let corners: Vec<ProcessId> = self.processes().filter(|&p| self.degree(p) == 2).collect();
        let &[north_west, ref others @ ..] = &corners[..] else {
            return Err("no process has two neighbours, as the corners of a mesh have".into());
        };
        if others.len() != 3 {
            let k = corners.len();
            return Err(format!("{k} processes have two neighbours, and a mesh has four corners"));
        }
        let mut from_west = Search::default();
        from_west.run(self, north_west, LinkDirections::Any);
        let far = |p: &ProcessId| from_west.distance[p.index()];
        // The opposite corner is the farthest; of the other two, the first is taken as the eastern one.
        let opposite = *others.iter().max_by_key(|p| far(p)).unwrap_or(&north_west);
        let east = others.iter().find(|p| **p != opposite);
        let north_east = *east.unwrap_or(&north_west);
        let columns = far(&north_east).wrapping_add(1);
        if columns == 0 || !self.n().is_multiple_of(columns) {
            return Err(format!("{} processes do not fill rows of {columns}", self.n()));
        }
        let rows = self.n() / columns;
        let mut from_east = Search::default();
        from_east.run(self, north_east, LinkDirections::Any);
        // Distance from the west corner = steps south + steps east; from the east corner = steps south + steps west.
        let irregular = || "its edges do not form rows and columns".to_string();
        let mut at = vec![NONE; self.n() as usize];
        for p in self.processes() {
            let west = i64::from(from_west.distance[p.index()]);
            let east = i64::from(from_east.distance[p.index()]);
            let twice_column = west - east + i64::from(columns) - 1;
            let column = twice_column / 2;
            let row = west - column;
            let inside = (0..i64::from(rows)).contains(&row) && (0..i64::from(columns)).contains(&column);
            if twice_column % 2 != 0 || !inside {
                return Err(irregular());
            }
            at[(row * i64::from(columns) + column) as usize] = p.0;
        }
        if at.contains(&NONE) {
            return Err(irregular());
        }
        let edges = grid(rows, columns, false, |place| at[place as usize]);
        if edges.len() != self.edge_count() as usize {
            return Err(irregular());
        }
        self.shape(Kind::Mesh { rows, columns }, edges).map_err(|_| irregular())
    }

    fn as_hypercube(&self) -> Result<Shape, String> {
        let n = self.n();
        if !n.is_power_of_two() {
            return Err(format!("{n} processes are not a power of two"));
        }
        let dimension = n.trailing_zeros();
        for p in self.processes() {
            let k = self.degree(p);
            if k != dimension {
                return Err(format!(
                    "{} has {}, not {dimension}",
                    self.process_name(p),
                    counted(k as usize, "neighbour", "neighbours")
                ));
            }
        }
        self.must_be_simple()?;
        // Process 0 is corner 0, and its neighbours are the corners with one bit set. Each corner farther away is the union of
        // the corners before it.
        let mut search = Search::default();
        search.run(self, ProcessId(0), LinkDirections::Any);
        let mut corner = vec![0u32; n as usize];
        for (k, p) in self.neighbours(ProcessId(0)).enumerate() {
            corner[p.index()] = 1 << k;
        }
        for &p in &search.reached {
            let depth = search.distance[p.index()];
            if depth >= 2 {
                let before = |q: &ProcessId| search.distance[q.index()] < depth;
                let union = |bits, q: ProcessId| bits | corner[q.index()];
                corner[p.index()] = self.neighbours(p).filter(before).fold(0, union);
            }
        }
        let mut process = vec![NONE; n as usize];
        for p in self.processes() {
            process[corner[p.index()] as usize] = p.0;
        }
        let irregular = || "its edges are not those of a hypercube".to_string();
        if process.contains(&NONE) {
            return Err(irregular());
        }
        let edges = hypercube(dimension, |corner| process[corner as usize]);
        self.shape(Kind::Hypercube { dimension }, edges).map_err(|_| irregular())
    }

    /// Return the shape with these edges, all of which must exist, in any direction. There must be no parallel edges.
    fn shape(&self, kind: Kind, mut edges: Vec<Edge>) -> Result<Shape, String> {
        let mut origin = Vec::with_capacity(edges.len());
        for edge in &mut edges {
            let forth = self.link_between(ProcessId(edge.a), ProcessId(edge.b));
            let back = self.link_between(ProcessId(edge.b), ProcessId(edge.a));
            edge.both = forth.is_some() && back.is_some();
            if forth.is_none() {
                std::mem::swap(&mut edge.a, &mut edge.b);
                std::mem::swap(&mut edge.label_a, &mut edge.label_b);
            }
            let link = forth.or(back).ok_or("an edge is missing")?;
            origin.push(self.edge_of(link));
        }
        Ok(Shape { kind, edges, origin })
    }
}
