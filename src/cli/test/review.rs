//! `synod test review`, `accept` and `reject`: review of pending snapshots.

use super::super::atomic_file;
use super::super::exit::{ExitStatus, Failure, Outcome, Problem};
use super::super::json::ErrorText;
use super::super::output::{Output, unified};
use super::snapshots::{ACCEPTED, FOLDER, PENDING, SnapshotFolder, compared, read, scenario_of};
use super::{is_ci, is_selected};
use crate::check::prose;
use crate::input;
use crate::render::Look;
use crate::trace::snapshot::Snapshot;
use clap::Args;
use serde::Serialize;
use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};

/// The greatest number of lines of a new snapshot that are shown; `--verbose` shows all.
const MOST_LINES: usize = 60;

#[derive(Args)]
pub struct ReviewArgs {
    /// Programs, pending snapshots, or folders with their subfolders
    #[arg(value_name = "FILE", default_value = ".")]
    files: Vec<String>,

    /// Only scenarios whose names contain TEXT, or match it as a pattern with * and ?
    #[arg(long, value_name = "TEXT")]
    scenario: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ReviewBody {
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["review", "accept", "reject"])))]
    verb: &'static str,
    snapshots: Vec<WaitingBody>,
    accepted: usize,
    rejected: usize,
    waiting: usize,
    errors: usize,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct WaitingBody {
    scenario: String,
    /// The accepted snapshot, or its future file.
    file: String,
    pending: String,
    /// No snapshot is accepted yet.
    new: bool,
    done: Done,
    /// The changes from the accepted to the pending snapshot, as a unified diff.
    diff: Option<String>,
    error: Option<ErrorText>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
enum Done {
    Accepted,
    Rejected,
    Waiting,
    Error,
}

/// The user's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Accept,
    Reject,
    Skip,
    Quit,
}

/// A pending snapshot.
struct PendingSnapshot {
    pending: PathBuf,
    accepted: PathBuf,
    scenario: String,
    /// No snapshot is accepted yet.
    new: bool,
}

pub fn accept(chosen: &ReviewArgs, out: &mut Output) -> Outcome {
    decide("accept", chosen, out, &mut |_, _, _| Ok(Answer::Accept))
}

pub fn reject(chosen: &ReviewArgs, out: &mut Output) -> Outcome {
    decide("reject", chosen, out, &mut |_, _, _| Ok(Answer::Reject))
}

pub fn review(chosen: &ReviewArgs, out: &mut Output) -> Outcome {
    let terminal = io::stdin().is_terminal() && io::stdout().is_terminal() && !is_ci();
    if out.is_json() {
        return decide("review", chosen, out, &mut |_, _, _| Ok(Answer::Skip));
    }
    let mut shown = 0;
    let outcome = decide("review", chosen, out, &mut |waiting, now, out| {
        shown += 1;
        show(waiting, now, out)?;
        match terminal {
            true => ask(&mut io::stdin().lock(), out),
            false => Ok(Answer::Skip),
        }
    });
    match outcome {
        Ok(_) if shown > 0 && is_ci() => {
            Err(Failure::usage("CI is set: `synod test review` asks no questions and changes nothing"))
        }
        Ok(_) if shown > 0 && !terminal => Err(Failure::usage(
            "`synod test review` needs a terminal for its questions",
        )
        .hint("`synod test accept` accepts pending snapshots, `synod test reject` removes them; --scenario selects some")),
        outcome => outcome,
    }
}

type Decide<'d> = dyn FnMut(&PendingSnapshot, &Snapshot, &mut Output) -> Result<Answer, Failure> + 'd;

fn decide(verb: &'static str, chosen: &ReviewArgs, out: &mut Output, answer: &mut Decide<'_>) -> Outcome {
    if verb != "review" && is_ci() {
        return Err(Failure::usage(format!("synod test {verb} changes files, and CI is set"))
            .hint("review snapshots before accepting them, outside CI"));
    }
    let mut body =
        ReviewBody { verb, snapshots: Vec::new(), accepted: 0, rejected: 0, waiting: 0, errors: 0 };
    let mut all = Vec::new();
    for file in &chosen.files {
        for waiting in below(file)? {
            let wanted = chosen.scenario.as_deref().is_none_or(|text| is_selected(text, &waiting.scenario));
            if wanted && all.iter().all(|known: &PendingSnapshot| known.pending != waiting.pending) {
                all.push(waiting);
            }
        }
    }
    let mut quit = false;
    for waiting in &all {
        let done = match read(&waiting.pending) {
            // A snapshot that cannot be read can still be rejected.
            Err(_) if verb == "reject" => waiting.take(Answer::Reject),
            Err(problem) => Err(Failure::Usage(problem)),
            Ok(_) if quit => Ok(Done::Waiting),
            Ok(now) => answer(waiting, &now, out).and_then(|answer| {
                quit = answer == Answer::Quit;
                waiting.take(answer)
            }),
        };
        body.add(waiting, done, out)?;
    }
    if out.is_json() {
        out.json(&body)?;
    } else {
        out.note(body.summary());
    }
    match (body.errors, body.waiting) {
        (0, 0) => Ok(ExitStatus::Success),
        (0, _) => Ok(ExitStatus::Finding),
        _ => Err(Failure::Reported),
    }
}

/// Return the pending snapshots in a folder and its subfolders, of a program, or in the named file.
fn below(name: &str) -> Result<Vec<PendingSnapshot>, Failure> {
    let name = input::program_path(name);
    let path = Path::new(&name);
    let named = |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(PENDING));
    if named(path) && path.is_file() {
        return Ok(PendingSnapshot::new(path.to_path_buf()).into_iter().collect());
    }
    let folder = match SnapshotFolder::of(&name) {
        _ if path.is_dir() => path.to_path_buf(),
        Some(place) => place.folder().to_path_buf(),
        None => {
            return Err(Failure::usage(format!("there is no file {name}"))
                .hint("name a program, a folder, or a file SCENARIO.trace.new"));
        }
    };
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let wanted = |path: &Path| {
        let own = path.parent().filter(|own| !own.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // If the current folder is inside these folders, the path does not contain their names.
        let own = own.canonicalize().unwrap_or_default();
        let above = own.parent().and_then(Path::file_name);
        named(path) && above.is_some_and(|name| name == FOLDER)
    };
    Ok(atomic_file::below(&folder, &wanted)?.into_iter().filter_map(PendingSnapshot::new).collect())
}

impl PendingSnapshot {
    fn new(pending: PathBuf) -> Option<PendingSnapshot> {
        let scenario = scenario_of(&pending)?.to_string();
        let accepted = pending.with_file_name(format!("{scenario}{ACCEPTED}"));
        Some(PendingSnapshot { new: !accepted.exists(), accepted, pending, scenario })
    }

    fn take(&self, answer: Answer) -> Result<Done, Failure> {
        match answer {
            Answer::Accept => atomic_file::rename(&self.pending, &self.accepted).map(|()| Done::Accepted),
            Answer::Reject => atomic_file::remove(&self.pending).map(|()| Done::Rejected),
            Answer::Skip | Answer::Quit => Ok(Done::Waiting),
        }
    }
}

impl ReviewBody {
    fn add(
        &mut self,
        waiting: &PendingSnapshot,
        done: Result<Done, Failure>,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let pending = waiting.pending.display().to_string();
        let mut entry = WaitingBody {
            scenario: waiting.scenario.clone(),
            file: waiting.accepted.display().to_string(),
            new: waiting.new,
            done: Done::Error,
            diff: None,
            error: None,
            pending,
        };
        match done {
            Ok(done) => entry.done = done,
            Err(Failure::Usage(problem)) => {
                entry.error = Some((&problem).into());
                if !out.is_json() {
                    out.problem(&problem);
                }
            }
            Err(other) => return Err(other),
        }
        *match entry.done {
            Done::Accepted => &mut self.accepted,
            Done::Rejected => &mut self.rejected,
            Done::Waiting => &mut self.waiting,
            Done::Error => &mut self.errors,
        } += 1;
        match entry.done {
            Done::Accepted if !out.is_json() && !out.quiet => out.line(format!("accepted {}", entry.file))?,
            Done::Rejected if !out.is_json() && !out.quiet => {
                out.line(format!("rejected {}", entry.pending))?
            }
            Done::Waiting if out.is_json() => {
                entry.diff = read(&waiting.pending).ok().map(|now| change(waiting, &now));
            }
            _ => {}
        }
        self.snapshots.push(entry);
        Ok(())
    }

    fn summary(&self) -> String {
        let counted = [
            (self.accepted, "accepted"),
            (self.rejected, "rejected"),
            (self.waiting, "still pending"),
            (self.errors, "unreadable"),
        ];
        let parts: Vec<String> = (counted.iter().filter(|(n, _)| *n > 0))
            .map(|(n, what)| format!("{} {what}", prose::count(*n, "snapshot")))
            .collect();
        if parts.is_empty() { "no pending snapshots".into() } else { parts.join(", ") }
    }
}

/// Return the changes from the accepted to the pending snapshot, as a unified diff.
fn change(waiting: &PendingSnapshot, now: &Snapshot) -> String {
    let (a, b) = (waiting.accepted.display().to_string(), waiting.pending.display().to_string());
    let before = read(&waiting.accepted).map(|before| before.to_text()).unwrap_or_default();
    unified(&a, &b, &before, &now.to_text())
}

fn show(waiting: &PendingSnapshot, now: &Snapshot, out: &mut Output) -> Result<(), Failure> {
    let title = format!("{}: {}", now.trace().header.algorithm, waiting.scenario);
    out.line(out.bold(&title))?;
    let before = match waiting.new {
        false => read(&waiting.accepted),
        true => {
            Err(Problem { message: format!("a new snapshot, {}", waiting.pending.display()), hint: None })
        }
    };
    match before {
        Ok(before) => {
            if before.redactions == now.redactions {
                let look = Look { color: false, ..out.look };
                out.line(compared(&before.diff(now), ("accepted", &before), ("pending", now), look, false))?;
            }
            let diff = change(waiting, now);
            out.diff(&diff)?;
        }
        Err(problem) => {
            out.line(&problem.message)?;
            out.line("")?;
            let text = now.to_text();
            let all = text.lines().count();
            let most = if out.verbose { usize::MAX } else { MOST_LINES };
            let width = out.list_width();
            for line in text.lines().take(most) {
                out.line(out.clip(line, width))?;
            }
            if all > most {
                out.line(format!("({} more lines; --verbose shows all)", all - most))?;
            }
        }
    }
    out.line("")
}

/// Ask until there is a valid answer. The end of the input means quit.
fn ask(input: &mut impl BufRead, out: &mut Output) -> Result<Answer, Failure> {
    loop {
        out.text("accept, reject, skip or quit? [a/r/s/q] ")?;
        out.flush()?;
        let mut line = String::new();
        match input.read_line(&mut line) {
            Ok(0) | Err(_) => {
                out.line("")?;
                return Ok(Answer::Quit);
            }
            Ok(_) => {}
        }
        if let Some(answer) = answer(&line) {
            out.line("")?;
            return Ok(answer);
        }
    }
}

/// Parse an answer: a word or its beginning, in any case. `None`: it is no answer.
pub fn answer(line: &str) -> Option<Answer> {
    let word = line.trim().to_lowercase();
    let all = [
        ("accept", Answer::Accept),
        ("reject", Answer::Reject),
        ("skip", Answer::Skip),
        ("quit", Answer::Quit),
    ];
    all.into_iter().find(|(known, _)| !word.is_empty() && known.starts_with(&word)).map(|(_, answer)| answer)
}
