//! The run that is drawn, read from a trace or made by running an algorithm, and its network.

use super::super::run::{self, replay};
use super::super::{interrupt, trace};
use super::{DrawOptions, Failure, Output, ScheduleName};
use crate::api::trace::facts;
use crate::input;
use crate::instance::Instance;
use crate::ir::{DEFAULT_SEED, Program};
use crate::library;
use crate::network::{NetworkOptions as Form, build};
use crate::render::picture::NetworkLayout;
use crate::render::picture::topology::ProgramFacts;
use crate::session::{Keep, run_monitored};
use crate::simulate;
use crate::trace::{End, Trace};
use std::path::Path;

/// Default limit of steps: a longer run is too long to be drawn usefully.
const MAX_STEPS: u64 = 100_000;

pub struct Found {
    pub trace: Trace,
    /// `None`: the network is too large to draw.
    pub stage: Option<NetworkLayout>,
    pub facts: ProgramFacts,
}

/// Read the trace, or run the algorithm.
///
/// # Errors
/// If the file is neither a trace nor an algorithm, or the algorithm cannot be run with these options.
pub fn find(options: &DrawOptions, out: &Output) -> Result<Found, Failure> {
    match input::trace_or_program(&options.file)? {
        input::DrawInput::Trace(text) => {
            refuse_run_options(options)?;
            recorded(options, replay::any_of_text(&options.file, &text, out)?, out)
        }
        input::DrawInput::Program(text) => {
            let program = run::runnable(&options.file, input::check_without_errors(&text)?, out)?;
            let seed = options.course.seed.unwrap_or(DEFAULT_SEED);
            let instance = options.instance.instance(&program, seed)?;
            out.notices(&instance.network);
            made(options, &instance, seed, out)
        }
    }
}

/// Reject options of a run for a trace, which is already recorded.
fn refuse_run_options(options: &DrawOptions) -> Result<(), Failure> {
    let (i, c) = (&options.instance, &options.course);
    let given = [
        ("--ids", i.ids.is_some()),
        ("--initiators", i.initiators.is_some()),
        ("--set", !i.set.is_empty()),
        ("--daemon", i.daemon.is_some()),
        ("--faults", i.faults.is_some()),
        ("--seed", c.seed.is_some()),
        ("--schedule", c.schedule.is_some()),
        ("--max-steps", c.max_steps.is_some()),
    ];
    match given.into_iter().find(|(_, given)| *given) {
        Some((flag, _)) => Err(Failure::usage(format!("{} is a trace: {flag} has no effect", options.file))
            .hint("`synod draw ALGORITHM` makes a run and draws it")),
        None => Ok(()),
    }
}

fn made(options: &DrawOptions, instance: &Instance, seed: u64, out: &Output) -> Result<Found, Failure> {
    let usual = if options.instance.faults.is_some() { ScheduleName::Random } else { ScheduleName::Fifo };
    let schedule = options.course.schedule.unwrap_or(usual);
    interrupt::catch();
    let course = simulate::SimulateOptions {
        schedule: schedule.schedule(),
        seed,
        max_steps: Some(options.course.max_steps.unwrap_or(MAX_STEPS)),
        ..Default::default()
    };
    // No property is checked here; `synod run` does that.
    let watched = run_monitored(instance, Some(&[]), Keep::Always, schedule.as_str(), &course);
    let trace = watched.trace.ok_or_else(|| Failure::usage("the run was not recorded"))?;
    match trace.end {
        end if end.is_unfinished() => {
            out.note(format!("(the run was stopped after {} steps)", trace.events.len()))
        }
        End::Aborted => out.note("(the run ends with a run-time error: `synod run` explains it)"),
        _ => {}
    }
    let stage = NetworkLayout::of(&instance.network).map(|stage| stage.for_run(&trace));
    Ok(Found { stage, facts: facts(&instance.program), trace })
}

/// Return a recorded run. The program, if it is available, gives the most accurate network with its directions.
fn recorded(options: &DrawOptions, trace: Trace, out: &Output) -> Result<Found, Failure> {
    let on = options.instance.on.as_deref();
    let program = program(&options.file, &trace);
    let instance = program.as_ref().and_then(|program| replay::instance(program, &trace.header, on).ok());
    let facts = program.as_ref().map(|program| facts(program)).unwrap_or_default();
    let stage = match (&instance, on) {
        (Some(instance), _) if instance.network.n() as usize == trace.n() => {
            NetworkLayout::of(&instance.network)
        }
        (_, Some(on)) => {
            let form = Form { seed: trace.header.seed, ..Form::default() };
            let network = build(&input::spec(on)?, &form)?;
            if network.n() as usize != trace.n() {
                return Err(Failure::usage(format!(
                    "the trace has {} processes, but {} has {}",
                    trace.n(),
                    network.topology(),
                    network.n()
                )));
            }
            NetworkLayout::of(&network)
        }
        _ => {
            if crate::network::Spec::parse(&trace.header.network).is_err() {
                out.note(format!(
                    "(the trace does not contain the network {}: only links with messages are drawn; --on FILE names this file)",
                    trace.header.network
                ));
            }
            NetworkLayout::from_trace(&trace)
        }
    };
    let stage = stage.map(|stage| stage.for_run(&trace));
    Ok(Found { trace, stage, facts })
}

/// Return the algorithm of a trace, if it is found and has no errors. A picture does not need it.
fn program(file: &str, trace: &Trace) -> Option<std::sync::Arc<Program>> {
    let name = trace::program_of(file, &trace.header.algorithm);
    if !Path::new(&name).is_file() && library::find(&name).is_none() {
        return None;
    }
    let checked = input::read_and_check(&name).ok()?;
    checked.program.map(std::sync::Arc::new)
}
