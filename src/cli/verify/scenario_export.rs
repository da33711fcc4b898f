//! `--save-scenario`: the counterexample as a scenario, which is played before it is written.

use crate::cli::atomic_file;
use crate::cli::exit::Failure;
use crate::diagnostic::Diagnostic;
use crate::input;
use crate::instance::Instance;
use crate::ir::ScenarioLine;
use crate::scenario::{ALL_LINES, line_of_expectation};
use crate::session::scenario_export::{ScenarioFinding, playable_scenario};
use crate::session::search_report::{CounterexampleBody, ViolationName};
use crate::trace::Trace;
use std::path::Path;

fn no(why: String) -> Failure {
    Failure::usage(format!("there is no scenario for this run: {why}"))
        .hint("--trace FILE saves the run itself, for `synod run --replay` and `synod trace`")
}

/// Return a scenario for the file, with a new name, that passes when it is played.
///
/// # Errors
/// If no scenario can express the run, or the file cannot be read again.
pub fn scenario(
    file: &str,
    instance: &Instance,
    counterexample: &CounterexampleBody,
    trace: &Trace,
) -> Result<String, Failure> {
    if file == "-" {
        return Err(no("the program came from the standard input, which cannot be read again".into()));
    }
    let shows = match counterexample.what {
        ViolationName::Stuck | ViolationName::Blocked => ScenarioFinding::Stuck,
        ViolationName::Aborted => ScenarioFinding::Aborted,
        ViolationName::Property => {
            let name = &counterexample.shows;
            let line = |name: &str| line_of_expectation(instance, name);
            match line(name) {
                Some(ScenarioLine::Expect(e)) => {
                    let text = instance.program.sources.slice(e.span);
                    ScenarioFinding::Expected(vec![format!("not ({text})")])
                }
                None if name != ALL_LINES => {
                    let others = counterexample.violated.iter();
                    let others = others.filter(|o| *o != name && *o != ALL_LINES && line(o).is_none());
                    ScenarioFinding::Violated([name].into_iter().chain(others).cloned().collect())
                }
                _ => return Err(no(format!("{name} is not a property of the program"))),
            }
        }
    };
    let program = input::read_program(file)?;
    played(&program, instance, &format!("found_{}", counterexample.shows), &shows, trace)
}

/// Append a scenario to its program.
///
/// # Errors
/// If the file cannot be read again, or not be written.
pub fn add(file: &Path, scenario: &str) -> Result<(), Failure> {
    let program = input::read_program(&file.display().to_string())?.text;
    atomic_file::replace(file, &format!("{}\n\n{scenario}", program.trim_end()))
}

/// Return a scenario for this program: see [`playable_scenario`].
///
/// # Errors
/// If no scenario can express the run, or a file that the program names cannot be read again.
pub fn played(
    program: &input::SourceText,
    instance: &Instance,
    base: &str,
    shows: &ScenarioFinding,
    trace: &Trace,
) -> Result<String, Failure> {
    let mut unreadable = None;
    let mut check = |scenario: &str| match program.with(&format!("\n{scenario}")).check() {
        Ok(checked) => {
            let wrong = checked.diagnostics.into_iter().find(Diagnostic::is_error);
            checked.program.ok_or_else(|| wrong.map_or_else(String::new, |wrong| wrong.message()))
        }
        Err(error) => {
            unreadable.get_or_insert(error);
            Err(String::new())
        }
    };
    let made = playable_scenario(&mut check, instance, base, shows, trace);
    match unreadable {
        Some(error) => Err(error.into()),
        None => made.map_err(no),
    }
}
