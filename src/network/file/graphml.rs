//! Read GraphML as far as it describes a graph: nodes in order of appearance, edges, and their datum `weight`. Positions, colours
//! and other data are ignored.

use super::Source;
use super::draft::{Draft, Sense};
use super::fault::Fault;
use crate::network::TopologyError;
use roxmltree::{Document, Node, ParsingOptions};
use rustc_hash::FxHashSet;

/// The maximum number of XML elements: more than a graph within the limits of a network needs, data included.
const MOST_ELEMENTS: u32 = 100_000_000;

/// Return whether the text is XML; other XML formats have been rejected before.
pub(super) fn recognise(source: Source) -> bool {
    let text = source.text.trim_start();
    text.starts_with("<?xml") || text.starts_with("<graphml") || text.starts_with("<!")
}

pub(super) fn read(source: Source) -> Result<Draft, TopologyError> {
    // A DOCTYPE is accepted and has no effect; entities of its own could expand a small file into a large one.
    let options =
        ParsingOptions { allow_dtd: false, nodes_limit: MOST_ELEMENTS, ..ParsingOptions::default() };
    let document = Document::parse_with_options(source.text, options)
        .map_err(|error| Fault::NotWellFormed(error.to_string()).of(source))?;
    let reader = Reader { source, document: &document };
    let root = document.root_element();
    if root.tag_name().name() != "graphml" {
        let found = root.tag_name().name();
        let problem = format!("«{found}» is not GraphML: the root element must be «graphml»");
        return Err(reader.wrong(root, Fault::Malformed(problem)));
    }
    let weights: FxHashSet<&str> = elements(root, "key")
        .filter(|key| key.attribute("for").is_none_or(|of| matches!(of, "edge" | "all")))
        .filter(|key| key.attribute("attr.name").or(key.attribute("id")) == Some("weight"))
        .filter_map(|key| key.attribute("id"))
        .collect();
    let mut graphs = elements(root, "graph");
    let graph = graphs.next().ok_or_else(|| reader.wrong(root, Fault::Missing("the file", "graph")))?;
    if let Some(second) = graphs.next() {
        return Err(reader.wrong(second, Fault::SeveralGraphs));
    }
    reader.graph(graph, &weights)
}

struct Reader<'a, 'i> {
    source: Source<'a>,
    document: &'a Document<'i>,
}

impl Reader<'_, '_> {
    fn line(&self, at: Node<'_, '_>) -> usize {
        self.document.text_pos_at(at.range().start).row as usize
    }

    fn wrong(&self, at: Node<'_, '_>, fault: Fault) -> TopologyError {
        fault.at(self.source, self.line(at))
    }

    fn graph(&self, graph: Node<'_, '_>, weights: &FxHashSet<&str>) -> Result<Draft, TopologyError> {
        let directed = graph.attribute("edgedefault") == Some("directed");
        let mut draft = Draft::default();
        for node in elements(graph, "node") {
            let id = node.attribute("id").ok_or_else(|| self.wrong(node, Fault::Missing("a node", "id")))?;
            let (_, is_new) = draft.node(id).map_err(|fault| self.wrong(node, fault))?;
            if !is_new {
                return Err(self.wrong(node, Fault::TwoNodes(id.into())));
            }
            if elements(node, "graph").next().is_some() {
                return Err(self.wrong(node, Fault::NestedGraphs));
            }
        }
        if let Some(edge) = elements(graph, "hyperedge").next() {
            return Err(self.wrong(edge, Fault::Hyperedge));
        }
        for edge in elements(graph, "edge") {
            let end = |which: &'static str| {
                let id = edge
                    .attribute(which)
                    .ok_or_else(|| self.wrong(edge, Fault::Missing("an edge", which)))?;
                draft.known(id).ok_or_else(|| self.wrong(edge, Fault::NoNode(id.into())))
            };
            let (a, b) = (end("source")?, end("target")?);
            let directed = match edge.attribute("directed") {
                Some("true" | "1") => true,
                Some("false" | "0") => false,
                Some(other) => return Err(self.wrong(edge, Fault::NotDirected(other.into()))),
                None => directed,
            };
            let is_weight = |datum: &Node| datum.attribute("key").is_some_and(|key| weights.contains(key));
            let datum = elements(edge, "data").filter(is_weight).last();
            let weight = datum.and_then(|d| draft.weight(d.text().unwrap_or_default(), self.line(d)));
            let sense = if directed { Sense::Forth } else { Sense::Both };
            draft.edge(a, b, sense, weight).map_err(|fault| self.wrong(edge, fault))?;
        }
        Ok(draft)
    }
}

/// Return the child elements of this name, in any namespace: many files declare none.
fn elements<'a, 'i>(of: Node<'a, 'i>, name: &'static str) -> impl Iterator<Item = Node<'a, 'i>> {
    of.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}
