//! Reductions: the information flow of a program, and what follows from it: views and symmetry. A vector stands for all vectors
//! equivalent to it.

pub mod shape;
pub mod flow;
pub mod view;
pub mod symmetry;
pub mod equivalence;

use crate::instance::{ExecutionModel, Instance};

/// Return whether the model allows each step to depend on one process and its inbox only.
pub fn may_be_decomposed(instance: &Instance) -> bool {
    instance.model.execution == ExecutionModel::Single && !instance.has_faults_or_time()
}
