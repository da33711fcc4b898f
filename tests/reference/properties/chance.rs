//! *Randomness*: decisions of a schedule and outcomes of coins. «Probabilities matter only as far as they are neither 0 nor 1.»

use crate::properties::fairness::Region;
use crate::specification::graph::{Action, Choice, Edge, Graph};
use std::collections::{BTreeMap, BTreeSet};

/// Error: a joint step has too many decisions to enumerate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyDecisions;

const MAX_DECISIONS: usize = 500;

/// A decision of the schedule: the set of its possible steps that do not abort, by position in `Graph::steps`. Coins select one of them.
pub type Decision = BTreeSet<usize>;

/// Return all decisions of a schedule in a configuration.
///
/// # Errors
/// Return an error if there are too many.
pub fn decisions<C, V: Clone + Ord>(
    graph: &Graph<C, V>,
    at: usize,
) -> Result<Vec<Decision>, TooManyDecisions> {
    let edges = &graph.steps[at];
    let participants = |edge: &Edge<V>| -> Vec<(usize, Action<V>)> {
        edge.parts.iter().map(|part| (part.process, part.action.clone())).collect()
    };
    let begun: BTreeSet<Vec<(usize, Action<V>)>> = edges.iter().map(participants).collect();
    // A joint step that aborts in one of its parts has no further parts. It is an outcome of every joint step that begins with the same
    // parts.
    let is_cut_off = |own: &Vec<(usize, Action<V>)>| {
        let is_complete = edges.iter().any(|edge| edge.to().is_some() && participants(edge) == *own);
        !is_complete && begun.iter().any(|other| other != own && other.starts_with(own))
    };
    // The schedule first decides which processes take part, and their actions.
    let mut steps: BTreeMap<&Vec<(usize, Action<V>)>, Vec<usize>> =
        begun.iter().filter(|own| !is_cut_off(own)).map(|own| (own, Vec::new())).collect();
    for (whole, numbers) in &mut steps {
        let belongs = |edge: &Edge<V>| match edge.to() {
            Some(_) => participants(edge) == **whole,
            None => whole.starts_with(&participants(edge)),
        };
        numbers.extend((0..edges.len()).filter(|number| belongs(&edges[*number])));
    }
    let mut all = Vec::new();
    for numbers in steps.into_values() {
        all.extend(decisions_of_step(edges, &numbers)?);
    }
    // «If an outcome of a coin aborts, they are checked as if the coin had only its other outcomes.»
    all.iter_mut().for_each(|decision| decision.retain(|number| edges[*number].to().is_some()));
    all.retain(|decision| !decision.is_empty());
    Ok(all)
}

/// «In a joint step … it decides for everybody who takes part without knowing what others toss in it … Only what a process chooses after a
/// coin of its own, in the same step, may depend on that coin.» So the schedule decides for each part separately.
fn decisions_of_step<V>(edges: &[Edge<V>], numbers: &[usize]) -> Result<Vec<Decision>, TooManyDecisions> {
    let is_drawn = |number: &&usize| {
        edges[**number].parts.iter().flat_map(|part| &part.choices).any(|choice| choice.chance)
    };
    if !numbers.iter().any(|number| is_drawn(&number)) {
        return Ok(numbers.iter().map(|number| Decision::from([*number])).collect());
    }
    let parts = numbers.iter().map(|number| edges[*number].parts.len()).max().unwrap_or(0);
    let mut all = vec![numbers.iter().copied().collect::<Decision>()];
    for part in 0..parts {
        let choices = |number: &usize| Some((*number, edges[*number].parts.get(part)?.choices.as_slice()));
        let made: BTreeMap<usize, &[Choice]> = numbers.iter().filter_map(choices).collect();
        let ways = strategies(&made.values().copied().collect(), 0)?;
        let mut product = Vec::new();
        for so_far in &all {
            for way in &ways {
                let fits = |number: &&usize| made.get(*number).is_none_or(|made| way.contains(made));
                product.push(so_far.iter().filter(fits).copied().collect::<Decision>());
            }
        }
        // A fault budget may not allow several processes to fail at once.
        product.retain(|decision| !decision.is_empty());
        if product.len() > MAX_DECISIONS {
            return Err(TooManyDecisions);
        }
        all = product;
    }
    Ok(all)
}

/// Return the strategies of the schedule for the choices of a process in a step, which form a tree. A strategy selects an option at each
/// choice of the schedule. Its outcomes are the sequences of choices for all results of the draws.
fn strategies<'c>(
    made: &BTreeSet<&'c [Choice]>,
    depth: usize,
) -> Result<Vec<BTreeSet<&'c [Choice]>>, TooManyDecisions> {
    let Some(Choice { chance, options, .. }) = made.iter().find_map(|choices| choices.get(depth)).copied()
    else {
        return Ok(vec![made.clone()]);
    };
    // Whether a process may crash depends on the crashes of others in the same step, so that its choices differ.
    let is_same = |choice: &Choice| (choice.chance, choice.options) == (chance, options);
    if !made.iter().all(|choices| choices.get(depth).is_some_and(is_same)) {
        return Err(TooManyDecisions);
    }
    let mut branches: BTreeMap<usize, BTreeSet<&'c [Choice]>> = BTreeMap::new();
    for choices in made {
        branches.entry(choices[depth].taken).or_default().insert(choices);
    }
    if !chance {
        let each = branches.values().map(|branch| strategies(branch, depth + 1));
        return Ok(each.collect::<Result<Vec<_>, _>>()?.concat());
    }
    assert_eq!(branches.len(), options, "each outcome of a draw must be a separate step");
    let mut all = vec![BTreeSet::new()];
    for branch in branches.values() {
        let further = strategies(branch, depth + 1)?;
        let both = |a: &BTreeSet<&'c [Choice]>, b: &BTreeSet<&'c [Choice]>| a | b;
        all = all.iter().flat_map(|a| further.iter().map(move |b| both(a, b))).collect();
        if all.len() > MAX_DECISIONS {
            return Err(TooManyDecisions);
        }
    }
    Ok(all)
}

/// Return the maximal end components of a region: «configurations that it need never leave, whatever the coins show (an *end component*)».
/// They are strongly connected by decisions all of whose outcomes stay inside.
///
/// # Errors
/// Return an error if a joint step has too many decisions.
pub fn end_components<C, V: Clone + Ord>(
    graph: &Graph<C, V>,
    region: &Region,
) -> Result<Vec<Region>, TooManyDecisions> {
    let mut all: BTreeMap<usize, Vec<Decision>> = BTreeMap::new();
    let mut found = Vec::new();
    let mut open = region.components(graph);
    while let Some(part) = open.pop() {
        let mut closed = Region(BTreeMap::new());
        for at in part.members() {
            if let std::collections::btree_map::Entry::Vacant(e) = all.entry(at) {
                e.insert(decisions(graph, at)?);
            }
            let stays = |number: &usize| part.0[&at].contains(number);
            let staying = all[&at].iter().filter(|decision| decision.iter().all(stays));
            closed.0.insert(at, staying.flatten().copied().collect());
        }
        match closed == part {
            true => found.push(part),
            false => open.extend(closed.components(graph)),
        }
    }
    Ok(found)
}
