//! Parts of the model checker on their own: storage, tables of steps, fair cycles, and sentences that state limits.

mod steps;
mod store;

use smallvec::smallvec;
use std::sync::Arc;
use synod::internals::explore::lasso::FairPart;
use synod::internals::explore::liveness::{InfiniteRuns, RandomResolution, never_leaves};
use synod::internals::explore::mdp::MdpComponent;
use synod::internals::explore::{DRAWN, Fairness, FairnessConstraint, Graph, Label, StopReason};
use synod::internals::ids::{ChannelId, ProcessId, StateId};
use synod::internals::semantics::{MOST_WAITS, SOME_WAITS};
use synod::internals::stop::StopSignal;

#[test]
fn the_number_of_drawn_starts_is_stated() {
    assert!(StopReason::Starts.as_str().contains(&format!("only {DRAWN} initial")));
}

#[test]
fn the_numbers_of_delays_are_stated() {
    let words = StopReason::Waits.as_str();
    assert!(words.contains(&format!("more than {MOST_WAITS} delays")), "{words}");
    assert!(words.contains(&format!("the {SOME_WAITS} shortest and the {SOME_WAITS} longest")), "{words}");
}

/// Configuration 1 does not enable the message that 2 and 3 enable: a cycle of the latter two only is unfair.
#[test]
fn the_cycle_of_a_lasso_is_fair() {
    let mut graph = Graph::new(Arc::default());
    let labels = graph.labels.clone();
    let label =
        |source| labels.number(Label { constraints: smallvec![source], cost: 0, random_choice: 0, shift: 0 });
    let [p0, p1] = [0, 1].map(ProcessId).map(|p| label(FairnessConstraint::Process(p)));
    let message = label(FairnessConstraint::Channel(ChannelId(9)));
    let edges = [
        (0, 2, p0),
        (1, 2, p1),
        (2, 3, p0),
        (2, 1, p0),
        (2, 4, message),
        (3, 2, p0),
        (3, 4, message),
        (4, 4, p0),
    ];
    edges.into_iter().for_each(|(from, to, label)| graph.add(StateId(from), StateId(to), label));
    let [first, last] = [0, 4].map(StateId);
    let endless = InfiniteRuns {
        fairness: Fairness::Weak,
        coins: RandomResolution::Adversarial,
        stop: &StopSignal::default(),
    };
    let lasso = never_leaves(&graph, (&[first], None), &|state| state != last, &|_| false, endless).unwrap();
    assert_eq!(lasso.way, [0, 2].map(StateId));
    assert_eq!(lasso.cycle, [1, 2].map(StateId));
    let part = MdpComponent::of(&graph, [1, 2, 3].map(StateId).to_vec());
    let rounds = FairPart {
        graph: &graph,
        part: &part,
        between: &|_| false,
        by: None,
        fairness: Fairness::Weak,
        origin: &|state| state,
        member: &|state| part.contains(state).then_some(state),
    };
    assert!(rounds.is_fair(&[1, 2].map(StateId)) && !rounds.is_fair(&[3, 2].map(StateId)));
}
