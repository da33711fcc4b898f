//! Tables with aligned columns.

use super::canvas::{truncated, width};
use crate::prose::blanks;

/// Return rows of left-aligned cells, two spaces apart; columns that are empty except for the heading are omitted.
pub fn table(heading: &[&str], rows: &[Vec<String>], indent: usize) -> Vec<String> {
    let cell = |row: &[String], c: usize| row.get(c).cloned().unwrap_or_default();
    let used: Vec<usize> =
        (0..heading.len()).filter(|c| rows.iter().any(|row| !cell(row, *c).is_empty())).collect();
    let widest = |c: &usize| {
        let cells = rows.iter().map(|row| width(&cell(row, *c)));
        cells.max().unwrap_or(0).max(width(heading[*c]))
    };
    let widths: Vec<usize> = used.iter().map(widest).collect();
    let line = |texts: Vec<String>| {
        let mut out = " ".repeat(indent);
        for (text, wanted) in texts.iter().zip(&widths) {
            out += text;
            out += &blanks(width(text), *wanted);
            out += "  ";
        }
        out.trim_end().to_string()
    };
    let mut lines = Vec::new();
    if heading.iter().any(|h| !h.is_empty()) {
        lines.push(line(used.iter().map(|c| heading[*c].to_string()).collect()));
    }
    for row in rows {
        lines.push(line(used.iter().map(|c| cell(row, *c)).collect()));
    }
    lines
}

/// Return the same rows with long cells truncated so that rows are no wider than `room`, if possible.
pub fn table_within(heading: &[&str], rows: &[Vec<String>], room: usize, ellipsis: &str) -> Vec<String> {
    let widest = |c: usize| {
        let cells = rows.iter().filter_map(|row| row.get(c)).map(|cell| width(cell)).max().unwrap_or(0);
        if cells == 0 { 0 } else { cells.max(width(heading[c])) }
    };
    let widths: Vec<usize> = (0..heading.len()).map(widest).filter(|w| *w > 0).collect();
    let total = |most: usize| widths.iter().map(|w| *w.min(&most) + 2).sum::<usize>().saturating_sub(2);
    let longest = widths.iter().copied().max().unwrap_or(0);
    if total(longest) <= room {
        return table(heading, rows, 0);
    }
    let most = (LEAST_CELL..longest).rev().find(|most| total(*most) <= room).unwrap_or(LEAST_CELL);
    let cut: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|cell| truncated(cell, most, ellipsis)).collect()).collect();
    table(heading, &cut, 0)
}

/// The minimum length of a truncated cell: shorter ones would be unreadable.
const LEAST_CELL: usize = 8;
