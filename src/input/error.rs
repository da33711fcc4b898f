//! The error of an input.

use crate::check::Checked;
use crate::network::TopologyError;
use crate::render::Look;
use crate::render::diagnostics::diagnostics;
use crate::setup::SetupError;
use std::{fmt, io};

/// An error message, one sentence without a full stop, and a hint what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub message: String,
    pub hint: Option<String>,
}

/// The reason why an input cannot be used.
pub enum InputError {
    /// A text cannot be read, or an option is wrong.
    Usage(Problem),
    /// A program has errors; each has a diagnostic.
    Source(Box<Checked>),
}

impl InputError {
    pub fn usage(message: impl Into<String>) -> InputError {
        InputError::Usage(Problem { message: message.into(), hint: None })
    }

    pub fn hint(self, hint: impl Into<String>) -> InputError {
        match self {
            InputError::Usage(problem) => InputError::Usage(Problem { hint: Some(hint.into()), ..problem }),
            source => source,
        }
    }

    /// Add the hint, if there is one.
    pub fn maybe_hint(self, hint: Option<String>) -> InputError {
        match hint {
            Some(hint) => self.hint(hint),
            None => self,
        }
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::Usage(Problem { message, hint: Some(hint) }) => {
                write!(f, "{message}\n  hint: {hint}")
            }
            InputError::Usage(Problem { message, hint: None }) => f.write_str(message),
            InputError::Source(checked) => {
                f.write_str(&diagnostics(&checked.sources, &checked.diagnostics, Look::PLAIN))
            }
        }
    }
}

impl From<TopologyError> for InputError {
    fn from(error: TopologyError) -> InputError {
        let hint = Some(error.hint).filter(|hint| !hint.is_empty());
        InputError::usage(error.message).maybe_hint(hint)
    }
}

impl From<SetupError> for InputError {
    fn from(error: SetupError) -> InputError {
        InputError::usage(error.problems.join("\n       ")).maybe_hint(error.hint)
    }
}

/// Return the system's message for an error, without its number: `No such file or directory`.
pub fn os_message(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}
