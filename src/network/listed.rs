//! Graphs listed edge by edge: `edges(0-1, 1-2:5)`, and the graphs of files.

use rustc_hash::{FxHashMap, FxHashSet};

use super::assemble::Edge;
use super::notice::Notice;
use super::text::{excerpt, integer};
use super::{MAX_PROCESSES, TopologyError};

/// A graph listed edge by edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ListedGraph {
    /// The name shown: the canonical `edges(…)`, or the name of a file.
    pub(super) shown: String,
    pub(super) n: u32,
    pub(super) edges: Vec<Edge>,
    /// The weights by edge, if any edge has one; edges without a weight then have weight 1.
    pub(super) weights: Option<Vec<i64>>,
    /// The names by process, from a file.
    pub(super) names: Vec<String>,
    /// Remarks about the file.
    pub(super) notices: Vec<Notice>,
}

/// The direction of an edge, as its author states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sense {
    /// An undirected edge.
    Both,
    /// An arc from the first process to the second.
    Forth,
    /// A file without directions: an undirected edge, which may be listed from each of its ends.
    Unstated,
}

/// Edges with their weights, after opposite arcs have been joined.
pub(super) struct Joined {
    pub(super) edges: Vec<Edge>,
    pub(super) weights: Option<Vec<i64>>,
    /// The ends of the edges that were listed from each end.
    pub(super) both_ways: Vec<(u32, u32)>,
}

/// Join two arcs of equal weight between the same processes, one in each direction, to one edge: each process has one port to the
/// other, as in an undirected graph. Likewise an edge of unstated direction that is listed from each end.
pub(super) fn join(listed: &[(u32, u32, Sense)], weights: Option<&[i64]>) -> Joined {
    let mut edges: Vec<Edge> = Vec::with_capacity(listed.len());
    let mut kept: Vec<usize> = Vec::with_capacity(listed.len());
    let mut both_ways = Vec::new();
    // The last edge from one process to another that has no reverse yet.
    let mut unpaired: FxHashMap<(u32, u32), usize> = FxHashMap::default();
    let weight = |number: usize| weights.map(|weights| weights[number]);
    for (number, &(a, b, sense)) in listed.iter().enumerate() {
        if sense != Sense::Both && a != b {
            if let Some(&place) = unpaired.get(&(b, a))
                && weight(kept[place]) == weight(number)
            {
                edges[place].both = true;
                unpaired.remove(&(b, a));
                both_ways.extend((sense == Sense::Unstated).then_some((b, a)));
                continue;
            }
            unpaired.insert((a, b), edges.len());
        }
        edges.push(Edge { both: sense != Sense::Forth, ..Edge::plain(a, b) });
        kept.push(number);
    }
    let weights = weights.map(|weights| kept.iter().map(|&number| weights[number]).collect());
    Joined { edges, weights, both_ways }
}

impl ListedGraph {
    /// Return the graph without loops, with one edge between two processes: it has the directions of all, and the least weight.
    pub(super) fn simple(self) -> ListedGraph {
        let mut places: FxHashMap<(u32, u32), usize> = FxHashMap::default();
        let mut edges: Vec<Edge> = Vec::new();
        let mut weights: Vec<i64> = Vec::new();
        for (number, edge) in self.edges.iter().enumerate().filter(|(_, edge)| edge.a != edge.b) {
            let weight = self.weights.as_ref().map_or(1, |weights| weights[number]);
            match places.get(&(edge.a.min(edge.b), edge.a.max(edge.b))) {
                Some(&place) => {
                    edges[place].both |= edge.both || edge.a != edges[place].a;
                    weights[place] = weights[place].min(weight);
                }
                None => {
                    places.insert((edge.a.min(edge.b), edge.a.max(edge.b)), edges.len());
                    edges.push(*edge);
                    weights.push(weight);
                }
            }
        }
        let shown = format!("simple({})", self.shown);
        ListedGraph { shown, edges, weights: self.weights.is_some().then_some(weights), ..self }
    }

    /// Return the remarks about the file, and about parallel edges and loops.
    pub(super) fn remarks(&self) -> Vec<Notice> {
        let name = |p: u32| self.names.get(p as usize).cloned().unwrap_or_else(|| format!("p{p}"));
        let mut remarks = self.notices.clone();
        let mut seen: FxHashSet<(u32, u32)> = FxHashSet::default();
        let (mut parallel, mut loops) = (Vec::new(), Vec::new());
        for edge in &self.edges {
            let new = seen.insert((edge.a, edge.b));
            if edge.a == edge.b {
                loops.push(edge.a);
            } else if !new || edge.both && !seen.insert((edge.b, edge.a)) {
                parallel.push((edge.a, edge.b));
            }
        }
        if let Some(&(a, b)) = parallel.first() {
            remarks.push(Notice::Parallel(parallel.len(), name(a), name(b)));
        }
        if let Some(&p) = loops.first() {
            remarks.push(Notice::Loops(loops.len(), name(p)));
        }
        remarks
    }

    /// Parse the arguments of `edges(…)`. Processes are numbers; all numbers up to the greatest are processes.
    pub(super) fn from_arguments(arguments: &[&str]) -> Result<ListedGraph, TopologyError> {
        const WORKING: &str = "an example is edges(0-1, 1-2:5, 2->0)";
        if arguments.is_empty() {
            return Err(TopologyError::new("edges needs at least one edge").hint(WORKING));
        }
        let (mut listed, mut weights) = (Vec::new(), Vec::new());
        let (mut n, mut shown) = (0, Vec::new());
        for text in arguments {
            let Some((a, connector, b, weight)) = split_edge(text) else {
                return Err(TopologyError::new(format!("«{}» is not an edge", excerpt(text))).hint(WORKING));
            };
            for end in [a, b] {
                if end >= i128::from(MAX_PROCESSES) {
                    return Err(TopologyError::new(format!(
                        "the edge {} names a process beyond {}, the greatest possible",
                        excerpt(text),
                        MAX_PROCESSES - 1
                    ))
                    .hint(WORKING));
                }
            }
            let (a, b) = (a as u32, b as u32);
            let suffix = weight.map_or(String::new(), |weight| format!(":{weight}"));
            shown.push(format!("{a}{connector}{b}{suffix}"));
            listed.push((a, b, if connector == "-" { Sense::Both } else { Sense::Forth }));
            weights.push(weight);
            n = n.max(a + 1).max(b + 1);
        }
        let shown = format!("edges({})", shown.join(", "));
        let weighted = weights.iter().any(Option::is_some);
        let weights: Vec<i64> = weights.into_iter().map(|weight| weight.unwrap_or(1)).collect();
        let Joined { edges, weights, .. } = join(&listed, weighted.then_some(weights.as_slice()));
        Ok(ListedGraph { shown, n, edges, weights, names: Vec::new(), notices: Vec::new() })
    }
}

/// Split `0-1`, `0--1` or `0->1`, with or without `:weight`.
fn split_edge(text: &str) -> Option<(i128, &'static str, i128, Option<i64>)> {
    let (ends, weight) = match text.split_once(':') {
        Some((ends, weight)) => (ends, Some(weight.trim().parse().ok()?)),
        None => (text, None),
    };
    let spellings = [("->", "->"), ("→", "->"), ("--", "-"), ("-", "-")];
    let (a, connector, b) = spellings.iter().find_map(|&(written, meant)| {
        let (a, b) = ends.split_once(written)?;
        Some((a.trim(), meant, b.trim()))
    })?;
    let natural = |text: &str| integer(text).filter(|number| *number >= 0);
    Some((natural(a)?, connector, natural(b)?, weight))
}
