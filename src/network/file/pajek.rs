//! Read Pajek's networks: `*Vertices n` with numbers and labels, then sections of `*Edges`, `*Arcs`, `*Edgeslist` and `*Arcslist`.

use super::Source;
use super::draft::{Draft, Sense};
use super::fault::{Fault, Matrix};
use super::lines::{numbered, words};
use crate::network::{MAX_PROCESSES, TopologyError};

/// The characters that begin a comment.
const COMMENTS: &[char] = &['%'];

/// Return whether the text begins with `*Vertices`, possibly after `*Network NAME`.
pub(super) fn recognise(source: Source) -> bool {
    let mut lines = numbered(source.text, COMMENTS).map(|(_, line)| line.to_ascii_lowercase());
    let begins = |line: &str| line.starts_with("*vertices");
    lines.next().is_some_and(|first| {
        begins(&first) || first.starts_with("*network") && lines.next().is_some_and(|second| begins(&second))
    })
}

/// A part of the file.
#[derive(Clone, Copy)]
enum Section {
    Vertices,
    /// Two vertices and perhaps a weight on each line.
    Pairs(Sense),
    /// A vertex and its neighbours on each line.
    Lists(Sense),
    /// Partitions, vectors and other data.
    Other,
}

pub(super) fn read(source: Source) -> Result<Draft, TopologyError> {
    let mut n = 0;
    let mut labels: Vec<String> = Vec::new();
    let mut rows = Vec::new();
    let mut section = Section::Other;
    for (line, text) in numbered(source.text, COMMENTS) {
        let words = words(text);
        let Some(word) = text.strip_prefix('*') else {
            match section {
                Section::Vertices => {
                    let place = vertex(words[0], n).map_err(|fault| fault.at(source, line))?;
                    if let Some(label) = words.get(1).filter(|label| !label.is_empty()) {
                        labels[place] = (*label).to_string();
                    }
                }
                Section::Other => {}
                _ => rows.push((line, words, section)),
            }
            continue;
        };
        section = match word.split_whitespace().next().unwrap_or("").to_ascii_lowercase().as_str() {
            "vertices" => {
                if n > 0 {
                    return Err(Fault::SeveralGraphs.at(source, line));
                }
                let size = words.get(1).and_then(|size| size.parse::<u32>().ok());
                n = size.ok_or_else(|| Fault::Missing("*Vertices", "number of vertices").at(source, line))?;
                if n > MAX_PROCESSES {
                    return Err(Fault::TooManyProcesses.at(source, line));
                }
                labels = (1..=n).map(|number| number.to_string()).collect();
                Section::Vertices
            }
            "edges" => Section::Pairs(Sense::Both),
            "arcs" => Section::Pairs(Sense::Forth),
            "edgeslist" => Section::Lists(Sense::Both),
            "arcslist" => Section::Lists(Sense::Forth),
            "matrix" => {
                let matrix = Matrix { separator: None, lines_before: line, named_columns: None };
                return Err(Fault::AdjacencyMatrix(matrix).at(source, line));
            }
            _ => Section::Other,
        };
    }
    let mut distinct = labels.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let mut draft = Draft::default();
    for (number, label) in (1..).zip(&labels) {
        // Labels are names if each vertex has one of its own.
        let name = if distinct.len() == labels.len() { label.clone() } else { number.to_string() };
        draft.node(&name).map_err(|fault| fault.at(source, 1))?;
    }
    for (line, words, section) in rows {
        let row = match section {
            Section::Lists(sense) => list(&mut draft, n, &words, sense),
            Section::Pairs(sense) => pair(&mut draft, n, &words, sense, line),
            _ => Ok(()),
        };
        row.map_err(|fault| fault.at(source, line))?;
    }
    Ok(draft)
}

fn pair(draft: &mut Draft, n: u32, words: &[&str], sense: Sense, line: usize) -> Result<(), Fault> {
    let [a, b, rest @ ..] = words else { return Err(Fault::NotAnEdge(words.join(" "))) };
    let (a, b) = (vertex(a, n)?, vertex(b, n)?);
    let weight = rest.first().filter(|word| word.starts_with(|c: char| !c.is_alphabetic()));
    let weight = weight.and_then(|weight| draft.weight(weight, line));
    draft.edge(a as u32, b as u32, sense, weight)
}

fn list(draft: &mut Draft, n: u32, words: &[&str], sense: Sense) -> Result<(), Fault> {
    let (a, neighbours) = words.split_first().expect("an empty line is skipped");
    let a = vertex(a, n)? as u32;
    for b in neighbours {
        let b = vertex(b, n)? as u32;
        draft.edge(a, b, sense, None)?;
    }
    Ok(())
}

/// Return the place of a vertex, which is a number from 1 to `n`.
fn vertex(word: &str, n: u32) -> Result<usize, Fault> {
    let number: u32 = word.parse().map_err(|_| Fault::NotAProcess(word.into()))?;
    if !(1..=n).contains(&number) {
        return Err(Fault::NodeBeyond(word.into(), n));
    }
    Ok(number as usize - 1)
}
