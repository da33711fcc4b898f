//! Networks as text for people, and as DOT for other tools.

use std::fmt::Write;

use super::{NONE, Network, Port, Weights};
use crate::ids::ProcessId;
use crate::prose::{padded, right_aligned};

/// Tables of ports and ids are shown up to this many processes: they fit on a screen.
const SHOWN_PROCESSES: u32 = 32;

impl Network {
    /// Return the text of `synod topology show`: sizes, degrees, and for small networks a table of ports and ids.
    pub fn describe(&self) -> String {
        let mut text = String::new();
        let degrees = || self.processes().map(|p| self.degree(p));
        let (least, most) = (degrees().min().unwrap_or(0), degrees().max().unwrap_or(0));
        let edges = if self.directed() { "links" } else { "edges" };
        let diameter = match self.diameter() {
            Some(diameter) => diameter.to_string(),
            None => "infinite".to_string(),
        };
        let degree = if least == most { least.to_string() } else { format!("{least} to {most}") };
        let connected = if self.is_connected() { "yes" } else { "no" };
        for (what, value) in [
            ("topology", self.topology().to_string()),
            ("processes", self.n().to_string()),
            (edges, self.edges().to_string()),
            ("diameter", diameter),
            ("degree", degree),
            ("connected", connected.to_string()),
        ] {
            line(&mut text, &format!("{what:<10} {value}"));
        }
        if self.n() <= SHOWN_PROCESSES {
            text.push('\n');
            self.describe_processes(&mut text);
        }
        text
    }

    fn describe_processes(&self, text: &mut String) {
        let mut rows = vec![["process".to_string(), "id".to_string(), "ports".to_string()]];
        for p in self.processes() {
            let ports: Vec<String> =
                (0u32..).zip(self.ports(p)).map(|(k, port)| self.describe_port(p, k, port)).collect();
            rows.push([self.process_name(p), self.id(p).to_string(), ports.join(", ")]);
        }
        let width = |column: usize| {
            let lengths = rows.iter().map(|row| row[column].chars().count());
            lengths.max().unwrap_or(0)
        };
        let (first, second) = (width(0), width(1));
        for [process, id, ports] in &rows {
            line(text, &format!("{}  {}  {ports}", padded(process, first), right_aligned(id, second)));
        }
    }

    fn describe_port(&self, process: ProcessId, number: u32, port: Port) -> String {
        let name = match port.label {
            Some(label) => label.to_string(),
            None => number.to_string(),
        };
        let arrow = match (port.out, port.incoming) {
            (_, NONE) => "→",
            (NONE, _) => "←",
            _ => "↔",
        };
        let weight = self.given_weight(process, number).map(|weight| format!(" weight {weight}"));
        format!("{name} {arrow} {}{}", self.process_name(port.peer), weight.unwrap_or_default())
    }

    /// Return the network in DOT: processes by name or as `p0`, ids as labels, and the edge weights, if they are given. [`Spec::from_dot`]
    /// reads back the same graph; two opposite arcs form one edge if their weights are equal or not given. Self links are omitted.
    ///
    /// [`Spec::from_dot`]: super::Spec::from_dot
    pub fn to_dot(&self) -> String {
        let directed = self.directed();
        let (keyword, arrow) = if directed { ("digraph", "->") } else { ("graph", "--") };
        let mut dot = String::new();
        line(&mut dot, &format!("{keyword} {} {{", quoted(self.topology())));
        for p in self.processes() {
            let (name, id) = (quoted(&self.process_name(p)), self.id(p));
            line(&mut dot, &format!("  {name} [label=\"{id}\"];"));
        }
        for (i, link) in self.numbered_edge_links() {
            if !directed && i % 2 == 1 {
                continue; // the reverse direction of the previous edge
            }
            let (from, to) = (quoted(&self.process_name(link.from)), quoted(&self.process_name(link.to)));
            let weight = match &self.weights {
                Weights::Given(_) => format!(" [weight={}]", self.edge_weight(self.edge_of(i))),
                Weights::Drawn { .. } => String::new(),
            };
            line(&mut dot, &format!("  {from} {arrow} {to}{weight};"));
        }
        line(&mut dot, "}");
        dot
    }
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{}", line.trim_end()).expect("writing to a string cannot fail");
}

/// Return the form of a name in DOT: a plain identifier stays unquoted.
fn quoted(text: &str) -> String {
    let word = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let keyword = ["node", "edge", "graph", "digraph", "subgraph", "strict"]
        .contains(&text.to_ascii_lowercase().as_str());
    if word && !keyword {
        return text.to_string();
    }
    dot_string(text)
}

/// Quote a text as a DOT string, in which `\"` is the only escape. Labels have more of them: there, the caller doubles backslashes. A text
/// in which a backslash would escape a quotation mark or the closing one is an HTML string, which has no escapes.
pub fn dot_string(text: &str) -> String {
    let mut ends = text.split('"').map(|part| part.len() - part.trim_end_matches('\\').len());
    match ends.any(|backslashes| backslashes % 2 == 1) && is_balanced(text) {
        true => format!("<{text}>"),
        false => format!("\"{}\"", text.replace('"', "\\\"")),
    }
}

/// Return whether each `<` has its `>`.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0i64;
    text.chars().all(|sign| {
        depth += i64::from(sign == '<') - i64::from(sign == '>');
        depth >= 0
    }) && depth == 0
}

/// Return a count with its noun: `1 process`, `3 processes`.
pub(super) fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
