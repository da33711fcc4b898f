//! Places in texts, in bytes and in UTF-16 code units.

use crate::diagnostic::{Diagnostic, Fix};
use crate::source::{Source, Sources, Span};
use serde::Serialize;

/// Conversion between offsets in bytes and in UTF-16 code units.
pub struct Utf16 {
    bytes: u32,
    /// For each character that is not ASCII: its first byte, the byte after it, and the surplus of bytes over code units up to there.
    wide: Vec<(u32, u32, u32)>,
}

impl Utf16 {
    pub fn new(text: &str) -> Utf16 {
        let (mut wide, mut surplus) = (Vec::new(), 0);
        for (at, c) in text.char_indices().filter(|(_, c)| !c.is_ascii()) {
            surplus += (c.len_utf8() - c.len_utf16()) as u32;
            wide.push((at as u32, (at + c.len_utf8()) as u32, surplus));
        }
        Utf16 { bytes: text.len() as u32, wide }
    }

    /// Return the number of code units before a byte offset, which is at the boundary of a character.
    pub fn units(&self, byte: u32) -> u32 {
        let before = self.wide.partition_point(|(_, end, _)| *end <= byte);
        byte - before.checked_sub(1).map_or(0, |last| self.wide[last].2)
    }

    /// Return the byte offset of the last character boundary at or before this number of code units.
    pub fn byte(&self, units: u64) -> u32 {
        let before = self.wide.partition_point(|(_, end, surplus)| u64::from(end - surplus) <= units);
        let surplus = before.checked_sub(1).map_or(0, |last| self.wide[last].2);
        let byte = units.saturating_add(surplus.into()).min(self.bytes.into()) as u32;
        self.wide.get(before).map_or(byte, |(start, ..)| byte.min(*start))
    }

    pub fn range(&self, span: Span) -> TextRange {
        TextRange { from: self.units(span.start), to: self.units(span.end), bytes: [span.start, span.end] }
    }
}

/// A part of a text.
#[derive(Clone, Debug, Serialize)]
pub struct TextRange {
    /// In UTF-16 code units.
    pub from: u32,
    pub to: u32,
    pub bytes: [u32; 2],
}

/// A part of one of the texts of a program.
#[derive(Clone, Debug, Serialize)]
pub struct Place {
    /// 0 for the text of the request.
    file: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    line: usize,
    column: usize,
    #[serde(flatten)]
    range: TextRange,
}

/// The texts of a program, with the conversion of their offsets.
pub struct Texts {
    sources: Sources,
    units: Vec<Utf16>,
}

#[derive(Debug, Serialize)]
pub struct DiagnosticBody {
    severity: &'static str,
    code: String,
    message: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    place: Option<Place>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related: Vec<Related>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<FixBody>,
}

#[derive(Debug, Serialize)]
struct Related {
    message: String,
    place: Option<Place>,
}

#[derive(Debug, Serialize)]
struct FixBody {
    title: String,
    certain: bool,
    edits: Vec<EditBody>,
}

#[derive(Debug, Serialize)]
struct EditBody {
    #[serde(flatten)]
    range: TextRange,
    text: String,
}

impl Texts {
    pub fn new(sources: &Sources) -> Texts {
        let units = sources.iter().map(|source| Utf16::new(&source.text)).collect();
        Texts { sources: sources.clone(), units }
    }

    /// Return the place of a span; `None` if its file is unknown.
    pub fn place(&self, span: Span) -> Option<Place> {
        let source: &Source = self.sources.iter().nth(span.file as usize)?;
        let units = &self.units[span.file as usize];
        let (line, column) = source.line_column(span.start);
        let name = (span.file > 0).then(|| source.name.to_string());
        Some(Place { file: span.file, name, line, column, range: units.range(span) })
    }

    /// Return a diagnostic with its fix, or with another one.
    pub fn diagnostic(&self, found: &Diagnostic, other: Option<Fix>) -> DiagnosticBody {
        let own = |fix: &Fix| fix.edits.iter().all(|edit| edit.span.file == 0);
        let fixes = found.fix.clone().or(other).filter(own);
        let related = found.related.iter();
        DiagnosticBody {
            severity: if found.is_error() { "error" } else { "warning" },
            code: found.code().to_string(),
            message: found.message(),
            label: found.label(),
            hint: found.advice(),
            place: self.place(found.span),
            related: related
                .map(|(span, label)| Related { message: label.to_string(), place: self.place(*span) })
                .collect(),
            fixes: fixes.into_iter().map(|fix| self.fix(fix)).collect(),
        }
    }

    fn fix(&self, fix: Fix) -> FixBody {
        let edit = |edit: crate::diagnostic::Edit| EditBody {
            range: self.units[0].range(edit.span),
            text: edit.text,
        };
        FixBody {
            title: fix.title,
            certain: fix.is_certain,
            edits: fix.edits.into_iter().map(edit).collect(),
        }
    }
}
