//! The dearest and the cheapest run: longest and shortest ways in the graph of configurations.

use super::costs::{Cost, Costs};
use super::graph::Graph;
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Total {
    /// Runs can go round and cost less each time.
    BelowAll,
    Finite(i64),
    AboveAll,
}

/// What is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extreme {
    Least,
    Most,
}

/// How runs go on from a configuration at best, and the next configuration of such a run.
#[derive(Clone, Copy)]
struct Best {
    total: Total,
    next: u32,
}

/// The least or the most that runs cost that begin in `from`, each with what it has cost to get there, and stop where `stops`
/// holds; with such a run. `weight` makes a number of what a step costs. None: there is no such run.
pub(super) fn extreme(
    graph: &Graph,
    (costs, which): (&Costs, usize),
    from: &[(u32, i64)],
    weight: &dyn Fn(Cost) -> i64,
    stops: &dyn Fn(u32) -> bool,
    wanted: Extreme,
) -> Option<(Total, Vec<u32>)> {
    let sign = if wanted == Extreme::Most { 1 } else { -1 };
    let mut weights: FxHashMap<u32, i64> = FxHashMap::default();
    let mut of = |label: u32| {
        *weights.entry(label).or_insert_with(|| {
            let cost = costs.get(graph.labels.get(label).cost);
            weight(cost[which]).saturating_mul(sign)
        })
    };
    let mut best: Vec<Option<Best>> = vec![None; graph.size(from.iter().map(|(state, _)| *state))];
    let mut gaining: Option<u32> = None;
    // Every component comes after those it leads to. Totals are as if the greatest were wanted.
    let first: Vec<u32> = from.iter().map(|(state, _)| *state).collect();
    for component in graph.components(&first, &|_| true) {
        let gains = component.cyclic && {
            let members: FxHashSet<u32> = component.members.iter().copied().collect();
            component.members.iter().any(|member| {
                graph.edges(*member).iter().any(|(to, label)| members.contains(to) && of(*label) > 0)
            })
        };
        // Steps inside a component that gain nothing lose at most: going round never pays, so this ends.
        loop {
            let mut changed = false;
            for member in &component.members {
                let mut own = best[*member as usize];
                if own.is_none() && stops(*member) {
                    own = Some(Best { total: Total::Finite(0), next: *member });
                }
                for (to, label) in graph.edges(*member).iter().filter(|(to, _)| to != member) {
                    let Some(after) = best[*to as usize] else { continue };
                    let total = match after.total {
                        Total::Finite(total) => Total::Finite(total.saturating_add(of(*label))),
                        other => other,
                    };
                    if own.is_none_or(|own| total > own.total) {
                        own = Some(Best { total, next: *to });
                    }
                }
                if let Some(own) = own
                    && best[*member as usize].is_none_or(|before| own.total > before.total)
                {
                    best[*member as usize] = Some(own);
                    changed = true;
                }
            }
            if gains && component.members.iter().any(|m| best[*m as usize].is_some()) {
                gaining.get_or_insert(component.members[0]);
                for member in &component.members {
                    best[*member as usize] = Some(Best { total: Total::AboveAll, next: *member });
                }
                break;
            }
            if !changed || !component.cyclic {
                break;
            }
        }
    }
    let whole = |(state, cost): &(u32, i64)| match best[*state as usize]?.total {
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
            while let Some(Best { next, .. }) = best[at as usize].filter(|b| b.next != at) {
                at = next;
                run.push(at);
            }
            run
        }
        // To where going round pays.
        (_, Some(gaining)) => graph.way(&[*start], &|_| true, &|state| state == gaining)?,
    };
    Some((total, run))
}
