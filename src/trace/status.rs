//! Status of recorded events in the histories of their processes.

use super::{End, Trace, TraceEvent};
use crate::semantics::event::Cause;

/// What a recorded event is to the history of its process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventStatus {
    Event,
    /// It makes the initial state.
    Initial,
    /// It has not come about.
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

/// Return whether an event belongs to the history of its process.
pub fn is_event(trace: &Trace, number: usize) -> bool {
    status(trace, number, &trace.events[number]) == EventStatus::Event
}
