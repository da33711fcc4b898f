//! Reductions: the information flow of a program, and the equivalences that it justifies: views and symmetry. A vector stands for all
//! vectors equivalent to it. The future of a local state shows which messages are dead.

pub mod shape;
pub mod flow;
pub mod future;
pub mod wakeups;
pub mod view;
pub mod symmetry;
pub mod equivalence;

use crate::explore::reduction::flow::Flow;
use crate::instance::{ExecutionModel, Instance};

/// Return the seed from which the ports are numbered, if the program or a property of it can tell one numbering from another. `None`: it
/// cannot, or the topology determines the numbering.
pub fn port_seed(instance: &Instance) -> Option<u64> {
    let seed = instance.network.port_seed()?;
    let mut flow = Flow::of(instance);
    let tells = flow.distinguished().ports
        || instance.program.properties.iter().any(|property| flow.of_property(property).told.ports);
    tells.then_some(seed)
}

/// Return whether the model allows each step to depend on one process and its inbox only.
pub fn may_be_decomposed(instance: &Instance) -> bool {
    instance.model.execution == ExecutionModel::Single && !instance.has_faults_or_time()
}
