//! The dearest and the cheapest run to an end: longest and shortest ways in the graph of configurations.

use super::costs::{Cost, Costs};
use super::graph::Graph;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Over all runs that come to an end. None: there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extremes {
    pub least: Total,
    pub most: Total,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Total {
    /// Runs can go round and cost less each time.
    BelowAll,
    Finite(i64),
    AboveAll,
}

/// How runs go on from a configuration at least and at most, and the next configuration of such a run.
#[derive(Clone, Copy)]
struct Best {
    total: Total,
    next: u32,
}

/// What runs cost from the configurations `from` on, each with what it has cost to get there, and a run that costs most (`most`) or least: configurations from
/// one of `from` to an end. `weight` makes a number of what a step costs.
pub(super) fn extremes(
    graph: &Graph,
    costs: &Costs,
    which: usize,
    from: &[(u32, i64)],
    weight: &dyn Fn(Cost) -> i64,
) -> Option<(Extremes, Vec<u32>, Vec<u32>)> {
    let (most, dear) = extreme(graph, costs, which, from, weight, 1)?;
    let (least, cheap) = extreme(graph, costs, which, from, weight, -1)?;
    Some((Extremes { least, most }, cheap, dear))
}

/// The greatest total (`sign` 1) or the least (-1).
fn extreme(
    graph: &Graph,
    costs: &Costs,
    which: usize,
    from: &[(u32, i64)],
    weight: &dyn Fn(Cost) -> i64,
    sign: i64,
) -> Option<(Total, Vec<u32>)> {
    let mut weights: FxHashMap<u32, i64> = FxHashMap::default();
    let mut of = |label: u32| {
        *weights.entry(label).or_insert_with(|| {
            let cost: Arc<Vec<Cost>> = costs.get(graph.labels.get(label).cost);
            weight(cost[which]).saturating_mul(sign)
        })
    };
    let mut best: FxHashMap<u32, Best> = FxHashMap::default();
    let mut gaining: Option<u32> = None;
    // Every component comes after those it leads to. Totals are as if the greatest were wanted.
    let first: Vec<u32> = from.iter().map(|(state, _)| *state).collect();
    for component in graph.components(&first, &|_| true) {
        let members: FxHashSet<u32> = component.members.iter().copied().collect();
        let mut gains = component.members.iter().any(|member| {
            let inner = |(to, label): &(u32, u32)| members.contains(to) && of(*label) > 0;
            component.cyclic && graph.edges(*member).iter().any(inner)
        });
        // Steps inside a component that gain nothing lose at most: going round never pays, so this ends.
        loop {
            let mut changed = false;
            for member in &component.members {
                let edges = graph.edges(*member);
                let mut own = best.get(member).copied();
                if edges.is_empty() && own.is_none() {
                    own = Some(Best { total: Total::Finite(0), next: *member });
                }
                for (to, label) in edges.iter().filter(|(to, _)| to != member) {
                    let Some(after) = best.get(to) else { continue };
                    let total = match after.total {
                        Total::Finite(total) => Total::Finite(total.saturating_add(of(*label))),
                        other => other,
                    };
                    if own.is_none_or(|own| total > own.total) {
                        own = Some(Best { total, next: *to });
                    }
                }
                if let Some(own) = own
                    && best.get(member).is_none_or(|before| own.total > before.total)
                {
                    best.insert(*member, own);
                    changed = true;
                }
            }
            if gains && component.members.iter().any(|m| best.contains_key(m)) {
                gaining.get_or_insert(component.members[0]);
                for member in &component.members {
                    best.insert(*member, Best { total: Total::AboveAll, next: *member });
                }
                gains = false;
                break;
            }
            if !changed || !component.cyclic {
                break;
            }
        }
    }
    let whole = |(state, cost): &(u32, i64)| match best.get(state)?.total {
        Total::Finite(total) => Some(Total::Finite(total.saturating_add(cost.saturating_mul(sign)))),
        other => Some(other),
    };
    let (total, (start, _)) = from
        .iter()
        .filter_map(|start| Some((whole(start)?, start)))
        .max_by_key(|(total, (state, _))| (*total, std::cmp::Reverse(*state)))?;
    let total = match total {
        Total::Finite(total) => Total::Finite(total.saturating_mul(sign)),
        _ if sign < 0 => Total::BelowAll,
        _ => Total::AboveAll,
    };
    let run = match (total, gaining) {
        (Total::Finite(_), _) | (_, None) => {
            let mut run = vec![*start];
            let mut at = *start;
            while best[&at].next != at {
                at = best[&at].next;
                run.push(at);
            }
            run
        }
        // To where going round pays.
        (_, Some(gaining)) => graph.way(&[*start], &|_| true, &|state| state == gaining)?,
    };
    Some((total, run))
}
