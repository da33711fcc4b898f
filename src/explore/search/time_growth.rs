//! Unbounded time: cycles in the graph of configurations that lengthen a causal chain of messages.
//!
//! Time is the length of the longest causal chain, a maximum and not a sum. Counted along runs, it distinguishes infinitely
//! many configurations if some cycle sends messages, so that such a search is never complete. Whether time grows forever is
//! decided on the configurations without it. A *carrier* is a process or a message in transit; each has the length of a chain.
//! A cycle that returns to the same configuration maps the lengths `v` of its carriers to `A ⊗ v` in the max-plus algebra,
//! where `A[i][j]` is the number of messages that a chain gains on its path from carrier `i` to carrier `j`. Repeating the
//! cycle exceeds every limit if and only if the graph of `A` has a circuit of positive weight (Baccelli, Cohen, Olsder and
//! Quadrat, *Synchronization and Linearity*, 1992, chapter 3).
//!
//! The candidates are cycles found by breadth-first search, so the criterion is sufficient and not necessary: if no candidate
//! grows, nothing is decided. Its decisions are correct: a cycle counts only if its run has been replayed, returns to the same
//! configuration, and costs more time with each repetition, as the machine counts it.

use crate::explore::counterexample::path::{Last, Selection};
use crate::explore::initial_states::enumerate_initial_states;
use crate::explore::search::fair_cycle::recurrences;
use crate::explore::search::{Purpose, Search};
use crate::explore::space::Space;
use crate::explore::{Counterexample, ExploreOptions, Progress, SearchOrder, StopReason, ViolationKind};
use crate::ids::{ChannelId, MessageId, ProcessId, StateId};
use crate::instance::Instance;
use crate::ir::{Metric, Property};
use crate::property::{Judgement, Reason, Verdict, is_constant_upper_limit};
use crate::semantics::event::{Cause, Effects, Event};
use crate::semantics::{Configuration, Metrics};
use crate::simulate::{Observer, Unobserved, replay};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Limit of configurations in the search for cycles. It decides only that time grows, and cycles that show it are near the
/// beginning.
const MOST_CONFIGURATIONS: u64 = 100_000;

/// Limit of cycles that are tried.
const MOST_CYCLES: usize = 200;

/// Limit on the events of a run that repeats a cycle.
const LONGEST: usize = 5_000;

/// Repetitions after which a cycle is expected to return to the very same configuration, if the first one does so only up to a
/// reduction.
const MOST_TURNS: usize = 16;

/// Return whether the property is a constant upper limit on time. Only such limits are exceeded by every run that grows
/// forever.
pub fn may_outgrow(instance: &Instance, property: &Property) -> bool {
    let bound = property.bound.as_ref();
    bound.is_some_and(|b| b.metric == Metric::Time && is_constant_upper_limit(b, &instance.program))
}

/// Return the verdict and the run for each of these bounds on time that a cycle exceeds. Empty: nothing is decided.
pub fn outgrown(
    instance: &Instance,
    names: &[String],
    options: &ExploreOptions,
    watch: &mut dyn FnMut(&Progress) -> Option<StopReason>,
) -> Vec<(Verdict, Counterexample)> {
    // Every run of the graph must be a run of the system: no reductions.
    let options = &ExploreOptions {
        order: SearchOrder::Breadth,
        reduce: false,
        symmetry: false,
        view: false,
        dead_messages: false,
        forget_wakeups: false,
        keep_going: true,
        max_configurations: MOST_CONFIGURATIONS.min(options.max_configurations),
        ..*options
    };
    let Ok((started, first, None)) =
        enumerate_initial_states(instance, (true, &instance.stop), options, watch)
    else {
        return Vec::new();
    };
    let monitor = crate::explore::search::Monitor::new(instance, Some(&[]), options, &first.configuration);
    let space = Space::new(&monitor, first.configuration.clone(), options, None, None);
    let mut search = Search::new(&space, &monitor, &started, options, Purpose::General);
    search.graph = Some(space.graph());
    search.begin(watch);
    search.run(watch);
    if !matches!(search.cut, None | Some(StopReason::Configurations | StopReason::Depth)) {
        return Vec::new();
    }
    let Some(growth) = search.growing_cycle() else { return Vec::new() };
    let properties = instance.program.properties.iter().enumerate().filter(|(_, p)| names.contains(&p.name));
    properties
        .filter_map(|(number, property)| {
            let limit = &property.bound.as_ref()?.limit;
            let allowed = monitor.limit(&[(1, limit)], true, &first.configuration).ok()?;
            let (events, time) = search.repeated(&growth, allowed)?;
            let outgrows = i64::from(time) <= allowed;
            let why = match outgrows {
                true => Reason::ChainGrows(growth.gain),
                false => Reason::ChainOutgrows(time, allowed, growth.gain),
            };
            let found = Counterexample {
                has_positive_cycle: outgrows,
                ..Counterexample::new(ViolationKind::Property(number), events)
            };
            Some((Verdict::new(property, Judgement::Violated, why), found))
        })
        .collect()
}

/// A cycle that lengthens a causal chain with each repetition.
struct Growth {
    /// The number of the start with which the run begins.
    start: usize,
    /// Configurations from the first to the one where the cycle begins.
    way: Vec<StateId>,
    /// Configurations of the cycle after the first, which is the last of them again.
    cycle: Vec<StateId>,
    /// Messages that the longest chain gains in `turns` repetitions, at least one.
    gain: u32,
}

impl Search<'_> {
    /// Find a reachable cycle that lengthens a chain, as near to the beginning as possible.
    fn growing_cycle(&mut self) -> Option<Growth> {
        let graph = self.graph.take()?;
        let components = graph.components(&self.first_states(), &|_| true);
        let mut tried = 0;
        let mut growth = None;
        'all: for component in components.iter().rev().filter(|component| component.cyclic) {
            let inside: FxHashSet<StateId> = component.members.iter().copied().collect();
            let mut covered: FxHashSet<(StateId, StateId)> = FxHashSet::default();
            let mut members = component.members.to_vec();
            members.sort_unstable();
            for from in members {
                for (to, _) in graph.edges(from).iter().filter(|(to, _)| inside.contains(to)) {
                    if covered.contains(&(from, *to)) {
                        continue;
                    }
                    if tried == MOST_CYCLES || self.is_stopped() {
                        break 'all;
                    }
                    tried += 1;
                    let back =
                        graph.shortest_path(&[*to], &|state| inside.contains(&state), &|state| state == from);
                    let Some(cycle) = back else { continue };
                    covered.insert((from, *to));
                    covered.extend(cycle.windows(2).map(|pair| (pair[0], pair[1])));
                    growth = self.growth(from, cycle);
                    if growth.is_some() {
                        break 'all;
                    }
                }
            }
        }
        self.graph = Some(graph);
        growth
    }

    /// Return the growth of causal chains when the cycle is repeated. `None`: they do not grow, or growth could not be shown.
    fn growth(&mut self, from: StateId, cycle: Vec<StateId>) -> Option<Growth> {
        let way = self.way_to(from);
        let first = *way.first()?;
        let start = self.initial.iter().find(|(state, _)| *state == first)?.1;
        let before = way.len() - 1;
        let mut states = way.clone();
        states.extend(&cycle);
        let starts = self.started.length(start);
        for _ in 0..MOST_TURNS {
            let (events, through) = self.events(start, &states, &Last::None, Selection::First).ok()?;
            if let Some((begin, end)) = recurrences(&through, before, cycle.len()).next() {
                let (begin, end) = (starts + begin, starts + end);
                let is_growing = self.chains(&events[..end], begin)?.grow();
                let found = Growth { start, way, cycle, gain: 1 };
                return if is_growing { self.confirmed(found) } else { None };
            }
            if states.len() + cycle.len() > LONGEST {
                return None;
            }
            states.extend(&cycle);
        }
        None
    }

    /// Return the gains of a cycle that extends from event `begin` to the last of these.
    fn chains(&self, events: &[Event], begin: usize) -> Option<Chains> {
        let instance = self.monitor.instance;
        let mut chains = Chains { begin, taken: 0, ..Chains::default() };
        let mut configuration = Configuration::initial(instance);
        if begin == 0 {
            chains.begin_cycle(&configuration, instance);
        }
        replay(instance, &mut configuration, events, &mut chains).ok()?;
        chains.end_cycle(&configuration, instance);
        Some(chains)
    }

    /// Return the growth with its gain, as the machine counts time. `None`: the machine disagrees.
    fn confirmed(&mut self, growth: Growth) -> Option<Growth> {
        // A circuit of carriers has at most this many edges, one for each repetition.
        let turns = self.monitor.instance.n() as usize + growth.cycle.len();
        let times =
            [1, 1 + turns, 1 + 2 * turns].map(|turns| self.turned(&growth, turns).map(|(_, time)| time));
        let [Some(first), Some(second), Some(third)] = times else { return None };
        let gains = (second.checked_sub(first)?, third.checked_sub(second)?);
        if gains.0 == 0 || gains.1 == 0 {
            return None;
        }
        let gain = gains.1.div_ceil(u32::try_from(turns).ok()?);
        Some(Growth { gain, ..growth })
    }

    /// Return a run that repeats the cycle `turns` times, and its time. `None`: it would be longer than [`LONGEST`].
    fn turned(&mut self, growth: &Growth, turns: usize) -> Option<(Vec<Event>, u32)> {
        let mut states = growth.way.clone();
        if states.len() + turns.saturating_mul(growth.cycle.len()) > LONGEST {
            return None;
        }
        (0..turns).for_each(|_| states.extend(&growth.cycle));
        let (events, _) = self.events(growth.start, &states, &Last::None, Selection::First).ok()?;
        let instance = self.monitor.instance;
        let metrics =
            replay(instance, &mut Configuration::initial(instance), &events, &mut Unobserved).ok()?;
        Some((events, metrics.time))
    }

    /// Return the run that repeats the cycle until time exceeds the limit, or the run has its maximum length.
    fn repeated(&mut self, growth: &Growth, allowed: i64) -> Option<(Vec<Event>, u32)> {
        let most = (LONGEST - growth.way.len()) / growth.cycle.len().max(1);
        let mut turns = 1;
        loop {
            let (events, time) = self.turned(growth, turns)?;
            if i64::from(time) > allowed || turns == most {
                return Some((events, time));
            }
            turns = (2 * turns).min(most);
        }
    }
}

/// Gains by source: for each carrier at the beginning of the cycle from which a chain leads here, the number of messages
/// gained.
type Gains = BTreeMap<usize, u32>;

/// A carrier in a configuration: a process, or one of several equal messages in a channel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Carrier {
    Process(ProcessId),
    Message { channel: ChannelId, content: String, nth: usize },
}

/// An observer that follows chains through a cycle.
#[derive(Default)]
struct Chains {
    /// The event with which the cycle begins, and the number of events so far.
    begin: usize,
    taken: usize,
    processes: Vec<Gains>,
    messages: FxHashMap<MessageId, Gains>,
    carriers: Vec<Carrier>,
    /// `A`: from each carrier, the gain of a chain on its path to another.
    gains: Vec<(usize, usize, u32)>,
}

impl Chains {
    fn begin_cycle(&mut self, configuration: &Configuration, instance: &Instance) {
        let gains = |carrier: usize| Gains::from([(carrier, 0)]);
        for process in instance.processes() {
            self.processes.push(gains(self.carriers.len()));
            self.carriers.push(Carrier::Process(process));
        }
        for (carrier, message) in in_transit(configuration) {
            self.messages.insert(message, gains(self.carriers.len()));
            self.carriers.push(carrier);
        }
    }

    fn end_cycle(&mut self, configuration: &Configuration, instance: &Instance) {
        let numbers: FxHashMap<&Carrier, usize> = self.carriers.iter().zip(0..).collect();
        let processes = instance.processes().map(Carrier::Process).zip(&self.processes);
        let messages = in_transit(configuration)
            .into_iter()
            .filter_map(|(carrier, message)| Some((carrier, self.messages.get(&message)?)));
        let mut all = Vec::new();
        for (carrier, gains) in processes.chain(messages) {
            if let Some(to) = numbers.get(&carrier) {
                all.extend(gains.iter().map(|(from, gain)| (*from, *to, *gain)));
            }
        }
        self.gains = all;
    }

    /// Return whether the graph of the gains has a circuit of positive weight. Then an edge with a gain leads to where its
    /// source can be reached.
    fn grow(&self) -> bool {
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); self.carriers.len()];
        self.gains.iter().for_each(|(from, to, _)| next[*from].push(*to));
        let leads_back = |from: usize, to: usize| {
            let mut met = vec![false; next.len()];
            let mut open = vec![to];
            while let Some(at) = open.pop() {
                if !std::mem::replace(&mut met[at], true) {
                    open.extend(&next[at]);
                }
            }
            met[from]
        };
        self.gains.iter().any(|(from, to, gain)| *gain > 0 && leads_back(*from, *to))
    }
}

impl Observer for Chains {
    fn after(
        &mut self,
        instance: &Instance,
        event: &Event,
        effects: &Effects,
        configuration: &Configuration,
        _: &Metrics,
    ) -> bool {
        if self.taken >= self.begin {
            let arrived = effects.received.iter().chain(&effects.arrived);
            let mut own = std::mem::take(&mut self.processes[event.process.index()]);
            for message in arrived {
                let chain = self.messages.get(&message.message).cloned().unwrap_or_default();
                join(&mut own, &chain, 0);
            }
            effects.received.iter().chain(&effects.lost).for_each(|m| drop(self.messages.remove(&m.message)));
            for sent in &effects.sent {
                let mut chain = Gains::new();
                match effects.copied.and_then(|copied| self.messages.get(&copied)) {
                    Some(copied) if matches!(event.cause, Cause::Duplicate { .. }) => {
                        join(&mut chain, copied, 0)
                    }
                    _ => join(&mut chain, &own, 1),
                }
                self.messages.insert(sent.message, chain);
            }
            self.processes[event.process.index()] = own;
        }
        self.taken += 1;
        if self.taken == self.begin {
            self.begin_cycle(configuration, instance);
        }
        true
    }
}

fn join(own: &mut Gains, other: &Gains, more: u32) {
    for (carrier, gain) in other {
        let known = own.entry(*carrier).or_insert(0);
        *known = (*known).max(gain + more);
    }
}

/// Return the messages in transit, with their numbers. Equal messages in a channel are distinguished by their order.
fn in_transit(configuration: &Configuration) -> Vec<(Carrier, MessageId)> {
    let mut all = Vec::new();
    for channel in configuration.busy_channels() {
        let mut same: FxHashMap<String, usize> = FxHashMap::default();
        for message in configuration.channel(channel) {
            let content = format!("{} {:?} {:?}", message.kind, message.words, message.values);
            let nth = same.entry(content.clone()).or_insert(0);
            all.push((Carrier::Message { channel, content, nth: *nth }, message.id));
            *nth += 1;
        }
    }
    all
}
