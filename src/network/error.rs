//! Why a topology or a list of ids cannot be built.

use std::fmt;

/// What is wrong, in words for the person who wrote the topology, and what would work instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopologyError {
    /// One sentence without a full stop.
    pub message: String,
    /// What to write instead; empty when the message says it all.
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
