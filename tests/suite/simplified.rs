//! Model checking beyond one search, from the library: simpler counterexamples, and all arrangements of the ids.

use crate::common::{library, source};
use std::sync::Arc;
use synod::internals::explore::{
    Exploration, ExploreOptions, SearchOrder, StopReason, ViolationKind, explore,
};
use synod::internals::instance::{Instance, Settings};
use synod::internals::ir::{Budget, Fault, Program, Value};
use synod::internals::network::Spec;
use synod::internals::property::Judgement;
use synod::internals::setup::{InstanceOptions, instantiate};
use synod::internals::stop::StopSignal;
use synod::internals::verification::arrangements::{Arranged, Arrangement, explore_arrangements};
use synod::internals::verification::decidable::largest_explorable;
use synod::internals::verification::faults::Faults;
use synod::internals::verification::networks::simpler;
use synod::internals::verification::{Found, Shrunk, Stage, shortest, shrink};

/// Each process waits for one message.
const LOSSY: &str = "
algorithm lossy
assumes unidirectional ring, fifo, loses messages
message Hello
state s
  send Hello
  receive Hello
  halt
finally all: forall p: p.halted
";

fn on(topology: &str, faults: &[(Fault, u32)]) -> InstanceOptions {
    InstanceOptions {
        topology: Some(Spec::parse(topology).unwrap()),
        settings: Settings { faults: faults.to_vec(), ..Settings::default() },
        ..InstanceOptions::default()
    }
}

fn searched(
    program: &Arc<Program>,
    options: &InstanceOptions,
    search: &ExploreOptions,
) -> (Instance, Exploration) {
    let instance = instantiate(program, options).unwrap();
    let exploration = explore(&instance, None, search, &mut |_| None);
    (instance, exploration)
}

/// Simplify the first counterexample; return also the stages, each once for a run of calls.
fn shrunk(
    program: &Arc<Program>,
    options: &InstanceOptions,
    search: &ExploreOptions,
) -> (Shrunk, Vec<Stage>) {
    let (instance, exploration) = searched(program, options, search);
    let counterexample = &exploration.counterexamples[0];
    let found = Found { counterexample, exploration: &exploration, instance: &instance, options, search };
    let mut stages = Vec::new();
    let shrunk = shrink(&found, &mut |stage, _| {
        stages.push(stage);
        None
    });
    stages.dedup();
    (shrunk, stages)
}

#[test]
fn a_deadlock_is_found_on_the_smallest_network() {
    let options = on("complete(3)", &[]);
    let (shrunk, stages) = shrunk(&library("voting"), &options, &ExploreOptions::default());
    assert_eq!(stages, [Stage::FewerFaults, Stage::SmallerNetworks]);
    assert!(shrunk.faults.is_none());
    let smaller = shrunk.smaller.expect("a smaller network");
    assert_eq!(smaller.instance.network.topology(), "complete(2)");
    assert!(matches!(smaller.shortened.counterexample.kind, ViolationKind::Stuck(_)));
}

#[test]
fn faults_that_are_not_needed_are_removed() {
    let options = on("ring(3)", &[(Fault::Loss, 3)]);
    let search = ExploreOptions { order: SearchOrder::Depth, ..ExploreOptions::default() };
    let (shrunk, stages) = shrunk(&source(LOSSY), &options, &search);
    assert_eq!(stages, [Stage::Shorter, Stage::FewerFaults, Stage::SmallerNetworks]);
    let faults = shrunk.faults.expect("the instance has faults");
    assert_eq!((faults.used.of(Fault::Loss), faults.needed), (1, true));
    assert_eq!(faults.to_string(), "requires 1 loss: no violation without it");
    let smaller = shrunk.smaller.expect("a smaller network");
    assert!(smaller.instance.n() < 3);
}

/// A signal that is set ends each search, and leaves the counterexample as it was.
#[test]
fn simplification_can_be_stopped() {
    let program = library("voting");
    let options = on("complete(3)", &[]);
    let search = ExploreOptions::default();
    let (instance, exploration) = searched(&program, &options, &search);
    let counterexample = &exploration.counterexamples[0];
    let settings = Settings { stop: StopSignal::when(|| true), ..options.settings.clone() };
    let options = InstanceOptions { settings, ..options };
    let found = Found {
        counterexample,
        exploration: &exploration,
        instance: &instance,
        options: &options,
        search: &search,
    };
    let shrunk = shrink(&found, &mut |_, progress| progress.map(|_| StopReason::Time));
    assert!(shrunk.smaller.is_none());
    assert_eq!(
        shrunk.shortened.counterexample.events,
        shortest(&found, &mut |_, _| None).counterexample.events
    );
}

#[test]
fn all_arrangements_have_a_joint_result() {
    let program = library("chang_roberts");
    let options = on("ring(3)", &[]);
    let mut explore = |instance: &Instance, so_far: u64| {
        let limit = ExploreOptions::default().max_configurations - so_far;
        let search = ExploreOptions { max_configurations: limit, ..ExploreOptions::default() };
        explore(instance, None, &search, &mut |_| None)
    };
    let (mut seen, mut configurations) = (0, 0);
    let mut each = |one: Arrangement| {
        assert!(one.new.is_empty());
        seen += 1;
        configurations += one.exploration.configurations;
    };
    let joint = explore_arrangements(&program, &options, Arranged::Ids, &mut explore, &mut each).unwrap();
    assert_eq!((joint.arrangements.searched, seen), (6, 6));
    assert_eq!(joint.exploration.configurations, configurations);
    assert!(joint.exploration.verdicts.iter().all(|verdict| verdict.judgement == Judgement::Holds));
}

fn simpler_networks(topology: &str, n: u32) -> String {
    simpler(topology, n).into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_smallest_come_first_and_then_the_simplest() {
    assert_eq!(simpler_networks("ring(3)", 3), "ring(1) line(2) ring(2) line(3)");
    assert_eq!(simpler_networks("complete(3)", 3), "complete(1) complete(2) line(3)");
    assert_eq!(
        simpler_networks("complete(4)", 4),
        "complete(1) complete(2) line(3) complete(3) line(4) star(3) ring(4)"
    );
    assert_eq!(simpler_networks("line(2)", 2), "line(1)");
    assert_eq!(simpler_networks("star(3)", 4), "star(1) star(2) line(4)");
    assert_eq!(simpler_networks("edges(0-1, 1-2)", 3), "line(2) ring(2) line(3) ring(3)");
    assert_eq!(
        simpler_networks("mesh(2, 2)", 4),
        "mesh(1, 1) line(2) ring(2) mesh(1, 2) mesh(2, 1) line(3) ring(3) line(4) star(3) ring(4) complete(4)"
    );
}

#[test]
fn large_networks_have_no_simpler_ones() {
    assert_eq!(simpler_networks("ring(65)", 65), "");
}

#[test]
fn faults_are_counted_by_kind() {
    let text = |all: &[(Fault, u32)]| {
        let mut used = Budget::default();
        all.iter().for_each(|(fault, count)| used.set(*fault, *count));
        Faults::not_minimized(used).to_string()
    };
    let rest = "whether fewer suffice is not known";
    assert_eq!(text(&[(Fault::Loss, 1)]), format!("happens with 1 loss; {rest}"));
    assert_eq!(text(&[(Fault::Loss, 2)]), format!("happens with 2 losses; {rest}"));
    assert_eq!(text(&[(Fault::OracleError, 1)]), format!("happens with 1 lie; {rest}"));
    assert_eq!(text(&[(Fault::OracleError, 2)]), format!("happens with 2 lies; {rest}"));
    assert_eq!(
        text(&[(Fault::Crash, 1), (Fault::Loss, 1)]),
        format!("happens with 1 crash and 1 loss; {rest}")
    );
}

/// A parameter is decreased if no network with its default is small enough, first alone, as little as possible; one that is set is not.
#[test]
fn parameters_are_decreased_for_a_default_that_is_too_large() {
    let text = "algorithm counting
assumes ring, unordered
param turns : Int = 3
param heights : Int = 200
var turn := 0
var height := 0
state s
  do turn < turns -> turn := turn + 1; height := (height + heights) mod 1000; pause od
  halt
";
    let program = source(text);
    let explored = |params: &[(&str, i64)], most: u64| {
        let mut options =
            InstanceOptions { topology: Some(Spec::parse("ring(4)").unwrap()), ..InstanceOptions::default() };
        options.settings.params =
            params.iter().map(|(name, value)| (name.to_string(), Value::Int(*value))).collect();
        let default = instantiate(&program, &options).unwrap();
        let search = ExploreOptions {
            reduce: false,
            dead_messages: false,
            forget_wakeups: false,
            symmetry: false,
            max_configurations: most,
            ..ExploreOptions::default()
        };
        let found = largest_explorable(&default, &options, |instance| {
            explore(instance, None, &search, &mut |_| None)
        });
        found.map(|found| (found.instance.network.topology().to_string(), found.instance.params.clone()))
    };
    let on = |network: &str, turns, heights| {
        Some((network.to_string(), vec![Value::Int(turns), Value::Int(heights)]))
    };
    // Each process has 4, 3 or 2 local states, for 3, 2 or 1 turns.
    assert_eq!(explored(&[], 200), on("ring(3)", 3, 200));
    assert_eq!(explored(&[], 30), on("ring(2)", 3, 200));
    assert_eq!(explored(&[], 13), on("ring(2)", 2, 200));
    assert_eq!(explored(&[], 6), on("ring(2)", 1, 200));
    assert_eq!(explored(&[("turns", 2)], 6), None);
    assert_eq!(explored(&[], 3), None);
}
