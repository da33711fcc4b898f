//! The outcome of a command, and its exit code.

use crate::check::Checked;
use std::io;

/// The outcome of a command that completed its task. Later cases take precedence over earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExitStatus {
    Success,
    /// A limit was reached before the verdict was known.
    Limit,
    /// A property is violated, or a test failed. It takes precedence over a limit.
    Finding,
    /// A counterexample cannot be replayed: a bug in Synod. It takes precedence over everything else.
    Disagreement,
}

/// The reason why a command could not complete its task.
pub enum Failure {
    /// The command line is wrong, or a file cannot be used.
    Usage(Problem),
    /// Programs with errors; each error has a diagnostic.
    Source(Vec<Checked>),
    /// The error has been reported already.
    Reported,
    /// The reader of the output has closed it, as in `synod list | head -1`.
    OutputClosed,
}

/// An error message, one sentence without a full stop, and a hint what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub message: String,
    pub hint: Option<String>,
}

pub type Outcome = Result<ExitStatus, Failure>;

/// Return the exit code: any but 101, which Rust uses for a panic (a bug in Synod).
pub fn code(outcome: &Outcome) -> u8 {
    match outcome {
        Ok(ExitStatus::Success) | Err(Failure::OutputClosed) => 0,
        Ok(ExitStatus::Finding) => 1,
        Err(Failure::Usage(_) | Failure::Source(_) | Failure::Reported) => 2,
        Ok(ExitStatus::Limit) => 3,
        Ok(ExitStatus::Disagreement) => 4,
    }
}

impl Failure {
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure::Usage(Problem { message: message.into(), hint: None })
    }

    pub fn hint(self, hint: impl Into<String>) -> Failure {
        match self {
            Failure::Usage(problem) => Failure::Usage(Problem { hint: Some(hint.into()), ..problem }),
            other => other,
        }
    }

    /// Add the hint, if there is one.
    pub fn maybe_hint(self, hint: Option<String>) -> Failure {
        match hint {
            Some(hint) => self.hint(hint),
            None => self,
        }
    }

    /// Return the failure for a result that could not be written to `place`.
    pub fn writing(place: &str, error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::OutputClosed,
            _ => Failure::usage(format!("cannot write to {place}: {}", os_message(error))),
        }
    }
}

impl From<crate::network::TopologyError> for Failure {
    fn from(error: crate::network::TopologyError) -> Failure {
        let hint = Some(error.hint).filter(|hint| !hint.is_empty());
        Failure::usage(error.message).maybe_hint(hint)
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
