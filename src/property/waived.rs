//! Properties of ends that an algorithm waives (`without`).

use super::reads::Reads;
use super::watch::violation;
use crate::instance::Instance;
use crate::ir::{Property, PropertyKind};
use crate::semantics::eval::{self, World};
use crate::semantics::{Configuration, History, Metrics};

/// Whether a waived `finally` is false at this end of a run. Properties of costs or of the history do not count: a
/// configuration alone does not determine them.
pub fn violates_waived_finally(instance: &Instance, configuration: &Configuration) -> bool {
    let program = &instance.program;
    let metrics = Metrics::new(program.kinds.len(), program.operations.len());
    let history = History::default();
    let world = World { configuration, metrics: &metrics, history: &history };
    let of_the_run = |p: &Property| {
        let mut reads = Reads::of(&p.body, program);
        reads.add_binders(&p.binders);
        reads.depends_on_run()
    };
    let given_up = |p: &&Property| !p.is_claimed && p.kind == PropertyKind::Finally && !of_the_run(p);
    let is_false = |p: &Property| {
        let found = eval::with_global_frame(instance, Some(world), |env| violation(p, env));
        matches!(found, Ok(Some(_)))
    };
    program.properties.iter().filter(given_up).any(is_false)
}
