//! Packed histories. A search compares and hashes histories far more often than it extends them; a vector of numbers is compared without
//! following a pointer for each event and clock.

use crate::explore::monitor::history::Kept;
use crate::explore::monitor::history::formula::EventKind;
use crate::ids::ProcessId;
use crate::ir::{HistoryKind, Value};
use crate::semantics::history::Entry;
use std::sync::Arc;

/// The content of a [`Kept`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Packed {
    /// The numbers of processes, events, counts and clocks; then the events, the counts, and the clocks of multicasts.
    words: Box<[u32]>,
    /// The values of the events that have one.
    values: Box<[Value]>,
}

/// Flags of an event: which data follow.
const HAS_VALUE: u32 = 1;
const HAS_MULTICASTS: u32 = 2;

impl Packed {
    pub fn new(history: &Kept) -> Packed {
        let n = history.entries.first().map_or(0, |entry| entry.time.len());
        let n = history.multicasts.first().map_or(n, |clock| clock.len());
        let sizes = [n, history.entries.len(), history.counts.len(), history.multicasts.len()];
        let mut words: Vec<u32> = Vec::with_capacity(4 + sizes[1] * (4 + n) + sizes[2] * 3 + sizes[3] * n);
        let mut values = Vec::new();
        words.extend(sizes.map(|size| size as u32));
        for entry in &history.entries {
            let mut flags = 0;
            if let Some(value) = &entry.value {
                flags |= HAS_VALUE;
                values.push(value.clone());
            }
            if entry.multicasts.is_some() {
                flags |= HAS_MULTICASTS;
            }
            words.extend([entry.process.0, number(entry.what, entry.of), entry.nth, flags]);
            words.extend_from_slice(&entry.time);
            words.extend_from_slice(entry.multicasts.as_deref().unwrap_or_default());
        }
        for ((process, kind), count) in &history.counts {
            words.extend([process.0, number(kind.what, kind.of), *count]);
        }
        history.multicasts.iter().for_each(|clock| words.extend_from_slice(clock));
        Packed { words: words.into(), values: values.into() }
    }

    pub fn unpack(&self) -> Kept {
        let mut rest = self.words.iter().copied();
        let mut next = || rest.next().unwrap_or(0);
        let (n, events, counts, multicasts) = (next(), next(), next(), next());
        let mut values = self.values.iter().cloned();
        let clock = |next: &mut dyn FnMut() -> u32| -> Arc<[u32]> { (0..n).map(|_| next()).collect() };
        let mut entry = || {
            let (process, (what, of), nth, flags) = (ProcessId(next()), kind(next()), next(), next());
            let value = if flags & HAS_VALUE != 0 { values.next() } else { None };
            let mut entry = Entry::new(process, what, of, nth, value, clock(&mut next));
            entry.multicasts = (flags & HAS_MULTICASTS != 0).then(|| clock(&mut next));
            entry
        };
        let entries = (0..events).map(|_| entry()).collect();
        let count = |_| {
            let (process, (what, of)) = (ProcessId(next()), kind(next()));
            ((process, EventKind { what, of }), next())
        };
        let counts = (0..counts).map(count).collect();
        Kept { entries, counts, multicasts: (0..multicasts).map(|_| clock(&mut next)).collect() }
    }
}

fn number(what: HistoryKind, of: u16) -> u32 {
    let what = match what {
        HistoryKind::Calls => 0,
        HistoryKind::Returns => 1,
        HistoryKind::Upcalls => 2,
    };
    u32::from(of) << 2 | what
}

fn kind(number: u32) -> (HistoryKind, u16) {
    let what = match number & 3 {
        0 => HistoryKind::Calls,
        1 => HistoryKind::Returns,
        _ => HistoryKind::Upcalls,
    };
    (what, (number >> 2) as u16)
}
