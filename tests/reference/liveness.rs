//! *Properties*: `eventually`, `settles` and `leads to`, for runs that are fair.
//!
//! A run ends where nothing but faults is possible, aborts, or goes on for ever. What a run that goes on for ever repeats for ever is
//! strongly connected: a fair component decides.

use crate::chance::{TooManyWays, end_components};
use crate::fairness::{Region, is_fair};
use crate::graph::Graph;
use std::collections::BTreeSet;

/// How coins fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coins {
    /// «with probability 1 under every weakly fair schedule»
    ByChance,
    /// «in every run that is weakly fair, whatever the coins»: a coin is a choice like any other.
    Badly,
}

/// The configurations that can be reached from these through such as are `inside`, these included.
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

/// What fair runs that stay among these configurations may repeat for ever: the greatest such components.
///
/// # Errors
/// When a joint step may be decided in too many ways.
pub fn repeated<C, V: Clone + Ord>(
    graph: &Graph<C, V>,
    among: &BTreeSet<usize>,
    coins: Coins,
) -> Result<Vec<Region>, TooManyWays> {
    let region = Region::of(graph, among);
    let components = match coins {
        // «goes through all of it, with coins too; so these components decide»
        _ if graph.pairs => region.components(graph),
        Coins::Badly => region.components(graph),
        Coins::ByChance => end_components(graph, &region)?,
    };
    Ok(components.into_iter().filter(|component| is_fair(graph, component)).collect())
}

/// Is there a fair run that from one of these configurations on is `inside` for ever, or to its end?
///
/// # Errors
/// When a joint step may be decided in too many ways.
pub fn may_stay<C, V: Clone + Ord>(
    graph: &Graph<C, V>,
    from: impl IntoIterator<Item = usize>,
    inside: &dyn Fn(usize) -> bool,
    coins: Coins,
) -> Result<bool, TooManyWays> {
    let among = reachable(graph, from, inside);
    Ok(among.iter().any(|at| graph.is_end(*at)) || !repeated(graph, &among, coins)?.is_empty())
}

/// The configurations in which a fair run may end, or that it may repeat for ever.
///
/// # Errors
/// When a joint step may be decided in too many ways.
pub fn lasting<C, V: Clone + Ord>(graph: &Graph<C, V>, coins: Coins) -> Result<BTreeSet<usize>, TooManyWays> {
    let all = reachable(graph, graph.initial(), &|_| true);
    let mut found: BTreeSet<usize> = all.iter().copied().filter(|at| graph.is_end(*at)).collect();
    found.extend(repeated(graph, &all, coins)?.iter().flat_map(Region::members));
    Ok(found)
}

/// Does some fair run never come to an end?
///
/// # Errors
/// When a joint step may be decided in too many ways.
pub fn may_go_on<C, V: Clone + Ord>(graph: &Graph<C, V>, coins: Coins) -> Result<bool, TooManyWays> {
    let all = reachable(graph, graph.initial(), &|at| !graph.is_end(at));
    Ok(!repeated(graph, &all, coins)?.is_empty())
}
