//! Positions of processes in a picture of their network: layouts that show the structure, in units of a link.

use super::force::stress;
use crate::ids::ProcessId;
use crate::network::{Kind, Label, Network};
use crate::render::picture::geometry::Position;
use crate::render::picture::geometry::circle;
use crate::render::picture::geometry::circle_radius;
use crate::render::picture::geometry::distances;
use crate::render::picture::geometry::unit_vector;
use rustc_hash::FxHashMap;

/// Longer lines are drawn as a winding path.
const LONGEST_LINE: usize = 14;
/// In larger networks without a visible structure, the processes are placed on a circle.
const MOST_FOR_STRESS: usize = 300;

/// Return the processes of a ring or line in their order along it.
pub fn path_order(network: &Network) -> Vec<ProcessId> {
    let ends = |p: &ProcessId| network.kind() == Kind::Line && network.degree(*p) <= 1;
    let mut order = vec![network.processes().find(ends).unwrap_or_default()];
    let mut seen = vec![false; network.n() as usize];
    seen[order[0].index()] = true;
    while let Some(last) = order.last().copied() {
        let forth = |label: Option<Label>| matches!(label, Some(Label::Next | Label::Right));
        let ports = network.ports(last);
        let on = ports.into_iter().filter(|port| forth(port.label)).chain(ports);
        match on.map(|port| port.peer).find(|q| !seen[q.index()]) {
            Some(next) => {
                seen[next.index()] = true;
                order.push(next);
            }
            None => break,
        }
    }
    order.extend(network.processes().filter(|p| !seen[p.index()]));
    order
}

pub fn places(network: &Network) -> Vec<Position> {
    let n = network.n() as usize;
    match network.kind() {
        Kind::Ring | Kind::Complete => circle(&walk_of(network)),
        Kind::Line => line(&path_order(network)),
        Kind::Star { centre } => star(n, centre),
        Kind::Tree { .. } => tree(&neighbours(network), ProcessId(0)),
        Kind::Mesh { columns, .. } => grid(n, columns as usize, 1.0),
        Kind::Torus { columns, .. } => grid(n, columns as usize, 1.15),
        Kind::Hypercube { dimension } => hypercube(n, dimension),
        Kind::Petersen => petersen(),
        Kind::RandomTree | Kind::Random | Kind::Explicit => graph(&neighbours(network)),
    }
}

fn walk_of(network: &Network) -> Vec<ProcessId> {
    match network.kind() {
        Kind::Ring => path_order(network),
        _ => network.processes().collect(),
    }
}

/// Lay out any graph: a tree in levels, other graphs by stress.
pub fn graph(neighbours: &[Vec<ProcessId>]) -> Vec<Position> {
    let n = neighbours.len();
    let edges: usize = neighbours.iter().map(Vec::len).sum::<usize>() / 2;
    let reached = distances(neighbours, ProcessId(0)).iter().filter(|d| **d < u32::MAX).count();
    match (edges + 1 == n && reached == n, n <= MOST_FOR_STRESS) {
        (true, _) => tree(neighbours, centre(neighbours)),
        (false, true) => stress(neighbours),
        (false, false) => circle(&(0..n as u32).map(ProcessId).collect::<Vec<_>>()),
    }
}

/// Return the neighbours of each process in either direction, without itself and without repetitions.
pub fn neighbours(network: &Network) -> Vec<Vec<ProcessId>> {
    let of = |p: ProcessId| {
        let mut list: Vec<ProcessId> = network.neighbours(p).filter(|q| *q != p).collect();
        list.sort_unstable();
        list.dedup();
        list
    };
    network.processes().map(of).collect()
}

/// Return the process of least eccentricity: the middle of a longest path of a tree.
fn centre(neighbours: &[Vec<ProcessId>]) -> ProcessId {
    let processes = || (0..neighbours.len() as u32).map(ProcessId);
    let furthest = |from: ProcessId| {
        let distance = distances(neighbours, from);
        let farthest = processes().zip(distance).max_by_key(|(p, d)| (*d, std::cmp::Reverse(*p)));
        farthest.map_or(ProcessId(0), |(p, _)| p)
    };
    let (a, b) = (furthest(furthest(ProcessId(0))), furthest(ProcessId(0)));
    let (from_a, from_b) = (distances(neighbours, a), distances(neighbours, b));
    let worst = |p: &ProcessId| (from_a[p.index()].max(from_b[p.index()]), *p);
    processes().min_by_key(worst).unwrap_or_default()
}

fn line(order: &[ProcessId]) -> Vec<Position> {
    let n = order.len();
    let row = match n <= LONGEST_LINE {
        true => n.max(1),
        // Twice as wide as high.
        false => ((2.0 * n as f64).sqrt().ceil() as usize).max(2),
    };
    let mut places = vec![(0.0, 0.0); n];
    for (i, p) in order.iter().enumerate() {
        let (line, at) = (i / row, i % row);
        let at = if line % 2 == 0 { at } else { row - 1 - at };
        places[p.index()] = (at as f64, line as f64);
    }
    places
}

fn star(n: usize, centre: ProcessId) -> Vec<Position> {
    let leaves: Vec<ProcessId> = (0..n as u32).map(ProcessId).filter(|p| *p != centre).collect();
    let radius = circle_radius(leaves.len()).max(1.15);
    let mut places = vec![(0.0, 0.0); n];
    for (i, p) in leaves.iter().enumerate() {
        let (x, y) = unit_vector(i as f64 / leaves.len() as f64);
        places[p.index()] = (radius * x, radius * y);
    }
    places
}

/// Lay out a tree in levels, parents above the middle of their children.
fn tree(neighbours: &[Vec<ProcessId>], root: ProcessId) -> Vec<Position> {
    let n = neighbours.len();
    let depth = distances(neighbours, root);
    let mut order: Vec<ProcessId> = Vec::with_capacity(n);
    let mut parent = vec![root; n];
    let mut stack = vec![root];
    // Depth first without recursion: a line is a tree as deep as it is long.
    while let Some(p) = stack.pop() {
        order.push(p);
        for q in neighbours[p.index()].iter().rev().filter(|q| depth[q.index()] > depth[p.index()]) {
            parent[q.index()] = p;
            stack.push(*q);
        }
    }
    let mut children: FxHashMap<ProcessId, (f64, f64)> = FxHashMap::default();
    let mut x = vec![0.0; n];
    let mut slot = 0.0;
    for p in &order {
        let leaf = !neighbours[p.index()].iter().any(|q| depth[q.index()] > depth[p.index()]);
        if leaf {
            x[p.index()] = slot;
            slot += 1.0;
        }
    }
    for p in order.iter().rev() {
        if let Some((first, last)) = children.get(p) {
            x[p.index()] = (first + last) / 2.0;
        }
        let own = x[p.index()];
        let span = children.entry(parent[p.index()]).or_insert((own, own));
        *span = (span.0.min(own), span.1.max(own));
    }
    (0..n).map(|p| (x[p], 1.05 * f64::from(depth[p]))).collect()
}

fn grid(n: usize, columns: usize, distance: f64) -> Vec<Position> {
    let columns = columns.max(1);
    (0..n).map(|p| (distance * (p % columns) as f64, distance * (p / columns) as f64)).collect()
}

/// Lay out a hypercube: a cube is a square and its shifted copy; the next dimension doubles it again.
fn hypercube(n: usize, dimension: u32) -> Vec<Position> {
    let aside = |d: u32| match d {
        0 => (1.6, 0.0),
        1 => (0.0, -1.45),
        2 => (0.8, -0.6),
        3 => (3.5, 0.75),
        4 => (0.75, 3.7),
        d => (7.8 * f64::from(d - 4), 1.0),
    };
    let place = |p: usize| {
        let bits = (0..dimension).filter(|d| p >> d & 1 == 1).map(aside);
        bits.fold((0.0, 0.0), |(x, y), (dx, dy)| (x + dx, y + dy))
    };
    (0..n).map(place).collect()
}

/// Lay out the Petersen graph: a pentagon around a star.
fn petersen() -> Vec<Position> {
    let place = |p: usize| {
        let (x, y) = unit_vector((p % 5) as f64 / 5.0);
        let radius = if p < 5 { 1.75 } else { 0.88 };
        (radius * x, radius * y)
    };
    (0..10).map(place).collect()
}
