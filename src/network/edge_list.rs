//! Graphs listed edge by edge: `edges(0-1, 1-2:5)`, and text files with one edge per line.

use rustc_hash::FxHashMap;

use super::assemble::Edge;
use super::text::{excerpt, integer};
use super::{MAX_LINKS, MAX_PROCESSES, TopologyError};

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
}

/// Collect edges, and reject more than a network may have.
#[derive(Default)]
pub(super) struct EdgeCollector {
    edges: Vec<Edge>,
    weights: Vec<Option<i64>>,
    /// The last arc from one process to another that has no reverse yet.
    unpaired: FxHashMap<(u32, u32), u32>,
}

impl EdgeCollector {
    /// Add an edge, or an arc from `a` to `b`.
    ///
    /// Two arcs of equal weight between the same processes, one in each direction, become one edge: each process has one port to
    /// the other, as in an undirected graph.
    pub(super) fn add(
        &mut self,
        (a, b): (u32, u32),
        both: bool,
        weight: Option<i64>,
    ) -> Result<(), TopologyError> {
        if !both && a != b {
            if let Some(&number) = self.unpaired.get(&(b, a))
                && self.weights[number as usize] == weight
            {
                self.edges[number as usize].both = true;
                self.unpaired.remove(&(b, a));
                return Ok(());
            }
            self.unpaired.insert((a, b), self.edges.len() as u32);
        }
        if self.edges.len() as u32 >= MAX_LINKS / 2 {
            return Err(TopologyError::new(format!(
                "the graph has more than {} edges, the most that a network has",
                MAX_LINKS / 2
            )));
        }
        self.edges.push(Edge { both, ..Edge::plain(a, b) });
        self.weights.push(weight);
        Ok(())
    }

    pub(super) fn into_listed(self, shown: String, n: u32, names: Vec<String>) -> ListedGraph {
        let weighted = self.weights.iter().any(Option::is_some);
        let weights = || self.weights.iter().map(|w| w.unwrap_or(1)).collect();
        ListedGraph { shown, n, weights: weighted.then(weights), edges: self.edges, names }
    }
}

/// Assign numbers to the names of a file, in order of appearance.
#[derive(Default)]
pub(super) struct Names {
    pub(super) list: Vec<String>,
    numbers: FxHashMap<String, u32>,
}

impl Names {
    pub(super) fn number(&mut self, name: &str) -> Result<u32, TopologyError> {
        if let Some(&number) = self.numbers.get(name) {
            return Ok(number);
        }
        let number = self.list.len() as u32;
        if number >= MAX_PROCESSES {
            return Err(TopologyError::new(format!(
                "the graph has more than {MAX_PROCESSES} processes, the most that a network has"
            )));
        }
        self.list.push(name.to_string());
        self.numbers.insert(name.to_string(), number);
        Ok(number)
    }
}

impl ListedGraph {
    /// Parse the arguments of `edges(…)`. Processes are numbers; all numbers up to the greatest are processes.
    pub(super) fn from_arguments(arguments: &[&str]) -> Result<ListedGraph, TopologyError> {
        const WORKING: &str = "an example is edges(0-1, 1-2:5, 2->0)";
        if arguments.is_empty() {
            return Err(TopologyError::new("edges needs at least one edge").hint(WORKING));
        }
        let mut collector = EdgeCollector::default();
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
            collector.add((a, b), connector == "-", weight)?;
            n = n.max(a + 1).max(b + 1);
        }
        let shown = format!("edges({})", shown.join(", "));
        Ok(collector.into_listed(shown, n, Vec::new()))
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

/// Parse a text with one edge per line; see [`super::Spec::from_edge_list`].
pub(super) fn parse(name: &str, text: &str) -> Result<ListedGraph, TopologyError> {
    const WORKING: &str = "each line has two processes and optionally a weight, such as 0 1 or A B 5";
    let mut names = Names::default();
    let mut edges = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let wrong =
            |message: String| TopologyError::new(format!("line {number} of {name}: {message}")).hint(WORKING);
        let words: Vec<&str> = line.split_whitespace().collect();
        let (a, b, weight) = match words[..] {
            [a, b] => (a, b, None),
            [a, b, weight] => match weight.parse() {
                Ok(weight) => (a, b, Some(weight)),
                Err(_) => {
                    let weight = excerpt(weight);
                    return Err(wrong(format!("«{weight}» is not a weight, which is a 64-bit integer")));
                }
            },
            _ => return Err(wrong(format!("«{}» is not an edge", excerpt(line)))),
        };
        // Otherwise `0 -> 1` would be read as an edge between `0` and `->`, of weight 1.
        if let Some(sign) = [a, b].into_iter().find(|word| !word.contains(char::is_alphanumeric)) {
            return Err(wrong(format!("«{}» is not the name of a process", excerpt(sign))));
        }
        edges.push((names.number(a)?, names.number(b)?, weight));
    }
    if edges.is_empty() {
        return Err(TopologyError::new(format!("{name} has no edges")).hint(WORKING));
    }
    let rank = rank_numbers(&mut names.list);
    let mut collector = EdgeCollector::default();
    for (a, b, weight) in edges {
        collector.add((rank[a as usize], rank[b as usize]), true, weight)?;
    }
    let n = names.list.len() as u32;
    Ok(collector.into_listed(name.to_string(), n, names.list))
}

/// Sort names that are all numbers, and return the new index of each name.
fn rank_numbers(names: &mut Vec<String>) -> Vec<u32> {
    let numbers: Option<Vec<u64>> = names.iter().map(|name| name.parse().ok()).collect();
    let mut order: Vec<u32> = (0..names.len() as u32).collect();
    if let Some(numbers) = numbers {
        order.sort_by_key(|&i| numbers[i as usize]);
        *names = order.iter().map(|&i| names[i as usize].clone()).collect();
    }
    let mut rank = vec![0; order.len()];
    for (place, &i) in (0u32..).zip(&order) {
        rank[i as usize] = place;
    }
    rank
}
