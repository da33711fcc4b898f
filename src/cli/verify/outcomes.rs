//! The expressions whose values describe the ends of runs: `--outcomes`.

use super::VerifyOptions;
use crate::check::{QuestionInput, Typed};
use crate::cli::exit::Failure;
use crate::cli::output::Output;
use crate::cli::trace::observed::rejected;
use crate::diagnostic::{Diagnostic, Finding, Grammar, Hint};
use crate::input;
use crate::instance::Instance;
use crate::ir::{Program, Question};
use crate::property::Reads;
use std::sync::Arc;

impl VerifyOptions {
    /// Return the program with the requested outcomes, which use these names of the processes.
    pub(super) fn with_outcomes(
        &self,
        typed: Option<&Typed>,
        program: &Arc<Program>,
        (instance, names): (&Instance, &[String]),
        out: &Output,
    ) -> Result<Arc<Program>, Failure> {
        let (Some(requested), Some(typed)) = (&self.course.outcomes, typed) else {
            return Ok(program.clone());
        };
        let n = instance.n() as usize;
        let question = |part: &str| {
            let asked = QuestionInput { text: part, n, names, expected_type: None };
            typed.ask(&asked).map_err(|mut wrong| {
                wrong.diagnostics.iter_mut().for_each(|d| for_a_list(d, names));
                rejected(&wrong, out)
            })
        };
        let outcomes: Result<Vec<Question>, Failure> = input::split_list(requested).map(question).collect();
        let outcomes = outcomes?;
        if outcomes.is_empty() {
            return Err(
                Failure::usage("--outcomes lists no expression").hint("such as --outcomes 'p0.log, p1.log'")
            );
        }
        let depends_on_run = |question: &&Question| Reads::of(&question.expr, program).depends_on_run();
        if let Some(question) = outcomes.iter().find(depends_on_run) {
            let text = format!(
                "--outcomes cannot list `{}`: runs with different counts or histories lead to one configuration",
                question.text
            );
            return Err(Failure::usage(text).hint("a `bound` limits costs; a property can read the history"));
        }
        Ok(Arc::new(Program { outcomes, ..Program::clone(program) }))
    }
}

/// Replace the hints that are right in a property, but not in a list of values.
fn for_a_list(d: &mut Diagnostic, names: &[String]) {
    d.hint = match (d.hint.take(), &d.finding) {
        (Some(Hint::IsVariableOfProcesses(name)), _) => {
            let first = names.first().map_or("p0", String::as_str);
            Some(Hint::IsVariableOf(name, first.into()))
        }
        (None, Finding::Grammar(Grammar::Expected(_, found))) if found == ";" => Some(Hint::CommasBetween),
        (hint, _) => hint,
    };
}
