//! The texts open in the editor, and the files that they name.

use super::places::{Encoding, Lines};
use super::{library_files, uri};
use crate::check::{Types, snake};
use crate::diagnostic::{Diagnostic, Edit};
use crate::ide::{Analysis, format};
use crate::library;
use crate::source::{Sources, Span};
use crate::syntax::Parsed;
use crate::syntax::format::Formatter;
use lsp_types::{Range, TextDocumentContentChangeEvent};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// The maximum size of a file in bytes; larger files are not programs.
const MAX_BYTES: u64 = 8 << 20;

/// One open text.
pub struct Document {
    pub uri: String,
    pub path: Option<PathBuf>,
    /// The name in messages.
    pub name: String,
    pub version: i32,
    pub text: Arc<str>,
    pub lines: Rc<Lines>,
    /// The text as last parsed: unchanged clauses need not be parsed again.
    read: Arc<Parsed>,
    /// The formatter with its cache: unchanged lines need not be laid out again.
    formatter: Formatter,
    /// The analysis of this version, built on first use.
    pub analysis: Option<Rc<Analysis>>,
    /// The diagnostics of this version; `None` until checked.
    pub findings: Option<Rc<Findings>>,
    /// The number of the pending check; results of others are outdated. 0: no check was requested.
    pub check: u64,
}

pub struct Findings {
    pub diagnostics: Vec<Diagnostic>,
    pub sources: Sources,
    pub types: Arc<Types>,
}

impl Document {
    pub fn new(uri: &str, version: i32, text: &str) -> Document {
        let path = uri::path_of(uri);
        let in_library = path.as_deref().and_then(library_files::shown_name);
        let name = in_library.or_else(|| path.as_ref().map(|p| p.display().to_string()));
        Document {
            uri: uri.into(),
            path,
            name: name.unwrap_or_else(|| uri.into()),
            version,
            text: text.into(),
            lines: Rc::new(Lines::new(text)),
            read: Arc::default(),
            formatter: Formatter::default(),
            analysis: None,
            findings: None,
            check: 0,
        }
    }

    pub fn is_library(&self) -> bool {
        self.name.starts_with("stdlib/")
    }

    /// Apply changes in the order in which the client made them.
    pub fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>, encoding: Encoding) {
        let mut text = self.text.to_string();
        let mut lines = self.lines.clone();
        for change in changes {
            match change.range {
                Some(Range { start, end }) => {
                    let from = lines.offset(&text, start, encoding);
                    let to = lines.offset(&text, end, encoding).max(from);
                    text.replace_range(from..to, &change.text);
                }
                None => text = change.text,
            }
            lines = Rc::new(Lines::new(&text));
        }
        self.version = version;
        self.text = text.into();
        self.lines = lines;
        self.discard_results();
    }

    /// Parse the text once per version; only changed clauses are parsed anew.
    pub fn read(&mut self) -> Arc<Parsed> {
        if !Arc::ptr_eq(&self.read.text, &self.text) {
            let before = std::mem::take(&mut self.read);
            self.read = Arc::new(Parsed::reparse(before, 0, self.text.clone()));
        }
        self.read.clone()
    }

    /// Return the edit that formats the text, or the clauses that a part of it touches.
    pub fn format(&mut self, part: Option<Range>, encoding: Encoding) -> Option<Edit> {
        let read = self.read();
        let Some(Range { start, end }) = part else { return format::whole(&mut self.formatter, &read) };
        let offset = |position| self.lines.offset(&self.text, position, encoding);
        let (start, end) = (offset(start), offset(end));
        format::part(&mut self.formatter, &read, Span::new(0, start, end.max(start)))
    }

    /// Discard all cached results.
    pub fn discard_results(&mut self) {
        self.analysis = None;
        self.findings = None;
        self.check = 0;
    }

    pub fn range(&self, span: Span, encoding: Encoding) -> Range {
        self.lines.range(&self.text, span.range(), encoding)
    }
}

/// The lookup of files that a text names: beside it, as open in the editor or else on disk, then in the library. It can be sent
/// to another thread.
#[derive(Clone, Default)]
pub struct ProjectContext {
    /// The text's own file, which it cannot name.
    own: Option<PathBuf>,
    beside: Option<PathBuf>,
    open: BTreeMap<PathBuf, Arc<str>>,
}

impl ProjectContext {
    pub fn new(document: &Document, open: BTreeMap<PathBuf, Arc<str>>) -> ProjectContext {
        let own = document.path.clone().filter(|_| !document.is_library());
        let beside = own.as_ref().and_then(|path| path.parent()).map(Path::to_path_buf);
        ProjectContext { own, beside, open }
    }

    /// Return the file of that name, as [`check`](crate::check::check) requests it.
    pub fn find(&self, name: &str) -> Option<(String, String)> {
        self.neighbour(name).or_else(|| library::source(name))
    }

    fn neighbour(&self, name: &str) -> Option<(String, String)> {
        let is_network = name.contains('.');
        let file = if is_network { name.to_string() } else { format!("{}.syn", snake(name)) };
        let path = self.beside.as_ref()?.join(file);
        if self.own.as_ref() == Some(&path) {
            return None;
        }
        let text = match self.open.get(&path) {
            Some(text) => text.to_string(),
            None => read(&path)?,
        };
        Some((path.display().to_string(), text))
    }
}

/// Return the text of a file; `None` if it is not a text.
pub fn read(path: &Path) -> Option<String> {
    let known = std::fs::metadata(path).ok()?;
    if !known.is_file() || known.len() > MAX_BYTES {
        return None;
    }
    let text = std::fs::read_to_string(path).ok()?;
    Some(text.strip_prefix('\u{feff}').map(String::from).unwrap_or(text))
}
