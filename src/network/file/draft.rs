//! The graph that a reader builds, and its conversion to a network.

use super::Source;
use super::fault::Fault;
use super::weight::{Decimal, scale};
use crate::network::Notice;
use crate::network::listed::{self, ListedGraph};
use crate::network::text::excerpt;
use crate::network::{MAX_LINKS, MAX_PROCESSES, TopologyError};
use rustc_hash::FxHashMap;

pub(super) use listed::Sense;

/// A graph under construction: processes by name in order of appearance, and edges.
#[derive(Default)]
pub(super) struct Draft {
    names: Vec<String>,
    numbers: FxHashMap<String, u32>,
    edges: Vec<(u32, u32, Sense)>,
    weights: Vec<Option<Decimal>>,
    /// The first text that should be a weight and is not a number, with its line.
    not_a_weight: Option<(String, usize)>,
    /// Whether the format usually lists an edge from both of its ends.
    pub(super) lists_both_ends: bool,
    pub(super) notices: Vec<Notice>,
}

impl Draft {
    /// Return the number of nodes so far.
    pub(super) fn nodes(&self) -> u32 {
        self.names.len() as u32
    }

    /// Return the node of this name, and whether it is new.
    pub(super) fn node(&mut self, name: &str) -> Result<(u32, bool), Fault> {
        if let Some(&number) = self.numbers.get(name) {
            return Ok((number, false));
        }
        let number = self.nodes();
        if number >= MAX_PROCESSES {
            return Err(Fault::TooManyProcesses);
        }
        self.names.push(name.to_string());
        self.numbers.insert(name.to_string(), number);
        Ok((number, true))
    }

    /// Return the node of this name, if it exists.
    pub(super) fn known(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// Add an edge.
    pub(super) fn edge(
        &mut self,
        a: u32,
        b: u32,
        sense: Sense,
        weight: Option<Decimal>,
    ) -> Result<(), Fault> {
        if self.edges.len() as u32 >= MAX_LINKS / 2 {
            return Err(Fault::TooManyEdges);
        }
        self.edges.push((a, b, sense));
        self.weights.push(weight);
        Ok(())
    }

    /// Return the number of edges so far.
    pub(super) fn edges(&self) -> usize {
        self.edges.len()
    }

    /// Parse a weight. A text that is not a number makes all weights of the file unusable.
    pub(super) fn weight(&mut self, text: &str, line: usize) -> Option<Decimal> {
        let weight = Decimal::parse(text.trim());
        if weight.is_none() {
            self.not_a_weight.get_or_insert((text.trim().to_string(), line));
        }
        weight
    }

    /// Make the network: join opposite arcs, scale the weights, and put processes whose names are all numbers in numeric order.
    pub(super) fn finish(mut self, source: Source) -> Result<ListedGraph, TopologyError> {
        if self.names.is_empty() {
            return Err(Fault::NoNodes.of(source));
        }
        let weights = self.scaled_weights(source);
        let rank = self.rank();
        let listed: Vec<(u32, u32, Sense)> =
            self.edges.iter().map(|&(a, b, sense)| (rank[a as usize], rank[b as usize], sense)).collect();
        let joined = listed::join(&listed, weights.as_deref());
        if let Some(&(a, b)) = joined.both_ways.first().filter(|_| !self.lists_both_ends) {
            let name = |p: u32| self.names[p as usize].clone();
            self.notices.push(Notice::BothDirections(joined.both_ways.len(), name(a), name(b)));
        }
        Ok(ListedGraph {
            shown: source.name.to_string(),
            n: self.nodes(),
            edges: joined.edges,
            weights: joined.weights,
            names: self.names,
            notices: self.notices,
        })
    }

    /// Return the weights as integers, if there are any and all can be used.
    fn scaled_weights(&mut self, source: Source) -> Option<Vec<i64>> {
        if let Some((text, line)) = &self.not_a_weight {
            let reason =
                format!("«{}» in line {line} of {} is not a number of 64 bits", excerpt(text), source.name);
            self.notices.push(Notice::UnusableWeights(reason));
            return None;
        }
        if self.weights.iter().all(Option::is_none) {
            return None;
        }
        let Some((weights, factor)) = scale(&self.weights) else {
            let reason = format!("as integers of one scale they exceed 64 bits ({})", source.name);
            self.notices.push(Notice::UnusableWeights(reason));
            return None;
        };
        if factor > 1 {
            self.notices.push(Notice::ScaledWeights(factor));
        }
        Some(weights)
    }

    /// Sort names that are all numbers, and return the new place of each node.
    fn rank(&mut self) -> Vec<u32> {
        let numbers: Option<Vec<u64>> = self.names.iter().map(|name| name.parse().ok()).collect();
        let mut order: Vec<u32> = (0..self.nodes()).collect();
        if let Some(numbers) = numbers {
            order.sort_by_key(|&i| numbers[i as usize]);
            self.names = order.iter().map(|&i| std::mem::take(&mut self.names[i as usize])).collect();
        }
        let mut rank = vec![0; order.len()];
        for (place, &i) in (0u32..).zip(&order) {
            rank[i as usize] = place;
        }
        rank
    }
}
