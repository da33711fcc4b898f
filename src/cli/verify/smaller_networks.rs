//! Smaller networks: the one that replaces a default network that is too large, and those that decide what a limit has left open.

use super::progress::Limits;
use super::{Output, VerifyOptions};
use crate::cli::interrupt;
use crate::explore::{Exploration, ExploreOptions as Search, Progress, StopReason};
use crate::instance::Instance;
use crate::property::{Judgement, Verdict};
use crate::session::search_report::TooLarge;
use crate::setup::InstanceOptions;
use crate::verification::decidable::{DecidedOn, largest_decidable, largest_explorable};
use std::sync::Arc;

/// Limit of configurations on a default network. If there are more, a smaller network replaces it.
const DEFAULT_NETWORK_CONFIGURATIONS: u64 = 2_000_000;

/// Limit of configurations on a default network before smaller ones are tried. Most default networks have fewer.
const QUICK_CONFIGURATIONS: u64 = 100_000;

/// Limit of configurations on a network, as a multiple of those on the next smaller one: a larger state space may well be infinite.
const MOST_GROWTH: u64 = 10_000;

/// Least limit of configurations on a network, however small the next smaller one is.
const LEAST_CONFIGURATIONS: u64 = DEFAULT_NETWORK_CONFIGURATIONS / 4;

/// Return whether a limit of configurations, memory or time ended a search.
pub(super) fn is_limit(stopped_by: Option<StopReason>) -> bool {
    use StopReason::{Configurations, Memory, Starts, Time};
    matches!(stopped_by, Some(Configurations | Memory | Starts | Time))
}

impl VerifyOptions {
    /// Explore the instance. If no network is requested and the default one is not small, explore the largest network up to it that is small
    /// enough. If there is none, explore the default one up to the usual limits.
    pub(super) fn explore_default(
        &self,
        instance: Arc<Instance>,
        options: InstanceOptions,
        limits: &Limits,
        out: &Output,
    ) -> (Arc<Instance>, InstanceOptions, Exploration, Option<TooLarge>) {
        let usual = self.course.search();
        // Outcomes may name processes that a smaller network does not have.
        let is_fixed =
            options.topology.is_some() || self.course.outcomes.is_some() || instance.script.is_some();
        if is_fixed || self.course.is_limited() {
            let exploration = self.explore(&instance, usual, limits, out);
            return (instance, options, exploration, None);
        }
        let quick = Search { max_configurations: QUICK_CONFIGURATIONS, whole_or_none: true, ..usual };
        let few = Search { max_configurations: DEFAULT_NETWORK_CONFIGURATIONS, ..quick };
        let exploration = self.explore(&instance, quick, limits, out);
        if !is_limit(exploration.stopped_by) {
            // The network is small, but a separate search for some property may be larger.
            let is_whole = exploration.separate.iter().all(|separate| !is_limit(separate.stopped_by));
            let exploration = if is_whole { exploration } else { self.explore(&instance, few, limits, out) };
            return (instance, options, exploration, None);
        }
        // A search may stop at the limit before it inserts any of the initial configurations, or below it because of its growth.
        let found_at_least = |found: &Exploration, search: &Search| match found.stopped_by {
            Some(StopReason::Configurations) if found.configurations < QUICK_CONFIGURATIONS => {
                search.max_configurations
            }
            _ => found.configurations,
        };
        let mut more_than = found_at_least(&exploration, &quick);
        let is_own = |other: &Instance| {
            other.network.topology() == instance.network.topology() && other.params == instance.params
        };
        let mut interrupted = false;
        let mut smaller = DEFAULT_NETWORK_CONFIGURATIONS;
        let found = largest_explorable(&instance, &options, |candidate| {
            let most =
                smaller.saturating_mul(MOST_GROWTH).clamp(LEAST_CONFIGURATIONS, few.max_configurations);
            let search = Search { max_configurations: most, ..few };
            let found = self.explore(candidate, search, limits, out);
            interrupted |= found.stopped_by == Some(StopReason::Interrupted);
            if is_own(candidate) {
                more_than = found_at_least(&found, &search);
            }
            smaller = found.configurations;
            found
        });
        match found {
            Some(found) if is_own(&found.instance) => (instance, options, found.exploration, None),
            Some(smaller) => {
                let topology = instance.network.topology().into();
                let given = |name: &String| options.settings.params.iter().any(|(other, _)| other == name);
                let reduced = smaller.options.settings.params.iter().filter(|(name, _)| !given(name));
                let parameters = reduced.map(|(name, value)| (name.clone(), value.word())).collect();
                let too_large = Some(TooLarge { topology, more_than, interrupted, parameters });
                (Arc::new(smaller.instance), smaller.options, smaller.exploration, too_large)
            }
            // No further search is possible, so the result of the first one is returned.
            None if interrupted || limits.is_due() => {
                let reason = if interrupted { StopReason::Interrupted } else { StopReason::Time };
                let exploration = Exploration { stopped_by: Some(reason), ..exploration };
                (instance, options, exploration, None)
            }
            None => {
                let exploration = self.explore(&instance, usual, limits, out);
                (instance, options, exploration, None)
            }
        }
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
