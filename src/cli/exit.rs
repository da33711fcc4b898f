//! The outcome of a command, and its exit code.

use crate::check::Checked;
use crate::input::InputError;
use crate::network::TopologyError;
use crate::session::questions::Unanswerable;
use crate::setup::SetupError;
use std::io;

pub use crate::input::{Problem, os_message};
pub use crate::report::ExitStatus;

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

impl From<Unanswerable> for Failure {
    fn from(Unanswerable { message, hint }: Unanswerable) -> Failure {
        Failure::Usage(Problem { message, hint })
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Failure {
        match error {
            InputError::Usage(problem) => Failure::Usage(problem),
            InputError::Source(checked) => Failure::Source(vec![*checked]),
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
