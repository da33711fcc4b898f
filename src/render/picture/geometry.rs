//! Places in the plane, and distances in a graph.

use crate::ids::ProcessId;
use std::collections::VecDeque;

pub type Position = (f64, f64);

/// Return cosine and sine of an angle in turns, clockwise from the top, with y pointing down. The result is the same on every
/// machine, which the system's functions do not guarantee.
pub fn unit_vector(turns: f64) -> Position {
    let turns = turns - turns.floor();
    let quarter = (turns * 4.0).floor();
    let x = (turns * 4.0 - quarter) * std::f64::consts::FRAC_PI_2;
    let (mut sin, mut cos, mut term) = (0.0, 0.0, 1.0);
    for k in 0..24 {
        match k % 4 {
            0 => cos += term,
            1 => sin += term,
            2 => cos -= term,
            _ => sin -= term,
        }
        term *= x / f64::from(k + 1);
    }
    match quarter as u32 % 4 {
        0 => (sin, -cos),
        1 => (cos, sin),
        2 => (-sin, cos),
        _ => (-cos, -sin),
    }
}

/// Place processes on a circle, the first at the top, clockwise, with neighbours at distance 1.
pub fn circle(order: &[ProcessId]) -> Vec<Position> {
    let n = order.len();
    let radius = circle_radius(n);
    let mut places = vec![(0.0, 0.0); n];
    for (i, p) in order.iter().enumerate() {
        let (x, y) = unit_vector(i as f64 / n as f64);
        places[p.index()] = (radius * x, radius * y);
    }
    places
}

/// Return the radius of a circle with `n` processes at distance 1.
pub fn circle_radius(n: usize) -> f64 {
    match n {
        0 | 1 => 0.0,
        2 => 0.62,
        n => 0.5 / unit_vector(0.5 / n as f64).0,
    }
}

/// Return the distance of each process from one; `u32::MAX` if there is no path.
pub fn distances(neighbours: &[Vec<ProcessId>], from: ProcessId) -> Vec<u32> {
    let mut distance = vec![u32::MAX; neighbours.len()];
    let Some(first) = distance.get_mut(from.index()) else { return distance };
    *first = 0;
    let mut queue = VecDeque::from([from]);
    while let Some(p) = queue.pop_front() {
        for q in &neighbours[p.index()] {
            if distance[q.index()] == u32::MAX {
                distance[q.index()] = distance[p.index()] + 1;
                queue.push_back(*q);
            }
        }
    }
    distance
}
