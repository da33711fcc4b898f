//! History and causal pasts under the exchange of processes. Events move with their processes, and so do the entries of vector clocks.

use crate::explore::monitor::auxiliary::AuxiliaryStates;
use crate::explore::monitor::history::Kept;
use crate::explore::reduction::symmetry::mixing::{hashed, mix};
use crate::ids::ProcessId;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The exchange of processes in auxiliary states and causal pasts, with caches. One for each thread.
#[derive(Debug)]
pub(super) struct Tracked<'a> {
    auxiliary: &'a AuxiliaryStates<'a>,
    contents: FxHashMap<u32, Arc<HistoryContent>>,
    /// Numbers of the permutations of processes so far.
    permutations: FxHashMap<Vec<ProcessId>, u32>,
    /// By auxiliary state, or past, and permutation.
    states: FxHashMap<(u32, u32), u32>,
    pasts: FxHashMap<(u32, u32), u32>,
}

/// Hashes of what a history contains. They move with the processes, but do not depend on their numbers.
#[derive(Debug)]
pub(super) struct HistoryContent {
    /// By process: a hash of its events.
    pub own: Box<[u64]>,
    /// Process, another process, and a hash of what the events of the former know of the latter.
    pub relations: Box<[(u32, u32, u64)]>,
}

impl<'a> Tracked<'a> {
    /// Return `None` if no history is tracked.
    pub fn new(auxiliary: &'a AuxiliaryStates<'a>) -> Option<Tracked<'a>> {
        auxiliary.needs.history.then(|| Tracked {
            auxiliary,
            contents: FxHashMap::default(),
            permutations: FxHashMap::default(),
            states: FxHashMap::default(),
            pasts: FxHashMap::default(),
        })
    }

    pub fn bytes(&self) -> usize {
        let permutation = size_of::<Vec<ProcessId>>() + self.auxiliary.processes() * size_of::<ProcessId>();
        self.contents.len() * (size_of::<HistoryContent>() + 64)
            + self.permutations.len() * permutation
            + (self.states.len() + self.pasts.len()) * size_of::<((u32, u32), u32)>()
    }

    /// Return the content of an auxiliary state.
    pub fn content(&mut self, state: u32) -> Arc<HistoryContent> {
        let Tracked { auxiliary, contents, .. } = self;
        let content = || Arc::new(HistoryContent::new(&auxiliary.history(state), auxiliary.processes()));
        contents.entry(state).or_insert_with(content).clone()
    }

    /// Return the number of a permutation.
    pub fn permutation(&mut self, to: &[ProcessId]) -> u32 {
        let next = self.permutations.len() as u32;
        self.permutations.get(to).copied().unwrap_or_else(|| {
            self.permutations.insert(to.to_vec(), next);
            next
        })
    }

    /// Return the auxiliary state after an exchange by this permutation, which has this number.
    pub fn state(&mut self, state: u32, (to, number): (&[ProcessId], u32)) -> u32 {
        let Tracked { auxiliary, states, .. } = self;
        *states.entry((state, number)).or_insert_with(|| auxiliary.exchanged(state, to))
    }

    /// Return the causal past after an exchange by this permutation, which has this number.
    pub fn past(&mut self, past: u32, (to, number): (&[ProcessId], u32)) -> u32 {
        let Tracked { auxiliary, pasts, .. } = self;
        match past {
            AuxiliaryStates::NO_PAST => past,
            _ => *pasts.entry((past, number)).or_insert_with(|| auxiliary.exchanged_past(past, to)),
        }
    }
}

impl HistoryContent {
    fn new(history: &Kept, n: usize) -> HistoryContent {
        let mut own = vec![0; n];
        let mut relations = Vec::new();
        let mut relate = |process: ProcessId, clock: &[u32], what: u64| {
            let others = (0..).zip(clock).filter(|(other, known)| *other != process.0 && **known > 0);
            relations.extend(others.map(|(other, known)| (process.0, other, mix(what, (*known).into()))));
        };
        for entry in &history.entries {
            let what = hashed(&(entry.what as u8, entry.of, entry.nth, &entry.value));
            let place = &mut own[entry.process.index()];
            *place = mix(*place, what);
            relate(entry.process, &entry.time, mix(what, 1));
            relate(entry.process, entry.multicasts.as_deref().unwrap_or_default(), mix(what, 2));
        }
        for ((process, kind), count) in history.counts() {
            let place = &mut own[process.index()];
            *place = mix(*place, hashed(&(kind, count)));
        }
        for (process, clock) in (0..).map(ProcessId).zip(history.multicasts()) {
            own[process.index()] = mix(own[process.index()], clock[process.index()].into());
            relate(process, clock, 3);
        }
        HistoryContent { own: own.into(), relations: relations.into() }
    }
}
