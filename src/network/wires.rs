//! Ports and links by number: listed, or computed from the numbers on an oriented ring.

use crate::ids::ProcessId;

use super::{Direction, Label, Link, NONE, Port};
use std::ops::Deref;

/// The storage of ports and links.
#[derive(Clone, Debug)]
pub(super) enum LinkTable {
    /// Any network, in flat vectors.
    Listed {
        /// The ports of `p` are `ports[first_port[p] .. first_port[p + 1]]`.
        first_port: Vec<u32>,
        ports: Vec<Port>,
        /// The links of the edges, in edge order, then the self links.
        links: Vec<Link>,
    },
    /// A ring with labelled ports: it needs no memory, even for a million processes.
    Ring(Ring),
}

impl LinkTable {
    pub fn n(&self) -> u32 {
        match self {
            LinkTable::Listed { first_port, .. } => first_port.len() as u32 - 1,
            LinkTable::Ring(ring) => ring.n,
        }
    }

    /// Return the number of stored links.
    #[inline]
    pub fn links(&self) -> u32 {
        match self {
            LinkTable::Listed { links, .. } => links.len() as u32,
            LinkTable::Ring(ring) => ring.links(),
        }
    }

    /// Return the stored link with this number.
    #[inline]
    pub fn link(&self, number: u32) -> Option<Link> {
        match self {
            LinkTable::Listed { links, .. } => links.get(number as usize).copied(),
            LinkTable::Ring(ring) => (number < ring.links()).then(|| ring.link(number)),
        }
    }

    #[inline]
    pub fn ports(&self, p: ProcessId) -> Ports<'_> {
        match self {
            LinkTable::Listed { first_port, ports, .. } => {
                let p = p.index();
                Ports(View::Listed(&ports[first_port[p] as usize..first_port[p + 1] as usize]))
            }
            LinkTable::Ring(ring) => Ports(View::Two(ring.ports(p))),
        }
    }

    #[inline]
    pub fn degree(&self, p: ProcessId) -> u32 {
        match self {
            LinkTable::Listed { first_port, .. } => first_port[p.index() + 1] - first_port[p.index()],
            LinkTable::Ring(_) => 2,
        }
    }
}

/// The ports of a process as a slice, numbered from 0 by their index.
#[derive(Clone, Copy, Debug)]
pub struct Ports<'a>(View<'a>);

#[derive(Clone, Copy, Debug)]
enum View<'a> {
    Listed(&'a [Port]),
    Two([Port; 2]),
}

impl Deref for Ports<'_> {
    type Target = [Port];

    #[inline]
    fn deref(&self) -> &[Port] {
        match &self.0 {
            View::Listed(ports) => ports,
            View::Two(ports) => ports,
        }
    }
}

impl<'a> IntoIterator for Ports<'a> {
    type Item = Port;
    type IntoIter = PortsIter<'a>;

    fn into_iter(self) -> PortsIter<'a> {
        PortsIter { ports: self, next: 0 }
    }
}

/// An iterator over the ports of a process.
#[derive(Clone, Debug)]
pub struct PortsIter<'a> {
    ports: Ports<'a>,
    next: usize,
}

impl Iterator for PortsIter<'_> {
    type Item = Port;

    #[inline]
    fn next(&mut self) -> Option<Port> {
        let port = self.ports.get(self.next).copied();
        self.next += 1;
        port
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.ports.len().saturating_sub(self.next);
        (left, Some(left))
    }
}

impl ExactSizeIterator for PortsIter<'_> {}

/// The ring of the processes 0, 1, …, n - 1, in this order downstream, or to the right. Edge `e` leads from process `e` to the
/// next. Links and ports are numbered as `assemble` does for any list of edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ring {
    n: u32,
    direction: Direction,
}

impl Ring {
    /// Create a ring of `n` ≥ 1 processes.
    pub fn new(n: u32, direction: Direction) -> Ring {
        Ring { n, direction }
    }

    pub fn links(&self) -> u32 {
        match self.direction {
            Direction::Unidirectional => self.n,
            Direction::Bidirectional => 2 * self.n,
        }
    }

    #[inline]
    fn after(&self, p: u32) -> ProcessId {
        ProcessId(if p + 1 == self.n { 0 } else { p + 1 })
    }

    #[inline]
    fn before(&self, p: u32) -> ProcessId {
        ProcessId(if p == 0 { self.n - 1 } else { p - 1 })
    }

    #[inline]
    fn link(&self, number: u32) -> Link {
        match self.direction {
            // Port 0 is `next`, port 1 is `prev`.
            Direction::Unidirectional => {
                Link { from: ProcessId(number), to: self.after(number), from_port: 0, to_port: 1 }
            }
            // Port 0 is `left`, port 1 is `right`.
            Direction::Bidirectional => {
                let (here, there) = (ProcessId(number / 2), self.after(number / 2));
                if number.is_multiple_of(2) {
                    Link { from: here, to: there, from_port: 1, to_port: 0 }
                } else {
                    Link { from: there, to: here, from_port: 0, to_port: 1 }
                }
            }
        }
    }

    #[inline]
    fn ports(&self, ProcessId(p): ProcessId) -> [Port; 2] {
        assert!(p < self.n, "a ring of {} processes has no process {p}", self.n);
        let (before, after) = (self.before(p), self.after(p));
        match self.direction {
            Direction::Unidirectional => [
                Port { label: Some(Label::Next), peer: after, out: p, incoming: NONE },
                Port { label: Some(Label::Prev), peer: before, out: NONE, incoming: before.0 },
            ],
            Direction::Bidirectional => [
                Port {
                    label: Some(Label::Left),
                    peer: before,
                    out: 2 * before.0 + 1,
                    incoming: 2 * before.0,
                },
                Port { label: Some(Label::Right), peer: after, out: 2 * p, incoming: 2 * p + 1 },
            ],
        }
    }
}
