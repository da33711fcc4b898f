//! `synod measure`: what an algorithm costs as its network grows.

mod body;
mod files;
mod progress;
mod work;
mod worst;

use super::exit::{Ending, Failure, Outcome};
use super::instance::{DaemonName, InstanceArgs, faults};
use super::options::{Json, seed};
use super::output::Output;
use super::run::{self, ScheduleName};
use super::{atomic_file, topology};
use crate::ascii::Form;
use crate::ir::{DEFAULT_SEED, Program};
use crate::measure::journal::{Shard, merge};
use crate::measure::plan::{arrangements, sizes};
use crate::measure::{Goal, Header, MeasurePlan, Sample, Table, template};
use crate::render::measure::Measured;
use clap::{Args, ValueEnum};
use std::sync::Arc;

/// Sizes where none are said.
const USUAL_SIZES: &str = "4..128";
/// Runs of each size where none are said.
const USUAL_RUNS: u64 = 10;
/// The same where the search for the worst counts its runs.
const USUAL_BUDGET: u64 = 2000;

/// Measure what an algorithm costs as its network grows
///
/// Makes runs on networks of several sizes and shows messages, bits, time (the longest causal chain of messages) and rounds, how
/// near they come to the declared bounds, and which function of n describes them best; of functions about as near, the one that
/// grows slowest. Runs are made as fast as can be: what the end of a run shows is judged; --property has other properties judged, too.
/// A run without an end is measured up to where all that `eventually` and `settles` promise has come about for good.
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
    course: Course,

    #[command(flatten)]
    adversary: Adversary,

    #[command(flatten)]
    files: Files,

    #[command(flatten)]
    pub json: Json,
}

// clap takes a brace, an n and a brace for a new line, unless something stands between that nobody sees: the end of a style.
const EXAMPLES: &str = "\
Examples:
  synod measure chang_roberts --n 4..4096 --ids random,worst --runs 20
  synod measure echo --on 'torus({\x1b[0mn}, {\x1b[0mn})' --n 3..30:3 --svg echo.svg --csv echo.csv
  synod measure dolev_klawe_rodeh --n 4..32 --adversary --budget 5000 --trace worst.trace
  synod measure ghs --n 4..512 --shard 1/2 && synod measure ghs --n 4..512 --shard 2/2
  synod measure --merge ghs-1-of-2.jsonl ghs-2-of-2.jsonl";

const TOPOLOGY: &str = "Topology with {\x1b[0mn} where the size stands: 'torus({\x1b[0mn}, {\x1b[0mn})', 'star({\x1b[0mn - 1})'; \
    also + - * / sqrt log2 side min max";

#[derive(Args)]
#[command(next_help_heading = "Instance")]
struct InstanceFlags {
    #[arg(long, value_name = "TOPOLOGY", help = TOPOLOGY)]
    on: Option<String>,

    /// Ways to give ids, each measured by itself: random,worst,ascending,descending; or a list of numbers [default: random]
    #[arg(long, value_name = "IDS", allow_hyphen_values = true)]
    ids: Option<String>,

    /// Who may start: all, none, random, ids such as 3,1, or positions such as p0,p2
    #[arg(long, value_name = "PROCESSES", allow_hyphen_values = true)]
    initiators: Option<String>,

    /// Give a parameter of the algorithm or problem a value (repeatable)
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,

    /// Who moves at the same time, where processes read their neighbours' variables
    #[arg(long, value_enum, value_name = "DAEMON")]
    daemon: Option<DaemonName>,

    /// Let things go wrong at random moments, so often at the most: 'crash<=1, loss<=2'
    #[arg(long, value_name = "BOUNDS", value_parser = faults)]
    faults: Option<String>,
}

#[derive(Args)]
#[command(next_help_heading = "Runs")]
struct Course {
    /// Runs of each size, with the first seed and those after it [default: 10]
    #[arg(long, visible_alias = "seeds", value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    runs: Option<u64>,

    /// The first seed: decimal or 0x… [default: 1]
    #[arg(long, value_name = "N", value_parser = seed)]
    seed: Option<u64>,

    /// Who chooses the next step [default: random]
    #[arg(long, value_enum, value_name = "SCHEDULE")]
    schedule: Option<ScheduleName>,

    /// End a run after so many steps: its costs do not count [default: ten million, and at least 2000 for each process]
    #[arg(long, value_name = "N")]
    max_steps: Option<u64>,

    /// Judge this property (repeatable), by watching the runs where that is needed
    #[arg(long, value_name = "NAME")]
    property: Vec<String>,

    /// Runs at a time [default: one for each processor]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

#[derive(Args)]
#[command(next_help_heading = "Search for the worst")]
struct Adversary {
    /// Look for the ids and the schedule that cost most, instead of measuring usual runs
    #[arg(long, conflicts_with_all = ["runs", "resume", "shard", "merge", "property"])]
    adversary: bool,

    /// So many runs for each size [default: 2000]
    #[arg(long, value_name = "RUNS", requires = "adversary", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    budget: Option<u64>,

    /// What is to be as much as possible [default: messages]
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

    /// Draw the costs; - is the standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<String>,

    /// Keep every finished run in this file, and make only those that are not in it yet
    #[arg(long, value_name = "FILE", conflicts_with = "merge")]
    resume: Option<String>,

    /// Make only the i-th of k parts of the runs, into NAME-i-of-k.jsonl or the file of --resume
    #[arg(long, value_name = "i/k", value_parser = Shard::parse, conflicts_with_all = ["merge", "csv", "svg"])]
    shard: Option<Shard>,

    /// Put the parts together and show the whole
    #[arg(long, value_name = "FILES", num_args = 1.., conflicts_with_all = [
        "n", "on", "ids", "initiators", "set", "daemon", "faults", "runs", "seed", "schedule", "max_steps"
    ])]
    merge: Vec<String>,
}

/// Sizes as they were typed, and what they are.
#[derive(Clone, Debug)]
struct Sizes(Vec<u32>);

fn known_sizes(text: &str) -> Result<Sizes, String> {
    sizes(text).map(Sizes)
}

pub fn run(options: &MeasureOptions, out: &mut Output) -> Outcome {
    let read: Vec<&str> = options.file.iter().chain(&options.files.merge).map(String::as_str).collect();
    atomic_file::all_writable(&read, [&options.files.csv, &options.files.svg, &options.adversary.trace])?;
    options.to_stdout(out)?;
    if !options.files.merge.is_empty() {
        let parts = options.files.merge.iter().map(|file| Ok((file.clone(), files::read(file)?)));
        let parts = parts.collect::<Result<Vec<_>, Failure>>()?;
        let (header, samples) = merge(parts).map_err(Failure::usage)?;
        return show(options, &header, &samples, out);
    }
    let program = run::program(options.file.as_deref().unwrap_or_default(), out)?;
    run::known_properties(&program, &options.course.property)?;
    let plan = options.plan(&program)?;
    if options.adversary.adversary {
        return worst::run(options, &program, &plan, out);
    }
    let header = Header::of(&program, plan, options.files.shard);
    let mut journal = match options.journal_file(&header) {
        Some(file) => Some(files::Keeper::open(&file, &header, out)?),
        None => None,
    };
    let known = journal.as_mut().map(|journal| std::mem::take(&mut journal.known)).unwrap_or_default();
    let samples = work::samples(options, &program, &header, known, journal.as_ref(), out)?;
    if options.files.shard.is_none() {
        return show(options, &header, &samples, out);
    }
    let table = Table::of(&header, &samples);
    let Some(journal) = journal else { return Ok(body::ending(&header, &table)) };
    body::part(&header, &table, &journal.file, out)?;
    Ok(body::ending(&header, &table))
}

/// The whole, in all forms that are asked for.
fn show(options: &MeasureOptions, header: &Header, samples: &[Sample], out: &mut Output) -> Outcome {
    let table = Table::of(header, samples);
    out.finding = body::ending(header, &table) == Ending::Finding;
    if let Some(file) = &options.files.csv {
        files::write(file, &body::csv(header, &table), Form::Prose, out)?;
    }
    if let Some(file) = &options.files.svg {
        files::write(file, &crate::render::plot::svg(header, &table), Form::Page, out)?;
    }
    if out.is_json() {
        out.json(&body::MeasureBody::new(header, &table))?;
    } else {
        let measured = Measured { header, table: &table, verbose: out.verbose, look: out.look };
        let text = if out.quiet { measured.brief() } else { measured.text() };
        match options.to_stdout(out)? {
            // The standard output is another result's: whoever watches still wants to know how it went.
            true => out.note(text),
            false => out.text(text)?,
        }
    }
    Ok(body::ending(header, &table))
}

impl MeasureOptions {
    /// Does one of the results go to the standard output, in place of the table?
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

    /// Everything that is wished for, in one place.
    fn plan(&self, program: &Program) -> Result<MeasurePlan, Failure> {
        let on = match &self.instance.on {
            Some(on) => on.clone(),
            None => template::of_shape(program.assumptions.topology).into(),
        };
        let sizes = match (&self.n, template::has_holes(&on)) {
            (Some(Sizes(sizes)), true) => sizes.clone(),
            (None, true) => sizes(USUAL_SIZES).map_err(Failure::usage)?,
            (Some(_), false) => {
                return Err(Failure::usage(format!("{on} is the same for every size"))
                    .hint("write {n} where the size stands: --on 'ring({n})'"));
            }
            (None, false) => vec![topology::spec(&on)?.n()],
        };
        let ids = match &self.instance.ids {
            Some(text) => arrangements(text).map_err(|wrong| {
                Failure::usage(wrong)
                    .hint("names such as random,worst,ascending,descending, or one list of numbers")
            })?,
            // Where nobody sees ids it does not matter who has which.
            None if program.assumptions.anonymous => vec!["ascending".into()],
            None => vec!["random".into()],
        };
        let runs = self.course.runs.unwrap_or(USUAL_RUNS);
        if self.seed().checked_add(runs).is_none() {
            return Err(Failure::usage("there are not so many seeds from this one on"));
        }
        let total = (sizes.len() as u64 * ids.len() as u64).checked_mul(runs);
        if total.is_none_or(|total| total > 1 << 40) {
            return Err(Failure::usage("nobody lives to see the end of so many runs"));
        }
        // Only flags that stay the same for all runs: the others are fields of the plan.
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
            flags: others.as_words(),
        };
        for size in 0..plan.sizes.len() {
            plan.topology(size)
                .map_err(|wrong| Failure::usage(wrong).hint("--on 'ring({n})' is an example"))?;
        }
        Ok(plan)
    }

    fn others(&self) -> InstanceArgs {
        InstanceArgs {
            on: None,
            ids: None,
            initiators: self.instance.initiators.clone(),
            set: self.instance.set.clone(),
            daemon: self.instance.daemon,
            faults: self.instance.faults.clone(),
        }
    }

    /// The flags of the instance of one run.
    fn instance(&self, topology: String, ids: &str) -> InstanceArgs {
        InstanceArgs { on: Some(topology), ids: Some(ids.into()), ..self.others() }
    }

    /// Where finished runs are kept, if anywhere.
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

/// The instance of one run.
fn instance(
    options: &InstanceArgs,
    program: &Arc<Program>,
    seed: u64,
) -> Result<crate::instance::Instance, Failure> {
    options.instance(program, seed)
}

/// What an interrupt leaves open.
fn interrupted(ending: Ending, complete: bool) -> Ending {
    ending.max(if complete { Ending::Fine } else { Ending::Limit })
}
