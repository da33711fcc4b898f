//! *Properties*: `eventually`, `settles` and `leads to`, for fair runs.
//!
//! A run ends where only faults are enabled, aborts, or is infinite. The configurations that an infinite run visits infinitely often are
//! strongly connected: a fair component decides.

use crate::properties::chance::{TooManyDecisions, end_components};
use crate::properties::fairness::{Region, is_fair};
use crate::specification::graph::Graph;
use std::collections::BTreeSet;

/// The treatment of coins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coins {
    /// «with probability 1 under every weakly fair schedule»
    ByChance,
    /// «in every weakly fair run, for every outcome of the random choices»: a coin is a choice like any other.
    Badly,
}

/// Return the configurations that are reachable from these through configurations that are `inside`, including these.
pub fn reachable<C, V>(
    graph: &Graph<C, V>,
    from: impl IntoIterator<Item = usize>,
    inside: &dyn Fn(usize) -> bool,
) -> BTreeSet<usize> {
    let mut open: Vec<usize> = from.into_iter().filter(|at| inside(*at)).collect();
    let mut found: BTreeSet<usize> = open.iter().copied().collect();
    while let Some(at) = open.pop() {
        let new = graph.next(at).filter(|to| inside(*to) && found.insert(*to));
        open.extend(new.collect::<Vec<_>>());
    }
    found
}

/// Return the maximal components that fair runs within these configurations may repeat forever.
///
/// # Errors
/// Return an error if a joint step has too many decisions.
pub fn repeated<C, V: Clone + Ord>(
    graph: &Graph<C, V>,
    among: &BTreeSet<usize>,
    coins: Coins,
) -> Result<Vec<Region>, TooManyDecisions> {
    let region = Region::of(graph, among);
    let components = match coins {
        // «goes through all of it, with coins too; so these components decide»
        _ if graph.pairs => region.components(graph),
        Coins::Badly => region.components(graph),
        Coins::ByChance => end_components(graph, &region)?,
    };
    Ok(components.into_iter().filter(|component| is_fair(graph, component)).collect())
}

/// Test whether some fair run stays `inside` forever, or to its end, from one of these configurations on.
///
/// # Errors
/// Return an error if a joint step has too many decisions.
pub fn may_stay<C, V: Clone + Ord>(
    graph: &Graph<C, V>,
    from: impl IntoIterator<Item = usize>,
    inside: &dyn Fn(usize) -> bool,
    coins: Coins,
) -> Result<bool, TooManyDecisions> {
    let among = reachable(graph, from, inside);
    Ok(among.iter().any(|at| graph.is_end(*at)) || !repeated(graph, &among, coins)?.is_empty())
}

/// Return the configurations in which a fair run may end, or that it may repeat forever.
///
/// # Errors
/// Return an error if a joint step has too many decisions.
pub fn lasting<C, V: Clone + Ord>(
    graph: &Graph<C, V>,
    coins: Coins,
) -> Result<BTreeSet<usize>, TooManyDecisions> {
    let all = reachable(graph, graph.initial(), &|_| true);
    let mut found: BTreeSet<usize> = all.iter().copied().filter(|at| graph.is_end(*at)).collect();
    found.extend(repeated(graph, &all, coins)?.iter().flat_map(Region::members));
    Ok(found)
}

/// Test whether some fair run is infinite.
///
/// # Errors
/// Return an error if a joint step has too many decisions.
pub fn may_go_on<C, V: Clone + Ord>(graph: &Graph<C, V>, coins: Coins) -> Result<bool, TooManyDecisions> {
    let all = reachable(graph, graph.initial(), &|at| !graph.is_end(at));
    Ok(!repeated(graph, &all, coins)?.is_empty())
}
