//! Read adjacency lists: a process and its neighbours on each line, `a b c` or `a: b c`. An edge may be listed from both ends.

use super::Source;
use super::draft::{Draft, Sense};
use crate::network::Notice;
use crate::network::TopologyError;
use rustc_hash::FxHashSet;

const ENDINGS: [&str; 2] = ["adjlist", "adj"];

/// Return the words of each line with its number; `#` begins a comment.
fn rows(text: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.split('#').next().unwrap_or("")));
    lines
        .map(|(number, line)| (number, line.split_whitespace().collect()))
        .filter(|(_, words): &(_, Vec<_>)| !words.is_empty())
}

/// Return whether the text is an adjacency list: by its ending, by `a:` at the beginning of each line, or because each line has a first
/// word of its own and its further words are processes.
///
/// A line of two words may also be an edge, and one of three an edge with its weight; these lists are adjacency lists only if
/// all third words are processes. If all lines have the same number of words, each edge must be listed from both ends, and the first two words of
/// the lines must not be a list of edges.
pub(super) fn recognise(source: Source) -> bool {
    if ENDINGS.contains(&source.ending().as_str()) {
        return true;
    }
    if source.text.contains([',', ';', '{', '%', '>']) {
        return false;
    }
    let rows: Vec<Vec<&str>> = rows(source.text).map(|(_, words)| words).collect();
    if !rows.is_empty() && rows.iter().all(|words| words[0].len() > 1 && words[0].ends_with(':')) {
        return true;
    }
    let firsts: FxHashSet<&str> = rows.iter().map(|words| words[0]).collect();
    let names: FxHashSet<&str> = rows.iter().flat_map(|words| words.iter().take(2)).copied().collect();
    let is_ragged = rows.iter().any(|words| words.len() != rows[0].len());
    let most = rows.iter().map(Vec::len).max().unwrap_or(0);
    let are_names =
        most > 3 || rows.iter().all(|words| words.get(2).is_none_or(|third| names.contains(third)));
    let all = || rows.iter().flatten();
    if !is_ragged {
        return firsts.len() == rows.len() && is_symmetric(&rows) && (most > 3 || !is_list_of_edges(&rows));
    }
    most > 2
        && firsts.len() == rows.len()
        && are_names
        // A single number before lists of edges is their size.
        && !(rows[0].len() == 1 && rows[1..].iter().all(|words| matches!(words.len(), 2 | 3)))
        && (all().all(|word| word.parse::<u64>().is_ok()) || all().all(|word| firsts.contains(word)))
}

/// Return whether there are at least three lines, each lists two or more distinct neighbours, and each edge is listed from both ends.
fn is_symmetric(rows: &[Vec<&str>]) -> bool {
    let arcs: FxHashSet<(&str, &str)> =
        rows.iter().flat_map(|words| words[1..].iter().map(|word| (words[0], *word))).collect();
    let listed: usize = rows.iter().map(|words| words.len() - 1).sum();
    rows.len() > 2
        && rows[0].len() > 2
        && arcs.len() == listed
        && arcs.iter().all(|(from, to)| from != to && arcs.contains(&(to, from)))
}

/// Return whether the first two words of the lines list each edge once, or each edge from both of its ends.
fn is_list_of_edges(rows: &[Vec<&str>]) -> bool {
    let arcs: FxHashSet<(&str, &str)> = rows.iter().map(|words| (words[0], words[1])).collect();
    let mut reversed = arcs.iter().map(|(from, to)| arcs.contains(&(to, from)));
    let first = reversed.next();
    reversed.all(|is| Some(is) == first)
}

pub(super) fn read(source: Source) -> Result<Draft, TopologyError> {
    let mut draft = Draft::default();
    draft.lists_both_ends = true;
    if !ENDINGS.contains(&source.ending().as_str())
        && let Some((line, words)) = rows(source.text).find(|(_, words)| words.len() > 2)
    {
        draft.notices.push(Notice::Adjacency(line, words.join(" ")));
    }
    for (line, words) in rows(source.text) {
        let mut nodes = Vec::with_capacity(words.len());
        for (place, word) in words.into_iter().enumerate() {
            let name = if place == 0 { word.strip_suffix(':').unwrap_or(word) } else { word };
            nodes.push(draft.node(name).map_err(|fault| fault.at(source, line))?.0);
        }
        for &neighbour in &nodes[1..] {
            draft.edge(nodes[0], neighbour, Sense::Unstated, None).map_err(|fault| fault.at(source, line))?;
        }
    }
    Ok(draft)
}
