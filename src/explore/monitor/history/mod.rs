//! The part of the history that can still matter. A property of the history holds for a run and everything that may follow it;
//! most events have no influence on that soon after they have occurred. This module finds the events that a monitor must keep, so
//! that equal configurations with equivalent histories are one configuration (docs/design/history.md).
//!
//! Literature: K. Havelund and G. Roşu, *Synthesizing Monitors for Safety Properties* (TACAS 2002): the residual of a past-time
//! formula; S. Meldal, S. Sankar and J. Vera, *Exploiting Locality in Maintaining Potential Causality* (PODC 1991): timestamps
//! restricted to the events whose order is asked for.

mod formula;
mod sentence;
mod choices;
mod packed;

pub use packed::Packed;

use crate::explore::monitor::history::choices::{is_open, may_be_needed};
use crate::explore::monitor::history::formula::{
    Denoted, Evaluation, EventCounts, EventKind, Ranges, is_call, kind_of,
};
use crate::explore::monitor::history::sentence::{EventReads, Sentence, sentences};
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::{HistoryKind, Op, Property};
use crate::semantics::eval::{self, World};
use crate::semantics::event::Observation;
use crate::semantics::history::Entry;
use crate::semantics::{Configuration, History, Metrics};
use std::sync::Arc;

/// For each process, the number of its events that precede something. Only events that can be causes count.
pub type Clock = Arc<[u32]>;

/// Finds the relevant part of a history for some properties.
#[derive(Debug)]
pub struct RelevantHistory<'i> {
    instance: &'i Instance,
    /// Any configuration. The properties do not read it.
    configuration: Configuration,
    sentences: Vec<Sentence>,
    reads: EventReads,
    /// The kinds over which variables range, with the processes at which events of these kinds may occur.
    kinds: Vec<(EventKind, Vec<ProcessId>)>,
}

/// The relevant events of a history, in a normal form: independent of the order of events whose order does not matter.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    pub entries: Vec<Entry>,
    /// Numbers of events so far, for the kinds of events whose number a property reads.
    counts: EventCounts,
    /// By process: the calls that precede its next call in the order of multicasts. Empty if no property reads this order.
    multicasts: Vec<Clock>,
}

impl Kept {
    /// Return the numbers of events so far, for the kinds of events whose number a property reads.
    pub fn counts(&self) -> &EventCounts {
        &self.counts
    }

    /// Return, by process, the calls that precede its next call in the order of multicasts. Empty if no property reads this order.
    pub fn multicasts(&self) -> &[Clock] {
        &self.multicasts
    }

    /// Return the history after a renumbering of processes. The order of the events is the same.
    pub fn exchanged(&self, to: &[ProcessId]) -> Kept {
        let entries = self.entries.iter().map(|entry| Entry {
            process: to[entry.process.index()],
            time: exchanged(&entry.time, to),
            multicasts: entry.multicasts.as_ref().map(|clock| exchanged(clock, to)),
            ..entry.clone()
        });
        let counts =
            self.counts.iter().map(|((process, kind), count)| ((to[process.index()], *kind), *count));
        let mut multicasts = self.multicasts.clone();
        for (clock, to_process) in self.multicasts.iter().zip(to) {
            multicasts[to_process.index()] = exchanged(clock, to);
        }
        Kept { entries: entries.collect(), counts: counts.collect(), multicasts }
    }
}

/// Return a clock after a renumbering of processes.
pub fn exchanged<T: From<Vec<u32>>>(clock: &[u32], to: &[ProcessId]) -> T {
    let mut next = clock.to_vec();
    clock.iter().zip(to).for_each(|(number, to)| next[to.index()] = *number);
    next.into()
}

/// A history after a step.
#[derive(Debug)]
pub struct Extended {
    pub history: Kept,
    /// `None` if causes keep their numbers.
    pub renumbering: Option<Renumbering>,
    /// Whether all properties hold if they held before the step. `false` is no proof that one is violated.
    pub holds: bool,
}

/// Renumbering of events: by process, for each number of its former causes, the number of those that are kept.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Renumbering(Vec<Box<[u32]>>);

impl Renumbering {
    /// Renumber the causes in a clock.
    pub fn apply(&self, clock: &mut [u32]) {
        for (number, kept) in clock.iter_mut().zip(&self.0) {
            *number = kept[*number as usize];
        }
    }

    fn applied(&self, clock: &Clock) -> Clock {
        let mut clock = clock.to_vec();
        self.apply(&mut clock);
        clock.into()
    }
}

impl<'i> RelevantHistory<'i> {
    /// Return `None` if some of the properties has a form for which the relevant events are unknown.
    pub fn of<'p>(
        instance: &'i Instance,
        properties: impl Iterator<Item = &'p Property>,
        configuration: &Configuration,
    ) -> Option<RelevantHistory<'i>> {
        let mut reads = EventReads::default();
        let mut all = Vec::new();
        for property in properties {
            if !property.binders.is_empty() || property.consequent.is_some() || property.bound.is_some() {
                return None;
            }
            all.extend(sentences(&property.body, &instance.program, &mut reads)?);
        }
        let may_occur = |process: &ProcessId, kind: &EventKind| {
            let code = &instance.program.roles[instance.role_of(*process)].code;
            code.iter().any(|op| match op {
                Op::Observe { what, of, .. } => EventKind { what: *what, of: *of } == *kind,
                _ => false,
            })
        };
        let processes_of = |kind: &EventKind| instance.processes().filter(|p| may_occur(p, kind)).collect();
        let kinds = reads.kinds.iter().map(|kind| (*kind, processes_of(kind))).collect();
        Some(RelevantHistory { instance, configuration: configuration.clone(), sentences: all, reads, kinds })
    }

    /// Return the history before all events.
    pub fn empty(&self) -> Kept {
        let n = self.instance.n() as usize;
        let clock: Clock = vec![0; n].into();
        let multicasts = if self.reads.multicasts { vec![clock; n] } else { Vec::new() };
        Kept { multicasts, ..Kept::default() }
    }

    /// Return whether some property depends on events like this one.
    pub fn is_relevant(&self, observation: &Observation) -> bool {
        let kind = EventKind { what: observation.what, of: observation.of };
        self.reads.kinds.contains(&kind) || self.reads.multicasts
    }

    /// Return whether clocks count events like this one.
    pub fn is_cause(&self, observation: &Observation) -> bool {
        self.reads.causes.contains(&EventKind { what: observation.what, of: observation.of })
    }

    /// Return whether the entry of an event like this one contains a clock.
    pub fn reads_past(&self, observation: &Observation) -> bool {
        let kind = EventKind { what: observation.what, of: observation.of };
        self.reads.effects.contains(&kind) || self.reads.causes.contains(&kind)
    }

    /// Extend a history by the events of a step of a process, whose causes are counted by `clock`, those of this step included. Then
    /// drop all events that have become irrelevant.
    pub fn extend(
        &self,
        mut all: Kept,
        process: ProcessId,
        observations: &[Observation],
        clock: &[u32],
    ) -> Extended {
        for observation in observations {
            let kind = EventKind { what: observation.what, of: observation.of };
            let nth = all.counts.entry((process, kind)).or_insert(0);
            *nth += 1;
            let mut entry = Entry::new(
                process,
                kind.what,
                kind.of,
                *nth,
                observation.value.clone(),
                self.clock_of(process, kind, clock),
            );
            if let Some(own) = all.multicasts.get_mut(process.index()) {
                *own = multicast_clock(process, own, &entry, &all.entries);
                entry.multicasts = Some(own.clone()).filter(|_| is_call(&entry));
            }
            all.entries.push(entry);
        }
        all.counts.retain(|(_, kind), _| self.reads.numbers.contains(kind));
        let history = History::of(all.entries);
        let (kept, holds) = self.relevant(&history, &all.counts, &all.multicasts, observations.len());
        let entries = history.entries();
        let count = |is_counted: &dyn Fn(&Entry) -> bool| self.renumbering(entries, &kept, is_counted);
        let causes = count(&|entry| self.reads.causes.contains(&kind_of(entry)));
        let calls = if self.reads.multicasts { count(&is_call) } else { None };
        let entries = history.into_entries().into_iter();
        let own = entries.zip(kept).filter(|(_, kept)| *kept).map(|(mut entry, _)| {
            self.strip(&mut entry);
            if let Some(causes) = &causes {
                entry.time = causes.applied(&entry.time);
            }
            if let Some(calls) = &calls {
                entry.multicasts = entry.multicasts.map(|clock| calls.applied(&clock));
            }
            entry
        });
        let mut entries: Vec<Entry> = own.collect();
        self.reduce_numbers(&mut entries, &mut all.counts);
        let entries = self.in_normal_order(entries);
        if let Some(calls) = &calls {
            all.multicasts.iter_mut().for_each(|clock| *clock = calls.applied(clock));
        }
        let history = Kept { entries, counts: all.counts, multicasts: all.multicasts };
        Extended { history, renumbering: causes, holds }
    }

    /// Return the history after a renumbering of processes.
    pub fn exchanged(&self, kept: &Kept, to: &[ProcessId]) -> Kept {
        let Kept { entries, counts, multicasts } = kept.exchanged(to);
        Kept { entries: self.in_normal_order(entries), counts, multicasts }
    }

    /// Return the clock of an event, as far as a property may read it.
    fn clock_of(&self, process: ProcessId, kind: EventKind, clock: &[u32]) -> Clock {
        if self.reads.effects.contains(&kind) {
            return clock.into();
        }
        let mut own = vec![0; clock.len()];
        if self.reads.causes.contains(&kind) {
            own[process.index()] = clock[process.index()];
        }
        own.into()
    }

    /// Remove what no property reads of an event after its step.
    fn strip(&self, entry: &mut Entry) {
        let kind = kind_of(entry);
        // A later upcall identifies a call by its value.
        let is_delivered_later = self.reads.multicasts && is_call(entry);
        if !self.reads.values.contains(&kind) && !is_delivered_later {
            entry.value = None;
        }
        if !self.reads.numbers.contains(&kind) {
            entry.nth = 1;
        }
    }

    /// If the numbers of events of one process matter only relative to one another, reduce them by the same amount, as far as possible:
    /// histories that differ only in this are equivalent.
    fn reduce_numbers(&self, entries: &mut [Entry], counts: &mut EventCounts) {
        if self.reads.absolute_numbers || self.reads.numbers.is_empty() {
            return;
        }
        let is_numbered = |entry: &Entry| self.reads.numbers.contains(&kind_of(entry));
        for process in self.instance.processes() {
            let own = self
                .kinds
                .iter()
                .filter(|(kind, at)| self.reads.numbers.contains(kind) && at.contains(&process));
            let before = own
                .map(|(kind, _)| counts.get(&(process, *kind)).map_or(0, |count| *count))
                .min()
                .unwrap_or(0);
            let mut entries: Vec<&mut Entry> =
                entries.iter_mut().filter(|entry| entry.process == process && is_numbered(entry)).collect();
            let excess = entries.iter().map(|entry| entry.nth - 1).fold(before, u32::min);
            if excess > 0 {
                entries.iter_mut().for_each(|entry| entry.nth -= excess);
                counts
                    .iter_mut()
                    .filter(|((at, _), _)| *at == process)
                    .for_each(|(_, count)| *count -= excess);
            }
        }
        counts.retain(|_, count| *count > 0);
    }

    /// Return, by position, whether an event can still matter, and whether the last `new` events violate no sentence.
    ///
    /// An event matters if it belongs to some choice of the universally quantified events, future ones included, for which the
    /// sentence is not certainly true. Then events follow that choices of these events may need as witnesses, and calls that may
    /// still carry the order of multicasts to a process.
    fn relevant(
        &self,
        history: &History,
        counts: &EventCounts,
        multicasts: &[Clock],
        new: usize,
    ) -> (Vec<bool>, bool) {
        let metrics = Metrics::new(self.instance.program.kinds.len(), self.instance.program.operations.len());
        let world = World { configuration: &self.configuration, metrics: &metrics, history };
        let count = history.entries().len();
        let ranges = Ranges::new(self.instance.n() as usize, &self.kinds, history.entries(), counts);
        eval::with_global_frame(self.instance, Some(world), |env| {
            let all = vec![true; count];
            let mut evaluation = Evaluation { history, ranges: &ranges, env, denoted: Vec::new(), kept: all };
            let mut kept = vec![false; count];
            for sentence in &self.sentences {
                for event in 0..count {
                    if !kept[event] && is_open(sentence, event, true, &mut evaluation) {
                        let chosen = &evaluation.denoted[..sentence.universals.len()];
                        chosen.iter().filter_map(Denoted::past).for_each(|at| kept[at] = true);
                    }
                }
            }
            let is_violated = (count - new..count)
                .any(|event| self.sentences.iter().any(|own| is_open(own, event, false, &mut evaluation)));
            loop {
                let before = kept.clone();
                for event in (0..count).filter(|event| !before[*event]) {
                    kept[event] = (self.sentences.iter())
                        .any(|sentence| may_be_needed(sentence, event, &before, &mut evaluation));
                }
                add_carriers(history.entries(), multicasts, &mut kept);
                if kept == before {
                    return (kept, !is_violated);
                }
            }
        })
    }

    /// Return how the counted events are renumbered if those that are not kept are dropped. `None`: all of them are kept.
    fn renumbering(
        &self,
        entries: &[Entry],
        kept: &[bool],
        is_counted: &dyn Fn(&Entry) -> bool,
    ) -> Option<Renumbering> {
        let counted = || entries.iter().zip(kept).filter(|(entry, _)| is_counted(entry));
        if counted().all(|(_, kept)| *kept) {
            return None;
        }
        let mut tables = vec![vec![0]; self.instance.n() as usize];
        for (entry, kept) in counted() {
            let table = &mut tables[entry.process.index()];
            let before = table[table.len() - 1];
            table.push(before + u32::from(*kept));
        }
        Some(Renumbering(tables.into_iter().map(Vec::into_boxed_slice).collect()))
    }

    /// Sort events: those of one process, and of kinds whose order matters, keep their order; otherwise the event with the lowest
    /// process comes first. Equivalent orders have one result (the lexicographic normal form of a trace: A. Mazurkiewicz, *Trace
    /// Theory*, 1987).
    fn in_normal_order(&self, mut entries: Vec<Entry>) -> Vec<Entry> {
        let is_ordered = |entry: &&Entry| {
            let kind = kind_of(entry);
            self.reads.ordered.iter().any(|(first, _)| *first == kind)
        };
        if entries.iter().filter(is_ordered).count() < 2 {
            // A stable sort.
            entries.sort_by_key(|entry| entry.process);
            return entries;
        }
        let depends = |a: &Entry, b: &Entry| {
            a.process == b.process || self.reads.ordered.contains(&(kind_of(a), kind_of(b)))
        };
        let mut sorted = Vec::with_capacity(entries.len());
        while !entries.is_empty() {
            let is_first = |at: &usize| !entries[..*at].iter().any(|before| depends(before, &entries[*at]));
            let least = (0..entries.len()).filter(is_first).min_by_key(|at| entries[*at].process);
            sorted.push(entries.remove(least.unwrap_or(0)));
        }
        sorted
    }
}

/// Return the clock of a process, in the order of multicasts, after an event.
fn multicast_clock(process: ProcessId, own: &Clock, event: &Entry, before: &[Entry]) -> Clock {
    let mut clock = own.to_vec();
    if is_call(event) {
        clock[process.index()] =
            1 + before.iter().filter(|e| is_call(e) && e.process == process).count() as u32;
    } else if event.what == HistoryKind::Upcalls {
        let delivered = before.iter().filter(|call| call.value.is_some() && call.value == event.value);
        for call in delivered.filter_map(|call| call.multicasts.as_ref()) {
            clock.iter_mut().zip(call.iter()).for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
        }
    }
    clock.into()
}

/// Keep the calls whose delivery may tell a process of a kept call that precedes them.
fn add_carriers(entries: &[Entry], multicasts: &[Clock], kept: &mut [bool]) {
    let is_untold = |of: ProcessId, number: u32| multicasts.iter().any(|clock| clock[of.index()] < number);
    for (at, entry) in entries.iter().enumerate() {
        let Some(clock) = entry.multicasts.as_ref().filter(|_| !kept[at]) else { continue };
        let precedes = |(a, call): (usize, &Entry)| {
            let number = call.multicasts.as_ref().map_or(0, |own| own[call.process.index()]);
            kept[a] && number > 0 && number <= clock[call.process.index()] && is_untold(call.process, number)
        };
        let carries = entries.iter().enumerate().any(precedes);
        kept[at] = carries;
    }
}
