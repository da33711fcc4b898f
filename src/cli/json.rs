//! The common parts of all JSON results. The schemas are in `docs/schema`.

use super::exit::Problem;
use crate::check::Checked;
use crate::diagnostic::{self, Severity};
use crate::report::SCHEMA;
use crate::source::{Sources, Span};
use serde::Serialize;

/// The JSON object on stdout: schema, command, and the body of the result.
#[derive(Serialize)]
pub struct Document<'b, B> {
    schema: &'static str,
    command: &'b str,
    #[serde(flatten)]
    body: &'b B,
}

impl<'b, B: Serialize> Document<'b, B> {
    pub fn new(command: &'b str, body: &'b B) -> Document<'b, B> {
        Document { schema: SCHEMA, command, body }
    }
}

pub fn text(value: &impl Serialize) -> String {
    // Serialization fails only for maps whose keys are not strings; there are none.
    serde_json::to_string(value).unwrap_or_else(|error| format!("{{\"error\": \"{error}\"}}"))
}

/// The error object, in place of a result.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ErrorBody {
    error: ErrorText,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diagnostics: Vec<DiagnosticBody>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ErrorText {
    message: String,
    hint: Option<String>,
}

impl ErrorText {
    pub fn message(&self) -> &str {
        &self.message
    }

    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl From<&Problem> for ErrorText {
    fn from(problem: &Problem) -> ErrorText {
        ErrorText { message: problem.message.clone(), hint: problem.hint.clone() }
    }
}

impl ErrorBody {
    pub fn new(problem: &Problem) -> ErrorBody {
        ErrorBody { error: problem.into(), diagnostics: Vec::new() }
    }

    pub fn source(files: &[Checked]) -> ErrorBody {
        let names: Vec<String> = files.iter().map(file_name).collect();
        let all = files.iter().flat_map(|c| c.diagnostics.iter().map(|d| DiagnosticBody::new(&c.sources, d)));
        ErrorBody {
            error: ErrorText { message: format!("errors in {}", names.join(", ")), hint: None },
            diagnostics: all.collect(),
        }
    }
}

/// Return the name of the user's file in messages.
pub fn file_name(checked: &Checked) -> String {
    checked.sources.iter().next().map_or_else(String::new, |source| source.name.to_string())
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct DiagnosticBody {
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = r"^SYN[0-9]{4}$")))]
    pub code: String,
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["error", "warning"])))]
    pub severity: &'static str,
    pub message: String,
    pub place: PlaceBody,
    pub label: String,
    pub related: Vec<Related>,
    pub hint: Option<String>,
}

impl DiagnosticBody {
    pub fn is_error(&self) -> bool {
        self.severity == "error"
    }
}

/// A range of a source text. Lines and columns are counted from 1, columns in characters; bytes from 0, with the end excluded.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct PlaceBody {
    pub file: String,
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub line: usize,
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub column: usize,
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub end_line: usize,
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub end_column: usize,
    pub start_byte: u32,
    pub end_byte: u32,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Related {
    pub place: PlaceBody,
    pub label: String,
}

impl DiagnosticBody {
    pub fn new(sources: &Sources, diagnostic: &diagnostic::Diagnostic) -> DiagnosticBody {
        DiagnosticBody {
            code: diagnostic.code().to_string(),
            severity: match diagnostic.severity() {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            message: diagnostic.message(),
            place: PlaceBody::new(sources, diagnostic.span),
            label: diagnostic.label(),
            related: diagnostic
                .related
                .iter()
                .map(|(span, label)| Related {
                    place: PlaceBody::new(sources, *span),
                    label: label.to_string(),
                })
                .collect(),
            hint: diagnostic.advice(),
        }
    }
}

impl PlaceBody {
    pub fn new(sources: &Sources, span: Span) -> PlaceBody {
        let (file, (line, column), (end_line, end_column)) = match sources.iter().nth(span.file as usize) {
            Some(s) => (s.name.to_string(), s.line_column(span.start), s.line_column(span.end)),
            None => (String::new(), (1, 1), (1, 1)),
        };
        PlaceBody { file, line, column, end_line, end_column, start_byte: span.start, end_byte: span.end }
    }
}
