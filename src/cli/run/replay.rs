//! Replay of a trace: `synod run --replay` and `synod trace replay`.

use crate::cli::exit::{ExitStatus, Failure, Outcome};
use crate::cli::interrupt;
use crate::cli::output::Output;
use crate::cli::run::{RunOptions, ending};
use crate::explore::{Lasso, UnfairStep, check_lasso};
use crate::input;
use crate::instance::Instance;
use crate::ir::Program;
use crate::property::Verdict;
use crate::prose::count;
use crate::semantics::event::Event;
use crate::semantics::{Configuration, StepError};
use crate::session::{self, Keep, Monitors};
use crate::simulate::{self, Held, Run, classify};
use crate::trace::import::import;
use crate::trace::{End, Header, Trace};
use std::sync::Arc;

/// Read a trace of either form.
///
/// # Errors
/// If the file cannot be read, is not a trace, or is one of another tool, which lacks the data for a replay.
pub fn read(file: &str) -> Result<Trace, Failure> {
    Ok(input::read_recorded(file)?)
}

/// Read a trace of either form, or one of another tool; a note lists the data that the latter lacks.
///
/// # Errors
/// If the file cannot be read, or is not a trace.
pub fn read_any(file: &str, out: &Output) -> Result<Trace, Failure> {
    any_of_text(file, &input::read_trace(file)?, out)
}

/// Parse a trace of either form, or one of another tool; `file` is its name in messages.
///
/// # Errors
/// If the text is not a trace.
pub fn any_of_text(file: &str, text: &str, out: &Output) -> Result<Trace, Failure> {
    let Some(imported) = import(text) else { return Ok(input::parse_recorded(file, text)?) };
    let file = if file == "-" { "the standard input" } else { file };
    let imported =
        imported.map_err(|error| Failure::usage(format!("{file} cannot be read as a trace: {error}")))?;
    out.note(format!("note: {file} is {}, which lacks {}", imported.form.as_str(), imported.missing));
    if imported.other_executions > 0 {
        let others = count(imported.other_executions, "more execution");
        out.note(format!("note: {file} has {others}; only the first is read"));
    }
    Ok(imported.trace)
}

/// Build the instance on which a trace was recorded; Ctrl-C ends its runs and evaluations.
///
/// # Errors
/// As [`input::recorded_instance`].
pub fn instance(program: &Arc<Program>, header: &Header, on: Option<&str>) -> Result<Instance, Failure> {
    let on = on.map(input::spec).transpose()?;
    Ok(input::recorded_instance(program, header, on, interrupt::signal())?)
}

/// Run `synod run FILE --replay TRACE`.
pub fn run(options: &RunOptions, program: &Arc<Program>, file: &str, out: &mut Output) -> Outcome {
    let trace = read(file)?;
    let of = &trace.header.algorithm;
    if *of != program.name {
        let file = if file == "-" { "the standard input" } else { file };
        return Err(Failure::usage(format!("{file} is a trace of {of}, not of {}", program.name))
            .hint("`synod trace replay` finds the program itself"));
    }
    let instance = instance(program, &trace.header, options.instance.on.as_deref())?;
    let compared = trace.replay(&instance);
    out.note(format!("replay of {file}: {}", compared.summary()));
    let (schedule, seed) = (trace.header.schedule.as_str(), trace.header.seed);
    let mut configuration = Configuration::initial(&instance);
    let mut watchers =
        Monitors::new(&instance, options.properties(), Keep::Always, schedule, seed, &configuration);
    // In case of a divergence, the events before it are shown.
    let mut events: Vec<Event> = trace.schedule().take(compared.same as usize).collect();
    let complete = compared.reproduced() && !trace.end.is_unfinished();
    let failing = if complete && trace.end == End::Aborted { events.pop() } else { None };
    let impossible = |error: StepError| Failure::usage(format!("the replay failed: {error}"));
    let metrics =
        simulate::replay(&instance, &mut configuration, &events, &mut watchers).map_err(impossible)?;
    let outcome = match failing {
        Some(event) => match simulate::replay(&instance, &mut configuration, &[event], &mut watchers) {
            Err(StepError::Aborted(abort)) => simulate::Outcome::Aborted(abort),
            Err(error) => return Err(impossible(error)),
            Ok(_) => simulate::Outcome::Stopped,
        },
        None if complete => classify(&instance, &configuration, &Held::default()),
        None => simulate::Outcome::Stopped,
    };
    if compared.reproduced() && trace.end == End::Settled {
        watchers = watchers.settled();
    }
    let run = Run { outcome, steps: events.len() as u64, configuration, metrics };
    let mut watched = watchers.finish(&instance, run);
    let round = trace.header.repeats_from.filter(|_| compared.reproduced());
    let mut goes_on_from = None;
    if let Some(from) = round {
        let mut verdicts = watched.verdicts.clone();
        if check_cycle(file, &instance, &trace.header, (&events, from), &mut verdicts, out)? {
            watched.verdicts = verdicts;
            goes_on_from = Some(from);
        }
        if let Some(kept) = &mut watched.trace {
            kept.header.repeats_from = trace.header.repeats_from;
            kept.header.violates.clone_from(&trace.header.violates);
        }
    }
    let mut report = session::report(&instance, &watched, schedule, seed);
    if let Some(from) = round {
        report.explanation = vec![format!("repeats forever from event {from} on (lasso)")];
    }
    if goes_on_from.is_some() {
        // A repeated cycle shows nothing new: the run has settled.
        (report.outcome, report.repeats_from) = (End::Settled, goes_on_from);
    }
    if !compared.reproduced() {
        report.explanation = vec![compared.summary()];
    }
    out.finding = report.has_finding() || !compared.reproduced();
    options.show(&instance, &report, watched.trace.as_ref(), None, out)?;
    Ok(if compared.reproduced() { ending(&report) } else { ExitStatus::Finding })
}

/// Check that a recorded run repeats a fair cycle from event `from` on, and decide the `verdicts` that depend on it.
/// Return false if the cycle returns only up to a view of the program: a note says so, and these verdicts are left open.
///
/// # Errors
/// If the cycle does not return, or is not fair.
pub fn check_cycle(
    file: &str,
    instance: &Instance,
    header: &Header,
    (events, from): (&[Event], u64),
    verdicts: &mut [Verdict],
    out: &Output,
) -> Result<bool, Failure> {
    match check_lasso(instance, events, from as usize, verdicts) {
        Lasso::Fair => Ok(true),
        Lasso::UpToView => {
            out.note("the run does not return to the same configuration, but to one that is equivalent under the program's view: verdicts that depend on the cycle are left open");
            Ok(false)
        }
        Lasso::Unfair(owed) => Err(unfair(file, header, from, owed)),
        Lasso::Open => Err(open(file, from)),
    }
}

/// Return the failure for a cycle that does not close.
fn open(file: &str, from: u64) -> Failure {
    Failure::usage(format!(
        "{file} claims that its run repeats from event {from}, but the last event does not lead back to the configuration before that event"
    ))
    .hint("without this claim, it is the trace of a run that was stopped")
}

/// Return the failure for a cycle that violates a fairness constraint.
fn unfair(file: &str, header: &Header, from: u64, owed: UnfairStep) -> Failure {
    let unfair = owed.describe(|process| header.name(process));
    Failure::usage(format!(
        "{file} claims that its run repeats from event {from}, but this cycle is not weakly fair: {unfair}"
    ))
    .hint("liveness is checked on weakly fair runs: a step that is continuously enabled from some time on occurs eventually")
}
