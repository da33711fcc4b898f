//! The token ring: the distance of the token, with all processes waiting, with one, and with none. Catalogue: C5.2.

use super::mutexes::{Chains, all_at_once};
use crate::common::*;
use synod::internals::ids::ProcessId;
use synod::internals::instance::Instance;
use synod::internals::ir::Value;
use synod::internals::simulate::{
    AnyScheduler, Outcome, Schedule, SimulateOptions, Simulation, Unobserved, simulate,
};

#[test]
fn the_token_ring_takes_one_message_an_entry_under_load() {
    let program = library("token_ring");
    for n in 1..=7 {
        // The first entry is at the token's position.
        for schedule in [Schedule::Fifo, Schedule::Random, Schedule::Adversary, Schedule::RoundRobin] {
            let run = all_at_once(&program, &format!("ring({n})"), schedule);
            assert_eq!(run.metrics.messages(), n - 1);
        }
    }
}

#[test]
fn the_token_reaches_a_waiting_process_after_its_distance() {
    let program = library("token_ring");
    for n in 1..=6u32 {
        for process in 0..n {
            // It begins to circulate when all processes have started; with everything held its first hop waits.
            let instance = on(&program, &format!("ring({n})")).idle_clients().param("rest_after", 1).build();
            let mut simulation =
                Simulation::new(&instance, AnyScheduler::new(&instance, Schedule::Random, 1));
            simulation.set_held(everything_held());
            start(&instance, &mut simulation);
            simulation.run(&instance, 1000, &mut Unobserved);
            assert_eq!(simulation.metrics().messages(), 1);
            let enter = call(&instance, process, "enter", Vec::new());
            simulation.take(&instance, &enter, &mut Unobserved).unwrap();
            simulation.set_held(Default::default());
            simulation.run(&instance, 1000, &mut Unobserved);
            let distance = if process == 0 { n } else { process };
            assert_eq!(simulation.metrics().time, distance, "1 to n hops");
            simulation
                .take(&instance, &call(&instance, process, "exit", Vec::new()), &mut Unobserved)
                .unwrap();
            let run = finish(&instance, simulation);
            assert_eq!(run.metrics.messages(), u64::from(distance), "and there it rests");
        }
    }
}

/// Call an operation of a process, and continue until nothing is enabled.
fn act(instance: &Instance, simulation: &mut Simulation<AnyScheduler>, process: u32, operation: &str) {
    simulation.take(instance, &call(instance, process, operation, Vec::new()), &mut Unobserved).unwrap();
    let outcome = simulation.run(instance, 100_000, &mut Unobserved);
    assert!(matches!(outcome, Outcome::Quiescent | Outcome::Stuck(_)), "{outcome:?}");
}

fn is_in(instance: &Instance, simulation: &Simulation<AnyScheduler>, process: u32) -> bool {
    variable(instance, &simulation.configuration, process, "critical") == Value::Bool(true)
}

/// From one exit to the next entry: as many hops as the distance to the next process, n for the one that has just left.
#[test]
fn from_an_exit_to_the_next_entry_the_token_takes_1_to_n_hops() {
    let program = library("token_ring");
    for n in 2..=6u32 {
        let instance = on(&program, &format!("ring({n})")).idle_clients().build();
        for (leaves, enters) in (0..n).flat_map(|p| (0..n).map(move |q| (p, q))) {
            let mut simulation = Simulation::new(&instance, AnyScheduler::new(&instance, Schedule::Fifo, 0));
            start(&instance, &mut simulation);
            act(&instance, &mut simulation, leaves, "enter");
            assert!(is_in(&instance, &simulation, leaves));
            let enter = call(&instance, enters, "enter", Vec::new());
            let mut chains = Chains::default();
            if enters != leaves {
                simulation.take(&instance, &enter, &mut Unobserved).unwrap();
            }
            let exit = call(&instance, leaves, "exit", Vec::new());
            simulation.take(&instance, &exit, &mut chains).unwrap();
            if enters == leaves {
                simulation.take(&instance, &enter, &mut Unobserved).unwrap();
            }
            while !is_in(&instance, &simulation, enters) {
                simulation.advance(&instance, &mut chains).expect("it goes on");
            }
            let away = (enters + n - leaves - 1) % n + 1;
            assert_eq!(chains.at[&ProcessId(enters)], away, "n = {n}, p{leaves} to p{enters}");
        }
    }
}

/// All processes always want to enter: with five processes, four times each, 20 entries take 19 hops.
#[test]
fn under_load_every_hop_is_an_entry() {
    let program = library("token_ring");
    for (n, times) in [(2u32, 3), (3, 4), (5, 4), (7, 2)] {
        let entries = n * times;
        let setup = on(&program, &format!("ring({n})")).idle_clients();
        let instance = setup.param("rest_after", i64::from(entries)).build();
        let mut simulation = Simulation::new(&instance, AnyScheduler::new(&instance, Schedule::Random, 1));
        start(&instance, &mut simulation);
        for p in 0..n {
            let enter = call(&instance, p, "enter", Vec::new());
            simulation.take(&instance, &enter, &mut Unobserved).unwrap();
        }
        simulation.run(&instance, 100_000, &mut Unobserved);
        for entry in 0..entries {
            let inside: Vec<u32> = (0..n).filter(|p| is_in(&instance, &simulation, *p)).collect();
            assert_eq!(inside, [entry % n]);
            assert_eq!(simulation.metrics().messages(), u64::from(entry));
            let exit = call(&instance, inside[0], "exit", Vec::new());
            simulation.take(&instance, &exit, &mut Unobserved).unwrap();
            if entry + n < entries {
                let enter = call(&instance, inside[0], "enter", Vec::new());
                simulation.take(&instance, &enter, &mut Unobserved).unwrap();
            }
            simulation.run(&instance, 100_000, &mut Unobserved);
        }
        assert_eq!(simulation.metrics().messages(), u64::from(entries) - 1);
    }
}

/// Without requests the token circulates, one hop in every message time.
#[test]
fn without_clients_the_token_makes_one_hop_in_each_message_time() {
    let program = library("token_ring");
    for n in 2..=6u32 {
        let setup = on(&program, &format!("ring({n})")).idle_clients().param("rest_after", -1);
        let options =
            SimulateOptions { schedule: Schedule::Fifo, max_steps: Some(200), ..SimulateOptions::default() };
        let run = simulate(&setup.build(), &options, &mut Unobserved);
        assert_eq!(run.outcome, Outcome::Limit);
        let (hops, time) = (run.metrics.messages(), u64::from(run.metrics.time));
        assert!(hops >= 190 && (time == hops || time + 1 == hops), "{hops} hops in {time}");
    }
}
