//! The open run.

use super::failure::Failure;
use super::instances::{CheckedText, InstanceFields};
use super::limits;
use super::place::Texts;
use crate::check::QuestionInput;
use crate::ids::ProcessId;
use crate::ir::{Question, Type};
use crate::semantics::StepError;
use crate::semantics::event::Event;
use crate::session::end;
use crate::session::timeline::{Breakpoints, Timeline};
use serde::Serialize;

/// A run with its program.
pub struct OpenRun {
    pub checked: CheckedText,
    pub texts: Texts,
    pub fields: InstanceFields,
    pub timeline: Timeline,
    pub breakpoints: Breakpoints,
    /// Number of branches with generated names.
    pub forks: usize,
    pub notes: Vec<String>,
    pub violation: Option<ViolationBody>,
}

/// The violation that a counterexample shows.
#[derive(Clone, Debug, Serialize)]
pub struct ViolationBody {
    pub property: String,
    /// The event that violates it; `None`: the end, or the run as a whole.
    pub event: Option<u64>,
    /// The first event of the cycle that the run repeats forever.
    pub repeats_from: Option<u64>,
    pub text: String,
}

/// A position in a run.
#[derive(Serialize)]
pub struct Position {
    branch: String,
    at: usize,
    length: usize,
    /// The outcome, if the run has ended here.
    outcome: Option<&'static str>,
}

impl OpenRun {
    pub fn new(checked: CheckedText, fields: InstanceFields, timeline: Timeline) -> OpenRun {
        OpenRun {
            texts: Texts::new(&checked.program.sources),
            checked,
            fields,
            timeline,
            breakpoints: Breakpoints::default(),
            forks: 0,
            notes: Vec::new(),
            violation: None,
        }
    }

    pub fn position(&self) -> Position {
        Position {
            branch: self.timeline.branch().into(),
            at: self.timeline.at(),
            length: self.timeline.events().len(),
            outcome: self.timeline.outcome().map(|outcome| end(&outcome).as_str()),
        }
    }

    /// Move to a recorded position.
    ///
    /// # Errors
    /// If there is none.
    pub fn goto(&mut self, position: u64) -> Result<(), Failure> {
        let length = self.timeline.events().len();
        match usize::try_from(position).ok().filter(|position| *position <= length) {
            Some(position) => Ok(self.timeline.goto(position)?),
            None => Err(Failure::new(format!("there is no position {position}"))
                .hint(format!("positions are 0 to {length}"))),
        }
    }

    /// Return a process by its position.
    ///
    /// # Errors
    /// If there is none.
    pub fn process(&self, position: u64) -> Result<ProcessId, Failure> {
        let n = self.timeline.instance().n();
        let known = u32::try_from(position).ok().filter(|position| *position < n);
        known.map(ProcessId).ok_or_else(|| {
            let hint = match n {
                1 => "the only process is 0".into(),
                _ => format!("processes are 0 to {}", n - 1),
            };
            Failure::new(format!("there is no process {position}")).hint(hint)
        })
    }

    /// Check an expression.
    ///
    /// # Errors
    /// If it has errors.
    pub fn question(&self, text: &str, expected_type: Option<Type>) -> Result<Question, Failure> {
        limits::EXPRESSION_BYTES.check(text.len() as u64)?;
        let instance = self.timeline.instance();
        let (n, names) = (instance.n() as usize, instance.network.names());
        Ok(self.checked.typed.ask(&QuestionInput { text, n, names, expected_type })?)
    }

    /// Evaluate an expression at the cursor.
    ///
    /// # Errors
    /// If it cannot be evaluated.
    pub fn value(&mut self, question: &Question) -> Result<String, Failure> {
        let value = self.timeline.answer(question);
        value.map_err(|abort| Failure::new(format!("it cannot be evaluated here: {abort}")))
    }
}

/// Append events; an abort of the last one is the end of the run.
pub fn follow(timeline: &mut Timeline, events: impl IntoIterator<Item = Event>) -> Result<(), Failure> {
    match timeline.follow(events) {
        Ok(()) | Err(StepError::Aborted(_)) => Ok(()),
        Err(error) => Err(Failure::new(format!("the run ends at event {}: {error}", timeline.at()))),
    }
}
