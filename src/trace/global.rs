//! The global state of a cut according to the trace, without the program.

use super::cut::Cut;
use super::histories::Histories;
use super::{Change, Trace};
use crate::ids::ProcessId;
use crate::semantics::event::Cause;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

impl Histories {
    /// Return the variables of each process after its events inside the cut. Empty if the trace has no initial values
    /// and no changes.
    pub fn local_states(&self, trace: &Trace, cut: &Cut) -> Vec<Vec<Change>> {
        let mut states = trace.header.initial.clone();
        states.resize(trace.n(), Vec::new());
        for (number, event) in trace.events.iter().enumerate() {
            if !self.is_initial(number) && !self.contains(cut, number) {
                continue;
            }
            set(&mut states[event.process.index()], &event.changes);
            if let Some(with) = &event.with {
                set(&mut states[with.process.index()], &with.changes);
            }
        }
        states
    }

    /// Return the messages in transit at the cut, by sender and receiver: sent inside and not received inside, in the
    /// order of sending.
    pub fn channels(&self, trace: &Trace, cut: &Cut) -> BTreeMap<(usize, usize), Vec<String>> {
        let mut texts: FxHashMap<u64, (ProcessId, String)> = FxHashMap::default();
        for message in trace.events.iter().flat_map(|event| &event.sent) {
            texts.insert(message.id.into(), (message.peer, format!("{} {}", message.id, message.text)));
        }
        let mut channels: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
        for transit in self.in_transit(cut) {
            let event = &trace.events[transit.sent];
            let note = match event.choice.cause {
                Cause::SendNote { to } => Some((to, "a note".to_string())),
                _ => None,
            };
            if let Some((to, text)) = texts.remove(&transit.message).or(note) {
                channels.entry((event.process.index(), to.index())).or_default().push(text);
            }
        }
        channels
    }
}

fn set(state: &mut Vec<Change>, changes: &[Change]) {
    for change in changes {
        match state.iter_mut().find(|known| known.name == change.name) {
            Some(known) => known.value.clone_from(&change.value),
            None => state.push(change.clone()),
        }
    }
}
