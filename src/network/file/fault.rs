//! The errors of graph files, as data: their sentences and hints are written here only.

use super::Source;
use crate::network::TopologyError;
use crate::network::text::excerpt;
use crate::network::{MAX_LINKS, MAX_PROCESSES};
use std::fmt;

/// The reason why a file is not a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    // The file as a whole.
    Empty,
    NoNodes,
    NoEdges,
    TooManyProcesses,
    TooManyEdges,
    /// A format that is known but not read, and its conversion.
    Foreign(&'static str, &'static str),
    SeveralGraphs,
    NestedGraphs,
    Hyperedge,
    /// A list of nodes, without edges.
    ListOfNodes,
    NotWellFormed(String),
    Malformed(String),

    // Nodes and edges.
    NotAnEdge(String),
    NotAWeight(String),
    NotAProcess(String),
    TwoNodes(String),
    NoNode(String),
    NodeBeyond(String, u32),
    Missing(&'static str, &'static str),
    NotDirected(String),

    // Parts of a format.
    Expected(String, String),
    Unexpected(char),
    Unterminated(&'static str),
    TooDeep(u32),
    NotSquare(u32, u32),
    DenseMatrix,
    AdjacencyMatrix(Matrix),
    WrongLength {
        processes: u32,
        wanted: usize,
        found: usize,
    },
}

/// The form of an adjacency matrix, from which the conversion follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Matrix {
    /// The sign between the entries; `None`: white space.
    pub separator: Option<char>,
    /// The number of lines before the first row.
    pub lines_before: usize,
    /// The number of columns of a matrix whose rows begin with a name.
    pub named_columns: Option<usize>,
}

impl Matrix {
    /// Return the conversion with NumPy and `NetworkX`. A symmetric directed graph is read as an undirected one.
    fn conversion(self) -> String {
        let mut file = "FILE".to_string();
        if let Some(separator) = self.separator {
            file += &format!(", delimiter=\"{}\"", separator.escape_default());
        }
        if self.lines_before > 0 {
            file += &format!(", skiprows={}", self.lines_before);
        }
        if let Some(columns) = self.named_columns {
            file += &format!(", usecols=range(1, {})", columns + 1);
        }
        format!(
            "convert it with NumPy and NetworkX: \
             write_graphml(from_numpy_array(loadtxt({file}), create_using=DiGraph), \"net.graphml\")"
        )
    }
}

impl Fault {
    /// Return the error of the file as a whole.
    pub(super) fn of(self, source: Source) -> TopologyError {
        TopologyError::new(format!("{} {self}", source.name)).hint(self.help())
    }

    /// Return the error at a line, counted from 1.
    pub(super) fn at(self, source: Source, line: usize) -> TopologyError {
        TopologyError::new(format!("line {line} of {}: {self}", source.name)).hint(self.help())
    }

    fn help(&self) -> String {
        match self {
            Fault::Empty | Fault::NoEdges | Fault::NotAnEdge(_) | Fault::NotAProcess(_) => {
                "each line of a list of edges has two processes and optionally a weight, such as 0 1 or A,B,5; \
                 other formats are DOT, GraphML, GML, Pajek, Matrix Market, graph6, and adjacency lists"
            }
            Fault::NotAWeight(_) => "a weight is a number; each line has two processes and optionally a weight, such as A B 5",
            Fault::Foreign(_, conversion) => conversion,
            Fault::ListOfNodes => "name the file of the edges, with the columns Source and Target",
            Fault::Expected(..) | Fault::Unexpected(_) | Fault::Unterminated(_) | Fault::NoNodes => {
                "an example in DOT is graph { a -- b; b -- c [weight=5] }"
            }
            Fault::DenseMatrix => "write the matrix as `coordinate`: one line for each entry, with row and column",
            Fault::AdjacencyMatrix(matrix) => return matrix.conversion(),
            Fault::Hyperedge => "a link joins two processes: represent the hyperedge by a process or by several edges",
            Fault::SeveralGraphs => "write each graph to its own file",
            _ => "",
        }
        .into()
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Empty => write!(f, "is empty"),
            Fault::NoNodes => write!(f, "has no nodes"),
            Fault::NoEdges => write!(f, "has no edges"),
            Fault::TooManyProcesses => {
                write!(f, "the graph has more than {MAX_PROCESSES} processes, the maximum of a network")
            }
            Fault::TooManyEdges => {
                write!(f, "the graph has more than {} edges, the maximum of a network", MAX_LINKS / 2)
            }
            Fault::Foreign(format, _) => {
                write!(f, "is written in a format that Synod does not read: {format}")
            }
            Fault::SeveralGraphs => write!(f, "the file has a second graph; a network is one graph"),
            Fault::NestedGraphs => write!(f, "nested graphs are not supported"),
            Fault::Hyperedge => write!(f, "hyperedges are not supported: a link joins two processes"),
            Fault::ListOfNodes => write!(f, "is a list of nodes, not of edges"),
            Fault::NotWellFormed(error) => write!(f, "is not well-formed XML: {error}"),
            Fault::Malformed(what) => f.write_str(what),
            Fault::NotAnEdge(text) => write!(f, "«{}» is not an edge", excerpt(text)),
            Fault::NotAWeight(text) => write!(f, "«{}» is not a weight", excerpt(text)),
            Fault::NotAProcess(text) => write!(f, "«{}» is not the name of a process", excerpt(text)),
            Fault::TwoNodes(name) => write!(f, "there are two nodes «{}»", excerpt(name)),
            Fault::NoNode(name) => write!(f, "there is no node «{}»", excerpt(name)),
            Fault::NodeBeyond(name, n) => {
                write!(f, "node {} is beyond {n}, the number of nodes", excerpt(name))
            }
            Fault::Missing(of, what) => write!(f, "{of} has no {what}"),
            Fault::NotDirected(found) => {
                write!(f, "directed must be true or false, not «{}»", excerpt(found))
            }
            Fault::Expected(wanted, found) => write!(f, "expected {wanted}, found {found}"),
            Fault::Unexpected(found) => write!(f, "unexpected «{found}»"),
            Fault::Unterminated(what) => write!(f, "unterminated {what}"),
            Fault::TooDeep(most) => write!(f, "subgraphs are nested more than {most} deep"),
            Fault::NotSquare(rows, columns) => {
                write!(
                    f,
                    "a matrix of {rows} rows and {columns} columns is not square; a network has one row and one column for each process"
                )
            }
            Fault::DenseMatrix => write!(f, "a dense matrix (`array`) is not read"),
            Fault::AdjacencyMatrix(_) => write!(f, "an adjacency matrix is not read"),
            Fault::WrongLength { processes, wanted, found } => {
                write!(f, "graph6 of {processes} processes has {wanted} characters, and there are {found}")
            }
        }
    }
}
