//! Scripted scenarios: their steps, choices and cycles; and runs exported as scripts, step by step.

use crate::common::*;
use crate::random_programs;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::sync::Arc;
use synod::internals::check::check;
use synod::internals::explore::{Lasso, check_lasso};
use synod::internals::instance::Instance;
use synod::internals::ir::{DEFAULT_SEED, Daemon, Fault, Program};
use synod::internals::library;
use synod::internals::scenario::{ScenarioResult, play};
use synod::internals::semantics::event::Event;
use synod::internals::session::record_scenario;
use synod::internals::session::scenario_export::{ExportMode, ScenarioFinding, export_scenario};
use synod::internals::setup::{instantiate, scenario_options};
use synod::internals::simulate::{Outcome, Schedule, SimulateOptions, simulate};
use synod::internals::trace::{End, Header, Recorder, Trace};

fn checked(text: &str) -> Arc<Program> {
    let checked = check("told.syn", text, &library::source);
    let found: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
    Arc::new(checked.program.unwrap_or_else(|| panic!("{found:?}\n{text}")))
}

/// Play the last scenario of the text, and return it with its events.
fn played(text: &str) -> (ScenarioResult, Vec<Event>) {
    let program = checked(text);
    let mut events = Vec::new();
    let scenario = program.scenarios.last().expect("a scenario");
    let played =
        play(&program, scenario, &Default::default(), &mut |_, event, _, _, _| events.push(event.clone()));
    (played, events)
}

#[track_caller]
fn passes(text: &str) {
    let (played, _) = played(text);
    assert!(played.passed(), "{:?}\n{text}", played.failures);
}

/// Check that it fails at a line that begins like this, for this reason.
#[track_caller]
fn fails(text: &str, line: &str, why: &str) {
    let (played, _) = played(text);
    let failure = played.failures.first().unwrap_or_else(|| panic!("it passes\n{text}"));
    let at = &text[failure.span.start as usize..];
    assert!(at.starts_with(line), "at {}: {}", at.lines().next().unwrap_or_default(), failure.message);
    assert!(failure.message.contains(why), "{}", failure.message);
}

const PASSING_ON: &str = "algorithm passing_on
assumes bidirectional ring, unordered
message A(k: Int), B
var got : Int
var turns : Int
state s
  when turns < 2 -> turns := turns + 1; send A(turns) to right
  when turns < 1 -> turns := turns + 1; send B to right
  on A(k) -> got := 10 * got + k
  on B -> got := 0
scenario told on ring(3) with schedule told
";

#[test]
fn only_scripted_events_happen() {
    let told = |lines: &str| format!("{PASSING_ON}{lines}");
    passes(&told("  expect messages = 0 and p0.turns = 0\n"));
    passes(&told(
        "  choose option 1 at p0\n  step p0\n  step p0\n  expect p0.turns = 2 and p1.turns = 0 and p1.got = 0\n",
    ));
    // The first possible step, unless the line is more specific.
    let sent = "  step p0\n  step p0\n";
    passes(&told(&format!("{sent}  deliver p0 -> p1\n  deliver p0 -> p1 A\n  expect p1.got = 12\n")));
    passes(&told(&format!(
        "{sent}  choose option 2 at p1\n  deliver p0 -> p1 A\n  deliver p0 -> p1\n  expect p1.got = 21\n"
    )));
    passes(&told("  choose option 2 at p0\n  step p0\n  expect p0.turns = 1\n  deliver p0 -> p1 B\n"));
    // From `release` on, all processes step on their own.
    passes(&told("  step p1\n  release\n  expect forall p: p.turns = 2\n  expect outcome quiescent\n"));
    fails(&told(&format!("{sent}  step p0\n")), "step p0\n", "p0 has no enabled internal step");
    fails(&told("  deliver p0 -> p1\n"), "deliver", "no such message is in transit");
    fails(&told("  expect outcome quiescent\n"), "expect outcome", "the run has not ended");
    fails(&told("  step p0, p1\n"), "step p0, p1", "processes step one at a time");
    fails(&told("  choose option 3 at p0\n  step p0\n"), "choose option 3", "p0 has only 2 options here");
    fails(&told("  choose 7 at p0\n  step p0\n"), "choose 7", "p0 never chose between several values");
    fails(&told("  step p0\n  choose option 1 at p1\n"), "choose option 1 at p1", "p1 never chose");
}

const LOTS: &str = "algorithm lots
assumes complete, unique ids, knows peers, randomness
message M(k: Int)
enum Colour = red | green
var drawn, chosen, got : Int
var lucky : Bool
var colour : Colour
var whom : Id
state s
  drawn := random(1..6)
  choose chosen in {10, 20, 30}
  lucky := coin(1/3)
  choose colour in {red, green}
  choose whom in everybody
  if drawn > 2 -> got := 1 [] drawn > 4 -> got := 2 [] otherwise -> skip fi
  become t
state t
  on M(_) -> skip
";

/// Choices are given by value, or by number if the value cannot be written; a process without a line chooses as the schedule
/// does.
#[test]
fn choices_are_scripted() {
    let told = |with: &str, lines: &str| format!("{LOTS}scenario lots on complete(2){with}\n{lines}");
    for with in ["", " with schedule told", " with schedule random, seed 3"] {
        passes(&told(
            with,
            "  choose 5 at p0\n  choose 20 at p0\n  choose true at p0\n  choose green at p0\n  choose 2 at p0\n  choose option 2 at p0
  choose option 6 at p1\n  choose option 3 at p1\n  choose false at p1
  expect p0.drawn = 5 and p0.chosen = 20 and p0.lucky and p0.colour = green and p0.whom = p1.id and p0.got = 2
  expect p1.drawn = 6 and p1.chosen = 30 and not p1.lucky\n",
        ));
        fails(&told(with, "  choose 7 at p1\n"), "choose 7", "p1 cannot choose that here");
    }
    let twice =
        told("", "  choose 3 at p0\n  choose 10 at p0\n  expect p0.drawn = 3\n  expect p0.chosen = 10\n");
    passes(&twice);
}

/// A port is named by the process that it leads to, as is the partner of an interaction.
#[test]
fn choices_of_processes_are_scripted_by_name() {
    let text = "algorithm gossip
assumes complete, reliable, unordered
message M
var knows : Bool
state s
  when not knows -> choose p in neighbours; knows := true; send M to p
  on M -> knows := true
scenario gossip on complete(4) with names [A, B, C, D], schedule told
";
    passes(&format!(
        "{text}  choose D at B\n  step B\n  deliver B -> D\n  expect D.knows and not A.knows and not C.knows\n"
    ));
    fails(&format!("{text}  choose B at B\n  step B\n"), "choose B at B", "p1 cannot choose that here");
    let pairs = "algorithm sparks
assumes complete, pairwise interactions
var lit : Bool
state s
  on interaction(v) when not lit -> lit := true
scenario sparks on complete(3) with schedule told
  choose p2 at p1
  step p1
  expect p1.lit and not p2.lit
";
    passes(pairs);
}

/// In rounds all processes step together, and their choices are given before.
#[test]
fn choices_in_rounds() {
    let text = "algorithm tosses
assumes complete, synchronous, anonymous, randomness
var heads : Int
var alone : Bool
state s
  round
  if coin(1/2) -> heads := heads + 1; send true to neighbours [] otherwise -> send false to neighbours fi
  round
  alone := received = {false}
settles calm: forall p: p.heads = 0
scenario tosses on complete(2)
";
    passes(&format!(
        "{text}  choose true at p0\n  choose false at p1\n  at 1\n  expect p0.heads = 1 and p1.heads = 0\n"
    ));
    passes(&format!(
        "{text}  choose false at p0\n  choose true at p0\n  choose false at p1\n  choose true at p1\n  at 3\n  expect forall p: p.heads = 1\n"
    ));
}

const FLIPS: &str = "algorithm flips
assumes unidirectional ring, one Source
message T
role Source
  var lit : Bool
  state s
    send T
    become up
  state up
    on T -> lit := not lit; send T
role Other
  var turns : 0..3
  state t
    on T -> send T
    when turns > 3 -> skip
settles calm: forall p in Source: p.lit
eventually twice: some p in Source: p.lit
scenario flips on ring(2) with schedule told
";

/// A run that returns to a configuration may repeat the cycle forever; liveness is checked for that lasso.
#[test]
fn scripted_lassos() {
    let lap = "  deliver p0 -> p1 T\n  deliver p1 -> p0 T\n";
    passes(&format!(
        "{FLIPS}  cycle\n{lap}{lap}  expect again\n  expect calm violated\n  expect twice holds\n"
    ));
    passes(&format!("{FLIPS}{lap}  cycle\n{lap}{lap}  expect again\n  expect calm violated\n"));
    fails(&format!("{FLIPS}  cycle\n{lap}  expect again\n"), "expect again", "the configuration differs");
    fails(&format!("{FLIPS}{lap}{lap}  expect again\n"), "expect again", "no `cycle`");
    fails(&format!("{FLIPS}  cycle\n  expect again\n"), "expect again", "the configuration differs");
    fails(&format!("{FLIPS}  cycle\n{lap}{lap}  expect calm violated\n"), "expect calm", "calm");
    // A process that is always enabled but never steps makes the cycle unfair.
    let unfair = FLIPS.replace("when turns > 3 -> skip", "when turns < 3 -> turns := turns + 1");
    fails(
        &format!("{unfair}  cycle\n{lap}{lap}  expect again\n"),
        "expect again",
        "p1 always has an enabled step",
    );
}

/// The trace states where the cycle begins, so that diagrams mark it, and replays check it.
#[test]
fn the_trace_of_a_lasso_states_the_cycle() {
    let lap = "  deliver p0 -> p1 T\n  deliver p1 -> p0 T\n";
    let text = format!("{FLIPS}{lap}  cycle\n{lap}{lap}  expect again\n  expect calm violated\n");
    let program = checked(&text);
    let (played, trace) = record_scenario(&program, &program.scenarios[0], &Default::default());
    assert!(played.passed(), "{:?}", played.failures);
    let trace = trace.expect("a trace");
    // Two starts and one lap precede it.
    assert_eq!(trace.header.repeats_from, Some(4));
    let read = Trace::read(&trace.to_text()).expect("a trace");
    assert_eq!((read.header.repeats_from, read.header.schedule.as_str()), (Some(4), "told"));
    let of = synod::internals::scenario::instance(&program, &program.scenarios[0], &Default::default())
        .expect("an instance");
    let events: Vec<Event> = trace.events.iter().map(|e| e.choice.clone().at(e.process)).collect();
    assert_eq!(check_lasso(&of, &events, 4, &mut []), Lasso::Fair);
    let (_, open) = record_scenario(
        &program,
        &checked(&text.replace("  expect again\n  expect calm violated\n", "")).scenarios[0],
        &Default::default(),
    );
    assert_eq!(open.expect("a trace").header.repeats_from, None);
}

#[test]
fn time_passes_no_further_than_it_may() {
    let text = "algorithm leases
assumes line, one Holder, delay <= 3, timers
message Renew
role Holder
  state h
    on wakeup -> send Renew to neighbours
role Granter
  var free : Bool
  state g
    on Renew -> become g
    after 5  -> free := true; become idle
  state idle
    on Renew -> skip
scenario leases on line(2) with schedule told
";
    passes(&format!(
        "{text}  at 2\n  wake p0\n  at 5\n  deliver p0 -> p1 Renew\n  at 10\n  expire p1\n  expect p1.free\n"
    ));
    fails(&format!("{text}  wake p0\n  at 4\n"), "at 4", "some step must occur by 3");
    fails(&format!("{text}  wake p0\n  at 1\n  expire p1\n"), "expire p1", "no timer of p1 can expire now");
    // Without the line, it could have arrived at any time that a line allows.
    fails(
        &format!("{text}  wake p0\n  at 1\n  deliver p0 -> p1\n  at 7\n"),
        "at 7",
        "some step must occur by 6",
    );
}

#[test]
fn joint_steps_are_scripted() {
    let text = "algorithm colours
assumes line, reads neighbours
var c : 0..2 := 0
when (some k in neighbours: k.c = c) -> c := min((0..2) - { k.c for k in neighbours })
stable proper: forall p: forall q in p.neighbours: p.c != q.c
eventually coloured: forall p: forall q in p.neighbours: p.c != q.c
";
    let on =
        |daemon: &str| format!("{text}scenario colours on line(3) with schedule told, daemon {daemon}\n");
    passes(&format!(
        "{}  step p1\n  expect p1.c = 1 and p0.c = 0\n  expect outcome quiescent\n",
        on("central")
    ));
    passes(&format!(
        "{}  cycle\n  step p0, p1, p2\n  expect forall p: p.c = 1\n  step p0, p1, p2\n  expect again\n  expect coloured violated\n",
        on("synchronous")
    ));
    passes(&format!("{}  step p0, p1\n  expect p0.c = 1 and p1.c = 1 and p2.c = 0\n", on("distributed")));
    fails(&format!("{}  step p0, p1\n", on("central")), "step p0, p1", "processes step one at a time");
    fails(&format!("{}  step p1\n  at 1\n", on("central")), "at 1", "only by `step` lines");
}

/// Export a run on this instance, with the network of the seed `of`, as a script step by step, or in rounds choice by choice:
/// playing it gives the same run.
fn told_again(text: &str, instance: &Instance, of: u64, seed: u64) -> usize {
    let schedule = Schedule::Random;
    let header = Header::of(instance, &[], schedule.as_str(), of);
    let mut recorder = Recorder::new(instance, header, &synod::internals::semantics::initial(instance));
    let options = SimulateOptions { schedule, seed, max_steps: Some(120), ..SimulateOptions::default() };
    let run = simulate(instance, &options, &mut recorder);
    let trace: Trace = recorder.finish(End::of(&run.outcome));
    let way = ExportMode::of(instance, &trace).last().expect("a way");
    let shows = match run.outcome {
        Outcome::Aborted(_) => ScenarioFinding::Aborted,
        _ => ScenarioFinding::Expected(Vec::new()),
    };
    let lines = match export_scenario(instance, &trace, "told_again", &shows, *way) {
        Ok(lines) => lines,
        Err(why) => {
            assert!(run.configuration.in_joint_step(), "{why}");
            return 0;
        }
    };
    let (played, events) = self::played(&format!("{text}\n{lines}"));
    let failures: Vec<_> = played.failures.iter().filter(|f| !f.message.contains("is violated")).collect();
    assert!(failures.is_empty(), "{failures:?}\n{lines}");
    let whole = trace.events.len() - usize::from(shows == ScenarioFinding::Aborted);
    let before: Vec<Event> = trace.events[..whole].iter().map(|e| e.choice.clone().at(e.process)).collect();
    if let Some(at) = (0..before.len().max(events.len())).find(|at| before.get(*at) != events.get(*at)) {
        panic!("{at}: {:?}, and not {:?}\n{lines}", events.get(at), before.get(at));
    }
    before.len()
}

/// Random runs of the library: clients, timers, crashes, losses, detectors, daemons and pairs included.
#[test]
fn scripts_of_library_runs() {
    let (all, mut taken) = (library::entries(), 0);
    let mut known = 0;
    for (_, entry) in all {
        let Some((_, text)) = library::source(entry.name) else { continue };
        let program = library(entry.name);
        // The networks of its own scenarios.
        for scenario in program.scenarios.iter().filter(|s| s.params.is_empty()).take(2) {
            let mut wishes = scenario_options(scenario).expect("a setup");
            (wishes.settings.scripted, wishes.settings.idle_clients) = (false, false);
            let Ok(of) = instantiate(&program, &wishes) else { continue };
            if of.n() > 8 {
                continue;
            }
            known += 1;
            let assumes = &program.assumptions;
            let faults = [
                (assumes.crashes, Fault::Crash),
                (assumes.restarts, Fault::Restart),
                (assumes.loses, Fault::Loss),
                (assumes.duplicates, Fault::Duplication),
                (assumes.unreliable_oracles, Fault::OracleError),
            ];
            wishes.settings.faults =
                faults.into_iter().filter(|(may_be, _)| *may_be).map(|(_, fault)| (fault, 2)).collect();
            let failing = instantiate(&program, &wishes).ok().filter(|_| !wishes.settings.faults.is_empty());
            for seed in 0..3 {
                for of in std::iter::once(&of).chain(&failing) {
                    taken += told_again(&text, of, wishes.seed, seed);
                }
            }
        }
    }
    assert!(known > 60 && taken > 5_000, "{known} instances, {taken} steps");
}

#[test]
fn scripts_of_random_runs() {
    let mut runner = TestRunner::new(Config { cases: 60, failure_persistence: None, ..Config::default() });
    let numbers = proptest::collection::vec(any::<u32>(), 0..400);
    runner
        .run(&(numbers, 0u64..1000), |(numbers, seed)| {
            let text = random_programs::Draw { numbers: &numbers, next: 0 }.program();
            let checked = check("random.syn", &text, &library::source);
            let Some(program) = checked.program.map(Arc::new) else { return Ok(()) };
            let of = on(&program, "ring(3)").build();
            told_again(&text, &of, DEFAULT_SEED, seed);
            Ok(())
        })
        .unwrap();
    let by_daemon = "algorithm waves
assumes bidirectional ring, reads neighbours, randomness
var x : 0..3 := any
when (some k in neighbours: k.x > x) -> x := random(0..3)
when x = 3 -> choose v in {0, 1}; x := v
";
    for daemon in [Daemon::Central, Daemon::Distributed, Daemon::Synchronous] {
        let of = on(&checked(by_daemon), "ring(4)").daemon(daemon);
        for seed in 0..20 {
            told_again(by_daemon, &of.build(), DEFAULT_SEED, seed);
        }
    }
}
