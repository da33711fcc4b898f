//! Expressions about a program that the user enters at a prompt or on the command line: `p3.d`, `count p: p in relay`. They see
//! what properties see, and the processes by position.

use super::{Checker, code, dedup};
use crate::check::context::*;
use crate::check::typed::Typed;
use crate::diagnostic::Diagnostic;
use crate::ir::{self, Question};
use crate::source::{Sources, Span};
use crate::syntax::{ast, parse_expr};
use std::collections::BTreeSet;

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

impl Typed {
    /// Check an expression over the program.
    ///
    /// # Errors
    /// If the expression has errors.
    pub fn ask(&self, asked: &QuestionInput) -> Result<Question, Box<QuestionError>> {
        let mut sources = self.sources.clone();
        let file = sources.add("the expression", asked.text);
        let mut checker = Checker::resume(self, &sources);
        let expr = match parse_expr(file, asked.text) {
            Ok(parsed) => checker.question(&parsed, asked),
            Err(found) => {
                checker.findings.extend(found);
                checker.poison(Span::default())
            }
        };
        let (frames, findings) = (checker.observers_locals(), &mut checker.findings);
        dedup::remove_consequences(
            findings,
            &sources,
            BTreeSet::new(),
            &self.names,
            &self.units[0].parsed[0].1,
        );
        findings.retain(Diagnostic::is_error);
        match findings.is_empty() {
            true => Ok(code::lower_question(self, asked.text, expr, &frames)),
            false => Err(Box::new(QuestionError { diagnostics: std::mem::take(findings), sources })),
        }
    }
}

impl Checker<'_> {
    /// Elaborate an expression as that of an observer, with its final types.
    fn question(&mut self, parsed: &ast::Expr, asked: &QuestionInput) -> ir::Expr {
        self.observe(0);
        self.cx.processes = Processes::new(asked.names, asked.n as i64);
        let mut expr = match &asked.expected_type {
            Some(want) => self.expr_as(parsed, want, "the expression"),
            None => self.expr(parsed, None),
        };
        self.orderings();
        self.check_additive_types();
        self.report_too_many_locals();
        self.settle_expr(&mut expr);
        expr
    }
}
