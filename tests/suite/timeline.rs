//! Navigation in a run: a position always equals the replay of its events, however it was reached.

use crate::common;
use crate::common::{library, on, run};
use std::sync::Arc;
use synod::internals::instance::Instance;
use synod::internals::ir::Fault;
use synod::internals::semantics::{Configuration, Metrics, initial, step};
use synod::internals::session::timeline::{
    Breakpoints, HitCondition, StepTrigger, Stop, Timeline, executable_places,
};
use synod::internals::simulate::{Outcome, Schedule};

/// Return one instance of each model: messages, unordered channels, rounds, radio, daemons, pairs, time with crashes, a client.
fn instances() -> Vec<(&'static str, Arc<Instance>)> {
    let plain = |name: &'static str, topology: &str| (name, Arc::new(on(&library(name), topology).build()));
    vec![
        plain("hirschberg_sinclair", "ring(4)"),
        plain("lelann", "ring(1)"),
        plain("flooding", "line(3)"),
        plain("radio_random", "complete(3)"),
        plain("k_state_ring", "ring(4)"),
        plain("leader_oracle", "complete(3)"),
        plain("maekawa", "complete(3)"),
        ("bully", Arc::new(on(&library("bully"), "complete(3)").faults(&[(Fault::Crash, 1)]).build())),
    ]
}

/// The number of steps that infinite programs are followed.
const STEPS: u64 = 60;

fn gone(instance: &Arc<Instance>, schedule: Schedule, seed: u64) -> Timeline {
    let mut timeline = Timeline::new(instance.clone(), schedule, seed);
    let went = timeline.go(STEPS, &mut Breakpoints::default());
    assert!(!matches!(went.stop, Stop::Impossible(_) | Stop::Aborted(_)), "{:?}", went.stop);
    timeline
}

/// Return the configuration at a position, by the semantics alone.
fn replayed(instance: &Instance, timeline: &Timeline, position: usize) -> Configuration {
    let mut configuration = initial(instance);
    for event in &timeline.events()[..position] {
        step(instance, &mut configuration, event).expect("a recorded step is possible");
    }
    configuration
}

/// Return everything visible at a position.
fn here(timeline: &Timeline) -> (usize, Configuration, Metrics) {
    (timeline.at(), timeline.configuration().clone(), timeline.metrics().clone())
}

#[test]
fn a_position_equals_the_replay_of_its_events() {
    for (name, instance) in instances() {
        let mut timeline = gone(&instance, Schedule::Random, 3);
        let len = timeline.events().len();
        assert!(len > 0, "{name}");
        // Forwards and backwards, near and far.
        for position in (0..=len).rev().chain((0..=len).step_by(7)).chain([len, 0, len / 2]) {
            timeline.goto(position).expect("a recorded position");
            assert_eq!(timeline.at(), position);
            assert_eq!(
                *timeline.configuration(),
                replayed(&instance, &timeline, position),
                "{name} @{position}"
            );
        }
    }
}

#[test]
fn back_and_step_undo_each_other() {
    for (name, instance) in instances() {
        let mut timeline = gone(&instance, Schedule::Fifo, 1);
        let len = timeline.events().len();
        for position in 0..len {
            timeline.goto(position).expect("a recorded position");
            if timeline.configuration().in_joint_step() {
                continue;
            }
            let before = here(&timeline);
            timeline.go(1, &mut Breakpoints::default());
            let after = here(&timeline);
            assert!(after.0 > before.0, "{name} @{position}");
            timeline.goto(position).expect("a recorded position");
            assert_eq!(here(&timeline), before, "{name} @{position}");
            timeline.go(1, &mut Breakpoints::default());
            assert_eq!(here(&timeline), after, "{name} @{position}");
            assert_eq!(timeline.events().len(), len, "{name}: nothing has been chosen anew");
        }
    }
}

#[test]
fn from_the_beginning_it_is_the_run_of_the_simulator() {
    let schedules = [Schedule::Fifo, Schedule::Random, Schedule::RoundRobin, Schedule::Adversary];
    for (name, instance) in instances() {
        if matches!(name, "k_state_ring" | "radio_random") {
            continue;
        }
        for (schedule, seed) in schedules.into_iter().zip(5..) {
            let whole = run(&instance, schedule, seed);
            let mut timeline = Timeline::new(instance.clone(), schedule, seed);
            // Running in pieces, with excursions, makes no difference.
            let mut stop = Stop::Done;
            while matches!(stop, Stop::Done | Stop::Violated(_)) {
                stop = timeline.go(5, &mut Breakpoints::default()).stop;
                let at = timeline.at();
                timeline.goto(at / 2).expect("a recorded position");
                timeline.goto(at).expect("a recorded position");
            }
            assert!(matches!(stop, Stop::End(_)), "{name} {schedule:?}: {stop:?}");
            assert_eq!(timeline.at() as u64, whole.steps, "{name} {schedule:?}");
            assert_eq!(*timeline.configuration(), whole.configuration, "{name} {schedule:?}");
            assert_eq!(*timeline.metrics(), whole.metrics, "{name} {schedule:?}");
            assert_eq!(timeline.outcome(), Some(whole.outcome), "{name} {schedule:?}");
        }
    }
}

#[test]
fn checkpoints_make_no_difference() {
    let instance = Arc::new(on(&library("lelann"), "ring(40)").build());
    let mut timeline = Timeline::new(instance.clone(), Schedule::Random, 1);
    timeline.go(100_000, &mut Breakpoints::default());
    let len = timeline.events().len();
    assert!(len > 1000, "{len}");
    for position in [len / 3, len - 1, 65, 64, 63, len, 1, len / 2, 0, len] {
        timeline.goto(position).expect("a recorded position");
        assert_eq!(*timeline.configuration(), replayed(&instance, &timeline, position), "@{position}");
    }
}

#[test]
fn branches_do_not_touch_one_another() {
    for (name, instance) in instances() {
        let mut timeline = gone(&instance, Schedule::Fifo, 1);
        let main = (timeline.events().to_vec(), here(&timeline));
        let middle = (0..=timeline.events().len() / 2)
            .rev()
            .find(|at| {
                timeline.goto(*at).expect("a recorded position");
                !timeline.configuration().in_joint_step()
            })
            .unwrap_or(0);
        assert!(timeline.fork("other"), "{name}");
        assert!(!timeline.fork("main"), "{name}: the name is taken");
        assert_eq!((timeline.branch(), timeline.at(), timeline.events().len()), ("other", middle, middle));
        timeline.choose_by(Schedule::Adversary, 9);
        timeline.go(STEPS, &mut Breakpoints::default());
        let other = (timeline.events().to_vec(), here(&timeline));
        timeline.switch("main").expect("its events are possible");
        assert_eq!(timeline.at(), middle, "{name}: where it was left");
        timeline.goto(usize::MAX).expect("its events are possible");
        assert_eq!((timeline.events().to_vec(), here(&timeline)), main, "{name}");
        let compared = timeline.compare("other").expect("a branch").expect("its events are possible");
        assert!(compared.common >= middle, "{name}");
        assert_eq!(compared.configuration, other.1.1, "{name}");
        timeline.switch("other").expect("its events are possible");
        assert_eq!((timeline.events().to_vec(), here(&timeline)), other, "{name}");
    }
}

#[test]
fn listed_steps_are_taken_as_listed() {
    for (name, instance) in instances() {
        let mut timeline = gone(&instance, Schedule::Random, 2);
        for position in (0..timeline.events().len()).step_by(5) {
            timeline.switch("main").expect("its events are possible");
            timeline.goto(position).expect("a recorded position");
            let possible = timeline.possible(usize::MAX);
            assert!(!possible.list.is_empty(), "{name} @{position}");
            for (number, one) in possible.list.iter().enumerate().filter(|(_, p)| p.aborts.is_none()) {
                timeline.switch("main").expect("its events are possible");
                timeline.goto(position).expect("a recorded position");
                assert!(timeline.fork(&format!("{position}.{number}")));
                timeline
                    .fire(&one.event)
                    .unwrap_or_else(|error| panic!("{name} @{position} {number}: {error}"));
                let told = timeline.narrate(position..position + 1);
                assert_eq!(told[0].event, one.told, "{name} @{position} {number}");
                assert_eq!(timeline.events()[position], one.event, "{name} @{position} {number}");
            }
        }
    }
}

#[test]
fn verdicts_do_not_depend_on_navigation() {
    for (name, instance) in instances() {
        let mut straight = gone(&instance, Schedule::Random, 4);
        let mut winding = Timeline::new(instance.clone(), Schedule::Random, 4);
        winding.go(STEPS, &mut Breakpoints::default());
        for position in [0, straight.events().len() / 2, 1, straight.events().len()] {
            winding.goto(position).expect("a recorded position");
            winding.verdicts();
            straight.goto(position).expect("a recorded position");
        }
        assert_eq!(winding.verdicts(), straight.verdicts(), "{name}");
        // Another step replaces the recorded events and their verdicts.
        winding.goto(winding.events().len() / 2).expect("a recorded position");
        if let Some(last) = winding.possible(50).list.into_iter().rfind(|p| p.aborts.is_none()) {
            winding.fire(&last.event).expect("it is possible");
            winding.go(10, &mut Breakpoints::default());
            let mut fresh = Timeline::new(instance.clone(), Schedule::Random, 4);
            fresh.follow(winding.events().to_vec()).expect("the same steps");
            fresh.goto(winding.at()).expect("a recorded position");
            assert_eq!(winding.verdicts(), fresh.verdicts(), "{name}");
        }
    }
}

#[test]
fn the_trace_is_the_one_a_run_would_have_kept() {
    for (name, instance) in instances() {
        let mut timeline = gone(&instance, Schedule::Random, 6);
        let whole = timeline.trace();
        let replay = whole.replay(&instance);
        assert!(replay.reproduced(), "{name}: {}", replay.summary());
        let at = whole.events.len() / 2;
        timeline.goto(at).expect("a recorded position");
        assert_eq!(timeline.trace().events, whole.events[..at], "{name}");
        // Described from the middle, events are the same as described from the beginning.
        let told: Vec<_> = timeline.narrate(at..whole.events.len()).into_iter().map(|t| t.event).collect();
        assert_eq!(told, whole.events[at..], "{name}");
    }
}

#[test]
fn a_runtime_error_has_no_effect_and_ends_the_trace() {
    let program = common::source(
        "algorithm broken assumes unidirectional ring, fifo\nvar x : 0..2\nstate s\n  send x to next\n  receive y\n  x := x + 1\n",
    );
    let instance = Arc::new(on(&program, "ring(1)").build());
    let mut timeline = Timeline::new(instance.clone(), Schedule::Fifo, 1);
    let went = timeline.go(100, &mut Breakpoints::default());
    assert!(matches!(went.stop, Stop::Aborted(_)), "{:?}", went.stop);
    let before = here(&timeline);
    let again = timeline.go(1, &mut Breakpoints::default());
    assert!(matches!(again.stop, Stop::Aborted(_)), "{:?}", again.stop);
    assert_eq!(here(&timeline), before);
    assert!(matches!(timeline.outcome(), Some(Outcome::Aborted(_))));
    assert!(timeline.trace().replay(&instance).reproduced());
}

/// Return breakpoints of every kind on an instance: some lines, all messages, actions and processes of even number.
fn breakpoints(instance: &Instance) -> Breakpoints {
    let program = &instance.program;
    let mut looks = Breakpoints::default();
    for (number, place) in executable_places(program).into_iter().enumerate().filter(|(k, _)| k % 3 == 0) {
        let hits = (number % 2 == 0).then_some(HitCondition::EveryNth(2));
        looks.add_on_step(StepTrigger::Line(place), None, hits);
    }
    let even = |count: usize| (0..count as u32).filter(|number| number % 2 == 0).collect::<Vec<_>>();
    looks.add_on_step(
        StepTrigger::Messages(even(program.kinds.len())),
        None,
        Some(HitCondition::EveryNth(3)),
    );
    looks.add_on_step(
        StepTrigger::Actions(even(program.actions.len())),
        None,
        Some(HitCondition::AtLeast(5)),
    );
    let first = instance.processes().next().expect("a process");
    looks.add_on_step(StepTrigger::Process(first), None, Some(HitCondition::EveryNth(4)));
    looks
}

#[test]
fn breakpoints_stop_at_the_same_positions_in_both_directions() {
    let mut stops = 0;
    for (name, instance) in instances() {
        let mut timeline = gone(&instance, Schedule::Random, 5);
        let end = timeline.at();
        timeline.goto(0).expect("a recorded position");
        let mut looks = breakpoints(&instance);
        let mut forward = Vec::new();
        while timeline.at() < end {
            let went = timeline.go((end - timeline.at()) as u64, &mut looks);
            match went.stop {
                Stop::Break(_) => {
                    assert!(!went.hits.is_empty(), "{name}");
                    forward.push((went.to, went.hits));
                }
                Stop::Violated(_) => {}
                _ => break,
            }
        }
        forward.retain(|(position, _)| *position < end);
        stops += forward.len();
        timeline.goto(end).expect("a recorded position");
        let mut backward = Vec::new();
        loop {
            let went =
                timeline.go_back(&mut looks, |went| matches!(went.stop, Stop::Break(_))).expect("a position");
            assert_eq!((went.to, timeline.at()), (timeline.at(), went.to), "{name}");
            if !matches!(went.stop, Stop::Break(_)) {
                assert_eq!(went.to, 0, "{name}");
                break;
            }
            backward.push((went.to, went.hits));
        }
        backward.reverse();
        assert_eq!(forward, backward, "{name}");
    }
    assert!(stops > 50, "{stops}");
}

#[test]
fn every_line_of_a_step_is_a_place_that_can_be_executed() {
    for (name, instance) in instances() {
        let places = executable_places(&instance.program);
        let mut timeline = gone(&instance, Schedule::Random, 7);
        let mut seen = 0;
        for position in 1..=timeline.events().len() {
            timeline.goto(position).expect("a recorded position");
            let process = timeline.events()[position - 1].process;
            let step = timeline.last_step(process).expect("it has stepped");
            assert_eq!(step.event, position - 1, "{name}");
            seen += step.places.len();
            for place in step.places {
                assert!(places.contains(&place), "{name}: {place:?}");
            }
        }
        assert!(seen > 0, "{name}");
    }
}
