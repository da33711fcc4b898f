//! The error type of topologies and id lists.

use std::fmt;

/// An error in a topology or a list of ids, for the person who wrote it, with a hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopologyError {
    /// One sentence without a full stop.
    pub message: String,
    /// The correction to make; empty when the message suffices.
    pub hint: String,
}

impl TopologyError {
    pub fn new(message: impl Into<String>) -> TopologyError {
        TopologyError { message: message.into(), hint: String::new() }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> TopologyError {
        self.hint = hint.into();
        self
    }
}

impl fmt::Display for TopologyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if !self.hint.is_empty() {
            write!(f, "; {}", self.hint)?;
        }
        Ok(())
    }
}

impl std::error::Error for TopologyError {}
