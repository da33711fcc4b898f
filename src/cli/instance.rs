//! The options that determine the instance: topology, ids, initiators, parameters, daemon, faults.

use super::exit::Failure;
use super::{interrupt, topology, value};
use crate::check::prose;
use crate::instance::{Instance, Settings};
use crate::ir::{Budget, Daemon, Fault, Program};
use crate::network::{IdsSpec, Network};
use crate::setup::{self, Ids, InstanceOptions, SetupError};
use crate::stop::StopSignal;
use clap::{Args, ValueEnum};
use std::sync::Arc;

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Instance")]
pub struct InstanceArgs {
    /// Topology, such as 'ring(8)', or a file [default: a small network that the algorithm assumes]
    #[arg(long, value_name = "TOPOLOGY")]
    pub on: Option<String>,

    /// Ids by position: a list such as 3,1,4,2, or ascending, descending, random, worst; for `verify` also all: every arrangement
    #[arg(long, value_name = "IDS", allow_hyphen_values = true)]
    pub ids: Option<String>,

    /// Processes that may wake up spontaneously: all, none, random, ids such as 3,1, or positions such as p0,p2
    #[arg(long, value_name = "PROCESSES", allow_hyphen_values = true)]
    pub initiators: Option<String>,

    /// Set a parameter of the algorithm or problem (repeatable)
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub set: Vec<String>,

    /// Which processes step together, if processes read their neighbours' variables
    #[arg(long, value_enum, value_name = "DAEMON")]
    pub daemon: Option<DaemonName>,

    /// The fault budget: faults at random moments, at most this many: 'crash<=1, loss<=2'
    ///
    /// Faults are crash, restart, loss, duplication, link, suspicion and lie; the algorithm must assume them.
    #[arg(long, value_name = "BOUNDS", value_parser = faults)]
    pub faults: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DaemonName {
    /// One enabled process at a time
    Central,
    /// All enabled processes
    Synchronous,
    /// Any of the enabled processes
    Distributed,
}

impl DaemonName {
    pub fn of(daemon: Daemon) -> DaemonName {
        match daemon {
            Daemon::Central => DaemonName::Central,
            Daemon::Synchronous => DaemonName::Synchronous,
            Daemon::Distributed => DaemonName::Distributed,
        }
    }

    fn daemon(self) -> Daemon {
        match self {
            DaemonName::Central => Daemon::Central,
            DaemonName::Synchronous => Daemon::Synchronous,
            DaemonName::Distributed => Daemon::Distributed,
        }
    }
}

impl InstanceArgs {
    /// Build the instance.
    ///
    /// # Errors
    /// If an option is wrong, or the network does not satisfy the assumptions of the algorithm.
    pub fn instance(&self, program: &Arc<Program>, seed: u64) -> Result<Instance, Failure> {
        self.instance_until(program, seed, &interrupt::signal())
    }

    /// The same; `stop` ends evaluations and runs of the instance.
    pub fn instance_until(
        &self,
        program: &Arc<Program>,
        seed: u64,
        stop: &StopSignal,
    ) -> Result<Instance, Failure> {
        let mut wishes = InstanceOptions { seed, ..InstanceOptions::default() };
        if let Some(on) = &self.on {
            wishes.topology = Some(topology::spec(on)?);
        }
        wishes.ids = match self.ids.as_deref().map(str::trim) {
            None => Ids::Ascending,
            Some("worst") => Ids::Worst,
            Some(ids) => Ids::Spec(IdsSpec::parse(ids)?),
        };
        wishes.settings.faults = self.faults();
        wishes.settings.stop = stop.clone();
        for assignment in &self.set {
            let (name, value) = parameter(program, assignment)?;
            if wishes.settings.params.iter().any(|(other, _)| *other == name) {
                return Err(Failure::usage(format!("the parameter `{name}` is given twice")));
            }
            wishes.settings.params.push((name, value));
        }
        wishes.settings.daemon = self.daemon.map(DaemonName::daemon);
        let initiators = self.initiators.as_deref().map(str::trim).filter(|text| *text != "all");
        if let Some(text) = initiators {
            // Processes can be named by id, so the ids are determined first.
            let instance = setup::instantiate(program, &wishes).map_err(failure)?;
            let chosen = initiators_of(text, &instance.network, seed)?;
            wishes.settings = Settings { initiators: Some(chosen), ..wishes.settings };
        }
        setup::instantiate(program, &wishes).map_err(failure)
    }

    /// Return the fault budget: each fault with its greatest number of occurrences.
    pub fn faults(&self) -> Vec<(Fault, u32)> {
        // The command-line parser has checked the text.
        self.faults.as_deref().map(Budget::parse).and_then(Result::ok).unwrap_or_default()
    }

    /// Return the options as words of a command line.
    pub fn as_words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let named = [("--on", &self.on), ("--ids", &self.ids), ("--initiators", &self.initiators)];
        for (flag, value) in named {
            words.extend(value.iter().flat_map(|value| [flag.to_string(), value.clone()]));
        }
        let daemon = self.daemon.map(|daemon| daemon.daemon().as_str());
        words.extend(daemon.iter().flat_map(|daemon| ["--daemon".to_string(), daemon.to_string()]));
        words.extend(self.set.iter().flat_map(|set| ["--set".into(), set.clone()]));
        words.extend(self.faults.iter().flat_map(|faults| ["--faults".into(), faults.clone()]));
        words
    }
}

pub fn faults(text: &str) -> Result<String, String> {
    Budget::parse(text).map(|_| text.to_string())
}

pub fn failure(error: SetupError) -> Failure {
    Failure::usage(error.0.join("\n       "))
}

fn parameter(program: &Program, assignment: &str) -> Result<(String, crate::ir::Value), Failure> {
    let Some((name, text)) = assignment.split_once('=') else {
        return Err(
            Failure::usage(format!("'{assignment}' is not of the form NAME=VALUE")).hint("--set NAME=VALUE")
        );
    };
    let name = name.trim();
    let Some(param) = program.params.iter().find(|param| param.name == name) else {
        let known: Vec<String> = program.params.iter().map(|param| param.name.clone()).collect();
        let hint = match (prose::nearest(name, &known), known.is_empty()) {
            (Some(near), _) => format!("did you mean {near}?"),
            (None, true) => format!("{} has no parameters", program.name),
            (None, false) => prose::available(&known),
        };
        return Err(Failure::usage(format!("there is no parameter `{name}`")).hint(hint));
    };
    let value = value::parse(program, &param.ty, text.trim()).map_err(|wanted| {
        Failure::usage(format!("the parameter `{name}` cannot be {}", text.trim()))
            .hint(format!("expected {wanted}"))
    })?;
    Ok((name.into(), value))
}

/// Return the positions of the named processes. Names are ids, or positions such as `p0`.
fn initiators_of(text: &str, network: &Network, seed: u64) -> Result<Vec<u32>, Failure> {
    let n = network.n();
    if text == "none" {
        return Ok(Vec::new());
    }
    if text == "random" {
        // A random number of random processes, at least one: the first ones of a random order.
        let order = IdsSpec::Random.resolve(n, seed);
        let places = IdsSpec::Random.resolve(n, seed.wrapping_add(1))[0];
        return Ok((0u32..).zip(order).filter(|(_, place)| *place <= places).map(|(p, _)| p).collect());
    }
    let position = |word: &str| -> Result<u32, Failure> {
        let by_position = word.strip_prefix('p').and_then(|digits| digits.parse().ok());
        let found = match by_position {
            Some(position) => Some(position).filter(|p| *p < n),
            None => word.parse().ok().and_then(|id| network.process_with_id(id)),
        };
        found.ok_or_else(|| {
            Failure::usage(format!("{} has no process {word}", network.topology()))
                .hint("initiators are all, none, random, ids such as 3,1, or positions such as p0,p2")
        })
    };
    let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    inner.split(',').map(str::trim).filter(|word| !word.is_empty()).map(position).collect()
}
