//! Run-time errors (aborts): overflow, an absent key, an `if` without a true guard.

use super::event::Event;
use crate::ids::ProcessId;
use crate::ir::Value;
use crate::source::Span;
use std::fmt;

/// Position and cause of a run-time error. It is neither a property violation nor an error in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abort {
    /// The expression or command that failed.
    pub span: Span,
    /// One sentence without a full stop, with the actual values.
    pub message: String,
    /// Position of the process that executed it; None in properties and parameters.
    pub process: Option<ProcessId>,
    /// Number of the step of the run, from 0; None outside runs.
    pub step: Option<u64>,
    /// The step that could not be completed, with the choices made so far; None in unobserved runs, and outside runs.
    pub event: Option<Event>,
    /// The process's variables at that moment, by name.
    pub variables: Vec<(String, Value)>,
    /// In properties and scenarios: the values of the binders, outermost first.
    pub bindings: Vec<(String, String)>,
}

impl Abort {
    pub fn new(span: Span, message: impl Into<String>) -> Box<Abort> {
        Box::new(Abort {
            span,
            message: message.into(),
            process: None,
            step: None,
            event: None,
            variables: Vec::new(),
            bindings: Vec::new(),
        })
    }
}

/// The message, with the bindings: `for p = p2, q = p0: division by zero: 7 div 0`.
impl fmt::Display for Abort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.bindings.is_empty() {
            let list: Vec<String> =
                self.bindings.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            write!(f, "for {}: ", list.join(", "))?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Abort {}

/// Why a requested step was not taken. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepError {
    /// The configuration permits no such step: one sentence without a full stop.
    Impossible(String),
    /// A run-time error of the program.
    Aborted(Box<Abort>),
}

impl From<Box<Abort>> for StepError {
    fn from(abort: Box<Abort>) -> StepError {
        StepError::Aborted(abort)
    }
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepError::Impossible(why) => f.write_str(why),
            StepError::Aborted(abort) => abort.fmt(f),
        }
    }
}

impl std::error::Error for StepError {}

/// The result of an evaluation. The error is boxed, so that the usual case stays small.
pub type Eval<T> = Result<T, Box<Abort>>;
