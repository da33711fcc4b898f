//! `synod test`: plays the scenarios of programs, and compares them with their snapshots.

mod runs;
mod snapshots;
mod body;
mod junit;
pub mod review;

pub use self::body::TestBody;
use self::body::{Counts, FileBody, ScenarioBody, UnreferencedBody};
use self::runs::Destination;
use self::snapshots::{SnapshotFolder as Snapshots, SnapshotSettings, SnapshotStatus};
use super::exit::{ExitStatus, Failure, Outcome};
use super::folders::{expand_folders, named_or_default};
use super::json::DiagnosticBody;
use super::options::Json;
use super::output::{Output, table};
use super::{atomic_file, interrupt};
use crate::ascii::TextFormat;
use crate::check::prose;
use crate::diagnostic::Diagnostic;
use crate::input;
use crate::ir::Program;
use crate::library;
use crate::render::Look;
use crate::scenario::play;
use crate::session;
use crate::trace::snapshot::Redactions;
use clap::{Args, Subcommand, ValueEnum};
use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Play the scenarios of programs, which are their tests
///
/// A scenario can have a snapshot: its trace, in snapshots/PROGRAM/SCENARIO.trace beside the program. Every later run is compared with
/// it, up to the order of concurrent events. `--snapshot` makes one. A new snapshot is pending, as SCENARIO.trace.new, until
/// `synod test accept` or `synod test review`; so is a run that differs from its snapshot.
///
/// `-v` shows the runs of failed scenarios, events and diagram; `--trace` writes the run of a scenario to a file, for `synod trace`
/// and `synod draw`.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, after_help = EXAMPLES)]
pub struct TestOptions {
    #[command(subcommand)]
    then: Option<SnapshotCommand>,

    /// Paths, folders with programs (*.syn), `-`, or names of the library [default: the current folder]
    #[arg(value_name = "FILE")]
    files: Vec<String>,

    /// Test all algorithms of the library
    #[arg(long, conflicts_with = "files")]
    library: bool,

    /// Play only scenarios whose names contain TEXT, or match it as a pattern with * and ?
    #[arg(long, value_name = "TEXT")]
    scenario: Option<String>,

    #[command(flatten)]
    snapshots: SnapshotOptions,

    /// Write the trace of the selected scenario to a file (.jsonl: as JSON Lines)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    trace: Option<String>,

    /// Write the results as JUnit XML to a file, or to the standard output (-)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    junit: Option<String>,

    #[command(flatten)]
    pub json: Json,
}

const EXAMPLES: &str = "\
Examples:
  synod test election.syn --scenario 'two_*'
  synod test election.syn --scenario two_winners -v
  synod test election.syn --snapshot && synod test review
  CI=1 synod test . --junit results.xml";

/// The greatest number of scenarios that a hint names.
const MOST_NAMED: usize = 12;

#[derive(Args)]
#[command(next_help_heading = "Snapshots")]
struct SnapshotOptions {
    /// Make snapshots of scenarios that have none; they are pending until `synod test accept`
    #[arg(long)]
    snapshot: bool,

    /// Compare the order of concurrent events too
    #[arg(long)]
    exact: bool,

    /// Omit variables and contents of messages: 'p*.clock, Request(*)' ('': nothing). The snapshot stores this list
    #[arg(long, value_name = "LIST", value_parser = Redactions::parse)]
    redact: Option<Redactions>,

    /// Write no snapshots, as if CI is set; new and different ones are findings all the same
    #[arg(long)]
    check: bool,

    /// Treatment of snapshots whose scenario does not exist
    #[arg(long, value_enum, default_value = "warn")]
    unreferenced: Unreferenced,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Unreferenced {
    Ignore,
    /// Report them
    Warn,
    /// Report them as findings
    Reject,
    /// Remove them
    Delete,
}

/// Commands for pending snapshots.
#[derive(Subcommand)]
enum SnapshotCommand {
    /// Show each pending snapshot, and ask whether to accept or reject it
    Review(review::ReviewArgs),
    /// Accept pending snapshots: later runs are compared with them
    Accept(review::ReviewArgs),
    /// Remove pending snapshots
    Reject(review::ReviewArgs),
}

pub fn run(options: &TestOptions, out: &mut Output) -> Outcome {
    match &options.then {
        Some(SnapshotCommand::Review(chosen)) => return review::review(chosen, out),
        Some(SnapshotCommand::Accept(chosen)) => return review::accept(chosen, out),
        Some(SnapshotCommand::Reject(chosen)) => return review::reject(chosen, out),
        None => {}
    }
    let to_stdout = options.junit.as_deref() == Some("-");
    if to_stdout && out.is_json() {
        return Err(Failure::usage("--json and --junit - both use the standard output")
            .hint("write the XML to a file"));
    }
    let read: Vec<&str> = options.files.iter().map(String::as_str).collect();
    atomic_file::check_all_writable(&read, [&options.junit])?;
    let algorithms = || library::entries().into_values().filter(|entry| !entry.is_problem());
    let files: Vec<(String, Result<(), Failure>)> = match options.library {
        true => algorithms().map(|entry| (entry.name.to_string(), Ok(()))).collect(),
        false => expand_folders(&named_or_default(&options.files)),
    };
    let count = files.len();
    let interrupt = interrupt::flag();
    let shows = !out.is_json() && !to_stdout;
    let mut body = TestBody::default();
    let mut traces = options.trace.as_deref().map(Destination::new).transpose()?;
    for (file, found) in files {
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
        body.add(options, file, found, shows, traces.as_mut(), out)?;
    }
    let interrupted = body.files.len() < count;
    body.check_selection(options)?;
    let xml = options.junit.as_ref().map(|_| junit::document(&body)).unwrap_or_default();
    out.finding = body.has_findings();
    if out.is_json() {
        out.json(&body)?;
    } else if to_stdout {
        out.in_form(&xml, TextFormat::Page)?;
    } else {
        body.show_failures(out)?;
        out.line(body.summary(out))?;
        body.write_hints(options, out);
    }
    if let Some(file) = options.junit.as_ref().filter(|_| !to_stdout) {
        atomic_file::write_result(Path::new(file), &xml)?;
    }
    if interrupted {
        out.note(format!("interrupted after {} of {count} files", body.files.len()));
    }
    match (body.errors, body.has_findings(), interrupted) {
        (0, false, false) => Ok(ExitStatus::Success),
        (0, false, true) => Ok(ExitStatus::Limit),
        (0, true, _) => Ok(ExitStatus::Finding),
        _ => Err(Failure::Reported),
    }
}

/// Whether this is continuous integration, where snapshots are not written. Decided as by cargo-insta.
fn is_ci() -> bool {
    match std::env::var_os("CI") {
        Some(value) => !(value.is_empty() || value == "false" || value == "0"),
        None => std::env::var_os("TF_BUILD").is_some(),
    }
}

impl TestOptions {
    fn snapshot_settings(&self, out: &Output) -> SnapshotSettings {
        SnapshotSettings {
            new: self.snapshots.snapshot,
            exact: self.snapshots.exact,
            redactions: self.snapshots.redact.clone(),
            writes: !self.snapshots.check && !is_ci(),
            look: Look { color: false, ..out.look },
        }
    }

    fn wants(&self, scenario: &str) -> bool {
        self.scenario.as_deref().is_none_or(|text| is_selected(text, scenario))
    }
}

/// Whether `text` selects the name: a pattern matches the whole name, any other text a part of it.
fn is_selected(text: &str, name: &str) -> bool {
    if text.contains(['*', '?']) { prose::matches_pattern(text, name) } else { name.contains(text) }
}

impl TestBody {
    /// Test a file, and add its results.
    fn add(
        &mut self,
        options: &TestOptions,
        file: String,
        found: Result<(), Failure>,
        shows: bool,
        traces: Option<&mut Destination>,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let text = found.and_then(|()| Ok(input::read_program(&file)?));
        let mut entry = FileBody {
            file,
            algorithm: None,
            scenarios: Vec::new(),
            others: Vec::new(),
            unreferenced: Vec::new(),
            diagnostics: Vec::new(),
            error: None,
        };
        match text.and_then(|text| Ok(text.check()?)) {
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
                        if let Err(failure) = entry.test(&Arc::new(program), options, traces, out) {
                            self.refuse(&mut entry, failure, out)?;
                        }
                    }
                    None => self.errors += 1,
                }
            }
            Err(failure) => self.refuse(&mut entry, failure, out)?,
        }
        let with = |result| entry.scenarios.iter().filter(|scenario| scenario.result == result).count();
        self.passed += with("passed");
        self.failed += with("failed");
        for snapshot in entry.scenarios.iter().filter_map(|scenario| scenario.snapshot.as_ref()) {
            *match snapshot.result {
                SnapshotStatus::Same => &mut self.snapshots.same,
                SnapshotStatus::Different => &mut self.snapshots.different,
                SnapshotStatus::New => &mut self.snapshots.new,
                SnapshotStatus::Unreadable => &mut self.snapshots.unreadable,
            } += 1;
            self.errors += usize::from(!snapshot.problems.is_empty());
            if !out.is_json() {
                snapshot.problems.iter().for_each(|problem| out.problem(problem));
            }
        }
        self.snapshots.unreferenced += entry.unreferenced.len();
        if shows && !out.quiet {
            entry.show(out)?;
        }
        self.files.push(entry);
        Ok(())
    }

    /// Record that a file cannot be tested; the other files are still tested.
    fn refuse(&mut self, entry: &mut FileBody, failure: Failure, out: &Output) -> Result<(), Failure> {
        let Failure::Usage(problem) = failure else { return Err(failure) };
        self.errors += 1;
        entry.error = Some((&problem).into());
        if !out.is_json() {
            out.problem(&problem);
        }
        Ok(())
    }

    /// Check that `--scenario` selects a scenario: otherwise the test would always pass.
    fn check_selection(&self, options: &TestOptions) -> Result<(), Failure> {
        let Some(text) = &options.scenario else { return Ok(()) };
        if self.errors > 0 || self.files.iter().any(|file| !file.scenarios.is_empty()) {
            return Ok(());
        }
        let known: Vec<String> = self.files.iter().flat_map(|file| file.others.iter().cloned()).collect();
        let hint = match (prose::nearest(text, &known), known.as_slice()) {
            (Some(near), _) => Some(format!("did you mean {near}?")),
            (None, []) => Some("there are no scenarios".into()),
            (None, few) if few.len() <= MOST_NAMED => Some(prose::available(few)),
            _ => None,
        };
        Err(Failure::usage(format!("no scenario matches '{text}'")).maybe_hint(hint))
    }

    fn has_findings(&self) -> bool {
        let rejected = self.files.iter().flat_map(|file| &file.unreferenced).any(|stale| stale.rejected);
        self.failed + self.snapshots.different + self.snapshots.new > 0 || rejected
    }

    fn show_failures(&self, out: &mut Output) -> Result<(), Failure> {
        for file in &self.files {
            for scenario in file.scenarios.iter().filter(|scenario| scenario.result == "failed") {
                out.line(out.bold(&format!("{} {}", file.title(), scenario.name)))?;
                for failure in &scenario.failures {
                    out.line(format!("  {failure}"))?;
                }
                if let Some(seed) = scenario.port_seed {
                    let numbered = "`on numbered(TOPOLOGY, N)` selects a numbering";
                    out.line(format!("  (ports are numbered at random, from seed {seed}; {numbered})"))?;
                }
                if let Some(run) = &scenario.run {
                    out.line(format!("\n{run}"))?;
                }
                out.line("")?;
            }
            for scenario in &file.scenarios {
                let Some(snapshot) = &scenario.snapshot else { continue };
                if snapshot.result != SnapshotStatus::Different {
                    continue;
                }
                let title = format!("{} {}: differs from {}", file.title(), scenario.name, snapshot.file);
                out.line(out.bold(&title))?;
                let width = out.list_width().saturating_sub(2);
                for line in snapshot.text.lines() {
                    out.line(if line.is_empty() {
                        String::new()
                    } else {
                        format!("  {}", out.clip(line, width))
                    })?;
                }
                out.line("")?;
            }
        }
        Ok(())
    }

    /// Write notes on what the user can do next.
    fn write_hints(&self, options: &TestOptions, out: &Output) {
        let unseen = self.files.iter().flat_map(|file| &file.scenarios);
        let unseen = unseen.filter(|scenario| scenario.result == "failed" && scenario.run.is_none());
        // The hint is only for a terminal: it is useless in a log.
        if unseen.count() > 0 && std::io::stderr().is_terminal() {
            out.note("-v shows the runs of failed scenarios");
        }
        let Counts { different, new, unreferenced, .. } = self.snapshots;
        let waiting = self.files.iter().flat_map(|file| &file.scenarios);
        let waiting = waiting.filter(|s| s.snapshot.as_ref().is_some_and(|s| s.pending.is_some())).count();
        if options.snapshot_settings(out).writes && waiting > 0 {
            let it = if waiting == 1 { "it" } else { "them" };
            let what = prose::count(waiting, "snapshot");
            out.note(format!(
                "{what} pending: `synod test review` shows {it}, `synod test accept` accepts {it}"
            ));
        } else if different + new > 0 && !options.snapshot_settings(out).writes {
            let why = if options.snapshots.check { "of --check" } else { "CI is set" };
            out.note(format!("no snapshot was written, because {why}"));
        }
        let none = |file: &FileBody| file.scenarios.is_empty() && file.others.is_empty();
        if options.snapshots.snapshot && self.errors == 0 && self.files.iter().all(none) {
            out.note("no scenarios, so no snapshots: write `scenario usual` at the end of a program");
        }
        if unreferenced == 0 {
            return;
        }
        for stale in self.files.iter().flat_map(|file| &file.unreferenced) {
            let what = if stale.deleted { "removed" } else { "unreferenced" };
            out.note(format!("{what}: {}, whose scenario does not exist", stale.file));
        }
        if options.snapshots.unreferenced == Unreferenced::Warn {
            out.note("`synod test FILE --unreferenced delete` removes such snapshots");
        }
    }

    /// Return the summary: `3 of 4 scenarios passed, 1 failed`.
    fn summary(&self, out: &Output) -> String {
        let all = self.passed + self.failed;
        let scenarios = if all == 1 { "scenario" } else { "scenarios" };
        let mut parts = vec![format!("{} of {all} {scenarios} passed", self.passed)];
        if self.failed > 0 {
            parts.push(format!("{} failed", self.failed));
        }
        let Counts { same, different, new, unreadable, .. } = self.snapshots;
        let compared = same + different + new + unreadable;
        if compared > 0 {
            let snapshots = if compared == 1 { "snapshot" } else { "snapshots" };
            parts.push(format!("{same} of {compared} {snapshots} equal"));
        }
        let counted = [(different, "different"), (new, "not accepted"), (unreadable, "unreadable")];
        parts.extend(counted.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")));
        let (unusable, broken): (Vec<_>, Vec<_>) =
            self.files.iter().filter(|file| file.is_broken()).partition(|file| file.error.is_some());
        let of_files = [(broken.len(), "with errors"), (unusable.len(), "that cannot be used")];
        parts.extend(of_files.iter().filter(|(n, _)| *n > 0).map(|(n, what)| match n {
            1 => format!("1 file {what}"),
            n => format!("{n} files {what}"),
        }));
        out.bold(&parts.join(", "))
    }
}

impl FileBody {
    /// Play the selected scenarios.
    ///
    /// # Errors
    /// If the requested snapshots cannot be stored.
    fn test(
        &mut self,
        program: &Arc<Program>,
        options: &TestOptions,
        mut traces: Option<&mut Destination>,
        out: &Output,
    ) -> Result<(), Failure> {
        let snapshots = Snapshots::of(&self.file);
        if snapshots.is_none() && options.snapshots.snapshot {
            let failure =
                Failure::usage(format!("{} cannot have snapshots: it is not a file NAME.syn", self.file));
            return Err(failure
                .hint("`synod show NAME --source > NAME.syn` writes an algorithm of the library to a file"));
        }
        let wishes = options.snapshot_settings(out);
        let names = program.scenarios.iter().map(|scenario| scenario.name.clone());
        self.others = names.filter(|name| !options.wants(name)).collect();
        for scenario in program.scenarios.iter().filter(|scenario| options.wants(&scenario.name)) {
            let place = snapshots.as_ref().filter(|place| wishes.new || place.has(&scenario.name));
            let interrupt = interrupt::flag();
            let tells = out.verbose && !out.is_json();
            if place.is_none() && traces.is_none() && !tells {
                let played = play(program, scenario, &interrupt::signal(), &mut |_, _, _, _, _| {});
                self.scenarios.push(ScenarioBody::new(program, played, None));
                continue;
            }
            let (played, trace) = session::record_scenario(program, scenario, &interrupt::signal());
            if let (Some(traces), Some(trace)) = (traces.as_mut(), &trace) {
                traces.write(&scenario.name, &session::with_failure(trace.clone(), scenario, &played))?;
            }
            let run = trace.as_ref().filter(|_| tells && !played.passed());
            let run = run.map(|trace| runs::shown(program, trace, out));
            let failed = !played.passed() || interrupt.load(Ordering::Relaxed);
            let snapshot =
                trace.zip(place).map(|(trace, place)| place.compare(&scenario.name, trace, failed, &wishes));
            self.scenarios.push(ScenarioBody { run, ..ScenarioBody::new(program, played, snapshot) });
        }
        if let Some(place) = snapshots.filter(|_| options.snapshots.unreferenced != Unreferenced::Ignore) {
            for path in place.unreferenced(program)? {
                let deleted = options.snapshots.unreferenced == Unreferenced::Delete && wishes.writes;
                if deleted {
                    atomic_file::remove(&path)?;
                }
                let rejected = options.snapshots.unreferenced == Unreferenced::Reject;
                self.unreferenced.push(UnreferencedBody {
                    file: path.display().to_string(),
                    deleted,
                    rejected,
                });
            }
        }
        Ok(())
    }

    fn is_broken(&self) -> bool {
        self.error.is_some() || self.diagnostics.iter().any(DiagnosticBody::is_error)
    }

    fn title(&self) -> &str {
        self.algorithm.as_deref().unwrap_or(&self.file)
    }

    fn show(&self, out: &mut Output) -> Result<(), Failure> {
        if self.scenarios.is_empty() && !self.others.is_empty() && !self.is_broken() {
            // No scenario of the file is selected.
            return Ok(());
        }
        out.line(out.bold(self.title()))?;
        let row = |scenario: &ScenarioBody| {
            let counted = |n: u64, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
            let cost =
                format!("{}, {}", counted(scenario.steps, "step"), counted(scenario.messages, "message"));
            let result = if scenario.result == "failed" { "FAILED" } else { scenario.result };
            let mut row = vec![scenario.name.clone(), result.into(), cost];
            row.extend(scenario.snapshot.as_ref().map(|snapshot| snapshot.as_str().to_string()));
            row
        };
        let rows: Vec<Vec<String>> = self.scenarios.iter().map(row).collect();
        for (line, scenario) in table(&rows).iter().zip(&self.scenarios) {
            out.line(format!("  {line}"))?;
            for note in &scenario.notes {
                out.line(format!("    note: {note}"))?;
            }
        }
        if rows.is_empty() {
            let why = match &self.error {
                Some(error) => format!("  not tested: {}", error.message()),
                None if self.is_broken() => "  not tested: it has errors".into(),
                None => "  no scenarios".into(),
            };
            out.line(why)?;
        }
        out.line("")
    }
}
