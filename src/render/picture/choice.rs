//! The part of a run to be drawn.

use super::chart::kind;
use crate::ids::ProcessId;
use crate::trace::Trace;
use std::ops::Range;

/// Control states in which a process is passive and only serves the others: their vertices are filled, as in the figures of the
/// literature. The user can name others.
const PASSIVE_STATES: &[&str] = &[
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

/// Return, for each state, whether its vertices are filled: the states that were named, or else those with a passive name.
pub fn filled_states(states: &[&str], named: Option<&[String]>) -> Vec<bool> {
    let is = |state: &&str| match named {
        Some(names) => names.iter().any(|name| name == state),
        None => PASSIVE_STATES.contains(state),
    };
    states.iter().map(is).collect()
}

/// A part of a run.
#[derive(Clone, Debug, Default)]
pub struct DrawSelection {
    /// The events; `None`: all.
    pub events: Option<Range<usize>>,
    /// The processes, in this order; `None`: all.
    pub processes: Option<Vec<ProcessId>>,
    /// The names of the messages; `None`: all.
    pub kinds: Option<Vec<String>>,
    /// The states whose vertices are filled; `None`: those with passive names.
    pub filled: Option<Vec<String>>,
    /// The variables that label the vertices; `None`: the first few.
    pub variables: Option<Vec<String>>,
    pub cut: Option<Vec<u32>>,
}

impl DrawSelection {
    /// Return the events to draw of a run of `all` events.
    pub fn window(&self, all: usize) -> Range<usize> {
        let range = self.events.clone().unwrap_or(0..all);
        range.start.min(all)..range.end.min(all).max(range.start.min(all))
    }

    pub fn wants(&self, text: &str) -> bool {
        self.kinds.as_ref().is_none_or(|kinds| kinds.iter().any(|k| k == kind(text)))
    }

    /// Return the trace without the unwanted messages. Events are kept.
    pub fn filtered(&self, trace: &Trace) -> Trace {
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
