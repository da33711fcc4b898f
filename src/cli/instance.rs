//! The options that determine the instance: topology, ids, initiators, parameters, daemon, faults.

use super::exit::Failure;
use super::interrupt;
use crate::input::InstanceTexts;
use crate::instance::Instance;
use crate::ir::{Daemon, FaultTexts, Program};
use crate::setup::{self, InstanceOptions};
use clap::{Args, ValueEnum};
use std::sync::Arc;

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Instance")]
pub struct InstanceArgs {
    /// Topology, such as 'ring(8)', or a file [default: a small network that the algorithm assumes]
    #[arg(long, value_name = "TOPOLOGY")]
    pub on: Option<String>,

    /// Ids by position: a list such as 3,1,4,2, or ascending, descending, random, worst, names (of the file); for `verify` also all: every arrangement
    #[arg(long, value_name = "IDS", allow_hyphen_values = true)]
    pub ids: Option<String>,

    /// Numbering of ports without labels: as-listed, or a number from 0; for `verify` also all, which explores every numbering [default: drawn from the seed]
    #[arg(long, value_name = "NUMBERING")]
    pub ports: Option<String>,

    /// Processes that may wake up spontaneously: all, none, random, ids such as 3,1, positions such as p0,p2, or names of the file
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
    /// Faults are crash, restart, loss, duplication, link, suspicion and lie; the algorithm must assume them. A crash may lose
    /// the messages in transit from the process; 'crash<=1, messages survive' keeps them.
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
        Ok(setup::instantiate(program, &self.options(program, seed)?)?)
    }

    /// Return the options of the instance. Ctrl-C ends its runs and evaluations in commands that handle it.
    ///
    /// # Errors
    /// If an option is wrong.
    pub fn options(&self, program: &Program, seed: u64) -> Result<InstanceOptions, Failure> {
        let texts = InstanceTexts {
            on: self.on.clone(),
            ids: self.ids.clone(),
            ports: self.ports.clone(),
            initiators: self.initiators.clone(),
            set: self.set.clone(),
            daemon: self.daemon.map(DaemonName::daemon),
            faults: self.faults.clone(),
        };
        let mut options = texts.options(program, seed)?;
        options.settings.stop = interrupt::signal();
        Ok(options)
    }

    /// Return the options as words of a command line.
    pub fn as_words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let named = [
            ("--on", &self.on),
            ("--ids", &self.ids),
            ("--ports", &self.ports),
            ("--initiators", &self.initiators),
        ];
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
    FaultTexts::parse(text).map(|_| text.to_string())
}
