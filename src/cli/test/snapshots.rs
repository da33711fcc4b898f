//! Traces of scenarios kept beside their program, to be compared with: `snapshots/PROGRAM/SCENARIO.trace`, with `.new` behind it as
//! long as nobody has accepted it.

use super::super::exit::{Failure, Problem};
use super::super::{atomic_file, input};
use crate::ir::Program;
use crate::render::Look;
use crate::render::diff::Compared;
use crate::trace::Trace;
use crate::trace::diff::Diff;
use crate::trace::snapshot::{Redactions, Snapshot, left_out};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The folder, beside programs, in which each program has a folder.
pub const FOLDER: &str = "snapshots";
pub const ACCEPTED: &str = ".trace";
pub const PENDING: &str = ".trace.new";

/// Where the snapshots of one program are.
pub struct SnapshotFile(PathBuf);

/// What is to be done with snapshots.
pub struct SnapshotSettings {
    /// Make those that are missing.
    pub new: bool,
    /// Compare the order of concurrent events, too.
    pub exact: bool,
    /// What is left out; None: what the snapshot says.
    pub redactions: Option<Redactions>,
    /// May files be written?
    pub writes: bool,
    /// Of what is said of differences.
    pub look: Look,
}

/// What became of the snapshot of a scenario.
#[derive(Serialize)]
pub struct SnapshotBody {
    pub result: Found,
    pub file: String,
    /// The file with what happened now, where it waits to be accepted.
    pub pending: Option<String>,
    /// The first difference, or why the file cannot be read.
    pub why: Option<String>,
    /// For people: what differs.
    #[serde(skip)]
    pub text: String,
    #[serde(skip)]
    pub problems: Vec<Problem>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Found {
    Same,
    Different,
    /// There is none that has been accepted.
    New,
    /// The file is no snapshot that could be read.
    Unreadable,
}

impl SnapshotFile {
    /// None for what is no file called NAME.syn: of such files no two are beside each other that could share a folder.
    pub fn of(file: &str) -> Option<SnapshotFile> {
        let path = Path::new(file);
        let is_program = path.is_file() && path.extension().is_some_and(|ending| ending == "syn");
        Some(SnapshotFile(path.with_file_name(FOLDER).join(path.file_stem()?))).filter(|_| is_program)
    }

    pub fn folder(&self) -> &Path {
        &self.0
    }

    fn file(&self, scenario: &str, ending: &str) -> PathBuf {
        self.0.join(format!("{scenario}{ending}"))
    }

    /// Has it a snapshot, accepted or not?
    pub fn has(&self, scenario: &str) -> bool {
        [ACCEPTED, PENDING].iter().any(|ending| self.file(scenario, ending).exists())
    }

    /// Snapshots of scenarios that the program does not have.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn unreferenced(&self, program: &Program) -> Result<Vec<PathBuf>, Failure> {
        if !self.0.is_dir() {
            return Ok(Vec::new());
        }
        let stale = |path: &Path| {
            let direct = path.parent() == Some(&self.0);
            let of = scenario_of(path);
            direct && of.is_some_and(|name| program.scenarios.iter().all(|s| s.name != name))
        };
        atomic_file::below(&self.0, &stale)
    }

    /// Compares what happened with the snapshot; what differs, or is new, waits beside it. A run that `failed` is compared only.
    pub fn look(&self, scenario: &str, now: Trace, failed: bool, wishes: &SnapshotSettings) -> SnapshotBody {
        let (accepted, pending) = (self.file(scenario, ACCEPTED), self.file(scenario, PENDING));
        let mut body = SnapshotBody {
            result: Found::New,
            file: accepted.display().to_string(),
            pending: None,
            why: None,
            text: String::new(),
            problems: Vec::new(),
        };
        let before = accepted.exists().then(|| read(&accepted));
        // Of a file that cannot be read, and of one that waits, what they leave out may be known all the same.
        let said = |path: &Path| {
            let text = input::trace(&path.display().to_string()).ok()?;
            left_out(&text).ok()
        };
        let kept = match &before {
            Some(Ok(before)) => Some(before.redactions.clone()),
            Some(Err(_)) => said(&accepted),
            None => said(&pending),
        };
        let redactions = wishes.redactions.clone().or(kept).unwrap_or_default();
        let now = Snapshot::new(now, redactions);
        match before {
            Some(Ok(before)) if before.redactions != now.redactions => {
                body.result = Found::Different;
                let list = |r: &Redactions| if r.is_empty() { "nothing".into() } else { r.to_string() };
                let (was, is) = (list(&before.redactions), list(&now.redactions));
                let why = format!("it leaves out {was}, and {is} is to be left out");
                body.text = format!("{why}\n");
                body.why = Some(why);
            }
            Some(Ok(before)) => {
                let diff = before.diff(&now);
                body.result = if diff.is_equal(wishes.exact) { Found::Same } else { Found::Different };
                if body.result == Found::Different {
                    body.why = Some(sentence(&diff, before.trace()));
                    body.text = compared(
                        &diff,
                        ("the snapshot", &before),
                        ("this run", &now),
                        wishes.look,
                        wishes.exact,
                    );
                }
            }
            Some(Err(problem)) => {
                body.result = Found::Unreadable;
                body.why = Some(problem.message.clone());
                body.problems.push(problem);
            }
            None => {}
        }
        let done = match body.result {
            Found::Same if wishes.writes && pending.exists() => atomic_file::remove(&pending),
            Found::Same => Ok(()),
            _ if wishes.writes && !failed => write(&pending, &now.to_text()),
            _ => Ok(()),
        };
        if let Err(Failure::Usage(problem)) = done {
            body.problems.push(problem);
        }
        body.pending = Some(pending)
            .filter(|p| body.result != Found::Same && p.is_file())
            .map(|p| p.display().to_string());
        body
    }
}

impl SnapshotBody {
    /// For a column.
    pub fn as_str(&self) -> &'static str {
        match self.result {
            Found::Same => "as in its snapshot",
            Found::Different => "NOT AS IN ITS SNAPSHOT",
            Found::New => "snapshot not accepted",
            Found::Unreadable => "snapshot unreadable",
        }
    }
}

/// The name of the scenario, where the path is one of a snapshot.
pub fn scenario_of(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    name.strip_suffix(PENDING).or_else(|| name.strip_suffix(ACCEPTED))
}

/// Reads a snapshot.
///
/// # Errors
/// What is wrong with the file, and what to do.
pub fn read(path: &Path) -> Result<Snapshot, Problem> {
    let name = path.display().to_string();
    let text = input::trace(&name).map_err(|failure| match failure {
        Failure::Usage(problem) => problem,
        _ => Problem { message: format!("cannot read {name}"), hint: None },
    })?;
    Snapshot::read(&text).map_err(|error| Problem {
        message: format!("{name} is not a snapshot that can be read: {error}"),
        hint: Some(
            "take it back from version control, or remove it and make it anew: `synod test --snapshot`"
                .into(),
        ),
    })
}

/// The same text is not written again.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    match input::trace(&path.display().to_string()) {
        Ok(there) if path.is_file() && there == text => Ok(()),
        _ => {
            path.parent().map_or(Ok(()), atomic_file::create_folder)?;
            atomic_file::put(path, text)
        }
    }
}

/// The first causal difference, and what came before it: the same on every terminal.
pub fn compared(diff: &Diff, a: (&str, &Snapshot), b: (&str, &Snapshot), look: Look, exact: bool) -> String {
    let (a, b) = ((a.0, a.1.trace()), (b.0, b.1.trace()));
    Compared { diff, a, b, look: Look { color: false, ..look }, list_width: usize::MAX }.text(exact)
}

/// One sentence without a full stop.
fn sentence(diff: &Diff, accepted: &Trace) -> String {
    if let Some(aspect) = diff.header.first() {
        return format!("{} was {}, and is {}", aspect.what, aspect.a, aspect.b);
    }
    if let Some(d) = &diff.divergence {
        let place = format!("{}, its event {}", accepted.header.name(d.process), d.nth);
        return match (&d.aspect, d.a, d.b) {
            (Some(aspect), _, _) => {
                format!("{place}: it {} {} in the snapshot, {} now", aspect.what, aspect.a, aspect.b)
            }
            (None, _, None) => format!("{place}: it does not happen any more"),
            (None, _, _) => format!("{place}: it is not in the snapshot"),
        };
    }
    match (diff.ends, diff.order) {
        (Some((was, is)), _) => format!("it ended {}, and ends {} now", was.as_str(), is.as_str()),
        (None, Some(event)) => format!("from event {event} on, concurrent events happen in another order"),
        (None, None) => "they are different runs".into(),
    }
}
