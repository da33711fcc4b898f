//! Comparisons of Synod with the specification.

mod by_hand;

pub mod configurations;
mod random_liveness;
pub mod verdicts;

mod paths;
pub mod runs;
mod shown;

use crate::specification::configuration::{Configuration, Faults};
use crate::specification::explore::explore;
use crate::specification::graph::Graph;
use crate::specification::module::{Find, Program};
use crate::specification::network::{self, Settings, System};
use crate::specification::value::{Failure, Value};
use synod::internals::instance::Instance;
use synod::internals::ir::Fault;

/// The networks on which the programs of the repository are compared.
pub const NETWORKS: [&str; 18] = [
    "ring(1)",
    "ring(2)",
    "ring(3)",
    "complete(1)",
    "complete(2)",
    "complete(3)",
    "star(1)",
    "star(2)",
    "tree(2)",
    "tree(3)",
    "line(1)",
    "line(2)",
    "line(3)",
    "mesh(1, 2)",
    "mesh(2, 2)",
    "torus(2, 2)",
    "hypercube(1)",
    "hypercube(2)",
];

/// The fault budget, and the daemon.
#[derive(Clone, Copy, Debug, Default)]
pub struct Case<'a> {
    pub faults: &'a [(Fault, u32)],
    pub daemon: Option<network::Daemon>,
}

pub fn budget(faults: &[(Fault, u32)]) -> Faults {
    let of = |kind: Fault| faults.iter().find(|(fault, _)| *fault == kind).map_or(0, |(_, count)| *count);
    Faults {
        crash: of(Fault::Crash),
        restart: of(Fault::Restart),
        loss: of(Fault::Loss),
        duplication: of(Fault::Duplication),
        link: of(Fault::Link),
        suspicion: of(Fault::Suspicion),
        lie: of(Fault::OracleError),
    }
}

/// Return the specification's instance and all its steps; None if it has more than `most` configurations.
pub fn specified_graph(
    text: &str,
    find: Find<'_>,
    instance: &Instance,
    case: &Case<'_>,
    most: usize,
) -> Result<Option<(System, Graph<Configuration, Value>)>, Failure> {
    let system = system(text, find, instance, case)?;
    Ok(explore(&system, most)?.map(|graph| (system, graph)))
}

/// Return the specification's instance.
pub fn system(text: &str, find: Find<'_>, instance: &Instance, case: &Case<'_>) -> Result<System, Failure> {
    let program = Program::link(text, find).map_err(Failure::Unspecified)?;
    let initiators = instance.initiators.clone();
    let settings =
        Settings { initiators, faults: budget(case.faults), daemon: case.daemon, ..Settings::default() };
    System::new(program, instance.network.clone(), settings)
}
