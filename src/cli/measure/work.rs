//! The parallel runs of a measurement.

use super::files::JournalWriter;
use super::progress::Progress;
use super::{MeasureOptions, instance};
use crate::cli::exit::Failure;
use crate::cli::interrupt;
use crate::cli::output::Output;
use crate::ir::Program;
use crate::measure::sample::sample;
use crate::measure::{CheckedProperties, Header, Sample};
use crate::simulate;
use crate::trace::End;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Return all samples of the measurement in the order of their numbers; fewer after an interrupt.
pub(super) fn samples(
    options: &MeasureOptions,
    program: &Arc<Program>,
    header: &Header,
    known: Vec<Sample>,
    journal: Option<&JournalWriter>,
    out: &Output,
) -> Result<Vec<Sample>, Failure> {
    let done: BTreeSet<u64> = known.iter().map(|sample| sample.run).collect();
    let left: Vec<u64> = header.numbers().filter(|number| !done.contains(number)).collect();
    let judged = CheckedProperties::of(program, &header.plan.properties);
    let progress = Progress::new(left.len() as u64, out);
    let one = |number: &u64| {
        let made = one(options, program, header, &judged, *number)?;
        if let (Some(sample), Some(journal)) = (&made, journal) {
            journal.add(sample)?;
        }
        if let Some(sample) = &made {
            progress.step(sample.n);
        }
        Ok(made)
    };
    // If the first run does not end, and --max-steps is not given, the other runs are not made: they would take hours with the same result.
    let begun = if header.plan.max_steps.is_none() { left.len().min(1) } else { 0 };
    let mut made = in_parallel(&left[..begun], 1, one);
    let first = made.as_ref().ok().and_then(|made| made.first()).and_then(Option::as_ref);
    let endless = first.filter(|sample| sample.end == End::Limit && !sample.repeats).cloned();
    if let (Ok(made), None) = (&mut made, &endless) {
        match in_parallel(&left[begun..], options.jobs(), one) {
            Ok(more) => made.extend(more),
            Err(failure) => {
                progress.finish();
                return Err(failure);
            }
        }
    }
    progress.finish();
    let mut all = known;
    all.extend(made?.into_iter().flatten());
    all.sort_by_key(|sample| sample.run);
    if let Some(first) = endless {
        out.note(format!(
            "the first run, with n = {} and seed {}, has not ended after {} steps: the others are not made. A run without an end is \
             measured only if it satisfies the claimed `settles` or `eventually`; --max-steps N makes all runs, each of at most N steps",
            first.n,
            header.plan.task(first.run).seed,
            first.steps
        ));
    } else if all.len() < done.len() + left.len() {
        let goes_on = if journal.is_some() { "; the same command continues from there" } else { "" };
        out.note(format!("interrupted after {} of {} runs{goes_on}", all.len(), done.len() + left.len()));
    } else if let Some(journal) = journal {
        journal.complete(header, &all)?;
    }
    Ok(all)
}

/// Make one run. Return None if it was interrupted.
fn one(
    options: &MeasureOptions,
    program: &Arc<Program>,
    header: &Header,
    judged: &CheckedProperties,
    number: u64,
) -> Result<Option<Sample>, Failure> {
    let plan = &header.plan;
    let task = plan.task(number);
    let topology = plan.topology(task.size).map_err(Failure::usage)?;
    let instance = instance(&options.instance(topology, &plan.ids[task.ids]), program, task.seed)?;
    let course = simulate::SimulateOptions {
        schedule: options.schedule().schedule(),
        seed: task.seed,
        max_steps: plan.max_steps,
        start_together: options.start_together(),
    };
    Ok(sample(&instance, judged, &plan.schedule, &course, number))
}

/// Process the pieces of work in parallel, and return their results in the order of the pieces. Pieces are started in order; after
/// Ctrl-C or a failure, no more are started. Of several failures, the first in this order is returned.
pub(super) fn in_parallel<W: Sync, R: Send>(
    work: &[W],
    jobs: usize,
    one: impl Fn(&W) -> Result<R, Failure> + Sync,
) -> Result<Vec<R>, Failure> {
    let interrupt = interrupt::flag();
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let worker = || {
        let mut mine = Vec::new();
        while !interrupt.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(piece) = work.get(number) else { break };
            let result = one(piece);
            if result.is_err() {
                failed.store(true, Ordering::Relaxed);
            }
            mine.push((number, result));
        }
        mine
    };
    let mut all: Vec<(usize, Result<R, Failure>)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs.min(work.len())).map(|_| scope.spawn(worker)).collect();
        let done = workers.into_iter().map(|worker| match worker.join() {
            Ok(mine) => mine,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        done.flatten().collect()
    });
    all.sort_by_key(|(number, _)| *number);
    all.into_iter().map(|(_, result)| result).collect()
}
