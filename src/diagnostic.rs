//! What is wrong with a source text, as data. Drawing it is the business of `render::diagnostics`.

use crate::source::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Error,
    Warning,
}

/// A stable number, shown as `SYN0042` and explained by `synod explain SYN0042`.
/// The catalogue of all codes is `diagnostic/codes.rs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub u16);

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SYN{:04}", self.0)
    }
}

/// A text in place of another; an insertion where the span is empty.
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

/// What the hint says, ready to be done: an editor offers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// An order, without a full stop: `Add unique ids to the assumptions`.
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

/// One finding: the place, what is wrong in the user's words, related places, and the fix where there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    pub code: Code,
    /// One sentence without a full stop.
    pub message: String,
    pub span: Span,
    /// Shown under the span itself; empty: only underlined.
    pub label: String,
    /// Other places that explain it.
    pub related: Vec<(Span, String)>,
    /// What to do about it.
    pub hint: Option<String>,
    /// The same, where it can be done without asking.
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

    /// The text of the span is a misspelt `word`.
    pub fn meant(self, word: &str) -> Diagnostic {
        let span = self.span;
        self.meant_at(span, word)
    }

    /// What stands at `span` is a misspelt `word`.
    pub fn meant_at(self, span: Span, word: &str) -> Diagnostic {
        self.hint(format!("did you mean `{word}`?")).fix(Fix::replace(span, word))
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
