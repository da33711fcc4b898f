//! The stage of a session: a text, its program, and an instance of it.

use super::ReplOptions;
use crate::check::Typed;
use crate::cli::exit::Failure;
use crate::cli::instance::{DaemonName, InstanceArgs};
use crate::cli::output::Output;
use crate::cli::run::ScheduleName;
use crate::cli::run::replay;
use crate::explore::port_seed;
use crate::input::{self, InstanceTexts, Runnable, SourceText};
use crate::instance::Instance;
use crate::ir::{DEFAULT_SEED, Program};
use crate::session::timeline::{Branch, SavedBranches};
use crate::trace::{Header, Trace};
use clap::ValueEnum;
use std::rc::Rc;
use std::sync::Arc;

/// The program of a session without a file.
const SCRATCH: &str = "algorithm scratch\nassumes complete, unique ids, knows n\n";

#[derive(Clone)]
pub struct Stage {
    /// The name given by the user; None if no file is loaded.
    pub file: Option<String>,
    pub text: SourceText,
    pub program: Arc<Program>,
    /// The same program, for questions about it.
    pub typed: Arc<Typed>,
    pub instance: Arc<Instance>,
    make: InstanceSpec,
    pub seed: u64,
    pub schedule: ScheduleName,
}

/// The specification of the instance.
#[derive(Clone)]
enum InstanceSpec {
    Options(InstanceArgs),
    /// The header of a trace, and its topology if that came from a file.
    Header(Box<Header>, Option<String>),
}

impl InstanceSpec {
    fn instance(&self, program: &Arc<Program>, seed: u64) -> Result<Instance, Failure> {
        match self {
            InstanceSpec::Options(options) => options.instance(program, seed),
            InstanceSpec::Header(header, on) => replay::instance(program, header, on.as_deref()),
        }
    }
}

/// Return an empty run.
pub fn empty_run() -> SavedBranches {
    SavedBranches { name: "main".into(), ..SavedBranches::default() }
}

impl Stage {
    /// Build the stage that the command line specifies.
    pub fn open(options: &ReplOptions, out: &mut Output) -> Result<(Rc<Stage>, SavedBranches), Failure> {
        let Some(trace) = &options.replay else {
            let make = InstanceSpec::Options(options.instance.clone());
            let seed = options.seed.unwrap_or(DEFAULT_SEED);
            let text = text(options.file.as_deref())?;
            let stage = Stage::make(options.file.clone(), text, make, seed, options.schedule, out)?;
            return Ok((Rc::new(stage), empty_run()));
        };
        let trace_of = replay::read(trace)?;
        let named = || input::program_of_trace(trace, &trace_of.header.algorithm);
        let file = options.file.clone().unwrap_or_else(named);
        let text = text(Some(&file))?;
        let on = options.instance.on.clone();
        Stage::replay((Some(file), text), (trace, &trace_of), on, options.schedule, out)
    }

    /// Open a trace on its own instance, at its end. The program is the current one, with all entered clauses, if it has the same name.
    pub fn replayed(&self, name: &str, out: &mut Output) -> Result<(Rc<Stage>, SavedBranches), Failure> {
        let trace = replay::read(name)?;
        let program = match trace.header.algorithm == self.program.name {
            true => (self.file.clone(), self.text.clone()),
            false => {
                let file = input::program_of_trace(name, &trace.header.algorithm);
                let text = text(Some(&file))?;
                (Some(file), text)
            }
        };
        Stage::replay(program, (name, &trace), None, None, out)
    }

    fn replay(
        (file, text): (Option<String>, SourceText),
        (name, trace): (&str, &Trace),
        on: Option<String>,
        schedule: Option<ScheduleName>,
        out: &mut Output,
    ) -> Result<(Rc<Stage>, SavedBranches), Failure> {
        let recorded = ScheduleName::value_variants().iter().find(|s| s.as_str() == trace.header.schedule);
        let schedule = schedule.or(recorded.copied());
        let seed = trace.header.seed;
        let make = InstanceSpec::Header(Box::new(trace.header.clone()), on);
        let stage = Stage::make(file, text, make, seed, schedule, out)?;
        let kept = stage.kept(trace, name, out);
        Ok((Rc::new(stage), kept))
    }

    /// Return the events of a trace that are reproduced on this instance.
    fn kept(&self, trace: &Trace, name: &str, out: &Output) -> SavedBranches {
        let compared = trace.replay(&self.instance);
        let remarks = trace.remarks().filter(|_| compared.reproduced()).map(|remark| format!("; {remark}"));
        out.note(format!("{name}: {}{}", compared.summary(), remarks.collect::<String>()));
        let events: Vec<_> = trace.schedule().take(compared.same as usize).collect();
        let at = events.len();
        SavedBranches { branch: Branch { events, at }, ..empty_run() }
    }

    fn make(
        file: Option<String>,
        text: SourceText,
        make: InstanceSpec,
        seed: u64,
        schedule: Option<ScheduleName>,
        out: &Output,
    ) -> Result<Stage, Failure> {
        let (program, typed) = checked(&text, file.is_some().then_some(out))?;
        let instance = Arc::new(make.instance(&program, seed)?);
        let usual = match &make {
            InstanceSpec::Options(options) if options.faults.is_some() => ScheduleName::Random,
            _ => ScheduleName::Fifo,
        };
        Ok(Stage { file, text, program, typed, instance, make, seed, schedule: schedule.unwrap_or(usual) })
    }

    /// Load another program, on the network that it assumes.
    pub fn load(&self, file: &str, out: &Output) -> Result<Stage, Failure> {
        let make = InstanceSpec::Options(InstanceArgs::default());
        Stage::make(Some(file.into()), text(Some(file))?, make, self.seed, Some(self.schedule), out)
    }

    pub fn is_scratch(&self) -> bool {
        self.file.is_none()
    }

    /// Return this stage with another text.
    ///
    /// # Errors
    /// If the text has errors, or cannot be run on this network.
    pub fn with_text(&self, text: SourceText, out: Option<&Output>) -> Result<Stage, Failure> {
        let (program, typed) = checked(&text, out)?;
        let instance = Arc::new(self.make.instance(&program, self.seed)?);
        Ok(Stage { text, program, typed, instance, ..self.clone() })
    }

    /// Return this stage with other options.
    ///
    /// # Errors
    /// If there is no such instance.
    pub fn with_options(&self, options: InstanceArgs, seed: u64) -> Result<Stage, Failure> {
        let make = InstanceSpec::Options(options);
        let instance = Arc::new(make.instance(&self.program, seed)?);
        Ok(Stage { make, seed, instance, ..self.clone() })
    }

    /// Return the options of the instance, as on the command line.
    pub fn options(&self) -> InstanceArgs {
        match &self.make {
            InstanceSpec::Options(options) => options.clone(),
            InstanceSpec::Header(header, on) => {
                let InstanceTexts { on: network, ids, ports, initiators, set, daemon, faults } =
                    InstanceTexts::of_header(header);
                let daemon = daemon.and_then(|daemon| DaemonName::from_str(daemon.as_str(), true).ok());
                InstanceArgs { on: on.clone().or(network), ids, ports, initiators, set, daemon, faults }
            }
        }
    }

    /// Return the heading: `lelann on ring(4) · ids 3, 1, 4, 2 · schedule fifo · seed 1`.
    pub fn heading(&self) -> String {
        let header = Header::of(&self.instance, &[], self.schedule.as_str(), self.seed);
        let ports = port_seed(&self.instance).map(|seed| format!(" · ports numbered from seed {seed}"));
        header.heading() + &ports.unwrap_or_default()
    }
}

/// Read a program; without a file, return the empty one.
fn text(file: Option<&str>) -> Result<SourceText, Failure> {
    match file {
        Some(file) => Ok(input::read_program(file)?),
        None => Ok(SourceText::typed("scratch", SCRATCH)),
    }
}

/// Check a program, and show its warnings if an output is given.
fn checked(text: &SourceText, out: Option<&Output>) -> Result<(Arc<Program>, Arc<Typed>), Failure> {
    let Runnable { program, typed, warnings } = input::check_runnable(text)?;
    if let Some(out) = out {
        out.diagnostics(&program.sources, &warnings);
    }
    Ok((program, typed))
}
