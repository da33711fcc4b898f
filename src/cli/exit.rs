//! How a command ends, and the exit code that says so.

use crate::check::Checked;
use std::io;

/// A command that did what it was asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    Fine,
    /// A limit was reached before anything could be said for certain.
    Limit,
    /// A property is violated, or a test failed. It outweighs a limit.
    Finding,
    /// A counterexample cannot be replayed: a bug in Synod. It outweighs everything else.
    Disagreement,
}

/// A command that could not do what it was asked to.
pub enum Failure {
    /// What was asked for makes no sense, or a file cannot be used.
    Usage(Problem),
    /// Programs with errors, each of which has a diagnostic.
    Source(Vec<Checked>),
    /// Everything has been said already.
    Told,
    /// Whoever read our output has seen enough, as in `synod list | head -1`.
    Closed,
}

/// What is wrong, in one sentence without a full stop, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub message: String,
    pub hint: Option<String>,
}

pub type Outcome = Result<Ending, Failure>;

/// All exit codes but 101, which Rust gives to a panic: a bug in Synod.
pub fn code(outcome: &Outcome) -> u8 {
    match outcome {
        Ok(Ending::Fine) | Err(Failure::Closed) => 0,
        Ok(Ending::Finding) => 1,
        Err(Failure::Usage(_) | Failure::Source(_) | Failure::Told) => 2,
        Ok(Ending::Limit) => 3,
        Ok(Ending::Disagreement) => 4,
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

    /// A hint, where there is one.
    pub fn maybe_hint(self, hint: Option<String>) -> Failure {
        match hint {
            Some(hint) => self.hint(hint),
            None => self,
        }
    }

    /// For a result that could not be written to `place`.
    pub fn writing(place: &str, error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::usage(format!("cannot write to {place}: {}", plain(error))),
        }
    }
}

impl From<crate::network::TopologyError> for Failure {
    fn from(error: crate::network::TopologyError) -> Failure {
        let hint = Some(error.hint).filter(|hint| !hint.is_empty());
        Failure::usage(error.message).maybe_hint(hint)
    }
}

/// The system's words for an error, without its number: `No such file or directory`.
pub fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}
