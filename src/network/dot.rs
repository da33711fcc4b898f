//! Read DOT as far as it describes a graph: nodes in order of appearance, edges, subgraphs as lists of nodes, and the edge
//! attribute `weight`. Everything else is ignored.
//!
//! The parser is our own: those on crates.io lose the order of nodes or overflow the stack on deeply nested subgraphs.

use rustc_hash::FxHashSet;

use super::TopologyError;
use super::edge_list::{EdgeCollector, ListedGraph, Names};
use super::text::excerpt;

/// The maximum nesting depth of subgraphs. The parser recurses, and no graph drawn by a person comes near.
const MAX_DEPTH: u32 = 64;

pub(super) fn parse(name: &str, text: &str) -> Result<ListedGraph, TopologyError> {
    let mut parser = Parser {
        scanner: Scanner { name, text, at: 0 },
        token: Token::End,
        start: 0,
        directed: false,
        strict: None,
        names: Names::default(),
        collector: EdgeCollector::default(),
    };
    parser.advance()?;
    parser.graph()?;
    let n = parser.names.list.len() as u32;
    if n == 0 {
        return Err(
            TopologyError::new(format!("{name} has no nodes")).hint("an example is graph { a -- b; b -- c }")
        );
    }
    let names = parser.names.list;
    Ok(parser.collector.into_listed(name.to_string(), n, names))
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
    name: &'a str,
    text: &'a str,
    at: usize,
}

impl Scanner<'_> {
    fn error(&self, at: usize, message: &str) -> TopologyError {
        let before = self.text.as_bytes().iter().take(at);
        let line = 1 + before.filter(|b| **b == b'\n').count();
        TopologyError::new(format!("line {line} of {}: {message}", self.name))
            .hint("an example is graph { a -- b; b -- c [weight=5] }")
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
                    return Err(self.error(self.at, "unterminated comment"));
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
            _ => return Err(self.error(start, &format!("unexpected «{first}»"))),
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
                    Some((_, other)) => value.extend(['\\', other]),
                    None => break,
                },
                _ => value.push(c),
            }
        }
        Err(self.error(start, "unterminated quoted name"))
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
        Err(self.error(start, "unterminated HTML string"))
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
    names: Names,
    collector: EdgeCollector,
}

impl Parser<'_> {
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
        self.scanner.error(self.start, &format!("expected {expected}, found {found}"))
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

    fn graph(&mut self) -> Result<(), TopologyError> {
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
        self.expect('{')?;
        self.statements(None, 0)?;
        self.expect('}')?;
        if self.token != Token::End {
            return Err(self.wrong("the end of the file after one graph"));
        }
        Ok(())
    }

    /// Parse statements up to a closing brace, and return the nodes that they name. `weight` is the default weight of their
    /// edges.
    fn statements(&mut self, mut weight: Option<i64>, depth: u32) -> Result<Vec<u32>, TopologyError> {
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
                let given = self.attributes(of_edges)?;
                if of_edges {
                    weight = given.or(weight);
                }
                continue;
            }
            nodes.extend(self.statement(weight, depth)?);
        }
        nodes.sort_unstable();
        nodes.dedup();
        Ok(nodes)
    }

    /// Parse a node, an assignment, or a chain of edges, and return the nodes named.
    fn statement(&mut self, weight: Option<i64>, depth: u32) -> Result<Vec<u32>, TopologyError> {
        if self.at_name() && !self.at_keyword("subgraph") {
            let name = self.name("a node")?;
            if self.at_mark('=') {
                self.advance()?;
                self.name("a value")?;
                return Ok(Vec::new());
            }
            let node = self.node(&name)?;
            return self.chain(vec![node], weight, depth);
        }
        let first = self.end_of_edge(weight, depth)?;
        self.chain(first, weight, depth)
    }

    fn node(&mut self, name: &str) -> Result<u32, TopologyError> {
        // A port of the drawing, `node:port:compass`, does not affect the graph.
        for _ in 0..2 {
            if self.at_mark(':') {
                self.advance()?;
                self.name("a port")?;
            }
        }
        self.names.number(name)
    }

    /// Parse one end of an edge: a node, or the nodes of a subgraph.
    fn end_of_edge(&mut self, weight: Option<i64>, depth: u32) -> Result<Vec<u32>, TopologyError> {
        let subgraph = self.at_keyword("subgraph");
        if subgraph {
            self.advance()?;
            if self.at_name() {
                self.name("a name")?;
            }
        }
        if subgraph || self.at_mark('{') {
            if depth == MAX_DEPTH {
                let message = format!("subgraphs are nested more than {MAX_DEPTH} deep");
                return Err(self.scanner.error(self.start, &message));
            }
            self.expect('{')?;
            let nodes = self.statements(weight, depth + 1)?;
            self.expect('}')?;
            return Ok(nodes);
        }
        let name = self.name("a node")?;
        Ok(vec![self.node(&name)?])
    }

    fn chain(&mut self, first: Vec<u32>, weight: Option<i64>, depth: u32) -> Result<Vec<u32>, TopologyError> {
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
            groups.push(self.end_of_edge(weight, depth)?);
        }
        let is_edge = groups.len() > 1;
        let weight = self.attributes(is_edge)?.or(weight);
        for pair in groups.windows(2) {
            for &a in &pair[0] {
                for &b in &pair[1] {
                    self.edge(a, b, weight)?;
                }
            }
        }
        Ok(groups.concat())
    }

    fn edge(&mut self, a: u32, b: u32, weight: Option<i64>) -> Result<(), TopologyError> {
        if let Some(seen) = &mut self.strict {
            let pair = if self.directed { (a, b) } else { (a.min(b), a.max(b)) };
            if !seen.insert(pair) {
                return Ok(());
            }
        }
        self.collector.add((a, b), !self.directed, weight)
    }

    /// Parse attribute lists, and return the edge weight given in them.
    fn attributes(&mut self, of_edge: bool) -> Result<Option<i64>, TopologyError> {
        let mut weight = None;
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
                    let Ok(number) = value.parse() else {
                        let value = excerpt(&value);
                        let message = format!("«{value}» is not a weight, which is a 64-bit integer");
                        return Err(self.scanner.error(start, &message));
                    };
                    weight = Some(number);
                }
            }
            self.advance()?;
        }
        Ok(weight)
    }
}
