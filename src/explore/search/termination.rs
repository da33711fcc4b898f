//! Termination of all runs. If some runs are infinite, properties of ends say nothing about those.
//!
//! If no step leads to a configuration no farther from the beginning, the graph is acyclic. Otherwise the graph decides; if it
//! was not kept, a small state space is searched again with it.

use crate::explore::graph::Graph;
use crate::explore::graph::fairness::Fairness;
use crate::explore::graph::liveness::{RandomResolution, may_go_on};
use crate::explore::monitor::Monitor;
use crate::explore::search::Search;
use crate::explore::{Exploration, ExploreOptions, SearchOrder};
use crate::instance::Instance;
use std::cell::Cell;

/// Limit of configurations for that second search: with transition tables, and with whole configurations.
const MOST: u64 = 200_000;
const MOST_WHOLE: u64 = 20_000;

impl Search<'_> {
    /// Return whether every fair run ends almost surely. `None`: the data kept does not decide it.
    pub fn every_run_ends(&self) -> Option<bool> {
        if !self.complete || self.cut.is_some() {
            return None;
        }
        if self.ends.is_empty() && !self.known.aborted {
            // Some run is fair, and it must be infinite.
            return Some(false);
        }
        let goes_back =
            self.options.order != SearchOrder::Breadth || self.shards.iter().any(|shard| shard.has_back_edge);
        if !goes_back {
            return Some(true);
        }
        let graph = self.graph.as_ref()?;
        if !graph.is_cyclic(&self.first_states()) {
            return Some(true);
        }
        if self.contains_all_runs() { self.goes_on(graph).map(|goes_on| !goes_on) } else { None }
    }

    /// Return whether the graph contains all runs, up to symmetry under global fairness. Otherwise their fairness is unknown.
    pub fn contains_all_runs(&self) -> bool {
        !self.reduces() && !self.omitted_steps && !self.omits_runs_by_symmetry()
    }

    /// Return whether symmetry leaves open which infinite runs are fair: weak fairness names processes.
    pub fn omits_runs_by_symmetry(&self) -> bool {
        self.space.is_symmetric() && self.fairness() == Fairness::Weak
    }

    /// Return whether some fair run may be infinite, as far as known.
    pub fn may_go_on(&self, graph: &Graph) -> bool {
        let never = || self.contains_all_runs() && self.goes_on(graph) == Some(false);
        graph.is_cyclic(&self.first_states()) && !never()
    }

    /// Return whether some fair run is infinite. `None`: joint steps have too many strategies.
    fn goes_on(&self, graph: &Graph) -> Option<bool> {
        let too_many = Cell::new(false);
        let by_chance = self.fairness() == Fairness::Weak
            && graph.draws(&self.space.random_choices)
            && !self.options.every_outcome;
        let coins = if by_chance {
            RandomResolution::Probabilistic(&self.space.random_choices, &too_many)
        } else {
            RandomResolution::Adversarial
        };
        let endless = self.endless(coins);
        let goes_on = may_go_on(graph, &self.first_states(), &self.between(), endless);
        (goes_on || !too_many.get()).then_some(goes_on)
    }
}

/// Return the options of further searches, to be tried in turn until one decides. Empty if the result is irrelevant or known,
/// or the state space is too large.
pub fn again<'o>(
    instance: &Instance,
    monitor: &Monitor<'_>,
    options: &'o ExploreOptions,
    found: &Exploration,
    by_tables: bool,
) -> impl Iterator<Item = ExploreOptions> + use<'o> {
    let most = if by_tables { MOST } else { MOST_WHOLE };
    let is_open = found.every_run_ends.is_none() && found.stopped_by.is_none();
    let is_asked = monitor.at_ends.iter().any(|property| instance.program.properties[*property].is_claimed);
    let few = found.configurations <= most && !found.ends.is_empty();
    let left_out = found.reduced || found.symmetric;
    let all = ExploreOptions {
        keep_going: true,
        max_configurations: options.max_configurations.min(most),
        reduce: false,
        symmetry: false,
        dead_messages: false,
        ..*options
    };
    let ExploreOptions { reduce, symmetry, dead_messages, .. } = *options;
    let some = ExploreOptions { reduce, symmetry, dead_messages, ..all };
    let each = [left_out.then_some(some), Some(all)];
    each.into_iter().flatten().filter(move |_| is_open && is_asked && few)
}
