//! A network in the plane: the positions of its processes, and the paths of messages between them.

use super::layout::{self};
use super::svg::num;
use crate::ids::ProcessId;
use crate::network::{Direction, Kind, NO_PORT, Network, NetworkOptions, Spec, build};
use crate::render::picture::geometry::Position;
use crate::render::picture::geometry::circle_radius;
use crate::render::picture::geometry::unit_vector;
use crate::trace::Trace;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The maximum number of processes drawn: more vertices are indistinguishable.
pub const MOST_PROCESSES: usize = 2000;
/// If there are more edges than this, only those with messages in transit are drawn.
const MOST_EDGES: usize = 8000;

/// The number of straight segments that approximate a curve.
const CURVE: usize = 8;

const UP: (f64, f64) = (0.0, -1.0);

/// A channel from one process to another.
#[derive(Clone, Debug)]
pub struct DrawnChannel {
    pub from: ProcessId,
    pub to: ProcessId,
    /// The SVG path, from the rim of one vertex to that of the other.
    pub path: String,
    /// Its end, and its direction there.
    pub tip: Position,
    pub direction: (f64, f64),
    /// The position of its label, and the side with free space.
    pub label: Position,
    pub side: (f64, f64),
    /// Points on the path, from its beginning to its tip.
    pub points: Vec<Position>,
}

/// An edge between two linked processes.
#[derive(Clone, Debug)]
pub struct Edge {
    pub path: String,
    /// For a single direction: the end with the arrow head.
    pub one_way: Option<usize>,
}

#[derive(Clone, Debug)]
pub struct NetworkLayout {
    /// The radius of a vertex.
    pub radius: f64,
    pub places: Vec<Position>,
    /// The direction of the most free space for the label of a vertex.
    pub room: Vec<(f64, f64)>,
    pub edges: Vec<Edge>,
    pub ways: Vec<DrawnChannel>,
    way: FxHashMap<(ProcessId, ProcessId), usize>,
    /// Whether there are more edges than can be drawn.
    pub too_many_edges: bool,
}

/// Return the points of a curve.
fn curve(at: impl Fn(f64) -> Position) -> Vec<Position> {
    (0..=CURVE).map(|k| at(k as f64 / CURVE as f64)).collect()
}

/// Return a point of a Bézier curve.
fn bend(points: [Position; 4], t: f64) -> Position {
    let mix = |a: Position, b: Position| (a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t);
    let [a, b, c, d] = points;
    let (ab, bc, cd) = (mix(a, b), mix(b, c), mix(c, d));
    mix(mix(ab, bc), mix(bc, cd))
}

/// Return the distance of neighbours and the radius of vertices, in pixels, for `n` processes with this many ordered pairs of
/// neighbours.
fn size(n: usize, pairs: usize) -> (f64, f64) {
    let (distance, radius) = match n {
        0..=10 => (132.0, 19.0),
        11..=20 => (112.0, 17.0),
        21..=40 => (88.0, 14.0),
        41..=120 => (56.0, 10.0),
        121..=500 => (34.0, 6.5),
        _ => (20.0, 4.5),
    };
    // Where degrees are high, lines cross, and labels need space between them.
    let degree = pairs as f64 / n.max(1) as f64;
    (distance * (1.0 + 0.1 * (degree - 3.0)).clamp(1.0, 1.5), radius)
}

impl NetworkLayout {
    /// Lay out a network; `None` if it has too many processes.
    pub fn of(network: &Network) -> Option<NetworkLayout> {
        let n = network.n() as usize;
        if n > MOST_PROCESSES {
            return None;
        }
        let mut pairs: BTreeSet<(ProcessId, ProcessId)> = BTreeSet::new();
        // Self links have no port: every process of such a network has one, and it is not drawn as an edge.
        let links = network.links().filter(|link| link.from_port != NO_PORT);
        pairs.extend(links.map(|link| (link.from, link.to)));
        let (distance, radius) = size(n, pairs.len());
        let places: Vec<Position> =
            layout::places(network).into_iter().map(|(x, y)| (x * distance, y * distance)).collect();
        let mut stage = NetworkLayout::bare(places, radius);
        if network.kind() == Kind::Ring {
            stage.ring(&layout::path_order(network), &pairs, circle_radius(n) * distance, network.directed());
        } else {
            let wraps = |ProcessId(a): ProcessId, ProcessId(b): ProcessId| match network.kind() {
                Kind::Torus { rows, columns } => {
                    let apart = |a: u32, b: u32, all: u32| all > 2 && a.abs_diff(b) == all - 1;
                    apart(a / columns, b / columns, rows) || apart(a % columns, b % columns, columns)
                }
                _ => false,
            };
            stage.link(&pairs, &wraps);
        }
        Some(stage.finished())
    }

    /// Return the network that a trace names, as far as it is known. A graph from a file is only named in the trace; it shows the
    /// links on which messages were sent.
    pub fn from_trace(trace: &Trace) -> Option<NetworkLayout> {
        let sent = || trace.events.iter().flat_map(|e| e.sent.iter().map(|m| (e.process, m.peer)));
        let form =
            |direction| NetworkOptions { direction, seed: trace.header.seed, ..NetworkOptions::default() };
        let spec = Spec::parse(&trace.header.network).ok();
        let built = |direction| {
            let network = build(spec.as_ref()?, &form(direction)).ok()?;
            (network.n() as usize == trace.n()).then_some(network)
        };
        if let Some(network) = built(Direction::Bidirectional) {
            // A ring with messages in one direction only is drawn as unidirectional.
            let one_way = built(Direction::Unidirectional).filter(|ring| {
                let along = |(p, q): (ProcessId, ProcessId)| p == q || ring.link_between(p, q).is_some();
                ring.kind() == Kind::Ring && sent().next().is_some() && sent().all(along)
            });
            return NetworkLayout::of(one_way.as_ref().unwrap_or(&network));
        }
        if trace.n() > MOST_PROCESSES {
            return None;
        }
        let pairs: BTreeSet<(ProcessId, ProcessId)> = sent().filter(|(p, q)| p != q).collect();
        let mut neighbours: Vec<Vec<ProcessId>> = vec![Vec::new(); trace.n()];
        for (p, q) in &pairs {
            neighbours[p.index()].push(*q);
            neighbours[q.index()].push(*p);
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        let (distance, radius) = size(trace.n(), 2 * pairs.len());
        let places = layout::graph(&neighbours).into_iter().map(|(x, y)| (x * distance, y * distance));
        let mut stage = NetworkLayout::bare(places.collect(), radius);
        stage.link(&pairs, &|_, _| false);
        Some(stage.finished())
    }

    fn bare(places: Vec<Position>, radius: f64) -> NetworkLayout {
        let (edges, ways, way) = (Vec::new(), Vec::new(), FxHashMap::default());
        NetworkLayout { radius, places, room: Vec::new(), edges, ways, way, too_many_edges: false }
    }

    /// Return the channel from one process to another, if they are linked.
    pub fn channel(&self, from: ProcessId, to: ProcessId) -> Option<&DrawnChannel> {
        self.way.get(&(from, to)).map(|i| &self.ways[*i])
    }

    /// Return the channel, or a straight one between processes that reach each other by address.
    pub fn channel_or_straight(&self, from: ProcessId, to: ProcessId) -> DrawnChannel {
        self.channel(from, to).cloned().unwrap_or_else(|| match from == to {
            true => self.loop_at(from),
            false => self.straight(from, to, 4.0),
        })
    }

    fn add(&mut self, way: DrawnChannel) -> usize {
        let i = self.ways.len();
        self.way.entry((way.from, way.to)).or_insert(i);
        self.ways.push(way);
        i
    }

    /// Draw the edges of a ring as arcs of one circle.
    fn ring(
        &mut self,
        order: &[ProcessId],
        pairs: &BTreeSet<(ProcessId, ProcessId)>,
        radius: f64,
        directed: bool,
    ) {
        let n = order.len();
        if n == 1 {
            let only = self.loop_at(order[0]);
            let path = only.path.clone();
            let one_way = Some(self.add(only));
            self.edges.push(Edge { path, one_way });
            return;
        }
        for i in 0..n {
            let (a, b) = (order[i], order[(i + 1) % n]);
            // Two processes have two edges between them, and both pairs even if each edge has one direction.
            let two_ways = !directed && pairs.contains(&(a, b)) && pairs.contains(&(b, a));
            let offset = if two_ways { 4.0 } else { 0.0 };
            let forth = pairs.contains(&(a, b)).then(|| self.arc(a, b, (i, n), radius, offset, true));
            let back = (two_ways || !pairs.contains(&(a, b)))
                .then(|| self.arc(b, a, (i, n), radius, -offset, false));
            let base = self.arc(a, b, (i, n), radius, 0.0, true).path;
            let one_way = match (forth, back) {
                (Some(forth), None) => Some(self.add(forth)),
                (None, Some(back)) => Some(self.add(back)),
                (forth, back) => {
                    forth.into_iter().chain(back).for_each(|way| {
                        self.add(way);
                    });
                    None
                }
            };
            self.edges.push(Edge { path: base, one_way });
        }
    }

    /// Return the arc along the circle from the i-th to the next of n processes, or back.
    fn arc(
        &self,
        from: ProcessId,
        to: ProcessId,
        (i, n): (usize, usize),
        radius: f64,
        offset: f64,
        forth: bool,
    ) -> DrawnChannel {
        let r = radius + offset;
        let gap = (self.radius + 1.5) / (radius * std::f64::consts::TAU);
        let head = 1.5 / (radius * std::f64::consts::TAU);
        let (start, end) = (i as f64 / n as f64, (i + 1) as f64 / n as f64);
        let (t0, t1) = if forth { (start + gap, end - gap - head) } else { (end - gap, start + gap + head) };
        let at = |turns: f64, r: f64| {
            let (x, y) = unit_vector(turns);
            (r * x, r * y)
        };
        let (a, b, middle) = (at(t0, r), at(t1, r), at((t0 + t1) / 2.0, 1.0));
        let large = i32::from((t1 - t0).abs() > 0.5);
        let path = format!(
            "M{} {}A{} {} 0 {large} {} {} {}",
            num(a.0),
            num(a.1),
            num(r),
            num(r),
            i32::from(forth),
            num(b.0),
            num(b.1)
        );
        let tangent = unit_vector(t1 - head * 2.0);
        let sign = if forth { 1.0 } else { -1.0 };
        // The forward direction runs outside, the reverse direction inside.
        let reach = r + if forth { 7.0 } else { -7.0 };
        DrawnChannel {
            from,
            to,
            path,
            tip: b,
            direction: (-tangent.1 * sign, tangent.0 * sign),
            label: (middle.0 * reach, middle.1 * reach),
            side: (middle.0 * sign, middle.1 * sign),
            points: (0..=CURVE).map(|k| at(t0 + (t1 - t0) * k as f64 / CURVE as f64, r)).collect(),
        }
    }

    fn link(
        &mut self,
        pairs: &BTreeSet<(ProcessId, ProcessId)>,
        wraps: &dyn Fn(ProcessId, ProcessId) -> bool,
    ) {
        self.too_many_edges = pairs.len() > MOST_EDGES;
        if self.too_many_edges {
            return;
        }
        for (a, b) in pairs.iter().copied() {
            let both = pairs.contains(&(b, a));
            if both && b < a {
                continue;
            }
            if a == b {
                let way = self.loop_at(a);
                let path = way.path.clone();
                let one_way = Some(self.add(way));
                self.edges.push(Edge { path, one_way });
                continue;
            }
            let make = |stage: &NetworkLayout, from, to, offset| match wraps(from, to) {
                true => stage.around(from, to, offset),
                false => stage.straight(from, to, offset),
            };
            let base = make(self, a, b, 0.0);
            match both {
                true => {
                    let (forth, back) = (make(self, a, b, 4.0), make(self, b, a, 4.0));
                    let path = match wraps(a, b) {
                        true => base.path + &make(self, b, a, 0.0).path,
                        false => base.path,
                    };
                    self.add(forth);
                    self.add(back);
                    self.edges.push(Edge { path, one_way: None });
                }
                false => {
                    let path = match wraps(a, b) {
                        true => base.path.clone() + &make(self, b, a, 0.0).path,
                        false => base.path.clone(),
                    };
                    let one_way = Some(self.add(base));
                    self.edges.push(Edge { path, one_way });
                }
            }
        }
    }

    /// Return a straight line, shifted to its right-hand side; a curve if another process is in the way.
    fn straight(&self, from: ProcessId, to: ProcessId, offset: f64) -> DrawnChannel {
        let ((x0, y0), (x1, y1)) = (self.places[from.index()], self.places[to.index()]);
        let length = ((x1 - x0).powi(2) + (y1 - y0).powi(2)).sqrt().max(1.0);
        let (ux, uy) = ((x1 - x0) / length, (y1 - y0) / length);
        // The right-hand side of its direction, with y pointing down.
        let right = (-uy, ux);
        let blocked = |p: usize| {
            let (dx, dy) = (self.places[p].0 - x0, self.places[p].1 - y0);
            let (along, across) = (dx * ux + dy * uy, (dx * right.0 + dy * right.1).abs());
            along > 1.0 && along < length - 1.0 && across < self.radius + 3.0
        };
        let others = (0..self.places.len()).filter(|p| *p != from.index() && *p != to.index());
        let bulge = if self.places.len() <= 300 && others.clone().any(blocked) {
            // The same curve for both directions.
            (self.radius * 2.2).max(length * 0.16) * if from < to { 1.0 } else { -1.0 }
        } else {
            0.0
        };
        let middle =
            ((x0 + x1) / 2.0 + right.0 * (bulge + offset), (y0 + y1) / 2.0 + right.1 * (bulge + offset));
        let control = ((x0 + x1) / 2.0 + right.0 * 2.0 * bulge, (y0 + y1) / 2.0 + right.1 * 2.0 * bulge);
        let aim = |x: f64, y: f64| {
            let (dx, dy) = (control.0 - x, control.1 - y);
            let l = (dx * dx + dy * dy).sqrt().max(1e-6);
            (dx / l, dy / l)
        };
        let ((ax, ay), (bx, by)) = (aim(x0, y0), aim(x1, y1));
        let (near, far) = (self.radius + 1.5, self.radius + 3.0);
        let start = (x0 + ax * near + right.0 * offset, y0 + ay * near + right.1 * offset);
        let tip = (x1 + bx * far + right.0 * offset, y1 + by * far + right.1 * offset);
        let path = match bulge == 0.0 {
            true => format!("M{} {}L{} {}", num(start.0), num(start.1), num(tip.0), num(tip.1)),
            false => format!(
                "M{} {}Q{} {} {} {}",
                num(start.0),
                num(start.1),
                num(control.0),
                num(control.1),
                num(tip.0),
                num(tip.1)
            ),
        };
        // Labels are placed nearer to the sender, so that they do not collide where many lines cross in the middle.
        let back = if length > 3.2 * self.radius + 80.0 { length * 0.12 } else { 0.0 };
        let label = (middle.0 - ux * back + right.0 * 5.0, middle.1 - uy * back + right.1 * 5.0);
        let third = |(x, y): Position| (x + (control.0 - x) * 2.0 / 3.0, y + (control.1 - y) * 2.0 / 3.0);
        let points = match bulge == 0.0 {
            true => vec![start, tip],
            // The same curve with two control points instead of one.
            false => curve(|t| bend([start, third(start), third(tip), tip], t)),
        };
        DrawnChannel { from, to, path, tip, direction: (-bx, -by), label, side: right, points }
    }

    /// Return a line that leaves the picture on one side; it re-enters at the other end of the edge.
    fn around(&self, from: ProcessId, to: ProcessId, offset: f64) -> DrawnChannel {
        let ((x0, y0), (x1, y1)) = (self.places[from.index()], self.places[to.index()]);
        let length = ((x1 - x0).powi(2) + (y1 - y0).powi(2)).sqrt().max(1.0);
        let (ux, uy) = ((x0 - x1) / length, (y0 - y1) / length);
        let right = (-uy, ux);
        let at = |d: f64| (x0 + ux * d + right.0 * offset, y0 + uy * d + right.1 * offset);
        let (start, tip) = (at(self.radius + 1.5), at(self.radius + 36.0));
        DrawnChannel {
            from,
            to,
            path: format!("M{} {}L{} {}", num(start.0), num(start.1), num(tip.0), num(tip.1)),
            tip,
            direction: (ux, uy),
            label: (tip.0 - ux * 12.0 + right.0 * 5.0, tip.1 - uy * 12.0 + right.1 * 5.0),
            side: right,
            points: vec![start, tip],
        }
    }

    fn loop_at(&self, p: ProcessId) -> DrawnChannel {
        let (x, y) = self.places[p.index()];
        let r = self.radius;
        let (half, high) = (r * 0.45, r * 2.9);
        let tip = (x - half, y - r * 0.95);
        let start = (x + half, y - r * 0.95);
        let (out, back) = ((x + r * 1.9, y - high), (x - r * 1.9, y - high));
        let path = format!(
            "M{} {}C{} {} {} {} {} {}",
            num(start.0),
            num(start.1),
            num(out.0),
            num(out.1),
            num(back.0),
            num(back.1),
            num(tip.0),
            num(tip.1)
        );
        let points = curve(|t| bend([start, out, back, tip], t));
        let label = (x, y - r * 2.55);
        DrawnChannel { from: p, to: p, path, tip, direction: (0.6, 0.8), label, side: (0.0, -1.0), points }
    }

    /// Reserve space above the vertices if the run has messages from processes to themselves.
    pub fn for_run(self, trace: &Trace) -> NetworkLayout {
        let to_oneself = trace.events.iter().any(|e| e.sent.iter().any(|m| m.peer == e.process));
        if to_oneself { self.roomy(&[UP]) } else { self }
    }

    fn finished(self) -> NetworkLayout {
        self.roomy(&[])
    }

    /// Find the direction of the most free space for each vertex.
    fn roomy(mut self, taken: &[(f64, f64)]) -> NetworkLayout {
        let mut around: Vec<Vec<(f64, f64)>> = vec![taken.to_vec(); self.places.len()];
        for way in &self.ways {
            for (p, q) in [(way.from, way.to), (way.to, way.from)] {
                if p == q {
                    around[p.index()].push(UP);
                    continue;
                }
                let ((x0, y0), (x1, y1)) = (self.places[p.index()], self.places[q.index()]);
                let length = ((x1 - x0).powi(2) + (y1 - y0).powi(2)).sqrt().max(1.0);
                let wraps = way.from == p && {
                    let out = (way.tip.0 - x0) * (x1 - x0) + (way.tip.1 - y0) * (y1 - y0);
                    out < 0.0
                };
                let sign = if wraps { -1.0 } else { 1.0 };
                around[p.index()].push((sign * (x1 - x0) / length, sign * (y1 - y0) / length));
            }
        }
        self.room = around.iter().map(|others| roomiest(others)).collect();
        self
    }

    /// Return the least and greatest x and y of the vertices' centres.
    pub fn bounds(&self) -> (Position, Position) {
        let Some(first) = self.places.first().copied() else { return ((0.0, 0.0), (0.0, 0.0)) };
        self.places.iter().fold((first, first), |(low, high), (x, y)| {
            ((low.0.min(*x), low.1.min(*y)), (high.0.max(*x), high.1.max(*y)))
        })
    }
}

/// Return the direction, of sixteen, that is furthest from all occupied ones; of equally good ones the first in the preferred
/// order.
fn roomiest(taken: &[(f64, f64)]) -> (f64, f64) {
    let direction = |k: u32| unit_vector(f64::from(k) / 16.0);
    let nearest = |d: (f64, f64)| taken.iter().map(|t| d.0 * t.0 + d.1 * t.1).fold(-1.0, f64::max);
    // Labels below and above are preferred, then diagonal ones.
    let order = [8, 0, 6, 10, 2, 14, 4, 12, 7, 9, 1, 15, 5, 11, 3, 13];
    let best = order.into_iter().map(|k| (nearest(direction(k)), direction(k)));
    best.reduce(|a, b| if b.0 + 0.15 < a.0 { b } else { a }).map_or((0.0, 1.0), |(_, d)| d)
}
