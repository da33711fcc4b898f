//! Constraints on the order of environment events: a message is lost or duplicated while it is in transit, a link fails
//! after the last message that passed it, a detector reports a state of a process while it lasts. No message conveys
//! this, so it is no part of happened-before; but a cut that violates it is no possible state of the system.

use super::{Message, TraceEvent};
use crate::ids::{MessageId, ProcessId};
use crate::semantics::event::Cause;
use rustc_hash::FxHashMap;

/// The environment events so far, as far as later events depend on them.
#[derive(Default)]
pub(super) struct Environment {
    /// The last crash or restart of each process, and whether it is up.
    up_since: FxHashMap<ProcessId, (usize, bool)>,
    /// Detector reports about a process that are valid until its next crash or restart.
    reports: FxHashMap<ProcessId, Vec<usize>>,
    /// Links, by their ends: the event in which they failed, and the last in which a message passed.
    failed: FxHashMap<(ProcessId, ProcessId), usize>,
    through: FxHashMap<(ProcessId, ProcessId), usize>,
    /// Messages that were duplicated, with the events.
    doubled: FxHashMap<MessageId, Vec<usize>>,
}

impl Environment {
    /// Return the events that must precede the next one although no message says so.
    pub fn causes(&mut self, number: usize, event: &TraceEvent) -> Vec<usize> {
        let process = event.process;
        let mut causes = Vec::new();
        match event.choice.cause {
            Cause::Suspect { of } | Cause::Trust { of } => {
                let turned = self.up_since.get(&of).copied();
                let up = turned.is_none_or(|(_, up)| up);
                causes.extend(turned.map(|(turn, _)| turn));
                if up == matches!(event.choice.cause, Cause::Trust { .. }) {
                    self.reports.entry(of).or_default().push(number);
                }
            }
            Cause::Cut { .. } => {
                // The recorder uses this action name.
                let to = event.action.strip_prefix("link to p").and_then(|rest| rest.strip_suffix(" fails"));
                if let Some(to) = to.and_then(|to| to.parse().ok().map(ProcessId)) {
                    self.failed.insert((process, to), number);
                    causes.extend(self.through.get(&(process, to)).copied());
                }
            }
            Cause::Deliver { .. } => {
                let on = |m: &Message| self.failed.get(&(m.peer, process)).copied();
                causes.extend(event.lost.iter().filter_map(on));
            }
            _ => {}
        }
        for message in event.received.iter().chain(&event.arrived) {
            self.through.insert((message.peer, process), number);
        }
        if let Some(original) = event.copied {
            self.doubled.entry(original).or_default().push(number);
        }
        for gone in event.received.iter().chain(&event.lost) {
            causes.extend(self.doubled.remove(&gone.id).into_iter().flatten());
        }
        if let Some(up) = event.change("up") {
            self.up_since.insert(process, (number, up == "true"));
            causes.extend(self.reports.remove(&process).into_iter().flatten());
        }
        causes
    }
}
