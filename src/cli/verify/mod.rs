//! `synod verify`: model checking.

pub mod memory;
mod units;
mod disagreements;
mod progress;
pub mod scenario_export;
mod readable;
mod arrangements;
mod outcomes;
mod scenario;
mod smaller_networks;
mod text;

use self::disagreements::command_line;
pub(super) use self::memory::Memory;
use self::progress::{Limits, ProgressDisplay, QUICK};
use self::units::{bytes, duration};
use super::atomic_file;
use super::exit::{ExitStatus, Failure, Outcome};
use super::instance::InstanceArgs;
use super::options::Json;
use super::output::Output;
use super::run::{known_properties, runnable, write_trace};
use crate::check::Typed;
use crate::explore::{
    DEFAULT_MAX_BYTES, DEFAULT_MAX_CONFIGURATIONS, Exploration, ExploreOptions as Search, SearchOrder,
    explore,
};
use crate::input;
use crate::instance::Instance;
use crate::ir::{Program, Scenario};
use crate::session::search_report::{DisagreementBody, ExplainedCounterexample, VerifyBody, remark_on_notes};
use crate::setup::{self, InstanceOptions};
use crate::verification::Found;
use crate::verification::arrangements::Arrangements;
use crate::verification::decidable::DecidedOn;
use crate::verification::default_network::{ExploredDefault, TooLarge};
use clap::{Args, ValueEnum};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Model-check an algorithm: explore all interleavings and choices, and check every property
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct VerifyOptions {
    /// A path, `-`, or the name of an algorithm of the library
    pub file: String,

    #[command(flatten)]
    pub instance: InstanceArgs,

    #[command(flatten)]
    pub course: SearchArgs,

    #[command(flatten)]
    pub shown: OutputOptions,

    #[command(flatten)]
    pub json: Json,
}

/// Options of the report on counterexamples.
#[derive(Args)]
#[command(next_help_heading = "Output")]
pub struct OutputOptions {
    /// Leave out the space-time diagram
    #[arg(long)]
    pub no_diagram: bool,

    /// Leave out the list of events
    #[arg(long)]
    pub no_events: bool,
}

const EXAMPLES: &str = "\
Examples:
  synod verify dolev_klawe_rodeh --on 'ring(6)' --ids random --seed 3
  synod verify voting --on 'complete(2)' --trace deadlock.trace
  synod verify ricart_agrawala --on 'complete(3)' --set entries=2 -j 2";

/// Options of the search.
#[derive(Args)]
#[command(next_help_heading = "Search")]
pub struct SearchArgs {
    /// Seed of random ids, random graphs and --order random: decimal or 0x… [default: 1]
    #[arg(long, value_name = "N", value_parser = super::options::seed)]
    pub seed: Option<u64>,

    /// Explore only the runs of this scenario: its lines happen in their order, everything else under every schedule
    ///
    /// The scenario determines network, ids, parameters, initial values, calls, wake-ups and faults. Each of these events happens
    /// at any time after those of the lines above it; after `at 3`, they happen when three rounds have ended, or at instant 3.
    /// `choose 1 at A` and `crash A before send M` determine the next such choice or send of every run. These lines, `hold`,
    /// `release` and `expect` wait until everything that is not held has come to rest. Each `expect` is checked in every run;
    /// so are the claimed invariants, orders and stable properties. `schedule told` is not possible here.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["on", "ids", "ports", "initiators", "set", "daemon", "faults", "notes", "smallest"])]
    pub scenario: Option<String>,

    /// With --scenario: each line waits until everything that is not held has come to rest, as in `synod test`
    #[arg(long)]
    pub line_by_line: bool,

    /// Check only this property, claimed or not; a violation gives exit code 1 (repeatable)
    #[arg(long, value_name = "NAME")]
    pub property: Vec<String>,

    /// List the distinct values of these expressions at the ends of runs, with numbers of final configurations: 'p0.log, p1.log'
    ///
    /// Symmetry reduction and views are off. Partial-order reduction may merge final configurations with the same values;
    /// --no-reduction counts all. Runs are not counted: many lead to one configuration.
    #[arg(long, value_name = "EXPRESSIONS")]
    pub outcomes: Option<String>,

    /// Check liveness for every outcome of the random choices, not only almost surely (with probability 1)
    #[arg(long)]
    pub surely: bool,

    /// Continue after the first violation, to decide the other properties too
    #[arg(long)]
    pub keep_going: bool,

    /// Search order
    #[arg(long, value_enum, default_value = "breadth")]
    pub order: OrderName,

    /// Disable partial-order reduction, symmetry reduction, the early receipt of ignored messages, and the omission of which processes have woken up spontaneously
    #[arg(long)]
    pub no_reduction: bool,

    /// Disable symmetry reduction: distinguish configurations that differ only in the numbering of processes
    #[arg(long)]
    pub no_symmetry: bool,

    /// Disable views: distinguish configurations that the program's `view` identifies
    #[arg(long)]
    pub no_view: bool,

    /// Let the application send up to N messages of its own, between any processes, at any time
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=8))]
    pub notes: u32,

    /// Stop at N configurations [default: 40000000]
    #[arg(long, value_name = "N")]
    pub max_configurations: Option<u64>,

    /// Search depth: at most N steps
    #[arg(long, value_name = "N")]
    pub max_depth: Option<u32>,

    /// Stop at this memory limit, such as 500M or 16G [default: 4G]
    ///
    /// On Linux, the limit applies to the resident memory of the process, including the program itself; elsewhere, to the
    /// memory of the search. The search also stops if a table has to grow and the larger copy would exceed the limit.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub max_memory: Option<usize>,

    /// Stop after this time, such as 30s, 10m or 2h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub timeout: Option<Duration>,

    /// Number of threads [default: one for each processor]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub jobs: Option<u16>,

    /// Write the counterexample to a file (.jsonl: as JSON Lines), or to the standard output (-), for `run --replay` and `trace`
    #[arg(long, value_name = "FILE", visible_alias = "save")]
    pub trace: Option<String>,

    /// Show and write the counterexample on the smallest and simplest network that has one
    #[arg(long)]
    pub smallest: bool,

    /// Write the counterexample as a scenario, which has been played; append it if FILE is the program; - prints it at the end
    #[arg(long, value_name = "FILE")]
    pub save_scenario: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OrderName {
    /// Breadth first: finds shortest counterexamples, but prefers one with fewer faults if it is found soon
    Breadth,
    /// Depth first: visits long runs early
    Depth,
    /// Random runs, each from a configuration on an earlier one (--seed): for a state space too large to explore exhaustively
    Random,
}

pub fn run(options: &VerifyOptions, out: &mut Output) -> Outcome {
    let memory = Memory::guard();
    let text = input::read_program(&options.file)?;
    let checked = input::check_without_errors(&text)?;
    let typed = checked.typed.clone();
    let program = runnable(&options.file, checked, out)?;
    let scenario = options.scenario(&program)?;
    if scenario.is_none() {
        known_properties(&program, &options.course.property)?;
    }
    let to_stdout = options.alone_on_stdout(out)?;
    options.check_results_writable()?;
    let limits = Limits::start(options.course.timeout, memory);
    let result = options.verify_program(&program, scenario, typed.as_deref(), &limits, out)?;
    let seconds = limits.seconds();
    let VerifyResult { instance, mut exploration, found, .. } = result;
    if scenario.is_none() && options.course.notes == 0 {
        remark_on_notes(&instance.program, &mut exploration.verdicts);
    }
    for file in [&options.course.trace, &options.course.save_scenario].into_iter().flatten() {
        if found.is_empty() && file != "-" {
            out.note(format!("there is no counterexample: {file} was not written"));
        }
    }
    if let (Some(file), Some(found)) = (&options.course.trace, found.first()) {
        match to_stdout {
            true => out.text(found.trace.to_text())?,
            false => write_trace(file, &found.trace)?,
        }
    }
    let expected = scenario.map(|scenario| scenario::expected_violations(scenario, &program));
    let body = VerifyBody::new(
        &instance.program,
        &instance,
        &exploration,
        &found,
        &options.course.property,
        (result.arrangements, seconds),
    );
    let body = body
        .with_disagreements(result.disagreements)
        .with_decided(result.decided)
        .with_default(result.too_large, options.course.is_limited())
        .with_scenario(options.course.scenario.as_deref(), &expected.unwrap_or_default());
    out.finding = matches!(body.ending(), ExitStatus::Finding | ExitStatus::Disagreement);
    out.disagrees = body.ending() == ExitStatus::Disagreement;
    // Results are the same on every machine. The time is not, so it goes to the standard error.
    if seconds > QUICK.as_secs_f64() {
        let bytes = memory::most_resident().unwrap_or(0).max(exploration.bytes);
        out.note(spent(
            &body,
            exploration.separate.iter().map(|search| search.configurations).sum(),
            result.searched,
            bytes,
        ));
    }
    if out.is_json() {
        out.json_as_is(&body)?;
    } else if to_stdout {
        // The trace takes the standard output, so the report goes to the standard error.
        out.note(options.text(&instance, &exploration, &found, &body, out));
    } else if out.quiet {
        out.text(options.brief(&body))?;
    } else {
        let text = options.text(&instance, &exploration, &found, &body, out);
        out.text(text)?;
    }
    if let (Some(file), Some(first), Some(shown)) =
        (&options.course.save_scenario, found.first(), body.counterexamples.first())
    {
        // The report is visible while scenarios are tried.
        out.flush()?;
        match (scenario_export::scenario(&options.file, &first.instance, shown, &first.trace), file.as_str())
        {
            (Ok(text), "-") => out.text(format!("\n{text}"))?,
            (Ok(text), file) if options.is_program(file) => {
                scenario_export::add(Path::new(file), &text)?;
                out.note(format!("appended the scenario to {file}"));
            }
            (Ok(text), file) => atomic_file::write_result(Path::new(file), &text)?,
            // A missing scenario is reported, but does not change the verdict.
            (Err(Failure::Usage(problem)), _) => out.problem(&problem),
            (Err(other), _) => return Err(other),
        }
    }
    Ok(body.ending())
}

/// The result of the search.
struct VerifyResult {
    /// The instance; with `--ids all` the last one.
    instance: Arc<Instance>,
    exploration: Exploration,
    found: Vec<ExplainedCounterexample>,
    disagreements: Vec<DisagreementBody>,
    arrangements: Option<Arrangements>,
    /// Time of the search, without the simplification of counterexamples.
    searched: Duration,
    /// Smaller networks on which the properties are decided that a separate search left undecided.
    decided: Vec<DecidedOn>,
    /// The default network, if a smaller one replaces it.
    too_large: Option<TooLarge>,
}

/// The word for every arrangement, in `--ids` and `--ports`.
const ALL: &str = "all";

/// Return the line with time and memory. `apart` is the number of configurations of separate searches for single properties. Searches that
/// simplify a counterexample, for example to fewer faults, are not counted in the rate.
fn spent(body: &VerifyBody, apart: u64, searched: Duration, bytes: usize) -> String {
    let rate = ((body.configurations + apart) as f64 / searched.as_secs_f64().max(0.001)) as u64;
    let aside = body.seconds - searched.as_secs_f64();
    let aside = match aside > QUICK.as_secs_f64() {
        true => format!(" ({aside:.2} s of them to simplify counterexamples)"),
        false => String::new(),
    };
    format!("{:.2} s{aside}, {rate} configurations/s, {} MB", body.seconds, bytes / 1_000_000)
}

impl SearchArgs {
    fn most_memory(&self) -> usize {
        self.max_memory.unwrap_or(DEFAULT_MAX_BYTES)
    }

    /// Return whether a limit of the search is given.
    fn is_limited(&self) -> bool {
        self.max_configurations.is_some() || self.max_depth.is_some() || self.max_memory.is_some()
    }

    /// Return the options of the search.
    fn search(&self) -> Search {
        let threads = || std::thread::available_parallelism().map_or(1, |n| n.get());
        Search {
            order: match self.order {
                OrderName::Breadth => SearchOrder::Breadth,
                OrderName::Depth => SearchOrder::Depth,
                OrderName::Random => SearchOrder::Chance(self.seed.unwrap_or(crate::ir::DEFAULT_SEED)),
            },
            threads: self.jobs.map_or_else(threads, usize::from),
            reduce: !self.no_reduction,
            // Outcomes may distinguish processes, and values that a view identifies.
            symmetry: !self.no_reduction && !self.no_symmetry && self.outcomes.is_none(),
            view: !self.no_view && self.outcomes.is_none(),
            relevant_history: true,
            relevant_counts: false,
            implicit_losses: true,
            dead_messages: !self.no_reduction,
            forget_wakeups: !self.no_reduction,
            notes: self.notes,
            every_outcome: self.surely,
            keep_going: self.keep_going,
            whole_or_none: false,
            max_configurations: self.max_configurations.unwrap_or(DEFAULT_MAX_CONFIGURATIONS),
            max_depth: self.max_depth,
            max_bytes: Some(self.most_memory()),
        }
    }
}

impl VerifyOptions {
    /// Check that all results can be written. A scenario may be appended to the program itself.
    fn check_results_writable(&self) -> Result<(), Failure> {
        let program = input::program_path(&self.file);
        let SearchArgs { trace, save_scenario, .. } = &self.course;
        match save_scenario.as_deref().is_some_and(|file| self.is_program(file)) {
            true => {
                atomic_file::replaceable(Path::new(&program))?;
                atomic_file::check_all_writable(&[&program], [trace])
            }
            false => atomic_file::check_all_writable(&[&program], [trace, save_scenario]),
        }
    }

    /// Whether this is the file of the program.
    fn is_program(&self, file: &str) -> bool {
        file != "-" && atomic_file::is_same(Path::new(file), Path::new(&input::program_path(&self.file)))
    }

    /// Whether the trace goes to the standard output.
    ///
    /// # Errors
    /// If several results do.
    fn alone_on_stdout(&self, out: &Output) -> Result<bool, Failure> {
        let trace = self.course.trace.as_deref() == Some("-");
        let scenario = self.course.save_scenario.as_deref() == Some("-");
        let both = |a: &str, b: &str| Failure::usage(format!("{a} and {b} both use the standard output"));
        match (out.is_json(), trace, scenario) {
            (true, _, true) => Err(both("--json", "--save-scenario -").hint("write the scenario to a file")),
            (true, true, _) => Err(both("--json", "--trace -").hint("write the trace to a file")),
            (_, true, true) => {
                Err(both("--trace -", "--save-scenario -").hint("write one of them to a file"))
            }
            (_, trace, _) => Ok(trace),
        }
    }

    /// Return the options of the instance; with `--ids all` or `--ports all`, without an arrangement.
    fn instance_options(&self, program: &Program, seed: u64) -> Result<InstanceOptions, Failure> {
        let not_all = |text: &String| text.trim() != ALL;
        let ids = self.instance.ids.clone().filter(not_all);
        let ports = self.instance.ports.clone().filter(not_all);
        let options = InstanceArgs { ids, ports, ..self.instance.clone() }.options(program, seed)?;
        Ok(InstanceOptions { to_explore: true, ..options })
    }

    /// Search for counterexamples in the runs of the program, or of a scenario.
    fn verify_program(
        &self,
        program: &Arc<Program>,
        scenario: Option<&Scenario>,
        typed: Option<&Typed>,
        limits: &Limits,
        out: &Output,
    ) -> Result<VerifyResult, Failure> {
        let seed = self.course.seed.unwrap_or(crate::ir::DEFAULT_SEED);
        if let Some(scenario) = scenario {
            // A scenario without an instance is reported below.
            let program = match crate::scenario::instance(program, scenario, &limits.stop()) {
                Ok(instance) if scenario.names.is_empty() => {
                    self.with_outcomes(typed, program, (&instance, instance.network.names()), out)?
                }
                Ok(instance) => self.with_outcomes(typed, program, (&instance, &scenario.names), out)?,
                Err(_) => program.clone(),
            };
            return self.verify_scenario(&program, scenario, limits, out);
        }
        if self.course.outcomes.is_none() {
            return self.verify_all(program, seed, limits, out);
        }
        let instance = setup::instantiate(program, &self.instance_options(program, seed)?)?;
        let program = self.with_outcomes(typed, program, (&instance, instance.network.names()), out)?;
        self.verify_all(&program, seed, limits, out)
    }

    /// Search for counterexamples, and simplify them.
    fn verify_all(
        &self,
        program: &Arc<Program>,
        seed: u64,
        limits: &Limits,
        out: &Output,
    ) -> Result<VerifyResult, Failure> {
        let mut options = self.instance_options(program, seed)?;
        options.settings.stop = limits.stop();
        if let Some(arranged) = self.arranged()? {
            return self.all_arrangements(program, &options, arranged, limits, out);
        }
        let instance = Arc::new(setup::instantiate(program, &options)?);
        out.notices(&instance.network);
        self.explore_instance(instance, options, limits, out)
    }

    /// Search on an instance for counterexamples, and simplify them.
    fn explore_instance(
        &self,
        instance: Arc<Instance>,
        options: InstanceOptions,
        limits: &Limits,
        out: &Output,
    ) -> Result<VerifyResult, Failure> {
        let seed = options.seed;
        let begun = limits.elapsed();
        let ExploredDefault { instance, options, exploration, too_large } =
            self.explore_default(instance, options, limits, out);
        let searched = limits.elapsed().saturating_sub(begun);
        let search = self.course.search();
        let simplified = |counterexample| {
            let found = Found {
                counterexample,
                exploration: &exploration,
                instance: &instance,
                options: &options,
                search: &search,
            };
            self.simplified(&found, &instance, true, (limits, out))
        };
        let found = exploration.counterexamples.iter().map(simplified).collect();
        let disagreements = DisagreementBody::all(&instance, &exploration, seed, &command_line());
        let decided = self.decided(&instance, &options, &exploration, out);
        Ok(VerifyResult {
            instance,
            exploration,
            found,
            disagreements,
            arrangements: None,
            searched,
            decided,
            too_large,
        })
    }

    /// Search on one instance, up to this number of configurations.
    fn explore(&self, instance: &Instance, search: Search, limits: &Limits, out: &Output) -> Exploration {
        let properties = Some(self.course.property.as_slice()).filter(|names| !names.is_empty());
        let mut looks = ProgressDisplay::new("", limits, &self.course, out);
        explore(instance, properties, &search, &mut |progress| looks.at(progress))
    }
}
