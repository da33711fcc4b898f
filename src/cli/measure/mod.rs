//! `synod measure`: the costs of an algorithm on networks of growing size.

pub mod body;
mod files;
mod progress;
mod work;
pub mod worst;

use super::atomic_file;
use super::exit::{ExitStatus, Failure, Outcome};
use super::instance::{DaemonName, InstanceArgs, faults};
use super::options::{Json, seed};
use super::output::Output;
use super::run::{self, ScheduleName, StartName};
use crate::ascii::TextFormat;
use crate::explore::port_seed;
use crate::input;
use crate::ir::{DEFAULT_SEED, Program};
use crate::measure::journal::{Shard, merge};
use crate::measure::plan::{arrangements, sizes};
use crate::measure::{Goal, Header, MeasurePlan, Sample, Table, template};
use crate::render::measure::MeasurementReport;
use clap::{Args, ValueEnum};
use std::sync::Arc;

/// Default sizes.
const USUAL_SIZES: &str = "4..128";
/// Default number of runs for each size.
const USUAL_RUNS: u64 = 10;
/// Default number of runs for each size in the search for the worst case.
const USUAL_BUDGET: u64 = 2000;

/// Measure the costs of an algorithm as its network grows
///
/// Makes runs on networks of several sizes. Shows messages, bits, time (the longest causal chain of messages) and rounds, their ratio
/// to the declared bounds, and the function of n that fits best; of functions that fit about equally well, the one that grows slowest.
/// If the problem has operations, also the messages of a run, and its time where time passes, divided by those that it completed.
/// For speed, only properties of the end of a run are checked; --property checks others too. A run without an end is measured up to
/// the event after which all claimed `eventually` and `settles` hold for good.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct MeasureOptions {
    /// A path, `-`, or the name of an algorithm of the library
    #[arg(required_unless_present = "merge", conflicts_with = "merge")]
    file: Option<String>,

    /// Sizes: 4..4096 (doubling), 4..64:4 (in steps of 4), 4,8,100, or several of these [default: 4..128]
    #[arg(short, long, value_name = "SIZES", value_parser = known_sizes)]
    n: Option<Sizes>,

    #[command(flatten)]
    instance: InstanceFlags,

    #[command(flatten)]
    course: RunsArgs,

    #[command(flatten)]
    adversary: Adversary,

    #[command(flatten)]
    files: Files,

    #[command(flatten)]
    pub json: Json,
}

// clap replaces {n} by a newline, unless an invisible escape sequence separates the characters.
const EXAMPLES: &str = "\
Examples:
  synod measure chang_roberts --n 4..4096 --ids random,worst --runs 20
  synod measure echo --on 'torus({\x1b[0mn}, {\x1b[0mn})' --n 3..30:3 --svg echo.svg --csv echo.csv
  synod measure dolev_klawe_rodeh --n 4..32 --adversary --budget 5000 --trace worst.trace
  synod measure ghs --n 4..512 --shard 1/2 && synod measure ghs --n 4..512 --shard 2/2
  synod measure --merge ghs-1-of-2.jsonl ghs-2-of-2.jsonl";

const TOPOLOGY: &str = "Topology with {\x1b[0mn} for the size: 'torus({\x1b[0mn}, {\x1b[0mn})', 'star({\x1b[0mn - 1})'; \
    also + - * / sqrt log2 side min max";

#[derive(Args)]
#[command(next_help_heading = "Instance")]
struct InstanceFlags {
    #[arg(long, value_name = "TOPOLOGY", help = TOPOLOGY)]
    on: Option<String>,

    /// Arrangements of ids, measured separately: random,worst,ascending,descending; or a list of numbers [default: random]
    #[arg(long, value_name = "IDS", allow_hyphen_values = true)]
    ids: Option<String>,

    /// Numbering of ports without labels: as-listed, or a number from 0 [default: drawn from the seed of each run]
    #[arg(long, value_name = "NUMBERING")]
    ports: Option<String>,

    /// Processes that may wake up spontaneously: all, none, random, ids such as 3,1, or positions such as p0,p2
    #[arg(long, value_name = "PROCESSES", allow_hyphen_values = true)]
    initiators: Option<String>,

    /// Set a parameter of the algorithm or problem (repeatable)
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,

    /// Which processes step together, if processes read their neighbours' variables
    #[arg(long, value_enum, value_name = "DAEMON")]
    daemon: Option<DaemonName>,

    /// The fault budget: faults at random moments, at most this many: 'crash<=1, loss<=2'
    #[arg(long, value_name = "BOUNDS", value_parser = faults)]
    faults: Option<String>,
}

#[derive(Args)]
#[command(next_help_heading = "Runs")]
struct RunsArgs {
    /// Number of runs for each size, with consecutive seeds from --seed on [default: 10]
    #[arg(long, visible_alias = "seeds", value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    runs: Option<u64>,

    /// The first seed: decimal or 0x… [default: 1]
    #[arg(long, value_name = "N", value_parser = seed)]
    seed: Option<u64>,

    /// The scheduler, which chooses the next step [default: random]
    #[arg(long, value_enum, value_name = "SCHEDULE")]
    schedule: Option<ScheduleName>,

    /// When initiators wake up [default: scheduled]
    #[arg(long, value_enum, value_name = "WHEN")]
    start: Option<StartName>,

    /// End a run after N steps; its costs do not count [default: ten million, and at least 2000 for each process]
    #[arg(long, value_name = "N")]
    max_steps: Option<u64>,

    /// Check this property too (repeatable), by observing the runs if necessary
    #[arg(long, value_name = "NAME")]
    property: Vec<String>,

    /// Number of parallel runs [default: one for each processor]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

#[derive(Args)]
#[command(next_help_heading = "Search for the worst case")]
struct Adversary {
    /// Search for the ids and the schedule with the greatest cost, instead of measuring random runs
    #[arg(long, conflicts_with_all = ["runs", "resume", "shard", "merge", "property", "start"])]
    adversary: bool,

    /// Number of runs for each size [default: 2000]
    #[arg(long, value_name = "RUNS", requires = "adversary", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    budget: Option<u64>,

    /// The cost to maximize [default: messages]
    #[arg(long, value_enum, value_name = "MEASURE", requires = "adversary")]
    of: Option<GoalName>,

    /// Write the trace of the worst run on the largest network; - is the standard output
    #[arg(long, value_name = "FILE", requires = "adversary")]
    trace: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GoalName {
    Messages,
    Bits,
    /// The longest causal chain of messages
    Time,
    Rounds,
    Moves,
}

#[derive(Args)]
#[command(next_help_heading = "Files")]
struct Files {
    /// Write the table as CSV; - is the standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<String>,

    /// Plot the costs as SVG; - is the standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<String>,

    /// Record every completed run in this file, and make only runs that it does not contain
    #[arg(long, value_name = "FILE", conflicts_with = "merge")]
    resume: Option<String>,

    /// Make only part i of k of the runs, and write them to NAME-i-of-k.jsonl or the file of --resume
    #[arg(long, value_name = "i/k", value_parser = Shard::parse, conflicts_with_all = ["merge", "csv", "svg"])]
    shard: Option<Shard>,

    /// Merge the parts, and show the whole measurement
    #[arg(long, value_name = "FILES", num_args = 1.., conflicts_with_all = [
        "n", "on", "ids", "ports", "initiators", "set", "daemon", "faults", "runs", "seed", "schedule", "start", "max_steps"
    ])]
    merge: Vec<String>,
}

/// The sizes of the networks.
#[derive(Clone, Debug)]
struct Sizes(Vec<u32>);

fn known_sizes(text: &str) -> Result<Sizes, String> {
    sizes(text).map(Sizes)
}

pub fn run(options: &MeasureOptions, out: &mut Output) -> Outcome {
    let read: Vec<&str> = options.file.iter().chain(&options.files.merge).map(String::as_str).collect();
    atomic_file::check_all_writable(
        &read,
        [&options.files.csv, &options.files.svg, &options.adversary.trace],
    )?;
    options.to_stdout(out)?;
    if !options.files.merge.is_empty() {
        let parts = options.files.merge.iter().map(|file| Ok((file.clone(), files::read(file)?)));
        let parts = parts.collect::<Result<Vec<_>, Failure>>()?;
        let (header, samples) = merge(parts).map_err(Failure::usage)?;
        return show(options, &header, &samples, false, out);
    }
    let program = run::program(options.file.as_deref().unwrap_or_default(), out)?;
    run::known_properties(&program, &options.course.property)?;
    let plan = options.plan(&program)?;
    if options.adversary.adversary {
        return worst::run(options, &program, &plan, out);
    }
    let header = Header::of(&program, plan, options.files.shard);
    let mut journal = match options.journal_file(&header) {
        Some(file) => Some(files::JournalWriter::open(&file, &header, out)?),
        None => None,
    };
    let known = journal.as_mut().map(|journal| std::mem::take(&mut journal.known)).unwrap_or_default();
    let samples = work::samples(options, &program, &header, known, journal.as_ref(), out)?;
    if options.files.shard.is_none() {
        let draws_ports = options.draws_ports(&program, &header.plan);
        return show(options, &header, &samples, draws_ports, out);
    }
    let table = Table::of(&header, &samples);
    let Some(journal) = journal else { return Ok(body::ending(&header, &table)) };
    body::part(&header, &table, &journal.file, out)?;
    Ok(body::ending(&header, &table))
}

/// Write the whole measurement in all requested forms.
fn show(
    options: &MeasureOptions,
    header: &Header,
    samples: &[Sample],
    draws_ports: bool,
    out: &mut Output,
) -> Outcome {
    let table = Table::of(header, samples);
    out.finding = body::ending(header, &table) == ExitStatus::Finding;
    if let Some(file) = &options.files.csv {
        files::write(file, &body::csv(header, &table), TextFormat::Prose, out)?;
    }
    if let Some(file) = &options.files.svg {
        files::write(file, &crate::render::plot::svg(header, &table), TextFormat::Page, out)?;
    }
    if out.is_json() {
        out.json(&body::MeasureBody::new(header, &table, draws_ports))?;
    } else {
        let (verbose, look) = (out.verbose, out.look);
        let measured = MeasurementReport { header, table: &table, draws_ports, verbose, look };
        let text = if out.quiet { measured.brief() } else { measured.text() };
        match options.to_stdout(out)? {
            // Another result takes the standard output, so the table goes to the standard error.
            true => out.note(text),
            false => out.text(text)?,
        }
    }
    Ok(body::ending(header, &table))
}

impl MeasureOptions {
    /// Whether another result goes to the standard output, in place of the table.
    fn to_stdout(&self, out: &Output) -> Result<bool, Failure> {
        let files =
            [("--csv", &self.files.csv), ("--svg", &self.files.svg), ("--trace", &self.adversary.trace)];
        files::one_on_stdout(&files, out)
    }

    fn schedule(&self) -> ScheduleName {
        self.course.schedule.unwrap_or(ScheduleName::Random)
    }

    fn seed(&self) -> u64 {
        self.course.seed.unwrap_or(DEFAULT_SEED)
    }

    fn jobs(&self) -> usize {
        let processors = std::thread::available_parallelism().map_or(1, |n| n.get());
        self.course.jobs.map_or(processors, usize::from)
    }

    /// Return the plan of the measurement.
    fn plan(&self, program: &Program) -> Result<MeasurePlan, Failure> {
        let on = match &self.instance.on {
            Some(on) => on.clone(),
            None => template::template_for(program.assumptions.topology).into(),
        };
        let sizes = match (&self.n, template::has_placeholders(&on)) {
            (Some(Sizes(sizes)), true) => sizes.clone(),
            (None, true) => sizes(USUAL_SIZES).map_err(Failure::usage)?,
            (Some(_), false) => {
                return Err(Failure::usage(format!("{on} does not depend on the size"))
                    .hint("write {n} for the size: --on 'ring({n})'"));
            }
            (None, false) => vec![input::spec(&on)?.n()],
        };
        let ids = match &self.instance.ids {
            Some(text) => arrangements(text).map_err(|wrong| {
                Failure::usage(wrong)
                    .hint("names such as random,worst,ascending,descending, or one list of numbers")
            })?,
            // Anonymous processes cannot read ids, so their arrangement does not matter.
            None if program.assumptions.anonymous => vec!["ascending".into()],
            None => vec!["random".into()],
        };
        self.instance.ports.as_deref().map(input::numbering).transpose()?;
        let runs = self.course.runs.unwrap_or(USUAL_RUNS);
        if self.seed().checked_add(runs).is_none() {
            return Err(Failure::usage("too many runs: the seeds exceed 64 bits"));
        }
        let total = (sizes.len() as u64 * ids.len() as u64).checked_mul(runs);
        if total.is_none_or(|total| total > 1 << 40) {
            return Err(Failure::usage("too many runs: the limit is 2^40 in all"));
        }
        // Only options that are the same for all runs; the others are fields of the plan.
        let others = InstanceArgs { on: None, ids: None, ..self.others() };
        let plan = MeasurePlan {
            file: self.file.clone().unwrap_or_default(),
            sizes,
            on,
            ids,
            first_seed: self.seed(),
            runs,
            schedule: self.schedule().as_str().into(),
            max_steps: self.course.max_steps,
            properties: self.course.property.clone(),
            flags: [others.as_words(), self.start_words()].concat(),
        };
        for size in 0..plan.sizes.len() {
            plan.topology(size)
                .map_err(|wrong| Failure::usage(wrong).hint("--on 'ring({n})' is an example"))?;
        }
        Ok(plan)
    }

    /// Return whether all initiators wake up first.
    fn start_together(&self) -> bool {
        self.course.start == Some(StartName::Together)
    }

    fn start_words(&self) -> Vec<String> {
        if self.start_together() { vec!["--start".into(), "together".into()] } else { Vec::new() }
    }

    fn others(&self) -> InstanceArgs {
        InstanceArgs {
            on: None,
            ids: None,
            ports: self.instance.ports.clone(),
            initiators: self.instance.initiators.clone(),
            set: self.instance.set.clone(),
            daemon: self.instance.daemon,
            faults: self.instance.faults.clone(),
        }
    }

    /// Return the options of the instance of one run.
    fn instance(&self, topology: String, ids: &str) -> InstanceArgs {
        InstanceArgs { on: Some(topology), ids: Some(ids.into()), ..self.others() }
    }

    /// Return whether each run numbers ports at random, on a network where this can matter.
    fn draws_ports(&self, program: &Arc<Program>, plan: &MeasurePlan) -> bool {
        let draws = |size| {
            let topology = plan.topology(size).ok()?;
            let made =
                instance(&self.instance(topology, plan.ids.first()?), program, plan.first_seed).ok()?;
            port_seed(&made)
        };
        (0..plan.sizes.len()).any(|size| draws(size).is_some())
    }

    /// Return the file of completed runs, if there is one.
    fn journal_file(&self, header: &Header) -> Option<String> {
        let shard = |Shard { part, of }| format!("{}-{part}-of-{of}.jsonl", header.algorithm);
        self.files.resume.clone().or_else(|| self.files.shard.map(shard))
    }

    fn goal(&self) -> Goal {
        match self.adversary.of.unwrap_or(GoalName::Messages) {
            GoalName::Messages => Goal::Messages,
            GoalName::Bits => Goal::Bits,
            GoalName::Time => Goal::Time,
            GoalName::Rounds => Goal::Rounds,
            GoalName::Moves => Goal::Moves,
        }
    }

    fn budget(&self) -> u64 {
        self.adversary.budget.unwrap_or(USUAL_BUDGET)
    }
}

/// Build the instance of one run.
fn instance(
    options: &InstanceArgs,
    program: &Arc<Program>,
    seed: u64,
) -> Result<crate::instance::Instance, Failure> {
    options.instance(program, seed)
}

/// Return the ending; an interrupt leaves the verdict open.
fn interrupted(ending: ExitStatus, complete: bool) -> ExitStatus {
    ending.max(if complete { ExitStatus::Success } else { ExitStatus::Limit })
}
