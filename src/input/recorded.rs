//! Recorded runs: traces of Synod, and the instances on which they were recorded.

use super::error::InputError;
use super::text::{SourceText, check_without_errors, read_trace, reject_problem};
use super::value::{parse, parse_at};
use crate::check::Typed;
use crate::diagnostic::Diagnostic;
use crate::ids::ProcessId;
use crate::instance::{Instance, Settings};
use crate::ir::{Daemon, FaultTexts, Program, Slot, Value};
use crate::network::{IdsSpec, Spec};
use crate::setup::{self, Ids, Initiators, InstanceOptions};
use crate::stop::StopSignal;
use crate::trace::import::ForeignForm;
use crate::trace::{Change, Header, Trace};
use std::path::Path;
use std::sync::Arc;

/// Read a trace of either form.
///
/// # Errors
/// If the file cannot be read, is not a trace, or is one of another tool, which lacks the data for a replay.
pub fn read_recorded(file: &str) -> Result<Trace, InputError> {
    let text = read_trace(file)?;
    if let Some(form) = ForeignForm::of(&text) {
        let file = if file == "-" { "the standard input" } else { file };
        return Err(InputError::usage(format!("{file} is {}, which lacks the choices of the run", form.as_str()))
            .hint("`synod trace show` shows it; this command needs a trace of Synod, such as the one that it was exported from"));
    }
    parse_recorded(file, &text)
}

/// Parse a trace of either form; `file` is its name in messages.
///
/// # Errors
/// If the text is not a trace.
pub fn parse_recorded(file: &str, text: &str) -> Result<Trace, InputError> {
    let file = if file == "-" { "the standard input" } else { file };
    Trace::read(text).map_err(|error| {
        InputError::usage(format!("{file} is not a valid trace: {error}"))
            .hint("`synod run FILE --trace NAME` writes one")
    })
}

/// Return the program of a trace: the file NAME.syn beside the trace if it exists, otherwise the name of the algorithm in the library.
pub fn program_of_trace(trace: &str, algorithm: &str) -> String {
    let beside = Path::new(trace).with_file_name(format!("{algorithm}.syn"));
    match beside.is_file() {
        true => beside.display().to_string(),
        false => algorithm.to_string(),
    }
}

/// Build the instance on which a trace was recorded. `on` is its network, if that comes from a file: a trace contains only the name of the file.
///
/// # Errors
/// If `on` names another network than the trace, or the program cannot be instantiated on it any more.
pub fn recorded_instance(
    program: &Arc<Program>,
    header: &Header,
    on: Option<Spec>,
    stop: StopSignal,
) -> Result<Instance, InputError> {
    let recorded = Spec::parse(&header.network);
    let topology = match (on, recorded) {
        (Some(other), Ok(own)) if other != own => {
            return Err(InputError::usage(format!(
                "the trace was recorded on {own}, but --on names {other}"
            ))
            .hint("a trace contains its network; --on only names the file of a network"));
        }
        (Some(spec), _) | (None, Ok(spec)) => spec,
        (None, Err(_)) => {
            let problem =
                format!("the trace was recorded on {}, a file that it does not contain", header.network);
            return Err(InputError::usage(problem).hint("--on FILE names this file"));
        }
    };
    let mut params = Vec::new();
    for given in &header.params {
        // The comparison of the headers reports a parameter that the program no longer has.
        if let Some(param) = program.params.iter().find(|param| param.name == given.name) {
            let value = parse(program, &param.ty, &given.value);
            params.extend(value.ok().map(|value| (given.name.clone(), value)));
        }
    }
    let faults = FaultTexts::parse(&header.faults).map_err(InputError::usage)?;
    let wishes = InstanceOptions {
        topology: Some(topology),
        to_explore: false,
        ids: Ids::Spec(IdsSpec::Explicit(header.ids.clone())),
        // The topology states them.
        ports: None,
        weights: None,
        seed: header.seed,
        initiators: Initiators::All,
        settings: Settings {
            params,
            initiators: header.initiators.clone(),
            idle_clients: header.is_acted(),
            daemon: Daemon::ALL.into_iter().find(|d| header.daemon.as_deref() == Some(d.as_str())),
            scripted: header.is_acted(),
            stop,
            faults: faults.bounds,
            messages_survive: faults.messages_survive,
            ..Settings::default()
        },
    };
    if header.initially.is_empty() {
        return Ok(setup::instantiate(program, &wishes)?);
    }
    let mut instance = setup::instantiate(&Arc::new(program.with_initial_overrides()), &wishes)?;
    // The comparison of the headers reports a value that is missing here.
    instance.initially =
        header.initially.iter().filter_map(|given| initial_value(&instance, given)).collect();
    Ok(instance)
}

/// Return a variable of a process and its initial value. `None`: there is no such variable, or the text is no value of its type.
fn initial_value(instance: &Instance, given: &Change) -> Option<(ProcessId, Slot, Value)> {
    let (process, name) = given.name.split_once('.')?;
    let process = instance.processes().find(|p| p.to_string() == process)?;
    let role = &instance.program.roles[instance.role_of(process)];
    let variable = role.vars.iter().find(|variable| role.shown_name(variable) == name)?;
    let at = (&instance.network, process);
    let value = parse_at(&instance.program, at, &variable.ty, &given.value).ok()?;
    Some((process, variable.slot, value))
}

/// A checked program that can be run.
pub struct Runnable {
    pub program: Arc<Program>,
    /// The same program, for questions about it.
    pub typed: Arc<Typed>,
    pub warnings: Vec<Diagnostic>,
}

/// Check a program that is to be run.
///
/// # Errors
/// If it has errors, or is a problem.
pub fn check_runnable(text: &SourceText) -> Result<Runnable, InputError> {
    let checked = check_without_errors(text)?;
    reject_problem(&text.name, &checked)?;
    let missing = || InputError::usage(format!("{} has no algorithm", text.name));
    let (program, typed) = checked.program.map(Arc::new).zip(checked.typed).ok_or_else(missing)?;
    Ok(Runnable { program, typed, warnings: checked.diagnostics })
}
