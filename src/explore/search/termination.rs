//! Does every run come to an end? Where some go on for ever, what holds at every end says nothing of those.
//!
//! Where no step leads back to a configuration that is no farther from the beginning, nothing goes round. Else the graph of
//! configurations tells; where it was not kept, what is small is looked through once more to have it.

use super::Search;
use crate::explore::graph::Graph;
use crate::explore::graph::liveness::{Coins, Fairness, may_go_on};
use crate::explore::monitor::Monitor;
use crate::explore::{Exploration, ExploreOptions, SearchOrder};
use crate::instance::Instance;
use std::cell::Cell;

/// So many configurations are looked through once more, where steps come from tables, and where they are taken one by one.
const MOST: u64 = 200_000;
const MOST_WHOLE: u64 = 20_000;

impl Search<'_> {
    /// In every run that is fair, unless coins fall badly for ever? None: what has been kept does not tell.
    pub fn every_run_ends(&self) -> Option<bool> {
        if !self.complete || self.cut.is_some() {
            return None;
        }
        if self.ends.is_empty() && !self.known.aborted {
            // Some run is fair, and it cannot but go on.
            return Some(false);
        }
        let goes_back =
            self.options.order != SearchOrder::Breadth || self.shards.iter().any(|shard| shard.goes_back);
        if !goes_back {
            return Some(true);
        }
        let graph = self.graph.as_ref()?;
        if !graph.is_cyclic(&self.first_states()) {
            return Some(true);
        }
        if self.all_are_there() { self.goes_on(graph).map(|goes_on| !goes_on) } else { None }
    }

    /// Are all runs there? Which of them are fair cannot be told where some are left out.
    pub fn all_are_there(&self) -> bool {
        !self.reduces() && !self.space.is_symmetric()
    }

    /// Do some runs never come to an end that are fair, as far as can be told?
    pub fn may_go_on(&self, graph: &Graph) -> bool {
        let never = || self.all_are_there() && self.goes_on(graph) == Some(false);
        graph.is_cyclic(&self.first_states()) && !never()
    }

    /// Does some fair run never end? None: there are too many ways to decide joint steps.
    fn goes_on(&self, graph: &Graph) -> Option<bool> {
        let too_many = Cell::new(false);
        let by_chance =
            self.fairness() == Fairness::Weak && graph.draws(&self.space.throws) && !self.options.surely;
        let coins = if by_chance { Coins::ByChance(&self.space.throws, &too_many) } else { Coins::Badly };
        let endless = self.endless(coins);
        let goes_on = may_go_on(graph, &self.first_states(), &self.between(), endless);
        (goes_on || !too_many.get()).then_some(goes_on)
    }
}

/// With which options everything is looked through once more, one after the other until one tells. None at all, where nobody asks, it is known,
/// or there is too much.
pub fn again<'o>(
    instance: &Instance,
    judge: &Monitor<'_>,
    options: &'o ExploreOptions,
    found: &Exploration,
    by_tables: bool,
) -> impl Iterator<Item = ExploreOptions> + use<'o> {
    let most = if by_tables { MOST } else { MOST_WHOLE };
    let is_open = found.every_run_ends.is_none() && found.cut.is_none();
    let is_asked = judge.at_ends.iter().any(|property| instance.program.properties[*property].promised);
    let few = found.configurations <= most && !found.ends.is_empty();
    let left_out = found.reduced || found.symmetric;
    let all = ExploreOptions {
        keep_going: true,
        max_configurations: options.max_configurations.min(most),
        reduce: false,
        symmetry: false,
        ..*options
    };
    let some = ExploreOptions { reduce: options.reduce, symmetry: options.symmetry, ..all };
    let each = [left_out.then_some(some), Some(all)];
    each.into_iter().flatten().filter(move |_| is_open && is_asked && few)
}
