//! `synod fmt`: the formatter.

use super::atomic_file;
use super::exit::{ExitStatus, Failure, Outcome};
use super::folders::{expand_folders, named_or_default};
use super::json::{DiagnosticBody, ErrorText};
use super::options::Json;
use super::output::{Output, unified};
use crate::check::prose;
use crate::diagnostic::Diagnostic;
use crate::input::{self, InputError};
use crate::library;
use crate::source::Sources;
use crate::syntax::format::{Signs, format};
use clap::Args;
use serde::Serialize;
use std::fs;
use std::path::Path;

/// Format programs
///
/// Only blanks, line breaks and alignment change; words and comments do not. Line breaks made by hand are kept between statements,
/// alternatives, elements of lists and operands. A file with syntax errors is not changed.
#[derive(Args)]
pub struct FmtOptions {
    /// Programs, folders with programs (*.syn), or `-`: from the standard input to the standard output [default: the
    /// standard input if it is a file, otherwise the current folder]
    #[arg(value_name = "FILE")]
    files: Vec<String>,

    /// Write no file; show what would change, with exit code 1 if anything would
    #[arg(long)]
    check: bool,

    /// Write operators in Unicode: ≤ ∧ ∀ ∈ → (with --ascii: <= and forall in ->; without both: unchanged)
    #[arg(long, conflicts_with = "ascii")]
    unicode: bool,

    #[command(flatten)]
    pub json: Json,
}

#[derive(Serialize, Default)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct FmtBody {
    files: Vec<FileBody>,
    /// Number of files that were changed, or with `--check` would be.
    changed: usize,
    /// Number of files that cannot be parsed, and were left unchanged.
    errors: usize,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct FileBody {
    /// The file as named or found; `-` is the standard input.
    file: String,
    /// Whether it was changed, or with `--check` would be.
    changed: bool,
    /// With `--check`: what would change, as a unified diff.
    diff: Option<String>,
    /// For the standard input: the formatted text.
    text: Option<String>,
    diagnostics: Vec<DiagnosticBody>,
    error: Option<ErrorText>,
}

/// The result for one file.
struct Done {
    changed: bool,
    diff: Option<String>,
    text: Option<String>,
}

/// The reason why a file was not formatted.
enum Refused {
    Failure(Failure),
    Syntax(Sources, Vec<Diagnostic>),
}

impl From<InputError> for Refused {
    fn from(error: InputError) -> Refused {
        Refused::Failure(error.into())
    }
}

pub fn run(options: &FmtOptions, out: &mut Output) -> Outcome {
    let mut body = FmtBody::default();
    let named = named_or_default(&options.files);
    for (name, found) in expand_folders(&named) {
        let done = found.map_err(Refused::Failure).and_then(|()| one(&name, options, out));
        match &done {
            Ok(done) => {
                body.changed += usize::from(done.changed);
                if !out.is_json() {
                    say(&name, done, options, out)?;
                }
            }
            Err(Refused::Syntax(sources, findings)) => {
                body.errors += 1;
                if !out.is_json() {
                    out.diagnostics(sources, findings);
                }
            }
            Err(Refused::Failure(Failure::Usage(problem))) => {
                body.errors += 1;
                if !out.is_json() {
                    out.problem(problem);
                }
            }
            Err(Refused::Failure(_)) => return Err(Failure::OutputClosed),
        }
        body.files.push(FileBody::new(name, done));
    }
    if out.is_json() {
        out.json(&body)?;
    } else if options.check || body.errors > 0 || named.iter().any(|name| name != "-") {
        // If the text goes from stdin to stdout, a summary is superfluous.
        out.note(body.summary(options));
    }
    match (body.errors, body.changed) {
        (0, 0) => Ok(ExitStatus::Success),
        (0, _) if options.check => Ok(ExitStatus::Finding),
        (0, _) => Ok(ExitStatus::Success),
        _ => Err(Failure::Reported),
    }
}

fn one(name: &str, options: &FmtOptions, out: &mut Output) -> Result<Done, Refused> {
    if name != "-" && !Path::new(name).exists() && library::source(name).is_some() {
        let failure = Failure::usage(format!("{name} is an algorithm of the library, not a file"));
        return Err(Refused::Failure(failure.hint(format!("`synod show {name} --source` prints it"))));
    }
    let text = input::read_text(name)?;
    input::reject_non_program(if name == "-" { "the standard input" } else { name }, &text)?;
    let signs = match (options.unicode, out.look.ascii) {
        (true, _) => Signs::Unicode,
        (false, true) => Signs::Ascii,
        (false, false) => Signs::AsWritten,
    };
    let shown = if name == "-" { "standard input" } else { name };
    let formatted = format(&text, signs).map_err(|findings| {
        let mut sources = Sources::default();
        sources.add(shown, &text);
        Refused::Syntax(sources, findings)
    })?;
    // Reading has dropped the byte order mark that some editors write; formatting removes it from the file.
    let marked = name != "-" && fs::metadata(name).is_ok_and(|found| found.len() != text.len() as u64);
    let changed = formatted != text || marked;
    let diff =
        (options.check && changed).then(|| unified(shown, &format!("{shown}\tformatted"), &text, &formatted));
    if changed && !options.check && name != "-" {
        atomic_file::replace(Path::new(name), &formatted).map_err(Refused::Failure)?;
    }
    let text = (name == "-" && !options.check).then_some(formatted);
    Ok(Done { changed, diff, text })
}

fn say(name: &str, done: &Done, options: &FmtOptions, out: &mut Output) -> Result<(), Failure> {
    if let Some(text) = &done.text {
        return out.as_is(text);
    }
    match &done.diff {
        Some(diff) => out.diff(diff),
        None if done.changed && !options.check && !out.quiet => out.line(format!("formatted {name}")),
        None => Ok(()),
    }
}

impl FmtBody {
    fn summary(&self, options: &FmtOptions) -> String {
        let right = self.files.len() - self.changed - self.errors;
        let mut parts = Vec::new();
        if self.changed > 0 {
            let verb = if options.check { "would change" } else { "formatted" };
            parts.push(format!("{} {verb}", prose::count(self.changed, "file")));
        }
        if right > 0 {
            parts.push(format!("{} already formatted", prose::count(right, "file")));
        }
        if self.errors > 0 {
            parts.push(format!("{} not changed because of errors", prose::count(self.errors, "file")));
        }
        parts.join(", ")
    }
}

impl FileBody {
    fn new(file: String, done: Result<Done, Refused>) -> FileBody {
        let mut body =
            FileBody { file, changed: false, diff: None, text: None, diagnostics: Vec::new(), error: None };
        match done {
            Ok(done) => {
                body.changed = done.changed;
                body.diff = done.diff;
                body.text = done.text;
            }
            Err(Refused::Syntax(sources, findings)) => {
                body.diagnostics =
                    findings.iter().map(|finding| DiagnosticBody::new(&sources, finding)).collect();
            }
            Err(Refused::Failure(Failure::Usage(problem))) => body.error = Some((&problem).into()),
            Err(Refused::Failure(_)) => {}
        }
        body
    }
}
