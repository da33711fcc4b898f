//! The runs of scenarios: display of failed ones, and output as traces.

use super::super::exit::Failure;
use super::super::output::Output;
use super::super::run::write_trace;
use crate::ir::Program;
use crate::render::{self, space_time};
use crate::trace::Trace;

/// The greatest number of events that are shown: of a longer run, the first and last ones.
const MOST_EVENTS: usize = 60;

/// The file for the trace of a scenario, from `--trace`.
pub struct Destination {
    file: String,
    written: Option<String>,
}

impl Destination {
    /// Create the destination.
    ///
    /// # Errors
    /// If it is the standard output, which the results take.
    pub fn new(file: &str) -> Result<Destination, Failure> {
        match file {
            "-" => Err(Failure::usage("--trace needs a file: the results take the standard output")
                .hint("`synod trace show FILE` shows the trace, `synod draw FILE -o run.html` draws it")),
            file => Ok(Destination { file: file.into(), written: None }),
        }
    }

    /// Write the trace of a scenario.
    ///
    /// # Errors
    /// If it is the second scenario, or the file cannot be written.
    pub fn write(&mut self, scenario: &str, trace: &Trace) -> Result<(), Failure> {
        if let Some(first) = &self.written {
            let message = format!("--trace is for one scenario, but `{first}` and `{scenario}` are selected");
            return Err(Failure::usage(message).hint("`--scenario NAME` chooses one"));
        }
        self.written = Some(scenario.into());
        write_trace(&self.file, trace)
    }
}

/// Return the events and the space-time diagram of a run, indented.
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
