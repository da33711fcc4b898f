//! Locations in files, in the form of the protocol.

use super::documents::Document;
use super::places::{Encoding, Lines};
use super::server::{Answer, Server, not_open};
use super::transport::ResponseError;
use super::{library_files, uri};
use crate::check::names::Kind;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::ide::Analysis;
use crate::source::Span;
use lsp_types as lsp;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::rc::Rc;
use std::str::FromStr;
use std::sync::Arc;

/// An open text with all data that features need.
pub struct Text {
    pub uri: String,
    pub text: Arc<str>,
    pub lines: Rc<Lines>,
    pub analysis: Rc<Analysis>,
    pub encoding: Encoding,
    pub is_library: bool,
}

impl Text {
    pub fn range(&self, span: Span) -> lsp::Range {
        self.lines.range(&self.text, span.range(), self.encoding)
    }

    pub fn offset(&self, position: lsp::Position) -> usize {
        self.lines.offset(&self.text, position, self.encoding)
    }

    pub fn span(&self, range: lsp::Range) -> Span {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        Span::new(0, start, end.max(start))
    }

    /// Return the location of a span in any of the program's files; `None` if the file cannot be shown.
    pub fn location(&self, span: Span) -> Option<lsp::Location> {
        if span.file == 0 {
            return Some(lsp::Location { uri: parsed(&self.uri)?, range: self.range(span) });
        }
        let file = self.analysis.files.get(span.file as usize)?;
        let range = Lines::new(&file.text).range(&file.text, span.range(), self.encoding);
        Some(lsp::Location { uri: parsed(&uri_of(&file.name)?)?, range })
    }
}

pub fn parsed(uri: &str) -> Option<lsp::Uri> {
    lsp::Uri::from_str(uri).ok()
}

/// Return the URI of a file by its name in messages. A library file is extracted.
pub fn uri_of(name: &str) -> Option<String> {
    let path = match name.starts_with("stdlib/") {
        true => library_files::path_of(name)?,
        false => Path::new(name).to_path_buf(),
    };
    Some(uri::of_path(&path))
}

impl<W: Write> Server<W> {
    pub fn text(&mut self, uri: &lsp::Uri) -> Result<Text, ResponseError> {
        self.text_of(uri.as_str())
    }

    pub fn text_of(&mut self, uri: &str) -> Result<Text, ResponseError> {
        let analysis = self.analysis(uri)?;
        let document = self.documents.get(uri).ok_or_else(|| not_open(uri))?;
        Ok(Text {
            uri: uri.into(),
            text: document.text.clone(),
            lines: document.lines.clone(),
            analysis,
            encoding: self.encoding(),
            is_library: document.is_library(),
        })
    }

    /// Return a text, and an offset in it.
    pub fn place(&mut self, at: &lsp::TextDocumentPositionParams) -> Result<(Text, usize), ResponseError> {
        let text = self.text(&at.text_document.uri)?;
        let offset = text.offset(at.position);
        Ok((text, offset))
    }

    /// Return the diagnostics to be published for a text.
    pub fn published(&mut self, uri: &str) -> Answer {
        let document = self.documents.get(uri).ok_or_else(|| not_open(uri))?;
        let Some(findings) = document.findings.clone() else { return Ok(Value::Null) };
        let version = document.version;
        let mut diagnostics = Vec::new();
        for found in &findings.diagnostics {
            diagnostics.push(self.diagnostic(uri, found)?);
        }
        Ok(json!({"uri": uri, "version": version, "diagnostics": diagnostics}))
    }

    /// Convert a diagnostic to the protocol. One in another file is placed where that file is named.
    pub fn diagnostic(&mut self, uri: &str, found: &Diagnostic) -> Answer {
        let document = self.documents.get(uri).ok_or_else(|| not_open(uri))?;
        let Some(findings) = document.findings.clone() else { return Ok(Value::Null) };
        let encoding = self.encoding();
        let describes = self.client.as_ref().is_some_and(|client| client.code_description);
        let (range, message) = match found.span.file {
            0 => (shown(document, found.span, encoding), message(found)),
            file => {
                let name = findings.sources.get(file).name.to_string();
                let place = findings.sources.place(found.span);
                let analysis = self.analysis(uri)?;
                let named = named_at(&analysis, &name);
                let document = self.documents.get(uri).ok_or_else(|| not_open(uri))?;
                (shown(document, named, encoding), format!("in {place}: {}", message(found)))
            }
        };
        let document = self.documents.get(uri).ok_or_else(|| not_open(uri))?;
        let mut related = Vec::new();
        for (span, label) in &found.related {
            related.extend(self.related(document, &findings.sources, *span, &label.to_string(), encoding));
        }
        if found.span.file != 0 {
            related.extend(self.related(document, &findings.sources, found.span, &found.message(), encoding));
        }
        let code = found.code().to_string();
        let mut out = json!({
            "range": range,
            "severity": if found.severity() == Severity::Error { 1 } else { 2 },
            "code": code,
            "source": "synod",
            "message": message,
            "relatedInformation": related,
        });
        if describes && let Some(path) = library_files::explanation(found.code()) {
            out["codeDescription"] = json!({"href": uri::of_path(&path)});
        }
        if matches!(found.code(), codes::NEVER_READ | codes::UNREACHABLE) {
            out["tags"] = json!([1]);
        }
        Ok(out)
    }

    fn related(
        &self,
        document: &Document,
        sources: &crate::source::Sources,
        span: Span,
        label: &str,
        encoding: Encoding,
    ) -> Option<Value> {
        let location = match span.file {
            0 => json!({"uri": document.uri, "range": document.range(span, encoding)}),
            file => {
                let source = sources.iter().nth(file as usize)?;
                let range = Lines::new(&source.text).range(&source.text, span.range(), encoding);
                json!({"uri": uri_of(&source.name)?, "range": range})
            }
        };
        Some(json!({"location": location, "message": label}))
    }
}

/// Return the message with its hint: editors do not show hints separately.
fn message(found: &Diagnostic) -> String {
    let mut text = found.message();
    if let Some(hint) = found.advice() {
        text.push_str("\nhint: ");
        text.push_str(&hint);
    }
    text
}

/// Return the range of a span; an empty one is widened to the next token, so that it is visible.
fn shown(document: &Document, span: Span, encoding: Encoding) -> lsp::Range {
    let text = &document.text;
    let (start, end) = (span.start as usize, (span.end as usize).min(text.len()));
    if end > start {
        return document.range(span, encoding);
    }
    let before = text.get(..start).and_then(|t| t.chars().next_back()).filter(|c| *c != '\n');
    let after = text.get(start..).and_then(|t| t.chars().next()).filter(|c| *c != '\n' && *c != '\r');
    let (from, to) = match (after, before) {
        (Some(c), _) => (start, start + c.len_utf8()),
        (None, Some(c)) => (start - c.len_utf8(), start),
        (None, None) => (start, start),
    };
    document.range(Span::new(0, from, to), encoding)
}

/// Return the span that names a file: in `solves`, `uses` or `variant of`.
fn named_at(analysis: &Analysis, name: &str) -> Span {
    let of_file = |u: &&crate::check::names::Use| {
        let decl = analysis.names.decl(u.decl);
        u.place.file == 0
            && matches!(decl.kind, Kind::Algorithm | Kind::Problem)
            && analysis.files[decl.place.file as usize].name == name
    };
    let header = || analysis.names.decls.iter().find(|d| d.place.file == 0).map(|d| d.place);
    analysis.names.uses.iter().find(of_file).map(|u| u.place).or_else(header).unwrap_or_default()
}
