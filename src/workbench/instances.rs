//! Programs and instances from the fields of a request.

use super::failure::Failure;
use super::limits;
use super::texts::{UNNAMED, algorithm};
use crate::check::Typed;
use crate::input::InstanceTexts;
use crate::instance::Instance;
use crate::ir::{DEFAULT_SEED, Daemon, Program};
use crate::network::Spec;
use crate::setup::{self, InstanceOptions};
use crate::simulate::Schedule;
use crate::stop::StopSignal;
use crate::trace::Header;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The program of a run, and the options of its instance, as texts.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstanceFields {
    pub text: Option<String>,
    pub name: Option<String>,
    pub on: Option<String>,
    pub ids: Option<IdsField>,
    pub ports: Option<PortsField>,
    pub initiators: Option<String>,
    #[serde(default)]
    pub parameters: BTreeMap<String, ValueField>,
    pub daemon: Option<String>,
    pub faults: Option<String>,
    pub seed: Option<u64>,
}

impl InstanceFields {
    pub const NAMES: &[&str] =
        &["text", "name", "on", "ids", "ports", "initiators", "parameters", "daemon", "faults", "seed"];
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "`ids` is a list of numbers, or a text")]
pub enum IdsField {
    Numbers(Vec<i64>),
    Text(String),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "`ports` is a number or a text")]
pub enum PortsField {
    Number(u64),
    Text(String),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "a parameter is a number, a Boolean or a text")]
pub enum ValueField {
    Number(i64),
    Truth(bool),
    Text(String),
}

/// A checked program.
#[derive(Clone)]
pub struct CheckedText {
    pub program: Arc<Program>,
    pub typed: Arc<Typed>,
}

impl CheckedText {
    pub fn new(name: Option<&str>, text: &str) -> Result<CheckedText, Failure> {
        let name = name.unwrap_or(UNNAMED);
        let checked = algorithm(name, text)?;
        match (checked.program, checked.typed) {
            (Some(program), Some(typed)) => Ok(CheckedText { program: Arc::new(program), typed }),
            _ => Err(Failure::new(format!("{name} has no algorithm"))),
        }
    }
}

impl InstanceFields {
    /// Return the options in the forms of the command line, without the topology.
    pub fn texts(&self) -> Result<InstanceTexts, Failure> {
        let daemon = match &self.daemon {
            None => None,
            Some(word) => {
                let known = Daemon::ALL.map(|daemon| daemon.as_str().to_string());
                let found = Daemon::ALL.into_iter().find(|daemon| daemon.as_str() == word);
                Some(found.ok_or_else(|| Failure::unknown("daemon", word, &known))?)
            }
        };
        let set = self.parameters.iter().map(|(name, value)| match value {
            ValueField::Number(number) => format!("{name}={number}"),
            ValueField::Truth(truth) => format!("{name}={truth}"),
            ValueField::Text(text) => format!("{name}={text}"),
        });
        Ok(InstanceTexts {
            on: None,
            ids: self.ids.as_ref().map(|ids| match ids {
                IdsField::Numbers(ids) => ids.iter().map(i64::to_string).collect::<Vec<_>>().join(","),
                IdsField::Text(ids) => ids.clone(),
            }),
            ports: self.ports.as_ref().map(|ports| match ports {
                PortsField::Number(number) => number.to_string(),
                PortsField::Text(text) => text.clone(),
            }),
            initiators: self.initiators.clone(),
            set: set.collect(),
            daemon,
            faults: self.faults.clone().filter(|faults| !faults.trim().is_empty()),
        })
    }

    /// Return the same options with these ids.
    pub fn with_ids(self, ids: &str) -> InstanceFields {
        InstanceFields { ids: Some(IdsField::Text(ids.into())), ..self }
    }

    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(DEFAULT_SEED)
    }

    /// Return the options of an instance on this topology.
    pub fn options(
        &self,
        program: &Program,
        on: Option<&str>,
        stop: &StopSignal,
    ) -> Result<InstanceOptions, Failure> {
        let topology = on.map(Spec::parse).transpose()?;
        if let Some(topology) = &topology {
            limits::PROCESSES.check(topology.n().into())?;
        }
        let mut options = self.texts()?.options_on(topology, program, self.seed())?;
        options.settings.stop = stop.clone();
        Ok(options)
    }
}

/// Build an instance of limited size.
pub fn instantiate(program: &Arc<Program>, options: &InstanceOptions) -> Result<Instance, Failure> {
    if options.topology.as_ref().is_some_and(|topology| topology.n() > SMALL) {
        let network = setup::network(program, options)?;
        limits::LINKS.check(network.links().len() as u64)?;
    }
    let instance = setup::instantiate(program, options)?;
    limits::PROCESSES.check(instance.n().into())?;
    Ok(instance)
}

/// A network of so few processes has few links, too.
const SMALL: u32 = 300;

/// Return the schedule of this name, or the usual one.
pub fn schedule(name: Option<&str>, has_faults: bool) -> Result<Schedule, Failure> {
    let known = Schedule::ALL.map(|schedule| schedule.as_str().to_string());
    match name {
        None if has_faults => Ok(Schedule::Random),
        None => Ok(Schedule::Fifo),
        Some(name) => Schedule::ALL
            .into_iter()
            .find(|schedule| schedule.as_str() == name)
            .ok_or_else(|| Failure::unknown("schedule", name, &known)),
    }
}

impl InstanceFields {
    /// Return the options that a trace states.
    pub fn of_header(header: &Header) -> InstanceFields {
        let texts = InstanceTexts::of_header(header);
        let parameters = header.params.iter();
        InstanceFields {
            text: None,
            name: None,
            on: texts.on,
            ids: texts.ids.map(IdsField::Text),
            ports: None,
            initiators: texts.initiators,
            parameters: parameters.map(|p| (p.name.clone(), ValueField::Text(p.value.clone()))).collect(),
            daemon: header.daemon.clone(),
            faults: texts.faults,
            seed: Some(header.seed),
        }
    }
}
