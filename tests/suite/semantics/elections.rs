//! Exact message counts of the catalogue (E04, E08), under every scheduler.

use crate::semantics::build::*;
use synod::internals::ids::ProcessId;
use synod::internals::instance::Instance;
use synod::internals::semantics::event::{Effects, Event};
use synod::internals::semantics::{Configuration, Metrics, initial};
use synod::internals::simulate::{
    Observer, Outcome, Run, Schedule, SimulateOptions, Unobserved, replay, simulate,
};

const SCHEDULES: [Schedule; 4] =
    [Schedule::Fifo, Schedule::Random, Schedule::RoundRobin, Schedule::Adversary];

fn run(instance: &Instance, schedule: Schedule, seed: u64) -> Run {
    simulate(instance, &SimulateOptions { schedule, seed, ..SimulateOptions::default() }, &mut Unobserved)
}

fn messages(instance: &Instance) -> u64 {
    let counts: Vec<u64> = SCHEDULES
        .iter()
        .flat_map(|schedule| (0..3).map(move |seed| (schedule, seed)))
        .map(|(schedule, seed)| run(instance, *schedule, seed).metrics.messages())
        .collect();
    assert!(counts.iter().all(|c| *c == counts[0]), "{counts:?}");
    counts[0]
}

#[test]
fn chang_roberts_costs_what_the_order_of_ids_says() {
    let count = |ids: &[i64]| messages(&ring(chang_roberts(false), ids));
    assert_eq!(count(&[1, 2, 3, 4, 5]), 9);
    assert_eq!(count(&[5, 4, 3, 2, 1]), 15);
    assert_eq!(count(&[3, 9, 1, 4, 7]), 10);
    for n in 2..40 {
        let up: Vec<i64> = (1..=n).collect();
        let down: Vec<i64> = (1..=n).rev().collect();
        assert_eq!(count(&up) as i64, 2 * n - 1);
        assert_eq!(count(&down) as i64, n * (n + 1) / 2);
    }
}

#[test]
fn chang_roberts_announces_to_all() {
    let instance = ring(chang_roberts(true), &[3, 9, 1, 4, 7]);
    for schedule in SCHEDULES {
        let run = run(&instance, schedule, 1);
        assert_eq!(run.outcome, Outcome::Quiescent);
        assert_eq!(run.metrics.messages(), 15);
        assert_eq!(run.metrics.sent, [10, 5]);
        for p in 0..5 {
            assert_eq!(run.configuration.words(ProcessId(p))[ELECTED as usize], 9);
        }
    }
}

#[test]
fn dolev_klawe_rodeh_costs_the_same_under_every_schedule() {
    let count = |ids: &[i64]| messages(&ring(dolev_klawe_rodeh(), ids));
    for ids in [[1, 2, 3, 4], [1, 2, 4, 3], [1, 3, 4, 2], [1, 4, 3, 2]] {
        assert_eq!(count(&ids), 12, "{ids:?}");
    }
    for ids in [[1, 3, 2, 4], [1, 4, 2, 3]] {
        assert_eq!(count(&ids), 20, "{ids:?}");
    }
}

#[test]
fn dolev_klawe_rodeh_ends_with_the_greatest_id_everywhere() {
    let run = run(&ring(dolev_klawe_rodeh(), &[1, 3, 2, 4]), Schedule::Random, 7);
    assert_eq!(run.outcome, Outcome::Quiescent);
    let halted: Vec<ProcessId> = (0..4).map(ProcessId).filter(|p| run.configuration.halted(*p)).collect();
    // The process with id 2 detects it, as in the catalogue.
    assert_eq!(halted, [ProcessId(2)]);
    for p in 0..4 {
        assert_eq!(run.configuration.words(ProcessId(p))[D as usize], 4);
    }
}

#[derive(Default)]
struct Recorder(Vec<Event>);

impl Observer for Recorder {
    fn after(&mut self, _: &Instance, event: &Event, _: &Effects, _: &Configuration, _: &Metrics) -> bool {
        self.0.push(event.clone());
        true
    }
}

#[test]
fn replay_of_recorded_events_reproduces_the_configuration() {
    for program in [chang_roberts(true), dolev_klawe_rodeh()] {
        let instance = ring(program, &[5, 1, 4, 2, 8, 7, 3, 6]);
        for (schedule, seed) in [(Schedule::Fifo, 0), (Schedule::Random, 1), (Schedule::Random, 2)] {
            let mut recorder = Recorder::default();
            let options = SimulateOptions { schedule, seed, ..SimulateOptions::default() };
            let run = simulate(&instance, &options, &mut recorder);
            assert_eq!(recorder.0.len() as u64, run.steps);
            let mut configuration = initial(&instance);
            let metrics = replay(&instance, &mut configuration, &recorder.0, &mut Unobserved).unwrap();
            assert!(configuration == run.configuration);
            assert_eq!(metrics, run.metrics);
        }
    }
}

#[test]
fn every_enabled_event_can_be_taken_and_no_other() {
    let instance = ring(dolev_klawe_rodeh(), &[3, 1, 2]);
    let mut seen: Vec<Configuration> = vec![initial(&instance)];
    let mut next = 0;
    while next < seen.len() {
        let configuration = seen[next].clone();
        next += 1;
        for event in synod::internals::semantics::enabled(&instance, &configuration) {
            let mut after = configuration.clone();
            synod::internals::semantics::step(&instance, &mut after, &event).unwrap();
            assert!(after != configuration);
            let mut again = after.clone();
            if let synod::internals::semantics::event::Cause::Start = event.cause {
                assert!(synod::internals::semantics::step(&instance, &mut again, &event).is_err());
            }
            if !seen.contains(&after) {
                seen.push(after);
            }
        }
    }
    assert!(seen.len() > 10);
}

#[test]
fn elections_on_rings_use_fast_code() {
    for program in [chang_roberts(false), chang_roberts(true), dolev_klawe_rodeh()] {
        let name = program.name.clone();
        let instance = ring(program, &[1, 2, 3]);
        let table = &instance.tables[0];
        assert!(instance.fast().is_some(), "{name}: {:#?} {:?}", table.micro.code, instance.layout);
    }
}
