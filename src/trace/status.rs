//! Status of recorded events in the histories of their processes.

use super::{End, Trace, TraceEvent};
use crate::semantics::event::Cause;

/// The role of a recorded event in the history of its process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventStatus {
    Event,
    /// It produces the initial state.
    Initial,
    /// It aborted.
    Undone,
}

pub fn status(trace: &Trace, number: usize, event: &TraceEvent) -> EventStatus {
    if trace.end == End::Aborted && number + 1 == trace.events.len() {
        EventStatus::Undone
    } else if event.choice.cause == Cause::Start && event.sent.is_empty() {
        EventStatus::Initial
    } else {
        EventStatus::Event
    }
}

/// Whether it is an event of the history of its process.
pub fn is_event(trace: &Trace, number: usize) -> bool {
    status(trace, number, &trace.events[number]) == EventStatus::Event
}
