//! Remarks about a graph file: the file is valid, but the network may differ from its author's intention.

use super::describe::counted;
use super::text::excerpt;
use std::fmt;

/// A remark about a graph file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// A first line that was taken as the heading of the columns.
    Heading(usize, String),
    /// A first line that was taken as the numbers of processes and edges.
    Sizes(usize, String),
    /// A first line that may state the size of the graph, but was read as an edge.
    MaybeSizes(usize, String),
    /// Lines of more than two words that were read as an adjacency list.
    Adjacency(usize, String),
    /// Third words that were read as weights, although they are also names of processes.
    MaybeAdjacency,
    /// Edges that are listed from both of their ends, and count once: their number, and the ends of the first.
    BothDirections(usize, String, String),
    /// Edges parallel to another one: their number, and the ends of the first.
    Parallel(usize, String, String),
    /// Edges from a process to itself: their number, and the process of the first.
    Loops(usize, String),
    /// The factor that makes all weights integers.
    ScaledWeights(i64),
    /// Weights that are not numbers, or too large, and so are not used.
    UnusableWeights(String),
    /// Columns of a table that were not read.
    OtherColumns(usize, String),
}

impl Notice {
    pub(super) fn is_about_weights(&self) -> bool {
        matches!(self, Notice::ScaledWeights(_) | Notice::UnusableWeights(_))
    }
}

/// The request to join parallel edges and to drop loops.
const SIMPLE: &str = "`simple(FILE)` joins parallel edges and drops loops";

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::Heading(line, text) => write!(f, "line {line}, «{}», is a heading, not an edge", excerpt(text)),
            Notice::Sizes(line, text) => write!(
                f,
                "line {line}, «{}», states the size of the graph and is not an edge{}",
                excerpt(text),
                if text.parse::<u64>().is_ok() { "" } else { "; if it is one, move it down" }
            ),
            Notice::MaybeSizes(line, text) => write!(
                f,
                "line {line}, «{}», is an edge here; if it states the size of the graph, remove it",
                excerpt(text)
            ),
            Notice::Adjacency(line, text) => write!(
                f,
                "an adjacency list: line {line}, «{}», lists the neighbours of its first word",
                excerpt(text)
            ),
            Notice::MaybeAdjacency => f.write_str(
                "third words are weights here; if they are neighbours, let the name of the file end in .adjlist",
            ),
            Notice::BothDirections(number, a, b) => write!(
                f,
                "{} listed in both directions ({a} and {b} first) and joined into one",
                if *number == 1 { "1 edge is".to_string() } else { format!("{number} edges are") }
            ),
            Notice::Parallel(number, a, b) => write!(
                f,
                "{} parallel to another (between {a} and {b} first); {SIMPLE}",
                if *number == 1 { "1 edge is".to_string() } else { format!("{number} edges are") }
            ),
            Notice::Loops(number, p) => {
                let loops = counted(*number, "edge joins a process", "edges join a process");
                write!(f, "{loops} to itself ({p} first); {SIMPLE}")
            }
            Notice::ScaledWeights(factor) => write!(f, "weights are integers here: those of the file times {factor}"),
            Notice::UnusableWeights(reason) => write!(f, "the weights of the file are not used: {reason}"),
            Notice::OtherColumns(first, text) => {
                write!(f, "the columns from the {first}th on are not read, such as «{}»", excerpt(text))
            }
        }
    }
}
