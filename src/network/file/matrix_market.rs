//! Read sparse matrices in the format of Matrix Market: entry `i j w` is a link from process i to process j; in a symmetric matrix
//! it is an edge.

use super::Source;
use super::draft::{Draft, Sense};
use super::fault::Fault;
use super::lines::numbered;
use crate::network::{MAX_PROCESSES, TopologyError};

const BANNER: &str = "%%MatrixMarket";

pub(super) fn recognise(source: Source) -> bool {
    source.text.get(..BANNER.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(BANNER))
}

pub(super) fn read(source: Source) -> Result<Draft, TopologyError> {
    let banner = source.text.lines().next().unwrap_or("").to_ascii_lowercase();
    let banner: Vec<&str> = banner.split_whitespace().skip(1).collect();
    let ["matrix", form, field, symmetry] = banner[..] else {
        let wanted = "«%%MatrixMarket matrix coordinate FIELD SYMMETRY»".to_string();
        return Err(Fault::Expected(wanted, "another first line".into()).at(source, 1));
    };
    if form != "coordinate" {
        return Err(Fault::DenseMatrix.at(source, 1));
    }
    let sense = if symmetry == "general" { Sense::Forth } else { Sense::Both };
    let mut lines = numbered(source.text, &['%']);
    let (line, sizes) = lines.next().ok_or_else(|| Fault::Missing("the matrix", "size").at(source, 1))?;
    let sizes: Option<Vec<u32>> = sizes.split_whitespace().map(|size| size.parse().ok()).collect();
    let Some(&[rows, columns, _]) = sizes.as_deref() else {
        return Err(Fault::Missing("the matrix", "size: rows, columns and entries").at(source, line));
    };
    if rows != columns {
        return Err(Fault::NotSquare(rows, columns).at(source, line));
    }
    if rows > MAX_PROCESSES {
        return Err(Fault::TooManyProcesses.at(source, line));
    }
    let mut draft = Draft::default();
    for number in 1..=rows {
        draft.node(&number.to_string()).map_err(|fault| fault.at(source, line))?;
    }
    for (line, text) in lines {
        let words: Vec<&str> = text.split_whitespace().collect();
        let entry = |word: Option<&&str>| {
            let word = word.ok_or_else(|| Fault::NotAnEdge(text.into()))?;
            match word.parse::<u32>() {
                Ok(number) if (1..=rows).contains(&number) => Ok(number - 1),
                Ok(_) => Err(Fault::NodeBeyond((*word).into(), rows)),
                Err(_) => Err(Fault::NotAProcess((*word).into())),
            }
        };
        let ends = entry(words.first()).and_then(|a| Ok((a, entry(words.get(1))?)));
        let (a, b) = ends.map_err(|fault| fault.at(source, line))?;
        let weight = words.get(2).filter(|_| matches!(field, "real" | "integer" | "double"));
        let weight = weight.and_then(|weight| draft.weight(weight, line));
        draft.edge(a, b, sense, weight).map_err(|fault| fault.at(source, line))?;
    }
    Ok(draft)
}
