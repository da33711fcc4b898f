//! Simplification of counterexamples: shorter, with fewer faults, on smaller networks.

use super::VerifyOptions;
use super::counterexample::{ExplainedCounterexample, OnSmaller};
use super::progress::{Limits, ProgressDisplay};
use crate::cli::output::Output;
use crate::explore::{Progress, Shortened, ViolationKind, explain};
use crate::instance::Instance;
use crate::session::{runtime_error, trace_of};
use crate::trace::show::column;
use crate::verification::faults::{Faults, faults_in_run};
use crate::verification::{Found, Shrunk, Smaller, Stage, shortest, shrink, shrink_on_instance};
use std::sync::Arc;

impl VerifyOptions {
    /// Return the counterexample for the report: simplified, explained, and, if requested, with a smaller one on a smaller network. A
    /// violation that is not claimed to be impossible is only shortened.
    pub(super) fn simplified(
        &self,
        found: &Found,
        instance: &Arc<Instance>,
        on_smaller_networks: bool,
        (limits, out): (&Limits, &Output),
    ) -> ExplainedCounterexample {
        let mut display: Option<(Stage, ProgressDisplay)> = None;
        let mut watch = |stage: Stage, progress: Option<&Progress>| {
            if display.as_ref().is_none_or(|(shown, _)| *shown != stage) {
                // A display sets the memory limit, and resets it when it is dropped.
                display = None;
                let what = match stage {
                    Stage::Shorter => "shorter: ",
                    Stage::FewerFaults => "fewer faults: ",
                    Stage::SmallerNetworks => "smaller networks: ",
                };
                display = Some((stage, ProgressDisplay::new(what, limits, &self.course, out)));
            }
            let (_, shown) = display.as_mut()?;
            shown.at(progress?)
        };
        let promised = match found.counterexample.kind {
            ViolationKind::Property(property) => {
                let p = &instance.program.properties[property];
                p.is_claimed || self.course.property.contains(&p.name)
            }
            _ => true,
        };
        // Other instances have no script.
        let is_shrunk = promised && instance.script.is_none();
        let Shrunk { mut shortened, mut why, mut faults, mut smaller } =
            match (is_shrunk, on_smaller_networks) {
                (true, true) => shrink(found, &mut watch),
                (true, false) => shrink_on_instance(found, &mut watch),
                (false, _) => {
                    Shrunk { shortened: shortest(found, &mut watch), why: None, faults: None, smaller: None }
                }
            };
        drop(display);
        let used = |smaller: &Smaller| {
            let allowed = smaller.instance.active_faults()?.budget;
            Some(faults_in_run(&smaller.instance, allowed, &smaller.shortened.counterexample))
        };
        let (mut instance, mut instead) = (Arc::clone(instance), None);
        if let Some(found) = smaller.take_if(|_| self.course.smallest) {
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
}
