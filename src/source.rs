//! Source texts, and spans and positions in them.

use std::fmt;
use std::sync::Arc;

/// A byte range in one source text. `file` indexes the [`Sources`] that hold the text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    pub file: u32,
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(file: u32, start: usize, end: usize) -> Span {
        Span { file, start: start as u32, end: end as u32 }
    }

    /// Return the smallest span that covers both spans (of the same file).
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    pub fn contains(self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}..{}", self.file, self.start, self.end)
    }
}

/// A source text with its display name.
#[derive(Clone, Debug)]
pub struct Source {
    pub name: Arc<str>,
    pub text: Arc<str>,
    line_starts: Arc<[u32]>,
}

impl Source {
    pub fn new(name: &str, text: &str) -> Source {
        let mut line_starts = vec![0u32];
        line_starts.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1));
        Source { name: name.into(), text: text.into(), line_starts: line_starts.into() }
    }

    /// Return line and column of a byte offset, both from 1; the column counts characters.
    pub fn line_column(&self, offset: u32) -> (usize, usize) {
        let line = self.line_starts.partition_point(|s| *s <= offset) - 1;
        let start = self.line_starts[line] as usize;
        let end = (offset as usize).min(self.text.len());
        let column = self.text.get(start..end).map_or(0, |s| s.chars().count());
        (line + 1, column + 1)
    }
}

/// All texts of a program: the user's file, and the library files it solves, uses or varies.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
}

/// No texts.
impl Default for &Sources {
    fn default() -> Self {
        static NONE: Sources = Sources { files: Vec::new() };
        &NONE
    }
}

impl Sources {
    pub fn add(&mut self, name: &str, text: &str) -> u32 {
        self.files.push(Source::new(name, text));
        self.files.len() as u32 - 1
    }

    pub fn get(&self, file: u32) -> &Source {
        &self.files[file as usize]
    }

    pub fn iter(&self) -> impl Iterator<Item = &Source> {
        self.files.iter()
    }

    /// Return the text that a span covers.
    pub fn slice(&self, span: Span) -> &str {
        self.files.get(span.file as usize).and_then(|s| s.text.get(span.range())).unwrap_or("")
    }

    /// Return the line of a span: `line 12` in the first text, `election.syn:12` in another one.
    pub fn near(&self, span: Span) -> String {
        let Some(source) = self.files.get(span.file as usize) else { return "?".into() };
        let (line, _) = source.line_column(span.start);
        match span.file {
            0 => format!("line {line}"),
            _ => format!("{}:{line}", source.name.rsplit('/').next().unwrap_or(&source.name)),
        }
    }

    /// Return `name:line:column` of the start of a span.
    pub fn place(&self, span: Span) -> String {
        match self.files.get(span.file as usize) {
            Some(source) => {
                let (line, column) = source.line_column(span.start);
                format!("{}:{line}:{column}", source.name)
            }
            None => "?".into(),
        }
    }
}
