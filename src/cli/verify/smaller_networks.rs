//! Smaller networks: the one that replaces a default network that is too large, and those that decide what a limit has left open.

use super::progress::Limits;
use super::{Output, VerifyOptions};
use crate::cli::interrupt;
use crate::explore::{Exploration, Progress, StopReason};
use crate::instance::Instance;
use crate::property::{Judgement, Verdict};
use crate::setup::InstanceOptions;
use crate::verification::decidable::{DecidedOn, largest_decidable};
use crate::verification::default_network::{ExploredDefault, explore_default, is_limit};
use std::sync::Arc;

impl VerifyOptions {
    /// Explore the instance, or its default network if none is requested.
    pub(super) fn explore_default(
        &self,
        instance: Arc<Instance>,
        options: InstanceOptions,
        limits: &Limits,
        out: &Output,
    ) -> ExploredDefault {
        let usual = self.course.search();
        // Outcomes may name processes that a smaller network does not have.
        let is_fixed =
            options.topology.is_some() || self.course.outcomes.is_some() || instance.script.is_some();
        if is_fixed || self.course.is_limited() {
            let exploration = self.explore(&instance, usual, limits, out);
            return ExploredDefault { instance, options, exploration, too_large: None };
        }
        explore_default(instance, options, &usual, &|| limits.is_due(), &mut |instance, search| {
            self.explore(instance, *search, limits, out)
        })
    }

    /// Return smaller networks on which the properties are decided that a limit of the search, or of a separate search, left undecided.
    pub(super) fn decided(
        &self,
        instance: &Instance,
        options: &InstanceOptions,
        exploration: &Exploration,
        out: &Output,
    ) -> Vec<DecidedOn> {
        if instance.script.is_some() || self.course.outcomes.is_some() || out.quiet {
            return Vec::new();
        }
        let is_wanted = |v: &&Verdict| v.promised || self.course.property.contains(&v.name);
        let open =
            exploration.verdicts.iter().filter(|v| v.judgement == Judgement::Pending).filter(is_wanted);
        let open: Vec<String> = open.map(|v| v.name.clone()).collect();
        // The properties left open by each search, and the size of that search.
        let mut left: Vec<(Vec<String>, u64)> = Vec::new();
        if is_limit(exploration.stopped_by) {
            left.push((open, exploration.configurations));
        } else {
            for separate in exploration.separate.iter().filter(|separate| is_limit(separate.stopped_by)) {
                let own = open.iter().filter(|name| separate.properties.contains(name));
                left.push((own.cloned().collect(), separate.configurations));
            }
        }
        // The time limit has passed, but these searches are small.
        let mut options = options.clone();
        options.settings.stop = interrupt::signal();
        let mut watch = |_: &Progress| options.settings.stop.is_set().then_some(StopReason::Interrupted);
        let left = left.iter().filter(|(names, _)| !names.is_empty());
        left.filter_map(|(names, most)| {
            largest_decidable(instance, &options, &self.course.search(), (names, *most), &mut watch)
        })
        .collect()
    }
}
