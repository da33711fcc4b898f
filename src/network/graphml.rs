//! Read GraphML as far as it describes a graph: nodes in order of appearance, edges, and their datum `weight`. Positions, colours
//! and other data are ignored.

use super::TopologyError;
use super::edge_list::{EdgeCollector, ListedGraph, Names};
use super::text::excerpt;
use roxmltree::{Document, Node, ParsingOptions};
use rustc_hash::FxHashSet;

/// The maximum number of XML elements: more than a graph within the limits of a network needs, data included.
const MOST_ELEMENTS: u32 = 100_000_000;

pub(super) fn parse(name: &str, text: &str) -> Result<ListedGraph, TopologyError> {
    // A DOCTYPE is accepted and has no effect; entities of its own could expand a small file into a large one.
    let options =
        ParsingOptions { allow_dtd: false, nodes_limit: MOST_ELEMENTS, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options)
        .map_err(|error| TopologyError::new(format!("{name} is not well-formed XML: {error}")))?;
    let reader = Reader { name, document: &document };
    let root = document.root_element();
    if root.tag_name().name() != "graphml" {
        return Err(reader.wrong(
            root,
            &format!("«{}» is not GraphML: the root element must be «graphml»", root.tag_name().name()),
        ));
    }
    let weights: FxHashSet<&str> = elements(root, "key")
        .filter(|key| key.attribute("for").is_none_or(|of| matches!(of, "edge" | "all")))
        .filter(|key| key.attribute("attr.name").or(key.attribute("id")) == Some("weight"))
        .filter_map(|key| key.attribute("id"))
        .collect();
    let mut graphs = elements(root, "graph");
    let graph = graphs.next().ok_or_else(|| reader.wrong(root, "the file has no graph"))?;
    if let Some(second) = graphs.next() {
        return Err(reader.wrong(second, "the file has a second graph; a network is one graph"));
    }
    reader.graph(graph, &weights)
}

struct Reader<'a, 'i> {
    name: &'a str,
    document: &'a Document<'i>,
}

impl Reader<'_, '_> {
    fn wrong(&self, at: Node<'_, '_>, message: &str) -> TopologyError {
        let place = self.document.text_pos_at(at.range().start);
        TopologyError::new(format!("line {} of {}: {message}", place.row, self.name))
    }

    fn graph(&self, graph: Node<'_, '_>, weights: &FxHashSet<&str>) -> Result<ListedGraph, TopologyError> {
        let directed = graph.attribute("edgedefault") == Some("directed");
        let mut names = Names::default();
        for node in elements(graph, "node") {
            let id = node.attribute("id").ok_or_else(|| self.wrong(node, "a node has no id"))?;
            let before = names.list.len();
            if (names.number(id)? as usize) < before {
                return Err(self.wrong(node, &format!("there are two nodes «{}»", excerpt(id))));
            }
            if elements(node, "graph").next().is_some() {
                return Err(self.wrong(node, "nested graphs are not supported"));
            }
        }
        if let Some(edge) = elements(graph, "hyperedge").next() {
            return Err(self.wrong(edge, "hyperedges are not supported: a link joins two processes"));
        }
        let nodes = names.list.len();
        if nodes == 0 {
            return Err(self.wrong(graph, "the graph has no nodes"));
        }
        let mut collector = EdgeCollector::default();
        for edge in elements(graph, "edge") {
            let mut end = |which: &str| {
                let id = edge
                    .attribute(which)
                    .ok_or_else(|| self.wrong(edge, &format!("an edge has no {which}")))?;
                match names.number(id)? {
                    number if (number as usize) < nodes => Ok(number),
                    _ => Err(self.wrong(edge, &format!("there is no node «{}»", excerpt(id)))),
                }
            };
            let ends = (end("source")?, end("target")?);
            let both = match edge.attribute("directed") {
                Some("true" | "1") => false,
                Some("false" | "0") => true,
                Some(other) => {
                    let other = excerpt(other);
                    return Err(self.wrong(edge, &format!("directed must be true or false, not «{other}»")));
                }
                None => !directed,
            };
            let mut weight = None;
            for datum in
                elements(edge, "data").filter(|d| d.attribute("key").is_some_and(|k| weights.contains(k)))
            {
                let value = datum.text().unwrap_or_default().trim();
                weight = Some(integer(value).ok_or_else(|| {
                    let value = excerpt(value);
                    self.wrong(datum, &format!("«{value}» is not a weight, which is a 64-bit integer"))
                })?);
            }
            collector.add(ends, both, weight)?;
        }
        Ok(collector.into_listed(self.name.to_string(), nodes as u32, names.list))
    }
}

/// Parse an integer; many programs write all numbers as `5.0`.
fn integer(text: &str) -> Option<i64> {
    match text.split_once('.') {
        Some((whole, zeros)) if !zeros.is_empty() && zeros.bytes().all(|b| b == b'0') => whole.parse().ok(),
        _ => text.parse().ok(),
    }
}

/// Return the child elements of this name, in any namespace: many files declare none.
fn elements<'a, 'i>(of: Node<'a, 'i>, name: &'static str) -> impl Iterator<Item = Node<'a, 'i>> {
    of.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}
