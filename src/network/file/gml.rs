//! Read GML (Graph Modelling Language, as Himsolt defines it): nodes by `id`, named by their `label` if all labels differ, and
//! edges with `source`, `target` and `weight` or `value`.

use super::Source;
use super::draft::{Draft, Sense};
use super::fault::Fault;
use crate::network::TopologyError;
use crate::network::text::excerpt;
use rustc_hash::{FxHashMap, FxHashSet};

/// Return whether the text has the key `graph` with a list: `graph [`.
pub(super) fn recognise(source: Source) -> bool {
    let mut tokens = Tokens { source, at: 0 };
    // Before the graph there are at most keys with plain values, such as `Creator "…"`.
    for _ in 0..64 {
        match (tokens.next(), tokens.next()) {
            (Some(Token::Word(key)), Some(Token::Open)) => return key.eq_ignore_ascii_case("graph"),
            (Some(Token::Word(_)), Some(Token::Word(_) | Token::Text(_))) => {}
            _ => return false,
        }
    }
    false
}

pub(super) fn read(source: Source) -> Result<Draft, TopologyError> {
    let mut reader = Reader {
        tokens: Tokens { source, at: 0 },
        nodes: Vec::new(),
        edges: Vec::new(),
        directed: false,
        ended: false,
    };
    let mut graphs = 0;
    while let Some((key, line)) = reader.key()? {
        if !key.eq_ignore_ascii_case("graph") {
            reader.skip_value(line)?;
            continue;
        }
        graphs += 1;
        if graphs > 1 {
            return Err(Fault::SeveralGraphs.at(source, line));
        }
        reader.open(line)?;
        reader.graph()?;
    }
    reader.finish()
}

enum Token<'a> {
    Open,
    Close,
    Word(&'a str),
    Text(&'a str),
}

struct Tokens<'a> {
    source: Source<'a>,
    at: usize,
}

impl<'a> Tokens<'a> {
    fn line(&self) -> usize {
        self.source.line(self.at)
    }

    fn next(&mut self) -> Option<Token<'a>> {
        let text = self.source.text;
        loop {
            let rest = &text[self.at..];
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with('#') {
                break;
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
        let rest = &text[self.at..];
        let first = rest.chars().next()?;
        let (token, length) = match first {
            '[' => (Token::Open, 1),
            ']' => (Token::Close, 1),
            '"' => {
                let end = rest[1..].find('"').unwrap_or(rest.len() - 1);
                (Token::Text(&rest[1..=end]), (end + 2).min(rest.len()))
            }
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '[' | ']' | '"'));
                let end = end.unwrap_or(rest.len());
                (Token::Word(&rest[..end]), end)
            }
        };
        self.at += length;
        Some(token)
    }
}

struct GmlNode<'a> {
    id: &'a str,
    label: Option<&'a str>,
    line: usize,
}

struct GmlEdge<'a> {
    ends: [&'a str; 2],
    weight: Option<&'a str>,
    directed: Option<bool>,
    line: usize,
}

struct Reader<'a> {
    tokens: Tokens<'a>,
    nodes: Vec<GmlNode<'a>>,
    edges: Vec<GmlEdge<'a>>,
    directed: bool,
    /// Whether the end of the file has been reached.
    ended: bool,
}

impl<'a> Reader<'a> {
    fn expected(&self, wanted: &str, line: usize) -> TopologyError {
        Fault::Expected(wanted.into(), "something else".into()).at(self.tokens.source, line)
    }

    /// Return the next key of a list with its line; `None` at the end of the list.
    fn key_in_list(&mut self) -> Result<Option<(&'a str, usize)>, TopologyError> {
        match self.key()? {
            None if self.ended => Err(Fault::Unterminated("list").at(self.tokens.source, self.tokens.line())),
            key => Ok(key),
        }
    }

    /// Return the next key with its line; `None` at the end of a list or of the file.
    fn key(&mut self) -> Result<Option<(&'a str, usize)>, TopologyError> {
        match self.tokens.next() {
            None => {
                self.ended = true;
                Ok(None)
            }
            Some(Token::Close) => Ok(None),
            Some(Token::Word(key)) => Ok(Some((key, self.tokens.line()))),
            Some(_) => Err(self.expected("a key", self.tokens.line())),
        }
    }

    fn open(&mut self, line: usize) -> Result<(), TopologyError> {
        match self.tokens.next() {
            Some(Token::Open) => Ok(()),
            _ => Err(self.expected("«[»", line)),
        }
    }

    /// Return the value of a key, which is a number or a text.
    fn value(&mut self, line: usize) -> Result<&'a str, TopologyError> {
        match self.tokens.next() {
            Some(Token::Word(value) | Token::Text(value)) => Ok(value),
            _ => Err(self.expected("a value", line)),
        }
    }

    /// Skip a value of any kind.
    fn skip_value(&mut self, line: usize) -> Result<(), TopologyError> {
        let mut depth = 0usize;
        loop {
            match self.tokens.next() {
                Some(Token::Open) => depth += 1,
                Some(Token::Close) if depth > 0 => depth -= 1,
                Some(Token::Word(_) | Token::Text(_)) => {}
                _ => return Err(self.expected("a value", line)),
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    fn graph(&mut self) -> Result<(), TopologyError> {
        while let Some((key, line)) = self.key_in_list()? {
            match key.to_ascii_lowercase().as_str() {
                "directed" => self.directed = self.value(line)? == "1",
                "node" => self.node(line)?,
                "edge" => self.edge(line)?,
                "graph" => return Err(Fault::NestedGraphs.at(self.tokens.source, line)),
                _ => self.skip_value(line)?,
            }
        }
        Ok(())
    }

    fn node(&mut self, line: usize) -> Result<(), TopologyError> {
        self.open(line)?;
        let (mut id, mut label) = (None, None);
        while let Some((key, line)) = self.key_in_list()? {
            match key.to_ascii_lowercase().as_str() {
                "id" => id = Some(self.value(line)?),
                "label" => label = Some(self.value(line)?),
                _ => self.skip_value(line)?,
            }
        }
        let id = id.ok_or_else(|| Fault::Missing("a node", "id").at(self.tokens.source, line))?;
        self.nodes.push(GmlNode { id, label, line });
        Ok(())
    }

    fn edge(&mut self, line: usize) -> Result<(), TopologyError> {
        self.open(line)?;
        let (mut source, mut target, mut weight, mut directed) = (None, None, None, None);
        while let Some((key, line)) = self.key_in_list()? {
            match key.to_ascii_lowercase().as_str() {
                "source" => source = Some(self.value(line)?),
                "target" => target = Some(self.value(line)?),
                "weight" | "value" => weight = Some(self.value(line)?),
                "directed" => directed = Some(self.value(line)? == "1"),
                _ => self.skip_value(line)?,
            }
        }
        let missing = |what| Fault::Missing("an edge", what).at(self.tokens.source, line);
        let ends = [source.ok_or_else(|| missing("source"))?, target.ok_or_else(|| missing("target"))?];
        self.edges.push(GmlEdge { ends, weight, directed, line });
        Ok(())
    }

    fn finish(self) -> Result<Draft, TopologyError> {
        let source = self.tokens.source;
        let mut draft = Draft::default();
        let labels: FxHashSet<&str> = self.nodes.iter().filter_map(|node| node.label).collect();
        // Labels are names if each node has one of its own.
        let named = labels.len() == self.nodes.len();
        let mut by_id = FxHashMap::default();
        for node in &self.nodes {
            let name = node.label.filter(|_| named).unwrap_or(node.id);
            let (number, _) = draft.node(name).map_err(|fault| fault.at(source, node.line))?;
            if by_id.insert(node.id, number).is_some() {
                return Err(Fault::TwoNodes(excerpt(node.id)).at(source, node.line));
            }
        }
        for edge in &self.edges {
            let end = |id: &str| {
                by_id.get(id).copied().ok_or_else(|| Fault::NoNode(id.into()).at(source, edge.line))
            };
            let (a, b) = (end(edge.ends[0])?, end(edge.ends[1])?);
            let weight = edge.weight.and_then(|weight| draft.weight(weight, edge.line));
            let sense = if edge.directed.unwrap_or(self.directed) { Sense::Forth } else { Sense::Both };
            draft.edge(a, b, sense, weight).map_err(|fault| fault.at(source, edge.line))?;
        }
        Ok(draft)
    }
}
