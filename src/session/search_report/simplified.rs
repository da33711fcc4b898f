//! Simplification of counterexamples for a report: shorter, with fewer faults, on smaller networks.

use super::counterexample::{ExplainedCounterexample, OnSmaller};
use crate::explore::{Shortened, ViolationKind, explain};
use crate::instance::Instance;
use crate::session::{runtime_error, trace_of};
use crate::trace::show::column;
use crate::verification::faults::{Faults, faults_in_run};
use crate::verification::{Found, Shrunk, Smaller, Watch, shortest, shrink, shrink_on_instance};
use std::sync::Arc;

/// The extent of the simplification.
#[derive(Clone, Copy, Debug)]
pub struct Simplification<'s> {
    /// Properties that are claimed, or not claimed but requested.
    pub requested: &'s [String],
    /// Whether smaller networks are searched too.
    pub on_smaller_networks: bool,
    /// Whether a counterexample on a smaller network replaces the one on the given network.
    pub smallest: bool,
}

/// Return the counterexample for the report: simplified, explained, and, if requested, with a smaller one on a smaller network. A
/// violation that is not claimed to be impossible is only shortened.
pub fn simplified(
    found: &Found,
    instance: &Arc<Instance>,
    extent: Simplification,
    watch: Watch,
) -> ExplainedCounterexample {
    let promised = match found.counterexample.kind {
        ViolationKind::Property(property) => {
            let p = &instance.program.properties[property];
            p.is_claimed || extent.requested.contains(&p.name)
        }
        _ => true,
    };
    // Other instances have no script.
    let is_shrunk = promised && instance.script.is_none();
    let Shrunk { mut shortened, mut why, mut faults, mut smaller } =
        match (is_shrunk, extent.on_smaller_networks) {
            (true, true) => shrink(found, watch),
            (true, false) => shrink_on_instance(found, watch),
            (false, _) => {
                Shrunk { shortened: shortest(found, watch), why: None, faults: None, smaller: None }
            }
        };
    let used = |smaller: &Smaller| {
        let allowed = smaller.instance.active_faults()?.budget;
        Some(faults_in_run(&smaller.instance, allowed, &smaller.shortened.counterexample))
    };
    let (mut instance, mut instead) = (Arc::clone(instance), None);
    if let Some(found) = smaller.take_if(|_| extent.smallest) {
        faults = used(&found).map(Faults::not_minimized);
        instead = Some(shortened.counterexample.events.len());
        (instance, shortened, why) = (Arc::new(found.instance), found.shortened, found.why);
    }
    let Shortened { counterexample, left_out } = shortened;
    let seed = found.options.seed;
    let smaller = smaller.map(|s| OnSmaller {
        topology: s.instance.network.topology().into(),
        ids: s.instance.network.ids().to_vec(),
        faults: used(&s),
        trace: trace_of(&s.instance, &s.shortened.counterexample, seed),
    });
    let explanation = explain(&instance, &counterexample);
    let mut trace = trace_of(&instance, &counterexample, seed);
    let known = |name: &str| found.exploration.verdicts.iter().find(|verdict| verdict.name == name);
    let known = |name: &str| known(name).map_or_else(String::new, |verdict| verdict.why.to_string());
    let at = explanation.as_ref().and_then(|found| found.flipped_by);
    let at = at.map(|event| event as u64);
    trace.header.violated_at = at;
    match &counterexample.kind {
        ViolationKind::Property(property) => {
            let name = &instance.program.properties[*property].name;
            trace.header.violated(name, at, &why.clone().unwrap_or_else(|| known(name)));
        }
        ViolationKind::Stuck(reason) => {
            trace.header.verdict = Some(column(&format!("deadlock: {reason}")));
        }
        ViolationKind::Blocked(reason) => {
            trace.header.verdict = Some(column(&format!("blocked by a crash: {reason}")));
        }
        // The last event contains the run-time error.
        ViolationKind::Aborted(_) => {}
    }
    let went_wrong = runtime_error(&instance, &counterexample);
    ExplainedCounterexample {
        instance,
        instead,
        counterexample,
        left_out,
        trace,
        why,
        explanation,
        faults,
        went_wrong,
        smaller,
    }
}
