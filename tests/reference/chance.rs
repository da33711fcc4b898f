//! *Randomness*: what a schedule decides and what coins do. «Probabilities matter only as far as they are neither 0 nor 1.»

use crate::fairness::Region;
use crate::graph::{Action, Choice, Edge, Graph};
use std::collections::{BTreeMap, BTreeSet};

/// A joint step may be decided in more ways than can be tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyWays;

const MOST_WAYS: usize = 500;

/// Is there a draw one of whose outcomes aborts? The reference does not say what becomes of a run then.
pub fn may_abort<C, V>(graph: &Graph<C, V>) -> bool {
    let drawn = |edge: &Edge<V>| edge.parts.iter().flat_map(|part| &part.choices).any(|choice| choice.chance);
    graph.steps.iter().flatten().any(|edge| edge.to().is_none() && drawn(edge))
}

/// The steps, by position in `Graph::steps`, that a decision of the schedule leads to: it takes one of them, and coins decide which.
pub type Decision = BTreeSet<usize>;

/// All decisions that a schedule may take in a configuration.
///
/// # Errors
/// When there are too many.
pub fn decisions<C, V: Clone + Ord>(graph: &Graph<C, V>, at: usize) -> Result<Vec<Decision>, TooManyWays> {
    let edges = &graph.steps[at];
    let who = |edge: &Edge<V>| -> Vec<(usize, Action<V>)> {
        edge.parts.iter().map(|part| (part.process, part.action.clone())).collect()
    };
    let begun: BTreeSet<Vec<(usize, Action<V>)>> = edges.iter().map(who).collect();
    // A joint step that aborts in one of its parts has no others after it: it is an outcome of all steps that begin so.
    let is_cut_off = |own: &Vec<(usize, Action<V>)>| {
        let comes_to_its_end = edges.iter().any(|edge| edge.to().is_some() && who(edge) == *own);
        !comes_to_its_end && begun.iter().any(|other| other != own && other.starts_with(own))
    };
    // Who does what: what the schedule decides first.
    let mut steps: BTreeMap<&Vec<(usize, Action<V>)>, Vec<usize>> =
        begun.iter().filter(|own| !is_cut_off(own)).map(|own| (own, Vec::new())).collect();
    for (whole, numbers) in &mut steps {
        let belongs = |edge: &Edge<V>| match edge.to() {
            Some(_) => who(edge) == **whole,
            None => whole.starts_with(&who(edge)),
        };
        numbers.extend((0..edges.len()).filter(|number| belongs(&edges[*number])));
    }
    let mut all = Vec::new();
    for numbers in steps.into_values() {
        all.extend(decisions_of_step(edges, &numbers)?);
    }
    Ok(all)
}

/// «In a joint step it decides for everybody who takes part without knowing what others toss in it. Only what a process chooses after a
/// coin of its own, in the same step, may depend on that coin.» So it decides for each part by itself.
fn decisions_of_step<V>(edges: &[Edge<V>], numbers: &[usize]) -> Result<Vec<Decision>, TooManyWays> {
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
        let ways = plans(&made.values().copied().collect(), 0)?;
        let mut product = Vec::new();
        for so_far in &all {
            for way in &ways {
                let fits = |number: &&usize| made.get(*number).is_none_or(|made| way.contains(made));
                product.push(so_far.iter().filter(fits).copied().collect::<Decision>());
            }
        }
        // A budget may not let several processes fail at once.
        product.retain(|decision| !decision.is_empty());
        if product.len() > MOST_WAYS {
            return Err(TooManyWays);
        }
        all = product;
    }
    Ok(all)
}

/// The choices that a process makes in a step are a tree. A plan says at each place where the schedule decides which option is taken;
/// what may come of it are the sequences of choices in which chance decides the rest.
fn plans<'c>(
    made: &BTreeSet<&'c [Choice]>,
    depth: usize,
) -> Result<Vec<BTreeSet<&'c [Choice]>>, TooManyWays> {
    let Some(Choice { chance, options, .. }) = made.iter().find_map(|choices| choices.get(depth)).copied()
    else {
        return Ok(vec![made.clone()]);
    };
    let mut branches: BTreeMap<usize, BTreeSet<&'c [Choice]>> = BTreeMap::new();
    for choices in made {
        branches.entry(choices[depth].taken).or_default().insert(choices);
    }
    if !chance {
        let each = branches.values().map(|branch| plans(branch, depth + 1));
        return Ok(each.collect::<Result<Vec<_>, _>>()?.concat());
    }
    assert_eq!(branches.len(), options, "each outcome of a draw is a step of its own");
    let mut all = vec![BTreeSet::new()];
    for branch in branches.values() {
        let further = plans(branch, depth + 1)?;
        let both = |a: &BTreeSet<&'c [Choice]>, b: &BTreeSet<&'c [Choice]>| a | b;
        all = all.iter().flat_map(|a| further.iter().map(move |b| both(a, b))).collect();
        if all.len() > MOST_WAYS {
            return Err(TooManyWays);
        }
    }
    Ok(all)
}

/// «Configurations that it need never leave, whatever the coins show (an *end component*)»: the greatest ones within a region, which
/// are strongly connected by decisions all of whose outcomes stay.
///
/// # Errors
/// When a joint step may be decided in too many ways.
pub fn end_components<C, V: Clone + Ord>(
    graph: &Graph<C, V>,
    region: &Region,
) -> Result<Vec<Region>, TooManyWays> {
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
