//! The error of a request.

use super::place::{DiagnosticBody, Texts};
use crate::check::{Checked, QuestionError};
use crate::diagnostic::Diagnostic;
use crate::input::{InputError, Problem};
use crate::network::TopologyError;
use crate::prose;
use crate::semantics::StepError;
use crate::session::questions::Unanswerable;
use crate::setup::SetupError;
use crate::source::Sources;
use serde::Serialize;

/// The reason why a request has no answer.
#[derive(Debug, Serialize)]
pub struct Failure {
    /// One sentence without a full stop.
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diagnostics: Vec<DiagnosticBody>,
}

impl Failure {
    pub fn new(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), hint: None, diagnostics: Vec::new() }
    }

    pub fn hint(self, hint: impl Into<String>) -> Failure {
        Failure { hint: Some(hint.into()), ..self }
    }

    /// Return the failure for an unknown name, with the nearest known one as a hint.
    pub fn unknown(what: &str, name: &str, known: &[String]) -> Failure {
        let hint = match prose::nearest(name, known) {
            Some(near) => format!("did you mean {near}?"),
            None => prose::available(known),
        };
        Failure::new(format!("there is no {what} {name}")).hint(hint)
    }

    /// Return the failure for a text with errors.
    pub fn of_diagnostics(sources: &Sources, found: &[Diagnostic], what: &str) -> Failure {
        let errors = found.iter().filter(|found| found.is_error()).count();
        let texts = Texts::new(sources);
        Failure {
            message: format!("{what} has {}", prose::count(errors, "error")),
            hint: None,
            diagnostics: found.iter().map(|found| texts.diagnostic(found, None)).collect(),
        }
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Failure {
        match error {
            InputError::Usage(Problem { message, hint }) => {
                Failure { message, hint, diagnostics: Vec::new() }
            }
            InputError::Source(checked) => {
                let Checked { sources, diagnostics, .. } = *checked;
                Failure::of_diagnostics(&sources, &diagnostics, "the program")
            }
        }
    }
}

impl From<TopologyError> for Failure {
    fn from(error: TopologyError) -> Failure {
        InputError::from(error).into()
    }
}

impl From<SetupError> for Failure {
    fn from(error: SetupError) -> Failure {
        InputError::from(error).into()
    }
}

impl From<Unanswerable> for Failure {
    fn from(Unanswerable { message, hint }: Unanswerable) -> Failure {
        Failure { message, hint, diagnostics: Vec::new() }
    }
}

impl From<StepError> for Failure {
    fn from(error: StepError) -> Failure {
        Failure::new(error.to_string())
    }
}

impl From<Box<QuestionError>> for Failure {
    fn from(error: Box<QuestionError>) -> Failure {
        Failure::of_diagnostics(&error.sources, &error.diagnostics, "the expression")
    }
}
