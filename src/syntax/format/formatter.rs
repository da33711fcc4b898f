//! Repeated formatting in an editor: earlier layouts are kept.

use super::clause_group;
use super::doc::Row;
use super::page::Page;
use super::sheet::Sheet;
use super::symbols::Signs;
use super::{Edit, keeps_words};
use crate::diagnostic::Diagnostic;
use crate::syntax::Parsed;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::rc::Rc;

/// Limit of kept stretches, as a multiple of the number of clauses, while only ranges are formatted.
const MAX_KEPT_FACTOR: usize = 2;

/// Formats the versions of one text. The result is that of [`format`](super::format()), whatever was formatted before.
#[derive(Default)]
pub struct Formatter {
    signs: Signs,
    /// Stretches that have been laid out, by their text.
    kept: FxHashMap<Box<str>, Vec<Kept>>,
}

/// The lines of a stretch, and everything besides its text that determines them.
#[derive(Clone)]
struct Kept {
    place: CommentPlace,
    rows: Rc<[Vec<Row>]>,
}

#[derive(Clone, PartialEq, Eq)]
struct CommentPlace {
    /// Column of its first word in the source: the columns of comments depend on it.
    column: usize,
    first_of_line: bool,
    indent: usize,
    /// The beginnings of its clauses.
    starts: Vec<usize>,
}

/// Return the most frequent line end of a text.
pub fn line_end(text: &str) -> &'static str {
    let (lines, of_windows) = (text.matches('\n').count(), text.matches("\r\n").count());
    if 2 * of_windows > lines { "\r\n" } else { "\n" }
}

impl Formatter {
    pub fn new(signs: Signs) -> Formatter {
        Formatter { signs, ..Formatter::default() }
    }

    /// Format the whole text.
    ///
    /// # Errors
    /// All syntax errors: only a text without them can be formatted.
    pub fn whole<'r>(&mut self, read: &'r Parsed) -> Result<String, &'r [Diagnostic]> {
        let sheet = readable(read)?;
        let before = std::mem::take(&mut self.kept);
        let all = 0..sheet.units.len();
        let newline = line_end(&read.text);
        let mut lines = self.page(&sheet, all, before).lines.join(newline);
        if !lines.is_empty() {
            lines.push_str(newline);
        }
        if self.signs == Signs::AsWritten {
            keeps_words(&read.text, &read.tokens, &lines);
        }
        Ok(lines)
    }

    /// Format the clauses that a range of bytes touches, with their comments, as in the whole text. `None` if it touches none.
    ///
    /// # Errors
    /// All syntax errors of the whole text.
    pub fn range<'r>(
        &mut self,
        read: &'r Parsed,
        range: Range<usize>,
    ) -> Result<Option<Edit>, &'r [Diagnostic]> {
        let sheet = readable(read)?;
        let touched = |unit: &usize| {
            let source = sheet.source(*unit);
            source.start <= range.end && range.start <= source.end
        };
        let all = 0..sheet.units.len();
        let (Some(first), Some(last)) = (all.clone().find(touched), all.clone().rfind(touched)) else {
            return Ok(None);
        };
        // Clauses that share a line are formatted together.
        let first = sheet.around(first, |gap| sheet.shares_line(gap)).start;
        let end = sheet.around(last, |gap| sheet.shares_line(gap)).end;
        // Comments at the ends of lines are aligned with those of the lines above and below.
        let start = sheet.around(first, |gap| sheet.is_closed(gap)).start;
        let seen = start..sheet.around(end - 1, |gap| sheet.is_closed(gap)).end;
        if self.kept.len() > MAX_KEPT_FACTOR * all.len() {
            self.kept.clear();
        }
        let page = self.page(&sheet, seen, FxHashMap::default());
        let source = sheet.source(first).start..sheet.source(end - 1).end;
        let lines = page.parts[first - start].start..page.parts[end - 1 - start].end;
        let text = page.lines[lines].join(line_end(&read.text));
        let line_start = read.text[..source.start].rfind('\n').map_or(0, |newline| newline + 1);
        if self.signs == Signs::AsWritten {
            let tokens = sheet.tokens.at(source.start)..sheet.tokens.at(source.end);
            keeps_words(&read.text, &read.tokens[tokens], &text);
        }
        Ok(Some(Edit { range: line_start..source.end, text }))
    }

    /// Lay out some clauses, reusing kept stretches; stretches in `before` are kept on if they are used.
    fn page(
        &mut self,
        sheet: &Sheet<'_>,
        units: Range<usize>,
        mut before: FxHashMap<Box<str>, Vec<Kept>>,
    ) -> Page {
        let mut laid_out = Vec::new();
        let mut at = units.start;
        while at < units.end {
            let stretch = sheet.around(at, |gap| sheet.continues_stretch(gap));
            let rows = self.stretch(sheet, stretch.clone(), &mut before);
            let inside = at - stretch.start..stretch.end.min(units.end) - stretch.start;
            at = stretch.end;
            laid_out.push((rows, inside));
        }
        let rows = laid_out.iter().flat_map(|(rows, inside)| &rows[inside.clone()]);
        Page::new(sheet, units, rows.map(Vec::as_slice))
    }

    fn stretch(
        &mut self,
        sheet: &Sheet<'_>,
        stretch: Range<usize>,
        before: &mut FxHashMap<Box<str>, Vec<Kept>>,
    ) -> Rc<[Vec<Row>]> {
        let units = &sheet.units[stretch.clone()];
        let (Some(unit), Some(last)) = (units.first(), units.last()) else { return Rc::new([]) };
        let end = sheet.tokens.token(sheet.end(last) - 1).end;
        let text = &sheet.tokens.text[unit.offset..end];
        let place = CommentPlace {
            column: sheet.tokens.column(unit.first),
            first_of_line: sheet.tokens.on_new_line(unit.first),
            indent: unit.indent,
            starts: units.iter().map(|other| other.offset - unit.offset).collect(),
        };
        if let Some((text, kept)) = before.remove_entry(text) {
            self.kept.entry(text).or_default().extend(kept);
        }
        let known = self.kept.get(text).and_then(|kept| kept.iter().find(|kept| kept.place == place));
        if let Some(known) = known {
            return known.rows.clone();
        }
        let rows: Rc<[Vec<Row>]> = clause_group::rows(sheet, stretch, self.signs).into();
        self.kept.entry(text.into()).or_default().push(Kept { place, rows: rows.clone() });
        rows
    }
}

fn readable(read: &Parsed) -> Result<Sheet<'_>, &[Diagnostic]> {
    match read.diagnostics.as_slice() {
        [] => Ok(Sheet::new(read)),
        findings => Err(findings),
    }
}
