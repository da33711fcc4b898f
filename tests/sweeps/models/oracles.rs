//! Oracles that err: wrong answers by a budget, each an event, and eventually corrected. Catalogue: E14.

use crate::common::*;
use std::collections::BTreeSet;
use synod::internals::explore::{Exploration, ExploreOptions as Search, explore};
use synod::internals::ids::ProcessId;
use synod::internals::instance::Instance;
use synod::internals::ir::{Fault, Value};
use synod::internals::property::Judgement;
use synod::internals::semantics::event::Cause;
use synod::internals::semantics::{enabled, initial, step};
use synod::internals::simulate::{Schedule, SimulateOptions, simulate};
use synod::internals::trace::{End, Header, Recorder, Trace};

fn search(instance: &Instance, properties: &[&str]) -> Exploration {
    let names: Vec<String> = properties.iter().map(|p| p.to_string()).collect();
    explore(instance, Some(&names), &Search { keep_going: true, ..Search::default() }, &mut |_| None)
}

fn judged(found: &Exploration, property: &str) -> Judgement {
    assert_eq!(found.stopped_by, None);
    found.verdicts.iter().find(|v| v.name == property).unwrap().judgement
}

/// If the oracle errs a finite number of times, there is finally one leader. It is constant only after the last wrong answer.
#[test]
fn a_finite_number_of_wrong_answers_does_no_harm() {
    let program = library("leader_oracle");
    for (n, lies) in [(2, 0), (2, 1), (2, 3), (3, 1), (3, 2)] {
        let instance = on(&program, &format!("complete({n})")).faults(&[(Fault::OracleError, lies)]).build();
        let found = search(&instance, &["one_leader", "never_none", "same_leader"]);
        assert_eq!(judged(&found, "one_leader"), Judgement::Holds, "n = {n}, {lies} lies");
        assert_eq!(judged(&found, "never_none"), Judgement::Holds);
        let stays = if lies == 0 { Judgement::Holds } else { Judgement::Violated };
        assert_eq!(judged(&found, "same_leader"), stays, "n = {n}, {lies} lies");
    }
    let ring = library("leader_oracle_ring");
    let instance = on(&ring, "ring(2)").faults(&[(Fault::OracleError, 1)]).build();
    assert_eq!(judged(&search(&instance, &["one_leader"]), "one_leader"), Judgement::Holds);
}

/// Claimed properties hold whatever the oracle has answered before it became permanently right; those that a wrong answer may
/// violate are waived.
#[test]
fn claimed_properties_tolerate_wrong_answers() {
    for (name, network, undone) in
        [("leader_oracle", "complete(3)", "same_leader"), ("leader_oracle_ring", "ring(2)", "no_second")]
    {
        for lies in [0, 1] {
            let instance = on(&library(name), network).faults(&[(Fault::OracleError, lies)]).build();
            let search = Search { keep_going: true, ..Search::default() };
            let found = explore(&instance, None, &search, &mut |_| None);
            let mut promised = found.verdicts.iter().filter(|v| v.promised);
            assert!(promised.clone().count() > 0, "{name}");
            assert!(promised.all(|v| v.judgement == Judgement::Holds), "{name}: {:?}", found.verdicts);
            let expected = if lies == 0 { Judgement::Holds } else { Judgement::Violated };
            assert_eq!(judged(&found, undone), expected, "{name}, {lies} lies");
        }
    }
}

/// If it were never corrected, a wrong «yes» would be final: here it is, so some process leads.
#[test]
fn a_wrong_answer_is_corrected() {
    let instance = on(&library("leader_oracle"), "complete(2)").faults(&[(Fault::OracleError, 2)]).build();
    let mut configuration = initial(&instance);
    for p in 0..2 {
        // The first value: no process leads.
        let first = enabled(&instance, &configuration).remove(0);
        let choices = [0].into_iter().collect();
        step(&instance, &mut configuration, &synod::internals::semantics::event::Event { choices, ..first })
            .unwrap();
        assert_eq!(variable(&instance, &configuration, p, "leader"), Value::Bool(false));
    }
    for p in 0..2 {
        assert!(configuration.enabled(ProcessId(p)));
        step(&instance, &mut configuration, &event(p, Cause::Mislead)).unwrap();
        assert!(!configuration.enabled(ProcessId(p)), "the oracle reports a leader");
        assert!(step(&instance, &mut configuration.clone(), &event(p, Cause::Mislead)).is_err());
    }
    let causes: Vec<Cause> = enabled(&instance, &configuration).into_iter().map(|e| e.cause).collect();
    assert_eq!(causes, [Cause::EndMislead, Cause::EndMislead], "nothing else, and the budget is spent");
    step(&instance, &mut configuration, &event(1, Cause::EndMislead)).unwrap();
    assert!(configuration.enabled(ProcessId(1)) && !configuration.enabled(ProcessId(0)));
}

#[test]
fn traces_with_wrong_answers_are_replayed() {
    let instance = on(&library("leader_oracle"), "complete(4)").faults(&[(Fault::OracleError, 4)]).build();
    let mut seen = BTreeSet::new();
    for seed in 0..60 {
        let header = Header::of(&instance, &[], "random", seed);
        let mut recorder = Recorder::new(&instance, header, &initial(&instance));
        let options = SimulateOptions {
            schedule: Schedule::Random,
            seed,
            max_steps: Some(400),
            ..SimulateOptions::default()
        };
        let run = simulate(&instance, &options, &mut recorder);
        let trace = recorder.finish(End::of(&run.outcome));
        assert_eq!(Trace::read(&trace.to_text()).unwrap(), trace);
        assert!(trace.replay(&instance).reproduced());
        seen.extend(trace.events.iter().map(|e| e.action.clone()));
        let leaders =
            (0..4).filter(|p| variable(&instance, &run.configuration, *p, "leader") == Value::Bool(true));
        assert_eq!(leaders.count(), 1, "seed {seed}");
    }
    for action in ["misled by the oracle", "oracle corrected"] {
        assert!(seen.contains(action), "{seen:?}");
    }
}

/// An erring oracle must exist.
#[test]
fn only_oracles_err() {
    let text = "algorithm a assumes complete, anonymous, pairwise interactions, oracles err\nvar x : Bool := any\n\
                on interaction(v) when x and v.x -> v.x := false\n";
    let checked = synod::internals::check::check("a.syn", text, &|_| None);
    let found: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
    assert!(found.iter().any(|m| m.contains("`oracles err` needs an oracle")), "{found:?}");
}
