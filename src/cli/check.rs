//! `synod check`: the diagnostics of programs.

use super::atomic_file;
use super::exit::{ExitStatus, Failure, Outcome};
use super::folders::{expand_folders, named_or_default};
use super::json::{DiagnosticBody, ErrorText};
use super::options::Json;
use super::output::Output;
use crate::check::{Checked, prose};
use crate::diagnostic::{self, Diagnostic};
use crate::input;
use clap::Args;
use rustc_hash::FxHashSet;
use serde::Serialize;

/// Maximum number of times that a file is checked for fixes.
const MAX_PASSES: usize = 1000;

/// Check programs: syntax, names, types, assumptions
#[derive(Args)]
pub struct CheckOptions {
    /// Paths, folders with programs (*.syn), `-`, or names of the library [default: the current folder]
    #[arg(value_name = "FILE")]
    files: Vec<String>,

    /// Write the fixes that need no decision into the files, such as present words for former ones; then check
    #[arg(long)]
    fix: bool,

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
    /// With `--fix`: the number of fixes written into the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(with = "usize"))]
    fixed: Option<usize>,
}

pub fn run(options: &CheckOptions, out: &mut Output) -> Outcome {
    let mut body = CheckBody { files: Vec::new(), errors: 0, warnings: 0 };
    let files = expand_folders(&named_or_default(&options.files));
    // All files are fixed before the first is checked: it may use another one.
    let fixes: Vec<Result<Option<usize>, Failure>> = files
        .iter()
        .map(|(file, found)| if options.fix && found.is_ok() { fix(file).map(Some) } else { Ok(None) })
        .collect();
    let mut results = Vec::new();
    for ((file, found), fixed) in files.into_iter().zip(fixes) {
        let result = found.and(fixed).and_then(|fixed| Ok((input::read_program(&file)?.check()?, fixed)));
        results.push(match result {
            Ok((checked, fixed)) => (file, Ok(checked), fixed),
            Err(failure) => (file, Err(failure), None),
        });
    }
    say_once(results.iter_mut().filter_map(|(file, result, _)| Some((&**file, result.as_mut().ok()?))));
    for (file, result, fixed) in results {
        if let Some(count @ 1..) = fixed
            && !out.is_json()
            && !out.quiet
        {
            out.line(format!("fixed {file}: {}", prose::count(count, "change")))?;
        }
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
        body.files.push(FileBody::new(&file, &result, fixed));
    }
    if out.is_json() {
        out.json(&body)?;
    } else if !out.quiet {
        out.line(body.summary())?;
    }
    if body.errors == 0 { Ok(ExitStatus::Success) } else { Err(Failure::Reported) }
}

/// Drop diagnostics that are reported elsewhere, too: a file that several others use, such as a problem, is checked with each of them. They
/// stay with the file that they concern, or with the first that uses it.
fn say_once<'c>(files: impl Iterator<Item = (&'c str, &'c mut Checked)>) {
    let mut files: Vec<_> = files.collect();
    let mut said = FxHashSet::default();
    for is_own in [true, false] {
        for (file, checked) in &mut files {
            let Checked { sources, diagnostics, .. } = &mut **checked;
            diagnostics.retain(|found| {
                let name = &sources.get(found.span.file).name;
                let is_turn = (&**name == *file) == is_own;
                !is_turn || said.insert((name.clone(), found.span.range(), found.message()))
            });
        }
    }
}

/// Write the certain fixes into a file. Return their number.
fn fix(file: &str) -> Result<usize, Failure> {
    let mut program = input::read_program(file)?;
    let Some(path) = program.path.clone() else {
        let what = if file == "-" { "the standard input" } else { "an algorithm of the library" };
        return Err(Failure::usage(format!("`--fix` writes into files, and {file} is {what}")));
    };
    let mut count = 0;
    // A fix may reveal what another error has hidden.
    for _ in 0..MAX_PASSES {
        let fixes = program.check()?.diagnostics.into_iter().filter_map(|found| found.fix);
        let Some((text, more)) = diagnostic::apply(&program.text, fixes) else { break };
        program.text = text;
        count += more;
    }
    if count > 0 {
        atomic_file::replace(&path, &program.text)?;
    }
    Ok(count)
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
    fn new(file: &str, result: &Result<Checked, Failure>, fixed: Option<usize>) -> FileBody {
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
            fixed,
        }
    }
}
