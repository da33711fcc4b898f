//! `--save-scenario`: the counterexample as a scenario, which is played before it is written.

use super::counterexample::{CounterexampleBody, ViolationName};
use super::progress;
use crate::cli::exit::Failure;
use crate::cli::{atomic_file, input};
use crate::diagnostic::Diagnostic;
use crate::instance::Instance;
use crate::scenario::{self, ScenarioObserver, ScenarioResult, play_on};
use crate::semantics::event::{Effects, Event};
use crate::semantics::{Abort, Configuration, Machine, Metrics};
use crate::session::scenario_export::{ExportMode, ScenarioFinding, export_scenario};
use crate::simulate::Outcome;
use crate::trace::Trace;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The greatest number of events for which a scenario is played. A scenario of a short counterexample that ends takes fewer.
const MOST_EVENTS: u64 = 20_000;

/// Work limit for playing a scenario: a few seconds. To find the enabled steps, the player visits every message in transit;
/// with messages held, it does so once for each message. So each event counts as the square of that number.
const MOST_WORK: u64 = 200_000_000;

/// The greatest number of events for which a scenario without `at` lines is played.
const MOST_WITHOUT_MOMENTS: u64 = 4096;

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
            let others = counterexample.violated.iter().filter(|other| *other != name);
            ScenarioFinding::Violated([name].into_iter().chain(others).cloned().collect())
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

/// Return a scenario for this program that shows what the run shows, and passes when it is played. Its name is `base`, if necessary with
/// a number.
///
/// # Errors
/// If no scenario can express the run.
pub fn played(
    program: &input::SourceText,
    instance: &Instance,
    base: &str,
    shows: &ScenarioFinding,
    trace: &Trace,
) -> Result<String, Failure> {
    let taken = |name: &str| instance.program.scenarios.iter().any(|s| s.name == name);
    let numbered = (2..).map(|k| format!("{base}_{k}"));
    let Some(name) = std::iter::once(base.to_string()).chain(numbered).find(|name| !taken(name)) else {
        return Err(no("every name is taken".into()));
    };
    let mut failed = None;
    for way in ExportMode::of(instance, trace) {
        if progress::should_stop() {
            return Err(no("the time limit was reached".into()));
        }
        let mut text = match export_scenario(instance, trace, &name, shows, *way, progress::should_stop) {
            Ok(text) => text,
            Err(said) => {
                failed = Some(said);
                continue;
            }
        };
        let mut played = match try_scenario(program, instance, &text, &name, MOST_EVENTS)? {
            Ok(played) => played,
            Err(why) => {
                failed = Some(why);
                continue;
            }
        };
        if !played.unexpected.is_empty() && played.unexpected.len() == played.failures.len() {
            // The scenario shows the expected violations, and others, which are added.
            for other in &played.unexpected {
                text += &format!("  expect {other} violated\n");
            }
            let Ok(again) = try_scenario(program, instance, &text, &name, MOST_EVENTS)? else { continue };
            played = again;
        }
        if played.passed() {
            let shorter = without_moments(program, instance, &text, &name, shows)?;
            return Ok(shorter.unwrap_or(text));
        }
        if progress::should_stop() {
            return Err(no("the time limit was reached".into()));
        }
        failed = played.failures.into_iter().next().map(|f| format!("when it is played, {}", f.message));
    }
    Err(no(failed.unwrap_or_else(|| "the run cannot be expressed in the language".into())))
}

/// Return the scenario without its `at` lines, if it shows the same: then the times of its events do not matter. Scenarios that expect the
/// state of a run at some moment keep these lines.
fn without_moments(
    program: &input::SourceText,
    instance: &Instance,
    text: &str,
    name: &str,
    shows: &ScenarioFinding,
) -> Result<Option<String>, Failure> {
    let is_moment = |line: &&str| line.trim_start().starts_with("at ");
    if matches!(shows, ScenarioFinding::Expected(_)) || !text.lines().any(|line| is_moment(&line)) {
        return Ok(None);
    }
    let lines = text.lines().filter(|line| !is_moment(line)).map(|line| format!("{line}\n"));
    let shorter: String = lines.collect();
    let played = try_scenario(program, instance, &shorter, name, MOST_WITHOUT_MOMENTS)?.ok();
    let rests =
        |played: &ScenarioResult| !matches!(played.outcome, Some(Outcome::Limit | Outcome::Interrupted));
    Ok(played.filter(|played| played.passed() && rests(played)).map(|_| shorter))
}

/// Append a scenario to the program and play it. The player is interrupted after `most` events, or when the time limit is reached.
///
/// # Errors
/// The inner result states why this is not a scenario: it has errors, or it does what no run does.
fn try_scenario(
    program: &input::SourceText,
    instance: &Instance,
    text: &str,
    name: &str,
    most: u64,
) -> Result<Result<ScenarioResult, String>, Failure> {
    let checked = program.with(&format!("\n{text}")).check()?;
    let wrong = checked.diagnostics.iter().find(|d| d.is_error()).map(Diagnostic::message);
    let program = checked.program.map(Arc::new);
    let scenario = program.as_ref().and_then(|program| program.scenarios.iter().find(|s| s.name == name));
    let (Some(program), Some(scenario)) = (&program, scenario) else {
        let why = wrong.map_or_else(String::new, |wrong| format!(": {wrong}"));
        return Ok(Err(format!("the run cannot be expressed in the language{why}")));
    };
    let enough = AtomicBool::new(false);
    // If the run came from a scenario that exceeded bounds on delays, this scenario may exceed them too.
    let has_bounds = instance.is_timed() && !instance.scripted;
    let mut seen = match (scenario::instance(program, scenario), has_bounds) {
        (Ok(mut bounded), true) => {
            bounded.scripted = false;
            PlayMonitor {
                bounded: Some((Machine::new(&bounded), bounded)),
                ..PlayMonitor::new(most, &enough)
            }
        }
        _ => PlayMonitor::new(most, &enough),
    };
    let played = match scenario::instance(program, scenario) {
        Ok(own) => play_on(&own, scenario, Some(&enough), &mut seen),
        Err(message) => ScenarioResult::without_instance(scenario, message),
    };
    let why = match &seen {
        PlayMonitor { is_lawful: false, .. } => {
            "an event is later than the bounds on delays allow".to_string()
        }
        PlayMonitor { work: 0, .. } => {
            let events = most - seen.left;
            format!("the work limit is reached: after {events} events the run has not ended")
        }
        _ => return Ok(Ok(played)),
    };
    Ok(Err(format!("when it is played, {why}")))
}

/// A witness of a scenario that counts its events, and checks the bounds on delays: a message that is held could be held forever.
struct PlayMonitor<'s> {
    left: u64,
    /// Work left: see [`MOST_WORK`].
    work: u64,
    enough: &'s AtomicBool,
    /// The instance with its bounds on delays, if they are checked.
    bounded: Option<(Machine, Instance)>,
    /// The configuration before the next event.
    before: Option<Configuration>,
    is_lawful: bool,
}

impl<'s> PlayMonitor<'s> {
    fn new(most: u64, enough: &'s AtomicBool) -> PlayMonitor<'s> {
        PlayMonitor { left: most, work: MOST_WORK, enough, bounded: None, before: None, is_lawful: true }
    }

    fn look(&mut self, event: &Event, after: &Configuration) {
        if let Some((machine, bounded)) = &mut self.bounded {
            let before = self.before.replace(after.clone());
            self.is_lawful &= before.is_none_or(|before| machine.in_time(bounded, &before, event));
        }
        let messages = after.in_flight();
        self.work = self.work.saturating_sub(1 + messages.saturating_mul(messages));
        let is_over = self.left == 0 || self.work == 0 || !self.is_lawful || progress::should_stop();
        self.left = self.left.saturating_sub(1);
        if is_over {
            self.enough.store(true, Ordering::Relaxed);
        }
    }
}

impl ScenarioObserver for PlayMonitor<'_> {
    fn begins(&mut self, configuration: &Configuration) {
        self.before = Some(configuration.clone());
    }

    fn after(&mut self, _: &Instance, event: &Event, _: &Effects, after: &Configuration, _: &Metrics) {
        self.look(event, after);
    }

    fn aborted(&mut self, event: &Event, _: &Effects, _: &Abort, before: &Configuration) {
        self.look(event, before);
    }
}
