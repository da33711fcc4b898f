//! The options of an instance as texts.

use super::error::InputError;
use super::topology::spec;
use super::value;
use crate::check::prose;
use crate::instance::Instance;
use crate::ir::{Daemon, FaultTexts, Program, Value};
use crate::network::{IdsSpec, Spec};
use crate::setup::{self, Ids, Initiators, InstanceOptions};
use crate::trace::Header;
use std::sync::Arc;

/// The options that determine an instance, in the forms of the command line; all have defaults.
#[derive(Clone, Debug, Default)]
pub struct InstanceTexts {
    /// Topology, such as `ring(8)`, or a file; `None`: a small network that the algorithm assumes.
    pub on: Option<String>,
    /// Ids by position: a list, or the name of an arrangement.
    pub ids: Option<String>,
    /// The numbering of ports without labels: a number from 0, or `as-listed`.
    pub ports: Option<String>,
    /// Processes that may wake up spontaneously: `all`, `none`, `random`, ids, or positions such as `p0,p2`.
    pub initiators: Option<String>,
    /// Parameters: `NAME=VALUE`.
    pub set: Vec<String>,
    pub daemon: Option<Daemon>,
    /// The fault budget: `crash<=1, loss<=2`.
    pub faults: Option<String>,
}

impl InstanceTexts {
    /// Return the options that a trace states.
    pub fn of_header(header: &Header) -> InstanceTexts {
        InstanceTexts {
            on: Some(header.network.clone()),
            ids: Some(header.ids.iter().map(i64::to_string).collect::<Vec<_>>().join(",")),
            ports: None,
            initiators: header.initiators.as_ref().map(|list| match list.is_empty() {
                true => "none".into(),
                false => list.iter().map(|p| p.to_string()).collect::<Vec<_>>().join(","),
            }),
            set: header.params.iter().map(|p| format!("{}={}", p.name, p.value)).collect(),
            daemon: Daemon::ALL.into_iter().find(|d| header.daemon.as_deref() == Some(d.as_str())),
            faults: Some(header.faults.clone()).filter(|faults| !faults.is_empty()),
        }
    }

    /// Build the instance.
    ///
    /// # Errors
    /// If an option is wrong, or the network does not satisfy the assumptions of the algorithm.
    pub fn instance(&self, program: &Arc<Program>, seed: u64) -> Result<Instance, InputError> {
        Ok(setup::instantiate(program, &self.options(program, seed)?)?)
    }

    /// Parse the texts.
    ///
    /// # Errors
    /// If an option is wrong.
    pub fn options(&self, program: &Program, seed: u64) -> Result<InstanceOptions, InputError> {
        let topology = self.on.as_deref().map(spec).transpose()?;
        self.options_on(topology, program, seed)
    }

    /// Parse the texts but the topology, which is given. Reads no files.
    ///
    /// # Errors
    /// If an option is wrong.
    pub fn options_on(
        &self,
        topology: Option<Spec>,
        program: &Program,
        seed: u64,
    ) -> Result<InstanceOptions, InputError> {
        let mut wishes = InstanceOptions { seed, topology, ..InstanceOptions::default() };
        wishes.ids = match self.ids.as_deref().map(str::trim) {
            None => Ids::Ascending,
            Some("worst") => Ids::Worst,
            Some("names") => Ids::Names,
            Some(ids) => Ids::Spec(IdsSpec::parse(ids)?),
        };
        wishes.ports = self.ports.as_deref().map(numbering).transpose()?;
        if let Some(faults) = &self.faults {
            let faults = FaultTexts::parse(faults).map_err(InputError::usage)?;
            wishes.settings.faults = faults.bounds;
            wishes.settings.messages_survive = faults.messages_survive;
        }
        for assignment in &self.set {
            let (name, value) = parameter(program, assignment)?;
            if wishes.settings.params.iter().any(|(other, _)| *other == name) {
                return Err(InputError::usage(format!("the parameter `{name}` is given twice")));
            }
            wishes.settings.params.push((name, value));
        }
        wishes.settings.daemon = self.daemon;
        wishes.initiators = self.initiators.as_deref().map_or(Initiators::All, Initiators::parse);
        Ok(wishes)
    }
}

/// Parse the numbering of ports: a number from 0, or `as-listed`.
///
/// # Errors
/// If the text is neither.
pub fn numbering(text: &str) -> Result<u64, InputError> {
    match text.trim() {
        "as-listed" => Ok(0),
        text => text.parse().map_err(|_| {
            InputError::usage(format!("'{text}' is not a numbering of the ports"))
                .hint("--ports as-listed, or a number from 0; for `verify` also --ports all")
        }),
    }
}

fn parameter(program: &Program, assignment: &str) -> Result<(String, Value), InputError> {
    let Some((name, text)) = assignment.split_once('=') else {
        return Err(InputError::usage(format!("'{assignment}' is not of the form NAME=VALUE"))
            .hint("--set NAME=VALUE"));
    };
    let name = name.trim();
    let Some(param) = program.params.iter().find(|param| param.name == name) else {
        let known: Vec<String> = program.params.iter().map(|param| param.name.clone()).collect();
        let hint = match (prose::nearest(name, &known), known.is_empty()) {
            (Some(near), _) => format!("did you mean {near}?"),
            (None, true) => format!("{} has no parameters", program.name),
            (None, false) => prose::available(&known),
        };
        return Err(InputError::usage(format!("there is no parameter `{name}`")).hint(hint));
    };
    let value = value::parse(program, &param.ty, text.trim()).map_err(|wanted| {
        InputError::usage(format!("the parameter `{name}` cannot be {}", text.trim()))
            .hint(format!("expected {wanted}"))
    })?;
    Ok((name.into(), value))
}
