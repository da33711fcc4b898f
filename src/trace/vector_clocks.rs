//! Vector times, for comparing many events with one another.
//!
//! Short histories, or histories of few processes, have a table of all vector times; otherwise they are computed by a
//! search on demand and cached.

use super::histories::Histories;
use crate::ids::ProcessId;
use rustc_hash::FxHashMap;

/// Maximum number of components stored: 64 MB.
const MOST: usize = 16_000_000;

pub struct VectorClocks<'h> {
    of: &'h Histories,
    /// `events × processes`; empty if that is too large.
    table: Vec<u32>,
    asked: FxHashMap<usize, Vec<u32>>,
}

impl<'h> VectorClocks<'h> {
    pub fn new(of: &'h Histories) -> VectorClocks<'h> {
        VectorClocks::within(of, MOST)
    }

    /// Create a table with at most `most` components.
    pub fn within(of: &'h Histories, most: usize) -> VectorClocks<'h> {
        let n = of.n();
        let mut table = Vec::new();
        if of.recorded().saturating_mul(n) <= most {
            table = vec![0; of.recorded() * n];
            for event in 0..of.recorded() {
                let (before, own) = table.split_at_mut(event * n);
                let mut include = |p: ProcessId, nth: u32| {
                    let Some(at) = nth.checked_sub(1) else { return };
                    let cause = of.of_process(p.index())[at as usize];
                    let theirs = &before[cause * n..(cause + 1) * n];
                    own.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
                };
                of.causes(event).iter().for_each(|(p, nth)| include(*p, *nth));
                of.places(event).iter().for_each(|(p, nth)| include(*p, nth - 1));
                of.places(event).iter().for_each(|(p, nth)| own[p.index()] = *nth);
            }
        }
        VectorClocks { of, table, asked: FxHashMap::default() }
    }

    /// Same as [`Histories::precedes`].
    pub fn precedes(&mut self, a: usize, b: usize) -> bool {
        let Some((p, nth)) = self.of.places(a).first().filter(|_| a < b) else { return false };
        if let Some(known) = self.table.get(b * self.of.n() + p.index()) {
            return known >= nth;
        }
        if self.asked.len().saturating_mul(self.of.n()) > MOST {
            self.asked.clear();
        }
        self.asked.entry(b).or_insert_with(|| self.of.past(b))[p.index()] >= *nth
    }
}
