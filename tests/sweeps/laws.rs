//! Laws of the semantics and of the simulator, over the algorithms of the library on small random instances.

use crate::common::*;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::sync::{Arc, LazyLock};
use synod::internals::ids::MessageId;
use synod::internals::instance::Instance;
use synod::internals::ir::{Program, Shape};
use synod::internals::semantics::event::{Cause, Effects, Event};
use synod::internals::semantics::{Configuration, Metrics, enabled, initial, step};
use synod::internals::session::{Keep, run_monitored};
use synod::internals::simulate::{Observer, Run, Schedule, SimulateOptions, Unobserved, replay, simulate};
use synod::internals::trace::End;

static ALGORITHMS: LazyLock<Vec<Arc<Program>>> = LazyLock::new(|| {
    let entries = synod::internals::library::entries();
    let programs = entries.values().filter(|e| !e.is_problem()).map(|e| library(e.name));
    programs.collect()
});

/// Indices of the algorithms whose processes step one at a time, and do not read others.
static SINGLE: LazyLock<Vec<usize>> = LazyLock::new(|| {
    let single = |p: &Program| {
        let assumes = &p.assumptions;
        !assumes.rounds() && !assumes.reads_neighbours() && !assumes.in_pairs()
    };
    (0..ALGORITHMS.len()).filter(|i| single(&ALGORITHMS[*i])).collect()
});

/// Return the sample with one of these algorithms.
fn single((algorithm, size, ids, schedule, seed): Sample) -> Sample {
    (SINGLE[algorithm % SINGLE.len()], size, ids, schedule, seed)
}

/// Algorithm, size, seed of the ids, schedule, seed of the run.
type Sample = (usize, u32, u64, Schedule, u64);

fn samples() -> impl Strategy<Value = Sample> {
    let schedule = prop_oneof![
        4 => Just(Schedule::Random),
        1 => Just(Schedule::Fifo),
        1 => Just(Schedule::RoundRobin),
        1 => Just(Schedule::Adversary),
    ];
    (0..ALGORITHMS.len(), 1..6u32, any::<u64>(), schedule, any::<u64>())
}

/// Return the instance on the smallest network of at least this size that the algorithm accepts.
fn instance((algorithm, size, ids, ..): Sample) -> Instance {
    let program = &ALGORITHMS[algorithm];
    let mut fitting = (size..size + 5)
        .filter_map(|size| on(program, &topology(program, size)).random_ids(ids).build_if_it_fits());
    fitting.next().unwrap_or_else(|| panic!("no small network for {}", program.name))
}

fn topology(program: &Program, size: u32) -> String {
    match program.assumptions.topology {
        Some(Shape::Ring) => format!("ring({size})"),
        Some(Shape::Star) => format!("star({size})"),
        Some(Shape::Tree) => format!("random_tree({size})"),
        Some(Shape::Mesh) => format!("mesh(3, {})", size.max(3)),
        Some(Shape::Torus) => format!("torus(2, {size})"),
        Some(Shape::Hypercube) => format!("hypercube({})", size.min(3)),
        _ => format!("complete({})", size.min(4)),
    }
}

/// Every event of a run, with the messages that it received and sent.
#[derive(Default)]
struct Recorded {
    events: Vec<Event>,
    received: Vec<Vec<MessageId>>,
    sent: Vec<Vec<MessageId>>,
}

impl Observer for Recorded {
    fn after(&mut self, _: &Instance, e: &Event, effects: &Effects, _: &Configuration, _: &Metrics) -> bool {
        self.events.push(e.clone());
        self.received.push(effects.received.iter().map(|r| r.message).collect());
        self.sent.push(effects.sent.iter().map(|s| s.message).collect());
        true
    }
}

fn recorded(instance: &Instance, (_, _, _, schedule, seed): Sample) -> (Run, Recorded) {
    let mut recorded = Recorded::default();
    let options = SimulateOptions { schedule, seed, max_steps: Some(5_000), ..SimulateOptions::default() };
    let run = simulate(instance, &options, &mut recorded);
    (run, recorded)
}

fn replayed(instance: &Instance, events: &[Event]) -> (Configuration, Metrics) {
    let mut configuration = initial(instance);
    let metrics = replay(instance, &mut configuration, events, &mut Unobserved).expect("it goes again");
    (configuration, metrics)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn replay_of_a_run_reproduces_it(sample in samples()) {
        let instance = instance(sample);
        let (run, recorded) = recorded(&instance, sample);
        let (configuration, metrics) = replayed(&instance, &recorded.events);
        prop_assert!(configuration == run.configuration);
        prop_assert_eq!(metrics, run.metrics);
    }

    #[test]
    fn the_same_seed_gives_the_same_run(sample in samples()) {
        let (first, again) = (instance(sample), instance(sample));
        let ((run, events), (run_again, events_again)) = (recorded(&first, sample), recorded(&again, sample));
        prop_assert_eq!(events.events, events_again.events);
        prop_assert!(run.configuration == run_again.configuration);
        prop_assert_eq!(run.metrics, run_again.metrics);
        prop_assert_eq!(run.outcome, run_again.outcome);
    }

    #[test]
    fn observation_does_not_change_a_run(sample in samples()) {
        let instance = instance(sample);
        let (watched, _) = recorded(&instance, sample);
        let options =
            SimulateOptions { schedule: sample.3, seed: sample.4, max_steps: Some(5_000), ..SimulateOptions::default() };
        let unwatched = simulate(&instance, &options, &mut Unobserved);
        prop_assert!(watched.configuration == unwatched.configuration);
        prop_assert_eq!(watched.metrics, unwatched.metrics);
    }

    #[test]
    fn adjacent_concurrent_events_commute(sample in samples(), choice in any::<prop::sample::Index>()) {
        let sample = single(sample);
        let instance = instance(sample);
        // In models with time, later events are closer to their deadlines.
        prop_assume!(!instance.is_timed());
        let (run, recorded) = recorded(&instance, sample);
        let Recorded { events, received, sent } = recorded;
        let concurrent = |i: &usize| {
            let (a, b) = (&events[*i], &events[i + 1]);
            a.process != b.process
                && a.cause != Cause::Start
                && b.cause != Cause::Start
                // A process woken by a message depends on it without receiving it.
                && !(matches!(b.cause, Cause::Deliver { .. }) && received[i + 1].is_empty())
                && received[i + 1].iter().all(|m| !sent[*i].contains(m))
        };
        let places: Vec<usize> = (0..events.len().saturating_sub(1)).filter(concurrent).collect();
        prop_assume!(!places.is_empty());
        let place = places[choice.index(places.len())];
        let mut swapped = events.clone();
        swapped.swap(place, place + 1);
        let (configuration, metrics) = replayed(&instance, &swapped);
        prop_assert!(configuration == run.configuration, "{:?} and {:?}", events[place], events[place + 1]);
        prop_assert_eq!(metrics, run.metrics);
    }

    #[test]
    fn every_event_of_a_run_was_enabled_and_a_step_is_deterministic(sample in samples()) {
        let instance = instance(sample);
        let (_, recorded) = recorded(&instance, sample);
        let mut configuration = initial(&instance);
        for event in &recorded.events {
            let without_choices = Event { choices: Default::default(), ..event.clone() };
            let possible = enabled(&instance, &configuration);
            if !possible.contains(&without_choices) {
                // If nothing is due, waiting changes nothing, and is not listed.
                let at_once = Event { wait: 0, ..without_choices };
                prop_assert!(possible.contains(&at_once), "{:?} is not among {:?}", event, possible);
                let mut sooner = configuration.clone();
                step(&instance, &mut sooner, &Event { wait: 0, ..event.clone() }).unwrap();
                let mut later = configuration.clone();
                step(&instance, &mut later, event).unwrap();
                prop_assert!(sooner == later);
            }
            if configuration.in_joint_step() && instance.model.rounds() {
                let parts = possible.iter().filter(|e| e.process != event.process).count();
                prop_assert_eq!(parts, 0, "in the middle of a round it is one process's turn");
            }
            let mut again = configuration.clone();
            let effects = step(&instance, &mut configuration, event).unwrap();
            let effects_again = step(&instance, &mut again, event).unwrap();
            prop_assert!(configuration == again);
            prop_assert_eq!(format!("{effects:?}"), format!("{effects_again:?}"));
        }
    }

    #[test]
    fn steps_of_other_processes_keep_events_enabled(
        sample in samples(),
        choice in any::<prop::sample::Index>(),
    ) {
        let sample = single(sample);
        let instance = instance(sample);
        prop_assume!(!instance.is_timed());
        let (_, recorded) = recorded(&instance, sample);
        let started = recorded.events.iter().take_while(|e| e.cause == Cause::Start).count();
        prop_assume!(recorded.events.len() > started);
        let place = started + choice.index(recorded.events.len() - started);
        let (mut configuration, _) = replayed(&instance, &recorded.events[..place]);
        let before = enabled(&instance, &configuration);
        let event = &recorded.events[place];
        step(&instance, &mut configuration, event).unwrap();
        let after = enabled(&instance, &configuration);
        for other in before.iter().filter(|e| e.process != event.process) {
            prop_assert!(after.contains(other), "{:?} is gone after {:?}", other, event);
        }
    }
}

/// A trace for display is made when the run has ended, from the steps that were kept.
#[test]
fn a_trace_for_display_is_that_of_the_run() {
    let aborts = source(
        "algorithm aborts\nassumes unidirectional ring, unique ids\nmessage M(x: Int)\nvar y : Int\n\
         on wakeup -> send M(3)\non M(x) -> y := 6 div x; send M(x - 1)\n",
    );
    let (mut compared, mut aborted) = (0, 0);
    for program in ALGORITHMS.iter().chain([&aborts]) {
        for faults in EACH_FAULT {
            let mut fitting = (1..5).filter_map(|size| {
                on(program, &topology(program, size)).faults(faults).random_ids(3).build_if_it_fits()
            });
            let Some(instance) = fitting.next_back() else { continue };
            let options = SimulateOptions {
                schedule: Schedule::Random,
                seed: 5,
                max_steps: Some(200),
                ..SimulateOptions::default()
            };
            let trace = |keep| run_monitored(&instance, Some(&[]), keep, "random", &options).trace;
            let recorded = trace(Keep::Always);
            compared += 1;
            aborted += usize::from(recorded.as_ref().is_some_and(|trace| trace.end == End::Aborted));
            assert_eq!(trace(Keep::Small), recorded, "{} {faults:?}", program.name);
        }
    }
    assert!(compared > 100 && aborted > 0, "{compared} runs, {aborted} aborted");
}
