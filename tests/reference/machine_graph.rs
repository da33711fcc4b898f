//! The graph of the steps of Synod's machine, without any reduction. Verdicts are compared on it where the specification has no steps of
//! its own.

use crate::graph::{Action, Channel, Choice, Edge, Effect, Graph, Message, Part, Target};
use rustc_hash::FxHashMap;
use synod::instance::{ExecutionModel, Instance};
use synod::ir::Value;
use synod::semantics::choice::Odds;
use synod::semantics::event::{Cause, Event, Received};
use synod::semantics::{Chooser, Configuration, Machine, initial};
use synod::syntax::ast::HistoryKind;

/// The greatest average number of steps per configuration, and the greatest number from one configuration.
const MOST_STEPS: usize = 4;
const MOST_AT_ONCE: usize = 2_000;

pub type Steps = Graph<Configuration, Value>;

/// Enumeration of all combinations of the choices in a command.
#[derive(Default)]
struct Every {
    made: Vec<Choice>,
    at: usize,
}

impl Every {
    fn decide(&mut self, options: usize, chance: bool) -> usize {
        if self.at == self.made.len() {
            self.made.push(Choice { chance, options, taken: 0 });
        }
        self.at += 1;
        self.made[self.at - 1].taken
    }

    fn advance(&mut self) -> bool {
        self.at = 0;
        while let Some(mut last) = self.made.pop() {
            last.taken += 1;
            if last.taken < last.options {
                self.made.push(last);
                return true;
            }
        }
        false
    }
}

impl Chooser for Every {
    fn choose(&mut self, options: usize) -> usize {
        self.decide(options, false)
    }

    fn draw(&mut self, odds: Odds) -> usize {
        self.decide(odds.outcomes(), true)
    }

    /// Choose any initial value, whatever its probability.
    fn choose_initial(&mut self, values: u32) -> usize {
        self.decide(values as usize, false)
    }

    fn crashes_here(&mut self, _: usize) -> bool {
        self.decide(2, false) == 1
    }
}

/// Build the graph; return None if it has more than `most` configurations, or too many steps.
pub fn graph(instance: &Instance, most: usize) -> Option<Steps> {
    let mut graph = Graph {
        processes: instance.n() as usize,
        pairs: instance.model.execution == ExecutionModel::Pairs,
        configurations: Vec::new(),
        starts: Vec::new(),
        steps: Vec::new(),
    };
    let mut known = FxHashMap::default();
    let mut number = |(edge, to): (Edge<Value>, Option<Configuration>), all: &mut Vec<Configuration>| {
        let Some(to) = to else { return edge };
        let number = *known.entry(meaning(instance, &to)).or_insert(all.len());
        if number == all.len() {
            all.push(to);
        }
        Edge { target: Target::Configuration(number), ..edge }
    };
    let starts = steps(instance, initial(instance))?;
    graph.starts = starts.into_iter().map(|step| number(step, &mut graph.configurations)).collect();
    while graph.steps.len() < graph.configurations.len() {
        let from = graph.configurations[graph.steps.len()].clone();
        let all = steps(instance, from)?.into_iter();
        graph.steps.push(all.map(|step| number(step, &mut graph.configurations)).collect());
        let all_steps: usize = graph.steps.iter().map(Vec::len).sum();
        if graph.configurations.len() > most || all_steps > MOST_STEPS * most {
            return None;
        }
    }
    Some(graph)
}

/// Return the identity of a configuration, in which the messages of an unordered channel are sorted.
fn meaning(instance: &Instance, configuration: &Configuration) -> impl Eq + std::hash::Hash + use<> {
    let processes = (0..instance.n()).map(|p| {
        (configuration.words(p).to_vec(), configuration.values(p).to_vec(), configuration.wake_state(p))
    });
    // The interval of possible arrival times of a message, relative to now.
    let window = |message: u32| {
        let clock = configuration.environment().clock.as_ref()?;
        let window = clock.window(message);
        let until =
            if window.last == u64::MAX { window.last } else { window.last.saturating_sub(clock.now()) };
        Some((window.first.saturating_sub(clock.now()), until))
    };
    let channels = (0..instance.layout.channels).map(|channel| {
        let content =
            |m: synod::semantics::MessageRef<'_>| (m.kind, m.words.to_vec(), m.values.to_vec(), window(m.id));
        let mut messages: Vec<_> = configuration.channel(channel).map(content).collect();
        if !instance.layout.keeps_order(channel) {
            messages.sort();
        }
        messages
    });
    (processes.collect::<Vec<_>>(), channels.collect::<Vec<_>>(), configuration.environment().clone())
}

type Step = (Edge<Value>, Option<Configuration>);

/// Return all steps of a configuration; None if there are too many. The parts of a joint step are successive events, with no configuration
/// between them.
fn steps(instance: &Instance, from: Configuration) -> Option<Vec<Step>> {
    let mut found = Vec::new();
    let mut open = vec![(from, Vec::new(), 0)];
    while let Some((at, parts, rounds)) = open.pop() {
        if open.len() + found.len() > MOST_AT_ONCE {
            return None;
        }
        let mut machine = Machine::new(instance);
        for event in machine.enabled(instance, &at) {
            let mut every = Every::default();
            loop {
                let mut machine = Machine::new(instance);
                machine.recording = true;
                let mut next = at.clone();
                let done = machine.perform(instance, &mut next, &event, &mut every);
                let mut part = part(instance, (&at, &event), &machine, &every.made);
                // «An aborted command leaves nothing behind.»
                if done.is_ok() {
                    part.effects = effects(instance, &at, &event, &machine, &next);
                }
                let parts: Vec<Part<Value>> = [parts.as_slice(), &[part]].concat();
                // The number of rounds that have ended, in models with rounds.
                let rounds = rounds + next.rounds().unwrap_or(0) - at.rounds().unwrap_or(0);
                match done {
                    Err(abort) => {
                        let target = Target::Abort(format!("{abort:?}"));
                        found.push((Edge { parts, rounds, target }, None));
                    }
                    Ok(done) => {
                        assert!(done, "{event:?} must be enabled");
                        if next.in_joint_step() || next.next_to_start().is_some() {
                            open.push((next, parts, rounds));
                        } else {
                            // The target gets its number later.
                            let target = Target::Configuration(usize::MAX);
                            found.push((Edge { parts, rounds, target }, Some(next)));
                        }
                    }
                }
                if !every.advance() {
                    break;
                }
            }
        }
    }
    Some(found)
}

fn channel(instance: &Instance, channel: u32) -> Channel {
    Channel {
        from: instance.sender(channel) as usize,
        to: instance.receiver(channel) as usize,
        link: channel as usize,
        layer: String::new(),
        unordered: !instance.layout.keeps_order(channel),
    }
}

/// Return the name of a message kind for `Count`: kinds of different layers may share a name.
pub fn kind_name(kind: u32) -> String {
    format!("kind {kind}")
}

fn content(message: &synod::semantics::MessageRef<'_>) -> Message<Value> {
    let words = message.words.iter().map(|word| Value::Int(*word));
    let fields = words.chain(message.values.iter().cloned()).collect();
    Message { layer: String::new(), name: kind_name(message.kind), fields }
}

/// Return the message with this number, and the number of equal messages before it in its channel.
fn by_number(at: &Configuration, channel: u32, message: u32) -> Option<(Message<Value>, usize)> {
    let mut before = Vec::new();
    for found in at.channel(channel) {
        let this = content(&found);
        if found.id == message {
            let nth = before.iter().filter(|other| **other == this).count();
            return Some((this, nth));
        }
        before.push(this);
    }
    None
}

fn by_position(at: &Configuration, channel: u32, position: u32) -> (Message<Value>, usize) {
    let found = at.channel(channel).nth(position as usize).and_then(|m| by_number(at, channel, m.id));
    found.expect("a message of the channel")
}

fn part(
    instance: &Instance,
    (at, event): (&Configuration, &Event),
    machine: &Machine,
    made: &[Choice],
) -> Part<Value> {
    // The schedule decides the waiting time and the alternative.
    let free = |taken| Choice { chance: false, options: usize::MAX, taken };
    let mut choices = vec![free(event.wait as usize), free(event.alternative as usize)];
    choices.extend(made);
    let process = event.process as usize;
    Part { process, action: action(instance, at, event, machine), choices, effects: Vec::new() }
}

fn action(instance: &Instance, at: &Configuration, event: &Event, machine: &Machine) -> Action<Value> {
    let of = |channel_: u32, position: u32| {
        let (message, nth) = by_position(at, channel_, position);
        (channel(instance, channel_), message, nth)
    };
    match event.cause {
        Cause::Start => Action::Start,
        Cause::Deliver { channel, position } => {
            let (channel, message, _) = of(channel, position);
            Action::Deliver(channel, message)
        }
        Cause::Gather => {
            let taken = |r: &Received| {
                by_number(at, r.channel, r.message).map(|(m, _)| (channel(instance, r.channel), m))
            };
            Action::Gather(machine.effects.received.iter().filter_map(taken).collect())
        }
        Cause::Round { .. } => Action::Round,
        Cause::Internal if instance.model.execution == ExecutionModel::Pairs => {
            Action::Interact(event.alternative as usize, 0)
        }
        Cause::Crash => Action::Crash,
        Cause::Restart => Action::Restart,
        Cause::Suspect { of } if at.crashed(of) => Action::Suspect(of as usize),
        Cause::Suspect { of } => Action::SuspectWrongly(of as usize),
        Cause::Trust { of } => Action::Trust(of as usize),
        Cause::Mislead => Action::Mislead,
        Cause::EndMislead => Action::SetRight,
        Cause::Lose { channel, position } => {
            let (channel, _, _) = of(channel, position);
            Action::Lose(channel, position as usize)
        }
        Cause::Duplicate { channel, position } => {
            let (channel, _, _) = of(channel, position);
            Action::Duplicate(channel, position as usize)
        }
        Cause::Cut { link } => Action::Cut(link as usize, 0),
        ref cause => Action::Alone(format!("{cause:?}")),
    }
}

fn effects(
    instance: &Instance,
    at: &Configuration,
    event: &Event,
    machine: &Machine,
    next: &Configuration,
) -> Vec<Effect<Value>> {
    let done = &machine.effects;
    let mut all = Vec::new();
    for (taken, lost) in done.received.iter().map(|r| (r, false)).chain(done.lost.iter().map(|r| (r, true))) {
        if let Some((message, nth)) = by_number(at, taken.channel, taken.message) {
            all.push(Effect::Taken { channel: channel(instance, taken.channel), message, nth, lost });
        }
    }
    for seen in &done.observations {
        let (of, arguments) = (seen.of.to_string(), seen.value.iter().cloned().collect());
        all.push(match seen.what {
            HistoryKind::Calls => Effect::Call { operation: of, arguments },
            HistoryKind::Returns => Effect::Return { operation: of, arguments },
            HistoryKind::Upcalls => Effect::Upcall { name: of, arguments },
        });
    }
    if let Cause::Duplicate { channel: doubled, position } = event.cause {
        let (message, nth) = by_position(at, doubled, position);
        all.push(Effect::Duplicated { channel: channel(instance, doubled), message, nth });
        return all;
    }
    let mut counted = machine.metrics.sent.clone();
    for sent in &done.sent {
        let channel = channel(instance, sent.channel);
        let kind = sent.kind as usize;
        let is_first = counted[kind] == machine.metrics.sent[kind];
        let is_counted = counted[kind] > 0 && (sent.from != sent.to || machine.metrics.to_self[kind] == 0);
        counted[kind] -= u64::from(is_counted);
        // Count all bits of a kind with its first message.
        let bits = if is_counted && is_first { machine.metrics.bits[kind] } else { 0 };
        let found = by_number(next, sent.channel, sent.message);
        let is_lost = found.is_none();
        let (message, nth) = found.unwrap_or_else(|| {
            (Message { layer: String::new(), name: kind_name(sent.kind), fields: Vec::new() }, 0)
        });
        all.push(Effect::Sent {
            channel: channel.clone(),
            message: message.clone(),
            bits,
            counted: is_counted,
        });
        if is_lost {
            all.push(Effect::Taken { channel, message, nth, lost: true });
        }
    }
    // *Radio*: a transmission counts, whether or not it reaches any process.
    for (kind, left) in (0u32..).zip(counted).filter(|(_, left)| *left > 0) {
        assert_eq!((left, instance.model.execution), (1, ExecutionModel::Rounds), "{event:?}");
        let process = event.process as usize;
        let air =
            Channel { from: process, to: process, link: usize::MAX, layer: String::new(), unordered: false };
        let message = Message { layer: String::new(), name: kind_name(kind), fields: Vec::new() };
        let bits = machine.metrics.bits[kind as usize];
        all.push(Effect::Sent { channel: air.clone(), message: message.clone(), bits, counted: true });
        all.push(Effect::Taken { channel: air, message, nth: 0, lost: true });
    }
    all
}
