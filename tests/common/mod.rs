//! Programs of the library, instances of them, runs and searches: what the tests of algorithms share.
#![allow(dead_code, reason = "each test binary uses a part of this")]

use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::sync::Arc;
use synod::internals::check::{Checked, check};
use synod::internals::ids::ProcessId;
use synod::internals::instance::Instance;
use synod::internals::ir::{Daemon, Fault, FaultTexts, Program, Slot, Value};
use synod::internals::network::{IdsSpec, Spec};
use synod::internals::property::{Ended, Judgement, RunMonitor, Verdict};
use synod::internals::semantics::event::{Cause, Effects, Event};
use synod::internals::semantics::{Chooser, Configuration, Machine, Metrics, initial, is_end};
use synod::internals::setup::{Ids, InstanceOptions, instantiate};
use synod::internals::simulate::{
    AnyScheduler, Held, Hold, Observer, Outcome, Run, Schedule, SimulateOptions, Simulation, Unobserved,
    simulate,
};
use synod::internals::stop::StopSignal;

/// Schedules that do not roll dice.
pub const FIXED: [Schedule; 3] = [Schedule::Fifo, Schedule::Adversary, Schedule::RoundRobin];

/// Budgets of faults: each kind on its own, and a restart after a crash.
pub const EACH_FAULT: [&[(Fault, u32)]; 8] = [
    &[],
    &[(Fault::Crash, 1)],
    &[(Fault::Crash, 1), (Fault::Restart, 1)],
    &[(Fault::Loss, 1)],
    &[(Fault::Duplication, 1)],
    &[(Fault::Link, 1)],
    &[(Fault::Suspicion, 1)],
    &[(Fault::OracleError, 1)],
];

// ---- Programs

/// A change to a library file: the file, a piece of its text that occurs once, and what stands there instead.
pub type Edit<'a> = (&'a str, &'a str, &'a str);

/// A file of the library as it is.
pub fn library(name: &str) -> Arc<Program> {
    edited(name, &[])
}

/// A program that stands in a test.
pub fn source(text: &str) -> Arc<Program> {
    let checked = check("test.syn", text, &|name| synod::internals::library::source(name));
    let found: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
    Arc::new(checked.program.unwrap_or_else(|| panic!("{text}: {found:#?}")))
}

/// A file of the library, with changes to it or to the files it needs.
pub fn edited(name: &str, edits: &[Edit<'_>]) -> Arc<Program> {
    let checked = check_edited(name, edits);
    let found: Vec<String> = checked.diagnostics.iter().map(|d| d.message()).collect();
    Arc::new(checked.program.unwrap_or_else(|| panic!("{name} {edits:?}: {found:#?}")))
}

pub fn check_edited(name: &str, edits: &[Edit<'_>]) -> Checked {
    let find = |wanted: &str| {
        let (path, mut text) = synod::internals::library::source(wanted)?;
        let file = synod::internals::library::find(wanted)?.name;
        for (_, old, new) in edits.iter().filter(|(edited, ..)| *edited == file) {
            assert_eq!(text.matches(old).count(), 1, "in {file} occurs not once: {old}");
            text = text.replace(old, new);
        }
        Some((path, text))
    };
    let (path, text) = find(name).unwrap_or_else(|| panic!("the library has no {name}"));
    check(&path, &text, &find)
}

// ---- Instances

/// An instance in the making.
#[derive(Clone)]
pub struct Setup {
    program: Arc<Program>,
    wishes: InstanceOptions,
}

pub fn on(program: &Arc<Program>, topology: &str) -> Setup {
    let topology = Some(Spec::parse(topology).expect("a topology"));
    Setup { program: program.clone(), wishes: InstanceOptions { topology, ..InstanceOptions::default() } }
}

impl Setup {
    pub fn ids(mut self, ids: &[i64]) -> Setup {
        self.wishes.ids = Ids::Spec(IdsSpec::Explicit(ids.to_vec()));
        self
    }

    pub fn random_ids(mut self, seed: u64) -> Setup {
        self.wishes.ids = Ids::Spec(IdsSpec::Random);
        self.wishes.seed = seed;
        self
    }

    pub fn worst_ids(mut self) -> Setup {
        self.wishes.ids = Ids::Worst;
        self
    }

    pub fn initiators(mut self, initiators: &[u32]) -> Setup {
        self.wishes.settings.initiators = Some(initiators.iter().copied().map(ProcessId).collect());
        self
    }

    pub fn param(self, name: &str, value: i64) -> Setup {
        self.value(name, Value::Int(value))
    }

    /// A parameter that is no number.
    pub fn value(mut self, name: &str, value: Value) -> Setup {
        self.wishes.settings.params.push((name.into(), value));
        self
    }

    /// So much may go wrong.
    pub fn faults(mut self, faults: &[(Fault, u32)]) -> Setup {
        self.wishes.settings.faults = faults.to_vec();
        self
    }

    pub fn fault_texts(mut self, faults: &FaultTexts) -> Setup {
        self.wishes.settings.messages_survive = faults.messages_survive;
        self.faults(&faults.bounds)
    }

    /// The processes that move at the same time.
    pub fn daemon(mut self, daemon: Daemon) -> Setup {
        self.wishes.settings.daemon = Some(daemon);
        self
    }

    pub fn stop(mut self, stop: StopSignal) -> Setup {
        self.wishes.settings.stop = stop;
        self
    }

    /// Operations are called from outside only.
    pub fn idle_clients(mut self) -> Setup {
        self.wishes.settings.idle_clients = true;
        self
    }

    pub fn build(&self) -> Instance {
        instantiate(&self.program, &self.wishes).unwrap_or_else(|e| panic!("{}: {e}", self.program.name))
    }

    /// Absent if the algorithm assumes something else.
    pub fn build_if_it_fits(&self) -> Option<Instance> {
        instantiate(&self.program, &self.wishes).ok()
    }
}

/// On a ring with these ids, in the direction of its messages.
pub fn ring(program: &Arc<Program>, ids: &[i64]) -> Instance {
    on(program, &format!("ring({})", ids.len())).ids(ids).build()
}

/// The ids 1 … n in all circular orders: (n - 1)! arrangements, each with n first.
pub fn arrangements(n: i64) -> Vec<Vec<i64>> {
    fn extend(prefix: &mut Vec<i64>, n: i64, all: &mut Vec<Vec<i64>>) {
        if prefix.len() as i64 == n {
            all.push(prefix.clone());
        }
        for id in (1..n).filter(|id| !prefix.contains(id)).collect::<Vec<_>>() {
            prefix.push(id);
            extend(prefix, n, all);
            prefix.pop();
        }
    }
    let mut all = Vec::new();
    extend(&mut vec![n], n, &mut all);
    all
}

/// The non-empty sets of processes 0 … n-1.
pub fn subsets(n: u32) -> impl Iterator<Item = Vec<u32>> {
    (1u32..1 << n).map(move |bits| (0..n).filter(|p| bits >> p & 1 == 1).collect())
}

// ---- Runs

pub fn run(instance: &Instance, schedule: Schedule, seed: u64) -> Run {
    simulate(instance, &SimulateOptions { schedule, seed, ..SimulateOptions::default() }, &mut Unobserved)
}

/// One run under each fixed schedule, and one at random for each of so many seeds.
pub fn runs(instance: &Instance, seeds: u64) -> impl Iterator<Item = Run> + '_ {
    schedules(seeds).map(|(schedule, seed)| run(instance, schedule, seed))
}

pub fn schedules(seeds: u64) -> impl Iterator<Item = (Schedule, u64)> {
    FIXED.into_iter().map(|s| (s, 0)).chain((0..seeds).map(|seed| (Schedule::Random, seed)))
}

/// The total of messages, which must be the same whatever the schedule.
pub fn messages(instance: &Instance) -> u64 {
    let totals: BTreeSet<u64> = runs(instance, 5).map(|run| run.metrics.messages()).collect();
    assert_eq!(totals.len(), 1, "{}: the total depends on the schedule: {totals:?}", instance.program.name);
    totals.into_iter().next().unwrap()
}

/// Before anything else, each of these processes does what it can do by itself: wakes, or calls its first operation.
pub fn run_after_all(instance: &Instance, first: Cause, schedule: Schedule, seed: u64) -> Run {
    let mut simulation = Simulation::new(instance, AnyScheduler::new(instance, schedule, seed));
    start(instance, &mut simulation);
    let clients = instance.processes().filter(|p| match first {
        Cause::Wakeup => instance.initiators[p.index()],
        _ => instance.program.roles[instance.role_of(*p)].client.is_some(),
    });
    for process in clients {
        simulation.take(instance, &event(process, first.clone()), &mut Unobserved).expect("it is possible");
    }
    finish(instance, simulation)
}

pub fn start(instance: &Instance, simulation: &mut Simulation<AnyScheduler>) {
    while simulation.configuration.next_to_start().is_some() {
        simulation.advance(instance, &mut Unobserved).expect("a start");
    }
}

pub fn finish(instance: &Instance, mut simulation: Simulation<AnyScheduler>) -> Run {
    let outcome = simulation.run(instance, 10_000_000, &mut Unobserved);
    simulation.into_run(outcome)
}

/// Nobody gets a message.
pub fn everything_held() -> Held {
    Held { holds: vec![Hold { from: None, to: None, kinds: None }], ..Held::default() }
}

pub fn event(process: impl Into<ProcessId>, cause: Cause) -> Event {
    Event::new(process.into(), cause)
}

/// `p: operation(args)`, as in a scenario.
pub fn call(instance: &Instance, process: impl Into<ProcessId>, operation: &str, args: Vec<Value>) -> Event {
    let operations = &instance.program.operations;
    let operation = operations.iter().position(|o| o.name == operation).expect("an operation") as u16;
    event(process, Cause::Call { operation, args })
}

/// The messages of these names.
pub fn messages_of(instance: &Instance, metrics: &Metrics, kind: &str) -> u64 {
    let kinds = (0u32..).zip(&instance.program.kinds).filter(|(_, k)| k.name == kind).map(|(i, _)| i);
    metrics.messages_of(Some(&kinds.collect::<Vec<_>>()))
}

/// All messages, those to oneself included.
pub fn all_messages(metrics: &Metrics) -> u64 {
    metrics.messages() + metrics.self_messages()
}

/// A variable of a process by its name.
pub fn variable(
    instance: &Instance,
    configuration: &Configuration,
    process: impl Into<ProcessId>,
    name: &str,
) -> Value {
    let process = process.into();
    let role = &instance.program.roles[instance.role_of(process)];
    let found = role.vars.iter().find(|v| v.name == name).unwrap_or_else(|| panic!("no variable {name}"));
    match found.slot {
        Slot::Word(s) => Value::from_word(&found.ty, configuration.words(process)[s as usize]),
        Slot::Value(s) => configuration.values(process)[s as usize].clone(),
    }
}

pub fn finished(run: &Run) -> bool {
    matches!(run.outcome, Outcome::Quiescent | Outcome::Terminated)
}

// ---- Properties

/// A run that was watched.
pub struct Judged {
    pub run: Run,
    pub verdicts: Vec<Verdict>,
}

struct Watching(RunMonitor);

impl Observer for Watching {
    fn after(&mut self, i: &Instance, e: &Event, f: &Effects, c: &Configuration, m: &Metrics) -> bool {
        self.0.after(i, e, f, c, m);
        true
    }
}

pub fn judge(instance: &Instance, schedule: Schedule, seed: u64, max_steps: u64) -> Judged {
    let mut watching = Watching(RunMonitor::new(instance, None));
    let configuration = initial(instance);
    let program = &instance.program;
    watching.0.begin(instance, &configuration, &Metrics::new(program.kinds.len(), program.operations.len()));
    let options =
        SimulateOptions { schedule, seed, max_steps: Some(max_steps), ..SimulateOptions::default() };
    let run = simulate(instance, &options, &mut watching);
    let ended = match run.outcome {
        Outcome::Terminated | Outcome::Quiescent | Outcome::Stuck(_) => Ended::Finished,
        Outcome::Aborted(_) => Ended::Aborted,
        _ => Ended::CutOff,
    };
    let verdicts = watching.0.verdicts(instance, ended, &run.configuration, &run.metrics);
    Judged { run, verdicts }
}

impl Judged {
    /// The faults that the run shows: names of promised properties that it violates, or how it ended if not well.
    pub fn findings(&self) -> Vec<String> {
        let broken = |v: &&Verdict| v.promised && v.judgement == Judgement::Violated;
        let mut found: Vec<String> = self.verdicts.iter().filter(broken).map(|v| v.name.clone()).collect();
        if !finished(&self.run) {
            found.push(self.run.outcome.as_str().into());
        }
        found
    }

    /// Why, for a person.
    pub fn reasons(&self) -> String {
        let wrong = |v: &&Verdict| matches!(v.judgement, Judgement::Violated | Judgement::NotChecked);
        let lines: Vec<String> =
            self.verdicts.iter().filter(wrong).map(|v| format!("{}: {}", v.name, v.why)).collect();
        format!("{:?} after {} steps; {}", self.run.outcome, self.run.steps, lines.join("; "))
    }
}

// ---- All schedules

/// More configurations than this are too many for a test.
const MOST_CONFIGURATIONS: usize = 500_000;

/// Every choice in turn, as an odometer counts.
#[derive(Default)]
pub struct Odometer {
    digits: Vec<(usize, usize)>,
    next: usize,
}

impl Chooser for Odometer {
    fn choose(&mut self, options: usize) -> usize {
        if self.next == self.digits.len() {
            self.digits.push((0, options));
        }
        self.next += 1;
        self.digits[self.next - 1].0
    }

    fn crashes_here(&mut self, _: usize) -> bool {
        self.choose(2) == 1
    }
}

impl Odometer {
    /// On to the next combination; false: that was the last.
    pub fn advance(&mut self) -> bool {
        self.next = 0;
        while let Some((digit, options)) = self.digits.pop() {
            if digit + 1 < options {
                self.digits.push((digit + 1, options));
                return true;
            }
        }
        false
    }
}

/// A configuration in which nothing more is possible unless something goes wrong, and what it cost to get there.
pub struct Ending<'a> {
    pub instance: &'a Instance,
    pub configuration: &'a Configuration,
    pub metrics: &'a Metrics,
}

impl Ending<'_> {
    pub fn variable(&self, process: impl Into<ProcessId>, name: &str) -> Value {
        variable(self.instance, self.configuration, process, name)
    }
}

/// The observable state where the instance ends, under all schedules. `script` says which calls from outside are
/// possible in a configuration.
pub fn endings<T: Ord>(
    instance: &Instance,
    script: impl Fn(&Configuration) -> Vec<Event>,
    see: impl Fn(Ending<'_>) -> T,
) -> BTreeSet<T> {
    let mut machine = Machine::new(instance);
    let mut found = BTreeSet::new();
    let mut seen = FxHashSet::default();
    let mut open = vec![(initial(instance), machine.metrics.clone())];
    while let Some((configuration, metrics)) = open.pop() {
        let mut events = machine.enabled(instance, &configuration);
        let scripted = match configuration.next_to_start() {
            None => script(&configuration),
            Some(_) => Vec::new(),
        };
        let at_end = scripted.is_empty() && is_end(instance, &configuration);
        events.extend(scripted);
        if at_end {
            found.insert(see(Ending { instance, configuration: &configuration, metrics: &metrics }));
        }
        for event in events {
            let mut odometer = Odometer::default();
            loop {
                let mut after = configuration.clone();
                machine.metrics = metrics.clone();
                let done = machine.perform(instance, &mut after, &event, &mut odometer);
                assert!(done.expect("no abort"), "{event:?} was enabled");
                let key = (after.clone(), machine.metrics.sent.clone(), machine.metrics.to_self.clone());
                if seen.insert(key) {
                    open.push((after, machine.metrics.clone()));
                }
                if !odometer.advance() {
                    break;
                }
            }
        }
        assert!(seen.len() <= MOST_CONFIGURATIONS, "{} is too large to search", instance.program.name);
    }
    found
}

/// All configurations that can be reached, whatever the schedule and the coins. `see` is told whether anything more
/// is possible there.
pub fn configurations(instance: &Instance, mut see: impl FnMut(&Configuration, bool)) {
    let mut machine = Machine::new(instance);
    let mut seen = FxHashSet::default();
    let mut open = vec![initial(instance)];
    while let Some(configuration) = open.pop() {
        let events = machine.enabled(instance, &configuration);
        see(&configuration, events.is_empty());
        for event in events {
            let mut odometer = Odometer::default();
            loop {
                let mut after = configuration.clone();
                let done = machine.perform(instance, &mut after, &event, &mut odometer);
                assert!(done.expect("no abort"), "{event:?} was enabled");
                if seen.insert(after.clone()) {
                    open.push(after);
                }
                if !odometer.advance() {
                    break;
                }
            }
        }
        assert!(seen.len() <= MOST_CONFIGURATIONS, "{} is too large to search", instance.program.name);
    }
}

/// The totals of messages under all schedules.
pub fn totals(instance: &Instance) -> BTreeSet<u64> {
    endings(instance, |_| Vec::new(), |end| end.metrics.messages())
}
