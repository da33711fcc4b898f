//! *Meaning*: the conditions under which a property of each kind is violated, and under which a failure of its evaluation matters.
//!
//! «For every kind: a violation found anywhere is a violation; if there is none, and the property could not be evaluated where it matters,
//! it is *not checked*.» All configurations of the graph are reachable.

use crate::properties::chance::TooManyDecisions;
use crate::properties::liveness::{Coins, lasting, may_stay, reachable};
use crate::specification::graph::{Graph, Target};

/// The truth value of a property in a configuration, or the reason for which its evaluation fails.
pub type Truth = Result<bool, String>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Holds,
    Violated,
    /// The evaluation fails where it matters.
    NotChecked(String),
    /// The specification does not decide it.
    Refused(String),
}

const TRUE: Truth = Ok(true);
const FALSE: Truth = Ok(false);

/// Return the verdict. A failure in `matter` prevents a property from holding, but not from being violated.
fn verdict<'t>(violated: bool, matter: impl IntoIterator<Item = &'t Truth>) -> Verdict {
    match matter.into_iter().find_map(|truth| truth.as_ref().err()) {
        _ if violated => Verdict::Violated,
        Some(why) => Verdict::NotChecked(why.clone()),
        None => Verdict::Holds,
    }
}

fn refused(_: TooManyDecisions) -> Verdict {
    Verdict::Refused("a joint step has too many decisions".into())
}

/// «A property with `for p` is evaluated for each `p` on its own.»
pub fn each(verdicts: impl IntoIterator<Item = Verdict>) -> Verdict {
    let rank = |verdict: &Verdict| match verdict {
        Verdict::Violated => 0,
        Verdict::Refused(_) => 1,
        Verdict::NotChecked(_) => 2,
        Verdict::Holds => 3,
    };
    verdicts.into_iter().min_by_key(rank).unwrap_or(Verdict::Holds)
}

/// `invariant`, `order` · false in some configuration · in every configuration
pub fn invariant(truth: &[Truth]) -> Verdict {
    verdict(truth.contains(&FALSE), truth)
}

/// `stable` · a step leads from a configuration in which it is true to one in which it is false · in every configuration
pub fn stable<C, V>(graph: &Graph<C, V>, truth: &[Truth]) -> Verdict {
    let loses = |at: usize| truth[at] == TRUE && graph.next(at).any(|to| truth[to] == FALSE);
    verdict((0..truth.len()).any(loses), truth)
}

/// `finally`, `exactly` · false at an end · at an end
pub fn finally<C, V>(graph: &Graph<C, V>, truth: &[Truth]) -> Verdict {
    let at_ends = || (0..truth.len()).filter(|at| graph.is_end(*at)).map(|at| &truth[at]);
    verdict(at_ends().any(|truth| *truth == FALSE), at_ends())
}

/// `bound` · an end at which the limit is exceeded, or a limit that is the same throughout exceeded on the way · at an end, or for such a
/// limit on the way. (An infinite run that repeats a cycle of positive cost exceeds such a limit eventually.)
pub fn bound<C, V>(graph: &Graph<C, V>, truth: &[Truth], the_same_throughout: bool) -> Verdict {
    match the_same_throughout {
        true => invariant(truth),
        false => finally(graph, truth),
    }
}

/// `eventually` · a run on which it is false throughout · on a run before it comes true
pub fn eventually<C, V: Clone + Ord>(graph: &Graph<C, V>, truth: &[Truth], coins: Coins) -> Verdict {
    let violated = may_stay(graph, graph.initial(), &|at| truth[at] == FALSE, coins);
    let before = reachable(graph, graph.initial(), &|at| truth[at] != TRUE);
    match violated {
        Ok(violated) => verdict(violated, before.into_iter().map(|at| &truth[at])),
        Err(too_many) => refused(too_many),
    }
}

/// `settles` · false at an end, or in a configuration that a fair run repeats for ever · there
pub fn settles<C, V: Clone + Ord>(graph: &Graph<C, V>, truth: &[Truth], coins: Coins) -> Verdict {
    match lasting(graph, coins) {
        Ok(there) => {
            let there = || there.iter().map(|at| &truth[*at]);
            verdict(there().any(|truth| *truth == FALSE), there())
        }
        Err(too_many) => refused(too_many),
    }
}

/// `leads` · after the left side came true, the right side is false in all configurations of a run · in every configuration, of either
/// side
pub fn leads<C, V: Clone + Ord>(
    graph: &Graph<C, V>,
    left: &[Truth],
    right: &[Truth],
    coins: Coins,
) -> Verdict {
    let owed = (0..left.len()).filter(|at| left[*at] == TRUE);
    match may_stay(graph, owed, &|at| right[at] == FALSE, coins) {
        Ok(violated) => verdict(violated, left.iter().chain(right)),
        Err(too_many) => refused(too_many),
    }
}

/// *Aborts*: test whether «a command went wrong», at the start or in a step.
pub fn aborts<C, V>(graph: &Graph<C, V>) -> bool {
    let all = graph.starts.iter().chain(graph.steps.iter().flatten());
    all.into_iter().any(|edge| matches!(edge.target, Target::Abort(_)))
}

/// *Rules in detail*: «If a process aborts while it begins, no property is checked in that run. If every run aborts so, no property is
/// checked at all.»
pub fn aborts_at_every_beginning<C, V>(graph: &Graph<C, V>) -> bool {
    graph.configurations.is_empty()
}
