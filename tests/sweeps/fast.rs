//! Unobserved runs use fast code of their own, and must equal observed runs. Every run is taken with and without an observer, and
//! all results are compared, wherever the step limit stops it.

use crate::common::*;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::fmt::Write;
use std::sync::Arc;
use synod::internals::instance::Instance;
use synod::internals::ir::{Program, Shape};
use synod::internals::network::Spec;
use synod::internals::semantics::event::{Effects, Event};
use synod::internals::semantics::{Abort, Configuration, Metrics, initial};
use synod::internals::setup::{InstanceOptions, instantiate};
use synod::internals::simulate::{
    Observer, Outcome, Random, Run, Schedule, Scheduler, SendOrder, SimulateOptions, Simulation, Unobserved,
    replay, simulate,
};

/// Record every event.
#[derive(Default)]
struct Watching(Vec<Event>);

impl Observer for Watching {
    fn after(&mut self, _: &Instance, e: &Event, _: &Effects, _: &Configuration, _: &Metrics) -> bool {
        self.0.push(e.clone());
        true
    }
}

/// Return everything that two runs must have in common, including data that equality of configurations disregards: message
/// numbers and lengths of causal chains. An unobserved run does not state which step aborted, and its counts remain as they were
/// at that moment.
fn traits(instance: &Instance, run: &Run) -> String {
    let configuration = &run.configuration;
    let mut text = match &run.outcome {
        Outcome::Aborted(abort) => format!("{:?}\n", Abort { event: None, ..(**abort).clone() }),
        outcome => format!("{outcome:?}\n{:?}\n", run.metrics),
    };
    let _ = writeln!(text, "{} steps", run.steps);
    let _ = writeln!(text, "next {}, under way {}", configuration.next_message(), configuration.in_flight());
    for p in instance.processes() {
        let (words, values) = (configuration.words(p), configuration.values(p));
        let _ = writeln!(text, "{p} {words:?} {values:?} {}", configuration.depth(p));
    }
    for channel in configuration.busy_channels() {
        let messages: Vec<_> = configuration.channel(channel).collect();
        let _ = writeln!(text, "{channel:?}: {messages:?}");
    }
    text
}

fn options(schedule: Schedule, seed: u64, steps: u64) -> SimulateOptions {
    SimulateOptions { schedule, seed, max_steps: Some(steps), ..SimulateOptions::default() }
}

/// Compare the run with and without an observer, up to a step limit, with the replay of its events. Return the number of steps.
fn compare(instance: &Instance, schedule: Schedule, seed: u64, steps: u64) -> u64 {
    let options = options(schedule, seed, steps);
    let mut watching = Watching::default();
    let watched = simulate(instance, &options, &mut watching);
    let unwatched = simulate(instance, &options, &mut Unobserved);
    let name = &instance.program.name;
    let (a, b) = (traits(instance, &watched), traits(instance, &unwatched));
    assert_eq!(a, b, "{name} on {}, {schedule:?} {seed}, {steps} steps", instance.network.topology());
    assert!(watched.configuration == unwatched.configuration);
    let mut replayed = initial(instance);
    // An abort leaves counts of messages that were not sent.
    if watched.outcome.as_str() != "aborted" {
        let metrics = replay(instance, &mut replayed, &watching.0, &mut Unobserved).expect("it goes again");
        assert!(replayed == unwatched.configuration, "{name} replayed");
        assert_eq!(metrics, unwatched.metrics, "{name} replayed");
    }
    unwatched.steps
}

/// Stop after every `every` steps and continue: nothing is lost when fast code is left and entered again.
fn interrupted<S: Scheduler>(instance: &Instance, scheduler: S, every: u64, steps: u64) -> Run {
    let mut simulation = Simulation::new(instance, scheduler);
    let mut limit = 0;
    loop {
        limit = steps.min(limit + every);
        let outcome = simulation.run(instance, limit, &mut Unobserved);
        if outcome.as_str() != "limit" || limit == steps {
            return simulation.into_run(outcome);
        }
    }
}

fn compare_interrupted(instance: &Instance, seed: u64, every: u64, steps: u64) {
    let whole = simulate(instance, &options(Schedule::Fifo, seed, steps), &mut Unobserved);
    let parts = interrupted(instance, SendOrder::new(seed), every, steps);
    assert_eq!(traits(instance, &whole), traits(instance, &parts), "{}", instance.program.name);
    let whole = simulate(instance, &options(Schedule::Random, seed, steps), &mut Unobserved);
    let parts = interrupted(instance, Random::new(seed), every, steps);
    assert_eq!(traits(instance, &whole), traits(instance, &parts), "{}", instance.program.name);
}

fn topologies(program: &Program) -> &'static [&'static str] {
    match program.assumptions.topology {
        Some(Shape::Ring) => &["ring(1)", "ring(2)", "ring(3)", "ring(6)"],
        Some(Shape::Star) => &["star(2)", "star(4)"],
        Some(Shape::Line) => &["line(1)", "line(2)", "line(5)"],
        Some(Shape::Tree) => &["tree(1)", "tree(5)"],
        Some(Shape::Mesh) => &["mesh(3, 4)"],
        Some(Shape::Torus) => &["torus(3, 3)"],
        Some(Shape::Hypercube) => &["hypercube(2)"],
        Some(Shape::Connected) => &["line(2)", "ring(4)", "random(5, 6, seed: 1)"],
        _ => &["complete(1)", "complete(3)"],
    }
}

fn algorithms() -> impl Iterator<Item = Arc<Program>> {
    let entries = synod::internals::library::entries().into_values().filter(|e| !e.is_problem());
    entries.map(|e| library(e.name))
}

#[test]
fn unobserved_runs_of_the_library_are_the_same() {
    for program in algorithms() {
        let mut compared = false;
        for topology in topologies(&program) {
            for (turn, (schedule, seed)) in (0u64..).zip(schedules(12)) {
                let fits = on(&program, topology).random_ids(turn).build_if_it_fits();
                compared |= fits.map(|instance| compare(&instance, schedule, seed, 3_000)).is_some();
            }
        }
        assert!(compared, "no network for {}", program.name);
    }
}

#[test]
fn a_run_may_be_cut_at_every_step() {
    for program in algorithms() {
        let topology = topologies(&program)[topologies(&program).len() / 2];
        let instance = on(&program, topology).random_ids(7).build();
        for schedule in [Schedule::Fifo, Schedule::Random] {
            let steps = compare(&instance, schedule, 5, 60);
            (0..steps).for_each(|limit| {
                compare(&instance, schedule, 5, limit);
            });
        }
        for every in [1, 2, 7] {
            compare_interrupted(&instance, 5, every, 300);
        }
    }
}

/// The elections on rings run entirely as fast code; otherwise this file would test nothing.
#[test]
fn elections_on_rings_have_fast_code() {
    for name in [
        "chang_roberts_announced",
        "dolev_klawe_rodeh_announced",
        "hirschberg_sinclair",
        "hirschberg_sinclair_swallow",
    ] {
        let instance = on(&library(name), "ring(5)").build();
        let fast = instance.fast().unwrap_or_else(|| panic!("{name} has no fast code"));
        let left = (0..instance.program.kinds.len() as u32).filter(|kind| fast.leaves(*kind)).count();
        assert_eq!(left, 0, "{name}");
    }
}

/// Many messages in one channel, taken from its front, its end and its middle, while others arrive.
#[test]
fn channels_with_many_messages() {
    for channels in ["", ", unordered"] {
        let text = format!(
            "algorithm bursts\nassumes bidirectional ring, unique ids{channels}\n\
             message Now(x: Int), Later(x: Int), Go\nvar got, turns, seen : Int\n\
             state first\n  send Now(2) to neighbours\n  send Now(4) to neighbours\n  send Go to neighbours\n  \
             send Go to neighbours\n  send Later(3) to neighbours\n  send Now(6) to neighbours\n  become second\n\
             state second\n  on Go from p -> turns := turns + 1; send Later(turns) to opposite(p)\n  \
             on Now(x) when x > seen -> seen := x; send Now(x - 1) to neighbours\n  \
             on Now(x) when x <= seen and turns > 0 -> got := got + x\n  \
             on Later(x) when turns > 1 and x mod 2 = 1 -> got := got + x; send Go to neighbours - {{left}}\n  \
             on Later(x) when turns > 3 -> seen := seen - 1\n"
        );
        let checked = synod::internals::check::check("bursts.syn", &text, &|_| None);
        let program = Arc::new(checked.program.unwrap_or_else(|| panic!("{:?}", checked.diagnostics)));
        for n in 1..4u32 {
            let instance = on(&program, &format!("ring({n})")).build();
            assert!(instance.fast().is_some());
            let mut longest = 0;
            for seed in 0..20 {
                for schedule in [Schedule::Fifo, Schedule::Random] {
                    longest = longest.max(compare(&instance, schedule, seed, 400));
                    compare(&instance, schedule, seed, 20 + 3 * seed);
                }
                compare_interrupted(&instance, seed, seed % 7 + 1, 300);
            }
            assert!(longest > 20 * u64::from(n), "{longest} steps by {n}");
        }
    }
}

/// Random programs whose variables and messages are numbers: with overflow, division by zero, ranges, overlapping guards,
/// unreceived messages, loops.
struct Draw<'a> {
    numbers: &'a [u32],
    next: usize,
}

impl Draw<'_> {
    fn below(&mut self, bound: usize) -> usize {
        let n = self.numbers.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        n as usize % bound
    }

    fn one_of<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }

    fn int(&mut self, depth: usize) -> String {
        if depth == 0 || self.below(3) == 0 {
            return self
                .one_of(&["a", "b", "r", "n", "0", "1", "3", "degree", "most", "4611686018427387904"])
                .into();
        }
        let (x, y) = (self.int(depth - 1), self.int(depth - 1));
        match self.below(11) {
            0 => format!("({x} + {y})"),
            1 => format!("({x} - {y})"),
            2 => format!("({x} * {y})"),
            3 => format!("({x} div {y})"),
            4 => format!("({x} mod {y})"),
            5 => format!("max({x}, {y})"),
            6 => format!("min({x}, {y}, 2)"),
            7 => format!("pow({}, {y})", self.one_of(&["2", "-1", "a"])),
            8 => format!("abs({x})"),
            9 => format!("twice({x})"),
            _ => format!("(if {} then {x} else {y})", self.bool(depth - 1)),
        }
    }

    fn bool(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.one_of(&["true", "c", "a < b", "a = b", "o = none", "o = id"]).into();
        }
        match self.below(6) {
            0 => format!("(not {})", self.bool(depth - 1)),
            1 => format!("({} and {})", self.bool(depth - 1), self.bool(depth - 1)),
            2 => format!("({} or {})", self.bool(depth - 1), self.bool(depth - 1)),
            3 => format!("{} <= {}", self.int(depth - 1), self.int(depth - 1)),
            4 => format!("({} implies {})", self.bool(depth - 1), self.bool(depth - 1)),
            _ => format!("{} != {}", self.int(depth - 1), self.int(depth - 1)),
        }
    }

    fn block(&mut self, depth: usize) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.below(3) {
            let line = match self.below(if depth == 0 { 6 } else { 9 }) {
                0 => format!("a := {}", self.int(2)),
                1 => format!("b := {}", self.int(2)),
                2 => format!("r := {} mod 5", self.int(1)),
                3 => format!("c := {}; o := id", self.bool(2)),
                4 => format!("send One({}) to {}", self.int(1), self.to()),
                5 => format!("send Two({}, c) to {}", self.int(1), self.to()),
                6 => format!("r := {}", self.int(1)),
                7 => format!(
                    "if {} -> {} [] {} -> {} [] otherwise -> {} fi",
                    self.bool(1),
                    self.block(depth - 1),
                    self.bool(1),
                    self.block(depth - 1),
                    self.block(depth - 1)
                ),
                _ => format!("if {} -> {} [] otherwise -> skip fi", self.bool(2), self.block(depth - 1)),
            };
            let _ = writeln!(text, "    {line}");
        }
        text
    }

    fn to(&mut self) -> &'static str {
        self.one_of(&["left", "right", "neighbours", "neighbours - {left}", "opposite(right)"])
    }

    fn program(&mut self) -> String {
        let channels = self.one_of(&["", ", unordered"]);
        let mut text = format!(
            "algorithm random\nassumes bidirectional ring, unique ids, knows n{channels}\nparam most : Int = 3\n\
             message One(x: Int), Two(x: Int, t: Bool)\n\
             var a, b : Int\nvar r : 0..6 := 1\nvar c : Bool\nvar o : Id?\nfunction twice(x) = x + x\n",
        );
        let _ = writeln!(text, "state first\n    send One(1) to neighbours\n{}", self.block(2));
        if self.below(2) == 0 {
            let _ = writeln!(text, "    receive One(a){}", self.one_of(&["", " from left", " from q"]));
        } else {
            let _ = writeln!(
                text,
                "    if receive One(x) when {} -> a := x [] receive One(y) when y < b -> b := y fi",
                self.bool(1)
            );
        }
        let _ = writeln!(text, "{}    {}", self.block(1), self.one_of(&["become second", "halt", "skip"]));
        let _ = writeln!(text, "  on Two(x, t) when {} ->\n    b := x\n{}", self.bool(1), self.block(1));
        let _ = writeln!(
            text,
            "state second\n  on One(x) from p -> b := x; send One(b) to opposite(p)\n{}  on Two(x, t) when t -> become first",
            self.block(1)
        );
        let _ = writeln!(
            text,
            "always\n  on Two(x, t) -> a := x; c := t\n  {}",
            self.one_of(&["ignore One", "", "on One(x) when x > 3 -> a := x"])
        );
        text
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn unobserved_random_programs_run_the_same(
        numbers in proptest::collection::vec(any::<u32>(), 20..200),
        n in 1u32..5,
        seed in any::<u64>(),
        limit in 1u64..60,
    ) {
        let text = Draw { numbers: &numbers, next: 0 }.program();
        let checked = synod::internals::check::check("random.syn", &text, &|_| None);
        let errors: Vec<String> = checked
            .diagnostics
            .iter()
            .filter(|d| d.is_error())
            .map(|d| format!("{}: {}", checked.sources.place(d.span), d.message()))
            .collect();
        prop_assert!(errors.is_empty(), "{}\n{text}", errors.join("\n"));
        let program = Arc::new(checked.program.unwrap());
        let topology = Spec::parse(&format!("ring({n})")).unwrap();
        let instance = instantiate(&program, &InstanceOptions { topology: Some(topology), ..InstanceOptions::default() }).unwrap();
        prop_assert!(instance.fast().is_some(), "{text}");
        for schedule in [Schedule::Fifo, Schedule::Random, Schedule::RoundRobin, Schedule::Adversary] {
            compare(&instance, schedule, seed, 200);
            compare(&instance, schedule, seed, limit);
        }
        compare_interrupted(&instance, seed, limit % 9 + 1, 200);
    }
}
