//! Expressions about a program that the user enters at a prompt or on the command line: `p3.d`, `count p: p in relay`. They see
//! what properties see, and the processes by position.

use super::{Checker, Find, examine};
use crate::check::context::*;
use crate::check::load::load;
use crate::diagnostic::Diagnostic;
use crate::ir::{self, Question};
use crate::source::Sources;
use crate::syntax::{Parsed, parse_expr};
use std::sync::Arc;

/// An expression to check, and the processes that it may name.
pub struct QuestionInput<'q> {
    pub text: &'q str,
    /// Number of processes: the names `p0`, `p1`, … up to the last are valid.
    pub n: usize,
    /// Names of the processes by position, if a scenario assigns them; otherwise empty.
    pub names: &'q [String],
    /// The required type. None: any type.
    pub expected_type: Option<ir::Type>,
}

/// The errors of an expression, with the texts that the diagnostics refer to.
#[derive(Debug)]
pub struct QuestionError {
    pub diagnostics: Vec<Diagnostic>,
    pub sources: Sources,
}

/// Check an expression over the program of a text. `name` and `find` as for [`check`](super::check).
///
/// # Errors
/// If the program or the expression has errors.
pub fn check_question(
    name: &str,
    text: &str,
    find: Find,
    asked: &QuestionInput,
) -> Result<Question, Box<QuestionError>> {
    let (checked, question) =
        examine(load(name, Arc::new(Parsed::new(0, text)), find), find, Some(asked), None);
    match question.filter(|_| checked.program.is_some()) {
        Some(question) => Ok(question),
        None => {
            // Warnings about the program are not relevant here.
            let diagnostics = checked.diagnostics.into_iter().filter(Diagnostic::is_error).collect();
            Err(Box::new(QuestionError { diagnostics, sources: checked.sources }))
        }
    }
}

impl Checker<'_> {
    /// Elaborate the expression in `file`, after all roles.
    pub(super) fn question(&mut self, file: u32, asked: &QuestionInput) -> Option<Question> {
        let parsed = match parse_expr(file, asked.text) {
            Ok(parsed) => parsed,
            Err(found) => {
                self.findings.extend(found);
                return None;
            }
        };
        self.observe(0);
        self.cx.processes = Processes::new(asked.names, asked.n as i64);
        let expr = match &asked.expected_type {
            Some(want) => self.expr_as(&parsed, want, "the expression"),
            None => self.expr(&parsed, None),
        };
        let before = std::mem::take(&mut self.global_frame);
        let expr = self.finished(expr);
        let frame = std::mem::replace(&mut self.global_frame, before);
        Some(Question { text: asked.text.to_string(), expr, frame })
    }
}
