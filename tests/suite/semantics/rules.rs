//! The rules of the language one by one, on minimal programs.

use crate::semantics::build::*;
use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::Arc;
use synod::internals::ids::{ChannelId, ProcessId};
use synod::internals::instance::{Instance, Settings};
use synod::internals::ir::*;
use synod::internals::network::Direction;
use synod::internals::semantics::eval::GlobalEvaluator;
use synod::internals::semantics::{Configuration, enabled, initial, step};
use synod::internals::simulate::{
    AnyScheduler, Held, Hold, Outcome, Progress, Run, Schedule, SimulateOptions, Simulation, Unobserved,
    simulate,
};
use synod::internals::source::Span;

const X: u16 = 2;
const T: u16 = 3;

fn x() -> Expr {
    slot(X, Type::Int)
}

/// Build a program with kinds A and B, each with one Int; the variable x in slot 2, a temporary in slot 3.
fn small(code: Vec<Op>, waits: Vec<Wait>, states: Vec<State>, always: Handlers) -> Program {
    let kinds = vec![kind("A", &[Type::Int]), kind("B", &[Type::Int])];
    let mut role = role(3, 4, code, waits, states, always);
    role.vars.push(Variable {
        name: "x".into(),
        ty: Type::Int,
        slot: Slot::Word(X),
        component: 0,
        output: false,
        persistent: false,
        range: None,
        span: Span::default(),
        local: false,
    });
    program("small", kinds, vec![role], ring_assumptions())
}

fn run(instance: &Instance) -> Run {
    simulate(instance, &SimulateOptions::default(), &mut Unobserved)
}

fn xs(configuration: &Configuration, n: u32) -> Vec<i64> {
    (0..n).map(ProcessId).map(|p| configuration.words(p)[X as usize]).collect()
}

#[test]
fn the_body_comes_before_the_state_before_always_before_ignore() {
    // Entries 2, 4 and 6 set x to 1, 2 and 3.
    let code = |wait| {
        let mut code = vec![send(0, vec![int(7)], Destination::Only), Op::Wait(wait)];
        for value in 1..=3 {
            code.extend([set(X, int(value)), Op::Wait(0)]);
        }
        code
    };
    let on = |entry| receive(0, &[T], None, entry);
    let ignore = Handlers { ignore: vec![on(0)], ..Handlers::default() };
    let both = |entry| Handlers { alternatives: vec![on(entry)], ..ignore.clone() };
    let waits = || vec![wait("idle", vec![]), wait("receive A", vec![on(2)])];
    let result = |at: u32, state_handlers: Handlers, always: Handlers| {
        let program = small(code(at), waits(), vec![state("s", None, state_handlers)], always);
        let run = run(&ring(program, &[1, 2]));
        assert_eq!(run.outcome, Outcome::Quiescent);
        xs(&run.configuration, 2)
    };
    assert_eq!(result(1, both(4), both(6)), [1, 1]);
    assert_eq!(result(0, both(4), both(6)), [2, 2]);
    assert_eq!(result(0, ignore.clone(), both(6)), [3, 3]);
    assert_eq!(result(0, Handlers::default(), ignore.clone()), [0, 0]);
}

#[test]
fn a_message_that_is_never_received_is_stuck() {
    let code = vec![send(0, vec![int(7)], Destination::Only), Op::Wait(0)];
    let program = small(code, vec![wait("idle", vec![])], vec![], Handlers::default());
    let run = run(&ring(program, &[1, 2]));
    let Outcome::Stuck(stuck) = run.outcome else { panic!("{:?}", run.outcome) };
    assert_eq!(stuck.len(), 2);
    assert_eq!(stuck[0].why, "p1 cannot take A(7) from p0: it has no handler for it");
}

#[test]
fn a_halted_process_takes_only_what_always_ignores() {
    let code = vec![send(0, vec![int(7)], Destination::Only), Op::Halt];
    let on = receive(0, &[T], None, 0);
    let take = handlers(vec![on.clone()]);
    let ends = |always| run(&ring(small(code.clone(), vec![wait("idle", vec![])], vec![], always), &[1, 2]));
    let Outcome::Stuck(stuck) = ends(take).outcome else { panic!() };
    assert_eq!(stuck[0].why, "p1 cannot take A(7) from p0: it has halted");
    let ignore = Handlers { ignore: vec![on], ..Handlers::default() };
    assert_eq!(ends(ignore).outcome, Outcome::Terminated);
}

#[test]
fn a_condition_that_never_holds_is_stuck_and_one_that_does_runs() {
    let holds = |limit| {
        let code = vec![set(X, int(3)), Op::Wait(1), set(X, int(9)), Op::Wait(0)];
        let guard = compare(Compare::Greater, x(), int(limit));
        let waits = vec![wait("idle", vec![]), wait("await x > limit", vec![when(guard, 2)])];
        run(&ring(small(code, waits, vec![], Handlers::default()), &[1, 2]))
    };
    let fine = holds(2);
    assert_eq!(fine.outcome, Outcome::Quiescent);
    assert_eq!(xs(&fine.configuration, 2), [9, 9]);
    let Outcome::Stuck(stuck) = holds(5).outcome else { panic!() };
    assert_eq!(stuck[1].why, "p1 is blocked forever at «await x > limit»");
}

#[test]
fn overflow_aborts_and_leaves_everything_as_it_was() {
    // The handler sends, stores, and then overflows.
    let code = vec![
        set(X, int(i64::MAX)),
        send(0, vec![int(7)], Destination::Only),
        Op::Wait(0),
        send(1, vec![slot(T, Type::Int)], Destination::Only),
        set(X, add(x(), slot(T, Type::Int))),
        Op::Finish,
    ];
    let on = handlers(vec![receive(0, &[T], None, 3)]);
    let program = small(code, vec![wait("idle", vec![])], vec![], on);
    let instance = ring(program, &[1, 2]);
    assert!(instance.fast().is_some());
    let run = run(&instance);
    let Outcome::Aborted(abort) = run.outcome else { panic!("{:?}", run.outcome) };
    assert_eq!(abort.message, "9223372036854775807 + 7 is too large for an Int (64 bits)");
    assert_eq!((abort.process, abort.step), (Some(ProcessId(1)), Some(2)));
    assert_eq!(abort.variables, [("x".to_string(), Value::Int(i64::MAX))]);
    // The general path agrees, and so do the configurations.
    let mut configuration = initial(&instance);
    for _ in 0..2 {
        let event = enabled(&instance, &configuration).remove(0);
        step(&instance, &mut configuration, &event).unwrap();
    }
    let before = configuration.clone();
    let event = enabled(&instance, &configuration).into_iter().find(|e| e.process == ProcessId(1)).unwrap();
    let again = step(&instance, &mut configuration, &event).unwrap_err();
    assert_eq!(again.to_string(), abort.message);
    assert!(configuration == before);
    assert!(run.configuration == before);
    assert_eq!(run.configuration.next_message(), before.next_message());
}

#[test]
fn an_endless_local_loop_is_an_abort() {
    let code = vec![Op::Jump(0)];
    let run = run(&ring(small(code, vec![wait("idle", vec![])], vec![], Handlers::default()), &[1, 2]));
    let Outcome::Aborted(abort) = run.outcome else { panic!() };
    assert!(abort.message.starts_with("infinite local loop: «start»"), "{}", abort.message);
}

#[test]
fn a_deferred_message_lets_later_ones_pass() {
    // A(1), then B(2); A is deferred until B has made x = 2; then A multiplies.
    let code = vec![
        send(0, vec![int(1)], Destination::Only),
        send(1, vec![int(2)], Destination::Only),
        Op::Wait(0),
        set(X, add(add(x(), x()), slot(T, Type::Int))),
        Op::Finish,
        set(X, slot(T, Type::Int)),
        Op::Finish,
    ];
    let always = Handlers {
        alternatives: vec![receive(0, &[T], None, 3), receive(1, &[T], None, 5)],
        defer: vec![receive(0, &[T], Some(compare(Compare::Equal, x(), int(0))), 0)],
        ..Handlers::default()
    };
    let instance = ring(small(code, vec![wait("idle", vec![])], vec![], always), &[1, 2, 3]);
    for schedule in [Schedule::Fifo, Schedule::Random, Schedule::RoundRobin, Schedule::Adversary] {
        let run =
            simulate(&instance, &SimulateOptions { schedule, ..SimulateOptions::default() }, &mut Unobserved);
        assert_eq!(run.outcome, Outcome::Quiescent);
        assert_eq!(xs(&run.configuration, 3), [5, 5, 5]);
    }
}

/// On a line of three, each process tells its neighbours its id, and waits for all of theirs.
fn gathering() -> Instance {
    let ports = || e(ExprKind::Fact(Fact::Neighbours), Type::Set(Arc::new(Type::Port)));
    let place = Target { root: Slot::Word(X), path: vec![], span: Span::default(), range: None };
    let each = Input::Each {
        kind: 0,
        fields: vec![Pattern::Slot(Slot::Word(T))],
        set: 0,
        member: 4,
        store: vec![(place, add(x(), slot(T, Type::Int)))],
    };
    let code = vec![
        Op::Set(Slot::Value(0), ports()),
        send(0, vec![id()], Destination::Neighbours),
        Op::Wait(1),
        Op::Wait(0),
    ];
    let waits = vec![wait("idle", vec![]), wait("receive from each", vec![input(each, 3)])];
    let mut program = small(code, waits, vec![], Handlers::default());
    program.assumptions = Assumptions { topology: Some(Shape::Line), ..Assumptions::default() };
    let role = &mut program.roles[0];
    role.frame_words = 5;
    (role.values, role.frame_values) = (1, 1);
    role.initial_values = vec![Value::None];
    let network = network("line(3)", Direction::Bidirectional, false);
    Instance::new(Arc::new(program), network, &Settings::default(), &GlobalEvaluator).unwrap()
}

#[test]
fn from_each_takes_one_message_of_every_member_in_one_step() {
    let instance = gathering();
    for schedule in [Schedule::Fifo, Schedule::Random, Schedule::RoundRobin, Schedule::Adversary] {
        for seed in 0..10 {
            let options = SimulateOptions { schedule, seed, ..SimulateOptions::default() };
            let run = simulate(&instance, &options, &mut Unobserved);
            assert_eq!(run.outcome, Outcome::Quiescent, "{schedule:?} {seed}");
            assert_eq!(xs(&run.configuration, 3), [2, 4, 2]);
            assert_eq!(run.steps, 6);
            assert_eq!(run.metrics.messages(), 4);
            assert_eq!(run.metrics.time, 1);
        }
    }
}

/// An initiator sends A around; a process woken by it forwards it, until it reaches a process that is awake.
fn sleepers(initiators: Vec<u32>) -> Instance {
    let become_awake = Op::Become { component: 0, state: 1, thread: true };
    let code = vec![
        Op::Wait(0),
        // 1: wakes spontaneously
        set(X, int(1)),
        send(0, vec![int(0)], Destination::Only),
        become_awake.clone(),
        // 4: woken
        set(X, int(2)),
        become_awake,
        // 6: awake, takes A
        set(X, add(x(), int(10))),
        Op::Finish,
    ];
    let asleep = handlers(vec![input(Input::Wakeup, 1), input(Input::Arrival, 4)]);
    let awake = handlers(vec![receive(0, &[T], None, 6)]);
    let states = vec![state("asleep", None, asleep), state("awake", None, awake)];
    let program = small(code, vec![wait("idle", vec![])], states, Handlers::default());
    let network = network("ring(3)", Direction::Unidirectional, false);
    let settings =
        Settings { initiators: Some(initiators.into_iter().map(ProcessId).collect()), ..Settings::default() };
    Instance::new(Arc::new(program), network, &settings, &GlobalEvaluator).unwrap()
}

#[test]
fn initiators_wake_and_the_others_are_woken_by_a_message_that_stays() {
    for schedule in [Schedule::Fifo, Schedule::Random, Schedule::RoundRobin, Schedule::Adversary] {
        let run = simulate(
            &sleepers(vec![1]),
            &SimulateOptions { schedule, ..SimulateOptions::default() },
            &mut Unobserved,
        );
        assert_eq!(run.outcome, Outcome::Quiescent);
        // p1 woke; its message woke p2 first, and was then received there.
        assert_eq!(xs(&run.configuration, 3), [0, 1, 12]);
        assert_eq!(run.steps, 3 + 3);
    }
    // In send order all initiators wake before any message arrives.
    let run = run(&sleepers(vec![0, 1, 2]));
    assert_eq!(xs(&run.configuration, 3), [11, 11, 11]);
}

#[test]
fn what_is_held_stays_until_it_is_released() {
    let instance = ring(chang_roberts(true), &[2, 1, 3]);
    let mut simulation = Simulation::new(&instance, AnyScheduler::new(&instance, Schedule::Fifo, 0));
    simulation.set_held(Held {
        holds: vec![Hold { from: Some(ProcessId(2)), to: None, kinds: None }],
        ..Held::default()
    });
    let quiet = |simulation: &mut Simulation<AnyScheduler>| {
        while simulation.advance(&instance, &mut Unobserved).unwrap() == Progress::Stepped {}
    };
    quiet(&mut simulation);
    assert_eq!(simulation.configuration.busy_channels().collect::<Vec<_>>(), [ChannelId(2)]);
    simulation.set_held(Held::default());
    quiet(&mut simulation);
    assert_eq!(simulation.configuration.in_flight(), 0);
    assert_eq!(simulation.configuration.words(ProcessId(1))[ELECTED as usize], 3);
    let straight = run(&instance);
    assert!(simulation.configuration == straight.configuration);
    assert_eq!(simulation.metrics(), &straight.metrics);
}

#[test]
fn configurations_are_the_same_whichever_way_they_were_reached() {
    let instance = ring(dolev_klawe_rodeh(), &[1, 3, 2, 4]);
    let runs: Vec<Run> = (0..6)
        .map(|seed| {
            let options = SimulateOptions { schedule: Schedule::Random, seed, ..SimulateOptions::default() };
            simulate(&instance, &options, &mut Unobserved)
        })
        .collect();
    let hasher = BuildHasherDefault::<rustc_hash::FxHasher>::default();
    for run in &runs {
        assert!(run.configuration == runs[0].configuration);
        assert_eq!(hasher.hash_one(&run.configuration), hasher.hash_one(&runs[0].configuration));
    }
    assert!(initial(&instance) != runs[0].configuration);
}

#[test]
fn an_instance_that_does_not_fit_says_why() {
    let wrong = |spec: &str, direction, ids: Vec<i64>| {
        let network = network(spec, direction, false).with_ids(ids).unwrap();
        Instance::new(Arc::new(chang_roberts(true)), network, &Settings::default(), &GlobalEvaluator)
            .unwrap_err()
            .0
    };
    assert_eq!(
        wrong("ring(3)", Direction::Unidirectional, vec![1, 2, 1]),
        ["p0 and p2 both have the id 1, but the algorithm assumes unique ids"]
    );
    let line = wrong("line(3)", Direction::Bidirectional, vec![1, 2, 3]);
    assert!(line[0].starts_with("line(3) is not a ring"), "{line:?}");
    assert!(line[1].contains("both ways"), "{line:?}");
}
