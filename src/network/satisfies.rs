//! Check whether a network has the form that an algorithm assumes, and if not, explain why.

use crate::ids::ProcessId;
use std::fmt;

use super::describe::counted;
use super::distance::{LinkDirections, Search};
use super::{Direction, Kind, Link, NO_PORT, NONE, Network};

/// The topologies that an algorithm can assume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Requirement {
    Ring,
    Line,
    Star,
    Tree,
    Complete,
    Mesh,
    Torus,
    Hypercube,
    ConnectedGraph,
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Requirement::Ring => "ring",
            Requirement::Line => "line",
            Requirement::Star => "star",
            Requirement::Tree => "tree",
            Requirement::Complete => "complete network",
            Requirement::Mesh => "mesh",
            Requirement::Torus => "torus",
            Requirement::Hypercube => "hypercube",
            Requirement::ConnectedGraph => "connected graph",
        })
    }
}

impl Network {
    /// Check that the network has this form. Its structure counts, not how it was written: `complete(2)` is a line, and
    /// `edges(0-1, 1-2, 2-0)` a ring. A torus is recognised by its family only.
    ///
    /// Under [`Direction::Bidirectional`] a graph with one-way links has none of these forms. Under [`Direction::Unidirectional`]
    /// the links of a ring must form one directed cycle; other forms do not depend on the direction of their links.
    ///
    /// # Errors
    /// The reason, such as «line(4) is not a ring: p0 has one neighbour, not two».
    pub fn satisfies(&self, requirement: Requirement) -> Result<(), String> {
        if self.is_built_as(requirement) {
            return Ok(());
        }
        self.structure(requirement).map_err(|reason| {
            let topology = self.topology();
            format!("{topology} is not a {requirement}: {reason}")
        })
    }

    /// Return whether the network was built as a member of this family.
    pub(super) fn is_built_as(&self, requirement: Requirement) -> bool {
        match (requirement, self.kind) {
            (Requirement::Ring, Kind::Ring)
            | (Requirement::Line, Kind::Line)
            | (Requirement::Star, Kind::Star { .. })
            | (Requirement::Tree, Kind::Tree { .. } | Kind::RandomTree | Kind::Line | Kind::Star { .. })
            | (Requirement::Complete, Kind::Complete)
            | (Requirement::Mesh, Kind::Mesh { .. })
            | (Requirement::Torus, Kind::Torus { .. })
            | (Requirement::Hypercube, Kind::Hypercube { .. }) => true,
            (Requirement::ConnectedGraph, kind) => kind != Kind::Explicit,
            _ => false,
        }
    }

    fn structure(&self, requirement: Requirement) -> Result<(), String> {
        if self.options.direction == Direction::Bidirectional {
            self.must_be_undirected()?;
        }
        match requirement {
            Requirement::Ring
            | Requirement::Line
            | Requirement::Star
            | Requirement::Mesh
            | Requirement::Hypercube => self.recognise(requirement).map(|_| ()),
            Requirement::Tree => self.must_be_a_tree("a tree"),
            Requirement::Complete => self.must_be_complete(),
            Requirement::Torus => {
                Err("a torus is recognised only when written as such, as in torus(3, 4)".into())
            }
            Requirement::ConnectedGraph => self.must_be_connected(),
        }
    }

    fn must_be_undirected(&self) -> Result<(), String> {
        let one_way = |link: &Link| {
            link.from_port != NO_PORT && self.ports(link.from)[link.from_port as usize].incoming == NONE
        };
        match self.links().find(one_way) {
            Some(link) => {
                let (p, q) = (self.process_name(link.from), self.process_name(link.to));
                Err(format!("{p} can send to {q}, but {q} not to {p}"))
            }
            None => Ok(()),
        }
    }

    fn must_be_connected(&self) -> Result<(), String> {
        if self.is_connected() {
            return Ok(());
        }
        let mut search = Search::default();
        search.run(self, ProcessId(0), LinkDirections::Any);
        let apart = search.distance.iter().position(|d| *d == NONE);
        let apart = self.process_name(ProcessId(apart.unwrap_or(0) as u32));
        Err(format!(
            "it is not connected: there is no path from {} to {apart}",
            self.process_name(ProcessId(0))
        ))
    }

    /// Check that the network is a tree; `form` names, in the reason, the form that cannot have a cycle.
    pub(super) fn must_be_a_tree(&self, form: &str) -> Result<(), String> {
        self.must_be_connected()?;
        let (n, m) = (self.n(), self.edge_count());
        if m + 1 != n {
            return Err(format!(
                "it has a cycle: {form} of {n} processes has {}, not {m}",
                counted(n as usize - 1, "edge", "edges")
            ));
        }
        Ok(())
    }

    /// Return whether there are no self loops and no parallel edges.
    pub fn is_simple(&self) -> bool {
        self.must_be_simple().is_ok()
    }

    /// Check that there are no self loops and no parallel edges.
    pub(super) fn must_be_simple(&self) -> Result<(), String> {
        let mut seen_from = vec![None; self.n() as usize];
        for p in self.processes() {
            for q in self.neighbours(p) {
                if q == p {
                    return Err(format!("{} has an edge to itself", self.process_name(p)));
                }
                if seen_from[q.index()] == Some(p) {
                    let (p, q) = (self.process_name(p), self.process_name(q));
                    return Err(format!("{p} and {q} are joined by more than one edge"));
                }
                seen_from[q.index()] = Some(p);
            }
        }
        Ok(())
    }

    fn must_be_complete(&self) -> Result<(), String> {
        self.must_be_simple()?;
        match self.processes().find(|&p| self.degree(p) + 1 < self.n()) {
            Some(p) => {
                let (k, others) = (self.degree(p), self.n() - 1);
                Err(format!("{} has {k} of the {others} other processes as neighbours", self.process_name(p)))
            }
            None => Ok(()),
        }
    }

    /// Return the first process with an edge to itself.
    pub fn first_loop(&self) -> Option<ProcessId> {
        self.processes().find(|&p| self.neighbours(p).any(|q| q == p))
    }

    /// Return the name of a process in a message: its name from a file, or `p0`.
    pub fn process_name(&self, p: ProcessId) -> String {
        self.name(p).map_or_else(|| p.to_string(), str::to_string)
    }
}
