//! Opening a run: an instance from the options of the command line, and a run on it.

use super::failure::Failure;
use super::instances::{CheckedText, InstanceFields, instantiate, schedule};
use super::network::NetworkBody;
use super::run::{OpenRun, Position, ViolationBody, follow};
use super::texts::ProgramFacts;
use super::{limits, script};
use crate::explore::port_seed;
use crate::input::{InstanceTexts, recorded_instance};
use crate::scenario;
use crate::session::record_scenario;
use crate::session::timeline::Timeline;
use crate::simulate::Schedule;
use crate::stop::StopSignal;
use crate::trace::{Change, Trace};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The run of `open`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunFields {
    schedule: Option<String>,
    script: Option<String>,
    trace: Option<String>,
    scenario: Option<String>,
    position: Option<u64>,
}

/// Open the run that a request describes.
pub fn open(fields: InstanceFields, run: RunFields, stop: &StopSignal) -> Result<OpenRun, Failure> {
    let Some(text) = &fields.text else { return Err(Failure::new("open: missing field `text`")) };
    let checked = CheckedText::new(fields.name.as_deref(), text)?;
    let ways = [&run.script, &run.trace, &run.scenario].into_iter().flatten().count();
    if ways > 1 {
        return Err(Failure::new("script, trace and scenario cannot be combined"));
    }
    let position = run.position;
    let mut opened = match (&run.trace, &run.scenario) {
        (Some(trace), _) => open_trace(checked, fields, trace, stop)?,
        (_, Some(scenario)) => open_scenario(checked, fields, scenario, stop)?,
        _ => {
            let faults = fields.faults.as_ref().is_some_and(|faults| !faults.trim().is_empty());
            let schedule = schedule(run.schedule.as_deref(), faults)?;
            let options = fields.options(&checked.program, fields.on.as_deref(), stop)?;
            let instance = Arc::new(instantiate(&checked.program, &options)?);
            let timeline = Timeline::new(instance, schedule, fields.seed());
            let mut opened = OpenRun::new(checked, fields, timeline);
            if let Some(text) = &run.script {
                script::follow(&mut opened.timeline, text)?;
            }
            opened
        }
    };
    if let Some(position) = position {
        opened.goto(position)?;
    }
    Ok(opened)
}

/// Open a recorded run at its end.
fn open_trace(
    checked: CheckedText,
    fields: InstanceFields,
    text: &str,
    stop: &StopSignal,
) -> Result<OpenRun, Failure> {
    let InstanceFields { on, ids, ports, initiators, parameters, daemon, faults, seed, .. } = &fields;
    let given = [on.is_some(), ids.is_some(), ports.is_some(), initiators.is_some(), daemon.is_some()];
    if given.contains(&true) || faults.is_some() || seed.is_some() || !parameters.is_empty() {
        return Err(Failure::new(
            "a trace states the options of its instance: they cannot be given beside it",
        ));
    }
    let trace =
        Trace::read(text).map_err(|error| Failure::new(format!("this is not a valid trace: {error}")))?;
    limits::EVENTS.check(trace.events.len() as u64)?;
    limits::PROCESSES.check(trace.n() as u64)?;
    let header = &trace.header;
    if header.algorithm != checked.program.name {
        let (of, own) = (&header.algorithm, &checked.program.name);
        return Err(Failure::new(format!("this is a trace of {of}, not of {own}")));
    }
    let instance = Arc::new(recorded_instance(&checked.program, header, None, stop.clone())?);
    let compared = trace.replay(&instance);
    if !compared.reproduced() {
        return Err(Failure::new(compared.summary()));
    }
    let known = Schedule::ALL.into_iter().find(|schedule| schedule.as_str() == header.schedule);
    let mut timeline = Timeline::new(instance, known.unwrap_or_default(), header.seed);
    follow(&mut timeline, trace.schedule().take(compared.same as usize))?;
    let fields = InstanceFields { text: fields.text, name: fields.name, ..InstanceFields::of_header(header) };
    let mut opened = OpenRun::new(checked, fields, timeline);
    opened.notes.extend(trace.remarks());
    Ok(opened)
}

/// Play a scenario, and open its run at the end.
fn open_scenario(
    checked: CheckedText,
    fields: InstanceFields,
    name: &str,
    stop: &StopSignal,
) -> Result<OpenRun, Failure> {
    let program = &checked.program;
    let Some(found) = program.scenarios.iter().find(|scenario| scenario.name == name) else {
        let known: Vec<String> = program.scenarios.iter().map(|scenario| scenario.name.clone()).collect();
        return Err(Failure::unknown("scenario", name, &known));
    };
    if let Some(topology) = &found.topology {
        limits::PROCESSES.check(topology.n().into())?;
    }
    let instance = scenario::instance(program, found, stop).map_err(|wrong| Failure::new(wrong.message))?;
    let (played, trace) = record_scenario(program, found, stop);
    let Some(trace) = trace else {
        let why: Vec<String> = played.failures.iter().map(|failure| failure.message.clone()).collect();
        return Err(Failure::new(why.join("; ")));
    };
    limits::EVENTS.check(trace.events.len() as u64)?;
    let seed = trace.header.seed;
    let mut timeline = Timeline::new(Arc::new(instance), Schedule::Fifo, seed);
    follow(&mut timeline, trace.schedule())?;
    let fields =
        InstanceFields { text: fields.text, name: fields.name, ..InstanceFields::of_header(&trace.header) };
    let mut opened = OpenRun::new(checked, fields, timeline);
    opened
        .notes
        .extend(played.failures.iter().map(|failure| format!("scenario {name}: {}", failure.message)));
    Ok(opened)
}

#[derive(Serialize)]
pub struct Opened {
    program: ProgramFacts,
    network: NetworkBody,
    options: Options,
    notes: Vec<String>,
    position: Position,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violation: Option<ViolationBody>,
}

#[derive(Serialize)]
struct Options {
    on: String,
    ids: String,
    initiators: Option<String>,
    parameters: Vec<Change>,
    daemon: Option<String>,
    faults: String,
    schedule: &'static str,
    seed: u64,
}

impl Opened {
    pub fn new(run: &mut OpenRun) -> Opened {
        let instance = run.timeline.instance().clone();
        let header = run.timeline.header_with_verdict();
        let texts = InstanceTexts::of_header(&header);
        let mut notes: Vec<String> = instance.network.notices().iter().map(ToString::to_string).collect();
        notes.extend(
            port_seed(&instance).map(|seed| format!("ports are numbered at random, from seed {seed}")),
        );
        notes.append(&mut run.notes.clone());
        Opened {
            program: ProgramFacts::new(&run.checked.program),
            network: NetworkBody::new(&instance),
            options: Options {
                on: header.network,
                ids: texts.ids.unwrap_or_default(),
                initiators: texts.initiators,
                parameters: header.params,
                daemon: header.daemon,
                faults: header.faults,
                schedule: run.timeline.schedule_word(),
                seed: run.timeline.seed(),
            },
            notes,
            position: run.position(),
            violation: run.violation.clone(),
        }
    }
}
