//! Options of `synod run`, and the parts that all kinds of runs share.

use crate::ascii::TextFormat;
use crate::check::Checked;
use crate::cli::atomic_file;
use crate::cli::exit::{ExitStatus, Failure};
use crate::cli::instance::InstanceArgs;
use crate::cli::options::{Json, seed};
use crate::cli::output::Output;
use crate::explore::port_seed;
use crate::input;
use crate::instance::Instance;
use crate::ir::{DEFAULT_SEED, Fault, Program};
use crate::render::{Look, run as render, space_time};
use crate::report::{Report, Verdict};
use crate::session::questions::properties_exist;
use crate::session::{MOST_UNASKED_EVENTS, MOST_UNASKED_PROCESSES};
use crate::simulate::Schedule;
use crate::trace::{End, Trace};
use clap::{Args, ValueEnum};
use std::path::Path;
use std::sync::Arc;

/// The greatest number of events that are listed: of a longer run, the first and last ones. `--verbose` lists all.
pub const MOST_EVENTS: usize = 60;

/// Run an algorithm, once or many times
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct RunOptions {
    /// A path, `-`, or the name of an algorithm of the library
    pub file: String,

    #[command(flatten)]
    pub instance: InstanceArgs,

    #[command(flatten)]
    pub course: Course,

    #[command(flatten)]
    pub shown: RunDisplay,

    #[command(flatten)]
    pub json: Json,
}

const EXAMPLES: &str = "\
Examples:
  synod run dolev_klawe_rodeh --on 'ring(8)' --ids random --seed 7
  synod run ricart_agrawala --set entries=2 --runs 200
  synod run mine.syn --trace mine.trace && synod run mine.syn --replay mine.trace";

/// Options of the run.
#[derive(Args)]
#[command(next_help_heading = "Run")]
pub struct Course {
    /// Seed of all random choices: decimal or 0x… [default: 1]
    #[arg(long, value_name = "N", value_parser = seed)]
    pub seed: Option<u64>,

    /// The scheduler, which chooses the next step [default: fifo for one run; random for many runs or with --faults]
    #[arg(long, value_enum, value_name = "SCHEDULE")]
    pub schedule: Option<ScheduleName>,

    /// When initiators wake up [default: scheduled]
    #[arg(long, value_enum, value_name = "WHEN")]
    pub start: Option<StartName>,

    /// Number of runs, with consecutive seeds from --seed on
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub runs: Option<u64>,

    /// End a run after N steps, or when it is known to repeat a cycle [default: ten million, or when the run has settled]
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,

    /// Check only this property (repeatable)
    #[arg(long, value_name = "NAME")]
    pub property: Vec<String>,

    /// Replay a trace, and report whether the run is reproduced
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "schedule", "runs", "max_steps", "start", "ids", "ports", "initiators", "set", "faults"])]
    pub replay: Option<String>,

    /// Number of parallel runs [default: one for each processor]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
}

/// Options of the report.
#[derive(Args)]
#[command(next_help_heading = "Output")]
pub struct RunDisplay {
    /// Write the trace to a file (.jsonl: as JSON Lines), or to the standard output (-)
    #[arg(long, value_name = "FILE", conflicts_with = "runs")]
    pub trace: Option<String>,

    /// Leave out the space-time diagram
    #[arg(long)]
    pub no_diagram: bool,

    /// Leave out the list of events
    #[arg(long)]
    pub no_events: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScheduleName {
    /// The step that was enabled first
    Fifo,
    /// A random channel, or a random process with an enabled internal step, each equally likely
    Random,
    /// The processes in turn
    #[value(alias = "round_robin")]
    RoundRobin,
    /// The step that was enabled last
    Adversary,
    /// Channels and processes by random priorities
    Priorities,
}

/// The time at which processes that may wake up spontaneously do so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StartName {
    /// Whenever the scheduler chooses it
    Scheduled,
    /// All of them before anything else happens
    Together,
}

impl ScheduleName {
    pub fn as_str(self) -> &'static str {
        self.schedule().as_str()
    }

    pub fn schedule(self) -> Schedule {
        match self {
            ScheduleName::Fifo => Schedule::Fifo,
            ScheduleName::Random => Schedule::Random,
            ScheduleName::RoundRobin => Schedule::RoundRobin,
            ScheduleName::Adversary => Schedule::Adversary,
            ScheduleName::Priorities => Schedule::Priorities,
        }
    }
}

/// Read and check an algorithm, and show its warnings.
pub fn program(file: &str, out: &Output) -> Result<Arc<Program>, Failure> {
    runnable(file, input::read_and_check(file)?, out)
}

/// Return the algorithm of a checked text, and show its warnings.
///
/// # Errors
/// If it is not an algorithm.
pub fn runnable(file: &str, checked: Checked, out: &Output) -> Result<Arc<Program>, Failure> {
    input::reject_problem(file, &checked)?;
    if !out.is_json() {
        out.diagnostics(&checked.sources, &checked.diagnostics);
    }
    let missing = || Failure::usage(format!("{file} has no algorithm"));
    checked.program.map(Arc::new).ok_or_else(missing)
}

/// Check that the program has all properties that the command line names.
///
/// # Errors
/// If it lacks one of them.
pub fn known_properties(program: &Program, wanted: &[String]) -> Result<(), Failure> {
    Ok(properties_exist(program, wanted)?)
}

/// Return the ending of a run. A finding takes precedence over a limit. A claimed property that could not be checked leaves the verdict
/// unknown, whatever the other verdicts are: exit code 0 would claim more than was checked.
pub fn ending(report: &Report) -> ExitStatus {
    let unknown = |verdict| matches!(verdict, Verdict::Pending | Verdict::NotChecked);
    let unjudged = report.properties.iter().any(|p| p.promised && unknown(p.verdict));
    match report.has_finding() {
        true => ExitStatus::Finding,
        false if unjudged || report.outcome == End::Limit => ExitStatus::Limit,
        false => ExitStatus::Success,
    }
}

impl RunOptions {
    pub fn seed(&self) -> u64 {
        self.course.seed.unwrap_or(DEFAULT_SEED)
    }

    /// Return the properties to check; None: all.
    pub fn properties(&self) -> Option<&[String]> {
        Some(self.course.property.as_slice()).filter(|names| !names.is_empty())
    }

    /// Print the report, and write the trace if requested. `beginning`: the first events of a run without a trace.
    pub fn show(
        &self,
        instance: &Instance,
        report: &Report,
        trace: Option<&Trace>,
        beginning: Option<&Trace>,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let to_stdout = self.shown.trace.as_deref() == Some("-");
        if let (Some(file), Some(trace)) = (&self.shown.trace, trace) {
            match to_stdout {
                true => out.text(trace.to_text())?,
                false => write_trace(file, trace)?,
            }
        }
        if out.is_json() {
            return out.in_form(report.to_json(), TextFormat::Json);
        }
        if to_stdout {
            // The trace takes the standard output, so the report goes to the standard error.
            let text = self.text(instance, report, None, None, out.notes, out);
            out.note(text);
            return Ok(());
        }
        match out.quiet {
            true => out.text(render::brief(report, out.look)),
            false => out.text(self.text(instance, report, trace, beginning, out.look, out)),
        }
    }

    fn text(
        &self,
        instance: &Instance,
        report: &Report,
        trace: Option<&Trace>,
        beginning: Option<&Trace>,
        look: Look,
        out: &Output,
    ) -> String {
        let outputs = instance.program.outputs.iter().map(|output| output.name.clone());
        let parts = render::RunSections {
            events: !self.shown.no_events,
            diagram: !self.shown.no_diagram && beginning.is_none(),
            variables: true,
            options: space_time::SpaceTimeOptions {
                width: out.width(),
                list_width: out.list_width(),
                outputs: outputs.collect(),
                look,
                max_events: if out.verbose { usize::MAX } else { MOST_EVENTS },
                ..space_time::SpaceTimeOptions::default()
            },
        };
        let text = render::run(report, trace.or(beginning), &parts);
        if self.course.replay.is_some() {
            return text;
        }
        // Defaults that affect the result are stated.
        let (heading, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let mut notes = String::new();
        if self.instance.on.is_none() {
            notes += "(a small network of the assumed topology; --on chooses another)\n";
        }
        if self.course.start == Some(StartName::Together) {
            notes += "(all initiators wake up before anything else happens)\n";
        }
        if trace.is_none() && self.shown.trace.is_none() && (parts.events || !self.shown.no_diagram) {
            notes += &format!(
                "(only runs of at most {MOST_UNASKED_EVENTS} events and {MOST_UNASKED_PROCESSES} processes are recorded by \
                 default; --trace FILE records any run)\n"
            );
        }
        notes += &faults_note(instance, &report.schedule);
        notes += &ports_note(instance, "--ports selects a numbering");
        format!("{heading}\n{notes}{rest}")
    }
}

/// Return a line that states a fault budget without effect, or that no fault can occur although the algorithm tolerates faults.
pub fn faults_note(instance: &Instance, schedule: &str) -> String {
    let Some(hazards) = &instance.fault_budget else { return String::new() };
    if !hazards.budget.is_empty() {
        return match schedule {
            "random" => String::new(),
            _ => "(faults occur at random moments: only with --schedule random)\n".into(),
        };
    }
    no_faults_note(instance, "in this run")
}

/// Return a line that states how ports are numbered, if that can matter and was not chosen.
pub fn ports_note(instance: &Instance, choice: &str) -> String {
    drawn_ports(port_seed(instance), choice)
}

/// Return a line that states the seed from which the ports are numbered, if there is one.
pub fn drawn_ports(seed: Option<u64>, choice: &str) -> String {
    let note = |seed| format!("(ports are numbered at random, from seed {seed}; {choice})\n");
    seed.map_or_else(String::new, note)
}

/// Return a line that no fault occurs, if the algorithm assumes faults and the fault budget is empty.
pub fn no_faults_note(instance: &Instance, place: &str) -> String {
    let none = instance.fault_budget.as_ref().filter(|hazards| hazards.budget.is_empty());
    let fault = none.and_then(|hazards| Fault::ALL.into_iter().find(|fault| hazards.allows(*fault)));
    let note = |fault: Fault| format!("(no faults {place}; --faults '{}<=1' allows some)\n", fault.as_str());
    fault.map_or_else(String::new, note)
}

/// Write a trace in the form that the ending of the file determines.
pub fn write_trace(file: &str, trace: &Trace) -> Result<(), Failure> {
    let text = if file.ends_with(".jsonl") { trace.to_lines() } else { trace.to_text() };
    atomic_file::write_result(Path::new(file), &text)
}
