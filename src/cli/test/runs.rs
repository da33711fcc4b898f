//! The runs of scenarios: shown where a scenario failed, and written as traces.

use super::super::exit::Failure;
use super::super::output::Output;
use super::super::run::write_trace;
use crate::ir::Program;
use crate::render::{self, space_time};
use crate::trace::Trace;

/// Of longer runs the first and last events are shown.
const MOST_EVENTS: usize = 60;

/// Where the trace of a scenario goes that `--trace` asks for.
pub struct Destination {
    file: String,
    written: Option<String>,
}

impl Destination {
    /// # Errors
    /// The standard output, which is taken by the results.
    pub fn new(file: &str) -> Result<Destination, Failure> {
        match file {
            "-" => Err(Failure::usage("--trace needs a file: the standard output is for the results").hint(
                "`synod trace show FILE` shows it then, `synod draw FILE -o run.html` makes a page of it",
            )),
            file => Ok(Destination { file: file.into(), written: None }),
        }
    }

    /// # Errors
    /// A second scenario, or a file that cannot be written.
    pub fn write(&mut self, scenario: &str, trace: &Trace) -> Result<(), Failure> {
        if let Some(first) = &self.written {
            let message = format!("--trace is for one scenario, but `{first}` and `{scenario}` are meant");
            return Err(Failure::usage(message).hint("`--scenario NAME` chooses one"));
        }
        self.written = Some(scenario.into());
        write_trace(&self.file, trace)
    }
}

/// Events and space-time diagram, indented.
pub fn shown(program: &Program, trace: &Trace, out: &Output) -> String {
    const INDENT: usize = 2;
    let options = space_time::SpaceTimeOptions {
        width: out.width().saturating_sub(INDENT),
        list_width: out.list_width().saturating_sub(INDENT),
        outputs: program.outputs.iter().map(|output| output.name.clone()).collect(),
        look: out.look,
        max_events: MOST_EVENTS,
        ..space_time::SpaceTimeOptions::default()
    };
    let text =
        format!("{}\n{}", render::run::events(trace, &options), space_time::space_time(trace, &options));
    let lines = text.lines().map(|line| if line.is_empty() { String::new() } else { format!("  {line}") });
    lines.collect::<Vec<String>>().join("\n").trim_end().to_string()
}
