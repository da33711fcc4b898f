//! `synod trace`: what recorded runs show.

mod bodies;
pub mod cuts;
mod diff;
mod observed;

use super::exit::{Ending, Failure, Outcome};
use super::options::Json;
use super::output::Output;
use super::{replay, run};
use crate::render::{run as render, space_time};
use crate::semantics::event::Event;
use crate::trace::export;
use crate::trace::observed::Modality;
use crate::{ascii, library};
use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;
use std::path::Path;

/// Recorded runs: shown, replayed, compared, cut, and asked about
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
        /// A trace of either form, or `-`
        file: String,

        /// Leave out the space-time diagram
        #[arg(long)]
        no_diagram: bool,

        /// Leave out the list of events
        #[arg(long)]
        no_events: bool,
    },
    /// Take the same steps again, and say whether all went as then
    Replay {
        /// A trace of either form, or `-`
        file: String,

        /// The program, where it is not in the library and not NAME.syn beside the trace
        #[arg(long, value_name = "FILE")]
        program: Option<String>,

        /// The topology, where it came from a file
        #[arg(long, value_name = "TOPOLOGY")]
        on: Option<String>,
    },
    /// Print the trace in another form: of Synod, or of other tools
    #[command(visible_alias = "export")]
    Convert {
        /// A trace of either form, or `-`
        file: String,

        #[arg(long, value_enum)]
        to: Form,
    },
    /// Compare two runs: are they equal up to the order of concurrent events, and where do they first part?
    Diff(diff::Comparing),
    /// Show the local history of each process, with Lamport and vector times
    History(cuts::History),
    /// Say which of two events happened before the other, and by which messages, or that they are concurrent
    Before(cuts::Before),
    /// Show a cut: whether it is consistent, which messages cross it, the global state, a drawing
    Cut(cuts::OneCut),
    /// Count the consistent cuts and the linearizations of the run
    Cuts(cuts::Counting),
    /// Say whether a global state can be reached from another, and how
    Reach(cuts::Reaching),
    /// Say whether an order of the events is a run, and a consistent one: a linearization
    Order(cuts::Ordering),
    /// Ask whether some observation of the run passes through a global state where a condition holds
    Possibly(observed::Asking),
    /// Ask whether every observation does
    Definitely(observed::Asking),
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// For people
    Text,
    /// For programs: JSON Lines
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
    /// Which event happened before which, as a graph for Graphviz
    Dot,
    /// A space-time diagram for LaTeX
    Tikz,
    /// A line for each event
    Csv,
}

#[derive(Serialize)]
struct ShowBody {
    header: crate::trace::Header,
    events: Vec<crate::trace::TraceEvent>,
    end: crate::trace::End,
    hash: String,
}

#[derive(Serialize)]
struct ReplayBody {
    algorithm: String,
    reproduced: bool,
    /// Events that went as recorded.
    same: u64,
    events: u64,
    program_changed: bool,
    divergence: Option<String>,
}

pub fn run(options: &TraceOptions, out: &mut Output) -> Outcome {
    match &options.what {
        What::Show { file, no_diagram, no_events } => show(file, !no_events, !no_diagram, out),
        What::Replay { file, program, on } => again(file, program.as_deref(), on.as_deref(), out),
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

/// How things are drawn here.
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
    let trace = replay::read(file)?;
    let hash = crate::trace::hash::show(trace.hash());
    if out.is_json() {
        out.json(&ShowBody { header: trace.header, events: trace.events, end: trace.end, hash })?;
        return Ok(Ending::Fine);
    }
    let header = &trace.header;
    let dot = if out.look.ascii { "|" } else { "·" };
    out.line(format!(
        "{} on {} {dot} schedule {} {dot} seed {}",
        out.bold(&header.algorithm),
        header.network,
        header.schedule,
        header.seed
    ))?;
    let drawn = drawing(out);
    if events {
        out.line("")?;
        out.text(render::events(&trace, &drawn))?;
    }
    if diagram {
        out.line("")?;
        out.text(space_time::space_time(&trace, &drawn))?;
    }
    let steps = match trace.events.len() {
        1 => "1 step".to_string(),
        n => format!("{n} steps"),
    };
    out.line(match trace.round() {
        Some(round) => format!("\n{round}\n\n{steps}, hash {hash}"),
        None => format!("\n{} after {steps}, hash {hash}", trace.end.as_str()),
    })?;
    Ok(Ending::Fine)
}

fn again(file: &str, program: Option<&str>, on: Option<&str>, out: &mut Output) -> Outcome {
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
        replay::repeats(file, &instance, &trace.header, (&events, from), &mut [], out)?;
    }
    // A program of one's own may have kept the name of the library's that it was made from.
    if program.is_none() && found == *algorithm && compared.program_changed {
        out.note(format!("this was {algorithm} of the library; --program FILE takes a program of yours"));
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
    Ok(if compared.reproduced() { Ending::Fine } else { Ending::Finding })
}

/// The algorithm of a trace: a file of its name beside it, else the one of the library.
pub fn program_of(file: &str, algorithm: &str) -> String {
    let beside = Path::new(file).with_file_name(format!("{algorithm}.syn"));
    match file != "-" && beside.is_file() {
        true => beside.display().to_string(),
        false => algorithm.to_string(),
    }
}

/// The same, where there has to be one.
pub fn program_found(file: &str, algorithm: &str) -> Result<String, Failure> {
    let program = program_of(file, algorithm);
    if program != algorithm || library::find(algorithm).is_some() {
        return Ok(program);
    }
    let message = format!(
        "the trace is of {algorithm}, which is neither in the library nor in {algorithm}.syn beside it"
    );
    Err(Failure::usage(message).hint("say in which file the program is: --program FILE"))
}

fn convert(file: &str, to: Form, out: &mut Output) -> Outcome {
    if out.is_json() {
        return Err(Failure::usage("--json does not go with `convert`").hint("--to jsonl gives JSON Lines"));
    }
    let form = match to {
        Form::Jsonl | Form::Itf | Form::Perfetto => ascii::Form::Json,
        _ => ascii::Form::Prose,
    };
    out.in_form(in_form(&replay::read(file)?, to), form)?;
    Ok(Ending::Fine)
}

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
