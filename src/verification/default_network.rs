//! The default network: if the usual one is too large to explore within a few seconds, the largest smaller one that is not.

use super::decidable::largest_explorable;
use crate::explore::{Exploration, ExploreOptions, StopReason};
use crate::instance::Instance;
use crate::setup::InstanceOptions;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Limit of configurations on a default network. If there are more, a smaller network replaces it.
const MOST_CONFIGURATIONS: u64 = 2_000_000;

/// Limit of configurations on a default network before smaller ones are tried. Most default networks have fewer.
const QUICK_CONFIGURATIONS: u64 = 100_000;

/// Limit of configurations on a network, as a multiple of those on the next smaller one: a larger state space may well be infinite.
const MOST_GROWTH: u64 = 10_000;

/// A default network that is too large to explore within a few seconds.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct TooLarge {
    pub topology: String,
    /// It has more configurations than this.
    pub more_than: u64,
    /// Whether the search for the largest network that is small enough was interrupted. If so, a larger network than `network` may
    /// be small enough, too.
    pub interrupted: bool,
    /// Parameters that are smaller than their defaults, because no network with the defaults is small enough.
    pub parameters: BTreeMap<String, i64>,
}

/// An instance on a default network or on the one that replaces it, and its exploration.
pub struct ExploredDefault {
    pub instance: Arc<Instance>,
    pub options: InstanceOptions,
    pub exploration: Exploration,
    /// Present if another network replaces the usual one.
    pub too_large: Option<TooLarge>,
}

/// Return whether a limit of configurations, memory or time ended a search.
pub fn is_limit(stopped_by: Option<StopReason>) -> bool {
    use StopReason::{Configurations, Memory, Starts, Time};
    matches!(stopped_by, Some(Configurations | Memory | Starts | Time))
}

/// Explore an instance on its default network. If that is not small, explore the largest network up to it that is small enough. If there is
/// none, explore the default one with the `usual` options. `explore` runs one search; `is_due` returns whether a time limit has passed.
pub fn explore_default(
    instance: Arc<Instance>,
    options: InstanceOptions,
    usual: &ExploreOptions,
    is_due: &dyn Fn() -> bool,
    explore: &mut dyn FnMut(&Instance, &ExploreOptions) -> Exploration,
) -> ExploredDefault {
    let most = MOST_CONFIGURATIONS.min(usual.max_configurations);
    let quick =
        ExploreOptions { max_configurations: QUICK_CONFIGURATIONS.min(most), whole_or_none: true, ..*usual };
    let few = ExploreOptions { max_configurations: most, ..quick };
    let exploration = explore(&instance, &quick);
    if !is_limit(exploration.stopped_by) {
        // The network is small, but a separate search for some property may be larger.
        let is_whole = exploration.separate.iter().all(|separate| !is_limit(separate.stopped_by));
        let exploration = if is_whole { exploration } else { explore(&instance, &few) };
        return ExploredDefault { instance, options, exploration, too_large: None };
    }
    // A search may stop at the limit before it inserts any of the initial configurations, or below it because of its growth.
    let found_at_least = |found: &Exploration, search: &ExploreOptions| match found.stopped_by {
        Some(StopReason::Configurations) if found.configurations < quick.max_configurations => {
            search.max_configurations
        }
        _ => found.configurations,
    };
    let mut more_than = found_at_least(&exploration, &quick);
    let is_own = |other: &Instance| {
        other.network.topology() == instance.network.topology() && other.params == instance.params
    };
    let mut interrupted = false;
    let mut smaller = most;
    let found = largest_explorable(&instance, &options, |candidate| {
        // However small the next smaller network is, this many are explored.
        let least = most / 4;
        let max_configurations = smaller.saturating_mul(MOST_GROWTH).clamp(least, most);
        let search = ExploreOptions { max_configurations, ..few };
        let found = explore(candidate, &search);
        interrupted |= found.stopped_by == Some(StopReason::Interrupted);
        if is_own(candidate) {
            more_than = found_at_least(&found, &search);
        }
        smaller = found.configurations;
        found
    });
    match found {
        Some(found) if is_own(&found.instance) => {
            ExploredDefault { instance, options, exploration: found.exploration, too_large: None }
        }
        Some(smaller) => {
            let topology = instance.network.topology().into();
            let given = |name: &String| options.settings.params.iter().any(|(other, _)| other == name);
            let reduced = smaller.options.settings.params.iter().filter(|(name, _)| !given(name));
            let parameters = reduced.map(|(name, value)| (name.clone(), value.word())).collect();
            ExploredDefault {
                instance: Arc::new(smaller.instance),
                options: smaller.options,
                exploration: smaller.exploration,
                too_large: Some(TooLarge { topology, more_than, interrupted, parameters }),
            }
        }
        // No further search is possible, so the result of the first one is returned.
        None if interrupted || is_due() => {
            let reason = if interrupted { StopReason::Interrupted } else { StopReason::Time };
            let exploration = Exploration { stopped_by: Some(reason), ..exploration };
            ExploredDefault { instance, options, exploration, too_large: None }
        }
        None => {
            let exploration = explore(&instance, usual);
            ExploredDefault { instance, options, exploration, too_large: None }
        }
    }
}
