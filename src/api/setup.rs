//! Options of an instance.

use super::program::Program;
use crate::input::InstanceTexts;
use crate::ir::{DEFAULT_SEED, Daemon};
use std::fmt::Display;

/// An algorithm and the options of its instances. The defaults are those of the command line: a small network of the family
/// that the algorithm assumes, ids 1, 2, …, every process is an initiator, no faults, seed 1.
///
/// Options are checked by [`Setup::instantiate`].
///
/// ```
/// let election = synod::Program::library("chang_roberts")?;
/// let instance = election.on("ring(4)").ids([3, 1, 4, 2]).initiators([0, 2]).instantiate()?;
/// assert_eq!(instance.topology(), "ring(4)");
/// # Ok::<(), synod::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Setup {
    pub(crate) program: Program,
    pub(crate) texts: InstanceTexts,
    pub(crate) seed: u64,
}

impl Program {
    /// Return the default options.
    pub fn setup(&self) -> Setup {
        Setup { program: self.clone(), texts: InstanceTexts::default(), seed: DEFAULT_SEED }
    }

    /// Return the default options with this topology: see [`Setup::on`].
    pub fn on(&self, topology: impl Display) -> Setup {
        self.setup().on(topology)
    }
}

impl Setup {
    /// Return the algorithm.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Set the topology, as `--on` takes it: `ring(4)`, or the path of a file of edges.
    #[must_use]
    pub fn on(mut self, topology: impl Display) -> Setup {
        self.texts.on = Some(topology.to_string());
        self
    }

    /// Set the id of each process, by position: as many as there are processes.
    #[must_use]
    pub fn ids(self, ids: impl IntoIterator<Item = i64>) -> Setup {
        let ids: Vec<String> = ids.into_iter().map(|id| id.to_string()).collect();
        self.ids_by(&ids.join(","))
    }

    /// Set the assignment of ids: `ascending`, `descending`, `random` (by the seed), or `worst`.
    #[must_use]
    pub fn ids_by(mut self, arrangement: &str) -> Setup {
        self.texts.ids = Some(arrangement.into());
        self
    }

    /// Set the positions of the initiators: the processes that may start spontaneously.
    #[must_use]
    pub fn initiators(mut self, positions: impl IntoIterator<Item = u32>) -> Setup {
        let all: Vec<String> = positions.into_iter().map(|p| format!("p{p}")).collect();
        self.texts.initiators = Some(if all.is_empty() { "none".into() } else { all.join(",") });
        self
    }

    /// Set a parameter, in the syntax of the language: `set("entries", 2)`.
    #[must_use]
    pub fn set(mut self, parameter: &str, value: impl Display) -> Setup {
        self.texts.set.push(format!("{parameter}={value}"));
        self
    }

    /// Set the daemon, which selects the processes that step together where processes read their neighbours' variables.
    #[must_use]
    pub fn daemon(mut self, daemon: Daemon) -> Setup {
        self.texts.daemon = Some(daemon);
        self
    }

    /// Set the budget of random faults, as `--faults` takes it: `crash<=1, loss<=2`.
    #[must_use]
    pub fn faults(mut self, bounds: &str) -> Setup {
        self.texts.faults = Some(bounds.into());
        self
    }

    /// Set the seed of the random choices that determine the instance: ids, port numbers, random graphs.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Setup {
        self.seed = seed;
        self
    }
}
