//! Diagnostics of a source text, as data. `render::diagnostics` draws them.

use crate::source::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Error,
    Warning,
}

/// A stable number, shown as `SYN0042` and explained by `synod explain SYN0042`. Codes are defined in `syntax/codes.rs` and
/// `check/codes.rs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub u16);

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SYN{:04}", self.0)
    }
}

/// Replacement of the text of a span; an insertion where the span is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub span: Span,
    pub text: String,
}

impl Edit {
    pub fn new(span: Span, text: impl Into<String>) -> Edit {
        Edit { span, text: text.into() }
    }

    pub fn insert(file: u32, at: u32, text: impl Into<String>) -> Edit {
        Edit::new(Span { file, start: at, end: at }, text)
    }
}

/// An edit that carries out the hint. Editors offer it as a quick fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// In the imperative, without a full stop: `Add unique ids to the assumptions`.
    pub title: String,
    pub edits: Vec<Edit>,
}

impl Fix {
    pub fn new(title: impl Into<String>, edits: Vec<Edit>) -> Fix {
        Fix { title: title.into(), edits }
    }

    pub fn replace(span: Span, text: &str) -> Fix {
        Fix::new(format!("Write `{}`", text.trim()), vec![Edit::new(span, text)])
    }
}

/// One finding: its place, the problem, related places, and the fix if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    pub code: Code,
    /// One sentence without a full stop.
    pub message: String,
    pub span: Span,
    /// Shown under the span; if empty, the span is only underlined.
    pub label: String,
    /// Other places that explain the finding, each with a label.
    pub related: Vec<(Span, String)>,
    /// How to correct it.
    pub hint: Option<String>,
    /// The correction as edits, where it needs no decision.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            code,
            message: message.into(),
            span,
            label: String::new(),
            related: Vec::new(),
            hint: None,
            fix: None,
        }
    }

    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    pub fn related(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.related.push((span, label.into()));
        self
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    pub fn fix(mut self, fix: impl Into<Option<Fix>>) -> Diagnostic {
        self.fix = fix.into();
        self
    }

    /// Suggest that the text of the span is a misspelt `word`.
    pub fn suggest(self, word: &str) -> Diagnostic {
        let span = self.span;
        self.suggest_at(span, word)
    }

    /// Suggest that the text at `span` is a misspelt `word`.
    pub fn suggest_at(self, span: Span, word: &str) -> Diagnostic {
        self.hint(format!("did you mean `{word}`?")).fix(Fix::replace(span, word))
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
