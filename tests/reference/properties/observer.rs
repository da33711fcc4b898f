//! The cost and the history of runs: the product of the graph with an observer.
//!
//! *Properties* (measures) and *History*. Observations are no part of a configuration: the product is built only for a property that needs
//! it.

use crate::memory;
use crate::specification::graph::{Action, Channel, Edge, Effect, Graph, Message, Part, Target};
use std::collections::{BTreeMap, BTreeSet};

/// A measure that is a sum over steps. «`M` is a message, of whatever layer; or one of one layer, `L.M`; or a layer»: the names as written,
/// empty for all messages.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Count {
    Messages(Vec<String>),
    MessagesToSelf(Vec<String>),
    Bits(Vec<String>),
    /// Rounds that have ended. «Where a synchronizer makes them: at the process that has ended most.»
    Rounds,
    /// Completed calls of an operation.
    Returns(String),
}

/// The quantities that an observer records.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    pub counts: BTreeSet<Count>,
    /// The longest causal chain of messages: `time`.
    pub time: bool,
    pub history: bool,
    /// *History*: the number of notes of the application, which any process may send to any other at any time.
    pub notes: usize,
    /// The processes that are down, by configuration of the graph. «A crashed process sends and receives no notes.»
    pub down: BTreeSet<(usize, usize)>,
    /// The cap on counters: all greater numbers are stored as this number plus 1.
    pub most: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    Call,
    Return,
    Upcall,
}

/// An event of the history.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Event<V> {
    pub process: usize,
    pub what: What,
    pub of: String,
    /// «1, 2, … for each process and kind»
    pub nth: i64,
    /// «the first argument; of a return `none`»
    pub value: Option<V>,
    /// The events that happened before it, by position in the history.
    pub past: BTreeSet<usize>,
}

/// The observations of a run so far.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seen<V> {
    pub counts: BTreeMap<Count, u64>,
    pub time: u64,
    pub events: Vec<Event<V>>,
    /// *Reading neighbours*: the processes whose move the current round still awaits.
    awaited: BTreeSet<usize>,
    /// *Rounds that a synchronizer makes*: the rounds that have ended at each process.
    rounds: BTreeMap<usize, u64>,
    /// The notes that may still be sent.
    notes_left: usize,
    /// The notes in transit: sender, receiver, and causal past; the oldest first.
    notes: Vec<(usize, usize, Stamp)>,
    /// The causal past of each process.
    processes: Vec<Stamp>,
    /// The messages in transit, the oldest of each channel first, with the causal pasts of their senders.
    in_transit: BTreeMap<Channel, Vec<(Message<V>, Stamp)>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Stamp {
    /// The length of the longest causal chain of messages that ends here.
    depth: u64,
    /// The causal past: events of the history.
    past: BTreeSet<usize>,
}

impl Stamp {
    fn join(&mut self, other: &Stamp) {
        self.depth = self.depth.max(other.depth);
        self.past.extend(&other.past);
    }
}

/// A configuration of the graph, by number, with the observations of the run so far.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment<V> {
    pub at: usize,
    pub seen: Seen<V>,
}

/// Error: the product is too large to explore exhaustively.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// Return the product of the graph with the observer.
///
/// # Errors
/// Return an error if the product has more than `most` configurations.
pub fn observe<C, V: Clone + Ord>(
    graph: &Graph<C, V>,
    watch: &Watch,
    most: usize,
) -> Result<Graph<Moment<V>, V>, TooLarge> {
    let (product, is_whole) = observe_some(graph, watch, most);
    if is_whole { Ok(product) } else { Err(TooLarge) }
}

/// The greatest number of events in a history that is extended.
const MOST_EVENTS: usize = 24;

/// Return the product, or its configurations nearest to the initial ones if there are more than `most`, or histories grow too long; and
/// whether it is whole.
pub fn observe_some<C, V: Clone + Ord>(
    graph: &Graph<C, V>,
    watch: &Watch,
    most: usize,
) -> (Graph<Moment<V>, V>, bool) {
    let nothing = Seen::starting(watch, graph.processes);
    let mut product = Graph::empty(graph.processes, graph.pairs, graph.moves);
    let mut known = BTreeMap::new();
    let mut is_whole = true;
    let starts = graph.starts.iter().flat_map(|start| follow(graph, watch, &nothing, start));
    product.starts = starts.map(|(edge, seen)| number(edge, seen, &mut product, &mut known)).collect();
    while product.steps.len() < product.configurations.len() {
        let Moment { at, seen } = product.configurations[product.steps.len()].clone();
        if seen.events.len() > MOST_EVENTS {
            product.steps.push(Vec::new());
            is_whole = false;
            continue;
        }
        let all = graph.steps[at].iter().flat_map(|edge| follow(graph, watch, &seen, edge));
        let mut steps: Vec<_> =
            all.map(|(edge, seen)| number(edge, seen, &mut product, &mut known)).collect();
        let with_notes = seen.exchange_notes(&|process| watch.down.contains(&(at, process)));
        steps.extend(with_notes.into_iter().map(|seen| {
            let nothing = Edge { parts: Vec::new(), rounds: 0, target: Target::Configuration(at) };
            number(&nothing, seen, &mut product, &mut known)
        }));
        product.steps.push(steps);
        if product.configurations.len() > most || memory::is_exhausted() {
            product.steps.resize(product.configurations.len(), Vec::new());
            return (product, false);
        }
    }
    (product, is_whole)
}

/// Return the step with its target in the product.
fn number<V: Clone + Ord>(
    edge: &Edge<V>,
    seen: Seen<V>,
    product: &mut Graph<Moment<V>, V>,
    known: &mut BTreeMap<Moment<V>, usize>,
) -> Edge<V> {
    let Target::Configuration(at) = edge.target else { return edge.clone() };
    let moment = Moment { at, seen };
    let new = product.configurations.len();
    let number = *known.entry(moment.clone()).or_insert(new);
    if number == new {
        product.configurations.push(moment);
    }
    Edge { target: Target::Configuration(number), ..edge.clone() }
}

/// Return the possible observations after a step. In an unordered channel, the step may take any of several equal messages.
pub fn follow<'g, C, V: Clone + Ord>(
    graph: &Graph<C, V>,
    watch: &Watch,
    seen: &Seen<V>,
    edge: &'g Edge<V>,
) -> Vec<(&'g Edge<V>, Seen<V>)> {
    let mut seen = seen.clone();
    let rounds =
        if seen.counts.contains_key(&Count::Rounds) { seen.end_rounds(watch, graph, edge) } else { 0 };
    for (count, number) in &mut seen.counts {
        let more = if *count == Count::Rounds { rounds } else { count.of(edge) };
        *number = capped(watch, *number + more);
    }
    let mut all = vec![seen];
    if watch.time || watch.history {
        // The parts of a joint step are simultaneous: its messages were in transit before.
        let taken = |seen: Seen<V>| take_all(seen, edge);
        all = all.into_iter().flat_map(taken).collect();
        all.iter_mut().for_each(|seen| seen.happen(watch, edge));
    }
    all.into_iter().map(|seen| (edge, seen)).collect()
}

fn capped(watch: &Watch, number: u64) -> u64 {
    watch.most.map_or(number, |most| number.min(most.saturating_add(1)))
}

/// Remove the messages that a step takes or loses from their channels.
fn take_all<V: Clone + Ord>(seen: Seen<V>, edge: &Edge<V>) -> Vec<Seen<V>> {
    let mut all = vec![seen];
    for part in &edge.parts {
        for (place, effect) in part.effects.iter().enumerate() {
            if let Effect::Taken { channel, message, nth, lost } = effect
                && !is_lost_at_once(part, place.wrapping_sub(1))
            {
                let by = (!lost).then_some(part.process);
                all = all.into_iter().flat_map(|seen| seen.take(channel, message, *nth, by)).collect();
                // Equal messages with equal pasts are indistinguishable.
                all.sort();
                all.dedup();
            }
        }
    }
    all
}

impl Count {
    /// Return the increment of the measure in a step.
    fn of<V>(&self, edge: &Edge<V>) -> u64 {
        let effects = || edge.parts.iter().flat_map(|part| &part.effects);
        let sent = |is_to_self: bool, of: &[String], by: fn(u64) -> u64| -> u64 {
            let cost = |effect: &Effect<V>| match effect {
                // «Messages that a process sends to its own id are counted by `messages to self`, and by no other measure.»
                Effect::Sent { channel, message, bits, counted } if is_of(message, of) => {
                    let is_own = !counted && channel.from == channel.to;
                    let is_meant = match is_to_self {
                        true => is_own,
                        false => *counted,
                    };
                    if is_meant { by(*bits) } else { 0 }
                }
                _ => 0,
            };
            effects().map(cost).sum()
        };
        match self {
            Count::Messages(of) => sent(false, of, |_| 1),
            Count::MessagesToSelf(of) => sent(true, of, |_| 1),
            Count::Bits(of) => sent(false, of, |bits| bits),
            // Rounds are no sum over steps.
            Count::Rounds => 0,
            Count::Returns(name) => {
                let is_one = |effect: &&Effect<V>| matches!(effect, Effect::Return { operation, .. } if operation == name);
                effects().filter(is_one).count() as u64
            }
        }
    }
}

fn is_of<V>(message: &Message<V>, of: &[String]) -> bool {
    match of.split_last() {
        None => true,
        Some((name, [])) => message.name == *name || message.layer == *name,
        Some((name, layers)) => {
            message.layer == of.join(".") || message.name == *name && message.layer == layers.join(".")
        }
    }
}

impl<V: Clone + Ord> Seen<V> {
    /// Return the observations before the first step, with counters for these quantities.
    pub fn starting(watch: &Watch, processes: usize) -> Seen<V> {
        let counts = watch.counts.iter().map(|count| (count.clone(), 0)).collect();
        Seen { counts, notes_left: watch.notes, ..Seen::nothing(processes) }
    }

    /// Return the observations before the first step, without counters.
    pub fn nothing(processes: usize) -> Seen<V> {
        let processes = vec![Stamp::default(); processes];
        Seen {
            counts: BTreeMap::new(),
            time: 0,
            events: Vec::new(),
            awaited: BTreeSet::new(),
            rounds: BTreeMap::new(),
            notes_left: 0,
            notes: Vec::new(),
            processes,
            in_transit: BTreeMap::new(),
        }
    }

    /// Return the observations after a note is sent, or arrives. Between two processes, notes arrive in the order of sending.
    fn exchange_notes(&self, is_down: &dyn Fn(usize) -> bool) -> Vec<Seen<V>> {
        let mut all = Vec::new();
        let n = self.processes.len();
        for (from, to) in
            (0..n).flat_map(|from| (0..n).map(move |to| (from, to))).filter(|(from, to)| from != to)
        {
            if self.notes_left > 0 && !is_down(from) {
                let mut sent = self.clone();
                sent.notes_left -= 1;
                sent.notes.push((from, to, Stamp { depth: 0, ..self.processes[from].clone() }));
                all.push(sent);
            }
            let oldest = self.notes.iter().position(|(f, t, _)| (*f, *t) == (from, to));
            if let Some(place) = oldest.filter(|_| !is_down(to)) {
                let mut arrived = self.clone();
                let (_, _, stamp) = arrived.notes.remove(place);
                arrived.processes[to].join(&stamp);
                all.push(arrived);
            }
        }
        all
    }

    /// Return the number of rounds that end with a step.
    fn end_rounds<C>(&mut self, watch: &Watch, graph: &Graph<C, V>, edge: &Edge<V>) -> u64 {
        if graph.moves {
            return u64::from(self.end_round_of_moves(graph, edge));
        }
        let most = |rounds: &BTreeMap<usize, u64>| rounds.values().copied().max().unwrap_or(0);
        let before = most(&self.rounds);
        for part in &edge.parts {
            let ended = part.effects.iter().filter(|effect| **effect == Effect::RoundEnded);
            let rounds = self.rounds.entry(part.process).or_default();
            *rounds = capped(watch, *rounds + ended.count() as u64);
        }
        edge.rounds + most(&self.rounds) - before
    }

    /// «A round is over when everybody who was enabled at its beginning has moved, or has been disabled by others.»
    fn end_round_of_moves<C>(&mut self, graph: &Graph<C, V>, edge: &Edge<V>) -> bool {
        let Some(to) = edge.to() else { return false };
        let is_move = |part: &&Part<V>| matches!(part.action, Action::Alone(_) | Action::Interact(..));
        let moving = |edge: &Edge<V>| -> BTreeSet<usize> {
            edge.parts.iter().filter(is_move).map(|part| part.process).collect()
        };
        let enabled: BTreeSet<usize> = graph.steps[to].iter().flat_map(moving).collect();
        let has_begun = !self.awaited.is_empty();
        let moved = moving(edge);
        self.awaited.retain(|process| enabled.contains(process) && !moved.contains(process));
        if !self.awaited.is_empty() {
            return false;
        }
        self.awaited = enabled;
        has_begun
    }

    /// Remove one of several equal messages from its channel; return one result for each of them.
    fn take(self, channel: &Channel, message: &Message<V>, nth: usize, by: Option<usize>) -> Vec<Seen<V>> {
        let there = self.in_transit.get(channel).into_iter().flatten().enumerate();
        let same: Vec<usize> = there.filter(|(_, (m, _))| m == message).map(|(place, _)| place).collect();
        let possible = match channel.unordered {
            true => same,
            false => same.get(nth).copied().into_iter().collect(),
        };
        assert!(!possible.is_empty(), "a message that is taken was sent: {channel:?}");
        let without = |place: usize| {
            let mut seen = self.clone();
            let (_, stamp) = seen.channel(channel).remove(place);
            if seen.channel(channel).is_empty() {
                seen.in_transit.remove(channel);
            }
            if let Some(process) = by {
                seen.processes[process].join(&stamp);
            }
            seen
        };
        possible.into_iter().map(without).collect()
    }

    fn channel(&mut self, channel: &Channel) -> &mut Vec<(Message<V>, Stamp)> {
        self.in_transit.entry(channel.clone()).or_default()
    }

    /// Append the events of a step to the history, then put its messages in transit.
    fn happen(&mut self, watch: &Watch, edge: &Edge<V>) {
        if watch.history {
            edge.parts
                .iter()
                .for_each(|part| part.effects.iter().for_each(|effect| self.record(part, effect)));
        }
        for part in &edge.parts {
            let mut stamp = self.processes[part.process].clone();
            stamp.depth = if watch.time { capped(watch, stamp.depth + 1) } else { 0 };
            for (place, effect) in part.effects.iter().enumerate() {
                match effect {
                    Effect::Sent { channel, message, .. } => {
                        self.time = self.time.max(stamp.depth);
                        if !is_lost_at_once(part, place) {
                            self.channel(channel).push((message.clone(), stamp.clone()));
                        }
                    }
                    Effect::Duplicated { channel, message, nth } => {
                        let there = self.channel(channel);
                        let mut same = (0..there.len()).filter(|place| there[*place].0 == *message);
                        if let Some(place) = same.nth(*nth) {
                            there.insert(place + 1, there[place].clone());
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn record(&mut self, part: &Part<V>, effect: &Effect<V>) {
        let (what, of, arguments) = match effect {
            Effect::Call { operation, arguments } => (What::Call, operation, arguments),
            Effect::Return { operation, arguments } => (What::Return, operation, arguments),
            Effect::Upcall { name, arguments } => (What::Upcall, name, arguments),
            _ => return,
        };
        let same = |event: &&Event<V>| (event.process, event.what, &event.of) == (part.process, what, of);
        let event = Event {
            process: part.process,
            what,
            of: of.clone(),
            nth: self.events.iter().filter(same).count() as i64 + 1,
            // «the first argument; of a return `none`»
            value: arguments.first().filter(|_| what != What::Return).cloned(),
            past: self.processes[part.process].past.clone(),
        };
        self.processes[part.process].past.insert(self.events.len());
        self.events.push(event);
    }

    /// «`a before b`: earlier in the run», by position in the history.
    pub fn before(&self, a: usize, b: usize) -> bool {
        a < b
    }

    /// «`a happened before b`: causally»
    pub fn happened_before(&self, a: usize, b: usize) -> bool {
        self.events[b].past.contains(&a)
    }

    /// «the process of `b` had multicast `a`, or delivered it, before it multicast `b`, directly or through others». An upcall delivers the
    /// calls with the same value.
    pub fn multicast_before(&self, a: usize, b: usize) -> bool {
        let directly = |a: usize, b: usize| {
            let had = |earlier: usize| {
                let event = &self.events[earlier];
                let delivers = event.what == What::Upcall
                    && event.value.is_some()
                    && event.value == self.events[a].value;
                event.process == self.events[b].process && (earlier == a || earlier > a && delivers)
            };
            self.events[b].what == What::Call && (0..b).any(had)
        };
        let mut reached = BTreeSet::from([a]);
        loop {
            let new: Vec<usize> = (0..self.events.len())
                .filter(|event| {
                    !reached.contains(event) && reached.iter().any(|before| directly(*before, *event))
                })
                .collect();
            if new.is_empty() {
                return a != b && reached.contains(&b);
            }
            reached.extend(new);
        }
    }
}

/// Test whether the message of this effect is lost in the same step, as on a failed link. It is never in transit then.
fn is_lost_at_once<V: Ord>(part: &Part<V>, place: usize) -> bool {
    let next = part.effects.get(place.wrapping_add(1));
    match (part.effects.get(place), next) {
        (
            Some(Effect::Sent { channel, message, .. }),
            Some(Effect::Taken { channel: c, message: m, lost: true, .. }),
        ) => channel == c && message == m,
        _ => false,
    }
}
