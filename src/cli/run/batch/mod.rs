//! `synod run --runs N`: runs with many seeds, and their joint result.

mod rerun;
pub mod body;
mod text;

use crate::cli::exit::{ExitStatus, Failure, Outcome};
use crate::cli::interrupt;
use crate::cli::output::Output;
use crate::cli::run::{RunOptions, ScheduleName, StartName, faults_note};
use crate::explore::port_seed;
use crate::ir::Program;
use crate::prose::{self, EACH_RUN_NUMBERS_PORTS};
use crate::report::{CrashedWithin, Verdict};
use crate::semantics::Coverage;
use crate::session::{Keep, blocked, one_line_explanation, run_until_repeated, verdict_of, why_ended};
use crate::simulate;
use crate::trace::End;
use body::RunsBody;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The result of one run.
struct RunResult {
    end: End,
    explanation: Option<String>,
    /// The run is blocked by a crash, which the algorithm waives (`without`).
    given_up: bool,
    /// Hash of the last configuration, to count distinct ends.
    hash: u64,
    steps: u64,
    messages: u64,
    time: u64,
    rounds: Option<u64>,
    moves: Option<u64>,
    bits: u64,
    seen: Coverage,
    verdicts: Vec<RunVerdict>,
    topology: String,
    ids: Vec<i64>,
}

/// The verdict of one run on a property.
struct RunVerdict {
    verdict: Verdict,
    why: String,
    never_true: Vec<String>,
    crashed_within: Option<CrashedWithin>,
}

pub fn run(options: &RunOptions, program: &Arc<Program>, runs: u64, out: &mut Output) -> Outcome {
    let first = options.seed();
    if first.checked_add(runs - 1).is_none() {
        return Err(Failure::usage("too many runs: the seeds exceed 64 bits"));
    }
    let schedule = options.course.schedule.unwrap_or(ScheduleName::Random);
    let all = all_runs(options, program, schedule, runs)?;
    let mut body = RunsBody::new(options, program, schedule, &all);
    let instance = options.instance.instance(program, first)?;
    out.notices(&instance.network);
    body.network.port_seed = port_seed(&instance);
    body.remarks = faults_note(&instance, schedule.as_str());
    if body.network.port_seed.is_some() {
        body.remarks += EACH_RUN_NUMBERS_PORTS;
    }
    let interrupted = (all.len() as u64) < runs;
    if interrupted {
        out.note(format!("interrupted after {} of {runs} runs", all.len()));
    }
    out.finding = body.ending() == ExitStatus::Finding;
    if out.is_json() {
        out.json_as_is(&body)?;
    } else {
        let text = match out.quiet {
            true => body.brief(),
            false => body.text(options.instance.on.is_none()),
        };
        out.text(text)?;
    }
    Ok(body.ending().max(if interrupted { ExitStatus::Limit } else { ExitStatus::Success }))
}

/// Make all runs in parallel, and return them in the order of their seeds; fewer after an interrupt.
fn all_runs(
    options: &RunOptions,
    program: &Arc<Program>,
    schedule: ScheduleName,
    runs: u64,
) -> Result<Vec<RunResult>, Failure> {
    let interrupt = interrupt::flag();
    let processors = std::thread::available_parallelism().map_or(1, |n| n.get());
    let jobs = options.course.jobs.map_or(processors, usize::from).min(runs as usize);
    // The first run is made alone: an error of the instance concerns all runs, and is reported once.
    let mut all = vec![one(options, program, schedule, options.seed())?];
    let next = AtomicU64::new(1);
    let work = || {
        let mut mine = Vec::new();
        while !interrupt.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= runs {
                break;
            }
            mine.push((number, one(options, program, schedule, options.seed() + number)));
        }
        mine
    };
    let mut rest: Vec<(u64, Result<RunResult, Failure>)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        let done = workers.into_iter().map(|worker| match worker.join() {
            Ok(mine) => mine,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        done.flatten().collect()
    });
    rest.sort_by_key(|(number, _)| *number);
    // After an interrupt, the runs of fast workers may follow a run that was never begun, and the last run of each worker was cut off.
    for (place, (number, one)) in (1..).zip(rest) {
        if number != place {
            break;
        }
        all.push(one?);
    }
    Ok(all)
}

fn one(
    options: &RunOptions,
    program: &Arc<Program>,
    schedule: ScheduleName,
    seed: u64,
) -> Result<RunResult, Failure> {
    let instance = options.instance.instance(program, seed)?;
    let course = simulate::SimulateOptions {
        schedule: schedule.schedule(),
        seed,
        max_steps: options.course.max_steps,
        start_together: options.course.start == Some(StartName::Together),
    };
    let watched =
        run_until_repeated(&instance, options.properties(), Keep::Never, schedule.as_str(), &course);
    let run = &watched.run;
    let explanation = match watched.settled {
        true => why_ended(&instance, &watched).into_iter().next(),
        false => one_line_explanation(&instance, run),
    };
    let given_up = blocked(&instance, run).is_some_and(|blocked| blocked.given_up);
    let mut hasher = FxHasher::default();
    run.configuration.hash(&mut hasher);
    Ok(RunResult {
        end: watched.end(),
        explanation,
        given_up,
        hash: hasher.finish(),
        steps: run.steps,
        messages: run.metrics.messages(),
        time: run.metrics.time.into(),
        rounds: instance.model.has_rounds().then_some(run.metrics.rounds),
        moves: instance.model.has_state_reading().then_some(run.metrics.moves),
        bits: run.metrics.total_bits(),
        seen: watched.seen,
        verdicts: watched
            .verdicts
            .into_iter()
            .map(|v| RunVerdict {
                verdict: verdict_of(v.judgement),
                why: prose::with_names(&v.why.to_string(), instance.names()).into_owned(),
                never_true: v.never_true,
                crashed_within: v
                    .crashed_within
                    .map(|command| CrashedWithin::new(&command, &instance.program.sources)),
            })
            .collect(),
        topology: instance.network.topology().into(),
        ids: instance.network.ids().to_vec(),
    })
}
