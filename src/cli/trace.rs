//! `synod trace`: what recorded runs show.

use super::exit::{Ending, Failure, Outcome};
use super::options::Json;
use super::output::Output;
use super::{replay, run};
use crate::render::{run as render, space_time};
use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;
use std::path::Path;

/// Show, replay or convert recorded runs
#[derive(Args)]
pub struct Options {
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
    /// Print the trace in the other form
    Convert {
        /// A trace of either form, or `-`
        file: String,

        #[arg(long, value_enum)]
        to: Form,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For people
    Text,
    /// For programs: JSON Lines
    Jsonl,
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

pub fn run(options: &Options, out: &mut Output) -> Outcome {
    match &options.what {
        What::Show { file, no_diagram, no_events } => show(file, !no_events, !no_diagram, out),
        What::Replay { file, program, on } => again(file, program.as_deref(), on.as_deref(), out),
        What::Convert { file, to } => convert(file, *to, out),
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
    out.line(format!(
        "{} on {} · schedule {} · seed {}",
        out.bold(&header.algorithm),
        header.network,
        header.schedule,
        header.seed
    ))?;
    let drawn = space_time::Options {
        width: out.width(),
        list_width: out.list_width(),
        look: out.look,
        ..space_time::Options::default()
    };
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
    out.line(format!("\n{} after {steps}, hash {hash}", trace.end.word()))?;
    Ok(Ending::Fine)
}

fn again(file: &str, program: Option<&str>, on: Option<&str>, out: &mut Output) -> Outcome {
    let trace = replay::read(file)?;
    let program =
        run::program(&program.map_or_else(|| program_of(file, &trace.header.algorithm), String::from), out)?;
    let instance = replay::instance(&program, &trace.header, on)?;
    let compared = trace.replay(&instance);
    if out.is_json() {
        out.json(&ReplayBody {
            algorithm: trace.header.algorithm.clone(),
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

fn convert(file: &str, to: Form, out: &mut Output) -> Outcome {
    if out.is_json() {
        return Err(Failure::usage("--json does not go with `convert`").hint("--to jsonl gives JSON Lines"));
    }
    let trace = replay::read(file)?;
    out.text(match to {
        Form::Text => trace.to_text(),
        Form::Jsonl => trace.to_lines(),
    })?;
    Ok(Ending::Fine)
}
