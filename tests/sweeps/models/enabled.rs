//! The enabled processes that a configuration keeps, in models whose processes read or meet each other, are those that are found by
//! evaluating all guards; and a run ends only when there are none.

use crate::common::*;
use std::sync::Arc;
use synod::internals::instance::Instance;
use synod::internals::ir::{Daemon, Fault, Program};
use synod::internals::semantics::event::{Effects, Event};
use synod::internals::semantics::{Configuration, Machine, Metrics};
use synod::internals::simulate::{Observer, Outcome, SimulateOptions, simulate};

/// Neighbours whose values differ too much move toward each other. Some processes stop for a while.
const SPREAD: &str = "algorithm spread
assumes anonymous, reads neighbours, distributed daemon, randomness, crashes, restarts
var x : 0..5 := any
var rests : Bool := any
when not rests and (some p in neighbours: x < p.x - 1) -> x := x + 1
when not rests and (forall p in neighbours: p.x < x) and x > 0 -> x := x - 1; rests := true
when rests and (some p in neighbours: p.x > x) -> rests := false
";

/// Marks that meet, with an oracle that depends on all of them.
const MEETINGS: &str = "algorithm meetings
assumes anonymous, pairwise interactions, oracle full, oracles err
var mark : 0..3 := any
function full() : Bool = forall p: p.mark > 0
on interaction(v) when mark = 2 and v.mark = 0 -> v.mark := 1
on interaction(v) when mark = 3 and v.mark != 3 -> mark := 2
on interaction(v) when mark = 1 and v.mark = 1 and not full() -> mark := 3
on interaction(v) when mark = 2 and v.mark = 2 and full() -> v.mark := 0; mark := 0
";

/// Compares the enabled processes after each step.
struct Compare {
    machine: Machine,
    steps: u64,
}

impl Observer for Compare {
    fn after(
        &mut self,
        instance: &Instance,
        _: &Event,
        _: &Effects,
        configuration: &Configuration,
        _: &Metrics,
    ) -> bool {
        self.steps += 1;
        if configuration.next_to_start().is_none() && !configuration.in_joint_step() {
            for p in instance.processes() {
                let found = self.machine.is_enabled(instance, configuration, p);
                assert_eq!(
                    configuration.enabled(p),
                    found,
                    "{p} after step {} on {}",
                    self.steps,
                    instance.network.topology()
                );
            }
        }
        true
    }
}

fn compare(instance: &Instance, seed: u64) -> u64 {
    let options = SimulateOptions { seed, max_steps: Some(400), ..SimulateOptions::default() };
    let mut steps = 0;
    for (schedule, _) in schedules(1) {
        let mut all = Compare { machine: Machine::new(instance), steps: 0 };
        let run = simulate(instance, &SimulateOptions { schedule, ..options }, &mut all);
        if matches!(run.outcome, Outcome::Quiescent | Outcome::Terminated) {
            let open =
                instance.processes().find(|p| all.machine.is_enabled(instance, &run.configuration, *p));
            assert_eq!(open, None, "the run of {} has ended", instance.program.name);
        }
        steps += all.steps;
    }
    steps
}

fn programs() -> Vec<(Arc<Program>, &'static [&'static str])> {
    let mut all = vec![
        (
            source(SPREAD),
            ["ring(2)", "ring(5)", "tree(6)", "complete(4)", "random(9, 14, seed: 3)"].as_slice(),
        ),
        (source(MEETINGS), ["ring(3)", "line(4)", "complete(2)", "complete(6)", "star(4)"].as_slice()),
    ];
    for name in ["k_state_ring", "three_state_ring", "herman"] {
        all.push((library(name), &["ring(3)", "ring(7)"]));
    }
    for name in ["four_state_line", "burns_pachl"] {
        let networks: &[&str] =
            if name == "burns_pachl" { &["ring(3)", "ring(5)"] } else { &["line(3)", "line(6)"] };
        all.push((library(name), networks));
    }
    all.push((library("leader_oracle"), &["complete(3)", "complete(6)"]));
    all.push((library("leader_oracle_ring"), &["ring(3)", "ring(6)"]));
    all
}

#[test]
fn the_enabled_processes_are_those_with_an_open_guard() {
    let mut steps = 0;
    for (program, networks) in programs() {
        for network in networks {
            for seed in 1..6 {
                let plain = on(&program, network).random_ids(seed);
                let mut setups = vec![plain.clone()];
                if program.assumptions.has("reads neighbours") {
                    setups = [Daemon::Central, Daemon::Synchronous, Daemon::Distributed]
                        .map(|daemon| plain.clone().daemon(daemon))
                        .into();
                }
                if program.assumptions.crashes {
                    let faults = [(Fault::Crash, 2), (Fault::Restart, 1)];
                    setups.extend(setups.clone().into_iter().map(|setup| setup.faults(&faults)));
                }
                if program.assumptions.unreliable_oracles {
                    setups.push(plain.faults(&[(Fault::OracleError, 2)]));
                }
                for setup in setups {
                    if let Some(instance) = setup.build_if_it_fits() {
                        steps += compare(&instance, seed);
                    }
                }
            }
        }
    }
    assert!(steps > 20_000, "{steps} steps");
}
