//! `synod run`: one run, or many runs.

mod options;
pub mod replay;
pub mod batch;

use super::exit::{Failure, Outcome};
use super::output::Output;
use super::{atomic_file, interrupt};
use crate::ir::Program;
use crate::session::{self, Keep, run_until_repeated};
use crate::simulate;
use std::sync::Arc;

pub use options::*;

pub fn run(options: &RunOptions, out: &mut Output) -> Outcome {
    if options.shown.trace.as_deref() == Some("-") && out.is_json() {
        return Err(Failure::usage("--json and --trace - both use the standard output")
            .hint("write the trace to a file"));
    }
    atomic_file::check_all_writable(&[&crate::input::program_path(&options.file)], [&options.shown.trace])?;
    let program = program(&options.file, out)?;
    known_properties(&program, &options.course.property)?;
    match (&options.course.replay, options.course.runs) {
        (Some(trace), _) => replay::run(options, &program, trace, out),
        (None, Some(runs)) => batch::run(options, &program, runs, out),
        (None, None) => once(options, &program, out),
    }
}

fn once(options: &RunOptions, program: &Arc<Program>, out: &mut Output) -> Outcome {
    let seed = options.seed();
    let usual = if options.instance.faults.is_some() { ScheduleName::Random } else { ScheduleName::Fifo };
    let schedule = options.course.schedule.unwrap_or(usual);
    let instance = options.instance.instance(program, seed)?;
    out.notices(&instance.network);
    interrupt::catch();
    let course = simulate::SimulateOptions {
        schedule: schedule.schedule(),
        seed,
        max_steps: options.course.max_steps,
        start_together: options.course.start == Some(StartName::Together),
    };
    let keep = match &options.shown.trace {
        Some(_) => Keep::Always,
        None if out.quiet || out.is_json() => Keep::Never,
        None => Keep::Small,
    };
    let watched = run_until_repeated(&instance, options.properties(), keep, schedule.as_str(), &course);
    let report = session::report(&instance, &watched, schedule.as_str(), seed);
    out.finding = report.has_finding();
    options.show(&instance, &report, watched.trace.as_ref(), watched.beginning.as_ref(), out)?;
    Ok(ending(&report))
}
