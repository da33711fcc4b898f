//! Output: results to stdout, notes and errors to stderr, colour only on a terminal.

use super::exit::{ExitStatus, Failure, Outcome, Problem};
use super::json::{self, Document};
use super::options::{Color, Common};
use crate::ascii::{self, TextFormat};
use crate::diagnostic::Diagnostic;
use crate::network::Network;
use crate::prose::padded;
use crate::render::{Look, diagnostics};
use crate::source::Sources;
use diffy::PatchFormatter;
use serde::Serialize;
use std::io::{self, BufWriter, IsTerminal, Write};

/// Width in columns where the terminal does not tell it.
const DEFAULT_WIDTH: usize = 120;

/// Greatest width in columns. Drawings take memory in proportion to the width, and `COLUMNS` may be any number.
const MAX_WIDTH: usize = 10_000;

pub struct Output {
    stdout: BufWriter<io::Stdout>,
    /// Look of stdout.
    pub look: Look,
    /// Look of stderr.
    pub notes: Look,
    pub quiet: bool,
    pub verbose: bool,
    /// There is a finding: it determines the exit code even if stdout is closed early.
    pub finding: bool,
    /// A counterexample could not be replayed.
    pub disagrees: bool,
    /// The verb, if the result on stdout is a JSON object.
    json: Option<&'static str>,
}

impl Output {
    pub fn new(common: &Common, verb: &'static str, json: bool) -> Output {
        let look = |terminal: bool| Look {
            color: match common.color {
                Color::Always => true,
                Color::Never => false,
                Color::Auto => terminal && wants_color(),
            },
            ascii: common.ascii,
        };
        Output {
            stdout: BufWriter::new(io::stdout()),
            look: look(io::stdout().is_terminal()),
            notes: look(io::stderr().is_terminal()),
            quiet: common.quiet,
            verbose: common.verbose,
            finding: false,
            disagrees: false,
            json: json.then_some(verb),
        }
    }

    /// Whether the result is a JSON object. If so, no text may go to stdout.
    pub fn is_json(&self) -> bool {
        self.json.is_some()
    }

    /// Write a part of the result as prose.
    pub fn text(&mut self, text: impl AsRef<str>) -> Result<(), Failure> {
        self.in_form(text, TextFormat::Prose)
    }

    /// Write a part of the result in the given form.
    pub fn in_form(&mut self, text: impl AsRef<str>, form: TextFormat) -> Result<(), Failure> {
        match self.look.ascii {
            true => self.as_is(ascii::to_ascii(text.as_ref(), form)),
            false => self.as_is(text),
        }
    }

    /// Write a part of the result without any change of characters, such as a program.
    pub fn as_is(&mut self, text: impl AsRef<str>) -> Result<(), Failure> {
        let written = self.stdout.write_all(text.as_ref().as_bytes());
        written.map_err(|error| Failure::writing("the standard output", &error))
    }

    /// Flush stdout, before the command waits for input.
    pub fn flush(&mut self) -> Result<(), Failure> {
        self.stdout.flush().map_err(|error| Failure::writing("the standard output", &error))
    }

    pub fn line(&mut self, line: impl AsRef<str>) -> Result<(), Failure> {
        self.text(line)?;
        self.text("\n")
    }

    /// Write a unified diff, in the usual colours.
    pub fn diff(&mut self, diff: &str) -> Result<(), Failure> {
        let wanted = self.look.color;
        self.text(diff.split_inclusive('\n').map(|line| diff_line(line, wanted)).collect::<String>())
    }

    /// Write the whole result as one JSON object.
    pub fn json(&mut self, body: &impl Serialize) -> Result<(), Failure> {
        let command = self.json.unwrap_or_default();
        self.json_as_is(&Document::new(command, body))
    }

    /// Write the whole result as a JSON object that contains schema and command itself.
    pub fn json_as_is(&mut self, object: &impl Serialize) -> Result<(), Failure> {
        self.in_form(json::text(object) + "\n", TextFormat::Json)
    }

    /// Write a note to stderr; not with `--quiet`.
    pub fn note(&self, text: impl AsRef<str>) {
        if !self.quiet {
            self.say(text.as_ref());
        }
    }

    /// Write the remarks about the file of a network to stderr, as notes.
    pub fn notices(&self, network: &Network) {
        for notice in network.notices() {
            self.note(format!("note: {}: {notice}", network.topology()));
        }
    }

    /// Write diagnostics to stderr: errors always, warnings not with `--quiet`.
    pub fn diagnostics(&self, sources: &Sources, list: &[Diagnostic]) {
        let shown: Vec<Diagnostic> = list.iter().filter(|d| d.is_error() || !self.quiet).cloned().collect();
        if !shown.is_empty() {
            self.say(&diagnostics::diagnostics(sources, &shown, self.notes));
        }
    }

    pub fn problem(&self, problem: &Problem) {
        let (red, plain) = if self.notes.color { ("\x1b[1;31m", "\x1b[0m") } else { ("", "") };
        self.say(&format!("{red}error{plain}: {}", problem.message));
        if let Some(hint) = &problem.hint {
            self.say(&format!("  hint: {hint}"));
        }
    }

    /// Return the text in bold, if stdout has colours.
    pub fn bold(&self, text: &str) -> String {
        if self.look.color { format!("\x1b[1m{text}\x1b[0m") } else { text.to_string() }
    }

    /// Return the width of drawings in columns.
    pub fn width(&self) -> usize {
        columns().unwrap_or(DEFAULT_WIDTH)
    }

    /// Return the width in columns at which lines of a list are cut: that of the terminal; no limit with `--verbose` or without a terminal.
    pub fn list_width(&self) -> usize {
        if self.verbose { usize::MAX } else { columns().unwrap_or(usize::MAX) }
    }

    /// Return the text, or as much of it as fits, with `…` for the rest.
    pub fn clip(&self, text: &str, width: usize) -> String {
        let (text, rest) = match self.look.ascii {
            true => (ascii::prose_to_ascii(text), "..."),
            false => (text.into(), "…"),
        };
        if text.chars().count() <= width {
            return text.into_owned();
        }
        let kept: String = text.chars().take(width.saturating_sub(rest.chars().count())).collect();
        kept.trim_end().to_string() + rest
    }

    /// Report a failure, flush stdout, and return the final outcome.
    pub fn finish(mut self, outcome: Outcome) -> Outcome {
        let found = self.finding;
        let reported = match &outcome {
            Err(failure) => self.failure(failure),
            Ok(_) => Ok(()),
        };
        let flushed = self.stdout.flush().map_err(|error| Failure::writing("the standard output", &error));
        // A failure of the command itself takes precedence over a failure to write; so does a finding over a closed stdout.
        match (outcome, reported.and(flushed)) {
            (Err(Failure::OutputClosed), _) | (Ok(_), Err(Failure::OutputClosed)) if found => {
                drop(self.stdout.into_parts());
                Ok(if self.disagrees { ExitStatus::Disagreement } else { ExitStatus::Finding })
            }
            (Ok(_), Err(failure)) => {
                if let Failure::Usage(problem) = &failure {
                    self.problem(problem);
                }
                // The buffer cannot be written: dropping the writer must not try it again.
                drop(self.stdout.into_parts());
                Err(failure)
            }
            (outcome, _) => outcome,
        }
    }

    /// Report a failure.
    pub fn failure(&mut self, failure: &Failure) -> Result<(), Failure> {
        match failure {
            Failure::Usage(problem) if self.is_json() => self.json(&json::ErrorBody::new(problem)),
            Failure::Usage(problem) => {
                self.problem(problem);
                Ok(())
            }
            Failure::Source(files) if self.is_json() => self.json(&json::ErrorBody::source(files)),
            Failure::Source(files) => {
                for checked in files {
                    self.diagnostics(&checked.sources, &checked.diagnostics);
                    let count = diagnostics::summary(&checked.diagnostics).unwrap_or_default();
                    self.note(format!("\n{}: {count}", json::file_name(checked)));
                }
                Ok(())
            }
            Failure::Reported | Failure::OutputClosed => Ok(()),
        }
    }

    fn say(&self, text: &str) {
        let text = if self.notes.ascii { ascii::prose_to_ascii(text) } else { text.into() };
        // If stderr is closed, the error cannot be reported.
        let end = if text.ends_with('\n') { "" } else { "\n" };
        let _ = write!(io::stderr(), "{text}{end}");
    }
}

/// Return the unified diff of two texts.
pub fn unified(a: &str, b: &str, before: &str, after: &str) -> String {
    let patch = diffy::create_patch(before, after);
    if patch.hunks().is_empty() {
        return String::new();
    }
    let text = PatchFormatter::new().suppress_blank_empty(false).fmt_patch(&patch).to_string();
    // The crate would quote names that contain a tab, which separates a name from a remark.
    let hunks = text.splitn(3, '\n').nth(2).unwrap_or_default();
    format!("--- {a}\n+++ {b}\n{hunks}")
}

fn diff_line(line: &str, coloured: bool) -> String {
    let code = match line.as_bytes().first() {
        _ if !coloured => return line.to_string(),
        _ if line.starts_with("+++") || line.starts_with("---") => "1",
        Some(b'+') => "32",
        Some(b'-') => "31",
        Some(b'@') => "36",
        _ => return line.to_string(),
    };
    format!("\x1b[{code}m{}\x1b[0m\n", line.trim_end_matches('\n'))
}

/// Return the width in columns that `COLUMNS` gives, otherwise that of the terminal; None without a terminal.
fn columns() -> Option<usize> {
    let set = std::env::var_os("COLUMNS");
    let set = set.and_then(|text| text.to_str()?.trim().parse().ok()).filter(|n| *n > 0);
    let terminal = || terminal_size::terminal_size().map(|(width, _)| width.0 as usize);
    let columns = set.or_else(|| terminal().filter(|_| io::stdout().is_terminal()));
    columns.map(|columns| columns.min(MAX_WIDTH))
}

/// Whether colours are wanted, by the conventions of <https://no-color.org> and for terminals without colours.
fn wants_color() -> bool {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    set("NO_COLOR").is_none() && set("TERM").is_none_or(|term| term != "dumb")
}

/// Format rows in columns as wide as their widest cell. The last column is not padded.
pub fn table(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, w)| padded(cell, *w)).collect();
        cells.join("  ").trim_end().to_string()
    };
    rows.iter().map(line).collect()
}
