//! Smaller networks on which a search decides the properties that a limit left undecided.

use super::networks::simpler;
use crate::explore::{Exploration, ExploreOptions, Progress, StopReason, explore};
use crate::instance::Instance;
use crate::network::{IdsSpec, Spec};
use crate::property::{Judgement, Verdict};
use crate::setup::{Ids, InstanceOptions, instantiate};

/// Limit of configurations for each network: about a second.
const MOST_CONFIGURATIONS: u64 = 50_000;

/// A smaller network of the same family, with the verdicts there.
#[derive(Clone, Debug)]
pub struct DecidedOn {
    pub topology: String,
    pub verdicts: Vec<Verdict>,
}

/// Return the largest network of the instance's family, smaller than its own, on which a small search decides the properties. The sizes are
/// tried in ascending order, up to the first that is too large. Return None if there is none, or if ids are listed, which fit one size only.
pub fn largest_decidable(
    instance: &Instance,
    options: &InstanceOptions,
    search: &ExploreOptions,
    properties: &[String],
    watch: &mut dyn FnMut(&Progress) -> Option<StopReason>,
) -> Option<DecidedOn> {
    let topology = instance.network.topology();
    let family = |topology: &str| topology.split('(').next().map(str::to_string);
    let search = ExploreOptions { max_configurations: MOST_CONFIGURATIONS, keep_going: true, ..*search };
    let mut largest = None;
    if matches!(options.ids, Ids::Spec(IdsSpec::Explicit(_))) {
        return None;
    }
    for (_, smaller) in simpler(topology, instance.n()) {
        if family(&smaller) != family(topology) {
            continue;
        }
        let options = InstanceOptions { topology: Spec::parse(&smaller).ok(), ..options.clone() };
        let Ok(instance) = instantiate(&instance.program, &options) else { continue };
        let Exploration { stopped_by, verdicts, separate, .. } =
            explore(&instance, Some(properties), &search, watch);
        let is_open = |verdict: &Verdict| verdict.judgement == Judgement::Pending;
        let is_cut = stopped_by.is_some() || separate.iter().any(|search| search.stopped_by.is_some());
        if is_cut || verdicts.iter().any(is_open) {
            break;
        }
        largest = Some(DecidedOn { topology: smaller, verdicts });
    }
    largest
}
