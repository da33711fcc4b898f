//! Read DOT as far as it describes a graph: nodes in order of appearance, edges, subgraphs as lists of nodes, and the edge
//! attributes `weight` and `dir`. Everything else is ignored.
//!
//! The parser is our own: those on crates.io lose the order of nodes or overflow the stack on deeply nested subgraphs.

use super::Source;
use super::draft::{Draft, Sense};
use super::fault::Fault;
use super::weight::Decimal;
use crate::network::TopologyError;
use crate::network::text::excerpt;
use rustc_hash::FxHashSet;

/// The maximum nesting depth of subgraphs. The parser recurses, and no graph drawn by a person comes near.
const MAX_DEPTH: u32 = 64;

/// Return whether the text begins with `graph {` or `digraph {`, with or without `strict` and a name.
pub(super) fn recognise(source: Source) -> bool {
    let mut parser = Parser::new(source);
    parser.advance().is_ok() && parser.header().is_ok()
}

pub(super) fn read(source: Source) -> Result<Draft, TopologyError> {
    let mut parser = Parser::new(source);
    parser.advance()?;
    parser.graph()?;
    Ok(parser.draft)
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// An unquoted word or number, which may be a keyword.
    Word(String),
    /// A quoted or HTML string, which is never a keyword.
    Text(String),
    Mark(char),
    /// `--`
    Line,
    /// `->`
    Arrow,
    End,
}

struct Scanner<'a> {
    source: Source<'a>,
    text: &'a str,
    at: usize,
}

impl Scanner<'_> {
    fn error(&self, at: usize, fault: Fault) -> TopologyError {
        fault.at(self.source, self.source.line(at))
    }

    fn skip_space(&mut self) -> Result<(), TopologyError> {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            // `#` begins a line of the C preprocessor, which DOT ignores.
            let line_start =
                self.at == 0 || self.text[..self.at].trim_end_matches([' ', '\t']).ends_with('\n');
            if trimmed.starts_with("//") || (trimmed.starts_with('#') && line_start) {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if let Some(comment) = trimmed.strip_prefix("/*") {
                let Some(length) = comment.find("*/") else {
                    return Err(self.error(self.at, Fault::Unterminated("comment")));
                };
                self.at += length + 4;
            } else {
                return Ok(());
            }
        }
    }

    fn next(&mut self) -> Result<(usize, Token), TopologyError> {
        self.skip_space()?;
        let start = self.at;
        let rest = &self.text[start..];
        let Some(first) = rest.chars().next() else {
            return Ok((start, Token::End));
        };
        let token = match first {
            '"' => Token::Text(self.quoted()?),
            '<' => Token::Text(self.html()?),
            '{' | '}' | '[' | ']' | ';' | ',' | '=' | ':' | '+' => {
                self.at += 1;
                Token::Mark(first)
            }
            '-' if rest.starts_with("--") => {
                self.at += 2;
                Token::Line
            }
            '-' if rest.starts_with("->") => {
                self.at += 2;
                Token::Arrow
            }
            _ if is_word(first) || first == '-' => {
                let sign = usize::from(first == '-');
                let length = rest[sign..].find(|c| !is_word(c));
                let length = length.map_or(rest.len(), |length| length + sign);
                self.at += length;
                Token::Word(rest[..length].to_string())
            }
            _ => return Err(self.error(start, Fault::Unexpected(first))),
        };
        Ok((start, token))
    }

    fn quoted(&mut self) -> Result<String, TopologyError> {
        let start = self.at;
        let mut value = String::new();
        let mut characters = self.text[start + 1..].char_indices();
        while let Some((i, c)) = characters.next() {
            match c {
                '"' => {
                    self.at = start + 1 + i + 1;
                    return Ok(value);
                }
                '\\' => match characters.next() {
                    Some((_, '"')) => value.push('"'),
                    Some((_, '\n')) => {}
                    Some((_, '\r')) if self.text[start + 1..].contains("\\\r\n") => {
                        characters.next();
                    }
                    Some((_, other)) => value.extend(['\\', other]),
                    None => break,
                },
                _ => value.push(c),
            }
        }
        Err(self.error(start, Fault::Unterminated("quoted name")))
    }

    fn html(&mut self) -> Result<String, TopologyError> {
        let start = self.at;
        let mut depth = 0usize;
        for (i, c) in self.text[start..].char_indices() {
            match c {
                '<' => depth += 1,
                '>' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.at = start + i + 1;
                return Ok(self.text[start + 1..start + i].to_string());
            }
        }
        Err(self.error(start, Fault::Unterminated("HTML string")))
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

struct Parser<'a> {
    scanner: Scanner<'a>,
    token: Token,
    /// The offset at which `token` starts.
    start: usize,
    directed: bool,
    /// In a strict graph, the pairs that have an edge; further edges between them are ignored.
    strict: Option<FxHashSet<(u32, u32)>>,
    draft: Draft,
}

/// The attributes of edges that matter.
#[derive(Clone, Default)]
struct EdgeAttributes {
    weight: Option<Decimal>,
    /// `forward`, `back`, `both` or `none`: the arrowheads of an arc.
    dir: Option<String>,
}

impl EdgeAttributes {
    /// Return these attributes, and those of `others` that are absent here.
    fn or(self, others: &EdgeAttributes) -> EdgeAttributes {
        EdgeAttributes { weight: self.weight.or(others.weight), dir: self.dir.or_else(|| others.dir.clone()) }
    }
}

impl<'a> Parser<'a> {
    fn new(source: Source<'a>) -> Parser<'a> {
        Parser {
            scanner: Scanner { source, text: source.text, at: 0 },
            token: Token::End,
            start: 0,
            directed: false,
            strict: None,
            draft: Draft::default(),
        }
    }

    fn advance(&mut self) -> Result<Token, TopologyError> {
        let (start, token) = self.scanner.next()?;
        self.start = start;
        Ok(std::mem::replace(&mut self.token, token))
    }

    fn wrong(&self, expected: &str) -> TopologyError {
        let found = match &self.token {
            Token::Word(word) | Token::Text(word) => format!("«{}»", excerpt(word)),
            Token::Mark(mark) => format!("«{mark}»"),
            Token::Line => "«--»".to_string(),
            Token::Arrow => "«->»".to_string(),
            Token::End => "the end of the file".to_string(),
        };
        self.scanner.error(self.start, Fault::Expected(expected.into(), found))
    }

    fn at_keyword(&self, keyword: &str) -> bool {
        matches!(&self.token, Token::Word(word) if word.eq_ignore_ascii_case(keyword))
    }

    fn at_mark(&self, mark: char) -> bool {
        self.token == Token::Mark(mark)
    }

    fn at_name(&self) -> bool {
        matches!(self.token, Token::Word(_) | Token::Text(_))
    }

    fn expect(&mut self, mark: char) -> Result<(), TopologyError> {
        if !self.at_mark(mark) {
            return Err(self.wrong(&format!("«{mark}»")));
        }
        self.advance().map(|_| ())
    }

    /// Parse a name; quoted parts may be joined by `+`.
    fn name(&mut self, expected: &str) -> Result<String, TopologyError> {
        match self.token.clone() {
            Token::Word(word) => {
                self.advance()?;
                Ok(word)
            }
            Token::Text(mut text) => {
                self.advance()?;
                while self.at_mark('+') {
                    self.advance()?;
                    match self.advance()? {
                        Token::Text(more) => text.push_str(&more),
                        _ => return Err(self.wrong("a quoted string after «+»")),
                    }
                }
                Ok(text)
            }
            _ => Err(self.wrong(expected)),
        }
    }

    /// Parse up to the first brace.
    fn header(&mut self) -> Result<(), TopologyError> {
        if self.at_keyword("strict") {
            self.advance()?;
            self.strict = Some(FxHashSet::default());
        }
        self.directed = self.at_keyword("digraph");
        if !self.directed && !self.at_keyword("graph") {
            return Err(self.wrong("«graph» or «digraph»"));
        }
        self.advance()?;
        if self.at_name() {
            self.name("a name")?;
        }
        self.expect('{')
    }

    fn graph(&mut self) -> Result<(), TopologyError> {
        self.header()?;
        self.statements(EdgeAttributes::default(), 0)?;
        self.expect('}')?;
        if self.token != Token::End {
            return Err(self.wrong("the end of the file after one graph"));
        }
        Ok(())
    }

    /// Parse statements up to a closing brace, and return the nodes that they name. `given` are the default attributes
    /// of their edges.
    fn statements(&mut self, mut given: EdgeAttributes, depth: u32) -> Result<Vec<u32>, TopologyError> {
        let mut nodes = Vec::new();
        while !self.at_mark('}') {
            if self.at_mark(';') {
                self.advance()?;
                continue;
            }
            let is_attributes = ["graph", "node", "edge"].iter().any(|k| self.at_keyword(k));
            if is_attributes {
                let of_edges = self.at_keyword("edge");
                self.advance()?;
                let more = self.attributes(of_edges)?;
                if of_edges {
                    given = more.or(&given);
                }
                continue;
            }
            nodes.extend(self.statement(&given, depth)?);
        }
        nodes.sort_unstable();
        nodes.dedup();
        Ok(nodes)
    }

    /// Parse a node, an assignment, or a chain of edges, and return the nodes named.
    fn statement(&mut self, given: &EdgeAttributes, depth: u32) -> Result<Vec<u32>, TopologyError> {
        if self.at_name() && !self.at_keyword("subgraph") {
            let name = self.name("a node")?;
            if self.at_mark('=') {
                self.advance()?;
                self.name("a value")?;
                return Ok(Vec::new());
            }
            let node = self.node(&name)?;
            return self.chain(vec![node], given, depth);
        }
        let first = self.end_of_edge(given, depth)?;
        self.chain(first, given, depth)
    }

    fn numbered(&mut self, name: &str) -> Result<u32, TopologyError> {
        let node = self.draft.node(name).map_err(|fault| self.scanner.error(self.start, fault))?;
        Ok(node.0)
    }

    fn node(&mut self, name: &str) -> Result<u32, TopologyError> {
        // A port of the drawing, `node:port:compass`, does not affect the graph.
        for _ in 0..2 {
            if self.at_mark(':') {
                self.advance()?;
                self.name("a port")?;
            }
        }
        self.numbered(name)
    }

    /// Parse one end of an edge: a node, or the nodes of a subgraph.
    fn end_of_edge(&mut self, given: &EdgeAttributes, depth: u32) -> Result<Vec<u32>, TopologyError> {
        let subgraph = self.at_keyword("subgraph");
        if subgraph {
            self.advance()?;
            if self.at_name() {
                self.name("a name")?;
            }
        }
        if subgraph || self.at_mark('{') {
            if depth == MAX_DEPTH {
                return Err(self.scanner.error(self.start, Fault::TooDeep(MAX_DEPTH)));
            }
            self.expect('{')?;
            let nodes = self.statements(given.clone(), depth + 1)?;
            self.expect('}')?;
            return Ok(nodes);
        }
        let name = self.name("a node")?;
        Ok(vec![self.node(&name)?])
    }

    fn chain(
        &mut self,
        first: Vec<u32>,
        given: &EdgeAttributes,
        depth: u32,
    ) -> Result<Vec<u32>, TopologyError> {
        let mut groups = vec![first];
        while matches!(self.token, Token::Line | Token::Arrow) {
            match (&self.token, self.directed) {
                (Token::Arrow, false) => {
                    return Err(self.wrong("«--» in a graph (-> needs digraph)"));
                }
                (Token::Line, true) => return Err(self.wrong("«->» in a digraph (-- needs graph)")),
                _ => {}
            }
            self.advance()?;
            groups.push(self.end_of_edge(given, depth)?);
        }
        let is_edge = groups.len() > 1;
        let attributes = self.attributes(is_edge)?.or(given);
        for pair in groups.windows(2) {
            for &a in &pair[0] {
                for &b in &pair[1] {
                    self.edge(a, b, &attributes)?;
                }
            }
        }
        Ok(groups.concat())
    }

    fn edge(&mut self, a: u32, b: u32, attributes: &EdgeAttributes) -> Result<(), TopologyError> {
        let dir = attributes.dir.as_deref().filter(|_| self.directed);
        let (a, b) = if dir == Some("back") { (b, a) } else { (a, b) };
        if let Some(seen) = &mut self.strict {
            let pair = if self.directed { (a, b) } else { (a.min(b), a.max(b)) };
            if !seen.insert(pair) {
                return Ok(());
            }
        }
        let is_arc = self.directed && !matches!(dir, Some("both" | "none"));
        let sense = if is_arc { Sense::Forth } else { Sense::Both };
        let added = self.draft.edge(a, b, sense, attributes.weight);
        added.map_err(|fault| self.scanner.error(self.start, fault))
    }

    /// Parse attribute lists, and return those of edges that matter.
    fn attributes(&mut self, of_edge: bool) -> Result<EdgeAttributes, TopologyError> {
        let mut given = EdgeAttributes::default();
        while self.at_mark('[') {
            self.advance()?;
            while !self.at_mark(']') {
                if self.at_mark(',') || self.at_mark(';') {
                    self.advance()?;
                    continue;
                }
                let key = self.name("an attribute or «]»")?;
                if !self.at_mark('=') {
                    continue; // `[bold]` is short for `[bold=true]`
                }
                self.advance()?;
                let start = self.start;
                let value = self.name("a value")?;
                if of_edge && key == "weight" {
                    given.weight = self.draft.weight(&value, self.scanner.source.line(start));
                } else if of_edge && key == "dir" {
                    given.dir = Some(value);
                }
            }
            self.advance()?;
        }
        Ok(given)
    }
}
