//! `synod measure --adversary`: search for the ids and the schedule with the greatest cost.

use super::progress::Progress;
use super::work::in_parallel;
use super::{MeasureOptions, interrupted};
use crate::ascii::TextFormat;
use crate::cli::exit::{ExitStatus, Failure, Outcome};
use crate::cli::output::Output;
use crate::cli::run::write_trace;
use crate::ir::Program;
use crate::measure::adversary::{CHAINS, Candidate, Worst};
use crate::measure::plan::quoted;
use crate::measure::sample::Violation;
use crate::measure::worst_case::{WorstCase, WorstCaseOptions};
use crate::measure::{Fit, Header, MeasurePlan};
use crate::render::measure::formula;
use crate::render::plot;
use crate::simulate::Schedule;
use serde::Serialize;
use std::fmt::Write;
use std::sync::Arc;

/// Number of processes up to which `synod verify --ids all` is likely to complete its search.
const VERIFIABLE: u32 = 5;
/// The greatest number of ids that a command line shows.
const MOST_IDS_SHOWN: usize = 64;

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct AdversaryBody<'m> {
    algorithm: &'m str,
    topology: &'m str,
    /// The topologies of the actual sizes, for the text.
    #[serde(skip)]
    topologies: String,
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["messages", "bits", "time", "rounds", "moves"])))]
    of: &'static str,
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    budget: u64,
    seed: u64,
    complete: bool,
    /// Always true: the result is a lower bound of the worst case.
    #[cfg_attr(feature = "schemas", schemars(extend("const" = true)))]
    lower_bound_only: bool,
    rows: Vec<RowBody>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct RowBody {
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    size: u32,
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    n: u32,
    runs: u64,
    unfinished: u64,
    /// Number of runs that were not made, since none of the first runs ended.
    not_made: u64,
    worst: Option<WorstBody>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct WorstBody {
    cost: u64,
    ids: Option<Vec<i64>>,
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["fifo", "random", "round-robin", "adversary", "priorities"])))]
    schedule: &'static str,
    seed: u64,
    bounds: Vec<BoundBody>,
    violated: Vec<Violation>,
    /// The command that reproduces the run.
    replay: String,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct BoundBody {
    name: String,
    measured: i64,
    limit: i64,
    kept: bool,
}

pub(super) fn run(
    options: &MeasureOptions,
    program: &Arc<Program>,
    plan: &MeasurePlan,
    out: &mut Output,
) -> Outcome {
    let budget = options.budget();
    let header = Header::of(program, plan.clone(), None);
    let pieces: Vec<(usize, u64)> = (0..plan.sizes.len())
        .flat_map(|size| (0..CHAINS.min(budget)).map(move |chain| (size, chain)))
        .collect();
    let searches = (0..plan.sizes.len()).map(|size| search(options, program, plan, size));
    let searches = searches.collect::<Result<Vec<WorstCase>, Failure>>()?;
    let progress = Progress::new(budget * plan.sizes.len() as u64, out);
    let found = in_parallel(&pieces, options.jobs(), |(size, chain)| {
        Ok(searches[*size].chain(*chain, &|instance| progress.step(instance.n()))?)
    });
    progress.finish();
    let found = found?;
    let mut rows = Vec::new();
    for ((size, n), search) in plan.sizes.iter().enumerate().zip(&searches) {
        let mut of =
            pieces.iter().zip(&found).filter(|((s, _), _)| *s == size).map(|(_, worst)| worst.clone());
        let Some(first) = of.next() else { break };
        let worst = of.fold(first, Worst::join);
        rows.push(row(options, search, &header, (size, *n), worst)?);
    }
    let runs: u64 = rows.iter().map(|row| row.runs).sum();
    let not_made: u64 = rows.iter().map(|row| row.not_made).sum();
    let complete = runs + not_made == budget * plan.sizes.len() as u64;
    if let Some(file) = &options.adversary.trace {
        trace(&searches, &rows, file, out)?;
    }
    let violated = rows.iter().filter_map(|row| row.worst.as_ref()).any(|worst| !worst.violated.is_empty());
    let nothing = rows.iter().all(|row| row.worst.is_none());
    let body = AdversaryBody {
        algorithm: &header.algorithm,
        topology: &plan.on,
        topologies: plan.topologies(),
        of: options.goal().word(),
        budget,
        seed: options.seed(),
        complete,
        lower_bound_only: true,
        rows,
    };
    if let Some(file) = &options.files.csv {
        super::files::write(file, &csv(&body), TextFormat::Prose, out)?;
    }
    if let Some(file) = &options.files.svg {
        super::files::write(file, &body.svg(&header), TextFormat::Page, out)?;
    }
    if out.is_json() {
        out.json(&body)?;
    } else {
        let text = body.text(&header, out);
        match options.to_stdout(out)? {
            true => out.note(text),
            false => out.text(text)?,
        }
    }
    let ending = if violated { ExitStatus::Finding } else { ExitStatus::Success };
    Ok(interrupted(ending, complete && !nothing))
}

/// Return the search on networks of one size.
fn search(
    options: &MeasureOptions,
    program: &Arc<Program>,
    plan: &MeasurePlan,
    size: usize,
) -> Result<WorstCase, Failure> {
    let topology = plan.topology(size).map_err(Failure::usage)?;
    let ids = options.instance.ids.as_deref().unwrap_or("ascending");
    let instance = options.instance(topology, ids).options(program, options.seed())?;
    let schedules = match options.course.schedule {
        Some(schedule) => vec![schedule.schedule()],
        None => Schedule::ALL.to_vec(),
    };
    let options = WorstCaseOptions {
        instance,
        varies_ids: options.instance.ids.is_none(),
        schedules,
        goal: options.goal(),
        budget: options.budget(),
        max_steps: options.course.max_steps,
    };
    Ok(WorstCase::new(program, options)?)
}

/// Return the ids in the notation of `--ids`.
fn ids_text(options: &MeasureOptions, candidate: &Candidate) -> String {
    match &candidate.ids {
        Some(ids) => ids.iter().map(i64::to_string).collect::<Vec<_>>().join(","),
        None => options.instance.ids.clone().unwrap_or_else(|| "ascending".into()),
    }
}

/// Repeat the worst run to evaluate bounds and properties.
fn row(
    options: &MeasureOptions,
    search: &WorstCase,
    header: &Header,
    (size, n): (usize, u32),
    worst: Worst,
) -> Result<RowBody, Failure> {
    let plan = &header.plan;
    let Worst { runs, unfinished, not_made, .. } = worst;
    let mut body = RowBody { size: n, n, runs, unfinished, not_made, worst: None };
    let Some((candidate, cost)) = worst.found else { return Ok(body) };
    let (n, sample) = search.sample(&candidate)?;
    body.n = n;
    let Some(sample) = sample else { return Ok(body) };
    let bounds = header.bounds.iter().zip(&sample.bounds).filter_map(|(bound, costs)| {
        let (measured, limit) = (*costs)?;
        let kept = bound.is_kept(measured, limit);
        Some(BoundBody { name: bound.name.clone(), measured, limit, kept })
    });
    let topology = plan.topology(size).map_err(Failure::usage)?;
    let mut words = plan.command(topology, &ids_text(options, &candidate));
    let schedule = candidate.schedule.as_str();
    words.extend(["--schedule".into(), schedule.into(), "--seed".into(), candidate.seed.to_string()]);
    body.worst = Some(WorstBody {
        cost,
        ids: candidate.ids,
        schedule,
        seed: candidate.seed,
        bounds: bounds.collect(),
        violated: sample.violated,
        replay: words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
    });
    Ok(body)
}

/// Write the trace of the worst run on the largest network.
fn trace(searches: &[WorstCase], rows: &[RowBody], file: &str, out: &mut Output) -> Result<(), Failure> {
    let last = rows.iter().zip(searches).rev().find_map(|(row, search)| Some((search, row.worst.as_ref()?)));
    let Some((search, worst)) = last else {
        out.note(format!("{file} is not written: no run ended"));
        return Ok(());
    };
    let schedule = Schedule::ALL.into_iter().find(|s| s.as_str() == worst.schedule).unwrap_or_default();
    let candidate = Candidate { ids: worst.ids.clone(), schedule, seed: worst.seed };
    match search.trace(&candidate)? {
        Some(trace) if file == "-" => out.text(trace.to_text()),
        Some(trace) => write_trace(file, &trace),
        None => Ok(()),
    }
}

impl AdversaryBody<'_> {
    fn svg(&self, header: &Header) -> String {
        let found: Vec<(u32, u64)> =
            self.rows.iter().filter_map(|row| Some((row.n, row.worst.as_ref()?.cost))).collect();
        let limit = |name: &str, row: &RowBody| {
            let bounds = &row.worst.as_ref()?.bounds;
            bounds.iter().find(|at| at.name == name).map(|at| (row.n, at.limit))
        };
        let of_goal = header.bounds.iter().filter(|bound| bound.of.as_deref() == Some(self.of));
        let bounds = of_goal.map(|bound| {
            let limits = self.rows.iter().filter_map(|row| limit(&bound.name, row)).collect();
            (format!("{}: {}", bound.name, bound.text), limits)
        });
        plot::worst_case_svg(&plot::WorstCasePlot {
            title: format!("{} on {}", self.algorithm, self.topologies),
            about: format!(
                "greatest cost in {}, in a search of {} runs for each size, seed {}: a lower bound of the worst case",
                self.of, self.budget, self.seed
            ),
            measure: self.of,
            found,
            bounds: bounds.collect(),
        })
    }

    fn text(&self, header: &Header, out: &Output) -> String {
        let mut text = format!(
            "{} on {} · greatest cost in {}, in a search of {} runs for each size, seed {}\n\
             (a lower bound of the worst case: there may be worse runs)\n\n",
            out.bold(self.algorithm),
            self.topologies,
            self.of,
            self.budget,
            self.seed
        );
        let mut rows = vec![vec!["n".to_string(), self.of.into(), "schedule".into(), "seed".into()]];
        rows[0].extend(header.bounds.iter().map(|bound| bound.name.clone()));
        for row in &self.rows {
            let mut cells = vec![row.n.to_string()];
            match &row.worst {
                None => cells.push("no run ended".into()),
                Some(worst) => {
                    cells.extend([worst.cost.to_string(), worst.schedule.into(), worst.seed.to_string()]);
                    let bound = |name: &str| worst.bounds.iter().find(|at| at.name == *name);
                    let cell = |at: &BoundBody| {
                        let verdict = if at.kept { "" } else { " VIOLATED" };
                        format!("{} of {}{verdict}", at.measured, at.limit)
                    };
                    cells.extend(header.bounds.iter().map(|b| bound(&b.name).map_or("-".into(), cell)));
                }
            }
            rows.push(cells);
        }
        for (i, line) in crate::cli::output::table(&rows).into_iter().enumerate() {
            text += &format!("  {}\n", if i == 0 { out.bold(&line) } else { line });
        }
        for bound in &header.bounds {
            let _ = writeln!(text, "  {}: {} {}", bound.name, bound.kind, bound.text);
        }
        let points: Vec<(u32, f64)> =
            self.rows.iter().filter_map(|row| Some((row.n, row.worst.as_ref()?.cost as f64))).collect();
        if let Some(fit) = Fit::of(&points) {
            let best = fit.best();
            let _ = writeln!(
                text,
                "\ngrowth: {} ({}; evidence, not a proof)",
                best.shape.as_str(),
                formula(best)
            );
        }
        if self.rows.iter().any(|row| row.worst.is_some()) {
            text += "\nreplay\n";
        }
        for row in &self.rows {
            let Some(worst) = &row.worst else { continue };
            match worst.ids.as_ref().is_none_or(|ids| ids.len() <= MOST_IDS_SHOWN) {
                true => text += &format!("  {}\n", worst.replay),
                false => text += &format!("  n = {}: --json contains the command with all ids\n", row.n),
            }
            for violation in &worst.violated {
                let _ = writeln!(text, "    VIOLATED {}: {}", violation.property, violation.why);
            }
        }
        let unfinished: u64 = self.rows.iter().map(|row| row.unfinished).sum();
        if unfinished > 0 {
            let _ = writeln!(text, "\n({unfinished} runs did not end and do not count)");
        }
        let not_made: u64 = self.rows.iter().map(|row| row.not_made).sum();
        if not_made > 0 {
            let _ = writeln!(
                text,
                "\n({not_made} runs were not made, since none of the first runs ended. A run without an end is measured only if it \
                 satisfies\nthe claimed `settles` or `eventually`; --max-steps N makes all runs, each of at most N steps)"
            );
        }
        if !self.complete {
            text += "\n(interrupted: not all runs were made)\n";
        }
        if self.rows.iter().any(|row| row.n <= VERIFIABLE) {
            text += "\n(for very small n, `synod verify … --ids all` explores all schedules and all arrangements of the ids)\n";
        }
        text
    }
}

fn csv(body: &AdversaryBody) -> String {
    let mut out = format!("algorithm,n,{},schedule,seed,ids,runs,unfinished,not_made\r\n", body.of);
    for row in &body.rows {
        // If no run ended, the fields of the worst run are empty.
        let found = row.worst.as_ref().map_or(",,,".into(), |worst| {
            let ids: Vec<String> = worst.ids.iter().flatten().map(i64::to_string).collect();
            format!("{},{},{},{}", worst.cost, worst.schedule, worst.seed, ids.join(" "))
        });
        let RowBody { n, runs, unfinished, not_made, .. } = row;
        let _ = write!(out, "{},{n},{found},{runs},{unfinished},{not_made}\r\n", body.algorithm);
    }
    out
}
