//! Calls, returns and upcalls at the problem's interface, with the causal order between them.

use super::event::{Cause, Effects, Event};
use crate::ir::Value;
use crate::syntax::ast::HistoryKind;
use rustc_hash::FxHashMap;

/// One observation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub process: u32,
    pub what: HistoryKind,
    /// Index into `Program::operations` or `Program::upcalls`.
    pub of: u16,
    /// 1 for the first of this kind at its process.
    pub nth: u32,
    pub value: Option<Value>,
    /// Vector time of the step it happened in (index: process).
    time: std::sync::Arc<[u32]>,
}

impl Entry {
    /// `time`: for each process how much of it had happened before this, itself included; any count that grows with
    /// each entry of the process will do.
    pub fn new(
        process: u32,
        what: HistoryKind,
        of: u16,
        nth: u32,
        value: Option<Value>,
        time: std::sync::Arc<[u32]>,
    ) -> Entry {
        Entry { process, what, of, nth, value, time }
    }
}

/// What has happened so far, in order. Kept only where a property asks: vector clocks cost n words a message.
#[derive(Clone, Debug, Default)]
pub struct History {
    entries: Vec<Entry>,
    /// By process.
    clocks: Vec<Vec<u32>>,
    /// Clocks of the messages under way, by number, and of notes in order of sending.
    messages: FxHashMap<u32, std::sync::Arc<[u32]>>,
    notes: Vec<(u32, u32, std::sync::Arc<[u32]>)>,
    counts: FxHashMap<(u32, u8, u16), u32>,
}

impl History {
    pub fn new(processes: u32) -> History {
        let n = processes as usize;
        History { clocks: vec![vec![0; n]; n], ..History::default() }
    }

    /// A history that is only looked at.
    pub fn of(entries: Vec<Entry>) -> History {
        History { entries, ..History::default() }
    }

    /// Takes note of a step.
    pub fn record(&mut self, event: &Event, effects: &Effects) {
        if let (Some(original), Some(copy)) = (effects.copied, effects.sent.first()) {
            // A copy is what it is a copy of.
            if let Some(time) = self.messages.get(&original).cloned() {
                self.messages.insert(copy.message, time);
            }
            return;
        }
        for lost in &effects.lost {
            self.messages.remove(&lost.message);
        }
        let own = event.process as usize;
        let mut clock = std::mem::take(&mut self.clocks[own]);
        for received in &effects.received {
            if let Some(time) = self.messages.remove(&received.message) {
                join(&mut clock, &time);
            }
        }
        if let Cause::ReceiveNote { from } = event.cause {
            let it = |n: &(u32, u32, _)| n.0 == from && n.1 == event.process;
            if let Some(i) = self.notes.iter().position(it) {
                join(&mut clock, &self.notes.remove(i).2);
            }
        }
        clock[own] += 1;
        let time: std::sync::Arc<[u32]> = clock.as_slice().into();
        self.clocks[own] = clock;
        for sent in &effects.sent {
            self.messages.insert(sent.message, time.clone());
        }
        if let Cause::SendNote { to } = event.cause {
            self.notes.push((event.process, to, time.clone()));
        }
        for observation in &effects.observations {
            let key = (event.process, observation.what as u8, observation.of);
            let nth = self.counts.entry(key).or_insert(0);
            *nth += 1;
            self.entries.push(Entry {
                process: event.process,
                what: observation.what,
                of: observation.of,
                nth: *nth,
                value: observation.value.clone(),
                time: time.clone(),
            });
        }
    }

    /// In the order in which they happened; the position is what a `Value::Event` holds.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub fn get(&self, event: i64) -> Option<&Entry> {
        self.entries.get(usize::try_from(event).ok()?)
    }

    /// Lamport's relation. Entries of one step are in the order in which they were made.
    pub fn happened_before(&self, a: usize, b: usize) -> bool {
        let (x, y) = (&self.entries[a], &self.entries[b]);
        if x.process == y.process {
            return a < b;
        }
        x.time[x.process as usize] <= y.time[x.process as usize]
    }

    /// The causal order that multicasts and deliveries make, and nothing else: a came before b at the same
    /// process, or the process of b had delivered a multicast, a or one after a, when it called b. Which call an upcall
    /// delivers is told by its value.
    pub fn multicast_before(&self, a: usize, b: usize) -> bool {
        let mut reached = vec![false; self.entries.len()];
        let mut after = vec![a];
        while let Some(x) = after.pop() {
            let call = &self.entries[x];
            let later_calls_of = |process: u32, from: usize| {
                (from + 1..self.entries.len()).filter(move |i| {
                    let e = &self.entries[*i];
                    e.process == process && e.what == HistoryKind::Calls
                })
            };
            let deliveries = (x..self.entries.len()).filter(|i| {
                let e = &self.entries[*i];
                e.what == HistoryKind::Upcalls && e.value.is_some() && e.value == call.value
            });
            let next: Vec<usize> = later_calls_of(call.process, x)
                .chain(deliveries.flat_map(|d| later_calls_of(self.entries[d].process, d)))
                .collect();
            for y in next {
                if !std::mem::replace(&mut reached[y], true) {
                    after.push(y);
                }
            }
        }
        reached[b]
    }
}

fn join(clock: &mut [u32], other: &[u32]) {
    for (mine, theirs) in clock.iter_mut().zip(other) {
        *mine = (*mine).max(*theirs);
    }
}
