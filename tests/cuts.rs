//! Cuts of recorded runs against an oracle that knows nothing of them: all orders of the events, each stepped through the
//! semantics.

mod common;

use common::*;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use synod::check::{Asked, Question, ask};
use synod::instance::Instance;
use synod::ir::{Type, Value};
use synod::semantics::event::{Cause, Event};
use synod::semantics::{Configuration, History, Machine, Metrics, World, eval};
use synod::network::Spec;
use synod::setup::{Wishes, instantiate};
use synod::simulate::{Options, Schedule, simulate};
use synod::trace::cut::Cut;
use synod::trace::histories::Histories;
use synod::trace::observed::{Method, Modality, Observed};
use synod::trace::order::Order;
use synod::trace::{End, Header, Recorder, Trace};

/// Of longer runs only so many steps beyond the starts are looked at.
const STEPS: u64 = 8;
/// Runs with more linearizations are not listed.
const MOST_ORDERS: usize = 300;
/// So many of them are stepped.
const STEPPED: usize = 8;

fn record(instance: &Instance, seed: u64, steps: u64) -> Trace {
    let header = Header::of(instance, &[], "random", seed);
    let mut recorder = Recorder::new(instance, header, &synod::semantics::initial(instance));
    let max_steps = Some(u64::from(instance.n()) + steps);
    let options = Options { schedule: Schedule::Random, seed, max_steps, ..Options::default() };
    let run = simulate(instance, &options, &mut recorder);
    recorder.finish(End::of(&run.outcome))
}

/// The events of an order, stepped: starts first, as the semantics wants them. Messages are found by what sent them. Gives every
/// configuration that comes after all starts, by its cut, with what has been counted and observed.
struct Stepped<'i> {
    instance: &'i Instance,
    trace: &'i Trace,
    histories: &'i Histories,
    /// By event: the message that is delivered, also where it is not taken.
    delivered: BTreeMap<usize, u32>,
}

type Seen = (Configuration, Metrics, History);

impl<'i> Stepped<'i> {
    fn new(instance: &'i Instance, trace: &'i Trace, histories: &'i Histories) -> Stepped<'i> {
        let mut configuration = Configuration::initial(instance);
        let mut delivered = BTreeMap::new();
        for (number, event) in trace.schedule().enumerate() {
            if let Cause::Deliver { channel, position } = event.cause {
                let message = configuration.channel(channel).nth(position as usize).expect("it is there");
                delivered.insert(number, message.id);
            }
            if synod::semantics::step(instance, &mut configuration, &event).is_err() {
                assert_eq!((trace.end, number + 1), (End::Aborted, trace.events.len()));
            }
        }
        Stepped { instance, trace, histories, delivered }
    }

    fn states(&self, order: &[usize]) -> Vec<(Cut, Seen)> {
        let all = 0..self.trace.events.len();
        let is_start = |event: &usize| self.trace.events[*event].choice.cause == Cause::Start;
        let starts: Vec<usize> = all.filter(is_start).collect();
        let mut configuration = Configuration::initial(self.instance);
        let mut machine = Machine::new(self.instance);
        machine.recording = true;
        let mut history = History::new(self.instance.n());
        // Numbers of messages: in the trace, and in this order.
        let mut number: FxHashMap<u32, u32> = FxHashMap::default();
        let mut cut = self.histories.bottom();
        let mut states = Vec::new();
        for event in starts.iter().chain(order.iter().filter(|event| !is_start(event))) {
            let recorded = &self.trace.events[*event];
            let mut step: Event = recorded.event();
            if let Cause::Deliver { channel, position } = &mut step.cause {
                let taken = number[&self.delivered[event]];
                let here = configuration.channel(*channel).position(|m| m.id == taken);
                *position = here.expect("it is under way") as u32;
            }
            machine.replay(self.instance, &mut configuration, &step).expect("the order is a linearization");
            history.record(&step, &machine.effects);
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
        states
    }

    fn holds(&self, question: &Question, (configuration, metrics, history): &Seen) -> bool {
        let world = World { configuration, metrics, history };
        eval::answer(question, self.instance, world).expect("it has a value") == Value::Bool(true)
    }
}

/// All linearizations; None: too many.
fn linearizations(histories: &Histories) -> Option<Vec<Vec<usize>>> {
    fn extend(histories: &Histories, cut: &Cut, order: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) -> Option<()> {
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
    let (path, text) = synod::library::source(name).expect("a library file");
    let asked = |text| Asked { text, n: 1, names: &[], want: Some(Type::Bool) };
    let question = |asked: Asked| ask(&path, &text, &synod::library::source, &asked).expect("a question");
    CONDITIONS.iter().map(|text| question(asked(text))).collect()
}

const TOPOLOGIES: &[&str] = &[
    "ring(1)", "ring(2)", "ring(3)", "star(1)", "star(2)", "line(3)", "mesh(2, 2)", "torus(2, 2)", "hypercube(2)",
    "complete(2)", "complete(3)", "tree(3)",
];

/// What the comparison has seen, so that it cannot pass by looking at nothing.
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
fn cuts_of_the_library_against_all_orders() {
    let mut tally = Tally::default();
    for entry in synod::library::entries().into_values().filter(|e| !e.is_problem()) {
        let program = library(entry.name);
        let questions = questions(entry.name);
        for topology in TOPOLOGIES {
            let wishes = Wishes { topology: Some(Spec::parse(topology).unwrap()), ..Wishes::default() };
            let Ok(instance) = instantiate(&program, &wishes) else { continue };
            let trace = record(&instance, 3, STEPS);
            match Histories::of(&trace) {
                Ok(_) => compare(entry.name, &instance, &trace, &questions, &mut tally),
                // Only models with steps of several processes, or with time, have no cuts.
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
            assert_eq!(histories.judge(order), Order::Linearization);
            let cuts = order.iter().scan(histories.bottom(), |cut, event| {
                *cut = histories.with(cut, *event);
                Some(cut.clone())
            });
            std::iter::once(histories.bottom()).chain(cuts).collect()
        })
        .collect();
    let consistent: BTreeSet<&Cut> = passed.iter().flatten().collect();
    assert_eq!(lattice.cuts, consistent.len().into(), "{name}");
    let stepped = Stepped::new(instance, trace, histories);
    let mut truths: Vec<BTreeMap<Cut, bool>> = vec![BTreeMap::new(); questions.len()];
    for order in orders.iter().step_by(orders.len().div_ceil(STEPPED)) {
        for (cut, seen) in stepped.states(order) {
            tally.states += 1;
            let state = observed.states.global(histories, &cut);
            assert!(state.configuration == seen.0, "{name} {} {cut}", trace.to_text());
            let metrics = Metrics { rounds: 0, ..seen.1.clone() };
            assert_eq!(state.metrics, metrics, "{name} {cut}");
            let counted = |history: &History| {
                let mut entries: Vec<String> =
                    history.entries().iter().map(|e| format!("{} {:?} {} {}", e.process, e.what, e.of, e.nth)).collect();
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
