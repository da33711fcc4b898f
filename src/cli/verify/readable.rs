//! Simplification of counterexamples, with its progress.

use super::VerifyOptions;
use super::progress::{Limits, ProgressDisplay};
use crate::cli::output::Output;
use crate::explore::Progress;
use crate::instance::Instance;
use crate::session::search_report::{ExplainedCounterexample, Simplification, simplified};
use crate::verification::{Found, Stage};
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
        let extent = Simplification {
            requested: &self.course.property,
            on_smaller_networks,
            smallest: self.course.smallest,
        };
        simplified(found, instance, extent, &mut watch)
    }
}
