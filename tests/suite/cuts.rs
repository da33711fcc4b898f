//! Cuts of recorded runs, checked against an oracle independent of them: all linearizations, each stepped through the semantics.

use crate::common::*;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use synod::internals::check::{QuestionInput, check};
use synod::internals::ids::{ChannelId, MessageId, ProcessId};
use synod::internals::instance::Instance;
use synod::internals::ir::Question;
use synod::internals::ir::{Fault, Type, Value};
use synod::internals::network::Spec;
use synod::internals::semantics::event::{Cause, Event};
use synod::internals::semantics::{Configuration, History, Machine, Metrics, World, eval};
use synod::internals::setup::{InstanceOptions, instantiate};
use synod::internals::simulate::{Schedule, SimulateOptions, simulate};
use synod::internals::trace::cut::Cut;
use synod::internals::trace::diff::diff;
use synod::internals::trace::histories::Histories;
use synod::internals::trace::observed::{Method, Modality, Observed};
use synod::internals::trace::order::Order;
use synod::internals::trace::{Change, End, Header, Recorder, Trace, TraceEvent};

/// The number of steps after the starts that are checked of longer runs.
const STEPS: u64 = 8;
/// The maximum number of linearizations that are listed.
const MOST_ORDERS: usize = 300;
/// The number of linearizations that are stepped.
const STEPPED: usize = 8;

fn record(instance: &Instance, seed: u64, steps: u64) -> Trace {
    let header = Header::of(instance, &[], "random", seed);
    let mut recorder = Recorder::new(instance, header, &synod::internals::semantics::initial(instance));
    let max_steps = Some(u64::from(instance.n()) + steps);
    let options =
        SimulateOptions { schedule: Schedule::Random, seed, max_steps, ..SimulateOptions::default() };
    let run = simulate(instance, &options, &mut recorder);
    recorder.finish(End::of(&run.outcome))
}

/// The events of a linearization, stepped; starts come first, as the semantics requires. Messages are identified by their
/// sending. Yields every configuration after all starts, by its cut, with counts and observations.
struct Stepped<'i> {
    instance: &'i Instance,
    trace: &'i Trace,
    histories: &'i Histories,
    /// By event: the delivered message, even if it is not received.
    delivered: BTreeMap<usize, MessageId>,
}

type Seen = (Configuration, Metrics, History);

impl<'i> Stepped<'i> {
    fn new(instance: &'i Instance, trace: &'i Trace, histories: &'i Histories) -> Stepped<'i> {
        let mut configuration = Configuration::initial(instance);
        let mut delivered = BTreeMap::new();
        for (number, event) in trace.schedule().enumerate() {
            if let Cause::Deliver { channel, position }
            | Cause::Lose { channel, position }
            | Cause::Duplicate { channel, position } = event.cause
            {
                let message = configuration.channel(channel).nth(position as usize).expect("it is there");
                delivered.insert(number, message.id);
            }
            if synod::internals::semantics::step(instance, &mut configuration, &event).is_err() {
                assert_eq!((trace.end, number + 1), (End::Aborted, trace.events.len()));
            }
        }
        Stepped { instance, trace, histories, delivered }
    }

    fn states(&self, order: &[usize]) -> (Vec<(Cut, Seen)>, Trace) {
        let all = 0..self.trace.events.len();
        let is_start = |event: &usize| self.trace.events[*event].choice.cause == Cause::Start;
        let starts: Vec<usize> = all.filter(is_start).collect();
        let mut configuration = Configuration::initial(self.instance);
        let mut machine = Machine::new(self.instance);
        machine.recording = true;
        let mut history = History::new(self.instance.n());
        let mut recorder = Recorder::new(self.instance, self.trace.header.clone(), &configuration);
        // Message numbers: in the trace, and in this order.
        let mut number: FxHashMap<MessageId, MessageId> = FxHashMap::default();
        let mut cut = self.histories.bottom();
        let mut states = Vec::new();
        for event in starts.iter().chain(order.iter().filter(|event| !is_start(event))) {
            let recorded = &self.trace.events[*event];
            let mut step: Event = recorded.event();
            if let Cause::Deliver { channel, position }
            | Cause::Lose { channel, position }
            | Cause::Duplicate { channel, position } = &mut step.cause
            {
                let taken = number.get(&self.delivered[event]);
                let taken =
                    *taken.unwrap_or_else(|| panic!("e{event} in {order:?} of {}", self.trace.to_text()));
                let here = configuration.channel(*channel).position(|m| m.id == taken);
                let here =
                    here.unwrap_or_else(|| panic!("e{event} in {order:?} of {}", self.trace.to_text()));
                *position = here as u32;
            }
            if let Err(error) = machine.replay(self.instance, &mut configuration, &step) {
                panic!("{error}: e{event} in the order {order:?} of {}", self.trace.to_text());
            }
            history.record(&step, &machine.effects);
            recorder.record(&step, &machine.effects, &configuration);
            for (mine, sent) in recorded.sent.iter().zip(&machine.effects.sent) {
                number.insert(mine.id, sent.message);
            }
            if !self.histories.places(*event).is_empty() {
                cut = self.histories.with(&cut, *event);
            }
            if configuration.next_to_start().is_none() {
                let seen = (configuration.clone(), machine.metrics.clone(), history.clone());
                states.push((cut.clone(), seen));
            }
        }
        (states, recorder.finish(self.trace.end))
    }

    fn holds(&self, question: &Question, (configuration, metrics, history): &Seen) -> bool {
        let world = World { configuration, metrics, history };
        eval::evaluate(question, self.instance, world).expect("it has a value") == Value::Bool(true)
    }
}

/// Return all linearizations; `None` if there are too many.
fn linearizations(histories: &Histories) -> Option<Vec<Vec<usize>>> {
    fn extend(
        histories: &Histories,
        cut: &Cut,
        order: &mut Vec<usize>,
        all: &mut Vec<Vec<usize>>,
    ) -> Option<()> {
        let open: Vec<usize> = histories
            .events()
            .filter(|e| !histories.contains(cut, *e))
            .filter(|e| histories.events().all(|c| !histories.precedes(c, *e) || histories.contains(cut, c)))
            .collect();
        if open.is_empty() {
            all.push(order.clone());
            return (all.len() <= MOST_ORDERS).then_some(());
        }
        for event in open {
            order.push(event);
            extend(histories, &histories.with(cut, event), order, all)?;
            order.pop();
        }
        Some(())
    }
    let mut all = Vec::new();
    extend(histories, &histories.bottom(), &mut Vec::new(), &mut all)?;
    Some(all)
}

const CONDITIONS: &[&str] = &[
    "messages >= 3",
    "p0.halted",
    "(count p: p.halted) = 1",
    "forall p: not p.halted",
    "messages = 1 and not p0.halted",
    "time <= 1",
];

fn questions(name: &str) -> Vec<Question> {
    let (path, text) = synod::internals::library::source(name).expect("a library file");
    let asked = |text| QuestionInput { text, n: 1, names: &[], expected_type: Some(Type::Bool) };
    let typed = check(&path, &text, &synod::internals::library::source).typed.expect("no errors");
    CONDITIONS.iter().map(|text| typed.ask(&asked(text)).expect("a question")).collect()
}

const TOPOLOGIES: &[&str] = &[
    "ring(1)",
    "ring(2)",
    "ring(3)",
    "star(1)",
    "star(2)",
    "line(3)",
    "mesh(2, 2)",
    "torus(2, 2)",
    "hypercube(2)",
    "complete(2)",
    "complete(3)",
    "tree(3)",
];

/// The cases that were compared, so that the test cannot pass vacuously.
#[derive(Default)]
struct Tally {
    algorithms: BTreeSet<&'static str>,
    orders: usize,
    states: usize,
    possible: usize,
    definite: usize,
    conjunctive: usize,
}

#[test]
fn cuts_of_the_library_agree_with_all_linearizations() {
    let mut tally = Tally::default();
    for entry in synod::internals::library::entries().into_values().filter(|e| !e.is_problem()) {
        let program = library(entry.name);
        let questions = questions(entry.name);
        for topology in TOPOLOGIES {
            let wishes = InstanceOptions {
                topology: Some(Spec::parse(topology).unwrap()),
                ..InstanceOptions::default()
            };
            let Ok(instance) = instantiate(&program, &wishes) else { continue };
            let trace = record(&instance, 3, STEPS);
            match Histories::of(&trace) {
                Ok(_) => compare(entry.name, &instance, &trace, &questions, &mut tally),
                // Only models with joint steps or with time have no cuts.
                Err(why) => {
                    let model = &program.assumptions;
                    let is_global = model.rounds() || model.reads_neighbours() || instance.is_timed();
                    assert!(is_global, "{}: {why}", entry.name);
                }
            }
        }
    }
    assert!(tally.algorithms.len() > 50 && tally.orders > 3_000 && tally.states > 3_000, "{}", tally.orders);
    assert!(tally.possible > 200 && tally.definite > 100 && tally.conjunctive > 300, "{}", tally.definite);
}

fn compare(
    name: &'static str,
    instance: &Instance,
    trace: &Trace,
    questions: &[Question],
    tally: &mut Tally,
) {
    let observed = Observed::new(instance, trace).unwrap_or_else(|e| panic!("{name}: {e}"));
    let histories = &observed.histories;
    let Some(orders) = linearizations(histories) else { return };
    let lattice = histories.lattice(100_000).expect("it is small");
    assert_eq!(lattice.linearizations, orders.len().into(), "{name}");
    tally.algorithms.insert(name);
    tally.orders += orders.len();
    let passed: Vec<Vec<Cut>> = orders
        .iter()
        .map(|order| {
            assert_eq!(histories.classify(order), Order::Linearization);
            let cuts = order.iter().scan(histories.bottom(), |cut, event| {
                *cut = histories.with(cut, *event);
                Some(cut.clone())
            });
            std::iter::once(histories.bottom()).chain(cuts).collect()
        })
        .collect();
    let consistent: BTreeSet<&Cut> = passed.iter().flatten().collect();
    assert_eq!(lattice.cuts, consistent.len().into(), "{name}");
    other_runs(name, instance, trace);
    let stepped = Stepped::new(instance, trace, histories);
    let mut truths: Vec<BTreeMap<Cut, bool>> = vec![BTreeMap::new(); questions.len()];
    for order in orders.iter().step_by(orders.len().div_ceil(STEPPED)) {
        let (states, again) = stepped.states(order);
        if trace.end != End::Aborted {
            let found = diff(trace, &again);
            assert!(found.is_equal(false), "{name} {found:?}");
            let process = |event: &TraceEvent| event.process;
            let same_order = trace.events.iter().map(process).eq(again.events.iter().map(process));
            assert_eq!(found.is_equal(true), same_order, "{name}");
        }
        for (cut, seen) in states {
            tally.states += 1;
            let state = observed.states.global(histories, &cut);
            assert!(state.configuration == seen.0, "{name} {} {cut}", trace.to_text());
            let metrics = Metrics { rounds: 0, ..seen.1.clone() };
            assert_eq!(state.metrics, metrics, "{name} {cut}");
            let counted = |history: &History| {
                let mut entries: Vec<String> = history
                    .entries()
                    .iter()
                    .map(|e| format!("{} {:?} {} {}", e.process, e.what, e.of, e.nth))
                    .collect();
                entries.sort_unstable();
                entries
            };
            assert_eq!(counted(&state.history), counted(&seen.2), "{name} {cut}");
            for (question, truth) in questions.iter().zip(&mut truths) {
                truth.insert(cut.clone(), stepped.holds(question, &seen));
            }
        }
    }
    for (question, mut truth) in questions.iter().zip(truths) {
        for cut in &consistent {
            let answer = || observed.answer(question, cut).expect("it has a value") == Value::Bool(true);
            truth.entry((*cut).clone()).or_insert_with(answer);
        }
        let possible = truth.values().any(|holds| *holds);
        let definite = passed.iter().all(|cuts| cuts.iter().any(|cut| truth[cut]));
        for (modality, expected) in [(Modality::Possibly, possible), (Modality::Definitely, definite)] {
            for method in [None, Some(Method::Lattice)] {
                let answer = observed.ask(question, modality, method, 100_000).expect("it is small");
                assert_eq!(answer.holds, expected, "{name} {modality:?} {} {method:?}", question.text);
                tally.conjunctive += usize::from(answer.method == Method::Conjunctive);
                assert!(answer.cut.iter().all(|cut| truth[cut]), "{name} {}", question.text);
                if let Some(order) = &answer.avoiding {
                    let at = orders.iter().position(|o| o == order).expect("it is a linearization");
                    assert!(passed[at].iter().all(|cut| !truth[cut]), "{name} {}", question.text);
                }
            }
        }
        tally.possible += usize::from(possible);
        tally.definite += usize::from(definite);
    }
}

/// An event: its action, the changes, the messages with their other ends.
type View<'t> = (&'t str, Vec<&'t Change>, Vec<(&'t str, ProcessId)>);

/// Return the events of each process as they appear without message identities.
fn local_views(trace: &Trace) -> Vec<Vec<View<'_>>> {
    let mut views = vec![Vec::new(); trace.n()];
    for event in &trace.events {
        let with = event.with.iter().flat_map(|with| &with.changes);
        let messages = event.sent.iter().chain(&event.received).chain(&event.lost);
        views[event.process.index()].push((
            event.action.as_str(),
            event.changes.iter().chain(with).collect(),
            messages.map(|m| (m.text.as_str(), m.peer)).collect(),
        ));
    }
    views
}

/// Runs that differ for some process are different, and a run is compared with its own prefix.
fn other_runs(name: &str, instance: &Instance, trace: &Trace) {
    for seed in [4, 5] {
        let other = record(instance, seed, STEPS);
        let found = diff(trace, &other);
        if found.is_equal(false) {
            assert_eq!(local_views(trace), local_views(&other), "{name}");
        } else {
            assert!(found.divergence.is_some() || found.ends.is_some(), "{name} {found:?}");
        }
        if local_views(trace) != local_views(&other) {
            assert!(!found.is_equal(false), "{name}");
        }
    }
    let mut shorter = trace.clone();
    let Some(last) = shorter.events.pop() else { return };
    let divergence = diff(trace, &shorter).divergence.expect("an event is missing");
    assert_eq!((divergence.a, divergence.b), (Some(last.index as usize), None), "{name}");
}

/// All actions of the environment, without time.
const FAULTY: &str = "
algorithm faulty
assumes complete, unique ids, knows peers, unordered, crashes, restarts, loses messages, duplicates messages, links fail,
        eventually perfect detector
message M(k: Int), Ack
var got : list of Int
var down : set of Id
persistent var lives : Int := 1
state s
  on wakeup  -> send M(lives) to others
  on arrival -> become u
  on restart -> lives := lives + 1; send M(lives) to everybody
state u
always
  on M(k) from j -> got := got + [k]; send Ack to j
  on Ack         -> skip
  on suspect(p)  -> down := down + {p}
  on trust(p)    -> down := down - {p}
";

/// Every linearization of a run with faults is possible: losses and copies follow the sending of their message, and reports of
/// detectors follow the crash. The states equal those assembled from the cut.
#[test]
fn cuts_of_runs_with_faults() {
    let program = source(FAULTY);
    let faults: Vec<(Fault, u32)> =
        Fault::ALL.into_iter().filter(|fault| *fault != Fault::OracleError).map(|fault| (fault, 2)).collect();
    let (mut kinds, mut orders_seen) = (BTreeSet::new(), 0);
    for n in 1..=3 {
        for seed in 0..80 {
            let instance = on(&program, &format!("complete({n})")).faults(&faults).build();
            let trace = record(&instance, seed, 8);
            let observed = Observed::new(&instance, &trace).expect("it has cuts");
            let histories = &observed.histories;
            let Some(orders) = linearizations(histories) else { continue };
            assert_eq!(histories.lattice(100_000).expect("small").linearizations, orders.len().into());
            let cause = |event: &TraceEvent| format!("{:?}", event.choice.cause);
            let word = |cause: String| cause.chars().take_while(|c| c.is_alphabetic()).collect::<String>();
            kinds.extend(trace.events.iter().map(cause).map(word));
            let stepped = Stepped::new(&instance, &trace, histories);
            for order in orders.iter().step_by(orders.len().div_ceil(STEPPED)) {
                orders_seen += 1;
                let (states, again) = stepped.states(order);
                let found = diff(&trace, &again);
                assert!(found.is_equal(false), "{found:?} {order:?} {}", trace.to_text());
                for (cut, (configuration, ..)) in states {
                    let state = observed.states.configuration(histories, &cut);
                    for p in instance.processes() {
                        assert_eq!(state.words(p), configuration.words(p), "{cut} {}", trace.to_text());
                        assert_eq!(state.values(p), configuration.values(p), "{cut} {}", trace.to_text());
                    }
                    for channel in instance.channels() {
                        let (content, expected) =
                            (content(&state, channel), content(&configuration, channel));
                        assert_eq!(content, expected, "{cut} {}", trace.to_text());
                    }
                }
            }
        }
    }
    let wanted = ["Crash", "Restart", "Lose", "Duplicate", "Cut", "Suspect", "Trust", "Deliver"];
    assert!(wanted.iter().all(|kind| kinds.contains(*kind)) && orders_seen > 300, "{kinds:?} {orders_seen}");
}

/// Return the messages of a channel, sorted.
fn content(configuration: &Configuration, channel: ChannelId) -> Vec<(u32, Vec<i64>)> {
    let mut all: Vec<_> = configuration.channel(channel).map(|m| (m.kind, m.words.to_vec())).collect();
    all.sort_unstable();
    all
}
