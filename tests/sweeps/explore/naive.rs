//! A naive explorer: whole configurations in a set, the three functions of the semantics, nothing else.

use rustc_hash::FxHashSet;
use std::collections::{BTreeSet, VecDeque};
use synod::internals::ids::MessageId;
use synod::internals::instance::Instance;
use synod::internals::ir::PropertyKind;
use synod::internals::property::{Judgement, violation};
use synod::internals::semantics::eval::{self, World};
use synod::internals::semantics::event::Event;
use synod::internals::semantics::{
    Chooser, Configuration, History, Machine, Metrics, enabled, initial, is_end,
};
use synod::internals::simulate::{Held, classify};

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Naive {
    pub configurations: u64,
    pub steps: u64,
    pub ends: BTreeSet<&'static str>,
    pub ending: u64,
    /// Configurations outside joint steps.
    pub at_rest: u64,
    /// The names of invariants and `finally` properties that fail somewhere.
    pub violated: BTreeSet<String>,
    pub aborts: bool,
}

#[derive(Default)]
struct Odometer {
    digits: Vec<(usize, usize)>,
    at: usize,
}

impl Chooser for Odometer {
    fn choose(&mut self, options: usize) -> usize {
        if self.at == self.digits.len() {
            self.digits.push((0, options));
        }
        self.at += 1;
        self.digits[self.at - 1].0
    }

    fn crashes_here(&mut self, _: usize) -> bool {
        self.choose(2) == 1
    }
}

impl Odometer {
    fn advance(&mut self) -> bool {
        self.at = 0;
        while let Some((digit, options)) = self.digits.pop() {
            if digit + 1 < options {
                self.digits.push((digit + 1, options));
                return true;
            }
        }
        false
    }
}

pub fn successors(
    instance: &Instance,
    from: &Configuration,
    aborts: &mut bool,
) -> Vec<(Event, Configuration)> {
    let mut machine = Machine::new(instance);
    let mut found = Vec::new();
    for event in enabled(instance, from) {
        let mut odometer = Odometer::default();
        loop {
            let mut next = from.clone();
            match machine.perform(instance, &mut next, &event, &mut odometer) {
                Ok(true) => found.push((event.clone(), next)),
                Ok(false) => panic!("{event:?} was enabled"),
                Err(_) => *aborts = true,
            }
            if !odometer.advance() {
                break;
            }
        }
    }
    found
}

/// Return the identity of a configuration: messages of unordered channels are sorted.
pub fn meaning(instance: &Instance, configuration: &Configuration) -> impl Eq + std::hash::Hash + use<> {
    let processes = instance.processes().map(|p| {
        (configuration.words(p).to_vec(), configuration.values(p).to_vec(), configuration.wake_state(p))
    });
    // The interval in which a message may arrive, relative to now; a bound in the past counts as now.
    let window = |message: MessageId| {
        let clock = configuration.environment().clock.as_ref()?;
        let window = clock.window(message);
        let until =
            if window.last == u64::MAX { window.last } else { window.last.saturating_sub(clock.now()) };
        Some((window.first.saturating_sub(clock.now()), until))
    };
    // At the end of a round: the messages of this round and of the next are distinguished.
    let age = |message: MessageId| configuration.is_of_next_round(message);
    let channels = instance.channels().map(|channel| {
        let messages = configuration
            .channel(channel)
            .map(|m| (age(m.id), m.kind, m.words.to_vec(), m.values.to_vec(), window(m.id)));
        let mut messages: Vec<_> = messages.collect();
        if !instance.layout.keeps_order(channel) {
            messages.sort();
        }
        messages
    });
    (processes.collect::<Vec<_>>(), channels.collect::<Vec<_>>(), configuration.environment().clone())
}

pub fn fails(instance: &Instance, property: usize, configuration: &Configuration) -> bool {
    let metrics = Metrics::new(instance.program.kinds.len(), instance.program.operations.len());
    let history = History::new(0);
    let world = World { configuration, metrics: &metrics, history: &history };
    let property = &instance.program.properties[property];
    eval::with_global_frame(instance, Some(world), |env| violation(property, env))
        .is_ok_and(|found| found.is_some())
}

/// Explore; `decided` are the judgements of the explorer under test, and only the decided properties are checked.
pub fn explore(instance: &Instance, decided: &[(String, Judgement)]) -> Naive {
    explore_seeing(instance, decided, &mut |_, _| {})
}

/// Explore; `see` gets each configuration outside joint steps, and whether it is an end.
pub fn explore_seeing(
    instance: &Instance,
    decided: &[(String, Judgement)],
    see: &mut dyn FnMut(&Configuration, bool),
) -> Naive {
    let mut naive = Naive::default();
    let mut open: VecDeque<Configuration> = [initial(instance)].into();
    let mut seen = FxHashSet::default();
    let wanted = |kind: PropertyKind| {
        let properties = instance.program.properties.iter().enumerate();
        let decided = |name: &str| decided.iter().any(|(n, j)| n == name && *j != Judgement::NotChecked);
        properties
            .filter(move |(_, p)| p.kind == kind && p.bound.is_none() && decided(&p.name))
            .map(|(i, _)| i)
    };
    while let Some(configuration) = open.pop_front() {
        let running = configuration.next_to_start().is_none();
        let next = successors(instance, &configuration, &mut naive.aborts);
        if running {
            naive.configurations += 1;
            naive.steps += next.len() as u64;
            let mut kinds = vec![PropertyKind::Invariant];
            // A pending fault does not count as an enabled step.
            let at_end = is_end(instance, &configuration);
            if !configuration.in_joint_step() {
                naive.at_rest += 1;
                see(&configuration, at_end);
            }
            if at_end {
                naive.ending += 1;
                naive.ends.insert(classify(instance, &configuration, &Held::default()).as_str());
                kinds.push(PropertyKind::Finally);
            }
            // Configurations within a joint step are not observed.
            if configuration.in_joint_step() {
                kinds.clear();
            }
            for property in kinds.into_iter().flat_map(&wanted) {
                if fails(instance, property, &configuration) {
                    naive.violated.insert(instance.program.properties[property].name.clone());
                }
            }
        }
        for (_, next) in next {
            if seen.insert(meaning(instance, &next)) {
                open.push_back(next);
            }
        }
    }
    naive
}
