//! The launch: its arguments, and the program, instance and recorded run that they select.

use super::connection::Refusal;
use crate::check::Typed;
use crate::diagnostic::Diagnostic;
use crate::ids::ProcessId;
use crate::input::{self, InstanceTexts, SourceText};
use crate::instance::Instance;
use crate::ir::{DEFAULT_SEED, Daemon, Program};
use crate::prose;
use crate::scenario;
use crate::semantics::event::Event;
use crate::session::record_scenario;
use crate::simulate::Schedule;
use crate::stop::StopSignal;
use crate::trace::Trace;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;

/// The arguments of `launch`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchArguments {
    pub program: Option<String>,
    pub instance: InstanceArguments,
    pub schedule: Option<Schedule>,
    pub seed: Option<u64>,
    pub scenario: Option<String>,
    pub trace: Option<String>,
    pub stop_on_entry: bool,
    pub stop_on_violation: bool,
    /// Whether the client wants a run without breakpoints.
    pub no_debug: bool,
    /// Arguments that are unknown but similar to a known one, as sentences.
    pub doubts: Vec<String>,
}

/// The arguments that determine an instance, as texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstanceArguments {
    on: Option<String>,
    ids: Option<String>,
    ports: Option<String>,
    initiators: Option<String>,
    parameters: Vec<String>,
    daemon: Option<Daemon>,
    faults: Option<String>,
}

/// Names of all arguments.
const KNOWN: &[&str] = &[
    "program",
    "on",
    "ids",
    "ports",
    "initiators",
    "parameters",
    "daemon",
    "faults",
    "schedule",
    "seed",
    "scenario",
    "trace",
    "stopOnEntry",
    "stopOnViolation",
    "cwd",
    "noDebug",
];

impl LaunchArguments {
    /// Parse the arguments. Unknown ones are ignored: clients add their own.
    ///
    /// # Errors
    /// If one has another type or value than it must have.
    pub fn parse(arguments: &Value) -> Result<LaunchArguments, Refusal> {
        let given = Given(arguments);
        if !arguments.is_object() {
            return Err(Refusal::user("launch needs arguments, such as {\"program\": \"lelann\"}"));
        }
        let cwd = given.text("cwd", "\"/home/me/project\"")?;
        let path = |name: Option<String>| name.map(|name| within(cwd.as_deref(), name));
        let schedules = Schedule::ALL.map(Schedule::as_str);
        let schedule = given.text("schedule", "\"random\"")?;
        let daemon = given.text("daemon", "\"central\"")?;
        let seed = given.number_or_text("seed", "7 or \"0x2a\"")?;
        Ok(LaunchArguments {
            program: path(given.text("program", "\"lelann\" or \"mine.syn\"")?),
            instance: InstanceArguments {
                on: given.text("on", "\"ring(5)\"")?.map(|on| within(cwd.as_deref(), on)),
                ids: given.list_or_text("ids")?,
                ports: given.number_or_text("ports", "3 or \"as-listed\"")?,
                initiators: given.text("initiators", "\"p0,p2\"")?,
                parameters: given.parameters()?,
                daemon: one_of("daemon", daemon, &Daemon::ALL, &Daemon::ALL.map(Daemon::as_str))?,
                faults: given.text("faults", "\"crash<=1\"")?,
            },
            schedule: one_of("schedule", schedule, &Schedule::ALL, &schedules)?,
            seed: seed.map(|seed| number(&seed)).transpose()?,
            scenario: given.text("scenario", "\"three\"")?,
            trace: path(given.text("trace", "\"counterexample.trace\"")?),
            stop_on_entry: given.flag("stopOnEntry")?.unwrap_or(false),
            stop_on_violation: given.flag("stopOnViolation")?.unwrap_or(true),
            no_debug: given.flag("noDebug")?.unwrap_or(false),
            doubts: given.doubts(),
        })
    }

    /// Check that no argument contradicts one that fixes the instance.
    fn check_conflicts(&self) -> Result<(), Refusal> {
        let fixed = match (&self.trace, &self.scenario) {
            (Some(_), Some(_)) => {
                return Err(Refusal::user("launch takes either `trace` or `scenario`, not both"));
            }
            (Some(_), None) => "trace",
            (None, Some(_)) => "scenario",
            (None, None) => return Ok(()),
        };
        let own = &self.instance;
        let given = [
            ("ids", own.ids.is_some()),
            ("ports", own.ports.is_some()),
            ("initiators", own.initiators.is_some()),
            ("parameters", !own.parameters.is_empty()),
            ("daemon", own.daemon.is_some()),
            ("faults", own.faults.is_some()),
            ("seed", self.seed.is_some()),
            // The network of a trace may be a file, which `on` then names.
            ("on", own.on.is_some() && fixed == "scenario"),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((name, _)) => Err(Refusal::user(format!(
                "`{fixed}` fixes the instance, so `{name}` cannot be given with it"
            ))),
            None => Ok(()),
        }
    }
}

/// Return a path that is relative to the folder of the client, if a file is there.
fn within(cwd: Option<&str>, name: String) -> String {
    let joined = cwd.filter(|_| Path::new(&name).is_relative()).map(|cwd| Path::new(cwd).join(&name));
    joined.filter(|path| path.is_file()).map_or(name, |path| path.display().to_string())
}

fn number(text: &str) -> Result<u64, Refusal> {
    let digits = text.replace('_', "");
    let parsed = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => digits.parse(),
    };
    parsed.map_err(|_| Refusal::user(format!("`seed` must be a number from 0 to 2^64 - 1, not {text}")))
}

fn one_of<T: Copy>(
    name: &str,
    given: Option<String>,
    all: &[T],
    words: &[&str],
) -> Result<Option<T>, Refusal> {
    let Some(given) = given else { return Ok(None) };
    match words.iter().position(|word| *word == given) {
        Some(index) => Ok(Some(all[index])),
        None => Err(Refusal::user(format!("there is no {name} `{given}`")).hint(prose::available(words))),
    }
}

/// The arguments as JSON.
struct Given<'v>(&'v Value);

impl Given<'_> {
    fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    fn text(&self, name: &str, example: &str) -> Result<Option<String>, Refusal> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if !text.trim().is_empty() => Ok(Some(text.clone())),
            Some(other) => Err(wrong(name, &format!("a text such as {example}"), other)),
        }
    }

    fn flag(&self, name: &str) -> Result<Option<bool>, Refusal> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(other) => Err(wrong(name, "true or false", other)),
        }
    }

    fn number_or_text(&self, name: &str, example: &str) -> Result<Option<String>, Refusal> {
        match self.get(name) {
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
            Some(Value::String(_)) => self.text(name, example),
            None => Ok(None),
            Some(other) => Err(wrong(name, &format!("a number or a text, such as {example}"), other)),
        }
    }

    fn list_or_text(&self, name: &str) -> Result<Option<String>, Refusal> {
        let expected = "a list such as [3, 1, 2], or a text such as \"descending\"";
        match self.get(name) {
            Some(Value::Array(items)) => {
                let all: Option<Vec<String>> =
                    items.iter().map(|item| item.as_i64().map(|id| id.to_string())).collect();
                let all = all.ok_or_else(|| wrong(name, expected, &Value::Array(items.clone())))?;
                Ok(Some(all.join(",")))
            }
            Some(Value::String(_)) => self.text(name, "\"descending\""),
            None => Ok(None),
            Some(other) => Err(wrong(name, expected, other)),
        }
    }

    /// Parse the parameters: an object.
    fn parameters(&self) -> Result<Vec<String>, Refusal> {
        let expected = "an object such as {\"entries\": 2}";
        let given = match self.get("parameters") {
            None => return Ok(Vec::new()),
            Some(Value::Object(given)) => given,
            Some(other) => return Err(wrong("parameters", expected, other)),
        };
        let parameter = |(name, value): (&String, &Value)| match value {
            Value::String(text) => Ok(format!("{name}={text}")),
            Value::Number(_) | Value::Bool(_) => Ok(format!("{name}={value}")),
            other => Err(wrong(&format!("parameters.{name}"), "a number, true, false, or a text", other)),
        };
        given.iter().map(parameter).collect()
    }

    /// Return a sentence for each unknown argument that is similar to a known one.
    fn doubts(&self) -> Vec<String> {
        let known: Vec<String> = KNOWN.iter().map(|name| name.to_string()).collect();
        let unknown = self.0.as_object().into_iter().flatten().map(|(name, _)| name);
        unknown
            .filter(|name| !known.contains(name))
            .filter_map(|name| {
                let near = prose::nearest(name, &known)?;
                Some(format!("the launch argument `{name}` is unknown: did you mean `{near}`?"))
            })
            .collect()
    }
}

fn wrong(name: &str, expected: &str, given: &Value) -> Refusal {
    let given = match given {
        Value::Array(_) => "a list".to_string(),
        Value::Object(_) => "an object".to_string(),
        other => other.to_string(),
    };
    Refusal::user(format!("the launch argument `{name}` must be {expected}, not {given}"))
}

/// A program, its instance, and the run to debug.
pub struct Debuggee {
    pub text: SourceText,
    pub program: Arc<Program>,
    /// The same program, for questions about it.
    pub typed: Arc<Typed>,
    pub warnings: Vec<Diagnostic>,
    pub instance: Arc<Instance>,
    /// Names of the processes, if there are any.
    pub names: Vec<String>,
    pub schedule: Schedule,
    pub seed: u64,
    pub recorded: Option<Recorded>,
}

/// A run that was recorded before.
pub struct Recorded {
    pub events: Vec<Event>,
    /// The position at which the debugger opens it.
    pub opens_at: usize,
    /// Whether it was a scenario, which the debugger plays from the beginning.
    pub is_scenario: bool,
    /// Remarks about it for the console.
    pub remarks: Vec<String>,
    /// The verdict that it shows.
    pub verdict: Option<String>,
}

impl Debuggee {
    /// Return the name of a process, or `p3`.
    pub fn name(&self, process: ProcessId) -> String {
        self.names.get(process.index()).cloned().unwrap_or_else(|| process.to_string())
    }

    /// Build what the arguments select.
    ///
    /// # Errors
    /// If there is no such program, instance, scenario or trace.
    pub fn open(arguments: &LaunchArguments, stop: &StopSignal) -> Result<Debuggee, Refusal> {
        arguments.check_conflicts()?;
        let trace = arguments.trace.as_deref().map(input::read_recorded).transpose()?;
        let file = match (&arguments.program, &trace, &arguments.trace) {
            (Some(program), ..) => program.clone(),
            (None, Some(trace), Some(path)) => input::program_of_trace(path, &trace.header.algorithm),
            _ => {
                return Err(Refusal::user("launch needs a `program`")
                    .hint("a path, or the name of an algorithm of the library such as \"lelann\""));
            }
        };
        if file == "-" {
            return Err(Refusal::user("the standard input is for the debug adapter protocol: name a file"));
        }
        let text = input::read_program(&file)?;
        let input::Runnable { program, typed, warnings } = input::check_runnable(&text)?;
        let opened = match (&trace, &arguments.scenario) {
            (Some(trace), _) => of_trace(&program, trace, arguments, stop)?,
            (None, Some(name)) => of_scenario(&program, name, stop)?,
            (None, None) => fresh(&program, arguments, stop)?,
        };
        let Opened { instance, names, schedule, seed, recorded } = opened;
        let instance = Arc::new(instance);
        Ok(Debuggee { text, program, typed, warnings, instance, names, schedule, seed, recorded })
    }
}

struct Opened {
    instance: Instance,
    names: Vec<String>,
    schedule: Schedule,
    seed: u64,
    recorded: Option<Recorded>,
}

/// Build an instance without a recorded run.
fn fresh(program: &Arc<Program>, arguments: &LaunchArguments, stop: &StopSignal) -> Result<Opened, Refusal> {
    let own = arguments.instance.clone();
    let texts = InstanceTexts {
        on: own.on,
        ids: own.ids,
        ports: own.ports,
        initiators: own.initiators,
        set: own.parameters,
        daemon: own.daemon,
        faults: own.faults,
    };
    let seed = arguments.seed.unwrap_or(DEFAULT_SEED);
    let mut options = texts.options(program, seed)?;
    options.settings.stop = stop.clone();
    let instance = crate::setup::instantiate(program, &options).map_err(input::InputError::from)?;
    let usual = if texts.faults.is_some() { Schedule::Random } else { Schedule::Fifo };
    let names = instance.names().to_vec();
    let schedule = arguments.schedule.unwrap_or(usual);
    Ok(Opened { instance, names, schedule, seed, recorded: None })
}

fn of_trace(
    program: &Arc<Program>,
    trace: &Trace,
    arguments: &LaunchArguments,
    stop: &StopSignal,
) -> Result<Opened, Refusal> {
    let header = &trace.header;
    if header.algorithm != program.name {
        return Err(Refusal::user(format!(
            "the trace is one of {}, not of {}",
            header.algorithm, program.name
        ))
        .hint("without `program`, the debugger finds the program itself"));
    }
    let on = arguments.instance.on.as_deref().map(input::spec).transpose()?;
    let instance = input::recorded_instance(program, header, on, stop.clone())?;
    let compared = trace.replay(&instance);
    let events: Vec<Event> = trace.schedule().take(compared.same as usize).collect();
    let after = header.violated_at.and_then(|event| usize::try_from(event).ok()).map(|event| event + 1);
    let opens_at = after.unwrap_or(events.len()).min(events.len());
    let mut remarks = vec![compared.summary()];
    remarks.extend(trace.remarks().filter(|_| compared.reproduced()));
    let recorded =
        Recorded { opens_at, events, is_scenario: false, remarks, verdict: header.verdict.clone() };
    let own = Schedule::ALL.into_iter().find(|schedule| schedule.as_str() == header.schedule);
    let schedule = arguments.schedule.or(own).unwrap_or(Schedule::Fifo);
    let names = header.names.clone();
    Ok(Opened { instance, names, schedule, seed: header.seed, recorded: Some(recorded) })
}

fn of_scenario(program: &Arc<Program>, name: &str, stop: &StopSignal) -> Result<Opened, Refusal> {
    let known: Vec<String> = program.scenarios.iter().map(|scenario| scenario.name.clone()).collect();
    let Some(scenario) = program.scenarios.iter().find(|scenario| scenario.name == name) else {
        let hint = match (prose::nearest(name, &known), known.is_empty()) {
            (Some(near), _) => format!("did you mean {near}?"),
            (None, true) => format!("{} has no scenarios", program.name),
            (None, false) => format!("there are {}", known.join(", ")),
        };
        return Err(Refusal::user(format!("{} has no scenario {name}", program.name)).hint(hint));
    };
    let instance = scenario::instance(program, scenario, stop).map_err(|line| {
        let place = program.sources.near(line.span);
        Refusal::user(format!("the scenario {name} cannot be set up: {} ({place})", line.message))
    })?;
    let (played, trace) = record_scenario(program, scenario, stop);
    let events: Vec<Event> = trace.iter().flat_map(Trace::schedule).collect();
    let told = |message: &scenario::LineMessage| {
        format!("{}: {}", program.sources.near(message.span), message.message)
    };
    let mut remarks: Vec<String> = played.failures.iter().map(told).collect();
    match remarks.is_empty() {
        true => remarks.push(format!("scenario {name} passes, {}", prose::count(events.len(), "event"))),
        false => remarks.insert(0, format!("scenario {name} fails:")),
    }
    let named = scenario.names.iter().cloned();
    let names = match scenario.names.is_empty() {
        true => instance.names().to_vec(),
        false => {
            named.chain((scenario.names.len()..instance.n() as usize).map(|p| format!("p{p}"))).collect()
        }
    };
    let schedule = scenario.schedule.as_deref();
    let schedule = Schedule::ALL.into_iter().find(|known| Some(known.as_str()) == schedule);
    let recorded = Recorded { opens_at: 0, events, is_scenario: true, remarks, verdict: None };
    Ok(Opened {
        instance,
        names,
        schedule: schedule.unwrap_or(Schedule::Fifo),
        seed: scenario.seed.unwrap_or(DEFAULT_SEED),
        recorded: Some(recorded),
    })
}
