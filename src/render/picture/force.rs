//! Layout of graphs without a regular form: the distance of two processes approximates the number of links between them.
//!
//! Stress majorization: Gansner, Koren and North, «Graph drawing by stress majorization», 2004. Each position in turn is moved to
//! where its forces are balanced, which never increases the stress.

use super::geometry::{Position, circle, distances};
use crate::ids::ProcessId;

const SWEEPS: usize = 160;

pub fn stress(neighbours: &[Vec<ProcessId>]) -> Vec<Position> {
    let index: Vec<ProcessId> = (0..neighbours.len() as u32).map(ProcessId).collect();
    let apart: Vec<Vec<f64>> = index.iter().map(|p| lengths(&distances(neighbours, *p))).collect();
    // The result depends on the start: take the best of several orders on a circle.
    let by_distance = |from: ProcessId| {
        let distance = distances(neighbours, from);
        let mut order = index.clone();
        order.sort_by_key(|p| (distance[p.index()], *p));
        order
    };
    let fanned = |order: Vec<ProcessId>| {
        // Neighbours in the order alternate sides, so that near processes are near on the circle.
        let (even, odd): (Vec<_>, Vec<_>) = order.iter().enumerate().partition(|(i, _)| i % 2 == 0);
        even.into_iter().chain(odd.into_iter().rev()).map(|(_, p)| *p).collect::<Vec<ProcessId>>()
    };
    let furthest = by_distance(ProcessId(0)).last().copied().unwrap_or_default();
    let starts = [index.clone(), fanned(by_distance(ProcessId(0))), fanned(by_distance(furthest))];
    let tries = starts.into_iter().map(|order| settle(circle(&order), &apart));
    let best = tries
        .map(|places| (cost(&places, &apart), places))
        .reduce(|a, b| if b.0 + 1e-6 < a.0 { b } else { a });
    best.map_or_else(Vec::new, |(_, places)| spread(level(places)))
}

/// Components that are not connected are placed a little further apart than the greatest distance within one.
fn lengths(distances: &[u32]) -> Vec<f64> {
    let furthest = distances.iter().filter(|d| **d < u32::MAX).max().copied().unwrap_or_default();
    let length = |d: &u32| if *d == u32::MAX { f64::from(furthest + 2) } else { f64::from(*d) };
    distances.iter().map(length).collect()
}

fn settle(mut places: Vec<Position>, apart: &[Vec<f64>]) -> Vec<Position> {
    let n = places.len();
    for _ in 0..SWEEPS {
        for i in 0..n {
            let (mut x, mut y, mut weights) = (0.0, 0.0, 0.0);
            for j in (0..n).filter(|j| *j != i) {
                let d = apart[i][j].max(apart[j][i]);
                let (dx, dy) = (places[i].0 - places[j].0, places[i].1 - places[j].1);
                let length = (dx * dx + dy * dy).sqrt().max(1e-9);
                let weight = 1.0 / (d * d);
                x += weight * (places[j].0 + d * dx / length);
                y += weight * (places[j].1 + d * dy / length);
                weights += weight;
            }
            if weights > 0.0 {
                places[i] = (x / weights, y / weights);
            }
        }
    }
    places
}

fn cost(places: &[Position], apart: &[Vec<f64>]) -> f64 {
    let mut cost = 0.0;
    for i in 0..places.len() {
        for j in 0..i {
            let (dx, dy) = (places[i].0 - places[j].0, places[i].1 - places[j].1);
            let miss = (dx * dx + dy * dy).sqrt() / apart[i][j].max(apart[j][i]) - 1.0;
            cost += miss * miss;
        }
    }
    cost
}

/// Rotate the layout so that it is wider than high: the longest extent is horizontal.
fn level(places: Vec<Position>) -> Vec<Position> {
    let mut longest = (0.0, (1.0, 0.0));
    for (i, a) in places.iter().enumerate() {
        for b in &places[..i] {
            let (dx, dy) = (a.0 - b.0, a.1 - b.1);
            let length = (dx * dx + dy * dy).sqrt();
            if length > longest.0 + 1e-6 {
                longest = (length, (dx / length, dy / length));
            }
        }
    }
    let (_, (ux, uy)) = longest;
    places.into_iter().map(|(x, y)| (x * ux + y * uy, y * ux - x * uy)).collect()
}

/// Scale the layout so that no vertices overlap.
fn spread(places: Vec<Position>) -> Vec<Position> {
    let mut nearest = f64::INFINITY;
    for (i, a) in places.iter().enumerate() {
        for b in &places[..i] {
            nearest = nearest.min(((a.0 - b.0).powi(2) + (a.1 - b.1).powi(2)).sqrt());
        }
    }
    let factor = if nearest.is_finite() { (0.75 / nearest.max(0.05)).clamp(1.0, 4.0) } else { 1.0 };
    places.into_iter().map(|(x, y)| (x * factor, y * factor)).collect()
}
