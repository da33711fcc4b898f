//! Errors and diagnostics.

use crate::check::Checked;
use crate::diagnostic;
use crate::input::{InputError, Problem};
use crate::source::Sources;
use std::fmt;
use std::ops::Range;

/// The reason why a program cannot be used, or an option is wrong.
///
/// Its text is that of the command line. For a program with errors, that is each error with its place in the source.
///
/// ```
/// let program = synod::Program::library("chang_roberts").unwrap();
/// let error = program.on("star(3)").instantiate().unwrap_err();
/// assert!(error.to_string().contains("ring"));
/// ```
#[derive(Clone, Debug)]
pub struct Error {
    text: String,
    hint: Option<String>,
    diagnostics: Vec<Diagnostic>,
}

impl Error {
    pub(crate) fn new(message: impl Into<String>) -> Error {
        Error { text: message.into(), hint: None, diagnostics: Vec::new() }
    }

    /// Return a suggestion, if there is one.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// Return errors and warnings of a program that has errors; empty for other reasons.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {}

impl From<InputError> for Error {
    fn from(error: InputError) -> Error {
        let text = error.to_string();
        match error {
            InputError::Usage(Problem { hint, .. }) => Error { text, hint, diagnostics: Vec::new() },
            InputError::Source(checked) => Error { text, hint: None, diagnostics: Diagnostic::all(&checked) },
        }
    }
}

/// An error or a warning about a program.
///
/// ```
/// let text = "
/// algorithm greetings
/// assumes unidirectional ring
/// message Hello
/// state greeting
///   send Hello
///   receive Helo
///   halt
/// ";
/// let error = synod::Program::check("greetings.syn", text).unwrap_err();
/// let first = &error.diagnostics()[0];
/// assert_eq!((first.line, &text[first.range.clone()]), (7, "Helo"));
/// assert!(first.is_error);
/// println!("{first}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// Whether it is an error. A warning does not prevent runs.
    pub is_error: bool,
    /// Stable code, such as `SYN0042`. `synod explain SYN0042` explains it.
    pub code: String,
    /// One sentence without a full stop.
    pub message: String,
    /// Correction, if one can be suggested.
    pub hint: Option<String>,
    /// Name of the text.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Place in the text, in bytes.
    pub range: Range<usize>,
}

impl Diagnostic {
    fn new(sources: &Sources, found: &diagnostic::Diagnostic) -> Diagnostic {
        let source = sources.get(found.span.file);
        let (line, column) = source.line_column(found.span.start);
        Diagnostic {
            is_error: found.is_error(),
            code: found.code().to_string(),
            message: found.message(),
            hint: found.hint.as_ref().map(ToString::to_string),
            file: source.name.to_string(),
            line,
            column,
            range: found.span.range(),
        }
    }

    pub(super) fn all(checked: &Checked) -> Vec<Diagnostic> {
        checked.diagnostics.iter().map(|found| Diagnostic::new(&checked.sources, found)).collect()
    }
}

/// `greetings.syn:7:11: error SYN0035: message`.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = if self.is_error { "error" } else { "warning" };
        let Diagnostic { file, line, column, code, message, .. } = self;
        write!(f, "{file}:{line}:{column}: {severity} {code}: {message}")
    }
}
