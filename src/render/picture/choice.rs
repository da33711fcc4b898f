//! What of a run is to be drawn.

use super::chart::kind;
use crate::trace::Trace;
use std::ops::Range;

/// Control states in which a process gives way and only serves the others: their vertices are filled, as in the
/// figures of the literature. A person can name others.
const GIVING_WAY: &[&str] = &[
    "beaten",
    "bystander",
    "captured",
    "defeated",
    "dummy",
    "follower",
    "following",
    "inactive",
    "killed",
    "loser",
    "lost",
    "nonleader",
    "not_elected",
    "passive",
    "relay",
    "relaying",
];

/// The states whose vertices are filled: those that were named, or those whose name says it.
pub fn filled_states(states: &[&str], named: Option<&[String]>) -> Vec<bool> {
    let is = |state: &&str| match named {
        Some(names) => names.iter().any(|name| name == state),
        None => GIVING_WAY.contains(state),
    };
    states.iter().map(is).collect()
}

/// A part of a run.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// None: all events.
    pub events: Option<Range<usize>>,
    /// Only these processes, in this order; None: all.
    pub processes: Option<Vec<u32>>,
    /// Only messages of these names; None: all.
    pub kinds: Option<Vec<String>>,
    /// States whose vertices are filled; None: those that sound like giving way.
    pub filled: Option<Vec<String>>,
    /// Variables that vertices are labelled with; None: the first few.
    pub variables: Option<Vec<String>>,
    pub cut: Option<Vec<u32>>,
}

impl Choice {
    /// The events to draw of so many.
    pub fn window(&self, all: usize) -> Range<usize> {
        let range = self.events.clone().unwrap_or(0..all);
        range.start.min(all)..range.end.min(all).max(range.start.min(all))
    }

    pub fn wants(&self, text: &str) -> bool {
        self.kinds.as_ref().is_none_or(|kinds| kinds.iter().any(|k| k == kind(text)))
    }

    /// The trace without the messages that are not wanted. Events stay: they happened.
    pub fn without_others(&self, trace: &Trace) -> Trace {
        let mut trace = trace.clone();
        if self.kinds.is_some() {
            for event in &mut trace.events {
                for list in [&mut event.received, &mut event.sent, &mut event.lost] {
                    list.retain(|m| self.wants(&m.text));
                }
                event.arrived.take_if(|m| !self.wants(&m.text));
            }
        }
        trace
    }
}
