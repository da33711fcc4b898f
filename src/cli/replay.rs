//! Running a recorded trace again: `synod run --replay` and `synod trace replay`.

use super::exit::{Ending, Failure, Outcome};
use super::instance::failure;
use super::output::Output;
use super::run::{Options, ending};
use super::watched::{Keep, Watchers};
use super::{account, input, topology, value};
use crate::instance::{Instance, Settings};
use crate::ir::{Budget, Program, Value};
use crate::network::{IdsSpec, Spec};
use crate::semantics::event::{Effects, Event};
use crate::semantics::{Configuration, Machine};
use crate::setup::{self, Ids, Wishes};
use crate::simulate::{self, Held, Run, classify};
use crate::trace::replay::{Machine as Stepper, Refusal, Replay, replay};
use crate::trace::{End, Header, Trace, View};
use std::sync::Arc;

/// Reads a trace of either form.
///
/// # Errors
/// When the file cannot be read, or is no trace.
pub fn read(file: &str) -> Result<Trace, Failure> {
    let text = input::text(file)?;
    Trace::read(&text).map_err(|error| {
        Failure::usage(format!("{file} is not a trace that can be read: {error}"))
            .hint("`synod run FILE --trace NAME` writes one")
    })
}

/// The instance a trace was made on. `on` replaces its topology: a graph from a file is only named in it.
///
/// # Errors
/// When the program cannot be run on it any more.
pub fn instance(program: &Arc<Program>, header: &Header, on: Option<&str>) -> Result<Instance, Failure> {
    let topology = match on {
        Some(on) => topology::spec(on)?,
        None => Spec::parse(&header.network).map_err(|_| {
            Failure::usage(format!("the trace was made on {}, whose file is not part of it", header.network))
                .hint("--on FILE says where it is")
        })?,
    };
    let mut params = Vec::new();
    for given in &header.params {
        // A parameter that is gone is found by the comparison of the headers, which says so.
        if let Some(param) = program.params.iter().find(|param| param.name == given.name) {
            let value = value::parse(program, &param.ty, &given.value);
            params.extend(value.ok().map(|value| (given.name.clone(), value)));
        }
    }
    let wishes = Wishes {
        topology: Some(topology),
        ids: Ids::Spec(IdsSpec::Explicit(header.ids.clone())),
        weights: None,
        seed: header.seed,
        settings: Settings {
            params,
            initiators: header.initiators.clone(),
            idle_clients: header.is_acted(),
            scripted: header.is_acted(),
            faults: Budget::parse(&header.faults).map_err(Failure::usage)?,
            ..Settings::default()
        },
    };
    setup::instantiate(program, &wishes).map_err(failure)
}

/// Does everything again and compares.
pub fn compare(instance: &Instance, trace: &Trace) -> Replay {
    let mut engine =
        Engine { instance, machine: Machine::new(instance), configuration: Configuration::initial(instance) };
    engine.machine.recording = true;
    replay(instance, trace, &mut engine)
}

/// `synod run FILE --replay TRACE`
pub fn run(options: &Options, program: &Arc<Program>, file: &str, out: &mut Output) -> Outcome {
    let trace = read(file)?;
    let instance = instance(program, &trace.header, options.instance.on.as_deref())?;
    let compared = compare(&instance, &trace);
    out.note(format!("replay of {file}: {}", compared.summary()));
    let (schedule, seed) = (trace.header.schedule.as_str(), trace.header.seed);
    let mut configuration = Configuration::initial(&instance);
    let mut watchers =
        Watchers::new(&instance, options.properties(), Keep::Always, schedule, seed, &configuration);
    // As far as it goes: a divergence is no reason to show nothing.
    let mut events: Vec<Event> = trace.schedule().take(compared.same as usize).collect();
    let run = loop {
        match simulate::replay(&instance, &mut configuration, &events, &mut watchers) {
            Ok(metrics) => {
                let complete = compared.reproduced() && trace.end != End::Limit;
                let outcome = match complete {
                    true => classify(&instance, &configuration, &Held::default()),
                    false => simulate::Outcome::Stopped,
                };
                break Run { outcome, steps: events.len() as u64, configuration, metrics };
            }
            Err(abort) if abort.step.is_some_and(|step| step + 1 == events.len() as u64) => {
                // The last step was an error then and is one now. All before it can be watched.
                events.pop();
                configuration = Configuration::initial(&instance);
                watchers = Watchers::new(
                    &instance,
                    options.properties(),
                    Keep::Always,
                    schedule,
                    seed,
                    &configuration,
                );
            }
            Err(abort) => return Err(Failure::usage(format!("the replay failed: {}", abort.message))),
        }
    };
    let watched = watchers.finish(run);
    let report = account::report(&instance, &watched, schedule, seed);
    options.show(&instance, &report, watched.trace.as_ref(), out)?;
    Ok(if compared.reproduced() { ending(&report) } else { Ending::Finding })
}

impl Header {
    /// Did a scenario call the operations, and not the clients?
    fn is_acted(&self) -> bool {
        !self.names.is_empty()
    }
}

/// The engine with a configuration.
struct Engine<'i> {
    instance: &'i Instance,
    machine: Machine,
    configuration: Configuration,
}

impl View for Engine<'_> {
    fn words(&self, process: u32) -> &[i64] {
        self.configuration.words(process)
    }

    fn values(&self, process: u32) -> &[Value] {
        self.configuration.values(process)
    }

    fn depth(&self, process: u32) -> u64 {
        self.configuration.depth(process).into()
    }

    fn message(&self, channel: u32, id: u32) -> Option<(&[i64], &[Value])> {
        View::message(&self.configuration, channel, id)
    }

    fn now(&self) -> Option<u64> {
        View::now(&self.configuration)
    }
}

impl Stepper for Engine<'_> {
    fn step(&mut self, event: &Event) -> Result<Effects, Refusal> {
        match self.machine.replay(self.instance, &mut self.configuration, event) {
            Ok(()) => Ok(std::mem::take(&mut self.machine.effects)),
            Err(abort) if abort.step.is_none() && abort.span == Default::default() => {
                Err(Refusal::NotEnabled)
            }
            Err(abort) => Err(Refusal::Abort(abort.message)),
        }
    }
}
