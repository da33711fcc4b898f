//! `synod trace`: queries about traces of runs.

pub mod bodies;
pub mod cuts;
pub mod diff;
pub mod observed;

use super::exit::{ExitStatus, Failure, Outcome};
use super::options::Json;
use super::output::Output;
use super::run::{self, replay};
use crate::render::{run as render, space_time};
use crate::semantics::event::Event;
use crate::trace::export;
use crate::trace::import;
use crate::trace::observed::Modality;
use crate::{ascii, library};
use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;
use std::path::Path;

/// Show, replay, convert, compare and query traces of runs
#[derive(Args)]
pub struct TraceOptions {
    #[command(subcommand)]
    what: What,

    #[command(flatten)]
    pub json: Json,
}

#[derive(Subcommand)]
enum What {
    /// Show the events and the space-time diagram
    Show {
        /// A trace of either form or in ITF, a log for ShiViz, or `-`
        file: String,

        /// Leave out the space-time diagram
        #[arg(long)]
        no_diagram: bool,

        /// Leave out the list of events
        #[arg(long)]
        no_events: bool,
    },
    /// Replay the trace, and report whether the run is reproduced
    Replay {
        /// A trace of either form, or `-`
        file: String,

        /// The program, if it is neither in the library nor in NAME.syn beside the trace
        #[arg(long, value_name = "FILE")]
        program: Option<String>,

        /// The topology, if it came from a file
        #[arg(long, value_name = "TOPOLOGY")]
        on: Option<String>,
    },
    /// Convert the trace to another form, of Synod or of other tools
    #[command(visible_alias = "export")]
    Convert {
        /// A trace of either form, or `-`
        file: String,

        #[arg(long, value_enum)]
        to: Form,
    },
    /// Compare two runs: whether they are equal up to the order of concurrent events, and where they first diverge
    Diff(diff::Comparing),
    /// Show the local history of each process, with Lamport and vector times
    History(cuts::History),
    /// Show which of two events happened before the other, and by which messages, or that they are concurrent
    Before(cuts::Before),
    /// Show a cut: whether it is consistent, which messages cross it, the global state, a space-time diagram
    Cut(cuts::OneCut),
    /// Count the consistent cuts and the linearizations of the run
    Cuts(cuts::Counting),
    /// Show whether a global state is reachable from another, and how
    Reach(cuts::Reaching),
    /// Show whether an order of the events is a run, and whether it is consistent: a linearization
    Order(cuts::Ordering),
    /// Decide whether some observation of the run passes through a global state that satisfies a condition
    Possibly(observed::ConditionArgs),
    /// Decide whether every observation of the run passes through such a global state
    Definitely(observed::ConditionArgs),
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// Synod's text form
    Text,
    /// JSON Lines
    Jsonl,
    /// Apalache's Informal Trace Format: for Quint and the viewers of TLA+
    Itf,
    /// A log for ShiViz, with its regular expression in the first line
    Shiviz,
    /// A sequence diagram for Markdown
    Mermaid,
    /// A sequence diagram for PlantUML
    Plantuml,
    /// Chrome's trace events: open in ui.perfetto.dev
    Perfetto,
    /// The happened-before relation, as a graph for Graphviz
    Dot,
    /// A space-time diagram for LaTeX
    Tikz,
    /// A line for each event
    Csv,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ShowBody {
    header: crate::trace::Header,
    events: Vec<crate::trace::TraceEvent>,
    end: crate::trace::End,
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = r"^[0-9a-f]{16}$")))]
    hash: String,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ReplayBody {
    algorithm: String,
    reproduced: bool,
    /// Number of events that are reproduced.
    same: u64,
    events: u64,
    program_changed: bool,
    divergence: Option<String>,
}

pub fn run(options: &TraceOptions, out: &mut Output) -> Outcome {
    match &options.what {
        What::Show { file, no_diagram, no_events } => show(file, !no_events, !no_diagram, out),
        What::Replay { file, program, on } => replay_again(file, program.as_deref(), on.as_deref(), out),
        What::Convert { file, to } => convert(file, *to, out),
        What::Diff(comparing) => diff::run(comparing, out),
        What::History(options) => cuts::history(options, out),
        What::Before(options) => cuts::before(options, out),
        What::Cut(options) => cuts::cut(options, out),
        What::Cuts(options) => cuts::cuts(options, out),
        What::Reach(options) => cuts::reach(options, out),
        What::Order(options) => cuts::order(options, out),
        What::Possibly(asking) => observed::run(asking, Modality::Possibly, out),
        What::Definitely(asking) => observed::run(asking, Modality::Definitely, out),
    }
}

/// Return the options of lists and diagrams.
fn drawing(out: &Output) -> space_time::SpaceTimeOptions {
    space_time::SpaceTimeOptions {
        width: out.width(),
        list_width: out.list_width(),
        look: out.look,
        max_events: if out.verbose { usize::MAX } else { run::MOST_EVENTS },
        ..space_time::SpaceTimeOptions::default()
    }
}

fn show(file: &str, events: bool, diagram: bool, out: &mut Output) -> Outcome {
    let trace = replay::read_any(file, out)?;
    let hash = crate::trace::hash::show(trace.hash());
    if out.is_json() {
        out.json(&ShowBody { header: trace.header, events: trace.events, end: trace.end, hash })?;
        return Ok(ExitStatus::Success);
    }
    let header = &trace.header;
    let dot = if out.look.ascii { "|" } else { "·" };
    let course = match header.schedule.as_str() {
        import::UNKNOWN => String::new(),
        schedule => format!(" {dot} schedule {schedule} {dot} seed {}", header.seed),
    };
    out.line(format!("{} on {}{course}", out.bold(&header.algorithm), header.network))?;
    let drawn = drawing(out);
    if events {
        out.line("")?;
        out.text(render::events(&trace, &drawn))?;
    }
    if diagram {
        out.line("")?;
        out.text(space_time::space_time(&trace, &drawn))?;
    }
    if let Some(verdict) = &trace.header.verdict {
        out.line(format!("\n{}", trace.header.shown(verdict)))?;
    }
    let steps = match trace.events.len() {
        1 => "1 step".to_string(),
        n => format!("{n} steps"),
    };
    out.line(match trace.cycle_description() {
        Some(round) => format!("\n{round}\n\n{steps}, hash {hash}"),
        None => format!("\n{} after {steps}, hash {hash}", trace.end.as_str()),
    })?;
    Ok(ExitStatus::Success)
}

fn replay_again(file: &str, program: Option<&str>, on: Option<&str>, out: &mut Output) -> Outcome {
    let trace = replay::read(file)?;
    let algorithm = &trace.header.algorithm;
    let found = match program {
        Some(program) => program.to_string(),
        None => program_found(file, algorithm)?,
    };
    let instance = replay::instance(&run::program(&found, out)?, &trace.header, on)?;
    let compared = trace.replay(&instance);
    if let Some(from) = trace.header.repeats_from.filter(|_| compared.reproduced()) {
        let events: Vec<Event> = trace.schedule().collect();
        replay::check_cycle(file, &instance, &trace.header, (&events, from), &mut [], out)?;
    }
    // A user's program that was derived from one of the library may have kept its name.
    if program.is_none() && found == *algorithm && compared.program_changed {
        out.note(format!("replayed with {algorithm} of the library; --program FILE names another program"));
    }
    if out.is_json() {
        out.json(&ReplayBody {
            algorithm: algorithm.clone(),
            reproduced: compared.reproduced(),
            same: compared.same,
            events: trace.events.len() as u64,
            program_changed: compared.program_changed,
            divergence: compared.divergence.as_ref().map(|divergence| divergence.message.clone()),
        })?;
    } else {
        out.line(compared.summary())?;
    }
    Ok(if compared.reproduced() { ExitStatus::Success } else { ExitStatus::Finding })
}

/// Return the program of a trace: the file NAME.syn beside the trace if it exists, otherwise the name of the algorithm in the library.
pub fn program_of(file: &str, algorithm: &str) -> String {
    let beside = Path::new(file).with_file_name(format!("{algorithm}.syn"));
    match file != "-" && beside.is_file() {
        true => beside.display().to_string(),
        false => algorithm.to_string(),
    }
}

/// Find the program of a trace.
///
/// # Errors
/// If there is none.
pub fn program_found(file: &str, algorithm: &str) -> Result<String, Failure> {
    let program = program_of(file, algorithm);
    if program != algorithm || library::find(algorithm).is_some() {
        return Ok(program);
    }
    let message = format!(
        "{algorithm}, the algorithm of the trace, is neither in the library nor in {algorithm}.syn beside the trace"
    );
    Err(Failure::usage(message).hint("--program FILE names the program"))
}

fn convert(file: &str, to: Form, out: &mut Output) -> Outcome {
    if out.is_json() {
        return Err(Failure::usage("`convert` has no --json").hint("--to jsonl gives JSON Lines"));
    }
    let form = match to {
        Form::Jsonl | Form::Itf | Form::Perfetto => ascii::TextFormat::Json,
        _ => ascii::TextFormat::Prose,
    };
    let trace = replay::read_any(file, out)?;
    out.in_form(in_form(&trace, to), form)?;
    Ok(ExitStatus::Success)
}

/// Convert a trace to the given form.
pub fn in_form(trace: &crate::trace::Trace, form: Form) -> String {
    match form {
        Form::Text => trace.to_text(),
        Form::Jsonl => trace.to_lines(),
        Form::Itf => trace.export(export::Form::Itf),
        Form::Shiviz => trace.export(export::Form::Shiviz),
        Form::Mermaid => trace.export(export::Form::Mermaid),
        Form::Plantuml => trace.export(export::Form::Plantuml),
        Form::Perfetto => trace.export(export::Form::Perfetto),
        Form::Dot => trace.export(export::Form::Dot),
        Form::Tikz => trace.export(export::Form::Tikz),
        Form::Csv => trace.export(export::Form::Csv),
    }
}
