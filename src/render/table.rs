//! Aligned columns.

use super::canvas::width;

/// Rows of cells, left-aligned, two spaces apart; columns that are empty throughout (but for the heading) are
/// left out.
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
            out += &" ".repeat(wanted - width(text) + 2);
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
