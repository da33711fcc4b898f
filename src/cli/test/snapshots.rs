//! Snapshots: traces of scenarios in files `snapshots/PROGRAM/SCENARIO.trace` beside the program, with which later runs are compared. A
//! pending snapshot, which is not accepted yet, has the additional ending `.new`.

use super::super::atomic_file;
use super::super::exit::{Failure, Problem};
use crate::input::{self, InputError};
use crate::ir::Program;
use crate::render::Look;
use crate::render::diff::Comparison;
use crate::trace::Trace;
use crate::trace::diff::Diff;
use crate::trace::snapshot::{Redactions, Snapshot, redactions_of};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The folder beside the programs that contains a folder for each program.
pub const FOLDER: &str = "snapshots";
pub const ACCEPTED: &str = ".trace";
pub const PENDING: &str = ".trace.new";

/// The folder of the snapshots of one program.
pub struct SnapshotFolder(PathBuf);

/// Options for snapshots.
pub struct SnapshotSettings {
    /// Make snapshots that are missing.
    pub new: bool,
    /// Compare the order of concurrent events too.
    pub exact: bool,
    /// The parts that snapshots omit; `None`: as stored in the snapshot.
    pub redactions: Option<Redactions>,
    /// Whether files may be written.
    pub writes: bool,
    /// Look of the texts about differences.
    pub look: Look,
}

/// The result of a comparison with a snapshot.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SnapshotBody {
    pub result: SnapshotStatus,
    pub file: String,
    /// The pending snapshot, if there is one.
    pub pending: Option<String>,
    /// The first difference, or why the file cannot be read.
    pub why: Option<String>,
    /// The differences, as text.
    #[serde(skip)]
    pub text: String,
    #[serde(skip)]
    pub problems: Vec<Problem>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SnapshotStatus {
    Same,
    Different,
    /// No snapshot is accepted yet.
    New,
    /// The snapshot cannot be read.
    Unreadable,
}

impl SnapshotFolder {
    /// Return the folder of a program's snapshots. Return None if the program is not a file NAME.syn: the folder name would be ambiguous.
    pub fn of(file: &str) -> Option<SnapshotFolder> {
        let path = Path::new(file);
        let is_program = path.is_file() && path.extension().is_some_and(|ending| ending == "syn");
        Some(SnapshotFolder(path.with_file_name(FOLDER).join(path.file_stem()?))).filter(|_| is_program)
    }

    pub fn folder(&self) -> &Path {
        &self.0
    }

    fn file(&self, scenario: &str, ending: &str) -> PathBuf {
        self.0.join(format!("{scenario}{ending}"))
    }

    /// Whether a scenario has a snapshot, accepted or pending.
    pub fn has(&self, scenario: &str) -> bool {
        [ACCEPTED, PENDING].iter().any(|ending| self.file(scenario, ending).exists())
    }

    /// Return the snapshots of scenarios that the program does not have.
    ///
    /// # Errors
    /// If the folder cannot be read.
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

    /// Compare a run with its snapshot, and write a pending snapshot if it differs or is new. A run that `failed` is only compared.
    pub fn compare(
        &self,
        scenario: &str,
        now: Trace,
        failed: bool,
        wishes: &SnapshotSettings,
    ) -> SnapshotBody {
        let (accepted, pending) = (self.file(scenario, ACCEPTED), self.file(scenario, PENDING));
        let mut body = SnapshotBody {
            result: SnapshotStatus::New,
            file: accepted.display().to_string(),
            pending: None,
            why: None,
            text: String::new(),
            problems: Vec::new(),
        };
        let before = accepted.exists().then(|| read(&accepted));
        // The redactions of an unreadable or pending snapshot may be readable all the same.
        let said = |path: &Path| {
            let text = input::read_trace(&path.display().to_string()).ok()?;
            redactions_of(&text).ok()
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
                body.result = SnapshotStatus::Different;
                let list = |r: &Redactions| if r.is_empty() { "nothing".into() } else { r.to_string() };
                let (was, is) = (list(&before.redactions), list(&now.redactions));
                let why = format!("it omits {was}, but this run is to omit {is}");
                body.text = format!("{why}\n");
                body.why = Some(why);
            }
            Some(Ok(before)) => {
                let diff = before.diff(&now);
                body.result = if diff.is_equal(wishes.exact) {
                    SnapshotStatus::Same
                } else {
                    SnapshotStatus::Different
                };
                if body.result == SnapshotStatus::Different {
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
                body.result = SnapshotStatus::Unreadable;
                body.why = Some(problem.message.clone());
                body.problems.push(problem);
            }
            None => {}
        }
        let done = match body.result {
            SnapshotStatus::Same if wishes.writes && pending.exists() => atomic_file::remove(&pending),
            SnapshotStatus::Same => Ok(()),
            _ if wishes.writes && !failed => write(&pending, &now.to_text()),
            _ => Ok(()),
        };
        if let Err(Failure::Usage(problem)) = done {
            body.problems.push(problem);
        }
        body.pending = Some(pending)
            .filter(|p| body.result != SnapshotStatus::Same && p.is_file())
            .map(|p| p.display().to_string());
        body
    }
}

impl SnapshotBody {
    /// Return the result as a cell of a table.
    pub fn as_str(&self) -> &'static str {
        match self.result {
            SnapshotStatus::Same => "equals its snapshot",
            SnapshotStatus::Different => "DIFFERS FROM ITS SNAPSHOT",
            SnapshotStatus::New => "snapshot not accepted",
            SnapshotStatus::Unreadable => "snapshot unreadable",
        }
    }
}

/// Return the name of the scenario of a snapshot; None for other files.
pub fn scenario_of(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    name.strip_suffix(PENDING).or_else(|| name.strip_suffix(ACCEPTED))
}

/// Read a snapshot.
///
/// # Errors
/// If the file cannot be read, or is not a snapshot.
pub fn read(path: &Path) -> Result<Snapshot, Problem> {
    let name = path.display().to_string();
    let text = input::read_trace(&name).map_err(|failure| match failure {
        InputError::Usage(problem) => problem,
        InputError::Source(_) => Problem { message: format!("cannot read {name}"), hint: None },
    })?;
    Snapshot::read(&text).map_err(|error| Problem {
        message: format!("{name} is not a valid snapshot: {error}"),
        hint: Some(
            "restore it from version control, or remove it and make a new one: `synod test --snapshot`"
                .into(),
        ),
    })
}

/// Write a pending snapshot, unless the file has this content already.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    match input::read_trace(&path.display().to_string()) {
        Ok(there) if path.is_file() && there == text => Ok(()),
        _ => {
            path.parent().map_or(Ok(()), atomic_file::create_folder)?;
            atomic_file::write_result(path, text)
        }
    }
}

/// Return the first causal difference and the events before it, as text. The text does not depend on the terminal.
pub fn compared(diff: &Diff, a: (&str, &Snapshot), b: (&str, &Snapshot), look: Look, exact: bool) -> String {
    let (a, b) = ((a.0, a.1.trace()), (b.0, b.1.trace()));
    Comparison { diff, a, b, look: Look { color: false, ..look }, list_width: usize::MAX }.text(exact)
}

/// Return the first difference as one sentence without a full stop.
fn sentence(diff: &Diff, accepted: &Trace) -> String {
    if let Some(aspect) = diff.header.first() {
        return format!("{} was {}, now {}", aspect.what, aspect.a, aspect.b);
    }
    if let Some(d) = &diff.divergence {
        let place = format!("event {} of {}", d.nth, accepted.header.name(d.process));
        return match (&d.aspect, d.a, d.b) {
            (Some(aspect), _, _) => {
                format!("{place}: it {} {} in the snapshot, {} now", aspect.what, aspect.a, aspect.b)
            }
            (None, _, None) => format!("{place}: it does not occur any more"),
            (None, _, _) => format!("{place}: it is not in the snapshot"),
        };
    }
    match (diff.ends, diff.order) {
        (Some((was, is)), _) => format!("the outcome was {}, now {}", was.as_str(), is.as_str()),
        (None, Some(event)) => format!("from event {event} on, concurrent events occur in another order"),
        (None, None) => "the runs differ".into(),
    }
}
