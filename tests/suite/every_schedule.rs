//! Scenarios under every schedule, compared with a naive interpreter of their lines, and with the player under many schedules.

use crate::common::{Odometer, source};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::sync::Arc;
use synod::internals::explore::{ExploreOptions, explore};
use synod::internals::ids::ProcessId;
use synod::internals::instance::{Hold, Instance};
use synod::internals::ir::{Program, Scenario, ScenarioLine as Line};
use synod::internals::library;
use synod::internals::property::{Judgement, Verdict};
use synod::internals::scenario::{self, for_every_schedule, play};
use synod::internals::semantics::event::{Cause, Event};
use synod::internals::semantics::{Configuration, Machine};
use synod::internals::stop::StopSignal;

/// A resource that is granted in the order of requests; a client may be told of another's request by a note, or may crash.
const SERVER: &str = "algorithm first_come solves MutualExclusion without ME2, ME3
assumes star, one Server, crashes
message Ask, Go, Done
role Server
  var queue : list of Port
  on Ask from p ->
    queue := queue + [p]
    if size(queue) = 1 -> send Go to p
    [] otherwise -> skip
    fi
  on Done ->
    queue := tail(queue)
    if queue = [] -> skip
    [] otherwise -> send Go to head(queue)
    fi
role Client
  operation enter
    send Ask
    receive Go
  operation exit
    send Done
";

/// Scenarios of the server. Those whose name ends in `_holds` hold under every schedule, also if lines do not wait for rest.
const SCENARIOS: &str = "
scenario nothing_holds on star(2) with names [server, A, B]
scenario alone_holds on star(1) with names [server, A]
  A: enter
  A: exit
  expect server.queue = [] and not A.critical
  expect outcome quiescent
scenario two on star(2) with names [server, A, B]
  A: enter
  B: enter
  expect A.critical and B.waiting
scenario one_waits_holds on star(2) with names [server, A, B]
  A: enter
  expect A.critical
  B: enter
  expect A.critical and B.waiting
  expect ME1 holds
  A: exit
  B: exit
  expect messages = 6
scenario a_slow_request_holds on star(2) with names [server, A, B]
  hold A -> server
  A: enter
  A -> B: note
  B: enter
  expect B.critical and not A.critical
  deliver A -> server
  expect A.waiting
  release
  B: exit
  expect A.critical
  expect ME3 violated
  A: exit
  expect outcome quiescent
scenario a_crash on star(2) with names [server, A, B], messages survive
  A: enter
  crash A
  B: enter
  expect B.waiting
scenario it_never_leaves on star(2) with names [server, A, B]
  B: enter
  A: enter
  A: exit
  expect not A.critical and not A.waiting
  B: exit
";

/// Wake-ups, and a process that the first message may reach before its wake-up.
const WAKES: &str = "algorithm wakes
assumes line
message Hello(k: Int)
var got : list of Int
var own : Int
state s
  on wakeup   -> own := own + 1; send Hello(own) to neighbours
  on Hello(k) -> got := got + [k]
invariant few: forall p: size(p.got) <= 2
scenario all_three_holds on line(3)
  initially p1.own := 6
  wake p0, p1, p2
  expect set(p1.got) = {1}
  expect p0.got = [7] and p2.got = [7]
scenario one_after_the_other on line(3)
  wake p0
  wake p1
  expect size(p0.got) = 1
scenario only_one_holds on line(2)
  hold p0 -> *
  wake p0
  expect p1.got = []
  release p0 -> *
  expect p1.got = [1]
  expect few holds
scenario alone_holds on line(1)
  wake p0
  expect p0.own = 1
";

fn programs() -> Vec<Arc<Program>> {
    vec![
        source(&format!("{SERVER}{SCENARIOS}")),
        source(&WAKES.replace("  release p0 -> *\n", "  release\n")),
    ]
}

/// A configuration of the naive interpreter: the lines from `from` up to `at` have happened in it without a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Naive {
    configuration: Configuration,
    from: usize,
    at: usize,
}

/// An interpreter of scenarios that knows the machine, and nothing of scripts.
struct Interpreter {
    instance: Instance,
    /// Each process of a `wake` on its own, with the number of its line.
    lines: Vec<(Line, usize)>,
    is_line_by_line: bool,
}

impl Interpreter {
    fn holds(&self, at: usize) -> Vec<Hold> {
        let mut held = Vec::new();
        let first = self.lines.iter().take_while(|(line, _)| matches!(line, Line::Hold { .. })).count();
        for (line, _) in &self.lines[..at.max(first)] {
            match line {
                Line::Hold { from, to, kinds } => {
                    held.push(Hold { from: *from, to: *to, kinds: kinds.clone() });
                }
                Line::Release { .. } => held.clear(),
                _ => {}
            }
        }
        held
    }

    fn is_held(&self, configuration: &Configuration, at: usize, event: &Event) -> bool {
        let Cause::Deliver { channel, position } = event.cause else { return false };
        assert_eq!(position, 0);
        let kind = configuration.channel(channel).next().unwrap().kind;
        let (from, to) = (self.instance.sender(channel), self.instance.receiver(channel));
        self.holds(at).iter().any(|hold| hold.holds(from, to, kind))
    }

    /// All results of an event.
    fn after(&self, configuration: &Configuration, event: &Event) -> Vec<Configuration> {
        let mut machine = Machine::new(&self.instance);
        let mut choices = Odometer::default();
        let mut found = Vec::new();
        loop {
            let mut next = configuration.clone();
            if let Ok(true) = machine.perform(&self.instance, &mut next, event, &mut choices) {
                found.push(next);
            }
            if !choices.advance() {
                return found;
            }
        }
    }

    /// Steps that no line states, with their results.
    fn free(&self, state: &Naive) -> Vec<Configuration> {
        let Naive { configuration, at, .. } = state;
        let wakes = self.lines.iter().any(|(line, _)| matches!(line, Line::Wake(_)));
        let mut events = Machine::new(&self.instance).enabled(&self.instance, configuration);
        events.retain(|event| {
            let is_excluded = self.is_held(configuration, *at, event) || configuration.is_fault(event);
            !is_excluded && (!wakes || event.cause != Cause::Wakeup)
        });
        let all = events.iter().flat_map(|event| {
            let crashed = configuration.crashed(event.process);
            let mut all = self.after(configuration, event);
            all.retain(|next| next.crashed(event.process) == crashed);
            all
        });
        all.collect()
    }

    /// The results of the next line, if it is a step.
    fn of_line(&self, state: &Naive) -> Vec<Configuration> {
        let Naive { configuration, at, .. } = state;
        let enabled = || Machine::new(&self.instance).enabled(&self.instance, configuration);
        let one = |process: ProcessId, cause| self.after(configuration, &Event::new(process, cause));
        match &self.lines[*at].0 {
            Line::Act { process, operation, args } => {
                assert!(args.is_empty());
                one(*process, Cause::Call { operation: *operation, args: Vec::new() })
            }
            Line::Note { from, to, .. } => one(*from, Cause::SendNote { to: *to }),
            Line::Wake(all) => {
                let wakes = |event: &Event| event.cause == Cause::Wakeup && event.process == all[0];
                enabled().iter().filter(|e| wakes(e)).flat_map(|e| self.after(configuration, e)).collect()
            }
            Line::Crash { process, .. } => {
                let mut all = one(*process, Cause::Crash);
                if !self.is_line_by_line {
                    // Within a command.
                    let own = enabled().into_iter().filter(|event| event.process == *process);
                    let own = own.filter(|event| !self.is_held(configuration, *at, event));
                    let after = own.flat_map(|event| self.after(configuration, &event));
                    all.extend(after.filter(|next| next.crashed(*process)));
                }
                all
            }
            Line::Deliver { from, to, .. } => {
                let such = |event: &Event| match event.cause {
                    Cause::Deliver { channel, .. } => {
                        self.instance.sender(channel) == *from
                            && event.process == *to
                            && self.is_held(configuration, *at, event)
                    }
                    _ => false,
                };
                enabled().iter().filter(|e| such(e)).flat_map(|e| self.after(configuration, e)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Pass the lines that are no steps.
    fn settled(&self, configuration: Configuration, at: usize) -> Naive {
        let mut state = Naive { configuration, from: at, at };
        while state.configuration.next_to_start().is_none()
            && let Some((line, _)) = self.lines.get(state.at)
        {
            let passes = match line {
                Line::Wake(all) => {
                    let (configuration, process) = (&state.configuration, all[0]);
                    let crashes = |(line, _): &(Line, usize)| matches!(line, Line::Crash { process: own, .. } if *own == process);
                    configuration.has_woken(process)
                        || !configuration.may_wake(process) && !self.lines[..state.at].iter().any(crashes)
                }
                Line::Hold { .. } | Line::Release { .. } | Line::Expect(_) => self.free(&state).is_empty(),
                Line::ExpectVerdict { .. } | Line::ExpectOutcome(_) => self.free(&state).is_empty(),
                _ => false,
            };
            if !passes {
                break;
            }
            state.at += 1;
        }
        state
    }

    /// The number of configurations after the starts.
    fn count(&self) -> usize {
        let mut configuration = Configuration::initial(&self.instance);
        let wakes = self.lines.iter().any(|(line, _)| matches!(line, Line::Wake(_)));
        let woken =
            |p: ProcessId| self.lines.iter().any(|(l, _)| matches!(l, Line::Wake(all) if all[0] == p));
        for process in self.instance.processes().filter(|p| wakes && !woken(*p)) {
            configuration.set_may_wake(process, false);
        }
        let mut machine = Machine::new(&self.instance);
        while let Some(process) = configuration.next_to_start() {
            let event = Event::new(process, Cause::Start);
            machine.perform(&self.instance, &mut configuration, &event, &mut Odometer::default()).unwrap();
        }
        let mut seen = FxHashSet::default();
        let first = self.lines.iter().take_while(|(line, _)| matches!(line, Line::Hold { .. })).count();
        let mut open = vec![self.settled(configuration, first)];
        while let Some(state) = open.pop() {
            if !seen.insert(state.clone()) {
                continue;
            }
            let free = self.free(&state);
            let continued = state.at > 0
                && self.lines.get(state.at).is_some_and(|(_, line)| self.lines[state.at - 1].1 == *line);
            let is_due = !self.is_line_by_line || continued || free.is_empty();
            if state.at < self.lines.len() && is_due {
                let is_crash = matches!(self.lines[state.at].0, Line::Crash { .. });
                let crashed = |c: &Configuration| self.instance.processes().filter(|p| c.crashed(*p)).count();
                let before = crashed(&state.configuration);
                let next = self.of_line(&state).into_iter();
                let next = next.filter(|next| is_crash || crashed(next) == before);
                open.extend(next.map(|next| self.settled(next, state.at + 1)));
            }
            if !continued {
                open.extend(free.into_iter().map(|next| self.settled(next, state.at)));
            }
        }
        seen.len()
    }
}

#[test]
fn a_naive_interpreter_finds_as_many_configurations() {
    for program in programs() {
        for scenario in &program.scenarios {
            for is_line_by_line in [false, true] {
                let instance = scenario::instance(&program, scenario, &StopSignal::NEVER).unwrap();
                let lines = (0..).zip(&scenario.lines);
                let lines = lines.filter(|(_, (line, _))| !matches!(line, Line::Initially { .. }));
                let each = lines.flat_map(|(number, (line, _))| match line {
                    Line::Wake(all) => all.iter().map(|p| (Line::Wake(vec![*p]), number)).collect(),
                    line => vec![(line.clone(), number)],
                });
                let lines = each.collect();
                let naive = Interpreter { instance, lines, is_line_by_line }.count();
                let instance =
                    for_every_schedule(&program, scenario, (is_line_by_line, &[]), &StopSignal::NEVER)
                        .unwrap();
                let found = explore(&instance, Some(&[]), &ExploreOptions::default(), &mut |_| None);
                assert_eq!(found.configurations, naive as u64, "{} {is_line_by_line}", scenario.name);
                assert!(found.disagreements.is_empty(), "{}", scenario.name);
            }
        }
    }
}

/// The claimed properties that a scenario violates under every schedule.
pub fn violated(
    program: &Arc<Program>,
    scenario: &Scenario,
    is_line_by_line: bool,
    options: &ExploreOptions,
) -> BTreeSet<String> {
    let asked = (is_line_by_line, &[][..]);
    let instance = for_every_schedule(program, scenario, asked, &StopSignal::NEVER);
    let instance = instance.unwrap_or_else(|failure| panic!("{}: {}", scenario.name, failure.message));
    let found = explore(&instance, None, options, &mut |_| None);
    assert!(found.disagreements.is_empty(), "{}", scenario.name);
    let open = |v: &&Verdict| v.judgement == Judgement::Violated && v.promised;
    found.verdicts.iter().filter(open).map(|v| v.name.clone()).collect()
}

/// The lines that the player finds wrong, under many schedules.
pub fn played(program: &Arc<Program>, scenario: &Scenario) -> BTreeSet<String> {
    let mut wrong = BTreeSet::new();
    for schedule in ["random", "adversary", "priorities", "fifo"] {
        for seed in 0..40 {
            let scenario = Scenario { schedule: Some(schedule.into()), seed: Some(seed), ..scenario.clone() };
            let result = play(program, &scenario, &StopSignal::NEVER, &mut |_, _, _, _, _| ());
            let line = |failure: &scenario::LineMessage| program.sources.near(failure.span).replace(' ', "_");
            wrong.extend(result.failures.iter().map(line));
        }
    }
    wrong
}

/// A scenario in which the player finds no failure under any schedule holds if each line waits for rest, and conversely. The
/// player stops at the first failure of a run.
#[test]
fn line_by_line_the_player_agrees() {
    for program in programs() {
        for scenario in &program.scenarios {
            let options = ExploreOptions { keep_going: true, ..ExploreOptions::default() };
            let violated = |is_line_by_line| violated(&program, scenario, is_line_by_line, &options);
            let (own, theirs) = (violated(true), played(&program, scenario));
            assert_eq!(own.is_empty(), theirs.is_empty(), "{}: {own:?}, {theirs:?}", scenario.name);
            if scenario.name.ends_with("_holds") {
                assert_eq!(violated(false), BTreeSet::new(), "{}", scenario.name);
            }
        }
    }
}

/// Scenarios of the library whose expectations depend on the schedule although each line waits: messages that a crash may lose, or
/// that arrive at the same instant, coins, the process that a wave reaches first, the moves of a token.
const DEPENDENT: [&str; 16] = [
    "a_replaced_process",
    "all_have_it",
    "behind_the_token",
    "coordinator_crashes",
    "coordinator_crashes_at_once",
    "half_a_coordinator",
    "proposer_crashes",
    "reply_overtakes_request",
    "ring_of_four",
    "some_have_it",
    "split_in_four",
    "the_coordinator_comes_back",
    "three_collisions",
    "three_slots_for_three",
    "two",
    "witnesses_collide",
];

/// The scenarios of the library pass with one schedule. If each line waits for rest, they hold under every schedule, as far as
/// a small search shows.
#[test]
fn scenarios_of_the_library() {
    let options = ExploreOptions { max_configurations: 150, ..ExploreOptions::default() };
    let (mut explored, mut complete, mut violated) = (0, 0, BTreeSet::new());
    for entry in library::entries().into_values().filter(|entry| !entry.is_problem()) {
        let program = crate::common::library(entry.name);
        for scenario in &program.scenarios {
            let instance = for_every_schedule(&program, scenario, (true, &[]), &StopSignal::NEVER);
            let instance = instance.unwrap_or_else(|failure| panic!("{}: {}", entry.name, failure.message));
            let found = explore(&instance, None, &options, &mut |_| None);
            assert!(found.disagreements.is_empty(), "{} {}", entry.name, scenario.name);
            explored += 1;
            complete += usize::from(found.stopped_by.is_none());
            if found.verdicts.iter().any(|v| v.judgement == Judgement::Violated && v.promised) {
                violated.insert((entry.name.to_string(), scenario.name.clone()));
            }
        }
    }
    assert!(violated.iter().all(|(_, scenario)| DEPENDENT.contains(&scenario.as_str())), "{violated:?}");
    assert!(explored > 450 && complete > 250, "{explored} scenarios, {complete} of them completely");
}
