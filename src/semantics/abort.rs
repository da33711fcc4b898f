//! A program that went wrong while executing: overflow, an absent key, an `if` without a true guard.

use super::event::Event;
use crate::ir::Value;
use crate::source::Span;
use std::fmt;

/// Where and why a command could not be completed. Never a finding of a property, and never an error of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abort {
    /// The expression or command at fault.
    pub span: Span,
    /// One sentence without a full stop, with the values in hand.
    pub message: String,
    /// Position of the process that executed it; None in properties and parameters.
    pub process: Option<u32>,
    /// Number of the step of the run, from 0; None outside runs.
    pub step: Option<u64>,
    /// The step that could not be completed, with the choices it had made; None where nobody watches, and outside runs.
    pub event: Option<Event>,
    /// The process's variables at that moment, by name.
    pub variables: Vec<(String, Value)>,
    /// In properties and scenarios: what the names of the binders stood for, the outermost first.
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

/// Why a step that was asked for was not taken. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepError {
    /// The configuration allows no such step: one sentence without a full stop.
    Impossible(String),
    /// The program went wrong.
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

/// A result of evaluation. Boxed, so that the usual case stays small.
pub type Eval<T> = Result<T, Box<Abort>>;
