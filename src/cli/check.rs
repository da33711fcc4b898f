//! `synod check`: the diagnostics of programs.

use super::exit::{ExitStatus, Failure, Outcome};
use super::folders::{expand_folders, named_or_default};
use super::json::{DiagnosticBody, ErrorText};
use super::options::Json;
use super::output::Output;
use crate::check::{Checked, prose};
use crate::diagnostic::Diagnostic;
use crate::input;
use clap::Args;
use serde::Serialize;

/// Check programs: syntax, names, types, assumptions
#[derive(Args)]
pub struct CheckOptions {
    /// Paths, folders with programs (*.syn), `-`, or names of the library [default: the current folder]
    #[arg(value_name = "FILE")]
    files: Vec<String>,

    #[command(flatten)]
    pub json: Json,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct CheckBody {
    files: Vec<FileBody>,
    errors: usize,
    warnings: usize,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct FileBody {
    file: String,
    /// Name of the algorithm or problem; None if the header cannot be parsed.
    name: Option<String>,
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["algorithm", "problem", null])))]
    kind: Option<&'static str>,
    diagnostics: Vec<DiagnosticBody>,
    /// Why the file cannot be checked.
    error: Option<ErrorText>,
}

pub fn run(options: &CheckOptions, out: &mut Output) -> Outcome {
    let mut body = CheckBody { files: Vec::new(), errors: 0, warnings: 0 };
    for (file, found) in expand_folders(&named_or_default(&options.files)) {
        let result = found.and_then(|()| Ok(input::read_program(&file)?.check()?));
        match &result {
            Ok(checked) => {
                let errors = checked.diagnostics.iter().filter(|d| d.is_error()).count();
                body.errors += errors;
                body.warnings += checked.diagnostics.len() - errors;
                if !out.is_json() {
                    out.diagnostics(&checked.sources, &checked.diagnostics);
                }
            }
            Err(Failure::Usage(problem)) => {
                body.errors += 1;
                if !out.is_json() {
                    out.problem(problem);
                }
            }
            Err(_) => return result.map(|_| ExitStatus::Success),
        }
        body.files.push(FileBody::new(&file, &result));
    }
    if out.is_json() {
        out.json(&body)?;
    } else if !out.quiet {
        out.line(body.summary())?;
    }
    if body.errors == 0 { Ok(ExitStatus::Success) } else { Err(Failure::Reported) }
}

impl CheckBody {
    fn summary(&self) -> String {
        format!(
            "{} checked: {}, {}",
            prose::count(self.files.len(), "file"),
            prose::count(self.errors, if self.errors == 0 { "errors" } else { "error" }),
            prose::count(self.warnings, if self.warnings == 0 { "warnings" } else { "warning" })
        )
    }
}

impl FileBody {
    fn new(file: &str, result: &Result<Checked, Failure>) -> FileBody {
        let checked = result.as_ref().ok();
        let header = checked.and_then(|c| c.header.as_ref());
        let diagnostics = |c: &Checked| -> Vec<DiagnosticBody> {
            c.diagnostics.iter().map(|d: &Diagnostic| DiagnosticBody::new(&c.sources, d)).collect()
        };
        FileBody {
            file: file.into(),
            name: header.map(|h| h.name.clone()),
            kind: header.map(|h| if h.is_problem { "problem" } else { "algorithm" }),
            diagnostics: checked.map(diagnostics).unwrap_or_default(),
            error: match result {
                Err(Failure::Usage(problem)) => Some(problem.into()),
                _ => None,
            },
        }
    }
}
