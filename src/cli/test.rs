//! `synod test`: the scenarios of some files, played.

use super::exit::{Ending, Failure, Outcome};
use super::json::{DiagnosticBody, ErrorText, Place};
use super::options::Json;
use super::output::{Output, table};
use super::{input, interrupt};
use crate::diagnostic::Diagnostic;
use crate::ir::Program;
use crate::library;
use crate::scenario::{Played, play};
use clap::Args;
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Run the scenarios of programs, which are their tests
#[derive(Args)]
pub struct Options {
    /// Paths, `-`, or names of the library
    #[arg(value_name = "FILE", required_unless_present = "library")]
    files: Vec<String>,

    /// All algorithms of the library
    #[arg(long, conflicts_with = "files")]
    library: bool,

    /// Only scenarios with this in their names
    #[arg(long, value_name = "TEXT")]
    scenario: Option<String>,

    #[command(flatten)]
    pub json: Json,
}

#[derive(Serialize, Default)]
struct Body {
    files: Vec<FileBody>,
    passed: usize,
    failed: usize,
    /// Files whose scenarios could not be played.
    errors: usize,
}

#[derive(Serialize)]
struct FileBody {
    file: String,
    algorithm: Option<String>,
    scenarios: Vec<ScenarioBody>,
    diagnostics: Vec<DiagnosticBody>,
    error: Option<ErrorText>,
}

#[derive(Serialize)]
struct ScenarioBody {
    name: String,
    result: &'static str,
    place: Place,
    failures: Vec<FailureBody>,
    steps: u64,
    messages: u64,
}

#[derive(Serialize)]
struct FailureBody {
    place: Place,
    message: String,
}

pub fn run(options: &Options, out: &mut Output) -> Outcome {
    let algorithms = || library::entries().into_values().filter(|entry| !entry.is_problem());
    let files: Vec<String> = match options.library {
        true => algorithms().map(|entry| entry.name.to_string()).collect(),
        false => options.files.clone(),
    };
    let interrupt = interrupt::flag();
    let mut body = Body::default();
    for file in &files {
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
        body.add(options, file, out)?;
    }
    let interrupted = body.files.len() < files.len();
    if out.is_json() {
        out.json(&body)?;
    } else {
        body.show_failures(out)?;
        out.line(body.summary(out))?;
    }
    if interrupted {
        out.note(format!("interrupted after {} of {} files", body.files.len(), files.len()));
    }
    match (body.errors, body.failed, interrupted) {
        (0, 0, false) => Ok(Ending::Fine),
        (0, 0, true) => Ok(Ending::Limit),
        (0, _, _) => Ok(Ending::Finding),
        _ => Err(Failure::Told),
    }
}

impl Body {
    fn add(&mut self, options: &Options, file: &str, out: &mut Output) -> Result<(), Failure> {
        let mut entry = FileBody {
            file: file.into(),
            algorithm: None,
            scenarios: Vec::new(),
            diagnostics: Vec::new(),
            error: None,
        };
        match input::program(file).and_then(|text| text.check()) {
            Ok(checked) => {
                entry.algorithm = checked.header.map(|header| header.name);
                let sources = &checked.sources;
                let body = |d: &Diagnostic| DiagnosticBody::new(sources, d);
                entry.diagnostics = checked.diagnostics.iter().map(body).collect();
                if !out.is_json() {
                    out.diagnostics(sources, &checked.diagnostics);
                }
                match checked.program {
                    Some(program) => {
                        entry.scenarios = played(&Arc::new(program), options.scenario.as_deref())
                    }
                    None => self.errors += 1,
                }
            }
            Err(Failure::Usage(problem)) => {
                self.errors += 1;
                entry.error = Some((&problem).into());
                if !out.is_json() {
                    out.problem(&problem);
                }
            }
            Err(other) => return Err(other),
        }
        let with = |result| entry.scenarios.iter().filter(|scenario| scenario.result == result).count();
        self.passed += with("passed");
        self.failed += with("failed");
        if !out.is_json() && !out.quiet {
            entry.show(out)?;
        }
        self.files.push(entry);
        Ok(())
    }

    fn show_failures(&self, out: &mut Output) -> Result<(), Failure> {
        for file in &self.files {
            for scenario in file.scenarios.iter().filter(|scenario| scenario.result == "failed") {
                out.line(out.bold(&format!("{} {}", file.title(), scenario.name)))?;
                for failure in &scenario.failures {
                    let Place { file, line, column, .. } = &failure.place;
                    out.line(format!("  {file}:{line}:{column}: {}", failure.message))?;
                }
                out.line("")?;
            }
        }
        Ok(())
    }

    /// `3 of 4 scenarios passed, 1 failed`
    fn summary(&self, out: &Output) -> String {
        let all = self.passed + self.failed;
        let scenarios = if all == 1 { "scenario" } else { "scenarios" };
        let mut parts = vec![format!("{} of {all} {scenarios} passed", self.passed)];
        if self.failed > 0 {
            parts.push(format!("{} failed", self.failed));
        }
        match self.errors {
            0 => {}
            1 => parts.push("1 file with errors".into()),
            n => parts.push(format!("{n} files with errors")),
        }
        out.bold(&parts.join(", "))
    }
}

impl FileBody {
    fn title(&self) -> &str {
        self.algorithm.as_deref().unwrap_or(&self.file)
    }

    fn show(&self, out: &mut Output) -> Result<(), Failure> {
        out.line(out.bold(self.title()))?;
        let row = |scenario: &ScenarioBody| {
            let counted = |n: u64, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
            let cost =
                format!("{}, {}", counted(scenario.steps, "step"), counted(scenario.messages, "message"));
            let result = if scenario.result == "failed" { "FAILED" } else { scenario.result };
            vec![scenario.name.clone(), result.into(), cost]
        };
        let rows: Vec<Vec<String>> = self.scenarios.iter().map(row).collect();
        for line in table(&rows) {
            out.line(format!("  {line}"))?;
        }
        let broken = self.error.is_some() || self.diagnostics.iter().any(DiagnosticBody::is_error);
        if rows.is_empty() {
            out.line(if broken { "  not tested: it has errors" } else { "  no scenarios" })?;
        }
        out.line("")
    }
}

fn played(program: &Arc<Program>, wanted: Option<&str>) -> Vec<ScenarioBody> {
    let interrupt = interrupt::flag();
    let scenarios = program.scenarios.iter().filter(|s| wanted.is_none_or(|text| s.name.contains(text)));
    let played = scenarios.map(|s| play(program, s, Some(interrupt), &mut |_, _, _, _, _| {}));
    played.map(|played| ScenarioBody::new(program, played)).collect()
}

impl ScenarioBody {
    fn new(program: &Program, played: Played) -> ScenarioBody {
        let place = |span| Place::new(&program.sources, span);
        ScenarioBody {
            result: if played.passed() { "passed" } else { "failed" },
            place: place(played.span),
            failures: played
                .failures
                .into_iter()
                .map(|failure| FailureBody { place: place(failure.span), message: failure.message })
                .collect(),
            steps: played.steps,
            messages: played.messages,
            name: played.name,
        }
    }
}
