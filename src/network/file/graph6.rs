//! Read graph6 and digraph6, as nauty and `NetworkX` write them: the bits of the adjacency matrix, six to a character.

use super::Source;
use super::draft::{Draft, Sense};
use super::fault::Fault;
use crate::network::{MAX_PROCESSES, TopologyError};

const HEADERS: [&str; 2] = [">>graph6<<", ">>digraph6<<"];

/// Return whether the first line is one word of the right length.
pub(super) fn recognise(source: Source) -> bool {
    let text = source.text.trim_start();
    if HEADERS.iter().any(|header| text.starts_with(header)) {
        return true;
    }
    let Some(line) = text.lines().next() else { return false };
    Code::of(line).is_ok_and(|code| code.n > 0 && code.bits.len() == code.length())
}

/// The parts of the first line.
struct Code<'a> {
    directed: bool,
    n: u32,
    bits: &'a [u8],
}

impl Code<'_> {
    fn of(line: &str) -> Result<Code<'_>, Fault> {
        let header = HEADERS.iter().find_map(|header| line.strip_prefix(header));
        let line = header.unwrap_or(line).trim_end();
        let (directed, bytes) = match line.strip_prefix('&') {
            Some(rest) => (true, rest.as_bytes()),
            None => (false, line.as_bytes()),
        };
        if let Some(byte) = bytes.iter().find(|byte| !(63..=126).contains(*byte)) {
            return Err(Fault::Unexpected(char::from(*byte)));
        }
        // The number of processes has 1, 4 or 8 characters; 126 begins the longer forms.
        let digits = match bytes {
            [126, 126, ..] => 2..8,
            [126, ..] => 1..4,
            _ => 0..1,
        };
        let (Some(number), Some(bits)) = (bytes.get(digits.clone()), bytes.get(digits.end..)) else {
            return Err(Fault::Missing("the graph", "size"));
        };
        let n = number.iter().fold(0u64, |n, byte| n << 6 | u64::from(byte - 63));
        match u32::try_from(n) {
            Ok(n) if n <= MAX_PROCESSES => Ok(Code { directed, n, bits }),
            _ => Err(Fault::TooManyProcesses),
        }
    }

    /// Return the number of characters that the matrix takes.
    fn length(&self) -> usize {
        let n = self.n as usize;
        let bits = if self.directed { n * n } else { n * n.saturating_sub(1) / 2 };
        bits.div_ceil(6)
    }

    fn bit(&self, number: usize) -> bool {
        ((self.bits[number / 6] - 63) >> (5 - number % 6)) & 1 == 1
    }
}

pub(super) fn read(source: Source) -> Result<Draft, TopologyError> {
    let mut lines = (1..).zip(source.text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let (line, text) = lines.next().ok_or_else(|| Fault::Empty.of(source))?;
    if let Some((second, _)) = lines.next() {
        return Err(Fault::SeveralGraphs.at(source, second));
    }
    let code = Code::of(text.trim()).map_err(|fault| fault.at(source, line))?;
    if code.bits.len() != code.length() {
        let (wanted, found) = (code.length(), code.bits.len());
        return Err(Fault::WrongLength { processes: code.n, wanted, found }.at(source, line));
    }
    let mut draft = Draft::default();
    for number in 0..code.n {
        draft.node(&number.to_string()).map_err(|fault| fault.at(source, line))?;
    }
    let mut number = 0;
    for b in 0..code.n {
        // The columns of the upper triangle; of a digraph, whole rows.
        for a in 0..if code.directed { code.n } else { b } {
            if code.bit(number) {
                let (from, to) = if code.directed { (b, a) } else { (a, b) };
                let sense = if code.directed { Sense::Forth } else { Sense::Both };
                draft.edge(from, to, sense, None).map_err(|fault| fault.at(source, line))?;
            }
            number += 1;
        }
    }
    Ok(draft)
}
