//! Properties that are not claimed and depend on observations of the run are checked in a separate search: they do not enlarge
//! the state space of the others.

use crate::common::*;
use synod::internals::explore::{Exploration, ExploreOptions, StopReason, ViolationKind, explore};
use synod::internals::property::Judgement;

fn judgement(explored: &Exploration, name: &str) -> Judgement {
    let verdict = explored.verdicts.iter().find(|verdict| verdict.name == name);
    verdict.unwrap_or_else(|| panic!("no property {name}")).judgement
}

#[test]
fn a_waived_order_does_not_enlarge_the_state_space() {
    for (name, topology) in [("central_server", "star(3)"), ("raymond", "tree(3)"), ("token_ring", "ring(2)")]
    {
        let instance = on(&library(name), topology).build();
        let is_order = |name: &String| name == "ME3";
        let (orders, others): (Vec<String>, Vec<String>) =
            instance.program.properties.iter().map(|p| p.name.clone()).partition(is_order);
        let options = ExploreOptions {
            keep_going: true,
            reduce: false,
            // The other properties keep some processes fixed, so there are fewer symmetries.
            symmetry: false,
            dead_messages: false,
            forget_wakeups: false,
            ..ExploreOptions::default()
        };
        let judged = |names: Option<&[String]>| explore(&instance, names, &options, &mut |_| None);
        let (all, without, apart) = (judged(None), judged(Some(&others)), judged(Some(&orders)));
        assert_eq!((all.configurations, all.steps), (without.configurations, without.steps), "{name}");
        assert_eq!(all.ends, without.ends, "{name}");
        assert!(apart.configurations >= all.configurations, "{name}: with its history there are no fewer");
        // It is still decided, as are all claimed properties.
        assert_eq!(judgement(&all, "ME3"), judgement(&apart, "ME3"), "{name}");
        assert_ne!(judgement(&all, "ME3"), Judgement::Pending, "{name}");
        for other in &others {
            assert_eq!(judgement(&all, other), judgement(&without, other), "{name}: {other}");
        }
        let of_order = |e: &Exploration| {
            let is_it = |property: usize| instance.program.properties[property].name == "ME3";
            let found =
                e.counterexamples.iter().find(|c| matches!(c.kind, ViolationKind::Property(p) if is_it(p)));
            found.map(|c| c.events.clone())
        };
        assert_eq!(of_order(&all), of_order(&apart), "{name}: the same run shows it");
    }
}

/// After a search that a limit has ended, there are separate ones only if an incomplete exploration is of use.
#[test]
fn separate_searches_may_end_with_the_first() {
    let instance = on(&library("raymond"), "tree(3)").build();
    let searched = |max_configurations, whole_or_none| {
        let options = ExploreOptions { max_configurations, whole_or_none, ..ExploreOptions::default() };
        explore(&instance, None, &options, &mut |_| None).separate.len()
    };
    assert_eq!([searched(10, false), searched(10, true), searched(100_000, true)], [1, 0, 1]);
}

/// A separate search has nothing to look for once its only property is violated, whether it is claimed or not.
#[test]
fn a_separate_search_ends_when_its_properties_are_violated() {
    let instance = on(&library("raymond"), "tree(5)").build();
    for keep_going in [false, true] {
        let options = ExploreOptions { keep_going, ..ExploreOptions::default() };
        let found = explore(&instance, None, &options, &mut |_| None);
        assert_eq!(judgement(&found, "ME3"), Judgement::Violated);
        assert_eq!(judgement(&found, "no_starvation"), Judgement::Holds);
        let [separate] = &found.separate[..] else { panic!("{:?}", found.separate) };
        assert_eq!(separate.stopped_by, Some(StopReason::Found));
        assert!(separate.configurations < 2 * found.configurations, "{}", separate.configurations);
    }
}
