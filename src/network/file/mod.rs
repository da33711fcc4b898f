//! Graphs from files: one table of formats, each with a recogniser and a reader. The content decides; the name of the file
//! counts only if the content does not suffice.
//!
//! All readers fill a [`Draft`]. It turns names into processes, scales decimal weights, and joins the two directions of an edge.
//! Therefore a graph is the same network in every format.

mod fault;
mod weight;
mod draft;
mod lines;
mod dot;
mod graphml;
mod gml;
mod pajek;
mod matrix_market;
mod graph6;
mod adjacency;
mod table;
mod foreign;

use super::TopologyError;
use super::listed::ListedGraph;
use draft::Draft;
use fault::Fault;

/// The text of a file, with the name that messages show.
#[derive(Clone, Copy)]
struct Source<'a> {
    name: &'a str,
    text: &'a str,
}

/// A format that Synod reads.
struct Format {
    /// The endings of its files, which decide only if no content is recognised.
    endings: &'static [&'static str],
    /// Return whether a text is written in this format.
    recognise: fn(Source) -> bool,
    read: Reader,
}

type Reader = fn(Source) -> Result<Draft, TopologyError>;

/// All formats but lists of edges, most distinctive first. A text that none of them recognises is such a list.
const FORMATS: &[Format] = &[
    Format { endings: &["graphml"], recognise: graphml::recognise, read: graphml::read },
    Format { endings: &["mtx"], recognise: matrix_market::recognise, read: matrix_market::read },
    Format { endings: &["net", "paj"], recognise: pajek::recognise, read: pajek::read },
    Format { endings: &["gml"], recognise: gml::recognise, read: gml::read },
    Format { endings: &["dot", "gv"], recognise: dot::recognise, read: dot::read },
    Format { endings: &["g6", "d6"], recognise: graph6::recognise, read: graph6::read },
    Format { endings: &["adjlist", "adj"], recognise: adjacency::recognise, read: adjacency::read },
];

/// Read the graph of a file in any of the formats.
pub(super) fn parse(name: &str, text: &str) -> Result<ListedGraph, TopologyError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let source = Source { name, text };
    if text.trim().is_empty() {
        return Err(Fault::Empty.of(source));
    }
    if let Some((format, conversion)) = foreign::recognise(source) {
        return Err(Fault::Foreign(format, conversion).of(source));
    }
    let graph = |read: Reader| read(source)?.finish(source);
    if let Some(format) = FORMATS.iter().find(|format| (format.recognise)(source)) {
        return graph(format.read);
    }
    let ending = source.ending();
    match FORMATS.iter().find(|format| format.endings.contains(&ending.as_str())) {
        // A list of edges may have any name.
        Some(format) => graph(format.read).or_else(|error| graph(table::read).map_err(|_| error)),
        None => graph(table::read),
    }
}

impl Source<'_> {
    /// Return the ending of the file's name in lower case.
    fn ending(&self) -> String {
        self.name.rsplit_once('.').map_or(String::new(), |(_, ending)| ending.to_lowercase())
    }

    /// Return the number of the line that contains this offset, from 1.
    fn line(&self, at: usize) -> usize {
        1 + self.text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count()
    }
}
